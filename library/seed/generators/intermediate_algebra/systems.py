"""Problems on systems of equations in several unknowns."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def triples_searched(kind: str, numbers: list[int], asked: str) -> object:
    """Try all triples of whole numbers in a range that holds every solution."""
    found = []
    total, second, third = numbers
    reach = total if kind in ("box", "coins") else 16
    for x in range(1 if kind in ("box", "coins") else -reach, reach + 1):
        for y in range(x, reach + 1):
            z = total - x - y
            if z < y:
                break
            if kind in ("box", "coins", "pairs"):
                holds = x * y + y * z + z * x == second and x * y * z == third
            elif kind == "squares":
                holds = x * x + y * y + z * z == second and x * y * z == third
            elif kind == "cubes":
                holds = x * x + y * y + z * z == second and x**3 + y**3 + z**3 == third
            else:
                # The sum of the reciprocals is second/third, and the product is third.
                holds = x * y * z == third and x * y + y * z + z * x == second
            if holds:
                found.append((x, y, z))
    ((x, y, z),) = found
    return {"largest": z, "smallest": x, "middle": y, "spread": z - x}[asked]


@generator("Read three unknowns as the roots of one cubic", check=triples_searched)
def three_unknowns(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (
            ("coins", "pairs", "box"),
            ("box", "squares", "pairs", "reciprocals"),
            ("squares", "cubes", "reciprocals", "cubes"),
        )[difficulty - 1]
    )
    if kind in ("box", "coins"):
        x, y, z = sorted(rng.randint(1, 8 if difficulty == 1 else 14) for _ in range(3))
    else:
        reach = (4, 7, 9)[difficulty - 1]
        x, y, z = sorted(rng.choice([n for n in range(-reach, reach + 1) if n]) for _ in range(3))
    if len({x, y, z}) < 3:
        return None
    total, pairs, product = x + y + z, x * y + y * z + z * x, x * y * z
    squares, cubes = x * x + y * y + z * z, x**3 + y**3 + z**3
    asked = rng.choice(("largest", "smallest") if difficulty < 3 else ("largest", "smallest", "middle", "spread"))
    letter = {"largest": "z", "smallest": "x", "middle": "y", "spread": "z - x"}[asked]
    question = {
        "largest": "What is the largest of the three numbers?",
        "smallest": "What is the smallest of the three numbers?",
        "middle": "Which of the three numbers lies between the other two?",
        "spread": "By how much do the largest and the smallest of the three numbers differ?",
    }[asked]
    order = r"x \le y \le z"
    if kind == "box":
        numbers = [total, pairs, product]
        edge = {"largest": "longest", "smallest": "shortest"}[asked]
        unit, long = rng.choice((("cm", "centimetres"), ("dm", "decimetres"), ("m", "metres")))
        problem = rng.choice(
            (
                f"The twelve edges of a rectangular box have a total length of {4 * total} {unit}. Its surface "
                f"measures {2 * pairs} square {long} and its volume {product} cubic {long}. How many {long} long is "
                f"its {edge} edge?",
                f"{person(rng)} needs {4 * total} {unit} of wire for the frame of a box with rectangular faces, "
                f"{2 * pairs} square {long} of paper to cover its six faces, and it then holds exactly {product} cubic "
                f"{long}. Find the length of its {edge} edge in {long}.",
                f"A rectangular box has a volume of {product} cubic {long}, a surface of {2 * pairs} square {long}, "
                f"and the sum of its length, width and height is {total} {unit}. What is its {edge} edge in {long}?",
            )
        )
    elif kind in ("coins", "pairs"):
        numbers = [total, pairs, product]
        if kind == "coins":
            who, most, least = rng.choice(
                (
                    ("ages of three children", "How old is the oldest child?", "How old is the youngest child?"),
                    (
                        "numbers of coins in three bags",
                        "How many coins are in the fullest bag?",
                        "How many coins are in the emptiest bag?",
                    ),
                    (
                        "lengths of three rods in metres",
                        "How many metres long is the longest rod?",
                        "How many metres long is the shortest rod?",
                    ),
                )
            )
            problem = (
                f"The {who} have the sum {total} and the product {product}. If every two of them are multiplied, the "
                f"three products add up to {pairs}. {most if asked == 'largest' else least}"
            )
        else:
            problem = rng.choice(
                (
                    f"Real numbers ${order}$ satisfy $x + y + z = {total}$, $xy + yz + zx = {pairs}$ and $xyz = "
                    f"{product}$. Find ${letter}$.",
                    f"Three real numbers have the sum ${total}$ and the product ${product}$. The products of every two "
                    f"of them add up to ${pairs}$. {question}",
                )
            )
    elif kind == "squares":
        numbers = [total, squares, product]
        problem = rng.choice(
            (
                f"Real numbers ${order}$ satisfy $x + y + z = {total}$, $x^2 + y^2 + z^2 = {squares}$ and $xyz = "
                f"{product}$. Find ${letter}$.",
                f"The sum of three real numbers is ${total}$, the sum of their squares is ${squares}$, and their "
                f"product is ${product}$. {question}",
            )
        )
    elif kind == "cubes":
        numbers = [total, squares, cubes]
        problem = rng.choice(
            (
                f"Real numbers ${order}$ satisfy $x + y + z = {total}$, $x^2 + y^2 + z^2 = {squares}$ and $x^3 + y^3 + "
                f"z^3 = {cubes}$. Find ${letter}$.",
                f"Three real numbers add up to ${total}$, their squares add up to ${squares}$ and their cubes to "
                f"${cubes}$. {question}",
            )
        )
    else:
        numbers = [total, pairs, product]
        reciprocal = Fraction(pairs, product)
        if not pairs:
            return None
        sign = "-" if reciprocal < 0 else ""
        shown = rf"{sign}\dfrac{{{abs(reciprocal.numerator)}}}{{{reciprocal.denominator}}}"
        shown = str(reciprocal) if reciprocal.denominator == 1 else shown
        problem = rng.choice(
            (
                f"Real numbers ${order}$ satisfy $x + y + z = {total}$, $xyz = {product}$ and "
                rf"$\dfrac{{1}}{{x}} + \dfrac{{1}}{{y}} + \dfrac{{1}}{{z}} = {shown}$. Find ${letter}$.",
                f"Three real numbers have the sum ${total}$ and the product ${product}$, and their reciprocals add up "
                f"to ${shown}$. {question}",
            )
        )
    answer = {"largest": z, "smallest": x, "middle": y, "spread": z - x}[asked]
    return Draw(problem, str(answer), {"kind": kind, "numbers": numbers, "asked": asked})


def terms_from_exponentials(values: list[int], further: int) -> object:
    """Find the two bases and their weights in decimals from the four values, and add the weighted powers."""
    from cmath import sqrt
    from fractions import Fraction

    a, b, c, d = values
    # Two bases with sum s and product p: c = s·b - p·a and d = s·c - p·b, by Cramer's rule.
    determinant = a * c - b * b
    s, p = Fraction(a * d - b * c, determinant), Fraction(b * d - c * c, determinant)
    root = sqrt(s * s - 4 * p)
    u, v = (complex(s) + root) / 2, (complex(s) - root) / 2
    weight = (b - a * v) / (u - v)
    value = weight * u ** (3 + further) + (a - weight) * v ** (3 + further)
    return round(value.real)


@generator("Find the recurrence behind sums of two powers from four values", check=terms_from_exponentials)
def two_powers(rng: Random, difficulty: int) -> Draw | None:
    reach = (4, 6, 8)[difficulty - 1]
    s, p = rng.randint(-reach, reach), rng.choice([n for n in range(-reach, reach + 1) if n])
    if not s or s * s == 4 * p:
        return None
    a, b = rng.randint(-4, 9), rng.choice([n for n in range(-5, 12) if n])
    row = [a, b]
    further = rng.choice(((1,), (1, 2), (2, 3))[difficulty - 1])
    while len(row) < 4 + further:
        row.append(s * row[-1] - p * row[-2])
    if row[0] * row[2] == row[1] ** 2 or max(map(abs, row[:4])) > 400 or abs(row[-1]) > 9000 or 0 in row[:4]:
        return None
    start = rng.choice((0, 1)) if difficulty > 1 else 1
    power = [f"^{start + i}" if start + i > 1 else "" for i in range(4 + further)]

    def total(i: int) -> str:
        return "a + b" if start + i == 0 else f"ax{power[i]} + by{power[i]}"

    given = [f"${total(i)} = {row[i]}$" for i in range(4)]
    ordinals = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
    real = s * s > 4 * p
    wordings = [
        f"{'Real' if real else 'Complex'} numbers $a, b, x, y$ satisfy {', '.join(given[:3])} and {given[3]}. Find "
        f"${total(3 + further)}$.",
        f"Numbers $a, b, x, y$, not necessarily real, are chosen so that {', '.join(given[:3])} and {given[3]}. What "
        f"is the value of ${total(3 + further)}$?",
    ]
    if real:
        shown = f"{row[0]}, {row[1]}, {row[2]} and {row[3]}"
        wordings += [
            "A signal is the sum of two geometric sequences with unknown first terms and ratios. Its values at the "
            f"times 0, 1, 2 and 3 are {shown}. What is its value at time {3 + further}?",
            f"{person(rng)} adds two geometric sequences term by term. The first four sums are {shown}. What is the "
            f"{ordinals[3 + further]} sum?",
        ]
    return Draw(rng.choice(wordings), str(row[-1]), {"values": row[:4], "further": further})
