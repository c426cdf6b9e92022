"""Worked problems, and the groups of similar ones that templates are made from.

A group is cut in two halves: a template is made from one and tried on the other, so no problem may stand in both.
Sizes are bounded from both sides, which general clustering does not do: each half needs a few problems, and a prompt
holds no more.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from library.template import content_hash, name_key
from reasonflux.errors import RecordError
from reasonflux.grading import Grader, self_check
from reasonflux.records import Record, RecordProblem

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MIN_GROUP = 4
"""Fewest problems of a group: two to make a template from, two to try it on."""

MIN_SIMILARITY = 0.25
"""Least cosine between a group's first problem and another of its problems."""

MAX_RECORDS = 20_000
"""Most problems grouped at once."""

MAX_CHARACTERS = 4_000
"""Longest problem or solution; a longer one is no example, and no prompt holds several."""

_MAX_ANSWER = 500
_BLOCK = 1_024


@dataclass(frozen=True, slots=True)
class Worked:
    """A problem with its solution and its answer."""

    id: str
    line: int
    problem: str
    solution: str
    answer: str
    grader: Literal["math", "text"]

    @property
    def hash(self) -> str:
        """Hash of what it says, tagged with its algorithm."""
        return content_hash([self.problem, self.solution, self.answer, self.grader])


@dataclass
class Gathered:
    """The worked problems of a file, and how many records were passed over, by reason."""

    worked: list[Worked] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def digest(self) -> str:
        """Hash of all worked problems in order, tagged with its algorithm."""
        return content_hash([worked.hash for worked in self.worked])


@dataclass(frozen=True, slots=True)
class Group:
    """Similar problems in two halves that share none.

    Attributes:
        number: place among the groups, from 1.
        making: what a template is made from.
        trying: what it is tried on.
    """

    number: int
    making: tuple[Worked, ...]
    trying: tuple[Worked, ...]

    @property
    def key(self) -> str:
        """Hash of the problems on either side, tagged with its algorithm."""
        return content_hash([[worked.hash for worked in half] for half in (self.making, self.trying)])


def gather(items: Iterable[Record | RecordProblem], grader: Grader) -> Gathered:
    """Return the records that can be learned from: with a solution, and an answer that grades itself right.

    A problem that comes again is taken once, whatever its spaces and case: it could stand in both halves of a group.

    Raises:
        RecordError: there are more than `MAX_RECORDS`.
    """
    gathered = Gathered()
    seen: set[str] = set()
    for item in items:
        reason = _unusable(item, grader, seen)
        if reason is not None or isinstance(item, RecordProblem):
            gathered.skipped[reason or "unreadable"] += 1
            continue
        graded = item.graded
        seen.add(name_key(graded.problem.text))
        gathered.worked.append(
            Worked(item.id, item.line, graded.problem.text, item.solution or "", graded.gold or "", graded.grader)
        )
        if len(gathered.worked) > MAX_RECORDS:
            raise RecordError(f"The file holds more than {MAX_RECORDS} worked problems; take fewer with --limit.")
    return gathered


def _unusable(item: Record | RecordProblem, grader: Grader, seen: set[str]) -> str | None:
    if isinstance(item, RecordProblem):
        return "unreadable"
    text, gold = item.graded.problem.text, item.graded.gold
    if gold is None:
        return "no answer"
    if item.solution is None:
        return "no solution"
    if max(len(text), len(item.solution)) > MAX_CHARACTERS or len(gold) > _MAX_ANSWER:
        return "too long"
    if name_key(text) in seen:
        return "seen before"
    return None if self_check(gold, grader, kind=item.graded.grader) else "answer can't be graded"


def grouped(
    worked: Sequence[Worked], vectors: "npt.NDArray[np.float32]", *, size: int, seed: int
) -> tuple[list[Group], list[Worked]]:
    """Return groups of up to `size` similar problems, and the problems that are in none.

    The problem with the nearest neighbours takes them first, then the next that is left. Deterministic.

    Args:
        worked: the problems.
        vectors: their unit vectors, of shape (len(worked), dimension).
        size: most problems of a group, at least `MIN_GROUP`.
        seed: which problems of a group go to which half.
    """
    import numpy as np

    free = np.ones(len(worked), dtype=bool)
    groups: list[Group] = []
    for row in _densest_first(vectors, size):
        if not free[row]:
            continue
        scores = np.round(vectors @ vectors[row], 4)
        scores[~free] = -2.0
        scores[row] = 2.0
        nearest = np.argsort(-scores, kind="stable")[:size]
        taken = [int(found) for found in nearest if scores[found] >= MIN_SIMILARITY]
        if len(taken) >= MIN_GROUP:
            free[taken] = False
            groups.append(_halved(len(groups) + 1, [worked[found] for found in taken], seed))
    return groups, [worked[int(left)] for left in np.flatnonzero(free)]


def _densest_first(vectors: "npt.NDArray[np.float32]", size: int) -> "npt.NDArray[np.int64]":
    """Return rows by the mean cosine with their nearest others; ties in order of the file."""
    import numpy as np

    count = min(size, len(vectors))
    density = np.zeros(len(vectors))
    for start in range(0, len(vectors), _BLOCK):
        scores = vectors[start : start + _BLOCK] @ vectors.T
        density[start : start + _BLOCK] = np.partition(scores, -count, axis=1)[:, -count:].mean(axis=1)
    return np.argsort(-np.round(density, 4), kind="stable")


def _halved(number: int, members: list[Worked], seed: int) -> Group:
    members = sorted(members, key=lambda worked: worked.hash)
    random.Random(f"{seed}:{members[0].hash}").shuffle(members)
    half = len(members) // 2
    return Group(number, tuple(members[:half]), tuple(members[half:]))
