"""Problems on median, mean and variance."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def tried_on_a_fine_scale(known: list[int], excess: int, middle: list[int], asked: str, whole: bool) -> object:
    """Put every value of a fine scale into the list and compare mean and median of the whole list.

    Wanted is a mean that exceeds the median by `excess` or, if `middle` is given, a median of that value.
    """
    from fractions import Fraction

    number = len(known) + 1
    # As the median x is a multiple of 1/(number - 1), as one of two middle values of 1/(number - 2), else of 1/2.
    scale = 1 if whole else number - 1 if number % 2 else 2 * (number - 2)
    limit = number * (max(map(abs, known)) + abs(excess)) + sum(map(abs, known))
    found = []
    for x in range(1 if whole else -limit * scale, limit * scale + 1):
        row = sorted([value * scale for value in known] + [x])
        twice_the_median = row[(number - 1) // 2] + row[number // 2]
        if middle:
            fits = twice_the_median * middle[1] == 2 * scale * middle[0]
        else:
            fits = 2 * sum(row) == number * (twice_the_median + 2 * scale * excess)
        if fits:
            found.append(Fraction(x, scale))
    return {"sum": sum(found), "largest": max(found), "smallest": min(found)}[asked]


def _solutions(known: list[int], excess: int) -> list[Fraction]:
    number, total, row = len(known) + 1, sum(known), sorted(known)
    half = number // 2
    found: set[Fraction] = set()
    cases: list[tuple[Fraction, int | None, int | None]]
    if number % 2:
        low, high = row[half - 1], row[half]
        cases = [
            (Fraction(number * (low + excess) - total), None, low),
            (Fraction(number * (high + excess) - total), high, None),
        ]
        inner = Fraction(total - number * excess, number - 1)
    else:
        low, centre, high = row[half - 2], row[half - 1], row[half]
        cases = [
            (Fraction(number * (low + centre + 2 * excess), 2) - total, None, low),
            (Fraction(number * (centre + high + 2 * excess), 2) - total, high, None),
        ]
        inner = Fraction(2 * total - number * (centre + 2 * excess), number - 2)
    for value, least, most in cases:
        if (least is None or value >= least) and (most is None or value <= most):
            found.add(value)
    if low <= inner <= high:
        found.add(inner)
    return sorted(found)


@generator("Place the unknown value among the sorted data", check=tried_on_a_fine_scale)
def unknown_value(rng: Random, difficulty: int) -> Draw | None:
    who = person(rng)
    whole = rng.random() < 0.5
    count = (rng.choice((3, 3, 5)), rng.choice((4, 4, 5)), rng.choice((4, 5, 6)))[difficulty - 1]
    known = rng.sample(range(1, (15, 21, 31)[difficulty - 1]), count)
    shown = [str(value) for value in known]
    position = rng.randint(0, count)
    if difficulty == 1:
        row = sorted(known)
        middle = row[count // 2]
        x = (
            rng.randint(row[count // 2 - 1] + 1, row[count // 2 + 1] - 1)
            if row[count // 2 + 1] - row[count // 2 - 1] > 1
            else 0
        )
        if x in (0, middle):
            return None
        median = Fraction(x + middle, 2)
        value = str(median) if median.denominator == 1 else f"{median.numerator // 2}.5"
        text = rng.choice(
            (
                f"The {count + 1} numbers {_numbers(known, position)} have the median ${value}$. What is $x$?",
                f"{who} has noted the temperatures {listed(shown)} degrees in {count} towns. With the temperature of "
                f"one more town, the median becomes {value} degrees. How many degrees were measured there?",
                f"In a game {who} scored {listed(shown)} points in the first {count} rounds. After one more round the "
                f"median of all the scores is {value}. How many points did {who} score in the last round?",
            )
        )
        values = {
            "known": known,
            "excess": 0,
            "middle": [median.numerator, median.denominator],
            "asked": "sum",
            "whole": False,
        }
        return Draw(text, str(x), values)
    excess = 0 if difficulty == 2 else rng.choice((1, -1, 2, -2, 0))
    if difficulty == 3 and excess == 0 and count < 6:
        return None
    found = _solutions(known, excess)
    if whole:
        found = [value for value in found if value.denominator == 1 and value >= 1]
    if not found or any(value in known for value in found):
        return None
    if len(found) == 1:
        asked, question = "sum", ""
    else:
        asked = rng.choice(("largest", "smallest") if whole else ("sum", "largest"))
        question = asked
    relation = "equals their median"
    if excess:
        relation = f"is ${abs(excess)}$ {'greater' if excess > 0 else 'less'} than their median"
    if whole:
        end = f"What is the {question} possible value of this number?" if question else "Which number is it?"
        text = rng.choice(
            (
                f"{count} cousins are {listed(shown)} years old. When the age of {who}, a whole number of years, is "
                f"put into the list as well, the mean of the {count + 1} ages {relation}. "
                + (f"What is the {question} possible age of {who}?" if question else f"How old is {who}?"),
                f"{who} writes a positive integer next to the numbers {listed(shown)} and finds that the mean of the "
                f"{count + 1} numbers {relation}. {end}",
            )
        )
        if text[0].isdigit():
            text = f"{('Four', 'Five', 'Six')[count - 4]}{text[1:]}"
    else:
        end = {
            "sum": "Find the sum of all possible values of $x$.",
            "largest": "Find the greatest possible value of $x$.",
            "": "Find $x$.",
        }[question]
        text = rng.choice(
            (
                f"The mean of the {count + 1} numbers {_numbers(known, position)} {relation}, where $x$ is a real "
                f"number. {end}",
                f"A list consists of the numbers {listed(shown)} and a real number $x$. The mean of its {count + 1} "
                f"numbers {relation}. {end}",
            )
        )
    answer = {"sum": sum(found, Fraction(0)), "largest": max(found), "smallest": min(found)}[asked]
    return Draw(text, str(answer), {"known": known, "excess": excess, "middle": [], "asked": asked, "whole": whole})


def _numbers(known: list[int], position: int) -> str:
    row = [f"${value}$" for value in known]
    return listed([*row[:position], "$x$", *row[position:]])


def deviations_merged(
    groups: list[list[int]], added: list[int], removed: list[int], asked: str, given: list[int]
) -> object:
    """Carry number, mean and sum of squared deviations along while groups join and values come and go.

    A group is its number, its mean and its standard deviation. An unknown mean of the last group is raised step by
    step until the variance of all is the given one.
    """
    from fractions import Fraction

    def variance(parts: list[list[int]]) -> Fraction:
        number, mean, deviations = 0, Fraction(0), Fraction(0)
        for more, centre, spread in [*parts, *([1, value, 0] for value in added)]:
            gap = centre - mean
            deviations += more * spread**2 + gap**2 * Fraction(number * more, number + more)
            mean += gap * Fraction(more, number + more)
            number += more
        for value in removed:
            rest = (number * mean - value) / (number - 1)
            deviations -= (value - rest) ** 2 * Fraction(number - 1, number)
            mean, number = rest, number - 1
        return deviations / number

    if asked == "squares":
        number, centre, spread = groups[0]
        return sum(value**2 for value in (centre - spread, centre + spread) for _ in range(number // 2))
    if asked == "variance":
        return variance(groups)
    trial = groups[0][1] + 1
    while variance([groups[0], [groups[1][0], trial, groups[1][2]]]) != Fraction(given[0], given[1]):
        trial += 1
    return trial


@generator("Get the variance from the mean of the squares", check=deviations_merged)
def variances(rng: Random, difficulty: int) -> Draw | None:
    who = person(rng)
    kind = rng.choice(
        (("list", "squares", "add"), ("join", "delete", "add"), ("join three", "correct", "unknown mean", "replace"))[
            difficulty - 1
        ]
    )
    things, unit = rng.choice(
        (("parcels", "kg"), ("rods", "cm"), ("runs", "minutes"), ("tests", "points"), ("trees", "m"))
    )
    verb = {"parcels": "weigh", "rods": "measure", "runs": "take", "tests": "have", "trees": "measure"}[things]
    groups: list[list[int]] = []
    added: list[int] = []
    removed: list[int] = []
    given: list[int] = []
    asked = "variance"
    note = "(The variance is the mean of the squared deviations from the mean.)"
    spread_note = "(Standard deviation and variance are those with the mean of the squared deviations.)"
    numbers = [rng.choice((4, 6, 8, 10, 12, 20)) for _ in range(3)]
    means = rng.sample(range(3, 21), 3)
    spreads = [rng.randint(1, min(4, mean // 2)) for mean in means]
    if kind == "list":
        added = [rng.randint(1, 10) for _ in range(rng.randint(4, 5))]
        total, squares, size = sum(added), sum(value**2 for value in added), len(added)
        if len(set(added)) < 3:
            return None
        answer = Fraction(squares, size) - Fraction(total, size) ** 2
        row = listed([str(value) for value in added])
        text = rng.choice(
            (
                f"What is the variance of the numbers {row}? {note}",
                f"{who} has measured {row} {unit}. Find the variance of these {size} values. {note}",
                f"On {size} days {who} had {row} visitors. What is the variance of these numbers? {note}",
            )
        )
    elif kind == "squares":
        groups, asked = [[numbers[0], means[0], spreads[0]]], "squares"
        answer = Fraction(numbers[0] * (means[0] ** 2 + spreads[0] ** 2))
        text = rng.choice(
            (
                f"{numbers[0]} numbers have the mean {means[0]} and the standard deviation {spreads[0]}. What is the "
                f"sum of their squares? {spread_note}",
                f"{who} knows that {numbers[0]} measured values have the mean {means[0]} and the variance "
                f"{spreads[0] ** 2}. What do the squares of the values add up to? {note}",
            )
        )
        if text[0].isdigit():
            text = "Suppose that " + text.replace(". What", ". What")
    elif kind in ("add", "delete", "correct", "replace"):
        groups = [[numbers[0], means[0], spreads[0]]]
        size, total = numbers[0], numbers[0] * means[0]
        squares = numbers[0] * (means[0] ** 2 + spreads[0] ** 2)
        new, old = (
            means[0] + rng.choice((-3, -2, -1, 1, 2, 3, 4)) * rng.randint(1, 2),
            means[0] + rng.choice((-2, -1, 0, 1, 2)) * spreads[0],
        )
        if new < 1 or old < 1 or new == old or (old - means[0]) ** 2 >= (numbers[0] - 1) * spreads[0] ** 2:
            return None
        mean_text, spread_text = _with(means[0], unit), _with(spreads[0], unit)
        start = (
            f"{who} has examined {size} {things}, which {verb} {mean_text} on average with a standard deviation of "
            f"{spread_text}."
        )
        if kind == "add":
            added = [new]
            change = f"One more is added to these {things}, with {_with(new, unit)}."
        elif kind == "delete":
            removed = [old]
            change = f"One of the {things}, with {_with(old, unit)}, is left out afterwards."
        elif kind == "correct":
            added, removed = [new], [old]
            change = (
                f"It turns out that one of the values was noted wrongly: {_with(old, unit)} should have been "
                f"{_with(new, unit)}."
            )
        else:
            second = means[0] + rng.choice((-2, -1, 1, 2))
            added, removed = [new, second], [old]
            if second < 1:
                return None
            change = (
                f"Then one of the {things}, with {_with(old, unit)}, is replaced by two others, with "
                f"{_with(new, unit)} and {_with(second, unit)}."
            )
        size += len(added) - len(removed)
        total += sum(added) - sum(removed)
        squares += sum(v**2 for v in added) - sum(v**2 for v in removed)
        answer = Fraction(squares, size) - Fraction(total, size) ** 2
        end = "of the corrected values" if kind == "correct" else f"of the {size} values now"
        text = f"{start} {change} What is the variance {end}? {spread_note}"
    else:
        count = 3 if kind == "join three" else 2
        groups = [list(triple) for triple in zip(numbers[:count], means[:count], spreads[:count], strict=True)]
        size = sum(number for number, _, _ in groups)
        total = sum(number * mean for number, mean, _ in groups)
        squares = sum(number * (mean**2 + spread**2) for number, mean, spread in groups)
        answer = Fraction(squares, size) - Fraction(total, size) ** 2
        told = [
            f"the {number} {things} of the {lot} lot {verb} {_with(mean, unit)} on average with a standard deviation "
            f"of {_with(spread, unit)}"
            for lot, (number, mean, spread) in zip(("first", "second", "third"), groups, strict=False)
        ]
        question = f"What is the variance of all {size} values?"
        if kind == "unknown mean":
            if means[1] <= means[0]:
                return None
            asked, given = "mean", [answer.numerator, answer.denominator]
            value = (
                f"${answer}$" if answer.denominator == 1 else f"$\\frac{{{answer.numerator}}}{{{answer.denominator}}}$"
            )
            told[1] = (
                f"the {groups[1][0]} {things} of the second lot have a larger mean and a standard deviation of "
                f"{_with(groups[1][2], unit)}"
            )
            question = f"The variance of all {size} values is {value}. What is the mean of the second lot, in {unit}?"
            answer = Fraction(means[1])
            groups[1][1] = 0
        both = listed(told)
        text = f"{both[0].upper()}{both[1:]}. {question} {spread_note}"
    if answer.denominator > (25, 300, 900)[difficulty - 1]:
        return None
    values = {"groups": groups, "added": added, "removed": removed, "asked": asked, "given": given}
    return Draw(text, str(answer), values)


def _with(number: int, unit: str) -> str:
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"
