"""`train trajectories`, `reward` and `pairs`: what they leave, how they go on, and where a gold answer may stand."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cli
from library.store import Library
from library.template import Template
from reasonflux.models.scripted import ScriptedModel
from tests.library.hashing_embedder import HashingEmbedder
from training.outcomes import OutcomeStore
from training.records import PreferenceRow, SftRow, read_rows
from training.reward import read_rewards

ROOT = Path(__file__).parents[2]
WORDS = ["--set", "follow_tools=false"]
GOLD = "7731"
EQUAL = "15462/2"
"""The gold answer as a model may find it, so that a prompt that quotes a step's result does not look like a leak."""


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> HashingEmbedder:
    from reasonflux.commands import assemble_library

    made = HashingEmbedder(64)
    monkeypatch.setattr(assemble_library, "load_embedder", lambda weights_dir, quiet=False: made)
    return made


@pytest.fixture
def library(throw_away_home: Path, embedder: HashingEmbedder) -> Path:
    path = throw_away_home / "libraries" / "default.db"
    made = [
        Template(name=f"Method {name}", tags=("a", "b"), description=f"Does {name}.", steps=(f"Do {name}.",))
        for name in ("Good", "Bad", "Other")
    ]
    with Library.open(path, create=True) as store:
        store.add_many(made, embedder=embedder, who="me")
    return path


@pytest.fixture
def run(library: Path) -> Callable[..., Result]:
    def invoke(*arguments: object, code: int = 0) -> Result:
        result = CliRunner().invoke(cli.app, ["train", *map(str, arguments)])
        assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
        assert "Traceback" not in result.output
        return result

    return invoke


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str | None, str]]:
    """Return what scripted models are asked, as (stage, prompt)."""
    asked: list[tuple[str | None, str]] = []
    complete = ScriptedModel.complete

    def listening(self: ScriptedModel, messages: Any, params: Any) -> Any:
        try:
            return complete(self, messages, params)
        finally:
            asked.append((self.requests[-1].stage, "\n".join(message.content for message in messages)))

    monkeypatch.setattr(ScriptedModel, "complete", listening)
    return asked


def recording(path: Path, replies: list[Any]) -> str:
    path.write_text(json.dumps(replies), "utf-8")
    return f"scripted:{path}"


def plan(*names: str, stage: str = "plan", goal: str = "a quantity") -> dict[str, Any]:
    steps = [{"template": f"Method {name}", "tags": ["a", "b"], "goal": goal} for name in names]
    return {"json": {"steps": steps}, "stage": stage}


def said(match: str, answer: str, times: int = 1) -> list[dict[str, Any]]:
    return [{"text": f"It is \\boxed{{{answer}}}.", "match": match}] * times


def problem_file(path: Path, number: int, *, gold: str = GOLD, word: str = "Asked") -> Path:
    lines = [{"id": f"{word}-{n}", "problem": f"{word} thing {n}?", "answer": gold} for n in range(number)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def sample(run: Any, folder: Path, number: int, *more: object, **options: Any) -> dict[str, Any]:
    planner = recording(folder / "planner.json", [plan("Good"), plan("Bad"), plan("Good", "Bad")] * number)
    told = run(
        "trajectories", "--problems", problem_file(folder / "p.jsonl", number), "--out", folder / "t.jsonl",
        "--planner", planner, "-n", 2, "--json", *more, **options,
    )  # fmt: skip
    document: dict[str, Any] = json.loads(told.stdout)
    return document


def test_trajectories_are_written_and_gone_on_with(run: Any, tmp_path: Path) -> None:
    planner = recording(tmp_path / "planner.json", [plan("Good"), {"text": "no plan"}, plan("Bad"), plan("Bad")])
    arguments = [
        "trajectories", "--problems", problem_file(tmp_path / "p.jsonl", 2), "--out", tmp_path / "t.jsonl",
        "--planner", planner, "-n", 2, "--json",
    ]  # fmt: skip
    broken = run(*arguments, code=1)
    assert "Problem Asked-1 failed: The recording" in broken.stderr
    first = json.loads((tmp_path / "t.jsonl").read_text("utf-8").splitlines()[0])
    assert GOLD not in (tmp_path / "t.jsonl").read_text("utf-8")
    assert "add --resume" in run(*arguments, code=2).stderr
    recording(tmp_path / "planner.json", [plan("Other"), plan("Good")])
    document = json.loads(run(*arguments, "--resume").stdout)
    assert (document["problems"], document["trajectories"], document["failed"]) == (2, 4, 0)
    assert document["invalid"] == {"It holds no JSON object": 1}
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text("utf-8").splitlines()]
    assert lines[0] == first
    assert [step["slug"] for line in lines for item in line["trajectories"] for step in item["steps"]] == [
        "method-good", "method-bad", "method-other", "method-good",
    ]  # fmt: skip
    assert "temperature was 0.9 and is now 0.5" in run(*arguments, "--resume", "--temperature", 0.5, code=2).stderr


