"""The kinds of file that templates are exchanged in, and which one a file's name means."""

from enum import StrEnum
from pathlib import Path


class Format(StrEnum):
    """A kind of file; its value is also the name of its suffix."""

    yaml = "yaml"
    json = "json"
    jsonl = "jsonl"
    csv = "csv"
    parquet = "parquet"


_SUFFIXES = {
    ".yaml": Format.yaml,
    ".yml": Format.yaml,
    ".json": Format.json,
    ".jsonl": Format.jsonl,
    ".ndjson": Format.jsonl,
    ".csv": Format.csv,
    ".tsv": Format.csv,
    ".parquet": Format.parquet,
}
SUFFIXES = tuple(_SUFFIXES)
COLUMNS = (
    "name",
    "tags",
    "description",
    "scope",
    "steps",
    "examples",
    "field",
    "topic",
    "status",
    "source",
    "author",
)
"""The columns of a table of templates, in the order they are written in."""
LIST_COLUMNS = frozenset({"tags", "steps", "examples"})
REQUIRED_COLUMNS = ("name", "description", "steps")
KEPT_BY_THE_STORE = frozenset({"id", "slug", "created", "updated", "content_hash"})
"""What a library knows of a template beyond the template itself; let through when read, never used."""


def format_of(path: Path) -> Format | None:
    """Return the kind of file that a suffix stands for, None for a suffix that stands for none."""
    return _SUFFIXES.get(path.suffix.lower())
