"""`reasonflux library export` and `import`: round trips, refusals by place, and what is said of odd answers."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template

ROOT = Path(__file__).parents[2]
NAMES = ["=1+1", "007", "naïve, «数列»", "[red]x[/red]", "a\u202eb"]


pytestmark = pytest.mark.usefixtures("without_weights")


@pytest.fixture
def run(run_library: Any) -> Any:
    return run_library


@pytest.fixture
def filled(throw_away_home: Path) -> Path:
    path = throw_away_home / "libraries" / "default.db"
    with Library.open(path, create=True) as store:
        made = [template(name, field="algebra" if place else "geometry") for place, name in enumerate(NAMES)]
        made.append(template("Kept back", status="draft", tags=("other",)))
        made.append(template("Given up", status="retired", topic="odds"))
        store.add_many(made, embedder=HashingEmbedder(), who="me")
    return path


def held(path: Path) -> list[Any]:
    with Library.open(path) as store:
        return [stored.template for stored in store.list(status=None)]


@pytest.mark.parametrize("target", ["t.yaml", "t.json", "t.jsonl", "t.csv", "t.parquet", "folder/", "folder"])
def test_a_library_moves_whole(run: Any, filled: Path, tmp_path: Path, target: str) -> None:
    place = f"{tmp_path}/{target}"
    document = json.loads(run("export", place, "--json").stdout)
    assert (document["templates"], document["active"], document["draft"], document["retired"]) == (7, 5, 1, 1)
    run("init", "--empty", "--library", "other")
    result = json.loads(run("import", place, "--library", "other", "--json").stdout)
    assert (result["added"], result["refused"], result["notes"]) == (7, [], [])
    assert held(filled.with_name("other.db")) == held(filled)
    again = run("import", place, "--library", "other")
    assert "0 added, 0 updated, 7 unchanged, 0 refused" in again.stdout
    assert "is there already" in run("export", place, code=1).stderr
    assert "Wrote 1 templates (1 draft)" in run("export", place, "--force", "--status", "draft").stdout


@pytest.mark.parametrize("kind", ["yaml", "json", "jsonl", "csv", "parquet"])
def test_a_library_moves_through_a_pipe(run: Any, filled: Path, kind: str) -> None:
    out = run("export", "-", "--format", kind).stdout_bytes
    run("init", "--empty", "--library", "other")
    run("import", "-", "--format", kind, "--library", "other", input=out)
    assert held(filled.with_name("other.db")) == held(filled)


def test_filters_and_dry_run(run: Any, filled: Path, tmp_path: Path) -> None:
    for arguments, expected in (
        (["--field", "geometry"], ["=1+1"]),
        (["--tag", "OTHER"], ["Kept back"]),
        (["--topic", "odds"], ["Given up"]),
        (["--topic", "odds", "--status", "active"], []),
    ):
        lines = run("export", "-", *arguments).stdout.splitlines()
        assert [json.loads(line)["name"] for line in lines] == expected
    target = tmp_path / "t.yaml"
    assert "nothing was written: 7 templates" in run("export", str(target), "--dry-run").stdout
    assert not target.exists()


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["x.docx"], "say which with --format"),
        (["x.yaml", "--format", "toml"], "choose one of yaml, json, jsonl, csv, parquet"),
        (["-", "--json"], "leave out --json"),
        (["x.yaml", "--public"], "leave it out"),
        (["x.yaml", "--field", "algebr"], "did you mean algebra"),
    ],
)
def test_what_can_not_be_meant_is_a_usage_error(run: Any, filled: Path, arguments: list[str], hint: str) -> None:
    result = run("export", *arguments, code=2)
    assert hint in result.stderr
    assert result.stdout == ""


def test_places_that_can_not_be_used_are_said(run: Any, filled: Path, tmp_path: Path) -> None:
    assert "is missing" in run("export", str(tmp_path / "none" / "t.yaml"), code=1).stderr
    assert "names no dataset" in run("export", "hf://owner/name", code=1).stderr
    assert "not yaml" in run("export", f"{tmp_path}/folder/", "--format", "yaml", code=1).stderr
    document = json.loads(run("import", "hf://x", str(tmp_path), "--json", code=1).stdout)
    assert [refusal["location"] for refusal in document["refused"]] == ["hf://x", str(tmp_path)]


def test_a_hub_out_of_reach_is_one_sentence(run: Any, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from library import hub

    class Gone:
        def dataset_info(self, *_: Any, **__: Any) -> None:
            raise OSError("no route to host")

        repo_exists = dataset_info

    monkeypatch.setattr(hub, "_api", Gone)
    for command in ("import", "export"):
        result = run(command, "hf://datasets/owner/name", code=1)
        (line,) = [line for line in result.stderr.splitlines() if line != "Importing."]
        assert "no route to host" in line
        assert "hf://datasets/owner/name" in line


def test_a_wrong_encoding_names_the_byte_and_can_be_told(run: Any, filled: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_bytes('name,description,steps\nnaïve,D,"[""S""]"\n'.encode("cp1252"))
    good = tmp_path / "good.jsonl"
    good.write_text('{"name": "Good", "description": "D", "steps": ["S"]}', encoding="utf-8")
    result = run("import", str(table), str(good), code=1)
    for part in (f"{table}:2", "byte 0xEF at position 25", "--encoding cp1252"):
        assert part in result.stderr
    assert "1 added" in result.stdout
    assert "1 added" in run("import", str(table), "--encoding", "cp1252").stdout
    table.write_bytes('name\tdescription\tsteps\r\nWide 数\tD\t"[""S""]"\r\n'.encode("utf-16"))
    assert "1 added" in run("import", str(table)).stdout


def test_answers_that_do_not_equal_themselves_are_told(run: Any, filled: Path, tmp_path: Path) -> None:
    answers = ["nan", "7", r"\frac{1}{2}", "foo", "", "x in words"]
    graders = ["math", "math", "math", "math", "math", "text"]
    shown = [
        {"problem": "P", "answer": answer, "grader": grader} for answer, grader in zip(answers, graders, strict=True)
    ]
    file = tmp_path / "t.jsonl"
    records = [
        {"name": "First", "description": "D", "steps": ["S"]},
        {"name": "Odd", "description": "D", "steps": ["S"]},
    ]
    records[1]["examples"] = shown  # type: ignore[assignment]
    file.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    for arguments in (["--dry-run"], []):
        document = json.loads(run("import", str(file), *arguments, "--json").stdout)
        assert document["added"] == 2
        assert [note["location"] for note in document["notes"]] == [f"{file}:2"] * 3
        told = " ".join(note["note"] for note in document["notes"])
        for part in ("examples[5] has no answer", 'examples[1].answer "nan"', 'examples[4].answer "foo"'):
            assert part in told
    assert f"{file}:2: examples[5] has no answer" in run("import", str(file)).stderr
    assert [example["answer"] for example in json.loads(run("show", "Odd", "--json").stdout)["examples"]] == answers


def test_a_name_twice_in_one_file_is_told_with_both_places(run: Any, filled: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text("- {name: A, description: D, steps: [S]}\n" * 2, encoding="utf-8")
    result = run("import", str(file), code=1)
    assert f'{file}:2: "A" is the name of the template at {file}:1 too.' in result.stderr
    assert "1 added" in result.stdout


def test_the_research_library_is_imported(run: Any, filled: Path, tmp_path: Path) -> None:
    entry = {
        "template_name": "Trigonometric substitution",
        "template_type": "Method",
        "knowledge_tag": ["Radicals", "roots"],
        "description": "D",
        "application_scenario": ["a", "b"],
        "reason_flow": ["1. One.", "2. Two."],
        "example_application": "Example: P Solution: so the answer is 5.",
    }
    file = tmp_path / "library.json"
    file.write_text(
        json.dumps({"Chapter": {"Section": [entry, {**entry, "reason_flow": ["Other."]}]}}), encoding="utf-8"
    )
    document = json.loads(run("import", str(file), "--json").stdout)
    assert (document["added"], document["refused"]) == (2, [])
    assert 'is kept as "Trigonometric substitution (Section)"' in document["notes"][0]["note"]
    shown = json.loads(run("show", "trigonometric-substitution", "--json").stdout)
    assert (shown["tags"], shown["steps"]) == (["Radicals", "roots"], entry["reason_flow"])
    assert shown["examples"][0]["answer"] == "5"
    assert json.loads(run("import", str(file), "--json").stdout)["unchanged"] == 2


_CLI = """
import sys, typer
from reasonflux.commands import assemble_library, console, library
from tests.library.hashing_embedder import HashingEmbedder
from reasonflux.commands import library_import
library_import._BATCH = 8
class Telling(HashingEmbedder):
    def embed(self, texts):
        print("embedding", file=sys.stderr, flush=True)
        return super().embed(texts)
