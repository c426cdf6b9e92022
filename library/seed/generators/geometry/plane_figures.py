"""Problems on similar figures."""

from fractions import Fraction
from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def drawn_to_scale(kind: str, numbers: list[int]) -> str:
    """Draw the figure in coordinates, intersect its lines and compare the areas or lengths that appear."""
    from fractions import Fraction
    from itertools import count

    Point = tuple[Fraction, Fraction]

    def meet(a: Point, b: Point, c: Point, d: Point) -> Point:
        across, up = b[0] - a[0], b[1] - a[1]
        along, high = d[0] - c[0], d[1] - c[1]
        share = ((c[0] - a[0]) * high - (c[1] - a[1]) * along) / (across * high - up * along)
        return a[0] + across * share, a[1] + up * share

    def area(*corners: Point) -> Fraction:
        pairs = zip(corners, corners[1:] + corners[:1], strict=True)
        return abs(sum((p[0] * q[1] - p[1] * q[0] for p, q in pairs), Fraction(0))) / 2

    def at(x: int, y: int) -> Point:
        return Fraction(x), Fraction(y)

    if kind == "shadow":
        short, cast, long = numbers
        ray = meet(at(0, short), at(cast, 0), at(0, 0), at(1, 0)), at(0, short)
        slope = (ray[1][1] - ray[0][1]) / (ray[1][0] - ray[0][0])
        return str(-slope * long)
    if kind == "lamp":
        height, person, away = numbers
        return str(meet(at(0, height), at(away, person), at(0, 0), at(1, 0))[0] - away)
    if kind in ("parallel", "trapezoid"):
        near, rest, given = numbers
        a, b, c = at(0, 0), at(near + rest, 0), at(3, 7)
        d = at(near, 0)
        e = meet(d, (d[0] + c[0] - b[0], d[1] + c[1]), a, c)
        if kind == "parallel":
            return str(given * (e[1] / c[1]))
        return str(given * area(a, b, c) / area(d, b, c, e))
    if kind == "crossing":
        low, high, rise = numbers
        cross = meet(at(0, 0), at(high + 5, rise), at(low, 0), at(5, rise))
        return str(area(at(0, 0), at(low, 0), cross))
    if kind == "solids":
        first, second, volume = numbers
        pairs = ((small, large) for large in count(1) for small in range(1, large))
        small, large = next(pair for pair in pairs if pair[0] ** 2 * second == pair[1] ** 2 * first)
        return str(Fraction(volume * large**3, small**3))
    for side in count(1):
        for x in range(1, side):
            y = next((y for y in range(1, side - x) if y * y == numbers[0]), 0)
            if y and x * x == numbers[1] and (side - x - y) ** 2 == numbers[2]:
                return str(side * side)
    raise AssertionError


