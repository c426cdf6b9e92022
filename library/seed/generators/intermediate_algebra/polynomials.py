"""Problems on polynomials, their values and their roots."""

from fractions import Fraction
from math import comb
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial, signed


def by_long_division(kind: str, numbers: list[list[int]], asked: str, at: int) -> object:
    """Divide term by term, or try whole numbers for the unknown coefficients."""
    from fractions import Fraction

    if kind == "division":
        *dividend, divisor = numbers
        rest = [0] * (max(term[1] for term in dividend) + 1)
        for coefficient, power in dividend:
            rest[-1 - power] += coefficient
        while len(rest) >= len(divisor):
            top = rest[0]
            rest = [rest[i] - top * divisor[i] if i < len(divisor) else rest[i] for i in range(1, len(rest))]
        value = 0
        for coefficient in rest:
            value = value * at + coefficient
        return {"value": value, "first": rest[0], "last": rest[-1]}[asked]
    if kind == "line":
        # The remainder is the line through the two points.
        (a, u), (b, v) = numbers
        return u + Fraction(v - u, b - a) * (at - a)
    (first, u), (second, v), (lead, last) = numbers
    a = 0
    while True:
        for p in {a, -a}:
            # lead·x³ + p·x² + q·x + last with q from the first condition.
            q = Fraction(u - last - lead * first**3 - p * first**2, first)
            if lead * second**3 + p * second**2 + q * second + last == v:
                return {"value": lead * at**3 + p * at**2 + q * at + last, "first": p, "last": q, "sum": p + q}[asked]
        a += 1


@generator("Find a polynomial remainder from the zeros of the divisor", check=by_long_division)
def polynomial_remainder(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("linear", "linear", "square"), ("square", "line", "unknown"), ("cubic", "quadratic", "unknown"))[
            difficulty - 1
        ]
    )
    if kind == "line":
        return _remainder_line(rng)
    if kind == "unknown":
        return _unknown_coefficients(rng, difficulty)
    high = rng.randint(*((15, 60), (30, 100), (20, 99))[difficulty - 1])
    zeros = {
        "linear": [rng.choice((-1, 1))],
        "square": [1, -1],
        "cubic": [1, -1, 0],
        "quadratic": rng.choice(([1, 0], [-1, 0], [2, 1], [2, -1], [2, 0], [-2, 1], [3, 1])),
    }[kind]
    if max(map(abs, zeros)) > 1:
        high = rng.randint(5, 9 if 3 not in zeros else 6)
    if kind == "linear" and difficulty == 1 and rng.random() < 0.5:
        zeros, high = [rng.choice((-3, -2, 2, 3))], rng.randint(3, 5)
    middle = rng.randint(2, high - 1)
    dividend = [[rng.choice((1, 1, 1, 2)), high], [rng.choice([n for n in range(-9, 10) if n]), middle]]
    if rng.random() < 0.5 and middle > 2:
        dividend.append([rng.choice([n for n in range(-9, 10) if n]), rng.randint(1, middle - 1)])
    dividend.append([rng.choice([n for n in range(-9, 10) if n]), 0])
    divisor = [1]
    for zero in zeros:
        divisor = [a - zero * b for a, b in zip([*divisor, 0], [0, *divisor], strict=True)]
    at = rng.choice((2, 3, 4, 5, 10)) if len(zeros) > 1 else 0
    values = [sum(c * zero**power for c, power in dividend) for zero in zeros]
    answer = Fraction(0)
    for zero, value in zip(zeros, values, strict=True):
        part = Fraction(value)
        for other in zeros:
            if other != zero:
                part *= Fraction(at - other, zero - other)
        answer += part
    asked = "value"
    if len(zeros) == 2:
        slope = Fraction(values[0] - values[1], zeros[0] - zeros[1])
        constant = values[0] - slope * zeros[0]
        asked = rng.choice(("value", "first", "last"))
        answer = {"value": answer, "first": slope, "last": constant}[asked]
    if abs(answer) > 20000 or (not answer and len(zeros) > 1):
        return None
    terms = [
        signed(c, "" if not power else "x" if power == 1 else f"x^{{{power}}}" if power > 9 else f"x^{power}")
        for c, power in dividend
    ]
    shown = " ".join(terms)[2:]
    factored = "".join("x" if zero == 0 else f"(x {signed(-zero)})" for zero in sorted(zeros, key=abs))
    by = polynomial(divisor) if rng.random() < 0.6 or len(zeros) == 1 else factored
    if len(zeros) == 1:
        problem = rng.choice(
            (
                f"What is the remainder when ${shown}$ is divided by ${by}$?",
                f"For a certain number $c$, the polynomial ${shown} - c$ is divisible by ${by}$. Find $c$.",
                f"{person(rng)} divides ${shown}$ by ${by}$ and gets a polynomial and a constant remainder. Find this "
                "remainder.",
            )
        )
    else:
        form = {2: "ax + b", 3: "ax^2 + bx + c"}[len(zeros)]
        if asked == "value":
            problem = rng.choice(
                (
                    f"Dividing ${shown}$ by ${by}$ leaves the remainder $R(x)$. Find $R({at})$.",
                    f"The remainder in the division of ${shown}$ by ${by}$ is a polynomial $R(x)$. What is $R({at})$?",
                    f"There are a polynomial $Q(x)$ and numbers $a$, $b${', $c$' if len(zeros) == 3 else ''} with "
                    f"${shown} = Q(x) \\cdot ({polynomial(divisor)}) + {form}$ for all $x$. What is the value of "
                    f"${form}$ at $x = {at}$?",
                )
            )
        else:
            letter = "a" if asked == "first" else "b"
            problem = rng.choice(
                (
                    f"The remainder of ${shown}$ on division by ${by}$ is ${form}$. Find ${letter}$.",
                    f"Dividing ${shown}$ by ${by}$ leaves the remainder ${form}$. What is ${letter}$?",
                )
            )
    return Draw(problem, str(answer), {"kind": "division", "numbers": [*dividend, divisor], "asked": asked, "at": at})


