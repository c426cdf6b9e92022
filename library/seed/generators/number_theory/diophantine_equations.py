"""Problems on equations in whole numbers."""

from math import gcd, isqrt, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, signed

_TIMES = ("", "", "twice ", *(f"{word} times " for word in ["three", "four", "five", "six", "seven", "eight", "nine"]))


def first_unknown_tried(a: int, b: int, c: int, d: int, asked: str, order: bool = True) -> int:
    """Try every x up to the size at which y falls below 1, and divide to get y."""
    found = []
    for x in range(1, abs(a * d + b * c) + abs(c) + 2):
        if a * x + c and (d - b * x) % (a * x + c) == 0:
            y = (d - b * x) // (a * x + c)
            if y > 0 and (order or x <= y):
                found.append((x, y))
    if asked == "count":
        return len(found)
    return (max if asked == "largest" else min)(x + y for x, y in found)


@generator("Complete a product to factor an equation with an xy term", check=first_unknown_tried)
def completed_product(rng: Random, difficulty: int) -> Draw | None:
    a = 1 if difficulty < 3 else rng.randint(2, 3)
    size = (3, 7, 9)[difficulty - 1]
    b, c = (rng.choice([n for n in range(-size, size + 1) if n]) for _ in "bc")
    if difficulty == 1:
        b, c = abs(b), abs(c)
    d = rng.randint(5, 40) if difficulty == 1 else rng.randint(-20, (60, 120, 200)[difficulty - 1])
    kind = rng.randrange(6)
    order = True
    asked = rng.choice(("count", "largest", "smallest"))
    name = person(rng)
    if kind == 3 and a == 1:
        # A rectangle whose area is m times its perimeter, give or take: xy = m(2x + 2y) + d.
        m = rng.randint(1, (1, 3, 5)[difficulty - 1])
        b = c = -2 * m
        d = rng.randint(0, 30)
        order, asked = False, "count"
    elif kind == 4 and a == 1:
        # 1/x + 1/y = 1/m.
        m = rng.randint(2, (12, 60, 60)[difficulty - 1])
        b, c, d, order, asked = -m, -m, 0, False, rng.choice(("count", "largest"))
    elif kind == 5:
        b = c = -abs(b)
        d = rng.randint(1, 40)
        if a > 1:
            return None
    elif kind in (3, 4):
        kind = 0
    constant = a * d + b * c
    if constant == 0:
        return None
    pairs: list[tuple[int, int]] = []
    for divisor in range(1, abs(constant) + 1):
        if constant % divisor == 0:
            for p in (divisor, -divisor):
                q = constant // p
                if (p - c) % a == 0 and (q - b) % a == 0:
                    x, y = (p - c) // a, (q - b) // a
                    if x > 0 and y > 0 and (order or x <= y):
                        pairs.append((x, y))
    sums = sorted(x + y for x, y in pairs)
    if len(sums) < 2 or (asked != "count" and sums[0] == sums[-1]):
        return None
    answer = len(pairs) if asked == "count" else sums[-1] if asked == "largest" else sums[0]
    left = f"{a if a > 1 else ''}xy {signed(b, 'x')} {signed(c, 'y')}"
    goal = f"Find the {asked} possible value of $x + y$."
    if kind == 3:
        times = _TIMES[-b // 2]
        more = f"{d} more than {times or 'the number of '}" if d else times or "equal to the number of "
        if times:
            size_words = f"{more}the number of centimetres in its perimeter"
        else:
            size_words = f"{more}centimetres in its perimeter"
        problem = (
            "The sides of a rectangle are whole numbers of centimetres, and the number of square centimetres in its "
            f"area is {size_words}. How many such rectangles are there, if length and width may be exchanged without "
            "giving a new one?"
        )
    elif kind == 4:
        problem = (
            f"Two taps fill a basin in {-b} minutes together. Alone, each of them would need a whole number of minutes."
        )
        problem += (
            " How many pairs of times are possible, if the order of the taps does not matter?"
            if asked == "count"
            else " What is the largest possible sum of these two numbers of minutes?"
        )
    elif kind == 5:
        times = _TIMES[-b]
        problem = (
            f"{name} has a number of red and a number of blue beads, at least one of each. The product of the two "
            f"numbers is {d} more than {times}their sum. "
        )
        problem += (
            "How many possibilities are there for the pair (red, blue)?"
            if asked == "count"
            else f"What is the {'largest' if asked == 'largest' else 'smallest'} possible number of beads altogether?"
        )
    else:
        problem = rng.choice(
            (
                f"How many ordered pairs $(x, y)$ of positive integers satisfy ${left} = {d}$?",
                f"In how many ways can positive integers $x$ and $y$ be chosen so that ${left} = {d}$?",
            )
            if asked == "count"
            else (
                f"The positive integers $x$ and $y$ satisfy ${left} = {d}$. {goal}",
                f"For positive integers $x$ and $y$ it is known that ${left} = {d}$. {goal}",
            )
        )
    values = {"a": a, "b": b, "c": c, "d": d, "asked": asked, "order": order}
    return Draw(problem, str(answer), values)


def runs_slid(total: int, asked: str, least: int, parity: int) -> int:
    """Slide a window of consecutive integers over the range and note each run with the wanted sum."""
    first, last, amount, runs = 1, 0, 0, []
    while first <= total:
        if amount < total:
            last += 1
            amount += last
        else:
            if amount == total and last - first + 1 >= least and parity in (2, (last - first + 1) % 2):
                runs.append((last - first + 1, first, last))
            amount -= first
            first += 1
    if asked == "count":
        return len(runs)
    return max(runs)[("length", "first", "last").index(asked)]


@generator("Count runs of consecutive integers by factor pairs of the doubled sum", check=runs_slid)
def consecutive_runs(rng: Random, difficulty: int) -> Draw | None:
    total = rng.randint(*((9, 120), (100, 900), (900, 5000))[difficulty - 1])
    asked = rng.choice(("count", "length", "first", "last"))
    least, parity = 2, 2
    if difficulty == 3 and asked == "count":
        least, parity = rng.choice(((3, 2), (4, 2), (2, 0), (3, 1)))
    elif difficulty == 3 and rng.random() < 0.5:
        parity = rng.randint(0, 1)
        least += parity
    runs = []
    for k in range(least, isqrt(2 * total) + 1):
        m, rest = divmod(2 * total, k)
        if rest == 0 and (m - k) % 2 == 1 and parity in (2, k % 2):
            runs.append((k, (m - k + 1) // 2, (m + k - 1) // 2))
    if len(runs) < 2:
        return None
    longest = runs[-1]
    answer = {"count": len(runs), "length": longest[0], "first": longest[1], "last": longest[2]}[asked]
    number = {2: "two", 3: "three", 4: "four"}[least]
    even = {0: "an even number of ", 1: "an odd number of ", 2: ""}[parity]
    name = person(rng)
    terms = f"{even}consecutive positive integers" if parity < 2 else f"{number} or more consecutive positive integers"
    if parity == 1:
        terms += ", at least three"
    parity_word = "odd" if parity else "even"
    rows = "" if parity == 2 else f"The number of rows is {parity_word} and more than one. "
    days = "" if parity == 2 else f"The number of days is {parity_word} and more than one. "
    if asked == "count":
        problem = rng.choice(
            (
                f"In how many ways can ${total}$ be written as a sum of {terms}?",
                f"Each row of a theatre has one seat more than the row in front of it, and there are {total} seats in "
                f"all. {rows}For how many numbers of rows, at least {number}, is this possible?",
                f"{name} reads a book of {total} pages, each day one page more than the day before, and at least one "
                f"page on the first day. {days}For how many numbers of days, at least {number}, is this possible?",
            )
        )
    elif asked == "length":
        problem = rng.choice(
            (
                f"The number ${total}$ is a sum of {even}consecutive positive integers. What is the largest possible "
                "number of terms?",
                f"Each row of a theatre has one seat more than the row in front of it, and there are {total} seats in "
                f"all. {rows}What is the largest number of rows that the theatre can have?",
                f"{name} saves {total} coins in all, each week one coin more than the week before, beginning with at "
                f"least one coin. {days.replace('days', 'weeks')}For how many weeks at most can {name} have saved?",
            )
        )
    else:
        which = "smallest" if asked == "first" else "largest"
        row = "front" if asked == "first" else "back"
        day = "first" if asked == "first" else "last"
        problem = rng.choice(
            (
                f"The number ${total}$ is written as a sum of {even}consecutive positive integers, with as many terms "
                f"as possible. What is the {which} of them?",
                f"Logs are stacked so that each layer has one log more than the layer above it, {total} logs in all. "
                f"{rows.replace('rows', 'layers')}There are as many layers as these facts allow. How many logs are in "
                f"the {'top' if asked == 'first' else 'bottom'} layer?",
                f"Each row of a theatre has one seat more than the row in front of it, and there are {total} seats in "
                f"all. {rows}There are as many rows as these facts allow. How many seats are in the {row} row?",
                f"{name} learns {total} words, each day one word more than the day before, beginning with at least "
                f"one word and going on for as many days as possible. {days}How many words does {name} learn on the "
                f"{day} day?",
            )
        )
    if longest[1] == 1 and asked == "first":
        return None
    return Draw(problem, str(answer), {"total": total, "asked": asked, "least": least, "parity": parity})


def amounts_marked(sizes: list[int], asked: str) -> int:
    """Mark the payable amounts one after another until so many stand in a row that all later ones follow."""
    payable, amount = {0}, 0
    missing: list[int] = []
    while amount - max(missing, default=0) < min(sizes):
        amount += 1
        if any(amount - size in payable for size in sizes):
            payable.add(amount)
        else:
            missing.append(amount)
    return len(missing) if asked == "count" else missing[-1]


@generator("Sort amounts by residue class to find the last unreachable one", check=amounts_marked)
def last_unreachable(rng: Random, difficulty: int) -> Draw | None:
    count = 2 if difficulty == 1 else 3
    sizes = sorted(rng.sample(range(*((3, 12), (5, 16), (8, 30))[difficulty - 1]), count))
    least: dict[int, int] = {0: 0}
    m, rest = sizes[0], sizes[1:]
    # Least amounts in the classes, by going round the classes with each of the other sizes.
    for _ in range(m):
        for amount in list(least.values()):
            for size in rest:
                other = amount + size
                if other < least.get(other % m, other + 1):
                    least[other % m] = other
    if len(least) < m:
        return None
    for size in rest:
        # Each size has to matter.
        others = [s for s in sizes if s != size]
        if any(size % s == 0 for s in others) or (difficulty > 1 and least[size % m] < size):
            return None
    asked = "largest" if difficulty == 1 or rng.random() < 0.7 else "count"
    largest = max(least.values()) - m
    missing = sum((amount - residue) // m for residue, amount in least.items())
    if missing < 2:
        return None
    answer = largest if asked == "largest" else missing
    numbers = [str(size) for size in sizes]
    text = f"{', '.join(numbers[:-1])} and {numbers[-1]}"
    either = f"{', '.join(numbers[:-1])} or {numbers[-1]}"
    letters = "abc"[:count]
    form = " + ".join(f"{size}{letter}" for size, letter in zip(sizes, letters, strict=True))
    unknowns = f"{', '.join(f'${letter}$' for letter in letters[:-1])} and ${letters[-1]}$"
    thing, box = rng.choice((("eggs", "boxes"), ("buns", "bags"), ("screws", "packets"), ("tulips", "bunches")))
    if asked == "largest":
        problem = rng.choice(
            (
                f"What is the largest integer that cannot be written as ${form}$ with nonnegative integers {unknowns}?",
                f"A shop sells {thing} only in {box} of {text}, and none are opened. What is the largest number of "
                f"{thing} that cannot be bought exactly?",
                f"In a game a throw scores {either} points. What is the highest total that no number of throws can "
                "reach?",
                f"A country has only coins of {text} crowns, and nobody gives change. What is the largest whole number "
                "of crowns that cannot be paid?",
            )
        )
    else:
        problem = rng.choice(
            (
                f"How many positive integers cannot be written as ${form}$ with nonnegative integers {unknowns}?",
                f"A shop sells {thing} only in {box} of {text}, and none are opened. How many positive numbers of "
                f"{thing} cannot be bought exactly?",
                f"In a game a throw scores {either} points. How many positive whole numbers can never be a total of "
                "throws?",
            )
        )
    return Draw(problem, str(answer), {"sizes": sizes, "asked": asked})


def first_counted_up(a: int, b: int, c: int, asked: str) -> int:
    """Take each number of the first kind and see whether the rest can be divided by the second size."""
    found = [(x, (c - a * x) // b) for x in range(1, c // a + 1) if c - a * x >= b and (c - a * x) % b == 0]
    sums = [x + y for x, y in found]
    return {
        "count": len(found),
        "most": max(sums),
        "least": min(sums),
        "first": max(x for x, _ in found),
        "second": max(y for _, y in found),
        "near": min(abs(x - y) for x, y in found),
    }[asked]


@generator("Step along a linear Diophantine equation from one solution", check=first_counted_up)
def linear_steps(rng: Random, difficulty: int) -> Draw | None:
    g = rng.choice((1, 1, 2, 5)) if difficulty > 1 else 1
    a, b = (g * n for n in rng.sample(range(*((2, 10), (4, 20), (9, 45))[difficulty - 1]), 2))
    c = rng.randint(*((25, 120), (120, 800), (800, 4000))[difficulty - 1])
    common = gcd(a, b)
    if c % common or common in (a, b):
        return None
    start = next(x for x in range(1, b + 1) if (c - a * x) % b == 0)
    step = b // common
    last = (c - b - a * start) // (a * step)
    if c - a * start < b or last > 40:
        return None
    pairs = [(start + k * step, (c - a * start) // b - k * (a // common)) for k in range(last + 1)]
    asked = rng.choice(("count", "most", "least", "first", "second", "near")) if last else "most"
    ends = (pairs[0], pairs[-1])
    answer = {
        "count": len(pairs),
        "most": max(map(sum, ends)),
        "least": min(map(sum, ends)),
        "first": pairs[-1][0],
        "second": pairs[0][1],
        "near": min(abs(x - y) for x, y in pairs),
    }[asked]
    name = person(rng)
    single = {} if last else {"most": "What is $x + y$?"}
    plain = {
        "count": "How many such pairs are there?",
        "most": "What is the largest possible value of $x + y$?",
        "least": "What is the smallest possible value of $x + y$?",
        "first": "What is the largest possible value of $x$?",
        "second": "What is the largest possible value of $y$?",
        "near": "What is the smallest possible difference between $x$ and $y$?",
    } | single

    def goal(first: str, second: str, all_of: str, ways: str) -> str:
        if not last:
            return f"How many {all_of} are there together?"
        return {
            "count": f"In how many ways can {ways}?",
            "most": f"How many {all_of} can there be at most?",
            "least": f"How many {all_of} must there be at least?",
            "first": f"What is the largest possible number of {first}?",
            "second": f"What is the largest possible number of {second}?",
            "near": f"By how much must the numbers of {first} and {second} differ at least?",
        }[asked]

    stamps = ("red stamps", "blue stamps", "stamps", "the stamps be chosen")
    tickets = ("adults", "children", "visitors", "the visitors be made up")
    tiles = ("long planks", "short planks", "planks", "the planks be chosen")
    hits = ("hits in the ring", "hits in the centre", "hits", "the total be made up")
    crates = ("crates of apples", "crates of pears", "crates", "the load be made up")
    if a < b:
        tickets = ("children", "adults", "visitors", "the visitors be made up")
        tiles = ("short planks", "long planks", "planks", "the planks be chosen")
    forms = [
        f"The positive integers $x$ and $y$ satisfy ${a}x + {b}y = {c}$. {plain[asked]}",
        f"{name} puts exactly {c} cents of postage on a parcel, using red stamps of {a} cents and blue stamps of {b} "
        f"cents, at least one of each. {goal(*stamps)}",
        f"A museum charges {max(a, b)} crowns for an adult and {min(a, b)} crowns for a child. One morning it takes "
        f"exactly {c} crowns from at least one adult and at least one child. {goal(*tickets)}",
        f"A path of {c} dm is laid end to end with planks of {max(a, b)} dm and planks of {min(a, b)} dm, none of them "
        f"cut and both kinds used. {goal(*tiles)}",
        f"At a fair a ball in the ring scores {a} points and a ball in the centre {b} points. {name} has hit both and "
        f"has exactly {c} points. {goal(*hits)}",
        f"A lift carries exactly {c} kg of fruit: crates of apples with {a} kg each and crates of pears with {b} kg "
        f"each, at least one of each. {goal(*crates)}",
    ]
    return Draw(rng.choice(forms), str(answer), {"a": a, "b": b, "c": c, "asked": asked})


def pairs_completed(kind: str, m: int, n: int, asked: str, different: bool) -> int:
    """Take each smallest number and find the other two from factor pairs; for sums try all triples."""
    found = []
    if kind == "sum":
        for x in range(1, 3 * m + 1):
            for y in range(x, 3 * m + 1):
                for z in range(y, m * (3 * m + 2) + n + 1):
                    if x * y * z == m * (x + y + z) + n:
                        found.append((x, y, z))
    else:
        for x in range(1, 3 * n // m + 1):
            # 1/y + 1/z = r/s means (ry - s)(rz - s) = s * s.
            r, s = m * x - n, n * x
            for d in range(1, s + 1):
                if r > 0 and s * s % d == 0 and (s + d) % r == 0 and (s + s * s // d) % r == 0:
                    y, z = (s + d) // r, (s + s * s // d) // r
                    if x <= y and (not different or x < y < z):
                        found.append((x, y, z))
    return {
        "count": len(found),
        "largest": max(z for _, _, z in found),
        "total": max(sum(t) for t in found),
        "smallest": min(sum(t) for t in found),
    }[asked]


@generator("Bound the smallest unknown in a symmetric equation", check=pairs_completed)
def bounded_smallest(rng: Random, difficulty: int) -> Draw | None:
    kind = "sum" if rng.random() < 0.4 else "reciprocals"
    different = kind != "sum" and rng.random() < 0.4
    found: list[tuple[int, int, int]] = []
    name = person(rng)
    if kind == "sum":
        m = rng.randint(*((1, 3), (1, 5), (3, 8))[difficulty - 1])
        n = rng.choice((0, rng.randint(1, (12, 30, 60)[difficulty - 1])))
        # x <= y <= z: xyz <= 3mz + n, so that xy <= 3m + n and z follows.
        for x in range(1, isqrt(3 * m + n) + 1):
            for y in range(x, (3 * m + n) // x + 1):
                if x * y > m and (m * (x + y) + n) % (x * y - m) == 0 and (m * (x + y) + n) // (x * y - m) >= y:
                    found.append((x, y, (m * (x + y) + n) // (x * y - m)))
        if any(y > 3 * m or z > m * (3 * m + 2) + n for _, y, z in found):
            return None
    else:
        n = rng.randint(*((2, 5), (3, 9), (5, 14))[difficulty - 1])
        m = rng.randint(1, 2 * n)
        if gcd(m, n) > 1 or (difficulty < 3 and m == 1 and n > 2):
            return None
        for x in range(n // m + 1, 3 * n // m + 1):
            r, s = m * x - n, n * x
            for y in range(max(x, s // r + 1), 2 * s // r + 1):
                z, rest = divmod(s * y, r * y - s)
                if rest == 0 and (not different or x < y < z):
                    found.append((x, y, z))
    if not found or len(found) > 60:
        return None
    asked = rng.choice(("count", "largest", "total", "smallest")) if len(found) > 1 else "total"
    if asked == "smallest" and min(map(sum, found)) == max(map(sum, found)):
        return None
    answer = {
        "count": len(found),
        "largest": max(z for _, _, z in found),
        "total": max(map(sum, found)),
        "smallest": min(map(sum, found)),
    }[asked]
    only = len(found) == 1

    def goal(things: str, largest: str, total: str) -> str:
        if only:
            return f"What is {total}?"
        return {
            "count": f"How many different sets of {things} are possible?",
            "largest": f"What is the largest possible value of {largest}?",
            "total": f"What is the largest possible value of {total}?",
            "smallest": f"What is the smallest possible value of {total}?",
        }[asked]

    order = "x < y < z" if different else r"x \le y \le z"
    three = "three different" if different else "three, not necessarily different"
    plain = "How many solutions are there?" if asked == "count" else goal("", "$z$", "$x + y + z$")
    if kind == "sum":
        times = "" if m == 1 else "twice " if m == 2 else f"{m} times "
        tail = f" {n} more than {times}" if n else f" {'equal to ' if m == 1 else ''}{times}"
        right = f"{'' if m == 1 else m}(x + y + z)" if m > 1 else "x + y + z"
        right += f" + {n}" if n else ""
        forms = [
            rf"The integers $1 \le x \le y \le z$ satisfy $xyz = {right}$. {plain}",
            f"{name} writes a positive whole number on each of three cards. The product of the numbers is{tail}their "
            f"sum. {goal('three numbers', 'the largest number', 'the sum of the three numbers')}",
            f"The edges of a box are whole numbers of centimetres. The number of cubic centimetres in its volume is"
            f"{tail}the number of centimetres in the lengths of its three different directions together. "
            f"{goal('edges', 'the longest edge in centimetres', 'the sum of length, width and height')}".replace(
                "lengths of its three different directions", "length, width and height"
            ),
            f"The ages of three children are whole numbers of years from 1 on, and their product is{tail}their sum. "
            f"{goal('three ages', 'the age of the oldest child', 'the sum of the three ages')}",
        ]
    else:
        value = str(m // n) if m % n == 0 else rf"\frac{{{m}}}{{{n}}}"
        part = f"${value}$"
        forms = [
            rf"Positive integers ${order}$ satisfy $\frac1x + \frac1y + \frac1z = {value}$. {plain}",
            f"The fraction {part} is to be written as a sum of {three} unit fractions, that is, fractions with "
            f"numerator 1. {goal('three fractions', 'the largest denominator', 'the sum of the three denominators')}",
            f"The reciprocals of {three} positive whole numbers add up to {part}. "
            f"{goal('three numbers', 'the greatest of the numbers', 'the sum of the three numbers')}",
        ]
        if m <= n or rng.random() < 0.5:
            forms.append(
                f"Three resistors with {'different ' if different else ''}resistances of whole ohms, wired in "
                rf"parallel, act like one resistor of $\frac{{{n}}}{{{m}}}$ ohms, so that the reciprocals of the three "
                f"add up to {part}. "
                f"{goal('three resistors', 'the greatest of the three resistances', 'the sum of the resistances')}"
            )
            forms.append(
                f"Three copying machines would need {'different ' if different else ''}whole numbers of minutes for a "
                rf"job when each works alone. All three together finish it in $\frac{{{n}}}{{{m}}}$ minutes. "
                f"{goal('three times', 'the time of the slowest machine', 'the sum of the three times')}"
            )
    values = {"kind": kind, "m": m, "n": n, "asked": asked, "different": different}
    return Draw(rng.choice(forms).replace(f"\\frac{{{n}}}{{1}}", str(n)), str(answer), values)


def sizes_tried(kind: str, a: int, c: int, b: int, asked: str) -> int:
    """Compute the first forty values and compare each with the squares or powers near it."""
    from math import factorial, isqrt

    found = []
    for n in range(1, 41):
        value = (factorial(n) if kind == "factorial" else a**n) + c
        if b == 0 and value >= 0 and isqrt(value) ** 2 == value:
            found.append((n, isqrt(value)))
        power, y = b, 1
        while b and power < value:
            power *= b
            y += 1
        if b and power == value:
            found.append((n, y))
    if asked == "count":
        return len(found)
    return sum(n for n, _ in found) if asked == "sum" else sum(n + y for n, y in found)


@generator("Rule out all large cases by remainders", check=sizes_tried)
def large_cases(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(("factorial", "square", "powers") if difficulty > 1 else ("factorial", "square", "square"))
    a = b = 0
    c = rng.randint(1, (60, 200, 900)[difficulty - 1])
    if difficulty > 1 and kind != "powers" and rng.random() < 0.3:
        c = -rng.randint(1, 60)
    if kind == "factorial":
        # n! vanishes modulo q from some n on, and c is no square modulo q.
        first = {3: 3, 4: 4, 5: 5, 7: 7, 8: 4, 9: 6, 16: 6, 11: 11}
        bound = min((first[q] for q in first if all((k * k - c) % q for k in range(q))), default=0)
    else:
        a = rng.randint(2, (7, 12, 15)[difficulty - 1])
        if kind == "powers":
            b = rng.randint(2, 13)
            if gcd(a, b) > 1:
                return None
        # a^n vanishes modulo a^j from n = j on, and c is no square or no power of b modulo a^j.
        bound = 0
        for j in range(1, 7):
            q = a**j
            if q > 3000:
                break
            possible = {k * k % q for k in range(q)} if b == 0 else {pow(b, k, q) for k in range(1, q + 1)}
            if c % q not in possible:
                bound = j
                break
    if bound == 0:
        return None
    found = []
    for n in range(1, bound):
        value = (prod(range(1, n + 1)) if kind == "factorial" else a**n) + c
        if b == 0:
            if value >= 0 and isqrt(value) ** 2 == value:
                found.append((n, isqrt(value)))
        else:
            y = next(y for y in range(1, 60) if b**y >= value)
            if b**y == value:
                found.append((n, y))
    if not found:
        return None
    asked = rng.choice(("sum", "sum", "both", "count")) if len(found) > 1 else rng.choice(("sum", "both"))
    answer = {"sum": sum(n for n, _ in found), "both": sum(map(sum, found)), "count": len(found)}[asked]
    name = person(rng)
    more = f"+ {c}" if c > 0 else f"- {-c}"
    left = f"n! {more}" if kind == "factorial" else f"{a}^n {more}"
    extra = f"{abs(c)} {'more' if c > 0 else 'less'}"
    numbers = (
        r"$1, 2, 6, 24, 120, \ldots$ (the products $1 \cdot 2 \cdots n$)"
        if kind == "factorial"
        else (f"${a}, {a**2}, {a**3}, \\ldots$ (the powers of {a})")
    )
    if b:
        goals = {
            "sum": f"Find the sum of all positive integers $n$ for which ${left}$ is a power ${b}^m$ with a positive "
            "integer $m$.",
            "both": f"Find the sum of $n + m$ over all pairs of positive integers with ${left} = {b}^m$.",
            "count": f"How many pairs $(n, m)$ of positive integers satisfy ${left} = {b}^m$?",
        }
        forms = [
            goals[asked],
            f"Positive integers $n$ and $m$ satisfy ${b}^m - {a}^n = {c}$. "
            + {
                "sum": "What is the sum of all values that $n$ can take?",
                "both": "Find the sum of $n + m$ over all solutions.",
                "count": "How many solutions are there?",
            }[asked],
            f"{name} starts with 1 bean and multiplies the number of beans by {a} in each of $n$ steps. A friend "
            f"starts with 1 bean, too, multiplies by {b} in each of $m$ steps, and then has exactly {c} more. Both "
            "take at least one step. "
            + {
                "sum": "Add up all possible values of $n$.",
                "both": "Find the sum of $n + m$ over all possibilities.",
                "count": "How many pairs $(n, m)$ are possible?",
            }[asked],
            f"A power of {b} is {c} larger than a power of {a}, both with positive whole exponents. "
            + {
                "sum": f"What do all possible exponents of {a} add up to?",
                "both": "What is the sum of both exponents, added over all possibilities?",
                "count": "In how many ways is this possible?",
            }[asked],
        ]
    else:
        forms = [
            {
                "sum": f"Find the sum of all positive integers $n$ for which ${left}$ is a perfect square.",
                "both": rf"Find the sum of $n + m$ over all integers $n \ge 1$, $m \ge 0$ with ${left} = m^2$.",
                "count": f"For how many positive integers $n$ is ${left}$ the square of an integer?",
            }[asked],
            f"{name} looks for squares of whole numbers that are {extra} than a member of the sequence {numbers}. "
            + {
                "sum": "What is the sum of the places $n$ in the sequence at which this happens?",
                "both": "For each one found, the place $n$ in the sequence and the square's non-negative root are "
                "added. What do all these sums add up to?",
                "count": "How many members of the sequence have such a square?",
            }[asked],
            f"In level $n$ of a game a player gets {'$n!$' if kind == 'factorial' else f'${a}^n$'} points and "
            f"{'a bonus' if c > 0 else 'a deduction'} of {abs(c)} points. "
            + {
                "sum": "Add up the numbers of all levels whose result is a square number.",
                "both": "For each level whose result is the square of a whole number $m \\ge 0$, calculate $n + m$. "
                "What is the sum of these numbers?",
                "count": "For how many levels is the result a square number?",
            }[asked],
        ]
        if kind == "square" and c > 0:
            forms.append(
                f"A colony of cells has {a} cells after one hour, and its size is multiplied by {a} every hour. After "
                f"$n$ hours {c} cells of another kind are added, and all of them just fill the places of a square "
                "grid. "
                + {
                    "sum": "What is the sum of all whole numbers $n \\ge 1$ for which this is possible?",
                    "both": "With $m$ places along a side of the grid, add up $n + m$ over all possibilities with "
                    "whole numbers $n \\ge 1$.",
                    "count": "For how many whole numbers $n \\ge 1$ is this possible?",
                }[asked]
            )
        elif kind == "factorial" and c > 0:
            forms.append(
                f"A computer prints the numbers $1! + {c}$, $2! + {c}$, $3! + {c}$ and so on, without end. "
                + {
                    "sum": "Add up the places in this list at which a square number stands.",
                    "both": "Each square number in the list is replaced by the sum of its place and its positive root, "
                    "and all other numbers are deleted. What do the numbers left add up to?",
                    "count": "How many of the printed numbers are squares?",
                }[asked]
            )
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "a": a, "c": c, "b": b, "asked": asked})
