import json
from pathlib import Path

import pytest

from reasonflux.errors import ModelUnavailable, UsageError
from reasonflux.models import catalogue_name, load_model, split_spec
from reasonflux.models.hf_source import Source, check_base, find_source, record_base, split_adapter, weights_digest


def model(folder: Path, content: bytes = b"base") -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(content)
    return folder


def adapter(folder: Path, content: bytes = b"adapter") -> Path:
    folder.mkdir(parents=True)
    (folder / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": "some/base"}))
    (folder / "adapter_model.safetensors").write_bytes(content)
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("folders", "name", "expected"),
    [
        (["base", "ad"], "base+ad", ("base", "ad")),
        (["base"], "base", ("base", None)),
        (["a+b"], "a+b", ("a+b", None)),
        (["a", "b", "a+b"], "a+b", ("a+b", None)),
        (["a+b", "ad"], "a+b+ad", ("a+b", "ad")),
        (["base", "c++"], "base+c++", ("base", "c++")),
        (["a", "a+b", "c", "b+c"], "a+b+c", ("a+b", "c")),
        (["a", "b+c"], "a+b+c", ("a", "b+c")),
        (["base"], "base+gone", ("base", "gone")),
        (["ad"], "owner/model+ad", ("owner/model", "ad")),
        ([], "owner/model+gone", ("owner/model", "gone")),
        ([], "owner/model", ("owner/model", None)),
        (["ad"], "smollm2-135m+ad", ("smollm2-135m", "ad")),
        (["C:\\my+models\\base", "D:\\ad"], "C:\\my+models\\base+D:\\ad", ("C:\\my+models\\base", "D:\\ad")),
        (["C:\\my+models\\base"], "C:\\my+models\\base", ("C:\\my+models\\base", None)),
        ([], "nothing+here", ("nothing+here", None)),
        ([], "+", ("+", None)),
    ],
)
def test_what_exists_decides_where_a_plus_divides(
    here: Path, folders: list[str], name: str, expected: tuple[str, str | None]
) -> None:
    for folder in folders:
        (here / folder).mkdir()
    assert split_adapter(name) == expected


def test_a_base_and_an_adapter_are_found(here: Path) -> None:
    base, tuned = model(here / "base"), adapter(here / "ad")
    assert find_source("base", here) == Source(base)
    assert find_source("base+ad", here) == Source(base, tuned)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere", "neither a folder that exists"),
        ("smollm2-135", "did you mean smollm2-135m"),
        ("base+nowhere", "there is no such folder"),
        ("base+empty", "no adapter_config.json"),
        ("empty", "config.json is missing"),
        ("ad", "an adapter alone; write hf:BASE"),
        ("text.gguf", "not a GGUF file"),
        ("all-minilm-l6-v2", "embedder"),
    ],
)
def test_what_can_not_be_a_model_is_one_sentence(here: Path, name: str, said: str) -> None:
    model(here / "base")
    adapter(here / "ad")
    (here / "empty").mkdir()
    (here / "text.gguf").write_text("no")
    with pytest.raises(UsageError, match=said) as caught:
        load_model(f"hf:{name}", weights_dir=here)
    assert "\n" not in str(caught.value)


def test_a_hub_that_is_not_there_is_told_at_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def unreachable(*args: object, **options: object) -> None:
        raise OSError("no route")

    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", unreachable)
    with pytest.raises(ModelUnavailable, match=r"no folder 'some-owner/some-model' here.*can't be reached"):
        find_source("some-owner/some-model", here)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelUnavailable, match="HF_HUB_OFFLINE is set"):
        find_source("some-owner/some-model", here)


def test_the_digest_is_over_model_and_adapter(here: Path) -> None:
    base, tuned = model(here / "base"), adapter(here / "ad")
    alone, both = weights_digest(Source(base)), weights_digest(Source(base, tuned))
    assert len({alone, both, weights_digest(Source(base, adapter(here / "ad2", b"other")))}) == 3
    assert weights_digest(Source(base, adapter(here / "ad3"))) == both
    (base / "model-2.safetensors").write_bytes(b"shard")
    assert weights_digest(Source(base)) != alone
    (base / "tokenizer.json").write_text("{}")
    with pytest.raises(UsageError, match="no weights"):
        weights_digest(Source(here))


def test_an_adapter_knows_the_base_it_was_trained_on(here: Path) -> None:
    base, other, tuned = model(here / "base"), model(here / "other", b"x"), adapter(here / "ad")
    check_base(Source(other, tuned))
    record_base(tuned, base)
    check_base(Source(base, tuned))
    with pytest.raises(UsageError, match=r"another base.*some/base"):
        check_base(Source(other, tuned))


@pytest.mark.parametrize(
    ("spec", "split", "needed"),
    [
        ("smollm2-135m", ("llamacpp", "smollm2-135m"), "smollm2-135m"),
        ("hf:smollm2-135m", ("hf", "smollm2-135m"), "smollm2-135m"),
        ("hf:smollm2-135m+x", ("hf", "smollm2-135m+x"), "smollm2-135m"),
        ("C:\\x.gguf", ("llamacpp", "C:\\x.gguf"), None),
        ("hf:C:\\x", ("hf", "C:\\x"), None),
        ("openai:smollm2-135m", ("openai", "smollm2-135m"), None),
    ],
)
def test_which_weights_a_spec_needs(here: Path, spec: str, split: tuple[str, str], needed: str | None) -> None:
    (here / "x").mkdir()
    assert split_spec(spec) == split
    assert catalogue_name(spec) == needed