@generator("Scale lengths and areas between similar figures", check=drawn_to_scale)
def similar(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("shadow", "parallel"), ("lamp", "trapezoid", "parallel"), ("crossing", "inner", "solids"))[difficulty - 1]
    )
    most = (10, 20, 30)[difficulty - 1]
    x, y, z = (rng.randint(2, most) for _ in range(3))
    a, b, c, d, e = rng.choice(("ABCDE", "PQRST", "KLMNO", "UVWXY"))
    who = person(rng)
    numbers = [x, y, z]
    if kind == "shadow":
        if x == y or z <= y:
            return None
        answer = Fraction(x * z, y)
        tall = rng.choice(("tree", "tower", "mast", "chimney", "lamp post"))
        text = rng.choice(
            (
                f"In the sunshine an upright pole of ${x}$ dm throws a shadow of ${y}$ dm on level ground. At the "
                f"same time the shadow of a {tall} is ${z}$ dm long. How many decimetres high is the {tall}?",
                f"{who} measures shadows on level ground at noon. That of a stick ${x}$ dm high is ${y}$ dm long, and "
                f"that of a {tall} is ${z}$ dm long. What is the height of the {tall} in decimetres?",
                f"A ramp rises by ${x}$ cm on the first ${y}$ cm, measured level, and goes on at the same slope until "
                f"it is ${z}$ cm long, also measured level. How many centimetres high is its upper end?",
            )
        )
    elif kind == "lamp":
        if x <= y + 1:
            return None
        answer = Fraction(y * z, x - y)
        text = rng.choice(
            (
                f"A street lamp hangs ${x}$ dm above level ground. An upright post of ${y}$ dm stands ${z}$ dm from "
                "the point below the lamp. How many decimetres long is the shadow that the post throws in the light "
                "of the lamp?",
                f"A rope is stretched straight from the top of a ${x}$ m high wall to the ground. It just passes over "
                f"the top of a fence that is ${y}$ m high and stands ${z}$ m from the foot of the wall. How many "
                "metres beyond the fence does the rope reach the ground?",
                f"The point ${a}$ lies ${x}$ units above the point ${b}$ of a level line, and ${c}$ lies ${y}$ units "
                f"above the point ${d}$ of this line, with ${b}{d} = {z}$. The line ${a}{c}$ meets the level line at "
                f"${e}$. How long is ${d}{e}$?",
            )
        )
    elif kind == "parallel":
        answer = Fraction(z * x, x + y)
        text = rng.choice(
            (
                f"In triangle ${a}{b}{c}$ the point ${d}$ on ${a}{b}$ and the point ${e}$ on ${a}{c}$ are such that "
                f"${d}{e}$ is parallel to ${b}{c}$. Given ${a}{d} = {x}$, ${d}{b} = {y}$ and ${b}{c} = {z}$, how long "
                f"is ${d}{e}$?",
                f"Two straight roads leave a town ${a}$. A canal crosses the first one ${x}$ km from ${a}$, and a "
                f"railway, parallel to the canal, crosses it ${y}$ km farther out. Between the two roads the railway "
                f"is ${z}$ km long. How many kilometres long is the canal between the roads?",
                "The legs of a stepladder are joined at the top. A chain is stretched level between the legs at "
                f"points ${x}$ dm from the top, measured along the legs, and each leg goes on for ${y}$ dm below the "
                f"chain. The feet stand ${z}$ dm apart. How many decimetres long is the chain?",
            )
        )
    elif kind == "trapezoid":
        answer = Fraction(z * (x + y) ** 2, (x + y) ** 2 - x * x)
        text = rng.choice(
            (
                f"A line parallel to the side ${b}{c}$ of triangle ${a}{b}{c}$ meets ${a}{b}$ at ${d}$ and ${a}{c}$ "
                f"at ${e}$, with ${a}{d} = {x}$ and ${d}{b} = {y}$. The trapezoid ${d}{b}{c}{e}$ has area ${z}$. What "
                f"is the area of triangle ${a}{b}{c}$?",
                f"A triangular field ${a}{b}{c}$ is divided by a fence parallel to its side ${b}{c}$. The fence "
                f"divides the side ${a}{b}$ in the ratio ${x} : {y}$, counted from ${a}$, and the part of the field "
                f"on the side of ${b}{c}$ covers ${z}$ ares. How many ares does the whole field cover?",
                f"{who} cuts a paper triangle ${a}{b}{c}$ parallel to ${b}{c}$. The cut starts ${x}$ cm from ${a}$ "
                f"and ${y}$ cm from ${b}$ on the edge ${a}{b}$. The piece at ${b}{c}$ has an area of ${z}$ square "
                "centimetres. How many square centimetres was the whole triangle?",
            )
        )
        if gcd(x, y) > 1:
            return None
    elif kind == "crossing":
        if x == y:
            return None
        answer = Fraction(x * x * z, 2 * (x + y))
        text = rng.choice(
            (
                f"In trapezoid ${a}{b}{c}{d}$ the side ${a}{b} = {x}$ is parallel to ${c}{d} = {y}$, and these two "
                f"sides are ${z}$ apart. The diagonals meet at ${e}$. What is the area of triangle ${a}{b}{e}$?",
                f"A trapezoidal window has parallel edges of ${x}$ cm and ${y}$ cm that are ${z}$ cm apart. Two "
                "straight bars along its diagonals divide it into four panes. How many square centimetres is the "
                f"pane at the edge of ${x}$ cm?",
            )
        )
    elif kind == "inner":
        x, y, z = (rng.randint(1, 9) for _ in range(3))
        if x == y == z:
            return None
        numbers, answer = [x * x, y * y, z * z], Fraction((x + y + z) ** 2)
        text = rng.choice(
            (
                f"Through a point inside triangle ${a}{b}{c}$ three lines parallel to its sides are drawn. They "
                "divide the triangle into three parallelograms and three triangles, and the three triangles have the "
                f"areas ${x * x}$, ${y * y}$ and ${z * z}$. What is the area of triangle ${a}{b}{c}$?",
                "A triangular park is crossed by three straight paths, each parallel to one edge, that meet at a "
                f"fountain. Three of the pieces between the paths are triangles, and they cover ${x * x}$, ${y * y}$ "
                f"and ${z * z}$ ares. How many ares does the whole park cover, if the width of the paths does not "
                "count?",
            )
        )
    else:
        small, large = sorted(rng.sample(range(1, 8), 2))
        if gcd(small, large) > 1:
            return None
        volume = small**3 * rng.randint(1, 20)
        numbers = [small**2, large**2, volume]
        answer = Fraction(volume * large**3, small**3)
        thing = rng.choice(("vase", "bottle", "statue", "candle", "jug"))
        text = rng.choice(
            (
                f"The surfaces of two similar solids are in the ratio ${small**2} : {large**2}$. The smaller one has "
                f"volume ${volume}$. What is the volume of the larger one?",
                f"A {thing} is made in two sizes of exactly the same shape. It takes ${small**2}$ g of paint to cover "
                f"the smaller one and ${large**2}$ g to cover the larger one equally thick. The smaller {thing} has a "
                f"volume of ${volume}$ cubic centimetres. How many cubic centimetres is the volume of the larger one?",
            )
        )
    if answer.denominator > (1, 2, 6)[difficulty - 1]:
        return None
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})
