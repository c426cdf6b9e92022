from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.context import Context, Conversation
from reasonflux.instantiator import (
    MAX_FACTS,
    SHOW_ANSWER,
    STATES_ONLY,
    Task,
    answer_of,
    facts_of,
    last_program,
    prelude_of,
    states_only,
    work,
    worked_example,
)
from reasonflux.tools.python import PythonTool
from reasonflux.types import Event, StepResult, ToolCall, ToolCalled
from tests.reasonflux.reasoning import PROBE, PROBLEM, Tool, block, context, of, planned, prompts_of, scripted, template


@pytest.fixture(scope="module")
def sandbox() -> PythonTool:
    tool = PythonTool()
    if not tool.available:
        pytest.skip(tool.why_not)
    return tool


def run(made: Context, *, last: bool = True, **task: object) -> tuple[list[Event], StepResult]:
    fields = {
        "problem": PROBLEM,
        "step": planned("Method A"),
        "index": 0,
        "template": template("Method A"),
        "last": last,
    }
    generator = work(Task(**(fields | task)), Conversation(made))  # type: ignore[arg-type]
    events: list[Event] = []
    while True:
        try:
            events.append(next(generator))
        except StopIteration as stop:
            return events, stop.value


SHOWN = [
    ("answer = 9", "9"),
    ("answer = 2.0000000000001", "2"),
    ("answer = 0.1 + 0.2", "0.30000000000000004"),
    ("answer = 1e20", "1" + "0" * 20),
    ("answer = (1, 2.0)", "(1, 2)"),
    ("answer = ((1, 2), (3, 4))", "((1, 2), (3, 4))"),
    ("answer = [1, 2.0]", "1, 2"),
    ("answer = {3}", "3"),
    ("answer = frozenset([4])", "4"),
    ("answer = {'x': 1, 'y': [2, 3]}", "1, 2, 3"),
    ("answer = 'Alice'", "Alice"),
    ("answer = 'two\\nlines'", "two lines"),
    ("answer = 'x = 5'", "5"),
    ("from fractions import Fraction\nanswer = Fraction(3, 4)", "3/4"),
    ("from sympy import Rational\nanswer = Rational(1, 2)", r"\frac{1}{2}"),
    ("from sympy import sqrt\nanswer = -sqrt(2) / 2", r"- \frac{\sqrt{2}}{2}"),
    (
        "from sympy import solve, symbols\nx = symbols('x')\nanswer = solve(x**2 - 2, x, dict=True)",
        r"- \sqrt{2}, \sqrt{2}",
    ),
    ("from sympy import Matrix\nanswer = Matrix([[1, 2]])", r"\left[\begin{matrix}1 & 2\end{matrix}\right]"),
    ("list = [1]\nset = 3\nmax = 4\nstr = 'a'\nround = abs = isinstance = 0\nanswer = 2.0", "2"),
    ("print('answer = 5')\nanswer = 6\nprint('done')", "6"),
    ("answer = 5\nprint('x = 7')", "5"),
]
NOTHING_SHOWN = [
    "answer = None",
    "answer = []",
    "answer = ()",
    "answer = {}",
    "answer = set()",
    "answer = ''",
    "answer = '  '",
    "answer = float('nan')",
    "answer = float('inf')",
    "answer = -float('inf')",
    "answer = True",
    "from sympy import true\nanswer = true",
    "from sympy import nan\nanswer = nan",
    "def answer():\n    return 3",
    "answer = map(str, [1])",
    "answer = (n for n in [1])",
    "print('answer = 5')\nanswer = []",
    "answer = 10**4200",
    "x = 5",
]


@pytest.mark.parametrize(("program", "value"), SHOWN)
def test_an_answer_of_any_type_is_shown_as_a_grader_reads_it(sandbox: PythonTool, program: str, value: str) -> None:
    call = sandbox.run(program, "", SHOW_ANSWER)
    assert call.status == "ok", call.output
    assert answer_of(call.output) == value


