"""`reasonflux plan --queries`: what a planner asks the library for, written down to measure retrieval with."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonflux.commands import assemble_library, console, settings
from reasonflux.errors import ReasonFluxError, RecordError, UsageError

if TYPE_CHECKING:
    from library.evaluation import Query
    from reasonflux.commands.assemble import Choices, Workbench
    from reasonflux.types import Problem


@dataclass(frozen=True)
class Task:
    """A problem to plan, and the slug of the template it wants where that is known."""

    line: int
    problem: "Problem"
    content_hash: str
    wanted: str | None


def plan_queries(
    out: Path, source: Path | None, choices: "Choices", *, limit: int | None, resume: bool, as_json: bool
) -> int:
    """Plan problems, write a line for each to `out`, and return the exit code.

    A line holds the queries of all steps of its plan, so that a run that was ended leaves whole plans.

    Args:
        out: the file to write.
        source: a file of problems; None for the probe problems of the library.
        choices: what the command was told.
        limit: how many problems at most, None for all.
        resume: whether to go on with an existing file.
        as_json: whether the summary is JSON.

    Raises:
        UsageError: `out` exists and is not to be resumed, or was made otherwise.
        ReasonFluxError: a file can't be read or written, or a part of the run can't be had.
    """
    from reasonflux.batch_output import BatchOutput
    from reasonflux.commands.assemble import workbench

    if source is not None and (out.absolute() == source.absolute() or (out.exists() and out.samefile(source))):
        raise UsageError("--queries is the file that --file reads; write to another one.")
    with workbench(choices) as bench:
        tasks = _tasks(bench, source)[:limit]
        if not tasks:
            raise UsageError(f"There is nothing to plan: {source or 'the library'} holds no problem for it.")
        config = bench.config() | {"writes": "queries", "source": "probes" if source is None else "file"}
        with BatchOutput(out, config, resume=resume) as output:
            done = sum((task.line, task.content_hash) in output.kept for task in tasks)
            todo = [task for task in tasks if (task.line, task.content_hash) not in output.kept]
            if done:
                console.note(f"{done} of {len(tasks)} problems are planned; going on with {len(todo)}.")
            failed = _plan_all(bench, todo, output, quiet=choices.quiet)
    summary = {
        "queries": str(out),
        "plans": len(tasks) - failed,
        "failed": failed,
        "wanted": sum(task.wanted is not None for task in tasks),
    }
    if as_json:
        console.write_json(summary)
    else:
        console.write(
            f"{summary['plans']} plans are in {out}, {failed} failed; {summary['wanted']} want a known template."
        )
    return console.EXIT_FAILED if failed else console.EXIT_DONE


def _plan_all(bench: "Workbench", todo: Sequence[Task], output: Any, *, quiet: bool) -> int:
    failed = 0
    with assemble_library.progress("Planning", quiet=quiet) as advance:
        for number, task in enumerate(todo, start=1):
            try:
                document = _planned(bench, task.problem) | {"status": "planned"}
            except ReasonFluxError as error:
                console.note(console.clean(f"Problem {task.line} failed: {error}"))
                document = {"status": "failed", "error": str(error)}
                failed += 1
            about = {"line": task.line, "content_hash": task.content_hash, "wanted": task.wanted}
            output.append(about | {"problem": task.problem.text} | document)
            advance(number, len(todo))
    return failed


def _planned(bench: "Workbench", problem: "Problem") -> dict[str, Any]:
    from reasonflux.errors import boundary
    from reasonflux.reasoner import Reasoner
    from reasonflux.runs import new_run_id

    queries: list[dict[str, Any]] = []
    origin = None
    with boundary("plan"):
        for event in Reasoner(bench.context(new_run_id())).plan(problem):
            match event.kind:
                case "plan_proposed":
                    origin = event.trajectory.origin
                    queries = [step.template.model_dump(mode="json") for step in event.trajectory.steps]
                case "template_retrieved":
                    queries[event.match.step]["template"] = event.match.template
    if origin is None:
        raise ReasonFluxError("The planner ended without a plan.", stage="plan")
    return {"origin": origin, "queries": queries}


def _tasks(bench: "Workbench", source: Path | None) -> list[Task]:
    from library.evaluation import probes
    from library.store import Library
    from library.template import content_hash
    from reasonflux.documents import problem_of

    with Library.open(settings.library_path(bench.resolved.library, bench.resolved.home)) as store:
        known = probes(store)
    if source is not None:
        return _read(source, known)
    return [
        Task(number, problem_of(text), content_hash({"problem": text, "wanted": query.wanted}), query.wanted)
        for number, query in enumerate(known, start=1)
        for text in query.texts
    ]


def _read(source: Path, known: "Sequence[Query]") -> list[Task]:
    from reasonflux.records import RecordProblem, read_records

    wanted = {text.strip(): query.wanted for query in known for text in query.texts}
    tasks = []
    for item in read_records(source):
        if isinstance(item, RecordProblem):
            raise RecordError(f"{source}:{item.line}: {item.reason}.")
        problem = item.graded.problem
        tasks.append(Task(item.line, problem, item.content_hash, wanted.get(problem.text.strip())))
    return tasks
