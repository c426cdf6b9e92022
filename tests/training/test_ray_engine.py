"""A local Ray cluster: what was killed in the middle of its work is done again, and the rows are the same."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reasonflux.errors import ModelUnavailable
from reasonflux.grading import Grader
from tests.reasonflux.reasoning import Templates
from tests.training.rolling import job, problem, sampled
from training.cold_start import templates_of
from training.engines.base import Job, Result, Worker, WorkerLost
from training.engines.ray import RayEngine
from training.engines.threads import ThreadEngine
from training.outcomes import OutcomeStore
from training.rollout_settings import FollowSettings
from training.rollouts import Marker, Rollout, run_rollouts

ray = pytest.importorskip("ray")


def worker_maker(folder: Path, *, fails: str = "") -> Callable[[], Worker]:
    """Return what makes a worker that answers 9; the first job of all waits, with its process id in a file."""
    from reasonflux.models.base import ModelInfo

    class Waiting:
        info = ModelInfo(spec="waiting:", backend="waiting")

        def __call__(self, job: Job) -> Result:
            if fails and fails in job.problem.text:
                raise WorkerLost("the model is down")
            try:
                with (folder / "first").open("x", encoding="utf-8") as file:
                    file.write(f"{os.getpid()}\n")
            except FileExistsError:
                return Result(key=job.key, answer="9")
            time.sleep(600)
            raise AssertionError("it was to be killed")

        def close(self) -> None:
            return None

    return Waiting


@pytest.fixture
def make_engine() -> Iterator[Any]:
    made: list[RayEngine] = []

    def make(*arguments: Any, **options: Any) -> RayEngine:
        made.append(RayEngine(*arguments, **options))
        return made[-1]

    yield make
    for engine in made:
        engine.close()
    assert not ray.is_initialized()


def rollouts() -> list[Rollout]:
    return [
        Rollout(plan.trajectory, templates_of(plan, Templates()), problem(number).graded)
        for plan in (sampled("Method A"), sampled("Method B"), sampled("Method A", "Method C"))
        for number in range(4)
    ]


def run(engine: Any, path: Path) -> list[Any]:
    with OutcomeStore(path) as store, Grader() as grader:
        return run_rollouts(rollouts(), engine, FollowSettings(), store, Marker(grader))


def keys(path: Path) -> list[str]:
    with OutcomeStore(path) as store:
        return store.keys()


def test_a_worker_killed_in_the_middle_of_a_job_costs_nothing(make_engine: Any, tmp_path: Path) -> None:
    (tmp_path / "calm").mkdir()
    (tmp_path / "calm" / "first").touch()
    calm = ThreadEngine([worker_maker(tmp_path / "calm")()])
    run(calm, tmp_path / "calm.db")

    engine = make_engine(worker_maker(tmp_path), workers=2, cpus=0.5)
    killed = threading.Event()

    def kill() -> None:
        while not (tmp_path / "first").exists() or not (tmp_path / "first").read_text("utf-8").endswith("\n"):
            time.sleep(0.05)
        os.kill(int((tmp_path / "first").read_text("utf-8")), signal.SIGKILL)
        killed.set()

    threading.Thread(target=kill, daemon=True).start()
    outcomes = run(engine, tmp_path / "ray.db")
    assert killed.is_set()
    assert [outcome.correct for outcome in outcomes] == [True] * 12
    assert keys(tmp_path / "ray.db") == keys(tmp_path / "calm.db")
    assert results_of(engine, "again")[0].answer == "9"


def results_of(engine: Any, text: str) -> list[Result]:
    return list(engine.run([job(text=text)]))


def test_a_model_down_in_a_living_actor_is_a_loss_and_one_that_can_not_load_an_error(
    make_engine: Any, tmp_path: Path
) -> None:
    (tmp_path / "first").touch()
    engine = make_engine(worker_maker(tmp_path, fails="down"), workers=1, retries=1)
    (result,) = results_of(engine, "down")
    assert (result.unknown, result.answer) == ("lost", None)
    assert results_of(engine, "up")[0].answer == "9"
    engine.close()

    def broken() -> Worker:
        raise ValueError("no such weights")

    with pytest.raises(ModelUnavailable, match="can't load its model"):
        make_engine(broken, workers=1)
