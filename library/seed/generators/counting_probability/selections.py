"""Problems on choosing people, numbers and lines."""

from itertools import combinations_with_replacement, product
from math import comb, prod
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def every_choice_of_people(sizes: list[int], chosen: int, limits: list[list[int]], roles: int) -> int:
    """List the choices of people one by one, then name the people for the roles one after another."""
    from itertools import combinations

    crowd = [group for group, size in enumerate(sizes) for _ in range(size)]
    found = sum(
        all(low <= team.count(group) <= high for group, (low, high) in enumerate(limits))
        for team in combinations(crowd, chosen)
    )
    for place in range(roles):
        found *= chosen - place
    return found


_WORDS = ("no", "one", "two", "three", "four", "five", "six")


@generator("Choose from each group and multiply the combinations", check=every_choice_of_people)
def choices_from_groups(rng: Random, difficulty: int) -> Draw | None:
    number = 2 if difficulty == 1 else rng.choice((2, 3)) if difficulty == 2 else 3
    sizes = [rng.randint(*((3, 6), (3, 7), (3, 6))[difficulty - 1]) for _ in range(number)]
    chosen = rng.randint(*((2, 4), (3, 5), (4, 5))[difficulty - 1])
    if sum(sizes) > 16 or chosen < number:
        return None
    place, kinds = rng.choice(
        (
            ("school council", ("teachers", "parents", "students")),
            ("band", ("singers", "guitarists", "drummers")),
            ("team", ("attackers", "defenders", "goalkeepers")),
            ("jury", ("actors", "critics", "viewers")),
            ("picnic basket", ("apples", "pears", "plums")),
            ("reading list", ("novels", "plays", "biographies")),
        )
    )
    names = kinds[:number]
    people = place not in ("picnic basket", "reading list")
    limits = [[0, chosen] for _ in sizes]
    conditions: list[str] = []
    kind = "exact" if difficulty == 1 else rng.choice(("exact", "mixed")) if difficulty == 2 else "mixed"
    if kind == "exact":
        parts = [1] * number
        for _ in range(chosen - number):
            parts[rng.randrange(number)] += 1
        limits = [[part, part] for part in parts]
        conditions = [_amount("exactly", part, name) for part, name in zip(parts, names, strict=True)]
    else:
        order = rng.sample(range(number), 1 if number == 2 else 2)
        for group, how in zip(order, rng.sample(("exactly", "at least", "at most"), len(order)), strict=True):
            amount = rng.randint(1, min(chosen, sizes[group]) - 1)
            limits[group] = {
                "exactly": [amount, amount],
                "at least": [amount, chosen],
                "at most": [0, amount],
            }[how]
            conditions.append(_amount(how, amount, names[group]))
    roles = (
        rng.choice((0, 1, 2))
        if people and difficulty == 3
        else rng.choice((0, 0, 1))
        if people and difficulty == 2
        else 0
    )
    answer = sum(
        prod(comb(size, take) for size, take in zip(sizes, takes, strict=True))
        for takes in product(*(range(low, high + 1) for low, high in limits))
        if sum(takes) == chosen
    )
    for step in range(roles):
        answer *= chosen - step
    if answer < 5 or answer == comb(sum(sizes), chosen) or answer > 60000:
        return None
    if kind == "mixed":
        free = answer
        for step in range(roles):
            free //= chosen - step
        if free in (comb(sum(sizes), chosen), 0):
            return None
    crowd = listed([f"{size} {name}" for size, name in zip(sizes, names, strict=True)])
    if not people:
        crowd = listed([f"{size} different {name}" for size, name in zip(sizes, names, strict=True)])
    verb = "consist of" if kind == "exact" else "contain"
    role = {
        0: "",
        1: " One of those chosen is also made the leader.",
        2: " One of those chosen is made the leader and another one the deputy.",
    }[roles]
    things = "members" if people else {"picnic basket": "fruits", "reading list": "books"}[place]
    text = rng.choice(
        (
            f"A {place} of {chosen} {things} is to be put together from {crowd}. It must {verb} "
            f"{listed(conditions)}.{role} In how many ways can this be done?",
            f"From {crowd}, {person(rng)} chooses {chosen} {'people' if people else things} for a {place}, "
            f"{_having(conditions)}.{role} How many different {'results' if roles else 'choices'} are possible?",
        )
    )
    return Draw(text, str(answer), {"sizes": sizes, "chosen": chosen, "limits": limits, "roles": roles})


