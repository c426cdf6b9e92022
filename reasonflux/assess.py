"""Judging a step's result: δ_i = planner(T_traj, ŝ_i) (Yang et al. 2025, section 3.3).

What can be seen without a model is seen first: a step that gave nothing is redone or planned around. An
intermediate step is judged by the planner under a JSON schema. An answer is checked by an independent derivation
of the planner, made without the template and without sight of the answer, and the two values are compared.
"""

from collections.abc import Generator, Sequence
from typing import Any, get_args

from reasonflux.answers import extract
from reasonflux.context import Conversation, Render
from reasonflux.models.base import Message
from reasonflux.parsing import find_object
from reasonflux.prompts import clip, render
from reasonflux.types import Assessment, Event, PlannedStep, Problem, StepResult

STAGE = "assess"
CHECK_STAGE = "check"
_CLIPS = (1_500, 600, 200, 80)
_VERDICTS = get_args(Assessment.model_fields["verdict"].annotation)


def judge_schema(verdicts: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a judgement limited to `verdicts`."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["reason", "verdict"],
        "properties": {
            "reason": {"type": "string", "minLength": 3, "maxLength": 160},
            "verdict": {"type": "string", "enum": list(verdicts)},
        },
    }


def parse_judgement(text: str) -> Assessment:
    """Return the judgement a reply holds, `unknown` with the cause when it holds none."""
    data = find_object(text)
    if data is None:
        return Assessment(verdict="unknown", reason="The judgement held no JSON object.")
    verdict, reason = data.get("verdict"), data.get("reason")
    if verdict not in _VERDICTS:
        return Assessment(verdict="unknown", reason=f"The judgement's verdict was {clip(repr(verdict), 60)}.")
    return Assessment(verdict=verdict, reason=clip(reason, 300) if isinstance(reason, str) else "")


def judge(
    problem: Problem,
    steps: Sequence[PlannedStep],
    result: StepResult,
    conversation: Conversation,
    *,
    before: Sequence[StepResult] = (),
    verdicts: Sequence[str] = ("accept", "redo", "revise"),
) -> Generator[Event, None, Assessment]:
    """Return the planner's judgement of an intermediate step, `before` being the results accepted earlier."""
    if result.how == "nothing":
        return Assessment(verdict="redo", reason="The step's program never ran through.")
    settings = conversation.context.settings.assess
    params = conversation.params(settings.max_tokens, schema=judge_schema(verdicts))
    completion = yield from conversation.ask("planner", STAGE, _prompt(problem, steps, result, before), params)
    return parse_judgement(completion.text)


def derive(problem: Problem, conversation: Conversation) -> Generator[Event, None, str | None]:
    """Return the planner's own answer to the problem, derived without template or tool; None when it finds none."""
    settings = conversation.context.settings.assess
    params = conversation.params(settings.check_tokens)

    def at(_level: int) -> list[Message]:
        return render("cot", problem=problem.text)

    completion = yield from conversation.ask("planner", CHECK_STAGE, at, params)
    return extract(completion.text, truncated=completion.truncated).answer


def _prompt(problem: Problem, steps: Sequence[PlannedStep], result: StepResult, before: Sequence[StepResult]) -> Render:
    def at(level: int) -> list[Message]:
        return render(
            "assess",
            problem=problem.text,
            goals=[step.goal for step in steps],
            facts=[clip((done.facts or (done.output,))[0], _CLIPS[level]) for done in before],
            number=result.step + 1,
            goal=steps[result.step].goal,
            output=clip(result.output, _CLIPS[level]),
        )

    return at
