"""What tests of the reasoning core share: a model that is a function, templates, a tool without processes."""

import re
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from library.template import Example, Template, name_key
from reasonflux import assess, instantiator, planner
from reasonflux.config import SolveSettings
from reasonflux.context import Context
from reasonflux.models.base import Choice, Completion, Message, ModelInfo, SamplingParams, current_stage
from reasonflux.models.scripted import ScriptedModel
from reasonflux.reasoner import Reasoner
from reasonflux.types import Event, PlannedStep, Problem, RunFinished, Solution, TemplateRef, ToolCall, Usage

PROBE = "CANARY-PROBE-5521"
PROBLEM = Problem(text="What is the remainder when 7^100 is divided by 13?")
MANY = 40
_WORD = re.compile(r"\S+\s*|\s+")


def template(name: str, **changes: Any) -> Template:
    """Return a template with an example to show and a probe that must never be shown."""
    examples = (
        Example(problem=f"{PROBE} problem", answer="1", program=f"print('{PROBE}')", solution=PROBE, role="probe"),
        Example(problem=f"An instance of {name}.", answer="2", program="answer = 2"),
    )
    values = {"description": f"Does {name}.", "steps": ("Set up.", "Compute."), "examples": examples}
    return Template(name=name, **(values | changes))


@dataclass(frozen=True)
class Found:
    slug: str
    name: str
    score: float
    good: bool = True


@dataclass
class Offered:
    nearest: Sequence[Found]


@dataclass
class Templates:
    """A template source over a few templates: exact names score 1, all else `near`; `weak` are no good match."""

    held: Sequence[Template] = field(default_factory=lambda: [template(f"Method {letter}") for letter in "ABCDEFGH"])
    near: float = 0.2
    weak: Sequence[str] = ()
    queries: list[str] = field(default_factory=list)

    def find(self, query: str, k: int = 10) -> Offered:
        self.queries.append(query)
        return Offered([Found(held.slug, held.name, 0.9, held.slug not in self.weak) for held in self.held[:k]])

    def by_reference(self, name: str, tags: Sequence[str], k: int = 3) -> list[Found]:
        exact = [Found(held.slug, held.name, 1.0) for held in self.held if name_key(held.name) == name_key(name)]
        return (exact or [Found(held.slug, held.name, self.near) for held in self.held])[:k]

    def get(self, slug: str) -> Template:
        return next(held for held in self.held if held.slug == slug)

    def digest(self) -> str:
        return "sha256:test"


@dataclass
class Tool:
    """Gives outputs in order, the last again and again; a text is a success, a tuple has a status before it."""

    outputs: Sequence[str | tuple[str, str]] = ("answer = 9",)
    available: bool = True
    why_not: str = ""
    runs: list[tuple[str, str]] = field(default_factory=list)

    def run(self, program: str, prelude: str = "", epilogue: str = "") -> ToolCall:
        self.runs.append((program, prelude))
        output = self.outputs[min(len(self.runs), len(self.outputs)) - 1]
        status, text = output if isinstance(output, tuple) else ("ok", output)
        return ToolCall.model_validate({"program": program, "status": status, "output": text})


class Same:
    """Compares answers as texts."""

    def same(self, first: str, second: str) -> bool | None:
        return first.strip() == second.strip()


class Talker:
    """A chat model whose replies are a function of the stage and the messages. Tokens are words."""

    def __init__(self, reply: Callable[[str | None, list[Message]], str]) -> None:
        self._reply = reply
        self._lock = threading.Lock()
        self.calls: list[tuple[str | None, list[Message], SamplingParams]] = []
        self.info = ModelInfo(spec="talker:", backend="talker")

    def complete(self, messages: list[Message], params: SamplingParams) -> Completion:
        stage = current_stage.get()
        with self._lock:
            self.calls.append((stage, list(messages), params))
        words = _WORD.findall(self._reply(stage, messages))
        cut = len(words) > params.max_tokens
        kept = words[: params.max_tokens]
        choice = Choice(text="".join(kept), finish_reason="length" if cut else "stop")
        return Completion(choices=(choice,), usage=Usage(calls=1, prompt_tokens=1, completion_tokens=len(kept)))

    def stream(self, messages: list[Message], params: SamplingParams) -> Generator[str, None, Completion]:
        completion = self.complete(messages, params)
        yield from _WORD.findall(completion.text)
        return completion

    def close(self) -> None:
        """Hold nothing."""


def block(program: str) -> str:
    """Return a reply that holds one program."""
    return f"Apply the method.\n```python\n{program}\n```"


def plan_of(*steps: tuple[str, str] | str) -> dict[str, Any]:
    """Return the JSON of a plan; a step is a template's name, or a name and a goal."""
    pairs = [(step, f"quantity {number}") if isinstance(step, str) else step for number, step in enumerate(steps, 1)]
    return {"steps": [{"template": name, "goal": goal} for name, goal in pairs]}


def verdict(name: str, reason: str = "because") -> dict[str, Any]:
    return {"reason": reason, "verdict": name}


def planned(name: str, goal: str = "a quantity") -> PlannedStep:
    return PlannedStep(goal=goal, template=TemplateRef(name=name))


def scripted(
    *,
    plan: Sequence[Any] = (),
    step: Sequence[Any] = (),
    judge: Sequence[Any] = (),
    check: Sequence[Any] = (r"So \boxed{9}.",),
) -> ScriptedModel:
    """Return a scripted model; the last reply of each stage comes again and again."""
    stages = {planner.STAGE: plan, instantiator.STAGE: step, assess.STAGE: judge, assess.CHECK_STAGE: check}
    return ScriptedModel(
        by_stage={stage: [*replies, *([replies[-1]] * MANY)] for stage, replies in stages.items() if replies}
    )


def context(model: Any, *, tool: Any = None, source: Any = None, planner_model: Any = None, **options: Any) -> Context:
    """Return a context over test doubles; `options` are settings."""
    return Context(
        run_id="run-1",
        model=model,
        settings=SolveSettings.model_validate(options),
        planner=planner_model,
        templates=source if source is not None else Templates(),
        tools=tool if tool is not None else Tool(),
        answers=Same(),
    )


def solve(made: Context, problem: Problem = PROBLEM) -> list[Event]:
    return list(Reasoner(made).solve(problem))


def of(events: Iterable[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def solution_of(events: Sequence[Event]) -> Solution:
    """Return the solution of a run, which has to stand in its last event and nowhere else."""
    assert [isinstance(event, RunFinished) for event in events].count(True) == 1
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last.solution


def prompts_of(model: Any, stage: str | None = None) -> list[str]:
    """Return the text of each request, all messages joined."""
    if isinstance(model, Talker):
        pairs = [(name, messages) for name, messages, _ in model.calls]
    else:
        pairs = [(request.stage, list(request.messages)) for request in model.requests]
    return ["\n".join(m.content for m in messages) for name, messages in pairs if stage in (None, name)]
