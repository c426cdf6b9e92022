"""Engines: every job has one result, room is kept, and lost work is done again a bounded number of times."""

import threading
from collections.abc import Iterator

import pytest

from reasonflux.errors import ModelUnavailable, UsageError
from tests.training.rolling import FunctionWorker, job
from training.engines.base import Job, Result, WorkerLost
from training.engines.dispatch import LOSSES
from training.engines.threads import ThreadEngine


def right(job: Job) -> Result:
    return Result(key=job.key, answer=job.key)


def down(job: Job) -> Result:
    raise WorkerLost("it is down")


def jobs(number: int) -> list[Job]:
    return [job(f"k{n}") for n in range(number)]


def keys(results: Iterator[Result]) -> list[str]:
    return sorted(result.key for result in results)


def test_every_job_has_one_result() -> None:
    engine = ThreadEngine([FunctionWorker(right)], slots=3)
    assert keys(engine.run(jobs(20))) == sorted(f"k{n}" for n in range(20))
    engine.close()
    assert list(engine.run([])) == []


def test_jobs_are_taken_only_when_there_is_room() -> None:
    taken: list[str] = []
    gate = threading.Event()

    def source() -> Iterator[Job]:
        for made in jobs(10):
            taken.append(made.key)
            yield made

    def wait(job: Job) -> Result:
        gate.wait(30)
        return right(job)

    worker = FunctionWorker(wait)
    engine = ThreadEngine([worker], slots=2)
    run = engine.run(source())
    threading.Timer(0.05, gate.set).start()
    next(run)
    assert len(taken) <= 3
    assert len(list(run)) == 9
    assert worker.most <= 2
    engine.close()


def test_endpoints_take_turns() -> None:
    barrier = threading.Barrier(3, timeout=30)

    def together(job: Job) -> Result:
        barrier.wait()
        return right(job)

    workers = [FunctionWorker(together) for _ in range(3)]
    engine = ThreadEngine(workers)
    assert len(list(engine.run(jobs(9)))) == 9
    assert [len(worker.keys) for worker in workers] == [3, 3, 3]
    engine.close()
    assert all(worker.closed for worker in workers)


def test_the_job_of_a_lost_worker_is_done_by_another() -> None:
    lost, sound = FunctionWorker(down), FunctionWorker(right)
    engine = ThreadEngine([lost, sound], retries=LOSSES + 1)
    results = list(engine.run(jobs(30)))
    assert keys(iter(results)) == sorted(f"k{n}" for n in range(30))
    assert {result.unknown for result in results} == {None}
    assert len(lost.keys) == LOSSES
    engine.close()


def test_a_job_that_no_worker_survives_is_lost_after_a_bounded_number_of_tries() -> None:
    def picky(job: Job) -> Result:
        return down(job) if job.key == "k2" else right(job)

    worker = FunctionWorker(picky)
    engine = ThreadEngine([worker], retries=2)
    results = {result.key: result for result in engine.run(jobs(5))}
    assert (results["k2"].unknown, worker.keys.count("k2")) == ("lost", 3)
    assert "it is down" in results["k2"].note
    assert {result.unknown for key, result in results.items() if key != "k2"} == {None}
    engine.close()


def test_without_any_worker_left_the_run_stops() -> None:
    engine = ThreadEngine([FunctionWorker(down), FunctionWorker(down)])
    with pytest.raises(ModelUnavailable, match=r"No worker is left \(talker:: it is down\)"):
        list(engine.run(jobs(30)))
    engine.close()


def test_an_error_of_ours_is_not_taken_for_a_loss() -> None:
    def broken(job: Job) -> Result:
        raise ZeroDivisionError

    engine = ThreadEngine([FunctionWorker(broken)])
    with pytest.raises(ZeroDivisionError):
        list(engine.run(jobs(1)))
    engine.close()


def test_an_engine_needs_a_worker() -> None:
    with pytest.raises(UsageError):
        ThreadEngine([])
