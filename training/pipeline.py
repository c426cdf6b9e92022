"""A recipe from problems to report: each stage in order, those that are done skipped, killed ones gone on with.

A stage runs in a process of its own (`training/child.py`), so that a model's memory is given back, and is the same
command that a person would type. What it was made of decides whether it is done; see `training/stages.py`.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from reasonflux.errors import UsageError
from training.callbacks import Message
from training.errors import TrainingError
from training.outcome_rows import export_outcomes, import_outcomes
from training.outcomes import OutcomeStore
from training.recipe import Recipe, find_launch
from training.report import Sources, write_report
from training.run_folder import versions
from training.stage_record import Records, file_digest
from training.stages import OUTCOMES, Plan, Stage
from training.writing import write_document

RUN = "pipeline.json"
KEPT_OUTCOMES = "outcomes.jsonl"
KEEP_SECONDS = 300.0
"""Seconds between two exports of the outcomes while a stage runs, where rows are kept elsewhere too."""


class Runner(Protocol):
    """Runs a stage's command and returns what it told."""

    def __call__(self, arguments: Sequence[str], launch: Path | None, meanwhile: Callable[[], None]) -> dict[str, Any]:
        """Run `reasonflux` with some arguments.

        Args:
            arguments: the arguments.
            launch: an `accelerate` configuration to run under.
            meanwhile: called now and then while the command runs.

        Raises:
            TrainingError: the command failed.
        """
        ...


