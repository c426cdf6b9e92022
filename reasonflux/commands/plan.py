"""`reasonflux plan`: the trajectory proposed for a problem, with the templates it retrieves."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reasonflux.commands import console
from reasonflux.commands.arguments import read_problem
from reasonflux.commands.options import (
    BudgetOption,
    ModelOption,
    NoCacheOption,
    PlannerOption,
    PlanningOption,
    ProblemArgument,
    QuietOption,
    SeedOption,
)

if TYPE_CHECKING:
    from reasonflux.commands.assemble import Choices
    from reasonflux.types import Match, PlanProposed, Problem


EPILOG = console.examples(
    'reasonflux plan "Find the remainder when 7^100 is divided by 13."',
    'echo "What is 2 + 2?" | reasonflux plan - --json',
    "reasonflux plan --queries queries.jsonl",
    "reasonflux plan --queries queries.jsonl --file problems.jsonl --resume",
)


def plan(
    problem: ProblemArgument = None,
    queries: Annotated[
        Path | None,
        typer.Option(
            "--queries",
            metavar="FILE",
            help="Plan the probe problems of the library, and write what each step asks it for, as JSON lines.",
        ),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="With --queries: plan the problems of this file instead."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="With --queries: plan the first N problems.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="With --queries: go on with the file of a run that was ended.")
    ] = False,
    model: ModelOption = None,
    planner: PlannerOption = None,
    planning: PlanningOption = None,
    budget: BudgetOption = None,
    seed: SeedOption = None,
    no_prompt_cache: NoCacheOption = False,
    library: console.LibraryOption = None,
    home: console.HomeOption = None,
    weights: console.WeightsOption = None,
    quiet: QuietOption = False,
    json: console.JsonOption = False,
    debug: console.DebugOption = False,
) -> None:
    """Show the plan for a problem: its steps and the templates they get.

    With --queries, many problems are planned to measure with `reasonflux library eval --queries` how well the
    library is found by what a planner asks for.
    """
    with console.reporting(debug=debug):
        from reasonflux.commands.assemble import Choices
        from reasonflux.commands.plan_queries import plan_queries
        from reasonflux.errors import UsageError

        if queries is None and (source is not None or limit is not None or resume):
            raise UsageError("--file, --limit and --resume go with --queries.")
        if queries is not None and problem is not None:
            raise UsageError("--queries plans many problems; give one in quotes without it, or a file with --file.")
        choices = Choices(
            model=model,
            planner=planner,
            planning=planning,
            library=library,
            home=home,
            weights=weights,
            strategy="reasonflux",
            budget=budget,
            seed=seed,
            tools=False,
            prompt_cache=not no_prompt_cache,
            quiet=quiet,
        )
        # What plans and nothing else: a planner given alone stands in for the model too, which is then not loaded.
        if choices.planner is not None:
            choices = replace(choices, model=choices.planner, planner=None)
        if queries is not None:
            raise typer.Exit(plan_queries(queries, source, choices, limit=limit, resume=resume, as_json=json))
        _plan(read_problem(problem), choices, as_json=json)


def _plan(problem: "Problem", choices: "Choices", *, as_json: bool) -> None:
    from reasonflux.commands import assemble, live
    from reasonflux.errors import ReasonFluxError, boundary
    from reasonflux.reasoner import Reasoner
    from reasonflux.runs import new_run_id

    stream = sys.stderr if as_json else sys.stdout
    proposed: PlanProposed | None = None
    matches: dict[int, Match] = {}
    calls: list[Any] = []
    with assemble.workbench(choices) as bench, live.view_on(stream, quiet=choices.quiet and as_json) as view:
        with boundary("plan"):
            for event in Reasoner(bench.context(new_run_id())).plan(problem):
                view.show(event)
                match event.kind:
                    case "plan_proposed":
                        proposed = event
                    case "template_retrieved":
                        matches[event.match.step] = event.match
                    case "model_called":
                        calls.append(event.call.usage)
        header = bench.header(problem, "")
    if proposed is None:
        raise ReasonFluxError("The planner ended without a plan.", stage="plan")
    if as_json:
        console.write_json(_document(problem, header, proposed, matches, calls))


def _document(
    problem: "Problem", header: Any, proposed: "PlanProposed", matches: "dict[int, Match]", calls: list[Any]
) -> dict[str, Any]:
    from reasonflux.types import Usage

    return {
        "id": problem.id,
        "problem": problem.text,
        "planner": header.planner.spec,
        "library": header.library,
        "seed": header.seed,
        "origin": proposed.trajectory.origin,
        "trajectory": [
            {
                "step": index + 1,
                "goal": step.goal,
                "wanted": step.template.model_dump(mode="json"),
                "template": matches[index].template if index in matches else None,
                "name": matches[index].name if index in matches else None,
                "score": matches[index].score if index in matches else None,
                "needs": list(step.needs),
                "produces": list(step.produces),
            }
            for index, step in enumerate(proposed.trajectory.steps)
        ],
        "shortlist": list(proposed.shortlist),
        "usage": sum(calls, Usage()).model_dump(mode="json"),
    }
