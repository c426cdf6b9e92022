"""Running rollouts: graded where they arrive, stored at once, and run in an order that shares prompts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reasonflux.grading import Grader
from tests.reasonflux.reasoning import Templates
from tests.training.rolling import FunctionWorker, problem, sampled
from training.cold_start import templates_of
from training.engines.base import Job, Result
from training.engines.threads import ThreadEngine
from training.outcomes import OutcomeStore
from training.rollout_settings import FollowSettings
from training.rollouts import Marker, Rollout, run_rollouts


@pytest.fixture(scope="module")
def marker() -> Iterator[Marker]:
    with Grader() as grader:
        yield Marker(grader)


def rollout(number: int, *names: str, **about: Any) -> Rollout:
    plan = sampled(*(names or ("Method A",)))
    return Rollout(plan.trajectory, templates_of(plan, Templates()), problem(number, **about).graded)


def run(worker: FunctionWorker, path: Path, rollouts: list[Rollout], marker: Marker, **more: Any) -> list[Any]:
    with OutcomeStore(path) as store:
        outcomes = run_rollouts(rollouts, ThreadEngine([worker]), FollowSettings(), store, marker, **more)
        return [(outcome.correct, outcome.unknown) for outcome in outcomes]


def test_results_are_graded_and_what_can_not_be_is_not_wrong(tmp_path: Path, marker: Marker) -> None:
    answers = {"1": "9", "2": "18/2", "3": "8", "4": None, "5": "9", "6": "9"}

    def answer(job: Job) -> Result:
        number = job.problem.text.rpartition(" ")[2].rstrip("?")
        if number == "7":
            return Result(key=job.key, unknown="time-out")
        return Result(key=job.key, answer=answers[number])

    rollouts = [rollout(n) for n in (1, 2, 3, 4)] + [rollout(5, gold=r"\frac{"), rollout(6, gold=None), rollout(7)]
    found = run(FunctionWorker(answer), tmp_path / "o.db", rollouts, marker)
    assert found[:4] == [(True, None), (True, None), (False, None), (False, None)]
    assert found[5:] == [(None, "grader"), (None, "time-out")]


def test_equal_rollouts_run_once_and_in_the_order_given(tmp_path: Path, marker: Marker) -> None:
    asked: list[tuple[int, str]] = []

    def note(job: Job) -> Result:
        asked.append((len(job.trajectory.steps), job.problem.text))
        return Result(key=job.key, answer="9")

    long = ("Method A", "Method B")
    rollouts = [rollout(1), rollout(2), rollout(1, *long), rollout(2, *long), rollout(1), rollout(2)]
    steps: list[tuple[int, int]] = []
    found = run(FunctionWorker(note), tmp_path / "o.db", rollouts, marker, progress=lambda *told: steps.append(told))
    assert found == [(True, None)] * 6
    assert asked == [(length, f"What is problem {n}?") for length in (1, 2) for n in (1, 2)]
    assert steps == [(n, 4) for n in range(5)]


def test_what_is_not_known_is_tried_again_where_that_may_help(tmp_path: Path, marker: Marker) -> None:
    causes = iter(["time-out", "lost"])

    def unsure(job: Job) -> Result:
        return Result(key=job.key, unknown=next(causes))  # type: ignore[arg-type]

    rollouts = [rollout(1), rollout(2)]
    assert run(FunctionWorker(unsure), tmp_path / "o.db", rollouts, marker) == [(None, "time-out"), (None, "lost")]
    sound = FunctionWorker(lambda job: Result(key=job.key, answer="9"))
    assert run(sound, tmp_path / "o.db", rollouts, marker) == [(None, "time-out"), (True, None)]
    assert len(sound.keys) == 1
    assert run(sound, tmp_path / "o.db", rollouts, marker, retry_unknown=True) == [(True, None)] * 2
    assert run(sound, tmp_path / "o.db", rollouts, marker, retry_unknown=True) == [(True, None)] * 2
    assert len(sound.keys) == 2


def test_what_was_done_stands_when_a_run_breaks(tmp_path: Path, marker: Marker) -> None:
    def breaking(job: Job) -> Result:
        if "3" in job.problem.text:
            raise ZeroDivisionError
        return Result(key=job.key, answer="9")

    with pytest.raises(ZeroDivisionError):
        run(FunctionWorker(breaking), tmp_path / "o.db", [rollout(n) for n in range(1, 6)], marker)
    sound = FunctionWorker(lambda job: Result(key=job.key, answer="9"))
    run(sound, tmp_path / "o.db", [rollout(n) for n in range(1, 6)], marker)
    assert len(sound.keys) == 3
