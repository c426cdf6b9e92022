"""`reasonflux train trajectories`: distinct valid plans of each problem, and those that lead to the answer as rows."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import console
from reasonflux.commands.options import PlanningMode
from training.commands import options as shared
from training.commands import rollouts as rolling
from training.commands.planning import Planning, failed, worked_off

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from library.search import TemplateSearch
    from training.problems import TrainingProblem

EPILOG = console.examples(
    "reasonflux train trajectories --problems problems.jsonl --out trajectories.jsonl --planner hf:./structure/model",
    "reasonflux train trajectories --from-generators 120 --difficulty 1 --out trajectories.jsonl --planning closed",
    "reasonflux train trajectories --problems problems.jsonl --out trajectories.jsonl --verified rows.jsonl",
)


def trajectories(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="File for the trajectories, a problem a line.")],
    problems: Annotated[
        Path | None, typer.Option("--problems", metavar="FILE", help="Problems to plan, one JSON object a line.")
    ] = None,
    from_generators: Annotated[
        int | None,
        typer.Option("--from-generators", metavar="N", min=1, help="Plan N fresh problems of the library's templates."),
    ] = None,
    difficulty: Annotated[
        int | None,
        typer.Option(
            "--difficulty", min=1, max=3, help="Of those drawn: 1 easy, 2 usual, 3 of a contest.", show_default="2"
        ),
    ] = None,
    planner: Annotated[
        str | None, typer.Option("--planner", metavar="SPEC", help="The model that plans.", show_default="as solve's")
    ] = None,
    planning: Annotated[
        PlanningMode | None, typer.Option("--planning", help="Name templates, or choose them.", show_default="open")
    ] = None,
    number: Annotated[
        int | None, typer.Option("-n", "--number", help="Distinct valid trajectories a problem.", show_default="4")
    ] = None,
    temperature: Annotated[
        float | None, typer.Option("--temperature", help="Of the sampler.", show_default="0.9")
    ] = None,
    top_p: Annotated[float | None, typer.Option("--top-p", help="Of the sampler.", show_default="0.95")] = None,
    verified: Annotated[
        Path | None,
        typer.Option("--verified", metavar="FILE", help="Keep those that lead to the right answer, as rows for `sft`."),
    ] = None,
    models: rolling.ModelsOption = None,
    follow_mode: rolling.FollowOption = None,
    store: rolling.StoreOption = None,
    resume: rolling.ResumeOption = False,
    retry_unknown: rolling.RetryOption = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="The first N problems only.")] = None,
    seed: rolling.SeedOption = None,
    engine: rolling.EngineOption = rolling.EngineChoice.local,
    parallel: rolling.ParallelOption = 1,
    workers: rolling.WorkersOption = 1,
    ray_address: rolling.AddressOption = None,
    gpus: rolling.GpusOption = 0.0,
    more: shared.SetOption = None,
    library: console.LibraryOption = None,
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    quiet: shared.QuietOption = False,
    as_json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Sample distinct valid trajectories of problems; a run that was ended goes on with --resume.

    With --verified each is followed on its own problem. A problem none of whose trajectories is right gets one try
    with its answer as a hint; what comes of it is marked, and kept only if following it without the hint is right.
    """
    with console.reporting(debug=debug):
        from reasonflux.commands.assemble_library import open_templates
        from reasonflux.config import DEFAULT_MODEL
        from reasonflux.errors import UsageError
        from training.problems import require_golds
        from training.rollout_settings import TrajectorySettings

        if (problems is None) == (from_generators is None):
            raise UsageError("Give the problems to plan: either --problems FILE or --from-generators N.")
        if problems is not None and difficulty is not None:
            raise UsageError("--difficulty goes with --from-generators; the problems of a file are what they are.")
        given = {
            "number": number,
            "planning": planning,
            "temperature": temperature,
            "top_p": top_p,
            "seed": seed,
            "follow_mode": follow_mode,
        }
        settings, _ = shared.settings_from(TrajectorySettings, given=given, more=more, held_out=None)
        where = shared.places(home, weights, library, quiet=quiet)
        out = out.expanduser().absolute()
        with open_templates(where.library, home=where.home, weights=where.weights, quiet=quiet) as source:
            asked = _problems(problems, from_generators, difficulty or 2, settings.seed, source)[:limit]
            if verified is not None:
                require_golds(asked, "--verified")
            planning_with = Planning(planner or DEFAULT_MODEL, settings, source, where, parallel)
            document = _sample(planning_with, asked, out, resume=resume)
            if verified is not None:
                from training.commands.verified import Verifying

                kept = verified.expanduser().absolute()
                settings = rolling.fitted(settings)
                verifying = Verifying(
                    asked=asked,
                    lines=out,
                    out=kept,
                    settings=settings,
                    source=source,
                    where=where,
                    resume=resume,
                    retry_unknown=retry_unknown,
                    planning=planning_with,
                    store=rolling.store_beside(kept, store),
                    engine=lambda: rolling.engine(
                        models,
                        settings,
                        where,
                        kind=engine,
                        parallel=parallel,
                        workers=workers,
                        address=ray_address,
                        gpus=gpus,
                    ),
                )
                document["verified"] = verifying.run()
        _tell(document, as_json=as_json)
        if document["failed"]:
            raise typer.Exit(console.EXIT_FAILED)


