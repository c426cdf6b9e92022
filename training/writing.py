"""Files that appear as a whole: whatever ends this process, there is the old one or the new."""

import json
from collections.abc import Iterable
from pathlib import Path

from reasonflux.batch_output import replace_file
from reasonflux.runs import json_line


def write_text(path: Path, text: str) -> None:
    """Write text as UTF-8, making the folder.

    Raises:
        OSError: it can't be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text.encode("utf-8"))


def write_document(path: Path, document: object) -> None:
    """Write one JSON document for a person to read; errors as for `write_text`."""
    write_text(path, json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def write_lines(path: Path, documents: Iterable[object]) -> None:
    """Write JSON documents, one a line; errors as for `write_text`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, b"".join(json_line(document) for document in documents))
