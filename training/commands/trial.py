"""The parts of an evaluation that need models: planning, following plans, and solving. Each can be resumed."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.commands import options as shared
from training.commands import rollouts as rolling

if TYPE_CHECKING:
    from collections.abc import Callable

    from library.search import TemplateSearch
    from reasonflux.models.base import ChatModel
    from training.engines.base import Engine
    from training.evaluate import Contender
    from training.evaluation_settings import EvaluationSettings
    from training.outcomes import OutcomeStore
    from training.problems import TrainingProblem
    from training.rollouts import Marker
    from training.similar import SimilarProblems


@dataclass(frozen=True)
class Entrant:
    """A contender with its planner's spec, and whether its plans are followed."""

    contender: "Contender"
    spec: str
    is_scored: bool


class Trial:
    """The parts of an evaluation that need models, each resumable by itself."""

    def __init__(
        self,
        problems: "Sequence[TrainingProblem]",
        source: "TemplateSearch",
        settings: "EvaluationSettings",
        out: Path,
        where: shared.Where,
        marker: "Marker",
        *,
        resume: bool,
        parallel: int,
    ) -> None:
        self._problems, self._source, self._settings = problems, source, settings
        self._out, self._where, self._marker = out, where, marker
        self._resume, self._parallel = resume, parallel

    def planned(self, entrants: Sequence[Entrant]) -> list[dict[str, Any]]:
        """Return the rows of all plans; planners are loaded one after the other."""
        from training.evaluate import PlanJudge

        rows = []
        for spec, group in groupby(entrants, key=lambda entrant: entrant.spec):
            with self._model(spec) as model:
                for entrant in group:
                    follows = entrant.is_scored and (self._settings.rewards or self._settings.solve > 0)
                    judge = PlanJudge(entrant.contender, model, self._source, self._settings, stand_in=follows)
                    used = {"planner": model.info.weights_sha256 or model.info.spec, "stand_in": follows}
                    name = f"Planning with {entrant.contender.key}"
                    rows += self._worked("plans", entrant, self._problems, judge.judge, name, used)
        return rows

    def similar(self, pool: Path | None) -> "SimilarProblems":
        """Return what finds X_sim."""
        return rolling.similar_problems(self._settings, pool, self._source, self._marker, self._where)

    def scored(
        self,
        rows: Sequence[dict[str, Any]],
        entrants: Sequence[Entrant],
        similar: "SimilarProblems",
        running: "Engine",
        outcomes: "OutcomeStore",
        *,
        retry_unknown: bool,
    ) -> list[dict[str, Any]]:
        """Return the rows with their rewards; those that are not to be scored stay as they are."""
        from training.evaluate import rewarded, rollouts_of
        from training.rollouts import run_rollouts

        wanted = {(entrant.contender.name, entrant.contender.mode) for entrant in entrants if entrant.is_scored}
        alike = {problem.content_hash: similar.of(problem.text) for problem in self._problems}
        parts = [
            rollouts_of(row, alike, self._source) if (row["planner"], row["mode"]) in wanted else [] for row in rows
        ]
        with shared.shown("Following plans", self._where) as told:
            found = run_rollouts(
                [rollout for part in parts for rollout in part],
                running,
                rolling.fitted(self._settings),
                outcomes,
                self._marker,
                retry_unknown=retry_unknown,
                progress=told["progress"],
            )
        results = iter(found)
        return [
            rewarded(row, [next(results) for _ in part]) if part else row for row, part in zip(rows, parts, strict=True)
        ]

    def solved(self, entrants: Sequence[Entrant], models: Sequence[str] | None) -> list[dict[str, Any]]:
        """Return the rows of problems solved from plan to answer, all with one instantiation model."""
        from reasonflux.config import DEFAULT_MODEL
        from reasonflux.context import Context
        from reasonflux.tools.python import PythonTool
        from training.evaluate import SameAnswer, SolveJudge

        rows = []
        asked = self._problems[: self._settings.solve]
        fitted = rolling.fitted(self._settings)
        with self._model((models or [DEFAULT_MODEL])[0]) as model:
            for entrant in entrants:
                if not entrant.is_scored:
                    continue
                with self._model(entrant.spec) as planner:
                    context = Context(
                        run_id="eval",
                        model=model,
                        settings=fitted.solving(entrant.contender.mode),
                        planner=planner,
                        templates=self._source,
                        tools=PythonTool() if fitted.follow_tools else None,
                        answers=SameAnswer(self._marker.grader),
                    )
                    judge = SolveJudge(entrant.contender, context, self._marker.grader)
                    used = {item: of.info.weights_sha256 or of.info.spec for item, of in
                            (("planner", planner), ("model", model))}  # fmt: skip
                    name = f"Solving with {entrant.contender.key}"
                    rows += self._worked("solved", entrant, asked, judge.judge, name, used)
        return rows

    def _worked(
        self,
        kind: str,
        entrant: Entrant,
        problems: "Sequence[TrainingProblem]",
        work: "Callable[[TrainingProblem, Callable[[], bool]], dict[str, Any] | None]",
        doing: str,
        used: dict[str, Any],
    ) -> list[dict[str, Any]]:
        """Return a row a problem, in order; each is written as soon as it is there."""
        from reasonflux.batch import Crew
        from reasonflux.batch_output import BatchOutput
        from reasonflux.prompts import prompt_version

        config = {
            **used,
            "settings": self._settings.model_dump(mode="json"),
            "library": self._source.digest(),
            "prompts": prompt_version(),
        }
        path = self._out / kind / f"{_safe(entrant.contender.key)}.jsonl"
        with BatchOutput(path, config, resume=self._resume) as output, shared.shown(doing, self._where) as told:
            held = {document["content_hash"]: document for documents in output.kept.values() for document in documents}
            todo = [problem for problem in problems if problem.content_hash not in held]

            def take(row: dict[str, Any]) -> None:
                output.append(row)
                held[row["content_hash"]] = row
                told["progress"](len(held), len(problems))

            if not Crew(work, self._parallel).run(todo, take):
                raise KeyboardInterrupt
        return [held[problem.content_hash] for problem in problems]

    @contextmanager
    def _model(self, spec: str) -> "Iterator[ChatModel]":
        model = rolling.loaded(spec, self._where, slots=self._parallel)
        try:
            yield model
        finally:
            model.close()


def _safe(key: str) -> str:
    name = re.sub(r"[^\w.-]+", "-", key).strip("-.")
    return name if name == key.replace("/", "-") else f"{name[:60]}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"
