"""Problems on infinite series and on differential equations."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def differences_summed(factor: list[int], polynomial: list[int], ratio: list[int], first: int) -> str:
    """Subtract the series times its ratio from itself again and again, which leaves the differences of the factors."""
    from fractions import Fraction
    from itertools import pairwise

    def value(n: int) -> int:
        total = 0
        for c in polynomial:
            total = total * n + c
        return total

    x = Fraction(*ratio)
    row = [value(n) for n in range(first, first + len(polynomial) + 1)]
    total, scale = Fraction(0), Fraction(1)
    while any(row):
        total += row[0] * scale / (1 - x)
        scale *= x / (1 - x)
        row = [b - a for a, b in pairwise(row)]
    return str(Fraction(*factor) * x**first * total)


@generator("Reach a series from the geometric series by calculus", check=differences_summed)
def differentiated_series(rng: Random, difficulty: int) -> Draw | None:
    q = rng.randint(2, (20, 12, 9)[difficulty - 1])
    story = rng.random() < 0.45
    p = (q - 1 if story else 1) if difficulty == 1 else rng.randint(1, q - 1)
    x = Fraction(p, q)
    if x.denominator != q:
        return None
    power = f"{q}^n" if p == 1 else rf"\left(\frac{{{p}}}{{{q}}}\right)^n"
    one = 1 / (1 - x)
    # x / (1 - x)^2 sums n x^n, and 2 x^2 / (1 - x)^3 sums n (n - 1) x^n.
    linear, falling = x * one**2, 2 * x**2 * one**3
    factor = Fraction(1)
    name = person(rng)
    if story:
        # Rounds until the first success, with probability 1 - x a round.
        success = 1 - x
        factor = success / x
        chance = rf"\frac{{{success.numerator}}}{{{success.denominator}}}"
        if difficulty == 1:
            m = rng.randint(2, 12)
            coefficients, pay = [m, 0], f"{m} points for each throw that {name} has made, the last one included"
            answer = factor * m * linear
        else:
            m = rng.randint(1, 4)
            coefficients, pay = rng.choice(
                (
                    ([1, 0, 0], "$n^2$ points, if it was the $n$th throw"),
                    ([1, 1, 0], "$n(n+1)$ points, if it was the $n$th throw"),
                    ([1, -1, 0], "$n(n-1)$ points, if it was the $n$th throw"),
                    ([1, m, 0], f"$n^2 + {m if m > 1 else ''}n$ points, if it was the $n$th throw"),
                    ([m, m + 1], f"${m if m > 1 else ''}n + {m + 1}$ points, if it was the $n$th throw"),
                )
            )
            square = coefficients[0] if len(coefficients) == 3 else 0
            middle = coefficients[-2]
            constant = coefficients[-1]
            answer = factor * (square * (falling + linear) + middle * linear + constant * x * one)
        thing = rng.choice(("throws rings at a peg", "throws a ball at a bucket", "throws darts at a balloon"))
        problem = (
            f"{name} {thing} and hits with probability ${chance}$ in each throw, independently of the others. At the "
            "first "
            f"hit the game ends and pays {pay}. How many points does the game pay on average?"
        )
        first = 1
    else:
        m = rng.randint(1, 9 if difficulty == 1 else 4)
        options: tuple[tuple[list[int], str], ...] = (
            (([m, 0], f"{m if m > 1 else ''}n"), ([1, m], f"n + {m}"), ([2, m], f"2n + {m}"))
            if difficulty == 1
            else (
                ([1, 0, 0], "n^2"),
                ([1, 1, 0], "n(n+1)"),
                ([1, m, 0], f"n(n + {m})"),
                ([1, 0, m], f"n^2 + {m}"),
                ([m, m + 1], f"{m if m > 1 else ''}n + {m + 1}"),
            )
        )
        if difficulty == 3:
            options = (
                *options[1:4],
                ([1, 2, m], f"n^2 + 2n + {m}"),
                ([1, m, -m], f"n^2 + {m if m > 1 else ''}n - {m}"),
            )
        coefficients, text = rng.choice(options)
        first = rng.randint(0, 2) if difficulty == 3 else 1
        square = coefficients[0] if len(coefficients) == 3 else 0
        middle, constant = coefficients[-2], coefficients[-1]
        answer = square * (falling + linear) + middle * linear + constant * one
        for n in range(first):
            answer -= (square * n * n + middle * n + constant) * x**n
        brackets = f"({text})" if "+" in text and not text.startswith("n(") else text
        term = rf"\frac{{{text}}}{{{power}}}" if p == 1 else f"{brackets}{power}"
        shown = rf"\displaystyle\sum_{{n={first}}}^{{\infty}}{term}"

        def written(n: int) -> str:
            value = square * n * n + middle * n + constant
            return rf"\frac{{{value}}}{{{q}^{n}}}" if n > 1 else rf"\frac{{{value}}}{{{q}}}" if n else str(value)

        forms = [f"Find the sum of the infinite series ${shown}$."]
        if p == 1 and first < 2:
            row = " + ".join(written(n) for n in range(first, first + 3))
            row = row.replace("+ -", "- ")
            forms += [
                f"What is the sum of the infinite series ${row} + \\cdots + {term} + \\cdots$?",
                f"A pump adds ${term}$ litres of water to an empty barrel in step $n$, for $n = {first}, {first + 1}, "
                f"{first + 2}, \\ldots$ How many litres does the barrel approach in the long run?",
            ]
            if constant < 0:
                forms = forms[:2]
        problem = rng.choice(forms)
    values = {
        "factor": [factor.numerator, factor.denominator],
        "polynomial": coefficients,
        "ratio": [p, q],
        "first": first,
    }
    return Draw(problem, str(answer), values)
