"""Problems on complex numbers."""

from fractions import Fraction
from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import polynomial, signed


def solved_by_search(kind: str, numbers: list[int], asked: str) -> object:
    """Try all Gaussian integers near 0 in the equation."""
    found = []
    for x in range(-16, 17):
        for y in range(-16, 17):
            z = complex(x, y)
            if kind == "linear":
                p, q, r, s, u, v = numbers
                holds = complex(p, q) * z + complex(r, s) * z.conjugate() == complex(u, v)
            elif kind == "square":
                holds = z * z == complex(numbers[0], numbers[1]) and x > 0
            else:
                size, u, v = numbers
                holds = u - x >= 0 and size * size * (x * x + y * y) == (u - x) ** 2 and y == v
            if holds:
                found.append(x + y if asked == "sum" else x * x + y * y if asked == "norm" else round(abs(z)))
    (only,) = found
    return only


@generator("Split a complex equation into real and imaginary parts", check=solved_by_search)
def complex_equation(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("linear",), ("linear", "square"), ("linear", "modulus"))[difficulty - 1])
    reach = (5, 7, 9)[difficulty - 1]
    x, y = (
        rng.choice([n for n in range(-reach, reach + 1) if n]),
        rng.choice([n for n in range(-reach, reach + 1) if n]),
    )
    asked = rng.choice(("sum", "norm"))
    if kind == "linear":
        return _linear(rng, difficulty, x, y, asked)
    if kind == "square":
        x = abs(x)
        if abs(x) == abs(y):
            return None
        u, v = x * x - y * y, 2 * x * y
        wanted = "the sum of the real and the imaginary part of $z$"
        problem = rng.choice(
            (
                f"The number $z$ satisfies $z^2 = {_gaussian(u, v)}$, and its real part is positive. Find {wanted}.",
                f"Among the two square roots of ${_gaussian(u, v)}$ in the complex numbers, $a + bi$ is the one with "
                "$a > 0$. What is $a + b$?",
                f"Real numbers $a > 0$ and $b$ satisfy $(a + bi)^2 = {_gaussian(u, v)}$. Find $a + b$.",
            )
        )
        return Draw(problem, str(x + y), {"kind": kind, "numbers": [u, v], "asked": "sum"})
    length = rng.choice([n for n in range(1, 17) if (n * n - y * y) in [k * k for k in range(1, 16)]] or [0])
    if not length:
        return None
    x = rng.choice((-1, 1)) * round((length * length - y * y) ** 0.5)
    size = rng.choice((1, 2, 3))
    total = size * length + x
    sign = "" if size == 1 else str(size)
    left = rng.choice((f"{sign}|z| + z", f"z + {sign}|z|"))
    if total <= 0 or (size > 1 and _other_solution(size, total, x, y)):
        return None
    asked = rng.choice(("sum", "size"))
    problem = {
        "sum": f"The complex number $z = a + bi$, with real $a$ and $b$, satisfies ${left} = {_gaussian(total, y)}$. "
        "Find $a + b$.",
        "size": rng.choice(
            (
                f"Find $|z|$ for the complex number $z$ with ${left} = {_gaussian(total, y)}$.",
                f"Adding ${sign}|z|$ to a complex number $z$ gives ${_gaussian(total, y)}$. How far is $z$ from $0$ in "
                "the complex plane?",
            )
        ),
    }[asked]
    answer = x + y if asked == "sum" else length
    return Draw(problem, str(answer), {"kind": kind, "numbers": [size, total, y], "asked": asked})


def _linear(rng: Random, difficulty: int, x: int, y: int, asked: str) -> Draw | None:
    p, r = rng.randint(1, 2 + difficulty), rng.choice([n for n in range(-1 - difficulty, 3 + difficulty) if n])
    q = rng.choice([n for n in range(-3, 4) if n]) if difficulty > 1 else 0
    s = rng.choice([n for n in range(-4, 5) if n]) if difficulty > 2 else 0
    if p * p + q * q == r * r + s * s:
        return None
    u = p * x - q * y + r * x + s * y
    v = p * y + q * x - r * y + s * x
    right = r"\overline{z}"
    second = signed(r, right) if not s else f"+ ({_gaussian(r, s)}){right}"
    first = f"({_gaussian(p, q)})z" if q else f"{p if p > 1 else ''}z"
    equation = f"${first} {second} = {_gaussian(u, v)}$"
    problem = {
        "norm": rng.choice(
            (
                f"The complex number $z$ satisfies {equation}. Find $|z|^2$.",
                f"For exactly one complex number $z$, {equation}. What is $|z|^2$?",
            )
        ),
        "sum": rng.choice(
            (
                f"Let $z = x + yi$ with real numbers $x$ and $y$. If {equation}, what is $x + y$?",
                f"Solve {equation} for the complex number $z$. What is the sum of its real and its imaginary part?",
            )
        ),
    }[asked]
    answer = x + y if asked == "sum" else x * x + y * y
    return Draw(problem, str(answer), {"kind": "linear", "numbers": [p, q, r, s, u, v], "asked": asked})


