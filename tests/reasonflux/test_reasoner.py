import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonflux import assess, instantiator, planner
from reasonflux.errors import ModelUnavailable
from reasonflux.execution import execute
from reasonflux.models.base import Message
from reasonflux.reasoner import Reasoner
from reasonflux.strategies import STRATEGIES
from reasonflux.tools.python import PythonTool
from reasonflux.types import (
    AnswerFound,
    Event,
    GradedProblem,
    ModelCalled,
    Noticed,
    PlanProposed,
    PlanRevised,
    Problem,
    StepAssessed,
    StepFinished,
    StepStarted,
    TemplateRetrieved,
    Trajectory,
)
from tests.reasonflux.reasoning import (
    PROBE,
    PROBLEM,
    Talker,
    Templates,
    Tool,
    block,
    context,
    of,
    plan_of,
    planned,
    prompts_of,
    scripted,
    solution_of,
    solve,
    template,
    verdict,
)

GOLD = "CANARY-GOLD-7716"
WORK = block("answer = 4 + 5")


def test_a_confirmed_answer_ends_the_run() -> None:
    model = scripted(plan=[plan_of("Method A")], step=[WORK])
    events = solve(context(model))
    solution = solution_of(events)
    assert (solution.answer, solution.status, solution.run_id) == ("9", "answered", "run-1")
    assert (solution.revisions, solution.flags) == (0, ())
    assert [entry.template for entry in solution.trajectory] == ["method-a"]
    assert [step.output for step in solution.steps] == ["answer = 9"]
    kinds = [event.kind for event in events if event.kind not in ("token_delta", "model_called", "noticed")]
    assert kinds[:4] == ["plan_proposed", "template_retrieved", "step_started", "tool_called"]
    assert kinds[-2:] == ["answer_found", "run_finished"]
    assert solution.usage.calls == len(of(events, ModelCalled)) == len(model.requests)


def test_every_step_of_a_plan_is_carried_out_and_sees_what_came_before() -> None:
    model = scripted(
        plan=[plan_of("Method A", "Method B", "Method C")],
        step=[block("a = 1"), block("b = 2"), WORK],
        judge=[verdict("accept")],
    )
    tool = Tool(outputs=["a = 1", "b = 2", "answer = 9"])
    events = solve(context(model, tool=tool))
    assert solution_of(events).answer == "9"
    assert [event.step for event in of(events, StepStarted)] == [0, 1, 2]
    assert "a = 1" in tool.runs[1][1]
    assert "b = 2" in tool.runs[2][1]
    last = prompts_of(model, instantiator.STAGE)[-1]
    assert "a = 1" in last
    assert "b = 2" in last


def test_no_probe_and_no_gold_ever_reaches_a_prompt() -> None:
    graded = GradedProblem(problem=PROBLEM, gold=GOLD, record_id=GOLD)
    model = scripted(
        plan=["", plan_of("Method A", "Method B"), plan_of("Method C"), plan_of("Method D")],
        step=[block("boom"), block("x = 1"), block("answer = 8"), block("answer = 7")],
        judge=[verdict("revise"), verdict("redo"), verdict("accept")],
    )
    tool = Tool(outputs=[("error", "boom"), "x = 1", "x = 2", "answer = 8", "answer = 7"])
    for strategy in STRATEGIES.values():
        assert list(execute(graded.problem, context(model, tool=tool), strategy))
    stages = {request.stage for request in model.requests}
    assert {planner.STAGE, instantiator.STAGE, assess.CHECK_STAGE} <= stages
    for prompt in prompts_of(model):
        assert PROBE not in prompt
        assert GOLD not in prompt


def test_an_unreadable_plan_gives_way_to_a_visible_fallback() -> None:
    model = scripted(plan=["no plan"], step=[WORK])
    events = solve(context(model))
    (proposed,) = of(events, PlanProposed)
    assert proposed.trajectory.origin == "fallback"
    assert len(proposed.trajectory.steps) == 1
    assert len(proposed.problems) == 3
    assert any("No plan could be read" in notice.message for notice in of(events, Noticed))
    assert solution_of(events).answer == "9"


def test_a_fallback_in_a_revision_is_visible_too() -> None:
    model = scripted(plan=[plan_of("Method A", "Method B"), "no plan"], step=[WORK], judge=[verdict("revise")])
    events = solve(context(model, tool=Tool(outputs=["x = 1", "answer = 9"])))
    assert of(events, PlanRevised)
    assert any("No plan could be read" in notice.message for notice in of(events, Noticed))


