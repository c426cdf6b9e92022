"""Problems on powers and roots."""

from fractions import Fraction
from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def tried_exponents(left: list[list[int]], right: list[list[int]]) -> str:
    """Try fractions for the unknown and compare both sides, raised to the denominator, as numbers."""
    from fractions import Fraction
    from math import prod

    for d in range(1, 10):
        for n in range(-25 * d, 25 * d + 1):
            # A factor [b, p, q] means b^(p*x + q) with x = n/d.
            sides = [prod(Fraction(b) ** (p * n + q * d) for b, p, q in side) for side in (left, right)]
            if sides[0] == sides[1]:
                return str(Fraction(n, d))
    raise ValueError


@generator("Write both sides as powers of one base and equate exponents", check=tried_exponents)
def equal_exponents(rng: Random, difficulty: int) -> Draw | None:
    base = rng.choice((2, 2, 3, 5))
    top = {2: 5, 3: 4, 5: 3}[base] - (difficulty == 1)
    powers = list(range(1, top + 1))
    stories = rng.randrange(4)
    left: list[list[int]]
    right: list[list[int]]
    if stories == 3 and difficulty < 3:
        return _equal_numbers(rng, difficulty)
    if difficulty == 1:
        i, j = rng.sample(powers, 2)
        left, right = [[base**i, 1, rng.randint(-3, 4)]], [[base**j, 0, rng.randint(2, 5)]]
    else:
        i, j, k = (rng.choice(powers) for _ in range(3))
        if i == j == k == 1:
            return None
        low = 1 if difficulty == 2 else -2
        left = [[base**i, rng.randint(1, 2), rng.randint(-4, 5)], [base**j, rng.randint(low, 3), rng.randint(-3, 6)]]
        right = [[base**k, rng.randint(low, 3), rng.randint(-5, 5)]]
        if difficulty == 3:
            right.append([base ** rng.choice(powers), rng.randint(-2, 2), rng.randint(-4, 4)])
    logs = {base**power: power for power in powers}
    slope = sum(logs[b] * p for b, p, _ in left) - sum(logs[b] * p for b, p, _ in right)
    shift = sum(logs[b] * q for b, _, q in right) - sum(logs[b] * q for b, _, q in left)
    factors = left + right
    if slope == 0 or any(p == 0 and q in (0, 1) for _, p, q in factors) or len({b for b, _, _ in factors}) == 1:
        return None
    if difficulty > 1 and any(p == 0 for _, p, _ in factors[:3]):
        return None
    x = Fraction(shift, slope)
    if abs(x) > 12 or x.denominator > 4 or (difficulty < 3 and x.denominator > (2, 1)[difficulty - 1]) or x == 0:
        return None
    sides = []
    for side in (left, right):
        written = [
            str(b) if (p, q) == (0, 1) else f"{b}^{{{polynomial([p, q])}}}" if p else f"{b}^{{{q}}}" for b, p, q in side
        ]
        sides.append(r" \cdot ".join(written))
    if difficulty == 1:
        sides[1] = str(right[0][0] ** right[0][2])
    equation = f"${sides[0]} = {sides[1]}$"
    problem = rng.choice(
        (
            f"Solve {equation}.",
            f"For which number $x$ is {equation}?",
            f"{person(rng)} is looking for the real number $x$ with {equation}. Which number is it?",
        )
    )
    return Draw(problem, str(x), {"left": left, "right": right})


