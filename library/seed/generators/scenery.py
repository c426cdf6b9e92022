"""People, things and numbers that drawn problems are made of."""

from collections.abc import Sequence
from random import Random

_PEOPLE = (
    "Ada", "Amir", "Anouk", "Bao", "Carmen", "Chidi", "Dana", "Elif", "Emeka", "Farah", "Goran", "Hana", "Ines",
    "Ivan", "Jonas", "Kaya", "Lena", "Liam", "Mara", "Mei", "Milan", "Nadia", "Noor", "Olu", "Petra", "Priya",
    "Quinn", "Rafael", "Rosa", "Sami", "Selma", "Tariq", "Tomas", "Uma", "Vera", "Wanda", "Yara", "Yusuf", "Zoe",
)  # fmt: skip


def people(rng: Random, number: int) -> list[str]:
    """Draw distinct first names."""
    return rng.sample(_PEOPLE, number)


def person(rng: Random) -> str:
    """Draw one first name."""
    return rng.choice(_PEOPLE)


def signed(value: int, symbol: str = "") -> str:
    """Write a term that follows others: `+ 3x`, `- x` for -1, an empty text for 0."""
    if value == 0:
        return ""
    size = "" if abs(value) == 1 and symbol else str(abs(value))
    return f"{'+' if value > 0 else '-'} {size}{symbol}"


def polynomial(coefficients: Sequence[int], symbol: str = "x") -> str:
    """Write a polynomial in LaTeX from its coefficients, highest power first: `2x^2 - x + 3`."""
    terms: list[str] = []
    for power, coefficient in zip(range(len(coefficients) - 1, -1, -1), coefficients, strict=True):
        term = signed(coefficient, _power(symbol, power))
        if term:
            terms.append(term if terms else term.replace("+ ", "").replace("- ", "-"))
    return " ".join(terms) or "0"


def _power(symbol: str, power: int) -> str:
    if power < 2:
        return symbol * power
    return f"{symbol}^{power}" if power < 10 else f"{symbol}^{{{power}}}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Write a list as English does: `a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(number: int, thing: str, things: str = "") -> str:
    """Write a number of things: `1 bus`, `3 buses`; the plural is the singular with an s where none is given."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def times(number: int) -> str:
    """Write a multiple in words: `twice`, `three times`."""
    words = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return "twice" if number == 2 else f"{words[number - 3]} times"


def dollars(cents: int) -> str:
    """Write a sum of money in words: `5 dollars`, `80 cents`, `5 dollars 80 cents`."""
    whole, rest = divmod(cents, 100)
    parts = [counted(whole, "dollar")] * (whole > 0) + [counted(rest, "cent")] * (rest > 0)
    return " ".join(parts) or "0 dollars"


def clock(minutes: int) -> str:
    """Write minutes after midnight as a time of day: `9:05`, `21:40`."""
    return f"{minutes // 60 % 24}:{minutes % 60:02}"


def ordinal(number: int) -> str:
    """Write a place in a row: `1st`, `22nd`, `113th`."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def an(number: int) -> str:
    """Put the indefinite article before a number: `a 7`, `an 8`, `an 11`."""
    digits = str(number)
    vowel = digits[0] == "8" or (digits[:2] in ("11", "18") and len(digits) % 3 == 2)
    return f"{'an' if vowel else 'a'} {number}"
