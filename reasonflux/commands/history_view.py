"""How changes of a library look on the screen and as JSON documents."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reasonflux.commands.console import clean

if TYPE_CHECKING:
    from library.changelog import Change, Part

SHOWN_PARTS = 10
_LONGEST = 300


def document(change: "Change", parts: "Sequence[Part]") -> dict[str, Any]:
    """Return a change with the whole of each template before and after it."""
    return {
        "change": change.id,
        "first": change.first,
        "at": change.at,
        "who": change.who,
        "action": change.action,
        "templates": [
            {"slug": part.slug, "action": part.action, "before": part.before, "after": part.after} for part in parts
        ],
    }


def change_lines(change: "Change", parts: "Sequence[Part]") -> list[str]:
    """Return a change for a person: who, when, what, and what became of each of the `parts` given."""
    from library.undo import numbers

    lines = [f"{numbers(change)}  {change.at[:19]} UTC  {change.who}  {change.action}"]
    for part in parts:
        if part.before is None:
            lines.append(f"  + {part.slug}")
        elif part.after is None:
            lines.append(f"  - {part.slug}")
        else:
            lines += [f"  {part.slug}", *difference_lines(part.before, part.after, indent="    ")]
    if change.templates > len(parts):
        lines.append(f"  and {change.templates - len(parts)} more templates")
    if not change.templates:
        lines.append("  no template was touched")
    return [clean(line) for line in lines]


def difference_lines(before: Mapping[str, Any], after: Mapping[str, Any], indent: str = "  ") -> list[str]:
    """Return the parts in which two dict forms differ, each as it was (`-`) and as it is (`+`)."""
    from library.changelog import differences

    lines = []
    for path, old, new in differences(before, after):
        for sign, value in (("-", old), ("+", new)):
            if value is not None:
                lines.append(clean(f"{indent}{sign} {path}: {_shown(value)}"))
    return lines


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        value = f"{value.get('problem', '')} -> {value.get('answer', '')} ({value.get('role', '')})"
    text = " ".join(str(value).split()) or "(empty)"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
