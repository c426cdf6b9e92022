"""What OpenAI-compatible servers send back: replies in every shape seen, and errors sorted by what to do.

Nothing here raises AttributeError or TypeError for a strange body: it is a reply or a `BadReply`.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from reasonflux.errors import BadReply, ContextOverflow
from reasonflux.models.base import Choice
from reasonflux.types import Usage

_BODY_START = 300
_CHARACTERS_A_TOKEN = 4
_NEVER_OVERFLOW = (401, 403, 404, 429)
_NATURAL_STOPS = ("stop", "eos", "length", "end_turn", "stop_sequence")

_OVERFLOW = re.compile(
    r"maximum context length|context[ _](?:length|size|window).{0,40}exceed|exceed.{0,40}context"
    r"|prompt is too long|too many (?:input )?tokens|input is too long",
    re.IGNORECASE | re.DOTALL,
)
_ROLES = re.compile(
    r"roles? must alternate|alternate user|system role|role.{0,20}system.{0,40}not supported"
    r"|system.{0,20}(?:role|message)s?.{0,30}not (?:supported|allowed)|only user and assistant roles",
    re.IGNORECASE | re.DOTALL,
)
_AVAILABLE = re.compile(r"context (?:length|window|size)\D{0,30}?(\d+)", re.IGNORECASE)
_NEEDED = re.compile(r"(?:resulted in|requested|request \(|contains?|too long:?)\D{0,20}?(\d+)", re.IGNORECASE)
_COMPLETION_CAP = re.compile(r"at most (\d+) completion tokens", re.IGNORECASE)


@dataclass(frozen=True)
class Rejection:
    """An error reply of a server."""

    status: int
    message: str
    code: str = ""
    param: str = ""
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def about_roles(self) -> bool:
        """Whether the chat template refused the conversation's roles."""
        return bool(_ROLES.search(self.message))

    @property
    def completion_cap(self) -> int | None:
        """The most completion tokens the server allows, where it says so."""
        found = _COMPLETION_CAP.search(self.message)
        return int(found.group(1)) if found else None

    def mentions(self, *words: str) -> bool:
        """Whether the message holds one of these words."""
        return any(word in self.message for word in words)

    def overflow(self) -> ContextOverflow | None:
        """Return the context overflow that this is, or None."""
        if self.code not in ("context_length_exceeded", "exceed_context_size_error") and not (
            self.status not in _NEVER_OVERFLOW and _OVERFLOW.search(self.message)
        ):
            return None
        available = _AVAILABLE.search(self.message)
        needed = _NEEDED.search(self.message)
        return ContextOverflow(
            f"The prompt does not fit the model's context: {self.message}",
            needed=self.numbers.get("n_prompt_tokens") or (int(needed.group(1)) if needed else None),
            available=self.numbers.get("n_ctx") or (int(available.group(1)) if available else None),
        )


def read_rejection(status: int, body: str) -> Rejection:
    """Return the error in a reply's body, whatever its shape."""
    try:
        data = json.loads(body)
    except ValueError:
        data = None
    error = data.get("error", data) if isinstance(data, dict) else None
    if not isinstance(error, dict):
        return Rejection(status=status, message=start_of(error if isinstance(error, str) else body))
    message = error.get("message") or error.get("detail") or body
    code = error.get("code")
    return Rejection(
        status=status,
        message=start_of(message if isinstance(message, str) else json.dumps(message)),
        code=str(code) if isinstance(code, str) and code else str(error.get("type") or ""),
        param=str(error.get("param") or ""),
        numbers={key: value for key, value in error.items() if isinstance(value, int) and key.startswith("n_")},
    )


@dataclass(frozen=True)
class Reply:
    """A reply's choices, what it took, and what a reader of the run should know."""

    choices: tuple[Choice, ...]
    usage: Usage
    notes: tuple[str, ...]


