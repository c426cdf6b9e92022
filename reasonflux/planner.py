"""Proposing a template trajectory for a problem, and replacing what is left of one.

In *closed* planning the planner chooses from a shortlist retrieved for the raw problem; in *open* planning
(`reasonflux/open_plan.py`) it names what it wants, and the library matches that. Its reply is hostile input either
way: it is parsed with limits, sent back at most `max_repairs` times with what was wrong, and then gives way to a
one-step plan that is marked as a fallback.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from library.template import Template, name_key
from reasonflux.config import PlannerSettings
from reasonflux.context import Conversation, Render
from reasonflux.models.base import Message
from reasonflux.open_plan import open_plan_messages, open_plan_schema, parse_open_plan, plan_text
from reasonflux.plan_reading import GOAL_LIMIT, NAME_LIMIT, NO_TEMPLATE, Steps, read_steps
from reasonflux.prompts import clip, render
from reasonflux.types import Event, PlannedStep, Problem, TemplateRef, Trajectory

__all__ = [
    "GOAL_LIMIT",
    "NAME_LIMIT",
    "NO_TEMPLATE",
    "STAGE",
    "Proposal",
    "open_plan_messages",
    "open_plan_schema",
    "parse_open_plan",
    "parse_plan",
    "plan_schema",
    "plan_text",
    "propose",
]

STAGE = "plan"
BARE_STEPS = 2
"""Most steps of a closed plan made without any template to choose."""
FALLBACK_GOAL = "the quantity that the problem asks for"
DONE_GOAL_LIMIT = 60
_CLIPS = (1_500, 600, 200, 120)


@dataclass(frozen=True)
class Proposal:
    """A trajectory, the slugs the planner chose from, and what was wrong with replies before it."""

    trajectory: Trajectory
    shortlist: tuple[str, ...]
    problems: tuple[str, ...] = ()


def plan_schema(names: Sequence[str], max_steps: int) -> dict[str, Any]:
    """Return the JSON schema of a plan of at most `max_steps` steps that names templates of the shortlist."""
    words = {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 40}}
    template = {"type": "string", "enum": [*names, NO_TEMPLATE]}
    step = {
        "type": "object",
        "additionalProperties": False,
        "required": ["template", "goal"],
        "properties": {
            "template": template,
            "goal": {"type": "string", "minLength": 3, "maxLength": 120},
            "produces": words,
        },
    }
    most = max_steps if names else min(max_steps, BARE_STEPS)
    steps = {"type": "array", "minItems": 1, "maxItems": most, "items": step}
    return {"type": "object", "additionalProperties": False, "required": ["steps"], "properties": {"steps": steps}}


def parse_plan(text: str, templates: Sequence[Template], max_steps: int) -> tuple[Steps, str]:
    """Return the steps of a closed plan, each with its template's tags, or no steps and what is wrong with it."""
    tags = {name_key(template.name): template.tags for template in templates}
    return read_steps(text, max_steps, lambda name, written: tags.get(name_key(name), ()))


