"""Problems on remainders of sequences and of long numerals."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import ordinal, person


def terms_computed(
    start: list[int], factors: list[int], extra: int, modulus: int, last: int, wanted: int | None
) -> int:
    """Compute all terms up to the last one, without looking for a period."""
    terms = list(start)
    while len(terms) < last:
        terms.append((factors[0] * terms[-1] + factors[1] * terms[-2] + extra) % modulus)
    terms = [term % modulus for term in terms]
    return terms[last - 1] if wanted is None else terms[:last].count(wanted)


@generator("Run a recurrence modulo n until its state returns", check=terms_computed)
def recurrence_remainder(rng: Random, difficulty: int) -> Draw | None:
    modulus = rng.randint(*((3, 6), (5, 11), (9, 20))[difficulty - 1])
    factors = [1, 1] if difficulty == 1 else [rng.randint(1, 3), rng.randint(1, 3)]
    extra = rng.randint(1, 5) if difficulty == 3 and rng.random() < 0.4 else 0
    start = [rng.randint(1, 4), rng.randint(1, 6)]
    last = rng.randint(*((20, 80), (100, 1000), (1000, 5000))[difficulty - 1])
    # The states up to the first that returns.
    states: dict[tuple[int, int], int] = {}
    state = (start[0] % modulus, start[1] % modulus)
    while state not in states:
        states[state] = len(states)
        state = (state[1], (factors[0] * state[1] + factors[1] * state[0] + extra) % modulus)
    lead, period = states[state], len(states) - states[state]
    terms = [first for first, _ in states]
    if period < 3 or period > 250 or last < 2 * period:
        return None

    def term(n: int) -> int:
        return terms[n - 1] if n <= len(terms) else terms[lead + (n - 1 - lead) % period]

    wanted = None
    answer = term(last)
    if difficulty > 1 and rng.random() < 0.4:
        wanted = rng.randrange(modulus)
        full, rest = divmod(last - lead, period)
        block = terms[lead:]
        answer = terms[:lead].count(wanted) + full * block.count(wanted) + block[:rest].count(wanted)
        if answer < 2:
            return None
    one, two = (("" if f == 1 else str(f)) for f in factors)
    rule = f"{one}a_{{n+1}} + {two}a_n" + (f" + {extra}" if extra else "")
    given = f"The sequence $a_n$ is defined by $a_1 = {start[0]}$, $a_2 = {start[1]}$ and $a_{{n+2}} = {rule}$."
    times = {1: "", 2: "twice ", 3: "three times "}
    words = f"{times[factors[0]]}the number before it plus {times[factors[1]]}the number two places before it"
    words += f" plus {extra}" if extra else ""
    dial = words.replace("number before it", "mark one minute before")
    dial = dial.replace("number two places before it", "mark two minutes before")
    name = person(rng)
    forms = (
        [
            f"{given} What is the remainder when $a_{{{last}}}$ is divided by ${modulus}$?",
            f"{name} writes the numbers {start[0]} and {start[1]} and goes on so that each further number is {words}. "
            f"What remainder does the {ordinal(last)} number leave on division by {modulus}?",
            f"A hand can point at the marks 0 to {modulus - 1} of a dial. In minute 1 it points at "
            f"{start[0] % modulus}, in minute 2 at {start[1] % modulus}. From then on its mark is the remainder, on "
            f"division by {modulus}, of "
            f"{dial}. At which mark does it point in minute {last}?",
        ]
        if wanted is None
        else [
            f"{given} How many of the terms $a_1, a_2, \\ldots, a_{{{last}}}$ leave the remainder ${wanted}$ on "
            f"division by ${modulus}$?",
            f"{name} writes the numbers {start[0]} and {start[1]} and goes on so that each further number is {words}. "
            f"How many of the first {last} numbers "
            + (
                f"are divisible by {modulus}?"
                if wanted == 0
                else f"leave the remainder {wanted} when divided by {modulus}?"
            ),
        ]
    )
    values = {
        "start": start, "factors": factors, "extra": extra, "modulus": modulus, "last": last, "wanted": wanted,
    }  # fmt: skip
    return Draw(rng.choice(forms), str(answer), values)


def numeral_written(blocks: list[str], times: int, modulus: int) -> int:
    """Write the numeral out and divide it digit by digit."""
    remainder = 0
    for digit in "".join(blocks) * times:
        remainder = (10 * remainder + int(digit)) % modulus
    return remainder


@generator("Fold a concatenated number by the weight of its blocks", check=numeral_written)
def concatenated(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    modulus = rng.choice(((9, 11), (99, 101, 11), (99, 101, 999, 1001, 33, 37))[difficulty - 1])
    if rng.random() < 0.5:
        width = {9: 2, 11: 2, 33: 2, 99: 2, 101: 2, 999: 3, 1001: 3, 37: 3}[modulus]
        low = 10 ** (width - 1)
        first = rng.randint(low, low + 80)
        last = first + rng.randint(4, (12, 30, 60)[difficulty - 1])
        if last >= 10**width:
            return None
        blocks = [str(number) for number in range(first, last + 1)]
        times = 1
        weight = 10**width % modulus
        weight = weight if weight == 1 else -1
        answer = sum(number * weight ** (last - number) for number in range(first, last + 1)) % modulus
        text = f"{first}{first + 1}{first + 2}\\ldots {last}"
        forms = [
            f"The number $N = {text}$ is formed by writing the integers from ${first}$ to ${last}$ one after another. "
            f"Find the remainder when $N$ is divided by ${modulus}$.",
            f"{name} writes all integers from {first} to {last} one after another without gaps and reads the result as "
            f"a single number. What remainder does it leave on division by {modulus}?",
            f"House numbers {first} to {last} are painted side by side on a wall, in increasing order and without "
            f"spaces, so that one huge number can be read. Which remainder does it leave when it is divided by "
            f"{modulus}?",
        ]
    else:
        width = rng.randint(2, difficulty + 2)
        block = str(rng.randint(10 ** (width - 1), 10**width - 1))
        times = rng.randint(*((10, 40), (20, 80), (40, 300))[difficulty - 1])
        blocks = [block]
        weight = pow(10, width, modulus)
        if weight not in (1, modulus - 1) and (difficulty == 1 or pow(weight, 2, modulus) not in (1, modulus - 1)):
            return None
        answer = sum(int(block) * pow(weight, k, modulus) for k in range(times)) % modulus
        forms = [
            f"The digits ${block}$ are written ${times}$ times in a row. What is the remainder when the number that "
            f"arises is divided by ${modulus}$?",
            f"A border shows the number {block} again and again, {times} times without gaps, so that one can read it "
            f"as a number with {width * times} digits. What remainder does this number leave when it is divided by "
            f"{modulus}?",
            f"A lottery prints the block {block} side by side {times} times on a ribbon. Read as one number, how "
            f"much does "
            f"it exceed the largest multiple of {modulus} that is not greater?",
            f"{name} types {block} and copies it so that it stands on the screen {times} times without spaces. Find "
            f"the remainder when this number of {width * times} digits is divided by {modulus}.",
        ]
    if answer < 2:
        return None
    return Draw(rng.choice(forms), str(answer), {"blocks": blocks, "times": times, "modulus": modulus})


def factorials_added(kind: str, first: int, last: int, modulus: int) -> int:
    """Compute every term in full and add them all."""
    from math import factorial

    total = 0
    for k in range(first, last + 1):
        if kind == "odd" and k % 2 == 0:
            continue
        term = factorial(k)
        if kind == "times":
            term *= k
        elif kind == "squares":
            term **= 2
        elif kind == "alternating":
            term *= (-1) ** (k - first)
        elif kind == "double":
            term = factorial(2 * k)
        total += term
    return total % modulus


@generator("Drop the factorial terms that vanish modulo n", check=factorials_added)
def factorial_sum(rng: Random, difficulty: int) -> Draw | None:
    moduli = ((5, 6, 7, 8, 9, 10, 12, 15), (10, 12, 14, 15, 18, 20, 24, 30, 36, 40), (45, 60, 63, 72, 80, 90, 100, 120))
    modulus = rng.choice(moduli[difficulty - 1])
    kinds = ("plain", "plain", "odd", "times", "squares", "alternating", "double")
    kind = rng.choice(kinds) if difficulty > 1 else "plain"
    first = rng.choice((1, 1, 2, 3))
    last = rng.randint(*((10, 60), (30, 150), (60, 250))[difficulty - 1])
    if kind == "odd":
        first, last = 1, last - 1 + last % 2
    answer, factorial = 0, 1
    for k in range(1, 2 * last + 1):
        factorial *= k
        if factorial % modulus == 0:
            break
        if kind == "double":
            if k % 2 == 0 and first <= k // 2 <= last:
                answer += factorial
        elif first <= k <= last and (kind != "odd" or k % 2):
            term = factorial * k if kind == "times" else factorial**2 if kind == "squares" else factorial
            answer += -term if kind == "alternating" and (k - first) % 2 else term
    answer %= modulus
    if answer < 2:
        return None

    def term_text(k: int) -> str:
        return {
            "times": rf"{k} \cdot {k}!",
            "squares": f"({k}!)^2",
            "double": f"{2 * k}!",
        }.get(kind, f"{k}!")

    step = 2 if kind == "odd" else 1
    joint = [" + ", " + "] if kind != "alternating" else [" - ", " + "]
    end = " + " if kind != "alternating" or (last - first) % 2 == 0 else " - "
    text = joint[0].join([term_text(first), term_text(first + step)]) + joint[1] + term_text(first + 2 * step)
    text += (r" - \cdots" if kind == "alternating" else r" + \cdots") + end + term_text(last)
    name = person(rng)
    forms = [
        f"Find the remainder when ${text}$ is divided by ${modulus}$.",
        f"What is the smallest non-negative integer $r$ for which ${text}$ and $r$ differ by a multiple of "
        f"${modulus}$?",
        f"{name} computes ${text}$ and puts that many beads into boxes of {modulus} until fewer than {modulus} are "
        f"left. "
        "How many beads are left over?",
    ]
    if modulus == 10:
        forms.append(f"What is the last digit of ${text}$?")
        forms.append(f"With which digit does the number ${text}$ end?")
    elif modulus == 100 and answer > 9:
        forms.append(f"What are the last two digits of ${text}$, read as a number?")
    if kind == "plain":
        rule = r"$k!$ (that is, $1 \cdot 2 \cdots k$)"
        span = f"{first} to {last}"
        forms += [
            f"In level $k$ of a game one can win {rule} points. {name} wins the points of all levels from {span} and "
            f"exchanges them for cups, {modulus} points for each, as long as possible. How many points are left?",
            f"For each $k$ from {span}, all orders in which $k$ different cards can lie in a row are printed, one "
            f"order "
            f"on a slip of paper. All the slips are bound in blocks of {modulus}. How many slips remain?",
        ]
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "first": first, "last": last, "modulus": modulus})
