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


def crossed_in_coordinates(kind: str, numbers: list[int], wanted: str) -> str:
    """Give the triangle coordinates, intersect the segments as lines and measure the parts along one axis."""
    from fractions import Fraction

    Point = tuple[Fraction, Fraction]

    def between(one: Point, other: Point, first: int, second: int) -> Point:
        share = Fraction(first, first + second)
        return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share

    def meet(a: Point, b: Point, c: Point, d: Point) -> Point:
        ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
        way = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / (ux * vy - uy * vx)
        return a[0] + way * ux, a[1] + way * uy

    def ratio(one: Point, middle: Point, other: Point) -> Fraction:
        return (middle[1] - one[1]) / (other[1] - middle[1])

    a, b, c = (Fraction(2), Fraction(9)), (Fraction(0), Fraction(0)), (Fraction(8), Fraction(1))
    if kind == "weights":
        first, second, third, _ = numbers
        total = first + second + third
        p = (2 * first + Fraction(8 * third)) / total, (9 * first + Fraction(third)) / total
        d = meet(a, p, b, c)
        return str(ratio(a, p, d) if wanted == "cevian" else ratio(b, d, c))
    m, n, k, h, given = numbers
    d = between(b, c, m, n)
    if kind == "back":
        p = between(a, d, k, h)
        return str(ratio(a, meet(b, p, a, c), c))
    e = between(a, c, k, h)
    p = meet(a, d, b, e)
    if wanted == "length":
        return str(given * (p[1] - a[1]) / (d[1] - a[1]))
    if wanted == "area":
        twice = (a[0] - c[0]) * (p[1] - c[1]) - (a[1] - c[1]) * (p[0] - c[0])
        return str(given * twice / (a[1] * c[0] - a[0] * c[1]))
    return str(ratio(a, p, d) if wanted == "cevian" else ratio(b, p, e))


