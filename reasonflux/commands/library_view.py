"""How templates look on the screen and as JSON documents."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from reasonflux.commands.console import clean

if TYPE_CHECKING:
    from library.ranking import Ranked
    from library.reading import StoredTemplate

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


def fields_with_topics(counts: "Sequence[tuple[str, str, int]]") -> list[dict[str, Any]]:
    """Return the fields with their topics from (field, topic, number of templates), both in order of name."""
    return [
        {
            "field": field,
            "count": sum(number for _, _, number in members),
            "topics": [{"topic": topic, "count": number} for _, topic, number in members],
        }
        for field, members in ((field, list(group)) for field, group in groupby(sorted(counts), key=lambda row: row[0]))
    ]


def field_lines(groups: Iterable[dict[str, Any]]) -> list[str]:
    """Return fields as lines, each with its topics below and the numbers of templates."""
    lines: list[str] = []
    for group in groups:
        lines.append(clean(f"{group['field']} ({group['count']})"))
        lines += [clean(f"  {row['topic']} ({row['count']})") for row in group["topics"]]
    return lines


def topic_lines(groups: "Sequence[dict[str, Any]]") -> list[str]:
    """Return topics as lines, each with the slugs and names of its templates below."""
    width = max((len(row["slug"]) for group in groups for row in group["templates"]), default=0)
    lines: list[str] = []
    for group in groups:
        lines.append(clean(f"{group['field']} / {group['topic']} ({len(group['templates'])})"))
        lines += [clean(f"  {row['slug']:<{width}}  {row['name']}") for row in group["templates"]]
    return lines


def hit_document(hit: "Ranked", *, explain: bool) -> dict[str, Any]:
    """Return a hit as a JSON object; with `explain`, with every part of its score."""
    parts = hit._asdict()
    return parts if explain else {key: parts[key] for key in ("slug", "name", "rank", "score", "matched", "good")}


def hit_lines(hits: "Sequence[Ranked]", *, explain: bool = False) -> list[str]:
    """Return one line a hit: rank, cosine, what matched, slug and name; with `explain`, the score's parts below."""
    width = max((len(hit.slug) for hit in hits), default=0)
    lines: list[str] = []
    for hit in hits:
        score = "    -" if hit.score is None else f"{hit.score:.3f}"
        lines.append(f"{hit.rank:>3}  {score}  {hit.matched or 'words':<11}  {hit.slug:<{width}}  {hit.name}")
        if explain:
            lines += _parts(hit)
    return [clean(line) for line in lines]


def _parts(hit: "Ranked") -> list[str]:
    meaning = (
        "not looked at" if hit.score is None else f"cosine {hit.score:.4f} ({hit.matched}){_place(hit.dense_rank)}"
    )
    words = "none looked up" if hit.bm25 is None else f"bm25 {hit.bm25:.4f}{_place(hit.bm25_rank)}"
    shared = (
        f"{hit.coverage:.0%} of the text's words by weight: {', '.join(hit.terms)}" if hit.terms else "no word shared"
    )
    return [
        f"       meaning  {meaning}",
        f"       words    {words}; {shared}",
        f"       fused    {hit.fused:.5f}; {'a good match' if hit.good else 'no good match'}",
    ]


def _place(place: int | None) -> str:
    return "" if place is None else f", place {place}"


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
