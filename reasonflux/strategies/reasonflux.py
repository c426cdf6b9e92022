"""The planned strategy: a template trajectory, executed step by step, assessed and revised."""

from collections.abc import Iterator

from reasonflux.context import Context
from reasonflux.reasoner import Reasoner
from reasonflux.types import Event, Problem


def planned(problem: Problem, context: Context) -> Iterator[Event]:
    """Solve `problem` with a trajectory of templates."""
    return Reasoner(context).solve(problem)
