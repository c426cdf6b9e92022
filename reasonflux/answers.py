r"""Finding the answer in a text: what a model concluded, or what a program printed.

It knows no benchmark and never sees a gold answer. The rule: the last box counts (`\boxed`, `\fbox`; braces may
nest; empty boxes are no boxes); boxes joined by "and", "or" or a comma are one answer of several. Without a box, the
last line that says what the answer is. A box that is never closed is taken up to the end of its line, unless the
text was cut off: then nothing is taken, since the text may have been about to say something else.
Everything runs in time linear in the text.
"""

import re
from dataclasses import dataclass
from typing import Literal

from reasonflux.notation import normalise, to_plain
from reasonflux.structure import AnswerType
from reasonflux.structure import type_of as _type_of_canonical

__all__ = ["AnswerType", "Extracted", "extract", "extract_value", "normalise", "to_plain", "type_of"]

# JSON reads `\b` and `\f` as control characters, so a box that went through it lost its backslash.
_BRACE = re.compile(r"(?:\\(?:boxed|fbox)|\x08oxed|\x0cbox|(?<![A-Za-z\\])boxed)\s*+\{|[{}]")
_BARE_BOX = re.compile(r"\\boxed\s++([-+]?[0-9][0-9.,/]*|[A-Za-z])(?=\s*(?:\$|\\\)|\.?\s*\Z))")
_JOINER_NOISE = re.compile(r"\\text|\\q?quad|\\[()\[\],;! ]|[\s$*{}]")
_JOINER = re.compile(r"(?:,|;|and|or|&)+(?:[A-Za-z]=)?")
_JOINER_LIMIT = 60
_MAX_JOINED = 60
_TAIL_CHARACTERS = 6000
_TAIL_LINES = 60
_LINE_CHARACTERS = 1500
_ANSWER_CHARACTERS = 200
_OPEN_BOX_CHARACTERS = 300
# Two stars between operands are a power in Python's spelling (`x**2`, `2 ** 10`) and stay; all others are emphasis.
_BEFORE, _AFTER = r"[0-9A-Za-z_)\]}]", r"[0-9A-Za-z_(\\.+-]"
_MARKDOWN = re.compile(
    rf"(?P<power>(?<={_BEFORE})\*\*(?={_AFTER})|(?<={_BEFORE} )\*\*(?= {_AFTER}))"
    r"|\*{2,3}|__|`|^\s*(?:#{1,6}|>|[-*•])\s+"
)
_LABEL = re.compile(
    r"(?:\banswer|\bresult|\bfinal value|\bsolution)\b(?: to [^.:=]{1,80}?| of [^.:=]{1,80}?| here| then)?"
    r"\s*(?::|=|\bis\b(?! (?:not|unclear|unknown|undetermined)\b)|\bare\b|\bequals\b)\s*(?::|=)?",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(?:the )?(?:final )?answer\s*:?", re.IGNORECASE)
_HASHES = re.compile(r"#{4}\s*(\S.*)")
_CONCLUSION = re.compile(r"(?:so|thus|therefore|hence|finally|consequently)\b", re.IGNORECASE)
_MATH_SEGMENT = re.compile(r"\$\$([^$]{1,400})\$\$|\$([^$]{1,400})\$|\\\(([^$]{1,400}?)\\\)|\\\[([^$]{1,400}?)\\\]")
_SENTENCE_END = re.compile(r"[.!?](?=\s+[A-Z(]|\s*$)|,? (?:because|since|so that|which|where|as required)\b|\s\(")
_BARE_VALUE = re.compile(r"[-+−]?\$?[0-9][0-9,.]*(?:/[0-9]+)?%?")
_FAILED_OUTPUT = re.compile(r"(?:[A-Za-z_.]*(?:Error|Exception|Interrupt|Exit)\b.*|None|nan|Traceback.*)", re.DOTALL)
_WRAPPED = re.compile(r"(?:np\.|numpy\.)?(?:u?int|float|Integer|Float|Decimal|mpf|mpq|mpz)[0-9]*\((['\"]?)(.+)\1\)")
_OUTPUT_LABEL = re.compile(r"(?:[A-Za-z][A-Za-z0-9_ '()^-]{0,60})\s*(?::|=(?!=)|\bis\b)\s*(\S.*)")


@dataclass(frozen=True)
class Extracted:
    """An answer found in a text.

    Attributes:
        answer: the answer as written, without its box; None where none was found.
        source: `box`, `final_line` or `none`.
        flags: `truncated` (the text was cut), `unfinished_box`, `empty_box`, `several_boxes`.
    """

    answer: str | None
    source: Literal["box", "final_line", "none"]
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Box:
    start: int
    content_start: int
    end: int


def extract(text: str, *, truncated: bool = False) -> Extracted:
    """Return the answer a text ends with.

    Args:
        text: what a model wrote, with its thinking already removed.
        truncated: whether the text was cut at a token limit.
    """
    flags = ("truncated",) if truncated else ()
    boxes, unfinished = _boxes(text)
    last = next((place for place in range(len(boxes) - 1, -1, -1) if _content(text, boxes[place])), None)
    if unfinished is not None and (last is None or unfinished > boxes[last].end):
        flags = (*flags, "unfinished_box")
        line = text[unfinished:].split("\n", 1)[0][: _OPEN_BOX_CHARACTERS + 1]
        answer = None if truncated or len(line) > _OPEN_BOX_CHARACTERS else _tidy(_balanced(line))
        if answer or truncated:
            return Extracted(answer, "box" if answer else "none", flags)
    if last is not None:
        contents = _joined_boxes(text, boxes[: last + 1][-_MAX_JOINED:])
        if len(contents) > 1:
            flags = (*flags, "several_boxes")
        return Extracted(", ".join(contents), "box", flags)
    if bare := list(_BARE_BOX.finditer(text[-_TAIL_CHARACTERS:])):
        return Extracted(_tidy(bare[-1][1]), "box", flags)
    if boxes:
        flags = (*flags, "empty_box")
    answer = _final_line(text, truncated=truncated)
    return Extracted(answer, "final_line" if answer else "none", flags)


def extract_value(output: str) -> str | None:
    r"""Return the answer a program printed: its last line, without a label and without Python's own wrapping.

    `x = 3` gives `3`, `Answer: 42` gives `42`, `[3]` gives `3`, `Fraction(1, 2)` gives `1/2`; an error message or
    `None` gives None.
    """
    lines = [line.strip() for line in output[-_TAIL_CHARACTERS:].splitlines() if line.strip()]
    if not lines:
        return None
    line = lines[-1]
    if "\\boxed" in line or "\\fbox" in line:
        return extract(line).answer
    line = _without_markdown(line)
    if _FAILED_OUTPUT.fullmatch(line):
        return None
    for _ in range(3):
        label = _OUTPUT_LABEL.fullmatch(line)
        if label is None:
            break
        line = label[1].strip()
    for _ in range(3):
        line = _unwrapped(line)
    answer = _tidy(line)
    return None if answer is None or _FAILED_OUTPUT.fullmatch(answer) else answer


def type_of(answer: str) -> AnswerType:
    """Return the type of an answer as written; see `reasonflux.structure.type_of`."""
    return _type_of_canonical(normalise(answer))


def _boxes(text: str) -> tuple[list[_Box], int | None]:
    """Return the outermost closed boxes in order, and where the content of a last unclosed one starts."""
    closed: list[_Box] = []
    stack: list[tuple[int, int] | None] = []
    for found in _BRACE.finditer(text):
        token = found[0]
        if len(token) > 1:
            stack.append((found.start(), found.end()))
        elif _escaped(text, found.start()):
            continue
        elif token == "{":
            stack.append(None)
        elif stack:
            opened = stack.pop()
            if opened is not None:
                while closed and closed[-1].start > opened[0]:
                    closed.pop()
                closed.append(_Box(opened[0], opened[1], found.start()))
    unclosed = [opened for opened in stack if opened is not None]
    return closed, unclosed[-1][1] if unclosed else None


def _escaped(text: str, place: int) -> bool:
    backslashes = 0
    while place > backslashes and text[place - 1 - backslashes] == "\\":
        backslashes += 1
    return backslashes % 2 == 1


def _content(text: str, box: _Box) -> str | None:
    return _tidy(text[box.content_start : box.end])


def _joined_boxes(text: str, boxes: list[_Box]) -> list[str]:
    """Return the contents of the last box and of those that a joiner links to it, in order, none twice."""
    group = [boxes[-1]]
    for box in reversed(boxes[:-1]):
        between = text[box.end + 1 : group[-1].start]
        if len(between) > _JOINER_LIMIT or "\n\n" in between or not _JOINER.fullmatch(_JOINER_NOISE.sub("", between)):
            break
        if _content(text, box):
            group.append(box)
    contents = [content for box in reversed(group) if (content := _content(text, box))]
    return list(dict.fromkeys(contents))


def _tidy(content: str) -> str | None:
    """Strip what is not part of an answer: delimiters, a box in the box, a full stop, leading zeros."""
    answer = content.strip()
    for _ in range(5):
        inner = re.fullmatch(r"\\(?:boxed|fbox)\s*\{(.*)\}", answer, re.DOTALL)
        if inner is None:
            break
        answer = inner[1].strip()
    for opening, closing in (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"), ("`", "`")):
        inside = answer[len(opening) : len(answer) - len(closing)]
        if answer.startswith(opening) and answer.endswith(closing) and inside and opening not in inside:
            answer = inside.strip()
    answer = re.sub(r"(?<=[^.\\])[.,;:]$", "", answer).strip()
    if re.fullmatch(r"[-+]?0+[0-9]+", answer):
        sign = answer[0] if answer[0] in "-+" else ""
        answer = sign + (answer.lstrip("-+").lstrip("0") or "0")
    return answer if answer.strip(" .,;:!?*_-") else None


def _balanced(line: str) -> str:
    """Return an unclosed box's content up to where its line stops being mathematics."""
    line = line.split("$")[0].rstrip(" .") if "$" in line else line
    depth = line.count("{") - line.count("}")
    return line + "}" * depth if 0 < depth <= 5 else line


def _without_markdown(line: str) -> str:
    return _MARKDOWN.sub(lambda mark: mark["power"] or "", line).strip()


def _final_line(text: str, *, truncated: bool) -> str | None:
    tail = text[-_TAIL_CHARACTERS:]
    lines = tail.splitlines()[-_TAIL_LINES:]
    if truncated and lines and not tail.endswith("\n"):
        lines.pop()
    plain = [_without_markdown(line[:_LINE_CHARACTERS]) for line in lines]
    for place in range(len(lines) - 1, -1, -1):
        line = plain[place]
        if hashes := _HASHES.fullmatch(lines[place].strip()):
            return _stated(hashes[1])
        labels = list(_LABEL.finditer(line))
        if labels and (answer := _stated(line[labels[-1].end() :])):
            return answer
        if (labels and labels[-1].end() == len(line)) or _HEADING.fullmatch(line):
            following = next((after for after in plain[place + 1 :] if after), "")
            if following:
                return _stated(following)
    if truncated:
        return None
    last = next((line for line in reversed(plain) if line), "")
    segments = [next(group for group in found.groups() if group) for found in _MATH_SEGMENT.finditer(last)]
    outside = _MATH_SEGMENT.sub("", last).strip(" .,:")
    if len(segments) == 1 and (not outside or _CONCLUSION.match(outside)):
        return _tidy(segments[0])
    return _tidy(last) if _BARE_VALUE.fullmatch(last.rstrip(".")) else None


def _stated(words: str) -> str | None:
    """Return the value at the start of what a sentence states."""
    words = words.strip()
    if found := re.match(r"(?:\\boxed|\\fbox)\s*\{\s*\}", words):
        words = words[found.end() :].strip()
    math = _MATH_SEGMENT.match(words)
    joined = math and re.match(r",? ?(?:and|or) \$|, ?\$", words[math.end() :])
    if math and not joined:
        return _tidy(next(group for group in math.groups() if group))
    end = _SENTENCE_END.search(words)
    if end and end.start() > 0:
        words = words[: end.start()]
    words = words.replace("$", "") if joined else words
    return _tidy(words) if len(words) <= _ANSWER_CHARACTERS else None


def _unwrapped(line: str) -> str:
    if match := re.fullmatch(r"(?:Fraction|Rational)\((-?[0-9]+), ?([0-9]+)\)", line):
        return f"{match[1]}/{match[2]}"
    if match := _WRAPPED.fullmatch(line):
        return match[2]
    if match := re.fullmatch(r"\{[A-Za-z]\w*: ?([^,{}]+)\}", line):
        return match[1]
    if match := re.fullmatch(r"[\[{(]([^,\[\]{}()]+),?[\]})]", line):
        return match[1]
    if match := re.fullmatch(r"(['\"])([^'\"]+)\1", line):
        return match[2]
    return line
