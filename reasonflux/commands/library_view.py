"""How templates look on the screen and as JSON documents."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from reasonflux.commands.console import clean

if TYPE_CHECKING:
    from library.reading import StoredTemplate
    from library.search import Hit

_WIDTH = 100


def document(stored: "StoredTemplate") -> dict[str, Any]:
    """Return a whole template as a JSON document, which `reasonflux library import` reads back."""
    return {
        "slug": stored.slug,
        **stored.template.model_dump(mode="json"),
        "created": stored.created,
        "updated": stored.updated,
        "content_hash": stored.content_hash,
    }


def summary(stored: "StoredTemplate") -> dict[str, Any]:
    """Return what a listing says of a template."""
    template = stored.template
    return {
        "slug": stored.slug,
        "name": template.name,
        "field": template.field,
        "topic": template.topic,
        "status": template.status,
        "tags": list(template.tags),
    }


def grouped(listed: "Sequence[StoredTemplate]", by: Sequence[str]) -> list[dict[str, Any]]:
    """Return listings grouped by `field`, or by `field` and `topic`."""

    def group(stored: "StoredTemplate") -> tuple[str, ...]:
        return tuple(getattr(stored.template, part) for part in by)

    return [
        dict(zip(by, key, strict=True)) | {"templates": [summary(stored) for stored in members]}
        for key, members in groupby(sorted(listed, key=group), key=group)
    ]


def listing(summaries: Iterable[dict[str, Any]], indent: str = "") -> list[str]:
    """Return one line a template: slug, field, topic, and a status that is not active."""
    rows = list(summaries)
    width = max((len(row["slug"]) for row in rows), default=0)
    return [
        clean(
            f"{indent}{row['slug']:<{width}}  {row['field']} / {row['topic']}"
            + ("" if row["status"] == "active" else f"  [{row['status']}]")
        )
        for row in rows
    ]


def page(stored: "StoredTemplate") -> list[str]:
    """Return a whole template as lines for a person."""
    template = stored.template
    lines = [
        template.name,
        f"  slug    {stored.slug}",
        f"  field   {template.field} / {template.topic}",
        f"  status  {template.status}",
        f"  tags    {', '.join(template.tags) or '-'}",
    ]
    if template.source or template.author:
        lines.append(f"  source  {', '.join(part for part in (template.source, template.author) if part)}")
    lines.append(f"  dates   created {stored.created[:19]}, updated {stored.updated[:19]} UTC")
    for title, text in (("Description", template.description), ("Scope", template.scope)):
        if text:
            lines += ["", title, *_paragraph(text, "  ")]
    lines += ["", "Steps"]
    for number, step in enumerate(template.steps, start=1):
        lines += _paragraph(step, f"  {number}. ")
    for number, example in enumerate(template.examples, start=1):
        lines += ["", f"Example {number} ({example.role}, graded as {example.grader})"]
        lines += _paragraph(example.problem, "  Problem   ")
        lines += _paragraph(example.answer, "  Answer    ")
        if example.solution:
            lines += _paragraph(example.solution, "  Solution  ")
        for part, program in (("Program", example.program), ("Check", example.check)):
            if program:
                lines += [f"  {part}", textwrap.indent(program, "    ")]
    return [clean(line) for line in lines]


def hit_lines(hits: "Sequence[Hit]") -> list[str]:
    """Return one line a hit: rank, score, what matched, slug and name."""
    width = max((len(hit.slug) for hit in hits), default=0)
    return [
        clean(f"{hit.rank:>3}  {hit.score:.3f}  {hit.matched:<11}  {hit.slug:<{width}}  {hit.name}") for hit in hits
    ]


def _paragraph(text: str, first: str) -> list[str]:
    """Return `text` behind its label; a line is broken only at spaces, so that no character changes."""
    rest = " " * len(first)
    lines: list[str] = []
    for line in text.splitlines():
        wrapped = textwrap.wrap(
            line, _WIDTH - len(first), break_long_words=False, break_on_hyphens=False, drop_whitespace=True
        )
        lines += wrapped or [""]
    return [(first if number == 0 else rest) + line for number, line in enumerate(lines)]
