"""Problems on lengths and areas of daily life."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import counted, person


def walked_along(kind: str, numbers: list[int]) -> int:
    """Walk along the row step by step, or saw piece by piece, and count."""
    if kind in ("both ends", "two sides", "no ends", "ring"):
        length, gap = numbers
        places = {0}
        while max(places) + gap <= length:
            places.add(max(places) + gap)
        if kind == "no ends":
            places -= {0, length}
        if kind == "ring":
            places = {place % length for place in places}
        return len(places) * (2 if kind == "two sides" else 1)
    if kind == "length":
        count, gap = numbers
        place = 0
        for _ in range(count - 1):
            place += gap
        return place
    if kind == "cuts":
        pieces, minutes, rest = numbers
        beam, spent = 1, 0
        while beam < pieces:
            spent += minutes + (rest if spent else 0)
            beam += 1
        return spent
    known, seconds, wanted = numbers
    ticks = sum(1 for _ in zip(range(known), range(1, known), strict=False))
    return seconds // ticks * sum(1 for _ in zip(range(wanted), range(1, wanted), strict=False))


@generator("Count posts and gaps separately", check=walked_along)
def posts_and_gaps(rng: Random, difficulty: int) -> Draw | None:
    gap = rng.randint(2, (6, 15, 25)[difficulty - 1])
    gaps = rng.randint(4, (12, 40, 80)[difficulty - 1])
    length = gap * gaps
    name = person(rng)
    thing, line = rng.choice(
        (("trees", "a straight avenue"), ("lamps", "a straight road"), ("flagpoles", "a promenade"),
         ("fence posts", "the edge of a field"))
    )  # fmt: skip
    if difficulty == 1:
        kind = rng.choice(("both ends", "length", "ring", "cuts"))
    else:
        kind = rng.choice(("two sides", "no ends", "cuts", "strokes", "length", "ring"))
    if kind == "both ends":
        problem = (
            f"Along {line} that is {length} m long stand {thing}, one every {gap} m, from one end to the other, with "
            f"one at either end. How many {thing} are there?"
        )
        answer, numbers = gaps + 1, [length, gap]
    elif kind == "two sides":
        problem = (
            f"{thing.capitalize()} stand on both sides of {line} that is {length} m long, at distances of {gap} m and "
            f"with one at each end of either side. How many {thing} are there in all?"
        )
        if thing == "fence posts":
            return None
        answer, numbers = 2 * (gaps + 1), [length, gap]
    elif kind == "no ends":
        problem = (
            f"Between two buildings that stand {length} m apart, {thing} are set up in a straight line from house to "
            f"house, with {gap} m between neighbours and also {gap} m from each building to the nearest of them. How "
            f"many {thing} are needed?"
        )
        answer, numbers = gaps - 1, [length, gap]
    elif kind == "ring":
        place = rng.choice(("the village pond", "a circular racetrack", "a closed cycling loop", "a square courtyard"))
        problem = (
            f"The way once round {place} is {length} m long. Along it stand {thing}, {gap} m from each to the next. "
            f"How many {thing} are there?"
        )
        if "square" in place and gaps % 4:
            return None
        answer, numbers = gaps, [length, gap]
    elif kind == "length":
        first, unit, things = rng.choice(
            (
                (f"{name} sets out {gaps + 1} traffic cones in a straight line, {gap} m apart.", "metres", "cone"),
                (f"In a straight row stand {gaps + 1} trees with a distance of {gap} m between neighbours.", "metres",
                 "tree"),
                (f"Buttons are sewn on a coat one below the other, {gaps + 1} of them, their centres {gap} cm apart.",
                 "centimetres", "button"),
            )
        )  # fmt: skip
        if things == "button" and gaps > 12:
            return None
        middle = "the centre of the first button to the centre of the last" if things == "button" else ""
        problem = f"{first} How many {unit} is it from {middle or f'the first {things} to the last'}?"
        answer, numbers = gap * gaps, [gaps + 1, gap]
    elif kind == "cuts":
        minutes = rng.randint(2, 9)
        rest = 0 if difficulty == 1 else rng.randint(1, 4)
        pieces = rng.randint(4, 9) if difficulty == 1 else rng.randint(5, 25)
        thing = rng.choice(("a log", "a beam", "a long pipe", "a plank"))
        pause = f" Between one cut and the next {name} rests for {counted(rest, 'minute')}." if rest else ""
        problem = (
            f"{name} saws {thing} into {pieces} pieces, one cut after the other and never two pieces at once. Each "
            f"cut takes {minutes} minutes.{pause} How many minutes pass from the start of the first cut to the end of "
            "the last?"
        )
        answer = (pieces - 1) * (minutes + rest) - rest
        numbers = [pieces, minutes, rest]
    else:
        known, wanted = rng.sample(range(3, 13), 2)
        each = rng.randint(2, 6)
        seconds = each * (known - 1)
        what, unit = rng.choice(
            (
                ("A tower clock strikes the hour with evenly spaced strokes.", "stroke"),
                ("A ship's horn sounds evenly spaced signals.", "signal"),
                ("A lighthouse sends flashes at equal distances of time.", "flash"),
            )
        )
        plural = {"stroke": "strokes", "signal": "signals", "flash": "flashes"}[unit]
        problem = (
            f"{what} From the first to the last of {known} {plural} {seconds} seconds pass. How many seconds pass "
            f"from the first to the last of {wanted} {plural}?"
        )
        answer, numbers = each * (wanted - 1), [known, seconds, wanted]
    if kind != "strokes" and kind != "cuts" and answer > 400 and kind != "length":
        return None
    return Draw(problem, str(answer), {"kind": kind, "numbers": numbers})


def border_strips(length: int, breadth: int, width: int, inside: bool, ask: str, price: int) -> str:
    """Count the unit squares of the border one by one, in half units."""
    from fractions import Fraction

    far_x, far_y = (length, breadth) if inside else (length + 2 * width, breadth + 2 * width)
    border = 0
    for x in range(far_x):
        for y in range(far_y):
            border += not (width <= x < far_x - width and width <= y < far_y - width)
    area = Fraction(border, 4)
    if ask == "share":
        return str(Fraction(border, far_x * far_y))
    return str(area * price)


@generator("Subtract the inner rectangle to size a border", check=border_strips)
def border(rng: Random, difficulty: int) -> Draw | None:
    """Lengths are drawn in half units so that widths such as 1.5 m occur."""
    step = 2 if difficulty == 1 else 1
    width = step * rng.randint(1, 3 if difficulty == 1 else 6)
    length = 2 * rng.randint(5, (12, 25, 35)[difficulty - 1])
    breadth = 2 * rng.randint(4, (9, 20, 30)[difficulty - 1])
    inside = rng.random() < 0.5
    if breadth >= length or (inside and breadth - 2 * width < 4):
        return None
    ask = ("area", rng.choice(("area", "cost")), rng.choice(("share", "cost", "share")))[difficulty - 1]
    price = rng.randint(2, 30) if ask == "cost" else 1
    outer = (length, breadth) if inside else (length + 2 * width, breadth + 2 * width)
    inner = (length - 2 * width, breadth - 2 * width) if inside else (length, breadth)
    squares = outer[0] * outer[1] - inner[0] * inner[1]

    def size(halves: int) -> str:
        return str(halves // 2) if halves % 2 == 0 else f"{halves // 2}.5"

    name = person(rng)
    unit = "m"
    if inside:
        story, whole, part = rng.choice(
            (
                (f"{name}'s rectangular garden is {size(length)} m long and {size(breadth)} m wide. Just inside its "
                 f"edge "
                 f"runs a gravel path {size(width)} m wide all the way round.", "garden", "path"),
                (f"A rectangular hall measures {size(length)} m by {size(breadth)} m. A carpet lies in it so that "
                 f"on all "
                 f"four sides a strip of floor {size(width)} m wide stays bare.", "floor", "bare strip"),
                (f"On a poster {size(length)} dm high and {size(breadth)} dm wide, the print leaves a margin of "
                 f"{size(width)} dm on every side.", "poster", "margin"),
            )
        )  # fmt: skip
    else:
        story, whole, part = rng.choice(
            (
                (f"A rectangular pool is {size(length)} m long and {size(breadth)} m wide. A paved walk "
                 f"{size(width)} m "
                 "wide, with square corners, surrounds it.", "pool and walk together", "walk"),
                (f"A photograph {size(length)} cm by {size(breadth)} cm hangs in a frame that is {size(width)} cm "
                 f"wide on "
                 "every side.", "framed picture", "frame"),
                (f"Round a rectangular flower bed of {size(length)} m by {size(breadth)} m lies a strip of lawn with "
                 f"square corners that is {size(width)} m wide everywhere.", "bed and lawn together", "strip of lawn"),
            )
        )  # fmt: skip
    unit = {"poster": "decimetres", "framed picture": "centimetres"}.get(whole, "metres")
    if ask == "cost":
        if unit != "metres" or part == "bare strip":
            return None
        what = {"path": "gravel", "walk": "paving", "strip of lawn": "turf"}[part]
        answer = Fraction(squares, 4) * price
        question = f"A square metre of {what} costs {price} dollars. What does the {part} cost, in dollars?"
    elif ask == "share":
        answer = Fraction(squares, outer[0] * outer[1])
        question = f"What fraction of the area of the {whole} does the {part} take up?"
        if answer.denominator > 300:
            return None
    else:
        answer = Fraction(squares, 4)
        question = f"What is the area of the {part} in square {unit}?"
    values = {"length": length, "breadth": breadth, "width": width, "inside": inside, "ask": ask, "price": price}
    return Draw(f"{story} {question}", str(answer), values)
