"""From a query to ranked templates: filter in SQL, compare vectors, pool per template.

A template's score is the best inner product among its indexed texts, so a plan's reference finds it by name and
a raw problem by description or example.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from library.embedding import Embedder
from library.errors import LibraryError
from library.index import Snapshot, TemplateIndex
from library.reading import Filter, Reader, StoredEmbedder
from library.store import Library
from library.template import Status, Template
from library.texts import Kind, reference_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_DECIMALS = 6
_OVERSAMPLING = 4


class Hit(NamedTuple):
    """A template found, with its score (cosine, rounded to 6 decimals) and what of it matched best."""

    slug: str
    name: str
    score: float
    rank: int
    matched: Kind


class TemplateSearch:
    """Searches one library with one embedder. Thread-safe; always answers from the newest committed state."""

    def __init__(self, library: Library, embedder: Embedder) -> None:
        self._library = library
        self._embedder = embedder
        self._index = TemplateIndex(library)

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
        if not query.strip():
            raise LibraryError("The search text is empty; say what kind of template is wanted.")
        if k < 1:
            raise LibraryError(f"The number of results must be at least 1, not {k}.")
        wanted = Filter(field, topic, tuple(tags or ()), status)
        self._library.require_embedder(self._embedder)
        vector = self._embedder.embed([query.encode("utf-8", "replace").decode("utf-8")])[0]
        with self._library.reading() as reader:
            return self._nearest(reader, vector, k, wanted)

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

    def _nearest(self, reader: Reader, vector: "npt.NDArray[np.float32]", k: int, wanted: Filter) -> list[Hit]:
        import numpy as np

        identity = StoredEmbedder(self._embedder.fingerprint, self._embedder.dimension)
        snapshot = self._index.current(reader, identity)
        among = None
        if reader.count(wanted) != reader.count(Filter(status=None)):
            among = np.array(reader.ids(wanted), dtype=np.int64)
        best = _pool(snapshot, vector, k, among)
        cards = reader.cards([template_id for template_id, _, _ in best])
        ranked = sorted(
            ((cards[template_id], score, kind) for template_id, score, kind in best),
            key=lambda item: (-item[1], item[0].slug),
        )
        return [
            Hit(card.slug, card.name, score, rank, kind) for rank, (card, score, kind) in enumerate(ranked[:k], start=1)
        ]


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
    snapshot: Snapshot, vector: "npt.NDArray[np.float32]", k: int, among: "npt.NDArray[np.int64] | None"
) -> list[tuple[int, float, Kind]]:
    """Return at least the `k` best templates, with all that tie with the last of them."""
    count = k * _OVERSAMPLING
    while True:
        found = snapshot.nearest(vector, count, among)
        pooled: dict[int, tuple[float, Kind]] = {}
        for score, template_id, kind in found:
            pooled.setdefault(template_id, (round(score, _DECIMALS), kind))
        exhausted = count >= snapshot.size or len(found) < count
        if exhausted or _is_settled(sorted((score for score, _ in pooled.values()), reverse=True), k, found[-1][0]):
            return [(template_id, score, kind) for template_id, (score, kind) in pooled.items()]
        count *= _OVERSAMPLING


def _is_settled(scores: list[float], k: int, last: float) -> bool:
    """Whether no vector beyond the last one seen could still reach or tie with the k-th template."""
    return len(scores) >= k and round(last, _DECIMALS) < scores[k - 1]
