from pathlib import Path

import pytest

from reasonflux.errors import UsageError
from reasonflux.models.hf_source import Source, weights_digest
from tests.reasonflux.tiny_model import tiny_adapter
from training.models import check_base, load_base, record_base


@pytest.mark.parametrize("prefix", ["", "hf:"])
def test_a_folder_is_a_base(tiny_model: Path, tmp_path: Path, prefix: str) -> None:
    base = load_base(f"{prefix}{tiny_model}", tmp_path)
    assert (base.folder, base.spec) == (tiny_model, f"{prefix}{tiny_model}")
    assert base.sha == weights_digest(Source(tiny_model))


def test_an_adapter_is_no_base_and_remembers_its_own(tiny_model: Path, tmp_path: Path) -> None:
    adapter = tiny_adapter(tiny_model, tmp_path / "adapter")
    with pytest.raises(UsageError, match="names an adapter too"):
        load_base(f"{tiny_model}+{adapter}", tmp_path)
    with pytest.raises(UsageError, match="an adapter alone"):
        load_base(str(adapter), tmp_path)
    record_base(adapter, tiny_model)
    check_base(Source(tiny_model, adapter))


@pytest.mark.weights
def test_a_name_of_the_catalogue_is_a_base(small_model_path: Path) -> None:
    base = load_base("smollm2-135m", small_model_path.parent.parent)
    assert (base.folder / "config.json").is_file()
    assert len(base.sha) == 64
