"""Putting together what vectors and words say of a query, with every part of each template's score."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from library.fulltext import FullText, WordQuery
from library.ranking import DENSE_WEIGHT, DEPTH, Mode, Ranked, fuse, is_good
from library.reading import Card, Filter, Reader, StoredEmbedder
from library.remembered import Remembered
from library.texts import KINDS, Kind, owner

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DECIMALS = 6
"""To how many decimals a cosine is rounded, so that equal texts score equal."""


class Near(NamedTuple):
    """What the vectors say of one template.

    Attributes:
        template_id: which.
        score: cosine of the best of its texts.
        kind: which kind of text that is.
        closeness: mean cosine of its kinds of text, weighted by `ranking.SHARES`; a kind whose texts are all farther
            than the vectors looked at counts as far as the last of these.
    """

    template_id: int
    score: float
    kind: Kind
    closeness: float


class Nearby(NamedTuple):
    """What the vectors say.

    Attributes:
        vector: the query's, of unit length.
        embedder: what it comes from.
        best: at least the `max(k, DEPTH)` nearest templates.
        templates: ids of all templates of which a vector was looked at, ascending.
        scores: for each of these, the cosine of the best of its texts.
        kinds: for each of these, which of `texts.KINDS` that text is.
    """

    vector: "npt.NDArray[np.float32]"
    embedder: StoredEmbedder
    best: Sequence[Near]
    templates: "npt.NDArray[np.int64]"
    scores: "npt.NDArray[np.float64]"
    kinds: "npt.NDArray[np.int64]"


def rank(
    reader: Reader,
    remembered: Remembered,
    text: str,
    k: int,
    wanted: Filter,
    *,
    mode: Mode,
    nearby: Nearby | None,
) -> list[Ranked]:
    """Return the `k` best templates, best first; ties go to the nearer one, then by slug.

    Args:
        reader: the state asked.
        remembered: what is known of that state.
        text: the query.
        k: how many, at least 1.
        wanted: which templates are looked among.
        mode: which rankings count.
        nearby: what the vectors say, None where only words count.
    """
    fulltext, depth = FullText(reader.connection), max(k, DEPTH)
    asked = fulltext.query(text, remembered.size(reader))
    bm25 = {} if mode == "dense" else {hit.template_id: hit.score for hit in fulltext.rank(asked, depth, wanted)}
    closeness = {near.template_id: near.closeness for near in nearby.best} if nearby is not None else {}
    cards = remembered.cards(reader, list(closeness.keys() | bm25.keys()))
    dense_places = _places(closeness, cards, depth)
    word_places = _places(bm25, cards, depth)
    fused = fuse([(dense_places, DENSE_WEIGHT), (word_places, 1.0)])
    order = sorted(fused, key=lambda key: (-fused[key], dense_places.get(key, depth + 1), cards[key].slug))[:k]
    cosines = _cosines(reader, nearby, order) if nearby is not None else {}
    words = remembered.words(reader, order)
    hits = []
    for place, key in enumerate(order, start=1):
        score, kind = cosines.get(key, (None, None))
        coverage = round(asked.coverage(words[key]), DECIMALS)
        hits.append(
            Ranked(
                slug=cards[key].slug,
                name=cards[key].name,
                rank=place,
                score=score,
                matched=kind,
                dense_rank=dense_places.get(key),
                bm25=bm25.get(key),
                bm25_rank=word_places.get(key),
                terms=_shared(asked, words[key]),
                coverage=coverage,
                fused=fused[key],
                good=is_good(score, coverage),
            )
        )
    return hits


def _places(scores: dict[int, float], cards: dict[int, Card], depth: int) -> dict[int, int]:
    order = sorted(scores, key=lambda key: (-scores[key], cards[key].slug))[:depth]
    return {key: place for place, key in enumerate(order, start=1)}


def _shared(asked: WordQuery, found: set[str]) -> tuple[str, ...]:
    rarest = sorted(asked.words, key=lambda word: word.templates)
    return tuple(word.text + "*" * word.prefix for word in rarest if word.occurs_in(found))


def _cosines(reader: Reader, nearby: Nearby, ids: Sequence[int]) -> dict[int, tuple[float, Kind]]:
    """Return cosine and kind of the best text of each of these templates."""
    import numpy as np

    places = np.searchsorted(nearby.templates, np.array(ids, dtype=np.int64)).tolist()
    found = {
        key: (float(nearby.scores[place]), KINDS[nearby.kinds[place]])
        for key, place in zip(ids, places, strict=True)
        if place < len(nearby.templates) and nearby.templates[place] == key
    }
    unseen = [key for key in ids if key not in found]
    if not unseen:
        return found
    keys, matrix = reader.vectors(nearby.embedder, unseen)
    for key, cosine in zip(keys.tolist(), np.round(matrix.astype(np.float64) @ nearby.vector, DECIMALS), strict=True):
        template_id, kind = owner(key)
        if template_id not in found or cosine > found[template_id][0]:
            found[template_id] = (float(cosine), kind)
    return found
