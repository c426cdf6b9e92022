"""Problems on the sides, diagonals and areas of rectangles, right triangles and rhombi."""

from fractions import Fraction
from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def sides_found(kind: str, numbers: list[int]) -> str:
    """Close in on the two perpendicular sides by halving an interval, and compute what is asked from them."""
    from collections.abc import Callable
    from fractions import Fraction
    from math import hypot, sqrt

    def halved(low: float, high: float, rises: Callable[[float], float]) -> float:
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (low, middle) if rises(middle) > 0 else (middle, high)
        return low

    def exact(value: float) -> str:
        return str(Fraction(value).limit_denominator(200))

    first, second = numbers
    if kind == "perimeter and diagonal":
        side = halved(0, first / 4, lambda a: second - hypot(a, first / 2 - a))
        return exact(side * (first / 2 - side))
    if kind == "perimeter and area":
        side = halved(0, first / 4, lambda a: a * (first / 2 - a) - second)
        return exact(hypot(side, first / 2 - side))
    if kind == "diagonal and area":
        side = halved(0, first / sqrt(2), lambda a: a * sqrt(first**2 - a * a) - second)
        return exact(2 * (side + sqrt(first**2 - side * side)))
    if kind == "triangle":
        leg = halved(0, sqrt(2 * second), lambda a: first - a - 2 * second / a - hypot(a, 2 * second / a) if a else -1)
        return exact(hypot(leg, 2 * second / leg))
    if kind == "legs":
        leg = halved(0, first / 2, lambda a: second - hypot(a, first - a))
        return exact(leg * (first - leg) / 2)
    half = halved(0, first / 4, lambda a: second - hypot(a, first / 2 - a))
    return exact(2 * half * (first / 2 - half))


@generator("Trade the sum of two sides, the diagonal and the area through a square", check=sides_found)
def sum_and_product(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (
            ("legs", "perimeter and diagonal"),
            ("perimeter and diagonal", "perimeter and area", "diagonal and area", "legs"),
            ("triangle", "triangle", "rhombus", "diagonal and area"),
        )[difficulty - 1]
    )
    total = rng.randint(5, (20, 40, 90)[difficulty - 1])
    hypotenuse = rng.randint(total * 5 // 7, total - 1)
    double = total**2 - hypotenuse**2
    if double <= 0 or 2 * hypotenuse**2 <= total**2:
        return None
    who = person(rng)
    unit = rng.choice(("cm", "dm", "m"))
    full = {"cm": "centimetres", "dm": "decimetres", "m": "metres"}[unit]
    thing = rng.choice({"cm": ("picture", "tile"), "dm": ("carpet", "door"), "m": ("field", "court")}[unit])
    area = Fraction(double, 2)
    if kind == "legs":
        numbers, answer = [total, hypotenuse], area / 2
        text = rng.choice(
            (
                f"In a right triangle the two shorter sides add up to ${total}$, and the hypotenuse is "
                f"${hypotenuse}$. What is the area of the triangle?",
                f"Walking around two edges of a rectangular park from one corner to the opposite one, {who} covers "
                f"${10 * total}$ m. The straight way between the same corners is ${10 * hypotenuse}$ m long. How many "
                "ares is half of the park, if an are is $100$ square metres?",
                f"A sail has the shape of a right triangle. The two edges at its right angle measure ${total}$ {unit} "
                f"together, and the third edge measures ${hypotenuse}$ {unit}. What is the area of the sail in square "
                f"{full}?",
            )
        )
    elif kind == "perimeter and diagonal":
        numbers, answer = [2 * total, hypotenuse], area
        text = rng.choice(
            (
                f"A rectangle has perimeter ${2 * total}$, and each of its diagonals has length ${hypotenuse}$. What "
                "is its area?",
                f"A border of ${2 * total}$ {unit} just fits around a rectangular {thing} whose opposite corners are "
                f"${hypotenuse}$ {unit} apart. How many square {full} is the {thing}?",
                f"{who} bends a wire of ${2 * total}$ {unit} to a rectangle and finds that a rod of ${hypotenuse}$ "
                f"{unit} fits exactly as its diagonal. How many square {full} does the rectangle enclose?",
            )
        )
    elif kind == "perimeter and area":
        if area.denominator > 1:
            return None
        numbers, answer = [2 * total, int(area)], Fraction(hypotenuse)
        text = rng.choice(
            (
                f"A rectangle has perimeter ${2 * total}$ and area ${area}$. How long is each of its diagonals?",
                f"A rectangular {thing} covers ${area}$ square {full}, and a ribbon once around its edge is "
                f"${2 * total}$ {unit} long. How many {full} apart are opposite corners of the {thing}?",
                f"All four edges of a rectangular {thing} together measure ${2 * total}$ {unit}. Its area is ${area}$ "
                f"square {full}. Find the length of a diagonal in {full}.",
            )
        )
    elif kind == "diagonal and area":
        if area.denominator > 1:
            return None
        numbers, answer = [hypotenuse, int(area)], Fraction(2 * total)
        text = rng.choice(
            (
                f"A rectangle has area ${area}$, and its diagonals have length ${hypotenuse}$. What is its perimeter?",
                f"A rectangular {thing} of ${area}$ square {full} measures ${hypotenuse}$ {unit} from corner to "
                f"opposite corner. How many {full} is it around the edge of the {thing}?",
                f"{who} frames a rectangular {thing} with an area of ${area}$ square {full} and a diagonal of "
                f"${hypotenuse}$ {unit}. How many {full} long are the four parts of the frame together, measured "
                f"along the edge of the {thing}?",
            )
        )
        root = isqrt(hypotenuse**2 - 2 * int(area))
        if root**2 == hypotenuse**2 - 2 * area and difficulty == 3:
            return None
    elif kind == "triangle":
        around = total + hypotenuse
        if double % 4:
            return None
        numbers, answer = [around, double // 4], Fraction(hypotenuse)
        text = rng.choice(
            (
                f"A right triangle has perimeter ${around}$ and area ${double // 4}$. How long is its hypotenuse?",
                f"{who} has laid an edging of ${around}$ {unit} once around a bed in the shape of a right triangle. "
                f"The bed covers ${double // 4}$ square {full}. How many {full} long is its longest edge?",
                f"A triangular stamp with a right angle has an area of ${double // 4}$ square centimetres, and its "
                f"edges measure ${around}$ cm together. How many centimetres long is the edge that faces the right "
                "angle?",
            )
        )
    else:
        numbers, answer = [2 * total, hypotenuse], Fraction(double)
        text = rng.choice(
            (
                f"The two diagonals of a rhombus have the sum ${2 * total}$, and each of its sides has length "
                f"${hypotenuse}$. What is its area?",
                f"A kite in the shape of a rhombus has edges of ${hypotenuse}$ dm. Its two sticks, which run along the "
                f"diagonals, measure ${2 * total}$ dm together. How many square decimetres is the kite?",
                f"Each mesh of a fence is a rhombus with sides of ${hypotenuse}$ mm. The width and the height of a "
                f"mesh, from corner to corner, add up to ${2 * total}$ mm. How many square millimetres does a mesh "
                "cover?",
            )
        )
    if answer.denominator > difficulty:
        return None
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})


