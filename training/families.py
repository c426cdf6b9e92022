"""Families of problems: what is so alike that learning one of them tells of the other.

Two problems are of one family if they were drawn for the same template, differ in their numbers alone, or lie close by
embedding; families are what these ties connect. They are never divided between training and held-out.
"""

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from library.embedding import Embedder, embed_by_key
from training.problems import same_text

_NUMBER = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True)
class Member:
    """A problem as families see it; `template` is the slug it was drawn for, or None."""

    id: str
    text: str
    template: str | None = None


def families(members: Sequence[Member], embedder: Embedder | None, *, alike: float) -> list[str]:
    """Return the family of each problem: the least template slug or problem id among its members.

    Args:
        members: the problems.
        embedder: embeds their texts; without one, closeness is not looked at.
        alike: cosine similarity from which two are of one family.
    """
    import networkx

    ties = networkx.Graph()
    ties.add_nodes_from(range(len(members)))
    first: dict[Hashable, int] = {}
    for place, member in enumerate(members):
        ties.add_edges_from((place, first.setdefault(mark, place)) for mark in _marks(member))
    if embedder is not None and members:
        ties.add_edges_from(_close(members, embedder, alike))
    names: dict[int, str] = {}
    for family in networkx.connected_components(ties):
        name = min(members[place].template or members[place].id for place in family)
        names |= dict.fromkeys(family, name)
    return [names[place] for place in range(len(members))]


def _marks(member: Member) -> list[Hashable]:
    masked = _NUMBER.sub("#", same_text(member.text))
    return [("text", masked), *([("template", member.template)] if member.template is not None else [])]


def _close(members: Sequence[Member], embedder: Embedder, alike: float) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places whose texts lie close."""
    import numpy as np

    vectors = embed_by_key(embedder, {member.text: member.text for member in members})
    matrix = np.stack([vectors[member.text] for member in members])
    for place in range(1, len(members)):
        for other in np.nonzero(matrix[:place] @ matrix[place] >= alike)[0].tolist():
            yield place, other
