"""What the commands of `reasonflux library` share: options, and opening the library they are about."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import settings

if TYPE_CHECKING:
    from library.store import Library


class StatusChoice(StrEnum):
    """Which templates a command looks at."""

    active = "active"
    draft = "draft"
    retired = "retired"
    any = "any"


FieldOption = Annotated[str | None, typer.Option("--field", help="Only templates of this field.")]
TopicOption = Annotated[str | None, typer.Option("--topic", help="Only templates of this topic.")]
StatusOption = Annotated[StatusChoice, typer.Option("--status", help="Only templates of this status.")]
DraftOption = Annotated[bool, typer.Option("--draft", help="Add as draft: not searched until it is made active.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Say what would happen and change nothing.")]


def path_of(library: str | None, home: Path | None) -> Path:
    """Return the database file of a library given by name or path."""
    return settings.library_path(library, settings.home_dir(home))


@contextmanager
def opened(path: Path) -> "Iterator[Library]":
    """Open an existing library for one command.

    Raises:
        LibraryError: it is missing or can't be opened.
    """
    from library.store import Library

    with Library.open(path) as store:
        yield store


def status_of(choice: StatusChoice) -> Any:
    """Return the status a choice stands for, None for any."""
    return None if choice is StatusChoice.any else choice.value