def _having(conditions: list[str]) -> str:
    return f"among them {listed(conditions)}"


def _amount(how: str, number: int, name: str) -> str:
    return f"{how} {_WORDS[number]} {name if number > 1 else _single(name)}"


def _single(name: str) -> str:
    return {"biographies": "biography"}.get(name, name.removesuffix("s"))


def tried_one_by_one(low: int, high: int, chosen: int, power: int, modulus: int, remainder: int, ordered: bool) -> int:
    """Go through all choices of the numbers and divide each total."""
    from itertools import combinations, product

    numbers = range(low, high + 1)
    choices = product(numbers, repeat=chosen) if ordered else combinations(numbers, chosen)
    return sum(sum(number**power for number in choice) % modulus == remainder for choice in choices)


@generator("Sort the numbers into remainder classes before choosing", check=tried_one_by_one)
def remainder_classes(rng: Random, difficulty: int) -> Draw | None:
    chosen = 2 if difficulty == 1 else rng.choice((2, 2, 3)) if difficulty == 2 else 3
    power = 1 if difficulty == 1 or chosen == 3 else rng.choice((1, 2))
    if difficulty == 3:
        chosen, power = rng.choice(((3, 1), (2, 2), (3, 2)))
    low = 1 if difficulty < 3 else rng.choice((1, 1, 10, 21))
    count = rng.randint(*((6, 20), (12, 40), (20, 40))[difficulty - 1])
    if chosen == 3:
        count = min(count, 20 + 2 * difficulty)
    high = low + count - 1
    modulus = rng.choice(((2, 3, 4), (3, 4, 5), (3, 4, 5, 6, 7))[difficulty - 1])
    remainder = 0 if difficulty < 3 else rng.choice((0, 0, 1, 2))
    ordered = difficulty > 1 and chosen == 2 and rng.random() < 0.25
    classes = [0] * modulus
    for number in range(low, high + 1):
        classes[number**power % modulus] += 1
    answer = 0
    if ordered:
        answer = sum(classes[r] * classes[(remainder - r) % modulus] for r in range(modulus))
    else:
        for kinds in combinations_with_replacement(range(modulus), chosen):
            if sum(kinds) % modulus == remainder:
                answer += prod(comb(classes[kind], kinds.count(kind)) for kind in set(kinds))
    if answer < 4:
        return None
    total = {1: "sum", 2: "sum of the squares"}[power]
    size = {2: "two", 3: "three"}[chosen]
    goal = f"is a multiple of ${modulus}$"
    if remainder:
        goal = f"leaves the remainder ${remainder}$ on division by ${modulus}$"
    if ordered:
        expression = "a + b" if power == 1 else "a^2 + b^2"
        text = rng.choice(
            (
                f"How many ordered pairs $(a, b)$ of integers from ${low}$ to ${high}$, in which $a = b$ is allowed, "
                f"have the property that ${expression}$ {goal}?",
                f"A ball is drawn from an urn with balls numbered {low} to {high}, put back, and a ball is drawn "
                f"again. In how many of the possible ordered results is it true that the {total} of the two numbers "
                f"{goal}?",
            )
        )
    else:
        text = rng.choice(
            (
                f"In how many ways can {size} different integers from ${low}$ to ${high}$ be chosen, regardless of "
                f"order, so that the {total} of the chosen numbers {goal}?",
                f"How many subsets with exactly {size} elements does the set $\\{{{low}, {low + 1}, \\dots, "
                f"{high}\\}}$ have for which the {total} of the elements {goal}?",
                f"Cards are numbered from {low} to {high}, and {size} of them are picked at once. For how many of the "
                f"possible picks is it true that the {total} of the numbers {goal}?",
            )
        )
    values = {
        "low": low,
        "high": high,
        "chosen": chosen,
        "power": power,
        "modulus": modulus,
        "remainder": remainder,
        "ordered": ordered,
    }
    return Draw(text, str(answer), values)


