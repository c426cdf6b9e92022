"""Problems on equations with square roots."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def by_trial(kind: str, inside: list[list[int]], sign: int, total: list[int]) -> object:
    """Try whole numbers x in the equation; where another sum is asked, close in on x and round."""
    from fractions import Fraction
    from math import isqrt, sqrt

    wanted = Fraction(*total)
    (a, b, c), (d, e, f) = inside
    if kind == "partner":

        def result(x: float) -> float:
            return sqrt(a * x * x + b * x + c) - sqrt(d * x * x + e * x + f)

        # The difference shrinks while x grows.
        low, high = 0.0, 1.0
        while result(high) > wanted:
            low, high = high, 2 * high
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if result(middle) > wanted else (low, middle)
        return Fraction(sqrt(a * low * low + b * low + c) + sqrt(d * low * low + e * low + f)).limit_denominator(100)
    found = []
    for x in range(-200, 201):
        p, q = a * x * x + b * x + c, d * x * x + e * x + f
        if p >= 0 and q >= 0 and isqrt(p) ** 2 == p and isqrt(q) ** 2 == q and isqrt(p) + sign * isqrt(q) == wanted:
            found.append(x)
    return max(found)


@generator("Divide a difference of squares by a sum of roots to get their difference", check=by_trial)
def difference_of_roots(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("partner", "partner", "linear"), ("partner", "linear", "quadratic"), ("quadratic", "multiple", "multiple"))[
            difficulty - 1
        ]
    )
    if kind == "partner":
        return _partner(rng, difficulty)
    sign = rng.choice((1, -1))
    x = rng.randint(1, 12) if kind != "linear" else rng.randint(2, 20)
    high, low = rng.randint(2, 16), rng.randint(1, 12)
    if low >= high:
        return None
    total = high + sign * low
    if kind == "multiple":
        # The inner difference is (total)·(ux + v), so that the other combination is ux + v.
        u = rng.choice((1, 1, 2))
        v = (high - sign * low) - u * x
        lead = rng.choice((1, 2, 3, 4))
        linear = rng.randint(-5, 9)
        first = [lead, linear, high * high - lead * x * x - linear * x]
        second = [lead, linear - total * u, first[2] - total * v]
        if abs(v) > 12:
            return None
        # (total + ux + v)² = 4·first has x and another root by Vieta.
        square = u * u - 4 * lead
        if not square:
            return None
        other = Fraction(4 * linear - 2 * u * (total + v), square) - x
        first_root, second_root = (total + u * other + v) / 2, sign * (total - u * other - v) / 2
        if (first_root >= 0 and second_root >= 0) or other == x:
            return None
    else:
        lead = 0 if kind == "linear" else 1
        linear = rng.randint(1, 9) if kind == "quadratic" else rng.randint(2, 6)
        first = [lead, linear, high * high - lead * x * x - linear * x]
        second = [lead, linear, low * low - lead * x * x - linear * x]
        other = Fraction(-linear) - x
        if difficulty < 3 and (high - low) < 2:
            return None
    if max(abs(first[2]), abs(second[2])) > 150 or not first[2] or not second[2]:
        return None
    equation = f"\\sqrt{{{polynomial(first)}}} {'+' if sign > 0 else '-'} \\sqrt{{{polynomial(second)}}} = {total}"
    if kind == "quadratic":
        wanted = "the positive solution"
        problem = rng.choice(
            (
                f"Find {wanted} of ${equation}$.",
                f"Which positive real number $x$ satisfies ${equation}$?",
                f"{person(rng)} looks for a positive number $x$ with ${equation}$. What is $x$?",
            )
        )
    else:
        problem = rng.choice(
            (
                f"Solve ${equation}$ for real $x$.",
                f"Which real number $x$ satisfies ${equation}$?",
                f"{person(rng)} looks for a real number $x$ with ${equation}$. What is $x$?",
            )
        )
    values = {"kind": kind, "inside": [first, second], "sign": sign, "total": [total, 1]}
    return Draw(problem, str(x), values)


def _partner(rng: Random, difficulty: int) -> Draw | None:
    # Difference c and sum s of two roots whose insides differ by c·s.
    gap = Fraction(rng.randint(1, 6)) if difficulty == 1 else Fraction(rng.randint(1, 9), rng.choice((1, 2, 3)))
    total = Fraction(rng.randint(4, 24)) if difficulty == 1 else Fraction(rng.randint(5, 40), rng.choice((1, 2)))
    product = gap * total
    if product.denominator > 1 or total <= gap:
        return None
    # The insides are ax² + bx + c with the same a and b.
    lead, linear = (1, 0) if difficulty == 1 else rng.choice(((1, 0), (2, 0), (1, 2), (1, 3), (3, 1), (0, 5), (0, 3)))
    small = (total - gap) / 2
    constant = rng.randint(1, 40)
    if constant >= small * small:
        return None
    first, second = [lead, linear, constant + int(product)], [lead, linear, constant]
    letter = rng.choice("axt")
    one, two = (rf"\sqrt{{{polynomial(p, letter)}}}" for p in (first, second))
    condition = f"{letter} > 0" if linear or lead != 1 else f"{letter}"
    shown = str(gap) if gap.denominator == 1 else rf"\dfrac{{{gap.numerator}}}{{{gap.denominator}}}"
    name = f"positive number ${letter}$" if condition != letter else f"real number ${letter}$"
    problem = rng.choice(
        (
            f"For some {name}, ${one} - {two} = {shown}$. What is ${one} + {two}$?",
            f"A {name} satisfies ${one} - {two} = {shown}$. Find the value of ${one} + {two}$.",
            f"The difference ${one} - {two}$ equals ${shown}$ for a {name}. What does the sum of the two roots equal?",
        )
    )
    values = {"kind": "partner", "inside": [first, second], "sign": -1, "total": [gap.numerator, gap.denominator]}
    return Draw(problem, str(total), values)
