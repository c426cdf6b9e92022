"""How the statistics of a library look on the screen."""

from pathlib import Path
from typing import TYPE_CHECKING

from reasonflux.commands.console import clean

if TYPE_CHECKING:
    from library.statistics import Statistics

_SHOWN_TAGS = 10
_BAR = 30


def stats_lines(found: "Statistics", library: Path) -> list[str]:
    """Return the statistics of a library as lines for a person."""
    scope = "all" if found.scope is None else found.scope
    lines = [
        f"{library}: {found.active} active, {found.draft} draft, {found.retired} retired templates",
        "",
        f"Fields and topics ({scope} templates)",
    ]
    for field, number in found.fields.items():
        lines.append(f"  {field} ({number})")
        lines += [f"    {topic} ({many})" for topic, many in found.topics[field].items()]
    shown = [f"{tag} ({number})" for tag, number in list(found.tags.items())[:_SHOWN_TAGS]]
    lines += ["", f"Tags: {len(found.tags)}", *(["  most used: " + ", ".join(shown)] if shown else [])]
    steps = found.steps
    if steps["templates"]:
        lines += ["", f"Steps a template: {steps['least']} to {steps['most']}, {steps['mean']} on average"]
        most = max(steps["templates"].values())
        for number, many in steps["templates"].items():
            lines.append(f"  {number:>3}  {many:>5}  {'#' * max(1, round(many / most * _BAR))}")
    examples = found.examples
    lines += [
        "",
        f"Examples: {examples['total']} ({examples['index']} index, {examples['probe']} probe), "
        f"{examples['with_solution']} with a solution, {examples['with_program']} with a program, "
        f"{examples['with_check']} with a check",
        "",
        "Coverage: templates that have",
    ]
    for part, number in found.coverage.items():
        share = f"{number / found.templates:.0%}" if found.templates else "-"
        lines.append(f"  {part.replace('_', ' '):<14} {number:>5}  {share}")
    usage = found.usage
    success = "-" if usage["success"] is None else f"{usage['success']:.0%}"
    lines += [
        "",
        f"Usage: planned {usage['planned']}, retrieved {usage['retrieved']}, solved {usage['solved']} times "
        f"(success {success}); {usage['never_retrieved']} templates were never retrieved",
    ]
    return [clean(line) for line in lines]
