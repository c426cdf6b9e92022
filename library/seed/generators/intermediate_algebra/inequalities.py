"""Problems on extremes that inequalities give."""

from fractions import Fraction
from itertools import product
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person, polynomial, signed


def narrowed(kind: str, numbers: list[int]) -> object:
    """Narrow the place of the extreme down by thirds of an interval, and round the value found."""
    from fractions import Fraction

    def value(x: float) -> float:
        if kind == "sum":
            a, p, b, q = numbers
            return a * x**p + b / x**q
        if kind == "two":
            # For given x the other variable is narrowed down too.
            a, b, c = numbers
            low, high = 1e-3, 1e3
            for _ in range(60):
                left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
                if b * left + c / (x * left) < b * right + c / (x * right):
                    high = right
                else:
                    low = left
            return a * x + b * low + c / (x * low)
        a, b, total, m, n = numbers
        return -(x**m) * ((total - a * x) / b) ** n

    low, high = (1e-3, 1e3) if kind != "product" else (0.0, numbers[2] / numbers[0])
    for _ in range(60 if kind == "two" else 200):
        left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
        if value(left) < value(right):
            high = right
        else:
            low = left
    return Fraction(abs(value(low))).limit_denominator(50)


@generator("Split terms so that AM-GM leaves a constant", check=narrowed)
def split_for_means(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("sum", "sum", "story"), ("sum", "product", "box"), ("two", "product", "product"))[difficulty - 1]
    )
    if kind in ("sum", "story"):
        return _sum_of_powers(rng, difficulty, kind)
    if kind == "box":
        side = rng.randint(2, 30)
        half = Fraction(side**3, 2)
        if half.denominator > 1:
            return None
        # Base x², sides 4·V/x = 2V/x + 2V/x.
        area = 3 * side * side
        unit = rng.choice(("cm", "dm", "m"))
        thing = rng.choice(("box without a lid", "planter that is open at the top", "water tank without a cover"))
        problem = (
            f"A {thing} has a square base and vertical sides, and its volume must be ${half}\\text{{ {unit}}}^3$. What "
            f"is the smallest possible total area of its base and its four sides, in $\\text{{{unit}}}^2$?"
        )
        return Draw(problem, str(area), {"kind": "sum", "numbers": [1, 2, int(4 * half), 1]})
    if kind == "two":
        a, b, t = rng.randint(1, 5), rng.randint(1, 5), rng.randint(2, 9)
        # ax = by = c/(xy) = t gives c = t³/(ab).
        c = Fraction(t**3, a * b)
        if c.denominator > 1 or c < 2:
            return None
        first, second = ("" if a == 1 else str(a)) + "x", ("" if b == 1 else str(b)) + "y"
        problem = rng.choice(
            (
                f"What is the least value of ${first} + {second} + \\dfrac{{{c}}}{{xy}}$ for positive real numbers $x$ "
                "and $y$?",
                f"Positive real numbers $x$, $y$, $z$ satisfy $xyz = {c}$. Find the minimum of ${first} + {second} + "
                "z$.",
                f"The numbers $x$, $y$ and $z$ are positive with product ${c}$. How small can ${first} + {second} + z$ "
                "be?",
            )
        )
        return Draw(problem, str(3 * t), {"kind": "two", "numbers": [a, b, int(c)]})
    m, n = rng.choice(((1, 2), (2, 1), (2, 3), (3, 2), (1, 3), (3, 1), (2, 2), (1, 4)))
    a, b = (1, 1) if difficulty == 2 else rng.choice(((1, 2), (2, 1), (2, 3), (3, 1), (1, 3), (3, 2), (1, 4), (4, 1)))
    total = rng.randint(3, 40)
    x, y = Fraction(total * m, (m + n) * a), Fraction(total * n, (m + n) * b)
    best = x**m * y**n
    if best.denominator > 8 or best > 10**6 or (difficulty == 2 and best.denominator > 1):
        return None
    power = f"x{'' if m == 1 else f'^{m}'}y{'' if n == 1 else f'^{n}'}"
    condition = f"{polynomial([a, 0])} {signed(b, 'y')} = {total}"
    problem = rng.choice(
        (
            f"Two positive real numbers $x$ and $y$ satisfy ${condition}$. How large can ${power}$ be at most?",
            f"Find the maximum of ${power}$ for positive real $x$ and $y$ with ${condition}$.",
            f"The yield of a reaction is ${power}$, where $x$ and $y$ are the positive amounts of two substances in "
            f"litres. Because of their price, ${condition}$ must hold. What is the greatest possible yield?",
        )
    )
    return Draw(problem, str(best), {"kind": "product", "numbers": [a, b, total, m, n]})


