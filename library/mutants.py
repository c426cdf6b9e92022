"""Whether checks compute: run with one constant or operator changed at a time, each has to print another answer.

A change that leaves the answer as it is, a survivor, points at a part of the check that decides nothing: a slack
bound, a condition that never fails, a start that is overwritten. The idea is mutation testing (DeMillo, Lipton and
Sayward, Computer 11(4), 1978), turned from tests to checks.
"""

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from library.protocols import ProgramRunner

_SECONDS = 3
_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
# Runs many programs in one process, so that what they import is imported once, for which the first gets more time. Each
# result is written at once: where one of them ends the process, those before it still count.
_RUNNER = """
import contextlib, io, json, signal

class Late(BaseException):
    pass

def late(*_):
    raise Late

signal.signal(signal.SIGALRM, late)
for place, source in enumerate(json.loads({sources!r})):
    printed, end = io.StringIO(), None
    signal.setitimer(signal.ITIMER_REAL, {seconds} if place else 10 * {seconds})
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(source, "check", "exec"), {{"__name__": "__main__"}})
        end = (printed.getvalue().strip().splitlines() or [""])[-1][:1000]
    except BaseException:
        end = None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    print(json.dumps(end), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A program with one change: the line and text it stands in, what was changed, and the changed program."""

    line: int
    text: str
    change: str
    source: str


@dataclass(frozen=True, slots=True)
class Mutation:
    """What changing a check came to: how many changes there were, and those after which it printed the same.

    Where the check does not run as it stands, `runs` is false, and nothing survives.
    """

    total: int
    survivors: Sequence[Mutant]
    runs: bool = True


def mutants(source: str) -> Iterator[Mutant]:
    """Yield the program with one number one larger, one text one character shorter, or one operator another.

    Raises:
        SyntaxError: the program can't be parsed.
    """
    lines = source.splitlines()
    for place, node in enumerate(ast.walk(ast.parse(source))):
        if not _can_change(node):
            continue
        tree = ast.parse(source)
        changed = next(node for at, node in enumerate(ast.walk(tree)) if at == place)
        change = _change(changed)
        line = getattr(node, "lineno", 0)
        yield Mutant(line, lines[line - 1].strip() if line else "", change, ast.unparse(tree))


def _can_change(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float) or (isinstance(node.value, str) and bool(node.value.strip()))
    return type(_operator(node)) in _OPERATORS


def _operator(node: ast.AST) -> ast.AST | None:
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        return node.op
    return node.ops[0] if isinstance(node, ast.Compare) else None


def _change(node: Any) -> str:
    """Change a node that can be changed, in place; return what was done."""
    if isinstance(node, ast.Constant):
        value: Any = node.value
        if isinstance(value, str):
            node.value = value[:-1] if len(value) > 1 else value + "x"
        else:
            node.value = value + 1
        return f"{value!r} to {node.value!r}"
    old: Any = type(_operator(node))
    new = _OPERATORS[old]
    if isinstance(node, ast.Compare):
        node.ops[0] = new()  # type: ignore[call-overload]
    else:
        node.op = new()
    return f"{old.__name__} to {new.__name__}"


def mutate(source: str, runner: ProgramRunner, *, most: int | None = None, seed: int = 0) -> Mutation:
    """Run a check with one change at a time, all in one process.

    Args:
        source: the check; a program that fails as it stands has no changes that tell anything.
        runner: runs the process; its limits are for all the changes together.
        most: how many changes are made at most, all by default.
        seed: which of them, together with the check.

    Raises:
        SyntaxError: the program can't be parsed.
        Exception: what `runner` raises where it can run no program at all.
    """
    changed = list(mutants(source))
    if most is not None and most < len(changed):
        changed = Random(f"{seed}/{source}").sample(changed, most)
    printed = _ends([source, *(mutant.source for mutant in changed)], runner)
    if printed[0] is None:
        return Mutation(len(changed), [], runs=False)
    return Mutation(
        len(changed), [mutant for mutant, end in zip(changed, printed[1:], strict=True) if end == printed[0]]
    )


def _ends(sources: Sequence[str], runner: ProgramRunner) -> list[str | None]:
    """Return the last line that each program prints; None for one that fails, or ends the process."""
    ends: list[str | None] = []
    while len(ends) < len(sources):
        program = _RUNNER.format(sources=json.dumps(sources[len(ends) :]), seconds=_SECONDS)
        told = _told(runner.run(program).printed.splitlines())
        # Short of all, the one after the last that is told ended the process: it failed, and the others go on.
        ends += told if len(told) == len(sources) - len(ends) else [*told, None]
    return ends


def _told(lines: Sequence[str]) -> list[str | None]:
    """Return what the runner's lines tell; a program that wrote past it ends them."""
    told: list[str | None] = []
    for line in lines:
        try:
            told.append(json.loads(line))
        except ValueError:
            break
    return told
