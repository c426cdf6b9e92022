"""Problems on games and on sorting by neighbours."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, people


def played_out(kind: str, start: int, moves: list[int], limit: int) -> int:
    """Play every line of the game to its end and count or name the moves and starts that win."""
    from functools import lru_cache

    @lru_cache(None)
    def wins(number: int) -> bool:
        if kind == "take":
            return any(not wins(number - move) for move in moves if move <= number)
        if kind == "poison":
            return any(not wins(number - move) for move in moves if move < number)
        return any(number * move >= limit or not wins(number * move) for move in moves)

    if kind == "multiply":
        return sum(start * move >= limit or not wins(start * move) for move in moves)
    if limit:
        return sum(not wins(number) for number in range(1, limit + 1))
    (best,) = [move for move in moves if move <= start and not wins(start - move)]
    return best


@generator("Mark winning and losing positions from the end", check=played_out)
def marked_positions(rng: Random, difficulty: int) -> Draw | None:
    one, two = people(rng, 2)
    thing = rng.choice(("matches", "pebbles", "beans", "coins"))
    if difficulty == 1:
        most = rng.randint(2, 4)
        moves = list(range(1, most + 1))
        start = rng.randint(most + 2, 20)
        answer = start % (most + 1)
        if answer == 0:
            return None
        how = "1 or 2" if most == 2 else listed([str(move) for move in moves], "or")
        problem = rng.choice(
            (
                f"{one} and {two} take turns removing {how} {thing} from a pile of {start}, {one} first. Whoever "
                f"takes the last one wins. How many {thing} must {one} take in the first turn to be sure of winning?",
                f"From a heap of {start} {thing} two players take {how} in turn. The player who gets the last one "
                "wins. With how many must the first player begin in order to win against any play?",
                f"{start} {thing} lie on a table. {one} and {two} take away {how} of them in turn, and the one who "
                f"cannot move any more, because the table is empty, loses. {one} begins and can force a win. How many "
                f"{thing} does {one} take first?",
            )
        )
        return Draw(problem, str(answer), {"kind": "take", "start": start, "moves": moves, "limit": 0})
    kind = rng.choice(("take", "take", "poison") if difficulty == 2 else ("take", "poison", "multiply"))
    if kind == "multiply":
        moves = rng.choice(([2, 3], [2, 3, 4], [3, 4], [2, 5], [2, 4, 5], [3, 5], [2, 3, 5], [3, 4, 5], [2, 6]))
        limit = rng.randint(30, 3000)
        won: dict[int, bool] = {}

        def wins(number: int) -> bool:
            if number not in won:
                won[number] = any(number * move >= limit or not wins(number * move) for move in moves)
            return won[number]

        good = sum(not wins(move) for move in moves)
        if not wins(1) or (good == len(moves)):
            return None
        how = listed([str(move) for move in moves], "or")
        problem = (
            f"{one} and {two} start with the number 1 and multiply it in turn by {how}, {one} first. The first to "
            f"reach {limit} or more wins. With how many different first factors can {one} force a win?"
        )
        return Draw(problem, str(good), {"kind": kind, "start": 1, "moves": moves, "limit": limit})
    moves = sorted(rng.sample(range(1, 6 if difficulty == 2 else 9), 3 if rng.random() < 0.7 else 2))
    if moves[0] != 1:
        return None
    limit = rng.randint(15, 40) if difficulty == 2 else rng.randint(40, 150)
    loses: list[bool] = []
    for number in range(limit + 1):
        usable = [move for move in moves if move <= number - (kind == "poison")]
        loses.append(all(not loses[number - move] for move in usable))
    answer = sum(loses[1:])
    if answer < 2:
        return None
    how = listed([str(move) for move in moves], "or")
    rule = {
        "take": f"whoever takes the last {thing[:-2] if thing == 'matches' else thing[:-1]} wins",
        "poison": f"whoever has to take the last {thing[:-2] if thing == 'matches' else thing[:-1]} loses",
    }[kind]
    ones = "for how many $n$" if rng.random() < 0.5 else "for how many values of $n$"
    problem = rng.choice(
        (
            f"Two players take turns removing {how} {thing} from a pile of $n$; {rule}. {ones.capitalize()} with $1 "
            f"\\le n \\le {limit}$ can the second player force a win?",
            f"{one} and {two} play with a heap of $n$ {thing}. In turn they take {how} of them, {one} first, and "
            f"{rule}. {ones.capitalize()} from 1 to {limit} can {two} be sure of winning?",
        )
    )
    return Draw(problem, str(answer), {"kind": kind, "start": 0, "moves": moves, "limit": limit})


def all_moves_tried(piles: list[int], ask: str) -> int:
    """Settle every smaller position by its moves, without any exclusive or, and look at the first moves."""
    from itertools import product

    lost: set[tuple[int, ...]] = set()
    for state in sorted(product(*(range(pile + 1) for pile in piles)), key=sum):
        for place, pile in enumerate(state):
            if any((*state[:place], less, *state[place + 1 :]) in lost for less in range(pile)):
                break
        else:
            lost.add(state)
    good = [
        (place, pile - less)
        for place, pile in enumerate(piles)
        for less in range(pile)
        if (*piles[:place], less, *piles[place + 1 :]) in lost
    ]
    if ask == "moves":
        return len(good)
    ((_, taken),) = good
    return taken


@generator("Combine independent piles by exclusive or", check=all_moves_tried)
def nim_piles(rng: Random, difficulty: int) -> Draw | None:
    number = (2, 3, rng.choice((3, 4)))[difficulty - 1]
    highest = (14, 11, 15 if number == 3 else 6)[difficulty - 1]
    piles = [rng.randint(1, highest) for _ in range(number)]
    if len(set(piles)) < number:
        return None
    total = 0
    for pile in piles:
        total ^= pile
    good = [pile - (pile ^ total) for pile in piles if pile ^ total < pile]
    ask = "taken" if len(good) == 1 and (difficulty < 3 or rng.random() < 0.6) else "moves"
    if total == 0 or (difficulty == 1 and ask == "moves") or (ask == "moves" and len(good) == 1 and difficulty == 2):
        return None
    one, two = people(rng, 2)
    count = {2: "two", 3: "three", 4: "four"}[number]
    sizes = listed([str(pile) for pile in piles])
    scene = rng.randint(0, 2)
    thing = rng.choice(("matches", "pebbles", "coins"))
    story = (
        f"{count.capitalize()} piles contain {sizes} {thing}. {one} and {two} take turns, {one} first, removing any "
        "positive number from a single pile, and whoever takes the last of all wins.",
        f"On each of {count} strips of squares stands one counter, namely on squares {sizes}, where the squares of a "
        f"strip are numbered from 0 at its left end. {one} and {two} in turn move one counter any number of squares "
        f"to the left, {one} first. Who cannot move any more loses.",
        f"On a table stand {count} rows of candles with {sizes} burning candles. In turn {one} and {two} blow out any "
        f"number of candles of one row, at least one, and {one} begins. Whoever blows out the last candle wins.",
    )[scene]
    what = (f"{thing} does that move take", "squares does that move go", "candles does that move put out")[scene]
    question = {
        "taken": f"There is exactly one first move with which {one} can force a win. How many {what}?",
        "moves": f"How many different first moves are there with which {one} can force a win?",
    }[ask]
    answer = good[0] if ask == "taken" else len(good)
    return Draw(f"{story} {question}", str(answer), {"piles": piles, "ask": ask})


def bubbled(row: list[int], ask: str) -> int:
    """Bring neighbours into order one exchange at a time and count the exchanges."""
    row = list(row)
    moves = 0
    while True:
        for place in range(len(row) - 1):
            if row[place] > row[place + 1]:
                row[place], row[place + 1] = row[place + 1], row[place]
                moves += 1
                break
        else:
            return moves


@generator("Count inversions for the fewest swaps of neighbours", check=bubbled)
def neighbour_swaps(rng: Random, difficulty: int) -> Draw | None:
    number = (4, rng.randint(5, 6), rng.randint(7, 9))[difficulty - 1]
    row = rng.sample(range(number), number)
    inversions = sum(row[i] > row[j] for i in range(number) for j in range(i + 1, number))
    if inversions < 2:
        return None
    scene = rng.randint(0, 3)
    if scene == 0:
        numbers = sorted(rng.sample(range(1, (20, 60, 100)[difficulty - 1]), number))
        shown = ", ".join(str(numbers[k]) for k in row)
        problem = (
            f"The row ${shown}$ is to be put into increasing order. In a move two neighbouring numbers change places. "
            "What is the least number of moves?"
        )
    elif scene == 1:
        names = sorted(people(rng, number))
        problem = (
            f"In a queue stand, from front to back, {listed([names[k] for k in row])}. They want to stand in "
            "alphabetical order from front to back. Only two people directly behind each other may change places at "
            "a time. How many changes are needed at least?"
        )
    elif scene == 2:
        letters = sorted(rng.sample("ABCDEFGHKLMNPRSTUVWXYZ", number))
        problem = (
            f"Letter tiles lie in a row as {' '.join(letters[k] for k in row)}. By exchanging two adjacent tiles "
            "again and again they are to be brought into alphabetical order. Find the smallest possible number of "
            "exchanges."
        )
    else:
        numbers = sorted(rng.sample(range(1, (20, 60, 100)[difficulty - 1]), number))
        shown = listed([str(numbers[k]) for k in row])
        problem = (
            f"On a siding stand wagons with the numbers {shown}, from left to right. A machine can exchange two "
            "coupled neighbours in one minute. How many minutes does it need at least until the numbers decrease "
            "from left to right?"
        )
        row = [-k for k in row]
        inversions = number * (number - 1) // 2 - inversions
        if inversions < 2:
            return None
    return Draw(problem, str(inversions), {"row": row, "ask": "moves"})
