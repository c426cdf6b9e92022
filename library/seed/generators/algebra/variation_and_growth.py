"""Problems on variation, interest and payments."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def scaled(exponents: list[int], known: list[int], other: list[int], hidden: int) -> int:
    """Try whole values of the missing quantity until the product of the powers is the same in both states."""
    from fractions import Fraction
    from itertools import count
    from math import prod

    def constant(state: list[Fraction]) -> Fraction:
        # The exponents are doubled, so that roots need no special care.
        return prod((value**-exponent for value, exponent in zip(state, exponents, strict=True)), start=Fraction(1))

    goal = constant([Fraction(value) for value in known])
    for value in count(1):
        state = [Fraction(number) for number in other]
        state[hidden] = Fraction(value)
        if constant(state) == goal:
            return value
    raise ValueError


@generator("Find the constant of variation from one state and reuse it", check=scaled)
def variation(rng: Random, difficulty: int) -> Draw | None:
    # A law is a result and quantities with twice their exponents; the result has the exponent -2.
    name = person(rng)
    laws: list[tuple[list[int], str, list[str]]] = [
        (
            [-2, 2],
            "The stretch of a spring varies directly as the load on it.",
            ["a stretch of {} mm", "a load of {} newtons"],
        ),
        (
            [-2, -2],
            "At a fixed temperature the pressure of a gas is inversely proportional to its volume.",
            ["a pressure of {} kilopascals", "a volume of {} litres"],
        ),
        (
            [-2, 4],
            "The braking distance of a car varies directly as the square of its speed.",
            ["a braking distance of {} metres", "a speed of {} km/h"],
        ),
        (
            [-2, -4],
            "The brightness of a lamp on a wall varies inversely as the square of the distance between them.",
            ["a brightness of {} lux", "a distance of {} metres"],
        ),
        (
            [-2, 2, -2],
            "The number of days that the hay lasts varies directly as the number of bales and inversely as the "
            "number of "
            "horses.",
            ["{} days", "{} bales", "{} horses"],
        ),
        (
            [-2, 2, -4],
            "The force between two bodies varies directly as the charge on one of them and inversely as the square "
            "of their "
            "distance.",
            ["a force of {} newtons", "a charge of {} units", "a distance of {} cm"],
        ),
        (
            [-2, 2, 4],
            "The load that a wooden beam of fixed length can carry varies jointly as its width and the square of its "
            "height.",
            ["a load of {} kg", "a width of {} cm", "a height of {} cm"],
        ),
        (
            [-2, 1, -2],
            "The pitch of a string varies directly as the square root of its tension and inversely as its length.",
            ["a pitch of {} hertz", "a tension of {} newtons", "a length of {} cm"],
        ),
        (
            [-2, 4, -2],
            "The quantity $w$ varies directly as the square of $x$ and inversely as $y$.",
            ["$w = {}$", "$x = {}$", "$y = {}$"],
        ),
        ([-2, 1], "The quantity $w$ varies directly as the square root of $x$.", ["$w = {}$", "$x = {}$"]),
        ([-2, -6], "The quantity $w$ is inversely proportional to the cube of $x$.", ["$w = {}$", "$x = {}$"]),
        (
            [-2, 2, -1],
            "The quantity $w$ varies directly as $x$ and inversely as the square root of $y$.",
            ["$w = {}$", "$x = {}$", "$y = {}$"],
        ),
    ]
    exponents, law, quantities = rng.choice((laws[:2], laws[2:5] + laws[9:10], laws[5:9] + laws[10:])[difficulty - 1])
    size = 9 + 4 * difficulty

    def state() -> list[Fraction]:
        values = []
        for exponent in exponents[1:]:
            root = rng.randint(2, size if abs(exponent) == 2 else 9 if abs(exponent) < 6 else 5)
            values.append(Fraction(root * root if abs(exponent) == 1 else root))
        return values

    def power(values: list[Fraction]) -> Fraction:
        total = Fraction(1)
        for value, exponent in zip(values, exponents[1:], strict=True):
            base = Fraction(round(float(value) ** 0.5)) if exponent in (1, -1) else value
            total *= base**exponent if exponent in (1, -1) else base ** (exponent // 2)
        return total

    first, second = state(), state()
    ratio = power(second) / power(first)
    if ratio == 1 or any(a == b for a, b in zip(first, second, strict=True)):
        return None
    scale = Fraction(rng.randint(1, 12)) * ratio.denominator
    results = [scale, scale * ratio]
    if max(results) > (200, 600, 1500)[difficulty - 1] or min(results) < 2 or results[1].denominator > 1:
        return None
    states = [[results[0], *first], [results[1], *second]]
    hidden = rng.randrange(len(quantities)) if difficulty > 1 else rng.choice((0, 0, 1))
    if hidden > 0 and "$" not in law and rng.random() < 0.4:
        hidden = 0
    answer = states[1][hidden]
    shown = [text.format(value) for text, value in zip(quantities, states[0], strict=True)]
    given = [
        text.format(value)
        for place, (text, value) in enumerate(zip(quantities, states[1], strict=True))
        if place != hidden
    ]
    plain = quantities[hidden].replace("a ", "", 1)
    if "$" in law:
        letter = quantities[hidden][1]
        problem = rng.choice(
            (
                f"{law} When {' and '.join(shown[1:])}, {shown[0]}. Find ${letter}$ when {' and '.join(given)}.",
                f"{law} It is known that {shown[0]} when {' and '.join(shown[1:])}. What is ${letter}$ when "
                f"{' and '.join(given)}?",
            )
        )
    elif quantities[0] == "{} days":
        problem = {
            0: f"{law} {states[0][1]} bales last {states[0][2]} horses for {states[0][0]} days. For how many days do "
            f"{states[1][1]} bales last {states[1][2]} horses?",
            1: f"{law} {states[0][1]} bales last {states[0][2]} horses for {states[0][0]} days. How many bales do "
            f"{states[1][2]} horses need for {states[1][0]} days?",
            2: f"{law} {states[0][1]} bales last {states[0][2]} horses for {states[0][0]} days. How many horses do "
            f"{states[1][1]} bales last for {states[1][0]} days?",
        }[hidden]
    else:
        noun, unit = plain.split(" of {} ")
        problem = rng.choice(
            (
                f"{law} With {' and '.join(shown[1:])} there is {shown[0]}. Which {noun}, in {unit}, belongs to "
                f"{' and '.join(given)}?",
                f"{law} {name} measures {shown[0]} with {' and '.join(shown[1:])}. Find the {noun}, in {unit}, that "
                f"goes with "
                f"{' and '.join(given)}.",
            )
        )
    known = [int(value) for value in states[0]]
    other = [int(value) if place != hidden else 1 for place, value in enumerate(states[1])]
    return Draw(problem, str(answer), {"exponents": exponents, "known": known, "other": other, "hidden": hidden})


def year_by_year(percent: int, payments: list[int], loan: int, years: int, wanted: str) -> str:
    """Keep the account from year to year, with each balance as a number plus a multiple of the unknown payment."""
    from fractions import Fraction

    factor = 1 + Fraction(percent, 100)
    if wanted == "balance":
        balance = Fraction(0)
        for payment in payments:
            balance = (balance + payment) * factor
        return str(balance)
    plain, times = Fraction(loan), Fraction(0)
    for _ in range(years):
        if wanted == "instalment":
            plain, times = plain * factor, times * factor - 1
        else:
            plain, times = plain * factor, (times + 1) * factor
    # The loan is paid back where plain + times * x = 0; savings reach their goal where times * x = goal.
    return str(-plain / times if wanted == "instalment" else payments[0] / times)


@generator("Move every regular payment to one date by growth factors", check=year_by_year)
def regular_payments(rng: Random, difficulty: int) -> Draw | None:
    percent = rng.choice((5, 10, 20) if difficulty < 3 else (5, 10, 20, 25))
    factor = 1 + Fraction(percent, 100)
    years = rng.choice(((2,), (2, 3), (3, 4))[difficulty - 1])
    span = {2: "two", 3: "three", 4: "four"}[years]
    name = person(rng)
    coin = rng.choice(("euros", "dollars"))
    wanted = rng.choice((["balance"], ["balance", "instalment", "deposit"], ["instalment", "deposit"])[difficulty - 1])
    payment = rng.randint(1, 60) * (100 if difficulty < 3 else 50)
    start_sum = sum((payment * factor**p for p in range(1, years + 1)), start=Fraction(0))
    if wanted == "balance":
        payments = [payment] * years
        if rng.random() < 0.4:
            payments = [rng.randint(1, 40) * 100 for _ in range(years)]
        answer = sum((p * factor ** (years - place) for place, p in enumerate(payments)), start=Fraction(0))
        if answer.denominator > 1:
            return None
        same = len(set(payments)) == 1
        if same:
            problem = rng.choice(
                (
                    f"At the beginning of each of {span} years {name} puts {payment} {coin} into an account. At the "
                    f"end of every "
                    f"year {percent}% interest is paid on all the money in it. How many {coin} are in the account at "
                    f"the end of "
                    f"the {'second' if years == 2 else 'third'} year?",
                    f"A club pays {payment} {coin} into a fund on 1 January of {span} years in a row. Each year the "
                    f"fund grows by "
                    f"{percent}%. How many {coin} does it hold on 31 December of the last of these years?",
                )
            )
        else:
            row = " and ".join([", ".join(str(p) for p in payments[:-1]), str(payments[-1])])
            problem = (
                f"At the beginning of {span} years in a row {name} deposits {row} {coin}, in this order. At the end "
                f"of every year "
                f"{percent}% interest is paid on all the money in the account. How many {coin} are there at the end "
                f"of the last "
                "year?"
            )
        values = {"percent": percent, "payments": payments, "loan": 0, "years": years, "wanted": wanted}
        return Draw(problem, str(answer), values)
    if wanted == "instalment":
        # Scale the instalment so that the loan, its value at the start, is a whole number.
        loan = sum((payment / factor**p for p in range(1, years + 1)), start=Fraction(0))
        if loan.denominator > 1:
            payment *= loan.denominator
            loan *= loan.denominator
        if loan > 90000 or payment < 50:
            return None
        problem = rng.choice(
            (
                f"A workshop borrows {loan} {coin} and pays them back in {span} equal instalments, one at the end of "
                f"each year. "
                f"Every year {percent}% interest is charged on what is still owed. How many {coin} is one instalment?",
                f"A machine costs {loan} {coin} in cash. It can also be paid in {span} equal yearly payments, the "
                f"first one year "
                f"after the purchase, with {percent}% interest a year on the unpaid part. How many {coin} is each "
                f"payment?",
                f"{name} owes {loan} {coin}. At the end of each year {percent}% interest is added to the debt, and "
                f"right after "
                f"that {name} pays a fixed amount. After {span} payments nothing is owed any more. Find the amount "
                f"in {coin}.",
            )
        )
        values = {"percent": percent, "payments": [], "loan": int(loan), "years": years, "wanted": wanted}
        return Draw(problem, str(payment), values)
    goal = start_sum
    if goal.denominator > 1 or goal > 90000:
        return None
    problem = rng.choice(
        (
            f"{name} wants to have {goal} {coin} at the end of {span} years and pays the same amount into an account "
            f"at the "
            f"beginning of each of these years. The account earns {percent}% interest a year, added at the end of "
            f"the year. How "
            f"many {coin} must be paid in each year?",
            f"A village saves for a playground that costs {goal} {coin}. On 1 January of {span} years in a row it "
            f"puts aside the "
            f"same sum, and the savings grow by {percent}% a year. On 31 December of the last year they are just "
            f"enough. How many "
            f"{coin} are put aside each year?",
        )
    )
    values = {"percent": percent, "payments": [int(goal)], "loan": 0, "years": years, "wanted": wanted}
    return Draw(problem, str(payment), values)
