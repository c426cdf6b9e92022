import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reasonflux.errors import ModelUnavailable, ReasonFluxError, UsageError
from reasonflux.execution import execute
from reasonflux.models.base import ModelInfo
from reasonflux.runs import RunHeader, RunStore, new_run_id
from reasonflux.types import (
    Assessment,
    Event,
    Match,
    ModelCall,
    ModelCalled,
    Noticed,
    PlannedStep,
    PlanProposed,
    Problem,
    RunFinished,
    Solution,
    StepAssessed,
    StepFinished,
    StepResult,
    StepStarted,
    TemplateRef,
    TemplateRetrieved,
    TokenDelta,
    Trajectory,
    Usage,
)

PROBLEM = Problem(text="Find the remainder when 7^100 is divided by 13.")


def header(run_id: str | None = None, problem: Problem = PROBLEM) -> RunHeader:
    return RunHeader(
        run_id=run_id or new_run_id(),
        started="2020-01-01T00:00:00+00:00",
        problem=problem,
        strategy="reasonflux",
        model=ModelInfo(spec="scripted:a", backend="scripted"),
    )


def context(run_id: str = "r") -> Any:
    return SimpleNamespace(run_id=run_id)


def finished(**changes: Any) -> RunFinished:
    return RunFinished(solution=Solution(**({"answer": "9", "status": "answered"} | changes)))


def drive(strategy: Any) -> list[Event]:
    return list(execute(PROBLEM, context(), strategy))


def test_one_end_with_run_id_and_seconds() -> None:
    def strategy(problem: Problem, context: Any) -> Iterator[Event]:
        yield Noticed(stage="s", message="m")
        yield finished()
        yield Noticed(stage="s", message="after the end")
        yield finished(answer="10")

    events = drive(strategy)
    assert [event.kind for event in events] == ["noticed", "run_finished"]
    solution = events[-1].solution
    assert (solution.answer, solution.run_id) == ("9", "r")
    assert solution.seconds >= 0


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ModelUnavailable("The server is down."), "The server is down."),
        (ValueError("odd"), "The strategy stage failed: ValueError: odd"),
        (RuntimeError(), "The strategy stage failed: RuntimeError: no message"),
    ],
)
def test_an_error_ends_the_run_as_failed_with_what_was_done(error: Exception, message: str) -> None:
    def strategy(problem: Problem, context: Any) -> Iterator[Event]:
        step = PlannedStep(goal="a power", template=TemplateRef(name="T"))
        yield PlanProposed(trajectory=Trajectory(steps=(step,)))
        yield TemplateRetrieved(match=Match(step=0, template="t"))
        yield StepStarted(step=0, goal="a power")
        usage = Usage(calls=1, prompt_tokens=5, completion_tokens=3)
        yield ModelCalled(call=ModelCall(stage="s", model="m", messages_hash="h", usage=usage, seconds=1.0))
        yield StepFinished(result=StepResult(step=0, output="it is 9"))
        yield StepAssessed(step=0, assessment=Assessment(verdict="accept"))
        raise error

    solution = drive(strategy)[-1].solution
    assert solution.status == "failed"
    assert solution.answer is None
    assert solution.error == message
    assert solution.usage.completion_tokens == 3
    assert solution.trajectory[0].template == "t"
    assert solution.steps[0].output == "it is 9"
    assert solution.steps[0].assessment == Assessment(verdict="accept")


def test_an_error_before_the_first_event_is_recorded_too() -> None:
    def strategy(problem: Problem, context: Any) -> Iterator[Event]:
        raise ReasonFluxError("No.")

    (event,) = drive(strategy)
    assert event.solution.error == "No."


def test_a_strategy_without_an_end_fails() -> None:
    (event,) = drive(lambda problem, context: iter(()))
    assert event.solution.status == "failed"
    assert "without a result" in event.solution.error


def test_closing_early_closes_the_strategy() -> None:
    closed = []

    def strategy(problem: Problem, context: Any) -> Iterator[Event]:
        try:
            yield Noticed(stage="s", message="m")
            yield finished()
        finally:
            closed.append(True)

    events = execute(PROBLEM, context(), strategy)
    next(events)
    events.close()
    assert closed == [True]


def test_an_interrupt_passes_through() -> None:
    def strategy(problem: Problem, context: Any) -> Iterator[Event]:
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        drive(strategy)


def test_ids_sort_by_age_and_differ() -> None:
    ids = [new_run_id() for _ in range(200)]
    assert len(set(ids)) == 200
    assert [run_id[:22] for run_id in ids] == sorted(run_id[:22] for run_id in ids)


@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    output=st.text(st.characters(exclude_categories=["Cs"])),
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_back(tmp_path: Path, text: str, output: str) -> None:
    store = RunStore(tmp_path)
    events: list[Event] = [
        TokenDelta(stage="s", text="x"),
        StepFinished(result=StepResult(step=1, output=output, facts=(text,))),
        finished(answer=output),
    ]
    head = header(problem=Problem(text=text))
    with store.create(head) as writer:
        for event in events:
            writer.write(event)
    run = store.load(head.run_id)
    assert run.header == head
    assert run.events == tuple(events[1:])
    assert run.problems == ()
    assert run.solution.answer == output


