"""Problems on lengths at circles."""

from fractions import Fraction
from math import gcd, isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def cut_in_coordinates(kind: str, numbers: list[int], wanted: str) -> str:
    """Put the point at the origin and one line on an axis, and intersect a large circle with the other line."""
    from fractions import Fraction
    from itertools import count
    from math import hypot, isclose

    def far_end(first: float, second: float, near: float) -> float:
        across, up = (first + second) / 2, 20.0 * (abs(first) + abs(second) + near)
        squared_radius = ((first - second) / 2) ** 2 + up**2
        along = (near**2 + hypot(across, up) ** 2 - squared_radius) / (2 * near)
        return 2 * along - near

    def exact(length: float) -> str:
        return str(Fraction(length).limit_denominator(500))

    if kind == "secants":
        near, inner, other = numbers
        return exact(far_end(near, near + inner, other) - other)
    if kind == "unknown":
        inner, other, more = numbers
        return str(next(near for near in count(1) if isclose(far_end(near, near + inner, other), other + more)))
    if kind == "tangent":
        near, touch = numbers
        return exact(far_end(touch, touch, near) - near)
    if kind == "chords":
        first, second, third = numbers
        piece = -far_end(-first, second, third)
        return exact(piece if wanted == "piece" else piece + third)
    if kind == "ratio":
        first, second, low, high = numbers
        unit = next(size for size in count(1) if isclose(-far_end(-first, second, low * size), high * size))
        return str(unit * (low + high))
    distance, radius, near = numbers
    return exact(abs(far_end(distance - radius, distance + radius, near) - near))


