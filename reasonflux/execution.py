"""Driving a strategy to the one end every run has."""

import time
from collections.abc import Generator, Iterator

from reasonflux.context import Context, Strategy
from reasonflux.errors import ReasonFluxError, boundary
from reasonflux.types import (
    Event,
    ModelCalled,
    PlanProposed,
    PlanRevised,
    Problem,
    RunFinished,
    Solution,
    StepAssessed,
    StepFinished,
    StepStarted,
    StepTrace,
    TemplateRetrieved,
    TrajectoryEntry,
    Usage,
)


def execute(problem: Problem, context: Context, strategy: Strategy) -> Generator[Event, None, None]:
    """Yield the events of one run, the last of them its only `RunFinished`.

    A typed error leaving the strategy, or any other exception (wrapped by `boundary`), ends the run with a
    solution of status `failed` whose `error` holds the message. The final solution carries `context.run_id` and
    the wall seconds of the whole run. `KeyboardInterrupt` passes through, so an interrupted run has no end.
    """
    started = time.monotonic()
    seen = _SoFar()
    solution: Solution | None = None
    events: Iterator[Event] | None = None
    try:
        with boundary("strategy"):
            events = iter(strategy(problem, context))
        while solution is None:
            with boundary("strategy"):
                event = next(events, None)
            if event is None:
                raise ReasonFluxError("The strategy ended without a result.", stage="strategy")
            if isinstance(event, RunFinished):
                solution = event.solution
            else:
                seen.see(event)
                yield event
    except ReasonFluxError as error:
        solution = seen.failed(error)
    finally:
        close = getattr(events, "close", None)
        if close is not None:
            close()
    update = {"run_id": context.run_id, "seconds": round(time.monotonic() - started, 3)}
    yield RunFinished(solution=solution.model_copy(update=update))


class _SoFar:
    """What can be said of a run from the events seen, for the solution of a run that breaks."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.revisions = 0
        self.goals: dict[int, str] = {}
        self.plan: list[str] = []
        self.templates: dict[int, str | None] = {}
        self.steps: list[tuple[int, StepTrace]] = []

    def see(self, event: Event) -> None:
        if isinstance(event, ModelCalled):
            self.usage = self.usage + event.call.usage
        elif isinstance(event, PlanProposed):
            self.plan = [step.goal for step in event.trajectory.steps]
        elif isinstance(event, PlanRevised):
            self.revisions += 1
            self.plan[event.after_step :] = [step.goal for step in event.after]
        elif isinstance(event, TemplateRetrieved):
            self.templates[event.match.step] = event.match.template
        elif isinstance(event, StepStarted):
            self.goals[event.step] = event.goal
        elif isinstance(event, StepFinished):
            result = event.result
            trace = StepTrace(
                goal=self.goals.get(result.step, ""),
                template=self.templates.get(result.step),
                output=result.output,
                tool_calls=result.tool_calls,
            )
            self.steps.append((result.step, trace))
        elif isinstance(event, StepAssessed):
            for position in reversed(range(len(self.steps))):
                step, trace = self.steps[position]
                if step == event.step:
                    self.steps[position] = (step, trace.model_copy(update={"assessment": event.assessment}))
                    break

    def failed(self, error: ReasonFluxError) -> Solution:
        return Solution(
            answer=None,
            status="failed",
            trajectory=tuple(
                TrajectoryEntry(step=index + 1, goal=goal, template=self.templates.get(index))
                for index, goal in enumerate(self.plan)
            ),
            steps=tuple(trace for _, trace in self.steps),
            revisions=self.revisions,
            usage=self.usage,
            error=str(error),
        )
