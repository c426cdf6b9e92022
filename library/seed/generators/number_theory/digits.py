"""Problems on the digits of numbers."""

from itertools import pairwise
from math import prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, ordinal, person

_WORDS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}


def _numeral(value: int, base: int) -> str:
    digits = ""
    while value:
        value, digit = divmod(value, base)
        digits = f"{digit}{digits}"
    return digits


def counted_up(numerals: list[str], base: int, sign: int, target: int) -> str:
    """Let a counter with wheels of the first base run up to each numeral, and one of the target base to the result."""

    def step(wheels: list[int], base: int) -> None:
        place = 0
        while wheels[place] == base - 1:
            wheels[place] = 0
            place += 1
        wheels[place] += 1

    steps = []
    for numeral in numerals:
        wheels, shown, count = [0] * 20, [int(digit) for digit in reversed(numeral)], 0
        while wheels[: len(shown)] != shown:
            step(wheels, base)
            count += 1
        steps.append(count)
    wheels = [0] * 20
    for _ in range(steps[0] + sign * sum(steps[1:])):
        step(wheels, target)
    return "".join(map(str, reversed(wheels))).lstrip("0")


@generator("Change the base by place values and repeated division", check=counted_up)
def changed_base(rng: Random, difficulty: int) -> Draw | None:
    base, target = rng.sample(range(3, 10), 2)
    name = person(rng)
    sign = 1
    if difficulty == 1:
        if rng.random() < 0.5:
            base = 10
        else:
            target = 10
        numbers = [rng.randint(10, 80)]
    elif difficulty == 2:
        numbers = [rng.randint(100, 900)]
        if rng.random() < 0.4:
            target = base
            numbers = [rng.randint(40, 400) for _ in "ab"]
            sign = rng.choice((1, -1))
    else:
        numbers = [rng.randint(200, 1200) for _ in "ab"]
        sign = rng.choice((1, -1))
    result = numbers[0] + sign * sum(numbers[1:])
    if result < 10:
        return None
    written = [_numeral(number, base) for number in numbers]
    one = written[0]
    if difficulty == 1:
        if one == _numeral(result, target):
            return None
        forms = [
            f"Write the number ${one}_{{{base}}}$ in base {_WORDS[target]}.",
            f"Which numeral in base {_WORDS[target]} stands for the same number as the numeral ${one}$ in base "
            f"{_WORDS[base]}?",
        ]
        if target == 10:
            forms.append(
                f"Each wheel of a counter carries the digits 0 to {base - 1}, and the counter started at 0. It shows "
                f"{one} now. How many steps has it made?"
            )
        else:
            forms.append(
                f"Each wheel of a counter carries the digits 0 to {target - 1}. {name} starts it at 0 and turns its "
                f"handle ${one}$ times, and each turn moves it on by one. Which number does it show, without leading "
                "zeros?"
            )
    elif len(numbers) == 1:
        forms = [
            f"The number ${one}_{base}$ is rewritten in base {_WORDS[target]}. What is its numeral?",
            f"{name} has two counters. The wheels of the first carry the digits 0 to {base - 1}, those of the second "
            f"the digits 0 to {target - 1}. Both started at 0 and count the same visitors. The first shows {one}. "
            "What does the second show, without leading zeros?",
            f"Two islands count in base {_WORDS[base]} and in base {_WORDS[target]}. A trader writes the number of her "
            f"beads as {one} on the first island. How does she write it on the second?",
        ]
    else:
        two = written[1]
        verb, noun = ("plus", "sum") if sign == 1 else ("minus", "difference")
        where = "in the same base" if target == base else f"in base {_WORDS[target]}"
        forms = [
            f"Compute ${one}_{base} {'+' if sign == 1 else '-'} {two}_{base}$ and give the {noun} {where}.",
            f"What is the numeral {one} {verb} the numeral {two}, both in base {_WORDS[base]}? Write the {noun} "
            f"{where}.",
        ]
        goods = rng.choice(("coconuts", "crabs", "shells", "mats"))
        if sign == 1:
            story = f"sold {one} {goods} in spring and {two} {goods} in summer. How does "
            ask = "the whole number of " + goods
        else:
            story = f"owned {one} {goods} and sold {two} of them. How does "
            ask = "the number of " + goods + " left"
        who = "an islander" if target == base else f"a visitor who writes in base {_WORDS[target]}"
        forms.append(
            f"On an island all numbers are written in base {_WORDS[base]}. A merchant there, in the islanders' "
            f"writing, {story}{who} write {ask}?"
        )
    values = {"numerals": written, "base": base, "sign": sign, "target": target}
    return Draw(rng.choice(forms), _numeral(result, target), values)


