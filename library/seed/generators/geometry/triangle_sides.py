"""Problems on possible sides of triangles and on angle bisectors."""

from fractions import Fraction
from math import gcd
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
