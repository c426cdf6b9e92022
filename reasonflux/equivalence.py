r"""When are two answers equal? The policy, applied shape by shape; single values may be left to a computer algebra.

* Numbers are equal when they are exactly equal: `0.5` and `1/2`, `1.5e3` and `1500`, `6/8` and `3/4`. A rounded
  decimal is not its exact value: `0.333` is not `1/3`, `3.14` is not `\pi`.
* `1,234` outside brackets is one number; read as a list only against a list. A decimal comma is not understood.
* A name before the value is dropped (`x = 3`, `f(x) = …`, `x \in …`) unless both sides name, and name differently,
  or the question asks for another variable.
* Order counts in `(…)`, vectors and matrices; it does not in `\{…\}`, in lists parted by commas or "and", and in
  unions. Brackets of an interval count. A bare list equals a tuple only in the same order. `\pm` stands for both.
* A unit, currency sign, percent or degree sign may be left out; two known ones must agree. `5\%` equals `5` and,
  by value, `0.05`. The base of `4210_5` may be left out, but another base or the value in base ten is wrong.
* A `\log` without base is the natural one where the gold answer has `\ln` alone, and `log(3, 2)` has base 2: so
  programs write them.
* Words are compared without case, markup and spacing; `(C)`, `C` and `C. 12` are the same choice.
* A gold answer that is a bare unknown word is no mathematics: nothing is decided (grade it as text instead).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from reasonflux.exact import decimal_form, exact_value
from reasonflux.notation import normalise
from reasonflux.structure import Shape, depth_of, is_marked_text, is_name, is_text, read
from reasonflux.units import Unit, split_unit

Leaf = Callable[[Literal["value", "relation"], str, str], bool | None]

_MAX_DEPTH = 12
_MAX_NESTING = 100
_MAX_UNORDERED = 60
_ASKED = re.compile(
    r"(?:find|determine|compute|calculate|solve for|values? of|what is|what's|evaluate|give|for) \$?\\?([A-Za-z])\$?"
    r"(?= *(?:[.,?!;:]|$| [a-z]{2}))",
    re.IGNORECASE,
)
_BROKEN_NUMBER = re.compile(r"[0-9] [0-9]")
_CHOICE = re.compile(r"\(?([A-Z])\)?")
_CHOSEN = re.compile(r"\(?([A-Z])(?:\)|[.:])(?:[^-+*/^_=<>(].*)?", re.DOTALL)
_LOG = re.compile(r"\\log(?![A-Za-z]| ?_)")
_LOG_OF_TWO = re.compile(r"\\log ?\(([^(),]+), ?([^(),]+)\)")
_INFINITE = re.compile(r"[-+]?\\infty")


@dataclass(frozen=True)
class Judgement:
    """Whether an answer is right; None when that can't be decided. `note` says why, or what was passed over."""

    correct: bool | None
    note: str = ""


def judge(gold: str, answer: str, leaf: Leaf, question: str | None = None) -> Judgement:
    """Compare an answer with its gold answer, both as written.

    Args:
        gold: the right answer.
        answer: the answer to judge, already extracted.
        leaf: decides what spelling and exact arithmetic can't; it may raise to leave the whole matter open.
        question: the problem's text, if it may be consulted for which variable or base is asked.
    """
    right, given = normalise(gold), normalise(answer)
    if not right:
        return Judgement(None, "the gold answer is empty")
    if not given:
        return Judgement(False, "the answer is empty")
    bare_word = is_text(right) and split_unit(right)[1] is None and not _CHOICE.fullmatch(right)
    if bare_word and not is_marked_text(gold):
        return Judgement(None, "the gold answer is a word, not mathematics; grade it as text")
    if max(depth_of(right), depth_of(given)) > _MAX_NESTING:
        return Judgement(None, "brackets nest too deeply")
    comparison = _Comparison(leaf, question)
    correct = comparison.same(right, given)
    if correct is False:
        correct = _as_lists(gold, answer, right, given, comparison)
    if correct is False and (written := _as_programs_write(right, given)) != given:
        correct = comparison.same(right, written)
    return Judgement(correct, "; ".join(dict.fromkeys(comparison.notes)))


