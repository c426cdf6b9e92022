"""Problems on equations in whole numbers."""

from math import isqrt
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
