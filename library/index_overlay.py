"""What changed since a packed index was made: the templates it is no longer right about, and their vectors now."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from library.index_rows import VectorBatch
from library.texts import KINDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from library.index_packed import Found


@dataclass(frozen=True, slots=True)
class Overlay:
    """The vectors of changed templates, searched one by one.

    A template that was deleted is in `templates` and has no vectors.
    """

    templates: frozenset[int] = field(default_factory=frozenset)
    vectors: VectorBatch | None = None

    @property
    def size(self) -> int:
        """Number of vectors."""
        return 0 if self.vectors is None else len(self.vectors.keys)

    def changed(self, templates: frozenset[int], now: Iterable[VectorBatch]) -> "Overlay":
        """Return the overlay after a change of `templates`, whose vectors are `now`."""
        import numpy as np

        parts = list(now)
        if self.vectors is not None:
            kept = ~np.isin(self.vectors.keys // len(KINDS), np.array(sorted(templates), dtype=np.int64))
            parts.append(VectorBatch(self.vectors.keys[kept], self.vectors.matrix[kept]))
        if not parts:
            return Overlay(self.templates | templates)
        joined = VectorBatch(
            np.concatenate([part.keys for part in parts]), np.concatenate([part.matrix for part in parts])
        )
        return Overlay(self.templates | templates, joined)

    def nearest(self, query: "npt.NDArray[np.float32]", count: int, allowed: "npt.NDArray[np.int64] | None") -> "Found":
        """Return scores (inner products) and keys of the `count` best vectors, best first.

        Args:
            query: a unit vector.
            count: how many vectors are wanted.
            allowed: ids of the templates to look among, None for all.
        """
        import numpy as np

        if self.vectors is None:
            return np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int64)
        keys, scores = self.vectors.keys, self.vectors.matrix @ query
        if allowed is not None:
            among = np.isin(keys // len(KINDS), allowed)
            keys, scores = keys[among], scores[among]
        best = np.argsort(-scores, kind="stable")[:count]
        return scores[best], keys[best]
