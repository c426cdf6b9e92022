"""The engine of this process: threads that share a model, or several models (servers, say) each with threads."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from reasonflux.errors import UsageError
from reasonflux.models.base import ModelInfo
from training.engines.base import Job, Result, Worker, WorkerLost
from training.engines.dispatch import RETRIES, dispatch


class ThreadEngine:
    """Does jobs in threads. With several workers jobs go to them in rotation, and past those that are lost."""

    def __init__(self, workers: Sequence[Worker], *, slots: int = 1, retries: int = RETRIES) -> None:
        """Take workers over; `close` closes them.

        Args:
            workers: at least one; all have the same model.
            slots: jobs that each does at once.
            retries: times the job of a lost worker is done again.

        Raises:
            UsageError: there is no worker.
        """
        if not workers:
            raise UsageError("An engine needs at least one worker; name a model or an endpoint.")
        self._lanes = [_ThreadLane(worker, slots) for worker in workers]
        self._retries = retries

    @property
    def info(self) -> ModelInfo:
        """Facts on the model."""
        return self._lanes[0].worker.info

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield a result for each job, as they come.

        Raises:
            ModelUnavailable: no worker is left.
        """
        return dispatch(jobs, self._lanes, retries=self._retries)

    def close(self) -> None:
        """Stop what runs at its next step and close the workers."""
        for lane in self._lanes:
            lane.close()


class _ThreadLane:
    """The threads of one worker."""

    def __init__(self, worker: Worker, slots: int) -> None:
        self.worker = worker
        self.slots = slots
        self._pool = ThreadPoolExecutor(slots, thread_name_prefix="rollout")

    @property
    def name(self) -> str:
        return self.worker.info.spec

    def submit(self, job: Job) -> Future[Result]:
        return self._pool.submit(self.worker, job)

    def is_loss(self, error: BaseException) -> bool:
        return isinstance(error, WorkerLost)

    def renew(self) -> None:
        """Do nothing: a server that answers again is as good as before."""

    def close(self) -> None:
        # The worker first: its running jobs end at their next step, so that the threads can be waited for.
        self.worker.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