def _remainder_line(rng: Random) -> Draw | None:
    a, b = rng.sample([n for n in range(-5, 6) if n], 2)
    slope, constant = rng.choice([n for n in range(-5, 6) if n]), rng.randint(-9, 9)
    u, v = slope * a + constant, slope * b + constant
    at = rng.choice([n for n in range(-6, 11) if n not in (a, b)])
    first, second = f"x {signed(-a)}", f"x {signed(-b)}"
    problem = rng.choice(
        (
            f"Dividing a polynomial $P(x)$ by ${first}$ leaves ${u}$, and dividing it by ${second}$ leaves ${v}$. "
            f"Dividing it by $({first})({second})$ leaves a remainder $R(x)$. Find $R({at})$.",
            f"A polynomial $f$ has $f({a}) = {u}$ and $f({b}) = {v}$. What is the value at $x = {at}$ of the remainder "
            f"of $f(x)$ on division by $({first})({second})$?",
        )
    )
    return Draw(
        problem, str(slope * at + constant), {"kind": "line", "numbers": [[a, u], [b, v]], "asked": "value", "at": at}
    )


def _unknown_coefficients(rng: Random, difficulty: int) -> Draw | None:
    first, second = rng.sample([n for n in range(-3, 4) if n], 2)
    lead = 1 if difficulty == 2 else rng.choice((2, 3, 4))
    p, q = rng.choice([n for n in range(-7, 8) if n]), rng.choice([n for n in range(-7, 8) if n])
    # The constant makes `first` a zero.
    last = -(lead * first**3 + p * first**2 + q * first)
    v = lead * second**3 + p * second**2 + q * second + last
    if not last or abs(last) > 60 or first + second == 0:
        return None
    asked = rng.choice(("value", "sum", "first", "last"))
    at = rng.choice([n for n in range(-2, 5) if n not in (first, second, 0)])
    answer = {"value": lead * at**3 + p * at**2 + q * at + last, "sum": p + q, "first": p, "last": q}[asked]
    cubic = f"{'' if lead == 1 else lead}x^3 + ax^2 + bx {signed(last)}"
    wanted = {"value": f"P({at})", "sum": "a + b", "first": "a", "last": "b"}[asked]
    condition = (
        f"has ${f'x {signed(-first)}'}$ as a factor, and dividing it by $x {signed(-second)}$ leaves the remainder "
        f"${v}$"
        if v
        else f"has both $x {signed(-first)}$ and $x {signed(-second)}$ as factors"
    )
    problem = rng.choice(
        (
            f"The polynomial $P(x) = {cubic}$ {condition}. What is ${wanted}$?",
            f"Numbers $a$ and $b$ are chosen so that $P(x) = {cubic}$ {condition}. Find ${wanted}$.",
        )
    )
    numbers = [[first, 0], [second, v], [lead, last]]
    return Draw(problem, str(answer), {"kind": "unknown", "numbers": numbers, "asked": asked, "at": at})