def _sum_of_powers(rng: Random, difficulty: int, kind: str) -> Draw | None:
    t = rng.randint(1 if difficulty > 1 else 2, 12 if difficulty == 1 else 5)
    if kind == "story":
        area, what = t * t, rng.choice((("a rectangular garden", "fence"), ("a rectangular sandpit", "edging")))
        if rng.random() < 0.5:
            problem = (
                f"{person(rng)} wants {what[0]} with an area of exactly {area} square metres. How many metres of "
                f"{what[1]} does it need at least, all the way round?"
            )
            return Draw(problem, str(4 * t), {"kind": "sum", "numbers": [2, 1, 2 * area, 1]})
        problem = (
            f"A rectangular pen of {2 * area} square metres is built along a long straight wall, which serves as one "
            "of its sides. How many metres of fence do the other three sides need at least?"
        )
        return Draw(
            problem, str(4 * t), {"kind": "sum", "numbers": [1, 1, 4 * area, 1]} | {"numbers": [2, 1, 2 * area, 1]}
        )
    p, q = (1, 1) if difficulty == 1 else rng.choice(((3, 1), (1, 2), (2, 1), (1, 3), (2, 2), (4, 1), (2, 4), (3, 3)))
    a = rng.randint(1, 9 if difficulty == 1 else 6)
    # Equal parts: p·a·x^p = q·b/x^q at x = t.
    b = Fraction(p * a * t ** (p + q), q)
    least = a * t**p * (1 + Fraction(p, q))
    if b.denominator > 1 or b > 5000 or least.denominator > 1 or a + b == least:
        return None
    first = polynomial([a] + [0] * p)
    second = rf"\dfrac{{{b}}}{{x{'' if q == 1 else f'^{q}'}}}"
    one, two = (first, second) if rng.random() < 0.7 else (second, first)
    problem = rng.choice(
        (
            f"What is the least value of ${one} + {two}$ for positive real $x$?",
            f"The sum ${one} + {two}$ is computed for all real numbers $x > 0$. Find the smallest result.",
            f"Running a pump at speed $x > 0$ costs ${one} + {two}$ euros a day. How many euros does it cost at least?",
        )
    )
    return Draw(problem, str(least), {"kind": "sum", "numbers": [a, p, int(b), q]})


def all_matchings(weights: list[int], numbers: list[int], asked: str) -> object:
    """Try every order of the numbers against the weights."""
    from fractions import Fraction
    from itertools import permutations

    totals = {sum(w * n for w, n in zip(weights, order, strict=True)) for order in permutations(numbers)}
    return {
        "largest": max(totals),
        "smallest": min(totals),
        "range": max(totals) - min(totals),
        "average": Fraction(min(totals), len(numbers)),
    }[asked]


