"""Problems on systems of equations."""

from collections.abc import Callable
from fractions import Fraction
from math import gcd, isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, signed

_NEAR = ((1, 1), (1, -1), (-1, 1))
_USUAL = ((2, -1), (-1, 2), (3, -1), (3, -2), (1, 1))
_FAR = ((3, -2), (-2, 3), (4, -3), (5, -2), (-3, 4), (2, -3), (2, 3), (3, 2))


def free_choice(rows: list[list[int]], totals: list[int], wanted: list[int]) -> str:
    """Choose the last unknown in two ways, solve for the others and see that the combination has one value."""
    from fractions import Fraction

    (a, b, c), (d, e, f) = rows
    values = set()
    for last in (0, 1):
        right = [totals[0] - c * last, totals[1] - f * last]
        x = Fraction(right[0] * e - b * right[1], a * e - b * d)
        y = Fraction(a * right[1] - right[0] * d, a * e - b * d)
        values.add(wanted[0] * x + wanted[1] * y + wanted[2] * last)
    (value,) = values
    return str(value)


@generator("Add multiples of equations to reach the combination asked for", check=free_choice)
def wanted_combination(rng: Random, difficulty: int) -> Draw | None:
    top = (3, 5, 9)[difficulty - 1]
    for _ in range(200):
        rows = [[rng.randint(1, top) for _ in range(3)] for _ in range(2)]
        m, n = rng.choice((_NEAR, _USUAL, _FAR)[difficulty - 1])
        combined = [m * a + n * b for a, b in zip(*rows, strict=True)]
        divisor = gcd(*combined)
        wanted = [c // divisor for c in combined] if divisor else combined
        independent = rows[0][0] * rows[1][1] != rows[0][1] * rows[1][0]
        if independent and min(wanted) > 0 and max(wanted) <= top and all(gcd(*row) == 1 for row in rows):
            break
    else:
        return None
    amounts = [rng.randint(1, 9 + 3 * difficulty) for _ in range(3)]
    totals = [sum(a * x for a, x in zip(row, amounts, strict=True)) for row in rows]
    answer = Fraction(m * totals[0] + n * totals[1], divisor)
    if answer <= 0 or answer in totals:
        return None
    if rng.random() < 0.5:
        letters = rng.choice(("xyz", "abc", "pqr"))
        first, second, asked = (
            " ".join(signed(c, letter) for c, letter in zip(row, letters, strict=True)).removeprefix("+ ")
            for row in (*rows, wanted)
        )
        problem = rng.choice(
            (
                f"Numbers ${letters[0]}$, ${letters[1]}$ and ${letters[2]}$ satisfy ${first} = {totals[0]}$ and "
                f"${second} = "
                f"{totals[1]}$. Find ${asked}$.",
                f"If ${first} = {totals[0]}$ and ${second} = {totals[1]}$, what is ${asked}$?",
            )
        )
    else:
        words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
        things = rng.choice(
            (
                (("tea", "teas"), ("bun", "buns"), ("juice", "juices")),
                (("pen", "pens"), ("folder", "folders"), ("eraser", "erasers")),
                (("rose", "roses"), ("tulip", "tulips"), ("lily", "lilies")),
                (("plate", "plates"), ("bowl", "bowls"), ("mug", "mugs")),
            )
        )
        first, second, asked = (
            "{} {}, {} {} and {} {}".format(
                *(part for c, thing in zip(row, things, strict=True) for part in (words[c], thing[c > 1]))
            )
            for row in (*rows, wanted)
        )
        coin = rng.choice(("euros", "dollars", "crowns"))
        problem = rng.choice(
            (
                f"In a shop {first} cost {totals[0]} {coin} together, while {second} cost {totals[1]} {coin}. How "
                f"many {coin} "
                f"do {asked} cost?",
                f"{person(rng)} pays {totals[0]} {coin} for {first}. The next customer pays {totals[1]} {coin} for "
                f"{second}. "
                f"What is the price of {asked} in {coin}?",
            )
        )
    return Draw(problem, str(answer), {"rows": rows, "totals": totals, "wanted": wanted})


def tried_pairs(facts: dict[str, int], wanted: str) -> int:
    """Try all pairs of whole numbers against both facts."""
    measures: dict[str, Callable[[int, int], int]] = {
        "sum": lambda x, y: x + y,
        "product": lambda x, y: x * y,
        "squares": lambda x, y: x * x + y * y,
        "perimeter": lambda x, y: 2 * (x + y),
    }
    (first, value), (second, other) = facts.items()
    limit = value if first == "sum" else value // 2 if first == "perimeter" else int(value**0.5)
    fits = [
        (x, y)
        for x in range(1, limit + 1)
        for y in range(1, x + 1)
        if measures[first](x, y) == value and measures[second](x, y) == other
    ]
    ((x, y),) = fits
    return {"larger": x, "smaller": y, "difference": x - y, "sum": x + y, "product": x * y}[wanted]


@generator("Find two numbers from their sum and product with one quadratic", check=tried_pairs)
def two_numbers(rng: Random, difficulty: int) -> Draw | None:
    y, x = sorted(rng.sample(range(2, (13, 25, 60)[difficulty - 1]), 2))
    diagonal = isqrt(x * x + y * y)
    right = diagonal * diagonal == x * x + y * y
    story = rng.choice(
        (["plain", "field"], ["plain", "field", "squares"], ["squares", "field", "diagonal"])[difficulty - 1]
    )
    if difficulty == 3 and rng.random() < 0.4:
        k = rng.randint(1, 7)
        y, x, diagonal = (k * n for n in rng.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29))))
        right, story = True, "diagonal"
        if x > 120:
            return None
    wanted = rng.choice(("larger", "smaller", "difference"))
    word = {"larger": "longer", "smaller": "shorter"}
    goal = (
        f"How many metres long is the {word[wanted]} side?"
        if wanted in word
        else "By how many metres is the longer side longer than the shorter one?"
    )
    number = {"larger": "the larger number", "smaller": "the smaller number", "difference": "their difference"}[wanted]
    if wanted == "difference":
        number = "the larger number minus the smaller one"
    name = person(rng)
    if story == "plain":
        facts = {"sum": x + y, "product": x * y}
        problem = rng.choice(
            (
                f"Two numbers have the sum ${x + y}$ and the product ${x * y}$. What is {number}?",
                f"{name} thinks of two numbers. Added they give ${x + y}$, multiplied they give ${x * y}$. Find "
                f"{number}.",
            )
        )
    elif story == "squares":
        other = rng.choice(("sum", "product"))
        facts = {"squares": x * x + y * y, other: x + y if other == "sum" else x * y}
        problem = rng.choice(
            (
                f"The squares of two positive numbers add up to ${x * x + y * y}$, and the {other} of the numbers is "
                f"${facts[other]}$. What is {number}?",
                f"Positive numbers $a > b$ satisfy $a^2 + b^2 = {x * x + y * y}$ and "
                f"${'a + b' if other == 'sum' else 'ab'} = {facts[other]}$. Find "
                f"${ {'larger': 'a', 'smaller': 'b', 'difference': 'a - b'}[wanted] }$.",
            )
        )
    elif story == "field":
        facts = {"perimeter": 2 * (x + y), "product": x * y}
        place = rng.choice(("garden", "playground", "car park", "vineyard"))
        problem = rng.choice(
            (
                f"A rectangular {place} has an area of {x * y} square metres and a perimeter of {2 * (x + y)} "
                f"metres. {goal}",
                f"A fence of {2 * (x + y)} metres encloses a rectangular {place} of {x * y} square metres. {goal}",
            )
        )
    else:
        if not right:
            return None
        other = rng.choice(("perimeter", "product"))
        facts = {"squares": diagonal**2, other: 2 * (x + y) if other == "perimeter" else x * y}
        place = rng.choice(("garden", "playground", "car park", "vineyard"))
        size = f"a perimeter of {2 * (x + y)} metres" if other == "perimeter" else f"an area of {x * y} square metres"
        problem = (
            f"A rectangular {place} has {size}, and a straight path of {diagonal} metres joins two opposite corners. "
            f"{goal}"
        )
    answer = {"larger": x, "smaller": y, "difference": x - y}[wanted]
    return Draw(problem, str(answer), {"facts": facts, "wanted": wanted})
