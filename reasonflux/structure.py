r"""The shape of a canonical answer: a value, a sequence in brackets, a list, a matrix, a relation, a union.

`read` looks only at the outermost structure; what stands inside a shape is read in turn when it is compared. It
takes text from `reasonflux.notation.normalise`. `type_of` names the shape for people and for prompts.
"""

import re
from dataclasses import dataclass
from typing import Literal

from reasonflux.exact import decimal_form, exact_value

AnswerType = Literal[
    "integer", "rational", "real", "complex", "interval", "set", "tuple", "matrix", "equation", "inequality",
    "expression", "text",
]  # fmt: skip
Kind = Literal["value", "sequence", "list", "matrix", "relation", "union", "based"]

MAX_ITEMS = 500
_MAX_LAYERS = 20
_OPENING = {"(": "(", "[": "[", r"\{": r"\{", r"\langle": "(", "{": "{"}
_CLOSING = {")": "(", "]": "[", r"\}": r"\{", r"\rangle": "(", "}": "{"}
_MARK = re.compile(r"\\(?:[A-Za-z]+|.)|[()\[\]{},;=<>]", re.DOTALL)
_RELATIONS = {
    "=": "=", "<": "<", ">": ">", r"\leq": "<=", r"\geq": ">=", r"\neq": "!=", r"\in": "in", r"\approx": "~",
    r"\equiv": "==",
}  # fmt: skip
_BASED = re.compile(r"\(?(-?[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)?)\)?_\{ ?([0-9]{1,2}|[a-z]{3,8}) ?\}")
_BASE_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "sixteen": 16,
}  # fmt: skip
_MATRIX = re.compile(r"\\begin\{([pbvB]?matrix|array)\}(?:\{[lcr|]*\})?(.*)\\end\{\1\}", re.DOTALL)
_NAME = re.compile(
    r"(?:\\angle |\\overline|\\vec|\\triangle |\\mathbf|\\mathcal)?\{?(?:\\[A-Za-z]+|[A-Za-z]+(?: [A-Za-z]+){0,5})\}?"
    r"(?:_\{[^{}]{1,20}\}|_[A-Za-z0-9])?'{0,3}(?:\([^()]{1,40}\))?"
)
_NOT_NAMES = (r"\frac", r"\sqrt", r"\cdot", r"\pm", r"\mp", r"\sin", r"\cos", r"\tan", r"\log", r"\ln", r"\infty")
_WORD = re.compile(r"[^\W\d_]{2,}")
_COMMAND = re.compile(r"\\[A-Za-z]+|\\.")
_PRODUCT_LETTERS = frozenset("abcdhkmnpqrstuvwxyz")
_MATH_WORDS = frozenset({
    "yes", "no", "true", "false", "even", "odd", "none", "undefined", "dne", "divergent", "convergent", "always",
    "never", "prime", "composite", "no solution", "no solutions", "does not exist", "all real numbers",
    "no real solution", "no real solutions",
})  # fmt: skip


@dataclass(frozen=True)
class Shape:
    """The outermost structure of an answer.

    Attributes:
        kind: which structure.
        text: the canonical text it was read from.
        items: elements of a sequence, list or union; sides of a relation; digits of a based number.
        ops: a relation's signs; a sequence's opening and closing bracket; a based number's base.
        rows: a matrix's rows.
    """

    kind: Kind
    text: str
    items: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def read(text: str) -> Shape:
    """Return the outermost structure of a canonical answer."""
    text = _without_outer_braces(text.strip())
    if match := _MATRIX.fullmatch(text):
        rows = [row for row in match[2].split(r"\\") if row.strip()]
        return Shape("matrix", text, rows=tuple(tuple(cell.strip() for cell in row.split("&")) for row in rows))
    if text.startswith("Matrix(") and text.endswith(")"):
        text = text[len("Matrix(") : -1]
    if text.startswith("[[") and text.endswith("]]"):
        inner = [_bracketed(row.strip()) for row in _cut(text[1:-1], {","})[0]]
        rows_read = [row.items for row in inner if row is not None]
        if len(rows_read) == len(inner):
            return Shape("matrix", text, rows=tuple(rows_read))
    if match := _BASED.fullmatch(text):
        base = str(_BASE_WORDS.get(match[2], match[2]))
        if base.isdigit() and any(character.isdigit() for character in match[1]):
            return Shape("based", text, items=(match[1].lstrip("0") or "0",), ops=(base,))
    pieces, signs = _cut(text, set(_RELATIONS))
    commas = _cut(text, {",", ";"})[0]
    if len(commas) > 1 or _ands(text):
        listed = [part for comma in commas for part in _ands(comma) or [comma]]
        items = [item for item in (_without_joiner(item.strip()) for item in listed) if item]
        if 1 < len(items) <= MAX_ITEMS:
            return Shape("list", text, items=tuple(items))
    if signs:
        return Shape("relation", text, items=tuple(p.strip() for p in pieces), ops=tuple(_RELATIONS[s] for s in signs))
    parts, _ = _cut(text, {r"\cup"})
    if len(parts) > 1:
        return Shape("union", text, items=tuple(part.strip() for part in parts))
    return _bracketed(text) or Shape("value", text)


def depth_of(text: str) -> int:
    """Return how deep brackets of any kind nest."""
    return max((depth for _, _, depth in _marks(text)), default=0)


