"""Direct preference optimisation of the planner with TRL, on pairs of trajectories.

L_DPO = −E log σ(β·[log π_θ(T⁺|x)/π_ref(T⁺|x) − log π_θ(T⁻|x)/π_ref(T⁻|x)]) of Yang et al. 2025, section 3.2. The
reference is exactly the model that training starts from: with LoRA an earlier adapter is merged first and the new
one's switched-off state is the reference; where all weights are trained its log-probabilities are computed before.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reasonflux.errors import UsageError
from training.arguments import check_reporter, quiet, trainer_arguments
from training.callbacks import Message, Progress, stopping_when_still, watching
from training.errors import TrainingError
from training.job import run_trainer
from training.jobs import data_of, finished, in_folder
from training.records import Placed, PreferenceRow
from training.run_folder import RunFolder
from training.scoring import margins
from training.settings import DpoSettings
from training.starting import Start, load_start, new_adapter
from training.statistics import clustered_mean
from training.tokenizing import PairTokens, Tokenized, load_tokenizer, tokenize_pairs


def train_dpo(
    start: Start,
    train: Sequence[Placed[PreferenceRow]],
    held_out: Sequence[Placed[PreferenceRow]],
    settings: DpoSettings,
    out: Path,
    *,
    resume: bool = False,
    chat_template: Path | None = None,
    pad_token: str | None = None,
    progress: Progress = lambda done, total: None,
    message: Message = lambda text: None,
) -> dict[str, Any]:
    """Train on pairs and return the job's result, which also stands in `out/result.json`.

    Arguments and errors are those of `train_sft`; rewards that are equal in every pair, and implicit rewards that
    never part, stop the job too.
    """
    check_reporter(settings.report_to)
    if not train:
        raise UsageError("There is no pair to train on; give more pairs or a smaller --held-out.")
    check_rewards(train)
    with quiet():
        tokenizer = load_tokenizer(start.base, chat_template=chat_template, pad_token=pad_token)
        kept = tokenize_pairs(train, tokenizer, max_length=settings.max_length)
        looked_at: Tokenized[PairTokens] = Tokenized()
        if held_out:
            looked_at = tokenize_pairs(held_out, tokenizer, max_length=settings.max_length)
        problems = {placed.where: placed.row.problem_id for placed in held_out}

        def work(folder: RunFolder) -> dict[str, Any]:
            message(f"Training on {len(kept.rows)} pairs, {len(looked_at.rows)} held out.")
            trainer = dpo_trainer(
                start, kept.rows, looked_at.rows, settings, folder.checkpoints, tokenizer, progress, message
            )
            curve = run_trainer(trainer, folder, message)
            figures = _held_out_figures(trainer, looked_at.rows, problems, settings)
            return finished("Direct preference optimisation", trainer, start, settings, folder, curve, figures)

        return in_folder(
            "dpo",
            start,
            settings,
            data_of(train, kept, held_out, looked_at),
            tokenizer,
            out,
            work,
            resume=resume,
            notices=[*kept.notices(), *looked_at.notices()],
            message=message,
        )


def check_rewards(rows: Sequence[Placed[PreferenceRow]]) -> None:
    """Refuse pairs whose rewards say nothing.

    Raises:
        TrainingError: chosen and rejected have the same reward in every row that has rewards.
    """
    known = [
        (placed.row.reward_chosen, placed.row.reward_rejected)
        for placed in rows
        if placed.row.reward_chosen is not None and placed.row.reward_rejected is not None
    ]
    if known and all(high == low for high, low in known):
        raise TrainingError(
            f"The rewards of chosen and rejected are equal in all {len(known)} rows, so they prefer nothing; make "
            "pairs of trajectories whose rewards differ."
        )


def dpo_trainer(
    start: Start,
    train: list[PairTokens],
    held_out: list[PairTokens],
    settings: DpoSettings,
    checkpoints: Path,
    tokenizer: Any,
    progress: Progress = lambda done, total: None,
    message: Message = lambda text: None,
) -> Any:
    """Return TRL's trainer, given the pairs as token ids so that it tokenizes and cuts nothing itself.

    Raises:
        WeightsError: the model can't be loaded.
        UsageError: a setting can't be had here.
    """
    from trl import DPOConfig, DPOTrainer

    class OwnTokens(DPOTrainer):  # type: ignore[misc]  # the package has no types
        def _prepare_dataset(self, dataset: Any, *args: Any, **kwargs: Any) -> Any:
            return dataset

    arguments = trainer_arguments(settings, checkpoints, held_out=bool(held_out))
    return OwnTokens(
        model=load_start(start, settings),
        args=DPOConfig(
            **arguments,
            max_length=None,
            beta=settings.beta,
            loss_type=[settings.loss_type],
            # An adapter is switched off for the reference; without one nothing of the start is left once it is trained.
            precompute_ref_log_probs=settings.method == "full",
        ),
        train_dataset=_dataset(train),
        eval_dataset=_dataset(held_out) if held_out else None,
        processing_class=tokenizer,
        peft_config=new_adapter(settings),
        callbacks=[
            *watching(progress, message, patience=settings.patience if held_out else 0),
            stopping_when_still(),
        ],
    )


def _held_out_figures(
    trainer: Any, rows: list[PairTokens], problems: dict[str, str], settings: DpoSettings
) -> dict[str, Any]:
    """Return accuracy and mean margin on held-out pairs; a pair that neither way is preferred counts half."""
    if not rows:
        return {"heldout_accuracy": None, "heldout_interval": None, "heldout_margin": None, "heldout_problems": 0}
    references = None
    if settings.method == "full":
        columns = trainer.eval_dataset
        references = list(zip(columns["ref_chosen_logps"], columns["ref_rejected_logps"], strict=True))
    found = margins(trainer.accelerator.unwrap_model(trainer.model), rows, references=references)
    right = [1.0 if margin > 0 else 0.5 if margin == 0 else 0.0 for margin in found]
    accuracy = clustered_mean(right, [problems[row.where] for row in rows], seed=settings.seed)
    return {
        "heldout_accuracy": accuracy.mean,
        "heldout_interval": None if accuracy.low is None else [accuracy.low, accuracy.high],
        "heldout_margin": settings.beta * sum(found) / len(found),
        "heldout_problems": accuracy.clusters,
    }


def _dataset(rows: list[PairTokens]) -> Any:
    from datasets import Dataset

    names = ("prompt_ids", "chosen_ids", "rejected_ids")
    return Dataset.from_list([{name: getattr(row, name) for name in names} for row in rows])
