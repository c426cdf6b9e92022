"""Finding templates that say the same: near by their stored vectors, and alike in the words they use.

A pair counts where both measures agree. Between any two of the seed templates the vectors come to 0.71 at most and
the words to 0.46, and no pair passes both thresholds. A template with a few words changed comes to 0.96 and 0.90, ones
told in other words to 0.69 to 0.80 and 0.32 to 0.58, so that a thorough rewording may stay below.
Neighbours are looked up in the index, so that the work grows with the number of templates, not with its square.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from library import index_rows
from library.index import Snapshot, TemplateIndex
from library.lint_collection import method_words
from library.reading import Filter, Reader, StoredEmbedder, StoredTemplate
from library.texts import Kind
from library.wording import shared_words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from library.store import Library, Progress

    Vector = npt.NDArray[np.float32]

MIN_VECTORS = 0.7
"""Least mean of the cosines of name and tags, and of description and scope."""

MIN_WORDS = 0.4
"""Least share of the words of description and steps that two templates have in common."""

MAX_NEIGHBOURS = 1024
"""Most neighbours looked at for one text: in a larger heap of copies each is still tied to many others."""

_COMPARED: tuple[Kind, Kind] = ("name", "description")
_FIRST_NEIGHBOURS = 16
_CHUNK = 200
_ROUNDING = 1e-5


@dataclass(frozen=True, slots=True)
class Pair:
    """Two templates, by slug, with how near their vectors are and how alike their words, both from 0 to 1."""

    one: str
    other: str
    vectors: float
    words: float


@dataclass(frozen=True, slots=True)
class Group:
    """Templates that hang together by pairs, the one to keep first: it has the most examples, or is the oldest."""

    members: Sequence[StoredTemplate]
    pairs: Sequence[Pair]


def near_duplicates(
    library: "Library",
    *,
    min_vectors: float = MIN_VECTORS,
    min_words: float = MIN_WORDS,
    progress: "Progress" = lambda done, total: None,
) -> list[Group]:
    """Return the groups of near-duplicates among the active and draft templates, largest first.

    No text is embedded: the vectors are those the library holds.

    Args:
        library: the library to look through.
        min_vectors: least nearness of vectors, above 0.
        min_words: least likeness of words, from 0 to 1.
        progress: called with how many templates were looked at, and of how many.

    Raises:
        StoreUnavailable: database or index can't be read.
    """
    index = TemplateIndex(library)
    with library.reading() as reader:
        embedder = reader.embedder()
        if embedder is None:
            return []
        ids = sorted(found for status in ("active", "draft") for found in reader.ids(Filter(status=status)))
        search = _Search(reader, embedder, index.current(reader, embedder), frozenset(ids))
        pairs: list[tuple[int, int, Pair]] = []
        for start in range(0, len(ids), _CHUNK):
            pairs += search.pairs(ids[start : start + _CHUNK], min_vectors, min_words)
            progress(min(start + _CHUNK, len(ids)), len(ids))
        return _groups(reader, pairs)


class _Search:
    """Looks for the near-duplicates of some templates at a time."""

    def __init__(self, reader: Reader, embedder: StoredEmbedder, snapshot: Snapshot, among: frozenset[int]) -> None:
        self._reader = reader
        self._embedder = embedder
        self._snapshot = snapshot
        self._among = among

    def pairs(self, ids: Sequence[int], min_vectors: float, min_words: float) -> Iterator[tuple[int, int, Pair]]:
        """Yield the pairs of one of `ids` and any other template; each pair comes once."""
        own = index_rows.by_kind(self._reader, self._embedder, ids)
        near = [(one, other) for one in ids for other in self._neighbours(one, own[one], min_vectors)]
        involved = sorted({found for pair in near for found in pair})
        stored = {item.id: item for item in self._reader.load(involved)}
        words = {found: method_words(item.template) for found, item in stored.items()}
        vectors = index_rows.by_kind(self._reader, self._embedder, involved)
        for one, other in near:
            cosine = sum(float(vectors[one][kind] @ vectors[other][kind]) for kind in _COMPARED) / len(_COMPARED)
            alike = shared_words(words[one], words[other])
            if cosine + _ROUNDING >= min_vectors and alike >= min_words:
                pair = Pair(stored[one].slug, stored[other].slug, round(cosine, 4), round(alike, 4))
                yield one, other, pair

    def _neighbours(self, template: int, vectors: dict[Kind, "Vector"], min_score: float) -> list[int]:
        """Return the templates with a higher id of which one vector is near enough: one of two is at least the mean."""
        found: set[int] = set()
        for kind in _COMPARED:
            count = _FIRST_NEIGHBOURS
            while True:
                hits = self._snapshot.nearest(vectors[kind], count)
                if len(hits) < count or hits[-1][0] < min_score - _ROUNDING or count >= MAX_NEIGHBOURS:
                    break
                count *= 4
            found |= {other for score, other, of in hits if of == kind and score >= min_score - _ROUNDING}
        return sorted(other for other in found & self._among if other > template)


def _groups(reader: Reader, pairs: Sequence[tuple[int, int, Pair]]) -> list[Group]:
    import networkx

    ties = networkx.Graph([(one, other, {"pair": pair}) for one, other, pair in pairs])
    stored = {item.id: item for item in reader.load(sorted(ties))}
    groups = []
    for ids in networkx.connected_components(ties):
        ranked = sorted((stored[found] for found in ids), key=lambda item: (-len(item.template.examples), item.id))
        tied = [pair for _, _, pair in ties.edges(ids, data="pair")]
        groups.append(Group(ranked, sorted(tied, key=lambda pair: (-pair.vectors, pair.one, pair.other))))
    return sorted(groups, key=lambda group: (-len(group.members), group.members[0].slug))