@generator("Pair sorted lists to make a sum of products extreme", check=all_matchings)
def sorted_lists(rng: Random, difficulty: int) -> Draw | None:
    size = rng.choice(((3, 4), (4, 5), (6,))[difficulty - 1])
    story = rng.choice(("boxes", "shop", "queue") if difficulty < 3 else ("boxes", "desks", "queue", "loads"))
    numbers = rng.sample(range(2, (10, 16, 25)[difficulty - 1]), size)
    weights = sorted(rng.sample(range(1, (7, 12, 16)[difficulty - 1]), size))
    asked = rng.choice((("largest", "smallest"), ("largest", "smallest", "range"), ("range",))[difficulty - 1])
    word = {3: "Three", 4: "Four", 5: "Five", 6: "Six"}[size]
    if story == "boxes":
        line = " + ".join(rf"{w} \cdot \square" for w in weights)
        wanted = {
            "largest": "What is the largest possible result?",
            "smallest": "What is the smallest possible result?",
            "range": "By how much does the largest possible result exceed the smallest?",
        }[asked]
        problem = (
            f"The numbers ${', '.join(str(n) for n in numbers)}$ are written in some order into the boxes of ${line}$, "
            f"each once. {wanted}"
        )
    elif story == "shop":
        goods = rng.choice(("vases", "lamps", "chairs", "bags", "clocks"))
        wanted = {
            "largest": "What is the largest total, in euros, that all the goods together can have?",
            "smallest": "What is the smallest total, in euros, that all the goods together can have?",
            "range": "How many euros lie between the largest and the smallest total that all the goods can have?",
        }[asked]
        problem = (
            f"A shop has {word.lower()} kinds of {goods}, with {listed([str(w) for w in weights])} pieces of the "
            f"kinds. Price tags of {listed([str(n) for n in numbers])} euros a piece are to be given to the kinds, one "
            f"tag to each kind. {wanted}"
        )
    elif story == "loads":
        wanted = "By how much do the greatest and the least total that are possible differ?"
        asked = "range"
        problem = (
            f"{word} hooks on a beam are {listed([str(w) for w in weights])} cm away from its pivot. {word} weights of "
            f"{listed([str(n) for n in numbers])} grams are hung up, one on each hook, and every weight in grams is "
            f"multiplied by its distance in centimetres. The products are added. {wanted}"
        )
    else:
        numbers = [5 * n for n in numbers] if rng.random() < 0.5 else numbers
        asked = rng.choice(("smallest", "average"))
        place, who = rng.choice(
            (("repair desk", "people"), ("copy shop", "customers"), ("dentist's practice", "patients"))
        )
        desks = 2 if story == "desks" else 1
        weights = [1 + k // desks for k in range(size)]
        if (
            asked == "average"
            and sum(w * n for w, n in zip(weights, sorted(numbers, reverse=True), strict=True)) % size
        ):
            asked = "smallest"
        if desks == 1:
            order = "one after another"
            best = "In the best order"
        else:
            order = "at two places that work side by side, three at each place, one after another there"
            best = "With the best plan"
        wanted = {
            "smallest": f"{best}, how many minutes do all of them spend there altogether?",
            "average": f"{best}, how many minutes does one of them spend there on average?",
        }[asked]
        problem = (
            f"{word} {who} come to a {place} at the same moment. They need {listed([str(n) for n in numbers])} minutes "
            f"and are served {order}. Everyone leaves when served. {wanted}"
        )
    rising, falling = sorted(numbers), sorted(numbers, reverse=True)
    high = sum(w * n for w, n in zip(weights, rising, strict=True))
    low = sum(w * n for w, n in zip(weights, falling, strict=True))
    answer = {"largest": high, "smallest": low, "range": high - low, "average": low // size}[asked]
    return Draw(problem, str(answer), {"weights": weights, "numbers": numbers, "asked": asked})


def best_on_a_lattice(terms: list[list[int]], box: list[list[int]], asked: str) -> object:
    """Evaluate the expression at all points with whole coordinates in the box, its inside included."""
    from itertools import product

    values = []
    for point in product(*(range(low, high + 1) for low, high in box)):
        total = 0
        for coefficient, *powers in terms:
            for x, power in zip(point, powers, strict=True):
                coefficient *= x**power
            total += coefficient
        values.append(total)
    return {"maximum": max(values), "minimum": min(values), "range": max(values) - min(values)}[asked]


@generator("Check the corners of an expression linear or convex in each variable", check=best_on_a_lattice)
def corners_of_a_box(rng: Random, difficulty: int) -> Draw | None:
    names = "xyz" if difficulty == 3 or (difficulty == 2 and rng.random() < 0.4) else "xy"
    size = len(names)
    convex = difficulty == 2 and size == 2
    common = rng.random() < 0.5
    low, high = rng.randint(-3, 0), rng.randint(1, 4)
    box = [[low, high]] * size if common else [[rng.randint(-3, 1), rng.randint(2, 4)] for _ in names]
    terms = []
    for i in range(size):
        for j in range(i + 1, size):
            factor = rng.choice((1, 1, -1, 2, -2, 3) if difficulty > 1 else (1, 1, -1, 2))
            terms.append([factor, *(int(k in (i, j)) for k in range(size))])
    if convex:
        terms = [[rng.randint(1, 3), 2, 0], terms[0], [rng.randint(1, 3), 0, 2]]
    for i in range(size):
        factor = rng.choice([k for k in range(-5, 6) if k])
        terms.append([factor, *(int(k == i) for k in range(size))])
    values = {}
    for corner in product(*box):
        total = 0
        for factor, *powers in terms:
            part = factor
            for x, power in zip(corner, powers, strict=True):
                part *= x**power
            total += part
        values[corner] = total
    asked = (
        "maximum"
        if convex
        else rng.choice(("maximum", "minimum") if difficulty < 3 else ("maximum", "minimum", "range"))
    )
    high_value, low_value = max(values.values()), min(values.values())
    answer = {"maximum": high_value, "minimum": low_value, "range": high_value - low_value}[asked]
    expression = ""
    for factor, *powers in terms:
        symbol = "".join(
            name + ("" if power == 1 else "^2") for name, power in zip(names, powers, strict=True) if power
        )
        expression += f" {signed(factor, symbol)}" if expression else polynomial([factor, 0], symbol)
    letters = [f"${name}$" for name in names]
    shape = "rectangle" if size == 2 else "box"
    bounds = [rf"${a} \le {name} \le {b}$" for name, (a, b) in zip(names, box, strict=True)]
    if common:
        ranges = f"{listed(letters)} vary independently between ${low}$ and ${high}$ inclusive"
        dials = f"{listed(letters)}, each of which can be turned to any real value from ${low}$ to ${high}$"
    else:
        ranges = f"{listed(letters)} vary independently with {listed(bounds)}"
        dials = f"{listed(letters)}, which can be turned to all real values with {listed(bounds)}"
    wanted = {
        "maximum": f"Find the maximum of ${expression}$.",
        "minimum": f"Find the minimum of ${expression}$.",
        "range": f"By how much do the maximum and the minimum of ${expression}$ differ?",
    }[asked]
    reading = {
        "maximum": "What is the highest reading that can be reached?",
        "minimum": "What is the lowest reading that can be reached?",
        "range": "How far apart are the highest and the lowest reading?",
    }[asked]
    count = "two" if size == 2 else "three"
    problem = rng.choice(
        (
            f"The real numbers {ranges}. {wanted}",
            f"A machine has {count} dials, {dials}. Its pointer shows ${expression}$. {reading}",
            f"The point $({', '.join(names)})$ can lie anywhere in the {shape} given by {listed(bounds)}. {wanted}",
        )
    )
    return Draw(problem, str(answer), {"terms": terms, "box": box, "asked": asked})
