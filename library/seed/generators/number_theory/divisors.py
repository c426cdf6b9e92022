"""Problems on divisors and perfect powers."""

from math import gcd, isqrt, lcm, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, ordinal, person

_PRIMES = tuple(p for p in range(2, 5000) if all(p % d for d in range(2, isqrt(p) + 1)))
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
            f"For each way to split a class of {n} children into equal groups, one single group and groups of one "
            f"child "
            "included, a teacher notes the number of groups"
            + (f" if that number is {_single(kind, number)}" if words else "")
            + ". What is the sum of the noted numbers?",
            f"The lengths of the sides of all rectangles with whole sides and the area {n} are written down, each "
            f"length "
            "once. " + (f"Only the lengths that are {words} are kept. " if words else "") + "What is their sum?",
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
        forms.append(
            f"Which is the smallest positive integer whose product with {number} has only exponents divisible by "
            f"{power} "
            "in its prime factorisation?"
        )
        if power == 2:
            forms.append(
                f"A rectangle of {number} by $n$ centimetres, $n$ a positive integer, has the area of a square with "
                f"sides "
                "of whole centimetres. What is the smallest possible $n$?"
            )
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
        f"A safe opens with the smallest positive number that gives a perfect {kinds[0]} after division by "
        f"{parts[0]} and "
        f"a perfect {kinds[1]} after division by {parts[1]}. Which number opens it?",
        f"Find the smallest positive integer $n$ for which $\\frac{{n}}{{{parts[0]}}}$ is a perfect {kinds[0]} and "
        f"$\\frac{{n}}{{{parts[1]}}}$ is a perfect {kinds[1]}.",
        f"A positive whole number becomes a perfect {kinds[0]} when it is divided by {parts[0]}, and a perfect "
        f"{kinds[1]} when it is divided by {parts[1]}. What is the smallest such number?",
        f"{name} looks for positive integers that are {parts[0]} times a perfect {kinds[0]} and also {parts[1]} times "
        f"a perfect {kinds[1]}. What is the smallest that {name} can find?",
    ]
    conditions = [[t, part, power] for t, part, power in zip(times, parts, powers, strict=True)]
    return Draw(rng.choice(forms), str(answer), {"conditions": conditions})