def midpoints_taken(kind: str, numbers: list[int], wanted: str) -> str:
    """Choose one such figure in coordinates, take the midpoints and measure their distances."""
    from fractions import Fraction
    from math import hypot

    Point = tuple[float, float]

    def middle(p: Point, q: Point) -> Point:
        return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2

    def apart(p: Point, q: Point) -> float:
        return hypot(p[0] - q[0], p[1] - q[1])

    if kind == "triangle":
        one, two, three = numbers
        x = (one * one + two * two - three * three) / (2 * one)
        corners = [(0.0, 0.0), (float(one), 0.0), (x, (two * two - x * x) ** 0.5)]
    elif kind == "far":
        # Two perpendicular sides, shifted; the midpoints of the diagonals.
        one, two = numbers
        a, b, c, d = (3.0, 0.0), (3.0 + one, 0.0), (0.0, 5.0 + two), (0.0, 5.0)
        return str(Fraction(apart(middle(a, c), middle(b, d))).limit_denominator(100))
    elif kind == "trapezoid":
        long, short = numbers
        a, b, c, d = (0.0, 0.0), (float(long), 0.0), (2.0 + short, 7.0), (2.0, 7.0)
        line = apart(middle(b, c), middle(a, d))
        return str(Fraction(line if wanted == "legs" else apart(middle(a, c), middle(b, d))).limit_denominator(100))
    else:
        # The diagonals at a right angle.
        one, two = numbers
        corners = [(0.0, 0.0), (one / 3, -two / 4), (float(one), 0.0), (one / 3, 3 * two / 4)]
    mids = [middle(p, q) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)]
    sides = [apart(p, q) for p, q in zip(mids, mids[1:] + mids[:1], strict=True)]
    value = sum(sides) if wanted == "around" else sides[0] * sides[1] if wanted == "area" else hypot(*sides[:2])
    return str(Fraction(value).limit_denominator(100))


