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


def compared_areas(kind: str, numbers: list[int], wanted: str) -> str:
    """Avoid coordinates: similar triangles give heights over a side, and pieces with a common height give areas."""
    from fractions import Fraction

    if kind == "square":
        # The line from a corner to a point `part` along the far side crosses the diagonal in similar triangles.
        side, part = numbers
        height = Fraction(side * part, side + part)
        if wanted == "height":
            return str(height)
        small = Fraction(part * (side - Fraction(side * side, side + part)), 2)
        return str(
            Fraction(side * side, 2) - small if wanted == "rest" else Fraction(side * side, 2) - height * side / 2
        )
    if kind == "rectangle":
        wide, high, along = numbers
        area = Fraction(along * high, 2)
        diagonal = next(d for d in range(wide + high) if d * d == wide * wide + high * high)
        return str(2 * area / diagonal)
    a, b, d, e = numbers
    # Areas x, y of the two parts of the quadrilateral at the right angle, from the areas of two right triangles.
    first, second = Fraction(a * e, 2), Fraction(b * d, 2)
    one, two = Fraction(a, d), Fraction(b, e)
    x = (first * two - second) / (one * two - 1)
    y = first - one * x
    return str(x + y if wanted == "area" else 2 * x / d)


@generator("Place a plane figure in coordinates", check=compared_areas)
def placed_figure(rng: Random, difficulty: int) -> Draw | None:
    kind, wanted = rng.choice(
        (
            (("square", "height"), ("square", "triangle")),
            (("square", "rest"), ("rectangle", "distance"), ("legs", "height")),
            (("legs", "area"), ("legs", "height"), ("rectangle", "distance"), ("square", "rest")),
        )[difficulty - 1]
    )
    a, b, c, d, e, p = rng.choice(("ABCDEP", "KLMNEX", "PQRSTX", "EFGHMP"))
    who = person(rng)
    if kind == "square":
        side = rng.randint(3, 8 + 6 * difficulty)
        part = rng.randint(1, side - 1)
        x = Fraction(side * side, side + part)
        y = x * part / side
        numbers = [side, part]
        answer = {
            "height": y,
            "triangle": side * x / 2,
            "rest": Fraction(side * side, 2) - Fraction(part) * (side - x) / 2,
        }[wanted]
        asked = {
            "height": f"How far is ${p}$ from the side ${a}{b}$?",
            "triangle": f"What is the area of triangle ${a}{p}{d}$?",
            "rest": f"What is the area of the quadrilateral ${p}{e}{c}{d}$?",
        }[wanted]
        text = rng.choice(
            (
                f"Square ${a}{b}{c}{d}$ has side length ${side}$, and ${e}$ lies on ${b}{c}$ with ${b}{e} = {part}$. "
                f"The "
                f"segments ${a}{e}$ and ${b}{d}$ meet at ${p}$. {asked}",
                f"On the side ${b}{c}$ of a square ${a}{b}{c}{d}$ with sides of ${side}$ cm the point ${e}$ is marked "
                f"${part}$ cm from ${b}$. {who} draws the diagonal ${b}{d}$ and the straight line from ${a}$ to ${e}$; "
                f"they cross at ${p}$. "
                f"{asked.replace('?', ', in centimetres?' if wanted == 'height' else ', in square centimetres?')}",
                f"A square yard ${a}{b}{c}{d}$ measures ${side}$ m on each side. One drain runs along the diagonal "
                f"from "
                f"${b}$ to ${d}$, another one straight from ${a}$ to the point ${e}$ of the wall ${b}{c}$, ${part}$ m "
                f"from ${b}$. They cross at a manhole ${p}$. "
                f"{asked.replace('?', ', in metres?' if wanted == 'height' else ', in square metres?')}",
            )
        )
    elif kind == "rectangle":
        u, v, w = rng.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29)))
        if rng.random() < 0.5:
            u, v = v, u
        k = rng.randint(1, 2 + difficulty)
        wide, high = u * k, v * k
        along = rng.randint(1, wide - 1)
        numbers, answer = [wide, high, along], Fraction(along * v, w)
        text = rng.choice(
            (
                f"In rectangle ${a}{b}{c}{d}$ we have ${a}{b} = {wide}$ and ${b}{c} = {high}$. The point ${e}$ on "
                f"${a}{b}$ "
                f"satisfies ${a}{e} = {along}$. What is the distance from ${e}$ to the diagonal ${a}{c}$?",
                f"A sports ground is a rectangle of ${wide}$ m by ${high}$ m with a straight path along a diagonal. On "
                f"a side of ${wide}$ m, at ${along}$ m from the corner where the path starts, stands a lamp. How many "
                "metres is the lamp from the nearest point of the path?",
                f"The corners of a rectangle are $(0, 0)$, $({wide}, 0)$, $({wide}, {high})$ and $(0, {high})$. How "
                f"far is the point $({along}, 0)$ from the diagonal through the origin?",
            )
        )
    else:
        m, n = rng.randint(3, 6 + 6 * difficulty), rng.randint(3, 6 + 6 * difficulty)
        f, g = rng.randint(1, m - 1), rng.randint(1, n - 1)
        numbers = [m, n, f, g]
        # The lines x/m + y/g = 1 and x/f + y/n = 1.
        x = Fraction(m * f * (n - g), m * n - f * g)
        y = Fraction(n * g * (m - f), m * n - f * g)
        answer = (f * y + g * x) / 2 if wanted == "area" else y
        asked = f"area of the quadrilateral ${c}{d}{p}{e}$" if wanted == "area" else f"distance from ${p}$ to ${c}{a}$"
        text = rng.choice(
            (
                f"Triangle ${a}{b}{c}$ has a right angle at ${c}$, with ${c}{a} = {m}$ and ${c}{b} = {n}$. The point "
                f"${d}$ on ${c}{a}$ and the point ${e}$ on ${c}{b}$ satisfy ${c}{d} = {f}$ and ${c}{e} = {g}$. The "
                f"segments ${a}{e}$ and ${b}{d}$ meet at ${p}$. Find the {asked}.",
                f"Two streets ${c}{a}$ and ${c}{b}$ meet at a right angle at ${c}$. On the first one a shop ${d}$ is "
                f"${f}$ "
                f"hm and a school ${a}$ is ${m}$ hm from ${c}$; on the second one a bank ${e}$ is ${g}$ hm and a hall "
                f"${b}$ is ${n}$ hm from ${c}$. The straight passages from ${a}$ to ${e}$ and from ${b}$ to ${d}$ "
                f"cross "
                f"at ${p}$. "
                + (
                    f"How many square hectometres is the area of the block ${c}{d}{p}{e}$?"
                    if wanted == "area"
                    else f"How many hectometres is ${p}$ from the first street?"
                ),
                f"In the right triangle ${a}{b}{c}$ with legs ${a}{c} = {m}$ and ${b}{c} = {n}$ lines are drawn from "
                f"${a}$ to ${e}$ on ${b}{c}$ with ${e}{c} = {g}$ and from ${b}$ to ${d}$ on ${a}{c}$ with ${d}{c} = "
                f"{f}$. "
                f"Their intersection is ${p}$. What is the {asked}?",
            )
        )
    if answer.denominator > (12, 40, 200)[difficulty - 1]:
        return None
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers, "wanted": wanted})


