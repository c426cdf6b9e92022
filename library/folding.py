"""The form in which text is compared by its words: case, accents, compatibility forms and plurals folded away.

Names that are equal under `library.template.name_key` have equal words here, since the words are made from that key.
A word is a run of ASCII letters and digits and of any characters beyond ASCII; Chinese and Japanese characters, which
are written without spaces, are words of their own.
"""

import re
import unicodedata

from library.template import name_key

_WORD = re.compile("[0-9a-z\x80-\U0010ffff]+")
# Harman's S stemmer (1991): English plurals lose their s, so that "averages" is found by "average".
_PLURAL_IES = re.compile(r"(?<=[a-z][b-df-z])ies\b")
_PLURAL_S = re.compile(r"(?<=[a-z][a-rtv-z])s\b")
_ACCENTS = range(0x0300, 0x0370)
_UNSPACED = (
    (0x2E80, 0x2FDF),
    (0x3041, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)


class _Characters(dict[int, str]):
    """What each character becomes, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if code in _ACCENTS:
            mapped = ""
        elif any(first <= code <= last for first, last in _UNSPACED):
            mapped = f" {character} "
        else:
            mapped = character if unicodedata.category(character)[0] in "LNM" else " "
        if len(self) < _MOST_CHARACTERS:
            self[code] = mapped
        return mapped


_MOST_CHARACTERS = 20_000
_CHARACTERS = _Characters()


def search_text(text: str) -> str:
    """Return `text` in the form that the full-text index holds: its words, in order, with other characters between."""
    if text.isascii():
        folded = text.lower()
    else:
        decomposed = unicodedata.normalize("NFKD", name_key(text)).casefold()
        folded = unicodedata.normalize("NFC", decomposed.translate(_CHARACTERS))
    return _PLURAL_S.sub("", _PLURAL_IES.sub("y", folded))


def words(folded: str) -> list[str]:
    """Return the words of a text that `search_text` made, in order."""
    return _WORD.findall(folded)
