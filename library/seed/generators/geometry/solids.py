"""Problems on boxes and polyhedra."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def edges_tried(kind: str, numbers: list[int]) -> int:
    """Try whole edges or diagonals, or choose one edge freely and compute the other two in decimals."""
    from itertools import count
    from math import sqrt

    if kind == "diagonal":
        return next(size for size in count(1) if size * size >= sum(edge * edge for edge in numbers))
    if kind == "edge":
        first, second, diagonal = numbers
        return next(size for size in count(1) if size * size + first * first + second * second >= diagonal * diagonal)
    if kind == "faces":
        p, q, r = (size * size for size in numbers)
        squares = [(p + q - r) / 2, (q + r - p) / 2, (r + p - q) / 2]
        assert min(squares) > 0
        return round(sqrt(sum(squares)))
    around, other = numbers
    for step in range(1, 4000):
        a = step * around / 16000
        rest = around / 4 - a
        product = other / 2 - a * rest if kind == "surface" else (rest**2 - other**2 + a**2) / 2
        root = rest * rest - 4 * product
        if root > 0 and product > 0:
            b, c = (rest + sqrt(root)) / 2, (rest - sqrt(root)) / 2
            return round(sqrt(a * a + b * b + c * c) if kind == "surface" else 2 * (a * b + b * c + c * a))
    raise AssertionError


_BOXES = [
    edges
    for edges in combinations_with_replacement(range(1, 41), 3)
    if isqrt(sum(edge**2 for edge in edges)) ** 2 == sum(edge**2 for edge in edges)
]
_FACES = [
    faces
    for faces in combinations(range(4, 61), 3)
    if 2 * isqrt(sum(face**2 for face in faces) // 2) ** 2 == sum(face**2 for face in faces)
    and faces[0] ** 2 + faces[1] ** 2 > faces[2] ** 2
]


@generator("Add the squares of three perpendicular edges", check=edges_tried)
def box_diagonal(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("diagonal", "edge"), ("edge", "surface", "back", "diagonal"), ("faces", "surface", "back"))[difficulty - 1]
    )
    most = (14, 28, 40)[difficulty - 1]
    edges = list(rng.choice([box for box in _BOXES if box[2] <= most]))
    rng.shuffle(edges)
    square = sum(edge * edge for edge in edges)
    diagonal = isqrt(square)
    unit = rng.choice(("cm", "dm", "m"))
    full = {"cm": "centimetres", "dm": "decimetres", "m": "metres"}[unit]
    thing = rng.choice({"cm": ("carton", "drawer"), "dm": ("crate", "aquarium"), "m": ("hall", "storeroom")}[unit])
    a, b, c = edges
    if kind == "faces":
        numbers = list(rng.choice(_FACES))
        p, q, r = numbers
        answer = isqrt((p * p + q * q + r * r) // 2)
        text = rng.choice(
            (
                f"The three different faces of a rectangular box have diagonals of lengths ${p}$, ${q}$ and ${r}$. "
                "How long is the space diagonal of the box?",
                f"The front, the floor and a side wall of a box-shaped {thing} measure ${p}$, ${q}$ and ${r}$ {unit} "
                f"from corner to opposite corner. How many {full} long is the longest straight thread that can be "
                "stretched inside it?",
                "From one corner of a rectangular block three straight lines are drawn on its faces to the opposite "
                f"corners of these faces. They are ${p}$, ${q}$ and ${r}$ {unit} long. How many {full} is the first "
                "corner from the corner of the block that is farthest from it?",
            )
        )
        return Draw(text, str(answer), {"kind": kind, "numbers": numbers})
    if kind == "diagonal":
        numbers, answer = edges, diagonal
        text = rng.choice(
            (
                f"A rectangular box has edges of lengths ${a}$, ${b}$ and ${c}$. How long is its space diagonal?",
                f"A {thing} is ${a}$ {unit} wide, ${b}$ {unit} long and ${c}$ {unit} high inside. How many {full} "
                "long is the longest thin straight rod that fits in?",
                f"A robot moves its gripper ${a}$ {unit} straight to the right, then ${b}$ {unit} straight forward "
                f"and then ${c}$ {unit} straight up. How many {full} is the gripper now from where it was, in a "
                "straight line?",
                f"In a coordinate system in space, how far apart are the points $({a}, 0, {c})$ and $(0, {b}, 0)$?",
            )
        )
    elif kind == "edge":
        numbers, answer = [a, b, diagonal], c
        text = rng.choice(
            (
                f"Two of the edges of a rectangular box have lengths ${a}$ and ${b}$, and its space diagonal has "
                f"length ${diagonal}$. How long is the third edge, perpendicular to these two?",
                f"The floor of a {thing} measures ${a}$ {unit} by ${b}$ {unit}. A wire from one corner of the floor "
                f"to the opposite corner of the ceiling is ${diagonal}$ {unit} long. How many {full} high is the "
                f"{thing}?",
                "A cable runs straight from a hook on the ground to the top of an upright post. The foot of the post "
                f"is ${a}$ {unit} east and ${b}$ {unit} north of the hook, and the cable is ${diagonal}$ {unit} long. "
                f"How many {full} high is the post?",
            )
        )
    else:
        around, surface = 4 * sum(edges), 2 * (a * b + b * c + c * a)
        numbers, answer = ([around, surface], diagonal) if kind == "surface" else ([around, diagonal], surface)
        if kind == "surface":
            text = rng.choice(
                (
                    f"The twelve edges of a rectangular box have the total length ${around}$, and its surface area is "
                    f"${surface}$. How long is its space diagonal?",
                    f"For the frame of a box-shaped {thing} exactly ${around}$ {unit} of metal strip are used for the "
                    f"twelve edges, and covering all six faces takes ${surface}$ square {full} of sheeting. How many "
                    f"{full} apart are two corners of the {thing} that are farthest from each other?",
                    f"A rectangular block just fits into a ball. Its edges have the total length ${around}$ {unit} "
                    f"and its faces the total area ${surface}$ square {full}. How many {full} is the diameter of the "
                    "ball?",
                )
            )
        else:
            text = rng.choice(
                (
                    f"The space diagonal of a rectangular box has length ${diagonal}$, and its twelve edges have the "
                    f"total length ${around}$. What is its surface area?",
                    f"{person(rng)} builds a box-shaped frame from ${around}$ {unit} of wire and finds that a rod of "
                    f"${diagonal}$ {unit} just reaches from one corner to the opposite one. How many square {full} of "
                    "paper are needed to cover all six faces once?",
                    f"All eight corners of a rectangular block lie on a ball with a diameter of ${diagonal}$ {unit}. "
                    f"The edges of the block add up to ${around}$ {unit}. How many square {full} is the surface of "
                    "the block?",
                )
            )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})


_WORDS = {
    3: "triangles",
    4: "quadrilaterals",
    5: "pentagons",
    6: "hexagons",
    7: "heptagons",
    8: "octagons",
    10: "decagons",
}


def glued(kind: str, faces: list[list[int]], wanted: str, numbers: list[int]) -> int:
    """Glue the sides of the faces in pairs and try numbers of corners or faces until Euler's count fits."""
    from itertools import combinations, count

    if kind == "faces":
        sides = [size for size, number in faces for _ in range(number) for _ in range(size)]
        edges = 0
        while sides:
            del sides[-2:]
            edges += 1
        corners = next(v for v in count(4) if v - edges + sum(number for _, number in faces) == 2)
        if wanted == "diagonals":
            across = sum(
                len(list(combinations(range(size), 2))) - size for size, number in faces for _ in range(number)
            )
            return len(list(combinations(range(corners), 2))) - edges - across
        return corners if wanted == "vertices" else edges
    if kind == "counts":
        first, second = numbers
        if wanted == "faces":
            return next(f for f in count(4) if first - second + f == 2)
        if wanted == "edges":
            return next(e for e in count(6) if first - e + second == 2)
        return next(v for v in count(4) if v - first + second == 2)
    small, large, edges = numbers
    for one in range(2 * edges // small + 1):
        rest = 2 * edges - one * small
        if rest >= 0 and rest % large == 0 and 2 * edges % 3 == 0 and 2 * edges // 3 - edges + one + rest // large == 2:
            return one if wanted == "small" else rest // large
    raise AssertionError


def _polyhedron(rng: Random) -> tuple[Counter[int], Counter[int]]:
    """Draw a polyhedron that exists, as its faces by sides and its corners by edges."""
    n = rng.randint(3, 8)
    faces, corners = rng.choice(
        (
            ([n] * 2 + [4] * n, [3] * 2 * n),
            ([n] + [3] * n, [3] * n + [n]),
            ([3] * 2 * n, [4] * n + [n] * 2),
            ([n] * 2 + [3] * 2 * n, [4] * 2 * n),
            ([n] + [4] * n + [3] * n, [3] * n + [4] * n + [n]),
            ([2 * n, n] + [3] * n + [4] * n, [4] * n + [3] * 2 * n),
        )
    )
    return Counter(faces), Counter(corners)


@generator("Count a polyhedron's edges twice and close with Euler", check=glued)
def euler(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("counts", "faces"), ("faces", "two kinds"), ("faces", "two kinds"))[difficulty - 1])
    thing = rng.choice(("crystal", "lantern", "paper model", "gemstone", "lampshade"))
    if kind == "two kinds":
        small, large = rng.choice(((3, 6), (4, 6), (5, 6)))
        ones, others = {3: 4, 4: 6, 5: 12}[small], rng.randrange(4, 80, 2)
        edges = (ones * small + others * 6) // 2
        wanted = rng.choice(("small", "large", "large", "large"))
        shown = rng.choice(("edges", "vertices", "faces")) if difficulty == 3 else "edges"
        asked = _WORDS[small if wanted == "small" else large]
        given = {
            "edges": f"${edges}$ edges",
            "vertices": f"${2 * edges // 3}$ vertices",
            "faces": f"${ones + others}$ faces",
        }[shown]
        rods = {
            "edges": f"${edges}$ edges",
            "vertices": f"${2 * edges // 3}$ corners",
            "faces": f"${ones + others}$ faces",
        }[shown]
        text = rng.choice(
            (
                f"All faces of a convex polyhedron are {_WORDS[small]} or {_WORDS[large]}. It has {given}, and "
                f"exactly three edges meet at each vertex. How many of the faces are {asked}?",
                f"A {thing} has the form of a convex body with {rods}. Each face is one of two kinds, {_WORDS[small]} "
                f"and {_WORDS[large]}, and three edges meet at every corner. How many {asked} are there among the "
                "faces?",
                f"{person(rng)} has glued a convex body together from {_WORDS[small]} and {_WORDS[large]} of "
                f"cardboard. It has {rods}, and at every corner three pieces come together. How many {asked} were "
                "used?",
            )
        )
        answer = ones if wanted == "small" else others
        return Draw(text, str(answer), {"kind": kind, "faces": [], "wanted": wanted, "numbers": [small, large, edges]})
    faces, corners = _polyhedron(rng)
    if difficulty > 1 and rng.random() < 0.7:
        degrees = corners
        edges = sum(size * number for size, number in faces.items()) // 2
        faces = Counter({2 * size: number for size, number in faces.items()})
        for degree, number in degrees.items():
            faces[degree] += number
        corners = Counter({3: 2 * edges})
    edges = sum(size * number for size, number in faces.items()) // 2
    vertices, total = sum(corners.values()), sum(faces.values())
    if kind == "counts":
        wanted = rng.choice(("faces", "edges", "vertices"))
        known = {"faces": (vertices, edges), "edges": (vertices, total), "vertices": (edges, total)}[wanted]
        names = {"faces": ("vertices", "edges"), "edges": ("vertices", "faces"), "vertices": ("edges", "faces")}[wanted]
        text = rng.choice(
            (
                f"A convex polyhedron has ${known[0]}$ {names[0]} and ${known[1]}$ {names[1]}. How many {wanted} does "
                "it have?",
                f"On a {thing} in the form of a convex polyhedron {person(rng)} counts ${known[0]}$ {names[0]} and "
                f"${known[1]}$ {names[1]}. How many {wanted} must there be?",
                f"How many {wanted} has a convex body with flat faces, ${known[0]}$ {names[0]} and ${known[1]}$ "
                f"{names[1]}?",
            )
        )
        answer = {"faces": total, "edges": edges, "vertices": vertices}[wanted]
        return Draw(text, str(answer), {"kind": kind, "faces": [], "wanted": wanted, "numbers": list(known)})
    wanted = "diagonals" if difficulty == 3 else rng.choice(("vertices", "edges") if difficulty == 1 else ("vertices",))
    if any(size not in _WORDS for size in faces) or (difficulty == 3 and len(faces) < 2):
        return None
    parts = []
    for size, number in sorted(faces.items()):
        word = _WORDS[size] if number > 1 else _WORDS[size][:-1]
        parts.append(f"${number}$ {word}")
    if len(parts) == 1 and difficulty > 1:
        return None
    kinds = listed(parts)
    answer = {"vertices": vertices, "edges": edges}.get(wanted, 0)
    asked = f"How many {wanted} does it have?"
    if wanted == "diagonals":
        answer = comb(vertices, 2) - edges - sum((comb(size, 2) - size) * number for size, number in faces.items())
        asked = "How many of the segments between two of its vertices run through its interior?"
        if answer == 0:
            return None
    text = rng.choice(
        (
            f"The faces of a convex polyhedron are {kinds}. {asked}",
            f"A {thing} has the form of a convex polyhedron whose faces are {kinds}, and no others. {asked}",
            f"A convex polyhedron is glued together from {kinds} of cardboard. {asked}",
        )
    )
    shown_faces = [[size, number] for size, number in sorted(faces.items())]
    return Draw(text, str(answer), {"kind": "faces", "faces": shown_faces, "wanted": wanted, "numbers": []})