def test_problems_may_be_drawn_for_templates_of_the_library(run: Any, library: Path, tmp_path: Path) -> None:
    from library.generating import seed_generators

    slugs = list(seed_generators())[:2]
    names = [seed_generators()[slug].template for slug in slugs]
    with Library.open(library) as store:
        made = [Template(name=name, description="Does it.", steps=("s",)) for name in names]
        store.add_many(made, embedder=HashingEmbedder(64), who="me")
    planner = recording(tmp_path / "planner.json", [plan("Good")] * 4)
    arguments = ["--from-generators", 4, "--difficulty", 1, "--out", tmp_path / "t.jsonl", "--planner", planner]
    run("trajectories", *arguments, "-n", 1)
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text("utf-8").splitlines()]
    assert sorted(line["template"] for line in lines) == sorted(slugs * 2)
    assert [line["problem_id"].partition("/")[0] for line in lines] == [line["template"] for line in lines]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "either --problems FILE or --from-generators N"),
        (["--problems", "x", "--from-generators", 3], "either --problems FILE or --from-generators N"),
        (["--problems", "x", "--difficulty", 1], "--difficulty goes with --from-generators"),
        (["--from-generators", 3], "No problem can be drawn"),
        (["--from-generators", 3, "--set", "plan_token=3"], "did you mean plan_tokens?"),
    ],
)
def test_what_can_not_be_meant_is_refused(run: Any, tmp_path: Path, arguments: list[Any], message: str) -> None:
    told = run("trajectories", "--out", tmp_path / "t.jsonl", "--planner", "scripted:x", *arguments, code=2)
    assert message in told.stderr


def test_verified_keeps_what_is_right_and_hints_once_where_nothing_is(
    run: Any, tmp_path: Path, requests: list[tuple[str | None, str]]
) -> None:
    """Four problems: solved; hinted; hinted, but not right without the hint; hinted, but the plan tells the answer."""
    planner = [plan("Good"), plan("Bad")] * 4
    hints = [plan("Other", stage="hint")] * 2 + [plan("Other", stage="hint", goal=f"find {GOLD}")]
    replies = [
        *said("Method: Method Good\n1. Do Good.\n\nProblem: Asked thing 0?", GOLD),
        *said("Method: Method Other\n1. Do Other.\n\nProblem: Asked thing 1?", GOLD),
        *said("Problem: ", "0", 20),
    ]
    arguments = [
        "trajectories", "--problems", problem_file(tmp_path / "p.jsonl", 4), "--out", tmp_path / "t.jsonl",
        "--planner", recording(tmp_path / "planner.json", [*planner, *hints]), "-n", 2,
        "--model", recording(tmp_path / "model.json", replies), "--verified", tmp_path / "rows.jsonl", *WORDS,
    ]  # fmt: skip
    document = json.loads(run(*arguments, "--json").stdout)["verified"]
    rows = [placed.row for placed in read_rows(tmp_path / "rows.jsonl", SftRow)]
    assert [(row.source, row.hinted, row.kind) for row in rows] == [
        ("Asked-0", False, "trajectory"), ("Asked-1", True, "trajectory"),
    ]  # fmt: skip
    assert '"template": "Method Other"' in rows[1].completion[0].content
    assert (document["problems_solved"], document["problems_hinted"], document["rows"]) == (1, 1, 2)
    assert document["dropped"] == {
        "hinted: following it without the hint is not right": 1,
        "hinted: its text holds the answer": 1,
        "not right": 7,
    }
    # The canary: the gold answer is in prompts of stage `hint`, once a problem without a right trajectory, only.
    assert [stage for stage, prompt in requests if GOLD in prompt] == ["hint"] * 3
    assert {stage for stage, _ in requests} == {"plan", "hint", "step"}

    before = (tmp_path / "rows.jsonl").read_bytes()
    asked = len(requests)
    again = json.loads(run(*arguments, "--resume", "--json").stdout)["verified"]
    assert again == document
    assert (tmp_path / "rows.jsonl").read_bytes() == before
    assert len(requests) == asked


