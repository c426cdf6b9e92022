"""Problems told as stories."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def starts_tried(steps: list[list[int]], end: int, ask: str) -> int:
    """Try every start upwards and run the story forwards: [a, b] takes a/b away, [n, 0] adds n."""
    start = 0
    while True:
        start += 1
        amount, fits = start, True
        for top, bottom in steps:
            if bottom:
                fits = fits and amount % bottom == 0
                amount -= amount // bottom * top
            else:
                amount += top
        if fits and amount == end:
            return start if ask == "start" else start - end


@generator("Work backwards through fractions of what remains", check=starts_tried)
def backwards(rng: Random, difficulty: int) -> Draw | None:
    fractions = [(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5)]
    if difficulty == 3:
        fractions += [(1, 6), (5, 6), (2, 7), (3, 7), (3, 8)]
    words = {(1, 2): "half", (1, 3): "a third", (2, 3): "two thirds", (1, 4): "a quarter", (3, 4): "three quarters",
             (1, 5): "a fifth", (2, 5): "two fifths", (3, 5): "three fifths", (1, 6): "a sixth", (5, 6): "five sixths",
             (2, 7): "two sevenths", (3, 7): "three sevenths", (3, 8): "three eighths"}  # fmt: skip
    shape = (("F", "N"), ("F", "N", "F"), ("F", "N", "F", "N"))[difficulty - 1]
    if difficulty == 1 and rng.random() < 0.5:
        shape = ("F", "F")
    if difficulty == 3 and rng.random() < 0.5:
        shape = ("F", "F", "F", "N")
    end = rng.randint(2, (12, 30, 60)[difficulty - 1])
    amount = Fraction(end)
    steps: list[list[int]] = []
    for kind in reversed(shape):
        if kind == "F":
            a, b = rng.choice(fractions)
            amount = amount * b / (b - a)
            steps.insert(0, [a, b])
        else:
            n = rng.randint(2, (9, 20, 40)[difficulty - 1]) * rng.choice((-1, -1, 1))
            amount -= n
            steps.insert(0, [n, 0])
        if amount.denominator > 1 or amount <= 0 or amount > 1500:
            return None
    start = int(amount)
    running = start
    for top, bottom in steps:
        running = running - running // bottom * top if bottom else running + top
        if running < 1:
            return None
    name = person(rng)
    scene = rng.randint(0, 3)
    vehicle = "bus" if start <= 70 else "train"
    if scene == 2 and start > 700:
        return None
    first = True
    told: list[str] = []
    places = [
        ("on a book", "on a ticket", "on shoes", "on a present"),
        ("in the morning", "at noon", "in the afternoon", "in the evening"),
        ("at the first stop", "at the second stop", "at the third stop", "at the fourth stop"),
        ("on Monday", "on Tuesday", "on Wednesday", "on Thursday"),
    ][scene]
    for place, (top, bottom) in zip(places, steps, strict=False):
        if bottom:
            part = words[top, bottom]
            whole = ("the money", "the cards", "the passengers", "the flour")[scene] if first else "what is left"
            if scene == 2 and not first:
                whole = "the passengers then on board"
            told.append(
                (
                    f"{name} spends {part} of {whole} {place}",
                    f"{place} {name} gives away {part} of {whole}",
                    f"{place} {part} of {whole} get off",
                    f"{place} {part} of {whole} is used",
                )[scene]
            )
        else:
            size = abs(top)
            told.append(
                (
                    f"{name} spends {size} dollars {place}" if top < 0 else f"{name} earns {size} dollars",
                    f"{place} {name} {'gives away' if top < 0 else 'is given'} {size} more cards".replace(
                        "is given " + str(size) + " more", f"is given {size}"),
                    f"{place} {size} people get {'off' if top < 0 else 'on'}",
                    f"{place} {size} kg {'are used' if top < 0 else 'are delivered'}",
                )[scene]
            )  # fmt: skip
        first = False
    sentence = ", then ".join(told[:2]) + "".join(f". After that {part}" for part in told[2:3])
    sentence += "".join(f", and finally {part}" for part in told[3:])
    sentence = sentence[0].upper() + sentence[1:]
    opening = (
        f"{name} sets out with some money.",
        f"{name} has a collection of cards.",
        f"A {vehicle} starts with some passengers.",
        "A bakery has some flour in store.",
    )[scene]
    close = (
        f"There are {end} dollars left.",
        f"In the end {end} cards remain.",
        f"Now {end} passengers are on board.",
        f"Now {end} kg are left.",
    )[scene]
    question = (
        f"How many dollars did {name} have at the start?",
        f"How many cards did {name} have at the beginning?",
        f"With how many passengers did the {vehicle} start?",
        "How many kilograms of flour were there at first?",
    )[scene]
    if start == end:
        return None
    return Draw(f"{opening} {sentence}. {close} {question}", str(start), {"steps": steps, "end": end, "ask": "start"})


def swapped_one_by_one(bought: int, price: int, spare: int, goal: int, ask: str) -> int:
    """Use up one full item after the other and swap as soon as there are enough empties."""

    def used_up(full: int) -> tuple[int, int]:
        empties, used = spare, 0
        while full or empties >= price:
            if empties >= price:
                empties -= price
                full += 1
            else:
                full -= 1
                empties += 1
                used += 1
        return used, empties

    if ask == "used":
        return used_up(bought)[0]
    if ask == "left":
        return used_up(bought)[1]
    if ask == "extra":
        return used_up(bought)[0] - bought
    start = 0
    while used_up(start)[0] < goal:
        start += 1
    return start


@generator("Trade in empties round by round until none can be exchanged", check=swapped_one_by_one)
def empties(rng: Random, difficulty: int) -> Draw | None:
    price = rng.randint(3, (5, 8, 11)[difficulty - 1])
    bought = rng.randint(price, (16, 70, 240)[difficulty - 1])
    spare = rng.randint(1, price - 1) if difficulty == 3 and rng.random() < 0.5 else 0
    pool = bought + spare
    gained = (pool - 1) // (price - 1)
    left = pool - gained * (price - 1)
    ask = rng.choice(("used", "used", "extra") if difficulty == 1 else ("used", "left", "extra"))
    if difficulty == 3 and not spare:
        ask = rng.choice(("buy", "buy", "used"))
    if gained < 1:
        return None
    name = person(rng)
    scene = rng.randint(0, 2)
    full, empty, verb = (("bottles of lemonade", "empty bottles", "drink"), ("candles", "candle stubs", "burn"),
                         ("pots of yoghurt", "empty pots", "eat"))[scene]  # fmt: skip
    one = ("full bottle", "new candle", "full pot")[scene]
    rule = (
        f"At a kiosk {price} empty bottles can be exchanged for one full bottle of lemonade.",
        f"From {price} candle stubs {name} can cast one new candle. Each candle leaves one stub.",
        f"A dairy gives one full pot of yoghurt for {price} empty ones.",
    )[scene]
    owner = "a class" if scene == 0 and rng.random() < 0.5 else name
    have = f"{owner} buys {bought} {full}" if scene != 1 else f"{owner} has {bought} new candles"
    if spare:
        have += f" and already has {spare} {empty if spare > 1 else empty[:-1]}"
        if scene == 1:
            have = have.replace("already has", "also")
    have = have[0].upper() + have[1:]
    again = "the class" if owner == "a class" else name
    trade = "exchanges empties as often as possible" if scene != 1 else "casts new candles as often as possible"
    question = {
        "used": f"How many {full} can {again} {verb} in all?",
        "left": f"How many {empty} are left over in the end?",
        "extra": f"How many {one}s does {again} get in addition by this?",
    }
    answers = {"used": bought + gained, "left": left, "extra": gained}
    if ask == "buy":
        goal = bought + (bought - 1) // (price - 1)
        lowest = bought
        while lowest > 1 and lowest - 1 + (lowest - 2) // (price - 1) >= goal:
            lowest -= 1
        verb_buy = "buy" if scene != 1 else "have at the start"
        problem = (
            f"{rule} {owner[0].upper() + owner[1:]} wants to {verb} {goal} {full} in all and {trade}. What is the "
            f"least number of {full} that {again} has to {verb_buy}?"
        )
        values = {"bought": 0, "price": price, "spare": 0, "goal": goal, "ask": ask}
        return Draw(problem, str(lowest), values)
    values = {"bought": bought, "price": price, "spare": spare, "goal": 0, "ask": ask}
    return Draw(f"{rule} {have} and {trade}. {question[ask]}", str(answers[ask]), values)
