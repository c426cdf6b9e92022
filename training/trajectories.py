"""Sampling trajectories: N distinct valid plans of one problem, drawn from a planner as `solve` would ask it.

A plan is valid if it can be read and the library has a good match for each of its steps; two are the same if they use
the same templates in the same order. What was drawn in vain is counted by reason.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from library.template import Template
from reasonflux import planner, retrieval
from reasonflux.context import Context, Conversation
from reasonflux.errors import RecordError
from reasonflux.models.base import SamplingParams
from reasonflux.planner import plan_text
from reasonflux.returned import returned
from reasonflux.types import PlannedStep, Problem, TemplateRef, Trajectory
from training.problems import TrainingProblem
from training.rollout_settings import TrajectorySettings

CUT = "It was cut"
UNMATCHED = "no template matches a step"
NAMELESS = "a step names no template"
REPEATED = "it uses the templates of one drawn before"
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Sampled:
    """A valid trajectory, as the planner wrote it, with the slug of each step's template."""

    trajectory: Trajectory
    slugs: tuple[str, ...]

    @property
    def text(self) -> str:
        """The trajectory as the text of an open plan."""
        return plan_text(self.trajectory)

    def document(self) -> dict[str, Any]:
        """Return the trajectory as JSON values."""
        steps = [
            {"template": step.template.name, "tags": list(step.template.tags), "goal": step.goal, "slug": slug}
            for step, slug in zip(self.trajectory.steps, self.slugs, strict=True)
        ]
        return {"steps": steps}

    @classmethod
    def of(cls, document: Any) -> "Sampled":
        """Return the trajectory that `document` gives.

        Raises:
            KeyError: a part is missing.
            TypeError: a part is of the wrong kind.
            ValidationError: likewise.
        """
        steps = tuple(
            PlannedStep(goal=step["goal"], template=TemplateRef(name=step["template"], tags=tuple(step["tags"])))
            for step in document["steps"]
        )
        slugs = tuple(str(step["slug"]) for step in document["steps"])
        return cls(Trajectory(steps=steps, origin="given"), slugs)


