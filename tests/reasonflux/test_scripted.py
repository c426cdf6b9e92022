import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reasonflux.errors import BadReply, ContextOverflow, ModelError, ModelUnavailable, UsageError
from reasonflux.models import load_model
from reasonflux.models.base import ChatModel, Message, SamplingParams, current_stage
from reasonflux.models.scripted import ScriptedModel

ASK = [Message(role="user", content="two words")]
PARAMS = SamplingParams()


def in_stage(model: ScriptedModel, stage: str, messages: list[Message] = ASK) -> str:
    token = current_stage.set(stage)
    try:
        return model.complete(messages, PARAMS).text
    finally:
        current_stage.reset(token)


def test_replies_come_in_order_and_requests_are_kept():
    model = ScriptedModel(["one", {"steps": [1]}])
    assert isinstance(model, ChatModel)
    assert model.complete(ASK, PARAMS).text == "one"
    completion = model.complete(ASK, SamplingParams(seed=3))
    assert json.loads(completion.text) == {"steps": [1]}
    assert completion.usage.prompt_tokens == 2
    assert [request.params.seed for request in model.requests] == [0, 3]
    assert model.requests[0].messages == tuple(ASK)


def test_replies_by_stage_go_before_general_ones():
    model = ScriptedModel(["general"], by_stage={"plan": ["p1", "p2"], "assess": ["a1"]})
    assert in_stage(model, "assess") == "a1"
    assert in_stage(model, "plan") == "p1"
    assert in_stage(model, "assess") == "general"
    assert in_stage(model, "plan") == "p2"


def test_exhausted_recording_is_named_with_its_count():
    model = ScriptedModel(["a", "b"], name="rec.jsonl")
    model.complete(ASK, SamplingParams(n=2))
    with pytest.raises(ModelError, match=r"rec\.jsonl .* 2 of its 2"):
        model.complete(ASK, PARAMS)


def test_exception_is_raised_once():
    model = ScriptedModel([ContextOverflow("too long"), "fine"])
    with pytest.raises(ContextOverflow):
        model.complete(ASK, PARAMS)
    assert model.complete(ASK, PARAMS).text == "fine"


def test_stream_gives_the_same_text_and_completion():
    text = "  a few\n\nwords \\boxed{3} "
    run = ScriptedModel([text]).stream(ASK, PARAMS)
    pieces = []
    while True:
        try:
            pieces.append(next(run))
        except StopIteration as stop:
            completion = stop.value
            break
    assert len(pieces) > 1
    assert "".join(pieces) == text == completion.text


def test_limits_cut_the_reply():
    completion = ScriptedModel(["one two three four"]).complete(ASK, SamplingParams(max_tokens=2))
    assert completion.text.split() == ["one", "two"]
    assert completion.truncated
    assert completion.usage.completion_tokens == 2
    stopped = ScriptedModel(["left END right"]).complete(ASK, SamplingParams(stop=("END",)))
    assert stopped.text == "left "
    assert not stopped.truncated


@pytest.mark.parametrize("suffix", ["json", "jsonl", "yaml"])
def test_recordings_of_every_format(tmp_path: Path, suffix: str):
    entries = [
        "plain",
        {"json": {"a": 1}, "stage": "plan"},
        {"text": "for x", "match": "x ="},
        {"text": "cut", "finish_reason": "length", "reasoning": "hm"},
        {"error": "context_overflow", "message": "5210 tokens"},
        {"error": "unavailable"},
        {"error": "bad_reply"},
    ]
    path = tmp_path / f"rec.{suffix}"
    lines = "\n".join(json.dumps(entry) for entry in entries) + "\n"
    path.write_text(lines if suffix == "jsonl" else json.dumps(entries), encoding="utf-8")
    model = load_model(f"scripted:{path}", weights_dir=tmp_path)
    assert isinstance(model, ScriptedModel)
    assert in_stage(model, "step") == "plain"
    assert in_stage(model, "step", [Message(role="user", content="x = 2")]) == "for x"
    cut = model.complete(ASK, PARAMS)
    assert (cut.text, cut.truncated, cut.choices[0].reasoning) == ("cut", True, "hm")
    assert json.loads(in_stage(model, "plan")) == {"a": 1}
    for error in (ContextOverflow, ModelUnavailable, BadReply):
        with pytest.raises(error):
            model.complete(ASK, PARAMS)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.jsonl", '"ok"\n{broken', r"a\.jsonl:2"),
        ("a.json", "{", "can't be parsed"),
        ("a.yaml", "a: [", "can't be parsed"),
        ("a.json", '{"text": "x"}', "no list"),
        ("a.json", '["x", {"text": "x", "json": 1}]', "reply 2"),
        ("a.json", '[{"text": "x", "bogus": 1}]', "bogus"),
        ("a.json", "[3]", "reply 1"),
    ],
)
def test_bad_recordings_are_refused(tmp_path: Path, name: str, content: str, complaint: str):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=complaint):
        ScriptedModel.from_file(path)


def test_missing_recording_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="can't be read"):
        load_model(f"scripted:{tmp_path / 'none.json'}", weights_dir=tmp_path)


def test_no_reply_is_given_twice_to_threads():
    model = ScriptedModel([str(number) for number in range(200)])
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: model.complete(ASK, PARAMS).text, range(200)))
    assert sorted(texts, key=int) == [str(number) for number in range(200)]
    assert len(model.requests) == 200


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [("nope:x", "unknown kind"), ("hf:", "names no model"), ("openai:", "names no model"), ("", "names no model")],
)
def test_specs_that_can_not_be_meant(tmp_path: Path, spec: str, complaint: str):
    with pytest.raises(UsageError, match=complaint):
        load_model(spec, weights_dir=tmp_path)


def test_a_bare_name_is_a_catalogue_name(tmp_path: Path):
    with pytest.raises(UsageError, match=r"qwen2\.5-coder-1\.5b"):
        load_model("qwen2.5-coder-1.6b", weights_dir=tmp_path)
