"""Problems on sums and products of many terms."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, signed


def multiplied_out(kind: str, number: int, first: int, last: int) -> object:
    """Multiply all the factors, one after another, as fractions."""
    from fractions import Fraction

    product = Fraction(1)
    for k in range(first, last + 1):
        if kind == "minus one":
            factor = Fraction(k - number, k)
        elif kind == "plus one":
            factor = Fraction(k + number, k)
        elif kind == "squares":
            factor = 1 - Fraction(number**2, k**2)
        elif kind == "neighbours":
            factor = 1 + Fraction(1, k * (k + 2))
        elif kind == "pairs":
            factor = 1 - Fraction(2, k * (k + 1))
        elif kind == "odd squares":
            factor = Fraction((2 * k) ** 2 - 1, (2 * k) ** 2 - 9)
        else:
            factor = Fraction(k**3 - 1, k**3 + 1)
        product *= factor
    return product


@generator("Telescope a product by factoring each term", check=multiplied_out)
def telescoped_product(rng: Random, difficulty: int) -> Draw | None:
    kinds = (
        ("minus one", "plus one", "plus one", "minus one", "squares"),
        ("squares", "squares", "neighbours", "pairs"),
        ("pairs", "cubes", "odd squares", "squares"),
    )
    kind = rng.choice(kinds[difficulty - 1])
    number = 1
    first, last = rng.randint(2, 6), rng.randint(*((8, 40), (12, 99), (20, 150))[difficulty - 1])
    if kind in ("minus one", "plus one"):
        number = rng.choice((1, 1, 2))
        first = max(first, number + 1)
    elif kind == "squares":
        number = 1 if difficulty == 1 else rng.choice((1, 2, 3)) if difficulty == 2 else rng.choice((3, 4, 5))
        first = number + rng.randint(1, 4)
    elif kind == "neighbours":
        first = rng.randint(1, 5)
    elif kind == "odd squares":
        first = rng.randint(2, 6)

    def over(top: list[int], bottom: list[int]) -> Fraction:
        value = Fraction(1)
        for t in top:
            value *= t
        for b in bottom:
            value /= b
        return value

    # What the factors leave at both ends.
    d, m, n = number, first, last
    answer = {
        "minus one": over(list(range(m - d, m)), list(range(n - d + 1, n + 1))),
        "plus one": over(list(range(n + 1, n + d + 1)), list(range(m, m + d))),
        "squares": over(
            [*range(m - d, m), *range(n + 1, n + d + 1)],
            [*range(n - d + 1, n + 1), *range(m, m + d)],
        ),
        # (k + 1)² over k(k + 2)
        "neighbours": Fraction(n + 1, m) * Fraction(m + 1, n + 2),
        # (k - 1)(k + 2) over k(k + 1)
        "pairs": Fraction(m - 1, n) * Fraction(n + 2, m + 1),
        # (2k - 1)(2k + 1) over (2k - 3)(2k + 3)
        "odd squares": Fraction(2 * n - 1, 2 * m - 3) * Fraction(2 * m + 1, 2 * n + 3),
        # (k - 1)/(k + 1) times (k² + k + 1)/(k² - k + 1)
        "cubes": Fraction((m - 1) * m, n * (n + 1)) * Fraction(n * n + n + 1, m * m - m + 1),
    }[kind]

    if max(answer.numerator, answer.denominator) > (300, 3000, 40000)[difficulty - 1]:
        return None
    term = {
        "minus one": rf"\left(1 - \frac{{{d}}}{{k}}\right)",
        "plus one": rf"\left(1 + \frac{{{d}}}{{k}}\right)",
        "squares": rf"\left(1 - \frac{{{d * d}}}{{k^2}}\right)",
        "neighbours": r"\left(1 + \frac{1}{k(k + 2)}\right)",
        "pairs": r"\left(1 - \frac{2}{k(k + 1)}\right)",
        "odd squares": r"\frac{4k^2 - 1}{4k^2 - 9}",
        "cubes": r"\frac{k^3 - 1}{k^3 + 1}",
    }[kind]
    step = term.replace(r"\left(", "").replace(r"\right)", "").replace(r"\frac", r"\dfrac").replace("k", "n")
    product = rf"\displaystyle\prod_{{k={first}}}^{{{last}}} {term}"

    def shown(i: int) -> str:
        return {
            "minus one": rf"\left(1 - \frac{{{d}}}{{{i}}}\right)",
            "plus one": rf"\left(1 + \frac{{{d}}}{{{i}}}\right)",
            "squares": rf"\left(1 - \frac{{{d * d}}}{{{i}^2}}\right)",
            "neighbours": rf"\left(1 + \frac{{1}}{{{i} \cdot {i + 2}}}\right)",
            "pairs": rf"\left(1 - \frac{{2}}{{{i} \cdot {i + 1}}}\right)",
            "odd squares": rf"\frac{{4 \cdot {i}^2 - 1}}{{4 \cdot {i}^2 - 9}}",
            "cubes": rf"\frac{{{i}^3 - 1}}{{{i}^3 + 1}}",
        }[kind]

    dot = r" \cdot " if kind in ("odd squares", "cubes") else ""
    written = dot.join(
        [*(shown(i) for i in range(first, first + 3)), rf"{'' if dot else ' '}\cdots{dot or ' '}{shown(last)}"]
    )
    wordings = [
        f"Find the exact value of ${product}$.",
        f"Compute ${written}$ as a fraction in lowest terms or a whole number.",
    ]
    if kind not in ("odd squares", "cubes"):
        thing = rng.choice(("A quantity equals", "A calculator shows", "A machine starts with the number"))
        wordings.append(
            f"{thing} $1$. Then it is multiplied by ${step}$ for $n = {first}, {first + 1}, \\ldots, {last}$, one "
            "factor after another. What is the result?"
        )
    else:
        wordings.append(
            f"All the fractions ${step}$ with $n = {first}, {first + 1}, \\ldots, {last}$ are multiplied. What results?"
        )
    return Draw(rng.choice(wordings), str(answer), {"kind": kind, "number": number, "first": first, "last": last})


def added_up(slope: int, constant: int, ratio: list[int], first: int, last: int) -> object:
    """Add the terms one by one; an endless sum is cut where the rest is tiny and rounded to a fraction."""
    from fractions import Fraction

    q, total = Fraction(*ratio), Fraction(0)
    for k in range(first, (last or first + 120) + 1):
        total += (slope * k + constant) * q**k
    return total if last else total.limit_denominator(10**5)


@generator("Shift and subtract a series against its own multiples", check=added_up)
def shifted_sum(rng: Random, difficulty: int) -> Draw | None:
    endless = rng.random() < (0.3, 0.5, 0.6)[difficulty - 1]
    slope = rng.choice((1, 1, 2, 3) if difficulty == 1 else (1, 2, 3, 4, 5))
    constant = rng.randint(0, 3) if difficulty == 1 else rng.randint(-2, 7)
    first = 1 if endless or rng.random() < 0.7 else 0
    if slope + constant <= 0:
        return None
    if endless:
        base = rng.choice((2, 3, 4, 5) if difficulty == 1 else (2, 3, 4, 5, 6, 7, 10))
        q = (
            Fraction(1, base)
            if difficulty < 3
            else rng.choice((Fraction(1, base), Fraction(-1, base), Fraction(2, 3), Fraction(3, 4), Fraction(2, 5)))
        )
        last = 0
        # S = (first term + slope·q²/(1 - q)) / (1 - q) with the sum starting at k = 1.
        answer = ((slope + constant) * q + slope * q * q / (1 - q)) / (1 - q)
        base_text = f"{q.denominator}"
    else:
        q = Fraction(rng.choice((2, 3) if difficulty < 3 else (2, 3, -2, 4, 5)))
        last = rng.randint(*((4, 6), (7, 10), (8, 12))[difficulty - 1]) if abs(q) < 4 else rng.randint(5, 7)
        # q·S - S: the last term stays, a geometric sum with the slope as factor, and the first term.
        middle = slope * (q ** (last + 1) - q ** (first + 1)) / (q - 1)
        answer = ((slope * last + constant) * q ** (last + 1) - middle - (slope * first + constant) * q**first) / (
            q - 1
        )
        base_text = ""
    if answer.denominator > 2000 or abs(answer) > 10**6:
        return None
    values = {"slope": slope, "constant": constant, "ratio": [q.numerator, q.denominator], "first": first, "last": last}
    linear = f"{'' if slope == 1 else slope}k {signed(constant)}".strip()
    if endless:
        weights = [slope * k + constant for k in range(1, 5)]
        if q.numerator == 1:
            parts = [rf"\dfrac{{{w}}}{{{base_text}{'' if k == 1 else f'^{k}'}}}" for k, w in enumerate(weights, 1)]
            series = f"{' + '.join(parts)} + \\cdots"
            term = rf"\dfrac{{{linear}}}{{{base_text}^k}}"
        else:
            ratio = rf"\tfrac{{{abs(q.numerator)}}}{{{q.denominator}}}"
            ratio = rf"\left({'-' if q < 0 else ''}{ratio}\right)"
            parts = [rf"{w} \cdot {ratio}{'' if k == 1 else f'^{k}'}" for k, w in enumerate(weights, 1)]
            series = f"{' + '.join(parts)} + \\cdots"
            term = rf"({linear}){ratio}^k" if constant else rf"{linear}{ratio}^k"
        prize = f"{person(rng)} adds ${series}$ without end, always following the same pattern. Towards which number "
        problem = rng.choice(
            (
                f"Find the sum of the infinite series ${series}$",
                rf"What is the value of $\displaystyle\sum_{{k=1}}^{{\infty}} {term}$?",
                f"{prize}do the partial sums tend?",
            )
        )
        return Draw(problem, str(answer), values)
    q_text = str(q) if q > 0 else f"({q})"
    weight = rf"({linear}) \cdot" if constant else rf"{linear} \cdot"
    total = rf"\displaystyle\sum_{{k={first}}}^{{{last}}} {weight} {q_text}^k"
    shown = [
        rf"{slope * k + constant} \cdot {q_text}{'' if k == 1 else f'^{{{k}}}' if k > 9 else f'^{k}'}"
        for k in (first, first + 1, first + 2, last)
    ]
    wordings = [f"Find the exact value of ${total}$.", f"Compute ${' + '.join(shown[:3])} + \\cdots + {shown[3]}$."]
    if q > 0 and first == 1:
        points = f"{'' if slope == 1 else slope}n {signed(constant)}".strip()
        each = f"each worth ${points}$ points" if points != "n" else "each worth $n$ points"
        shop = f"each holding ${points}$ coins"
        wordings += [
            f"A quiz show has {last} rounds. In round $n$ there are ${q}^n$ questions, {each}. How many points can be "
            "won altogether?",
            f"A treasure cave has {last} halls. In hall $n$ there are ${q}^n$ chests, {shop}. How many coins are in "
            "the cave?",
        ]
    return Draw(rng.choice(wordings), str(answer), values)
