"""Problems on patterns up to motions and on certainty."""

from collections import Counter
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, person


def patterns_collected(places: int, colours: int, shape: str, counts: list[int]) -> int:
    """Write down every pattern, move it in all ways and keep one of those that can be moved onto each other."""
    from itertools import product

    seen: set[tuple[int, ...]] = set()
    found = 0
    for pattern in product(range(colours), repeat=places):
        if counts and [pattern.count(colour) for colour in range(colours)] != counts:
            continue
        if pattern in seen:
            continue
        found += 1
        waiting = [pattern]
        while waiting:
            p = waiting.pop()
            if p in seen:
                continue
            seen.add(p)
            if shape in ("turned", "bracelet"):
                waiting.append(p[1:] + p[:1])
            if shape in ("strip", "bracelet"):
                waiting.append(p[::-1])
            if shape == "cube":
                up, down, front, back, left, right = p
                waiting.append((up, down, right, left, front, back))
                waiting.append((front, back, down, up, left, right))
            if shape == "board":
                side = {4: 2, 9: 3}[places]
                waiting.append(
                    tuple(p[side * (side - 1 - column) + row] for row in range(side) for column in range(side))
                )
    return found


def _motions(shape: str, places: int) -> list[tuple[int, ...]]:
    """Return all motions, each as the place that every place comes from."""
    row = tuple(range(places))
    turns = [row[i:] + row[:i] for i in range(places)]
    if shape == "turned":
        return turns
    if shape == "bracelet":
        return turns + [turn[::-1] for turn in turns]
    if shape == "strip":
        return [row, row[::-1]]
    if shape == "board":
        side = {4: 2, 9: 3}[places]
        quarter = tuple(side * (side - 1 - column) + line for line in range(side) for column in range(side))
        steps = [quarter]
    else:
        steps = [(0, 1, 5, 4, 2, 3), (2, 3, 1, 0, 4, 5)]
    found = [row]
    for motion in found:
        for step in steps:
            new = tuple(motion[place] for place in step)
            if new not in found:
                found.append(new)
    return found


def _cycles(motion: tuple[int, ...]) -> list[int]:
    lengths, seen = [], set()
    for place in motion:
        length = 0
        while place not in seen:
            seen.add(place)
            place, length = motion[place], length + 1
        if length:
            lengths.append(length)
    return lengths


def _fixed(cycles: list[int], colours: int, counts: list[int]) -> int:
    if not counts:
        return int(colours ** len(cycles))
    ways: Counter[tuple[int, ...]] = Counter({(0,) * colours: 1})
    for length in cycles:
        after: Counter[tuple[int, ...]] = Counter()
        for used, number in ways.items():
            for colour in range(colours):
                after[(*used[:colour], used[colour] + length, *used[colour + 1 :])] += number
        ways = after
    return ways[tuple(counts)]


_COLOURS = ("red", "blue", "green", "yellow", "white", "black", "orange")


