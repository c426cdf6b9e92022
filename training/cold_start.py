"""Cold start: trajectories that lead to the right answer, as rows to fine-tune on (rejection sampling, as in STaR).

The paper trains planning by preference alone. Here trajectories are kept whose `follow` ends in the right answer; a
problem without any gets one try with its answer as a hint, and what comes of it is kept only if a follow that knows
nothing of the hint is right and the trajectory's text does not hold the answer. Calls of stage `hint` are the only
ones whose prompt a gold answer ever enters.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from library.template import Template
from reasonflux.models.base import Message
from reasonflux.planner import (
    open_plan_messages,
    open_plan_schema,
    parse_open_plan,
    parse_plan,
    plan_schema,
    plan_text,
    use_of,
)
from reasonflux.prompts import clip, render
from reasonflux.retrieval import TemplateSource
from reasonflux.returned import returned
from reasonflux.types import TemplateRef, Trajectory
from training.leaks import holds_answer
from training.outcomes import Outcome
from training.problems import TrainingProblem
from training.records import SftRow, Turn
from training.rollouts import Marker, Rollout
from training.trajectories import CUT, ProblemTrajectories, Sampled, Sampler

HINT = "hint"
"""Stage of the calls that are told the answer."""
TELLS = "its text holds the answer"
WRONG = "following it without the hint is not right"


@dataclass
class ColdStart:
    """What a cold start came to.

    Attributes:
        rows: the rows to fine-tune on, in the order of their problems.
        dropped: how many trajectories were not kept, by reason.
        solved: problems with a right trajectory of their own.
        hinted: problems that have one by a hint alone.
    """

    rows: list[SftRow] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    solved: int = 0
    hinted: int = 0

    def document(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return {
            "rows": len(self.rows),
            "problems_solved": self.solved,
            "problems_hinted": self.hinted,
            "dropped": dict(sorted(self.dropped.items())),
        }


def rollouts_of(
    lines: Sequence[ProblemTrajectories], problems: Mapping[str, TrainingProblem], source: TemplateSource
) -> list[Rollout]:
    """Return the rollout of each trajectory on its own problem, problem by problem."""
    return [
        Rollout(sampled.trajectory, templates_of(sampled, source), problems[line.content_hash].graded)
        for line in lines
        for sampled in line.trajectories
    ]


def templates_of(sampled: Sampled, source: TemplateSource) -> tuple[Template, ...]:
    """Return the templates of a trajectory's steps.

    Raises:
        LibraryError: the library has one of them no more.
    """
    return tuple(source.get(slug) for slug in sampled.slugs)


def hinted_trajectory(sampler: Sampler, problem: TrainingProblem, marker: Marker) -> tuple[Sampled | None, str]:
    """Ask once for a plan of a problem whose answer is told, in a call of stage `hint`.

    Returns:
        The trajectory, or None and why it is of no use.

    Raises:
        ValueError: the problem has no gold answer.
        ModelError: the planner could not answer.
    """
    graded = problem.graded
    if graded.gold is None:
        raise ValueError(f"problem {problem.id} has no gold answer to hint at")
    settings = sampler.settings
    shown = [template for _, template in sampler.shortlist(graded.problem)]
    names = [template.name for template in shown]
    opened = settings.planning == "open"
    schema = open_plan_schema(settings.max_steps) if opened else plan_schema(names, settings.max_steps)
    conversation = sampler.conversation(problem.content_hash, -1)
    listed = [{"name": t.name, "use": clip(use_of(t), 140)} for t in shown]

    def prompt(level: int) -> list[Message]:
        kept = listed if level == 0 else listed[: max(1, len(listed) // 2)]
        return render("hint", shortlist=kept, problem=graded.problem.text, answer=graded.gold)

    params = conversation.params(settings.plan_tokens, schema=schema)
    completion = returned(conversation.ask("planner", HINT, prompt, params))
    if opened:
        steps, trouble = parse_open_plan(completion.text, settings.max_steps)
    else:
        steps, trouble = parse_plan(completion.text, shown, settings.max_steps)
    if not steps:
        return None, CUT if completion.truncated else trouble.rstrip(".")
    sampled, reason = sampler.matched(Trajectory(steps=steps))
    if sampled is not None and tells(sampled, sampler.source, problem, marker):
        return None, TELLS
    return sampled, reason


def tells(sampled: Sampled, source: TemplateSource, problem: TrainingProblem, marker: Marker) -> bool:
    """Return whether a trajectory's text holds the answer, as it was written or with the library's names."""
    gold = problem.graded.gold
    if gold is None:
        return False
    texts = {sampled.text, plan_text(named_as_stored(sampled, source))}
    return any(holds_answer(text, gold, marker.grader, kind=problem.graded.grader) for text in texts)


def named_as_stored(sampled: Sampled, source: TemplateSource) -> Trajectory:
    """Return a trajectory with the names and tags of the templates it got, which are what a planner should learn."""
    steps = tuple(
        step.model_copy(update={"template": TemplateRef(name=template.name, tags=template.tags)})
        for step, template in zip(sampled.trajectory.steps, templates_of(sampled, source), strict=True)
    )
    return sampled.trajectory.model_copy(update={"steps": steps})


def trajectory_row(sampled: Sampled, source: TemplateSource, problem: TrainingProblem, *, hinted: bool) -> SftRow:
    """Return the row problem → trajectory, with the prompt that open planning asks and the text it is read from."""
    messages = open_plan_messages(problem.text)
    return SftRow(
        prompt=tuple(Turn(role=message.role, content=message.content) for message in messages),
        completion=(Turn(role="assistant", content=plan_text(named_as_stored(sampled, source))),),
        kind="trajectory",
        source=problem.id,
        hinted=hinted,
    )


def right_ones(
    lines: Sequence[ProblemTrajectories], outcomes: Sequence[Outcome], keep: int
) -> tuple[dict[str, list[Sampled]], Counter[str]]:
    """Return, by the content hash of each problem, its trajectories that were right; and what became of the others.

    Of more than `keep` those with the fewest steps stay, among equals the one drawn first.

    Args:
        lines: the problems with their trajectories.
        outcomes: of all trajectories in order, as `rollouts_of` gives them.
        keep: most trajectories a problem.
    """
    results = iter(outcomes)
    right: dict[str, list[Sampled]] = {}
    dropped: Counter[str] = Counter()
    for line in lines:
        found = []
        for sampled in line.trajectories:
            outcome = next(results)
            if outcome.correct:
                found.append(sampled)
            else:
                dropped["not right" if outcome.correct is False else f"not known: {outcome.unknown}"] += 1
        found.sort(key=lambda sampled: len(sampled.slugs))
        dropped["more than are kept of a problem"] += len(found[keep:])
        right[line.content_hash] = found[:keep]
    return right, +dropped