def by_semiperimeter(kind: str, sides: list[int], wanted: str) -> str:
    """Find the area from the sides of triangles by the semiperimeter, without an altitude, and lengths from it."""
    from fractions import Fraction
    from math import isqrt

    def area(a: int, b: int, c: int) -> Fraction:
        return Fraction(isqrt((a + b + c) * (-a + b + c) * (a - b + c) * (a + b - c)), 4)

    if kind == "trapezoid":
        long, short, leg = sides
        height = 2 * area(leg, leg, long - short) / (long - short)
        whole = height * (long + short) / 2
        return str({"area": whole, "height": height}[wanted])
    if kind == "rhombus":
        side, diagonal = sides
        whole = 2 * area(side, side, diagonal)
        return str(whole if wanted == "area" else 2 * whole / diagonal)
    a, b, c = sides
    return str(area(a, b, c) if wanted == "area" else 2 * area(a, b, c) / c)


@generator("Cut a figure into right triangles", check=by_semiperimeter)
def right_triangles(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("isosceles", "rhombus"), ("isosceles", "trapezoid", "rhombus", "sides"), ("sides", "trapezoid"))[
            difficulty - 1
        ]
    )
    u, v, w = rng.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (9, 40, 41)))
    k = rng.randint(1, 1 + difficulty)
    u, v, w = (x * k for x in ((u, v, w) if rng.random() < 0.5 else (v, u, w)))
    p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN", "EFGH"))
    who = person(rng)
    wanted = rng.choice(("area", "height"))
    if kind == "isosceles":
        sides, base = [w, w, 2 * u], 2 * u
        answer = Fraction(u * v if wanted == "area" else v)
        asked = "What is its area?" if wanted == "area" else f"How long is the altitude to the side of length ${base}$?"
        text = rng.choice(
            (
                f"An isosceles triangle has two sides of length ${w}$ and a base of length ${base}$. "
                + ("What is its area?" if wanted == "area" else "How high is it above its base?"),
                f"In triangle ${p}{q}{r}$, ${p}{q} = {p}{r} = {w}$ and ${q}{r} = {base}$. "
                f"{asked.replace('its area', 'the area of the triangle')}",
                f"The gable of a house is ${base}$ dm wide, and both edges of the roof slope measure ${w}$ dm. How "
                f"many "
                + (
                    "square decimetres is the gable?"
                    if wanted == "area"
                    else "decimetres is the ridge above the eaves?"
                ),
                f"A step ladder with legs of ${w}$ dm on both sides is opened until its feet are ${base}$ dm apart. "
                + (
                    "Seen from the side, how many square decimetres does the triangle between the legs and the floor "
                    "cover?"
                    if wanted == "area"
                    else "How many decimetres high is its top?"
                ),
            )
        )
    elif kind == "rhombus":
        sides = [w, 2 * u]
        answer = Fraction(2 * u * v if wanted == "area" else 2 * v)
        asked = "What is its area?" if wanted == "area" else "How long is its other diagonal?"
        text = rng.choice(
            (
                f"A rhombus has sides of length ${w}$ and one diagonal of length ${2 * u}$. {asked}",
                f"Rhombus ${p}{q}{r}{s}$ satisfies ${p}{q} = {w}$ and ${p}{r} = {2 * u}$. "
                + ("Find its area." if wanted == "area" else f"Find ${q}{s}$."),
                f"A scissor jack is a rhombus of four bars of ${w}$ cm. Its side joints are now ${2 * u}$ cm apart. "
                + (
                    "How many square centimetres do the bars enclose?"
                    if wanted == "area"
                    else "How many centimetres is the top joint above the bottom joint?"
                ),
                f"{who} makes a diamond-shaped tile whose four edges measure ${w}$ mm. From one corner to the opposite "
                f"one it is ${2 * u}$ mm. "
                + (
                    "How many square millimetres does the tile cover?"
                    if wanted == "area"
                    else "How many millimetres is it between the other two corners?"
                ),
            )
        )
    elif kind == "trapezoid":
        short = rng.randint(2, 10 + 10 * difficulty)
        long = short + 2 * u
        sides = [long, short, w]
        answer = Fraction((short + u) * v if wanted == "area" else v)
        text = rng.choice(
            (
                f"An isosceles trapezoid has bases ${long}$ and ${short}$ and legs of length ${w}$. "
                + ("Find its area." if wanted == "area" else "Find its height."),
                f"The cross-section of a dam is a symmetric trapezoid, ${long}$ m wide at the foot and ${short}$ m at "
                f"the top. Each slope measures ${w}$ m. How many "
                + ("square metres is the cross-section?" if wanted == "area" else "metres high is the dam?"),
                f"A lampshade seen from the side is a trapezoid with a lower edge of ${long}$ cm, an upper edge of "
                f"${short}$ cm and two equal slanted edges of ${w}$ cm. How many "
                + ("square centimetres does one see?" if wanted == "area" else "centimetres high is it?"),
                f"In trapezoid ${p}{q}{r}{s}$ the sides ${p}{q} = {long}$ and ${r}{s} = {short}$ are parallel, and "
                f"${q}{r} = {s}{p} = {w}$. "
                + ("What is its area?" if wanted == "area" else f"How far is ${s}$ from the line ${p}{q}$?"),
            )
        )
    else:
        x, y, z = rng.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29)))
        if rng.random() < 0.5:
            x, y = y, x
        common = v * y // gcd(v, y)
        one, two = common // v, common // y
        a, b, c = w * one, z * two, u * one + x * two
        if max(a, b, c) > 110 or a == b:
            return None
        sides = [a, b, c]
        answer = Fraction(common * c, 2) if wanted == "area" else Fraction(common)
        text = rng.choice(
            (
                f"A triangle has sides of lengths ${a}$, ${b}$ and ${c}$. "
                + (
                    "What is its area?"
                    if wanted == "area"
                    else f"How long is the altitude to the side of length ${c}$?"
                ),
                f"Triangle ${p}{q}{r}$ has ${p}{q} = {c}$, ${q}{r} = {a}$ and ${r}{p} = {b}$. "
                + ("Find its area." if wanted == "area" else f"Find the distance from ${r}$ to ${p}{q}$."),
                f"A weight hangs from two ropes of ${a}$ cm and ${b}$ cm that are fastened to a level beam, ${c}$ cm "
                "apart. "
                + (
                    "How many square centimetres does the triangle of ropes and beam cover?"
                    if wanted == "area"
                    else "How many centimetres below the beam does the weight hang?"
                ),
                f"Two roof surfaces of unequal slope are ${a}$ dm and ${b}$ dm long from eaves to ridge. The eaves are "
                f"at the same height and ${c}$ dm apart. How many "
                + ("square decimetres is the gable?" if wanted == "area" else "decimetres is the ridge above them?"),
            )
        )
    return Draw(text, str(answer), {"kind": kind, "sides": sides, "wanted": wanted})


