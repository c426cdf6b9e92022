"""A FAISS index over all vectors of one state, exact or approximate, that answers without being changed.

It may lie in a mapped file. What changed after its state is laid over it, see `library.index_overlay`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from library.texts import KINDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Found = tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]

_HALF = 0.5


class Approximation(NamedTuple):
    """How an approximate index searches, and the recall@10 that this reached against exact search when it was built."""

    lists: int
    probes: int
    recall: float
    sample: int


@dataclass(frozen=True, slots=True)
class Packed:
    """A FAISS index that answers with keys; `buffer` is the memory it reads from, None where it owns it."""

    index: Any
    templates: int
    approximation: Approximation | None = None
    buffer: Any = None

    @property
    def size(self) -> int:
        """Number of vectors."""
        return int(self.index.ntotal)

    def nearest(
        self,
        query: "npt.NDArray[np.float32]",
        count: int,
        *,
        allowed: "npt.NDArray[np.int64] | None",
        excluded: Collection[int],
    ) -> "Found":
        """Return scores (inner products) and keys of the best vectors, best first.

        Args:
            query: a unit vector.
            count: how many vectors are wanted.
            allowed: ids of the templates to look among, None for all.
            excluded: ids of templates to leave out.
        """
        if self.approximation is None:
            return self._search(query, count, _selector(allowed, excluded))
        lists, probes, _, _ = self.approximation
        if allowed is not None and len(allowed) < _HALF * self.templates:
            # What a filter leaves may all lie far from the query, where the probes never look.
            return self._search(query, count, _selector(allowed, excluded), lists)
        chosen = _selector(allowed, excluded)
        scores, keys = self._search(query, count, chosen, probes if allowed is None else min(2 * probes, lists))
        if len(keys) < count and probes < lists:
            return self._search(query, count, chosen, lists)
        return scores, keys

    def _search(
        self, query: "npt.NDArray[np.float32]", count: int, chosen: "_Selector | None", probes: int | None = None
    ) -> "Found":
        import faiss

        selected = {} if chosen is None else {"sel": chosen.selector}
        if probes is not None:
            parameters = faiss.SearchParametersIVF(nprobe=probes, **selected)
        else:
            parameters = faiss.SearchParameters(**selected)
        scores, keys = self.index.search(query.reshape(1, -1), count, params=parameters)
        found = keys[0] >= 0
        return scores[0][found], keys[0][found]


@dataclass(frozen=True, slots=True)
class _Selector:
    """A FAISS selector with what it points to, which must outlive the search."""

    selector: Any
    parts: tuple[Any, ...]


def _selector(allowed: "npt.NDArray[np.int64] | None", excluded: Collection[int]) -> _Selector | None:
    import faiss
    import numpy as np

    left_out = np.fromiter(excluded, dtype=np.int64, count=len(excluded))
    if allowed is None and not excluded:
        return None
    if allowed is None:
        bits = _bits(left_out)
        inner = faiss.IDSelectorBitmap(bits)
        return _Selector(faiss.IDSelectorNot(inner), (inner, bits))
    bits = _bits(allowed[~np.isin(allowed, left_out)])
    return _Selector(faiss.IDSelectorBitmap(bits), (bits,))


def _bits(templates: "npt.NDArray[np.int64]") -> "npt.NDArray[np.uint8]":
    """Return one bit a key, set for every key of these templates; ids are given in sequence, so that few are unused."""
    import numpy as np

    mask = np.zeros((int(templates.max(initial=0)) + 1, len(KINDS)), dtype=bool)
    mask[templates] = True
    return np.packbits(mask.ravel(), bitorder="little")
