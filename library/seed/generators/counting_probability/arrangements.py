"""Problems on arrangements in a row or in a ring."""

from fractions import Fraction
from math import comb, factorial, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person

_WORDS = (
    ("NOON", "BOOK", "MOON", "DOOR", "LEVEL", "EERIE", "APPLE", "HELLO", "SASSY", "MAMMA", "ADDED", "GEESE", "PUPPY"),
    ("TOMATO", "COFFEE", "LETTER", "PEPPER", "BANANA", "CANNON", "POTATO", "TATTOO", "COCOON", "SETTEE", "DEEDED"),
    ("BALLOON", "SUCCESS", "TEETERS", "CABBAGE", "PAPRIKA", "ASSESSES", "MEMENTOS", "COMMITTEE", "TENNESSEE"),
)


def grown_place_by_place(counts: list[int], condition: str, kind: int, total: int) -> int:
    """Grow the rows one object after another and count them by the objects still unused."""
    from functools import cache

    def rows(numbers: tuple[int, ...]) -> int:
        @cache
        def grow(left: tuple[int, ...], first: int, last: int) -> int:
            if not sum(left):
                kept = {
                    "none": True,
                    "first": first == kind,
                    "ends": first == last == kind,
                    "same": first == last,
                    "different": first != last,
                }
                return int(kept[condition])
            return sum(
                grow(tuple(n - (i == k) for i, n in enumerate(left)), k if first < 0 else first, k)
                for k in range(len(left))
                if left[k]
            )

        return grow(numbers, -1, -1)

    if not total:
        return rows(tuple(counts))
    unknown = 1
    while rows((*counts, unknown)) != total:
        unknown += 1
    return unknown


def _orders(counts: list[int]) -> int:
    return factorial(sum(counts)) // prod(factorial(count) for count in counts)


def _orders_with(counts: list[int], fixed: list[int]) -> int:
    left = [count - fixed.count(kind) for kind, count in enumerate(counts)]
    return _orders(left) if min(left) >= 0 else 0


