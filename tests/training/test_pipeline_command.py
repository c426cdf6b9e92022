"""`reasonflux train pipeline`: where it works, what it tells, and what it refuses."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cli
from library.store import Library
from tests.training.test_pipeline import Fake
from training import child
from training.commands.pipeline import StageChoice
from training.stages import STAGES


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    made = Fake()
    seen: dict[str, str] = {}

    def run_child(
        arguments: Sequence[str],
        launch: Path | None = None,
        meanwhile: Callable[[], None] = lambda: None,
        *,
        environment: Mapping[str, str],
    ) -> dict[str, Any]:
        seen.update(environment)
        if arguments[:2] == ["library", "init"]:
            Library.create(Path(environment["REASONFLUX_LIBRARY"]))
            return {}
        return made(arguments, launch, meanwhile)

    monkeypatch.setattr(child, "run_child", run_child)
    made.environment = seen  # type: ignore[attr-defined]
    return made


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nplanner: smollm2-135m\nlaunch: cpu-2\nsft: {merge: false}\n", "utf-8")
    return path


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli.app, ["train", "pipeline", *arguments])
    assert result.exit_code == code, (result.stdout, result.stderr)
    assert "Traceback" not in result.output
    return result


def test_stages_are_offered_in_their_order() -> None:
    assert tuple(StageChoice) == STAGES


def test_it_runs_a_recipe_in_a_folder(fake: Fake, recipe: Path, tmp_path: Path, throw_away_home: Path) -> None:
    out = tmp_path / "out"
    told = json.loads(run("--recipe", str(recipe), "--out", str(out), "--json").stdout)
    assert told["stages"] == dict.fromkeys(STAGES, "done")
    assert told["report"] == str(out / "report" / "report.html")
    # The default library was made, and every child works with it and in the same home.
    environment: dict[str, str] = fake.environment  # type: ignore[attr-defined]
    assert environment["REASONFLUX_LIBRARY"] == str(throw_away_home / "libraries" / "default.db")
    assert environment["REASONFLUX_HOME"] == str(throw_away_home)
    again = run("--recipe", str(recipe), "--out", str(out))
    assert again.stdout.splitlines()[0].split() == ["problems", "skipped"]
    assert f"Report: {out}" in again.stdout
    assert "Stage" not in again.stderr


def test_progress_is_told_on_stderr(fake: Fake, recipe: Path, tmp_path: Path) -> None:
    told = run("--recipe", str(recipe), "--out", str(tmp_path / "out"), "--until", "structure", "--json")
    assert "Stage structure is done" in told.stderr
    assert json.loads(told.stdout)["report"] is None
    quiet = run("--recipe", str(recipe), "--out", str(tmp_path / "other"), "--until", "structure", "--quiet")
    assert quiet.stderr == ""


def test_kept_rows_are_taken_up(fake: Fake, recipe: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    run("--recipe", str(recipe), "--out", str(tmp_path / "one"), "--keep-rows", str(kept))
    fake.calls.clear()
    run("--recipe", str(recipe), "--out", str(tmp_path / "two"), "--resume-from", str(kept))
    assert fake.calls == []


def test_a_library_that_is_not_there_is_refused(fake: Fake, recipe: Path, tmp_path: Path) -> None:
    told = run("--recipe", str(recipe), "--out", str(tmp_path / "out"), "--library", "none", code=1)
    assert "none" in told.stderr
    assert fake.calls == []


def test_an_unknown_recipe_or_stage_is_refused(fake: Fake, recipe: Path, tmp_path: Path) -> None:
    assert "one of domain, gpu-1x" in run("--recipe", "lapdog", code=2).stderr
    run("--recipe", str(recipe), "--until", "lunch", code=2)
    recipe.write_text("name: mine\nplanner: smollm2-135m\nlaunch: nothing\n", "utf-8")
    told = run("--recipe", str(recipe), "--out", str(tmp_path / "out"), code=2)
    assert "no accelerate configuration nothing" in told.stderr
    assert fake.calls == []
