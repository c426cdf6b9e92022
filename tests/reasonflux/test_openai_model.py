import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest

from reasonflux.errors import BadReply, ContextOverflow, ModelError, ModelUnavailable, UsageError
from reasonflux.models import load_model
from reasonflux.models.base import ChatModel, Completion, Message, SamplingParams
from reasonflux.models.openai import OpenAIModel
from reasonflux.models.retrying import seconds_of

KEY = "sk-very-secret-key"
ASK = [Message(role="system", content="Be brief."), Message(role="user", content="What is 3*7?")]
PARAMS = SamplingParams(max_tokens=50)
ALTERNATE = "Conversation roles must alternate user/assistant/user/assistant/..."


@pytest.fixture
def waits():
    return []


@pytest.fixture
def model(fake_server, waits, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    made = OpenAIModel("m", fake_server.url, timeout=5, sleep=waits.append)
    yield made
    made.close()


def drain(run):
    pieces = []
    while True:
        try:
            pieces.append(next(run))
        except StopIteration as stop:
            return pieces, stop.value


def failure(message: str, status: int = 400, **more):
    return {"status": status, "body": {"error": {"message": message, **more}}}


def test_a_reply_and_its_request(model, fake_server, chat):
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}
    fake_server.script = [chat("21", usage=usage)]
    schema = {"type": "object"}
    completion = model.complete(ASK, SamplingParams(max_tokens=50, seed=5, stop=("END",), json_schema=schema))
    assert isinstance(model, ChatModel)
    assert (completion.text, completion.truncated, completion.notes) == ("21", False, ())
    assert completion.usage.model_dump() == {
        "calls": 1,
        "prompt_tokens": 9,
        "cached_tokens": 4,
        "completion_tokens": 2,
    }
    (body,) = fake_server.bodies
    assert (body["model"], body["max_tokens"], body["seed"], body["stop"]) == ("m", 50, 5, ["END"])
    assert body["response_format"]["json_schema"]["schema"] == schema
    assert body["response_format"]["json_schema"]["strict"] is True
    assert [turn["role"] for turn in body["messages"]] == ["system", "user"]
    assert fake_server.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("message", "finish", "text", "reasoning", "truncated"),
    [
        ({"content": None, "reasoning_content": r"x=7, so \boxed{21}"}, "length", "", r"x=7, so \boxed{21}", True),
        ({"content": None, "reasoning_content": r"x=7, so \boxed{21}"}, "stop", "", r"x=7, so \boxed{21}", False),
        ({"content": "", "reasoning": "hm"}, "stop", "", "hm", False),
        ({"content": None, "tool_calls": None}, "stop", "", None, False),
        ({"content": [{"type": "text", "text": r"\boxed{4}"}]}, "stop", r"\boxed{4}", None, False),
        ({"content": [{"type": "text", "text": "a"}, "b", {"type": "image_url"}, 3]}, "stop", "ab", None, False),
        ({}, None, "", None, False),
        ({"content": "x", "reasoning_content": 5}, "content_filter", "x", None, False),
    ],
)
def test_replies_of_every_shape(model, fake_server, answer, message, finish, text, reasoning, truncated):
    fake_server.script = [
        answer({"choices": [{"message": message, "finish_reason": finish}], "usage": {"completion_tokens": 3}})
    ]
    completion = model.complete(ASK, PARAMS)
    choice = completion.choices[0]
    assert (choice.text, choice.reasoning, completion.truncated) == (text, reasoning, truncated)
    assert fake_server.calls == 1
    if finish == "length":
        assert any("raise the token limit" in note for note in completion.notes)
    if finish == "content_filter":
        assert any("content_filter" in note for note in completion.notes)


@pytest.mark.parametrize(
    "body",
    [
        {"object": "chat.completion"},
        {"choices": []},
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"error": {"message": "overloaded"}},
        [],
        None,
        "<html>gateway</html>",
    ],
)
def test_a_body_that_is_no_reply_is_tried_again_then_refused(model, fake_server, answer, chat, body, waits):
    fake_server.script = [answer(body)]
    with pytest.raises(BadReply) as caught:
        model.complete(ASK, PARAMS)
    start = body if isinstance(body, str) else json.dumps(body)
    assert start in str(caught.value)
    assert fake_server.calls == 5
    fake_server.script = [answer(body)] * 6 + [chat("fine")]
    assert model.complete(ASK, PARAMS).text == "fine"
    assert fake_server.calls == 7


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_busy_servers_are_tried_again_with_backoff(model, fake_server, answer, chat, waits, status):
    busy = answer(**failure("busy", status))
    fake_server.script = [busy, busy, busy, chat("done")]
    assert model.complete(ASK, PARAMS).text == "done"
    assert fake_server.calls == 4
    assert len(waits) == 3
    assert all(0.25 <= wait <= 2.0 for wait in waits)
    assert waits == sorted(waits)


