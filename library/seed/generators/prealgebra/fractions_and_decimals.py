"""Problems on fractions."""

from fractions import Fraction
from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def _fraction(rng: Random, largest: int) -> Fraction:
    while True:
        bottom = rng.randint(2, largest)
        top = rng.randint(1, bottom - 1)
        if gcd(top, bottom) == 1:
            return Fraction(top, bottom)


def _tex(value: Fraction) -> str:
    return f"$\\frac{{{value.numerator}}}{{{value.denominator}}}$"


def people_counted(steps: list[list[int]], taken: list[bool], ask: list[int]) -> str:
    """Count on a whole of as many equal pieces as the product of all denominators."""
    from fractions import Fraction

    pieces = 1
    for _, bottom in steps:
        pieces *= bottom
    whole = current = pieces
    for (top, bottom), keep in zip(steps, taken, strict=True):
        part = sum(current // bottom for _ in range(top))
        current = part if keep else current - part
    return str(Fraction(current * (ask[0] or 1), whole * (ask[1] or 1)))


@generator("Multiply fractions that are taken of one another", check=people_counted)
def fraction_of_fraction(rng: Random, difficulty: int) -> Draw | None:
    number = (2, rng.randint(2, 3), 3)[difficulty - 1]
    steps = [_fraction(rng, (5, 6, 9)[difficulty - 1]) for _ in range(number)]
    kind = rng.randint(0, 3)
    taken = [[True, True, True], [False, False, False], [True, True, False], [True, False, False]][kind][:number]
    if difficulty == 1:
        taken = [kind != 1, kind != 1]
    shares = [step if keep else 1 - step for step, keep in zip(steps, taken, strict=True)]
    answer = Fraction(1)
    for share in shares:
        answer *= share
    if answer.denominator > 400:
        return None
    name = person(rng)
    a, b = _tex(steps[0]), _tex(steps[1])
    c = _tex(steps[2]) if number == 3 else ""
    ask = [0, 0]
    if taken[:2] == [True, True]:
        head, who, first, second, third, negation = rng.choice(
            (
                ("At a music school", "of the pupils", "play a string instrument", "play the violin",
                 "sing in the choir", "do not sing in the choir"),
                ("In a library", "of the books", "are novels", "are crime novels", "are on loan", "are not on loan"),
                ("On a large farm", "of the fields", "carry grain", "carry wheat", "are watered by sprinklers",
                 "are not watered by sprinklers"),
                ("In a housing block", "of the flats", "have a balcony", "have a balcony facing south",
                 "are rented out", "are not rented out"),
                ("In a harbour", "of the boats", "are sailing boats", "are sailing boats with two "
                                                                      "masts", "are for sale",
                 "are not for sale"),
                (f"In {name}'s collection", "of the stamps", "come from Asia", "come from Japan", "show a bird",
                 "show no bird"),
            )
        )  # fmt: skip
        story = f"{head} {a} {who} {first}, and {b} of these {second}."
        every = f"all {who[3:]}"
        if number == 2:
            problem = f"{story} What fraction of {every} {second}?"
        else:
            problem = (
                f"{story} Of those, {c} {third}. What fraction of {every} {second} and "
                f"{third if taken[2] else negation}?"
            )
    elif not taken[0]:
        if number == 2:
            problem = rng.choice(
                (
                    f"{name} drinks {a} of a bottle of juice in the morning and {b} of the rest in the afternoon. "
                    "What fraction of the full bottle is left?",
                    f"A hiker covers {a} of a trail on the first day and {b} of what remains on the second day. What "
                    "fraction of the trail is still to be walked?",
                    f"{name} spends {a} of a month's pay on rent and {b} of what is left on food. What fraction of "
                    "the pay remains?",
                )
            )
        else:
            problem = rng.choice(
                (
                    f"{name} drinks {a} of a bottle of juice in the morning, {b} of the rest at noon and {c} of what "
                    "is then left in the evening. What fraction of the full bottle remains?",
                    f"A fire burns down {a} of a forest, then a storm fells {b} of the trees still standing, and "
                    f"beetles destroy {c} of those that are left. What fraction of the forest survives all three?",
                    f"A snowman loses {a} of its mass on Monday, {b} of the remaining mass on Tuesday and {c} of what "
                    "is then left on Wednesday. What fraction of its original mass does it still have?",
                )
            )
        if difficulty > 1 and rng.random() < 0.5:
            full = rng.randint(100 // answer.denominator + 1, 900 // answer.denominator + 2) * answer.denominator
            ask = [full, 1]
            answer *= full
            if "bottle" in problem:
                problem = problem.replace("a bottle", f"a bottle with {full} ml").replace(
                    "What fraction of the full bottle is left?", "How many millilitres are left?"
                )
                problem = problem.replace("What fraction of the full bottle remains?", "How many millilitres remain?")
            elif "snowman" in problem:
                problem = problem.replace("A snowman", f"A snowman of {full} kg").replace(
                    "What fraction of its original mass does it still have?", "How many kilograms are left of it?"
                )
            else:
                return None
    else:
        rest = f", and {c} of what was then left on the following day" if number == 3 else ""
        thing, verb = rng.choice((("can of paint", "can"), ("tank of heating oil", "tank"), ("sack of flour", "sack")))
        unused = "What fraction of a full " + verb + " is left?"
        problem = f"A {thing} was {a} full. {name} used {b} of its contents{rest}. {unused}"
    return Draw(
        problem,
        str(answer),
        {"steps": [[s.numerator, s.denominator] for s in steps], "taken": taken, "ask": ask},
    )


def taken_away(quantity: list[int], portion: list[int], ask: str) -> str:
    """Take away portion after portion until less than one is left."""
    from fractions import Fraction

    left, one = Fraction(quantity[0], quantity[1]), Fraction(portion[0], portion[1])
    full = 0
    while left >= one:
        left -= one
        full += 1
    return str({"full": full, "amount": left, "share": left / one, "missing": one - left}[ask])


def _mixed(value: Fraction) -> str:
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    fraction = f"\\frac{{{rest.numerator}}}{{{rest.denominator}}}"
    return f"${whole or ''}{fraction}$"


@generator("Divide by the size of a portion and read the remainder in the right unit", check=taken_away)
def portions(rng: Random, difficulty: int) -> Draw | None:
    portion = _fraction(rng, (4, 6, 9)[difficulty - 1])
    if difficulty == 3 and rng.random() < 0.5:
        portion += rng.randint(1, 2)
    quantity = Fraction(rng.randint(2, (6, 12, 25)[difficulty - 1]))
    if difficulty > 1:
        quantity += _fraction(rng, (1, 4, 8)[difficulty - 1])
    full, rest = divmod(quantity, portion)
    if not rest or not 2 <= full <= 40:
        return None
    name = person(rng)
    unit, story, thing, bit = rng.choice(
        (
            ("kilograms", f"{name} has {_mixed(quantity)} kg of flour. A loaf of bread takes {_mixed(portion)} kg",
             "loaves", "loaf"),
            ("metres", f"{name} has a ribbon {_mixed(quantity)} m long. A bow takes {_mixed(portion)} "
                       f"m", "bows", "bow"),
            ("litres", f"A canteen has {_mixed(quantity)} litres of soup. A tureen takes {_mixed(portion)} litres",
             "tureens", "tureen"),
            ("litres", f"{name} has {_mixed(quantity)} litres of paint. A door takes {_mixed(portion)} litres", "doors",
             "door"),
            ("cups", f"{name} has {_mixed(quantity)} cups of sugar. A cake takes {_mixed(portion)} "
                     f"cups", "cakes", "cake"),
        )
    )  # fmt: skip
    if portion <= 1:
        story = story.replace(f"{_mixed(portion)} litres", f"{_mixed(portion)} litre").replace(
            f"{_mixed(portion)} cups", f"{_mixed(portion)} cup"
        )
    verb = {"loaves": "baked", "bows": "tied", "tureens": "filled", "doors": "painted", "cakes": "baked"}[thing]
    ask = rng.choice(("full", "amount") if difficulty == 1 else ("amount", "share", "missing"))
    what = {"loaf": "flour", "bow": "ribbon", "tureen": "soup", "door": "paint", "cake": "sugar"}[bit]
    story = f"{story}, and as many {thing} as possible are {verb}."
    question = {
        "full": f"How many {thing} is that?",
        "amount": f"How many {unit} of {what} are left over?",
        "share": f"The {what} left over is what fraction of the amount for one more {bit}?",
        "missing": f"How many {unit} of {what} are missing for one more {bit}?",
    }[ask]
    answer = {"full": Fraction(full), "amount": rest, "share": rest / portion, "missing": portion - rest}[ask]
    values = {
        "quantity": [quantity.numerator, quantity.denominator],
        "portion": [portion.numerator, portion.denominator],
        "ask": ask,
    }
    return Draw(f"{story} {question}", str(answer), values)


def pieces_counted(numbers: list[list[int]]) -> str:
    """Cut everything into pieces of one size, the product of all denominators to a whole, and count them."""
    from fractions import Fraction

    size = 1
    for _, _, _, bottom in numbers:
        size *= bottom
    pieces = 0
    for sign, whole, top, bottom in numbers:
        pieces += sign * (whole * size + sum(size // bottom for _ in range(top)))
    return str(Fraction(pieces, size))


@generator("Add and subtract fractions and mixed numbers over a common denominator", check=pieces_counted)
def mixed_numbers_added(rng: Random, difficulty: int) -> Draw | None:
    number = (2, 3, rng.randint(3, 4))[difficulty - 1]
    fractions = [_fraction(rng, (6, 9, 12)[difficulty - 1]) for _ in range(number)]
    wholes = [rng.randint(0, (3, 5, 9)[difficulty - 1]) for _ in range(number)]
    taken = rng.random() < 0.5
    signs = [1] + [-1 if taken else 1] * (number - 1)
    if taken:
        wholes[0] += sum(wholes[1:]) + rng.randint(0, 2)
    value = sum((s * (w + f) for s, w, f in zip(signs, wholes, fractions, strict=True)), Fraction(0))
    if len({f.denominator for f in fractions}) < 2 or value <= 0 or value.denominator > 400:
        return None
    if value.denominator == 1 and difficulty < 3:
        return None
    written = [f"${w or ''}\\frac{{{f.numerator}}}{{{f.denominator}}}$" for w, f in zip(wholes, fractions, strict=True)]
    name = person(rng)
    text = "$" + (" - " if taken else " + ").join(part.strip("$") for part in written) + "$"
    forms = [
        f"Compute {text}, and give the result as a fraction in lowest terms.",
        f"What is {text}, written as a single reduced fraction?",
    ]
    if taken:
        forms += [
            f"A can holds {written[0]} litres of juice. {name} pours out "
            f"{listed([f'{part} litres' for part in written[1:]])}. "
            "How many litres are left? Give a fraction.",
            f"From a rope of {written[0]} metres, pieces of {listed(written[1:])} metres are cut off. How many metres "
            "remain, as a fraction?"
            if number > 2
            else f"From a rope of {written[0]} metres, a piece of {written[1]} metres is cut off. How many "
            f"metres remain, "
            "as a fraction?",
        ]
    else:
        forms += [
            f"{name} mixes {listed([f'{part} cups' for part in written])} of different kinds of flour. How many "
            f"cups are "
            "that altogether, as a fraction?",
            f"In one week {name} practised the piano for {listed([f'{part} hours' for part in written])} on different "
            "days. How many hours are that in all? Give a fraction.",
        ]
    values = [[s, w, f.numerator, f.denominator] for s, w, f in zip(signs, wholes, fractions, strict=True)]
    return Draw(rng.choice(forms), str(value), {"numbers": values})
