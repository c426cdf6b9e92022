"""Planners compared: what each one's plans come to, and how two differ problem by problem.

Intervals are by bootstrap over problems; a comparison takes differences on the same problem, so that what makes a
problem hard for both does not widen it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from training.evaluate import Contender
from training.statistics import Estimate, clustered_mean

Rows = Mapping[str, Mapping[str, Any]]


def summarised(
    contenders: Sequence[Contender], rows: Sequence[Mapping[str, Any]], solved: Sequence[Mapping[str, Any]], seed: int
) -> dict[str, Any]:
    """Return what an evaluation comes to, as JSON values.

    Args:
        contenders: who was compared, the weakest first; each is compared with every later one.
        rows: a row a contender and problem, with `reward` where trajectories were scored.
        solved: a row a contender and problem that was solved to the end.
        seed: seed of the resampling.
    """
    plans = {who.key: _of(rows, who) for who in contenders}
    ends = {who.key: _of(solved, who) for who in contenders}
    return {
        "problems": len({row["problem_id"] for row in rows}),
        "entries": [_entry(who, plans[who.key], ends[who.key], seed) for who in contenders],
        "comparisons": [
            _comparison(one, other, plans, ends, seed)
            for place, one in enumerate(contenders)
            for other in contenders[place + 1 :]
        ],
    }


def _entry(who: Contender, rows: Rows, ends: Rows, seed: int) -> dict[str, Any]:
    reward = _mean({key: row.get("reward") for key, row in rows.items()}, seed)
    accuracy = _mean({key: _score(row["correct"]) for key, row in ends.items()}, seed)
    tokens = [row["tokens"] for row in ends.values()]
    accepted = [
        (step["template"] == row["template"], row["problem_id"])
        for row in rows.values()
        if row["template"] is not None
        for step in row["steps"]
    ]
    found = {problem for is_right, problem in accepted if is_right}
    return {
        "planner": who.name,
        "mode": who.mode,
        "plans": len(rows),
        "valid_plans": sum(row["valid"] for row in rows.values()) / len(rows) if rows else None,
        "invalid": _counted(row["trouble"] for row in rows.values() if not row["valid"]),
        "stand_ins": sum(row["origin"] == "fallback" for row in rows.values()),
        # Steps that use the template their problem was drawn for, and problems of which a step does.
        "precision": sum(is_right for is_right, _ in accepted) / len(accepted) if accepted else None,
        "found": len(found) / len({problem for _, problem in accepted}) if accepted else None,
        "plan_tokens": sum(row["tokens"] for row in rows.values()) / len(rows) if rows else None,
        "reward": reward.mean if reward else None,
        "reward_interval": _interval(reward),
        "reward_problems": reward.values if reward else 0,
        "accuracy": accuracy.mean if accuracy else None,
        "accuracy_interval": _interval(accuracy),
        "tokens": sum(tokens) / len(tokens) if tokens else None,
        "solved_problems": accuracy.values if accuracy else 0,
    }


def _comparison(
    one: Contender,
    other: Contender,
    plans: Mapping[str, Rows],
    ends: Mapping[str, Rows],
    seed: int,
) -> dict[str, Any]:
    """Compare two contenders on the problems that something is known of for both, problem by problem."""
    gain = _mean(_differences(plans[one.key], plans[other.key], lambda row: row.get("reward")), seed)
    solved = _mean(_differences(ends[one.key], ends[other.key], lambda row: _score(row["correct"])), seed)
    tokens = _mean(_differences(ends[one.key], ends[other.key], lambda row: float(row["tokens"])), seed)
    return {
        "first": one.key,
        "second": other.key,
        "gain": gain.mean if gain else None,
        "interval": _interval(gain),
        "problems": gain.values if gain else 0,
        "accuracy_gain": solved.mean if solved else None,
        "accuracy_interval": _interval(solved),
        "tokens_gain": tokens.mean if tokens else None,
        "tokens_interval": _interval(tokens),
        "solved_problems": solved.values if solved else 0,
    }


def _differences(first: Rows, second: Rows, of: Callable[[Mapping[str, Any]], float | None]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for key in first:
        if key in second:
            low, high = of(first[key]), of(second[key])
            found[key] = None if low is None or high is None else high - low
    return found


def _mean(values: Mapping[str, float | None], seed: int) -> Estimate | None:
    known = {key: value for key, value in values.items() if value is not None}
    return clustered_mean(list(known.values()), list(known), seed=seed) if known else None


def _interval(estimate: Estimate | None) -> list[float] | None:
    if estimate is None or estimate.low is None or estimate.high is None:
        return None
    return [estimate.low, estimate.high]


def _of(rows: Sequence[Mapping[str, Any]], who: Contender) -> dict[str, Mapping[str, Any]]:
    return {row["content_hash"]: row for row in rows if (row["planner"], row["mode"]) == (who.name, who.mode)}


def _score(correct: bool | None) -> float | None:
    return None if correct is None else float(correct)


def _counted(reasons: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for reason in reasons:
        counts[reason] = counts.get(reason, 0) + 1
    return dict(sorted(counts.items()))