@generator("Multiply the two distances to a circle along each line through a point", check=cut_in_coordinates)
def power_of_point(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("chords", "secants"), ("secants", "tangent", "ratio", "chords"), ("unknown", "distance", "ratio"))[
            difficulty - 1
        ]
    )
    most = (12, 20, 36)[difficulty - 1]
    first, second, third = (rng.randint(2, most) for _ in range(3))
    a, b, c, d, p = rng.choice(("ABCDP", "KLMNT", "EFGHS", "UVWXP"))
    who = person(rng)
    wanted = "piece"
    if kind == "chords":
        answer = Fraction(first * second, third)
        if third in (first, second) or answer > 3 * (first + second):
            return None
        wanted = rng.choice(("piece", "chord"))
        if wanted == "chord":
            answer += third
        asked = "the other piece of the second" if wanted == "piece" else "the whole second"
        text = rng.choice(
            (
                f"Two chords of a circle cross. The crossing divides the first chord into pieces of lengths ${first}$ "
                f"and ${second}$, and one piece of the second chord has length ${third}$. How long is {asked} chord?",
                "Two straight bars cross in a round window, both reaching from rim to rim. The first bar is divided "
                f"into pieces of ${first}$ cm and ${second}$ cm. One piece of the second bar measures ${third}$ cm. "
                f"How many centimetres long is {asked} bar?",
                f"Two straight paths cross a round lawn from edge to edge. On the first path {who} counts ${first}$ "
                f"steps from one edge to the crossing and ${second}$ steps from there to the other edge. One part of "
                f"the second path is ${third}$ steps long. How many steps long is {asked} path?",
            )
        )
        numbers = [first, second, third]
    elif kind == "secants":
        answer = Fraction(first * (first + second), third) - third
        if third == first or third + answer > 4 * (first + second):
            return None
        text = rng.choice(
            (
                f"From a point ${p}$ outside a circle two lines are drawn. One meets the circle first at ${a}$ and "
                f"then at ${b}$, with ${p}{a} = {first}$ and ${a}{b} = {second}$. The other meets it first at ${c}$ "
                f"and then at ${d}$, with ${p}{c} = {third}$. How long is ${c}{d}$?",
                f"Two straight roads start at a village and both cross a perfectly round forest. On the first road the "
                f"forest begins after ${first}$ km and is ${second}$ km long. On the second road it begins after "
                f"${third}$ km. For how many kilometres does the second road run through the forest?",
                f"In the circle through ${a}$, ${b}$, ${c}$ and ${d}$ the chords ${b}{a}$ and ${d}{c}$, extended "
                f"beyond ${a}$ and ${c}$, meet at ${p}$. Given ${p}{a} = {first}$, ${p}{b} = {first + second}$ and "
                f"${p}{c} = {third}$, find ${c}{d}$.",
            )
        )
        numbers = [first, second, third]
    elif kind == "tangent":
        answer = Fraction(second * second, first) - first
        text = rng.choice(
            (
                f"From a point ${p}$ a tangent touches a circle at ${c}$, with ${p}{c} = {second}$. Another line "
                f"through ${p}$ meets the circle first at ${a}$, with ${p}{a} = {first}$, and then at ${b}$. How long "
                f"is ${a}{b}$?",
                f"A straight road touches the shore of a round lake ${second}$ km from a crossroads. A second straight "
                f"road from the crossroads reaches the lake after ${first}$ km and leads over it on a bridge. How many "
                "kilometres long is the bridge?",
                f"{who} looks along a tangent at a round tower and finds that its touching point is ${second}$ m "
                f"away. A straight passage through the tower begins ${first}$ m from {who}, who stands in line with "
                "it. How many metres long is the passage?",
            )
        )
        numbers = [first, second]
    elif kind == "ratio":
        low, high = rng.choice(((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 5), (3, 5), (1, 5), (4, 5)))
        unit = rng.randint(2, most)
        second, rest = divmod(low * high * unit * unit, first)
        if rest or not first / 6 < second < 6 * first or first in (low * unit, high * unit):
            return None
        answer = Fraction((low + high) * unit)
        text = rng.choice(
            (
                f"Two chords of a circle cross. One of them is divided into pieces of lengths ${first}$ and "
                f"${second}$, and the other is divided in the ratio ${low} : {high}$. How long is the other chord?",
                "Two straight wires cross in a round frame and both reach from rim to rim. The crossing divides one "
                f"wire into pieces of ${first}$ mm and ${second}$ mm, and the other in the ratio ${low} : {high}$. "
                "How many millimetres long is the other wire?",
                f"In a circle the chords ${a}{b}$ and ${c}{d}$ meet at ${p}$ with ${a}{p} = {first}$, ${p}{b} = "
                f"{second}$ and ${c}{p} : {p}{d} = {low} : {high}$. Find ${c}{d}$.",
            )
        )
        numbers = [first, second, low, high]
    elif kind == "unknown":
        other, rest = divmod(first * (first + second), third)
        if rest or not 2 <= other - third <= 80 or third == first:
            return None
        answer = Fraction(first)
        text = rng.choice(
            (
                f"From a point ${p}$ outside a circle two lines are drawn. One meets the circle first at ${a}$ and "
                f"then at ${b}$, with ${a}{b} = {second}$. The other meets it first at ${c}$ and then at ${d}$, with "
                f"${p}{c} = {third}$ and ${c}{d} = {other - third}$. How long is ${p}{a}$?",
                "Two straight roads start at a village and both cross a perfectly round lake on bridges, which are "
                f"${second}$ km and ${other - third}$ km long. On the road with the second bridge it is ${third}$ km "
                "from the village to the shore. How many kilometres is it from the village to the shore on the other "
                "road?",
            )
        )
        numbers = [second, third, other - third]
    else:
        distance, radius, near = first, second, third
        product = abs(distance**2 - radius**2)
        answer = Fraction(product, near)
        outside = distance > radius
        least, most = abs(distance - radius), distance + radius
        if distance == radius or not least < near < most:
            return None
        answer = answer - near if outside else answer + near
        place = "outside" if outside else "inside"
        text = rng.choice(
            (
                f"A point ${p}$ is at distance ${distance}$ from the centre of a circle with radius ${radius}$. A line "
                f"through ${p}$ meets the circle at ${a}$ and ${b}$, and ${p}{a} = {near}$"
                f"{f', with ${a}$ nearer to ${p}$ than ${b}$' if outside else ''}. How long is the chord ${a}{b}$?",
                f"A lamp stands {place} a round plaza with a radius of ${radius}$ m, ${distance}$ m from its centre. A "
                f"straight gutter across the plaza is in line with the lamp, and the "
                f"{'nearer end of the gutter' if outside else 'lamp stands on the gutter. One of its ends'} is "
                f"${near}$ m from the lamp. How many metres long is the gutter?",
            )
        )
        if not outside:
            text = text.replace(
                "is in line with the lamp, and the lamp stands on the gutter. One", "passes the lamp. One"
            )
        numbers = [distance, radius, near]
    if answer < 1 or answer.denominator > difficulty:
        return None
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers, "wanted": wanted})


