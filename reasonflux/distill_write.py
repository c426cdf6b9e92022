"""Asking a chat model for the template that some worked problems share, and reading its reply as hostile input.

A reply that can't be read, copies from the prompt or lints badly is sent back at most `max_repairs` times with what
was wrong. The examples are never the model's: they are the problems the template was made from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from library.lint import Finding, Rules, lint_template
from library.template import Example, Template, name_key
from library.validation import listed, validated
from library.wording import same_order, words
from reasonflux.distill_groups import Group, Worked
from reasonflux.models.base import Message, SamplingParams
from reasonflux.models.caller import ModelCaller
from reasonflux.parsing import find_object
from reasonflux.prompts import clip, render

STAGE = "distill"
MAX_TOKENS = 700
"""Completion tokens of one reply."""
SHOWN = 4
"""Most worked problems shown."""
VARIED_TEMPERATURE = 0.7
_CLIPS = (900, 500, 300, 150)
_COPIED_WORDS = 10
_LIMITS = {"name": 80, "description": 400, "scope": 300, "step": 250, "tag": 40}
_MAX_STEPS = 8
_MAX_TAGS = 5


@dataclass(frozen=True, slots=True)
class Written:
    """A template, or why there is none.

    Attributes:
        reason: `unreadable` or `lint` where there is none.
        detail: what was wrong with the last reply, in words.
        findings: the lint errors of the last reply.
    """

    template: Template | None
    reason: Literal["unreadable", "lint"] | None = None
    detail: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a template is made from, and what it has to keep.

    Attributes:
        group: the problems; only those of the half for making are shown.
        tags: tags to choose from; the model may invent others.
        rules: the lint rules; a finding of severity error refuses the template.
        facts: fields of the template that are not the model's (field, topic, source, author).
    """

    group: Group
    tags: Sequence[str]
    rules: Rules
    facts: dict[str, str]
    seed: int = 0
    max_repairs: int = 2
    cache_prompt: bool = True


def schema() -> dict[str, Any]:
    """Return the JSON schema of a reply."""

    def text(part: str, least: int) -> dict[str, Any]:
        return {"type": "string", "minLength": least, "maxLength": _LIMITS[part]}

    properties = {
        "name": text("name", 8),
        "description": text("description", 40),
        "scope": text("scope", 30),
        "steps": {"type": "array", "minItems": 3, "maxItems": 6, "items": text("step", 15)},
        "tags": {"type": "array", "minItems": 2, "maxItems": 4, "items": text("tag", 3)},
    }
    return {"type": "object", "additionalProperties": False, "required": list(properties), "properties": properties}


def write(wanted: Wanted, caller: ModelCaller) -> Written:
    """Return the template a model writes for a group, as a draft with two of the group's problems as examples.

    Raises:
        BudgetExhausted: no token is left.
        ModelError: the model could not answer, or the problems do not fit its context.
    """
    examples = choose_examples(wanted.group.making, wanted.rules)
    written = Written(None)
    for attempt in range(wanted.max_repairs + 1):
        completion = caller.complete(
            STAGE,
            _prompt(wanted, written.detail, 0),
            SamplingParams(
                temperature=0.0 if attempt == 0 else VARIED_TEMPERATURE,
                max_tokens=MAX_TOKENS,
                seed=wanted.seed + attempt,
                json_schema=schema(),
                cache_prompt=wanted.cache_prompt,
            ),
            shrink=lambda messages, level, detail=written.detail: _prompt(wanted, detail, level),  # type: ignore[misc]
        )
        written = _judged(completion.text, wanted, examples)
        if written.template is not None:
            return written
        if completion.truncated and written.reason == "unreadable":
            written = Written(None, "unreadable", f"It was cut at {MAX_TOKENS} tokens. {written.detail}")
    return written


def choose_examples(making: Sequence[Worked], rules: Rules) -> tuple[Example, ...]:
    """Return an `index` and a `probe` example: problems that lint well, and do not read alike.

    There is no probe where every other problem reads like the first.
    """
    sound = [worked for worked in making if not _errors(_bare(_example(worked)), rules, "examples")]
    ordered = sound or list(making)
    index = ordered[0]
    shown = words(index.problem)
    alike = {worked.hash: same_order(words(worked.problem), shown) for worked in ordered[1:]}
    probe = min(ordered[1:], key=lambda worked: alike[worked.hash], default=None)
    if probe is None or alike[probe.hash] > rules.options.limits.probe_similarity:
        return (_example(index),)
    return _example(index), _example(probe).model_copy(update={"role": "probe"})


