"""`reasonflux library add, edit, rm, tags, history, undo, backup, stats, init --update` on the command line."""

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.store import Library
from library.template import Example, Template
from reasonflux.commands import assemble_library, console, library_import, template_form
from tests.library.hashing_embedder import HashingEmbedder, template


@pytest.fixture(autouse=True)
def curator(without_weights: HashingEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble_library, "user_name", lambda: "curator")
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)


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


@pytest.fixture
def edits_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make $EDITOR a program whose n-th start does the n-th of some Python statements on `text`, then keeps it."""

    def choose(*statements: str) -> Path:
        script, seen = tmp_path / "editor.py", tmp_path / "seen"
        seen.mkdir()
        script.write_text(
            "import pathlib, sys\n"
            "file = pathlib.Path(sys.argv[-1]); text = file.read_text(encoding='utf-8')\n"
            f"seen = pathlib.Path({str(seen)!r}); number = len(list(seen.iterdir()))\n"
            "(seen / f'{number}.yaml').write_text(text, encoding='utf-8')\n"
            f"statements = {list(statements)!r}\n"
            "exec(statements[number] if number < len(statements) else '')\n"
            "file.write_text(text, encoding='utf-8')\n",
            encoding="utf-8",
        )
        monkeypatch.setenv("EDITOR", f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}")
        return seen

    return choose


def get(path: Path, slug: str) -> Template:
    with Library.open(path) as store:
        return store.get(slug).template


def drafts(home: Path) -> list[Path]:
    return list((home / "drafts").glob("*"))


def test_edit_by_options(run: Any, filled: Path) -> None:
    arguments = (
        "edit", "complete-the-square", "--scope", "-x^2 fits", "--add-tag", "series", "--remove-tag", "ROOTS",
        "--add-step", "Say so.", "--set", "steps[2]=Solve [it]=now.", "--remove", "examples[1].program",
        "--append", "examples={problem: '1+1?', answer: 2}", "--status", "draft",
    )  # fmt: skip
    preview = run(*arguments, "--dry-run")
    assert "Would change complete-the-square" in preview.stdout
    assert get(filled, "complete-the-square").tags == ("algebra", "roots")
    shown = run(*arguments).stdout
    for line in (
        "  - scope: When it fits.",
        "  + scope: -x^2 fits",
        "  + steps[2]: Solve [it]=now.",
        "  + tags[2]: series",
    ):
        assert line in shown
    edited = get(filled, "complete-the-square")
    assert edited.tags == ("algebra", "series")
    assert edited.steps == ("Set up.", "Solve [it]=now.", "Check.", "Say so.")
    assert (edited.status, edited.examples[0].program, edited.examples[2].answer) == ("draft", None, "2")
    assert "nothing was changed" in run("edit", "complete-the-square", "--status", "draft").stdout


def test_edit_as_json_and_from_a_file(run: Any, filled: Path, tmp_path: Path) -> None:
    run("edit", "complete-the-square", "--status", "retired")
    file = tmp_path / "new.yaml"
    file.write_text("name: Squares\ndescription: Better.\nsteps: [One., Two.]\n", encoding="utf-8")
    document = json.loads(run("edit", "Complete the square", "--from", str(file), "--json").stdout)
    assert (document["slug"], document["name"], document["changed"]) == ("complete-the-square", "Squares", True)
    assert (document["status"], document["author"]) == ("retired", "A. N. Author")
    assert document["examples"] == []
    again = json.loads(run("edit", "squares", "--from", str(file), "--json").stdout)
    assert again["changed"] is False


@pytest.mark.parametrize(
    ("arguments", "code", "why"),
    [
        (["complete-the-square"], 2, "--set"),
        (["complete-the-square", "--set", "steps[2]"], 2, "PART=VALUE"),
        (["complete-the-square", "--set", "stesp=1"], 1, "there is no such part"),
        (["complete-the-square", "--name", "SIMILAR  triangles"], 1, 'named "Similar triangles"'),
        (["complete-the-square", "--name", "x", "--from", "y.yaml"], 2, "not by both"),
        (["complete-the-squar", "--name", "x"], 1, "did you mean complete-the-square"),
        (["complete-the-square", "--from", "none.yaml"], 1, "none.yaml can't be read"),
        (["complete-the-square", "--status", "gone"], 1, "status must be"),
    ],
)
def test_an_edit_that_can_not_be_is_said(run: Any, filled: Path, arguments: list[str], code: int, why: str) -> None:
    before = get(filled, "complete-the-square")
    result = run("edit", *arguments, code=code)
    assert why in result.stderr
    assert result.stdout == ""
    assert get(filled, "complete-the-square") == before


def test_an_editor_gets_the_form_until_it_is_right(
    run: Any, filled: Path, edits_with: Any, throw_away_home: Path
) -> None:
    seen = edits_with(
        "text = text.replace('- Solve.\\n', '- Solve it.\\n- \"\"\\n')",
        "text = text.replace('- \"\"\\n', '').replace('status: active', 'status: shiny')",
        "text = text.replace('status: shiny', 'status: draft').replace('name: Complete', 'name: Similar triangles #')",
        "text = text.replace('name: Similar triangles #', 'name: Complete')",
    )
    result = run("edit", "complete-the-square")
    forms = [path.read_text(encoding="utf-8") for path in sorted(seen.iterdir())]
    marks = [[line for line in form.splitlines() if line.startswith("#!")] for form in forms]
    assert marks[0] == []
    assert marks[1] == ["#! steps[3] is empty"]
    assert len(marks[2]) == len(marks[3]) == 1
    assert "status must be" in marks[2][0]
    assert 'named "Similar triangles"' in marks[3][0]
    assert forms[1].splitlines()[forms[1].splitlines().index(marks[1][0]) + 1] == '- ""'
    edited = get(filled, "complete-the-square")
    assert (edited.status, edited.steps[1]) == ("draft", "Solve it.")
    assert "+ steps[2]: Solve it." in result.stdout
    assert drafts(throw_away_home) == []


def test_a_form_left_as_it_was_changes_nothing(run: Any, filled: Path, edits_with: Any, throw_away_home: Path) -> None:
    edits_with("pass", "text = '# nothing\\n'")
    for _ in range(2):
        assert "nothing was changed" in run("edit", "complete-the-square").stdout
    assert drafts(throw_away_home) == []
    with Library.open(filled) as store:
        assert store.change_counter() == 2


@pytest.mark.parametrize(
    ("statements", "why"),
    [
        (["text = text.replace('steps:', 'stesp:')", "pass"], "still in it"),
        (["text = text + 'x'; file.write_text(text); sys.exit(3)"], "exit code 3"),
        (["text = 'name: [unclosed'", "pass"], "still in it"),
        (["file.write_bytes(b'name: \\xff'); sys.exit(0)"], "UTF-8"),
        (["text = text.replace('Solve.', 'Mine.'); import sqlite3; "
          "sqlite3.connect(DB).execute('BEGIN'); "
          "c = sqlite3.connect(DB, isolation_level=None); "
          "c.execute(\"UPDATE templates SET scope = 'theirs' WHERE slug = 'complete-the-square'\"); c.close()"],
         "changed by another process"),
    ],
)  # fmt: skip
def test_nothing_is_lost_when_an_edit_is_refused(
    run: Any, filled: Path, edits_with: Any, throw_away_home: Path, statements: list[str], why: str
) -> None:
    edits_with(*(statement.replace("DB", repr(str(filled))) for statement in statements))
    result = run("edit", "complete-the-square", code=1)
    assert why in result.stderr
    (draft,) = drafts(throw_away_home)
    assert f"Your text is kept in {draft}" in result.stderr
    assert get(filled, "complete-the-square").steps == ("Set up.", "Solve.", "Check.")


def test_the_kept_draft_can_be_read(run: Any, filled: Path, edits_with: Any, throw_away_home: Path) -> None:
    edits_with("text = text.replace('Solve.', 'Mine.').replace('status: active', 'status: nope')", "pass")
    run("edit", "complete-the-square", code=1)
    (draft,) = drafts(throw_away_home)
    draft.write_text(draft.read_text(encoding="utf-8").replace("nope", "draft"), encoding="utf-8")
    run("edit", "complete-the-square", "--from", str(draft))
    assert get(filled, "complete-the-square").steps[1] == "Mine."


@pytest.mark.parametrize("chosen", ["/no/such/editor", "'unclosed"])
def test_an_editor_that_is_none_is_said(
    run: Any, filled: Path, monkeypatch: pytest.MonkeyPatch, throw_away_home: Path, chosen: str
) -> None:
    monkeypatch.setenv("VISUAL", chosen)
    assert "editor" in run("edit", "complete-the-square", code=1).stderr.lower()
    assert drafts(throw_away_home) == []


def test_add_opens_the_form_on_a_terminal(
    run: Any, filled: Path, edits_with: Any, monkeypatch: pytest.MonkeyPatch, throw_away_home: Path
) -> None:
    monkeypatch.setattr(console, "is_terminal", lambda: True)
    seen = edits_with(
        "text = text.replace('name:\\n', 'name: New\\n').replace('description:\\n', 'description: D\\n')",
        "text = text.replace('\\n-\\n', '\\n- 007\\n')",
    )
    assert 'Added "New" as new.' in run("add", "--draft").stdout
    assert "#! steps[1] is empty" in (seen / "1.yaml").read_text(encoding="utf-8")
    added = get(filled, "new")
    assert (added.steps, added.status, added.field) == (("007",), "draft", "general")
    assert "nothing was added" in run("add", code=1).stderr
    assert drafts(throw_away_home) == []


def test_rm_retires_or_purges_and_undo_brings_back(run: Any, filled: Path) -> None:
    assert "Would be retired: complete-the-square" in run("rm", "complete-the-square", "--dry-run").stdout
    document = json.loads(run("rm", "complete-the-square", "similar-triangles", "--json").stdout)
    assert document["retired"] == ["complete-the-square", "similar-triangles"]
    assert document["change"] == 3
    assert json.loads(run("list", "--json").stdout)["count"] == 0
    assert "Retired already: similar-triangles" in run("rm", "similar-triangles").stdout
    assert "did you mean" in run("rm", "similar-triangle", "complete-the-square", "--purge", code=1).stderr
    purged = json.loads(run("rm", "similar-triangles", "--purge", "--json").stdout)
    assert (purged["purged"], purged["change"]) == (["similar-triangles"], 4)
    assert json.loads(run("undo", "--json").stdout)["restored"] == ["similar-triangles"]
    assert "stands" not in run("undo", "3").stdout
    assert json.loads(run("list", "--json").stdout)["count"] == 2
    refusal = run("undo", "1", code=0).stdout
    assert "removed: complete-the-square" in refusal


def test_undo_names_what_stands_in_the_way(run: Any, filled: Path) -> None:
    run("edit", "complete-the-square", "--scope", "other")
    result = run("undo", "1", code=1)
    assert "change 3 (edit by curator)" in result.stderr
    assert result.stdout == ""
    shown = run("undo", "--dry-run").stdout
    assert "Would undo change 3 (edit by curator" in shown
    assert "reverted: complete-the-square" in shown
    assert get(filled, "complete-the-square").scope == "other"
    assert "There is no change 99" in run("undo", "99", code=1).stderr


def test_an_import_is_undone_as_one(run: Any, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_import, "_BATCH", 64)
    file = tmp_path / "many.jsonl"
    lines = [template(f"T {number}", examples=()).model_dump_json() for number in range(150)]
    file.write_text("\n".join(lines), encoding="utf-8")
    run("import", str(file))
    assert "3-5 " in run("history", "--limit", "1").stdout
    assert len(json.loads(run("undo", "4", "--json").stdout)["removed"]) == 150
    assert json.loads(run("list", "--json").stdout)["count"] == 2
    run("undo")
    assert json.loads(run("list", "--json").stdout)["count"] == 152


def test_tags_are_counted_renamed_and_merged(run: Any, filled: Path) -> None:
    assert json.loads(run("tags", "--json").stdout)["tags"] == {"algebra": 2, "roots": 2}
    assert run("tags").stdout == "    2  algebra\n    2  roots\n"
    assert "similar-triangles" in run("tags", "--rename", "roots", "zeros", "--dry-run").stdout
    document = json.loads(run("tags", "--rename", "roots", "zeros", "--json").stdout)
    assert (document["change"], len(document["templates"])) == (3, 2)
    assert "--merge" in run("tags", "--rename", "zeros", "Algebra", code=1).stderr
    run("tags", "--merge", "zeros", "algebra", "--into", "Equations")
    assert json.loads(run("tags", "--json").stdout)["tags"] == {"Equations": 2}
    run("undo", "4")
    assert json.loads(run("tags", "--json").stdout)["tags"] == {"algebra": 2, "zeros": 2}


@pytest.mark.parametrize(
    "arguments",
    [
        ["x"],
        ["--rename", "a"],
        ["--merge", "a"],
        ["--rename", "a", "b", "--into", "c"],
        ["--dry-run"],
        ["--merge", "--into", "c"],
    ],
)
def test_tags_asked_for_wrongly_is_a_usage_error(run: Any, filled: Path, arguments: list[str]) -> None:
    result = run("tags", *arguments, code=2)
    assert "--" in result.stderr
    assert result.stdout == ""


def test_history_says_who_when_and_what(run: Any, filled: Path) -> None:
    run("edit", "complete-the-square", "--set", "steps[2]=Other [/] step.")
    shown = run("history", "complete-the-square").stdout
    assert shown.splitlines()[0].startswith("3  20")
    assert " UTC  curator  edit" in shown.splitlines()[0]
    assert "    - steps[2]: Solve.\n    + steps[2]: Other [/] step.\n" in shown
    assert "  + complete-the-square" in shown
    document = json.loads(run("history", "--json", "--limit", "1").stdout)
    (change,) = document["changes"]
    assert (change["change"], change["who"], change["action"]) == (3, "curator", "edit")
    assert change["templates"][0]["before"]["steps"][1] == "Solve."
    assert change["templates"][0]["after"]["steps"][1] == "Other [/] step."
    run("rm", "complete-the-square", "--purge")
    assert "  - complete-the-square" in run("history", "Complete the Square").stdout
    assert "did you mean" in run("history", "similar-triangle", code=1).stderr


def test_backup_and_stats(run: Any, filled: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    document = json.loads(run("backup", str(target), "--json").stdout)
    assert (document["templates"], document["change"], document["bytes"]) == (2, 2, target.stat().st_size)
    assert "--force" in run("backup", str(target), code=1).stderr
    assert "2 templates" in run("backup", str(target), "--force").stdout
    assert json.loads(run("list", "--library", str(target), "--json").stdout)["count"] == 2
    stats = json.loads(run("stats", "--json").stdout)
    assert {"active", "draft", "retired", "fields", "tags", "examples"} <= stats.keys()
    assert (stats["active"], stats["fields"], stats["examples"]["total"]) == (2, {"algebra": 1, "geometry": 1}, 4)
    shown = run("stats").stdout
    for part in ("2 active, 0 draft, 0 retired", "polynomials (1)", "Steps a template: 3 to 3", "never retrieved"):
        assert part in shown


def test_init_update_merges_the_seed(run: Any, throw_away_home: Path) -> None:
    assert "library init" in run("init", "--update", "--dry-run", code=1).stderr
    created = json.loads(run("init", "--update", "--json").stdout)
    assert created["created"] is True
    path = throw_away_home / "libraries" / "default.db"
    with Library.open(path) as store:
        edited, purged = (stored.slug for stored in store.list()[:2])
    run("edit", edited, "--scope", "mine")
    run("rm", purged, "--purge")
    document = json.loads(run("init", "--update", "--json").stdout)
    assert (document["added"], document["updated"], document["change"]) == ([], [], None)
    assert (len(document["kept"]), len(document["removed"])) == (1, 1)
    shown = run("init", "--update", "--dry-run").stdout
    assert "Kept, edited here: " in shown
    assert "Left out, removed here: " in shown
    assert get(path, edited).scope == "mine"
    for wrong in (["--update", "--empty"], ["--dry-run"], ["--update", "--seed", "cooking"]):
        run("init", *wrong, code=2)


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40).filter(
    lambda value: value.strip()
)


@settings(max_examples=150, deadline=None)
@given(
    st.builds(
        Template,
        name=words,
        tags=st.lists(words, max_size=3, unique_by=lambda tag: "".join(tag.split()).casefold()).map(tuple),
        description=words,
        scope=st.just("") | words,
        steps=st.lists(words, min_size=1, max_size=3).map(tuple),
        examples=st.lists(
            st.builds(Example, problem=words, answer=words, solution=words, program=st.none() | words), max_size=2
        ).map(tuple),
        field=words,
        topic=words,
        status=st.sampled_from(["draft", "active", "retired"]),
    )
)
def test_any_template_comes_back_from_its_form(
    tmp_path_factory: pytest.TempPathFactory, any_template: Template
) -> None:
    file = tmp_path_factory.mktemp("form") / "form.yaml"
    text = template_form.form_of(any_template, title=any_template.name, deed="store it")
    file.write_text(text, encoding="utf-8", newline="")
    assert template_form.read_form(file) == any_template
    for line in (1, text.count("\n")):
        assert template_form.unmarked(template_form.marked(text, template_form.Problem(line, "why"))) == text


def test_a_form_shows_programs_as_they_read() -> None:
    program = "import math\nfor x in range(3):\n    print(x)"
    text = template_form.form_of(
        template("T", examples=(Example(problem="p", answer="2", program=program),)), title="t", deed="d"
    )
    assert "  program: |-\n    import math\n    for x in range(3):\n        print(x)\n" in text
    assert os.linesep == "\n" or "\r" not in text
