r"""One canonical spelling for answers.

`normalise` maps the many ways of writing the same text (unicode signs, LaTeX spacing and sizing, `\dfrac`,
thousands separators, SymPy's own printing) to one LaTeX-like form. It changes spelling only: no arithmetic, no
unit dropped, and no digit that the text does not hold. It runs in time linear in the text and never raises.
What two canonical forms have to do with each other is decided in `reasonflux.equivalence`.
"""

import re
import unicodedata
from collections.abc import Iterator

_PASSES = 8

_CHARACTERS = {
    **dict.fromkeys("−–—‒―﹣－", "-"),
    **dict.fromkeys("×⋅·∙⨯", r"\cdot "),
    **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\x00", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", ""),
    **dict.fromkeys("÷⁄∕", "/"),
    **dict.fromkeys("’′`", "'"),
    **dict.fromkeys("“”", '"'),
    "√": r"\sqrt ",
    "π": r"\pi ",
    "∞": r"\infty ",
    "≤": r"\leq ",
    "≥": r"\geq ",
    "≠": r"\neq ",
    "≈": r"\approx ",
    "∪": r"\cup ",
    "∩": r"\cap ",
    "∈": r"\in ",
    "∅": r"\emptyset ",
    "±": r"\pm ",
    "°": r"^{\circ}",
    "⟨": r"\langle ",
    "⟩": r"\rangle ",
}
_SPACES = {r"\,", r"\ ", r"\;", r"\:", r"\>", r"\quad", r"\qquad", "~", r"\enspace", r"\thinspace", r"\space"}
_DROPPED = {
    r"\(", r"\)", r"\[", r"\]", r"\displaystyle", r"\textstyle", r"\limits", r"\big", r"\Big", r"\bigg",
    r"\Bigg", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\biggl", r"\biggr", r"\left", r"\right", r"\middle", "$",
}  # fmt: skip
_RENAMED = {
    r"\dfrac": r"\frac", r"\tfrac": r"\frac", r"\cfrac": r"\frac", r"\le": r"\leq", r"\leqslant": r"\leq",
    r"\ge": r"\geq", r"\geqslant": r"\geq", r"\ne": r"\neq", r"\lt": "<", r"\gt": ">", r"\times": r"\cdot",
    r"\ast": r"\cdot", "*": r"\cdot", r"\lbrace": r"\{", r"\rbrace": r"\}", r"\lbrack": "[", r"\rbrack": "]",
    r"\varnothing": r"\emptyset", "%": r"\%", "€": r"\$", "£": r"\$", r"\div": "/", r"\colon": ":",
    r"\lvert": "|", r"\rvert": "|", r"\vert": "|",
}  # fmt: skip
_UNWRAPPED = {
    r"\text", r"\textbf", r"\textit", r"\textrm", r"\textnormal", r"\mathrm", r"\mathbf", r"\mathit", r"\mathsf",
    r"\mbox", r"\hbox", r"\operatorname", r"\boxed", r"\fbox", r"\bm", r"\boldsymbol", r"\mathnormal", r"\emph",
}  # fmt: skip
_PLAIN_REWRITES = (
    (re.compile(r"√ ?([0-9]+)"), r"\\sqrt{\1}"),
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"<="), r"\\leq "),
    (re.compile(r">="), r"\\geq "),
    (re.compile(r" != "), r" \\neq "),
    (re.compile(r"=="), "="),
    (re.compile(r"(?<=[A-Za-z]) in (?=[\[(\\{])"), r" \\in "),
    (re.compile(r"(?<![A-Za-z])(?:Rational|Fraction)\((-?[0-9]{1,4000}), ?([0-9]{1,4000})\)"), r"\\frac{\1}{\2}"),
    (re.compile(r"(?<![A-Za-z\\])(?:oo|[Ii]nfinity)(?![A-Za-z])"), r"\\infty "),
    (
        re.compile(
            r"(?<![A-Za-z\\])(pi|sqrt|sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|exp|alpha|"
            r"beta|gamma|theta|lambda|phi|omega)(?![A-Za-z])"
        ),
        r"\\\1 ",
    ),
    (re.compile(r"(?<=[-+*] )I(?![A-Za-z(])|(?<=[0-9]\*)I(?![A-Za-z(])"), "i"),
    (re.compile(r"\\degrees?(?![A-Za-z])"), r"^{\\circ}"),
    (re.compile(r"\^ *\\circ(?![A-Za-z])"), r"^{\\circ}"),
    (re.compile(r"\\(left|right)\."), r"\\\1 "),
    (re.compile(r"\\\{ ?\\\}"), r"\\emptyset "),
)
_BARE_ARGUMENTS = {r"\pi", r"\theta", r"\alpha", r"\beta", r"\phi", r"\infty"}
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_SEPARATOR = r"\{,\}(?:\\!)?|, ?\\! ?|\\[,;: !]|~| |,|'|_"
_GROUPED = re.compile(rf"(?<![0-9])[0-9]++(?:(?:{_SEPARATOR})[0-9]++)+")
_GROUP_PART = re.compile(rf"({_SEPARATOR})([0-9]+)")
_FLANKS = re.compile(r"[()\[\]]|\\[{}]")


