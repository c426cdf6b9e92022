"""Problems on common divisors and common multiples."""

from math import gcd, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, people, person, polynomial


def divisors_divided(amounts: list[int], remainders: list[int], asked: str) -> int:
    """Divide the amounts by every number up to the smallest and compare what is left."""
    fits = []
    for d in range(2, min(amounts) + 1):
        left = [amount % d for amount in amounts]
        if left == remainders or (not remainders and len(set(left)) == 1):
            fits.append(d)
    if asked == "count":
        return len(fits)
    d = max(fits)
    return d + amounts[0] % d if asked == "both" else amounts[0] % d if asked == "remainder" else d


@generator("Subtract remainders to uncover a common divisor", check=divisors_divided)
def common_divisor(rng: Random, difficulty: int) -> Draw | None:
    d = rng.randint(*((4, 15), (10, 45), (30, 120))[difficulty - 1])
    count = 2 if difficulty == 1 else 3
    known = difficulty == 1 or rng.random() < 0.5
    quotients = sorted(rng.sample(range(2, (9, 14, 25)[difficulty - 1]), count))
    if known:
        remainders = [rng.randint(0 if count > 2 else 1, d - 1) for _ in range(count)]
        amounts = [d * q + r for q, r in zip(quotients, remainders, strict=True)]
        g = gcd(*(amount - r for amount, r in zip(amounts, remainders, strict=True)))
        least = max(remainders)
    else:
        shared = rng.randint(1, d - 1)
        remainders = []
        amounts = [d * q + shared for q in quotients]
        g = gcd(amounts[1] - amounts[0], amounts[2] - amounts[0])
        least = 1
    if g < 4 or g > min(amounts):
        return None
    fits = [k for k in range(max(2, least + 1), g + 1) if g % k == 0]
    asked = rng.choice(("largest", "count")) if known else rng.choice(("largest", "both", "remainder", "count"))
    if len(fits) < (2 if asked == "count" else 1) or (asked == "remainder" and amounts[0] % g == 0):
        return None
    rest = amounts[0] % g
    answer = {"largest": g, "count": len(fits), "both": g + rest, "remainder": rest}[asked]
    if known and max(remainders) == 0:
        return None
    name = person(rng)
    numbers = [f"${amount}$" for amount in amounts]
    if known:
        things = rng.sample(("stickers", "beads", "balloons", "pencils", "marbles"), count)
        given = listed([f"{amount} {thing}" for amount, thing in zip(amounts, things, strict=True)])
        left = listed(
            [f"{r or 'no'} {thing if r != 1 else thing[:-1]}" for r, thing in zip(remainders, things, strict=True)]
        )
        leave = listed(
            [f"${amount}$ leaves the remainder ${r}$" for amount, r in zip(amounts, remainders, strict=True)]
        )
        end = {
            "largest": "There are as many children as these facts allow. How many children are there?",
            "count": "How many numbers of children are possible?",
        }[asked]
        forms = [
            f"A kindergarten shares out {given} among its children, every child getting the same number of each. In "
            f"the end {left} are left, because no further full round is possible. {end}",
            f"On division by the positive integer $d$, {leave}. "
            + ("What is the largest possible value of $d$?" if asked == "largest" else "How many values can $d$ have?"),
            f"{name} packs {given} into equal parcels, with the same number of each thing in every parcel and as many "
            f"of each thing as possible. Then {left} are left over. "
            + (
                "What is the largest number of parcels there can be?"
                if asked == "largest"
                else "How many numbers of parcels are possible?"
            ),
        ]
        counts = " and ".join(f"{amount} cm" for amount in amounts) if count == 2 else f"{listed(numbers)} cm"
        ends = listed([f"{r} cm" for r in remainders])
        forms.append(
            f"From planks of {counts.replace('$', '')}, {name} saws as many pieces as possible, all of one length in "
            f"whole "
            f"centimetres, and is left with {ends}, in this order. "
            + (
                "What is the greatest length that a piece can have?"
                if asked == "largest"
                else "How many lengths of the pieces are possible?"
            )
        )
    else:
        same = f"Divided by the integer $d > 1$, the numbers {listed(numbers)} all leave the same remainder"
        goal = {
            "largest": "What is the largest possible value of $d$?",
            "count": "How many values can $d$ have?",
            "both": "Find $d + r$ for the largest possible $d$.",
            "remainder": "Find $r$ for the largest possible $d$.",
        }[asked]
        boxes = {
            "largest": "What is the largest number of apples that can fit into a box?",
            "count": "How many sizes, larger than one apple, can the boxes have?",
            "both": "The boxes are as large as possible. What is the number of apples in a full box plus the number "
            "left on one day?",
            "remainder": "The boxes are as large as possible. How many apples are left each day?",
        }[asked]
        days = listed([str(amount) for amount in amounts])
        forms = [
            f"{same}{' $r$' if asked in ('both', 'remainder') else ''}. {goal}",
            f"On three days {name} picks {days} apples. Each day the apples are packed into boxes of one fixed size "
            f"until no further box can be filled, and each day the same number of apples is left. {boxes}",
            "The integer $d > 1$ is such that any two of the numbers "
            f"{listed(numbers)} differ by a multiple of $d$"
            + (", and $r$ is their common remainder on division by $d$" if asked in ("both", "remainder") else "")
            + f". {goal}",
        ]
    return Draw(rng.choice(forms), str(answer), {"amounts": amounts, "remainders": remainders, "asked": asked})


