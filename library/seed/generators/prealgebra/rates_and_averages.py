"""Problems on rates of work and on averages."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import counted, listed, people, person


def ticked_through(times: list[int], alone: int, total: list[int], ask: str) -> str:
    """Split the hour ever more finely until the tank is full, or the job done, exactly at the end of a tick."""
    from fractions import Fraction
    from math import prod

    if ask == "other":
        hours = Fraction(total[0], total[1])
        other = Fraction(0)
        while True:
            other += Fraction(1, 2)
            if hours / times[0] + (hours - alone) / other == 1:
                return str(other)
    tank = abs(prod(times))
    flows = [tank // time for time in times]
    split = 0
    while True:
        split += 1
        level = ticks = 0
        while level < tank * split:
            level += flows[0] if ticks < alone * split else sum(flows)
            ticks += 1
        if level == tank * split:
            return str(Fraction(ticks, split) - (alone if ask == "rest" else 0))


@generator("Add rates of work or flow", check=ticked_through)
def added_rates(rng: Random, difficulty: int) -> Draw | None:
    names = people(rng, 3)
    a, b, c = (rng.randint(2, (12, 20, 30)[difficulty - 1]) for _ in range(3))
    job, done = rng.choice(
        (
            ("paint a fence", "painted"),
            ("weed a garden", "weeded"),
            ("pick the apples of an orchard", "picked"),
            ("clean a school building", "cleaned"),
        )
    )
    if difficulty == 1:
        if a == b:
            return None
        answer = 1 / (Fraction(1, a) + Fraction(1, b))
        if answer.denominator > 5:
            return None
        problem = rng.choice(
            (
                f"{names[0]} can {job} alone in {a} hours, and {names[1]} can do it alone in {b} hours. How many "
                "hours do they need together?",
                f"One pipe fills a tank in {a} hours, another one in {b} hours. In how many hours do both pipes "
                "together fill the empty tank?",
            )
        )
        return Draw(problem, str(answer), {"times": [a, b], "alone": 0, "total": [], "ask": "time"})
    kind = rng.choice(("drain", "three", "late") if difficulty == 2 else ("late", "other", "drain"))
    if kind == "drain":
        times = [a, b, -c] if difficulty == 3 or rng.random() < 0.5 else [a, -c]
        rate = sum((Fraction(1, time) for time in times), Fraction(0))
        if rate <= 0 or len({abs(t) for t in times}) < len(times):
            return None
        answer = 1 / rate
        if answer.denominator > 7 or answer > 60 or (len(times) == 2 and a >= c):
            return None
        if len(times) == 3:
            problem = (
                f"One pipe fills a basin in {a} hours and another one in {b} hours, while the drain empties the full "
                f"basin in {c} hours. The basin is empty, and by mistake the drain stays open while both pipes run. "
                "After how many hours is the basin full?"
            )
        else:
            problem = rng.choice(
                (
                    f"A tap fills a bath in {a} minutes, and the open drain empties the full bath in {c} minutes. In "
                    "how many minutes does the empty bath fill if the tap runs and the drain is open?",
                    f"A pump could fill a swimming pool in {a} hours, but through a leak the full pool would empty in "
                    f"{c} hours. How many hours does the pump need to fill the empty pool in spite of the leak?",
                )
            )
        return Draw(problem, str(answer), {"times": times, "alone": 0, "total": [], "ask": "time"})
    if kind == "three":
        answer = 1 / (Fraction(1, a) + Fraction(1, b) + Fraction(1, c))
        if answer.denominator > 4 or len({a, b, c}) < 3:
            return None
        problem = (
            f"{listed(names)} could {job} in {a}, {b} and {c} hours, in this order, if each worked alone. How many "
            "hours does it take all three together?"
        )
        return Draw(problem, str(answer), {"times": [a, b, c], "alone": 0, "total": [], "ask": "time"})
    alone = rng.randint(1, a - 1)
    if a == b:
        return None
    rest = (1 - Fraction(alone, a)) / (Fraction(1, a) + Fraction(1, b))
    if rest.denominator > 2 or rest < 1:
        return None
    if kind == "late":
        ask = rng.choice(("rest", "time"))
        question = {
            "rest": "How many more hours do they need together?",
            "time": f"How many hours does the whole work take, from {names[0]}'s start?",
        }[ask]
        problem = (
            f"{names[0]} could {job} alone in {a} hours, {names[1]} in {b} hours. {names[0]} starts alone. After "
            f"{counted(alone, 'hour')} {names[1]} comes to help, and they finish together. {question}"
        )
        answer = rest if ask == "rest" else rest + alone
        return Draw(problem, str(answer), {"times": [a, b], "alone": alone, "total": [], "ask": ask})
    if rest.denominator > 1:
        return None
    problem = (
        f"{names[0]} alone would need {a} hours to {job}. When {names[0]} has {done} for {counted(alone, 'hour')}, "
        f"{names[1]} joins in, and together they finish in another {counted(int(rest), 'hour')}. In how many hours "
        f"could {names[1]} do the whole job alone?"
    )
    total = rest + alone
    values = {"times": [a], "alone": alone, "total": [total.numerator, total.denominator], "ask": "other"}
    return Draw(problem, str(b), values)


def lists_written(groups: list[list[int]], goal: list[int], ask: str) -> str:
    """Write out lists of numbers with the given averages; what is unknown is tried in quarters or by counting."""
    from fractions import Fraction

    numbers = [Fraction(mean) for count, mean in groups for _ in range(abs(count)) if count > 0]
    left = [Fraction(mean) for count, mean in groups for _ in range(-count)]
    if ask == "mean":
        return str((sum(numbers) - sum(left)) / (len(numbers) - len(left)))
    if ask == "needed":
        count, mean = goal
        value = Fraction(0)
        while (sum(numbers) + count * value) / (len(numbers) + count) != mean:
            value += Fraction(1, 4)
        return str(value)
    before, last, after = goal
    count = 1
    while Fraction(sum([before] * count) + last, count + 1) != after:
        count += 1
    return str(count)


@generator("Replace an average by its total", check=lists_written)
def average_totals(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    low, high = ((5, 30), (20, 90), (40, 99))[difficulty - 1]
    n, m = rng.randint(3, (6, 12, 25)[difficulty - 1]), rng.randint(2, (5, 10, 15)[difficulty - 1])
    x, y = rng.randint(low, high), rng.randint(low, high)
    if x == y or n == m:
        return None
    kind = rng.choice(
        (("needed", "two"), ("needed", "two", "leave", "swap"), ("swap", "leave", "count", "needed"))[difficulty - 1]
    )
    if kind == "needed":
        count = 1 if difficulty == 1 else rng.randint(1, 4)
        value = Fraction((n + count) * y - n * x, count)
        if value.denominator > 2 or not 1 <= value <= 100 or abs(x - y) > (6, 10, 15)[difficulty - 1]:
            return None
        if count == 1:
            problem = rng.choice(
                (
                    f"After {n} games {name} has scored {x} points a game on average. How many points must {name} "
                    f"score in the next game so that the average of all {n + 1} games becomes {y}?",
                    f"The average weight of {n} parcels is {x} kg. With one more parcel the average becomes {y} kg. "
                    "How many kilograms does this parcel weigh?",
                )
            )
        else:
            problem = rng.choice(
                (
                    f"In {n} tests {name} has reached an average of {x} points. What average is needed in the next "
                    f"{count} tests for an average of {y} points over all {n + count} tests?",
                    f"A shop sold {x} newspapers a day on average over {n} days. To reach an average of {y} over "
                    f"{n + count} days, how many must it sell a day, on average, over the remaining {count} days?",
                )
            )
        return Draw(problem, str(value), {"groups": [[n, x]], "goal": [count, y], "ask": "needed"})
    if kind == "two":
        mean = Fraction(n * x + m * y, n + m)
        if mean.denominator > 4:
            return None
        problem = rng.choice(
            (
                f"The {n} girls of a team are {x} years old on average, the {m} boys {y} years. What is the average "
                "age of the whole team?",
                f"A lorry carries {n} crates with an average weight of {x} kg and {m} crates with an average weight "
                f"of {y} kg. What is the average weight of all crates, in kg?",
                f"On {n} days {name} cycled {x} km a day on average, on {m} other days {y} km a day. What is the "
                "average daily distance over all these days, in km?",
            )
        )
        if "years" in problem and abs(x - y) > 6:
            return None
        return Draw(problem, str(mean), {"groups": [[n, x], [m, y]], "goal": [], "ask": "mean"})
    if kind == "leave":
        if m >= n - 1:
            return None
        mean = Fraction(n * x - m * y, n - m)
        if mean.denominator > 4 or not 1 <= mean <= 100 or abs(mean - x) > 20:
            return None
        problem = rng.choice(
            (
                f"The average of {n} numbers is {x}. The average of {m} of them is {y}. What is the average of the "
                "others?",
                f"{n} sacks of potatoes weigh {x} kg each on average. When {m} sacks averaging {y} kg have been sold, "
                "what is the average weight of the remaining sacks, in kg?",
                f"A class of {n} pupils had an average of {x} points in a test. The {m} pupils who sit in the front "
                f"had an average of {y} points. What was the average of the other pupils?",
            )
        )
        return Draw(problem, str(mean), {"groups": [[n, x], [-m, y]], "goal": [], "ask": "mean"})
    if kind == "swap":
        k, z = rng.randint(1, 4), rng.randint(low, high)
        if m >= n - 1 or z in (x, y):
            return None
        mean = Fraction(n * x - m * y + k * z, n - m + k)
        if mean.denominator > 4 or not 10 <= mean <= 100 or abs(mean - x) > 25:
            return None
        lift = all(50 <= weight <= 95 for weight in (x, y, z)) and n <= 15
        entering = f"{k} with an average of {z}" if k > 1 else f"one of {z}"
        problem = rng.choice(
            (
                f"A lift carries {n} people with an average weight of {x} kg. On one floor {m} people averaging {y} "
                f"kg get out and {entering} kg get in. What is the average weight of the people in the lift now, in "
                "kg?",
                f"A list of {n} numbers has the average {x}. From it {m} numbers with the average {y} are deleted, "
                f"and {k} new {'numbers' if k > 1 else 'number'} with the average {z} {'are' if k > 1 else 'is'} "
                "added. What is the average of the new list?",
            )
        ).replace("kg get in", f"kg {'get' if k > 1 else 'gets'} in")
        if "A lift" in problem and not lift:
            return None
        if "average 1 " in problem or (k == 1 and "new number with the average" in problem):
            problem = problem.replace(f"1 new number with the average {z}", f"the number {z}")
        return Draw(problem, str(mean), {"groups": [[n, x], [-m, y], [k, z]], "goal": [], "ask": "mean"})
    last = x + rng.choice((-1, 1)) * rng.randint(8, 40)
    after = x + (1 if last > x else -1) * rng.randint(1, 4)
    before, rest = divmod(last - after, after - x)
    if rest or before < 3 or last < 1 or last > 100:
        return None
    problem = rng.choice(
        (
            f"{name}'s average in several tests was {x} points. The next test brought {last} points and changed the "
            f"average to exactly {after}. How many tests had {name} written before that one?",
            f"The average age of the members of a choir was {x}. Then a member aged {last} joined, and the average "
            f"became {after}. How many members did the choir have before?",
            f"The mean of a list of numbers is {x}. When the number {last} is added to the list, the mean becomes "
            f"{after}. How many numbers were on the list at first?",
        )
    )
    return Draw(problem, str(before), {"groups": [], "goal": [x, last, after], "ask": "count"})