def _problems(
    file: Path | None, number: int | None, difficulty: int, seed: int, source: "TemplateSearch"
) -> "list[TrainingProblem]":
    from library.errors import LibraryError
    from library.generating import seed_generators
    from training.problems import draw_problems, read_problems

    if file is not None:
        return read_problems(file)
    generators = seed_generators()
    held = set()
    for slug in generators:
        try:
            if source.get(slug).status == "active":
                held.add(slug)
        except LibraryError:
            # The library does without this template, so no plan could use it.
            continue
    return draw_problems(generators, number or 0, difficulty=difficulty, seed=seed, among=held)


def _sample(planning: Planning, asked: "Sequence[TrainingProblem]", out: Path, *, resume: bool) -> dict[str, Any]:
    """Sample what is not in the file yet, and return what the file holds then."""
    from reasonflux.batch import Crew
    from reasonflux.batch_output import BatchOutput

    with (
        planning.sampler() as (sampler, config),
        BatchOutput(out, config | {"writes": "trajectories"}, resume=resume) as output,
    ):
        todo = [problem for problem in asked if (problem.line, problem.content_hash) not in output.kept]
        if len(todo) < len(asked):
            console.note(f"{len(asked) - len(todo)} of {len(asked)} problems are done; going on with {len(todo)}.")

        def work(problem: "TrainingProblem", stop: "Callable[[], bool]") -> dict[str, Any] | None:
            from reasonflux.errors import ModelError

            try:
                line = sampler.sample(problem, stop)
            except ModelError as error:
                return failed(problem, error)
            return line.document() if line is not None else None

        finished, failures = worked_off(
            Crew(work, planning.slots), todo, output, "Sampling trajectories", planning.where
        )
    if not finished:
        raise KeyboardInterrupt
    return _counted(out, asked) | {"failed": failures, "out": str(out)}


def _counted(out: Path, asked: "Sequence[TrainingProblem]") -> dict[str, Any]:
    from collections import Counter

    from training.trajectories import read_trajectories

    wanted = {(problem.line, problem.content_hash) for problem in asked}
    lines = [line for line in read_trajectories(out) if (line.line, line.content_hash) in wanted]
    invalid: Counter[str] = Counter()
    for line in lines:
        invalid.update(line.invalid)
    return {
        "problems": len(lines),
        "without": sum(not line.trajectories for line in lines),
        "trajectories": sum(len(line.trajectories) for line in lines),
        "draws": sum(line.draws for line in lines),
        "invalid": dict(sorted(invalid.items())),
    }


def _tell(document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        console.write_json(document)
        return
    console.write(
        f"{document['trajectories']} trajectories of {document['problems']} problems from {document['draws']} plans; "
        f"{document['without']} problems have none."
    )
    reasons = sorted(document["invalid"].items(), key=lambda item: -item[1])
    if reasons:
        listed = "; ".join(f"{count} × {reason}" for reason, count in reasons)
        console.write(console.clean(f"Of no use: {listed}."))
    console.write(console.clean(f"Trajectories: {document['out']}"))
    if (verified := document.get("verified")) is not None:
        console.write(
            f"{verified['rows']} rows: {verified['problems_solved']} problems were solved, "
            f"{verified['problems_hinted']} with a hint alone."
        )
        console.write(console.clean(f"Rows: {verified['out']}"))
