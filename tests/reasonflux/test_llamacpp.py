import http.client
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jsonschema
import pytest

from reasonflux.errors import ContextOverflow, ModelError, ModelUnavailable
from reasonflux.models.base import ChatModel, Completion, Message, SamplingParams
from reasonflux.models.gguf_header import GgufHeader, read_header
from reasonflux.models.llamacpp import LlamaCppModel
from reasonflux.models.llamacpp_engine import plan_size

GIB = 1 << 30
SMALL = GgufHeader(architecture="x", file_bytes=GIB, context_length=32768, kv_bytes=28672)
ASK = [Message(role="system", content="Be brief."), Message(role="user", content="Name three fruits.")]
GREEDY = SamplingParams(max_tokens=12)
PLAN = {
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "minItems": 2,
            "maxItems": 3,
            "items": {
                "type": "object",
                "properties": {
                    "goal": {"type": "string", "maxLength": 30},
                    "kind": {"enum": ["algebra", "geometry"]},
                    "needs": {"type": "array", "items": {"type": "string", "maxLength": 8}, "maxItems": 2},
                },
                "required": ["goal", "kind", "needs"],
                "additionalProperties": False,
            },
        },
        "done": {"type": "boolean"},
    },
    "required": ["steps", "done"],
    "additionalProperties": False,
}
ALTERNATING = (
    "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('System role not supported') }}"
    "{% elif (m['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate') }}"
    "{% endif %}<{{ m['role'] }}>{{ m['content'] }}</s>{% endfor %}"
)


@pytest.fixture(scope="module")
def model(small_model_path):
    made = LlamaCppModel(small_model_path, spec="llamacpp:small", weights_sha256="ab", context_tokens=1024, slots=2)
    yield made
    made.close()


def drain(run) -> tuple[list[str], Completion]:
    pieces = []
    while True:
        try:
            pieces.append(next(run))
        except StopIteration as stop:
            return pieces, stop.value


def user(text: str) -> list[Message]:
    return [Message(role="user", content=text)]


def test_a_reply_that_repeats_itself_is_cut(model):
    endless = {"type": "array", "items": {"const": "a"}, "minItems": 2000}
    completion = model.complete(user("List the letter a."), SamplingParams(max_tokens=700, json_schema=endless))
    assert completion.truncated
    assert 150 < completion.usage.completion_tokens < 350
    assert completion.usage.prompt_tokens > 10
    assert any("repeated itself" in note for note in completion.notes)


class TestSizing:
    def size(self, header=SMALL, slots=1, context=None, threads=1, available=16 * GIB):
        return plan_size(header, slots=slots, context_tokens=context, threads=threads, available_bytes=available)

    def test_the_default_is_8192_tokens_a_slot(self):
        assert self.size().slot_tokens == 8192
        assert self.size(slots=4).slot_tokens == 8192

    def test_no_more_than_the_model_was_trained_with(self):
        header = GgufHeader(architecture="x", file_bytes=GIB, context_length=2048, kv_bytes=28672)
        assert self.size(header).slot_tokens == 2048
        assert self.size(header, context=9999).slot_tokens == 2048

    def test_scarce_memory_shrinks_the_default(self):
        small = self.size(available=GIB + GIB // 8)
        assert 512 <= small.slot_tokens < 8192
        assert small.slot_tokens * SMALL.kv_bytes <= GIB // 8
        assert small.prompt_cache_mib <= 32

    def test_what_can_not_fit_is_refused(self):
        with pytest.raises(ModelUnavailable, match="MiB are free"):
            self.size(available=GIB)
        with pytest.raises(ModelUnavailable, match=r"8 slot\(s\) of 8192"):
            self.size(slots=8, context=8192, available=2 * GIB)

    def test_unknown_facts_fall_back(self):
        header = GgufHeader(architecture="", file_bytes=1, context_length=None, kv_bytes=None)
        assert self.size(header).slot_tokens == 8192
        assert plan_size(header, slots=1, context_tokens=None, threads=None, available_bytes=GIB).threads >= 1


class TestBrokenFiles:
    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"GGU",
            b"<html>not found</html>",
            b"GGUF",
            b"GGUF" + struct.pack("<IQQ", 3, 10, 10),
            b"GGUF" + struct.pack("<IQQ", 99, 0, 0),
            b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + struct.pack("<Q", 1 << 60),
            b"GGUF" + struct.pack("<IQQ", 3, 0, 0) + bytes(100),
        ],
    )
    def test_content_that_is_no_model(self, tmp_path: Path, content: bytes):
        path = tmp_path / "broken.gguf"
        path.write_bytes(content)
        with pytest.raises(ModelUnavailable, match=r"broken\.gguf"):
            LlamaCppModel(path, spec="x")

    def test_no_file(self, tmp_path: Path):
        with pytest.raises(ModelUnavailable, match="There is no model file"):
            LlamaCppModel(tmp_path / "none.gguf", spec="x")
        with pytest.raises(ModelUnavailable, match="can't be read"):
            LlamaCppModel(tmp_path, spec="x")

    @pytest.mark.weights
    @pytest.mark.parametrize("kept", [1000, 2_000_000, 60_000_000])
    def test_a_file_cut_short(self, small_model_path: Path, tmp_path: Path, kept: int):
        path = tmp_path / "cut.gguf"
        with small_model_path.open("rb") as whole:
            path.write_bytes(whole.read(kept))
        with pytest.raises(ModelUnavailable, match="cut short"):
            LlamaCppModel(path, spec="x")


