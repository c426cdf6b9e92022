"""From a query to ranked templates: filter in SQL, compare vectors and words, pool per template.

A template's score is the best inner product among its indexed texts, so a plan's reference finds it by name and
a raw problem by description or example. `search` and `by_reference` go by that score alone; `find` ranks by how near
all kinds of text are, fuses that with BM25, and says whether anything found is good enough.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from library.embedding import Embedder, embed_all
from library.errors import LibraryError
from library.hybrid import DECIMALS, Near, Nearby, rank
from library.index import Snapshot, TemplateIndex
from library.query_text import searched_text
from library.ranking import DEPTH, SHARES, Found, Mode
from library.reading import Filter, Reader, StoredEmbedder
from library.remembered import Remembered
from library.store import Library
from library.template import Status, Template
from library.texts import KINDS, Kind, reference_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_OVERSAMPLING = 10


class Hit(NamedTuple):
    """A template found, with its score (cosine, rounded to 6 decimals) and what of it matched best."""

    slug: str
    name: str
    score: float
    rank: int
    matched: Kind


class TemplateSearch:
    """Searches one library with one embedder. Thread-safe; always answers from the newest committed state."""

    def __init__(self, library: Library, embedder: Embedder | None) -> None:
        """Take a library and what its vectors come from; without that, `find` by words alone is all there is."""
        self._library = library
        self._given = embedder
        self._index = TemplateIndex(library)
        self._remembered: Remembered | None = None

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        field: str | None = None,
        topic: str | None = None,
        tags: Sequence[str] | None = None,
        status: Status | None = "active",
    ) -> list[Hit]:
        """Return the `k` templates nearest to `query`, best first; ties go by slug.

        Args:
            query: any text: a problem, a name, a description.
            k: how many, at least 1.
            field: only templates of this field.
            topic: only templates of this topic.
            tags: only templates that carry all of these.
            status: only templates of this status; None means any.

        Raises:
            LibraryError: the query is empty or `k` is below 1.
            EmbedderMismatch: the library's vectors come from another embedder.
            StoreUnavailable: database or index can't be read.
        """
        wanted = Filter(field, topic, tuple(tags or ()), status)
        text = _checked(query, k)
        with self._library.reading() as reader:
            remembered = self._remembered_of(reader)
            vector = self._vector(reader, remembered, text)
            pooled = self._pooled(reader, remembered, vector, k, wanted, by="score").best
            named = remembered.cards(reader, [near.template_id for near in pooled])
        ranked = sorted(
            ((named[near.template_id], near.score, near.kind) for near in pooled),
            key=lambda item: (-item[1], item[0].slug),
        )
        return [
            Hit(card.slug, card.name, score, place, kind)
            for place, (card, score, kind) in enumerate(ranked[:k], start=1)
        ]

    def find(
        self,
        query: str,
        k: int = 10,
        *,
        mode: Mode = "hybrid",
        field: str | None = None,
        topic: str | None = None,
        tags: Sequence[str] | None = None,
        status: Status | None = "active",
        vector: "npt.NDArray[np.float32] | None" = None,
    ) -> Found:
        """Return the `k` best templates by meaning, by words or by both, with every part of their scores.

        Args:
            query: any text: a problem, a name, some words. No character has a special meaning.
            k: how many, at least 1.
            mode: `dense` ranks by vectors, `bm25` by words, `hybrid` fuses both.
            field: only templates of this field.
            topic: only templates of this topic.
            tags: only templates that carry all of these.
            status: only templates of this status; None means any.
            vector: the unit vector of the query's `searched_text`, where it is at hand.

        Raises:
            LibraryError: the query is empty, `k` is below 1, or vectors are wanted and there is no embedder.
            EmbedderMismatch: the library's vectors come from another embedder.
            StoreUnavailable: database or index can't be read.
        """
        text = _checked(query, k)
        wanted = Filter(field, topic, tuple(tags or ()), status)
        with self._library.reading() as reader:
            remembered, nearby = self._remembered_of(reader), None
            if mode != "bm25":
                if vector is None:
                    vector = self._vector(reader, remembered, text)
                nearby = self._pooled(reader, remembered, vector, max(k, DEPTH), wanted, by="closeness")
                # Where all templates pass the filter, asking it of every row would only cost time.
                wanted = Filter(status=None) if remembered.among(reader, wanted) is None else wanted
            return Found(rank(reader, remembered, text, k, wanted, mode=mode, nearby=nearby))

    def by_reference(
        self, name: str, tags: Sequence[str] = (), k: int = 3, *, status: Status | None = "active"
    ) -> list[Hit]:
        """Return the templates nearest to what a plan says of the one it wants.

        A template of exactly this name (under the rule of name identity) or slug comes first, with score 1.

        Raises:
            LibraryError: the name is empty or `k` is below 1.
            EmbedderMismatch: the library's vectors come from another embedder.
            StoreUnavailable: database or index can't be read.
        """
        if not name.strip():
            raise LibraryError("The template's name is empty; say which template is wanted.")
        exact = self._exact(name, status)
        found = self.search(reference_text(name, tags), k, status=status)
        rest = [hit for hit in found if exact is None or hit.slug != exact.slug]
        hits = [exact, *rest][:k] if exact is not None else rest
        return [hit._replace(rank=rank) for rank, hit in enumerate(hits, start=1)]

    def get(self, slug: str) -> Template:
        """Return a template by slug or name.

        Raises:
            TemplateNotFound: there is none; the message lists near matches.
        """
        return self._library.get(slug).template

    def digest(self) -> str:
        """Return a hash over the content of all active templates, which runs record."""
        return self._library.digest()

    def _exact(self, name: str, status: Status | None) -> Hit | None:
        with self._library.reading() as reader:
            found = reader.find(name)
            if found is None:
                return None
            stored = reader.load([found])[0]
        if status is not None and stored.template.status != status:
            return None
        return Hit(stored.slug, stored.template.name, 1.0, 1, "name")

    @property
    def _embedder(self) -> Embedder:
        if self._given is None:
            raise LibraryError("This search needs an embedder; search by words alone, or give one.")
        return self._given

    @property
    def _identity(self) -> StoredEmbedder:
        return StoredEmbedder(self._embedder.fingerprint, self._embedder.dimension)

    def _vector(self, reader: Reader, remembered: Remembered, text: str) -> "npt.NDArray[np.float32]":
        self._library.require_same(remembered.embedder(reader), self._identity)
        vector: npt.NDArray[np.float32] = embed_all(self._embedder, [text])[0]
        return vector

    def _remembered_of(self, reader: Reader) -> Remembered:
        remembered, state = self._remembered, reader.state()
        if remembered is None or remembered.state != state:
            remembered = self._remembered = Remembered(state)
        return remembered

    def _pooled(
        self,
        reader: Reader,
        remembered: Remembered,
        vector: "npt.NDArray[np.float32]",
        k: int,
        wanted: Filter,
        *,
        by: Literal["score", "closeness"],
    ) -> Nearby:
        snapshot = self._index.current(reader, self._identity)
        return _pool(snapshot, vector, k, remembered.among(reader, wanted), by)


def _checked(query: str, k: int) -> str:
    """Return the part of a query that is looked at, as text that every part of the search takes."""
    if not query.strip():
        raise LibraryError("The search text is empty; say what kind of template is wanted.")
    if k < 1:
        raise LibraryError(f"The number of results must be at least 1, not {k}.")
    return searched_text(query)


def search(
    library: Library,
    embedder: Embedder,
    query: str,
    *,
    k: int = 10,
    field: str | None = None,
    tags: Sequence[str] | None = None,
    status: Status | None = "active",
) -> list[Hit]:
    """Search once; `TemplateSearch` keeps the index for the next time. See `TemplateSearch.search`."""
    return TemplateSearch(library, embedder).search(query, k, field=field, tags=tags, status=status)


def _pool(
    snapshot: Snapshot,
    vector: "npt.NDArray[np.float32]",
    k: int,
    among: "npt.NDArray[np.int64] | None",
    by: Literal["score", "closeness"],
) -> Nearby:
    """Return the `k` best templates by one of the two measures, with all that tie with the last of them."""
    import numpy as np

    shares = np.array([SHARES[kind] for kind in KINDS], dtype=np.float64)
    count = k * _OVERSAMPLING
    while True:
        scores, keys = snapshot.nearest_keys(vector, count, among)
        if not len(keys):
            return Nearby(vector, snapshot.embedder, [], keys, np.empty(0), keys)
        last = float(scores[-1])
        # Best first, so that the first vector of a template is its best, and so is the first of each kind.
        templates, first, place = np.unique(keys // len(KINDS), return_index=True, return_inverse=True)
        best = np.asarray(np.round(scores[first].astype(np.float64), DECIMALS), dtype=np.float64)
        exhausted = count >= snapshot.size or len(keys) < count
        if exhausted or (len(best) >= k and round(last, DECIMALS) < np.partition(best, -k)[-k]):
            break
        count *= _OVERSAMPLING
    near = np.full((len(templates), len(KINDS)), last)
    np.maximum.at(near, (place, keys % len(KINDS)), scores)
    closeness = np.round(near @ shares, DECIMALS)
    measure = closeness if by == "closeness" else best
    kept = np.flatnonzero(measure >= np.partition(measure, -k)[-k]) if len(measure) > k else np.arange(len(measure))
    kinds = keys[first] % len(KINDS)
    columns = (templates[kept].tolist(), best[kept].tolist(), kinds[kept].tolist(), closeness[kept].tolist())
    nearest = [Near(key, score, KINDS[kind], close) for key, score, kind, close in zip(*columns, strict=True)]
    return Nearby(vector, snapshot.embedder, nearest, templates, best, kinds)
