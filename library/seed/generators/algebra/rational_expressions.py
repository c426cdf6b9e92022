"""Problems on ratios."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import people, signed


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
