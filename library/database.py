"""The database file: connections, transactions, and one clear error for whatever the file system does.

Reads see one state from beginning to end (WAL). Writes begin IMMEDIATE, so that waiting for another writer
happens before anything was read; both wait for a bounded time. A file or folder that can't be written is still read.
"""

import difflib
import os
import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from library.errors import LibraryError, StoreUnavailable
from library.folding import search_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

BUSY_SECONDS = 10.0
BEGIN_ATTEMPTS = 3


class Database:
    """One existing database file. Thread-safe: every transaction takes a connection of its own."""

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        from sqlalchemy import create_engine
        from sqlalchemy.pool import QueuePool

        self.path = path
        self.busy_seconds = busy_seconds
        self._engine = create_engine("sqlite://", creator=self._connect, poolclass=QueuePool, max_overflow=-1)
        self._is_fixed = False

    def _connect(self) -> sqlite3.Connection:
        try:
            return self._connected("mode=rw")
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            mode = _reading_mode(self.path)
            if mode is None:
                raise
        self._is_fixed = "immutable" in mode
        return self._connected(mode)

    def _connected(self, mode: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?{mode}",
            uri=True,
            timeout=self.busy_seconds,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.create_function("search_text", 1, search_text, deterministic=True)
            # Opening is lazy: only a first look at the file finds out whether its write-ahead log can be used.
            connection.execute("PRAGMA schema_version")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def read(self) -> Iterator["Connection"]:
        """Yield a connection that sees one committed state throughout.

        Raises:
            StoreUnavailable: the file can't be read.
        """
        with _explaining_sqlite(self.path, self.busy_seconds), self._engine.connect() as connection:
            if self._is_fixed:
                # Such a connection never sees what others write later, so that it serves one transaction only.
                connection.detach()
            connection.exec_driver_sql("BEGIN")
            try:
                yield connection
            finally:
                connection.rollback()

    @contextmanager
    def write(self) -> Iterator["Connection"]:
        """Yield a connection whose changes are committed together, or not at all.

        Raises:
            StoreUnavailable: the file can't be written, or other writers held it for too long.
        """
        waited = self.busy_seconds * BEGIN_ATTEMPTS
        with _explaining_sqlite(self.path, waited), self._engine.connect() as connection:
            self._begin(connection)
            try:
                yield connection
                connection.commit()
            except BaseException:
                connection.rollback()
                raise

    def _begin(self, connection: "Connection") -> None:
        from sqlalchemy.exc import OperationalError

        for attempt in range(1, BEGIN_ATTEMPTS + 1):
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                return
            except OperationalError as error:
                if attempt == BEGIN_ATTEMPTS or not _is_busy(error.orig):
                    raise

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copy one committed state into another database, in one step that holds up no writer.

        Raises:
            StoreUnavailable: the file can't be read.
        """
        with explaining(self.path, self.busy_seconds):
            source = self._connect()
        try:
            source.backup(target)
        finally:
            source.close()

    def close(self) -> None:
        """Close every connection; safe to call twice."""
        self._engine.dispose()


def missing_library(path: Path) -> LibraryError:
    """Return the error of a database file that is not there; it names the nearest one beside it."""
    near = difflib.get_close_matches(path.stem, [other.stem for other in path.parent.glob("*.db")], n=1)
    meant = f'did you mean "{near[0]}"? If not, ' if near else ""
    which = "" if path.stem == "default" else f" --library {shlex.quote(str(path))}"
    return LibraryError(f"There is no library at {path}; {meant}make one with `reasonflux library init{which}`.")


def create_file(path: Path, fill: Callable[[Path], None]) -> bool:
    """Make a database that appears at `path` only when it is whole; return False where one was there already.

    `fill` receives the path of a temporary file in the same folder that already is an empty WAL database. A
    creation that was killed is cleared away by the next one.

    Raises:
        StoreUnavailable: the folder can't be written, or another process is creating the library for too long.
    """
    from filelock import FileLock, Timeout

    building = path.with_name(path.name + ".new")
    with explaining(path, BUSY_SECONDS):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(path.with_name(path.name + ".lock"), timeout=600):
                if path.exists():
                    return False
                for suffix in ("", "-wal", "-shm", "-journal"):
                    building.with_name(building.name + suffix).unlink(missing_ok=True)
                connection = sqlite3.connect(building)
                try:
                    connection.execute("PRAGMA journal_mode = WAL")
                finally:
                    connection.close()
                fill(building)
                replace_durably(building, path)
                return True
        except Timeout as error:
            raise StoreUnavailable(
                f"Another process has been creating the library {path} for 10 minutes; "
                "wait for it or end it, then run the command again."
            ) from error


def replace_durably(source: Path, target: Path) -> None:
    """Rename `source` to `target` so that a crash leaves either the old or the whole new file."""
    with source.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(source, target)
    if os.name == "posix":
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def explaining(path: Path, waited: float) -> Iterator[None]:
    """Turn what SQLite and the file system raise into one sentence that names the file.

    Raises:
        StoreUnavailable: instead of the original, which stays as its cause.
    """
    try:
        with _explaining_sqlite(path, waited):
            yield
    except OSError as error:
        raise StoreUnavailable(_explain(error, path, waited)) from error


@contextmanager
def _explaining_sqlite(path: Path, waited: float) -> Iterator[None]:
    """Do so for what SQLite raises; an OSError is that of another file, which the caller reads or writes meanwhile."""
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except DBAPIError as error:
        if isinstance(error.orig, sqlite3.IntegrityError | sqlite3.ProgrammingError | sqlite3.InterfaceError):
            raise
        raise StoreUnavailable(_explain(error.orig, path, waited)) from error
    except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
        raise StoreUnavailable(_explain(error, path, waited)) from error
    except UnicodeDecodeError as error:
        # What stands in the pages of a damaged file need not be text.
        raise StoreUnavailable(
            f"The library {path} is damaged or no SQLite file ({error.reason}); restore a backup or give another path."
        ) from error


def _reading_mode(path: Path) -> str | None:
    """Return how to open a file that can't be opened for writing, None where it can't be read either.

    Without a write-ahead log nobody has it open for writing, so that in a folder that can't be written it may be taken
    as fixed. With one, SQLite reads both where the log's own index is there.
    """
    if not os.access(path, os.R_OK):
        return None
    log, log_index = path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")
    in_use = log_index.exists() or (log.exists() and log.stat().st_size > 0)
    return "mode=ro" if in_use or os.access(path.parent, os.W_OK) else "mode=ro&immutable=1"


def _is_busy(error: BaseException | None) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _explain(error: BaseException | None, path: Path, waited: float) -> str:
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"The library {path} can't be used: {reason}; check the path and its permissions."
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if _is_busy(error):
        return (
            f"The library {path} is locked by another process (waited {waited:.0f} s, nothing was changed); "
            "end that process or try again later."
        )
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return f"The library {path} is damaged or no SQLite file ({error}); restore a backup or give another path."
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        return f"The library {path} is read-only; make the file and its folder writable, or give another path."
    if code == sqlite3.SQLITE_FULL:
        return f"The disk of the library {path} is full, nothing was changed; free some space and try again."
    if code == sqlite3.SQLITE_CANTOPEN:
        hint = "check that it is a file and that you may read it and write to its folder"
        return f"The library {path} can't be opened; {hint}."
    return f"The library {path} can't be used ({error}); check the disk and the file's permissions."