def pairs_tried(conditions: dict[str, int], asked: str) -> int:
    """Try all pairs of numbers that the conditions leave within reach."""
    from math import gcd, isqrt, lcm

    if "product" in conditions:
        product = conditions["product"]
        pairs = [(x, product // x) for x in range(1, isqrt(product) + 1) if product % x == 0]
    elif "sum" in conditions:
        pairs = [(x, conditions["sum"] - x) for x in range(1, conditions["sum"] // 2 + 1)]
    else:
        divisors = [d for d in range(1, conditions["lcm"] + 1) if conditions["lcm"] % d == 0]
        pairs = [(x, y) for x in divisors for y in divisors if x <= y]
    fits = []
    for x, y in pairs:
        values = {"product": x * y, "sum": x + y, "difference": y - x, "gcd": gcd(x, y), "lcm": lcm(x, y)}
        if all(values[name] == value for name, value in conditions.items()):
            fits.append((x, y))
    if asked == "count":
        return len(fits)
    ((x, y),) = fits
    return {"larger": y, "smaller": x, "sum": x + y}[asked]


@generator("Write two numbers as the gcd times coprime parts", check=pairs_tried)
def coprime_parts(rng: Random, difficulty: int) -> Draw | None:
    g = rng.randint(*((2, 9), (4, 25), (10, 60))[difficulty - 1])
    a, b = sorted(rng.sample(range(1, (8, 13, 24)[difficulty - 1]), 2))
    if gcd(a, b) > 1:
        return None
    x, y = g * a, g * b
    known = {"product": x * y, "sum": x + y, "difference": y - x, "gcd": g, "lcm": g * a * b}
    names = rng.choice(
        (("gcd", "sum"), ("gcd", "product"), ("lcm", "gcd"))
        if difficulty == 1
        else (("sum", "lcm"), ("gcd", "product"), ("gcd", "lcm"), ("lcm", "difference"), ("gcd", "sum"))
    )
    conditions = {name: known[name] for name in names}
    # All pairs of coprime parts that meet the conditions, for the gcd that they determine.
    fits = []
    limit = known["lcm"] if "lcm" in names else known["sum"] if "sum" in names else known["product"]
    for common in [g] if "gcd" in names else [d for d in range(1, limit + 1) if limit % d == 0]:
        for p in range(1, int((limit / common) ** 0.5) + 1 if "sum" not in names else limit // common + 1):
            if "sum" in names:
                q = known["sum"] // common - p
                if known["sum"] % common:
                    continue
            else:
                total = known["lcm"] // common if "lcm" in names else known["product"] // common**2
                q, rest = divmod(total, p)
                if rest:
                    continue
            if p <= q and gcd(p, q) == 1:
                values = {
                    "product": common * common * p * q,
                    "sum": common * (p + q),
                    "difference": common * (q - p),
                    "gcd": common,
                    "lcm": common * p * q,
                }
                if all(values[name] == value for name, value in conditions.items()):
                    fits.append((common * p, common * q))
    if len(fits) == 1:
        asked = rng.choice(("larger", "smaller", "sum"))
        if asked == "sum" and "sum" in names:
            return None
        answer = {"larger": y, "smaller": x, "sum": x + y}[asked]
    else:
        asked, answer = "count", len(fits)
    words = {
        "gcd": f"greatest common divisor ${g}$",
        "lcm": f"least common multiple ${known['lcm']}$",
        "sum": f"sum ${known['sum']}$",
        "product": f"product ${known['product']}$",
        "difference": f"difference ${known['difference']}$",
    }
    have = " and ".join(words[name] for name in names)
    goal = {
        "larger": "Find the larger of the two.",
        "smaller": "Find the smaller of the two.",
        "sum": "Find their sum.",
        "count": "How many such pairs are there, if the order does not matter?",
    }[asked]
    first, second = people(rng, 2)
    forms = [
        f"Two positive integers have {have}. {goal}",
        f"{first} and {second} each think of a positive whole number. The two numbers have {have}. "
        + {
            "larger": "What is the larger number?",
            "smaller": "What is the smaller number?",
            "sum": "What do the numbers add up to?",
            "count": "How many different pairs of numbers are possible, if it does not matter who has which number?",
        }[asked],
    ]
    story = {
        "gcd": f"the longest rod that measures both exactly is {g} cm long",
        "lcm": f"the shortest length that is a whole multiple of both is {known['lcm']} cm",
        "sum": f"placed end to end they are {known['sum']} cm long",
        "product": f"a rectangle with these two side lengths has an area of {known['product']} square centimetres",
        "difference": f"one beam is {known['difference']} cm longer than the other",
    }
    if set(names) <= {"gcd", "lcm", "sum"}:
        wheels = {
            "gcd": f"the greatest common divisor of their numbers of teeth is {g}",
            "lcm": f"two marked teeth that touch meet again after exactly {known['lcm']} teeth have gone by",
            "sum": f"they have {known['sum']} teeth together",
        }
        forms.append(
            f"Of two cog wheels that turn each other one knows: {' and '.join(wheels[name] for name in names)}. "
            + {
                "larger": "How many teeth does the larger wheel have?",
                "smaller": "How many teeth does the smaller wheel have?",
                "sum": "How many teeth do they have together?",
                "count": "How many pairs of numbers of teeth are possible, if the order does not matter?",
            }[asked]
        )
    forms.append(
        "A carpenter has two beams whose lengths are whole numbers of centimetres: "
        f"{' and '.join(story[name] for name in names)}. "
        + {
            "larger": "How many centimetres long is the longer beam?",
            "smaller": "How many centimetres long is the shorter beam?",
            "sum": "How many centimetres long are the two beams together?",
            "count": "How many different pairs of lengths, regardless of order, fit this description?",
        }[asked]
    )
    return Draw(rng.choice(forms), str(answer), {"conditions": conditions, "asked": asked})


def tuples_tried(multiple: int, divisor: int, size: int, ordered: bool) -> int:
    """Try all tuples of divisors of the common multiple."""
    from itertools import combinations_with_replacement, product
    from math import gcd, lcm

    divisors = [d for d in range(1, multiple + 1) if multiple % d == 0]
    tuples = product(divisors, repeat=size) if ordered else combinations_with_replacement(divisors, size)
    return sum(lcm(*t) == multiple and divisor in (0, gcd(*t)) for t in tuples)


@generator("Count tuples with a given lcm through the largest exponent", check=tuples_tried)
def tuples_with_lcm(rng: Random, difficulty: int) -> Draw | None:
    exponents = {p: rng.randint(1, 4 if p == 2 else 3) for p in rng.sample((2, 3, 5, 7, 11, 13), rng.randint(2, 3))}
    multiple = prod(p**e for p, e in exponents.items())
    low, high = ((6, 120), (100, 2000), (60, 3000))[difficulty - 1]
    size = 2 if difficulty < 3 or rng.random() < 0.4 else 3
    divisor_number = prod(e + 1 for e in exponents.values())
    if not low <= multiple <= high or divisor_number > (24 if size == 3 else 48):
        return None
    ordered = size == 3 or (rng.random() < 0.5 and difficulty < 3)
    divisor = 0
    if difficulty > 1 and rng.random() < 0.4:
        lowest = {p: rng.randint(0, e) for p, e in exponents.items()}
        divisor = prod(p**f for p, f in lowest.items())
        spans = [e - f for e, f in zip(exponents.values(), lowest.values(), strict=True)]
        count = prod(1 if not span else (span + 1) ** size - 2 * span**size + (span - 1) ** size for span in spans)
        equal = divisor == multiple
    else:
        count = prod((e + 1) ** size - e**size for e in exponents.values())
        equal = True
    if not ordered:
        count = (count + equal) // 2
    if count < 3:
        return None
    both = f"least common multiple ${multiple}$" + (f" and greatest common divisor ${divisor}$" if divisor else "")
    order = "ordered" if ordered else "unordered"
    letters = "(a, b)" if size == 2 else "(a, b, c)"
    kind = "pairs" if size == 2 else "triples"
    name = person(rng)
    forms = [
        f"How many {order} {kind} of positive integers have {both}?"
        if not ordered
        else f"How many ordered {kind} ${letters}$ of positive integers have {both}?",
    ]
    colours = ["red", "blue"] if size == 2 else ["red", "green", "blue"]
    if ordered:
        forms += [
            f"{name} writes one positive whole number each on a {listed(colours)} card, so that the numbers "
            f"have {both}. In how many ways is this possible?".replace(
                "on a red, green and", "on a red, a green and a"
            ).replace("on a red and", "on a red and a"),
            f"The intervals of {'two' if size == 2 else 'three'} lamps, {listed(colours)}, are whole numbers of "
            f"seconds. {'Both' if size == 2 else 'All'} start with a flash together and flash together again after "
            f"exactly {multiple} seconds for "
            "the first time."
            + (f" The greatest common divisor of the numbers of seconds is {divisor}." if divisor else "")
            + " In how many ways can the intervals be assigned to the colours?",
        ]
    else:
        forms += [
            f"{name} looks for two positive whole numbers, which may be equal, with {both}. How many choices are "
            "there if their order does not matter?",
            f"Two whole numbers of seconds are the intervals of two equal lamps. Both start with a flash together and "
            f"flash together again after exactly {multiple} seconds for the first time."
            + (f" The greatest common divisor of the numbers of seconds is {divisor}." if divisor else "")
            + " How many pairs of intervals are possible, if it does not matter which lamp has which?",
        ]
    values = {"multiple": multiple, "divisor": divisor, "size": size, "ordered": ordered}
    return Draw(rng.choice(forms), str(count), values)


def values_computed(top: list[int], bottom: list[int], last: int, asked: str) -> int:
    """Compute both expressions for each n and take their greatest common divisor."""
    from math import gcd

    common, whole = [], []
    for n in range(1, last + 1):
        high = low = 0
        for c in top:
            high = high * n + c
        for c in bottom:
            low = low * n + c
        common.append(gcd(high, low))
        if high % low == 0:
            whole.append(n)
    return {
        "greatest": max(common),
        "values": sum(set(common)),
        "reducible": sum(g > 1 for g in common),
        "count": len(whole),
        "sum": sum(whole),
        "largest": max(whole, default=0),
    }[asked]


@generator("Shrink a gcd of expressions by subtracting multiples", check=values_computed)
def shrunk_gcd(rng: Random, difficulty: int) -> Draw | None:
    c, d = rng.randint(1, (1, 5, 9)[difficulty - 1]), rng.randint(1, (12, 15, 20)[difficulty - 1])
    quadratic = difficulty > 1 and rng.random() < 0.5
    if quadratic:
        c = 1
        top = [1, rng.randint(0, 12), rng.randint(-10, 40)]
        # n = -d leaves the remainder that every common divisor has to divide.
        constant = abs(d * d - top[1] * d + top[2])
    else:
        top = [rng.randint(1, (6, 12, 20)[difficulty - 1]), rng.randint(1, 40)]
        constant = abs(top[0] * d - top[1] * c)
    bottom = [c, d]
    if (
        constant < 4
        or constant > 400
        or gcd(*top, *bottom) > 1
        or (not quadratic and top[0] == c == 1 and difficulty > 1)
    ):
        return None

    def value(coefficients: list[int], n: int) -> int:
        total = 0
        for k in coefficients:
            total = total * n + k
        return total

    asked = rng.choice(("greatest", "values", "reducible", "count", "sum", "largest"))
    # The gcd has the period of the constant; a quotient is whole where it is the whole denominator.
    common = [gcd(value(bottom, n), value(top, n), constant) for n in range(1, constant + 1)]
    if asked == "reducible":
        periods = rng.randint(1, 4)
        last = constant * periods
        answer = periods * sum(g > 1 for g in common)
        if last > 1500 or answer == last:
            return None
    else:
        last = constant + d
        whole = [
            n for n in range(1, last + 1) if value(bottom, n) <= constant and value(top, n) % value(bottom, n) == 0
        ]
        answers = {"greatest": max(common), "values": sum(set(common)), "count": len(whole), "sum": sum(whole)}
        answer = max(whole, default=0) if asked == "largest" else answers[asked]
        if asked in ("count", "sum", "largest") and len(whole) < (1 if asked == "largest" else 2):
            return None
    if answer < 2 or value(top, 1) < 1:
        return None
    high, low = polynomial(top, "n"), polynomial(bottom, "n")
    name = person(rng)
    fraction = rf"$\frac{{{high}}}{{{low}}}$"
    forms = {
        "greatest": (
            f"For positive integers $n$, how large can the greatest common divisor of ${high}$ and ${low}$ be at most?",
            f"Two ropes are ${high}$ cm and ${low}$ cm long, where $n$ is a positive whole number. They are cut into "
            "pieces of one length, as long as possible in whole centimetres, without waste. What is the greatest "
            "length "
            "that such a piece can have for any $n$?",
            f"{name} cancels {fraction} for different positive integers $n$. What is the largest number by which "
            "numerator and denominator can ever both be divided?",
            f"In the $n$th class there are ${high}$ stickers and ${low}$ pens to be shared equally among the children, "
            "with nothing left over. For which largest number of children could this work, if $n$ may be any positive "
            "integer?",
        ),
        "values": (
            f"The greatest common divisor of ${high}$ and ${low}$ is computed for every positive integer $n$. What is "
            "the sum of all different values that occur?",
            f"For each positive integer $n$, let $d_n$ be the largest integer that divides both ${high}$ and ${low}$. "
            "Find the sum of the distinct numbers among $d_1, d_2, d_3, \\ldots$.",
            f"{name} reduces {fraction} to lowest terms for every positive integer $n$ and notes the number by which "
            "numerator and denominator were divided (1 where nothing cancels). What do the different numbers noted add "
            "up to?",
        ),
        "reducible": (
            f"For how many integers $n$ from $1$ to ${last}$ can {fraction} be reduced?",
            f"For how many positive integers $n$ up to ${last}$ do ${high}$ and ${low}$ have a common factor greater "
            "than $1$?",
            f"Pair number $n$ of cog wheels has a wheel with ${high}$ teeth and one with ${low}$ teeth. The pair wears "
            f"unevenly if these numbers have a common divisor greater than 1. For how many of the pairs 1 to {last} is "
            "this so?",
            f"{name} writes down {fraction} for $n = 1, 2, \\ldots, {last}$. How many of these fractions are not in "
            "lowest terms?",
        ),
        "count": (
            f"For how many positive integers $n$ is {fraction} an integer?",
            f"How many positive integers $n$ are there such that ${low}$ divides ${high}$?",
            f"A nursery has ${high}$ seedlings for ${low}$ beds, where $n$ is a positive whole number, and every bed "
            "is to get the same number of seedlings. For how many $n$ can all the seedlings be planted?",
        ),
        "sum": (
            f"Find the sum of all positive integers $n$ for which ${high}$ is divisible by ${low}$.",
            f"What is the sum of all positive integers $n$ for which {fraction} is a whole number?",
            f"A captain splits ${high}$ coins equally among ${low}$ sailors, with none left over, where $n$ is a "
            "positive integer. Add up all values that $n$ can have.",
        ),
        "largest": (
            f"What is the largest positive integer $n$ for which {fraction} is an integer?",
            f"For which largest positive integer $n$ is ${high}$ a multiple of ${low}$?",
            f"In round $n$ of a game, ${high}$ cards are dealt to ${low}$ players, each of whom gets the same number. "
            "What is the last round in which no card is left over?",
        ),
    }[asked]
    return Draw(rng.choice(forms), str(answer), {"top": top, "bottom": bottom, "last": last, "asked": asked})


def values_collected(kind: str, numbers: list[int], low: int) -> int:
    """Take the greatest common divisor of many values."""
    from math import gcd

    common = 0
    for n in range(low, low + 150):
        if kind == "even":
            n *= 2
        elif kind == "odd":
            n = 2 * n + 1
        elif kind == "prime" and any(n % d == 0 for d in range(2, n)):
            continue
        if kind in ("powers", "prime"):
            value = n ** numbers[0] - n ** numbers[1]
        else:
            value = 1
            for shift in numbers:
                value *= n + shift
        common = gcd(common, value)
    return common


@generator("Find the largest number that divides every value of an expression", check=values_collected)
def universal_divisor(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        ("all", "even", "odd") if difficulty == 1 else ("all", "odd", "even", "powers", "powers", "prime")
    )
    low = 1
    if kind == "powers":
        k = rng.randint(1, (0, 4, 8)[difficulty - 1])
        numbers = [k + rng.choice((2, 4, 6) if difficulty == 2 else (4, 6, 8, 10, 12)), k]
    elif kind == "prime":
        numbers = [rng.choice((2, 4, 6, 8) if difficulty == 2 else (4, 6, 8, 10, 12, 16, 20)), 0]
        low = rng.choice((4, 6, 8, 12, 14, 18, 20, 24, 30)) if numbers[0] != 4 else rng.choice((4, 8, 12, 14, 20))
    else:
        numbers = sorted(rng.sample(range(0, (5, 8, 12)[difficulty - 1]), rng.randint(2, (3, 4, 6)[difficulty - 1])))
        if kind != "all" and rng.random() < 0.7:
            numbers = [2 * number for number in numbers]
        low = 0 if kind == "odd" else 1

    def always(q: int, p: int) -> bool:
        for r in range(q):
            if (kind == "even" and p == 2 and r % 2) or (kind == "odd" and p == 2 and r % 2 == 0):
                continue
            if kind == "prime" and p < low and r % p == 0:
                continue
            if kind == "prime" and p >= low:
                return False
            if kind in ("powers", "prime"):
                value = pow(r, numbers[0], q) - pow(r, numbers[1], q)
            else:
                value = prod(r + shift for shift in numbers)
            if value % q:
                return False
        return True

    answer = 1
    for p in (2, 3, 5, 7, 11, 13, 17, 19, 23):
        while always(p * _power_in(answer, p), p):
            answer *= p
    if answer < 3 or numbers == [9, 3]:
        return None
    letter = "p" if kind == "prime" else "n"
    if kind == "powers":
        second = "n" if numbers[1] == 1 else f"n^{numbers[1]}"
        term = f"n^{{{numbers[0]}}} - {second}"
    elif kind == "prime":
        term = f"p^{{{numbers[0]}}} - 1"
    else:
        factors = [f"(n + {shift})" if shift else "n" for shift in numbers]
        term = "".join(factors)
    which = {
        "all": "positive integer $n$",
        "powers": "positive integer $n$",
        "even": "positive even integer $n$",
        "odd": "positive odd integer $n$",
        "prime": f"prime number $p > {low - 1}$",
    }[kind]
    many = which.replace("integer", "integers").replace("prime number", "prime numbers")
    name = person(rng)
    forms = [
        f"What is the greatest integer that divides ${term}$ for every {which}?",
        f"A computer prints ${term}$ for all {many}. What is the largest number by which every printed number can be "
        "divided without remainder?",
        f"{name} claims to know a number that is a factor of ${term}$, whichever {which} someone chooses. What is the "
        "largest number of which this is true?",
        f"Find the greatest common divisor of all values that ${term}$ takes when ${letter}$ runs through the {many}.",
        f"Whichever {which} is chosen, ${term}$ marbles can be packed into boxes of one fixed size with none left "
        f"over. "
        "What is the largest size for which this always works?",
    ]
    if kind in ("even", "odd") and numbers == list(range(numbers[0], numbers[0] + 2 * len(numbers), 2)):
        count = ("two", "three", "four", "five", "six")[len(numbers) - 2]
        forms.append(
            f"{name} multiplies {count} consecutive {kind} numbers, all of them greater than {numbers[0]}. Which is "
            f"the "
            "greatest number that is a factor of every such product?"
        )
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "numbers": numbers, "low": low})


def _power_in(n: int, p: int) -> int:
    power = 1
    while n % (power * p) == 0:
        power *= p
    return power
