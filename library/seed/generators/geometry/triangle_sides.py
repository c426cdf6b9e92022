"""Problems on possible sides of triangles and on angle bisectors."""

from fractions import Fraction
from math import gcd, isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def all_tried(kind: str, numbers: list[int], wanted: str) -> int:
    """Try every whole number as the unknown and test the triangles it would make."""

    def triangle(*sides: int) -> bool:
        return min(sides) > 0 and 2 * max(sides) < sum(sides)

    top = 3 * sum(abs(number) for number in numbers) + 5
    if kind == "third":
        fits = [x for x in range(top) if triangle(x, numbers[0], numbers[1])]
    elif kind == "frame":
        a, b, c, d = numbers
        fits = [x for x in range(top) if triangle(x, a, d) and triangle(x, b, c)]
    elif kind == "linear":
        side, more, times = numbers
        fits = [x for x in range(-20, top) if triangle(side, x + more, times * x)]
    else:
        around = numbers[0]
        fits = [
            a
            for a in range(1, around)
            for b in range(a, around - a)
            if around - a - b >= b and triangle(a, b, around - a - b)
        ]
    return {"count": len(fits), "sum": sum(fits), "least": min(fits), "greatest": max(fits)}[wanted]


@generator("Trap a side between the difference and the sum of the other two", check=all_tried)
def side_range(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("third",), ("third", "frame", "linear"), ("frame", "linear", "around"))[difficulty - 1])
    most = (15, 25, 50)[difficulty - 1]
    wanted = rng.choice(("count", "sum", "least", "greatest") if kind == "third" else ("count", "sum"))
    a, b, c, d = (rng.randint(2, most) for _ in range(4))
    who = person(rng)
    if kind == "third":
        if a == b or (wanted in ("least", "greatest") and difficulty > 1):
            return None
        numbers, low, high = [a, b], abs(a - b), a + b
        asked = {
            "count": "How many whole numbers can be the length of the third side",
            "sum": "What is the sum of all whole numbers that can be the length of the third side",
            "least": "What is the least whole number that can be the length of the third side",
            "greatest": "What is the greatest whole number that can be the length of the third side",
        }[wanted]
        text = rng.choice(
            (
                f"Two sides of a triangle have lengths ${a}$ and ${b}$. {asked}?",
                f"{who} has many sticks of every whole number of centimetres and builds a triangle from a stick of "
                f"${a}$ cm, one of ${b}$ cm and a third stick. {asked}, in centimetres, if the triangle must not be "
                "flat?",
                f"Three towns do not lie on one line. In a straight line the first is ${a}$ km from the second and "
                f"${b}$ km from the third, and the second and the third are a whole number of kilometres apart. "
                + {
                    "count": "How many values can this number have?",
                    "sum": "What is the sum of all values that this number can have?",
                    "least": "What is the least value of this number?",
                    "greatest": "What is the greatest value of this number?",
                }[wanted],
            )
        )
    elif kind == "frame":
        numbers, low, high = [a, b, c, d], max(abs(a - d), abs(b - c)), min(a + d, b + c)
        if low in (a - d, d - a) and high == a + d:
            return None
        asked = (
            "How many different rods" if wanted == "count" else "What is the sum of the lengths of all the rods that"
        )
        p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN"))
        text = rng.choice(
            (
                f"In quadrilateral ${p}{q}{r}{s}$ we have ${p}{q} = {a}$, ${q}{r} = {b}$, ${r}{s} = {c}$ and ${s}{p} "
                f"= {d}$. The diagonal ${q}{s}$ has a whole number as its length. "
                + (
                    "How many values can it have?"
                    if wanted == "count"
                    else "What is the sum of all its possible values?"
                ),
                f"Four bars are hinged at their ends to a frame ${p}{q}{r}{s}$ with ${p}{q} = {a}$ cm, ${q}{r} = {b}$ "
                f"cm, ${r}{s} = {c}$ cm and ${s}{p} = {d}$ cm. A rod is to be fixed between the hinges ${q}$ and "
                f"${s}$, and there is one rod of every whole number of centimetres. {asked} can be used, if neither "
                "of the two triangles may be flat?",
                f"Two triangles share one side. The first one has further sides of ${a}$ and ${d}$, the second one of "
                f"${b}$ and ${c}$. The shared side has a whole number as its length. "
                + (
                    "How many values can it have?"
                    if wanted == "count"
                    else "What is the sum of all its possible values?"
                ),
            )
        )
    elif kind == "linear":
        more, times = rng.randint(-4, 12), rng.randint(2, 4)
        if more == 0:
            return None
        numbers = [a, more, times]
        sum_text = f"x {'+' if more > 0 else '-'} {abs(more)}"
        fits = [x for x in range(1, 200) if x + more > 0 and 2 * max(a, x + more, times * x) < a + x + more + times * x]
        if len(fits) < 2:
            return None
        low, high = fits[0] - 1, fits[-1] + 1
        counted = (
            "How many values can $x$ have" if wanted == "count" else "What is the sum of all possible values of $x$"
        )
        asked = "For how many integers $x$" if wanted == "count" else "What is the sum of all integers $x$ for which"
        text = rng.choice(
            (
                f"{asked} {'is there' if wanted == 'count' else 'there is'} a triangle whose sides have the lengths "
                f"${a}$, ${sum_text}$ and ${times}x$?",
                f"The edges of a triangular flag measure ${a}$ cm, ${sum_text}$ cm and ${times}x$ cm with a whole "
                "number $x$. "
                f"{counted}?",
            )
        )
    else:
        around = rng.randint(12, 60)
        longest = (around - 1) // 2
        triangles = sum(
            1 for long in range(1, longest + 1) for mid in range(1, long + 1) if 0 < around - long - mid <= mid
        )
        text = rng.choice(
            (
                "How many different triangles have whole numbers as the lengths of their sides and perimeter "
                f"${around}$? Congruent triangles count as one.",
                f"{who} has ${around}$ equally long matches and lays triangles, using all the matches each time and "
                "breaking none. How many triangles of different shape are possible?",
                f"A string with ${around}$ equal links, joined to a ring, is pulled tight over three pegs so that a "
                "peg stands at three of the joints. How many triangles that are not congruent can be formed?",
            )
        )
        return Draw(text, str(triangles), {"kind": kind, "numbers": [around], "wanted": "count"})
    inside = range(low + 1, high)
    if len(inside) < 2:
        return None
    answer = {"count": len(inside), "sum": sum(inside), "least": low + 1, "greatest": high - 1}[wanted]
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers, "wanted": wanted})


