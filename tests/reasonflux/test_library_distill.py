"""`reasonflux library distill`: drafts, rejections, merge offers, and what a kill, an error or a budget leaves."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cli
from library.reading import HistoryEntry
from library.store import Library
from library.template import Template
from reasonflux.commands import assemble_library
from tests.library.hashing_embedder import HashingEmbedder, template
from tests.reasonflux.worked import answers, problem, put, reply

ROOT = Path(__file__).resolve().parents[2]
APPLES = [problem("apples", n) for n in (3, 14, 25, 36)]
TRAINS = [problem("trains", n) for n in (4, 15, 26, 37)]


@pytest.fixture(autouse=True)
def without_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assemble_library, "load_embedder", lambda weights_dir, quiet=False: HashingEmbedder(64))


@pytest.fixture
def filled(throw_away_home: Path) -> Path:
    path = throw_away_home / "libraries" / "default.db"
    with Library.open(path, create=True) as store:
        store.add(template("Complete the square"), embedder=HashingEmbedder(64), who="me")
    return path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return put(tmp_path / "worked.jsonl", [*APPLES, *TRAINS])


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state.jsonl"


@pytest.fixture
def model(tmp_path: Path, source: Path, filled: Path) -> Any:
    """Write a recording: a reply for each kind, and for each kind what comes of its trial problems."""

    def record(*replies: Any, name: str = "model.json") -> str:
        path = tmp_path / name
        path.write_text(json.dumps([entry for reply in replies for entry in reply]), encoding="utf-8")
        return f"scripted:{path}"

    return record


def written(kind: str, *replies: Any) -> list[dict[str, Any]]:
    """Return the replies to the calls that ask for a template for a kind."""
    mark = "ripe red apples" if kind == "apples" else "express train"
    chosen = replies or (reply(kind),)
    return [
        {"stage": "distill", "match": mark} | ({"text": each} if isinstance(each, str) else {"json": each})
        for each in chosen
    ]


def solved(records: list[dict[str, Any]], without: Any, with_it: Any) -> list[dict[str, Any]]:
    return [entry for record in records for entry in answers(record, without, with_it)]


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli.app, ["library", *arguments])
    assert result.exit_code == code, (result.stdout, result.stderr)
    assert "Traceback" not in result.output
    return result


def distill(source: Path, model: str, state: Path, *arguments: str, code: int = 0) -> Result:
    given = ["--from", str(source), "--model", model, "--out", str(state), "--no-tools", *arguments]
    return run("distill", *given, code=code)


def drafts(path: Path) -> list[Template]:
    with Library.open(path) as store:
        return [stored.template for stored in store.list(status="draft")]


def additions(path: Path) -> list[HistoryEntry]:
    with Library.open(path) as store:
        return [entry for entry in store.history() if entry.before is None and entry.slug != "complete-the-square"]


def test_a_template_that_helps_lands_as_a_draft_and_one_that_does_not_is_rejected(
    filled: Path, source: Path, state: Path, model: Any
) -> None:
    spec = model(written("apples"), solved(APPLES, False, True), written("trains"), solved(TRAINS, False, False))
    done = distill(source, spec, state, "--json", "--seed", "3", "--field", "prealgebra")
    report = json.loads(done.stdout)
    assert [row["name"] for row in report["accepted"]] == [reply("apples")["name"]]
    assert report["accepted"][0]["trial"] == {"tried": 2, "with_template": 2, "without": 0, "undecided": 0}
    assert report["rejected"] == {"tie": 1}
    assert report["rejections"][0]["detail"] == "solved 0 of 2 with it, 0 without"
    assert report["usage"]["calls"] == 10
    assert (report["problems"], report["groups"], report["ungrouped"]) == (8, 2, 0)
    assert "Group 1 of 2" in done.stderr
    (draft,) = drafts(filled)
    assert (draft.status, draft.field) == ("draft", "prealgebra")
    assert {example.problem for example in draft.examples} <= {record["problem"] for record in APPLES}
    assert draft.examples[0].answer in {record["answer"] for record in APPLES}
    for part in ("distilled from worked.jsonl, records apples/", "solved 2 of 2 with it, 0 without", "seed 3", "group"):
        assert part in draft.source
    assert len(draft.source) <= 1_000
    tried = {record for line in state.read_text().splitlines() for record in json.loads(line)["tried_on"]}
    made = {record for line in state.read_text().splitlines() for record in json.loads(line)["made_from"]}
    assert len(tried) == len(made) == 4
    assert not tried & made


def test_a_template_that_says_what_is_there_is_offered_for_a_merge(
    filled: Path, source: Path, state: Path, model: Any
) -> None:
    known = reply("apples", name="Count heaps at once")
    with Library.open(filled) as store:
        store.add(Template.model_validate(known), embedder=HashingEmbedder(64), who="me")
        store.add(Template.model_validate(reply("trains", status="retired")), embedder=HashingEmbedder(64), who="me")
    spec = model(written("apples"), written("trains"))
    told = distill(source, spec, state).stdout
    report = json.loads(distill(source, spec, state, "--resume", "--json").stdout)
    assert report["rejected"] == {"duplicate": 2}
    (offer,) = report["merge_offers"]
    assert (offer["into"], offer["template"]["name"]) == ("count-heaps-at-once", reply("apples")["name"])
    assert f'Merge offer: "{reply("apples")["name"]}" into count-heaps-at-once' in told
    assert any("(retired)" in row["detail"] for row in report["rejections"])
    assert drafts(filled) == []


def test_nothing_is_tried_with_the_template_where_everything_is_solved_without(
    filled: Path, source: Path, state: Path, model: Any
) -> None:
    spec = model(written("apples"), solved(APPLES, True, True), written("trains"), solved(TRAINS, True, False))
    report = json.loads(distill(source, spec, state, "--json").stdout)
    assert report["rejected"] == {"tie": 2}
    assert report["usage"]["calls"] == 6
    assert "all 2 solved without it" in report["rejections"][0]["detail"]


def test_ties_are_kept_on_request_and_losses_never(filled: Path, source: Path, state: Path, model: Any) -> None:
    spec = model(written("apples"), solved(APPLES, True, True), written("trains"), solved(TRAINS, True, False))
    report = json.loads(distill(source, spec, state, "--json", "--keep-ties").stdout)
    assert [row["name"] for row in report["accepted"]] == [reply("apples")["name"]]
    assert report["rejected"] == {"not better": 1}


HOSTILE = {
    "no object": "I would rather not.",
    "empty": "",
    "cut": '{"name": "Multiply equal',
    "a list": [1, 2],
    "deep": '{"name": ' * 200,
    "wrong types": reply("apples", steps="Multiply."),
    "numbers": reply("apples", name=7),
    "objects": reply("apples", tags=[{"tag": "x"}]),
    "huge": reply("apples", description="much " * 9_000),
    "many": reply("apples", steps=[f"Do the thing of number {n}." for n in range(900)]),
    "blank": reply("apples", scope="  "),
    "nul": reply("apples", scope="For totals \0 of heaps that hold the same."),
    "copied": reply("apples", description=APPLES[0]["problem"]),
    "instructions": reply("apples", scope="For which problems it fits, and for which it does not; steps: three to six"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_model_may_write_is_refused_with_a_reason(
    name: str, filled: Path, tmp_path: Path, state: Path, model: Any
) -> None:
    source = put(tmp_path / "apples.jsonl", APPLES)
    spec = model(written("apples", *[HOSTILE[name]] * 3))
    report = json.loads(distill(source, spec, state, "--json").stdout)
    if name == "copied":
        # The problem copied may be one of the other half, which the model never saw.
        assert sum(report["rejected"].values()) == 1
    else:
        assert report["rejected"] == {"unreadable": 1}
    (row,) = report["rejections"]
    assert 0 < len(row["detail"]) < 1_000
    assert report["usage"]["calls"] == 3
    assert drafts(filled) == []


def test_what_lints_badly_is_refused_with_its_codes_and_told_to_the_model(
    filled: Path, tmp_path: Path, state: Path, model: Any
) -> None:
    source = put(tmp_path / "apples.jsonl", APPLES)
    vague = reply("apples", steps=["Read the problem carefully.", "Find the $x of heaps.", "Check the answer."])
    spec = model(written("apples", vague, vague, vague))
    report = json.loads(distill(source, spec, state, "--json").stdout)
    assert report["rejected"] == {"lint": 1}
    assert "STP03" in report["rejections"][0]["detail"]
    (line,) = state.read_text(encoding="utf-8").splitlines()
    assert {finding["code"] for finding in json.loads(line)["findings"]} == {"STP03", "TXT01"}
    other = tmp_path / "second.jsonl"
    repaired = model(written("apples", vague, reply("apples")), solved(APPLES, False, True), name="repaired.json")
    assert json.loads(distill(source, repaired, other, "--json").stdout)["rejected"] == {}


def test_records_that_teach_nothing_are_counted_by_reason(
    filled: Path, tmp_path: Path, state: Path, model: Any
) -> None:
    again = APPLES[0] | {"id": "again", "problem": APPLES[0]["problem"].upper()}
    source = put(
        tmp_path / "mixed.jsonl",
        [
            *APPLES,
            again,
            "{not json",
            {"problem": "1+1?", "answer": "2"},
            {"problem": "1+2?", "solution": "Add."},
            {"question": "What is 1+3?", "answer": "Add: 1+3=<<1+3=4>>4\n#### 4"},
            {"problem": "What?", "solution": "So \\boxed{one two three )(}.", "answer": "one two three )("},
            {"problem": "x" * 5_000, "solution": "Add.", "answer": "2"},
            {"problem": "What is 1+4?", "solution": ["Add."], "answer": "5"},
        ],
    )
    report = json.loads(distill(source, model(), state, "--json", "--dry-run").stdout)
    assert report["skipped"] == {
        "seen before": 1, "unreadable": 2, "no solution": 2, "answer can't be graded": 1, "too long": 1,
    }  # fmt: skip
    assert (report["problems"], report["groups"], report["ungrouped"]) == (5, 1, 1)
    assert not state.exists()
    told = distill(source, model(), state, "--dry-run", "--limit", "4").stdout
    assert "4 worked problems in 1 groups" in told
    nothing = put(tmp_path / "nothing.jsonl", [{"problem": "1+1?", "answer": "2"}])
    assert "holds no worked problem (1 no solution)" in distill(nothing, model(), state, code=1).stderr
    assert "can't be read" in distill(tmp_path / "missing.jsonl", model(), state, code=1).stderr


def test_a_spent_budget_ends_the_run_with_its_report_and_a_larger_one_goes_on(
    filled: Path, source: Path, state: Path, model: Any
) -> None:
    everything = (
        written("apples"), solved(APPLES, False, True), written("trains"), solved(TRAINS, False, True),
    )  # fmt: skip
    spec = model(*everything)
    stopped = distill(source, spec, state, "--json", "--budget", "1000", code=1)
    report = json.loads(stopped.stdout)
    assert (report["finished"], report["accepted"]) == (False, [])
    assert "give a larger --budget" in stopped.stderr
    assert 0 < 1_000 - report["budget_left"] < 200
    assert drafts(filled) == []
    assert "add --resume" in distill(source, spec, state, code=2).stderr
    whole = json.loads(distill(source, spec, state, "--json", "--resume").stdout)
    assert (whole["finished"], len(whole["accepted"])) == (True, 2)
    # What the stopped run took is charged to the same budget.
    used = whole["usage"]["completion_tokens"]
    assert whole["budget"] - whole["budget_left"] == used + 1_000 - report["budget_left"]
    assert len(additions(filled)) == 2


def test_a_model_that_fails_is_an_error_and_the_finished_groups_stand(
    filled: Path, source: Path, state: Path, model: Any
) -> None:
    first, second = written("trains"), written("apples")
    spec = model(first, solved(TRAINS, False, True))
    failed = distill(source, spec, state, code=1)
    assert "no reply left" in failed.stderr
    assert "1 of 2 groups are done" in failed.stderr
    assert len(drafts(filled)) == 1
    spec = model(second, solved(APPLES, False, True))
    report = json.loads(distill(source, spec, state, "--resume", "--json").stdout)
    assert len(report["accepted"]) == 2
    assert len(additions(filled)) == 2


def test_a_resumed_run_wants_the_same_problems_and_settings(
    filled: Path, source: Path, state: Path, model: Any
) -> None:
    spec = model(written("apples"), written("trains"))
    distill(source, spec, state, code=1)
    assert "seed was 0 and is now 4" in distill(source, spec, state, "--resume", "--seed", "4", code=2).stderr
    put(source, APPLES)
    assert "problems was" in distill(source, spec, state, "--resume", code=2).stderr


def test_a_damaged_outcome_is_named(filled: Path, source: Path, state: Path, model: Any) -> None:
    spec = model(written("apples"), solved(APPLES, False, True), written("trains"), solved(TRAINS, False, True))
    distill(source, spec, state)
    lines = [json.loads(line) for line in state.read_text(encoding="utf-8").splitlines()]
    for harm in ({"template": {"name": 3}}, {"usage": 7}, {"template": None}):
        put(state, [lines[0] | harm, *lines[1:]])
        assert "group 1" in distill(source, spec, state, "--resume", code=1).stderr


def test_a_draft_that_a_person_decided_on_is_not_added_again(
    filled: Path, source: Path, state: Path, model: Any
) -> None:
    spec = model(written("apples"), solved(APPLES, False, True), written("trains"), solved(TRAINS, False, True))
    distill(source, spec, state)
    first, second = (draft.slug for draft in drafts(filled))
    run("review", "--reject", first, "--purge")
    run("edit", second, "--name", "Another name")
    distill(source, spec, state, "--resume")
    assert len(additions(filled)) == 2
    assert [draft.name for draft in drafts(filled)] == ["Another name"]


@pytest.mark.parametrize(("point", "after"), [("append", 0), ("land", 0), ("append", 1), ("land", 1)])
def test_a_run_killed_at_any_point_goes_on_and_adds_nothing_twice(
    point: str, after: int, filled: Path, source: Path, state: Path, model: Any
) -> None:
    spec = model(written("apples"), solved(APPLES, False, True), written("trains"), solved(TRAINS, False, True))
    command = [sys.executable, "-m", "tests.reasonflux.worked", "library", "distill", "--from", str(source)]
    command += ["--model", spec, "--out", str(state), "--no-tools"]
    environment = os.environ | {"KILL_AT": point, "KILL_AFTER": str(after)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == -signal.SIGKILL, done.stderr
    report = json.loads(distill(source, spec, state, "--resume", "--json").stdout)
    assert (len(report["accepted"]), report["finished"]) == (2, True)
    assert len(additions(filled)) == 2
    assert len(drafts(filled)) == 2
