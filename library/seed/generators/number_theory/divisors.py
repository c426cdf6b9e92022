"""Problems on divisors and perfect powers."""

from math import prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person

_POWERS = {2: "square", 3: "cube", 4: "fourth power", 5: "fifth power"}


def _number(rng: Random, low: int, high: int, distinct: int) -> dict[int, int] | None:
    """Draw a number with the given number of different primes as its exponents."""
    exponents = {p: rng.randint(1, 5 if p == 2 else 3) for p in rng.sample((2, 3, 5, 7, 11), distinct)}
    return exponents if low <= prod(p**e for p, e in exponents.items()) <= high else None


def _condition(rng: Random, exponents: dict[int, int], difficulty: int) -> tuple[str, str, int, dict[int, list[int]]]:
    """Draw a condition on divisors: its kind, its words, its number, the exponents that it leaves."""
    allowed = {p: list(range(e + 1)) for p, e in exponents.items()}
    kinds = ("all", "odd", "even") if difficulty == 1 else ("odd", "even", "multiple", "square", "coprime", "cube")
    kind = rng.choice(kinds)
    number = 1
    if kind in ("odd", "even"):
        if 2 not in allowed:
            kind = "all"
        else:
            allowed[2] = [0] if kind == "odd" else allowed[2][1:]
    if kind == "multiple":
        p, q = rng.sample(list(allowed), 2)
        number = p * q if rng.random() < 0.6 else p * p
        for prime in allowed:
            while number % prime ** (allowed[prime][0] + 1) == 0:
                allowed[prime] = allowed[prime][1:] or [99]
    elif kind == "coprime":
        number = rng.choice([p for p in allowed if p > 2] or [3])
        if number in allowed:
            allowed[number] = [0]
    elif kind in ("square", "cube"):
        step = 2 if kind == "square" else 3
        allowed = {p: steps[::step] for p, steps in allowed.items()}
    words = {
        "all": "",
        "odd": "odd",
        "even": "even",
        "multiple": f"multiples of {number}",
        "square": "perfect squares",
        "cube": "perfect cubes",
        "coprime": f"not multiples of {number}",
    }[kind]
    return kind, words, number, allowed


def divisors_tried(n: int, kind: str, number: int, total: bool) -> int:
    """Try all numbers up to n as divisors and keep those that meet the condition."""
    found = []
    for d in range(1, n + 1):
        if n % d == 0:
            meets = {
                "all": True,
                "odd": d % 2 == 1,
                "even": d % 2 == 0,
                "multiple": d % number == 0,
                "coprime": d % number > 0,
                "square": round(d**0.5) ** 2 == d,
                "cube": round(d ** (1 / 3)) ** 3 == d,
            }
            if meets[kind]:
                found.append(d)
    return sum(found) if total else len(found)


@generator("Count divisors by choosing exponents of the prime factorisation", check=divisors_tried)
def divisor_count(rng: Random, difficulty: int) -> Draw | None:
    exponents = _number(rng, *((12, 200), (200, 4000), (2000, 60000))[difficulty - 1], (2, 3, 3)[difficulty - 1])
    if exponents is None:
        return None
    kind, words, number, allowed = _condition(rng, exponents, difficulty)
    answer = prod(map(len, allowed.values()))
    n = prod(p**e for p, e in exponents.items())
    if answer < 2 or (difficulty == 3 and not words) or any(steps == [99] for steps in allowed.values()):
        return None
    written = str(n)
    if difficulty == 3 and rng.random() < 0.3:
        written = r" \cdot ".join(f"{p}^{e}" if e > 1 else str(p) for p, e in sorted(exponents.items()))
    name = person(rng)
    rows = f" She wants the number of rows to be {_single(kind, number)}." if words else ""
    groups = f" The number of boxes is to be {_single(kind, number)}." if words else ""
    counts = "counts too where this condition is met" if words else "counts too"
    problem = rng.choice(
        (
            f"How many positive divisors of ${written}$ are {words}?"
            if words
            else f"How many positive divisors does ${written}$ have?",
            f"A gardener sets out ${written}$ tulips in rows with the same number in each row.{rows} How many numbers "
            f"of rows are possible? (A single row, or one tulip in each row, {counts}.)",
            f"{name} wants to pack ${written}$ marbles into boxes, the same number in each box, with none left over."
            f"{groups} How many numbers of boxes are possible? (A single box, or one marble in each box, {counts}.)",
            f"For how many positive integers $k$ is $\\frac{{{written}}}{{k}}$ an integer{_and(kind, number)}?",
        )
    )
    return Draw(problem, str(answer), {"n": n, "kind": kind, "number": number, "total": False})


def _single(kind: str, number: int) -> str:
    return {
        "all": "",
        "odd": "odd",
        "even": "even",
        "multiple": f"a multiple of {number}",
        "square": "a perfect square",
        "cube": "a perfect cube",
        "coprime": f"no multiple of {number}",
    }[kind]


def _and(kind: str, number: int) -> str:
    return f" and $k$ {_single(kind, number).replace('no ', 'not a ')}" if kind != "all" else ""


