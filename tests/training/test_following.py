"""Following a trajectory: both modes, what is known afterwards and what is not."""

import time
from typing import Any

import pytest

from reasonflux.errors import BadReply, ContextOverflow, ModelUnavailable
from reasonflux.models.scripted import ScriptedModel
from tests.reasonflux.reasoning import PROBE, Talker, Tool, block, prompts_of
from tests.training.rolling import context, job
from training.engines.base import WorkerLost
from training.following import Follower, follow_version
from training.rollout_settings import FollowSettings


def follower(model: Any, *, tool: Any = None, **settings: Any) -> Follower:
    chosen = FollowSettings(**settings)
    return Follower(context(model, chosen.solve_settings(), tool=tool), chosen)


def test_steps_are_followed_with_a_call_each_and_nothing_is_assessed() -> None:
    model = ScriptedModel([block("a = 4"), block("answer = a + 5")])
    result = follower(model, tool=Tool(["a = 4", "answer = 9"]))(job(names=("Method A", "Method B")))
    assert (result.answer, result.unknown, result.usage.calls) == ("9", None, 2)
    assert [request.stage for request in model.requests] == ["step", "step"]


def test_single_puts_all_into_one_call_that_ends_with_the_problem() -> None:
    model = ScriptedModel([block("answer = 4 + 5")])
    result = follower(model, follow_mode="single")(job(names=("Method A", "Method B")))
    assert (result.answer, result.usage.calls) == ("9", 1)
    (prompt,) = prompts_of(model)
    assert prompt.endswith("Problem: What is 4 + 5?")
    assert prompt.index("Method A") < prompt.index("Method B") < prompt.index("What is 4 + 5?")
    assert PROBE not in prompt


def test_single_shares_the_prompt_up_to_the_problem() -> None:
    model = ScriptedModel([block("answer = 9")] * 2)
    made = follower(model, follow_mode="single")
    made(job(text="First?"))
    made(job(text="Second?"))
    first, second = prompts_of(model)
    assert first.removesuffix("First?") == second.removesuffix("Second?")


def test_single_sends_a_failing_program_back_and_then_gives_up() -> None:
    model = ScriptedModel([block("answer = x"), block("answer = y"), block("answer = 9")])
    tool = Tool([("error", "NameError: x"), ("error", "NameError: y")])
    result = follower(model, tool=tool, follow_mode="single", follow_repairs=1)(job())
    assert (result.answer, result.unknown, result.usage.calls) == (None, None, 2)
    assert "NameError: x" in prompts_of(model)[1]
    seeds = [request.params.seed for request in model.requests]
    assert seeds == [0, 1]


def test_single_works_without_programs() -> None:
    model = ScriptedModel([r"It is \boxed{9}."])
    result = follower(model, follow_mode="single", follow_tools=False)(job())
    assert result.answer == "9"
    assert "python" not in prompts_of(model)[0]


@pytest.mark.parametrize("mode", ["steps", "single"])
def test_no_answer_is_known_and_a_spent_budget_is_no_answer(mode: str) -> None:
    model = Talker(lambda stage, messages: "hm " * 40)
    result = follower(model, follow_mode=mode, follow_budget=16, follow_tokens=16)(job(names=("Method A", "Method B")))
    assert (result.answer, result.unknown) == (None, None)


@pytest.mark.parametrize("mode", ["steps", "single"])
def test_a_program_out_of_time_leaves_it_unknown(mode: str) -> None:
    model = Talker(lambda stage, messages: block("answer = 1"))
    result = follower(model, tool=Tool([("timeout", "It ran out of time.")]), follow_mode=mode)(job())
    assert (result.answer, result.unknown) == (None, "time-out")


@pytest.mark.parametrize("mode", ["steps", "single"])
def test_a_sandbox_that_can_not_run_leaves_it_unknown(mode: str) -> None:
    model = Talker(lambda stage, messages: block("answer = 1"))
    result = follower(model, tool=Tool([("refused", "No sandbox.")]), follow_mode=mode)(job())
    assert (result.unknown, result.note) == ("sandbox", "No sandbox.")


@pytest.mark.parametrize("mode", ["steps", "single"])
def test_a_run_past_its_limit_is_unknown(mode: str) -> None:
    def slow(stage: Any, messages: Any) -> str:
        time.sleep(0.02)
        return block("answer = 1")

    result = follower(Talker(slow), follow_mode=mode, limit_seconds=0.01)(job())
    assert (result.answer, result.unknown) == (None, "time-out")


@pytest.mark.parametrize("mode", ["steps", "single"])
def test_a_prompt_that_does_not_fit_is_unknown(mode: str) -> None:
    result = follower(ScriptedModel([ContextOverflow("too long")] * 8), follow_mode=mode)(job())
    assert result.unknown == "context"


@pytest.mark.parametrize("mode", ["steps", "single"])
@pytest.mark.parametrize("error", [ModelUnavailable("down"), BadReply("odd")])
def test_a_model_that_does_not_answer_is_a_lost_worker(mode: str, error: Exception) -> None:
    with pytest.raises(WorkerLost, match=r"down|odd"):
        follower(ScriptedModel([error]), follow_mode=mode)(job())


def test_a_closed_follower_stops_at_the_next_event() -> None:
    made = follower(Talker(lambda stage, messages: block("answer = 1")))
    made.close()
    with pytest.raises(WorkerLost):
        made(job())


def test_only_the_prompts_that_following_uses_are_in_its_version() -> None:
    assert follow_version("steps") != follow_version("single")
