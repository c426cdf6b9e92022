"""Running a program's text inside its confined process, as a forgiving interpreter would.

Small models forget two things: to import what everybody knows, and to print the result. A forgiving run imports
well-known names that are used but bound nowhere, and shows the value of the last line of a program that printed
nothing. Errors show the program's own lines only.
"""

import ast
import contextlib
import io
import sys
from types import ModuleType

from reasonflux.tools.known_names import missing_imports

# Spelled out because importing `typing` would cost every program its milliseconds; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PROGRAM_FILE = "program.py"
PRELUDE_FILE = "prelude.py"
EPILOGUE_FILE = "epilogue.py"
TRACEBACK_CHARACTERS = 2_000


class _Stdout(io.FileIO):
    """The raw standard output, which remembers whether anything was written."""

    used = False

    def write(self, data: "ReadableBuffer") -> int:
        self.used = True
        return super().write(data)


def forgotten_imports(source: str, prelude: str) -> tuple[str, ...]:
    """Return the imports the program forgot; one that can't be parsed gets none and fails when it runs."""
    try:
        return missing_imports(ast.parse(prelude), ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def run(
    source: str, prelude: str = "", added: tuple[str, ...] = (), *, epilogue: str = "", forgiving: bool = False
) -> str | int | None:
    """Run a program in a fresh `__main__` and return what to hand to `sys.exit`.

    Args:
        source: the program.
        prelude: text run before it in the same namespace; its output is dropped.
        added: import lines run between the two; a library that is not there is passed over.
        epilogue: text of ours run after it in the same namespace; what it prints counts as printed.
        forgiving: show the value of the last line if nothing was printed.
    """
    sys.set_int_max_str_digits(0)
    sys.argv = [PROGRAM_FILE]
    raw = _Stdout(1, "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True
    )
    module = ModuleType("__main__")
    module.__file__ = PROGRAM_FILE
    sys.modules["__main__"] = module
    names = module.__dict__
    try:
        # The prelude ran before, as a forgiving run: it needs the imports it forgot, and nobody needs its output.
        _import(forgotten_imports(prelude, "") if forgiving else (), names)
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(prelude, PRELUDE_FILE, "exec", dont_inherit=True), names)
        _import(added, names)
        shown = _execute(ast.parse(source, PROGRAM_FILE), names, forgiving)
        exec(compile(epilogue, EPILOGUE_FILE, "exec", dont_inherit=True), names)
        sys.stdout.flush()
        if shown is not None and not raw.used:
            sys.stdout.write(f"{shown}\n")
            sys.stdout.flush()
    except SystemExit as error:
        return error.code
    except BaseException as error:
        if isinstance(error, MemoryError):
            _make_room(names, error)
        _show(error, {PROGRAM_FILE: source, PRELUDE_FILE: prelude, EPILOGUE_FILE: epilogue})
        return 1
    return 0


def _import(lines: tuple[str, ...], names: dict[str, object]) -> None:
    for line in lines:
        # What is not installed stays missing, and the program's own use of the name says so.
        with contextlib.suppress(ImportError):
            exec(line, names)


class _Shown:
    """The value of a last line, rendered only when it is wanted: a value's text can be huge."""

    def __init__(self, label: str, value: object) -> None:
        self._label, self._value = label, value

    def __str__(self) -> str:
        return f"{self._label}{self._value!r}"


def _execute(tree: ast.Module, names: dict[str, object], forgiving: bool) -> _Shown | None:
    """Run the statements; return the value of the last one where it has one, else None."""
    last = tree.body[-1] if forgiving and tree.body else None
    if isinstance(last, ast.Expr):
        del tree.body[-1]
    exec(compile(tree, PROGRAM_FILE, "exec", dont_inherit=True), names)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), PROGRAM_FILE, "eval", dont_inherit=True), names)
        return None if value is None else _Shown("", value)
    name = _assigned_name(last)
    return _Shown(f"{name} = ", names[name]) if name in names else None


def _assigned_name(statement: ast.stmt | None) -> str:
    target: ast.expr | None = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
        target = statement.target
    return target.id if isinstance(target, ast.Name) else ""


def _make_room(names: dict[str, object], error: BaseException) -> None:
    """Drop what filled the memory and use the reserve above the limit, so that there is room to report."""
    import resource

    names.clear()
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    import traceback

    traceback.clear_frames(error.__traceback__)


def _show(error: BaseException, texts: dict[str, str]) -> None:
    import linecache
    import traceback

    for name, text in texts.items():
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    report = traceback.TracebackException(type(error), error, error.__traceback__, lookup_lines=False, compact=True)
    report.stack = traceback.StackSummary.from_list([frame for frame in report.stack if frame.filename in texts])
    text = "".join(report.format(chain=False))
    # The program may have closed or replaced its streams; then there is nobody to tell.
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    with contextlib.suppress(Exception):
        sys.stderr.write(text[-TRACEBACK_CHARACTERS:])
        sys.stderr.flush()
