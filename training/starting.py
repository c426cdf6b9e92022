"""The model a job starts from: a base, with an adapter merged in where one is given.

What a job trains is a new adapter, or all weights, on exactly this model; for DPO it is the reference too. Merging
comes first because an adapter that is trained further has no state to be switched off to: the reference would be the
bare base, and not the model that DPO starts from.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonflux.errors import UsageError, WeightsError
from training.adapters import read_config
from training.errors import TrainingError

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    from training.settings import TrainSettings


@dataclass(frozen=True)
class Start:
    """Where the model that a job starts from lies, and what it is.

    Attributes:
        spec: the base as it was asked for.
        base: the base's folder.
        adapter: an adapter's folder, None for the base alone.
        base_sha256: hash of the base's weights.
        sha256: hash of the weights of base and adapter.
    """

    spec: str
    base: Path
    adapter: Path | None
    base_sha256: str
    sha256: str

    @property
    def made_from(self) -> dict[str, Any]:
        """What the start says in the record of a job."""
        return {
            "model": self.spec,
            "adapter": str(self.adapter) if self.adapter is not None else None,
            "weights_sha256": self.sha256,
        }


def find_start(spec: str, adapter: Path | None, weights_dir: Path, *, method: str) -> Start:
    """Return where a job starts, without loading it; a GGUF file is dequantized into a folder, once.

    Args:
        spec: a folder, a name of the Hub or of the catalogue, or a GGUF file, with or without `hf:`; an adapter may
            follow a `+`.
        adapter: an adapter's folder.
        weights_dir: the weights folder.
        method: how the job trains.

    Raises:
        UsageError: there is no such model or adapter, the adapter is no plain LoRA or of another base, or the method
            can't be used here.
        WeightsError: the weights are not here.
        ModelUnavailable: the Hub can't be reached, or lacks the model.
    """
    from reasonflux.models.hf_source import Source, check_base, find_source, weights_digest

    check_method(method)
    name = spec.removeprefix("hf:").removeprefix("llamacpp:")
    found = find_source(name if adapter is None else f"{name}+{adapter}", weights_dir)
    if found.adapter is not None:
        read_config(found.adapter)
        check_base(found)
        if method == "qlora":
            raise UsageError(
                "QLoRA holds the base in 4 bits, into which no adapter can be merged; give the merged model of the "
                "earlier training as --model, without --adapter."
            )
    base_digest = weights_digest(Source(found.base))
    digest = weights_digest(found) if found.adapter is not None else base_digest
    return Start(name, found.base, found.adapter, base_digest, digest)


def check_method(method: str) -> None:
    """Refuse QLoRA where it can't run.

    Raises:
        UsageError: there is no GPU, or bitsandbytes is missing.
    """
    if method != "qlora":
        return
    import importlib.util

    import torch

    if not torch.cuda.is_available():
        raise UsageError("QLoRA needs a CUDA GPU, and there is none here; use --method lora.")
    if importlib.util.find_spec("bitsandbytes") is None:
        raise UsageError("QLoRA needs bitsandbytes; install it with `pip install bitsandbytes`.")


def computes_bf16(precision: str) -> bool:
    """Return whether training computes in bf16: where the hardware really does so (`auto`), or as was asked.

    Raises:
        UsageError: bf16 was asked for and the GPU has none.
    """
    import torch

    real = torch.cuda.is_available() and torch.cuda.is_bf16_supported(including_emulation=False)
    if precision == "bf16" and torch.cuda.is_available() and not real:
        raise UsageError("This GPU does not compute in bf16; use --precision fp32.")
    return precision == "bf16" or (precision == "auto" and real)


def load_start(start: Start, settings: "TrainSettings") -> "PreTrainedModel":
    """Return the model, with the adapter merged, ready to be trained.

    All weights are trained in float32, whatever is computed in; frozen ones may be rounder.

    Raises:
        WeightsError: the model can't be loaded.
        TrainingError: the adapter does not fit it.
    """
    import torch
    from transformers import AutoModelForCausalLM

    rounder = settings.method != "full" and computes_bf16(settings.precision) and torch.cuda.is_available()
    options: dict[str, Any] = {"dtype": torch.bfloat16 if rounder else torch.float32}
    if settings.method == "qlora":
        options |= {"quantization_config": _four_bits(), "device_map": {"": torch.cuda.current_device()}}
    try:
        model = AutoModelForCausalLM.from_pretrained(str(start.base), local_files_only=True, **options)
    except (OSError, ValueError, RuntimeError) as error:
        raise WeightsError(f"The model {start.base} can't be loaded: {error}.") from error
    return _merged(model, start) if start.adapter is not None else model


def new_adapter(settings: "TrainSettings") -> Any:
    """Return the configuration of the adapter that a job trains, None where all weights are trained."""
    if settings.method == "full":
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=settings.lora_rank,
        lora_alpha=settings.lora_alpha,
        lora_dropout=settings.lora_dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )


def _merged(model: "PreTrainedModel", start: Start) -> "PreTrainedModel":
    from peft import PeftModel, get_peft_model_state_dict, load_peft_weights

    try:
        adapted = PeftModel.from_pretrained(model, str(start.adapter))
    except (RuntimeError, ValueError, KeyError) as error:
        raise TrainingError(f"The adapter {start.adapter} does not fit {start.base}: {error}.") from error
    if set(load_peft_weights(str(start.adapter), device="cpu")) != set(get_peft_model_state_dict(adapted)):
        raise TrainingError(f"The adapter {start.adapter} has other layers than {start.base}; it is of another base.")
    merged: PreTrainedModel = adapted.merge_and_unload()
    # What PEFT notes on a model would make the trainers take this one for an adapter still.
    if hasattr(merged, "peft_config"):
        del merged.peft_config
    # It froze the weights under the adapter; a new adapter freezes them again, full training must not find them so.
    return merged.requires_grad_(True)


def _four_bits() -> Any:
    import torch
    from transformers import BitsAndBytesConfig

    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )
