"""A tiny deterministic embedder and small templates, so that tests of the library need no model."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from library.template import Example, Template


class HashingEmbedder:
    """Sums one fixed random direction for each word; counts the texts it was given."""

    def __init__(self, dimension: int = 16, name: str = "hashing") -> None:
        self._dimension = dimension
        self._name = name
        self.embedded = 0

    @property
    def fingerprint(self) -> str:
        return f"{self._name};dim={self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.embedded += len(texts)
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split() or [""]:
                seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
                vectors[row] += np.random.default_rng(seed).standard_normal(self._dimension).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def template(name: str, **changes: Any) -> Template:
    """Return a small template."""
    fields: dict[str, Any] = {
        "name": name,
        "tags": ("algebra", "roots"),
        "description": f"Describes {name}.",
        "scope": "When it fits.",
        "steps": ("Set up.", "Solve.", "Check."),
        "examples": (
            Example(problem=f"Shown problem of {name}", answer="7", program="print(7)", check="print(3 + 4)"),
            Example(problem=f"Kept back problem of {name}", answer="007", role="probe"),
        ),
        "field": "algebra",
        "topic": "polynomials",
        "author": "A. N. Author",
    }
    return Template(**(fields | changes))


def numbered(content: Sequence[tuple[str, str, str]]) -> list[Template]:
    """Return a template for each (name, description, field), tagged with its description; each fourth is a draft."""
    return [
        template(
            f"{name} {number}",
            tags=tuple(dict.fromkeys(about.split())),
            description=about,
            field=place,
            status="draft" if number % 4 == 3 else "active",
        )
        for number, (name, about, place) in enumerate(content)
    ]