def pieces_placed(kind: str, numbers: list[int]) -> str:
    """Place the regions in such a way that the overlap is known, and subtract it from both; or try lengths."""
    from fractions import Fraction

    if kind == "squares":
        # Whatever the overlap is, here a square of side 1.
        one, two = numbers
        return str(abs((one * one - 1) - (two * two - 1)))
    if kind == "covers":
        # Count every square metre by how often it is covered, with all carpets pushed to one end of the floor.
        floor, first, second, bare = numbers
        covered = [0] * floor
        for place in range(first):
            covered[place] += 1
        for place in range(floor - bare - second, floor - bare):
            covered[place] += 1
        return str(covered.count(2))
    side, high, gap = numbers
    # The line from the corner cuts the opposite side of the rectangle at height `high`.
    for double in range(2 * high + 1, 40 * high + 40 * gap):
        end = Fraction(double, 2)
        across = side * high / end
        beyond = (side - across) * (end - high) / 2
        left = across * high / 2
        if beyond - left == gap:
            return str(end)
    return "none"


@generator("Add the common part to both of two regions", check=pieces_placed)
def common_part(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("squares", "covers"), ("squares", "covers", "line"), ("line", "covers"))[difficulty - 1])
    p, q, r, s, e = rng.choice(("ABCDE", "PQRST", "KLMNO", "EFGHM"))
    who = person(rng)
    if kind == "squares":
        one, two = rng.randint(3, 12 * difficulty), rng.randint(3, 12 * difficulty)
        if one <= two:
            return None
        answer, numbers = Fraction(one * one - two * two), [one, two]
        text = rng.choice(
            (
                f"Two squares with sides ${one}$ and ${two}$ overlap partly. By how much is the area of the larger "
                "square outside the smaller one greater than the area of the smaller square outside the larger one?",
                f"{who} lays a square napkin with edges of ${two}$ cm partly over a square one with edges of ${one}$ "
                "cm. The part of the table that only the large napkin covers is larger than the part that belongs "
                "only to the small one. By how many square centimetres?",
                f"The regions $X$ and $Y$ are what is left of two overlapping squares when the common part is taken "
                f"away from both. The squares have side lengths ${one}$ and ${two}$. Find the difference of the areas "
                "of $X$ and $Y$.",
                f"Two square paving slabs, ${one}$ dm and ${two}$ dm wide, were drawn on one plan so that they "
                f"overlap. "
                "The part inside both is painted grey, the remaining part of the large one red and the remaining "
                "part of the small one blue. How many square decimetres more are red than blue?",
            )
        )
    elif kind == "covers":
        wide, long = rng.randint(4, 6 + 4 * difficulty), rng.randint(4, 8 + 4 * difficulty)
        first, second = rng.randint(6, wide * long - 1), rng.randint(6, wide * long - 1)
        bare = rng.randint(1, 4 * difficulty + 2)
        twice = first + second - wide * long + bare
        if not 1 <= twice < min(first, second) or first + bare >= wide * long or second + bare >= wide * long:
            return None
        answer, numbers = Fraction(twice), [wide * long, first, second, bare]
        text = rng.choice(
            (
                f"Two carpets of ${first}$ and ${second}$ square metres lie on the floor of a room of ${wide}$ m by "
                f"${long}$ m and overlap. Exactly ${bare}$ square {'metre' if bare == 1 else 'metres'} of the floor "
                f"{'remains' if bare == 1 else 'remain'} bare. How many square metres of the floor are covered twice?",
                f"Two regions lie inside a rectangle with sides ${wide}$ and ${long}$. Their areas are ${first}$ and "
                f"${second}$, and the part of the rectangle outside both has area ${bare}$. What is the area of the "
                "common part of the two regions?",
                f"A stage of ${wide}$ m by ${long}$ m is lit by two spotlights. One of them lights ${first}$ square "
                f"metres of the stage and the other one ${second}$; ${bare}$ square "
                f"{'metre is' if bare == 1 else 'metres are'} dark. On how many square metres do both spotlights fall?",
                f"A rectangular district measures ${wide}$ km by ${long}$ km. One transmitter reaches ${first}$ square "
                f"kilometres of it and another one ${second}$; ${bare}$ square "
                f"{'kilometre has' if bare == 1 else 'kilometres have'} no reception at all. How many square "
                "kilometres are reached by both transmitters?",
            )
        )
    else:
        side, high = rng.randint(4, 10 * difficulty), rng.randint(3, 8 * difficulty)
        gap = rng.choice((0, rng.randint(1, 10 * difficulty)))
        end = Fraction(2 * (gap + side * high), side)
        if end.denominator > 2 or gap > side * high:
            return None
        answer, numbers = end, [side, high, gap]
        same = "have equal areas" if gap == 0 else f"differ in area by ${gap}$, with triangle ${r}{e}X$ the larger one"
        text = rng.choice(
            (
                f"Rectangle ${p}{q}{r}{s}$ has sides ${p}{q} = {side}$ and ${q}{r} = {high}$. The point ${e}$ lies on "
                f"the extension of ${q}{r}$ beyond ${r}$, and the segment ${p}{e}$ meets ${r}{s}$ at $X$. The "
                f"triangles "
                f"${p}{s}X$ and ${r}{e}X$ {same}. How long is ${q}{e}$?",
                f"A right triangle ${p}{q}{e}$ with its right angle at ${q}$ and ${p}{q} = {side}$ is laid over a "
                f"rectangle ${p}{q}{r}{s}$ with ${q}{r} = {high}$, so that ${r}$ lies on ${q}{e}$. "
                + (
                    "The part of the triangle outside the rectangle is as large as the part of the rectangle outside "
                    "the triangle. "
                    if gap == 0
                    else f"The part of the triangle outside the rectangle is larger by ${gap}$ than the part of the "
                    "rectangle outside the triangle. "
                )
                + f"Find ${q}{e}$.",
                f"A rectangular plot is ${side}$ m wide and ${high}$ m deep. Its owner swaps land, so that the new "
                "plot is a right triangle with the old front of the plot as one leg and the other leg along a side "
                "fence and its extension. The triangular piece gained at the back is "
                + (
                    "exactly as large as the triangular piece given away. "
                    if gap == 0
                    else f"${gap}$ square {'metre' if gap == 1 else 'metres'} larger than the "
                    "triangular piece given away. "
                )
                + "How many metres long is the other leg?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})
