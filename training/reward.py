"""The reward of a trajectory, R(T) = mean over X_sim of Acc(π_inf(x_i, T)) (Yang et al. 2025, section 3.2).

All trajectories of a problem x are followed on the same X_sim with the same seeds. What is not known of an outcome
counts neither for nor against: R is the mean over what is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from reasonflux.errors import RecordError
from reasonflux.retrieval import TemplateSource
from training.cold_start import templates_of
from training.outcomes import Outcome
from training.rollouts import Rollout
from training.similar import SimilarProblem, SimilarProblems
from training.trajectories import ProblemTrajectories, Sampled, documents_of


@dataclass(frozen=True)
class Mark:
    """One outcome as a line holds it: its key in the store, and whether it was right; None where that is not known."""

    key: str
    correct: bool | None
    unknown: str | None = None


@dataclass(frozen=True)
class Scored:
    """A trajectory with its outcomes on X_sim, in the order of X_sim."""

    sampled: Sampled
    marks: tuple[Mark, ...]

    @property
    def reward(self) -> float | None:
        """R(T) over the outcomes that are known; None where none is."""
        known = [mark.correct for mark in self.marks if mark.correct is not None]
        return sum(known) / len(known) if known else None


@dataclass(frozen=True)
class ProblemRewards:
    """The trajectories of one problem x with their rewards, as a line of a file holds them.

    Attributes:
        template: slug of the template x was drawn for, None where it is of another origin.
        similar: X_sim: id, text, template, source and closeness of each problem; no gold answer.
    """

    problem_id: str
    content_hash: str
    problem: str
    template: str | None
    similar: tuple[Mapping[str, Any], ...]
    scored: tuple[Scored, ...]

    def document(self) -> dict[str, Any]:
        """Return the line as JSON values."""
        return {
            "problem_id": self.problem_id,
            "content_hash": self.content_hash,
            "problem": self.problem,
            "template": self.template,
            "similar": [dict(item) for item in self.similar],
            "trajectories": [
                item.sampled.document()
                | {
                    "reward": item.reward,
                    "known": sum(mark.correct is not None for mark in item.marks),
                    "outcomes": [
                        {"key": mark.key, "correct": mark.correct, "unknown": mark.unknown} for mark in item.marks
                    ],
                }
                for item in self.scored
            ],
        }

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "ProblemRewards":
        """Return the line that `document` gives.

        Raises:
            KeyError: a part is missing.
            TypeError: a part is of the wrong kind.
            ValueError: likewise, or a trajectory was not followed on all of X_sim.
        """
        scored = tuple(
            Scored(Sampled.of(item), tuple(_mark(mark) for mark in item["outcomes"]))
            for item in document["trajectories"]
        )
        similar = tuple(document["similar"])
        if any(len(item.marks) != len(similar) for item in scored):
            raise ValueError("a trajectory has not an outcome for each problem of X_sim")
        return cls(
            problem_id=str(document["problem_id"]),
            content_hash=str(document["content_hash"]),
            problem=str(document["problem"]),
            template=document["template"],
            similar=similar,
            scored=scored,
        )


@dataclass(frozen=True)
class Scoring:
    """One problem's trajectories and the problems they are to be followed on."""

    line: ProblemTrajectories
    similar: tuple[SimilarProblem, ...]

    @property
    def count(self) -> int:
        """How many rollouts that takes."""
        return len(self.line.trajectories) * len(self.similar)

    def rollouts(self, source: TemplateSource) -> list[Rollout]:
        """Return the rollouts, trajectory by trajectory.

        Raises:
            LibraryError: the library has one of the templates no more.
        """
        return [
            Rollout(sampled.trajectory, templates, similar.problem.graded)
            for sampled in self.line.trajectories
            for templates in [templates_of(sampled, source)]
            for similar in self.similar
        ]

    def rewards(self, outcomes: Sequence[Outcome]) -> ProblemRewards:
        """Return the line of the outcomes of these rollouts, in their order."""
        marks = [Mark(item.key.digest, item.correct, item.unknown) for item in outcomes]
        size = len(self.similar)
        return ProblemRewards(
            problem_id=self.line.problem_id,
            content_hash=self.line.content_hash,
            problem=self.line.problem,
            template=self.line.template,
            similar=tuple(_shown(item) for item in self.similar),
            scored=tuple(
                Scored(sampled, tuple(marks[place * size : (place + 1) * size]))
                for place, sampled in enumerate(self.line.trajectories)
            ),
        )


def scorings(lines: Sequence[ProblemTrajectories], similar: SimilarProblems) -> list[Scoring]:
    """Return what is to be run for each problem that has trajectories."""
    return [Scoring(line, similar.of(line.problem)) for line in lines if line.trajectories]


def reward_lines(plans: Sequence[Scoring], outcomes: Sequence[Outcome]) -> list[ProblemRewards]:
    """Return a line for each problem, from the outcomes of all its rollouts in order."""
    lines = []
    start = 0
    for plan in plans:
        lines.append(plan.rewards(outcomes[start : start + plan.count]))
        start += plan.count
    return lines


def summary(lines: Sequence[ProblemRewards]) -> dict[str, Any]:
    """Return what the rewards come to, as JSON values; `mean_reward` is over trajectories whose reward is known."""
    scored = [item for line in lines for item in line.scored]
    rewards = [item.reward for item in scored if item.reward is not None]
    marks = [mark for item in scored for mark in item.marks]
    unknown: dict[str, int] = {}
    for mark in marks:
        if mark.unknown is not None:
            unknown[mark.unknown] = unknown.get(mark.unknown, 0) + 1
    return {
        "problems": len(lines),
        "trajectories": len(scored),
        "outcomes": len(marks),
        "right": sum(mark.correct is True for mark in marks),
        "wrong": sum(mark.correct is False for mark in marks),
        "unknown": dict(sorted(unknown.items())),
        "mean_reward": sum(rewards) / len(rewards) if rewards else None,
        "problems_that_differ": sum(len({item.reward for item in line.scored} - {None}) > 1 for line in lines),
    }


def read_rewards(path: Path) -> list[ProblemRewards]:
    """Return the lines of a file of rewards.

    Raises:
        RecordError: it can't be read, holds none, or a line is none of such a file.
    """
    lines = []
    for number, document in documents_of(path):
        try:
            lines.append(ProblemRewards.of(document))
        except (KeyError, TypeError, ValueError, AttributeError, ValidationError) as error:
            raise RecordError(
                f"{path}:{number} is no line of `reasonflux train reward`; give the file it wrote."
            ) from error
    if not lines:
        raise RecordError(f"{path} holds no rewards; write them with `reasonflux train reward`.")
    return lines


def _mark(document: Mapping[str, Any]) -> Mark:
    correct = document["correct"]
    if correct is not None and not isinstance(correct, bool):
        raise TypeError("'correct' is neither true, false nor null")
    return Mark(str(document["key"]), correct, document.get("unknown"))


def _shown(similar: SimilarProblem) -> dict[str, Any]:
    problem = similar.problem
    return {
        "id": problem.id,
        "problem": problem.text,
        "template": problem.template,
        "source": similar.source,
        "closeness": similar.closeness,
    }