def test_a_template_the_library_lacks_is_a_step_without_one() -> None:
    model = scripted(plan=[plan_of("A method nobody wrote")], step=[WORK])
    events = solve(context(model))
    (retrieved,) = of(events, TemplateRetrieved)
    assert retrieved.match.template is None
    assert solution_of(events).answer == "9"
    assert solution_of(events).trajectory[0].template is None


def test_a_redo_works_the_step_again_with_the_reason_and_within_its_limit() -> None:
    model = scripted(
        plan=[plan_of("Method A", "Method B"), plan_of("Method C")],
        step=[block("x = 1")],
        judge=[verdict("redo", "the sign is wrong")],
        check=["It can't be told."],
    )
    events = solve(context(model, tool=Tool(outputs=["x = 1"]), assess={"max_redos": 2}, max_revisions=0))
    first = [event.attempt for event in of(events, StepStarted) if event.step == 0]
    assert first == [1, 2, 3]
    assert "the sign is wrong" in prompts_of(model, instantiator.STAGE)[1]
    assert solution_of(events).status == "no_answer"


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_revisions_never_exceed_their_limit(limit: int) -> None:
    plans = [plan_of(f"Method {letter}", f"Method {letter}") for letter in "ABCDEFGH"]
    model = scripted(plan=plans, step=[block("x = 1")], judge=[verdict("revise")], check=["No idea."])
    events = solve(context(model, tool=Tool(outputs=["x = 1"]), max_revisions=limit, budget=100_000))
    assert len(of(events, PlanRevised)) == solution_of(events).revisions == limit


def test_a_revision_changes_the_rest_and_keeps_what_happened() -> None:
    model = scripted(
        plan=[plan_of("Method A", "Method B", "Method E"), plan_of(("Method C", "another quantity"), "Method D")],
        step=[block("s1 = 137"), block("x = 1"), block("y = 1"), WORK],
        judge=[verdict("accept"), verdict("revise", "not prime"), verdict("accept")],
    )
    tool = Tool(outputs=["s1 = 137", "x = 1", "y = 2", "answer = 9"])
    events = solve(context(model, tool=tool))
    (revised,) = of(events, PlanRevised)
    assert revised.after_step == 1
    assert [step.template.name for step in revised.before] == ["Method B", "Method E"]
    assert [step.template.name for step in revised.after] == ["Method C", "Method D"]
    assert revised.before != revised.after
    assert revised.reason == "not prime"
    solution = solution_of(events)
    assert [entry.template for entry in solution.trajectory] == ["method-a", "method-c", "method-d"]
    assert [step.output for step in solution.steps] == ["s1 = 137", "x = 1", "y = 2", "answer = 9"]
    assert "s1 = 137" in prompts_of(model, planner.STAGE)[1]
    assert all("s1 = 137" in prelude for _, prelude in tool.runs[1:])


def test_a_plan_proposed_again_unchanged_is_no_revision() -> None:
    model = scripted(plan=[plan_of("Method A", "Method B")], step=[block("x = 1")], judge=[verdict("revise", "no sum")])
    events = solve(context(model, tool=Tool(outputs=["x = 1"]), max_revisions=2))
    assert all(revised.before != revised.after for revised in of(events, PlanRevised))
    assert len(prompts_of(model, planner.STAGE)) <= 4
    assert "no sum" in prompts_of(model, instantiator.STAGE)[1]
    solution_of(events)


@pytest.mark.parametrize("name", ["unknown", "perfect", "finish"])
def test_a_judgement_that_settles_nothing_lets_the_plan_go_on(name: str) -> None:
    model = scripted(plan=[plan_of("Method A", "Method B")], step=[block("x = 1"), WORK], judge=[verdict(name)])
    events = solve(context(model, tool=Tool(outputs=["x = 1", "answer = 9"])))
    assert solution_of(events).answer == "9"
    assert len(of(events, StepAssessed)) == 2


def test_a_step_that_never_runs_is_not_an_answer() -> None:
    model = scripted(plan=[plan_of("Method A")], step=[block("boom")], check=["No idea."])
    events = solve(context(model, tool=Tool(outputs=[("error", "answer = 5\nZeroDivisionError")]), budget=100_000))
    solution = solution_of(events)
    assert (solution.answer, solution.status) == (None, "no_answer")
    assert not of(events, AnswerFound)
    attempts = len(of(events, StepStarted))
    assert len(prompts_of(model, instantiator.STAGE)) <= 3 * attempts


