import json
import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from reasonflux.commands import assemble

FAKE = Path(__file__).with_name("fake_bench.py")


@pytest.fixture(autouse=True)
def fake_workbench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble, "workbench", runpy.run_path(str(FAKE))["workbench"])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "in.jsonl"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out.jsonl"


def put(source: Path, *records: Any) -> None:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    source.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def solve(source: Path, out: Path, *args: str) -> Any:
    return CliRunner().invoke(cli.app, ["solve", "--file", str(source), "--out", str(out), *args])


def documents(out: Path) -> list[dict[str, Any]]:
    return sorted(
        (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()), key=lambda each: each["line"]
    )


def test_one_line_out_for_each_record_in(source: Path, out: Path, throw_away_home: Path) -> None:
    put(
        source,
        {"id": "a", "problem": "say 9", "answer": "9"},
        {"id": "b", "problem": "say 8", "answer": "9"},
        {"id": "c", "problem": "none", "answer": "9"},
        {"id": "d", "problem": "say 1"},
        {"id": "e", "problem": "say 1", "answer": "one two three )("},
        {"question": "say 5", "answer": "thus #### 5"},
        {"id": "g", "problem": "say 9", "answer": "9"},
    )
    done = solve(source, out, "--json", "--parallel", "3")
    assert done.exit_code == 0, done.output
    lines = documents(out)
    assert [each["line"] for each in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert [each["correct"] for each in lines][:4] == [True, False, False, None]
    assert [each["grading"] for each in lines][:4] == ["graded", "graded", "graded", "no_gold"]
    assert lines[5]["correct"] is True
    assert [each["id"] for each in lines] == ["a", "b", "c", "d", "e", "6", "g"]
    assert lines[0]["content_hash"] == lines[6]["content_hash"]
    summary = json.loads(done.stdout)
    assert (summary["n"], summary["answered"], summary["no_answer"], summary["failed"]) == (7, 6, 1, 0)
    assert summary["correct"] == 3
    assert summary["mean_completion_tokens"] == 20
    assert summary["mean_prompt_tokens"] == 100
    assert summary["mean_cached_tokens"] == 40
    assert "7/7" in done.stderr
    assert "accuracy" in done.stderr
    runs = list((throw_away_home / "runs").glob("*.jsonl"))
    assert len(runs) == 7
    assert {each["run_id"] for each in lines} == {path.stem for path in runs}
    for path in runs:
        assert '"answer": "9"' not in path.read_text(encoding="utf-8").splitlines()[0]


def test_ungradable_golds_are_counted_apart(source: Path, out: Path) -> None:
    put(source, {"problem": "say 9", "answer": "9"}, {"problem": "say 1", "answer": "foo"})
    done = solve(source, out)
    lines = documents(out)
    assert lines[1]["correct"] is None
    assert lines[1]["grading"] == "ungradable"
    assert "100.0% (1 of 1)" in done.stdout
    assert "Ungradable: 1" in done.stdout


def test_bad_and_failed_records_are_reported_while_the_rest_goes_on(source: Path, out: Path) -> None:
    put(
        source, {"problem": "say 9", "answer": "9"}, "{oops", {"problem": "broken", "answer": "9"}, {"problem": "say 9"}
    )
    done = solve(source, out)
    assert done.exit_code == 1
    lines = documents(out)
    assert [each["status"] for each in lines] == ["answered", "failed", "failed", "answered"]
    assert lines[1]["error"].startswith("it is not JSON")
    assert lines[2]["error"] == "The server [/model/2013/a.jpg] is down."
    assert [each["correct"] for each in lines] == [True, None, None, None]
    assert [list(each)[:19] for each in lines] == [list(lines[0])[:19]] * 4
    assert "in.jsonl:2 failed: it is not JSON" in done.stderr
    assert "in.jsonl:3 failed: The server [/model/2013/a.jpg] is down." in done.stderr
    assert "100.0% (1 of 1)" in done.stdout


def test_resume_does_what_is_left_and_retries_failures(source: Path, out: Path) -> None:
    put(source, {"problem": "say 1", "answer": "1"}, {"problem": "broken"}, "{oops", {"problem": "say 4"})
    assert solve(source, out, "--limit", "2").exit_code == 1
    before = documents(out)
    assert solve(source, out).exit_code == 2
    assert documents(out) == before
    done = solve(source, out, "--resume", "--json")
    assert done.exit_code == 1
    after = documents(out)
    assert [each["line"] for each in after] == [1, 2, 3, 4]
    assert after[0] == before[0]
    assert after[1]["run_id"] != before[1]["run_id"]
    assert json.loads(done.stdout)["n"] == 4
    put(source, {"problem": "say 1", "answer": "1"}, {"problem": "broken"}, {"problem": "say 3"}, {"problem": "say 4"})
    assert solve(source, out, "--resume").exit_code == 1
    assert [each["status"] for each in documents(out)] == ["answered", "failed", "answered", "answered"]


def test_resume_of_a_finished_batch_changes_nothing(source: Path, out: Path) -> None:
    put(source, {"problem": "say 1", "answer": "1"}, {"problem": "say 1", "answer": "1"})
    assert solve(source, out).exit_code == 0
    before = out.read_bytes()
    done = solve(source, out, "--resume", "--json")
    assert done.exit_code == 0
    assert out.read_bytes() == before
    assert json.loads(done.stdout)["accuracy"] == 1.0


def test_several_records_on_one_line_each_get_their_own_result(source: Path, out: Path) -> None:
    records = [{"problem": "say 1"}, {"problem": "say 2"}, {"problem": "say 1"}]
    source.write_text(json.dumps(records), encoding="utf-8")
    assert solve(source, out, "--limit", "2").exit_code == 0
    assert solve(source, out, "--resume").exit_code == 0
    assert sorted(each["answer"] for each in documents(out)) == ["1", "1", "2"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--seed", "7"], "settings.seed was 0 and is now 7"),
        (["--strategy", "cot"], 'strategy was "reasonflux" and is now "cot"'),
        (["--budget", "9"], "settings.budget was 2048 and is now 9"),
        (["--max-revisions", "9"], "settings.max_revisions was 1 and is now 9"),
        (["--no-prompt-cache"], "settings.prompt_cache was true and is now false"),
        (["--no-tools"], "settings.instantiator.tools was true and is now false"),
    ],
)
def test_resume_refuses_another_configuration(source: Path, out: Path, args: list[str], said: str) -> None:
    put(source, {"problem": "say 1"}, {"problem": "say 2"})
    solve(source, out, "--limit", "1")
    done = solve(source, out, "--resume", *args)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(documents(out)) == 1


