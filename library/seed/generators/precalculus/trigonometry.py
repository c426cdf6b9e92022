"""Problems on exact values of trigonometric functions."""

from fractions import Fraction
from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person

_TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (12, 35, 37))


def in_decimals(points: list[list[int]], wanted: str) -> str:
    """Take the angles from points on their terminal sides in decimals and recognise the fraction."""
    from fractions import Fraction
    from math import atan2, cos, pi, sin, tan

    x, y = (atan2(ordinate, abscissa) % (2 * pi) for abscissa, ordinate in points)
    values = {
        "sin": sin(x),
        "cos": cos(x),
        "tan": tan(x),
        "sin 2": sin(2 * x),
        "cos 2": cos(2 * x),
        "tan 2": tan(2 * x),
        "sum": sin(x) + cos(x),
        "sin +": sin(x + y),
        "sin -": sin(x - y),
        "cos +": cos(x + y),
        "cos -": cos(x - y),
        "tan +": tan(x + y),
        "cos 3": cos(3 * x),
        "half": tan(x / 2),
    }
    return str(Fraction(values[wanted]).limit_denominator(60000))


@generator("Find exact values from special angles or from one function and its quadrant", check=in_decimals)
def exact_values(rng: Random, difficulty: int) -> Draw | None:
    wanted = rng.choice(
        (
            ("sin", "cos", "tan", "sum"),
            ("sin 2", "cos 2", "tan 2", "sum"),
            ("sin +", "sin -", "cos +", "cos -", "tan +", "cos 3", "half"),
        )[difficulty - 1]
    )
    quadrant = 1 if difficulty == 1 and rng.random() < 0.6 else rng.randint(1, 4)
    one, other, long = rng.choice(_TRIPLES)
    if rng.random() < 0.5:
        one, other = other, one
    across, up = one * (1 if quadrant in (1, 4) else -1), other * (1 if quadrant < 3 else -1)
    sine, cosine = Fraction(up, long), Fraction(across, long)
    known = rng.choice([name for name in ("sin", "cos", "tan") if name != wanted])
    value = {"sin": sine, "cos": cosine, "tan": sine / cosine}[known]
    word = ("first", "second", "third", "fourth")[quadrant - 1]

    def shown(number: Fraction) -> str:
        if number.denominator == 1:
            return str(number)
        sign = "-" if number < 0 else ""
        return f"{sign}\\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"

    second = [1, 1]
    who = person(rng)
    expression = {
        "sin": "\\sin x", "cos": "\\cos x", "tan": "\\tan x", "sum": "\\sin x + \\cos x", "sin 2": "\\sin 2x",
        "cos 2": "\\cos 2x", "tan 2": "\\tan 2x", "sin +": "\\sin(x + y)", "sin -": "\\sin(x - y)",
        "cos +": "\\cos(x + y)", "cos -": "\\cos(x - y)", "tan +": "\\tan(x + y)", "cos 3": "\\cos 3x",
        "half": "\\tan\\frac{x}{2}",
    }[wanted]  # fmt: skip
    answer = {
        "sin": sine,
        "cos": cosine,
        "tan": sine / cosine,
        "sum": sine + cosine,
        "sin 2": 2 * sine * cosine,
        "cos 2": cosine**2 - sine**2,
        "tan 2": 2 * sine * cosine / (cosine**2 - sine**2),
        "cos 3": 4 * cosine**3 - 3 * cosine,
        "half": sine / (1 + cosine),
    }.get(wanted, Fraction(0))
    if wanted[-1] in "+-":
        p, q, r = rng.choice(_TRIPLES)
        if gcd(long, r) > 1:
            return None
        second = [p, q]
        s, c = Fraction(q, r), Fraction(p, r)
        answer = {
            "sin +": sine * c + cosine * s,
            "sin -": sine * c - cosine * s,
            "cos +": cosine * c - sine * s,
            "cos -": cosine * c + sine * s,
            "tan +": (sine * c + cosine * s) / (cosine * c - sine * s),
        }[wanted]
        given = rng.choice(("sin", "cos", "tan"))
        other_value = {"sin": s, "cos": c, "tan": s / c}[given]
        text = rng.choice(
            (
                f"The angle $x$ lies in the {word} quadrant with $\\{known} x = {shown(value)}$, and the angle $y$ is "
                f"acute with $\\{given} y = {shown(other_value)}$. Find the exact value of ${expression}$.",
                f"An angle $x$ between ${90 * (quadrant - 1)}^\\circ$ and ${90 * quadrant}^\\circ$ satisfies "
                f"$\\{known} x = {shown(value)}$, and an angle $y$ between $0^\\circ$ and $90^\\circ$ satisfies "
                f"$\\{given} y = {shown(other_value)}$. What is ${expression}$?",
                f"The terminal side of the angle $x$ passes through $({across}, {up})$ and that of the angle $y$ "
                f"through $({p}, {q})$, both angles measured from the positive $x$-axis. What is ${expression}$?",
            )
        )
    else:
        between = f"between ${90 * (quadrant - 1)}^\\circ$ and ${90 * quadrant}^\\circ$"
        region = between if wanted == "half" else f"in the {word} quadrant"
        text = rng.choice(
            (
                f"An angle $x$ {region} has $\\{known} x = {shown(value)}$. What is ${expression}$?",
                f"For an angle $x$ with ${90 * (quadrant - 1)}^\\circ < x < {90 * quadrant}^\\circ$ it is known that "
                f"$\\{known} x = {shown(value)}$. Find the exact value of ${expression}$.",
                f"{who} turns a ray from the positive $x$-axis about the origin by an angle $x$ between $0^\\circ$ "
                f"and $360^\\circ$, counterclockwise, until it passes through the point $({across}, {up})$. What is "
                f"${expression}$?",
            )
        )
    return Draw(text, str(answer), {"points": [[across, up], second], "wanted": wanted})
