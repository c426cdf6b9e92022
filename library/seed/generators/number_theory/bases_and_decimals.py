"""Problems on numerals in other bases and on far decimals."""

from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import ordinal, person


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
