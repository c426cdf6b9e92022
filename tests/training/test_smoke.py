"""The whole pipeline with real models, at the smallest counts."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from training.child import child_environment
from training.report import FIGURES
from training.stages import STAGES

pytestmark = [pytest.mark.slow, pytest.mark.weights]


def run(out: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "cli", "train", "pipeline", "--recipe", "smoke", "--out", str(out), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **child_environment()})
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_stage_leaves_its_product_and_a_second_run_does_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run"
    first = run(out)
    assert first["stages"] == dict.fromkeys(STAGES, "done")
    for name in (
        "problems/train.jsonl", "problems/held_out.jsonl", "structure/adapter/adapter_model.safetensors",
        "cold_start/rows.jsonl", "sft/adapter/adapter_model.safetensors", "trajectories/trajectories.jsonl",
        "reward/rewards.jsonl", "pairs/train.jsonl", "dpo/adapter/adapter_model.safetensors", "eval/rows.jsonl",
        "eval/result.json", "report/report.json", "report/report.html",
    ):  # fmt: skip
        assert (out / name).stat().st_size > 0, name
    report = json.loads((out / "report" / "report.json").read_text("utf-8"))
    assert set(FIGURES) <= set(report)
    assert report["structure_loss_after"] < report["structure_loss_before"]
    before = {path: path.stat().st_mtime_ns for path in sorted(out.rglob("*")) if path.is_file()}
    assert run(out)["stages"] == dict.fromkeys(STAGES, "skipped")
    after = {path: path.stat().st_mtime_ns for path in sorted(out.rglob("*")) if path.is_file()}
    changed = {path.name for path in after if before.get(path) != after[path]}
    assert changed <= {"pipeline.json", "pipeline.lock"}
