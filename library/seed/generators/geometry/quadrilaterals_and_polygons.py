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
