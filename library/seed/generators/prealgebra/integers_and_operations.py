"""Problems on the order of operations and on signed numbers."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import counted, ordinal, person

_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3, "n": 4}
_Tree = tuple[str, Fraction, str]
"""An expression as LaTeX, its value, and the operation carried out last."""


def _leaf(rng: Random, largest: int, negative: bool) -> _Tree:
    value = rng.randint(2, largest)
    if negative and rng.random() < 0.3:
        return f"({-value})", Fraction(-value), "n"
    return str(value), Fraction(value), "n"


def _joined(left: _Tree, sign: str, right: _Tree) -> _Tree:
    """Join two expressions, bracketing what would otherwise be read in another way."""
    first, second = left[0], right[0]
    if _RANK[left[2]] < _RANK[sign]:
        first = f"({first})"
    if _RANK[right[2]] <= _RANK[sign]:
        second = f"({second})"
    a, b = left[1], right[1]
    if a == b or 0 in (a, b) or b == 1:
        return "", Fraction(10**6), "n"
    value = {"+": a + b, "-": a - b, "*": a * b, "/": a / b}[sign]
    symbol = {"*": "\\cdot", "/": "\\div"}.get(sign, sign)
    return f"{first} {symbol} {second}", value, sign


def _tree(rng: Random, leaves: int, largest: int, negative: bool, powers: bool) -> _Tree:
    if leaves == 1:
        base = _leaf(rng, largest, negative)
        if powers and rng.random() < 0.3 and abs(base[1]) < 7:
            exponent = rng.choice((2, 2, 3))
            if base[1] > 0 and rng.random() < 0.3:
                return f"-{base[0]}^{exponent}", -(base[1] ** exponent), "-"
            return f"{base[0]}^{exponent}", base[1] ** exponent, "^"
        return base
    split = rng.randint(1, leaves - 1)
    return _joined(
        _tree(rng, split, largest, negative, powers),
        rng.choice("++--**/"),
        _tree(rng, leaves - split, largest, negative, powers),
    )


def read_and_computed(expression: str, keys: str) -> str:
    """Read the written expression with Python's own grammar; the keys typed in are carried out one after another."""
    import re
    from fractions import Fraction

    text = expression.replace("\\cdot", "*").replace("\\div", "/").replace("^", "**")
    exact = "".join(f"Fraction({part})" if part.isdigit() else part for part in re.split(r"(\d+)", text))
    exact = exact.replace("**Fraction(2)", "**2").replace("**Fraction(3)", "**3")
    value = eval(exact, {"Fraction": Fraction})
    if not keys:
        return str(value)
    first, *rest = keys.split()
    shown = Fraction(first)
    for sign, number in zip(rest[::2], rest[1::2], strict=True):
        other = Fraction(number)
        shown = {"+": shown + other, "-": shown - other, "*": shown * other}[sign]
    return str(abs(shown - value))


