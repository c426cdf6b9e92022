"""A copy of a library that equals one committed state, taken while other processes write."""

import os
import secrets
import sqlite3
from pathlib import Path

from library.database import BUSY_SECONDS, Database, explaining, replace_durably
from library.errors import LibraryError, StoreUnavailable
from library.store import Library

_SIDE_FILES = ("-wal", "-journal")


def back_up(library: Library, target: Path, *, force: bool = False) -> int:
    """Copy a library to a file that appears whole or not at all; return its size in bytes.

    The copy is made through SQLite, in one step from one committed state: writers go on meanwhile. The index file is
    not copied; it is built again from the vectors in the copy.

    Args:
        library: the library to copy.
        target: the file to make.
        force: whether a file that is there already is replaced.

    Raises:
        LibraryError: the target is there already, is a folder or device, is the library itself or is in use.
        StoreUnavailable: the library can't be read or the target not be written.
    """
    target = target.resolve() if target.is_symlink() else target
    _require_usable(library.path, target, force=force)
    building = target.with_name(f"{target.name}.{secrets.token_hex(4)}.new")
    try:
        with explaining(target, BUSY_SECONDS):
            target.parent.mkdir(parents=True, exist_ok=True)
            building.touch(exist_ok=False)
            copy = sqlite3.connect(building)
            try:
                Database(library.path).copy_to(copy)
                _check_whole(copy, library.path)
            finally:
                copy.close()
            size = building.stat().st_size
            if force:
                replace_durably(building, target)
            else:
                _publish_new(building, target)
        return size
    finally:
        for suffix in ("", *_SIDE_FILES, "-shm"):
            building.with_name(building.name + suffix).unlink(missing_ok=True)


def _require_usable(source: Path, target: Path, *, force: bool) -> None:
    if target.is_dir():
        raise LibraryError(f"{target} is a folder; give the file to write the backup to.")
    if target.exists():
        if not target.is_file():
            raise LibraryError(f"{target} is no regular file; give the file to write the backup to.")
        if target.samefile(source):
            raise LibraryError(f"{target} is the library itself; give another file.")
        if not force:
            raise LibraryError(f"{target} is there already; give another file, or --force to replace it.")
    for suffix in _SIDE_FILES:
        # A log that lies beside the file would be read into whatever is put in its place.
        log = target.with_name(target.name + suffix)
        if log.exists():
            raise LibraryError(
                f"{target} is a database in use, or was one: {log.name} lies beside it; give another file, or end "
                "what uses it and delete both."
            )


def _check_whole(copy: sqlite3.Connection, source: Path) -> None:
    (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise StoreUnavailable(f"The library {source} is damaged ({found}); no backup was made.")


def _publish_new(building: Path, target: Path) -> None:
    """Give the finished file its name unless another process took the name meanwhile."""
    with building.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        os.link(building, target)
    except FileExistsError as error:
        raise LibraryError(f"{target} was made by another process meanwhile; give another file.") from error
    except OSError:
        # A file system without hard links.
        replace_durably(building, target)
