"""`reasonflux train dpo`: prefer the trajectories that led to right answers."""

from pathlib import Path
from typing import Annotated

import typer

from reasonflux.commands import console
from training.commands import options as shared

EPILOG = console.examples(
    "reasonflux train dpo --pairs pairs.jsonl --model hf:runs/sft/model --out runs/dpo",
    "reasonflux train dpo --pairs pairs.jsonl --model smollm2-135m --adapter runs/sft/adapter --out runs/dpo",
    "reasonflux train dpo --pairs train.jsonl --held-out held_out.jsonl --model hf:./m --out runs/dpo --beta 0.2",
)


def dpo(
    pairs: Annotated[Path, typer.Option("--pairs", metavar="FILE", help="Preference rows, JSONL.")],
    model: shared.ModelOption,
    out: shared.OutOption,
    adapter: shared.AdapterOption = None,
    beta: Annotated[float | None, typer.Option("--beta", help="β: how close to the reference.")] = None,
    loss_type: Annotated[
        str | None, typer.Option("--loss-type", help="sigmoid, hinge, ipo, robust, apo_zero or sigmoid_norm.")
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
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    quiet: shared.QuietOption = False,
    as_json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Train a planner on pairs of a better and a worse trajectory, with DPO.

    The reference is exactly the model that training starts from: model and adapter. Pairs of one family are held
    out together.
    """
    with console.reporting(debug=debug):
        from training.dpo import train_dpo
        from training.records import PreferenceRow, read_rows
        from training.settings import DpoSettings
        from training.structure import split

        given = {
            "method": method,
            "epochs": epochs,
            "learning_rate": learning_rate,
            "batch_size": batch_size,
            "max_length": max_length,
            "seed": seed,
            "report_to": report_to,
            "beta": beta,
            "loss_type": loss_type,
        }
        chosen, file = shared.settings_from(DpoSettings, given=given, more=more, held_out=held_out)
        where = shared.places(home, weights, None, quiet=quiet)
        train = read_rows(pairs, PreferenceRow)
        if file is not None:
            looked_at = read_rows(file, PreferenceRow)
        else:
            train, looked_at = split(
                train, lambda placed: placed.row.family, held_out=chosen.held_out, seed=chosen.seed
            )
        start = shared.found_start(model, adapter, where, chosen.method)
        shared.run_job(
            train_dpo,
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
