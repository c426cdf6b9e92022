"""Problems on times of day and on clock hands."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import clock, counted, person


def told_by_calendar(start: int, end: int, pause: int, shift: int, ask: str) -> str:
    """Put both moments on a calendar and let date arithmetic do the rest."""
    from datetime import datetime, timedelta

    zero = datetime(2026, 3, 4)
    first, last = zero + timedelta(minutes=start), zero + timedelta(minutes=end)
    if ask in ("duration", "moving"):
        there = last - timedelta(minutes=shift)
        if there < first:
            there += timedelta(days=1)
        return str(int((there - first - timedelta(minutes=pause)).total_seconds()) // 60)
    moment = (
        first + timedelta(minutes=end + pause + shift) if ask == "arrival" else first - timedelta(minutes=end + pause)
    )
    return f"{moment.hour}:{moment.minute:02}"


@generator("Count clock times in minutes from midnight", check=told_by_calendar)
def clock_times(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    lasting = rng.randint(*((40, 300), (200, 900), (300, 1000))[difficulty - 1])
    start = rng.randint(6 * 60, 22 * 60)
    pause = 0 if difficulty == 1 else rng.randint(8, 75)
    if difficulty == 1 and start + lasting >= 1440:
        return None
    if difficulty == 2 and start + lasting < 1440 and rng.random() < 0.6:
        return None
    zone = 0
    ask = rng.choice(
        (("duration",), ("moving", "moving", "arrival", "departure"), ("duration", "arrival", "departure"))[
            difficulty - 1
        ]
    )
    if difficulty == 3 and ask != "departure":
        zone = rng.choice((-9, -8, -7, -6, -5, -4, -3, -2, 2, 3, 4, 5, 6, 7, 8, 9)) * 60
        pause = 0
    if ask == "departure":
        arrival = start + lasting + pause
        thing, stop = rng.choice(
            (
                ("The drive to the airport", f"and {name} plans {pause} minutes for stops on the way"),
                ("The hike to the hut", f"and {name} plans {pause} minutes for rests"),
                ("The journey to the trade fair", f"and {name} adds {pause} minutes for changing trains"),
            )
        )
        if difficulty < 3 and arrival >= 1440:
            return None
        tomorrow = " on the following day" if arrival >= 1440 else ""
        problem = (
            f"{thing} takes {lasting // 60} hours {lasting % 60} minutes, {stop}. The arrival is to be at "
            f"{clock(arrival)}{tomorrow}. At what time is the latest start? Give the time of day as hours:minutes on "
            "a 24-hour clock."
        ).replace(" 0 minutes,", ",")
        if lasting < 120:
            return None
        values = {"start": arrival, "end": lasting, "pause": pause, "shift": 0, "ask": ask}
        return Draw(problem, clock(start), values, "text")
    end = start + lasting + pause + zone
    if end < 0 or end >= 2880 or (difficulty == 3 and start + zone < 0):
        return None
    day = " the next day" if end >= 1440 else ""
    if ask == "arrival":
        hours = f"{lasting // 60} hours" + (f" {counted(lasting % 60, 'minute')}" if lasting % 60 else "")
        if lasting < 120:
            return None
        if zone:
            ahead = "ahead of" if zone > 0 else "behind"
            problem = (
                f"A plane takes off at {clock(start)} local time and flies for {hours}. At its destination the clocks "
                f"are {abs(zone) // 60} hours {ahead} those at the start. What is the local time at the landing? Give "
                "it as hours:minutes on a 24-hour clock."
            )
        else:
            problem = (
                f"A coach sets out at {clock(start)}. It drives for {hours} in all and stands still for {pause} "
                "minutes on the way. At what time does it arrive? Give the time of day as hours:minutes on a 24-hour "
                "clock."
            )
        values = {"start": start, "end": lasting, "pause": pause, "shift": zone, "ask": ask}
        return Draw(problem, clock(end), values, "text")
    values = {"start": start, "end": end, "pause": pause, "shift": zone, "ask": ask}
    if zone:
        ahead = "ahead of" if zone > 0 else "behind"
        problem = rng.choice(
            (
                f"A plane takes off at {clock(start)} local time and lands at {clock(end)}{day} in a city whose "
                f"clocks are {abs(zone) // 60} hours {ahead} those at the place of departure. How many minutes does "
                "the flight last?",
                f"At {clock(start)} by the clocks of the port of departure a yacht sets sail. It arrives at "
                f"{clock(end)}{day} by the clocks of its destination, which are {abs(zone) // 60} hours {ahead} those "
                "at the start. How many minutes was it under way?",
            )
        )
        return Draw(problem, str(lasting), values)
    if ask == "moving":
        problem = rng.choice(
            (
                f"A train leaves at {clock(start)} and arrives at {clock(end)}{day}. On the way it stops for "
                f"{counted(pause, 'minute')} in all. For how many minutes is it moving?",
                f"{name}'s shift begins at {clock(start)} and ends at {clock(end)}{day}, with breaks of {pause} "
                "minutes in all. How many minutes of work is that, without the breaks?",
                f"A hiking group sets out at {clock(start)} and reaches the hut at {clock(end)}{day} after rests of "
                f"{pause} minutes altogether. How many minutes did the group walk?",
            )
        )
        if "hiking" in problem and day:
            return None
        return Draw(problem, str(lasting), values)
    problem = rng.choice(
        (
            f"A film begins at {clock(start)} and ends at {clock(end)}. How many minutes does it last?",
            f"{name} puts a cake into the oven at {clock(start)} and takes it out at {clock(end)}. How many minutes "
            "was it in the oven?",
            f"A train leaves at {clock(start)} and arrives at {clock(end)} on the same day. How many minutes does the "
            "journey take?",
        )
    )
    if lasting > (200 if "film" in problem else 110 if "cake" in problem else 300):
        return None
    return Draw(problem, str(lasting), values)


def hands_moved(hour: int, minute: int, angle: int, which: int, ask: str) -> str:
    """Turn both hands on from the full hour by elevenths of a minute, in units of a 22nd of a degree."""
    from fractions import Fraction

    turn = 360 * 22
    small, large, elevenths = 30 * 22 * hour % turn, 0, 0
    if ask == "angle":
        for _ in range(11 * minute):
            small, large = small + 1, large + 12
        gap = abs(small - large) % turn
        return str(Fraction(min(gap, turn - gap), 22))
    hits = []
    for elevenths in range(60 * 11):
        gap = abs(small + elevenths - large - 12 * elevenths) % turn
        if min(gap, turn - gap) == 22 * angle:
            hits.append(Fraction(elevenths, 11))
    return str(hits[which])


@generator("Turn clock hands into degrees at steady rates", check=hands_moved)
def clock_hands(rng: Random, difficulty: int) -> Draw | None:
    hour = rng.randint(1, 12)
    name = person(rng)
    if difficulty < 3:
        minute = rng.choice((0, 10, 20, 30, 40, 50)) if difficulty == 1 else rng.randint(1, 59)
        gap = abs(Fraction(60 * (hour % 12) - 11 * minute, 2))
        gap = min(gap, 360 - gap)
        if gap in (0, 180):
            return None
        time = f"{hour}:{minute:02}"
        problem = rng.choice(
            (
                "What is the smaller angle, in degrees, between the hour hand and the minute hand of a clock at "
                f"{time}?",
                f"{name} looks at a wall clock with two hands. It is {time}. How many degrees does the smaller angle "
                "between the hands measure?",
                f"A tower clock shows {time}. Find the size of the smaller angle between its hands in degrees.",
            )
        )
        return Draw(problem, str(gap), {"hour": hour, "minute": minute, "angle": 0, "which": 0, "ask": "angle"})
    angle = rng.choice((0, 180, *range(10, 180, 5)))
    moments = sorted(
        {
            moment
            for target in (angle, -angle)
            for turns in (-360, 0, 360)
            if 0 < (moment := Fraction(2 * (30 * (hour % 12) - target + turns), 11)) < 60
        }
    )
    if not moments:
        return None
    which = rng.randrange(len(moments))
    state = {
        0: "the two hands lie exactly on top of each other",
        180: "the two hands point in opposite directions",
        90: "the two hands are at right angles to each other",
    }.get(angle, f"the two hands form an angle of {angle}°")
    place = "" if len(moments) == 1 else " for the first time" if which == 0 else " for the second time"
    problem = rng.choice(
        (
            f"How many minutes after {hour} o'clock is it when, before the next full hour, {state}{place}?",
            f"{name} watches a clock from {hour} o'clock on. After how many minutes does it happen{place} that "
            f"{state}?",
            f"Between {hour} and {hour % 12 + 1} o'clock there is a moment when{place} {state}. How many minutes past "
            f"{hour} is that?",
        )
    )
    values = {"hour": hour, "minute": 0, "angle": angle, "which": which, "ask": "moment"}
    if Fraction(30 * (hour % 12)) in (angle, 360 - angle):
        return None
    return Draw(problem, str(moments[which]), values)
