r"""Think tags: what a model says to itself is taken out before anything reads its reply.

The rules, in order:

* `<think>` and `<thinking>`, opening and closing, in any case, are tags; blocks may nest.
* A tag outside a block that stands inside double quotes on one line, or right after a backtick, is text that
  speaks of the tag: JSON and code that quote it stay as they are.
* A closing tag before any opening one means that the block was opened in the prompt: what stands before it goes.
* A closing tag after a finished block is stray: it goes, the text around it stays.
* A block that is never closed reaches to the end.
* The beginning of a tag at the very end of a text (`</thi`) counts as that tag once it can be nothing else.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

Piece = tuple[Literal["text", "reset"], str]

_TAG = re.compile(r"<(/?)think(?:ing)?\s*>", re.IGNORECASE)
_TAGS = ("<think>", "<thinking>", "</think>", "</thinking>")
_LONGEST_FRAGMENT = 32
_CERTAIN_FRAGMENT = 3


def strip_thinking(text: str) -> tuple[str, str | None]:
    """Return the visible part of a reply, and the reasoning that was taken out (None when there was none)."""
    fragment = _fragment_length(text)
    if fragment < _CERTAIN_FRAGMENT:
        return _split(text)
    body, tail = text[:-fragment], text[-fragment:]
    if _is_quoted(text, len(body), len(text)):
        return _split(text)
    return _split(f"{body}</think>" if tail.startswith("</") else body)


@dataclass
class ThinkingFilter:
    """Strips a streamed reply. Whatever the chunks, the pieces add up to what `strip_thinking` makes of the whole.

    A piece is `("text", more)` or `("reset", "")`, which withdraws all text so far.
    """

    _raw: str = ""
    _shown: str = ""
    _has_bracket: bool = field(default=False)

    @property
    def visible(self) -> str:
        """The text shown so far and not withdrawn."""
        return self._shown

    def feed(self, chunk: str) -> list[Piece]:
        """Return the pieces that `chunk` brings."""
        self._raw += chunk
        self._has_bracket = self._has_bracket or "<" in chunk
        if not self._has_bracket:
            self._shown += chunk
            return [("text", chunk)] if chunk else []
        fragment = _fragment_length(self._raw)
        return self._show(_split(self._raw[: len(self._raw) - fragment])[0])

    def finish(self) -> list[Piece]:
        """Return the pieces that the end of the reply brings."""
        return self._show(strip_thinking(self._raw)[0])

    def _show(self, visible: str) -> list[Piece]:
        pieces: list[Piece] = []
        if not visible.startswith(self._shown):
            pieces.append(("reset", ""))
            self._shown = ""
        more = visible[len(self._shown) :]
        if more:
            pieces.append(("text", more))
        self._shown = visible
        return pieces


def _split(text: str) -> tuple[str, str | None]:
    tags = _real_tags(text)
    if not tags:
        return text, None
    opened = sum(1 for tag in tags if not tag.group(1))
    starts_open = not text[: tags[0].start()].strip() and not tags[0].group(1)
    # More closings than openings, and no opening at the start: a block was opened in the prompt.
    if opened and not starts_open and len(tags) - opened > opened:
        visible, reasoning = _walk(text, tags, depth=1)
        if visible.strip():
            return visible, reasoning
    return _walk(text, tags, depth=0 if tags[0].group(1) == "" else 1)


def _walk(text: str, tags: list[re.Match[str]], *, depth: int) -> tuple[str, str]:
    visible: list[str] = []
    reasoning: list[str] = []
    position = 0
    for tag in tags:
        (reasoning if depth else visible).append(text[position : tag.start()])
        position = tag.end()
        depth = max(0, depth - 1) if tag.group(1) else depth + 1
    (reasoning if depth else visible).append(text[position:])
    return "".join(visible).lstrip(), "".join(reasoning).strip()


def _real_tags(text: str) -> list[re.Match[str]]:
    tags: list[re.Match[str]] = []
    depth = 0
    for tag in _TAG.finditer(text):
        if depth == 0 and _is_quoted(text, tag.start(), tag.end()):
            continue
        depth = max(0, depth - 1) if tag.group(1) else depth + 1
        tags.append(tag)
    return tags


def _is_quoted(text: str, start: int, end: int) -> bool:
    if text[start - 1 : start] == "`":
        return True
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    before = text[line_start:start]
    after = text[end : line_end if line_end >= 0 else len(text)]
    return len(re.findall(r'(?<!\\)(?:\\\\)*"', before)) % 2 == 1 and '"' in after


def _fragment_length(text: str) -> int:
    start = text.rfind("<", max(0, len(text) - _LONGEST_FRAGMENT))
    if start < 0:
        return 0
    tail = text[start:].lower()
    begins_tag = any(tag.startswith(tail) or tag == f"{tail.rstrip()}>" for tag in _TAGS)
    return len(tail) if begins_tag else 0