def traces_of_powers(coefficients: list[int], sums: list[int], power: int) -> object:
    """Take the trace of a power of the companion matrix, whose coefficients the given sums yield."""
    from fractions import Fraction

    if sums:
        # For three numbers: products in pairs and the product, from the sums of powers.
        p1, p2, p3 = sums
        e2 = Fraction(p1 * p1 - p2, 2)
        e3 = Fraction(p1**3 - 3 * p1 * p2 + 2 * p3, 6)
        if power == 0:
            return e3
        monic = [Fraction(1), Fraction(-p1), e2, -e3]
    else:
        monic = [Fraction(c, coefficients[0]) for c in coefficients]
    size = len(monic) - 1
    matrix = [[Fraction(int(i == j + 1)) for j in range(size)] for i in range(size)]
    for i in range(size):
        matrix[i][size - 1] = -monic[size - i]
    result = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    for _ in range(power):
        result = [[sum((r[k] * matrix[k][j] for k in range(size)), Fraction(0)) for j in range(size)] for r in result]
    return sum((result[i][i] for i in range(size)), Fraction(0))


@generator("Find power sums of roots by Newton's recurrence", check=traces_of_powers)
def power_sums(rng: Random, difficulty: int) -> Draw | None:
    if difficulty > 1 and rng.random() < 0.4:
        return _from_sums(rng, difficulty)
    degree = rng.choice(((2,), (3,), (3, 4))[difficulty - 1])
    power = rng.choice(((3, 4, 5), (4, 5), (6, 7))[difficulty - 1])
    spread = (5, 4, 3)[difficulty - 1]
    e = [rng.randint(-spread, spread) for _ in range(degree - 1)] + [
        rng.choice([n for n in range(-spread, spread + 1) if n])
    ]
    if degree == 4:
        e[rng.randrange(3)] = 0
    if not any(e[:-1]):
        return None
    sums = [degree]
    for k in range(1, power + 1):
        total = (-1) ** (k - 1) * k * e[k - 1] if k <= degree else 0
        total += sum((-1) ** (i - 1) * e[i - 1] * sums[k - i] for i in range(1, min(k, degree + 1)))
        sums.append(total)
    coefficients = [1] + [(-1) ** (i + 1) * value for i, value in enumerate(e)]
    # With a whole root the powers would be added without the recurrence.
    if abs(sums[power]) > 3000 or any(_value(coefficients, x) == 0 for x in range(-9, 10)):
        return None
    names = rng.choice(("rstu", "abcd", "uvwz"))[:degree]
    letters = ", ".join(f"${n}$" for n in names[:-1]) + f" and ${names[-1]}$"
    expression = " + ".join(f"{name}^{power}" for name in names)
    equation = f"{polynomial(coefficients)} = 0"
    nth = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}[power]
    number = {2: "two", 3: "three", 4: "four"}[degree]
    problem = rng.choice(
        (
            f"Let {letters} be the complex roots of ${equation}$. Find ${expression}$.",
            f"The equation ${equation}$ has the {number} complex roots {letters}. What is the value of ${expression}$?",
            f"What do the {nth} powers of the {number} complex roots of ${equation}$, counted with multiplicity, add "
            "up to?",
        )
    )
    return Draw(problem, str(sums[power]), {"coefficients": coefficients, "sums": [], "power": power})


def _value(coefficients: list[int], x: int) -> int:
    value = 0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


