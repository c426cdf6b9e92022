"""Problems on routes, networks and weekdays."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def _network(rng: Random, points: int, extra: int, high: int) -> list[list[int]]:
    """Draw roads [a, b, length] that join all points: a random tree and some more."""
    roads: dict[tuple[int, int], int] = {}
    for point in range(1, points):
        roads[rng.randrange(max(0, point - 3), point), point] = rng.randint(1, high)
    while len(roads) < points - 1 + extra:
        a, b = sorted(rng.sample(range(points), 2))
        if b - a <= 3:
            roads.setdefault((a, b), rng.randint(1, high))
    return [[a, b, length] for (a, b), length in sorted(roads.items())]


def every_route(roads: list[list[int]], points: int, avoid: int) -> int:
    """Add up the lengths of all routes that visit no point twice, and take the smallest."""
    near: dict[int, list[tuple[int, int]]] = {point: [] for point in range(points)}
    for a, b, length in roads:
        near[a].append((b, length))
        near[b].append((a, length))

    def lengths(point: int, seen: set[int]) -> list[int]:
        if point == points - 1:
            return [0]
        return [
            length + rest
            for after, length in near[point]
            if after not in seen and after != avoid
            for rest in lengths(after, seen | {after})
        ]

    return min(lengths(0, {0}))


@generator("Settle the nearest open point to find a shortest route", check=every_route)
def shortest_route(rng: Random, difficulty: int) -> Draw | None:
    points = (4, rng.randint(5, 6), rng.randint(6, 8))[difficulty - 1]
    extra = (2, 4, rng.randint(4, 6))[difficulty - 1]
    if extra > 3 * points - 6 - (points - 1):
        return None
    roads = _network(rng, points, extra, (9, 12, 20)[difficulty - 1])
    avoid = rng.randrange(1, points - 1) if difficulty == 3 and rng.random() < 0.4 else -1
    distance = {0: 0}
    settled: set[int] = set()
    hops = {0: 0}
    while points - 1 not in settled:
        open_points = [point for point in distance if point not in settled]
        if not open_points:
            return None
        point = min(open_points, key=distance.__getitem__)
        settled.add(point)
        for a, b, length in roads:
            if point in (a, b):
                other = a + b - point
                new = distance[point] + length
                if other != avoid and new < distance.get(other, new + 1):
                    distance[other], hops[other] = new, hops[point] + 1
    if hops[points - 1] < (2, 3, 3)[difficulty - 1]:
        return None
    labels = "ABCDEFGH"[:points]
    last = labels[-1]
    rng.shuffle(roads)
    scene = rng.randint(0, 2)
    plain = listed([f"{labels[a]}{labels[b]} {length}" for a, b, length in roads])
    stops = listed([f"{labels[a]}-{labels[b]} {length}" for a, b, length in roads])
    problem = (
        f"{points} villages, $A$ to ${last}$, are joined by roads with these lengths in kilometres: {plain}. How many "
        f"kilometres long is the shortest route from $A$ to ${last}$",
        f"Bus fares between towns $A$ to ${last}$, in dollars and the same in both directions, are {stops}. What is "
        f"the least that a ride from $A$ to ${last}$ can cost, in dollars",
        f"A computer network has nodes $A$ to ${last}$. A message takes these times in milliseconds along its cables, "
        f"in either direction: {stops}. How many milliseconds does it need at least from $A$ to ${last}$",
    )[scene]
    problem += "?"
    if avoid >= 0:
        block = ("cannot be passed because of a flood", "is closed to buses", "is out of order")[scene]
        what = ("village", "the town", "node")[scene].removeprefix("the ")
        problem = problem.removesuffix("?") + f", now that {what} ${labels[avoid]}$ {block}?"
    return Draw(problem, str(distance[points - 1]), {"roads": roads, "points": points, "avoid": avoid})


def every_choice_of_links(links: list[list[int]], points: int, given: list[int]) -> int:
    """Try every choice of one link less than there are points, and keep the cheapest that joins all."""
    from itertools import combinations

    best = 10**9
    for chosen in combinations(range(len(links)), points - 1):
        if not set(given) <= set(chosen):
            continue
        group = {0}
        for _ in range(points):
            group |= {b for k in chosen for a, b, _ in [links[k]] if a in group}
            group |= {a for k in chosen for a, b, _ in [links[k]] if b in group}
        cost = sum(links[k][2] for k in chosen if k not in given)
        if len(group) == points:
            best = min(best, cost)
    return best


@generator("Join all points by taking the cheapest useful links", check=every_choice_of_links)
def cheapest_network(rng: Random, difficulty: int) -> Draw | None:
    points = (4, 5, 6)[difficulty - 1]
    links = _network(rng, points, (2, 3, 4)[difficulty - 1], (9, 20, 40)[difficulty - 1])
    rng.shuffle(links)
    given = [rng.randrange(len(links))] if difficulty == 3 and rng.random() < 0.5 else []
    group = {point: point for point in range(points)}
    total = 0
    for link in given + sorted(range(len(links)), key=lambda k: links[k][2]):
        a, b, cost = links[link]
        if group[a] != group[b]:
            total += 0 if link in given else cost
            old, new = group[a], group[b]
            group = {point: new if label == old else label for point, label in group.items()}
    if total == sum(sorted(cost for _, _, cost in links)[: points - 1]) and difficulty > 1 and not given:
        return None
    labels = "ABCDEF"[:points]
    last = labels[-1]
    told = listed([f"{labels[a]}{labels[b]} {cost}" for a, b, cost in links])
    scene = rng.randint(0, 2)
    problem = (
        f"{points} farms, $A$ to ${last}$, are to be joined to one water network, directly or through other farms. "
        f"The possible pipes and their costs in thousands of dollars are {told}. What is the least total cost, in "
        "thousands of dollars?",
        f"On an island there are {points} camps, $A$ to ${last}$. Some of the tracks between them are to be paved so "
        "that one can get from each camp to each other one on paved tracks. The tracks have these lengths in "
        f"kilometres: {told}. How many kilometres must be paved at least?",
        f"An office has {points} computers, $A$ to ${last}$. Cables between them can be laid at these costs in "
        f"dollars: {told}. All computers are to be connected, if need be through others. What is the least total cost "
        "in dollars?",
    )[scene]
    if given:
        a, b, _ = links[given[0]]
        pair = f"{labels[a]}{labels[b]}"
        there = (f"The pipe {pair} exists already and costs nothing.", f"The track {pair} is paved already.",
                 f"The cable {pair} is there already and costs nothing.")[scene]  # fmt: skip
        head, _, question = problem.rpartition(". ")
        more = question.replace("the least total cost", "the least cost of the rest").replace(
            "kilometres must", "more kilometres must"
        )
        problem = f"{head}. {there} {more}"
    return Draw(problem, str(total), {"links": links, "points": points, "given": given})


def walked_through_days(known: list[int], weekday: int, wanted: list[int], step: int) -> str:
    """Turn over one calendar leaf after another, with the months' lengths by the Gregorian rule."""
    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    year, month, day = known
    passed = 0
    while [year, month, day] != wanted and passed != step:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        lengths = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        day += 1
        passed += 1
        if day > lengths[month - 1]:
            day, month = 1, month + 1
        if month > 12:
            month, year = 1, year + 1
    return names[(weekday + passed) % 7]


