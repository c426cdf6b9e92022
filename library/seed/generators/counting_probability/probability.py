"""Problems on drawing without putting back."""

from fractions import Fraction
from itertools import product
from math import comb, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def drawn_one_after_another(counts: list[int], drawn: int, event: str, wanted: list[int]) -> object:
    """Draw one object after another and follow the chances of what has been drawn so far."""
    from fractions import Fraction

    hands = {(0,) * len(counts): Fraction(1)}
    for step in range(drawn):
        after: dict[tuple[int, ...], Fraction] = {}
        for hand, chance in hands.items():
            for kind, (count, taken) in enumerate(zip(counts, hand, strict=True)):
                if count > taken:
                    more = (*hand[:kind], taken + 1, *hand[kind + 1 :])
                    share = chance * Fraction(count - taken, sum(counts) - step)
                    after[more] = after.get(more, Fraction(0)) + share
        hands = after
    total = Fraction(0)
    for hand, chance in hands.items():
        good = {
            "exactly": list(hand) == wanted,
            "first": hand[0] in wanted,
            "same": max(hand) == drawn,
            "different": max(hand) == 1,
            "all kinds": min(hand) > 0,
        }
        total += good[event] * chance
    return total


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")


@generator("Draw without putting back by combinations of each kind", check=drawn_one_after_another)
def hands(rng: Random, difficulty: int) -> Draw | None:
    drawn = rng.randint(*((2, 2), (3, 4), (3, 5))[difficulty - 1])
    scene = rng.choice(
        ("faulty", "colours", "people") if difficulty < 3 else ("faulty", "colours", "colours", "people", "cards")
    )
    who = person(rng)
    if scene == "cards":
        counts, event = [13] * 4, rng.choice(("same", "different", "first", "all kinds"))
        drawn = {"same": rng.randint(2, 4), "different": rng.randint(2, 4), "first": rng.randint(3, 5), "all kinds": 5}[
            event
        ]
        suit = rng.choice(("hearts", "spades", "diamonds", "clubs"))
        least = rng.randint(1, drawn - 1)
        wanted = [least] if event == "first" else []
        what = {
            "same": "all of the same suit",
            "different": f"of {_NUMBERS[drawn]} different suits",
            "first": f"exactly {_NUMBERS[least]} {suit if least > 1 else suit[:-1]}",
            "all kinds": "cards of all four suits",
        }[event]
        verb = "are" if event in ("same", "different") else "include"
        text = rng.choice(
            (
                f"{who} is dealt {_NUMBERS[drawn]} cards from a well shuffled deck of 52 cards, 13 in each of four "
                f"suits. What is the probability that these cards {verb} {what}?",
                f"From a deck of 52 cards (13 in each of the four suits) {_NUMBERS[drawn]} cards are drawn at random, "
                f"and none is put back. How likely is it that the drawn cards {verb} {what}?",
            )
        )
    elif scene == "colours":
        kinds = 2 if difficulty == 1 else 3
        counts = [rng.randint(2, (5, 6, 7)[difficulty - 1]) for _ in range(kinds)]
        colours = rng.sample(("red", "white", "blue", "green", "yellow", "black"), kinds)
        things = rng.choice(("balls", "marbles", "socks", "buttons", "beads"))
        event = rng.choice(("exactly", "same", "different" if drawn == kinds else "all kinds"))
        if event == "all kinds" and drawn <= kinds:
            return None
        wanted = []
        if event == "exactly":
            wanted = [0] * kinds
            for _ in range(drawn):
                wanted[rng.randrange(kinds)] += 1
            if any(w > count for w, count in zip(wanted, counts, strict=True)) or max(wanted) == drawn:
                return None
        held = listed([f"{count} {colour}" for count, colour in zip(counts, colours, strict=True)])
        parts = [f"{_NUMBERS[w]} {colour}" for w, colour in zip(wanted, colours, strict=False) if w]
        got = listed(parts) if parts else ""
        one = things[:-1]
        asked = {
            "exactly": f"{who} gets exactly {got} {one if wanted and [w for w in wanted if w][-1] == 1 else things}",
            "same": f"all of the {things} taken have the same colour",
            "different": f"the {things} taken have different colours",
            "all kinds": f"all {_NUMBERS[kinds]} colours are among the {things} taken",
        }[event]
        if event == "same" and drawn == 2:
            asked = f"both {things} have the same colour"
        if event == "different" and drawn == 2:
            asked = f"the two {things} have different colours"
        if event == "different" and drawn == 3:
            asked = f"the three {things} have three different colours"
        box = rng.choice(("bag", "drawer", "box"))
        text = rng.choice(
            (
                f"A {box} contains {held} {things}. Without looking, {who} takes {_NUMBERS[drawn]} of them. What is "
                f"the probability that {asked}?",
                f"In a {box} there are {sum(counts)} {things}: {held}. Taking out {_NUMBERS[drawn]} of them at random, "
                f"one after another and without putting any back, how likely is it that {asked}?".replace(
                    "Taking out", f"{who} takes out"
                ).replace(", how likely is it", ". How likely is it"),
            )
        )
    else:
        counts = [rng.randint(2, (4, 6, 8)[difficulty - 1]), rng.randint(3, (6, 8, 10)[difficulty - 1])]
        first = rng.randint(0, min(drawn, counts[0]))
        if drawn - first > counts[1] or (difficulty < 3 and first == drawn and drawn > 3):
            return None
        at_least = difficulty == 3 and 0 < first < min(drawn, counts[0])
        event = "first"
        wanted = list(range(first, min(drawn, counts[0]) + 1)) if at_least else [first]
        if scene == "faulty":
            thing, bad = rng.choice(
                (("lamp", "defective"), ("battery", "empty"), ("egg", "rotten"), ("ticket", "winning"))
            )
            things = "batteries" if thing == "battery" else thing + "s"
            number = "at least " + _NUMBERS[first] if at_least else "exactly " + _NUMBERS[first] if first else "none"
            chosen = f"{number} of the {_NUMBERS[drawn]} {'is' if first == 1 or first == 0 else 'are'} {bad}"
            if first == 1 and at_least:
                chosen = f"at least one of the {_NUMBERS[drawn]} is {bad}"
            if first == drawn:
                chosen = f"{'both' if drawn == 2 else 'all ' + _NUMBERS[drawn]} are {bad}"
            if bad == "winning":
                chosen = chosen.replace("is winning", "wins").replace("are winning", "win")
            text = rng.choice(
                (
                    f"Of {sum(counts)} {things} in a box, {counts[0]} are {bad}. {who} takes {_NUMBERS[drawn]} of the "
                    f"{things} at random. What is the probability that {chosen}?",
                    f"A box holds {sum(counts)} {things}, of which {counts[0]} are {bad}. If {_NUMBERS[drawn]} "
                    f"{things} are picked at random without putting any back, how likely is it that {chosen}?",
                )
            )
            if bad == "winning":
                text = text.replace(f"{counts[0]} are winning", f"{counts[0]} win")
        else:
            one, other = rng.choice(
                (("women", "men"), ("girls", "boys"), ("cellists", "violinists"), ("teachers", "students"))
            )
            single = {"women": "woman", "girls": "girl", "cellists": "cellist", "teachers": "teacher"}[one]
            number = (
                f"at least {_NUMBERS[first]}" if at_least else f"exactly {_NUMBERS[first]}" if first else "no"
            ) + f" {single if first == 1 else one}"
            if first == drawn:
                number = f"{one} only"
            group = rng.choice(("committee", "delegation", "team"))
            text = (
                f"From {counts[0]} {one} and {counts[1]} {other} a {group} of {_NUMBERS[drawn]} is chosen by lot, all "
                f"choices being equally likely. What is the probability that the {group} contains {number}?"
            )
    ways = 0
    for hand in product(*(range(min(count, drawn) + 1) for count in counts)):
        good = {
            "exactly": list(hand) == wanted,
            "first": hand[0] in wanted,
            "same": max(hand) == drawn,
            "different": max(hand) == 1,
            "all kinds": min(hand) > 0,
        }[event]
        if sum(hand) == drawn and good:
            ways += prod(comb(count, taken) for count, taken in zip(counts, hand, strict=True))
    answer = Fraction(ways, comb(sum(counts), drawn))
    if answer in (0, 1) or answer.denominator > (60, 1000, 30000)[difficulty - 1]:
        return None
    return Draw(text, str(answer), {"counts": counts, "drawn": drawn, "event": event, "wanted": wanted})


