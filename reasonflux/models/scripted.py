"""The `scripted:` backend: replays a recording, for tests and demonstrations without weights.

A recording is a JSON or YAML list of replies, or a JSONL file with one a line. A reply is a text, or an object with

* `text` (as it is), `json` (any value, sent as JSON) or `error` (`context_overflow`, `unavailable` or `bad_reply`,
  with an optional `message`);
* optionally `stage` (answers only calls of that stage) and `match` (answers only when the last message holds it);
* optionally `reasoning` and `finish_reason`.

A call takes the first reply not taken yet that fits it. Tokens are counted as words.
"""

import json
import re
import threading
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from reasonflux.errors import BadReply, ContextOverflow, ModelError, ModelUnavailable, UsageError
from reasonflux.models.base import Choice, Completion, Message, ModelInfo, SamplingParams, current_stage
from reasonflux.types import Usage, Value

Reply = str | dict[str, Any] | Exception
_WORD = re.compile(r"\s*\S+\s*|\s+")


class RecordedReply(Value):
    """One reply of a recording; exactly one of `text`, `json_value` and `error` is given."""

    text: str | None = None
    json_value: Any = None
    error: Literal["context_overflow", "unavailable", "bad_reply"] | None = None
    message: str = "a recorded error"
    stage: str | None = None
    match: str | None = None
    reasoning: str | None = None
    finish_reason: Literal["stop", "length"] = "stop"


class ScriptedRequest(Value):
    """A request that a scripted model received."""

    stage: str | None
    messages: tuple[Message, ...]
    params: SamplingParams


class ScriptedModel:
    """A chat model that replays replies. Thread-safe; `requests` keeps what it was asked.

    Args:
        replies: answers to any call, in order: a text, an object sent as JSON, or an exception to raise.
        by_stage: answers to the calls of one stage, tried first.
        name: what errors and the spec call the recording.
    """

    def __init__(
        self,
        replies: Sequence[Reply] = (),
        *,
        by_stage: Mapping[str, Sequence[Reply]] | None = None,
        name: str = "inline",
    ) -> None:
        self._name = name
        self._lock = threading.Lock()
        staged = [(_Scripted(reply, stage=stage)) for stage, answers in (by_stage or {}).items() for reply in answers]
        self._left = [*staged, *(_Scripted(reply) for reply in replies)]
        self._count = len(self._left)
        self._requests: list[ScriptedRequest] = []

    @classmethod
    def from_file(cls, path: Path) -> "ScriptedModel":
        """Return a model that replays the recording in a `.json`, `.jsonl`, `.yaml` or `.yml` file.

        Raises:
            UsageError: the file can't be read, or an entry is no reply; the message names which.
        """
        model = cls(name=str(path))
        model._left = [_entry(item, f"{path}, reply {number}") for number, item in enumerate(_read(path), start=1)]
        model._count = len(model._left)
        return model

    @property
    def info(self) -> ModelInfo:
        """Facts recorded with every run."""
        return ModelInfo(spec=f"scripted:{self._name}", backend="scripted")

    @property
    def requests(self) -> list[ScriptedRequest]:
        """The requests so far, oldest first."""
        with self._lock:
            return list(self._requests)

    def complete(self, messages: list[Message], params: SamplingParams) -> Completion:
        """Return the next replies that fit, one for each choice.

        Raises:
            ModelError: no reply is left that fits, or the recorded error.
        """
        with self._lock:
            self._requests.append(ScriptedRequest(stage=current_stage.get(), messages=tuple(messages), params=params))
            choices = tuple(self._take(messages, params) for _ in range(params.n))
        return Completion(
            choices=choices,
            usage=Usage(
                calls=1,
                prompt_tokens=sum(len(message.content.split()) for message in messages),
                completion_tokens=sum(_tokens(choice) for choice in choices),
            ),
        )

    def stream(self, messages: list[Message], params: SamplingParams) -> Generator[str, None, Completion]:
        """Yield the first choice's text word by word.

        Raises:
            ModelError: no reply is left that fits, or the recorded error.
        """
        completion = self.complete(messages, params)
        yield from _WORD.findall(completion.text)
        return completion

    def close(self) -> None:
        """Do nothing: a recording holds no resources."""

    def _take(self, messages: list[Message], params: SamplingParams) -> Choice:
        last = messages[-1].content if messages else ""
        stage = current_stage.get()
        for index, scripted in enumerate(self._left):
            if scripted.fits(stage, last):
                return self._left.pop(index).choice(params)
        raise ModelError(
            f"The recording {self._name} has no reply left for stage {stage or 'unknown'}: "
            f"{self._count - len(self._left)} of its {self._count} replies were taken."
        )


class _Scripted:
    """A reply and the calls it answers."""

    def __init__(
        self,
        reply: Reply,
        *,
        stage: str | None = None,
        match: str | None = None,
        reasoning: str | None = None,
        finish_reason: Literal["stop", "length"] = "stop",
    ) -> None:
        self._reply = json.dumps(reply, ensure_ascii=False) if isinstance(reply, dict) else reply
        self._stage = stage
        self._match = match
        self._reasoning = reasoning
        self._finish_reason: Literal["stop", "length"] = finish_reason

    def fits(self, stage: str | None, last: str) -> bool:
        return (self._stage is None or self._stage == stage) and (self._match is None or self._match in last)

    def choice(self, params: SamplingParams) -> Choice:
        if isinstance(self._reply, Exception):
            raise self._reply
        text = self._reply
        for stop in params.stop:
            text = text.split(stop, 1)[0] if stop else text
        words = _WORD.findall(text)
        if len(words) > params.max_tokens:
            return Choice(text="".join(words[: params.max_tokens]), reasoning=self._reasoning, finish_reason="length")
        return Choice(text=text, reasoning=self._reasoning, finish_reason=self._finish_reason)


def _tokens(choice: Choice) -> int:
    return len(_WORD.findall(choice.text))


def _read(path: Path) -> list[Any]:
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The recording {path} can't be read: {error}.") from error
    if path.suffix == ".jsonl":
        return [_line(line, path, number) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    try:
        data = yaml.safe_load(text) if path.suffix in (".yaml", ".yml") else json.loads(text)
    except (ValueError, yaml.YAMLError) as error:
        raise UsageError(f"The recording {path} can't be parsed: {' '.join(str(error).split())}.") from error
    if not isinstance(data, list):
        raise UsageError(f"The recording {path} is no list of replies.")
    return data


def _line(line: str, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise UsageError(f"The recording {path}:{number} is not JSON: {error}.") from error


def _entry(item: Any, where: str) -> _Scripted:
    from pydantic import ValidationError

    if isinstance(item, str):
        return _Scripted(item)
    if not isinstance(item, dict) or sum(key in item for key in ("text", "json", "error")) != 1:
        raise UsageError(f"{where} must be a text or an object with one of 'text', 'json' and 'error'.")
    fields = {("json_value" if key == "json" else str(key)): value for key, value in item.items()}
    try:
        entry = RecordedReply.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"{where}: {'.'.join(map(str, first['loc']))}: {first['msg']}.") from error
    reply: Reply = entry.text if entry.text is not None else json.dumps(entry.json_value, ensure_ascii=False)
    if entry.error is not None:
        reply = _error(entry.error, entry.message)
    return _Scripted(
        reply,
        stage=entry.stage,
        match=entry.match,
        reasoning=entry.reasoning,
        finish_reason=entry.finish_reason,
    )


def _error(kind: str, message: str) -> Exception:
    if kind == "context_overflow":
        return ContextOverflow(message)
    return ModelUnavailable(message) if kind == "unavailable" else BadReply(message)
