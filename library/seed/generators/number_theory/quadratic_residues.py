"""Problems on squares modulo n and on sums of two squares."""

from math import isqrt, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def squares_subtracted(n: int, asked: str) -> int:
    """Take each square off the number and see whether a square is left."""
    from math import isqrt

    found = set()
    for x in range(-isqrt(n), isqrt(n) + 1):
        rest = n - x * x
        y = isqrt(rest)
        if y * y == rest:
            found |= {(x, y), (x, -y)}
    if asked == "integers":
        return len(found)
    if asked == "positive":
        return sum(x > 0 and y > 0 for x, y in found)
    return sum(0 <= x <= y for x, y in found)


@generator("Count sums of two squares from the primes of the number", check=squares_subtracted)
def two_squares(rng: Random, difficulty: int) -> Draw | None:
    splitting = rng.sample((5, 13, 17, 29, 37, 41), (1, 2, 2)[difficulty - 1])
    exponents = {p: rng.randint(1, (2, 2, 3)[difficulty - 1]) for p in splitting}
    others = {2: rng.randint(0, (1, 2, 3)[difficulty - 1])}
    if rng.random() < 0.5:
        others[rng.choice((3, 7, 11))] = 2
    n = prod(p**e for p, e in (exponents | others).items())
    if not (5, 60, 500)[difficulty - 1] <= n <= (1300, 9000, 90000)[difficulty - 1]:
        return None
    count = 4 * prod(e + 1 for e in exponents.values())
    # With a zero: n is a square. With equal members: n is twice a square.
    square, twice = isqrt(n) ** 2 == n, n % 2 == 0 and isqrt(n // 2) ** 2 * 2 == n
    asked = rng.choice(("integers", "integers", "positive", "unordered"))
    positive = count // 4 - square
    unordered = (positive + twice) // 2 + square
    answer = {"integers": count, "positive": positive, "unordered": unordered}[asked]
    if answer < 2:
        return None
    name = person(rng)
    forms = {
        "integers": (
            f"How many points with integer coordinates lie on the circle $x^2 + y^2 = {n}$?",
            f"How many ordered pairs $(a, b)$ of integers, which may be negative or zero, satisfy $a^2 + b^2 = {n}$?",
            f"{name} marks all points of the square grid (spacing 1) whose distance from the grid point $O$ is exactly "
            rf"$\sqrt{{{n}}}$. How many points does {name} mark?",
        ),
        "positive": (
            f"How many ordered pairs $(a, b)$ of positive integers satisfy $a^2 + b^2 = {n}$?",
            f"A red and a blue square have sides of whole numbers of centimetres, and their areas add up to {n} square "
            "centimetres. In how many ways can their sides be chosen?",
            f"How many points of the circle $x^2 + y^2 = {n}$ have two positive integers as their coordinates?",
        ),
        "unordered": (
            f"In how many ways can ${n}$ be written as a sum of two squares of non-negative integers, if the order of "
            "the two does not matter?",
            f"{name} has {n} equal square tiles and lays all of them out as one or two full squares. How many ways are "
            "there, where only the sizes of the squares matter and not their order?",
            rf"How many pairs of integers $0 \le a \le b$ satisfy $a^2 + b^2 = {n}$?",
        ),
    }[asked]
    return Draw(rng.choice(forms), str(answer), {"n": n, "asked": asked})


def residues_tried(modulus: int, coefficients: list[int], last: int) -> int:
    """Put every number of the range into the polynomial."""
    found = 0
    for x in range(1, last + 1):
        value = 0
        for coefficient in coefficients:
            value = (value * x + coefficient) % modulus
        found += value == 0
    return found


@generator("Count the solutions of a congruence prime power by prime power", check=residues_tried)
def congruence_count(rng: Random, difficulty: int) -> Draw | None:
    powers = rng.sample((3, 4, 5, 7, 8, 9, 11, 13, 16, 25), difficulty + 1 if difficulty < 3 else 3)
    if len({next(p for p in (2, 3, 5, 7, 11, 13) if q % p == 0) for q in powers}) < len(powers):
        return None
    modulus = prod(powers)
    if not (12, 60, 300)[difficulty - 1] <= modulus <= (150, 900, 3000)[difficulty - 1]:
        return None
    kind = rng.choice(("square", "same", "quadratic") if difficulty < 3 else ("square", "same", "cube", "cubic"))
    a = 1
    if kind == "square":
        root = rng.randint(1, 9)
        a = root * root
        coefficients, left, right = [1, 0, -a], "x^2", str(a)
    elif kind == "same":
        coefficients, left, right = [1, -1, 0], "x^2", "x"
    elif kind == "quadratic":
        p, q = rng.sample(range(1, 9), 2)
        a = p
        coefficients, left, right = [1, -p - q, p * q], f"x^2 + {p * q}", f"{p + q}x"
    elif kind == "cube":
        coefficients, left, right = [1, 0, 0, -1], "x^3", "1"
    else:
        coefficients, left, right = [1, 0, -1, 0], "x^3", "x"
    periods = 1 if difficulty == 1 else rng.randint(1, 5)
    last = modulus * periods

    def value(x: int, m: int) -> int:
        total = 0
        for c in coefficients:
            total = (total * x + c) % m
        return total

    answer = periods * prod(sum(value(x, m) == 0 for x in range(m)) for m in powers)
    if answer < 3:
        return None
    name = person(rng)
    forms = [
        rf"How many integers $x$ with $1 \le x \le {last}$ satisfy ${left} \equiv {right} \pmod{{{modulus}}}$?",
        f"For how many integers $x$ from $1$ to ${last}$ is ${left} - {right}$ a multiple of ${modulus}$?",
        f"{name} writes down all integers $x$ from $1$ to ${last}$ for which ${left}$ and ${right}$ leave the same "
        f"remainder on division by ${modulus}$. How many integers are these?",
        f"Tickets carry the numbers $x = 1, 2, \\ldots, {last}$. A ticket wins if ${modulus}$ divides the difference "
        f"of "
        f"${left}$ and ${right}$. How many tickets win?",
    ]
    return Draw(rng.choice(forms), str(answer), {"modulus": modulus, "coefficients": coefficients, "last": last})


def residues_squared(coefficients: list[int], p: int, last: int, asked: str) -> int:
    """Put every number of the range into the expression."""
    a, b, c = coefficients
    found = [x for x in range(last + 1) if (a * x * x + b * x + c) % p == 0]
    if asked == "count":
        return sum(x > 0 for x in found)
    found = found[:2]
    return {"larger": max(found), "smaller": min(found), "product": found[0] * found[-1]}[asked]


@generator("Complete the square modulo a prime", check=residues_squared)
def square_completed(rng: Random, difficulty: int) -> Draw | None:
    low, high = ((7, 24), (17, 60), (41, 140))[difficulty - 1]
    p = rng.choice([n for n in range(low, high) if all(n % d for d in range(2, isqrt(n) + 1))])
    a = 1 if difficulty == 1 else rng.randint(1, (4, 9)[difficulty - 2])
    b, c = rng.randint(1, min(p - 1, 20)), rng.randint(1, min(p - 1, 40))
    # (2ax + b)^2 = b^2 - 4ac
    discriminant = (b * b - 4 * a * c) % p
    if discriminant == 0 or pow(discriminant, (p - 1) // 2, p) != 1:
        return None
    root = next(r for r in range(1, p) if r * r % p == discriminant)
    first, second = sorted((r - b) * pow(2 * a, -1, p) % p for r in (root, -root))
    asked = rng.choice(("larger", "smaller", "product", "count"))
    last = p - 1
    if asked == "count":
        last = p * rng.randint(1, 12) + rng.randint(0, p - 1)
        answer = sum(max((last - x) // p + 1, 0) - (x == 0) for x in (first, second))
    else:
        answer = {"larger": second, "smaller": first, "product": first * second}[asked]
    if first == 0 or answer < 2:
        return None
    left = f"{a if a > 1 else ''}x^2 + {b if b > 1 else ''}x + {c}"
    term = left.replace("x", "n")
    name = person(rng)
    two = {"larger": "the larger", "smaller": "the smaller", "product": "the product"}.get(asked, "")
    forms = {
        "count": (
            f"For how many integers $n$ from $1$ to ${last}$ is ${term}$ divisible by ${p}$?",
            f"{name} computes ${term}$ for $n = 1, 2, \\ldots, {last}$ and marks the results that are multiples of "
            f"{p}. "
            "How many results are marked?",
            f"In row $n$ of a pattern there are ${term}$ dots. How many of the first {last} rows can be split into "
            f"groups of exactly {p} dots?",
            f"The sequence $a_n = {term}$ is given. How many of its terms $a_1, \\ldots, a_{{{last}}}$ are divisible "
            f"by "
            f"the prime ${p}$?",
        ),
        "smaller": (
            f"What is the smallest positive integer $n$ for which ${term}$ is divisible by ${p}$?",
            rf"Find the smallest positive solution of ${left} \equiv 0 \pmod{{{p}}}$.",
            f"On day $n$ a bakery makes ${term}$ rolls and packs them in bags of {p}. On which day are no rolls left "
            "over for the first time?",
            f"A ball rolls round a ring of {p} places, numbered from 0. In position $n$ of a list it is on the place "
            f"whose number is the remainder of ${term}$ on division by {p}. Which is the first position $n > 0$ with "
            "the place 0?",
        ),
    }.get(
        asked,
        (
            rf"The congruence ${left} \equiv 0 \pmod{{{p}}}$ has two solutions with $0 \le x < {p}$. Find {two} of "
            "them.".replace("the product of them", "their product"),
            f"There are exactly two integers $x$ from $0$ to ${p - 1}$ for which ${left}$ is a multiple of ${p}$. What "
            f"is {two} of the two?",
            f"{name} divides ${term}$ by {p} for every integer $n$ from 0 to {p - 1} and gets the remainder 0 twice. "
            f"What is {two} of the two numbers $n$?",
            f"A calendar of {p} days is numbered from 0 to {p - 1}. On day $n$ a machine needs ${term}$ screws, which "
            f"come in boxes of {p}. On just two days no box is left partly full. What is {two} of the numbers of these "
            "two days?",
        ),
    )
    values = {"coefficients": [a, b, c], "p": p, "last": last, "asked": asked}
    return Draw(rng.choice(forms), str(answer), values)
