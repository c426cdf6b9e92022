r"""Reading problem records: every item of a file comes out once, as a record or as a problem with its line.

Accepted are JSONL and one JSON array, UTF-8 with or without a byte-order mark. An item is one of
`{"id", "problem", "answer"?, "subject"?, "level"?, "grader"?}`, GSM8K's `question`/`answer` (`#### N`), or MATH's
`problem`/`solution`/`answer`, where a missing answer is taken from the solution's last box. Other keys are ignored.
Numbers are taken as the text that stands in the file: `3.10` stays `3.10`.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

from library.template import content_hash
from reasonflux.answers import extract
from reasonflux.errors import RecordError
from reasonflux.types import GradedProblem, Problem

if TYPE_CHECKING:
    from reasonflux.grading import Grader

MAX_CHARACTERS = 200_000
_MAX_LINE_BYTES = 8 << 20
_MAX_ARRAY_BYTES = 256 << 20
_CALCULATOR = re.compile(r"<<[^<>\n]{0,300}>>")
_BOM = b"\xef\xbb\xbf"
_WIDE = {b"\xff\xfe": "UTF-16 (little endian)", b"\xfe\xff": "UTF-16 (big endian)"}


@dataclass(frozen=True)
class Record:
    """One problem of a file.

    Attributes:
        line: number of its line, from 1, blank lines counted.
        id: its own id, or its line number as text.
        graded: the problem with its gold answer, if it has one.
        content_hash: hash of problem, gold and grader, tagged with its algorithm.
        solution: its worked solution, None where it has none that is plain text.
        template: slug of the template it was drawn for, as `library generate` writes it.
    """

    line: int
    id: str
    graded: GradedProblem
    content_hash: str
    subject: str | None = None
    level: str | None = None
    solution: str | None = None
    template: str | None = None


@dataclass(frozen=True)
class RecordProblem:
    """An item that is no record: where it stands and what is wrong with it, in one clause."""

    line: int
    reason: str


class _Number(str):
    """A JSON number, kept as it was written."""


class _Bad(Exception):
    """Why an item is no record."""


def read_records(path: Path) -> Iterator[Record | RecordProblem]:
    """Return the items of a file, in order and one by one; a JSON array is read as a whole.

    Raises:
        RecordError: the file can't be opened or read.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise RecordError(f"The problem file {path} can't be read: {error.strerror or error}.") from error
    return _items(file, path)


def check_golds(records: Iterable[Record], grader: "Grader") -> list[tuple[int, str]]:
    """Return line and reason of each record whose gold answer is not equal to itself, so can't be graded against."""
    failing: list[tuple[int, str]] = []
    for record in records:
        gold = record.graded.gold
        if gold is None:
            continue
        verdict = grader.grade(gold, gold, grader=record.graded.grader, question=record.graded.problem.text)
        if verdict.correct is not True:
            reason = verdict.note or "it is not equal to itself"
            failing.append((record.line, f"the gold answer {gold[:80]!r} can't be graded: {reason}"))
    return failing


def _items(file: IO[bytes], path: Path) -> Iterator[Record | RecordProblem]:
    with file:
        try:
            start = file.read(4096)
            file.seek(0)
            wide = _WIDE.get(start[:2]) or ("UTF-16" if _looks_wide(start) else None)
            if wide is not None:
                yield RecordProblem(1, f"{path} is {wide} (byte 0); save it as UTF-8")
                return
            if start.removeprefix(_BOM).lstrip()[:1] == b"[":
                yield from _array(file, path)
            else:
                yield from _lines(file, path)
        except OSError as error:
            raise RecordError(f"The problem file {path} can't be read: {error.strerror or error}.") from error


def _looks_wide(start: bytes) -> bool:
    return len(start) > 3 and (start[1] == 0 == start[3] or start[0] == 0 == start[2])


def _lines(file: IO[bytes], path: Path) -> Iterator[Record | RecordProblem]:
    number = offset = 0
    while raw := file.readline(_MAX_LINE_BYTES):
        number += 1
        begin, offset = offset, offset + len(raw)
        whole = raw
        while len(raw) == _MAX_LINE_BYTES and not raw.endswith(b"\n"):
            raw = file.readline(_MAX_LINE_BYTES)
            offset += len(raw)
        if offset - begin > len(whole):
            yield RecordProblem(number, f"the line is longer than {_MAX_LINE_BYTES} bytes")
            continue
        if number == 1 and whole.startswith(_BOM):
            whole, begin = whole[len(_BOM) :], begin + len(_BOM)
        if not whole.strip():
            continue
        try:
            text = _decoded(whole, begin, path)
            yield _record(_parsed(text), number)
        except _Bad as bad:
            yield RecordProblem(number, str(bad))


