"""Cold start: hints stay in calls of stage `hint`, and what they led to is kept only if it stands without them."""

from collections.abc import Iterator
from typing import Any

import pytest

from reasonflux.grading import Grader
from reasonflux.models.scripted import ScriptedModel
from reasonflux.planner import open_plan_messages
from tests.reasonflux.reasoning import plan_of, prompts_of
from tests.training.rolling import problem, sampled
from tests.training.test_trajectories import open_plan, sampler
from training.cold_start import hinted_trajectory, right_ones, tells, trajectory_row
from training.leaks import holds_answer
from training.outcomes import Outcome, OutcomeKey
from training.rollouts import Marker
from training.trajectories import ProblemTrajectories


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader() as made:
        yield made


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("find 42 apples", "42"),
        ("find 42.0 apples", "42"),
        ("find 84/2 apples", "42"),
        ("take a half of it, 0.5", r"\frac{1}{2}"),
        ("take 1/2", "0.5"),
        (r"take \frac{1}{2}", "0.5"),
        ("twelve of them", "12"),
        ("the vertex (3, 4)", "(3,4)"),
        ("it equals x^2+1", "x^2 + 1"),
        ("a loss of -5", "-5"),
        ("1,000 steps", "1000"),
    ],
)
def test_an_answer_is_found_however_it_is_written(text: str, gold: str, grader: Grader) -> None:
    assert holds_answer(text, gold, grader)


@pytest.mark.parametrize(
    ("text", "gold"),
    [("find 142 apples", "42"), ("the remainder", "9"), ("nineteen of them", "9"), ("x^2", "x^3+7"), ("someone", "1")],
)
def test_what_only_looks_like_it_is_not_taken_for_it(text: str, gold: str, grader: Grader) -> None:
    assert not holds_answer(text, gold, grader)


def test_words_are_found_as_words(grader: Grader) -> None:
    assert holds_answer("who is Tuesday born", "tuesday", grader, kind="text")
    assert not holds_answer("an Aaron", "Aa", grader, kind="text")
    assert not holds_answer("nine people", "9 a", grader, kind="text")


@pytest.mark.parametrize("planning", ["open", "closed"])
def test_a_hint_is_given_in_stage_hint_alone(planning: str, grader: Grader) -> None:
    plan = open_plan("Method A") if planning == "open" else plan_of(("Method A", "a quantity"))
    model = ScriptedModel([plan], name="hints")
    asked = problem(1, gold="CANARY-7731")
    found, reason = hinted_trajectory(sampler(model, planning=planning), asked, Marker(grader))
    assert found is not None
    assert (found.slugs, reason) == (("method-a",), "")
    assert [request.stage for request in model.requests] == ["hint"]
    assert "Known answer: CANARY-7731" in prompts_of(model)[0]
    assert ("Methods to choose from" in prompts_of(model)[0]) == (planning == "closed")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("no plan", "It holds no JSON object"),
        ("word " * 500, "It was cut"),
        (open_plan("Unheard of"), "no template matches a step"),
        ({"steps": [{"template": "Method A", "tags": ["a", "b"], "goal": "find 37"}]}, "its text holds the answer"),
        ({"steps": [{"template": "Method A", "tags": ["37", "b"], "goal": "find it"}]}, "its text holds the answer"),
    ],
)
def test_a_hinted_plan_that_is_of_no_use_or_tells_the_answer_is_dropped(reply: Any, said: str, grader: Grader) -> None:
    found, reason = hinted_trajectory(sampler(ScriptedModel([reply])), problem(1, gold="37"), Marker(grader))
    assert (found, reason) == (None, said)


def test_the_names_of_the_library_may_not_tell_the_answer_either(grader: Grader) -> None:
    source = sampler(ScriptedModel([])).source
    assert tells(sampled("Method A"), source, problem(1, gold="Method A"), Marker(grader))
    assert not tells(sampled("Method A"), source, problem(1, gold="55"), Marker(grader))


def test_rows_ask_as_open_planning_does_and_name_templates_as_the_library_does() -> None:
    made = sampler(ScriptedModel([open_plan("METHOD  a")]), number=1)
    asked = problem(1)
    line = made.sample(asked)
    assert line is not None
    row = trajectory_row(line.trajectories[0], made.source, asked, hinted=True)
    assert [(turn.role, turn.content) for turn in row.prompt] == [
        (said.role, said.content) for said in open_plan_messages(asked.text)
    ]
    assert row.completion[0].content == '{"steps": [{"template": "Method A", "tags": [], "goal": "a quantity"}]}'
    assert (row.kind, row.source, row.hinted) == ("trajectory", "p1", True)


def test_right_trajectories_with_the_fewest_steps_are_kept() -> None:
    plans = (sampled("Method A", "Method B"), sampled("Method C"), sampled("Method D"), sampled("Method E"))
    line = ProblemTrajectories(1, "h", "p", "x", None, plans, 4, {})
    key = OutcomeKey("t", "p", "m", "s", 0, "v")
    outcomes = [Outcome(key, True), Outcome(key, True), Outcome(key, False), Outcome(key, None, "time-out")]
    right, dropped = right_ones([line], outcomes, keep=1)
    assert right == {"h": [plans[1]]}
    assert dropped == {"not right": 1, "not known: time-out": 1, "more than are kept of a problem": 1}
