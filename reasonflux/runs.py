"""The store that keeps every run as an append-only JSONL file.

A run's file is `<home>/runs/<run id>.jsonl`: a header line, then one line per event, the last of them
`run_finished`. A file without that line belongs to a run that was interrupted, or is still going on while its
writer holds the file's lock. Reading is defensive: a torn last line, a foreign file or bad JSON is reported beside
what could be read, never fatal.
"""

import contextlib
import json
import os
import secrets
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from pydantic import Field, ValidationError

from reasonflux.errors import ReasonFluxError, UsageError
from reasonflux.models.base import ModelInfo
from reasonflux.types import (
    Event,
    Problem,
    RunFinished,
    Solution,
    TokenDelta,
    Value,
    read_event,
)

HEADER_VERSION = 1
_TAIL_BYTES = 65_536

RunStatus = Literal["answered", "no_answer", "failed", "running", "interrupted", "unreadable"]


def new_run_id() -> str:
    """Return a fresh run id: the UTC time to the microsecond, so that ids sort by age, and a random part."""
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f") + "-" + secrets.token_hex(3)


class RunHeader(Value):
    """The first line of a run's file: all that is needed to repeat the run, and never a gold answer."""

    kind: Literal["run"] = "run"
    version: int = HEADER_VERSION
    run_id: str
    started: str
    problem: Problem
    strategy: str
    model: ModelInfo
    planner: ModelInfo | None = None
    library: str | None = None
    library_digest: str | None = None
    prompt_version: str | None = None
    seed: int = 0
    settings: dict[str, Any] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    origin: str | None = None


@dataclass(frozen=True)
class RunSummary:
    """One line of the list of runs. `note` says what could not be read."""

    run_id: str
    status: RunStatus
    started: str | None = None
    problem: str | None = None
    strategy: str | None = None
    model: str | None = None
    answer: str | None = None
    seconds: float | None = None
    completion_tokens: int | None = None
    note: str = ""


@dataclass(frozen=True)
class StoredRun:
    """A run as read back. `problems` names every line that could not be read; `going_on` says that it still runs."""

    path: Path
    header: RunHeader
    events: tuple[Event, ...]
    problems: tuple[str, ...] = ()
    going_on: bool = False

    @property
    def solution(self) -> Solution | None:
        """The run's solution, or None when it has not ended, or was interrupted."""
        last = self.events[-1] if self.events else None
        return last.solution if isinstance(last, RunFinished) else None

    @property
    def status(self) -> RunStatus:
        """How the run ended, or that it did not."""
        return _status(self.solution, self.going_on)


def json_line(value: Any) -> bytes:
    """Return `value` as one line of UTF-8 JSON with its newline; lone surrogates are escaped."""
    try:
        return json.dumps(value, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True).encode("ascii") + b"\n"


def write_whole(file: FileIO, data: bytes) -> None:
    """Write all of `data` to an unbuffered file.

    Unbuffered, because a buffer that a full disk kept from its file is written again, and fails again, on closing.

    Raises:
        OSError: it can't be written; a part of it may have been.
    """
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


class RunWriter:
    """Appends one run's events to its file; a context manager."""

    def __init__(self, path: Path, header: RunHeader, *, keep_tokens: bool = False) -> None:
        self.path = path
        self._keep_tokens = keep_tokens
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: FileIO = path.open("xb", buffering=0)
        except OSError as error:
            raise ReasonFluxError(f"The run can't be recorded in {path}: {error}.", stage="runs") from error
        _lock(self._file, exclusive=True)
        self._append(header.model_dump(mode="json"))

    def write(self, event: Event) -> None:
        """Append `event` and flush it; token deltas are left out unless asked for.

        Raises:
            ReasonFluxError: the file can't be written.
        """
        if isinstance(event, TokenDelta) and not self._keep_tokens:
            return
        self._append(event.model_dump(mode="json"), durable=isinstance(event, RunFinished))

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, value: Any, *, durable: bool = False) -> None:
        try:
            write_whole(self._file, json_line(value))
            if durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            raise ReasonFluxError(f"The run can't be recorded in {self.path}: {error}.", stage="runs") from error


