"""Problems on sharing out distinct and identical items under conditions."""

from fractions import Fraction
from math import comb
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def by_receivers_used(items: int, receivers: int, used: list[int], barred: int, chance: bool) -> object:
    """Give out the items one by one and count by the set of receivers that have something."""
    from fractions import Fraction

    ways = {0: 1}
    for item in range(items):
        after: dict[int, int] = {}
        for have, count in ways.items():
            for receiver in range(receivers):
                if item < barred and receiver == 0:
                    continue
                key = have | 1 << receiver
                after[key] = after.get(key, 0) + count
        ways = after
    good = sum(count for have, count in ways.items() if have.bit_count() in used)
    return Fraction(good, receivers**items) if chance else good


def _onto(items: int, receivers: int) -> int:
    return sum((-1) ** j * comb(receivers, j) * (receivers - j) ** items for j in range(receivers + 1))


@generator("Exclude empty receivers from assignments of distinct items", check=by_receivers_used)
def no_empty_receiver(rng: Random, difficulty: int) -> Draw | None:
    receivers = rng.randint(*((2, 3), (3, 4), (3, 5))[difficulty - 1])
    items = rng.randint(receivers + 1, receivers + (3, 3, 4)[difficulty - 1])
    who, barred = person(rng), 0
    used = [receivers]
    kind = "all" if difficulty < 3 else rng.choice(("all but one", "barred", "at least"))
    chance = difficulty > 1 and kind != "barred" and rng.random() < 0.5
    if kind == "all but one":
        used = [receivers - 1]
    elif kind == "at least":
        used = [receivers - 1, receivers]
        if receivers < 4:
            return None
    good = sum(comb(receivers, number) * _onto(items, number) for number in used)
    if kind == "barred":
        # One of the items may not go to the first receiver: all onto assignments less those where it does.
        barred = 1
        good = _onto(items, receivers) - _onto(items - 1, receivers) - _onto(items - 1, receivers - 1)
    few = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
    word = few[receivers - 1]
    if chance:
        what = rng.choice(
            (
                (
                    f"{items} travellers each choose one of {receivers} restaurants, independently and with equal "
                    f"chances. What is the probability that {{}}?",
                    "every restaurant is chosen by at least one of them",
                    f"exactly {word} of the restaurants {'is' if receivers == 2 else 'are'} chosen by at least one of "
                    "them",
                    f"at least {word} of the restaurants are chosen",
                ),
                (
                    f"A spinner with {receivers} equal sectors in different colours is spun {items} times. What is "
                    f"the probability that {{}}?",
                    "every colour comes up at least once",
                    f"exactly {word} of the colours {'comes' if receivers == 2 else 'come'} up",
                    f"at least {word} of the colours come up",
                ),
                (
                    f"A booster pack contains one of {receivers} stickers, all of them equally likely. {who} buys "
                    f"{items} packs. What is the probability that {{}}?",
                    "all the stickers are among them",
                    f"exactly {word} of the different stickers {'is' if receivers == 2 else 'are'} among them",
                    f"at least {word} of the different stickers are among them",
                ),
            )
        )
        text = what[0].format({"all": what[1], "all but one": what[2], "at least": what[3]}[kind])
        if text[0].isdigit():
            text = "Each of " + text.replace("travellers each choose", "travellers chooses")
    elif kind == "barred":
        text = rng.choice(
            (
                f"{who} gives {items} different books to {receivers} children. Each child must get at least one book, "
                "and one of the books, an encyclopedia, must not go to the youngest child. In how many ways can this "
                "be done?",
                f"{items} different jobs are assigned to {receivers} workers so that every worker gets at least one. "
                "The newest worker may not be given the most difficult job. How many assignments are possible?",
                f"A code of {items} symbols uses each of the first {receivers} letters of the alphabet at least once "
                "and no others, and it does not begin with A. How many such codes are there?",
            )
        )
        if text[0].isdigit():
            text = "In a workshop, " + text
    else:
        limit = {
            "all": ("each {} must get at least one", "every one of the letters occurs"),
            "all but one": (
                f"exactly {word} of the {{s}} are to get something",
                f"exactly {word} of these letters occur",
            ),
            "at least": (
                f"at least {word} of the {{s}} are to get something",
                f"at least {word} of these letters occur",
            ),
        }[kind]
        letters = "ABCDE"[:receivers]
        text = rng.choice(
            (
                f"In how many ways can {items} different books be given to {receivers} children, if "
                f"{limit[0].format('child', s='children')}?",
                f"How many strings of {items} letters made of the letters {', '.join(letters)} are there in which "
                f"{limit[1]}?",
                f"{who} sorts {items} different photos into {receivers} albums of different colours. If "
                f"{limit[0].format('album', s='albums')}, how many ways are there?",
                f"A manager hands out {items} different jobs to {receivers} workers. If "
                f"{limit[0].format('worker', s='workers')}, in how many ways can this be done?",
            )
        )
        if receivers == 2 and kind == "all but one":
            return None
    answer = str(Fraction(good, receivers**items)) if chance else str(good)
    values = {"items": items, "receivers": receivers, "used": used, "barred": barred, "chance": chance}
    return Draw(text, answer, values)


