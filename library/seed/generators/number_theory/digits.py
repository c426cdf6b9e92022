"""Problems on the digits of numbers."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person

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