def written_out(first: int, last: int, digit: int) -> int:
    """Write all numbers out and count the digit in the text."""
    return sum(str(number).count(str(digit)) for number in range(first, last + 1))


def _up_to(last: int, digit: int) -> int:
    total, place = 0, 1
    while place <= last:
        high, rest = divmod(last, 10 * place)
        part = min(max(rest - digit * place + 1, 0), place)
        total += high * place + part if digit else (high - 1) * place + part
        place *= 10
    return total


@generator("Count written digits one place at a time", check=written_out)
def written_digits(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    first = 1
    if difficulty == 1:
        last, digit = rng.randint(40, 199), rng.randint(1, 9)
    elif difficulty == 2:
        last, digit = rng.randint(300, 2500), rng.randint(0, 9)
    else:
        first, last, digit = rng.randint(100, 2000), rng.randint(2500, 9999), rng.randint(0, 9)
    answer = _up_to(last, digit) - (_up_to(first - 1, digit) if first > 1 else 0)
    if answer < 2:
        return None
    all_of = f"from ${first}$ to ${last}$"
    forms = [
        f"How many times is the digit ${digit}$ written when all integers {all_of} are written in base ten?",
        f"A stadium numbers its seats {all_of} with single metal digits. How many metal digits ${digit}$ are needed?",
        f"{name} types all whole numbers {all_of}. How often does {name} press the key ${digit}$?",
        f"The key ${digit}$ of a typewriter is broken and leaves a blank. {name} types the whole numbers {all_of} on "
        "it. How many digits are missing on the paper?",
    ]
    if difficulty == 1:
        forms.append(f"The pages of a book are numbered {all_of}. How many times is the digit ${digit}$ printed?")
        del forms[3]
    return Draw(rng.choice(forms), str(answer), {"first": first, "last": last, "digit": digit})


def numbers_searched(length: int, digit: int, change: str, relation: list[int]) -> int:
    """Try every number of the given length, moving the digit in its text."""
    times, more = relation
    found = []
    for number in range(10 ** (length - 1), 10**length):
        text = str(number)
        if change == "last to front" and number % 10 == digit:
            new = int(text[-1] + text[:-1])
        elif change == "first to end" and text[0] == str(digit):
            new = int(text[1:] + text[0])
        elif change == "behind":
            new = int(f"{text}{digit}")
        elif change == "in front":
            new = int(f"{digit}{text}")
        else:
            continue
        if new == times * number + more:
            found.append(number)
    (answer,) = found
    return answer


_LENGTHS = {2: "two", 3: "three", 4: "four"}


@generator("Write a numeral as 10a + b to move or add a digit", check=numbers_searched)
def moved_digit(rng: Random, difficulty: int) -> Draw | None:
    length = rng.randint(2, 3) if difficulty == 1 else rng.randint(3, 4)
    changes = ("behind", "in front") if difficulty == 1 else ("last to front", "first to end", "behind")
    change = rng.choice(changes)
    number = rng.randint(10 ** (length - 1), 10**length - 1)
    text = str(number)
    if change in ("behind", "in front"):
        digit = rng.randint(1, 9)
    else:
        digit = int(text[-1] if change == "last to front" else text[0])
    block = 10 ** (length - 1)
    if change == "last to front":
        new = digit * block + number // 10
    elif change == "first to end":
        new = number % block * 10 + digit
    else:
        new = 10 * number + digit if change == "behind" else digit * 10 * block + number
    if digit == 0 or new == number or new < block:
        return None
    times = 1
    if change == "in front":
        # Writing a digit in front adds the same to every number of this length, so a multiple has to be known.
        times = new // number
        if not 2 <= times <= 20:
            return None
    elif difficulty == 3:
        times = rng.randint(2, 9) if change == "behind" else new // number
        if times < 2:
            return None
    more = new - times * number
    if change == "in front" and more > 60:
        return None
    words = f"{_LENGTHS[length]}-digit number"
    name, an = person(rng), "an" if digit == 8 else "a"
    if change == "last to front":
        act = f"ends in the digit ${digit}$. If this ${digit}$ is taken from the end and put in front of the others"
    elif change == "first to end":
        act = f"begins with the digit ${digit}$. If this ${digit}$ is taken from the front and put at the end"
    else:
        place = "behind" if change == "behind" else "in front of"
        act = f"is chosen. If an extra digit ${digit}$ is written {place} it"
    if times == 1:
        size = f"larger by ${more}$" if more > 0 else f"smaller by ${-more}$"
        result = f"the number becomes {size}"
        result_of = f"${abs(more)}$ {'more' if more > 0 else 'less'} than before"
    else:
        multiple = "twice" if times == 2 else f"{_WORDS.get(times, f'${times}$')} times"
        extra = f"${abs(more)}$ {'more' if more > 0 else 'less'} than " if more else ""
        result = f"the new number is {extra}{multiple} the old one"
        result_of = f"{extra}{multiple} the original number"
    forms = [f"A {words} {act}, {result}. What is the original number?"]
    if change in ("behind", "in front"):
        place = "behind" if change == "behind" else "in front of"
        forms += [
            f"{name} types a {words} and by mistake hits the key ${digit}$ once more {place} it. The number on the "
            f"screen is {result_of if times > 1 else result_of.replace('before', 'the number meant')}. Which number "
            f"was meant?",
            f"A painter adds {an} ${digit}$ {place} the {words} on the door of a house. The new number is "
            f"{result_of if times > 1 else result_of.replace('before', 'the old one')}. What number was on the door "
            "at first?",
        ]
    else:
        ends = "last digit" if change == "last to front" else "first digit"
        to = "the beginning" if change == "last to front" else "the end"
        shown = result_of if times > 1 else result_of.replace("before", "the right one")
        forms += [
            f"A shop sign shows a {words} made of separate digit plates, and its {ends} is {an} ${digit}$. After a "
            f"storm {name} puts this plate back at {to} instead. The number shown is now {shown}. Which number "
            "should the sign show?",
            f"Let $N$ be a {words} whose {ends} is ${digit}$. Moving that digit to {to} gives a number "
            f"{'that is ' + (result_of if times > 1 else result_of.replace('before', '$N$'))}. Find $N$.",
        ]
    values = {"length": length, "digit": digit, "change": change, "relation": [times, more]}
    return Draw(rng.choice(forms).replace("the original number. Find $N$", "$N$. Find $N$"), str(number), values)


def numbers_kept(length: int, conditions: list[list[int]], asked: str) -> int:
    """Try every number of this length and test the conditions on it one after the other."""
    found = []
    for number in range(10 ** (length - 1), 10**length):
        digits = [int(digit) for digit in str(number)]
        for kind, value in conditions:
            if kind == 0 and sum(digits) != value:
                break
            if kind == 1 and number % value:
                break
            if kind == 2 and int(str(number)[::-1]) - number != value:
                break
            if kind == 3 and digits != sorted(set(digits)):
                break
            if kind == 4 and digits[0] != value * digits[-1]:
                break
            if kind == 5 and len(set(digits)) < length:
                break
            if kind == 6:
                product = 1
                for digit in digits:
                    product *= digit
                if product != value:
                    break
        else:
            found.append(number)
    return len(found) if asked == "count" else found[-1] if asked == "largest" else found[0]


@generator("Search all digit strings that meet the stated conditions", check=numbers_kept)
def digit_search(rng: Random, difficulty: int) -> Draw | None:
    length = (2, 3, rng.choice((3, 4)))[difficulty - 1]
    secret = [rng.randint(1, 9)] + [rng.randint(0, 9) for _ in range(length - 1)]
    number = int("".join(map(str, secret)))
    product = prod(secret)
    texts: dict[int, tuple[int, str]] = {0: (sum(secret), f"its digits add up to {sum(secret)}")}
    divisors = [d for d in (3, 4, 6, 7, 8, 11, 13, 17, 19, 23) if number % d == 0]
    if divisors:
        texts[1] = (divisors[-1], f"it is divisible by {divisors[-1]}")
    turned = int(str(number)[::-1]) - number
    if turned and secret[-1]:
        size = f"{abs(turned)} {'larger' if turned > 0 else 'smaller'}"
        texts[2] = (turned, f"read backwards it becomes {size}")
    if secret == sorted(set(secret)) and difficulty > 1:
        texts[3] = (0, "each of its digits is smaller than the next one")
    if secret[-1] and secret[0] % secret[-1] == 0 and 2 <= secret[0] // secret[-1] <= 4:
        multiple = {2: "twice", 3: "three times", 4: "four times"}[secret[0] // secret[-1]]
        texts[4] = (secret[0] // secret[-1], f"its first digit is {multiple} its last digit")
    if len(set(secret)) == length and difficulty > 1:
        texts[5] = (0, "all its digits are different")
    if product > 5:
        texts[6] = (product, f"its digits multiplied together give {product}")
    if len(texts) < 2:
        return None
    chosen = sorted(rng.sample(sorted(texts), min(len(texts), rng.randint(2, 3))), key=lambda _: rng.random())
    if set(chosen) <= {5, 3}:
        return None
    conditions = [[kind, texts[kind][0]] for kind in chosen]
    # Digit by digit: a sum and a product that cannot be met any more end the search of a branch.
    found: list[int] = []

    def extend(digits: list[int]) -> None:
        if 0 in chosen and sum(digits) > texts[0][0]:
            return
        if {3, 5} & set(chosen) and len(digits) > 1 and digits[-1] in digits[:-1]:
            return
        if 3 in chosen and len(digits) > 1 and digits[-1] < digits[-2]:
            return
        if len(digits) < length:
            for digit in range(0 if digits else 1, 10):
                extend([*digits, digit])
            return
        value = int("".join(map(str, digits)))
        meets = {
            0: sum(digits) == texts[0][0],
            1: 1 not in texts or value % texts[1][0] == 0,
            2: 2 not in texts or int(str(value)[::-1]) - value == texts[2][0],
            4: 4 not in texts or digits[0] == texts[4][0] * digits[-1],
            6: 6 not in texts or prod(digits) == texts[6][0],
        }
        if all(meets.get(kind, True) for kind in chosen):
            found.append(value)

    extend([])
    asked = "only" if len(found) == 1 else rng.choice(("count", "largest", "smallest"))
    answer = len(found) if asked == "count" else found[-1] if asked == "largest" else found[0]
    word = {2: "two", 3: "three", 4: "four"}[length]
    given = [texts[kind][1] for kind in chosen]
    that = listed(given)
    name = person(rng)
    goal = {
        "only": ("What is the number?", "Which is it?"),
        "count": ("How many such numbers are there?", "How many are possible?"),
        "largest": ("What is the largest number of this kind?", "Which is the largest that is possible?"),
        "smallest": ("What is the smallest number of this kind?", "Which is the smallest that is possible?"),
    }[asked]
    forms = [
        f"The following is true of a {word}-digit number: {that}. {goal[0]}",
        f"{name} has forgotten the {word}-digit code of a suitcase, which does not begin with 0, but remembers this: "
        f"{that}. {goal[1]}",
        f"A house in a long street has a number with {word} digits. About this house number one knows: {that}. "
        f"{goal[1]}",
        f"{name} thinks of a {word}-digit number and gives some hints: {that}. {goal[0]}",
    ]
    return Draw(rng.choice(forms), str(answer), {"length": length, "conditions": conditions, "asked": asked})


def blanks_filled(pattern: str, divisor: int, asked: str) -> int:
    """Put all digits into the blanks and divide."""
    blanks = pattern.count("?")
    found = []
    for filling in range(10**blanks):
        digits = iter(str(filling).zfill(blanks))
        number = int("".join(next(digits) if sign == "?" else sign for sign in pattern))
        if number % divisor == 0 and len(str(number)) == len(pattern):
            found.append((number, filling))
    if asked == "count":
        return len(found)
    number, filling = found[-1] if asked == "largest" else found[0]
    return sum(map(int, str(filling))) if asked == "digits" else number


@generator("Find missing digits from divisibility tests", check=blanks_filled)
def missing_digits(rng: Random, difficulty: int) -> Draw | None:
    tests = ((9, 11, 4, 15), (36, 45, 72, 88, 99, 18, 55, 44), (72, 88, 99, 396, 792, 495, 198))[difficulty - 1]
    divisor = rng.choice(tests)
    length = rng.randint(*((3, 4), (4, 6), (6, 8))[difficulty - 1])
    number = divisor * rng.randint(10 ** (length - 1) // divisor + 1, (10**length - 1) // divisor)
    blanks = sorted(rng.sample(range(length), 1 if difficulty == 1 else 2))
    pattern = "".join("?" if place in blanks else digit for place, digit in enumerate(str(number)))
    # The tests: the digit sum for 3 and 9, the alternating sum for 11, the last digits for powers of 2 and 5.
    found = []
    for first in range(10):
        for second in range(10 if len(blanks) == 2 else 1):
            filled = list(pattern)
            filled[blanks[0]] = str(first)
            if len(blanks) == 2:
                filled[blanks[1]] = str(second)
            digits = [int(digit) for digit in filled]
            fits = digits[0] > 0
            for p in (3, 9):
                fits = fits and (divisor % p > 0 or sum(digits) % p == 0)
            for p in (2, 4, 8, 5):
                fits = fits and (divisor % p > 0 or int("".join(filled[-3:])) % p == 0)
            if divisor % 11 == 0:
                fits = fits and sum((-1) ** i * d for i, d in enumerate(digits)) % 11 == 0
            if fits:
                found.append((int("".join(filled)), digits))
    asked = rng.choice(("only", "digits")) if len(found) == 1 else rng.choice(("count", "largest", "smallest"))
    if len(found) == 1 and len(blanks) == 1:
        asked = "only"
    answer = {
        "only": found[0][0],
        "smallest": found[0][0],
        "largest": found[-1][0],
        "count": len(found),
        "digits": sum(found[0][1][place] for place in blanks),
    }[asked]
    name = person(rng)
    letters = iter("ab")
    overline = "".join(next(letters) if sign == "?" else sign for sign in pattern)
    unknown = "digit $a$" if len(blanks) == 1 else "digits $a$ and $b$"
    one = len(blanks) == 1
    goal = {
        "only": "What is the complete number?",
        "smallest": "What is the smallest number it can be?",
        "largest": "What is the largest number it can be?",
        "count": "How many numbers can it be?",
        "digits": "What is the sum of the two missing digits?",
    }[asked]
    shown = pattern.replace("?", "▢")
    forms = [
        rf"The number $\overline{{{overline}}}$ with the unknown {unknown} is divisible by ${divisor}$. {goal}",
        f"On an old receipt the total in cents reads {shown}, where {'one digit is' if one else 'two digits are'} "
        f"blurred (▢). It is the price of {divisor} equal articles that cost a whole number of cents each. {goal}",
        f"{name} spilt ink on a serial number, so that only {shown} can be read. All serial numbers of this kind are "
        f"multiples of {divisor} and do not begin with 0. {goal}",
        f"{'A star stands' if one else 'The stars stand'} for {'a digit' if one else 'digits, equal or different,'} in "
        f"{pattern.replace('?', '*')}, and the number can be divided by {divisor} without remainder. {goal}",
    ]
    return Draw(rng.choice(forms), str(answer), {"pattern": pattern, "divisor": divisor, "asked": asked})


def sums_repeated(kind: str, a: int, b: int, rounds: int) -> int:
    """Write the number down and add its digits, as many rounds as it says, or to the end."""
    if kind == "power":
        text = str(a**b)
    elif kind == "block":
        text = str(a) * b
    elif kind == "list":
        text = "".join(map(str, range(a, b + 1)))
    else:
        number = 1
        for factor in range(a, b + 1):
            number *= factor
        text = str(number)
    while rounds > 0 or (rounds < 0 and len(text) > 1):
        text = str(sum(map(int, text)))
        rounds -= rounds > 0
    return int(text)


@generator("Trace a repeated digit sum by its remainder modulo nine", check=sums_repeated)
def repeated_sum(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(("power", "block", "list", "power"))
    name = person(rng)
    if kind == "power":
        a, b = (
            rng.randint(2, (12, 60, 300)[difficulty - 1]),
            rng.randint(*((5, 20), (20, 150), (150, 900))[difficulty - 1]),
        )
        remainder, written = pow(a, b, 9), f"${a}^{{{b}}}$"
    elif kind == "block":
        a, b = (
            rng.randint(12, (99, 999, 9999)[difficulty - 1]),
            rng.randint(*((4, 15), (15, 90), (90, 900))[difficulty - 1]),
        )
        remainder, written = a * b % 9, f"the number that consists of the digits {a} written {b} times in a row"
    else:
        a, b = (
            1 if difficulty == 1 else rng.randint(2, 40),
            rng.randint(*((10, 40), (61, 200), (200, 900))[difficulty - 1]),
        )
        remainder = sum(range(a, b + 1)) % 9
        written = f"the number formed by writing the integers from {a} to {b} one after another"
    rounds = -1
    digits = len(str(a)) * b if kind != "list" else 3 * b
    if rng.random() < 0.5 and difficulty > 1:
        # The size of the number bounds its digit sum, and so on, until one digit must be left.
        bound, rounds = 9 * digits, 1
        while bound > 9:
            largest = 9 * len(str(bound)) - 9 + int(str(bound)[0])
            bound = largest if bound > 99 else max(n // 10 + n % 10 for n in range(bound + 1))
            rounds += 1
            if rounds > 5:
                return None
    answer = remainder or 9
    if rounds > 0:
        names = "ABCDE"[:rounds]
        steps = [f"$A$ be the sum of the digits of {written}"]
        steps += [f"${y}$ the sum of the digits of ${x}$" for x, y in pairwise(names)]
        forms = [
            f"Let {listed(steps)}. Find ${names[-1]}$.",
            f"{name} adds the digits of {written}, then the digits of the result, and so on, {rounds} times in all. "
            "Which number comes out?",
        ]
    else:
        forms = [
            f"The digits of {written} are added, then the digits of the sum, and so on until a single digit is left. "
            "Which digit is it?",
            f"What is the digital root of {written}, that is, the single digit that is left when one takes the sum of "
            "the digits again and again?",
            f"A machine replaces any number by the sum of its digits and goes on until the number has one digit. "
            f"{name} "
            f"feeds it {written}. Which digit comes out?",
            f"For a number game, {name} takes {written} and adds up its digits, does the same with the result, and "
            "continues until only one digit remains. Which one?",
        ]
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "a": a, "b": b, "rounds": rounds})


def extreme_found(length: int, total: int, divisor: int, distinct: bool, largest: bool) -> int:
    """Go through the numbers from the end that is asked for."""
    number = 10**length - 1 if largest else 1
    while True:
        text = str(number)
        if sum(map(int, text)) == total and number % divisor == 0 and not (distinct and len(set(text)) < len(text)):
            return number
        number += -1 if largest else 1


@generator("Build an extreme number by fixing its length and then each digit", check=extreme_found)
def extreme_number(rng: Random, difficulty: int) -> Draw | None:
    largest = rng.random() < 0.5
    distinct = rng.random() < 0.6
    length = rng.randint(*((2, 3), (3, 5), (5, 6))[difficulty - 1])
    divisor = 1 if difficulty == 1 else rng.choice((1, 2, 4, 5, 8, 10, 25))
    total = rng.randint(5, 9 * length - 3)
    if not largest:
        length = 5
        total = rng.randint(*((8, 26), (12, 35), (20, 40))[difficulty - 1])

    def build(digits: list[int], size: int) -> int | None:
        """Push each digit from the left as far as the rest allows."""
        missing = total - sum(digits)
        free = [d for d in range(10) if not (distinct and d in digits)]
        rest = size - len(digits)
        if missing < 0 or missing > (sum(free[-rest:]) if distinct and rest else 9 * rest):
            return None
        if rest == 0:
            whole = int("".join(map(str, digits)))
            return whole if missing == 0 and whole % divisor == 0 else None
        for digit in sorted(free, reverse=largest):
            if digits or digit:
                number = build([*digits, digit], size)
                if number is not None:
                    return number
        return None

    answer = None
    for size in range(length, 0, -1) if largest else range(1, length + 1):
        answer = build([], size)
        if answer is not None:
            break
    if answer is None or (answer > 30000 and not largest) or (largest and answer < 10 ** (length - 1)) or answer < 12:
        return None
    if largest and (10**length - answer > 30000 or (total, distinct) == (20, True)):
        return None
    name = person(rng)
    most = "largest" if largest else "smallest"
    by = f" divisible by {divisor}" if divisor > 1 else ""
    some = "different digits" if distinct else "digits, which may repeat,"
    size_text = f"{_WORDS.get(length, 'two')}-digit " if largest else ""
    if length == 2 and largest:
        size_text = "two-digit "
    of = f"of a {length}-place display" if largest else "of a display"
    forms = [
        f"What is the {most} {size_text}positive integer{by} "
        + ("whose digits are all different and add" if distinct else "whose digits add")
        + f" up to {total}?",
        f"{name} forms a {size_text}number{by} from {some} with the sum {total}. What is the {most} number that {name} "
        "can form?",
        f"A lottery machine draws {'cards with different digits' if distinct else 'digits that may repeat'}, and the "
        f"digits drawn have the sum {total}. {'There are ' + str(length) + ' of them. ' if largest else ''}They are "
        f"put "
        f"in a row, not beginning with 0, so that a number{by} arises. What is the {most} number that can arise in "
        f"this "
        "way?",
        f"The reading {of} is a number{by}{', without leading zeros' if largest else ''}. Its digits have the sum "
        f"{total}"
        + (", and no two of them are equal" if distinct else "")
        + f". What is the {most} reading that is possible?",
    ]
    values = {"length": length, "total": total, "divisor": divisor, "distinct": distinct, "largest": largest}
    return Draw(rng.choice(forms), str(answer), values)


def turned_round(first: int, last: int, divisor: int, digit: int, asked: str, place: int) -> int:
    """Read every number of the range backwards."""
    found = []
    for number in range(first, last + 1):
        text = str(number)
        if text == text[::-1] and number % divisor == 0 and (digit < 0 or str(digit) in text):
            found.append(number)
            if asked == "place" and len(found) == place:
                return number
    answers = {"count": len(found), "largest": found[-1], "sum": sum(found)}
    return answers[asked]


@generator("Build palindromes from their first half", check=turned_round)
def palindromes(rng: Random, difficulty: int) -> Draw | None:
    length = rng.randint(*((3, 3), (4, 5), (5, 5))[difficulty - 1])
    first, last = 10 ** (length - 1), 10**length - 1
    kind = rng.choice(("bounds", "length", "place", "next", "next"))
    divisor, digit, place = 1, -1, 1
    if kind == "length":
        divisor = rng.choice((1, 2, 3, 4, 5, 6, 8, 9, 12, 15, 18, 36, 45, 7) if difficulty > 1 else (2, 3, 4, 5, 6, 9))
        digit = rng.choice((-1, -1, rng.randint(0, 9)))
    elif kind == "bounds":
        first, last = sorted(rng.sample(range(10 if difficulty == 1 else 100, last), 2))
        divisor = rng.choice((1, 1, 2, 3, 5))
    elif kind == "next":
        first, last = rng.randint(10 if difficulty == 1 else 1000, last), 10**length + 1
    # Each first half gives one palindrome of a length; the middle digit is not repeated for odd lengths.
    found = []
    for size in range(len(str(first)), len(str(last)) + 1):
        half = (size + 1) // 2
        for start in range(10 ** (half - 1), 10**half):
            text = str(start)
            number = int(text + text[::-1][size % 2 :])
            if first <= number <= last and number % divisor == 0 and (digit < 0 or str(digit) in text):
                found.append(number)
    asked = {"length": rng.choice(("count", "largest", "sum")), "bounds": "count"}.get(kind, "place")
    if kind == "place":
        place = rng.randint(5, len(found) - 3)
    if len(found) < 2 or (asked == "sum" and difficulty == 1):
        return None
    answer = {"count": len(found), "largest": found[-1], "sum": sum(found)}.get(asked, found[place - 1])
    name = person(rng)
    word = _WORDS[length]
    by = (f" divisible by {divisor}" if divisor > 1 else "") + (f" and contain the digit {digit}" if digit >= 0 else "")
    by = by.replace(" divisible", " are divisible")
    if digit >= 0 and divisor == 1:
        by = by.replace(" and contain", " contain")
    if kind == "next":
        ahead = rng.choice((f"{first}", f"{first}"))
        if str(first) == str(first)[::-1]:
            return None
        forms = [
            f"What is the smallest integer greater than {ahead} that reads the same forwards and backwards?",
            f"The mileage counter of a car shows {ahead} km. At which reading will it show the next number that is the "
            "same from left to right as from right to left, leading zeros not counted?",
            f"{name} holds ticket number {ahead}. The next palindrome, a number that is unchanged when its digits are "
            "reversed, wins. Which number is that?",
            f"By reversing its digits, {ahead} changes. Which is the first number after it that does not change?",
        ]
    elif kind == "place":
        forms = [
            f"All {word}-digit palindromes (numbers equal to their own reversal) are listed in increasing order. Which "
            f"stands in place {place}?",
            f"A club gives its members numbers with {word} digits that read the same in both directions, starting with "
            f"the smallest and always taking the next one. Which number does the {place}th member get?".replace(
                f"{place}th", ordinal(place)
            ),
            f"{name} writes down, by size, the numbers with {word} digits whose digits form the same sequence from the "
            f"right as from the left. Which is the {ordinal(place)} number?",
        ]
    elif kind == "bounds":
        forms = [
            f"How many integers from {first} to {last} are palindromes"
            + (f" and divisible by {divisor}?" if divisor > 1 else "?"),
            f"The pages of an archive are numbered from {first} to {last}. How many page numbers"
            + (f" that {divisor} divides" if divisor > 1 else "")
            + " read the same from front to back as from back to front?",
            f"An odometer runs from {first} to {last}, and {name} notes every reading that is symmetric, without "
            f"leading "
            "zeros"
            + (f", and a multiple of {divisor}" if divisor > 1 else "")
            + ". How many readings does the list have?",
        ]
    else:
        opening = {"count": "How many", "largest": "Which is the largest of the", "sum": "What is the sum of all"}[
            asked
        ]
        which = f" that{by}" if by else ""
        forms = [
            f"{opening} {word}-digit palindromes{which}?",
            f"{opening} numbers with {word} digits that read the same in both directions"
            + (
                f" and{by}"
                if by and "are div" in by and digit < 0
                else f", if only those{which} are taken"
                if by
                else ""
            )
            + "?",
            f"A word of digits is called symmetric if it stays the same when it is written in reverse. {opening} "
            f"symmetric "
            f"{word}-digit numbers{which}?",
        ]
        if asked == "count" and which:
            forms = [
                form.replace("palindromes that", "palindromes").replace("numbers that are", "numbers are")
                for form in forms
            ]
            forms = [form.replace("numbers that contain", "numbers contain") for form in forms]
        if asked == "count" and not which:
            forms = [
                form.replace("palindromes?", "palindromes are there?").replace("directions?", "directions exist?")
                for form in forms
            ]
            forms = [form.replace("digit numbers?", "digit numbers are there?") for form in forms]
    values = {"first": first, "last": last, "divisor": divisor, "digit": digit, "asked": asked, "place": place}
    return Draw(rng.choice(forms), str(answer), values)
