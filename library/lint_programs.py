"""Lint rules about the programs of examples: whether they parse, compute anything and say what they found."""

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from library.checking import spelled
from library.lint_rule import Hit, Options, Rule
from library.template import Template, name_key

_PLAIN_NUMBER = re.compile(r"[-+]?\d{1,100}(?:/\d{1,100}|\.\d{1,100})?")
_SMALL = 10
_MAX_BITS = 400

_Value = Fraction | str


def parsed(source: str) -> ast.Module | SyntaxError:
    """Return a program's syntax tree, or why it has none; what is too deep to parse counts as that."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except SyntaxError as error:
            return error
        except (ValueError, RecursionError, MemoryError) as error:
            return SyntaxError(str(error) or "it is nested too deeply")


def _programs(template: Template) -> Iterator[tuple[str, str, int, str]]:
    """Yield place, part, example and source of each program and check."""
    for position, example in enumerate(template.examples):
        for part, source in (("program", example.program), ("check", example.check)):
            if source:
                yield spelled(("examples", position, part)), part, position, source


def _trees(template: Template) -> Iterator[tuple[str, str, int, ast.Module]]:
    for place, part, position, source in _programs(template):
        tree = parsed(source)
        if isinstance(tree, ast.Module):
            yield place, part, position, tree


def _no_python(template: Template, options: Options) -> Iterator[Hit]:
    for place, _, _, source in _programs(template):
        tree = parsed(source)
        if isinstance(tree, SyntaxError):
            line = f" in line {tree.lineno}" if tree.lineno else ""
            yield place, f"is no Python program: {tree.msg}{line}"


def _bare_literals(template: Template, options: Options) -> Iterator[Hit]:
    for place, part, _, tree in _trees(template):
        if part == "check" and not any(_computes(node) for node in ast.walk(tree)):
            yield place, "computes nothing; derive the answer by another way than the program"


def _computes(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Name) and node.func.id in ("print", "str", "int", "float"))
    return isinstance(node, ast.BinOp | ast.BoolOp | ast.Compare | ast.AugAssign | ast.Subscript | ast.comprehension)


def _told_answers(template: Template, options: Options) -> Iterator[Hit]:
    for place, part, position, tree in _trees(template):
        answer = template.examples[position].answer
        if part == "check" and _tells(tree, answer):
            yield place, f'holds the answer "{answer[:60]}" as a constant; derive it instead'


def _tells(tree: ast.Module, answer: str) -> bool:
    """Tell whether a program holds its answer: as any constant, or, small numbers and words, as what it prints.

    Small numbers and words turn up in honest programs (an exponent, a list of names), so that only those that are
    printed as they stand count.
    """
    number = _number(answer)
    wanted: _Value = number if number is not None else name_key(answer)
    anywhere = isinstance(wanted, Fraction) and (abs(wanted) > _SMALL or wanted.denominator > _SMALL)
    nodes = ast.walk(tree) if anywhere else _printed(tree)
    return any(_constant(node) == wanted for node in nodes)


def _printed(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what is printed as it stands: the arguments of `print`, and what a name in them was once set to."""
    set_to: dict[str, ast.expr] = {}
    times: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            times[node.id] += 1
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            set_to[node.targets[0].id] = node.value
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            for argument in node.args:
                yield argument
                if isinstance(argument, ast.Name) and times[argument.id] == 1 and argument.id in set_to:
                    yield set_to[argument.id]


def _constant(node: ast.AST) -> _Value | None:
    """Return the value of a constant, a negative one, a fraction of two or one in quotes; None for anything else."""
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None
        if isinstance(value, int):
            return Fraction(value) if value.bit_length() <= _MAX_BITS else None
        if isinstance(value, float):
            return _number(repr(value))
        number = _number(value.strip())
        return number if number is not None else name_key(value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        size = _constant(node.operand) if isinstance(node.operand, ast.Constant) else None
        return -size if isinstance(size, Fraction) else None
    parts: tuple[ast.expr, ...] = ()
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        parts = (node.left, node.right)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Fraction", "Rational"):
        parts = tuple(node.args)
    values = [_constant(part) for part in parts if isinstance(part, ast.Constant | ast.UnaryOp)]
    if len(parts) == len(values) == 2:
        top, bottom = values
        if isinstance(top, Fraction) and isinstance(bottom, Fraction) and bottom:
            return top / bottom
    return values[0] if len(parts) == len(values) == 1 else None


def _number(text: str) -> Fraction | None:
    if _PLAIN_NUMBER.fullmatch(text) is None:
        return None
    top, _, bottom = text.partition("/")
    if not bottom:
        return Fraction(top)
    return Fraction(int(top), int(bottom)) if int(bottom) else None


def _long_programs(template: Template, options: Options) -> Iterator[Hit]:
    limit = options.limits.max_program_lines
    for place, part, _, source in _programs(template):
        number = len(source.splitlines())
        if part == "program" and number > limit:
            yield place, f"has {number} lines, more than {limit}"


def _silent_programs(template: Template, options: Options) -> Iterator[Hit]:
    for place, _, _, tree in _trees(template):
        named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if not named & {"print", "sys"}:
            yield place, "prints nothing; the answer is what a program prints last"


def _same_programs(template: Template, options: Options) -> Iterator[Hit]:
    for position, example in enumerate(template.examples):
        if example.program and example.check and _lines(example.program) == _lines(example.check):
            yield spelled(("examples", position, "check")), "is the program again; derive the answer another way"


def _lines(source: str) -> list[str]:
    stripped = (line.strip() for line in source.splitlines())
    return [line for line in stripped if line and not line.startswith("#")]


PROGRAM_RULES = (
    Rule("PRG01", "error", "A check computes nothing.", _bare_literals),
    Rule("PRG02", "warning", "A check holds its answer as a constant.", _told_answers),
    Rule("PRG03", "error", "A program can't be parsed.", _no_python),
    Rule("PRG04", "warning", "A program is long.", _long_programs),
    Rule("PRG05", "warning", "A program prints nothing.", _silent_programs),
    Rule("PRG06", "error", "A check is the program again.", _same_programs),
)
