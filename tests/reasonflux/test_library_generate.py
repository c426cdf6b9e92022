"""`reasonflux library generate` and `verify --mutants`: what they write, repeat and refuse."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from reasonflux.records import Record, read_records

pytestmark = pytest.mark.usefixtures("without_weights")
SLUG = "reduce-a-power-modulo-n-with-a-cycle-of-residues"


@pytest.fixture
def run(run_library: Any) -> Any:
    return run_library


def test_problems_are_records_that_are_read_back(run: Any, tmp_path: Path) -> None:
    out = tmp_path / "problems.jsonl"
    said = run("generate", "--template", SLUG, "-n", "4", "--seed", "7", "--out", str(out)).stdout
    assert said == f"Wrote 4 problems of 1 templates to {out}.\n"
    records = list(read_records(out))
    assert all(isinstance(record, Record) for record in records)
    assert len({record.graded.problem.id for record in records if isinstance(record, Record)}) == 4
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {(row["template"], row["subject"], row["level"]) for row in rows} == {(SLUG, "number-theory", 2)}
    assert [row["id"] for row in rows] == [f"{SLUG}/2/7/{number}" for number in (1, 2, 3, 4)]


def test_a_seed_repeats_its_problems(run: Any) -> None:
    arguments = ("generate", "--template", SLUG, "-n", "2", "--no-verify")
    first = run(*arguments, "--seed", "1").stdout
    assert first == run(*arguments, "--seed", "1").stdout
    assert first != run(*arguments, "--seed", "2").stdout
    document = json.loads(run(*arguments, "--seed", "1", "--json").stdout)
    assert [json.dumps(row, ensure_ascii=False) for row in document["problems"]] == first.splitlines()


def test_a_name_is_as_good_as_a_slug_and_a_near_one_is_named(run: Any) -> None:
    name = "Reduce a power modulo n with a cycle of residues"
    assert run("generate", "--template", name, "-n", "1", "--no-verify").stdout
    assert f"did you mean {SLUG}" in run("generate", "--template", SLUG[:-3], "-n", "1", code=2).stderr


def test_a_file_is_not_overwritten_unasked(run: Any, tmp_path: Path) -> None:
    out = tmp_path / "problems.jsonl"
    out.write_text("mine\n", encoding="utf-8")
    arguments = ("generate", "--template", SLUG, "-n", "1", "--no-verify", "--out", str(out))
    assert "--force" in run(*arguments, code=2).stderr
    assert out.read_text(encoding="utf-8") == "mine\n"
    run(*arguments, "--force")
    assert SLUG in out.read_text(encoding="utf-8")
    assert "can't be written" in run(*arguments[:-1], str(tmp_path / "none" / "x.jsonl"), code=1).stderr


def test_the_list_names_every_generator_with_its_field(run: Any) -> None:
    rows = json.loads(run("generate", "--list", "--json").stdout)["generators"]
    assert {
        "template": SLUG,
        "name": "Reduce a power modulo n with a cycle of residues",
        "field": "number-theory",
    } in rows
    assert run("generate", "--list").stdout.splitlines()[-1] == f"{len(rows)} templates."


def test_changed_checks_that_print_the_same_are_listed(run: Any, tmp_path: Path) -> None:
    from tests.library.hashing_embedder import template

    record = template("Halve it", examples=()).model_dump(mode="json")
    check = "print(max(n for n in range(90) if 2 * n == 36))"
    record["examples"] = [{"problem": "Half of 36?", "answer": "18", "check": check}]
    path = tmp_path / "t.yaml"
    path.write_text(yaml.safe_dump([record]), encoding="utf-8")
    found = run("verify", "--mutants", str(path), code=1).stdout.splitlines()
    assert found[0] == f"halve-it: example 1, check, line 1: 90 to 91 changes nothing: {check}"
    assert found[1] == f"5 changes of 1 checks: 80.0% show, 1 do not ({path})."
    document = json.loads(run("verify", "--mutants", "--min-killed", "0.8", str(path), "--json").stdout)
    assert (document["changes"], document["killed"], len(document["survivors"])) == (5, 0.8, 1)


def test_a_check_that_is_no_program_is_said(run: Any, tmp_path: Path) -> None:
    from tests.library.hashing_embedder import template

    record = template("Halve it", examples=()).model_dump(mode="json")
    record["examples"] = [{"problem": "Half of 36?", "answer": "18", "check": "print(("}]
    path = tmp_path / "t.yaml"
    path.write_text(yaml.safe_dump([record]), encoding="utf-8")
    assert "example 1, check: the check can't be parsed" in run("verify", "--mutants", str(path), code=1).stderr
