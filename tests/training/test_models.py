from pathlib import Path

import pytest

from reasonflux.errors import UsageError
from reasonflux.models.hf_source import Source, check_base, record_base, weights_digest
from tests.reasonflux.tiny_model import tiny_adapter
from training.starting import find_start


@pytest.mark.parametrize("prefix", ["", "hf:"])
def test_a_folder_is_a_base(tiny_model: Path, tmp_path: Path, prefix: str) -> None:
    start = find_start(f"{prefix}{tiny_model}", None, tmp_path, method="lora")
    assert (start.base, start.adapter, start.spec) == (tiny_model, None, str(tiny_model))
    assert start.base_sha256 == start.sha256 == weights_digest(Source(tiny_model))


def test_an_adapter_is_no_base_and_remembers_its_own(tiny_model: Path, tmp_path: Path) -> None:
    adapter = tiny_adapter(tiny_model, tmp_path / "adapter")
    with pytest.raises(UsageError, match="an adapter alone"):
        find_start(str(adapter), None, tmp_path, method="lora")
    record_base(adapter, tiny_model)
    check_base(Source(tiny_model, adapter))


@pytest.mark.weights
def test_a_name_of_the_catalogue_is_a_base(small_model_path: Path) -> None:
    start = find_start("smollm2-135m", None, small_model_path.parent.parent, method="lora")
    assert (start.base / "config.json").is_file()
    assert len(start.base_sha256) == 64
