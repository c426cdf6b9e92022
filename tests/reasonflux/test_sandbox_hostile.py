"""Programs that try to get out, to stay, or to use up the machine: each ends within its limits, with a reason."""

import os
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from reasonflux.tools.process import run_confined
from reasonflux.tools.sandbox import Limits, ProgramResult, run_program, sandbox_features

LIMITS = Limits(wall_seconds=30.0, cpu_seconds=1.0, memory_bytes=512 * 2**20)
WAIT = replace(LIMITS, wall_seconds=1.0)

pytestmark = pytest.mark.skipif(not sandbox_features().sufficient, reason=sandbox_features().why)


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder that the sandbox makes its own folders in; its path is in every child's environment."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    yield scratch
    assert list(scratch.iterdir()) == []
    assert _processes_with(str(scratch)) == []


def _processes_with(marker: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if marker.encode() in (entry / "environ").read_bytes():
                    found.append(entry.name)
            except OSError:
                continue
    return found


def _run(source: str, limits: Limits = LIMITS) -> ProgramResult:
    started = time.monotonic()
    result = run_program(source, limits)
    assert time.monotonic() - started < limits.wall_seconds + 2
    assert (result.status == "ok") == (not result.reason)
    return result


ENDED = {
    "endless loop": ("while True: pass", "timeout", "processor time"),
    "endless sleep": ("import time; time.sleep(60)", "timeout", "longer than 1 seconds"),
    "huge power": ("10**10**9", "timeout|memory", ""),
    "hanging print": ("from sympy import *; print(Integer(2)**(2**24))", "timeout", "processor time"),
    "8 GB list": ("a = [0] * 10**9; print(len(a))", "memory", "512 MiB"),
    "growing memory": ("b = []\nwhile True: b.append(bytearray(10**7))", "memory", "512 MiB"),
    "growing memory in a frame": (
        "def f():\n b = []\n while True: b.append(bytearray(10**6))\nf()",
        "memory",
        "512 MiB",
    ),
    "huge mapping": ("import mmap; mmap.mmap(-1, 8 * 2**30)", "memory", "512 MiB"),
    "huge array": ("import numpy; numpy.ones(10**9)", "memory", "512 MiB"),
    "fork bomb": ("import os\nwhile True: os.fork()", "error", "may not start processes"),
    "fork and sleep": ("import os, time; os.fork() or time.sleep(60)", "error", "may not start processes"),
    "double fork": ("import os\nif os.fork() == 0:\n os.setsid()\n os.fork()", "error", "may not start processes"),
    "posix_spawn": ("import os; os.posix_spawn('/bin/sleep', ['sleep', '60'], {})", "error", "may not start"),
    "subprocess": ("import subprocess; subprocess.Popen(['sleep', '60']); print('ok')", "error", "may not start"),
    "shell": ("import os; print(os.system('sleep 60'))", "ok|error", ""),
    "exec": ("import os; os.execv('/bin/sleep', ['sleep', '60'])", "error", "may not start processes"),
    "multiprocessing": ("import multiprocessing as m; m.Process(target=print).start()", "error", "may not start"),
    "threads forever": (
        "import threading\nwhile True: threading.Thread(target=lambda: __import__('time').sleep(99)).start()",
        "error",
        "may not start threads",
    ),
    "raw clone": (
        "import ctypes; c = ctypes.CDLL(None, use_errno=True)\nprint(c.syscall(56, 17, 0, 0, 0, 0), ctypes.get_errno())"
        if os.uname().machine == "x86_64"
        else "print(-1, 1)",
        "ok",
        "",
    ),
    "kills its parent": ("import os; os.kill(os.getppid(), 9)", "error", "PermissionError"),
    "kills everything": ("import os; os.kill(-1, 9)", "error", "PermissionError"),
    "kills itself": ("import os; os.kill(os.getpid(), 9)", "killed", "SIGKILL"),
    "stops itself": ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "timeout", "longer than"),
    "aborts": ("import os; os.abort()", "killed", "SIGABRT"),
    "crashes": ("import ctypes; ctypes.string_at(0)", "killed", "SIGSEGV"),
    "os._exit": ("import os; os._exit(7)", "error", "exit code 7"),
    "exit code": ("import sys; sys.exit(3)", "error", "exit code 3"),
    "deep recursion": ("f = lambda n: f(n + 1)\nf(0)", "error", "RecursionError"),
    "stack overflow": (
        "import sys; sys.setrecursionlimit(10**9)\nclass A:\n def __getattr__(s, n): return getattr(s, n + 'x')\nA().a",
        "killed|memory|error|timeout",
        "",
    ),
    "ignores signals": (
        "import signal, time\nfor s in (1, 2, 15, 24): signal.signal(s, signal.SIG_IGN)\ntime.sleep(60)",
        "timeout",
        "longer than 1 seconds",
    ),
    "burns on after the first warning": (
        "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        "timeout",
        "processor time",
    ),
    "sleeps at exit": ("import atexit, time; atexit.register(time.sleep, 60)", "timeout", "longer than"),
    "closes its streams and sleeps": ("import os, time; os.close(1); os.close(2); time.sleep(60)", "timeout", "longer"),
    "asks for input": ("input()", "error", "EOFError"),
    "TCP": ("import socket; socket.create_connection(('127.0.0.1', 80))", "error", "use the network"),
    "UDP": ("import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "error", "use the network"),
    "Unix socket": ("import socket; socket.socket(socket.AF_UNIX)", "error", "use the network"),
    "web page": ("import urllib.request as u; u.urlopen('http://127.0.0.1')", "error", ""),
    "shadow": ("open('/etc/shadow').read()", "error", "files outside its folder"),
    "home folders": ("import os; print(os.listdir('/home'), os.listdir('/root'))", "error", "outside its folder"),
    "parent's environment": (
        "import os; print(open(f'/proc/{os.getppid()}/environ').read())",
        "error",
        "Error",
    ),
    "own environment file": ("open('/proc/self/environ').read()", "error", "files outside its folder"),
    "parent's memory": ("open('/proc/1/mem', 'r+b')", "error", "files outside its folder"),
    "block device": ("open('/dev/mem', 'rb')", "error", "Error"),
    "writes above": ("open('../x', 'w')", "error", "files outside its folder"),
    "writes to /tmp": ("open('/tmp/reasonflux-escape', 'w')", "error", "files outside its folder"),
    "writes beside sympy": ("import sympy; open(sympy.__file__ + 'x', 'w')", "error", "files outside its folder"),
    "follows a link": ("import os; os.symlink('/etc/passwd', 'l'); open('l').read()", "error", "Permission"),
    "hard link": ("import os; os.link('/etc/passwd', 'l')", "error", "Error"),
    "removes its folder": ("import os, shutil; shutil.rmtree(os.getcwd())", "error", "Error"),
    "renames its folder": ("import os; os.rename(os.getcwd(), '/tmp/elsewhere')", "error", "Error"),
    "raises its limits": (
        "import resource as r; r.setrlimit(r.RLIMIT_AS, (r.RLIM_INFINITY, r.RLIM_INFINITY))",
        "error",
        "",
    ),
    "lowers its parent's limits": (
        "import os, resource as r; r.prlimit(os.getppid() or 1, r.RLIMIT_CPU, (1, 1))",
        "error",
        "PermissionError",
    ),
    "ptrace": (
        "import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.ptrace(16, 1, 0, 0), ctypes.get_errno())",
        "ok",
        "",
    ),
    "mount": (
        "import ctypes; c = ctypes.CDLL(None)\nprint(c.mount(b'x', b'.', b'tmpfs', 0, 0), c.umount2(b'.', 2))",
        "ok",
        "",
    ),
    "unshare": ("import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))", "ok", ""),
    "setuid": ("import os; os.setuid(0)", "error", "PermissionError"),
    "chmod": ("import os; os.chmod(os.getcwd(), 0o777)", "error", "PermissionError"),
    "asks to be signalled": ("import fcntl, os; fcntl.fcntl(1, fcntl.F_SETOWN, os.getppid())", "error", "Permission"),
    "memory file": ("import os; os.memfd_create('x')", "error", "PermissionError"),
    "output flood": ("while True: print('x' * 1000)", "output", "64 KiB to its standard output"),
    "error flood": ("import sys; sys.stderr.write('e' * 10**8)", "output", "64 KiB to its standard error"),
    "raw flood": ("import os\nwhile True: os.write(1, b'x' * 10**6)", "output", "64 KiB"),
    "50 MB repr": ("print(repr('x' * 50 * 10**6))", "output", "64 KiB"),
    "giant file": ("f = open('f', 'wb')\nwhile True: f.write(b'0' * 10**6)", "error", ""),
    "many files": ("for i in range(10**9): open(f'f{i}', 'w').close()", "error", ""),
    "many large files": (
        "b = bytes(10**6)\nfor i in range(10**9):\n with open(f'f{i}', 'wb') as f: f.write(b)",
        "error",
        "",
    ),
    "deep folders": ("import os\nwhile True:\n os.mkdir('d'); os.chdir('d')", "error", ""),
    "many open files": ("import os\nk = []\nwhile True: k.append(os.pipe())", "error", "Errno 24"),
    "not a program": ("x = = 1", "error", "SyntaxError"),
    "nested beyond parsing": ("(" * 5000, "error", "SyntaxError"),
    "long chain": ("x = " + "-" * 9000 + "1", "error|memory|killed|ok", ""),
}
WITHOUT_NAMESPACES = (
    "fork bomb", "double fork", "subprocess", "threads forever", "kills its parent", "kills everything", "kills itself",
    "aborts", "ignores signals", "TCP", "Unix socket", "shadow", "parent's environment", "writes above", "setuid",
    "lowers its parent's limits", "asks to be signalled", "output flood", "growing memory", "endless loop",
)  # fmt: skip
WAITING = ("sleep", "ignores signals", "stops itself", "closes its streams")


@pytest.mark.parametrize("name", ENDED)
def test_hostile_program_ends_within_its_limits_with_a_reason(name: str, scratch: Path) -> None:
    source, statuses, reason = ENDED[name]
    limits = WAIT if any(word in name for word in WAITING) else LIMITS
    result = _run(source, limits)
    assert result.status in statuses.split("|"), result
    assert reason in result.reason, result
    assert len(result.stdout) <= 65_536 + 40
    assert not Path("/tmp/reasonflux-escape").exists()


@pytest.mark.parametrize("name", ["raw clone", "ptrace", "mount", "unshare"])
def test_forbidden_system_calls_fail(name: str, scratch: Path) -> None:
    result = _run(ENDED[name][0])
    assert result.stdout.startswith("-1"), result


def test_keys_in_the_home_folder_can_not_be_read(scratch: Path, tmp_path: Path) -> None:
    key = tmp_path / ".ssh" / "id_ed25519"
    key.parent.mkdir()
    key.write_text("secret", encoding="utf-8")
    result = _run(f"print(open({str(key)!r}).read())")
    assert result.status == "error"
    assert "files outside its folder" in result.reason
    assert "secret" not in result.stdout


@pytest.mark.parametrize("name", WITHOUT_NAMESPACES)
def test_first_wall_holds_without_namespaces(name: str, scratch: Path) -> None:
    source, statuses, reason = ENDED[name]
    result = run_confined(source, WAIT if name == "ignores signals" else LIMITS, namespaces=False)
    assert result.status in statuses.split("|"), result
    assert reason in result.reason, result


def test_no_file_is_written_without_namespaces(scratch: Path) -> None:
    result = run_confined("open('f', 'w')", LIMITS, namespaces=False)
    assert result.reason.startswith("The program raised PermissionError")


def test_shell_command_does_not_run(scratch: Path) -> None:
    assert _run("import os; print(os.system('echo ran'))").stdout.strip() != "0"


@pytest.mark.skipif(not sandbox_features().user_namespace, reason="no files may be written here")
def test_file_limits_are_named(scratch: Path) -> None:
    assert "at most 16 MiB" in _run(ENDED["giant file"][0]).reason
    assert "at most 1,000" in _run(ENDED["many files"][0]).reason
    assert "together may have at most 32 MiB" in _run(ENDED["many large files"][0]).reason


def test_environment_holds_no_secrets(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    result = _run("import os; print(sorted(os.environ), os.environ)")
    assert "HOME" in result.stdout
    assert "secret" not in result.stdout
    assert "OPENAI" not in result.stdout


def test_nothing_of_the_parent_is_inherited(scratch: Path) -> None:
    result = _run("import os\nfor f in range(3, 64):\n try: print(f, os.fstat(f))\n except OSError: pass")
    assert result.stdout == ""


def test_program_is_nobody_and_alone(scratch: Path) -> None:
    result = _run("import os; print(os.getuid(), os.getpid(), os.getppid())")
    if sandbox_features().user_namespace:
        assert result.stdout.split() == ["65534", "2", "1"]
    else:
        assert os.getpid() != int(result.stdout.split()[2])


def test_flood_does_not_grow_the_parent(scratch: Path) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")

    _run("print('x' * 10**6)")
    before = resident()
    result = _run("import os\nwhile True: os.write(1, b'x' * 10**6); os.write(2, b'y' * 10**6)")
    assert result.status == "output"
    assert resident() - before < 8 * 2**20


def test_hostile_programs_at_once_from_threads(scratch: Path) -> None:
    sources = ["import os\nwhile True: os.fork()", "print(6 * 7)", "b = []\nwhile True: b.append(bytearray(10**7))"] * 3
    results: list[ProgramResult | None] = [None] * len(sources)

    def work(index: int) -> None:
        results[index] = run_program(sources[index], LIMITS)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(sources))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.status for result in results if result] == ["error", "ok", "memory"] * 3


def test_no_child_is_left_unreaped(scratch: Path) -> None:
    before = {child.pid for child in psutil.Process().children()}
    _run("import time; time.sleep(60)", WAIT)
    _run("import os; os.abort()")
    assert {child.pid for child in psutil.Process().children()} <= before
