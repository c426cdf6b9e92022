"""Preference pairs (x, T⁺, T⁻) from rewards: which are kept, which are not and why, and how they are split.

A pair is kept if R⁺ − R⁻ reaches the gap, and enough problems of the X_sim that both were followed on decide between
the two, all of them for T⁺. Only problems whose outcome is known for both count.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from library.embedding import Embedder
from reasonflux.planner import open_plan_messages
from training.families import Member, families
from training.records import PreferenceRow, Turn
from training.reward import ProblemRewards, Scored
from training.rollout_settings import PairSettings
from training.structure import split

FEW_KNOWN = "too few outcomes known of both"
EQUAL = "equal rewards"
SMALL_GAP = "rewards too close"
FEW_DECIDED = "too few problems decide"
DIVIDED = "a problem favours the worse one"
SAME_TEXT = "both have the same text"
DUPLICATE = "it stands in the file already"
OVER_CAP = "more than are kept of a problem"
UNBALANCED = "dropped so that length does not tell which is chosen"
ALONE = "problems with fewer than two trajectories"


@dataclass(frozen=True)
class Judged:
    """Two trajectories of a problem compared: R of each on the problems known for both, and how many decide."""

    better: Scored
    worse: Scored
    high: float
    low: float
    decided: int


@dataclass
class Pairs:
    """The pairs that were kept, and what was dropped by reason."""

    train: list[PreferenceRow]
    held_out: list[PreferenceRow]
    dropped: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    problems: int = 0
    family_sizes: Counter[str] = field(default_factory=Counter)

    def document(self) -> dict[str, Any]:
        """Return the report as JSON values; lengths are in characters."""
        return {
            "problems": self.problems,
            "families": len(self.family_sizes),
            "largest_family": max(self.family_sizes.values(), default=0),
            "compared": self.compared,
            "kept": len(self.train) + len(self.held_out),
            "train": _described(self.train),
            "held_out": _described(self.held_out),
            "dropped": dict(sorted((+self.dropped).items())),
        }


def make_pairs(lines: Sequence[ProblemRewards], settings: PairSettings, embedder: Embedder | None) -> Pairs:
    """Return the pairs that rewards give, split by family.

    Args:
        lines: the rewards, a problem a line.
        settings: which pairs are kept.
        embedder: finds problems that are alike; without one, only templates and wording tell.
    """
    members = [Member(line.problem_id, line.problem, line.template) for line in lines]
    names = families(members, embedder, alike=settings.alike)
    made = Pairs([], [], problems=len(lines), family_sizes=Counter(names))
    rows: dict[str, PreferenceRow] = {}
    for line, family in zip(lines, names, strict=True):
        kept = _kept(line, settings, made)
        for judged in kept:
            row = _row(line, judged, family)
            if row.id in rows:
                made.dropped[DUPLICATE] += 1
            rows.setdefault(row.id, row)
    train, held_out = split(list(rows.values()), lambda row: row.family, held_out=settings.held_out, seed=settings.seed)
    made.train, made.held_out = balanced(train, settings), balanced(held_out, settings)
    made.dropped[UNBALANCED] += len(rows) - len(made.train) - len(made.held_out)
    return made


def compare(one: Scored, other: Scored, settings: PairSettings) -> Judged | str:
    """Return which of two trajectories is better and by how much, or why that can't be said."""
    both = [
        (first.correct, second.correct)
        for first, second in zip(one.marks, other.marks, strict=True)
        if first.correct is not None and second.correct is not None
    ]
    if len(both) < settings.decided:
        return FEW_KNOWN
    for_one = sum(first and not second for first, second in both)
    for_other = sum(second and not first for first, second in both)
    if for_one == for_other:
        return EQUAL
    better, worse = (one, other) if for_one > for_other else (other, one)
    if abs(for_one - for_other) / len(both) < settings.gap:
        return SMALL_GAP
    if for_one + for_other < settings.decided:
        return FEW_DECIDED
    if min(for_one, for_other) > 0:
        return DIVIDED
    if better.sampled.text == worse.sampled.text:
        return SAME_TEXT
    means = [sum(bool(pair[side]) for pair in both) / len(both) for side in (0, 1)]
    return Judged(better, worse, max(means), min(means), for_one + for_other)


def balanced(rows: Sequence[PreferenceRow], settings: PairSettings) -> list[PreferenceRow]:
    """Return rows without those that make the chosen text tellable by its length, in their order.

    Of the kind that is too many, pairs with the largest difference go first. No more than a set share goes: few pairs
    that lean are worth more than hardly any.
    """
    longer = [row for row in rows if _excess(row) > 0]
    shorter = [row for row in rows if _excess(row) < 0]
    many, few = (longer, shorter) if len(longer) > len(shorter) else (shorter, longer)
    most_dropped = int(settings.balance_cost * len(rows))
    going = sorted(many, key=lambda row: (-abs(_excess(row)), row.id))
    dropped: set[str] = set()
    while len(dropped) < most_dropped:
        left = len(many) - len(dropped)
        if left <= (0.5 + settings.balance) * (left + len(few)):
            break
        dropped.add(going[len(dropped)].id)
    return [row for row in rows if row.id not in dropped]


def _kept(line: ProblemRewards, settings: PairSettings, made: Pairs) -> list[Judged]:
    if len(line.scored) < 2:
        made.dropped[ALONE] += 1
    found = []
    for one, other in combinations(line.scored, 2):
        made.compared += 1
        judged = compare(one, other, settings)
        if isinstance(judged, str):
            made.dropped[judged] += 1
        else:
            found.append(judged)
    found.sort(key=_rank)
    made.dropped[OVER_CAP] += len(found[settings.per_problem :])
    return found[: settings.per_problem]


def _rank(judged: Judged) -> tuple[float, int, int, str, str]:
    """Return what pairs of a problem are ordered by: the clearest first, among equals those of like length."""
    better, worse = judged.better.sampled.text, judged.worse.sampled.text
    return (judged.low - judged.high, -judged.decided, abs(len(better) - len(worse)), better, worse)


def _row(line: ProblemRewards, judged: Judged, family: str) -> PreferenceRow:
    return PreferenceRow(
        prompt=tuple(Turn(role=said.role, content=said.content) for said in open_plan_messages(line.problem)),
        chosen=(Turn(role="assistant", content=judged.better.sampled.text),),
        rejected=(Turn(role="assistant", content=judged.worse.sampled.text),),
        problem_id=line.problem_id,
        family=family,
        reward_chosen=judged.high,
        reward_rejected=judged.low,
        decided=judged.decided,
    )


def _excess(row: PreferenceRow) -> int:
    return len(row.chosen[0].content) - len(row.rejected[0].content)


def _described(rows: Sequence[PreferenceRow]) -> dict[str, Any]:
    number = len(rows)
    return {
        "pairs": number,
        "problems": len({row.problem_id for row in rows}),
        "families": len({row.family for row in rows}),
        "chosen_longer": sum(_excess(row) > 0 for row in rows),
        "chosen_shorter": sum(_excess(row) < 0 for row in rows),
        "mean_length_chosen": sum(len(row.chosen[0].content) for row in rows) / number if number else None,
        "mean_length_rejected": sum(len(row.rejected[0].content) for row in rows) / number if number else None,
    }
