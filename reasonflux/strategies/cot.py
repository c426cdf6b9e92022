"""Chain of thought: one reply that reasons step by step and boxes its answer. The baseline to compare with."""

import time
from collections.abc import Iterator

from reasonflux.answers import extract
from reasonflux.context import Context, Conversation
from reasonflux.errors import BudgetExhausted, ContextOverflow
from reasonflux.models.base import Message
from reasonflux.prompts import render
from reasonflux.types import AnswerFound, Event, Noticed, Problem, RunFinished, Solution

STAGE = "cot"
MAX_TOKENS = 2048


def chain_of_thought(problem: Problem, context: Context) -> Iterator[Event]:
    """Solve `problem` in one call of the instantiation model."""
    started = time.monotonic()
    conversation = Conversation(context)

    def at(_level: int) -> list[Message]:
        return render("cot", problem=problem.text)

    answer: str | None = None
    try:
        completion = yield from conversation.ask("instantiator", STAGE, at, conversation.params(MAX_TOKENS))
        found = extract(completion.text, truncated=completion.truncated)
        answer = found.answer
        conversation.flags.update(found.flags)
    except (BudgetExhausted, ContextOverflow) as error:
        conversation.flags.add("budget" if isinstance(error, BudgetExhausted) else "context_overflow")
        yield Noticed(stage=STAGE, message=str(error))
    yield from conversation.drain()
    if answer is not None:
        yield AnswerFound(answer=answer, source="chain of thought")
    yield RunFinished(
        solution=Solution(
            answer=answer,
            status="answered" if answer is not None else "no_answer",
            flags=tuple(sorted(conversation.flags)),
            usage=conversation.usage,
            seconds=time.monotonic() - started,
            run_id=context.run_id,
        )
    )
