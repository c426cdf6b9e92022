"""`reasonflux train eval`: what it asks of its models, leaves and tells, and that it goes on where it was."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cli
from library.store import Library
from library.template import Template
from reasonflux.commands import assemble_library
from tests.library.hashing_embedder import HashingEmbedder

PROBLEMS = [{"id": f"p{n}", "problem": f"What is {n}+8?", "answer": str(n + 8)} for n in range(3)]
POOL = [{"id": f"q{n}", "problem": f"What is {n}+80?", "answer": str(n + 80)} for n in range(2)]
CHOSEN = {"steps": [{"template": "Adding", "tags": ["a", "b"], "goal": "the sum"}]}
UNKNOWN = {"steps": [{"template": "Zebra quux", "tags": ["x", "y"], "goal": "the sum"}]}


@pytest.fixture
def bench(tmp_path: Path, throw_away_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a library, problems, and recordings of two planners and of a model that follows."""
    embedder = HashingEmbedder()
    monkeypatch.setattr(assemble_library, "load_embedder", lambda weights_dir, quiet=False: embedder)
    adding = Template(name="Adding", tags=("a", "b"), description="Adds.", scope="Sums.", steps=("Add.",))
    with Library.open(throw_away_home / "libraries" / "default.db", create=True) as store:
        store.add_many([adding], embedder=embedder, who="me")
    (tmp_path / "problems.jsonl").write_text("".join(json.dumps(item) + "\n" for item in PROBLEMS), "utf-8")
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps(item) + "\n" for item in POOL), "utf-8")
    good = [{"json": CHOSEN, "match": item["problem"]} for item in PROBLEMS]
    # Whatever is not valid is asked for again under the schema, and twice repaired.
    bad = [{"json": UNKNOWN, "match": item["problem"]} for item in PROBLEMS for _ in range(2)]
    follows = [
        {"text": rf"\boxed{{{number + 80 + wrong}}}", "match": f"What is {number}+80?"}
        for wrong in (0, 1)
        for number in range(2)
    ]
    for name, replies in {"good": good, "bad": bad, "follows": follows}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(replies), "utf-8")
    return tmp_path


def run(bench: Path, *more: str, code: int = 0) -> Result:
    result = CliRunner().invoke(
        cli.app,
        [
            "train", "eval", "--problems", str(bench / "problems.jsonl"), "--out", str(bench / "out"),
            "--planner", f"a=scripted:{bench / 'bad.json'}", "--planner", f"b=scripted:{bench / 'good.json'}",
            "--model", f"scripted:{bench / 'follows.json'}", "--planning", "open", "--pool", str(bench / "pool.jsonl"),
            "--follow-mode", "single", "-k", "2", "--set", "similar=problems", "--set", "follow_tools=false", *more,
        ],
    )  # fmt: skip
    assert result.exit_code == code, (result.stdout, result.stderr)
    assert "Traceback" not in result.output
    return result


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_planners_are_compared_on_the_same_similar_problems(bench: Path) -> None:
    document = json.loads(run(bench, "--score", "a/open", "--score", "b/open", "--json").stdout)
    first, second = document["entries"]
    assert (first["planner"], first["valid_plans"], second["valid_plans"]) == ("a", 0.0, 1.0)
    assert first["invalid"] == {"no template matches a step": 3}
    # The plan of the one matches nothing and is followed without a template; the other's is followed with its own.
    # Both are the same for all three problems, so that each is followed twice only.
    assert (first["reward"], second["reward"]) == (1.0, 0.0)
    (comparison,) = document["comparisons"]
    assert (comparison["first"], comparison["second"], comparison["problems"]) == ("a/open", "b/open", 3)
    assert comparison["interval"] == [-1.0, -1.0]
    rows = lines(bench / "out" / "rows.jsonl")
    assert len(rows) == 6
    assert all(len(row["outcomes"]) == 2 for row in rows)
    # No gold answer is in what an evaluation writes of plans.
    assert "answer" not in json.dumps(rows)
    assert json.loads((bench / "out" / "result.json").read_text("utf-8"))["problems"] == 3


def test_an_evaluation_goes_on_without_asking_again(bench: Path) -> None:
    first = run(bench, "--json").stdout
    assert "add --resume" in run(bench, code=2).stderr
    for name in ("good", "bad", "follows"):
        (bench / f"{name}.json").write_text("[]", "utf-8")
    assert run(bench, "--resume", "--json").stdout == first


def test_plans_alone_need_no_model(bench: Path) -> None:
    (bench / "follows.json").unlink()
    told = run(bench, "--set", "rewards=false")
    assert "b, open: 100.0 % of 3 plans valid" in told.stdout
    assert "reward" not in told.stdout


def test_planners_that_are_not_scored_are_judged_all_the_same(bench: Path) -> None:
    document = json.loads(run(bench, "--score", "b/open", "--json").stdout)
    assert [entry["reward"] for entry in document["entries"]] == [None, 1.0]
    assert document["comparisons"][0]["gain"] is None


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--planner", "a=x"), "name of its own"),
        (("--planner", "=x"), "NAME=SPEC"),
        (("--score", "a/closed"), "there are a/open, b/open"),
        (("--set", "unheard_of=1"), "unheard_of"),
    ],
)
def test_what_can_not_be_meant_is_refused(bench: Path, more: tuple[str, ...], told: str) -> None:
    assert told in run(bench, *more, code=2).stderr
