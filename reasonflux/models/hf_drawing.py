"""One reply of the `hf:` backend as it is drawn: which token comes next, and the text the tokens make."""

import queue
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from reasonflux.errors import ModelError
from reasonflux.models.hf_schema import Grammar
from reasonflux.models.repetition import RepetitionWatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import torch

    from reasonflux.models.base import SamplingParams

Finish = Literal["stop", "length"]
_NUCLEUS = 1024
_BROKEN = "\ufffd"


@dataclass(frozen=True)
class Drawn:
    """A finished reply. `repeats` tells that it was cut off for repeating itself."""

    text: str
    finish: Finish
    tokens: int
    repeats: bool = False


class Picker:
    """Picks tokens under one request's parameters with a generator of its own, whatever else is drawn beside it."""

    def __init__(self, params: "SamplingParams", seed: int, grammar: Grammar | None) -> None:
        import torch

        self._temperature, self._top_p, self._grammar = params.temperature, params.top_p, grammar
        self._generator = torch.Generator().manual_seed(seed & ((1 << 63) - 1))

    def pick(self, logits: "torch.Tensor") -> int:
        """Return the next token for `logits` of shape (vocabulary,).

        Raises:
            ModelError: the model's output is no number.
        """
        import torch

        if not bool(torch.isfinite(logits.max())):
            raise ModelError("The model's output is not a number; its weights are damaged, or its type overflows.")
        if self._grammar is not None:
            logits = self._grammar.restrict(logits)
        if self._temperature == 0:
            return int(logits.argmax())
        # On the processor, so that a seed draws the same on every device.
        chances = torch.softmax(logits.float().cpu() / self._temperature, dim=-1)
        return int(torch.multinomial(self._nucleus(chances), 1, generator=self._generator))

    def _nucleus(self, chances: "torch.Tensor") -> "torch.Tensor":
        """Keep the fewest likeliest tokens whose chances reach top-p."""
        if self._top_p >= 1:
            return chances
        import torch

        most, order = torch.topk(chances, min(_NUCLEUS, chances.shape[0]))
        if float(most.sum()) < self._top_p:
            most, order = torch.sort(chances, descending=True)
        kept = most.cumsum(0) - most < self._top_p
        return torch.zeros_like(chances).scatter(0, order[kept], most[kept])


class TextStream:
    """The text of the tokens so far, given out as soon as nothing that may follow can change it.

    Args:
        decode: text of a list of tokens.
        stop: strings that end the text; they are not part of it.
    """

    def __init__(self, decode: "Callable[[list[int]], str]", stop: "Sequence[str]") -> None:
        self._decode, self._stop = decode, tuple(text for text in stop if text)
        self._tokens: list[int] = []
        self._start = self._read = 0
        self._text = ""
        self._given = 0
        self.stopped = False

    @property
    def text(self) -> str:
        """The whole text, up to a stop string."""
        return self._text

    def feed(self, token: int) -> str:
        """Take a token and return the text that is certain now."""
        self._tokens.append(token)
        # Decoded together with the tokens before it: a token's text depends on what stands to its left.
        before = self._decode(self._tokens[self._start : self._read])
        after = self._decode(self._tokens[self._start :])
        if len(after) > len(before) and not after.endswith(_BROKEN):
            self._start, self._read = self._read, len(self._tokens)
            self._add(after[len(before) :])
        return self._give(hold=True)

    def finish(self) -> str:
        """Return what was held back; the beginning of a character that never ended is dropped."""
        return self._give(hold=False)

    def _add(self, piece: str) -> None:
        known = len(self._text)
        self._text += piece
        reach = max(map(len, self._stop), default=1) - 1
        found = [at for text in self._stop if (at := self._text.find(text, max(0, known - reach))) >= 0]
        if found:
            self._text, self.stopped = self._text[: min(found)], True

    def _give(self, *, hold: bool) -> str:
        end = len(self._text)
        if hold and not self.stopped:
            end -= max((_overlap(self._text, text) for text in self._stop), default=0)
        piece = self._text[self._given : end]
        self._given = max(self._given, end)
        return piece


def _overlap(text: str, stop: str) -> int:
    """Return how much of the end of `text` may be the beginning of `stop`."""
    return next((size for size in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:size])), 0)


@dataclass(eq=False)
class Draw:
    """One reply that was asked for. The engine feeds it; `pieces` carries its text to who asked, and its end."""

    prompt: list[int]
    max_tokens: int
    picker: Picker
    text: TextStream
    ends: frozenset[int]
    grammar: Grammar | None = None
    cancelled: bool = False
    pieces: "queue.SimpleQueue[str | Drawn | Exception]" = field(default_factory=queue.SimpleQueue)
    last: int = 0
    tokens: int = 0
    _watch: RepetitionWatch = field(default_factory=RepetitionWatch)

    def advance(self, logits: Any) -> bool:
        """Draw a token from `logits` of shape (vocabulary,) and return whether the reply goes on."""
        self.last = self.picker.pick(logits)
        self.tokens += 1
        if self.last in self.ends:
            return self._end("stop")
        if self.grammar is not None:
            self.grammar.take(self.last)
        piece = self.text.feed(self.last)
        if piece:
            self.pieces.put(piece)
        if self.text.stopped or (self.grammar is not None and self.grammar.complete):
            return self._end("stop")
        repeats = self._watch.feed(str(self.last))
        if repeats or self.tokens >= self.max_tokens:
            return self._end("length", repeats=repeats)
        return True

    def _end(self, finish: Finish, *, repeats: bool = False) -> bool:
        rest = self.text.finish()
        if rest:
            self.pieces.put(rest)
        self.pieces.put(Drawn(self.text.text, finish, self.tokens, repeats))
        return False
