"""Problems on linear maps and on motions of the plane."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person, signed


def images_measured(matrix: list[int], corners: list[list[int]], area: list[int], wanted: str) -> str:
    """Move the corners of the figure or of a test square and measure areas by triangles from one corner."""
    from fractions import Fraction
    from itertools import pairwise

    a, b, c, d = matrix

    def measured(points: list[list[int]]) -> Fraction:
        x, y = points[0]
        total = Fraction(0)
        for (p, q), (r, s) in pairwise(points[1:]):
            total += Fraction((p - x) * (s - y) - (q - y) * (r - x), 2)
        return abs(total)

    if wanted == "unknown":
        for k in range(2000):
            moved = [[0, 0], [a, c], [a + k, c + d], [k, d]]
            if measured(moved) * area[0] == area[1]:
                return str(k)
    figure = corners or [[0, 0], [3, 0], [3, 2], [0, 2]]
    moved = [[a * x + b * y, c * x + d * y] for x, y in figure]
    scale = measured(moved) / measured(figure)
    if wanted == "image":
        return str(measured(moved))
    if wanted == "disc":
        return f"{scale * area[0] ** 2}\\pi"
    return str(area[0] * scale if wanted == "forward" else area[0] / scale)


@generator("Scale areas by the determinant of the map", check=images_measured)
def area_scale(rng: Random, difficulty: int) -> Draw | None:
    wanted = rng.choice(
        (("forward", "back"), ("forward", "back", "disc", "image"), ("images", "unknown", "image"))[difficulty - 1]
    )
    reach = (3, 5, 7)[difficulty - 1]
    a, b, c, d = (rng.randint(-reach, reach) if difficulty > 1 else rng.randint(0, reach + 1) for _ in range(4))
    size = abs(a * d - b * c)
    if size < 2 or (a == d and b == c == 0) or size > 60:
        return None
    area = rng.randint(2, 40)
    matrix, corners, given, answer = [a, b, c, d], [], [area], f"{area * size}"
    who = person(rng)

    def term(first: int, second: int) -> str:
        head = {1: "x", -1: "-x", 0: ""}.get(first, f"{first}x")
        tail = signed(second, "y")
        return f"{head} {tail}".strip() if head else tail.replace("+ ", "").replace("- ", "-") or "0"

    rule = f"$({term(a, b)},\\ {term(c, d)})$"
    shape = f"\\begin{{pmatrix}} {a} & {b} \\\\ {c} & {d} \\end{{pmatrix}}"
    if (a, b) == (0, 0) or (c, d) == (0, 0):
        return None
    if wanted == "forward":
        thing = rng.choice(("a heart", "a leaf", "a cloud", "an irregular spot", "a fish"))
        text = rng.choice(
            (
                f"A program distorts a picture by moving every point $(x, y)$ to {rule}. In the picture {thing} "
                f"covers ${area}$ square centimetres. How many square centimetres does it cover after the distortion?",
                f"The linear map with the matrix ${shape}$ is applied to a region of area ${area}$. What is the area "
                "of its image?",
                f"A linear map takes $(1, 0)$ to $({a}, {c})$ and $(0, 1)$ to $({b}, {d})$. What is the area of the "
                f"image of a triangle with area ${area}$?",
            )
        )
    elif wanted == "back":
        given, answer = [area * size], str(area)
        if difficulty > 1:
            given, answer = [area], str(Fraction(area, size))
        text = rng.choice(
            (
                f"On a map that is distorted by moving every point $(x, y)$ to {rule} a lake covers ${given[0]}$ "
                "square centimetres. How many square centimetres does it cover on the map before the distortion?",
                f"The linear map with the matrix ${shape}$ takes a triangle to a triangle of area ${given[0]}$. What "
                "is the area of the triangle before?",
                f"{who} applies a linear map that takes $(1, 0)$ to $({a}, {c})$ and $(0, 1)$ to $({b}, {d})$. The "
                f"image of a polygon has area ${given[0]}$. What is the area of the polygon itself?",
            )
        )
    elif wanted == "disc":
        radius = rng.randint(1, 6)
        given, answer = [radius], f"{size * radius**2}\\pi"
        text = rng.choice(
            (
                f"A disc of radius ${radius}$ is moved by the linear map with the matrix ${shape}$. What is the area "
                "of the region that is its image?",
                f"Every point $(x, y)$ of a disc with radius ${radius}$ is moved to {rule}, so that the disc becomes "
                "an oval. What is the area of the oval?",
                f"A linear map takes $(1, 0)$ to $({a}, {c})$ and $(0, 1)$ to $({b}, {d})$. Find the area of the "
                f"ellipse to which it takes the circle of radius ${radius}$ around the origin.",
            )
        )
    elif wanted == "images":
        e, f = rng.randint(1, 3), rng.choice((1, 2, -1))
        # The images of (1, 0) and (e, f) are told; a linear map is fixed by them.
        p, q = a * e + b * f, c * e + d * f
        text = rng.choice(
            (
                f"A linear map of the plane takes $(1, 0)$ to $({a}, {c})$ and $({e}, {f})$ to $({p}, {q})$. What is "
                f"the area of the image of a region with area ${area}$?",
                f"Under a linear map the point $(1, 0)$ goes to $({a}, {c})$ and the point $({e}, {f})$ to $({p}, "
                f"{q})$. A pond on a plan has an area of ${area}$ square units. How many square units has its image?",
            )
        )
        wanted = "forward"
    elif wanted == "unknown":
        if a == 0 or d == 0:
            return None
        # The map takes (1, 0) to (a, c) and (0, 1) to (k, d) with a larger k than the zero of the determinant.
        top = area + max(0, abs(a * d)) + rng.randint(0, 5)
        if c == 0:
            return None
        size = abs(a * d - top * c)
        if sum(abs(a * d - k * c) == size for k in range(2000)) != 1:
            return None
        region = rng.randint(2, 9)
        matrix, given, answer = [a, 0, c, d], [region, region * size], str(top)
        text = rng.choice(
            (
                f"The linear map with the matrix $\\begin{{pmatrix}} {a} & k \\\\ {c} & {d} \\end{{pmatrix}}$, where "
                f"$k \\ge 0$, takes a region of area ${region}$ to one of area ${region * size}$. Find $k$.",
                f"A linear map takes $(1, 0)$ to $({a}, {c})$ and $(0, 1)$ to $(k, {d})$ with $k \\ge 0$. A figure of "
                f"area ${region}$ has an image of area ${region * size}$. What is $k$?",
            )
        )
    else:
        x, y = rng.randint(-4, 4), rng.randint(-4, 4)
        wide, high, lean = rng.randint(2, 6), rng.randint(2, 6), rng.randint(-2, 4)
        corners = [[x, y], [x + wide, y], [x + wide + lean, y + high]]
        if difficulty == 3:
            corners.append([x + lean, y + high + rng.randint(0, 2)])
        double = sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(corners, corners[1:] + corners[:1], strict=True))
        answer, given = str(Fraction(abs(double) * size, 2)), [1]
        name = "triangle" if len(corners) == 3 else "quadrilateral"
        shown = listed([f"$({p}, {q})$" for p, q in corners])
        text = rng.choice(
            (
                f"The {name} with the corners {shown}, in this order, is moved by the linear map with the matrix "
                f"${shape}$. What is the area of its image?",
                f"In a drawing program a {name} has the corners {shown}, in this order. Then every point $(x, y)$ is "
                f"moved to {rule}. How large is the area of the {name} now?",
            )
        )
    return Draw(text, answer, {"matrix": matrix, "corners": corners, "area": given, "wanted": wanted})


def fixed_by_steps(turn: list[int], factor: list[int], about: list[int], shift: list[int], wanted: str) -> str:
    """Follow two points through the motion and solve for the point that stays, by Cramer's rule in coordinates."""
    from fractions import Fraction

    cosine, sine = turn
    scale = Fraction(factor[0], factor[1])

    def image(x: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
        u, v = x - about[0], y - about[1]
        u, v = scale * (cosine * u - sine * v), scale * (sine * u + cosine * v)
        return u + about[0] + shift[0], v + about[1] + shift[1]

    zero, one = Fraction(0), Fraction(1)
    start, right, up = image(zero, zero), image(one, zero), image(zero, one)
    a, c = right[0] - start[0] - 1, right[1] - start[1]
    b, d = up[0] - start[0], up[1] - start[1] - 1
    x = (b * start[1] - d * start[0]) / (a * d - b * c)
    y = (c * start[0] - a * start[1]) / (a * d - b * c)
    assert image(x, y) == (x, y)
    return str({"sum": x + y, "x": x, "y": y}[wanted])


@generator("Locate the centre of a combined motion as its fixed point", check=fixed_by_steps)
def fixed_point(rng: Random, difficulty: int) -> Draw | None:
    degrees = rng.choice((90, 180) if difficulty == 1 else (90, 270) if difficulty == 2 else (90, 270, 180))
    cosine, sine = {90: (0, 1), 180: (-1, 0), 270: (0, -1)}[degrees]
    factor = Fraction(1)
    if difficulty == 3:
        factor = rng.choice((Fraction(1, 2), Fraction(1, 3), Fraction(2), Fraction(3), Fraction(2, 3)))
    reach = (5, 8, 9)[difficulty - 1]
    about = [0, 0] if difficulty == 1 else [rng.randint(-reach, reach), rng.randint(-reach, reach)]
    shift = [rng.randint(-reach, reach), rng.randint(-reach, reach)]
    if shift == [0, 0] or (difficulty > 1 and about == [0, 0]):
        return None
    # With a = factor·(cos + i sin) the fixed point is about + shift / (1 - a).
    real, imaginary = 1 - factor * cosine, -factor * sine
    norm = real**2 + imaginary**2
    x = about[0] + (shift[0] * real + shift[1] * imaginary) / norm
    y = about[1] + (shift[1] * real - shift[0] * imaginary) / norm
    wanted = rng.choice(("sum", "x", "y"))
    answer = {"sum": x + y, "x": x, "y": y}[wanted]
    if answer.denominator > (2, 2, 13)[difficulty - 1]:
        return None
    turn = {90: "$90^\\circ$ counterclockwise", 180: "by a half turn", 270: "$90^\\circ$ clockwise"}[degrees]
    where = "the origin" if about == [0, 0] else f"the point $({about[0]}, {about[1]})$"
    vector = f"$({shift[0]}, {shift[1]})$"
    asked = {"sum": "Find $p + q$.", "x": "Find $p$.", "y": "Find $q$."}[wanted]
    size = str(factor) if factor.denominator == 1 else f"\\frac{{{factor.numerator}}}{{{factor.denominator}}}"
    stretch = "" if factor == 1 else f", then stretched from {where} by the factor ${size}$"
    who = person(rng)
    if factor == 1:
        text = rng.choice(
            (
                f"The plane is rotated {turn} about {where} and then shifted by the vector {vector}. Together these "
                f"motions are a single rotation about a point $(p, q)$. {asked}",
                f"A sheet of tracing paper on a coordinate grid is turned {turn} about {where} and then pushed by "
                f"{vector} without turning. Exactly one point of the sheet, $(p, q)$, is where it was before. {asked}",
                f"{who} moves a picture in a drawing program: first a rotation {turn} about {where}, then a shift by "
                f"{vector}. Which point $(p, q)$ is not moved by the two steps together? {asked}",
            )
        )
    else:
        text = rng.choice(
            (
                f"The plane is rotated {turn} about {where}{stretch}, and at last shifted by the vector {vector}. "
                f"Exactly one point $(p, q)$ comes back to its place. {asked}",
                f"{who} edits a picture on a coordinate grid. It is turned {turn} about {where}{stretch}, and then "
                f"moved by the vector {vector}. The only point of the picture that ends where it started is $(p, q)$. "
                f"{asked}",
                f"A robot copies each point of a drawing to a new place: it turns the drawing {turn} about {where}, "
                f"multiplies all distances from {where} by ${size}$ and adds {vector} to the coordinates. The point "
                f"$(p, q)$ is copied to itself. {asked}",
            )
        )
    values = {
        "turn": [cosine, sine],
        "factor": [factor.numerator, factor.denominator],
        "about": about,
        "shift": shift,
        "wanted": wanted,
    }
    return Draw(text.replace("rotated by a half turn", "turned by a half turn"), str(answer), values)
