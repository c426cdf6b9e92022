"""A workbench whose strategy is written down here, and a front door that uses it; run as a program, it is the CLI."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reasonflux.commands import assemble, console
from reasonflux.errors import ModelUnavailable
from reasonflux.grading import Grader
from reasonflux.models.base import ModelInfo
from reasonflux.runs import RunStore
from reasonflux.types import (
    AnswerFound,
    Assessment,
    Event,
    Match,
    ModelCall,
    ModelCalled,
    Noticed,
    PlannedStep,
    PlanProposed,
    PlanRevised,
    Problem,
    RunFinished,
    Solution,
    StepAssessed,
    StepFinished,
    StepResult,
    StepStarted,
    StepTrace,
    TemplateRef,
    TemplateRetrieved,
    TokenDelta,
    ToolCall,
    ToolCalled,
    Trajectory,
    TrajectoryEntry,
    Usage,
)

PLAN = (
    PlannedStep(goal="the remainders of the powers", template=TemplateRef(name="Cycle of powers")),
    PlannedStep(goal="the remainder wanted", template=TemplateRef(name="Reduce the exponent")),
)


class FakeModel:
    info = ModelInfo(spec="scripted:fake", backend="scripted", weights_sha256="0" * 64)

    def close(self) -> None:
        return None


def strategy(problem: Problem, context: Any) -> Iterator[Event]:
    """Tell a whole run; the problem's text steers it: `slow`, `none`, `broken`, or text to answer after `say `."""
    text = problem.text
    answer: str | None = text.partition("say ")[2] or "9"
    yield PlanProposed(trajectory=Trajectory(steps=PLAN))
    yield TemplateRetrieved(match=Match(step=0, template="cycle-of-powers", name="Cycle of powers", score=0.9))
    yield StepStarted(step=0, goal=PLAN[0].goal)
    if "slow" in text:
        time.sleep(float(os.environ.get("FAKE_SECONDS", "0.2")))
    if "broken" in text:
        raise ModelUnavailable("The server [/model/2013/a.jpg] is down.")
    yield TokenDelta(stage="step", text=f"thinking about {text}")
    call = ToolCall(program="print(pow(7, 100, 13))", status="ok", output="9\n", seconds=0.1)
    yield ToolCalled(step=0, call=call)
    usage = Usage(calls=1, prompt_tokens=100, cached_tokens=40, completion_tokens=20)
    yield ModelCalled(call=ModelCall(stage="step", model="fake", messages_hash="h", usage=usage, seconds=0.1))
    yield StepFinished(
        result=StepResult(step=0, output=f"It is {answer}", facts=(f"r = {answer}",), tool_calls=(call,))
    )
    assessment = Assessment(verdict="revise", reason=f"because {answer}")
    yield StepAssessed(step=0, assessment=assessment)
    yield PlanRevised(after_step=1, before=PLAN[1:], after=(), reason="nothing is left to do")
    yield Noticed(stage="assess", message=f"noticed {answer}")
    if "none" in text:
        answer = None
    else:
        yield AnswerFound(answer=answer or "", source="box")
    yield RunFinished(
        solution=Solution(
            answer=answer,
            status="answered" if answer is not None else "no_answer",
            trajectory=(TrajectoryEntry(step=1, goal=PLAN[0].goal, template="cycle-of-powers"),),
            steps=(StepTrace(goal=PLAN[0].goal, template=None, output="x", tool_calls=(call,), assessment=assessment),),
            revisions=1,
            usage=usage,
        )
    )


@contextmanager
def workbench(choices: assemble.Choices) -> Iterator[assemble.Workbench]:
    """Stand in for `assemble.workbench`: the real settings and store, a fake model, no library."""
    resolved = assemble.resolve(choices)
    with Grader() as grader:
        yield assemble.Workbench(
            resolved=resolved,
            strategy=strategy,
            model=FakeModel(),
            planner=None,
            templates=None,
            library_digest="sha256:" + "1" * 64,
            tools=None,
            answers=None,
            grader=grader,
            store=RunStore(resolved.home),
        )


def main() -> None:
    """Run the command line with the fake workbench."""
    import cli

    assemble.workbench = workbench
    console.start(lambda: cli.app(sys.argv[1:], prog_name="reasonflux"))


if __name__ == "__main__":
    main()
