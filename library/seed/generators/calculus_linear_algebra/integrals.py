"""Problems on areas and means."""

from fractions import Fraction
from itertools import pairwise
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def _antiderivative(coefficients: list[int], x: int) -> Fraction:
    degree = len(coefficients)
    return sum((Fraction(c, degree - i) * x ** (degree - i) for i, c in enumerate(coefficients)), Fraction(0))


def _expanded(roots: list[int], leading: int) -> list[int]:
    coefficients = [leading]
    for root in roots:
        coefficients = [a - root * b for a, b in zip([*coefficients, 0], [0, *coefficients], strict=True)]
    return coefficients


def strips_measured(upper: list[int], lower: list[int], ends: list[int]) -> str:
    """Cut the area into strips of width 1, each exact by Simpson's rule for curves up to the third degree."""
    from fractions import Fraction

    def gap(x: Fraction) -> Fraction:
        one = two = Fraction(0)
        for c in upper:
            one = one * x + c
        for c in lower:
            two = two * x + c
        return one - two

    half = Fraction(1, 2)
    area = Fraction(0)
    for left in range(*ends):
        x = Fraction(left)
        area += abs(gap(x) + 4 * gap(x + half) + gap(x + 1)) / 6
    return str(area)


@generator("Split the area between curves at their crossings", check=strips_measured)
def split_area(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(("curves", "range", "path")) if difficulty > 1 else rng.choice(("curves", "axis", "path"))
    leading = rng.choice((1, -1)) if difficulty < 3 else rng.choice((1, -1, 2, -2))
    count = 3 if difficulty == 3 or (difficulty == 2 and kind == "curves" and rng.random() < 0.4) else 2
    spread = (-3, 4) if kind in ("curves", "range", "axis") else (0, 6)
    roots = sorted(rng.sample(range(*spread), count))
    gap = _expanded(roots, leading)
    if kind in ("curves", "axis"):
        start, end = roots[0], roots[-1]
    elif kind == "range" or difficulty > 1:
        start = roots[0] - rng.randint(0, 1) if kind == "range" else 0
        end = roots[-1] + rng.randint(0 if start < roots[0] else 1, 2)
        if start == roots[0] and end == roots[-1] and count == 2:
            return None
    else:
        start, end = 0, roots[-1]
        if roots[0] == 0:
            return None
    cuts = sorted({start, end, *(root for root in roots if start < root < end)})
    area = sum(
        (abs(_antiderivative(gap, b) - _antiderivative(gap, a)) for a, b in pairwise(cuts)),
        Fraction(0),
    )
    line = [0] * (len(gap) - 2) + [rng.randint(-3, 3), rng.randint(-4, 4)]
    upper = [a + b for a, b in zip(gap, line, strict=True)]
    lower = line[-2:]
    if kind == "range" and lower == [0, 0]:
        return None
    if kind == "axis" or kind == "path":
        upper, lower = gap, [0]
    curve = f"y = {polynomial(upper)}"
    other = f"y = {polynomial(lower)}"
    name = person(rng)
    if kind == "axis":
        problem = rng.choice(
            (
                f"Find the area of the region enclosed by the curve ${curve}$ and the $x$-axis.",
                f"The parabola ${curve}$ and the $x$-axis enclose a region. How large is its area?",
            )
        )
    elif kind == "path":
        velocity = polynomial(gap, "t")
        thing = rng.choice(("toy train on a straight track", "lift", "robot on a rail", "slider on a rod"))
        problem = rng.choice(
            (
                f"The velocity of a {thing} is ${velocity}$ metres per second after $t$ seconds, where negative values "
                "stand for moving back. How many metres does it cover altogether, forwards and back, from $t = "
                f"{start}$ "
                f"to $t = {end}$?",
                f"{name} walks up and down a straight road. After $t$ minutes, for ${start} \\le t \\le {end}$, the "
                f"velocity is ${velocity}$ (in hundreds of metres per minute), and a negative value means walking "
                "back. "
                f"What distance, in hundreds of metres, does {name} walk in all?",
            )
        )
    elif kind == "curves":
        regions = "region" if count == 2 else "two regions"
        problem = rng.choice(
            (
                f"Find the {'' if count == 2 else 'total '}area of the {regions} enclosed by the curve ${curve}$ and "
                f"the line ${other}$.",
                f"The curve ${curve}$ and the line ${other}$ enclose {'one region' if count == 2 else regions}. How "
                "many "
                f"square units {'does it' if count == 2 else 'do the two'} cover{'' if count == 2 else ' together'}?",
                f"On a plan a stream follows the curve ${curve}$ and a road the line ${other}$. All land enclosed "
                "between "
                "the two is a meadow. How many square units does the meadow cover?",
            )
        )
    else:
        problem = rng.choice(
            (
                f"What is the total area between the curve ${curve}$ and the line ${other}$ for ${start} \\le x \\le "
                f"{end}$, counted as positive everywhere?",
                f"In a park one path follows the curve ${curve}$ and another the line ${other}$, both for ${start} "
                "\\le "
                f"x \\le {end}$. All ground between the two paths in this range is planted with flowers, whichever of "
                "them runs above. How many square units are planted?",
                f"{name} colours everything between the graphs of ${curve}$ and ${other}$ from $x = {start}$ to $x = "
                f"{end}$. How large is the coloured area?",
            )
        )
    return Draw(problem, str(area), {"upper": upper, "lower": lower, "ends": [start, end]})


def mean_by_simpson(coefficients: list[int], start: int, end: int, mean: list[int] | None) -> str:
    """Take Simpson's weighted mean, exact up to the third degree; for an unknown end try one after the other."""
    from fractions import Fraction

    def value(x: Fraction) -> Fraction:
        total = Fraction(0)
        for c in coefficients:
            total = total * x + c
        return total

    def average(end: int) -> Fraction:
        a, b = Fraction(start), Fraction(end)
        return (value(a) + 4 * value((a + b) / 2) + value(b)) / 6

    if mean is None:
        return str(average(end))
    end = start + 1
    while average(end) != Fraction(*mean):
        end += 1
    return str(end)


@generator("Average a function by dividing its integral by the length", check=mean_by_simpson)
def function_mean(rng: Random, difficulty: int) -> Draw | None:
    degree = (1 + rng.randint(0, 1), 2, rng.randint(2, 3))[difficulty - 1]
    size = (4, 6, 9)[difficulty - 1]
    coefficients = [rng.choice([c for c in range(-3, 4) if c])]
    coefficients += [rng.randint(-size, size) for _ in range(degree - 1)] + [rng.randint(0, 20)]
    start = rng.choice((0, 0, 1, -1, -2)[: difficulty + 2])
    end = start + rng.randint(2, 6)
    area = _antiderivative(coefficients, end) - _antiderivative(coefficients, start)
    mean = area / (end - start)
    unknown = difficulty == 3 and start == 0 and rng.random() < 0.6

    def at(x: Fraction) -> Fraction:
        total = Fraction(0)
        for c in coefficients:
            total = total * x + c
        return total

    steps = [at(Fraction(start) + Fraction(end - start, 24) * k) for k in range(25)]
    name = person(rng)
    kind = rng.choice(("plain", "temperature", "speed", "height"))
    symbol = {"plain": "x", "height": "x"}.get(kind, "t")
    term = polynomial(coefficients, symbol)
    if kind in ("speed", "height") and min(steps) < 0:
        return None
    if kind != "plain" and (max(steps) > (40 if kind == "temperature" else 120) or min(steps) < -15):
        return None
    if symbol == "t" and start < 0:
        return None
    if unknown:
        # The end must be the first at which the mean is reached.
        fits = [b for b in range(1, 80) if _antiderivative(coefficients, b) == mean * b]
        if fits != [end]:
            return None
        given = f"${mean}$" if mean.denominator == 1 else rf"$\frac{{{mean.numerator}}}{{{mean.denominator}}}$"
        if mean.numerator < 0 and mean.denominator > 1:
            return None
        problem = {
            "plain": f"The mean value of $f(x) = {term}$ on the interval from $0$ to $b$ is {given}, where $b$ is a "
            "positive integer. Find $b$.",
            "temperature": f"The temperature in a cold store $t$ hours after it is switched on is ${term}$ degrees. "
            f"From then on the mean temperature over the first $b$ hours, for a whole number $b$, is {given} degrees. "
            "Find $b$.",
            "speed": f"After $t$ minutes a tap lets ${term}$ litres per minute flow. Over the first $b$ minutes, "
            "where $b$ "
            f"is a whole number, it lets {given} litres per minute flow on average. Find $b$.",
            "height": f"The edge of a stage curtain is at the height ${term}$ decimetres at position $x$. From $x = "
            "0$ to "
            f"$x = b$, where $b$ is a whole number, its mean height is {given} decimetres. Find $b$.",
        }[kind]
        answer = str(end)
    else:
        problem = {
            "plain": f"What is the mean value of the function $f(x) = {term}$ on the interval from $x = {start}$ to "
            f"$x = {end}$?",
            "temperature": f"At time $t$ (in hours after midnight) the temperature in {name}'s greenhouse is ${term}$ "
            f"degrees. What is the mean temperature, in degrees, from $t = {start}$ to $t = {end}$?",
            "speed": f"After $t$ minutes a tap lets ${term}$ litres per minute flow. How many litres per minute does "
            "it "
            f"let flow on average from $t = {start}$ to $t = {end}$?",
            "height": f"The top of a wall has the height $y = {term}$ decimetres at position $x$. What is its mean "
            "height, "
            f"in decimetres, from $x = {start}$ to $x = {end}$?",
        }[kind]
        answer = str(mean)
    values = {
        "coefficients": coefficients,
        "start": start,
        "end": 0 if unknown else end,
        "mean": [mean.numerator, mean.denominator] if unknown else None,
    }
    return Draw(problem, answer, values)
