"""What a library holds and how it is used, in numbers counted by the database."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from library.purged import usage
from library.reading import Filter, Reader, examples, steps, template_tags, templates

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select

    from library.template import Status


@dataclass(frozen=True, slots=True)
class Statistics:
    """Numbers over the templates of one status (`scope`, None for any); the first three count every status apart.

    Attributes:
        fields: templates of each field, most first.
        topics: templates of each topic, by field.
        tags: templates that carry each tag, most used first.
        steps: `mean`, `least`, `most`, and `templates` by number of steps.
        examples: number `total`, by role, and those with a program, a check and a solution.
        coverage: number of templates that have each of the parts a template should have.
        usage: sums of `planned`, `retrieved`, `solved`; the templates `never_retrieved`; `success`, the share of
            retrievals whose run found an answer, None without any.
    """

    scope: "Status | None"
    active: int
    draft: int
    retired: int
    templates: int
    fields: dict[str, int]
    topics: dict[str, dict[str, int]]
    tags: dict[str, int]
    steps: dict[str, Any]
    examples: dict[str, int]
    coverage: dict[str, int]
    usage: dict[str, Any]


def statistics(reader: Reader, scope: "Status | None" = "active") -> Statistics:
    """Count what a library holds in templates of one status, None for any."""
    topics = _topics(reader, scope)
    sums = {field: sum(of_field.values()) for field, of_field in topics.items()}
    return Statistics(
        scope=scope,
        active=reader.count(Filter(status="active")),
        draft=reader.count(Filter(status="draft")),
        retired=reader.count(Filter(status="retired")),
        templates=reader.count(Filter(status=scope)),
        fields=dict(sorted(sums.items(), key=lambda item: (-item[1], item[0]))),
        topics=topics,
        tags=reader.tag_counts(scope),
        steps=_steps(reader, scope),
        examples=_examples(reader, scope),
        coverage=_coverage(reader, scope),
        usage=_usage(reader, scope),
    )


def _of(scope: "Status | None") -> list["ColumnElement[bool]"]:
    return [] if scope is None else [templates.c.status == scope]


def _topics(reader: Reader, scope: "Status | None") -> dict[str, dict[str, int]]:
    from sqlalchemy import func, select

    query = select(templates.c.field, templates.c.topic, func.count()).where(*_of(scope))
    query = query.group_by(templates.c.field, templates.c.topic).order_by(templates.c.field, templates.c.topic)
    found: dict[str, dict[str, int]] = {}
    for field, topic, number in reader.connection.execute(query):
        found.setdefault(str(field), {})[str(topic)] = int(number)
    return found


def _steps(reader: Reader, scope: "Status | None") -> dict[str, Any]:
    from sqlalchemy import func, select

    each = select(func.count().label("number")).select_from(
        steps.join(templates, templates.c.id == steps.c.template_id)
    )
    counted = each.where(*_of(scope)).group_by(steps.c.template_id).subquery()
    query = select(counted.c.number, func.count()).group_by(counted.c.number).order_by(counted.c.number)
    spread = {int(number): int(many) for number, many in reader.connection.execute(query)}
    total = sum(spread.values())
    return {
        "mean": round(sum(number * many for number, many in spread.items()) / total, 2) if total else None,
        "least": min(spread, default=None),
        "most": max(spread, default=None),
        "templates": {str(number): many for number, many in spread.items()},
    }


def _examples(reader: Reader, scope: "Status | None") -> dict[str, int]:
    from sqlalchemy import func, select

    def number(condition: "ColumnElement[bool]") -> Any:
        return func.count().filter(condition)

    row = reader.connection.execute(
        select(
            func.count(),
            number(examples.c.role == "index"),
            number(examples.c.role == "probe"),
            number(func.coalesce(examples.c.program, "") != ""),
            number(func.coalesce(examples.c.check, "") != ""),
            number(examples.c.solution != ""),
        )
        .select_from(examples.join(templates, templates.c.id == examples.c.template_id))
        .where(*_of(scope))
    ).one()
    names = ("total", "index", "probe", "with_program", "with_check", "with_solution")
    return {name: int(value) for name, value in zip(names, row, strict=True)}


def _coverage(reader: Reader, scope: "Status | None") -> dict[str, int]:
    from sqlalchemy import exists, func, select

    def has(*conditions: Any) -> Any:
        return exists().where(examples.c.template_id == templates.c.id, *conditions)

    parts = {
        "scope": templates.c.scope != "",
        "tags": exists().where(template_tags.c.template_id == templates.c.id),
        "index_example": has(examples.c.role == "index"),
        "probe_example": has(examples.c.role == "probe"),
        "program": has(func.coalesce(examples.c.program, "") != ""),
        "check": has(func.coalesce(examples.c.check, "") != ""),
    }
    query = select(*(func.count().filter(part) for part in parts.values())).select_from(templates).where(*_of(scope))
    return {name: int(value) for name, value in zip(parts, reader.connection.execute(query).one(), strict=True)}


def _usage(reader: Reader, scope: "Status | None") -> dict[str, Any]:
    from sqlalchemy import func, select

    def total(column: Any) -> Any:
        return func.coalesce(func.sum(column), 0)

    counts = (usage.c.planned, usage.c.retrieved, usage.c.solved)
    query: Select[Any] = select(
        *(total(column) for column in counts), func.count().filter(func.coalesce(usage.c.retrieved, 0) == 0)
    )
    query = query.select_from(templates.outerjoin(usage, usage.c.template_id == templates.c.id)).where(*_of(scope))
    planned, retrieved, solved, never = (int(value) for value in reader.connection.execute(query).one())
    return {
        "planned": planned,
        "retrieved": retrieved,
        "solved": solved,
        "never_retrieved": never,
        "success": round(solved / retrieved, 4) if retrieved else None,
    }
