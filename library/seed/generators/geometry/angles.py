"""Problems on angles of paths, triangles and circles."""

from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def walked_around(kind: str, numbers: list[int]) -> int:
    """Walk the path in coordinates until it closes, or try one number of corners after the other."""
    from itertools import count
    from math import cos, hypot, radians, sin

    if kind == "walk":
        x = y = 0.0
        heading = walked = 0
        for move in count():
            step, turn = numbers[2 * move % len(numbers)], numbers[(2 * move + 1) % len(numbers)]
            x, y = x + step * cos(radians(heading)), y + step * sin(radians(heading))
            heading += turn
            walked += step
            if hypot(x, y) < 1e-6:
                return walked
    for corners in count(3):
        total = 180 * (corners - 2)
        if kind == "regular" and numbers[0] * corners == total:
            return corners
        if kind == "two kinds":
            some, first, second = numbers
            if corners > some and some * first + (corners - some) * second == total:
                return corners
        if kind == "all but one" and 0 < total - numbers[0] < 180:
            return total - numbers[0]
        if kind == "progression":
            angles = [numbers[0] + numbers[1] * place for place in range(corners)]
            if sum(angles) == total and angles[-1] < 180:
                return corners
    raise AssertionError


def _walk(rng: Random, difficulty: int) -> Draw | None:
    who = person(rng)
    step = rng.randint(2, 12)
    if difficulty == 1:
        turn = rng.choice((20, 24, 30, 36, 40, 45, 60, 72, 90, 120))
    else:
        turn = rng.choice([angle for angle in range(50, 176, 2) if 360 % angle and gcd(angle, 360) > 4])
    numbers = [step, turn]
    side = rng.choice(("left", "right"))
    text = rng.choice(
        (
            f"A toy robot repeats one move: it rolls ${step}$ metres straight ahead and then turns ${turn}^\\circ$ to "
            f"the {side}. How many metres has it rolled when it is back at its starting point for the first time?",
            f"{who} walks ${step}$ metres across a wide field, turns ${turn}^\\circ$ to the {side}, walks ${step}$ "
            f"metres again, turns ${turn}^\\circ$ to the {side} again, and goes on like this. How many metres has "
            f"{who} walked at the first return to the starting point?",
            f"The pen of a plotter draws a line of ${step}$ cm, changes its direction by ${turn}^\\circ$ to the "
            f"{side}, and repeats this until the line closes. How many centimetres long is the whole closed line?",
        )
    )
    if difficulty == 3:
        other, bend = rng.randint(2, 12), rng.randrange(20, 170, 5)
        if bend == turn or other == step or (turn + bend) % 360 == 0 or 360 // gcd(turn + bend, 360) > 36:
            return None
        numbers += [other, bend]
        text = (
            f"{who} programs a drawing robot with four commands that it repeats over and over: go ${step}$ units "
            f"ahead, turn ${turn}^\\circ$ to the {side}, go ${other}$ units ahead, turn ${bend}^\\circ$ to the {side}. "
            "How many units has the robot gone when it comes back to its starting point for the first time?"
        )
    rounds = 360 // gcd(sum(numbers[1::2]), 360)
    return Draw(text, str(rounds * sum(numbers[::2])), {"kind": "walk", "numbers": numbers})