def test_retries_are_bounded(model, fake_server, answer, waits):
    fake_server.script = [answer(**failure("busy", 503))]
    with pytest.raises(ModelUnavailable, match="status 503: busy"):
        model.complete(ASK, PARAMS)
    assert (fake_server.calls, len(waits)) == (5, 4)


@pytest.mark.parametrize(("header", "expected"), [("7", 7.0), ("0", 0.0), ("60", 60.0), ("-3", 0.0), ("1.5", 1.5)])
def test_retry_after_is_honoured(model, fake_server, answer, chat, waits, header, expected):
    fake_server.script = [answer({"error": "slow"}, status=429, headers={"Retry-After": header}), chat()]
    model.complete(ASK, PARAMS)
    assert waits == [expected]


def test_a_wait_of_an_hour_is_left_to_the_user(model, fake_server, answer, waits):
    fake_server.script = [answer({"error": "slow"}, status=429, headers={"Retry-After": "3600"})]
    with pytest.raises(ModelUnavailable, match="asks to wait 3600 s"):
        model.complete(ASK, PARAMS)
    assert (fake_server.calls, waits) == (1, [])


def test_retry_after_as_a_date():
    now = datetime(2020, 1, 1, tzinfo=UTC)
    assert seconds_of(format_datetime(now + timedelta(seconds=20), usegmt=True), now) == 20.0
    assert seconds_of(format_datetime(now + timedelta(days=2), usegmt=True), now) == 172_800.0
    assert seconds_of(format_datetime(now - timedelta(days=2), usegmt=True), now) == 0.0
    assert seconds_of("soon", now) is None
    assert seconds_of("nan", now) is None
    assert seconds_of(None) is None


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_refusals_are_not_tried_again_and_hold_no_key(model, fake_server, answer, waits, status):
    fake_server.script = [answer(**failure(f"bad key {KEY}", status))]
    with pytest.raises(ModelError) as caught:
        model.complete(ASK, PARAMS)
    assert isinstance(caught.value, ModelUnavailable) == (status in (401, 403, 404))
    assert (fake_server.calls, waits) == (1, [])
    chain: BaseException | None = caught.value
    while chain is not None:
        assert KEY not in repr(chain)
        chain = chain.__cause__


def test_quota_is_not_waited_for(model, fake_server, answer, waits):
    fake_server.script = [answer(**failure("no credit", 429, code="insufficient_quota"))]
    with pytest.raises(ModelUnavailable, match="no credit"):
        model.complete(ASK, PARAMS)
    assert waits == []


def test_an_unreachable_server(waits):
    model = OpenAIModel("m", "http://127.0.0.1:9/v1", max_retries=2, sleep=waits.append)
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9/v1 can't be reached"):
        model.complete(ASK, PARAMS)
    assert len(waits) == 2


@pytest.mark.parametrize(
    ("error", "needed", "available"),
    [
        (
            failure(
                "This model's maximum context length is 4096 tokens. However, your messages resulted in 5210 tokens.",
                code="context_length_exceeded",
            ),
            5210,
            4096,
        ),
        (
            failure("This model's maximum context length is 2048 tokens. However, you requested 3000 tokens (2000 …)."),
            3000,
            2048,
        ),
        (
            failure(
                "request (4031 tokens) exceeds the available context size (2048 tokens), try increasing it",
                type="exceed_context_size_error",
                n_prompt_tokens=4031,
                n_ctx=2048,
            ),
            4031,
            2048,
        ),
        (failure("prompt is too long", 413), None, None),
        (failure("input exceeds the context window", 500), None, None),
    ],
)
def test_context_overflow_carries_the_numbers(model, fake_server, answer, waits, error, needed, available):
    fake_server.script = [answer(**error)]
    for call in (model.complete, lambda *args: drain(model.stream(*args))):
        with pytest.raises(ContextOverflow) as caught:
            call(ASK, PARAMS)
        assert (caught.value.needed, caught.value.available) == (needed, available)
    assert (fake_server.calls, waits) == (2, [])


