"""`reasonflux library lint`, `verify` and `dedupe`: on stdout, as JSON, by exit code, and what they refuse."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from library.protocols import ProgramOutput
from library.store import Library
from library.template import Example
from reasonflux import verification
from reasonflux.commands import library
from reasonflux.errors import SandboxUnavailable
from tests.library.hashing_embedder import HashingEmbedder, template

SOUND = """
- name: Halve a number by sharing it out
  tags: [halves, sharing]
  field: arithmetic
  description: Sharing a number out to two equal heaps leaves half of it in each, with nothing over if it is even.
  scope: For halves of whole numbers, not for fractions of other sizes.
  steps: [Take the number to be halved., Put its units on two heaps in turn., Count the units of one heap.]
  examples:
    - problem: How much is half of fourteen?
      answer: "7"
      solution: Each heap has seven units.
      program: "heap = 14 // 2\\nprint('answer =', heap)"
      check: print(sum(1 for unit in range(14) if unit % 2))
    - {role: probe, problem: What does one of two friends get of six sweets?, answer: "3", check: print(6 - 6 // 2)}
"""


pytestmark = pytest.mark.usefixtures("without_weights")


@pytest.fixture
def run(run_library: Any) -> Any:
    return run_library


@pytest.fixture
def filled(throw_away_home: Path) -> Path:
    path = throw_away_home / "libraries" / "default.db"
    with Library.open(path, create=True) as store:
        for name, field in (("Solve a thing", "algebra"), ("Solve the thing", "geometry")):
            store.add(template(name, field=field), embedder=HashingEmbedder(), who="me")
        draft = template("[bold] draft [/]", field="logic", status="draft", tags=("a", "b"))
        store.add(draft, embedder=HashingEmbedder(), who="me")
    return path


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    path = tmp_path / "sound.yaml"
    path.write_text(SOUND, encoding="utf-8")
    return path


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run programs in this process, and keep what ran."""
    import io
    from functools import partial

    ran: list[str] = []

    def run_here(runner: object, source: str) -> ProgramOutput:
        ran.append(source)
        out = io.StringIO()
        exec(source, {"print": partial(print, file=out)})
        return ProgramOutput(True, out.getvalue())

    monkeypatch.setattr(verification.SandboxRunner, "run", run_here)
    return ran


def test_lint_reports_findings_and_fails(run: Any, filled: Path) -> None:
    result = run("lint", code=1)
    assert 'solve-a-thing: STP03 error: steps[1] "Set up." fits every method' in result.stdout
    assert "bold-draft: STP03 error" in result.stdout
    assert result.stdout.rstrip().endswith(f"({filled}).")
    document = json.loads(run("lint", "--field", "algebra", "--select", "STP,DES01", "--json", code=1).stdout)
    assert {row["template"] for row in document["findings"]} == {"solve-a-thing"}
    assert {row["code"] for row in document["findings"]} >= {"STP03", "DES01"}
    assert document["errors"] == len(document["findings"]) - document["warnings"]
    assert document["library"] == str(filled)


def test_lint_of_files(run: Any, sound: Path, tmp_path: Path) -> None:
    assert "1 templates: 0 errors, 0 warnings" in run("lint", str(sound), "--strict").stdout
    broken = tmp_path / "broken.yaml"
    broken.write_text(SOUND + "- name: Nothing else\n", encoding="utf-8")
    document = json.loads(run("lint", str(broken), "--json", code=1).stdout)
    assert document["templates"] == 1
    assert document["refused"][0]["location"].startswith(f"{broken}:")
    assert "(4 files)" in run("lint", *[str(sound)] * 4, code=None).stdout
    missing = run("lint", str(tmp_path / "none.yaml"), code=1)
    assert "none.yaml can't be read" in missing.stderr
    assert "leave them out with files" in run("lint", str(sound), "--status", "draft", code=2).stderr


def test_warnings_fail_when_lint_is_strict(run: Any, sound: Path, throw_away_home: Path) -> None:
    sound.write_text(SOUND.replace("[halves, sharing]", "[halves]"), encoding="utf-8")
    assert "0 errors, 1 warnings" in run("lint", str(sound)).stdout
    assert "TAG01 warning: tags are 1" in run("lint", str(sound), "--strict", code=1).stdout
    settings_file = throw_away_home / "reasonflux.toml"
    settings_file.write_text("[lint]\nstrict = true\n", encoding="utf-8")
    run("lint", str(sound), code=1)
    settings_file.write_text("[lint]\nstrict = true\nmin_tags = 1\n", encoding="utf-8")
    run("lint", str(sound))
    settings_file.write_text('[lint]\nstrict = true\nignore = ["TAG"]\n', encoding="utf-8")
    run("lint", str(sound))
    run("lint", str(sound), "--ignore", "STP", code=1)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("min_stps = 1", "Setting min_stps in [lint]"),
        ('max_steps = "8"', "Setting max_steps in [lint]"),
        ('select = ["XYZ"]', 'No lint rule has the code "XYZ"'),
        ('tags = "none.yaml"', "none.yaml can't be read"),
    ],
)
def test_lint_settings_that_can_not_be_used(
    run: Any, sound: Path, throw_away_home: Path, table: str, message: str
) -> None:
    (throw_away_home / "reasonflux.toml").write_text(f"[lint]\n{table}\n", encoding="utf-8")
    result = CliRunner().invoke(library.app, ["lint", str(sound)])
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert result.stdout == ""


