"""Problems on coprime integers and on lists with numbers left out."""

from math import gcd, isqrt, lcm, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, ordinal, person


def cofactors_compared(n: int, first: int, last: int, halved: bool) -> int:
    """Compare the divisors of each number with those of n."""
    divisors = [d for d in range(2, n + 1) if n % d == 0]
    found = sum(all(k % d for d in divisors) for k in range(first, last + 1))
    return found // 2 if halved else found


@generator("Count coprime integers with Euler's product", check=cofactors_compared)
def coprime_count(rng: Random, difficulty: int) -> Draw | None:
    n = rng.randint(*((10, 60), (40, 300), (100, 900))[difficulty - 1])
    primes = [p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, p))]
    if len(primes) < 2 or max(primes) > 13:
        return None
    phi = n * prod(p - 1 for p in primes) // prod(primes)
    kind = rng.choice(("numbers", "fractions", "figures", "tickets"))
    periods = 1
    extra = 0
    if difficulty > 1 and kind in ("numbers", "tickets", "fractions"):
        periods = rng.randint(1, 6)
        if difficulty == 3 and kind != "fractions":
            extra = rng.randint(1, min(n - 1, 60))
    last = n * periods + extra
    answer = phi * periods + sum(gcd(k, n) == 1 for k in range(1, extra + 1))
    name = person(rng)
    if kind == "numbers":
        problem = rng.choice(
            (
                f"How many integers from $1$ to ${last}$ are coprime to ${n}$?",
                f"How many positive integers up to ${last}$ have no common factor with ${n}$ except $1$?",
            )
        )
    elif kind == "fractions":
        bound = "1" if periods == 1 else str(periods)
        problem = f"How many fractions in lowest terms with denominator ${n}$ lie strictly between $0$ and ${bound}$?"
        last -= 1
    elif kind == "figures":
        if phi < 4:
            return None
        answer = phi // 2
        problem = (
            f"There are {n} pegs evenly spaced round a circle. {name} joins every $k$th peg with a thread, going "
            "on in the same direction with the same step $k$ until the thread closes, and wants it to visit all pegs "
            "before it closes. Steps of one peg are allowed too. How many different closed figures are possible?"
        )
    else:
        problem = (
            f"Lottery tickets are numbered from 1 to {last}. A ticket wins if the only common divisor of its number "
            f"and {n} is 1. How many tickets win?"
        )
    values = {"n": n, "first": 1, "last": last, "halved": kind == "figures"}
    return Draw(problem, str(answer), values)


def list_written(divisors: list[int], powers: list[int], place: int) -> int:
    """Write the list down until it is long enough."""
    number = kept = 0
    while kept < place:
        number += 1
        out = any(number % d == 0 for d in divisors)
        out = out or any(round(number ** (1 / k)) ** k == number for k in powers)
        kept += not out
    return number


@generator("Find the nth term of a sieved list by blocks or by its rank", check=list_written)
def sieved_list(rng: Random, difficulty: int) -> Draw | None:
    place = rng.randint(*((20, 80), (100, 600), (300, 2000))[difficulty - 1])
    divisors: list[int] = []
    powers: list[int] = []
    if rng.random() < 0.6:
        count = (1, 2, 3)[difficulty - 1]
        divisors = sorted(rng.sample((3, 4, 5, 6, 7) if difficulty == 1 else (2, 3, 5, 7), count))
        period = lcm(*divisors)
        block = [k for k in range(1, period + 1) if all(k % d for d in divisors)]
        full, rest = divmod(place - 1, len(block))
        answer = full * period + block[rest]
    else:
        powers = [2] if difficulty == 1 else rng.choice(([2], [3], [2, 3])) if difficulty == 2 else [2, 3]
        answer = place
        while True:
            root, cube = isqrt(answer), round(answer ** (1 / 3) + 1e-9)
            while cube**3 > answer:
                cube -= 1
            sixth = round(answer ** (1 / 6) + 1e-9)
            while sixth**6 > answer:
                sixth -= 1
            out = root if powers == [2] else cube if powers == [3] else root + cube - sixth
            if answer - out == place:
                break
            answer += place - (answer - out)
    name = person(rng)
    if divisors:
        numbers = [f"${d}$" for d in divisors]
        if len(numbers) == 1:
            kept = f"not divisible by {numbers[0]}"
        elif len(numbers) == 2:
            kept = f"divisible by neither {numbers[0]} nor {numbers[1]}"
        else:
            kept = f"divisible by none of {listed(numbers)}"
        out_words = f"divisible by {listed(numbers, 'or')}"
    else:
        kind = {2: "perfect squares", 3: "perfect cubes"}
        words = [kind[k] for k in powers]
        kept = f"not {words[0]}" if len(words) == 1 else "neither perfect squares nor perfect cubes"
        out_words = f"{'a perfect square' if powers[0] == 2 else 'a perfect cube'}" + (
            " or a perfect cube" if len(words) > 1 else ""
        )
    problem = rng.choice(
        (
            f"The positive integers that are {kept} are listed in increasing order. What is the {ordinal(place)} "
            "number in the list?",
            f"A hotel numbers its rooms 1, 2, 3 and so on but leaves out every number that is {out_words}. Which "
            f"number does the {ordinal(place)} room carry?",
            f"The seats of a stand are numbered 1, 2, 3, … without end, but seats whose number is {out_words} are "
            f"blocked. "
            f"People fill the free seats in order. Which seat does the {ordinal(place)} person get?",
            f"{name} counts aloud 1, 2, 3, … but stays silent for each number that is {out_words}. Which is the "
            f"{ordinal(place)} number that {name} says?",
        )
    )
    return Draw(problem, str(answer), {"divisors": divisors, "powers": powers, "place": place})