def test_resume_refuses_a_changed_input(source: Path, out: Path) -> None:
    put(source, {"problem": "say 1"}, {"problem": "say 2"})
    solve(source, out, "--limit", "1")
    put(source, {"problem": "say 3"}, {"problem": "say 2"})
    done = solve(source, out, "--resume")
    assert done.exit_code == 2
    assert "in.jsonl:1" in done.stderr
    assert len(documents(out)) == 1


def test_limit_and_skip_choose_a_window(source: Path, out: Path) -> None:
    put(source, *({"problem": f"say {number}"} for number in range(1, 8)))
    assert solve(source, out, "--skip", "2", "--limit", "3").exit_code == 0
    assert [each["line"] for each in documents(out)] == [3, 4, 5]


@pytest.mark.parametrize("missing", ["no.jsonl", "folder"])
def test_an_input_that_can_not_be_read_is_one_sentence(tmp_path: Path, out: Path, missing: str) -> None:
    (tmp_path / "folder").mkdir()
    done = solve(tmp_path / missing, out)
    assert done.exit_code == 1
    assert "can't be read" in done.stderr
    assert not out.exists()


def test_the_input_is_never_the_output(source: Path) -> None:
    put(source, {"problem": "say 1"})
    before = source.read_bytes()
    for args in ([], ["--resume"]):
        assert solve(source, source, *args).exit_code == 2
    assert source.read_bytes() == before


def start(source: Path, out: Path, *args: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, str(FAKE), "solve", "--file", str(source), "--out", str(out), *args],
        env=os.environ | {"FAKE_SECONDS": "0.1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_lines(out: Path, count: int) -> None:
    deadline = time.monotonic() + 60
    while not out.exists() or out.read_bytes().count(b"\n") < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_stopped_halfway_then_resumed_loses_and_doubles_nothing(source: Path, out: Path, number: int) -> None:
    put(source, *({"problem": f"slow, say {number}", "answer": str(number)} for number in range(1, 31)))
    with start(source, out, "--parallel", "2") as process:
        wait_for_lines(out, 4)
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert b"--resume" in errors
        assert b"Traceback" not in errors
    assert 4 <= out.read_bytes().count(b"\n") < 30
    with out.open("ab") as file:
        file.write(b'{"line": 30, "torn')
    done = solve(source, out, "--resume", "--json", "--parallel", "8")
    assert done.exit_code == 0, done.stderr
    assert [each["line"] for each in documents(out)] == list(range(1, 31))
    assert json.loads(done.stdout)["accuracy"] == 1.0


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_an_output_that_is_the_input_by_another_name(source: Path, out: Path, link: str) -> None:
    put(source, {"problem": "say 9"})
    getattr(out, link)(source)
    done = solve(source, out, "--resume")
    assert done.exit_code == 2
    assert "--out is the file that --file reads" in done.stderr
    assert sorted(path.name for path in source.parent.glob("*.jsonl*")) == ["in.jsonl", "out.jsonl"]


@pytest.mark.parametrize("options", [["--limit", "0"], ["--skip", "7"]])
def test_a_window_without_records_is_told(source: Path, out: Path, options: list[str]) -> None:
    put(source, {"problem": "say 9"})
    done = solve(source, out, *options)
    assert done.exit_code == 0
    assert f"There is nothing to solve: {source} holds 1 records, and none is chosen." in done.stderr
    assert "no record ran" in done.stdout