@generator("Hang masses on the corners so that the cevians balance", check=crossed_in_coordinates)
def hung_masses(rng: Random, difficulty: int) -> Draw | None:
    kind, wanted = rng.choice(
        (
            (("forth", "cevian"), ("forth", "length"), ("weights", "side"), ("weights", "cevian")),
            (("forth", "cevian"), ("forth", "other"), ("forth", "length"), ("weights", "cevian"), ("back", "ratio")),
            (("forth", "area"), ("forth", "other"), ("forth", "length"), ("back", "ratio")),
        )[difficulty - 1]
    )
    a, b, c, d, e, p = rng.choice(("ABCDEP", "KLMNOS", "UVWXYZ", "PQRSTX", "ABCDEG", "DEFGHK"))
    who = person(rng)
    (m, n), (k, h) = (_ratio(rng, 3 + difficulty) for _ in range(2))
    if kind == "weights":
        one, two, three = (rng.randint(1, 5 + 4 * difficulty) for _ in range(3))
        if two == three and wanted == "side":
            return None
        answer = Fraction(two + three, one) if wanted == "cevian" else Fraction(three, two)
        asked = f"\\dfrac{{{a}{p}}}{{{p}{d}}}" if wanted == "cevian" else f"\\dfrac{{{b}{d}}}{{{d}{c}}}"
        text = rng.choice(
            (
                f"Weights of ${one}$ kg, ${two}$ kg and ${three}$ kg hang at the corners ${a}$, ${b}$ and ${c}$ of a "
                f"triangular board that weighs almost nothing. The board balances level on the tip of a pole at ${p}$. "
                f"The line ${a}{p}$ meets the edge ${b}{c}$ at ${d}$. Find ${asked}$.",
                f"A mobile is a light wire triangle ${a}{b}{c}$ with beads of ${one}$, ${two}$ and ${three}$ grams at "
                f"${a}$, ${b}$ and ${c}$. Its centre of mass is ${p}$, and the straight line from ${a}$ through ${p}$ "
                f"meets ${b}{c}$ at ${d}$. What is ${asked}$?",
            )
        )
        return Draw(text, str(answer), {"kind": kind, "numbers": [one, two, three, 0], "wanted": wanted})
    cevian = Fraction(k * (m + n), m * h)
    given = 0
    if kind == "back":
        answer = Fraction(k * m, h * (m + n))
        text = rng.choice(
            (
                f"Point ${d}$ divides side ${b}{c}$ of triangle ${a}{b}{c}$ so that ${b}{d} : {d}{c} = {m} : {n}$. "
                f"Point ${p}$ lies on ${a}{d}$ with ${a}{p} : {p}{d} = {k} : {h}$. The line ${b}{p}$ meets ${a}{c}$ at "
                f"${e}$. Find $\\dfrac{{{a}{e}}}{{{e}{c}}}$.",
                f"In triangle ${a}{b}{c}$ the segments ${a}{d}$ and ${b}{e}$, with ${d}$ on ${b}{c}$ and ${e}$ on "
                f"${a}{c}$, cross at ${p}$. It is known that $\\dfrac{{{b}{d}}}{{{d}{c}}} = \\dfrac{{{m}}}{{{n}}}$ and "
                f"$\\dfrac{{{a}{p}}}{{{p}{d}}} = \\dfrac{{{k}}}{{{h}}}$. In what ratio, as a fraction "
                f"$\\dfrac{{{a}{e}}}{{{e}{c}}}$, does ${e}$ divide ${a}{c}$?",
                f"Two wires are stretched in a triangular frame ${a}{b}{c}$, one from ${a}$ to ${d}$ on ${b}{c}$ and "
                f"one from ${b}$ to ${e}$ on ${a}{c}$. The first ends where ${b}{d} : {d}{c} = {m} : {n}$, and the "
                f"second crosses it at a knot ${p}$ with ${a}{p} : {p}{d} = {k} : {h}$. How many times as long as "
                f"${e}{c}$ is ${a}{e}$?",
            )
        )
    elif wanted == "area":
        # The masses at the corners, and the share of the triangle opposite to the second one.
        first, second, third = Fraction(m * h, k), n, m
        share = second / (first + second + third)
        given = rng.randint(2, 12) * share.denominator
        answer = given * share
        if given > 400:
            return None
        text = rng.choice(
            (
                f"Triangle ${a}{b}{c}$ has area ${given}$. Point ${d}$ lies on ${b}{c}$ with ${b}{d} : {d}{c} = {m} : "
                f"{n}$, point ${e}$ on ${a}{c}$ with ${a}{e} : {e}{c} = {k} : {h}$, and ${a}{d}$ and ${b}{e}$ meet at "
                f"${p}$. What is the area of triangle ${a}{p}{c}$?",
                f"Straight ditches run from the corners ${a}$ and ${b}$ of a triangular field ${a}{b}{c}$ of ${given}$ "
                f"ares to the opposite sides. The first divides ${b}{c}$ in the ratio ${m} : {n}$ (from ${b}$), the "
                f"second divides ${a}{c}$ in the ratio ${k} : {h}$ (from ${a}$). They cross at a well ${p}$, and a "
                f"fence is put up along ${p}{c}$. How many ares does triangle ${a}{p}{c}$ cover?",
            )
        )
    elif wanted == "length":
        if difficulty == 1:
            m = n = 1
            cevian = Fraction(2 * k, h)
        share = cevian / (1 + cevian)
        given = rng.randint(2, 15) * share.denominator
        answer = given * share
        if given > 150:
            return None
        half = "the midpoint of" if m == n else "the point that divides"
        tail = "" if m == n else f" in the ratio ${m} : {n}$, counted from ${b}$"
        text = rng.choice(
            (
                f"In triangle ${a}{b}{c}$ let ${d}$ be {half} ${b}{c}${tail}. The point ${e}$ on ${a}{c}$ satisfies "
                f"${a}{e} : {e}{c} = {k} : {h}$. The segments ${a}{d}$ and ${b}{e}$ intersect at ${p}$. If ${a}{d} = "
                f"{given}$, how long is ${a}{p}$?",
                f"A triangular banner ${a}{b}{c}$ has two straight seams. The seam ${a}{d}$ is ${given}$ cm long and "
                f"runs to {half} the edge ${b}{c}${tail}. The seam ${b}{e}$ runs to the point ${e}$ of the edge "
                f"${a}{c}$ with ${a}{e} : {e}{c} = {k} : {h}$. How many centimetres from ${a}$ do the seams cross?",
                f"{who} draws triangle ${a}{b}{c}$ and the segment from ${a}$ to {half} the side ${b}{c}${tail}; this "
                f"segment has length ${given}$. Then {who} joins ${b}$ to the point ${e}$ on ${a}{c}$ for which "
                f"$\\dfrac{{{a}{e}}}{{{e}{c}}} = \\dfrac{{{k}}}{{{h}}}$. How far from ${a}$ is the point where the two "
                "segments cross?",
            )
        )
    else:
        other = Fraction(m * (k + h), k * n)
        answer = cevian if wanted == "cevian" else other
        asked = f"\\dfrac{{{a}{p}}}{{{p}{d}}}" if wanted == "cevian" else f"\\dfrac{{{b}{p}}}{{{p}{e}}}"
        text = rng.choice(
            (
                f"In triangle ${a}{b}{c}$, point ${d}$ is on ${b}{c}$ with ${b}{d} : {d}{c} = {m} : {n}$ and point "
                f"${e}$ is on ${a}{c}$ with ${a}{e} : {e}{c} = {k} : {h}$. The cevians ${a}{d}$ and ${b}{e}$ "
                f"intersect at ${p}$. Find ${asked}$.",
                f"The points ${d}$ and ${e}$ on the sides ${b}{c}$ and ${c}{a}$ of triangle ${a}{b}{c}$ are such that "
                f"${b}{d} = {m}$, ${d}{c} = {n}$, ${a}{e} = {k}$ and ${e}{c} = {h}$. Lines ${a}{d}$ and ${b}{e}$ meet "
                f"at ${p}$. Compute ${asked}$.",
                f"A triangular park has its gates at the corners ${a}$, ${b}$, ${c}$. A straight path from ${a}$ "
                f"reaches the side ${b}{c}$ at ${d}$, where ${b}{d} : {d}{c} = {m} : {n}$; another one from ${b}$ "
                f"reaches the side ${a}{c}$ at ${e}$, where ${a}{e} : {e}{c} = {k} : {h}$. A fountain ${p}$ stands "
                f"where the paths cross. What is ${asked}$?",
            )
        )
    if answer == 1 or answer.denominator > 30:
        return None
    return Draw(text, str(answer), {"kind": kind, "numbers": [m, n, k, h, given], "wanted": wanted})


