"""Problems on mixtures."""

from fractions import Fraction
from math import gcd
from random import Random

from library.generating import Draw, generator
from library.seed.generators.scenery import an as article
from library.seed.generators.scenery import person


def shares_followed(portions: list[list[int]], lost: int, final: int, ask: str) -> str:
    """Follow what is not dissolved: its weight in each portion, with an unknown amount tried upwards by tenths."""
    from fractions import Fraction

    other = sum((Fraction(amount * (100 - percent), 100) for amount, percent in portions if amount), Fraction(0))
    total = Fraction(sum(amount for amount, _ in portions) - lost)
    other -= lost
    if ask == "strength":
        return str(100 - 100 * other / total)
    percent = next((percent for amount, percent in portions if not amount), 0)
    sign = -1 if ask == "boiled" else 1
    tenths = 0
    while True:
        added = sign * Fraction(tenths, 10)
        if 100 * (other + added * Fraction(100 - percent, 100)) == (100 - final) * (total + added):
            return str(abs(added))
        tenths += 1


@generator("Track the pure substance through a mixture", check=shares_followed)
def pure_substance(rng: Random, difficulty: int) -> Draw | None:
    name = person(rng)
    substance, liquid, unit = rng.choice(
        (("salt", "brine", "kg"), ("sugar", "syrup", "kg"), ("acid", "solution", "litres"), ("copper", "alloy", "kg"),
         ("juice", "drink", "litres"))
    )  # fmt: skip
    a = rng.randint(2, 12) * (1 if difficulty == 1 else rng.choice((1, 2, 5)))
    p = rng.randint(1, 16) * (5 if difficulty == 1 else 2)
    b = rng.randint(2, 12) * (1 if difficulty == 1 else rng.choice((1, 2, 5)))
    q = rng.randint(1, 16) * (5 if difficulty == 1 else 2)
    if p == q or min(p, q) < 5 or max(p, q) > {"salt": 25, "sugar": 65}.get(substance, 90):
        return None
    if substance == "copper" and difficulty != 2:
        return None
    an = "an" if liquid == "alloy" else "a"
    lost = final = 0
    if difficulty == 1:
        if rng.random() < 0.5:
            ask, portions = "strength", [[a, p], [b, 0]]
            result = Fraction(a * p, a + b)
            verb = "pure water"
            problem = (
                f"{name} adds {b} {unit} of {verb} to {a} {unit} of {an} {liquid} with {p}% {substance}. What "
                f"percentage of {substance} does it contain now?"
            )
        else:
            ask, portions = "strength", [[a, p], [b, q]]
            result = Fraction(a * p + b * q, a + b)
            problem = (
                f"{name} mixes {a} {unit} of {an} {liquid} with {p}% {substance} and {b} {unit} of another with {q}% "
                f"{substance}. What percentage of {substance} does the mixture contain?"
            )
        if result.denominator > 1:
            return None
        return Draw(problem, str(result), {"portions": portions, "lost": 0, "final": 0, "ask": ask})
    kind = rng.randint(0, 2) if difficulty == 2 else rng.randint(3, 5)
    if kind == 0:
        final = rng.randint(min(p, q) + 1, max(p, q) - 1)
        x = Fraction(a * (final - p), q - final) if final != q else Fraction(0)
        problem = (
            f"How many {'kilograms' if unit == 'kg' else unit} of {an} {liquid} with {q}% {substance} must be mixed "
            f"with {a} {unit} of {an} {liquid} with {p}% {substance} so that the mixture contains {final}% "
            f"{substance}?"
        )
        ask, portions = "added", [[a, p], [0, q]]
    elif kind == 1:
        final = rng.randint(2, p - 1)
        x = Fraction(a * (p - final), final)
        if substance == "copper":
            return None
        problem = (
            f"{name} has {a} {unit} of a {liquid} with {p}% {substance}. How many "
            f"{'kilograms' if unit == 'kg' else unit} of pure water must be added to bring it down to {final}% "
            f"{substance}?"
        )
        ask, portions = "added", [[a, p], [0, 0]]
    elif kind == 2:
        final = rng.randint(p + 1, 90)
        x = Fraction(a * (final - p), 100 - final)
        verb = "melted" if substance == "copper" else "stirred"
        problem = (
            f"How many {'kilograms' if unit == 'kg' else unit} of pure {substance} must be {verb} into {a} {unit} of "
            f"{an} {liquid} with {p}% {substance} to raise its content to {final}%?"
        )
        ask, portions = "added", [[a, p], [0, 100]]
    elif kind == 3:
        if substance not in ("salt", "sugar"):
            return None
        final = rng.choice([k for k in range(p + 1, 91) if 2 * a * (k - p) % k == 0] or [0])
        if final == 0:
            return None
        x = Fraction(a * (final - p), final)
        problem = rng.choice(
            (
                f"Water boils away from {a} kg of a {liquid} that contains {p}% {substance}, while all the "
                f"{substance} stays. How many kilograms of water have boiled away when it contains {final}% "
                f"{substance}?",
                f"{name} wants to thicken {a} kg of {article(p)}-percent {liquid} to {article(final)}-percent one by "
                f"boiling. No {substance} is lost. How many kilograms of water must evaporate?",
            )
        )
        ask, portions = "boiled", [[a, p]]
    elif kind == 4:
        if substance not in ("salt", "sugar"):
            return None
        lost = rng.choice([k for k in range(1, a + b) if (a * p + b * q) % (a + b - k) == 0] or [1])
        portions, ask = [[a, p], [b, q]], "strength"
        x = Fraction(a * p + b * q, max(1, a + b - lost))
        if a + b < lost + 2 or x.denominator > 1 or x > (25 if substance == "salt" else 70):
            return None
        problem = (
            f"{name} mixes {a} kg of a {liquid} with {p}% {substance} and {b} kg of one with {q}%, and boils the "
            f"mixture until {lost} kg of water {'has' if lost == 1 else 'have'} evaporated. What percentage of "
            f"{substance} does it contain then?"
        )
        return Draw(problem, str(x), {"portions": portions, "lost": lost, "final": 0, "ask": ask})
    else:
        r = rng.randint(0, 12) * 5
        c = rng.choice([k for k in range(2, 31) if (a * p + b * q + k * r) % (a + b + k) == 0] or [1])
        if substance == "copper" or r in (p, q) or c == 1 or r > {"salt": 25}.get(substance, 65):
            return None
        mean = Fraction(a * p + b * q + c * r, a + b + c)
        third = f"{c} {unit} of water" if r == 0 else f"{c} {unit} with {r}%"
        if mean.denominator > 1:
            return None
        problem = (
            f"Three portions are poured together: {a} {unit} of a {liquid} with {p}% {substance}, {b} {unit} with "
            f"{q}% and {third}. What percentage of {substance} does the mixture contain?"
        )
        values = {"portions": [[a, p], [b, q], [c, r]], "lost": 0, "final": 0, "ask": "strength"}
        return Draw(problem, str(mean), values)
    if final > {"salt": 25, "sugar": 70}.get(substance, 90):
        return None
    if x <= 0 or (10 * x).denominator > 1 or x > 200 or x.denominator not in (1, 2):
        return None
    return Draw(problem, str(x), {"portions": portions, "lost": lost, "final": final, "ask": ask})


