"""Problems on probabilities under conditions and along branches."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def listed_outcomes(shares: list[list[int]], urns: list[list[int]], seen: list[int], back: bool, asked: int) -> object:
    """List all equally likely rows of draws for each cause and weigh their number by the cause's share."""
    from fractions import Fraction
    from itertools import permutations, product

    weights = []
    for (part, whole), (good, bad) in zip(shares, urns, strict=True):
        items = [1] * good + [0] * bad
        rows = list(product(items, repeat=len(seen)) if back else permutations(items, len(seen)))
        weights.append(Fraction(part * sum(list(row) == seen for row in rows), whole * len(rows)))
    return sum(weights) if asked < 0 else weights[asked] / sum(weights)


def _tex(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"\\frac{{{value.numerator}}}{{{value.denominator}}}"


def _percents(numbers: Sequence[int]) -> str:
    return listed([f"${number}\\%$" for number in numbers])


def _chance_of_seen(urn: list[int], seen: list[int], back: bool) -> Fraction:
    left, chance = list(urn), Fraction(1)
    for result in seen:
        chance *= Fraction(left[1 - result], sum(left)) if sum(left) else 0
        if not back:
            left[1 - result] -= 1
    return max(chance, Fraction(0))


@generator("Compare the branches that lead to what was seen", check=listed_outcomes)
def causes(rng: Random, difficulty: int) -> Draw | None:
    scene = rng.choice(("machines", "urns", "coins", "test", "route"))
    if scene == "test":
        return _screening(rng, difficulty)
    back, seen = True, [1]
    number = 2 if difficulty == 1 else 3
    asked = rng.randrange(number)
    if scene == "machines":
        shares = rng.choice(
            ((50, 50), (60, 40), (70, 30), (80, 20))
            if number == 2
            else ((50, 30, 20), (40, 35, 25), (60, 30, 10), (45, 30, 25))
        )
        rates = rng.sample(range(1, 9), number)
        if difficulty == 3:
            seen = rng.choice(([1], [0]))
        names = ["A", "B", "C"][:number]
        thing, made = rng.choice((("screw", "makes"), ("lamp", "makes"), ("bottle", "fills"), ("brick", "makes")))
        whole, bad = _percents(shares), _percents(rates)
        text = (
            f"Machines {listed(names)} of a factory {made[:-1]} {whole} of all {thing}s. Of the {thing}s from "
            f"{listed(names)}, {bad} are faulty, respectively. A {thing} is picked at random and turns out to be "
            f"{'faulty' if seen[0] else 'in order'}. What is the probability that it comes from machine "
            f"{names[asked]}?"
        )
        urns = [[rate, 100 - rate] for rate in rates]
        portions = [[share, 100] for share in shares]
    elif scene == "urns":
        back = False
        urns = [[rng.randint(1, 4), rng.randint(1, 4)] for _ in range(number)]
        if difficulty > 1:
            seen = rng.choice(([1, 1], [1, 0]) if difficulty == 3 else ([1], [1, 1]))
        portions = [[1, number]] * number
        named = ["first", "second", "third"]
        boxes = listed(
            [
                f"the {named[i]} holds {w} white and {b} black balls".replace("1 black balls", "1 black ball")
                for i, (w, b) in enumerate(urns)
            ]
        )
        if len(seen) == 1:
            happens = "One ball is drawn from it at random. The ball is white."
        else:
            second = "white too" if seen[1] else "black"
            happens = (
                "Two balls are drawn from it at random, one after the other and without putting the first one back. "
                f"The first ball is white, and the second is {second}."
            )
        count = "two" if number == 2 else "three"
        text = (
            f"Of {count} bags that look alike, {boxes}. {person(rng)} takes one of the bags at random. {happens} What "
            f"is the probability that it is the {named[asked]} bag?"
        )
    elif scene == "coins":
        fair = rng.randint(1, 5)
        bent = Fraction(*rng.choice(((1, 1), (2, 3), (3, 4), (1, 3), (1, 4), (3, 5))))
        other = rng.randint(1, 3)
        seen = (
            [1] * rng.randint(1, min(difficulty + 1, 3))
            if difficulty < 3 or bent == 1
            else rng.choice(([1, 1], [1, 0], [1, 1, 0], [1, 1, 1], [0, 1]))
        )
        urns = [[1, 1], [bent.numerator, bent.denominator - bent.numerator]]
        portions = [[fair, fair + other], [other, fair + other]]
        asked = rng.randrange(2)
        kind = "have heads on both sides" if bent == 1 else f"are bent and show heads with probability ${_tex(bent)}$"
        if other == 1:
            kind = kind.replace("have", "has").replace("are", "is").replace("show", "shows")
        fair_text = "one is fair" if fair == 1 else f"{fair} are fair"
        named_coin, many = (("fair coin", fair), ("coin with two heads" if bent == 1 else "bent coin", other))[asked]
        which = f"{'a' if many > 1 else 'the'} {named_coin}"
        shown = listed(["heads" if one else "tails" for one in seen])
        times = {1: "once", 2: "twice", 3: "three times"}[len(seen)]
        if len(seen) == 1:
            result = "shows heads"
        elif 0 not in seen:
            result = "shows heads every time"
        else:
            result = f"shows {shown}, in this order"
        text = (
            f"Of {fair + other} coins in {person(rng)}'s pocket, {fair_text} and {'one' if other == 1 else other} "
            f"{kind}. One of the coins is taken out at random and tossed {times}. It {result}. What is the "
            f"probability that it is {which}?"
        )
    else:
        shares = rng.choice(
            ((50, 50), (60, 40), (75, 25), (80, 20))
            if number == 2
            else ((50, 30, 20), (40, 40, 20), (60, 25, 15), (50, 25, 25))
        )
        rates = rng.sample((5, 10, 15, 20, 25, 30, 40, 50), number)
        if difficulty > 1:
            seen = rng.choice(([1], [0]))
        ways = rng.sample(("bus", "train", "bicycle", "car", "tram"), number)
        who = person(rng)
        text = (
            f"{who} goes to work by {listed(ways, 'or')}, with probabilities {_percents(shares)}. By {listed(ways)}, "
            f"{who} arrives late with probabilities {_percents(rates)}, respectively. Today {who} arrived "
            f"{'late' if seen[0] else 'on time'}. What is the probability that {who} went by {ways[asked]}?"
        )
        urns = [[rate, 100 - rate] for rate in rates]
        portions = [[share, 100] for share in shares]
    weights = [Fraction(*share) * _chance_of_seen(urn, seen, back) for share, urn in zip(portions, urns, strict=True)]
    if not sum(weights) or sum(weight > 0 for weight in weights) < 2 or not weights[asked]:
        return None
    answer = weights[asked] / sum(weights)
    if answer.denominator > (60, 400, 3000)[difficulty - 1]:
        return None
    values = {"shares": portions, "urns": urns, "seen": seen, "back": back, "asked": asked}
    return Draw(text, str(answer), values)


def _screening(rng: Random, difficulty: int) -> Draw | None:
    ill = rng.choice((1, 2, 4, 5, 10, 20))
    hit, false = rng.choice((80, 90, 95, 98)), rng.choice((5, 10, 20, 2))
    if difficulty == 1:
        ill, hit, false = rng.choice((10, 20, 25, 40, 50)), rng.choice((80, 90)), rng.choice((10, 20, 30))
    result = 1 if difficulty < 3 else rng.choice((1, 0))
    asked = 0 if difficulty == 1 else rng.randrange(2)
    has, test, lacks, subject = rng.choice(
        (
            ("infected", "a quick test", "healthy", "sheep"),
            ("cracked", "an ultrasonic test", "sound", "pipe"),
            ("spam", "a filter", "wanted", "message"),
        )
    )
    many = {"sheep": "sheep", "pipe": "pipes", "message": "messages"}[subject]
    text = (
        f"Of all {many}, ${ill}\\%$ are {has} and the others are {lacks}. {test.capitalize()} flags ${hit}\\%$ of the "
        f"{has} and, wrongly, ${false}\\%$ of the {lacks} {many}. A {subject} chosen at random is "
        f"{'flagged' if result else 'not flagged'}. What is the probability that it is {(has, lacks)[asked]}?"
    )
    weights = [
        Fraction(ill * (hit if result else 100 - hit)),
        Fraction((100 - ill) * (false if result else 100 - false)),
    ]
    answer = weights[asked] / sum(weights)
    if answer.denominator > (60, 400, 3000)[difficulty - 1]:
        return None
    values = {
        "shares": [[ill, 100], [100 - ill, 100]],
        "urns": [[hit, 100 - hit], [false, 100 - false]],
        "seen": [result],
        "back": True,
        "asked": asked,
    }
    return Draw(text, str(answer), values)


def every_pair_of_draws(first: list[list[int]], moved: list[int], drawn: int, wanted: list[int], ends: bool) -> object:
    """List what is moved and then what is drawn, ball by ball, and average over all equally likely ways.

    `first` holds the urns, red and other balls each: the first gives balls to the second (or, if `ends`, the urn
    to draw from is picked, urn i in moved[i] of sum(moved) cases).
    """
    from fractions import Fraction
    from itertools import combinations

    def share(red: int, other: int) -> Fraction:
        hands = list(combinations([1] * red + [0] * other, drawn))
        return Fraction(sum(sum(hand) in wanted for hand in hands), len(hands))

    if ends:
        cases = [urn for urn, weight in zip(first, moved, strict=True) for _ in range(weight)]
        return sum((share(*urn) for urn in cases), Fraction(0)) / len(cases)
    giving, taking = first
    total, ways = Fraction(0), 0
    for given in combinations([1] * giving[0] + [0] * giving[1], moved[0]):
        total += share(taking[0] + sum(given), taking[1] + len(given) - sum(given))
        ways += 1
    return total / ways


def _share(red: int, other: int, drawn: int, wanted: list[int]) -> Fraction:
    return Fraction(sum(comb(red, k) * comb(other, drawn - k) for k in wanted if k <= drawn), comb(red + other, drawn))


@generator("Weigh every branch by its chance and add", check=every_pair_of_draws)
def branches(rng: Random, difficulty: int) -> Draw | None:
    drawn = 1 if difficulty == 1 else rng.randint(1, 2)
    who = person(rng)
    colours = rng.sample(("red", "green", "white", "blue", "black"), 2)
    one, other = colours
    things, thing, box = rng.choice(
        (("balls", "ball", "box"), ("marbles", "marble", "bag"), ("sweets", "sweet", "tin"))
    )
    boxes = box + ("es" if box == "box" else "s")
    event, wanted = _event(rng, drawn, one, other, thing)
    if rng.random() < 0.5:
        moved = 1 if difficulty < 3 else 2
        urns = [[rng.randint(1, 5), rng.randint(1, 5)] for _ in range(2)]
        if Fraction(*urns[0]) == Fraction(*urns[1]) or min(sum(urns[1]), sum(urns[0])) < 3 or min(urns[0]) < moved:
            return None
        answer = sum(
            (
                _share(urns[0][0], urns[0][1], moved, [k])
                * _share(urns[1][0] + k, urns[1][1] + moved - k, drawn, wanted)
                for k in range(moved + 1)
            ),
            Fraction(0),
        )
        what = f"a {thing}" if moved == 1 else f"two {things}"
        first, second = (_content(urn, one, other, things, thing) for urn in urns)
        text = rng.choice(
            (
                f"{box.capitalize()} A contains {first}, and {box} B contains {second}. {who} takes {what} at random "
                f"from {box} A and puts {'it' if moved == 1 else 'them'} into {box} B without looking. Then "
                f"{event[0]} at random from {box} B. What is the probability that {event[1]}?",
                f"A large {box} holds {first}, and a small {box} holds {second}. Without looking, {who} moves {what} "
                f"from the large to the small {box}. After that, {event[0]} at random from the small {box}. What is "
                f"the probability that {event[1]}?",
            )
        )
        values = {"first": urns, "moved": [moved], "drawn": drawn, "wanted": wanted, "ends": False}
    else:
        number = 2 if difficulty < 3 else 3
        urns = [[rng.randint(1, 5), rng.randint(1, 5)] for _ in range(number)]
        if min(sum(urn) for urn in urns) <= drawn or urns[0] == urns[1]:
            return None
        weights, how = rng.choice(
            (
                ([1, 1], "tosses a fair coin and takes {a} if it shows heads and {b} otherwise"),
                ([2, 4], "rolls a fair die and takes {a} if it shows 1 or 2 and {b} otherwise"),
                ([1, 5], "rolls a fair die and takes {a} if it shows a 6 and {b} otherwise"),
                ([3, 1], "tosses a fair coin twice and takes {a} if heads comes up at least once and {b} otherwise"),
            )
            if number == 2
            else (
                ([1, 1, 1], "picks one of the three at random"),
                ([3, 2, 1], "rolls a fair die and takes {a} for an even number, {b} for 1 or 3 and {c} for 5"),
                ([1, 2, 1], "tosses two fair coins and takes {a} for two heads, {b} for one head and {c} for no heads"),
            )
        )
        answer = sum(
            (_share(urn[0], urn[1], drawn, wanted) * w for urn, w in zip(urns, weights, strict=True)), Fraction(0)
        ) / sum(weights)
        names = [f"{box} {letter}" for letter in "ABC"]
        held = listed(
            [
                f"{name} contains {_content(urn, one, other, things, thing)}"
                for name, urn in zip(names, urns, strict=False)
            ]
        )
        how = how.format(a=names[0], b=names[1], c=names[2])
        text = (
            f"{held[0].upper() + held[1:]}. {who} {how}. Then {event[0]} at random from this {box}. What is the "
            f"probability that {event[1]}?"
        ).replace("one of the three", f"one of the three {boxes}")
        values = {"first": urns, "moved": weights, "drawn": drawn, "wanted": wanted, "ends": True}
    if answer in (0, 1) or answer.denominator > (90, 400, 2000)[difficulty - 1]:
        return None
    return Draw(text, str(answer), values)


def _content(urn: list[int], one: str, other: str, things: str, thing: str) -> str:
    return f"{urn[0]} {one} and {urn[1]} {other} {thing if urn[1] == 1 else things}"


def _event(rng: Random, drawn: int, one: str, other: str, thing: str) -> tuple[tuple[str, str], list[int]]:
    if drawn == 1:
        return (f"one {thing} is drawn", f"this {thing} is {one}"), [1]
    event, wanted = rng.choice(
        (
            (f"both of these are {one}", [2]),
            (f"exactly one of these is {one}", [1]),
            (f"these are of the same colour, both {one} or both {other}", [0, 2]),
        )
    )
    return (f"two {thing}s are drawn together", event), wanted
