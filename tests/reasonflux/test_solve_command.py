import json
import os
import pty
import re
import runpy
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from reasonflux.commands import assemble

FAKE = Path(__file__).with_name("fake_bench.py")
SHAPE = [
    "id", "line", "problem", "answer", "correct", "confidence", "status", "flags", "strategy", "model", "planner",
    "library", "seed", "trajectory", "steps", "revisions", "usage", "seconds", "run_id",
]  # fmt: skip
BRACKETS = [
    "x in [a,b]",
    "list [1, 2] and [slug]",
    "[INST] hi [/INST]",
    "[bold] x",
    "closing [/] tag",
    "[red]2[/red]",
    ":smile: {x} %s \\[a]",
    "[link=http://a]x[/link]",
]


@pytest.fixture(autouse=True)
def fake_workbench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble, "workbench", runpy.run_path(str(FAKE))["workbench"])


def run(*args: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in this process."""
    done = CliRunner().invoke(cli.app, list(args), input=stdin, env=environment, prog_name="reasonflux")
    return subprocess.CompletedProcess(args, done.exit_code, done.stdout_bytes, done.stderr_bytes)


def run_apart(*args: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, str(FAKE), *args],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=os.environ | environment,
        timeout=60,
    )


def run_on_terminal(*args: str, **environment: str) -> tuple[int, str]:
    """Run with stdout on a pseudo-terminal and return the exit code and what it showed, without ANSI colours."""
    primary, secondary = pty.openpty()
    variables = os.environ | {"TERM": "xterm-256color", "COLUMNS": "40"} | environment
    with subprocess.Popen(
        [sys.executable, str(FAKE), *args], stdin=subprocess.DEVNULL, stdout=secondary, stderr=secondary, env=variables
    ) as process:
        os.close(secondary)
        shown = b""
        while select.select([primary], [], [], 30)[0]:
            try:
                chunk = os.read(primary, 65_536)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk
        code = process.wait(30)
    os.close(primary)
    return code, shown.decode("utf-8", "replace")


def test_a_piped_run_tells_everything_and_ends_with_the_answer(throw_away_home: Path) -> None:
    done = run("solve", "Find the remainder when 7^100 is divided by 13.")
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    for said in (
        "Plan (2 steps)",
        "1. the remainders of the powers [Cycle of powers]",
        "Template for step 1: Cycle of powers (score 0.90)",
        "Program run (ok",
        "print(pow(7, 100, 13))",
        "    > 9",
        "Assessment: revise: because 9",
        "Plan revised from step 2 on: nothing is left to do",
        "Tokens: 20 completion, 100 prompt (40 cached) in 1 call",
    ):
        assert said in out
    (stored,) = (throw_away_home / "runs").glob("*.jsonl")
    tail = out.splitlines()[-3:]
    assert tail[0] == "Answer: 9"
    assert tail[2] == f"Trace: {stored} (reasonflux runs show {stored.stem})"
    assert "\x1b" not in out


def test_json_is_one_document_of_the_shape_and_nothing_else() -> None:
    done = run("solve", "--json", "What?")
    document = json.loads(done.stdout)
    assert list(document) == SHAPE
    assert done.returncode == 0
    assert document["answer"] == "9"
    assert document["trajectory"] == [
        {"step": 1, "goal": "the remainders of the powers", "template": "cycle-of-powers"}
    ]
    assert list(document["steps"][0]) == ["goal", "template", "output", "tool_calls", "assessment"]
    assert document["usage"] == {"calls": 1, "prompt_tokens": 100, "cached_tokens": 40, "completion_tokens": 20}
    assert document["planner"] == "scripted:fake"
    assert b"Plan (2 steps)" in done.stderr
    quiet = run("solve", "--json", "--quiet", "What?")
    assert list(json.loads(quiet.stdout)) == SHAPE
    assert quiet.stderr == b""


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        ("What is 2 + 2?", 0, "Answer: 9"),
        ("none", 3, "No answer was found."),
        ("broken", 1, "Failed: The server [/model/2013/a.jpg] is down."),
    ],
)
def test_exit_codes(problem: str, code: int, said: str) -> None:
    done = run("solve", problem)
    assert done.returncode == code
    assert said in done.stdout.decode()
    document = json.loads(run("solve", "--json", problem).stdout)
    assert (document["status"] == "failed") == (code == 1) == ("error" in document)
    assert (document["answer"] is None) == (code != 0)


@pytest.mark.parametrize("text", BRACKETS)
def test_data_is_shown_character_for_character(text: str) -> None:
    problem = f"say {text}"
    done = run("solve", problem)
    assert done.returncode == 0
    for said in (f"Problem: {problem}", f"It is {text}", f"Fact: r = {text}", f"noticed {text}", f"\nAnswer: {text}\n"):
        assert said in done.stdout.decode()
    assert json.loads(run("solve", "--json", problem).stdout)["answer"] == text
    run_id = re.search(r"runs show (\S+)\)", done.stdout.decode()).group(1)
    assert f"\nAnswer: {text}\n" in run("runs", "show", run_id).stdout.decode()
    assert text in run("runs", "list").stdout.decode()


def test_data_is_shown_character_for_character_on_a_terminal() -> None:
    text = " | ".join(BRACKETS)
    code, shown = run_on_terminal("solve", f"say {text}")
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "")
    assert code == 0
    assert f"\nAnswer: {text}\n" in plain
    assert f"  It is {text}\n" in plain


def test_terminal_sequences_in_data_do_not_reach_the_terminal() -> None:
    problem = "say a\x1b[31mred\x1b[0m\x1b]0;title\x07b\x07\x08\x9b2Jc\u202ed"
    done = run("solve", problem)
    assert "\nAnswer: aredb2Jcd\n" in done.stdout.decode()
    _, shown = run_on_terminal("solve", problem)
    assert "\x1b]0;" not in shown
    assert "\x1b[31mred" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""},
    ],
)
def test_a_narrow_encoding_ends_nothing(environment: dict[str, str], tmp_path: Path) -> None:
    text = "∑ x≤3 → ✓ 数列"
    solved = run_apart("solve", f"say {text}", **environment)
    assert solved.returncode == 0, solved.stderr
    assert b"Answer: ? x?3 ? ?" in solved.stdout
    machine = run_apart("solve", "--json", f"say {text}", **environment)
    assert json.loads(machine.stdout.decode("utf-8"))["answer"] == text
    assert machine.returncode == 0
    for args in (["runs", "list"], ["runs", "list", "--json"], ["solve", "--help"]):
        assert run_apart(*args, **environment).returncode == 0
    wrong = run_apart("solve", f"--{text}", **environment)
    assert wrong.returncode in (0, 2)
    assert b"Traceback" not in wrong.stderr
    missing = run_apart("runs", "show", text, **environment)
    assert missing.returncode == 2
    assert b"Traceback" not in missing.stderr
    code, shown = run_on_terminal("solve", f"say {text}", **environment)
    assert code == 0, shown
    assert "Traceback" not in shown

    source, out = tmp_path / "数.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps({"problem": f"say {text}"}, ensure_ascii=False) + "\n", encoding="utf-8")
    batch = run_apart("solve", "--file", str(source), "--out", str(out), **environment)
    assert batch.returncode == 0, batch.stderr
    assert json.loads(out.read_text(encoding="utf-8"))["answer"] == text


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["-x^2 + 4 = 0, find x"], "-x^2 + 4 = 0, find x"),
        (["-5"], "-5"),
        ([r"-\frac{1}{2}"], r"-\frac{1}{2}"),
        (["--json", "-x^2=1", "--seed", "-3"], "-x^2=1"),
        (["--x + 5 = 3, find x"], "--x + 5 = 3, find x"),
        (["--", "--json"], "--json"),
        (["--", "--jsno"], "--jsno"),
    ],
)
def test_a_problem_may_begin_with_a_dash(args: list[str], problem: str) -> None:
    done = run("solve", *args) if "--json" in args[:-2] else run("solve", "--json", *args)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["problem"] == problem


def test_a_problem_comes_from_stdin() -> None:
    done = run("solve", "-", "--json", stdin="--json is ∑ what?\n".encode())
    assert json.loads(done.stdout)["problem"] == "--json is ∑ what?"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--jsno", "2 + 2"], "Did you mean --json?"),
        (["2 + 2", "--jsno"], "Did you mean --json?"),
        (["-json", "2 + 2"], "Did you mean --json?"),
        (["--bugdet=5", "2 + 2"], "Did you mean --budget?"),
        (["--jsno 2 + 2"], "Did you mean --json?"),
        (["--xyz"], "after `--`, or on stdin"),
        (["-q"], "after `--`, or on stdin"),
        (["--budget"], "--budget"),
        (["--budget", "0", "x"], "--budget"),
        (["--budget", "many", "x"], "--budget"),
        (["--parallel", "0", "--file", "a", "--out", "b"], "--parallel"),
        (["two", "words"], "words"),
        ([], "Give a problem in quotes"),
        (["  "], "is empty"),
        (["2 + 2", "--out", "o.jsonl"], "--out goes with --file"),
        (["2 + 2", "--limit", "3"], "--limit goes with --file"),
        (["2 + 2", "--resume"], "--resume goes with --file"),
        (["2 + 2", "--file", "in.jsonl"], "not both"),
        (["--file", "in.jsonl"], "--file needs --out"),
        (["--file", "in.jsonl", "--out", "o", "--trace", "t.html"], "--trace goes with one problem"),
        (["2 + 2", "--trace", "t.txt"], ".jsonl or .html"),
        (["2 + 2", "--trace", "no/such/folder/t.html"], "there is no folder"),
        (["2 + 2", "--max-revisions", "99"], "max_revisions"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(args: list[str], said: str, throw_away_home: Path) -> None:
    done = run("solve", *args)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""
    assert not (throw_away_home / "runs").exists()


def test_stdin_that_is_not_utf8_names_the_byte() -> None:
    done = run("solve", "-", stdin=b"na\xefve")
    assert done.returncode == 2
    assert b"0xef at position 2" in done.stderr


def test_quiet_shows_the_result_only() -> None:
    lines = run("solve", "--quiet", "What?").stdout.decode().splitlines()
    assert lines[0] == "Answer: 9"
    assert len(lines) == 3


def test_traces_hold_every_event_and_escape_the_page(tmp_path: Path) -> None:
    hostile = "say <script>alert(1)</script> & \"quoted\" 'x'"
    page, lines = tmp_path / "t.html", tmp_path / "t.jsonl"
    assert run("solve", hostile, "--trace", str(page)).returncode == 0
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in text
    for said in ("Cycle of powers", "print(pow(7, 100, 13))", "Plan revised from step 2 on"):
        assert said in text
    assert run("solve", "What?", "--trace", str(lines)).returncode == 0
    kinds = [json.loads(line)["kind"] for line in lines.read_text(encoding="utf-8").splitlines()]
    assert kinds[0] == "run"
    assert "token_delta" in kinds
    assert kinds[-1] == "run_finished"


def test_settings_come_from_flags_then_environment_then_the_file(throw_away_home: Path) -> None:
    def seed(*args: str, **environment: str) -> Any:
        return json.loads(run("solve", "--json", "--quiet", "What?", *args, **environment).stdout)["seed"]

    assert seed() == 0
    (throw_away_home / "reasonflux.toml").write_text("[solve]\nseed = 1\n")
    assert seed() == 1
    assert seed(REASONFLUX_SEED="2") == 2
    assert seed("--seed", "3", REASONFLUX_SEED="2") == 3


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[solve]\nsead = 1\n", "sead"),
        ("[solve]\nbudget = 'many'\n", "budget"),
        ("[solve]\nmodel = 5\n", "Setting model"),
        ("solve = 5\n", "solve"),
        ("[solve\n", "can't be read"),
    ],
)
def test_a_wrong_settings_file_is_refused(throw_away_home: Path, content: str, said: str) -> None:
    (throw_away_home / "reasonflux.toml").write_text(content)
    done = run("solve", "What?")
    assert done.returncode == 2
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_runs_are_listed_and_shown(throw_away_home: Path) -> None:
    assert run("runs", "list", "--json").stdout.strip() == b"[]"
    solved = run("solve", "What?").stdout.decode()
    (entry,) = json.loads(run("runs", "list", "--json").stdout)
    assert (entry["status"], entry["answer"], entry["problem"]) == ("answered", "9", "What?")
    shown = run("runs", "show", entry["run_id"])
    assert shown.returncode == 0
    assert [line for line in solved.splitlines() if not line.startswith("Trace:")] == [
        line for line in shown.stdout.decode().splitlines() if not line.startswith("Trace:")
    ]
    document = json.loads(run("runs", "show", "--json", entry["run_id"]).stdout)
    assert document["run"]["problem"] == {"text": "What?", "wanted": None}
    assert document["events"][-1]["kind"] == "run_finished"
    assert run("runs", "show", "nope").returncode == 2

    (path,) = (throw_away_home / "runs").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-30])
    torn = run("runs", "show", entry["run_id"])
    assert torn.returncode == 0
    assert b"interrupted" in torn.stdout
    assert b"is torn" in torn.stderr
    assert json.loads(run("runs", "list", "--json").stdout)[0]["status"] == "interrupted"


def test_a_home_that_can_not_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("solve", "What?", "--home", str(tmp_path / "file"))
    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"Error:") == 1