class RunStore:
    """The runs of one home folder."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "runs"

    def path(self, run_id: str) -> Path:
        """Return the file of a run."""
        return self.folder / f"{run_id}.jsonl"

    def create(self, header: RunHeader, *, keep_tokens: bool = False) -> RunWriter:
        """Begin the file of a new run.

        Raises:
            ReasonFluxError: the file can't be made, or this run id is taken.
        """
        return RunWriter(self.path(header.run_id), header, keep_tokens=keep_tokens)

    def recent(self, limit: int | None = None) -> list[RunSummary]:
        """Return the newest runs, newest first; only the first and last line of each file are read."""
        try:
            names = sorted(
                (entry.name for entry in os.scandir(self.folder) if entry.name.endswith(".jsonl")), reverse=True
            )
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ReasonFluxError(f"The runs in {self.folder} can't be listed: {error}.", stage="runs") from error
        return [_summary(self.folder / name) for name in names[:limit]]

    def find(self, run_id: str) -> Path:
        """Return the file of the run whose id is `run_id` or begins with it.

        Raises:
            UsageError: no run or several runs are meant.
        """
        ids = sorted(path.stem for path in self.folder.glob("*.jsonl")) if self.folder.is_dir() else []
        matches = [run_id] if run_id in ids else [found for found in ids if run_id and found.startswith(run_id)]
        if len(matches) == 1:
            return self.path(matches[0])
        if matches:
            raise UsageError(f"{len(matches)} runs begin with {run_id!r}, such as {matches[-1]}; give more of the id.")
        raise UsageError(f"No run {run_id!r} in {self.folder}; `reasonflux runs list` shows those there are.")

    def load(self, run_id: str) -> StoredRun:
        """Return a run with what could be read of it.

        Raises:
            UsageError: no run, or several, are meant by `run_id`.
            ReasonFluxError: the file has no readable header, so it is not a run's.
        """
        path = self.find(run_id)
        try:
            lines = path.read_bytes().split(b"\n")
        except OSError as error:
            raise ReasonFluxError(f"The run in {path} can't be read: {error}.", stage="runs") from error
        header = _header(lines[0])
        if isinstance(header, str):
            raise ReasonFluxError(f"{path} is not the file of a run: {header}.", stage="runs")
        events: list[Event] = []
        problems: list[str] = []
        for number, line in enumerate(lines[1:], start=2):
            if not line.strip():
                continue
            event = _event(line)
            if not isinstance(event, str):
                events.append(event)
            elif number == len(lines):
                problems.append(f"line {number} is torn: the run was stopped while it was written")
            else:
                problems.append(f"line {number} was left out: {event}")
        ended = bool(events) and isinstance(events[-1], RunFinished)
        return StoredRun(path, header, tuple(events), tuple(problems), going_on=not ended and _is_going_on(path))


def _summary(path: Path) -> RunSummary:
    run_id = path.stem
    try:
        first, last = _ends(path)
    except OSError as error:
        return RunSummary(run_id, "unreadable", note=f"{path.name}: {error}")
    header = _header(first)
    if isinstance(header, str):
        return RunSummary(run_id, "unreadable", note=f"{path.name}: {header}")
    event = _event(last) if last else "no event"
    solution = event.solution if isinstance(event, RunFinished) else None
    return RunSummary(
        run_id=run_id,
        status=_status(solution, solution is None and _is_going_on(path)),
        started=header.started,
        problem=header.problem.text,
        strategy=header.strategy,
        model=header.model.spec,
        answer=solution.answer if solution else None,
        seconds=solution.seconds if solution else None,
        completion_tokens=solution.usage.completion_tokens if solution else None,
    )


def _status(solution: Solution | None, going_on: bool) -> RunStatus:
    if solution is not None:
        return solution.status
    return "running" if going_on else "interrupted"


def _lock(file: FileIO, *, exclusive: bool) -> bool:
    """Take a file's advisory lock unless another process has it; the system drops it when the process ends."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # A file system without locks: a run that goes on then looks like an interrupted one.
            return True
    return True


def _is_going_on(path: Path) -> bool:
    with contextlib.suppress(OSError), path.open("rb", buffering=0) as file:
        return not _lock(file, exclusive=False)
    return False


def _ends(path: Path) -> tuple[bytes, bytes]:
    """Return the first line and, when there is another, the last one that holds anything."""
    with path.open("rb") as file:
        first = file.readline()
        start = file.tell()
        size = file.seek(0, os.SEEK_END)
        span = _TAIL_BYTES
        while True:
            begin = max(start, size - span)
            file.seek(begin)
            lines = file.read().rstrip(b"\n").split(b"\n")
            if begin == start or len(lines) > 1:
                return first, lines[-1]
            span *= 8


def _header(line: bytes) -> RunHeader | str:
    data = _object(line)
    if isinstance(data, str):
        return data
    if data.get("kind") != "run":
        return "its first line is no run header"
    if data.get("version") != HEADER_VERSION:
        return f"its format {data.get('version')!r} is not {HEADER_VERSION}, which this version reads"
    try:
        return RunHeader.model_validate(data)
    except ValidationError as error:
        return f"its header is wrong ({_first(error)})"


def _event(line: bytes) -> Event | str:
    data = _object(line)
    if isinstance(data, str):
        return data
    try:
        return read_event(data)
    except ValidationError as error:
        return f"no event ({_first(error)})"


def _object(line: bytes) -> dict[str, Any] | str:
    try:
        data = json.loads(line.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        return f"no JSON ({error})"
    return data if isinstance(data, dict) else "no JSON object"


def _first(error: ValidationError) -> str:
    detail = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in detail["loc"]) or "value"
    return f"{place}: {detail['msg']}"
