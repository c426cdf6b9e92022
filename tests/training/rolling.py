"""What tests of sampling and rewards share: templates, problems, trajectories, and workers without a model."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

from library.template import content_hash
from reasonflux.config import SolveSettings
from reasonflux.context import Context
from reasonflux.models.base import ModelInfo
from reasonflux.types import GradedProblem, PlannedStep, Problem, TemplateRef, Trajectory
from tests.reasonflux.reasoning import Templates, Tool
from training.engines.base import Job, Result
from training.problems import TrainingProblem
from training.trajectories import Sampled

INFO = ModelInfo(spec="talker:", backend="talker")


def problem(number: int, *, text: str = "", gold: str | None = "9", template: str | None = None) -> TrainingProblem:
    said = text or f"What is problem {number}?"
    graded = GradedProblem(problem=Problem(text=said), gold=gold, record_id=f"p{number}")
    return TrainingProblem(number, f"p{number}", graded, content_hash([said, gold]), template)


def trajectory(*names: str, goal: str = "a quantity") -> Trajectory:
    return Trajectory(
        steps=tuple(
            PlannedStep(goal=goal, template=TemplateRef(name=name, tags=("algebra", "roots"))) for name in names
        )
    )


def sampled(*names: str, goal: str = "a quantity") -> Sampled:
    return Sampled(trajectory(*names, goal=goal), tuple(name.lower().replace(" ", "-") for name in names))


def job(key: str = "k", *, names: Sequence[str] = ("Method A",), text: str = "What is 4 + 5?") -> Job:
    source = Templates()
    return Job(
        key=key,
        problem=Problem(text=text),
        trajectory=trajectory(*names),
        templates=tuple(source.get(name.lower().replace(" ", "-")) for name in names),
    )


def context(model: Any, settings: SolveSettings, *, tool: Any = None) -> Context:
    return Context(run_id="t", model=model, settings=settings, templates=Templates(), tools=tool or Tool())


class FunctionWorker:
    """Does a job by a function; keeps the keys it was given, and how many it did at once at most."""

    def __init__(self, answer: Callable[[Job], Result], info: ModelInfo = INFO) -> None:
        self.info = info
        self.keys: list[str] = []
        self.most = 0
        self.closed = False
        self._answer = answer
        self._now = 0
        self._lock = threading.Lock()

    def __call__(self, job: Job) -> Result:
        with self._lock:
            self.keys.append(job.key)
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            return self._answer(job)
        finally:
            with self._lock:
                self._now -= 1

    def close(self) -> None:
        self.closed = True
