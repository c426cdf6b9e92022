"""Problems on conics in general form."""

from fractions import Fraction
from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import person, signed


def traced(coefficients: list[int], wanted: str) -> str:
    """Find the extremes of the curve along both axes as double roots, and its other parts from them."""
    from fractions import Fraction
    from math import isqrt

    a, b, c, d, e = (Fraction(number) for number in coefficients)

    def root(value: Fraction) -> Fraction:
        assert value >= 0
        result = Fraction(isqrt(value.numerator), isqrt(value.denominator))
        assert result * result == value
        return result

    def level(p: Fraction, q: Fraction, r: Fraction, s: Fraction) -> Fraction:
        # q·y² + s·y + (p·x² + r·x + e) has a double root where 4pq·x² + 4qr·x + 4qe - s² = 0.
        linear, constant = r / p, (4 * q * e - s * s) / (4 * p * q)
        return linear * linear / 4 - constant

    across, up = level(a, b, c, d), level(b, a, d, c)
    middle = [-c / (2 * a), -d / (2 * b)]
    if wanted == "centre":
        return str(sum(middle))
    if wanted == "radius":
        return str(root(across))
    if wanted in ("long axis", "short axis"):
        both = [2 * root(square) for square in (across, up)]
        return str(max(both) if wanted == "long axis" else min(both))
    if wanted == "slope":
        return str(root(-up / across) if across > 0 else root(up / -across))
    # Along the axis of the foci; the squares have opposite signs for a hyperbola.
    distance = root(abs(across - up))
    if wanted == "foci":
        return str(2 * distance)
    along = 0 if across > up else 1
    focus = list(middle)
    focus[along] += distance
    return str(sum(focus))


@generator("Complete the squares to read off the parts of a conic", check=traced)
def conic(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice(
        (("circle", "ellipse"), ("ellipse", "ellipse", "circle", "hyperbola"), ("ellipse", "hyperbola"))[difficulty - 1]
    )
    reach = (4, 6, 9)[difficulty - 1]
    h, k = rng.randint(-reach, reach), rng.randint(-reach, reach)
    p, q = rng.randint(1, (5, 8, 13)[difficulty - 1]), rng.randint(1, (5, 8, 13)[difficulty - 1])
    if h == 0 or k == 0 or (kind != "circle" and p == q):
        return None
    across, up = p * p, q * q
    if kind == "circle":
        across = up = p * p
    # (x - h)²/across ± (y - k)²/up = 1, or its negative for a hyperbola that opens upwards.
    sign = -1 if kind == "hyperbola" else 1
    flipped = kind == "hyperbola" and rng.random() < 0.5
    if kind == "hyperbola":
        wanted = rng.choice(("centre", "slope") if difficulty == 2 else ("slope", "foci", "focus"))
    else:
        options = {"circle": ("centre", "radius"), "ellipse": ("long axis", "short axis", "centre")}[kind]
        wanted = rng.choice(options if difficulty < 3 else ("foci", "focus"))
        if kind == "ellipse" and difficulty == 2:
            wanted = rng.choice(("long axis", "short axis", "foci"))
    distance = rng.randint(1, 6)
    if wanted in ("foci", "focus"):
        across = rng.randint(1, 30)
        up = across + distance**2
        if kind == "hyperbola":
            across = rng.randint(1, distance**2)
            up = distance**2 - across
        if up == 0:
            return None
        if rng.random() < 0.5:
            across, up = up, across
    # Clear the denominators: up·(x - h)² ± across·(y - k)² = ±across·up.
    divisor = gcd(up, across)
    a, b = up // divisor, sign * across // divisor
    right = across * up // divisor * (-1 if flipped else 1)
    c, d = -2 * a * h, -2 * b * k
    e = a * h * h + b * k * k - right
    if max(map(abs, (c, d, e))) > (200, 900, 4000)[difficulty - 1]:
        return None
    left = " ".join(
        part
        for part in (f"{'' if a == 1 else a}x^2", signed(b, "y^2"), signed(c, "x"), signed(d, "y"), signed(e))
        if part
    )
    curve = {"circle": "circle", "ellipse": "ellipse", "hyperbola": "hyperbola"}[kind]
    horizontal = (across > up) if kind != "hyperbola" else not flipped
    focus = (h + distance + k) if horizontal else (h + k + distance)
    answer = {
        "centre": str(h + k),
        "radius": str(p),
        "long axis": str(2 * max(p, q)),
        "short axis": str(2 * min(p, q)),
        "foci": str(2 * distance),
        "focus": str(focus),
        "slope": "",
    }[wanted]
    if wanted == "slope":
        answer = str(Fraction(q, p))
    asked = {
        "centre": rng.choice(
            (
                "Its centre is $(p, q)$. Find $p + q$.",
                "What is the sum of the coordinates of its centre?",
            )
        ),
        "radius": "What is its radius?",
        "long axis": "How long is its longest chord?",
        "short axis": "How long is its minor axis?",
        "foci": "How far apart are its foci?",
        "focus": f"The focus {'to the right of' if horizontal else 'above'} its centre is $(p, q)$. Find $p + q$.",
        "slope": "What is the slope of the asymptote that rises from left to right?",
    }[wanted]
    scenes = {
        "circle": ("the edge of a round pond", "the reach of a sprinkler", "the rim of a fountain"),
        "ellipse": ("the edge of an oval pond", "the outline of an oval lawn", "the track of a toy train"),
        "hyperbola": (
            "the path of a comet and its mirror image",
            "the outline of a cooling tower",
            "a curve of equal delay",
        ),
    }[kind]
    text = rng.choice(
        (
            f"The equation ${left} = 0$ describes {'an' if kind == 'ellipse' else 'a'} {curve}. {asked}",
            f"{person(rng)} is asked to draw the {curve} ${left} = 0$. {asked}",
            f"On a plan with coordinates, {rng.choice(scenes)} is the {curve} with the equation ${left} = 0$. {asked}",
        )
    )
    return Draw(text, answer, {"coefficients": [a, b, c, d, e], "wanted": wanted})