@pytest.mark.parametrize("program", NOTHING_SHOWN)
def test_what_holds_no_value_is_no_answer_and_no_failure(sandbox: PythonTool, program: str) -> None:
    call = sandbox.run(program, "", SHOW_ANSWER)
    assert call.status == "ok", call.output
    assert answer_of(call.output) is None


def test_the_value_of_a_last_line_is_a_fact_where_no_answer_was_set(sandbox: PythonTool) -> None:
    call = sandbox.run("x = 3\nx + 4", "", SHOW_ANSWER)
    assert (call.status, call.output) == ("ok", "7")


def test_an_answer_is_shown_once(sandbox: PythonTool) -> None:
    assert sandbox.run("answer = 7", "", SHOW_ANSWER).output == "answer = 7"
    assert sandbox.run("answer = 7\nanswer + 1", "", SHOW_ANSWER).output == "answer = 7"


def test_a_later_step_sees_earlier_variables_but_never_a_stale_answer(sandbox: PythonTool) -> None:
    first = _computed("base = 7\nanswer = base ** 2")
    model = scripted(step=[block("print('m =', base + 6)")])
    _, result = run(context(model, tool=sandbox), last=False, before=(first,), index=1)
    assert (result.facts, result.answer, result.how) == (("m = 13",), None, "computed")
    model = scripted(step=[block("answer = base + 1")])
    _, result = run(context(model, tool=sandbox), before=(first,), index=1)
    assert result.answer == "8"


def test_the_prelude_holds_the_programs_that_ran() -> None:
    failed = _computed("bad", status="error")
    mended = StepResult(step=0, output="", tool_calls=(*failed.tool_calls, *_computed("x = 1").tool_calls))
    prelude = prelude_of([mended, StepResult(step=1, output="in words"), failed, _computed("y = x + 1")])
    names: dict[str, object] = {}
    exec(prelude, names)
    assert (names["x"], names["y"]) == (1, 2)
    assert prelude_of([failed]) == ""
    assert prelude_of([]) == ""


def _computed(program: str, status: str = "ok") -> StepResult:
    call = ToolCall.model_validate({"program": program, "status": status, "output": "o"})
    return StepResult(step=0, output="o", tool_calls=(call,), how="computed", facts=("o",))


@pytest.mark.parametrize(
    ("reply", "program"),
    [
        (block("x = 1"), "x = 1"),
        ("```python\nx = 1", "x = 1"),
        ("```py\nx = 1\n", "x = 1\n".strip("\n")),
        ("```\nx = 1\n```", "x = 1"),
        ("First\n```python\nx = 1\n```\nthen\n```python\ny = 2\n```\nso it is 2.", "y = 2"),
        ("First\n```python\nx = 1\n```\nthen\n```python\ny = 2", "y = 2"),
        ("1. Do this:\n   ```python\n   x = 1\n   if x:\n       y = 2\n   ```", "x = 1\nif x:\n    y = 2"),
        ("```python\n\n```", None),
        ("```python\nx = 1\n```\n```python\n```", "x = 1"),
        ("```python\nx = 1\n```\nIt prints\n```text\n1\n```\nSo the answer is 1.", "x = 1"),
        ("```python\nx = 1\n```\nIt prints\n```\n1\n```", "x = 1"),
        ("no program, \\boxed{3}", None),
        ("", None),
        ("```", None),
    ],
)
def test_the_last_program_of_a_reply(reply: str, program: str | None) -> None:
    assert last_program(reply) == program


@given(st.text(alphabet=st.sampled_from("`python\n \tx=1"), max_size=120))
def test_no_reply_breaks_the_search_for_a_program(reply: str) -> None:
    program = last_program(reply)
    assert program is None or program.strip()


@given(st.text(max_size=300))
def test_no_output_breaks_reading_facts_and_answer(output: str) -> None:
    facts = facts_of(output)
    assert len(facts) <= MAX_FACTS
    assert all(len(fact) <= 310 for fact in facts)
    answer_of(output)


