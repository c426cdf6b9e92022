"""`reasonflux solve --file`: one JSON line out for each record in."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonflux.commands import console
from reasonflux.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from reasonflux.batch import Tally
    from reasonflux.batch_output import BatchOutput
    from reasonflux.commands.assemble import Choices, Workbench
    from reasonflux.documents import Grading
    from reasonflux.records import Record, RecordProblem
    from reasonflux.types import GradedProblem


def solve_file(
    source: Path,
    out: Path,
    choices: "Choices",
    *,
    limit: int | None,
    skip: int,
    resume: bool,
    as_json: bool,
) -> int:
    """Solve the records of `source`, write a line each to `out`, and return the exit code.

    Raises:
        UsageError: `out` can't be continued, or the input changed since it was begun.
        ReasonFluxError: a file can't be read or written, or a part of the run can't be had.
    """
    from reasonflux.batch import Crew, Tally
    from reasonflux.batch_output import BatchOutput
    from reasonflux.commands.assemble import workbench
    from reasonflux.records import Record, read_records

    if _same_file(out, source):
        raise UsageError("--out is the file that --file reads; write to another one.")
    items = list(read_records(source))
    window = slice(skip, None if limit is None else skip + limit)
    wanted = len(items[window])
    started = time.monotonic()
    with workbench(choices) as bench, BatchOutput(out, bench.config(), resume=resume) as output:
        tally = Tally()
        todo = _left_to_do(items, window, output, source, tally)
        if not wanted:
            console.note(f"There is nothing to solve: {source} holds {len(items)} records, and none is chosen.")
        if tally.n:
            console.note(f"{tally.n} of {wanted} records are done; going on with {len(todo)}.")
        desk = Desk(bench, source)
        progress = _Progress(tally, total=wanted, quiet=choices.quiet)

        def take(document: dict[str, Any]) -> None:
            output.append(document)
            tally.add(document)
            if document["status"] == "failed":
                progress.warn(f"{source.name}:{document['line']} failed: {document['error']}")
            progress.show()

        def work(item: "Record | RecordProblem", stop: "Callable[[], bool]") -> dict[str, Any] | None:
            return desk.solve(item, stop) if isinstance(item, Record) else desk.refuse(item)

        finished = Crew(work, choices.slots).run(todo, take)
        progress.end()
    total = time.monotonic() - started
    summary = tally.document() | {"total_seconds": round(total, 3), "out": str(out), "finished": finished}
    if as_json:
        console.write_json(summary)
    else:
        for line in told(summary):
            console.write(line)
    if not finished:
        console.note(f"Interrupted: {tally.n} of {wanted} records are in {out}; run again with --resume.")
        return console.EXIT_INTERRUPTED
    return console.EXIT_FAILED if tally.failed else console.EXIT_DONE


def _same_file(out: Path, source: Path) -> bool:
    """Return whether both paths are one file, also through links."""
    return out.absolute() == source.absolute() or (out.exists() and source.exists() and out.samefile(source))


def _left_to_do(
    items: "list[Record | RecordProblem]",
    window: slice,
    output: "BatchOutput",
    source: Path,
    tally: "Tally",
) -> "list[Record | RecordProblem]":
    """Return the records of the window without a kept document, and count those that have one.

    Raises:
        UsageError: a kept document is of no record of the input, or of one that has its own already.
    """
    from reasonflux.records import Record

    kept = {key: list(documents) for key, documents in output.kept.items()}
    todo: list[Record | RecordProblem] = []
    positions = range(len(items))[window]
    for position, item in enumerate(items):
        own = kept.get((item.line, item.content_hash), []) if isinstance(item, Record) else []
        document = own.pop() if own else None
        if position not in positions:
            continue
        if document is None:
            todo.append(item)
        else:
            tally.add(document)
    for (line, _), documents in sorted(kept.items()):
        if documents:
            raise UsageError(
                f"{output.path} holds a result for {source.name}:{line} that the record there, as it is now, does not "
                "have; write to another --out, or give the file as it was."
            )
    return todo


class Desk:
    """Turns a record into its output line. Thread-safe: called from every worker of a batch."""

    def __init__(self, bench: "Workbench", source: Path) -> None:
        self._bench = bench
        self._source = source

    def refuse(self, item: "RecordProblem") -> dict[str, Any]:
        """Return the line of a record that can't be read."""
        from reasonflux.documents import unread_line

        resolved = self._bench.resolved
        return unread_line(
            item.line,
            item.reason,
            strategy=resolved.settings.strategy,
            model=self._bench.model.info.spec,
            seed=resolved.settings.seed,
        )

    def solve(self, record: "Record", stop: "Callable[[], bool]") -> dict[str, Any] | None:
        """Run a record's problem and return its line, or None when `stop` ended the run before."""
        from reasonflux.commands.solve import run_problem
        from reasonflux.documents import batch_line, solution_document
        from reasonflux.runs import new_run_id

        problem = record.graded.problem
        header = self._bench.header(problem, new_run_id(), origin=f"{self._source}:{record.line}")
        solution = run_problem(self._bench, problem, header, stop=stop)
        if solution is None:
            return None
        correct, grading = self.grade(record.graded, solution.answer, failed=solution.status == "failed")
        document = solution_document(header, solution, record_id=record.id, line=record.line, correct=correct)
        return batch_line(document, content_hash=record.content_hash, grading=grading)

    def grade(self, graded: "GradedProblem", answer: str | None, *, failed: bool) -> "tuple[bool | None, Grading]":
        """Return whether an answer is right, and how that was found.

        A failed run is never wrong. A gold that does not match itself grades nothing, whatever the answer.
        """
        from reasonflux.grading import self_check

        gold, grader = graded.gold, self._bench.grader
        if gold is None:
            return None, "no_gold"
        if failed:
            return None, "not_graded"
        if not self_check(gold, grader, kind=graded.grader):
            return None, "ungradable"
        if answer is None:
            return False, "graded"
        verdict = grader.grade(gold, answer, grader=graded.grader, question=graded.problem.text)
        if verdict.correct is None:
            console.note(f"An answer could not be graded: {verdict.note}.")
            return None, "not_graded"
        return verdict.correct, "graded"


