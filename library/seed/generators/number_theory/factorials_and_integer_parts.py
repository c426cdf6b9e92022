"""Problems on factorials and on sums of integer parts."""

from math import gcd, isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def _exponent(n: int, p: int) -> int:
    count = 0
    while n:
        n //= p
        count += n
    return count


def divided_often(first: int, last: int, step: int, base: int) -> int:
    """Multiply the factors out and divide the product by the base as often as possible."""
    from math import prod

    product, count = prod(range(first, last + 1, step)), 0
    while product % base == 0:
        product //= base
        count += 1
    return count


@generator("Count a prime in a factorial by repeated division", check=divided_often)
def factorial_exponent(rng: Random, difficulty: int) -> Draw | None:
    last = rng.randint(*((12, 80), (60, 500), (150, 900))[difficulty - 1])
    bases: dict[int, dict[int, int]] = (
        {2: {2: 1}, 3: {3: 1}, 5: {5: 1}, 7: {7: 1}, 10: {2: 1, 5: 1}},
        {6: {2: 1, 3: 1}, 10: {2: 1, 5: 1}, 15: {3: 1, 5: 1}, 9: {3: 2}, 12: {2: 2, 3: 1}, 7: {7: 1}, 5: {5: 1}},
        {12: {2: 2, 3: 1}, 18: {2: 1, 3: 2}, 20: {2: 2, 5: 1}, 24: {2: 3, 3: 1}, 45: {3: 2, 5: 1}, 10: {2: 1, 5: 1}},
    )[difficulty - 1]
    base = rng.choice(list(bases))
    start, step = 0, 1
    if difficulty == 3:
        kind = rng.choice(("quotient", "evens", "full"))
        if kind == "quotient":
            start = rng.randint(20, last // 2)
        elif kind == "evens":
            last -= last % 2
            step = 2
    counts = []
    for p, e in bases[base].items():
        if step == 2:
            count = _exponent(last // 2, p) + (last // 2 if p == 2 else 0)
        else:
            count = _exponent(last, p) - _exponent(start, p)
        counts.append(count // e)
    answer = min(counts)
    if answer < 2:
        return None
    name = person(rng)
    if step == 2:
        product = rf"2 \cdot 4 \cdot 6 \cdots {last}"
        words = f"all even numbers from 2 to {last}"
    elif start:
        product = rf"\frac{{{last}!}}{{{start}!}}"
        words = f"all whole numbers from {start + 1} to {last}"
    else:
        product = f"{last}!"
        words = f"all whole numbers from 1 to {last}"
    if base == 10:
        forms = [
            f"How many zeros are at the end of the number ${product}$?",
            f"{name} multiplies {words} on a very precise computer. How many zeros stand at the end of the result?",
            f"Find the largest integer $k$ for which $10^k$ divides ${product}$.",
        ]
    else:
        forms = [
            f"Find the largest integer $k$ for which ${base}^k$ divides ${product}$.",
            f"{name} multiplies {words}, and divides the result by {base} again and again as long as it goes without "
            f"remainder. How many times can {name} divide?",
            f"How many zeros stand at the end of the product of {words} when it is written in base {base}?",
            rf"What is the largest integer $k$ for which $\frac{{A}}{{{base}^k}}$ is an integer, where $A$ is the "
            f"product of {words}?",
        ]
    return Draw(
        rng.choice(forms),
        str(answer),
        {"first": step if step == 2 else start + 1, "last": last, "step": step, "base": base},
    )


def parts_added(kind: str, first: int, last: int, m: int) -> int:
    """Add the integer parts one term after another, each found by counting up."""
    total = 0
    for k in range(first, last + 1):
        v = 0
        while (
            (v + 1) ** m <= k
            if kind == "root"
            else (v + 1) * m <= k
            if kind == "quotient"
            else (v + 1) * k <= m
            if kind == "share"
            else m ** (v + 1) <= k
        ):
            v += 1
        total += v
    return total


@generator("Group the terms of a sum by equal integer parts", check=parts_added)
def integer_parts(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(("root", "quotient", "share", "logarithm"))
    first, last = 1, rng.randint(*((8, 40), (40, 300), (300, 1000))[difficulty - 1])
    if difficulty == 3 and kind != "share":
        first = rng.randint(50, 200)
    if kind == "root":
        m = 3 if difficulty == 3 and rng.random() < 0.5 else 2
        bounds = [b**m for b in range(1, 40) if b**m <= last]
    elif kind == "quotient":
        m = rng.randint(3, (7, 20, 60)[difficulty - 1])
        bounds = [b * m for b in range(1, last // m + 1)]
    elif kind == "logarithm":
        m = rng.randint(2, 3)
        bounds = [m**b for b in range(1, 12) if m**b <= last]
    else:
        m = last = rng.randint(*((8, 40), (40, 150), (150, 500))[difficulty - 1])
        bounds = []
    # A term reaches v from the v-th bound on, so the sum counts for each bound the terms from it on.
    answer = sum(last - max(first, bound) + 1 for bound in bounds)
    if kind == "share":
        root = isqrt(m)
        answer = 2 * sum(m // d for d in range(1, root + 1)) - root * root
    name = person(rng)

    def term(k: object) -> str:
        return {
            "root": rf"\lfloor\sqrt{'[3]' if m == 3 else ''}{{{k}}}\rfloor",
            "quotient": rf"\left\lfloor\frac{{{k}}}{{{m}}}\right\rfloor",
            "share": rf"\left\lfloor\frac{{{m}}}{{{k}}}\right\rfloor",
            "logarithm": rf"\lfloor\log_{m} {k}\rfloor",
        }[kind]

    forms = [
        f"Compute ${term(first)} + {term(first + 1)} + {term(first + 2)} + \\cdots + {term(last)}$.",
        f"Find the value of $\\displaystyle\\sum_{{k={first}}}^{{{last}}} {term('k')}$.",
    ]
    span = f"{first} to {last}"
    if kind == "share":
        forms.append(
            f"A club has {m} medals. For each number $k$ from {span} it imagines giving the medals to $k$ winners, as "
            "many as possible and the same number to each, and notes how many one winner would get. What is the sum of "
            "all these notes?"
        )
    elif kind == "quotient":
        forms.append(
            f"For every number of eggs from {span}, {name} notes how many boxes of {m} eggs can be filled with them. "
            "What is the sum of these notes?"
        )
    elif kind == "root":
        shape, side, unit = ("cube", "edge", "cubes") if m == 3 else ("square", "side", "square tiles")
        forms.append(
            f"For every number $k$ from {span}, {name} lays the largest full {shape} that $k$ equal {unit} allow, and "
            f"notes how many {unit} there are along its {side}. What is the sum of these notes?"
        )
    else:
        forms.append(
            f"For each $k$ from {span}, {name} notes the largest exponent $e \\ge 0$ with ${m}^e \\le k$. What is the "
            "sum of these notes?"
        )
    if kind == "quotient":
        forms.append(
            f"A shop gives one free coffee for every {m} stamps. {name} imagines having {first}, {first + 1}, "
            f"{first + 2}, …, {last} stamps and adds up the numbers of free coffees in all these cases. What is the "
            f"total?"
        )
    elif kind == "share":
        forms.append(
            f"{name} saws a bar of {m} cm into as many pieces of $k$ cm as possible, once in thought for each $k$ from "
            f"{span}, and adds up the numbers of full pieces. What is the total?"
        )
    elif kind == "root":
        forms.append(
            f"The integers from {span} are replaced by their {'cube' if m == 3 else 'square'} roots, each rounded "
            f"down to a "
            "whole number. What do the rounded numbers add up to?"
        )
    values = {"kind": kind, "first": first, "last": last, "m": m}
    return Draw(rng.choice(forms), str(answer), values)


def divided_down(a: int, b: int, sign: int, n: int, p: int, power: int) -> int:
    """Compute the number itself and divide it again and again; for a least exponent, try one after the other."""
    if power:
        exponent = 1
        while (a**exponent + sign * b**exponent) % p**power:
            exponent += 1
        return exponent
    number, count = a**n + sign * b**n, 0
    while number % p == 0:
        number, count = number // p, count + 1
    return count


def _in_number(n: int, p: int) -> int:
    count = 0
    while n % p == 0:
        n, count = n // p, count + 1
    return count


@generator("Lift the exponent of a prime in a difference of powers", check=divided_down)
def lifted_exponent(rng: Random, difficulty: int) -> Draw | None:
    p = rng.choice(((2, 3, 5), (2, 3, 5, 7), (2, 3, 5, 7, 11))[difficulty - 1])
    b = 1 if difficulty < 3 or rng.random() < 0.3 else rng.randint(2, 9)
    sign = rng.choice((-1, -1, 1)) if difficulty > 1 and p > 2 else -1
    a = rng.randint(b + 1, (20, 40, 60)[difficulty - 1])
    if a % p == 0 or b % p == 0 or gcd(a, b) > 1 or (a + sign * b) % p or a - b == 0:
        return None
    n = rng.randint(1, 6) * p ** rng.randint(1, (2, 3, 3)[difficulty - 1])
    if n > 700 or (sign == 1 and n % 2 == 0) or n < 4:
        return None
    least = difficulty > 1 and p > 2 and rng.random() < 0.35
    base = _in_number(a + sign * b, p)
    power = 0
    if least:
        # Exponent n contributes what is missing; with a plus sign a power of an odd prime is odd already.
        power = base + rng.randint(1, 3)
        answer = p ** (power - base)
        if answer > 1000:
            return None
    elif p == 2 and n % 2 == 0:
        answer = _in_number(a * a - b * b, 2) + _in_number(n, 2) - 1
    else:
        answer = base + _in_number(n, p)
    if answer < 2:
        return None
    other = "1" if b == 1 else f"{b}^"
    op = "+" if sign == 1 else "-"
    name = person(rng)

    def term(exponent: str) -> str:
        return f"{a}^{exponent} {op} {other}" + ("" if b == 1 else exponent)

    prime = {2: "two", 3: "three", 5: "five", 7: "seven", 11: "eleven"}[p]
    if least:
        forms = [
            f"Find the smallest positive integer $n$ for which ${p}^{power}$ divides ${term('n')}$.",
            f"What is the least exponent $n \\ge 1$ such that ${term('n')}$ is a multiple of ${p**power}$?",
            f"{name} computes ${term('n')}$ for $n = 1, 2, 3, \\ldots$ and stops at the first result that can be "
            f"divided by {p} at least {power} times in a row without remainder. For which $n$ does this happen?",
            f"In which row $n$ of the list ${term('1')}$, ${term('2')}$, ${term('3')}$, … does a number first end in "
            f"at least {power} zeros when it is written in base {prime}?",
        ]
    else:
        e = f"{{{n}}}"
        forms = [
            f"Find the largest integer $k$ for which ${p}^k$ divides ${term(e)}$.",
            f"How many zeros stand at the end of ${term(e)}$ when this number is written in base {prime}?",
            f"What is the exponent of ${p}$ in the prime factorisation of ${term(e)}$?",
        ]
        if p == 2:
            forms += [
                f"The number ${term(e)}$ is halved again and again until an odd number arises. How many halvings are "
                "needed?",
                f"A knockout cup has ${term(e)}$ players. Each round halves their number, until an odd number of "
                "players is left. How many rounds are played?",
            ]
        else:
            forms += [
                f"{name} divides ${term(e)}$ by {p}, the result by {p} again, and so on while no remainder appears. "
                f"How "
                "many divisions succeed?",
                f"A company splits ${term(e)}$ leaflets into {p} equal heaps, each heap into {p} equal heaps again, "
                f"and "
                "so on, until the leaflets of a heap cannot be split equally any more. How many times was everything "
                "split?",
            ]
    values = {"a": a, "b": b, "sign": sign, "n": n, "p": p, "power": power}
    return Draw(rng.choice(forms), str(answer), values)


def zeros_erased(first: int, last: int, step: int, power: int) -> int:
    """Multiply out in full, write the product down and erase the zeros at its end."""
    product = 1
    for k in range(first, last + 1, step):
        product *= k**power
        while product % 10 == 0:
            product //= 10
    return product % 10


@generator("Strip twos and fives to find the last nonzero digit", check=zeros_erased)
def last_nonzero(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        ("factorial", "run", "power") if difficulty < 3 else ("factorial", "run", "evens", "fives", "power")
    )
    last = rng.randint(*((8, 40), (30, 150), (100, 500))[difficulty - 1])
    first, step, power = 1, 1, 1
    if kind == "power":
        m = rng.choice((15, 20, 30, 40, 60, 80, 120, 140, 180, 220, 35, 45, 12)) * rng.choice((1, 10))
        first, last, power = m, m, rng.randint(*((3, 20), (15, 80), (60, 400))[difficulty - 1])
    elif kind == "run":
        first = rng.randint(2, last - 5)
        if difficulty == 1 and last - first > 15:
            return None
    elif kind in ("evens", "fives"):
        step = 2 if kind == "evens" else 5
        last -= last % step
        first = step
    twos = fives = 0
    rest = 1
    for k in range(first, last + 1, step):
        factor = k
        while factor % 2 == 0:
            factor //= 2
            twos += power
        while factor % 5 == 0:
            factor //= 5
            fives += power
        rest = rest * pow(factor, power, 10) % 10
    if min(twos, fives) == 0:
        return None
    answer = rest * (pow(2, twos - fives, 10) if twos >= fives else 5) % 10
    product = {
        "factorial": f"{last}!",
        "run": rf"{first} \cdot {first + 1} \cdot {first + 2} \cdots {last}",
        "evens": rf"2 \cdot 4 \cdot 6 \cdots {last}",
        "fives": rf"5 \cdot 10 \cdot 15 \cdots {last}",
        "power": f"{last}^{{{power}}}",
    }[kind]
    words = {
        "factorial": f"all whole numbers from 1 to {last}",
        "run": f"all whole numbers from {first} to {last}",
        "evens": f"all even numbers from 2 to {last}",
        "fives": f"all multiples of 5 from 5 to {last}",
        "power": f"{power} factors, all equal to {last},",
    }[kind]
    name = person(rng)
    forms = [
        f"What is the last nonzero digit of ${product}$?",
        f"{name} multiplies {words} and then erases all zeros at the end of the result. What is the last digit now?",
        f"When ${product}$ is divided by the largest power of $10$ that divides it, which units digit does the result "
        "have?",
        f"The number ${product}$ is printed on a strip, and the zeros at its end are cut off. Which digit is at the "
        "right-hand end of the strip?",
    ]
    if kind == "factorial":
        forms.append(
            f"{last} books can be placed on a shelf in ${product}$ orders. {name} writes this number out. Which is the "
            "rightmost digit that is not a zero?"
        )
    values = {"first": first, "last": last, "step": step, "power": power}
    return Draw(rng.choice(forms), str(answer), values)


def exact_part(a: int, b: int, d: int, n: int, modulus: int, nearest: bool) -> int:
    """Expand the power as X + Y times the root, exactly, and take the integer part from an integer square root."""
    from math import isqrt

    x, y = 1, 0
    for _ in range(n):
        x, y = a * x + b * d * y, b * x + a * y
    part = x + isqrt(y * y * d)
    if nearest and (2 * part + 1 - 2 * x) ** 2 < 4 * y * y * d:
        part += 1
    return part % modulus if modulus else part


@generator("Add the small conjugate to find an integer part", check=exact_part)
def small_conjugate(rng: Random, difficulty: int) -> Draw | None:
    a, b = rng.randint(1, (4, 7, 12)[difficulty - 1]), rng.choice((1, 1, 2)) if difficulty > 1 else 1
    d = rng.choice((2, 3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 17, 19, 21, 22, 23, 26, 27, 29, 31, 33, 35))
    norm = a * a - b * b * d
    # The conjugate a - b sqrt(d) lies between -1 and 1.
    if not (a - 1) ** 2 < b * b * d < (a + 1) ** 2 or norm == 0 or a * a == b * b * d:
        return None
    n = rng.randint(*((2, 6), (5, 30), (20, 200))[difficulty - 1])
    modulus = 0 if difficulty == 1 else 10 if difficulty == 2 else rng.choice((7, 9, 10, 100, 100))
    nearest = rng.random() < 0.3
    before, now = 2, 2 * a
    for _ in range(n - 1):
        before, now = now, 2 * a * now - norm * before
        if modulus:
            now %= modulus
    positive = norm > 0 or n % 2 == 0
    if nearest and 2 * abs(a - b * d**0.5) ** n > 0.9:
        return None
    answer = now - (positive and not nearest)
    answer = answer % modulus if modulus else answer
    root = rf"{b if b > 1 else ''}\sqrt{{{d}}}"
    power = rf"\left({a} + {root}\right)^{{{n}}}"
    name = person(rng)
    what = "the integer nearest to" if nearest else "the largest integer not exceeding"
    part = "number of grams, rounded to the nearest whole number" if nearest else "number of full grams"
    shown = "rounded to the nearest whole number" if nearest else "with everything after the decimal point cut off"
    if modulus == 0:
        forms = [
            f"Find {what} ${power}$.",
            f"{name} computes ${power}$ and writes the result down {shown}. Which number does {name} write?",
            f"A culture weighs 1 gram and grows by the factor ${a} + {root}$ every day. What is its weight after {n} "
            f"days "
            f"as a {part}?",
            f"Without a calculator, find the value of ${power}$ {shown}.",
        ]
    else:
        asked = {10: "last digit", 100: "number formed by the last two digits"}.get(modulus)
        if modulus == 100 and answer < 10:
            return None
        rest = (
            f"What is the {asked} of this number?"
            if asked
            else f"What remainder does it leave on division by {modulus}?"
        )
        forms = [
            f"Let $N$ be {what} ${power}$. " + rest.replace("this number", "$N$").replace("does it", "does $N$"),
            f"A computer with very many decimals works out ${power}$, and {name} notes the result {shown}. "
            f"{rest}".replace("this number", "the number noted").replace("does it", "does the number noted"),
            f"A culture weighs 1 gram and grows by the factor ${a} + {root}$ every day. Its weight after {n} days is "
            f"given as a {part}. {rest}",
        ]
        if not nearest and modulus == 10:
            forms.append(f"Which digit stands directly before the decimal point of ${power}$?")
        elif not nearest:
            forms.append(
                rf"What is $\left\lfloor {power} \right\rfloor$ modulo ${modulus}$, as a number from $0$ to "
                rf"${modulus - 1}$?"
            )
    values = {"a": a, "b": b, "d": d, "n": n, "modulus": modulus, "nearest": nearest}
    return Draw(rng.choice(forms), str(answer), values)
