"""Problems on quotients of polynomials."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def by_linear_system(factors: list[list[int]], right: list[int], asked: str) -> object:
    """Multiply by the denominator, compare at as many points as there are unknowns, and eliminate."""
    from fractions import Fraction

    size = len(factors)
    rows = []
    for x in range(20, 20 + size):
        row = []
        for i in range(size):
            # The unknown of factor i stands with all the other factors.
            term = Fraction(1)
            for j in range(size):
                if j != i:
                    term *= factors[j][0] * x + factors[j][1]
            row.append(term)
        value = Fraction(0)
        for coefficient in right:
            value = value * x + coefficient
        rows.append([*row, value])
    for i in range(size):
        pivot = next(k for k in range(i, size) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for k in range(size):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    unknowns = [row[-1] for row in rows]
    product = Fraction(1)
    for unknown in unknowns:
        product *= unknown
    return {"squares": sum(u * u for u in unknowns), "product": product, "first": unknowns[0], "last": unknowns[-1]}[
        asked
    ]


@generator("Cover up a factor to find a partial-fraction coefficient", check=by_linear_system)
def partial_fractions(rng: Random, difficulty: int) -> Draw | None:
    size = rng.choice(((2,), (2, 3), (3,))[difficulty - 1])
    leads = (1, 1, 1) if difficulty == 1 or rng.random() < 0.3 else tuple(rng.choice((1, 1, 2, 3)) for _ in range(3))
    zeros = rng.sample(range(-5, 6), size)
    factors = [
        [lead, -zero if lead == 1 else rng.choice((-5, -4, -2, -1, 1, 2, 4, 5))]
        for lead, zero in zip(leads, zeros, strict=False)
    ]
    if len({Fraction(-b, a) for a, b in factors}) < size or any(a > 1 and b % a == 0 for a, b in factors):
        return None
    unknowns = [Fraction(rng.choice([n for n in range(-6, 7) if n])) for _ in factors]
    if difficulty == 3 and rng.random() < 0.5:
        unknowns = [u / 2 for u in unknowns]
    right = [Fraction(0)] * size
    for i, unknown in enumerate(unknowns):
        row = [unknown]
        for j, (a, b) in enumerate(factors):
            if j != i:
                row = [a * p + b * q for p, q in zip([*row, Fraction(0)], [Fraction(0), *row], strict=True)]
        right = [r + c for r, c in zip(right, row, strict=True)]
    if any(c.denominator > 1 for c in right) or max(map(abs, right)) > 90 or not right[-1]:
        return None
    numerator = [int(c) for c in right]
    asked = rng.choice(
        (("first", "last", "product"), ("squares", "product", "first", "last"), ("squares", "product"))[difficulty - 1]
    )
    product = Fraction(1)
    for unknown in unknowns:
        product *= unknown
    answer = {
        "squares": sum((u * u for u in unknowns), Fraction(0)),
        "product": product,
        "first": unknowns[0],
        "last": unknowns[-1],
    }[asked]
    names = rng.choice(("ABC", "PQR"))[:size]
    letters = ", ".join(f"${n}$" for n in names[:-1]) + f" and ${names[-1]}$"
    brackets = [polynomial(f) if f[1] else "x" for f in factors]
    whole = "".join(f"({b})" if b != "x" else "x" for b in sorted(brackets, key=lambda b: b != "x"))
    fractions = " + ".join(rf"\dfrac{{{n}}}{{{b}}}" for n, b in zip(names, brackets, strict=True))
    wanted = {
        "squares": " + ".join(f"{n}^2" for n in names),
        "product": names,
        "first": names[0],
        "last": names[-1],
    }[asked]
    shown = polynomial(numerator)
    wordings = [
        rf"Numbers {letters} satisfy $\dfrac{{{shown}}}{{{whole}}} = {fractions}$ for all $x$ where both sides are "
        rf"defined. "
        f"Find ${wanted}$.",
        rf"{person(rng)} splits $\dfrac{{{shown}}}{{{whole}}}$ into ${fractions}$ with constants {letters}. What is "
        f"${wanted}$?",
    ]
    if size == 2:
        left = f"{names[0]}({brackets[1]}) + {names[1]}({brackets[0]})".replace("(x)", "x")
        wordings.append(f"Two numbers {letters} make ${left} = {shown}$ true for every number $x$. What is ${wanted}$?")
    return Draw(rng.choice(wordings), str(answer), {"factors": factors, "right": numerator, "asked": asked})


def by_values_nearby(numerator: list[int], denominator: list[int], asked: str) -> object:
    """Evaluate the quotient close to the hole or pole and far out, and round to the fraction that is near."""
    from fractions import Fraction

    def value(coefficients: list[int], x: Fraction) -> Fraction:
        total = Fraction(0)
        for coefficient in coefficients:
            total = total * x + coefficient
        return total

    def quotient(x: Fraction) -> Fraction:
        return value(numerator, x) / value(denominator, x)

    far = Fraction(10**9)
    slope = (quotient(2 * far) - quotient(far)) / far
    height = quotient(far) - slope * far
    found = {"intercept": height, "slope": slope, "level": quotient(far)}
    if asked in ("hole", "pole", "both"):
        for x in range(-12, 13):
            if value(denominator, Fraction(x)) == 0:
                near = quotient(x + Fraction(1, 10**9))
                if value(numerator, Fraction(x)) == 0:
                    found["hole"] = near
                else:
                    found["pole"] = Fraction(x)
        found["both"] = found.get("hole", Fraction(0)) + height
    return found[asked].limit_denominator(1000)


@generator("Find holes and asymptotes by factoring and dividing", check=by_values_nearby)
def holes_and_asymptotes(rng: Random, difficulty: int) -> Draw | None:
    hole, pole = rng.sample([n for n in range(-6, 7) if n], 2)
    if difficulty == 1:
        rest = [rng.randint(1, 4), rng.randint(-8, 8)]
    else:
        rest = [rng.choice((1, 1, 2, 3)), rng.randint(-6, 6), rng.randint(-9, 9)]
    level = Fraction(0)
    for c in rest:
        level = level * pole + c
    top = Fraction(0)
    for c in rest:
        top = top * hole + c
    if not level or not top:
        return None
    hidden = difficulty > 1 or rng.random() < 0.6
    numerator = [a - hole * b for a, b in zip([*rest, 0], [0, *rest], strict=True)] if hidden else rest
    denominator = [1, -hole - pole, hole * pole] if hidden else [1, -pole]
    height = top / (hole - pole)
    # rest = (x - pole)·(slope·x + intercept) + level
    intercept = rest[1] + rest[0] * pole if difficulty > 1 else rest[0]
    choices = ["hole", "pole"] if hidden else ["level"]
    if difficulty == 1:
        choices = ["hole", "pole", "level"] if hidden else ["level"]
        if not hidden and not rest[1]:
            return None
    elif difficulty == 2:
        choices = ["hole", "intercept"]
    else:
        choices = ["both"]
    asked = rng.choice(choices)
    answers = {
        "hole": height,
        "pole": Fraction(pole),
        "level": Fraction(rest[0]),
        "intercept": Fraction(intercept),
        "both": height + intercept,
    }
    answer = answers[asked]
    if answer.denominator > 12 or max(map(abs, numerator)) > 90:
        return None
    name = rng.choice("fgh")
    shown = rf"\dfrac{{{polynomial(numerator)}}}{{{polynomial(denominator)}}}"
    wanted = {
        "hole": (
            "The graph of {f} has one hole. At what height does it lie?",
            "Which height does the hole in the graph have?",
        ),
        "pole": (
            "Where does its graph have a vertical asymptote $x = a$? Give $a$.",
            "Find the only $a$ for which the line $x = a$ is an asymptote of its graph.",
        ),
        "level": (
            "Which height does the horizontal asymptote of its graph have?",
            "The graph has a horizontal asymptote $y = c$. Find $c$.",
        ),
        "intercept": (
            "At what height does the slanted asymptote of its graph meet the $y$-axis?",
            "Far out its graph comes arbitrarily close to a line $y = mx + n$. Find $n$.",
        ),
        "both": (
            "Its graph has a hole at height $q$, and its slanted asymptote meets the $y$-axis at height $s$. Find $q "
            "+ s$.",
            "Add the height of the hole in its graph to the height at which its slanted asymptote meets the $y$-axis. "
            "What is the sum?",
        ),
    }[asked]
    question = rng.choice(wanted).replace("{f}", f"${name}$")
    problem = rng.choice(
        (
            f"Let ${name}(x) = {shown}$. {question}",
            f"Consider the function ${name}(x) = {shown}$. {question}",
            f"{person(rng)} plots ${name}(x) = {shown}$ for all $x$ for which it is defined. {question}",
        )
    )
    return Draw(problem, str(answer), {"numerator": numerator, "denominator": denominator, "asked": asked})