def normalise(text: str, *, thousands: bool = True) -> str:
    r"""Return the canonical spelling of an answer.

    Args:
        text: any text, with or without LaTeX delimiters.
        thousands: whether `1,234` outside brackets is one number; grouping by spaces is always joined.
    """
    current = text
    for _ in range(_PASSES):
        following = _one_pass(current, thousands)
        if following == current:
            break
        current = following
    return current


def to_plain(text: str) -> str:
    """Return words without markup, for comparing text: canonical spelling, delimiters and quotes gone."""
    return normalise(text, thousands=False).strip("\"'*_ ")


def _one_pass(text: str, thousands: bool) -> str:
    text = _plain_characters(text).strip()
    for pattern, replacement in _PLAIN_REWRITES:
        text = pattern.sub(replacement, text)
    text = _join_thousands(text, commas=thousands)
    if text.count("$") - text.count(r"\$") == 1:
        text = re.sub(r"(?<!\\)\$(?= ?[0-9.])", r"\\$", text)
    tokens = _TOKEN.findall(text)
    canonical = _spell(_rewrite(tokens)).strip()
    if canonical.startswith("=") and not canonical.startswith("=="):
        canonical = canonical[1:]
    for quote in "\"'":
        if len(canonical) > 1 and canonical.startswith(quote) and canonical.endswith(quote):
            canonical = canonical[1:-1]
    return canonical.rstrip(".,; ") if not canonical.endswith(r"\ldots") else canonical


def _plain_characters(text: str) -> str:
    """Replace characters one by one: NFKC as a whole would turn `x²` into `x2` and `½` glued to digits."""
    if text.isascii():
        return text
    text = _PLAIN_REWRITES[0][0].sub(_PLAIN_REWRITES[0][1], text)
    return unicodedata.normalize("NFC", "".join(_plain_runs(text)))


def _plain_runs(text: str) -> Iterator[str]:
    raised = ""
    for character in text:
        form = "" if character.isascii() else unicodedata.decomposition(character)
        kind = "super" if form.startswith("<super>") else "sub" if form.startswith("<sub>") else ""
        if kind != raised:
            if raised:
                yield "}"
            if kind:
                yield "^{" if kind == "super" else "_{"
            raised = kind
        if character.isascii() and character not in _CHARACTERS:
            yield character
        elif character in _CHARACTERS:
            yield _CHARACTERS[character]
        elif kind:
            yield unicodedata.normalize("NFKC", character).replace("−", "-")
        elif form.startswith("<fraction>"):
            top, _, bottom = unicodedata.normalize("NFKC", character).partition("⁄")
            yield rf"\frac{{{top}}}{{{bottom}}}"
        elif character.isdecimal():
            yield str(unicodedata.decimal(character))
        elif form.startswith(("<wide>", "<font>")):
            yield unicodedata.normalize("NFKC", character)
        else:
            yield character
    if raised:
        yield "}"


def _join_thousands(text: str, *, commas: bool) -> str:
    """Join well-formed groups of three digits that one kind of separator parts; leave everything else alone."""
    flanks = [(found.start(), 1 if found[0][-1] in "([{" else -1) for found in _FLANKS.finditer(text)]
    pieces: list[str] = []
    done = depth = flank = 0
    for run in _GROUPED.finditer(text):
        while flank < len(flanks) and flanks[flank][0] < run.start():
            depth += flanks[flank][1]
            flank += 1
        pieces.append(text[done : run.start()])
        pieces.append(_joined(run, inside=depth > 0, commas=commas))
        done = run.end()
    pieces.append(text[done:])
    return "".join(pieces)


