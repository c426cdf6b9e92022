import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from reasonflux.errors import BudgetExhausted, ContextOverflow, ModelUnavailable, ReasonFluxError
from reasonflux.models.base import Completion, Message, SamplingParams
from reasonflux.models.caller import Budget, ModelCaller, hash_messages
from reasonflux.models.scripted import ScriptedModel

ASK = [Message(role="user", content="What is 2+2?")]
PARAMS = SamplingParams(max_tokens=20)


class Run:
    """A caller with all it reported."""

    def __init__(self, *replies, budget: int = 1000, model: ScriptedModel | None = None) -> None:
        self.model = model or ScriptedModel(replies)
        self.budget = Budget(budget)
        self.calls = []
        self.notices = []
        self.caller = ModelCaller(
            self.model,
            self.budget,
            on_call=self.calls.append,
            on_notice=lambda stage, message: self.notices.append((stage, message)),
        )


def complete(run: Run, stage="step", messages=ASK, params=PARAMS, **more) -> Completion:
    return run.caller.complete(stage, messages, params, **more)


def stream(run: Run, stage="step", messages=ASK, params=PARAMS, **more) -> Completion:
    generator = run.caller.stream(stage, messages, params, **more)
    outcome = []

    def pieces():
        outcome.append((yield from generator))

    shown = ""
    for text, reset in pieces():
        shown = text if reset else shown + text
    assert shown == outcome[0].text
    return outcome[0]


both_ways = pytest.mark.parametrize("call", [complete, stream])


@both_ways
def test_a_call_is_recorded_and_charged(call):
    run = Run("the answer is 4")
    assert call(run).text == "the answer is 4"
    (record,) = run.calls
    assert (record.stage, record.model, record.finish_reason, record.error) == ("step", "scripted:inline", "stop", None)
    assert record.messages_hash == hash_messages(ASK)
    assert record.usage.model_dump() == {"calls": 1, "prompt_tokens": 3, "cached_tokens": 0, "completion_tokens": 4}
    assert record.seconds >= 0
    assert run.budget.left == 996
    assert run.model.requests[0].stage == "step"


@both_ways
def test_max_tokens_is_clipped_and_the_budget_never_exceeded(call):
    run = Run("one two three four five six", "one two three", "never", budget=8)
    assert call(run, params=SamplingParams(max_tokens=5)).truncated
    assert run.calls[0].finish_reason == "length"
    assert call(run, params=SamplingParams(max_tokens=5)).text.split() == ["one", "two", "three"]
    assert run.model.requests[1].params.max_tokens == 3
    assert run.budget.exhausted
    with pytest.raises(BudgetExhausted) as caught:
        call(run)
    assert caught.value.stage == "step"
    assert len(run.model.requests) == 2


def test_parallel_calls_stay_within_the_budget():
    run = Run(*["a b c d e"] * 50, budget=60)
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(complete, run, params=SamplingParams(max_tokens=4)) for _ in range(50)]
    failed = [job for job in jobs if job.exception() is not None]
    assert all(isinstance(job.exception(), BudgetExhausted) for job in failed)
    assert sum(record.usage.completion_tokens for record in run.calls) == 60 - run.budget.left == 60


def test_several_choices_share_the_budget():
    run = Run(*["a b c d e f"] * 3, budget=10)
    completion = complete(run, params=SamplingParams(max_tokens=50, n=3))
    assert [choice.text.split() for choice in completion.choices] == [["a", "b", "c"]] * 3
    assert run.budget.left == 1
    with pytest.raises(BudgetExhausted):
        complete(run, params=SamplingParams(n=2))


@both_ways
def test_failures_are_recorded_and_named(call):
    run = Run(ModelUnavailable("the server is away"))
    with pytest.raises(ModelUnavailable) as caught:
        call(run, stage="plan")
    assert caught.value.stage == "plan"
    assert (run.calls[0].error, run.calls[0].finish_reason) == ("the server is away", None)
    assert run.budget.left == 1000