@dataclass(frozen=True)
class Pipeline:
    """A recipe in a run's folder.

    Attributes:
        recipe: the recipe.
        folder: the run's folder.
        beside: the folder of the recipe's file.
        library: digest of the library.
        runner: runs the stages' commands.
        message: told what a person should know, a sentence at a time.
        keep: a folder that the rows of each stage are copied to, with the outcomes.
    """

    recipe: Recipe
    folder: Path
    beside: Path
    library: str
    runner: Runner
    message: Message = lambda text: None
    keep: Path | None = None

    def run(self, *, until: str | None = None, resume_from: Path | None = None) -> dict[str, Any]:
        """Do what is left to do and return what became of each stage.

        Args:
            until: the last stage to do; None for all.
            resume_from: a folder of kept rows, whose stages count as done where they fit.

        Raises:
            UsageError: there is no such stage or `accelerate` configuration, the folder holds other things, or another
                process runs there.
            TrainingError: a stage failed; what was done before stands.
            OSError: a folder can't be read or written.
        """
        stages = Plan(self.recipe, self.folder, self.beside).stages()
        names = [stage.name for stage in stages]
        if until is not None and until not in names:
            raise UsageError(f"This recipe has no stage {until}; there are {', '.join(names)}.")
        if self.recipe.launch is not None:
            find_launch(self.recipe.launch, self.beside)
        records = self._records(self.folder)
        with self._claimed():
            if resume_from is not None:
                self._take(stages, records, resume_from)
            self._describe()
            became: dict[str, str] = {}
            for stage in stages[: names.index(until) + 1 if until is not None else None]:
                self._ensure(stage, stages, records, became)
        return {
            "folder": str(self.folder),
            "stages": became,
            "report": str(self.folder / "report" / "report.html") if "report" in became else None,
        }

    def _ensure(
        self, stage: Stage, stages: Sequence[Stage], records: Records, became: dict[str, str], *, weights: bool = False
    ) -> None:
        """Do a stage unless it is done; with `weights` also where only its models are missing."""
        if records.is_done(stage) and (records.has_weights(stage) or not weights):
            became.setdefault(stage.name, "skipped")
            return
        for other in stages:
            if other.name in stage.models:
                self._ensure(other, stages, records, became, weights=True)
        self.message(f"Stage {stage.name} begins.")
        records.begin(stage)
        started = time.monotonic()
        told = self._do(stage)
        missing = [name for name in stage.rows if not (self.folder / stage.name / name).is_file()]
        missing += [name for name in stage.weights if not (self.folder / stage.name / name).is_dir()]
        if missing:
            raise TrainingError(f"Stage {stage.name} ended without leaving {', '.join(missing)} in its folder.")
        record = records.end(stage, seconds=time.monotonic() - started, told=told)
        became[stage.name] = "done"
        self.message(f"Stage {stage.name} is done after {record['seconds']:g} s.")
        if self.keep is not None:
            records.copy(stage, self._records(self.keep))
            self._export()

    def _do(self, stage: Stage) -> dict[str, Any]:
        if stage.name == "report":
            return write_report(self._sources(), self.folder / "report")
        launch = find_launch(self.recipe.launch, self.beside) if self.recipe.launch and stage.trains else None
        due = time.monotonic() + KEEP_SECONDS

        def meanwhile() -> None:
            nonlocal due
            if self.keep is not None and time.monotonic() > due:
                self._export()
                due = time.monotonic() + KEEP_SECONDS

        try:
            return self.runner(stage.command(), launch, meanwhile)
        except TrainingError as error:
            raise TrainingError(f"Stage {stage.name} failed: {error} What was done stands; run again to go on.") from (
                error
            )

    def _records(self, folder: Path) -> Records:
        return Records(folder, {"planner": _identity(self.recipe.planner), "library": self.library})

    def _describe(self) -> None:
        """Write what this run is made of."""
        document = {
            "recipe": self.recipe.model_dump(mode="json"),
            "library_digest": self.library,
            "versions": versions(),
        }
        write_document(self.folder / RUN, document)

    def _take(self, stages: Sequence[Stage], records: Records, source: Path) -> None:
        kept = self._records(source)
        taken = [stage.name for stage in stages if not records.read(stage.name) and kept.copy(stage, records)]
        if (source / KEPT_OUTCOMES).is_file():
            with OutcomeStore(self.folder / OUTCOMES) as store:
                number = import_outcomes(source / KEPT_OUTCOMES, store)
            self.message(f"Took {number} outcomes from {source}.")
        self.message(f"Took the rows of {', '.join(taken) or 'no stage'} from {source}.")

    def _export(self) -> None:
        if self.keep is not None and (self.folder / OUTCOMES).is_file():
            with OutcomeStore(self.folder / OUTCOMES) as store:
                export_outcomes(store, self.keep / KEPT_OUTCOMES)

    def _sources(self) -> Sources:
        data = {
            name: file_digest(self.folder / name)
            for name in (
                "problems/train.jsonl", "problems/held_out.jsonl", "cold_start/rows.jsonl",
                "trajectories/trajectories.jsonl", "reward/rewards.jsonl", "pairs/train.jsonl", "pairs/held_out.jsonl",
                "eval/rows.jsonl",
            )
        }  # fmt: skip
        return Sources(
            about=_document(self.folder / RUN) | {"data": data},
            structure=_document(self.folder / "structure" / "result.json"),
            sft=_document(self.folder / "sft" / "result.json"),
            dpo=_document(self.folder / "dpo" / "result.json"),
            pairs=_document(self.folder / "pairs" / "report.json"),
            evaluation=_document(self.folder / "eval" / "result.json"),
            rows=_lines(self.folder / "eval" / "rows.jsonl"),
        )

    @contextmanager
    def _claimed(self) -> Iterator[None]:
        """Hold the run's folder against other processes.

        Raises:
            UsageError: it holds files that are no run, or another process runs there.
        """
        from filelock import FileLock, Timeout

        known = (self.folder / RUN).exists() or (self.folder / "stages").exists()
        if not known and self.folder.exists() and any(entry.suffix != ".lock" for entry in self.folder.iterdir()):
            raise UsageError(
                f"{self.folder} holds files that are no run of a pipeline; give another folder with --out."
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.folder / "pipeline.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise UsageError(f"Another process runs a pipeline in {self.folder}; wait for it to end.") from error
        try:
            yield
        finally:
            lock.release()


def _identity(planner: str) -> Any:
    """Return what names the model that is trained: its spec, and for a folder the sizes of its files."""
    folder = Path(planner.removeprefix("hf:")).expanduser()
    if not folder.exists():
        return planner
    files = sorted(folder.iterdir()) if folder.is_dir() else [folder]
    return {"spec": planner, "files": {file.name: file.stat().st_size for file in files if file.is_file()}}


def _document(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found


def _lines(path: Path) -> list[Mapping[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
