"""Problems on counting with cases, overlaps and identical items."""

from math import comb, gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, people, person


def shared_one_receiver_at_a_time(items: int, least: list[int], step: int, slack: bool, total: int) -> int:
    """Count the ways by giving each receiver in turn every possible number; an unknown is found by trying."""

    def ways(number: int) -> int:
        reached = {0: 1}
        for place, start in enumerate(least):
            needed = sum(least[place + 1 :])
            after: dict[int, int] = {}
            for given, count in reached.items():
                for more in range(start, number - needed - given + 1, step):
                    after[given + more] = after.get(given + more, 0) + count
            reached = after
        return sum(reached.values()) if slack else reached.get(number, 0)

    if not total:
        return ways(items)
    number = sum(least)
    while ways(number) != total:
        number += 1
    return number


@generator("Distribute identical items with stars and bars", check=shared_one_receiver_at_a_time)
def identical_items(rng: Random, difficulty: int) -> Draw | None:
    receivers = rng.randint(*((2, 3), (3, 5), (3, 6))[difficulty - 1])
    spare = rng.randint(*((3, 7), (4, 10), (5, 12))[difficulty - 1])
    least, step, slack = [0] * receivers, 1, False
    who = person(rng)
    scene = rng.choice(
        (
            ("gifts", "solutions", "scoops"),
            ("gifts", "solutions", "scoops", "monomials", "at most", "inverse"),
            ("mixed gifts", "odd", "even", "at most", "mixed solutions", "inverse"),
        )[difficulty - 1]
    )
    total = 0
    if scene in ("gifts", "mixed gifts", "inverse"):
        minimum = 0 if difficulty == 1 else rng.randint(0, 2)
        least = [minimum] * receivers
        if scene == "mixed gifts":
            least[:2] = [rng.randint(2, 4), rng.randint(1, 3)]
        items = spare + sum(least)
        things, to = rng.choice(
            (
                ("stickers", "children"),
                ("apples", "baskets"),
                ("coins", "boxes of different colours"),
                ("hours of practice", "different weekdays"),
            )
        )
        each = {"children": "child", "baskets": "basket", "different weekdays": "weekday"}.get(to, "box")
        if things == "apples":
            to = "labelled baskets"
        split = f"divided among {receivers} {to}" if each == "child" else f"distributed over {receivers} {to}"
        alike = "full hours" if things == "hours of practice" else f"identical {things}"
        alike = f"{alike} of practice" if things == "hours of practice" else alike
        unit = things.split()[0]
        need = {0: f"A {each} may also get none.", 1: f"Every {each} must get at least one."}.get(
            minimum, f"Every {each} must get at least {minimum}."
        )
        if scene == "gifts":
            text = f"In how many ways can {items} {alike} be {split}? {need}"
        elif scene == "mixed gifts":
            names = people(rng, receivers)
            rest = "is content even with nothing" if receivers == 3 else "are content even with nothing"
            text = (
                f"A packet of {items} identical stickers is shared out among {listed(names)}. {names[0]} insists on "
                f"at least {least[0]}, {names[1]} on at least {least[1]}, and {listed(names[2:])} {rest}. In how many "
                "ways can this be done so that everybody is content?"
            )
        else:
            total = comb(spare + receivers - 1, receivers - 1)
            text = (
                f"Some {alike} are to be {split}. {need} There are exactly {total} ways to do this. How many {unit} "
                "are there?"
            )
    elif scene == "solutions":
        minimum = rng.randint(0, 1)
        least = [minimum] * receivers
        items = spare + sum(least)
        unknowns = [f"x_{i}" for i in range(1, receivers + 1)] if receivers > 4 else list("abcd"[:receivers])
        kind = "positive" if minimum else "non-negative"
        text = (
            f"How many solutions in {kind} integers does the equation ${' + '.join(unknowns)} = {items}$ have? "
            "Solutions in another order count as different."
        )
    elif scene == "scoops":
        items = spare
        place, thing, sorts = rng.choice(
            (
                ("an ice-cream bar", "scoops", "flavours"),
                ("a bakery", "rolls", "sorts"),
                ("a flower stall", "tulips", "colours"),
                ("a post office", "stamps", "designs"),
            )
        )
        text = (
            f"At {place}, {who} may choose {items} {thing} from {receivers} {sorts}, as many of each as wanted. How "
            f"many different choices are there, if only the number of {thing} of each of the {sorts} matters?"
        )
    elif scene == "monomials":
        items = spare
        letters = ["x", "y", "z", "u", "v", "w"][:receivers]
        text = (
            f"How many different products of exactly {items} factors can be formed if each factor is one of the "
            f"variables {listed([f'${letter}$' for letter in letters])}? The order of the factors does not matter."
        )
    elif scene == "at most":
        slack = True
        minimum = rng.randint(0, difficulty - 1)
        least = [minimum] * receivers
        items = spare + sum(least)
        unknowns = [f"x_{i}" for i in range(1, receivers + 1)]
        bound = {0: "non-negative integers", 1: "positive integers"}.get(minimum, f"integers not less than ${minimum}$")
        text = rng.choice(
            (
                f"How many lists $({', '.join(unknowns)})$ of {bound} satisfy ${' + '.join(unknowns)} \\le {items}$?",
                f"{who} has {items} identical tokens and puts some of them into {receivers} slots, at least {minimum} "
                "into each; the others are kept. In how many ways can this be done?",
            )
        ).replace("some of them into", "some, all or none of them into" if minimum == 0 else "some or all of them into")
        if minimum == 0:
            text = text.replace(", at least 0 into each", ", any number into each")
    elif scene in ("odd", "even"):
        first = 1 if scene == "odd" else rng.choice((0, 2))
        least, step, half = [first] * receivers, 2, rng.randint(4, 9)
        items = 2 * half + sum(least)
        spare = half
        must = {
            0: "an even number of {}, possibly none",
            1: "an odd number of {}",
            2: "an even number of {}, but not none",
        }[first]
        text = rng.choice(
            (
                f"In how many ways can {items} identical coins be put into {receivers} numbered boxes so that every "
                f"box contains {must.format('coins')}?",
                f"{who} gives {items} identical cards to {receivers} friends. Every friend is to get "
                f"{must.format('cards')}. In how many ways can the cards be given out?",
            )
        )
    else:
        least = [rng.randint(-2, 4) for _ in range(receivers)]
        if len(set(least)) < 3 or receivers > 4:
            return None
        items = spare + sum(least)
        letters = ["x", "y", "z", "w"][:receivers]
        bounds = listed([f"${letter} \\ge {low}$" for letter, low in zip(letters, least, strict=True)])
        text = f"How many integer solutions of ${' + '.join(letters)} = {items}$ satisfy {bounds}?"
        if items < 2:
            return None
    answer = comb(spare + receivers - (0 if slack else 1), receivers - (0 if slack else 1))
    if total:
        answer = items
        if receivers == 2:
            return None
    values = {"items": 0 if total else items, "least": least, "step": step, "slack": slack, "total": total}
    return Draw(text, str(answer), values)


