import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.assess import derive, judge, judge_schema, parse_judgement
from reasonflux.context import Conversation
from reasonflux.types import Assessment, StepResult
from tests.reasonflux.reasoning import PROBLEM, context, planned, prompts_of, scripted, verdict

VERDICTS = get_args(Assessment.model_fields["verdict"].annotation)
STEPS = [planned("Method A", "a first sum"), planned("Method B", "a second sum")]


def result_of(generator: Any) -> Any:
    while True:
        try:
            next(generator)
        except StopIteration as stop:
            return stop.value


@pytest.mark.parametrize("name", VERDICTS)
def test_every_verdict_is_read(name: str) -> None:
    assert parse_judgement(f"```json\n{json.dumps(verdict(name, 'it fits'))}\n```") == Assessment(
        verdict=name, reason="it fits"
    )


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "accept",
        "{}",
        '{"verdict": "perfect"}',
        '{"verdict": "ACCEPT!"}',
        '{"verdict": null}',
        '{"verdict": ["accept"]}',
        '{"verdict": {"accept": 1}}',
        '{"verdict": 1}',
        '{"reason": "fine"}',
        '{"verdict": "acc',
    ],
)
def test_what_is_no_verdict_is_unknown_with_a_cause(reply: str) -> None:
    assessment = parse_judgement(reply)
    assert assessment.verdict == "unknown"
    assert assessment.reason


@given(
    st.dictionaries(st.sampled_from(["verdict", "reason"]), st.none() | st.text() | st.lists(st.text()) | st.floats())
)
def test_no_judgement_raises(value: dict[str, Any]) -> None:
    assessment = parse_judgement(json.dumps(value))
    assert assessment.verdict in VERDICTS
    assert len(assessment.reason) < 320
    assert assessment.model_dump_json().encode()


def test_the_schema_allows_the_verdicts_asked_for() -> None:
    assert judge_schema(["accept", "redo"])["properties"]["verdict"]["enum"] == ["accept", "redo"]


def test_a_step_that_gave_nothing_is_redone_without_asking() -> None:
    model = scripted(judge=[verdict("accept")])
    result = StepResult(step=0, output="Traceback", how="nothing")
    assert result_of(judge(PROBLEM, STEPS, result, Conversation(context(model)))).verdict == "redo"
    assert model.requests == []


def test_a_step_is_judged_with_its_problem_goal_and_output() -> None:
    model = scripted(judge=[verdict("revise", "not a sum")])
    result = StepResult(step=0, output="S1 = 137. " + "x " * 15_000)
    assessment = result_of(judge(PROBLEM, STEPS, result, Conversation(context(model))))
    assert assessment == Assessment(verdict="revise", reason="not a sum")
    (prompt,) = prompts_of(model)
    assert PROBLEM.text in prompt
    assert "a first sum" in prompt
    assert "S1 = 137. x x" in prompt
    assert len(prompt) < 5_000
    assert model.requests[0].params.json_schema is not None


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (r"So it is \boxed{9}.", "9"),
        (r"<think>\boxed{5}</think>It is \boxed{9}", "9"),
        ("I do not know.", None),
        ("", None),
    ],
)
def test_the_independent_derivation_sees_neither_plan_nor_answer(reply: str, answer: str | None) -> None:
    model = scripted(check=[reply])
    assert result_of(derive(PROBLEM, Conversation(context(model)))) == answer
    (prompt,) = prompts_of(model)
    assert PROBLEM.text in prompt
    assert "a first sum" not in prompt
