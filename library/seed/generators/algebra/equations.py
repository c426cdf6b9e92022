"""Problems that lead to equations."""

from collections.abc import Callable
from math import lcm
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import people, person


def tried_amounts(story: str, shown: list[int], wanted: int) -> int:
    """Try all whole amounts against the sentences of the story."""
    from itertools import product

    conditions: dict[str, Callable[..., bool]] = {
        "tickets": lambda a, b, n, p, q, total: a + b == n and p * a + q * b == total,
        "ages": lambda a, b, ago, k, ahead, m: a - ago == k * (b - ago) and b > ago and a + ahead == m * (b + ahead),
        "prices": lambda a, b, p, q, first, r, s, second: p * a + q * b == first and r * a + s * b == second,
        "digits": lambda a, b, total, gain: a + b == total and 10 * b + a == 10 * a + b + gain and a < 10 and b < 10,
        "pairs": lambda a, b, c, ab, bc, ca: a + b == ab and b + c == bc and c + a == ca,
        "boxes": lambda a, b, c, n, p, q, r, weight, k: (
            a + b + c == n and p * a + q * b + r * c == weight and a == k * b
        ),
    }
    limit = 100 if story in ("tickets", "prices", "ages") else max(shown)
    fits = []
    for a, b in product(range(limit + 1), repeat=2):
        third = {"pairs": [shown[1] - b], "boxes": [shown[0] - a - b]}.get(story, [])
        amounts = [a, b, *third]
        if min(amounts) >= 0 and conditions[story](*amounts, *shown):
            fits.append(amounts)
    (found,) = fits
    return 10 * found[0] + found[1] if story == "digits" else found[wanted]


