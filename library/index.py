"""The FAISS index: a cache of the vectors that the database holds, in memory and in a file beside it.

The database is the truth. Whether the cache is current is one look at the change counter. Where it is not, the
history says what changed: few changes are laid over it, many or unknown ones, and a broken file, lead to an index
built again from stored vectors, by one process under a file lock. Nothing is embedded.
"""

import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from library import index_rows
from library.index_build import EXACT_LIMIT, build
from library.index_file import IndexFile
from library.index_overlay import Overlay
from library.index_packed import Packed
from library.reading import Reader, State, StoredEmbedder
from library.store import Library
from library.texts import Kind, owner

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_LEAST_CHANGES = 64
_CHANGED_SHARE = 50


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index of exactly one state of the library."""

    state: State
    embedder: StoredEmbedder
    packed: Packed
    overlay: Overlay

    @property
    def size(self) -> int:
        """Number of vectors, counting those of changed templates once more."""
        return self.packed.size + self.overlay.size

    def nearest(
        self, query: "npt.NDArray[np.float32]", count: int, templates: "npt.NDArray[np.int64] | None" = None
    ) -> list[tuple[float, int, Kind]]:
        """Return the `count` best vectors as (inner product, template id, kind), best first.

        Args:
            query: a unit vector.
            count: how many vectors are wanted.
            templates: ids of the templates to look among, None for all.
        """
        scores, keys = self.nearest_keys(query, count, templates)
        return [(score, *owner(key)) for score, key in zip(scores.tolist(), keys.tolist(), strict=True)]

    def nearest_keys(
        self, query: "npt.NDArray[np.float32]", count: int, templates: "npt.NDArray[np.int64] | None" = None
    ) -> "tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]":
        """Return inner products and keys (see `texts.key_of`) of the `count` best vectors, best first.

        Args:
            query: a unit vector.
            count: how many vectors are wanted.
            templates: ids of the templates to look among, None for all.
        """
        import numpy as np

        count = min(count, self.size)
        if count == 0:
            return np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int64)
        packed = self.packed.nearest(query, count, allowed=templates, excluded=self.overlay.templates)
        if self.overlay.size == 0:
            return packed
        laid_over = self.overlay.nearest(query, count, templates)
        scores = np.concatenate([packed[0], laid_over[0]])
        keys = np.concatenate([packed[1], laid_over[1]])
        best = np.argsort(-scores, kind="stable")[:count]
        return scores[best], keys[best]


class TemplateIndex:
    """Keeps a current snapshot of one library. Thread-safe."""

    def __init__(self, library: Library, *, exact_limit: int = EXACT_LIMIT) -> None:
        """Begin without a snapshot.

        Args:
            library: the library.
            exact_limit: above how many vectors the index is approximate.
        """
        self._library = library
        self._exact_limit = exact_limit
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._file = IndexFile(library.path)

    def current(self, reader: Reader, embedder: StoredEmbedder) -> Snapshot:
        """Return the index of the state that `reader` sees.

        Raises:
            StoreUnavailable: the cache file is there but can't be read, or the stored vectors are incomplete.
        """
        state = reader.state()
        with self._lock:
            self._snapshot = (
                _advanced(self._snapshot, reader, state, embedder)
                or self._loaded(reader, state, embedder)
                or self._rebuilt(reader, state, embedder)
            )
            return self._snapshot

    def from_file(self, reader: Reader, embedder: StoredEmbedder) -> Snapshot | None:
        """Return the index of the state that `reader` sees as far as it can be had without building, else None.

        Raises:
            StoreUnavailable: the cache file is there but can't be read.
        """
        return self._loaded(reader, reader.state(), embedder)

    def _loaded(self, reader: Reader, state: State, embedder: StoredEmbedder, *, warn: bool = False) -> Snapshot | None:
        try:
            header = self._file.header()
            if header is None or header.embedder != embedder:
                return None
            if index_rows.changed_since(reader, header.state, _allowed_changes(header.templates)) is None:
                return None
            packed = self._file.load(header)
        except ValueError as error:
            if warn:
                self._file.complain(error)
            return None
        if packed is None:
            return None
        return _advanced(Snapshot(header.state, embedder, packed, Overlay()), reader, state, embedder)

    def _rebuilt(self, reader: Reader, state: State, embedder: StoredEmbedder) -> Snapshot:
        with self._file.locked() as writable:
            loaded = self._loaded(reader, state, embedder, warn=True)
            if loaded is not None:
                return loaded
            packed = build(reader, embedder, exact_limit=self._exact_limit)
            if writable and not self._is_behind(state):
                packed = self._file.save(packed, state, embedder)
                if packed.buffer is not None:
                    _return_freed_memory()
            return Snapshot(state, embedder, packed, Overlay())

    def _is_behind(self, state: State) -> bool:
        """Whether the file is of a newer state of the same history, because this reader began long ago."""
        try:
            header = self._file.header()
        except ValueError:
            return False
        if header is None or header.state.counter <= state.counter:
            return False
        with self._library.reading() as newest:
            return index_rows.is_past(newest, header.state)


def _return_freed_memory() -> None:
    """Return to the system what a built index took: the C library would keep it, beside the file that is now mapped."""
    import ctypes

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _advanced(snapshot: Snapshot | None, reader: Reader, state: State, embedder: StoredEmbedder) -> Snapshot | None:
    """Return the snapshot brought to the state that `reader` sees, None where it must be built anew."""
    if snapshot is None or snapshot.embedder != embedder:
        return None
    if snapshot.state == state:
        return snapshot
    allowed = _allowed_changes(snapshot.packed.templates)
    changed = index_rows.changed_since(reader, snapshot.state, allowed)
    if changed is None or len(changed | snapshot.overlay.templates) > allowed:
        return None
    overlay = snapshot.overlay.changed(changed, index_rows.of_templates(reader, embedder, changed))
    return Snapshot(state, embedder, snapshot.packed, overlay)


def _allowed_changes(templates: int) -> int:
    """Return how many templates may have changed before packing them again pays."""
    return max(_LEAST_CHANGES, templates // _CHANGED_SHARE)
