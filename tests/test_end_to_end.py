"""The whole path with real weights, as a user starts it: command line, library, embedder, model, sandbox, grader."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROBLEM = "Find the remainder when 7^100 is divided by 13."
KEYS = {
    "id", "line", "problem", "answer", "correct", "confidence", "status", "flags", "strategy", "model", "planner",
    "library", "seed", "trajectory", "steps", "revisions", "usage", "seconds", "run_id",
}  # fmt: skip


def reasonflux(*arguments: str, weights: Path, timeout: int = 900) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli", *arguments]
    environment = os.environ | {"REASONFLUX_WEIGHTS": str(weights), "HF_HUB_OFFLINE": "1"}
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=timeout, check=False)


@pytest.fixture(scope="session")
def weights_folder(small_model_path: Path, embedder_path: Path) -> Path:
    folder = small_model_path.parent.parent
    assert embedder_path.parent == folder
    return folder


@pytest.mark.weights
def test_the_small_model_plans_and_works_a_problem_within_its_budget(weights_folder: Path) -> None:
    ran = reasonflux(
        "solve", PROBLEM, "--json", "--model", "llamacpp:smollm2-135m", "--budget", "300", weights=weights_folder
    )
    assert ran.returncode in (0, 3), ran.stderr
    document = json.loads(ran.stdout)
    assert set(document) >= KEYS
    assert document["status"] in ("answered", "no_answer")
    assert 0 < document["usage"]["completion_tokens"] <= 300
    assert document["trajectory"]
    shown = reasonflux("runs", "show", document["run_id"], "--json", weights=weights_folder)
    events = json.loads(shown.stdout)
    assert document["run_id"] in json.dumps(events)
    listed = reasonflux("runs", "list", "--json", weights=weights_folder)
    assert document["run_id"] in listed.stdout


@pytest.mark.weights
def test_the_small_model_repeats_itself_with_the_same_seed(weights_folder: Path) -> None:
    arguments = (
        "solve", "What is 2+3?", "--json", "--model", "llamacpp:smollm2-135m", "--strategy", "cot", "--budget", "60",
        "--no-prompt-cache", "--seed", "5",
    )  # fmt: skip
    first, second = (json.loads(reasonflux(*arguments, weights=weights_folder).stdout) for _ in range(2))
    assert first["usage"] == second["usage"]
    assert first["answer"] == second["answer"]


@pytest.mark.weights
def test_the_library_finds_the_method_for_a_raw_problem(weights_folder: Path) -> None:
    assert reasonflux("library", "init", weights=weights_folder).returncode == 0
    found = reasonflux("library", "search", PROBLEM, "--json", "-k", "5", weights=weights_folder)
    assert "Reduce a power modulo n with a cycle of residues" in found.stdout


@pytest.mark.slow
@pytest.mark.weights
def test_the_default_model_solves_the_problem_of_the_readme(weights_folder: Path) -> None:
    pulled = reasonflux("models", "pull", "qwen2.5-coder-1.5b", weights=weights_folder, timeout=1800)
    assert pulled.returncode == 0, pulled.stderr
    ran = reasonflux("solve", PROBLEM, "--json", weights=weights_folder)
    assert ran.returncode == 0, ran.stderr
    document = json.loads(ran.stdout)
    assert document["answer"] == "9"
    assert any(entry["template"] for entry in document["trajectory"])
    assert any(step["tool_calls"] for step in document["steps"])
