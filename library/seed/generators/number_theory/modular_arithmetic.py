"""Problems on remainders."""

from math import gcd, lcm, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person, times


def multiplied_out(base: int, exponent: int, modulus: int) -> int:
    """Multiply by the base again and again, keeping remainders."""
    remainder = 1 % modulus
    for _ in range(exponent):
        remainder = remainder * base % modulus
    return remainder


@generator("Reduce a power modulo n with a cycle of residues", check=multiplied_out)
def power_remainder(rng: Random, difficulty: int) -> Draw | None:
    modulus = rng.randint(*((5, 9), (10, 20), (21, 60))[difficulty - 1])
    base = rng.randint(2, modulus - 1)
    exponent = rng.randint(20, (60, 400, 3000)[difficulty - 1])
    answer = pow(base, exponent, modulus)
    if answer in (0, 1):
        return None
    power = f"${base}^{{{exponent}}}$"
    problem = rng.choice(
        (
            f"What is the remainder when {power} is divided by ${modulus}$?",
            f"Find the smallest non-negative integer $r$ for which {power} and $r$ leave the same remainder modulo "
            f"${modulus}$.",
            f"{person(rng)} packs {power} beads into boxes of {modulus} until fewer than {modulus} are left. How many "
            "beads are left over?",
            f"A colony of {base} cells grows to {base} times its size every hour, so that there are {power} cells "
            f"after "
            f"{exponent - 1} hours. They are spread over {modulus} dishes as evenly as possible in whole cells. How "
            f"many "
            "dishes get one cell more than the others?",
            f"{modulus} lamps in a ring are numbered from 0 to {modulus - 1}. Starting at lamp 0, a light moves on by "
            f"{power} lamps. At which lamp does it stop?",
            f"A pocket computer keeps only the remainder on division by {modulus} of any result. {person(rng)} enters "
            f"{base} and then multiplies by {base} until {exponent} factors have been used. What does the computer "
            f"show?",
        )
    )
    return Draw(problem, str(answer), {"base": base, "exponent": exponent, "modulus": modulus})


def numbers_divided(moduli: list[int], remainders: list[int], bound: int, asked: str) -> int:
    """Divide every number in turn by all moduli."""
    from itertools import count

    def meets(n: int) -> bool:
        return all(n % m == r for m, r in zip(moduli, remainders, strict=True))

    if asked == "smallest":
        return next(n for n in count(1) if meets(n))
    fits = [n for n in range(1, bound + 1) if meets(n)]
    return len(fits) if asked == "count" else fits[-1]


