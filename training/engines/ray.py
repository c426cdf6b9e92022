"""The engine of a Ray cluster: actors that each hold a model.

An actor that dies is replaced and its job done again, by whichever actor has room. Results come back to this process,
which alone grades and stores them. Ray is an extra: `pip install reasonflux[ray]`.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from reasonflux.errors import ModelUnavailable, UsageError
from reasonflux.models.base import ModelInfo
from training.engines.base import Job, Result, Worker, WorkerLost
from training.engines.dispatch import RETRIES, dispatch

START_SECONDS = 900.0
"""How long an actor may take to load its model."""
_STORE_BYTES = 100 * 2**20


class RayEngine:
    """Does jobs on the actors of a Ray cluster."""

    def __init__(
        self,
        make_worker: Callable[[], Worker],
        *,
        workers: int,
        address: str | None = None,
        slots: int = 1,
        cpus: float = 1.0,
        gpus: float = 0.0,
        retries: int = RETRIES,
    ) -> None:
        """Start the actors and wait for the first.

        Args:
            make_worker: makes an actor's worker, there; it must be picklable.
            workers: number of actors.
            address: of a running cluster (`auto` for the one of this machine); None starts one here.
            slots: jobs that an actor does at once.
            cpus: processors an actor reserves.
            gpus: accelerators an actor reserves.
            retries: times the job of a lost actor is done again.

        Raises:
            UsageError: Ray is not installed.
            ModelUnavailable: the cluster can't be reached, or an actor can't load its model.
        """
        self._ray = _ray()
        self._retries = retries
        self._started = not self._ray.is_initialized()
        self._lanes: list[_RayLane] = []
        try:
            if self._started:
                _join(self._ray, address, workers, cpus, gpus)
            options = {"num_cpus": cpus, "num_gpus": gpus, "max_concurrency": slots + 1, "max_restarts": 0}
            self._lanes = [
                _RayLane(self._ray, make_worker, options, slots, f"actor {n}") for n in range(1, workers + 1)
            ]
            self._info = self._lanes[0].info()
        except BaseException:
            self.close()
            raise

    @property
    def info(self) -> ModelInfo:
        """Facts on the model."""
        return self._info

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield a result for each job, as they come.

        Raises:
            ModelUnavailable: no actor is left.
        """
        return dispatch(jobs, self._lanes, retries=self._retries)

    def close(self) -> None:
        """End the actors, and the cluster where it was started here."""
        for lane in self._lanes:
            lane.close()
        self._lanes = []
        if self._started and self._ray.is_initialized():
            self._ray.shutdown()


class _Actor:
    """Holds one worker on whichever node it was put."""

    def __init__(self, make_worker: Callable[[], Worker]) -> None:
        self._worker = make_worker()

    def info(self) -> ModelInfo:
        return self._worker.info

    def work(self, job: Job) -> Result:
        return self._worker(job)


class _RayLane:
    """The way to one actor."""

    def __init__(
        self, ray: Any, make_worker: Callable[[], Worker], options: dict[str, Any], slots: int, name: str
    ) -> None:
        self._ray = ray
        self._make_worker = make_worker
        self._options = options
        self.slots = slots
        self.name = name
        self._actor = self._new()

    def info(self) -> ModelInfo:
        try:
            info: ModelInfo = self._ray.get(self._actor.info.remote(), timeout=START_SECONDS)
        except self._ray.exceptions.RayError as error:
            raise ModelUnavailable(f"The {self.name} of the Ray cluster can't load its model: {error}.") from error
        return info

    def submit(self, job: Job) -> Future[Result]:
        sent: Future[Result] = self._actor.work.remote(job).future()
        return sent

    def is_loss(self, error: BaseException) -> bool:
        lost = self._ray.exceptions
        return isinstance(error, WorkerLost | lost.RayActorError | lost.WorkerCrashedError | lost.ObjectLostError)

    def renew(self) -> None:
        """Replace the actor where it is dead; where it lives, its model may answer again."""
        try:
            self._ray.get(self._actor.info.remote(), timeout=START_SECONDS)
        except self._ray.exceptions.RayActorError:
            self._actor = self._new()
        except self._ray.exceptions.RayError as error:
            raise WorkerLost(str(error)) from error

    def close(self) -> None:
        self._ray.kill(self._actor)

    def _new(self) -> Any:
        return self._ray.remote(_Actor).options(**self._options).remote(self._make_worker)


def _ray() -> Any:
    # Ray reports its use over the network unless it is told not to.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise UsageError("Ray is not installed; install it with `pip install 'reasonflux[ray]'`.") from error
    return ray


def _join(ray: Any, address: str | None, workers: int, cpus: float, gpus: float) -> None:
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address is not None:
        options["address"] = address
    else:
        options |= {
            "num_cpus": max(1, round(workers * cpus + 0.5)),
            "include_dashboard": False,
            "object_store_memory": _STORE_BYTES,
            "runtime_env": {"env_vars": {"PYTHONPATH": path}},
        }
        if gpus:
            options["num_gpus"] = max(1, round(workers * gpus))
    try:
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise ModelUnavailable(f"The Ray cluster {address or 'of this machine'} can't be had: {error}.") from error
