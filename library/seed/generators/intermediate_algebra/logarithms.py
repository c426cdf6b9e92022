"""Problems on logarithms and exponentials."""

from fractions import Fraction
from itertools import pairwise
from math import prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, signed


def tried_exponents(kind: str, numbers: list[int], asked: str) -> object:
    """Put whole numbers, powers of the base or whole exponents into the equation and keep those that fit."""
    from fractions import Fraction

    if kind == "sum":
        base, plus, minus, total = numbers
        place = max(-plus, minus) + 1
        while (place + plus) * (place - minus) != base**total:
            place += 1
        return place
    found = []
    for t in range(-12, 13):
        if kind == "powers":
            # c·b^(2x) - s·b^x + p = 0
            base, lead, middle, last = numbers
            if lead * Fraction(base) ** (2 * t) - middle * Fraction(base) ** t + last == 0:
                found.append(Fraction(t))
        elif kind == "mixed":
            # b^(x + n) + p·b^(m - x) = s
            base, n, p, m, total = numbers
            if Fraction(base) ** (t + n) + p * Fraction(base) ** (m - t) == total:
                found.append(Fraction(t))
        else:
            base, linear, last = numbers
            if t * t - linear * t + last == 0:
                found.append(Fraction(base) ** t)
    product = Fraction(1)
    for x in found:
        product *= x
    return {"sum": sum(found), "largest": found[-1], "smallest": found[0], "product": product}[asked]


@generator("Turn logarithms and exponentials into a polynomial", check=tried_exponents)
def logarithm_equation(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("sum", "powers"), ("sum", "powers", "powers"), ("mixed", "square", "square"))[difficulty - 1])
    base = rng.choice(((2, 3, 4, 5, 10), (2, 3, 4, 5, 6, 10), (2, 3, 4, 5, 10))[difficulty - 1])
    if kind == "sum":
        return _sum_of_logarithms(rng, difficulty, base)
    asked = rng.choice(("sum", "largest", "smallest"))
    words = {"largest": "the larger real solution", "smallest": "the smaller real solution"}
    if kind == "square":
        u, v = sorted(rng.sample(range(-3, 5), 2))
        if u + v == 0 or u * v == 0:
            return None
        asked = rng.choice(("largest", "smallest", "product"))
        answer = {
            "largest": Fraction(base) ** v,
            "smallest": Fraction(base) ** u,
            "product": Fraction(base) ** (u + v),
        }[asked]
        if answer.denominator > 64 or answer > 10**5:
            return None
        log = rf"\log_{{{base}}} x"
        shown = rng.choice(
            (
                rf"({log})^2 {signed(-(u + v), log)} {signed(u * v)} = 0",
                rf"({log})^2 {signed(u * v)} = {log if u + v == 1 else f'{u + v}{log}' if u + v != -1 else '-' + log}",
                rf"({log})^2 {signed(u * v)} = \log_{{{base}}} x^{{{u + v}}}" if u + v > 1 else "",
            )
        )
        if not shown:
            return None
        wanted = words[asked].replace("real ", "") if asked in words else "the product of all solutions"
        problem = rng.choice(
            (
                f"Find {wanted} of the equation ${shown}$.",
                f"The equation ${shown}$ has two positive solutions. What is "
                f"{wanted.replace('all solutions', 'the solutions')}?",
            )
        )
        return Draw(problem, str(answer), {"kind": kind, "numbers": [base, u + v, u * v], "asked": asked})
    if kind == "mixed":
        n, m = rng.randint(0, 2), rng.randint(0, 3)
        # With t = b^x: b^n·t² - s·t + p·b^m = 0 has the roots b^u and b^v.
        u, v = sorted(rng.sample(range(-3, 4), 2))
        total = Fraction(base) ** n * (Fraction(base) ** u + Fraction(base) ** v)
        p = Fraction(base) ** (n + u + v - m)
        if total.denominator > 1 or p.denominator > 1 or total > 3000 or (p == 1 and n == m == 0 and u + v):
            return None
        first = f"{base}^x" if n == 0 else f"{base}^{{x + {n}}}"
        factor = "" if p == 1 else rf"{p} \cdot "
        second = f"{factor}{base}^{{{m if m else ''}-x}}".replace("-x", " - x" if m else "-x")
        shown, numbers = f"{first} + {second} = {total}", [base, n, int(p), m, int(total)]
    else:
        u, v = sorted(rng.sample(range(0, 5) if difficulty == 1 else range(-1, 6), 2))
        negative = difficulty == 2 and rng.random() < 0.4
        low, high = Fraction(base) ** u, Fraction(base) ** v
        lead = 1 if low.denominator == 1 else base
        if negative:
            low, asked = Fraction(-rng.randint(1, 20)), "largest"
        middle, last = lead * (low + high), lead * low * high
        if abs(middle) > 1200 or abs(last) > 40000 or not middle:
            return None
        numbers = [base, lead, int(middle), int(last)]
        square = f"{base**2}^x" if base < 10 and rng.random() < 0.7 else f"{base}^{{2x}}"
        square = square if lead == 1 else rf"{lead} \cdot {square}"
        linear = f"{int(abs(middle))} \\cdot {base}^x" if abs(middle) != 1 else f"{base}^x"
        if middle % base == 0 and difficulty == 2 and abs(middle) > base:
            linear = f"{int(abs(middle)) // base} \\cdot {base}^{{x + 1}}"
        if rng.random() < 0.5 and middle > 0 and last > 0:
            shown = f"{square} + {int(last)} = {linear}"
        else:
            shown = f"{square} {'-' if middle > 0 else '+'} {linear} {signed(int(last))} = 0"
        if negative:
            problem = rng.choice(
                (
                    f"Find the real number $x$ with ${shown}$.",
                    f"The equation ${shown}$ has only one real solution. What is it?",
                )
            )
            return Draw(problem, str(v), {"kind": kind, "numbers": numbers, "asked": asked})
    answer_number = {"sum": u + v, "largest": v, "smallest": u}[asked]
    problem = rng.choice(
        (
            f"Find {words.get(asked, 'the sum of all real solutions')} of ${shown}$.",
            f"Two real numbers satisfy the equation ${shown}$. "
            f"{'What is their sum?' if asked == 'sum' else f'Which is the {words[asked].split()[1]} one?'}",
            f"{person(rng)} solves ${shown}$ for real $x$ and finds two solutions. "
            f"{'What do they add up to?' if asked == 'sum' else f'Which of them is {words[asked].split()[1]}?'}",
        )
    )
    return Draw(problem, str(answer_number), {"kind": kind, "numbers": numbers, "asked": asked})