def tried_one_count_after_another(known: int, event: str, chance: list[int], added: int, more: bool) -> int:
    """Try 1, 2, 3, ... for the unknown number and list the pairs (or objects) that could be drawn."""
    from itertools import combinations

    unknown = known + 1 if more else 1
    while True:
        bag = ["k"] * known + ["u"] * unknown
        if event == "one":
            draws, good = len(bag), known
        elif event == "added":
            draws, good = len(bag) + added, known + added
        else:
            pairs = list(combinations(bag, 2))
            draws = len(pairs)
            tests = {"same": ("kk", "uu"), "different": ("ku",), "both known": ("kk",), "both unknown": ("uu",)}
            good = sum("".join(pair) in tests[event] for pair in pairs)
        if good * chance[1] == draws * chance[0]:
            return unknown
        unknown += 1


@generator("Turn a stated probability into an equation for a count", check=tried_one_count_after_another)
def counts_from_chances(rng: Random, difficulty: int) -> Draw | None:
    event = rng.choice(
        (("one", "added"), ("added", "both known", "one"), ("same", "different", "both known", "both unknown"))[
            difficulty - 1
        ]
    )
    known = rng.randint(*((2, 9), (3, 12), (3, 15))[difficulty - 1])
    unknown = rng.randint(*((2, 12), (4, 18), (4, 21))[difficulty - 1])
    added, more = 0, False
    if event == "added":
        added = rng.randint(1, 3 * difficulty)
    if event in ("same", "different"):
        more = True
    if (more and unknown <= known) or known == unknown:
        return None

    good, draws = _good_and_all(event, known, unknown, added)
    value = Fraction(good, draws)
    for number in range(known + 1 if more else 1, 300):
        other_good, other_draws = _good_and_all(event, known, number, added)
        if number != unknown and other_good * draws == good * other_draws:
            return None
    if value.denominator > (12, 40, 60)[difficulty - 1]:
        return None
    who = person(rng)
    one, other = rng.sample(("red", "white", "blue", "green", "black", "yellow"), 2)
    things, box = rng.choice((("balls", "a bag"), ("marbles", "a jar"), ("chips", "a box"), ("socks", "a drawer")))
    the_box, thing = box.replace("a ", "the ", 1), things[:-1]
    shown = f"$\\frac{{{value.numerator}}}{{{value.denominator}}}$"
    some = f"a larger number of {other} ones" if more else f"some {other} ones"
    start = f"{box.capitalize()} contains {known} {one} {things} and {some}."
    if event == "one":
        text = rng.choice(
            (
                f"{start} A {thing} taken at random is {one} with probability {shown}. How many {other} {things} are "
                "there?",
                f"In a class there are {known} left-handed pupils, and a pupil chosen at random is left-handed with "
                f"probability {shown}. How many pupils of the class are not left-handed?",
                f"On a spinner with equal sectors, {known} sectors are {one} and the others are {other}. It stops at "
                f"{one} with probability {shown}. How many of the sectors are {other}?",
            )
        )
        if "left-handed" in text and value > Fraction(1, 2):
            return None
    elif event == "added":
        many = f"{added} more {one} {things}" if added > 1 else f"one more {one} {thing}"
        have = "have" if added > 1 else "has"
        text = rng.choice(
            (
                f"{start} After {many} {have} been put in, a {thing} taken at random is {one} with probability "
                f"{shown}. How many {other} {things} are in {the_box}?",
                f"{who} puts {many} into {box} that already holds {known} {one} {things} and {some}. Now a random "
                f"{thing} is {one} with probability {shown}. Find the number of {other} {things}.",
            )
        )
    else:
        told = {
            "same": "are of the same colour",
            "different": "are of different colours",
            "both known": f"are both {one}",
            "both unknown": f"are both {other}",
        }[event]
        text = rng.choice(
            (
                f"{start} Two {things} are drawn at random without putting the first one back. The probability that "
                f"they {told} is exactly {shown}. How many {other} {things} are in {the_box}?",
                f"{who} takes two {things} at once out of {box} with {known} {one} {things} and {some}, without "
                f"looking. With probability {shown} the two {things} {told}. How many {other} {things} were in "
                f"{the_box}?",
            )
        )
    values = {
        "known": known,
        "event": event,
        "chance": [value.numerator, value.denominator],
        "added": added,
        "more": more,
    }
    return Draw(text, str(unknown), values)


def _good_and_all(event: str, known: int, unknown: int, added: int) -> tuple[int, int]:
    if event in ("one", "added"):
        return known + added, known + added + unknown
    both_known, both_unknown = known * (known - 1) // 2, unknown * (unknown - 1) // 2
    good = {
        "same": both_known + both_unknown,
        "different": known * unknown,
        "both known": both_known,
        "both unknown": both_unknown,
    }[event]
    return good, both_known + both_unknown + known * unknown
