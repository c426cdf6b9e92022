"""Problems on limits and on the turning values of functions."""

from fractions import Fraction
from itertools import pairwise
from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial, signed


def slopes_divided(top: list[int], bottom: list[int], point: int, roots: list[int]) -> str:
    """Divide the slopes of numerator and denominator at the point.

    A root of a linear term stands in the numerator if `roots` is positive there, and in the denominator likewise.
    """
    from fractions import Fraction
    from math import isqrt

    def slope(coefficients: list[int], under_root: int) -> Fraction:
        degree = len(coefficients) - 1
        total = Fraction(0)
        for i, c in enumerate(coefficients[:-1]):
            total += c * (degree - i) * Fraction(point) ** (degree - i - 1)
        if under_root:
            value = Fraction(0)
            for c in coefficients:
                value = value * point + c
            total /= 2 * isqrt(int(value))
        return total

    if not bottom:
        # The hole of (x^2 + ax + c) / (x - point), where a is unknown: the value at the point has to be zero.
        a = Fraction(-(point * point) - top[-1], point)
        return str(2 * point + a)
    return str(slope(top, roots[0]) / slope(bottom, roots[1]))


def _product(p: list[int], q: list[int]) -> list[int]:
    result = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return result


def _value(coefficients: list[int], x: int) -> int:
    total = 0
    for c in coefficients:
        total = total * x + c
    return total


@generator("Cancel the vanishing factor in a limit of the form 0/0", check=slopes_divided)
def cancelled_limit(rng: Random, difficulty: int) -> Draw | None:
    point = rng.choice([p for p in range(-4, 6) if difficulty > 1 or p > 0])
    kind = "quotient" if difficulty == 1 else rng.choice(("quotient", "root", "hole", "roots")[: difficulty + 1])
    name = person(rng)
    factor = [1, -point]
    toward = rf"\lim_{{x\to {point}}}"
    if kind == "hole":
        # (x - point)(x - other)
        other = rng.choice([r for r in range(-9, 10) if r not in (0, point)])
        if point == 0:
            return None
        c = point * other
        answer = Fraction(point - other)
        quotient = rf"\frac{{x^2 + ax {signed(c)}}}{{x {signed(-point)}}}"
        problem = rng.choice(
            (
                rf"For one number $a$ the limit $\displaystyle{toward} {quotient}$ exists. What is the value of the "
                r"limit "
                "for this $a$?",
                f"The number $a$ is chosen so that the graph of $y = \\dfrac{{x^2 + ax {signed(c)}}}{{x "
                f"{signed(-point)}}}$ "
                f"has a hole at $x = {point}$ instead of running off to infinity there. What is the $y$-coordinate of "
                "the "
                "hole?",
                f"{name} wants to fill a gap: for a suitable number $a$ the function $f(x) = {quotient}$ can be given "
                "a "
                f"value at $x = {point}$ that makes it continuous there. What is this value?",
            )
        )
        return Draw(problem, str(answer), {"top": [1, 0, c], "bottom": [], "point": point, "roots": [0, 0]})
    if kind == "quotient":
        first = [rng.choice((1, 1, 2, 3)), rng.randint(-6, 6)]
        second = [rng.choice((1, 1, 2)), rng.randint(-6, 6)] if rng.random() < 0.7 else [1]
        if difficulty == 1:
            first = [1, rng.randint(-9, 9)]
            second = [1]
        if difficulty == 3:
            first = _product(first, [1, rng.randint(-4, 4)])
        below, above = _value(second, point), _value(first, point)
        top, bottom = _product(factor, first), _product(factor, second)
        if below == 0 or above == 0 or top == bottom or not top[-1] or (len(second) > 1 and not bottom[-1]):
            return None
        answer = Fraction(above, below)
        quotient = rf"\frac{{{polynomial(top)}}}{{{polynomial(bottom)}}}"
        values = {"top": top, "bottom": bottom, "point": point, "roots": [0, 0]}
    else:
        # The conjugate: (sqrt(kx + c) - d) (sqrt(kx + c) + d) = k (x - point).
        k, d = rng.choice((1, 1, 2, 3, 4)), rng.randint(1, 6)
        under = [k, d * d - k * point]
        if kind == "root":
            second = [1, rng.choice([r for r in range(-5, 6) if r != -point])]
            bottom = _product(factor, second)
            below = _value(second, point)
            answer = Fraction(k, 2 * d * below)
            quotient = rf"\frac{{\sqrt{{{polynomial(under)}}} - {d}}}{{{polynomial(bottom)}}}"
            values = {"top": under, "bottom": bottom, "point": point, "roots": [1, 0]}
        else:
            m, e = rng.choice((1, 2, 3)), rng.randint(1, 6)
            lower = [m, e * e - m * point]
            if under == lower:
                return None
            answer = Fraction(k * 2 * e, 2 * d * m)
            quotient = rf"\frac{{\sqrt{{{polynomial(under)}}} - {d}}}{{\sqrt{{{polynomial(lower)}}} - {e}}}"
            values = {"top": under, "bottom": lower, "point": point, "roots": [1, 1]}
            if lower[1] == 0:
                return None
        if under[1] == 0 or isqrt(_value(under, point)) != d:
            return None
    shown = quotient.replace(r"\frac", r"\dfrac", 1)
    problem = rng.choice(
        (
            rf"Find $\displaystyle{toward} {quotient}$.",
            f"Which value does ${shown}$ approach as $x$ approaches ${point}$?",
            f"The function $f(x) = {shown}$ is not defined at $x = {point}$. Which value must it be given there to "
            "become "
            "continuous at this place?",
        )
    )
    return Draw(problem, str(answer), values)