@generator("Move weekdays on by the remainder of the elapsed days", check=walked_through_days)
def weekdays(rng: Random, difficulty: int) -> Draw | None:
    from datetime import date, timedelta

    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    months = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
              "November", "December")  # fmt: skip
    name = person(rng)
    if difficulty == 1:
        days = rng.randint(10, 120)
        today = rng.randrange(7)
        if days % 7 == 0:
            return None
        problem = rng.choice(
            (
                f"Today is a {names[today]}. Which day of the week will it be in {days} days?",
                f"{name} sows a seed on a {names[today]}. The plant flowers {days} days later. On which day of the "
                "week is that?",
                f"A ship leaves on a {names[today]} and comes back after {days} days. On which day of the week does "
                "it return?",
            )
        )
        values = {"known": [2026, 1, 1], "weekday": today, "wanted": [], "step": days}
        return Draw(problem, names[(today + days) % 7], values, "text")
    first = date(rng.randint(2020, 2035), rng.randint(1, 12), rng.randint(1, 28))
    span = rng.randint(40, 360) if difficulty == 2 else rng.randint(800, 9000)
    last = first + timedelta(days=span)
    if last == first.replace(year=first.year) or (difficulty == 2 and last.year > first.year + 1):
        return None
    written = [f"{months[moment.month - 1]} {moment.day}, {moment.year}" for moment in (first, last)]
    problem = rng.choice(
        (
            f"{written[0]}, is a {names[first.weekday()]}. On which day of the week does {written[1]}, fall?",
            f"{name} was born on {written[0]}, a {names[first.weekday()]}. Which day of the week is {written[1]}?",
            f"A calendar shows that {written[0]}, is a {names[first.weekday()]}. Which weekday will {written[1]}, be?",
        )
    )
    values = {
        "known": [first.year, first.month, first.day], "weekday": first.weekday(),
        "wanted": [last.year, last.month, last.day], "step": -1,
    }  # fmt: skip
    return Draw(problem, names[last.weekday()], values, "text")