def test_facts_are_assignments_or_else_the_last_lines() -> None:
    assert facts_of("hello\nx = 1\nso y = 2\nz = 3\n") == ("x = 1", "z = 3")
    assert facts_of("hello\n\nworld\n") == ("hello", "world")
    assert facts_of("S1 = 137. " + "x " * 15_000)[0].startswith("S1 = 137.")


def test_a_failing_program_goes_back_twice_at_most() -> None:
    programs = count(1)
    model = scripted(step=[block(f"answer = {next(programs)}") for _ in range(5)])
    tool = Tool(outputs=[("error", "NameError: one"), ("timeout", "two ran too long"), ("error", "three")])
    events, result = run(context(model, tool=tool, instantiator={"max_repairs": 2}))
    assert len(tool.runs) == len(model.requests) == 3
    assert [event.call.status for event in events if isinstance(event, ToolCalled)] == ["error", "timeout", "error"]
    assert (result.how, result.answer, result.facts, len(result.tool_calls)) == ("nothing", None, (), 3)
    second = [message.role for message in model.requests[1].messages]
    assert second[-2:] == ["assistant", "user"]
    assert "NameError: one" in model.requests[1].messages[-1].content
    assert "two ran too long" in model.requests[2].messages[-1].content


def test_a_mended_program_counts_and_the_failure_stays_on_record() -> None:
    model = scripted(step=[block("answer = x"), block("answer = 4 + 5")])
    _, result = run(context(model, tool=Tool(outputs=[("error", "NameError: x"), "answer = 9"])))
    assert (result.answer, result.how) == ("9", "computed")
    assert [call.program for call in result.tool_calls] == ["answer = x", "answer = 4 + 5"]
    assert [call.status for call in result.tool_calls] == ["error", "ok"]


def test_a_last_step_without_an_answer_is_sent_back_but_an_earlier_one_is_not() -> None:
    model = scripted(step=[block("x = 1"), block("answer = 1")])
    _, result = run(context(model, tool=Tool(outputs=["x = 1", "answer = 1"])))
    assert (result.answer, len(result.tool_calls)) == ("1", 2)
    _, result = run(context(scripted(step=[block("x = 1")]), tool=Tool(outputs=["x = 1"])), last=False)
    assert (result.answer, result.facts, len(result.tool_calls)) == (None, ("x = 1",), 1)


def test_no_error_text_becomes_an_answer_or_a_fact() -> None:
    model = scripted(step=[block("boom"), block("boom"), r"It fails, so \boxed{ZeroDivisionError}."])
    _, result = run(context(model, tool=Tool(outputs=[("error", "ZeroDivisionError: answer = 7")])))
    assert (result.answer, result.facts, result.how) == (None, (), "nothing")


@pytest.mark.parametrize("options", [{"tool": Tool(available=False)}, {"instantiator": {"tools": False}}])
def test_without_the_tool_the_words_are_the_result(options: dict[str, object]) -> None:
    model = scripted(step=[block("answer = 1") + "\nSo it is \\boxed{9}."])
    made = context(model, **options)  # type: ignore[arg-type]
    events, result = run(made)
    assert (result.answer, result.how, result.tool_calls) == ("9", "reasoned", ())
    assert not [event for event in events if isinstance(event, ToolCalled)]
    assert made.tools.runs == []  # type: ignore[union-attr]


def test_an_empty_reply_is_nothing() -> None:
    _, result = run(context(scripted(step=[""])))
    assert (result.how, result.answer, result.output) == ("nothing", None, "")


def test_a_reply_cut_at_its_limit_gives_no_guessed_answer() -> None:
    model = scripted(step=["so \\boxed{1 " + "and " * 30])
    made = context(model, tool=Tool(available=False), instantiator={"max_tokens": 16})
    _, result = run(made)
    assert result.truncated
    assert result.answer is None


