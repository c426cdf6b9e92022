"""What every training job does around its trainer: it takes its folder, says what it is made of, and leaves results."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from training.callbacks import Message
from training.card import card_text
from training.exporting import export
from training.job import Curve
from training.records import Placed, PreferenceRow, SftRow, rows_digest
from training.run_folder import RESULT, RunFolder, claimed, is_main_process
from training.settings import TrainSettings
from training.starting import Start
from training.tokenizing import Tokenized


def data_of(
    train: Sequence[Placed[SftRow]] | Sequence[Placed[PreferenceRow]],
    kept: Tokenized[Any],
    held_out: Sequence[Placed[SftRow]] | Sequence[Placed[PreferenceRow]],
    looked_at: Tokenized[Any],
) -> dict[str, Any]:
    """Return counts and digests of the rows given, and how many of them could not be kept as tokens."""
    return {
        "train_rows": len(kept.rows),
        "train_digest": rows_digest(placed.row for placed in train),
        "held_out_rows": len(looked_at.rows),
        "held_out_digest": rows_digest(placed.row for placed in held_out),
        "dropped": len(kept.dropped) + len(looked_at.dropped),
    }


def in_folder(
    kind: str,
    start: Start,
    settings: TrainSettings,
    data: dict[str, Any],
    tokenizer: Any,
    out: Path,
    work: Callable[[RunFolder], dict[str, Any]],
    *,
    resume: bool,
    notices: Sequence[str],
    message: Message,
) -> dict[str, Any]:
    """Return the result of a job: the one its folder holds, or what `work` makes in it; errors as for `claimed`.

    Args:
        kind: `sft` or `dpo`.
        start: the model to start from.
        settings: the job's settings.
        data: counts and digests of the rows.
        tokenizer: the one in use, with its chat template and pad token.
        out: the job's folder.
        work: does the job.
        resume: whether an unfinished job of the same kind goes on.
        notices: what is to be known of the rows, told before the work begins.
        message: told what a person should know.
    """
    made_from = {
        "kind": kind,
        "start": start.made_from,
        "settings": settings.model_dump(mode="json"),
        "data": data,
        "chat_template": tokenizer.chat_template,
        "pad_token": tokenizer.pad_token,
    }
    with claimed(out, made_from, resume=resume) as folder:
        done = folder.read(RESULT)
        if done is not None:
            message(f"{out} holds this job's result already; nothing was done.")
            return done
        for notice in notices:
            message(notice)
        return work(folder)


def finished(
    title: str,
    trainer: Any,
    start: Start,
    settings: TrainSettings,
    folder: RunFolder,
    curve: Curve,
    figures: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Write what a job leaves, the result last, and return the result.

    Args:
        title: what kind of training this is, for the card.
        trainer: holds the weights that remain.
        start: the model it started from.
        settings: the job's settings.
        folder: the job's folder.
        curve: what was measured.
        figures: what was measured besides.

    Raises:
        OSError: the folder can't be written.
    """
    data = folder.made_from["data"]
    card = card_text(title, start, settings, data, curve, figures)
    result = {
        "kind": folder.made_from["kind"],
        "key": folder.key,
        "start": start.made_from,
        "data": data,
        "loss_before": curve.before.get("loss"),
        "loss_after": curve.after.get("loss"),
        **(figures or {}),
        "steps": curve.steps,
        "best_step": curve.best_step,
        **export(trainer, start, settings, folder, card),
        "history": curve.history,
    }
    if is_main_process():
        (folder.path / "README.md").write_text(card, encoding="utf-8")
        folder.write(RESULT, result)
    return result
