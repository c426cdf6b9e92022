"""Problems on ratios of areas inside a triangle."""

from fractions import Fraction
from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def _ratio(rng: Random, most: int) -> tuple[int, int]:
    pairs = [(one, other) for one in range(1, most + 1) for other in range(1, most + 1) if gcd(one, other) == 1]
    return rng.choice(pairs)


def shoelaced(kind: str, ratios: list[int], given: int) -> str:
    """Put the figure in coordinates, run the cross products around both regions and scale to the given area."""
    from fractions import Fraction

    Point = tuple[Fraction, Fraction]

    def between(one: Point, other: Point, first: int, second: int) -> Point:
        share = Fraction(first, first + second)
        return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share

    def area(*corners: Point) -> Fraction:
        pairs = zip(corners, corners[1:] + corners[:1], strict=True)
        return abs(sum((p[0] * q[1] - p[1] * q[0] for p, q in pairs), Fraction(0))) / 2

    a, b, c = (Fraction(2), Fraction(7)), (Fraction(0), Fraction(0)), (Fraction(9), Fraction(1))
    if kind == "crossing":
        first, second, third = ratios
        centre, tip, left = (Fraction(0), Fraction(0)), (Fraction(0), Fraction(2)), (Fraction(-first), Fraction(0))
        foot, right = (Fraction(0), -Fraction(2 * second, first)), (Fraction(first * third, second), Fraction(0))
        assert [area(centre, tip, left), area(centre, left, foot)] == [first, second]
        return str(area(tip, left, foot, right) * given / first)
    d = between(b, c, *ratios[:2])
    if kind == "one":
        return str(area(a, b, d) * given / area(a, b, c))
    if kind == "back":
        return str(area(a, b, c) * given / area(a, d, c))
    e = between(a, d, *ratios[2:4]) if kind.startswith("inner") else between(a, c, *ratios[2:4])
    if kind == "inner":
        return str(area(b, d, e) * given / area(a, b, c))
    if kind == "inner back":
        return str(area(a, b, c) * given / area(a, e, c))
    f = between(d, e, *ratios[4:])
    return str(area(c, d, f) * given / area(a, b, c) if kind == "chain" else area(a, b, c) * given / area(c, e, f))


