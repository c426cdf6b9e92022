"""Templates written as files of every kind, so that reading one back gives equal templates."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import IO, Any

from library.csv_records import csv_row
from library.formats import Format
from library.parquet_records import write_parquet
from library.template import Template

_BATCH = 500
_FOLDED_BREAKS = ("\r", "\x85", "\u2028", "\u2029")


def to_text(template: Template, kind: str = "json") -> str:
    """Return a template as one JSON line (`json`) or as one YAML list item (`yaml`), every scalar quoted as needed.

    Reading it back with `read_file` gives an equal template.
    """
    data = _plain(template)
    if kind == "json":
        return json.dumps(data, ensure_ascii=False, allow_nan=False)
    import yaml

    text: str = yaml.dump([data], Dumper=_yaml_dumper(), allow_unicode=True, sort_keys=False, width=100)
    return text


def write_templates(templates: Iterable[Template], out: IO[bytes], kind: Format) -> int:
    """Write templates to a binary file as UTF-8 (Parquet aside) and return how many there were.

    Raises:
        OSError: the file takes no more.
    """
    written = 0

    def counted() -> Iterator[Template]:
        nonlocal written
        for template in templates:
            written += 1
            yield template

    if kind is Format.parquet:
        write_parquet(out, _batches(_plain(template) for template in counted()))
    else:
        for piece in _pieces(counted(), kind):
            out.write(piece.encode("utf-8"))
    return written


def _pieces(templates: Iterable[Template], kind: Format) -> Iterator[str]:
    if kind is Format.csv:
        yield csv_row({}, header=True)
        yield from (csv_row(_plain(template)) for template in templates)
    elif kind is Format.jsonl:
        yield from (to_text(template) + "\n" for template in templates)
    elif kind is Format.json:
        separator = "[\n"
        for template in templates:
            yield separator + to_text(template)
            separator = ",\n"
        yield "[]\n" if separator == "[\n" else "\n]\n"
    else:
        empty = True
        for template in templates:
            empty = False
            yield to_text(template, "yaml")
        if empty:
            yield "[]\n"


def _plain(template: Template) -> dict[str, Any]:
    return template.model_dump(mode="json", exclude_none=True)


def _batches(records: Iterable[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for record in records:
        batch.append(record)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


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
