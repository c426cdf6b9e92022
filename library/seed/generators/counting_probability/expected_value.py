"""Problems on average payoffs and average waits."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def every_outcome_once(payoffs: list[list[int]], outcomes: int, unknown: str, given: list[int]) -> object:
    """Write down the payoff of every equally likely outcome and divide their sum by their number.

    An unknown prize is raised step by step until the mean is the given one.
    """
    from fractions import Fraction

    def mean(prize: int) -> Fraction:
        row = [
            prize if amount < 0 and unknown == "prize" else amount for amount, times in payoffs for _ in range(times)
        ]
        row += [0] * (outcomes - len(row))
        return Fraction(sum(row), len(row))

    if unknown == "prize":
        prize = 1
        while mean(prize) != Fraction(given[0], given[1]):
            prize += 1
        return prize
    profit = Fraction(given[0], given[1])
    return mean(0) + profit if unknown == "price" else mean(0) - profit


@generator("Weigh every payoff by its probability", check=every_outcome_once)
def average_payoffs(rng: Random, difficulty: int) -> Draw | None:
    scene = rng.choice(("raffle", "wheel", "dice", "cards") if difficulty > 1 else ("raffle", "wheel", "die"))
    unknown = rng.choice((("mean",), ("mean", "price"), ("mean", "price", "prize"))[difficulty - 1])
    who = person(rng)
    kinds = rng.randint(*((1, 2), (2, 3), (3, 4))[difficulty - 1])
    given = Fraction(0)
    if scene == "raffle":
        outcomes = rng.choice(((20, 25, 40, 50), (100, 150, 200, 250), (300, 400, 500, 800))[difficulty - 1])
        amounts = sorted(rng.sample((2, 5, 10, 15, 20, 25, 40, 50, 60, 80, 100, 150), kinds), reverse=True)
        numbers = sorted(rng.sample(range(1, 4 + 4 * difficulty), kinds))
        payoffs = [list(pair) for pair in zip(amounts, numbers, strict=True)]
        prizes = listed([_tickets(number, amount) for amount, number in payoffs])
        start = f"A club sells {outcomes} raffle tickets. {prizes[0].upper() + prizes[1:]}; all the others win nothing."
        game = "ticket"
    elif scene == "wheel":
        outcomes = rng.choice(((4, 5, 6, 8), (8, 10, 12), (12, 16, 20))[difficulty - 1])
        amounts = sorted(rng.sample((1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20), kinds), reverse=True)
        numbers = [rng.randint(1, 2 + index) for index in range(kinds)]
        payoffs = [list(pair) for pair in zip(amounts, numbers, strict=True)]
        if sum(numbers) >= outcomes:
            return None
        sectors = listed([f"{_sectors(number)} {amount} dollar{'s' * (amount > 1)}" for amount, number in payoffs])
        rest = "the others pay nothing"
        start = f"A wheel of fortune has {outcomes} equal sectors. {sectors[0].upper() + sectors[1:]}; {rest}."
        game = "spin"
    elif scene == "die":
        outcomes = 6
        amount, other = rng.sample(range(1, 13), 2)
        rule, often, other_often = rng.choice(
            (
                ("a 6 pays {a} dollars, a 5 pays {b} dollars", 1, 1),
                ("an even number pays {a} dollars, a 1 pays {b} dollars", 3, 1),
                ("a 1 or a 2 pays {a} dollars, a 6 pays {b} dollars", 2, 1),
            )
        )
        payoffs = [[amount, often], [other, other_often]]
        rule = rule.format(a=amount, b=other).replace(" 1 dollars", " 1 dollar")
        start = f"In a game, a fair die is rolled once: {rule}, and any other number pays nothing."
        game = "game"
    elif scene == "dice":
        outcomes = 36
        rules = rng.sample(_DICE_RULES, 1 if difficulty == 2 else 2)
        rolls = list(product(range(1, 7), repeat=2))
        counts = [sum(rule[1](a, b) for a, b in rolls) for rule in rules]
        if len(rules) == 2 and any(rules[0][1](a, b) and rules[1][1](a, b) for a, b in rolls):
            return None
        amounts = sorted(rng.sample(range(2, 25), len(rules)), reverse=True)
        payoffs = [list(pair) for pair in zip(amounts, counts, strict=True)]
        told = listed([f"{amount} dollars if {rule[0]}" for amount, rule in zip(amounts, rules, strict=True)])
        start = f"In a game two fair dice are rolled. The game pays {told}, and nothing otherwise."
        game = "game"
    else:
        outcomes = 52
        amounts = sorted(rng.sample((2, 3, 4, 5, 6, 8, 10, 13, 20, 26), 2), reverse=True)
        first, second = rng.choice(
            (
                (("an ace", 4), ("a king", 4)),
                (("an ace", 4), ("a jack, a queen or a king", 12)),
                (("the queen of spades", 1), ("a heart", 13)),
                (("a king", 4), ("a red queen", 2)),
            )
        )
        payoffs = [[amounts[0], first[1]], [amounts[1], second[1]]]
        start = (
            "From a well shuffled deck of 52 cards (13 in each of the four suits) one card is drawn. "
            f"{first[0].capitalize()} pays {amounts[0]} dollars, {second[0]} pays {amounts[1]} dollars, and any other "
            "card pays nothing."
        )
        game = "game"
    mean = Fraction(sum(amount * number for amount, number in payoffs), outcomes)
    if mean.denominator > (10, 60, 100)[difficulty - 1] or mean > 20:
        return None
    answer = mean
    if unknown == "mean":
        price = rng.randint(1, 5)
        if difficulty == 1 or rng.random() < 0.5:
            question = f"How many dollars does one {game} win on average?"
            if game != "ticket":
                question = f"How many dollars does one {game} pay on average?"
        else:
            given = Fraction(price)
            answer = mean - price
            cost = "dollar" if price == 1 else "dollars"
            question = (
                f"{who} pays {price} {cost} for one {game}. What is {who}'s average gain in dollars, where a loss "
                "counts as negative?"
            )
    elif unknown == "price":
        given = rng.choice((Fraction(0), Fraction(1, 2), Fraction(1), Fraction(1, 4)))
        answer = mean + given
        amount_text = "1 dollar" if given == 1 else f"${_tex(given)}$ of a dollar"
        profit = f"an average profit of exactly {amount_text} on each {game}"
        if given == 0:
            question = (
                f"Which price of one {game}, in dollars, makes the game fair, so that on average nobody gains or loses?"
            )
        else:
            question = f"Which price of one {game}, in dollars, gives the organizers {profit}?"
    else:
        given, answer = mean, Fraction(payoffs[0][0])
        old = f"{payoffs[0][0]} dollars"
        if old not in start or payoffs[0][0] < 2:
            return None
        start = start.replace(old, "$x$ dollars", 1)
        payoffs[0][0] = -1
        question = f"On average, one {game} wins ${_tex(mean)}$ dollars. Find $x$."
        if mean == 1:
            return None
    values = {
        "payoffs": payoffs,
        "outcomes": outcomes,
        "unknown": unknown,
        "given": [given.numerator, given.denominator],
    }
    return Draw(f"{start} {question}", str(answer), values)


_DICE_RULES: tuple[tuple[str, Callable[[int, int], bool]], ...] = (
    ("both show the same number", lambda a, b: a == b),
    ("the sum is 7", lambda a, b: a + b == 7),
    ("the sum is 11", lambda a, b: a + b == 11),
    ("the product is odd", lambda a, b: a * b % 2 == 1),
    ("the sum is at least 10", lambda a, b: a + b >= 10),
    ("the sum is less than 5", lambda a, b: a + b < 5),
    ("exactly one of them shows a 6", lambda a, b: (a == 6) != (b == 6)),
    ("the numbers differ by 3", lambda a, b: abs(a - b) == 3),
)


def _word(number: int) -> str:
    return (
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")[number - 1]
        if number < 11
        else str(number)
    )


def _tickets(number: int, amount: int) -> str:
    if number == 1:
        return f"one ticket wins {amount} dollars"
    return f"{_word(number)} tickets win {amount} dollars each"


def _sectors(number: int) -> str:
    return "one sector pays" if number == 1 else f"{_word(number)} sectors pay"


def _tex(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"\\frac{{{value.numerator}}}{{{value.denominator}}}"


def followed_step_by_step(chances: list[list[int]], kinds: list[int]) -> object:
    """Follow the chances of the stages from step to step and add the chances that the end is not yet reached.

    `chances` holds the chance of each stage, or the chance that a step counts at all where `kinds` = [kinds, first,
    last] says how many different things are collected.
    """
    from fractions import Fraction
    from math import lcm

    counts = [Fraction(part, whole) for part, whole in chances]
    if kinds:
        number, owned, wanted = kinds
        counts = [counts[0] * (number - have) / number for have in range(owned, wanted)]
    moves = [float(chance) for chance in counts]
    state, waits = [1.0] + [0.0] * (len(moves) - 1), 0.0
    while sum(state) > 1e-16:
        waits += sum(state)
        stay = [here * (1 - move) for here, move in zip(state, moves, strict=True)]
        come = [0.0, *(here * move for here, move in zip(state, moves, strict=True))]
        state = [a + b for a, b in zip(stay, come, strict=False)]
    below = lcm(*(chance.numerator for chance in counts))
    return Fraction(round(waits * below), below)


@generator("Split a wait into stages and add their means", check=followed_step_by_step)
def waits_in_stages(rng: Random, difficulty: int) -> Draw | None:
    who = person(rng)
    scene = rng.choice(("stages", "collect") if difficulty < 3 else ("stages", "collect", "duds"))
    chance_pool = ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (1, 6), (5, 6))
    kinds: list[int] = []
    if scene == "stages":
        number = (2, 3, 4)[difficulty - 1]
        chances = [Fraction(*pair) for pair in rng.sample(chance_pool, number)]
        answer = sum((1 / chance for chance in chances), Fraction(0))
        shown = listed([f"${_tex(chance)}$" for chance in chances])
        count = {2: "two", 3: "three", 4: "four"}[number]
        each = {2: "both exams"}.get(number, f"all {count} exams")
        levels = listed([f"level {level}" for level in range(1, number + 1)])
        text = rng.choice(
            (
                f"{who} must pass {count} exams in a fixed order and can repeat each of them as often as needed. An "
                f"attempt at the exams succeeds with probability {shown}, respectively, whatever happened before. How "
                f"many attempts does {who} need on average to pass {each}?",
                f"A computer game has {count} levels. Each try at {levels} succeeds with probability {shown}, "
                "respectively; after a failure the same level is tried again. What is the mean number of tries until "
                f"{'both' if number == 2 else 'all'} levels are done?",
                f"A climber works on {count} boulders one after another and goes on to the next one only after having "
                f"climbed the one before. At the {count} boulders an attempt succeeds with probability {shown}, "
                "respectively, independently of other attempts. Find the expected number of attempts in all.",
            )
        )
        pairs = [[chance.numerator, chance.denominator] for chance in chances]
    else:
        number = rng.randint(*((2, 4), (4, 7), (4, 8))[difficulty - 1])
        owned = rng.randint(0, number - (1 if difficulty == 1 else 2))
        wanted = number if difficulty < 3 or rng.random() < 0.5 else rng.randint(owned + 1, number)
        if wanted - owned < (1, 2, 2)[difficulty - 1]:
            return None
        hit = Fraction(*rng.choice(((1, 2), (2, 3), (3, 4), (4, 5)))) if scene == "duds" else Fraction(1)
        kinds, pairs = [number, owned, wanted], [[hit.numerator, hit.denominator]]
        answer = sum((number / (hit * (number - have)) for have in range(owned, wanted)), Fraction(0))
        goal = f"all {number}" if wanted == number else f"{wanted} different"
        if number == 2 and wanted == 2:
            goal = "both"
        more = "more " if owned else ""
        what = rng.choice(("egg", "die", "card", "wheel"))
        if what == "egg":
            has = (
                f"{who} already has {owned} different figures. "
                if owned > 1
                else f"{who} already has one figure. "
                if owned
                else ""
            )
            dud = f"contains a figure with probability ${_tex(hit)}$, and then it is" if hit < 1 else "contains"
            text = (
                f"Every chocolate egg {dud} one of {number} different figures, each with the same chance. {has}How "
                f"many {more}eggs must {who} open on average to own {goal} figures?"
            )
        elif what == "card":
            has = f"{who} has collected {_word(owned)} of them so far. " if owned else ""
            dud = (
                f"; only the fraction ${_tex(hit)}$ of the packets holds a card at all, chosen at random"
                if hit < 1
                else ""
            )
            text = (
                f"A tea firm puts picture cards into its packets, each of them one of {number} different pictures, "
                f"all equally likely{dud}. {has}What is the mean number of {more}packets needed to have {goal} "
                "pictures?"
            )
        else:
            if hit < 1:
                return None
            if what == "die" and number not in (4, 6, 8):
                return None
            if what == "die":
                thing = f"A fair {number}-sided die with the numbers 1 to {number} is rolled"
                items, one, act = "numbers", "number", "rolls"
            else:
                thing = f"A wheel with {number} equal sectors in {number} different colours is spun"
                items, one, act = "colours", "colour", "spins"
            has = (
                f"So far {owned} different {items} have come up. "
                if owned > 1
                else f"So far one {one} has come up. "
                if owned
                else ""
            )
            text = (
                f"{thing} again and again. {has}How many {more}{act} are needed on average until {goal} {items} have "
                "come up at least once?"
            )
    if answer.denominator > 900:
        return None
    return Draw(text, str(answer), {"chances": pairs, "kinds": kinds})
