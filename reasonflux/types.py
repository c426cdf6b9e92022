"""The frozen values that flow through a run, and the events a run is made of.

Every value has one dict form: `value.model_dump(mode="json")` to store, `Type.model_validate(data)` to read
back; `read_event` does so for any event. Symbols in brackets are those of Yang et al. 2025 (arXiv 2502.06772).
"""

import hashlib
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class Value(BaseModel):
    """Base of the frozen values: unknown keys are refused, nothing changes after construction."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Problem(Value):
    """A problem as a solver may see it: without its gold answer."""

    text: str = Field(min_length=1)
    wanted: str | None = None

    @property
    def id(self) -> str:
        """Identity of the problem: a hash of its content, tagged with the algorithm."""
        digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"sha256:{digest[:24]}"


class GradedProblem(Value):
    """A problem with its gold answer. Readers and graders hold it; strategies and stages never receive one."""

    problem: Problem
    gold: str | None = None
    grader: Literal["math", "text"] = "math"
    record_id: str | None = None


class TemplateRef(Value):
    """What a plan says of the template it wants [T_nam, T_tag]."""

    name: str
    tags: tuple[str, ...] = ()


class PlannedStep(Value):
    """One step s_i of a trajectory. Its goal names a kind of quantity, never the problem's own values."""

    goal: str
    template: TemplateRef
    needs: tuple[str, ...] = ()
    produces: tuple[str, ...] = ()


class Trajectory(Value):
    """A template trajectory T_traj = {s_1 … s_n}.

    `origin` says how it came about: proposed at once, proposed after repairs, or the visible one-step fallback
    that stands in for a plan that could not be parsed.
    """

    steps: tuple[PlannedStep, ...] = Field(min_length=1)
    origin: Literal["proposed", "repaired", "fallback", "given"] = "proposed"


class Match(Value):
    """The template the library returned for a step; `template` None means that none was good enough."""

    step: int
    template: str | None
    name: str | None = None
    score: float | None = None
    rank: int | None = None


class ToolCall(Value):
    """One program the model wrote and what running it gave.

    `status`: `ok`, `error` (the program raised), `timeout`, `memory`, `output`, `killed`, `refused` (tool off).
    """

    program: str
    status: Literal["ok", "error", "timeout", "memory", "output", "killed", "refused"]
    output: str
    detail: str = ""
    seconds: float = 0.0


class StepResult(Value):
    """The result ŝ_i of applying template i to the problem."""

    step: int
    output: str
    facts: tuple[str, ...] = ()
    answer: str | None = None
    how: Literal["computed", "reasoned", "nothing"] = "reasoned"
    tool_calls: tuple[ToolCall, ...] = ()
    truncated: bool = False


class Assessment(Value):
    """The planner's judgement δ_i of a step; `unknown` when it could not be read or could not be afforded."""

    verdict: Literal["accept", "redo", "revise", "finish", "give_up", "unknown"]
    reason: str = ""


class Usage(Value):
    """Tokens of one or more model calls; `cached_tokens` is the part of the prompt that was not read again."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum, field by field."""
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
        )


class ModelCall(Value):
    """The record of one call of a chat model, successful or not."""

    stage: str
    model: str
    messages_hash: str
    usage: Usage
    seconds: float
    finish_reason: str | None = None
    error: str | None = None


class StepTrace(Value):
    """One executed step as a solution reports it."""

    goal: str
    template: str | None
    output: str
    tool_calls: tuple[ToolCall, ...] = ()
    assessment: Assessment | None = None


class TrajectoryEntry(Value):
    """One planned step as a solution reports it."""

    step: int
    goal: str
    template: str | None


class Solution(Value):
    """What a run ends with. `answer` is None unless one was found; no error text ever stands there."""

    answer: str | None
    status: Literal["answered", "no_answer", "failed"]
    confidence: float | None = None
    flags: tuple[str, ...] = ()
    trajectory: tuple[TrajectoryEntry, ...] = ()
    steps: tuple[StepTrace, ...] = ()
    revisions: int = 0
    usage: Usage = Usage()
    seconds: float = 0.0
    run_id: str = ""
    error: str | None = None


class PlanProposed(Value):
    """The planner's first trajectory."""

    kind: Literal["plan_proposed"] = "plan_proposed"
    trajectory: Trajectory
    shortlist: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class TemplateRetrieved(Value):
    """A step's reference was matched with a template of the library."""

    kind: Literal["template_retrieved"] = "template_retrieved"
    match: Match


class StepStarted(Value):
    """Work on a step begins; `attempt` counts from 1."""

    kind: Literal["step_started"] = "step_started"
    step: int
    goal: str
    attempt: int = 1


class TokenDelta(Value):
    """A piece of visible model text. With `reset` what this stage has shown so far is withdrawn first."""

    kind: Literal["token_delta"] = "token_delta"
    stage: str
    text: str
    reset: bool = False


class ToolCalled(Value):
    """A program was run."""

    kind: Literal["tool_called"] = "tool_called"
    step: int
    call: ToolCall


class StepFinished(Value):
    """A step has a result."""

    kind: Literal["step_finished"] = "step_finished"
    result: StepResult


class StepAssessed(Value):
    """The planner judged a step's result."""

    kind: Literal["step_assessed"] = "step_assessed"
    step: int
    assessment: Assessment


class PlanRevised(Value):
    """The rest of the trajectory was replaced: `before` and `after` are the steps not yet executed."""

    kind: Literal["plan_revised"] = "plan_revised"
    after_step: int
    before: tuple[PlannedStep, ...]
    after: tuple[PlannedStep, ...]
    reason: str = ""


class AnswerFound(Value):
    """A final answer was extracted."""

    kind: Literal["answer_found"] = "answer_found"
    answer: str
    source: str


class ModelCalled(Value):
    """One call of a chat model, as its choke point recorded it."""

    kind: Literal["model_called"] = "model_called"
    call: ModelCall


class Noticed(Value):
    """Something a reader of the run should know: a repair, a fold of roles, a shortened prompt, a limit."""

    kind: Literal["noticed"] = "noticed"
    stage: str
    message: str


class RunFinished(Value):
    """The last event of every run."""

    kind: Literal["run_finished"] = "run_finished"
    solution: Solution


Event = (
    PlanProposed
    | TemplateRetrieved
    | StepStarted
    | TokenDelta
    | ToolCalled
    | StepFinished
    | StepAssessed
    | PlanRevised
    | AnswerFound
    | ModelCalled
    | Noticed
    | RunFinished
)

_EVENTS: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def read_event(data: object) -> Event:
    """Return the event whose dict form is `data`.

    Raises:
        pydantic.ValidationError: `data` is not the dict form of an event.
    """
    return _EVENTS.validate_python(data)