def tried_corners(kind: str, sides: list[int]) -> str:
    """Try one tangent length after the other and carry it around the figure, or measure the figure in numbers."""
    from fractions import Fraction
    from itertools import count
    from math import acos, cos, sin, sqrt, tan

    def carried(first: Fraction, lengths: list[int]) -> Fraction:
        for side in lengths:
            first = side - first
        return first

    if kind == "cut":
        c, a, b = sides
        half = acos((b * b + c * c - a * a) / (2 * b * c)) / 2
        area = b * c * sin(2 * half) / 2
        radius = 2 * area / (a + b + c)
        gap = radius / sin(half) - radius
        return str(round(2 * gap * (1 / cos(half) + tan(half))))
    if kind == "right":
        low, high = 0.0, float(sum(sides))
        for _ in range(80):
            middle = (low + high) / 2
            if sqrt((sides[0] + middle) ** 2 + (sides[1] + middle) ** 2) > sum(sides):
                high = middle
            else:
                low = middle
        return str(round((sides[0] + low) * (sides[1] + low) / 2))
    if kind == "next":
        return str(next(side for side in count(1) if carried(Fraction(1, 3), [*sides, side]) == Fraction(1, 3)))
    return str(next(Fraction(size, 2) for size in count(1) if carried(Fraction(size, 2), sides) == Fraction(size, 2)))


