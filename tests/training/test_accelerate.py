"""Training on two processes of this machine, as `accelerate launch` starts them."""

import json
from pathlib import Path

import pytest

from tests.training.tiny import pair_rows, sft_rows
from training.child import run_child
from training.recipe import find_launch
from training.records import write_rows

pytestmark = pytest.mark.slow
QUICK = ["--batch-size", "2", "--learning-rate", "1e-2", "--held-out", "0.25", "--set", "max_steps=2"]


def test_two_processes_train_sft_and_then_dpo(tiny_model: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file

    launch = find_launch("cpu-2", tmp_path)
    write_rows(tmp_path / "rows.jsonl", [placed.row for placed in sft_rows(16)])
    write_rows(tmp_path / "pairs.jsonl", [placed.row for placed in pair_rows(16)])
    sft, dpo = tmp_path / "sft", tmp_path / "dpo"
    told = run_child(
        ["train", "sft", "--rows", str(tmp_path / "rows.jsonl"), "--model", str(tiny_model), "--out", str(sft), *QUICK],
        launch,
    )
    assert told["steps"] == 2
    assert told["loss_after"] < told["loss_before"]
    # Two processes took two rows each: one epoch of twelve rows is three steps.
    history = json.loads((sft / "result.json").read_text("utf-8"))["history"]
    assert history[0]["epoch"] == pytest.approx(1 / 3, abs=0.01)
    moved = load_file(str(sft / "adapter" / "adapter_model.safetensors"))
    assert any(bool(weights.abs().sum() > 0) for name, weights in moved.items() if ".lora_B." in name)
    told = run_child(
        ["train", "dpo", "--pairs", str(tmp_path / "pairs.jsonl"), "--model", str(tiny_model), "--adapter",
         str(sft / "adapter"), "--out", str(dpo), *QUICK],
        launch,
    )  # fmt: skip
    assert told["loss_before"] == pytest.approx(0.6931, abs=0.001)
    assert (dpo / "model" / "model.safetensors").is_file()
    # The same job again is known to be done, on both.
    again = run_child(
        ["train", "dpo", "--pairs", str(tmp_path / "pairs.jsonl"), "--model", str(tiny_model), "--adapter",
         str(sft / "adapter"), "--out", str(dpo), *QUICK],
        launch,
    )  # fmt: skip
    assert again == told
