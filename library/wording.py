"""Texts as words: how long a text is, how alike two texts are, and which of many are alike.

Word lists are compared, not characters: two English texts about different things share most of their letters.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W_]+")
_SHINGLE = 3
_COMMON_SHINGLE = 20


def words(text: str) -> list[str]:
    """Return the words of a text, casefolded; a script written without spaces gives its characters."""
    return _WORD.findall(text.casefold())


def same_order(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how much of two word lists stands in both in the same order, from 0 to 1."""
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(one, other)) if one or other else 1.0


def shared_words(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how many words two word lists share, whatever their order, from 0 to 1."""
    return same_order(sorted(one), sorted(other))


def overlapping(texts: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of word lists worth comparing: those with a row of three words that few others have.

    The number of pairs grows with the number of texts, not with its square. Each pair comes once, smaller first.
    """
    holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for position, text in enumerate(texts):
        rows = {tuple(text[at : at + _SHINGLE]) for at in range(max(1, len(text) - _SHINGLE + 1))}
        for row in rows:
            holders[row].append(position)
    seen: set[tuple[int, int]] = set()
    for positions in holders.values():
        if len(positions) <= _COMMON_SHINGLE:
            seen.update(combinations(positions, 2))
    yield from sorted(seen)
