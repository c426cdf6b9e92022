import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.context import Conversation
from reasonflux.planner import STAGE, open_plan_messages, open_plan_schema, parse_open_plan, plan_text, propose
from reasonflux.reasoner import Reasoner
from reasonflux.retrieval import GOOD_MATCH, MIN_SCORE, match_step
from reasonflux.types import Noticed, PlannedStep, PlanProposed, PlanRevised, TemplateRef, TemplateRetrieved, Trajectory
from tests.reasonflux.reasoning import (
    PROBE,
    PROBLEM,
    Templates,
    context,
    of,
    planned,
    prompts_of,
    scripted,
    solution_of,
    solve,
)

OPEN: dict[str, Any] = {"planner": {"mode": "open"}}


def open_plan(*steps: tuple[str, str]) -> dict[str, Any]:
    return {"steps": [{"template": name, "tags": ["algebra", "sums"], "goal": goal} for name, goal in steps]}


def propose_with(model: Any, **more: Any) -> Any:
    shortlist = [(held.slug, held) for held in Templates().held]
    generator = propose(PROBLEM, shortlist, Conversation(context(model, **OPEN)), **more)
    while True:
        try:
            next(generator)
        except StopIteration as stop:
            return stop.value


class TestText:
    def test_a_trajectory_has_one_text_and_it_is_read_back(self) -> None:
        steps = (
            PlannedStep(goal="a sum", template=TemplateRef(name="数列の和", tags=("a1", "b1"))),
            PlannedStep(goal='of "digits" \\(a_n\\)', template=TemplateRef(name="Löwe", tags=("c1", "d1", "e1", "f1"))),
        )
        text = plan_text(Trajectory(steps=steps))
        assert text.startswith('{"steps": [{"template": "数列の和", "tags": ["a1", "b1"], "goal": "a sum"}')
        assert "\n" not in text
        assert parse_open_plan(text, 6) == (steps, "")
        jsonschema.validate(json.loads(text), open_plan_schema(6))
        assert plan_text(Trajectory(steps=parse_open_plan(text, 6)[0])) == text

    def test_it_is_what_the_schema_s_compact_form_writes(self) -> None:
        """Keys in the schema's order, one blank after each colon and comma."""
        properties = list(open_plan_schema(6)["properties"]["steps"]["items"]["properties"])
        text = plan_text(Trajectory(steps=(planned("Method A"),)))
        assert list(json.loads(text)["steps"][0]) == properties
        assert json.dumps(json.loads(text), ensure_ascii=False, separators=(", ", ": ")) == text

    def test_no_more_than_four_tags(self) -> None:
        step = PlannedStep(goal="g", template=TemplateRef(name="n", tags=tuple("abcdefg")))
        assert json.loads(plan_text(Trajectory(steps=(step,))))["steps"][0]["tags"] == list("abcd")

    def test_the_prompt_is_short_and_holds_no_template(self) -> None:
        system, user = open_plan_messages(PROBLEM.text)
        assert (system.role, user.role) == ("system", "user")
        assert user.content == f"Problem: {PROBLEM.text}"
        assert len(system.content) < 500


class TestReading:
    @pytest.mark.parametrize(
        ("reply", "words"),
        [
            ("", "empty"),
            ("no", "no JSON"),
            ('{"steps": []}', "steps"),
            ('{"steps": [{"template": "x", "tags": []}]}', "goal"),
            ('{"steps": [{"tags": ["a"], "goal": "b"}]}', "template"),
            (json.dumps(open_plan(*[("a", "b")] * 7)), "7 steps"),
        ],
    )
    def test_what_is_no_plan_says_why(self, reply: str, words: str) -> None:
        steps, trouble = parse_open_plan(reply, 6)
        assert steps == ()
        assert words in trouble

    @pytest.mark.parametrize("tags", [None, [], "a, b", [3, None, " "], ["x"] * 50, ["y" * 9_000], {"a": 1}])
    def test_tags_of_any_shape_are_bounded_not_refused(self, tags: Any) -> None:
        (step,), trouble = parse_open_plan(json.dumps({"steps": [{"template": "n", "tags": tags, "goal": "g"}]}), 6)
        assert trouble == ""
        assert len(step.template.tags) <= 4
        assert all(len(tag) < 80 for tag in step.template.tags)

    def test_a_reference_may_be_an_object_with_name_and_tags(self) -> None:
        (step,), _ = parse_open_plan('{"steps": [{"template": {"name": "n", "tags": ["t"]}, "goal": "g"}]}', 6)
        assert step.template == TemplateRef(name="n", tags=("t",))

    @given(st.text(max_size=30), st.lists(st.text(max_size=20) | st.integers(), max_size=6), st.text(max_size=30))
    def test_any_step_is_read_or_refused_with_a_reason(self, name: str, tags: list[Any], goal: str) -> None:
        steps, trouble = parse_open_plan(json.dumps({"steps": [{"template": name, "tags": tags, "goal": goal}]}), 6)
        assert bool(steps) != bool(trouble)


