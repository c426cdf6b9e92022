"""The options of every command that runs a model on a problem."""

from enum import StrEnum
from typing import Annotated

import typer


class PlanningMode(StrEnum):
    """How templates come into a plan."""

    CLOSED = "closed"
    OPEN = "open"


ProblemArgument = Annotated[
    str | None, typer.Argument(metavar="PROBLEM", help="The problem's text, or - to read it from stdin.")
]
StrategyOption = Annotated[
    str | None,
    typer.Option(
        "--strategy", envvar="REASONFLUX_STRATEGY", help="How to solve: reasonflux or cot.", show_default="reasonflux"
    ),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        envvar="REASONFLUX_MODEL",
        help="The model that works the steps.",
        show_default="llamacpp:qwen2.5-coder-1.5b",
    ),
]
PlannerOption = Annotated[
    str | None,
    typer.Option(
        "--planner", envvar="REASONFLUX_PLANNER", help="The model that plans and assesses.", show_default="as --model"
    ),
]
PlanningOption = Annotated[
    PlanningMode | None,
    typer.Option(
        "--planning",
        envvar="REASONFLUX_PLANNING",
        help="How to plan: closed chooses from a shortlist, open names templates that the library matches.",
        show_default="closed",
    ),
]
BudgetOption = Annotated[
    int | None,
    typer.Option(
        "--budget", envvar="REASONFLUX_BUDGET", min=1, metavar="TOKENS", help="Completion tokens a run may use."
    ),
]
RevisionsOption = Annotated[
    int | None,
    typer.Option(
        "--max-revisions", envvar="REASONFLUX_MAX_REVISIONS", min=0, metavar="N", help="Times a plan may be revised."
    ),
]
SeedOption = Annotated[int | None, typer.Option("--seed", envvar="REASONFLUX_SEED", help="Seed of the sampler.")]
NoToolsOption = Annotated[bool, typer.Option("--no-tools", help="Run no programs.")]
NoCacheOption = Annotated[
    bool, typer.Option("--no-prompt-cache", help="Read every prompt anew (repeats are then equal to the bit).")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Show the result only.")]