def test_prompts_show_index_examples_and_no_probe() -> None:
    model = scripted(step=[block("boom"), block("answer = 9")])
    run(context(model, tool=Tool(outputs=[("error", "boom"), "answer = 9"])))
    prompts = prompts_of(model)
    assert "An instance of Method A." in prompts[0]
    assert not any(PROBE in prompt for prompt in prompts)
    probes = tuple(example for example in template("A").examples if example.role == "probe")
    assert worked_example(template("A", examples=probes)) is None


def test_what_earlier_steps_found_reaches_the_prompt_even_when_a_later_one_found_much() -> None:
    first = StepResult(step=0, output="S1 = 137", facts=("S1 = 137",))
    second = StepResult(step=1, output="…", facts=tuple(f"x{n} = {n}" for n in range(MAX_FACTS)))
    model = scripted(step=[block("answer = 4 + 5")])
    run(context(model), before=(first, second), index=2, feedback="Mind the sign.")
    (prompt,) = prompts_of(model)
    assert "S1 = 137" in prompt
    assert f"x{MAX_FACTS - 1} =" in prompt
    assert "Mind the sign." in prompt


@pytest.mark.parametrize(
    ("program", "states"),
    [
        ("answer = 12", True),
        ("# 84 = 2 * 2 * 3 * 7\nx = 12\nprint('x =', x)\nanswer = x", True),
        ("from fractions import Fraction\nanswer = Fraction(1, 2)", True),
        ("answer = -5", True),
        ("answer = 2 + 3 + 7", False),
        ("answer = sum([2, 3, 7])", False),
        ("for n in range(9):\n    answer = n", False),
        ("answer = [n for n in (1, 2)]", False),
        ("answer = (", False),
    ],
)
def test_a_program_that_only_states_a_value_is_known(program: str, states: bool) -> None:
    assert states_only(program) is states


@pytest.mark.parametrize(
    ("reply", "program"),
    [
        ("x = 3\nanswer = x * 2", "x = 3\nanswer = x * 2"),
        ("import math\nprint(math.pi)", "import math\nprint(math.pi)"),
        ("42", None),
        ("The answer is 9.", None),
        ("x = 3 (\nprint(x)", None),
    ],
)
def test_a_program_without_a_fence_is_seen(reply: str, program: str | None) -> None:
    assert last_program(reply) == program


def test_a_line_of_a_broken_program_is_no_answer() -> None:
    reply = 'answer = max(1, 2\nprint("answer =", answer)'
    model = scripted(step=[reply, reply])
    _, result = run(context(model))
    assert (result.answer, len(model.requests)) == (None, 2)


def test_a_last_step_that_only_states_its_answer_is_asked_to_compute() -> None:
    model = scripted(step=[block("answer = 12"), block("answer = 3 * 4 + 2")])
    events, result = run(context(model, tool=Tool(outputs=["answer = 12", "answer = 14"])))
    assert STATES_ONLY in prompts_of(model)[1]
    assert (result.answer, len(of(events, ToolCalled))) == ("14", 2)


def test_what_was_stated_stands_where_nothing_better_comes() -> None:
    model = scripted(step=[block("answer = 12"), block("1 / 0")])
    _, result = run(context(model, tool=Tool(outputs=["answer = 12", ("error", "ZeroDivisionError")])))
    assert (result.answer, result.how, len(result.tool_calls)) == ("12", "reasoned", 2)


def test_an_intermediate_step_may_state_what_is_given() -> None:
    model = scripted(step=[block("speed = 12")])
    _, result = run(context(model, tool=Tool(outputs=["speed = 12"])), last=False)
    assert (len(model.requests), result.facts) == (1, ("speed = 12",))


def test_later_attempts_are_drawn_in_another_way() -> None:
    model = scripted(step=[block("answer = 4 + 5")])
    run(context(model))
    run(context(model), attempt=2)
    first, second = (request.params for request in model.requests)
    assert first.temperature == 0.0
    assert second.temperature > 0.0
    assert first.seed != second.seed
