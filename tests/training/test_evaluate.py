"""Planners compared: what counts as a valid plan, whose reward is taken, and what stands in the summary."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from reasonflux.grading import Grader
from reasonflux.models.base import Message, ModelInfo
from reasonflux.types import GradedProblem, Problem
from tests.reasonflux.reasoning import Talker, Templates, context
from training.comparison import summarised
from training.evaluate import Contender, PlanJudge, SameAnswer, SolveJudge, rewarded, rollouts_of
from training.evaluation_settings import EvaluationSettings
from training.outcomes import Outcome, outcome_key
from training.problems import TrainingProblem
from training.similar import SimilarProblem

OPEN, CLOSED = Contender("mine", "open"), Contender("mine", "closed")
SETTINGS = EvaluationSettings(plan_tokens=60, max_steps=2)


def plan(*names: str, **more: Any) -> str:
    steps = [{"template": name, "tags": ["a", "b"], "goal": "the sum"} | more for name in names]
    return json.dumps({"steps": steps})


def problem(number: int = 1, gold: str | None = "9", template: str | None = "method-a") -> TrainingProblem:
    graded = GradedProblem(problem=Problem(text=f"What is {number}+8?"), gold=gold, record_id=f"p{number}")
    return TrainingProblem(number, f"p{number}", graded, f"sha256:{number}", template)


def judged(reply: str | Callable[[str | None, list[Message]], str], who: Contender = OPEN) -> tuple[Any, Talker]:
    talker = Talker(reply if callable(reply) else lambda stage, messages: reply)
    row = PlanJudge(who, talker, Templates(), SETTINGS).judge(problem())
    return row, talker


def test_a_plan_that_can_be_read_and_matched_is_valid() -> None:
    row, talker = judged(plan("Method A", "Method C"))
    assert row["valid"] is True
    assert [step["template"] for step in row["steps"]] == ["method-a", "method-c"]
    assert row["origin"] == "proposed"
    assert row["trouble"] == ""
    # One call, greedy, and no schema to keep it in form.
    ((_, _, params),) = talker.calls
    assert params.temperature == 0
    assert params.json_schema is None
    assert params.max_tokens == 60
    assert "gold" not in json.dumps(row)


@pytest.mark.parametrize(
    ("reply", "trouble"),
    [
        ("I would add.", "It holds no JSON object"),
        (plan("Method A", "Method B", "Method C"), "It has N steps; at most N are allowed"),
        (plan("Method A", "Nothing like it"), "no template matches a step"),
        (plan("Method A", "none"), "a step names no template"),
        (plan("Method A") + " word" * 80, ""),
    ],
)
def test_what_makes_a_plan_invalid_is_told(reply: str, trouble: str) -> None:
    row, talker = judged(reply)
    assert row["valid"] is (trouble == "")
    assert row["trouble"] == trouble
    if trouble:
        # What is scored is then what `solve` would go by: drawn under the schema.
        assert talker.calls[1][2].json_schema is not None
    assert row["steps"]


def test_a_plan_without_end_is_cut_and_not_valid() -> None:
    row, _ = judged('{"steps": [' + " word" * 80)
    assert row["valid"] is False
    assert row["trouble"] == "It was cut"
    assert row["origin"] == "fallback"
    assert row["steps"] == [{"name": "", "tags": [], "goal": row["steps"][0]["goal"], "template": None}]


def test_a_plan_that_needs_repair_is_scored_and_not_valid() -> None:
    replies = iter(["nothing", "nothing again", plan("Method B")])
    row, _ = judged(lambda stage, messages: next(replies))
    assert row["valid"] is False
    assert row["origin"] == "repaired"
    assert row["steps"][0]["template"] == "method-b"


def test_without_a_stand_in_a_plan_that_is_not_valid_has_no_steps() -> None:
    talker = Talker(lambda stage, messages: plan("Method A", "Nothing like it"))
    row = PlanJudge(OPEN, talker, Templates(), SETTINGS, stand_in=False).judge(problem())
    assert row is not None
    assert row["valid"] is False
    assert row["steps"] == []
    assert len(talker.calls) == 1


def test_closed_planning_chooses_from_a_shortlist() -> None:
    row, talker = judged(plan("Method A"), CLOSED)
    assert row["valid"] is True
    assert "Method A" in talker.calls[0][1][-1].content
    assert judged(plan("Method Z"), CLOSED)[0]["valid"] is False


def test_a_stop_ends_before_the_model_is_asked() -> None:
    talker = Talker(lambda stage, messages: plan("Method A"))
    assert PlanJudge(OPEN, talker, Templates(), SETTINGS).judge(problem(), lambda: True) is None
    assert talker.calls == []


def test_a_row_is_followed_on_the_problems_like_its_own() -> None:
    row, _ = judged(plan("Method A", "Method B"))
    alike = (SimilarProblem(problem(2), "generators"), SimilarProblem(problem(3), "generators"))
    rollouts = rollouts_of(row, {"sha256:1": alike}, Templates())
    assert [item.graded.record_id for item in rollouts] == ["p2", "p3"]
    assert [held.name for held in rollouts[0].templates if held is not None] == ["Method A", "Method B"]
    info = ModelInfo(spec="m", backend="b")
    keys = [outcome_key(item.trajectory, item.templates, item.graded, info, SETTINGS) for item in rollouts]
    known = rewarded(row, [Outcome(keys[0], True), Outcome(keys[1], None, "time-out")])
    assert known["reward"] == 1.0
    assert [mark["correct"] for mark in known["outcomes"]] == [True, None]
    assert rewarded(row, [Outcome(keys[1], None, "time-out")])["reward"] is None


def test_following_a_stand_in_plan_needs_no_template() -> None:
    row, _ = judged("nothing")
    (rollout,) = rollouts_of(row, {"sha256:1": (SimilarProblem(problem(2), "generators"),)}, Templates())
    assert rollout.templates == (None,)


def test_solving_to_the_end_counts_tokens_and_grades() -> None:
    def reply(stage: str | None, messages: list[Message]) -> str:
        said = {"plan": plan("Method A"), "check": r"So \boxed{9}."}
        return said.get(stage or "", "```python\nanswer = sum([1, 8])\n```")

    with Grader() as grader:
        ready = replace(context(Talker(reply)), answers=SameAnswer(grader))
        judge = SolveJudge(OPEN, ready, grader)
        row = judge.judge(problem())
        assert row is not None
        assert row["correct"] is True
        assert row["tokens"] > 0
        rows = [judge.judge(problem(gold=gold)) for gold in (None, "10")]
        assert [row and row["correct"] for row in rows] == [None, False]
        assert judge.judge(problem(), lambda: True) is None


def row(planner: str, number: int, *, reward: float | None, valid: bool = True, right: bool = True) -> dict[str, Any]:
    return {
        "planner": planner, "mode": "open", "content_hash": f"sha256:{number}", "problem_id": f"p{number}",
        "template": "method-a", "valid": valid, "trouble": "" if valid else "It was cut", "origin": "proposed",
        "tokens": 30, "reward": reward,
        "steps": [{"template": "method-a" if right else "method-b"}, {"template": None}],
    }  # fmt: skip


def end(planner: str, number: int, *, correct: bool | None, tokens: int) -> dict[str, Any]:
    return {
        "planner": planner, "mode": "open", "content_hash": f"sha256:{number}", "problem_id": f"p{number}",
        "correct": correct, "tokens": tokens,
    }  # fmt: skip


def test_summary_compares_on_the_same_problems_alone() -> None:
    one, other = Contender("one", "open"), Contender("other", "open")
    rows = [row("one", number, reward=0.25, right=False, valid=number > 2) for number in range(10)]
    rows += [row("other", number, reward=0.75 if number else None) for number in range(10)]
    ends = [end("one", number, correct=number == 1, tokens=100) for number in range(4)]
    ends += [end("other", number, correct=None if number == 0 else True, tokens=80) for number in range(4)]
    summary = summarised([one, other], rows, ends, seed=0)
    assert summary["problems"] == 10
    first, second = summary["entries"]
    assert (first["valid_plans"], second["valid_plans"]) == (0.7, 1.0)
    assert first["invalid"] == {"It was cut": 3}
    assert (first["precision"], second["precision"]) == (0.0, 0.5)
    assert (first["found"], second["found"]) == (0.0, 1.0)
    assert (second["reward"], second["reward_problems"]) == (0.75, 9)
    assert (first["accuracy"], first["tokens"]) == (0.25, 100)
    assert second["solved_problems"] == 3
    (comparison,) = summary["comparisons"]
    assert (comparison["first"], comparison["second"]) == ("one/open", "other/open")
    assert (comparison["gain"], comparison["problems"]) == (0.5, 9)
    assert comparison["interval"] == [0.5, 0.5]
    assert comparison["accuracy_gain"] == pytest.approx(2 / 3)
    assert comparison["tokens_gain"] == -20
    json.dumps(summary, allow_nan=False)


def test_summary_of_plans_alone_has_no_rewards() -> None:
    rows = [row("one", 1, reward=None) | {"template": None}]
    (entry,) = summarised([Contender("one", "open")], rows, [], seed=0)["entries"]
    assert entry["reward"] is None
    assert entry["precision"] is None
    assert entry["accuracy"] is None