def test_lint_with_a_vocabulary(run: Any, sound: Path, throw_away_home: Path) -> None:
    tags = throw_away_home / "tags.yaml"
    tags.write_text("halves: Two equal parts.\nsharings: Heaps.\n", encoding="utf-8")
    result = run("lint", str(sound), "--tags", str(tags), code=1)
    assert 'TAG04 error: tags[2] "sharing" is not in the vocabulary; did you mean "sharings"?' in result.stdout
    (throw_away_home / "reasonflux.toml").write_text('[lint]\ntags = "tags.yaml"\n', encoding="utf-8")
    assert "TAG04" in run("lint", str(sound), code=1).stdout


def test_the_rules_can_be_listed(run: Any) -> None:
    assert "STP03  error    A step is filler that fits every method." in run("lint", "--list-rules").stdout
    rules = json.loads(run("lint", "--list-rules", "--json").stdout)["rules"]
    assert {"code": "TAG02", "severity": "warning", "summary": "A tag has capital letters."} in rules


def test_verify_says_what_was_printed_and_expected(run: Any, sound: Path, counted: list[str]) -> None:
    assert "3 programs of 1 templates: 3 right" in run("verify", str(sound)).stdout
    sound.write_text(SOUND.replace("print(6 - 6 // 2)", "\"print('[b]', 5)\""), encoding="utf-8")
    result = run("verify", str(sound), "--jobs", "1", code=1)
    assert 'halve-a-number-by-sharing-it-out: example 2, check is wrong: it printed "[b] 5", the answer is "3"' in (
        result.stdout
    )
    document = json.loads(run("verify", str(sound), "--json", code=1).stdout)
    assert (document["programs"], document["right"], document["wrong"]) == (3, 2, 1)
    (wrong,) = (row for row in document["results"] if row["outcome"] != "right")
    assert (wrong["example"], wrong["part"], wrong["expected"]) == (2, "check", "3")


def test_verify_runs_again_each_time_and_only_what_is_asked_for(run: Any, filled: Path, counted: list[str]) -> None:
    run("verify", "--jobs", "1")
    first = len(counted)
    run("verify", "--jobs", "1")
    assert len(counted) == 2 * first == 12
    document = json.loads(run("verify", "--template", "Solve the thing", "--json").stdout)
    assert {row["template"] for row in document["results"]} == {"solve-the-thing"}
    assert document["examples_without"] == 1
    assert json.loads(run("verify", "--field", "logic", "--json").stdout)["programs"] == 2
    assert json.loads(run("verify", "--status", "retired", "--json").stdout)["programs"] == 0
    assert "did you mean" in run("verify", "--template", "solve-that-thing", code=1).stderr
    assert "did you mean algebra" in run("verify", "--field", "algebr", code=2).stderr


