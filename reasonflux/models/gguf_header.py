"""The few facts of a GGUF file that must be known before it is loaded.

Only the metadata in front of the tokenizer is read, so the answer comes in milliseconds whatever the file's size.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from reasonflux.errors import ModelUnavailable

_MAGIC = b"GGUF"
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING = 8
_ARRAY = 9
_LONGEST_STRING = 1 << 24
_HALF_BYTES = 2


@dataclass(frozen=True)
class GgufHeader:
    """Sizes of a model.

    Attributes:
        architecture: llama.cpp's name of the architecture.
        file_bytes: size of the file in bytes.
        context_length: tokens of context the model was trained with, or None where the file does not say.
        kv_bytes: bytes of half-precision attention cache that one token of context takes, or None.
    """

    architecture: str
    file_bytes: int
    context_length: int | None
    kv_bytes: int | None


def read_header(path: Path) -> GgufHeader:
    """Return the sizes of the model in a GGUF file.

    Raises:
        ModelUnavailable: the file is missing, unreadable or no GGUF file.
    """
    try:
        with path.open("rb") as file:
            if file.read(4) != _MAGIC:
                raise ModelUnavailable(f"The model file {path} is not a GGUF file: it does not begin with 'GGUF'.")
            values = _read_values(file)
    except FileNotFoundError:
        raise ModelUnavailable(f"There is no model file {path}; name a model of `reasonflux models list`.") from None
    except OSError as error:
        raise ModelUnavailable(f"The model file {path} can't be read: {error.strerror or error}.") from error
    except (struct.error, ValueError) as error:
        raise ModelUnavailable(f"The model file {path} is damaged or cut short; fetch it again.") from error
    architecture = str(values.get("general.architecture", ""))
    return GgufHeader(
        architecture=architecture,
        file_bytes=path.stat().st_size,
        context_length=_whole(values.get(f"{architecture}.context_length")),
        kv_bytes=_kv_bytes(values, architecture),
    )


def _kv_bytes(values: dict[str, Any], architecture: str) -> int | None:
    layers = _whole(values.get(f"{architecture}.block_count"))
    width = _whole(values.get(f"{architecture}.embedding_length"))
    heads = _whole(values.get(f"{architecture}.attention.head_count"))
    if layers is None or width is None or heads is None or heads < 1:
        return None
    kv_heads = _whole(values.get(f"{architecture}.attention.head_count_kv")) or heads
    key_width = _whole(values.get(f"{architecture}.attention.key_length")) or width // heads
    value_width = _whole(values.get(f"{architecture}.attention.value_length")) or width // heads
    return layers * kv_heads * (key_width + value_width) * _HALF_BYTES


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _read_values(file: BinaryIO) -> dict[str, Any]:
    version, _tensors, count = struct.unpack("<IQQ", _take(file, 20))
    if not 2 <= version <= 3:
        raise ValueError(f"GGUF version {version}")
    values: dict[str, Any] = {}
    for _ in range(count):
        key = _read_string(file)
        if key.startswith("tokenizer."):
            break
        (kind,) = struct.unpack("<I", _take(file, 4))
        values[key] = _read_value(file, kind)
    return values


def _read_value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _read_string(file)
    if kind == _ARRAY:
        item_kind, length = struct.unpack("<IQ", _take(file, 12))
        if length > _LONGEST_STRING:
            raise ValueError("array too long")
        items = [_read_value(file, item_kind) for _ in range(length)]
        # An array holds one number a layer; the largest is the safe one to plan memory with.
        return max(items) if items and all(isinstance(item, int) for item in items) else None
    code = _SCALARS.get(kind)
    if code is None:
        raise ValueError(f"value kind {kind}")
    (value,) = struct.unpack(f"<{code}", _take(file, struct.calcsize(code)))
    return value


def _read_string(file: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", _take(file, 8))
    if length > _LONGEST_STRING:
        raise ValueError("string too long")
    return _take(file, length).decode("utf-8", "replace")


def _take(file: BinaryIO, size: int) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise ValueError("file ends early")
    return data
