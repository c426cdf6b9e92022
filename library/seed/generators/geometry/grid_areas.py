"""Problems on areas of polygons with whole coordinates."""

from fractions import Fraction
from math import atan2, gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def _outline(rng: Random, number: int, low: int, high: int) -> list[tuple[int, int]] | None:
    """Draw the corners of a simple polygon in order around an inner point, without three on a line."""
    points = [(rng.randint(low, high), rng.randint(low, high)) for _ in range(number)]
    across, up = (sum(point[axis] for point in points) / number for axis in (0, 1))
    points.sort(key=lambda point: atan2(point[1] - up, point[0] - across))
    for place in range(number):
        (a, b), (c, d), (e, f) = (points[(place + step) % number] for step in range(3))
        turn = (c - a) * (f - b) - (d - b) * (e - a)
        inner = (a - across) * (d - up) - (b - up) * (c - across)
        if turn == 0 or inner < 0.8 or (c - a) ** 2 + (d - b) ** 2 < 3:
            return None
    return points


def _twice(points: list[tuple[int, int]]) -> int:
    return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(points, points[1:] + points[:1], strict=True)))


def in_strips(points: list[list[int]], factor: list[int], twice: int, beyond: int) -> str:
    """Add the trapezoids between the sides and the lowest level, or try coordinates until the area fits."""
    from fractions import Fraction

    def area(corners: list[list[int]]) -> Fraction:
        lowest = min(corner[1] for corner in corners)
        strips = Fraction(0)
        for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1], strict=True):
            strips += Fraction((u - x) * (y + v - 2 * lowest), 2)
        return abs(strips)

    if not twice:
        return str(area(points) * Fraction(factor[0], factor[1]))
    (x, y), (u, v) = points
    return str(next(k for k in range(beyond, 2000) if area([[x, y], [u, v], [k, factor[0]]]) * 2 == twice))


@generator("Run the cross products around the corners", check=in_strips)
def cross_products(rng: Random, difficulty: int) -> Draw | None:
    number = (3, rng.choice((4, 5)), rng.choice((5, 6)))[difficulty - 1]
    who = person(rng)
    if difficulty == 3 and rng.random() < 0.4:
        x, y, u, v, height = (rng.randint(-6, 9) for _ in range(5))
        unknown, beyond = rng.randint(5, 30), max(x, u) + 1
        twice = _twice([(x, y), (u, v), (unknown, height)])
        if y == v or (x, y) == (u, v) or twice < 10 or unknown < beyond:
            return None
        others = [k for k in range(beyond, 100) if _twice([(x, y), (u, v), (k, height)]) == twice]
        if len(others) > 1:
            return None
        size = str(Fraction(twice, 2)) if twice % 2 == 0 else f"\\frac{{{twice}}}{{2}}"
        text = rng.choice(
            (
                f"The triangle with the vertices $({x}, {y})$, $({u}, {v})$ and $(k, {height})$ has area ${size}$. "
                f"Given that $k > {beyond - 1}$, find $k$.",
                f"On a map with a square grid, three trees stand at $({x}, {y})$, $({u}, {v})$ and $(k, {height})$, "
                f"where $k$ is greater than ${beyond - 1}$. The triangle between them has an area of ${size}$ grid "
                "squares. What is $k$?",
            )
        )
        values = {"points": [[x, y], [u, v]], "factor": [height, 1], "twice": twice, "beyond": beyond}
        return Draw(text, str(unknown), values)
    survey = difficulty > 1 and rng.random() < 0.5
    points = _outline(rng, number, *((0, 7), (-5, 9), (-9, 12))[difficulty - 1])
    if points is None:
        return None
    shift = rng.randrange(number)
    points = points[shift:] + points[:shift]
    twice = _twice(points)
    factor = [1, 1]
    shape = {3: "triangle", 4: "quadrilateral", 5: "pentagon", 6: "hexagon"}[number]
    corners = listed([f"$({x}, {y})$" for x, y in points])
    if survey:
        factor = [rng.choice((1, 4, 9, 16, 25)), 1]
        side = {1: 1, 4: 2, 9: 3, 16: 4, 25: 5}[factor[0]]
        unit = rng.choice(("kilometre", "metre", "centimetre"))
        long = f"{side} {unit}{'s' if side > 1 else ''}"
        place = {"kilometre": "nature reserve", "metre": "field", "centimetre": "piece of felt"}[unit]
        text = rng.choice(
            (
                f"On a plan with a square grid a {place} is a {shape} with its corners at {corners}, in this order. "
                f"One unit of the grid stands for {long}. How many square {unit}s is the area of the {place}?",
                f"{who} types the corners of a {place} into a program, going once around it: {corners}. The numbers "
                f"count steps of {long} to the east and to the north of a fixed point. All edges are straight. How "
                f"many square {unit}s does the {place} measure?",
            )
        )
    else:
        text = rng.choice(
            (
                f"Find the area of the {shape} with vertices {corners}, in this order.",
                f"The points {corners} are joined in this order by segments, the last one also to the first. What is "
                f"the area of the {shape} that they enclose?",
                f"A plotter moves its pen straight from point to point through {corners} and back to the start. How "
                f"large is the area of the {shape} that it has outlined?",
                f"{who} draws a {shape} with the corners {corners} on squared paper, going around it in this order. "
                "How many squares of the paper is its area?",
            )
        )
    answer = Fraction(twice * factor[0], 2)
    values = {"points": [list(point) for point in points], "factor": factor, "twice": 0, "beyond": 0}
    return Draw(text, str(answer), values)