def _example(worked: Worked) -> Example:
    return Example(problem=worked.problem, answer=worked.answer, solution=worked.solution, grader=worked.grader)


def _bare(example: Example) -> Template:
    return Template(name="-", description="-", steps=("-",), examples=(example,))


def _errors(template: Template, rules: Rules, where: str = "") -> tuple[Finding, ...]:
    found = lint_template(template, rules)
    return tuple(item for item in found if item.severity == "error" and item.where.startswith(where))


def _judged(text: str, wanted: Wanted, examples: tuple[Example, ...]) -> Written:
    data, trouble = _read(text)
    if data is None:
        return Written(None, "unreadable", trouble)
    copied = _copied_from(data, _sources(wanted))
    if copied:
        return Written(None, "unreadable", copied)
    template, reasons = validated(data | wanted.facts | {"examples": examples, "status": "draft"})
    if template is None:
        return Written(None, "unreadable", clip(f"{listed(reasons)}.", 400))
    errors = _errors(template, wanted.rules)
    if errors:
        told = "; ".join(f"{item.where} {item.message} ({item.code})".strip() for item in errors[:4])
        return Written(None, "lint", clip(f"{told}.", 600), errors)
    return Written(template)


def _read(text: str) -> tuple[dict[str, Any] | None, str]:
    """Return the fields a reply holds with their spaces folded, or None and one sentence on what is wrong."""
    data = find_object(text)
    if data is None:
        return None, "It holds no whole JSON object." if text.strip() else "It was empty."
    fields: dict[str, Any] = {}
    for part in ("name", "description", "scope"):
        value = data.get(part)
        if not isinstance(value, str) or not value.strip():
            return None, f'It has no text "{part}".'
        fields[part] = " ".join(value.split())
    for part, most in (("steps", _MAX_STEPS), ("tags", _MAX_TAGS)):
        values = data.get(part)
        if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
            return None, f'It has no list "{part}" of texts.'
        kept = [" ".join(value.split()) for value in values if value.strip()]
        if not kept or len(kept) > most:
            return None, f'Its list "{part}" has {len(kept)} entries, not 1 to {most}.'
        fields[part] = kept
    # One spelling each: a tag said twice is no reason to ask again.
    fields["tags"] = list({name_key(tag): tag.lower() for tag in fields["tags"]}.values())
    for part, value in _texts(fields):
        if len(value) > _LIMITS[part]:
            return None, f"Its {part} has {len(value)} characters, more than {_LIMITS[part]}."
    return fields, ""


def _texts(fields: dict[str, Any]) -> Iterable[tuple[str, str]]:
    yield from ((part, fields[part]) for part in ("name", "description", "scope"))
    yield from (("step", step) for step in fields["steps"])
    yield from (("tag", tag) for tag in fields["tags"])


def _sources(wanted: Wanted) -> list[tuple[str, str]]:
    """Return what was shown, each text with what to call it."""
    system = _prompt(wanted, "", 0)[0].content
    shown = enumerate(wanted.group.making[:SHOWN], start=1)
    return [("the instructions", system), *((f"problem {number}", worked.problem) for number, worked in shown)]


def _copied_from(fields: dict[str, Any], sources: Sequence[tuple[str, str]]) -> str:
    """Return a sentence about the first text that takes a long row of words over from what was shown, or nothing."""
    rows = {row: name for name, text in sources for row in _rows(text)}
    for part, value in _texts(fields):
        copied = next((rows[row] for row in _rows(value) if row in rows), None)
        if copied is not None:
            return f"Its {part} is copied from {copied}."
    return ""


def _rows(text: str) -> Iterable[tuple[str, ...]]:
    found = words(text)
    return (tuple(found[at : at + _COPIED_WORDS]) for at in range(len(found) - _COPIED_WORDS + 1))


def _prompt(wanted: Wanted, feedback: str, level: int) -> list[Message]:
    limit = _CLIPS[level]
    shown = wanted.group.making[: SHOWN if level == 0 else max(2, SHOWN - level)]
    return render(
        "distill",
        tags=wanted.tags if level < 2 else (),
        records=[
            {
                "problem": clip(worked.problem, limit),
                "solution": clip(worked.solution, limit),
                "answer": clip(worked.answer, 100),
            }
            for worked in shown
        ],
        feedback=clip(feedback, limit),
    )
