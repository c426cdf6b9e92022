"""The one place of a run where chat models are called.

Every attempt is charged to the run's budget, recorded as a `ModelCall` whether it worked or not, freed of think
tags, and named by its stage when it breaks.
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from reasonflux.errors import BudgetExhausted, ContextOverflow, boundary
from reasonflux.models.base import ChatModel, Choice, Completion, Message, SamplingParams, current_stage
from reasonflux.models.thinking import Piece, ThinkingFilter, strip_thinking
from reasonflux.types import ModelCall, Usage

MAX_SHRINKS = 3
Shrink = Callable[[list[Message], int], list[Message] | None]


class Budget:
    """The completion tokens a run may take; thread-safe.

    A call reserves what it may take at most and gives back what it did not, so that parallel calls together stay
    within the total.
    """

    def __init__(self, total: int) -> None:
        self._left = total
        self._lock = threading.Lock()

    @property
    def left(self) -> int:
        """Tokens that are neither spent nor reserved."""
        return self._left

    @property
    def exhausted(self) -> bool:
        """Whether no further call can be made."""
        return self._left < 1

    def spend(self, tokens: int) -> None:
        """Take `tokens`; the rest never falls below 0."""
        with self._lock:
            self._left = max(0, self._left - tokens)

    def reserve(self, tokens: int, *, choices: int = 1) -> int:
        """Set aside up to `tokens` for each of `choices` and return how many each got.

        Raises:
            BudgetExhausted: not even one token for each choice is left.
        """
        with self._lock:
            granted = min(tokens, self._left // choices)
            if granted < 1:
                raise BudgetExhausted(
                    "The run's token budget is spent; give it a larger --budget to let it go further."
                )
            self._left -= granted * choices
            return granted

    def give_back(self, tokens: int) -> None:
        """Return reserved tokens that were not taken."""
        with self._lock:
            self._left += max(0, tokens)


@dataclass
class _Attempt:
    """What is known of a running call."""

    usage: Usage = field(default_factory=lambda: Usage(calls=1))
    finish_reason: str | None = None
    error: str | None = None


class ModelCaller:
    """Calls one chat model for one run.

    Args:
        model: the model.
        budget: the run's budget; callers of one run share it.
        on_call: receives the record of every attempt.
        on_notice: receives the stage and one sentence on what a reader of the run should know.
    """

    def __init__(
        self,
        model: ChatModel,
        budget: Budget,
        on_call: Callable[[ModelCall], None] = lambda call: None,
        on_notice: Callable[[str, str], None] = lambda stage, message: None,
    ) -> None:
        self._model = model
        self._budget = budget
        self._on_call = on_call
        self._on_notice = on_notice

    def complete(
        self, stage: str, messages: list[Message], params: SamplingParams, *, shrink: Shrink | None = None
    ) -> Completion:
        """Return a completion without its think blocks.

        Args:
            stage: the stage recorded with the call.
            messages: the conversation.
            params: how to draw; `max_tokens` is clipped to what the budget leaves.
            shrink: gives shorter messages for attempt 1 to 3 after the prompt did not fit, or None to give up.

        Raises:
            BudgetExhausted: no token is left.
            ContextOverflow: the prompt does not fit, however much it was shortened.
            ModelError: the model could not answer.
        """
        with boundary(stage):
            attempt = 0
            while True:
                try:
                    with self._attempt(stage, messages, params) as (clipped, record), _in_stage(stage):
                        completion = self._model.complete(messages, clipped)
                        _note_outcome(record, completion)
                    return self._cleaned(stage, completion, params)
                except ContextOverflow as overflow:
                    attempt += 1
                    messages = self._shorter(stage, messages, attempt, shrink, overflow)

    def stream(
        self, stage: str, messages: list[Message], params: SamplingParams, *, shrink: Shrink | None = None
    ) -> Generator[tuple[str, bool], None, Completion]:
        """Yield the first choice's visible text as it comes; the return value is the completion without think blocks.

        Each item is `(text, reset)`; with `reset` all text before it is withdrawn. Closing the generator cancels
        the call; what came until then is charged, a token a piece. Arguments and errors are those of `complete`.
        """
        with boundary(stage):
            attempt = 0
            while True:
                started = False
                try:
                    run = self._run_stream(stage, messages, params)
                    try:
                        while True:
                            piece = next(run)
                            started = True
                            yield piece
                    except StopIteration as stop:
                        completion: Completion = stop.value
                        return completion
                    finally:
                        run.close()
                except ContextOverflow as overflow:
                    if started:
                        raise
                    attempt += 1
                    messages = self._shorter(stage, messages, attempt, shrink, overflow)

    def _run_stream(
        self, stage: str, messages: list[Message], params: SamplingParams
    ) -> Generator[tuple[str, bool], None, Completion]:
        thinking = ThinkingFilter() if params.json_schema is None else None
        with self._attempt(stage, messages, params) as (clipped, record):
            run = self._model.stream(messages, clipped)
            try:
                while True:
                    with _in_stage(stage):
                        chunk = next(run)
                    taken = record.usage.completion_tokens + 1
                    record.usage = record.usage.model_copy(update={"completion_tokens": taken})
                    yield from _pieces(thinking.feed(chunk) if thinking else [("text", chunk)])
            except StopIteration as stop:
                completion: Completion = stop.value
                _note_outcome(record, completion)
            finally:
                run.close()
        if thinking:
            yield from _pieces(thinking.finish())
        return self._cleaned(stage, completion, params)

    @contextmanager
    def _attempt(
        self, stage: str, messages: list[Message], params: SamplingParams
    ) -> Iterator[tuple[SamplingParams, _Attempt]]:
        granted = self._budget.reserve(params.max_tokens, choices=params.n)
        record = _Attempt()
        began = time.monotonic()
        try:
            yield params.model_copy(update={"max_tokens": granted}), record
        except GeneratorExit:
            record.error = "cancelled"
            raise
        except BaseException as error:
            record.error = str(error) or type(error).__name__
            raise
        finally:
            self._budget.give_back(granted * params.n - record.usage.completion_tokens)
            self._on_call(
                ModelCall(
                    stage=stage,
                    model=self._model.info.spec,
                    messages_hash=hash_messages(messages),
                    usage=record.usage,
                    seconds=time.monotonic() - began,
                    finish_reason=record.finish_reason,
                    error=record.error,
                )
            )

    def _cleaned(self, stage: str, completion: Completion, params: SamplingParams) -> Completion:
        for note in completion.notes:
            self._on_notice(stage, note)
        if params.json_schema is not None:
            return completion
        return completion.model_copy(update={"choices": tuple(_clean(choice) for choice in completion.choices)})

    def _shorter(
        self,
        stage: str,
        messages: list[Message],
        attempt: int,
        shrink: Shrink | None,
        overflow: ContextOverflow,
    ) -> list[Message]:
        shorter = shrink(messages, attempt) if shrink is not None and attempt <= MAX_SHRINKS else None
        before = _characters(messages)
        if shorter is None or _characters(shorter) >= before:
            raise overflow
        self._on_notice(
            stage,
            f"The prompt did not fit the model's context; shortened from {before} to {_characters(shorter)} "
            f"characters (attempt {attempt} of {MAX_SHRINKS}).",
        )
        return shorter


def hash_messages(messages: list[Message]) -> str:
    """Return the hash of a conversation's canonical JSON, tagged with the algorithm."""
    turns = [{"role": message.role, "content": message.content} for message in messages]
    canonical = json.dumps(turns, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(canonical.encode('ascii')).hexdigest()}"


@contextmanager
def _in_stage(stage: str) -> Iterator[None]:
    token = current_stage.set(stage)
    try:
        yield
    finally:
        current_stage.reset(token)


def _note_outcome(record: _Attempt, completion: Completion) -> None:
    record.usage = completion.usage.model_copy(update={"calls": 1})
    reasons = [choice.finish_reason for choice in completion.choices]
    record.finish_reason = "length" if "length" in reasons else "stop"


def _clean(choice: Choice) -> Choice:
    visible, thought = strip_thinking(choice.text)
    reasoning = "\n\n".join(part for part in (choice.reasoning, thought) if part)
    return choice.model_copy(update={"text": visible, "reasoning": reasoning or None})


def _pieces(pieces: list[Piece]) -> Iterator[tuple[str, bool]]:
    withdrawn = False
    for kind, text in pieces:
        if kind == "reset":
            withdrawn = True
        else:
            yield text, withdrawn
            withdrawn = False
    if withdrawn:
        yield "", True


def _characters(messages: list[Message]) -> int:
    return sum(len(message.content) for message in messages)