def read_reply(body: str, *, max_tokens: int) -> Reply:
    """Return the reply in a body.

    Raises:
        BadReply: the body is no chat completion; the message holds its start.
    """
    try:
        data = json.loads(body)
    except ValueError as error:
        raise BadReply(f"The server's reply is not JSON: {start_of(body)}") from error
    raw_choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(raw_choices, list) or not raw_choices:
        raise BadReply(f"The server's reply holds no choices: {start_of(body)}")
    notes: list[str] = []
    choices = tuple(_read_choice(raw, body, notes) for raw in raw_choices)
    usage = read_usage(data.get("usage"))
    if usage is None:
        usage = Usage(calls=1, completion_tokens=sum(estimate_tokens(choice) for choice in choices))
        notes.append("The server reported no usage; completion tokens are estimated.")
    notes += cut_notes(choices, usage, max_tokens=max_tokens)
    return Reply(choices=choices, usage=usage, notes=tuple(dict.fromkeys(notes)))


def read_finish(reason: Any, notes: list[str]) -> bool:
    """Return whether a finish reason says that the text was cut at a limit; note one that is out of the ordinary."""
    if isinstance(reason, str) and reason not in _NATURAL_STOPS:
        notes.append(f"The server ended the reply for the reason {reason!r}.")
    return bool(reason == "length")


def cut_notes(choices: tuple[Choice, ...], usage: Usage, *, max_tokens: int) -> list[str]:
    """Return notes on replies that were cut, or look as if they were."""
    notes = []
    if any(choice.finish_reason == "length" and not choice.text and choice.reasoning for choice in choices):
        notes.append("All tokens went into reasoning and none into the reply; raise the token limit.")
    if len(choices) == 1 and choices[0].finish_reason == "stop" and usage.completion_tokens >= max_tokens:
        notes.append(
            "The reply is possibly cut: it took all its tokens, though the server says that it ended by itself."
        )
    return notes


def read_usage(raw: Any) -> Usage | None:
    """Return the usage a server reported, or None when it reported none."""
    if not isinstance(raw, dict) or not isinstance(raw.get("completion_tokens"), int):
        return None
    details = raw.get("prompt_tokens_details")
    return Usage(
        calls=1,
        prompt_tokens=_count(raw.get("prompt_tokens")),
        cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, dict) else 0,
        completion_tokens=_count(raw["completion_tokens"]),
    )


def read_text(content: Any, notes: list[str]) -> str:
    """Return the text of a message's content: a string, nothing, or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            texts.append(part["text"])
        else:
            kind = part.get("type") if isinstance(part, dict) else type(part).__name__
            notes.append(f"The reply held a part of type {kind!r} that is no text; it was left out.")
    return "".join(texts)


def read_reasoning(message: dict[str, Any]) -> str | None:
    """Return the reasoning a server reports apart from the content, or None."""
    for key in ("reasoning_content", "reasoning"):
        value = message.get(key)
        if isinstance(value, str) and value:
            return value
    return None


def estimate_tokens(choice: Choice) -> int:
    """Return about how many tokens a choice took, from its length."""
    return -(-len(choice.text + (choice.reasoning or "")) // _CHARACTERS_A_TOKEN)


def start_of(body: str) -> str:
    """Return the start of a body on one line, for error messages."""
    line = " ".join(body.split())
    return line if len(line) <= _BODY_START else f"{line[:_BODY_START]}…"


def _read_choice(raw: Any, body: str, notes: list[str]) -> Choice:
    message = raw.get("message") if isinstance(raw, dict) else None
    if not isinstance(message, dict):
        raise BadReply(f"A choice of the server's reply holds no message: {start_of(body)}")
    text = read_text(message.get("content"), notes)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        notes.append(f"The server refused: {start_of(refusal)}")
    cut = read_finish(raw.get("finish_reason"), notes)
    return Choice(text=text, reasoning=read_reasoning(message), finish_reason="length" if cut else "stop")


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
