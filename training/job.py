"""Running a trainer to its end in a job's folder, from wherever an earlier process left off.

Held-out loss is taken before the first step and after the last; each look is written down when it is taken, so that
a job that was killed measures nothing twice. The weights that remain are the best checkpoint's, the last ones where
nothing is held out.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.callbacks import Message
from training.checkpoints import latest, state_of
from training.run_folder import BEFORE, TRAINED, RunFolder, is_main_process


@dataclass(frozen=True)
class Curve:
    """What a job measured.

    Attributes:
        before: metrics of the held-out rows before training, empty without such rows.
        after: the same of the weights that remain.
        steps: optimizer steps made.
        best_step: the step whose weights remain.
        history: what was logged, in order, each entry with its `step`.
    """

    before: dict[str, float]
    after: dict[str, float]
    steps: int
    best_step: int
    history: list[dict[str, Any]]


def run_trainer(trainer: Any, folder: RunFolder, message: Message) -> Curve:
    """Train until the end and return the curve; the trainer then holds the weights that remain.

    Raises:
        TrainingError: a number that was logged is none.
        OSError: the folder can't be written.
    """
    from transformers import PrinterCallback

    trainer.remove_callback(PrinterCallback)
    has_held_out = trainer.eval_dataset is not None
    # Every process decides by the same checkpoints: the main one tidies up before the others look.
    with trainer.args.main_process_first(desc="looking for checkpoints"):
        checkpoint = latest(folder.checkpoints)
    before = folder.read(BEFORE)
    if before is None:
        before = _metrics(trainer.evaluate()) if has_held_out else {}
        if is_main_process():
            folder.write(BEFORE, before)
    trained = folder.read(TRAINED)
    if trained is None:
        if checkpoint is not None and _had_ended(checkpoint):
            trained = _ended(state_of(checkpoint))
        else:
            if checkpoint is not None:
                message(f"Going on from {checkpoint.name}.")
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint is not None else None)
            trained = _ended(_plain_state(trainer))
            checkpoint = None
        if is_main_process():
            folder.write(TRAINED, trained)
    if checkpoint is not None:
        best = folder.checkpoints / f"checkpoint-{trained['best_step']}"
        trainer._load_from_checkpoint(str(best if best.exists() else checkpoint))
    after = _metrics(trainer.evaluate()) if has_held_out else {}
    return Curve(before=before, after=after, **trained)


def _had_ended(checkpoint: Path) -> bool:
    """Return whether the job that wrote a checkpoint was to make no further step: it was through, or stopped early."""
    control = state_of(checkpoint).get("stateful_callbacks", {}).get("TrainerControl", {})
    return bool(control.get("args", {}).get("should_training_stop"))


def _ended(state: dict[str, Any]) -> dict[str, Any]:
    best = Path(state["best_model_checkpoint"]).name.rpartition("-")[2] if state["best_model_checkpoint"] else ""
    return {
        "steps": state["global_step"],
        "best_step": int(best) if best.isdecimal() else state["global_step"],
        "history": [entry for entry in state["log_history"] if "train_runtime" not in entry],
    }


def _plain_state(trainer: Any) -> dict[str, Any]:
    state = trainer.state
    return {name: getattr(state, name) for name in ("global_step", "best_model_checkpoint", "log_history")}


def _metrics(metrics: dict[str, Any]) -> dict[str, float]:
    """Return the measured numbers, without how long measuring took."""
    timing = ("time", "per_second", "epoch", "num_tokens")
    return {
        name.removeprefix("eval_"): float(value)
        for name, value in metrics.items()
        if isinstance(value, int | float) and math.isfinite(value) and not name.endswith(timing)
    }
