"""Problems on fewest operations and on liars."""

from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def levels_upwards(start: int, goal: int, factor: int, summand: int) -> int:
    """Go forwards from the start, level by level, through all numbers up to the goal."""
    level, seen, steps = {start}, {start}, 0
    while goal not in level:
        level = {new for number in level for new in (number * factor, number + summand) if new <= goal} - seen
        seen |= level
        steps += 1
    return steps


@generator("Undo operations from the target number", check=levels_upwards)
def fewest_operations(rng: Random, difficulty: int) -> Draw | None:
    factor = 2 if difficulty == 1 else rng.randint(2, 4)
    summand = rng.randint(1, (3, 7, 11)[difficulty - 1])
    start = rng.randint(1, (3, 4, 6)[difficulty - 1])
    goal = rng.randint(*((10, 40), (60, 400), (400, 4000))[difficulty - 1])
    fewest = {goal: 0}
    line = [goal]
    for number in line:
        before = [number - summand] + ([number // factor] if number % factor == 0 else [])
        for new in before:
            if new >= start and new not in fewest:
                fewest[new] = fewest[number] + 1
                line.append(new)
    answer = fewest.get(start, 0)
    if answer < (3, 5, 6)[difficulty - 1] or answer > (8, 12, 18)[difficulty - 1]:
        return None
    name = person(rng)
    multiply = {2: "doubles", 3: "triples", 4: "quadruples"}[factor]
    scene = rng.randint(0, 3)
    gems = "gem" if summand == 1 else "gems"
    problem = (
        f"A calculator shows ${start}$. One key multiplies the number shown by ${factor}$, another adds ${summand}$ "
        f"to it. What is the least number of key presses after which it shows ${goal}$?",
        f"A wizard has {start} {'gem' if start == 1 else 'gems'}. One spell {multiply} the number of gems, another "
        f"brings {summand} more {gems}. How many spells does it take at least to have exactly {goal} gems?",
        f"{name} starts with the number {start} and, in every step, either multiplies by {factor} or adds {summand}. "
        f"What is the smallest number of steps in which {name} can reach {goal}?",
        f"In a computer game a score of {start} {'point' if start == 1 else 'points'} is shown at the beginning. Each "
        f"bonus either {multiply} the score or raises it by {summand}. How many bonuses are needed at least for a "
        f"score of exactly {goal}?",
    )[scene]
    return Draw(problem, str(answer), {"start": start, "goal": goal, "factor": factor, "summand": summand})


def worlds_tried(number: int, rule: str, step: int, shift: int, asked: str) -> int:
    """Try which set of persons could be the liars: for each number of them, take those whose words are then false."""
    found = []
    for liars in range(number + 1):
        said = []
        for k in range(1, number + 1):
            bound = step * k + shift
            truth = number - liars
            said.append(
                {
                    "liars at least": liars >= bound,
                    "liars at most": liars <= bound,
                    "knights at most": truth <= bound,
                    "knights at least": truth >= bound,
                    "differs at most": abs(liars - k) <= step,
                    "differs at least": abs(liars - k) >= step,
                }[rule]
            )
        if said.count(False) == liars:
            found.append(liars)
    (only,) = found
    return only if asked == "liars" else number - only


@generator("Fix the number of liars and test the statements about numbers", check=worlds_tried)
def number_of_liars(rng: Random, difficulty: int) -> Draw | None:
    number = rng.randint(*((4, 12), (8, 30), (20, 100))[difficulty - 1])
    rule = rng.choice(
        (
            ("liars at least", "liars at most", "knights at most", "knights at least"),
            ("liars at least", "liars at most", "knights at most", "knights at least"),
            ("liars at least", "differs at most", "differs at least", "knights at least", "knights at most"),
        )[difficulty - 1]
    )
    step, shift = (1, 0) if difficulty == 1 else (rng.randint(1, 3), rng.randint(-2, 3))
    if difficulty == 1 and rng.random() < 0.5:
        shift = rng.choice((-1, 1))
    if "differs" in rule:
        step, shift = rng.randint(2, 9), 0

    def false_ones(liars: int) -> int:
        """Count the false statements by solving the inequality for k."""
        count = 0
        for k in range(1, number + 1):
            bound = step * k + shift
            if rule == "liars at least":
                count += bound > liars
            elif rule == "liars at most":
                count += bound < liars
            elif rule == "knights at most":
                count += number - liars > bound
            elif rule == "knights at least":
                count += number - liars < bound
            elif rule == "differs at most":
                count += not liars - step <= k <= liars + step
            else:
                count += liars - step < k < liars + step
        return count

    possible = [liars for liars in range(number + 1) if false_ones(liars) == liars]
    if len(possible) != 1 or possible[0] in (0, number):
        return None
    liars = possible[0]
    asked = rng.choice(("liars", "knights"))
    term = ("" if step == 1 else str(step)) + "k"
    if shift:
        term += f" {'+' if shift > 0 else '-'} {abs(shift)}"
    scene = rng.randint(0, 2)
    false = ("liars among us", "false sentences on this list", "knaves on this island")[scene]
    true = ("honest people among us", "true sentences on this list", "knights on this island")[scene]
    statement = {
        "liars at least": f"There are at least ${term}$ {false}.",
        "liars at most": f"There are at most ${term}$ {false}.",
        "knights at most": f"There are at most ${term}$ {true}.",
        "knights at least": f"There are at least ${term}$ {true}.",
        "differs at most": f"The number of {false} differs from $k$ by at most {step}.",
        "differs at least": f"The number of {false} differs from $k$ by at least {step}.",
    }[rule]
    story = (
        f"{number} people sit in a room. Each of them either always lies or always tells the truth. For $k = 1, 2, "
        "\\ldots, "
        f'{number}$ the $k$th person says: "{statement}"',
        f"On a list stand {number} sentences, each of which is true or false. For $k = 1, 2, \\ldots, {number}$ the "
        "$k$th sentence "
        f'reads: "{statement}"',
        f"An island has {number} inhabitants, knights, who always tell the truth, and knaves, who always lie. They "
        "are numbered, "
        f'and for $k = 1, 2, \\ldots, {number}$ inhabitant $k$ says: "{statement}"',
    )[scene]
    question = (
        ("How many liars are in the room?", "How many honest people are in the room?"),
        ("How many of the sentences are false?", "How many of the sentences are true?"),
        ("How many knaves live on the island?", "How many knights live on the island?"),
    )[scene][asked == "knights"]
    answer = liars if asked == "liars" else number - liars
    values = {"number": number, "rule": rule, "step": step, "shift": shift, "asked": asked}
    return Draw(f"{story} {question}", str(answer), values)
