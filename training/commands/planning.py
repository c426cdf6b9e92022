"""What samples trajectories: a planner that is loaded when it is needed, and the threads that ask it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reasonflux.commands import console
from training.commands import options as shared
from training.commands import rollouts as rolling

if TYPE_CHECKING:
    from library.search import TemplateSearch
    from training.problems import TrainingProblem
    from training.rollout_settings import TrajectorySettings
    from training.trajectories import Sampler

SHAPING = (
    "number", "most_draws", "planning", "temperature", "top_p", "constrained", "plan_tokens", "max_steps", "shortlist",
    "seed",
)  # fmt: skip
"""The settings that shape a trajectory; a file of them goes on with the same ones only."""


@dataclass(frozen=True)
class Planning:
    """A planner that is not loaded yet; `slots` are the requests it gets at once."""

    spec: str
    settings: "TrajectorySettings"
    source: "TemplateSearch"
    where: shared.Where
    slots: int

    @contextmanager
    def sampler(self) -> "Iterator[tuple[Sampler, dict[str, Any]]]":
        """Yield the sampler and all that shapes a trajectory as JSON values; the planner is freed at the end.

        Raises:
            ReasonFluxError: the planner can't be had.
        """
        from reasonflux.context import Context
        from reasonflux.prompts import prompt_version
        from training.trajectories import Sampler

        model = rolling.loaded(self.spec, self.where, slots=self.slots)
        try:
            context = Context(
                run_id="trajectories", model=model, settings=self.settings.plan_settings(), templates=self.source
            )
            config = {
                "planner": {"spec": model.info.spec, "weights_sha256": model.info.weights_sha256},
                "library": self.source.digest(),
                "prompts": prompt_version("plan", "plan_open"),
                "settings": {name: getattr(self.settings, name) for name in SHAPING},
            }
            yield Sampler(context, self.settings), config
        finally:
            model.close()


def failed(problem: "TrainingProblem", error: Exception) -> dict[str, Any]:
    """Return the line of a problem whose model did not answer; it is tried again when the file is resumed."""
    console.note(console.clean(f"Problem {problem.id} failed: {error}"))
    return {"line": problem.line, "content_hash": problem.content_hash, "status": "failed", "error": str(error)}


def worked_off(crew: Any, todo: "Sequence[Any]", output: Any, doing: str, where: shared.Where) -> tuple[bool, int]:
    """Let a crew work items off into a file; return whether all were done, and how many failed."""
    done = failures = 0
    with shared.shown(doing, where) as told:

        def take(document: dict[str, Any]) -> None:
            nonlocal done, failures
            output.append(document)
            done += 1
            failures += document["status"] == "failed"
            told["progress"](done, len(todo))

        finished = crew.run(todo, take)
    return finished, failures
