"""Problems on moving points and on planes in space."""

from fractions import Fraction
from math import gcd, isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def watched(first: list[list[int]], second: list[list[int]], wanted: str) -> str:
    """Watch the distance in decimals, close in on its least value by thirds and recognise the exact number."""
    from fractions import Fraction
    from math import sqrt

    def squared(time: float) -> float:
        return sum(
            (first[0][axis] - second[0][axis] + time * (first[1][axis] - second[1][axis])) ** 2
            for axis in range(len(first[0]))
        )

    low, high = 0.0, 400.0
    for _ in range(150):
        third = (high - low) / 3
        if squared(low + third) < squared(high - third):
            high -= third
        else:
            low += third
    if wanted == "time":
        return str(Fraction(low).limit_denominator(40))
    return str(Fraction(sqrt(squared(low))).limit_denominator(20) if wanted == "distance" else round(squared(low)))


@generator("Find the closest approach from the relative position", check=watched)
def closest(rng: Random, difficulty: int) -> Draw | None:
    size = 2 if difficulty < 3 else 3
    reach = (4, 6, 6)[difficulty - 1]
    time = Fraction(rng.randint(1, 8), 1 if difficulty == 1 else rng.choice((1, 2)))
    velocities = [[rng.randint(-reach, reach) for _ in range(size)] for _ in range(2)]
    if difficulty == 1:
        velocities[1] = [0, 0]
    relative = [one - other for one, other in zip(*velocities, strict=True)]
    speed = sum(part**2 for part in relative)
    if difficulty == 3:
        lean = [rng.randint(-3, 3) for _ in range(3)]
        x, y, z = relative
        apart = [y * lean[2] - z * lean[1], z * lean[0] - x * lean[2], x * lean[1] - y * lean[0]]
        divisor = gcd(*apart)
        if divisor == 0:
            return None
        apart = [part // divisor for part in apart]
    else:
        factor = rng.randint(1, 4)
        apart = [-relative[1] * factor, relative[0] * factor]
    if speed == 0 or sum(a * v for a, v in zip(apart, relative, strict=True)):
        return None
    squared = sum(part**2 for part in apart)
    start = [a - time * v for a, v in zip(apart, relative, strict=True)]
    if any(part.denominator > 1 for part in start) or not 1 <= squared <= 400 or not any(velocities[0]):
        return None
    if difficulty > 1 and not any(velocities[1]):
        return None
    root = isqrt(squared)
    wanted = rng.choice(("time", "distance")) if root**2 == squared else rng.choice(("time", "squared"))
    answer = {"time": str(time), "distance": str(root), "squared": str(squared)}[wanted]
    base = [rng.randint(-5, 9) for _ in range(size)]
    if difficulty == 3:
        base[2] = rng.randint(15, 30)
    one = [place + int(part) for place, part in zip(base, start, strict=True)]
    if difficulty == 3 and min(base[2] + 20 * velocities[1][2], one[2]) < 0:
        return None

    def vector(parts: list[int]) -> str:
        return f"$({', '.join(map(str, parts))})$"

    p, q = vector(one), vector(base)
    v, w = vector(velocities[0]), vector(velocities[1])
    who = person(rng)
    if difficulty == 1:
        unit, moment = rng.choice((("km", "hours"), ("m", "seconds")))
        full = {"km": "kilometres", "m": "metres"}[unit]
        asked = {
            "time": f"After how many {moment} is it nearest",
            "distance": f"How many {full} away is it at the nearest",
            "squared": "What is the square of its least distance",
        }[wanted]
        thing, mark = rng.choice(
            (("ship", "lighthouse"), ("boat", "buoy")) if unit == "km" else (("toy car", "cone"), ("robot", "post"))
        )
        text = rng.choice(
            (
                f"A {thing} starts at the point {p} and moves with the constant velocity {v} (lengths in {full}, "
                f"times in {moment}). A "
                f"{mark} stands at {q}. {asked} to the {mark}?",
                f"On a map with {full} as units, a {thing} at {p} sets out with the velocity {v}, in {full} per "
                f"{moment[:-1]}. It keeps course and speed. {asked} to a {mark} at {q}?",
                f"At the start the position of a {thing} is {p}, and it moves with the velocity {v} in {full} per "
                f"{moment[:-1]}. {who} "
                f"watches it from a {mark} at {q}. {asked} to the {mark}?",
            )
        )
    else:
        asked = {
            "time": "After how many {0} are they nearest to each other?",
            "distance": "What is the least distance between them, in {1}?",
            "squared": "What is the square of the least distance between them, in square {1}?",
        }[wanted]
        names = (
            ("drone", "drone")
            if difficulty == 3
            else rng.choice((("ship", "ship"), ("skater", "skater"), ("boat", "boat")))
        )
        moment, full = ("hours", "kilometres") if names[0] in ("ship", "boat") else ("seconds", "metres")
        asked = asked.format(moment, full)
        text = rng.choice(
            (
                f"At the same moment one {names[0]} is at {p} and moves with the velocity {v}, and another {names[1]} "
                f"is at {q} and moves with the velocity {w} (lengths in {full}, times in {moment}). Both keep their "
                f"velocities. {asked}",
                f"Two {names[0]}s move straight and steadily. In coordinates with {full} as units they start together "
                f"at {p} and {q}. In each {moment[:-1]} the first one moves by {v} and the second one by {w}. {asked}",
                f"After $t$ {moment} the first of two {names[0]}s is at {p} $+\\ t\\,${v} and the second at {q} $+\\ "
                f"t\\,${w}, measured in {full}, for $t \\ge 0$. {asked}",
            )
        )
    return Draw(text, answer, {"first": [one, velocities[0]], "second": [base, velocities[1]], "wanted": wanted})


def eliminated(points: list[list[int]], place: list[int], axis: int) -> str:
    """Write the wanted point as the first one plus multiples of the two edges, with Cramer's rule for the multiples."""
    from fractions import Fraction

    known = [index for index in range(3) if index != axis]
    p, q, r = points
    a, b = (q[known[0]] - p[known[0]], r[known[0]] - p[known[0]])
    c, d = (q[known[1]] - p[known[1]], r[known[1]] - p[known[1]])
    u, v = place[known[0]] - p[known[0]], place[known[1]] - p[known[1]]
    first, second = Fraction(u * d - b * v, a * d - b * c), Fraction(a * v - u * c, a * d - b * c)
    return str(p[axis] + first * (q[axis] - p[axis]) + second * (r[axis] - p[axis]))


@generator("Write a plane through three points with a cross product as normal", check=eliminated)
def plane(rng: Random, difficulty: int) -> Draw | None:
    reach = (3, 5, 9)[difficulty - 1]
    roof = difficulty < 3 and rng.random() < 0.4
    points = [[rng.randint(-reach, reach) for _ in range(3)] for _ in range(3)]
    if difficulty == 1 and not roof:
        points[0] = [rng.randint(1, 3), 0, 0]
        points[1] = [0, rng.randint(1, 4), 0] if rng.random() < 0.5 else [rng.randint(-2, 2), rng.randint(1, 4), 0]
    if roof:
        points = [[rng.randint(0, 6), rng.randint(0, 6), rng.randint(2, 9)] for _ in range(3)]
    u, v = ([points[k][axis] - points[0][axis] for axis in range(3)] for k in (1, 2))
    normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    axis = 2 if roof else rng.randrange(3)
    if 0 in normal or gcd(*normal) == 0:
        return None
    place = [0, 0, 0]
    intercept = not roof and rng.random() < 0.5
    if not intercept:
        place = [rng.randint(0, 6) if roof else rng.randint(-reach, reach) for _ in range(3)]
    level = sum(n * x for n, x in zip(normal, points[0], strict=True))
    place[axis] = 0
    answer = Fraction(level - sum(n * x for n, x in zip(normal, place, strict=True)), normal[axis])
    if answer.denominator > (1, 3, 9)[difficulty - 1] or (roof and not 0 < answer < 20):
        return None
    if any(all(place[k] == point[k] for k in range(3) if k != axis) for point in points):
        return None
    p, q, r = (f"$({', '.join(map(str, point))})$" for point in points)
    letters = [str(part) for part in place]
    letters[axis] = "h"
    wanted = f"$({', '.join(letters)})$"
    if roof:
        feet = ", ".join(f"$({x}, {y})$" for x, y, _ in points[:2]) + f" and $({points[2][0]}, {points[2][1]})$"
        tall = f"${points[0][2]}$ m, ${points[1][2]}$ m and ${points[2][2]}$ m"
        spot = f"$({place[0]}, {place[1]})$"
        text = rng.choice(
            (
                f"On a flat lawn with coordinates in metres, vertical poles stand at {feet}. They are {tall} high, in "
                "this order. A flat sail lies on their tops and reaches beyond them. How many metres above the point "
                f"{spot} of the lawn is the plane of the sail?",
                f"Three boreholes at the points {feet} of a level field reach a flat layer of rock at depths of "
                f"{tall}, in this order. The coordinates are in metres. At which depth, in metres, does a borehole at "
                f"{spot} reach the layer?",
                f"The flat roof of a hall slopes evenly. Above the points {feet} of the level floor, with coordinates "
                f"in metres, it is {tall} high, in this order. How many metres high is it above the point {spot}?",
            )
        )
    elif intercept:
        name = "xyz"[axis]
        text = rng.choice(
            (
                f"The plane through the points {p}, {q} and {r} meets the ${name}$-axis in {wanted}. Find $h$.",
                f"Three corners of a flat sheet of glass in space lie at {p}, {q} and {r}. At which value of ${name}$ "
                f"does the plane of the sheet cut the ${name}$-axis?",
                f"For which number $h$ does {wanted} lie in the plane of the triangle with the corners {p}, {q} and "
                f"{r}?",
            )
        )
    else:
        text = rng.choice(
            (
                f"The points {p}, {q}, {r} and {wanted} lie in one plane. Find $h$.",
                f"The plane through {p}, {q} and {r} contains the point {wanted}. What is $h$?",
                f"A four-legged frame has its feet at {p}, {q}, {r} and {wanted}. For which $h$ do all four feet lie "
                "in one plane?",
            )
        )
    return Draw(text, str(answer), {"points": points, "place": place, "axis": axis})
