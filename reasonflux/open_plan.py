"""Open planning, the paper's: the planner writes the name and the tags of each template, without a list to choose from.

The library then matches what was written, section 3.3 of the paper. Training rows, sampling and solving all use the
prompt and the text form of this module, so that what a planner is trained on is what it is asked.
"""

import json
from collections.abc import Sequence
from typing import Any

from reasonflux.models.base import Message
from reasonflux.plan_reading import Steps, read_steps, words
from reasonflux.prompts import render
from reasonflux.types import Trajectory

MOST_TAGS = 4


def open_plan_messages(
    problem_text: str, *, done: Sequence[str] = (), reason: str = "", trouble: str = ""
) -> list[Message]:
    """Return the messages that ask for an open plan.

    Args:
        problem_text: the problem.
        done: one line for each step already carried out.
        reason: why the rest has to be planned anew.
        trouble: what was wrong with the last reply.
    """
    return render("plan_open", problem=problem_text, done=list(done), reason=reason, problems=trouble)


def plan_text(trajectory: Trajectory) -> str:
    """Return a trajectory as the canonical text of an open plan: JSON on one line, keys in the order of the schema.

    A template has at most four tags in it; what a step needs and produces is left out.
    """
    steps = [
        {"template": step.template.name, "tags": list(step.template.tags[:MOST_TAGS]), "goal": step.goal}
        for step in trajectory.steps
    ]
    return json.dumps({"steps": steps}, ensure_ascii=False)


def open_plan_schema(max_steps: int) -> dict[str, Any]:
    """Return the JSON schema of an open plan of at most `max_steps` steps."""
    tags = {"type": "array", "minItems": 2, "maxItems": MOST_TAGS}
    step = {
        "type": "object",
        "additionalProperties": False,
        "required": ["template", "tags", "goal"],
        "properties": {
            "template": {"type": "string", "minLength": 3, "maxLength": 100},
            "tags": tags | {"items": {"type": "string", "minLength": 2, "maxLength": 40}},
            "goal": {"type": "string", "minLength": 3, "maxLength": 120},
        },
    }
    steps = {"type": "array", "minItems": 1, "maxItems": max_steps, "items": step}
    return {"type": "object", "additionalProperties": False, "required": ["steps"], "properties": {"steps": steps}}


def parse_open_plan(text: str, max_steps: int) -> tuple[Steps, str]:
    """Return the steps a reply holds, or no steps and one sentence on what is wrong with it."""
    return read_steps(text, max_steps, lambda name, tags: words(tags, MOST_TAGS))
