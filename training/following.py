"""Following a trajectory on a problem: π_inf(x, T_traj) of Yang et al. 2025, section 3.2.

Templates are fixed; nothing is assessed and nothing revised. `steps` is the loop that solving uses, a call a step;
`single` puts the whole trajectory with its templates into one call whose prompt ends with the problem, so that all
problems of a trajectory share their prompt up to there: what small hardware can afford.
"""

import threading
import time
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path

from library.template import Example, Template
from reasonflux import instantiator
from reasonflux.answers import extract
from reasonflux.context import Context, Conversation
from reasonflux.errors import BudgetExhausted, ContextOverflow, ModelError, SandboxUnavailable
from reasonflux.models.base import Message, ModelInfo
from reasonflux.prompts import clip, prompt_version, render
from reasonflux.reasoner import Reasoner
from reasonflux.types import Event, ModelCalled, Noticed, RunFinished, ToolCall, ToolCalled, Usage
from training.engines.base import Cause, Job, Result, WorkerLost
from training.rollout_settings import FollowSettings

STAGE = "follow"
_PROMPTS = {"steps": ("step", "step_words", "repair"), "single": ("follow", "repair")}
_CLIP = 2_000


def follow_version(mode: str) -> str:
    """Return a digest over the prompts that following uses, so that changes of others keep outcomes valid."""
    return prompt_version(*_PROMPTS[mode])


class Follower:
    """Follows trajectories within one context. Thread-safe; a worker of an engine."""

    def __init__(self, context: Context, settings: FollowSettings) -> None:
        """Take a context whose settings are `settings.solve_settings()`; `close` closes its model."""
        self._context = context
        self._settings = settings
        self._stop = threading.Event()

    @property
    def info(self) -> ModelInfo:
        """Facts on the model."""
        return self._context.model.info

    def __call__(self, job: Job) -> Result:
        """Follow a job's trajectory and return the answer it led to, or why that is not known.

        Raises:
            WorkerLost: the model does not answer, or the worker was closed meanwhile.
        """
        started = time.monotonic()
        run = _Run()
        try:
            for event in self._events(job, run):
                run.see(event)
                if self._stop.is_set():
                    raise WorkerLost("the engine was closed")
                if time.monotonic() - started > self._settings.limit_seconds:
                    return run.result(job, started, "time-out", f"after {self._settings.limit_seconds:g} s")
        except ContextOverflow as error:
            return run.result(job, started, "context", str(error))
        except SandboxUnavailable as error:
            return run.result(job, started, "sandbox", str(error))
        except ModelError as error:
            raise WorkerLost(str(error)) from error
        return run.result(job, started, *run.trouble())

    def close(self) -> None:
        """Stop what runs at its next step and free the model."""
        self._stop.set()
        self._context.model.close()

    def _events(self, job: Job, run: "_Run") -> Iterator[Event]:
        if self._settings.follow_mode == "single":
            return _single(job, self._context, run)
        return Reasoner(self._context).follow(job.problem, job.trajectory, dict(enumerate(job.templates)))


class _Run:
    """What one run has shown so far."""

    def __init__(self) -> None:
        self.answer: str | None = None
        self.usage = Usage()
        self.last_call: ToolCall | None = None
        self.overflow: str | None = None

    def see(self, event: Event) -> None:
        match event:
            case ModelCalled(call=call):
                self.usage = self.usage + call.usage
            case ToolCalled(call=call):
                self.last_call = call
            case RunFinished(solution=solution):
                self.answer = solution.answer
                if "context_overflow" in solution.flags:
                    self.overflow = "the prompt does not fit the model's context"

    def trouble(self) -> tuple[Cause | None, str]:
        """Return why a run that came to its end says nothing of its trajectory, if so."""
        if self.answer is not None:
            return None, ""
        if self.overflow is not None:
            return "context", self.overflow
        if self.last_call is not None and self.last_call.status == "timeout":
            return "time-out", "the last program ran out of time"
        if self.last_call is not None and self.last_call.status == "refused":
            return "sandbox", self.last_call.output
        return None, ""

    def result(self, job: Job, started: float, unknown: Cause | None, note: str) -> Result:
        return Result(
            key=job.key,
            answer=self.answer if unknown is None else None,
            unknown=unknown,
            note=clip(note, 300),
            usage=self.usage,
            seconds=round(time.monotonic() - started, 3),
        )


def load_follower(spec: str, weights_dir: Path, settings: FollowSettings, *, slots: int = 1) -> Follower:
    """Return a follower with a model of its own, in whatever process this is called.

    Raises:
        UsageError: the spec names nothing that exists.
        WeightsError: the named weights are not here.
        ModelUnavailable: the model can't be loaded.
    """
    from reasonflux.models import load_model
    from reasonflux.tools.python import PythonTool

    context = Context(
        run_id=STAGE,
        model=load_model(spec, weights_dir=weights_dir, slots=slots),
        settings=settings.solve_settings(),
        tools=PythonTool() if settings.follow_tools else None,
    )
    return Follower(context, settings)


def _single(job: Job, context: Context, run: _Run) -> Generator[Event, None, None]:
    """Carry the whole trajectory out in one call, and a call more for each repair."""
    settings = context.settings.instantiator
    tool = context.tools
    programs = settings.tools and tool is not None and tool.available
    conversation = Conversation(context)
    exchange: list[Message] = []
    try:
        for repair in range(settings.max_repairs + 1):
            params = conversation.params(
                settings.max_tokens,
                seed_offset=repair,
                temperature=None if repair == 0 else instantiator.VARIED_TEMPERATURE,
            )
            prompt = partial(_prompt, job, programs, tuple(exchange))
            completion = yield from conversation.ask("instantiator", STAGE, prompt, params)
            program = instantiator.last_program(completion.text) if programs else None
            if program is None or tool is None:
                run.answer = extract(completion.text, truncated=completion.truncated).answer
                if run.answer is not None or not programs:
                    return
                trouble = instantiator.NO_PROGRAM
            else:
                call = tool.run(program, "", instantiator.SHOW_ANSWER)
                yield ToolCalled(step=len(job.templates) - 1, call=call)
                run.answer = instantiator.answer_of(call.output) if call.status == "ok" else None
                if run.answer is not None:
                    return
                trouble = call.output if call.status != "ok" else "It set no variable answer that holds a value."
            exchange = [Message(role="assistant", content=completion.text), *render("repair", error=clip(trouble, 600))]
    except BudgetExhausted as error:
        # What the budget does not allow for is the trajectory's doing: no answer, and that is known.
        yield Noticed(stage=STAGE, message=str(error))


def _prompt(job: Job, programs: bool, exchange: tuple[Message, ...], level: int) -> list[Message]:
    steps = [
        {"goal": step.goal, "template": template, "example": _example(template) if programs and level == 0 else None}
        for step, template in zip(job.trajectory.steps, job.templates, strict=True)
    ]
    limit = _CLIP // (level + 1)
    shown = [message.model_copy(update={"content": clip(message.content, limit)}) for message in exchange]
    return [*render("follow", programs=programs, steps=steps, problem=job.problem.text), *shown]


def _example(template: Template | None) -> Example | None:
    return instantiator.worked_example(template) if template is not None else None
