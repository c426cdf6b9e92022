"""Problems on products of polynomials and on identities."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def expanded(factors: list[list[int]], power: int, value: int | None) -> int:
    """Expand the whole product, for one value of the unknown after the other if there is one."""

    def coefficient(unknown: int) -> int:
        product = [1]
        for factor in factors:
            # 1000 stands for the unknown.
            plain = [unknown if c == 1000 else c for c in factor]
            longer = [0] * (len(product) + len(plain) - 1)
            for i, a in enumerate(product):
                for j, b in enumerate(plain):
                    longer[i + j] += a * b
            product = longer
        return product[len(product) - 1 - power]

    if value is None:
        return coefficient(0)
    (found,) = [unknown for unknown in range(-60, 61) if coefficient(unknown) == value]
    return found


@generator("Collect only the products that give the wanted power", check=expanded)
def one_coefficient(rng: Random, difficulty: int) -> Draw | None:
    degrees = rng.choice(
        ([(1, 2), (2, 1)], [(2, 3), (3, 2), (3, 3), (2, 2)], [(2, 2, 2), (4, 3), (1, 3, 2)])[difficulty - 1]
    )
    top = (4, 6, 7)[difficulty - 1]
    factors = [
        [rng.randint(1, 3)]
        + [rng.choice([n for n in range(-top, top + 1) if n or difficulty > 1]) for _ in range(degree)]
        for degree in degrees
    ]
    if any(factor[-1] == 0 for factor in factors):
        return None
    degree = sum(degrees)
    power = rng.randint(1, degree - 1)
    term = "x" if power == 1 else f"x^{power}"
    hidden = difficulty > 1 and rng.random() < 0.4
    unknown = 0
    if hidden:
        row = rng.randrange(len(factors))
        place = rng.randrange(1, len(factors[row]))
        unknown = rng.choice([n for n in range(-9, 10) if n])
        factors[row][place] = unknown
    result = 0
    for exponents in _exponents(degrees, power):
        product = 1
        for factor, exponent in zip(factors, exponents, strict=True):
            product *= factor[len(factor) - 1 - exponent]
        result += product
    written = [polynomial(factor) for factor in factors]
    if hidden:
        before, after = factors[row][:place], factors[row][place + 1 :]
        ks = "k" + ("" if not after else "x" if len(after) == 1 else f"x^{len(after)}")
        lead = polynomial(before + [0] * (len(after) + 1))
        tail = polynomial(after) if any(after) else ""
        tail = f" - {tail[1:]}" if tail.startswith("-") else f" + {tail}" if tail else ""
        written[row] = f"{lead} + {ks}{tail}"
        # The unknown must matter: the products with it may not cancel.
        shifted = [list(factor) for factor in factors]
        shifted[row][place] += 1
        if expanded(shifted, power, None) == result:
            return None
        factors[row][place] = 1000
    product_text = "".join(f"({text})" for text in written)
    name = person(rng)
    if hidden:
        problem = rng.choice(
            (
                f"When ${product_text}$ is multiplied out, the coefficient of ${term}$ is ${result}$. Find $k$.",
                f"For which number $k$ does ${term}$ have the coefficient ${result}$ in the expansion of "
                f"${product_text}$?",
                f"{name} has spilled ink on a number, here called $k$, in ${product_text}$. In the expanded form "
                f"{name} still reads the coefficient ${result}$ in front of ${term}$. What is $k$?",
            )
        )
        return Draw(problem, str(unknown), {"factors": factors, "power": power, "value": result})
    general = " + ".join(f"c_{i}x^{i}" if i > 1 else "c_1x" if i else "c_0" for i in range(degree, -1, -1))
    problem = rng.choice(
        (
            f"What is the coefficient of ${term}$ in ${product_text}$?",
            f"The polynomial ${product_text}$ is written as ${general}$. Find $c_{power}$.",
            f"{name} multiplies out ${product_text}$ and collects like terms. Which number stands in front of "
            f"${term}$ at "
            "the end?",
        )
    )
    return Draw(problem, str(result), {"factors": factors, "power": power, "value": None})


def _exponents(degrees: tuple[int, ...], power: int) -> list[tuple[int, ...]]:
    """List the ways to take one exponent from each factor that add up to a power."""
    if not degrees:
        return [()] if power == 0 else []
    return [
        (exponent, *rest)
        for exponent in range(min(degrees[0], power) + 1)
        for rest in _exponents(degrees[1:], power - exponent)
    ]


def multiplied_conjugates(level: int, first: list[int], sign: int, power: int) -> str:
    """Compute with the number itself, written as a + b*sqrt(d) with fractions a and b."""
    from fractions import Fraction
    from math import isqrt

    value = Fraction(*first)
    if level == 2:
        # x^2 + 1/x^2 is given: the sum or difference with the reciprocal is a positive number.
        square = value + 2 * sign
        value = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    # x = (value + sqrt(value^2 - 4*sign)) / 2 and sign/x is its conjugate.
    d = value**2 - 4 * sign
    a, b = Fraction(1), Fraction(0)
    for _ in range(power):
        a, b = (a * value + b * d) / 2, (a + b * value) / 2
    return str(2 * a)


@generator("Climb from x + 1/x to higher powers", check=multiplied_conjugates)
def reciprocal_powers(rng: Random, difficulty: int) -> Draw | None:
    sign = rng.choice((1, -1)) if difficulty > 1 else 1
    if difficulty == 3 and rng.random() < 0.3:
        first = Fraction(rng.choice((5, 7, 9, 11, 13)), rng.choice((2, 3)))
    else:
        first = Fraction(rng.randint(*((3, 25), (3, 12), (3, 9))[difficulty - 1]))
    power = rng.choice(((2, 3), (3, 4, 5), (5, 6, 7))[difficulty - 1])
    if first <= 2 or (first.denominator > 1 and power > 5):
        return None
    levels = [Fraction(2), first]
    for _ in range(power - 1):
        levels.append(first * levels[-1] - sign * levels[-2])
    # With sign -1 the n-th level is x^n + (-1/x)^n.
    joined = "+" if sign > 0 or power % 2 == 0 else "-"
    plus = "+" if sign > 0 else "-"
    shown = str(first.numerator) if first.denominator == 1 else f"\\frac{{{first.numerator}}}{{{first.denominator}}}"
    goal = f"x^{power} {joined} \\dfrac{{1}}{{x^{power}}}"
    name = person(rng)
    given = 1
    words = {2: "square", 3: "cube", 4: "fourth power", 5: "fifth power", 6: "sixth power", 7: "seventh power"}
    story = rng.randrange(5)
    if story == 0:
        problem = f"If $x {plus} \\dfrac{{1}}{{x}} = {shown}$, what is ${goal}$?"
    elif story == 1:
        if first.denominator > 1:
            return None
        equation = polynomial([1, -first.numerator, sign])
        problem = f"Let $x$ be a solution of ${equation} = 0$. Find the value of ${goal}$."
    elif story == 2:
        start = (
            f"The sum of a positive number and its reciprocal is ${shown}$."
            if sign > 0
            else f"A positive number is ${shown}$ greater than its reciprocal."
        )
        asked = (
            f"Find the sum of the {words[power]} of the number and the {words[power]} of its reciprocal."
            if joined == "+"
            else f"By how much is the {words[power]} of the number greater than the {words[power]} of its reciprocal?"
        )
        problem = f"{start} {asked}"
    elif story == 3:
        if sign < 0 or (power > 3 and difficulty < 3):
            return None
        perimeter = 2 * first
        if perimeter.denominator > 1 or (power != 3 and difficulty > 1):
            return None
        solids = "areas of the squares" if power == 2 else "volumes of the cubes"
        if power > 3:
            return None
        problem = (
            f"A rectangle has the area $1$ and the perimeter ${perimeter}$. {name} adds the {solids} whose edges are "
            f"as long "
            "as the two different sides of the rectangle. What is the sum?"
        )
    else:
        if difficulty == 1 or power == 4 or power == 2 or first.denominator > 1:
            return None
        given = 2
        problem = (
            f"A number $x > 1$ satisfies $x^2 + \\dfrac{{1}}{{x^2}} = {levels[2]}$. What is the value of ${goal}$?"
        )
    value = levels[2] if given == 2 else first
    values = {"level": given, "first": [value.numerator, value.denominator], "sign": sign, "power": power}
    return Draw(problem, str(levels[power]), values)


def values_interpolated(terms: list[tuple[int, list[list[int]]]], wanted: str) -> str:
    """Insert numbers into the expression as it stands and find the coefficients from the values."""
    from fractions import Fraction
    from itertools import pairwise

    def value(place: int) -> int:
        total = 0
        for front, factors in terms:
            product = front
            for factor in factors:
                inner = 0
                for coefficient in factor:
                    inner = inner * place + coefficient
                product *= inner
            total += product
        return total

    # Newton's divided differences at 0, 1, ..., 6.
    row = [Fraction(value(place)) for place in range(7)]
    tops = []
    for step in range(1, 8):
        tops.append(row[0])
        row = [(b - a) / step for a, b in pairwise(row)]
    coefficients = [Fraction(0)] * 7
    for place in reversed(range(7)):
        coefficients = [top - place * c for top, c in zip([Fraction(0), *coefficients], coefficients, strict=False)]
        coefficients[0] += tops[place]
    if wanted == "squares":
        return str(sum(c * c for c in coefficients))
    if wanted == "sizes":
        return str(sum(abs(c) for c in coefficients))
    return " + ".join(f"({c})*x^{power}" for power, c in enumerate(coefficients) if c) or "0"


@generator("Multiply out brackets and collect like terms", check=values_interpolated)
def brackets_expanded(rng: Random, difficulty: int) -> Draw | None:
    degrees = rng.choice(
        (
            ([[1], [1]], [[1], [2]], [[2], [1]], [[1, 1]]),
            ([[1, 1], [1]], [[1, 2]], [[1, 1], [2]], [[1, 1], [1, 1]]),
            ([[1, 2], [1, 2]], [[1, 1, 1], [2]], [[1, 2], [1, 1]], [[2, 2], [1, 3]]),
        )[difficulty - 1]
    )
    top = (5, 6, 8)[difficulty - 1]
    terms: list[tuple[int, list[list[int]]]] = []
    shown, total = "", [0] * 8
    for group in degrees:
        front = rng.choice([n for n in range(-4, 6) if n]) if len(group) == 1 or rng.random() < 0.5 else 1
        if shown and front == 1:
            front = rng.choice((-1, -1, 2, -2))
        if not shown:
            front = abs(front)
        factors = []
        for degree in group:
            lead = rng.randint(1, 3)
            factors.append([lead, *(rng.choice([n for n in range(-top, top + 1) if n]) for _ in range(degree))])
        product = [front]
        for factor in factors:
            longer = [0] * (len(product) + len(factor) - 1)
            for i, a in enumerate(product):
                for j, b in enumerate(factor):
                    longer[i + j] += a * b
            product = longer
        for power, coefficient in enumerate(reversed(product)):
            total[power] += coefficient
        brackets = "".join(f"({polynomial(factor)})" for factor in factors)
        size = "" if abs(front) == 1 else str(abs(front))
        shown += f" {'-' if front < 0 else '+'} {size}{brackets}" if shown else f"{size}{brackets}"
        terms.append((front, factors))
    while total and not total[-1]:
        total.pop()
    if sum(c != 0 for c in total) < 2:
        return None
    wanted = rng.choice(("polynomial", "polynomial", "squares", "sizes"))
    name = person(rng)
    if wanted == "polynomial":
        problem = rng.choice(
            (
                f"Expand and simplify ${shown}$.",
                f"Write ${shown}$ as a polynomial in $x$ without brackets.",
                f"{name} multiplies out ${shown}$ and collects like terms. Which polynomial is the result?",
            )
        )
        answer = polynomial(total[::-1])
    else:
        asked = {"squares": "the sum of the squares", "sizes": "the sum of the absolute values"}[wanted]
        answer = str(sum(c * c if wanted == "squares" else abs(c) for c in total))
        problem = rng.choice(
            (
                f"The expression ${shown}$ is multiplied out, and like terms are collected. What is {asked} of the "
                "coefficients of the polynomial that results?",
                f"{name} writes ${shown}$ without brackets, with a single term for each power of $x$. Find {asked} of "
                "the coefficients, the constant term included.",
            )
        )
    return Draw(problem, answer, {"terms": terms, "wanted": wanted})
