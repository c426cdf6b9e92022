"""Where an import's templates come from: files, stdin, dataset folders and dataset repositories."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.exchange import ImportedRecord, ImportProblem
    from library.formats import Format

_HUB = "hf://"
_CHUNK = 2**20


def format_named(name: str | None) -> "Format | None":
    """Return the kind of file that `--format` names.

    Raises:
        UsageError: there is no such kind.
    """
    from library.formats import Format

    if name is None:
        return None
    try:
        return Format(name.lower())
    except ValueError as error:
        raise UsageError(f'There is no format "{name[:40]}"; choose one of {", ".join(Format)}.') from error


def is_hub_address(text: str) -> bool:
    """Return whether a source or target is on the Hugging Face Hub."""
    return text.startswith(_HUB)


def read_source(source: str, kind: "Format | None", encoding: str | None) -> "Iterator[ImportedRecord | ImportProblem]":
    """Yield what a file, a folder, `-` (stdin) or an `hf://datasets/...` address holds, each with its place.

    Raises:
        LibraryError: it can't be read at all.
    """
    from library.dataset_folder import read_folder
    from library.exchange import read_file

    if is_hub_address(source):
        from library.hub import HubAddress, fetch

        address = HubAddress.parse(source)
        with tempfile.TemporaryDirectory(prefix="reasonflux-") as folder:
            fetch(address, Path(folder))
            yield from read_folder(Path(folder), encoding=encoding, shown=str(address))
    elif source == "-":
        with _stdin_file() as path:
            yield from read_file(path, kind=kind, encoding=encoding, shown="stdin")
    elif Path(source).is_dir():
        yield from read_folder(Path(source), encoding=encoding)
    else:
        yield from read_file(Path(source), kind=kind, encoding=encoding)


@contextmanager
def _stdin_file() -> Iterator[Path]:
    """Yield a file that holds what stdin has, up to a little more than is read of any file."""
    from library.exchange import MAX_FILE_BYTES

    if sys.stdin is None:
        raise UsageError("stdin is closed; give a file.")
    with tempfile.TemporaryDirectory(prefix="reasonflux-") as folder:
        path = Path(folder) / "stdin"
        with path.open("wb") as file:
            while file.tell() <= MAX_FILE_BYTES and (data := sys.stdin.buffer.read(_CHUNK)):
                file.write(data)
        yield path
