"""Whether a text holds an answer: a trajectory that was found with the answer as a hint must not tell it."""

import re
from typing import Literal

from library.template import name_key
from reasonflux.grading import Grader
from reasonflux.notation import to_plain

_NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)?(?:\s*/\s*\d+)?%?|\\frac\{\d+\}\{\d+\}")
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip


def holds_answer(text: str, gold: str, grader: Grader, *, kind: Literal["math", "text"] = "math") -> bool:
    """Return whether `text` holds the answer: its words or its spelling, or a number of equal value, also as a word.

    It errs on the side of yes: a small number may stand in a text for a reason of its own.
    """
    plain, wanted = name_key(to_plain(text)), name_key(to_plain(gold))
    if wanted and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", plain):
        return True
    squeezed = re.sub(r"\s", "", wanted)
    # A formula may be spaced otherwise; a short word would be found inside of others.
    if len(squeezed) > 3 and squeezed in re.sub(r"\s", "", plain):
        return True
    if kind == "text":
        return False
    numbers = [*_NUMBER.findall(text), *(str(value) for value, word in enumerate(_WORDS) if _says(word, plain))]
    return any(grader.grade(gold, number).correct is True for number in dict.fromkeys(numbers))


def _says(word: str, plain: str) -> bool:
    return re.search(rf"\b{word}\b", plain) is not None
