r"""Units, currency signs and percent at the edge of a canonical answer: told apart from the value, then compared.

A unit that is not written is no fault. Two known units must measure the same thing and are converted exactly;
names that are not in the table (`5 apples`) are never held against an answer.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from reasonflux.structure import is_text, type_of

_MAX_LENGTH = 400
_TABLE: dict[str, tuple[str, Fraction]] = {}
for _dimension, _factor, _names in (
    ("length", "1/1000", "mm millimeter millimetre"),
    ("length", "1/100", "cm centimeter centimetre"),
    ("length", "1", "m meter metre"),
    ("length", "1000", "km kilometer kilometre"),
    ("length", "0.0254", "in inch inches"),
    ("length", "0.3048", "ft foot feet"),
    ("length", "0.9144", "yd yard"),
    ("length", "1609.344", "mi mile"),
    ("time", "1", "s sec second"),
    ("time", "60", "min minute"),
    ("time", "3600", "h hr hour"),
    ("time", "86400", "day"),
    ("time", "604800", "week"),
    ("mass", "1/1000", "mg milligram"),
    ("mass", "1", "g gram"),
    ("mass", "1000", "kg kilogram"),
    ("mass", "453.59237", "lb pound"),
    ("volume", "1/1000", "ml mL milliliter millilitre"),
    ("volume", "1", "L l liter litre"),
    ("money", "1", "dollar"),
    ("money", "1/100", "cent"),
    ("degree", "1", "deg degree"),
    ("radian", "1", "rad radian"),
    ("percent", "1", "percent"),
):
    for _name in _names.split():
        _TABLE[_name] = (_dimension, Fraction(_factor))

_DEGREES = re.compile(r"(.+?)\^\{ ?\\circ ?\}([CFK]?)", re.DOTALL)
_WORDS = re.compile(
    r"(?P<value>.*[0-9})])(?P<gap> ?)(?P<words>[A-Za-z]{1,20}\.?(?: [A-Za-z]{1,20}){0,3})"
    r"(?:/ ?(?P<per>[A-Za-z]{1,12}))?(?:\^\{(?P<power>[23])\})?",
    re.DOTALL,
)
_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3}
_NO_UNITS = frozenset({"and", "or", "if", "is", "to", "the", "mod"})


@dataclass(frozen=True)
class Unit:
    """A unit: what it measures, in which power, its size, and its name as written."""

    dimension: str | None
    factor: Fraction
    power: int
    name: str

    def comparable(self, other: "Unit") -> bool:
        """Tell whether two units can measure the same thing; unknown ones can."""
        return None in (self.dimension, other.dimension) or (self.dimension, self.power) == (
            other.dimension,
            other.power,
        )


def split_unit(text: str) -> tuple[str, Unit | None]:
    """Return value and unit of a canonical answer; the unit is None where no number stands before one."""
    if len(text) > _MAX_LENGTH or not text:
        return text, None
    sign, body = ("-", text[1:]) if text.startswith("-") else ("", text)
    if body.startswith(r"\$"):
        value, also = split_unit(sign + body[2:])
        return value, also or Unit("money", Fraction(1), 1, "dollar")
    if text.endswith(r"\%"):
        return _checked(text, text[:-2], Unit("percent", Fraction(1), 1, "percent"))
    if match := _DEGREES.fullmatch(text):
        scale = f"degree {match[2]}" if match[2] else "degree"
        return _checked(text, match[1], Unit(scale, Fraction(1), 1, scale))
    match = _WORDS.fullmatch(text)
    if match is None:
        return text, None
    unit = _named(match["words"], match["per"], int(match["power"] or 1), gap=bool(match["gap"]))
    return _checked(text, match["value"], unit) if unit else (text, None)


def _checked(text: str, value: str, unit: Unit) -> tuple[str, Unit | None]:
    value = value.strip()
    numeric = bool(value) and not is_text(value) and type_of(value) in ("integer", "rational", "real")
    return (value, unit) if numeric else (text, None)


def _named(words: str, per: str | None, power: int, *, gap: bool) -> Unit | None:
    parts = words.rstrip(".").split()
    if parts[0] in _NO_UNITS or any(part in _NO_UNITS for part in parts[1:]):
        return None
    if len(parts) == 2 and parts[0] in _POWERS:
        power, parts = _POWERS[parts[0]], parts[1:]
    elif len(parts) == 2 and parts[1] in ("squared", "cubed"):
        power, parts = (2 if parts[1] == "squared" else 3), parts[:1]
    name = parts[0]
    entry = _TABLE.get(name) or _TABLE.get(name.lower()) or _TABLE.get(name.lower().removesuffix("s"))
    if len(parts) == 1 and per is None and entry is not None:
        if len(name) == 1 and not gap:
            return None
        return Unit(entry[0], entry[1] ** power, power, name.lower().removesuffix("s"))
    whole = " ".join(parts) + (f"/{per}" if per else "")
    if len(parts) == 1 and per is None and (len(name) < 3 or not is_text(name)):
        return None
    return Unit(None, Fraction(1), power, whole.casefold())