def test_when_derivations_disagree_the_best_supported_answer_stands() -> None:
    model = scripted(
        plan=[plan_of("Method A"), plan_of("Method B"), plan_of("Method C")],
        step=[block("answer = 0 + 1"), block("answer = 2 * 1"), block("answer = 1 + 1")],
        check=[r"\boxed{3}"],
    )
    solution = solution_of(solve(context(model, tool=Tool(outputs=["answer = 1", "answer = 2"]))))
    assert solution.answer == "2"
    assert solution.confidence is not None
    assert 0 < solution.confidence < 1


def test_follow_neither_plans_nor_judges_nor_checks() -> None:
    model = scripted(plan=[plan_of("Method H")], step=[block("x = 1"), WORK], judge=[verdict("revise")])
    made = context(model, tool=Tool(outputs=["x = 1", "answer = 9"]))
    trajectory = Trajectory(steps=(planned("Method A"), planned("Method B")), origin="given")
    events = list(Reasoner(made).follow(PROBLEM, trajectory, {0: template("Method A"), 1: None}))
    assert {request.stage for request in model.requests} == {instantiator.STAGE}
    assert not of(events, StepAssessed)
    assert not of(events, PlanRevised)
    solution = solution_of(events)
    assert (solution.answer, solution.revisions) == ("9", 0)
    assert [entry.template for entry in solution.trajectory] == ["method-a", None]
    assert "Method A" in prompts_of(model)[0]


def test_follow_goes_on_after_a_step_that_gave_nothing() -> None:
    model = scripted(step=[block("boom"), block("boom"), block("boom"), WORK])
    made = context(model, tool=Tool(outputs=[*[("error", "boom")] * 3, "answer = 9"]))
    trajectory = Trajectory(steps=(planned("Method A"), planned("Method B")))
    events = list(Reasoner(made).follow(PROBLEM, trajectory, {}))
    assert [event.result.how for event in of(events, StepFinished)] == ["nothing", "computed"]
    assert solution_of(events).answer == "9"


def test_plan_yields_the_trajectory_with_its_templates() -> None:
    model = scripted(plan=[plan_of("Method A", "Nothing known")])
    generator = Reasoner(context(model)).plan(PROBLEM)
    events: list[Event] = []
    while True:
        try:
            events.append(next(generator))
        except StopIteration as stop:
            trajectory = stop.value
            break
    assert [step.template.name for step in trajectory.steps] == ["Method A", "Nothing known"]
    assert [event.match.template for event in of(events, TemplateRetrieved)] == ["method-a", None]
    assert len(of(events, ModelCalled)) == 1


def words(count: int) -> str:
    return "word " * count


REPLY = st.one_of(
    st.integers(min_value=0, max_value=200).map(words),
    st.sampled_from(
        [
            json.dumps(plan_of("Method A", "Method B", "Method C")),
            json.dumps(plan_of("Method D")),
            WORK,
            block("answer = 8"),
            block("x = 1"),
            *(json.dumps(verdict(name)) for name in ("accept", "redo", "revise", "finish", "give_up")),
            r"So \boxed{9}.",
            r"So \boxed{8}.",
            "<think>" + words(50),
        ]
    ),
)


@settings(max_examples=60, deadline=None)
@given(
    budget=st.integers(min_value=1, max_value=600),
    replies=st.lists(REPLY, min_size=1, max_size=8),
    outputs=st.lists(
        st.sampled_from(["answer = 9", "answer = 8", "x = 1", ("error", "boom"), ("timeout", "")]), min_size=1
    ),
    revisions=st.integers(min_value=0, max_value=3),
    strategy=st.sampled_from(sorted(STRATEGIES)),
)
def test_no_run_exceeds_its_budget(
    budget: int, replies: list[str], outputs: list[Any], revisions: int, strategy: str
) -> None:
    turn = iter(range(10_000))
    model = Talker(lambda stage, messages: replies[next(turn) % len(replies)])
    made = context(model, tool=Tool(outputs=outputs), budget=budget, max_revisions=revisions)
    events = list(execute(PROBLEM, made, STRATEGIES[strategy]))
    solution = solution_of(events)
    calls = [event.call.usage.completion_tokens for event in of(events, ModelCalled)]
    assert sum(calls) == solution.usage.completion_tokens <= budget
    assert solution.status in ("answered", "no_answer")
    assert (solution.answer is None) == (solution.status == "no_answer")
    assert len(of(events, PlanRevised)) == solution.revisions <= revisions
    assert all(revised.before != revised.after for revised in of(events, PlanRevised))