def _other_solution(size: int, total: int, x: int, y: int) -> bool:
    """Whether size·|z| + z = total + yi has a real part other than x as well."""
    # (size² - 1)·a² + 2·total·a + size²·y² - total² = 0 has the roots x and the one that Vieta gives.
    other = Fraction(-2 * total, size * size - 1) - x
    return other != x and other <= total


def _gaussian(real: int, imaginary: int) -> str:
    if not real:
        return polynomial([imaginary, 0], "i")
    return f"{real} {signed(imaginary, 'i')}".strip()


def norm_by_matrix(coefficients: list[int], factor: list[int]) -> object:
    """Take the determinant of multiplication by the factor on polynomials modulo P: the product over its roots."""
    from fractions import Fraction
    from itertools import permutations

    degree = len(coefficients) - 1
    rows = []
    for shift in range(degree):
        row = [Fraction(0)] * shift + [Fraction(c) for c in reversed(factor)]
        row += [Fraction(0)] * (degree - len(row))
        while len(row) > degree:
            top = row.pop() / coefficients[0]
            for k in range(1, degree + 1):
                row[len(row) - k] -= top * coefficients[k]
        rows.append(row)
    total = Fraction(0)
    for order in permutations(range(degree)):
        term = Fraction(1)
        for k in range(degree):
            term *= rows[k][order[k]]
            if not term:
                break
        swaps = sum(order[i] > order[j] for i in range(degree) for j in range(i + 1, degree))
        total += (-1) ** swaps * term
    return total


@generator("Evaluate a product over all roots in the factored polynomial", check=norm_by_matrix)
def product_over_roots(rng: Random, difficulty: int) -> Draw | None:
    degree = rng.choice(((3,), (3, 4), (3, 4, 5))[difficulty - 1])
    lead = 1 if difficulty == 1 else rng.choice((1, 1, 2, 3))
    spread = (5, 6, 7)[difficulty - 1]
    inner = [rng.randint(-spread, spread) for _ in range(degree - 1)]
    if degree > 3:
        inner[rng.randrange(degree - 1)] = 0
    coefficients = [lead, *inner, rng.choice([n for n in range(-9, 10) if n])]
    if difficulty == 3 or (difficulty == 2 and rng.random() < 0.4):
        factor = [
            1,
            *rng.choice(
                ((0, 1), (0, 4), (1, 1), (-1, 1), (2, 2), (0, 9), (-2, 2), (2, 5), (0, 2))[
                    : 9 if difficulty == 3 else 2
                ]
            ),
        ]
    else:
        factor = [rng.choice(((1, -1), (1, -1, 2, 3))[difficulty - 1]), rng.choice([n for n in range(-4, 5) if n])]
        if (factor[0] < 0 and factor[1] < 0) or gcd(*factor) > 1:
            return None
    product = _value_at_zeros(coefficients, factor)
    if not product or abs(product) > 20000:
        return None
    names = rng.choice(("rstuv", "abcde", "uvwyz"))[:degree]
    written = "".join(_bracket(factor, name) for name in names)
    listed_names = ", ".join(f"${name}$" for name in names[:-1]) + f" and ${names[-1]}$"
    equation = f"{polynomial(coefficients)} = 0"
    number = {3: "three", 4: "four", 5: "five"}[degree]
    problem = rng.choice(
        (
            f"Let {listed_names} be the complex roots of ${equation}$. Find ${written}$.",
            f"Over the complex numbers, ${polynomial(coefficients)} = "
            f"{'' if lead == 1 else lead}{''.join(f'(x - {name})' for name in names)}$ for all $x$. What is the value "
            f"of ${written}$?",
            f"For each of the {number} complex roots $r$ of ${equation}$, counted with multiplicity, the number "
            f"${_bracket(factor, 'r')[1:-1]}$ is computed. What is the product of these {number} numbers?",
        )
    )
    return Draw(problem, str(product), {"coefficients": coefficients, "factor": factor})