def stepped_along(numbers: list[int], asked: str, last: int) -> int:
    """Go on one by one until all numbers divide, or down until all are divided."""
    if asked in ("next", "turns", "times"):
        met: list[int] = []
        moment = 0
        while not met or moment < last:
            moment += 1
            if all(moment % n == 0 for n in numbers):
                met.append(moment)
        return len(met) if asked == "times" else met[0] // (numbers[0] if asked == "turns" else 1)
    size = min(numbers)
    while any(n % size for n in numbers):
        size -= 1
    if asked == "tiles":
        return numbers[0] // size * (numbers[1] // size)
    return sum(n // size for n in numbers) if asked == "parts" else size


@generator("Match repeats with the lcm and equal shares with the gcd", check=stepped_along)
def repeats_and_shares(rng: Random, difficulty: int) -> Draw | None:
    asked = rng.choice(("next", "next", "turns", "times", "size", "size", "parts", "tiles"))
    count = 2 if difficulty == 1 or asked in ("turns", "tiles") else 3 if difficulty == 2 else rng.randint(3, 4)
    g = rng.randint(*((2, 8), (3, 15), (4, 40))[difficulty - 1])
    numbers = [g * k for k in rng.sample(range(2, (8, 12, 16)[difficulty - 1]), count)]
    common, multiple = gcd(*numbers), lcm(*numbers)
    if asked in ("next", "turns", "times"):
        if multiple > (150, 2000, 9000)[difficulty - 1] or multiple == max(numbers):
            return None
        last = multiple * rng.randint(2, 9) + rng.randint(1, multiple - 1) if asked == "times" else 0
        answer = {"next": multiple, "turns": multiple // numbers[0], "times": last // multiple}[asked]
    else:
        last = 0
        if common == min(numbers) or common == 1:
            return None
        answer = {
            "size": common,
            "parts": sum(numbers) // common,
            "tiles": prod(numbers) // common**2,
        }[asked]
    name = person(rng)
    text = listed([str(n) for n in numbers])
    both = "both" if count == 2 else "all"
    plants = rng.sample(("the cactus", "the palm", "the fern", "the orchid", "the fig tree"), count)
    watered = listed([f"{plant} every {n} days" for plant, n in zip(plants, numbers, strict=True)])
    goods = rng.sample(("pencils", "erasers", "notebooks", "stickers", "balloons", "sweets", "oranges"), count)
    stock = listed([f"{n} {thing}" for n, thing in zip(numbers, goods, strict=True)])
    forms = {
        "next": [
            f"{name} waters {watered}. Today {name} has watered {both} of them. In how many days will {both} be "
            "watered on the same day again for the first time?",
            f"The lamps of {count} lighthouses flash every {text} seconds. Just now {both} flashed at the same moment. "
            "After how many seconds does this happen next?",
            f"A pile of cards can be dealt out in equal hands of {text.replace(' and ', ' or ')} cards without any "
            "card left over. What is the smallest number of cards that the pile can have?",
            f"A kind of candle is sold in packs of {numbers[0]} and the holders for it in packs of {numbers[1]}. What "
            f"is the smallest number of candles {name} must buy to have exactly one holder for each candle, with "
            "nothing left over?"
            if count == 2
            else f"Runners on a circular track need {text} seconds for one lap each. They start together from the same "
            "line. After how many seconds are all of them on the starting line together again for the first time?",
            f"What is the smallest positive integer that is divisible by {listed([f'${n}$' for n in numbers])}?",
        ],
        "turns": [
            f"A cog wheel with {numbers[0]} teeth drives one with {numbers[1]} teeth. Two teeth that touch now are "
            "painted. How many full turns has the first wheel made when the painted teeth touch again for the first "
            "time?",
            f"A walker's stride is {numbers[0]} cm long and a child's stride {numbers[1]} cm. They set off side by "
            "side from one line. After how many strides of the walker do their feet first touch the ground at the "
            "same distance from the line again?",
        ],
        "times": [
            f"Bells in a town ring every {text} minutes. At noon {both} ring together. How many more times do "
            f"{both} ring together within the next {last} minutes?",
            f"How many of the numbers from $1$ to ${last}$ are multiples of {both} of {text}?".replace(
                "multiples of all of", "multiples of each of"
            ),
            f"In a shop every {ordinal(numbers[0])} customer gets a rose"
            + "".join(
                f", every {ordinal(n)} one {gift}"
                for n, gift in zip(numbers[1:], ("a voucher", "a cup", "a pen"), strict=False)
            )
            + f". One day {last} customers come. How many of them get {both} of these gifts?",
        ],
        "size": [
            f"{name} cuts {count} ribbons of {text} cm into pieces of one length, as long as possible, without any "
            "waste. How many centimetres long is a piece?",
            f"{name} packs {stock} into gift bags that all have the same contents, and nothing is left over. What is "
            "the largest possible number of bags?",
            f"Classes of {text} pupils form teams. Every team is to have the same number of pupils, all from one "
            "class, and nobody may be left out. How large can the teams be at most?",
            f"What is the largest integer that divides {listed([f'${n}$' for n in numbers])} without remainder?",
        ],
        "parts": [
            f"{name} packs {stock} into as many gift bags as possible, all with the same contents, and nothing is "
            "left over. How many things are in one bag?",
            f"{count} boards with lengths of {text} cm are sawn without waste into pieces of one length that is as "
            "large as possible. How many pieces are there in all?",
            f"Barrels with {text} litres of oil are to be emptied into cans of one size, every can full and no kinds "
            "of oil mixed. What is the smallest number of cans, if their size is a whole number of litres?",
        ],
        "tiles": [
            f"A floor measures {numbers[0]} cm by {numbers[1]} cm and is to be covered with equal square tiles, none "
            "of them cut. The sides of the tiles are whole numbers of centimetres. What is the smallest number of "
            "tiles that can be enough?",
            f"A sheet of paper of {numbers[0]} mm by {numbers[1]} mm is cut completely into equal squares with sides "
            "of whole millimetres, as large as possible. How many squares are there?",
        ],
    }[asked]
    return Draw(rng.choice(forms), str(answer), {"numbers": numbers, "asked": asked, "last": last})


def trial_division(n: int, asked: str) -> int:
    """Divide by 2, 3, 4, ... as often as possible."""
    primes, d = [], 2
    while d * d <= n:
        while n % d == 0:
            n //= d
            primes.append(d)
        d += 1
    if n > 1:
        primes.append(n)
    return {
        "largest": max(primes),
        "smallest": min(primes),
        "sum": sum(set(primes)),
        "number": len(set(primes)),
        "pair": sum(primes),
    }[asked]


def _primes_of(n: int) -> set[int]:
    return {p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, isqrt(p) + 1))}


