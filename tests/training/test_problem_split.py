"""Problems to train on and held-out ones: the same kinds, never the same problem."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import cli
from library.generating import seed_generators
from reasonflux.errors import UsageError
from reasonflux.types import GradedProblem, Problem
from training.problem_split import drawn_apart, taken_apart
from training.problems import TrainingProblem, read_problems, same_text

AVERAGE, RATIO = "replace-an-average-by-its-total", "find-the-worth-of-one-part-of-a-ratio"


def written(number: int, text: str) -> TrainingProblem:
    graded = GradedProblem(problem=Problem(text=text), gold="1", record_id=str(number))
    return TrainingProblem(number, str(number), graded, f"sha256:{number}")


def test_no_problem_is_in_both() -> None:
    train, held_out = drawn_apart([AVERAGE, RATIO], 30, 20, difficulty=1, seed=3)
    assert (len(train), len(held_out)) == (30, 20)
    assert {problem.template for problem in held_out} == {AVERAGE, RATIO}
    assert not {same_text(p.text) for p in train} & {same_text(p.text) for p in held_out}
    assert (train, held_out) == drawn_apart([RATIO, AVERAGE], 30, 20, difficulty=1, seed=3)
    assert train != drawn_apart([AVERAGE, RATIO], 30, 20, difficulty=1, seed=4)[0]


def test_templates_can_be_a_number_or_named() -> None:
    slugs = list(seed_generators())
    train, held_out = drawn_apart(slugs, 6, 3, difficulty=1, seed=0, templates=3)
    assert len({problem.template for problem in train}) == 3
    assert {problem.template for problem in held_out} <= {problem.template for problem in train}
    named, _ = drawn_apart(slugs, 4, 2, difficulty=1, seed=0, among=[RATIO])
    assert {problem.template for problem in named} == {RATIO}


def test_what_can_not_be_drawn_is_told() -> None:
    with pytest.raises(UsageError, match="no such active template"):
        drawn_apart([AVERAGE], 1, 1, difficulty=1, seed=0, among=[RATIO])
    with pytest.raises(UsageError, match="of 1 templates of this library, not of 2"):
        drawn_apart([AVERAGE], 1, 1, difficulty=1, seed=0, templates=2)
    with pytest.raises(UsageError, match="No problem can be drawn"):
        drawn_apart(["mine"], 1, 1, difficulty=1, seed=0)


def test_problems_of_files_are_taken_apart() -> None:
    train = [written(1, "What is 1+1?"), written(2, "What is 1+2?")]
    kept = taken_apart(train, [written(3, "what IS  1+2?"), written(4, "What is 1+3?")])
    assert [problem.id for problem in kept[1]] == ["4"]
    assert kept[2] == 1
    with pytest.raises(UsageError, match="Every held-out problem"):
        taken_apart(train, train)


def test_command_writes_what_the_others_read(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["train", "problems", "--train", "4", "--held-out", "2", "--template", AVERAGE, "--out", str(out)]
    told = CliRunner().invoke(cli.app, [*arguments, "--json"])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout) == {"out": str(out), "train": 4, "held_out": 2, "templates": 1, "dropped": 0}
    assert [problem.template for problem in read_problems(out / "train.jsonl")] == [AVERAGE] * 4
    before = (out / "train.jsonl").read_bytes()
    assert CliRunner().invoke(cli.app, arguments).exit_code == 0
    assert (out / "train.jsonl").read_bytes() == before
    files = ["--train-file", str(out / "train.jsonl"), "--held-out-file", str(out / "train.jsonl")]
    refused = CliRunner().invoke(cli.app, ["train", "problems", *files, "--out", str(tmp_path / "other")])
    assert refused.exit_code == 2
    assert "Every held-out problem" in refused.stderr
