"""Usage statistics: in how many runs a template was planned, retrieved, and part of a solution."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from library.store import Library

_WAIT_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class RunUsage:
    """The slugs one run counts for, each at most once.

    Attributes:
        planned: templates the plan, or a revision of it, named.
        retrieved: templates fetched for a step.
        solved: templates of the steps carried out, where the run found an answer.
    """

    planned: Collection[str] = ()
    retrieved: Collection[str] = ()
    solved: Collection[str] = ()

    @property
    def slugs(self) -> set[str]:
        """Every template that is counted."""
        return {*self.planned, *self.retrieved, *self.solved}


def record_run(path: Path, run: RunUsage) -> None:
    """Add one run to the statistics of a library, in one transaction and without moving the change counter.

    Another writer is waited for briefly only: statistics are not worth holding a result back. A template that was
    purged meanwhile is passed over.

    Raises:
        StoreUnavailable: the database is read-only or busy; nothing was counted.
        LibraryError: the library is gone.
    """
    if not run.slugs:
        return
    with Library.open(path, busy_seconds=_WAIT_SECONDS) as library, library.writing(who="", action="usage") as writer:
        for slug in sorted(run.slugs):
            template_id = writer.reader.find(slug)
            if template_id is not None:
                writer.count_usage(template_id, slug in run.planned, slug in run.retrieved, slug in run.solved)
