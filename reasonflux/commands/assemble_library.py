"""Putting a library and its embedder together for a command."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reasonflux.commands import console, settings
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.embedding import Embedder
    from library.search import TemplateSearch
    from library.store import Library, Progress

EMBEDDER = "all-minilm-l6-v2"


def load_embedder(weights_dir: Path, *, quiet: bool = False) -> "Embedder":
    """Return the embedder, fetching its weights where they are missing; the model itself loads on first use.

    Raises:
        WeightsError: the weights can't be fetched.
    """
    from library.embedding import SentenceTransformerEmbedder
    from reasonflux.commands.weights_view import ensure_weights
    from reasonflux.models.weights import weights_path

    ensure_weights([EMBEDDER], weights_dir, quiet=quiet)
    return SentenceTransformerEmbedder(weights_path(EMBEDDER, weights_dir), name=EMBEDDER)


def create_library(path: Path, weights_dir: Path, *, seed: str | None, quiet: bool = False) -> bool:
    """Make a library with seed content, or an empty one; return False where there already was one.

    Args:
        path: the database file.
        weights_dir: the weights folder.
        seed: name of the seed content, None for an empty library.
        quiet: whether to show no progress.

    Raises:
        UsageError: there is no such seed.
        StoreUnavailable: the file can't be written.
        WeightsError: the embedder's weights can't be fetched.
    """
    from library.seeding import SEEDS, fill
    from library.store import Library

    if seed is not None and seed not in SEEDS:
        raise UsageError(f'There is no seed "{seed}"; choose one of {", ".join(SEEDS)}, or --empty.')
    if path.exists():
        return False
    if seed is None:
        return Library.create(path)
    embedder = load_embedder(weights_dir, quiet=quiet)

    def seeded(library: "Library") -> None:
        with progress("Adding the seed templates", quiet=quiet) as report:
            fill(library, embedder, who="reasonflux", progress=report)

    return Library.create(path, seeded)


def open_library(
    path: Path, weights_dir: Path, *, init_if_missing: bool, quiet: bool = False
) -> "tuple[Library, Embedder]":
    """Return a library and its embedder; with `init_if_missing`, a missing library is made with the seed content.

    Raises:
        LibraryError: the library is missing or can't be opened.
        WeightsError: the embedder's weights can't be fetched.
    """
    from library.store import Library

    if init_if_missing and create_library(path, weights_dir, seed="maths", quiet=quiet) and not quiet:
        console.note(f"Made the library {path} with the seed templates.")
    library = Library.open(path)
    try:
        return library, load_embedder(weights_dir, quiet=quiet)
    except BaseException:
        library.close()
        raise


@contextmanager
def open_templates(
    library: str | None, *, home: Path, weights: Path, quiet: bool = False
) -> "Iterator[TemplateSearch]":
    """Yield the search over a library given by name or path; the default library is made where it is missing.

    Raises:
        LibraryError: the library is missing or can't be opened.
        WeightsError: the embedder's weights can't be fetched.
    """
    from library.search import TemplateSearch

    path = settings.library_path(library, home)
    is_default = path == settings.library_path(None, home)
    store, embedder = open_library(path, weights, init_if_missing=is_default, quiet=quiet)
    with store:
        yield TemplateSearch(store, embedder)


@contextmanager
def progress(doing: str, *, quiet: bool = False) -> "Iterator[Progress]":
    """Yield a callback for (done, total): a bar on a terminal, one line at the start off it, nothing if `quiet`."""
    if quiet or not sys.stderr.isatty():
        if not quiet:
            console.note(f"{doing}.")
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task(doing, total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)


def user_name() -> str:
    """Return who makes a change, for the library's history."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return f"uid {os.getuid()}" if hasattr(os, "getuid") else "unknown"
