"""Problems on shortest broken paths."""

from fractions import Fraction
from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def searched(kind: str, numbers: list[int]) -> str:
    """Move the touching points along the lines and close in on the shortest path."""
    from collections.abc import Callable
    from fractions import Fraction
    from math import hypot

    def least(length: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
        for _ in range(60):
            third = (high - low) / 3
            if length(low + third) < length(high - third):
                high -= third
            else:
                low += third
        return low, length(low)

    a, b, c, d = numbers[:4]
    if kind in ("length", "place"):
        place, length = least(lambda x: hypot(x - a, b) + hypot(x - c, d), min(a, c), max(a, c))
        return str(Fraction(place).limit_denominator(60)) if kind == "place" else str(round(length))
    if kind == "two":

        def onward(x: float) -> float:
            return least(lambda y: hypot(x - a, b) + hypot(x, y) + hypot(c, y - d), 0, b + d)[1]

        return str(round(least(onward, 0, a + c)[1]))
    shift = numbers[4]

    def along(x: float) -> float:
        return hypot(x - a, x + shift - b) + hypot(x - c, x + shift - d)

    return str(round(least(along, -200, 200)[1]))


def _right(across: int, up: int) -> int:
    root = isqrt(across**2 + up**2)
    return root if root**2 == across**2 + up**2 else 0


@generator("Reflect a point to straighten a broken path", check=searched)
def mirrored_path(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("length",), ("length", "place"), ("two",) * 8 + ("slanted",) * 8 + ("place",))[difficulty - 1])
    most = (15, 30, 40)[difficulty - 1]
    one, other = rng.randint(1, most), rng.randint(1, most)
    wide = rng.choice([size for size in range(3, 2 * most + 20) if _right(size, one + other)] or [0])
    who = person(rng)
    if kind in ("length", "place"):
        if not wide or one == other:
            return None
        start = rng.choice((0, rng.randint(-9, 9)))
        numbers = [start, one, start + wide, other]
        total = _right(wide, one + other)
        place = Fraction(wide * one, one + other)
        if kind == "place":
            if place.denominator > 2 + difficulty:
                return None
            numbers = [0, one, wide, other]
            text = rng.choice(
                (
                    f"Two villages lie on the same side of a straight railway line, ${one}$ km and ${other}$ km away "
                    f"from it. The points of the line nearest to them are ${wide}$ km apart. A station on the line is "
                    "to make the total length of two straight roads, one from each village to the station, as small "
                    "as possible. How many kilometres from the point nearest to the first village must it stand?",
                    "A point $P$ moves along the $x$-axis. For which $x$-coordinate of $P$ is $AP + PB$ least, if $A "
                    f"= (0, {one})$ and $B = ({wide}, {other})$?",
                    f"A ball on a billiard table lies ${one}$ dm from a long cushion and is to hit this cushion once "
                    f"and then a second ball, which lies ${other}$ dm from the cushion. Measured along the cushion "
                    f"the balls are ${wide}$ dm apart. At which distance along the cushion from the first ball, in "
                    "decimetres, must it hit the cushion, if it leaves the cushion at the same angle at which it "
                    "meets it?",
                )
            )
            return Draw(text, str(place), {"kind": kind, "numbers": numbers})
        text = rng.choice(
            (
                f"A point $P$ moves along the $x$-axis. What is the least possible value of $AP + PB$ for "
                f"$A = ({start}, {one})$ and $B = ({start + wide}, {other})$?",
                f"{who}'s tent stands ${one}$ m from a straight river bank and the camp fire ${other}$ m from it, on "
                f"the same side. The points of the bank nearest to them are ${wide}$ m apart. {who} walks from the "
                "tent to the bank for water and then to the fire. How many metres long is the shortest way?",
                f"Two lamps hang on a wall above a straight cable duct, one ${one}$ dm and the other ${other}$ dm "
                f"above it. Measured along the duct they are ${wide}$ dm apart. A wire is to run straight from one "
                "lamp to some point of the duct and from there straight to the other lamp. How many decimetres long "
                "must the wire be at least?",
                f"A ray of light leaves a lamp ${one}$ cm in front of a flat mirror, is reflected once and arrives at "
                f"a sensor ${other}$ cm in front of the mirror. Along the mirror lamp and sensor are ${wide}$ cm "
                "apart. How many centimetres long is the way of the light?",
            )
        )
        return Draw(text, str(total), {"kind": kind, "numbers": numbers})
    if kind == "two":
        a, b, c, d = (rng.randint(1, 30) for _ in range(4))
        total = _right(a + c, b + d)
        # The straight way between the images must meet the axes in the order of the path.
        if not total or a * d <= b * c or (a, b) == (c, d):
            return None
        numbers = [a, b, c, d]
        text = rng.choice(
            (
                f"A path leads from the point $({a}, {b})$ first to some point of the $x$-axis, then to some point of "
                f"the $y$-axis and from there to the point $({c}, {d})$. What is the least length that it can have?",
                "A meadow is bounded by a straight river and, at right angles to it, by a straight hedge. A hut "
                f"stands ${b}$ m from the river and ${a}$ m from the hedge, a shelter ${d}$ m from the river and "
                f"${c}$ m from the hedge. {who} walks from the hut to the river, on to the hedge and from there to "
                "the shelter. How many metres long is the shortest such way?",
                f"A ball lies on a billiard table near a corner, ${b}$ cm from the lower cushion and ${a}$ cm from "
                f"the left one. It hits the lower cushion, then the left one and then a ball that lies ${d}$ cm from "
                f"the lower and ${c}$ cm from the left cushion. At each cushion it is reflected like light. How many "
                "centimetres has it rolled until it hits the second ball?",
            )
        )
        return Draw(text, str(total), {"kind": kind, "numbers": numbers})
    shift = rng.randint(-6, 6)
    a, b, c, d = (rng.randint(-12, 20) for _ in range(4))
    total = _right(b - shift - c, a + shift - d)
    if not total or (b - a - shift) * (d - c - shift) <= 0 or b - shift == c or a + shift == d:
        return None
    line = "x" if shift == 0 else f"x {'+' if shift > 0 else '-'} {abs(shift)}"
    text = rng.choice(
        (
            f"A point $P$ moves along the line $y = {line}$. What is the least possible value of $AP + PB$ for $A = "
            f"({a}, {b})$ and $B = ({c}, {d})$?",
            f"On a map with kilometres as units a straight canal runs along the line $y = {line}$. A pipe is to lead "
            f"from a farm at $({a}, {b})$ to the canal and from there to a farm at $({c}, {d})$. How many kilometres "
            "of pipe are needed at least?",
        )
    )
    return Draw(text, str(total), {"kind": "slanted", "numbers": [a, b, c, d, shift]})