@generator("Work an expression down by the rank of its operations", check=read_and_computed)
def order_of_operations(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    if rng.random() < (0.2, 0.3, 0.2)[difficulty - 1]:
        numbers = [rng.randint(2, 9) for _ in range((3, 4, 5)[difficulty - 1])]
        typed = [rng.choice("+-*") for _ in numbers[1:]]
        if "*" not in typed[1:]:
            return None
        tree = str(numbers[0]) + "".join(
            f" {sign} {n}".replace("*", "\\cdot") for sign, n in zip(typed, numbers[1:], strict=True)
        )
        keys = " ".join([str(numbers[0])] + [f"{s} {n}" for s, n in zip(typed, numbers[1:], strict=True)])
        shown, total, term, plus = numbers[0], 0, numbers[0], 1
        for sign, n in zip(typed, numbers[1:], strict=True):
            shown = shown * n if sign == "*" else shown + n if sign == "+" else shown - n
            if sign == "*":
                term *= n
            else:
                total, term, plus = total + plus * term, n, 1 if sign == "+" else -1
        total += plus * term
        if shown == total:
            return None
        problem = rng.choice(
            (
                f"{name} works out ${tree}$ strictly from left to right, without heeding the order of operations. By "
                f"how much does {name}'s result differ from the correct value?",
                f"A simple calculator carries out each operation as soon as it is typed. {name} types ${tree}$. What "
                "is the absolute difference between the number shown and the true value of the expression?",
            )
        )
        return Draw(problem, str(abs(shown - total)), {"expression": tree, "keys": keys})
    leaves = (3, 4, 6)[difficulty - 1] + rng.randint(0, difficulty - 1)
    for _ in range(80):
        tree, value, _last = _tree(rng, leaves, (9, 12, 12)[difficulty - 1], difficulty > 1, difficulty > 1)
        signs = {sign for sign in ("+", "-", "cdot", "div", "^") if sign in tree}
        whole = value.denominator == 1 and abs(value) <= (60, 200, 500)[difficulty - 1]
        if whole and signs & {"cdot", "div"} and len(signs) >= difficulty + 1 and ("(" in tree or difficulty == 1):
            break
    else:
        return None
    problem = rng.choice(
        (
            f"Evaluate ${tree}$.",
            f"What is the value of ${tree}$?",
            f"{name} has to work out ${tree}$. Which number should come out?",
        )
    )
    return Draw(problem, str(value), {"expression": tree, "keys": ""})


def positions_listed(start: int, changes: list[int], ask: str, limit: int) -> int:
    """Go one single step at a time and keep every position at which a change has ended."""
    place, places = start, [start]
    for change in changes:
        for _ in range(abs(change)):
            place += 1 if change > 0 else -1
        places.append(place)
    if ask == "end":
        return place
    if ask == "spread":
        return max(places) - min(places)
    if ask == "below":
        return sum(place < limit for place in places)
    return abs(limit - place)


@generator("Follow signed changes along a number line", check=positions_listed)
def signed_changes(rng: Random, difficulty: int) -> Draw | None:
    number = (2, rng.randint(3, 4), rng.randint(5, 6))[difficulty - 1]
    size = (9, 15, 25)[difficulty - 1]
    start = rng.randint(-size, size // 2)
    changes = [rng.choice((-1, 1)) * rng.randint(2, size) for _ in range(number)]
    name = person(rng)
    ask = rng.choice((("end", "limit"), ("end", "spread", "limit"), ("spread", "below", "limit"))[difficulty - 1])
    places = [sum(changes[:k], start) for k in range(number + 1)]
    if ask == "end" and all(place > 0 for place in places):
        return None
    limit = 0
    scene = rng.randint(0, 2)

    def moved(up: str, down: str, unit: str) -> str:
        words = [f"{up if c > 0 else down} {counted(abs(c), unit)}" for c in changes]
        return ", then ".join([", ".join(words[:-1]), words[-1]]) if number > 2 else " and then ".join(words)

    if scene == 0:
        hour = "The first thermometer reading of a day is"
        story = f"{hour} {start} °C. Between readings the temperature {moved('rises by', 'falls by', 'degree')}."
        question = {
            "end": "What is the last reading, in °C?",
            "spread": f"How many degrees lie between the warmest and the coldest of the {number + 1} readings?",
            "below": f"How many of the {number + 1} readings are below 0 °C?",
            "limit": "By how many degrees does the last reading differ from 0 °C?",
        }[ask]
    elif scene == 1:
        if min(start, *places) <= -40 or max(places) > 30:
            return None
        where = f"{counted(abs(start), 'floor')} {'below' if start < 0 else 'above'} the entrance floor"
        if start == 0:
            where = "on the entrance floor"
        story = (
            "In a research station inside a mountain, with floors above and below the entrance floor, a lift starts "
            f"{where}. It {moved('goes up', 'goes down', 'floor')}."
        )
        question = {
            "end": "On which floor does it stop at last? Count the entrance floor as 0 and those below as negative "
            "floors.",
            "spread": "Counting all the floors at which it stood, the first one included, how many floors apart are "
            "the highest and the lowest?",
            "below": f"It has stood {number + 1} times, the start and the end included. How many times was that "
            "below the entrance floor?",
            "limit": "How many floors away from the entrance floor is it at the end?",
        }[ask]
    else:
        balance = f"a balance of {start} dollars" if start >= 0 else f"a debt of {-start} dollars"
        story = f"{name} begins a game of cards with {balance} and, round by round, {moved('wins', 'loses', 'dollar')}."
        question = {
            "end": f"What is {name}'s balance at the end, in dollars? Write a debt as a negative number.",
            "spread": f"How many dollars lie between {name}'s highest and lowest balance, the one at the beginning "
            "included?",
            "below": f"Of the {number + 1} balances at the beginning and after each round, how many are debts?",
            "limit": f"How many dollars is {name}'s balance away from zero at the end?",
        }[ask]
    answer = {
        "end": places[-1],
        "spread": max(places) - min(places),
        "below": sum(place < 0 for place in places),
        "limit": abs(places[-1]),
    }[ask]
    if ask != "end" and answer == 0:
        return None
    return Draw(f"{story} {question}", str(answer), {"start": start, "changes": changes, "ask": ask, "limit": limit})


def formula_used(first: int, factor: int, change: int, growing: int, kind: str, bound: int) -> int:
    """Get each entry from a formula for all places instead of from the entry before."""

    def entry(place: int) -> int:
        steps = place - 1
        if factor == 1:
            return first + steps * change + growing * steps * (steps - 1) // 2
        return int(factor**steps * first + change * (factor**steps - 1) // (factor - 1))

    if kind == "entry":
        return entry(bound)
    if kind == "sum":
        return sum(entry(place) for place in range(1, bound + 1))
    place = 1
    while entry(place) <= bound:
        place += 1
    return entry(place) if kind == "first" else place - 1


@generator("Continue a row or table by its rule up to the entry asked for", check=formula_used)
def row_continued(rng: Random, difficulty: int) -> Draw | None:
    shape = rng.choice(("even",) if difficulty == 1 else ("growing", "factor"))
    first = rng.randint(1, 12)
    factor, change, growing = 1, rng.randint(2, 9), 0
    if shape == "growing":
        growing = rng.randint(1, 3)
    elif shape == "factor":
        factor, change = rng.choice((2, 3)), rng.choice((-3, -2, -1, 1, 2, 3, 4, 5))
    if first * factor + change <= first:
        return None
    row = [first]
    while len(row) < 14:
        row.append(row[-1] * factor + change + growing * (len(row) - 1))
    kind = rng.choice(("entry", "sum", "first", "count"))
    last = rng.randint(6, (10, 9, 12)[difficulty - 1])
    if kind in ("entry", "sum"):
        bound = last
    else:
        bound = (row[last - 2] + row[last - 1]) // 2
        bound -= bound % 5
        if not row[last - 2] < bound < row[last - 1]:
            return None
    answer = {"entry": row[last - 1], "sum": sum(row[:last]), "first": row[last - 1], "count": last - 1}[kind]
    if answer > 100000:
        return None
    name = person(rng)
    sign = f"{'plus' if change > 0 else 'minus'} {abs(change)}"
    if shape == "factor":
        multiple = {2: "twice", 3: "three times"}[factor]
        rule = f"The first number of a list is {first}, and each further number is {multiple} the one before, {sign}."
        story = (
            f"On the first day a game gives {counted(first, 'point')}. On each further day it gives {multiple} as many "
            f"points as on the day before, {sign}."
        )
    elif shape == "growing":
        rule = (
            f"A list starts with {first}. The second number is {change} larger than the first, the third "
            f"{change + growing} larger than the second, and each of these steps is {growing} larger than the "
            f"step before."
        )
        story = (
            f"On the first day a game gives {counted(first, 'point')}, on the second day {change} more. From "
            f"one day to the "
            f"next the increase itself grows by {growing}, so that the third day brings {change + growing} points more "
            "than the second."
        )
    else:
        rule = f"A list starts with {', '.join(map(str, row[:3]))} and goes on in steps of {change}."
        story = (
            f"On the first day a game gives {counted(first, 'point')}, and on each further day {change} points "
            f"more than "
            "on the day before."
        )
    asks = {
        "entry": (f"What is the {ordinal(last)} number?", f"How many points does it give on the {ordinal(last)} day?"),
        "sum": (
            f"What is the sum of the first {last} numbers?",
            f"How many points do the first {last} days give altogether?",
        ),
        "first": (
            f"What is the first number that is greater than {bound}?",
            f"On the first day with more than {bound} points, how many points are given?",
        ),
        "count": (
            f"How many of its numbers are not greater than {bound}?",
            f"On how many days does it give {bound} points or fewer?",
        ),
    }[kind]
    own = rule.replace("The first number of a list", "Its first number").replace("A list", "It")
    forms = [f"{rule} {asks[0]}", f"{story} {asks[1]}", f"{name} writes down a row of numbers. {own} {asks[0]}"]
    values = {"first": first, "factor": factor, "change": change, "growing": growing, "kind": kind, "bound": bound}
    return Draw(rng.choice(forms), str(answer), values)
