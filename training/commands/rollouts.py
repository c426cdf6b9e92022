"""What the commands before DPO share: their options, and the engine that follows trajectories."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from reasonflux.commands import console
from reasonflux.errors import UsageError
from training.commands.options import Where

if TYPE_CHECKING:
    from library.search import TemplateSearch
    from reasonflux.models.base import ChatModel
    from training.engines.base import Engine
    from training.outcomes import OutcomeStore
    from training.rollout_settings import FollowSettings, RewardSettings
    from training.rollouts import Marker
    from training.similar import SimilarProblems

    Kind = TypeVar("Kind", bound=FollowSettings)


class EngineChoice(StrEnum):
    """Where trajectories are followed."""

    local = "local"
    ray = "ray"


class FollowChoice(StrEnum):
    """How a trajectory is followed."""

    steps = "steps"
    single = "single"


ModelsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="SPEC",
        help="The model that follows trajectories; several openai: ones of one model share the work.",
        show_default="llamacpp:qwen2.5-coder-1.5b",
    ),
]
FollowOption = Annotated[
    FollowChoice | None,
    typer.Option(
        "--follow-mode", help="Follow with a call a step, or with one for the whole trajectory.", show_default="steps"
    ),
]
EngineOption = Annotated[EngineChoice, typer.Option("--engine", help="Threads here, or the actors of a Ray cluster.")]
ParallelOption = Annotated[int, typer.Option("--parallel", min=1, help="Requests a model or endpoint gets at once.")]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, help="With --engine ray: actors, each with a model.")]
AddressOption = Annotated[
    str | None,
    typer.Option("--ray-address", metavar="ADDRESS", help="A running Ray cluster.", show_default="one started here"),
]
GpusOption = Annotated[float, typer.Option("--gpus", min=0, help="With --engine ray: accelerators an actor takes.")]
StoreOption = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE", help="The database of outcomes.", show_default="beside the output, .db"),
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with files of a run that was ended.")]
SeedOption = Annotated[
    int | None, typer.Option("--seed", envvar="REASONFLUX_SEED", help="Seed of what is drawn.", show_default="0")
]
RetryOption = Annotated[
    bool, typer.Option("--retry-unknown", help="Try again all that is not known, not only what was lost.")
]


def fitted(chosen: "Kind") -> "Kind":
    """Return settings of following as this system allows: without programs where none can be run safely."""
    from reasonflux.tools.python import PythonTool

    if chosen.follow_tools and (reason := PythonTool().why_not):
        console.note(reason)
        return chosen.model_copy(update={"follow_tools": False})
    return chosen


def loaded(spec: str, where: Where, *, slots: int) -> "ChatModel":
    """Return a chat model, its weights fetched where they are missing.

    Raises:
        UsageError: the spec names nothing that exists.
        WeightsError: the weights can't be fetched.
        ModelUnavailable: the model can't be loaded.
    """
    from reasonflux.models import load_model

    _fetch(spec, where)
    return load_model(spec, weights_dir=where.weights, slots=slots, message=console.note)


@contextmanager
def engine(
    models: Sequence[str] | None,
    settings: "FollowSettings",
    where: Where,
    *,
    kind: EngineChoice,
    parallel: int,
    workers: int,
    address: str | None,
    gpus: float,
) -> "Iterator[Engine]":
    """Yield the engine that options ask for, closed at the end.

    Raises:
        UsageError: the options don't fit together, Ray is not installed, or a model does not exist.
        ReasonFluxError: a model can't be had.
    """
    from reasonflux.config import DEFAULT_MODEL
    from training.engines.threads import ThreadEngine
    from training.following import load_follower
    from training.outcomes import model_identity

    specs = list(models or [DEFAULT_MODEL])
    for spec in specs:
        _fetch(spec, where)
    if kind is EngineChoice.ray:
        from training.engines.ray import RayEngine

        if len(specs) > 1:
            raise UsageError("--engine ray takes one --model, which each of its --workers loads.")
        make = partial(load_follower, specs[0], where.weights, settings, slots=parallel)
        chosen: Engine = RayEngine(make, workers=workers, address=address, slots=parallel, gpus=gpus)
    else:
        if address is not None or gpus or workers > 1:
            raise UsageError("--workers, --gpus and --ray-address go with --engine ray.")
        followers = [load_follower(spec, where.weights, settings, slots=parallel) for spec in specs]
        if len({model_identity(follower.info) for follower in followers}) > 1:
            raise UsageError(f"Several models share the work only where they are one: {', '.join(specs)} are not.")
        chosen = ThreadEngine(followers, slots=parallel)
    try:
        yield chosen
    finally:
        chosen.close()


def similar_problems(
    settings: "RewardSettings", pool: Path | None, source: "TemplateSearch", marker: "Marker", where: Where
) -> "SimilarProblems":
    """Return what finds X_sim, from the problems of a file, from the generators, or both.

    Raises:
        RecordError: the file can't be read or holds no problem.
        WeightsError: the embedder can't be had.
    """
    from library.generating import seed_generators
    from reasonflux.commands.assemble_library import load_embedder
    from training.problems import read_problems
    from training.similar import SimilarProblems

    return SimilarProblems(
        settings,
        gradable=marker.is_gradable,
        pool=read_problems(pool) if pool is not None else (),
        embedder=load_embedder(where.weights, quiet=where.quiet) if pool is not None else None,
        source=source,
        generators=seed_generators() if settings.similar != "problems" else None,
    )


def store_beside(out: Path, given: Path | None) -> "OutcomeStore":
    """Return the database of outcomes: the one given, or one beside the output.

    Raises:
        ReasonFluxError: it can't be opened.
    """
    from training.outcomes import OutcomeStore

    return OutcomeStore(given.expanduser().absolute() if given is not None else out.with_suffix(".db"))


def _fetch(spec: str, where: Where) -> None:
    from reasonflux.commands.weights_view import ensure_weights
    from reasonflux.models import catalogue_name

    name = catalogue_name(spec)
    if name is not None:
        ensure_weights([name], where.weights, quiet=where.quiet)
