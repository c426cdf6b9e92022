"""Problems on repeated independent trials."""

from fractions import Fraction
from math import comb
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import listed, people, person

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def _tex(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"\\frac{{{value.numerator}}}{{{value.denominator}}}"


def every_row_of_results(chance: list[int], trials: int, wanted: list[int], start: list[int]) -> object:
    """Write down every row of successes and failures, and add the chances of those that fit."""
    from fractions import Fraction
    from itertools import product

    success = Fraction(chance[0], chance[1])
    total = Fraction(0)
    for row in product((1, 0), repeat=trials):
        if sum(row) in wanted and list(row[: len(start)]) == start:
            share = Fraction(1)
            for result in row:
                share *= success if result else 1 - success
            total += share
    return total


@generator("Count the places of the successes in repeated trials", check=every_row_of_results)
def numbers_of_successes(rng: Random, difficulty: int) -> Draw | None:
    trials = rng.randint(*((2, 4), (4, 6), (5, 7))[difficulty - 1])
    who = person(rng)
    number = _WORDS[trials]
    once, chance, hit, hits = rng.choice(
        (
            (f"A fair coin is tossed {trials} times", Fraction(1, 2), "toss shows heads", "tosses show heads"),
            (f"A fair die is rolled {trials} times", Fraction(1, 6), "roll shows a 6", "rolls show a 6"),
            (
                f"{number.capitalize()} fair dice are thrown at once",
                Fraction(1, 3),
                "die shows more than 4",
                "dice show more than 4",
            ),
            (
                f"{number.capitalize()} fair dice are thrown at once",
                Fraction(2, 3),
                "die shows at most 4",
                "dice show at most 4",
            ),
            (
                f"A test has {trials} questions with four possible answers each, exactly one of which is right, and "
                f"{who} guesses all the answers at random",
                Fraction(1, 4),
                "answer is right",
                "answers are right",
            ),
            (
                "A seed of a certain plant sprouts with probability $\\frac34$, independently of other seeds, and "
                f"{trials} seeds are sown",
                Fraction(3, 4),
                "seed sprouts",
                "seeds sprout",
            ),
            (
                f"{who} hits the basket with probability $\\frac35$ at every throw, independently, and throws "
                f"{trials} times",
                Fraction(3, 5),
                "throw hits",
                "throws hit",
            ),
            (
                f"On each of the next {trials} days it rains with probability $\\frac25$, independently of the other "
                "days",
                Fraction(2, 5),
                "day is rainy",
                "days are rainy",
            ),
            (
                f"A spinner has five equal sectors, one of them red, and is spun {trials} times",
                Fraction(1, 5),
                "spin stops at red",
                "spins stop at red",
            ),
        )
    )
    least = rng.randint(0, trials)
    kind = rng.choice(
        (("exactly",), ("exactly", "at least", "at most"), ("exactly", "at least", "at most", "more", "first"))[
            difficulty - 1
        ]
    )
    start: list[int] = []
    wanted = [least]
    if kind == "at least":
        wanted = list(range(least, trials + 1))
    elif kind == "at most":
        wanted = list(range(least + 1))
    elif kind == "more":
        wanted = [k for k in range(trials + 1) if 2 * k > trials]
    elif kind == "first":
        start = [rng.randint(0, 1)]
    if kind in ("at least", "at most") and not (0 < least < trials):
        return None
    if kind == "exactly" and difficulty > 1 and least in (0, trials):
        return None
    if kind == "more" and 2 * chance == 1:
        return None
    if kind == "first" and (not 1 <= least < trials or "at once" in once or "sown" in once):
        return None
    amount = _WORDS[least]
    what = {
        "exactly": f"exactly {amount} {hit if least == 1 else hits}" if least else f"no {hit}",
        "at least": f"at least {amount} {hit if least == 1 else hits}",
        "at most": f"at most {amount} {hit if least == 1 else hits}",
        "more": f"more than half of the {hits}",
        "first": "",
    }[kind]
    if kind == "exactly" and least == trials:
        what = f"all {amount} {hits}" if trials > 2 else f"both {hits}"
    if kind == "first":
        noun, verb = hit.split(" ", 1)
        does = verb if start[0] else _negated(verb)
        what = f"exactly {amount} {hit if least == 1 else hits} and the first {noun} {does}"
    answer = sum((comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in wanted), Fraction(0))
    if start:
        answer = comb(trials - 1, least - start[0]) * chance**least * (1 - chance) ** (trials - least)
    if answer.denominator > (1300, 50000, 300000)[difficulty - 1] or answer == 0:
        return None
    asked = rng.choice(
        ("What is the probability that", "How likely is it that", "With what probability is it true that")
    )
    text = f"{once}. {asked} {what}?"
    values = {"chance": [chance.numerator, chance.denominator], "trials": trials, "wanted": wanted, "start": start}
    return Draw(text, str(answer), values)


def _negated(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    if first == "is":
        return f"is not {rest}"
    return f"does not {first.removesuffix('s')} {rest}".rstrip()


def rows_until_decided(
    chance: list[int], urn: list[int], goals: list[int], lengths: list[int], winner: int, known: list[int]
) -> object:
    """Follow every row of results until it reaches a goal, and add the chances of those that end as asked.

    Trials succeed with the chance given or, if there is an urn of successes and failures, are drawn from it without
    putting back. `goals` holds the numbers of successes and of failures that end a row, 0 for no such goal.
    """
    from fractions import Fraction

    total = Fraction(0)
    rows: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    for length in range(1, max(lengths) + 1):
        longer = []
        for results, share in rows:
            if length <= len(known):
                success = Fraction(known[length - 1])
            elif urn:
                success = Fraction(urn[0] - sum(results), sum(urn) - len(results))
            else:
                success = Fraction(chance[0], chance[1])
            for result, part in ((1, success), (0, 1 - success)):
                row = (*results, result)
                if row.count(result) != goals[1 - result]:
                    longer.append((row, share * part))
                elif length in lengths and winner in (result, -1):
                    total += share * part
        rows = [(row, share) for row, share in longer if share]
    return total


@generator("Fix the deciding trial and arrange the ones before it", check=rows_until_decided)
def deciding_trial(rng: Random, difficulty: int) -> Draw | None:
    scene = rng.choice(("series", "successes", "urn"))
    who = person(rng)
    chance, urn, known, winner = Fraction(1, 2), [], [], 1
    if scene == "urn":
        urn = [rng.randint(2, 1 + difficulty), rng.randint(2, 2 + 2 * difficulty)]
        goal = urn[0] if rng.random() < 0.5 else rng.randint(1, urn[0])
        goals = [goal, 0]
        length = rng.randint(goal + 1, goal + urn[1])
        lengths = [length]
        answer = Fraction(comb(length - 1, goal - 1) * comb(sum(urn) - length, urn[0] - goal), comb(sum(urn), urn[0]))
        thing, kind, act = rng.choice(
            (
                ("battery", "empty", "tested"),
                ("key", "fitting", "tried"),
                ("ticket", "winning", "opened"),
                ("card", "red", "turned over"),
            )
        )
        things = "batteries" if thing == "battery" else thing + "s"
        if goal == urn[0]:
            goal_text = f"the last {kind} one has been found"
        else:
            goal_text = f"the {_ordinal(goal)} {kind} one has been found"
        some = {"battery": "are empty", "key": "fit the lock", "ticket": "win", "card": "are red"}[thing]
        text = (
            f"Of {sum(urn)} {things}, exactly {urn[0]} {some}. They are {act} one after another in random order until "
            f"{goal_text}. What is the probability that exactly {length} {things} are {act}?"
        )
    elif scene == "successes":
        trial, chance, hit, hits = rng.choice(
            (
                ("rolls a fair die again and again", Fraction(1, 6), "6", "roll"),
                ("tosses a fair coin again and again", Fraction(1, 2), "head", "toss"),
                (
                    "again and again spins a wheel with four equal sectors, one of which is gold",
                    Fraction(1, 4),
                    "gold result",
                    "spin",
                ),
                ("rolls a fair die again and again", Fraction(1, 3), "number above 4", "roll"),
                (
                    "throws darts, each of which, independently, hits the bull's eye with probability $\\frac25$",
                    Fraction(2, 5),
                    "hit",
                    "throw",
                ),
                (
                    "shoots at a basket and hits with probability $\\frac23$ at every shot, independently of the "
                    "others",
                    Fraction(2, 3),
                    "hit",
                    "shot",
                ),
            )
        )
        goal = rng.randint(*((1, 2), (2, 3), (2, 4))[difficulty - 1])
        goals = [goal, 0]
        length = rng.randint(goal, goal + difficulty + 1)
        lengths = [length]
        if difficulty == 1 and length == 1:
            return None
        if difficulty == 3 and rng.random() < 0.5:
            lengths = list(range(goal, length + 1))
            if len(lengths) < 2:
                return None
            asked = f"the {_ordinal(goal)} {hit} comes at the {_ordinal(length)} {hits} or earlier"
        else:
            asked = f"the {_ordinal(goal)} {hit} comes exactly at the {_ordinal(length)} {hits}"
        answer = sum((_at(n, goal, chance) for n in lengths), Fraction(0))
        text = f"{who} {trial}. What is the probability that {asked}?"
    else:
        goal = rng.randint(*((2, 2), (3, 4), (3, 5))[difficulty - 1])
        goals = [goal, goal]
        chance = Fraction(*rng.choice(((1, 2), (2, 3), (1, 3), (3, 4), (3, 5), (2, 5))))
        rival = person(rng)
        if rival == who:
            return None
        length = rng.randint(goal, 2 * goal - 1)
        lengths = [length]
        kind = rng.choice((("wins",), ("wins", "over"), ("known", "over", "at most"))[difficulty - 1])
        if kind == "over":
            winner = -1
            answer = _at(length, goal, chance) + _at(length, goal, 1 - chance)
            asked = f"the match is over after exactly {_number(length)} games"
        elif kind == "at most":
            lengths = list(range(goal, length + 1))
            if len(lengths) < 2 or length == 2 * goal - 1:
                return None
            answer = sum((_at(n, goal, chance) for n in lengths), Fraction(0))
            asked = f"{who} wins the match after at most {_number(length)} games"
        elif kind == "known":
            known = rng.choice(([1], [0]))
            won = sum(known)
            if length - 1 < goal - won:
                return None
            answer = _at(length - 1, goal - won, chance)
            asked = f"{who} wins the match after exactly {_number(length)} games in all"
        else:
            answer = _at(length, goal, chance)
            asked = f"{who} wins the match after exactly {_number(length)} games"
        game = rng.choice(("chess", "table tennis", "badminton", "backgammon"))
        so_far = f" The first game was won by {who if known == [1] else rival}." if known else ""
        text = (
            f"{who} and {rival} play games of {game} until one of them has won {_number(goal)}. {who} wins each game "
            f"with probability ${_tex(chance)}$, independently, and there are no draws.{so_far} What is the "
            f"probability that {asked}?"
        )
    if answer in (0, 1) or answer.denominator > (600, 20000, 200000)[difficulty - 1]:
        return None
    values = {
        "chance": [chance.numerator, chance.denominator],
        "urn": urn,
        "goals": goals,
        "lengths": lengths,
        "winner": winner,
        "known": known,
    }
    return Draw(text, str(answer), values)


def _at(length: int, goal: int, chance: Fraction) -> Fraction:
    """Return the chance that the success that reaches the goal comes at this trial."""
    return comb(length - 1, goal - 1) * chance**goal * (1 - chance) ** (length - goal)


def _number(number: int) -> str:
    return _WORDS[number] if 0 < number < len(_WORDS) else str(number)


def _ordinal(number: int) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")[number - 1]


def turns_added(chances: list[list[int]], asked: list[int], together: bool) -> object:
    """Add up the chances of a win in the first, second, third, ... turn until what is left is too small to matter.

    If `together`, the chances belong to different results of one trial, otherwise to turns that follow each other.
    """
    from fractions import Fraction
    from math import prod

    hits = [Fraction(part, whole) for part, whole in chances]
    moves, alive, won = [float(hit) for hit in hits], 1.0, 0.0
    while alive > 1e-17:
        if together:
            won += alive * sum(moves[turn] for turn in asked)
            alive *= 1 - sum(moves)
        else:
            for turn, move in enumerate(moves):
                won += alive * move * (turn in asked)
                alive *= 1 - move
    # All wins of one round have the product of the denominators below them, so the sum is a multiple of 1/below.
    whole = prod(hit.denominator for hit in hits)
    stays = 1 - sum(hits) if together else prod(1 - hit for hit in hits)
    below = whole - int(whole * stays)
    return Fraction(round(won * below), below)


_MOVES = (
    ("rolls a fair die and wins at once with a 6", Fraction(1, 6)),
    ("rolls a fair die and wins at once with a 5 or a 6", Fraction(1, 3)),
    ("tosses a fair coin and wins at once with heads", Fraction(1, 2)),
    ("tosses two fair coins and wins at once if both show heads", Fraction(1, 4)),
    ("draws one of five cards, puts it back and wins at once if it is the only joker among them", Fraction(1, 5)),
    ("throws a dart and wins at once with a bull's eye, which has probability $\\frac25$", Fraction(2, 5)),
    (
        "spins a wheel with eight equal sectors and wins at once if it stops at one of the three red ones",
        Fraction(3, 8),
    ),
    (
        "draws one of ten cards, puts it back and wins at once if it is one of the three aces among them",
        Fraction(3, 10),
    ),
)


@generator("Let an undecided round restart the game", check=turns_added)
def undecided_rounds(rng: Random, difficulty: int) -> Draw | None:
    scene = rng.choice((("same", "sums"), ("two", "two", "sums"), ("three", "double", "two dice"))[difficulty - 1])
    names = people(rng, 3)
    together = False
    if scene in ("sums", "two dice"):
        together = True
        if scene == "sums" and difficulty == 1:
            sides = rng.choice((6, 8, 10, 12))
            first, second = rng.randint(1, sides // 2 - 1), rng.randint(1, sides // 2 - 1)
            a, b = listed(_range(1, first), "or"), listed(_range(first + 1, first + second), "or")
            if first == second or first + second >= sides:
                return None
            chances = [Fraction(first, sides), Fraction(second, sides)]
            roll = f"a fair {sides}-sided die with the numbers 1 to {sides} is rolled"
        else:
            totals = rng.sample(range(2, 13), 2 if difficulty == 2 else 3)
            ways = [6 - abs(7 - total) for total in totals]
            if ways[0] == ways[1] or len(set(ways)) == 1:
                return None
            chances = [Fraction(ways[0], 36), Fraction(sum(ways[1:]), 36)]
            a, b = f"a sum of {totals[0]}", f"a sum of {listed([str(t) for t in sorted(totals[1:])], 'or')}"
            roll = "two fair dice are rolled"
        asked = [rng.randrange(2)]
        text = (
            f"{names[0]} wins with {a}, and {names[1]} wins with {b}: {roll} again and again until one of the two has "
            f"won. What is the probability that {names[asked[0]]} wins?"
        )
        text = rng.choice(
            (
                text,
                f"In a game {roll} again and again. If the result is {a}, {names[0]} wins; if it is {b}, {names[1]} "
                f"wins; after any other result the game goes on. How likely is it that {names[asked[0]]} wins?",
            )
        )
    elif scene == "same":
        move, chance = rng.choice(_MOVES)
        chances = [chance] * 2
        asked = [rng.randrange(2)]
        text = (
            f"{names[0]} and {names[1]} take turns, and {names[0]} starts. Whoever has the turn {move}. They go on "
            f"until someone has won. What is the probability that {names[asked[0]]} wins?"
        )
    else:
        moves = rng.sample(_MOVES, 3 if scene == "three" else 2)
        chances = [chance for _, chance in moves]
        asked = [rng.randrange(len(moves))]
        turns = " ".join(f"On each turn {name} {move}." for name, (move, _) in zip(names, moves, strict=False))
        order = (
            f"{names[0]}, {names[1]} and {names[2]} take turns in this order"
            if scene == "three"
            else f"{names[0]} and {names[1]} take turns, and {names[0]} starts"
        )
        if scene == "double":
            order = (
                f"{names[0]} starts and has two turns, then {names[1]} has one, then {names[0]} two again, and so on"
            )
            chances = [chances[0], *chances]
            asked = [0, 1] if asked == [0] else [2]
        winner = names[0] if 0 in asked else names[len(moves) - 1] if scene == "double" else names[asked[0]]
        text = f"{order}. {turns} The game goes on until someone has won. What is the probability that {winner} wins?"
    stays = 1 - sum(chances) if together else Fraction(1)
    win, alive = Fraction(0), Fraction(1)
    if together:
        win = sum((chances[turn] for turn in asked), Fraction(0))
    else:
        for turn, chance in enumerate(chances):
            win += alive * chance * (turn in asked)
            alive *= 1 - chance
        stays = alive
    answer = win / (1 - stays)
    values = {
        "chances": [[chance.numerator, chance.denominator] for chance in chances],
        "asked": asked,
        "together": together,
    }
    return Draw(text, str(answer), values)


def _range(first: int, last: int) -> list[str]:
    return [str(number) for number in range(first, last + 1)]
