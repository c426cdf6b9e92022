"""`reasonflux train pipeline`: a recipe from problems to report."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from reasonflux.commands import console, settings
from training.commands import options as shared

EPILOG = console.examples(
    "reasonflux train pipeline --recipe smoke --out runs/smoke",
    "reasonflux train pipeline --recipe laptop --out runs/laptop --keep-rows docs/reports/laptop "
    "--resume-from docs/reports/laptop",
    "reasonflux train pipeline --recipe mine.yaml --out runs/mine --until pairs",
)


class StageChoice(StrEnum):
    """The stages, in order."""

    problems = "problems"
    structure = "structure"
    cold_start = "cold_start"
    sft = "sft"
    trajectories = "trajectories"
    reward = "reward"
    pairs = "pairs"
    dpo = "dpo"
    eval = "eval"
    report = "report"


def pipeline(
    recipe: Annotated[
        str, typer.Option("--recipe", metavar="FILE|NAME", help="smoke, laptop, gpu-1x, gpu-8x, domain, or a file.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="The run's folder.", show_default="runs/NAME")
    ] = None,
    until: Annotated[StageChoice | None, typer.Option("--until", help="The last stage to do.")] = None,
    resume_from: Annotated[
        Path | None,
        typer.Option("--resume-from", metavar="FOLDER", help="Take the rows of stages that were kept there."),
    ] = None,
    keep_rows: Annotated[
        Path | None, typer.Option("--keep-rows", metavar="FOLDER", help="Copy the rows of each stage there.")
    ] = None,
    library: console.LibraryOption = None,
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    quiet: shared.QuietOption = False,
    as_json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Do everything in order: problems, structure, cold start, trajectories, rewards, pairs, DPO, evaluation, report.

    A stage whose inputs and settings are those of the last time is skipped. A run that was ended, however it was, goes
    on where it stood when it is started again with the same folder.
    """
    with console.reporting(debug=debug):
        from training.child import run_child
        from training.pipeline import Pipeline
        from training.recipe import find_recipe, read_recipe

        file = find_recipe(recipe)
        chosen = read_recipe(file)
        where = shared.places(home, weights, chosen.library or library, quiet=quiet)
        path = settings.library_path(where.library, where.home)
        environment = {
            "REASONFLUX_HOME": str(where.home),
            "REASONFLUX_WEIGHTS": str(where.weights),
            "REASONFLUX_LIBRARY": str(path),
        }
        runner = partial(run_child, environment=environment)
        if not path.exists() and path == settings.library_path(None, where.home):
            runner(["library", "init"])
        done = Pipeline(
            recipe=chosen,
            folder=(out or Path("runs") / chosen.name).expanduser().absolute(),
            beside=file.absolute().parent,
            library=_library_digest(path),
            runner=runner,
            message=(lambda text: None) if quiet else (lambda text: console.note(console.clean(text))),
            keep=_absolute(keep_rows),
        ).run(until=until.value if until is not None else None, resume_from=_absolute(resume_from))
        _tell(done, as_json=as_json)


def _library_digest(path: Path) -> str:
    from library.store import Library

    with Library.open(path) as store:
        return store.digest()


def _absolute(path: Path | None) -> Path | None:
    return path.expanduser().absolute() if path is not None else None


def _tell(done: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        console.write_json(done)
        return
    for name, became in done["stages"].items():
        console.write(f"{name:14}{became}")
    if done["report"] is not None:
        console.write(console.clean(f"Report: {done['report']}"))
