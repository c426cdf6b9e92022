"""Problems on absolute values."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, people, person, polynomial, signed


def tried_integers(slope: int, shift: int, inner: int, outer: int, strict: bool, wanted: str) -> int:
    """Try every integer that is not too far from zero."""
    fits = []
    for x in range(-200, 201):
        size = abs(slope * x + shift)
        if size > inner and (size < outer if strict else size <= outer):
            fits.append(x)
    return {"count": len(fits), "sum": sum(fits), "largest": max(fits), "smallest": min(fits)}[wanted]


@generator("Unfold an absolute-value inequality into two bounds", check=tried_integers)
def bounded_integers(rng: Random, difficulty: int) -> Draw | None:
    slope = rng.randint(*((1, 1), (2, 4), (3, 7))[difficulty - 1]) * rng.choice((1, 1, -1) if difficulty > 1 else (1,))
    shift = rng.choice([n for n in range(-9 * difficulty, 9 * difficulty + 1) if n])
    outer = rng.randint(*((2, 9), (7, 25), (20, 60))[difficulty - 1])
    inner = rng.randint(2, outer - 6) if difficulty == 3 else -1
    strict = rng.random() < 0.5
    wanted = rng.choice(("count", "count", "sum", "largest", "smallest"))
    # For integers, < outer means <= outer - 1.
    top = outer - 1 if strict else outer
    size, centred = abs(slope), shift if slope > 0 else -shift
    fits = set(range(-((top + centred) // size), (top - centred) // size + 1))
    if inner >= 0:
        fits -= set(range(-((inner + centred) // size), (inner - centred) // size + 1))
    if len(fits) < 3:
        return None
    answer = {"count": len(fits), "sum": sum(fits), "largest": max(fits), "smallest": min(fits)}[wanted]
    content = polynomial([slope, shift]) if slope > 0 else f"{shift} {signed(slope, 'x')}"
    condition = f"|{content}| {'<' if strict else chr(92) + 'le'} {outer}"
    if inner >= 0:
        condition = f"{inner} < {condition}"
    asked = {
        "count": "How many integers $x$ satisfy",
        "sum": "Find the sum of all integers $x$ with",
        "largest": "What is the largest integer $x$ with",
        "smallest": "What is the smallest integer $x$ with",
    }[wanted]
    limit = f"less than {outer}" if strict else f"at most {outer}"
    distance = f"more than {inner} but {limit}" if inner >= 0 else limit
    goal = {
        "count": "How many integers can $x$ be",
        "sum": "What is the sum of all integers that $x$ can be",
        "largest": "What is the largest integer that $x$ can be",
        "smallest": "What is the smallest integer that $x$ can be",
    }[wanted]
    moving, fixed = polynomial([slope, 0]), -shift
    problem = rng.choice(
        (
            f"{asked} ${condition}$" + ("." if wanted == "sum" else "?"),
            f"On a number line the point $P$ lies at ${moving}$ and the point $Q$ at ${fixed}$. The distance of the "
            f"two "
            f"points is {distance}. {goal}?",
            f"An integer $x$ differs from ${fixed}$ by {distance}. {goal}?"
            if slope == 1
            else f"{person(rng)} chooses an integer $x$ and works out ${moving}$. The result differs from ${fixed}$ by "
            f"{distance}. {goal}?",
        )
    )
    values = {"slope": slope, "shift": shift, "inner": inner, "outer": outer, "strict": strict, "wanted": wanted}
    return Draw(problem, str(answer), values)


def tried_places(points: list[int], weights: list[int], wanted: str) -> int:
    """Add up the distances from every whole place between the outermost points."""
    totals = {
        place: sum(weight * abs(place - point) for point, weight in zip(points, weights, strict=True))
        for place in range(min(points), max(points) + 1)
    }
    least = min(totals.values())
    if wanted == "total":
        return least
    (best,) = [place for place, total in totals.items() if total == least]
    return best


@generator("Minimise a sum of distances at the median point", check=tried_places)
def shortest_ways(rng: Random, difficulty: int) -> Draw | None:
    number = rng.randint(*((3, 3), (3, 4), (4, 5))[difficulty - 1])
    story = rng.randrange(3)
    points = rng.sample(range(-9, 16) if story == 0 else range(1, 12 * difficulty + 8), number)
    weights = [rng.randint(1, 1 if difficulty == 1 else 2 * difficulty - 1) for _ in points]
    if story == 2 and difficulty > 1:
        weights = [weight + 1 for weight in weights]
    wanted = rng.choice(("total", "place"))
    row = sorted(place for place, weight in zip(points, weights, strict=True) for _ in range(weight))
    if wanted == "place" and len(row) % 2 == 0 and row[len(row) // 2] != row[len(row) // 2 - 1]:
        return None
    if 2 * max(weights) > len(row) and difficulty > 1:
        return None
    median = row[len(row) // 2]
    answer = median if wanted == "place" else sum(abs(place - median) for place in row)
    if story == 0:
        terms = [
            f"{weight if weight > 1 else ''}|{polynomial([1, -point])}|"
            if point
            else f"{weight if weight > 1 else ''}|x|"
            for point, weight in zip(points, weights, strict=True)
        ]
        expression = f"${' + '.join(terms)}$"
        problem = (
            f"For which real number $x$ is {expression} as small as possible?"
            if wanted == "place"
            else rng.choice(
                (
                    f"What is the least value of {expression} for real numbers $x$?",
                    f"How small can the sum {expression} become when $x$ may be any real number?",
                )
            )
        )
    elif difficulty == 1:
        names = people(rng, number)
        homes = listed([f"{name} lives at kilometre {point}" for name, point in zip(names, points, strict=True)])
        asked = "At which kilometre is that place?" if wanted == "place" else "How many kilometres do they walk in all?"
        problem = (
            f"Along a straight road {homes}. They meet at the place on the road for which the total length of their "
            f"ways "
            f"is as small as possible. {asked}"
        )
    elif story == 1:
        homes = listed(
            [
                f"{weight} {'family lives' if weight == 1 else 'families live'} at kilometre {point}"
                for point, weight in zip(points, weights, strict=True)
            ]
        )
        asked = "At which kilometre should it be?" if wanted == "place" else "How many kilometres is this total?"
        problem = (
            f"Along a straight road {homes}. A bus stop is to be put up on this road so that the ways to it from all "
            f"families, one way for each family, are as short as possible in total. {asked}"
        )
    else:
        groups = listed([f"{weight} work on floor {point}" for point, weight in zip(points, weights, strict=True)])
        asked = (
            "Which floor should be chosen?"
            if wanted == "place"
            else "By how many floors do all of them together have to move?"
        )
        problem = (
            f"Of the people in an office tower who attend a meeting, {groups}. The meeting is to take place on the "
            f"floor "
            f"for which the number of floors that all of them together have to move is smallest. {asked}"
        )
    return Draw(problem, str(answer), {"points": points, "weights": weights, "wanted": wanted})