def test_an_exhausted_budget_gives_the_best_candidate_and_says_so() -> None:
    plan, work = plan_of("Method A"), WORK
    spent = len(re.findall(r"\S+", json.dumps(plan))) + len(re.findall(r"\S+", work))
    model = scripted(plan=[plan], step=[work])
    solution = solution_of(solve(context(model, budget=spent)))
    assert (solution.answer, solution.status) == ("9", "answered")
    assert {"budget", "partial"} <= set(solution.flags)
    assert solution.usage.completion_tokens == spent


def test_an_exhausted_budget_without_a_candidate_is_no_answer() -> None:
    events = solve(context(scripted(plan=[words(50)]), budget=5))
    solution = solution_of(events)
    assert (solution.answer, solution.status) == (None, "no_answer")
    assert "budget" in solution.flags
    assert any("budget" in notice.message for notice in of(events, Noticed))


@pytest.mark.parametrize("broken", [planner.STAGE, instantiator.STAGE, assess.STAGE, assess.CHECK_STAGE])
def test_a_model_that_breaks_fails_the_run_and_never_answers_it(broken: str) -> None:
    error = ModelUnavailable("The server of answer 42 is gone.")
    scripts: dict[str, Any] = {
        "plan": [plan_of("Method A", "Method B")],
        "step": [block("x = 1"), block("answer = 9")],
        "judge": [verdict("accept")],
        "check": [r"\boxed{9}"],
    }
    names = {planner.STAGE: "plan", instantiator.STAGE: "step", assess.STAGE: "judge", assess.CHECK_STAGE: "check"}
    made = context(scripted(**(scripts | {names[broken]: [error]})), tool=Tool(outputs=["x = 1", "answer = 9"]))
    with pytest.raises(ModelUnavailable) as caught:
        solve(made)
    assert caught.value.stage == broken
    made = context(scripted(**(scripts | {names[broken]: [error]})), tool=Tool(outputs=["x = 1", "answer = 9"]))
    events = list(execute(PROBLEM, made, STRATEGIES["reasonflux"]))
    solution = solution_of(events)
    assert (solution.status, solution.answer, solution.confidence) == ("failed", None, None)
    assert solution.error == "The server of answer 42 is gone."
    assert not of(events, AnswerFound)
    assert not any("gone" in step.output for step in solution.steps)
    failed = of(events, ModelCalled)[-1].call
    assert (failed.stage, failed.error) == (broken, "The server of answer 42 is gone.")
    assert solution.usage.calls == len(of(events, ModelCalled))


def test_a_run_abandoned_midway_stops_calling_the_model() -> None:
    model = scripted(plan=[plan_of("Method A", "Method B")], step=[WORK], judge=[verdict("accept")])
    events = Reasoner(context(model)).solve(PROBLEM)
    for event in events:
        if isinstance(event, StepStarted):
            break
    events.close()  # type: ignore[attr-defined]
    assert [request.stage for request in model.requests] == [planner.STAGE]


def test_threads_that_share_a_reasoner_never_mix_their_problems() -> None:
    both = threading.Barrier(4, timeout=30)

    def reply(stage: str | None, messages: list[Message]) -> str:
        number = set(re.findall(r"MARK(\d+)", " ".join(message.content for message in messages)))
        assert len(number) == 1
        mark = number.pop()
        if stage == planner.STAGE:
            both.wait()
            return json.dumps(plan_of("Method A", "Method B"))
        if stage == assess.STAGE:
            return json.dumps(verdict("accept"))
        return block(f"x{mark} = {mark}\nanswer = {mark}") if stage == instantiator.STAGE else rf"\boxed{{0{mark}}}"

    class Echo(Tool):
        def run(self, program: str, prelude: str = "", epilogue: str = "") -> Any:
            ran = super().run(program, prelude, epilogue)
            mark = set(re.findall(r"x(\d+)", program + prelude))
            assert len(mark) == 1
            return ran.model_copy(update={"output": f"answer = {mark.pop()}"})

    reasoner = Reasoner(context(Talker(reply), tool=Echo()))

    def one(mark: int) -> tuple[str | None, list[str]]:
        events = list(reasoner.solve(Problem(text=f"What is MARK{mark}?")))
        solution = solution_of(events)
        assert solution.usage.calls == len(of(events, ModelCalled))
        return solution.answer, [step.output for step in solution.steps]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(one, range(11, 15)))
    assert found == [(str(mark), [f"answer = {mark}"] * len(found[0][1])) for mark in range(11, 15)]


