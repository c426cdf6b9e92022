"""Problems on sectors, their arcs, and ropes that sweep sectors."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def thin_sectors(kind: str, numbers: list[int], wanted: str) -> str:
    """Put the sector together from thin ones of one degree, trying radii and angles until the data fit."""
    from itertools import count

    def arc(radius: int, angle: int) -> float:
        return sum(2 * radius for _ in range(angle)) / 360

    def area(radius: int, angle: int) -> float:
        return sum(radius * radius for _ in range(angle)) / 360

    def fitting(radius: int, length: int) -> int:
        return next(angle for angle in count(1) if arc(radius, angle) >= length)

    first, second = numbers[:2]
    if kind == "radius and angle":
        return f"{arc(first, second) if wanted == 'arc' else area(first, second):g}\\pi"
    if kind == "radius and arc":
        return str(fitting(first, second))
    if kind == "angle and arc":
        radius = next(size for size in count(1) if arc(size, first) == second)
        return str(radius) if wanted == "radius" else f"{area(radius, first):g}\\pi"
    if kind == "blade":
        return f"{area(first, numbers[2]) - area(first - second, numbers[2]):g}\\pi"
    if kind == "arc and area":
        angle = next(
            size for size in range(1, 361) if 180 * first % size == 0 and area(180 * first // size, size) == second
        )
        return str(180 * first // angle if wanted == "radius" else angle)
    angle = fitting(numbers[2], first - second)
    inner = next(size for size in count(1) if arc(size, angle) == second)
    return str(angle) if wanted == "angle" else f"{area(inner + numbers[2], angle) - area(inner, angle):g}\\pi"


@generator("Take the angle's share of a circle for arcs and sectors", check=thin_sectors)
def sector_share(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("radius and angle", "radius and arc"), ("angle and arc", "blade"), ("arc and area", "ring", "ring"))[
            difficulty - 1
        ]
    )
    angle = rng.choice((30, 36, 40, 45, 60, 72, 80, 90, 100, 108, 120, 135, 144, 150, 160, 200, 216, 225, 240, 270))
    radius = rng.randint(3, (12, 30, 40)[difficulty - 1])
    unit = {"radius and arc": "dm", "angle and arc": "m", "ring": "m"}.get(kind, "cm")
    full = {"cm": "centimetres", "dm": "decimetres", "m": "metres"}[unit]
    arc, loose = divmod(radius * angle, 180)
    area, rest = divmod(radius * radius * angle, 360)
    who = person(rng)
    if kind == "radius and angle":
        wanted = rng.choice(("arc", "area"))
        if (loose if wanted == "arc" else rest) or min(arc, area) < 2:
            return None
        size = "long is its curved edge" if wanted == "arc" else "large is its area"
        asked = f"How many {full} {size}?" if wanted == "arc" else f"How large is its area, in square {full}?"
        text = rng.choice(
            (
                f"A sector of a circle with radius ${radius}$ {unit} has a central angle of ${angle}^\\circ$. {asked}",
                f"{who} cuts a piece with an angle of ${angle}^\\circ$ at its tip from a round sheet of radius "
                f"${radius}$ {unit}, along two radii. {asked}",
                f"A fan opens to an angle of ${angle}^\\circ$. Open, it is a sector of radius ${radius}$ {unit}. "
                f"{asked}",
            )
        )
        answer = f"{arc if wanted == 'arc' else area}\\pi"
        return Draw(text, answer, {"kind": kind, "numbers": [radius, angle], "wanted": wanted})
    if kind == "radius and arc":
        if loose or arc < 2:
            return None
        text = rng.choice(
            (
                f"On a circle with radius ${radius}$ {unit} an arc is ${arc}\\pi$ {unit} long. How many degrees is the "
                "central angle of this arc?",
                f"The tip of a pointer that is ${radius}$ {unit} long has moved along an arc of ${arc}\\pi$ {unit}. "
                "Through how many degrees has the pointer turned?",
                f"A curved rail of length ${arc}\\pi$ {unit} is part of a circle with radius ${radius}$ {unit}. To how "
                "many degrees of the circle does it correspond?",
            )
        )
        return Draw(text, str(angle), {"kind": kind, "numbers": [radius, arc], "wanted": "angle"})
    if kind == "angle and arc":
        wanted = rng.choice(("radius", "area"))
        if loose or rest or arc < 2:
            return None
        asked = f"the radius, in {full}" if wanted == "radius" else f"the area of the sector, in square {full}"
        text = rng.choice(
            (
                f"A sector has a central angle of ${angle}^\\circ$, and its arc is ${arc}\\pi$ {unit} long. Find "
                f"{asked}.",
                f"A lawn is watered by a sprinkler that turns back and forth through ${angle}^\\circ$. The curved "
                f"border of the wet sector is ${arc}\\pi$ {unit} long. Find {asked}.",
            )
        )
        answer = str(radius) if wanted == "radius" else f"{area}\\pi"
        return Draw(text, answer, {"kind": kind, "numbers": [angle, arc], "wanted": wanted})
    if kind == "blade":
        width = rng.randint(2, radius - 1)
        strip, rest = divmod((radius**2 - (radius - width) ** 2) * angle, 360)
        if rest or strip < 2:
            return None
        text = rng.choice(
            (
                f"The arm of a wiper is ${radius}$ {unit} long and turns through ${angle}^\\circ$. Only the outer "
                f"${width}$ {unit} of the arm carry the blade. How many square {full} does the blade wipe?",
                f"The cloth of a folding fan is glued to the outer ${width}$ {unit} of its sticks, which are "
                f"${radius}$ {unit} long and meet at one point. The fan opens to ${angle}^\\circ$. How many square "
                f"{full} of cloth does one side of the open fan show?",
                "A curved footpath is bounded by two arcs around the same centre, the outer one with radius "
                f"${radius}$ m. The path is ${width}$ m wide and turns through ${angle}^\\circ$. How many "
                f"square metres does it cover?",
            )
        )
        return Draw(text, f"{strip}\\pi", {"kind": kind, "numbers": [radius, width, angle], "wanted": "area"})
    if kind == "arc and area":
        wanted = rng.choice(("radius", "angle"))
        if loose or rest or arc < 2:
            return None
        asked = f"the radius, in {full}" if wanted == "radius" else "the central angle, in degrees"
        text = rng.choice(
            (
                f"A sector of a circle has an arc of length ${arc}\\pi$ {unit} and an area of ${area}\\pi$ square "
                f"{full}. Find {asked}.",
                f"{who} has a piece of cardboard in the shape of a sector. Its curved edge measures ${arc}\\pi$ {unit} "
                f"and its area is ${area}\\pi$ square {full}. Find {asked}.",
            )
        )
        answer = str(radius if wanted == "radius" else angle)
        return Draw(text, answer, {"kind": kind, "numbers": [arc, area], "wanted": wanted})
    wanted = rng.choice(("angle", "area"))
    width = rng.randint(2, radius - 1)
    inner, rest = divmod((radius - width) * angle, 180)
    twice = (arc + inner) * width
    if loose or rest or inner < 2 or (wanted == "area" and twice % 2):
        return None
    asked = (
        "Through how many degrees does the curve turn?"
        if wanted == "angle"
        else f"How large is the area between the two arcs, in square {full}?"
    )
    text = rng.choice(
        (
            f"Two arcs around the same centre bound a curved strip that is ${width}$ {unit} wide, and they end on the "
            f"same two radii. The outer arc is ${arc}\\pi$ {unit} long, the inner one ${inner}\\pi$ {unit}. {asked}",
            f"In the bend of a running track the outer edge is ${arc}\\pi$ {unit} long and the inner edge "
            f"${inner}\\pi$ {unit}. Both edges are arcs with the same centre that begin and end on the same radii, "
            f"and the track is ${width}$ {unit} wide. {asked}",
        )
    )
    answer = str(angle) if wanted == "angle" else f"{twice // 2}\\pi"
    return Draw(text, answer, {"kind": "ring", "numbers": [arc, inner, width], "wanted": wanted})


def swept(rope: int, free: int, ways: list[list[int]], corner: int) -> str:
    """Let the tight rope sweep from one wall to the other in steps of a degree, shortened at each corner."""
    total = 0
    for walls in ways:
        length, until = rope, free // 2
        for wall in [*walls, rope]:
            for _ in range(until):
                total += length * length
            length, until = max(length - wall, 0), 180 - corner
    return f"{total // 360}\\pi" if total % 360 == 0 else f"{total}/360\\pi"


@generator("Sweep a sector at each corner the rope bends around", check=swept)
def grazing(rng: Random, difficulty: int) -> Draw | None:
    animal = rng.choice(("goat", "donkey", "sheep", "pony", "calf", "llama"))
    place = rng.choice(("barn", "shed", "stable", "hut"))
    kind = rng.choice(
        (("rectangle",), ("rectangle", "wall", "triangle"), ("rectangle", "wall", "hexagon"))[difficulty - 1]
    )
    long = rng.randint(4, (12, 14, 20)[difficulty - 1])
    wide = rng.randint(3, long)
    start = "at one of the corners"
    shape = f"a rectangular {place} of ${long}$ m by ${wide}$ m"
    corner, free = 90, 270
    if wide == long:
        shape = f"a square {place} with sides of ${long}$ m"
    if kind == "rectangle":
        rope = rng.randint(2, long) if difficulty == 1 else rng.randint(wide + 1, long + wide - 1)
        if difficulty == 1 and rope == wide:
            return None
        if difficulty == 3 and rope <= long:
            return None
        ways = [[long], [wide]]
    elif kind == "wall":
        near = rng.randint(1, long // 2)
        rope = rng.randint(near + 1, long + wide)
        if difficulty == 3 and rope <= max(near + wide, long - near):
            return None
        start = f"at a hook in one of the ${long}$ m long walls, ${near}$ m from an end of this wall"
        if near * 2 == long:
            start = f"at a hook in the middle of one of the ${long}$ m long walls"
        ways, free = [[near, wide], [long - near, wide]], 180
        if wide == long:
            return None
    elif kind == "triangle":
        shape = f"a {place} whose floor is an equilateral triangle with sides of ${long}$ m"
        corner, free = 60, 300
        rope = rng.randint(long + 1, 3 * long // 2)
        ways = [[long], [long]]
    else:
        shape = f"a pavilion whose floor is a regular hexagon with sides of ${wide}$ m"
        corner, free = 120, 240
        rope = rng.randint(wide + 1, 3 * wide)
        ways = [[wide, wide], [wide, wide]]
    parts = free * rope**2
    for walls in ways:
        left = rope
        for wall in walls:
            left -= wall
            parts += (180 - corner) * max(left, 0) ** 2
    area, rest = divmod(parts, 360)
    if rest or area < 2:
        return None

    text = rng.choice(
        (
            f"{shape[0].upper()}{shape[1:]} stands in an open meadow. A {animal} is tied to the outside of it, "
            f"{start}, with a rope that is ${rope}$ m long. On how many square metres can the {animal} graze?",
            f"{person(rng)} owns {shape}, with open grass all around. A {animal} on a rope of ${rope}$ m is tied to "
            f"its outside, {start}. What is the area, in square metres, that the {animal} can reach?",
            f"On a wide lawn stands {shape}. The cable of a robot mower is ${rope}$ m long and fixed to its outside, "
            f"{start}. How many square metres of lawn can the mower reach?",
        )
    )
    return Draw(text, f"{area}\\pi", {"rope": rope, "free": free, "ways": ways, "corner": corner})