@generator("Factor a large number with an algebraic identity", check=trial_division)
def identity_factors(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        ("squares", "squares")
        if difficulty == 1
        else ("squares", "cubes", "plus", "sixth", "fourth")
        if difficulty == 2
        else ("cubes", "plus", "sixth", "germain", "germain", "eighth")
    )
    b = rng.randint(1, 9)
    a = rng.choice((20, 30, 40, 50, 60, 70, 80, 90, 100)) if difficulty == 1 else rng.randint(2, 12)
    if kind == "squares":
        a = a if difficulty == 1 else 10 * rng.randint(11, 120)
        n, parts, power = a * a - b * b, [a - b, a + b], f"{a}^2 - {b}^2"
    elif kind == "cubes":
        a = rng.choice((10, 20, 30, 50, 100, rng.randint(11, 60)))
        n, parts, power = a**3 - b**3, [a - b, a * a + a * b + b * b], f"{a}^3 - {b}^3"
    elif kind == "plus":
        a = rng.choice((10, 20, 30, 50, 100, rng.randint(11, 60)))
        n, parts, power = a**3 + b**3, [a + b, a * a - a * b + b * b], f"{a}^3 + {b}^3"
    elif kind == "sixth":
        n, power = a**6 - b**6, f"{a}^6 - {b}^6"
        parts = [a - b, a + b, a * a + a * b + b * b, a * a - a * b + b * b]
    elif kind == "fourth":
        a = rng.randint(5, 30)
        n, parts, power = a**4 - b**4, [a - b, a + b, a * a + b * b], f"{a}^4 - {b}^4"
    elif kind == "eighth":
        n, power = a**8 - b**8, f"{a}^8 - {b}^8"
        parts = [a - b, a + b, a * a + b * b, a**4 + b**4]
    else:
        a = rng.randint(5, 40)
        n, parts, power = a**4 + 4 * b**4, [(a - b) ** 2 + b * b, (a + b) ** 2 + b * b], f"{a}^4 + 4 \\cdot {b}^4"
    if gcd(a, b) > 1 or a - b < 2 or max(parts) > 20000:
        return None
    power = power.replace(" \\cdot 1^4", "")
    for exponent in "23468":
        power = power.replace(f" 1^{exponent}", " 1")
    primes = set().union(*(_primes_of(part) for part in parts))
    asked = rng.choice(("largest", "sum", "smallest", "number", "pair"))
    if asked == "pair" and (len(parts) > 2 or any(len(_primes_of(p)) > 1 or p not in primes for p in parts)):
        return None
    if (asked == "smallest" and min(primes) < 11) or (asked == "number" and len(primes) < 3):
        return None
    answer = {
        "largest": max(primes),
        "smallest": min(primes),
        "sum": sum(primes),
        "number": len(primes),
        "pair": sum(parts),
    }[asked]
    written = f"${power}$" if n > 10**7 or (kind != "squares" and rng.random() < 0.5) else f"${n}$"
    name = person(rng)
    forms = {
        "largest": (
            f"Find the largest prime factor of {written}.",
            f"Without a calculator, {name} splits {written} into primes. What is the largest of them?",
            f"The number {written} is written as a product of prime numbers. Which is the greatest prime in it?",
        ),
        "sum": (
            f"What is the sum of the distinct prime factors of {written}?",
            f"{name} writes down every prime number that divides {written}, each once. What is the sum of these "
            "primes?",
        ),
        "smallest": (
            f"What is the smallest prime that divides {written}?",
            f"A printer packs {written} leaflets into equal bundles, with more than one leaflet in each bundle and "
            "nothing left over. How small can a bundle be?",
            f"A club with {written} members splits into teams of equal size, more than one team and more than one "
            "member in each. What is the smallest possible number of teams?",
        ),
        "number": (
            f"How many different prime numbers divide {written}?",
            f"{name} factorises {written} completely. How many different primes occur?",
        ),
        "pair": (
            f"The number {written} is the product of two prime numbers. Find their sum.",
            f"The area of a rectangular field is {written} square metres, and both sides are prime numbers of metres. "
            "What is the sum of two neighbouring sides, in metres?",
            f"For a lock {name} has multiplied two secret primes and got {written}. What do the two primes add up to?",
        ),
    }[asked]
    return Draw(rng.choice(forms), str(answer), {"n": n, "asked": asked})


def divisors_sieved(count: int, first: int, last: int, step: int, asked: str) -> int:
    """Mark all multiples of all numbers and read off how many marks each number has."""
    marks = [0] * (last + 1)
    for d in range(1, last + 1):
        for multiple in range(d, last + 1, d):
            marks[multiple] += 1
    found = [n for n in range(first, last + 1, step) if marks[n] == count]
    return {"smallest": found[0], "largest": found[-1], "count": len(found)}[asked]