@pytest.mark.parametrize("status", [400, 424, 500])
def test_roles_are_folded_after_one_refusal_and_noted_once(model, fake_server, answer, chat, status):
    def strict(body):
        roles = [turn["role"] for turn in body["messages"]]
        if "system" in roles or any(a == b for a, b in pairwise(roles)):
            return answer(**failure(ALTERNATE, status))
        return chat("ok")

    fake_server.script = strict
    history = [*ASK, Message(role="user", content="And again?"), Message(role="assistant", content="Hm")]
    notes = [note for _ in range(4) for note in model.complete(history, PARAMS).notes]
    assert fake_server.calls == 5
    assert len(notes) == 1
    first = fake_server.bodies[1]["messages"][0]
    assert first == {"role": "user", "content": "Be brief.\n\nWhat is 3*7?\n\nAnd again?"}
    assert all(body["messages"][-1]["role"] == "user" for body in fake_server.bodies)


def test_endless_role_refusals_end(model, fake_server, answer):
    fake_server.script = [answer(**failure(ALTERNATE))]
    with pytest.raises(ModelError, match="must alternate"):
        model.complete(ASK, PARAMS)
    assert fake_server.calls == 2


@pytest.mark.parametrize(
    ("message", "gone", "come"),
    [
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens", True),
        ("response_format json_schema is not supported", "response_format", False),
        ("Unknown field seed", "seed", False),
    ],
)
def test_unknown_fields_are_left_out_from_then_on(model, fake_server, answer, chat, message, gone, come):
    fake_server.script = lambda body: answer(**failure(message)) if gone in body else chat("ok")
    params = SamplingParams(max_tokens=50, json_schema={"type": "object"})
    model.complete(ASK, params)
    second = model.complete(ASK, params)
    assert fake_server.calls == 3
    assert ("max_completion_tokens" in fake_server.bodies[-1]) == come
    assert second.notes == ()


def test_a_completion_limit_is_respected(model, fake_server, answer, chat):
    refusal = answer(**failure("max_tokens is too large: 50. This model supports at most 40 completion tokens"))
    fake_server.script = lambda body: refusal if body["max_tokens"] > 40 else chat("ok")
    model.complete(ASK, PARAMS)
    model.complete(ASK, PARAMS)
    assert [body["max_tokens"] for body in fake_server.bodies] == [50, 40, 40]


def test_a_stop_at_the_limit_is_possibly_cut(model, fake_server, chat):
    fake_server.script = [chat("so x is", usage={"completion_tokens": 50})]
    completion = model.complete(ASK, PARAMS)
    assert not completion.truncated
    assert any("possibly cut" in note for note in completion.notes)


def test_missing_usage_is_estimated(model, fake_server, answer):
    fake_server.script = [answer({"choices": [{"message": {"content": "x" * 40}, "finish_reason": "stop"}]})]
    completion = model.complete(ASK, PARAMS)
    assert completion.usage.completion_tokens == 10
    assert any("estimated" in note for note in completion.notes)


def test_several_choices_from_a_server_that_gives_one(model, fake_server, chat):
    fake_server.script = [chat("a"), chat("b"), chat("c")]
    completion = model.complete(ASK, SamplingParams(n=3, seed=10))
    assert [choice.text for choice in completion.choices] == ["a", "b", "c"]
    assert [(body["seed"], body.get("n")) for body in fake_server.bodies] == [(10, 3), (11, 2), (12, None)]
    assert completion.usage.completion_tokens == 9
    assert completion.usage.calls == 1


def test_stream_gives_text_reasoning_and_usage(model, fake_server, answer, delta):
    fake_server.script = [
        answer(
            chunks=[
                delta(role="assistant"),
                delta(reasoning_content="let me "),
                delta(reasoning_content="think"),
                delta("It is "),
                delta("21"),
                delta(finish="length"),
                {"choices": [], "usage": {"prompt_tokens": 8, "completion_tokens": 6}},
            ]
        )
    ]
    pieces, completion = drain(model.stream(ASK, PARAMS))
    assert isinstance(completion, Completion)
    assert pieces == ["It is ", "21"]
    assert (completion.text, completion.choices[0].reasoning) == ("It is 21", "let me think")
    assert completion.truncated
    assert completion.usage.completion_tokens == 6
    assert fake_server.bodies[0]["stream_options"] == {"include_usage": True}


def test_stream_without_usage_is_counted(model, fake_server, answer, delta):
    fake_server.script = [answer(chunks=[delta("a"), delta("b"), delta("c", finish="stop")])]
    _, completion = drain(model.stream(ASK, PARAMS))
    assert completion.usage.completion_tokens == 3
    assert any("estimated" in note for note in completion.notes)


