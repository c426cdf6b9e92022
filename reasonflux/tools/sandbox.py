"""One Python program, written by a model, run under limits in a process it can't leave.

What holds it, and what that does not cover, is told in docs/sandbox.md. `run_program` may be called from any
number of threads; it leaves no process and no file behind, and returns at most two seconds after the limit.
"""

import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from reasonflux.errors import SandboxUnavailable
from reasonflux.tools.process import Limits, ProgramResult, run_confined

_DEFAULT = Limits()
__all__ = ["Limits", "ProgramResult", "SandboxFeatures", "run_program", "sandbox_features"]


@dataclass(frozen=True)
class SandboxFeatures:
    """What this system offers for confining a program, and whether that is enough.

    seccomp, Landlock and resource limits are needed; the namespaces are a second wall, and without them a program
    may write no files at all.
    """

    seccomp: bool
    landlock: bool
    user_namespace: bool
    pid_namespace: bool
    network_namespace: bool
    rlimits: bool
    sufficient: bool
    why: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """The features this system lacks."""
        names = ("seccomp", "landlock", "user_namespace", "pid_namespace", "network_namespace", "rlimits")
        return tuple(name for name in names if not getattr(self, name))


def run_program(
    source: str, limits: Limits = _DEFAULT, *, prelude: str = "", epilogue: str = "", forgiving: bool = False
) -> ProgramResult:
    """Run `source` and return how it ended; whatever it does is a result, never an exception.

    Args:
        source: the program's text, without lone surrogates or NUL characters.
        limits: what it may use.
        prelude: text run before it in the same namespace.
        epilogue: text run after it in the same namespace, once it ran through.
        forgiving: import well-known names it forgot to import; show its last value if it prints nothing.

    Raises:
        SandboxUnavailable: this system lacks the means, or could not start the process.
    """
    features = sandbox_features()
    if not features.sufficient:
        raise SandboxUnavailable(f"Programs can't be run safely here: {features.why}")
    return run_confined(
        source,
        limits,
        prelude=prelude,
        epilogue=epilogue,
        forgiving=forgiving,
        namespaces=features.user_namespace,
    )


@cache
def sandbox_features() -> SandboxFeatures:
    """Return what this system offers, found out once by confining a program that tries to get out."""
    if sys.platform != "linux":
        return _without(f"the sandbox needs Linux, and this is {sys.platform}.")
    from reasonflux.tools import landlock, syscalls

    try:
        syscalls.compile_filter()
    except (ImportError, RuntimeError, OSError) as error:
        return _without(
            f"seccomp filters can't be made ({error}); install libseccomp.", landlock=landlock.version() > 0
        )
    if not landlock.version():
        return _without("the kernel has no Landlock; it needs Linux 5.13 with landlock among its LSMs.", seccomp=True)
    _compile_sympy()
    problem = _escape_attempt(namespaces=True)
    if problem is None:
        return SandboxFeatures(True, True, True, True, True, True, True)
    without_namespaces = _escape_attempt(namespaces=False)
    if without_namespaces is None:
        return SandboxFeatures(
            True, True, False, False, False, True, True, f"there are no namespaces for programs ({problem})."
        )
    return _without(f"a trial program was not held: {without_namespaces}.")


def _without(why: str, *, seccomp: bool = False, landlock: bool = False) -> SandboxFeatures:
    rlimits = sys.platform != "win32"
    return SandboxFeatures(seccomp, landlock, False, False, False, rlimits, False, why)


# A busy machine makes the trial late; only one that never ends tells of a sandbox that does not work.
_TRIAL_SECONDS = 90.0
_TRIAL = """
import os, socket, sympy, threading
escapes = {
    "it read a file": lambda: open("/etc/passwd").read(),
    "it read /proc": lambda: os.listdir("/proc"),
    "it started a process": lambda: os.fork() or os._exit(0),
    "it ran a program": lambda: os.execv("/bin/true", ["true"]),
    "it started a thread": lambda: threading.Thread(target=int).start(),
    "it opened a socket": lambda: socket.socket(),
    "it signalled its parent": lambda: os.kill(os.getppid(), 0),
}
for name, attempt in escapes.items():
    try:
        attempt()
    except (OSError, RuntimeError):
        continue
    print(name)
"""


def _compile_sympy() -> None:
    """Compile SymPy where the installer has not: programs can't write the result, and would pay at every start."""
    spec = find_spec("sympy")
    if spec is not None and spec.cached and not Path(spec.cached).exists():
        subprocess.run(
            [sys.executable, "-c", "import sympy"], check=False, capture_output=True, stdin=subprocess.DEVNULL
        )


def _escape_attempt(*, namespaces: bool) -> str | None:
    """Return what went wrong with a trial program that tries to get out; None when it was held."""
    try:
        result = run_confined(_TRIAL, Limits(wall_seconds=_TRIAL_SECONDS), namespaces=namespaces)
    except SandboxUnavailable as error:
        return str(error)
    if result.status != "ok":
        return f"{result.reason} {result.stderr[-300:]}".strip().rstrip(".")
    return ", ".join(result.stdout.split("\n")).rstrip(", ") or None
