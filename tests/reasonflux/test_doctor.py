import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from reasonflux.models import weights
from reasonflux.tools import sandbox

DEFAULT = "qwen2.5-coder-1.5b"
EMBEDDER = "all-minilm-l6-v2"


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What each model's state is: `intact`, `damaged`, or missing where it is not named."""
    named = {DEFAULT: "intact", EMBEDDER: "intact"}
    monkeypatch.setattr(weights, "is_present", lambda name, folder: name in named)
    monkeypatch.setattr(weights, "verify", lambda name, folder: [] if named[name] == "intact" else ["wrong hash [/x]"])
    return named


def doctor(*args: str) -> tuple[int, dict[str, Any], str]:
    told = CliRunner().invoke(cli.app, ["doctor", *args])
    report = CliRunner().invoke(cli.app, ["doctor", "--json", *args])
    assert told.exit_code == report.exit_code
    return report.exit_code, json.loads(report.stdout), told.stdout


def test_everything_here(states: dict[str, str], throw_away_home: Path) -> None:
    code, report, told = doctor()
    assert code == 0
    assert report["able"] is True
    assert report["next"] == ['reasonflux solve "Find the remainder when 7^100 is divided by 13."']
    assert report["home"] == str(throw_away_home)
    assert report["packages"]["pydantic"]
    assert "pytest" not in report["packages"]
    assert report["system"]["python"].startswith(f"{sys.version_info.major}.")
    assert report["library"]["state"] == "missing"
    assert "Ready to solve." in told


@pytest.mark.parametrize(
    ("changes", "state", "command"),
    [
        ({DEFAULT: None}, "missing", f"reasonflux models pull {DEFAULT}"),
        ({DEFAULT: None, EMBEDDER: None}, "missing", f"reasonflux models pull {DEFAULT} {EMBEDDER}"),
        ({DEFAULT: "damaged"}, "damaged", f"reasonflux models pull {DEFAULT}"),
    ],
)
def test_weights_that_are_missing_or_damaged(
    states: dict[str, str], changes: dict[str, str | None], state: str, command: str
) -> None:
    for name, change in changes.items():
        if change is None:
            del states[name]
        else:
            states[name] = change
    code, report, told = doctor()
    assert code == 1
    assert report["able"] is False
    assert report["weights"]["models"][DEFAULT]["state"] == state
    assert report["next"] == [command]
    assert "Not ready to solve." in told
    assert command in told
    assert ("wrong hash [/x]" in told) == (state == "damaged")


def test_only_the_weights_that_the_settings_need_are_needed(states: dict[str, str], throw_away_home: Path) -> None:
    states.clear()
    (throw_away_home / "reasonflux.toml").write_text(
        '[solve]\nmodel = "openai:m@http://127.0.0.1:9"\nstrategy = "cot"\n'
    )
    assert doctor()[0] == 0
    (throw_away_home / "reasonflux.toml").write_text('[solve]\nmodel = "smollm2-135m"\nstrategy = "cot"\n')
    assert doctor()[1]["next"] == ["reasonflux models pull smollm2-135m"]


def test_a_library_of_ours_and_a_broken_one(states: dict[str, str], throw_away_home: Path, tmp_path: Path) -> None:
    from library.store import Library

    path = throw_away_home / "libraries" / "default.db"
    path.parent.mkdir()
    Library.create(path)
    code, report, told = doctor()
    assert code == 0
    assert (report["library"]["state"], report["library"]["templates"]) == ("ready", 0)
    assert report["library"]["index"] == "no vectors yet"
    assert "0 active templates" in told

    path.write_bytes(b"not a database" * 1000)
    code, report, told = doctor()
    assert code == 1
    assert report["library"]["state"] == "unusable"
    assert report["library"]["note"] in told

    code, report, _ = doctor("--library", str(tmp_path / "other.db"))
    assert code == 1
    assert report["next"] == [f"reasonflux library init --library {tmp_path / 'other.db'}"]


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openai:gpt-x", "OPENAI_API_KEY"),
        ("llamacpp:nope", "neither a known model nor a file"),
        ("scripted:nope.json", "The recording nope.json can't be read"),
        ("what:x", "unknown kind"),
        ("all-minilm-l6-v2", "is an embedder"),
    ],
)
def test_a_model_that_can_not_be_had(states: dict[str, str], throw_away_home: Path, model: str, said: str) -> None:
    (throw_away_home / "reasonflux.toml").write_text(f'[solve]\nmodel = "{model}"\n')
    code, report, told = doctor()
    assert code == 1
    (trouble,) = report["troubles"]
    assert trouble.startswith(f"The model {model} can't be used: ")
    assert said in trouble
    assert trouble in told
    assert "Not ready to solve." in told


def test_a_home_that_can_not_be_written(states: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    able = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode & os.W_OK == 0 and able(path, mode))
    code, report, told = doctor()
    assert code == 1
    assert "give another one with --home" in report["troubles"][0]
    assert report["troubles"][0] in told


def test_a_home_inside_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("REASONFLUX_HOME", str(tmp_path / "file"))
    done = CliRunner().invoke(cli.app, ["doctor"])
    assert done.exit_code == 2
    assert str(tmp_path / "file") in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_system_without_a_sandbox_still_solves_and_says_why(
    states: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    features = replace(sandbox.sandbox_features(), landlock=False, sufficient=False, why="the kernel has no Landlock.")
    monkeypatch.setattr(sandbox, "sandbox_features", lambda: features)
    code, report, told = doctor()
    assert code == 0
    assert report["sandbox"]["landlock"] is False
    assert "Python tool: off" in told
    assert "the kernel has no Landlock." in told
