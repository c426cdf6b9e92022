"""The child side of the sandbox: set up, start the program, wait for it, report how it ended.

The parent starts `python -c "… launcher.main()"` with the job on stdin. That process makes the namespaces and
waits; its child (process 1 of the new PID namespace) waits too, and reports; the grandchild confines itself and
becomes the program. Where namespaces are not to be had, the first process plays both waiting parts.

Reports go down a pipe of their own as lines: `ready`, `added IMPORT`, `failed TEXT`, `ended WAITSTATUS SECONDS`.
Nothing here is heavy: this module is imported anew for every program.
"""

import marshal
import os
import signal
import sys

# Spelled out because importing `typing` would cost every program its milliseconds; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from reasonflux.tools.process import Job


def main() -> None:
    """Run the job that stdin holds. In the program's own process this returns when the program has ended."""
    job: Job = marshal.loads(sys.stdin.buffer.read())
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    # SIGTERM is the parent's order to end the program; it must not come before there is someone to obey it.
    signal.pthread_sigmask(signal.SIG_SETMASK, {signal.SIGTERM})
    try:
        status = _start(job)
    except OSError as error:
        _report(job, f"failed {error}")
        os._exit(1)
    if status is not None:
        os._exit(0)


def _start(job: "Job") -> int | None:
    """Return None in the program's process, and in the others, later, the wait status of their child."""
    from reasonflux.tools import confinement

    if job["namespaces"]:
        confinement.enter_namespaces(job["folder"], job["disk_bytes"], job["max_files"])
    confinement.die_with_parent(signal.SIGTERM)
    if os.getppid() != job["parent"]:
        os._exit(1)
    if job["namespaces"]:
        first = os.fork()
        if first:
            return _wait(first)[0]
        confinement.die_with_parent(signal.SIGKILL)
    child = os.fork()
    if child:
        status, seconds = _wait(child)
        _report(job, f"ended {status} {seconds:.3f}")
        return status
    confinement.die_with_parent(signal.SIGKILL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    _become_program(job)
    return None


def _wait(child: int) -> tuple[int, float]:
    def end(*_: object) -> None:
        os.kill(child, signal.SIGKILL)

    signal.signal(signal.SIGTERM, end)
    signal.pthread_sigmask(signal.SIG_SETMASK, set())
    _, status, usage = os.wait4(child, 0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return status, usage.ru_utime + usage.ru_stime


def _become_program(job: "Job") -> None:
    from reasonflux.tools import confinement, program

    os.chdir(job["folder"])
    readable = [*sys.path, *job["import_paths"]]
    sys.path[:] = readable
    confinement.confine(job, readable)
    _report(job, "ready")
    added = program.forgotten_imports(job["source"], job["prelude"]) if job["forgiving"] else ()
    for line in added:
        _report(job, f"added {line}")
    os.close(job["report_fd"])
    for name in [name for name in sys.modules if name.split(".")[0] == "reasonflux"]:
        del sys.modules[name]
    ending = program.run(job["source"], job["prelude"], added, epilogue=job["epilogue"], forgiving=job["forgiving"])
    sys.exit(ending)


def _report(job: "Job", line: str) -> None:
    os.write(job["report_fd"], line.replace("\n", " ").encode("utf-8", "replace") + b"\n")
