"""Problems on chords and common points of conics."""

from fractions import Fraction
from itertools import pairwise
from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import polynomial, signed


def chord_by_half_turn(conic: list[int], midpoint: list[int], asked: str) -> object:
    """The chord joins the points common to the conic and its image under the half turn about the midpoint."""
    from fractions import Fraction

    a, b, d, e, f = conic
    m, n = midpoint

    def line(x: int, y: int) -> int:
        u, v = 2 * m - x, 2 * n - y
        return a * x * x + b * y * y + d * x + e * y + f - (a * u * u + b * v * v + d * u + e * v + f)

    # The difference of the two conics is linear; its values at three points give it.
    origin, right, up = line(0, 0), line(1, 0), line(0, 1)
    if asked == "slope":
        return Fraction(right - origin, origin - up)
    x_cut, y_cut = Fraction(origin, origin - right), Fraction(origin, origin - up)
    return {"x": x_cut, "y": y_cut, "area": abs(x_cut * y_cut) / 2}[asked]


@generator("Find the direction of a chord from its midpoint by subtracting equations", check=chord_by_half_turn)
def chord_midpoint(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("parabola", "ellipse"), ("parabola", "ellipse", "hyperbola"), ("moved", "hyperbola", "ellipse"))[
            difficulty - 1
        ]
    )
    reach = (4, 6, 8)[difficulty - 1]
    m, n = rng.randint(-reach, reach), rng.choice([k for k in range(-reach, reach + 1) if k])
    if kind == "parabola":
        k = rng.choice((2, 4, 6, 8, 10, 12, 16, 20))
        a, b, d, e, f = 0, 1, -k, 0, 0
        equation = f"y^2 = {k}x"
    elif kind == "moved":
        a, b, d, e = rng.choice((1, 1, 2, 3)), rng.choice((1, 2, 3, 4)), 2 * rng.randint(-4, 4), 2 * rng.randint(-4, 4)
        f = -rng.randint(10, 60)
        if a == b or not d or not e:
            return None
        equation = f"{polynomial([a, 0, 0])} {signed(b, 'y^2')} {signed(d, 'x')} {signed(e, 'y')} = {-f}"
    else:
        a, b = rng.choice((1, 1, 2, 3, 4, 5)), rng.choice((1, 2, 3, 4, 5, 9))
        if a == b:
            return None
        b = b if kind == "ellipse" else -b
        d, e, f = 0, 0, -rng.randint(6, 120 if kind == "ellipse" else 40)
        equation = f"{polynomial([a, 0, 0])} {signed(b, 'y^2')} = {-f}"
    run, rise = 2 * b * n + e, -(2 * a * m + d)
    if not run or not rise:
        return None
    slope = Fraction(rise, run)
    if difficulty == 1 and slope.denominator > 2:
        return None
    # A chord exists where the line meets the conic twice.
    height = n - slope * m
    square, linear, rest = a + b * slope**2, d + 2 * b * slope * height + e * slope, b * height**2 + e * height + f
    if not square or linear**2 - 4 * square * rest <= 0:
        return None
    asked = rng.choice((("slope", "y"), ("slope", "y", "x"), ("x", "y", "area"))[difficulty - 1])
    if not height and asked != "slope":
        return None
    answer = {"slope": slope, "y": height, "x": -height / slope, "area": abs(height * height / slope) / 2}[asked]
    if answer.denominator > 12:
        return None
    name = "ellipse" if kind == "moved" else kind
    wanted = {
        "slope": rng.choice(("What is the slope of the chord?", "Find the slope of the line through the chord.")),
        "y": rng.choice(
            (
                "At what height does the line through the chord cross the $y$-axis?",
                "Find the $y$-intercept of the line that contains this chord.",
            )
        ),
        "x": "At which $x$ does the line through the chord cross the $x$-axis?",
        "area": "What is the area of the triangle that the line through the chord forms with the two axes?",
    }[asked]
    frame = {
        "slope": "What is the slope of the bar?",
        "y": "The bar is extended in both directions. At what height does its line cross the $y$-axis?",
        "x": "The bar is extended in both directions. At which $x$ does its line cross the $x$-axis?",
        "area": "What is the area of the triangle between the line of the bar and the two axes?",
    }[asked]
    wordings = (
        f"A chord of the {name} ${equation}$ has its midpoint at $({m}, {n})$. {wanted}",
        f"Points $P$ and $Q$ lie on the curve ${equation}$, and $({m}, {n})$ is the midpoint of the chord $PQ$. "
        f"{wanted}",
        f"Through the point $({m}, {n})$ goes a chord of the {name} ${equation}$ that this point cuts into two equal "
        f"halves. {wanted}",
        f"In the drawing of a steel frame, a straight bar joins two points of the curve ${equation}$. The middle of "
        f"the bar is at $({m}, {n})$. {frame}",
    )
    # A chord of a hyperbola may join its two branches; that makes no bar of a frame.
    problem = rng.choice(wordings[:3] if kind == "hyperbola" else wordings)
    return Draw(problem, str(answer), {"conic": [a, b, d, e, f], "midpoint": [m, n], "asked": asked})


