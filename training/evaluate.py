"""Planners compared on held-out problems: are their plans valid, do they name the right templates, do they help.

A plan is *valid* if what the planner writes greedily, with no schema to keep it in form, can be read, has one to six
steps, and the library has a good match for each. The plan that is scored is the one `solve` would go by: the valid
one, else one made under the schema with repairs, else the one step that stands in. Its reward is R(T) of section 3.2
of Yang et al. 2025 on the X_sim of its problem, which is the same for all planners.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from library.template import Template
from reasonflux import planner
from reasonflux.context import Context
from reasonflux.grading import Grader
from reasonflux.models.base import ChatModel
from reasonflux.reasoner import Reasoner
from reasonflux.retrieval import TemplateSource
from reasonflux.returned import returned
from reasonflux.types import (
    Event,
    PlannedStep,
    RunFinished,
    Solution,
    TemplateRef,
    TemplateRetrieved,
    Trajectory,
)
from training.evaluation_settings import EvaluationSettings, Planning
from training.outcomes import Outcome
from training.problems import TrainingProblem
from training.rollouts import Rollout
from training.similar import SimilarProblem
from training.trajectories import Sampler

Similar = Mapping[str, tuple[SimilarProblem, ...]]
"""X_sim of each problem, by the problem's content hash."""


@dataclass(frozen=True)
class Contender:
    """A planner in one way of planning; `key` names it in comparisons."""

    name: str
    mode: Planning

    @property
    def key(self) -> str:
        """Name and way of planning as one text."""
        return f"{self.name}/{self.mode}"


class PlanJudge:
    """Lets one planner plan problems in one way. Thread-safe."""

    def __init__(
        self,
        contender: Contender,
        model: ChatModel,
        source: TemplateSource,
        settings: EvaluationSettings,
        *,
        stand_in: bool = True,
    ) -> None:
        """Take the planner, the library's templates and the settings.

        Args:
            contender: who plans, and how.
            model: the planner.
            source: the library's templates.
            settings: the settings of the evaluation.
            stand_in: whether a problem without a valid plan gets the one that `solve` would go by; otherwise its row
                has no steps.
        """
        self._contender = contender
        self._stand_in = stand_in
        free = settings.free(contender.mode)
        self._sampler = Sampler(
            Context(run_id="eval", model=model, settings=free.plan_settings(), templates=source), free
        )
        solving = settings.solving(contender.mode)
        self._reasoner = Reasoner(Context(run_id="eval", model=model, settings=solving, templates=source))

    def judge(self, problem: TrainingProblem, stop: Callable[[], bool] = lambda: False) -> dict[str, Any] | None:
        """Return the row of one problem, without a reward yet and without its gold answer; None where stopped before.

        Raises:
            ModelError: the planner could not answer.
        """
        if stop():
            return None
        asked = problem.graded.problem
        conversation = self._sampler.conversation(problem.content_hash, 0)
        proposal = returned(planner.propose(asked, self._sampler.shortlist(asked), conversation))
        sampled, trouble = self._sampler.matched(proposal.trajectory, proposal.problems)
        trajectory = proposal.trajectory
        slugs: tuple[str | None, ...] = sampled.slugs if sampled is not None else ()
        if sampled is None and self._stand_in:
            events: list[Event] = []
            trajectory = returned(self._reasoner.plan(asked), events.append)
            matches = {
                event.match.step: event.match.template for event in events if isinstance(event, TemplateRetrieved)
            }
            slugs = tuple(matches.get(index) for index in range(len(trajectory.steps)))
        return {
            "line": problem.line,
            "content_hash": problem.content_hash,
            "status": "planned",
            "planner": self._contender.name,
            "mode": self._contender.mode,
            "problem_id": problem.id,
            "problem": problem.text,
            "template": problem.template,
            "valid": sampled is not None,
            "trouble": trouble,
            "origin": trajectory.origin,
            "tokens": conversation.usage.completion_tokens,
            "steps": [
                {"name": step.template.name, "tags": list(step.template.tags), "goal": step.goal, "template": slug}
                # Without a stand-in there is a step for each slug only where the plan is valid.
                for step, slug in zip(trajectory.steps, slugs, strict=False)
            ],
        }


class SameAnswer:
    """Says whether two answers are the same value, by the rules of grading."""

    def __init__(self, grader: Grader) -> None:
        """Take the grader."""
        self._grader = grader

    def same(self, first: str, second: str) -> bool | None:
        """Return whether they are, None where that could not be decided."""
        return self._grader.grade(first, second).correct


class SolveJudge:
    """Solves problems from plan to answer with one planner and the instantiation model. Thread-safe."""

    def __init__(self, contender: Contender, context: Context, grader: Grader) -> None:
        """Take a context with planner, model, templates and the settings of `EvaluationSettings.solving`."""
        self._contender = contender
        self._reasoner = Reasoner(context)
        self._grader = grader

    def judge(self, problem: TrainingProblem, stop: Callable[[], bool] = lambda: False) -> dict[str, Any] | None:
        """Return the row of one problem, None where stopped before; `correct` is None where that is not known.

        Raises:
            ModelError: a model could not answer.
        """
        solution: Solution | None = None
        for event in self._reasoner.solve(problem.graded.problem):
            if isinstance(event, RunFinished):
                solution = event.solution
            elif stop():
                return None
        if solution is None:
            return None
        return {
            "line": problem.line,
            "content_hash": problem.content_hash,
            "status": "solved",
            "planner": self._contender.name,
            "mode": self._contender.mode,
            "problem_id": problem.id,
            "answer": solution.answer,
            "correct": self._correct(problem, solution),
            "tokens": solution.usage.completion_tokens,
            "prompt_tokens": solution.usage.prompt_tokens,
            "seconds": solution.seconds,
        }

    def _correct(self, problem: TrainingProblem, solution: Solution) -> bool | None:
        gold = problem.graded.gold
        if gold is None:
            return None
        if solution.answer is None:
            return False
        return self._grader.grade(
            gold, solution.answer, grader=problem.graded.grader, question=problem.graded.problem.text
        ).correct


def rollouts_of(row: Mapping[str, Any], similar: Similar, source: TemplateSource) -> list[Rollout]:
    """Return the rollouts of a row's trajectory on the X_sim of its problem.

    Raises:
        LibraryError: the library has one of the templates no more.
    """
    trajectory = Trajectory(
        steps=tuple(
            PlannedStep(goal=step["goal"], template=TemplateRef(name=step["name"], tags=tuple(step["tags"])))
            for step in row["steps"]
        ),
        origin="given",
    )
    templates: tuple[Template | None, ...] = tuple(
        source.get(step["template"]) if step["template"] is not None else None for step in row["steps"]
    )
    return [Rollout(trajectory, templates, item.problem.graded) for item in similar[row["content_hash"]]]


def rewarded(row: Mapping[str, Any], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return a row with R(T) over the outcomes that are known, None where none is, and each outcome's key."""
    known = [outcome.correct for outcome in outcomes if outcome.correct is not None]
    return dict(row) | {
        "reward": sum(known) / len(known) if known else None,
        "outcomes": [{"key": outcome.key.digest, "correct": outcome.correct} for outcome in outcomes],
    }