def one_share_after_another(total: int, caps: list[list[int]]) -> int:
    """Add the shares one receiver after another and keep how many ways lead to each partial sum."""
    sums = {0: 1}
    for low, high in caps:
        after: dict[int, int] = {}
        for partial, ways in sums.items():
            for share in range(low, high + 1):
                after[partial + share] = after.get(partial + share, 0) + ways
        sums = after
    return sums.get(total, 0)


def _capped(total: int, caps: list[list[int]]) -> int:
    spare = total - sum(low for low, _ in caps)
    result = 0
    for chosen in range(1 << len(caps)):
        left = spare
        for place, (low, high) in enumerate(caps):
            if chosen >> place & 1:
                left -= high - low + 1
        if left >= 0:
            result += (-1) ** chosen.bit_count() * comb(left + len(caps) - 1, len(caps) - 1)
    return result


@generator("Cap identical shares by subtracting overfull receivers", check=one_share_after_another)
def capped_shares(rng: Random, difficulty: int) -> Draw | None:
    receivers = rng.randint(*((2, 3), (3, 4), (3, 5))[difficulty - 1])
    who = person(rng)
    scene = rng.choice(("gifts", "equation", "code", "dice", "shop"))
    if scene == "code":
        top = 9 if difficulty > 1 else rng.randint(4, 9)
        caps = [[0, top] for _ in range(receivers)]
        if difficulty == 3 and rng.random() < 0.6:
            caps[0][0] = 1
    elif scene == "dice":
        sides = (6, rng.choice((6, 6, 8)), rng.choice((6, 8, 10, 12)))[difficulty - 1]
        caps = [[1, sides] for _ in range(receivers)]
    else:
        cap = rng.randint(3, 7)
        caps = [[0, cap] for _ in range(receivers)]
        if difficulty == 3:
            caps = [[rng.randint(0, 1), rng.randint(3, 8)] for _ in range(receivers)]
            if scene == "gifts":
                caps = [[caps[0][0], high] for _, high in caps]
    top_sum, low_sum = sum(high for _, high in caps), sum(low for low, _ in caps)
    total = rng.randint(low_sum + max(high - low for low, high in caps) + 1, top_sum - 1)
    if total > (low_sum + top_sum) // 2 + 3:
        return None
    answer = _capped(total, caps)
    if answer < 2:
        return None
    high = caps[0][1]
    if scene == "gifts":
        things = rng.choice(("pencils", "plums", "coins", "marbles"))
        if difficulty < 3:
            rest = rng.choice(
                (
                    f", if no child may get more than {high} of them",
                    f" so that every child gets at most {high} of them (some may get none)",
                )
            )
            text = f"In how many ways can {total} identical {things} be shared out among {receivers} children{rest}?"
        else:
            names = ["a tin", "a jar", "a bowl", "a box", "a bag"][:receivers]
            holds = listed([f"{name} for at most {top}" for name, (_, top) in zip(names, caps, strict=True)])
            empty = "None of them may stay empty." if caps[0][0] else "Some of them may stay empty."
            text = (
                f"{who} puts all of {total} identical {things} away into {receivers} containers: {holds} {things}. "
                f"{empty} In how many ways can this be done?"
            )
    elif scene == "equation":
        letters = ["x_1", "x_2", "x_3", "x_4", "x_5"][:receivers]
        if difficulty < 3:
            bounds = f"each of them at most ${high}$"
            text = (
                f"How many solutions in non-negative integers, {bounds}, does the equation ${' + '.join(letters)} = "
                f"{total}$ have?"
            )
        else:
            bounds = ", ".join(
                f"${low} \\le {letter} \\le {top}$" for letter, (low, top) in zip(letters, caps, strict=True)
            )
            text = f"Find the number of integer solutions of ${' + '.join(letters)} = {total}$ with {bounds}."
    elif scene == "code":
        top = caps[0][1]
        start = "may not begin with 0" if caps[0][0] else "may begin with 0"
        text = (
            f"A lock has a code of {receivers} digits, each from 0 to {top}. The code {start}. For how many codes is "
            f"the sum of the digits {total}?"
        )
        if caps[0][0] and difficulty == 3 and rng.random() < 0.5:
            text = f"How many positive integers with exactly {receivers} digits have the digit sum {total}?"
    elif scene == "dice":
        text = (
            f"A {high}-sided die with the numbers 1 to {high} is rolled {receivers} times, and the numbers are "
            f"written down in order. In how many of the possible results is their sum {total}?"
        ).replace("A 8", "An 8")
        if receivers == 2:
            return None
    else:
        what, sorts = rng.choice((("cakes", "sorts"), ("roses", "colours"), ("stamps", "designs")))
        if difficulty < 3:
            text = (
                f"A shop has {receivers} {sorts} of {what} and {high} {what} of each of the {sorts}. {who} buys "
                f"{total} {what}. How many different purchases are possible, if only the number of {what} of each of "
                f"the {sorts} matters?"
            )
        else:
            stock = [f"{top}" for _, top in caps]
            if any(low for low, _ in caps) or len(set(stock)) == 1:
                return None
            listing = listed(stock)
            text = (
                f"Of {receivers} {sorts} of {what} a shop has {listing} left, respectively. {who} buys {total} "
                f"{what}. How many different purchases are possible, if only the number of {what} of each of the "
                f"{sorts} matters?"
            )
    return Draw(text, str(answer), {"total": total, "caps": caps})
