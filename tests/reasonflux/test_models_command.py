import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from reasonflux.commands import weights_view
from reasonflux.commands.models import app
from reasonflux.commands.weights_view import Bar, Lines, ensure_weights
from reasonflux.errors import UsageError
from reasonflux.models import catalogue as catalogue_module
from reasonflux.models import weights
from reasonflux.models.catalogue import CatalogueEntry, CatalogueFile

DATA = b"GGUF" + b"x" * 1996
FILE = CatalogueFile(path="tiny.gguf", size=len(DATA), sha256=hashlib.sha256(DATA).hexdigest())
ENTRY = CatalogueEntry(
    name="tiny",
    kind="chat",
    purpose="tests",
    repo="nobody/tiny",
    revision="0" * 40,
    licence="MIT",
    file=(FILE,),
)


@pytest.fixture(autouse=True)
def one_tiny_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The catalogue knows one tiny model, and the folder of weights is empty."""
    monkeypatch.setattr(catalogue_module, "_read", lambda: {"tiny": ENTRY})
    monkeypatch.setenv("REASONFLUX_WEIGHTS", str(tmp_path / "weights"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path / "weights"


def put(folder: Path, data: bytes = DATA) -> Path:
    path = folder / "tiny" / "tiny.gguf"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def run(arguments: Sequence[str]) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_list_says_what_is_here(one_tiny_model: Path) -> None:
    before = run(["list", "--json"])
    put(one_tiny_model)
    after = run(["list", "--json"])
    assert [json.loads(result.stdout)["models"][0]["present"] for result in (before, after)] == [False, True]
    assert "here" in run(["list"]).stdout


def test_the_flag_comes_before_the_environment(one_tiny_model: Path, tmp_path: Path) -> None:
    put(tmp_path / "other")
    document = json.loads(run(["list", "--json", "--weights", str(tmp_path / "other")]).stdout)
    assert document["models"][0]["present"] is True
    assert document["weights"] == str(tmp_path / "other")


@pytest.mark.parametrize(
    ("data", "intact", "words"),
    [(DATA, True, "every hash verified"), (b"GGUF" + b"y" * 1996, False, "damaged"), (b"GGUF", False, "damaged")],
)
def test_show_verifies_what_is_here(one_tiny_model: Path, data: bytes, intact: bool, words: str) -> None:
    path = put(one_tiny_model, data)
    document = json.loads(run(["show", "tiny", "--json"]).stdout)
    assert document["intact"] is intact
    assert bool(document["problems"]) is not intact
    assert document["path"] == str(path)
    assert (document["licence"], document["size"]) == ("MIT", 2000)
    text = run(["show", "tiny"]).stdout
    assert words in text
    assert ("problem" in text) is not intact


def test_show_of_what_is_not_here_says_what_to_run() -> None:
    result = run(["show", "tiny"])
    assert result.exit_code == 0
    assert "not here" in result.stdout
    assert "reasonflux models pull tiny" in result.stderr
    assert json.loads(run(["show", "tiny", "--json"]).stdout)["intact"] is None


def test_pull_prints_the_path_of_what_is_here(one_tiny_model: Path) -> None:
    path = put(one_tiny_model)
    result = run(["pull", "tiny"])
    assert (result.exit_code, result.stdout) == (0, f"{path}\n")
    document = json.loads(run(["pull", "tiny", "--json"]).stdout)
    assert document["models"] == [{"name": "tiny", "path": str(path), "size": 2000, "already_here": True}]


def test_pull_of_a_damaged_file_shows_both_hashes_and_fails_without_a_source(one_tiny_model: Path) -> None:
    put(one_tiny_model, b"GGUF" + b"y" * 1996)
    result = run(["pull", "tiny"])
    assert result.exit_code == 1
    assert FILE.sha256 in result.stderr
    assert hashlib.sha256(b"GGUF" + b"y" * 1996).hexdigest() in result.stderr
    assert "HF_HUB_OFFLINE" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", ["pull", "show", "rm"])
def test_an_unknown_name_is_wrong_usage(command: str) -> None:
    result = run([command, "tinny"])
    assert result.exit_code == 2
    assert "did you mean tiny?" in result.stderr
    assert result.stdout == ""


def test_rm_deletes_the_model_and_what_a_pull_left(one_tiny_model: Path) -> None:
    put(one_tiny_model)
    left = one_tiny_model / ".partial" / "tiny" / "files" / "tiny.gguf"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"12345")
    document = json.loads(run(["rm", "tiny", "--json"]).stdout)
    assert (document["removed"], document["freed"]) == (True, 2005)
    assert not weights.is_present("tiny", one_tiny_model)
    assert not left.exists()
    assert "nothing to remove" in run(["rm", "tiny"]).stdout


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object, **options: object) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(weights, "pull", interrupt)
    assert run(["pull", "tiny"]).exit_code == 130


def test_ensure_weights_says_what_and_how_large_before_it_pulls(
    one_tiny_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pull(name: str, folder: Path, *, progress: object) -> Path:
        assert "tiny (tests, 2.0 kB)" in capsys.readouterr().err
        return put(folder)

    monkeypatch.setattr(weights, "pull", pull)
    ensure_weights(["tiny", "tiny"], one_tiny_model)
    ensure_weights(["tiny"], one_tiny_model)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
    with pytest.raises(UsageError):
        ensure_weights(["unknown"], one_tiny_model)


def test_off_a_terminal_a_line_a_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines("tiny")
    for done in range(0, 1001, 7):
        lines.advance(done, 1000)
    lines.advance(1000, 1000)
    lines.message("[bold] stays")
    written = capsys.readouterr().err.splitlines()
    assert written[0] == "tiny: 10% of 1.0 kB"
    assert written[-2:] == ["tiny: 100% of 1.0 kB", "[bold] stays"]
    assert len(written) == 11


def test_on_a_terminal_a_bar_and_brackets_as_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(weights_view.sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with weights_view.showing("tiny") as progress:
        assert isinstance(progress, Bar)
        progress.advance(500, 1000)
        progress.message("[/INST] [red]x")
    written = capsys.readouterr()
    assert written.out == ""
    assert "[/INST] [red]x" in written.err
    assert "tiny" in written.err
