import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from reasonflux.errors import ContextOverflow, ModelError, ModelUnavailable, UsageError
from reasonflux.models import load_model
from reasonflux.models.base import ChatModel, Completion, Message, SamplingParams
from reasonflux.models.hf import HFModel
from tests.reasonflux.tiny_model import ALTERNATING, tiny_adapter, tiny_model

ASK = [Message(role="system", content="Be brief."), Message(role="user", content="Name a step of the plan.")]
GREEDY = SamplingParams(max_tokens=12)
WILD = SamplingParams(max_tokens=16, temperature=1.0, top_p=0.95)
PLAN = {
    "type": "object",
    "properties": {
        "steps": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {
                "type": "object",
                "properties": {
                    "goal": {"type": "string", "minLength": 1, "maxLength": 12},
                    "kind": {"enum": ["algebra", "geometry"]},
                },
                "required": ["goal", "kind"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["steps"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_model(tmp_path_factory.mktemp("tiny") / "base")


def load(name: object, tmp: Path, **more: Any) -> HFModel:
    made = load_model(f"hf:{name}", weights_dir=tmp, threads=1, **more)
    assert isinstance(made, HFModel)
    return made


@pytest.fixture(scope="module")
def model(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    made = load(folder, tmp_path_factory.mktemp("weights"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def wide(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    made = load(folder, tmp_path_factory.mktemp("weights"), slots=4)
    yield made
    made.close()


def drain(run: Any) -> tuple[list[str], Completion]:
    pieces = []
    while True:
        try:
            pieces.append(next(run))
        except StopIteration as stop:
            return pieces, stop.value


def user(text: str) -> list[Message]:
    return [Message(role="user", content=text)]


def by_hand(folder: Path, messages: list[Message], tokens: int) -> list[int]:
    """Greedy decoding as plainly as can be: the whole text is read anew for each token."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForCausalLM.from_pretrained(folder).eval()
    turns = [{"role": message.role, "content": message.content} for message in messages]
    prompt = tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
    ids = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    start = len(ids)
    with torch.no_grad():
        for _ in range(tokens):
            ids.append(int(network(torch.tensor([ids])).logits[0, -1].argmax()))
    return ids[start:]


class TestText:
    def test_it_obeys_the_protocol(self, model: HFModel, folder: Path) -> None:
        assert isinstance(model, ChatModel)
        info = model.info
        assert (info.spec, info.backend, info.slots, info.context_tokens) == (f"hf:{folder}", "hf", 1, 512)
        assert len(info.weights_sha256 or "") == 64
        assert "transformers" in info.backend_version

    @pytest.mark.parametrize("which", ["model", "wide"])
    def test_greedy_text_is_what_plain_decoding_gives(
        self, which: str, folder: Path, request: pytest.FixtureRequest
    ) -> None:
        made: HFModel = request.getfixturevalue(which)
        expected = by_hand(folder, ASK, 12)
        end = next((at for at, token in enumerate(expected) if token in made._ends), 12)
        completion = made.complete(ASK, GREEDY)
        assert completion.text == made._decoded(expected[:end]).rstrip("\ufffd")
        assert completion.usage.prompt_tokens == made.count_tokens(ASK)
        assert completion.usage.calls == 1

    def test_rows_of_all_lengths_in_one_batch_read_what_they_read_alone(self, model: HFModel, wide: HFModel) -> None:
        texts = ["a", "the sum of digits " * 9, "plan", "remainder of a power " * 3, "step 012", "goal " * 20]
        lengths = [7, 30, 3, 22, 14, 9]
        jobs = [(user(text), SamplingParams(max_tokens=size)) for text, size in zip(texts, lengths, strict=True)]
        alone = [model.complete(*job) for job in jobs]
        with ThreadPoolExecutor(6) as pool:
            for _ in range(3):
                together = list(pool.map(lambda job: wide.complete(*job), jobs))
                assert [one.text for one in together] == [one.text for one in alone]
                assert [one.usage for one in together] == [one.usage for one in alone]

    def test_a_long_prompt_is_read_in_chunks_like_in_one(self, folder: Path, tmp_path: Path, monkeypatch) -> None:
        long = user("the sum of digits " * 20)
        made = load(folder, tmp_path)
        whole = made.complete(long, GREEDY).text
        monkeypatch.setattr("reasonflux.models.hf_batch._CHUNK", 7)
        assert made.complete(long, GREEDY).text == whole
        made.close()

    def test_a_stop_string_ends_the_text_and_is_no_part_of_it(self, model: HFModel) -> None:
        params = SamplingParams(max_tokens=40, temperature=1.0, seed=3)
        text = model.complete(ASK, params).text
        stop = text[9:12]
        pieces, completion = drain(model.stream(ASK, params.model_copy(update={"stop": ("never", stop)})))
        assert completion.text == text[: text.index(stop)] == "".join(pieces)
        assert completion.choices[0].finish_reason == "stop"
        assert completion.usage.completion_tokens < 40

    def test_streamed_pieces_add_up_to_the_text(self, model: HFModel) -> None:
        pieces, completion = drain(model.stream(ASK, WILD))
        assert "".join(pieces) == completion.text == model.complete(ASK, WILD).text
        assert len(pieces) > 1

    def test_the_token_limit_is_kept_and_told(self, model: HFModel) -> None:
        completion = model.complete(ASK, SamplingParams(max_tokens=3, temperature=1.0, seed=3))
        assert completion.usage.completion_tokens == 3
        assert completion.truncated

    def test_a_reply_that_repeats_itself_is_cut(self, model: HFModel) -> None:
        endless = {"type": "array", "items": {"const": "a"}, "minItems": 2000}
        completion = model.complete(user("a"), SamplingParams(max_tokens=400, json_schema=endless))
        assert completion.truncated
        assert completion.usage.completion_tokens < 400
        assert any("repeated itself" in note for note in completion.notes)


class TestSeeds:
    def test_a_seed_gives_the_same_text_again_and_another_another(self, model: HFModel) -> None:
        first = model.complete(ASK, WILD).text
        assert model.complete(ASK, WILD).text == first
        assert model.complete(ASK, WILD.model_copy(update={"seed": 1})).text != first

    def test_a_seed_gives_the_same_text_alone_and_among_others(self, model: HFModel) -> None:
        jobs = [(ASK, WILD.model_copy(update={"seed": seed})) for seed in range(8)]
        alone = [model.complete(*job).text for job in jobs]
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(lambda job: model.complete(*job).text, jobs)) == alone

    @pytest.mark.parametrize("which", ["model", "wide"])
    def test_several_choices_have_seeds_of_their_own(self, which: str, request: pytest.FixtureRequest) -> None:
        made: HFModel = request.getfixturevalue(which)
        several = made.complete(ASK, WILD.model_copy(update={"n": 5, "seed": 2}))
        singles = [made.complete(ASK, WILD.model_copy(update={"seed": 2 + index})) for index in range(5)]
        assert [choice.text for choice in several.choices] == [single.text for single in singles]
        assert several.usage.completion_tokens == sum(single.usage.completion_tokens for single in singles)
        assert several.usage.prompt_tokens == singles[0].usage.prompt_tokens

    def test_a_tiny_nucleus_is_greedy(self, model: HFModel) -> None:
        narrow = SamplingParams(max_tokens=12, temperature=1.0, top_p=1e-6)
        assert model.complete(ASK, narrow).text == model.complete(ASK, GREEDY).text


class TestSchemas:
    @pytest.mark.parametrize("which", ["model", "wide"])
    def test_random_weights_write_what_the_schema_wants(self, which: str, request: pytest.FixtureRequest) -> None:
        made: HFModel = request.getfixturevalue(which)
        params = SamplingParams(max_tokens=400, temperature=1.0, json_schema=PLAN, n=4)
        for choice in made.complete(ASK, params).choices:
            jsonschema.validate(json.loads(choice.text), PLAN)
            assert choice.finish_reason == "stop"
            assert "\n" not in choice.text

    def test_cut_json_is_told_as_cut(self, model: HFModel) -> None:
        assert model.complete(ASK, SamplingParams(max_tokens=4, json_schema=PLAN)).truncated

    @pytest.mark.parametrize(
        ("schema", "said"),
        [({"type": "nonsense"}, "is none"), ({"not": {"type": "string"}}, "can't be enforced")],
    )
    def test_a_schema_that_can_not_be_enforced_is_refused(self, model: HFModel, schema: Any, said: str) -> None:
        with pytest.raises(ModelError, match=said):
            model.complete(ASK, SamplingParams(max_tokens=20, json_schema=schema))

    def test_schemas_and_free_text_share_a_batch(self, wide: HFModel) -> None:
        with ThreadPoolExecutor(4) as pool:
            free = pool.submit(wide.complete, ASK, GREEDY)
            params = SamplingParams(max_tokens=300, json_schema=PLAN, temperature=1.0)
            bound = [pool.submit(wide.complete, ASK, params) for _ in range(3)]
            assert free.result().text == wide.complete(ASK, GREEDY).text
            for one in bound:
                jsonschema.validate(json.loads(one.result().text), PLAN)


class TestLimits:
    def test_what_does_not_fit_is_refused_before_anything_is_written(self, model: HFModel) -> None:
        with pytest.raises(ContextOverflow, match="of a context of 512") as caught:
            model.complete(user("digits " * 600), GREEDY)
        assert (caught.value.needed or 0) > (caught.value.available or 0) == 512
        size = model.count_tokens(ASK)
        model.complete(ASK, SamplingParams(max_tokens=512 - size, stop=("e", "a", " ", "t", "\\")))
        with pytest.raises(ContextOverflow):
            model.complete(ASK, SamplingParams(max_tokens=513 - size))

    def test_a_smaller_context_may_be_asked_for(self, folder: Path, tmp_path: Path) -> None:
        made = load(folder, tmp_path, context_tokens=100)
        assert made.info.context_tokens == 100
        made.close()

    @pytest.mark.parametrize("which", ["model", "wide"])
    def test_an_abandoned_reply_frees_its_slot(self, which: str, request: pytest.FixtureRequest) -> None:
        made: HFModel = request.getfixturevalue(which)
        endless = SamplingParams(max_tokens=400, temperature=3.0, json_schema={"type": "string", "minLength": 5000})
        runs = [made.stream(ASK, endless) for _ in range(4)]
        next(runs[0])
        for run in runs:
            run.close()
        assert made.complete(ASK, GREEDY).text

    def test_closing_ends_what_runs_and_is_safe_twice(self, folder: Path, tmp_path: Path) -> None:
        made = load(folder, tmp_path)
        endless = SamplingParams(max_tokens=400, temperature=3.0, json_schema={"type": "string", "minLength": 5000})
        begun = threading.Event()
        caught: list[BaseException] = []

        def ask() -> None:
            try:
                for _ in made.stream(ASK, endless):
                    begun.set()
            except ModelError as error:
                caught.append(error)

        askers = [threading.Thread(target=ask) for _ in range(3)]
        for asker in askers:
            asker.start()
        assert begun.wait(60)
        made.close()
        made.close()
        for asker in askers:
            asker.join(60)
        assert [type(error) for error in caught] == [ModelUnavailable] * 3
        with pytest.raises(ModelUnavailable, match="closed"):
            made.complete(ASK, GREEDY)

    def test_a_failure_of_one_batch_is_told_and_the_next_call_works(self, model: HFModel, monkeypatch) -> None:
        whole = model.complete(ASK, GREEDY).text

        def fail(*args: object) -> None:
            raise RuntimeError("out of memory")

        with monkeypatch.context() as patch:
            patch.setattr("reasonflux.models.hf_batch.Batch.step", fail)
            with pytest.raises(ModelError, match="out of memory"):
                model.complete(ASK, GREEDY)
        assert model.complete(ASK, GREEDY).text == whole


class TestLoading:
    def test_an_adapter_changes_the_text_and_the_digest(self, folder: Path, model: HFModel, tmp_path: Path) -> None:
        adapter = tiny_adapter(folder, tmp_path / "adapter")
        made = load(f"{folder}+{adapter}", tmp_path)
        assert made.complete(ASK, GREEDY).text != model.complete(ASK, GREEDY).text
        assert made.info.weights_sha256 != model.info.weights_sha256
        made.close()

    def test_an_adapter_made_for_another_base_is_refused(self, folder: Path, tmp_path: Path) -> None:
        for number, changes in enumerate(({"hidden_size": 64}, {"num_hidden_layers": 3}, {"num_hidden_layers": 1})):
            other = tiny_model(tmp_path / f"other{number}", **changes)
            adapter = tiny_adapter(other, tmp_path / f"adapter{number}")
            with pytest.raises(UsageError, match="another base"):
                load(f"{folder}+{adapter}", tmp_path)

    def test_a_missing_chat_template_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(ModelUnavailable, match="no chat template"):
            load(tiny_model(tmp_path / "bare", template=None), tmp_path)

    def test_damaged_weights_are_named(self, tmp_path: Path) -> None:
        broken = tiny_model(tmp_path / "broken")
        (broken / "model.safetensors").write_bytes(b"nothing")
        with pytest.raises(ModelUnavailable, match="broken"):
            load(broken, tmp_path)

    def test_a_model_larger_than_the_free_memory_is_refused(self, folder: Path, tmp_path: Path, monkeypatch) -> None:
        import psutil

        monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=1000))
        with pytest.raises(ModelUnavailable, match="of memory in float32 but only 0 MiB"):
            load(folder, tmp_path)

    def test_weights_that_are_no_numbers_are_told(self, tmp_path: Path) -> None:
        import torch
        from safetensors.torch import load_file, save_file

        path = tiny_model(tmp_path / "nan") / "model.safetensors"
        weights = load_file(path)
        weights["model.norm.weight"] = torch.full_like(weights["model.norm.weight"], float("nan"))
        save_file(weights, path, metadata={"format": "pt"})
        made = load(path.parent, tmp_path)
        with pytest.raises(ModelError, match="not a number"):
            made.complete(ASK, GREEDY)
        made.close()

    def test_roles_are_folded_where_the_template_wants_it(self, tmp_path: Path) -> None:
        made = load(tiny_model(tmp_path / "strict", template=ALTERNATING), tmp_path)
        first = made.complete([*ASK, Message(role="user", content="Go.")], GREEDY)
        assert len(first.notes) == 2
        assert made.complete(ASK, GREEDY).notes == ()
        made.close()

    def test_layers_that_can_not_share_a_batch_work_one_at_a_time(self, tmp_path: Path) -> None:
        from transformers import MistralConfig, MistralForCausalLM

        folder = tiny_model(tmp_path / "sliding")
        sizes = json.loads((folder / "config.json").read_text())
        kept = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
                "num_key_value_heads", "max_position_embeddings", "eos_token_id")  # fmt: skip
        config = MistralConfig(**{name: sizes[name] for name in kept}, sliding_window=8, initializer_range=0.4)
        MistralForCausalLM(config).save_pretrained(folder)
        made = load(folder, tmp_path, slots=3)
        jobs = [user("the sum of digits"), user("a plan " * 9), user("x")]
        alone = [made.complete(job, GREEDY).text for job in jobs]
        with ThreadPoolExecutor(3) as pool:
            assert list(pool.map(lambda job: made.complete(job, GREEDY).text, jobs)) == alone
        several = made.complete(jobs[0], WILD.model_copy(update={"n": 2}))
        assert len(several.choices) == 2
        made.close()


@pytest.mark.weights
def test_a_name_of_the_catalogue_is_dequantized_and_answers(small_model_path: Path) -> None:
    made = load("smollm2-135m", small_model_path.parent.parent)
    completion = made.complete(user("What is the capital of France? One word."), SamplingParams(max_tokens=12))
    assert "Paris" in completion.text
    assert made.info.context_tokens == 8192
    made.close()
