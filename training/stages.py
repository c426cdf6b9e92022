"""The stages of a pipeline: for each, the command that does it, what it is made of, and what it leaves.

A stage's key is the hash of its settings, of the files it reads and of the keys of the stages whose models it uses. A
model is thus named by how it came about and not by its weights, so that rows that were kept go on being valid where
the weights have to be trained again.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reasonflux.config import Settings
from training.recipe import ColdStartSettings, ProblemSettings, Recipe
from training.report import AFTER, BEFORE, UNTRAINED
from training.settings import TrainSettings

STAGES = ("problems", "structure", "cold_start", "sft", "trajectories", "reward", "pairs", "dpo", "eval", "report")
OUTCOMES = "outcomes.db"


@dataclass(frozen=True)
class Stage:
    """One stage.

    Attributes:
        name: one of `STAGES`; its folder's name too.
        settings: what of the recipe shapes it, as JSON values.
        reads: files whose content counts, relative to the run's folder.
        models: stages whose models it uses.
        rows: files it leaves that are kept, relative to its own folder; those in `maybe` may be missing.
        maybe: files that it leaves in some cases alone.
        weights: folders it leaves that may have to be made again.
        command: the arguments after `reasonflux`, made when it is run; empty for what runs in this process.
        trains: whether it runs under `accelerate` where the recipe says so.
    """

    name: str
    settings: dict[str, Any]
    command: Callable[[], list[str]]
    reads: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    trains: bool = False


@dataclass(frozen=True)
class Plan:
    """The stages of a recipe in a run's folder, in order."""

    recipe: Recipe
    folder: Path
    beside: Path = field(default_factory=Path)
    """The folder that relative paths in the recipe are meant from."""

    def stages(self) -> list[Stage]:
        """Return the stages; without a cold start its two are left out."""
        made = [self._problems(), self._structure()]
        if self.recipe.cold_start is not None:
            made += [self._cold_start(self.recipe.cold_start), self._sft()]
        return [*made, self._trajectories(), self._reward(), self._pairs(), self._dpo(), self._eval(), self._report()]

    @property
    def start(self) -> str:
        """The stage whose planner DPO starts from."""
        return "sft" if self.recipe.cold_start is not None else "structure"

    def planner_of(self, stage: str) -> str:
        """Return the spec of the planner that a stage leaves."""
        settings = self._training(stage)
        if settings.method == "full" or settings.merge:
            return f"hf:{self.folder / stage / 'model'}"
        return f"hf:{_bare(self.recipe.planner)}+{self.folder / stage / 'adapter'}"

    def _training(self, stage: str) -> TrainSettings:
        found: TrainSettings = getattr(self.recipe, stage)
        return found

    def _started_from(self, stage: str, method: str) -> list[str]:
        """Return the options that name the model of an earlier stage as the one to train."""
        settings = self._training(stage)
        if settings.method == "full" or method == "qlora":
            return ["--model", f"hf:{self.folder / stage / 'model'}"]
        return ["--model", _bare(self.recipe.planner), "--adapter", str(self.folder / stage / "adapter")]

    def _path(self, *parts: str) -> str:
        return str(self.folder.joinpath(*parts))

    def _problems(self) -> Stage:
        settings = self.recipe.problems
        values = settings.model_dump(mode="json")
        for name in ("train_file", "held_out_file"):
            if values[name] is not None:
                values[name] = str(self.beside / Path(values[name]).expanduser())
        reads = tuple(values[name] for name in ("train_file", "held_out_file") if values[name] is not None)

        def command() -> list[str]:
            return ["train", "problems", "--out", self._path("problems"), *_problem_options(settings, values)]

        return Stage("problems", values, command, reads=reads, rows=("train.jsonl", "held_out.jsonl"))

    def _structure(self) -> Stage:
        def command() -> list[str]:
            into = ["--model", _bare(self.recipe.planner), "--out", self._path("structure"), "--resume"]
            return ["train", "structure", *into, *_set(self.recipe.structure)]

        values = self.recipe.structure.model_dump(mode="json")
        return Stage(
            "structure", values, command, rows=("result.json",), weights=_left(self.recipe.structure), trains=True
        )

    def _cold_start(self, settings: ColdStartSettings) -> Stage:
        def command() -> list[str]:
            return [
                "train", "trajectories", "--problems", self._path("problems", "train.jsonl"),
                "--out", self._path("cold_start", "trajectories.jsonl"),
                "--verified", self._path("cold_start", "rows.jsonl"), "--store", self._path(OUTCOMES),
                "--planner", settings.planner or self.planner_of("structure"), "--resume",
                *self._following(), *_set(settings, without=("planner",)),
            ]  # fmt: skip

        return Stage(
            "cold_start",
            settings.model_dump(mode="json") | {"model": self.recipe.models},
            command,
            reads=("problems/train.jsonl",),
            models=() if settings.planner is not None else ("structure",),
            rows=("rows.jsonl", "trajectories.jsonl"),
        )

    def _sft(self) -> Stage:
        def command() -> list[str]:
            settings = self.recipe.sft
            return [
                "train", "sft", "--rows", self._path("cold_start", "rows.jsonl"), "--mix", "structure",
                *self._started_from("structure", settings.method), "--out", self._path("sft"), "--resume",
                *_set(settings),
            ]  # fmt: skip

        return Stage(
            "sft",
            self.recipe.sft.model_dump(mode="json"),
            command,
            reads=("cold_start/rows.jsonl",),
            models=("structure",),
            rows=("result.json",),
            weights=_left(self.recipe.sft),
            trains=True,
        )

    def _trajectories(self) -> Stage:
        def command() -> list[str]:
            return [
                "train", "trajectories", "--problems", self._path("problems", "train.jsonl"),
                "--out", self._path("trajectories", "trajectories.jsonl"), "--planner", self.planner_of(self.start),
                "--resume", "--parallel", str(self.recipe.engine.parallel), *_set(self.recipe.trajectories),
            ]  # fmt: skip

        values = self.recipe.trajectories.model_dump(mode="json")
        reads = ("problems/train.jsonl",)
        return Stage("trajectories", values, command, reads=reads, models=(self.start,), rows=("trajectories.jsonl",))

    def _reward(self) -> Stage:
        settings = self.recipe.reward
        pool = ["--problems", self._path("problems", "train.jsonl")] if settings.similar != "generators" else []

        def command() -> list[str]:
            return [
                "train", "reward", "--trajectories", self._path("trajectories", "trajectories.jsonl"),
                "--out", self._path("reward", "rewards.jsonl"), "--store", self._path(OUTCOMES), "--resume",
                *pool, *self._following(), *_set(settings),
            ]  # fmt: skip

        values = settings.model_dump(mode="json") | {"model": self.recipe.models}
        reads = ("trajectories/trajectories.jsonl", "problems/train.jsonl")
        return Stage("reward", values, command, reads=reads, rows=("rewards.jsonl",))

    def _pairs(self) -> Stage:
        def command() -> list[str]:
            into = ["--rewards", self._path("reward", "rewards.jsonl"), "--out", self._path("pairs")]
            return ["train", "pairs", *into, *_set(self.recipe.pairs)]

        values = self.recipe.pairs.model_dump(mode="json")
        rows, maybe = ("train.jsonl", "report.json"), ("held_out.jsonl",)
        return Stage("pairs", values, command, reads=("reward/rewards.jsonl",), rows=rows, maybe=maybe)

    def _dpo(self) -> Stage:
        def command() -> list[str]:
            settings = self.recipe.dpo
            held_out = self.folder / "pairs" / "held_out.jsonl"
            # The pairs are split already: a file of held-out ones, or none are.
            looked_at = ["--held-out", str(held_out) if held_out.exists() else "0"]
            return [
                "train", "dpo", "--pairs", self._path("pairs", "train.jsonl"), *looked_at,
                *self._started_from(self.start, settings.method), "--out", self._path("dpo"), "--resume",
                *_set(settings, without=("held_out",)),
            ]  # fmt: skip

        return Stage(
            "dpo",
            self.recipe.dpo.model_dump(mode="json", exclude={"held_out"}),
            command,
            reads=("pairs/train.jsonl", "pairs/held_out.jsonl"),
            models=(self.start,),
            rows=("result.json",),
            weights=_left(self.recipe.dpo),
            trains=True,
        )

    def _eval(self) -> Stage:
        settings = self.recipe.eval
        pool = ["--pool", self._path("problems", "train.jsonl")] if settings.similar != "generators" else []

        def command() -> list[str]:
            return [
                "train", "eval", "--problems", self._path("problems", "held_out.jsonl"), "--out", self._path("eval"),
                "--planner", f"{UNTRAINED}=hf:{_bare(self.recipe.planner)}",
                "--planner", f"{BEFORE}={self.planner_of(self.start)}",
                "--planner", f"{AFTER}={self.planner_of('dpo')}",
                *[part for key in settings.score for part in ("--score", key)],
                "--store", self._path(OUTCOMES), "--resume", *pool, *self._following(), *_set(settings, ("score",)),
            ]  # fmt: skip

        return Stage(
            "eval",
            settings.model_dump(mode="json") | {"model": self.recipe.models},
            command,
            reads=("problems/held_out.jsonl", "problems/train.jsonl"),
            models=(self.start, "dpo"),
            rows=("rows.jsonl", "solved.jsonl", "result.json"),
        )

    def _report(self) -> Stage:
        reads = tuple(f"{name}/result.json" for name in ("structure", "sft", "dpo", "eval"))
        return Stage(
            "report",
            {},
            list,
            reads=(*reads, "pairs/report.json", "eval/rows.jsonl"),
            rows=("report.json", "report.html"),
        )

    def _following(self) -> list[str]:
        engine = self.recipe.engine
        said = [part for model in self.recipe.models for part in ("--model", model)]
        said += ["--engine", engine.kind, "--parallel", str(engine.parallel)]
        if engine.kind == "ray":
            said += ["--workers", str(engine.workers), "--gpus", str(engine.gpus)]
            said += ["--ray-address", engine.address] if engine.address is not None else []
        return said


def _bare(spec: str) -> str:
    return spec.removeprefix("hf:")


def _left(settings: TrainSettings) -> tuple[str, ...]:
    if settings.method == "full":
        return ("model",)
    return ("adapter", "model") if settings.merge else ("adapter",)


def _set(settings: Settings, without: Sequence[str] = ()) -> list[str]:
    """Return settings that differ from their defaults as options; the defaults are the command's own."""
    values = settings.model_dump(mode="json", exclude_defaults=True, exclude=set(without))
    return [part for name, value in values.items() for part in ("--set", f"{name}={json.dumps(value)}")]


def _problem_options(settings: ProblemSettings, values: dict[str, Any]) -> list[str]:
    if settings.train_file is not None:
        return ["--train-file", values["train_file"], "--held-out-file", values["held_out_file"]]
    said = ["--train", str(settings.train), "--held-out", str(settings.held_out)]
    said += ["--difficulty", str(settings.difficulty), "--seed", str(settings.seed)]
    said += ["--templates", str(settings.templates)] if settings.templates is not None else []
    return [*said, *[part for slug in settings.among for part in ("--template", slug)]]
