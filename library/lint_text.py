r"""Lint rules about characters: mathematics that is never closed, characters nobody sees, texts left to be written."""

import re
import unicodedata
from collections.abc import Iterator

from library.checking import Location, spelled, texts_of
from library.lint_rule import Hit, Options, Rule
from library.template import Template

_CODE_PARTS = ("program", "check")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\uffff"
    "\ufdd0-\ufdef\ud800-\udfff]"
)
_PLACEHOLDER = re.compile(
    r"\b(?:TODO|TBD|FIXME)\b"
    r"|(?i:\blorem ipsum\b|<(?:insert|your|fill)\b[^>\n]{0,40}>|\[(?:insert|fill in)\b[^\]\n]{0,40}\])"
)
_DOLLAR = re.compile(r"(?<!\\)\$")
_CURRENCY = re.compile(r"(?<!\\)(?:(?<=[A-Za-z])\$|\$(?=\s?\d))")
_TOKEN = re.compile(r"\\(?:left|right)(?![A-Za-z])|\\(?:begin|end)\s*\{([^{}]{0,40})\}|\\.|[{}]", re.DOTALL)
_PAIRS = {"\\)": "\\(", "\\]": "\\[", "\\right": "\\left", "}": "{"}
_OPENINGS = frozenset(_PAIRS.values())


def _words_of(template: Template) -> Iterator[tuple[Location, str]]:
    return ((place, text) for place, text in texts_of(template) if place[-1] not in _CODE_PARTS)


def unbalanced(text: str) -> str | None:
    r"""Return what of a text's LaTeX is left open or closed without being opened; None where nothing is.

    Dollars are counted in pairs unless each is a price (`$5`, `US$ 5`); braces, `\left`, `\(`, `\[` and environments
    must each be closed in turn. `\{` and `\}` are characters like any other.
    """
    plain = text.replace("\\\\", "  ")
    dollars = len(_DOLLAR.findall(plain))
    if dollars % 2 and len(_CURRENCY.findall(plain)) != dollars:
        return "an odd number of $"
    open_now: list[str] = []
    for found in _TOKEN.finditer(plain):
        token = found[0]
        environment = found[1]
        if environment is not None:
            opening = "\\begin{" + environment + "}"
            if token.startswith("\\begin"):
                open_now.append(opening)
            elif not open_now or open_now.pop() != opening:
                return f"{token} without {opening}"
        elif token in _OPENINGS:
            open_now.append(token)
        elif token in _PAIRS and (not open_now or open_now.pop() != _PAIRS[token]):
            return f"{token} without {_PAIRS[token]}"
    return f"{open_now[-1]} that is never closed" if open_now else None


def _unbalanced_texts(template: Template, options: Options) -> Iterator[Hit]:
    for place, text in _words_of(template):
        problem = unbalanced(text)
        if problem is not None:
            yield spelled(place), f"has {problem}"


def _unseen_characters(template: Template, options: Options) -> Iterator[Hit]:
    for place, text in texts_of(template):
        found = _UNSEEN.search(text)
        if found is not None:
            name = unicodedata.name(found[0], "a control character or none at all")
            yield spelled(place), f"holds U+{ord(found[0]):04X} ({name}) as character {found.start() + 1}"


def _other_forms(template: Template, options: Options) -> Iterator[Hit]:
    for place, text in texts_of(template):
        if not unicodedata.is_normalized("NFC", text):
            yield spelled(place), "is not in Unicode's composed form (NFC), so equal texts may differ in bytes"


def _placeholders(template: Template, options: Options) -> Iterator[Hit]:
    for place, text in _words_of(template):
        found = _PLACEHOLDER.search(text)
        if found is not None:
            yield spelled(place), f'still holds "{found[0]}"'


TEXT_RULES = (
    Rule("TXT01", "error", "LaTeX, dollars or braces are not balanced.", _unbalanced_texts),
    Rule("TXT02", "error", "A text holds a character that nobody sees.", _unseen_characters),
    Rule("TXT03", "warning", "A text is not in composed Unicode form (NFC).", _other_forms),
    Rule("TXT04", "error", "A text still holds a placeholder.", _placeholders),
)