@generator("Sum divisors as a product of prime-power sums", check=divisors_tried)
def divisor_sum(rng: Random, difficulty: int) -> Draw | None:
    exponents = _number(rng, *((12, 200), (100, 2500), (1000, 30000))[difficulty - 1], (2, 3, 3)[difficulty - 1])
    if exponents is None:
        return None
    kind, words, number, allowed = _condition(rng, exponents, difficulty)
    if prod(map(len, allowed.values())) < 3 or any(steps == [99] for steps in allowed.values()):
        return None
    n = prod(p**e for p, e in exponents.items())
    answer = prod(sum(p**e for e in steps) for p, steps in allowed.items())
    name = person(rng)
    only = f" and keeps those that are {words}" if words else ""
    problem = rng.choice(
        (
            f"Find the sum of all positive divisors of ${n}$" + (f" that are {words}." if words else "."),
            f"{name} writes down every positive whole number that divides {n} without remainder{only}. What is the "
            f"sum of {name}'s numbers?",
            f"On a board there are cards with all positive divisors of {n}."
            + (f" {name} takes the cards whose numbers are {words}." if words else f" {name} takes them all.")
            + " What do the numbers on these cards add up to?",
        )
    )
    return Draw(problem, str(answer), {"n": n, "kind": kind, "number": number, "total": True})


def powers_tried(conditions: list[list[int]]) -> int:
    """Go through the powers that the first condition allows, and test the others on each."""
    (multiplier, divisor, power), rest = conditions[0], conditions[1:]
    base = 1
    while True:
        number: int
        number, remainder = divmod(base**power * divisor, multiplier)
        if remainder == 0 and number % divisor == 0:
            for times, parts, k in rest:
                value, over = divmod(number * times, parts)
                root = round(value ** (1 / k))
                if over or root**k != value:
                    break
            else:
                return number
        base += 1


@generator("Complete the exponents to make a perfect power", check=powers_tried)
def perfect_power(rng: Random, difficulty: int) -> Draw | None:
    # Each condition says that the unknown, times a number, divided by a number, is a perfect power.
    name = person(rng)
    if difficulty < 3:
        power = 2 if difficulty == 1 else rng.randint(2, 4)
        exponents = _number(rng, *((12, 300), (100, 5000))[difficulty - 1], rng.randint(2, difficulty + 1))
        if exponents is None:
            return None
        number = prod(p**e for p, e in exponents.items())
        answer = prod(p ** (-e % power) for p, e in exponents.items())
        if answer in (1, number) or (power == 4 and answer > 10000):
            return None
        kind = _POWERS[power]
        a_way = "an integer"
        forms = [
            f"Find the smallest positive integer $n$ for which ${number}n$ is the {kind} of {a_way}.",
            f"{name} wants to multiply {number} by a positive whole number so that the result is a perfect {kind}. "
            f"What is the smallest number that {name} can use?",
        ]
        if power == 2:
            forms.append(
                f"Square tiles come in packets of {number}. What is the smallest number of packets whose tiles can all "
                "be laid out as one full square?"
            )
        elif power == 3:
            forms.append(
                f"Small equal cubes are sold in packets of {number}. What is the smallest number of packets whose "
                "cubes can all be built into one solid cube?"
            )
        else:
            forms.append(f"What is the smallest positive integer $n$ for which $\\sqrt[4]{{{number}n}}$ is an integer?")
        return Draw(rng.choice(forms), str(answer), {"conditions": [[number, 1, power]]})
    p, q = rng.sample((2, 3, 5, 7), 2)
    parts = [p, q]
    powers = list(rng.choice(((2, 3), (3, 2), (2, 2), (3, 3), (2, 5))))
    times = [1, 1]
    if rng.random() < 0.4:
        extra = rng.choice((2, 3, 5, 6, 10))
        parts = [p * extra, q]
    primes = {prime for part in parts for prime in (2, 3, 5, 7) if part % prime == 0}
    answer = 1
    for prime in primes:
        e = 0
        needed = [sum(part % prime**k == 0 for k in range(1, 9)) for part in parts]
        while any(e < need or (e - need) % power for need, power in zip(needed, powers, strict=True)):
            e += 1
            if e > 60:
                return None
        answer *= prime**e
    if answer > 3 * 10**9:
        return None
    kinds = [_POWERS[power] for power in powers]
    forms = [
        f"Find the smallest positive integer $n$ for which $\\frac{{n}}{{{parts[0]}}}$ is a perfect {kinds[0]} and "
        f"$\\frac{{n}}{{{parts[1]}}}$ is a perfect {kinds[1]}.",
        f"A positive whole number becomes a perfect {kinds[0]} when it is divided by {parts[0]}, and a perfect "
        f"{kinds[1]} when it is divided by {parts[1]}. What is the smallest such number?",
        f"{name} looks for positive integers that are {parts[0]} times a perfect {kinds[0]} and also {parts[1]} times "
        f"a perfect {kinds[1]}. What is the smallest that {name} can find?",
    ]
    conditions = [[t, part, power] for t, part, power in zip(times, parts, powers, strict=True)]
    return Draw(rng.choice(forms), str(answer), {"conditions": conditions})