def common_points(kind: str, first: list[int], second: list[int], asked: str) -> object:
    """Compute the common points in decimals, then the line or circle through them, rounded to a fraction."""
    from fractions import Fraction
    from math import sqrt

    if kind == "four points":
        p, q = first
        r, s = second

        def gap(x: float) -> float:
            y = x * x + p * x + q
            return y * y + r * y + s - x

        points = []
        for step in range(-4000, 4000):
            low, high = step / 200 + 0.00123, (step + 1) / 200 + 0.00123
            if gap(low) * gap(high) > 0:
                continue
            for _ in range(80):
                middle = (low + high) / 2
                low, high = (middle, high) if gap(low) * gap(middle) > 0 else (low, middle)
            points.append((low, low * low + p * low + q))
        (x1, y1), (x2, y2), (x3, y3), _ = points
        twice = 2 * (x1 * (y2 - y3) + x2 * (y3 - y1) + x3 * (y1 - y2))
        squares = [x * x + y * y for x, y in points]
        cx = (squares[0] * (y2 - y3) + squares[1] * (y3 - y1) + squares[2] * (y1 - y2)) / twice
        cy = (squares[0] * (x3 - x2) + squares[1] * (x1 - x3) + squares[2] * (x2 - x1)) / twice
        value = {"radius": (x1 - cx) ** 2 + (y1 - cy) ** 2, "centre": cx + cy}[asked]
        return Fraction(value).limit_denominator(20)
    if kind == "parabolas":
        (a, b, c), (d, e, f) = first, second
        roots = [sign * sqrt((b - e) ** 2 - 4 * (a - d) * (c - f)) for sign in (1, -1)]
        xs = [(e - b + root) / (2 * (a - d)) for root in roots]
        ys = [a * x * x + b * x + c for x in xs]
    else:
        (d, e, f), (g, h, k) = first, second
        x0, y0, x1, y1 = -d / 2, -e / 2, -g / 2, -h / 2
        square, other = x0 * x0 + y0 * y0 - f, x1 * x1 + y1 * y1 - k
        apart = (x1 - x0) ** 2 + (y1 - y0) ** 2
        along = (square - other + apart) / (2 * apart)
        across = sqrt(square / apart - along * along)
        xs = [x0 + along * (x1 - x0) - sign * across * (y1 - y0) for sign in (1, -1)]
        ys = [y0 + along * (y1 - y0) + sign * across * (x1 - x0) for sign in (1, -1)]
    slope = (ys[1] - ys[0]) / (xs[1] - xs[0])
    height = ys[0] - slope * xs[0]
    return Fraction({"slope": slope, "y": height, "x": -height / slope}[asked]).limit_denominator(500)


