"""Templates in files: YAML, JSON and JSON lines, one record at a time, each with its place.

A record that is no template becomes an `ImportProblem` with file and line, and reading goes on behind it; a
scalar is always read as the text that stands in the file (`no`, `007` and `3.10` stay what they are).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from library.checking import Location, broken_rules, spelled
from library.errors import ImportRefused, TemplateInvalid
from library.raw_records import RawProblem, RawRecord, parse_json, parse_json_lines, parse_yaml
from library.template import Example, Template

MAX_FILE_BYTES = 256 * 2**20
YAML_SUFFIXES = (".yaml", ".yml")
_KEPT_BY_THE_STORE = frozenset({"id", "slug", "created", "updated", "content_hash"})
_MANY_REASONS = 3
_FOLDED_BREAKS = ("\r", "\x85", "\u2028", "\u2029")
_NULLS = ("", "~", "null", "Null", "NULL")


@dataclass(frozen=True, slots=True)
class ImportedRecord:
    """A template read from a file, and where: `file:line`."""

    location: str
    template: Template


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """A record that can't be read: where, as `file:line`, and why."""

    location: str
    reason: str


def read_file(path: Path) -> Iterator[ImportedRecord | ImportProblem]:
    """Yield the templates of a file and, in their place, the records that are none.

    The suffix says what the file is (`.yaml`, `.yml`, `.json`, `.jsonl`, `.ndjson`); another suffix is decided
    by content. A YAML file holds templates or lists of them, in one or more documents; a JSON file one or a list.

    Raises:
        ImportRefused: the file can't be opened, is too large or is not UTF-8; the message names the byte.
    """
    text = _read_text(path)
    suffix = path.suffix.lower()
    if suffix in (".jsonl", ".ndjson"):
        raw = parse_json_lines(text)
    elif suffix == ".json" or (suffix not in YAML_SUFFIXES and text.lstrip()[:1] in ("{", "[")):
        raw = parse_json(text)
    else:
        raw = parse_yaml(text)
    empty = True
    for item in raw:
        empty = False
        if isinstance(item, RawProblem):
            yield ImportProblem(f"{path}:{item.line}", item.reason)
        else:
            yield _to_template(item, path)
    if empty:
        yield ImportProblem(f"{path}:1", "the file holds no template")


def to_text(template: Template, kind: str = "json") -> str:
    """Return a template as one JSON line (`json`) or as one YAML list item (`yaml`), every scalar quoted as needed.

    Reading it back with `read_file` gives an equal template.
    """
    data = template.model_dump(mode="json", exclude_none=True)
    if kind == "json":
        return json.dumps(data, ensure_ascii=False, allow_nan=False)
    import yaml

    text: str = yaml.dump([data], Dumper=_yaml_dumper(), allow_unicode=True, sort_keys=False, width=100)
    return text


@cache
def _yaml_dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes text with a line break that YAML would fold away in double quotes, where it is escaped."""

    def represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        folded = any(mark in text for mark in _FOLDED_BREAKS)
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if folded else None)

    Dumper.add_representer(str, represent_text)
    return Dumper


def _read_text(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise ImportRefused(
                f"{path} has {size} bytes, more than the {MAX_FILE_BYTES} that are read at once; split the file."
            )
        data = path.read_bytes()
    except OSError as error:
        raise ImportRefused(f"{path} can't be read: {error.strerror or error}.") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ImportRefused(
            f"{path}:{line}: the file is not UTF-8 (byte 0x{data[error.start]:02X} at position {error.start}); "
            "save it as UTF-8."
        ) from error


def make_template(data: dict[str, Any]) -> Template:
    """Return the template that plain data describes.

    Raises:
        TemplateInvalid: it breaks a rule; the message names the parts.
    """
    template, reasons = _validate(data)
    if template is None:
        raise TemplateInvalid(f"The template can't be used: {_listed(reasons)}.")
    return template


def _to_template(record: RawRecord, path: Path) -> ImportedRecord | ImportProblem:
    data = record.data
    if not isinstance(data, dict):
        return ImportProblem(f"{path}:{record.line}", f"a template must be a mapping of fields, not {_kind(data)}")
    data = {key: value for key, value in data.items() if key not in _KEPT_BY_THE_STORE}
    _read_nulls(data)
    template, reasons = _validate(data)
    if template is None:
        return ImportProblem(f"{path}:{record.line_of(reasons[0][0])}", _listed(reasons))
    return ImportedRecord(f"{path}:{record.line}", template)


def _validate(data: dict[str, Any]) -> tuple[Template | None, list[tuple[Location, str]]]:
    from pydantic import ValidationError

    try:
        template = Template.model_validate(data)
    except ValidationError as error:
        return None, [(tuple(item["loc"]), _sentence(item)) for item in error.errors(include_url=False)]
    reasons = [(location, f"{spelled(location)} {reason}") for location, reason in broken_rules(template)]
    return (None, reasons) if reasons else (template, [])


def _listed(reasons: list[tuple[Location, str]]) -> str:
    shown = [reason for _, reason in reasons[:_MANY_REASONS]]
    if len(reasons) > _MANY_REASONS:
        shown.append(f"and {len(reasons) - _MANY_REASONS} more")
    return "; ".join(shown)


def _read_nulls(data: dict[str, Any]) -> None:
    """Read a null program or check as none: YAML scalars arrive as text."""
    examples = data.get("examples")
    for example in examples if isinstance(examples, list) else ():
        if isinstance(example, dict):
            for part in ("program", "check"):
                if example.get(part) in _NULLS:
                    example[part] = None


def _sentence(error: Any) -> str:
    """Return what pydantic found as a person would say it."""
    import difflib

    location = tuple(error["loc"])
    where = spelled(location)
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "missing":
        return f"{where} is missing"
    if kind == "extra_forbidden":
        fields = (Example if location[:1] == ("examples",) and len(location) > 1 else Template).model_fields
        near = difflib.get_close_matches(str(location[-1]), list(fields), n=1)
        return f"{where} is no known field" + (f", did you mean {near[0]}?" if near else "")
    if kind == "string_too_short":
        return f"{where} is empty"
    if kind == "string_too_long":
        return f"{where} has {len(value)} characters, more than {context['max_length']}"
    if kind == "too_short":
        return f"{where} has {context['actual_length']} entries, fewer than {context['min_length']}"
    if kind == "too_long":
        return f"{where} has {context['actual_length']} entries, more than {context['max_length']}"
    if kind == "tuple_type":
        return f"{where} must be a list, not {_kind(value)}"
    if kind == "string_type":
        return f"{where} must be text, not {_kind(value)}"
    if kind == "string_unicode":
        return f"{where} holds half of a surrogate pair, which is no character"
    if kind in ("model_type", "model_attributes_type"):
        return f"{where} must be a mapping of fields, not {_kind(value)}"
    if kind == "literal_error":
        return f"{where} must be {context['expected']}, not {str(value)[:60]!r}"
    return f"{where}: {error['msg']}"


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'the text "{value[:40]}"' if value else "nothing"
    return "a list" if isinstance(value, list) else "a mapping"