def one_by_one(
    low: int, high: int, divisors: list[int], wanted: list[int], survey: list[int], everybody: int, asked: str
) -> int:
    """Go through the numbers one by one; of a survey fill in the regions of the diagram from the inside out.

    `survey` holds the sizes of the sets, of the overlaps of two sets and of three (or a -1 where it is unknown).
    """
    if not survey:
        return sum(sum(n % d == 0 for d in divisors) in wanted for n in range(low, high + 1))
    if len(survey) == 3:
        first, second, both = survey
        inside = (first - both) + both + (second - both)
        return {"none": everybody - inside, "some": inside, "one": inside - both}[asked]
    a, b, c, ab, bc, ca, middle = survey
    unknown, middle = middle < 0, max(middle, 0)
    while True:
        pairs = [ab - middle, bc - middle, ca - middle]
        alone = [a - middle - pairs[0] - pairs[2], b - middle - pairs[0] - pairs[1], c - middle - pairs[1] - pairs[2]]
        inside = middle + sum(pairs) + sum(alone)
        if not unknown or inside == everybody:
            return {"none": everybody - inside, "some": inside, "one": sum(alone), "middle": middle}[asked]
        middle += 1


@generator("Correct overlaps by inclusion-exclusion", check=one_by_one)
def overlaps(rng: Random, difficulty: int) -> Draw | None:
    return _survey(rng, difficulty) if rng.random() < 0.4 else _divisibility(rng, difficulty)