def _joined(run: re.Match[str], *, inside: bool, commas: bool) -> str:
    text, whole = run.string, run[0]
    before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
    first = re.match(r"[0-9]+", whole)
    parts = _GROUP_PART.findall(whole)
    kinds = {separator.replace(r"\!", "").strip() or " " for separator, _ in parts}
    well_formed = (
        first is not None
        and len(first[0]) <= 3
        and not first[0].startswith("0")
        and len(kinds) == 1
        and all(len(digits) == 3 for _, digits in parts)
        and before not in (".", "^", "_")
    )
    if not well_formed or first is None:
        return whole
    separator = parts[0][0]
    if separator == "," and (inside or not commas):
        return whole
    if separator == " " and (inside or after == "/"):
        return whole
    return first[0] + "".join(digits for _, digits in parts)


def _rewrite(tokens: list[str]) -> list[str]:
    """Rename, unwrap and brace; a token `" "` is a soft space, kept later only between letters and digits."""
    marks = _Marks(tokens)
    for place, token in enumerate(tokens):
        name = _RENAMED.get(token, token)
        if token in _UNWRAPPED:
            marks.unwrap(place + 1)
        elif name == r"\frac":
            marks.argument(marks.argument(place + 1))
        elif name == r"\sqrt":
            marks.argument(marks.option(place + 1), parens=True)
        elif name in ("^", "_"):
            marks.argument(place + 1, run=True, parens=name == "^")
    result: list[str] = []
    for place, token in enumerate(tokens):
        result.extend("{" * (place in marks.opens))
        if place in marks.replaced:
            result.append(marks.replaced[place])
        elif token == r"\!":
            continue
        elif token.isspace() or token in _SPACES or token in _DROPPED or token in _UNWRAPPED:
            result.append(" ")
        else:
            result.append(_RENAMED.get(token, token))
        result.extend("}" * (place in marks.closes))
    return result


class _Marks:
    """Where braces go: around bare arguments, in place of parentheses, or nowhere (unwrapped text)."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.opens: set[int] = set()
        self.closes: set[int] = set()
        self.replaced: dict[int, str] = {}
        self._partner: dict[int, int] = {}
        for opening, closing in ("{}", "()"):
            stack: list[int] = []
            for place, token in enumerate(tokens):
                if token == opening:
                    stack.append(place)
                elif token == closing and stack:
                    self._partner[stack.pop()] = place

    def unwrap(self, place: int) -> None:
        """Drop the braces of the group that starts here."""
        start = self._solid(place)
        if self._at(start) == "{" and start in self._partner:
            self.replaced[start] = self.replaced[self._partner[start]] = " "

    def option(self, place: int) -> int:
        """Return the place behind a `[...]` that starts here, or `place` where there is none."""
        start = self._solid(place)
        if self._at(start) == "[":
            for close in range(start, min(start + 40, len(self.tokens))):
                if self.tokens[close] == "]":
                    return close + 1
        return place

    def argument(self, place: int, *, run: bool = False, parens: bool = False) -> int:
        """Brace the argument that starts here and return the place behind it; `run` takes all of `-12`."""
        start = self._solid(place)
        token = self._at(start)
        if token == "{" or (token == "(" and parens):
            end = self._partner.get(start)
            if end is None:
                return place
            if token == "(":
                self.replaced[start], self.replaced[end] = "{", "}"
            return end + 1
        end = start
        if run:
            end += token == "-"
            while self._at(end + 1).isdecimal() and self._at(end).isdecimal():
                end += 1
        if start == end and not (token.isalnum() or token in _BARE_ARGUMENTS):
            return place
        if end < len(self.tokens):
            self.opens.add(start)
            self.closes.add(end)
        return end + 1

    def _at(self, place: int) -> str:
        return self.tokens[place] if place < len(self.tokens) else ""

    def _solid(self, place: int) -> int:
        while place < len(self.tokens) and self.tokens[place].isspace():
            place += 1
        return place


def _spell(tokens: list[str]) -> str:
    """Join tokens, with a space only where two words or numbers would run together."""
    pieces: list[str] = []
    last, spaced = "", False
    for token in tokens:
        if token == " ":
            spaced = True
            continue
        if last and token[0].isalnum():
            letter_after_command = len(last) > 1 and last[0] == "\\" and last[1].isalpha() and token[0].isalpha()
            if letter_after_command or (spaced and last[-1].isalnum() and last[0] != "\\"):
                pieces.append(" ")
        pieces.append(token)
        last, spaced = token, False
    return "".join(pieces)
