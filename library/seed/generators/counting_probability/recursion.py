"""Problems on counting paths and sequences of blocks."""

from math import comb
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def walked_cell_by_cell(target: list[int], through: list[list[int]], closed: list[list[int]], rule: str) -> int:
    """Carry the number of paths from point to point, apart for every set of required points met so far."""
    from itertools import product

    start = tuple(0 for _ in target)
    ways: dict[tuple[int, ...], dict[int, int]] = {}
    for point in product(*(range(side + 1) for side in target)):
        here: dict[int, int] = {0: 1} if point == start else {}
        for axis, place in enumerate(point):
            if place:
                before = (*point[:axis], place - 1, *point[axis + 1 :])
                for met, number in ways[before].items():
                    here[met] = here.get(met, 0) + number
        if list(point) in closed:
            here = {}
        if list(point) in through:
            bit = 1 << through.index(list(point))
            here = {met | bit: number for met, number in here.items()}
        ways[point] = here
    final = ways[tuple(target)]
    good = {"all": (len(through),), "some": tuple(range(1, len(through) + 1)), "one": (1,)}[rule]
    return sum(number for met, number in final.items() if met.bit_count() in good)


def _paths(start: tuple[int, ...], end: tuple[int, ...]) -> int:
    number, steps = 1, 0
    for a, b in zip(start, end, strict=True):
        if b < a:
            return 0
        steps += b - a
        number *= comb(steps, b - a)
    return number


@generator("Multiply path counts through the points that must be visited", check=walked_cell_by_cell)
def paths_through_points(rng: Random, difficulty: int) -> Draw | None:
    if difficulty == 3 and rng.random() < 0.3:
        return _paths_in_space(rng)
    width, height = (
        rng.randint(*((2, 5), (4, 8), (5, 9))[difficulty - 1]),
        rng.randint(*((2, 4), (3, 7), (4, 8))[difficulty - 1]),
    )

    def point() -> tuple[int, int]:
        return rng.randint(0, width), rng.randint(0, height)

    start, end, p, q = (0, 0), (width, height), point(), point()
    kind = rng.choice(
        (("through",), ("through both", "avoid", "not through"), ("some", "one", "through not", "avoid both"))[
            difficulty - 1
        ]
    )
    if p in (start, end) or q in (start, end) or p == q:
        return None
    p, q = min(p, q), max(p, q)
    full, by_p, by_q = _paths(start, end), _paths(start, p) * _paths(p, end), _paths(start, q) * _paths(q, end)
    both = _paths(start, p) * _paths(p, q) * _paths(q, end)
    through: list[list[int]] = []
    closed: list[list[int]] = []
    rule = "all"
    if kind in ("through", "avoid", "not through"):
        answer = by_p if kind == "through" else full - by_p
        (through if kind == "through" else closed).append(list(p))
    elif kind == "through both":
        answer, through = both, [list(p), list(q)]
    elif kind == "some":
        answer, through, rule = by_p + by_q - both, [list(p), list(q)], "some"
    elif kind == "one":
        answer, through, rule = by_p + by_q - 2 * both, [list(p), list(q)], "one"
    elif kind == "through not":
        answer, through, closed = by_p - both, [list(p)], [list(q)]
    else:
        answer, closed = full - by_p - by_q + both, [list(p), list(q)]
    if answer < 2 or (difficulty > 1 and (both == 0 or answer > 20000)):
        return None
    if kind == "through" and (_paths(start, p) == 1 or _paths(p, end) == 1) and rng.random() < 0.8:
        return None
    scene = rng.randrange(3)
    who = person(rng)
    if scene == 0:
        a, b = f"$({p[0]}, {p[1]})$", f"$({q[0]}, {q[1]})$"
        start_text = (
            f"A path from $(0, 0)$ to $({width}, {height})$ consists of steps of length 1 to the right and upwards. "
            "How many such paths "
        )
        text = {
            "through": f"pass through {a}?",
            "avoid": f"do not pass through {a}?",
            "not through": f"keep away from the point {a}?",
            "through both": f"pass through both {a} and {b}?",
            "some": f"pass through at least one of the points {a} and {b}?",
            "one": f"pass through exactly one of the points {a} and {b}?",
            "through not": f"pass through {a} but not through {b}?",
            "avoid both": f"pass through neither {a} nor {b}?",
        }[kind]
        text = start_text + text
    else:
        first, second, mover = (
            (_streets(*p), _streets(*q), f"{who} walks")
            if scene == 1
            else (_streets(*p), _streets(*q), "A delivery robot drives")
        )
        shop, other = rng.sample(("bakery", "fountain", "market", "kiosk", "museum", "school"), 2)
        text = (
            f"The streets of a town form a square grid. {mover} from a crossing to the crossing "
            f"{_streets(width, height)} of it, along the streets and always to the east or to the north. "
        )
        places = f"A {shop} stands at the crossing {first} of the start"
        if kind in ("through", "avoid", "not through"):
            places += "."
        else:
            places += f", and a {other} at the crossing {second} of the start."
        question = {
            "through": f"How many routes lead past the {shop}?",
            "avoid": f"How many routes do not lead past the {shop}?",
            "not through": "That crossing is closed today. How many routes are left?",
            "through both": f"How many routes lead past both the {shop} and the {other}?",
            "some": f"How many routes lead past the {shop}, the {other} or both?",
            "one": f"How many routes lead past exactly one of the {shop} and the {other}?",
            "through not": f"How many routes lead past the {shop} but not past the {other}?",
            "avoid both": f"How many routes lead past neither the {shop} nor the {other}?",
        }[kind]
        text = f"{text}{places} {question}"
    return Draw(text, str(answer), {"target": [width, height], "through": through, "closed": closed, "rule": rule})


