"""`reasonflux train structure`: teach a model what the library holds."""

from pathlib import Path
from typing import Annotated

import typer

from reasonflux.commands import console
from training.commands import options as shared

EPILOG = console.examples(
    "reasonflux train structure --model smollm2-135m --out runs/structure",
    "reasonflux train structure --model hf:./my-model --library physics --out runs/structure --method full",
    "reasonflux train structure --model smollm2-135m --out runs/structure --rows-only rows/",
)


def structure(
    model: shared.ModelOption,
    out: shared.OutOption,
    adapter: shared.AdapterOption = None,
    rows_only: Annotated[
        Path | None,
        typer.Option(
            "--rows-only", metavar="FOLDER", help="Write train.jsonl and held_out.jsonl there; train nothing."
        ),
    ] = None,
    resume: shared.ResumeOption = False,
    method: shared.MethodOption = None,
    epochs: shared.EpochsOption = None,
    learning_rate: shared.RateOption = None,
    batch_size: shared.BatchOption = None,
    max_length: shared.LengthOption = None,
    held_out: shared.HeldOutOption = None,
    seed: shared.SeedOption = None,
    more: shared.SetOption = None,
    chat_template: shared.TemplateOption = None,
    pad_token: shared.PadOption = None,
    report_to: shared.ReportOption = None,
    push_to_hub: shared.PushOption = None,
    library: console.LibraryOption = None,
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    quiet: shared.QuietOption = False,
    as_json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Train a model to tell a template's description and scope from its name and tags.

    Some templates are held out; the loss on them before and after says what was learned.
    """
    with console.reporting(debug=debug):
        from reasonflux.errors import UsageError
        from training.records import write_rows
        from training.settings import SftSettings
        from training.sft import train_sft
        from training.structure import structure_rows

        given = {
            "method": method,
            "epochs": epochs,
            "learning_rate": learning_rate,
            "batch_size": batch_size,
            "max_length": max_length,
            "seed": seed,
            "report_to": report_to,
        }
        chosen, file = shared.settings_from(SftSettings, given=given, more=more, held_out=held_out)
        if file is not None:
            raise UsageError(f"--held-out {file} is no share of templates, such as 0.1.")
        where = shared.places(home, weights, library, quiet=quiet)
        train, looked_at = structure_rows(shared.active_templates(where), held_out=chosen.held_out, seed=chosen.seed)
        if rows_only is not None:
            counts = {
                name: write_rows(rows_only / f"{name}.jsonl", [placed.row for placed in rows])
                for name, rows in {"train": train, "held_out": looked_at}.items()
            }
            if as_json:
                console.write_json({"folder": str(rows_only), **counts})
            else:
                console.write(f"Wrote {counts['train']} rows to train on and {counts['held_out']} held out.")
            return
        start = shared.found_start(model, adapter, where, chosen.method)
        shared.run_job(
            train_sft,
            start,
            train,
            looked_at,
            chosen,
            out,
            where,
            resume=resume,
            chat_template=chat_template,
            pad_token=pad_token,
            repository=push_to_hub,
            as_json=as_json,
        )
