"""Problems on motion."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import clock, counted, people


def walked_until_met(distance: int, speeds: list[int], head: int, toward: bool, ask: str) -> str:
    """Let both move on minute by minute, in sixtieths of a kilometre, until they are at the same place."""
    from fractions import Fraction

    goal = 60 * distance
    first, second = speeds[0] * head, goal if toward else -goal
    minutes = 0
    while first != second:
        first += speeds[0]
        second += -speeds[1] if toward else speeds[1]
        minutes += 1
    if ask == "place":
        return str(Fraction(first, 60))
    if ask == "other":
        return str(Fraction(second + goal, 60))
    return str(minutes + head if ask == "clock" else minutes)


@generator("Divide the gap by the closing speed", check=walked_until_met)
def meeting(rng: Random, difficulty: int) -> Draw | None:
    toward = rng.random() < 0.5
    kind, slow, fast, how = rng.choice(
        (
            ("walk", (3, 6), (4, 9), "on foot"),
            ("cycle", (10, 18), (14, 26), "by bicycle"),
            ("drive", (40, 80), (50, 110), "by car"),
        )
    )
    one, two = rng.randint(*slow), rng.randint(*fast)
    if kind == "drive":
        one, two = one // 5 * 5, two // 5 * 5
    if two == one or (not toward and two <= one):
        return None
    head = 0 if difficulty == 1 else rng.choice((6, 10, 12, 15, 20, 30, 45, 60))
    if difficulty == 2 and toward and rng.random() < 0.4:
        head = 0
    closing = one + two if toward else two - one
    minutes = (
        rng.choice((30, 60, 90, 120, 180)) if difficulty == 1 else rng.randint(2, 60) * (3 if difficulty == 2 else 2)
    )
    gap = Fraction(closing * minutes, 60)
    distance = gap + Fraction(one * head, 60) if toward else gap - Fraction(one * head, 60)
    if not toward and distance != 0 and (difficulty > 1 or rng.random() < 0.3):
        # Both start from the same place, the slower one earlier.
        head_exact = Fraction(gap * 60, one)
        if head_exact.denominator > 1 or head_exact > 120 or head_exact < 5:
            return None
        head, distance = int(head_exact), Fraction(0)
    if distance.denominator > 1 or distance < 0 or (toward and distance < 2):
        return None
    place = Fraction(one * (head + minutes), 60)
    a, b = people(rng, 2)
    start = rng.randint(6 * 12, 15 * 12) * 5
    ask = rng.choice(("minutes", "place", "clock") if difficulty > 1 else ("minutes", "place"))
    if ask == "place" and place.denominator > 2:
        return None
    verb = {"walk": "walks", "cycle": "cycles", "drive": "drives"}[kind]
    if toward:
        ends = rng.choice(("Two villages", "Two farms", "Two lighthouses on the same coast road"))
        begins = (
            f"{a} starts from one of them at {one} km/h, and {b} starts from the other at {two} km/h"
            if not head
            else f"At {clock(start)} {a} starts from one of them at {one} km/h, and {counted(head, 'minute')} later "
            f"{b} starts from the other at {two} km/h"
        )
        story = f"{ends} are {distance} km apart. {begins}, both {how} and towards each other along the same road."
        if not head and ask == "clock":
            story = story.replace(f"{a} starts", f"At {clock(start)} {a} starts").replace(
                "and " + b + " starts", f"and at the same moment {b} starts"
            )
        elif not head:
            story = story.replace(f"{a} starts", f"At the same moment {a} starts")
    elif distance == 0:
        story = (
            f"At {clock(start)} {a} {verb} off at {one} km/h. {counted(head, 'minute').capitalize()} later {b} sets "
            f"out from the same place along the same road at {two} km/h."
        )
    else:
        story = f"{a} {verb} along a road at {one} km/h. {b}, who is {distance} km behind, follows at {two} km/h."
        if ask == "clock":
            story = story.replace(f"{a} {verb}", f"At {clock(start)} {a} {verb}")
    if not toward and distance and ask == "place":
        question = f"How many kilometres does {b} cover before catching up with {a}?"
        answer, ask = Fraction(two * minutes, 60), "other"
        if answer.denominator > 2:
            return None
    elif ask == "place":
        where = f"from {a}'s starting point" if toward else "from the starting point"
        question = (
            f"How many kilometres {where} do they meet?"
            if toward
            else (f"How many kilometres {where} does {b} catch up with {a}?")
        )
        answer = place
    elif ask == "minutes":
        answer = Fraction(minutes)
        question = (
            f"How many minutes after {b}'s start do they meet?"
            if toward and head
            else "After how many minutes do they meet?"
        )
        if not toward:
            question = f"How many minutes does {b} need to catch up with {a}?"
    else:
        answer = Fraction(head + minutes)
        question = (
            f"How many minutes after {clock(start)} do they meet?"
            if toward
            else f"How many minutes after {clock(start)} does {b} catch up with {a}?"
        )
    values = {
        "distance": int(distance), "speeds": [one, two], "head": head, "toward": toward, "ask": ask
    }  # fmt: skip
    return Draw(f"{story} {question}", str(answer), values)


def second_by_second(lengths: list[int], speeds: list[int], seconds: list[int], ask: str) -> int:
    """Move the front on second by second until the tail is past; what is unknown is tried upwards."""

    def passing(own: int, other: int, speed: int) -> int:
        front = clock = 0
        while front - own < other:
            front += speed
            clock += 1
        return clock

    if ask == "seconds":
        return passing(lengths[0], lengths[1], sum(speeds))
    if ask in ("length", "bridge"):
        known, unknown = sum(lengths), 0
        while passing(unknown + 1, known, speeds[0]) <= seconds[0]:
            unknown += 1
        return unknown
    speed = 1
    while passing(speed * seconds[0], lengths[1], speed) > seconds[1]:
        speed += 1
    return speed * seconds[0] if ask == "own" else speed


@generator("Add the lengths to get the distance of a complete passing", check=second_by_second)
def complete_passing(rng: Random, difficulty: int) -> Draw | None:
    speed = rng.randint(5, (20, 30, 40)[difficulty - 1])
    seconds = rng.randint(6, (25, 45, 60)[difficulty - 1])
    total = speed * seconds
    own = rng.randint(12, 60) * 5
    other = total - own
    if other < 20:
        return None
    thing, passes = rng.choice(
        (("bridge", "cross a bridge"), ("tunnel", "pass through a tunnel"), ("platform", "pass a platform"))
    )
    train = rng.choice(("freight train", "passenger train", "express train"))
    full = f"from the moment its front reaches the {thing} until its end has left it"
    if difficulty < 3 and rng.random() < (1 if difficulty == 1 else 0.6):
        ask = rng.choice(("seconds", "length", "bridge"))
        if ask == "seconds":
            problem = (
                f"A {train} {own} m long runs at {speed} m/s. How many seconds does it take to {passes} {other} m "
                f"long, {full}?"
            )
            answer = seconds
        elif ask == "length":
            problem = (
                f"At a steady {speed} m/s a train needs {seconds} seconds to {passes} {other} m long, {full}. How "
                "many metres long is the train?"
            )
            answer = own
        else:
            problem = (
                f"A {train} {own} m long runs at {speed} m/s. It takes {seconds} seconds to {passes}, {full}. What is "
                f"the length of the {thing} in metres?"
            )
            answer = other
        lengths = {"seconds": [own, other], "length": [0, other], "bridge": [own, 0]}[ask]
        values = {"lengths": lengths, "speeds": [speed], "seconds": [] if ask == "seconds" else [seconds], "ask": ask}
        return Draw(problem.replace("A express", "An express"), str(answer), values)
    if rng.random() < 0.75:
        # Two trains: relative speed is the sum or the difference.
        toward = rng.random() < 0.5
        second = rng.randint(5, 40) if toward else rng.randint(3, speed - 1)
        relative = speed + second if toward else speed - second
        both = rng.randint(5, 90) * relative
        if not own + 60 <= both <= own + 400:
            return None
        opening = f"A train {own} m long runs at {speed} m/s"
        problem = (
            f"{opening}. On the other track a train {both - own} m long comes towards it at {second} m/s. How many "
            "seconds pass from the meeting of the fronts until the ends have passed each other?"
            if toward
            else f"{opening} and overtakes, on the next track, a train {both - own} m long that runs at {second} "
            "m/s. How many seconds pass from the moment its front reaches the end of the slower train until its own "
            "end has passed the front of the slower train?"
        )
        values = {
            "lengths": [own, both - own], "speeds": [speed, second if toward else -second], "seconds": [],
            "ask": "seconds"
        }  # fmt: skip
        return Draw(problem, str(both // relative), values)
    post = rng.randint(4, 20)
    long_time = post + rng.randint(5, 40)
    gap = speed * (long_time - post)
    ask = rng.choice(("own", "speed"))
    asked = (
        "How many metres long is the train?" if ask == "own" else "What is the speed of the train in metres per second?"
    )
    marker = rng.choice(("a signal post", "a walker standing beside the track", "a telegraph pole"))
    problem = (
        f"At constant speed a {train} passes {marker} in {post} seconds, and it takes {long_time} seconds to {passes} "
        f"{gap} m long, {full}. {asked}"
    ).replace("a express", "an express")
    values = {"lengths": [0, gap], "speeds": [], "seconds": [post, long_time], "ask": ask}
    return Draw(problem, str(speed * post if ask == "own" else speed), values)


def steps_added(kind: str, speed: int, minutes: int, other: int) -> str:
    """Add up the way minute by minute, then see how long the other, or the same, takes for it."""
    from fractions import Fraction

    way = Fraction(0)
    for _ in range(minutes):
        way += Fraction(speed, 60)
    if kind == "way":
        return str(way)
    if kind == "metres":
        # A speed in metres a second, and so 60 times as many metres in each minute.
        return str(Fraction(sum(60 * speed for _ in range(minutes)), 1000))
    if kind == "speed":
        return str(way / Fraction(minutes - other, 60))
    return str(way / Fraction(other, 60))


@generator("Find distance, speed or time from the other two in matching units", check=steps_added)
def distance_speed_time(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("way", "metres"), ("way", "metres", "time"), ("speed", "time"))[difficulty - 1])
    vehicle, verb, low, high = rng.choice(
        (
            ("bus", "drives", 30, 80), ("lorry", "drives", 40, 80), ("tram", "goes", 15, 45),
            ("freight train", "goes", 40, 100), ("coach", "drives", 50, 100), ("ferry", "sails", 15, 40),
        )
    )  # fmt: skip
    speed = rng.randint(low, high)
    minutes = rng.randint(2, 60) * (5 if kind != "metres" else 1)
    hours, rest = divmod(minutes, 60)
    parts = [counted(hours, "hour")] * (hours > 0) + [counted(rest, "minute")] * (rest > 0)
    long = " ".join(parts)
    name = people(rng, 1)[0]
    way = Fraction(speed * minutes, 60)
    other = 0
    if kind == "way":
        if way.denominator > 4:
            return None
        answer = way
        forms = [
            f"A {vehicle} {verb} at a constant speed of {speed} km/h. How many kilometres does it cover in {long}?",
            f"How many kilometres does {name} travel on a {vehicle} at {speed} km/h, if the trip takes {long} without "
            "stops?",
            f"A {vehicle} leaves at {clock(480 + speed)} and arrives at {clock(480 + speed + minutes)}. On the "
            f"way its speed "
            f"is always {speed} km/h. How long is the way in kilometres?",
        ]
    elif kind == "metres":
        speed = rng.randint(2, 30)
        answer = Fraction(60 * speed * minutes, 1000)
        forms = [
            f"Something moves at {speed} metres a second. How many kilometres does it cover in {long}?",
            f"A drone flies {speed} m in each second. {name} lets it fly straight on for {long}. How many "
            f"kilometres away "
            "from its start is it then?",
            f"A river carries a leaf along at {speed} m/s for {long}. Of how many kilometres is this way?"
            if speed < 5
            else f"A racing pigeon flies at {speed} m/s for {long}. How many kilometres is that?",
        ]
    elif kind == "speed":
        other = 5 * rng.randint(2, 12)
        if other >= minutes - 10 or way.denominator > 2 or Fraction(60 * way, minutes - other).denominator > 2:
            return None
        answer = 60 * way / (minutes - other)
        if answer > high + 30:
            return None
        length = str(int(way)) if way.denominator == 1 else f"{int(way)}.5"
        start = 5 * rng.randint(72, 140)
        forms = [
            f"A {vehicle} leaves at {clock(start)} and reaches its goal {length} km away at "
            f"{clock(start + minutes)}. In "
            f"between it stood still for {other} minutes. What was its average speed in km/h while it was moving?",
            f"For a way of {length} km a {vehicle} takes {long}, of which {other} minutes are stops. How many "
            f"kilometres "
            "an hour does it go on average between the stops?",
        ]
    else:
        other = rng.randint(low, high)
        answer = way * 60 / other
        if other == speed or answer.denominator > 1:
            return None
        forms = [
            f"A {vehicle} that {verb} at {speed} km/h takes {long} for a certain way. How many minutes does "
            f"another one "
            f"take for it at {other} km/h?",
            f"{name} needs {long} from home to the sea at {speed} km/h. How many minutes does the same way take at "
            f"{other} km/h?",
            f"On the way there a {vehicle} {verb} at {speed} km/h for {long}. On the way back, along the same way, its "
            f"speed is {other} km/h. How many minutes does the way back take?",
        ]
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "speed": speed, "minutes": minutes, "other": other})
