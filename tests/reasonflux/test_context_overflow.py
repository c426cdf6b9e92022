"""A server whose context is too small: bounded, visible shortening, and a typed outcome instead of a guess."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from reasonflux.errors import ContextOverflow
from reasonflux.execution import execute
from reasonflux.models.openai import OpenAIModel
from reasonflux.strategies import STRATEGIES
from reasonflux.types import Event, ModelCalled, Noticed, PlanRevised, Problem, StepFinished
from tests.reasonflux.reasoning import (
    Templates,
    Tool,
    block,
    context,
    of,
    plan_of,
    scripted,
    solution_of,
    solve,
    verdict,
)

PROBLEM = Problem(text="Let S1 be the sum of the first nine primes over some set. What is S1 + S2 modulo 13?")
HEAD = "S1 = 137."
LONG = HEAD + "x " * 15_000
LONG_GOAL = "the first of the two sums, taken over everything that the problem's text lists in its first half " * 2
TOO_LONG = {
    "error": {
        "message": "This model's maximum context length is 4096 tokens. "
        "However, your messages resulted in 5210 tokens.",
        "type": "invalid_request_error",
        "code": "context_length_exceeded",
    }
}
MAX_REQUESTS = 4


def text_of(body: dict[str, Any]) -> str:
    return "\n".join(turn["content"] for turn in body["messages"])


def stage_of(body: dict[str, Any]) -> str:
    if body["model"] == "worker":
        return "step"
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    return "plan" if "steps" in schema.get("properties", {}) else "assess" if schema else "check"


class Scene:
    """A run against the server, with the requests of each call that the server refused."""

    def __init__(self, server: Any, answer: Any, delta: Any) -> None:
        self.server = server
        self.refused: list[dict[str, Any]] = []
        self.stages: list[str] = []
        self._answer, self._delta = answer, delta

    def run(
        self,
        replies: dict[str, list[Any]],
        refuse: Callable[[str, int, dict[str, Any]], bool],
        *,
        tool: Tool,
        source: Templates | None = None,
        **options: Any,
    ) -> list[Event]:
        seen: dict[str, int] = {}

        def script(body: dict[str, Any]) -> Any:
            stage = stage_of(body)
            self.stages.append(stage)
            count = seen.get(stage, 0)
            if refuse(stage, count, body):
                self.refused.append(body)
                return self._answer(TOO_LONG, status=400)
            seen[stage] = count + 1
            reply = replies[stage][min(count, len(replies[stage]) - 1)]
            text = reply if isinstance(reply, str) else json.dumps(reply)
            usage = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 5}}
            return self._answer(chunks=[self._delta(text), self._delta("", finish="stop"), usage])

        self.server.script = script
        planner, worker = (OpenAIModel(name, self.server.url, timeout=5, max_retries=0) for name in ("p", "worker"))
        made = context(worker, planner_model=planner, tool=tool, source=source, **options)
        events = list(execute(PROBLEM, made, STRATEGIES["reasonflux"]))
        planner.close()
        worker.close()
        return events


@pytest.fixture
def scene(fake_server: Any, answer: Any, delta: Any) -> Scene:
    return Scene(fake_server, answer, delta)


REPLIES: dict[str, list[Any]] = {
    "plan": [
        plan_of(("Method A", LONG_GOAL), "Method B", "Method C"),
        plan_of(("Method D", "another second sum"), "Method C"),
        plan_of("Method E"),
    ],
    "step": [block("print(S1)"), block("x = 1")],
    "assess": [verdict("accept"), verdict("revise", "not a sum"), verdict("revise", "still no sum")],
    "check": ["No idea."],
}
LIBRARIES = [Templates(), Templates(held=[])]


def check_outcome(events: list[Event]) -> None:
    solution = solution_of(events)
    assert solution.status in ("answered", "no_answer")
    assert "context_overflow" in solution.flags
    assert "partial" in solution.flags
    assert solution.error is None
    assert any("does not fit" in notice.message for notice in of(events, Noticed))
    assert of(events, ModelCalled)[-1].call.error is not None


@pytest.mark.parametrize("source", LIBRARIES, ids=["templates", "no-templates"])
def test_a_revision_that_never_fits_is_shortened_three_times_at_most(scene: Scene, source: Templates) -> None:
    tool = Tool(outputs=[LONG, "x = 1"])
    events = scene.run(
        REPLIES, lambda stage, count, body: stage == "plan" and count >= 2, tool=tool, source=source, max_revisions=5
    )
    check_outcome(events)
    assert 1 < len(scene.refused) <= MAX_REQUESTS
    sizes = [len(text_of(body)) for body in scene.refused]
    assert all(after < before for before, after in pairwise(sizes))
    assert scene.stages[-len(scene.refused) :] == ["plan"] * len(scene.refused)
    later = [body for body in scene.server.bodies[3:] if stage_of(body) in ("plan", "step")]
    for body in later:
        assert PROBLEM.text in text_of(body)
        assert HEAD in text_of(body)
    solution = solution_of(events)
    assert solution.answer is None
    assert solution.steps[0].output.startswith(HEAD)
    assert len(solution.steps[0].output) == len(LONG.strip())
    assert len(of(events, PlanRevised)) == 1


@pytest.mark.parametrize("broken", ["assess", "step"])
def test_any_later_call_that_never_fits_ends_the_run_in_the_same_way(scene: Scene, broken: str) -> None:
    events = scene.run(
        REPLIES, lambda stage, count, body: stage == broken and count >= 1, tool=Tool(outputs=[LONG, LONG])
    )
    check_outcome(events)
    assert len(scene.refused) <= MAX_REQUESTS
    sizes = [len(text_of(body)) for body in scene.refused]
    assert len(sizes) > 1
    assert all(after < before for before, after in pairwise(sizes))
    for body in scene.refused:
        assert PROBLEM.text in text_of(body)
        assert HEAD in text_of(body)
    assert of(events, StepFinished)[0].result.output.startswith(HEAD)


def test_a_plan_of_one_step_whose_revision_never_fits_keeps_its_answer_as_partial(scene: Scene) -> None:
    replies = REPLIES | {"plan": [plan_of("Method A"), plan_of("Method B")], "check": [r"\boxed{4}"]}
    events = scene.run(
        replies,
        lambda stage, count, body: stage == "plan" and count >= 1,
        tool=Tool(outputs=[LONG + "\nanswer = 7"]),
    )
    check_outcome(events)
    assert 1 <= len(scene.refused) <= MAX_REQUESTS
    assert all(PROBLEM.text in text_of(body) for body in scene.refused)
    solution = solution_of(events)
    assert (solution.answer, solution.status) == ("4", "answered")
    assert solution.steps[0].output.startswith(HEAD)


def test_a_plan_of_one_step_without_an_answer_gives_none(scene: Scene) -> None:
    replies = REPLIES | {"plan": [plan_of("Method A"), plan_of("Method B")]}
    events = scene.run(
        replies, lambda stage, count, body: stage == "plan" and count >= 1, tool=Tool(outputs=[LONG]), max_revisions=3
    )
    check_outcome(events)
    assert solution_of(events).answer is None


def test_a_first_plan_that_never_fits_is_no_answer(scene: Scene) -> None:
    events = scene.run(REPLIES, lambda stage, count, body: True, tool=Tool())
    check_outcome(events)
    assert solution_of(events).answer is None
    assert set(scene.stages) == {"plan"}
    assert all(PROBLEM.text in text_of(body) for body in scene.refused)


def test_a_prompt_that_fits_once_shortened_goes_on_and_says_so(scene: Scene) -> None:
    tool = Tool(outputs=[LONG, LONG, "answer = 9"])
    replies = REPLIES | {"assess": [verdict("accept")], "check": [r"\boxed{9}"]}
    events = scene.run(
        replies, lambda stage, count, body: stage == "assess" and len(text_of(body)) > 1_800, tool=tool, max_revisions=0
    )
    solution = solution_of(events)
    assert solution.answer == "9"
    assert "shortened" in solution.flags
    assert "context_overflow" not in solution.flags
    assert any("shortened from" in notice.message for notice in of(events, Noticed))


def test_a_scripted_overflow_has_the_same_end() -> None:
    model = scripted(plan=[ContextOverflow("It does not fit the context.")])
    events = solve(context(model))
    check_outcome(events)
    assert solution_of(events).answer is None
