"""Chain of thought against a server: what is shown, and what is graded, of replies with think tags in any shape."""

import json
from typing import Any

import pytest

from reasonflux.execution import execute
from reasonflux.grading import Grader
from reasonflux.models.openai import OpenAIModel
from reasonflux.reasoner import Reasoner
from reasonflux.strategies import STRATEGIES
from reasonflux.types import AnswerFound, Event, ModelCalled, PlanProposed, TokenDelta
from tests.reasonflux.reasoning import PROBE, PROBLEM, Talker, context, of, prompts_of, scripted, solution_of

SHAPES = [
    (r"<think>reason</think>It is \boxed{12}</think>", "stop", r"It is \boxed{12}", "12"),
    (r"<think>a<think>b</think>c</think>Answer: \boxed{4}", "stop", r"Answer: \boxed{4}", "4"),
    (r"some reasoning with \boxed{3}</think>\boxed{9}", "stop", r"\boxed{9}", "9"),
    (r"<think>maybe \boxed{7}", "length", "", None),
    (r"<think>so it is \boxed{5}</think>", "stop", "", None),
    (r"weighing it</think>Answer. \boxed{8}", "stop", r"Answer. \boxed{8}", "8"),
    (r"<THINKING>a</Thinking>\boxed{1}", "stop", r"\boxed{1}", "1"),
    (r"The tag `<think>` opens. \boxed{2}", "stop", r"The tag `<think>` opens. \boxed{2}", "2"),
    (r"\boxed{6}</thi", "length", "", None),
    (r"no tags, \boxed{11}", "stop", r"no tags, \boxed{11}", "11"),
    ("", "stop", "", None),
]


def pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)] or [""]


def shown(events: list[Event]) -> str:
    text = ""
    for event in of(events, TokenDelta):
        text = event.text if event.reset else text + event.text
    return text


@pytest.mark.parametrize("size", [1, 15])
@pytest.mark.parametrize(("reply", "finish", "visible", "value"), SHAPES)
def test_think_tags_are_neither_shown_nor_graded(
    fake_server: Any, answer: Any, delta: Any, reply: str, finish: str, visible: str, value: str | None, size: int
) -> None:
    chunks = [delta(piece) for piece in pieces(reply, size)]
    usage = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 5}}
    fake_server.script = [answer(chunks=[*chunks, delta("", finish=finish), usage])]
    model = OpenAIModel("m", fake_server.url, timeout=5, max_retries=0)
    events = list(execute(PROBLEM, context(model), STRATEGIES["cot"]))
    model.close()
    solution = solution_of(events)
    assert shown(events) == visible
    assert (solution.answer, solution.status) == (value, "answered" if value else "no_answer")
    assert any("truncated" in flag for flag in solution.flags) == (finish == "length")
    assert [event.answer for event in of(events, AnswerFound)] == ([value] if value else [])
    if "`" not in visible:
        assert not any("<" in event.text or "think" in event.text.lower() for event in of(events, TokenDelta))


def test_a_boxed_value_inside_a_think_block_is_never_graded_right() -> None:
    events = list(execute(PROBLEM, context(scripted_cot(r"<think>so it is \boxed{5}</think>")), STRATEGIES["cot"]))
    assert solution_of(events).answer is None
    events = list(
        execute(PROBLEM, context(scripted_cot(r"<think>\boxed{5}</think>\boxed{\frac{1}{2}}")), STRATEGIES["cot"])
    )
    found = solution_of(events).answer
    assert found is not None
    with Grader() as grader:
        assert grader.grade("1/2", found).correct is True
        assert grader.grade("5", found).correct is False


def scripted_cot(reply: str) -> Talker:
    return Talker(lambda stage, messages: reply)


def test_a_plan_that_speaks_of_think_tags_stays_as_it_is() -> None:
    goal = "explain what the <think> tag does"
    plan = {"steps": [{"template": "Method A", "goal": goal}], "next": "verify </think>"}
    events = list(Reasoner(context(scripted(plan=[json.dumps(plan)]))).plan(PROBLEM))
    (proposed,) = of(events, PlanProposed)
    assert proposed.trajectory.origin == "proposed"
    assert proposed.trajectory.steps[0].goal == goal


def test_one_call_with_the_problem_alone() -> None:
    model = scripted_cot(r"So \boxed{9}.")
    events = list(execute(PROBLEM, context(model), STRATEGIES["cot"]))
    solution = solution_of(events)
    assert (solution.answer, solution.trajectory, solution.steps, solution.revisions) == ("9", (), (), 0)
    assert solution.usage.calls == len(of(events, ModelCalled)) == 1
    (prompt,) = prompts_of(model)
    assert PROBLEM.text in prompt
    assert PROBE not in prompt


def test_a_reply_cut_by_the_budget_is_flagged_and_within_it() -> None:
    solution = solution_of(list(execute(PROBLEM, context(scripted_cot("word " * 99), budget=10), STRATEGIES["cot"])))
    assert (solution.answer, solution.usage.completion_tokens) == (None, 10)
    assert any("truncated" in flag for flag in solution.flags)
