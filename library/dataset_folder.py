"""Reading a dataset folder: which of its files hold templates, and none from outside of it."""

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path, PurePosixPath, PureWindowsPath

from library.dataset_card import CARD, MAX_CARD_BYTES, data_patterns
from library.errors import ImportRefused
from library.exchange import ImportedRecord, ImportProblem, read_file
from library.formats import SUFFIXES

MAX_FILES = 10_000
PACKED_SUFFIXES = (".zip", ".gz", ".bz2", ".xz", ".zst", ".lz4", ".7z", ".tar", ".tgz", ".rar")


def read_folder(
    folder: Path, *, encoding: str | None = None, shown: str | None = None
) -> Iterator[ImportedRecord | ImportProblem]:
    """Yield the templates of a dataset folder, each with its place as `read_file` gives it.

    The card (`README.md`) says which files hold the data; without that, every file of a known kind is one. Links
    that lead out of the folder, paths that do, and packed files are problems, and reading goes on behind them.

    Args:
        folder: the folder.
        encoding: of its text files, None for UTF-8.
        shown: what to call the folder in locations, None for its path.

    Raises:
        ImportRefused: the folder or its card can't be read, or holds no data.
    """
    name = shown or str(folder)
    try:
        root = folder.resolve(strict=True)
        files = sorted(islice(_files(root), MAX_FILES + 1))
        patterns = _patterns(root)
    except OSError as error:
        raise ImportRefused(f"{name} can't be read: {error.strerror or error}.") from error
    except ImportRefused as error:
        raise ImportRefused(f"{name}/{error}") from error
    if len(files) > MAX_FILES:
        raise ImportRefused(f"{name} holds more than {MAX_FILES} files; give a file, or a smaller folder.")
    empty = True
    for item in _chosen(files, patterns):
        empty = False
        if isinstance(item, ImportProblem):
            yield ImportProblem(f"{name}/{item.location}", item.reason)
            continue
        path = f"{name}/{item}"
        if item.lower().endswith(PACKED_SUFFIXES):
            yield ImportProblem(path, "packed files are not read; unpack it first")
        elif not _inside(root, root / item):
            yield ImportProblem(path, "it is a link that leads out of the folder or nowhere")
        else:
            try:
                yield from read_file(root / item, encoding=encoding, shown=path)
            except ImportRefused as error:
                yield ImportProblem(path, str(error))
    if empty:
        raise ImportRefused(
            f"{name} holds no file of templates; there should be one that ends in {', '.join(SUFFIXES)}."
        )


def _files(root: Path) -> Iterator[str]:
    """Yield the files below a folder, hidden ones aside, as relative paths with slashes; links are not entered."""

    def refuse(error: OSError) -> None:
        raise error

    for place, folders, names in os.walk(root, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from ((Path(place) / name).relative_to(root).as_posix() for name in names if not name.startswith("."))


def _patterns(root: Path) -> list[str] | None:
    card = root / CARD
    if not card.exists() or not _inside(root, card):
        return None
    with card.open("rb") as file:
        return data_patterns(file.read(MAX_CARD_BYTES).decode("utf-8", "replace"))


def _chosen(files: list[str], patterns: list[str] | None) -> "Iterator[str | ImportProblem]":
    if patterns is None:
        readable = [path for path in files if path.lower().endswith((*SUFFIXES, *PACKED_SUFFIXES))]
        yield from readable
        return
    given: set[str] = set()
    for pattern in dict.fromkeys(patterns):
        if not _is_local(pattern):
            yield ImportProblem(CARD, f'the data file "{pattern[:100]}" lies outside of the folder')
            continue
        clean = str(PurePosixPath(pattern))
        found = [path for path in files if path == clean or fnmatchcase(path, clean)]
        if not found:
            yield ImportProblem(CARD, f'the data file "{pattern[:100]}" is missing')
        for path in found:
            if path not in given:
                given.add(path)
                yield path


def _is_local(pattern: str) -> bool:
    paths = (PurePosixPath(pattern), PureWindowsPath(pattern))
    return "://" not in pattern and not any(path.anchor or ".." in path.parts for path in paths) and "\0" not in pattern


def _inside(root: Path, path: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(root) and path.is_file()
    except (OSError, RuntimeError):
        return False