def _streets(east: int, north: int) -> str:
    parts = []
    for number, side in ((east, "east"), (north, "north")):
        if number:
            parts.append(f"{number} block{'s' if number > 1 else ''} {side}")
    return listed(parts)


def _paths_in_space(rng: Random) -> Draw | None:
    target = tuple(rng.randint(2, 4) for _ in range(3))
    p = tuple(rng.randint(0, side) for side in target)
    start = (0, 0, 0)
    if p in (start, target):
        return None
    avoid = rng.random() < 0.5
    by_p = _paths(start, p) * _paths(p, target)
    answer = _paths(start, target) - by_p if avoid else by_p
    if answer < 6:
        return None
    where = f"$({p[0]}, {p[1]}, {p[2]})$"
    end = f"$({target[0]}, {target[1]}, {target[2]})$"
    text = rng.choice(
        (
            f"A fly crawls on a scaffold from the point $(0, 0, 0)$ to the point {end}. Each step leads along a bar "
            "of length 1 in the positive direction of one of the three axes. How many ways are there that "
            + (f"do not touch the point {where}?" if avoid else f"lead through the point {where}?"),
            f"From $(0, 0, 0)$ a counter is moved to {end}; each move adds 1 to exactly one of the three coordinates. "
            "In how many sequences of moves is the counter "
            + (f"never at {where}?" if avoid else f"at {where} at some time?"),
        )
    )
    through, closed = ([], [list(p)]) if avoid else ([list(p)], [])
    return Draw(text, str(answer), {"target": list(target), "through": through, "closed": closed, "rule": "all"})


