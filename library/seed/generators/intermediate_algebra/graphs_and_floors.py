"""Problems on folded graphs and on sums of floors."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial, signed


def levels_counted(kind: str, numbers: list[int], wanted: int, top: int, asked: str) -> object:
    """Solve the equation branch by branch for every whole number at a level, and count its solutions."""
    from math import sqrt

    def solutions(level: int) -> int:
        if kind == "corner":
            centre, depth = numbers
            if level < 0:
                return 0
            return len({centre + s * (depth + t * level) for s in (1, -1) for t in (1, -1) if depth + t * level >= 0})
        if kind == "product":
            (m,) = numbers
            found = set()
            for square, sign in ((m * m + 4 * level, 1), (m * m - 4 * level, -1)):
                if square >= 0:
                    # Twice the solution, compared with twice the corner.
                    for root in (m + sqrt(square), m - sqrt(square)):
                        if (root >= 2 * m) == (sign == 1):
                            found.add(root)
            return len(found)
        half, constant = numbers
        if level < 0:
            return 0
        found = set()
        for height in {level, -level}:
            square = half * half - constant + height
            if square >= 0:
                for root in (half + sqrt(square), half - sqrt(square)):
                    if kind == "folded":
                        found.add(root)
                    elif root >= 0:
                        found |= {root, -root}
        return len(found)

    levels = [level for level in range(-top, top + 1) if solutions(level) == wanted]
    return {"number": len(levels), "largest": levels[-1], "smallest": levels[0], "sum": sum(levels)}[asked]


@generator("Fold the graph at its zeros and count where a level line meets it", check=levels_counted)
def folded_graph(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("corner", "folded"), ("folded", "product"), ("even", "even", "product"))[difficulty - 1])
    letter = rng.choice("kcm")
    if kind == "corner":
        centre, depth = rng.choice([n for n in range(-9, 10) if n]), rng.randint(2, 30)
        numbers, peak = [centre, depth], depth
        text = rf"\bigl||x {signed(-centre)}| - {depth}\bigr|"
        levels = {4: [*range(1, depth)], 3: [depth]}
    elif kind == "folded":
        half, peak = (0, rng.randint(3, 40)) if difficulty == 1 else (rng.randint(-6, 6), rng.randint(3, 60))
        numbers = [half, half * half - peak]
        text = f"|{polynomial([1, -2 * half, numbers[1]])}|"
        levels = {4: [*range(1, peak)], 3: [peak]}
    elif kind == "product":
        m = 2 * rng.randint(2, 9) if difficulty == 2 else rng.randint(7, 25)
        numbers, peak = [m], -(-m * m // 4)
        text = f"x|x - {m}|"
        levels = {3: [*range(1, peak)]}
    else:
        half, peak = rng.randint(2, 7), rng.randint(4, 60)
        start = half * half - peak
        numbers = [half, start]
        text = rf"\bigl|{polynomial([1, 0, 0])} - {2 * half}|x| {signed(start)}\bigr|".replace(" \\bigr", "\\bigr")
        # Heights: 0 at the zeros, `peak` at the folded vertices, |start| on the axis.
        if start > peak:
            levels = {8: [*range(1, peak)], 4: [0, *range(peak + 1, start)], 6: [peak]}
        elif 0 < start < peak:
            levels = {8: [*range(1, start)], 7: [start], 6: [*range(start + 1, peak)]}
        elif 0 < -start < peak:
            levels = {6: [*range(1 - start, peak)], 5: [-start], 4: [*range(1, -start), peak]}
        else:
            return None
    wanted = rng.choice(list(levels))
    found = levels[wanted]
    if not found:
        return None
    words = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}[wanted]
    top = peak + abs(numbers[-1]) + 40
    equation = f"${text} = {letter}$"
    if len(found) == 1:
        asked, answer = "largest", found[0]
        problem = rng.choice(
            (
                f"For exactly one integer ${letter}$ the equation {equation} has exactly {words} different real "
                f"solutions. Find ${letter}$.",
                f"{person(rng)} moves the line $y = {letter}$ up and down, for integers ${letter}$, over the graph of "
                f"$y = {text}$. At just one height they have exactly {words} points in common. At which?",
            )
        )
    else:
        asked = rng.choice(("number", "number", "largest", "sum"))
        answer = {"number": len(found), "largest": found[-1], "sum": sum(found)}[asked]
        problem = {
            "number": rng.choice(
                (
                    f"For how many integers ${letter}$ does the equation {equation} have exactly {words} different "
                    "real solutions?",
                    f"A line $y = {letter}$ with an integer ${letter}$ is drawn across the graph of $y = {text}$. For "
                    f"how many values of ${letter}$ do they meet in exactly {words} points?",
                )
            ),
            "largest": f"What is the largest integer ${letter}$ for which {equation} has exactly {words} different "
            "real solutions?",
            "sum": f"Find the sum of all integers ${letter}$ for which the equation {equation} has exactly {words} "
            "different real solutions.",
        }[asked]
    values = {"kind": kind, "numbers": numbers, "wanted": wanted, "top": top, "asked": asked}
    return Draw(problem, str(answer), values)


def values_on_a_grid(multipliers: list[int], asked: str, limit: int) -> object:
    """Evaluate the sum on a grid so fine that it hits every jump, and collect the values."""
    from math import lcm

    step = lcm(*multipliers)
    if asked in ("values", "early values"):
        last = step * limit + (asked == "values")
        return len({sum(m * k // step for m in multipliers) for k in range(last)})
    taken = {sum(m * k // step for m in multipliers) for k in range(step * (limit // sum(multipliers) + 1))}
    reached = [n for n in range(1, limit + 1) if n in taken]
    return len(reached) if asked == "reached" else limit - len(reached)


@generator("Count the values of a sum of floors by its jumps", check=values_on_a_grid)
def floor_sum_values(rng: Random, difficulty: int) -> Draw | None:
    size = rng.choice(((2,), (2, 3), (3, 4))[difficulty - 1])
    multipliers = sorted(rng.sample(range(1, (6, 8, 9)[difficulty - 1]), size))
    places = sorted({Fraction(j, m) for m in multipliers for j in range(1, m + 1)})
    growth = sum(multipliers)
    if len(places) == growth and difficulty > 1:
        return None
    asked = rng.choice(
        (("values", "early values"), ("values", "early values", "reached"), ("reached", "missed"))[difficulty - 1]
    )
    text = " + ".join(rf"\lfloor {'' if m == 1 else m}x \rfloor" for m in multipliers)
    if asked in ("values", "early values"):
        limit = rng.randint(3, (12, 60)[difficulty - 1])
        answer = 1 + limit * len(places) - (asked == "early values")
        end = r"\le" if asked == "values" else "<"
        rates = ", ".join(str(m) for m in multipliers[:-1]) + f" and {multipliers[-1]}"
        unit, machines = rng.choice((("hour", "machine"), ("day", "robot"), ("minute", "printer")))
        moment = "and the number at the very end" if asked == "values" else "but not the number at the very end"
        number = {2: "Two", 3: "Three"}[size]
        problem = rng.choice(
            (
                f"How many different values does ${text}$ take when $x$ runs through all real numbers with $0 \\le x "
                f"{end} {limit}$?",
                f"Let $f(x) = {text}$. How many numbers occur as $f(x)$ for real $x$ with $0 \\le x {end} {limit}$?",
                f"{number} {machines}s start together and run steadily; they finish {rates} parts per {unit}. A screen "
                "shows the total number of parts finished so far. How many different numbers does it show in the "
                f"first {limit} {unit}s, counting the 0 at the start {moment}?",
            )
        )
        return Draw(problem, str(answer), {"multipliers": multipliers, "asked": asked, "limit": limit})
    limit = rng.randint(50, 600)
    residues = {sum(m * p // 1 for m in multipliers) % growth for p in places}
    rounds, rest = divmod(limit, growth)
    reached = rounds * len(places) + sum(r in residues for r in range(1, rest + 1))
    answer = reached if asked == "reached" else limit - reached
    negation = "" if asked == "reached" else "not "
    problem = rng.choice(
        (
            f"How many of the integers from $1$ to ${limit}$ can {negation}be written as ${text}$ with a real number "
            "$x$?".replace("can not", "cannot"),
            f"A positive integer is called a stop if it equals ${text}$ for some real $x$. How many of the integers "
            f"from $1$ to ${limit}$ are {negation}stops?",
            f"{person(rng)} turns a dial that can stand at any real number $x \\ge 0$; the screen shows ${text}$. How "
            "many "
            f"of the numbers from $1$ to ${limit}$ can {negation}appear on the screen?".replace("can not", "can never"),
        )
    )
    return Draw(problem, str(answer), {"multipliers": multipliers, "asked": asked, "limit": limit})