def propose(
    problem: Problem,
    templates: Sequence[tuple[str, Template]],
    conversation: Conversation,
    *,
    done: Sequence[str] = (),
    reason: str = "",
) -> Generator[Event, None, Proposal]:
    """Ask the planner for a trajectory, or for the rest of one when `done` and `reason` tell what went before.

    Args:
        problem: the problem, without its gold answer.
        templates: the shortlist as (slug, template) pairs, best first; open planning uses none.
        conversation: the run's model calls.
        done: one line for each step already carried out.
        reason: why the rest has to be planned anew.

    Returns:
        A proposal whose trajectory has origin `proposed`, `repaired` or, when no reply could be read, `fallback`.
    """
    settings = conversation.context.settings.planner
    mode: _Mode = _Open(settings) if settings.mode == "open" else _Closed(settings, [held for _, held in templates])
    shortlist = tuple(slug for slug, _ in templates) if settings.mode == "closed" else ()
    params = conversation.params(mode.max_tokens, schema=mode.schema())
    troubles: list[str] = []
    for attempt in range(settings.max_repairs + 1):
        prompt = _prompt(mode, problem, done, reason, troubles[-1] if troubles else "")
        completion = yield from conversation.ask("planner", STAGE, prompt, params)
        steps, trouble = mode.parse(completion.text)
        if steps:
            origin = "proposed" if attempt == 0 else "repaired"
            trajectory = Trajectory.model_validate({"steps": steps, "origin": origin})
            return Proposal(trajectory, shortlist, tuple(troubles))
        if completion.truncated:
            trouble = f"It was cut at {completion.usage.completion_tokens} tokens. {trouble}"
        troubles.append(trouble)
    step = PlannedStep(goal=FALLBACK_GOAL, template=mode.nearest())
    return Proposal(Trajectory(steps=(step,), origin="fallback"), shortlist, tuple(troubles))


class _Mode(Protocol):
    """One way of planning."""

    max_tokens: int

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of a plan."""
        ...

    def messages(self, level: int, problem: str, done: list[str], reason: str, trouble: str) -> list[Message]:
        """Return the prompt at a level of shortening, 0 the whole."""
        ...

    def parse(self, text: str) -> tuple[Steps, str]:
        """Return a reply's steps, or none and what is wrong with it."""
        ...

    def nearest(self) -> TemplateRef:
        """Return the template of the plan that stands in where none could be read; its name may be empty."""
        ...


class _Closed:
    """Planning by choosing from a shortlist, best first."""

    def __init__(self, settings: PlannerSettings, choices: Sequence[Template]) -> None:
        self.max_tokens, self._max_steps, self._choices = settings.max_tokens, settings.max_steps, choices

    def schema(self) -> dict[str, Any]:
        return plan_schema([template.name for template in self._choices], self._max_steps)

    def messages(self, level: int, problem: str, done: list[str], reason: str, trouble: str) -> list[Message]:
        shown = self._choices if level == 0 else self._choices[: max(1, len(self._choices) // 2)]
        return render(
            "plan",
            # The best match stands last, next to the problem: small models lean towards what they read last.
            shortlist=[{"name": t.name, "use": clip(use_of(t), 140 if level == 0 else 60)} for t in reversed(shown)],
            problem=problem,
            done=done,
            reason=reason,
            problems=trouble,
        )

    def parse(self, text: str) -> tuple[Steps, str]:
        return parse_plan(text, self._choices, self._max_steps)

    def nearest(self) -> TemplateRef:
        best = self._choices[0] if self._choices else None
        return TemplateRef(name=best.name, tags=best.tags) if best else TemplateRef(name="")


class _Open:
    """Planning by naming templates."""

    def __init__(self, settings: PlannerSettings) -> None:
        self.max_tokens, self._max_steps = settings.open_max_tokens, settings.max_steps

    def schema(self) -> dict[str, Any]:
        return open_plan_schema(self._max_steps)

    def messages(self, level: int, problem: str, done: list[str], reason: str, trouble: str) -> list[Message]:
        return open_plan_messages(problem, done=done, reason=reason, trouble=trouble)

    def parse(self, text: str) -> tuple[Steps, str]:
        return parse_open_plan(text, self._max_steps)

    def nearest(self) -> TemplateRef:
        return TemplateRef(name="")


def _prompt(mode: _Mode, problem: Problem, done: Sequence[str], reason: str, trouble: str) -> Render:
    def at(level: int) -> list[Message]:
        clipped = [clip(entry, _CLIPS[level]) for entry in done]
        return mode.messages(level, problem.text, clipped, clip(reason, 400), trouble)

    return at


def use_of(template: Template) -> str:
    """Return what a template is for, as a planner is shown it: the first sentence of its scope."""
    text = template.scope or template.description
    return text.split(". ")[0].rstrip(".")
