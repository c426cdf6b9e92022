"""Problems on sinusoids and on inverse trigonometric functions."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def swung(low: int, high: int, low_time: int, period: list[int], asked: list[int], wanted: str) -> str:
    """Sum the angle step by step from the lowest point and read heights off a turning wheel in decimals."""
    from fractions import Fraction
    from math import cos, pi

    turn = Fraction(period[0], period[1])

    def height(time: Fraction) -> float:
        return (low + high) / 2 - (high - low) / 2 * cos(2 * pi * float((time - low_time) / turn))

    if wanted == "height":
        return str(Fraction(height(Fraction(asked[0], asked[1]))).limit_denominator(100))
    level = asked[0] / asked[1]
    steps = (Fraction(step, 12) * turn for step in range(1, 13))
    moments = [step for step in steps if abs(height(low_time + step) - level) < 1e-9]
    if wanted == "first":
        return str(moments[0])
    return str(moments[1] - moments[0])


@generator("Fit a sinusoid from its greatest and least values", check=swung)
def sinusoid(rng: Random, difficulty: int) -> Draw | None:
    wanted = rng.choice((("height",), ("height", "first"), ("first", "above", "height"))[difficulty - 1])
    amplitude = rng.randint(1, (6, 12, 30)[difficulty - 1])
    low = rng.randint(1, (6, 12, 30)[difficulty - 1])
    high = low + 2 * amplitude
    period = 12 * rng.randint(1, (3, 6, 10)[difficulty - 1])
    part = rng.choice((2, 4))
    turns = 0 if difficulty == 1 else rng.randint(0, difficulty)
    who = person(rng)
    scene = rng.choice(("wheel", "tide", "swing", "heat"))
    level = Fraction(low + high, 2) + {2: Fraction(-amplitude, 2), 4: Fraction(amplitude, 2)}[part]
    after = Fraction(part * period, 12)
    if wanted == "height":
        after += turns * period
        if rng.random() < 0.5:
            after = turns * period + period - Fraction(part * period, 12)
        answer, asked = level, [after.numerator, after.denominator]
    elif wanted == "first":
        answer, asked = after, [level.numerator, level.denominator]
    else:
        answer, asked = period - 2 * after, [level.numerator, level.denominator]
    height = f"{level.numerator / level.denominator:g}"
    half = period // 2
    if scene == "wheel":
        given = (
            f"A big wheel turns steadily, once around in ${period}$ seconds. Its gondolas are ${low}$ m above the "
            f"ground at the lowest point and ${high}$ m at the highest. {who}'s gondola is at the lowest point now."
        )
        questions = {
            "height": f"How many metres above the ground is it in ${after}$ seconds?",
            "first": f"In how many seconds will it be ${height}$ m above the ground for the first time?",
            "above": f"For how many seconds of each turn is it more than ${height}$ m above the ground?",
        }
    elif scene == "tide":
        given = (
            f"In a model of a harbour the depth of the water follows a sinusoid in time. It is least, ${low}$ dm, at "
            f"the start, and ${half}$ minutes later it is greatest for the first time, ${high}$ dm."
        )
        questions = {
            "height": f"How many decimetres deep is the water ${after}$ minutes after the start?",
            "first": f"How many minutes after the start is the water ${height}$ dm deep for the first time?",
            "above": f"For how many minutes of each period is the water deeper than ${height}$ dm?",
        }
    elif scene == "swing":
        given = (
            "The weight on a spring moves up and down, and its height is a sinusoid of time. At the lowest point it "
            f"is ${low}$ cm above the table and at the highest ${high}$ cm, and it takes ${half}$ tenths of a second "
            "from the one to the other. A clock starts when it is at the lowest point."
        )
        questions = {
            "height": f"How many centimetres above the table is it after ${after}$ tenths of a second?",
            "first": f"After how many tenths of a second is it ${height}$ cm above the table for the first time?",
            "above": f"For how many tenths of a second of each full swing is it higher than ${height}$ cm?",
        }
    else:
        given = (
            "The temperature in a greenhouse is controlled so that it follows a sinusoid. At some moment it is at "
            f"its least, ${low}^\\circ$C, and ${half}$ minutes later it is for the first time at its greatest, "
            f"${high}^\\circ$C."
        )
        questions = {
            "height": f"How many degrees Celsius is the temperature ${after}$ minutes after its least?",
            "first": f"How many minutes after its least does the temperature reach ${height}^\\circ$C?",
            "above": f"For how many minutes of each period is the temperature above ${height}^\\circ$C?",
        }
    values = {"low": low, "high": high, "low_time": 0, "period": [period, 1], "asked": asked, "wanted": wanted}
    return Draw(f"{given} {questions[wanted]}", str(answer), values)


def computed(steps: list[str], numbers: list[int]) -> str:
    """Press the keys one after the other on a calculator in degree mode and round the last number."""
    from math import acos, asin, atan, cos, degrees, radians, sin, tan

    value = float(numbers[0])
    for step in steps:
        if step.startswith("arc"):
            value = degrees({"arcsin": asin, "arccos": acos, "arctan": atan}[step](value))
        elif step == "add":
            value += numbers[1]
        else:
            value = {"sin": sin, "cos": cos, "tan": tan}[step](radians(value))
    assert abs(value - round(value)) < 1e-4
    return str(round(value))


@generator("Move an angle into the principal range of an inverse function", check=computed)
def principal(rng: Random, difficulty: int) -> Draw | None:
    inner = rng.choice(("sin", "cos", "tan"))
    outer = {"sin": "arcsin", "cos": "arccos", "tan": "arctan"}[inner]
    if difficulty > 1 and inner != "tan" and rng.random() < 0.4:
        outer = {"arcsin": "arccos", "arccos": "arcsin"}[outer]
    angle = rng.randint(*((91, 360), (91, 1500), (200, 3000))[difficulty - 1]) * rng.choice((1, 1, -1))
    if difficulty == 1:
        angle = abs(angle)

    def into(outer: str, inner: str, angle: int) -> int:
        if outer == "arctan":
            return (angle + 90) % 180 - 90
        if outer[3:] != inner:
            angle = 90 - angle
        if outer == "arccos":
            angle %= 360
            return min(angle, 360 - angle)
        angle = (angle + 90) % 360 - 90
        return angle if angle <= 90 else 180 - angle

    if inner == "tan" and angle % 180 == 90:
        return None
    first = into(outer, inner, angle)
    if first == angle or first % 90 == 0:
        return None
    steps = [inner, outer]
    numbers = [angle]
    answer = first
    names = {name: f"\\{name}" for name in ("arcsin", "arccos", "arctan", "sin", "cos", "tan")}
    keys = {"arcsin": "\\sin^{-1}", "arccos": "\\cos^{-1}", "arctan": "\\tan^{-1}"}
    inside = f"{names[inner]} {angle}^\\circ" if angle > 0 else f"{names[inner]}({angle}^\\circ)"
    text = rng.choice(
        (
            f"Evaluate ${names[outer]}({inside})$ in degrees.",
            f"On a calculator in degree mode {person(rng)} enters ${angle}$, presses the key for ${names[inner]}$ and "
            f"then the key for ${keys[outer]}$. Which number appears?",
            f"What is the value, in degrees, of ${names[outer]}\\left({inside}\\right)$, if the inverse function has "
            "its usual range?",
            f"For which angle $\\alpha$ in the range of ${names[outer]}$, in degrees, is $\\{outer[3:]} \\alpha = "
            f"{inside}$?",
        )
    )
    if difficulty == 3:
        second = rng.choice(("sin", "cos"))
        inverse = rng.choice(("arcsin", "arccos"))
        more = rng.randint(100, 800) * rng.choice((1, -1))
        answer_two = into(inverse, second, first + more)
        if answer_two % 90 == 0 or answer_two == first + more:
            return None
        numbers, answer = [angle, more], answer_two
        steps += ["add", second, inverse]
        sign = "+" if more > 0 else "-"
        change = f"adds ${more}$ to" if more > 0 else f"subtracts ${-more}$ from"
        text = rng.choice(
            (
                f"On a calculator in degree mode {person(rng)} enters ${angle}$, presses the key for ${names[inner]}$ "
                f"and then the key for ${keys[outer]}$, and {change} the number shown. Then the key for "
                f"${names[second]}$ and the key for ${keys[inverse]}$ are pressed. Which number appears?",
                f"Let $\\beta = {names[outer]}({inside})$. Evaluate ${names[inverse]}({names[second]}(\\beta {sign} "
                f"{abs(more)}^\\circ))$ in degrees.",
                "Find the value, in degrees, of "
                f"${names[inverse]}\\left({names[second]}\\left({names[outer]}({inside}) {sign} "
                f"{abs(more)}^\\circ\\right)\\right)$.",
            )
        )
    return Draw(text, str(answer), {"steps": steps, "numbers": numbers})
