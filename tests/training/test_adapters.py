"""Two adapters made into one: what they do together, whatever their ranks, scales and layers."""

import json
from pathlib import Path
from typing import Any

import pytest

from reasonflux.errors import UsageError
from training.adapters import read_config, stack


def make_adapter(model: Path, folder: Path, *, seed: int, **values: Any) -> Path:
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(seed)
    settings = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "v_proj"], "task_type": "CAUSAL_LM"} | values
    # Not the zeros an adapter begins with.
    adapted = get_peft_model(
        AutoModelForCausalLM.from_pretrained(model), LoraConfig(init_lora_weights=False, **settings)
    )
    adapted.save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    "second",
    [
        {},
        {"r": 2, "lora_alpha": 5},
        {"use_rslora": True, "r": 9},
        {"target_modules": ["q_proj", "o_proj", "down_proj"]},
    ],
    ids=["alike", "another rank", "another scale", "other layers"],
)
def test_one_adapter_does_what_two_did(second: dict[str, Any], tiny_model: Path, tmp_path: Path) -> None:
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    first = make_adapter(tiny_model, tmp_path / "first", seed=1)
    other = make_adapter(tiny_model, tmp_path / "second", seed=2, **second)
    stack(first, other, tmp_path / "both")
    model = AutoModelForCausalLM.from_pretrained(tiny_model)
    for folder in (first, other):
        model = PeftModel.from_pretrained(model, folder).merge_and_unload()
    both = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(tiny_model), tmp_path / "both")
    ids = torch.arange(5, 40)[None]
    with torch.no_grad():
        assert torch.allclose(model.eval()(ids).logits, both.eval()(ids).logits, atol=1e-4)


@pytest.mark.parametrize(
    ("change", "said"),
    [({"use_dora": True}, "uses use_dora"), ({"peft_type": "IA3"}, "is of type IA3"), ({"bias": "all"}, "uses bias")],
)
def test_what_is_no_plain_lora_is_refused(change: dict[str, Any], said: str, tiny_model: Path, tmp_path: Path) -> None:
    folder = make_adapter(tiny_model, tmp_path / "first", seed=1)
    config = json.loads((folder / "adapter_config.json").read_text("utf-8")) | change
    (folder / "adapter_config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(UsageError, match=said):
        read_config(folder)


def test_a_folder_without_an_adapter_is_refused(tiny_model: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no adapter"):
        read_config(tmp_path)
    folder = make_adapter(tiny_model, tmp_path / "first", seed=1)
    (folder / "adapter_model.safetensors").unlink()
    with pytest.raises(UsageError, match="saved as safetensors"):
        read_config(folder)
