"""Problems on areas of triangles whose sides are known."""

from fractions import Fraction
from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def _area(a: int, b: int, c: int) -> int:
    """Return the area of a triangle with whole sides if it is whole, otherwise 0."""
    product = (a + b + c) * (b + c - a) * (c + a - b) * (a + b - c)
    root = isqrt(max(product, 0))
    return root // 4 if root**2 == product and root % 4 == 0 else 0


_TRIANGLES = [
    (a, b, c) for c in range(5, 62) for b in range(3, c + 1) for a in range(c - b + 1, b + 1) if _area(a, b, c)
]
_PAIRS = [
    (one, other)
    for place, one in enumerate(_TRIANGLES)
    for other in _TRIANGLES[:place]
    if set(one) & set(other) and max(one + other) <= 45
]


def by_altitude(sides: list[int], wanted: str) -> str:
    """Find the foot of the altitude by Pythagoras, and the area and altitudes from it."""
    from fractions import Fraction
    from math import isqrt

    def doubled(a: int, b: int, c: int) -> Fraction:
        foot = Fraction(b * b + c * c - a * a, 2 * c)
        square = b * b - foot * foot
        return c * Fraction(isqrt(square.numerator), isqrt(square.denominator))

    if wanted == "two":
        a, b, c, d, diagonal = sides
        return str((doubled(a, b, diagonal) + doubled(c, d, diagonal)) / 2)
    twice = doubled(*sides)
    if wanted == "area":
        return str(twice / 2)
    if wanted == "parallelogram":
        return str(twice)
    heights = sorted(twice / side for side in sides)
    return str({"longest": heights[-1], "shortest": heights[0], "sum": sum(heights)}[wanted])


@generator("Get a triangle's area from its three sides by the semiperimeter", check=by_altitude)
def heron(rng: Random, difficulty: int) -> Draw | None:
    wanted = rng.choice(
        (("area",), ("area", "longest", "shortest", "parallelogram"), ("two", "two", "sum"))[difficulty - 1]
    )
    most = (30, 45, 61)[difficulty - 1]
    unit = rng.choice(("cm", "dm", "m"))
    full = {"cm": "centimetres", "dm": "decimetres", "m": "metres"}[unit]
    thing = rng.choice({"cm": ("tile", "mirror"), "dm": ("sail", "sign"), "m": ("field", "lawn")}[unit])
    who = person(rng)
    p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN", "EFGH"))
    if wanted == "two":
        one, other = rng.choice(_PAIRS)
        diagonal = rng.choice(sorted(set(one) & set(other)))
        first, second = list(one), list(other)
        first.remove(diagonal)
        second.remove(diagonal)
        rng.shuffle(first)
        rng.shuffle(second)
        a, b = first
        c, d = second
        whole = _area(*one) + _area(*other)
        # The two angles at each end of the diagonal must add up to clearly less than 180°.
        for x, u, z, v in ((a, b, d, c), (b, a, c, d)):
            first_cosine = Fraction(x * x + diagonal**2 - u * u, 2 * x * diagonal)
            second_cosine = Fraction(z * z + diagonal**2 - v * v, 2 * z * diagonal)
            if first_cosine + second_cosine <= Fraction(1, 10):
                return None
        text = rng.choice(
            (
                f"In the convex quadrilateral ${p}{q}{r}{s}$ we have ${p}{q} = {a}$, ${q}{r} = {b}$, ${r}{s} = {c}$, "
                f"${s}{p} = {d}$ and ${p}{r} = {diagonal}$. Find its area.",
                f"{who} has measured a four-cornered meadow ${p}{q}{r}{s}$ with a tape. The sides are ${p}{q} = {a}$ "
                f"m, ${q}{r} = {b}$ m, ${r}{s} = {c}$ m and ${s}{p} = {d}$ m, and the straight line from ${p}$ to "
                f"${r}$ across the meadow is ${diagonal}$ m long. How many square metres does the meadow cover?",
                "A four-cornered sheet of metal is cut along the straight line between two opposite corners, which "
                f"is ${diagonal}$ cm long. One of the two triangles has further edges of ${a}$ cm and ${b}$ cm, the "
                f"other one of ${c}$ cm and ${d}$ cm. How many square centimetres was the whole sheet?",
            )
        )
        return Draw(text, str(whole), {"sides": [a, b, c, d, diagonal], "wanted": wanted})
    sides = list(rng.choice([triangle for triangle in _TRIANGLES if triangle[2] <= most]))
    if sides[0] ** 2 + sides[1] ** 2 == sides[2] ** 2 or sides[0] == sides[1]:
        return None
    area = Fraction(_area(*sides))
    rng.shuffle(sides)
    a, b, c = sides
    answer = area
    if wanted == "area":
        text = rng.choice(
            (
                f"A triangle has sides of lengths ${a}$, ${b}$ and ${c}$. What is its area?",
                f"The edges of a triangular {thing} measure ${a}$ {unit}, ${b}$ {unit} and ${c}$ {unit}. How many "
                f"square {full} is the {thing}?",
                f"{who} lays three rods of ${a}$, ${b}$ and ${c}$ {unit} end to end so that they form a triangle. How "
                f"many square {full} do they enclose?",
                f"Three stakes stand ${a}$, ${b}$ and ${c}$ {unit} apart from each other. A rope runs tightly around "
                f"them. What is the area inside the rope, in square {full}?",
            )
        )
    elif wanted == "parallelogram":
        answer = 2 * area
        text = rng.choice(
            (
                f"A parallelogram has sides of lengths ${a}$ and ${b}$, and one of its diagonals has length ${c}$. "
                "What is its area?",
                f"A gate in the shape of a parallelogram has edges of ${a}$ {unit} and ${b}$ {unit}. A bar of ${c}$ "
                f"{unit} joins two of its opposite corners. How many square {full} does the gate cover?",
            )
        )
    else:
        answer = 2 * area / (min(sides) if wanted == "longest" else max(sides))
        text = rng.choice(
            (
                f"A triangle has sides of lengths ${a}$, ${b}$ and ${c}$. How long is its {wanted} altitude?",
                f"A triangular {thing} has edges of ${a}$, ${b}$ and ${c}$ {unit}. How many {full} is the corner "
                f"facing its {'shortest' if wanted == 'longest' else 'longest'} edge from the line along this edge?",
                f"{who} cuts a triangle with sides of ${a}$, ${b}$ and ${c}$ {unit} out of cardboard and stands it "
                f"upright on one side after the other. How many {full} above the table is its top in the "
                f"{'highest' if wanted == 'longest' else 'lowest'} position?",
            )
        )
        if wanted == "sum":
            answer = sum((2 * area / side for side in sides), Fraction(0))
            text = rng.choice(
                (
                    f"A triangle has sides of lengths ${a}$, ${b}$ and ${c}$. What is the sum of the lengths of its "
                    "three altitudes?",
                    f"In a triangular {thing} with edges of ${a}$, ${b}$ and ${c}$ {unit}, {who} measures the "
                    "distance of each corner from the line along the opposite edge and adds the three distances. "
                    f"What is the sum in {full}?",
                )
            )
    if answer.denominator > (1, 13, 40)[difficulty - 1]:
        return None
    return Draw(text, str(answer), {"sides": sides, "wanted": wanted})
