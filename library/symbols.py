r"""Words for what the symbols of a problem's formulas say, so that a formula is found by words.

"Solve $\sqrt{x+7} = x - 5$" has hardly a word in common with a template on radical equations. What the notation says,
a square root and an equation, is looked up beside the words of the text. Only text between dollars is read so, and
what has a `^`.
"""

import re
from functools import cache

_FORMULA = re.compile(r"\$[^$]{1,2000}\$|\S{0,80}\^\S{1,80}")
_MEANINGS = (
    (r"\\sqrt\s*\[\s*3\s*\]", "cube root radical"),
    (r"\\sqrt", "root radical"),
    (r"\\[dt]?frac", "fraction"),
    (r"\\(?:log|ln|lg)(?![a-zA-Z])", "logarithm"),
    (r"\\(?:sin|cos|tan|cot|sec|csc)(?![a-zA-Z])", "trigonometric sine cosine angle"),
    (r"\\arc(?:sin|cos|tan)\b|\\(?:sin|cos|tan)\^\{-1\}", "inverse trigonometric"),
    (r"\\lfloor", "floor integer part"),
    (r"\\lceil", "ceiling"),
    (r"\\binom|\\choose", "binomial coefficient"),
    (r"[0-9a-z)]!", "factorial"),
    (r"\\p?mod(?![a-zA-Z])|\\bmod|\\equiv", "modulo congruence remainder"),
    (r"\\int(?![a-zA-Z])", "integral"),
    (r"\\lim(?![a-zA-Z])", "limit"),
    (r"\\sum(?![a-zA-Z])", "sum series"),
    (r"\\prod(?![a-zA-Z])", "product"),
    (r"[pb]matrix", "matrix"),
    (r"vmatrix|\\det(?![a-zA-Z])", "determinant matrix"),
    (r"\\vec(?![a-zA-Z])|\\overrightarrow", "vector"),
    (r"\\angle", "angle"),
    (r"\\triangle", "triangle"),
    (r"\^\\circ|°", "degree angle"),
    (r"\\overline\{[0-9]", "repeating decimal digit"),
    (r"[fgy]'|\\frac\{d", "derivative"),
    (r"\\infty", "infinite"),
    (r"\\[cl]?dots", "sequence series pattern"),
    (r"\\(?:le|leq|ge|geq|lt|gt)(?![a-zA-Z])|[<>]", "inequality"),
    (r"\||\\lvert", "absolute value"),
    (r"[a-z]_\{?[nk]\s*[+-]\s*[0-9]", "recurrence sequence term"),
    (r"[a-z]_\{?[nk]\b", "sequence term"),
    (r"[fg]\([a-z]\s*\+\s*[a-z]\)|[fg]\([fg]\(|[fg]\([a-z]{2}\)", "functional equation"),
    (r"\b[fghpP]\(", "function"),
    (r"[a-z]\^\{?4", "fourth power polynomial"),
    (r"[a-z]\^\{?3", "cubic cube polynomial"),
    (r"[a-z]\^\{?2", "quadratic square"),
    (r"\^\{?-?[0-9]*[a-z(]", "exponent power exponential"),
    (r"[0-9]\^\{?[0-9]{2}", "large power exponent"),
    (r"(?<![a-zA-Z\\])i(?![a-zA-Z])", "complex imaginary"),
    (r"\(\s*-?[0-9]+\s*(?:,\s*-?[0-9]+\s*){2}\)", "coordinate space vector point"),
    (r"\(\s*-?[0-9]+\s*,\s*-?[0-9]+\s*\)", "coordinate point plane"),
    (r"%", "percent"),
    (r"[0-9]_\{?[0-9]{1,2}\b", "base"),
    (r"x\^\{?2\}?\s*\+\s*y\^\{?2", "circle"),
    (r"\b[a-z]\s*\+\s*[a-z]\s*\+\s*[a-z]\b", "three variable sum symmetric"),
    (r"\\begin\{(?:cases|align)", "system equation"),
    (r"=", "equation"),
)


@cache
def _meanings() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((re.compile(pattern), tuple(meaning.split())) for pattern, meaning in _MEANINGS)


def meanings(text: str) -> list[str]:
    """Return words, each once, for the notation in the formulas of a text."""
    formulas = " ".join(_FORMULA.findall(text))
    if not formulas:
        return []
    return list(dict.fromkeys(word for pattern, said in _meanings() if pattern.search(formulas) for word in said))
