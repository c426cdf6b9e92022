"""Servers with opinions on roles, and planners that answer with nothing."""

import json
from itertools import pairwise
from typing import Any

import pytest

from reasonflux.execution import execute
from reasonflux.models.openai import OpenAIModel
from reasonflux.strategies import STRATEGIES
from reasonflux.types import Event, Noticed, PlanProposed, PlanRevised, StepStarted
from tests.reasonflux.reasoning import PROBLEM, Tool, block, context, of, plan_of, solution_of, verdict

ALTERNATE = {"error": {"message": "Conversation roles must alternate user/assistant/user/assistant/..."}}
PLANS = [
    plan_of("Method A", "Method B", "Method C"),
    plan_of("Method D", "Method E"),
    plan_of("Method F", "Method G"),
]
VERDICTS = [verdict("accept"), verdict("revise", "no sum"), verdict("revise", "still none"), verdict("accept")]
OUTPUTS = [("error", "NameError: x"), "s1 = 1", "s2 = 2", "s3 = 3", "s4 = 4", "answer = 9"]


class Server:
    """Answers each kind of call in turn, after a look at the roles."""

    def __init__(self, server: Any, answer: Any, delta: Any, mode: str, *, plans: list[Any] | None = None) -> None:
        self.bodies = server.bodies
        self.url = server.url
        self.rejected = 0
        self.plans = 0
        judged = 0

        def script(body: dict[str, Any]) -> Any:
            nonlocal judged
            roles = [turn["role"] for turn in body["messages"]]
            odd = set(roles) - {"user", "assistant"} or any(one == two for one, two in pairwise(roles))
            if mode == "alternate" and odd:
                self.rejected += 1
                return answer(ALTERNATE, status=400)
            properties = body.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", {})
            if "steps" in properties:
                given = plans or PLANS
                reply = given[min(self.plans, len(given) - 1)]
                self.plans += 1
            elif "verdict" in properties:
                reply = VERDICTS[min(judged, len(VERDICTS) - 1)]
                judged += 1
            else:
                reply = block("answer = 9") + "\nSo it is \\boxed{9}."
            text = reply if isinstance(reply, str) else json.dumps(reply)
            if mode == "no-assistant-end" and roles[-1] == "assistant":
                text = ""
            usage = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 5}}
            return answer(chunks=[delta(text), delta("", finish="stop"), usage])

        server.script = script

    def run(self, **options: Any) -> list[Event]:
        model = OpenAIModel("m", self.url, timeout=5, max_retries=0)
        events = list(execute(PROBLEM, context(model, tool=Tool(outputs=OUTPUTS), **options), STRATEGIES["reasonflux"]))
        model.close()
        return events


@pytest.mark.parametrize("mode", ["no-assistant-end", "alternate"])
def test_a_run_with_two_revisions_completes(fake_server: Any, answer: Any, delta: Any, mode: str) -> None:
    server = Server(fake_server, answer, delta, mode)
    events = server.run(max_revisions=2)
    solution = solution_of(events)
    assert (solution.answer, solution.status, solution.error) == ("9", "answered", None)
    assert len(of(events, PlanRevised)) == solution.revisions == 2
    assert all(body["messages"][-1]["role"] != "assistant" for body in server.bodies)
    assert any(turn["role"] == "assistant" for body in server.bodies for turn in body["messages"])
    assert all(PROBLEM.text in "".join(turn["content"] for turn in body["messages"]) for body in server.bodies)
    folds = [notice for notice in of(events, Noticed) if "roles" in notice.message]
    if mode == "alternate":
        assert server.rejected == 1
        assert len(folds) == 1
        system = server.bodies[0]["messages"][0]
        assert system["role"] == "system"
        assert server.bodies[1]["messages"][0]["role"] == "user"
        assert system["content"] in server.bodies[1]["messages"][0]["content"]
    else:
        assert folds == []


@pytest.mark.parametrize("mode", ["no-assistant-end", "alternate"])
def test_an_empty_plan_is_asked_for_again(fake_server: Any, answer: Any, delta: Any, mode: str) -> None:
    server = Server(fake_server, answer, delta, mode, plans=["", "", PLANS[0]])
    events = server.run(max_revisions=0)
    (proposed,) = of(events, PlanProposed)
    assert (proposed.trajectory.origin, len(proposed.trajectory.steps)) == ("repaired", 3)
    assert len(proposed.problems) == 2
    assert solution_of(events).answer == "9"


@pytest.mark.parametrize("empty", ["", "  \n", "{}", '{"steps": []}'])
def test_a_planner_that_says_nothing_is_bounded_and_never_succeeds_with_no_step(
    fake_server: Any, answer: Any, delta: Any, empty: str
) -> None:
    server = Server(fake_server, answer, delta, "any", plans=[empty])
    events = server.run(max_revisions=0)
    (proposed,) = of(events, PlanProposed)
    assert server.plans == 3
    assert (proposed.trajectory.origin, len(proposed.trajectory.steps)) == ("fallback", 1)
    assert any("No plan could be read" in notice.message for notice in of(events, Noticed))
    assert of(events, StepStarted)
    assert len(solution_of(events).steps) >= 1
