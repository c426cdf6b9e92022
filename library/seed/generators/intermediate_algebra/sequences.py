"""Problems on sequences."""

from fractions import Fraction
from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, signed


def stepped(factor: list[int], added: int, start: list[int], steps: int, asked: str) -> object:
    """Apply the rule step by step; backwards for the start, and until the bound is passed for a count."""
    from fractions import Fraction

    value, q = Fraction(*start), Fraction(*factor)
    if asked == "count":
        count = 0
        while value <= steps:
            value, count = q * value + added, count + 1
        return count
    for _ in range(steps):
        value = (value - added) / q if asked == "start" else q * value + added
    return value


@generator("Subtract the fixed point to make a recurrence geometric", check=stepped)
def affine_recurrence(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("plain", "growth"), ("plain", "stock", "dose", "growth"), ("fraction", "stock", "start", "count"))[
            difficulty - 1
        ]
    )
    name = rng.choice("abcx")
    if kind in ("plain", "fraction"):
        q = Fraction(rng.choice((2, 3) if difficulty == 1 else (2, 3, 4, 5, -2, -3)))
        if kind == "fraction":
            q = rng.choice((Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(-1, 2), Fraction(3, 2)))
        added, start = rng.choice([n for n in range(-9, 13) if n]), rng.randint(1, 9)
        steps = rng.randint(*((3, 5), (6, 10), (5, 8))[difficulty - 1])
        fixed = added / (1 - q)
        if start == fixed:
            return None
        answer = fixed + (start - fixed) * q**steps
        if answer.denominator > 3000 or abs(answer.numerator) > 200000:
            return None
        factor = str(q) if q.denominator == 1 else rf"\tfrac{{{abs(q.numerator)}}}{{{q.denominator}}}"
        factor = f"-{factor}" if q < 0 and q.denominator > 1 else factor
        rule = f"{name}_{{n+1}} = {factor}{name}_n {signed(added)}"
        who = person(rng)
        verb = f"adds ${added}$ to" if added > 0 else f"subtracts ${-added}$ from"
        problem = rng.choice(
            (
                f"Let ${name}_1 = {start}$ and ${rule}$ for all $n \\ge 1$. What is ${name}_{{{steps + 1}}}$?",
                f"A sequence starts with ${name}_0 = {start}$ and obeys ${rule}$ for $n \\ge 0$. Find "
                f"${name}_{{{steps}}}$.",
                f"{who} writes down the number ${start}$. In every step, {who} multiplies the last number by "
                f"${factor}$ and {verb} the product. Which number is reached after {steps} steps?",
            )
        )
        values = {"factor": [q.numerator, q.denominator], "added": added, "start": [start, 1], "steps": steps}
        return Draw(problem, str(answer), {**values, "asked": "value"})
    if kind == "growth":
        times, start = rng.choice((2, 3) if difficulty == 1 else (2, 3, 4)), rng.randint(3, 30)
        loss = rng.randint(2, 50)
        steps = rng.randint(3, 4 if difficulty == 1 else 8)
        fixed = Fraction(loss, times - 1)
        if start <= fixed:
            return None
        answer = fixed + (start - fixed) * times**steps
        if answer > 60000:
            return None
        word = {2: "doubles", 3: "triples", 4: "quadruples"}[times]
        problem = rng.choice(
            (
                f"A culture holds {start} million cells. Every day its number of cells {word}, and then {loss} million "
                f"cells are taken out. How many million cells does it hold after {steps} days?",
                f"In a game, the score starts at {start}. Every round {word} the score and then costs {loss} points. "
                f"What is the score after {steps} rounds?",
                f"A magic pot {word} the coins in it every night. Each morning its owner takes out {loss} coins. There "
                f"were {start} coins in the evening before the first night. How many are left after {steps} mornings?",
            )
        )
        return Draw(
            problem,
            str(answer),
            {"factor": [times, 1], "added": -loss, "start": [start, 1], "steps": steps, "asked": "value"},
        )
    if kind == "stock":
        part = rng.choice((2, 3, 4, 5, 10))
        kept, steps = Fraction(part - 1, part), rng.randint(2, 4 if difficulty == 2 else 6)
        added = rng.choice((10, 20, 30, 50, 60, 90, 100, 120, 150, 200, 300, 400, 600))
        fixed = Fraction(added * part)
        excess = rng.choice((-1, 1, 1)) * part**steps * rng.randint(1, 12)
        start = fixed + excess
        answer = fixed + excess * kept**steps
        if start <= 0 or start > 60000:
            return None
        share = {2: "half", 3: "one third", 4: "one quarter", 5: "one fifth", 10: "one tenth"}[part]
        problem = rng.choice(
            (
                f"A fish farm has {start} fish. In the course of every year {share} of the fish present at its "
                f"beginning are sold, and then {added} young fish are put in. How many fish are there after {steps} "
                "years?",
                f"A library owns {start} books. Each year it gives away {share} of its books and then buys {added} new "
                f"ones. How many books does it own after {steps} years?",
                f"A tank holds {start} litres. Every day {share} of the water in it is used, and in the evening "
                f"{added} litres are filled in. How many litres does it hold after {steps} evenings?",
            )
        )
        values = {
            "factor": [part - 1, part],
            "added": added,
            "start": [int(start), 1],
            "steps": steps,
            "asked": "value",
        }
        return Draw(problem, str(answer), values)
    if kind == "dose":
        part, steps = rng.choice((2, 3, 4)), rng.randint(3, 5)
        dose = part**steps * rng.randint(1, 6)
        if dose > 800:
            return None
        # Just after the first dose: the start; 1/part of the substance is left each time.
        fixed = Fraction(dose * part, part - 1)
        answer = fixed + (dose - fixed) * Fraction(1, part) ** steps
        left = {2: "half", 3: "one third", 4: "one quarter"}[part]
        problem = rng.choice(
            (
                f"Every morning a patient takes {dose} mg of a drug. From one morning to the next only {left} of the "
                f"amount in the body is left. How many milligrams are in the body right after dose number {steps + 1}?",
                f"Each week {dose} grams of a weed killer are put into a pond, and from one week to the next {left} of "
                f"what is in the pond remains. How many grams are in it right after the treatment number {steps + 1}?",
            )
        )
        values = {"factor": [1, part], "added": dose, "start": [dose, 1], "steps": steps, "asked": "value"}
        return Draw(problem, str(answer), values)
    times, added, start = rng.choice((2, 3, 4)), rng.choice([n for n in range(-9, 13) if n]), rng.randint(2, 12)
    if start * (times - 1) + added <= 0:
        return None
    fixed = Fraction(added, 1 - times)
    if kind == "start":
        steps = rng.randint(5, 8)
        end = fixed + (start - fixed) * times**steps
        rule = f"{name}_{{n+1}} = {times}{name}_n {signed(added)}"
        problem = rng.choice(
            (
                f"A sequence with ${rule}$ for all $n \\ge 1$ has ${name}_{{{steps + 1}}} = {end}$. Find ${name}_1$.",
                f"A number is multiplied by ${times}$ and then ${abs(added)}$ is "
                f"{'added' if added > 0 else 'subtracted'}. After this has been done {steps} times in a row, the "
                f"result is ${end}$. What was the number at the start?",
            )
        )
        values = {"factor": [times, 1], "added": added, "start": [int(end), 1], "steps": steps, "asked": "start"}
        return Draw(problem, str(start), values)
    bound = rng.choice((1000, 5000, 10**4, 10**5, 10**6))
    count, value = 0, start - fixed
    while value + fixed <= bound:
        value, count = value * times, count + 1
    if count < 3:
        return None
    rule = f"{name}_{{n+1}} = {times}{name}_n {signed(added)}"
    problem = rng.choice(
        (
            f"A sequence has ${name}_0 = {start}$ and ${rule}$ for $n \\ge 0$. What is the smallest $n$ with ${name}_n "
            f"> {bound}$?",
            f"A machine replaces the number $x$ on its screen by ${times}x {signed(added)}$ each second. At the start "
            f"it shows ${start}$. After how many seconds does it show a number above ${bound}$ for the first time?",
        )
    )
    values = {"factor": [times, 1], "added": added, "start": [start, 1], "steps": bound, "asked": "count"}
    return Draw(problem, str(count), values)


