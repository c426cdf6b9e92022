"""The `openai:` backend: any OpenAI-compatible server through the official client.

What a server does not take (a system role, a JSON schema, `max_tokens` by its old name) is learnt from its first
refusal, remembered on the model and said once in a note. The key comes from the environment alone and stands in no
message, note or representation.
"""

import json
import os
import re
import threading
import time
from collections.abc import Callable, Generator
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from reasonflux.errors import BadReply, ModelError, ModelUnavailable, UsageError
from reasonflux.models.base import Choice, Completion, Message, ModelInfo, SamplingParams
from reasonflux.models.folding import fold
from reasonflux.models.openai_quirks import Quirks
from reasonflux.models.openai_replies import (
    Rejection,
    Reply,
    cut_notes,
    estimate_tokens,
    read_finish,
    read_reasoning,
    read_rejection,
    read_reply,
    read_text,
    read_usage,
)
from reasonflux.models.repetition import REPEATS, RepetitionWatch
from reasonflux.models.retrying import LONGEST_WAIT, Retries, Retryable, seconds_of
from reasonflux.types import Usage

KEY_VARIABLES = ("REASONFLUX_API_KEY", "OPENAI_API_KEY")
_NO_KEY = "no-key"
_CONNECT_SECONDS = 10.0
_RETRIED = (408, 409, 429)

T = TypeVar("T")