def counted_points(kind: str, points: list[list[int]], numbers: list[int]) -> str:
    """Test every grid point of a rectangle around the polygon, or measure a polygon made with such points."""
    from fractions import Fraction

    if kind in ("inside", "all"):
        inside = rim = 0
        for x in range(min(p[0] for p in points), max(p[0] for p in points) + 1):
            for y in range(min(p[1] for p in points), max(p[1] for p in points) + 1):
                on, crossings = False, 0
                for (a, b), (c, d) in zip(points, points[1:] + points[:1], strict=True):
                    side = (c - a) * (y - b) - (d - b) * (x - a)
                    within = min(a, c) <= x <= max(a, c) and min(b, d) <= y <= max(b, d)
                    on = on or (side == 0 and within)
                    if (b <= y < d and side > 0) or (d <= y < b and side < 0):
                        crossings += 1
                rim += on
                inside += not on and crossings % 2
        return str(inside if kind == "inside" else inside + rim)
    rim, given, spacing = numbers

    def squares(inside: int) -> Fraction:
        corners = [(0, 0), (1, -1), (inside + 1, 0), (rim - 4, 1), (0, 1)]
        pairs = zip(corners, corners[1:] + corners[:1], strict=True)
        return Fraction(abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in pairs)), 2)

    if kind == "area":
        return str(squares(given) * spacing**2)
    return str(next(inside for inside in range(1000) if squares(inside) * spacing**2 == given))


@generator("Link the area of a grid polygon with its inner and boundary points", check=counted_points)
def pick(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("area", "given"), ("area", "given", "inside"), ("inside", "all"))[difficulty - 1])
    who = person(rng)
    if kind in ("area", "given"):
        rim, inside = rng.randint(4, 24), rng.randint(3, 40)
        spacing = 1 if difficulty == 1 and rng.random() < 0.5 else rng.choice((2, 3, 4, 5))
        area = (Fraction(rim, 2) + inside - 1) * spacing**2
        wide = f"{spacing} cm"
        if kind == "area":
            text = rng.choice(
                (
                    f"On a geoboard the pegs stand in rows and columns {wide} apart. A rubber band forms a polygon "
                    f"whose corners are pegs. It touches ${rim}$ pegs, corners included, and ${inside}$ pegs stand "
                    "inside it. How many square centimetres does it enclose?",
                    f"{who} draws a polygon on paper with a square grid of {wide}, with all corners on grid points. "
                    f"${rim}$ grid points lie on its outline and ${inside}$ inside it. What is its area in square "
                    "centimetres?",
                    "A mosaic border is a closed zigzag line whose corners are points of a square grid with spacing "
                    f"{wide}. The line does not cross itself. It runs through ${rim}$ grid points and encloses "
                    f"${inside}$ more. How many square centimetres lie inside it?",
                )
            )
            numbers, answer = [rim, inside, spacing], str(area)
        else:
            if area.denominator > 1:
                return None
            text = rng.choice(
                (
                    f"The corners of a polygon are points of a square grid whose points are {wide} apart. Its area is "
                    f"${area}$ square centimetres, and ${rim}$ grid points lie on its outline. How many grid points "
                    "lie inside it?",
                    f"In an orchard the trees stand in rows and columns ${spacing}$ m apart. A fence runs straight "
                    f"from tree to tree around ${area}$ square metres of the orchard and touches ${rim}$ trees, those "
                    "at its corners included. How many trees stand inside the fence without touching it?",
                    f"{who} stretches a rubber band over pegs of a board, where the pegs stand in rows and columns "
                    f"{wide} apart. The band touches ${rim}$ pegs, those at its corners included, and encloses "
                    f"${area}$ square centimetres. How many pegs stand inside the band without touching it?",
                )
            )
            numbers, answer = [rim, int(area), spacing], str(inside)
        return Draw(text, answer, {"kind": kind, "points": [], "numbers": numbers})
    number = 3 if difficulty == 2 else rng.choice((3, 4, 5))
    high = (0, 12, 22)[difficulty - 1]
    points = _outline(rng, number, -3 if difficulty == 3 else 0, high)
    if points is None:
        return None
    edges = zip(points, points[1:] + points[:1], strict=True)
    rim = sum(gcd(a - c, b - d) for (a, b), (c, d) in edges)
    inside = (_twice(points) - rim + 2) // 2
    if inside < 8:
        return None
    shape = {3: "triangle", 4: "quadrilateral", 5: "pentagon"}[number]
    corners = listed([f"$({x}, {y})$" for x, y in points])
    where = "strictly inside" if kind == "inside" else "inside or on the boundary of"
    among = "inside the fence, not touching it" if kind == "inside" else "inside the fence or touch it"
    text = rng.choice(
        (
            f"How many points with integer coordinates lie {where} the {shape} with vertices {corners}, in this order?",
            "In a large orchard a tree stands at every point with whole coordinates. A fence without thickness runs "
            f"straight from tree to tree through {corners} and back to the first. How many trees stand {among}?",
            f"{who} marks the corners {corners} of a {shape} on squared paper, in this order. How many crossings of "
            f"the grid lines lie {where} the {shape}?",
        )
    )
    answer = str(inside if kind == "inside" else inside + rim)
    return Draw(text, answer, {"kind": kind, "points": [list(point) for point in points], "numbers": []})


