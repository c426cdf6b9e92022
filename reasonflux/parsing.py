"""Reading JSON that a model wrote, with limits: size, nesting and candidates tried."""

import json
from collections.abc import Iterator
from typing import Any

MAX_CHARACTERS = 50_000
MAX_DEPTH = 30
MAX_CANDIDATES = 20


def find_object(text: str) -> dict[str, Any] | None:
    """Return the first JSON object found in `text`, which may stand among prose or in a code fence; None without one.

    Text beyond `MAX_CHARACTERS` is not looked at, and an object nested deeper than `MAX_DEPTH` is not one.
    """
    text = text[:MAX_CHARACTERS]
    decoder = json.JSONDecoder()
    for start in _candidates(text):
        if _depth(text, start) > MAX_DEPTH:
            continue
        try:
            value, _ = decoder.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def _candidates(text: str) -> Iterator[int]:
    start = text.find("{")
    for _ in range(MAX_CANDIDATES):
        if start < 0:
            return
        yield start
        start = text.find("{", start + 1)


def _depth(text: str, start: int) -> int:
    depth = deepest = 0
    for character in text[start:]:
        if character in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}]":
            depth -= 1
            if depth == 0:
                break
    return deepest
