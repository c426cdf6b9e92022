"""The `llamacpp:` backend: a GGUF model run by llama.cpp inside this process.

Every parallel request has a slot of its own; a prompt's prefix that a slot or the host-memory prompt cache still
holds is not read again. A prompt that does not fit is refused before anything is generated.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reasonflux.errors import BadReply, ContextOverflow, ModelError
from reasonflux.models.base import Choice, Completion, Message, ModelInfo, SamplingParams
from reasonflux.models.folding import fold
from reasonflux.models.llamacpp_engine import Engine, import_backend
from reasonflux.models.repetition import REPEATS, RepetitionWatch
from reasonflux.returned import returned
from reasonflux.types import Usage

_RANDOM_SEED = (1 << 32) - 1
_COMPACT_JSON = {"whitespace_flexible": False, "key_separator": ": ", "item_separator": ", "}


class LlamaCppModel:
    """A chat model in a GGUF file.

    Args:
        path: the file.
        spec: the spec string recorded with every run.
        weights_sha256: the file's hash where known.
        slots: parallel requests, at least 1.
        context_tokens: tokens of context a slot; None picks what fits, up to 8192.
        threads: compute threads; None takes the physical cores.
        chat_template: a Jinja chat template to use instead of the file's own.

    Raises:
        ModelUnavailable: the file is missing, damaged or too large for this machine.
    """

    def __init__(
        self,
        path: Path,
        *,
        spec: str,
        weights_sha256: str | None = None,
        slots: int = 1,
        context_tokens: int | None = None,
        threads: int | None = None,
        chat_template: str | None = None,
    ) -> None:
        self._engine = Engine(
            path, slots=slots, context_tokens=context_tokens, threads=threads, chat_template=chat_template
        )
        self._context = self._engine.size.slot_tokens
        self._fold_system, self._fold_turns = self._try_template()
        self._info = ModelInfo(
            spec=spec,
            weights_sha256=weights_sha256,
            backend="llamacpp",
            backend_version=f"xllamacpp {import_backend().__version__}",
            slots=slots,
            context_tokens=self._context,
        )
        self._notes = self._fold_notes()

    @property
    def info(self) -> ModelInfo:
        """Facts recorded with every run."""
        return self._info

    def complete(self, messages: list[Message], params: SamplingParams) -> Completion:
        """Return a completion of `messages`.

        Raises:
            ContextOverflow: prompt and `max_tokens` do not fit the context.
            ModelUnavailable: the model was closed.
            ModelError: llama.cpp refused the request.
        """
        request = self._request(messages, params)
        drawn = [returned(self._run(request, params.seed + index)) for index in range(params.n)]
        return self._completion(drawn, params)

    def stream(self, messages: list[Message], params: SamplingParams) -> Generator[str, None, Completion]:
        """Yield the first choice's text as it comes; closing the generator cancels the call.

        Raises:
            ContextOverflow: prompt and `max_tokens` do not fit the context.
            ModelUnavailable: the model was closed.
            ModelError: llama.cpp refused the request.
        """
        request = self._request(messages, params)
        drawn = [(yield from self._run(request, params.seed))]
        drawn += [returned(self._run(request, params.seed + index)) for index in range(1, params.n)]
        return self._completion(drawn, params)

    def close(self) -> None:
        """Cancel what runs and free the model; safe to call twice."""
        self._engine.close()

    def count_tokens(self, messages: list[Message]) -> int:
        """Return the tokens of the prompt that the model's chat template makes of `messages`."""
        return self._count({"messages": self._turns(messages)})

    def _turns(self, messages: list[Message]) -> list[dict[str, str]]:
        folded = fold(messages, system=self._fold_system, alternate=self._fold_turns)
        return [{"role": turn.role, "content": turn.content} for turn in folded]

    def _request(self, messages: list[Message], params: SamplingParams) -> dict[str, Any]:
        request: dict[str, Any] = {
            "messages": self._turns(messages),
            "max_tokens": params.max_tokens,
            "temperature": params.temperature,
            "top_p": params.top_p,
            # Only what SamplingParams names shapes the draw; the server's own defaults for these would too.
            "top_k": 0,
            "min_p": 0.0,
            "stop": list(params.stop),
            "cache_prompt": params.cache_prompt,
            "stream": True,
            "stream_options": {"include_usage": True},
            # Progress chunks let a cancelled request stop between two batches of its prompt.
            "return_progress": True,
            # A reply that is cut off for repeating itself has no last chunk with its usage.
            "timings_per_token": True,
        }
        if params.json_schema is not None:
            request["grammar"] = _grammar_of(params.json_schema)
        prompt_tokens = self._count(request)
        needed = prompt_tokens + params.max_tokens
        if needed > self._context:
            raise ContextOverflow(
                f"The prompt has {prompt_tokens} tokens; with max_tokens {params.max_tokens} it needs {needed} of a "
                f"context of {self._context}: shorten it or lower max_tokens.",
                needed=needed,
                available=self._context,
            )
        return request

    def _count(self, request: dict[str, Any]) -> int:
        status, reply = self._engine.ask("/v1/chat/completions/input_tokens", request)
        if status != 200:
            raise _error_of(reply)
        tokens = reply.get("input_tokens")
        if not isinstance(tokens, int):
            raise BadReply(f"llama.cpp did not count the prompt's tokens: {str(reply)[:200]}.")
        return tokens

    def _run(self, request: dict[str, Any], seed: int) -> Generator[str, None, "_Drawn"]:
        generation = self._engine.generate({**request, "seed": seed % _RANDOM_SEED})
        drawn = _Drawn()
        try:
            for chunk in generation:
                if "error" in chunk:
                    raise _error_of(chunk)
                text = drawn.take(chunk)
                if text:
                    yield text
                if drawn.repeats:
                    break
        except ValueError as error:
            raise ModelError(f"llama.cpp refused the request: {error}.") from error
        finally:
            self._engine.finish(generation)
        if drawn.finish is None or drawn.usage is None:
            raise ModelError("llama.cpp ended the reply early, as it does when the model is closed.")
        return drawn

    def _completion(self, drawn: list["_Drawn"], params: SamplingParams) -> Completion:
        choices = tuple(one.choice() for one in drawn)
        if params.json_schema is not None and not all(_was_enforced(choice) for choice in choices):
            raise ModelError(
                "llama.cpp can't enforce this JSON schema and wrote free text; leave out what it does not know, such "
                "as 'not' and 'uniqueItems'."
            )
        usage = sum((one.usage for one in drawn if one.usage), Usage()).model_copy(update={"calls": 1})
        notes, self._notes = self._notes, ()
        cut = [REPEATS.format(one.usage.completion_tokens) for one in drawn if one.repeats and one.usage]
        return Completion(choices=choices, usage=usage, notes=(*notes, *cut))

    def _try_template(self) -> tuple[bool, bool]:
        user = {"role": "user", "content": "Q-MARK"}
        _, props = self._engine.ask("/props")
        caps = props.get("chat_template_caps")
        # Where the template lacks the role llama.cpp would fold it too, but without a word.
        knows_system = not isinstance(caps, dict) or caps.get("supports_system_role") is not False
        with_system = knows_system and self._renders(
            [{"role": "system", "content": "S-MARK"}, user], ("S-MARK", "Q-MARK")
        )
        with_pair = self._renders([user, {"role": "user", "content": "R-MARK"}], ("Q-MARK", "R-MARK"))
        return not with_system, not with_pair

    def _renders(self, turns: list[dict[str, str]], marks: tuple[str, ...]) -> bool:
        status, reply = self._engine.ask("/apply-template", {"messages": turns})
        return status == 200 and all(mark in str(reply.get("prompt", "")) for mark in marks)

    def _fold_notes(self) -> tuple[str, ...]:
        notes = []
        if self._fold_system:
            notes.append("The model's chat template has no system role: system text goes into the first user turn.")
        if self._fold_turns:
            notes.append("The model's chat template wants alternating turns: neighbours of one role are joined.")
        return tuple(notes)


