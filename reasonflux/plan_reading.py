"""Reading the steps of a plan that a model wrote: hostile input, bounded and never trusted."""

from collections.abc import Callable
from typing import Any

from reasonflux.parsing import find_object
from reasonflux.prompts import clip
from reasonflux.types import PlannedStep, TemplateRef

GOAL_LIMIT = 200
NAME_LIMIT = 200
WORD_LIMIT = 60
NO_TEMPLATE = "none"
"""What a planner writes for a step that no template fits."""

Steps = tuple[PlannedStep, ...]


def read_steps(text: str, max_steps: int, tags_of: Callable[[str, Any], tuple[str, ...]]) -> tuple[Steps, str]:
    """Return the steps a reply holds, or no steps and one sentence on what is wrong with it.

    Args:
        text: the reply.
        max_steps: most steps it may have.
        tags_of: gives a step's tags from the name of its template and from what the reply says of tags.
    """
    data = find_object(text)
    if data is None:
        return (), "It holds no JSON object." if text.strip() else "It was empty."
    raw_steps = data.get("steps")
    if not isinstance(raw_steps, list) or not raw_steps:
        return (), 'It has no list "steps" with at least one step.'
    if len(raw_steps) > max_steps:
        return (), f"It has {len(raw_steps)} steps; at most {max_steps} are allowed."
    steps = []
    for number, raw in enumerate(raw_steps, 1):
        if not isinstance(raw, dict):
            return (), f"Step {number} is not an object."
        goal, reference, tags = raw.get("goal"), raw.get("template"), raw.get("tags")
        if isinstance(reference, dict):
            tags = reference.get("tags", tags)
            reference = reference.get("name")
        if not isinstance(goal, str) or not goal.strip():
            return (), f'Step {number} has no "goal".'
        if not isinstance(reference, str) or not reference.strip():
            return (), f'Step {number} has no "template".'
        name = "" if reference.strip().lower() == NO_TEMPLATE else reference.strip()[:NAME_LIMIT]
        steps.append(
            PlannedStep(
                goal=clip(" ".join(goal.split()), GOAL_LIMIT),
                template=TemplateRef(name=name, tags=tags_of(name, tags)),
                needs=words(raw.get("needs"), 3),
                produces=words(raw.get("produces"), 3),
            )
        )
    return tuple(steps), ""


def words(raw: object, most: int) -> tuple[str, ...]:
    """Return the texts among the first `most` entries of a list, clipped; none where it is no list."""
    if not isinstance(raw, list):
        return ()
    return tuple(clip(item.strip(), WORD_LIMIT) for item in raw[:most] if isinstance(item, str) and item.strip())