@generator("Match the two tangent segments from each corner", check=tried_corners)
def tangent_segments(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("three", "four"), ("three", "six", "five"), ("cut", "right", "five", "six"))[difficulty - 1])
    number = {"three": 3, "four": 4, "five": 5, "six": 6, "cut": 3, "right": 2}[kind]
    parts = [rng.randint(1, (9, 15, 24)[difficulty - 1]) for _ in range(number)]
    sides = [parts[place] + parts[(place + 1) % number] for place in range(number)]
    if len(set(parts)) < 2:
        return None
    names = rng.choice(("ABCDEF", "PQRSTU", "KLMNOP"))
    shown = [f"{names[place]}{names[(place + 1) % number]}" for place in range(number)]
    given = listed([f"${name} = {side}$" for name, side in zip(shown, sides, strict=True)])
    plain = listed([f"${side}$" for side in sides])
    answer = parts[0]
    if kind in ("three", "five"):
        figure, label = ("triangle", "".join(names[:3])) if kind == "three" else ("convex pentagon", names[:5])
        text = rng.choice(
            (
                f"The {figure} ${label}$ has the sides {given}, and a circle touches all of its sides. How far is the "
                f"corner ${names[0]}$ from the point where the circle touches ${shown[0]}$?",
                f"Inside a frame in the shape of a {figure} ${label}$ lies a round plate that touches every edge of "
                f"the frame. The edges measure {given}, in centimetres. How many centimetres from the corner "
                f"${names[0]}$ does the plate touch the edge ${shown[-1]}$?",
                f"A round pond touches all fences of a garden in the shape of a {figure} ${label}$. In metres, the "
                f"fences are {given} long. {person(rng)} stands at the corner ${names[0]}$. How many metres is it to "
                f"the point where the fence ${shown[0]}$ touches the pond?",
            )
        )
    elif kind in ("four", "six"):
        words = {"four": ("quadrilateral", "three", "fourth"), "six": ("hexagon", "five", "sixth")}[kind]
        answer, sides = sides[-1], sides[:-1]
        given = listed([f"${name} = {side}$" for name, side in zip(shown, sides, strict=False)])
        plain = listed([f"${side}$" for side in sides])
        label = names[:number]
        text = (
            rng.choice(
                (
                    f"All sides of the convex {words[0]} ${label}$ touch one circle inside it. Given {given}, how "
                    f"long is the side ${shown[-1]}$?",
                    f"{words[0].capitalize()} ${label}$ has an inscribed circle that touches all its sides, and "
                    f"{given}. Find ${shown[-1]}$.",
                    f"{number} straight boards form a frame around a round tank, and each board touches the tank "
                    f"between its ends. From corner to corner, {words[1]} boards that follow one another measure "
                    f"{plain} dm. How many decimetres does the {words[2]} board measure?",
                )
            )
            .replace("6 straight", "Six straight")
            .replace("4 straight", "Four straight")
        )
        kind = "next"
    elif kind == "cut":
        answer = 2 * parts[0]
        a, b, c = tuple(names[:3])
        text = rng.choice(
            (
                f"Triangle ${a}{b}{c}$ has the sides {given}. A line that touches its inscribed circle meets the sides "
                f"${a}{b}$ and ${a}{c}$ at $X$ and $Y$, so that the circle lies outside triangle ${a}XY$. What is the "
                f"perimeter of triangle ${a}XY$?",
                f"A round pond touches all three sides of a triangular park ${a}{b}{c}$ with {given}, in metres. A "
                f"straight path that touches the pond cuts off a small triangle with the corner ${a}$, which does not "
                "contain the pond. How many metres is the perimeter of this small triangle?",
            )
        )
    else:
        sides = parts
        answer = parts[0] * parts[1]
        one, other = parts
        text = rng.choice(
            (
                "The circle inscribed in a right triangle touches the hypotenuse at a point that divides it into "
                f"segments of lengths ${one}$ and ${other}$. What is the area of the triangle?",
                f"In triangle ${names[:3]}$ the angle at ${names[2]}$ is a right angle. The inscribed circle touches "
                f"${names[:2]}$ at $T$, with ${names[0]}T = {one}$ and $T{names[1]} = {other}$. Find the area of the "
                "triangle.",
                "A round pond touches all three sides of a park in the shape of a right triangle. It touches the "
                f"longest side ${one}$ m from one end and ${other}$ m from the other. How many square metres does the "
                "park cover, together with the pond?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "sides": sides})


def placed_on_circle(kind: str, numbers: list[int]) -> str:
    """Find the figure by angles and coordinates: laws of cosines at 60 and 120 degrees, or distances of points."""
    from fractions import Fraction
    from itertools import count
    from math import isqrt

    def root(square: Fraction) -> Fraction:
        return Fraction(isqrt(square.numerator), isqrt(square.denominator))

    if kind == "far":
        x, y = numbers
        side = x * x + y * y + x * y
        return str(next(d for d in count(max(x, y)) if d * d - d * x + x * x == side))
    if kind == "near":
        d, x = numbers
        side = d * d + x * x - d * x
        return str(next(y for y in count(1) if x * x + y * y + x * y == side))
    if kind == "diameter":
        d, ab, cd = numbers
        bx, dx = Fraction(ab * ab, d), d - Fraction(cd * cd, d)
        by, dy = root(ab * ab - bx * bx), root(cd * cd - (d - dx) ** 2)
        return str(root((bx - dx) ** 2 + (by + dy) ** 2))
    a, b, c = numbers
    if kind == "diagonal":
        height = c * c - Fraction(a - b, 2) ** 2
        return str(root(height + Fraction(a + b, 2) ** 2))
    # The two parallel sides and the diagonal.
    height = c * c - Fraction(a + b, 2) ** 2
    return str(root(height + Fraction(a - b, 2) ** 2))


@generator("Equate the product of the diagonals with the sum of products of opposite sides", check=placed_on_circle)
def ptolemy(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("far", "near"), ("near", "diagonal", "leg", "far"), ("diameter", "diagonal", "leg"))[difficulty - 1]
    )
    p, q, r, s = rng.choice(("ABCD", "KLMN", "PQRS", "WXYZ", "EFGH"))
    most = (20, 40, 60)[difficulty - 1]
    x, y = rng.randint(2, most), rng.randint(2, most)
    if x == y:
        return None
    if kind == "far":
        numbers, answer = [x, y], Fraction(x + y)
        text = rng.choice(
            (
                f"An equilateral triangle ${p}{q}{r}$ is inscribed in a circle. A point ${s}$ on the arc ${q}{r}$ that "
                f"does not contain ${p}$ satisfies ${s}{q} = {x}$ and ${s}{r} = {y}$. Find ${s}{p}$.",
                f"Quadrilateral ${p}{q}{s}{r}$ is cyclic, and its diagonal ${q}{r}$ is as long as its sides ${p}{q}$ "
                f"and ${p}{r}$. If ${q}{s} = {x}$ and ${s}{r} = {y}$, how long is the diagonal ${p}{s}$?",
                f"The circle through the corners of an equilateral triangle passes through a fourth point at distances "
                f"${x}$ and ${y}$ from the two nearest corners. What is its distance from the third corner?",
                f"A round table carries three candles on its rim that form an equilateral triangle. A fly on the rim "
                f"is ${x}$ dm from the nearest candle and ${y}$ dm from the second nearest, measured as chords. How "
                "many decimetres is the fly from the farthest candle?"
                if x < y
                else f"The corners ${p}$, ${q}$, ${r}$ of an equilateral triangle and a fourth point ${s}$ lie on one "
                f"circle in the order ${p}$, ${q}$, ${s}$, ${r}$. The chords ${q}{s}$ and ${s}{r}$ measure ${x}$ and "
                f"${y}$. How long is the chord ${p}{s}$?",
            )
        )
    elif kind == "near":
        numbers, answer = [x + y, x], Fraction(y)
        text = rng.choice(
            (
                f"Point ${s}$ lies on the circumcircle of the equilateral triangle ${p}{q}{r}$, on the arc ${q}{r}$ "
                f"opposite ${p}$. Given ${p}{s} = {x + y}$ and ${q}{s} = {x}$, find ${r}{s}$.",
                f"Four points ${p}$, ${q}$, ${s}$, ${r}$ follow one another on a circle, and ${p}{q} = {q}{r} = "
                f"{r}{p}$. The chords from ${s}$ to ${p}$ and ${q}$ have lengths ${x + y}$ and ${x}$. What is the "
                f"length of the chord ${s}{r}$?",
                f"Three boats are anchored on the rim of a circular harbour basin at equal distances from one another. "
                f"A buoy on the rim is ${x + y}$ m from the boat farthest from it and ${x}$ m from another boat. How "
                "many metres is the buoy from the remaining boat?",
            )
        )
    elif kind == "diameter":
        u, v = rng.choice(((3, 4), (5, 12), (8, 15), (7, 24), (20, 21)))
        w, z = rng.choice(((3, 4), (5, 12), (8, 15), (7, 24), (20, 21)))
        if rng.random() < 0.5:
            u, v = v, u
        if rng.random() < 0.5:
            w, z = z, w
        one, two = isqrt(u * u + v * v), isqrt(w * w + z * z)
        d = one * two // gcd(one, two) * rng.randint(1, 3)
        ab, bc, cd, da = u * d // one, v * d // one, w * d // two, z * d // two
        if d > 200 or ab == da:
            return None
        numbers, answer = [d, ab, cd], Fraction(ab * cd + bc * da, d)
        text = rng.choice(
            (
                f"A quadrilateral ${p}{q}{r}{s}$ is inscribed in a circle with diameter ${p}{r} = {d}$. If ${p}{q} = "
                f"{ab}$ and ${r}{s} = {cd}$, how long is the diagonal ${q}{s}$?",
                f"The quadrilateral ${p}{q}{r}{s}$ has right angles at ${q}$ and ${s}$, and ${p}{r} = {d}$, ${p}{q} = "
                f"{ab}$, ${r}{s} = {cd}$. Find ${q}{s}$.",
                f"A footbridge of ${d}$ m crosses a circular pond through its centre, from ${p}$ to ${r}$. The points "
                f"${q}$ and ${s}$ of the shore lie on different sides of the bridge, ${q}$ at a distance of ${ab}$ m "
                f"from ${p}$ and ${s}$ at a distance of ${cd}$ m from ${r}$. How many metres is it straight from ${q}$ "
                f"to ${s}$?",
            )
        )
    else:
        a, b = max(x, y), min(x, y)
        legs = [c for c in range((a - b) // 2 + 1, a + b) if isqrt(a * b + c * c) ** 2 == a * b + c * c]
        if not legs:
            return None
        c = rng.choice(legs)
        d = isqrt(a * b + c * c)
        numbers, answer = ([a, b, c], Fraction(d)) if kind == "diagonal" else ([a, b, d], Fraction(c))
        known, asked = (
            (f"legs of length ${c}$", "diagonals") if kind == "diagonal" else (f"diagonals of length ${d}$", "legs")
        )
        text = rng.choice(
            (
                f"An isosceles trapezoid has parallel sides ${a}$ and ${b}$ and {known}. How long are its {asked}?",
                f"The trapezoid ${p}{q}{r}{s}$ with ${p}{q} \\parallel {r}{s}$, ${p}{q} = {a}$ and ${r}{s} = {b}$ is "
                f"inscribed in a circle. It has {known}. Find the length of its {asked}.",
                f"Two parallel chords of a circle have lengths ${a}$ and ${b}$. Their ends are joined in two ways: by "
                "the two chords that do not cross, the sides, and by the two chords that cross, the diagonals. "
                + (
                    f"Each side measures ${c}$. What is the length of each diagonal?"
                    if kind == "diagonal"
                    else f"Each diagonal measures ${d}$. What is the length of each side?"
                ),
                f"The end wall of a trough is a symmetric trapezoid, ${a}$ cm wide at the top and ${b}$ cm at the "
                "bottom. "
                + (
                    f"Its slanted edges measure ${c}$ cm. How many centimetres long is a brace from a top corner to "
                    "the opposite bottom corner?"
                    if kind == "diagonal"
                    else f"A brace from a top corner to the opposite bottom corner measures ${d}$ cm. How many "
                    "centimetres long is each slanted edge?"
                ),
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})


def rim_tried(kind: str, numbers: list[int], wanted: str) -> str:
    """Try radii, distances or half chords in steps of a half until the ends of the chord lie on the circle."""
    from fractions import Fraction
    from itertools import count

    one, two = numbers[:2]
    if kind == "chord":
        return str(2 * next(x for x in count(1) if x * x + two * two == one * one))
    if kind == "distance":
        return str(next(x for x in count(1) if 4 * x * x + two * two == 4 * one * one))
    if kind == "radius":
        return str(next(x for x in count(1) if one * one + 4 * two * two == 4 * x * x))
    if kind == "rise":
        # The circle through the ends and the highest point of the arc, in steps of a quarter.
        radius = next(
            Fraction(x, 4) for x in count(1) if one * one + (4 * two - x) ** 2 // 4 == x * x // 4 and x % 2 == 0
        )
        return str(radius if wanted == "radius" else 2 * radius)
    first, second, rim = numbers
    one_off = next(x for x in range(rim) if 4 * x * x + first * first == 4 * rim * rim)
    other_off = next(x for x in range(rim) if 4 * x * x + second * second == 4 * rim * rim)
    return str(other_off + one_off if wanted == "opposite" else abs(other_off - one_off))


@generator("Drop the perpendicular from the centre onto a chord", check=rim_tried)
def chord_length(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("chord", "distance", "radius"), ("rise", "parallel", "distance"), ("rise", "parallel"))[difficulty - 1]
    )
    radius = rng.randint(5, 40 * difficulty)
    triples = [(a, isqrt(radius**2 - a * a)) for a in range(3, radius - 2)]
    triples = [(a, b) for a, b in triples if a * a + b * b == radius**2]
    if not triples:
        return None
    half, away = rng.choice(triples)
    who = person(rng)
    chord, wanted = 2 * half, ""
    if kind == "chord":
        numbers, answer = [radius, away], chord
        text = rng.choice(
            (
                f"A chord of a circle with radius ${radius}$ is at distance ${away}$ from the centre. How long is the "
                "chord?",
                f"A round pizza has a radius of ${radius}$ cm. {who} cuts it with one straight cut that passes "
                f"${away}$ cm from its centre. How many centimetres long is the cut?",
                f"A line at distance ${away}$ from the centre of a circle of radius ${radius}$ meets the circle at $A$ "
                "and $B$. Find $AB$.",
                f"A radio station is heard up to ${radius}$ km away. A straight road passes the station at a least "
                f"distance of ${away}$ km. Along how many kilometres of the road is the station heard?",
            )
        )
    elif kind == "distance":
        numbers, answer = [radius, chord], away
        text = rng.choice(
            (
                f"In a circle of radius ${radius}$ a chord has length ${chord}$. How far is it from the centre?",
                f"$AB$ is a chord of a circle with centre $O$ and radius ${radius}$. If $AB = {chord}$, what is the "
                "distance from $O$ to the line $AB$?",
                f"A wooden beam ${chord}$ cm wide is to be laid inside a round pipe of inner radius ${radius}$ cm so "
                "that both edges of its upper face touch the pipe. How many centimetres is this face from the axis of "
                "the pipe?",
            )
        )
    elif kind == "radius":
        numbers, answer = [chord, away], radius
        text = rng.choice(
            (
                f"A chord of length ${chord}$ is at distance ${away}$ from the centre of a circle. What is the radius?",
                f"The midpoint $M$ of a chord $AB$ of a circle with centre $O$ satisfies $OM = {away}$, and $AB = "
                f"{chord}$. Find the radius of the circle.",
                f"A straight fence of ${chord}$ m runs from rim to rim across a round paddock and passes ${away}$ m "
                "from the middle. How many metres is the radius of the paddock?",
            )
        )
    elif kind == "rise":
        rise = rng.randint(1, 12 * difficulty)
        half = rng.randint(2, 20 * difficulty)
        double = Fraction(half * half, rise) + rise
        if rise >= half or double.denominator > 1:
            return None
        wanted = rng.choice(("radius", "diameter"))
        numbers, chord = [2 * half, rise], 2 * half
        exact = double / 2 if wanted == "radius" else double
        text = rng.choice(
            (
                f"The arc of a bridge is part of a circle. It spans ${chord}$ m, and its highest point is ${rise}$ m "
                f"above the line through its ends. How many metres is the {wanted} of the circle?",
                f"A piece of a broken round plate shows an arc of the rim. The straight line between the ends of the "
                f"arc is ${chord}$ mm long, and the middle of the arc is ${rise}$ mm away from it. What is the "
                f"{wanted} of the plate, in millimetres?",
                f"A chord of length ${chord}$ and its shorter arc are farthest apart in the middle, where the distance "
                f"is ${rise}$. Find the {wanted} of the circle.",
                f"A ball swims in a pond that freezes over. When {who} lifts it out, it leaves a round hole ${chord}$ "
                f"cm wide and ${rise}$ cm deep. What is the {wanted} of the ball in centimetres?",
                f"A log floats so that ${rise}$ cm of its round cross-section are above the water, and at the water "
                f"line it is ${chord}$ cm wide. How many centimetres is the {wanted} of the log?",
            )
        )
        return Draw(text, str(exact), {"kind": kind, "numbers": numbers, "wanted": wanted})
    else:
        others = [pair for pair in triples if pair[0] > half]
        if not others:
            return None
        wide, close = rng.choice(others)
        wanted = rng.choice(("opposite", "same"))
        numbers, answer = [chord, 2 * wide, radius], away + close if wanted == "opposite" else away - close
        side = "on different sides" if wanted == "opposite" else "on the same side"
        text = rng.choice(
            (
                f"Two parallel chords of a circle of radius ${radius}$ have lengths ${chord}$ and ${2 * wide}$ and lie "
                f"{side} of the centre. How far apart are they?",
                f"Two parallel shelves reach from wall to wall inside a round cupboard of radius ${radius}$ cm. They "
                f"are ${chord}$ cm and ${2 * wide}$ cm long, {side} of the middle. How many centimetres is one above "
                "the other?",
                f"In a circle with diameter ${2 * radius}$ the chords $AB = {chord}$ and $CD = {2 * wide}$ are "
                f"parallel, "
                f"and the centre is {'between them' if wanted == 'opposite' else 'not between them'}. What is the "
                "distance between the two chords?",
                f"A level pipe with an inner radius of ${radius}$ cm is partly filled with water. The surface is "
                + (
                    f"${chord}$ cm wide and below the axis. Then water is added until the surface is ${2 * wide}$ cm "
                    f"wide, {'above' if wanted == 'opposite' else 'but still below'} the axis. By how many centimetres "
                    "has the water risen?"
                ),
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers, "wanted": wanted})