class OpenAIModel:
    """A chat model behind an OpenAI-compatible server.

    Args:
        model: the server's name of the model.
        base_url: where the server is, with its version path (`http://127.0.0.1:8000/v1`); None is OpenAI's own.
        timeout: seconds to wait for data.
        max_retries: tries after the first when the server is busy, broken or out of reach.
        sleep: waits between tries.

    Raises:
        UsageError: no key is set and no base_url given, or the base_url is none.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        timeout: float = 300.0,
        max_retries: int = 4,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        import openai

        self._key = _key()
        if self._key is None and base_url is None:
            raise UsageError(
                f"The model openai:{model} needs a key: set OPENAI_API_KEY, or name a server of your own with "
                f"openai:{model}@BASE_URL."
            )
        if base_url is not None and not re.match(r"https?://[^/]", base_url):
            raise UsageError(f"{base_url!r} is no base URL; write it like http://127.0.0.1:8000/v1.")
        self._where = _shown_url(base_url) if base_url is not None else "OpenAI"
        self._model = model
        self._retries = Retries(limit=max_retries, sleep=sleep)
        self._client = openai.OpenAI(
            api_key=self._key or _NO_KEY,
            base_url=base_url,
            max_retries=0,
            timeout=openai.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS)),
        )
        self._quirks = Quirks()
        self._lock = threading.Lock()
        self._closed = False
        suffix = f"@{self._where}" if base_url is not None else ""
        self._info = ModelInfo(
            spec=f"openai:{model}{suffix}", backend="openai", backend_version=f"openai {openai.__version__}"
        )

    @property
    def info(self) -> ModelInfo:
        """Facts recorded with every run."""
        return self._info

    def complete(self, messages: list[Message], params: SamplingParams) -> Completion:
        """Return a completion of `messages`.

        Raises:
            ContextOverflow: the server says that the prompt does not fit.
            ModelUnavailable: the server can't be reached, refuses us, or fails after every retry.
            BadReply: the server's reply is no chat completion.
            ModelError: the server refuses the request.
        """
        return self._completion(self._gather(messages, params, []), params)

    def stream(self, messages: list[Message], params: SamplingParams) -> Generator[str, None, Completion]:
        """Yield the first choice's text as it comes; closing the generator closes the connection.

        Once text has come the call is not tried again: what was shown can't be drawn a second time.

        Raises:
            ContextOverflow: the server says that the prompt does not fit.
            ModelUnavailable: the server can't be reached, refuses us, fails after every retry or breaks off.
            BadReply: the server's reply is no stream of chunks.
            ModelError: the server refuses the request.
        """
        single = params.model_copy(update={"n": 1})
        reading = self._adapting(partial(self._retries.run, partial(self._open, messages, single)))
        try:
            yield from reading.texts()
        except Retryable as failure:
            raise failure.error from failure
        finally:
            reading.close()
        return self._completion(self._gather(messages, params, [reading.reply(self._quirks.limit(params))]), params)

    def close(self) -> None:
        """Close the connections; safe to call twice."""
        self._closed = True
        self._client.close()

    def __repr__(self) -> str:
        return f"OpenAIModel({self._info.spec!r})"

    def _gather(self, messages: list[Message], params: SamplingParams, replies: list[Reply]) -> list[Reply]:
        while (have := sum(len(reply.choices) for reply in replies)) < params.n:
            rest = params.model_copy(update={"n": params.n - have, "seed": params.seed + have})
            replies.append(self._adapting(partial(self._retries.run, partial(self._post, messages, rest))))
        return replies

    def _completion(self, replies: list[Reply], params: SamplingParams) -> Completion:
        choices = [choice for reply in replies for choice in reply.choices]
        with self._lock:
            notes = [*self._quirks.take_notes(), *(note for reply in replies for note in reply.notes)]
        return Completion(
            choices=tuple(choices[: params.n]),
            usage=sum((reply.usage for reply in replies), Usage()).model_copy(update={"calls": 1}),
            notes=tuple(self._scrub(note) for note in dict.fromkeys(notes)),
        )

    def _adapting(self, send: Callable[[], T]) -> T:
        while True:
            try:
                return send()
            except _Rejected as rejected:
                rejection = rejected.rejection
                overflow = rejection.overflow()
                if overflow is not None:
                    raise overflow from rejected
                with self._lock:
                    learnt = self._quirks.learn(rejection)
                if not learnt:
                    raise self._refusal(rejection) from rejected

    def _request(self, messages: list[Message], params: SamplingParams) -> dict[str, Any]:
        quirks = self._quirks
        turns = fold(messages, system=quirks.fold_roles, alternate=quirks.fold_roles)
        return {
            "model": self._model,
            "messages": [{"role": turn.role, "content": turn.content} for turn in turns],
            **quirks.sampling(params),
        }

    def _post(self, messages: list[Message], params: SamplingParams) -> Reply:
        request = self._request(messages, params)
        body: str = self._calling(lambda: self._client.chat.completions.with_raw_response.create(**request).text)
        try:
            return read_reply(body, max_tokens=self._quirks.limit(params))
        except BadReply as error:
            raise Retryable(BadReply(self._scrub(str(error)))) from error

    def _open(self, messages: list[Message], params: SamplingParams) -> "_StreamReading":
        request = {**self._request(messages, params), "stream": True, **self._quirks.stream_options()}
        stream = self._calling(lambda: self._client.chat.completions.create(**request))
        reading = _StreamReading(stream, self._calling, self._where)
        try:
            reading.wait_for_choice()
        except BaseException:
            reading.close()
            raise
        return reading

    def _calling(self, call: Callable[[], T]) -> T:
        import openai

        if self._closed:
            raise ModelUnavailable("The model was closed; load it again.")
        try:
            return call()
        except openai.APIStatusError as error:
            rejection = read_rejection(error.status_code, self._scrub(error.response.text))
            busy = error.status_code >= 500 or error.status_code in _RETRIED
            if rejection.about_roles or rejection.overflow() or rejection.code == "insufficient_quota" or not busy:
                raise _Rejected(rejection) from None
            failure = f"{self._where} failed with status {rejection.status}: {rejection.message}"
            wait = error.response.headers.get("retry-after")
            asked = seconds_of(wait)
            if asked is not None and asked > LONGEST_WAIT:
                failure += f" It asks to wait {asked:.0f} s; run the same again after that."
            raise Retryable(ModelUnavailable(failure), wait) from None
        except openai.APITimeoutError:
            raise Retryable(ModelUnavailable(f"{self._where} did not answer in time.")) from None
        except openai.APIConnectionError as error:
            cause = self._scrub(str(error.__cause__ or error))
            raise Retryable(ModelUnavailable(f"{self._where} can't be reached: {cause}.")) from None
        except openai.APIError as error:
            rejection = read_rejection(200, self._scrub(json.dumps({"error": error.body or error.message})))
            if rejection.overflow():
                raise _Rejected(rejection) from None
            failure = f"{self._where} failed while it answered: {rejection.message}"
            raise Retryable(ModelUnavailable(failure)) from None
        except ValueError as error:
            raise Retryable(BadReply(f"{self._where} sent what is no JSON: {self._scrub(str(error))}.")) from None
        except OSError as error:
            raise Retryable(ModelUnavailable(f"{self._where} broke off: {self._scrub(str(error))}.")) from None

    def _refusal(self, rejection: Rejection) -> ModelError:
        said = f"{self._where} refuses the request (status {rejection.status}): {rejection.message}"
        if rejection.status in (401, 403):
            return ModelUnavailable(f"{said} Set the right key in OPENAI_API_KEY.")
        if rejection.status == 404:
            return ModelUnavailable(f"{said} Check the model's name and the base URL.")
        if rejection.code == "insufficient_quota":
            return ModelUnavailable(said)
        return ModelError(said)

    def _scrub(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text


class _Rejected(Exception):
    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.message)
        self.rejection = rejection


class _StreamReading:
    """One streamed reply, read chunk by chunk."""

    def __init__(self, stream: Any, calling: Callable[[Callable[[], Any]], Any], where: str) -> None:
        self._where = where
        self._stream = stream
        self._calling = calling
        self._chunks = iter(stream)
        self._first: dict[str, Any] | None = None
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._notes: list[str] = []
        self._pieces = 0
        self._watch = RepetitionWatch()
        self._repeats = False
        self._cut = False
        self._finished = False
        self._usage: Usage | None = None

    def wait_for_choice(self) -> None:
        """Read up to the first chunk with a choice, while a failure may still be tried again."""
        self._first = self._next()
        if self._first is None:
            raise Retryable(
                BadReply(f"{self._where} sent no chat completion chunk; check that the base URL is that of a chat API.")
            )

    def texts(self) -> Generator[str, None, None]:
        """Yield the text of the chunks."""
        chunk = self._first
        while chunk is not None:
            for choice in chunk["choices"]:
                yield from self._take(choice)
            if self._repeats:
                self._cut = self._finished = True
                self._notes.append(REPEATS.format(self._pieces))
                return
            chunk = self._next()

    def reply(self, max_tokens: int) -> Reply:
        """Return the whole reply once all texts were taken."""
        choice = Choice(
            text="".join(self._text),
            reasoning="".join(self._reasoning) or None,
            finish_reason="length" if self._cut else "stop",
        )
        if not self._finished:
            self._notes.append("The server's stream ended without a finish reason; the reply is possibly cut.")
        usage = self._usage
        if usage is None:
            usage = Usage(calls=1, completion_tokens=max(self._pieces, estimate_tokens(choice)))
            self._notes.append("The server reported no usage; completion tokens are estimated.")
        notes = dict.fromkeys([*self._notes, *cut_notes((choice,), usage, max_tokens=max_tokens)])
        return Reply(choices=(choice,), usage=usage, notes=tuple(notes))

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()

    def _next(self) -> dict[str, Any] | None:
        while (chunk := self._calling(lambda: next(self._chunks, None))) is not None:
            data = chunk.model_dump(exclude_unset=True, warnings=False)
            self._usage = read_usage(data.get("usage")) or self._usage
            if isinstance(data.get("choices"), list) and data["choices"]:
                return dict(data)
        return None

    def _take(self, choice: Any) -> Generator[str, None, None]:
        if not isinstance(choice, dict):
            return
        if choice.get("finish_reason") is not None:
            self._finished = True
            self._cut = read_finish(choice["finish_reason"], self._notes)
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return
        thought = read_reasoning(delta)
        if thought:
            self._reasoning.append(thought)
            self._count(thought)
        text = read_text(delta.get("content"), self._notes)
        if text:
            self._text.append(text)
            self._count(text)
            yield text

    def _count(self, piece: str) -> None:
        self._pieces += 1
        self._repeats = self._watch.feed(piece) or self._repeats


def _key() -> str | None:
    """Return the key of the first variable that holds one.

    Raises:
        UsageError: it holds what no request can carry; the message shows nothing of it.
    """
    for name in KEY_VARIABLES:
        key = os.environ.get(name, "").strip()
        if key and not re.fullmatch("[!-~]+", key):
            raise UsageError(f"The key in {name} holds a space, a control or a non-ASCII character; set it anew.")
        if key:
            return key
    return None


def _shown_url(base_url: str) -> str:
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}"
