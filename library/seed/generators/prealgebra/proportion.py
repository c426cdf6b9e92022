"""Problems on proportion."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import counted


def one_unit_at_a_time(known: list[int], new: list[int], ask: str) -> str:
    """Work out what one worker does in one hour of one day, from the first case, and count up the second."""
    from fractions import Fraction

    workers, days, hours, output = known
    one = Fraction(output, sum(1 for _ in range(workers * days * hours)))
    if ask == "output":
        return str(sum((one for _ in range(new[0] * new[1] * new[2])), Fraction(0)))
    place = ["workers", "days", "hours"].index(ask)
    others = [new[k] for k in range(3) if k != place]
    each = one * others[0] * others[1]
    count, done = Fraction(0), Fraction(0)
    while done + each <= new[3]:
        done += each
        count += 1
    return str(count + (new[3] - done) / each)


@generator("Scale one factor at a time in a compound proportion", check=one_unit_at_a_time)
def compound_proportion(rng: Random, difficulty: int) -> Draw | None:
    three = difficulty > 1 and rng.random() < (0.4 if difficulty == 2 else 0.9)
    high = (6, 12, 20)[difficulty - 1]
    workers, new_workers = rng.randint(2, high), rng.randint(2, high)
    days, new_days = rng.randint(2, high), rng.randint(2, high)
    hours, new_hours = (rng.randint(4, 12), rng.randint(4, 12)) if three else (1, 1)
    if workers == new_workers or days == new_days or (three and hours == new_hours):
        return None
    ask = rng.choice(("output", "days", "workers"))
    if difficulty == 1 and ask == "workers":
        ask = "output"
    rate = Fraction(
        rng.randint(1, (3, 8, 15)[difficulty - 1]), rng.choice((1, 1, 2, 3) if difficulty > 1 else (1, 1, 2))
    )
    output = rate * workers * days * hours
    new_output = rate * new_workers * new_days * new_hours
    if output.denominator > 1 or new_output.denominator > 1 or output == new_output or max(output, new_output) > 6000:
        return None
    if ask != "output" and rng.random() < 0.2 and output < 30:
        return None
    agents, work, product, time = rng.choice(
        (
            ("pumps", "drain", "cubic metres of water", "hour"),
            ("bakers", "bake", "loaves", "hour"),
            ("weavers", "make", "metres of cloth", "day"),
            ("gardeners", "plant", "trees", "day"),
        )
        + (() if three else (("horses", "eat", "kilograms of oats", "day"), ("printers", "print", "booklets", "hour")))
    )
    if three:
        time = "day"
    daily = f", working {hours} hours a day," if three else ""
    new_daily = f", working {new_hours} hours a day," if three else ""
    first = f"{workers} {agents}{daily} {work} {output} {product} in {counted(days, time)}."
    again = "At the same rate, "
    question = {
        "output": f"how many {product} do {new_workers} {agents}{new_daily} {work} in {counted(new_days, time)}?",
        "days": f"how many {time}s do {new_workers} {agents}{new_daily} need to {work} {new_output} {product}?",
        "workers": f"how many {agents}{new_daily} are needed to {work} {new_output} {product} in "
        f"{counted(new_days, time)}?",
    }[ask]
    new = [new_workers, new_days, new_hours, int(new_output)]
    answer = {"output": new[3], "days": new_days, "workers": new_workers}[ask]
    new[{"output": 3, "days": 1, "workers": 0}[ask]] = 0
    values = {"known": [workers, days, hours, int(output)], "new": new, "ask": ask}
    return Draw(f"{first} {again}{question}", str(answer), values)


def product_built_up(task: int, first: int, second: int, ask: str) -> str:
    """Deal the fixed product out in equal rows and count the rows."""
    from fractions import Fraction

    left, rows = Fraction(task), 0
    while left >= second:
        left -= second
        rows += 1
    exact = rows + left / second
    return str(exact if ask == "new" else abs(Fraction(task, first) - exact))


@generator("Keep the product constant in an inverse proportion", check=product_built_up)
def inverse_proportion(rng: Random, difficulty: int) -> Draw | None:
    top, bottom = rng.sample(range(2, (7, 13, 20)[difficulty - 1]), 2)
    unit = rng.randint(1, (4, 9, 15)[difficulty - 1])
    first, second = top * unit, bottom * unit
    after = Fraction(rng.randint(2, (9, 15, 30)[difficulty - 1]) * top)
    before = after * second / first
    if before.denominator > 1 or before == after or before < 2 or after > 300:
        return None
    task = first * int(before)
    ask = "new" if difficulty == 1 else rng.choice(("new", "change"))
    old, new = int(before), int(after)
    scene = rng.randint(0, 5 if difficulty == 3 else 4)
    longer = new > old
    if scene == 4 and max(first, second, old, new) > 70:
        return None
    if scene in (2, 3) and (max(first, second) > 40 or max(old, new) > 90):
        return None
    if scene == 5:
        percent = rng.choice((20, 25, 50, 60, 100, -20, -25, -40, -50))
        first, second, old = 100, 100 + percent, rng.randint(6, 80) * 3
        if 100 * old % second:
            return None
        new, task, ask = 100 * old // second, 100 * old, "change"
        way = rng.choice(("a drive to the coast", "the crossing to an island", "a train journey"))
        story = f"At the usual mean speed {way} takes {old} minutes."
        question = (
            f"How many minutes are saved if the mean speed is {percent}% higher?"
            if percent > 0
            else f"How many minutes more does it take if the mean speed is {-percent}% lower?"
        )
    elif scene == 0:
        if not 8 <= first <= 90 or not 8 <= second <= 90:
            return None
        story = f"A cogwheel with {first} teeth turns {old} times a minute and drives a wheel with {second} teeth."
        question = {
            "new": "How many turns a minute does the second wheel make?",
            "change": "By how many turns a minute do the two wheels differ?",
        }[ask]
    elif scene == 1:
        if not 4 <= first <= 110 or not 4 <= second <= 110:
            return None
        hours = "minutes" if max(old, new) > 12 else "hours"
        story = f"At a mean speed of {first} km/h a journey takes {old} {hours}."
        question = {
            "new": f"How many {hours} does the same journey take at {second} km/h?",
            "change": f"How many {hours} {'longer' if longer else 'less'} does it take at {second} km/h?",
        }[ask]
    elif scene == 2:
        story = f"{first} equally fast painters need {old} days for the fences of a park."
        question = {
            "new": f"How many days would {second} such painters need?",
            "change": f"How many {'more' if longer else 'fewer'} days would {second} such painters need?",
        }[ask]
    elif scene == 3:
        story = f"A supply of hay feeds {first} horses for {old} days."
        question = {
            "new": f"For how many days does it feed {second} horses?",
            "change": f"How many days {'longer' if longer else 'less long'} does it last for {second} horses?",
        }[ask]
    else:
        story = f"The chairs of a hall can be set up in {old} rows of {first}."
        question = {
            "new": f"How many rows do they give with {second} chairs in each?",
            "change": f"How many {'more' if longer else 'fewer'} rows are there with {second} chairs in each?",
        }[ask]
    answer = new if ask == "new" else abs(new - old)
    return Draw(f"{story} {question}", str(answer), {"task": task, "first": first, "second": second, "ask": ask})
