import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reasonflux.batch import Crew, Tally
from reasonflux.batch_output import BatchOutput
from reasonflux.errors import ReasonFluxError, UsageError

CONFIG = {"model": {"spec": "scripted:a"}, "settings": {"seed": 0, "budget": 10}}


def document(line: int, **changes: Any) -> dict[str, Any]:
    usage = {"calls": 1, "prompt_tokens": 100, "cached_tokens": 40, "completion_tokens": 10}
    base = {
        "line": line,
        "content_hash": "h",
        "status": "answered",
        "correct": True,
        "grading": "graded",
        "usage": usage,
        "seconds": 2.0,
    }
    return base | changes


def write(path: Path, documents: list[dict[str, Any]]) -> None:
    with BatchOutput(path, CONFIG, resume=False) as output:
        for each in documents:
            output.append(each)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_lines_are_appended_and_kept_on_resume(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out.jsonl"
    write(out, [document(2), document(1, answer="數 [/b] ∑")])
    with BatchOutput(out, CONFIG, resume=True) as output:
        assert sorted(output.kept) == [(1, "h"), (2, "h")]
        assert output.kept[1, "h"][0]["answer"] == "數 [/b] ∑"
        output.append(document(3))
    assert [each["line"] for each in lines(out)] == [2, 1, 3]


def test_an_existing_file_is_refused_without_resume(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    write(out, [document(1)])
    with pytest.raises(UsageError, match="--resume"):
        BatchOutput(out, CONFIG, resume=False)
    assert len(lines(out)) == 1


def test_resume_of_nothing_begins(tmp_path: Path) -> None:
    with BatchOutput(tmp_path / "out.jsonl", CONFIG, resume=True) as output:
        assert output.kept == {}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"model": {"spec": "scripted:b"}}, r'model\.spec was "scripted:a" and is now "scripted:b"'),
        ({"settings": {"seed": 1, "budget": 10}}, r"settings\.seed was 0 and is now 1"),
        ({"library": "x"}, 'library was null and is now "x"'),
    ],
)
def test_a_changed_configuration_is_named_with_both_values(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    out = tmp_path / "out.jsonl"
    write(out, [document(1)])
    with pytest.raises(UsageError, match=said):
        BatchOutput(out, CONFIG | changed, resume=True)
    BatchOutput(out, CONFIG, resume=True).close()


@pytest.mark.parametrize("content", [None, "{oops"])
def test_a_missing_or_broken_configuration_is_refused(tmp_path: Path, content: str | None) -> None:
    out = tmp_path / "out.jsonl"
    write(out, [document(1)])
    sidecar = tmp_path / "out.jsonl.config.json"
    sidecar.unlink()
    if content is not None:
        sidecar.write_text(content)
    with pytest.raises(UsageError, match=r"out\.jsonl\.config\.json"):
        BatchOutput(out, CONFIG, resume=True)


@given(cut=st.integers(min_value=0, max_value=5_000))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_kill_at_any_byte_loses_at_most_the_torn_line(tmp_path: Path, cut: int) -> None:
    out = tmp_path / "out.jsonl"
    out.unlink(missing_ok=True)
    write(out, [document(number, answer="é" * number) for number in range(1, 6)])
    data = out.read_bytes()
    keep = cut % (len(data) + 1)
    out.write_bytes(data[:keep])
    whole = data[:keep].count(b"\n")
    with BatchOutput(out, CONFIG, resume=True) as output:
        assert sorted(output.kept) == [(number, "h") for number in range(1, whole + 1)]
        for number in range(whole + 1, 6):
            output.append(document(number))
    assert [each["line"] for each in lines(out)] == [1, 2, 3, 4, 5]


def test_failed_records_are_taken_out_to_run_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    write(out, [document(1), document(2, status="failed"), document(3)])
    with BatchOutput(out, CONFIG, resume=True) as output:
        assert sorted(output.kept) == [(1, "h"), (3, "h")]
        output.append(document(2))
    assert [each["line"] for each in lines(out)] == [1, 3, 2]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (b"{oops\n", "is no JSON"),
        (b"[1]\n", "no line of a batch"),
        (b"\xff\n", "is no JSON"),
        (b'{"line": 1, "status": "answered"}\n', "no line of a batch"),
    ],
)
def test_foreign_lines_are_named_and_nothing_is_dropped(tmp_path: Path, bad: bytes, said: str) -> None:
    out = tmp_path / "out.jsonl"
    write(out, [document(1)])
    data = out.read_bytes()
    out.write_bytes(data + bad + b'{"torn')
    before = out.read_bytes()
    with pytest.raises(ReasonFluxError, match=said) as caught:
        BatchOutput(out, CONFIG, resume=True)
    assert "out.jsonl:2" in str(caught.value)
    assert out.read_bytes() == before


def test_two_processes_never_write_one_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    program = (
        "import sys\nfrom pathlib import Path\nfrom reasonflux.batch_output import BatchOutput\n"
        "with BatchOutput(Path(sys.argv[1]), {}, resume=True):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(out)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(ReasonFluxError, match="another process"):
            BatchOutput(out, {}, resume=True)
        holder.kill()
    BatchOutput(out, {}, resume=True).close()


def test_an_output_that_can_not_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ReasonFluxError, match="can't be written"):
        BatchOutput(tmp_path / "file" / "out.jsonl", CONFIG, resume=False)