@generator("Divide out the orders of identical objects", check=grown_place_by_place)
def identical_objects(rng: Random, difficulty: int) -> Draw | None:
    condition = rng.choice((("none",), ("none", "first", "ends"), ("ends", "same", "different"))[difficulty - 1])
    kind = 0
    scene = rng.randrange(5)
    if scene == 4 and difficulty > 1:
        return _missing_kind(rng, difficulty)
    if scene == 3:
        word = rng.choice(_WORDS[difficulty - 1])
        letters = sorted(set(word), key=word.index)
        counts = [word.count(letter) for letter in letters]
        if condition in ("first", "ends"):
            kind = rng.randrange(len(letters))
        text = {
            "none": f"How many different strings can be made by rearranging all letters of the word {word}?",
            "first": f"How many different strings that begin with {letters[kind]} can be made by rearranging all "
            f"letters of the word {word}?",
            "ends": f"In how many different strings made of all letters of the word {word} are both the first and the "
            f"last letter {letters[kind]}?",
            "same": f"The letters of the word {word} are rearranged. How many different strings are there whose first "
            "and last letters are equal?",
            "different": f"The letters of the word {word} are rearranged. How many different strings are there whose "
            "first and last letters are not equal?",
        }[condition]
    else:
        low, high = ((1, 3), (2, 4), (2, 5))[difficulty - 1]
        counts = [rng.randint(low, high) for _ in range(rng.randint(2, 3) if difficulty == 1 else 3)]
        if max(counts) == 1 or sum(counts) > 10:
            return None
        things, parts = rng.choice(
            (
                (
                    "A ship hoists {n} flags one above the other on its mast: {list}. Flags of one colour look the "
                    "same.{more} How many different signals are possible?",
                    (("the top flag", "the bottom flag"), ("red", "white", "blue", "yellow", "green")),
                ),
                (
                    "{who} plants a row of {n} flowers along a path: {list}. Flowers of one kind look alike.{more} "
                    "How many different rows are possible, if the two ends of the path are told apart?",
                    (
                        ("the flower at the gate", "the flower at the far end"),
                        ("tulips|tulip", "roses|rose", "lilies|lily", "asters|aster"),
                    ),
                ),
                (
                    "{who} threads {n} beads on a straight string with a knot at one end: {list}. Beads of one "
                    "colour look the same.{more} In how many ways can the beads be ordered?",
                    (("the bead at the knot", "the bead at the free end"), ("black", "gold", "pink", "silver")),
                ),
            )
        )
        (first, last), names = parts
        chosen = rng.sample(names, len(counts))
        words = [(name.split("|")[0], name.split("|")[-1]) for name in chosen]
        if condition in ("first", "ends"):
            kind = rng.randrange(len(counts))
        one = words[kind][1] if "|" not in chosen[kind] else f"a {words[kind][1]}"
        if one == "a aster":
            one = "an aster"
        alike = "of the same kind" if "|" in chosen[0] else "of the same colour"
        unlike = "of different kinds" if "|" in chosen[0] else "of different colours"
        more = {
            "none": "",
            "first": f" {first.capitalize()} must be {one}.",
            "ends": f" Both {first} and {last} must be {words[kind][0]}.",
            "same": f" {first.capitalize()} and {last} must be {alike}.",
            "different": f" {first.capitalize()} and {last} must be {unlike}.",
        }[condition]
        parts_list = listed([f"{n} {words[i][n == 1]}" for i, n in enumerate(counts)])
        text = things.format(n=sum(counts), list=parts_list, more=more, who=person(rng))
    kinds = range(len(counts))
    if condition == "none":
        answer = _orders(counts)
    elif condition == "first":
        answer = _orders_with(counts, [kind])
    elif condition == "ends":
        answer = _orders_with(counts, [kind, kind])
    else:
        answer = sum(_orders_with(counts, [k, k]) for k in kinds)
        if condition == "different":
            answer = _orders(counts) - answer
    if answer < (2, 4, 10)[difficulty - 1]:
        return None
    return Draw(text, str(answer), {"counts": counts, "condition": condition, "kind": kind, "total": 0})


def _missing_kind(rng: Random, difficulty: int) -> Draw | None:
    counts = [rng.randint(2, 4) for _ in range(difficulty - 1)]
    unknown = rng.randint(2, 7)
    total = _orders([*counts, unknown])
    if total > 5000:
        return None
    colours = rng.sample(("red", "white", "blue", "yellow", "green", "black"), difficulty)
    known = [f"{count} {colour}" for count, colour in zip(counts, colours, strict=False)]
    parts = listed([*known, f"some {colours[-1]}"])
    text = rng.choice(
        (
            f"{person(rng)} has {parts} tiles; tiles of one colour look alike. All of the tiles are laid in a row "
            f"from left to right, for which there are exactly {total} different patterns. How many {colours[-1]} "
            "tiles are there?",
            f"A row of lamps on a stage shows {parts} lights. With the same numbers of lights of each colour, {total} "
            f"different rows are possible in all. How many of the lights are {colours[-1]}?",
        )
    )
    return Draw(text, str(unknown), {"counts": counts, "condition": "none", "kind": 0, "total": total})


def listed_places(places: int, separated: int, distance: int, ring: bool, named: list[int], turns_alike: bool) -> int:
    """List the sets of places that are far enough apart, then hand out the names one place after another."""
    from itertools import combinations, pairwise

    found = 0
    for chosen in combinations(range(places), separated):
        around = (*chosen, chosen[0] + places) if ring else chosen
        found += all(after - before >= distance for before, after in pairwise(around))
    for number in named:
        for left in range(2, number + 1):
            found *= left
    return found // places if turns_alike else found