def written_out(kind: str, number: int, asked: str) -> object:
    """Write the sequence out block by block until it is long enough."""
    from fractions import Fraction

    terms: list[Fraction] = []
    k = 1
    while len(terms) < number:
        if kind == "count up":
            block = [Fraction(j) for j in range(1, k + 1)]
        elif kind == "count down":
            block = [Fraction(j) for j in range(k, 0, -1)]
        elif kind == "repeat":
            block = [Fraction(k)] * k
        elif kind == "odd repeat":
            block = [Fraction(k)] * (2 * k - 1)
        elif kind == "even repeat":
            block = [Fraction(k)] * (2 * k)
        elif kind == "doubling":
            block = [Fraction(k)] * 2 ** (k - 1)
        elif kind == "one and zeros":
            block = [Fraction(1)] + [Fraction(0)] * k
        else:
            block = [Fraction(k + 1 - j, j) for j in range(1, k + 1)]
        terms += block
        k += 1
    return sum(terms[:number]) if asked == "sum" else terms[number - 1]


@generator("Locate a term in a sequence written in growing blocks", check=written_out)
def growing_blocks(rng: Random, difficulty: int) -> Draw | None:
    kinds = (
        ("count up", "repeat", "count down"),
        ("count up", "repeat", "count down", "odd repeat", "even repeat", "one and zeros"),
        ("fractions", "odd repeat", "repeat", "count down", "even repeat", "doubling"),
    )
    kind = rng.choice(kinds[difficulty - 1])
    number = rng.randint(*((15, 60), (80, 700), (400, 3000))[difficulty - 1])
    asked = "term"
    if difficulty == 2 or (difficulty == 3 and kind != "fractions"):
        asked = rng.choice(("term", "sum")) if difficulty == 2 and kind != "one and zeros" else "sum"
    # The block in which place `number` lies, and its place in it.
    if kind in ("odd repeat", "even repeat"):
        block = isqrt(number - 1) + 1
        before = (block - 1) ** 2
        if kind == "even repeat":
            block = (isqrt(4 * number + 1) - 1) // 2
            block += block * (block + 1) < number
            before = (block - 1) * block
    elif kind == "doubling":
        block = number.bit_length()
        before = 2 ** (block - 1) - 1
    elif kind == "one and zeros":
        # Blocks of 2, 3, 4, ... terms.
        block = (isqrt(8 * number + 9) - 3) // 2
        block += block * (block + 3) // 2 < number
        before = (block - 1) * (block + 2) // 2
    else:
        block = (isqrt(8 * number + 1) - 1) // 2
        block += block * (block + 1) // 2 < number
        before = block * (block - 1) // 2
    place = number - before
    whole = block - 1
    squares = whole * (whole + 1) * (2 * whole + 1) // 6
    if kind == "count up":
        term, total = Fraction(place), whole * (whole + 1) * (whole + 2) // 6 + place * (place + 1) // 2
        shown = "1, 1, 2, 1, 2, 3, 1, 2, 3, 4"
        how = "the blocks $1$; $1, 2$; $1, 2, 3$; and so on"
    elif kind == "count down":
        term = Fraction(block + 1 - place)
        total = whole * (whole + 1) * (whole + 2) // 6 + place * (2 * block + 1 - place) // 2
        shown, how = "1, 2, 1, 3, 2, 1, 4, 3, 2, 1", "the blocks $1$; $2, 1$; $3, 2, 1$; and so on"
    elif kind == "repeat":
        term, total = Fraction(block), squares + place * block
        shown, how = "1, 2, 2, 3, 3, 3, 4, 4, 4, 4", "each positive integer $k$, written $k$ times in a row"
    elif kind == "odd repeat":
        term, total = Fraction(block), 2 * squares - whole * (whole + 1) // 2 + place * block
        shown = "1, 2, 2, 2, 3, 3, 3, 3, 3"
        how = "one $1$, three $2$s, five $3$s and so on, each time two copies more"
    elif kind == "even repeat":
        term, total = Fraction(block), 2 * squares + place * block
        shown = "1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3"
        how = "each positive integer $k$, written $2k$ times in a row"
    elif kind == "doubling":
        term = Fraction(block)
        total = (whole - 1) * 2**whole + 1 + place * block
        shown, how = "1, 2, 2, 3, 3, 3, 3", "one $1$, two $2$s, four $3$s and so on, each time twice as many"
    elif kind == "one and zeros":
        term, total = Fraction(int(place == 1)), block
        shown, how = (
            "1, 0, 1, 0, 0, 1, 0, 0, 0",
            "a $1$ and one $0$, then a $1$ and two $0$s, then a $1$ and three $0$s, and so on",
        )
    else:
        term, total = Fraction(block + 1 - place, place), 0
        shown = (
            r"\frac{1}{1}, \frac{2}{1}, \frac{1}{2}, \frac{3}{1}, \frac{2}{2}, \frac{1}{3}, \frac{4}{1}, \frac{3}{2}"
        )
        how = ""
    answer = term if asked == "term" else Fraction(total)
    values = {"kind": kind, "number": number, "asked": asked}
    if kind == "fractions":
        problem = rng.choice(
            (
                f"The fractions ${shown}, \\ldots$ are listed by the sum of numerator and denominator, and for equal "
                "sums with the numerator falling; none is cancelled. What is the value of the fraction in position "
                f"{number}?",
                f"A list ${shown}, \\ldots$ of uncancelled fractions runs through the sums $2, 3, 4, \\ldots$ of "
                "numerator and denominator, each time from the greatest numerator to $1$. Which number stands in "
                f"place {number}?",
            )
        )
        return Draw(problem, str(answer), values)
    wanted = {
        "term": rng.choice((f"What is its term number {number}?", f"Which number stands in place {number}?")),
        "sum": rng.choice(
            (f"What is the sum of its first {number} terms?", f"Find the sum of the first {number} terms.")
        ),
    }[asked]
    lamp = {
        "term": f"Which number is on card {number}?",
        "sum": f"What do the numbers on the first {number} cards add up to?",
    }[asked]
    problem = rng.choice(
        (
            f"The sequence ${shown}, \\ldots$ is built from {how}. {wanted}",
            f"{person(rng)} lays out a row of cards with the numbers ${shown}, \\ldots$, that is {how}. {lamp}",
            f"A printer prints the numbers ${shown}, \\ldots$ one after another: {how}. "
            f"{wanted.replace('its term', 'term')}",
        )
    )
    return Draw(problem, str(answer), values)
