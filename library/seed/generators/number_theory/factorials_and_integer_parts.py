"""Problems on factorials and on sums of integer parts."""

from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def _exponent(n: int, p: int) -> int:
    count = 0
    while n:
        n //= p
        count += n
    return count


def divided_often(first: int, last: int, step: int, base: int) -> int:
    """Multiply the factors out and divide the product by the base as often as possible."""
    from math import prod

    product, count = prod(range(first, last + 1, step)), 0
    while product % base == 0:
        product //= base
        count += 1
    return count


@generator("Count a prime in a factorial by repeated division", check=divided_often)
def factorial_exponent(rng: Random, difficulty: int) -> Draw | None:
    last = rng.randint(*((12, 80), (60, 500), (150, 900))[difficulty - 1])
    bases: dict[int, dict[int, int]] = (
        {2: {2: 1}, 3: {3: 1}, 5: {5: 1}, 7: {7: 1}, 10: {2: 1, 5: 1}},
        {6: {2: 1, 3: 1}, 10: {2: 1, 5: 1}, 15: {3: 1, 5: 1}, 9: {3: 2}, 12: {2: 2, 3: 1}, 7: {7: 1}, 5: {5: 1}},
        {12: {2: 2, 3: 1}, 18: {2: 1, 3: 2}, 20: {2: 2, 5: 1}, 24: {2: 3, 3: 1}, 45: {3: 2, 5: 1}, 10: {2: 1, 5: 1}},
    )[difficulty - 1]
    base = rng.choice(list(bases))
    start, step = 0, 1
    if difficulty == 3:
        kind = rng.choice(("quotient", "evens", "full"))
        if kind == "quotient":
            start = rng.randint(20, last // 2)
        elif kind == "evens":
            last -= last % 2
            step = 2
    counts = []
    for p, e in bases[base].items():
        if step == 2:
            count = _exponent(last // 2, p) + (last // 2 if p == 2 else 0)
        else:
            count = _exponent(last, p) - _exponent(start, p)
        counts.append(count // e)
    answer = min(counts)
    if answer < 2:
        return None
    name = person(rng)
    if step == 2:
        product = rf"2 \cdot 4 \cdot 6 \cdots {last}"
        words = f"all even numbers from 2 to {last}"
    elif start:
        product = rf"\frac{{{last}!}}{{{start}!}}"
        words = f"all whole numbers from {start + 1} to {last}"
    else:
        product = f"{last}!"
        words = f"all whole numbers from 1 to {last}"
    if base == 10:
        forms = [
            f"How many zeros are at the end of the number ${product}$?",
            f"{name} multiplies {words} on a very precise computer. How many zeros stand at the end of the result?",
            f"Find the largest integer $k$ for which $10^k$ divides ${product}$.",
        ]
    else:
        forms = [
            f"Find the largest integer $k$ for which ${base}^k$ divides ${product}$.",
            f"{name} multiplies {words}, and divides the result by {base} again and again as long as it goes without "
            f"remainder. How many times can {name} divide?",
            f"How many zeros stand at the end of the product of {words} when it is written in base {base}?",
            rf"What is the largest integer $k$ for which $\frac{{A}}{{{base}^k}}$ is an integer, where $A$ is the "
            f"product of {words}?",
        ]
    return Draw(
        rng.choice(forms),
        str(answer),
        {"first": step if step == 2 else start + 1, "last": last, "step": step, "base": base},
    )


def parts_added(kind: str, first: int, last: int, m: int) -> int:
    """Add the integer parts one term after another, each found by counting up."""
    total = 0
    for k in range(first, last + 1):
        v = 0
        while (
            (v + 1) ** m <= k
            if kind == "root"
            else (v + 1) * m <= k
            if kind == "quotient"
            else (v + 1) * k <= m
            if kind == "share"
            else m ** (v + 1) <= k
        ):
            v += 1
        total += v
    return total


@generator("Group the terms of a sum by equal integer parts", check=parts_added)
def integer_parts(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(("root", "quotient", "share", "logarithm"))
    first, last = 1, rng.randint(*((8, 40), (40, 300), (300, 1000))[difficulty - 1])
    if difficulty == 3 and kind != "share":
        first = rng.randint(50, 200)
    if kind == "root":
        m = 3 if difficulty == 3 and rng.random() < 0.5 else 2
        bounds = [b**m for b in range(1, 40) if b**m <= last]
    elif kind == "quotient":
        m = rng.randint(3, (7, 20, 60)[difficulty - 1])
        bounds = [b * m for b in range(1, last // m + 1)]
    elif kind == "logarithm":
        m = rng.randint(2, 3)
        bounds = [m**b for b in range(1, 12) if m**b <= last]
    else:
        m = last = rng.randint(*((8, 40), (40, 150), (150, 500))[difficulty - 1])
        bounds = []
    # A term reaches v from the v-th bound on, so the sum counts for each bound the terms from it on.
    answer = sum(last - max(first, bound) + 1 for bound in bounds)
    if kind == "share":
        root = isqrt(m)
        answer = 2 * sum(m // d for d in range(1, root + 1)) - root * root
    name = person(rng)

    def term(k: object) -> str:
        return {
            "root": rf"\lfloor\sqrt{'[3]' if m == 3 else ''}{{{k}}}\rfloor",
            "quotient": rf"\left\lfloor\frac{{{k}}}{{{m}}}\right\rfloor",
            "share": rf"\left\lfloor\frac{{{m}}}{{{k}}}\right\rfloor",
            "logarithm": rf"\lfloor\log_{m} {k}\rfloor",
        }[kind]

    forms = [
        f"Compute ${term(first)} + {term(first + 1)} + {term(first + 2)} + \\cdots + {term(last)}$.",
        f"Find the value of $\\displaystyle\\sum_{{k={first}}}^{{{last}}} {term('k')}$.",
    ]
    span = f"{first} to {last}"
    if kind == "share":
        forms.append(
            f"A club has {m} medals. For each number $k$ from {span} it imagines giving the medals to $k$ winners, as "
            "many as possible and the same number to each, and notes how many one winner would get. What is the sum of "
            "all these notes?"
        )
    elif kind == "quotient":
        forms.append(
            f"For every number of eggs from {span}, {name} notes how many boxes of {m} eggs can be filled with them. "
            "What is the sum of these notes?"
        )
    elif kind == "root":
        shape, side, unit = ("cube", "edge", "cubes") if m == 3 else ("square", "side", "square tiles")
        forms.append(
            f"For every number $k$ from {span}, {name} lays the largest full {shape} that $k$ equal {unit} allow, and "
            f"notes how many {unit} there are along its {side}. What is the sum of these notes?"
        )
    else:
        forms.append(
            f"For each $k$ from {span}, {name} notes the largest exponent $e \\ge 0$ with ${m}^e \\le k$. What is the "
            "sum of these notes?"
        )
    values = {"kind": kind, "first": first, "last": last, "m": m}
    return Draw(rng.choice(forms), str(answer), values)
