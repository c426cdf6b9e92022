"""Following trajectories on problems and grading where they lead, each outcome stored as soon as it is there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from library.template import Template
from reasonflux.grading import Grader, self_check
from reasonflux.types import GradedProblem, Trajectory
from training.engines.base import Cause, Engine, Job, Result
from training.outcomes import PASSING, Outcome, OutcomeKey, OutcomeStore, outcome_key
from training.rollout_settings import FollowSettings

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Rollout:
    """A trajectory, with the template of each step, to be followed on a problem that has a gold answer."""

    trajectory: Trajectory
    templates: tuple[Template | None, ...]
    graded: GradedProblem


@dataclass
class Marker:
    """Grades results; what can't be graded is not known, never wrong."""

    grader: Grader
    _sound: dict[tuple[str, str], bool] = field(default_factory=dict)

    def is_gradable(self, graded: GradedProblem) -> bool:
        """Return whether there is a gold answer, and one that answers can be graded against."""
        gold = graded.gold
        if gold is None:
            return False
        key = (gold, graded.grader)
        if key not in self._sound:
            self._sound[key] = self_check(gold, self.grader, kind=graded.grader)
        return self._sound[key]

    def outcome(self, key: OutcomeKey, result: Result, graded: GradedProblem) -> Outcome:
        """Return a result as an outcome."""
        correct, unknown, note = self._judged(result, graded)
        return Outcome(
            key=key,
            correct=correct,
            unknown=unknown,
            answer=result.answer,
            note=note,
            completion_tokens=result.usage.completion_tokens,
            prompt_tokens=result.usage.prompt_tokens,
            seconds=result.seconds,
        )

    def _judged(self, result: Result, graded: GradedProblem) -> tuple[bool | None, Cause | None, str]:
        if result.unknown is not None:
            return None, result.unknown, result.note
        if graded.gold is None or not self.is_gradable(graded):
            return None, "grader", "the gold answer is not equal to itself"
        if result.answer is None:
            return False, None, result.note
        verdict = self.grader.grade(graded.gold, result.answer, grader=graded.grader, question=graded.problem.text)
        return verdict.correct, None if verdict.correct is not None else "grader", verdict.note


def run_rollouts(
    rollouts: Sequence[Rollout],
    engine: Engine,
    settings: FollowSettings,
    store: OutcomeStore,
    marker: Marker,
    *,
    retry_unknown: bool = False,
    progress: Progress = lambda done, total: None,
) -> list[Outcome]:
    """Return the outcome of each rollout, in their order; only what is not stored yet is run.

    Args:
        rollouts: what to run. Put those of one trajectory next to one another, since they share a prompt.
        engine: runs them.
        settings: how they are followed, as the engine's workers do it.
        store: where outcomes are and go.
        marker: grades.
        retry_unknown: whether all that is not known is tried again, not only what a lost worker left.
        progress: told outcomes done and in all.

    Raises:
        ReasonFluxError: no worker is left, or the store can't be used.
    """
    keys = [outcome_key(item.trajectory, item.templates, item.graded, engine.info, settings) for item in rollouts]
    digests = [key.digest for key in keys]
    stored = store.known(digests)
    outcomes = {
        digest: outcome
        for digest, outcome in stored.items()
        if outcome.correct is not None or not (retry_unknown or outcome.unknown in PASSING)
    }
    todo: dict[str, int] = {}
    for place, digest in enumerate(digests):
        if digest not in outcomes:
            todo.setdefault(digest, place)
    total = len(set(digests))
    progress(len(outcomes), total)

    def jobs() -> Iterator[Job]:
        for digest, place in todo.items():
            item = rollouts[place]
            yield Job(key=digest, problem=item.graded.problem, trajectory=item.trajectory, templates=item.templates)

    for result in engine.run(jobs()):
        place = todo[result.key]
        outcome = marker.outcome(keys[place], result, rollouts[place].graded)
        store.put(outcome)
        outcomes[result.key] = outcome
        progress(len(outcomes), total)
    return [outcomes[digest] for digest in digests]
