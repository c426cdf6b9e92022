"""Problems on all solutions of a trigonometric equation."""

from fractions import Fraction
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person


def scanned(function: str, times: int, shift: int, size: list[int], square: bool, span: list[int], wanted: str) -> str:
    """Walk through the interval in quarters of a degree and test every angle in decimals."""
    from fractions import Fraction
    from math import cos, pi, sin, tan

    sign, inside, below = size
    target = sign * inside**0.5 / below
    found: list[Fraction] = []
    for quarter in range(4 * span[0], 4 * span[1] + span[2]):
        angle = (times * quarter / 4 + shift) * pi / 180
        value = {"sin": sin, "cos": cos, "tan": tan}[function](angle)
        if abs((value * value if square else value) - (target * target if square else target)) < 1e-9:
            found.append(Fraction(quarter, 4))
    return str({"sum": sum(found), "number": len(found), "largest": max(found), "smallest": min(found)}[wanted])


_SIZES = {
    "sin": {(1, 1, 2): 30, (1, 2, 2): 45, (1, 3, 2): 60, (-1, 1, 2): -30, (-1, 2, 2): -45, (-1, 3, 2): -60},
    "cos": {(1, 1, 2): 60, (1, 2, 2): 45, (1, 3, 2): 30, (-1, 1, 2): 120, (-1, 2, 2): 135, (-1, 3, 2): 150},
    "tan": {(1, 1, 1): 45, (1, 3, 1): 60, (1, 3, 3): 30, (-1, 1, 1): -45, (-1, 3, 1): -60, (-1, 3, 3): -30},
}


@generator("List all solutions of a trigonometric equation over the widened interval", check=scanned)
def all_solutions(rng: Random, difficulty: int) -> Draw | None:
    function = rng.choice(("sin", "cos", "tan"))
    sign, inside, below = rng.choice(list(_SIZES[function]))
    reference = _SIZES[function][sign, inside, below]
    times = rng.choice(((1, 2), (2, 3, 4), (3, 4, 5, 6))[difficulty - 1])
    shift = 0 if difficulty == 1 else rng.randrange(-60, 61, 15)
    square = difficulty == 3 and rng.random() < 0.4
    span = rng.choice(
        (([0, 360, 0], [0, 180, 1]), ([0, 360, 0], [0, 180, 1], [0, 270, 1]), ([0, 360, 0], [-180, 180, 1]))[
            difficulty - 1
        ]
    )
    wanted = rng.choice(
        (("sum", "largest", "number"), ("sum", "sum", "largest", "smallest", "number"), ("sum", "sum", "number"))[
            difficulty - 1
        ]
    )
    base = {"sin": {reference, 180 - reference}, "cos": {reference, -reference}, "tan": {reference, reference + 180}}[
        function
    ]
    if square:
        base |= {180 - angle for angle in base} | {-angle for angle in base} | {180 + angle for angle in base}
    solutions = sorted(
        {
            x
            for angle in base
            for turn in range(-12, 13)
            if span[0] <= (x := Fraction(angle + 360 * turn - shift, times))
            and (x < span[1] or (span[2] and x == span[1]))
        }
    )
    if len(solutions) < (1 if difficulty == 1 else 2) or any(x.denominator not in (1, 2, 4) for x in solutions):
        return None
    answer = {"sum": sum(solutions), "number": len(solutions), "largest": solutions[-1], "smallest": solutions[0]}[
        wanted
    ]
    argument = f"{times if times > 1 else ''}x"
    if shift:
        argument += f" {'+' if shift > 0 else '-'} {abs(shift)}^\\circ"
    plain = f"\\{function} {argument}" if not shift and times == 1 else f"\\{function}({argument})"
    root = "" if inside == 1 else f"\\sqrt{inside}"
    if square:
        equation = f"{below**2}\\{function}^2({argument}) = {inside}"
        if below**2 % inside == 0 and inside > 1:
            equation = f"{below**2 // inside}\\{function}^2({argument}) = 1"
        equation = equation.replace("1\\", "\\") if equation.startswith("1\\") else equation
    else:
        front = "" if below == 1 else str(below)
        value = root or "1"
        equation = rng.choice(
            (
                f"{front}{plain} = {'-' if sign < 0 else ''}{value}",
                f"{front}{plain} {'+' if sign < 0 else '-'} {value} = 0",
            )
        )
    end = "\\le" if span[2] else "<"
    where = f"${span[0]}^\\circ \\le x {end} {span[1]}^\\circ$"
    asked = {
        "sum": "What is the sum, in degrees, of all angles $x$",
        "number": "How many angles $x$",
        "largest": "What is the largest angle $x$, in degrees,",
        "smallest": "What is the smallest angle $x$, in degrees,",
    }[wanted]
    verb = "satisfy" if wanted in ("sum", "number") else "that satisfies"
    verb = "that satisfy" if wanted == "sum" else verb
    task = {
        "sum": "What do the solutions add up to, in degrees?",
        "number": "How many solutions are there?",
        "largest": "What is the largest solution, in degrees?",
        "smallest": "What is the smallest solution, in degrees?",
    }[wanted]
    goal = {"sum": "the sum", "number": "the number", "largest": "the largest", "smallest": "the smallest"}[wanted]
    unit = "" if wanted == "number" else ", in degrees"
    text = rng.choice(
        (
            f"{asked} with {where} {verb} ${equation}$?",
            f"The equation ${equation}$ is to be solved for {where}. {task}",
            f"{person(rng)} lists all angles $x$ with {where} for which ${equation}$. Find {goal} of these "
            f"angles{unit}.",
        )
    )
    values = {
        "function": function,
        "times": times,
        "shift": shift,
        "size": [sign, inside, below],
        "square": square,
        "span": span,
        "wanted": wanted,
    }
    return Draw(text, str(answer), values)
