"""The base models that training starts from."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reasonflux.errors import UsageError
from reasonflux.models.dequantize import Dtype
from reasonflux.models.hf_source import Source, check_base, find_source, record_base, weights_digest

__all__ = ["BaseModel", "check_base", "load_base", "record_base"]


@dataclass(frozen=True)
class BaseModel:
    """A base model on disk.

    Attributes:
        folder: a folder that transformers loads, trains and saves.
        spec: what was asked for.
        sha: SHA-256 of its weights, in hex.
    """

    folder: Path
    spec: str
    sha: str


def load_base(
    spec: str,
    weights_dir: Path,
    *,
    dtype: Dtype = "float32",
    message: Callable[[str], None] = lambda text: None,
) -> BaseModel:
    """Return the base model that `spec` names, as a folder.

    Args:
        spec: a folder, `OWNER/NAME` of the Hub, a GGUF file or a chat model of the catalogue, with or without `hf:`;
            a GGUF file is dequantized once into the weights folder.
        weights_dir: the weights folder.
        dtype: type of the weights where a GGUF file has to be dequantized.
        message: told what takes long.

    Raises:
        UsageError: the spec names nothing that exists, or an adapter as well.
        WeightsError: a catalogue model's weights are not here, or can't be dequantized.
        ModelUnavailable: the Hub can't be reached, or lacks the repository.
    """
    source = find_source(spec.removeprefix("hf:"), weights_dir, dtype=dtype, message=message)
    if source.adapter is not None:
        raise UsageError(f"Training starts from a base model, and {spec} names an adapter too; merge it first.")
    return BaseModel(source.base, spec, weights_digest(Source(source.base)))