@generator("Insert separated objects into the gaps of the others", check=listed_places)
def separated_objects(rng: Random, difficulty: int) -> Draw | None:
    separated = rng.randint((2, 2, 3)[difficulty - 1], (2, 3, 4)[difficulty - 1])
    others = rng.randint(*((2, 5), (4, 8), (5, 8))[difficulty - 1])
    if others < separated:
        return None
    who, places, gaps = person(rng), separated + others, comb(others + 1, separated)
    values = {"places": places, "separated": separated, "distance": 2, "ring": False, "named": [], "turns_alike": False}
    scene = rng.randrange(5) if difficulty < 3 else rng.choice((0, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8))
    apart = "the two {} are not next to each other" if separated == 2 else "no two {} are next to each other"
    if scene == 0:
        men, women = rng.choice((("men", "women"), ("boys", "girls"), ("violinists", "cellists"), ("cats", "dogs")))
        if men == "cats":
            text = (
                f"{who} lines up {others} dogs and {separated} cats for a photo, so that {apart.format('cats')}. All "
                "the animals can be told apart. How many different lines are possible?"
            )
        else:
            text = (
                f"In how many ways can {others} {women} and {separated} {men} stand in one line so that "
                f"{apart.format(men)}?"
            )
        answer = factorial(others) * gaps * factorial(separated)
        values["named"] = [others, separated]
    elif scene == 1:
        text = (
            f"A corridor has {places} lamps in a row. Exactly {separated} of them are to be switched off, but never "
            "two neighbouring ones. In how many ways can the lamps to be switched off be chosen?"
        )
        answer = gaps
    elif scene == 2:
        text = (
            f"A bench has {places} seats in a row. In how many ways can {separated} people sit down on it so that "
            f"{'they do not' if separated == 2 else 'no two of them'} sit directly beside each other? (It matters who "
            "sits where.)"
        )
        answer = gaps * factorial(separated)
        values["named"] = [separated]
    elif scene == 3:
        text = (
            f"How many subsets of $\\{{1, 2, \\dots, {places}\\}}$ with exactly {separated} elements contain no two "
            "consecutive integers?"
        )
        answer = gaps
    elif scene == 4:
        work, kinds = rng.choice(
            (
                ("days of training", ("rest days", "training days")),
                ("signs", ("dots", "dashes")),
                ("coins in a row", ("heads", "tails")),
            )
        )
        rare, rest = kinds
        text = {
            "signs": f"A signal consists of {others} dashes and {separated} dots in some order, and two dots never "
            "follow directly one after the other. How many signals of this kind are there?",
            "days of training": f"{who} plans the next {places} days: {others} training days and {separated} rest "
            "days. No two rest days may follow directly one after the other. How many plans are possible, if only "
            "the kind of each day matters?",
            "coins in a row": f"A row of {places} tossed coins shows {separated} {rare} and {others} {rest}, and no "
            f"two {rare} are neighbours. How many different rows fit this description?",
        }[work]
        answer = gaps
    elif scene in (5, 6):
        wide = others - (separated - 1)
        if wide < separated:
            return None
        text = (
            f"A street has {places} parking places in a row. In how many ways can {separated} different cars be "
            "parked there so that between any two of them at least two places stay empty?"
            if scene == 5
            else f"{who} picks {separated} different numbers from 1 to {places} so that any two of them differ by at "
            "least 3. The order of picking does not matter. How many choices are there?"
        )
        values["distance"] = 3
        answer = comb(wide + 1, separated)
        if scene == 5:
            answer *= factorial(separated)
            values["named"] = [separated]
    elif scene == 7:
        text = (
            f"At a round table with {places} seats, {others} women and {separated} men take their places so that no "
            "two men are neighbours. Seatings that differ only by a rotation count as the same. How many seatings "
            "are there?"
        )
        answer = factorial(others - 1) * comb(others, separated) * factorial(separated)
        values |= {"named": [others, separated], "ring": True, "turns_alike": True}
    else:
        text = (
            f"Around a pond stand {places} numbered lamps in a circle. In how many ways can {separated} of them be "
            "switched off so that no two neighbouring lamps are dark?"
        )
        answer = comb(others, separated) + comb(others - 1, separated - 1)
        values["ring"] = True
    return Draw(text, str(answer), values)