@both_ways
def test_a_bug_is_wrapped_once(call):
    run = Run(ZeroDivisionError("oops"))
    with pytest.raises(ReasonFluxError, match="The step stage failed: ZeroDivisionError: oops"):
        call(run)
    assert run.calls[0].error == "oops"


@both_ways
def test_think_blocks_are_taken_out(call):
    run = Run(r"maybe \boxed{7} <think>no</think> so </think>It is \boxed{8}", "<think>only")
    first = call(run)
    assert first.text == r"It is \boxed{8}"
    assert "no" in (first.choices[0].reasoning or "")
    assert call(run).text == ""


@both_ways
def test_schema_output_is_left_alone(call):
    run = Run("<think>x</think>{}")
    assert call(run, params=SamplingParams(json_schema={"type": "object"})).text == "<think>x</think>{}"


def test_notes_become_notices():
    class Noting(ScriptedModel):
        def complete(self, messages, params):
            return super().complete(messages, params).model_copy(update={"notes": ("roles were folded",)})

    run = Run(model=Noting(["a", "b"]))
    complete(run)
    stream(run, stage="plan")
    assert run.notices == [("step", "roles were folded"), ("plan", "roles were folded")]


def lengths(run: Run) -> list[int]:
    return [sum(len(message.content) for message in request.messages) for request in run.model.requests]


def halves(messages: list[Message], attempt: int) -> list[Message]:
    return [message.model_copy(update={"content": message.content[: 400 // 2**attempt]}) for message in messages]


@both_ways
def test_an_overflow_is_shortened_at_most_three_times(call):
    long = [Message(role="user", content="x" * 400)]
    run = Run(ContextOverflow("too long"), ContextOverflow("too long"), "fits")
    assert call(run, messages=long, shrink=halves).text == "fits"
    assert lengths(run) == [400, 200, 100]
    assert [record.error for record in run.calls] == ["too long", "too long", None]
    assert len(run.notices) == 2
    assert re.search(r"from 400 to 200 characters \(attempt 1 of 3\)", run.notices[0][1])

    run = Run(*[ContextOverflow("too long", needed=5210, available=4096)] * 9)
    with pytest.raises(ContextOverflow) as caught:
        call(run, messages=long, shrink=halves)
    assert lengths(run) == [400, 200, 100, 50]
    assert (caught.value.needed, caught.value.available, caught.value.stage) == (5210, 4096, "step")


@both_ways
@pytest.mark.parametrize(
    "shrink", [None, lambda messages, attempt: None, lambda messages, attempt: messages, lambda m, a: [*m, *m]]
)
def test_a_prompt_that_does_not_get_smaller_is_not_sent_again(call, shrink):
    run = Run(ContextOverflow("too long"), "never")
    with pytest.raises(ContextOverflow):
        call(run, shrink=shrink)
    assert len(run.model.requests) == 1


def test_a_stream_closed_early_is_charged_for_what_came():
    run = Run("one two three four")
    generator = run.caller.stream("step", ASK, PARAMS)
    assert [next(generator)[0].strip(), next(generator)[0].strip()] == ["one", "two"]
    generator.close()
    assert run.budget.left == 998
    assert (run.calls[0].error, run.calls[0].usage.completion_tokens) == ("cancelled", 2)


def test_no_tag_is_shown_before_it_is_withdrawn():
    run = Run("weighing it </think>Answer")
    shown = list(run.caller.stream("step", ASK, PARAMS))
    assert shown == [("weighing ", False), ("it ", False), ("Answer", True)]


def test_the_hash_is_canonical():
    assert hash_messages(ASK) == hash_messages([Message(role="user", content="What is 2+2?")])
    assert hash_messages(ASK) != hash_messages([Message(role="system", content="What is 2+2?")])
    assert hash_messages([Message(role="user", content="lone \ud800")]).startswith("sha256:")


def test_spending_never_goes_below_nothing():
    budget = Budget(5)
    budget.spend(9)
    assert (budget.left, budget.exhausted) == (0, True)
