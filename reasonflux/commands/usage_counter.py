"""Adding finished runs to the usage statistics of the library they used."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from library.errors import LibraryError

if TYPE_CHECKING:
    from reasonflux.usage import UsageTally


class UsageCounter:
    """Counts the runs of one command for one library. Thread-safe; what can't be counted never fails a run."""

    def __init__(self, library: Path) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._told = False

    def count(self, tally: "UsageTally", tell: Callable[[str], None]) -> None:
        """Add a run; where the library can't be written, `tell` it, once for all runs."""
        from library.usage import RunUsage, record_run

        try:
            record_run(self._library, RunUsage(tally.planned, tally.retrieved, tally.solved))
        except LibraryError as error:
            with self._lock:
                told, self._told = self._told, True
            if not told:
                tell(f"Usage statistics were not counted: {error}")
