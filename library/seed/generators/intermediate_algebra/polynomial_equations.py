"""Problems on equations of higher degree."""

from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial, signed


def by_discriminant(kind: str, numbers: list[int], asked: str) -> object:
    """Try the whole numbers k for which the cubic's discriminant is 0; divide by (x - r) twice for divisibility."""
    if kind == "divisible":
        root, degree, middle = numbers
        k = 0
        while True:
            for a in {k, -k}:
                # x^degree + a·x^middle + b with b from the zero, then divided by x - root.
                row = [0] * (degree + 1)
                row[0], row[degree - middle] = 1, a
                row[degree] = -(root**degree + a * root**middle)
                b = row[degree]
                for _ in range(2):
                    value, quotient = 0, []
                    for coefficient in row:
                        value = value * root + coefficient
                        quotient.append(value)
                    row = quotient[:-1]
                if value == 0:
                    return {"sum": a + b, "a": a, "b": b}[asked]
            k += 1
    a, b, c = numbers
    zeros: list[int] = []
    positive, k = 0, 0
    while len(zeros) < 2:
        for d in {k, -k}:
            discriminant = 18 * a * b * c * d - 4 * b**3 * d + b * b * c * c - 4 * a * c**3 - 27 * a * a * d * d
            if discriminant == 0:
                zeros.append(d)
            elif discriminant > 0:
                positive += 1
        k += 1
    return {
        "count": positive,
        "positive": max(zeros),
        "negative": min(zeros),
        "sum": sum(zeros),
        "largest": max(zeros),
    }[asked]


