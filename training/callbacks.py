"""What watches a training job while it runs: its numbers, its checkpoints, and how far it is.

The callbacks are made in functions, so that importing this module imports no trainer.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.checkpoints import seal
from training.errors import TrainingError

if TYPE_CHECKING:
    from transformers import TrainerCallback

Progress = Callable[[int, int], None]
Message = Callable[[str], None]
STILL_STEPS = 10
"""Steps after which rewards that never differed are taken for a job that learns nothing."""


def watching(progress: Progress, message: Message, *, patience: int) -> "list[TrainerCallback]":
    """Return the callbacks of every job: they tell how far it is, seal checkpoints, and stop it at a NaN.

    Args:
        progress: told steps done and in all.
        message: told each look at the held-out rows, in a sentence.
        patience: looks without a better held-out loss after which the job ends; 0 for never.
    """
    from transformers import EarlyStoppingCallback, TrainerCallback

    class Watch(TrainerCallback):  # type: ignore[misc]  # the package has no types
        def __init__(self) -> None:
            self.told = 0

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **more: Any) -> None:
            check_numbers(logs or {}, state.global_step, more.get("model"))

        def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            if state.is_world_process_zero:
                progress(state.global_step, state.max_steps)

        def on_save(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            if state.is_world_process_zero:
                seal(Path(args.output_dir) / f"checkpoint-{state.global_step}")

        def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Any = None, **more: Any) -> None:
            # The last look of training is taken again when its weights are back.
            if state.is_world_process_zero and state.global_step > self.told and "eval_loss" in (metrics or {}):
                self.told = state.global_step
                message(f"Step {state.global_step} of {state.max_steps}: held-out loss {metrics['eval_loss']:.4f}.")

    return [Watch(), *([EarlyStoppingCallback(early_stopping_patience=patience)] if patience else [])]


def stopping_when_still() -> "TrainerCallback":
    """Return the callback that stops DPO whose implicit rewards never part."""
    from transformers import TrainerCallback

    class Still(TrainerCallback):  # type: ignore[misc]  # the package has no types
        def __init__(self) -> None:
            self.steps = 0

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **more: Any) -> None:
            margin = (logs or {}).get("rewards/margins")
            if margin is None or not (logs or {}).get("learning_rate"):
                return
            self.steps = self.steps + 1 if margin == 0.0 else 0
            if self.steps >= STILL_STEPS:
                raise TrainingError(
                    f"The rewards of chosen and rejected are still equal at step {state.global_step}, so nothing is "
                    "learned: the policy does not move from its reference; raise --learning-rate, or give pairs whose "
                    "completions differ."
                )

    return Still()


def check_numbers(logs: dict[str, Any], step: int, model: Any) -> None:
    """Refuse numbers that are none.

    Raises:
        TrainingError: a logged number is not finite; the message names it, the step and what is known of the cause.
    """
    bad = sorted(name for name, value in logs.items() if isinstance(value, float) and not math.isfinite(value))
    if not bad:
        return
    named = f"{', '.join(bad)} {'is' if len(bad) == 1 else 'are'} not a number"
    if step == 0:
        raise TrainingError(f"{named} before the first step: the model's own weights or the rows are at fault.")
    if model is not None and not all(bool(weights.isfinite().all()) for weights in model.parameters()):
        cause = "the weights have grown beyond all bounds; lower --learning-rate"
    else:
        cause = "the weights are sound still, so a batch is at fault; lower --learning-rate or look at the rows"
    raise TrainingError(f"{named} at step {step} (learning rate {logs.get('learning_rate', '?')}): {cause}.")
