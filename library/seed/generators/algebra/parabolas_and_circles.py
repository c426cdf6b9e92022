"""Problems on parabolas and circles."""

from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial, signed


def stationary_centre(equation: list[int], place: list[int], wanted: str) -> str:
    """Find the centre where the left side is least and the squared radius as minus that least value."""
    from fractions import Fraction
    from math import isqrt

    a, d, e, f = equation
    x, y = Fraction(-d, 2 * a), Fraction(-e, 2 * a)
    square = -(x * x + y * y + Fraction(d, a) * x + Fraction(e, a) * y + Fraction(f, a))
    distance = isqrt(int((x - place[0]) ** 2 + (y - place[1]) ** 2))
    return {
        "area": f"{square}\\pi",
        "square": str(square),
        "radius": str(isqrt(int(square))),
        "centre": str(x + y),
        "sum": str(x + y + isqrt(int(square))),
        "farthest": str(distance + isqrt(int(square))),
        "nearest": str(abs(distance - isqrt(int(square)))),
    }[wanted]


@generator("Complete both squares to read centre and radius", check=stationary_centre)
def circle_equation(rng: Random, difficulty: int) -> Draw | None:
    h, k = rng.randint(-4 * difficulty, 4 * difficulty), rng.randint(-4 * difficulty, 4 * difficulty)
    if h == 0 or k == 0:
        return None
    a = 1 if difficulty == 1 else rng.choice((1, 2, 3)) if difficulty == 2 else rng.choice((1, 2, 3, 4, 5))
    wanted = rng.choice(
        (["radius", "square", "centre"], ["area", "radius", "sum", "square"], ["farthest", "nearest", "area"])[
            difficulty - 1
        ]
    )
    rational = wanted in ("radius", "sum", "farthest", "nearest")
    square = rng.randint(2, 5 + 2 * difficulty) ** 2 if rational else rng.randint(5, 40 * difficulty)
    place = [0, 0]
    if difficulty == 3 and wanted != "area":
        u, v = rng.choice(((3, 4), (4, 3), (6, 8), (5, 12), (8, 6), (12, 5), (8, 15), (15, 8)))
        place = [h + u * rng.choice((1, -1)), k + v * rng.choice((1, -1))]
        if u * u + v * v == square:
            return None
    d, e, f = -2 * a * h, -2 * a * k, a * (h * h + k * k - square)
    first = f"{a if a > 1 else ''}x^2 + {a if a > 1 else ''}y^2"
    if rng.random() < 0.5:
        curve = f"{first} {signed(d, 'x')} {signed(e, 'y')} {signed(f)} = 0"
        inside = f"{first} {signed(d, 'x')} {signed(e, 'y')} {signed(f)} \\le 0"
    else:
        curve = f"{first} {signed(d, 'x')} = {polynomial([-e, -f], 'y')}"
        inside = curve.replace("=", r"\le")
    curve, inside = (" ".join(text.split()) for text in (curve, inside))
    name = person(rng)
    radius = isqrt(square)
    distance = isqrt((h - place[0]) ** 2 + (k - place[1]) ** 2)
    answer = {
        "area": f"{square}\\pi",
        "square": str(square),
        "radius": str(radius),
        "centre": str(h + k),
        "sum": str(h + k + radius),
        "farthest": str(distance + radius),
        "nearest": str(abs(distance - radius)),
    }[wanted]
    where = f"({place[0]}, {place[1]})"
    asked = {
        "area": (
            f"What is the area of the region enclosed by the curve ${curve}$?",
            f"Find the exact area of the region of all points $(x, y)$ with ${inside}$.",
            f"On a plan, a round lawn consists of all points $(x, y)$ with ${inside}$. What is its area in square "
            f"units of "
            "the plan?",
        ),
        "square": (
            f"The equation ${curve}$ describes a circle with radius $r$. Find $r^2$.",
            f"What is the square of the radius of the circle ${curve}$?",
            f"{name} draws all points $(x, y)$ with ${curve}$. They form a circle. Find the square of its radius.",
        ),
        "radius": (
            f"What is the radius of the circle ${curve}$?",
            f"A radio mast reaches exactly the places $(x, y)$ with ${inside}$, where the coordinates are in "
            f"kilometres. How "
            "many kilometres does it reach?",
            f"The points $(x, y)$ with ${curve}$ form a circle. Find its radius.",
        ),
        "centre": (
            f"The circle ${curve}$ has the centre $(p, q)$. Find $p + q$.",
            f"A goat can reach exactly the points $(x, y)$ of a meadow with ${inside}$. It is tied to a peg at $(p, "
            f"q)$. What "
            "is $p + q$?",
            f"{name} sets the foot of a pair of compasses at $(p, q)$ and draws the circle ${curve}$. What is $p + q$?",
        ),
        "sum": (
            f"The circle ${curve}$ has the centre $(p, q)$ and the radius $r$. Find $p + q + r$.",
            f"{name} writes ${curve}$ as $(x - p)^2 + (y - q)^2 = r^2$ with $r > 0$. What is $p + q + r$?",
            f"A goat can reach exactly the points $(x, y)$ of a meadow with ${inside}$. It is tied to a peg at $(p, "
            f"q)$ by a "
            "rope of length $r$. Find $p + q + r$.",
        ),
        "farthest": (
            f"What is the greatest distance of a point of the circle ${curve}$ from the point ${where}$?",
            f"A lake consists of all points $(x, y)$ of a map with ${inside}$. {name} stands at ${where}$. How far "
            f"away is the "
            "farthest point of the lake, in units of the map?",
            f"A point $P$ moves on the circle ${curve}$. What is the largest value of its distance from ${where}$?",
        ),
        "nearest": (
            f"What is the least distance of a point of the circle ${curve}$ from the point ${where}$?",
            f"A round track is described by ${curve}$ on a map, and {name} stands at ${where}$. How far is it to the "
            f"nearest "
            "point of the track, in units of the map?",
            f"A point $P$ moves on the circle ${curve}$. What is the smallest value of its distance from ${where}$?",
        ),
    }[wanted]
    return Draw(rng.choice(asked), answer, {"equation": [a, d, e, f], "place": place, "wanted": wanted})


