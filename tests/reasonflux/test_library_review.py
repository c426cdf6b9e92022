"""`reasonflux library review`: one key a draft on a terminal, options and JSON off it, each decision a change."""

import json
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import pytest
from typer.testing import CliRunner, Result

import cli
from library.curation import edit as edit_template
from library.store import Library
from reasonflux.commands import assemble_library, console
from tests.library.hashing_embedder import HashingEmbedder, template

SOURCE = "distilled from w.jsonl, records a, b; trial: solved 2 of 3 with it, 1 without; model m; seed 0; group g"
FIRST, SECOND, THIRD = "add-the-parts", "halve-the-whole", "square-the-rest"


@pytest.fixture(autouse=True)
def without_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble_library, "load_embedder", lambda weights_dir, quiet=False: HashingEmbedder(64))


@pytest.fixture
def filled(throw_away_home: Path) -> Path:
    path = throw_away_home / "libraries" / "default.db"
    with Library.open(path, create=True) as store:
        drafts = (("Add the parts", SOURCE), ("Halve the whole", ""), ("Square the rest", "\x1b[31m[bold]"))
        for name, source in drafts:
            draft = template(name, status="draft", source=source, description=f"Shows how to {name} in a few words.")
            store.add(draft, embedder=HashingEmbedder(64), who="me")
        store.add(template("Complete the square"), embedder=HashingEmbedder(64), who="me")
    return path


@pytest.fixture
def press(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sit a person in front of the command who presses these keys, and then Ctrl-D."""

    def sit(keys: Iterable[str]) -> None:
        waiting = iter(keys)
        monkeypatch.setattr(console, "is_terminal", lambda: True)
        monkeypatch.setattr(click, "getchar", lambda: next(waiting, "\x04"))

    return sit


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli.app, ["library", *arguments])
    assert result.exit_code == code, (result.stdout, result.stderr)
    assert "Traceback" not in result.output
    return result


def status(path: Path) -> dict[str, str]:
    with Library.open(path) as store:
        return {stored.slug: stored.template.status for stored in store.list(status=None)}


def test_one_key_each(filled: Path, press: Any) -> None:
    press("xaRs")
    shown = run("review").stdout
    kept = status(filled)
    assert (kept[FIRST], kept[SECOND], kept[THIRD]) == ("active", "retired", "draft")
    for part in (
        "Draft 1 of 3",
        SOURCE[:40],
        "Trial    solved 2 of 3 with it, 1 without",
        "Trial    none: it was not distilled",
        "Lint ",
        'Nearest  "',
        "Accepted: add-the-parts",
        "Retired: halve-the-whole",
        "That was the last draft.",
    ):
        assert part in shown
    assert "\x1b" not in shown
    assert "[bold]" in shown
    with Library.open(filled) as store:
        second, first = store.history(limit=2)
    assert [(entry.action, entry.slug) for entry in (second, first)] == [("reject", SECOND), ("accept", FIRST)]
    run("undo", str(first.change))
    assert (status(filled)[FIRST], status(filled)[SECOND]) == ("draft", "retired")
    run("undo", str(second.change))
    assert status(filled)[SECOND] == "draft"


@pytest.mark.parametrize("keys", ["q", "\x04", "\x1b", ""])
def test_quitting_leaves_the_rest_as_it_is(keys: str, filled: Path, press: Any) -> None:
    press(["a", *([keys] if keys else [])])
    run("review")
    assert sorted(status(filled).values()) == ["active", "active", "draft", "draft"]


def test_an_edited_draft_is_shown_again_before_the_decision(
    filled: Path, press: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\nfile = pathlib.Path(sys.argv[-1])\n"
        "text = file.read_text(encoding='utf-8').replace('When it fits.', 'For wholes of some parts.')\n"
        "file.write_text(text, encoding='utf-8')\n",
        encoding="utf-8",
    )
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}")
    press("eaq")
    shown = run("review").stdout
    assert shown.count("Draft 1 of 3") == 2
    assert "For wholes of some parts." in shown
    with Library.open(filled) as store:
        assert store.get(FIRST).template.scope == "For wholes of some parts."
    assert status(filled)[FIRST] == "active"
    monkeypatch.setenv("EDITOR", "no-such-editor")
    press("esq")
    broken = run("review")
    assert "can't be started" in broken.stderr
    assert status(filled)[SECOND] == "draft"


def test_what_another_process_did_meanwhile_stands(filled: Path, press: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    press([])

    def accepted_elsewhere() -> str:
        monkeypatch.setattr(click, "getchar", lambda: "q")
        with Library.open(filled) as store:
            retired = {"status": "retired"}
            edit_template(
                store, FIRST, lambda t: t.model_copy(update=retired), embedder=lambda: HashingEmbedder(64), who="other"
            )
        return "a"

    monkeypatch.setattr(click, "getchar", accepted_elsewhere)
    assert "no draft any more" in run("review").stderr
    assert status(filled)[FIRST] == "retired"


def test_decisions_off_a_terminal(filled: Path) -> None:
    assert "Off a terminal" in run("review", code=2).stderr
    assert "would accept" in run("review", "--accept", FIRST, "--dry-run").stdout.lower()
    assert status(filled)[FIRST] == "draft"
    report = json.loads(run("review", "--accept", "ADD the parts", "--reject", SECOND, "--json").stdout)
    assert report["decisions"] == [
        {"slug": FIRST, "decision": "accept"},
        {"slug": SECOND, "decision": "reject"},
    ]
    assert report["drafts"] == 1
    assert "Accepted: square-the-rest" in run("review", "--all").stdout
    assert "There are no drafts" in run("review", "--all").stdout
    assert status(filled)[THIRD] == "active"


def test_a_rejected_draft_can_be_deleted_and_brought_back(filled: Path) -> None:
    assert "Deleted: add-the-parts" in run("review", "--reject", FIRST, "--purge").stdout
    assert FIRST not in status(filled)
    run("undo")
    assert status(filled)[FIRST] == "draft"


def test_decisions_that_can_not_be_meant_change_nothing(filled: Path) -> None:
    assert "not a draft" in run("review", "--accept", FIRST, "--reject", "complete-the-square", code=2).stderr
    assert "both accepted and rejected" in run("review", "--accept", FIRST, "--reject", FIRST, code=2).stderr
    assert "no-such" in run("review", "--accept", FIRST, "--accept", "no-such", code=1).stderr
    assert "--dry-run goes with" in run("review", "--dry-run", "--json", code=2).stderr
    assert set(status(filled).values()) == {"draft", "active"}
    assert status(filled)[FIRST] == "draft"


def test_the_drafts_as_json(filled: Path) -> None:
    drafts = json.loads(run("review", "--json").stdout)["drafts"]
    assert [draft["slug"] for draft in drafts] == [FIRST, SECOND, THIRD]
    assert drafts[0]["trial"] == {"tried": 3, "with_template": 2, "without": 1}
    assert drafts[1]["trial"] is None
    assert drafts[0]["nearest"]["slug"] in (SECOND, THIRD)
    assert {"code", "severity", "where", "message"} <= set(drafts[0]["findings"][0])
