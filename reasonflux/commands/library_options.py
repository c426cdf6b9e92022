"""What the commands of `reasonflux library` share: options, and opening the library they are about."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import settings
from reasonflux.errors import UsageError

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
    """Return the database file of a library given by name or path, else of the one that `solve` uses by its settings.

    Raises:
        UsageError: the value is empty.
        ConfigError: the settings file can't be used.
    """
    folder = settings.home_dir(home)
    return settings.library_path(settings.library_name(library, folder), folder)


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


def require_known(store: "Library", *, field: str | None, topic: str | None, tags: Sequence[str]) -> None:
    """Refuse a filter value that no template has: a mistyped one would look like an empty library.

    Raises:
        UsageError: naming the value and near ones.
    """
    import difflib

    from library.template import name_key

    with store.reading() as reader:
        known = {
            "field": (reader.known_values("field"), [field] if field is not None else []),
            "topic": (reader.known_values("topic"), [topic] if topic is not None else []),
            "tag": (list(reader.tag_counts(None)), list(tags)),
        }
    for kind, (values, wanted) in known.items():
        keys = {name_key(value) if kind == "tag" else value for value in values}
        for value in wanted:
            if (name_key(value) if kind == "tag" else value) not in keys:
                near = difflib.get_close_matches(value, values, n=3, cutoff=0.5)
                hint = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(values[:20]) or 'none'}."
                raise UsageError(f'No template has the {kind} "{value}"; {hint}')
