"""Problems on ratios and continued fractions."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, people, signed


def scanned_ratios(parts: list[int], pairs: bool, condition: str, total: int, wanted: list[int]) -> str:
    """Try the second number and read the others off the equal ratios."""
    from fractions import Fraction

    if pairs:
        # The parts belong to x + y, y + z and z + x: take the sums for the numbers of a chain of their own.
        p, q, r = (Fraction(part) for part in parts)
        parts_of = [(p + r - q) / 2, (p + q - r) / 2, (q + r - p) / 2]
    else:
        parts_of = [Fraction(part) for part in parts]
    step = 0
    while True:
        step += 1
        middle = Fraction(step, 2)
        x, y, z = (middle * part / parts_of[1] for part in parts_of)
        size = {
            "sum": x + y + z,
            "products": x * y + y * z + z * x,
            "squares": x * x + y * y + z * z,
            "difference": abs(z - x),
            "none": Fraction(total),
        }[condition]
        if size == total:
            break
    values = sum(c * value for c, value in zip(wanted[:3], (x, y, z), strict=True))
    if condition == "none":
        return str(values / sum(c * value for c, value in zip(wanted[3:], (x, y, z), strict=True)))
    return str(values)


@generator("Name the common value of equal ratios", check=scanned_ratios)
def common_ratio(rng: Random, difficulty: int) -> Draw | None:
    parts = rng.sample(range(2, 8 + 2 * difficulty), 3)
    pairs = difficulty == 3
    if pairs:
        p, q, r = parts
        sizes = [Fraction(p + r - q, 2), Fraction(p + q - r, 2), Fraction(q + r - p, 2)]
        if min(sizes) <= 0 or len(set(sizes)) < 3:
            return None
    else:
        sizes = [Fraction(part) for part in parts]
    condition = rng.choice(
        (["sum", "difference"], ["sum", "products", "squares", "none"], ["sum", "squares", "none"])[difficulty - 1]
    )
    k = rng.randint(2, 7 if condition != "sum" else 12)
    if pairs and any((k * size).denominator > 1 for size in sizes):
        return None
    x, y, z = numbers = [k * size for size in sizes]
    names = ["x", "y", "z"] if rng.random() < 0.6 else ["a", "b", "c"]
    first, second, third = names
    total = {
        "sum": x + y + z,
        "products": x * y + y * z + z * x,
        "squares": x * x + y * y + z * z,
        "difference": abs(z - x),
        "none": Fraction(0),
    }[condition]
    tops = [f"{first} + {second}", f"{second} + {third}", f"{third} + {first}"] if pairs else names
    chain = " = ".join(rf"\dfrac{{{top}}}{{{part}}}" for top, part in zip(tops, parts, strict=True))
    statement = {
        "sum": f"{first} + {second} + {third} = {total}",
        "products": f"{first}{second} + {second}{third} + {third}{first} = {total}",
        "squares": f"{first}^2 + {second}^2 + {third}^2 = {total}",
        "difference": f"{third} - {first} = {total}" if z > x else f"{first} - {third} = {total}",
        "none": "",
    }[condition]
    if condition == "none":
        wanted = [rng.randint(1, 4), 0, rng.randint(-3, 3), 0, rng.randint(1, 3), rng.randint(0, 3)]
        above = sum(c * value for c, value in zip(wanted[:3], numbers, strict=True))
        answer = above / sum(c * value for c, value in zip(wanted[3:], numbers, strict=True))
        if answer <= 0 or wanted[2] == 0:
            return None
        top = f"{signed(wanted[0], first)} {signed(wanted[2], third)}".removeprefix("+ ")
        bottom = f"{signed(wanted[4], second)} {signed(wanted[5], third)}".removeprefix("+ ").strip()
        problem = rng.choice(
            (
                f"Nonzero numbers ${first}$, ${second}$, ${third}$ satisfy ${chain}$. What is "
                f"$\\dfrac{{{top}}}{{{bottom}}}$?",
                f"Suppose that ${chain}$, where ${first}$, ${second}$ and ${third}$ are not $0$. Find the value of "
                f"$\\dfrac{{{top}}}{{{bottom}}}$.",
                f"Let ${chain} \\ne 0$. Evaluate $\\dfrac{{{top}}}{{{bottom}}}$.",
            )
        )
    else:
        goals = (
            [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
            if difficulty == 1
            else [[1, 0, 0], [0, 0, 1], [2, 0, 1], [1, 1, 0], [0, 1, 2]]
        )
        if condition != "sum" and difficulty > 1:
            goals.append([1, 1, 1])
        if pairs:
            goals = [goal for goal in goals if goal != [1, 1, 0]]
        wanted = rng.choice(goals)
        answer = sum((c * value for c, value in zip(wanted, numbers, strict=True)), Fraction(0))
        asked = " ".join(
            term for c, letter in zip(wanted, names, strict=True) if (term := signed(c, letter))
        ).removeprefix("+ ")
        one, two, three = people(rng, 3)
        letters = f"${first}$, ${second}$ and ${third}$"
        choices = [
            f"Three positive numbers {letters} are related by ${chain}$ and ${statement}$. Find ${asked}$.",
            f"Let ${chain}$ with positive numbers {letters}, and let ${statement}$. What is ${asked}$?",
            f"{one}, {two} and {three} own ${first}$, ${second}$ and ${third}$ coins, positive numbers for which "
            f"${chain}$ and "
            f"${statement}$. What is ${asked}$?",
        ]
        problem = rng.choice(choices)
    values = {"parts": parts, "pairs": pairs, "condition": condition, "total": int(total), "wanted": wanted}
    return Draw(problem, str(answer), values)


def tried_entries(target: list[int], known: list[int], wanted: str) -> int:
    """Work towers of small whole numbers out from the bottom until one has the given value."""
    from itertools import product
    from math import prod

    top, bottom = target
    found = set()
    for choice in product(range(1, 10), repeat=known.count(0)):
        fill = iter(choice)
        tower = [entry or next(fill) for entry in known]
        above, below = tower[-1], 1
        for entry in reversed(tower[:-1]):
            above, below = entry * above + below, above
        if above * bottom == below * top and tower[-1] > 1:
            found.add(choice)
    (entries,) = found
    return {"sum": sum(entries), "product": prod(entries), "last": entries[-1]}[wanted]


@generator("Peel off whole parts and invert to unwind a continued fraction", check=tried_entries)
def continued_fraction(rng: Random, difficulty: int) -> Draw | None:
    length = (2, 3, 4)[difficulty - 1] + (rng.random() < 0.3 and difficulty == 1)
    entries = [rng.randint(1, 9 if difficulty == 1 else 7) for _ in range(length)]
    entries[-1] = rng.randint(2, 9)
    value = Fraction(entries[-1])
    for entry in reversed(entries[:-1]):
        value = entry + 1 / value
    hidden = length if rng.random() < 0.6 else 1
    letters = ["abcd", "pqrs", "klmn"][rng.randrange(3)][:length] if hidden > 1 else "x"
    written = list(letters) if hidden > 1 else [str(entry) for entry in entries[:-1]] + ["x"]
    tower = written[-1]
    for text in reversed(written[:-1]):
        tower = rf"{text} + \cfrac{{1}}{{{tower}}}"
    shown = rf"\dfrac{{{value.numerator}}}{{{value.denominator}}}"
    one, two = people(rng, 2)
    if hidden == 1:
        wanted, known = "last", [*entries[:-1], 0]
        problem = rng.choice(
            (
                f"For which number $x$ is ${tower} = {shown}$?",
                f"{one} replaces one number in a tower of fractions by $x$ and tells {two} that ${tower} = {shown}$. "
                f"Which "
                "number is $x$?",
                f"Find the number $x$ that solves ${shown} = {tower}$.",
            )
        )
        answer = entries[-1]
    else:
        wanted, known = rng.choice(("sum", "product", "last")), [0] * length
        answer = {"sum": sum(entries), "last": entries[-1]}.get(wanted, 1)
        if wanted == "product":
            for entry in entries:
                answer *= entry
        asked = {"sum": " + ".join(letters), "product": letters, "last": letters[-1]}[wanted]
        names = listed([f"${letter}$" for letter in letters])
        last = f"${letters[-1]} > 1$"
        problem = rng.choice(
            (
                f"Positive integers {names} with {last} satisfy ${shown} = {tower}$. Find ${asked}$.",
                f"The number ${shown}$ is to be written as ${tower}$ with positive integers {names}, where {last}. "
                f"What is "
                f"${asked}$?",
                f"{one} has chosen positive integers {names} with {last} and finds ${tower} = {shown}$. {two} is "
                f"told only this "
                f"value and works out ${asked}$. What is the result?",
            )
        )
    return Draw(
        problem, str(answer), {"target": [value.numerator, value.denominator], "known": known, "wanted": wanted}
    )
