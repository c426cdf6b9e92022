"""Problems on greatest and least values."""

from fractions import Fraction
from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def values_compared(terms: list[list[int]], ends: list[int], steps: int, largest: bool, place: bool) -> str:
    """Compute the quantity on a fine grid of its range and compare.

    The quantity is a sum of terms coefficient * x^power, and powers may be negative.
    """
    from fractions import Fraction

    grid = [Fraction(k, steps) for k in range(ends[0] * steps, ends[1] * steps + 1)]
    values = [(sum((c * x**p for c, p in terms), Fraction(0)), x) for x in grid if x or min(p for _, p in terms) >= 0]
    best = max(values) if largest else min(values)
    return str(best[1] if place else best[0])


@generator("Optimise a quantity through its critical points", check=values_compared)
def critical_points(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (
            ("fence", "price", "parabola"),
            ("sheet", "cost", "cubic", "pens"),
            ("box", "arch", "cubic", "sheet", "sum"),
        )[difficulty - 1]
    )
    name = person(rng)
    place = False
    largest = True
    steps = 6
    if kind == "fence":
        total = 4 * rng.randint(4, 60)
        terms, ends = [[total, 1], [-2, 2]], [0, total // 2]
        answer, best = Fraction(total * total, 8), Fraction(total, 4)
        place = rng.random() < 0.4
        side = (
            "How many metres long should the two sides at right angles to the river be, so that the area is largest?"
            if place
            else "What is the largest area, in square metres, that can be fenced in?"
        )
        owner = rng.choice(("A farmer", name))
        problem = (
            f"{owner} has {total} metres of fence for a rectangular meadow. One side of the meadow lies along a "
            "straight "
            f"river and needs no fence. {side}"
        )
    elif kind == "price":
        # Price p, sold n - m p.
        m = rng.randint(1, 8)
        n = 2 * m * rng.randint(4, 30)
        terms, ends = [[n, 1], [-m, 2]], [0, n // m]
        best = Fraction(n, 2 * m)
        answer = best * (n - m * best)
        place = rng.random() < 0.5
        thing = rng.choice(("scarves", "lamps", "mugs", "calendars"))
        fewer = f"{m} fewer" if m > 1 else "1 fewer"
        problem = (
            f"At a price of $x$ euros a shop sells ${n} - {m if m > 1 else ''}x$ {thing} a week, that is {fewer} for "
            "each "
            "euro of the price. "
            + (
                "At what price, in euros, does it take in the most money a week?"
                if place
                else "What is the largest sum of money, in euros, that it can take in for them in a week?"
            )
        )
    elif kind == "parabola":
        vertex = rng.randint(2, 7)
        a, d = rng.randint(1, 3), rng.randint(1, 30)
        largest = rng.random() < 0.5
        sign = -1 if largest else 1
        coefficients = [sign * a, -2 * sign * a * vertex, d + (0 if largest else a * vertex * vertex)]
        terms, ends = [[c, p] for c, p in zip(coefficients, (2, 1, 0), strict=True)], [0, vertex + rng.randint(1, 5)]
        best = Fraction(vertex)
        answer = Fraction(coefficients[2] - sign * a * vertex * vertex)
        word = "highest" if largest else "lowest"
        place = rng.random() < 0.4
        problem = (
            f"For $0 \\le t \\le {ends[1]}$ the temperature in a kiln after $t$ hours differs from its set value by "
            f"${polynomial(coefficients, 't')}$ degrees. "
            + (
                f"After how many hours is the temperature {word}?"
                if place
                else f"What is the {'largest' if largest else 'smallest'} value of this difference, in degrees?"
            )
        )
    elif kind == "sheet":
        # Squares of side x from a sheet of sides p and q: x = (p + q - sqrt(p^2 - pq + q^2)) / 6.
        p, q = sorted(rng.sample(range(5, 41), 2))
        root = isqrt(p * p - p * q + q * q)
        if root**2 != p * p - p * q + q * q or (difficulty == 2 and (p + q - root) % 6):
            return None
        best = Fraction(p + q - root, 6)
        answer = best * (p - 2 * best) * (q - 2 * best)
        terms, ends = [[4, 3], [-2 * (p + q), 2], [p * q, 1]], [0, p // 2]
        place = rng.random() < 0.5
        unit = rng.choice(("cm", "dm"))
        long = {"cm": "centimetres", "dm": "decimetres"}[unit]
        problem = (
            f"Equal squares are cut from the four corners of a {q} {unit} by {p} {unit} sheet of "
            f"{rng.choice(('tin', 'cardboard', 'plastic'))}, and the sides are folded up to make an open box. "
            + (
                f"How long, in {long}, must the sides of the squares be so that the box holds as much as possible?"
                if place
                else f"What is the greatest possible volume of the box, in cubic {long}?"
            )
        )
    elif kind == "cost":
        # a x^p + b / x with the least value at a whole number.
        best = Fraction(rng.randint(2, 8))
        power, a = rng.randint(1, 2), rng.randint(1, 5)
        b = int(power * a * best ** (power + 1))
        terms, ends, largest = [[a, power], [b, -1]], [1, 40], False
        answer = a * best**power + b / best
        place = rng.random() < 0.5
        first = f"{a if a > 1 else ''}v{'^2' if power == 2 else ''}"
        machine = rng.choice(("pump", "fan", "mill", "conveyor belt"))
        problem = f"Running a {machine} at speed $v > 0$ costs ${first} + \\dfrac{{{b}}}{{v}}$ cents per minute. " + (
            "At which speed is the cost per minute lowest?"
            if place
            else "What is the lowest possible cost per minute, in cents?"
        )
    elif kind == "pens":
        # Equal pens along a wall: count + 1 fences at right angles to it, and one that is parallel to it.
        count = rng.randint(2, 5)
        total = 2 * (count + 1) * rng.randint(2, 20)
        terms, ends = [[total, 1], [-(count + 1), 2]], [0, total // (count + 1)]
        best = Fraction(total, 2 * (count + 1))
        answer = best * (total - (count + 1) * best)
        place = rng.random() < 0.4
        number = {2: "two", 3: "three", 4: "four", 5: "five"}[count]
        problem = (
            f"From {total} metres of fence {name} builds {number} equal rectangular pens side by side along a long "
            "wall. "
            "The wall itself needs no fence, and neighbouring pens share a fence. "
            + (
                "How many metres must the fences at right angles to the wall measure, so that the pens are as large as "
                "possible?"
                if place
                else "What is the largest area, in square metres, that all pens together can have?"
            )
        )
    elif kind == "cubic":
        r, s = sorted(rng.sample(range(-3, 6), 2))
        leading = rng.choice((1, -1)) * (2 if (r + s) % 2 else 1)
        coefficients = [leading, -3 * leading * (r + s) // 2, 3 * leading * r * s, rng.randint(-10, 20)]
        ends = [r - rng.randint(0, 3), s + rng.randint(0, 3)]
        largest = rng.random() < 0.5

        def cubic(x: int) -> int:
            return ((coefficients[0] * x + coefficients[1]) * x + coefficients[2]) * x + coefficients[3]

        candidates = sorted((cubic(x), x) for x in {*ends, r, s})
        top, second = (candidates[-1], candidates[-2]) if largest else (candidates[0], candidates[1])
        place = rng.random() < 0.4
        if place and top[0] == second[0]:
            return None
        answer, best = Fraction(top[0]), Fraction(top[1])
        terms = [[c, power] for c, power in zip(coefficients, (3, 2, 1, 0), strict=True)]
        word = "greatest" if largest else "least"
        steps = 2
        problem = rng.choice(
            (
                f"At which $x$ in the interval ${ends[0]} \\le x \\le {ends[1]}$ does $f(x) = "
                f"{polynomial(coefficients)}$ "
                f"have its {word} value?"
                if place
                else f"What is the {word} value of $f(x) = {polynomial(coefficients)}$ for ${ends[0]} \\le x \\le "
                f"{ends[1]}$?",
                f"On a map a path follows the curve $y = {polynomial(coefficients)}$ from $x = {ends[0]}$ to $x = "
                f"{ends[1]}$, where $y$ points north. "
                + (
                    f"What is the $x$-coordinate of its {'northernmost' if largest else 'southernmost'} point?"
                    if place
                    else f"What is the $y$-coordinate of its {'northernmost' if largest else 'southernmost'} point?"
                ),
            )
        )
    elif kind == "box":
        # Square bottom of side x, height V / x^2: bottom costs a, sides cost b: a x^2 + 4 b V / x.
        best = Fraction(rng.randint(2, 8))
        a, b = rng.randint(1, 6), rng.randint(1, 4)
        volume, rest = divmod(int(a * best**3), 2 * b)
        if rest:
            return None
        terms, ends, largest = [[a, 2], [4 * b * volume, -1]], [1, 30], False
        answer = a * best**2 + 4 * b * volume / best
        place = rng.random() < 0.4
        euros = {1: "1 euro"}
        problem = (
            f"An open box without a lid has a square bottom and holds {volume} cubic metres. The bottom costs "
            f"{euros.get(a, f'{a} euros')} per square metre and the four sides cost {euros.get(b, f'{b} euros')} per "
            "square "
            "metre. "
            + (
                "How many metres long must the sides of the bottom be so that the box is as cheap as possible?"
                if place
                else "What is the lowest possible cost of the box, in euros?"
            )
        )
    elif kind == "arch":
        # Rectangle under y = 3 a k^2 - a x^2: area 2x (3 a k^2 - a x^2), largest at x = k.
        k, a = rng.randint(1, 6), rng.randint(1, 4)
        terms, ends = [[6 * a * k * k, 1], [-2 * a, 3]], [0, isqrt(3 * k * k)]
        best, answer = Fraction(k), Fraction(4 * a * k**3)
        curve = f"y = {3 * a * k * k} - {a if a > 1 else ''}x^2"
        problem = rng.choice(
            (
                "A rectangle has two corners on the $x$-axis and the other two, above the axis, on the parabola "
                f"${curve}$. "
                "What is its largest possible area?",
                f"The opening of a tunnel is bounded by the ground $y = 0$ and the arch ${curve}$, in metres. What is "
                "the "
                "area, in square metres, of the largest rectangular door, standing on the ground, that fits into the "
                "opening?",
            )
        )
    else:
        # x^2 y with x + y = s, or x y^3.
        power = rng.randint(2, 3)
        total = (power + 1) * rng.randint(1, 9)
        best = Fraction(power * total, power + 1)
        answer = best**power * (total - best)
        terms, ends = [[total, power], [-1, power + 1]], [0, total]
        steps = 2
        problem = rng.choice(
            (
                f"Positive numbers $x$ and $y$ have the sum ${total}$. What is the greatest possible value of "
                f"$x^{power}y$?",
                f"A stick of length ${total}$ is broken into two pieces of lengths $x$ and $y$. How large can "
                f"$x^{power}y$ "
                "become?",
            )
        )
    asked = best if place else answer
    values = {"terms": terms, "ends": ends, "steps": steps, "largest": largest, "place": place}
    return Draw(problem, str(asked), values)