def drawn_bisector(kind: str, numbers: list[int], wanted: str) -> str:
    """Draw the triangle in coordinates, let the bisector run between unit vectors and intersect it with the side."""
    from fractions import Fraction
    from itertools import count
    from math import isclose, sqrt

    def parts(c: float, b: float, a: float) -> tuple[float, float]:
        x = (a * a + c * c - b * b) / (2 * a)
        top = complex(x, sqrt(max(c * c - x * x, 0.0)))
        way = (0 - top) / c + (a - top) / b
        foot = top.real - way.real * top.imag / way.imag
        return foot, a - foot

    def exact(value: float) -> str:
        return str(Fraction(value).limit_denominator(200))

    if kind == "sides":
        first, second = parts(*numbers)
        if wanted == "ratio":
            return exact(numbers[0] / first)
        return exact(first if wanted == "first" else second)
    if kind == "difference":
        c, b, gap = numbers
        whole = next(
            Fraction(size, 2)
            for size in count(2 * abs(c - b) + 1)
            if isclose(gap, abs(2 * parts(c, b, size / 2)[0] - size / 2))
        )
        return str(c + b + whole)
    if kind == "pieces":
        c, near, far = numbers
        other = next(
            size
            for size in count(1)
            if abs(c - size) < near + far < c + size and isclose(parts(c, size, near + far)[0], near)
        )
        return str(other if wanted == "side" else c + other + near + far)
    legs = sqrt(numbers[0] ** 2 + numbers[1] ** 2)
    beside, beyond = parts(numbers[0], legs, numbers[1])
    return exact(beside if wanted == "near" else numbers[0] * beyond / 2)