def test_stream_is_tried_again_only_before_text(model, fake_server, answer, delta, waits):
    fine = answer(chunks=[delta("ok", finish="stop")])
    fake_server.script = [answer(**failure("busy", 503)), answer(chunks=[]), answer(chunks=["{broken"]), fine]
    pieces, _ = drain(model.stream(ASK, PARAMS))
    assert pieces == ["ok"]
    assert (fake_server.calls, len(waits)) == (4, 3)


@pytest.mark.parametrize("tail", [["{broken"], [{"error": {"message": "backend died"}}], None])
def test_a_stream_that_breaks_off_is_an_error(model, fake_server, answer, delta, tail):
    fake_server.script = [answer(chunks=[delta("so "), *(tail or [])], cut=tail is None)]
    run = model.stream(ASK, PARAMS)
    assert next(run) == "so "
    with pytest.raises(ModelError):
        drain(run)
    assert fake_server.calls == 1


def test_an_overflow_reported_inside_a_stream(model, fake_server, answer):
    fake_server.script = [answer(chunks=[{"error": {"message": "too big", "code": "context_length_exceeded"}}])]
    with pytest.raises(ContextOverflow):
        drain(model.stream(ASK, PARAMS))


def test_a_stream_without_a_finish_reason_is_noted(model, fake_server, answer, delta):
    fake_server.script = [answer(chunks=[delta("half")])]
    _, completion = drain(model.stream(ASK, PARAMS))
    assert any("without a finish reason" in note for note in completion.notes)


def test_a_stream_that_repeats_itself_is_cut(model, fake_server, answer, delta):
    fake_server.script = [answer(chunks=[delta("Let me see."), *[delta("so"), delta(" then ")] * 2000])]
    _, completion = drain(model.stream(ASK, PARAMS))
    assert completion.truncated
    assert len(completion.text) < 3000
    assert any("repeated itself" in note for note in completion.notes)


def test_closing_a_stream_early_is_quiet(model, fake_server, answer, delta):
    fake_server.script = [answer(chunks=[delta("a"), delta("b", finish="stop")])]
    run = model.stream(ASK, PARAMS)
    assert next(run) == "a"
    run.close()
    pieces, completion = drain(model.stream(ASK, PARAMS))
    assert (pieces, completion.text) == (["a", "b"], "ab")


def test_the_key_stays_hidden(monkeypatch, fake_server):
    monkeypatch.setenv("REASONFLUX_API_KEY", "sk-own")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = OpenAIModel("m", fake_server.url.replace("127.0.0.1", "user:pass@127.0.0.1"))
    assert "sk-own" not in repr(model)
    assert "pass" not in model.info.spec
    assert model.info.spec == f"openai:m@{fake_server.url}"


def test_without_a_key(fake_server, tmp_path):
    model = load_model(f"openai:org/name:7b@{fake_server.url}", weights_dir=tmp_path)
    assert model.complete(ASK, PARAMS).text == "ok"
    assert fake_server.bodies[0]["model"] == "org/name:7b"
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        load_model("openai:gpt", weights_dir=tmp_path)
    with pytest.raises(UsageError, match="http://localhost:8000"):
        load_model("openai:gpt@localhost:8000/v1", weights_dir=tmp_path)


def test_a_closed_model_says_so(model):
    model.close()
    model.close()
    with pytest.raises(ModelUnavailable, match="closed"):
        model.complete(ASK, PARAMS)


@pytest.mark.parametrize("key", ["sk-ké123", "sk-12 34", "sk-12\n34", "sk-\x1b[31m"])
def test_a_key_that_no_request_can_carry_is_refused_without_showing_it(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(UsageError) as caught:
        OpenAIModel("m", "http://127.0.0.1:9/v1")
    assert "OPENAI_API_KEY" in str(caught.value)
    assert "sk-" not in str(caught.value)


def test_space_around_a_key_is_dropped(fake_server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    with closing(OpenAIModel("m", fake_server.url, timeout=5)) as model:
        model.complete(ASK, PARAMS)
    assert fake_server.keys == [f"Bearer {KEY}"]


def test_a_stream_that_is_a_page_names_the_server(model, fake_server, answer, waits):
    fake_server.script = [answer(body="<html>hello</html>")]
    with pytest.raises(BadReply, match=f"{fake_server.url} sent no chat completion chunk"):
        drain(model.stream(ASK, PARAMS))
    assert fake_server.calls == 5