@dataclass
class _Drawn:
    """One reply as it comes."""

    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    finish: str | None = None
    usage: Usage | None = None
    repeats: bool = False
    _watch: RepetitionWatch = field(default_factory=RepetitionWatch)

    def take(self, chunk: dict[str, Any]) -> str:
        """Read a chunk of the server's and return the visible text in it."""
        if chunk.get("usage"):
            self.usage = _usage_of(chunk["usage"])
        visible = ""
        for choice in chunk.get("choices", ()):
            self.finish = choice.get("finish_reason") or self.finish
            delta = choice.get("delta", {})
            thought, said = delta.get("reasoning_content") or "", delta.get("content") or ""
            self.reasoning.append(thought)
            self.text.append(said)
            visible += said
            if (thought or said) and self._watch.feed(thought + said):
                self.repeats, self.finish = True, "length"
                self.usage = _usage_of_timings(chunk.get("timings", {}))
        return visible

    def choice(self) -> Choice:
        """Return what was drawn."""
        return Choice(
            text="".join(self.text),
            reasoning="".join(self.reasoning) or None,
            finish_reason="length" if self.finish == "length" else "stop",
        )


def _grammar_of(schema: dict[str, Any]) -> str:
    import jsonschema

    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ModelError(f"What was given as JSON schema is none: {error.message}.") from error
    # The server's response_format would do too, but drops the hint that keeps whitespace from running away.
    try:
        return str(import_backend().json_schema_to_grammar({**schema, "x-guidance": _COMPACT_JSON}))
    except Exception as error:
        raise ModelError(f"llama.cpp can't make a grammar of the JSON schema: {error}.") from error


def _was_enforced(choice: Choice) -> bool:
    from pydantic_core import from_json

    # llama.cpp only logs that it can't compile a schema and goes on without it.
    cut = choice.finish_reason == "length"
    try:
        from_json(choice.text, allow_partial=cut)
    except ValueError as error:
        return cut and "EOF" in str(error)
    return True


def _usage_of(usage: dict[str, Any]) -> Usage:
    details = usage.get("prompt_tokens_details") or {}
    return Usage(
        calls=1,
        prompt_tokens=usage.get("prompt_tokens", 0),
        cached_tokens=details.get("cached_tokens", 0),
        completion_tokens=usage.get("completion_tokens", 0),
    )


def _usage_of_timings(timings: dict[str, Any]) -> Usage:
    cached = timings.get("cache_n", 0)
    return Usage(
        calls=1,
        prompt_tokens=cached + timings.get("prompt_n", 0),
        cached_tokens=cached,
        completion_tokens=timings.get("predicted_n", 0),
    )


def _error_of(reply: dict[str, Any]) -> ModelError:
    error = reply.get("error")
    if not isinstance(error, dict):
        return ModelError(f"llama.cpp refused the request: {str(reply)[:200]}.")
    message = str(error.get("message", "no message"))
    if error.get("type") == "exceed_context_size_error":
        return ContextOverflow(
            f"The prompt does not fit the model's context: {message}.",
            needed=error.get("n_prompt_tokens"),
            available=error.get("n_ctx"),
        )
    return ModelError(f"llama.cpp refused the request: {message}.")