def _with_divisors(count: int, bound: int, start: int) -> list[int]:
    """Build all numbers up to the bound with this number of divisors, from primes not below the start."""
    if count == 1:
        return [1]
    found = []
    # No exponent is smaller than the least prime factor of the count, less one.
    least = next(d for d in range(2, count + 1) if count % d == 0) - 1
    for p in _PRIMES:
        if p**least > bound:
            break
        for e in range(least, count if p >= start else 0):
            if p**e <= bound and count % (e + 1) == 0:
                found += [p**e * rest for rest in _with_divisors(count // (e + 1), bound // p**e, p + 1)]
    return found


@generator("Turn a divisor count into the shape of the factorisation", check=divisors_sieved)
def divisor_shape(rng: Random, difficulty: int) -> Draw | None:
    asked = rng.choice(("count", "largest", "smallest") if difficulty < 3 else ("count", "smallest", "smallest"))
    count = rng.choice(
        ((3, 4, 5, 6), (3, 5, 6, 7, 8, 9, 10, 12), (8, 9, 10, 12, 14, 15, 16, 18, 20, 24))[difficulty - 1]
    )
    first, last = 1, rng.randint(*((20, 100), (60, 400), (300, 1200))[difficulty - 1])
    parity = rng.choice(("", "", "odd ")) if difficulty > 1 else ""
    if asked == "smallest":
        first = 1 if rng.random() < 0.3 else rng.randint(5, last // 2)
        last = 3000
    fits = sorted(n for n in _with_divisors(count, last, 3 if parity else 2) if n >= first)
    if len(fits) < (2 if asked == "count" else 1):
        return None
    answer = {"count": len(fits), "largest": fits[-1], "smallest": fits[0]}[asked]
    if asked == "smallest":
        last = fits[0]
    step = 2 if parity else 1
    name = person(rng)
    least = f" that is at least ${first}$ and" if first > 1 else " that"
    over = f"at least {first} " if first > 1 else ""
    odd = f" The number of {'{}'} is {parity.strip()}." if parity else ""
    one = " (one child alone in a row, or all in one row, are allowed)"
    forms = {
        "count": (
            f"How many {parity}positive integers up to ${last}$ have exactly ${count}$ positive divisors?",
            f"{name} writes the number of factors below each whole number from 1 to {last}. Below how many "
            f"{parity}numbers is the number of factors {count}?",
            f"A teacher knows that the children of the school, at most {last}, can be lined up in equal rows in "
            f"exactly {count} ways{one}.{odd.format('children')} How many numbers of children are possible?",
            f"How many {parity}integers $n$ with $1 \\le n \\le {last}$ have exactly ${count}$ factors, $1$ and $n$ "
            "included?",
        ),
        "largest": (
            f"What is the largest {parity}integer up to ${last}$ with exactly ${count}$ positive divisors?",
            f"At most {last} chairs are to be set up so that exactly {count} numbers of equal rows are possible, a "
            f"single row and rows of one chair counted as well.{odd.format('chairs')} What is the largest possible "
            "number of chairs?",
            f"Among the {parity}numbers from 1 to {last}, {name} looks for those that can be divided without "
            f"remainder by exactly {count} positive whole numbers. Which is the largest of them?",
        ),
        "smallest": (
            f"What is the smallest {parity}positive integer{least} has exactly ${count}$ positive divisors?",
            f"A bakery wants a box size so that its rolls can be shared equally among exactly {count} different "
            f"numbers of people, one person included.{odd.format('rolls')} What is the smallest number of rolls "
            f"{'from ' + str(first) + ' on ' if first > 1 else ''}with which this works?",
            f"{name} looks for a number of dancers, {over or 'as small as possible, '}that can form equal groups in "
            f"exactly {count} ways, where one big group and groups of one are allowed."
            f"{odd.format('dancers')} What is the smallest such number?".replace(f"{first} that", f"{first}, that"),
        ),
    }[asked]
    values = {"count": count, "first": first, "last": last, "step": step, "asked": asked}
    if parity and first % 2 == 0:
        values["first"] = first + 1
    return Draw(rng.choice(forms), str(answer), values)


def all_turned(n: int, kind: str, other: int) -> int:
    """Multiply, switch or compare divisor by divisor, without pairing them."""
    divisors = [d for d in range(1, n + 1) if n % d == 0]
    if kind == "exponent":
        total = 0
        for d in divisors:
            while d % other == 0:
                d //= other
                total += 1
        return total
    if kind == "pairs":
        return len({frozenset((d, n // d)) for d in divisors})
    if kind == "new":
        return sum(1 for d in range(1, n) if n * n % d == 0 and n % d)
    on = [False] * (n + 1)
    for step in range(1, n + 1):
        for place in range(step, n + 1, step):
            on[place] = not on[place]
    if kind == "largest":
        return max(place for place in range(1, n + 1) if on[place])
    return sum(on[other:]) if kind == "lit" else sum(not state for state in on[other:])


@generator("Pair each divisor with its cofactor", check=all_turned)
def cofactor_pairs(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        ("lit", "largest", "pairs", "dark")
        if difficulty == 1
        else ("lit", "exponent", "exponent", "pairs", "new", "dark")
    )
    other = 1
    name = person(rng)
    if kind in ("lit", "dark", "largest"):
        n = rng.randint(*((10, 120), (80, 600), (500, 3000))[difficulty - 1])
        if difficulty > 1 and rng.random() < 0.6:
            other = rng.randint(2, n // 2)
        squares = isqrt(n) - isqrt(other - 1)
        answer = {"lit": squares, "dark": n - other + 1 - squares, "largest": isqrt(n) ** 2}[kind]
        if answer < 1:
            return None
        part = f" with the numbers {other} to {n}" if other > 1 else ""
        lamps = {
            "lit": f"How many lamps{part} are on at the end?",
            "dark": f"How many lamps{part} are off at the end?",
            "largest": "What is the largest number of a lamp that is on at the end?",
        }[kind]
        doors = {
            "lit": f"How many doors{part} are open at the end?",
            "dark": f"How many doors{part} are closed at the end?",
            "largest": "What is the largest number of a door that is open at the end?",
        }[kind]
        coins = lamps.replace("lamps", "coins").replace("lamp", "coin").replace(" that is on", " that shows heads")
        coins = coins.replace("are on at", "show heads at").replace("are off at", "show tails at")
        span = f"from ${other}$ to ${n}$"
        plain = {
            "lit": f"How many integers {span} have an odd number of positive divisors?",
            "dark": f"How many integers {span} have an even number of positive divisors?",
            "largest": f"What is the largest integer up to ${n}$ that has an odd number of positive divisors?",
        }[kind]
        forms = [
            f"In a corridor there are {n} lamps, numbered 1 to {n}, all off. First every switch is pressed, then every "
            f"second one, then every third one, and so on, until in the last round only the switch of lamp {n} is "
            f"pressed. {lamps}",
            f"A prison has {n} cells in a row with closed doors, numbered from 1. In round $k$ the guard turns the "
            f"lock of every door whose number is a multiple of $k$, so that open doors close and closed doors open. "
            f"There are {n} rounds. {doors}",
            f"{name} lays {n} coins in a row, all with tails up, and numbers them 1 to {n}. In step 1 {name} turns "
            f"over all coins, in step 2 the coins 2, 4, 6, …, in step 3 the coins 3, 6, 9, …, up to step {n}. {coins}",
            plain,
        ]
    else:
        exponents = _number(rng, *((12, 300), (60, 3000), (400, 5000))[difficulty - 1], rng.randint(2, 3))
        if exponents is None:
            return None
        n = prod(p**e for p, e in exponents.items())
        number = prod(e + 1 for e in exponents.values())
        if kind == "exponent":
            other = rng.choice(list(exponents))
            answer = exponents[other] * number // 2
            forms = [
                f"All positive divisors of ${n}$ are multiplied together. How often does the prime factor ${other}$ "
                "occur in the product?",
                f"Let $P$ be the product of all positive divisors of ${n}$. Find the largest integer $k$ for which "
                f"${other}^k$ divides $P$.",
                f"{name} multiplies all the numbers by which {n} can be divided without remainder, and then divides "
                f"the product by {other} again and again as long as no remainder appears. How many times is this "
                "possible?",
            ]
        elif kind == "pairs":
            answer = (number + 1) // 2
            forms = [
                f"How many rectangles with sides of whole centimetres have an area of {n} square centimetres, if "
                "length and width may be exchanged without giving a new one?",
                f"In how many ways can ${n}$ be written as a product of two positive integers, if their order does not "
                "matter?",
                f"How many positive divisors of ${n}$ are not larger than $\\sqrt{{{n}}}$?",
                f"{name} lays all of {n} cards out on a table in a full rectangle of rows and columns. Rectangles that "
                "only differ by a quarter turn count as one. How many are possible?",
            ]
        else:
            answer = (prod(2 * e + 1 for e in exponents.values()) - 1) // 2 - (number - 1)
            if answer < 2:
                return None
            forms = [
                f"How many positive divisors of ${n}^2$ are less than ${n}$ but do not divide ${n}$?",
                f"{name} lists the positive integers below {n} that divide ${n}^2$, and crosses out those that also "
                f"divide {n}. How many numbers are left?",
                f"A square field with sides of {n} m is exchanged for a rectangular one of the same area. Its shorter "
                f"side is a whole number of metres, less than {n}, that divides ${n}^2$ but does not divide {n}. How "
                "many lengths are possible for this side?",
            ]
    return Draw(rng.choice(forms), str(answer), {"n": n, "kind": kind, "other": other})


def primes_tried(kind: str, numbers: list[int]) -> int:
    """Put all primes within reach into the conditions."""

    def prime(n: int) -> bool:
        return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))

    if kind == "linear":
        a, b, c = numbers
        sums = {
            p + (c - a * p) // b
            for p in range(c // a + 1)
            if prime(p) and (c - a * p) % b == 0 and prime((c - a * p) // b)
        }
        return sum(sums)
    if kind == "product":
        a, b, c = numbers
        sums = {
            p * (c - a * p) // b
            for p in range(c // a + 1)
            if prime(p) and (c - a * p) % b == 0 and prime((c - a * p) // b)
        }
        return sum(sums)
    if kind == "square":
        a, b = numbers
        return sum(a * p * p + b for p in range(400) if prime(p) and prime(a * p * p + b))
    return sum(p + max(numbers) for p in range(400) if all(prime(p + shift) for shift in numbers))


@generator("Corner a prime by parity and remainders", check=primes_tried)
def cornered_prime(rng: Random, difficulty: int) -> Draw | None:
    def prime(n: int) -> bool:
        return n > 1 and all(n % d for d in range(2, isqrt(n) + 1))

    kind = rng.choice(
        ("product", "product", "product", "shifts") if difficulty == 1 else ("linear", "product", "shifts", "square")
    )
    name = person(rng)
    if kind in ("linear", "product"):
        a, b = (1, 1) if difficulty == 1 else (rng.randint(1, 7), rng.randint(2, 9))
        c = rng.randint(*((9, 200), (30, 200), (100, 600))[difficulty - 1])
        c += difficulty == 1 and c % 2 == 0
        if gcd(a, b) > 1:
            return None
        pairs: set[tuple[int, int]] = set()
        for m in (2, 3):
            if m == 2 and a * b * c % 2:
                # Both primes odd would make an even sum.
                candidates = [(2, (c - 2 * a) // b), ((c - 2 * b) // a, 2)]
            elif a % m == 0 and c % m == 0:
                candidates = [((c - m * b) // a, m)]
            elif b % m == 0 and c % m == 0:
                candidates = [(m, (c - m * a) // b)]
            else:
                continue
            pairs = {(p, q) for p, q in candidates if prime(p) and prime(q) and a * p + b * q == c}
            break
        if len(pairs) != 1:
            return None
        ((p, q),) = pairs
        answer = p + q if kind == "linear" else p * q
        numbers = [a, b, c]
        first, second = ("" if a == 1 else str(a)), str(b) if b > 1 else ""
        goal = "Find $p + q$." if kind == "linear" else "Find $pq$."
        if difficulty == 1:
            forms = [
                f"The sum of two prime numbers is ${c}$. What is their product?",
                f"{name} saws a bar of {c} cm into two pieces whose lengths in centimetres are prime numbers. What is "
                "the product of the two lengths?",
                f"Two classes have {c} pupils together, and the number of pupils in each class is prime. What do the "
                "two numbers give when they are multiplied?",
                f"The primes $p$ and $q$ satisfy $p + q = {c}$. Find $pq$.",
            ]
        else:
            what = "sum" if kind == "linear" else "product"
            forms = [
                f"The prime numbers $p$ and $q$ satisfy ${first}p + {second}q = {c}$. {goal}",
                f"{a} {'pen' if a == 1 else 'pens'} and {b} notebooks cost {c} dollars together. Each price is a prime "
                f"number of dollars. What is the {what} of the price of a pen and the price of a notebook, in numbers "
                "of dollars?",
                f"A theatre sells {a} {'box' if a == 1 else 'boxes'} with $p$ seats each and {b} rows with $q$ seats "
                f"each, {c} seats in all. Both $p$ and $q$ are prime. What is the {what} of $p$ and $q$?",
                f"Adding {a if a > 1 else 'one'} {'times one' if a > 1 else ''} prime number and {b} times another "
                f"one gives {c}. What is the {what} of the two primes?".replace("one  prime", "one prime"),
            ]
    elif kind == "shifts":
        step = 2
        shifts = [0, *sorted(rng.sample(range(step, (24, 60, 150)[difficulty - 1], step), 2))]
        if {shift % 3 for shift in shifts} != {0, 1, 2}:
            return None
        numbers = shifts
        starts = [3 - shift for shift in shifts]
        fits = [p for p in starts if all(prime(p + shift) for shift in shifts)]
        if len(fits) != 1:
            return None
        answer = fits[0] + shifts[2]
        terms = f"$p$, $p + {shifts[1]}$ and $p + {shifts[2]}$"
        forms = [
            f"For a positive integer $p$, the numbers {terms} are all prime. What is the largest of the three?",
            f"Three houses in a street have prime numbers. The second number is {shifts[1]} larger than the first, and "
            f"the third is {shifts[2]} larger than the first. What is the largest of these house numbers?",
            f"Three sticks have lengths that are prime numbers of centimetres. The longest is {shifts[2]} cm longer "
            f"than the shortest, and the middle one is {shifts[1]} cm longer than the shortest. How many centimetres "
            "long is the longest stick?",
            f"{name} finds a prime number that stays prime when {shifts[1]} is added and also when {shifts[2]} is "
            "added to it. What is the result of the second addition?",
        ]
    else:
        a, b = rng.randint(1, 8), 2 * rng.randint(1, 40)
        if (a + b) % 3 or a % 3 == 0 or not prime(9 * a + b):
            return None
        numbers, answer = [a, b], 9 * a + b
        term = f"{a if a > 1 else ''}p^2 + {b}"
        if difficulty == 2:
            forms = [
                f"The numbers $p$ and ${term}$ are both prime. Find ${term}$.",
                f"{name} has a square with a side of $p$ cm, where $p$ is prime. The number ${term}$ is prime, too. "
                "What is its value?",
                f"There is only one prime $p$ for which ${term}$ is also a prime. Which prime is ${term}$ then?",
            ]
        else:
            forms = [
                f"Find the sum of all prime numbers of the form ${term}$ in which $p$ is a prime itself.",
                f"For every prime number $p$ a computer calculates ${term}$ and prints the result if it is prime. What "
                "do the printed numbers add up to?",
                f"Primes $p$ and $q$ satisfy $q = {term}$. What is $q$?",
            ]
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "numbers": numbers})


def sums_tried(product: int, least: int, gap: int, even: bool, asked: str) -> int:
    """Try every sum: the two numbers are whole if the square of their difference is a square."""
    from math import isqrt

    found = []
    for total in range(2, product + 2):
        square = total * total - 4 * product
        if square < 0 or isqrt(square) ** 2 != square:
            continue
        difference = isqrt(square)
        small = (total - difference) // 2
        if small >= least and difference <= gap and not (even and total % 2):
            found.append((total, difference))
    if asked == "count":
        return len(found)
    if asked == "difference":
        return max(difference for _, difference in found)
    return min(found)[0] if asked == "smallest" else max(found)[0]


@generator("List all factor pairs of a number and keep those that fit", check=sums_tried)
def factor_pairs_kept(rng: Random, difficulty: int) -> Draw | None:
    product = rng.randint(*((24, 120), (96, 720), (360, 2600))[difficulty - 1])
    pairs = [(a, product // a) for a in range(1, isqrt(product) + 1) if product % a == 0]
    if len(pairs) < (4, 6, 8)[difficulty - 1]:
        return None
    least, gap, even = 1, product, False
    kind = rng.choice(("least", "gap") if difficulty == 1 else ("least", "gap", "even"))
    if kind == "least":
        least = rng.randint(2, max(3, isqrt(product) // 2))
    elif kind == "gap":
        gap = rng.randint(isqrt(product), 3 * isqrt(product))
    else:
        even = True
        least = rng.randint(1, 6)
    kept = [(a, b) for a, b in pairs if a >= least and b - a <= gap and not (even and (a + b) % 2)]
    asked = rng.choice(("count", "smallest", "largest", "difference"))
    if len(kept) < 2 or len(kept) == len(pairs):
        return None
    if asked == "smallest" and (kind == "gap" or (kept[-1] == pairs[-1] and difficulty > 1)):
        asked = "largest"
    answer = {
        "count": len(kept),
        "smallest": sum(kept[-1]),
        "largest": sum(kept[0]),
        "difference": kept[0][1] - kept[0][0],
    }[asked]
    name = person(rng)
    above = f"at least {least}" if least > 1 else ""
    asks = {
        "count": ("In how many ways is this possible, if the order does not count", ""),
        "smallest": ("What is the smallest possible sum of the two numbers", "sum"),
        "largest": ("What is the largest possible sum of the two numbers", "sum"),
        "difference": ("What is the largest possible difference between the two numbers", "difference"),
    }[asked]
    limits = []
    if above:
        limits.append(f"both are {above}")
    if kind == "gap":
        limits.append(f"they differ by at most {gap}")
    if even:
        limits.append("their sum is even")
    forms = [
        f"Two positive integers have the product ${product}$, and {' and '.join(limits)}. {asks[0]}?",
        f"{name} splits {product} into two whole factors so that {' and '.join(limits)}. {asks[0]}?",
    ]
    fence = [f"neither side is shorter than {least} metres"] if above else []
    fence += [f"one side is at most {gap} metres longer than the other"] * (kind == "gap")
    fence += ["length and width together are an even number of metres"] * even
    yard = f"A rectangular yard of {product} square metres has sides of whole metres, and {' and '.join(fence)}."
    if asked == "count":
        forms.append(f"{yard} How many shapes can it have, if length and width may be swapped without a new shape?")
    elif asked == "difference":
        forms.append(f"{yard} By how many metres can its length exceed its width at most?")
    else:
        extreme = "least" if asked == "smallest" else "greatest"
        forms.append(f"{yard} What is the {extreme} number of metres that length and width can have together?")
    values = {"product": product, "least": least, "gap": gap, "even": even, "asked": asked}
    return Draw(rng.choice(forms), str(answer), values)


def numbers_tested(low: int, high: int, step: int, tests: list[list[int]], asked: str) -> int:
    """Test every number between the bounds, primes by dividing by all smaller numbers."""
    found = []
    for n in range(low, high + 1):
        right = all(n % d for d in range(2, n)) if step == 0 else n % step == 0
        for kind, a, b in tests:
            digits = sum(map(int, str(n)))
            if kind == 0:
                right = right and n % a == b
            elif kind == 1:
                right = right and digits % a == b
            else:
                right = right and all((n + a) % d for d in range(2, n + a))
        if right:
            found.append(n)
    return len(found) if asked == "count" else sum(found) if asked == "sum" else max(found)


@generator("List the primes or multiples between the bounds and test each", check=numbers_tested)
def candidates_listed(rng: Random, difficulty: int) -> Draw | None:
    low = rng.randint(*((10, 60), (20, 300), (100, 600))[difficulty - 1])
    high = low + rng.randint(*((40, 80), (80, 200), (150, 300))[difficulty - 1])
    step = 0 if rng.random() < 0.6 else rng.randint(*((7, 13), (6, 17), (6, 19))[difficulty - 1])
    primes = [p for p in _PRIMES if low <= p <= high]
    survivors = list(primes) if step == 0 else list(range(-(-low // step) * step, high + 1, step))
    options = [0, 1, 2] if step == 0 else [0, 1]
    tests, words = [], []
    for kind in sorted(rng.sample(options, 2 if difficulty == 3 else 1)):
        if kind == 0:
            a = rng.choice((4, 5, 6, 8, 10) if step == 0 else [m for m in (4, 5, 7, 9) if gcd(m, step) == 1] or [11])
            b = rng.choice([r for r in range(1, a) if gcd(r, a) == 1])
            survivors = [n for n in survivors if n % a == b]
            words.append(f"end in {b}" if a == 10 else f"leave the remainder {b} on division by {a}")
        elif kind == 1:
            a, b = rng.choice(((2, 0), (2, 1), (5, 0), (4, 0)))
            if step % 9 == 0 and step:
                return None
            survivors = [n for n in survivors if sum(map(int, str(n))) % a == b]
            parity = {(2, 0): "an even", (2, 1): "an odd"}.get((a, b), "")
            words.append(f"have {parity} sum of digits" if parity else f"have a sum of digits divisible by {a}")
        else:
            a, b = rng.choice((2, 4, 6, 8, 10)), 0
            survivors = [n for n in survivors if n + a in _PRIMES]
            words.append(f"are again prime if {a} is added")
        tests.append([kind, a, b])
    if not 2 <= len(survivors) <= 12:
        return None
    asked = rng.choice(("count", "sum", "largest"))
    answer = {"count": len(survivors), "sum": sum(survivors), "largest": survivors[-1]}[asked]
    what = "prime numbers" if step == 0 else f"multiples of {step}"
    name = person(rng)
    question = {"count": "How many are there", "sum": "What is their sum", "largest": "Which is the largest of them"}
    start = {
        "count": f"How many of the {what} from ${low}$ to ${high}$ ",
        "sum": f"What is the sum of all {what} from ${low}$ to ${high}$ that ",
        "largest": f"What is the largest of the {what} from ${low}$ to ${high}$ that ",
    }[asked]
    told = " and ".join(words)
    ticket = {
        "count": "How many tickets are these",
        "sum": "What do the numbers on these tickets add up to",
        "largest": "What is the highest number on one of these tickets",
    }[asked]
    forms = [
        f"{start}{told}?",
        f"Consider the {what} between {low} and {high} (inclusive) that {told}. {question[asked]}?",
        f"The tickets of a raffle bear the numbers {low} to {high}. {name} collects those whose numbers are "
        f"{what} that "
        f"{told}. {ticket}?",
    ]
    values = {"low": low, "high": high, "step": step, "tests": tests, "asked": asked}
    return Draw(rng.choice(forms), str(answer), values)
