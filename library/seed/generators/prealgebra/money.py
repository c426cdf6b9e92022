"""Problems on money."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import dollars, person


def billed_unit_by_unit(widths: list[int], rates: list[int], amount: int, ask: str) -> int:
    """Charge one unit after another at the rate of its slice, up to the amount or until the bill is reached."""

    def rate(unit: int) -> int:
        end = 0
        for width, price in zip(widths, rates[:-1], strict=True):
            end += width
            if unit <= end:
                return price
        return rates[-1]

    if ask == "bill":
        return sum(rate(unit) for unit in range(1, amount + 1))
    units = bill = 0
    while bill < amount:
        units += 1
        bill += rate(units)
    return units


@generator("Bill each slice at its own rate", check=billed_unit_by_unit)
def tiered_bill(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    slices = 2 if difficulty == 1 else 3
    ask = "bill" if difficulty == 1 else rng.choice(("bill", "units"))
    if difficulty == 3:
        ask = "units"
    scene = rng.randint(0, 3)
    if scene == 0:
        widths = [rng.randint(2, 10) * 10 for _ in range(slices - 1)]
        rates = [rng.randint(2, 12) * 5 for _ in range(slices)]
        cents = True
    elif scene == 1:
        widths = [rng.randint(30, 40)] + [rng.randint(3, 8) for _ in range(slices - 2)]
        base = rng.randint(6, 15) * 2
        rates = [base, base * 3 // 2, 2 * base][:slices]
        cents = False
    elif scene == 2:
        widths = [rng.randint(4, 20) for _ in range(slices - 1)]
        rates = sorted((rng.randint(2, 12) for _ in range(slices)), reverse=True)
        cents = False
    else:
        widths = [rng.randint(2, 10) for _ in range(slices - 1)]
        rates = sorted((rng.randint(1, 9) for _ in range(slices)), reverse=True)
        cents = False
    if len(set(rates)) < slices:
        return None
    used = sum(widths) + rng.randint(1, 2 * widths[-1] + 2)
    if difficulty == 2 and rng.random() < 0.3:
        used = widths[0] + rng.randint(1, max(1, widths[1] - 1))
    if scene == 1 and used > 60:
        return None
    bill, left = 0, used
    for width, rate in zip([*widths, used], rates, strict=True):
        bill += rate * min(width, left)
        left -= min(width, left)
    if cents and bill % 5:
        return None
    if scene == 0:
        middle = f", {rates[1]} cents for each of the next {widths[1]} kWh" if slices == 3 else ""
        problem = (
            f"A month's electricity costs {rates[0]} cents per kWh for the first {widths[0]} kWh{middle} and "
            f"{rates[-1]} cents for each further kWh."
        )
        question = {
            "bill": f"How many cents does {name} pay for {used} kWh?",
            "units": f"{name}'s bill for one month is {dollars(bill)}. How many kWh were used?",
        }[ask]
    elif scene == 1:
        middle = f", {rates[1]} dollars for each of the next {widths[1]} hours" if slices == 3 else ""
        problem = (
            f"{name} earns {rates[0]} dollars an hour for the first {widths[0]} hours of a week{middle} and "
            f"{rates[-1]} dollars for every hour beyond that."
        )
        question = {
            "bill": f"How many dollars does {name} earn in a week with {used} hours of work?",
            "units": f"In one week {name} earned {bill} dollars. How many hours of work was that?",
        }[ask]
    elif scene == 2:
        middle = f", {rates[1]} dollars for each of the next {widths[1]}" if slices == 3 else ""
        last = f"{rates[-1]} dollar{'s' if rates[-1] > 1 else ''} for each further shirt"
        problem = (
            f"A printer charges {rates[0]} dollars each for the first {widths[0]} shirts of an order{middle} and "
            f"{last}."
        )
        question = {
            "bill": f"How many dollars does an order of {used} shirts cost?",
            "units": f"{name} has ordered shirts for exactly {bill} dollars. How many shirts is that?",
        }[ask]
    else:
        middle = f", {rates[1]} dollars for each of the next {widths[1]} km" if slices == 3 else ""
        last = f"{rates[-1]} dollar{'s' if rates[-1] > 1 else ''} for every further kilometre"
        problem = f"A taxi takes {rates[0]} dollars a kilometre for the first {widths[0]} km{middle} and {last}."
        question = {
            "bill": f"How many dollars does a ride of {used} km cost?",
            "units": f"{name}'s ride has cost {bill} dollars, and it was a whole number of kilometres. How many?",
        }[ask]
    answer = bill if ask == "bill" else used
    values = {"widths": widths, "rates": rates, "amount": used if ask == "bill" else bill, "ask": ask}
    return Draw(f"{problem} {question}", str(answer), values)


def costs_compared(fixed: list[int], each: list[int], goal: int, strict: bool) -> int:
    """Raise the number of units one by one and compare both totals; two offers, or takings and expenses."""
    units = 0
    while True:
        gain = (fixed[1] + units * each[1]) - (fixed[0] + units * each[0]) - goal
        if gain > 0 or (gain == 0 and not strict):
            return units
        units += 1


@generator("Divide the extra fixed cost by the gain per unit", check=costs_compared)
def break_even(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    step = 100 if difficulty == 1 else 50 if difficulty == 2 else 25
    gain = step * rng.randint(1, (5, 12, 30)[difficulty - 1])
    cheap = step * rng.randint(1, (6, 14, 24)[difficulty - 1])
    dear = cheap + gain
    strict = rng.random() < (0.0, 0.5, 0.5)[difficulty - 1]
    units = rng.randint(3, (12, 40, 90)[difficulty - 1])
    extra = units * gain
    if strict and rng.random() < 0.6:
        extra = extra - rng.randint(1, 9) * 100
    if extra <= 0 or extra % 100:
        return None
    low = 100 * rng.randint(0, (0, 20, 40)[difficulty - 1])
    business = difficulty > 1 and rng.random() < 0.4
    if business:
        goal = 100 * rng.randint(5, 60) if difficulty == 3 else 0
        total = extra + goal
        if strict:
            return None
        units, rest = divmod(total, gain)
        if rest:
            return None
        who, thing, fixed_for = rng.choice(
            (
                (f"{name} sells home-made candles at a market", "candle", "the stall"),
                ("A school club sells printed bags", "bag", "the printing plate"),
                (f"{name} runs a waffle stand", "waffle", "the hire of the waffle iron"),
            )
        )
        aim = (
            f"How many {thing}s must be sold for a profit of {goal // 100} dollars?"
            if goal
            else f"How many {thing}s must be sold to cover all the costs exactly?"
        )
        problem = (
            f"{who}. Each {thing} costs {dollars(cheap)} to make and is sold for {dollars(dear)}. In addition, "
            f"{extra // 100} dollars have to be paid for {fixed_for}. {aim}"
        )
        values = {"fixed": [extra, 0], "each": [cheap, dear], "goal": goal, "strict": False}
        return Draw(problem, str(units), values)
    units = extra // gain + 1 if strict else extra // gain
    if not strict and extra % gain:
        return None
    first, second, unit, question = rng.choice(
        (
            ("A gym sells a pass for {f1} and then charges {p1} for each visit", "Without a pass a visit costs {p2}",
             "visits", "the pass"),
            ("One firm charges {f1} for the loan of a van and {p1} for each kilometre",
             "Its rival charges {p2} for each kilometre", "kilometres", "the first firm"),
            ("A print shop asks {f1} for the design and {p1} for each poster", "Another one asks {p2} for each poster",
             "posters", "the first print shop"),
            ("A film club has a fee of {f1} a year and sells tickets at {p1} to members",
             "Other people pay {p2} for a ticket", "films", "membership"),
        )
    )  # fmt: skip
    words = {"f1": dollars(low + extra), "p1": dollars(cheap), "p2": dollars(dear)}
    first = first.format(**words)
    second = second.format(**words)
    if low:
        if unit in ("visits", "films"):
            return None
        thing = {"kilometres": "for the loan", "posters": "for the design"}[unit]
        second = second.replace("charges ", f"charges {dollars(low)} {thing} and ").replace(
            "asks ", f"asks {dollars(low)} {thing} and "
        )
    which = {"kilometres": "a trip", "posters": "an order", "visits": "a year", "films": "a year"}[unit]
    smallest = f"What is the smallest whole number of {unit} in {which} for which {question} is cheaper?"
    same = {
        "kilometres": "do both firms charge the same",
        "posters": "do both print shops ask the same",
        "visits": "does it make no difference whether one buys the pass",
        "films": "does it make no difference whether one is a member",
    }[unit]
    equal = f"For how many {unit} in {which} {same}?"
    problem = f"{first}. {second}. {smallest if strict else equal}"
    values = {"fixed": [low + extra, low], "each": [cheap, dear], "goal": 0, "strict": strict}
    return Draw(problem, str(units), values)
