"""What every engine takes and gives: jobs in, results out as they come, and workers that may be lost.

A job holds no gold answer: grading is done where the results arrive, so that none is ever near a model.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from typing import Literal, Protocol

from library.template import Template
from reasonflux.models.base import ModelInfo
from reasonflux.types import Problem, Trajectory, Usage, Value

Cause = Literal["time-out", "grader", "context", "sandbox", "lost"]
"""Why an outcome is not known: out of time, an answer or gold that can't be graded, a prompt that does not fit,
programs that can't be run, or a worker that was lost or whose model did not answer."""


class Job(Value):
    """One trajectory to follow on one problem.

    Attributes:
        key: what its outcome is stored under.
        templates: the template of each step, None where a step has none.
    """

    key: str
    problem: Problem
    trajectory: Trajectory
    templates: tuple[Template | None, ...]


class Result(Value):
    """What became of a job: an answer or none, or why that is not known."""

    key: str
    answer: str | None = None
    unknown: Cause | None = None
    note: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0


class WorkerLost(Exception):
    """A worker is gone or answers no more; its job has to be done by another one."""


class Worker(Protocol):
    """Does jobs, several at once where its engine has more slots than workers."""

    @property
    def info(self) -> ModelInfo:
        """Facts on its model."""
        ...

    def __call__(self, job: Job) -> Result:
        """Do one job.

        Raises:
            WorkerLost: the model does not answer.
        """
        ...

    def close(self) -> None:
        """Stop what runs and free the model; safe to call twice."""
        ...


class Lane(Protocol):
    """A way to one worker, wherever it is."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def slots(self) -> int:
        """Jobs it takes at once."""
        ...

    def submit(self, job: Job) -> "Future[Result]":
        """Hand a job over."""
        ...

    def is_loss(self, error: BaseException) -> bool:
        """Return whether an error of a job says that the worker is lost."""
        ...

    def renew(self) -> None:
        """Make the lane usable again after a loss.

        Raises:
            WorkerLost: it can't be.
        """
        ...

    def close(self) -> None:
        """Stop what runs; safe to call twice."""
        ...


class Engine(Protocol):
    """Does jobs on any number of workers."""

    @property
    def info(self) -> ModelInfo:
        """Facts on the model, the same for all workers."""
        ...

    def run(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield a result for each job, as they come; jobs are taken only when there is room for them.

        Raises:
            ReasonFluxError: no worker is left.
        """
        ...

    def close(self) -> None:
        """Stop what runs and free the models; safe to call twice."""
        ...
