"""Problems on long trigonometric sums."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def added(kind: str, numbers: list[int]) -> str:
    """Add or multiply all terms in decimals, one after the other."""
    from fractions import Fraction
    from math import cos, pi, sin, tan

    first, step, last, one, other = numbers
    angles = [angle * pi / 180 for angle in range(first, last + 1, step)]
    if kind == "wheel":
        total = sum((one * sin((first / 2 + 360 * place / step) * pi / 180)) ** 2 for place in range(step))
    elif kind == "squares":
        total = sum(one * sin(angle) ** 2 + other * cos(angle) ** 2 for angle in angles)
    elif kind == "inverse":
        total = sum(1 / (1 + tan(angle) ** one) for angle in angles)
    else:
        total = 1.0
        for angle in angles:
            total *= one * tan(angle)
    return str(Fraction(total).limit_denominator(50))


@generator("Pair the angles of a long trigonometric sum", check=added)
def paired(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("squares",), ("squares", "wheel", "wheel"), ("squares", "inverse", "wheel", "product"))[difficulty - 1]
    )
    who = person(rng)
    if kind == "wheel":
        number = rng.choice(range(8, 81, 4))
        radius = rng.randint(2, 15)
        offset = 0 if difficulty == 2 else rng.randint(1, 20)
        answer = Fraction(number * radius**2, 2)
        direction = rng.choice(("height", "distance"))
        tilt = f"${offset / 2:g}^\\circ$"
        start = (
            "one of them exactly level with the hub"
            if offset == 0
            else f"one of them {tilt} above the level of the hub, seen from it"
        )
        place = "on the positive $x$-axis" if offset == 0 else f"in the direction {tilt} from the positive $x$-axis"
        measured = (
            "the difference in height between it and the hub"
            if direction == "height"
            else "its distance from the vertical line through the hub"
        )
        text = rng.choice(
            (
                f"A big wheel of radius ${radius}$ m has ${number}$ cabins, evenly spaced along its rim, and it has "
                f"stopped with {start}. For every cabin {measured} is squared. How many square metres do the "
                f"${number}$ squares add up to?",
                f"On the rim of a wheel with radius ${radius}$ cm sit ${number}$ lamps at equal distances, {start}. "
                f"{who} measures for every lamp {measured}, in centimetres, squares these numbers and adds the "
                "squares. What is the result?",
                f"The corners of a regular polygon with ${number}$ sides lie on a circle of radius ${radius}$ around "
                f"the origin, one of them {place}. "
                f"What is the sum of the squares of the {'$y$' if direction == 'height' else '$x$'}-coordinates of "
                "all its corners?",
            )
        )
        return Draw(text, str(answer), {"kind": kind, "numbers": [offset, number, 0, radius, 0]})
    step = rng.choice(
        ((5, 6, 9, 10, 15, 18, 30), (1, 2, 3, 4, 5, 6, 8, 9, 10), (1, 2, 3, 4, 5, 6, 7, 8, 9))[difficulty - 1]
    )
    first = step if difficulty == 1 else rng.randint(1, 20)
    end = rng.choice((90, 90, 180)) if kind == "squares" else 90
    if end == 180:
        first = step
    last = end - first
    terms, rest = divmod(last - first, step)
    terms += 1
    if rest or terms < 5 or (end == 180 and 90 % step):
        return None
    second, third = first + step, first + 2 * step
    dots = "\\cdots"
    one, other = 1, 0
    if kind == "squares":
        name = rng.choice(("sin", "cos"))
        if difficulty > 1 and rng.random() < 0.5:
            one, other = rng.randint(2, 9), rng.randint(2, 9)
            if one == other:
                return None
        elif name == "cos":
            one, other = 0, 1
        total = Fraction((one + other) * terms, 2)
        if end == 180:
            # 90° stands alone; a and 90° - a make pairs, and so do their supplements.
            total = Fraction((one + other) * (terms - 1), 2) + one
        if one and other:
            body = f"\\left({one}\\sin^2 k^\\circ + {other}\\cos^2 k^\\circ\\right)"
            text = rng.choice(
                (
                    f"For every $k$ in the list ${first}, {second}, {third}, \\ldots, {last}$ the value of "
                    f"${body[6:-7]}$ is computed. What is the sum of these values?",
                    f"{who} lets a program add the numbers ${body[6:-7]}$ for $k = {first}, {second}, {third}, "
                    f"\\ldots, {last}$. What is the exact result?",
                )
            )
        else:
            power = f"\\{name}^2"
            shown = [f"{power} {angle}^\\circ" for angle in (first, second, third, last)]
            total_text = f"{' + '.join(shown[:3])} + {dots} + {shown[3]}"
            text = rng.choice(
                (
                    f"Compute ${total_text}$.",
                    f"What is the exact value of the sum ${total_text}$, in which the angles grow by ${step}^\\circ$ "
                    "from each term to the next?",
                    f"{who} adds the squares of the {'sines' if name == 'sin' else 'cosines'} of all the angles "
                    f"${first}^\\circ, {second}^\\circ, {third}^\\circ, \\ldots, {last}^\\circ$. What is the result?",
                    f"Rays leave the origin at the angles ${first}^\\circ, {second}^\\circ, {third}^\\circ, \\ldots, "
                    f"{last}^\\circ$ to the positive $x$-axis. What is the sum of the squares of the "
                    f"{'$y$' if name == 'sin' else '$x$'}-coordinates of the points in which they meet the circle of "
                    "radius $1$ around the origin?",
                )
            )
        answer = total
    elif kind == "inverse":
        one = rng.randint(1, 9)
        answer = Fraction(terms, 2)
        power = f"\\tan^{one}" if one > 1 else "\\tan"
        parts = [f"\\frac{{1}}{{1 + {power} {angle}^\\circ}}" for angle in (first, second, last)]
        text = rng.choice(
            (
                f"Compute ${parts[0]} + {parts[1]} + {dots} + {parts[2]}$, where the angles grow by ${step}^\\circ$.",
                f"For each of the angles $a = {first}^\\circ, {second}^\\circ, {third}^\\circ, \\ldots, "
                f"{last}^\\circ$ the number $\\frac{{1}}{{1 + {power} a}}$ is computed. What is the sum of all these "
                "numbers?",
            )
        )
    else:
        one = rng.choice((1, 2, 2, 2, 3, 3))
        if terms > (60 if one == 1 else 12):
            return None
        answer = Fraction(one**terms)
        front = "" if one == 1 else str(one)
        text = rng.choice(
            (
                f"Compute the product of the numbers ${front}\\tan k^\\circ$ for $k = {first}, {second}, {third}, "
                f"\\ldots, {last}$.",
                f"{who} multiplies the numbers ${front}\\tan {first}^\\circ, {front}\\tan {second}^\\circ, "
                f"{front}\\tan {third}^\\circ, \\ldots, {front}\\tan {last}^\\circ$. What is the exact result?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": [first, step, last, one, other]})
