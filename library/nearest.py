"""Which templates of a library say what one template says: for one that is not stored yet, and for a stored one.

Likeness is measured as `dedupe` measures it: by the vectors of name and description, and by the words of the method.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from library import index_rows
from library.dedupe import MIN_VECTORS, MIN_WORDS
from library.embedding import Embedder, embed_all
from library.index import TemplateIndex
from library.lint_collection import method_words
from library.reading import Reader, StoredTemplate
from library.template import Template, name_key
from library.texts import Kind, indexed_texts
from library.wording import shared_words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from library.store import Library

    Vectors = Mapping[Kind, npt.NDArray[np.float32]]

_COMPARED: tuple[Kind, Kind] = ("name", "description")
_NEIGHBOURS = 64


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike a stored template is to another: vectors and words from 0 to 1.

    Attributes:
        same_name: whether both have one name under the rule of name identity.
    """

    slug: str
    name: str
    status: str
    vectors: float
    words: float
    same_name: bool = False

    @property
    def is_duplicate(self) -> bool:
        """Whether the two count as near-duplicates, or can't both be there."""
        return self.same_name or (self.vectors >= MIN_VECTORS and self.words >= MIN_WORDS)


class Neighbours:
    """Finds the templates of one library that are most like a given one."""

    def __init__(self, library: "Library") -> None:
        self._library = library
        self._index = TemplateIndex(library)

    def of_new(self, template: Template, embedder: Embedder, k: int = 3) -> list[Likeness]:
        """Return the active and draft templates most like one that is not stored, duplicates first.

        One that has its name comes first whatever its status.

        Raises:
            EmbedderMismatch: the library's vectors come from another embedder.
            StoreUnavailable: database or index can't be read.
        """
        self._library.require_embedder(embedder)
        texts = {text.kind: text.text for text in indexed_texts(template) if text.kind in _COMPARED}
        vectors = dict(zip(texts, embed_all(embedder, list(texts.values())), strict=True))
        with self._library.reading() as reader:
            return self._ranked(reader, template, vectors, None)[:k]

    def of_stored(self, stored: StoredTemplate, k: int = 3) -> list[Likeness]:
        """Return the other active and draft templates most like a stored one, duplicates first; embeds nothing.

        Raises:
            StoreUnavailable: database or index can't be read.
        """
        with self._library.reading() as reader:
            embedder = reader.embedder()
            if embedder is None:
                return []
            vectors = index_rows.by_kind(reader, embedder, [stored.id])[stored.id]
            return self._ranked(reader, stored.template, vectors, stored.id)[:k]

    def _ranked(self, reader: Reader, template: Template, vectors: "Vectors", own: int | None) -> list[Likeness]:
        embedder = reader.embedder()
        if embedder is None:
            return []
        snapshot = self._index.current(reader, embedder)
        near = {
            found
            for kind in _COMPARED
            if kind in vectors
            for _, found, of in snapshot.nearest(vectors[kind], _NEIGHBOURS)
            if of == kind
        }
        holder = reader.find_name(name_key(template.name))
        near |= {holder} if holder is not None else set()
        theirs = index_rows.by_kind(reader, embedder, sorted(near - {own}))
        words = method_words(template)
        alike = []
        for other in reader.load(sorted(near - {own})):
            if other.template.status == "retired" and other.id != holder:
                continue
            shared = [kind for kind in _COMPARED if kind in vectors and kind in theirs.get(other.id, {})]
            cosine = sum(float(vectors[kind] @ theirs[other.id][kind]) for kind in shared) / len(_COMPARED)
            alike.append(
                Likeness(
                    slug=other.slug,
                    name=other.template.name,
                    status=other.template.status,
                    vectors=round(cosine, 4),
                    words=round(shared_words(words, method_words(other.template)), 4),
                    same_name=other.id == holder,
                )
            )
        return sorted(alike, key=lambda item: (not item.same_name, not item.is_duplicate, -item.vectors, item.slug))
