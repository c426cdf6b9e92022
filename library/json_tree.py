"""Records that stand in lists inside nested JSON objects, each with the keys that lead to it and its line."""

import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from library.raw_records import MAX_DEPTH, RawProblem, RawRecord, json_decoder, skip_space


@dataclass(frozen=True, slots=True)
class Placed:
    """A record, or a place without one, and the keys that lead there."""

    path: tuple[str, ...]
    record: RawRecord | RawProblem


def parse_json_tree(text: str, is_record: Callable[[dict[str, Any]], bool]) -> Generator[Placed]:
    """Yield the records of a JSON object of objects of lists, however deep the lists lie.

    Args:
        text: valid JSON.
        is_record: whether an object is a record and not a level of its own.
    """
    yield from _Walk(text, is_record).values(skip_space(text, 0), ())


class _Walk:
    def __init__(self, text: str, is_record: Callable[[dict[str, Any]], bool]) -> None:
        self._text = text
        self._is_record = is_record
        self._decoder = json_decoder()
        self._line = 1
        self._counted = 0

    def values(self, at: int, path: tuple[str, ...]) -> Generator[Placed, None, int]:
        """Yield the records of the value at a place and return the place behind it."""
        line = self._line_at(at)
        value, end = self._decoder.raw_decode(self._text, at)
        if isinstance(value, list):
            yield from self._items(at, path)
        elif not isinstance(value, dict):
            yield Placed(path, RawProblem(line, f"{json.dumps(value)[:40]} is neither a template nor a list of them"))
        elif self._is_record(value):
            yield Placed(path, RawRecord(value, line))
        elif len(path) >= MAX_DEPTH:
            yield Placed(path, RawProblem(line, f"the file nests deeper than {MAX_DEPTH} levels"))
        else:
            yield from self._levels(at, path)
        return end

    def _items(self, at: int, path: tuple[str, ...]) -> Generator[Placed]:
        at = skip_space(self._text, at + 1)
        while self._text[at] != "]":
            line = self._line_at(at)
            value, at = self._decoder.raw_decode(self._text, at)
            yield Placed(path, RawRecord(value, line))
            at = self._behind_comma(at)

    def _levels(self, at: int, path: tuple[str, ...]) -> Generator[Placed]:
        at = skip_space(self._text, at + 1)
        while self._text[at] != "}":
            key, at = self._decoder.raw_decode(self._text, at)
            at = skip_space(self._text, skip_space(self._text, at) + 1)
            at = yield from self.values(at, (*path, key))
            at = self._behind_comma(at)

    def _behind_comma(self, at: int) -> int:
        at = skip_space(self._text, at)
        return skip_space(self._text, at + 1) if self._text[at] == "," else at

    def _line_at(self, at: int) -> int:
        self._line += self._text.count("\n", self._counted, at)
        self._counted = at
        return self._line
