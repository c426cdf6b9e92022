"""Rules a template must keep wherever it comes from, beyond its shape."""

from collections.abc import Iterator

from library.errors import TemplateInvalid
from library.template import Template, name_key

Location = tuple[str | int, ...]


def broken_rules(template: Template) -> Iterator[tuple[Location, str]]:
    """Yield where a template breaks a rule, and how: `("steps", 1), "is empty"`."""
    # One look at everything spares nearly every template a look at each of its texts.
    every = "\n".join(text for _, text in texts_of(template))
    if "\0" in every or not _is_unicode(every):
        for location, text in texts_of(template):
            if "\0" in text:
                yield location, "holds a NUL character"
            elif not _is_unicode(text):
                yield location, "holds half of a surrogate pair, which is no character"
    for part, values in (("steps", template.steps), ("tags", template.tags)):
        for position, value in enumerate(values):
            if not value:
                yield (part, position), "is empty"
    seen: dict[str, int] = {}
    for position, tag in enumerate(template.tags):
        first = seen.setdefault(name_key(tag), position)
        if tag and first != position:
            yield ("tags", position), f'"{tag}" is the same tag as "{template.tags[first]}"'
        if len(tag) > 100:
            yield ("tags", position), f"has {len(tag)} characters, more than 100"
    for position, step in enumerate(template.steps):
        if len(step) > 5_000:
            yield ("steps", position), f"has {len(step)} characters, more than 5000"


def check(template: Template) -> None:
    """Refuse a template that breaks a rule.

    Raises:
        TemplateInvalid: naming the template, the part and the rule.
    """
    for location, reason in broken_rules(template):
        raise TemplateInvalid(f'The template "{template.name}" can\'t be stored: {spelled(location)} {reason}.')


def spelled(location: Location) -> str:
    """Return a location as people write it: `examples[2].answer`, counted from 1."""
    words = ""
    for part in location:
        words += f"[{part + 1}]" if isinstance(part, int) else (f".{part}" if words else part)
    return words


def texts_of(template: Template) -> Iterator[tuple[Location, str]]:
    """Yield every text of a template with its place."""
    for part in ("name", "description", "scope", "field", "topic", "source", "author"):
        yield (part,), getattr(template, part)
    for position, tag in enumerate(template.tags):
        yield ("tags", position), tag
    for position, step in enumerate(template.steps):
        yield ("steps", position), step
    for position, example in enumerate(template.examples):
        for part in ("problem", "answer", "solution", "program", "check"):
            yield ("examples", position, part), getattr(example, part) or ""


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