@dataclass(frozen=True)
class ProblemTrajectories:
    """The trajectories of one problem, as a line of a file holds them; no gold answer is among it.

    Attributes:
        template: slug of the template the problem was drawn for, None where it is of another origin.
        draws: plans drawn.
        invalid: how many were of no use, by reason.
    """

    line: int
    content_hash: str
    problem_id: str
    problem: str
    template: str | None
    trajectories: tuple[Sampled, ...]
    draws: int
    invalid: Mapping[str, int]

    def document(self) -> dict[str, Any]:
        """Return the line as JSON values."""
        return {
            "line": self.line,
            "content_hash": self.content_hash,
            "status": "sampled",
            "problem_id": self.problem_id,
            "problem": self.problem,
            "template": self.template,
            "trajectories": [sampled.document() for sampled in self.trajectories],
            "draws": self.draws,
            "invalid": dict(sorted(self.invalid.items())),
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "ProblemTrajectories":
        """Return the line that `document` gives; errors as for `Sampled.of`."""
        return cls(
            line=int(document["line"]),
            content_hash=str(document["content_hash"]),
            problem_id=str(document["problem_id"]),
            problem=str(document["problem"]),
            template=document["template"],
            trajectories=tuple(Sampled.of(item) for item in document["trajectories"]),
            draws=int(document["draws"]),
            invalid={str(reason): int(count) for reason, count in document["invalid"].items()},
        )


class Sampler:
    """Draws trajectories within one context. Thread-safe."""

    def __init__(self, context: Context, settings: TrajectorySettings) -> None:
        """Take a context whose settings are `settings.plan_settings()` and that has templates.

        Raises:
            ValueError: it has none.
        """
        if context.templates is None:
            raise ValueError("sampling trajectories needs a source of templates")
        self.settings = settings
        self.source = context.templates
        self._context = context

    def sample(self, problem: TrainingProblem, stop: Callable[[], bool] = lambda: False) -> ProblemTrajectories | None:
        """Draw plans until there are enough distinct valid ones or the draws are used up; None where stopped before.

        Raises:
            ModelError: the planner could not answer.
        """
        shown = self.shortlist(problem.graded.problem)
        found: dict[tuple[str, ...], Sampled] = {}
        invalid: Counter[str] = Counter()
        draws = 0
        while len(found) < self.settings.number and draws < self.settings.most_draws:
            if stop():
                return None
            proposal = returned(
                planner.propose(problem.graded.problem, shown, self.conversation(problem.content_hash, draws))
            )
            draws += 1
            sampled, reason = self.matched(proposal.trajectory, proposal.problems)
            if sampled is None:
                invalid[reason] += 1
            elif sampled.slugs in found:
                invalid[REPEATED] += 1
            else:
                found[sampled.slugs] = sampled
        return ProblemTrajectories(
            line=problem.line,
            content_hash=problem.content_hash,
            problem_id=problem.id,
            problem=problem.text,
            template=problem.template,
            trajectories=tuple(found.values()),
            draws=draws,
            invalid=invalid,
        )

    def shortlist(self, problem: Problem) -> list[tuple[str, Template]]:
        """Return what a planner that chooses is shown; nothing in open planning."""
        if self.settings.planning == "open":
            return []
        return retrieval.shortlist(self.source, problem.text, self.settings.shortlist)

    def conversation(self, about: str, draw: int) -> Conversation:
        """Return the conversation of one draw, with a seed of its own."""
        digest = hashlib.sha256(f"{self.settings.seed}\0{about}\0{draw}".encode()).digest()
        solving = self._context.settings.model_copy(update={"seed": int.from_bytes(digest[:4], "big") >> 1})
        return _Drawing(replace(self._context, settings=solving), self.settings)

    def matched(self, trajectory: Trajectory, troubles: tuple[str, ...] = ()) -> tuple[Sampled | None, str]:
        """Return a trajectory with the templates it gets, or None and why it is of no use."""
        if trajectory.origin == "fallback":
            reason = troubles[-1] if troubles else "it could not be read"
            return None, CUT if reason.startswith(CUT) else _NUMBER.sub("N", reason).rstrip(".")
        opened = self.settings.planning == "open"
        least = retrieval.GOOD_MATCH if opened else retrieval.MIN_SCORE
        slugs = []
        for index, step in enumerate(trajectory.steps):
            if not step.template.name:
                return None, NAMELESS
            match, _ = retrieval.match_step(self.source, index, step, least=least)
            if match.template is None:
                return None, UNMATCHED
            slugs.append(match.template)
        return Sampled(trajectory, tuple(slugs)), ""


class _Drawing(Conversation):
    """A conversation whose calls are drawn as the settings of sampling say."""

    def __init__(self, context: Context, settings: TrajectorySettings) -> None:
        super().__init__(context)
        self._sampling = settings

    def params(
        self,
        max_tokens: int,
        *,
        seed_offset: int = 0,
        temperature: float | None = None,
        schema: dict[str, object] | None = None,
    ) -> SamplingParams:
        """Return the sampling parameters of one call."""
        params = super().params(
            max_tokens,
            seed_offset=seed_offset,
            temperature=temperature,
            schema=schema if self._sampling.constrained else None,
        )
        return params.model_copy(update={"top_p": self._sampling.top_p})


def read_trajectories(path: Path) -> list[ProblemTrajectories]:
    """Return the lines of a file of trajectories, in their order.

    Raises:
        RecordError: it can't be read, or a line is none of such a file.
    """
    found = []
    for number, document in documents_of(path):
        if document.get("status") == "failed":
            continue
        try:
            found.append(ProblemTrajectories.of(document))
        except (KeyError, TypeError, ValueError, AttributeError, ValidationError) as error:
            raise RecordError(
                f"{path}:{number} is no line of `reasonflux train trajectories`; give the file it wrote."
            ) from error
    if not found:
        raise RecordError(f"{path} holds no trajectories; write them with `reasonflux train trajectories`.")
    return sorted(found, key=lambda item: item.line)


def documents_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSONL file, each with the number of its line.

    Raises:
        RecordError: it can't be read, or a line is no JSON object.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"{path} can't be read: {error.strerror or error}.") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            document = json.loads(line.decode("utf-8"))
        except ValueError as error:
            raise RecordError(f"{path}:{number} is no JSON ({error}); mend or remove this line.") from error
        if not isinstance(document, dict):
            raise RecordError(f"{path}:{number} is no JSON object; mend or remove this line.")
        yield number, document
