"""Reading JSON that a model wrote, with limits: size, nesting and candidates tried."""

import json
import re
from collections.abc import Iterator
from typing import Any

MAX_CHARACTERS = 50_000
MAX_DEPTH = 30
MAX_CANDIDATES = 20
# Only a quote or the closing brace can follow the brace of an object: LaTeX and sets are no candidates.
_OPENING = re.compile(r'\{(?=\s*+["}])')
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)


def find_object(text: str) -> dict[str, Any] | None:
    """Return the first JSON object found in `text`, which may stand among prose or in a code fence; None without one.

    Text beyond `MAX_CHARACTERS` is not looked at, and an object nested deeper than `MAX_DEPTH` is not one. Half
    surrogate pairs in its texts become question marks, so that what was found can be stored and sent.
    """
    text = text[:MAX_CHARACTERS]
    decoder = json.JSONDecoder()
    for start in _candidates(text):
        if _depth(text, start) > MAX_DEPTH:
            continue
        try:
            value, _ = decoder.raw_decode(text, start)
        # ValueError: also an integer of more digits than Python reads.
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return {_encodable(key): _encodable(item) for key, item in value.items()}
    return None


def _candidates(text: str) -> Iterator[int]:
    for number, opening in enumerate(_OPENING.finditer(text)):
        if number == MAX_CANDIDATES:
            return
        yield opening.start()


def _depth(text: str, start: int) -> int:
    depth = deepest = 0
    for token in _STRUCTURE.finditer(text, start):
        if token[0] in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in "}]":
            depth -= 1
            if depth == 0:
                break
    return deepest


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return value
