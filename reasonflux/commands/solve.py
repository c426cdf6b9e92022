"""`reasonflux solve`: one problem, shown as it is solved, or a file of them."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from reasonflux.commands import console
from reasonflux.commands.arguments import read_problem
from reasonflux.commands.options import (
    BudgetOption,
    ModelOption,
    NoCacheOption,
    NoToolsOption,
    PlannerOption,
    PlanningOption,
    ProblemArgument,
    QuietOption,
    RevisionsOption,
    SeedOption,
    StrategyOption,
)

if TYPE_CHECKING:
    from reasonflux.commands.assemble import Choices, Workbench
    from reasonflux.commands.live import View
    from reasonflux.runs import RunHeader
    from reasonflux.types import Event, Problem, Solution


EPILOG = console.examples(
    'reasonflux solve "Find the remainder when 7^100 is divided by 13."',
    'echo "What is 2 + 2?" | reasonflux solve - --strategy cot --json',
    "reasonflux solve --file problems.jsonl --out answers.jsonl --limit 20 --resume",
)


def solve(
    problem: ProblemArgument = None,
    file: Annotated[Path | None, typer.Option("--file", help="Solve the records of this JSONL file.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write a JSON line per record of --file here.")] = None,
    strategy: StrategyOption = None,
    model: ModelOption = None,
    planner: PlannerOption = None,
    planning: PlanningOption = None,
    budget: BudgetOption = None,
    max_revisions: RevisionsOption = None,
    seed: SeedOption = None,
    limit: Annotated[int | None, typer.Option("--limit", min=0, help="Solve at most this many records.")] = None,
    skip: Annotated[int | None, typer.Option("--skip", min=0, help="Start after this many records.")] = None,
    parallel: Annotated[int | None, typer.Option("--parallel", min=1, max=64, help="Records at a time.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an --out that was begun.")] = False,
    trace: Annotated[Path | None, typer.Option("--trace", help="Write the run to a .jsonl or .html file.")] = None,
    no_tools: NoToolsOption = False,
    no_prompt_cache: NoCacheOption = False,
    library: console.LibraryOption = None,
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    quiet: QuietOption = False,
    json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Solve a problem, or every record of a file."""
    with console.reporting(debug=debug):
        from reasonflux.commands.assemble import Choices

        choices = Choices(
            model=model,
            planner=planner,
            planning=planning,
            library=library,
            home=home,
            weights=weights,
            strategy=strategy,
            budget=budget,
            max_revisions=max_revisions,
            seed=seed,
            tools=not no_tools,
            prompt_cache=not no_prompt_cache,
            slots=parallel or 1,
            quiet=quiet,
        )
        if file is None:
            _refuse_batch_options(out=out, limit=limit, skip=skip, parallel=parallel, resume=resume or None)
            code = _solve_one(read_problem(problem), choices, trace=trace, as_json=json)
        else:
            _refuse_single_options(problem, trace)
            if out is None:
                _misuse("--file needs --out, the file to write the results to.")
            from reasonflux.commands.solve_file import solve_file

            code = solve_file(file, out, choices, limit=limit, skip=skip or 0, resume=resume, as_json=json)
        raise typer.Exit(code)


def run_problem(
    bench: "Workbench",
    problem: "Problem",
    header: "RunHeader",
    *,
    show: "Callable[[Event], None]" = lambda event: None,
    stop: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = console.note,
) -> "Solution | None":
    """Run a problem, record it in the run store, and return its solution; None when `stop` ended it before.

    A run that came to its end counts in the usage statistics of its library; `tell` hears why one could not.

    Raises:
        ReasonFluxError: the run can't be recorded.
    """
    from reasonflux.execution import execute
    from reasonflux.types import RunFinished
    from reasonflux.usage import UsageTally

    solution = None
    tally = UsageTally()
    events = execute(problem, bench.context(header.run_id), bench.strategy)
    with bench.store.create(header) as writer:
        for event in events:
            writer.write(event)
            show(event)
            tally.see(event)
            if isinstance(event, RunFinished):
                solution = event.solution
            elif stop():
                events.close()
                break
    if solution is not None and bench.usage is not None:
        bench.usage.count(tally, tell)
    return solution


def _solve_one(problem: "Problem", choices: "Choices", *, trace: Path | None, as_json: bool) -> int:
    from reasonflux.commands import assemble, live
    from reasonflux.commands.traces import check_trace, write_trace
    from reasonflux.documents import solution_document
    from reasonflux.runs import new_run_id

    check_trace(trace)
    events: list[Event] = []
    notices: list[str] = []
    stream = sys.stderr if as_json else sys.stdout
    with assemble.workbench(choices) as bench:
        header = bench.header(problem, new_run_id())
        with live.view_on(stream, quiet=choices.quiet) as view:
            introduce(view, header)

            def show(event: "Event") -> None:
                view.show(event)
                if trace is not None:
                    events.append(event)

            solution = run_problem(bench, problem, header, show=show, tell=notices.append)
        for notice in notices:
            console.note(console.clean(notice))
        if solution is None:
            raise AssertionError("a run that nothing stopped has an end")
        if as_json:
            console.write_json(solution_document(header, solution))
        with live.view_on(stream, quiet=as_json and choices.quiet, moving=False) as view:
            for style, text in live.ending(solution):
                view.say(style, text)
            view.say("", f"Trace: {bench.store.path(header.run_id)} (reasonflux runs show {header.run_id})")
            if trace is not None:
                write_trace(trace, header, events)
                view.say("", f"Written: {trace}")
    return exit_code(solution.status)


def exit_code(status: str) -> int:
    """Return the exit code of a run's status."""
    codes = {"answered": console.EXIT_DONE, "no_answer": console.EXIT_NO_ANSWER}
    return codes.get(status, console.EXIT_FAILED)


def introduce(view: "View", header: "RunHeader") -> None:
    """Show what is solved and with what."""
    view.say("bold", f"Problem: {header.problem.text}")
    planner = f", planner {header.planner.spec}" if header.planner and header.planner != header.model else ""
    library = f", library {header.library}" if header.library else ""
    view.say("dim", f"Strategy {header.strategy}, model {header.model.spec}{planner}{library}, seed {header.seed}")


def _refuse_batch_options(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            _misuse(f"--{name} goes with --file; give one problem without it.")


def _refuse_single_options(problem: str | None, trace: Path | None) -> None:
    if problem is not None:
        _misuse("Give either a problem or --file, not both.")
    if trace is not None:
        _misuse("--trace goes with one problem; the runs of --file are in `reasonflux runs list`.")


def _misuse(message: str) -> NoReturn:
    from reasonflux.errors import UsageError

    raise UsageError(message)