def _as_lists(gold: str, answer: str, right: str, given: str, comparison: "_Comparison") -> bool | None:
    """Try the other reading of `100,200`, where the other side is plainly a list."""
    right_list, given_list = normalise(gold, thousands=False), normalise(answer, thousands=False)
    if right_list != right and read(given).kind in ("list", "sequence"):
        return comparison.same(right_list, given)
    if given_list != given and read(right).kind in ("list", "sequence"):
        return comparison.same(right, given_list)
    return False


def _as_programs_write(right: str, given: str) -> str:
    """Return an answer with the logarithms that a program would have meant."""
    based = _LOG_OF_TWO.sub(r"\\log_{\2}(\1)", given)
    return _LOG.sub(r"\\ln", based) if r"\ln" in right and not _LOG.search(right) else based


def _all(results: Sequence[bool | None]) -> bool | None:
    if any(result is False for result in results):
        return False
    return None if any(result is None for result in results) else True


def _any(results: Sequence[bool | None]) -> bool | None:
    if any(results):
        return True
    return None if any(result is None for result in results) else False


class _Comparison:
    """One comparison: the leaf that decides values, the question, and the notes gathered on the way."""

    def __init__(self, leaf: Leaf, question: str | None) -> None:
        self._leaf = leaf
        self._question = question or ""
        self.notes: list[str] = []

    def same(self, gold: str, answer: str, depth: int = 0) -> bool | None:
        """Compare two canonical answers."""
        if gold == answer:
            return True
        if depth > _MAX_DEPTH:
            return None
        gold_value, gold_unit = split_unit(gold)
        answer_value, answer_unit = split_unit(answer)
        if gold_unit or answer_unit:
            return self._measured(gold_value, gold_unit, answer_value, answer_unit, depth)
        right, given = _shape(gold), _shape(answer)
        if "relation" in (right.kind, given.kind):
            return self._relations(right, given, depth)
        if "based" in (right.kind, given.kind):
            return self._based(right, given)
        if right.kind == given.kind == "value":
            return self._values(right.text, given.text, depth)
        if right.kind == given.kind == "matrix":
            return self._matrices(right.rows, given.rows, depth)
        return self._collections(right, given, depth)

    def _measured(self, gold: str, wanted: Unit | None, answer: str, written: Unit | None, depth: int) -> bool | None:
        if wanted and written:
            if not wanted.comparable(written):
                self.notes.append(f"the units differ: {wanted.name} and {written.name}")
                return False
            if None in (wanted.dimension, written.dimension) and wanted.name != written.name:
                self.notes.append("the units are written differently")
            elif wanted.factor != written.factor:
                left, right = exact_value(gold), exact_value(answer)
                return left is not None and right is not None and left * wanted.factor == right * written.factor
            return self.same(gold, answer, depth + 1)
        percent = wanted if wanted is not None else written
        if percent is not None and percent.dimension == "percent":
            left, right = exact_value(gold), exact_value(answer)
            if left is not None and right is not None and (left == right * 100 if wanted else left * 100 == right):
                return True
        self.notes.append("the answer has no unit" if wanted else "the answer has a unit")
        return self.same(gold, answer, depth + 1)

    def _relations(self, gold: Shape, answer: Shape, depth: int) -> bool | None:
        gold_name, gold_value = _named(gold)
        answer_name, answer_value = _named(answer)
        if gold_name and answer_name:
            if gold_name == answer_name:
                return self.same(gold_value, answer_value, depth + 1)
            if "y" in (gold_name, answer_name) and "(" in gold_name + answer_name:
                self.notes.append("the function is named differently")
                return self.same(gold_value, answer_value, depth + 1)
            if exact_value(gold_value) is not None or exact_value(answer_value) is not None:
                self.notes.append(f"the answer names {answer_name}, not {gold_name}")
                return False
            return self._leaf("relation", gold.text, answer.text)
        if answer_name and gold.kind != "relation":
            asked = set(_ASKED.findall(self._question))
            if len(answer_name) == 1 and asked and answer_name not in asked:
                self.notes.append(f"the question asks for {' and '.join(sorted(asked))}, not for {answer_name}")
                return False
            self.notes.append(f"only the value of {answer_name} was compared")
            return self.same(gold.text, answer_value, depth + 1)
        if gold_name and answer.kind != "relation":
            return self.same(gold_value, answer.text, depth + 1)
        gold_range, answer_range = _as_interval(gold), _as_interval(answer)
        if (gold_range, answer_range) != (gold.text, answer.text):
            return self.same(gold_range, answer_range, depth + 1)
        if gold.kind == answer.kind:
            return self._leaf("relation", gold.text, answer.text)
        if answer.kind == "relation" and set(answer.ops) == {"="} and not re.search(r"(?<!\\)[A-Za-z]", answer.text):
            return self.same(gold.text, answer.items[-1], depth + 1)
        self.notes.append("one is an equation, the other is not")
        return False

    def _based(self, gold: Shape, answer: Shape) -> bool | None:
        def digits(shape: Shape) -> str:
            return (shape.items[0] if shape.kind == "based" else shape.text.lstrip("0") or "0").upper()

        if gold.kind == answer.kind:
            return gold.ops == answer.ops and digits(gold) == digits(answer)
        base = (gold if gold.kind == "based" else answer).ops[0]
        if gold.kind != "based" and not re.search(rf"base[- $]*{base}\b", self._question):
            return False
        self.notes.append(f"base {base} is written on one side only")
        return digits(gold) == digits(answer)

    def _matrices(self, gold: Sequence[Sequence[str]], answer: Sequence[Sequence[str]], depth: int) -> bool | None:
        if [len(row) for row in gold] != [len(row) for row in answer]:
            return False
        pairs = [pair for rows in zip(gold, answer, strict=True) for pair in zip(*rows, strict=True)]
        return _all([self.same(left, right, depth + 1) for left, right in pairs])

    def _collections(self, gold: Shape, answer: Shape, depth: int) -> bool | None:
        right, given = _members(gold), _members(answer)
        if right is None or given is None:
            return False
        if gold.kind == answer.kind == "sequence":
            is_set = r"\{" in gold.ops + answer.ops
            if gold.ops != answer.ops and (is_set or len(right) == 2):
                return False
            return self._unordered(right, given, depth, as_sets=True) if is_set else self._ordered(right, given, depth)
        loose = [shape for shape in (gold, answer) if shape.kind in ("list", "union")]
        strict = [shape for shape in (gold, answer) if shape.kind in ("sequence", "matrix")]
        if len(loose) == 2:
            return self._unordered(right, given, depth, as_sets=gold.kind == "union")
        if not loose:
            return self._ordered(right, given, depth)
        if loose[0].kind == "union":
            return False
        if strict[0].ops[:1] == (r"\{",):
            return self._unordered(right, given, depth, as_sets=True)
        if answer.kind == "sequence" and answer.ops == ("[", "["):
            self.notes.append("brackets were read as a list")
            return self._unordered(right, given, depth, as_sets=False)
        if gold.kind == "sequence" and gold.ops != ("(", "("):
            return False
        self.notes.append("brackets are on one side only; order was compared")
        return self._ordered(right, given, depth)

    def _ordered(self, gold: Sequence[str], answer: Sequence[str], depth: int) -> bool | None:
        if len(gold) != len(answer):
            return False
        return _all([self.same(left, right, depth + 1) for left, right in zip(gold, answer, strict=True)])

    def _unordered(self, gold: Sequence[str], answer: Sequence[str], depth: int, *, as_sets: bool) -> bool | None:
        if len(gold) != len(answer) and not as_sets:
            return False
        if max(len(gold), len(answer)) > _MAX_UNORDERED:
            return self._ordered(sorted(gold), sorted(answer), depth) or None
        table = [[self.same(left, right, depth + 1) for right in answer] for left in gold]
        columns = [list(column) for column in zip(*table, strict=True)]
        found = _all([_any(line) for line in table + columns])
        if found and not as_sets:
            counts = [sum(line[k] is True for line in table) for k in range(len(answer))]
            repeats = [sum(cell is True for cell in line) for line in table]
            return sorted(counts) == sorted(repeats)
        return found

    def _values(self, gold: str, answer: str, depth: int) -> bool | None:
        plain = decimal_form(gold), decimal_form(answer)
        if None not in plain:
            return plain[0] == plain[1]
        exact = exact_value(gold), exact_value(answer)
        if None not in exact:
            return exact[0] == exact[1]
        if choice := _CHOICE.fullmatch(gold):
            chosen = _CHOICE.fullmatch(answer) or _CHOSEN.fullmatch(answer)
            if chosen:
                return choice[1] == chosen[1]
        if is_text(gold) or is_text(answer):
            return _words(gold) == _words(answer)
        if _INFINITE.fullmatch(gold) or _INFINITE.fullmatch(answer):
            return gold.lstrip("+") == answer.lstrip("+")
        ratios = gold.split(":"), answer.split(":")
        if len(ratios[0]) > 1 or len(ratios[1]) > 1:
            return self._ordered(ratios[0], ratios[1], depth)
        if (exact[0] is None and _BROKEN_NUMBER.search(gold)) or (exact[1] is None and _BROKEN_NUMBER.search(answer)):
            self.notes.append("a number is broken by a space")
            return False
        return self._leaf("value", gold, answer)