def test_token_deltas_are_kept_when_asked(tmp_path: Path) -> None:
    head = header()
    with RunStore(tmp_path).create(head, keep_tokens=True) as writer:
        writer.write(TokenDelta(stage="s", text="x"))
    assert RunStore(tmp_path).load(head.run_id).events == (TokenDelta(stage="s", text="x"),)


def test_each_event_is_on_disk_before_the_next(tmp_path: Path) -> None:
    head = header()
    store = RunStore(tmp_path)
    with store.create(head) as writer:
        for number in range(3):
            writer.write(Noticed(stage="s", message=str(number)))
            assert len(store.path(head.run_id).read_bytes().splitlines()) == number + 2


def test_a_run_without_an_end_is_interrupted(tmp_path: Path) -> None:
    head = header()
    store = RunStore(tmp_path)
    with store.create(head) as writer:
        writer.write(Noticed(stage="s", message="m"))
        assert store.load(head.run_id).status == "running"
        assert [run.status for run in store.recent()] == ["running"]
    assert store.load(head.run_id).solution is None
    assert store.load(head.run_id).status == "interrupted"
    assert [run.status for run in store.recent()] == ["interrupted"]


@given(cut=st.integers(min_value=0, max_value=10_000))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_cut_anywhere_is_read_up_to_there(tmp_path: Path, cut: int) -> None:
    store = RunStore(tmp_path)
    head = header()
    with store.create(head) as writer:
        for number in range(5):
            writer.write(Noticed(stage="s", message=f"message {number}"))
        writer.write(finished())
    path = store.path(head.run_id)
    whole = path.read_bytes()
    path.write_bytes(whole[: cut % len(whole)])
    (summary,) = [run for run in store.recent() if run.run_id == head.run_id]
    assert summary.status in ("interrupted", "unreadable", "answered")
    if summary.status != "unreadable":
        run = store.load(head.run_id)
        assert (run.solution is not None) == (summary.status == "answered")
        assert len(run.problems) <= 1
    path.unlink()


def test_foreign_files_and_bad_lines_are_reported_not_fatal(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    head = header("20200101-000000-000000-000001")
    with store.create(head) as writer:
        writer.write(Noticed(stage="s", message="m"))
        writer.write(finished())
    path = store.path(head.run_id)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"{oops\n" + b'{"kind": "unknown"}\n' + b"\xff\xfe\n" + b"[]\n" + lines[1] + lines[2])
    for name, content in {
        "empty": b"",
        "binary": b"\x00\xff" * 50,
        "other": b'{"a": 1}\n',
        "newer": json.dumps(head.model_dump(mode="json") | {"version": 99}).encode() + b"\n",
        "deep": b"[" * 100_000,
    }.items():
        (store.folder / f"{name}.jsonl").write_bytes(content)
    (store.folder / "folder.jsonl").mkdir()
    (store.folder / "notes.txt").write_text("not a run")

    found = {run.run_id: run for run in store.recent()}
    assert found[head.run_id].status == "answered"
    assert found[head.run_id].answer == "9"
    for name in ("empty", "binary", "other", "newer", "deep", "folder"):
        assert found[name].status == "unreadable"
        assert found[name].note
    assert "notes" not in found

    run = store.load(head.run_id)
    assert [event.kind for event in run.events] == ["noticed", "run_finished"]
    assert [problem.split(" was ")[0] for problem in run.problems] == ["line 2", "line 3", "line 4", "line 5"]
    with pytest.raises(ReasonFluxError, match="not the file of a run"):
        store.load("other")


def test_recent_is_newest_first_and_limited(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    assert store.recent() == []
    ids = [f"20200101-0000{n:02}-000000-000000" for n in range(20)]
    for run_id in ids:
        with store.create(header(run_id)) as writer:
            writer.write(finished())
    assert [run.run_id for run in store.recent(3)] == ids[:-4:-1]


def test_a_last_line_longer_than_a_block_is_found(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    head = header()
    with store.create(head) as writer:
        writer.write(Noticed(stage="s", message="m"))
        writer.write(finished(error="x" * 1_000_000))
    assert store.recent()[0].status == "answered"


def test_runs_are_found_by_the_start_of_their_id(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    for run_id in ("20200101-000000-000000-aaaaaa", "20200101-000000-000000-bbbbbb"):
        store.create(header(run_id)).close()
    assert store.load("20200101-000000-000000-a").header.run_id.endswith("aaaaaa")
    with pytest.raises(UsageError, match="2 runs begin with"):
        store.load("2020")
    for missing in ("2021", "", "../secret", "*"):
        with pytest.raises(UsageError, match="No run"):
            store.load(missing)


def test_a_run_id_is_never_written_twice(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    head = header()
    store.create(head).close()
    with pytest.raises(ReasonFluxError, match="can't be recorded"):
        store.create(head)


def test_a_header_never_holds_a_gold_answer() -> None:
    with pytest.raises(ValueError, match="gold"):
        RunHeader.model_validate(header().model_dump() | {"gold": "9"})
