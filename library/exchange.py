"""Templates in files: YAML, JSON, JSON lines, CSV and Parquet, one record at a time, each with its place.

A record that is no template becomes an `ImportProblem` with file and line, and reading goes on behind it; a
scalar is always read as the text that stands in the file (`no`, `007` and `3.10` stay what they are).
"""

import codecs
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library.csv_records import parse_csv
from library.errors import ImportRefused
from library.file_writing import to_text
from library.formats import KEPT_BY_THE_STORE, Format, format_of
from library.json_tree import Placed, parse_json_tree
from library.parquet_records import parse_parquet
from library.raw_records import RawProblem, RawRecord, YamlNull, parse_json, parse_json_lines, parse_yaml
from library.research_library import Conversion, NotUsable, is_entry, is_nested
from library.template import Template, name_key
from library.validation import kind_of, listed, make_template, validated

__all__ = ["ImportProblem", "ImportedRecord", "make_template", "read_file", "to_text"]

MAX_FILE_BYTES = 256 * 2**20
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class ImportedRecord:
    """A template read from a file, where (`file:line`), and what a person should know about it."""

    location: str
    template: Template
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """A record that can't be read: where, as `file:line`, and why."""

    location: str
    reason: str


def read_file(
    path: Path, *, kind: Format | None = None, encoding: str | None = None, shown: str | None = None
) -> Iterator[ImportedRecord | ImportProblem]:
    """Yield the templates of a file and, in their place, the records that are none.

    The suffix says what the file is; another suffix is decided by content. A YAML file holds templates or lists of
    them, in one or more documents; a JSON file one, a list, or the nested chapters of the research library. A name
    that stands in the file twice is a problem of the second place.

    Args:
        path: the file.
        kind: what the file is, None to go by its suffix.
        encoding: of a text file, None for UTF-8, or UTF-16 where the file begins with its mark.
        shown: what to call the file in locations, None for its path.

    Raises:
        ImportRefused: the file can't be opened, is too large or has another encoding; the message names the byte.
    """
    name = shown or str(path)
    reading = _Reading(name, kind or format_of(path))
    empty = True
    for placed in reading.raw(path, encoding):
        empty = False
        yield reading.to_template(placed)
    if empty:
        yield ImportProblem(f"{name}:1", "the file holds no template")


class _Reading:
    """One file being read: its name in locations, its kind, and the names it had so far."""

    def __init__(self, name: str, kind: Format | None) -> None:
        self._name = name
        self._kind = kind
        self._first: dict[str, str] = {}
        self._on_line: Counter[int] = Counter()
        self._conversion = Conversion()

    def raw(self, path: Path, encoding: str | None) -> Iterator[Placed]:
        if self._kind is Format.parquet:
            _check_size(path, self._name)
            try:
                for record in parse_parquet(path):
                    yield Placed((), record)
            except OSError as error:
                raise ImportRefused(f"{self._name} can't be read: {error.strerror or error}.") from error
            return
        text = _read_text(path, self._name, encoding)
        if self._kind is Format.jsonl:
            records = parse_json_lines(text)
        elif self._kind is Format.csv:
            records = parse_csv(text)
        elif self._kind is Format.json or (self._kind is None and text.lstrip()[:1] in ("{", "[")):
            records = parse_json(text)
        else:
            records = parse_yaml(text)
        for record in records:
            if isinstance(record, RawRecord) and is_nested(record.data):
                yield from parse_json_tree(text, is_entry)
                return
            yield Placed((), record)

    def to_template(self, placed: Placed) -> ImportedRecord | ImportProblem:
        record = placed.record
        self._on_line[record.line] += 1
        if isinstance(record, RawProblem):
            return ImportProblem(self._location(record.line), record.reason)
        location = self._location(record.line)
        data, notes = record.data, []
        if not isinstance(data, dict):
            return ImportProblem(location, f"a template must be a mapping of fields, not {kind_of(data)}")
        if is_entry(data):
            try:
                converted = self._conversion.convert(data, placed.path, location)
            except NotUsable as error:
                return ImportProblem(location, str(error))
            data, notes = converted.data, converted.notes
        data = {key: value for key, value in data.items() if key not in KEPT_BY_THE_STORE}
        _read_nulls(data)
        template, reasons = validated(data)
        if template is None:
            return ImportProblem(self._location(record.line_of(reasons[0][0])), listed(reasons))
        key = name_key(template.name)
        if key in self._first:
            return ImportProblem(location, f'"{template.name}" is the name of the template at {self._first[key]} too')
        self._first[key] = location
        return ImportedRecord(location, template, (*notes, *_findings(template)))

    def _location(self, line: int) -> str:
        if self._kind is not Format.parquet:
            place = self._on_line[line]
            return f"{self._name}:{line}" if place < 2 else f"{self._name}:{line}, record {place} of this line"
        return f"{self._name}:row {line}" if line else self._name


def _findings(template: Template) -> Iterator[str]:
    for place, example in enumerate(template.examples, start=1):
        if not example.answer:
            yield f"examples[{place}] has no answer; it is kept, and nothing is ever graded against it"


def _check_size(path: Path, name: str) -> None:
    try:
        size = path.stat().st_size
        regular = path.is_file() or path.is_dir()
    except (OSError, ValueError) as error:
        raise ImportRefused(f"{name} can't be read: {getattr(error, 'strerror', None) or error}.") from error
    if not regular:
        raise ImportRefused(f"{name} can't be read: it is no file.")
    if size > MAX_FILE_BYTES:
        raise ImportRefused(
            f"{name} has {size} bytes, more than the {MAX_FILE_BYTES} that are read at once; split the file."
        )


def _read_text(path: Path, name: str, encoding: str | None) -> str:
    _check_size(path, name)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ImportRefused(f"{name} can't be read: {error.strerror or error}.") from error
    codec = encoding or ("utf-16" if data.startswith(_WIDE_MARKS) else "utf-8-sig")
    try:
        return data.decode(codec)
    except LookupError as error:
        raise ImportRefused(f'{name} can\'t be read: there is no text encoding "{encoding}".') from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        shown = "UTF-8" if codec == "utf-8-sig" else codec
        raise ImportRefused(
            f"{name}:{line}: the file is not {shown} (byte 0x{data[error.start]:02X} at position {error.start}); save "
            "it as UTF-8, or say what it is with --encoding, such as --encoding cp1252."
        ) from error
    except UnicodeError as error:
        raise ImportRefused(f"{name} can't be read as {codec}: {error}.") from error


def _read_nulls(data: dict[str, Any]) -> None:
    """Read a null program or check of YAML as none."""
    examples = data.get("examples")
    for example in examples if isinstance(examples, list) else ():
        if isinstance(example, dict):
            for part in ("program", "check"):
                if isinstance(example.get(part), YamlNull):
                    example[part] = None