def test_the_real_sandbox_carries_variables_from_step_to_step() -> None:
    tool = PythonTool()
    if not tool.available:
        pytest.skip(tool.why_not)
    model = scripted(
        plan=[plan_of("Method A", "Method B")],
        step=[block("m = 100 % 12\nprint('m =', m)"), block("answer = pow(7, m, 13)")],
        judge=[verdict("accept")],
    )
    solution = solution_of(solve(context(model, tool=tool)))
    assert solution.answer == "9"
    assert [step.output for step in solution.steps] == ["m = 4", "answer = 9"]


def test_without_a_library_the_loop_still_runs() -> None:
    model = scripted(plan=[plan_of("Method A")], step=[WORK])
    solution = solution_of(solve(context(model, source=Templates(held=[]))))
    assert solution.answer == "9"


def test_the_planner_may_be_another_model() -> None:
    plans = scripted(plan=[plan_of("Method A", "Method B")], judge=[verdict("accept")])
    works = scripted(step=[block("x = 1"), WORK])
    made = context(works, planner_model=plans, tool=Tool(outputs=["x = 1", "answer = 9"]))
    events = solve(made)
    assert solution_of(events).answer == "9"
    assert {request.stage for request in works.requests} == {instantiator.STAGE}
    assert instantiator.STAGE not in {request.stage for request in plans.requests}
    assert sum(event.call.usage.completion_tokens for event in of(events, ModelCalled)) == (
        solution_of(events).usage.completion_tokens
    )


def test_a_run_whose_steps_give_nothing_still_tries_the_planners_own_derivation() -> None:
    model = scripted(plan=[plan_of("Method A")], step=[block("x = 1")], check=[r"So \boxed{6}."])
    solution = solution_of(solve(context(model, tool=Tool(outputs=["x = 1"]))))
    assert (solution.answer, solution.status) == ("6", "answered")


def test_the_same_program_twice_is_no_second_derivation() -> None:
    model = scripted(
        plan=[plan_of("Method A"), plan_of("Method B")], step=[block("answer = 1")], check=[r"So \boxed{6}."]
    )
    solution = solution_of(solve(context(model, tool=Tool(outputs=["answer = 1"]))))
    assert solution.answer == "6"
    assert solution.confidence == 0.5


def test_a_step_that_builds_on_an_accepted_value_does_not_confirm_it() -> None:
    model = scripted(
        plan=[plan_of("Method A", "Method B"), plan_of("Method C")],
        step=[block("answer = 1"), block("answer = answer + 0")],
        check=[r"So \boxed{6}."],
    )
    solution = solution_of(solve(context(model, tool=Tool(outputs=["answer = 1"]), max_revisions=0)))
    assert solution.answer == "6"


def test_the_judge_of_a_later_step_sees_the_facts_of_earlier_ones() -> None:
    model = scripted(
        plan=[plan_of("Method A", "Method B", "Method C")],
        step=[block("S1 = 137"), block("b = 2"), block("answer = 9")],
        judge=[verdict("accept")],
    )
    solve(context(model, tool=Tool(outputs=["S1 = 137", "b = 2", "answer = 9"])))
    first, second = prompts_of(model, assess.STAGE)
    assert "Found in earlier steps" not in first
    assert "S1 = 137" in second


def test_an_answer_that_is_only_stated_again_is_not_confirmed_by_that() -> None:
    model = scripted(
        plan=[plan_of("Method A"), plan_of("Method B")],
        step=[block(f"# try {number}\nanswer = 12") for number in range(9)],
        check=[r"\boxed{14}"],
    )
    events = solve(context(model, tool=Tool(outputs=["answer = 12"])))
    assert solution_of(events).answer == "14"
    assert not any("Two derivations" in assessed.assessment.reason for assessed in of(events, StepAssessed))
