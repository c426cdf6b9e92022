"""What an `hf:` spec names: a base model's folder and, after a `+`, an adapter's.

A base is a folder that transformers can load, a GGUF file or a chat model of the catalogue (both dequantized once),
or a repository of the Hugging Face Hub.
"""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reasonflux.errors import ModelUnavailable, UsageError
from reasonflux.models.catalogue import catalogue, near_matches
from reasonflux.models.dequantize import WEIGHTS_FILE, Dtype, dequantized, read_manifest
from reasonflux.models.hub import offline

BASE_RECORD = "reasonflux_base.json"
"""File in an adapter's folder that says which weights the adapter was trained on."""
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_ANSWER_SECONDS = 5.0


@dataclass(frozen=True)
class Source:
    """Where a model's files are. `adapter` is None for a base model alone."""

    base: Path
    adapter: Path | None = None


def find_source(
    name: str,
    weights_dir: Path,
    *,
    dtype: Dtype = "float32",
    message: Callable[[str], None] = lambda text: None,
) -> Source:
    """Return the folders that `name` (a spec without its `hf:`) stands for.

    Args:
        name: `REPO_OR_PATH[+ADAPTER]`, where a name of the catalogue and a GGUF file count as paths.
        weights_dir: the weights folder.
        dtype: type of the weights where a GGUF file has to be dequantized.
        message: told what takes long.

    Raises:
        UsageError: it is no folder, file, repository or name, or the folder holds no model or no adapter.
        WeightsError: a GGUF file's weights are not here, or can't be dequantized.
        ModelUnavailable: the Hub can't be reached, or lacks the repository.
    """
    base, adapter = split_adapter(name)
    folder = _base_folder(base, weights_dir, dtype, message)
    if adapter is None:
        return Source(folder)
    path = Path(adapter).expanduser()
    if not (path / "adapter_config.json").is_file():
        why = "it has no adapter_config.json" if path.is_dir() else "there is no such folder"
        raise UsageError(f"The adapter {adapter!r} of hf:{name} can't be used: {why}.")
    return Source(folder, path.absolute())


def split_adapter(name: str) -> tuple[str, str | None]:
    """Return the base and the adapter that `name` is made of; the adapter is None where it names a base alone.

    A `+` may also be part of a path: what exists decides. The whole name is tried first, then the last `+` that
    leaves a base and an adapter which both exist, then the last that leaves a base.
    """
    if _exists(name):
        return name, None
    splits = [(name[:at], name[at + 1 :]) for at in range(len(name) - 1, 0, -1) if name[at] == "+"]
    for base, adapter in splits:
        if _exists(base) and Path(adapter).expanduser().is_dir():
            return base, adapter
    for base, adapter in splits:
        if _exists(base) or _HUB_NAME.fullmatch(base):
            return base, adapter
    return name, None


def weights_digest(source: Source) -> str:
    """Return the SHA-256, in hex, of a model's weights: its file's, or one over all its files' names and hashes.

    Raises:
        UsageError: a folder holds no weights.
        OSError: a file can't be read.
    """
    manifest = read_manifest(source.base)
    files = weight_files(source.base)
    if manifest is not None and "weights_sha256" in manifest and [file.name for file in files] == [WEIGHTS_FILE]:
        hashes = [("base", WEIGHTS_FILE, str(manifest["weights_sha256"]))]
    else:
        hashes = [("base", file.name, _sha256(file)) for file in files]
    if source.adapter is not None:
        hashes += [("adapter", file.name, _sha256(file)) for file in weight_files(source.adapter)]
    if len(hashes) == 1:
        return hashes[0][2]
    return hashlib.sha256("\n".join(" ".join(parts) for parts in hashes).encode()).hexdigest()


def weight_files(folder: Path) -> list[Path]:
    """Return the files of a folder that hold weights, by name.

    Raises:
        UsageError: there are none.
    """
    for pattern in ("*.safetensors", "*.bin"):
        files = sorted(file for file in folder.glob(pattern) if file.name != "training_args.bin")
        if files:
            return files
    raise UsageError(f"The folder {folder} holds no weights (*.safetensors).")


