"""Model weights on disk: where they are, whether they are intact, and how they get there.

Layout of a weights folder: `<weights>/<name>/<file>` holds what is complete and verified, `<weights>/.partial/`
what is being fetched and the locks. A model appears by one rename, so whoever sees its folder sees all of it.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

from reasonflux.errors import UsageError, WeightsError
from reasonflux.models.assembly import PullProgress, Silent, Sources, assemble, disk_errors, file_problem
from reasonflux.models.catalogue import CatalogueEntry, catalogue, find_entry, near_matches

__all__ = [
    "CatalogueEntry",
    "PullProgress",
    "Sources",
    "catalogue",
    "find_entry",
    "is_present",
    "pull",
    "pull_entry",
    "remove",
    "resolve_model",
    "verify",
    "weights_path",
]

_GGUF_MAGIC = b"GGUF"


def weights_path(name: str, weights_dir: Path) -> Path:
    """Return where the model `name` stands when it is here: a GGUF file, or the embedder's folder.

    Raises:
        UsageError: the catalogue has no such name.
    """
    return _final_path(find_entry(name), weights_dir)


def is_present(name: str, weights_dir: Path) -> bool:
    """Return whether every file of the model is here with its size; contents are not read.

    Raises:
        UsageError: the catalogue has no such name.
    """
    return _is_here(find_entry(name), weights_dir)


def verify(name: str, weights_dir: Path) -> list[str]:
    """Return what is wrong with a model on disk, hashing all of it; empty when it is intact.

    Raises:
        UsageError: the catalogue has no such name.
    """
    return _problems(find_entry(name), weights_dir)


def pull(name: str, weights_dir: Path, *, progress: PullProgress | None = None, check: bool = False) -> Path:
    """Fetch a model unless it is here, and return its path.

    Safe to call from several processes at once: one fetches, the others wait and find it present.

    Args:
        name: a name of the catalogue.
        weights_dir: the weights folder.
        progress: told what happens and how many bytes are here.
        check: whether a model that is here is hashed as well, and what is damaged in it fetched again.

    Raises:
        UsageError: the catalogue has no such name.
        WeightsError: it can't be fetched, is not what the catalogue pins, or the disk refuses it.
    """
    return pull_entry(find_entry(name), weights_dir, progress=progress, check=check)


def pull_entry(
    entry: CatalogueEntry,
    weights_dir: Path,
    *,
    progress: PullProgress | None = None,
    check: bool = False,
    sources: Sources | None = None,
) -> Path:
    """Fetch the model `entry` as `pull` does, from `sources`.

    Raises:
        WeightsError: as `pull`.
    """
    told = progress or Silent()
    final = _final_path(entry, weights_dir)
    staging = _staging(entry, weights_dir)
    was_here = _is_here(entry, weights_dir)
    if was_here and not check and not (staging.exists() and os.access(weights_dir, os.W_OK)):
        return final
    with _locked(entry, weights_dir, told.message), disk_errors(weights_dir):
        folder = weights_dir / entry.name
        if _is_here(entry, weights_dir):
            problems = _problems(entry, weights_dir) if check else []
            if not problems:
                if not was_here:
                    told.message(f"{entry.name} is here now; another process fetched it.")
                shutil.rmtree(staging, ignore_errors=True)
                return final
            for problem in problems:
                told.message(f"Refused: {problem}.")
        if folder.exists() and not (staging / "files").exists():
            # Its sound parts are kept; assembling checks each and fetches the others.
            staging.mkdir(parents=True, exist_ok=True)
            folder.rename(staging / "files")
        ready = assemble(entry, staging, told, sources or Sources())
        if folder.exists():
            shutil.rmtree(folder)
        ready.rename(folder)
        _sync_folder(weights_dir)
        shutil.rmtree(staging)
    return final


def remove(name: str, weights_dir: Path) -> int:
    """Delete a model, what was made of it and what a pull of it left behind; return the bytes freed.

    Raises:
        UsageError: the catalogue has no such name.
        WeightsError: the files can't be deleted.
    """
    from reasonflux.models.dequantize import copies_folder, copy_prefix

    entry = find_entry(name)
    doomed = [path for path in (weights_dir / entry.name, _staging(entry, weights_dir)) if path.exists()]
    prefix = copy_prefix(PurePath(entry.file[0].path).stem, entry.sha256)
    doomed += [path for path in copies_folder(weights_dir).glob("*") if path.name.startswith(prefix) and path.is_dir()]
    if not doomed:
        return 0
    freed = 0
    with _locked(entry, weights_dir, None), disk_errors(weights_dir):
        for path in doomed:
            freed += sum(file.lstat().st_size for file in path.rglob("*") if file.is_file())
            shutil.rmtree(path, ignore_errors=False)
    return freed


def resolve_model(name_or_path: str, weights_dir: Path) -> Path:
    """Return the GGUF file that a catalogue name or a path stands for.

    Raises:
        UsageError: it is neither a chat model's name nor a GGUF file.
        WeightsError: it is a known name whose weights are not here; the message says what to run.
    """
    entry = catalogue().get(name_or_path)
    if entry is not None:
        if entry.kind != "chat":
            raise UsageError(f"{name_or_path} is an embedder; choose a chat model (see `reasonflux models list`).")
        if not _is_here(entry, weights_dir):
            raise WeightsError(
                f"The weights of {name_or_path} are not in {weights_dir}; run `reasonflux models pull {name_or_path}`."
            )
        return _final_path(entry, weights_dir)
    path = Path(name_or_path).expanduser()
    try:
        with path.open("rb") as handle:
            magic = handle.read(len(_GGUF_MAGIC))
    except (FileNotFoundError, NotADirectoryError) as error:
        near = near_matches(name_or_path)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known names are {', '.join(catalogue())}."
        raise UsageError(f"{name_or_path!r} is neither a known model nor a file that exists; {hint}") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"The model file {name_or_path!r} can't be read: {error}.") from error
    if magic != _GGUF_MAGIC:
        raise UsageError(f"{path} is not a GGUF file; give a catalogue name or the path of a GGUF file.")
    return path.absolute()


def _final_path(entry: CatalogueEntry, weights_dir: Path) -> Path:
    folder = weights_dir / entry.name
    return folder if entry.kind == "embedder" else folder / entry.file[0].path


def _staging(entry: CatalogueEntry, weights_dir: Path) -> Path:
    return weights_dir / ".partial" / entry.name


def _is_here(entry: CatalogueEntry, weights_dir: Path) -> bool:
    try:
        return all((weights_dir / entry.name / file.path).stat().st_size == file.size for file in entry.file)
    except OSError:
        return False


def _problems(entry: CatalogueEntry, weights_dir: Path) -> list[str]:
    found = (file_problem(file, weights_dir / entry.name / file.path) for file in entry.file)
    return [problem for problem in found if problem is not None]


@contextmanager
def _locked(entry: CatalogueEntry, weights_dir: Path, on_wait: Callable[[str], None] | None) -> Iterator[None]:
    from filelock import FileLock, Timeout

    with disk_errors(weights_dir):
        (weights_dir / ".partial").mkdir(parents=True, exist_ok=True)
        lock = FileLock(weights_dir / ".partial" / f"{entry.name}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if on_wait is not None:
                on_wait(f"Another process is fetching {entry.name}; waiting for it.")
            lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
