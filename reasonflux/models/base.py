"""The protocol every chat model obeys, and the values that cross it."""

from collections.abc import Generator
from contextvars import ContextVar
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import Field

from reasonflux.types import Usage, Value

Role = Literal["system", "user", "assistant"]

current_stage: ContextVar[str | None] = ContextVar("current_stage", default=None)
"""The stage whose call is running, for backends that answer by stage."""


class Message(Value):
    """One turn of a conversation."""

    role: Role
    content: str


class SamplingParams(Value):
    """How a completion is drawn.

    Attributes:
        temperature: 0 is greedy.
        max_tokens: limit on completion tokens, at least 1.
        stop: strings that end the completion; they are not part of it.
        seed: seed of the sampler.
        n: number of completions.
        json_schema: a JSON schema the text must obey, or None.
        cache_prompt: whether a local backend may reuse an earlier prompt's prefix (bit-equal repeats need False).
    """

    temperature: float = Field(default=0.0, ge=0.0, le=5.0)
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    max_tokens: int = Field(default=512, ge=1)
    stop: tuple[str, ...] = ()
    seed: int = 0
    n: int = Field(default=1, ge=1, le=64)
    json_schema: dict[str, Any] | None = None
    cache_prompt: bool = True


class Choice(Value):
    """One drawn completion. `reasoning` is text a server reported apart from the content; never an answer."""

    text: str
    reasoning: str | None = None
    finish_reason: Literal["stop", "length"] = "stop"


class Completion(Value):
    """What a call returned: `n` choices and the tokens it took."""

    choices: tuple[Choice, ...] = Field(min_length=1)
    usage: Usage
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Text of the first choice."""
        return self.choices[0].text

    @property
    def truncated(self) -> bool:
        """Whether the first choice ended at a token limit."""
        return self.choices[0].finish_reason == "length"


class ModelInfo(Value):
    """What a run records of a model so that it can be repeated."""

    spec: str
    weights_sha256: str | None = None
    backend: str
    backend_version: str = ""
    slots: int = 1
    context_tokens: int | None = None


@runtime_checkable
class ChatModel(Protocol):
    """A chat model. Implementations are thread-safe.

    `complete` and `stream` raise `ContextOverflow` when prompt and `max_tokens` can't fit, `ModelUnavailable`
    when the model can't be reached and `BadReply` when its reply has the wrong shape; they never cut a prompt.
    """

    @property
    def info(self) -> ModelInfo:
        """Facts recorded with every run."""
        ...

    def complete(self, messages: list[Message], params: SamplingParams) -> Completion:
        """Return a completion of `messages`."""
        ...

    def stream(self, messages: list[Message], params: SamplingParams) -> Generator[str, None, Completion]:
        """Yield the first choice's text as it comes; the generator's return value is the whole completion.

        Closing the generator early cancels the call.
        """
        ...

    def close(self) -> None:
        """Free what the model holds; safe to call twice."""
        ...