def _value_at_zeros(coefficients: list[int], factor: list[int]) -> Fraction:
    """Evaluate the polynomial at the zeros of the linear or quadratic factor."""
    lead, degree = coefficients[0], len(coefficients) - 1
    if len(factor) == 2:
        zero, value = Fraction(-factor[1], factor[0]), Fraction(0)
        for c in coefficients:
            value = value * zero + c
        return Fraction(-factor[0]) ** degree * value / lead
    # Zeros c, d of x² + px + q; powers are reduced to u·x + v, and (uc + v)(ud + v) = u²q - uvp + v².
    _, p, q = factor
    u, v = 0, 0
    for c in coefficients:
        u, v = v - p * u, c - q * u
    return Fraction(u * u * q - u * v * p + v * v, lead * lead)


def _bracket(factor: list[int], name: str) -> str:
    if factor[0] < 0 < factor[-1]:
        return f"({factor[1]} - {name})" if len(factor) == 2 else f"({polynomial(factor, name)})"
    return f"({polynomial(factor, name)})"


def divided(kind: str, numbers: list[int], asked: str) -> str:
    """Work with real 2×2 matrices in place of complex numbers, where division is Cramer's rule."""
    from fractions import Fraction

    a, b, c, d, e, f, n = numbers

    def times(z: tuple[Fraction, Fraction], w: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        rows = ((z[0], -z[1]), (z[1], z[0]))
        first, second = (row[0] * w[0] + row[1] * w[1] for row in rows)
        return first, second

    def over(z: tuple[Fraction, Fraction], w: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
        # w·q = z as two equations for the parts of q
        determinant = w[0] * w[0] + w[1] * w[1]
        return (z[0] * w[0] + z[1] * w[1]) / determinant, (w[0] * z[1] - w[1] * z[0]) / determinant

    one, two, three = ((Fraction(x), Fraction(y)) for x, y in ((a, b), (c, d), (e, f)))
    if kind == "quotient":
        real, imaginary = over(one, two)
    elif kind == "product":
        real, imaginary = times(one, two)
    elif kind == "both":
        real, imaginary = over(times(one, three), two)
    else:
        real, imaginary = over(one, two)
        power = (Fraction(1), Fraction(0))
        for _ in range(n):
            power = times(power, (Fraction(0), Fraction(1)))
        real, imaginary = real + e * power[0], imaginary + e * power[1]
    return str({"sum": real + imaginary, "real": real, "imaginary": imaginary}[asked])


@generator("Combine complex numbers part by part and divide by the conjugate", check=divided)
def complex_quotient(rng: Random, difficulty: int) -> Draw | None:
    kind = rng.choice((("quotient", "product"), ("quotient", "quotient", "both"), ("both", "power"))[difficulty - 1])
    reach = (4, 6, 8)[difficulty - 1]
    a, b, c, d, e, f = (rng.choice([n for n in range(-reach, reach + 1) if n]) for _ in range(6))
    c, n = abs(c), rng.randint(3, 30)
    if kind == "product":
        shown, real, imaginary = f"({_gaussian(a, b)})({_gaussian(c, d)})", Fraction(a * c - b * d), Fraction(0)
        imaginary += a * d + b * c
    else:
        top = (a * e - b * f, a * f + b * e) if kind == "both" else (a, b)
        size = c * c + d * d
        real, imaginary = Fraction(top[0] * c + top[1] * d, size), Fraction(top[1] * c - top[0] * d, size)
        above = f"({_gaussian(a, b)})({_gaussian(e, f)})" if kind == "both" else _gaussian(a, b)
        shown = rf"\dfrac{{{above}}}{{{_gaussian(c, d)}}}"
        if kind == "power":
            shown += f" {signed(e, f'i^{{{n}}}')}"
            step = ((1, 0), (0, 1), (-1, 0), (0, -1))[n % 4]
            real, imaginary = real + e * step[0], imaginary + e * step[1]
    if max(real.denominator, imaginary.denominator) > (13, 26, 60)[difficulty - 1]:
        return None
    asked = rng.choice(("sum", "sum", "real", "imaginary"))
    answer = {"sum": real + imaginary, "real": real, "imaginary": imaginary}[asked]
    forms = {
        "sum": (
            f"Real numbers $a$ and $b$ are chosen so that ${shown} = a + bi$. Find $a + b$.",
            f"Write ${shown}$ in the form $x + yi$ with real $x$ and $y$. What is $x + y$?",
        ),
        "real": (
            f"What is the real part of ${shown}$?",
            f"Simplify ${shown}$ to $a + bi$ with real numbers $a$ and $b$, and give $a$.",
        ),
        "imaginary": (
            f"Find the imaginary part of ${shown}$.",
            f"Simplify ${shown}$ to $a + bi$ with real numbers $a$ and $b$, and give $b$.",
        ),
    }[asked]
    return Draw(rng.choice(forms), str(answer), {"kind": kind, "numbers": [a, b, c, d, e, f, n], "asked": asked})