def _from_sums(rng: Random, difficulty: int) -> Draw | None:
    p1, p2, p3 = rng.randint(-5, 6), rng.randint(-9, 20), rng.randint(-20, 40)
    e2, e3 = Fraction(p1 * p1 - p2, 2), Fraction(0)
    # Newton: p3 = e1·p2 - e2·p1 + 3·e3, and so on.
    e3 = (p3 - p1 * p2 + e2 * p1) / 3
    sums = [Fraction(3), Fraction(p1), Fraction(p2), Fraction(p3)]
    power = rng.choice((4, 4, 0) if difficulty == 2 else (5, 6))
    while len(sums) <= power:
        sums.append(p1 * sums[-1] - e2 * sums[-2] + e3 * sums[-3])
    answer = e3 if power == 0 else sums[power]
    if answer.denominator > 6 or abs(answer) > 5000 or (e2.denominator > 1 and difficulty == 2) or not p1:
        return None
    wanted, question = {
        0: ("$xyz$", "their product"),
        4: ("$x^4 + y^4 + z^4$", "the sum of their fourth powers"),
        5: ("$x^5 + y^5 + z^5$", "the sum of their fifth powers"),
        6: ("$x^6 + y^6 + z^6$", "the sum of their sixth powers"),
    }[power]
    problem = rng.choice(
        (
            f"Complex numbers $x$, $y$, $z$ satisfy $x + y + z = {p1}$, $x^2 + y^2 + z^2 = {p2}$ and $x^3 + y^3 + z^3 "
            f"= {p3}$. Find {wanted}.",
            f"Three (possibly complex) numbers have the sum ${p1}$. Their squares add up to ${p2}$ and their cubes to "
            f"${p3}$. What is {question}?",
        )
    )
    return Draw(problem, str(answer), {"coefficients": [], "sums": [p1, p2, p3], "power": power})


def interpolated(points: list[list[int]], at: int) -> object:
    """Evaluate Lagrange's interpolation formula at the wanted place."""
    from fractions import Fraction

    total = Fraction(0)
    for x, y in points:
        term = Fraction(y)
        for other, _ in points:
            if other != x:
                term *= Fraction(at - other, x - other)
        total += term
    return total


@generator("Extend a table of polynomial values by finite differences", check=interpolated)
def extended_table(rng: Random, difficulty: int) -> Draw | None:
    degree = rng.choice(((2,), (2, 3, 3), (3, 4))[difficulty - 1])
    story = rng.random() < 0.5
    if story:
        edge = [rng.randint(1, 6), *(rng.randint(1, 6) for _ in range(degree))]
    else:
        edge = [
            rng.randint(-5, 9),
            *(rng.randint(-6, 9) for _ in range(degree - 1)),
            rng.choice((-3, -2, -1, 1, 2, 3, 4, 5)),
        ]
    step = 1 if story or difficulty < 3 else rng.choice((1, 2, 3))
    start = 1 if story else rng.randint(-1, 3)
    ahead = degree + rng.randint(*((1, 3), (2, 4), (2, 4))[difficulty - 1])
    if difficulty == 3 and not story and rng.random() < 0.35:
        ahead = -rng.randint(1, 2)

    def entry(n: int) -> int:
        # The differences at the left edge, each times a binomial coefficient, also to the left of the start.
        total = 0
        for k, difference in enumerate(edge):
            weight = comb(n, k) if n >= 0 else (-1) ** k * comb(k - n - 1, k)
            total += weight * difference
        return total

    points = [[start + step * i, entry(i)] for i in range(degree + 1)]
    at, answer = start + step * ahead, entry(ahead)
    if max(abs(y) for _, y in points) > 400 or abs(answer) > 3000:
        return None
    name = {2: "two", 3: "three", 4: "four"}[degree]
    if story:
        things, what = rng.choice(
            (
                ("ornaments", "beads"),
                ("towers", "wooden cubes"),
                ("patterns", "matches"),
                ("mosaics", "tiles"),
                ("pyramids", "oranges"),
                ("necklaces", "pearls"),
            )
        )
        counts = ", ".join(str(y) for _, y in points[:-1]) + f" and {points[-1][1]}"
        problem = rng.choice(
            (
                f"{person(rng)} makes {things} in sizes 1, 2, 3, and so on. The number of {what} in size $n$ is a "
                f"polynomial of degree {name} in $n$. Sizes 1 to {degree + 1} take {counts} {what}. How many {what} "
                f"are in size {at}?",
                f"A book shows a row of growing {things}. Numbers 1 to {degree + 1} consist of {counts} {what}, and "
                f"the number of {what} is given by a polynomial of degree {name}. How many {what} does number {at} "
                "have?",
            )
        )
    else:
        kind = {2: "quadratic", 3: "cubic", 4: "fourth-degree"}[degree]
        letter = rng.choice("fgPq")
        values = [f"${letter}({x}) = {y}$" for x, y in points]
        given = ", ".join(values[:-1]) + f" and {values[-1]}"
        row = " & ".join(str(x) for x, _ in points)
        column = " & ".join(str(y) for _, y in points)
        problem = rng.choice(
            (
                f"A {kind} polynomial ${letter}$ has {given}. What is ${letter}({at})$?",
                f"For a polynomial ${letter}$ of degree {name} we know {given}. Find ${letter}({at})$.",
                f"A table of values of a {kind} polynomial ${letter}$ "
                f"reads\n$$\\begin{{array}}{{c|{'c' * len(points)}}} x & {row} \\\\ \\hline {letter}(x) & {column} "
                f"\\end{{array}}$$\nDetermine ${letter}({at})$.",
            )
        )
    return Draw(problem, str(answer), {"points": points, "at": at})


