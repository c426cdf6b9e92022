"""Problems on expressions that are to be squares."""

from math import isqrt
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, polynomial


def squares_met(b: int, c: int, asked: str) -> int:
    """Try n after n until the value is too near to a square with a fixed distance from n to be a square itself."""
    from math import isqrt

    found = []
    for n in range(1, abs(4 * c - b * b) + abs(b) + 1):
        value = n * n + b * n + c
        if value >= 0 and isqrt(value) ** 2 == value:
            found.append(n)
    return {"largest": max(found), "count": len(found), "sum": sum(found)}[asked]


@generator("Turn a square condition into a difference of squares", check=squares_met)
def square_values(rng: Random, difficulty: int) -> Draw | None:
    b = rng.choice(((0, 2, 4), (2, 4, 6, 8, 10, 12), (1, 3, 5, 7, 9, 11, 13))[difficulty - 1])
    c = rng.randint(*((-40, 60), (-120, 200), (-100, 250))[difficulty - 1])
    name = person(rng)
    story = rng.random() < 0.35
    if story and difficulty > 1:
        # A leg of a right triangle with sides of whole numbers: n^2 + leg^2 is a square.
        leg = rng.randint(*((6, 40), (40, 150))[difficulty - 2])
        b, c = 0, leg * leg
    elif story:
        b = 0
        c = abs(c)
    # (2m - 2n - b)(2m + 2n + b) = 4c - b^2
    constant = 4 * c - b * b
    if constant == 0:
        return None
    found = []
    for s in range(1, isqrt(abs(constant)) + 1):
        if constant % s == 0:
            # n may be found from either order of the two factors, and from negative ones.
            for p in (s, -s, abs(constant) // s, -abs(constant) // s):
                twice = constant // p - p - 2 * b
                if twice % 4 == 0 and twice > 0 and (constant // p + p) % 4 == 0:
                    found.append(twice // 4)
    numbers = sorted(set(found))
    if not numbers:
        return None
    asked = rng.choice(("largest", "count", "sum"))
    if len(numbers) < 2 and asked != "largest":
        return None
    answer = {"largest": numbers[-1], "count": len(numbers), "sum": sum(numbers)}[asked]
    expression = polynomial([1, b, c], "n")
    goals = {
        "largest": ("Find the largest positive integer $n$ for which", "a perfect square."),
        "count": ("For how many positive integers $n$ is", "a perfect square?"),
        "sum": ("Find the sum of all positive integers $n$ for which", "a perfect square."),
    }
    start, end = goals[asked]
    if story and difficulty > 1:
        triangle = (
            "The sides of a right-angled triangle are whole numbers of centimetres, and one of the two sides at the "
            f"right angle is {leg} cm long."
        )
        forms = {
            "largest": [
                f"{triangle} How many centimetres long can the other side at the right angle be at most?",
                f"A rectangle has one side of {leg} cm, and its other side and its diagonal are whole numbers of "
                "centimetres. What is the largest possible length of the other side, in centimetres?",
            ],
            "count": [f"{triangle} How many different triangles of this kind are there?"],
            "sum": [
                f"{triangle} What do all possible lengths of the other side at the right angle add up to, in "
                "centimetres?"
            ],
        }[asked]
    elif story:
        forms = {
            "largest": [
                f"{name} lays out a full square of tiles and then adds exactly {c} more tiles so that all tiles "
                "together make a larger full square. What is the largest number of tiles that a side of the first "
                "square can have had?"
            ],
            "count": [
                f"{name} lays out a full square of tiles and then adds exactly {c} more tiles so that all tiles "
                "together make a larger full square. How many sizes of the first square are possible?"
            ],
            "sum": [
                f"The square of the positive integer $n$ becomes the square of another integer when ${c}$ is added. "
                "What is the sum of all possible values of $n$?"
            ],
        }[asked]
        if c == 0:
            return None
    else:
        verb = "is " if asked != "count" else ""
        forms = [
            f"{start} ${expression}$ {verb}{end}",
            {
                "largest": rf"For which largest positive integer $n$ is $\sqrt{{{expression}}}$ an integer?",
                "count": rf"For how many positive integers $n$ is $\sqrt{{{expression}}}$ an integer?",
                "sum": rf"The number $\sqrt{{{expression}}}$ is an integer for some positive integers $n$. What is the "
                "sum of these $n$?",
            }[asked],
            {
                "largest": f"Integers $m$ and $n > 0$ satisfy $m^2 = {expression}$. What is the largest possible value "
                "of $n$?",
                "count": rf"How many pairs $(m, n)$ of integers $m \ge 0$, $n > 0$ satisfy $m^2 = {expression}$?",
                "sum": f"Integers $m$ and $n > 0$ satisfy $m^2 = {expression}$. Find the sum of all possible values of "
                "$n$.",
            }[asked],
        ]
    return Draw(rng.choice(forms), str(answer), {"b": b, "c": c, "asked": asked})
