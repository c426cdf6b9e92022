"""Problems on triangles that the law of cosines closes."""

from fractions import Fraction
from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def placed(kind: str, numbers: list[int]) -> str:
    """Place the figure in coordinates in decimals and measure the length or the angle, trying whole sides if needed."""
    from cmath import phase, rect
    from fractions import Fraction
    from itertools import count
    from math import cos, degrees, pi

    def third(first: float, second: float, angle: float) -> float:
        return abs(rect(first, 0) - rect(second, angle * pi / 180))

    def seen(a: float, b: float, c: float) -> float:
        # The top lies on the circle around 0 with radius a, at distance c from the point (b, 0).
        foot = (a * a - c * c + b * b) / (2 * b)
        top = complex(foot, max(a * a - foot * foot, 0) ** 0.5)
        return degrees(phase(top))

    if kind == "third":
        return str(round(third(numbers[0], numbers[1], numbers[2])))
    if kind == "angle":
        return str(round(seen(numbers[0], numbers[1], numbers[2])))
    if kind == "bearings":
        first, second, one, other = numbers
        return str(round(abs(rect(first, (90 - one) * pi / 180) - rect(second, (90 - other) * pi / 180))))
    if kind == "side":
        near, far, angle = numbers
        return str(next(size for size in count(1) if abs(third(near, size, angle) - far) < 1e-7))
    if kind == "cosine":
        first, second, across = numbers
        return str(Fraction(cos(seen(first, second, across) * pi / 180)).limit_denominator(10000))
    a, b, angle, c, d = numbers
    if kind == "two sides":
        link = third(a, b, angle)
        return str(next(size for size in count(1) if abs(third(c, size, d) - link) < 1e-7))
    return str(round(seen(c, d, third(a, b, angle))))


def _across(first: int, second: int, angle: int) -> int:
    """Return the third side if it is whole, otherwise 0; the angle is 60°, 90° or 120°."""
    square = first**2 + second**2 - first * second * {60: 1, 90: 0, 120: -1}[angle]
    return isqrt(square) if isqrt(square) ** 2 == square else 0


_MADE = [
    (first, second, angle, _across(first, second, angle))
    for first in range(2, 76)
    for second in range(2, 76)
    for angle in (60, 120)
    if first != second and _across(first, second, angle)
]


def _two_sides(rng: Random, numbers: list[int], answer: int, link: int) -> Draw | None:
    a, b, angle, d, other = numbers
    if other == 60 and link <= d:  # two triangles
        return None
    p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN", "EFGH"))
    text = rng.choice(
        (
            f"In the convex quadrilateral ${p}{q}{r}{s}$ we have ${p}{q} = {a}$, ${q}{r} = {b}$, ${r}{s} = {d}$, "
            f"$\\angle {p}{q}{r} = {angle}^\\circ$ and $\\angle {r}{s}{p} = {other}^\\circ$. How long is ${s}{p}$?",
            f"The corners ${p}$, ${q}$, ${r}$ and ${s}$ of a four-sided field follow one another, and all of them "
            f"point outwards. The sides ${p}{q}$, ${q}{r}$ and ${r}{s}$ measure ${a}$ m, ${b}$ m and ${d}$ m. The "
            f"angle at ${q}$ is ${angle}^\\circ$ and the angle at ${s}$ is ${other}^\\circ$. How many metres long is "
            f"the side ${s}{p}$?",
            f"{person(rng)} measures a convex four-cornered piece of land. Two neighbouring sides of ${a}$ m and "
            f"${b}$ m meet at an angle of ${angle}^\\circ$. The next side, after the one of ${b}$ m, is ${d}$ m long "
            f"and makes an angle of ${other}^\\circ$ with the fourth side. How many metres long is the fourth side?",
        )
    )
    return Draw(text, str(answer), {"kind": "two sides", "numbers": numbers})


