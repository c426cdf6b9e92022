"""Files, dataset folders and repositories: written whole or not at all, read without leaving the folder."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from library.dataset_card import CARD, data_patterns
from library.dataset_folder import read_folder
from library.errors import ExportRefused, ImportRefused, LibraryError
from library.exchange import ImportedRecord, ImportProblem, read_file
from library.exporting import export_file, export_folder, exported
from library.formats import Format
from library.hub import HubAddress, fetch, publish
from library.reading import Filter
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template

MADE = [template("One"), template("Two", status="draft"), template("Três")]


def names(records: Any) -> list[str]:
    return [record.template.name for record in records if isinstance(record, ImportedRecord)]


def problems(records: Any) -> list[str]:
    return [f"{record.location}: {record.reason}" for record in records if isinstance(record, ImportProblem)]


def test_a_file_is_replaced_only_when_told(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    assert export_file(iter(MADE), path, Format.json, force=False) == 3
    before = path.read_bytes()
    with pytest.raises(ExportRefused, match="--force"):
        export_file(MADE[:1], path, Format.json, force=False)
    assert path.read_bytes() == before
    link = tmp_path / "link.json"
    link.symlink_to(path)
    assert export_file(MADE[:1], link, Format.json, force=True) == 1
    assert link.is_symlink()
    assert names(read_file(path)) == ["One"]
    assert sorted(file.name for file in tmp_path.iterdir() if file.name != "home") == ["link.json", "t.json"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    export_file(MADE, path, Format.yaml, force=False)
    before = path.read_bytes()

    def breaking() -> Any:
        yield MADE[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_file(breaking(), path, Format.yaml, force=True)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if file.name != "home"] == ["t.yaml"]


@pytest.mark.parametrize(
    ("target", "reason"), [("", "is a folder"), ("none/t.json", "is missing"), ("a\0b.json", "can't be written")]
)
def test_a_target_that_can_not_be_written_is_said(tmp_path: Path, target: str, reason: str) -> None:
    with pytest.raises(ExportRefused, match=reason):
        export_file(MADE, tmp_path / target, Format.json, force=True)


@pytest.mark.skipif(os.name != "posix", reason="makes a pipe file")
def test_a_target_that_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(ExportRefused, match="no regular file"):
        export_file(MADE, tmp_path / "pipe.json", Format.json, force=True)
    with pytest.raises(ImportRefused, match="no file"):
        list(read_file(tmp_path / "pipe.json"))


def test_filters_choose_what_is_written(library: Library, embedder: HashingEmbedder) -> None:
    library.add_many(MADE, embedder=embedder, who="me")
    with library.reading() as reader:
        assert [made.name for made in exported(reader, Filter(status=None))] == ["One", "Três", "Two"]
        assert [made.name for made in exported(reader, Filter(status="draft", tags=("ROOTS",)))] == ["Two"]


@pytest.mark.parametrize("kind", [Format.json, Format.jsonl, Format.csv, Format.parquet])
def test_a_folder_has_a_card_and_comes_back(tmp_path: Path, kind: Format) -> None:
    folder = tmp_path / "shared"
    assert export_folder(iter(MADE), folder, kind, title="my: library", force=False) == 3
    card = (folder / CARD).read_text(encoding="utf-8")
    front = yaml.safe_load(card.split("---\n")[1])
    assert front["pretty_name"] == "my: library"
    assert front["configs"][0]["data_files"] == [{"split": "train", "path": f"data/templates.{kind.value}"}]
    assert [record.template for record in read_folder(folder) if isinstance(record, ImportedRecord)] == MADE
    with pytest.raises(ExportRefused, match="--force"):
        export_folder(MADE[:1], folder, kind, title="x", force=False)
    export_folder(MADE[:1], folder, Format.jsonl, title="x", force=True)
    assert names(read_folder(folder)) == ["One"]


def test_a_folder_is_no_place_for_yaml(tmp_path: Path) -> None:
    with pytest.raises(ExportRefused, match="not yaml"):
        export_folder(MADE, tmp_path / "x", Format.yaml, title="x", force=False)
    assert not (tmp_path / "x").exists()


def shared(folder: Path, front: str | None = None, **files: str) -> Path:
    """Return a folder with files whose dots are spelled `__`, and a card."""
    (folder / "data").mkdir(parents=True)
    if front is not None:
        (folder / CARD).write_text(f"---\n{front}\n---\n# Card\n", encoding="utf-8")
    for name, content in files.items():
        (folder / "data" / name.replace("__", ".")).write_text(content, encoding="utf-8")
    return folder


ONE = '{"name": "%s", "description": "D", "steps": ["S"]}\n'


def test_a_folder_without_a_card_is_read_file_by_file(tmp_path: Path) -> None:
    folder = shared(
        tmp_path / "f", a__jsonl=ONE % "A", b__jsonl="{", c__yaml="name: C\ndescription: D\nsteps: [S]", d__txt="x"
    )
    (folder / ".hidden.jsonl").write_text(ONE % "Hidden", encoding="utf-8")
    records = list(read_folder(folder))
    assert names(records) == ["A", "C"]
    assert problems(records)[0].startswith(f"{folder}/data/b.jsonl:1: the line is no JSON")


@pytest.mark.parametrize(
    "front",
    [
        "configs:\n- data_files: data/a.jsonl",
        "configs:\n- data_files: [data/a.jsonl]",
        "configs:\n- data_files:\n  - {split: train, path: [data/a.*]}",
        "configs:\n- {config_name: x, data_files: data/b.jsonl}\n- {config_name: default, data_files: data/a.jsonl}",
        "configs:\n- data_files: data/b.jsonl\n- {default: true, data_dir: data, data_files: a.jsonl}",
        "configs:\n- data_files: {train: ./data/a.jsonl}",
    ],
)
def test_the_card_says_which_files_count(tmp_path: Path, front: str) -> None:
    folder = shared(tmp_path / "f", front, a__jsonl=ONE % "A", b__jsonl=ONE % "B")
    assert names(read_folder(folder)) == ["A"]


@pytest.mark.parametrize(
    "path",
    ["../secret.jsonl", "data/../../secret.jsonl", "/etc/passwd", "C:\\x.jsonl", "https://x.org/a.jsonl", "..\\x"],
)
def test_paths_out_of_the_folder_are_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.jsonl").write_text(ONE % "Secret", encoding="utf-8")
    folder = shared(
        tmp_path / "f", f"configs:\n- data_files: ['{path}', data/a.jsonl, data/none.csv]", a__jsonl=ONE % "A"
    )
    records = list(read_folder(folder))
    assert names(records) == ["A"]
    outside, missing = problems(records)
    assert outside == f'{folder}/{CARD}: the data file "{path}" lies outside of the folder'
    assert "none.csv" in missing


@pytest.mark.skipif(os.name != "posix", reason="makes links")
def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text(ONE % "Secret", encoding="utf-8")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "more.jsonl").write_text(ONE % "More", encoding="utf-8")
    folder = shared(tmp_path / "f", a__jsonl=ONE % "A")
    (folder / "data" / "b.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (folder / "data" / "c.jsonl").symlink_to("a.jsonl")
    (folder / "data" / "d.jsonl").symlink_to("d.jsonl")
    (folder / "linked").symlink_to(tmp_path / "secrets")
    (folder / CARD).symlink_to(tmp_path / "secret.jsonl")
    records = list(read_folder(folder))
    assert names(records) == ["A", "A"]
    assert [problem.partition(": ")[2] for problem in problems(records)] == [
        "it is a link that leads out of the folder or nowhere"
    ] * 2


def test_packed_files_are_not_unpacked(tmp_path: Path) -> None:
    folder = shared(tmp_path / "f", a__jsonl=ONE % "A", bomb__zip="PK", b__jsonl__gz="x")
    records = list(read_folder(folder))
    assert names(records) == ["A"]
    assert [problem.partition(": ")[2] for problem in problems(records)] == [
        "packed files are not read; unpack it first"
    ] * 2


@pytest.mark.parametrize(
    ("front", "reason"),
    [
        ("configs: [unclosed", "README.md:3: the front matter can't be used"),
        ("configs: text", "must be a list of mappings"),
        ("configs:\n- data_files: [[]]\n- x", "must be a list of mappings"),
        ("a: &a [*a]", "alias"),
        ("[" * 1000, "nests deeper"),
    ],
)
def test_a_card_that_can_not_be_read_is_said(tmp_path: Path, front: str, reason: str) -> None:
    folder = shared(tmp_path / "f", front, a__jsonl=ONE % "A")
    with pytest.raises(ImportRefused, match=reason) as caught:
        list(read_folder(folder))
    assert str(caught.value).startswith(f"{folder}/README.md")


def test_a_card_without_front_matter_names_nothing() -> None:
    assert data_patterns("# Title\n---\nconfigs: x\n---\n") is None
    assert data_patterns("") is None
    with pytest.raises(ImportRefused, match="no end"):
        data_patterns("---\nconfigs: x\n")


def test_a_folder_without_data_is_said(tmp_path: Path) -> None:
    for folder in (shared(tmp_path / "f", readme__txt="x"), shared(tmp_path / "g", "tags: [x]")):
        with pytest.raises(ImportRefused, match=r"\.parquet"):
            list(read_folder(folder))
    with pytest.raises(ImportRefused, match="can't be read"):
        list(read_folder(tmp_path / "none"))


class FakeHub:
    """A Hub in memory, with the methods of `HfApi` that are used."""

    def __init__(self) -> None:
        self.repos: dict[str, dict[str, bytes]] = {}
        self.private: dict[str, bool] = {}
        self.declared: int | None = None

    def repo_exists(self, repo: str, *, repo_type: str) -> bool:
        assert repo_type == "dataset"
        return repo in self.repos

    def create_repo(self, repo: str, *, repo_type: str, private: bool, exist_ok: bool) -> None:
        self.repos[repo] = {}
        self.private[repo] = private

    def list_repo_files(self, repo: str, *, repo_type: str, revision: str | None) -> list[str]:
        return list(self.repos[repo])

    def upload_folder(self, *, repo_id: str, folder_path: Path, delete_patterns: list[str], **_: Any) -> None:
        kept = {name: data for name, data in self.repos[repo_id].items() if not name.startswith("data/templates.")}
        files = [file for file in folder_path.rglob("*") if file.is_file()]
        self.repos[repo_id] = kept | {file.relative_to(folder_path).as_posix(): file.read_bytes() for file in files}

    def dataset_info(self, repo: str, *, revision: str | None, timeout: float, files_metadata: bool) -> Any:
        files = [
            SimpleNamespace(rfilename=name, size=self.declared or len(data)) for name, data in self.repos[repo].items()
        ]
        return SimpleNamespace(siblings=files, sha="abc")

    def snapshot_download(
        self, repo: str, *, repo_type: str, revision: str, local_dir: Path, allow_patterns: list[str]
    ) -> None:
        from fnmatch import fnmatchcase

        for name, data in self.repos[repo].items():
            if any(fnmatchcase(name, pattern) for pattern in allow_patterns):
                (local_dir / name).parent.mkdir(parents=True, exist_ok=True)
                (local_dir / name).write_bytes(data)


def test_a_repository_is_written_and_read(tmp_path: Path) -> None:
    hub, address = FakeHub(), HubAddress.parse("hf://datasets/owner/my.name")
    export_folder(MADE, tmp_path / "up", Format.parquet, title="t", force=False)
    publish(address, tmp_path / "up", force=False, public=False, api=hub)
    assert hub.private == {"owner/my.name": True}
    hub.repos["owner/my.name"] |= {"model.bin": b"x", "data/[1].jsonl": (ONE % "Odd").encode()}
    (tmp_path / "down").mkdir()
    fetch(address, tmp_path / "down", hub)
    assert not (tmp_path / "down" / "model.bin").exists()
    assert (tmp_path / "down" / "data" / "[1].jsonl").exists()
    assert [record.template for record in read_folder(tmp_path / "down") if isinstance(record, ImportedRecord)] == MADE
    with pytest.raises(ExportRefused, match="holds data already"):
        publish(address, tmp_path / "up", force=False, public=True, api=hub)
    publish(address, tmp_path / "up", force=True, public=True, api=hub)
    hub.declared = 2**40
    with pytest.raises(ImportRefused, match="more than the"):
        fetch(address, tmp_path / "down", hub)


@pytest.mark.parametrize(
    "text", ["hf://owner/name", "hf://datasets/name", "hf://models/a/b", "hf://datasets/a/b/c d", "hf://"]
)
def test_an_address_of_another_form_is_said(text: str) -> None:
    with pytest.raises(LibraryError, match="hf://datasets/OWNER/NAME"):
        HubAddress.parse(text)
    assert HubAddress.parse("hf://datasets/a/b@v1.0/") == HubAddress("a/b", "v1.0")


def failing(error: BaseException) -> Any:
    def call(*_: Any, **__: Any) -> Any:
        raise error

    return SimpleNamespace(dataset_info=call, repo_exists=call)


def test_a_hub_that_does_not_answer_is_one_sentence(tmp_path: Path) -> None:
    from huggingface_hub import errors

    class Gone(errors.HfHubHTTPError.__mro__[1]):  # type: ignore[misc]
        pass

    address = HubAddress("a/b", "v2")
    for error, part in (
        (Gone("[Errno -2] Name or service not known"), "does not answer ([Errno -2] Name or service not known)"),
        (OSError("connection refused"), "does not answer (connection refused)"),
        (errors.OfflineModeIsEnabled("offline"), "HF_HUB_OFFLINE"),
        (errors.HFValidationError("bad repo id"), "bad repo id"),
    ):
        with pytest.raises(ImportRefused) as read:
            fetch(address, tmp_path, failing(error))
        with pytest.raises(ExportRefused) as written:
            publish(address, tmp_path, force=False, public=False, api=failing(error))
        for caught in (read, written):
            assert part in str(caught.value)
            assert str(address) in str(caught.value)
            assert "\n" not in str(caught.value)
