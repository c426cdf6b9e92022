"""Two LoRA adapters made into one that stands on the first one's base.

An adapter that was trained on a model with another adapter merged in is worthless on the bare base. Both are sums of
low-rank products, so one adapter of the joint rank says the same as the two:
s₁·B₁A₁ + s₂·B₂A₂ = [s₁B₁ s₂B₂]·[A₁; A₂]. No model is loaded for it.
"""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonflux.errors import UsageError

if TYPE_CHECKING:
    import torch

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
# Whatever makes an adapter more than a low-rank sum of one rank and one scale.
_PLAIN: dict[str, tuple[Any, ...]] = {
    "use_dora": (False, None),
    "bias": ("none", None),
    "modules_to_save": (None, []),
    "rank_pattern": ({}, None),
    "alpha_pattern": ({}, None),
    "trainable_token_indices": (None,),
    "target_parameters": (None, []),
    "fan_in_fan_out": (False, None),
}


def read_config(adapter: Path) -> dict[str, Any]:
    """Return the configuration of a LoRA adapter's folder.

    Raises:
        UsageError: the folder holds no adapter, or one that is no plain LoRA.
    """
    try:
        config: dict[str, Any] = json.loads((adapter / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{adapter} holds no adapter ({CONFIG} can't be read); give an adapter's folder.") from error
    odd = [name for name, plain in _PLAIN.items() if name in config and config[name] not in plain]
    if config.get("peft_type") != "LORA" or odd:
        what = f"uses {', '.join(odd)}" if odd else f"is of type {config.get('peft_type')}"
        raise UsageError(
            f"The adapter {adapter} {what}; only plain LoRA can be built on: merge it into its base and give that "
            "folder as the model."
        )
    if not (adapter / WEIGHTS).is_file():
        raise UsageError(f"{adapter} holds no {WEIGHTS}; give an adapter saved as safetensors.")
    return config


def stack(first: Path, second: Path, target: Path) -> None:
    """Write the adapter that does what `first` and then `second` do, on the base of `first`.

    Raises:
        UsageError: one of them is no plain LoRA adapter.
        OSError: the target can't be written.
    """
    from safetensors.torch import load_file, save_file

    configs = [read_config(first), read_config(second)]
    weights = [load_file(str(folder / WEIGHTS)) for folder in (first, second)]
    ranks = [int(config["r"]) for config in configs]
    scales = [_scale(config) for config in configs]
    names = sorted({name for held in weights for name in held if ".lora_A." in name})
    joined: dict[str, torch.Tensor] = {}
    for name in names:
        other = name.replace(".lora_A.", ".lora_B.")
        down, up = _joined(name, other, weights, ranks, scales)
        joined[name], joined[other] = down.contiguous(), up.contiguous()
    rank = sum(ranks)
    config = configs[1] | {
        "base_model_name_or_path": configs[0].get("base_model_name_or_path"),
        "r": rank,
        "lora_alpha": rank,
        "use_rslora": False,
        "target_modules": _targets(names),
    }
    target.mkdir(parents=True, exist_ok=True)
    save_file(joined, str(target / WEIGHTS), metadata={"format": "pt"})
    (target / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def _scale(config: dict[str, Any]) -> float:
    rank = int(config["r"])
    return float(config["lora_alpha"]) / (math.sqrt(rank) if config.get("use_rslora") else rank)


def _joined(
    down: str, up: str, weights: "list[dict[str, torch.Tensor]]", ranks: list[int], scales: list[float]
) -> "tuple[torch.Tensor, torch.Tensor]":
    """Return A of shape (r₁+r₂, in) and B of shape (out, r₁+r₂); an adapter without this layer gives zeros."""
    import torch

    model = next(held for held in weights if down in held)
    downs, ups = [], []
    for held, rank, scale in zip(weights, ranks, scales, strict=True):
        if down in held:
            downs.append(held[down].float())
            ups.append(held[up].float() * scale)
        else:
            downs.append(torch.zeros(rank, model[down].shape[1]))
            ups.append(torch.zeros(model[up].shape[0], rank))
    return torch.cat(downs, dim=0), torch.cat(ups, dim=1)


def _targets(names: list[str]) -> list[str]:
    return sorted({name.partition(".lora_A.")[0].rpartition(".")[2] for name in names})
