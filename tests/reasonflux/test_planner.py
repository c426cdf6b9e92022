import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.context import Context, Conversation
from reasonflux.planner import GOAL_LIMIT, NAME_LIMIT, STAGE, Proposal, parse_plan, plan_schema, propose
from reasonflux.types import Event
from tests.reasonflux.reasoning import PROBE, PROBLEM, Templates, context, plan_of, prompts_of, scripted, template

TEMPLATES = [template("Löwe", tags=("algebra",)), template("数列の和"), template("√2 irrational")]


def run(made: Context, **more: Any) -> tuple[list[Event], Proposal]:
    shortlist = [(held.slug, held) for held in Templates().held]
    generator = propose(PROBLEM, shortlist, Conversation(made), **more)
    events: list[Event] = []
    while True:
        try:
            events.append(next(generator))
        except StopIteration as stop:
            return events, stop.value


def step(**changes: Any) -> str:
    return json.dumps({"steps": [{"template": "Löwe", "goal": "a sum"} | changes]})


@pytest.mark.parametrize("number", [1, 6])
def test_a_plan_of_one_to_six_steps_is_read(number: int) -> None:
    steps, trouble = parse_plan(json.dumps(plan_of(*["Löwe"] * number)), TEMPLATES, 6)
    assert (len(steps), trouble) == (number, "")
    assert steps[0].template.name == "Löwe"
    assert steps[0].template.tags == ("algebra",)


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("I can't plan this.", "no JSON"),
        ("{}", "steps"),
        ('{"steps": []}', "steps"),
        ('{"steps": null}', "steps"),
        ('{"steps": {"template": "Löwe", "goal": "a sum"}}', "steps"),
        ('{"steps": "Löwe"}', "steps"),
        ('{"steps": ["Löwe"]}', "Step 1"),
        ('{"steps": [null]}', "Step 1"),
        (json.dumps(plan_of(*["Löwe"] * 7)), "7 steps"),
        (step(goal=""), "goal"),
        (step(goal="  \n"), "goal"),
        (step(goal=3), "goal"),
        (step(goal=None), "goal"),
        (step(template=""), "template"),
        (step(template=["Löwe"]), "template"),
        (step(template=None), "template"),
        (step(template={"title": "Löwe"}), "template"),
        ('{"steps": [{"template": "Löwe", "goal": "a sum"}, {"template": "Löwe"}]}', "Step 2"),
        ('{"steps": [{"template": "Löwe", "goal": "a s', "no JSON"),
    ],
)
def test_what_is_no_plan_gives_no_steps_and_says_why(reply: str, words: str) -> None:
    steps, trouble = parse_plan(reply, TEMPLATES, 6)
    assert steps == ()
    assert words in trouble


@pytest.mark.parametrize(
    ("named", "tags"),
    [
        ("Löwe", ("algebra",)),
        (" LÖWE ", ("algebra",)),
        ("Lo\u0308we", ("algebra",)),
        ("Lowe", ()),
        ("数列の和", ()),
        ("√2 irrational", ()),
        ("Some method nobody wrote \U0001f981", ()),
        ("\u202eevil\u202c", ()),
    ],
)
def test_names_in_any_script_are_kept_and_known_ones_bring_their_tags(named: str, tags: tuple[str, ...]) -> None:
    steps, trouble = parse_plan(step(template=named), TEMPLATES, 6)
    assert trouble == ""
    assert steps[0].template.name == named.strip()
    assert steps[0].template.tags == tags


def test_a_reference_may_be_an_object_with_a_name() -> None:
    steps, _ = parse_plan(step(template={"name": "Löwe", "tags": ["x"]}), TEMPLATES, 6)
    assert steps[0].template.name == "Löwe"


def test_long_and_odd_fields_are_bounded_not_refused() -> None:
    reply = step(goal="g" * 9_000, template="n" * 9_000, needs=["w" * 900, 3, None, " ", "x", "y"], produces="z")
    steps, trouble = parse_plan(reply, TEMPLATES, 6)
    assert trouble == ""
    assert len(steps[0].goal) < GOAL_LIMIT + 20
    assert len(steps[0].template.name) <= NAME_LIMIT
    assert len(steps[0].needs) <= 3
    assert steps[0].produces == ()


def test_half_a_surrogate_pair_does_not_reach_the_run() -> None:
    steps, _ = parse_plan('{"steps": [{"template": "a \\ud800", "goal": "b \\udfff"}]}', TEMPLATES, 6)
    assert steps[0].model_dump_json().encode()


ANY = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10)
STEP = st.dictionaries(
    st.sampled_from(["template", "goal", "needs", "produces", "name"]), ANY | st.lists(ANY), max_size=5
)


@given(st.lists(STEP | ANY, max_size=8) | ANY, st.text(max_size=10))
def test_a_plan_of_any_shape_is_read_or_refused_with_a_reason(steps: Any, prose: str) -> None:
    found, trouble = parse_plan(prose + json.dumps({"steps": steps}), TEMPLATES, 6)
    assert bool(found) != bool(trouble)
    assert len(found) <= 6


def test_the_schema_offers_the_shortlist_and_the_step_limit() -> None:
    schema = plan_schema(["A", "B"], 3)
    steps = schema["properties"]["steps"]
    assert (steps["minItems"], steps["maxItems"]) == (1, 3)
    assert steps["items"]["properties"]["template"]["enum"] == ["A", "B", "none"]
    bare = plan_schema([], 3)["properties"]["steps"]
    assert bare["items"]["properties"]["template"]["enum"] == ["none"]
    assert bare["maxItems"] == 2


def test_a_plan_read_at_once_is_proposed() -> None:
    model = scripted(plan=[plan_of("Method A", "Method B")])
    _, proposal = run(context(model))
    assert proposal.trajectory.origin == "proposed"
    assert [planned.template.name for planned in proposal.trajectory.steps] == ["Method A", "Method B"]
    assert proposal.problems == ()
    assert proposal.shortlist[0] == "method-a"
    (request,) = model.requests
    assert request.stage == STAGE
    assert request.params.json_schema is not None


@pytest.mark.parametrize("bad", [["nonsense"], ["", '{"steps": []}']])
def test_an_unreadable_plan_is_sent_back_with_what_was_wrong(bad: list[str]) -> None:
    model = scripted(plan=[*bad, plan_of("Method A")])
    _, proposal = run(context(model))
    assert proposal.trajectory.origin == "repaired"
    assert len(model.requests) == len(bad) + 1
    assert len(proposal.problems) == len(bad)
    for prompt, trouble in zip(prompts_of(model)[1:], proposal.problems, strict=True):
        assert trouble in prompt


def test_after_two_repairs_one_step_with_the_nearest_template_stands_in() -> None:
    model = scripted(plan=["", "x", '{"steps": []}', plan_of("Method B")])
    _, proposal = run(context(model))
    assert len(model.requests) == 3
    assert proposal.trajectory.origin == "fallback"
    (only,) = proposal.trajectory.steps
    assert only.template.name == "Method A"
    assert only.goal
    assert len(proposal.problems) == 3


def test_a_plan_cut_at_its_token_limit_is_sent_back_as_cut() -> None:
    long = json.dumps(plan_of(("Method A", "one two three four five six seven eight nine ten " * 3)))
    model = scripted(plan=[long, plan_of("Method A")])
    _, proposal = run(context(model, planner={"max_tokens": 16}))
    assert proposal.trajectory.origin == "repaired"
    assert "cut" in proposal.problems[0]


def test_the_limit_on_steps_follows_the_settings() -> None:
    model = scripted(plan=[plan_of("Method A", "Method B", "Method C"), plan_of("Method A")])
    _, proposal = run(context(model, planner={"max_steps": 2}))
    assert len(proposal.trajectory.steps) == 1
    assert "3 steps" in proposal.problems[0]


def test_what_was_done_and_why_reach_the_prompt_and_probes_do_not() -> None:
    model = scripted(plan=["", plan_of("Method A")])
    run(context(model), done=["a sum: S1 = 137"], reason="The sum is not prime.")
    for prompt in prompts_of(model):
        assert PROBLEM.text in prompt
        assert "S1 = 137" in prompt
        assert "The sum is not prime." in prompt
        assert PROBE not in prompt