def test_verified_needs_gold_answers(run: Any, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"problem": "Why?"}\n', "utf-8")
    told = run(
        "trajectories", "--problems", tmp_path / "p.jsonl", "--out", tmp_path / "t.jsonl", "--verified",
        tmp_path / "rows.jsonl", "--planner", "scripted:x", code=1,
    )  # fmt: skip
    assert "--verified needs gold answers, which these lack: problem 1 (line 1)" in told.stderr


def rewarded(run: Any, folder: Path, *more: object, code: int = 0) -> Result:
    """Score trajectories on a pool: those that end with Method Good are right on all, the others on none."""
    pool = problem_file(folder / "pool.jsonl", 4, word="Pool")
    result: Result = run(
        "reward", "--trajectories", folder / "t.jsonl", "--out", folder / "r.jsonl", "--similar", "problems",
        "--problems", pool, "--model", recording(folder / "model.json", answers()), *WORDS, *more, code=code,
    )  # fmt: skip
    return result


def answers() -> list[dict[str, Any]]:
    return [*said("Method: Method Good", EQUAL, 60), *said("Method: Method Bad", "0", 60)]


def test_rewards_are_the_share_of_right_answers_on_the_same_similar_problems(
    run: Any, tmp_path: Path, requests: list[tuple[str | None, str]]
) -> None:
    sample(run, tmp_path, 3)
    document = json.loads(rewarded(run, tmp_path, "--json").stdout)
    assert (document["trajectories"], document["right"], document["wrong"], document["unknown"]) == (6, 8, 16, {})
    lines = read_rewards(tmp_path / "r.jsonl")
    for line in lines:
        rewards = {item.sampled.slugs: item.reward for item in line.scored}
        assert rewards.get(("method-good",), 1.0) == 1.0
        assert rewards.get(("method-bad",), 0.0) == 0.0
        assert sorted(item["id"] for item in line.similar) == [f"Pool-{n}" for n in range(4)]
    # Equal trajectories on equal problems are run once, whichever problem they were planned for.
    with OutcomeStore(tmp_path / "r.db") as store:
        assert len(store.keys()) == 12
    # The canary: no gold answer in any prompt, and none in a file but the database's answers.
    assert [stage for stage, prompt in requests if GOLD in prompt] == []
    assert GOLD not in (tmp_path / "r.jsonl").read_text("utf-8")

    before, asked = (tmp_path / "r.jsonl").read_bytes(), len(requests)
    assert "add --resume" in rewarded(run, tmp_path, code=2).stderr
    rewarded(run, tmp_path, "--resume")
    assert (tmp_path / "r.jsonl").read_bytes() == before
    assert len(requests) == asked


def test_another_recipe_uses_the_rows_that_still_hold(
    run: Any, tmp_path: Path, requests: list[tuple[str | None, str]]
) -> None:
    sample(run, tmp_path, 2)
    rewarded(run, tmp_path, "-k", 2)
    asked = len(requests)
    rewarded(run, tmp_path, "-k", 4, "--resume", "--set", "limit_seconds=500")
    follows = [prompt for stage, prompt in requests[asked:]]
    assert 0 < len(follows) <= 12
    asked = len(requests)
    rewarded(run, tmp_path, "-k", 4, "--resume", "--set", "follow_seed=1")
    assert len(requests) - asked >= 12


def test_what_is_lost_is_not_wrong_and_is_tried_again(run: Any, tmp_path: Path) -> None:
    sample(run, tmp_path, 1)
    pool = problem_file(tmp_path / "pool.jsonl", 1, word="Pool")
    down = [{"error": "unavailable", "match": "Method Bad"}] * 3
    arguments = [
        "reward", "--trajectories", tmp_path / "t.jsonl", "--out", tmp_path / "r.jsonl", "--similar", "problems",
        "--problems", pool, *WORDS, "--json",
    ]  # fmt: skip
    model = recording(tmp_path / "model.json", [*answers()[:2], *down])
    document = json.loads(run(*arguments, "--model", model).stdout)
    assert (document["right"], document["wrong"], document["unknown"]) == (1, 0, {"lost": 1})
    (line,) = read_rewards(tmp_path / "r.jsonl")
    assert [item.reward for item in line.scored] == [1.0, None]
    model = recording(tmp_path / "model.json", answers())
    document = json.loads(run(*arguments, "--model", model, "--resume").stdout)
    assert (document["right"], document["wrong"], document["unknown"]) == (1, 1, {})