@generator("Compare triangles with a common height by their bases", check=shoelaced)
def common_height(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("one", "back"), ("inner", "inner back", "crossing"), ("chain", "chain back"))[difficulty - 1])
    (m, n), (p, q), (r, s) = (_ratio(rng, 4 + difficulty) for _ in range(3))
    a, b, c, d, e, f = rng.choice(("ABCDEF", "PQRSTU", "KLMNOP", "UVWXYZ"))
    area = rng.randint(6, (60, 120, 300)[difficulty - 1])
    who = person(rng)
    ratios, given, total = [m, n], area, Fraction(area)
    if kind == "one":
        total *= Fraction(m, m + n)
        text = rng.choice(
            (
                f"Point ${d}$ on side ${b}{c}$ of triangle ${a}{b}{c}$ satisfies ${b}{d} : {d}{c} = {m} : {n}$. The "
                f"area of triangle ${a}{b}{c}$ is ${area}$. What is the area of triangle ${a}{b}{d}$?",
                f"A triangular lawn ${a}{b}{c}$ covers ${area}$ square metres. A straight path leads from the corner "
                f"${a}$ to the point that divides the opposite side in the ratio ${m} : {n}$, counted from ${b}$. How "
                f"many square metres of lawn lie between the path and the side ${a}{b}$?",
                f"{who} cuts a triangular piece of cloth ${a}{b}{c}$ of ${area}$ square decimetres along a straight "
                f"line from ${a}$ to a point of ${b}{c}$. The cut divides ${b}{c}$ in the ratio ${m} : {n}$, counted "
                f"from ${b}$. How many square decimetres has the piece that contains the corner ${b}$?",
            )
        )
    elif kind == "back":
        total *= Fraction(m + n, n)
        text = rng.choice(
            (
                f"Point ${d}$ lies on side ${b}{c}$ of triangle ${a}{b}{c}$ with ${b}{d} = {m}$ and ${d}{c} = {n}$. "
                f"Triangle ${a}{d}{c}$ has area ${area}$. What is the area of triangle ${a}{b}{c}$?",
                f"A fence from the corner ${a}$ of a triangular meadow ${a}{b}{c}$ ends on the opposite side, which "
                f"it divides in the ratio ${m} : {n}$, counted from ${b}$. The part of the meadow at the corner ${c}$ "
                f"covers ${area}$ ares. How many ares does the whole meadow cover?",
            )
        )
    elif kind == "crossing":
        first, second, third = m * rng.randint(1, 4), m * rng.randint(1, 5), rng.randint(2, 20)
        if second in (first, third):
            return None
        ratios, given = [first, second, third], first
        total = Fraction(first + second + third) + Fraction(first * third, second)
        text = rng.choice(
            (
                "The diagonals of a convex quadrilateral divide it into four triangles. Going once around the "
                f"crossing, three of them have the areas ${first}$, ${second}$ and ${third}$. What is the area of the "
                "quadrilateral?",
                "Two straight footpaths join opposite corners of a four-cornered field and cut it into four "
                f"triangular pieces. In order around the crossing, three of the pieces cover ${first}$, ${second}$ "
                f"and ${third}$ ares. How many ares does the whole field cover?",
                "A kite of four triangular pieces of cloth has two straight sticks as its diagonals. Three of the "
                f"pieces, in order around the point where the sticks cross, measure ${first}$, ${second}$ and "
                f"${third}$ square decimetres. How many square decimetres does the whole kite measure?",
            )
        )
    elif kind.startswith("inner"):
        ratios += [p, q]
        whole = kind == "inner"
        total *= Fraction(m, m + n) * Fraction(q, p + q) if whole else Fraction(m + n, n) * Fraction(p + q, p)
        known, asked = (f"{a}{b}{c}", f"{b}{d}{e}") if whole else (f"{a}{e}{c}", f"{a}{b}{c}")
        text = rng.choice(
            (
                f"In triangle ${a}{b}{c}$ the point ${d}$ lies on ${b}{c}$ with ${b}{d} : {d}{c} = {m} : {n}$, and "
                f"the point ${e}$ lies on ${a}{d}$ with ${a}{e} : {e}{d} = {p} : {q}$. Triangle ${known}$ has area "
                f"${area}$. What is the area of triangle ${asked}$?",
                f"A triangular garden has the corners ${a}$, ${b}$ and ${c}$. A straight path from ${a}$ ends at "
                f"${d}$ on the side ${b}{c}$, where ${b}{d} : {d}{c} = {m} : {n}$. On this path stands a lamp ${e}$ "
                f"with ${a}{e} : {e}{d} = {p} : {q}$. Triangle ${known}$ covers ${area}$ square metres. How many "
                f"square metres does triangle ${asked}$ cover?",
                f"{who} draws a triangle ${a}{b}{c}$, divides ${b}{c}$ at ${d}$ so that ${b}{d} : {d}{c} = {m} : "
                f"{n}$, and divides ${a}{d}$ at ${e}$ so that ${a}{e} : {e}{d} = {p} : {q}$. The area of triangle "
                f"${known}$ is ${area}$. Find the area of triangle ${asked}$.",
            )
        )
    else:
        ratios += [p, q, r, s]
        whole = kind == "chain"
        if whole:
            total *= Fraction(n, m + n) * Fraction(q, p + q) * Fraction(r, r + s)
        else:
            total /= Fraction(n, m + n) * Fraction(q, p + q) * Fraction(s, r + s)
        known, asked = (f"{a}{b}{c}", f"{c}{d}{f}") if whole else (f"{c}{e}{f}", f"{a}{b}{c}")
        text = rng.choice(
            (
                f"Triangle ${a}{b}{c}$ is given. Point ${d}$ lies on ${b}{c}$ with ${b}{d} : {d}{c} = {m} : {n}$, "
                f"point ${e}$ on ${a}{c}$ with ${a}{e} : {e}{c} = {p} : {q}$, and point ${f}$ on ${d}{e}$ with "
                f"${d}{f} : {f}{e} = {r} : {s}$. The area of triangle ${known}$ is ${area}$. What is the area of "
                f"triangle ${asked}$?",
                f"Gates ${d}$ and ${e}$ stand on the sides ${b}{c}$ and ${a}{c}$ of a triangular park ${a}{b}{c}$, so "
                f"that ${b}{d} : {d}{c} = {m} : {n}$ and ${a}{e} : {e}{c} = {p} : {q}$. On the straight path from "
                f"${d}$ to ${e}$ there is a fountain ${f}$ with ${d}{f} : {f}{e} = {r} : {s}$. Triangle ${known}$ "
                f"covers ${area}$ ares. How many ares does triangle ${asked}$ cover?",
            )
        )
    if total.denominator > (1, 1, 5)[difficulty - 1] or m == n == 1:
        return None
    return Draw(text, str(total), {"kind": kind, "ratios": ratios, "given": given})


def cut_off_in_coordinates(kind: str, ratios: list[int], given: int) -> str:
    """Place the triangle with a right angle in coordinates and compare areas by determinants."""
    from fractions import Fraction

    Point = tuple[Fraction, Fraction]

    def towards(one: Point, other: Point, share: Fraction) -> Point:
        return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share

    def area(p: Point, q: Point, r: Point) -> Fraction:
        return abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / 2

    a, b, c = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    whole = area(a, b, c)
    parts = [Fraction(first, first + second) for first, second in zip(ratios[::2], ratios[1::2], strict=True)]
    if kind == "corner":
        return str(given * area(a, towards(a, b, parts[0]), towards(a, c, parts[1])) / whole)
    if kind == "rest":
        return str(given * (whole - area(a, towards(a, b, parts[0]), towards(a, c, parts[1]))) / whole)
    if kind == "moved":
        return str(given * area(a, towards(a, b, 1 + Fraction(ratios[0], ratios[1])), towards(a, c, parts[1])) / whole)
    inner = area(towards(a, b, parts[0]), towards(b, c, parts[1]), towards(c, a, parts[2]))
    return str(given * inner / whole if kind == "inner" else given * whole / inner)


