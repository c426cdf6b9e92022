"""`reasonflux train`: what the commands leave, print and refuse."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cli
from library.store import Library
from library.template import Template
from tests.library.hashing_embedder import HashingEmbedder
from tests.training.tiny import make_model, pair_rows, sft_rows
from training.records import PreferenceRow, SftRow, read_rows, write_rows

ROOT = Path(__file__).parents[2]
QUICK = ["--batch-size", "2", "--learning-rate", "1e-2", "--epochs", "1", "--set", "merge=false"]


@pytest.fixture
def run() -> Any:
    def invoke(*arguments: str, code: int = 0) -> Result:
        result = CliRunner().invoke(cli.app, ["train", *arguments])
        assert result.exit_code == code, (result.stdout, result.stderr)
        assert "Traceback" not in result.output
        return result

    return invoke


@pytest.fixture
def library(throw_away_home: Path) -> Path:
    path = throw_away_home / "libraries" / "default.db"
    made = [
        Template(name=f"Method {n}", tags=("a", "b"), description=f"Does {n}.", scope="Always.", steps=("s",))
        for n in range(6)
    ]
    made.append(Template(name="Draft", description="Not yet.", steps=("s",), status="draft"))
    with Library.open(path, create=True) as store:
        store.add_many(made, embedder=HashingEmbedder(), who="me")
    return path


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    write_rows(tmp_path / "pairs.jsonl", [placed.row for placed in pair_rows()])
    return tmp_path / "pairs.jsonl"


def test_structure_trains_on_the_library(run: Any, library: Path, tiny_model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = run("structure", "--model", f"hf:{tiny_model}", "--out", str(out), "--held-out", "0.34", "--json", *QUICK)
    document = json.loads(result.stdout)
    assert document["data"]["structure_rows"] == 4
    assert document["data"]["held_out_rows"] == 2
    assert document["loss_after"] < document["loss_before"]
    assert (out / "adapter" / "adapter_model.safetensors").exists()
    assert "history" not in document
    assert "Training on 4 rows, 2 held out." in result.stderr


def test_structure_rows_can_be_had_alone(run: Any, library: Path, tiny_model: Path, tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    told = run("structure", "--model", "x", "--out", "y", "--rows-only", str(rows), "--json")
    assert json.loads(told.stdout) == {"folder": str(rows), "train": 5, "held_out": 1}
    sources = [
        placed.row.source for name in ("train", "held_out") for placed in read_rows(rows / f"{name}.jsonl", SftRow)
    ]
    assert sorted(sources) == [f"method-{n}" for n in range(6)]


def test_sft_mixes_structure_rows_in(run: Any, library: Path, tiny_model: Path, tmp_path: Path) -> None:
    write_rows(tmp_path / "rows.jsonl", [placed.row for placed in sft_rows()])
    told = run(
        "sft", "--rows", str(tmp_path / "rows.jsonl"), "--mix", "structure", "--model", str(tiny_model),
        "--out", str(tmp_path / "out"), "--held-out", "0.25", *QUICK,
    )  # fmt: skip
    data = json.loads((tmp_path / "out" / "result.json").read_text("utf-8"))["data"]
    assert (data["train_rows"], data["held_out_rows"], data["structure_rows"]) == (10, 4, 4)
    assert "Held-out loss: " in told.stdout
    assert f"Adapter: {tmp_path / 'out' / 'adapter'}" in told.stdout


def test_dpo_trains_on_pairs_of_a_file(run: Any, pairs: Path, tiny_model: Path, tmp_path: Path) -> None:
    arguments = ["--pairs", str(pairs), "--model", f"hf:{tiny_model}", "--out", str(tmp_path / "out")]
    told = run("dpo", *arguments, "--held-out", "0.5", "--beta", "0.2", "--json", *QUICK)
    document = json.loads(told.stdout)
    assert document["heldout_problems"] == 2
    assert document["data"]["train_rows"] == 4
    assert json.loads((tmp_path / "out" / "run.json").read_text("utf-8"))["made_from"]["settings"]["beta"] == 0.2
    again = run("dpo", *arguments, "--held-out", "0.5", "--beta", "0.2", "--json", *QUICK)
    assert json.loads(again.stdout) == document
    assert "nothing was done" in again.stderr
    assert "differs in settings.beta" in run("dpo", *arguments, "--held-out", "0.5", *QUICK, code=2).stderr


def test_held_out_pairs_may_be_a_file_of_their_own(run: Any, pairs: Path, tiny_model: Path, tmp_path: Path) -> None:
    rows = [placed.row for placed in read_rows(pairs, PreferenceRow)]
    write_rows(tmp_path / "train.jsonl", rows[:6])
    write_rows(tmp_path / "held.jsonl", rows[6:])
    told = run(
        "dpo", "--pairs", str(tmp_path / "train.jsonl"), "--held-out", str(tmp_path / "held.jsonl"),
        "--model", str(tiny_model), "--out", str(tmp_path / "out"), "--json", *QUICK,
    )  # fmt: skip
    data = json.loads(told.stdout)["data"]
    assert (data["train_rows"], data["held_out_rows"]) == (6, 2)


def test_rows_that_are_all_cut_to_nothing_end_with_an_error(run: Any, tiny_model: Path, tmp_path: Path) -> None:
    """D1: the last file: the error names the rows, the exit code is not 0, and the model is never loaded."""
    row = {"prompt": "Solve: " + "x+1 " * 400, "chosen": r"\boxed{2}", "rejected": r"\boxed{3}"}
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row | {"id": n}) + "\n" for n in range(8)), encoding="utf-8")
    told = run(
        "dpo", "--pairs", str(path), "--model", str(tiny_model), "--out", str(tmp_path / "out"),
        "--max-length", "128", "--held-out", "0", code=1,
    )  # fmt: skip
    assert f"None of the 8 rows can be learned: {path}:1 (its prompt of" in told.stderr
    assert not (tmp_path / "out").exists()


def test_a_template_that_is_no_prefix_ends_with_an_error(run: Any, pairs: Path, tmp_path: Path) -> None:
    """D5 through the command: both token lists, and what to do."""
    think = (
        "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}{% endfor %}"
        "{% if add_generation_prompt %}<|assistant|><think>\n{% endif %}"
    )
    model = make_model(tmp_path / "model", chat_template=think)
    told = run("dpo", "--pairs", str(pairs), "--model", str(model), "--out", str(tmp_path / "out"), code=1)
    assert f"{pairs}:" in told.stderr
    assert told.stderr.count("Tokens of") == 2
    assert "--chat-template" in told.stderr


@pytest.mark.parametrize(
    ("more", "said", "code"),
    [
        (["--set", "lora_rnak=8"], "did you mean lora_rank?", 2),
        (["--set", "lora_rank"], "no NAME=VALUE", 2),
        (["--set", "epochs=2", "--epochs", "3"], "epochs is given twice", 2),
        (["--set", "epochs=-1"], "Setting epochs can't be used", 2),
        (["--loss-type", "nonsense"], "Setting loss_type can't be used", 2),
        (["--report-to", "tensorboard"], "pip install tensorboard", 2),
        (["--method", "qlora"], "QLoRA needs", 2),
        (["--model", "no-such-model"], "neither a folder that exists nor a known model", 2),
        (["--adapter", "no-such-folder"], "can't be used", 2),
        (["--pad-token", "<none>"], "not in the vocabulary", 2),
        (["--push-to-hub", "name"], "write OWNER/NAME", 2),
        (["--held-out", "missing.jsonl"], "missing.jsonl can't be read", 1),
    ],
)
def test_what_can_not_be_meant_is_refused_with_one_sentence(
    run: Any, pairs: Path, tiny_model: Path, tmp_path: Path, more: list[str], said: str, code: int
) -> None:
    import importlib.util

    if "tensorboard" in more and importlib.util.find_spec("tensorboard") is not None:
        pytest.skip("tensorboard is installed")
    told = run("dpo", "--pairs", str(pairs), "--model", str(tiny_model), "--out", str(tmp_path / "o"), *more, code=code)
    assert [line for line in told.stderr.splitlines() if line != "Training."] == [told.stderr.splitlines()[-1]]
    assert told.stderr.splitlines()[-1].startswith("Error: ")
    assert said in told.stderr.splitlines()[-1]
    assert not (tmp_path / "o").exists()


def test_bad_rows_are_named(run: Any, tiny_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"prompt": "a", "completion": "b"}\n{"prompt": "a", "completion": ""}\n', encoding="utf-8")
    arguments = ["--model", str(tiny_model), "--out", str(tmp_path / "out")]
    assert f"{path}:2: " in run("sft", "--rows", str(path), *arguments, code=1).stderr
    path.write_text('{"prompt": "a", "completion": "b"}\n', encoding="utf-8")
    twice = run("sft", "--rows", str(path), "--rows", str(path), *arguments, code=1)
    assert f"The row {path}:1 stands at {path}:1 too" in twice.stderr


def test_a_job_that_was_killed_outright_goes_on_with_the_same_curve(tiny_model: Path, tmp_path: Path) -> None:
    """SIGKILL at whatever point it hits: the job that goes on ends with the curve and weights of an unbroken one."""
    write_rows(tmp_path / "rows.jsonl", [placed.row for placed in sft_rows()])

    def command(out: str, *more: str) -> list[str]:
        return [
            sys.executable, "-m", "cli", "train", "sft", "--rows", str(tmp_path / "rows.jsonl"), "--model",
            str(tiny_model), "--out", str(tmp_path / out), "--batch-size", "2", "--epochs", "10", "--learning-rate",
            "1e-2", "--set", "check_every=4", "--quiet", *more,
        ]  # fmt: skip

    settings = {"cwd": ROOT, "env": os.environ | {"OMP_NUM_THREADS": "1"}, "stderr": subprocess.PIPE}
    subprocess.run(command("whole"), check=True, stdout=subprocess.DEVNULL, **settings)
    process = subprocess.Popen(command("broken"), stdout=subprocess.DEVNULL, **settings)
    checkpoints = tmp_path / "broken" / "checkpoints"
    while process.poll() is None and not list(checkpoints.glob("checkpoint-*/manifest.json")):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    subprocess.run(command("broken", "--resume"), check=True, stdout=subprocess.DEVNULL, **settings)
    results = [json.loads((tmp_path / name / "result.json").read_text("utf-8")) for name in ("whole", "broken")]
    for name in ("loss", "eval_loss", "grad_norm"):
        curves = [[entry[name] for entry in result["history"] if name in entry] for result in results]
        assert curves[0] == curves[1]
        assert len(curves[0]) >= 10
    data = [(tmp_path / name / "model" / "model.safetensors").read_bytes() for name in ("whole", "broken")]
    assert data[0] == data[1]


def test_help_shows_examples(run: Any) -> None:
    for name in ("structure", "sft", "dpo"):
        assert f"reasonflux train {name} " in run(name, "--help").stdout
