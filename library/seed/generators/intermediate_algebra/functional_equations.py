"""Problems on equations for unknown functions."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import people, person, polynomial, signed


def shot_round_the_cycle(kind: str, weights: list[int], right: list[int], centre: int, point: list[int]) -> object:
    """Go once round the cycle with two trial values of f(t); the value that returns to itself is the right one."""
    from fractions import Fraction

    def moved(x: Fraction) -> Fraction:
        if kind == "reflect":
            return centre - x
        if kind == "invert":
            return centre / x
        if kind == "swap":
            return (x + centre) / (x - 1)
        return 1 / (1 - x)

    a, b = weights
    start = Fraction(*point)

    def returned(value: Fraction) -> Fraction:
        x = start
        while True:
            wanted = Fraction(0)
            for coefficient in right:
                wanted = wanted * x + coefficient
            value, x = (wanted - a * value) / b, moved(x)
            if x == start:
                return value

    # The returned value is a linear function of the trial value.
    at_0, at_1 = returned(Fraction(0)), returned(Fraction(1))
    return at_0 / (1 - (at_1 - at_0))


@generator("Complete the cycle of a substitution and solve the linear system", check=shot_round_the_cycle)
def substitution_cycle(rng: Random, difficulty: int) -> Draw | None:
    kinds = (("reflect",), ("reflect", "invert", "invert"), ("three", "three", "swap", "invert"))
    kind = rng.choice(kinds[difficulty - 1])
    a, b = rng.choice((1, 1, 2, 3, 4)), rng.choice((1, -1, 2, -2, 3, 4, 5))
    if a == abs(b):
        return None
    centre = {
        "reflect": rng.randint(0, 9),
        "invert": 1 if difficulty == 2 else rng.choice((2, 3, 4, 6)),
        "swap": rng.choice((1, 2, 3, 5)),
        "three": 0,
    }[kind]
    right = [rng.choice((1, 1, 2, 3)), rng.randint(-5, 5)]
    if kind == "reflect" and difficulty == 2:
        right = [1, rng.randint(-3, 3), rng.randint(-5, 5)]
    t = Fraction(rng.choice((-3, -2, 2, 3, 4, 5, 6)) if kind != "reflect" else rng.randint(-4, 8))
    orbit = [t]
    while (following := _moved(kind, centre, orbit[-1])) != t:
        if following is None or len(orbit) > 3:
            return None
        orbit.append(following)
    if len(orbit) == 1:
        return None
    sides = [_value(right, x) for x in orbit]
    if len(orbit) == 2:
        # a·f(t) + b·f(u) = g(t) and a·f(u) + b·f(t) = g(u).
        answer = (a * sides[0] - b * sides[1]) / (a * a - b * b)
    else:
        answer = (a * a * sides[0] - a * b * sides[1] + b * b * sides[2]) / (a**3 + b**3)
    if difficulty == 1 and answer.denominator > 3:
        return None
    inner = {
        "reflect": f"{centre} - x" if centre else "-x",
        "invert": rf"\tfrac{{{centre}}}{{x}}",
        "swap": rf"\tfrac{{x + {centre}}}{{x - 1}}",
        "three": r"\tfrac{1}{1 - x}",
    }[kind]
    brackets = (r"\left(", r"\right)") if kind != "reflect" else ("(", ")")
    name = rng.choice("fgh")
    second = signed(b, f"{name}{brackets[0]}{inner}{brackets[1]}")
    equation = f"{'' if a == 1 else a}{name}(x) {second} = {polynomial(right)}"
    domain = {
        "reflect": "for all real numbers $x$",
        "invert": r"for all real numbers $x \ne 0$",
        "swap": r"for all real numbers $x \ne 1$",
        "three": "for all real numbers $x$ other than $0$ and $1$",
    }[kind]
    one, other = people(rng, 2)
    problem = rng.choice(
        (
            f"A function ${name}$ satisfies ${equation}$ {domain}. Find ${name}({t})$.",
            f"Suppose that ${equation}$ {domain}. What is ${name}({t})$?",
            f"{one} thinks of a function ${name}$ and tells {other} only that ${equation}$ {domain}. {other} can work "
            f"out ${name}({t})$ from this. What is it?",
        )
    )
    values = {"kind": kind, "weights": [a, b], "right": right, "centre": centre, "point": [int(t), 1]}
    return Draw(problem, str(answer), values)


def _moved(kind: str, centre: int, x: Fraction) -> Fraction | None:
    if kind == "reflect":
        return centre - x
    if kind == "invert":
        return centre / x if x else None
    if kind == "swap":
        return (x + centre) / (x - 1) if x != 1 else None
    return 1 / (1 - x) if x not in (0, 1) else None


def _value(coefficients: list[int], x: Fraction) -> Fraction:
    value = Fraction(0)
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


def stepped_along(kind: str, rule: list[int], shift: int, known: list[list[int]], wanted: list[int]) -> object:
    """Walk from the known values to the wanted inputs, one application of the rule after another."""
    from fractions import Fraction

    total = Fraction(0)
    for goal in wanted:
        if kind == "rule":
            (place, value) = known[0][0], Fraction(known[0][1])
            a, b, c, d = rule
            while place < goal:
                place, value = place + shift, (a * value + b) / (c * value + d)
        elif kind == "three terms":
            before, value = Fraction(known[0][1]), Fraction(known[1][1])
            place = known[1][0]
            while place < goal:
                place, before, value = place + 1, value, rule[0] * value - before
        else:
            # Odd or even function (rule[0] is the sign), symmetric about x = shift.
            table = {pair[0]: pair[1] for pair in known}
            sign, place = 1, goal
            while place not in table:
                place = 2 * shift - place
                if place < 0:
                    place, sign = -place, sign * rule[0]
            value = Fraction(sign * table[place])
        total += value
    return total


@generator("Chase a shift relation until the function repeats", check=stepped_along)
def shift_relation(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("rule", "rule", "three terms"), ("rule", "rule", "three terms", "axis"), ("rule", "axis"))[difficulty - 1]
    )
    name = rng.choice("fgh")
    if kind == "three terms":
        return _three_terms(rng, difficulty, name)
    if kind == "axis":
        return _axis(rng, difficulty, name)
    value = f"{name}(x)"
    k = rng.randint(2, 9)
    short = (
        ([-1, k, 0, 1], f"{k} - {value}", 2),
        ([0, k, 1, 0], rf"\dfrac{{{k}}}{{{value}}}", 2),
        ([0, -1, 1, 0], rf"-\dfrac{{1}}{{{value}}}", 2),
    )
    long = (
        ([1, -1, 1, 0], rf"1 - \dfrac{{1}}{{{value}}}", 3),
        ([0, 1, -1, 1], rf"\dfrac{{1}}{{1 - {value}}}", 3),
        ([1, -1, 1, 1], rf"\dfrac{{{value} - 1}}{{{value} + 1}}", 4),
        ([1, 1, -1, 1], rf"\dfrac{{1 + {value}}}{{1 - {value}}}", 4),
        ([1, -3, 1, 1], rf"\dfrac{{{value} - 3}}{{{value} + 1}}", 3),
        ([k, -k * k, 1, 0], rf"{k} - \dfrac{{{k * k}}}{{{value}}}", 3),
    )
    rule, text, order = rng.choice(short if difficulty == 1 else long)
    a, b, c, d = rule
    shift = rng.randint(1, 3 if difficulty < 3 else 6)
    start, first = rng.randint(0, 6), rng.randint(2, 7)
    images = [Fraction(first)]
    for _ in range(order - 1):
        if c * images[-1] + d == 0:
            return None
        images.append((a * images[-1] + b) / (c * images[-1] + d))
    if len(set(images)) < order or 0 in images:
        return None
    goal = start + shift * rng.randint(*((5, 40), (60, 700), (100, 500))[difficulty - 1])
    equation = rf"{name}(x + {shift}) = {text}"
    given = f"${name}({start}) = {first}$"
    if difficulty == 3 and rng.random() < 0.5:
        rounds, shift, equation = rng.randint(20, 60), 1, f"{name}(x + 1) = {text}"
        wanted = list(range(start, start + rounds))
        answer = sum((images[i % order] for i in range(rounds)), Fraction(0))
        asked = f"${name}({start}) + {name}({start + 1}) + \\cdots + {name}({wanted[-1]})$"
    else:
        wanted, answer, asked = [goal], images[(goal - start) // shift % order], f"${name}({goal})$"
    if answer.denominator > 30 or (len(wanted) == 1 and answer == first):
        return None
    problem = rng.choice(
        (
            f"A function ${name}$ satisfies ${equation}$ for all real $x$, and {given}. Find {asked}.",
            f"For every integer $x$ we have ${equation}$. If {given}, what is {asked}?",
            f"A display shows the number ${name}(x)$ at minute $x$, and ${equation}$ for every whole number $x$. At "
            f"minute {start} it shows {first}. Compute {asked}.",
        )
    )
    values = {"kind": kind, "rule": rule, "shift": shift, "known": [[start, first]], "wanted": wanted}
    return Draw(problem, str(answer), values)


def _three_terms(rng: Random, difficulty: int, name: str) -> Draw | None:
    factor = rng.choice((1, -1, 0) if difficulty == 2 else (1, -1))
    period = [rng.randint(-9, 12), rng.randint(-9, 12)]
    start = rng.randint(0, 3)
    while len(period) < {1: 6, -1: 3, 0: 4}[factor]:
        period.append(factor * period[-1] - period[-2])
    if period[0] == period[1] or 0 in period[:2]:
        return None
    goal = start + rng.randint(*((20, 60), (100, 3000))[difficulty - 1])
    answer = period[(goal - start) % len(period)]
    if answer in period[:2]:
        return None
    equation = {
        1: f"{name}(x + 1) + {name}(x - 1) = {name}(x)",
        -1: f"{name}(x - 1) + {name}(x) + {name}(x + 1) = 0",
        0: f"{name}(x + 1) + {name}(x - 1) = 0",
    }[factor]
    known = [[start, period[0]], [start + 1, period[1]]]
    given = f"${name}({start}) = {period[0]}$ and ${name}({start + 1}) = {period[1]}$"
    problem = rng.choice(
        (
            f"A function ${name}$ satisfies ${equation}$ for all real $x$. If {given}, what is ${name}({goal})$?",
            f"For every integer $x$, ${equation}$. Find ${name}({goal})$, given that {given}.",
            f"{person(rng)} writes down numbers ${name}(0), {name}(1), {name}(2), \\ldots$ that obey ${equation}$ for "
            f"$x \\ge 1$, with {given}. Which number is ${name}({goal})$?",
        )
    )
    values = {"kind": "three terms", "rule": [factor], "shift": 1, "known": known, "wanted": [goal]}
    return Draw(problem, str(answer), values)


def _axis(rng: Random, difficulty: int, name: str) -> Draw | None:
    sign, axis = rng.choice((-1, 1)), rng.randint(2, 3 if difficulty == 2 else 5)
    heights = [
        0 if sign < 0 else rng.randint(-9, 9),
        *(rng.choice([n for n in range(-9, 10) if n]) for _ in range(axis)),
    ]
    period = heights + heights[-2::-1]
    period = period[:-1] + [sign * y for y in period[:-1]] if sign < 0 else period[:-1]
    wanted = sorted(rng.sample(range(50, 2100), 1 if difficulty == 2 else 2))
    picked = [period[x % len(period)] for x in wanted]
    if 0 in picked or len(set(heights)) <= axis:
        return None
    known = [[x, y] for x, y in enumerate(heights)]
    shown = known if sign > 0 else known[1:]
    points = ", ".join(f"$({x}, {y})$" for x, y in shown[:-1]) + f" and $({shown[-1][0]}, {shown[-1][1]})$"
    parity = "odd" if sign < 0 else "even"
    asked = " + ".join(f"{name}({x})" for x in wanted)
    problem = rng.choice(
        (
            f"The graph of an {parity} function ${name}$ on the real numbers is symmetric about the line $x = {axis}$. "
            f"It passes through {points}. Determine ${asked}$.",
            f"For all real $x$, ${name}(-x) = {'-' if sign < 0 else ''}{name}(x)$ and ${name}({axis} + x) = "
            f"{name}({axis} - x)$. The graph of ${name}$ contains the points {points}. Find ${asked}$.",
        )
    )
    values = {"kind": "axis", "rule": [sign], "shift": axis, "known": known, "wanted": wanted}
    return Draw(problem, str(sum(picked)), values)