@generator("Multiply the side fractions at a shared angle", check=cut_off_in_coordinates)
def shared_angle(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("corner",), ("rest", "moved", "corner"), ("inner", "inner back"))[difficulty - 1])
    (m, n), (p, q), (r, s) = (_ratio(rng, 3 + difficulty) for _ in range(3))
    a, b, c, d, e, f = rng.choice(("ABCDEF", "PQRSTU", "KLMNOP", "UVWXYZ"))
    area = rng.randint(10, (80, 150, 300)[difficulty - 1])
    ratios, total = [m, n, p, q], Fraction(area)
    corner = Fraction(m * p, (m + n) * (p + q))
    if kind in ("corner", "rest"):
        total *= corner if kind == "corner" else 1 - corner
        asked = f"triangle ${a}{d}{e}$" if kind == "corner" else f"the quadrilateral ${d}{b}{c}{e}$"
        part = f"piece at ${a}$" if kind == "corner" else "rest of it"
        text = rng.choice(
            (
                f"Points ${d}$ and ${e}$ lie on the sides ${a}{b}$ and ${a}{c}$ of triangle ${a}{b}{c}$ with ${a}{d} "
                f": {d}{b} = {m} : {n}$ and ${a}{e} : {e}{c} = {p} : {q}$. Triangle ${a}{b}{c}$ has area ${area}$. "
                f"What is the area of {asked}?",
                f"A triangular field ${a}{b}{c}$ covers ${area}$ ares. A straight ditch runs across it from ${d}$ on "
                f"the side ${a}{b}$ to ${e}$ on the side ${a}{c}$. The distances ${a}{d}$ and ${d}{b}$ are in the "
                f"ratio ${m} : {n}$, and the distances ${a}{e}$ and ${e}{c}$ in the ratio ${p} : {q}$. How many ares "
                f"is the area of {asked}?",
                f"From a triangular sheet ${a}{b}{c}$ of ${area}$ square centimetres {person(rng)} cuts off the "
                f"corner ${a}$ along a straight line. The cut divides ${a}{b}$ in the ratio ${m} : {n}$ and ${a}{c}$ "
                f"in the ratio ${p} : {q}$, both counted from ${a}$. How many square centimetres is the {part}?",
            )
        )
    elif kind == "moved":
        if m >= n:
            return None
        total *= Fraction(m + n, n) * Fraction(p, p + q)
        ratios = [m, n, p, q]
        text = rng.choice(
            (
                f"Triangle ${a}{b}{c}$ has area ${area}$. The side ${a}{b}$ is extended beyond ${b}$ to ${d}$ with "
                f"${b}{d} : {a}{b} = {m} : {n}$, and ${e}$ is the point of ${a}{c}$ with ${a}{e} : {e}{c} = {p} : "
                f"{q}$. What is the area of triangle ${a}{d}{e}$?",
                f"A triangular garden ${a}{b}{c}$ covers ${area}$ square metres. Its fence ${a}{b}$ is lengthened "
                f"beyond ${b}$ to a new corner ${d}$, so that ${b}{d} : {a}{b} = {m} : {n}$. In return the corner "
                f"${c}$ is moved along the fence ${a}{c}$ to a point ${e}$ with ${a}{e} : {e}{c} = {p} : {q}$. How "
                f"many square metres does the new garden ${a}{d}{e}$ cover?",
            )
        )
    else:
        ratios += [r, s]
        share = 1 - (
            Fraction(m * s, (m + n) * (r + s)) + Fraction(n * p, (m + n) * (p + q)) + Fraction(q * r, (p + q) * (r + s))
        )
        total = total * share if kind == "inner" else total / share
        known, asked = (f"{a}{b}{c}", f"{d}{e}{f}") if kind == "inner" else (f"{d}{e}{f}", f"{a}{b}{c}")
        text = rng.choice(
            (
                f"On the sides ${a}{b}$, ${b}{c}$ and ${c}{a}$ of triangle ${a}{b}{c}$ lie points ${d}$, ${e}$ and "
                f"${f}$ with ${a}{d} : {d}{b} = {m} : {n}$, ${b}{e} : {e}{c} = {p} : {q}$ and ${c}{f} : {f}{a} = {r} "
                f": {s}$. Triangle ${known}$ has area ${area}$. Find the area of triangle ${asked}$.",
                f"A triangular plaza ${a}{b}{c}$ has one lamp on each side, ${d}$ on ${a}{b}$, ${e}$ on ${b}{c}$ and "
                f"${f}$ on ${c}{a}$. They divide the sides so that ${a}{d} : {d}{b} = {m} : {n}$, ${b}{e} : {e}{c} = "
                f"{p} : {q}$ and ${c}{f} : {f}{a} = {r} : {s}$. Triangle ${known}$ measures ${area}$ ares. How many "
                f"ares does triangle ${asked}$ measure?",
            )
        )
    if total.denominator > (1, 1, 3)[difficulty - 1] or (m == n and p == q):
        return None
    return Draw(text, str(total), {"kind": kind, "ratios": ratios, "given": area})