@generator("Translate a story into a linear system and solve it", check=tried_amounts)
def story_system(rng: Random, difficulty: int) -> Draw | None:
    story = rng.choice(
        (["tickets", "prices", "digits"], ["tickets", "ages", "prices"], ["ages", "pairs", "boxes"])[difficulty - 1]
    )
    big = difficulty > 1
    if story == "tickets":
        a, b = (rng.randint(*((20, 90) if big else (3, 12))) for _ in range(2))
        wanted = rng.randrange(2)
        scene = rng.randrange(3)
        p, q = sorted(rng.sample(range(5, 20), 2), reverse=True) if scene == 0 else ((4, 2), (3, 2))[scene - 1]
        n, total = a + b, p * a + q * b
        if a == b:
            return None
        if scene == 0:
            sort = ("adults'", "children's")[wanted]
            problem = (
                f"A museum sold {n} tickets. An adult's ticket costs {p} euros and a child's ticket {q} euros, and "
                f"{total} "
                f"euros were taken in. How many {sort} tickets were sold?"
            )
        elif scene == 1:
            problem = (
                f"A farm keeps only goats and ducks, {n} animals in all. Together they have {total} legs. How many "
                f"{('goats', 'ducks')[wanted]} are there?"
            )
        else:
            problem = (
                f"A shop has {n} bicycles and tricycles for children, with {total} wheels altogether. How many "
                f"{('tricycles', 'bicycles')[wanted]} are there?"
            )
        shown = [n, p, q, total]
    elif story == "ages":
        m = rng.randint(2, 3)
        k = rng.randint(m + 1, 6)
        ago, ahead = rng.randint(2, 9), rng.randint(2, 15)
        if (ago + ahead) * (m - 1) % (k - m):
            return None
        young = (ago + ahead) * (m - 1) // (k - m)
        a, b = k * young + ago, young + ago
        if a > 80 or young < 2 or a - b < 15:
            return None
        wanted = rng.randrange(2)
        times = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}
        one, other = people(rng, 2)
        whose = (one, other)[wanted]
        problem = rng.choice(
            (
                f"{ago} years ago {one} was {times[k]} as old as {other}. In {ahead} years {one} will be {times[m]} "
                f"as old "
                f"as {other}. How old is {whose} now?",
                f"In {ahead} years a house will be {times[m]} as old as the tree beside it. {ago} years ago it was "
                f"{times[k]} "
                f"as old as the tree. How many years old is the {('house', 'tree')[wanted]} today?",
                f"{one} says to {other}: “{ago} years ago I was {times[k]} your age, and {ahead} years from now I "
                f"shall be "
                f"{times[m]} your age.” Find the present age of {whose}.",
            )
        )
        shown = [ago, k, ahead, m]
    elif story == "prices":
        a, b = rng.sample(range(2, 30 if big else 9), 2)
        p, q, r, s = (rng.randint(2, 7 if big else 4) for _ in range(4))
        if p * s == q * r:
            return None
        things = rng.choice((("pens", "notebooks"), ("coffees", "sandwiches"), ("lemons", "mangos"), ("mugs", "bowls")))
        wanted = rng.randrange(2)
        first, second = p * a + q * b, r * a + s * b
        thing = things[wanted].removesuffix("es" if things[wanted] == "sandwiches" else "s")
        coin = rng.choice(("euros", "dollars", "crowns"))
        problem = rng.choice(
            (
                f"{p} {things[0]} and {q} {things[1]} cost {first} {coin} together, while {r} {things[0]} and {s} "
                f"{things[1]} "
                f"cost {second} {coin}. How many {coin} does one {thing} cost?",
                f"{person(rng)} pays {first} {coin} for {p} {things[0]} and {q} {things[1]}. For {r} {things[0]} and "
                f"{s} "
                f"{things[1]} at the same prices {second} {coin} would have been due. Find the price of one {thing} "
                f"in {coin}.",
            )
        )
        shown = [p, q, first, r, s, second]
    elif story == "digits":
        a, b = rng.sample(range(1, 10), 2)
        wanted, total, gain = 0, a + b, 9 * (b - a)
        change = f"{abs(gain)} {'larger' if gain > 0 else 'smaller'} than"
        name = person(rng)
        problem = rng.choice(
            (
                f"The digits of a two-digit number add up to {total}. If the two digits change places, the new "
                f"number is "
                f"{change} the old one. What is the old number?",
                f"{name} reads the two digits of a house number in the wrong order and gets a number that is "
                f"{change} the "
                f"right one. The sum of the two digits is {total}. What is the right number?",
                f"{name} thinks of a two-digit number with the digit sum {total}. Written backwards it becomes a "
                f"number that "
                f"is {change} the one {name} thinks of. Which number does {name} think of?",
            )
        )
        shown = [total, gain]
    elif story == "pairs":
        a, b, c = rng.sample(range(9, 48), 3)
        wanted = rng.randrange(3)
        names = people(rng, 3)
        shown = [a + b, b + c, c + a]
        unit = rng.choice(("kilograms", "points", "coins"))
        verb = {"kilograms": "weigh", "points": "have scored", "coins": "own"}[unit]
        one, two, three = names
        goal = {
            "kilograms": f"How many kilograms does {names[wanted]}'s parcel weigh",
            "points": f"How many points has {names[wanted]} scored",
            "coins": f"How many coins does {names[wanted]} own",
        }[unit]
        whose = "'s and {}'s parcels" if unit == "kilograms" else " and {}"
        problem = (
            f"{one}{whose.format(two)} together {verb} {shown[0]} {unit}, {two}{whose.format(three)} {shown[1]} "
            f"{unit}, and "
            f"{three}{whose.format(one)} {shown[2]} {unit}. {goal}?"
        )
    else:
        k = rng.randint(2, 4)
        b, c = rng.randint(2, 9), rng.randint(3, 20)
        a = k * b
        p, q, r = rng.sample(range(2, 13), 3)
        wanted = rng.randrange(3)
        if k * p + q == (k + 1) * r:
            return None
        n, total = a + b + c, p * a + q * b + r * c
        times = {2: "twice", 3: "three times", 4: "four times"}
        colours = rng.sample(["red", "blue", "green", "white", "black", "yellow"], 3)
        problem = rng.choice(
            (
                f"A pallet carries {n} boxes: {colours[0]} ones of {p} kg, {colours[1]} ones of {q} kg and "
                f"{colours[2]} ones "
                f"of {r} kg each. They weigh {total} kg altogether, and there are {times[k]} as many {colours[0]} "
                f"boxes as "
                f"{colours[1]} ones. How many boxes are {colours[wanted]}?",
                f"In a game a {colours[0]} token is worth {p} points, a {colours[1]} one {q} points and a "
                f"{colours[2]} one {r} "
                f"points. {person(rng)} has {n} tokens worth {total} points, {times[k]} as many {colours[0]} as "
                f"{colours[1]} "
                f"ones. How many of the tokens are {colours[wanted]}?",
            )
        )
        shown = [n, p, q, r, total, k]
    answer = (
        10 * a + b if story == "digits" else (a, b, 0)[wanted] if story not in ("pairs", "boxes") else (a, b, c)[wanted]
    )
    return Draw(problem, str(answer), {"story": story, "shown": shown, "wanted": wanted})