@generator("Add the turns of a closed path to whole circles", check=walked_around)
def closed_path(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("walk", "walk", "regular"), ("walk", "two kinds", "all but one"), ("walk", "two kinds", "progression"))[
            difficulty - 1
        ]
    )
    if kind == "walk":
        return _walk(rng, difficulty)
    if kind == "regular":
        sides = rng.choice([n for n in range(5, 41) if 360 % n == 0])
        numbers = [180 - 360 // sides]
        answer = sides
        text = rng.choice(
            (
                f"Every interior angle of a regular polygon measures ${numbers[0]}^\\circ$. How many sides does the "
                "polygon have?",
                f"The wall around a tower has equally long straight parts, and any two neighbours meet at an inner "
                f"angle of ${numbers[0]}^\\circ$. How many straight parts does the wall have?",
            )
        )
    elif kind == "two kinds":
        sides = rng.randint(5, (9, 15, 30)[difficulty - 1])
        some = rng.randint(2, sides - 2)
        second = rng.randint(100, 176)
        first, rest = divmod(180 * (sides - 2) - (sides - some) * second, some)
        if rest or not 60 < first < 180 or first == second:
            return None
        numbers, answer = [some, first, second], sides
        thing = rng.choice(("garden bed", "pond", "stage", "patio", "field", "lawn"))
        text = rng.choice(
            (
                f"In a convex polygon ${some}$ of the interior angles measure ${first}^\\circ$ each, and all the "
                f"others measure ${second}^\\circ$ each. How many sides does the polygon have?",
                f"A {thing} is a convex polygon. At ${some}$ of its corners the inner angle is ${first}^\\circ$, and "
                f"at every other corner it is ${second}^\\circ$. How many corners does the {thing} have?",
            )
        )
    elif kind == "all but one":
        sides, answer = rng.randint(5, 20), rng.randint(31, 172)
        numbers = [180 * (sides - 2) - answer]
        who = person(rng)
        text = rng.choice(
            (
                f"{who} adds the interior angles of a convex polygon but forgets one of them and gets "
                f"${numbers[0]}^\\circ$. How many degrees is the forgotten angle?",
                f"All interior angles of a convex polygon except one add up to ${numbers[0]}^\\circ$. How many degrees "
                "does the remaining angle measure?",
                f"The plan of a plot shows a convex polygon. Its corners have been measured, all but one, and the "
                f"measured inner angles add up to ${numbers[0]}^\\circ$. How many degrees is the inner angle at the "
                "last corner?",
            )
        )
    else:
        sides, step = rng.randint(4, 14), rng.randint(1, 24)
        smallest, rest = divmod(360 * (sides - 2) - step * sides * (sides - 1), 2 * sides)
        if rest or smallest < 20 or smallest + step * (sides - 1) >= 180:
            return None
        numbers, answer = [smallest, step], sides
        text = rng.choice(
            (
                f"The interior angles of a convex polygon, listed by size, begin with ${smallest}^\\circ$ and grow by "
                f"${step}^\\circ$ from each angle to the next. How many sides does the polygon have?",
                f"Going once around a convex pond with straight edges, {person(rng)} finds that the inner angle at "
                f"the first corner is ${smallest}^\\circ$ and that the one at each further corner is ${step}^\\circ$ "
                "larger than at the corner before. How many corners does the pond have?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})


def measured_in_coordinates(kind: str, numbers: list[int], wanted: str) -> int:
    """Build the triangle in coordinates for every whole angle at B and measure until the given angle appears."""
    from math import atan2, degrees, pi, sin

    def angle(one: complex, tip: complex, other: complex) -> float:
        turn = abs(atan2((one - tip).imag, (one - tip).real) - atan2((other - tip).imag, (other - tip).real))
        return degrees(min(turn, 2 * pi - turn))

    for at_b in range(1, 180):
        at_c = 180 - numbers[0] - at_b if kind == "altitude" else numbers[0] * at_b
        at_a = 180 - at_b - at_c
        if min(at_a, at_c) <= 0:
            continue
        side_a, side_b, side_c = (sin(pi * size / 180) for size in (at_a, at_b, at_c))
        rise = side_c * sin(pi * at_b / 180)
        corner_a = complex(side_c * sin(pi * (90 - at_b) / 180), rise)
        corner_b, corner_c = 0j, complex(side_a, 0)
        foot = complex(side_a * side_c / (side_b + side_c), 0)
        if kind == "bisector":
            seen = angle(corner_a, foot, corner_b)
        elif kind == "centre":
            centre = (side_a * corner_a + side_b * corner_b + side_c * corner_c) / (side_a + side_b + side_c)
            seen = angle(corner_b, centre, corner_c)
        else:
            seen = angle(complex(corner_a.real, 0), corner_a, foot)
            if at_b < at_c:
                continue
        if abs(seen - numbers[1]) < 1e-7:
            return {"A": at_a, "B": at_b, "C": at_c}[wanted]
    raise AssertionError


@generator("Write every angle in terms of one unknown and close with a sum", check=measured_in_coordinates)
def one_unknown(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("bisector", "centre"), ("bisector", "centre"), ("altitude",) * 4 + ("bisector",))[difficulty - 1]
    )
    times = rng.randint(2, (3, 5, 8)[difficulty - 1])
    word = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}.get(times, f"${times}$ times")
    a, b, c = rng.choice(("ABC", "PQR", "KLM", "XYZ", "EFG"))
    at_b = rng.randint(8, 80)
    at_c = times * at_b
    wanted = rng.choice("ABC")
    if kind == "altitude":
        at_c = rng.randint(8, at_b)
        gap = at_b - at_c
        at_a = 180 - at_b - at_c
        if gap % 2 or gap < 6 or at_b >= 85 or at_a < 20 or wanted == "A":
            return None
        numbers = [at_a, gap // 2]
        text = rng.choice(
            (
                f"In triangle ${a}{b}{c}$ the angle at ${a}$ is ${at_a}^\\circ$, and ${a}{b} < {a}{c}$. The altitude "
                f"and the angle bisector from ${a}$ enclose an angle of ${gap // 2}^\\circ$. How many degrees is the "
                f"angle at ${b if wanted == 'B' else c}$?",
                f"A triangular sail ${a}{b}{c}$ has its edge ${b}{c}$ level and its top at ${a}$, where the angle is "
                f"${at_a}^\\circ$. The corner ${b}$ is nearer to ${a}$ than the corner ${c}$. A plumb line from ${a}$ "
                f"makes an angle of ${gap // 2}^\\circ$ with the seam that halves the angle at ${a}$. How many "
                f"degrees is the angle of the sail at ${b if wanted == 'B' else c}$?",
            )
        )
        return Draw(text, str({"B": at_b, "C": at_c}[wanted]), {"kind": kind, "numbers": numbers, "wanted": wanted})
    at_a = 180 - at_b - at_c
    if at_a < 10 or (difficulty == 1 and at_b % 5):
        return None
    asked = {"A": a, "B": b, "C": c}[wanted]
    answer = {"A": at_a, "B": at_b, "C": at_c}[wanted]
    if kind == "bisector":
        twice = 180 + (times - 1) * at_b
        if twice % 2:
            return None
        given = twice // 2
        foot = rng.choice("DST")
        text = rng.choice(
            (
                f"In triangle ${a}{b}{c}$ the angle at ${c}$ is {word} the angle at ${b}$. The bisector of the angle "
                f"at ${a}$ meets ${b}{c}$ at ${foot}$, and $\\angle {a}{foot}{b} = {given}^\\circ$. How many degrees "
                f"is the angle of the triangle at ${asked}$?",
                f"A triangular park has corners ${a}$, ${b}$ and ${c}$, and its angle at ${c}$ is {word} its angle at "
                f"${b}$. A straight path from ${a}$ halves the angle there and ends at a gate ${foot}$ on the side "
                f"${b}{c}$, where it makes an angle of ${given}^\\circ$ with the fence from the gate to ${b}$. How "
                f"many degrees is the park's angle at ${asked}$?",
            )
        )
    else:
        twice = 360 - at_b - at_c
        if twice % 2:
            return None
        given = twice // 2
        text = rng.choice(
            (
                f"In triangle ${a}{b}{c}$ the angle at ${c}$ is {word} the angle at ${b}$. The bisectors of these two "
                f"angles meet at a point $I$ with $\\angle {b}I{c} = {given}^\\circ$. How many degrees is the angle of "
                f"the triangle at ${asked}$?",
                f"{person(rng)} folds a paper triangle ${a}{b}{c}$, in which the angle at ${c}$ is {word} the angle at "
                f"${b}$, so that one crease halves the angle at ${b}$ and another one the angle at ${c}$. The creases "
                f"cross at a point $I$, and the angle ${b}I{c}$ measures ${given}^\\circ$. How many degrees is the "
                f"angle of the triangle at ${asked}$?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": [times, given], "wanted": wanted})


def measured_on_the_circle(kind: str, numbers: list[int]) -> int:
    """Put the points on a circle in coordinates and measure the angle between the two lines."""
    from math import cos, pi, sin

    def point(turn: float) -> complex:
        return complex(cos(pi * turn / 180), sin(pi * turn / 180))

    def between(first: complex, second: complex) -> float:
        from cmath import phase

        return abs(phase(second / first)) * 180 / pi

    if kind == "pegs":
        number, *ends = numbers
        a, b, c, d = (point(360 * end / number) for end in ends)
        seen = between(b - a, d - c)
        seen = min(seen, 180 - seen)
    elif kind == "inscribed":
        a, b, c = point(0), point(numbers[0]), point(numbers[0] + numbers[1])
        seen = between(a - b, c - b)
    elif kind == "ratio":
        unit = 360 / sum(numbers)
        a, b, c, d = (point(unit * sum(numbers[:place])) for place in range(4))
        seen = between(a - c, b - d)
    elif kind == "tangents":
        spread = next(half for half in range(1, 90) if abs(2 * (90 - half) - numbers[0]) < 1)
        seen = between(point(spread) - point(180), point(-spread) - point(180))
    else:
        for x in range(1, 180):
            y = x + numbers[1]
            rest = 180 - x - y
            if rest <= 0:
                break
            a, b, c, d = point(0), point(rest), point(rest + 2 * x), point(2 * rest + 2 * x)
            if abs(between(a - c, d - b) - numbers[0]) < 1e-7 and abs(between(a - b, d - c) - numbers[1]) < 1e-7:
                seen = between(b - a, c - a) if kind == "small" else between(a - c, d - c)
                break
    assert abs(seen - round(seen)) < 1e-7
    return round(seen)


@generator("Turn angles on a circle into arcs", check=measured_on_the_circle)
def circle_angles(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("inscribed", "tangents", "pegs"), ("pegs", "ratio", "tangents"), ("small", "large", "pegs"))[difficulty - 1]
    )
    if kind == "pegs":
        number = rng.choice(((9, 10, 12), (15, 18, 20, 36), (20, 30, 36, 45, 60))[difficulty - 1])
        one, two, three, four = sorted(rng.sample(range(1, number + 1), 4))
        ends = [one, three, two, four] if difficulty < 3 else [one, two, three, four]
        places = (ends[0] + ends[1] - ends[2] - ends[3]) % number
        answer = min(places, number - places) * 180 // number
        answer = min(answer, 180 - answer)
        if answer < 3 or answer == 90:
            return None
        p, q, r, s = ends
        if difficulty < 3:
            text = rng.choice(
                (
                    f"On a round board ${number}$ pegs stand at equal distances along the rim and are numbered $1$ to "
                    f"${number}$ in order. One thread is stretched from peg ${p}$ to peg ${q}$, another from peg ${r}$ "
                    f"to peg ${s}$. How many degrees is the acute angle at which they cross?",
                    f"The points $P_1, P_2, \\ldots, P_{{{number}}}$ divide a circle into ${number}$ equal arcs, in "
                    f"this order. What is the acute angle, in degrees, between the chords $P_{{{p}}}P_{{{q}}}$ and "
                    f"$P_{{{r}}}P_{{{s}}}$?",
                    f"A round tent has ${number}$ posts, evenly spaced along its wall and numbered in order from $1$. "
                    f"Straight ropes run from post ${p}$ to post ${q}$ and from post ${r}$ to post ${s}$. At which "
                    "acute angle, in degrees, do the ropes cross?",
                )
            )
        else:
            text = rng.choice(
                (
                    f"The corners of a regular polygon with ${number}$ sides are $P_1, P_2, \\ldots, P_{{{number}}}$ "
                    f"in order. The lines $P_{{{p}}}P_{{{q}}}$ and $P_{{{r}}}P_{{{s}}}$ are extended until they meet. "
                    "How many degrees is the acute angle between these lines?",
                    f"Around a circular square ${number}$ lamps stand at equal distances, numbered $1$ to ${number}$ "
                    f"in order. One straight street passes the lamps ${p}$ and ${q}$, another the lamps ${r}$ and "
                    f"${s}$. The streets cross outside the square. How many degrees is the acute angle at which they "
                    "cross?",
                )
            )
        return Draw(text, str(answer), {"kind": kind, "numbers": [number, *ends]})
    a, b, c, d = rng.choice(("ABCD", "KLMN", "PQRS", "EFGH"))
    if kind == "inscribed":
        first, second = rng.randrange(30, 170, 10), rng.randrange(30, 170, 10)
        if first + second > 330:
            return None
        numbers, answer = [first, second], (360 - first - second) // 2
        text = rng.choice(
            (
                f"Points ${a}$, ${b}$ and ${c}$ divide a circle into three arcs. The arc ${a}{b}$ that avoids ${c}$ "
                f"measures ${first}^\\circ$, and the arc ${b}{c}$ that avoids ${a}$ measures ${second}^\\circ$. How "
                f"many degrees is $\\angle {a}{b}{c}$?",
                f"Triangle ${a}{b}{c}$ is inscribed in a circle. Seen from the centre, the side ${a}{b}$ stands on an "
                f"arc of ${first}^\\circ$ and the side ${b}{c}$ on an arc of ${second}^\\circ$, and the two arcs do "
                f"not overlap. How many degrees is the angle of the triangle at ${b}$?",
            )
        )
    elif kind == "tangents":
        numbers = [rng.randrange(10, 175, 10 if difficulty == 1 else 2)]
        answer = 90 - numbers[0] // 2
        text = rng.choice(
            (
                f"From a point ${d}$ the two tangents to a circle are drawn. They touch it at ${a}$ and ${b}$, and "
                f"$\\angle {a}{d}{b} = {numbers[0]}^\\circ$. Point ${c}$ lies on the longer arc ${a}{b}$. How many "
                f"degrees is $\\angle {a}{c}{b}$?",
                f"Two straight roads meet at an angle of ${numbers[0]}^\\circ$ and both touch the shore of a round "
                f"lake, one at ${a}$ and the other at ${b}$. A boat is anchored at a point ${c}$ of the shore on the "
                f"side of the lake that faces away from the crossing. Under which angle ${a}{c}{b}$, in degrees, are "
                f"${a}$ and ${b}$ seen from the boat?",
            )
        )
    elif kind == "ratio":
        numbers = [rng.randint(1, 9) for _ in range(4)]
        answer, rest = divmod(180 * (numbers[0] + numbers[2]), sum(numbers))
        if rest or answer == 90:
            return None
        shown = " : ".join(map(str, numbers))
        text = rng.choice(
            (
                f"The points ${a}$, ${b}$, ${c}$, ${d}$ divide a circle into four arcs ${a}{b}$, ${b}{c}$, ${c}{d}$ "
                f"and ${d}{a}$ whose lengths are in the ratio ${shown}$. The chords ${a}{c}$ and ${b}{d}$ cross at "
                f"$T$. How many degrees is $\\angle {a}T{b}$?",
                f"Four stations ${a}$, ${b}$, ${c}$, ${d}$ lie in this order on a circular railway. The lengths of "
                f"track from ${a}$ to ${b}$, from ${b}$ to ${c}$, from ${c}$ to ${d}$ and from ${d}$ back to ${a}$ "
                f"are in the ratio ${shown}$. Straight footpaths ${a}{c}$ and ${b}{d}$ cross at a kiosk $T$. How many "
                f"degrees is the angle ${a}T{b}$?",
            )
        )
    else:
        x, outer = rng.randint(5, 60), rng.randint(8, 60)
        y = x + outer
        if x + y > 165:
            return None
        numbers, answer = [x + y, outer], x if kind == "small" else y
        asked = f"{b}{a}{c}" if kind == "small" else f"{a}{c}{d}"
        text = rng.choice(
            (
                f"Points ${a}$, ${b}$, ${c}$, ${d}$ lie on a circle in this order. The chords ${a}{c}$ and ${b}{d}$ "
                f"cross at $T$ with $\\angle {a}T{d} = {x + y}^\\circ$. The lines ${a}{b}$ and ${d}{c}$ meet at a "
                f"point $U$ beyond ${b}$ and ${c}$, with $\\angle {a}U{d} = {outer}^\\circ$. How many degrees is "
                f"$\\angle {asked}$?",
                f"The quadrilateral ${a}{b}{c}{d}$ is inscribed in a circle. Its diagonals cross at $T$, and the rays "
                f"${a}{b}$ and ${d}{c}$ cross at $U$ outside the circle. Given $\\angle {a}T{d} = {x + y}^\\circ$ and "
                f"$\\angle {a}U{d} = {outer}^\\circ$, find $\\angle {asked}$ in degrees.",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})