def tried_choices(first: list[int], second: list[int], wanted: str) -> int:
    """Work the goal out for every whole choice."""
    choices = []
    for n in range(-300, 301):
        one, two = first[0] * n + first[1], second[0] * n + second[1]
        if one > 0 and two > 0:
            choices.append((one * two, one, two, n))
    best = max(choices)
    assert sum(choice[0] == best[0] for choice in choices) == 1
    return {"goal": best[0], "one": best[1], "two": best[2], "n": best[3]}[wanted]


@generator("Express the goal as a quadratic in one choice and read its vertex", check=tried_choices)
def best_choice(rng: Random, difficulty: int) -> Draw | None:
    story = rng.choice((["sum", "fence"], ["price", "fence", "river"], ["price", "trees", "river"])[difficulty - 1])
    if story == "sum":
        total = 2 * rng.randint(6, 60)
        first, second = [1, 0], [-1, total]
        wanted, end = (
            "goal",
            rng.choice(("What is the largest value of their product?", "How large can their product be?")),
        )
        problem = f"Two numbers have the sum {total}. {end}"
        if rng.random() < 0.5:
            k = rng.randint(2, 4)
            total = 2 * k * rng.randint(2, 12)
            first, second = [1, 0], [-k, total]
            wanted = rng.choice(("goal", "one"))
            end = "largest value of $xy$" if wanted == "goal" else "value of $x$ for which $xy$ is largest"
            problem = f"Two numbers $x$ and $y$ satisfy ${polynomial([k, 0])} + y = {total}$. Find the {end}."
    elif story == "fence":
        parts = rng.randint(1, difficulty + 1)
        # (parts + 1) fences across and 2 along, or one along if there is a wall.
        wall = rng.random() < 0.5
        across, along = parts + 1, 1 if wall else 2
        total = 2 * across * along * rng.randint(3, 10 + 5 * difficulty)
        # Width w across; the length along is (total - across*w)/along.
        first, second = [1, 0], [-across // along, total // along]
        if across % along:
            return None
        wanted = rng.choice(("goal", "goal", "one", "two"))
        place = "along a straight wall, where no fence is needed" if wall else "in the middle of a meadow"
        number = ("", "One more fence", "Two more fences", "Three more fences")[parts - 1]
        sides = "the two sides that meet the wall" if wall else "one pair of sides"
        verb, pieces = ("divides" if parts == 2 else "divide"), ("one", "two", "three", "four")[parts - 1]
        inner = f" {number} of the same kind, parallel to {sides}, {verb} it into {pieces} parts." if parts > 1 else ""
        if not wall and parts > 1:
            wanted = "goal"
        asked = {
            "goal": "What is the largest possible total area in square metres?",
            "one": "How many metres long are the sides that meet the wall when the area is as large as possible?",
            "two": "How many metres long is the side along the wall when the area is as large as possible?",
        }[wanted]
        if not wall and wanted != "goal":
            asked = "How many metres long are its sides when the area is as large as possible?"
        problem = f"With {total} metres of fencing a rectangular pen is to be built {place}.{inner} {asked}"
    elif story == "river":
        across = rng.randint(2, 3)
        price, cheap = rng.randint(3, 6), rng.randint(1, 2)
        money = 2 * across * price * cheap * rng.randint(3, 12)
        # across sides at `price` a metre, one at `cheap` a metre.
        if across * price % cheap:
            return None
        first, second = [1, 0], [-(across * price // cheap), money // cheap]
        wanted = rng.choice(("goal", "one", "two"))
        middle = (
            ""
            if across == 2
            else " A third fence of the same kind as these two runs from the river to the opposite side."
        )
        asked = {
            "goal": "What is the largest area in square metres that can be fenced in?",
            "one": "How many metres should the fences that run away from the river measure for the largest area?",
            "two": "How many metres should the fence along the far side measure for the largest area?",
        }[wanted]
        problem = (
            f"A rectangular field by a straight river is to be fenced in on the other three sides for {money} euros. "
            f"The fences "
            f"that run away from the river cost {price} euros a metre, the fence parallel to the river "
            f"{cheap} {'euro' if cheap == 1 else 'euros'} a metre.{middle} All the money is spent. {asked}"
        )
    else:
        start, units = rng.randint(8, 60), rng.randint(10, 90) * 4
        step, loss = rng.randint(1, 3), rng.randint(2, 9)
        if story == "trees":
            start, units, step, loss = rng.randint(40, 90), rng.randint(15, 40), 1, rng.randint(1, 2)
            # `units` trees with 10*start fruits each.
            first, second = [1, units], [-loss * 5, 10 * start]
        else:
            first, second = [step, start], [-loss, units]
        # Twice the vertex, times both slopes.
        slope = -2 * first[0] * second[0]
        peak = first[0] * second[1] + second[0] * first[1]
        if peak <= slope or (peak * 2 % slope == 0 and peak % slope):
            return None
        if difficulty == 2 and peak % slope:
            return None
        wanted = rng.choice(("goal", "one", "n"))
        coin = rng.choice(("euros", "dollars"))
        dearer = f"{step} {coin if step > 1 else coin[:-1]}"
        if story == "trees":
            asked = {
                "goal": "What is the greatest harvest, in apples, that the orchard can give?",
                "one": "How many trees in all give the greatest harvest?",
                "n": "How many trees should be added for the greatest harvest?",
            }[wanted]
            problem = (
                f"An orchard has {units} trees, each of which bears {10 * start} apples a year. For every tree that "
                f"is added, "
                f"each tree, old or new, bears {5 * loss} apples fewer. {asked}"
            )
        else:
            thing, group = rng.choice(
                (("ticket", "theatre"), ("cap", "shop"), ("boat tour", "ferry company"), ("pass", "zoo"))
            )
            plural = "passes" if thing == "pass" else thing + "s"
            asked = {
                "goal": f"What is the greatest daily income in {coin}?",
                "one": f"At which price in {coin} is the daily income greatest?",
                "n": "How many such rises give the greatest daily income?",
            }[wanted]
            problem = (
                f"A {group} sells {units} {plural} a day at {start} {coin} each. With every rise of the price by "
                f"{dearer}, "
                f"{loss} fewer {plural} a day are sold. The price may be raised any whole number of times by this "
                f"amount. {asked}"
            )
    goal = {}
    middle_n = -(first[1] * second[0] + first[0] * second[1]) // (2 * first[0] * second[0])
    for n in (middle_n, middle_n + 1):
        one, two = first[0] * n + first[1], second[0] * n + second[1]
        goal[one * two] = (one, two, n)
    if len(goal) < 2:
        return None
    best = max(goal)
    one, two, n = goal[best]
    if one <= 0 or two <= 0:
        return None
    answer = {"goal": best, "one": one, "two": two, "n": n}[wanted]
    return Draw(problem, str(answer), {"first": first, "second": second, "wanted": wanted})
