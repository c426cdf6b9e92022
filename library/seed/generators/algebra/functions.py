"""Problems on functions."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial, signed


def counted_inputs(conditions: list[tuple[str, list[int]]]) -> int:
    """Put in every integer and see whether each part of the formula has a real value."""
    from math import sqrt

    number = 0
    for x in range(-300, 301):
        defined = True
        for kind, coefficients in conditions:
            content = 0
            for c in coefficients:
                content = content * x + c
            if kind == "outer":
                # sqrt(first - sqrt(content of the inner root))
                bound, a, b = coefficients
                inner = a * x + b
                defined = defined and inner >= 0 and sqrt(inner) <= bound
            else:
                defined = defined and {"root": content >= 0, "below": content != 0, "root below": content > 0}[kind]
        number += defined
    return number


@generator("Intersect the domain conditions of roots, logarithms and denominators", check=counted_inputs)
def domain_integers(rng: Random, difficulty: int) -> Draw | None:
    low, high = -rng.randint(2, 10 + 5 * difficulty), rng.randint(3, 10 + 5 * difficulty)
    a, b = (rng.randint(2, 3), rng.randint(1, 3)) if difficulty > 1 else (1, 1)
    # The contents a*x + first >= 0 and second - b*x >= 0 (or > 0).
    first, second = -a * low - rng.randint(0, a - 1), b * high + rng.randint(0, b - 1)
    left, right = polynomial([a, first]), f"{second} {signed(-b, 'x')}"
    strict = rng.random() < 0.5
    least = -(first // a)
    greatest = -(-second // b) - 1 if strict else second // b
    excluded: set[int] = set()
    conditions: list[tuple[str, list[int]]] = [("root", [a, first]), ("root below" if strict else "root", [-b, second])]
    form = rng.randrange(2)
    if difficulty == 3 and rng.random() < 0.35:
        bound = rng.randint(2, 9)
        content = polynomial([a, first])
        expression = f"\\sqrt{{{bound} - \\sqrt{{{content}}}}}"
        # 0 <= a*x + first <= bound^2
        greatest = (bound * bound - first) // a
        conditions = [("outer", [bound, a, first])]
        if rng.random() < 0.6:
            pole = rng.randint(least, greatest)
            expression += f" + \\dfrac{{1}}{{{polynomial([1, -pole]) if pole else 'x'}}}"
            conditions.append(("below", [1, -pole]))
            excluded = {pole}
    elif difficulty == 1:
        pole = rng.randint(low - 4, high + 4)
        if form:
            expression = f"\\dfrac{{\\sqrt{{{left}}}}}{{{polynomial([1, -pole])}}}"
            expression += f" + \\sqrt{{{right}}}" if not strict else f" + \\dfrac{{1}}{{\\sqrt{{{right}}}}}"
            conditions.append(("below", [1, -pole]))
            excluded = {pole}
        else:
            expression = f"\\sqrt{{{left}}} + " + (
                f"\\dfrac{{1}}{{\\sqrt{{{right}}}}}" if strict else f"\\sqrt{{{right}}}"
            )
    else:
        poles = rng.sample(range(low - 3, high + 4), 2)
        below = [1, -sum(poles), poles[0] * poles[1]]
        if below[1] == 0 and difficulty == 3:
            return None
        top = f"\\sqrt{{{left}}}" if form else f"{rng.randint(2, 9)}"
        expression = f"\\dfrac{{{top}}}{{{polynomial(below)}}} + "
        expression += f"\\dfrac{{{rng.randint(1, 9)}}}{{\\sqrt{{{right}}}}}" if strict else f"\\sqrt{{{right}}}"
        if not form:
            expression += f" - \\sqrt{{{left}}}"
        conditions.append(("below", below))
        excluded = set(poles)
    answer = sum(x not in excluded for x in range(least, greatest + 1))
    if answer < 3:
        return None
    name = person(rng)
    problem = rng.choice(
        (
            f"For how many integers $x$ is ${expression}$ a real number?",
            f"{name} enters ${expression}$ into a calculator that shows an error when a number below a line is $0$ "
            f"or when a "
            f"number under a square root is negative. How many integers can {name} put in for $x$ without an error?",
            f"The function $f$ with $f(x) = {expression}$ is given the largest possible domain within the real "
            f"numbers. How "
            "many integers belong to this domain?",
        )
    )
    return Draw(problem, str(answer), {"conditions": conditions})


def interpolated(inner: list[int], rule: list[int], wanted: list[int]) -> str:
    """Collect as many points of the outer function as its degree needs and interpolate between them."""
    from fractions import Fraction

    def valued(coefficients: list[int], x: int) -> int:
        total = 0
        for c in coefficients:
            total = total * x + c
        return total

    needed = len(rule)
    points: dict[int, int] = {}
    for x in range(needed):
        points[valued(inner, x)] = valued(rule, x)
    total = Fraction(0)
    for t in wanted:
        for place, value in points.items():
            weight = Fraction(value)
            for other in points:
                if other != place:
                    weight *= Fraction(t - other, place - other)
            total += weight
    return str(total)


@generator("Choose the input that makes the inner expression the wanted one", check=interpolated)
def inner_expression(rng: Random, difficulty: int) -> Draw | None:
    squared = difficulty > 1 and rng.random() < 0.35
    letter = rng.choice("fgh")
    if squared:
        # f(t) = p t^2 + q t + r with t = x^2 + s
        shift = rng.choice([n for n in range(-5, 6) if n])
        p, q, r = rng.randint(1, 3), rng.randint(-6, 6), rng.randint(-9, 9)
        inner = [1, 0, shift]
        rule = [p, 0, 2 * p * shift + q, 0, p * shift * shift + q * shift + r]
        inputs = [shift + rng.randint(2, 15) for _ in range(1)]
    else:
        a = rng.randint(1, 1) if difficulty == 1 else rng.choice((2, 3, -1, -2, 4))
        b = rng.choice([n for n in range(-7, 8) if n])
        inner = [a, b]
        p, q, r = rng.randint(0 if difficulty == 1 else 1, difficulty), rng.randint(-5, 6), rng.randint(-9, 9)
        if p == 0 and q == 0:
            return None
        rule = [p * a * a, 2 * p * a * b + q * a, p * b * b + q * b + r]
        inputs = rng.sample(range(-9, 13), 2 if difficulty == 3 and rng.random() < 0.5 else 1)
    if difficulty < 3 and not squared and (inputs[0] - b) % a:
        return None
    answer = sum(p * t * t + q * t + r for t in inputs)
    while rule[0] == 0:
        rule.pop(0)
    inside, outside = polynomial(inner), polynomial(rule)
    values = f"{letter}({inputs[0]})" + (f" + {letter}({inputs[1]})" if len(inputs) > 1 else "")
    name = person(rng)
    problem = rng.choice(
        (
            f"For every real number $x$ we have ${letter}({inside}) = {outside}$. What is ${values}$?",
            f"A function ${letter}$ has the property that ${letter}({inside}) = {outside}$ for all real $x$. Find "
            f"${values}$.",
            f"A machine ${letter}$ turns each number into another one. Whatever real number $x$ {name} chooses, on "
            f"input "
            f"${inside}$ the machine returns ${outside}$. Compute ${values}$.",
        )
    )
    return Draw(problem, str(answer), {"inner": inner, "rule": rule, "wanted": inputs})


def chosen_constants(odd: list[list[int]], even: list[list[int]], place: int, known: int) -> str:
    """Choose constants that give the known value, all but one of them 0, and put in the opposite number."""
    from fractions import Fraction

    rest = sum(c * Fraction(place) ** e for c, e in even)
    values = set()
    for (power,) in odd:
        constant = (known - rest) / Fraction(place) ** power
        values.add(rest + constant * Fraction(-place) ** power)
    (value,) = values
    return str(value)


@generator("Add f(x) and f(-x) to cancel the odd part", check=chosen_constants)
def opposite_input(rng: Random, difficulty: int) -> Draw | None:
    powers = sorted(rng.sample((1, 3, 5, 7, -1, 9)[: 2 + difficulty + (difficulty > 1)], difficulty + (difficulty < 3)))
    powers.reverse()
    evens = [2, 0] if difficulty > 1 else [0]
    if difficulty == 3:
        evens = rng.choice(([4, 2, 0], [4, 0], [2, 0]))
    even = [
        [rng.choice([n for n in range(-4, 5) if n]) if e else rng.choice([n for n in range(-12, 13) if n]), e]
        for e in evens
    ]
    place = rng.randint(1, 9) if difficulty == 1 else rng.randint(2, 3 if evens[0] == 4 else 5)
    place *= rng.choice((1, -1))
    known = rng.randint(-30, 60)
    twice = 2 * sum(c * place**e for c, e in even)
    answer = twice - known
    if answer in (known, -known):
        return None
    letters = rng.choice(("abc", "pqr", "mnk"))[: len(powers)]
    terms: dict[int, str] = {}
    for letter, power in zip(letters, powers, strict=True):
        terms[power] = (
            f"+ \\dfrac{{{letter}}}{{x}}" if power < 0 else f"+ {letter}x^{power}" if power > 1 else f"+ {letter}x"
        )
    for c, e in even:
        terms[e] = signed(c, f"x^{e}" if e else "")
    formula = " ".join(terms[power] for power in sorted(terms, reverse=True))
    formula = formula.removeprefix("+ ")
    if formula.startswith("- "):
        formula = "-" + formula[2:]
    constants = " and ".join([", ".join(f"${c}$" for c in letters[:-1]), f"${letters[-1]}$"])
    f = rng.choice("fgh")
    rule = f"${f}(x) = {formula}$"
    name = person(rng)
    where = " for $x \\ne 0$" if -1 in powers else ""
    problem = rng.choice(
        (
            f"Let {rule}{where}, where {constants} are constants. If ${f}({place}) = {known}$, what is "
            f"${f}({-place})$?",
            f"For certain constants {constants} the function ${f}$ is given by {rule}{where}. It is known that "
            f"${f}({place}) = {known}$. Find ${f}({-place})$.",
            f"{name} has forgotten the constants {constants} in the rule {rule}{where}, but remembers that the input "
            f"${place}$ gives the value ${known}$. Which value does the input ${-place}$ give?",
        )
    )
    values = {"odd": [[p] for p in powers], "even": even, "place": place, "known": known}
    return Draw(problem, str(answer), values)