def test_every_item_is_worked_once_by_at_most_as_many_threads() -> None:
    running, most, guard = 0, 0, threading.Lock()
    ready = threading.Barrier(3, timeout=10)

    def work(item: int, stop: Any) -> dict[str, Any]:
        nonlocal running, most
        with guard:
            running += 1
            most = max(most, running)
        if item < 3:
            ready.wait()
        with guard:
            running -= 1
        return {"line": item}

    taken: list[dict[str, Any]] = []
    threads = set()

    def take(each: dict[str, Any]) -> None:
        taken.append(each)
        threads.add(threading.current_thread())

    assert Crew(work, 3).run(list(range(20)), take)
    assert sorted(each["line"] for each in taken) == list(range(20))
    assert most == 3
    assert threads == {threading.current_thread()}


def test_nothing_to_do_is_done() -> None:
    assert Crew(lambda item, stop: {}, 4).run([], lambda each: None)


def test_an_interrupt_keeps_what_was_finished() -> None:
    taken: list[int] = []

    def work(item: int, stop: Any) -> dict[str, Any] | None:
        if item == 0:
            return {"line": 0}
        while not stop():
            time.sleep(0.01)
        return {"line": item} if item == 1 else None

    def take(each: dict[str, Any]) -> None:
        taken.append(each["line"])
        if each["line"] == 0:
            raise KeyboardInterrupt

    assert Crew(work, 3).run([0, 1, 2, 3, 4, 5], take) is False
    assert sorted(taken) == [0, 1]


@pytest.mark.parametrize("error", [ReasonFluxError("The disk is full."), ValueError("odd")])
def test_a_broken_worker_ends_the_batch_with_a_typed_error(error: Exception) -> None:
    def work(item: int, stop: Any) -> dict[str, Any]:
        raise error

    with pytest.raises(ReasonFluxError, match=str(error)):
        Crew(work, 2).run([1, 2, 3], lambda each: None)


def test_a_writer_that_fails_stops_the_workers() -> None:
    started: list[int] = []

    def work(item: int, stop: Any) -> dict[str, Any]:
        started.append(item)
        return {"line": item}

    def take(each: dict[str, Any]) -> None:
        raise ReasonFluxError("No space.")

    with pytest.raises(ReasonFluxError, match="No space"):
        Crew(work, 1).run(range(100_000), take)
    assert len(started) < 100_000


def test_the_tally_counts_accuracy_over_graded_records_alone() -> None:
    tally = Tally()
    assert tally.accuracy is None
    for each in (
        document(1),
        document(2, correct=False),
        document(3, correct=None, grading="ungradable"),
        document(4, status="no_answer", correct=False, seconds=4.0),
        document(5, status="failed", correct=None, grading="not_graded", seconds=100.0, usage={}),
        document(6, correct=None, grading="no_gold"),
    ):
        tally.add(each)
    summary = tally.document()
    assert (summary["n"], summary["answered"], summary["no_answer"], summary["failed"]) == (6, 4, 1, 1)
    assert (summary["graded"], summary["correct"], summary["ungradable"]) == (3, 1, 1)
    assert summary["accuracy"] == pytest.approx(1 / 3)
    assert summary["mean_completion_tokens"] == 10
    assert summary["mean_prompt_tokens"] == 100
    assert summary["mean_cached_tokens"] == 40
    assert summary["mean_seconds"] == pytest.approx(2.4)


@pytest.mark.parametrize("resume", [False, True])
def test_a_folder_or_a_device_is_no_output(tmp_path: Path, resume: bool) -> None:
    for place in (tmp_path, Path("/dev/null"), Path("")):
        with pytest.raises(UsageError, match="is no regular file"):
            BatchOutput(place, CONFIG, resume=resume)
    assert list(tmp_path.glob("*.lock")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits a file's size")
def test_a_full_disk_is_one_error_and_what_was_whole_resumes(tmp_path: Path) -> None:
    """A limit on a file's size fails a write halfway, as a full disk does."""
    out = tmp_path / "out.jsonl"
    program = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from reasonflux.batch_output import BatchOutput\n"
        "from reasonflux.errors import ReasonFluxError\n"
        f"document, out = {document(1)!r}, Path({str(out)!r})\n"
        "try:\n"
        f"    with BatchOutput(out, {CONFIG!r}, resume=False) as output:\n"
        "        output.append(document)\n"
        "        resource.setrlimit(resource.RLIMIT_FSIZE, (out.stat().st_size + 20,) * 2)\n"
        "        output.append(document | {'line': 2})\n"
        "except ReasonFluxError as error:\n"
        "    sys.exit(f'told: {error}')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stderr.startswith(f"told: {out} can't be written: ")
    assert not out.read_bytes().endswith(b"\n")
    with BatchOutput(out, CONFIG, resume=True) as output:
        output.append(document(2))
    assert [each["line"] for each in lines(out)] == [1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_a_document_is_taken_waits_for_its_end(number: int) -> None:
    """Else a line that is in the file would be missing from the summary."""
    taken: list[int] = []

    def take(document: dict[str, Any]) -> None:
        if not taken:
            os.kill(os.getpid(), number)
        taken.append(document["line"])

    before = signal.signal(number, signal.default_int_handler)
    try:
        done = Crew(lambda item, stop: document(item), 1).run([1, 2, 3], take)
    finally:
        signal.signal(number, before)
    assert not done
    assert taken[0] == 1
