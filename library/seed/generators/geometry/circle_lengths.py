"""Problems on lengths at circles."""

from fractions import Fraction
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