def _survey(rng: Random, difficulty: int) -> Draw | None:
    place, who, verb, sets = rng.choice(
        (
            ("In a class", "pupils", "belong to", ("the choir", "the chess club", "the football team")),
            ("In an office", "employees", "speak", ("French", "Spanish", "Arabic")),
            ("In a village", "families", "keep", ("hens", "goats", "bees")),
            ("In a hostel", "guests", "have visited", ("the castle", "the museum", "the old mill")),
        )
    )
    regions = [rng.randint(2, (9, 9, 14)[difficulty - 1]) for _ in range(7)]
    outside = rng.randint(1, 9)
    if difficulty == 1:
        first, second, both = regions[0] + regions[2], regions[1] + regions[2], regions[2]
        everybody = outside + sum(regions[:3])
        survey, asked = [first, second, both], rng.choice(("none", "some", "one"))
        facts = f"{first} {who} {verb} {sets[0]}, {second} {verb} {sets[1]} and {both} {verb} both."
        union = first + second - both
        answer = {"none": everybody - union, "some": union, "one": union - both}[asked]
        neither, group = f"neither {sets[0]} nor {sets[1]}", "the two"
    else:
        a, b, c, ab, bc, ca, abc = regions
        x, y, z = a + ab + ca + abc, b + ab + bc + abc, c + bc + ca + abc
        overlaps_of_two = [ab + abc, bc + abc, ca + abc]
        asked = rng.choice(("none", "some") if difficulty == 2 else ("one", "middle"))
        survey = [x, y, z, *overlaps_of_two, abc]
        pairs = [f"{overlaps_of_two[i]} {verb} both {sets[i]} and {sets[(i + 1) % 3]}" for i in range(3)]
        facts = (
            f"{x} {who} {verb} {sets[0]}, {y} {verb} {sets[1]} and {z} {verb} {sets[2]}. Among them, {listed(pairs)}, "
            "whether or not the third is added."
        )
        union = x + y + z - sum(overlaps_of_two) + abc
        if asked == "middle":
            outside = 0
            survey[-1] = -1
        else:
            facts += f" Exactly {abc} {verb} all three."
        everybody = union + outside
        answer = {
            "none": everybody - union,
            "some": union,
            "one": x + y + z - 2 * sum(overlaps_of_two) + 3 * abc,
            "middle": abc,
        }[asked]
        neither, group = "none of the three", "the three"
    start = f"{place} with {everybody} {who}, " if asked in ("none", "middle") else f"{place}, "
    question = {
        "none": f"How many of the {who} {verb} {neither}?",
        "some": f"How many {who} {verb} at least one of {group}?",
        "one": f"How many {who} {verb} exactly one of {group}?",
        "middle": f"All of the {who} {verb} at least one of the three. How many of them {verb} all three?",
    }[asked]
    values = {
        "low": 0,
        "high": 0,
        "divisors": [],
        "wanted": [],
        "survey": survey,
        "everybody": everybody if asked in ("none", "middle") else 0,
        "asked": asked,
    }
    return Draw(f"{start}{facts} {question}", str(answer), values)


def _divisibility(rng: Random, difficulty: int) -> Draw | None:
    number = 2 if difficulty == 1 else rng.randint(2, 3) if difficulty == 2 else rng.choice((3, 3, 4))
    top = (9, 12, 15)[difficulty - 1]
    divisors = sorted(rng.sample(range(2, top + 1), number))
    if any(a != b and b % a == 0 for a in divisors for b in divisors):
        return None
    if difficulty == 2 and number == 2 and gcd(*divisors) == 1:
        return None
    low = 1 if difficulty < 3 else rng.choice((1, 1, 101, 200, 100, 1000))
    high = low - 1 + rng.randint(*((30, 120), (10, 80), (10, 50))[difficulty - 1]) * (1, 10, 20)[difficulty - 1]
    if difficulty < 3:
        asked = rng.choice(("none", "some"))
    else:
        asked = rng.choice(("none", "some", "one", "two") if number == 3 else ("none", "some"))
    wanted = {"none": [0], "some": list(range(1, number + 1)), "one": [1], "two": [2]}[asked]
    answer = _by_overlaps(low, high, divisors, asked)
    both = listed([f"${d}$" for d in divisors])
    either = listed([f"${d}$" for d in divisors], "or")
    span = f"from ${low}$ to ${high}$"
    who = person(rng)
    if asked == "none":
        texts = [
            f"How many integers {span} are divisible by none of the numbers {both}?",
            f"From the numbers {span}, {who} crosses out all multiples of {either}. How many numbers are left?",
            f"Lockers are numbered {span}. Every locker whose number is a multiple of {either} is painted, the others "
            "stay as they are. How many lockers are not painted?",
        ]
    elif asked == "some":
        texts = [
            f"How many integers {span} are divisible by at least one of the numbers {both}?",
            f"Tickets are numbered {span}, and a ticket wins if its number is a multiple of {either}. How many "
            "winning tickets are there?",
            f"How many of the whole numbers {span} are multiples of {either}?",
        ]
    else:
        times = {"one": "one", "two": "two"}[asked]
        texts = [
            f"How many integers {span} are divisible by exactly {times} of the numbers {both}?",
            f"{who} goes through the numbers {span} and makes one dot at each multiple of ${divisors[0]}$, one at "
            f"each multiple of ${divisors[1]}$ and one at each multiple of ${divisors[2]}$. How many numbers have "
            f"exactly {times} {'dot' if asked == 'one' else 'dots'} in the end?",
        ]
    values = {
        "low": low,
        "high": high,
        "divisors": divisors,
        "wanted": wanted,
        "survey": [],
        "everybody": 0,
        "asked": "",
    }
    return Draw(rng.choice(texts), str(answer), values)


def _by_overlaps(low: int, high: int, divisors: list[int], asked: str) -> int:
    levels = [0] * (len(divisors) + 1)
    for chosen in range(1 << len(divisors)):
        common = 1
        for place, divisor in enumerate(divisors):
            if chosen >> place & 1:
                common = common * divisor // gcd(common, divisor)
        levels[bin(chosen).count("1")] += high // common - (low - 1) // common
    some = sum(level if size % 2 else -level for size, level in enumerate(levels) if size)
    if asked == "none":
        return levels[0] - some
    if asked == "some":
        return some
    return levels[1] - 2 * levels[2] + 3 * levels[3] if asked == "one" else levels[2] - 3 * levels[3]