class _Progress:
    """The running state of a batch on stderr: one moving line on a terminal, a line per record off one."""

    def __init__(self, tally: "Tally", *, total: int, quiet: bool) -> None:
        self._tally = tally
        self._total = total
        self._quiet = quiet
        self._moving = sys.stderr.isatty()
        self._started = time.monotonic()
        self._before = tally.n

    def show(self) -> None:
        if self._quiet:
            return
        text = self._text()
        if self._moving:
            sys.stderr.write("\r\x1b[K" + text)
            sys.stderr.flush()
        else:
            console.note(text)

    def warn(self, text: str) -> None:
        if self._moving and not self._quiet:
            sys.stderr.write("\r\x1b[K")
        console.note(console.clean(text))

    def end(self) -> None:
        if self._moving and not self._quiet:
            sys.stderr.write("\n")

    def _text(self) -> str:
        tally = self._tally
        parts = [f"{tally.n}/{self._total}"]
        if tally.accuracy is not None:
            parts.append(f"accuracy {tally.accuracy:.1%} ({tally.correct}/{tally.graded})")
        tokens, seconds = tally.mean("completion_tokens"), tally.mean("seconds")
        if tokens is not None and seconds is not None:
            parts.append(f"{tokens:.0f} tokens and {seconds:.1f} s a problem")
        if tally.failed:
            parts.append(f"{tally.failed} failed")
        done = tally.n - self._before
        if done and tally.n < self._total:
            left = (time.monotonic() - self._started) / done * (self._total - tally.n)
            parts.append(f"about {_span(left)} left")
        return ", ".join(parts)


def told(summary: dict[str, Any]) -> list[str]:
    """Return a batch's summary in words."""

    def mean(key: str, unit: str = "") -> str:
        return f"{summary[key]:.1f}{unit}"

    accuracy = summary["accuracy"]
    graded = "no gold answers" if accuracy is None else f"{accuracy:.1%} ({summary['correct']} of {summary['graded']})"
    lines = [
        f"Records:    {summary['n']} ({summary['answered']} answered, {summary['no_answer']} without an answer, "
        f"{summary['failed']} failed)",
        f"Accuracy:   {graded}",
        "A problem:  no record ran"
        if summary["mean_seconds"] is None
        else f"A problem:  {mean('mean_completion_tokens')} completion tokens, {mean('mean_prompt_tokens')} prompt "
        f"tokens ({mean('mean_cached_tokens')} cached), {mean('mean_seconds', ' s')}",
        f"In all:     {_span(summary['total_seconds'])}, written to {summary['out']}",
    ]
    if summary["ungradable"]:
        lines.insert(
            2, f"Ungradable: {summary['ungradable']} gold answers do not match themselves; left out of accuracy"
        )
    return lines


def _span(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