def test_verify_without_a_sandbox_is_one_error(run: Any, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(runner: object, source: str) -> ProgramOutput:
        raise SandboxUnavailable("Programs can't be run safely here: no Landlock.")

    monkeypatch.setattr(verification.SandboxRunner, "run", refuse)
    result = run("verify", code=1)
    assert result.stdout == ""
    assert result.stderr.count("Error:") == 1
    assert "no Landlock" in result.stderr


def test_verify_runs_in_the_sandbox(run: Any, sound: Path) -> None:
    sound.write_text(SOUND.replace("print(6 - 6 // 2)", "import os; print(os.listdir('/etc'))"), encoding="utf-8")
    result = run("verify", str(sound), code=1)
    assert "2 right, 1 failed" in result.stdout
    assert "PermissionError" in result.stdout


def test_dedupe_finds_and_merges(run: Any, filled: Path) -> None:
    with Library.open(filled) as store:
        twin = template("Solve a thing again", tags=("algebra", "twins"), description="Describes Solve a thing.")
        extra = Example(problem="Another one", answer="1")
        store.add(twin.model_copy(update={"examples": (extra,)}), embedder=HashingEmbedder(), who="me")
    document = json.loads(run("dedupe", "solve-a-thing", "--min-vectors", "0.5", "--json").stdout)
    (group,) = document["groups"]
    assert "solve-a-thing" in {group["keep"], *group["others"]}
    assert "To merge: reasonflux library dedupe --merge" in run("dedupe", "--min-vectors", "0.5").stdout
    dry = run("dedupe", "--merge", "solve-a-thing", "Solve a thing again", "--dry-run").stdout
    assert dry.startswith("Dry run, nothing was changed: solve-a-thing takes over 1 examples and the tags twins")
    done = json.loads(run("dedupe", "--merge", "solve-a-thing", "solve-a-thing-again", "--json").stdout)
    assert (done["kept"], done["retired"], done["tags"]) == ("solve-a-thing", ["solve-a-thing-again"], ["twins"])
    with Library.open(filled) as store:
        assert store.get("solve-a-thing-again").template.status == "retired"
        assert "twins" in store.get("solve-a-thing").template.tags


def test_dedupe_refuses_what_can_not_be_meant(run: Any, filled: Path) -> None:
    assert "at least one other" in run("dedupe", "--merge", "solve-a-thing", code=2).stderr
    assert "--dry-run is for --merge" in run("dedupe", "--dry-run", code=2).stderr
    assert "No template has" in run("dedupe", "--merge", "solve-a-thing", "nothing", code=1).stderr
    run("dedupe", "--min-vectors", "0", code=2)


def test_a_library_for_sql_from_empty_to_found(run: Any, tmp_path: Path) -> None:
    import yaml

    content = Path(__file__).parents[1] / "data" / "sql_library.yaml"
    run("init", "--empty", "--library", "sql")
    records = yaml.safe_load(content.read_text(encoding="utf-8"))
    assert len(records) == 12
    for number, record in enumerate(records):
        one = tmp_path / f"{number}.yaml"
        one.write_text(yaml.safe_dump(record, allow_unicode=True), encoding="utf-8")
        run("add", "--from", str(one), "--library", "sql")
    assert "12 templates: 0 errors, 0 warnings" in run("lint", "--strict", "--library", "sql").stdout
    document = json.loads(run("verify", "--library", "sql", "--json").stdout)
    assert (document["templates"], document["programs"], document["right"]) == (12, 36, 36)
    query = "Walk a hierarchy with a recursive query; recursion, hierarchies, common-table-expressions"
    hits = json.loads(run("search", query, "-k", "1", "--mode", "bm25", "--library", "sql", "--json").stdout)["hits"]
    assert hits[0]["slug"] == "walk-a-hierarchy-with-a-recursive-query"
    shared = tmp_path / "sql.yaml"
    assert "12 templates" in run("export", str(shared), "--library", "sql").stdout
    run("init", "--empty", "--library", "copy")
    assert "12 added, 0 updated, 0 unchanged, 0 refused" in run("import", str(shared), "--library", "copy").stdout
    exported = [run("export", "-", "--format", "jsonl", "--library", name).stdout for name in ("sql", "copy")]
    assert exported[0] == exported[1]
    assert len(exported[0].splitlines()) == 12
