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


def centre_found(kind: str, numbers: list[int]) -> str:
    """Find the point that is equally far from three corners in coordinates, and its distance from one of them."""
    from fractions import Fraction
    from math import isqrt, radians, tan

    if kind in ("area", "chord"):
        side, angle = numbers
        # The isosceles triangle with this angle at the top; its centre lies on the axis.
        height = side / 2 / tan(radians(angle / 2))
        centre = (height**2 - side**2 / 4) / (2 * height)
        square = Fraction((height - centre) ** 2).limit_denominator(50)
        return str(square if kind == "area" else isqrt(int(square)))
    a, b, c = numbers
    x = Fraction(b * b + c * c - a * a, 2 * c)
    y2 = b * b - x * x
    # Centre (c/2, k) with (x - c/2)^2 + (y - k)^2 = c^2/4 + k^2, so 2 y k = x^2 - c x + y^2.
    k2 = (x * x - c * x + y2) ** 2 / (4 * y2)
    square = k2 + Fraction(c * c, 4)
    return str(Fraction(isqrt(square.numerator), isqrt(square.denominator)))


@generator("Find the circumradius from a side and the angle facing it", check=centre_found)
def circumradius(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("right", "chord", "area"), ("sides", "area", "chord"), ("sides",))[difficulty - 1])
    p, q, r = rng.choice(("ABC", "PQR", "KLM", "DEF", "XYZ"))
    who = person(rng)
    if kind in ("chord", "area"):
        angle = rng.choice((30, 150)) if kind == "chord" else rng.choice((30, 45, 60, 120, 135, 150))
        side = rng.randint(2, 20 * difficulty)
        numbers = [side, angle]
        quarter = {30: 4, 150: 4, 45: 2, 135: 2}.get(angle, 1)
        answer = Fraction(side) if kind == "chord" else Fraction(side * side * quarter, 3 if quarter == 1 else 4)
        texts = [
            f"In triangle ${p}{q}{r}$ we have ${q}{r} = {side}$ and $\\angle {q}{p}{r} = {angle}^\\circ$. ",
            f"A chord of length ${side}$ is seen from a point of the circle under an angle of ${angle}^\\circ$. ",
            f"A triangle has a side of length ${side}$, and the angle opposite to it measures ${angle}^\\circ$. ",
        ]
        ask = (
            "Find the radius of the circumscribed circle."
            if kind == "chord"
            else "The area of the circle through the three corners is $k\\pi$. Find $k$."
        )
        if kind == "chord":
            texts[1] += "What is the radius of this circle?"
            texts[0] += ask
            texts[2] += ask
            texts.append(
                f"From every seat in a row on a circular arc the stage of a theatre, which is ${side}$ m wide, is seen "
                f"under an angle of ${angle}^\\circ$. The ends of the stage lie on the same circle as the seats. How "
                "many metres is the radius of this circle?"
            )
        else:
            texts[0] += ask
            texts[1] += "The area of the circle is $k\\pi$. What is $k$?"
            texts[2] += ask
        if angle == 150:
            texts = texts[:3]
        return Draw(rng.choice(texts), str(answer), {"kind": kind, "numbers": numbers})
    if kind == "right":
        a, b, c = rng.choice([t for t in _TRIANGLES if t[0] ** 2 + t[1] ** 2 == t[2] ** 2])
        answer, shown = Fraction(c, 2), [a, b, c]
    else:
        a, b, c = rng.choice(_TRIANGLES)
        answer, shown = Fraction(a * b * c, 4 * _area(a, b, c)), [a, b, c]
        if a**2 + b**2 == c**2 or max(shown) > 25 * difficulty or answer.denominator > 16:
            return None
    rng.shuffle(shown)
    one, two, three = shown
    text = rng.choice(
        (
            f"A triangle has sides of lengths ${one}$, ${two}$ and ${three}$. What is the radius of its circumscribed "
            "circle?",
            f"Triangle ${p}{q}{r}$ with ${p}{q} = {one}$, ${q}{r} = {two}$ and ${r}{p} = {three}$ is inscribed in a "
            "circle. Find the radius of the circle.",
            f"Three villages are ${one}$ km, ${two}$ km and ${three}$ km apart from one another. A radio mast is to be "
            "put up at the same distance from all three. How many kilometres is this distance?",
            f"{who} marks three points on the rim of an old wheel and measures the distances between them as ${one}$ "
            f"cm, ${two}$ cm and ${three}$ cm. How many centimetres is the radius of the wheel?",
            f"The point $O$ satisfies $O{p} = O{q} = O{r}$, where ${p}{q} = {one}$, ${q}{r} = {two}$ and ${r}{p} = "
            f"{three}$, in the plane of the triangle. How long is $O{p}$?",
        )
    )
    return Draw(text, str(answer), {"kind": "sides", "numbers": [a, b, c]})


