"""Problems on random numbers: points of a rectangle and extreme values."""

from fractions import Fraction
from math import comb
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import people, person


def strips_added(width: int, height: int, factor: int, minus: bool, low: int, high: int) -> object:
    """Add up the allowed stretches of y over x; they change linearly between whole x, so trapezoids are exact."""
    from fractions import Fraction

    def stretch(x: int) -> Fraction:
        shift = -x if minus else x
        bottom = max(Fraction(low - shift, factor), Fraction(0))
        top = min(Fraction(high - shift, factor), Fraction(height))
        return max(top - bottom, Fraction(0))

    area = sum((stretch(x) + stretch(x + 1) for x in range(width)), Fraction(0)) / 2
    return area / (width * height)


def _below(width: int, height: int, factor: int, minus: bool, bound: int) -> Fraction:
    """Return the area of the points with factor·y ± x at most the bound: a large triangle less what sticks out."""
    if minus:
        bound += width
    other = factor * height

    def triangle(side: int) -> int:
        return max(side, 0) ** 2

    sticking_out = triangle(bound - width) + triangle(bound - other) - triangle(bound - width - other)
    return Fraction(triangle(bound) - sticking_out, 2 * factor)


@generator("Draw two random numbers as a point in a rectangle", check=strips_added)
def points_in_rectangle(rng: Random, difficulty: int) -> Draw | None:
    first, second = people(rng, 2)
    scene = rng.choice(
        (("meet", "sum", "near"), ("meet", "sum", "bus", "ahead"), ("meet", "strip", "weighted", "bus"))[difficulty - 1]
    )
    factor, minus = 1, True
    if scene == "meet":
        width = height = rng.choice((60, 60, 30, 40, 90))
        start, end = {60: ("5:00", "6:00"), 30: ("5:00", "5:30"), 40: ("5:00", "5:40"), 90: ("4:00", "5:30")}[width]
        stay = rng.sample(range(5, width // 2 + 1, 5), 2)
        if difficulty == 1:
            stay[1] = stay[0]
        low, high = -stay[1], stay[0]
        waits = (
            f"Each of them waits {stay[0]} minutes for the other and then leaves"
            if difficulty == 1
            else f"{first} waits {stay[0]} minutes for {second} and then leaves; {second} waits {stay[1]} minutes for "
            f"{first} and then leaves"
        )
        place = rng.choice(("at a fountain", "in a café", "at a station", "in a library"))
        text = (
            f"{first} and {second} come to meet {place}, independently, each at a random moment between {start} and "
            f"{end}. {waits} (even if it is later than {end} by then). What is the probability that they meet?"
        )
        # y is the arrival of the second: it may be up to stay[0] after the first and stay[1] before.
    elif scene in ("sum", "weighted"):
        width, height = rng.randint(2, 9), rng.randint(2, 9)
        minus = False
        if scene == "weighted":
            factor = rng.randint(2, 3)
        whole = width + factor * height
        limit = rng.randint(1, whole - 1)
        less = rng.random() < 0.6
        low, high = (0, limit) if less else (limit, whole)
        relation = "\\le" if less else "\\ge"
        expression = "x + y" if factor == 1 else f"x + {factor}y"
        text = rng.choice(
            (
                f"A real number $x$ is chosen at random from the interval $[0, {width}]$ and, independently, a real "
                f"number $y$ from the interval $[0, {height}]$. What is the probability that ${expression} {relation} "
                f"{limit}$?",
                f"A point $(x, y)$ is chosen at random in the rectangle with corners $(0, 0)$, $({width}, 0)$, "
                f"$({width}, {height})$ and $(0, {height})$. Find the probability that ${expression} {relation} "
                f"{limit}$.",
            )
        )
        if scene == "sum" and rng.random() < 0.4:
            text = (
                f"A carpenter saws two strips of wood at random: the first is between 0 and {width} dm long, the "
                f"second, independently, between 0 and {height} dm, all lengths being equally likely. What is the "
                f"probability that both together are {'at most' if less else 'at least'} {limit} dm long?"
            )
    elif scene == "near":
        width = height = rng.randint(3, 12)
        distance = rng.randint(1, width - 1)
        low, high = -distance, distance
        text = rng.choice(
            (
                f"Two real numbers are chosen independently and at random from the interval $[0, {width}]$. What is "
                f"the probability that they differ by less than ${distance}$?",
                f"Two bees land independently at random points of a stick that is {width} dm long. What is the "
                f"probability that they are less than {distance} dm apart?",
            )
        )
    elif scene == "ahead":
        width, height = rng.randint(3, 12), rng.randint(3, 12)
        distance = rng.randint(0, 4)
        low, high = distance, height + 1
        by = f" by at least ${distance}$" if distance else ""
        if distance >= height - 1:
            return None
        text = rng.choice(
            (
                f"A real number $a$ is chosen at random from $[0, {width}]$ and, independently, a real number $b$ "
                f"from $[0, {height}]$. What is the probability that $b$ exceeds $a${by}?",
                f"In a game {first} stops a pointer at a random place of a scale from 0 to {width}, and {second} "
                f"stops one at a random place of a scale from 0 to {height}, independently. With what probability "
                f"does {second}'s number exceed {first}'s{by}?",
            )
        )
    elif scene == "bus":
        width, height = rng.choice(((20, 30), (30, 30), (30, 20), (40, 60), (60, 40), (30, 60)))
        stop, patience = rng.sample(range(2, 16), 2)
        low, high = -stop, patience
        text = (
            f"A ferry arrives at a random moment within the {height} minutes after noon and leaves again {stop} "
            f"minutes after its arrival. Independently, {first} comes to the landing stage at a random moment within "
            f"the {width} minutes after noon and goes away again if no ferry has come within {patience} minutes. What "
            f"is the probability that {first} and the ferry meet?"
        )
    else:
        width, height = rng.randint(3, 10), rng.randint(3, 10)
        minus = rng.random() < 0.4
        factor = rng.choice((1, 1, 2))
        bottom, top = (-width, factor * height) if minus else (0, width + factor * height)
        if top - bottom < 4:
            return None
        low = rng.randint(bottom + 1, top - 2)
        high = rng.randint(low + 1, top - 1)
        expression = ("y" if factor == 1 else f"{factor}y") + (" - x" if minus else " + x")
        if not minus:
            expression = "x + y" if factor == 1 else f"x + {factor}y"
        text = rng.choice(
            (
                f"A real number $x$ is chosen at random from the interval $[0, {width}]$ and, independently, a real "
                f"number $y$ from the interval $[0, {height}]$. What is the probability that ${low} \\le {expression} "
                f"\\le {high}$?",
                f"A point $(x, y)$ is chosen at random in the rectangle $0 \\le x \\le {width}$, $0 \\le y \\le "
                f"{height}$. Determine the probability that the value of ${expression}$ lies between ${low}$ and "
                f"${high}$.",
            )
        )
    area = _below(width, height, factor, minus, high) - _below(width, height, factor, minus, low)
    answer = area / (width * height)
    if answer in (0, 1) or answer == Fraction(1, 2) or answer.denominator > (150, 300, 500)[difficulty - 1]:
        return None
    values = {"width": width, "height": height, "factor": factor, "minus": minus, "low": low, "high": high}
    return Draw(text, str(answer), values)


def listed_rows(number: int, taken: int, back: bool, smallest: list[int], largest: list[int]) -> object:
    """List everything that can be rolled or drawn and count where both extremes are in their ranges."""
    from fractions import Fraction
    from itertools import combinations, product

    values = range(1, number + 1)
    rows = list(product(values, repeat=taken) if back else combinations(values, taken))
    good = sum(smallest[0] <= min(row) <= smallest[1] and largest[0] <= max(row) <= largest[1] for row in rows)
    return Fraction(good, len(rows))


_NUMBERS = ("zero", "one", "two", "three", "four", "five")


@generator("Find the chance of a maximum from two cumulative chances", check=listed_rows)
def extremes(rng: Random, difficulty: int) -> Draw | None:
    back = rng.random() < 0.5
    number = (
        rng.choice(
            (6, 6, 8, 4),
        )
        if back and difficulty == 1
        else rng.choice((6, 8, 10, 12))
        if back
        else rng.randint(6, (9, 14, 16)[difficulty - 1])
    )
    taken = rng.randint(*((2, 2), (2, 3), (3, 4))[difficulty - 1])
    if back and number**taken > 1800:
        return None
    kind = rng.choice(("largest", "smallest") if difficulty < 3 else ("largest", "smallest", "both", "between"))
    smallest, largest = [1, number], [1, number]
    edge = rng.randint(2, number - 1)
    if kind == "largest":
        largest = [edge, edge]
        asked = f"the largest of the {_NUMBERS[taken]} numbers is exactly {edge}"
        if taken == 2:
            asked = asked.replace("largest", "maximum" if back else "larger")
    elif kind == "smallest":
        smallest = [edge, edge]
        asked = f"the smallest of the {_NUMBERS[taken]} numbers is exactly {edge}"
        if taken == 2:
            asked = asked.replace("smallest", "minimum" if back else "smaller")
    elif kind == "both":
        low = rng.randint(1, number - 2)
        high = rng.randint(low + 2, number)
        smallest, largest = [low, low], [high, high]
        asked = f"{low} is the smallest and {high} the largest of the {_NUMBERS[taken]} numbers"
    else:
        low = rng.randint(2, number - 2)
        high = rng.randint(low + 1, number - 1)
        largest = [low, high]
        asked = f"the largest of the {_NUMBERS[taken]} numbers is at least {low} and at most {high}"

    def inside(low: int, high: int) -> int:
        size = max(high - low + 1, 0)
        return int(size**taken) if back else comb(size, taken)

    if kind == "both":
        low, high = smallest[0], largest[0]
        ways = inside(low, high) - inside(low + 1, high) - inside(low, high - 1) + inside(low + 1, high - 1)
    elif kind == "smallest":
        ways = inside(edge, number) - inside(edge + 1, number)
    else:
        ways = inside(1, largest[1]) - inside(1, largest[0] - 1)
    answer = Fraction(ways, inside(1, number))
    if answer in (0, 1) or (kind == "both" and ways == 1):
        return None
    who = person(rng)
    if back:
        text = rng.choice(
            (
                f"{_NUMBERS[taken].capitalize()} fair {number}-sided dice with the numbers 1 to {number} are rolled. "
                f"What is the probability that {asked}?",
                f"{who} spins a wheel with {number} equal sectors, numbered 1 to {number}, {_times(taken)}. How "
                f"likely is it that {asked}?",
                f"{_NUMBERS[taken].capitalize()} players each think of a random number from 1 to {number}, all "
                f"independently and with equal chances. What is the probability that {asked}?",
            )
        )
    else:
        text = rng.choice(
            (
                f"{_NUMBERS[taken].capitalize()} cards are drawn together from {number} cards that are numbered from "
                f"1 to {number}. What is the probability that {asked}?",
                f"{who} takes {_NUMBERS[taken]} balls at random from an urn with balls numbered 1 to {number}, "
                f"without putting any back. How likely is it that {asked}?",
                f"In a small lottery {_NUMBERS[taken]} different numbers are drawn from the numbers 1 to {number}. "
                f"Find the probability that {asked}.",
            )
        )
    values = {"number": number, "taken": taken, "back": back, "smallest": smallest, "largest": largest}
    return Draw(text, str(answer), values)


def _times(number: int) -> str:
    return {2: "twice", 3: "three times", 4: "four times"}[number]