@generator("Combine two curve equations into a simpler curve through the common points", check=common_points)
def combined_curves(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("opposite", "circles"), ("parabolas", "circles"), ("four points", "four points", "parabolas"))[difficulty - 1]
    )
    if kind == "four points":
        return _four_points(rng)
    reach = (5, 8, 12)[difficulty - 1]
    if kind == "circles":
        first = [2 * rng.randint(-4, 4), 2 * rng.randint(-4, 4), rng.randint(-30, 0)]
        second = [2 * rng.randint(-4, 4), 2 * rng.randint(-4, 4), rng.randint(-30, 0)]
        # The difference of the equations: the line through the common points.
        u, v, w = (p - q for p, q in zip(first, second, strict=True))
        if not u or not v or not w:
            return None
        x0, y0, radius = (
            Fraction(-first[0], 2),
            Fraction(-first[1], 2),
            Fraction(first[0] ** 2 + first[1] ** 2, 4) - first[2],
        )
        if (u * x0 + v * y0 + w) ** 2 >= radius * (u * u + v * v):
            return None
        slope, height = Fraction(-u, v), Fraction(-w, v)
        curves = []
        for p in (first, second):
            terms = ["x^2 + y^2", signed(p[0], "x"), signed(p[1], "y"), signed(p[2])]
            curves.append(" ".join(term for term in terms if term) + " = 0")
        names = ("circles", "cross in two points")
    else:
        a = rng.choice((1, 2, 3) if difficulty == 1 else (1, 2, 3, 4))
        d = -a if difficulty == 1 else rng.choice([k for k in range(-4, 5) if k not in (0, a)])
        first = [a, rng.randint(-reach, reach), rng.randint(-reach, reach)]
        second = [d, rng.randint(-reach, reach), rng.randint(-reach, reach)]
        discriminant = (first[1] - second[1]) ** 2 - 4 * (a - d) * (first[2] - second[2])
        if discriminant <= 0 or isqrt(discriminant) ** 2 == discriminant:
            return None
        # -d times the first and a times the second, added: no square of x is left.
        slope = Fraction(a * second[1] - d * first[1], a - d)
        height = Fraction(a * second[2] - d * first[2], a - d)
        if not slope or not height:
            return None
        curves = [f"y = {polynomial(first)}", f"y = {polynomial(second)}"]
        kind, names = "parabolas", ("parabolas", "meet in two points")
    asked = rng.choice((("slope", "y"), ("slope", "y", "x"), ("x",))[difficulty - 1])
    answer = {"slope": slope, "y": height, "x": -height / slope}[asked]
    if answer.denominator > (2, 6, 12)[difficulty - 1]:
        return None
    wanted = {
        "slope": "What is the slope of the straight line $AB$?",
        "y": "At what height does the straight line $AB$ cross the $y$-axis?",
        "x": "At which $x$ does the straight line $AB$ cross the $x$-axis?",
    }[asked]
    problem = rng.choice(
        (
            f"The {names[0]} ${curves[0]}$ and ${curves[1]}$ {names[1]}, $A$ and $B$. {wanted}",
            f"Let $A$ and $B$ be the two points that the curves ${curves[0]}$ and ${curves[1]}$ have in common. "
            f"{wanted}",
            f"A map shows two paths along the curves ${curves[0]}$ and ${curves[1]}$. They cross at the points $A$ and "
            f"$B$, and a straight shortcut through both crossings is planned. {wanted}",
        )
    )
    return Draw(problem, str(answer), {"kind": kind, "first": first, "second": second, "asked": asked})


def _four_points(rng: Random) -> Draw | None:
    p, q, r, s = rng.randint(-4, 4), rng.randint(-9, -1), rng.randint(-4, 4), rng.randint(-9, -1)

    def gap(x: Fraction) -> Fraction:
        y = x * x + p * x + q
        return y * y + r * y + s - x

    values = [gap(Fraction(k, 4)) for k in range(-40, 41)]
    if 0 in values or sum((u > 0) != (v > 0) for u, v in pairwise(values)) != 4:
        return None
    # The sum of both equations: x² + y² + (p - 1)x + (r - 1)y + q + s = 0.
    cx, cy = Fraction(1 - p, 2), Fraction(1 - r, 2)
    asked = rng.choice(("radius", "radius", "centre"))
    answer = cx + cy if asked == "centre" else cx**2 + cy**2 - q - s
    wanted = {
        "radius": "Find the square of the radius of this circle.",
        "centre": "What is the sum of the coordinates of its centre?",
    }[asked]
    first, second = f"y = {polynomial([1, p, q])}", f"x = {polynomial([1, r, s], 'y')}"
    problem = rng.choice(
        (
            f"The parabolas ${first}$ and ${second}$ meet in four points, all of which lie on one circle. {wanted}",
            f"One circle goes through all four points whose coordinates satisfy both ${first}$ and ${second}$. "
            f"{wanted}",
            f"Four lamps stand where the curves ${first}$ and ${second}$ cross. A circular path passes all four lamps. "
            f"{wanted}",
        )
    )
    return Draw(problem, str(answer), {"kind": "four points", "first": [p, q], "second": [r, s], "asked": asked})
