"""Problems on numerals in other bases and on far decimals."""

from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, ordinal, person


def _digits(value: int, base: int) -> list[int]:
    digits: list[int] = []
    while value:
        value, digit = divmod(value, base)
        digits.insert(0, digit)
    return digits


def bases_tried(left: list[str], times: bool, right: str, ten: bool, value: bool) -> int:
    """Try one base after the other, letting Python read the numerals."""
    from math import prod

    base = max(int(digit) for numeral in left + ([] if ten else [right]) for digit in numeral) + 1
    while True:
        numbers = [int(numeral, base) for numeral in left]
        result = int(right) if ten else int(right, base)
        if (prod(numbers) if times else sum(numbers)) == result:
            return result if value else base
        base += 1


@generator("Treat the unknown base of a numeral as a variable", check=bases_tried)
def unknown_base(rng: Random, difficulty: int) -> Draw | None:
    base = rng.randint(4, 12)
    times = difficulty == 3 or (difficulty == 2 and rng.random() < 0.3)
    if difficulty == 1:
        numbers = [rng.randint(base, base * base - 1)]
        result = numbers[0]
    elif times:
        numbers = [rng.randint(base + 1, base * base - 1), rng.randint(2 if difficulty == 2 else base + 1, base * base)]
        result = numbers[0] * numbers[1]
    else:
        numbers = [rng.randint(base + 1, base**3 - 1) for _ in "ab"]
        result = sum(numbers)
    written = [_digits(number, base) for number in (*numbers, result)]
    if max(map(max, written)) > 9:
        return None
    *left, right = ["".join(map(str, digits)) for digits in written]
    if difficulty == 1:
        right = str(result)
        if result == base or left[0] == right:
            return None
    else:
        # A calculation without a carry is right in every base.
        lowest = max(map(max, written)) + 1
        first, second = (
            [sum(d * b**k for k, d in enumerate(reversed(w))) for b in range(lowest, 400)] for w in written[:2]
        )
        third = [sum(d * b**k for k, d in enumerate(reversed(written[2]))) for b in range(lowest, 400)]
        fits = [(x * y if times else x + y) == z for x, y, z in zip(first, second, third, strict=True)]
        if sum(fits) != 1:
            return None
    value = difficulty == 3 and rng.random() < 0.4
    name = person(rng)
    if difficulty == 1:
        problem = rng.choice(
            (
                f"In base $b$ the numeral ${left[0]}_b$ stands for the number that is written ${right}$ in base ten. "
                "Find $b$.",
                f"{name} visits a country with a number system of its own and finds that ${right}$ coins are written "
                f"there as ${left[0]}$. Which base does the country use?",
                f"For which base $b$ is ${left[0]}_b = {right}_{{10}}$?",
                f"An old counting machine has the same number of digits on each of its wheels. After ${right}$ turns "
                f"of its handle, counted from zero in our usual way, it shows ${left[0]}$. How many different digits "
                "does each wheel have?",
            )
        )
    elif times:
        asked = "What is the product in base ten?" if value else "Find $b$."
        where = "Write the area in base ten." if value else "In which base are these numbers written?"
        problem = rng.choice(
            (
                rf"In a certain base $b$ the multiplication ${left[0]}_b \cdot {left[1]}_b = {right}_b$ is correct. "
                f"{asked}",
                f"On an alien tablet {name} reads that a field with sides of ${left[0]}$ and ${left[1]}$ steps has an "
                f"area of ${right}$ square steps. The calculation is right, but all numbers are in one base "
                f"other than ten. {where}",
                f"The numbers that are written ${left[0]}$ and ${left[1]}$ in base $b$ have the product ${right}$, "
                f"also written in base $b$. {asked}",
            )
        )
        if base == 10:
            return None
    else:
        problem = rng.choice(
            (
                f"In a certain base $b$ the addition ${left[0]}_b + {left[1]}_b = {right}_b$ is correct. Find $b$.",
                f"In the notebook of a sailor {name} finds the calculation ${left[0]} + {left[1]} = {right}$, which is "
                "correct in the number system of the sailor's island. What is the base of this system?",
                f"A traveller pays a bill of ${left[0]}$ with notes worth ${right}$ and correctly gets ${left[1]}$ "
                "back. All three amounts are written in the country's own number system. Which base does it have?",
            )
        )
        if base == 10:
            return None
    values = {"left": left, "times": times, "right": right, "ten": difficulty == 1, "value": value}
    return Draw(problem, str(result if value else base), values)