def cells_shoelaced(kind: str, area: int) -> str:
    """Give the corners in skew coordinates along two grid directions and compare the cross products."""
    from fractions import Fraction

    def twice(corners: list[tuple[int, int]]) -> int:
        pairs = zip(corners, corners[1:] + corners[:1], strict=True)
        return abs(sum(a * d - b * c for (a, b), (c, d) in pairs))

    hexagon = [(6, 0), (0, 6), (-6, 6), (-6, 0), (0, -6), (6, -6)]
    triangle = [(0, 0), (12, 0), (0, 12)]
    square = [(0, 0), (12, 0), (12, 12), (0, 12)]
    wholes = {"h": hexagon, "t": triangle, "s": square}
    parts = {
        "h alternate": [hexagon[0], hexagon[2], hexagon[4]],
        "h midpoints": [(3, 3), (-3, 6), (-6, 3), (-3, -3), (3, -6), (6, -3)],
        "h rectangle": [hexagon[0], hexagon[1], hexagon[3], hexagon[4]],
        "h centre": [(0, 0), hexagon[0], hexagon[1]],
        "h half": hexagon[:4],
        "t thirds": [(4, 0), (8, 0), (8, 4), (4, 8), (0, 8), (0, 4)],
        "t midpoints": [(6, 0), (6, 6), (0, 6)],
        "t strip": [(3, 0), (9, 0), (9, 3), (3, 9), (0, 9), (0, 3)],
        "s midpoints": [(6, 0), (12, 6), (6, 12), (0, 6)],
        "s corners": [(4, 0), (8, 0), (12, 4), (12, 8), (8, 12), (4, 12), (0, 8), (0, 4)],
        "s quarter": [(0, 0), (6, 0), (0, 6)],
    }
    return str(Fraction(area * twice(parts[kind]), twice(wholes[kind[0]])))