def corners_listed(columns: int, rows: int, rule: str, given: list[int]) -> int:
    """List every rectangle by its columns and rows and test it cell by cell."""
    found = 0
    for left in range(1, columns + 1):
        for right in range(left, columns + 1):
            for top in range(1, rows + 1):
                for bottom in range(top, rows + 1):
                    width, height = right - left + 1, bottom - top + 1
                    cell = [left <= given[0] <= right, top <= given[1] <= bottom] if len(given) > 1 else []
                    found += {
                        "all": True,
                        "contains": len(cell) > 0 and all(cell),
                        "avoids": len(cell) > 0 and not all(cell),
                        "squares": width == height,
                        "not squares": width != height,
                        "wide": len(given) == 1 and width >= given[0],
                        "line": len(given) == 1 and given[0] in (left - 1, right),
                        "even": width * height % 2 == 0,
                    }[rule]
    return found


@generator("Count rectangles by choosing their boundary lines", check=corners_listed)
def rectangles(rng: Random, difficulty: int) -> Draw | None:
    columns, rows = (
        rng.randint(*((2, 5), (3, 7), (4, 8))[difficulty - 1]),
        rng.randint(*((2, 4), (3, 6), (4, 7))[difficulty - 1]),
    )
    if columns == rows and rng.random() < 0.5:
        return None
    rule = rng.choice(
        (
            ("all", "all", "line"),
            ("contains", "line", "wide", "all"),
            ("contains", "avoids", "not squares", "even", "line"),
        )[difficulty - 1]
    )
    every = comb(columns + 1, 2) * comb(rows + 1, 2)
    given: list[int] = []
    scene = (
        rng.choice(("grid", "paper", "streets", "window"))
        if rule in ("all", "line")
        else rng.choice(("grid", "paper", "window"))
    )
    who = person(rng)
    if rule in ("contains", "avoids"):
        given = [rng.randint(1, columns), rng.randint(1, rows)]
        inside = given[0] * (columns + 1 - given[0]) * given[1] * (rows + 1 - given[1])
        answer = inside if rule == "contains" else every - inside
    elif rule == "line":
        given = [rng.randint(1, columns - 1)] if scene != "streets" or rng.random() < 0.7 else [0]
        answer = columns * comb(rows + 1, 2)
    elif rule == "wide":
        given = [rng.randint(2, columns - 1)]
        answer = comb(columns + 2 - given[0], 2) * comb(rows + 1, 2)
    elif rule == "not squares":
        answer = every - sum((columns - side) * (rows - side) for side in range(min(columns, rows)))
    elif rule == "even":
        odd = ((columns + 2) // 2) * ((columns + 1) // 2)
        answer = every - odd * ((rows + 2) // 2) * ((rows + 1) // 2)
    else:
        answer = every
    cell = {
        "grid": f"A rectangular grid has {columns} columns and {rows} rows of unit squares. ",
        "paper": f"{who} draws a rectangle that is {columns} boxes wide and {rows} boxes high on squared paper. ",
        "window": f"A window consists of {columns * rows} equal square panes in {rows} rows of {columns} panes each. ",
        "streets": f"In a town, {columns + 1} streets run north to south and {rows + 1} avenues run east to west. ",
    }[scene]
    unit = {"grid": "unit squares", "paper": "boxes", "window": "panes", "streets": "blocks"}[scene]
    one = {"grid": "unit square", "paper": "box", "window": "pane", "streets": "block"}[scene]
    if scene == "streets":
        sides = "with sides on two streets and two avenues"
        middle = f"{who} plans a ride once around a rectangle {sides}. How many rectangles are possible?"
        if rule == "line":
            middle = (
                f"One of the streets is called {who} Street. How many rectangles {sides} have a side on {who} Street?"
            )
    elif rule == "all":
        middle = f"How many rectangles of any size, squares included, are made up of whole {unit}?"
    elif rule in ("contains", "avoids"):
        middle = (
            f"The {one} in column {given[0]} from the left and row {given[1]} from the top is coloured. How many "
            f"rectangles made of whole {unit}, squares included, "
            f"{'contain' if rule == 'contains' else 'do not contain'} the coloured {one}?"
        )
    elif rule == "line":
        middle = (
            f"The line between column {given[0]} and column {given[0] + 1} is drawn in red, from the top to the "
            f"bottom. How many rectangles made of whole {unit}, squares included, have a side on the red line?"
        )
    elif rule == "wide":
        middle = f"How many rectangles made of whole {unit}, squares included, are at least {given[0]} {unit} wide?"
    elif rule == "not squares":
        middle = f"How many rectangles made of whole {unit} are not squares?"
    else:
        middle = f"How many rectangles made of whole {unit}, squares included, contain an even number of {unit}?"
    return Draw(cell + middle, str(answer), {"columns": columns, "rows": rows, "rule": rule, "given": given})


def subsets_gone_through(n: int, sizes: list[int], inside: int, outside: int, pairs: int) -> int:
    """Go through all subsets as rows of bits; the first objects must be in, the next out, then come split pairs."""
    found = 0
    for bits in range(2**n):
        row = [bits >> place & 1 for place in range(n)]
        rest = row[inside + outside :]
        kept = all(row[:inside]) and not any(row[inside : inside + outside])
        kept = kept and all(rest[2 * k] + rest[2 * k + 1] < 2 for k in range(pairs))
        found += kept and sum(row) in sizes
    return found


@generator("Count unordered choices by dividing the ordered ones by k!", check=subsets_gone_through)
def plain_selections(rng: Random, difficulty: int) -> Draw | None:
    n = rng.randint(*((6, 12), (7, 12), (8, 13))[difficulty - 1])
    k = rng.randint(2, n - 2)
    kind = "plain" if difficulty == 1 else rng.choice(("fixed", "sizes") if difficulty == 2 else ("both", "pair"))
    inside = rng.randint(0, 2) if kind in ("fixed", "both") else 0
    outside = rng.randint(int(inside == 0), 2) if kind in ("fixed", "both") else 0
    pairs = int(kind == "pair")
    sizes = [k, k + 1] if kind in ("sizes", "both") else [k]
    if k - inside < 1 or sizes[-1] > n - outside - 1:
        return None
    answer = sum(comb(n - inside - outside, size - inside) for size in sizes)
    answer -= pairs * comb(n - 2, k - 2)
    if answer < 6:
        return None
    things, place, verb, one = rng.choice(
        (
            ("books", "for a holiday, from a shelf with", "takes along", "book"),
            ("toppings", "for a pizza, from a list of", "orders", "topping"),
            ("players", "for a friendly match, out of a squad of", "lines up", "player"),
            ("songs", "for a party, out of a collection of", "picks", "song"),
            ("plants", "for a window box, at a stall with", "buys", "plant"),
            ("questions", "for a quiz, out of a file of", "uses", "question"),
        )
    )
    name = person(rng)
    number = " or ".join(map(str, sizes))
    limits = []
    if inside:
        limits.append(f"{_WORDS[inside]} certain {one if inside == 1 else things} must be among them")
    if outside:
        limits.append(f"{_WORDS[outside]} certain {one if outside == 1 else things} must not be")
    if pairs:
        limits.append(f"two certain {things} do not go together, so at most one of the two may be among them")
    told = f" {listed(limits).capitalize()}." if limits else ""
    told = told.replace("must not be.", "must not be chosen.")
    forms = [
        f"{name} {verb} {number} {things} {place} {n} different ones.{told} How many different selections are "
        f"possible?",
        f"From {n} different {things}, {number} are to be chosen, and their order does not matter.{told} In how many "
        "ways can this be done?",
    ]
    if kind == "plain":
        forms += [
            f"How many subsets with exactly ${k}$ elements does a set of ${n}$ elements have?",
            f"A lottery draws {k} of the numbers 1 to {n}, and a ticket names {k} of them. How many different "
            f"tickets can "
            "be filled in?",
        ]
    elif not pairs:
        parts = [f"have {number} elements"]
        if inside:
            parts.append(f"contain {listed([str(x + 1) for x in range(inside)])}")
        if outside:
            parts.append(f"do not contain {listed([str(n - x) for x in range(outside)], 'or')}")
        forms.append(f"How many subsets of $\\{{1, 2, \\ldots, {n}\\}}$ {listed(parts)}?")
    values = {"n": n, "sizes": sizes, "inside": inside, "outside": outside, "pairs": pairs}
    return Draw(rng.choice(forms), str(answer), values)