def distance_in_coordinates(kind: str, numbers: list[int]) -> str:
    """Compute heights without areas: by similar right triangles, feet of altitudes, or a point placed in the figure."""
    from fractions import Fraction
    from math import isqrt

    if kind == "right":
        a, b = numbers
        # The foot on the hypotenuse from the right angle at the origin.
        share = Fraction(b * b, a * a + b * b)
        x, y = a * share, b * (1 - share)
        square = x * x + y * y
        return str(Fraction(isqrt(square.numerator), isqrt(square.denominator)))
    if kind == "heights":
        base, side, height = numbers
        return str(base * Fraction(height, side))
    if kind == "rhombus":
        e, f = numbers
        half = Fraction(isqrt(e * e + f * f), 2)
        # The distance from the centre to a side is a leg times a sine; the height is twice as long.
        return str(2 * Fraction(e, 2) * (Fraction(f, 2) / half))
    leg, base, one, two = numbers
    high = isqrt(4 * leg * leg - base * base)
    # Distances from the legs of the point (x, y) add up to (2 * base * high / 2 - 2 * base * y) / (2 * leg).
    return str(Fraction(high, 2) - Fraction(leg * (one + two), base))


@generator("Write one area in two ways and equate", check=distance_in_coordinates)
def area_twice(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("right", "heights"), ("right", "heights", "rhombus"), ("inner", "rhombus"))[difficulty - 1])
    p, q, r, s = rng.choice(("ABCP", "KLMX", "UVWS", "DEFT"))
    who = person(rng)
    u, v, w = rng.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29)))
    k = rng.randint(1, 8)
    if kind == "right":
        numbers, answer = [u * k, v * k], Fraction(u * v * k, w)
        text = rng.choice(
            (
                f"The legs of a right triangle have lengths ${u * k}$ and ${v * k}$. How far is the right-angled "
                f"corner "
                "from the hypotenuse?",
                f"Triangle ${p}{q}{r}$ has a right angle at ${r}$, ${r}{p} = {u * k}$ and ${r}{q} = {v * k}$. Find the "
                f"length of the altitude from ${r}$.",
                f"Two straight roads cross at a right angle. A path joins the point of the first road ${u * k}$ hm "
                f"from "
                f"the crossing with the point of the second road ${v * k}$ hm from it. How many hectometres is the "
                "crossing from the nearest point of the path?",
                f"What is the distance from the origin to the line through $({u * k}, 0)$ and $(0, {v * k})$?",
            )
        )
    elif kind == "heights":
        base, side = rng.randint(3, 20 * difficulty), rng.randint(3, 20 * difficulty)
        height = rng.randint(2, side)
        if base == side or height == side:
            return None
        numbers, answer = [base, side, height], Fraction(base * height, side)
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ the side ${p}{q}$ has length ${base}$ and the altitude on it has length "
                f"${height}$. The side ${q}{r}$ has length ${side}$. How long is the altitude from ${p}$?",
                f"A parallelogram has sides ${base}$ and ${side}$. The distance between the two sides of length "
                f"${base}$ is ${height}$. What is the distance between the other two sides?",
                f"A sail maker has a triangular sail with one edge of ${base}$ dm and another one of ${side}$ dm. "
                f"Measured "
                f"at right angles to the edge of ${base}$ dm, the opposite corner is ${height}$ dm away. How many "
                f"decimetres is the corner opposite the edge of ${side}$ dm away from that edge?",
            )
        )
    elif kind == "rhombus":
        e, f = 2 * u * k, 2 * v * k
        numbers, answer = [e, f], Fraction(2 * u * v * k, w)
        text = rng.choice(
            (
                f"The diagonals of a rhombus have lengths ${e}$ and ${f}$. How far apart are two opposite sides?",
                f"A diamond-shaped field has four equal sides and diagonals of ${e}$ m and ${f}$ m. How many metres "
                "wide is it between opposite sides?",
                f"{who} cuts a rhombus with diagonals ${e}$ cm and ${f}$ cm out of a strip of paper, with two of its "
                "sides on the edges of the strip. How many centimetres wide is the strip?",
            )
        )
    else:
        leg, base, high = w * k, 2 * u * k, v * k
        one, two = rng.randint(1, high), rng.randint(1, high)
        answer = high - Fraction(leg * (one + two), base)
        if answer <= 0:
            return None
        numbers = [leg, base, one, two]
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ we have ${p}{q} = {p}{r} = {leg}$ and ${q}{r} = {base}$. A point ${s}$ "
                f"inside "
                f"it is at distance ${one}$ from ${p}{q}$ and at distance ${two}$ from ${p}{r}$. What is its distance "
                f"from ${q}{r}$?",
                f"A tree stands inside a triangular park with two fences of ${leg}$ m and a wall of ${base}$ m. It is "
                f"${one}$ m from one fence and ${two}$ m from the other. How many metres is it from the wall?",
                f"An isosceles triangle has legs ${leg}$ and base ${base}$. The perpendiculars from an inner point to "
                f"the legs measure ${one}$ and ${two}$. How long is the perpendicular from this point to the base?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})
