"""The part of `reasonflux train trajectories` that keeps what leads to the right answer."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.commands import options as shared
from training.commands.planning import Planning, failed, worked_off

if TYPE_CHECKING:
    from library.search import TemplateSearch
    from training.cold_start import ColdStart
    from training.engines.base import Engine
    from training.outcomes import OutcomeStore
    from training.problems import TrainingProblem
    from training.rollout_settings import TrajectorySettings
    from training.rollouts import Marker, Rollout
    from training.trajectories import Sampled


@dataclass(frozen=True)
class Verifying:
    """What verifying trajectories takes.

    Attributes:
        asked: the problems, each with its gold answer.
        lines: the file of their trajectories.
        out: the file of rows to write.
        store: the database of outcomes, closed at the end.
        engine: makes the engine that follows.
    """

    asked: "Sequence[TrainingProblem]"
    lines: Path
    out: Path
    settings: "TrajectorySettings"
    source: "TemplateSearch"
    where: shared.Where
    resume: bool
    retry_unknown: bool
    planning: Planning
    store: "OutcomeStore"
    engine: "Callable[[], AbstractContextManager[Engine]]"

    def run(self) -> dict[str, Any]:
        """Follow all trajectories, hint where none is right, write the rows, and return the counts.

        Raises:
            ReasonFluxError: a model can't be had, no worker is left, or a file can't be used.
            KeyboardInterrupt: it was ended; what is done stands.
        """
        from reasonflux.errors import UsageError
        from reasonflux.grading import Grader
        from training.cold_start import ColdStart, right_ones, rollouts_of, trajectory_row
        from training.records import write_rows
        from training.rollouts import Marker
        from training.trajectories import read_trajectories

        if self.out.exists() and not self.resume:
            raise UsageError(f"{self.out} exists; add --resume to write it anew, or give another file.")
        problems = {problem.content_hash: problem for problem in self.asked}
        lines = [line for line in read_trajectories(self.lines) if line.content_hash in problems]
        made = ColdStart()
        with self.store, Grader() as grader, self.engine() as running:
            marker = Marker(grader)
            outcomes = self._follow(running, rollouts_of(lines, problems, self.source), marker)
            right, made.dropped = right_ones(lines, outcomes, self.settings.keep)
            stuck = [problems[line.content_hash] for line in lines if not right[line.content_hash]]
            hinted = self._hinted(running, stuck, marker, made) if self.settings.hints and stuck else {}
        for line in lines:
            problem = problems[line.content_hash]
            own, helped = right[line.content_hash], hinted.get(line.content_hash)
            made.solved += bool(own)
            made.hinted += helped is not None
            made.rows += [trajectory_row(sampled, self.source, problem, hinted=False) for sampled in own]
            if helped is not None:
                made.rows.append(trajectory_row(helped, self.source, problem, hinted=True))
        write_rows(self.out, made.rows)
        return made.document() | {"out": str(self.out)}

    def _follow(self, running: "Engine", rollouts: "Sequence[Rollout]", marker: "Marker") -> Any:
        from training.rollouts import run_rollouts

        with shared.shown("Following trajectories", self.where) as told:
            return run_rollouts(
                rollouts,
                running,
                self.settings,
                self.store,
                marker,
                retry_unknown=self.retry_unknown,
                progress=told["progress"],
            )

    def _hinted(
        self, running: "Engine", stuck: "Sequence[TrainingProblem]", marker: "Marker", made: "ColdStart"
    ) -> "dict[str, Sampled]":
        """Return the trajectory that a hint led to, and that is right without it, by the problem's content hash."""
        from training.cold_start import WRONG, templates_of
        from training.rollouts import Rollout
        from training.trajectories import Sampled

        found: dict[str, Sampled] = {}
        documents = self._hints(stuck, marker)
        for problem in stuck:
            document = documents.get((problem.line, problem.content_hash))
            if document is None:
                made.dropped["the planner did not answer a hint"] += 1
            elif document["trajectory"] is None:
                made.dropped[f"hinted: {document['reason']}"] += 1
            else:
                found[problem.content_hash] = Sampled.of(document["trajectory"])
        golds = {problem.content_hash: problem.graded for problem in stuck}
        rollouts = [
            Rollout(sampled.trajectory, templates_of(sampled, self.source), golds[key])
            for key, sampled in found.items()
        ]
        outcomes = self._follow(running, rollouts, marker) if rollouts else []
        kept = {}
        for (key, sampled), outcome in zip(found.items(), outcomes, strict=True):
            if outcome.correct:
                kept[key] = sampled
            else:
                made.dropped[f"hinted: {WRONG if outcome.correct is False else 'not known'}"] += 1
        return kept

    def _hints(self, stuck: "Sequence[TrainingProblem]", marker: "Marker") -> dict[tuple[int, str], dict[str, Any]]:
        """Return what the planner made of each hint; it is asked once a problem, in a run or in one before it."""
        from reasonflux.batch import Crew
        from reasonflux.batch_output import BatchOutput
        from reasonflux.errors import ModelError
        from reasonflux.prompts import prompt_version
        from training.cold_start import hinted_trajectory

        path = self.out.with_name(self.out.name + ".hints.jsonl")
        with self.planning.sampler() as (sampler, config):
            config = config | {"writes": "hints", "hint": prompt_version("hint")}
            with BatchOutput(path, config, resume=self.resume) as output:
                known = {key: documents[0] for key, documents in output.kept.items()}
                todo = [problem for problem in stuck if (problem.line, problem.content_hash) not in known]

                def work(problem: "TrainingProblem", stop: Callable[[], bool]) -> dict[str, Any] | None:
                    if stop():
                        return None
                    try:
                        sampled, reason = hinted_trajectory(sampler, problem, marker)
                    except ModelError as error:
                        return failed(problem, error)
                    return {
                        "line": problem.line,
                        "content_hash": problem.content_hash,
                        "status": "hinted",
                        "trajectory": sampled.document() if sampled is not None else None,
                        "reason": reason,
                    }

                finished, _ = worked_off(Crew(work, self.planning.slots), todo, output, "Hinting", self.where)
        if not finished:
            raise KeyboardInterrupt
        return known | self._read_hints(path)

    def _read_hints(self, path: Path) -> dict[tuple[int, str], dict[str, Any]]:
        from training.trajectories import documents_of

        return {
            (document["line"], document["content_hash"]): document
            for _, document in documents_of(path)
            if document["status"] != "failed"
        }
