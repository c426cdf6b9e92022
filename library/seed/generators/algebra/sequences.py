"""Problems on arithmetic and geometric sequences."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def tried_progressions(kind: str, known: list[list[int]], wanted: str, number: int) -> str:
    """Try small first terms and steps, and write the terms down one by one."""
    from fractions import Fraction

    last = max([place for place, _ in known] + [number])
    steps = [Fraction(n, 2) for n in range(-40, 41)] if kind == "arithmetic" else [Fraction(n) for n in range(2, 8)]
    starts = [Fraction(n) for n in range(1, 31)]
    if kind == "arithmetic":
        # Two known terms settle the step; the first term is found by going back.
        (i, u), (j, v) = known
        steps = [step for step in steps if u + (j - i) * step == v]
        starts = [u - (i - 1) * step for step in steps]
    for step in steps:
        for start in starts:
            terms = [start]
            while len(terms) < last and abs(terms[-1]) < 10**7:
                terms.append(terms[-1] + step if kind == "arithmetic" else terms[-1] * step)
            if len(terms) == last and all(terms[place - 1] == value for place, value in known):
                return str(sum(terms[:number]) if wanted == "sum" else terms[number - 1])
    raise ValueError


@generator("Find terms and sums from a common difference or ratio", check=tried_progressions)
def terms_and_sums(rng: Random, difficulty: int) -> Draw | None:
    kind = "arithmetic" if difficulty == 1 or rng.random() < 0.6 else "geometric"
    names = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth"}
    names |= {10: "tenth", 11: "eleventh", 12: "twelfth"}
    if kind == "arithmetic":
        step = Fraction(rng.choice([n for n in range(-9, 13) if n]), 2 if difficulty == 3 else 1)
        i, j = (1, rng.randint(2, 5)) if difficulty == 1 else sorted(rng.sample(range(2, 13), 2))
        start = rng.randint(-12, 40) if difficulty > 1 else rng.randint(1, 20)
        number = rng.choice((8, 10, 12) if difficulty == 1 else (15, 20, 21, 25, 30, 40, 50))
        values = [start + (i - 1) * step, start + (j - 1) * step]
        if any(value.denominator > 1 for value in values):
            return None
        wanted = rng.choice(("sum", "term"))
        answer = start + (number - 1) * step if wanted == "term" else number * (2 * start + (number - 1) * step) / 2
    else:
        step = Fraction(rng.randint(2, 4 if difficulty == 2 else 5))
        i, j = sorted(rng.sample(range(2, 7), 2))
        start = rng.randint(1, 12)
        number = rng.randint(5, 7 + difficulty)
        values = [start * step ** (i - 1), start * step ** (j - 1)]
        wanted = rng.choice(("sum", "term"))
        if number in (i, j) or ((j - i) % 2 == 0 and j - i > 2):
            return None
        answer = start * step ** (number - 1) if wanted == "term" else start * (step**number - 1) / (step - 1)
        if answer > 500000:
            return None
    known = [[i, int(values[0])], [j, int(values[1])]]
    name = person(rng)
    scene = rng.randrange(3)
    if wanted == "sum":
        goal = f"the sum of its first ${number}$ terms"
    else:
        goal = f"its {names[number]} term" if number in names else f"its {number}th term".replace("21th", "21st")
    first = "first" if i == 1 else names[i]
    if scene == 0:
        positive = " with positive terms" if kind == "geometric" else ""
        problem = (
            f"The {first} term of {'an arithmetic' if kind == 'arithmetic' else 'a geometric'} sequence{positive} is "
            f"${known[0][1]}$, and its {names[j]} term is ${known[1][1]}$. What is {goal}?"
        )
    elif kind == "arithmetic":
        if step < 0 or start < 1 or start + step < 1 or (scene == 1 and step.denominator > 1):
            return None
        if answer.denominator > 1:
            return None
        ordinal = f"{names[number]}" if number in names else f"{number}th".replace("21th", "21st")
        if scene == 1:
            asked = (
                f"How many seats are there in the first {number} rows?"
                if wanted == "sum"
                else f"How many seats are in the {ordinal} row?"
            )
            problem = (
                f"In a large hall each row has the same number of seats more than the row before it. The {first} row "
                f"has "
                f"{known[0][1]} seats and the {names[j]} row {known[1][1]}. {asked}"
            )
        else:
            asked = (
                f"How many minutes does {name} practise on the first {number} days altogether?"
                if wanted == "sum"
                else f"How many minutes does {name} practise on the {ordinal} day?"
            )
            problem = (
                f"{name} practises the violin every day, each day the same amount of time longer than the day "
                f"before. On the "
                f"{first} day it is {known[0][1]} minutes, on the {names[j]} day {known[1][1]} minutes. {asked}"
            )
    else:
        asked = (
            f"How many messages are sent in the first {number} hours altogether?"
            if wanted == "sum"
            else f"How many messages are sent in the {names[number]} hour?"
        )
        problem = (
            f"A rumour spreads: in every hour the number of messages that are sent about it is the same multiple of "
            f"the number "
            f"in the hour before. In the {names[i]} hour {known[0][1]} messages are sent and in the {names[j]} hour "
            f"{known[1][1]}. {asked}"
        )
        if scene == 2:
            asked = (
                f"How many points are won in the first {number} rounds together?"
                if wanted == "sum"
                else f"How many points does the {names[number]} round bring?"
            )
            problem = (
                "In a quiz every round that is won brings a fixed number of times as many points as the round "
                "before. The "
                f"{names[i]} round brings {known[0][1]} points and the {names[j]} one {known[1][1]} points. {asked}"
            )
    return Draw(problem, str(answer), {"kind": kind, "known": known, "wanted": wanted, "number": number})


def tried_starts(number: int, step: int, total: int, residue: int, wanted: str) -> int:
    """Try one first number after the other and add up the row."""
    fits = []
    for start in range(-600, 601):
        row = [start + step * place for place in range(number)]
        # With residue 0 any start may be tried; otherwise the numbers must be odd, even or multiples.
        if sum(row) == total and (residue < 0 or start % step == residue):
            fits.append(row)
    (row,) = fits
    return {"smallest": row[0], "largest": row[-1], "middle": row[number // 2], "second": row[1]}[wanted]


@generator("Centre equally spaced terms on the middle one", check=tried_starts)
def equally_spaced(rng: Random, difficulty: int) -> Draw | None:
    number = rng.choice(((3, 5), (5, 6, 7, 8, 9, 11), (10, 12, 13, 15, 16, 21))[difficulty - 1])
    words = {3: "three", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}
    words |= {13: "thirteen", 15: "fifteen", 16: "sixteen", 21: "twenty-one"}
    kind = rng.choice(("integers", "odd", "even", "multiples", "shelves", "days"))
    step = {"integers": 1, "odd": 2, "even": 2}.get(kind, rng.randint(3, 9))
    story = kind in ("shelves", "days")
    low = (2, 1, -20)[difficulty - 1]
    start = rng.randint(low, 12 + 15 * difficulty)
    residue = {"odd": 1, "even": 0, "multiples": 0}.get(kind, -1)
    if residue >= 0:
        start = start - start % step + residue
    if story:
        start = abs(start) + 2
    total = number * start + step * number * (number - 1) // 2
    wanted = rng.choice(("smallest", "largest", "second") + (("middle",) if number % 2 else ()))
    if total < 10 or (wanted == "middle" and difficulty == 3):
        return None
    end = start + step * (number - 1)
    answer = {"smallest": start, "largest": end, "middle": start + step * (number // 2), "second": start + step}[wanted]
    which = {"smallest": "smallest", "largest": "largest", "middle": "middle one", "second": "second smallest"}[wanted]
    many = words[number]
    name = person(rng)
    if story:
        scene = rng.randrange(3)
        place = {
            "smallest": ("bottom shelf", "first day", "shortest plank"),
            "largest": ("top shelf", "last day", "longest plank"),
            "middle": ("middle shelf", "middle day", "plank of middle length"),
            "second": ("second shelf from below", "second day", "second shortest plank"),
        }[wanted][scene]
        problem = (
            f"A bookcase has {many} shelves. Each shelf holds {step} books more than the shelf below it, and there "
            f"are {total} "
            f"books altogether. How many books are on the {place}?",
            f"{name} reads a book of {total} pages in {many} days, each day {step} pages more than the day before. "
            f"How many "
            f"pages does {name} read on the {place}?",
            f"A carpenter cuts {many} planks with a total length of {total} cm, each {step} cm longer than the one "
            f"before. How "
            f"many centimetres long is the {place}?",
        )[scene]
    else:
        sort = {"integers": "integers", "odd": "odd integers", "even": "even integers"}.get(
            kind, f"multiples of ${step}$"
        )
        problem = rng.choice(
            (
                f"The sum of {many} consecutive {sort} is ${total}$. What is the {which} of them?",
                f"{name} adds {many} consecutive {sort} and gets ${total}$. Find the {which} of these numbers.",
                f"The number ${total}$ is to be written as the sum of {many} consecutive {sort}. Which is the "
                f"{which} of them?",
            )
        )
    values = {"number": number, "step": step, "total": total, "residue": residue, "wanted": wanted}
    return Draw(problem, str(answer), values)
