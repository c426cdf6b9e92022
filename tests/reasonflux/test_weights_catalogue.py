from pathlib import Path

import pytest

from reasonflux.errors import UsageError
from reasonflux.models import weights
from reasonflux.models.catalogue import CatalogueFile, Part, catalogue, find_entry


def test_the_catalogue_pins_every_file_and_part() -> None:
    entries = catalogue()
    assert list(entries) == ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b", "smollm2-135m", "all-minilm-l6-v2"]
    assert entries["qwen2.5-coder-1.5b"].size == 1117320768
    assert len(entries["qwen2.5-coder-1.5b"].file[0].parts) == 22
    for entry in entries.values():
        assert entry.licence == "Apache-2.0"
        assert len(entry.revision) == 40
    embedder = {file.path for file in entries["all-minilm-l6-v2"].file}
    assert {"model.safetensors", "tokenizer.json", "modules.json", "1_Pooling/config.json"} <= embedder


@pytest.mark.parametrize("path", ["../up.gguf", "/root.gguf", "a/../../b", "a\\b"])
def test_a_catalogue_path_can_not_leave_the_models_folder(path: str) -> None:
    with pytest.raises(ValueError, match="leaves the model's folder"):
        CatalogueFile(path=path, size=1, sha256="0" * 64)


def test_parts_must_add_up() -> None:
    part = Part(package="a", member="a/b", size=2, sha256="0" * 64)
    with pytest.raises(ValueError, match="do not add up"):
        CatalogueFile(path="x", size=3, sha256="0" * 64, parts=(part,))


@pytest.mark.parametrize(
    ("name", "near"),
    [("qwen2.5-coder-1.5", "qwen2.5-coder-1.5b"), ("SMOLLM2", "smollm2-135m"), ("minilm", "all-minilm-l6-v2")],
)
def test_an_unknown_name_gets_near_matches(name: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"no model called '{name}'.*did you mean.*{near}"):
        find_entry(name)


def test_a_name_near_nothing_lists_all() -> None:
    with pytest.raises(UsageError, match=r"known are qwen2\.5-coder-1\.5b, .*all-minilm-l6-v2"):
        weights.pull("zzz", Path("unused"))