def divided_out(a: int, n: int, places: list[int]) -> int:
    """Divide a power of ten times the numerator in whole numbers and read the last digits."""
    return sum(10**place * a // n % 10 for place in places)


@generator("Find a far decimal digit from the remainder before it", check=divided_out)
def far_digit(rng: Random, difficulty: int) -> Draw | None:
    if difficulty == 1:
        n = rng.choice((7, 11, 13, 22, 27, 33, 37, 41))
        place = rng.randint(20, 80)
    elif difficulty == 2:
        n = rng.choice((7, 13, 14, 17, 19, 21, 22, 23, 26, 28, 29, 41))
        place = rng.randint(100, 1000)
    else:
        n = rng.choice((17, 19, 23, 29, 31, 34, 38, 43, 47, 53, 58, 59, 61, 68, 73, 76, 92, 97))
        place = rng.randint(1000, 9000)
    a = rng.randint(1, n - 1)
    if gcd(a, n) > 1:
        return None
    name = person(rng)
    kind = rng.randrange(5)
    width = 1 if kind < 3 else rng.randint(2, difficulty + 1)
    if difficulty == 1:
        kind, width = min(kind, 2), 1
    fraction = rf"$\frac{{{a}}}{{{n}}}$"
    last = place + width - 1
    if width == 1:
        problem = (
            f"What is the {ordinal(place)} digit after the decimal point of {fraction}?",
            f"{name} divides ${a}$ by ${n}$ by long division and writes each digit after the decimal point on a card "
            f"of its own. Which digit is on the {ordinal(place)} card?",
            f"A light sign shows the digits of {fraction} after the decimal point one after another, one each second. "
            f"Which digit does it show in second {place}?",
        )[kind]
    elif kind == 3:
        problem = (
            f"In the decimal expansion of {fraction}, what is the sum of the digits in the places {place} to {last} "
            "after the decimal point?"
        )
        if width == 2:
            problem = problem.replace(f"{place} to {last}", f"{place} and {last}")
    else:
        problem = (
            f"{name} paints the decimal expansion of {fraction} on a long wall, with the first digit after the "
            f"decimal point at post 1, the next digit at post 2, and so on. What do the digits at the posts {place} "
            f"{'and' if width == 2 else 'to'} {last} add up to?"
        )
    places = list(range(place, last + 1))
    answer = sum(10 * (a * pow(10, p - 1, n) % n) // n for p in places)
    return Draw(problem, str(answer), {"a": a, "n": n, "places": places})


def digits_added_up(numbers: list[list[str]], asked: str) -> str:
    """Add up a geometric series for the repeating block of each number."""
    from fractions import Fraction

    total = Fraction(0)
    for whole, lead, block in numbers:
        first = Fraction(int(block), 10 ** (len(lead) + len(block)))
        total += int(whole) + Fraction(int(lead or "0"), 10 ** len(lead)) + first / (1 - Fraction(1, 10 ** len(block)))
    parts = {"fraction": total, "sum": total.numerator + total.denominator, "numerator": total.numerator}
    return str(parts[asked] if asked != "denominator" else total.denominator)


@generator("Shift and subtract to turn a repeating decimal into a fraction", check=digits_added_up)
def repeating_decimal(rng: Random, difficulty: int) -> Draw | None:
    count = 2 if difficulty == 3 else 1
    numbers: list[list[str]] = []
    value, scale = 0, 1
    for _ in range(count):
        width = rng.randint(1, (2, 2, 3)[difficulty - 1])
        lead_width = 0 if difficulty == 1 else rng.randint(1 if count == 1 else 0, 2)
        block = "".join(str(rng.randint(0, 9)) for _ in range(width))
        lead = "".join(str(rng.randint(0, 9)) for _ in range(lead_width))
        whole = rng.choice((0, 0, 1, 2, 3)) if difficulty > 1 else 0
        if len(set(block)) < width or int(block) in (0, 9) or (lead and lead[-1] == block[-1]):
            return None
        numbers.append([str(whole), lead, block])
        # The shifted number less the number itself is a whole number of 1/(10^a(10^b - 1)).
        under = 10**lead_width * (10**width - 1)
        over = int(f"{whole}{lead}{block}") - int(f"{whole}{lead}")
        value, scale = value * under + over * scale, scale * under
    shared = gcd(value, scale)
    top, bottom = value // shared, scale // shared
    asked = rng.choice(("fraction", "sum", "numerator", "denominator"))
    if bottom < 5:
        return None
    answer = {
        "fraction": f"{top}/{bottom}",
        "sum": str(top + bottom),
        "numerator": str(top),
        "denominator": str(bottom),
    }[asked]
    written = [rf"{w}.{lead}\overline{{{block}}}" for w, lead, block in numbers]
    spelled = [f"{w}.{lead}" + block * (3 if len(block) < 3 else 2) + "…" for w, lead, block in numbers]
    name = person(rng)
    blocks = listed([f"{block}" for _, _, block in numbers])
    goal = {
        "fraction": "Write {} as a fraction in lowest terms.",
        "sum": r"Written as a fraction $\frac{p}{q}$ in lowest terms, {} has which value of $p + q$?",
        "numerator": "What is the numerator when {} is written as a fraction in lowest terms?",
        "denominator": "What is the denominator when {} is written as a fraction in lowest terms?",
    }[asked]
    it = {
        "fraction": "Which fraction in lowest terms is it exactly?",
        "sum": r"It is a fraction $\frac{p}{q}$ in lowest terms. Find $p + q$.",
        "numerator": "Which numerator does this number have as a fraction in lowest terms?",
        "denominator": "Which denominator does this number have as a fraction in lowest terms?",
    }[asked]
    if count == 1:
        again = "the digit" if len(blocks) == 1 else "the block of digits"
        forms = [
            goal.replace("{}", f"the decimal ${written[0]}$"),
            f"{name} divides two whole numbers on a calculator and sees {spelled[0]}, where {again} {blocks} repeats "
            f"without end. {it}",
            f"A scale shows a mass of {spelled[0]} kg, and one may take it that {blocks} goes on repeating for ever. "
            f"{it.replace('it exactly', 'the number of kilograms')}",
            f"The number $x = {written[0]}$ has infinitely many digits after the point, in which {blocks} repeats. "
            f"{it}",
        ]
    else:
        forms = [
            goal.replace("{}", f"the sum ${written[0]} + {written[1]}$"),
            f"{name} adds the repeating decimals {spelled[0]} and {spelled[1]}, in which {blocks} repeat for ever. "
            f"What "
            f"{name} gets is a rational number. {it}",
            f"One rod is {spelled[0]} m long and another {spelled[1]} m; the blocks {blocks} repeat without end. Their "
            f"total length is a rational number of metres. {it}",
            f"Compute $x + y$ for $x = {written[0]}$ and $y = {written[1]}$. {it}",
        ]
    return Draw(rng.choice(forms), answer, {"numbers": numbers, "asked": asked})


def remainders_noted(a: int, n: int, asked: str, last: int) -> int:
    """Carry out the long division until a remainder comes again; for a period that is asked for, of every number."""
    from math import gcd

    def parts(a: int, n: int) -> tuple[int, int]:
        seen: dict[int, int] = {}
        r = a % n
        while r not in seen:
            seen[r] = len(seen)
            r = 10 * r % n
        return seen[r], len(seen) - seen[r] if r else 0

    if asked in ("length", "lead"):
        return parts(a, n)[asked == "length"]
    if asked == "both":
        return sum(parts(a, n))
    fits = [m for m in range(2, last + 1) if gcd(m, 10) == 1 and parts(1, m) == (0, n)]
    return {"count": len(fits), "smallest": fits[0], "largest": fits[-1]}[asked]


@generator("Read the period of a fraction from the order of ten", check=remainders_noted)
def period_length(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    if difficulty > 1 and rng.random() < 0.3:
        period = rng.randint(2, 6)
        last = rng.randint(*((30, 300), (200, 2000))[difficulty - 2])
        # The divisors of 10^period - 1 that divide no 10^d - 1 before it.
        nines = 10**period - 1
        fits = [m for m in range(2, last + 1) if nines % m == 0 and all((10**d - 1) % m for d in range(1, period))]
        asked = rng.choice(("count", "smallest", "largest"))
        if len(fits) < 2:
            return None
        answer = {"count": len(fits), "smallest": fits[0], "largest": fits[-1]}[asked]
        start = {
            "count": f"How many integers $n$ with $1 < n \\le {last}$ are there",
            "smallest": "What is the smallest integer $n > 1$",
            "largest": f"What is the largest integer $n \\le {last}$",
        }[asked]
        which = {
            "count": f"How many of the fractions $\\frac12, \\frac13, \\ldots, \\frac{{1}}{{{last}}}$ have",
            "smallest": r"Which denominator is the smallest in the list $\frac12, \frac13, \frac14, \ldots$ of all "
            "fractions that have",
            "largest": rf"Which denominator is the largest among the fractions $\frac12, \frac13, \ldots, "
            rf"\frac{{1}}{{{last}}}$ that have",
        }[asked]
        problem = rng.choice(
            (
                f"{start} such that the decimal expansion of $\\frac1n$ repeats a shortest block of exactly ${period}$ "
                f"digits, "
                "starting directly after the point?",
                f"{which} a purely periodic decimal expansion with the period {period}?",
            )
        )
        return Draw(problem, str(answer), {"a": 1, "n": period, "asked": asked, "last": last})
    base = rng.choice(
        (
            (7, 11, 13, 27, 33, 37, 41, 101),
            (7, 13, 17, 21, 37, 39, 41, 73, 77, 91, 99, 101, 143),
            (19, 23, 29, 31, 43, 47, 49, 53, 59, 67, 71, 79, 119, 123, 137, 189, 207, 259, 273, 303, 407),
        )[difficulty - 1]
    )
    delay = rng.choice((1, 2, 4, 5, 8, 10, 16, 20, 25, 40, 50))
    n = base * delay
    a = rng.randint(1, min(n - 1, (12, 40, 90)[difficulty - 1]))
    asked = rng.choice(("length", "length", "both", "lead"))
    m = n // gcd(a, n)
    lead = 0
    while gcd(10, m) > 1:
        m //= gcd(10, m)
        lead += 1
    if m == 1:
        return None
    phi = sum(gcd(k, m) == 1 for k in range(1, m + 1)) if m > 1 else 1
    order = next(d for d in range(1, phi + 1) if phi % d == 0 and (pow(10, d, m) == 1 or m == 1))
    if (asked != "length" and lead == 0) or (order < 2 and asked == "length"):
        return None
    answer = {"length": order, "lead": lead, "both": lead + order}[asked]
    fraction = rf"$\frac{{{a}}}{{{n}}}$"
    forms = {
        "length": (
            f"How many digits does the shortest repeating block in the decimal expansion of {fraction} have?",
            f"{name} divides ${a}$ by ${n}$ by hand and goes on until the same remainder comes for the second time. "
            "After how many further digits does each remainder come again?",
            f"A sum of {a} dollars is split equally among {n} people, and a computer shows each share in dollars with "
            "all its decimals. From some place on, a block of digits repeats. How many digits does the shortest such "
            "block have?",
            f"What is the length of the period of the decimal number {fraction}?",
        ),
        "lead": (
            f"How many digits stand between the decimal point and the first repeating block in the decimal expansion "
            f"of "
            f"{fraction}, if that block starts as early as possible?",
            f"The decimal expansion of {fraction} becomes periodic only after a few digits. After how many digits "
            f"behind "
            "the point does the periodic part begin at the earliest?",
            f"{name} writes {fraction} as a decimal with a bar over the shortest repeating block, which is placed as "
            f"far "
            "to the left as possible. How many digits after the point have no bar?",
        ),
        "both": (
            f"In the decimal expansion of {fraction}, how many digits after the point must be known until the first "
            "repeating block, as short and as early as possible, is complete?",
            f"{name} writes {fraction} as a decimal with a bar over the repeating part, as short as possible. How many "
            "digits stand after the point, with and without the bar?",
            f"Long division of ${a}$ by ${n}$ is stopped as soon as a remainder appears that was there before (the "
            f"number ${a % n}$ at the start counts as the first remainder). How many digits after the point have been "
            "found?",
        ),
    }[asked]
    return Draw(rng.choice(forms), str(answer), {"a": a, "n": n, "asked": asked, "last": 0})


def value_computed(numeral: str, base: int, target: int, ones: bool) -> str:
    """Compute the value of the numeral and divide it by the other base again and again."""
    value, written = int(numeral, base), ""
    while value:
        value, digit = divmod(value, target)
        written = "0123456789ABCDEF"[digit] + written
    return str(written.count("1")) if ones else written


@generator("Regroup digits between bases that are powers of one number", check=value_computed)
def regrouped(rng: Random, difficulty: int) -> Draw | None:
    root = rng.choice((2, 2, 3))
    powers = (1, 2) if root == 3 else (1, 2, 3, 4)
    first, second = rng.sample(powers, 2)
    if difficulty < 3 and 1 not in (first, second):
        return None
    ones = root == 2 and second == 1 and rng.random() < 0.4
    base, target = root**first, root**second
    length = rng.randint(*((2, 3), (3, 5), (5, 8))[difficulty - 1]) * (3 if first == 1 else 1)
    numeral = rng.choice("123456789ABCDEF"[: base - 1]) + "".join(
        rng.choice("0123456789ABCDEF"[:base]) for _ in range(length - 1)
    )
    bits = "".join(_padded("0123456789ABCDEF".index(digit), root, first) for digit in numeral)
    bits = "0" * (-len(bits) % second) + bits
    written = "".join(
        "0123456789ABCDEF"[sum(int(b) * root**k for k, b in enumerate(reversed(bits[i : i + second])))]
        for i in range(0, len(bits), second)
    ).lstrip("0")
    answer = str(bits.count("1")) if ones else written
    words = {2: "two", 3: "three", 4: "four", 8: "eight", 9: "nine", 16: "sixteen"}
    letters = " (In base sixteen, A = 10, B = 11, …, F = 15.)" if 16 in (base, target) else ""
    name = person(rng)
    shown = rf"\text{{{numeral}}}" if base == 16 else numeral
    if answer == numeral or len(set(numeral)) == 1:
        return None
    if ones:
        forms = [
            f"How many ones does the binary numeral of ${shown}_{{{base}}}$ have?",
            f"A memory address is written as {numeral} in base {words[base]}. Stored in a row of lamps, each "
            "1 of its binary form is a lamp that is on. How many lamps are on?",
            f"{name} rewrites the base-{words[base]} numeral {numeral} with the digits 0 and 1 only, in base "
            "two. How many times does the digit 1 occur?",
        ]
    else:
        forms = [
            f"Write the numeral ${shown}_{{{base}}}$ in base {words[target]}.",
            f"A device stores a number as the base-{words[base]} numeral {numeral}. Its display works in base "
            f"{words[target]}. What does the display show, without leading zeros?",
            f"{name} has noted the code {numeral} in base {words[base]} and must type it into a machine that reads "
            f"base "
            f"{words[target]}. What does {name} type?",
            f"Which numeral in base {words[target]} has the same value as ${shown}_{{{base}}}$?",
        ]
        if base == 2:
            forms.append(
                f"Switches in a row are on (1) or off (0) and read {numeral} as a number in base two. {name} notes the "
                f"number in base {words[target]}. What does {name} write?"
            )
        elif target == 2:
            forms.append(
                f"The permissions of a file are given as the code {numeral} in base {words[base]}. Which row "
                "of zeros and ones, beginning with a 1, stands for the same number in base two?"
            )
        elif root == 3 and len(numeral) < 7:
            forms.append(
                f"Goods are packed in bags, boxes and crates, always {base} of a kind to the next larger one, and a "
                f"store holds what the base-{words[base]} numeral {numeral} says. The count is changed to groups of "
                f"{target}. What is the numeral in base {words[target]}?"
            )
    values = {"numeral": numeral, "base": base, "target": target, "ones": ones}
    return Draw(rng.choice(forms) + letters, answer, values, "math" if answer.isdigit() else "text")


def _padded(value: int, base: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        value, digit = divmod(value, base)
        digits = f"{digit}{digits}"
    return digits
