"""Problems on rounding and on roots between whole numbers."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def filled_one_by_one(total: int, size: int, mode: str, size2: int, factor: int) -> int:
    """Fill containers one by one, and those of a second stage with the first ones, and count."""

    def fill(amount: int, room: int) -> tuple[int, int]:
        full = 0
        while amount >= room:
            amount -= room
            full += 1
        return full, amount

    full, rest = fill(total, size)
    opened = full + 1 if rest else full
    if mode == "needed":
        return opened
    if mode == "empty":
        return opened * size - total
    if mode == "cost":
        return opened * factor
    if mode == "made":
        return full
    if mode == "left":
        return rest
    second, over = fill(full if mode in ("sets", "unset") else opened, size2)
    if mode in ("sets", "unset"):
        return second if mode == "sets" else over
    return second + 1 if over else second


@generator("Round a quotient the way the story demands", check=filled_one_by_one)
def rounded_quotient(rng: Random, difficulty: int) -> Draw | None:
    size = rng.randint(*((3, 9), (6, 30), (6, 16))[difficulty - 1])
    total = rng.randint(*((15, 80), (70, 700), (200, 1500))[difficulty - 1])
    if total % size == 0 or total < 2 * size:
        return None
    up, rest = -(-total // size), total % size
    name = person(rng)
    size2 = rng.randint(3, 9)
    price = rng.randint(2, 15) * (1 if difficulty == 1 else 5)
    if difficulty < 3:
        mode = rng.choice(("needed", "empty", "made", "left") if difficulty == 1 else ("empty", "cost", "made", "left"))
        holder = rng.choice(
            (
                (f"{total} people want to cross a lake in boats for {size} people each.", "boats", "places"),
                (f"{name} puts {total} photos into an album with room for {size} photos on a page.", "pages",
                 "places for photos"),
                (f"{total} guests are seated at tables for {size}.", "tables", "seats"),
                (f"A museum takes {total} visitors round in groups of at most {size}.", "guides", "places"),
            )
        )  # fmt: skip
        maker = rng.choice(
            (
                (f"{name} has {total} eggs and packs them into cartons of {size}.", "full cartons", "eggs"),
                (f"A florist has {total} roses and makes bouquets of {size} roses.", "complete bouquets", "roses"),
                (f"{name} cuts a rope {total} metres long into pieces of {size} metres.", "full "
                                                                                          "pieces", "metres of rope"),
                (f"{name} has {total} dollars and buys as many books at {size} dollars each as possible.", "books",
                 "dollars"),
            )
        )  # fmt: skip
        story, things, places = holder
        if mode == "needed":
            question = f"How many {things} are needed if everybody is to have a place?"
            if things == "pages":
                question = "How many pages does the album need at least?"
            answer = up
        elif mode == "empty":
            question = f"As few {things} as possible are used. How many {places} stay empty?"
            if things == "guides":
                question = "There are as few groups as possible. How many more visitors could have joined these groups?"
            answer = up * size - total
        elif mode == "cost":
            if things == "pages":
                return None
            each = {"boats": "A boat", "tables": "A table", "guides": "The guide of a group"}[things]
            question = f"{each} costs {price} dollars. What is the least cost, in dollars, if nobody is left out?"
            answer = up * price
        else:
            story, things, places = maker
            question = f"How many {things} does this give?" if mode == "made" else f"How many {places} are left over?"
            if things == "books" and mode == "made":
                question = "How many books is that?"
            answer = total // size if mode == "made" else rest
        problem = f"{story} {question}"
    else:
        mode = rng.choice(("sets", "unset", "boxes"))
        full = total // size
        if full % size2 == 0 or up % size2 == 0 or full < size2:
            return None
        if mode == "boxes":
            answer = -(-up // size2)
            problem = rng.choice(
                (
                    f"An exhibition lends {total} small paintings. They travel in crates for {size} paintings each, "
                    f"and a van holds {size2} crates. How many vans are needed at least?",
                    f"{name} stores {total} slides in trays of {size}, one tray being only partly filled. The trays "
                    f"are stacked in cupboards that hold {size2} trays each. How many cupboards does {name} need?",
                    f"A camp has {total} children. Every {size} children, and those who remain, share a tent, and one "
                    f"leader looks after up to {size2} tents. What is the least number of leaders?",
                )
            )
        else:
            answer = full // size2 if mode == "sets" else full % size2
            first, second, rest_of = rng.choice(
                (
                    (f"A bakery turns {total} dough balls into bags of {size} rolls", "bags", "crates"),
                    (f"A workshop has {total} beads and makes bracelets of {size} beads", "bracelets", "gift sets"),
                    (f"{name} ties {total} tulips into bunches of {size}", "bunches", "baskets"),
                    (f"From {total} cm of wire {name} cuts pieces {size} cm long", "pieces", "packets"),
                )
            )
            ask = (
                f"How many full {rest_of} are there?"
                if mode == "sets"
                else f"How many {second} are left that do not fill one of the {rest_of}?"
            )
            problem = f"{first}, as many as possible. Exactly {size2} {second} go into each of the {rest_of}. {ask}"
    values = {"total": total, "size": size, "mode": mode, "size2": size2, "factor": price}
    return Draw(problem, str(answer), values)


def counted_up(kind: str, a: int, b: int) -> int:
    """Count upwards from zero, comparing powers with the limits, never taking a root."""
    if kind in ("between squares", "between cubes", "square to cube"):
        low, high = {"between squares": (2, 2), "between cubes": (3, 3), "square to cube": (2, 3)}[kind]
        n = hits = 0
        while n**high < b:
            hits += n**low > a
            n += 1
        return hits
    side = 0
    power = 3 if "cube" in kind else 2
    while (side + 1) ** power <= a:
        side += 1
    if kind == "floor":
        return side
    if kind in ("left square", "left cube"):
        return int(a - side**power)
    return int((side + 1) ** power - a)


@generator("Enclose a root between neighbouring whole numbers", check=counted_up)
def enclosed_root(rng: Random, difficulty: int) -> Draw | None:
    from math import isqrt

    def cube_root(number: int) -> int:
        return max(k for k in range(200) if k**3 <= number)

    name = person(rng)
    b = 0
    if difficulty == 1:
        a = rng.randint(10, 150)
        root = isqrt(a)
        if root * root == a:
            return None
        kind = rng.choice(("floor", "left square", "missing square"))
        things = rng.choice(("square tiles", "coins", "chairs", "trees"))
        problem, answer = {
            "floor": (f"What is the greatest whole number less than $\\sqrt{{{a}}}$?", root),
            "left square": (
                f"{name} has {a} {things} and arranges them in rows so that the number of rows equals the number of "
                f"{things} in a row. The square is as large as possible. How many {things} are left over?",
                a - root * root,
            ),
            "missing square": (
                f"What is the smallest positive integer that can be added to {a} to give a perfect square?",
                (root + 1) ** 2 - a,
            ),
        }[kind]
    elif difficulty == 2:
        kind = rng.choice(("between squares", "left square", "missing square", "left cube", "floor"))
        a = rng.randint(150, 3000)
        if kind == "between squares":
            a, b = rng.randint(5, 300), rng.randint(320, 2500)
        root = cube_root(a) if "cube" in kind else isqrt(a)
        things = rng.choice(("paving stones", "flower pots", "dancers", "cabbage plants"))
        if kind == "between squares":
            problem = rng.choice(
                (
                    f"How many integers $n$ satisfy $\\sqrt{{{a}}} < n < \\sqrt{{{b}}}$?",
                    f"How many whole numbers lie strictly between $\\sqrt{{{a}}}$ and $\\sqrt{{{b}}}$?",
                )
            )
            answer = sum(1 for n in range(60) if a < n * n < b)
        elif kind == "left square":
            problem = (
                f"From {a} {things} the largest possible square formation with equally many in each row and column is "
                f"made. How many {things} are not part of it?"
            )
            answer = a - root**2
        elif kind == "missing square":
            problem = (
                f"A field is to become a square of {things}, with as many rows as columns. There are {a} {things} "
                "already, which is not the right number. How many more are needed at least for a complete square "
                "that uses all of them?"
            ).replace("A field is to become", "An artist wants to lay out")
            answer = (root + 1) ** 2 - a
        elif kind == "left cube":
            problem = (
                f"{name} has {a} equal small cubes and builds the largest solid cube possible. How many small cubes "
                "remain?"
            )
            answer = a - root**3
        else:
            problem = (
                f"The area of a square is {a} cm². Between which whole numbers of centimetres does its side lie? Give "
                "the smaller one."
            )
            answer = root
        if answer == 0 or (kind != "between squares" and root ** (3 if "cube" in kind else 2) == a):
            return None
    else:
        kind = rng.choice(("between squares", "between cubes", "square to cube", "floor"))
        if kind == "floor":
            factor, radicand = rng.randint(3, 15), rng.choice((2, 3, 5, 6, 7, 10, 11, 13, 14, 15, 17, 19))
            a = factor * factor * radicand
            answer = isqrt(a)
            problem = rng.choice(
                (
                    f"What is the greatest integer that is less than ${factor}\\sqrt{{{radicand}}}$?",
                    f"The number ${factor}\\sqrt{{{radicand}}}$ lies between two consecutive integers. What is the "
                    "smaller one?",
                )
            )
        elif kind == "between squares":
            factors = sorted((rng.randint(2, 12), rng.randint(2, 12)))
            roots = rng.choice(((2, 3), (2, 5), (3, 5), (3, 7), (2, 7), (5, 7), (5, 6), (6, 7)))
            a, b = factors[0] ** 2 * roots[0], factors[1] ** 2 * roots[1]
            problem = (
                f"How many integers lie between ${factors[0]}\\sqrt{{{roots[0]}}}$ and "
                f"${factors[1]}\\sqrt{{{roots[1]}}}$?"
            )
            answer = sum(1 for n in range(60) if a < n * n < b)
        elif kind == "between cubes":
            a, b = rng.randint(20, 1000), rng.randint(1500, 20000)
            problem = (
                f"How many positive integers $n$ satisfy $\\sqrt[3]{{{a}}} < n < \\sqrt[3]{{{b}}}$?"
                if rng.random() < 0.5
                else f"The edge of a cubic box is a whole number of centimetres, and its volume is more than {a} "
                f"cm³ but less than {b} cm³. How many lengths are possible for the edge?"
            )
            answer = sum(1 for n in range(60) if a < n**3 < b)
        else:
            a, b = rng.randint(10, 120), rng.randint(3000, 30000)
            problem = f"How many integers $n$ satisfy $\\sqrt{{{a}}} < n < \\sqrt[3]{{{b}}}$?"
            answer = sum(1 for n in range(60) if n * n > a and n**3 < b)
        if answer < 2:
            return None
    return Draw(problem, str(answer), {"kind": kind, "a": a, "b": b})