def from_dot_products(squares: list[int], wanted: str) -> str:
    """Find volume, centre and distances from the dot products of the three edges at one corner."""
    from fractions import Fraction
    from math import isqrt

    p, q, r = squares
    # Edges b, c, d at a corner; the edges opposite to them are as long as they are.
    bc, bd, cd = (Fraction(p + q - r, 2), Fraction(p + r - q, 2), Fraction(q + r - p, 2))
    gram = p * q * r + 2 * bc * bd * cd - p * cd**2 - q * bd**2 - r * bc**2
    if wanted == "volume":
        volume = gram / 36
        return str(Fraction(isqrt(volume.numerator), isqrt(volume.denominator)))
    if wanted == "ball":
        return str((p + q + r + 2 * (bc + bd + cd)) / 16)
    # The common perpendicular of b and d - c.
    across = bd - bc
    square = gram / (p * p - across**2)
    return str(Fraction(isqrt(square.numerator), isqrt(square.denominator)))


@generator("Place a tetrahedron in a box along face diagonals", check=from_dot_products)
def boxed_tetrahedron(rng: Random, difficulty: int) -> Draw | None:
    most = (6, 9, 15)[difficulty - 1]
    x, y, z = (rng.randint(1, most) for _ in range(3))
    if difficulty == 1 and rng.random() < 0.5:
        y = x
    if not x <= y or len({x, y, z}) < 2:
        return None
    p, q, r = x * x + y * y, x * x + z * z, y * y + z * z
    wanted = rng.choice(("volume", "volume", "ball", "apart"))
    answer = {"volume": f"{x * y * z // 3}" if x * y * z % 3 == 0 else f"{x * y * z}/3", "apart": str(z)}.get(
        wanted, ""
    )
    if wanted == "ball":
        total = x * x + y * y + z * z
        answer = str(total // 4) if total % 4 == 0 else f"{total // 2}/2" if total % 2 == 0 else f"{total}/4"

    def root(square: int) -> str:
        outer = max(k for k in range(1, isqrt(square) + 1) if square % (k * k) == 0)
        inner = square // outer**2
        return str(outer) if inner == 1 else f"{'' if outer == 1 else outer}\\sqrt{{{inner}}}"

    a, b, c, d = rng.choice(("ABCD", "PQRS", "KLMN", "EFGH"))
    who = person(rng)
    ask = {
        "volume": "What is its volume?",
        "ball": "What is the square of the radius of the sphere through its four vertices?",
        "apart": f"What is the distance between the lines ${a}{b}$ and ${c}{d}$?",
    }[wanted]
    texts = [
        f"In tetrahedron ${a}{b}{c}{d}$ opposite edges are equal: ${a}{b} = {c}{d} = {root(p)}$, ${a}{c} = {b}{d} = "
        f"{root(q)}$ and ${a}{d} = {b}{c} = {root(r)}$. {ask}",
        f"All four faces of tetrahedron ${a}{b}{c}{d}$ are congruent triangles, with ${a}{b} = {c}{d} = {root(p)}$, "
        f"${a}{c} = {b}{d} = {root(q)}$ and ${b}{c} = {a}{d} = {root(r)}$. {ask}",
    ]
    if wanted == "volume":
        texts += [
            f"The midlines of a cardboard triangle have lengths ${root(p)}$, ${root(q)}$ and ${root(r)}$. "
            "The triangle is folded along its midlines until its three corners meet. What is "
            "the volume of the tetrahedron that arises?",
            f"A drink is sold in packs with four equal triangular faces. Each face has edges of ${root(p)}$ cm, "
            f"${root(q)}$ cm and ${root(r)}$ cm. How many cubic centimetres does a pack hold?",
            f"{who} joins four corners of a wooden box, no two of them neighbours along an edge of the box, and saws "
            f"off everything outside the tetrahedron. Its edges measure ${root(p)}$ cm, ${root(q)}$ cm and "
            f"${root(r)}$ cm, each twice. How many cubic centimetres of wood are left?",
        ]
    elif wanted == "ball":
        texts.append(
            f"A tetrahedron of wire has two edges of ${root(p)}$ cm, two of ${root(q)}$ cm and two of ${root(r)}$ cm, "
            "edges of equal length never meeting. It just fits into a hollow ball that touches all its corners. What "
            "is the square of the ball's radius in centimetres?"
        )
    return Draw(rng.choice(texts), answer, {"squares": [p, q, r], "wanted": wanted})
