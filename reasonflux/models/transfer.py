"""Runs a program that downloads into a folder, and watches the folder grow.

Both sources of weights are fetched by a child process: it can be given a deadline at every stage (name look-up
and proxies included), it is ended as a group when the user interrupts, and its memory is not ours.
"""

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

_POLL_SECONDS = 0.2


@dataclass(frozen=True)
class Outcome:
    """How a child ended.

    Attributes:
        code: its exit status; None when it was ended by us.
        log: what it wrote to stdout and stderr.
        stopped: why we ended it: nothing came (`silent`), too much came (`flood`), or None.
    """

    code: int | None
    log: str
    stopped: str | None = None


def run_watched(
    command: Sequence[str],
    folder: Path,
    *,
    environment: dict[str, str],
    quiet_start: float | None,
    quiet_later: float | None,
    most_bytes: int,
    on_bytes: Callable[[int], None],
) -> Outcome:
    """Run `command` until it ends, reporting how many bytes lie under `folder`.

    Args:
        command: program and arguments; no shell is involved.
        folder: where it downloads to.
        environment: variables set for it on top of ours.
        quiet_start: seconds it may take until the first new byte; None for no limit.
        quiet_later: seconds it may take between two new bytes after that; None for no limit.
        most_bytes: it is ended when more than this lies under `folder`.
        on_bytes: called with the most bytes that ever lay under `folder`, whenever the number changes.

    Raises:
        OSError: the program can't be started.
    """
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        try:
            stopped = _watch(child, folder, quiet_start, quiet_later, most_bytes, on_bytes)
        finally:
            _end(child)
        log.seek(0)
        text = log.read().decode("utf-8", "replace")
    return Outcome(code=None if stopped else child.returncode, log=text, stopped=stopped)


def bytes_under(folder: Path) -> int:
    """Return how many bytes the files under `folder` hold; one that vanishes meanwhile counts as none."""
    total = 0
    for directory, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(directory, name)).st_size
            except FileNotFoundError:
                continue
    return total


def _watch(
    child: "subprocess.Popen[bytes]",
    folder: Path,
    quiet_start: float | None,
    quiet_later: float | None,
    most_bytes: int,
    on_bytes: Callable[[int], None],
) -> str | None:
    seen = most = bytes_under(folder)
    limit = quiet_start
    last_change = time.monotonic()
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_POLL_SECONDS)
            return None
        now = bytes_under(folder)
        if now > most_bytes:
            return "flood"
        if now != seen:
            # A file that is moved or dropped makes the sum shrink, which is news but no progress.
            most = max(most, now)
            seen, limit, last_change = now, quiet_later, time.monotonic()
            on_bytes(most)
        elif limit is not None and time.monotonic() - last_change > limit:
            return "silent"


def _end(child: "subprocess.Popen[bytes]") -> None:
    if os.name == "posix":
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
    elif child.poll() is None:
        child.kill()
    child.wait()