def test_a_model_that_is_gone_ends_the_run_and_what_is_done_stands(run: Any, tmp_path: Path) -> None:
    sample(run, tmp_path, 4)
    few = answers()[:3]
    pool = problem_file(tmp_path / "pool.jsonl", 4, word="Pool")
    told = run(
        "reward", "--trajectories", tmp_path / "t.jsonl", "--out", tmp_path / "r.jsonl", "--similar", "problems",
        "--problems", pool, "--model", recording(tmp_path / "model.json", few), *WORDS, code=1,
    )  # fmt: skip
    assert "No worker is left (scripted:" in told.stderr
    assert not (tmp_path / "r.jsonl").exists()
    with OutcomeStore(tmp_path / "r.db") as store:
        assert sum(item.correct is True for item in store.known(store.keys()).values()) == 3


def test_models_that_are_not_one_do_not_share_the_work(run: Any, tmp_path: Path) -> None:
    sample(run, tmp_path, 1)
    other = recording(tmp_path / "other.json", answers())
    assert "only where they are one" in rewarded(run, tmp_path, "--model", other, code=2).stderr
    assert "go with --engine ray" in rewarded(run, tmp_path, "--workers", 2, code=2).stderr
    assert "--problems goes with" in rewarded(run, tmp_path, "--similar", "generators", code=2).stderr


def test_pairs_are_written_with_their_report(run: Any, tmp_path: Path) -> None:
    sample(run, tmp_path, 3)
    rewarded(run, tmp_path)
    arguments = ["pairs", "--rewards", tmp_path / "r.jsonl", "--out", tmp_path / "pairs", "--held-out", 0]
    document = json.loads(run(*arguments, "--set", "alike=1.0", "--json").stdout)
    rows = [placed.row for placed in read_rows(tmp_path / "pairs" / "train.jsonl", PreferenceRow)]
    assert document["train"]["pairs"] == len(rows) > 0
    assert all("Method Good" in row.chosen[0].content for row in rows)
    assert json.loads((tmp_path / "pairs" / "report.json").read_text("utf-8")) == document
    assert not (tmp_path / "pairs" / "held_out.jsonl").exists()


def test_without_a_pair_the_cause_is_told(run: Any, tmp_path: Path) -> None:
    sample(run, tmp_path, 2)
    rewarded(run, tmp_path, "-k", 2)
    told = run("pairs", "--rewards", tmp_path / "r.jsonl", "--out", tmp_path / "pairs", code=1)
    assert "No pair is left to train on (2 × too few outcomes known of both)" in told.stderr
    assert (tmp_path / "pairs" / "report.json").exists()
    told = run("pairs", "--rewards", tmp_path / "t.jsonl", "--out", tmp_path / "pairs", code=1)
    assert "t.jsonl:1 is no line of `reasonflux train reward`" in told.stderr


def test_a_run_killed_outright_ends_with_the_same_rewards(run: Any, tmp_path: Path) -> None:
    """SIGKILL right after the second and the fifth outcome: what goes on repeats no row and ends with the same file."""
    sample(run, tmp_path, 3)
    rewarded(run, tmp_path)
    whole = (tmp_path / "r.jsonl").read_bytes()
    with OutcomeStore(tmp_path / "r.db") as store:
        keys = store.keys()
    program = """
import os, signal, sys
import cli
from reasonflux.commands import assemble_library
from tests.library.hashing_embedder import HashingEmbedder
from training.outcomes import OutcomeStore

assemble_library.load_embedder = lambda weights_dir, quiet=False: HashingEmbedder(64)
left, put = int(sys.argv[1]), OutcomeStore.put

def counting(self, outcome):
    global left
    stored = put(self, outcome)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return stored

OutcomeStore.put = counting
cli.app(sys.argv[2:])
"""
    arguments = [
        "train", "reward", "--trajectories", str(tmp_path / "t.jsonl"), "--out", str(tmp_path / "k.jsonl"),
        "--similar", "problems", "--problems", str(tmp_path / "pool.jsonl"), "--model",
        f"scripted:{tmp_path / 'model.json'}", *WORDS, "--quiet",
    ]  # fmt: skip
    counts = []
    for left, code in ((2, -signal.SIGKILL), (3, -signal.SIGKILL), (len(keys) - 5 + 1, 0)):
        done = subprocess.run(
            [sys.executable, "-c", program, str(left), *arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
        )
        assert done.returncode == code
        with OutcomeStore(tmp_path / "k.db") as store:
            counts.append(len(store.keys()))
    assert counts == [2, 5, len(keys)]
    assert (tmp_path / "k.jsonl").read_bytes() == whole
    with OutcomeStore(tmp_path / "k.db") as store:
        assert store.keys() == keys


def test_help_shows_examples(run: Any) -> None:
    for name in ("trajectories", "reward", "pairs"):
        assert f"reasonflux train {name} " in run(name, "--help").stdout
