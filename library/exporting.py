"""Templates of a library written to a file or a dataset folder, which appear whole or not at all."""

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from library.database import replace_durably
from library.dataset_card import CARD, card_text, data_path
from library.errors import ExportRefused
from library.file_writing import write_templates
from library.formats import Format
from library.reading import Filter, Reader
from library.template import Template

_BATCH = 500


def exported(reader: Reader, wanted: Filter) -> Iterator[Template]:
    """Yield the templates a filter lets through, in order of name, without holding all of them."""
    ids = reader.ids(wanted)
    for start in range(0, len(ids), _BATCH):
        for stored in reader.load(ids[start : start + _BATCH]):
            yield stored.template


def export_file(templates: Iterable[Template], target: Path, kind: Format, *, force: bool) -> int:
    """Write templates to a file and return how many there were.

    Args:
        templates: what to write.
        target: the file; it appears only when it is whole.
        kind: what kind of file.
        force: whether a file that is there already is replaced.

    Raises:
        ExportRefused: the file is there already, is no file or can't be written.
    """
    target = _checked(target, force=force)
    with _explaining(target):
        return _written(target, lambda file: write_templates(templates, file, kind))


def export_folder(templates: Iterable[Template], folder: Path, kind: Format, *, title: str, force: bool) -> int:
    """Write templates as a dataset folder (a card and one file of data) and return how many there were.

    Args:
        templates: what to write.
        folder: the folder, made where it is missing; other files in it stay.
        kind: what kind of data file; YAML is none that dataset tools read.
        title: what the card calls the templates.
        force: whether files that are there already are replaced.

    Raises:
        ExportRefused: the files are there already, or can't be written.
    """
    if kind is Format.yaml:
        raise ExportRefused("A dataset folder holds jsonl, json, csv or parquet, not yaml; choose one with --format.")
    with _explaining(folder):
        folder.mkdir(parents=True, exist_ok=True)
        data, card = folder / data_path(kind), folder / CARD
        data.parent.mkdir(exist_ok=True)
        data, card = _checked(data, force=force), _checked(card, force=force)
        count = _written(data, lambda file: write_templates(templates, file, kind))
        # The card comes last: until then the old card and the old data still belong together.
        _written(card, lambda file: file.write(card_text(title, count, kind).encode("utf-8")))
    return count


def _checked(target: Path, *, force: bool) -> Path:
    """Return the file to write, links followed, after refusing what may not be replaced."""
    with _explaining(target):
        resolved = target.resolve()
        if resolved.is_dir():
            raise ExportRefused(f"{target} is a folder; give a file's name, or end it with / for a dataset folder.")
        if resolved.exists():
            if not resolved.is_file():
                raise ExportRefused(f"{target} is no regular file; give a file's name, or - for stdout.")
            if not force:
                raise ExportRefused(f"{target} is there already; replace it with --force, or give another name.")
        if not resolved.parent.is_dir():
            raise ExportRefused(f"The folder {resolved.parent} is missing; make it, or give another place.")
    return resolved


def _written(target: Path, write: Callable[[IO[bytes]], int]) -> int:
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            written = write(file)
        replace_durably(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return written


@contextmanager
def _explaining(target: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError) and "null" not in str(error):
            raise
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ExportRefused(f"{os.fspath(target)} can't be written: {reason}.") from error
