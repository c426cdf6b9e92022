"""Problems on systems of linear equations."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person, signed


def cramers_rule(rows: list[list[int]], right: list[int], weights: list[int], multiplied: bool) -> str:
    """Solve by Cramer's rule, with determinants summed over all permutations."""
    from fractions import Fraction
    from itertools import combinations, permutations
    from math import prod

    size = len(rows)

    def determinant(matrix: list[list[int]]) -> int:
        total = 0
        for order in permutations(range(size)):
            crossings = sum(i > j for i, j in combinations(order, 2))
            total += (-1) ** crossings * prod(matrix[i][j] for i, j in enumerate(order))
        return total

    below = determinant(rows)
    solution = [
        Fraction(determinant([[*row[:k], r, *row[k + 1 :]] for row, r in zip(rows, right, strict=True)]), below)
        for k in range(size)
    ]
    if multiplied:
        return str(prod(solution))
    return str(sum((weight * value for weight, value in zip(weights, solution, strict=True)), Fraction(0)))


def _equation(row: list[int], right: int, letters: str) -> str:
    text = " ".join(filter(None, (signed(c, letter) for c, letter in zip(row, letters, strict=True))))
    return f"{text.removeprefix('+ ').replace('- ', '-', 1) if text[0] == '-' else text.removeprefix('+ ')} = {right}"


def _counted(number: int, thing: str) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    return f"{words[number]} {thing}" + ("s" if number != 1 else "")


_GOODS = (
    ("a stationery shop", ("pen", "ruler", "pad", "folder")),
    ("a bakery", ("roll", "tart", "bun", "muffin")),
    ("a garden market", ("tulip", "rose", "herb pot", "shrub")),
)


@generator("Row-reduce a system of linear equations", check=cramers_rule)
def reduced_system(rng: Random, difficulty: int) -> Draw | None:
    size = (2, 3, 3)[difficulty - 1] if difficulty < 3 else rng.randint(3, 4)
    story = rng.random() < 0.4 and size < 4
    if story:
        solution = rng.sample(range(1, 10), size)
        rows = [[rng.randint(0 if size > 2 else 1, 5) for _ in range(size)] for _ in range(size)]
        if any(sum(c > 0 for c in row) < 2 for row in rows):
            return None
    else:
        solution = [rng.randint(-5, 6) for _ in range(size)]
        span = (3, 3, 4)[difficulty - 1]
        rows = [[rng.randint(-span, span) for _ in range(size)] for _ in range(size)]
        if any(sum(c != 0 for c in row) < 2 for row in rows):
            return None
    right = [sum(c * x for c, x in zip(row, solution, strict=True)) for row in rows]
    # The rank, by elimination.
    matrix = [[Fraction(c) for c in row] for row in rows]
    for k in range(size):
        pivot = next((i for i in range(k, size) if matrix[i][k]), None)
        if pivot is None:
            return None
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        for i in range(k + 1, size):
            factor = matrix[i][k] / matrix[k][k]
            matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k], strict=True)]
    letters = "wxyz"[4 - size :] if size > 2 else "xy"
    weights = [1] * size
    multiplied = False
    if rng.random() < 0.5:
        weights = [0] * size
        weights[rng.randrange(size)] = 1
    elif not story and rng.random() < 0.4:
        multiplied = True
        if 0 in solution:
            return None
    answer = sum(w * x for w, x in zip(weights, solution, strict=True))
    if multiplied:
        answer = 1
        for x in solution:
            answer *= x
    # The sum of the unknowns must not be a multiple of one of the equations.
    if sum(weights) > 1 and any(len(set(row)) == 1 for row in rows):
        return None
    name = person(rng)
    if story:
        shop, goods = rng.choice(_GOODS)
        things = goods[:size]
        bought = [
            listed([_counted(c, thing) for c, thing in zip(row, things, strict=True) if c]) + f" for {price} euros"
            for row, price in zip(rows, right, strict=True)
        ]
        if sum(weights) == 1:
            goal = f"What does one {things[weights.index(1)]} cost, in euros?"
        else:
            goal = f"What do {listed([f'one {thing}' for thing in things])} cost together, in euros?"
        days = ("On Monday", "on Tuesday", "on Wednesday")
        people_buy = listed([f"{day} {name} buys {what}" for day, what in zip(days, bought, strict=False)])
        people_buy = people_buy.replace(f"on Tuesday {name} buys", "on Tuesday").replace(
            f"on Wednesday {name} buys", "on Wednesday"
        )
        lines = "; ".join(what.replace(" for ", ": ") for what in bought)
        problem = rng.choice(
            (
                f"In {shop} equal things always have the same price. {people_buy}. {goal}",
                f"The receipts of {shop} name only the totals. They read: {lines}. {goal}",
            )
        )
    else:
        equations = listed([f"${_equation(row, r, letters)}$" for row, r in zip(rows, right, strict=True)])
        unknowns = listed([f"${letter}$" for letter in letters])
        if multiplied:
            goal = f"What is ${letters}$?"
        elif sum(weights) == 1:
            goal = f"What is ${letters[weights.index(1)]}$?"
        else:
            goal = f"What is ${' + '.join(letters)}$?"
        problem = rng.choice(
            (
                f"The numbers {unknowns} satisfy {equations}. {goal}",
                f"Solve the system {equations}. {goal}",
                f"It is known that {equations}. {goal}",
            )
        )
    values = {"rows": rows, "right": right, "weights": weights, "multiplied": multiplied}
    return Draw(problem, str(answer), values)