@generator("Average the fixed colourings over all motions", check=patterns_collected)
def patterns(rng: Random, difficulty: int) -> Draw | None:
    shape = rng.choice(
        (("strip", "turned"), ("turned", "bracelet", "board"), ("turned", "bracelet", "board", "cube"))[difficulty - 1]
    )
    colours = rng.randint(2, 4 if difficulty < 3 else 3)
    places = rng.randint(*((3, 5), (4, 7), (5, 9))[difficulty - 1])
    if shape == "board":
        places = 4 if difficulty == 2 else 9
        colours = colours if places == 4 else 2
    if shape == "cube":
        places = 6
    if colours**places > 1100:
        return None
    counts: list[int] = []
    if difficulty == 3 and shape != "cube" and rng.random() < 0.5:
        counts = [1] * colours
        for _ in range(places - colours):
            counts[rng.randrange(colours)] += 1
    used = rng.sample(_COLOURS, colours)
    motions = _motions(shape, places)
    total = sum(_fixed(_cycles(motion), colours, counts) for motion in motions)
    answer = total // len(motions)
    if answer < 4:
        return None
    who = person(rng)
    choice = listed(used, "or")
    each = f", each of them {choice}"
    beads = f"{places} beads{each}"
    if counts:
        given = listed([f"{number} {colour}" for number, colour in zip(counts, used, strict=True)])
        each = f": {given}"
        beads = f"{places} beads ({given}; beads of one colour look alike)"
    if shape == "strip":
        text = rng.choice(
            (
                f"{who} makes straight rods of {places} sections{each}. Rods that become equal when one of them is "
                "turned round count as the same. How many kinds of rods are possible?",
                f"{who} threads {beads}, on a straight wire. Wires that look the same after one of them has been "
                "turned round are not told apart. How many different wires are there?",
                f"A row of {places} squares is painted on both sides of a ribbon, every square {choice} right "
                "through. Two ribbons are alike if turning one of them round gives the other. How many different "
                "ribbons are there?",
            )
        )
    elif shape == "turned":
        text = rng.choice(
            (
                f"A round table top is divided into {places} equal sectors",
                f"A carousel has {places} seats in a ring",
                f"A spinning wheel has {places} equal fields",
                f"Around a round cake stand {places} candles at equal distances",
            )
        )
        noun = {"A r": "table tops", "A c": "carousels", "A s": "wheels", "Aro": "cakes"}[text[:3]]
        text += f"{each}. "
        text += (
            f"Two such {noun} count as the same if a rotation turns one into the other (turning over is not "
            f"possible). How many different {noun} are there?"
        )
    elif shape == "bracelet":
        text = rng.choice(
            (
                f"{who} threads {beads} on a closed elastic band to make a bracelet. Bracelets that can be rotated or "
                "turned over so that they look alike are not distinguished. How many different bracelets are there?",
                f"A wire is bent into a ring with {beads}. Two rings are of the same kind if one can be turned or "
                "flipped over so that it looks like the other. How many kinds of rings are possible?",
                f"How many different closed chains can be made of {beads}, if a chain may be rotated and also turned "
                "over?",
            )
        )
    elif shape == "board":
        side = {4: 2, 9: 3}[places]
        fields = f"each of the {places} fields is {choice}"
        if counts:
            verb = "are" if counts[0] > 1 else "is"
            fields = f"of its {places} fields {counts[0]} {verb} {used[0]} and the others are {used[1]}"
        what = rng.choice(("tile", "badge", "game board"))
        text = (
            f"A square {what} is divided into {side} rows of {side} square fields; {fields}. {what.capitalize()}s are "
            "considered equal if they can be turned into each other by rotations in the plane. How many different "
            f"{what}s are possible?"
        )
    else:
        text = rng.choice(
            (
                f"Each face of a wooden cube is painted in one colour: {choice}. Cubes that look alike after one of "
                "them has been turned in space are not distinguished. How many different cubes are there?",
                f"{who} paints each of the six faces of a die without numbers {choice}. In how many really different "
                "ways can this be done, if the die can be turned in any way?",
            )
        )
    return Draw(text, str(answer), {"places": places, "colours": colours, "shape": shape, "counts": counts})


def unluckiest_choice(sizes: list[int], event: str, wanted: int, last: int) -> int:
    """Look for the largest selection that avoids the event by going through all of them (for integers step by step)."""
    from itertools import product

    if sizes:
        avoiding = []
        for taken in product(*(range(size + 1) for size in sizes)):
            happens = {
                "same": max(taken) >= wanted,
                "each": min(taken) >= wanted,
                "kinds": sum(number > 0 for number in taken) >= wanted,
                "two pairs": sum(number > 1 for number in taken) >= 2,
            }[event]
            if not happens:
                avoiding.append(sum(taken))
        return max(avoiding) + 1
    # Remember which of the last few integers were taken, and how many at most in all.
    most: dict[tuple[int, ...], int] = {(): 0}
    for number in range(1, last + 1):
        after: dict[tuple[int, ...], int] = {}
        for taken, size in most.items():
            kept = taken if event == "sum" else tuple(n for n in taken if n > number - wanted)
            after[kept] = max(after.get(kept, 0), size)
            partner = wanted - number if event == "sum" else number - wanted
            if partner not in taken:
                more = (*kept, number) if event != "sum" or number < wanted - number <= last else kept
                after[more] = max(after.get(more, 0), size + 1)
        most = after
    return max(most.values()) + 1