def record_base(adapter: Path, base: Path) -> None:
    """Write into an adapter's folder which base it was trained on, for `check_base` to compare."""
    record = {"weights_sha256": weights_digest(Source(base))}
    (adapter / BASE_RECORD).write_text(json.dumps(record) + "\n", encoding="utf-8")


def check_base(source: Source) -> None:
    """Make sure that the adapter was trained on this base, where its folder says on which.

    Raises:
        UsageError: it was trained on other weights.
    """
    if source.adapter is None:
        return
    try:
        record = json.loads((source.adapter / BASE_RECORD).read_text(encoding="utf-8"))
        trained_on = record["weights_sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if trained_on != weights_digest(Source(source.base)):
        raise UsageError(
            f"The adapter {source.adapter} was trained on another base than {source.base}: their weights differ; give "
            f"the one it was trained on{_named_base(source.adapter)}."
        )


def _base_folder(name: str, weights_dir: Path, dtype: Dtype, message: Callable[[str], None]) -> Path:
    from reasonflux.models.weights import resolve_model

    path = Path(name).expanduser()
    entry = catalogue().get(name)
    if entry is not None or path.is_file():
        gguf = resolve_model(name, weights_dir)
        pinned = entry.sha256 if entry is not None else None
        return dequantized(gguf, weights_dir, dtype=dtype, sha256=pinned, message=message)
    if path.is_dir():
        if (path / "config.json").is_file():
            return path.absolute()
        if (path / "adapter_config.json").is_file():
            raise UsageError(f"{name} holds an adapter alone; write hf:BASE+{name}{_named_base(path)}.")
        raise UsageError(f"The folder {name} holds no model that transformers can load: config.json is missing.")
    if _HUB_NAME.fullmatch(name):
        return _from_hub(name, message)
    near = near_matches(name)
    hint = f"did you mean {' or '.join(near)}?" if near else "give a folder, a GGUF file or OWNER/NAME of the Hub."
    raise UsageError(f"{name!r} is neither a folder that exists nor a known model; {hint}")


def _exists(name: str) -> bool:
    return name in catalogue() or Path(name).expanduser().exists()


def _named_base(adapter: Path) -> str:
    try:
        named = json.loads((adapter / "adapter_config.json").read_text(encoding="utf-8"))["base_model_name_or_path"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return f" (its settings name {named})" if named else ""


def _sha256(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _from_hub(repo: str, message: Callable[[str], None]) -> Path:
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        kept = Path(snapshot_download(repo, local_files_only=True))
        if (kept / "config.json").is_file() and weight_files(kept):
            return kept
    except (LocalEntryNotFoundError, UsageError):
        if offline():
            raise ModelUnavailable(
                f"The model {repo} is not in the Hub's cache and HF_HUB_OFFLINE is set; give the folder of a model."
            ) from None
    try:
        names = [file.rfilename for file in HfApi().model_info(repo, timeout=_ANSWER_SECONDS).siblings or ()]
        message(f"Fetching {repo} from the Hugging Face Hub.")
        weights = "*.safetensors" if any(name.endswith(".safetensors") for name in names) else "*.bin"
        wanted = ["*.json", "*.txt", "*.model", "*.jinja", weights]
        return Path(snapshot_download(repo, allow_patterns=wanted, ignore_patterns=["*/*"]))
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else None
        why = {401: "it does not exist or needs a token", 403: "you may not read it", 404: "it does not exist"}
        raise ModelUnavailable(
            f"The Hugging Face Hub does not give {repo}: {why.get(status or 0, error)}; check the name, or give the "
            "folder of a model."
        ) from error
    # The client's own errors are of many families, all of them about the network.
    except Exception as error:
        raise ModelUnavailable(
            f"There is no folder {repo!r} here, and the Hugging Face Hub can't be reached for it "
            f"({type(error).__name__}); give the folder of a model."
        ) from error
