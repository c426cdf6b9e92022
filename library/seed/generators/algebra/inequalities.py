"""Problems on inequalities."""

from collections.abc import Callable
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import people, person, polynomial


def counted_up(story: str, numbers: list[int]) -> int:
    """Raise the whole number one by one and see when the condition begins or ceases to hold."""
    from itertools import count

    conditions: dict[str, Callable[..., bool]] = {
        # The first number with which the condition holds.
        "profit": lambda n, rent, cost, price, goal: price * n - cost * n - rent >= goal,
        "saving": lambda n, start, weekly, goal: start + weekly * n > goal,
        "offers": lambda n, fee, unit, other: fee + unit * n < other * n,
        # The last number with which it holds comes before the first with which it fails.
        "lift": lambda n, limit, driver, crate: driver + crate * n > limit,
        "tank": lambda n, full, out, back, left: full - out * n + back * n < left,
        "budget": lambda n, money, fixed, each: fixed + each * n >= money,
    }
    first = next(n for n in count() if conditions[story](n, *numbers))
    return first if story in ("profit", "saving", "offers") else first - 1


@generator("Translate at least and at most into an inequality and round inward", check=counted_up)
def rounded_bound(rng: Random, difficulty: int) -> Draw | None:
    story = rng.choice(
        (["lift", "saving", "budget"], ["profit", "saving", "lift", "offers", "budget"], ["profit", "tank", "offers"])[
            difficulty - 1
        ]
    )
    scale = (1, 5, 12)[difficulty - 1]
    name = person(rng)
    if story == "profit":
        rent, cost, gain = rng.randint(20, 99) * scale, rng.randint(2, 9), rng.randint(4, 17)
        price, goal = cost + gain, rng.choice((100, 200, 250, 400, 500, 1000))
        answer = -(-(goal + rent) // gain)
        if (goal + rent) % gain == 0 and rng.random() < 0.8:
            return None
        numbers = [rent, cost, price, goal]
        problem = rng.choice(
            (
                f"A band pays {rent} euros for a hall and {cost} euros per guest for drinks. A ticket costs {price} "
                f"euros. "
                f"What is the least number of guests with which the band makes a profit of at least {goal} euros?",
                f"{name} pays {rent} euros for a stand at a market and {cost} euros for each shirt to be sold there. "
                f"The "
                f"shirts are sold for {price} euros each. How many shirts must be sold at least for a profit of no "
                f"less than "
                f"{goal} euros?",
            )
        )
    elif story == "saving":
        start, weekly = rng.randint(5, 30) * scale, rng.randint(3, 9 + 2 * scale)
        goal = start + weekly * rng.randint(3, 12 + scale) + rng.randint(0, weekly - 1)
        answer = (goal - start) // weekly + 1
        numbers = [start, weekly, goal]
        problem = rng.choice(
            (
                f"{name} has saved {start} euros and puts {weekly} euros aside at the end of every week. After how "
                f"many weeks "
                f"does {name} own more than {goal} euros for the first time?",
                f"A plant is {start} mm high and grows by {weekly} mm every day. What is the smallest number of full "
                f"days "
                f"after which it is more than {goal} mm high?",
            )
        )
    elif story == "offers":
        fee, unit = rng.randint(9, 40) * (1 if difficulty == 2 else 7), rng.randint(3, 20)
        other = unit + rng.randint(2, 6 + difficulty)
        answer = fee // (other - unit) + 1
        numbers = [fee, unit, other]
        problem = rng.choice(
            (
                f"A swimming pool sells a card for {fee} euros with which each visit costs {unit} euros. Without the "
                f"card a "
                f"visit costs {other} euros. From how many visits on is it cheaper to buy the card?",
                f"A copy shop asks {unit} cents per page and once {fee} cents for setting up the machine. Another "
                f"one asks "
                f"{other} cents per page and nothing else. What is the least number of pages for which the first "
                f"shop is "
                "strictly cheaper?",
            )
        )
    elif story == "lift":
        driver, crate = rng.randint(55, 95), rng.randint(7, 15 + 6 * scale)
        limit = rng.randint(8, 12 + 5 * scale) * 25
        answer = (limit - driver) // crate
        numbers = [limit, driver, crate]
        problem = rng.choice(
            (
                f"A lift may carry no more than {limit} kg. A worker of {driver} kg rides in it together with crates "
                f"of "
                f"{crate} kg each. How many crates can be taken along at most?",
                f"A shelf holds at most {limit} kg. A printer of {driver} kg already stands on it. How many boxes of "
                f"paper, "
                f"each weighing {crate} kg, can be added at most?",
            )
        )
    elif story == "tank":
        out, back = rng.randint(14, 45), rng.randint(3, 12)
        full, left = rng.randint(300, 900), rng.randint(5, 25) * 10
        answer = (full - left) // (out - back)
        numbers = [full, out, back, left]
        problem = rng.choice(
            (
                f"A barrel holds {full} litres of rain water. Each hour a pump takes {out} litres out of it, while "
                f"{back} "
                f"litres run in from the roof. At least {left} litres must remain. For how many full hours can the "
                f"pump run "
                "at most?",
                f"A warehouse has {full} sacks of flour. Every day {out} sacks are delivered to bakeries and {back} "
                f"new ones "
                f"come from the mill. The stock must not fall below {left} sacks. For how many days can this go on "
                f"at most?",
            )
        )
    else:
        fixed, each = rng.randint(5, 30) * scale, rng.randint(3, 9 + scale)
        money = fixed + each * rng.randint(4, 12 + scale) + rng.randint(0, each - 1)
        answer = -(-(money - fixed) // each) - 1
        numbers = [money, fixed, each]
        problem = rng.choice(
            (
                f"A taxi ride costs {fixed} euros plus {each} euros for each full kilometre. {name} wants to spend "
                f"less than "
                f"{money} euros. What is the greatest whole number of kilometres that {name} can ride?",
                f"{name} orders roses at {each} euros apiece and pays {fixed} euros for their delivery. The bill "
                f"must stay "
                f"below {money} euros. How many roses can {name} order at most?",
            )
        )
    if answer < 3:
        return None
    return Draw(problem, str(answer), {"story": story, "numbers": numbers})


def tried_chain(parts: list[list[int]], strict: list[bool], wanted: str) -> int:
    """Put every integer into all three parts of the chain."""
    fits = []
    for x in range(-400, 401):
        first, second, third = (a * x + b for a, b in parts)
        left = first < second if strict[0] else first <= second
        right = second < third if strict[1] else second <= third
        if left and right:
            fits.append(x)
    return {"count": len(fits), "sum": sum(fits), "largest": max(fits), "smallest": min(fits)}[wanted]


@generator("Cut a chain of inequalities into two and intersect", check=tried_chain)
def chained(rng: Random, difficulty: int) -> Draw | None:
    top = (3, 5, 8)[difficulty - 1]
    strict = [rng.random() < 0.5, rng.random() < 0.5]
    wanted = rng.choice(("count", "count", "sum", "largest", "smallest"))
    story = rng.choice((0, 0, 1, 2))
    if story == 0:
        # Both outer parts are steeper than the middle one, or both less steep; one bounds x from above, one from below.
        middle, turn = rng.choice([n for n in range(-top, top + 1) if n]), rng.choice((1, -1))
        first, third = (middle + turn * rng.randint(1, top) for _ in range(2))
        low = rng.randint(-4 * difficulty, 3 * difficulty)
        ends = [low + rng.randint(2, 5 * difficulty), low][::turn]
        shift = rng.choice([n for n in range(-9, 10) if n])
        parts = [
            [first, shift + (middle - first) * ends[0] - rng.randrange(abs(first - middle)) - strict[0]],
            [middle, shift],
            [third, shift + (middle - third) * ends[1] + rng.randrange(abs(third - middle)) + strict[1]],
        ]
        if any(b == 0 for _, b in parts) or (difficulty == 3 and first * third == 0):
            return None
    elif story == 1:
        # The amounts n, m*n - b and total - n.
        m, b, total = rng.randint(2, 1 + difficulty), rng.randint(2, 6 * difficulty), rng.randint(15, 45 * difficulty)
        parts = [[1, 0], [m, -b], [-1, total]]
    else:
        m, a, total = rng.randint(3, 4 + difficulty), rng.randint(2, 9), rng.randint(20, 60 * difficulty)
        parts = [[-1, total], [m, a], [2, 2 * total]] if difficulty == 3 else [[2, a], [m, 0], [1, total]]
    bounds = []
    for (a1, b1), (a2, b2), hard in zip(parts, parts[1:], strict, strict=False):
        # (a1 - a2) x <= b2 - b1, or < as an inequality between integers.
        slope, room = a1 - a2, b2 - b1 - hard
        if slope == 0:
            return None
        bounds.append(("most", room // slope) if slope > 0 else ("least", -(room // -slope)))
    if {kind for kind, _ in bounds} != {"most", "least"}:
        return None
    limits = dict(bounds)
    fits = range(limits["least"], limits["most"] + 1)
    if not 3 <= len(fits) <= 60 or (story > 0 and fits[0] < 1):
        return None
    if story == 1 and m * fits[0] < b:
        return None
    answer = {"count": len(fits), "sum": sum(fits), "largest": fits[-1], "smallest": fits[0]}[wanted]
    if story == 0:
        signs = ["<" if hard else r"\le" for hard in strict]
        chain = f"{polynomial(parts[0])} {signs[0]} {polynomial(parts[1])} {signs[1]} {polynomial(parts[2])}"
        asked = {
            "count": "How many integers $x$ satisfy ${}$?",
            "sum": "Find the sum of all integers $x$ with ${}$.",
            "largest": "What is the largest integer $x$ with ${}$?",
            "smallest": "What is the smallest integer $x$ with ${}$?",
        }[wanted]
        problem = asked.format(chain)
    else:
        one, two, three = people(rng, 3)
        goal = {
            "count": "How many different values can {} have?",
            "sum": "Find the sum of all possible values of {}.",
            "largest": "What is the largest possible value of {}?",
            "smallest": "What is the smallest possible value of {}?",
        }[wanted]
        lower = "less than" if strict[0] else "at most as much as"
        upper = "less than" if strict[1] else "at most as much as"
        if story == 1:
            times = {2: "twice", 3: "three times", 4: "four times"}[m]
            problem = (
                (
                    f"Three friends own whole numbers of coins. {one} owns $n$ coins, {two} owns {b} coins less than "
                    f"{times} as "
                    f"many as {one}, and {one} and {three} together own {total} coins. {one} owns {lower} {two}, and "
                    f"{two} owns "
                    f"{upper} {three}. {goal.format('$n$')}"
                )
                .replace("at most as much as", "at most as many coins as")
                .replace("less than", "fewer coins than")
            )
            problem = problem.replace(f"{b} coins fewer coins than", f"{b} coins fewer than")
        else:
            expressions = [f"${polynomial([a, b], 'n') if a > 0 else f'{b} - n'}$" for a, b in parts]
            relation = ("less than", "at most")[not strict[0]], ("less than", "at most")[not strict[1]]
            problem = rng.choice(
                (
                    f"On three days {one} sells {expressions[0]}, {expressions[1]} and {expressions[2]} newspapers, "
                    f"where $n$ "
                    f"is a positive integer. The first of these numbers is {relation[0]} the second, and the second is "
                    f"{relation[1]} the third. {goal.format('$n$')}",
                    f"For a positive integer $n$ three rods are {expressions[0]}, {expressions[1]} and "
                    f"{expressions[2]} "
                    f"centimetres long. The length of the first is {relation[0]} that of the second, which is "
                    f"{relation[1]} "
                    f"that of the third. {goal.format('$n$')}",
                )
            )
    return Draw(problem, str(answer), {"parts": parts, "strict": strict, "wanted": wanted})