def _sum_of_logarithms(rng: Random, difficulty: int, base: int) -> Draw | None:
    total = rng.randint(1, 3 if base < 5 else 2)
    power = base**total
    u = rng.choice([d for d in range(2, power + 1) if power % d == 0])
    x = rng.randint(2, 20)
    plus, minus = u - x, x - power // u
    # log(x + plus) + log(x - minus): the arguments are u and power/u.
    if difficulty == 1:
        plus, minus, x = 0, u - power // u, u
    if minus <= 0 or abs(plus) > 12 or minus > 40 or u * u == power:
        return None
    first = rf"\log_{{{base}}} x" if not plus else rf"\log_{{{base}}} (x {signed(plus)})"
    second = rf"\log_{{{base}}} (x - {minus})"
    one, two = (first, second) if rng.random() < 0.7 else (second, first)
    shown = rng.choice((f"{one} + {two} = {total}", f"{one} = {total} - {two}"))
    problem = rng.choice(
        (
            f"Solve ${shown}$ for real $x$.",
            f"Which real number $x$ satisfies the equation ${shown}$?",
            f"{person(rng)} is looking for the number $x$ with ${shown}$. What is $x$?",
        )
    )
    return Draw(problem, str(x), {"kind": "sum", "numbers": [base, plus, minus, total], "asked": "value"})


def measured_logarithms(kind: str, pairs: list[list[int]], right: list[int]) -> object:
    """Multiply or add the logarithms in decimals and round to a fraction; look for x one whole number after another."""
    from fractions import Fraction
    from math import log

    if kind == "product":
        value = 1.0
        for base, number in pairs:
            value *= log(number) / log(base)
        return Fraction(value).limit_denominator(400)
    if kind == "reciprocals":
        return Fraction(sum(log(base) / log(number) for base, number in pairs)).limit_denominator(400)
    x = 2
    while True:
        if kind == "bases":
            ratios = [log(x) / log(base) for base, _ in pairs]
        else:
            ratios = [log(base) / log(x) for base, _ in pairs]
        total = sum(pair[1] * ratio for pair, ratio in zip(pairs, ratios, strict=True))
        if abs(total - float(Fraction(*right))) < 1e-9:
            return x
        x += 1


