"""Verifying examples: each program's outcome, in order, in parallel, and never past a runner that can't run."""

import threading
import time
from collections.abc import Callable

import pytest

from library.protocols import Comparison, ProgramOutput
from library.template import Example, Template
from library.verify import CheckResult, Job, jobs_of, verify_all, verify_template


class Runner:
    """Answers with what a function makes of a program; counts what runs at a time."""

    def __init__(self, answer: Callable[[str], ProgramOutput]) -> None:
        self._answer = answer
        self._lock = threading.Lock()
        self.ran: list[str] = []
        self.at_once = self.most_at_once = 0

    def run(self, source: str) -> ProgramOutput:
        with self._lock:
            self.ran.append(source)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return self._answer(source)
        finally:
            with self._lock:
                self.at_once -= 1


class LastLine:
    """Compares the last line, letter for letter; can't judge a question mark."""

    def compare(self, printed: str, example: Example) -> Comparison:
        value = printed.split("\n")[-1]
        if value == "?":
            return Comparison(None, value, "it can't be judged")
        return Comparison(value == example.answer, value, "" if value == example.answer else "they differ")


def echo(source: str) -> ProgramOutput:
    return ProgramOutput(True, source, seconds=0.25)


def made(*examples: Example) -> Template:
    return Template(name="Halve it", description="Halves a number.", steps=("Halve it.",), examples=examples)


def with_programs(program: str | None, check: str | None) -> Example:
    return Example(problem="Half of 14?", answer="7", program=program, check=check)


def test_programs_and_checks_run_in_order() -> None:
    template = made(with_programs("facts\n7", "8"), with_programs(None, None), with_programs(None, "?"))
    results = verify_template(template, Runner(echo), LastLine())
    assert results == [
        CheckResult("halve-it", 1, "program", "right", "7", "7", "", 0.25),
        CheckResult("halve-it", 1, "check", "wrong", "7", "8", "they differ", 0.25),
        CheckResult("halve-it", 3, "check", "undecided", "7", "?", "it can't be judged", 0.25),
    ]
    assert [result.passed for result in results] == [True, False, False]


def test_a_program_that_fails_or_is_silent_is_not_compared() -> None:
    failing = Runner(lambda source: ProgramOutput(False, "7", "ValueError: no"))
    (result,) = verify_template(made(with_programs("x", None)), failing, LastLine())
    assert (result.outcome, result.printed, result.reason) == ("failed", "7", "ValueError: no")
    silent = Runner(lambda source: ProgramOutput(True, " \n"))
    (result,) = verify_template(made(with_programs("x", None)), silent, LastLine())
    assert (result.outcome, result.reason) == ("wrong", "it printed nothing")


def test_long_output_is_cut() -> None:
    flood = Runner(lambda source: ProgramOutput(False, "x" * 100_000, "too much"))
    (result,) = verify_template(made(with_programs("x", None)), flood, LastLine())
    assert len(result.printed) < 3_000


def jobs(number: int) -> list[Job]:
    return [Job("halve-it", n, with_programs(str(n), None), "program", str(n)) for n in range(number)]


def test_parallel_results_come_in_order_and_jobs_are_taken_as_needed() -> None:
    def slower_first(source: str) -> ProgramOutput:
        time.sleep(0.02 if int(source) % 3 == 0 else 0)
        return ProgramOutput(True, "7")

    runner = Runner(slower_first)
    taken: list[int] = []
    listed = (taken.append(job.number) or job for job in jobs(40))
    results = verify_all(listed, runner, LastLine(), parallel=3)
    assert next(results).example == 0
    assert len(taken) < 12
    assert [result.example for result in results] == list(range(1, 40))
    assert 1 < runner.most_at_once <= 3


def test_a_runner_that_can_not_run_ends_it() -> None:
    class NoRunner(Exception):
        pass

    def refuse(source: str) -> ProgramOutput:
        raise NoRunner("nothing runs here")

    runner = Runner(refuse)
    with pytest.raises(NoRunner):
        list(verify_all(jobs(40), runner, LastLine(), parallel=2))
    assert len(runner.ran) <= 6


def test_stopping_early_runs_no_more() -> None:
    runner = Runner(lambda source: ProgramOutput(True, "7"))
    results = verify_all(jobs(40), runner, LastLine(), parallel=2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    ran = len(runner.ran)
    time.sleep(0.02)
    assert len(runner.ran) == ran < 12


def test_jobs_carry_the_slug_of_the_library() -> None:
    assert [job.template for job in jobs_of(made(with_programs("a", "b")), "halve-it-2")] == ["halve-it-2"] * 2