def parts_solved(dividend: list[int], divisor: list[int], asked: str, place: int) -> str:
    """Solve linear equations for the coefficients of quotient and remainder, one for each of enough places."""
    from fractions import Fraction

    degree = len(dividend) - 1
    low = len(divisor) - 1

    def value(coefficients: list[int], x: int) -> int:
        total = 0
        for coefficient in coefficients:
            total = total * x + coefficient
        return total

    rows = []
    for x in range(-degree, 1):
        row = [Fraction(value(divisor, x) * x**power) for power in range(degree - low, -1, -1)]
        row += [Fraction(x**power) for power in range(low - 1, -1, -1)]
        rows.append([*row, Fraction(value(dividend, x))])
    for column in range(degree + 1):
        pivot = next(k for k in range(column, degree + 1) if rows[k][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for k in range(degree + 1):
            if k != column:
                factor = rows[k][column]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[column], strict=True)]
    solution = [row[-1] for row in rows]
    quotient, remainder = solution[: degree - low + 1], solution[degree - low + 1 :]
    if asked == "all":
        return str(sum(solution))
    chosen = {"quotient": quotient, "remainder": remainder}.get(asked, quotient)
    if asked == "value":
        return str(sum(c * place**power for power, c in enumerate(reversed(quotient))))
    return " + ".join(f"({c})*x^{power}" for power, c in enumerate(reversed(chosen)))


@generator("Divide polynomials step by step from the leading terms", check=parts_solved)
def long_division(rng: Random, difficulty: int) -> Draw | None:
    low, high = rng.choice((((1, 2), (1, 3)), ((2, 3), (2, 4), (1, 4)), ((2, 4), (2, 5), (3, 5)))[difficulty - 1])
    reach = (5, 6, 7)[difficulty - 1]
    divisor = [rng.choice((1, 1, 2) if difficulty > 1 else (1,))]
    divisor += [rng.randint(-4, 4) for _ in range(low - 1)] + [rng.choice([n for n in range(-5, 6) if n])]
    quotient = [rng.randint(1, 4), *(rng.randint(-reach, reach) for _ in range(high - low))]
    remainder = [rng.randint(-9, 9) for _ in range(low)]
    if not remainder[0] or not any(quotient[1:]):
        return None
    dividend = [0] * (high + 1)
    for i, a in enumerate(divisor):
        for j, b in enumerate(quotient):
            dividend[i + j] += a * b
    for k, c in enumerate(reversed(remainder)):
        dividend[high - k] += c
    above, below = polynomial(dividend), polynomial(divisor)
    asked = rng.choice(("quotient", "remainder", "value", "all"))
    place = rng.choice((2, 3, -1, -2, 10))
    answer = {
        "quotient": polynomial(quotient),
        "remainder": polynomial(remainder),
        "value": str(sum(c * place**power for power, c in enumerate(reversed(quotient)))),
        "all": str(sum(quotient) + sum(remainder)),
    }[asked]
    forms = {
        "quotient": (
            f"Find the quotient when ${above}$ is divided by ${below}$.",
            f"The polynomial ${above}$ is divided by ${below}$ with a remainder. What is the quotient?",
        ),
        "remainder": (
            f"Find the remainder when ${above}$ is divided by ${below}$.",
            f"What is left over when ${above}$ is divided by ${below}$ as polynomials?",
        ),
        "value": (
            f"Let $q(x)$ be the quotient and $r(x)$ the remainder when ${above}$ is divided by ${below}$. Find "
            f"$q({place})$.",
        ),
        "all": (
            f"Dividing ${above}$ by ${below}$ gives a quotient and a remainder. What do all their coefficients, "
            "constant terms included, add up to?",
        ),
    }[asked]
    values = {"dividend": dividend, "divisor": divisor, "asked": asked, "place": place}
    return Draw(rng.choice(forms), answer, values)
