"""`reasonflux library`: each command on stdout and stderr, as JSON, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from library.store import Library
from reasonflux.commands import assemble_library
from tests.library.hashing_embedder import HashingEmbedder, template

ROOT = Path(__file__).parents[2]
BRACKETS = ["x in [a,b]", "list [1, 2] and [slug]", "[INST] hi [/INST]", "[bold] x", "closing [/] tag", "[red]2[/red]"]


pytestmark = pytest.mark.usefixtures("without_weights")


@pytest.fixture
def run(run_library: Any) -> Any:
    return run_library


@pytest.fixture
def filled(throw_away_home: Path) -> Path:
    path = throw_away_home / "libraries" / "default.db"
    with Library.open(path, create=True) as store:
        for name, field in (("Complete the square", "algebra"), ("Similar triangles", "geometry")):
            store.add(template(name, field=field), embedder=HashingEmbedder(), who="me")
    return path


def test_init_fills_once(run: Any, throw_away_home: Path) -> None:
    document = json.loads(run("init", "--json").stdout)
    assert document["created"] is True
    assert document["templates"] >= 40
    assert document["library"] == str(throw_away_home / "libraries" / "default.db")
    with Library.open(Path(document["library"])) as store:
        digest = store.digest()
        assert {entry.template.source for entry in store.list()} == {"seed:maths"}
    again = run("init")
    assert "is there already" in again.stdout
    assert "nothing was changed" in run("init", "--empty").stdout
    with Library.open(Path(document["library"])) as store:
        assert store.digest() == digest


def test_init_empty_needs_no_embedder(run: Any, monkeypatch: pytest.MonkeyPatch, throw_away_home: Path) -> None:
    monkeypatch.delattr(assemble_library, "load_embedder")
    assert json.loads(run("init", "--empty", "--library", "sql", "--json").stdout)["templates"] == 0
    assert (throw_away_home / "libraries" / "sql.db").exists()
    assert "choose one of maths" in run("init", "--seed", "cooking", "--library", "x", code=2).stderr
    assert not (throw_away_home / "libraries" / "x.db").exists()


def test_a_missing_library_says_how_to_make_one(run: Any) -> None:
    for command in (["list"], ["show", "x"], ["search", "x"], ["reindex"]):
        result = run(*command, code=1)
        assert "reasonflux library init" in result.stderr
        assert result.stdout == ""


def test_list_filters_and_groups(run: Any, filled: Path) -> None:
    assert json.loads(run("list", "--json").stdout)["count"] == 2
    document = json.loads(run("list", "--field", "geometry", "--json").stdout)
    assert [item["slug"] for item in document["templates"]] == ["similar-triangles"]
    assert [group["field"] for group in json.loads(run("list", "--by", "topic", "--json").stdout)["groups"]] == [
        "algebra",
        "geometry",
    ]
    assert "algebra / polynomials (1)\n  complete-the-square" in run("list", "--by", "topic").stdout
    assert json.loads(run("list", "--status", "draft", "--json").stdout)["templates"] == []
    assert json.loads(run("list", "--tag", "ROOTS", "--json").stdout)["count"] == 2


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["list", "--field", "algebr"], "did you mean algebra"),
        (["list", "--topic", "polynomial"], "did you mean polynomials"),
        (["list", "--tag", "rots"], "did you mean roots"),
        (["search", "x", "--tag", "zzzzzz"], "there are: "),
        (["search", " "], "is empty"),
        (["add", "--name", "x"], "--description, --step"),
        (["add", "--name", "x", "--description", "d", "--step", "s", "--example-problem", "p"], "--example-answer"),
        (["add", "--name", "x", "--from", "y.yaml"], "not by both"),
    ],
)
def test_what_can_not_be_meant_is_a_usage_error(run: Any, filled: Path, arguments: list[str], hint: str) -> None:
    result = run(*arguments, code=2)
    assert hint in result.stderr
    assert result.stdout == ""


def test_mistyped_options_are_no_query(run: Any, filled: Path) -> None:
    assert "--json" in run("search", "--jsno", code=2).stderr
    assert "--json" in run("show", "x", "--jsno", code=2).stderr


def test_show_by_slug_and_name(run: Any, filled: Path) -> None:
    page = run("show", "COMPLETE the square").stdout
    for part in ("complete-the-square", "  1. Set up.", "Problem   Shown problem", "Answer    007", "print(7)"):
        assert part in page
    document = json.loads(run("show", "complete-the-square", "--json").stdout)
    assert document["examples"][1]["answer"] == "007"
    assert "did you mean complete-the-square" in run("show", "complete-the-sqare", code=1).stderr


def test_shown_json_can_be_imported(run: Any, filled: Path, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(run("show", "complete-the-square", "--json").stdout, encoding="utf-8")
    assert json.loads(run("import", str(file), "--json").stdout)["unchanged"] == 1
    run("init", "--empty", "--library", "other")
    assert json.loads(run("import", str(file), "--library", "other", "--json").stdout)["added"] == 1
    first, second = (
        json.loads(run("show", "complete-the-square", "--json", "--library", name).stdout)
        for name in ("default", "other")
    )
    assert first["content_hash"] == second["content_hash"]


def test_search_ranks_and_reads_stdin(run: Any, filled: Path) -> None:
    hits = json.loads(run("search", "Complete the square; algebra, roots", "-k", "1", "--json").stdout)["hits"]
    assert hits == [
        {
            "slug": "complete-the-square",
            "name": "Complete the square",
            "rank": 1,
            "score": 1.0,
            "matched": "name",
            "good": True,
        }
    ]
    assert run("search", "-", "-k", "1", "--json", input="Similar triangles").stdout.count("similar-triangles") == 1
    assert json.loads(run("search", "similar", "--field", "geometry", "--json").stdout)["hits"][0]["rank"] == 1


@pytest.mark.parametrize("text", ["-5", "-x^2 + 4 = 0, find x", r"-\frac{1}{2}", "--- dashes"])
def test_values_may_begin_with_a_dash(run: Any, filled: Path, text: str) -> None:
    assert json.loads(run("search", text, "--json", code=None).stdout)["query"] == text
    assert json.loads(run("search", "--json", "--", text, code=None).stdout)["query"] == text
    run(
        "add",
        "--name",
        text,
        "--description",
        text,
        "--step",
        text,
        "--example-problem",
        text,
        "--example-answer",
        text,
    )
    document = json.loads(run("show", text, "--json").stdout)
    assert (document["name"], document["steps"], document["examples"][0]["answer"]) == (text, [text], text)
    assert "already has a template" in run("add", f"--name={text}", "--description=d", "--step=-1", code=1).stderr


@pytest.mark.parametrize("text", BRACKETS)
def test_square_brackets_stay(run: Any, filled: Path, text: str) -> None:
    run("add", "--name", text, "--description", text, "--step", text, "--tag", text, "--example-problem", text,
        "--example-answer", text)  # fmt: skip
    assert run("show", text).stdout.count(text) == 6
    assert text in run("search", text).stdout
    assert text in run("show", f"missing {text}", code=1).stderr
    assert f'"{text}"' in run("show", text, "--json").stdout


def test_terminal_sequences_in_data_are_not_sent(run: Any, filled: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    record = {"name": "Red", "description": "a\x1b[31mb\x1b]0;title\x07c", "steps": ["\u202es"]}
    file.write_text(json.dumps(record), encoding="utf-8")
    run("import", str(file))
    page = run("show", "Red").stdout
    assert "abc" in page
    assert "\x1b" not in page
    assert json.loads(run("show", "Red", "--json").stdout)["description"] == record["description"]


def test_import_reports_each_bad_record_and_goes_on(run: Any, filled: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(
        "- {name: A, description: D, steps: [S]}\n- {name: a, description: E, steps: [S]}\n", encoding="utf-8"
    )
    bad.write_bytes(b"name: caf\xe9\n")
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"name": "B", "description": "D", "steps": ["S"]}\n{"name": "C"}\n', encoding="utf-8")
    files = [str(file) for file in (bad, good, lines, tmp_path / "none.json")]
    dry = json.loads(run("import", *files, "--dry-run", "--json", code=1).stdout)
    document = json.loads(run("import", *files, "--json", code=1).stdout)
    assert (document["added"], document["updated"], document["unchanged"]) == (2, 0, 0)
    assert [refusal["location"] for refusal in document["refused"]] == [
        str(bad),
        f"{good}:2",
        f"{lines}:2",
        str(tmp_path / "none.json"),
    ]
    assert sorted(dry) == sorted(document)
    assert (dry["added"], dry["refused"]) == (2, document["refused"])
    result = run("import", *files, code=1)
    assert "0 added, 0 updated, 2 unchanged, 4 refused" in result.stdout
    for part in (
        "byte 0xE9 at position 9",
        f"{lines}:2: description is missing",
        f'{good}:2: "a" is the name of the template at {good}:1 too',
        "none.json can't be read",
    ):
        assert part in result.stderr


def test_import_updates_and_drafts(run: Any, filled: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(
        "name: complete the SQUARE\ndescription: New\nsteps: [S]\n---\nname: N\ndescription: D\nsteps: [S]\n"
    )
    dry = json.loads(run("import", str(file), "--update", "--draft", "--dry-run", "--json").stdout)
    assert (dry["added"], dry["updated"]) == (1, 1)
    assert json.loads(run("show", "complete-the-square", "--json").stdout)["description"] != "New"
    assert "1 added, 1 updated" in run("import", str(file), "--update", "--draft").stdout
    document = json.loads(run("show", "complete-the-square", "--json").stdout)
    assert (document["name"], document["description"], document["status"]) == ("complete the SQUARE", "New", "active")
    assert json.loads(run("show", "N", "--json").stdout)["status"] == "draft"


def test_add_from_a_file_takes_one(run: Any, filled: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text("name: One\ndescription: D\nsteps: [S]\n")
    assert json.loads(run("add", "--from", str(file), "--draft", "--json").stdout)["status"] == "draft"
    file.write_text("- {name: Two, description: D, steps: [S]}\n- {name: Three, description: D, steps: [S]}\n")
    assert "library import" in run("add", "--from", str(file), code=2).stderr
    file.write_text("name: One\nsteps: [S]\n")
    assert f"{file}:1: description is missing" in run("add", "--from", str(file), code=1).stderr


def test_another_embedder_is_refused_until_reindexed(run: Any, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = HashingEmbedder(24, "wide")
    monkeypatch.setattr(assemble_library, "load_embedder", lambda weights_dir, quiet=False: other)
    result = run("search", "x", code=1)
    for part in ("hashing;dim=16 (16 dimensions)", "wide;dim=24 (24 dimensions)", "reasonflux library reindex"):
        assert part in result.stderr
    assert json.loads(run("reindex", "--json").stdout)["embedded"] == 6
    assert run("search", "complete").stdout


_CLI = """
import sys, typer
from reasonflux.commands import assemble_library, console, library
from tests.library.hashing_embedder import HashingEmbedder
assemble_library.load_embedder = lambda weights_dir, quiet=False: HashingEmbedder()
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
library.app.rich_markup_mode = None
app.add_typer(library.app, name="library")
console.safe_streams()
app()
"""


@pytest.mark.parametrize(
    "setting", [{"PYTHONIOENCODING": "cp1252"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}]
)
def test_any_stream_encoding_will_do(filled: Path, setting: dict[str, str]) -> None:
    name = "∑ x≤3 → ✓ 数列"
    with Library.open(filled) as store:
        store.add(template(name, description=name), embedder=HashingEmbedder(), who="me")

    def run(*arguments: str) -> "subprocess.CompletedProcess[bytes]":
        done = subprocess.run(
            [sys.executable, "-c", _CLI, "library", *arguments],
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONCOERCECLOCALE": "0", **setting},
        )
        assert b"Traceback" not in done.stderr
        return done

    assert run("show", name).returncode == 0
    hits = json.loads(run("search", f"{name}; algebra, roots", "--json").stdout.decode("utf-8"))
    assert hits["hits"][0]["name"] == name
    missing = run("show", "数 missing")
    assert missing.returncode == 1
    assert missing.stderr.startswith(b"Error: No template")


def test_the_commands_load_nothing_heavy() -> None:
    check = (
        "import sys, reasonflux.commands.library; "
        "print(sorted({'pydantic', 'sqlalchemy', 'sqlmodel', 'torch', 'faiss', 'numpy', 'yaml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.weights
def test_the_seed_content_is_found_by_a_problem(embedder_path: Path, tmp_path: Path) -> None:
    from library.embedding import SentenceTransformerEmbedder
    from library.search import TemplateSearch
    from library.seeding import fill

    embedder = SentenceTransformerEmbedder(embedder_path, name="all-minilm-l6-v2")
    with Library.open(tmp_path / "seed.db", create=True) as store:
        assert fill(store, embedder, who="me") == store.count() >= 40
        finder = TemplateSearch(store, embedder)
        hits = finder.search("Find the remainder when 7^100 is divided by 13.", 3)
        assert hits[0].score > hits[1].score > 0
        assert "number-theory" in {finder.get(hit.slug).field for hit in hits}
        for stored in store.list():
            assert finder.by_reference(stored.template.name.upper(), stored.template.tags, 1)[0].slug == stored.slug
        first, *rest = stored.template.steps
        assert finder.search(first, 1)[0].rank == 1
        assert rest


def test_the_library_of_the_settings_file_is_the_one_that_commands_read(run: Any, throw_away_home: Path) -> None:
    run("init", "--empty", "--library", "sql")
    (throw_away_home / "reasonflux.toml").write_text('[solve]\nlibrary = "sql"\n', encoding="utf-8")
    assert json.loads(run("stats", "--json").stdout)["library"].endswith("sql.db")
    (throw_away_home / "reasonflux.toml").write_text("[solve]\nlibrary = 7\n", encoding="utf-8")
    assert "Setting library in [solve]" in run("stats", code=2).stderr


def test_a_missing_library_is_made_by_the_command_that_the_error_names(run: Any) -> None:
    said = run("stats", "--library", "sql", code=1).stderr
    named = said[said.index("library init") :].split("`")[0].split()
    run(*named[1:], "--empty")
    assert json.loads(run("stats", "--library", "sql", "--json").stdout)["templates"] == 0
