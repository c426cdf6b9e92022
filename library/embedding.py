"""Turning text into vectors: the protocol and the sentence-transformers implementation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Embedder(Protocol):
    """Embeds text. Implementations are thread-safe and return unit vectors."""

    @property
    def fingerprint(self) -> str:
        """Identity of the embedding space: model name, weights hash and settings that change vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> "npt.NDArray[np.float32]":
        """Return unit vectors of shape (len(texts), dimension)."""
        ...
