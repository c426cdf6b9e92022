"""Usage statistics: what a run counts for, once at its end, and never at the run's cost."""

import dataclasses
import json
import runpy
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from library.store import Library
from reasonflux.commands import assemble
from reasonflux.commands.usage_counter import UsageCounter
from reasonflux.types import (
    Assessment,
    Event,
    Match,
    PlannedStep,
    PlanProposed,
    PlanRevised,
    RunFinished,
    Solution,
    StepTrace,
    TemplateRef,
    TemplateRetrieved,
    Trajectory,
)
from reasonflux.usage import UsageTally
from tests.library.hashing_embedder import HashingEmbedder, template

FAKE = Path(__file__).with_name("fake_bench.py")


def step(name: str) -> PlannedStep:
    return PlannedStep(goal="g", template=TemplateRef(name=name))


def retrieved(index: int, slug: str | None, name: str | None = None) -> TemplateRetrieved:
    return TemplateRetrieved(match=Match(step=index, template=slug, name=name))


def trace(slug: str | None, verdict: str) -> StepTrace:
    return StepTrace(
        goal="g", template=slug, output="o", assessment=Assessment.model_validate({"verdict": verdict, "reason": ""})
    )


def tallied(*events: Event) -> UsageTally:
    tally = UsageTally()
    for event in events:
        tally.see(event)
    return tally


STORY: tuple[Event, ...] = (
    PlanProposed(trajectory=Trajectory(steps=(step("ALPHA"), step("Some beta"), step("none")))),
    retrieved(0, "alpha", "Alpha"),
    retrieved(1, "beta", "Beta"),
    retrieved(2, None),
    PlanRevised(after_step=1, before=(step("Some beta"), step("none")), after=(step("gamma"),)),
    retrieved(1, "gamma", "Gamma"),
    retrieved(1, "gamma", "Gamma"),
)


def ended(answer: str | None, *steps: StepTrace) -> RunFinished:
    return RunFinished(solution=Solution(answer=answer, status="answered" if answer else "no_answer", steps=steps))


def test_a_run_counts_what_it_named_fetched_and_stood_on() -> None:
    tally = tallied(*STORY, ended("7", trace("alpha", "accept"), trace("beta", "revise"), trace("gamma", "finish")))
    assert tally.planned == {"alpha", "gamma"}
    assert tally.retrieved == {"alpha", "beta", "gamma"}
    assert tally.solved == {"alpha", "gamma"}


def test_a_run_without_answer_solves_nothing_and_one_without_end_counts_nothing() -> None:
    assert tallied(*STORY, ended(None, trace("alpha", "accept"))).solved == frozenset()
    unended = tallied(*STORY)
    assert unended.planned == unended.retrieved == unended.solved == frozenset()


@pytest.fixture
def used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library that the fake workbench's runs count for."""
    path = tmp_path / "used.db"
    with Library.open(path, create=True) as library:
        library.add(template("Cycle of powers"), embedder=HashingEmbedder(), who="me")
    fake = runpy.run_path(str(FAKE))["workbench"]

    @contextmanager
    def workbench(choices: assemble.Choices) -> Iterator[assemble.Workbench]:
        with fake(choices) as bench:
            yield dataclasses.replace(bench, usage=UsageCounter(path))

    monkeypatch.setattr(assemble, "workbench", workbench)
    return path


def counts(path: Path) -> list[Any]:
    raw = sqlite3.connect(path)
    found = raw.execute("SELECT planned, retrieved, solved FROM usage_statistics").fetchall()
    raw.close()
    return found


def test_solve_counts_each_finished_run_once(used: Path, tmp_path: Path) -> None:
    with Library.open(used) as library:
        counter = library.change_counter()
        assert CliRunner().invoke(cli.app, ["solve", "What?", "--json"]).exit_code == 0
        assert counts(used) == [(1, 1, 0)]
        records = tmp_path / "in.jsonl"
        records.write_text('{"problem": "a"}\n{"problem": "b none"}\n', encoding="utf-8")
        arguments = ["solve", "--file", str(records), "--out", str(tmp_path / "out.jsonl"), "--parallel", "2"]
        assert CliRunner().invoke(cli.app, arguments).exit_code == 0
        assert counts(used) == [(3, 3, 0)]
        assert library.change_counter() == counter


def test_a_library_that_is_busy_costs_a_notice_only(used: Path, tmp_path: Path) -> None:
    blocker = sqlite3.connect(used, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    done = CliRunner().invoke(cli.app, ["solve", "What?", "--json", "--quiet"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["answer"] == "9"
    assert "Usage statistics were not counted: The library" in done.stderr
    records = tmp_path / "in.jsonl"
    records.write_text('{"problem": "a"}\n{"problem": "b"}\n', encoding="utf-8")
    done = CliRunner().invoke(cli.app, ["solve", "--file", str(records), "--out", str(tmp_path / "out.jsonl")])
    blocker.close()
    assert done.exit_code == 0
    assert done.stderr.count("Usage statistics were not counted") == 1
    assert counts(used) == []