def by_numbers_of_blocks(total: int, sizes: list[int], colours: list[int], broken: int, given: int) -> int:
    """List how many blocks of each size are used and count the orders and colours of each such list."""
    from itertools import product
    from math import factorial

    def rows(length: int) -> int:
        found = 0
        for used in product(*(range(length // size + 1) for size in sizes)):
            if sum(number * size for number, size in zip(used, sizes, strict=True)) == length:
                orders = factorial(sum(used))
                for number, colour in zip(used, colours, strict=True):
                    orders = orders // factorial(number) * colour**number
                found += orders
        return found

    if given:
        length = 1
        while rows(length) != given:
            length += 1
        return length
    return rows(total) - (rows(broken) * rows(total - broken) if broken else 0)


@generator("Split by the last block to find a recursion", check=by_numbers_of_blocks)
def rows_of_blocks(rng: Random, difficulty: int) -> Draw | None:
    sizes = list(
        rng.choice(
            (((1, 2),), ((1, 2), (1, 3), (1, 2, 3), (2, 3)), ((1, 2, 3), (1, 2, 4), (1, 3, 4), (1, 2), (2, 3), (1, 4)))[
                difficulty - 1
            ]
        )
    )
    total = rng.randint(*((4, 7), (6, 10), (7, 12))[difficulty - 1])
    scene = rng.choice(("stairs", "tiles", "coins", "wall", "beats"))
    colours = [1] * len(sizes)
    if scene in ("tiles", "wall"):
        colours = [rng.choice((1, 1, 2, 3)) for _ in sizes]
    broken = given = 0
    if difficulty == 3:
        twist = rng.choice(("broken", "inverse", "plain"))
        if twist == "broken" and scene == "stairs":
            broken = rng.randint(2, total - 2)
    ways = [1]
    for length in range(1, total + 1):
        ways.append(
            sum(colour * ways[length - size] for size, colour in zip(sizes, colours, strict=True) if size <= length)
        )
        if length == broken:
            ways[-1] = 0
    answer = ways[total]
    if answer < 4 or answer > 30000:
        return None
    inverse = difficulty == 3 and twist == "inverse" and ways.count(ways[total]) == 1 and 1 in sizes
    who = person(rng)
    length_text = "$n$" if inverse else str(total)
    if scene == "stairs":
        steps = listed([str(size) for size in sizes], "or")
        text = f"{who} climbs a staircase of {length_text} steps and takes {steps} steps at a time. "
        if broken:
            text += f"Step number {broken} is broken and must not be stepped on. "
        question = "In how many ways can the staircase be climbed?"
    elif scene in ("tiles", "wall"):
        thing, place = ("tile", "strip") if scene == "tiles" else ("plank", "straight ditch")
        unit = "squares" if scene == "tiles" else "metres"
        kinds = listed([_kind(thing, size, colour, scene) for size, colour in zip(sizes, colours, strict=True)])
        verb = "is paved with" if scene == "tiles" else "is covered lengthwise with"
        text = (
            f"A {place} that is {length_text} {unit} long {verb} {kinds}, without gaps or overlaps. There are enough "
            f"{thing}s of every sort, and those of one sort look alike. "
        )
        question = f"In how many ways can this be done, if the two ends of the {place.split()[-1]} are told apart?"
    elif scene == "coins":
        worth = listed([f"{size} dollar{'s' if size > 1 else ''}" for size in sizes])
        text = f"A machine takes tokens worth {worth}, which are put in one after another. "
        question = f"In how many different orders of tokens can exactly {length_text} dollars be paid?"
    else:
        notes = listed([f"{size} beat{'s' if size > 1 else ''}" for size in sizes], "or")
        text = f"A drummer fills {length_text} beats with strokes one after another, each of which lasts {notes}. "
        question = "How many different rhythms are possible?"
    if inverse:
        given = answer
        answer = total
        told = {
            "stairs": f"This can be done in exactly {given} ways.",
            "tiles": f"With the two ends told apart, this can be done in exactly {given} ways.",
            "wall": f"With the two ends told apart, this can be done in exactly {given} ways.",
            "coins": f"There are exactly {given} different orders of tokens in which $n$ dollars can be paid.",
            "beats": f"There are exactly {given} different rhythms.",
        }[scene]
        question = f"{told} Find $n$."
    values = {
        "total": 0 if inverse else total,
        "sizes": sizes,
        "colours": colours,
        "broken": broken,
        "given": given,
    }
    return Draw(text + question, str(answer), values)


def _kind(thing: str, size: int, colour: int, scene: str) -> str:
    count = {1: "", 2: " in two colours", 3: " in three colours"}[colour]
    unit = ("square" if size == 1 else "squares") if scene == "tiles" else ("metre" if size == 1 else "metres")
    return f"{thing}s of length {size} {unit}{count}"