@generator("Join simultaneous remainders by stepping through one residue class", check=numbers_divided)
def joined_remainders(rng: Random, difficulty: int) -> Draw | None:
    count = 2 if difficulty == 1 else 3
    moduli = sorted(rng.sample(range(*((3, 10), (4, 13), (6, 24))[difficulty - 1]), count))
    step = lcm(*moduli)
    if any(b % a == 0 for a in moduli for b in moduli if a < b) or not 20 <= step <= 9000:
        return None
    number = rng.randint(max(moduli) + 1, step)
    remainders = [number % m for m in moduli]
    asked = rng.choice(("smallest", "smallest", "largest", "count")) if difficulty > 1 else "smallest"
    bound = step
    if asked != "smallest":
        bound = 100 * rng.randint(step // 100 + 1, 4 * step // 100 + 2)
        if bound > 20000:
            return None
    fits = list(range(number, bound + 1, step))
    if not fits or len(set(remainders)) == 1 or (asked == "count" and len(fits) < 2):
        return None
    answer = {"smallest": number, "largest": fits[-1], "count": len(fits)}[asked]
    pairs = list(zip(moduli, remainders, strict=True))
    leaves = listed([f"remainder ${r}$ when divided by ${m}$" for m, r in pairs])
    name = person(rng)
    things, packs = rng.choice((("sheets", "bundles"), ("eggs", "boxes"), ("roses", "bunches"), ("coins", "rolls")))
    one = things[:-1]
    over = "; ".join(
        f"in {packs} of {m}, {'no' if r == 0 else r} {things if r != 1 else one} {'is' if r == 1 else 'are'} left over"
        for m, r in pairs
    )
    rows = "; ".join(
        f"in rows of {m}, {'nobody is' if r == 0 else '1 pupil is' if r == 1 else f'{r} pupils are'} left"
        for m, r in pairs
    )
    forms = {
        "smallest": (
            f"Find the smallest positive integer that leaves {leaves}.",
            f"{name} packs {things}: {over}. What is the smallest possible number of {things}?",
            f"The pupils of a school line up: {rows}. The school has at most {step} pupils. How many does it have?",
            f"Lights blink in cycles of {listed([str(m) for m in moduli])} seconds. A clock that started when all "
            f"cycles "
            f"began together shows that {listed([str(r) for r in remainders])} seconds, in this order, have passed "
            f"in the "
            "cycles now running. What is the smallest number of seconds that the clock can show?",
            f"{name} forgot the number of a locker and only knows that it leaves {leaves}. Which is the smallest "
            f"number "
            "that fits?",
        ),
        "largest": (
            f"What is the largest integer below ${bound + 1}$ that leaves {leaves}?",
            f"The number of a lottery ticket, at most {bound}, leaves {leaves}. Which is the largest number the "
            f"ticket can "
            "have?",
            f"{name} packs {things}: {over}. There are at most {bound} {things}. What is the largest possible number "
            f"of {things}?",
            f"The pupils of a school line up: {rows}. The school has at most {bound} pupils. How many can it have at "
            "most?",
        ),
        "count": (
            f"How many positive integers up to ${bound}$ leave {leaves}?",
            f"{name} packs {things}: {over}. There are at most {bound} {things}. How many different numbers of "
            f"{things} are possible?",
            f"A lottery has tickets with the numbers 1 to {bound}. A ticket wins if its number leaves {leaves}. How "
            "many tickets win?",
        ),
    }[asked]
    values = {"moduli": moduli, "remainders": remainders, "bound": bound, "asked": asked}
    return Draw(rng.choice(forms), str(answer), values)


def multiples_tried(a: int, b: int, m: int, asked: str) -> int:
    """Step on by a round the circle of m residues and note when b is reached."""
    fits: list[int] = []
    place = 0
    for x in range(m):
        if place == b:
            fits.append(x)
        place = (place + a) % m
    return {"first": fits[0], "last": fits[-1], "sum": sum(fits), "count": len(fits)}[asked]


@generator("Divide in a congruence by a modular inverse", check=multiples_tried)
def congruence_solution(rng: Random, difficulty: int) -> Draw | None:
    m = rng.randint(*((7, 30), (30, 120), (100, 400))[difficulty - 1])
    a, x = rng.randint(2, m - 1), rng.randint(2, m - 1)
    b = a * x % m
    g = gcd(a, m)
    if b < 2 or (difficulty < 3 and g > 1) or (difficulty == 3 and not 2 <= g <= 12) or b % a == 0:
        return None
    small = m // g
    first = b // g * pow(a // g, -1, small) % small
    asked = "first" if difficulty < 3 else rng.choice(("first", "last", "sum"))
    last = first + (g - 1) * small
    answer = {"first": first, "last": last, "sum": g * (first + last) // 2}[asked]
    name = person(rng)
    congruence = rf"${a}x \equiv {b} \pmod{{{m}}}$"
    which = {"first": "smallest non-negative integer", "last": f"largest integer $x < {m}$"}
    if asked == "sum":
        forms = [
            rf"Find the sum of all integers $x$ with $0 \le x < {m}$ that satisfy {congruence}.",
            f"For which integers $x$ from $0$ to ${m - 1}$ does ${a}x$ leave the remainder ${b}$ on division by "
            f"${m}$? Give their sum.",
            f"Seats round a table are numbered 0 to {m - 1}. A token starts on seat 0 and moves forward by {a} seats "
            f"in every move. It makes {m - 1} moves. What is the sum of the numbers of all moves (counted from 1) "
            f"after which it is on seat {b}?",
        ]
    elif asked == "last":
        forms = [
            f"Find the {which['last']} that satisfies {congruence}.",
            f"What is the largest integer $x$ below ${m}$ for which ${a}x$ leaves the remainder ${b}$ on division by "
            f"${m}$?",
            f"Seats round a table are numbered 0 to {m - 1}. A token starts on seat 0 and moves forward by {a} seats "
            f"in every move. It makes {m - 1} moves. What is the number of the last move that takes it to seat {b}?",
        ]
    else:
        forms = [
            f"Every day {name} walks {a} stages of a closed trail that has {m} stages, always onwards in the same "
            f"direction. After how many days has {name} for the first time walked {b} "
            f"{'stage' if b == 1 else 'stages'} "
            "more than a number of full rounds?",
            f"A clock face has the hours 0 to {m - 1}, and its single hand stands at 0. A machine takes the hand {a} "
            f"hours "
            f"forward each time its lever is pulled. What is the least number of pulls after which the hand is at {b}?",
            f"Cloth comes in bolts of {m} metres. A tailor cuts pieces of {a} metres, one after another from bolts "
            f"sewn end "
            f"to end, and stops when the last bolt he has opened has been used up to {b} metres, not more. What is the "
            "smallest number of pieces he can have cut?",
            f"Find the {which['first']} $x$ that satisfies {congruence}.",
            f"What is the smallest positive integer whose product with ${a}$ leaves the remainder ${b}$ on division "
            f"by ${m}$?",
            f"A round table has {m} seats, numbered 0 to {m - 1}. A token starts on seat 0 and is moved forward by {a} "
            f"seats in every move. After how many moves is it on seat {b} for the first time?",
        ]
        if m <= 120:
            forms.append(
                f"{name} buys pens at {a} cents each and pays only with coins of {m} cents, getting the change in "
                f"cents. The change is {m - b} {'cent' if m - b == 1 else 'cents'}, less than one coin. What is the "
                "smallest "
                f"number of pens that {name} can have bought?"
            )
    return Draw(rng.choice(forms), str(answer), {"a": a, "b": b, "m": m, "asked": asked})


def raised_again(a: int, exponents: list[int], more: int, modulus: int) -> int:
    """Raise to the lowest exponent again and again, as often as the tower above it says."""
    b = exponents[0]
    times = exponents[1] if len(exponents) == 2 else exponents[1] ** exponents[2]
    result = a % modulus
    for _ in range(times):
        power = 1
        for _ in range(b):
            power = power * result % modulus
        result = power
    for _ in range(more):
        result = result * a % modulus
    return result


@generator("Lower a tower of exponents with Euler's theorem", check=raised_again)
def tower(rng: Random, difficulty: int) -> Draw | None:
    modulus = rng.choice(
        ((5, 7, 10, 11, 13), (9, 10, 11, 13, 17, 19, 23, 100), (25, 31, 37, 41, 100, 125, 1000))[difficulty - 1]
    )
    a = rng.randint(2, (9, 20, 40)[difficulty - 1])
    b = rng.randint(2, (9, 14, 19)[difficulty - 1])
    exponents = [b, rng.randint(*((5, 40), (20, 300), (3, 9))[difficulty - 1])]
    if difficulty == 3:
        exponents.append(rng.randint(2, 4))
        if exponents[1] ** exponents[2] > 3000:
            return None
    more = rng.randint(1, 9) if difficulty == 2 and rng.random() < 0.4 else 0
    if gcd(a, modulus) > 1 or a % modulus == 1:
        return None
    phi = sum(gcd(k, modulus) == 1 for k in range(1, modulus + 1))
    exponent = pow(b, exponents[1] ** (exponents[2] if difficulty == 3 else 1), phi)
    answer = pow(a, exponent + more, modulus)
    if answer < 2:
        return None
    inner = f"{b}^{{{exponents[1]}}}" if difficulty < 3 else f"{b}^{{{exponents[1]}^{{{exponents[2]}}}}}"
    full = inner + (f" + {more}" if more else "")
    power = f"${a}^{{{full}}}$"
    name = person(rng)
    forms = [
        f"Find the remainder when {power} is divided by ${modulus}$.",
        f"Let $N = {full}$. What is the smallest non-negative integer that leaves the same remainder as ${a}^N$ on "
        f"division by ${modulus}$?",
        f"A single cell divides into {a} cells every hour, and all of these go on to do the same. After $N$ hours, "
        f"where $N = {full}$, the cells are put on slides with {modulus} cells each. How many are left over?",
        f"Copies of a chain letter go to {a} people in the first round, and in each further round every receiver "
        f"writes to {a} new people. Round number ${full}$ is sent in parcels of {modulus} letters until fewer than "
        f"{modulus} are left. How many letters are left?",
        f"{modulus} lamps stand in a ring. Starting on one lamp, a beam of light moves ${a}^N$ lamps forward, where "
        f"$N = {full}$. How many lamps further on than its start does the beam stand then, counted in its direction "
        f"and with less than one full round?",
    ]
    if modulus in (10, 100, 1000):
        digits = {
            10: "last digit",
            100: "number formed by the last two digits",
            1000: "number formed by the last three digits",
        }
        forms += [
            f"What is the {digits[modulus]} of {power}?",
            f"{name} multiplies $N$ factors {a} together, where $N$ is ${full}$. What is the {digits[modulus]} of the "
            "product?",
        ]
    values = {"a": a, "exponents": exponents, "more": more, "modulus": modulus}
    return Draw(rng.choice(forms), str(answer), values)


def factors_multiplied(p: int, first: int, last: int, left_out: list[int], inverse: bool) -> int:
    """Multiply factor by factor, keeping remainders."""
    product = 1
    for k in range(first, last + 1):
        if k not in left_out and k % p:
            product = product * k % p
    if inverse:
        return next(x for x in range(1, p) if x * product % p == 1)
    return product


@generator("Cancel factorials modulo a prime with Wilson's theorem", check=factors_multiplied)
def wilson(rng: Random, difficulty: int) -> Draw | None:
    low, high = ((7, 24), (17, 60), (40, 130))[difficulty - 1]
    p = rng.choice([n for n in range(low, high) if all(n % d for d in range(2, n))])
    kind = rng.choice(("near", "near", "left out") if difficulty == 1 else ("near", "left out", "inverse", "block"))
    first, last, left_out, inverse = 1, p - 1, [], kind == "inverse"
    if kind in ("near", "inverse"):
        k = rng.randint(2 + inverse, (3, 5, 7)[difficulty - 1])
        last = p - k
        # (p - 1)! is -1, and its top k - 1 factors are -1, -2, ..., -(k - 1).
        top = 1
        for j in range(1, k):
            top *= -j
        answer = -pow(top, -1, p) % p
        answer = -top % p if inverse else answer
        number = f"{last}!"
    elif kind == "left out":
        left_out = sorted(rng.sample(range(2, p - 1), 1 if difficulty == 1 else 2))
        answer = -pow(left_out[0] * (left_out[1] if difficulty > 1 else 1), -1, p) % p
        number = ""
    else:
        # A run of p - 1 factors from j p + 1 on, or with a few missing at its end.
        j, k = rng.randint(1, 6), rng.randint(1, 4)
        first, last = j * p + 1, (j + 1) * p - k
        top = 1
        for i in range(1, k):
            top *= -i
        answer = -pow(top, -1, p) % p
        number = rf"{first} \cdot {first + 1} \cdot {first + 2} \cdots {last}"
    if answer in (0, 1) or (answer == p - 1 and rng.random() < 0.8):
        return None
    name = person(rng)
    if kind == "left out":
        without = listed([str(n) for n in left_out])
        forms = [
            f"All integers from $1$ to ${p - 1}$ except {without} are multiplied together. What remainder does the "
            f"product leave on division by ${p}$?",
            f"Find the remainder when $\\frac{{{p - 1}!}}{{{prod(left_out)}}}$ is divided by the prime ${p}$.",
            f"Cards carry the numbers from 1 to {p - 1}. {name} takes {without} away and multiplies all the other "
            f"numbers. How far is the result above the nearest smaller multiple of {p}?",
            f"A shop has {p - 1} shelves. A box from shelf $k$ holds $k$ times as many beads as a box from shelf "
            f"$k - 1$, and a box from shelf 1 holds one bead, so the last kind of box holds ${p - 1}!$ beads. One such "
            f"box is shared out equally into {prod(left_out)} bags. "
            f"The beads of one bag are put on strings of {p}. How many beads are left over?",
        ]
    elif kind == "inverse":
        forms = [
            f"Find the integer $x$ with $0 < x < {p}$ for which $x \\cdot {number}$ leaves the remainder $1$ on "
            f"division by ${p}$.",
            f"What is the smallest positive integer that, multiplied by ${number}$, gives one more than a multiple of "
            f"${p}$?",
            f"Solve ${number} \\cdot x \\equiv 1 \\pmod{{{p}}}$ for $0 < x < {p}$.",
            f"There are ${number}$ orders of {last} cards. {name} writes out each of them $x$ times and packs all "
            f"these "
            f"lists in boxes of {p}; exactly one list does not fit. What is the smallest possible $x$?",
        ]
    elif kind == "block":
        forms = [
            f"Find the remainder when ${number}$ is divided by ${p}$.",
            f"{name} multiplies all whole numbers from {first} to {last}. What remainder does the product leave on "
            f"division by {p}?",
            rf"What is the remainder of $\frac{{{last}!}}{{{first - 1}!}}$ modulo the prime ${p}$?",
            f"Race numbers from {first} to {last} are multiplied together on a computer. The product of euros is paid "
            f"out in equal whole amounts to {p} clubs. How many euros are left over?",
        ]
    else:
        forms = [
            f"What is the remainder when ${number}$ is divided by ${p}$?",
            f"A choir of {last} singers can stand in a row in ${number}$ orders. A list of all the orders is printed, "
            f"{p} on each page. How many orders are on the last page, which is not full?",
            f"{name} multiplies the numbers 1, 2, 3, …, {last} and divides the product by {p}. Which remainder "
            "is left?",
            f"Find the integer $r$ with $0 \\le r < {p}$ for which ${number} - r$ is divisible by ${p}$.",
        ]
    values = {"p": p, "first": first, "last": last, "left_out": left_out, "inverse": inverse}
    return Draw(rng.choice(forms), str(answer), values)


def terms_multiplied(terms: list[list[int]], modulus: int) -> int:
    """Multiply each power out step by step, keeping remainders, and add them."""
    total = 0
    for sign, base, exponent in terms:
        power = 1
        for _ in range(exponent):
            power = power * base % modulus
        total += sign * power
    return total % modulus


@generator("Split a composite modulus into prime powers and rejoin", check=terms_multiplied)
def split_modulus(rng: Random, difficulty: int) -> Draw | None:
    parts = rng.choice(
        (
            ((4, 5), (3, 5), (3, 7), (2, 7), (5, 7), (4, 9), (3, 11)),
            ((4, 25), (7, 9), (8, 9), (7, 11), (7, 13), (5, 11), (5, 13), (8, 11)),
            ((8, 125), (4, 25), (5, 7, 9), (7, 11, 13), (8, 9, 5), (8, 9, 7), (9, 11), (3, 7, 11)),
        )[difficulty - 1]
    )
    modulus = prod(parts)
    exponent = rng.randint(*((15, 80), (50, 500), (300, 3000))[difficulty - 1])
    a, b = rng.randint(2, (12, 25, 40)[difficulty - 1]), rng.randint(2, (12, 25, 40)[difficulty - 1])
    two = difficulty > 1 and rng.random() < 0.5
    if gcd(a, modulus) == 1 and not two:
        return None
    sign = rng.choice((1, -1)) if two and a > b else 1
    terms = [[1, a, exponent], [sign, b, exponent]] if two else [[1, a, exponent]]
    if a == b:
        return None
    remainders = [sum(s * pow(base, e, q) for s, base, e in terms) % q for q in parts]
    answer = next(n for n in range(modulus) if all(n % q == r for q, r in zip(parts, remainders, strict=True)))
    if answer < 2 or (two and modulus in (100, 1000) and answer < modulus // 10):
        return None
    power = f"{a}^{{{exponent}}}" + (f" {'+' if sign > 0 else '-'} {b}^{{{exponent}}}" if two else "")
    name = person(rng)
    forms = [
        f"Find the remainder when ${power}$ is divided by ${modulus}$.",
        f"What is the smallest non-negative integer $r$ for which ${modulus}$ divides ${power} - r$?",
        f"A seed bank has ${power}$ seeds and fills bags of {modulus} seeds until fewer than {modulus} are left. How "
        "many seeds are left?",
        f"The hand of a dial with {modulus} marks, numbered from 0 to {modulus - 1}, starts at 0 and moves forward by "
        f"${power}$ marks. At which mark does it stop?",
    ]
    if modulus in (100, 1000) and answer >= modulus // 10:
        ending = {100: "two", 1000: "three"}[modulus]
        forms = [
            *forms[:1],
            f"What are the last {ending} digits of ${power}$, read as a number?",
            f"{name}'s computer shows only the last {ending} digits of any result. {name} lets it compute ${power}$. "
            "Which number does it show?",
            f"The serial number of a machine is ${power}$, and its short form consists of the last {ending} digits of "
            "this number. What is the short form?",
        ]
    return Draw(rng.choice(forms), str(answer), {"terms": terms, "modulus": modulus})


def powers_stepped(a: int, n: int, kind: str, last: int) -> int:
    """Go from power to power, or from numeral to numeral, until the division leaves nothing over."""
    if kind == "ones":
        remainder, length = 1 % n, 1
        while remainder:
            remainder, length = (10 * remainder + 1) % n, length + 1
        return length
    fits: list[int] = []
    power, exponent = a % n, 1
    while exponent <= last or not fits:
        if power == 1:
            fits.append(exponent)
        power, exponent = power * a % n, exponent + 1
    return len(fits) if kind == "count" else sum(fits) if kind == "sum" else fits[0]


@generator("Find the least exponent with power one among the divisors of φ(n)", check=powers_stepped)
def least_exponent(rng: Random, difficulty: int) -> Draw | None:
    n = rng.randint(*((5, 30), (20, 150), (100, 700))[difficulty - 1])
    kind = rng.choice(
        ("power", "power", "ring", "count", "ones", "nines") if difficulty > 1 else ("power", "ring", "ring")
    )
    a = 10 if kind in ("ones", "nines") else rng.randint(2, min(n - 2, 30))
    m = 9 * n if kind == "ones" else n
    if gcd(a, m) > 1 or (kind == "ones" and n % 3 == 0 and difficulty < 3):
        return None
    phi = sum(gcd(k, m) == 1 for k in range(1, m + 1))
    order = next(d for d in range(1, phi + 1) if phi % d == 0 and pow(a, d, m) == 1)
    if order < 3 or order > 400:
        return None
    last = 0
    if kind == "count":
        last = order * rng.randint(2, 12) + rng.randint(1, order - 1)
        kind = rng.choice(("count", "count", "sum"))
    times = last // order
    answer = {"count": times, "sum": order * times * (times + 1) // 2}.get(kind, order)
    name = person(rng)
    if kind in ("ones", "nines"):
        digit, digits = ("1", "ones") if kind == "ones" else ("9", "nines")
        forms = [
            f"What is the smallest number of digits that a multiple of ${n}$ can have if all its digits are ${digit}$?",
            f"{name} types the digit {digit} again and again. How many times must {name} type it until the number on "
            f"the screen is divisible by {n} for the first time?",
            f"The numbers {digit}, {digit * 2}, {digit * 3}, … consist of {digits} only. Which place in this list does "
            f"the first multiple of ${n}$ have?",
        ]
        if kind == "nines":
            forms.append(f"Find the least positive integer $k$ for which $10^k - 1$ is a multiple of ${n}$.")
    elif kind in ("count", "sum"):
        forms = [
            f"How many integers $k$ with $1 \\le k \\le {last}$ are such that ${a}^k - 1$ is divisible by ${n}$?"
            if kind == "count"
            else f"Find the sum of all integers $k$ with $1 \\le k \\le {last}$ for which ${a}^k - 1$ is divisible by "
            f"${n}$.",
            f"Among the powers ${a}^1, {a}^2, \\ldots, {a}^{{{last}}}$, "
            + (
                f"how many leave the remainder 1 on division by ${n}$?"
                if kind == "count"
                else f"{name} marks those that leave the remainder 1 on division by ${n}$. What is the sum of the "
                "exponents of the marked powers?"
            ),
            f"A counter shows 1. In each step its number is multiplied by {a} and then replaced by the remainder on "
            f"division by {n}. "
            + (
                f"How often does it show 1 during the first {last} steps, the start not counted?"
                if kind == "count"
                else f"What is the sum of the numbers of those among the first {last} steps after which it shows 1?"
            ),
        ]
    elif kind == "ring":
        forms = [
            f"A ring has {n} beads, numbered 0 to {n - 1}. In each round, the bead in place $x$ moves to the place "
            f"whose "
            f"number is the remainder of ${a}x$ on division by {n}. After how many rounds is every bead back in its "
            "place for the first time?",
            f"A counter shows 1. At each press of a key its number is multiplied by {a} and replaced by the remainder "
            f"on division by {n}. After how many presses does it show 1 again for the first time?",
            f"{name} has 1 token. Each day the number of tokens is multiplied by {a}, and then {n} tokens at a time "
            f"are "
            f"given away as long as there are at least {n}. After how many days does {name} have a single token again "
            "for the first time?",
            f"A cipher replaces the letter with the number $x$ by the letter with the number ${a}x$, reduced to its "
            f"remainder modulo {n}; there are {n} letters, numbered from 0. How many times in a row must a text be "
            "enciphered so that, whatever it says, the text itself comes out again, if this number is to be as small "
            "as "
            "possible?",
        ]
    else:
        forms = [
            f"Find the least positive integer $k$ for which ${n}$ divides ${a}^k - 1$.",
            f"What is the smallest positive exponent with which a power of ${a}$ leaves the remainder $1$ on division "
            f"by ${n}$?",
            f"What is the order of ${a}$ modulo ${n}$, that is, the least $k > 0$ with ${a}^k \\equiv 1 "
            f"\\pmod{{{n}}}$?",
            f"{name} divides the numbers {a}, {a}·{a}, {a}·{a}·{a} and so on by {n}. How many factors {a} does the "
            "first product have that leaves the remainder 1?",
        ]
    return Draw(rng.choice(forms), str(answer), {"a": a, "n": n, "kind": kind, "last": last})


def expression_worked_out(numbers: list[int], terms: list[list[int]], modulus: int) -> int:
    """Work the expression out in full with numbers of these remainders, and divide once at the end."""
    total = 0
    for factor, *places in terms:
        value = factor
        for place in places:
            value *= numbers[place]
        total += value
    return total % modulus


@generator("Replace factors and summands by their remainders", check=expression_worked_out)
def remainders_put_in(rng: Random, difficulty: int) -> Draw | None:
    modulus = rng.randint(*((5, 13), (7, 23), (11, 40))[difficulty - 1])
    told = rng.random() < 0.5
    size = (90, 400, 3000)[difficulty - 1]
    numbers = rng.sample(range(modulus + 2, size + modulus), 2 if told or difficulty == 1 else 4)
    left = [number % modulus for number in numbers]
    if 0 in left or len(set(left)) < 2:
        return None
    name = person(rng)
    if told:
        a, b = rng.randint(2, 9), rng.randint(2, 9)
        kind = rng.choice(("sum", "product") if difficulty == 1 else ("sum", "product", "difference", "square"))
        terms = {
            "sum": [[a, 0], [b, 1]],
            "product": [[1, 0, 1]],
            "difference": [[a, 0], [-b, 1]],
            "square": [[1, 0, 0], [b, 0, 1]],
        }[kind]
        words = {"sum": f"{a}x + {b}y", "product": "xy", "difference": f"{a}x - {b}y", "square": f"x^2 + {b}xy"}[kind]
        forms = [
            f"Divided by ${modulus}$, the integer $x$ leaves the remainder ${left[0]}$ and the integer $y$ the "
            f"remainder "
            f"${left[1]}$. What remainder does ${words}$ leave on division by ${modulus}$?",
            rf"Let $x \equiv {left[0]}$ and $y \equiv {left[1]} \pmod{{{modulus}}}$. Find the least "
            rf"non-negative residue "
            rf"of ${words}$ modulo ${modulus}$.",
        ]
        if kind == "sum":
            forms.append(
                f"Nuts are put into bags of {modulus}. What one tree bears leaves {left[0]} nuts over if it is "
                f"bagged by "
                f"itself, and what another bears leaves {left[1]}. {name} has {a} trees that bear just as many nuts as "
                f"the first and {b} that bear as many as the second, and bags all their nuts together. How many "
                f"nuts are "
                "left over?"
            )
        elif kind == "product":
            forms.append(
                f"A hall has rows of equal length. The number of rows is {left[0]} more than a multiple of {modulus}, "
                f"the number of seats in a row {left[1]} more than one. {modulus} seats at a time are "
                f"reupholstered until "
                f"fewer than {modulus} seats are left to do. How many are these?"
            )
        elif kind == "difference":
            forms.append(
                f"A whole number of beads, packed {modulus} to a box, leaves {left[0]} beads over, and another leaves "
                f"{left[1]}. {name} puts {a} times the first number of beads together, takes away {b} times the second "
                f"number, which is less, and packs the rest {modulus} to a box. How many beads are left over?"
            )
    else:
        if difficulty == 1:
            terms = rng.choice(([[1, 0], [1, 1]], [[1, 0, 1]], [[1, 0, 0], [1, 1]]))
        elif difficulty == 2:
            terms = rng.choice(([[1, 0, 1], [1, 2, 3]], [[1, 0, 1, 2], [1, 3]], [[1, 0, 1], [-1, 2], [1, 3]]))
        else:
            terms = rng.choice(([[1, 0, 0, 1], [-1, 2, 3]], [[1, 0, 1, 2, 3]], [[1, 0, 0, 0], [1, 1, 2], [-1, 3, 3]]))
        parts = []
        for factor, *places in terms:
            product = r" \cdot ".join(str(numbers[place]) for place in places)
            parts.append(f"{'+' if factor > 0 else '-'} {product}")
        text = " ".join(parts).removeprefix("+ ")
        forms = [
            f"What is the remainder when ${text}$ is divided by ${modulus}$?",
            f"{name} enters ${text}$ on a calculator and divides the result by {modulus}. What remainder is left?",
            f"Find the smallest integer $r \\ge 0$ for which ${text} - r$ is divisible by ${modulus}$.",
        ]
        if modulus == 10:
            forms.append(f"With which digit does ${text}$ end?")
        if sum(factor * prod(numbers[place] for place in places) for factor, *places in terms) <= 0:
            return None
    answer = sum(factor * prod(left[place] for place in places) for factor, *places in terms) % modulus
    if answer == 0:
        return None
    return Draw(rng.choice(forms), str(answer), {"numbers": numbers, "terms": terms, "modulus": modulus})


def divisions_tried(kind: str, a: int, b: int, c: int) -> int:
    """Carry out the division for every number that comes into question."""
    if kind == "relation":
        return max(n for n in range(a * (b * a + 1)) if n // a == b * (n % a))
    if kind == "largest":
        return next(n for n in range(10**b - 1, 0, -1) if n % a == c)
    if kind == "smallest":
        return next(n for n in range(10 ** (b - 1), 10**b) if n % a == c)
    if kind == "dividend":
        n = 0
        while n // a != b or n % a != c:
            n += 1
        return n
    fits = [d for d in range(1, a + 1) if a // d == b]
    return len(fits) if c else max(a % d for d in fits)


@generator("Write a division as divisor times quotient plus a smaller remainder", check=divisions_tried)
def division_equation(rng: Random, difficulty: int) -> Draw | None:
    kinds = ("dividend", "largest", "smallest") if difficulty == 1 else ("largest", "smallest", "relation", "quotient")
    kind = rng.choice(kinds if difficulty < 3 else ("relation", "quotient"))
    name = person(rng)
    c = 0
    if kind == "dividend":
        a, b = rng.randint(7, 40), rng.randint(3, 30)
        c = rng.randint(1, a - 1)
        answer = a * b + c
        forms = [
            f"On division by ${a}$ a number has the quotient ${b}$ and the remainder ${c}$. What is the number?",
            f"{name} fills {b} trays with {a} seedlings each and has {c} seedlings left over. How many seedlings does "
            f"{name} have?",
            f"Which number contains {a} exactly {b} times, with a rest of {c}?",
        ]
    elif kind in ("largest", "smallest"):
        a, b = rng.randint(*((7, 30), (12, 90), (20, 90))[difficulty - 1]), rng.choice((3, 3, 4))
        c = rng.randint(1, a - 1)
        end = 10**b - 1 if kind == "largest" else 10 ** (b - 1)
        answer = end - (end - c) % a if kind == "largest" else end + (c - end) % a
        digits = {3: "three-digit", 4: "four-digit"}[b]
        forms = [
            f"What is the {kind} {digits} number that leaves the remainder ${c}$ when it is divided by ${a}$?",
            f"Find the {kind} {digits} integer of the form ${a}k + {c}$.",
            f"{name} packs a {digits} number of bottles into crates of {a}, and {c} bottles are left over. What is the "
            f"{kind} number of bottles that is possible?",
        ]
    elif kind == "relation":
        a, b = rng.randint(*((6, 25), (8, 40), (20, 90))[difficulty - 1]), rng.randint(1, 3 + 2 * difficulty)
        answer = (a * b + 1) * (a - 1)
        ratio = "equal to" if b == 1 else f"{times(b)}"
        as_many = "equals the" if b == 1 else f"is {times(b)} the"
        forms = [
            f"What is the largest number for which the quotient on division by ${a}$ is {ratio} the remainder?",
            f"{name} divides a whole number by {a}. The quotient is {ratio} the remainder. How large can the "
            f"number be at "
            "most?",
            f"Cans are stacked on pallets of {a}, as many full pallets as possible. The number of full pallets "
            f"{as_many} "
            "number of cans left over. What is the greatest possible number of cans?",
        ]
    else:
        a, b = rng.randint(*((200, 900), (200, 2000), (1000, 6000))[difficulty - 1]), rng.randint(4, 8 + 4 * difficulty)
        low, high = a // (b + 1) + 1, a // b
        if high - low < 2:
            return None
        c = rng.randint(0, 1)
        answer = high - low + 1 if c else a - b * low
        forms = (
            [
                f"For how many positive integers $d$ is ${b}$ the quotient, without the remainder, of ${a}$ divided by "
                "$d$?",
                f"{a} beads are threaded on strings, all with the same number of beads, until too few are left for "
                f"another. There are exactly {b} strings. How many numbers of beads on a string are possible?",
            ]
            if c
            else [
                f"When ${a}$ is divided by the positive integer $d$, the quotient is ${b}$. What is the largest "
                f"remainder "
                "that is possible?",
                f"{name} shares {a} marbles equally among some children, each gets {b}, and so many are left that they "
                "do not suffice for one more each. How many marbles are left at most?",
            ]
        )
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "a": a, "b": b, "c": c})
