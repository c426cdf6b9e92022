"""The errors a library raises. Each message is one sentence: what was wrong, where, what to do."""

from pathlib import Path
from typing import Self


class LibraryError(Exception):
    """Base of every error of this package."""


class TemplateInvalid(LibraryError):
    """A template breaks a rule of its shape (missing field, wrong type, over a limit)."""


class NameConflict(LibraryError):
    """Another template already has this name under the one rule of name identity."""

    @classmethod
    def with_template(cls, name: str, slug: str) -> Self:
        """Return the conflict with the template of this name and slug."""
        return cls(f'The library already has a template named "{name}" ({slug}); choose another name.')


class ChangeConflict(LibraryError):
    """A later change stands in the way of an edit or an undo; the message names it."""


class TemplateNotFound(LibraryError):
    """No template has this slug or name; the message lists near matches."""


class ImportRefused(LibraryError):
    """A file to import could not be read; the message names file and line."""


class ExportRefused(LibraryError):
    """Templates can't be written where they were asked for; the message names the place and why."""


class EmbedderMismatch(LibraryError):
    """The library holds vectors of another embedder; the message names both and how to reindex."""


class EmbedderUnavailable(LibraryError):
    """The embedder's weights are missing, incomplete or unreadable; the message names the folder."""


class SchemaTooNew(LibraryError):
    """The database was written by a newer version of this software."""


class StoreUnavailable(LibraryError):
    """The database can't be opened, locked, read or written; the message says which file and why."""

    @classmethod
    def overtaken(cls, path: Path) -> Self:
        """Return the error of a change that others came before each time it was tried."""
        return cls(f"The library {path} was changed again and again meanwhile; nothing was changed, try again.")
