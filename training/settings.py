"""The settings of a training job, one small model a kind; unknown keys are refused and nothing here does I/O."""

from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from reasonflux.config import Settings
from reasonflux.errors import ConfigError

Method = Literal["full", "lora", "qlora"]
LossType = Literal["sigmoid", "hinge", "ipo", "robust", "apo_zero", "sigmoid_norm"]


class TrainSettings(Settings):
    """What every job has.

    Attributes:
        method: train all weights, or a LoRA adapter on frozen ones, which QLoRA holds in 4 bits.
        warmup: share of the steps in which the learning rate rises.
        max_length: tokens of a prompt with its completion; a longer completion loses its end.
        check_every: steps between two looks at held-out rows, each with a checkpoint; None for one an epoch.
        patience: checks without a better held-out loss after which the job ends; 0 for never.
        held_out: share of the templates, problems or families held out.
        precision: bf16 where the hardware computes in it (`auto`), always, or never.
        merge: whether a model that loads alone is written beside the adapter.
    """

    method: Method = "lora"
    epochs: float = Field(default=3.0, gt=0)
    max_steps: int | None = Field(default=None, ge=1)
    batch_size: int = Field(default=4, ge=1)
    accumulation: int = Field(default=1, ge=1)
    learning_rate: float = Field(default=1e-4, gt=0)
    warmup: float = Field(default=0.05, ge=0, lt=1)
    scheduler: Literal["linear", "cosine", "constant_with_warmup"] = "cosine"
    weight_decay: float = Field(default=0.0, ge=0)
    max_grad_norm: float = Field(default=1.0, gt=0)
    max_length: int = Field(default=1024, ge=8)
    lora_rank: int = Field(default=16, ge=1)
    lora_alpha: int = Field(default=32, ge=1)
    lora_dropout: float = Field(default=0.0, ge=0, lt=1)
    gradient_checkpointing: bool = False
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    check_every: int | None = Field(default=None, ge=1)
    patience: int = Field(default=0, ge=0)
    held_out: float = Field(default=0.1, ge=0, lt=1)
    seed: int = Field(default=0, ge=0)
    report_to: Literal["none", "tensorboard", "trackio"] = "none"
    merge: bool = True


class SftSettings(TrainSettings):
    """Supervised fine-tuning, on structure rows and trajectories."""


class DpoSettings(TrainSettings):
    """DPO. `beta` is β of L_DPO; `patience` is on, since a margin can be widened long after it stopped to help."""

    learning_rate: float = Field(default=2e-5, gt=0)
    epochs: float = Field(default=2.0, gt=0)
    patience: int = Field(default=3, ge=0)
    beta: float = Field(default=0.1, gt=0)
    loss_type: LossType = "sigmoid"


Kind = TypeVar("Kind", bound=Settings)


def settings_of(kind: type[Kind], values: dict[str, Any], where: str = "") -> Kind:
    """Return the settings of a job from a table of a recipe or from flags; missing ones keep their defaults.

    Raises:
        ConfigError: a key is unknown, or a value of the wrong type or out of range; the message names it.
    """
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        import difflib

        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        place = f" in {where}" if where else ""
        if first["type"] == "extra_forbidden":
            near = difflib.get_close_matches(name, kind.model_fields, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(kind.model_fields)}."
            raise ConfigError(f"Setting {name}{place} is unknown; {hint}") from error
        raise ConfigError(f"Setting {name}{place} can't be used: {first['msg']}.") from error
