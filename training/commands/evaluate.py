"""`reasonflux train eval`: planners against one another on held-out problems."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import console
from training.commands import options as shared
from training.commands import rollouts as rolling
from training.commands.trial import Entrant, Trial

if TYPE_CHECKING:
    from training.evaluation_settings import Planning

EPILOG = console.examples(
    "reasonflux train eval --planner before=hf:runs/sft/model --planner after=hf:runs/dpo/model "
    "--problems held_out.jsonl --out runs/eval",
    "reasonflux train eval --planner smollm2-135m --problems held_out.jsonl --out runs/plans --set rewards=false",
    "reasonflux train eval --planner a=hf:a --planner b=hf:b --problems h.jsonl --out e --planning open --set solve=20",
)


class PlanningChoice(StrEnum):
    """How planners plan."""

    open = "open"
    closed = "closed"
    both = "both"


def evaluate(
    planners: Annotated[
        list[str],
        typer.Option(
            "--planner", metavar="[NAME=]SPEC", help="A planner to compare, the one to beat first; repeatable."
        ),
    ],
    problems: Annotated[
        Path, typer.Option("--problems", metavar="FILE", help="Held-out problems with answers, JSONL.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="For rows.jsonl and result.json.")],
    planning: Annotated[
        PlanningChoice, typer.Option("--planning", help="Name templates, choose them, or both.")
    ] = PlanningChoice.both,
    score: Annotated[
        list[str] | None,
        typer.Option(
            "--score",
            metavar="NAME/PLANNING",
            help="Score and solve with these alone, as before/open; repeatable.",
            show_default="all",
        ),
    ] = None,
    models: rolling.ModelsOption = None,
    pool: Annotated[
        Path | None,
        typer.Option("--pool", metavar="FILE", help="With --set similar=problems or both: problems to choose from."),
    ] = None,
    k: Annotated[int | None, typer.Option("-k", help="Similar problems a problem.", show_default="4")] = None,
    follow_mode: rolling.FollowOption = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="The first N problems only.")] = None,
    seed: shared.SeedOption = None,
    store: rolling.StoreOption = None,
    resume: rolling.ResumeOption = False,
    retry_unknown: rolling.RetryOption = False,
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
    """Compare planners on problems they were not trained on.

    Told are valid plans, written greedily without a schema; the share of steps that use the right template; the mean
    reward of the plans, with paired intervals; and with --set solve=N problems solved from plan to answer.
    """
    with console.reporting(debug=debug):
        from reasonflux.commands.assemble_library import open_templates
        from reasonflux.grading import Grader
        from training.comparison import summarised
        from training.evaluation_settings import EvaluationSettings
        from training.problems import read_problems, require_golds
        from training.rollouts import Marker
        from training.writing import write_document, write_lines

        given = {"k": k, "follow_mode": follow_mode, "seed": seed}
        settings, _ = shared.settings_from(EvaluationSettings, given=given, more=more, held_out=None)
        out = out.expanduser().absolute()
        where = shared.places(home, weights, library, quiet=quiet)
        entrants = _entrants(planners, planning, score)
        asked = read_problems(problems)[:limit]
        if settings.solve:
            require_golds(asked, "Solving to the end")
        with (
            open_templates(where.library, home=where.home, weights=where.weights, quiet=quiet) as source,
            Grader() as grader,
        ):
            trial = Trial(asked, source, settings, out, where, Marker(grader), resume=resume, parallel=parallel)
            rows = trial.planned(entrants)
            if settings.rewards:
                with (
                    rolling.store_beside(out / "outcomes", store) as outcomes,
                    rolling.engine(
                        models, rolling.fitted(settings), where, kind=engine, parallel=parallel, workers=workers,
                        address=ray_address, gpus=gpus,
                    ) as running,
                ):  # fmt: skip
                    similar = trial.similar(pool)
                    rows = trial.scored(rows, entrants, similar, running, outcomes, retry_unknown=retry_unknown)
            solved = trial.solved(entrants, models) if settings.solve else []
        document = summarised([entrant.contender for entrant in entrants], rows, solved, settings.seed)
        write_lines(out / "rows.jsonl", rows)
        write_lines(out / "solved.jsonl", solved)
        write_document(out / "result.json", document)
        _tell(document | {"out": str(out)}, as_json=as_json)


def _entrants(planners: Sequence[str], planning: PlanningChoice, score: Sequence[str] | None) -> list[Entrant]:
    from reasonflux.errors import UsageError
    from training.evaluate import Contender

    wanted: list[Planning] = ["closed", "open"]
    modes = wanted if planning is PlanningChoice.both else [mode for mode in wanted if mode == planning.value]
    specs: dict[str, str] = {}
    for text in planners:
        name, separator, spec = text.partition("=")
        name, spec = (name.strip(), spec.strip()) if separator else (text, text)
        if not name or not spec or name in specs:
            raise UsageError(f"--planner {text!r} must be NAME=SPEC with a name of its own.")
        specs[name] = spec
    found = [(Contender(name, mode), spec) for name, spec in specs.items() for mode in modes]
    keys = [contender.key for contender, _ in found]
    wrong = [key for key in score or [] if key not in keys]
    if wrong:
        raise UsageError(f"--score {wrong[0]!r} names none of the planners; there are {', '.join(keys)}.")
    return [Entrant(who, spec, score is None or who.key in score) for who, spec in found]


def _tell(document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        console.write_json(document)
        return
    for entry in document["entries"]:
        parts = [f"{entry['planner']}, {entry['mode']}: {_share(entry['valid_plans'])} of {entry['plans']} plans valid"]
        if entry["precision"] is not None:
            parts.append(f"{_share(entry['precision'])} of the steps by the right template")
        if entry["reward"] is not None:
            parts.append(f"mean reward {entry['reward']:.3f}")
        if entry["accuracy"] is not None:
            parts.append(f"{_share(entry['accuracy'])} solved with {entry['tokens']:.0f} tokens a problem")
        console.write(console.clean("; ".join(parts) + "."))
    for item in document["comparisons"]:
        if item["gain"] is not None:
            low, high = item["interval"] or (item["gain"], item["gain"])
            console.write(
                console.clean(
                    f"Reward from {item['first']} to {item['second']}: {item['gain']:+.3f} ({low:+.3f} to {high:+.3f})."
                )
            )
    console.write(console.clean(f"Rows and result: {document['out']}"))


def _share(value: float | None) -> str:
    return "none" if value is None else f"{100 * value:.1f} %"