def is_name(text: str) -> bool:
    r"""Tell whether the left side of `text = …` only names the value: `x`, `f(x)`, `\angle ABC`, `(x,y)`, `Area`."""
    shape = _bracketed(text)
    if shape is not None and shape.ops[0] == "(":
        return all(is_name(item) for item in shape.items)
    return _NAME.fullmatch(text) is not None and not text.startswith(_NOT_NAMES)


def is_text(canonical: str) -> bool:
    """Tell whether an answer is words and not mathematics: it has a word that is no product of variables."""
    bare = _COMMAND.sub(" ", canonical)
    words = _WORD.findall(bare)
    if not words:
        return bool(re.fullmatch(r"\(?[A-Z]\)?", canonical)) and canonical.startswith("(")
    if canonical.lower() in _MATH_WORDS:
        return True
    return any(not _is_product(word) for word in words) and not re.search(r"[=^_+*/<>|&{}\[\]]|\\", canonical)


def is_marked_text(raw: str) -> bool:
    """Tell whether a raw answer says itself that it is text, by markup or as a word that mathematics uses."""
    return bool(re.search(r"\\(?:text|mbox|mathrm|hbox|textrm|operatorname)", raw)) or raw.strip().lower() in (
        _MATH_WORDS
    )


def type_of(canonical: str) -> AnswerType:
    """Return the type of a canonical answer; `(1,2)` is a tuple, since nothing in it says interval."""
    shape = read(canonical)
    if shape.kind == "matrix":
        return "matrix"
    if shape.kind == "union":
        return "interval"
    if shape.kind == "list":
        return "text" if is_text(canonical) else "set"
    if shape.kind == "based":
        return "integer"
    if shape.kind == "relation":
        return "equation" if set(shape.ops) <= {"=", "==", "~"} else "inequality"
    if shape.kind == "sequence" and not is_text(canonical):
        return _sequence_type(shape)
    return _value_type(canonical)


def _sequence_type(shape: Shape) -> AnswerType:
    if shape.ops[0] == r"\{":
        return "set"
    if len(shape.items) == 2 and (shape.ops != ("(", "(") or any(r"\infty" in item for item in shape.items)):
        return "interval"
    return "tuple"


def _value_type(text: str) -> AnswerType:
    decimal = decimal_form(text)
    if decimal is not None:
        return "real" if "." in decimal else "integer"
    value = exact_value(text)
    if value is not None:
        return "integer" if value.denominator == 1 else "rational"
    if not text or is_text(text):
        return "text"
    bare = re.sub(r"\\(?:frac|sqrt|pi|cdot|pm|mp|circ|infty|log|ln|sin|cos|tan|%|\$)(?![A-Za-z])", " ", text)
    letters = set(re.findall(r"[A-Za-z]", bare))
    if not letters:
        return "real"
    if letters <= {"i"}:
        return "complex"
    return "real" if letters <= {"e"} else "expression"


def _is_product(word: str) -> bool:
    if len(word) <= 2 or (word.isupper() and len(word) <= 6):
        return True
    return len(word) == 3 and set(word) <= _PRODUCT_LETTERS and len(set(word)) == 3


def _bracketed(text: str) -> Shape | None:
    marks = _marks(text)
    if len(marks) < 2 or marks[0][1] != 0 or marks[0][0] not in _OPENING or marks[0][0] == "{":
        return None
    if marks[-1][0] not in _CLOSING or marks[-1][1] + len(marks[-1][0]) != len(text) or marks[-1][0] == "}":
        return None
    if any(depth == 0 for _, _, depth in marks[:-1]):
        return None
    inner = text[len(marks[0][0]) : marks[-1][1]]
    items = tuple(item.strip() for item in _cut(inner, {",", ";"})[0])
    if len(items) > MAX_ITEMS:
        return None
    return Shape("sequence", text, items=items, ops=(_OPENING[marks[0][0]], _CLOSING[marks[-1][0]]))


def _marks(text: str) -> list[tuple[str, int, int]]:
    """Return commands and signs with their place and the depth of brackets behind them."""
    marks: list[tuple[str, int, int]] = []
    depth = 0
    for found in _MARK.finditer(text):
        token = found[0]
        depth += (token in _OPENING) - (token in _CLOSING)
        marks.append((token, found.start(), depth))
    return marks


def _cut(text: str, separators: set[str]) -> tuple[list[str], list[str]]:
    """Cut at separators outside brackets; any bracket closes any other, as in `[1,2)`."""
    pieces: list[str] = []
    signs: list[str] = []
    start = 0
    for token, place, depth in _marks(text):
        if depth == 0 and token in separators:
            pieces.append(text[start:place])
            signs.append(token)
            start = place + len(token)
    pieces.append(text[start:])
    return pieces, signs


def _ands(text: str) -> list[str]:
    parts = re.split(r"(?<=[0-9A-Za-z)}\]]) ?\b(?:and|or)\b ?(?=[-+0-9A-Za-z(\[\\{])", text)
    return parts if len(parts) > 1 and not is_text(parts[0]) and not is_text(parts[-1]) else []


def _without_joiner(item: str) -> str:
    return re.sub(r"^(?:and|or)(?![A-Za-z]) ?", "", item)


def _without_outer_braces(text: str) -> str:
    for _ in range(_MAX_LAYERS):
        if not (text.startswith("{") and text.endswith("}") and _cut(text, {"}"})[1] == ["}"]):
            break
        text = text[1:-1].strip()
    return text
