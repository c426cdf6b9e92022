"""The trainers' own arguments, made from a job's settings, and the quiet they run in."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reasonflux.errors import UsageError
from training.settings import TrainSettings
from training.starting import computes_bf16

# The first is read when the Hub's client is imported, the second when a bar is made.
_SILENT = {"HF_HUB_DISABLE_TELEMETRY": "1", "TQDM_DISABLE": "1"}


def trainer_arguments(settings: TrainSettings, checkpoints: Path, *, held_out: bool) -> dict[str, Any]:
    """Return the arguments that SFT and DPO share.

    Rows that are held out are looked at one by one, so that each counts alike: the held-out loss is the mean over
    rows, whatever the batches.

    Args:
        settings: the job's settings.
        checkpoints: where checkpoints go.
        held_out: whether there are held-out rows, by which the best checkpoint is chosen.

    Raises:
        UsageError: the precision can't be had.
    """
    import torch

    rhythm = "epoch" if settings.check_every is None else "steps"
    steps = settings.check_every or 500
    on_gpu = torch.cuda.is_available()
    return {
        "output_dir": str(checkpoints.absolute()),
        "num_train_epochs": settings.epochs,
        "max_steps": settings.max_steps or -1,
        "per_device_train_batch_size": settings.batch_size,
        "per_device_eval_batch_size": 1,
        "gradient_accumulation_steps": settings.accumulation,
        "learning_rate": settings.learning_rate,
        "warmup_steps": settings.warmup,
        "lr_scheduler_type": settings.scheduler,
        "weight_decay": settings.weight_decay,
        "max_grad_norm": settings.max_grad_norm,
        "gradient_checkpointing": settings.gradient_checkpointing,
        "bf16": computes_bf16(settings.precision),
        "use_cpu": not on_gpu,
        "dataloader_pin_memory": on_gpu,
        "seed": settings.seed,
        "data_seed": settings.seed,
        "logging_steps": 1,
        # A NaN is to be seen, not averaged away.
        "logging_nan_inf_filter": False,
        "save_strategy": rhythm,
        "save_steps": steps,
        "eval_strategy": rhythm if held_out else "no",
        "eval_steps": steps,
        # The best one is kept beside the latest.
        "save_total_limit": 2,
        "load_best_model_at_end": held_out,
        "metric_for_best_model": "eval_loss" if held_out else None,
        "greater_is_better": False if held_out else None,
        # How long the held-out loss has not fallen is part of a resumed job.
        "restore_callback_states_from_checkpoint": True,
        "report_to": settings.report_to,
        "disable_tqdm": True,
    }


def check_reporter(name: str) -> None:
    """Refuse logs for a program that is not installed.

    Raises:
        UsageError: with the command that installs it.
    """
    import importlib.util

    if name != "none" and importlib.util.find_spec(name) is None:
        raise UsageError(f"--report-to {name} needs {name}; install it with `pip install {name}`.")


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the libraries' bars, hints and telemetry out of a command's output; what matters is told by callbacks."""
    before = {name: os.environ.get(name) for name in _SILENT}
    os.environ.update({name: value for name, value in _SILENT.items() if before[name] is None})
    import datasets
    from transformers.utils import logging

    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    had_bars = not datasets.are_progress_bars_disabled()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    datasets.disable_progress_bars()
    try:
        with warnings.catch_warnings():
            # What the trainers and the library below them have to settle between themselves.
            warnings.simplefilter("ignore", FutureWarning)
            yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()
        if had_bars:
            datasets.enable_progress_bars()
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