@pytest.mark.weights
class TestAnswers:
    def test_header_facts(self, small_model_path: Path):
        header = read_header(small_model_path)
        assert (header.architecture, header.context_length) == ("llama", 8192)
        assert header.kv_bytes == 30 * 3 * (64 + 64) * 2
        assert header.file_bytes == small_model_path.stat().st_size

    def test_info(self, model):
        assert isinstance(model, ChatModel)
        assert (model.info.spec, model.info.weights_sha256, model.info.slots) == ("llamacpp:small", "ab", 2)
        assert model.info.context_tokens == 1024
        assert model.info.backend_version.startswith("xllamacpp ")

    def test_complete_and_stream_agree(self, model):
        whole = model.complete(ASK, GREEDY)
        pieces, streamed = drain(model.stream(ASK, GREEDY))
        assert "".join(pieces) == streamed.text == whole.text != ""
        assert len(pieces) > 3
        assert whole.truncated
        assert whole.usage.completion_tokens == 12
        assert whole.usage.prompt_tokens == streamed.usage.prompt_tokens == model.count_tokens(ASK)
        assert whole.notes == ()

    def test_a_stop_string_ends_the_text(self, model):
        text = model.complete(ASK, GREEDY).text
        word = text.split()[2]
        stopped = model.complete(ASK, GREEDY.model_copy(update={"stop": (word,)}))
        assert stopped.text == text[: text.index(word)]
        assert not stopped.truncated

    def test_seeds(self, model):
        def draw(seed: int, n: int = 1) -> list[str]:
            params = SamplingParams(temperature=1.5, max_tokens=5, seed=seed, n=n, cache_prompt=False)
            return [choice.text for choice in model.complete(ASK, params).choices]

        assert draw(1) == draw(1)
        assert draw(1) != draw(2)
        assert draw(-1) == draw(-1)
        assert draw(1, n=2) == [*draw(1), *draw(2)]

    @pytest.mark.parametrize("seed", range(2))
    def test_the_schema_is_obeyed(self, model, seed: int):
        params = SamplingParams(temperature=1.0, max_tokens=250, seed=seed, json_schema=PLAN)
        completion = model.complete(user("Plan a proof."), params)
        assert not completion.truncated
        jsonschema.validate(json.loads(completion.text), PLAN)
        assert completion.text == json.dumps(json.loads(completion.text), ensure_ascii="\\u" in completion.text)

    @pytest.mark.parametrize(
        ("schema", "complaint"),
        [
            ({"type": "nonsense"}, "as JSON schema is none"),
            ({"type": "integer", "not": {"const": 3}}, "can't enforce"),
            ({"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True}, "can't enforce"),
        ],
    )
    def test_a_schema_that_would_be_ignored_is_an_error(self, model, schema, complaint):
        with pytest.raises(ModelError, match=complaint):
            model.complete(ASK, SamplingParams(max_tokens=8, json_schema=schema))

    def test_a_prompt_that_does_not_fit_is_refused_before_generating(self, model):
        for call in (model.complete, lambda *args: drain(model.stream(*args))):
            with pytest.raises(ContextOverflow) as caught:
                call(user("word " * 1000), SamplingParams(max_tokens=100))
            assert caught.value.available == 1024
            assert 1100 < caught.value.needed < 1200
        prompt = model.count_tokens(ASK)
        with pytest.raises(ContextOverflow) as caught:
            model.complete(ASK, SamplingParams(max_tokens=1024 - prompt + 1))
        assert caught.value.needed == 1025

    def test_alternating_prefixes_are_not_read_again(self, model):
        prefixes = [f"{word} " * 120 for word in ("apple", "river", "seven")]
        seen = []
        for turn in range(2):
            for prefix in prefixes:
                completion = model.complete(user(f"{prefix} question {turn}"), SamplingParams(max_tokens=2))
                seen.append(completion.usage.cached_tokens)
        assert all(cached > 100 for cached in seen[3:])
        off = SamplingParams(max_tokens=2, cache_prompt=False)
        assert model.complete(user(f"{prefixes[0]} question 2"), off).usage.cached_tokens == 0

    def test_threads_share_the_slots(self, model):
        alone = model.complete(ASK, GREEDY).text
        with ThreadPoolExecutor(4) as pool:
            texts = list(pool.map(lambda _: model.complete(ASK, GREEDY).text, range(4)))
        assert all(text[:10] == alone[:10] for text in texts)

    def test_closing_a_stream_frees_its_slot(self, model):
        endless = SamplingParams(max_tokens=900, json_schema={"type": "array", "minItems": 400, "items": {"const": 1}})
        for _ in range(3):
            run = model.stream(user("Count."), endless)
            next(run)
            run.close()
        assert model.complete(ASK, GREEDY).usage.completion_tokens == 12

    def test_the_server_is_on_loopback_and_asks_for_a_key(self, model):
        address = model._engine._address
        assert address.hostname == "127.0.0.1"
        for path in ("/props", "/v1/chat/completions"):
            connection = http.client.HTTPConnection(address.hostname, address.port, timeout=20)
            connection.request("POST", path, b"{}", {"Content-Type": "application/json"})
            assert connection.getresponse().status == 401
            connection.close()


@pytest.mark.weights
class TestTemplates:
    def test_a_strict_template_is_served_by_folding(self, small_model_path: Path):
        model = LlamaCppModel(small_model_path, spec="x", context_tokens=512, chat_template=ALTERNATING)
        try:
            history = [*ASK, Message(role="user", content="Go."), Message(role="assistant", content="Apple.")]
            first = model.complete(history, SamplingParams(max_tokens=2))
            assert len(first.notes) == 2
            assert model.complete(history, SamplingParams(max_tokens=2)).notes == ()
        finally:
            model.close()


@pytest.mark.weights
class TestEnding:
    def test_close_ends_what_runs(self, small_model_path: Path):
        model = LlamaCppModel(small_model_path, spec="x", context_tokens=1024)
        run = model.stream(user("Count."), SamplingParams(max_tokens=900, temperature=1.0))
        next(run)
        closing = threading.Thread(target=model.close)
        closing.start()
        with pytest.raises(ModelError):
            drain(run)
        closing.join(30)
        assert not closing.is_alive()
        model.close()
        with pytest.raises(ModelUnavailable, match="closed"):
            model.complete(ASK, GREEDY)

    def program(self, path: Path, body: str) -> list[str]:
        code = (
            "import os, signal, sys, threading, time\nfrom pathlib import Path\n"
            "from reasonflux.models.base import Message, SamplingParams\n"
            "from reasonflux.models.llamacpp import LlamaCppModel\n"
            f"model = LlamaCppModel(Path({str(path)!r}), spec='x', context_tokens=1024)\n"
            "ask = [Message(role='user', content='Count.')]\n"
            "ones = {'type': 'array', 'minItems': 400, 'items': {'const': 1}}\n"
            "long = SamplingParams(max_tokens=900, json_schema=ones)\n"
            "run = model.stream(ask, long)\n"
            f"{body}\n"
        )
        return [sys.executable, "-c", code]

    @pytest.mark.parametrize(
        "body",
        [
            "model.complete(ask, SamplingParams(max_tokens=2))",
            "next(run)",
            "threading.excepthook = lambda info: None\n"
            "threading.Thread(target=run.__next__, daemon=True).start(); time.sleep(0.2)",
            "model.close(); model.close()",
        ],
        ids=["idle", "open stream", "running thread", "closed"],
    )
    def test_the_interpreter_exits_quietly(self, small_model_path: Path, body: str):
        done = subprocess.run(
            self.program(small_model_path, body), capture_output=True, text=True, timeout=120, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    @pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
    def test_an_interrupt_ends_a_running_call(self, small_model_path: Path):
        body = (
            "print('ready', flush=True)\n"
            "try:\n    model.complete(ask, long)\nexcept KeyboardInterrupt:\n    print('stopped')"
        )
        process = subprocess.Popen(
            self.program(small_model_path, body), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out, err) == (0, "stopped\n", "")