@generator("Divide the opposite side in the ratio of the sides beside a bisected angle", check=drawn_bisector)
def bisector(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("sides",), ("sides", "difference", "pieces"), ("difference", "right", "centre"))[difficulty - 1]
    )
    most = (16, 24, 40)[difficulty - 1]
    c, b, a = (rng.randint(3, most) for _ in range(3))
    p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN", "EFGH"))
    who = person(rng)
    if not abs(b - c) < a < b + c or b == c:
        return None
    near = Fraction(a * c, b + c)
    if kind == "sides":
        wanted = rng.choice(("first", "second"))
        numbers, answer = [c, b, a], near if wanted == "first" else a - near
        piece, corner = (f"{q}{s}", q) if wanted == "first" else (f"{s}{r}", r)
        text = rng.choice(
            (
                f"Triangle ${p}{q}{r}$ has sides ${p}{q} = {c}$, ${p}{r} = {b}$ and ${q}{r} = {a}$. The bisector of "
                f"the angle at ${p}$ meets ${q}{r}$ at ${s}$. How long is ${piece}$?",
                f"A triangular garden ${p}{q}{r}$ has the fences ${p}{q} = {c}$ m, ${p}{r} = {b}$ m and ${q}{r} = "
                f"{a}$ m. A straight hedge from the corner ${p}$ halves the angle there and ends at the fence "
                f"${q}{r}$. How many metres from the corner ${corner}$ does it end?",
                f"{who} folds a paper triangle ${p}{q}{r}$ with ${p}{q} = {c}$ cm, ${p}{r} = {b}$ cm and ${q}{r} = "
                f"{a}$ cm so that the edge ${p}{q}$ comes to lie along the edge ${p}{r}$. The crease meets ${q}{r}$ "
                f"at ${s}$. How many centimetres long is ${piece}$?",
            )
        )
    elif kind == "difference":
        gap = abs(a - 2 * near)
        if gap.denominator > 1 or gap == 0:
            return None
        wanted, numbers, answer = "around", [c, b, int(gap)], Fraction(a + b + c)
        longer, shorter = (f"{q}{s}", f"{s}{r}") if c > b else (f"{s}{r}", f"{q}{s}")
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ the bisector of the angle at ${p}$ meets ${q}{r}$ at ${s}$. Given ${p}{q} = "
                f"{c}$, ${p}{r} = {b}$ and ${longer} - {shorter} = {gap}$, find the perimeter of the triangle.",
                f"Two straight roads of ${c}$ km and ${b}$ km lead from a town to two villages, and a third straight "
                "road joins the villages. A path from the town halves the angle between its two roads. Where it "
                f"meets the third road, one village is ${gap}$ km farther away along that road than the other. How "
                "many kilometres long are the three roads together?",
            )
        )
    elif kind == "pieces":
        if near.denominator > 1:
            return None
        wanted = rng.choice(("side", "around"))
        numbers, answer = [c, int(near), int(a - near)], Fraction(b if wanted == "side" else a + b + c)
        asked = f"How long is ${p}{r}$?" if wanted == "side" else f"What is the perimeter of triangle ${p}{q}{r}$?"
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ the bisector of the angle at ${p}$ meets ${q}{r}$ at ${s}$, with ${q}{s} = "
                f"{near}$ and ${s}{r} = {a - near}$. Moreover ${p}{q} = {c}$. {asked}",
                f"A straight path from the corner ${p}$ of a triangular park ${p}{q}{r}$ halves the angle there and "
                f"reaches the opposite side at a gate, ${near}$ m from ${q}$ and ${a - near}$ m from ${r}$. The side "
                f"${p}{q}$ is ${c}$ m long. {asked.replace('?', ', in metres?')}",
            )
        )
    elif kind == "right":
        m, n = sorted(rng.sample(range(1, 8), 2))
        scale = rng.randint(1, 6)
        if gcd(m, n) > 1:
            return None
        one, other, third = ((n * n - m * m) * scale, 2 * m * n * scale, (n * n + m * m) * scale)
        if rng.random() < 0.5:
            one, other = other, one
        wanted = rng.choice(("near", "area"))
        numbers = [one, other]
        close = Fraction(one * other, one + third)
        answer = close if wanted == "near" else one * (other - close) / 2
        asked = (
            f"How long is the segment of ${q}{r}$ between ${q}$ and this line?"
            if wanted == "near"
            else f"What is the area of the part of the triangle that contains the corner ${r}$?"
        )
        text = rng.choice(
            (
                f"Triangle ${p}{q}{r}$ has a right angle at ${q}$, and ${p}{q} = {one}$, ${q}{r} = {other}$. A line "
                f"through ${p}$ halves the angle at ${p}$. {asked}",
                f"A right triangle ${p}{q}{r}$ with ${p}{q} = {one}$ and ${q}{r} = {other}$ has its right angle at "
                f"${q}$. It is cut in two along the bisector of its angle at ${p}$. "
                f"{asked.replace('this line', 'the cut')}",
                f"The sides of a plot ${p}{q}{r}$ at its right angle ${q}$ are ${p}{q} = {one}$ and ${q}{r} = "
                f"{other}$, in metres. A straight fence from ${p}$ halves the angle there. "
                + (
                    f"How many metres of the side ${q}{r}$ lie between ${q}$ and the fence?"
                    if wanted == "near"
                    else f"How many square metres are on the side of ${r}$?"
                ),
            )
        )
    else:
        kind, wanted, numbers, answer = "sides", "ratio", [c, b, a], Fraction(b + c, a)
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ with ${p}{q} = {c}$, ${p}{r} = {b}$ and ${q}{r} = {a}$ the bisector of the "
                f"angle at ${p}$ ends at ${s}$ on ${q}{r}$, and it contains the centre $I$ of the inscribed circle. "
                f"Find the ratio $\\dfrac{{{p}I}}{{I{s}}}$.",
                f"The bisectors of the angles of triangle ${p}{q}{r}$ meet at $I$, and the one from ${p}$ meets "
                f"${q}{r}$ at ${s}$. How many times as long as $I{s}$ is ${p}I$, if ${p}{q} = {c}$, ${p}{r} = {b}$ "
                f"and ${q}{r} = {a}$?",
            )
        )
    if answer.denominator > (1, 5, 12)[difficulty - 1]:
        return None
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers, "wanted": wanted})


def placed_on_axis(kind: str, numbers: list[int]) -> str:
    """Put the third side on an axis, find the opposite corner by its distances and measure; try unknown sides."""
    from fractions import Fraction
    from itertools import count
    from math import isqrt

    def to_middle(b: int, c: int, a: int) -> Fraction:
        x = Fraction(c * c + a * a - b * b, 2 * a)
        return c * c - x * x + (x - Fraction(a, 2)) ** 2

    def root(square: Fraction) -> Fraction:
        return Fraction(isqrt(square.numerator), isqrt(square.denominator))

    b, c, third = numbers
    if kind == "median":
        return str(root(to_middle(b, c, third)))
    if kind == "square":
        return str(to_middle(b, c, third))
    if kind == "diagonal":
        return str(2 * root(to_middle(b, c, third)))
    if kind == "third":
        return str(next(a for a in count(1) if a > abs(b - c) and to_middle(b, c, a) == third * third))
    if kind == "side":
        # Here the median is the second number and the cut side the third.
        return str(next(x for x in count(1) if abs(b - x) < third < b + x and to_middle(b, x, third) == c * c))
    # Two diagonals and half of the perimeter.
    longer = (third + 1) // 2
    while 4 * to_middle(longer, third - longer, b) != c * c:
        longer += 1
    return str(longer if kind == "longer" else longer * (third - longer))


