"""Problems on invariants and on exchanges of any two objects."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, people, person


def played_at_random(numbers: list[int], rule: str, constant: int, limit: int) -> int:
    """Carry out the moves in three different orders, which must all lead to the same end."""

    def joined(a: int, b: int) -> int:
        return {"sum": a + b + constant, "product": a * b + a + b, "minus product": a + b - a * b}[rule]

    if rule == "tear":
        count = numbers[0]
        while count < limit:
            count += numbers[1]
        return count
    ends = set()
    for order in (sorted(numbers), sorted(numbers, reverse=True), sorted(numbers, key=lambda n: n * n % 7)):
        board = list(order)
        while len(board) > 1:
            board.append(joined(board.pop(0), board.pop(len(board) // 2)))
        ends.add(board[0])
    (only,) = ends
    return only


@generator("Find a quantity that no move changes", check=played_at_random)
def unchanged_quantity(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    if difficulty < 3 and rng.random() < 0.35:
        pieces = rng.randint(3, 9)
        scene = rng.randint(0, 2)
        low = rng.randint(20, 100 if difficulty == 1 else 2500)
        first = 1 if scene == 0 else rng.randint(1, 9)
        step = pieces - 1
        end = low + (first - low) % step
        if (end - first) % step or end == low:
            return None
        high = low + step - 1 if difficulty == 2 else end + 1
        if end > high:
            return None
        between = f"at least {low} but at most {high}" if low < high else f"exactly {low}"
        problem = (
            f"{name} cuts a sheet of paper into {pieces} pieces, then one of these pieces again into {pieces}, and "
            f"goes on like this. In the end there are {between} pieces. How many pieces are there?",
            f"In a dish there are {first} {'cell' if first == 1 else 'cells'}. Now and then one cell splits into "
            f"{pieces} cells. Later there are {between} cells in the dish. How many are there?",
            f"On a table {'lies' if first == 1 else 'lie'} {first} paper {'slip' if first == 1 else 'slips'}. In a "
            f"move {name} cuts one slip into {pieces} smaller ones. At last there are {between} slips. What is their "
            "number?",
        )[scene]
        return Draw(problem, str(end), {"numbers": [first, step], "rule": "tear", "constant": 0, "limit": low})
    rule = "sum" if difficulty < 3 else rng.choice(("product", "minus product", "sum"))
    if difficulty == 1:
        numbers = sorted(rng.sample(range(1, 13), rng.randint(3, 5)))
    elif rule == "sum":
        size = rng.randint(8, 40) if difficulty == 2 else rng.randint(50, 120)
        start = rng.choice((1, 1, 1, 2, 5, 10))
        step = rng.choice((1, 1, 2, 3))
        numbers = [start + step * k for k in range(size)]
    elif rule == "product":
        numbers = sorted(rng.sample(range(1, 8), rng.randint(4, 5)))
    else:
        numbers = sorted(rng.sample(range(2, 10), rng.randint(4, 6)))
    constant = rng.choice((-3, -2, -1, 1, 2, 3)) if rule == "sum" else 0
    if rule == "sum":
        answer = sum(numbers) + constant * (len(numbers) - 1)
        new = f"a + b {'+' if constant > 0 else '-'} {abs(constant)}"
    elif rule == "product":
        answer = 1
        for number in numbers:
            answer *= number + 1
        answer -= 1
        new = rng.choice(("ab + a + b", "a + b + ab"))
    else:
        answer = 1
        for number in numbers:
            answer *= 1 - number
        answer = 1 - answer
        new = "a + b - ab"
    if difficulty == 1 or rule != "sum":
        shown = f"the numbers {listed([str(number) for number in numbers])}"
    else:
        shown = f"the numbers ${numbers[0]}, {numbers[1]}, {numbers[2]}, \\ldots, {numbers[-1]}$"
    one = people(rng, 1)[0]
    problem = rng.choice(
        (
            f"On a board stand {shown}. In a move two of the numbers, $a$ and $b$, are erased and ${new}$ is written "
            "instead. This is done until a single number is left. Which number is it?",
            f"{one} has cards with {shown}. Again and again {one} takes two cards, with numbers $a$ and $b$, away and "
            f"adds a new card with the number ${new}$, until only one card remains. What number is on it?",
            f"A list consists of {shown}. A program picks any two entries $a$ and $b$, deletes them and appends "
            f"${new}$, and it stops when the list has one entry. What is this entry?",
        )
    )
    return Draw(problem, str(answer), {"numbers": numbers, "rule": rule, "constant": constant, "limit": 0})


def brought_home(row: list[int]) -> int:
    """Search all arrangements level by level (short rows), or bring one object home after another."""
    goal = tuple(sorted(row))
    if len(row) <= 6:
        level, seen, moves = {tuple(row)}, {tuple(row)}, 0
        while goal not in level:
            after = set()
            for state in level:
                for i in range(len(state)):
                    for j in range(i):
                        new = list(state)
                        new[i], new[j] = new[j], new[i]
                        after.add(tuple(new))
            level, seen, moves = after - seen, seen | after, moves + 1
        return moves
    line, moves = list(row), 0
    for place, wanted in enumerate(goal):
        if line[place] != wanted:
            other = line.index(wanted)
            line[place], line[other] = line[other], line[place]
            moves += 1
    return moves


@generator("Count cycles for the fewest exchanges of any two objects", check=brought_home)
def fewest_exchanges(rng: Random, difficulty: int) -> Draw | None:
    number = (4, rng.randint(5, 6), rng.randint(8, 10))[difficulty - 1]
    row = rng.sample(range(number), number)
    seen: set[int] = set()
    cycles = 0
    for start in range(number):
        if start not in seen:
            cycles += 1
            place = start
            while place not in seen:
                seen.add(place)
                place = row[place]
    answer = number - cycles
    if answer < 2 or (difficulty > 1 and cycles == 1 and rng.random() < 0.6):
        return None
    scene = rng.randint(0, 3)
    if scene == 0:
        numbers = list(range(1, number + 1)) if difficulty == 1 else sorted(rng.sample(range(1, 100), number))
        shown = ", ".join(str(numbers[k]) for k in row)
        problem = (
            f"The numbers ${shown}$ stand in a row. In a move any two of the numbers may change places. What is the "
            "least number of moves that puts them in increasing order?"
        )
    elif scene == 1:
        names = sorted(people(rng, number))
        sitting = listed([f"on {names[k]}'s seat sits {names[row[k]]}" for k in range(number) if row[k] != k])
        right = [names[k] for k in range(number) if row[k] == k]
        rest = ""
        if right:
            rest = (
                f" {listed(right)} {'sits' if len(right) == 1 else 'sit'} on the right "
                f"{'seat' if len(right) == 1 else 'seats'}."
            )
        problem = (
            f"At a table with name cards guests have taken wrong seats: {sitting}.{rest} Again and again two guests "
            "change seats with each other. How many such changes are needed at least until everybody sits on the "
            "right seat?"
        )
    elif scene == 2:
        letters = "".join(sorted(rng.sample("ABCDEFGHKLMNPRSTUVWXYZ", number)))
        problem = (
            f"Books marked {' '.join(letters[k] for k in row)} stand on a shelf in this order. A librarian may "
            "exchange any two books at a time and wants them in alphabetical order. What is the smallest number of "
            "exchanges?"
        )
    else:
        told = listed([f"in box {k + 1} is ball {row[k] + 1}" for k in range(number)])
        problem = (
            f"{number} boxes and {number} balls are numbered from 1 to {number}. There is one ball in each box: "
            f"{told}. In a step the balls of two boxes are exchanged. How many steps does it take at least until each "
            "ball is in the box with its number?"
        )
    return Draw(problem, str(answer), {"row": row})
