"""Supervised fine-tuning of the planner with TRL, on structure rows, trajectories, or both.

With structure rows alone the loss is L_struct = −E log π(T_des, T_sco | T_nam, T_tag) of Yang et al. 2025, section
3.2, taken over the tokens of the completion and its end; the prompt is never learned.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reasonflux.errors import UsageError
from training.arguments import check_reporter, quiet, trainer_arguments
from training.callbacks import Message, Progress, watching
from training.job import run_trainer
from training.jobs import data_of, finished, in_folder
from training.records import Placed, SftRow
from training.run_folder import RunFolder
from training.settings import SftSettings
from training.starting import Start, load_start, new_adapter
from training.tokenizing import SftTokens, Tokenized, load_tokenizer, tokenize_sft


def train_sft(
    start: Start,
    train: Sequence[Placed[SftRow]],
    held_out: Sequence[Placed[SftRow]],
    settings: SftSettings,
    out: Path,
    *,
    resume: bool = False,
    chat_template: Path | None = None,
    pad_token: str | None = None,
    progress: Progress = lambda done, total: None,
    message: Message = lambda text: None,
) -> dict[str, Any]:
    """Train on rows and return the job's result, which also stands in `out/result.json`.

    A job that had ended is not run again. Bad rows and a tokenizer that can't be used are found before the model is
    loaded.

    Args:
        start: the model to start from.
        train: the rows to learn.
        held_out: rows the best checkpoint is chosen by; may be empty.
        settings: the job's settings.
        out: the job's folder.
        resume: whether an unfinished job of the same kind goes on.
        chat_template: a Jinja file used in place of the model's own.
        pad_token: the token to pad with where the tokenizer names none.
        progress: told steps done and in all.
        message: told what a person should know, a sentence at a time.

    Raises:
        UsageError: the folder holds something else, or there is nothing to train on.
        TrainingError: rows or tokenizer can't be trained with, or a number in training is none.
        WeightsError: the model can't be loaded.
    """
    check_reporter(settings.report_to)
    if not train:
        raise UsageError("There is no row to train on; give more rows or a smaller --held-out.")
    with quiet():
        tokenizer = load_tokenizer(start.base, chat_template=chat_template, pad_token=pad_token)
        kept = tokenize_sft(train, tokenizer, max_length=settings.max_length)
        looked_at: Tokenized[SftTokens] = Tokenized()
        if held_out:
            looked_at = tokenize_sft(held_out, tokenizer, max_length=settings.max_length)
        data = data_of(train, kept, held_out, looked_at)
        data["structure_rows"] = sum(placed.row.kind == "structure" for placed in train)

        def work(folder: RunFolder) -> dict[str, Any]:
            message(f"Training on {len(kept.rows)} rows, {len(looked_at.rows)} held out.")
            trainer = sft_trainer(
                start, kept.rows, looked_at.rows, settings, folder.checkpoints, tokenizer, progress, message
            )
            curve = run_trainer(trainer, folder, message)
            return finished("Supervised fine-tuning", trainer, start, settings, folder, curve)

        return in_folder(
            "sft",
            start,
            settings,
            data,
            tokenizer,
            out,
            work,
            resume=resume,
            notices=[*kept.notices(), *looked_at.notices()],
            message=message,
        )


def sft_trainer(
    start: Start,
    train: list[SftTokens],
    held_out: list[SftTokens],
    settings: SftSettings,
    checkpoints: Path,
    tokenizer: Any,
    progress: Progress = lambda done, total: None,
    message: Message = lambda text: None,
) -> Any:
    """Return TRL's trainer, given the rows as token ids and labels so that it tokenizes and cuts nothing itself.

    Raises:
        WeightsError: the model can't be loaded.
        UsageError: a setting can't be had here.
    """
    from trl import SFTConfig, SFTTrainer

    arguments = trainer_arguments(settings, checkpoints, held_out=bool(held_out))
    return SFTTrainer(
        model=load_start(start, settings),
        args=SFTConfig(**arguments, max_length=None, dataset_kwargs={"skip_prepare_dataset": True}),
        train_dataset=_dataset(train),
        eval_dataset=_dataset(held_out) if held_out else None,
        processing_class=tokenizer,
        peft_config=new_adapter(settings),
        callbacks=watching(progress, message, patience=settings.patience if held_out else 0),
    )


def _dataset(rows: list[SftTokens]) -> Any:
    from datasets import Dataset

    return Dataset.from_list([{"input_ids": row.input_ids, "labels": row.labels} for row in rows])