@generator("Close a triangle with the law of cosines", check=placed)
def cosines(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (
            ("third", "third", "angle"),
            ("third", "cosine", "bearings", "side"),
            ("two", "two sides", "two sides", "cosine", "bearings"),
        )[difficulty - 1]
    )
    most = (35, 60, 75)[difficulty - 1]
    a, b, angle, c = rng.choice([made for made in _MADE if max(made[0], made[1], made[3]) <= most])
    p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN", "EFGH"))
    who = person(rng)
    if kind == "cosine":
        a, b, c = (rng.randint(3, (0, 16, 40)[difficulty - 1]) for _ in range(3))
        cosine = Fraction(a * a + b * b - c * c, 2 * a * b)
        if not abs(a - b) < c < a + b or cosine == 0 or cosine.denominator > 60 or len({a, b, c}) < 3:
            return None
        text = rng.choice(
            (
                f"Triangle ${p}{q}{r}$ has sides ${p}{q} = {a}$, ${p}{r} = {b}$ and ${q}{r} = {c}$. What is the "
                f"cosine of the angle at ${p}$?",
                f"A triangular sail has edges of ${c}$, ${a}$ and ${b}$ dm. Find the cosine of the angle that faces "
                f"the edge of ${c}$ dm.",
                f"From a tent it is ${a}$ km to a bridge and ${b}$ km to a hut, and bridge and hut are ${c}$ km "
                "apart, all in straight lines. Find the cosine of the angle at which bridge and hut are seen from "
                "the tent.",
            )
        )
        return Draw(text, str(cosine), {"kind": kind, "numbers": [a, b, c]})
    if kind == "third":
        numbers, answer = [a, b, angle], c
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ we have ${p}{q} = {a}$, ${p}{r} = {b}$ and $\\angle {q}{p}{r} = "
                f"{angle}^\\circ$. How long is ${q}{r}$?",
                f"Two straight roads leave a crossing at an angle of ${angle}^\\circ$. One village lies ${a}$ km from "
                f"the crossing on the first road, another ${b}$ km from it on the second. How many kilometres are the "
                "villages apart, in a straight line?",
                f"The hands of a large clock are ${a}$ dm and ${b}$ dm long. How many decimetres are their tips apart "
                f"at a moment at which the hands make an angle of ${angle}^\\circ$?",
                f"To measure the length of a pond, {who} stands at a point from which its two ends are ${a}$ m and "
                f"${b}$ m away and are seen at an angle of ${angle}^\\circ$. How many metres is it from one end of "
                "the pond to the other?",
            )
        )
    elif kind == "angle":
        numbers, answer = [a, b, c], angle
        sides = sorted((a, b, c))
        given = f"${sides[0]}$, ${sides[1]}$ and ${sides[2]}$"
        text = rng.choice(
            (
                f"Triangle ${p}{q}{r}$ has sides ${p}{q} = {a}$, ${p}{r} = {b}$ and ${q}{r} = {c}$. How many degrees "
                f"is the angle at ${p}$?",
                f"A triangular plot has sides of {given} metres. How many degrees is the angle that faces the side of "
                f"${c}$ m?",
                f"{who} makes a triangle of three rods with the lengths {given} in centimetres. What is the angle, in "
                f"degrees, between the rods of ${a}$ cm and ${b}$ cm?",
            )
        )
    elif kind == "bearings":
        one = rng.randrange(5, 355 - angle, 5)
        numbers, answer = [a, b, one, one + angle], c
        hours = rng.choice((1, 2)) if difficulty == 2 else rng.choice((2, 3))
        numbers[:2] = [a * hours, b * hours]
        answer *= hours
        text = rng.choice(
            (
                "Two boats leave a pier at the same moment and keep their courses and speeds. The courses are "
                f"${one}^\\circ$ and ${one + angle}^\\circ$, measured clockwise from north, and the speeds ${a}$ km/h "
                f"and ${b}$ km/h. How many kilometres are the boats apart after "
                f"{'an hour' if hours == 1 else f'${hours}$ hours'}?",
                f"From a lighthouse a ship is seen in the direction ${one}^\\circ$ at a distance of ${a * hours}$ km "
                f"and another one in the direction ${one + angle}^\\circ$ at a distance of ${b * hours}$ km. "
                "Directions are measured clockwise from north. How many kilometres are the ships apart?",
                f"A drone flies ${a * hours}$ m in the direction ${one}^\\circ$ and another drone ${b * hours}$ m in "
                f"the direction ${one + angle}^\\circ$, both from the same place, at the same height and straight. "
                "The directions are measured clockwise from north. How many metres are they apart then?",
            )
        )
    elif kind == "side":
        if angle == 60 and c <= a:  # two triangles
            return None
        numbers, answer = [a, c, angle], b
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ the angle at ${p}$ is ${angle}^\\circ$, ${p}{q} = {a}$ and ${q}{r} = {c}$. "
                f"How long is ${p}{r}$?",
                f"Two straight railway lines leave a town at an angle of ${angle}^\\circ$. A station on the first "
                f"line is ${a}$ km from the town and, in a straight line, ${c}$ km from a station on the second line. "
                "How many kilometres is that station from the town?",
                f"A hinge joins two bars at an angle of ${angle}^\\circ$. The first bar is ${a}$ cm long, and the "
                f"free ends of the bars are ${c}$ cm apart. How many centimetres long is the second bar?",
            )
        )
    else:
        partners = [made for made in _MADE if made[3] == c and set(made[:2]) != {a, b} and max(made[:2]) <= 75]
        if not partners:
            return None
        d, e, other, _ = rng.choice(partners)
        if (
            min(
                (a * a + c * c - b * b) * e + (e * e + c * c - d * d) * a,
                (b * b + c * c - a * a) * d + (d * d + c * c - e * e) * b,
            )
            <= 0
        ):
            return None
        if kind == "two sides":
            return _two_sides(rng, [a, b, angle, d, other], e, c)
        numbers, answer = [a, b, angle, d, e], other
        text = rng.choice(
            (
                f"In the convex quadrilateral ${p}{q}{r}{s}$ we have ${p}{q} = {a}$, ${q}{r} = {b}$, ${r}{s} = {d}$, "
                f"${s}{p} = {e}$ and $\\angle {p}{q}{r} = {angle}^\\circ$. How many degrees is $\\angle {r}{s}{p}$?",
                f"A field ${p}{q}{r}{s}$ has four straight sides with ${p}{q} = {a}$, ${q}{r} = {b}$, ${r}{s} = {d}$ "
                f"and ${s}{p} = {e}$, in metres. All its corners point outwards, and the corner at ${q}$ has an angle "
                f"of ${angle}^\\circ$. How many degrees is the angle at the corner ${s}$?",
                f"Four bars of ${a}$, ${b}$, ${d}$ and ${e}$ cm are hinged to a closed chain in this order and laid "
                f"out as a convex quadrilateral. Between the bars of ${a}$ and ${b}$ cm the angle is "
                f"${angle}^\\circ$. How many degrees is the angle between the bars of ${d}$ and ${e}$ cm?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})
