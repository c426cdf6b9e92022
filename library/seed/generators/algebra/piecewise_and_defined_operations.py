"""Problems on defined operations and on floors."""

from fractions import Fraction
from math import prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person, signed


def one_by_one(kind: str, constant: int, numbers: list[list[int]]) -> str:
    """Apply the operation to two numbers at a time, as it is defined."""
    from fractions import Fraction

    result, *others = (Fraction(*number) for number in numbers)
    for other in others:
        result = (
            (result + other) / (1 + result * other)
            if kind == "tanh"
            else result * other + constant * (result + other) + constant * constant - constant
        )
    return str(result)


@generator("Find a change of variable that turns an operation into multiplication", check=one_by_one)
def chained_operation(rng: Random, difficulty: int) -> Draw | None:
    length = rng.randint(*((3, 4), (4, 6), (6, 9))[difficulty - 1])
    symbol = rng.choice((r"\circ", r"\star", r"\ast", r"\diamond"))
    name = person(rng)
    if difficulty > 1 and rng.random() < 0.35:
        # phi(a) = (1 + a)/(1 - a) turns the operation into multiplication.
        numbers = [Fraction(1, n) for n in rng.sample(range(2, 6 + 2 * difficulty), min(length, 3 + difficulty))]
        total = prod(((1 + number) / (1 - number) for number in numbers), start=Fraction(1))
        answer = (total - 1) / (total + 1)
        written = [rf"\frac{{1}}{{{number.denominator}}}" for number in numbers]
        rule = r"\dfrac{a + b}{1 + ab}"
        kind, constant = "tanh", 0
        if answer.denominator > 2000:
            return None
    else:
        kind, constant = "shift", rng.choice((-4, -3, -2, -1, 1, 2, 3))
        # phi(a) = a + constant
        low = 1 - constant if difficulty == 1 else -3 - constant
        shifted = [n for n in range(low, low + 9 + difficulty) if n + constant not in (0, 1, -1)]
        if rng.random() < 0.3 and difficulty > 1:
            base = rng.choice([n for n in shifted if abs(n + constant) in (2, 3)])
            integers = [base] * length
        else:
            integers = rng.sample(shifted, min(length, len(shifted), 4 + difficulty))
        numbers = [Fraction(n) for n in integers]
        answer = prod((number + constant for number in numbers), start=Fraction(1)) - constant
        written = [str(n) for n in integers]
        rest = constant * constant - constant
        rule = " ".join(f"ab {signed(constant, 'a')} {signed(constant, 'b')} {signed(rest)}".split())
    defined = f"$a {symbol} b = {rule}$"
    if len(set(written)) == 1:
        times = len(written)
        chain = rf"{written[0]} {symbol} {written[0]} {symbol} \cdots {symbol} {written[0]}"
        problem = rng.choice(
            (
                f"An operation on numbers is defined by {defined}; brackets do not matter for it. Evaluate "
                f"${chain}$, where the "
                f"number ${written[0]}$ occurs {times} times.",
                f"The number ${written[0]}$ is written on a blackboard {times} times. Again and again {name} wipes "
                f"out two of the "
                f"numbers, $a$ and $b$, and writes ${rule}$ instead, until a single number is left. Which number is "
                f"it?",
            )
        )
    else:
        opened = "(" * (len(written) - 2) + f"{written[0]} {symbol} {written[1]}"
        for text in written[2:]:
            opened += f") {symbol} {text}"
        row = listed([f"${text}$" for text in written])
        problem = rng.choice(
            (
                f"An operation on numbers is defined by {defined}. Evaluate ${opened}$.",
                f"The numbers {row} are on a blackboard. Again and again two of them, $a$ and $b$, are wiped out and "
                f"${rule}$ is "
                "written instead, until a single number is left. Which number is it?",
                f"A machine takes two numbers $a$ and $b$ and returns ${rule}$. {name} has cards with the numbers "
                f"{row} and keeps "
                "exchanging two cards for one with the number that the machine returns for them. Which number is on "
                "the last "
                "card?",
            )
        )
    values = {
        "kind": kind,
        "constant": constant,
        "numbers": [[number.numerator, number.denominator] for number in numbers],
    }
    return Draw(problem, str(answer), values)