def tried_divisors(total: int, change: int, difference: int, wanted: str) -> int:
    """Try one divisor after the other until both quotients differ as told."""
    from itertools import count

    for larger in count(change + 1):
        smaller = larger - change
        if total * larger - total * smaller == difference * larger * smaller:
            break
    return {"smaller": smaller, "larger": larger, "long": total // smaller, "short": total // larger}[wanted]


@generator("Turn a changed speed or share into a difference of two quotients", check=tried_divisors)
def changed_divisor(rng: Random, difficulty: int) -> Draw | None:
    smaller = rng.randint(*((2, 9), (4, 20), (6, 45))[difficulty - 1])
    change = rng.randint(1, (3, 6, 15)[difficulty - 1])
    larger = smaller + change
    total = lcm(smaller, larger) * rng.randint(1, 6)
    difference = total // smaller - total // larger
    longest = total // smaller
    if total > (60, 400, 1200)[difficulty - 1] or difference < 2 or longest > 60 or longest == smaller:
        return None
    story = rng.randrange(4)
    wanted = rng.choice(("smaller", "larger") if difficulty < 3 else ("long", "short", "smaller", "larger"))
    quotients = wanted in ("long", "short")
    name = person(rng)
    if story == 0:
        if smaller < 7 or larger > 45 or longest > 24:
            return None
        asked = (
            f"How many hours does the ride take {'at her usual speed' if wanted == 'long' else 'when she is faster'}?"
            if quotients
            else f"What is her {'usual' if wanted == 'smaller' else 'higher'} speed in km/h?"
        )
        problem = (
            f"A cyclist rides {total} km at her usual steady speed. If she were {change} km/h faster, the ride would "
            f"take "
            f"{difference} hours less. {asked}"
        )
    elif story == 1:
        if smaller < 3:
            return None
        leave = "one of them does" if change == 1 else f"{change} of them do"
        asked = (
            f"How many euros "
            f"{'was each to pay at first' if wanted == 'short' else 'does each of the others pay in the end'}?"
            if quotients
            else "How many friends were there at first?"
            if wanted == "larger"
            else "How many friends pay in the end?"
        )
        problem = (
            f"Some friends want to share the rent of {total} euros for a cabin equally. Because {leave} not come and "
            f"pay nothing, each of the others has to pay {difference} euros more. {asked}"
        )
    elif story == 2:
        if longest > 40:
            return None
        asked = (
            f"How many days does the order take {'as planned' if wanted == 'long' else 'at the higher rate'}?"
            if quotients
            else f"How many chairs a day {'were planned' if wanted == 'smaller' else 'are made in fact'}?"
        )
        more = f"{change} more chair{'s' if change > 1 else ''}"
        problem = (
            f"A workshop has an order for {total} chairs and plans to make the same number every day. In fact it "
            f"makes {more} "
            f"each day than planned and is done {difference} days early. {asked}"
        )
    else:
        asked = (
            f"How many books does {name} get {'at the usual price' if wanted == 'short' else 'at the lower price'}?"
            if quotients
            else f"How many euros is the {'usual' if wanted == 'larger' else 'lower'} price of a book?"
        )
        problem = (
            f"{name} has {total} euros to spend on books that all have the same price. In a sale each book costs "
            f"{change} {'euro' if change == 1 else 'euros'} less, and the money is enough for exactly {difference} "
            f"more books "
            f"than at the usual price; both times nothing is left over. {asked}"
        )
    answer = {"smaller": smaller, "larger": larger, "long": total // smaller, "short": total // larger}[wanted]
    values = {"total": total, "change": change, "difference": difference, "wanted": wanted}
    return Draw(problem, str(answer), values)