@generator("Double a median to complete a parallelogram", check=placed_on_axis)
def doubled_median(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (
            ("median", "diagonal", "square"),
            ("median", "third", "diagonal", "side", "square"),
            ("third", "side", "longer", "product"),
        )[difficulty - 1]
    )
    most = (12, 22, 40)[difficulty - 1]
    b, c = rng.randint(3, most), rng.randint(3, most)
    four = 2 * (b * b + c * c)
    found = [d for d in range(abs(b - c) + 1, b + c) if isqrt(four - d * d) ** 2 == four - d * d]
    # One diagonal is the third side, the other one twice the median.
    if b == c or not found:
        return None
    a = rng.choice(found)
    other = isqrt(four - a * a)
    p, q, r, m, s = rng.choice(("ABCMD", "PQRMS", "KLMNO", "XYZMW", "DEFMG"))
    who = person(rng)
    if kind == "square":
        a = rng.randint(abs(b - c) + 1, b + c - 1)
        answer = Fraction(four - a * a, 4)
        numbers = [b, c, a]
        text = rng.choice(
            (
                f"Triangle ${p}{q}{r}$ has sides ${p}{q} = {c}$, ${p}{r} = {b}$ and ${q}{r} = {a}$, and ${m}$ is the "
                f"midpoint of ${q}{r}$. Find ${p}{m}^2$.",
                f"The sides of a triangle have lengths ${b}$, ${c}$ and ${a}$. What is the square of the length of the "
                f"median to the side of length ${a}$?",
            )
        )
        return Draw(text, str(answer), {"kind": kind, "numbers": numbers})
    if kind in ("median", "third", "side") and other % 2:
        return None
    half = other // 2
    if kind == "median":
        numbers, answer = [b, c, a], Fraction(half)
        text = rng.choice(
            (
                f"A triangle has sides of lengths ${b}$, ${c}$ and ${a}$. How long is the median to the side of length "
                f"${a}$?",
                f"In triangle ${p}{q}{r}$, ${p}{q} = {c}$, ${p}{r} = {b}$ and ${q}{r} = {a}$. Point ${m}$ is the "
                f"midpoint of $\\overline{{{q}{r}}}$. Find ${p}{m}$.",
                f"Two huts are ${a}$ km apart. A balloonist on the ground measures ${b}$ km to one hut and ${c}$ km to "
                "the other. How many kilometres is it to the point halfway between the huts?",
                f"A triangular sail has edges of ${b}$ dm, ${c}$ dm and ${a}$ dm. {who} sews a straight seam from the "
                f"corner opposite the edge of ${a}$ dm to the middle of this edge. How many decimetres long is the "
                "seam?",
            )
        )
    elif kind == "third":
        numbers, answer = [b, c, half], Fraction(a)
        text = rng.choice(
            (
                f"Two sides of a triangle are ${b}$ and ${c}$ long, and the median between them, drawn to the third "
                f"side, has length ${half}$. How long is the third side?",
                f"In triangle ${p}{q}{r}$ we have ${p}{q} = {c}$ and ${p}{r} = {b}$, and the median ${p}{m}$ has "
                f"length "
                f"${half}$. Find ${q}{r}$.",
                f"A tower stands ${b}$ km from one end of a straight road, ${c}$ km from the other end and ${half}$ km "
                "from the middle of the road. How many kilometres long is the road?",
                f"From the ridge of a roof two rafters of ${b}$ m and ${c}$ m lead down to the ends of a beam, and a "
                f"strut of ${half}$ m leads to the middle of the beam. How many metres long is the beam?",
            )
        )
    elif kind == "side":
        numbers, answer = [b, half, a], Fraction(c)
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ the side ${q}{r}$ has length ${a}$, the side ${p}{r}$ has length ${b}$, and "
                f"the median from ${p}$ has length ${half}$. How long is ${p}{q}$?",
                f"A median of length ${half}$ goes to a side of length ${a}$ of a triangle. Another side of the "
                f"triangle is ${b}$ long. What is the length of the remaining side?",
                f"A straight pier is ${a}$ m long. A buoy is ${half}$ m from the middle of the pier and ${b}$ m from "
                "one of its ends. How many metres is it from the other end?",
            )
        )
    elif kind == "diagonal":
        numbers, answer = [b, c, a], Fraction(other)
        text = rng.choice(
            (
                f"A parallelogram has sides of lengths ${b}$ and ${c}$, and one of its diagonals has length ${a}$. How "
                "long is the other diagonal?",
                f"In parallelogram ${p}{q}{s}{r}$ we have ${p}{q} = {b}$, ${q}{s} = {c}$ and ${q}{r} = {a}$. Find "
                f"${p}{s}$.",
                f"A field is a parallelogram with fences of ${b}$ hm and ${c}$ hm. A path of ${a}$ hm joins two "
                "opposite corners. How many hectometres is it straight from one of the other corners to the other?",
                f"Two forces of ${b}$ N and ${c}$ N act on a hook. If one of them were reversed, the resultant would "
                f"be ${a}$ N. How many newtons is the resultant of the two forces as they are?",
            )
        )
    else:
        numbers = [a, other, b + c]
        answer = Fraction(max(b, c) if kind == "longer" else b * c)
        asked = "How long are its longer sides?" if kind == "longer" else "What is the product of two adjacent sides?"
        text = rng.choice(
            (
                f"The diagonals of a parallelogram have lengths ${a}$ and ${other}$, and its perimeter is "
                f"${2 * (b + c)}$. {asked}",
                f"{who} builds a frame in the shape of a parallelogram from ${2 * (b + c)}$ cm of lath and stiffens it "
                f"with diagonals of ${a}$ cm and ${other}$ cm. "
                + (
                    "How many centimetres long is a longer side of the frame?"
                    if kind == "longer"
                    else "The lengths of two neighbouring sides, in centimetres, are multiplied. What is the product?"
                ),
                f"Triangle ${p}{q}{r}$ has ${q}{r} = {a}$ and ${p}{q} + {p}{r} = {b + c}$. The point symmetric to "
                f"${p}$ with respect to the midpoint of ${q}{r}$ is ${s}$, and ${p}{s} = {other}$. "
                + (
                    f"How long is the longer one of the sides ${p}{q}$ and ${p}{r}$?"
                    if kind == "longer"
                    else f"Find the product ${p}{q} \\cdot {p}{r}$."
                ),
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})


