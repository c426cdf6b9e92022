"""`reasonflux train sft`: fine-tune a planner on rows, such as trajectories that were right."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from reasonflux.commands import console
from training.commands import options as shared

EPILOG = console.examples(
    "reasonflux train sft --rows trajectories.jsonl --model hf:runs/structure/model --out runs/sft",
    "reasonflux train sft --rows t.jsonl --mix structure --model smollm2-135m --adapter runs/structure/adapter "
    "--out runs/sft",
    "reasonflux train sft --rows t.jsonl --model hf:./my-model --out runs/sft --set lora_rank=8 --resume",
)


class MixChoice(StrEnum):
    """Rows that are mixed in."""

    structure = "structure"


def sft(
    rows: Annotated[list[Path], typer.Option("--rows", metavar="FILE", help="Rows to learn, JSONL; repeatable.")],
    model: shared.ModelOption,
    out: shared.OutOption,
    adapter: shared.AdapterOption = None,
    mix: Annotated[
        MixChoice | None,
        typer.Option("--mix", help="Mix the library's structure rows in, so that they are not forgotten."),
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
    """Fine-tune a planner on rows of prompt and completion; the loss is on the completion alone.

    Rows of one source (a problem) are held out together.
    """
    with console.reporting(debug=debug):
        from training.settings import SftSettings
        from training.sft import train_sft
        from training.structure import split, structure_rows

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
        where = shared.places(home, weights, library, quiet=quiet)
        train = shared.combined(rows)
        if file is not None:
            looked_at = shared.combined([file])
        else:
            train, looked_at = split(
                train, lambda placed: placed.row.source or placed.row.id, held_out=chosen.held_out, seed=chosen.seed
            )
        if mix is not None:
            mixed = structure_rows(shared.active_templates(where), held_out=chosen.held_out, seed=chosen.seed)
            train, looked_at = train + mixed[0], looked_at + mixed[1]
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
