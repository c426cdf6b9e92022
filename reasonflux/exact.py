r"""Exact numbers read off canonical answers, as fractions: no floats, and a bound on size and time."""

import re
from fractions import Fraction

_MAX_EXACT_DIGITS = 4000
_MAX_EXPONENT = 2000
_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_DECIMAL = re.compile(r"([-+]?)([0-9]*)(?:\.([0-9]*))?")
_SCIENTIFIC = re.compile(rf"([-+]?{_NUMBER})(?:[eE]([-+]?[0-9]{{1,6}})|\\cdot10\^\{{([-+]?[0-9]{{1,6}})\}})")
_POWER_OF_TEN = re.compile(r"([-+]?)10\^\{([-+]?[0-9]{1,6})\}")
_FRACTION = re.compile(
    rf"([-+]?)([0-9]+(?=\\)|[0-9]+ (?=[0-9]))?"
    rf"(?:\\frac\{{([-+]?{_NUMBER})\}}\{{([-+]?{_NUMBER})\}}|({_NUMBER})/({_NUMBER}))"
)
_REPEATING = re.compile(r"([-+]?)([0-9]*)\.([0-9]*)\\(?:overline|bar|dot)\{([0-9]+)\}")


def decimal_form(canonical: str) -> str | None:
    """Return the one spelling of a plain decimal number of any length (`-007.50` is `-7.5`), or None."""
    match = _DECIMAL.fullmatch(canonical)
    if match is None or not (match[2] or match[3]):
        return None
    whole = match[2].lstrip("0") or "0"
    part = (match[3] or "").rstrip("0")
    digits = f"{whole}.{part}" if part else whole
    return f"-{digits}" if match[1] == "-" and digits != "0" else digits


def exact_value(canonical: str) -> Fraction | None:
    r"""Return the exact value of a number: decimal, fraction, mixed number, `a\cdot10^{n}`, repeating decimal.

    None for everything else, for a zero denominator, and for numbers of thousands of digits.
    """
    if len(canonical) > _MAX_EXACT_DIGITS:
        return None
    if match := _DECIMAL.fullmatch(canonical):
        return Fraction(canonical.rstrip(".")) if match[2] or match[3] else None
    if match := _SCIENTIFIC.fullmatch(canonical):
        return _scaled(Fraction(match[1].rstrip(".")), int(match[2] or match[3]))
    if match := _POWER_OF_TEN.fullmatch(canonical):
        return _scaled(Fraction(f"{match[1]}1"), int(match[2]))
    if match := _FRACTION.fullmatch(canonical):
        bottom = Fraction((match[4] or match[6]).rstrip("."))
        top = Fraction((match[3] or match[5]).rstrip("."))
        if bottom == 0 or (match[2] and (top < 0 or bottom < 0)):
            return None
        value = Fraction(match[2].strip()) + top / bottom if match[2] else top / bottom
        return -value if match[1] == "-" else value
    if match := _REPEATING.fullmatch(canonical):
        head = Fraction(f"{match[2] or '0'}.{match[3] or '0'}")
        cycle = Fraction(int(match[4]), 10 ** len(match[3]) * (10 ** len(match[4]) - 1))
        return -(head + cycle) if match[1] == "-" else head + cycle
    return None


def _scaled(value: Fraction, exponent: int) -> Fraction | None:
    return value * Fraction(10) ** exponent if abs(exponent) <= _MAX_EXPONENT else None