@generator("Fill every class as far as allowed before the next one decides", check=unluckiest_choice)
def certain_numbers(rng: Random, difficulty: int) -> Draw | None:
    event = rng.choice(
        (("same", "kinds"), ("same", "each", "difference", "sum"), ("same", "each", "two pairs", "difference", "sum"))[
            difficulty - 1
        ]
    )
    who = person(rng)
    if event in ("difference", "sum"):
        last = rng.randint(*((10, 20), (12, 40), (30, 60))[difficulty - 1])
        if event == "difference":
            wanted = rng.randint(2, 4 if difficulty == 2 else 7)
            rest = [len(range(first, last + 1, wanted)) for first in range(1, wanted + 1)]
            avoiding = sum((size + 1) // 2 for size in rest)
            told = f"two whose difference is exactly {wanted}"
            shown = f"two whose difference is exactly ${wanted}$"
        else:
            last = min(last, 22)
            wanted = rng.randint(last // 2, 2 * last - 4)
            pairs = sum(number < wanted - number <= last for number in range(1, last + 1))
            if pairs < 3:
                return None
            avoiding = last - pairs
            told, shown = f"two different ones with the sum {wanted}", f"two different ones with the sum ${wanted}$"
        text = rng.choice(
            (
                "Find the smallest number $k$ with the property that among any $k$ different integers from $1$ to "
                f"${last}$ there are {shown}.",
                f"Tickets are numbered from 1 to {last}. How many tickets must be drawn without looking to be certain "
                "that "
                f"among them there are {told}?".replace("two different ones", "two"),
                f"{who} picks different numbers from the set $\\{{1, 2, \\dots, {last}\\}}$. What is the smallest "
                f"number of picks after which there are surely, among the chosen numbers, {shown}?",
            )
        )
        return Draw(text, str(avoiding + 1), {"sizes": [], "event": event, "wanted": wanted, "last": last})
    kinds = rng.randint(*((2, 4), (3, 4), (4, 4))[difficulty - 1])
    sizes = [rng.randint(2, (8, 9, 9)[difficulty - 1]) for _ in range(kinds)]
    colours = rng.sample(_COLOURS, kinds)
    held = listed([f"{size} {colour}" for size, colour in zip(sizes, colours, strict=True)])
    if event == "same":
        wanted = rng.randint(2, max(sizes))
        if difficulty == 3 and sum(size < wanted for size in sizes) < 1:
            return None
        avoiding = sum(min(size, wanted - 1) for size in sizes)
        goal = f"{wanted} of the same colour" if wanted > 2 else "two of the same colour"
        goal = f"at least {goal}"
    elif event == "each":
        wanted = rng.randint(1, min(2 if difficulty == 2 else 3, *sizes))
        avoiding = sum(sizes) - min(sizes) + wanted - 1
        goal = f"at least {('one', 'two', 'three')[wanted - 1]} of every colour"
    elif event == "kinds":
        wanted = rng.randint(2, kinds)
        avoiding = sum(sorted(sizes)[kinds - wanted + 1 :])
        goal = (
            "balls of at least two different colours"
            if wanted == 2
            else f"balls of at least {wanted} different colours"
        )
        goal = goal.replace("balls", "{things}")
    else:
        wanted = 2
        avoiding = max(size + kinds - 1 for size in sizes)
        goal = "two pairs of different colours, each pair being of one colour"
    things, box = rng.choice(
        (("balls", "box"), ("socks", "drawer"), ("buttons", "jar"), ("sweets", "bag"), ("gloves", "basket"))
    )
    if things == "gloves":
        things, box = "marbles", "bag"
    goal = goal.replace("{things}", things)
    text = rng.choice(
        (
            f"A {box} contains {held} {things}. What is the smallest number of {things} that must be taken out "
            f"without looking to be certain of having {goal}?",
            f"In the dark, {who} takes {things} out of a {box} with {held} ones. How many {things} must {who} take to "
            f"be sure of having {goal}?",
            f"From a {box} with {sum(sizes)} {things} ({held}) some are drawn blindly. How many must be drawn so that "
            f"they certainly include {goal}?",
        )
    )
    return Draw(text, str(avoiding + 1), {"sizes": sizes, "event": event, "wanted": wanted, "last": 0})
