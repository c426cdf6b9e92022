"""From plain data to a template, with every refusal in a person's words and at its place."""

from typing import Any

from library.checking import Location, broken_rules, spelled
from library.errors import TemplateInvalid
from library.template import Example, Template

_MANY_REASONS = 3


def make_template(data: dict[str, Any]) -> Template:
    """Return the template that plain data describes.

    Raises:
        TemplateInvalid: it breaks a rule; the message names the parts.
    """
    template, reasons = validated(data)
    if template is None:
        raise TemplateInvalid(f"The template can't be used: {listed(reasons)}.")
    return template


def validated(data: dict[str, Any]) -> tuple[Template | None, list[tuple[Location, str]]]:
    """Return the template that plain data describes, or None and what is wrong: each place with a sentence."""
    from pydantic import ValidationError

    try:
        template = Template.model_validate(data)
    except ValidationError as error:
        return None, [(tuple(item["loc"]), _sentence(item)) for item in error.errors(include_url=False)]
    reasons = [(location, f"{spelled(location)} {reason}") for location, reason in broken_rules(template)]
    return (None, reasons) if reasons else (template, [])


def listed(reasons: list[tuple[Location, str]]) -> str:
    """Return what is wrong as one sentence, the first few reasons in words."""
    shown = [reason for _, reason in reasons[:_MANY_REASONS]]
    if len(reasons) > _MANY_REASONS:
        shown.append(f"and {len(reasons) - _MANY_REASONS} more")
    return "; ".join(shown)


def _sentence(error: Any) -> str:
    """Return what pydantic found as a person would say it."""
    import difflib

    location = tuple(error["loc"])
    where = spelled(location)
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "missing":
        return f"{where} is missing"
    if kind == "extra_forbidden":
        fields = (Example if location[:1] == ("examples",) and len(location) > 1 else Template).model_fields
        near = difflib.get_close_matches(str(location[-1]), list(fields), n=1)
        return f"{where} is no known field" + (f", did you mean {near[0]}?" if near else "")
    if kind == "string_too_short":
        return f"{where} is empty"
    if kind == "string_too_long":
        return f"{where} has {len(value)} characters, more than {context['max_length']}"
    if kind == "too_short":
        return f"{where} has {context['actual_length']} entries, fewer than {context['min_length']}"
    if kind == "too_long":
        return f"{where} has {context['actual_length']} entries, more than {context['max_length']}"
    if kind == "tuple_type":
        return f"{where} must be a list, not {kind_of(value)}"
    if kind == "string_type":
        return f"{where} must be text, not {kind_of(value)}"
    if kind == "string_unicode":
        return f"{where} holds half of a surrogate pair, which is no character"
    if kind in ("model_type", "model_attributes_type"):
        return f"{where} must be a mapping of fields, not {kind_of(value)}"
    if kind == "literal_error":
        return f"{where} must be {context['expected']}, not {str(value)[:60]!r}"
    return f"{where}: {error['msg']}"


def kind_of(value: Any) -> str:
    """Return what a value is, as people would say it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'the text "{value[:40]}"' if value else "nothing"
    return "a list" if isinstance(value, list) else "a mapping"