def _equal_numbers(rng: Random, difficulty: int) -> Draw | None:
    """Let two amounts that grow by powers of one base become equal."""
    base = rng.choice((2, 3))
    fast, slow = rng.choice(((3, 2), (2, 1), (3, 1)))
    time = rng.randint(2, 4 * difficulty + 2)
    lead = (fast - slow) * time
    behind = rng.randint(1, 5)
    if rng.random() < 0.4:
        length = fast * rng.randint(2, 5 * difficulty)
        if slow == 1 and difficulty > 1:
            return None
        long = length * slow
        if long % fast or length == long:
            return None
        problem = (
            f"A code is a row of signs. With {base**slow} different signs to choose from there are $N$ codes of "
            f"{length} "
            f"signs. How many signs long must a code be with {base**fast} different signs to choose from so that "
            f"there are "
            "again $N$ codes?"
        )
        return Draw(problem, str(long // fast), {"left": [[base**fast, 1, 0]], "right": [[base**slow, 0, length]]})
    times = {2: "doubles", 3: "triples", 4: "is multiplied by 4", 8: "is multiplied by 8", 9: "is multiplied by 9"}
    times[27] = "is multiplied by 27"
    problem = (
        f"One culture starts with ${base}^{{{behind}}}$ cells, and their number {times[base**fast]} every hour. "
        f"Another "
        f"culture starts with ${base}^{{{behind + lead}}}$ cells, and their number {times[base**slow]} every hour. "
        f"After how "
        "many hours do both cultures have the same number of cells?"
    ).replace("^{1}", "")
    left, right = [[base**fast, 1, 0], [base, 0, behind]], [[base**slow, 1, 0], [base, 0, behind + lead]]
    return Draw(problem, str(time), {"left": left, "right": right})


def tried_root_pairs(whole: int, coefficient: int, radicand: int, sign: int, wanted: str) -> int:
    """Compare the decimal value with that of the sum or difference of every pair of roots."""
    from math import sqrt

    target = sqrt(whole + sign * coefficient * sqrt(radicand))
    fits = [(m, n) for m in range(1, whole) for n in range(1, m) if abs(sqrt(m) + sign * sqrt(n) - target) < 1e-10]
    ((m, n),) = fits
    return {"m": m, "n": n, "m - n": m - n, "2m + n": 2 * m + n, "m^2 + n^2": m * m + n * n}[wanted]


@generator("Split a nested radical into a sum or difference of two roots", check=tried_root_pairs)
def nested_radical(rng: Random, difficulty: int) -> Draw | None:
    top = (12, 24, 50)[difficulty - 1]
    n, m = sorted(rng.sample(range(1, top), 2))
    outside, inside = _pulled_out(m * n)
    if inside == 1 or (difficulty == 1 and outside > 3) or (difficulty == 3 and outside == 1):
        return None
    sign = rng.choice((1, -1)) if difficulty > 1 else 1
    wanted = rng.choice(("m", "n", "m - n", "2m + n", "m^2 + n^2"))
    answer = {"m": m, "n": n, "m - n": m - n, "2m + n": 2 * m + n, "m^2 + n^2": m * m + n * n}[wanted]
    content = rf"{m + n} {'+' if sign > 0 else '-'} {2 * outside}\sqrt{{{inside}}}"
    form = rf"\sqrt{{m}} {'+' if sign > 0 else '-'} \sqrt{{n}}"
    problem = rng.choice(
        (
            rf"There are positive integers $m > n$ with $\sqrt{{{content}}} = {form}$. Find ${wanted}$.",
            f"A square tile has an area of ${content}$ square centimetres. The length of its side in centimetres is "
            f"${form}$ with positive integers $m > n$. What is ${wanted}$?",
            rf"{person(rng)} writes $\sqrt{{{content}}}$ without nested radicals, as ${form}$ with positive integers "
            f"$m$ and $n$, where $m > n$. Work out ${wanted}$.",
            f"The shorter sides of a right triangle are $1$ and $\\sqrt{{{m + n - 1} {content.split(' ', 1)[1]}}}$. "
            f"Its "
            f"hypotenuse has the length ${form}$ with positive integers $m > n$. Find ${wanted}$.",
        )
    )
    values = {"whole": m + n, "coefficient": 2 * outside, "radicand": inside, "sign": sign, "wanted": wanted}
    return Draw(problem, str(answer), values)


def _pulled_out(number: int) -> tuple[int, int]:
    """Write the root of a number as an integer times the root of a square-free integer."""
    outside = max(k for k in range(1, number + 1) if number % (k * k) == 0)
    return outside, number // outside**2


def worked_out(base: int, above: list[list[int]], below: list[list[int]], wanted: str) -> str:
    """Work all powers out as whole numbers, for one exponent after the other where it is unknown."""
    from fractions import Fraction
    from itertools import count

    # A term [c, e] means c * base^e.
    bottom = sum(c * base**e for c, e in below)
    if wanted == "quotient":
        return str(Fraction(sum(c * base**e for c, e in above), bottom))
    return str(next(k for k in count() if sum(c * base ** (k + e) for c, e in above) == bottom))


@generator("Take the smallest power out of a sum of powers", check=worked_out)
def smallest_power(rng: Random, difficulty: int) -> Draw | None:
    base = rng.choice((2, 3, 5, 10) if difficulty == 1 else (2, 3, 5, 6, 7))
    size = rng.randint(*((6, 20), (15, 60), (40, 99))[difficulty - 1])
    reach = 2 if base > 4 else 4
    many = rng.randint(2, 3) if difficulty > 1 else 2
    shifts = sorted(rng.sample(range(reach + 1), min(many, reach + 1)), reverse=True)
    shifts = [shift - shifts[-1] for shift in shifts]
    above = [[rng.choice((1, 1, -1)) if place else 1, shift] for place, shift in enumerate(shifts)]
    if difficulty == 3:
        above = [[c * rng.choice((1, 1, 2, 3)), e] for c, e in above]
    bracket = sum(c * base**e for c, e in above)
    if bracket < 2 or any(abs(c) % base == 0 for c, _ in above):
        return None
    if rng.random() < 0.4:
        # An unknown exponent: base^(k + …) + … = bracket * base^known.
        known = rng.randint(3, 6 + 6 * difficulty)
        raised = rng.randint(1, 3)
        above = [[c, e + raised] for c, e in above]
        terms = _sum_of_powers(base, above, "k")
        value = f"{bracket} \\cdot {base}^{{{known}}}"
        if known <= raised:
            return None
        problem = rng.choice(
            (
                f"For which whole number $k$ is ${terms} = {value}$?",
                f"{person(rng)} works out ${terms}$ for a positive integer $k$ and gets ${value}$. What is $k$?",
                f"Solve ${terms} = {value}$ for the integer $k$.",
            )
        )
        values = {"base": base, "above": above, "below": [[bracket, known]], "wanted": "exponent"}
        return Draw(problem, str(known - raised), values)
    if difficulty == 1:
        below = [[1, 0]]
    else:
        lower = sorted(rng.sample(range(reach), 2), reverse=True)
        below = [[1, lower[0]], [rng.choice((1, -1)), lower[1]]]
    answer = Fraction(bracket, sum(c * base**e for c, e in below))
    above, below = ([[c, e + size] for c, e in part] for part in (above, below))
    top, bottom = _sum_of_powers(base, above), _sum_of_powers(base, below)
    if answer <= 1 or (difficulty > 1 and answer.denominator > 200):
        return None
    problem = rng.choice(
        (
            f"Write $\\dfrac{{{top}}}{{{bottom}}}$ as a fraction in lowest terms or as a whole number.",
            f"By which number must ${bottom}$ be multiplied to give ${top}$?",
            f"How many times as large as ${bottom}$ is ${top}$? Give the exact value.",
        )
    )
    return Draw(problem, str(answer), {"base": base, "above": above, "below": below, "wanted": "quotient"})


def _sum_of_powers(base: int, terms: list[list[int]], letter: str = "") -> str:
    """Write a sum of multiples of powers of one base, the exponents counted from a letter if there is one."""
    written = []
    for c, e in terms:
        exponent = polynomial([1, e], letter) if letter else str(e)
        written.append(
            f"{'-' if c < 0 else '+'} {f'{abs(c)} ' + chr(92) + 'cdot ' if abs(c) > 1 else ''}{base}^{{{exponent}}}"
        )
    return " ".join(written).removeprefix("+ ")


def rationalised_by_search(front: int, above: int, below: int) -> int:
    """Square the value and look for the largest outer factor that leaves a whole radicand over the denominator."""
    from fractions import Fraction
    from math import gcd

    square = Fraction(front * front * above, below)
    denominator = 1
    while (square * denominator**2).denominator > 1:
        denominator += 1
    radicand = int(square * denominator**2)
    outer = max(n for n in range(1, 1200) if radicand % (n * n) == 0)
    inner = radicand // (outer * outer)
    common = gcd(outer, denominator)
    return outer // common + inner + denominator // common


@generator("Multiply by a root to clear a single radical below the line", check=rationalised_by_search)
def single_root_below(rng: Random, difficulty: int) -> Draw | None:
    free = (2, 3, 5, 6, 7, 10, 11, 13, 14, 15)
    inner_below = rng.choice(free[: 4 + 3 * difficulty])
    inner_above = 1 if difficulty == 1 else rng.choice(free)
    scale = 1 if difficulty == 1 else rng.randint(1, 2 * difficulty)
    front = rng.randint(1 if difficulty > 1 else 2, 12 + 8 * difficulty)
    if inner_above == inner_below:
        return None
    shared = rng.choice((2, 3, 5)) if difficulty == 3 and rng.random() < 0.5 else 1
    above, below = inner_above * shared, inner_below * scale * scale * shared
    # front * sqrt(inner_above) / (scale * sqrt(inner_below)) = front * sqrt(product) / (scale * inner_below)
    common = gcd(inner_above, inner_below)
    inner = inner_above * inner_below // common**2
    value = Fraction(front * common, scale * inner_below)
    if value.denominator == 1 and difficulty > 1 and rng.random() < 0.7:
        return None
    top = ("" if front == 1 and above > 1 else str(front)) + (rf"\sqrt{{{above}}}" if above > 1 else "")
    shown = rf"\dfrac{{{top}}}{{\sqrt{{{below}}}}}"
    name = person(rng)
    form = "$\\dfrac{a\\sqrt{b}}{c}$ with positive integers $a$, $b$ and $c$, where $b$ has no square factor above $1$"
    form += " and $a$ and $c$ have no common factor"
    problem = rng.choice(
        (
            f"The fraction ${shown}$ is equal to {form}. Find $a + b + c$.",
            f"{name} rationalises the denominator of ${shown}$ and writes it as {form}. What is $a + b + c$?",
            f"A rectangle has an area of ${top}$ square metres, and one of its sides is $\\sqrt{{{below}}}$ metres. "
            f"The other side, in metres, can be written as {form}. What is $a + b + c$?",
        )
    )
    answer = value.numerator + inner + value.denominator
    return Draw(problem, str(answer), {"front": front, "above": above, "below": below})
