"""What ordinary programs get from the sandbox, and what it says when it can't hold them."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonflux.errors import SandboxUnavailable
from reasonflux.tools import landlock, process, sandbox, syscalls
from reasonflux.tools.sandbox import Limits, run_program, sandbox_features

held = pytest.mark.skipif(not sandbox_features().sufficient, reason=sandbox_features().why)
SHORT = Limits(wall_seconds=60.0, cpu_seconds=8.0)


@held
@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("import math; print(len(str(math.factorial(2000))))", "5736"),
        ("import math; n = str(math.factorial(2000)); print(len(n) - len(n.rstrip('0')))", "499"),
        ("import math; print(sum(map(int, str(math.factorial(2000)))))", "23382"),
        ("from sympy import *; x = symbols('x'); print(solve(x**2 - 2, x))", "[-sqrt(2), sqrt(2)]"),
        ("import numpy as np; print(np.linalg.det(np.eye(3)))", "1.0"),
        ("import mpmath; print(mpmath.nstr(mpmath.pi, 5))", "3.1416"),
        ("print(__name__, __file__)", "__main__ program.py"),
        ("import sys; print(sys.argv)", "['program.py']"),
        ("if __name__ == '__main__':\n    print('main')", "main"),
        ("print('数列 ∑ é')", "数列 ∑ é"),
        ("print('\\ud800')", "\\ud800"),
        ("import os; os.write(1, b'\\xff\\n')", "\ufffd"),
        ("print('a\\0b')", "a\0b"),
        ("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\nprint(P(1))", "P(x=1)"),
        ("import signal, time\nsignal.alarm(0)\nprint(2)", "2"),
        ("print({'b', 'a', 'c', 'd'} == {'a', 'b', 'c', 'd'})", "True"),
        ("raise SystemExit", ""),
    ],
)
def test_ordinary_programs_run(source: str, printed: str) -> None:
    result = run_program(source, SHORT)
    assert (result.status, result.reason, result.exit_code) == ("ok", "", 0), result
    assert result.stdout.rstrip("\n") == printed


@held
def test_order_of_sets_is_the_same_each_time() -> None:
    source = "print(list({'alpha', 'beta', 'gamma', 'delta', 'epsilon'}))"
    assert len({run_program(source, SHORT).stdout for _ in range(4)}) == 1


@held
def test_error_shows_the_programs_own_lines_only() -> None:
    source = "from fractions import Fraction\ndef half(n):\n    return Fraction(n, 0)\nprint('before')\nhalf(3)\n"
    result = run_program(source, SHORT)
    assert result.status == "error"
    assert result.stdout == "before\n"
    assert "return Fraction(n, 0)" in result.stderr
    assert "half(3)" in result.stderr
    assert result.stderr.rstrip().endswith("ZeroDivisionError: Fraction(3, 0)")
    assert "launcher" not in result.stderr
    assert "fractions.py" not in result.stderr
    assert result.reason == "The program raised ZeroDivisionError: Fraction(3, 0)."


@held
def test_long_error_is_cut_at_its_end() -> None:
    result = run_program("raise ValueError('x' * 10**5 + 'end')", SHORT)
    assert len(result.stderr) <= 2_001
    assert result.stderr.rstrip().endswith("end")


@held
def test_syntax_error_points_into_the_program() -> None:
    result = run_program("x = 1\nprint(x", SHORT)
    assert result.status == "error"
    assert 'File "program.py", line 2' in result.stderr
    assert "SyntaxError" in result.reason


@held
def test_output_is_cut_at_a_character_border() -> None:
    result = run_program("print('a' + 'é' * 10**6)", SHORT)
    assert result.status == "output"
    text, _, mark = result.stdout.rpartition("\n")
    assert mark == "[output cut at 64 KiB]"
    assert text == "a" + "é" * 32_767


@held
def test_output_before_a_timeout_is_kept() -> None:
    result = run_program("print('partial')\nwhile True: pass", Limits(wall_seconds=60.0, cpu_seconds=1.0))
    assert result.status == "timeout"
    assert result.stdout == "partial\n"
    assert result.exit_code is None


@held
def test_prelude_shares_the_namespace_and_names_itself_in_errors() -> None:
    assert run_program("print(f(20))", SHORT, prelude="def f(n):\n    return n + 1").stdout == "21\n"
    result = run_program("print(f(0))", SHORT, prelude="def f(n):\n    return 1 // n")
    assert 'File "prelude.py", line 2' in result.stderr
    assert "return 1 // n" in result.stderr


@held
@pytest.mark.parametrize(
    ("source", "printed", "added"),
    [
        ("math.gcd(12, 18)", "6", ("import math",)),
        ("print(pow(7, 100, 13))\n2 + 2", "9", ()),
        ("answer = 6 * 7", "answer = 42", ()),
        ("total = 0\nfor i in range(4):\n    total += i\ntotal", "6", ()),
        ("None", "", ()),
        ("n = symbols('n'); summation(n, (n, 1, 10))", "55", ("from sympy import summation, symbols",)),
        ("sqrt(Rational(1, 4))", "1/2", ("from sympy import Rational, sqrt",)),
        ("sqrt(16)", "4.0", ("from math import sqrt",)),
        ("from sympy import *\nx = symbols('x')\nexpand((x + 1)**2)", "x**2 + 2*x + 1", ()),
        ("def factor(n):\n    return n\nfactor(5)", "5", ()),
        ("len(list(permutations(range(4))))", "24", ("from itertools import permutations",)),
        ("np.arange(3)", "array([0, 1, 2])", ("import numpy as np",)),
    ],
)
def test_forgiving_run_imports_and_shows_the_last_value(source: str, printed: str, added: tuple[str, ...]) -> None:
    result = run_program(source, SHORT, forgiving=True)
    assert result.status == "ok", result
    assert result.stdout.rstrip("\n") == printed
    assert result.added == added


@held
def test_strict_run_adds_nothing() -> None:
    assert run_program("6 * 7", SHORT).stdout == ""
    assert "NameError" in run_program("math.pi", SHORT).reason


@held
def test_works_with_a_blocked_signal_and_a_strange_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strange = tmp_path / "ベクター é 'quoted'"
    strange.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(strange))
    if sandbox_features().user_namespace:
        source = "open('f', 'w').write('kept'); print(open('f').read())"
        assert run_program(source, SHORT).stdout == "kept\n"
    assert list(strange.iterdir()) == []


@held
def test_no_folder_to_run_in_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(SandboxUnavailable, match="No folder can be made"):
        run_program("1")


@held
def test_killed_application_takes_its_program_along(tmp_path: Path) -> None:
    program = 'import os, time; os.write(1, b"x"); time.sleep(60)'
    code = (
        f"import tempfile; tempfile.tempdir = {str(tmp_path)!r}\n"
        "from reasonflux.tools.sandbox import Limits, run_program\n"
        f"run_program({program!r}, Limits(wall_seconds=60))"
    )
    application = subprocess.Popen([sys.executable, "-c", code])
    try:
        assert _eventually(lambda: len(_with_marker(str(tmp_path))) >= 2)
    finally:
        application.kill()
        application.wait()
    assert _eventually(lambda: not _with_marker(str(tmp_path)))


def _with_marker(marker: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and marker.encode() in (entry / "environ").read_bytes():
                found.append(entry.name)
        except OSError:
            continue
    return found


def _eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(
    ("breakage", "why"),
    [
        ("platform", "needs Linux"),
        ("seccomp", "seccomp filters can't be made"),
        ("landlock", "no Landlock"),
        ("trial", "was not held"),
    ],
)
def test_features_say_what_is_missing(breakage: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise RuntimeError("Unable to find libseccomp")

    if breakage == "platform":
        monkeypatch.setattr(sys, "platform", "darwin")
    elif breakage == "seccomp":
        monkeypatch.setattr(syscalls, "compile_filter", fail)
    elif breakage == "landlock":
        monkeypatch.setattr(landlock, "version", lambda: 0)
    else:
        ended = process.ProgramResult("ok", "it read a file\n", "", 0, 0.1, "")
        monkeypatch.setattr(sandbox, "run_confined", lambda *_, **__: ended)
    sandbox_features.cache_clear()
    try:
        features = sandbox_features()
        assert not features.sufficient
        assert why in features.why
        assert features.missing
        with pytest.raises(SandboxUnavailable, match="can't be run safely"):
            run_program("print(1)")
    finally:
        monkeypatch.undo()
        sandbox_features.cache_clear()


def test_without_namespaces_the_first_wall_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object, namespaces: bool, **__: object) -> process.ProgramResult:
        if namespaces:
            raise SandboxUnavailable("unshare: Operation not permitted")
        return process.ProgramResult("ok", "", "", 0, 0.1, "")

    monkeypatch.setattr(sandbox, "run_confined", run)
    monkeypatch.setattr(syscalls, "compile_filter", lambda: b"")
    monkeypatch.setattr(landlock, "version", lambda: 5)
    monkeypatch.setattr(sys, "platform", "linux")
    sandbox_features.cache_clear()
    try:
        features = sandbox_features()
        assert features.sufficient
        assert features.missing == ("user_namespace", "pid_namespace", "network_namespace")
        assert "unshare" in features.why
    finally:
        monkeypatch.undo()
        sandbox_features.cache_clear()


@settings(deadline=None, max_examples=200)
@given(data=st.binary(max_size=80), cap=st.integers(1, 40), sizes=st.lists(st.integers(1, 9), min_size=1))
def test_a_stream_keeps_the_start_whatever_the_chunks(data: bytes, cap: int, sizes: list[int]) -> None:
    stream = process._Stream(cap)
    position = 0
    for size in sizes * 80:
        stream.take(data[position : position + size])
        position += size
    assert bytes(stream.data) == data[:cap]
    assert stream.over == (len(data) > cap)
    stream.text().encode("utf-8")
