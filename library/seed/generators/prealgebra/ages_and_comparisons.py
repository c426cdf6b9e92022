"""Problems on ages and on comparing amounts."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import counted, people, person, times

_ELDERS = (
    ("a father", "his son"),
    ("a mother", "her daughter"),
    ("an aunt", "her nephew"),
    ("an uncle", "his niece"),
    ("a grandmother", "her grandson"),
    ("a teacher", "her youngest pupil"),
)


def ages_tried(known: list[int], facts: list[list[int]], asked: str) -> int:
    """Try all pairs of ages and all waiting times against the facts.

    `known` holds the present ages or [0, 0]; a fact [s, p, q] says that s years from now q times the older age is p
    times the younger one, with s = 1000 for an unknown number of years.
    """
    found = set()
    olders, youngers = ([known[0]], [known[1]]) if known[0] else (range(1, 100), range(1, 100))
    for older in olders:
        for younger in youngers:
            fixed = [fact for fact in facts if fact[0] != 1000]
            if any(q * (older + s) != p * (younger + s) or younger + s <= 0 for s, p, q in fixed):
                continue
            if asked != "years":
                found.add({"older": older, "younger": younger, "sum": older + younger}[asked])
                continue
            ((_, p, q),) = [fact for fact in facts if fact[0] == 1000]
            found |= {abs(s) for s in range(-younger + 1, 200) if q * (older + s) == p * (younger + s)}
    (only,) = found
    return only


def _known_ages(rng: Random) -> Draw | None:
    multiple = rng.randint(2, 7)
    younger_then = rng.randint(2, 20)
    shift = rng.choice((-1, 1)) * rng.randint(2, 12)
    older, younger = multiple * younger_then - shift, younger_then - shift
    if younger < 2 or not 18 <= older - younger <= 60 or older > 90:
        return None
    elder, child = rng.choice(_ELDERS)
    if "grandmother" in elder and older - younger < 36:
        return None
    bare = elder.split()[1]
    ago = f"How many years ago was the {bare}" if shift < 0 else f"In how many years will the {bare} be"
    name = person(rng)
    problem = rng.choice(
        (
            f"{elder.capitalize()} is {older} years old and {child} is {younger}. {ago} {times(multiple)} as old as "
            f"{child}?",
            f"{name} is {counted(younger, 'year')} old, and the oak in front of {name}'s house is {older}. "
            + (
                f"How many years ago was the oak {times(multiple)} as old as {name}?"
                if shift < 0
                else f"How many years from now will the oak be {times(multiple)} as old as {name}?"
            ),
            f"Today {elder} is {older} and {child} is {younger}. Find how many years "
            + (f"have passed since the {bare} was " if shift < 0 else f"must pass until the {bare} is ")
            + f"{times(multiple)} as old as {child}.",
        )
    )
    return Draw(problem, str(abs(shift)), {"known": [older, younger], "facts": [[1000, multiple, 1]], "asked": "years"})


def _two_multiples(rng: Random) -> Draw | None:
    first = rng.randint(3, 9)
    second = rng.randint(2, first - 1)
    early = rng.randint(2, 15)
    span, rest = divmod((first - second) * early, second - 1)
    ago = rng.randint(1, 10)
    later = span - ago
    older, younger = first * early + ago, early + ago
    if rest or not 1 <= later <= 30 or not 15 <= older - younger <= 60 or older > 95:
        return None
    elder, child = rng.choice(_ELDERS)
    if "grandmother" in elder and older - younger < 36:
        return None
    bare = elder.split()[1]
    asked = rng.choice(("older", "younger", "sum"))
    who = {"older": f"the {bare}", "younger": child, "sum": f"the {bare} and {child} together"}[asked]
    verb = "are" if asked == "sum" else "is"
    past, future = counted(ago, "year"), counted(later, "year")
    problem = rng.choice(
        (
            f"{elder.capitalize()} was {times(first)} as old as {child} {past} ago. In {future} the {bare} will be "
            f"{times(second)} as old as {child}. How old {verb} {who} now?",
            f"In {future} {elder} will be {times(second)} as old as {child}, while {past} ago the {bare} was "
            f"{times(first)} as old. How many years old {verb} {who} today?",
            f"Counting {past} back, {elder} had lived {times(first)} as long as {child}. Counting {future} ahead from "
            f"today, it will be only {times(second)} as long. What age {verb} {who} now?",
        )
    )
    answer = {"older": older, "younger": younger, "sum": older + younger}[asked]
    facts = [[-ago, first, 1], [later, second, 1]]
    return Draw(problem, str(answer), {"known": [0, 0], "facts": facts, "asked": asked})


def _three_moments(rng: Random) -> Draw | None:
    younger, gap = rng.randint(4, 40), rng.randint(4, 48)
    older = younger + gap
    ago, later = rng.randint(2, 9), rng.randint(2, 15)
    wanted = rng.choice([k for k in range(2, 9) if gap % (k - 1) == 0])
    shift = gap // (wanted - 1) - younger
    if younger - ago < 2:
        return None
    ratios = []
    for moment in (-ago, later):
        top, bottom = older + moment, younger + moment
        divisor = next(d for d in range(bottom, 0, -1) if top % d == 0 and bottom % d == 0)
        ratios.append((top // divisor, bottom // divisor))
    if max(max(ratio) for ratio in ratios) > 15 or not 1 <= abs(shift) <= 40 or shift in (-ago, later):
        return None
    one, two = people(rng, 2)
    asked = rng.choice(("years", "years", "sum", "older"))
    question = {
        "years": f"How many years ago was {one} {times(wanted)} as old as {two}?"
        if shift < 0
        else f"In how many years from now will {one} be {times(wanted)} as old as {two}?",
        "sum": "What is the sum of their present ages?",
        "older": f"How old is {one} now?",
    }[asked]
    (a, b), (c, d) = ratios
    problem = rng.choice(
        (
            f"The ages of {one} and {two} were in the ratio ${a}:{b}$ {ago} years ago. In {later} years they will be "
            f"in the ratio ${c}:{d}$. {question}",
            f"When {later} years have passed, the ages of {one} and {two} will be as {c} to {d}. But {ago} years ago "
            f"they were as {a} to {b}. {question}",
        )
    )
    facts = [[-ago, a, b], [later, c, d]] + ([[1000, wanted, 1]] if asked == "years" else [])
    answer = {"years": abs(shift), "sum": older + younger, "older": older}[asked]
    return Draw(problem, str(answer), {"known": [0, 0], "facts": facts, "asked": asked})


@generator("Hold the age difference fixed while the ratio changes", check=ages_tried)
def ages(rng: Random, difficulty: int) -> Draw | None:
    return (_known_ages, _two_multiples, _three_moments)[difficulty - 1](rng)


def split_tried(number: int, values: list[int], total: int, sign: int, asked: int) -> int:
    """Try every split of the items into two kinds; with sign -1 the total is first kind less second kind."""
    found = []
    for first in range(number + 1):
        second = number - first
        if first * values[0] + sign * second * values[1] == total:
            found.append((first, second)[asked])
    (only,) = found
    return only


@generator("Assume that all are of one kind and correct the total", check=split_tried)
def two_kinds(rng: Random, difficulty: int) -> Draw | None:
    low, high = ((3, 9), (8, 40), (15, 80))[difficulty - 1]
    first, second = rng.randint(low, high), rng.randint(low, high)
    if first == second:
        return None
    number, asked = first + second, rng.randint(0, 1)
    name = person(rng)
    kind = rng.randint(0, 5)
    sign = 1
    if difficulty == 3:
        kind = rng.randint(6, 8)
    if kind < 3:
        thing, one, two, values, part = (
            ("vehicles", "bicycles", "tricycles", (2, 3), "wheels"),
            ("animals", "hens", "goats", (2, 4), "legs"),
            ("creatures", "spiders", "beetles", (8, 6), "legs"),
        )[kind]
        total = first * values[0] + second * values[1]
        opening = rng.choice((f"{name} counts {number} {thing}, all of them {one} or {two}.",
                              f"There are {number} {thing}, {one} and {two}, in {name}'s picture book."))  # fmt: skip
        if kind == 2:
            opening += f" A spider has {values[0]} legs, a beetle has {values[1]}."
        problem = f"{opening} Altogether they have {total} {part}. How many {(one, two)[asked]} are there?"
    elif kind == 3:
        child, adult = rng.randint(3, 8), rng.randint(9, 15)
        values = (child, adult)
        total = first * child + second * adult
        problem = (
            f"A group of {number} people pays {total} dollars in all for a circus show. A child's ticket costs "
            f"{child} dollars and an adult's ticket {adult} dollars. How many {('children', 'adults')[asked]} are "
            "among them?"
        )
    elif kind == 4:
        values = rng.choice(((5, 20), (10, 50), (5, 50), (20, 50), (10, 20)))
        total = first * values[0] + second * values[1]
        problem = (
            f"{name}'s purse holds {number} coins, all of them {values[0]}-cent and {values[1]}-cent coins. Together "
            f"they are worth {total} cents. How many {values[asked]}-cent coins are in the purse?"
        )
    elif kind == 5:
        light, heavy = rng.randint(2, 5), rng.randint(6, 11)
        values = (light, heavy)
        total = first * light + second * heavy
        problem = (
            f"{name} loads {number} parcels onto a cart. Some weigh {light} kg each and the others {heavy} kg each. "
            f"The whole load weighs {total} kg. How many of the parcels weigh {values[asked]} kg?"
        )
    elif kind == 6:
        values, sign = (rng.randint(3, 10), rng.randint(1, 4)), -1
        total = first * values[0] - second * values[1]
        if total <= 0:
            return None
        lost = counted(values[1], "point")
        problem = (
            f"In a contest a right answer earns {values[0]} points and a wrong one costs {lost}. {name} answered all "
            f"{number} questions and ended with {total} points. How many answers were {('right', 'wrong')[asked]}?"
        )
    elif kind == 7:
        values, sign = rng.choice(((4, 2), (6, 8), (8, 6), (2, 4))), -1
        total = first * values[0] - second * values[1]
        if total <= 0:
            return None
        names = {2: "hens", 4: "goats", 6: "beetles", 8: "spiders"}
        one, two = names[values[0]], names[values[1]]
        place = "yard" if 2 in values else "terrarium"
        hint = "" if 2 in values else " (A beetle has 6 legs, a spider has 8.)"
        problem = (
            f"In a {place} there are {number} animals, {one} and {two}. All the {one} together have {total} legs more "
            f"than all the {two} together. How many {(one, two)[asked]} are there?{hint}"
        )
    else:
        values, sign = (rng.randint(4, 12), rng.randint(15, 60)), -1
        total = first * values[0] - second * values[1]
        if total <= 0:
            return None
        problem = (
            f"A carrier moves {number} glass bowls. For each bowl delivered whole it is paid {values[0]} dollars, but "
            f"for each broken one it gets nothing and pays {values[1]} dollars in damages. In the end it receives "
            f"{total} dollars. How many bowls were {('delivered whole', 'broken')[asked]}?"
        )
    return Draw(
        problem,
        str((first, second)[asked]),
        {"number": number, "values": list(values), "total": total, "sign": sign, "asked": asked},
    )
