"""The templates that a command looks at: those of a library, or those of files that are not imported yet."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonflux.commands.library_options import StatusChoice, opened, require_known, status_of
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from library.template import Template


@dataclass(frozen=True)
class Subject:
    """A template, its slug, and what to call it: its slug in a library, its place (`file:line`) in a file."""

    label: str
    slug: str
    template: "Template"


_LISTED_FILES = 3


@dataclass
class Subjects:
    """The templates a command looks at, and the records of files that are none."""

    source: dict[str, Any]
    found: list[Subject] = field(default_factory=list)
    refused: list[dict[str, str]] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Where they come from, for a person."""
        if "library" in self.source:
            return str(self.source["library"])
        files = self.source["files"]
        return ", ".join(files) if len(files) <= _LISTED_FILES else f"{len(files)} files"


def from_files(files: Sequence[Path], *, field: str | None, topic: str | None) -> Subjects:
    """Return the templates of files, and what in them is none."""
    from library.errors import ImportRefused
    from library.exchange import ImportProblem, read_file

    subjects = Subjects({"files": [str(path) for path in files]})
    for path in files:
        try:
            for record in read_file(path):
                if isinstance(record, ImportProblem):
                    subjects.refused.append({"location": record.location, "reason": record.reason})
                elif field in (None, record.template.field) and topic in (None, record.template.topic):
                    subjects.found.append(Subject(record.location, record.template.slug, record.template))
        except ImportRefused as error:
            subjects.refused.append({"location": str(path), "reason": str(error)})
    return subjects


def from_library(
    path: Path, *, field: str | None, topic: str | None, status: StatusChoice | None, names: Sequence[str] = ()
) -> Subjects:
    """Return the templates of a library that the filters let through, by default the active ones and the drafts.

    Args:
        path: the database file.
        field: only those of this field.
        topic: only those of this topic.
        status: only those of this status, None for active and draft.
        names: only these, by slug or name; whatever their status.

    Raises:
        LibraryError: the library can't be read, or has no template of one of the names.
        UsageError: no template has the field or topic.
    """
    from library.reading import Filter

    subjects = Subjects({"library": str(path)})
    with opened(path) as store:
        require_known(store, field=field, topic=topic, tags=())
        with store.reading() as reader:
            if names:
                ids = list(dict.fromkeys(reader.require(name) for name in names))
            else:
                wanted: tuple[Any, ...] = ("active", "draft") if status is None else (status_of(status),)
                ids = [found for one in wanted for found in reader.ids(Filter(field, topic, status=one))]
            stored = reader.load(ids)
    subjects.found = [Subject(item.slug, item.slug, item.template) for item in stored]
    return subjects


def subjects_of(
    files: Sequence[Path] | None,
    path: Path,
    *,
    field: str | None,
    topic: str | None,
    status: StatusChoice | None,
    names: Sequence[str] = (),
) -> Subjects:
    """Return the templates of files where there are any, else those of the library.

    Raises:
        UsageError: files and an option that only fits a library are given together.
        LibraryError: as `from_library`.
    """
    if not files:
        return from_library(path, field=field, topic=topic, status=status, names=names)
    if status is not None or names:
        raise UsageError("--status and --template choose among a library's templates; leave them out with files.")
    return from_files(files, field=field, topic=topic)


def refusals(subjects: Subjects) -> list[str]:
    """Return what to tell a person of the records that are no templates."""
    return [
        refusal["reason"]
        if refusal["reason"].startswith(refusal["location"])
        else f"{refusal['location']}: {refusal['reason']}."
        for refusal in subjects.refused
    ]
