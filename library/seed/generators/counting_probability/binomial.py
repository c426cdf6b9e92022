"""Problems on binomial coefficients and expansions."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def multiplied_bracket_by_bracket(
    first: list[int], second: list[int], power: int, wanted: int, unknown: str, given: list[int]
) -> object:
    """Multiply the brackets out one after another; an unknown is found by trying 1, 2, 3, ..."""
    from fractions import Fraction

    def coefficient(a: Fraction, b: Fraction, number: int) -> Fraction:
        terms = {0: Fraction(1)}
        for _ in range(number):
            product: dict[int, Fraction] = {}
            for exponent, value in terms.items():
                for factor, step in ((a, first[2]), (b, second[2])):
                    product[exponent + step] = product.get(exponent + step, Fraction(0)) + value * factor
            terms = product
        return terms.get(wanted, Fraction(0))

    a, b = Fraction(first[0], first[1]), Fraction(second[0], second[1])
    if unknown == "coefficient":
        return coefficient(a, b, power)
    target, trial = Fraction(given[0], given[1]), 1
    while (coefficient(a, Fraction(trial), power) if unknown == "b" else coefficient(a, b, trial)) != target:
        trial += 1
    return trial


def _coefficient_text(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value)
    return f"{'-' if value < 0 else ''}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _power_text(halves: int, symbol: str) -> str:
    if halves == 1:
        return f"\\sqrt{{{symbol}}}"
    whole = halves // 2
    return (
        "" if whole == 0 else symbol if whole == 1 else f"{symbol}^{whole}" if whole < 10 else f"{symbol}^{{{whole}}}"
    )


def _term(value: Fraction, halves: int, symbol: str) -> str:
    """Write a coefficient times a power of the symbol, whose exponent is given in halves."""
    if halves >= 0:
        power = _power_text(halves, symbol)
        size = "" if value.numerator == 1 and power else str(value.numerator)
        return f"{size}{power}" if value.denominator == 1 else f"\\frac{{{size}{power}}}{{{value.denominator}}}"
    below = f"{'' if value.denominator == 1 else value.denominator}{_power_text(-halves, symbol)}"
    return f"\\frac{{{value.numerator}}}{{{below}}}"


@generator("Find a binomial term from its exponent", check=multiplied_bracket_by_bracket)
def binomial_term(rng: Random, difficulty: int) -> Draw | None:
    symbol = rng.choice(("x", "x", "t", "y"))
    unknown = "coefficient" if difficulty < 3 else rng.choice(("coefficient", "b", "n"))
    if difficulty == 1:
        power, p, q = rng.randint(3, 5), rng.randint(1, 2), 0
        a, b = Fraction(rng.choice((1, 1, 2))), Fraction(rng.choice((1, 2, 3, 4, 5, -1, -2, -3)))
    elif difficulty == 2:
        power, p, q = rng.randint(5, 9), rng.randint(1, 3), -rng.randint(1, 3)
        a, b = Fraction(rng.choice((1, 1, 2, 3))), Fraction(rng.choice((1, 2, 3, -1, -2, -3)))
    else:
        power, p, q = rng.randint(5, 10), rng.randint(1, 3), -rng.randint(1, 3)
        a, b = Fraction(1, rng.choice((1, 1, 2, 3))), Fraction(rng.choice((1, 2, 3, -1, -2, -3)))
    p, q = 2 * p, 2 * q
    if difficulty == 3 and unknown == "coefficient" and rng.random() < 0.5:
        p = 1
    k = rng.randint(1, power - 1)
    wanted = p * (power - k) + q * k
    if wanted % 2 or (wanted < 0 and difficulty == 2) or abs(wanted) > 30:
        return None
    value = comb(power, k) * a ** (power - k) * b**k
    if abs(value.numerator) > (600, 50000, 200000)[difficulty - 1]:
        return None
    shown_power = _exponent(symbol, wanted // 2)
    which = "the constant term" if wanted == 0 else f"the coefficient of ${shown_power}$"
    values = {
        "first": [a.numerator, a.denominator, p],
        "second": [b.numerator, b.denominator, q],
        "power": power,
        "wanted": wanted,
        "unknown": unknown,
        "given": [],
    }
    head = _term(a, p, symbol)
    if unknown == "coefficient":
        tail = f"{'-' if b < 0 else '+'} {_term(abs(b), q, symbol)}"
        bracket = f"\\left({head} {tail}\\right)^{_small(power)}" if q else f"({head} {tail})^{power}"
        text = rng.choice(
            (
                f"What is {which} in the expansion of ${bracket}$?",
                f"When ${bracket}$ has been multiplied out and like terms are collected, what is {which}?",
                f"{person(rng)} multiplies out ${bracket}$ and sorts the terms by powers of ${symbol}$. "
                + (f"What is the term without ${symbol}$?" if wanted == 0 else f"What is {which}?"),
            )
        )
        return Draw(text, str(value), values)
    if unknown == "b":
        b = Fraction(rng.randint(2, 5))
        value = comb(power, k) * a ** (power - k) * b**k
        letter = rng.choice(("a", "c", "m"))
        below = f"\\frac{{{letter}}}{{{_power_text(-q, symbol)}}}"
        text = (
            f"In the expansion of $\\left({head} + {below}\\right)^{_small(power)}$ with a positive number "
            f"${letter}$, {which} is ${_coefficient_text(value)}$. What is ${letter}$?"
        )
        values |= {"second": [0, 1, q]}
        answer = int(b)
    else:
        # The power is asked: (1 + bx)^n with the coefficient of a low power given.
        power, k, b = (
            rng.randint(4, 14),
            rng.randint(1, 3),
            Fraction(rng.choice((2, 3, 4, -2, -3)), rng.choice((1, 1, 2))),
        )
        p, q = 0, 2 * rng.randint(1, 2)
        if power <= k + 1:
            return None
        value = comb(power, k) * b**k
        tail = f"{'-' if b < 0 else '+'} {_term(abs(b), q, symbol)}"
        text = (
            f"The coefficient of ${_exponent(symbol, q * k // 2)}$ in the expansion of $\\left(1 {tail}\\right)^n$ is "
            f"${_coefficient_text(value)}$. Find the positive integer $n$."
        )
        values |= {
            "first": [1, 1, 0],
            "second": [b.numerator, b.denominator, q],
            "power": 0,
            "wanted": q * k,
            "unknown": "n",
        }
        answer = power
    return Draw(text, str(answer), values | {"given": [value.numerator, value.denominator]})


def _exponent(symbol: str, exponent: int) -> str:
    return (
        symbol
        if exponent == 1
        else f"{symbol}^{{{exponent}}}"
        if exponent > 9 or exponent < 0
        else f"{symbol}^{exponent}"
    )


def expanded_and_added(factors: list[list[int]], powers: list[int], start: int, step: int, weight: int) -> int:
    """Multiply everything out and add up the coefficients asked for, one by one."""
    product = [1]
    for factor, power in zip(factors, powers, strict=True):
        for _ in range(power):
            longer = [0] * (len(product) + len(factor) - 1)
            for i, left in enumerate(product):
                for j, right in enumerate(factor):
                    longer[i + j] += left * right
            product = longer
    total, number = 0, 1
    for index, coefficient in enumerate(product):
        if index >= start and (index - start) % step == 0:
            total += coefficient * number
        number *= weight
    return total


def _value(factors: Sequence[Sequence[int]], powers: Sequence[int], point: int) -> int:
    result = 1
    for factor, power in zip(factors, powers, strict=True):
        result *= sum(c * point**i for i, c in enumerate(factor)) ** power
    return result


@generator("Substitute numbers for x to add up coefficients", check=expanded_and_added)
def coefficient_sums(rng: Random, difficulty: int) -> Draw | None:
    if rng.random() < (0.3, 0.3, 0.25)[difficulty - 1]:
        return _row_sum(rng, difficulty)
    small = (-3, -2, -1, 1, 2, 3)
    if difficulty == 1:
        factors, powers = [[rng.choice(small), rng.choice(small)]], [rng.randint(3, 6)]
    elif difficulty == 2:
        factors, powers = [[rng.choice(small), rng.choice(small), rng.choice((1, 2, 3))]], [rng.randint(3, 6)]
    else:
        factors = [[rng.choice(small), rng.choice((1, 2))], [rng.choice(small), rng.choice(small), rng.choice((1, 2))]]
        powers = [rng.randint(2, 5), rng.randint(2, 4)]
    top = sum((len(factor) - 1) * power for factor, power in zip(factors, powers, strict=True))
    body = "".join(f"({polynomial(factor[::-1])})^{power}" for factor, power in zip(factors, powers, strict=True))
    plus, minus, constant = (_value(factors, powers, point) for point in (1, -1, 0))
    named = f"${body} = a_0 + a_1x + a_2x^2 + \\dots + a_{_small(top)}x^{_small(top)}$"
    if min(abs(plus), abs(minus)) == 0 and rng.random() < 0.7:
        return None
    asked = rng.choice(
        (("all", "alternating"), ("even", "odd", "but constant"), ("even", "odd", "weighted"))[difficulty - 1]
    )
    start, step, weight = {
        "all": (0, 1, 1),
        "alternating": (0, 1, -1),
        "even": (0, 2, 1),
        "odd": (1, 2, 1),
        "but constant": (1, 1, 1),
        "weighted": (0, 1, rng.choice((2, -2))),
    }[asked]
    wanted = _coefficient_sum(top, start, step, weight)
    told = f"For all $x$ we have {named}. Find ${wanted}$."
    if asked == "all":
        answer = plus
        text = rng.choice(
            (
                f"What is the sum of all coefficients of the polynomial that results when ${body}$ is multiplied out "
                "(the constant term counts as a coefficient)?",
                told,
            )
        )
    elif asked == "alternating":
        answer, text = minus, told
    elif asked == "even":
        answer = (plus + minus) // 2
        text = rng.choice(
            (
                f"The expression ${body}$ is multiplied out. What is the sum of the coefficients of all even powers "
                "of $x$, the constant term included?",
                told,
            )
        )
    elif asked == "odd":
        answer = (plus - minus) // 2
        text = rng.choice(
            (
                f"{person(rng)} expands ${body}$, collects like terms and adds up the coefficients of all odd powers "
                "of $x$. What is the result?",
                told,
            )
        )
    elif asked == "but constant":
        answer, text = plus - constant, told
    else:
        answer, text = _value(factors, powers, weight), told
    if abs(answer) > (5000, 100000, 1000000)[difficulty - 1]:
        return None
    return Draw(
        text, str(answer), {"factors": factors, "powers": powers, "start": start, "step": step, "weight": weight}
    )


def _small(number: int) -> str:
    return str(number) if number < 10 else f"{{{number}}}"


def _joined(items: Sequence[tuple[int, str]], base: int) -> str:
    """Write a sum of items, each times a power of the base, with dots if it is long."""
    terms = []
    for exponent, item in items:
        size = "" if exponent == 0 or abs(base) == 1 else str(abs(base))
        size += f"^{_small(exponent)}" if size and exponent > 1 else ""
        terms.append(f"{'-' if base < 0 and exponent % 2 else '+'} {size}{item}")
    if len(terms) > 4:
        terms = [*terms[:3], f"{terms[3][0]} \\dots", terms[-1]]
    text = " ".join(terms)
    return text[2:] if text.startswith("+") else "-" + text[2:]


def _coefficient_sum(top: int, start: int, step: int, weight: int) -> str:
    return _joined([(k, f"a_{_small(k)}") for k in range(start, top + 1, step)], weight)


def _row_sum(rng: Random, difficulty: int) -> Draw | None:
    """Draw a weighted sum over one row of Pascal's triangle."""
    row = rng.randint(*((4, 7), (6, 10), (8, 12))[difficulty - 1])
    base = rng.choice(((2, 3, 4), (2, 3, 4, -2), (2, 3, -2, -3))[difficulty - 1])
    start = 0 if difficulty == 1 else rng.choice((0, 1, 2))
    step = 2 if difficulty == 3 and rng.random() < 0.5 else 1
    if step == 2:
        start %= 2
    if abs(base) ** row > 600000:
        return None
    shown = _joined([(k, f"\\binom{{{row}}}{{{k}}}") for k in range(start, row + 1, step)], base)
    one, other = (1 + base) ** row, (1 - base) ** row
    if step == 2:
        answer = (one + other) // 2 if start == 0 else (one - other) // 2
    else:
        answer = one - sum(comb(row, k) * base**k for k in range(start))
    text = rng.choice((f"Compute ${shown}$.", f"Find the value of the sum ${shown}$.", f"What number is ${shown}$?"))
    return Draw(text, str(answer), {"factors": [[1, 1]], "powers": [row], "start": start, "step": step, "weight": base})