def owners_by_sets(number: int, least: int, most: int, first: str, chance: bool) -> object:
    """Give out the things person by person and count by the set of things given out and the hits so far."""
    from fractions import Fraction

    ways = {(0, 0): 1}
    everything = 1
    for who in range(number):
        everything *= who + 1
        after: dict[tuple[int, int], int] = {}
        for (given, hits), count in ways.items():
            for thing in range(number):
                if given >> thing & 1 or (who == 0 and first == ("other" if thing == 0 else "own")):
                    continue
                key = (given | 1 << thing, hits + (thing == who))
                after[key] = after.get(key, 0) + count
        ways = after
    good = sum(count for (_, hits), count in ways.items() if least <= hits <= most)
    return Fraction(good, everything) if chance else good


_MIX_UPS = (
    (
        "{n} letters are put into {n} addressed envelopes, one in each",
        "letters are in the envelope meant for them",
        "letter is in the envelope meant for it",
        "{who}'s letter is in its own envelope",
        "{who}'s letter is in a wrong envelope",
    ),
    (
        "{n} guests, {who} among them, leave a party, and each takes one of their {n} coats in the dark",
        "guests get their own coats",
        "guest gets his or her own coat",
        "{who} gets the right coat",
        "{who} gets a wrong coat",
    ),
    (
        "{n} pupils, one of whom is {who}, hand in a test, and the teacher gives every pupil one of the {n} tests to "
        "mark",
        "pupils mark their own tests",
        "pupil marks his or her own test",
        "{who} marks the right test, that is, the one {who} wrote",
        "{who} marks somebody else's test",
    ),
    (
        "{n} friends, {who} included, each bring a present, and the {n} presents are given out again by lot, one to "
        "each friend",
        "friends get back the presents they brought",
        "friend gets back the present he or she brought",
        "{who} gets back the present {who} brought",
        "{who} gets a present that somebody else brought",
    ),
    (
        "{n} keys hang on {n} labelled hooks, one on each, after {who}'s little brother has played with them",
        "keys hang on the right hook",
        "key hangs on the right hook",
        "the key of {who}'s room hangs on its hook",
        "the key of {who}'s room hangs on a wrong hook",
    ),
)


@generator("Choose the fixed points and derange the rest", check=owners_by_sets)
def fixed_points(rng: Random, difficulty: int) -> Draw | None:
    number = rng.randint(*((3, 4), (4, 6), (6, 8))[difficulty - 1])
    chance = rng.random() < (0.2, 0.5, 0.4)[difficulty - 1]
    least = rng.randint(0, number - 2)
    most = rng.choice((least, least, least + 1)) if difficulty > 1 else least
    if most > least and least > 0:
        most = number
    if difficulty > 1 and least > number - 3:
        return None
    first = rng.choice(("free", "own", "other")) if difficulty == 3 and least == most and least > 0 else "free"
    deranged = [1, 0]
    for size in range(2, number + 1):
        deranged.append((size - 1) * (deranged[-1] + deranged[-2]))
    pool = number if first == "free" else number - 1
    good = sum(
        comb(pool, hits - (first == "own")) * deranged[number - hits] for hits in range(least, min(most, number) + 1)
    )
    situation, many, one, right, wrong = rng.choice(_MIX_UPS)
    who = person(rng)
    if least == most:
        what = f"exactly {least} {many}" if least > 1 else f"exactly one {one}" if least else f"no {one}"
        if first != "free":
            what = f"{what} and {(right if first == 'own' else wrong).format(who=who)}"
    elif most == number:
        what = f"at least {least} {many}" if least > 1 else f"at least one {one}"
    else:
        what = f"at most one {one}"
    start = situation.format(n=number, who=who)
    if chance:
        text = f"Suppose that {start}, all ways of doing so being equally likely. What is the probability that {what}?"
    else:
        text = f"Suppose that {start}. In how many of the possible ways does it happen that {what}?"
    answer = str(Fraction(good, factorial(number))) if chance else str(good)
    values = {"number": number, "least": least, "most": most, "first": first, "chance": chance}
    return Draw(text, answer, values)