def _array(file: IO[bytes], path: Path) -> Iterator[Record | RecordProblem]:
    raw = file.read(_MAX_ARRAY_BYTES + 1)
    if len(raw) > _MAX_ARRAY_BYTES:
        yield RecordProblem(1, f"the array is larger than {_MAX_ARRAY_BYTES} bytes; write one record a line instead")
        return
    begin = len(_BOM) if raw.startswith(_BOM) else 0
    try:
        text = _decoded(raw[begin:], begin, path)
    except _Bad as bad:
        yield RecordProblem(1, str(bad))
        return
    decoder = _decoder()
    place = text.index("[") + 1
    line, counted = 1, 0
    expecting_item, first = True, True
    while True:
        while place < len(text) and text[place] in " \t\r\n":
            place += 1
        line, counted = line + text.count("\n", counted, place), place
        sign = text[place : place + 1]
        if sign == "]" and (first or not expecting_item):
            if rest := text[place + 1 :].strip():
                yield RecordProblem(line, f"text follows the array: {rest[:40]!r}")
            return
        if not expecting_item and sign == ",":
            place, expecting_item = place + 1, True
            continue
        if not expecting_item or not sign:
            yield RecordProblem(line, "the array is not closed" if not sign else "a comma is missing between records")
            return
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError, _Bad) as error:
            yield RecordProblem(line, f"{_json_fault(error)}; the rest of the array can't be read")
            return
        expecting_item = first = False
        try:
            yield _record(value, line)
        except _Bad as bad:
            yield RecordProblem(line, str(bad))


def _decoded(raw: bytes, begin: int, path: Path) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        place = begin + error.start
        raise _Bad(f"byte {place} of {path} is not UTF-8 (0x{raw[error.start]:02x}); save the file as UTF-8") from error


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=_Number, parse_float=_Number, parse_constant=_refuse_constant, object_pairs_hook=_object
    )


def _parsed(text: str) -> Any:
    try:
        return _decoder().decode(text)
    except (ValueError, RecursionError) as error:
        raise _Bad(_json_fault(error)) from error


def _json_fault(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON (column {error.colno}: {error.msg})"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _refuse_constant(name: str) -> NoReturn:
    raise _Bad(f"{name} is no JSON value")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Bad(f"the key {twice!r} stands twice in one object")
    return found


def _record(value: Any, line: int) -> Record:
    if not isinstance(value, dict):
        raise _Bad("it is not an object")
    asked = "problem" if value.get("problem") is not None or "question" not in value else "question"
    text = _text(value, asked)
    if text is None:
        raise _Bad("it has no 'problem' (nor 'question')")
    grader = value.get("grader")
    if grader not in (None, "math", "text"):
        raise _Bad(f"its 'grader' is {grader!r}; it must be 'math' or 'text'")
    gold = _gold(value, asked)
    identity = _text(value, "id") or str(line)
    graded = GradedProblem(problem=Problem(text=text), gold=gold, grader=grader or "math", record_id=identity)
    level = _text(value, "level")
    template = value.get("template")
    return Record(
        line=line,
        id=identity,
        graded=graded,
        content_hash=content_hash({"problem": text, "answer": gold, "grader": graded.grader}),
        subject=_text(value, "subject") or _text(value, "type"),
        level=level.removeprefix("Level ") if level else None,
        solution=_solution(value, asked),
        template=str(template) if isinstance(template, str) and template.strip() else None,
    )


def _solution(value: dict[str, Any], asked: str) -> str | None:
    """Return the worked solution where there is one that can be stored; a record without is a record all the same."""
    try:
        solution = _text(value, "solution")
        if solution is None and asked == "question":
            answer = _text(value, "answer") or ""
            solution = _CALCULATOR.sub("", answer.rpartition("####")[0]).strip() or None
    except _Bad:
        return None
    return solution


def _gold(value: dict[str, Any], asked: str) -> str | None:
    answer = _text(value, "answer")
    if answer is not None:
        if asked == "question" and "####" in answer:
            answer = answer.rpartition("####")[2].replace(",", "").strip()
            if not answer:
                raise _Bad("nothing follows '####' in its 'answer'")
        return answer
    solution = _text(value, "solution")
    if solution is None:
        return None
    found = extract(solution)
    if found.source != "box" or found.answer is None:
        raise _Bad(r"its 'solution' has no \boxed{} answer; add an 'answer'")
    return found.answer


def _text(value: dict[str, Any], key: str) -> str | None:
    """Return the text under a key, None where it is missing or null.

    Raises:
        _Bad: it is neither text nor a number, blank, too long, or holds what can't be stored.
    """
    text = value.get(key)
    if text is None:
        return None
    if not isinstance(text, str):
        kind = {bool: "true or false", list: "a list", dict: "an object"}.get(type(text), type(text).__name__)
        raise _Bad(f"its {key!r} is {kind}, not text")
    if not text.strip():
        raise _Bad(f"its {key!r} is blank")
    if len(text) > MAX_CHARACTERS:
        raise _Bad(f"its {key!r} has {len(text)} characters; at most {MAX_CHARACTERS} are read")
    if "\0" in text:
        raise _Bad(f"its {key!r} holds a NUL character")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise _Bad(f"its {key!r} holds half of a surrogate pair")
    return str(text)