class TestProposing:
    def test_the_planner_names_and_no_shortlist_reaches_it(self) -> None:
        model = scripted(plan=[open_plan(("A way nobody listed", "a sum"))])
        proposal = propose_with(model)
        assert proposal.trajectory.origin == "proposed"
        assert proposal.trajectory.steps[0].template == TemplateRef(
            name="A way nobody listed", tags=("algebra", "sums")
        )
        assert proposal.shortlist == ()
        (request,) = model.requests
        assert request.stage == STAGE
        assert request.params.json_schema == open_plan_schema(6)
        assert request.params.max_tokens == 400
        assert request.messages == tuple(open_plan_messages(PROBLEM.text))

    def test_an_unreadable_plan_is_sent_back_and_then_replaced(self) -> None:
        repaired = propose_with(scripted(plan=["", "x", open_plan(("Method A", "a sum"))]))
        assert repaired.trajectory.origin == "repaired"
        model = scripted(plan=["", "x", '{"steps": []}'])
        proposal = propose_with(model)
        assert (proposal.trajectory.origin, len(proposal.problems)) == ("fallback", 3)
        assert proposal.trajectory.steps[0].template.name == ""
        for prompt, trouble in zip(prompts_of(model)[1:], proposal.problems, strict=False):
            assert trouble in prompt

    def test_what_was_done_and_why_reach_the_prompt(self) -> None:
        model = scripted(plan=[open_plan(("Method A", "a sum"))])
        propose_with(model, done=["a sum: S1 = 137"], reason="The sum is not prime.")
        (prompt,) = prompts_of(model)
        assert all(part in prompt for part in (PROBLEM.text, "S1 = 137", "The sum is not prime."))
        assert PROBE not in prompt


class TestMatching:
    def test_the_library_s_good_match_decides(self) -> None:
        step = planned("My own words")
        assert match_step(Templates(near=GOOD_MATCH), 0, step, least=GOOD_MATCH)[0].template == "method-a"
        match, template = match_step(Templates(near=GOOD_MATCH - 0.01), 0, step, least=GOOD_MATCH)
        assert (match.template, template) == (None, None)

    @pytest.mark.parametrize(
        ("near", "mode", "slug"),
        [
            ((GOOD_MATCH + MIN_SCORE) / 2, "open", "method-a"),
            ((GOOD_MATCH + MIN_SCORE) / 2, "closed", None),
            (GOOD_MATCH / 2, "open", None),
        ],
    )
    def test_a_step_below_it_has_no_template_and_no_error(self, near: float, mode: str, slug: str | None) -> None:
        made = context(
            scripted(plan=[open_plan(("My own words", "a sum"))]), source=Templates(near=near), planner={"mode": mode}
        )
        events = list(Reasoner(made).plan(PROBLEM))
        (proposed,) = of(events, PlanProposed)
        assert (proposed.shortlist == ()) == (mode == "open")
        (retrieved,) = of(events, TemplateRetrieved)
        assert retrieved.match.template == slug


class TestSolving:
    def test_a_run_plans_openly_retrieves_and_answers(self) -> None:
        source = Templates()
        model = scripted(plan=[open_plan(("Method B", "a remainder"))], step=["```python\nanswer = 9\n```"])
        events = solve(context(model, source=source, **OPEN))
        solution = solution_of(events)
        assert solution.answer == "9"
        assert [entry.template for entry in solution.trajectory] == ["method-b"]
        assert source.queries == []

    def test_a_revision_is_planned_openly_too(self) -> None:
        model = scripted(
            plan=[open_plan(("Method A", "a remainder")), open_plan(("Method C", "a cycle"))],
            step=["```python\nanswer = 9\n```"],
            check=[r"So \boxed{8}."],
        )
        events = solve(context(model, **OPEN))
        (revised,) = of(events, PlanRevised)
        assert [step.template.name for step in revised.after] == ["Method C"]
        second = prompts_of(model, STAGE)[1]
        assert "disagree" in second
        assert "Methods:" not in second

    def test_a_plan_nobody_could_read_runs_without_template(self) -> None:
        events = solve(context(scripted(plan=[""], step=["```python\nanswer = 9\n```"]), **OPEN))
        assert any("without template" in notice.message for notice in of(events, Noticed))
        assert solution_of(events).answer == "9"
