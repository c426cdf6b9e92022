"""The index file beside a database, and its header: written whole, checked before use, mapped where large.

The file is a cache. One that is missing, of another state or damaged costs the time to build it again; a folder
that can't be written costs that each time. Only a file that may not be read is an error.
"""

import errno
import hashlib
import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from library.database import replace_durably
from library.errors import StoreUnavailable
from library.index_packed import Approximation, Packed
from library.reading import State, StoredEmbedder

if TYPE_CHECKING:
    from io import BufferedReader

    import numpy as np
    import numpy.typing as npt

_log = logging.getLogger(__name__)
_FORMAT = 2
_LOCK_SECONDS = 900.0
MAPPED_BYTES = 64 * 2**20
_CHECKED_BLOCKS = 64
_BLOCK_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Header:
    """What the index file holds: the state and embedder it was made of, its size and checksum, and how it searches."""

    state: State
    embedder: StoredEmbedder
    templates: int
    vectors: int
    bytes: int
    sha256: str
    approximation: Approximation | None

    def to_json(self) -> str:
        """Return the header as the text of its file."""
        how = None if self.approximation is None else self.approximation._asdict()
        facts = {
            "format": _FORMAT,
            "counter": self.state.counter,
            "token": self.state.token,
            "embedder": self.embedder.fingerprint,
            "dimension": self.embedder.dimension,
            "templates": self.templates,
            "vectors": self.vectors,
            "bytes": self.bytes,
            "sha256": self.sha256,
            "search": "exact" if how is None else "approximate",
            "approximation": how,
        }
        return json.dumps(facts, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Header | None":
        """Return the header in a file's text, None where another version wrote it.

        Raises:
            ValueError: it is damaged.
        """
        try:
            facts = json.loads(text)
        except RecursionError as error:
            raise ValueError("its header is nested too deeply") from error
        if not isinstance(facts, dict):
            raise ValueError("its header is no JSON object")
        if facts.get("format") != _FORMAT:
            return None
        try:
            how = facts["approximation"]
            return cls(
                State(int(facts["counter"]), str(facts["token"])),
                StoredEmbedder(str(facts["embedder"]), int(facts["dimension"])),
                int(facts["templates"]),
                int(facts["vectors"]),
                int(facts["bytes"]),
                str(facts["sha256"]),
                None if how is None else _approximation(how),
            )
        except (KeyError, TypeError, OverflowError) as error:
            raise ValueError(f"its header is incomplete: {error!r}") from error


class IndexFile:
    """The index file `<database>.faiss` and its header `<database>.faiss.json`.

    Both are read and written through Python files, so that any path works that Python can open.
    """

    def __init__(self, database: Path) -> None:
        self._data = database.with_name(database.name + ".faiss")
        self._header = database.with_name(database.name + ".faiss.json")
        self._lock = database.with_name(database.name + ".faiss.lock")
        self._complained = False

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """Hold the right to build the index; yields whether its file can be written at all.

        Raises:
            StoreUnavailable: another process holds it for too long.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(self._lock)
        try:
            lock.acquire(timeout=_LOCK_SECONDS)
        except Timeout as error:
            raise StoreUnavailable(
                f"Another process has been building the index {self._data} for {_LOCK_SECONDS / 60:.0f} minutes; "
                "wait for it or end it, then try again."
            ) from error
        except OSError as error:
            self._go_on_without(error)
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

    def header(self) -> Header | None:
        """Return the header, None where there is no index file or another version wrote it.

        Raises:
            ValueError: the header is damaged.
            StoreUnavailable: header or index file are there but can't be read.
        """
        try:
            if self._data.exists() and not os.access(self._data, os.R_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self._data))
            return Header.from_json(self._header.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(error, self._data) from error

    def load(self, header: Header) -> Packed | None:
        """Return the index that the header describes, None where there is no index file.

        Raises:
            ValueError: the file is damaged.
            StoreUnavailable: the file is there but can't be read.
        """
        import faiss

        try:
            with self._data.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size != header.bytes:
                    raise ValueError(f"it has {size} bytes instead of {header.bytes}")
                if _checksum(file, size) != header.sha256:
                    raise ValueError("its checksum is wrong")
                buffer = _contents(file, size)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(error, self._data) from error
        try:
            index = faiss.read_index(faiss.ZeroCopyIOReader(faiss.swig_ptr(buffer), size))
        except RuntimeError as error:
            raise ValueError(f"FAISS can't read it: {error}") from error
        lists = getattr(index, "nlist", None)
        if (index.d, index.ntotal, lists) != (
            header.embedder.dimension,
            header.vectors,
            header.approximation and header.approximation.lists,
        ):
            raise ValueError("it holds other vectors than its header says")
        return Packed(index, header.templates, header.approximation, buffer)

    def complain(self, error: ValueError) -> None:
        """Say that the file is damaged."""
        _log.warning("The index file %s is damaged (%s); it is built again.", self._data, error)

    def save(self, packed: Packed, state: State, embedder: StoredEmbedder) -> Packed:
        """Write the index, then its header; a disk that is full or can't be written only costs the next start time.

        Returns:
            The index to go on with: from its file where that is mapped, so that memory holds only what is used.
        """
        try:
            building = self._data.with_name(self._data.name + ".new")
            with building.open("wb") as file:
                _write(packed.index, file)
            with building.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                digest = _checksum(file, size)
            header = Header(state, embedder, packed.templates, packed.size, size, digest, packed.approximation)
            replace_durably(building, self._data)
            building = self._header.with_name(self._header.name + ".new")
            building.write_text(header.to_json(), encoding="utf-8")
            replace_durably(building, self._header)
        except OSError as error:
            building.unlink(missing_ok=True)
            self._go_on_without(error)
            return packed
        return packed if size <= MAPPED_BYTES else self.load(header) or packed

    def _go_on_without(self, error: OSError) -> None:
        if not self._complained:
            self._complained = True
            reason = error.strerror or str(error)
            _log.warning("The index file %s can't be written (%s); searches go on without it.", self._data, reason)


def _write(index: Any, file: BinaryIO) -> None:
    """Write an index to an open file, bit by bit.

    Raises:
        OSError: the file can't be written.
    """
    import faiss

    failures: list[OSError] = []

    def write(data: bytes) -> None:
        try:
            file.write(data)
        except OSError as error:
            failures.append(error)
            raise

    try:
        faiss.write_index(index, faiss.PyCallbackIOWriter(write))
    except Exception:
        # FAISS raises an error of its own in place of what went wrong with the file.
        if failures:
            raise failures[0] from None
        raise


def _checksum(file: "BufferedReader", size: int) -> str:
    """Return the SHA-256 of a file, of a file over `MAPPED_BYTES` that of blocks spread evenly over it."""
    if size <= MAPPED_BYTES:
        return hashlib.file_digest(file, "sha256").hexdigest()
    digest = hashlib.sha256()
    last = size - _BLOCK_BYTES
    for number in range(_CHECKED_BLOCKS):
        file.seek(last * number // (_CHECKED_BLOCKS - 1))
        digest.update(file.read(_BLOCK_BYTES))
    return digest.hexdigest()


def _contents(file: "BufferedReader", size: int) -> "npt.NDArray[np.uint8]":
    """Return what a file holds, mapped into memory where it is large."""
    import numpy as np

    if size > MAPPED_BYTES:
        return np.memmap(file, dtype=np.uint8, mode="r")
    file.seek(0)
    return np.frombuffer(file.read(), dtype=np.uint8)


def _approximation(facts: Any) -> Approximation:
    lists, probes = int(facts["lists"]), int(facts["probes"])
    if not 1 <= probes <= lists:
        raise ValueError(f"its header says to look into {probes} of {lists} lists")
    return Approximation(lists, probes, float(facts["recall"]), int(facts["sample"]))


def _unusable(error: OSError, path: Path) -> StoreUnavailable:
    reason = error.strerror or str(error)
    return StoreUnavailable(
        f"The index file {error.filename or path} can't be used: {reason}; make it readable and writable, or delete it."
    )
