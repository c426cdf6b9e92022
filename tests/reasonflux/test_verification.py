"""Examples meet the real sandbox and the real grader: what counts as the printed answer, and what is refused."""

from typing import Literal

import pytest

from library.seeding import seed_templates
from library.template import Example
from library.verify import jobs_of, verify_all
from reasonflux import verification
from reasonflux.errors import SandboxUnavailable
from reasonflux.grading import Grader
from reasonflux.tools.sandbox import Limits
from reasonflux.verification import GradingComparer, SandboxRunner, printed_answer


def example(answer: str, grader: Literal["math", "text"] = "math") -> Example:
    return Example(problem="What comes out?", answer=answer, grader=grader)


@pytest.mark.parametrize(
    ("printed", "answer", "grader", "value"),
    [
        ("factor = 3/4\nanswer = 84\n", "84", "math", "84"),
        ("84", "84", "math", "84"),
        ("x = Fraction(1, 2)", "1/2", "math", "1/2"),
        ("answer = 1\nanswer = 2", "2", "math", "2"),
        ("rows = 3\nanswer = Bea, Dov", "Bea, Dov", "text", "Bea, Dov"),
        ("SELECT a FROM t WHERE x = 5", "SELECT a FROM t WHERE x = 5", "text", "SELECT a FROM t WHERE x = 5"),
        ("status: open", "open", "text", "status: open"),
        ("note\na: 1\nb: 2", "a: 1\nb: 2", "text", "a: 1\nb: 2"),
        ("answer =\nfirst\nsecond", "first\nsecond", "text", "first\nsecond"),
        ("answer =", "x", "text", None),
        ("ValueError: no", "7", "math", None),
    ],
)
def test_the_printed_answer(printed: str, answer: str, grader: Literal["math", "text"], value: str | None) -> None:
    assert printed_answer(printed, example(answer, grader)) == value


@pytest.mark.parametrize(
    ("printed", "answer", "grader", "right"),
    [
        ("answer = 0.5", "1/2", "math", True),
        ("answer = 3", "1/2", "math", False),
        ("BEA,  dov", "Bea, Dov", "text", True),
        ("Bea", "Bea, Dov", "text", False),
        ("the answer = 5", "the answer = 5", "text", True),
        ("NULL", "NULL", "text", True),
        ("None", "7", "math", False),
    ],
)
def test_answers_are_compared_by_the_grader(
    printed: str, answer: str, grader: Literal["math", "text"], right: bool
) -> None:
    with Grader() as judge:
        assert GradingComparer(judge).compare(printed, example(answer, grader)).right is right


def test_programs_run_as_they_stand() -> None:
    runner = SandboxRunner(Limits(wall_seconds=5))
    done = runner.run("print(6 * 7)")
    assert (done.ok, done.printed, done.reason) == (True, "42\n", "")
    forgetful = runner.run("print(sqrt(4))")
    assert not forgetful.ok
    assert "NameError" in forgetful.reason
    assert runner.run("6 * 7").printed == ""


@pytest.mark.parametrize(("source", "reason"), [("print('\0')", "NUL"), ("print('\ud800')", "surrogate")])
def test_texts_that_are_no_program_are_refused(source: str, reason: str) -> None:
    output = SandboxRunner().run(source)
    assert not output.ok
    assert reason in output.reason


def test_a_system_without_sandbox_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise SandboxUnavailable("Programs can't be run safely here: no Landlock.")

    monkeypatch.setattr(verification, "run_program", refuse)
    with pytest.raises(SandboxUnavailable):
        SandboxRunner().run("print(1)")


@pytest.mark.slow
def test_the_seed_is_right_in_the_sandbox() -> None:
    jobs = [job for template in seed_templates() for job in jobs_of(template)]
    with Grader() as judge:
        results = list(verify_all(jobs, SandboxRunner(), GradingComparer(judge), parallel=2))
    assert [result for result in results if not result.passed] == []
