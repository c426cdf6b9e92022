import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from reasonflux.commands.assemble import Choices, resolve


def solve(*args: str) -> Any:
    return CliRunner().invoke(cli.app, ["solve", "--strategy", "cot", *args])


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "recording.json"
    path.write_text(json.dumps(["It is \\boxed{9}.", "It is \\boxed{8}."]), encoding="utf-8")
    return path


def test_a_recorded_model_solves_through_every_real_part(recording: Path) -> None:
    done = solve("--model", f"scripted:{recording}", "--json", "What is 4 + 5?")
    document = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (document["answer"], document["strategy"]) == ("9", "cot")
    assert (document["planner"], document["library"], document["trajectory"]) == (None, None, [])
    assert document["usage"]["calls"] == 1


def test_a_recorded_model_solves_a_file(recording: Path, tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text('{"problem": "4 + 5?", "answer": "9"}\n{"problem": "4 + 4?", "answer": "9"}\n')
    done = solve("--model", f"scripted:{recording}", "--file", str(source), "--out", str(out), "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["accuracy"] == 0.5


def test_what_can_not_be_used_is_one_sentence(tmp_path: Path) -> None:
    for model, said in (
        ("scripted:nowhere.json", "nowhere.json"),
        ("magic:x", "unknown kind"),
        ("llamacpp:qwen2.5-coder-1.5", "qwen2.5-coder-1.5b"),
        ("hf:x", "neither a folder that exists"),
        ("hf:smollm2-135", "smollm2-135m"),
    ):
        done = solve("--model", model, "--weights", str(tmp_path), "What?")
        assert done.exit_code in (1, 2)
        assert said in done.stderr
        assert done.stderr.count("Error:") == 1
    wrong = CliRunner().invoke(cli.app, ["solve", "--strategy", "magic", "What?"])
    assert wrong.exit_code == 2
    assert "cot, reasonflux" in wrong.stderr


def test_the_planner_is_the_model_unless_it_is_another() -> None:
    assert resolve(Choices()).planner is None
    assert resolve(Choices(model="a", planner="a")).planner is None
    assert resolve(Choices(model="a", planner="b")).planner == "b"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[solve]\nbudgt = 3\n", "Setting budgt in [solve] of {path} is unknown; did you mean budget."),
        ("[solve]\nbudget = 'x'\n", "Setting budget in [solve] of {path} can't be used: "),
        ("[solve.planner]\nmax_step = 3\n", "Setting planner.max_step in [solve] of {path} is unknown; did you mean"),
        ("[slove]\nbudget = 3\n", "Setting slove in {path} is unknown; settings stand under [solve] and [lint]."),
        ("budget = 3\n", "Setting budget in {path} is unknown; settings stand under [solve] and [lint]."),
        ("solve = 3\n", "Setting solve in {path} can't be used: it is no table."),
        ("[solve]\nmodel = 3\n", "Setting model in [solve] of {path} can't be used: "),
        ("[solve]\nlibrary = ' '\n", "Setting library in [solve] of {path} can't be used: "),
    ],
)
def test_a_wrong_settings_file_is_named_with_the_setting(
    recording: Path, throw_away_home: Path, settings: str, said: str
) -> None:
    path = throw_away_home / "reasonflux.toml"
    path.write_text(settings, encoding="utf-8")
    done = solve("--model", f"scripted:{recording}", "--budget", "50", "What?")
    assert done.exit_code == 2
    assert done.stderr.startswith("Error: " + said.format(path=path))
    assert done.stderr.count("\n") == 1


def test_settings_of_the_planner_and_its_model(throw_away_home: Path) -> None:
    path = throw_away_home / "reasonflux.toml"
    path.write_text("[solve.planner]\nmax_steps = 3\n", encoding="utf-8")
    found = resolve(Choices(home=throw_away_home))
    assert (found.settings.planner.max_steps, found.planner) == (3, None)
    path.write_text("[solve]\nplanner = 'smollm2-135m'\n", encoding="utf-8")
    assert resolve(Choices(home=throw_away_home)).planner == "smollm2-135m"


def test_the_way_of_planning_comes_from_the_flag_before_the_file(throw_away_home: Path) -> None:
    path = throw_away_home / "reasonflux.toml"
    assert resolve(Choices(home=throw_away_home)).settings.planner.mode == "closed"
    path.write_text("[solve.planner]\nmode = 'open'\nmax_steps = 3\n", encoding="utf-8")
    assert resolve(Choices(home=throw_away_home)).settings.planner.mode == "open"
    planner = resolve(Choices(home=throw_away_home, planning="closed")).settings.planner
    assert (planner.mode, planner.max_steps) == ("closed", 3)
    path.write_text("[solve]\nplanner = 'smollm2-135m'\n", encoding="utf-8")
    found = resolve(Choices(home=throw_away_home, planning="open"))
    assert (found.planner, found.settings.planner.mode) == ("smollm2-135m", "open")
    assert solve("--planning", "half", "What?").exit_code == 2


@pytest.mark.parametrize("option", ["--model", "--planner", "--library"])
def test_an_empty_name_never_means_the_default(option: str) -> None:
    done = solve(option, " ", "What?")
    assert done.exit_code == 2
    assert f"{option} is empty" in done.stderr


def test_a_trace_that_can_not_be_written_never_costs_the_answer(recording: Path, tmp_path: Path) -> None:
    trace = tmp_path / "run.html"
    trace.symlink_to(tmp_path / "gone" / "run.html")
    done = solve("--model", f"scripted:{recording}", "--trace", str(trace), "--json", "What?")
    assert json.loads(done.stdout)["answer"] == "9"
    assert done.exit_code == 1
    assert "can't be written" in done.stderr
    done = solve("--model", f"scripted:{recording}", "--trace", str(tmp_path), "What?")
    assert done.exit_code == 2


def test_a_page_of_a_run_holds_no_control_characters(tmp_path: Path) -> None:
    recording, page = tmp_path / "recording.json", tmp_path / "run.html"
    recording.write_text(json.dumps(["\x1b[31m\x00\x9b\u202e It is \\boxed{9\x1b[0m}."]), encoding="utf-8")
    done = solve("--model", f"scripted:{recording}", "--trace", str(page), "What\x1b[31m?")
    assert done.exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "What\ufffd[31m?" in text
    assert not any(c in text for c in "\x1b\x00\x9b\u202e")