@generator("Join midpoints to get segments half as long", check=midpoints_taken)
def joined_midpoints(rng: Random, difficulty: int) -> Draw | None:
    kind, wanted = rng.choice(
        (
            (("triangle", "around"), ("four", "around"), ("trapezoid", "legs")),
            (("four", "around"), ("four", "area"), ("trapezoid", "legs"), ("trapezoid", "diagonals"), ("far", "")),
            (("far", ""), ("four", "across"), ("four", "area"), ("trapezoid", "diagonals")),
        )[difficulty - 1]
    )
    p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN", "EFGH", "WXYZ"))
    who = person(rng)
    most = (20, 40, 80)[difficulty - 1]
    one, two = rng.randint(3, most), rng.randint(3, most)
    numbers = [one, two]
    if one == two:
        return None
    if kind == "triangle":
        three = rng.randint(abs(one - two) + 1, one + two - 1)
        numbers, answer = [one, two, three], Fraction(one + two + three, 2)
        text = rng.choice(
            (
                f"A triangle has sides ${one}$, ${two}$ and ${three}$. What is the perimeter of the triangle formed by "
                "the midpoints of its sides?",
                f"A triangular frame has bars of ${one}$ dm, ${two}$ dm and ${three}$ dm. {who} ties a string from the "
                "middle of each bar to the middle of the next, once around. How many decimetres of string are "
                "stretched?",
                f"In triangle ${p}{q}{r}$ with ${p}{q} = {one}$, ${q}{r} = {two}$ and ${r}{p} = {three}$ the midpoints "
                "of the three sides are joined. How long are the three joining segments together?",
            )
        )
    elif kind == "trapezoid":
        one, two = max(one, two), min(one, two)
        numbers, answer = [one, two], Fraction(one + two if wanted == "legs" else one - two, 2)
        text = rng.choice(
            (
                f"The parallel sides of a trapezoid have lengths ${one}$ and ${two}$. How long is the segment between "
                f"the midpoints of its {wanted}?",
                f"In trapezoid ${p}{q}{r}{s}$ the bases are ${p}{q} = {one}$ and ${r}{s} = {two}$. The points $M$ and "
                + (
                    f"$N$ are the midpoints of ${q}{r}$ and ${s}{p}$"
                    if wanted == "legs"
                    else f"$N$ are the midpoints of ${p}{r}$ and ${q}{s}$"
                )
                + ". Find $MN$.",
                f"A ladder narrows evenly from ${one}$ cm at the foot to ${two}$ cm at the top. How many centimetres "
                f"wide "
                "is it halfway up?"
                if wanted == "legs"
                else f"The side wall of a hall is a trapezoid with parallel edges of ${one}$ m and ${two}$ m. Two "
                "cables "
                "run along its diagonals, each with a lamp in its middle. How many metres are the lamps apart?",
            )
        )
    elif kind == "far":
        square = one * one + two * two
        if isqrt(square) ** 2 != square:
            return None
        answer = Fraction(isqrt(square), 2)
        text = rng.choice(
            (
                f"The opposite sides ${p}{q}$ and ${r}{s}$ of quadrilateral ${p}{q}{r}{s}$ have lengths ${one}$ and "
                f"${two}$, and their lines meet at a right angle. What is the distance between the midpoints of the "
                f"diagonals ${p}{r}$ and ${q}{s}$?",
                f"Two poles of ${one}$ m and ${two}$ m lie on the ground, one pointing north and the other east, "
                "somewhere apart. A rope joins the south end of the one with the west end of the other, and a second "
                "rope joins the two remaining ends. How many metres apart are the middles of the two ropes?",
                f"Segments ${p}{q} = {one}$ and ${s}{r} = {two}$ lie on perpendicular lines. Let $M$ be the midpoint "
                f"of "
                f"${p}{s}$ and $N$ the midpoint of ${q}{r}$. Find $MN$.",
            )
        )
    else:
        square = one * one + two * two
        if wanted == "across" and isqrt(square) ** 2 != square:
            return None
        answer = {"around": Fraction(one + two), "area": Fraction(one * two, 4)}.get(wanted, Fraction(isqrt(square), 2))
        right = "" if wanted == "around" else ", and they are perpendicular"
        asked = {
            "around": "What is the perimeter of the quadrilateral whose corners are the midpoints of the four sides?",
            "area": "What is the area of the quadrilateral whose corners are the midpoints of the four sides?",
            "across": "How far apart are the midpoints of two opposite sides?",
        }[wanted]
        text = rng.choice(
            (
                f"The diagonals of a convex quadrilateral have lengths ${one}$ and ${two}${right}. {asked}",
                f"Quadrilateral ${p}{q}{r}{s}$ has diagonals ${p}{r} = {one}$ and ${q}{s} = {two}${right}. {asked}",
                f"A kite is stretched over two crossed sticks of ${one}$ cm and ${two}$ cm"
                + (", which are at right angles" if right else "")
                + f". {who} marks the middle of each of its four edges and paints "
                + {
                    "around": "a line from mark to mark, once around. How many centimetres long is this line?",
                    "area": "the four-cornered region between the marks. How many square centimetres are painted?",
                    "across": "straight lines between opposite marks. How many centimetres long is such a line?",
                }[wanted],
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers, "wanted": wanted})
