"""The folder of a training job: what it was made from, how far it came, and what it left.

`run.json` is written first and says what the job is made of; its key is the hash of that. `result.json` is written
last, so that a folder without it is unfinished. A job goes on only in the folder of an equal one.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library.template import content_hash
from reasonflux.errors import UsageError
from training.writing import write_document

RUN, RESULT, BEFORE, TRAINED = "run.json", "result.json", "before.json", "trained.json"
PACKAGES = ("reasonflux", "torch", "transformers", "trl", "peft", "accelerate", "datasets")


@dataclass(frozen=True)
class RunFolder:
    """The folder of one job; `made_from` is all that its outcome depends on."""

    path: Path
    made_from: dict[str, Any]

    @property
    def key(self) -> str:
        """Hash of what the job is made from, tagged with its algorithm."""
        return content_hash(self.made_from)

    @property
    def checkpoints(self) -> Path:
        """Where the checkpoints stand."""
        return self.path / "checkpoints"

    def read(self, name: str) -> dict[str, Any] | None:
        """Return one of the job's documents, None where it is not there."""
        try:
            found: dict[str, Any] = json.loads((self.path / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return found

    def write(self, name: str, document: dict[str, Any]) -> None:
        """Write one of the job's documents, as a whole or not at all."""
        write_document(self.path / name, document)


@contextmanager
def claimed(path: Path, made_from: dict[str, Any], *, resume: bool) -> Iterator[RunFolder]:
    """Yield the folder of a job, kept from other processes meanwhile.

    Args:
        path: the folder; made where it is missing.
        made_from: settings, digests of data and of the model the job starts from.
        resume: whether an unfinished job of the same kind goes on.

    Raises:
        UsageError: the folder holds something else, another job, or an unfinished one without `resume`; or another
            process works in it.
        OSError: it can't be written.
    """
    folder = RunFolder(path, made_from)
    if not is_main_process():
        yield folder
        return
    from filelock import FileLock, Timeout

    held = folder.read(RUN)
    if held is None and path.exists() and any(entry.suffix != ".lock" for entry in path.iterdir()):
        raise UsageError(f"{path} holds files that are no training job; give another folder with --out.")
    path.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path / "run.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise UsageError(f"Another process trains in {path}; wait for it, or give another folder.") from error
    try:
        held = folder.read(RUN)
        if held is None:
            folder.write(RUN, {"key": folder.key, "made_from": made_from, "versions": versions()})
        elif held.get("key") != folder.key:
            differing = ", ".join(_differing(held.get("made_from", {}), made_from)) or "its content"
            raise UsageError(
                f"{path} holds a job that differs in {differing}; give another folder with --out, or delete it."
            )
        elif not resume and folder.read(RESULT) is None:
            raise UsageError(f"{path} holds an unfinished job; go on with --resume, or delete it.")
        yield folder
    finally:
        lock.release()


def is_main_process() -> bool:
    """Return whether this is the process that writes, of those that train together."""
    return os.environ.get("RANK", "0") == "0"


def versions() -> dict[str, str]:
    """Return the versions of the packages that a job's outcome may depend on."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found


def _differing(held: dict[str, Any], wanted: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name in sorted({*held, *wanted}):
        one, other = held.get(name), wanted.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            yield from _differing(one, other, f"{prefix}{name}.")
        elif one != other:
            yield f"{prefix}{name}"
