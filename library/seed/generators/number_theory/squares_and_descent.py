"""Problems on expressions that are to be squares."""

from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def squares_met(b: int, c: int, asked: str) -> int:
    """Try n after n until the value is too near to a square with a fixed distance from n to be a square itself."""
    from math import isqrt

    found = []
    for n in range(1, abs(4 * c - b * b) + abs(b) + 1):
        value = n * n + b * n + c
        if value >= 0 and isqrt(value) ** 2 == value:
            found.append(n)
    return {"largest": max(found), "count": len(found), "sum": sum(found)}[asked]


@generator("Turn a square condition into a difference of squares", check=squares_met)
def square_values(rng: Random, difficulty: int) -> Draw | None:
    b = rng.choice(((0, 2, 4), (2, 4, 6, 8, 10, 12), (1, 3, 5, 7, 9, 11, 13))[difficulty - 1])
    c = rng.randint(*((-40, 60), (-120, 200), (-100, 250))[difficulty - 1])
    name = person(rng)
    story = rng.random() < 0.35
    if story and difficulty > 1:
        # A leg of a right triangle with sides of whole numbers: n^2 + leg^2 is a square.
        leg = rng.randint(*((6, 40), (40, 150))[difficulty - 2])
        b, c = 0, leg * leg
    elif story:
        b = 0
        c = abs(c)
    # (2m - 2n - b)(2m + 2n + b) = 4c - b^2
    constant = 4 * c - b * b
    if constant == 0:
        return None
    found = []
    for s in range(1, isqrt(abs(constant)) + 1):
        if constant % s == 0:
            # n may be found from either order of the two factors, and from negative ones.
            for p in (s, -s, abs(constant) // s, -abs(constant) // s):
                twice = constant // p - p - 2 * b
                if twice % 4 == 0 and twice > 0 and (constant // p + p) % 4 == 0:
                    found.append(twice // 4)
    numbers = sorted(set(found))
    if not numbers:
        return None
    asked = rng.choice(("largest", "count", "sum"))
    if len(numbers) < 2 and asked != "largest":
        return None
    answer = {"largest": numbers[-1], "count": len(numbers), "sum": sum(numbers)}[asked]
    expression = polynomial([1, b, c], "n")
    goals = {
        "largest": ("Find the largest positive integer $n$ for which", "a perfect square."),
        "count": ("For how many positive integers $n$ is", "a perfect square?"),
        "sum": ("Find the sum of all positive integers $n$ for which", "a perfect square."),
    }
    start, end = goals[asked]
    if story and difficulty > 1:
        triangle = (
            "The sides of a right-angled triangle are whole numbers of centimetres, and one of the two sides at the "
            f"right angle is {leg} cm long."
        )
        forms = {
            "largest": [
                f"{triangle} How many centimetres long can the other side at the right angle be at most?",
                f"A rectangle has one side of {leg} cm, and its other side and its diagonal are whole numbers of "
                "centimetres. What is the largest possible length of the other side, in centimetres?",
            ],
            "count": [f"{triangle} How many different triangles of this kind are there?"],
            "sum": [
                f"{triangle} What do all possible lengths of the other side at the right angle add up to, in "
                "centimetres?"
            ],
        }[asked]
    elif story:
        forms = {
            "largest": [
                f"{name} lays out a full square of tiles and then adds exactly {c} more tiles so that all tiles "
                "together make a larger full square. What is the largest number of tiles that a side of the first "
                "square can have had?"
            ],
            "count": [
                f"{name} lays out a full square of tiles and then adds exactly {c} more tiles so that all tiles "
                "together make a larger full square. How many sizes of the first square are possible?"
            ],
            "sum": [
                f"The square of the positive integer $n$ becomes the square of another integer when ${c}$ is added. "
                "What is the sum of all possible values of $n$?"
            ],
        }[asked]
        if c == 0:
            return None
    else:
        verb = "is " if asked != "count" else ""
        forms = [
            f"{start} ${expression}$ {verb}{end}",
            {
                "largest": rf"For which largest positive integer $n$ is $\sqrt{{{expression}}}$ an integer?",
                "count": rf"For how many positive integers $n$ is $\sqrt{{{expression}}}$ an integer?",
                "sum": rf"The number $\sqrt{{{expression}}}$ is an integer for some positive integers $n$. What is the "
                "sum of these $n$?",
            }[asked],
            {
                "largest": f"Integers $m$ and $n > 0$ satisfy $m^2 = {expression}$. What is the largest possible value "
                "of $n$?",
                "count": rf"How many pairs $(m, n)$ of integers $m \ge 0$, $n > 0$ satisfy $m^2 = {expression}$?",
                "sum": f"Integers $m$ and $n > 0$ satisfy $m^2 = {expression}$. Find the sum of all possible values of "
                "$n$.",
            }[asked],
        ]
    return Draw(rng.choice(forms), str(answer), {"b": b, "c": c, "asked": asked})


def values_between(coefficients: list[int], asked: str) -> int:
    """Compute the value for every n up to a safe size and take its square root."""
    from math import isqrt

    found = []
    for n in range(1, 400 + sum(abs(c) for c in coefficients)):
        value = 0
        for c in coefficients:
            value = value * n + c
        if value >= 0 and isqrt(value) ** 2 == value:
            found.append(n)
    return {"only": max(found), "largest": max(found), "sum": sum(found), "count": len(found)}[asked]


@generator("Squeeze an expression between neighbouring squares", check=values_between)
def squeezed(rng: Random, difficulty: int) -> Draw | None:
    quartic = difficulty == 3 or (difficulty == 2 and rng.random() < 0.5)
    if quartic:
        # (n^2 + bn + c)^2 + rn + s
        b, c = rng.randint(0, 3), rng.randint(0, 4)
        r, s = rng.randint(-12, 14), rng.randint(-30, 40)
        coefficients = [1, 2 * b, b * b + 2 * c, 2 * b * c + r, c * c + s]
        bound = 2 + abs(r) + abs(s)
    else:
        b = rng.randint(1, (6, 14)[difficulty - 1])
        c, r, s = 0, rng.randint(1, (6, 15)[difficulty - 1]), rng.randint(-20, (40, 90)[difficulty - 1])
        r = rng.choice((0, r)) if difficulty == 1 else r
        coefficients = [1, 2 * b + r, b * b + s]
        bound = 0
    found = []
    if quartic:
        # Beyond the bound rn + s is smaller in size than the distance 2(n^2 + bn + c) - 1 to the squares beside.
        for n in range(1, bound + 1):
            root = n * n + b * n + c
            value = root * root + r * n + s
            if value >= 0 and isqrt(value) ** 2 == value:
                found.append(n)
        if r * s == 0 and r == s:
            return None
        if r and -s % r == 0 and -s // r > bound:
            found.append(-s // r)
    else:
        middle = coefficients[1]
        # n + middle // 2 (rounded up) is at least the root for large n; equality from one linear equation for each k.
        for k in range(-middle - 40, middle // 2 + 60):
            top, bottom = k * k - coefficients[2], middle - 2 * k
            if bottom and top % bottom == 0 and top // bottom > 0 and top // bottom + k >= 0:
                found.append(top // bottom)
    numbers = sorted(set(found))
    if (
        not numbers
        or any(c < 0 for c in coefficients[:-1])
        or coefficients[-1] == 0
        or 4 * coefficients[-1] == coefficients[1] ** 2
    ):
        return None
    if numbers[-1] > 300:
        return None
    asked = rng.choice(("largest", "sum", "count")) if len(numbers) > 1 else "only"
    answer = {"only": numbers[-1], "largest": numbers[-1], "sum": sum(numbers), "count": len(numbers)}[asked]
    term = polynomial(coefficients, "n")
    name = person(rng)
    forms = {
        "only": (
            f"For exactly one positive integer $n$ the number ${term}$ is a perfect square. Find this $n$.",
            f"{name} tries all positive integers $n$ and finds a single one for which ${term}$ is the square of an "
            "integer. Which one is it?",
            rf"Positive integers $n$ and $m \ge 0$ satisfy $m^2 = {term}$. What is $n$?".replace(
                "Positive integers $n$ and", "A positive integer $n$ and an integer"
            ).replace("satisfy", "satisfy the equation"),
            f"There is just one positive whole number $n$ for which ${term}$ soldiers can be drawn up in a solid "
            f"square. "
            "Find $n$.",
        ),
        "largest": (
            f"What is the largest positive integer $n$ for which ${term}$ is a perfect square?",
            f"Two squares next to each other have no square between them. {name} uses this to find the largest "
            f"positive "
            f"integer $n$ for which ${term}$ is a square. What is it?",
            rf"For which largest positive integer $n$ is $\sqrt{{{term}}}$ an integer?",
            f"In level $n$ of a puzzle, ${term}$ stones are to be laid out as a full square. Which is the last level "
            f"in "
            "which this can be done?",
        ),
        "sum": (
            f"Find the sum of all positive integers $n$ for which ${term}$ is a perfect square.",
            rf"Add up all positive integers $n$ for which $\sqrt{{{term}}}$ is a whole number.",
            f"A gardener has ${term}$ bulbs and can plant them as one full square, in which the rows and the bulbs "
            f"of a "
            "row are equally many. What do all positive integers $n$ for which this is so add up to?",
        ),
        "count": (
            f"For how many positive integers $n$ is ${term}$ a perfect square?",
            f"How many positive integers $n$ make ${term}$ equal to the square of an integer?",
            f"For how many positive whole numbers $n$ can ${term}$ square tiles be laid out, without any left over, as "
            "one full square?",
        ),
    }[asked]
    return Draw(rng.choice(forms), str(answer), {"coefficients": coefficients, "asked": asked})


def values_squared(factor: int, three: bool, n: int, asked: str) -> int:
    """Try all values of the other unknowns and test whether the rest is a square."""
    from math import isqrt

    found = set()
    size = isqrt(n) + 1
    for y in range(size):
        for z in range(size) if three else (0,):
            rest = n - factor * y * y - (z * z if three else 0)
            if rest >= 0 and isqrt(rest) ** 2 == rest:
                found.add((isqrt(rest), y, z))
    if asked == "largest":
        return max(sum(t) for t in found)
    if asked == "nonnegative":
        return len(found)
    return sum(2 ** sum(v > 0 for v in t) for t in found)


@generator("Descend by dividing out a forced common factor", check=values_squared)
def descent(rng: Random, difficulty: int) -> Draw | None:
    three = rng.random() < (0.2, 0.4, 0.4)[difficulty - 1]
    if three:
        p, factor = 2, 1
        k = rng.randint(*((1, 1), (1, 3), (2, 4))[difficulty - 1])
        c = rng.randint(1, (30, 60, 60)[difficulty - 1])
    else:
        # x^2 + f y^2 = 0 modulo p only for x = y = 0 where -f is no square modulo p.
        p, factor = rng.choice(((3, 1), (7, 1), (5, 2), (7, 2), (5, 3), (11, 1), (11, 3), (3, 4), (13, 2), (7, 4)))
        k = rng.randint(1, (1, 2, 3)[difficulty - 1])
        c = rng.randint(1, (40, 90, 200)[difficulty - 1])
    n = c * p ** (2 * k)
    if n > (2500, 30000, 60000)[difficulty - 1] or (three and (c % 4 == 0 or n > 16000)):
        return None
    # The small equation is solved directly; each solution of the large one is p^k times one of these.
    small = []
    for y in range(isqrt(c) + 1):
        for z in range(isqrt(c) + 1) if three else (0,):
            rest = c - factor * y * y - z * z
            if rest >= 0 and isqrt(rest) ** 2 == rest:
                small.append((isqrt(rest), y, z))
    asked = rng.choice(("nonnegative", "integers", "largest"))
    if not small:
        return None
    answer = {
        "nonnegative": len(small),
        "integers": sum(2 ** sum(v > 0 for v in t) for t in small),
        "largest": p**k * max(map(sum, small)),
    }[asked]
    if answer < 2:
        return None
    name = person(rng)
    left = "x^2 + y^2 + z^2" if three else f"x^2 + {factor if factor > 1 else ''}y^2"
    unknowns, letters = ("triples", "(x, y, z)") if three else ("pairs", "(x, y)")
    total = "x + y + z" if three else "x + y"
    exact = {64: "2^6", 256: "2^8", 16: "2^4"}.get(n, str(n))
    right = exact if rng.random() < 0.5 or c == 1 else rf"{c} \cdot {p}^{{{2 * k}}}"
    times = {1: "", 2: "twice ", 3: "three times ", 4: "four times "}[factor]
    if asked == "largest":
        forms = [
            rf"Integers {', '.join('xyz' if three else 'xy')} satisfy ${left} = {right}$. Find the largest possible "
            f"value of ${total}$.".replace("x, y, z satisfy", "$x$, $y$ and $z$ satisfy").replace(
                "x, y satisfy", "$x$ and $y$ satisfy"
            ),
            f"{name} looks for non-negative integers with ${left} = {right}$. What is the largest value that ${total}$ "
            "can have?",
        ]
        if three:
            forms.append(
                "A point in space has three non-negative integers as its coordinates, and its distance from the "
                "origin is "
                rf"$\sqrt{{{n}}}$. What is the largest possible sum of its coordinates?"
            )
        else:
            forms.append(
                f"The square of a whole number and {times}the square of another whole number are {n} together. What "
                f"can "
                "the two numbers add up to at most?"
            )
    else:
        some = "non-negative integers" if asked == "nonnegative" else "integers (positive, negative or zero)"
        forms = [
            f"How many ordered {unknowns} ${letters}$ of {some} satisfy ${left} = {right}$?",
            f"{name} claims that in every solution of ${left} = {right}$ in integers all unknowns are divisible by "
            f"${p**k}$. How many solutions ${letters}$ in {some} are there?",
        ]
        if three and asked == "integers":
            forms.append(
                f"How many points with three integer coordinates lie on the sphere with centre $(0, 0, 0)$ and radius "
                rf"$\sqrt{{{n}}}$?"
            )
        elif three:
            forms.append(
                f"A red, a green and a blue square have sides of whole centimetres, where 0 cm is allowed, and their "
                f"areas add up to {n} square centimetres. In how many ways can the three sides be chosen?"
            )
        elif asked == "integers":
            forms.append(
                f"How many points with integer coordinates lie on the {'circle' if factor == 1 else 'ellipse'} with "
                f"the "
                f"equation ${left} = {right}$?"
            )
        else:
            count = {1: "one", 2: "two", 3: "three", 4: "four"}[factor]
            forms.append(
                f"One white square and {count} equal black {'square' if factor == 1 else 'squares'} have sides of "
                f"whole "
                f"centimetres, where 0 cm is allowed, and cover {n} square centimetres together. In how many ways can "
                "the sides of the two colours be chosen?"
            )
    values = {"factor": factor, "three": three, "n": n, "asked": asked}
    return Draw(rng.choice(forms), str(answer), values)


def squares_hit(kind: str, d: int, k: int, place: int, asked: str) -> int:
    """Try one number after the other and test whether the other side is a square."""
    from math import isqrt

    y, seen = 0, 0
    while True:
        y += 1
        square = d * y * y + k
        if kind == "triangular":
            # y(y + 1)/2 is to be d times a square.
            square, rest = divmod(y * (y + 1) // 2, d)
            if rest:
                continue
        if square < 1 or isqrt(square) ** 2 != square:
            continue
        seen += 1
        if seen == place:
            x = isqrt(square)
            return {"x": x, "y": y, "sum": x + y, "square": x * x}[asked]


@generator("Generate the solutions of a Pell equation from the smallest one", check=squares_hit)
def pell(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(("pell", "pell", "pell", "triangular") if difficulty > 1 else ("pell",))
    d, k = rng.choice((2, 3, 5, 6, 7, 8, 10, 11, 12, 14, 15, 17, 18, 20, 24, 35)), 1
    if kind == "pell" and difficulty > 1 and rng.random() < 0.4:
        k = rng.choice((-1, 4, -4, -2, 9, -3, 6))
    if kind == "triangular":
        d = rng.choice((1, 2, 3, 6, 1, 5))
    place = rng.randint(*((1, 2), (2, 3), (3, 5))[difficulty - 1])
    limit = (400, 6000, 40000)[difficulty - 1]
    # x^2 - dy^2 = k: multiply the smallest solutions by the smallest one of x^2 - dy^2 = 1.
    big, right = (d, k) if kind == "pell" else (8 * d, 1)
    v = next((v for v in range(1, 400) if isqrt(big * v * v + 1) ** 2 == big * v * v + 1), 0)
    if v == 0:
        return None
    u = isqrt(big * v * v + 1)
    found = set()
    for y in range(1, min(limit, v * (abs(right) + 2)) + 1):
        value = big * y * y + right
        if value > 0 and isqrt(value) ** 2 == value:
            x, z = isqrt(value), y
            while z <= limit:
                found.add((z, x))
                x, z = u * x + big * v * z, u * z + v * x
    solutions = sorted(found)
    if len(solutions) < place:
        return None
    y, x = solutions[place - 1]
    if kind == "triangular":
        # The solutions are (2n + 1)^2 - 8d m^2 = 1; n counts on, m is the root.
        n, m = (x - 1) // 2, y
        if n > limit:
            return None
        asked = rng.choice(("x", "y", "sum", "square"))
        answer = {"x": m, "y": n, "sum": m + n, "square": m * m}[asked]
    else:
        asked = rng.choice(("x", "y", "sum"))
        answer = {"x": x, "y": y, "sum": x + y}[asked]
    name = person(rng)
    nth = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}[place]
    if kind == "triangular":
        what = {
            1: "a square",
            2: "twice a square",
            3: "three times a square",
            5: "five times a square",
            6: "six times a square",
        }[d]
        goal = {"x": "what is $m$?", "y": "what is $n$?", "sum": "what is $n + m$?", "square": "what is $m^2$?"}[asked]
        times = "" if d == 1 else f"{d}"
        squares = "one square" if d == 1 else f"{d} equal squares"
        forms = [
            rf"The pairs of positive integers with $1 + 2 + \cdots + n = {times}m^2$ are ordered by size. For the "
            rf"{nth} "
            f"of them, {goal}",
            rf"The triangular numbers $\frac{{n(n+1)}}{{2}}$ that are {what}, ${times}m^2$ with $m > 0$, are listed in "
            f"increasing order. For the {nth} one, {goal}",
            f"{name} lays a triangle of stones with rows of 1, 2, 3, …, $n$ stones, and then rearranges all the stones "
            f"into {squares} with $m$ stones along each side. For the {nth} smallest triangle with which this works, "
            f"{goal}",
        ]
        if d == 1:
            forms.append(
                f"In a street with the house numbers 1 to $n$, {name} lives at number $m$, and the numbers of all "
                f"houses "
                "before this one have the same sum as the numbers of all houses after it; a street with a single house "
                f"counts, too. Ordered by the length of the street, for the {nth} possibility, {goal}"
            )
    else:
        sign = f"+ {k}" if k > 0 else f"- {-k}"
        goal = {
            "x": f"Find $x$ in the {nth} solution",
            "y": f"Find $y$ in the {nth} solution",
            "sum": f"Find $x + y$ for the {nth} solution",
        }[asked]
        tail = {"x": "How long is a side of the large square", "y": "How long is a side of a small square"}
        tail["sum"] = "What is the sum of a side of the large square and a side of a small one"
        more = f"{abs(k)} square centimetre{'s' if abs(k) > 1 else ''} {'more' if k > 0 else 'less'}"
        times = f"{d} times"
        root = {"x": "the square root of the result", "y": "the number $y$", "sum": "the number $y$ plus the root"}
        forms = [
            f"The solutions of $x^2 - {d}y^2 = {k}$ in positive integers are ordered by size. {goal}.",
            f"Consider the positive integers $y$ for which ${d}y^2 {sign}$ is the square $x^2$ of a positive integer "
            f"$x$, in increasing order. {goal}.".replace("solution", "of these cases"),
            f"A large square has an area that is {more} than {times} the area of a small square, and both sides are "
            f"whole numbers of centimetres, at least 1. Of all such pairs of squares, in order of size, take the "
            f"{nth}. "
            f"{tail[asked]}, in centimetres?",
            f"{name} multiplies the squares 1, 4, 9, … by {d}, {'adds' if k > 0 else 'subtracts'} {abs(k)} each time "
            f"and "
            f"looks for results that are squares of positive whole numbers themselves. When the {nth} such result "
            f"comes "
            f"from the square $y^2$, what is {root[asked]}?",
        ]
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "d": d, "k": k, "place": place, "asked": asked})
