"""Problems on roots of unity."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import polynomial


def in_the_plane(kind: str, order: int, numbers: list[list[int]]) -> str:
    """Put the root of unity into the expression as a complex number in decimals."""
    from cmath import exp, pi

    root = exp(2j * pi / order)
    if kind == "powers":
        value = 1 + 0j
        for first, second, third, power in numbers:
            value *= (first + second * root + third * root**2) ** power
    elif kind == "sum":
        value = sum((number * root**power for number, power in numbers), 0j)
    elif kind == "brackets":
        value = 1 + 0j
        for power, number in numbers:
            value *= number + root**power
    else:
        value = 1 + 0j
        for (power,) in numbers:
            value *= root**power + root**-power
    assert abs(value.imag) < 1e-4 + 1e-9 * abs(value)
    return str(round(value.real))


@generator("Reduce powers of a root of unity and use their zero sum", check=in_the_plane)
def unity(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("sum", "brackets"), ("sum", "mirror", "powers"), ("powers", "brackets", "sum"))[difficulty - 1])
    letter = rng.choice(("\\omega", "z", "\\varepsilon"))
    order = 3
    given = rng.choice(
        (
            f"Let ${letter} \\ne 1$ be a complex number with ${letter}^3 = 1$.",
            f"The complex number ${letter}$ satisfies ${letter}^2 + {letter} + 1 = 0$.",
            f"The number ${letter}$ is one of the two roots of $x^2 + x + 1$.",
        )
    )
    if kind == "powers":
        numbers = []
        answer = 1
        parts = []
        for _ in range(1 if difficulty == 2 else 2):
            same, single = rng.randint(1, 9), rng.randint(1, 9)
            place = rng.randrange(3)
            row = [same] * 3
            row[place] = single
            power = 3 * rng.randint(1, 2)
            if same == single or abs(single - same) > 5:
                return None
            answer *= (single - same) ** power
            numbers.append([*row, power])
            parts.append(f"({polynomial(row[::-1], letter)})^{power}")
        expression = "".join(parts)
    elif kind == "sum":
        order = rng.choice((3, 3, 5, 7) if difficulty > 1 else (3,))
        most = (30, 100, 1000)[difficulty - 1]
        group = rng.sample(range(order), order)
        common, extra = rng.randint(1, 6), rng.randint(1, 9) * rng.choice((1, -1))
        # The same coefficient before every residue, and an extra one before the residue 0.
        terms = {residue + order * rng.randint(1, most // order): common for residue in group if residue}
        lone = order * rng.randint(1, most // order)
        terms[lone] = common + extra
        if terms[lone] == 0:
            return None
        numbers = [[number, power] for power, number in sorted(terms.items(), reverse=True)]
        answer = extra
        pieces = [
            f"{'' if number == 1 else '-' if number == -1 else number}{letter}^{{{power}}}" for number, power in numbers
        ]
        expression = " + ".join(pieces).replace("+ -", "- ")
        if order > 3:
            given = rng.choice(
                (
                    f"Let ${letter} \\ne 1$ be a complex number with ${letter}^{order} = 1$.",
                    f"The complex number ${letter}$ is a root of $x^{order} - 1$, but it is not $1$.",
                )
            )
    elif kind == "brackets":
        count = 2 if difficulty == 1 else rng.randint(3, 4)
        powers = rng.sample([power for power in range(2, (12, 40, 80)[difficulty - 1]) if power % 3], count)
        shift = rng.randint(2, 6)
        offsets = [shift] * count
        if difficulty == 3:
            offsets = [rng.randint(1, 5) for _ in range(count)]
        numbers = [[power, offset] for power, offset in zip(powers, offsets, strict=True)]
        # Work in numbers p + q·ω with ω² = -1 - ω.
        p, q = 1, 0
        for power, offset in numbers:
            a, b = (offset, 1) if power % 3 == 1 else (offset - 1, -1)
            p, q = p * a - q * b, p * b + q * a - q * b
        if q:
            return None
        answer = p
        expression = "".join(f"({offset} + {letter}^{{{power}}})" for power, offset in numbers)
    else:
        powers = [rng.randint(2, 90) for _ in range(rng.randint(2, 4))]
        numbers = [[power] for power in powers]
        answer = 1
        for power in powers:
            answer *= -1 if power % 3 else 2
        expression = "".join(f"\\left({letter}^{{{power}}} + {letter}^{{-{power}}}\\right)" for power in powers)
    task = rng.choice(
        (
            f"Evaluate ${expression}$.",
            f"What is the value of ${expression}$?",
            f"Which integer is equal to ${expression}$?",
        )
    )
    return Draw(f"{given} {task}", str(answer), {"kind": kind, "order": order, "numbers": numbers})