@generator("Force a repeated root by letting polynomial and derivative vanish together", check=by_discriminant)
def repeated_root(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("symmetric",), ("cubic", "cubic", "divisible"), ("divisible", "touch", "cubic"))[difficulty - 1]
    )
    letter = rng.choice("kcm")
    if kind == "divisible":
        root, degree = rng.choice((-3, -2, -1, 1, 2, 3)), rng.randint(3, 5 if difficulty == 2 else 7)
        middle = rng.randint(1, degree - 1)
        if degree * root ** (degree - middle) % middle or (middle == 1 and difficulty == 3):
            return None
        # P'(r) = 0 gives a, P(r) = 0 gives b.
        a = -degree * root ** (degree - middle) // middle
        b = -(root**degree) - a * root**middle
        if abs(a) > 400 or abs(b) > 3000:
            return None
        asked = rng.choice(("sum", "a", "b"))
        term = f"ax{'' if middle == 1 else f'^{middle}'}"
        divisor = f"(x {signed(-root)})^2"
        wanted = {"sum": "a + b", "a": "a", "b": "b"}[asked]
        problem = rng.choice(
            (
                f"The polynomial $x^{degree} + {term} + b$ is divisible by ${divisor}$. Determine ${wanted}$.",
                f"The number ${root}$ is a double root of the equation $x^{degree} + {term} + b = 0$. Find ${wanted}$.",
                f"At $x = {root}$ the curve $y = x^{degree} + {term} + b$ touches the $x$-axis. What is ${wanted}$?",
            )
        )
        answer = {"sum": a + b, "a": a, "b": b}[asked]
        return Draw(problem, str(answer), {"kind": kind, "numbers": [root, degree, middle], "asked": asked})
    lead = rng.choice((1, 1, 2) if difficulty == 1 else (1, 2, 2, 4))
    if kind == "symmetric":
        p = rng.randint(1, 9)
        q = -p
    else:
        p, q = rng.sample(range(-5, 6), 2)
    # The derivative is 3·lead·(x - p)(x - q).
    if 3 * lead * (p + q) % 2:
        return None
    cubic = [lead, -3 * lead * (p + q) // 2, 3 * lead * p * q]
    values = sorted(-(lead * x**3 + cubic[1] * x * x + cubic[2] * x) for x in (p, q))
    if (
        not cubic[2]
        or values[0] == -values[1] == 0
        or max(map(abs, values)) > (1500 if difficulty == 1 else 600)
        or values[1] - values[0] < 4
    ):
        return None
    if kind == "touch":
        # The cubic is split into a curve and a line that meet where it is 0.
        slope = rng.choice([n for n in range(-9, 10) if n])
        curve, line = [*cubic[:2], cubic[2] + slope, 0], [slope, 0]
        asked = rng.choice(("largest", "sum", "count"))
        left = f"y = {polynomial(curve)}"
        right = f"y = {polynomial(line)} - {letter}"
        answer = {"largest": values[1], "sum": sum(values), "count": values[1] - values[0] - 1}[asked]
        problem = {
            "largest": f"For two numbers ${letter}$ the line ${right}$ touches the curve ${left}$. Find the larger of "
            "these two numbers.",
            "sum": f"For two numbers ${letter}$ the line ${right}$ is tangent to the curve ${left}$. What is the sum "
            "of these two numbers?",
            "count": f"For how many integers ${letter}$ does the line ${right}$ meet the curve ${left}$ in three "
            "different points?",
        }[asked]
        return Draw(problem, str(answer), {"kind": "cubic", "numbers": cubic, "asked": asked})
    shown = f"{polynomial([*cubic, 0])} + {letter}"
    if values[0] < 0 < values[1]:
        asked = rng.choice(
            ("positive", "negative", "count") if kind == "symmetric" else ("positive", "negative", "sum", "count")
        )
    else:
        asked = rng.choice(("sum", "largest", "count"))
    if asked == "sum" and not sum(values):
        return None
    answer = {
        "positive": values[1],
        "negative": values[0],
        "sum": sum(values),
        "largest": values[1],
        "count": values[1] - values[0] - 1,
    }[asked]
    if asked in ("positive", "negative"):
        problem = rng.choice(
            (
                f"For exactly one {asked} number ${letter}$ the equation ${shown} = 0$ has a double root. Find "
                f"${letter}$.",
                f"The curve $y = {shown}$ is shifted up and down by changing ${letter}$. For which {asked} number "
                f"${letter}$ does it touch the $x$-axis?",
            )
        )
    elif asked == "count":
        problem = rng.choice(
            (
                f"For how many integers ${letter}$ does the equation ${shown} = 0$ have three different real roots?",
                f"How many integers ${letter}$ are there for which the curve $y = {shown}$ crosses the $x$-axis in "
                "three different points?",
            )
        )
    else:
        wanted = "the sum of these two numbers" if asked == "sum" else "the larger of these two numbers"
        problem = f"For two numbers ${letter}$ the equation ${shown} = 0$ has a double root. Find {wanted}."
    return Draw(problem, str(answer), {"kind": "cubic", "numbers": cubic, "asked": asked})


def by_matrix_power(kind: str, rule: list[int], expression: list[int], asked: str) -> object:
    """Multiply vectors by the companion matrix of the root, or compute with pairs u + v·sqrt(d)."""
    if kind == "surd":
        # rule: the root is p + sqrt(d).
        p, d = rule
        u, v = 0, 0
        for coefficient in expression:
            u, v = u * p + v * d + coefficient, u + v * p
        return {"sum": u + v, "u": u, "v": v}[asked]
    size = len(rule)
    # A row holds the coordinates of x^0, x^1, ... in 1, x, ..., x^(size - 1).
    power = [1] + [0] * (size - 1)
    total = [0] * size
    for coefficient in reversed(expression):
        total = [t + coefficient * c for t, c in zip(total, power, strict=True)]
        top = power[-1]
        power = [0, *power[:-1]]
        power = [c + top * r for c, r in zip(power, reversed(rule), strict=True)]
    if kind == "number":
        assert not any(total[1:])
        return total[0]
    return {"sum": sum(total), "first": total[-1], "last": total[0]}[asked]


@generator("Lower the powers of a root by its own equation", check=by_matrix_power)
def lowered_powers(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("power", "number"), ("surd", "number", "power"), ("cubic", "surd", "cubic"))[difficulty - 1])
    if kind in ("power", "cubic"):
        rule = (
            [rng.randint(1, 3), rng.choice((-2, -1, 1, 2, 3))]
            if kind == "power"
            else [0, rng.randint(-3, 3), rng.randint(-3, 3)]
        )
        if kind == "cubic" and rng.random() < 0.5:
            rule[0] = rng.choice((-2, -1, 1, 2))
        if not rule[-1] or _has_rational_root(rule):
            return None
        exponent = rng.randint(*((4, 6), (6, 9), (7, 11))[difficulty - 1])
        # From the top power down, x^n is replaced by the rule times x^(n - degree).
        row = [1] + [0] * exponent
        for i in range(exponent - len(rule) + 1):
            for j, r in enumerate(rule):
                row[i + 1 + j] += row[i] * r
        rest = row[-len(rule) :]
        asked = rng.choice(("sum", "first", "last"))
        answer = {"sum": sum(rest), "first": rest[0], "last": rest[-1]}[asked]
        if abs(answer) > 5000 or not answer:
            return None
        root = rng.choice((r"\alpha", "t", "r", "w"))
        names = "pq" if len(rule) == 2 else "pqr" if root != "r" else "abc"
        form = f"{names[0]}{root}{'^2' if len(rule) == 3 else ''} + {names[1]}{root if len(rule) == 3 else ''}"
        form = (
            f"{names[0]}{root} + {names[1]}"
            if len(rule) == 2
            else f"{names[0]}{root}^2 + {names[1]}{root} + {names[2]}"
        )
        left = f"{root}^{exponent}" if exponent < 10 else f"{root}^{{{exponent}}}"
        equation = f"{root}^{len(rule)} = {polynomial(rule, root)}"
        wanted = {"sum": " + ".join(names), "first": names[0], "last": names[-1]}[asked]
        number = "real number" if len(rule) == 3 or rule[0] ** 2 + 4 * rule[1] > 0 else "complex number"
        letters = ", ".join(f"${n}$" for n in names[:-1]) + f" and ${names[-1]}$"
        problem = rng.choice(
            (
                f"The {number} ${root}$ satisfies ${equation}$. There are integers {letters} with ${left} = {form}$. "
                f"Find ${wanted}$.",
                f"Let ${root}$ be a {number} with ${equation}$. Write ${left}$ as ${form}$ with integers {letters}. "
                f"What is ${wanted}$?",
                f"{person(rng)} knows only that ${equation}$ and reduces ${left}$ step by step to the form ${form}$ "
                f"with integers {letters}. Which value does ${wanted}$ have?",
            )
        )
        values = {"kind": "power", "rule": rule, "expression": [1] + [0] * exponent, "asked": asked}
        return Draw(problem, str(answer), values)
    p, d = rng.choice([n for n in range(-4, 6) if n]), rng.choice((2, 3, 5, 6, 7, 10, 11))
    rule = [2 * p, d - p * p]
    degree = rng.choice(((3, 4), (3, 4), (4, 5))[difficulty - 1])
    quotient = [rng.choice((1, 1, 2)), *(rng.randint(-3, 3) for _ in range(degree - 2))]
    if kind == "number":
        rule = [rng.choice([n for n in range(-4, 5) if n]), rng.choice([n for n in range(-5, 6) if n])]
        if _has_rational_root(rule):
            return None
        degree = 3 if difficulty == 1 else 4
        quotient = quotient[: degree - 1]
    rest = [rng.randint(-4, 4) or 1 if kind == "surd" else 0, rng.randint(-9, 15)]
    # expression = (x² - rule)·quotient + rest
    expression = [0] * (degree + 1)
    for i, c in enumerate(quotient):
        for j, f in enumerate((1, -rule[0], -rule[1])):
            expression[i + j] += c * f
    expression[-2] += rest[0]
    expression[-1] += rest[1]
    if max(map(abs, expression)) > 60 or not rest[1]:
        return None
    if kind == "surd":
        u, v = rest[0] * p + rest[1], rest[0]
        asked = rng.choice(("sum", "u", "v"))
        root = f"{p} + \\sqrt{{{d}}}"
        answer = {"sum": u + v, "u": u, "v": v}[asked]
        wanted = {"sum": "a + b", "u": "a", "v": "b"}[asked]
        problem = rng.choice(
            (
                f"For $x = {root}$ the value of ${polynomial(expression)}$ is $a + b\\sqrt{{{d}}}$ with integers $a$ "
                f"and $b$. Find ${wanted}$.",
                f"Without a calculator, write ${polynomial(expression)}$ at $x = {root}$ in the form $a + "
                f"b\\sqrt{{{d}}}$ with integers $a$ and $b$. What is ${wanted}$?",
                f"{person(rng)} puts $x = {root}$ into ${polynomial(expression)}$ and gets $a + b\\sqrt{{{d}}}$ with "
                f"integers $a$ and $b$. Determine ${wanted}$.",
            )
        )
        if answer == 0 and asked != "sum":
            return None
        return Draw(problem, str(answer), {"kind": kind, "rule": [p, d], "expression": expression, "asked": asked})
    given = rng.choice(
        (
            f"x^2 = {polynomial(rule)}",
            f"{polynomial([1, -rule[0], -rule[1]])} = 0",
            f"x^2 {signed(-rule[0], 'x')} = {rule[1]}",
        )
    )
    problem = rng.choice(
        (
            f"If ${given}$, what is the value of ${polynomial(expression)}$?",
            f"A number $x$ satisfies ${given}$. Find ${polynomial(expression)}$.",
            f"For both solutions of ${given}$ the expression ${polynomial(expression)}$ has the same value. Which one?",
        )
    )
    values = {"kind": kind, "rule": rule, "expression": expression, "asked": "value"}
    return Draw(problem, str(rest[1]), values)


def _has_rational_root(rule: list[int]) -> bool:
    """Whether x^n minus the rule has a whole root (all its rational roots are whole)."""
    if len(rule) == 2:
        square = rule[0] ** 2 + 4 * rule[1]
        return square >= 0 and isqrt(square) ** 2 == square
    return any(x**3 == rule[0] * x * x + rule[1] * x + rule[2] for x in range(-9, 10))
