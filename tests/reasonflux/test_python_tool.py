"""The Python tool: what the model sees of a program it wrote."""

import pytest

from reasonflux.errors import SandboxUnavailable
from reasonflux.tools import python
from reasonflux.tools.known_names import missing_imports
from reasonflux.tools.python import MAX_OUTPUT_CHARACTERS, PythonTool
from reasonflux.tools.sandbox import Limits, ProgramResult, SandboxFeatures, sandbox_features
from reasonflux.types import ToolCall

held = pytest.mark.skipif(not sandbox_features().sufficient, reason=sandbox_features().why)


@pytest.fixture
def tool() -> PythonTool:
    return PythonTool(Limits(wall_seconds=60.0, cpu_seconds=8.0))


@held
@pytest.mark.parametrize(
    ("program", "output"),
    [
        ("print(pow(7, 100, 13))", "9"),
        ("    x = 3\n    print(x * 2)", "6"),
        ("\n\n    print(1)\n", "1"),
        ("\ufeffprint(1)", "1"),
        ("x = 1\r\nprint(x)\r\n", "1"),
        ("6 * 7", "42"),
        ("answer = Fraction(1, 2) + Fraction(1, 3)", "answer = Fraction(5, 6)"),
        ("print('a\\0b')", "a\\x00b"),
        ("print('a\\tb')", "a\tb"),
        ("pass", "(The program ran and printed nothing.)"),
    ],
)
def test_output_for_the_model(tool: PythonTool, program: str, output: str) -> None:
    call = tool.run(program)
    assert (call.status, call.output) == ("ok", output)


@held
def test_added_imports_are_told(tool: PythonTool) -> None:
    call = tool.run("print(math.factorial(5), gcd(4, 6))")
    assert call.output == "120 2"
    assert call.detail == "Added: import math; from math import gcd."


@held
def test_error_gives_what_was_printed_and_the_last_lines(tool: PythonTool) -> None:
    call = tool.run("print('so far')\nx = [1]\nprint(x[3])")
    assert call.status == "error"
    assert call.output.startswith("so far\nTraceback")
    assert "print(x[3])" in call.output
    assert call.output.endswith("IndexError: list index out of range")
    assert call.detail == "The program raised IndexError: list index out of range."


@held
@pytest.mark.parametrize(
    ("program", "status", "said"),
    [
        ("import os; os.fork()", "error", "may not start processes"),
        ("b = []\nwhile True: b.append(bytearray(10**7))", "memory", "more than 1 GiB of memory"),
        ("while True: print('x' * 1000)", "output", "more than 64 KiB"),
        ("import os; os.abort()", "killed", "SIGABRT"),
        ("input()", "error", "EOFError"),
        ("raise SystemExit(4)", "error", "exit code 4"),
    ],
)
def test_limits_are_named(tool: PythonTool, program: str, status: str, said: str) -> None:
    call = tool.run(program)
    assert call.status == status
    assert said in call.output
    assert len(call.output) <= MAX_OUTPUT_CHARACTERS


@held
def test_timeout_is_named() -> None:
    call = PythonTool(Limits(wall_seconds=0.5)).run("import time; time.sleep(60)")
    assert call.status == "timeout"
    assert call.output == "The program ran longer than 0.5 seconds."


@held
def test_long_output_keeps_start_and_end(tool: PythonTool) -> None:
    call = tool.run("print('start', 'x' * 20_000, 'end')")
    assert call.status == "ok"
    assert call.output.startswith("start")
    assert call.output.endswith("end")
    assert "left out" in call.output
    assert len(call.output) <= MAX_OUTPUT_CHARACTERS


@held
def test_nothing_is_kept_between_calls_but_a_prelude_is(tool: PythonTool) -> None:
    tool.run("kept = 5")
    assert tool.run("print(kept)").status == "error"
    assert tool.run("print(kept)", prelude="kept = 5").output == "5"


@held
@pytest.mark.parametrize("program", ["print(a + 1)", "from sympy import sqrt\nprint(a + 1)", "print(sqrt(4) + a - 1)"])
def test_a_prelude_is_as_silent_and_as_forgiven_as_it_was_as_a_program(tool: PythonTool, program: str) -> None:
    prelude = "a = sqrt(4)\nprint('a =', a)\nprint('answer = 5')"
    assert tool.run(prelude).status == "ok"
    call = tool.run(program, prelude=prelude)
    assert (call.status, call.output) == ("ok", "3.0")


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("", "empty"),
        (" \n\t\n", "empty"),
        ("x = 1\n" * 5_000, "29,999 characters"),
        ("print('\0')", "NUL"),
        ("print('\ud800')", "surrogate"),
    ],
)
def test_unfit_programs_are_refused_and_can_be_stored(program: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PythonTool, "why_not", "")
    call = PythonTool().run(program)
    assert call.status == "refused"
    assert why in call.detail
    assert call.output == call.detail
    assert ToolCall.model_validate(call.model_dump(mode="json")) == call
    call.model_dump_json().encode("utf-8")


def test_tool_that_is_off_says_why() -> None:
    tool = PythonTool(enabled=False)
    assert not tool.available
    assert tool.run("print(1)").output == "The Python tool is switched off."


def test_system_without_means_turns_the_tool_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "sandbox_features", python_features)
    tool = PythonTool()
    assert not tool.available
    assert tool.why_not == "The Python tool is off: the sandbox needs Linux."
    assert tool.run("print(1)").status == "refused"


def python_features() -> SandboxFeatures:
    return SandboxFeatures(False, False, False, False, False, True, False, "the sandbox needs Linux.")


def test_sandbox_that_breaks_later_is_refused_not_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> ProgramResult:
        raise SandboxUnavailable("A process for a program could not be started: no memory.")

    monkeypatch.setattr(PythonTool, "why_not", "")
    monkeypatch.setattr(python, "run_program", fail)
    call = PythonTool().run("print(1)")
    assert call.status == "refused"
    assert "no memory" in call.output


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("import math\nmath.pi", ()),
        ("for math in []: math", ()),
        ("lambda sqrt: sqrt", ()),
        ("try: pass\nexcept E as Eq: Eq", ()),
        ("from math import *\nsqrt(2); math.pi", ("import math",)),
        ("sp.sqrt(2); floor(2); comb(4, 2)", ("import sympy as sp", "from math import comb, floor")),
        ("import sympy\ngcd(4, 6); isqrt(9)", ("from math import isqrt", "from sympy import gcd")),
        ("400 / (2 + π)", ("from sympy import pi as π",)),
        ("π = 3\nπ * 2", ()),
        ("undefined_name", ()),
    ],
)
def test_missing_imports(source: str, lines: tuple[str, ...]) -> None:
    import ast

    assert missing_imports(ast.parse(source)) == lines
