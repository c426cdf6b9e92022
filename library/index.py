"""The FAISS index: a cache of the vectors that the database holds, in memory and in a file beside it.

The database is the truth. Whether the cache is current is one look at the change counter, and a stale or broken
cache is built again from stored vectors, by one process under a file lock, without embedding anything.
"""

import errno
import hashlib
import json
import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from library.database import replace_durably
from library.errors import StoreUnavailable
from library.reading import Reader, State, StoredEmbedder
from library.store import Library
from library.texts import KINDS, Kind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_log = logging.getLogger(__name__)
_FORMAT = 1
_LOCK_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index of exactly one state of the library."""

    state: State
    embedder: StoredEmbedder
    faiss_index: Any

    @property
    def size(self) -> int:
        """Number of vectors."""
        return int(self.faiss_index.ntotal)

    def nearest(
        self, query: "npt.NDArray[np.float32]", count: int, templates: "npt.NDArray[np.int64] | None" = None
    ) -> list[tuple[float, int, Kind]]:
        """Return the `count` best vectors as (inner product, template id, kind), best first.

        Args:
            query: a unit vector.
            count: how many vectors are wanted.
            templates: ids of the templates to look among, None for all.
        """
        import faiss
        import numpy as np

        count = min(count, self.size)
        if count == 0:
            return []
        parameters = None
        if templates is not None:
            keys = (templates[:, None] * len(KINDS) + np.arange(len(KINDS), dtype=np.int64)[None, :]).ravel()
            parameters = faiss.SearchParameters()
            # FAISS keeps a bare pointer to the selector, so that this name must outlive the search.
            selector = faiss.IDSelectorBatch(keys)
            parameters.sel = selector
        scores, found = self.faiss_index.search(query.reshape(1, -1), count, params=parameters)
        return [
            (float(score), int(key) // len(KINDS), KINDS[int(key) % len(KINDS)])
            for score, key in zip(scores[0], found[0], strict=True)
            if key >= 0
        ]


class TemplateIndex:
    """Keeps a current snapshot of one library. Thread-safe."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._file = CacheFile(library.path)

    def current(self, reader: Reader, embedder: StoredEmbedder) -> Snapshot:
        """Return the index of the state that `reader` sees.

        Raises:
            StoreUnavailable: the cache file is there but can't be read.
        """
        state = reader.state()
        with self._lock:
            known = self._snapshot
            if known is not None and (known.state, known.embedder) == (state, embedder):
                return known
            self._snapshot = self._file.load(state, embedder) or self._rebuild(reader, state, embedder)
            return self._snapshot

    def _rebuild(self, reader: Reader, state: State, embedder: StoredEmbedder) -> Snapshot:
        with self._file.locked():
            loaded = self._file.load(state, embedder, warn=True)
            if loaded is not None:
                return loaded
            snapshot = Snapshot(state, embedder, build(*reader.vectors(embedder), embedder.dimension))
            self._file.save(snapshot)
            return snapshot


def build(keys: "npt.NDArray[np.int64]", matrix: "npt.NDArray[np.float32]", dimension: int) -> Any:
    """Return an exact inner-product index of `matrix` (len(keys), dimension) that answers with `keys`."""
    import faiss

    index = faiss.IndexIDMap(faiss.IndexFlatIP(dimension))
    if len(keys):
        index.add_with_ids(matrix, keys)
    return index


class CacheFile:
    """The index file `<database>.faiss` and its header `<database>.faiss.json`.

    Both are read and written through Python files, so that any path works that Python can open.
    """

    def __init__(self, database: Path) -> None:
        self._data = database.with_name(database.name + ".faiss")
        self._header = database.with_name(database.name + ".faiss.json")
        self._lock = database.with_name(database.name + ".faiss.lock")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the right to build the index.

        Raises:
            StoreUnavailable: another process holds it for too long, or the folder can't be written.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(self._lock)
        try:
            lock.acquire(timeout=_LOCK_SECONDS)
        except Timeout as error:
            raise StoreUnavailable(
                f"Another process has been building the index {self._data} for {_LOCK_SECONDS:.0f} s; "
                "wait for it or end it, then try again."
            ) from error
        except OSError as error:
            raise _unusable(self._lock, error) from error
        try:
            yield
        finally:
            lock.release()

    def load(self, state: State, embedder: StoredEmbedder, *, warn: bool = False) -> Snapshot | None:
        """Return the index of this state, None where the file is missing, of another state or damaged.

        Args:
            state: the state wanted.
            embedder: the embedder wanted.
            warn: whether a damaged file is reported.

        Raises:
            StoreUnavailable: the file is there but can't be read.
        """
        import faiss
        import numpy as np

        try:
            data = self._read_current(_description(state, embedder))
            if data is None:
                return None
            return Snapshot(state, embedder, faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8)))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unusable(self._data, error) from error
        except (ValueError, RuntimeError) as error:
            if warn:
                _log.warning("The index file %s is damaged (%s); it is built again.", self._data, error)
            return None

    def _read_current(self, wanted: dict[str, Any]) -> bytes | None:
        if self._data.exists() and not os.access(self._data, os.R_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self._data))
        header = json.loads(self._header.read_text(encoding="utf-8"))
        if not isinstance(header, dict):
            raise ValueError("its header is no JSON object")
        if any(header.get(key) != value for key, value in wanted.items()):
            return None
        data = self._data.read_bytes()
        if len(data) != header.get("bytes"):
            raise ValueError(f"it has {len(data)} bytes instead of {header.get('bytes')}")
        if hashlib.sha256(data).hexdigest() != header.get("sha256"):
            raise ValueError("its checksum is wrong")
        return data

    def save(self, snapshot: Snapshot) -> None:
        """Write the index, then its header; a disk that is full or read-only only costs the next start time."""
        import faiss

        data = faiss.serialize_index(snapshot.faiss_index).tobytes()
        header = _description(snapshot.state, snapshot.embedder) | {
            "vectors": snapshot.size,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        try:
            for target, content in ((self._data, data), (self._header, json.dumps(header).encode("utf-8"))):
                building = target.with_name(target.name + ".new")
                building.write_bytes(content)
                replace_durably(building, target)
        except OSError as error:
            _log.warning("The index file %s can't be written (%s); searches go on without it.", self._data, error)


def _description(state: State, embedder: StoredEmbedder) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "counter": state.counter,
        "token": state.token,
        "embedder": embedder.fingerprint,
        "dimension": embedder.dimension,
    }


def _unusable(path: Path, error: OSError) -> StoreUnavailable:
    reason = error.strerror or str(error)
    return StoreUnavailable(
        f"The index file {path} can't be used: {reason}; make it readable and writable, or delete it."
    )
