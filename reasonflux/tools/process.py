"""A confined process from the outside: start it, read what it writes, end it in time, say how it ended.

`sandbox.run_program` is the front door; it knows first whether this system can hold a program at all.
"""

import codecs
import contextlib
import marshal
import os
import re
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Literal, TypedDict

from reasonflux.errors import SandboxUnavailable
from reasonflux.tools import syscalls

_ROOT = str(Path(__file__).resolve().parents[2])
_START = (
    f"import sys; sys.path.insert(0, {_ROOT!r}); "
    "from reasonflux.tools import launcher, confinement, program; del sys.path[0]; launcher.main()"
)
_ERROR_LINE = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Iteration)\b.*", re.MULTILINE)
_GRACE_SECONDS = 1.0
_CHUNK = 65_536
_Ending = Literal["finished", "timeout", "output"]
_Status = Literal["ok", "error", "timeout", "memory", "output", "killed"]


@dataclass(frozen=True)
class Limits:
    """What a program may use.

    Attributes:
        wall_seconds: time until it is ended, counted from its start.
        cpu_seconds: processor time, rounded to whole seconds, at least one.
        memory_bytes: address space.
        file_bytes: size of one file.
        disk_bytes: size of all its files together (they are kept in memory).
        max_files: number of files and folders.
        output_bytes: of each of standard output and standard error.
    """

    wall_seconds: float = 20.0
    cpu_seconds: float = 10.0
    memory_bytes: int = 2**30
    file_bytes: int = 16 * 2**20
    disk_bytes: int = 32 * 2**20
    max_files: int = 1_000
    output_bytes: int = 65_536


@dataclass(frozen=True)
class ProgramResult:
    """How a program ended.

    Attributes:
        status: `ok`; `error` (it raised, or left with another code than 0); or the limit that ended it: `timeout`
            (wall or processor time), `memory`, `output`, or `killed` (a signal, such as that of a crash).
        stdout: what it printed, cut at the limit with a mark.
        stderr: likewise; an exception's traceback holds the program's own lines only.
        exit_code: the code it left with, None when it was ended.
        seconds: wall time from start to end.
        reason: one sentence naming the limit or the error; empty when ok.
        added: import lines added for names the program had forgotten to import.
    """

    status: _Status
    stdout: str
    stderr: str
    exit_code: int | None
    seconds: float
    reason: str
    added: tuple[str, ...] = ()


class Job(TypedDict):
    """What the child is told: the program, its limits and the means to hold it."""

    parent: int
    report_fd: int
    folder: str
    namespaces: bool
    import_paths: list[str]
    filter: bytes
    cpu_seconds: float
    memory_bytes: int
    file_bytes: int
    disk_bytes: int
    max_files: int
    source: str
    prelude: str
    epilogue: str
    forgiving: bool


@dataclass
class _Stream:
    """The start of what a program wrote, up to a cap."""

    cap: int
    data: bytearray = field(default_factory=bytearray)
    over: bool = False

    def take(self, chunk: bytes) -> None:
        room = self.cap - len(self.data)
        self.over = self.over or len(chunk) > room
        self.data += chunk[:room]

    def text(self) -> str:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(bytes(self.data), final=not self.over)
        return f"{text}\n[output cut at {_size(self.cap)}]" if self.over else text


def run_confined(
    source: str, limits: Limits, *, namespaces: bool, prelude: str = "", epilogue: str = "", forgiving: bool = False
) -> ProgramResult:
    """Run a program as `sandbox.run_program` does, with or without namespaces.

    Raises:
        SandboxUnavailable: the process could not be started or could not confine itself; no program ran.
    """
    started = time.monotonic()
    try:
        folder = tempfile.mkdtemp(prefix="reasonflux-program-")
    except OSError as error:
        raise SandboxUnavailable(f"No folder can be made for a program to run in: {error}.") from error
    try:
        job = Job(
            parent=os.getpid(),
            report_fd=-1,
            folder=folder,
            namespaces=namespaces,
            import_paths=_import_paths(),
            filter=syscalls.compile_filter(),
            cpu_seconds=limits.cpu_seconds,
            memory_bytes=limits.memory_bytes,
            file_bytes=limits.file_bytes,
            disk_bytes=limits.disk_bytes,
            max_files=limits.max_files,
            source=source,
            prelude=prelude,
            epilogue=epilogue,
            forgiving=forgiving,
        )
        streams = {name: _Stream(limits.output_bytes) for name in ("out", "err")} | {"report": _Stream(_CHUNK)}
        ending = _supervise(job, streams, started + limits.wall_seconds)
        return _judge(streams, limits, ending, time.monotonic() - started)
    finally:
        # Gone already where something else cleans the temporary folder.
        with contextlib.suppress(FileNotFoundError):
            os.rmdir(folder)


@cache
def _import_paths() -> list[str]:
    """Return where installed packages lie: given by hand, since reading .pth files at each start takes longer."""
    folders = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    sympy = find_spec("sympy")
    if sympy is not None and sympy.origin:
        folders.append(str(Path(sympy.origin).parents[1]))
    return list(dict.fromkeys(folders))


def _supervise(job: Job, streams: dict[str, _Stream], deadline: float) -> _Ending:
    report_read, report_write = os.pipe()
    with os.fdopen(report_read, "rb", buffering=0) as report:
        try:
            job["report_fd"] = report_write
            process = _start(job)
        finally:
            os.close(report_write)
        pipes: dict[str, IO[bytes]] = {"report": report}
        with process:
            try:
                if process.stdout and process.stderr:
                    pipes |= {"out": process.stdout, "err": process.stderr}
                ending = _follow(pipes, streams, deadline)
            finally:
                _end(process)
            _drain(pipes, streams)
    return ending