def slopes_averaged(points: list[list[int]], x: int, through_origin: bool) -> str:
    """Average the slopes of all joining lines, weighted by the squares of their widths; go through the mean point."""
    from fractions import Fraction
    from itertools import combinations

    if through_origin:
        # Here the origin joins each point, and no two points are joined.
        widths = sum(p * p for p, _ in points)
        return str(sum((Fraction(q, p) * p * p for p, q in points), Fraction(0)) / widths * x)
    pairs = list(combinations(points, 2))
    weight = sum((q[0] - p[0]) ** 2 for p, q in pairs)
    slope = sum((Fraction(q[1] - p[1], q[0] - p[0]) * (q[0] - p[0]) ** 2 for p, q in pairs), Fraction(0)) / weight
    middle = [Fraction(sum(p[i] for p in points), len(points)) for i in range(2)]
    return str(middle[1] + slope * (x - middle[0]))


@generator("Fit by least squares with the normal equations", check=slopes_averaged)
def fitted_line(rng: Random, difficulty: int) -> Draw | None:
    through = difficulty == 1
    count = 3 if difficulty < 3 else rng.randint(4, 5)
    xs = sorted(rng.sample(range(1, 6) if through else range(-1, 5 if difficulty < 3 else 8), count))
    trend, start = rng.randint(1, 4), 0 if through else rng.randint(0, 6)
    ys = [start + trend * x + rng.randint(-2, 2) for x in xs]
    if any(y < 0 for y in ys) or len(set(ys)) < 3:
        return None
    points = [[x, y] for x, y in zip(xs, ys, strict=True)]
    target = rng.choice([x for x in range(0, 12) if x not in xs and (x or not through)])
    n, sx, sy = count, sum(xs), sum(ys)
    sxx, sxy = sum(x * x for x in xs), sum(x * y for x, y in points)
    if through:
        answer = Fraction(sxy, sxx) * target
        exact = all(y * xs[0] == ys[0] * x for x, y in points)
    else:
        b = Fraction(n * sxy - sx * sy, n * sxx - sx * sx)
        a = (sy - b * sx) / n
        answer = a + b * target
        exact = all(a + b * x == y for x, y in points)
    if exact or answer.denominator > 40:
        return None
    formula = "$y = kx$" if through else "$y = a + bx$"
    shown = listed([f"$({x}, {y})$" for x, y in points])
    name = person(rng)
    pairs = listed([f"{y} cm for {x} kg" for x, y in points])
    forms = [
        f"The line {formula} is fitted by least squares to the points {shown}. Which value does the fitted line have "
        "at "
        f"$x = {target}$?",
        f"Among all lines {formula}, {name} chooses the one for which the sum of the squares of the vertical "
        "distances to "
        f"the points {shown} is smallest. What is its height at $x = {target}$?",
    ]
    if min(xs) > 0 and target > 0:
        stretch = "proportional to the load" if through else "a linear function of the load"
        what = "stretch of a spring" if through else "length of a loaded spring"
        forms.append(
            f"{name} measures the {what}: {pairs}. The measurements are fitted by least squares with a formula that "
            "makes "
            f"it {stretch}. How many centimetres does the formula give for {target} kg?"
        )
    values = {"points": points, "x": target, "through_origin": through}
    return Draw(rng.choice(forms), str(answer), values)
