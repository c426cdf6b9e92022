"""Problems on percentages and ratios."""

from fractions import Fraction
from math import gcd, lcm
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def hundredths_followed(changes: list[int], start: list[int], end: list[int], ask: str) -> str:
    """Follow an amount that is big enough for every change to be a whole number, adding each change up by itself."""
    from fractions import Fraction

    amount = first = 100 ** len(changes)
    for change in changes:
        amount += amount // 100 * change
    if ask == "end":
        return str(Fraction(start[0] * amount, start[1] * first))
    if ask == "start":
        return str(Fraction(end[0] * first, end[1] * amount))
    return str(abs(Fraction(100 * amount, first) - 100))


@generator("Chain percent changes as multipliers", check=hundredths_followed)
def percent_chain(rng: Random, difficulty: int) -> Draw | None:
    number = 2 if difficulty < 3 else 3
    sizes = (10, 20, 25, 30, 40, 50) if difficulty == 1 else (5, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75)
    changes = [rng.choice((-1, 1)) * rng.choice(sizes) for _ in range(number)]
    factor = Fraction(1)
    for change in changes:
        factor *= 1 + Fraction(change, 100)
    ask = ("end", rng.choice(("start", "overall")), rng.choice(("start", "overall")))[difficulty - 1]
    name = person(rng)
    start = factor.denominator * rng.randint(1, max(1, 900 // factor.denominator))
    if factor.denominator > 400 or start < 40:
        return None
    end = start * factor

    def told(up: str, down: str, links: tuple[str, ...]) -> str:
        parts = [f"{link}{up if c > 0 else down} {abs(c)}%" for link, c in zip(links, changes, strict=False)]
        return ", ".join(parts[:-1]) + (", and " if number == 3 else " and ") + parts[-1]

    scene = rng.randint(0, 3)
    if scene == 0:
        thing = rng.choice(("coat", "bicycle", "lamp", "tent", "guitar", "desk"))
        course = told("raised by", "lowered by", ("first ", "then ", "finally "))
        story = f"The price of a {thing} is {course}"
        base = {"end": f"At the beginning the {thing} cost {start} dollars. What does it cost in the end, in dollars?",
                "start": f"After that the {thing} costs {end} dollars. How many dollars did it cost at the "
                         f"beginning?"}  # fmt: skip
        whole = f"the price of the {thing}"
    elif scene == 1:
        years = ("in the first year it ", "in the second year it ", "in the third year it ")
        course = told("rises by", "falls by", years)
        place = rng.choice(("a village", "an island", "a small town"))
        bare = place.split(maxsplit=1)[1]
        story = f"The population of {place} changes from year to year, namely {course}"
        base = {"end": f"The {bare} had {start} inhabitants before. How many has it after these {number} years?",
                "start": f"After these {number} years the {bare} has {end} inhabitants. How many had it "
                         f"before?"}  # fmt: skip
        whole = f"the population of the {bare}"
    elif scene == 2:
        course = told("up by", "down by", ("first ", "then ", "at last "))
        story = f"The value of {name}'s shares goes {course}"
        base = {"end": f"At first they were worth {start} dollars. How many dollars are they worth in the end?",
                "start": f"Now they are worth {end} dollars. How many dollars were they worth at first?"}  # fmt: skip
        whole = "the value of the shares"
    else:
        course = told("grew by", "shrank by", ("in May it ", "in June it ", "in July it "))
        story = f"A library keeps count of its loans: compared with the month before, {course}"
        story = story.replace("in May it", "in May their number")
        base = {"end": f"In April there were {start} loans. How many were there in "
                       f"{'July' if number == 3 else 'June'}?",
                "start": f"In {'July' if number == 3 else 'June'} there were {end} loans. How many were there in "
                         f"April?"}  # fmt: skip
        whole = "the number of loans"
    if ask == "overall":
        overall = abs(factor - 1) * 100
        if overall == 0 or overall.denominator not in (1, 2):
            return None
        higher = "higher" if factor > 1 else "lower"
        question = f"By what percent is {whole} {higher} in the end than at the beginning?"
        return Draw(f"{story}. {question}", str(overall), {"changes": changes, "start": [], "end": [], "ask": ask})
    if end.denominator > 1:
        return None
    answer = end if ask == "end" else Fraction(start)
    values = {"changes": changes, "start": [start, 1] if ask == "end" else [], "ask": ask,
              "end": [] if ask == "end" else [int(end), 1]}  # fmt: skip
    return Draw(f"{story}. {base[ask]}", str(answer), values)


def parts_tried(ratio: list[int], known: str, amount: int, ask: int, new: list[int]) -> int:
    """Make the parts one bigger at a time until the known sum, difference or amount appears."""
    part = 0
    while True:
        part += 1
        amounts = [entry * part for entry in ratio]
        if known == "sum" and sum(amounts) == amount:
            return amounts[ask]
        if known == "difference" and max(amounts) - min(amounts) == amount:
            return amounts[ask] if ask >= 0 else sum(amounts)
        if known == "single" and amounts[new[0]] == amount:
            return amounts[ask] if ask >= 0 else sum(amounts)
        if known == "added":
            added = 0
            if sum(amounts) == amount:
                while new[1] * amounts[0] != new[0] * (amounts[1] + added):
                    added += 1
                return added


@generator("Find the worth of one part of a ratio", check=parts_tried)
def ratio_part(rng: Random, difficulty: int) -> Draw | None:
    number = 2 if difficulty == 1 else rng.choice((2, 3, 3))
    ratio = [rng.randint(1, (7, 9, 12)[difficulty - 1]) for _ in range(number)]
    if len(set(ratio)) < number or gcd(*ratio) > 1:
        return None
    part = rng.randint(2, (9, 25, 40)[difficulty - 1])
    amounts = [entry * part for entry in ratio]
    names = rng.sample(("Ada", "Ben", "Cleo", "Dana", "Emil", "Fay"), number)
    text = " : ".join(map(str, ratio))
    if difficulty == 3 and rng.random() < 0.5:
        # One part stays, the other grows until a new ratio is reached.
        a, b = amounts[:2]
        added = rng.randint(2, 60)
        divisor = gcd(a, b + added)
        new = [a // divisor, (b + added) // divisor]
        if number > 2 or max(new) > 15:
            return None
        one, two, mixture, unit = rng.choice(
            (("yellow", "blue", "green paint", "litres"), ("sand", "cement", "dry mortar", "kilograms"),
             ("juice", "water", "a drink", "litres"), ("oats", "nuts", "muesli", "kilograms"))
        )  # fmt: skip
        problem = rng.choice(
            (
                f"In {a + b} {unit} of {mixture}, {one} and {two} are mixed in the ratio ${ratio[0]} : {ratio[1]}$. "
                f"How many {unit} of {two} must be added to make the ratio ${new[0]} : {new[1]}$?",
                f"{person(rng)} has {a + b} {unit} of {mixture} made of {one} and {two} in the ratio ${ratio[0]} : "
                f"{ratio[1]}$ and wants the ratio ${new[0]} : {new[1]}$ instead. How many {unit} of {two} have to be "
                "put in?",
            )
        )
        return Draw(problem, str(added), {"ratio": ratio, "known": "added", "amount": a + b, "ask": 0, "new": new})
    known = "sum" if difficulty == 1 else rng.choice(("difference", "single", "difference"))
    if difficulty == 3 and known == "single":
        known = "difference"
    ask = rng.randrange(number)
    if known != "sum" and rng.random() < 0.4:
        ask = -1
    extra = rng.randrange(number)
    if known == "single" and extra == ask:
        return None
    thing, how = rng.choice((("dollars", "share a sum of money"), ("marbles", "share a bag of marbles"),
                             ("stamps", "divide a collection of stamps among themselves"),
                             ("hectares", "divide an estate among themselves")))  # fmt: skip
    if number == 2:
        how = how.replace("among", "between")
    most, least = names[ratio.index(max(ratio))], names[ratio.index(min(ratio))]
    facts = {
        "sum": f"Altogether there are {sum(amounts)} {thing}.",
        "difference": f"{most} gets {max(amounts) - min(amounts)} {thing} more than {least}.",
        "single": f"{names[extra]} gets {amounts[extra]} {thing}.",
    }
    question = f"How many {thing} does {names[ask]} get?" if ask >= 0 else f"How many {thing} are there in all?"
    problem = f"{listed(names)} {how} in the ratio ${text}$, in this order. {facts[known]} {question}"
    amount = {"sum": sum(amounts), "difference": max(amounts) - min(amounts), "single": amounts[extra]}[known]
    if amount == 1:
        return None
    answer = amounts[ask] if ask >= 0 else sum(amounts)
    values = {"ratio": ratio, "known": known, "amount": amount, "ask": ask, "new": [extra, 0]}
    return Draw(problem, str(answer), values)


def middle_tried(ratios: list[list[int]], known: list[int], amount: int, ask: int) -> int:
    """Try the amounts of the first thing one by one and compute the others, as long as all come out whole."""
    first = 0
    while True:
        first += 1
        amounts, fits = [first], True
        for left, right in ratios:
            fits = fits and amounts[-1] * right % left == 0
            amounts.append(amounts[-1] * right // left)
        if fits and sum(weight * size for weight, size in zip(known, amounts, strict=True)) == amount:
            return amounts[ask]


@generator("Join two ratios through the quantity they share", check=middle_tried)
def joined_ratios(rng: Random, difficulty: int) -> Draw | None:
    links = 3 if difficulty == 3 and rng.random() < 0.4 else 2
    ratios = []
    for _ in range(links):
        left, right = rng.randint(2, (5, 8, 9)[difficulty - 1]), rng.randint(2, (5, 8, 9)[difficulty - 1])
        if gcd(left, right) > 1:
            return None
        ratios.append([left, right])
    if ratios[0][1] == ratios[1][0] and difficulty > 1:
        return None
    joint = [Fraction(1)]
    for left, right in ratios:
        joint.append(joint[-1] * right / left)
    common = lcm(*(share.denominator for share in joint))
    parts = [int(share * common) for share in joint]
    if max(parts) > 150 or len(set(parts)) < len(parts):
        return None
    size = rng.randint(1, 8 if difficulty == 1 else 6)
    amounts = [entry * size for entry in parts]
    things = rng.choice(
        (
            ["apple trees", "pear trees", "plum trees", "cherry trees"],
            ["red balls", "blue balls", "green balls", "yellow balls"],
            ["cows", "sheep", "goats", "horses"],
            ["violinists", "flautists", "trumpeters", "drummers"],
            ["novels", "atlases", "cookbooks", "comics"],
        )
    )[: links + 1]
    place = {"apple trees": "In an orchard", "red balls": "In a box", "cows": "On a farm",
             "violinists": "In a youth orchestra", "novels": "In a bookshop"}[things[0]]  # fmt: skip
    told = listed(
        [
            f"the numbers of {things[k]} and {things[k + 1]} are in the ratio ${a} : {b}$" if k == 0
            else f"those of {things[k]} and {things[k + 1]} in the ratio ${a} : {b}$"
            for k, (a, b) in enumerate(ratios)
        ]
    )  # fmt: skip
    order = list(range(links + 1))
    ask = rng.choice(order)
    kind = rng.choice(("total", "single") if difficulty == 1 else ("total", "difference"))
    known = [1] * (links + 1)
    if kind == "total":
        fact = f"There are {sum(amounts)} {listed(things)} in all."
    elif kind == "single":
        given, ask = rng.choice(((0, links), (links, 0)))
        known = [int(k == given) for k in order]
        fact = f"There are {amounts[given]} {things[given]}."
    else:
        high, low = (0, links) if amounts[0] > amounts[-1] else (links, 0)
        known = [(k == high) - (k == low) for k in order]
        gap = amounts[high] - amounts[low]
        if gap < 2:
            return None
        fact = f"There are {gap} more {things[high]} than {things[low]}."
    amount = sum(weight * value for weight, value in zip(known, amounts, strict=True))
    problem = f"{place} {told}. {fact} How many {things[ask]} are there?"
    return Draw(problem, str(amounts[ask]), {"ratios": ratios, "known": known, "amount": amount, "ask": ask})