def levels_tried(coefficients: list[int], ends: list[int], wanted: int) -> int:
    """Count for each whole level how often the curve passes it, step by step or by the discriminant of a cubic."""
    from itertools import pairwise

    a, b, c, d = coefficients

    def value(x: int) -> int:
        return ((a * x + b) * x + c) * x + d

    if not ends:
        found = 0
        for level in range(-4000, 4001):
            e = d - level
            delta = 18 * a * b * c * e - 4 * b**3 * e + b * b * c * c - 4 * a * c**3 - 27 * a * a * e * e
            found += delta > 0
        return found
    heights = [value(x) for x in range(ends[0], ends[1] + 1)]
    steps = list(pairwise(heights))
    found = 0
    for level in range(min(heights), max(heights) + 1):
        passes = sum(height == level for height in heights)
        passes += sum((p - level) * (q - level) < 0 for p, q in steps)
        found += passes == wanted
    return found


@generator("Count solutions from the turning values of a function", check=levels_tried)
def counted_solutions(rng: Random, difficulty: int) -> Draw | None:
    story = difficulty == 1 or rng.random() < 0.6
    r, s = sorted(rng.sample(range(1, 9) if story else range(-6, 7), 2))
    leading = rng.choice((1, -1)) * rng.randint(1, 1 if story else 3)
    if difficulty == 1:
        # A parabola with its vertex at r.
        s = r
        d = rng.randint(0, 40)
        coefficients = [0, leading, -2 * leading * r, d]
    else:
        if (r + s) % 2:
            leading *= 2
        if s - r < 2 or s - r > (6 if story else 8):
            return None
        # f' = 3 * leading * (x - r)(x - s)
        d = rng.randint(0, 30) if story else rng.randint(-5, 5)
        coefficients = [leading, -3 * leading * (r + s) // 2, 3 * leading * r * s, d]
    low, high = sorted((_value(coefficients, r), _value(coefficients, s)))
    values: dict[str, object]
    if not story:
        answer = high - low - 1
        left = polynomial(coefficients)
        problem = rng.choice(
            (
                f"For how many integers $k$ does the equation ${left} = k$ have three different real solutions?",
                f"How many horizontal lines $y = k$ with an integer $k$ meet the curve $y = {left}$ in exactly three "
                "points?",
                f"How many integers are taken exactly three times by the function $f(x) = {left}$, where $x$ is any "
                "real "
                "number?",
            )
        )
        if high - low > 3000 or max(abs(low), abs(high)) > 3900:
            return None
        values = {"coefficients": coefficients, "ends": [], "wanted": 3}
        return Draw(problem, str(answer), values)
    end = rng.randint(s + 1, s + 4)
    at_start, at_end = _value(coefficients, 0), _value(coefficients, end)
    wanted = 2 if difficulty == 1 else rng.randint(2, 3) if difficulty == 3 else 3
    turns = [_value(coefficients, x) for x in sorted({r, s})]
    points = [at_start, *turns, at_end]
    pieces = list(pairwise(points))
    answer = 0
    for level in range(min(map(min, pieces)), max(map(max, pieces)) + 1):
        inside = sum(min(piece) < level < max(piece) for piece in pieces)
        inside += sum(level == point for point in points)
        answer += inside == wanted
    if answer < 2 or min(map(min, pieces)) < -60:
        return None
    times = {2: "exactly twice", 3: "exactly three times"}[wanted]
    points_met = {2: "in exactly two points", 3: "in exactly three points"}[wanted]
    curve = polynomial(coefficients[coefficients[0] == 0 :], "t")
    name = person(rng)
    problem = rng.choice(
        (
            f"During a test run of {end} minutes the temperature of a device after $t$ minutes was ${curve}$ degrees, "
            "for "
            f"$0 \\le t \\le {end}$. How many whole-number temperatures did the device have {times}?",
            f"For $0 \\le t \\le {end}$ hours the height of the water at a gauge was ${curve}$ centimetres, counted "
            "from a "
            f"mark. How many whole numbers of centimetres did the gauge show {times} in this time?",
            f"{name} draws the graph of $f(t) = {curve}$ for $0 \\le t \\le {end}$. For how many integers $k$ does "
            "the line "
            f"at height $k$ meet the graph {points_met}?",
        )
    )
    values = {"coefficients": coefficients, "ends": [0, end], "wanted": wanted}
    return Draw(problem, str(answer), values)
