"""Shows on stderr how weights are fetched: a bar on a terminal, an occasional line off one."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reasonflux.commands import console

if TYPE_CHECKING:
    from rich.progress import Progress

    from reasonflux.models.assembly import PullProgress

_LINE_EVERY_PERCENT = 10


class Quiet:
    """Shows neither sentences nor numbers."""

    def message(self, text: str) -> None:
        """Drop the sentence."""

    def advance(self, done: int, total: int) -> None:
        """Drop the numbers."""


class Lines:
    """Writes each sentence, and a line whenever another tenth is here."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tenths: int | None = None

    def message(self, text: str) -> None:
        """Write the sentence on a line of its own."""
        console.note(text)

    def advance(self, done: int, total: int) -> None:
        """Write how much is here when another tenth is complete."""
        from rich.filesize import decimal

        tenths = 100 * done // total // _LINE_EVERY_PERCENT
        if self._tenths is not None and tenths > self._tenths:
            console.note(f"{self._name}: {tenths * _LINE_EVERY_PERCENT}% of {decimal(total)}")
        self._tenths = tenths if self._tenths is None else max(self._tenths, tenths)


class Bar:
    """Draws a bar with speed and time left; sentences appear above it."""

    def __init__(self, name: str, display: "Progress") -> None:
        self._display = display
        self._task = display.add_task(name, total=None)

    def message(self, text: str) -> None:
        """Print the sentence above the bar."""
        self._display.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def advance(self, done: int, total: int) -> None:
        """Move the bar."""
        self._display.update(self._task, completed=done, total=total)


@contextmanager
def showing(name: str, *, quiet: bool = False) -> Iterator["PullProgress"]:
    """Yield the progress to hand to a pull of `name`: a bar on a terminal, lines off one, nothing if `quiet`."""
    if quiet:
        yield Quiet()
        return
    if not sys.stderr.isatty():
        yield Lines(name)
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        yield Bar(name, display)


def ensure_weights(names: Sequence[str], weights_dir: Path, quiet: bool = False) -> None:
    """Fetch those of `names` that are not here, after saying on stderr what and how large.

    Args:
        names: names of the catalogue.
        weights_dir: the weights folder.
        quiet: whether to show nothing but what will be fetched.

    Raises:
        UsageError: the catalogue lacks a name.
        WeightsError: a model can't be fetched.
    """
    from rich.filesize import decimal

    from reasonflux.models import weights

    missing = [name for name in dict.fromkeys(names) if not weights.is_present(name, weights_dir)]
    if not missing:
        return
    entries = [weights.find_entry(name) for name in missing]
    listed = ", ".join(f"{entry.name} ({entry.purpose}, {decimal(entry.size)})" for entry in entries)
    total = f", {decimal(sum(entry.size for entry in entries))} in all" if len(entries) > 1 else ""
    console.note(f"Fetching once into {weights_dir}: {listed}{total}.")
    for name in missing:
        with showing(name, quiet=quiet) as progress:
            weights.pull(name, weights_dir, progress=progress)