def tip_located(kind: str, numbers: list[int]) -> str:
    """Locate the tip over the third side by two of its distances and measure the third; try unknown units."""
    from fractions import Fraction
    from itertools import count
    from math import isqrt

    def squared(first: int, second: int, apart: int, at: int) -> Fraction:
        x = Fraction(first * first - second * second + apart * apart, 2 * apart)
        return first * first - x * x + (x - at) ** 2

    if kind == "unit":
        c, d, b, m, n = numbers
        return str(
            next(
                k * (m + n)
                for k in count(1)
                if abs(c - d) <= k * m <= c + d and squared(c, d, k * m, k * (m + n)) == b * b
            )
        )
    if kind == "side":
        c, d, m, n = numbers
        return str(isqrt(int(squared(c, d, m, m + n))))
    c, b, m, n = numbers
    square = squared(c, b, m + n, m)
    return str(square) if kind == "square" else str(isqrt(int(square)))


@generator("Weigh the squares of two sides to find a segment to the third", check=tip_located)
def stewart(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("cevian", "square"), ("cevian", "side", "square"), ("cevian", "side", "unit"))[difficulty - 1])
    most = (14, 22, 36)[difficulty - 1]
    b, c, a = (rng.randint(3, most) for _ in range(3))
    if not abs(b - c) < a < b + c or (b == c and difficulty > 1):
        return None
    found: list[tuple[int, int]] = []
    for part in range(1, a):
        weighed = b * b * part + c * c * (a - part)
        if weighed % a:
            continue
        square = weighed // a - part * (a - part)
        if 2 * part != a and isqrt(square) ** 2 == square:
            found.append((part, isqrt(square)))
    p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN", "EFGH", "XYZW"))
    who = person(rng)
    if kind == "square":
        m = rng.randint(1, a - 1)
        n = a - m
        answer = Fraction(b * b * m + c * c * n, a) - m * n
        if m == n or answer.denominator > (1, 5)[difficulty - 1]:
            return None
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ we have ${p}{q} = {c}$, ${p}{r} = {b}$ and ${q}{r} = {a}$. Point ${s}$ lies "
                f"on ${q}{r}$ with ${q}{s} = {m}$. Find ${p}{s}^2$.",
                f"Triangle ${p}{q}{r}$ has a point ${s}$ on its side ${q}{r}$ with ${q}{s} = {m}$ and ${s}{r} = {n}$. "
                f"Moreover ${p}{q} = {c}$ and ${p}{r} = {b}$. What is the square of the length of ${p}{s}$?",
            )
        )
        return Draw(text, str(answer), {"kind": kind, "numbers": [c, b, m, n]})
    if not found:
        return None
    m, d = rng.choice(found)
    n = a - m
    if kind == "cevian":
        numbers, answer = [c, b, m, n], Fraction(d)
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$ the point ${s}$ on side ${q}{r}$ satisfies ${q}{s} = {m}$ and ${s}{r} = "
                f"{n}$. "
                f"If ${p}{q} = {c}$ and ${p}{r} = {b}$, what is the length of the cevian ${p}{s}$?",
                f"Two rafters of ${c}$ m and ${b}$ m meet at the ridge of a shed and stand on a level beam of ${a}$ m. "
                f"A strut from the ridge ends on the beam, ${m}$ m from the foot of the rafter of ${c}$ m. How many "
                "metres long is the strut?",
                f"A straight road of ${a}$ km joins two villages. A castle is ${c}$ km from the first village and "
                f"${b}$ km from the second, as the crow flies. {who} walks from the first village along the road and "
                f"has gone ${m}$ km. How many kilometres from the castle is {who} now?",
                f"A triangle has sides ${c}$, ${b}$ and ${a}$. From the corner opposite the side of length ${a}$ a "
                f"segment is drawn that divides this side into ${m}$ and ${n}$, the part ${m}$ beside the side of "
                f"length ${c}$. How long is the segment?",
            )
        )
    elif kind == "side":
        numbers, answer = [c, d, m, n], Fraction(b)
        text = rng.choice(
            (
                f"Point ${s}$ on side ${q}{r}$ of triangle ${p}{q}{r}$ is such that ${q}{s} = {m}$, ${s}{r} = {n}$, "
                f"${p}{s} = {d}$ and ${p}{q} = {c}$. Find ${p}{r}$.",
                f"A ship sails in a straight line. A lighthouse is ${c}$ miles away at first. After ${m}$ miles it is "
                f"${d}$ miles away. How many miles away is it after ${n}$ more miles on the same course?",
                f"Three guy wires run from the top of a mast that leans in the plane of three pegs standing in one "
                f"row. The wires to the first and the second peg measure ${c}$ m and ${d}$ m. The second peg is ${m}$ "
                f"m from the first, and the third peg is ${n}$ m farther on. How many metres does the third wire "
                "measure?",
            )
        )
    else:
        common = gcd(m, n)
        u, v = m // common, n // common
        if common == 1 or u > 6 or v > 6 or n == m:
            return None
        numbers, answer = [c, d, b, u, v], Fraction(a)
        text = rng.choice(
            (
                f"In triangle ${p}{q}{r}$, ${p}{q} = {c}$ and ${p}{r} = {b}$. A point ${s}$ divides ${q}{r}$ so that "
                f"${q}{s} : {s}{r} = {u} : {v}$, and ${p}{s} = {d}$. How long is ${q}{r}$?",
                f"A plane flies straight and level in a vertical plane through an observer, at constant speed. At "
                f"one moment it is ${c}$ km away from the observer, ${u}$ {'minute' if u == 1 else 'minutes'} later "
                f"${d}$ km, and after another {v} {'minute' if v == 1 else 'minutes'} ${b}$ km. How many kilometres "
                "did it fly between the first and the third moment?",
                f"The side ${q}{r}$ of a triangular plot ${p}{q}{r}$ lies along a lake and cannot be measured "
                f"directly. A stone ${s}$ on it divides it in the ratio ${u} : {v}$, counted from ${q}$. The "
                f"distances from ${p}$ are ${c}$ m to ${q}$, ${d}$ m to the stone and ${b}$ m to ${r}$. How many "
                f"metres "
                f"long is ${q}{r}$?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})


def searched_in_coordinates(kind: str, numbers: list[int], wanted: str) -> str:
    """Try places of the free corners until the arms are equal and at a right angle, then measure in coordinates."""
    from fractions import Fraction

    one, other = numbers
    if kind == "square":
        foot = next(x for x in range(one) if x * one - one * other == 0)
        between = {"area": Fraction((one - foot) * other, 2), "rest": Fraction(one - foot)}
        return str(between[wanted])
    top = other if kind != "inside" else -other
    first, second = next(
        (x, -one * top // x)
        for x in range(1, 200)
        if one * top % x == 0 and x * x + one * one == (one * top // x) ** 2 + top * top
    )
    square = first * first + one * one
    if wanted == "arm":
        return str(next(x for x in range(square) if x * x == square))
    return str({"feet": Fraction(abs(first - second)), "square": square, "area": Fraction(square, 2)}[wanted])


@generator("Match two congruent triangles to carry lengths across the figure", check=searched_in_coordinates)
def carried_lengths(rng: Random, difficulty: int) -> Draw | None:
    kind, wanted = rng.choice(
        (
            (("line", "feet"), ("line", "square"), ("squares", "square"), ("ladder", "feet"), ("line", "area")),
            (("line", "area"), ("squares", "square"), ("ladder", "arm"), ("square", "area"), ("inside", "area")),
            (("line", "area"), ("line", "arm"), ("ladder", "arm"), ("inside", "area"), ("square", "area")),
        )[difficulty - 1]
    )
    most = (12, 24, 60)[difficulty - 1]
    one, other = rng.randint(2, most), rng.randint(2, most)
    square = one * one + other * other
    if one == other or (wanted == "arm" and isqrt(square) ** 2 != square):
        return None
    p, q, r, s, e, f = rng.choice(("ABCDEF", "PQRSTU", "KLMNOX", "UVWXYZ"))
    who = person(rng)
    answer = {
        "feet": Fraction(one + other if kind != "inside" else abs(one - other)),
        "square": Fraction(square),
        "area": Fraction(square, 2),
        "arm": Fraction(isqrt(square)),
    }[wanted]
    if kind == "square":
        if other >= one:
            return None
        answer = Fraction((one - other) * other, 2)
        text = rng.choice(
            (
                f"Square ${p}{q}{r}{s}$ has side length ${one}$. Point ${e}$ lies on ${q}{r}$ with ${q}{e} = {other}$, "
                f"and the perpendicular from ${s}$ to ${p}{e}$ meets ${p}{q}$ at ${f}$. What is the area of triangle "
                f"${f}{q}{e}$?",
                f"A square tile ${p}{q}{r}{s}$ with sides of ${one}$ cm is scored along two straight lines at right "
                f"angles to each other. One runs from the corner ${p}$ to the point ${e}$ of the edge ${q}{r}$ that is "
                f"${other}$ cm from ${q}$, the other one from the corner ${s}$ to a point ${f}$ of the edge ${p}{q}$. "
                f"Then the corner piece ${f}{q}{e}$ is broken off. What is its area in square centimetres?",
            )
        )
    elif kind == "squares":
        text = rng.choice(
            (
                "Two squares stand on the line $\\ell$, side by side with a gap between them. A third square fills the "
                "gap without a side on $\\ell$: its lowest corner is on $\\ell$, and the two corners next to it are "
                f"the facing upper corners of the two squares, which have areas ${one * one}$ and ${other * other}$. "
                "What is the area of the third square?",
                f"A square stands on one corner on the line $\\ell$, without a side on it. The corners next to this "
                f"one are at distances ${one}$ and ${other}$ from $\\ell$. What is the area of the square?",
                f"A square crate has tipped up and rests on one edge. Seen from the side, the "
                f"square's lowest corner is on the level ground, and its two neighbouring corners are ${one}$ dm and "
                f"${other}$ dm above the ground. How many square decimetres does the square side of the crate measure?",
            )
        )
    elif kind == "ladder":
        asked = "How many metres wide is the alley?" if wanted == "feet" else "How many metres long is the ladder?"
        tail = "How wide is the gap between the walls?" if wanted == "feet" else "How long is the beam?"
        text = rng.choice(
            (
                f"In an alley between two vertical walls a ladder leans against the left wall and reaches ${one}$ m "
                "up. Without moving its foot it is tilted over to the right wall, where it reaches "
                f"${other}$ m up. The two positions of the ladder make a right angle. {asked}",
                f"A beam fixed to the level floor at one end touches one wall at height ${one}$. Turned in a vertical "
                f"plane by exactly $90^\\circ$ about its lower end, it touches the parallel wall opposite at height "
                f"${other}$. {tail}",
                f"{who} holds the corner of a large set square with two equally long arms at a right angle on the "
                f"ground, so that the arms point up on both sides in a vertical plane. Their ends are ${one}$ dm and "
                f"${other}$ dm above the ground. "
                + (
                    "How many decimetres apart are the points of the ground exactly below the two ends?"
                    if wanted == "feet"
                    else "How many decimetres long is each arm?"
                ),
            )
        )
    elif kind == "line":
        asked = {
            "feet": f"How long is ${s}{e}$?",
            "square": f"What is ${p}{r}^2$?",
            "area": f"What is the area of triangle ${p}{q}{r}$?",
            "arm": f"How long is the leg ${p}{r}$?",
        }[wanted]
        text = rng.choice(
            (
                f"In the isosceles right triangle ${p}{q}{r}$ the right angle is at ${r}$. Perpendiculars ${p}{s}$ and "
                f"${q}{e}$ are dropped from ${p}$ and ${q}$ to a line through ${r}$ that does not cross the triangle. "
                f"If ${p}{s} = {one}$ and ${q}{e} = {other}$, {asked[0].lower() + asked[1:]}",
                f"Triangle ${p}{q}{r}$ satisfies ${p}{r} = {q}{r}$ and $\\angle {p}{r}{q} = 90^\\circ$. A line passes "
                f"through ${r}$ outside the triangle. The feet of the perpendiculars from ${p}$ and ${q}$ to it are "
                f"${s}$ and ${e}$, with ${p}{s} = {one}$ and ${q}{e} = {other}$. {asked}",
                f"Two straight poles ${r}{p}$ and ${r}{q}$ of equal length stick out of the level ground at ${r}$, in "
                f"one vertical plane and at a right angle to each other. The sun is directly overhead, so that the "
                f"shadows of the ends ${p}$ and ${q}$ fall on the points ${s}$ and ${e}$ below them. With ${p}{s} = "
                f"{one}$ and ${q}{e} = {other}$ (in metres), {asked[0].lower() + asked[1:]}",
                f"Triangle ${p}{q}{r}$ has a right angle at ${r}$ and equal legs. The corner ${r}$ lies on a straight "
                f"road, the rest of the triangle on one side of it. The corners ${p}$ and ${q}$ are at distances "
                f"${one}$ and ${other}$ from the points ${s}$ and ${e}$ of the road nearest to them. {asked}",
            )
        )
    else:
        text = rng.choice(
            (
                f"A line through the corner ${r}$ of triangle ${p}{q}{r}$ passes between ${p}$ and ${q}$. The triangle "
                f"has ${p}{r} = {q}{r}$ and a right angle at ${r}$. The perpendiculars from ${p}$ and ${q}$ to the "
                f"line have lengths ${one}$ and ${other}$. Find the area of the triangle.",
                f"A straight path leads from the corner ${r}$ of a triangular lawn ${p}{q}{r}$ across the lawn. The "
                f"sides ${r}{p}$ and ${r}{q}$ are equal and enclose a right angle. The other two corners are ${one}$ m "
                f"and ${other}$ m away from the straight line of the path, on different sides. How many square metres "
                "does the lawn measure?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": [one, other], "wanted": wanted})


def right_angle_tried(kind: str, numbers: list[int]) -> int:
    """Try sizes of the unknown length until the squares of both legs add up to the square of the hypotenuse."""
    from itertools import count
    from math import isqrt

    one, two = numbers

    def right(p: int, q: int, h: int) -> bool:
        return p * p + h * h + q * q + h * h == (p + q) ** 2

    if kind in ("altitude", "leg"):
        h = next(x for x in count(1) if right(one, two, x))
        return h if kind == "altitude" else isqrt(h * h + one * one)
    if kind in ("hypotenuse", "area"):
        q = next(x for x in count(1) if right(one, x, two))
        return q + one if kind == "hypotenuse" else (q + one) * two // 2
    if kind == "split":
        return next(x for x in count(1) if right(one, x, isqrt(two * two - one * one)))
    if kind == "shorter part":
        return next(x for x in range(1, two) if right(x, two - x, one))
    return two + next(x for x in range(1, one) if one * one == x * x + x * two)


@generator("Split the hypotenuse by its altitude into geometric means", check=right_angle_tried)
def geometric_means(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (
            ("altitude", "hypotenuse"),
            ("leg", "hypotenuse", "split", "area", "altitude"),
            ("shorter part", "whole", "split", "area", "leg"),
        )[difficulty - 1]
    )
    u, v = rng.randint(1, 4 + difficulty), rng.randint(1, 4 + difficulty)
    k = rng.randint(1, 6 + 4 * difficulty)
    # Parts k*u^2 and k*v^2 with the altitude k*u*v between them.
    near, far, height = k * u * u, k * v * v, k * u * v
    w = isqrt(u * u + v * v)
    whole = near + far
    if u == v or gcd(u, v) > 1 or whole > 60 * difficulty:
        return None
    if kind in ("leg", "split", "whole") and w * w != u * u + v * v:
        return None
    p, q, r, s = rng.choice(("ABCD", "PQRS", "KLMN", "UVWX", "DEFG"))
    who = person(rng)
    leg = k * u * w
    if kind == "altitude":
        numbers, answer = [near, far], height
        text = rng.choice(
            (
                f"The altitude to the hypotenuse of a right triangle divides the hypotenuse into parts of lengths "
                f"${near}$ and ${far}$. How long is the altitude?",
                f"Triangle ${p}{q}{r}$ has its right angle at ${r}$, and the foot of the altitude from ${r}$ is ${s}$. "
                f"If ${p}{s} = {near}$ and ${s}{q} = {far}$, find ${r}{s}$.",
                f"Point ${s}$ lies on the diameter ${p}{q}$ of a half circle, with ${p}{s} = {near}$ and ${s}{q} = "
                f"{far}$. The perpendicular to the diameter at ${s}$ meets the half circle at ${r}$. How long is "
                f"${s}{r}$?",
                f"A half-round window stands on its straight edge. A vertical bar divides this edge into pieces of "
                f"${near}$ cm and ${far}$ cm and reaches up to the round frame. How many centimetres long is the bar?",
                f"The two slopes of a roof meet at a right angle at the ridge. The point of the attic floor below the "
                f"ridge is ${near}$ dm from one eave and ${far}$ dm from the other, measured along the floor. How many "
                "decimetres is the ridge above the floor?",
            )
        )
    elif kind == "hypotenuse":
        numbers, answer = [near, height], whole
        text = rng.choice(
            (
                f"In a right triangle the altitude to the hypotenuse has length ${height}$, and its foot is ${near}$ "
                "away from one end of the hypotenuse. How long is the hypotenuse?",
                f"To find the distance between two marks ${p}$ and ${q}$ on opposite banks, {who} puts up a pole of "
                f"${height}$ dm on the line ${p}{q}$, ${near}$ dm from ${p}$, with a set square at its top. One arm of "
                f"the right angle points exactly at ${p}$, the other one at ${q}$. How many decimetres apart are the "
                "marks?",
                f"On a half circle with diameter ${p}{q}$ lies a point ${r}$ at distance ${height}$ from the diameter. "
                f"The foot ${s}$ of the perpendicular from ${r}$ satisfies ${p}{s} = {near}$. What is the length of "
                "the diameter?",
            )
        )
    elif kind == "area":
        numbers, answer = [near, height], whole * height
        if answer % 2:
            return None
        answer //= 2
        text = rng.choice(
            (
                f"The altitude ${r}{s}$ to the hypotenuse ${p}{q}$ of the right triangle ${p}{q}{r}$ has length "
                f"${height}$, and ${p}{s} = {near}$. What is the area of triangle ${p}{q}{r}$?",
                f"A gable is a triangle with a right angle at the top. The top is ${height}$ dm above the base, and "
                f"the point of the base below it is ${near}$ dm from one end of the base. How many square decimetres "
                "does the gable measure?",
                f"A right triangle is cut along its altitude to the hypotenuse. The altitude is ${height}$ long, and "
                f"one of the two pieces has a side of length ${near}$ on the hypotenuse. What was the area of the "
                "whole triangle?",
            )
        )
    elif kind == "leg":
        numbers, answer = [near, far], leg
        text = rng.choice(
            (
                f"The foot of the altitude divides the hypotenuse of a right triangle into ${near}$ and ${far}$. How "
                f"long is the leg beside the part of length ${near}$?",
                f"${p}{q}$ is a diameter of a circle and ${r}$ a point of the circle. The foot of the perpendicular "
                f"from ${r}$ to ${p}{q}$ is at distance ${near}$ from ${p}$ and ${far}$ from ${q}$. Find ${p}{r}$.",
                f"Two straight wires run from the top of a vertical mast to the level ground on opposite sides and "
                f"make a right angle at the top. They end ${near}$ m and ${far}$ m from the foot of the mast. How many "
                f"metres long is the wire that ends ${near}$ m from the foot?",
            )
        )
    elif kind == "split":
        numbers, answer = [near, leg], far
        text = rng.choice(
            (
                f"In the right triangle ${p}{q}{r}$ with the right angle at ${r}$ the altitude from ${r}$ has its foot "
                f"at ${s}$. Given ${p}{r} = {leg}$ and ${p}{s} = {near}$, how long is ${s}{q}$?",
                f"A leg of a right triangle is ${leg}$ long, and its perpendicular projection onto the hypotenuse is "
                f"${near}$ long. How long is the projection of the other leg?",
                f"From the top of a cliff two ropes are stretched at a right angle to each other, down to pegs on the "
                f"level ground on both sides. One rope is ${leg}$ m long and its peg is ${near}$ m from the point "
                "below the top. How many metres is the other peg from that point?",
            )
        )
    elif kind == "shorter part":
        numbers, answer = [height, whole], min(near, far)
        text = rng.choice(
            (
                f"A right triangle has hypotenuse ${whole}$, and the altitude to it has length ${height}$. How long is "
                "the shorter of the two parts into which the altitude divides the hypotenuse?",
                f"A half-round tunnel is ${whole}$ dm wide at the ground. At what distance from the nearer wall, in "
                f"decimetres along the ground, is the ceiling exactly ${height}$ dm high?",
                f"The point ${r}$ on the half circle over the diameter ${p}{q} = {whole}$ is at distance ${height}$ "
                f"from ${p}{q}$ and nearer to ${p}$ than to ${q}$. The perpendicular from ${r}$ meets ${p}{q}$ at "
                f"${s}$. Find ${p}{s}$.",
            )
        )
    else:
        numbers, answer = [leg, far], whole
        text = rng.choice(
            (
                f"In a right triangle one leg has length ${leg}$, and the altitude to the hypotenuse cuts off a part "
                f"of length ${far}$ on the side of the other leg. How long is the hypotenuse?",
                f"Triangle ${p}{q}{r}$ has a right angle at ${r}$ and ${p}{r} = {leg}$. The foot ${s}$ of the altitude "
                f"from ${r}$ satisfies ${s}{q} = {far}$. Find ${p}{q}$.",
                f"The two sides of a tent meet at a right angle at the ridge pole. One side is ${leg}$ dm long, and "
                f"the lower edge of the other side is ${far}$ dm from the point of the ground below the ridge. How "
                "many decimetres wide is the tent at the ground?",
            )
        )
    return Draw(text, str(answer), {"kind": kind, "numbers": numbers})