@generator("Cut a figure into congruent cells and count them", check=cells_shoelaced)
def counted_cells(rng: Random, difficulty: int) -> Draw | None:
    shares = {
        "h alternate": (1, 2),
        "h midpoints": (3, 4),
        "h rectangle": (2, 3),
        "h centre": (1, 6),
        "h half": (1, 2),
        "t thirds": (2, 3),
        "t midpoints": (1, 4),
        "t strip": (13, 16),
        "s midpoints": (1, 2),
        "s corners": (7, 9),
        "s quarter": (1, 8),
    }
    kinds = (
        ("h centre", "t midpoints", "s midpoints", "h half", "s quarter"),
        ("h alternate", "h rectangle", "t thirds", "s corners", "t midpoints"),
        ("h midpoints", "t strip", "t thirds", "s corners", "h rectangle"),
    )[difficulty - 1]
    kind = rng.choice(kinds)
    top, bottom = shares[kind]
    area = rng.randint(2, (20, 40, 80)[difficulty - 1]) * bottom
    who = person(rng)
    p = rng.choice(("ABCDEF", "PQRSTU", "KLMNOP", "UVWXYZ"))
    unit = rng.choice(("square centimetres", "square decimetres", "square metres"))
    hexagon = f"${p}$"
    texts = {
        "h alternate": (
            f"The regular hexagon {hexagon} has area ${area}$. What is the area of triangle ${p[0]}{p[2]}{p[4]}$?",
            f"Every second corner of a table top in the shape of a regular hexagon is joined by a straight inlay, so "
            f"that an equilateral triangle arises. The table top measures ${area}$ {unit}. How many {unit} does the "
            "triangle measure?",
        ),
        "h midpoints": (
            f"The midpoints of the sides of a regular hexagon with area ${area}$ are joined in order to form a smaller "
            "hexagon. What is its area?",
            f"{who} cuts the six corners off a paper hexagon with equal sides and angles, each time straight from the "
            f"middle of one side to the middle of the next. The paper measured ${area}$ {unit}. How many {unit} does "
            "the remaining piece measure?",
        ),
        "h rectangle": (
            f"In the regular hexagon {hexagon} the quadrilateral ${p[0]}{p[1]}{p[3]}{p[4]}$ is a rectangle. The "
            f"hexagon has area ${area}$. What is the area of the rectangle?",
            f"A regular hexagonal tile of ${area}$ {unit} is white except for the rectangle on two opposite sides, "
            f"which is black. How many {unit} are black?",
        ),
        "h centre": (
            f"Point $O$ is the centre of the regular hexagon {hexagon}, whose area is ${area}$. What is the area of "
            f"triangle $O{p[0]}{p[1]}$?",
            f"A cake in the shape of a regular hexagon is cut straight from the centre to two neighbouring corners. "
            f"From above, the cake covers ${area}$ {unit}. How many {unit} does the piece between the cuts cover?",
        ),
        "h half": (
            f"The regular hexagon {hexagon} has area ${area}$. Find the area of the trapezoid "
            f"${p[0]}{p[1]}{p[2]}{p[3]}$.",
            f"A hexagonal flower bed with equal sides and angles covers ${area}$ {unit}. A board along its longest "
            f"diagonal separates tulips from roses. How many {unit} do the tulips have?",
        ),
        "t thirds": (
            f"Each side of an equilateral triangle of area ${area}$ is divided into three equal parts. The six "
            "dividing points are the corners of a regular hexagon. What is its area?",
            f"From a wooden plate in the shape of an equilateral triangle, ${area}$ {unit} in size, {who} saws off "
            f"three small equilateral triangles, so that a regular hexagon remains. How many {unit} remain?",
            f"The largest regular hexagon that has three of its sides on the sides of an equilateral triangle of area "
            f"${area}$ is drawn. What is its area?",
        ),
        "t midpoints": (
            f"Triangle ${p[:3]}$ is equilateral with area ${area}$. What is the area of the triangle whose corners are "
            "the midpoints of its sides?",
            f"A quilt patch is an equilateral triangle of ${area}$ {unit}, sewn from four equal smaller ones. The "
            f"middle one is dotted. How many {unit} are dotted?",
        ),
        "t strip": (
            f"Each side of an equilateral triangle of area ${area}$ is divided into four equal parts. At each corner "
            "the small triangle up to the nearest dividing points is cut off. What area remains?",
            f"A road sign is an equilateral triangle of ${area}$ {unit}. Its corners are painted red, each as an "
            f"equilateral triangle with a quarter of the side of the sign. How many {unit} are not red?",
        ),
        "s midpoints": (
            f"The midpoints of the sides of a square with area ${area}$ are joined in order. What is the area of the "
            "quadrilateral that they form?",
            f"A square napkin of ${area}$ {unit} is folded so that all four corners meet in its middle. How many "
            f"{unit} does the folded napkin cover?",
        ),
        "s corners": (
            f"Each side of a square with area ${area}$ is divided into three equal parts. The four corners are cut "
            "off along the segments that join neighbouring dividing points. What is the area of the octagon that "
            "remains?",
            f"On squared paper a square of three by three boxes covers ${area}$ {unit}. {who} cuts off its four corner "
            f"boxes along a diagonal, taking away the outer half of each. How many {unit} are left?",
        ),
        "s quarter": (
            f"The midpoints of two neighbouring sides of a square of area ${area}$ are joined. What is the area of the "
            "triangle that is cut off?",
            f"A square scarf of ${area}$ {unit} has one corner of another colour, a triangle that reaches to the "
            f"middle of the two edges at this corner. How many {unit} have the other colour?",
        ),
    }[kind]
    return Draw(rng.choice(texts), str(area * top // bottom), {"kind": kind, "area": area})
