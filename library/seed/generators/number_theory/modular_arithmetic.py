"""Problems on remainders."""

from math import gcd, lcm
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


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
        ),
        "largest": (
            f"What is the largest integer below ${bound + 1}$ that leaves {leaves}?",
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