def _start(job: Job) -> subprocess.Popen[bytes]:
    # No -I: it would ignore PYTHONHASHSEED, and sets of strings must come in the same order each time. -s and -P
    # with an environment that is all ours isolate as well.
    command = [sys.executable, "-s", "-P", "-S", "-X", "utf8", "-c", _START]
    folder = job["folder"]
    environment = {"HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    environment |= {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
    if "LD_LIBRARY_PATH" in os.environ:
        environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    # A file in memory, not a pipe: a child that reads nothing can't hold us up.
    with os.fdopen(os.memfd_create("job"), "w+b") as stdin:
        stdin.write(marshal.dumps(dict(job)))
        stdin.seek(0)
        try:
            return subprocess.Popen(
                command,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(job["report_fd"],),
                env=environment,
                cwd=folder,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise SandboxUnavailable(f"A process for a program could not be started: {error}.") from error


def _follow(pipes: dict[str, IO[bytes]], streams: dict[str, _Stream], deadline: float) -> _Ending:
    """Read until every writer is gone, a stream passes its cap or the time is up."""
    with selectors.DefaultSelector() as selector:
        for name, pipe in pipes.items():
            selector.register(pipe, selectors.EVENT_READ, name)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                return "timeout"
            for key, _ in selector.select(left):
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    selector.unregister(key.fileobj)
                streams[key.data].take(chunk)
                if streams[key.data].over:
                    return "output"
    return "finished"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and all it started; when this returns the kernel has taken every one of them away."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _drain(pipes: dict[str, IO[bytes]], streams: dict[str, _Stream]) -> None:
    for name, pipe in pipes.items():
        os.set_blocking(pipe.fileno(), False)
        while not streams[name].over:
            try:
                chunk = os.read(pipe.fileno(), _CHUNK)
            except BlockingIOError:
                break
            if not chunk:
                break
            streams[name].take(chunk)


def _judge(streams: dict[str, _Stream], limits: Limits, ending: _Ending, seconds: float) -> ProgramResult:
    reports = [line.partition(" ") for line in streams["report"].text().splitlines()]
    words = {kind: text for kind, _, text in reports}
    if "failed" in words:
        raise SandboxUnavailable(f"A program could not be confined: {words['failed']}.")
    if "ready" not in words and ending != "timeout":
        raise SandboxUnavailable(f"The sandbox did not start: {streams['err'].text()[-300:].strip() or 'no message'}.")
    out, err = streams["out"], streams["err"]
    code: int | None = None
    status: _Status
    if out.over or err.over:
        name = "standard output" if out.over else "standard error"
        status, reason = "output", f"The program wrote more than {_size(limits.output_bytes)} to its {name}."
    elif ending == "timeout":
        status, reason = "timeout", f"The program ran longer than {limits.wall_seconds:g} seconds."
    elif "ended" not in words:
        status, reason = "killed", "The program's process vanished; the system may be short of memory."
    else:
        wait_status, cpu_seconds = words["ended"].split()
        code = os.waitstatus_to_exitcode(int(wait_status))
        status, reason = _explain(code, float(cpu_seconds), err.text(), limits)
    return ProgramResult(
        status=status,
        stdout=out.text(),
        stderr=err.text(),
        exit_code=code if code is not None and code >= 0 else None,
        seconds=seconds,
        reason=reason,
        added=tuple(text for kind, _, text in reports if kind == "added"),
    )


def _explain(code: int, cpu_seconds: float, errors: str, limits: Limits) -> tuple[_Status, str]:
    """Return status and reason of a program that came to its end by itself or by a signal."""
    if code == 0:
        return "ok", ""
    if code < 0:
        allowed = max(1, round(limits.cpu_seconds))
        if -code == signal.SIGXCPU or (-code == signal.SIGKILL and cpu_seconds >= allowed):
            return "timeout", f"The program used more than {allowed} seconds of processor time."
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = str(-code)
        return "killed", f"The program was ended by signal {name} ({signal.strsignal(-code) or 'unknown'})."
    raised = _ERROR_LINE.findall(errors)
    if code != 1 or not raised:
        return "error", f"The program left with exit code {code}."
    if raised[-1].partition(":")[0].endswith("MemoryError") or raised[-1].startswith("OSError: [Errno 12]"):
        return "memory", f"The program needed more than {_size(limits.memory_bytes)} of memory."
    hints = {
        "PermissionError": "It may not start processes or threads, use the network, or touch files outside its folder.",
        "RuntimeError: can't start new thread": "It may not start threads.",
        "OSError: [Errno 27]": f"A file may have at most {_size(limits.file_bytes)}.",
        "OSError: [Errno 28]": f"Its files together may have at most {_size(limits.disk_bytes)}, "
        f"and there may be at most {limits.max_files:,} of them.",
    }
    parts = [f"The program raised {raised[-1][:300].rstrip('.')}."]
    parts += [hint for start, hint in hints.items() if raised[-1].startswith(start)]
    return "error", " ".join(parts)


def _size(number: int) -> str:
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if number >= unit and number % unit == 0:
            return f"{number // unit} {name}"
    return f"{number} bytes"