def lines_drawn(kind: str, numbers: list[int], wanted: str) -> str:
    """Draw the lines through the corners or points in coordinates and intersect the last one with the third side."""
    from fractions import Fraction

    Point = tuple[Fraction, Fraction]

    def between(one: Point, other: Point, first: int, second: int) -> Point:
        share = Fraction(first, first + second)
        return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share

    def meet(a: Point, b: Point, c: Point, d: Point) -> Point:
        ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
        way = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / (ux * vy - uy * vx)
        return a[0] + way * ux, a[1] + way * uy

    a, b, c = (Fraction(1), Fraction(0)), (Fraction(5), Fraction(8)), (Fraction(12), Fraction(1))
    m, n, k, h, side = numbers
    first, second = between(a, b, m, n), between(b, c, k, h)
    third = meet(b, meet(a, second, c, first), c, a) if kind == "point" else meet(first, second, c, a)
    from_c, from_a = abs(third[0] - c[0]), abs(third[0] - a[0])
    if wanted == "ratio":
        return str(from_c / from_a)
    return str(side * (from_c if wanted == "from c" else from_a) / (c[0] - a[0]))


@generator("Set the product of three side ratios around a triangle to one", check=lines_drawn)
def ratio_product(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("point",), ("point", "line"), ("point", "line", "line"))[difficulty - 1])
    wanted = rng.choice((("ratio", "from a"), ("ratio", "from a", "from c"), ("from a", "from c"))[difficulty - 1])
    a, b, c, f, d, e, p = rng.choice(("ABCFDEP", "PQRTUVX", "KLMXYZO", "ABCRSTG"))
    who = person(rng)
    (m, n), (k, h) = (_ratio(rng, 3 + 2 * difficulty) for _ in range(2))
    ratio = Fraction(n * h, m * k)
    if ratio == 1 or (m, n) == (1, 1) or max(ratio.numerator, ratio.denominator) > 6 + 10 * difficulty:
        return None
    parts = ratio.numerator + ratio.denominator if kind == "point" else abs(ratio.numerator - ratio.denominator)
    side = parts * rng.randint(1, 2 + difficulty) if kind == "point" or difficulty < 3 else rng.randint(4, 40)
    if side < 4 or side > 100:
        return None
    if kind == "point":
        from_c = side * ratio / (1 + ratio)
        from_a = side - from_c
        named = f"${a}{f} : {f}{b} = {m} : {n}$ and ${b}{d} : {d}{c} = {k} : {h}$"
        if wanted == "ratio":
            text = rng.choice(
                (
                    f"Points ${f}$, ${d}$ and ${e}$ lie on the sides ${a}{b}$, ${b}{c}$ and ${c}{a}$ of triangle "
                    f"${a}{b}{c}$, and the lines ${a}{d}$, ${b}{e}$ and ${c}{f}$ are concurrent. Given {named}, find "
                    f"$\\dfrac{{{c}{e}}}{{{e}{a}}}$.",
                    f"Three segments from the corners of triangle ${a}{b}{c}$ to points ${d}$ on ${b}{c}$, ${e}$ on "
                    f"${c}{a}$ and ${f}$ on ${a}{b}$ all pass through the same point ${p}$. If {named}, what is the "
                    f"quotient ${c}{e} / {e}{a}$?",
                    f"A triangular sail ${a}{b}{c}$ has three straight seams from its corners to the opposite edges, "
                    f"all running through one ring ${p}$. They end at ${d}$ on ${b}{c}$, ${e}$ on ${c}{a}$ and ${f}$ "
                    f"on ${a}{b}$, with {named}. How many times as long as ${e}{a}$ is ${c}{e}$?",
                )
            )
        else:
            end, piece = (c, f"{c}{e}") if wanted == "from c" else (a, f"{a}{e}")
            one, two = rng.randint(1, 9), rng.randint(1, 9)
            x, u, y, v = m * one, n * one, k * two, h * two
            if 2 * max(x + u, y + v, side) >= x + u + y + v + side:
                return None
            text = rng.choice(
                (
                    f"In triangle ${a}{b}{c}$ the cevians ${a}{d}$, ${b}{e}$ and ${c}{f}$ pass through one point. We "
                    f"know ${a}{f} = {x}$, ${f}{b} = {u}$, ${b}{d} = {y}$, ${d}{c} = {v}$ and ${c}{a} = {side}$. How "
                    f"long is ${piece}$?",
                    f"Three hiking trails lead straight from the villages ${a}$, ${b}$ and ${c}$ to the roads between "
                    f"the other two villages and all pass the same hut. The trail from ${c}$ reaches the road ${a}{b}$ "
                    f"after ${x}$ km of that road, counted from ${a}$, with ${u}$ km left to ${b}$; the trail from "
                    f"${a}$ reaches the road ${b}{c}$ ${y}$ km from ${b}$ and ${v}$ km from ${c}$. The road from ${c}$ "
                    f"to ${a}$ is ${side}$ km long. How many kilometres from ${end}$ does the trail from ${b}$ meet "
                    "it?",
                    f"{who} has glued three straight strips into a triangular kite ${a}{b}{c}$, each from a corner to "
                    f"the opposite edge, and all three cross at one point. The strip from ${c}$ divides the edge "
                    f"${a}{b}$ in the ratio ${m} : {n}$ (from ${a}$), the strip from ${a}$ divides the edge ${b}{c}$ "
                    f"in "
                    f"the ratio ${k} : {h}$ (from ${b}$). The edge ${c}{a}$ measures ${side}$ cm. How many centimetres "
                    f"from ${end}$ does the strip from ${b}$ end?",
                )
            )
    else:
        from_c = side * ratio / abs(1 - ratio)
        from_a = from_c / ratio
        if from_c.denominator > 12 or from_a == side or from_c == side:
            return None
        beyond = c if ratio < 1 else a
        piece, end = (f"{c}{e}", c) if wanted == "from c" else (f"{a}{e}", a)
        named = f"${a}{f} : {f}{b} = {m} : {n}$"
        if wanted == "ratio":
            asked = f"Find $\\dfrac{{{c}{e}}}{{{e}{a}}}$."
            text = rng.choice(
                (
                    f"A line cuts side ${a}{b}$ of triangle ${a}{b}{c}$ at ${f}$, side ${b}{c}$ at ${d}$ and the "
                    f"extension of side ${c}{a}$ at ${e}$. If {named} and ${b}{d} : {d}{c} = {k} : {h}$, find the "
                    f"ratio $\\dfrac{{{c}{e}}}{{{e}{a}}}$ of the lengths.",
                    f"On the sides ${a}{b}$ and ${b}{c}$ of triangle ${a}{b}{c}$ the points ${f}$ and ${d}$ are "
                    f"marked, with {named} and ${b}{d} : {d}{c} = {k} : {h}$. The straight line through them meets "
                    f"the line ${c}{a}$ outside the triangle at ${e}$. {asked}",
                )
            )
        else:
            text = rng.choice(
                (
                    f"In triangle ${a}{b}{c}$ the point ${f}$ on ${a}{b}$ satisfies {named}, and the point ${d}$ on "
                    f"${b}{c}$ satisfies ${b}{d} : {d}{c} = {k} : {h}$. The line ${f}{d}$ meets the line ${c}{a}$ at "
                    f"${e}$, beyond ${beyond}$. If ${c}{a} = {side}$, how long is ${piece}$?",
                    f"A straight crack runs through a triangular pane ${a}{b}{c}$, from ${f}$ on the edge ${a}{b}$ to "
                    f"${d}$ on "
                    f"the edge ${b}{c}$, with {named} and ${b}{d} : {d}{c} = {k} : {h}$. The edge ${c}{a}$ is ${side}$ "
                    f"cm long and lies along a long ruler. How many centimetres from ${end}$ would the crack, "
                    f"continued straight on, meet the ruler?",
                    f"A straight canal crosses two of the three straight roads between the towns ${a}$, ${b}$ and "
                    f"${c}$. It divides the road ${a}{b}$ in the ratio ${m} : {n}$, counted from ${a}$, and the road "
                    f"${b}{c}$ in the ratio ${k} : {h}$, counted from ${b}$. The road ${c}{a}$, which is ${side}$ km "
                    f"long, goes on straight beyond ${beyond}$ and meets the canal there. How many kilometres from "
                    f"${end}$ is this meeting point?",
                )
            )
    answer = {"ratio": ratio, "from a": from_a, "from c": from_c}[wanted]
    return Draw(text, str(answer), {"kind": kind, "numbers": [m, n, k, h, side], "wanted": wanted})