def _words(text: str) -> str:
    from library.template import name_key

    return name_key(re.sub(r"[\s(){}\\.\"'_-]+", " ", text))


def _shape(text: str) -> Shape:
    r"""Read a shape; one element in brackets is the element, and `\pm` makes a list of two."""
    shape = read(text)
    for _ in range(_MAX_DEPTH):
        if shape.kind != "sequence" or len(shape.items) != 1 or not shape.items[0]:
            break
        shape = read(shape.items[0])
    signs = r"\pm" in shape.text or r"\mp" in shape.text
    if shape.kind == "value" and signs:
        return Shape("list", shape.text, items=_both_signs(shape.text))
    if signs and (shape.kind == "list" or shape.ops[:1] == (r"\{",)):
        items = tuple(one for item in shape.items for one in _both_signs(item))
        return Shape(shape.kind, shape.text, items=items, ops=shape.ops)
    return shape


def _both_signs(text: str) -> tuple[str, ...]:
    if r"\pm" not in text and r"\mp" not in text:
        return (text,)
    plus = re.sub(r"\\pm ?", "+", re.sub(r"\\mp ?", "-", text)).removeprefix("+")
    return plus, re.sub(r"\\pm ?", "-", re.sub(r"\\mp ?", "+", text)).removeprefix("+")