def balanced_by_trial(low: int, high: int, mean: list[int], known: list[int], ask: str) -> str:
    """Try the amounts of the first kind one by one until the mean of all is right."""
    from fractions import Fraction
    from math import gcd

    target = Fraction(mean[0], mean[1])
    which, amount = known
    first = 0
    while True:
        first += 1
        if which == 2:
            pairs = [(first, amount - first)]
        elif which == 1:
            pairs = [(first, amount)]
        elif which == 4:
            pairs = [(first, first + amount), (first + amount, first)]
        elif which == 0:
            pairs = [(amount, first)]
        else:
            pairs = [(first, second) for second in range(1, first + 1)] + [(k, first) for k in range(1, first)]
        for one, two in pairs:
            if one * low + two * high == target * (one + two):
                if ask == "ratio":
                    return str((one + two) // gcd(one, two))
                return str({"first": one, "second": two, "total": one + two}[ask])


@generator("Find the mixing ratio from the distances to the mean", check=balanced_by_trial)
def mixing_ratio(rng: Random, difficulty: int) -> Draw | None:
    below, above = rng.randint(1, (4, 9, 14)[difficulty - 1]), rng.randint(1, (4, 9, 14)[difficulty - 1])
    if below == above:
        return None
    parts = rng.randint(2, (6, 12, 20)[difficulty - 1])
    name = person(rng)
    situation = rng.randint(0, 3)
    tenth = difficulty == 3 and situation > 1
    first, second = above * parts, below * parts
    if situation == 0:
        low = rng.randint(3, 12)
        thing = rng.choice(("coffee", "tea", "rice", "nuts"))
        one, two = f"kilograms of the cheaper {thing}", f"kilograms of the dearer {thing}"
        mean, high = low + below, low + below + above
        story = (
            f"A shop sells two kinds of {thing}, one for {low} dollars a kilogram and one for {high} dollars a "
            f"kilogram, and mixes them into a blend worth {mean} dollars a kilogram."
        )
        whole = "kilograms of the blend"
    elif situation == 1:
        low = rng.randint(2, 12)
        mean, high = low + below, low + below + above
        one, two = f"litres of the {low}% solution", f"litres of the {high}% solution"
        story = (
            f"{name} pours {article(low)}% sugar solution and {article(high)}% sugar solution together and gets "
            f"{article(mean)}% solution."
        )
        whole = "litres of the mixture"
    elif situation == 2:
        low = rng.randint(9, 30)
        mean, high = low + below, low + below + above
        one, two = "juniors", "seniors"
        story = (
            f"In a sports club the mean age of the juniors is {low} years, that of the seniors is {high} years, and "
            f"that of all members together is {mean} years. Every member is a junior or a senior."
        )
        whole = "members"
    else:
        low = rng.randint(40, 75)
        mean, high = low + below, low + below + above
        one, two = "pupils in class A", "pupils in class B"
        story = (
            f"Two classes wrote the same test. Class A scored {low} points on average, class B scored {high} on "
            f"average, and the average of all pupils was {mean} points."
        )
        whole = "pupils in the two classes together"
    low_mean: list[int] = [mean, 1]
    if tenth:
        # A finer mean: the amounts differ by a drawn ratio instead of the distances.
        first, second = rng.randint(6, 40), rng.randint(6, 40)
        exact = Fraction(first * low + second * high, first + second)
        if exact.denominator not in (2, 4, 5) or first == second:
            return None
        story = story.replace(f"is {mean} years.", f"is {float(exact)} years.").replace(
            f"was {mean} points", f"was {float(exact)} points"
        )
        low_mean = [exact.numerator, exact.denominator]
    ask = rng.choice(("first", "second", "ratio") if difficulty == 1 else ("first", "second", "total", "ratio"))
    if ask == "ratio":
        answer = (first + second) // gcd(first, second)
        known = [3, 0]
        question = (
            "In what ratio $p : q$, in lowest terms, are the two kinds mixed? Give $p + q$.",
            "In what ratio $p : q$, in lowest terms, are the two solutions mixed? Give $p + q$.",
            "Write the ratio of juniors to seniors in lowest terms as $p : q$. What is $p + q$?",
            "The numbers of pupils in the two classes are in the ratio $p : q$ in lowest terms. What is $p + q$?",
        )[situation]
    else:
        answer = {"first": first, "second": second, "total": first + second}[ask]
        which = {"first": rng.choice((1, 2)), "second": rng.choice((0, 2)), "total": rng.choice((0, 1))}[ask]
        amount = (first, second, first + second)[which]
        if difficulty == 3 and rng.random() < 0.5 and first != second:
            which, amount = 4, abs(first - second)
        given = f"more {one if first > second else two} than {two if first > second else one}"
        if which < 4:
            given = (one, two, whole)[which]
        verb = "is" if amount == 1 else "are"
        known = [which, amount]
        asked = {"first": one, "second": two, "total": whole}[ask]
        question = f"There {verb} {amount} {given}. How many {asked} are there?"
        if amount == 1:
            return None
    values = {"low": low, "high": high, "mean": low_mean, "known": known, "ask": ask}
    return Draw(f"{story} {question}", str(answer), values)
