"""Proposing a template trajectory for a problem, and replacing what is left of one.

The planner chooses from a shortlist retrieved for the raw problem. Its reply is hostile input: it is parsed with
limits, sent back at most `max_repairs` times with what was wrong, and then gives way to a one-step plan that is
marked as a fallback.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from library.template import Template, name_key
from reasonflux.context import Conversation, Render
from reasonflux.parsing import find_object
from reasonflux.prompts import clip, render
from reasonflux.types import Event, PlannedStep, Problem, TemplateRef, Trajectory

STAGE = "plan"
GOAL_LIMIT = 200
NAME_LIMIT = 200
NO_TEMPLATE = "none"
"""What a planner writes for a step that no template of the shortlist fits."""
BARE_STEPS = 2
"""Most steps of a plan made without any template to choose."""
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


def parse_plan(text: str, templates: Sequence[Template], max_steps: int) -> tuple[tuple[PlannedStep, ...], str]:
    """Return the steps a reply holds, or no steps and one sentence on what is wrong with it."""
    data = find_object(text)
    if data is None:
        return (), "It holds no JSON object." if text.strip() else "It was empty."
    raw_steps = data.get("steps")
    if not isinstance(raw_steps, list) or not raw_steps:
        return (), 'It has no list "steps" with at least one step.'
    if len(raw_steps) > max_steps:
        return (), f"It has {len(raw_steps)} steps; at most {max_steps} are allowed."
    tags = {name_key(template.name): template.tags for template in templates}
    steps = []
    for number, raw in enumerate(raw_steps, 1):
        if not isinstance(raw, dict):
            return (), f"Step {number} is not an object."
        goal, reference = raw.get("goal"), raw.get("template")
        if isinstance(reference, dict):
            reference = reference.get("name")
        if not isinstance(goal, str) or not goal.strip():
            return (), f'Step {number} has no "goal".'
        if not isinstance(reference, str) or not reference.strip():
            return (), f'Step {number} has no "template".'
        name = "" if reference.strip().lower() == NO_TEMPLATE else reference.strip()[:NAME_LIMIT]
        steps.append(
            PlannedStep(
                goal=clip(" ".join(goal.split()), GOAL_LIMIT),
                template=TemplateRef(name=name, tags=tags.get(name_key(name), ())),
                needs=_words(raw.get("needs")),
                produces=_words(raw.get("produces")),
            )
        )
    return tuple(steps), ""


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
        templates: the shortlist as (slug, template) pairs, best first.
        conversation: the run's model calls.
        done: one line for each step already carried out.
        reason: why the rest has to be planned anew.

    Returns:
        A proposal whose trajectory has origin `proposed`, `repaired` or, when no reply could be read, `fallback`.
    """
    settings = conversation.context.settings.planner
    choices = [template for _, template in templates]
    params = conversation.params(
        settings.max_tokens, schema=plan_schema([template.name for template in choices], settings.max_steps)
    )
    troubles: list[str] = []
    for attempt in range(settings.max_repairs + 1):
        prompt = _prompt(problem, choices, done, reason, troubles[-1] if troubles else "")
        completion = yield from conversation.ask("planner", STAGE, prompt, params)
        steps, trouble = parse_plan(completion.text, choices, settings.max_steps)
        if steps:
            origin = "proposed" if attempt == 0 else "repaired"
            return Proposal(
                Trajectory.model_validate({"steps": steps, "origin": origin}),
                tuple(slug for slug, _ in templates),
                tuple(troubles),
            )
        if completion.truncated:
            trouble = f"It was cut at {completion.usage.completion_tokens} tokens. {trouble}"
        troubles.append(trouble)
    return Proposal(_fallback(choices), tuple(slug for slug, _ in templates), tuple(troubles))


def _prompt(problem: Problem, choices: Sequence[Template], done: Sequence[str], reason: str, trouble: str) -> Render:
    def at(level: int) -> list[Any]:
        shown = choices if level == 0 else choices[: max(1, len(choices) // 2)]
        return render(
            "plan",
            # The best match stands last, next to the problem: small models lean towards what they read last.
            shortlist=[{"name": t.name, "use": clip(_use(t), 140 if level == 0 else 60)} for t in reversed(shown)],
            problem=problem.text,
            done=[clip(entry, _CLIPS[level]) for entry in done],
            reason=clip(reason, 400),
            problems=trouble,
        )

    return at


def _use(template: Template) -> str:
    text = template.scope or template.description
    return text.split(". ")[0].rstrip(".")


def _fallback(choices: Sequence[Template]) -> Trajectory:
    best = choices[0] if choices else None
    reference = TemplateRef(name=best.name, tags=best.tags) if best else TemplateRef(name="")
    return Trajectory(steps=(PlannedStep(goal=FALLBACK_GOAL, template=reference),), origin="fallback")


def _words(raw: object) -> tuple[str, ...]:
    if not isinstance(raw, list):
        return ()
    return tuple(clip(item.strip(), 60) for item in raw[:3] if isinstance(item, str) and item.strip())