def _members(shape: Shape) -> tuple[str, ...] | None:
    if shape.kind in ("sequence", "union"):
        return shape.items
    if shape.kind == "list":
        relations = [read(item) for item in shape.items]
        names = [_named(relation)[0] for relation in relations]
        if names[0] and (len(set(names)) == 1 or not any(names[1:])):
            return tuple(_named(relation)[1] or relation.text for relation in relations)
        return tuple(_as_interval(relation) for relation in relations)
    if shape.kind == "matrix":
        if all(len(row) == 1 for row in shape.rows):
            return tuple(row[0] for row in shape.rows)
        return shape.rows[0] if len(shape.rows) == 1 else None
    return None


def _named(shape: Shape) -> tuple[str, str]:
    """Return name and value of `name = value`, `value = name` or `name in set`; two empty texts otherwise."""
    if shape.kind != "relation" or not set(shape.ops) <= {"=", "in", "~"}:
        return "", ""
    head, *rest = shape.items
    signs = list(shape.ops)
    if is_name(head):
        exact = [item for item, sign in zip(rest, signs, strict=True) if sign != "~"]
        return head.replace(" ", ""), exact[-1] if exact else rest[0]
    if signs == ["="] and is_name(rest[0]) and exact_value(head) is not None:
        return rest[0].replace(" ", ""), head
    return "", ""


def _as_interval(shape: Shape) -> str:
    """Write an inequality in one variable as an interval; anything else stays as it is."""
    items, ops = shape.items, shape.ops
    if shape.kind != "relation" or not set(ops) <= {"<", "<=", ">", ">="}:
        return shape.text
    if len({sign[0] for sign in ops}) != 1 or len(items) not in (2, 3):
        return shape.text
    if ops[0][0] == ">":
        items, ops = items[::-1], tuple(sign.replace(">", "<") for sign in ops[::-1])
    if len(items) == 3 and is_name(items[1]):
        return f"{'[' if ops[0] == '<=' else '('}{items[0]},{items[2]}{']' if ops[1] == '<=' else ')'}"
    if len(items) == 2 and is_name(items[0]) and not is_name(items[1]):
        return rf"(-\infty,{items[1]}{']' if ops[0] == '<=' else ')'}"
    if len(items) == 2 and is_name(items[1]) and not is_name(items[0]):
        return rf"{'[' if ops[0] == '<=' else '('}{items[0]},\infty)"
    return shape.text