@generator("Chain logarithms by changing to one base", check=measured_logarithms)
def chained_logarithms(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("chain", "product", "reciprocals"), ("product", "bases", "find base"), ("product", "bases", "find base"))[
            difficulty - 1
        ]
    )
    if kind == "chain":
        start, power = rng.choice((2, 3, 4, 5)), rng.randint(2, 5)
        end = start**power
        middle = rng.sample([n for n in range(2, 40) if n not in (start, end)], rng.randint(1, 2))
        numbers = [start, *middle, end]
        pairs = [list(pair) for pair in pairwise(numbers)]
        if end > 1100:
            return None
        return Draw(_product_text(rng, pairs), str(power), {"kind": "product", "pairs": pairs, "right": []})
    if kind == "product":
        # A cycle of primes, each raised to powers in base and number.
        size = 2 if difficulty == 1 else 3 if difficulty == 2 else rng.choice((3, 4))
        primes = rng.sample((2, 3, 5, 7, 6, 10), size)
        if (2 in primes and 3 in primes and 6 in primes) or (2 in primes and 5 in primes and 10 in primes):
            return None
        highest = (2, 3, 4)[difficulty - 1]
        up, down = [rng.randint(1, highest) for _ in primes], [rng.randint(1, highest) for _ in primes]
        pairs = [[primes[i] ** down[i], primes[(i + 1) % size] ** up[(i + 1) % size]] for i in range(size)]
        rng.shuffle(pairs)
        value = Fraction(prod(up), prod(down))
        if max(max(pair) for pair in pairs) > 700 or value == 1:
            return None
        return Draw(_product_text(rng, pairs), str(value), {"kind": "product", "pairs": pairs, "right": []})
    if kind == "reciprocals":
        number, power = rng.choice((2, 3, 4, 5, 6, 10, 12)), rng.randint(2, 3)
        total = number**power
        first = rng.choice([d for d in range(2, total // 2 + 1) if total % d == 0])
        second = total // first
        if first == second or number in (first, second) or second < 2:
            return None
        pairs = [[first, number], [second, number]]
        text = " + ".join(rf"\dfrac{{1}}{{\log_{{{base}}} {number}}}" for base, _ in pairs)
        problem = rng.choice((f"Compute ${text}$.", f"What is the exact value of ${text}$?"))
        return Draw(problem, str(power), {"kind": "reciprocals", "pairs": pairs, "right": []})
    if kind == "bases":
        base = rng.choice((2, 3, 5))
        powers = rng.sample((1, 2, 3, 4), rng.choice((2, 3) if difficulty == 2 else (3,)))
        exponent = rng.randint(1, 6 if base == 2 else 4)
        weights = [1 if difficulty == 2 else rng.randint(1, 3) for _ in powers]
        pairs = [[base**p, w] for p, w in zip(powers, weights, strict=True)]
        answer = base**exponent
        right = sum((Fraction(w * exponent, p) for p, w in zip(powers, weights, strict=True)), Fraction(0))
        if answer > 700 or max(p for p, _ in pairs) > 300:
            return None
        text = " + ".join(rf"{'' if w == 1 else w}\log_{{{b}}} x" for b, w in pairs)
        problem = rng.choice(
            (
                f"Solve ${text} = {_fraction(right)}$.",
                f"For which number $x$ is ${text} = {_fraction(right)}$?",
                f"{person(rng)} adds ${', '.join(text.split(' + ')[:-1])}$ and ${text.split(' + ')[-1]}$ and gets "
                f"${_fraction(right)}$. What is $x$?",
            )
        )
        values = {"kind": kind, "pairs": pairs, "right": [right.numerator, right.denominator]}
        return Draw(problem, str(answer), values)
    # 1/log_a x + 1/log_b x + ... = r with abc... = x^r.
    answer, size = rng.randint(2, 30), rng.choice((2, 3) if difficulty == 2 else (3, 4))
    exponent = rng.randint(2, 3)
    rest, bases = answer**exponent, []
    for _ in range(size - 1):
        divisors = [d for d in range(2, min(rest, 100)) if rest % d == 0 and d != answer]
        if not divisors:
            return None
        bases.append(rng.choice(divisors))
        rest //= bases[-1]
    bases.append(rest)
    if rest < 2 or rest > 200 or answer in bases or len(set(bases)) < size:
        return None
    rng.shuffle(bases)
    text = " + ".join(rf"\dfrac{{1}}{{\log_{{{b}}} x}}" for b in bases)
    problem = rng.choice(
        (
            f"For which number $x > 1$ is ${text} = {exponent}$?",
            f"Find the real number $x > 1$ with ${text} = {exponent}$.",
            f"A number $x$ greater than $1$ satisfies ${text} = {exponent}$. What is $x$?",
        )
    )
    values = {"kind": "find base", "pairs": [[b, 1] for b in bases], "right": [exponent, 1]}
    return Draw(problem, str(answer), values)


def _product_text(rng: Random, pairs: list[list[int]]) -> str:
    text = r" \cdot ".join(rf"\log_{{{base}}} {number}" for base, number in pairs)
    return rng.choice(
        (
            f"Compute ${text}$.",
            f"What is the exact value of the product ${text}$?",
            f"{person(rng)} finds that ${text}$ is a rational number. Which one is it?",
        )
    )


def _fraction(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else rf"\dfrac{{{value.numerator}}}{{{value.denominator}}}"
