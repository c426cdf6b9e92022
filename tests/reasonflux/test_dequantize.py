import hashlib
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reasonflux.errors import WeightsError
from reasonflux.models import dequantize as module
from reasonflux.models.catalogue import find_entry
from reasonflux.models.dequantize import MANIFEST, dequantized, read_manifest
from reasonflux.models.weights import remove

CONTENT = b"GGUF and more"


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "small.gguf"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Let the child write a few bytes, and return the commands it was started with."""
    commands: list[list[str]] = []

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        (Path(command[-2]) / "model.safetensors").write_bytes(b"weights")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(module.subprocess, "run", run)
    return commands


def test_a_file_is_made_into_a_folder_once(gguf: Path, tmp_path: Path, made: list[list[str]]) -> None:
    told: list[str] = []
    folder = dequantized(gguf, tmp_path / "w", message=told.append)
    assert dequantized(gguf, tmp_path / "w", message=told.append) == folder
    assert len(made) == len(told) == 1
    manifest = read_manifest(folder)
    assert manifest is not None
    assert manifest["source_sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert manifest["weights_sha256"] == hashlib.sha256(b"weights").hexdigest()
    assert manifest["transformers"]
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == [folder.name]


def test_many_at_once_make_one(gguf: Path, tmp_path: Path, made: list[list[str]]) -> None:
    with ThreadPoolExecutor(6) as pool:
        folders = set(pool.map(lambda _: dequantized(gguf, tmp_path / "w"), range(12)))
    assert len(folders) == len(made) == 1


def test_each_type_and_each_file_has_a_folder_of_its_own(gguf: Path, tmp_path: Path, made: list[list[str]]) -> None:
    first = dequantized(gguf, tmp_path / "w")
    assert dequantized(gguf, tmp_path / "w", dtype="bfloat16") != first
    gguf.write_bytes(b"GGUF, another")
    assert dequantized(gguf, tmp_path / "w") != first
    assert [command[-1] for command in made] == ["float32", "bfloat16", "float32"]


@pytest.mark.parametrize("damage", ["version", "cut", "no manifest", "broken manifest", "killed"])
def test_what_is_stale_or_unfinished_is_made_again(
    gguf: Path, tmp_path: Path, made: list[list[str]], damage: str
) -> None:
    folder = dequantized(gguf, tmp_path / "w")
    manifest = json.loads((folder / MANIFEST).read_text())
    if damage == "version":
        (folder / MANIFEST).write_text(json.dumps(manifest | {"transformers": "4.0"}))
    elif damage == "cut":
        (folder / "model.safetensors").write_bytes(b"weig")
    elif damage == "no manifest":
        (folder / MANIFEST).unlink()
    elif damage == "broken manifest":
        (folder / MANIFEST).write_text("[3")
    else:
        folder.rename(folder.with_name(folder.name + ".partial"))
    assert dequantized(gguf, tmp_path / "w") == folder
    assert len(made) == 2
    assert (folder / "model.safetensors").read_bytes() == b"weights"
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == [folder.name]


def test_a_damaged_file_is_refused(gguf: Path, tmp_path: Path, made: list[list[str]]) -> None:
    with pytest.raises(WeightsError, match="damaged"):
        dequantized(gguf, tmp_path / "w", sha256="0" * 64)
    assert made == []


def test_what_transformers_can_not_read_is_one_sentence(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = subprocess.CompletedProcess([], 1, "", "Traceback:\n  somewhere\nValueError: of no known kind\n")
    monkeypatch.setattr(module.subprocess, "run", lambda *args, **options: failed)
    with pytest.raises(WeightsError, match=r"small\.gguf can't be made into a transformers folder: ") as caught:
        dequantized(gguf, tmp_path / "w")
    assert str(caught.value).endswith("ValueError: of no known kind")
    assert [path for path in (tmp_path / "w" / ".hf").iterdir() if path.is_dir()] == []


def test_removing_a_model_removes_what_was_made_of_it(tmp_path: Path, made: list[list[str]]) -> None:
    entry = find_entry("smollm2-135m")
    kept, gone = (tmp_path / ".hf" / name for name in ("other-0-float32", "SmolLM2-135M-Instruct.Q4_1-b179c9523d0e-x"))
    for folder in (kept, gone):
        folder.mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(b"weights")
    assert remove(entry.name, tmp_path) == len(b"weights")
    assert (kept.exists(), gone.exists()) == (True, False)


@pytest.mark.weights
def test_a_real_model_keeps_its_logits_and_trains(small_model_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    weights_dir = small_model_path.parent.parent
    folder = dequantized(small_model_path, weights_dir, sha256=find_entry("smollm2-135m").sha256)
    model = AutoModelForCausalLM.from_pretrained(folder)
    direct = AutoModelForCausalLM.from_pretrained(
        small_model_path.parent, gguf_file=small_model_path.name, dtype=torch.float32
    )
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert "<|im_start|>" in tokenizer.apply_chat_template([{"role": "user", "content": "x"}], tokenize=False)
    batch = tokenizer("The sum of 3 and 4 is 7.", return_tensors="pt")
    with torch.no_grad():
        assert torch.equal(model(**batch).logits, direct(**batch).logits)
    del direct
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    before = model(**batch, labels=batch["input_ids"]).loss
    before.backward()
    optimizer.step()
    with torch.no_grad():
        assert model(**batch, labels=batch["input_ids"]).loss < before
