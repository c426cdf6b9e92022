"""A GGUF file made, once, into a folder that transformers can train, save and load.

transformers reads a GGUF file but then refuses to train or to save what it read, because the model counts as
quantized; so the model is built again from its configuration without `quantization_config` and its weights. That
happens in a child process (`python -m reasonflux.models.dequantize FILE FOLDER DTYPE`), which gives its memory back
and keeps the libraries' progress bars to itself.

Layout: `<weights>/.hf/<stem>-<hash of the file>-<dtype>/`. A folder appears by one rename, so whoever sees it sees
all of it; its manifest says which file it was made of and by which transformers.
"""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from reasonflux.errors import WeightsError
from reasonflux.models.assembly import check_space, disk_errors

Dtype = Literal["float32", "bfloat16"]
DTYPES: tuple[Dtype, ...] = ("float32", "bfloat16")
MANIFEST = "reasonflux.json"
WEIGHTS_FILE = "model.safetensors"
_HASH_LETTERS = 12
# A block of 4-bit GGUF weights takes at least 4 bits a weight; float32 is 8 times as much.
_GROWTH = 8


def dequantized(
    gguf: Path,
    weights_dir: Path,
    *,
    dtype: Dtype = "float32",
    sha256: str | None = None,
    message: Callable[[str], None] = lambda text: None,
) -> Path:
    """Return the folder of the model in a GGUF file, making it unless it is here.

    It holds `config.json`, `generation_config.json`, `model.safetensors`, the tokenizer's files with the chat
    template, and a manifest. Safe to call from several processes at once: one makes it, the others wait.

    Args:
        gguf: the file.
        weights_dir: the weights folder.
        dtype: type of the weights in the folder.
        sha256: the file's pinned hash where there is one; otherwise the file is hashed, each time.
        message: told that the folder is being made, which takes from seconds to minutes.

    Raises:
        WeightsError: the file is damaged or of a kind transformers can't read, or the disk refuses the folder.
    """
    from filelock import FileLock

    source = sha256 or _sha256(gguf)
    folder = copies_folder(weights_dir) / f"{copy_prefix(gguf.stem, source)}{dtype}"
    facts = {"source": gguf.name, "source_sha256": source, "dtype": dtype, "transformers": version("transformers")}
    if _is_whole(folder, facts):
        return folder
    with disk_errors(weights_dir):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.parent / f"{folder.name}.lock"):
            if not _is_whole(folder, facts):
                message(f"Dequantizing {gguf.name} once into {folder}.")
                _make(gguf, folder, facts)
    return folder


def copies_folder(weights_dir: Path) -> Path:
    """Return where all dequantized models stand."""
    return weights_dir / ".hf"


def copy_prefix(stem: str, sha256: str) -> str:
    """Return how the names of a GGUF file's dequantized folders begin."""
    return f"{stem}-{sha256[:_HASH_LETTERS]}-"


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a dequantized folder, None where there is none or it can't be read."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return manifest if isinstance(manifest, dict) else None


def _is_whole(folder: Path, facts: dict[str, str]) -> bool:
    manifest = read_manifest(folder)
    if manifest is None or any(manifest.get(key) != value for key, value in facts.items()):
        return False
    weights = folder / WEIGHTS_FILE
    return weights.is_file() and weights.stat().st_size == manifest.get("bytes")


def _make(gguf: Path, folder: Path, facts: dict[str, str]) -> None:
    found = _sha256(gguf)
    if found != facts["source_sha256"]:
        raise WeightsError(
            f"The model file {gguf} is damaged: expected SHA-256 {facts['source_sha256']}, found {found}; remove and "
            "fetch it again with `reasonflux models rm` and `reasonflux models pull`."
        )
    check_space(folder.parent, gguf.stat().st_size * _GROWTH // (1 if facts["dtype"] == "float32" else 2), gguf.name)
    staging, replaced = folder.with_name(f"{folder.name}.partial"), folder.with_name(f"{folder.name}.old")
    for left in (staging, replaced):
        shutil.rmtree(left, ignore_errors=True)
    staging.mkdir()
    # -P keeps the working folder off the import path.
    command = [sys.executable, "-P", "-m", __name__, str(gguf), str(staging), facts["dtype"]]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        shutil.rmtree(staging, ignore_errors=True)
        said = done.stderr.strip().splitlines()
        why = said[-1][:300] if said else f"its process ended with status {done.returncode}"
        raise WeightsError(f"The model file {gguf} can't be made into a transformers folder: {why}")
    weights = staging / WEIGHTS_FILE
    manifest = facts | {"bytes": weights.stat().st_size, "weights_sha256": _sha256(weights)}
    (staging / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    if folder.exists():
        folder.rename(replaced)
    staging.rename(folder)
    shutil.rmtree(replaced, ignore_errors=True)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise WeightsError(f"The model file {path} can't be read: {error.strerror or error}.") from error


def _convert(gguf: str, folder: str, dtype: str) -> None:
    """Write the model and the tokenizer of a GGUF file into a folder; runs in the child."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    path = Path(gguf)
    # The quantized types that GGUF files use are always read into float32; anything else would round twice.
    read = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
    wanted = getattr(torch, dtype)
    config = read.config
    del config.quantization_config
    config.dtype = wanted
    state = {name: tensor.to(wanted) for name, tensor in read.state_dict().items()}
    with torch.device("meta"):
        fresh = AutoModelForCausalLM.from_config(config)
    fresh.load_state_dict(state, assign=True)
    fresh.tie_weights()
    fresh.generation_config = read.generation_config
    fresh.save_pretrained(folder, max_shard_size="1TB")
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    _convert(*sys.argv[1:4])
