"""`reasonflux train pairs`: which trajectories are to be preferred to which."""

from pathlib import Path
from typing import Annotated, Any

import typer

from reasonflux.commands import console
from training.commands import options as shared

EPILOG = console.examples(
    "reasonflux train pairs --rewards rewards.jsonl --out pairs",
    "reasonflux train pairs --rewards rewards.jsonl --out pairs --gap 0.4 --decided 2 --held-out 0.3",
)


def pairs(
    rewards: Annotated[
        list[Path], typer.Option("--rewards", metavar="FILE", help="What `train reward` wrote; repeatable.")
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="For train.jsonl, held_out.jsonl and report.json.")
    ],
    gap: Annotated[
        float | None, typer.Option("--gap", help="Least difference of the rewards.", show_default="0.5")
    ] = None,
    decided: Annotated[
        int | None, typer.Option("--decided", help="Least number of problems that decide.", show_default="3")
    ] = None,
    per_problem: Annotated[
        int | None, typer.Option("--per-problem", help="Most pairs of a problem.", show_default="2")
    ] = None,
    held_out: Annotated[
        float | None, typer.Option("--held-out", metavar="SHARE", help="Share of the families.", show_default="0.1")
    ] = None,
    seed: shared.SeedOption = None,
    more: shared.SetOption = None,
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    quiet: shared.QuietOption = False,
    as_json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Write pairs of a better and a worse trajectory, in TRL's preference format, and what was dropped and why.

    Problems that are alike stay together: none of a family is held out while another is learned.
    """
    with console.reporting(debug=debug):
        from reasonflux.commands.assemble_library import load_embedder
        from training.errors import TrainingError
        from training.pairs import make_pairs
        from training.records import write_rows
        from training.reward import read_rewards
        from training.rollout_settings import PairSettings
        from training.writing import write_document

        out = out.expanduser().absolute()
        given = {"gap": gap, "decided": decided, "per_problem": per_problem, "held_out": held_out, "seed": seed}
        settings, _ = shared.settings_from(PairSettings, given=given, more=more, held_out=None)
        where = shared.places(home, weights, None, quiet=quiet)
        lines = [line for file in rewards for line in read_rewards(file)]
        made = make_pairs(lines, settings, load_embedder(where.weights, quiet=quiet))
        report = made.document() | {"settings": settings.model_dump(mode="json"), "out": str(out)}
        write_document(out / "report.json", report)
        for name, rows in (("train", made.train), ("held_out", made.held_out)):
            if rows:
                write_rows(out / f"{name}.jsonl", rows)
            else:
                (out / f"{name}.jsonl").unlink(missing_ok=True)
        if not made.train:
            raise TrainingError(f"No pair is left to train on ({_reasons(report)}); see {out / 'report.json'}.")
        _tell(report, as_json=as_json)


def _tell(report: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        console.write_json(report)
        return
    train, held_out = report["train"], report["held_out"]
    console.write(
        f"{train['pairs']} pairs of {train['problems']} problems to train on, {held_out['pairs']} of "
        f"{held_out['problems']} held out; {report['families']} families."
    )
    console.write(f"Dropped: {_reasons(report)}.")
    console.write(console.clean(f"Pairs: {report['out']}"))


def _reasons(report: dict[str, Any]) -> str:
    dropped = sorted(report["dropped"].items(), key=lambda item: -item[1])
    return ", ".join(f"{count} × {reason}" for reason, count in dropped) or "nothing was dropped"