assemble_library.load_embedder = lambda weights_dir, quiet=False: Telling()
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
library.app.rich_markup_mode = None
app.add_typer(library.app, name="library")
app()
"""


def killed_import(file: Path, path: Path, lines: int, delay: float) -> int:
    """Import a file, kill the process after so many lines of stderr, and return how many templates are there."""
    process = subprocess.Popen(
        [sys.executable, "-c", _CLI, "library", "import", str(file), "--library", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    for _ in range(lines):
        process.stderr.readline()
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.communicate()
    with sqlite3.connect(path) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    with Library.open(path) as store:
        stored = store.list(status=None)
        assert [held.template for held in stored] == [template(held.template.name) for held in stored]
        assert len(store.history()) == len(stored)
    return len(stored)


@pytest.fixture
def forty(tmp_path: Path) -> Path:
    file = tmp_path / "forty.jsonl"
    file.write_text("".join(template(f"T {number}").model_dump_json() + "\n" for number in range(40)), encoding="utf-8")
    return file


@pytest.mark.skipif(os.name != "posix", reason="kills a process with a signal")
@pytest.mark.parametrize("lines", [1, 3, 5])
def test_a_killed_import_goes_on(run: Any, forty: Path, throw_away_home: Path, lines: int) -> None:
    path = throw_away_home / "killed.db"
    run("init", "--empty", "--library", str(path))
    done = killed_import(forty, path, lines, 0)
    assert done % 8 == 0
    document = json.loads(run("import", str(forty), "--library", str(path), "--json").stdout)
    assert (document["added"], document["unchanged"], document["refused"]) == (40 - done, done, [])
    assert len(held(path)) == 40


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process with a signal")
def test_fifty_killed_imports_lose_nothing(run: Any, forty: Path, throw_away_home: Path) -> None:
    path = throw_away_home / "killed.db"
    for number in range(50):
        if number % 10 == 0:
            path.unlink(missing_ok=True)
            run("init", "--empty", "--library", str(path))
            before = 0
        after = killed_import(forty, path, 1 + number % 7, 0.003 * (number % 11))
        assert after >= before
        before = after
    json.loads(run("import", str(forty), "--library", str(path), "--json").stdout)
    assert len(held(path)) == 40
