"""What a strategy is handed, and the state of one run's model calls.

`Context` holds no gold answer and nothing of the current problem, so that one context serves many problems at
once. `Conversation` is made anew for each run: it owns the run's budget and is the only way a stage reaches a model.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from reasonflux.config import SolveSettings
from reasonflux.errors import ReasonFluxError
from reasonflux.models.base import ChatModel, Completion, Message, SamplingParams
from reasonflux.models.caller import MAX_SHRINKS, Budget, ModelCaller
from reasonflux.retrieval import TemplateSource
from reasonflux.types import Event, ModelCall, ModelCalled, Noticed, Problem, TokenDelta, ToolCall, Usage


class ProgramTool(Protocol):
    """Runs a program a model wrote."""

    @property
    def available(self) -> bool:
        """Whether programs can be run safely on this system."""
        ...

    @property
    def why_not(self) -> str:
        """One sentence on what is missing when it is not available."""
        ...

    def run(self, program: str, prelude: str = "", epilogue: str = "") -> ToolCall:
        """Run `program` after `prelude`, whose output is dropped, and before `epilogue`, whose output is kept."""
        ...


class AnswerComparer(Protocol):
    """Says whether two answers are the same value."""

    def same(self, first: str, second: str) -> bool | None:
        """Return whether the answers are equal, or None when that could not be decided."""
        ...


@dataclass(frozen=True)
class Context:
    """What every strategy is handed beside the problem."""

    run_id: str
    model: ChatModel
    settings: SolveSettings
    planner: ChatModel | None = None
    templates: TemplateSource | None = None
    tools: ProgramTool | None = None
    answers: AnswerComparer | None = None


Strategy = Callable[[Problem, Context], Iterator[Event]]
Render = Callable[[int], list[Message]]


@dataclass
class Conversation:
    """The model calls of one run: their budget, their usage and their events."""

    context: Context
    usage: Usage = field(default_factory=Usage)
    flags: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.budget = Budget(self.context.settings.budget)
        self._pending: list[Event] = []
        self._callers = {
            "instantiator": self._caller(self.context.model),
            "planner": self._caller(self.context.planner or self.context.model),
        }

    def _caller(self, model: ChatModel) -> ModelCaller:
        return ModelCaller(model, self.budget, on_call=self._record, on_notice=self._notice)

    def _record(self, call: ModelCall) -> None:
        self.usage = self.usage + call.usage
        if call.finish_reason == "length":
            self.flags.add(f"truncated:{call.stage}")
        self._pending.append(ModelCalled(call=call))

    def _notice(self, stage: str, message: str) -> None:
        self._pending.append(Noticed(stage=stage, message=message))

    def drain(self) -> Iterator[Event]:
        """Yield the call records and notices that were not yielded yet."""
        while self._pending:
            yield self._pending.pop(0)

    def params(
        self,
        max_tokens: int,
        *,
        seed_offset: int = 0,
        temperature: float | None = None,
        schema: dict[str, object] | None = None,
    ) -> SamplingParams:
        """Return the sampling parameters of one call under this run's settings."""
        settings = self.context.settings
        return SamplingParams(
            temperature=settings.temperature if temperature is None else temperature,
            max_tokens=max_tokens,
            seed=settings.seed + seed_offset,
            json_schema=schema,
            cache_prompt=settings.prompt_cache,
        )

    def ask(
        self, role: Literal["planner", "instantiator"], stage: str, render: Render, params: SamplingParams
    ) -> Generator[Event, None, Completion]:
        """Call a model and yield what happens on the way.

        Args:
            role: which of the run's two models to call.
            stage: the stage recorded with the call.
            render: gives the messages at a level of shortening, 0 the whole prompt, up to `MAX_SHRINKS`.
            params: how the completion is drawn; its `max_tokens` is clipped to what the budget leaves.

        Raises:
            ContextOverflow: the prompt does not fit even at the last level.
            BudgetExhausted: no token is left.
            ModelError: the model could not answer.
        """

        def shrink(messages: list[Message], attempt: int) -> list[Message] | None:
            size = sum(len(message.content) for message in messages)
            levels = (render(level) for level in range(attempt, MAX_SHRINKS + 1))
            shorter = next((level for level in levels if sum(len(part.content) for part in level) < size), None)
            if shorter is not None:
                self.flags.add("shortened")
            return shorter

        stream = self._callers[role].stream(stage, render(0), params, shrink=shrink)
        try:
            while True:
                text, reset = next(stream)
                yield from self.drain()
                yield TokenDelta(stage=stage, text=text, reset=reset)
        except StopIteration as stop:
            completion: Completion = stop.value
        except ReasonFluxError:
            # The failed call belongs on the run as well, and nobody drains after an error.
            yield from self.drain()
            raise
        finally:
            stream.close()
        yield from self.drain()
        return completion
