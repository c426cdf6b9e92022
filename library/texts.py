"""What a template is found by: its texts, their hashes, and the byte form of their vectors."""

import hashlib
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from library.template import Template

Kind = Literal["name", "description", "example"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def key_of(template_id: int, kind: Kind) -> int:
    """Return the key that a template's vectors of one kind have in an index."""
    return template_id * len(KINDS) + KINDS.index(kind)


def owner(key: int) -> tuple[int, Kind]:
    """Return the template id and the kind of text that a key stands for."""
    return key // len(KINDS), KINDS[key % len(KINDS)]


class IndexedText(NamedTuple):
    """One text that leads to a template."""

    kind: Kind
    position: int
    text: str

    @property
    def hash(self) -> str:
        """Key of the text's vector."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()


def reference_text(name: str, tags: "Sequence[str]") -> str:
    """Return a name and its tags as one text; a plan's reference and a template's own are written alike."""
    return f"{name}; {', '.join(tags)}" if tags else name


def indexed_texts(template: "Template") -> tuple[IndexedText, ...]:
    """Return the texts under which a template is indexed: never a `probe` example."""
    about = f"{template.description}\n{template.scope}" if template.scope else template.description
    examples = (
        IndexedText("example", position, example.problem)
        for position, example in enumerate(template.examples)
        if example.role == "index"
    )
    return (
        IndexedText("name", 0, reference_text(template.name, template.tags)),
        IndexedText("description", 0, about),
        *examples,
    )


def to_bytes(vector: "npt.NDArray[np.float32]") -> bytes:
    """Return a vector as little-endian float32."""
    return vector.astype("<f4", copy=False).tobytes()


def to_matrix(blobs: "Iterable[bytes]", dimension: int) -> "npt.NDArray[np.float32]":
    """Return stored vectors as a matrix of shape (len(blobs), dimension)."""
    import numpy as np

    return np.frombuffer(b"".join(blobs), dtype="<f4").reshape(-1, dimension).astype(np.float32, copy=False)
