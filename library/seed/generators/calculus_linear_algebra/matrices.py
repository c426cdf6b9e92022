"""Problems on powers of matrices and on Markov chains."""

from fractions import Fraction
from itertools import pairwise
from math import gcd, isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def steps_taken(matrix: list[list[int]], steps: int, start: list[int], asked: list[int]) -> int:
    """Apply the matrix once for every step and weight the result."""
    vector = start
    for _ in range(steps):
        vector = [sum(a * v for a, v in zip(row, vector, strict=True)) for row in matrix]
    return sum(w * v for w, v in zip(asked, vector, strict=True))


def _times(number: int, unknown: str) -> str:
    return {1: unknown, 2: f"twice {unknown}", 3: f"three times {unknown}", 4: f"four times {unknown}"}[number]


@generator("Diagonalise a matrix to compute its powers", check=steps_taken)
def matrix_power(rng: Random, difficulty: int) -> Draw | None:
    steps = rng.randint(*((3, 6), (5, 9), (7, 12))[difficulty - 1])
    story = rng.random() < 0.5
    if story:
        # Entries first: the eigenvalues are whole numbers if the discriminant is a square.
        p, q, r, s = (rng.randint(1, (3, 4, 4)[difficulty - 1]) for _ in "pqrs")
        root = isqrt((p - s) ** 2 + 4 * q * r)
        if root**2 != (p - s) ** 2 + 4 * q * r:
            return None
        first, second = (p + s + root) // 2, (p + s - root) // 2
        (a, b), (c, d) = (q, q), (first - p, second - p)
        determinant = a * d - b * c
    else:
        # Eigenvalues and eigenvectors first: A = P D P^-1.
        span = (3, 3, 4)[difficulty - 1]
        first, second = rng.sample([v for v in range(-span, span + 2) if v], 2)
        (a, b), (c, d) = ([rng.randint(-2, 3) for _ in "xy"] for _ in "pq")
        determinant = a * d - b * c
        if determinant == 0:
            return None
        upper = [first * a * d - second * b * c, (second - first) * a * b]
        lower = [(first - second) * c * d, second * a * d - first * b * c]
        if any(n % determinant for n in upper + lower):
            return None
        p, q, r, s = (n // determinant for n in upper + lower)
        if q == 0 or r == 0 or max(map(abs, (p, q, r, s))) > 9:
            return None
    one, two = first**steps, second**steps
    power = [
        [Fraction(one * a * d - two * b * c, determinant), Fraction((two - one) * a * b, determinant)],
        [Fraction((one - two) * c * d, determinant), Fraction(two * a * d - one * b * c, determinant)],
    ]
    name = person(rng)
    if story:
        start = [rng.randint(1, 6), rng.randint(1, 6)]
        asked = rng.choice(([1, 0], [0, 1], [1, 1]))
        ends = [sum((x * y for x, y in zip(row, start, strict=True)), Fraction(0)) for row in power]
        answer = sum((w * v for w, v in zip(asked, ends, strict=True)), Fraction(0))
        which = {(1, 0): "the first", (0, 1): "the second", (1, 1): "both together"}[(asked[0], asked[1])]
        letter = {(1, 0): "x_{%d}", (0, 1): "y_{%d}", (1, 1): "x_{%d} + y_{%d}"}[(asked[0], asked[1])]
        letter = letter.replace("%d", str(steps))
        many = "does" if sum(asked) == 1 else "do"
        colony = f"{which} colony" if sum(asked) == 1 else "both colonies together"
        symbols = [f"{m if m > 1 else ''}{u}" for m, u in ((p, "x_n"), (q, "y_n"), (r, "x_n"), (s, "y_n"))]
        forms = [
            f"Let $x_0 = {start[0]}$, $y_0 = {start[1]}$, $x_{{n+1}} = {symbols[0]} + {symbols[1]}$ and $y_{{n+1}} = "
            f"{symbols[2]} + {symbols[3]}$. What is ${letter}$?",
            f"Two colonies of cells begin with {start[0]} and {start[1]} thousand cells. Each hour the new size of the "
            f"first is {_times(p, 'its own old size')} plus {_times(q, 'the old size of the second')}, and that of the "
            f"second is {_times(r, 'the old size of the first')} plus {_times(s, 'its own old size')}. How many "
            "thousand "
            f"cells {many} {colony} have after {steps} hours?",
            f"{name} writes {start[0]} on a red and {start[1]} on a blue board. In every round the red number is "
            "replaced "
            f"by {_times(p, 'itself')} plus {_times(q, 'the blue one')} and, at the same time, the blue number by "
            f"{_times(r, 'the red one')} plus {_times(s, 'itself')}. What is "
            + {1: "the red number", 2: "the blue number", 3: "the sum of both"}[asked[0] + 2 * asked[1]]
            + f" after {steps} rounds?",
        ]
    else:
        row, column = rng.randint(0, 1), rng.randint(0, 1)
        kind = rng.choice(("entry", "vector", "sum"))
        shown = rf"\begin{{pmatrix}}{p}&{q}\\{r}&{s}\end{{pmatrix}}"
        place = f"{('upper', 'lower')[row]} {('left', 'right')[column]}"
        start = [1 - column, column]
        asked = [1 - row, row]
        if kind == "vector":
            start = [rng.randint(-3, 4), rng.randint(-3, 4)]
            if not any(start):
                return None
        elif kind == "sum":
            start = [1, 1]
        ends = [sum((x * y for x, y in zip(line, start, strict=True)), Fraction(0)) for line in power]
        answer = ends[row]
        vector = rf"\begin{{pmatrix}}{start[0]}\\{start[1]}\end{{pmatrix}}"
        forms = {
            "entry": [
                f"Let $A = {shown}$. What is the {place} entry of $A^{{{steps}}}$?",
                f"The matrix ${shown}$ is raised to the power ${steps}$. Find the {place} entry of the result.",
            ],
            "vector": [
                f"Let $A = {shown}$. What is the {('first', 'second')[row]} component of $A^{{{steps}}}{vector}$?",
                f"A linear map has the matrix ${shown}$ and is applied {steps} times in a row, beginning with the "
                "vector "
                f"${vector}$. What is the {('first', 'second')[row]} component of the last vector?",
            ],
            "sum": [
                f"Let $A = {shown}$. What is the sum of the two entries in the {('first', 'second')[row]} row of "
                f"$A^{{{steps}}}$?",
            ],
        }[kind]
    if answer in (0, 1) or abs(answer) > 10**8:
        return None
    values = {"matrix": [[p, q], [r, s]], "steps": steps, "start": start, "asked": asked}
    return Draw(rng.choice(forms), str(answer), values)


def trees_summed(moves: list[list[list[int]]], state: int, total: int) -> str:
    """Weight each state by all trees of moves that lead to it, and compare the weights."""
    from fractions import Fraction
    from itertools import product
    from math import prod

    size = len(moves)

    def leads(choice: dict[int, int], start: int, root: int) -> bool:
        seen = set()
        while start != root:
            if start in seen:
                return False
            seen.add(start)
            start = choice[start]
        return True

    weights = []
    for root in range(size):
        others = [i for i in range(size) if i != root]
        weight = Fraction(0)
        for goals in product(range(size), repeat=size - 1):
            choice = dict(zip(others, goals, strict=True))
            if all(leads(choice, i, root) for i in others):
                weight += prod(Fraction(*moves[i][choice[i]]) for i in others)
        weights.append(weight)
    return str(weights[state] / sum(weights) * total)


@generator("Find the long-run distribution of a Markov chain", check=trees_summed)
def long_run(rng: Random, difficulty: int) -> Draw | None:
    size = 2 if difficulty == 1 else 3
    rows: list[list[Fraction]] = []
    for i in range(size):
        parts = rng.choice((2, 3, 4, 5, 10) if size == 2 else (2, 3, 4, 6))
        cuts = [rng.randint(0, parts) for _ in range(size - 1)]
        cuts = [0, *sorted(cuts), parts]
        row = [Fraction(y - x, parts) for x, y in pairwise(cuts)]
        if row[i] == 1 or (size == 2 and 0 in row) or (size == 3 and difficulty == 2 and 0 not in row):
            return None
        rows.append(row)
    if not any(rows[i][i] for i in range(size)):
        return None
    # Shares with share = sum of incoming share times probability, scaled so that the first is 1.
    if size == 2:
        shares = [Fraction(1), rows[0][1] / rows[1][0]]
    else:
        # y (1 - p11) = p01 + z p21 and z (1 - p22) = p02 + y p12
        block = (1 - rows[1][1]) * (1 - rows[2][2]) - rows[2][1] * rows[1][2]
        if block == 0:
            return None
        y = (rows[0][1] * (1 - rows[2][2]) + rows[2][1] * rows[0][2]) / block
        z = (rows[0][2] * (1 - rows[1][1]) + rows[1][2] * rows[0][1]) / block
        shares = [Fraction(1), y, z]
    # Every state has to be reachable from every other one.
    reach = [[i == j or rows[i][j] > 0 for j in range(size)] for i in range(size)]
    for k in range(size):
        for i in range(size):
            for j in range(size):
                reach[i][j] = reach[i][j] or (reach[i][k] and reach[k][j])
    if not all(map(all, reach)):
        return None
    state = rng.randrange(size)
    share = shares[state] / sum(shares)
    if (size == 2 and rows[0][1] == rows[1][0]) or share.denominator > (12, 30, 60)[difficulty - 1]:
        return None
    total = 1
    if rng.random() < 0.4:
        total = share.denominator * rng.randint(2, 200 // share.denominator + 2)
    name = person(rng)
    if size == 2:
        kinds = [("tea", "coffee"), ("the bus", "the bicycle"), ("soup", "salad")]
        scene = rng.choice(("drink", "ride", "bulb"))
        one, two = {"drink": kinds[0], "ride": kinds[1], "bulb": ("red", "blue")}[scene]
        verb = {"drink": "orders", "ride": "takes", "bulb": "shows"}[scene]
    chance = [[_fraction(x) for x in row] for row in rows]
    if size == 2 and total == 1:
        # Taking turns of one person, day after day.
        past = {"drink": "ordered", "ride": "taken", "bulb": "shown"}[scene]
        actor = "A lamp" if scene == "bulb" else name
        again = "it" if scene == "bulb" else name
        problem = (
            f"Every day {actor.replace('A lamp', 'a lamp')} {verb} either {one} or {two}. When {again} has {past} "
            f"{one} on "
            f"one day, {again} {verb} {two} on the next with probability {chance[0][1]} and {one} otherwise. When "
            f"{again} "
            f"has {past} {two}, {again} {verb} {one} on the next day with probability {chance[1][0]} and {two} "
            "otherwise. "
            f"In the long run, on what fraction of the days does {again} {verb[:-1]} {(one, two)[state]}?"
        )
        problem = problem.replace(" showe", " show")
    elif size == 3 and total == 1 and rng.random() < 0.5:
        weather = rng.choice((("a sunny", "a cloudy", "a rainy"), ("a calm", "a windy", "a stormy")))
        sentences = []
        for i, kind in enumerate(weather):
            goals = [
                f"{other} one with probability {chance[i][j]}" if rows[i][j] < 1 else f"always {other} one"
                for j, other in enumerate(weather)
                if rows[i][j]
            ]
            sentences.append(f"After {kind} day comes {listed(goals)}.")
        problem = (
            f"On an island the kind of day depends only on the day before. {' '.join(sentences)} In the long run, what "
            f"fraction of the days is {weather[state].split()[1]}?"
        )
    else:
        names = ("A", "B", "C")[:size]
        things, place, verb = rng.choice(
            (("bikes", "stations", "moves"), ("vans", "depots", "moves"), ("boats", "harbours", "sails"))
        )
        one_thing = things[:-1]
        sentences = []
        for i in range(size):
            goals = [
                f"{verb} to ${names[j]}$ with probability {chance[i][j]}" for j in range(size) if j != i and rows[i][j]
            ]
            stay = rows[i][i]
            last = " and stays otherwise" if stay else ""
            if not stay and len(goals) == 1:
                goals = [f"always {verb} to ${names[next(j for j in range(size) if rows[i][j])]}$"]
            text = listed(goals) if not last else ", ".join(goals) + last
            sentences.append(f"A {one_thing} at ${names[i]}$ {text}.")
        whole = (
            f"There are {total} {things}. In the long run, how many of them are at ${names[state]}$ on average?"
            if total > 1
            else f"In the long run, which fraction of the {things} is at ${names[state]}$?"
        )
        number = {2: "two", 3: "three"}[size]
        problem = rng.choice(
            (
                f"Hired {things} stand at {number} {place}, {listed([f'${n}$' for n in names])}. Each day the "
                "following "
                f"happens. {' '.join(sentences)} {whole}",
                f"A company keeps its {things} at the {place} {listed([f'${n}$' for n in names])}. Every night each "
                f"{one_thing} is treated in the same way, independently of the others. {' '.join(sentences)} {whole}",
            )
        )
    moves = [[[x.numerator, x.denominator] for x in row] for row in rows]
    if gcd(total, share.denominator) != share.denominator and total > 1:
        return None
    return Draw(problem, str(share * total), {"moves": moves, "state": state, "total": total})


def _fraction(value: Fraction) -> str:
    return rf"$\frac{{{value.numerator}}}{{{value.denominator}}}$" if value.denominator > 1 else f"${value}$"
