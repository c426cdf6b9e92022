"""From two rankings to one, and whether what stands in it is good enough.

Reciprocal rank fusion: Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual
rank learning methods", SIGIR 2009. It needs no scale on which a cosine and a BM25 score could be compared.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from library.texts import Kind

Mode = Literal["hybrid", "dense", "bm25"]

RRF_K = 5
"""The constant of the fusion. Its authors use 60 with rankings of a thousand; with 500 templates the first places have
to count for more."""
DENSE_WEIGHT = 1.25
"""How much a place by meaning counts in the fusion, where one by words counts 1. Templates and their probes come from
one hand and share its words, so that the probes would have it below 1. Of 132 problems of another origin, for which a
reader named the templates that apply, words find one among the first five for 55 %, meaning for 72 %, both for 73 %;
with a weight of 1 for 70 %. More than 1.25 adds nothing there and loses much with the probes."""
SHARES: Mapping[Kind, float] = {"name": 0.15, "description": 0.5, "example": 0.35}
"""How much each kind of text counts when a template is ranked by meaning. A problem is nearest to another problem in
the story it tells, so that a template's nearest text alone says less than all of them together."""
DEPTH = 100
"""How many templates of each ranking are fused, at least."""

CLOSE = 0.32
"""Cosine from which a template is a good match, set with all-MiniLM-L6-v2 on the probe problems of 40 seed templates
(best cosines 0.31 to 0.61) and on 55 queries of other fields or without sense (0.12 to 0.38, one above 0.31)."""
MOST_WORDS = 0.6
"""Part of a query's words, by weight, from which a template is a good match whatever its cosine, which says little of
languages the embedder does not know. Of the same 55 queries the best had 0.40."""


class Ranked(NamedTuple):
    """A template found, with every part of its score; a part that the search did not look at is None.

    Attributes:
        slug: identity of the template.
        name: its name.
        rank: its place, from 1.
        score: cosine of the best of its texts with the query, rounded to 6 decimals.
        matched: which kind of text that is.
        dense_rank: its place by meaning, that is by the mean cosine of its kinds of text; None also where it is not
            among the first 100.
        bm25: its BM25 score; more is better.
        bm25_rank: its place by BM25; None also where it has no word that was looked up.
        terms: words of the query that it has, rarest first.
        coverage: which part of the query's words, by weight, these are.
        fused: 1.25 / (5 + place by meaning) + 1 / (5 + place by words), without the part of a place that is None.
        good: whether it is a good match.
    """

    slug: str
    name: str
    rank: int
    score: float | None
    matched: Kind | None
    dense_rank: int | None
    bm25: float | None
    bm25_rank: int | None
    terms: tuple[str, ...]
    coverage: float
    fused: float
    good: bool


class Found(NamedTuple):
    """What a search came to: the nearest templates, and whether any of them is a good match."""

    nearest: list[Ranked]

    @property
    def good(self) -> bool:
        """Whether any of the templates is a good match."""
        return any(hit.good for hit in self.nearest)


def fuse(rankings: Sequence[tuple[Mapping[int, int], float]]) -> dict[int, float]:
    """Return the fused score of every id; each ranking, which maps ids to places from 1, comes with its weight."""
    fused: dict[int, float] = {}
    for ranking, weight in rankings:
        for key, place in ranking.items():
            fused[key] = fused.get(key, 0.0) + weight / (RRF_K + place)
    return fused


def is_good(score: float | None, coverage: float) -> bool:
    """Whether a template is a good match, by its cosine (None where unknown) and the words it shares."""
    return coverage >= MOST_WORDS or (score is not None and score >= CLOSE)
