"""Problems on points and lines in coordinates."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import polynomial, signed


def _question(rng: Random, point: tuple[int, int]) -> tuple[str, str, str]:
    """Choose what is asked of a point: its name, the question with a place for the point, and the answer."""
    x, y = point
    return rng.choice(
        (
            ("pair", "Give {} as a coordinate pair.", f"({x}, {y})"),
            ("sum", "Find the sum of the coordinates of {}.", str(x + y)),
            ("x", "Find the $x$-coordinate of {}.", str(x)),
            ("y", "Find the $y$-coordinate of {}.", str(y)),
        )
    )


def projected_image(normal: list[int], constant: int, points: list[list[int]], wanted: str) -> str:
    """Split the ways into their parts along and across the line."""
    from fractions import Fraction

    p, q = normal
    square = p * p + q * q
    heights = [Fraction(p * x + q * y - constant, square) for x, y in points]
    if wanted == "path":
        (x1, y1), (x2, y2) = points
        along = Fraction((-q * (x2 - x1) + p * (y2 - y1)) ** 2, square)
        return str(along + square * (abs(heights[0]) + abs(heights[1])) ** 2)
    ((x0, y0),) = points
    x, y = x0 - 2 * heights[0] * p, y0 - 2 * heights[0] * q
    return {"pair": f"({x}, {y})", "sum": str(x + y), "x": str(x), "y": str(y)}[wanted]


@generator("Reflect a point in a line by perpendicular and midpoint", check=projected_image)
def mirrored_point(rng: Random, difficulty: int) -> Draw | None:
    normal = rng.choice(
        (
            [(1, 1), (1, -1)],
            [(2, -1), (1, 2), (2, 1), (1, -2), (3, -1), (1, 3)],
            [(2, 3), (3, -2), (3, 4), (4, -3), (1, 4), (4, 1), (5, -2), (2, -1), (3, 1)],
        )[difficulty - 1]
    )
    p, q = normal
    foot = (rng.randint(-5, 6), rng.randint(-5, 6))
    steps = rng.choice((-2, -1, 1, 2) if difficulty < 3 else (-2, -1, 1, 2, 3))
    constant = p * foot[0] + q * foot[1]
    point = (foot[0] + steps * p, foot[1] + steps * q)
    image = (foot[0] - steps * p, foot[1] - steps * q)
    if constant == 0 and difficulty == 1 and rng.random() < 0.8:
        return None
    line = f"{polynomial([p, 0])} {signed(q, 'y')} = {constant}"
    if q in (1, -1) and rng.random() < 0.5:
        line = f"y = {polynomial([-p * q, constant * q])}"
    if difficulty == 3:
        along = rng.choice([n for n in range(-4, 5) if n])
        far = rng.randint(1, 3) * (1 if steps > 0 else -1)
        other = (foot[0] - along * q + far * p, foot[1] + along * p + far * q)
        squared = (image[0] - other[0]) ** 2 + (image[1] - other[1]) ** 2
        problem = rng.choice(
            (
                f"The points $A{point}$ and $B{other}$ lie on the same side of the line ${line}$. A point $P$ moves "
                f"along "
                "this line. What is the square of the least possible value of $AP + PB$?",
                f"On a map with unit squares, a straight river runs along ${line}$. A hiker walks from her tent at "
                f"${point}$ to the river and from there to a hut at ${other}$, and her way is as short as possible. "
                f"Let "
                "$d$ be its length in map units. Find $d^2$.",
                f"A mirror stands along the line ${line}$. A ray of light from ${point}$ is thrown back by the "
                f"mirror and "
                f"then reaches ${other}$. Find the square of the distance that the light has travelled from the "
                f"first of "
                "these points to the second.",
            )
        )
        values = {"normal": list(normal), "constant": constant, "points": [list(point), list(other)], "wanted": "path"}
        return Draw(problem, str(squared), values)
    wanted, question, answer = _question(rng, image)
    problem = rng.choice(
        (
            f"The point ${point}$ is reflected in the line ${line}$. {question.format('its image')}",
            f"A sheet of squared paper is folded along the line ${line}$, and the point ${point}$ comes to lie on "
            f"another "
            f"point of the sheet. {question.format('this other point')}",
            f"The ground plan of a palace is symmetric in the line ${line}$. A tower stands at ${point}$. "
            f"{question.format('the place of its twin on the other side')}",
            f"The line ${line}$ is the perpendicular bisector of the segment from $A{point}$ to $B$. "
            f"{question.format('$B$')}",
        )
    )
    values = {"normal": list(normal), "constant": constant, "points": [list(point)], "wanted": wanted}
    return Draw(problem, answer, values)


def tried_coordinates(first: list[int], second: list[int], ratio: list[int], kind: str, wanted: str) -> str:
    """Try every whole number as each coordinate of the point."""
    m, n = ratio
    found = []
    for a, b in zip(first, second, strict=True):
        for c in range(-150, 151):
            # "inside" and "outside": c divides the segment from a to b; "end": b divides the one from a to c.
            fits = {
                "inside": n * (c - a) == m * (b - c),
                "outside": n * (c - a) == m * (c - b),
                "end": n * (b - a) == m * (c - b),
            }[kind]
            if fits:
                found.append(c)
    x, y = found
    return {"pair": f"({x}, {y})", "sum": str(x + y), "x": str(x), "y": str(y)}[wanted]


@generator("Weight the end points to divide a segment in a given ratio", check=tried_coordinates)
def divided_segment(rng: Random, difficulty: int) -> Draw | None:
    m, n = rng.choice(
        ([(1, 2), (2, 1), (1, 3), (3, 1)], [(2, 3), (3, 2), (3, 1), (1, 4), (3, 4), (4, 3), (1, 2), (5, 2)])[
            difficulty > 1
        ]
    )
    kind = rng.choice((["inside"], ["inside", "inside", "end"], ["outside", "end"])[difficulty - 1])
    start = (rng.randint(-9, 9), rng.randint(-9, 9))
    step = (rng.randint(-4, 5), rng.randint(-4, 5))
    if 0 in step or (kind == "outside" and m < n + 1):
        return None
    at_m = (start[0] + m * step[0], start[1] + m * step[1])
    gap = m - n if kind == "outside" else m + n
    at_gap = (start[0] + gap * step[0], start[1] + gap * step[1])
    shown, target = (at_m, at_gap) if kind == "end" else (at_gap, at_m)
    wanted, question, answer = _question(rng, target)
    part = rf"\frac{{{m}}}{{{m + n}}}"
    if kind == "inside":
        choices: tuple[str, ...] = (
            f"The point $P$ divides the segment from $A{start}$ to $B{shown}$ so that $AP : PB = {m} : {n}$. "
            + question.format("$P$"),
            f"A drone flies in a straight line from ${start}$ to ${shown}$. After ${part}$ of the way it takes a "
            f"photograph. {question.format('the point where it does so')}",
            f"A straight cable connects the masts at ${start}$ and ${shown}$ of a plan. A lamp hangs from it "
            f"${part}$ of "
            f"the way from the first mast to the second. {question.format('the place of the lamp on the plan')}",
        )
    elif kind == "end":
        choices = (
            f"The point $P{shown}$ lies on the segment $AB$, with $A{start}$ and $AP : PB = {m} : {n}$. "
            + question.format("$B$"),
            f"A ship sails straight from ${start}$ to its port. At ${shown}$ it has covered ${part}$ of the way. "
            + question.format("the place of the port"),
            f"On the map of a game a treasure, a tree at ${shown}$ and a well at ${start}$ lie on one line. The way "
            f"straight from the well to the tree is ${part}$ of the way straight on from the well to the treasure. "
            + question.format("the place of the treasure"),
        )
    else:
        choices = (
            f"The point $P$ lies on the line through $A{start}$ and $B{shown}$, beyond $B$, and $AP : BP = {m} : {n}$. "
            + question.format("$P$"),
            f"A straight path from a gate at ${start}$ passes a bench at ${shown}$ and ends at a pond. The lengths "
            f"of the "
            f"path from the gate to the pond and from the bench to the pond are in the ratio ${m} : {n}$. "
            + question.format("the place of the pond"),
            f"The segment from $A{start}$ to $B{shown}$ is extended beyond $B$ to $P$ so that $BP$ is "
            rf"$\frac{{{n}}}{{{m}}}$ of $AP$. {question.format('$P$')}",
        )
    problem = rng.choice(choices)
    values = {"first": list(start), "second": list(shown), "ratio": [m, n], "kind": kind, "wanted": wanted}
    return Draw(problem, answer, values)
