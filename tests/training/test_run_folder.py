"""The folder of a job: who may work in it, and which checkpoints of it are whole."""

import json
from pathlib import Path

import pytest

from reasonflux.errors import UsageError
from training.checkpoints import latest, seal
from training.publishing import PublishError, prepare_repository, upload
from training.run_folder import RESULT, claimed


def test_two_processes_do_not_train_in_one_folder(tmp_path: Path) -> None:
    with (
        claimed(tmp_path / "out", {"a": 1}, resume=False),
        pytest.raises(UsageError, match="Another process trains in"),
        claimed(tmp_path / "out", {"a": 1}, resume=True),
    ):
        pass
    with claimed(tmp_path / "out", {"a": 1}, resume=True) as folder:
        assert folder.read(RESULT) is None


def test_an_equal_job_goes_on_and_another_is_told_in_what_it_differs(tmp_path: Path) -> None:
    made_from = {"settings": {"seed": 0, "epochs": 1.0}, "kind": "sft"}
    tmp_path = tmp_path / "out"
    with claimed(tmp_path, made_from, resume=False) as folder:
        folder.write(RESULT, {"x": 1})
    held = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert held["made_from"] == made_from
    assert {"trl", "torch", "reasonflux"} <= held["versions"].keys()
    with claimed(tmp_path, made_from, resume=False) as folder:
        assert folder.read(RESULT) == {"x": 1}
    other = {"settings": {"seed": 1, "epochs": 1.0}, "kind": "dpo"}
    with pytest.raises(UsageError, match=r"differs in kind, settings\.seed;"), claimed(tmp_path, other, resume=True):
        pass


def checkpoint(folder: Path, step: int) -> Path:
    made = folder / f"checkpoint-{step}"
    made.mkdir(parents=True)
    (made / "model.safetensors").write_bytes(b"x" * 100)
    (made / "trainer_state.json").write_text("{}", "utf-8")
    return made


def test_the_newest_whole_checkpoint_counts_and_pieces_are_deleted(tmp_path: Path) -> None:
    tmp_path = tmp_path / "checkpoints"
    for step in (2, 10, 12, 14, 16):
        made = checkpoint(tmp_path, step)
        if step != 16:
            seal(made)
    (tmp_path / "checkpoint-14" / "model.safetensors").unlink()
    (tmp_path / "checkpoint-12" / "model.safetensors").write_bytes(b"x" * 99)
    (tmp_path / "checkpoint-10" / ".manifest.json").write_text("{", "utf-8")
    assert latest(tmp_path) == tmp_path / "checkpoint-10"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint-10", "checkpoint-2"]
    assert latest(tmp_path / "nowhere") is None


class Hub:
    """Stands in for the Hub's client."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.calls: list[tuple[str, str]] = []

    def create_repo(self, name: str, **options: object) -> None:
        if self.error is not None:
            raise self.error
        assert options == {"repo_type": "model", "private": True, "exist_ok": True}
        self.calls.append(("create", name))

    def upload_folder(self, **options: object) -> None:
        self.calls.append(("upload", str(options["repo_id"])))


def test_a_model_is_uploaded_to_a_private_repository(tmp_path: Path) -> None:
    hub = Hub()
    prepare_repository("me/planner", api=hub)
    assert upload(tmp_path, "me/planner", api=hub) == "https://huggingface.co/me/planner"
    assert hub.calls == [("create", "me/planner"), ("upload", "me/planner")]


def test_a_hub_that_can_not_be_reached_is_known_before_training() -> None:
    with pytest.raises(PublishError, match="train without --push-to-hub"):
        prepare_repository("me/planner", api=Hub(OSError("no route")))
    with pytest.raises(UsageError, match="write OWNER/NAME"):
        prepare_repository("planner", api=Hub())