def tried_floors(conditions: list[list[int]], wanted: str) -> int:
    """Divide every integer as told and compare the rounded results."""
    fits = []
    for n in range(-700, 701):
        # A condition [a, b, c, value] asks for floor((a*n + b)/c) = value.
        if all((a * n + b) // c == value for a, b, c, value in conditions):
            fits.append(n)
    return {"count": len(fits), "sum": sum(fits), "largest": max(fits), "smallest": min(fits)}[wanted]


@generator("Trap a rounded expression between consecutive integers", check=tried_floors)
def trapped_integers(rng: Random, difficulty: int) -> Draw | None:
    wanted = rng.choice(("count", "largest", "smallest") if difficulty < 3 else ("count", "sum", "largest", "smallest"))
    story = rng.randrange(4)
    if story < 2:
        number = rng.randint(1, 1) if difficulty == 1 else 2
        sizes = rng.sample(range(4, 16 + 4 * difficulty), number)
        hidden = rng.randint(30, 150 + 100 * difficulty)
        conditions = [[1, 0, size, hidden // size] for size in sizes]
    else:
        number = 1 if difficulty < 3 else 2
        hidden = rng.randint(-20 * difficulty, 30 * difficulty)
        conditions = []
        for _ in range(number):
            a = 1 if difficulty == 1 else rng.choice((2, 3, 4, 5))
            b, c = rng.choice([n for n in range(-9, 10) if n]), rng.randint(5, 9 + 5 * difficulty)
            conditions.append([a, b, c, (a * hidden + b) // c])
    low = max(-((b - c * value) // a) for a, b, c, value in conditions)
    high = min((c * value + c - 1 - b) // a for a, b, c, value in conditions)
    fits = range(low, high + 1)
    single = [
        high_one - low_one
        for low_one, high_one in (
            (-((b - c * value) // a), (c * value + c - 1 - b) // a) for a, b, c, value in conditions
        )
    ]
    if len(fits) < 2 or (len(conditions) > 1 and len(fits) == min(single) + 1):
        return None
    answer = {"count": len(fits), "sum": sum(fits), "largest": high, "smallest": low}[wanted]
    goal = {
        "count": "How many values are possible for {}?",
        "sum": "What is the sum of all possible values of {}?",
        "largest": "What is the largest possible value of {}?",
        "smallest": "What is the smallest possible value of {}?",
    }[wanted]
    name = person(rng)
    if story == 0:
        thing, box = rng.choice((("bottles", "crates"), ("eggs", "trays"), ("tiles", "cartons"), ("apples", "baskets")))
        packed = [f"with {c} {thing} each, exactly {value} {box} can be filled" for _, _, c, value in conditions]
        problem = (
            f"A storeroom holds $N$ {thing}, which are to be packed in {box}: {', and '.join(packed)}. "
            f"{'In both cases some' if len(packed) > 1 else 'Some'} {thing} may be left over. {goal.format('$N$')}"
        )
    elif story == 1:
        shares = listed([f"by {c}" for _, _, c, _ in conditions])
        results = listed([str(value) for _, _, _, value in conditions])
        order = ", in this order" if len(conditions) > 1 else ""
        what = "results are" if len(conditions) > 1 else "result is"
        problem = (
            f"{name} divides a positive integer $N$ {shares}. When the digits after the decimal point are left out, "
            f"the "
            f"{what} {results}{order}. {goal.format('$N$')}"
        )
    else:
        contents = [f"{'' if a == 1 else a}n {signed(b)}" for a, b, _, _ in conditions]
        floors = listed(
            [
                rf"$\left\lfloor \dfrac{{{content}}}{{{c}}} \right\rfloor = {value}$"
                for content, (_, _, c, value) in zip(contents, conditions, strict=True)
            ]
        )
        problem = rng.choice(
            (
                f"An integer $n$ satisfies {floors}. {goal.format('$n$')}",
                "Let $\\lfloor t \\rfloor$ be the greatest integer that does not exceed $t$. Suppose that "
                f"{floors} for an integer $n$. {goal.format('$n$')}",
            )
        )
    return Draw(problem, str(answer), {"conditions": conditions, "wanted": wanted})
