"""The form in which a person edits a template: commented YAML that comes back with its errors marked as comments."""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from library.template import Template

MARK = "#! "
_FOLDED_BREAKS = ("\r", "\x85", "\u2028", "\u2029")

_HEAD = """\
# {title}
# Lines that begin with # are not read. Save and close the editor to {deed}; an empty file changes nothing.
"""

_ABOUT = {
    "name": "What it is called; unique in the library.",
    "tags": "Words it is found and grouped by, a list: - factoring",
    "description": "What it does, for which kind of problem.",
    "scope": "When it applies, and when it does not.",
    "steps": "What to do, in order and for any problem of the kind, a list: - Move all terms to one side.",
    "examples": "Worked examples, a list. role: index ones are searched and shown, probe ones measure the search;\n"
    "# grader: math or text. solution, program (carries out the steps, prints the answer) and check (derives\n"
    "# it another way) may be left out:\n"
    '# - problem: "Solve x^2 = 4 for x > 0."\n'
    '#   answer: "2"\n'
    "#   role: index",
    "field": "The field and the topic within it.",
    "status": "draft, active or retired: only active ones are searched by default.",
    "source": "Where it comes from, and who wrote it.",
}

_BLANK: dict[str, Any] = {
    "name": "",
    "tags": [],
    "description": "",
    "scope": "",
    "steps": [""],
    "examples": [],
    "field": "general",
    "topic": "general",
    "status": "active",
    "source": "",
    "author": "",
}


class Problem(NamedTuple):
    """What is wrong with a form, and the line it is on, counted from 1."""

    line: int
    reason: str


def form_of(template: "Template | None", *, title: str, deed: str) -> str:
    """Return the form of a template, a blank one of None.

    Args:
        template: what the form holds.
        title: its first line.
        deed: what saving it does, for the explanation above it.
    """
    import yaml

    data = dict(_BLANK) if template is None else template.model_dump(mode="json", exclude_none=True)
    # A name or path may hold what YAML lets stand nowhere, not even in a comment.
    shown = "".join(character if character.isprintable() else "?" for character in title)
    text = _HEAD.format(title=shown, deed=deed)
    for part in _BLANK:
        if part in _ABOUT:
            text += f"\n# {_ABOUT[part]}\n"
        dumped = yaml.dump({part: data[part]}, Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=100)
        text += dumped if template is not None else dumped.replace(" ''", "")
    return text


def read_form(path: Path) -> "Template | Problem":
    """Return the template a form holds, or the first thing that is wrong with it.

    Raises:
        ImportRefused: the file can't be read or is not UTF-8.
    """
    from library.exchange import ImportProblem, read_file

    records = list(read_file(path))
    for record in records:
        if isinstance(record, ImportProblem):
            return Problem(_line(record.location), record.reason)
    if len(records) > 1:
        return Problem(_line(records[1].location), f"the form holds {len(records)} templates, and only one is wanted")
    (only,) = (record for record in records if not isinstance(record, ImportProblem))
    return only.template


def marked(text: str, problem: Problem) -> str:
    """Return a form with what is wrong as a comment above its line."""
    lines = text.split("\n")
    at = max(0, min(problem.line - 1, len(lines)))
    return "\n".join([*lines[:at], MARK + " ".join(problem.reason.split()), *lines[at:]])


def unmarked(text: str) -> str:
    """Return a form without the comments of `marked`."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(MARK))


def is_blank(text: str) -> bool:
    """Return whether a form holds nothing but comments and space."""
    return all(not line.strip() or line.startswith("#") for line in text.splitlines())


def _line(location: str) -> int:
    found = re.search(r":(\d+)$", location)
    return int(found[1]) if found else 1


@cache
def _dumper() -> Any:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes text of several lines as it reads, where YAML can hold it so."""

    def represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        style = "|" if "\n" in text else None
        if any(mark in text for mark in _FOLDED_BREAKS):
            style = '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represent_text)
    return Dumper
