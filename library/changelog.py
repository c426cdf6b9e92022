"""The history as people ask for it: change by change, each with the templates it touched and what it did to them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from library.errors import TemplateNotFound
from library.reading import Reader, changes, history
from library.template import slug_of

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Change:
    """One change, or all changes of one batch, such as an import. `at` is the last one's time, UTC in ISO 8601.

    Attributes:
        id: number of the last change; any number of a batch stands for all of it.
        first: number of the first one.
        templates: how many templates were touched.
    """

    id: int
    first: int
    at: str
    who: str
    action: str
    batch: str | None
    templates: int


@dataclass(frozen=True, slots=True)
class Part:
    """One template's part of a change, as dict forms of the template; None where it did not exist."""

    change: int
    template_id: int
    slug: str
    action: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    kept: str | None


def find_ids(reader: Reader, slug_or_name: str) -> set[int]:
    """Return the ids of the template with this slug or name and of any that had the slug and is gone.

    Raises:
        TemplateNotFound: the history knows none.
    """
    from sqlalchemy import select

    wanted = slug_or_name.encode("utf-8", "replace").decode("utf-8")
    found = reader.find(wanted)
    if found is not None:
        return {found}
    query = select(history.c.template_id).where(history.c.slug.in_({wanted, slug_of(wanted)})).distinct()
    gone = {int(row[0]) for row in reader.connection.execute(query)}
    if not gone:
        reader.require(slug_or_name)
        raise TemplateNotFound(f'No template has or had the slug or name "{slug_or_name}".')
    return gone


def list_changes(
    reader: Reader, *, template_ids: Iterable[int] | None = None, limit: int | None = None
) -> list[Change]:
    """Return what happened to some templates or to the library, newest first."""
    from sqlalchemy import String, cast, func

    group = func.coalesce(changes.c.batch, cast(changes.c.id, String))
    last = func.max(changes.c.id)
    query = _selected_changes()
    if template_ids is not None:
        query = query.where(history.c.template_id.in_(list(template_ids)))
    query = query.group_by(group).order_by(last.desc()).limit(limit)
    return [Change(*row) for row in reader.connection.execute(query)]


def _selected_changes() -> "Select[Any]":
    """Return the query for the columns of `Change`, to be narrowed to one change or grouped by change."""
    from sqlalchemy import distinct, func, select

    columns = (
        func.max(changes.c.id),
        func.min(changes.c.id),
        func.max(changes.c.at),
        changes.c.who,
        changes.c.action,
        changes.c.batch,
        func.count(distinct(history.c.template_id)),
    )
    return select(*columns).select_from(changes.outerjoin(history, history.c.change_id == changes.c.id))


def parts_of(
    reader: Reader,
    change: Change,
    *,
    template_ids: Iterable[int] | None = None,
    limit: int | None = None,
) -> list[Part]:
    """Return the templates' parts of a change, in the order in which they were done."""
    from sqlalchemy import select

    conditions: list[ColumnElement[bool]] = [_within(change)]
    if template_ids is not None:
        conditions.append(history.c.template_id.in_(list(template_ids)))
    query = select(history).join(changes, changes.c.id == history.c.change_id).where(*conditions)
    query = query.order_by(history.c.id).limit(limit)
    return [
        Part(row.change_id, row.template_id, row.slug, row.action, _form(row.before), _form(row.after), row.kept)
        for row in reader.connection.execute(query)
    ]


def last_touch(reader: Reader, template_id: int, *, after: int) -> Change | None:
    """Return the newest change above number `after` that touched a template."""
    from sqlalchemy import func, select

    query = select(func.max(history.c.change_id)).where(
        history.c.template_id == template_id, history.c.change_id > after
    )
    number = reader.connection.execute(query).scalar_one()
    return None if number is None else find_change(reader, int(number))


def find_change(reader: Reader, number: int) -> Change | None:
    """Return the change of this number, or the batch it belongs to."""
    from sqlalchemy import select

    batch = select(changes.c.batch).where(changes.c.id == number).scalar_subquery()
    query = _selected_changes().where((changes.c.id == number) | (changes.c.batch == batch))
    row = reader.connection.execute(query).first()
    return Change(*row) if row is not None and row[0] is not None else None


def last_change(reader: Reader) -> Change | None:
    """Return the newest change that touched a template."""
    from sqlalchemy import func, select

    number = reader.connection.execute(select(func.max(history.c.change_id))).scalar_one()
    return None if number is None else find_change(reader, int(number))


def differences(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> list[tuple[str, Any, Any]]:
    """Return the parts in which two dict forms differ as (path, old, new), None where a part is missing on a side.

    A path is written as in messages, counted from 1: `steps[2]`, `examples[1].answer`.
    """
    found: list[tuple[str, Any, Any]] = []
    for key in dict.fromkeys((*(before or {}), *(after or {}))):
        old, new = (before or {}).get(key), (after or {}).get(key)
        if isinstance(old, list | tuple) or isinstance(new, list | tuple):
            found += _list_differences(key, old or [], new or [])
        elif old != new:
            found.append((key, old, new))
    return found


def _list_differences(key: str, old: Sequence[Any], new: Sequence[Any]) -> list[tuple[str, Any, Any]]:
    import difflib

    def hashable(items: Sequence[Any]) -> list[str]:
        return [json.dumps(item, sort_keys=True) for item in items]

    found: list[tuple[str, Any, Any]] = []
    matcher = difflib.SequenceMatcher(None, hashable(old), hashable(new), autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            continue
        for offset in range(max(old_to - old_from, new_to - new_from)):
            gone = old[old_from + offset] if old_from + offset < old_to else None
            come = new[new_from + offset] if new_from + offset < new_to else None
            place = (new_from if come is not None else old_from) + offset + 1
            if isinstance(gone, dict) and isinstance(come, dict):
                found += [(f"{key}[{place}].{path}", was, now) for path, was, now in differences(gone, come)]
            else:
                found.append((f"{key}[{place}]", gone, come))
    return found


def _within(change: Change) -> "ColumnElement[bool]":
    return changes.c.id == change.id if change.batch is None else changes.c.batch == change.batch


def _form(text: str | None) -> dict[str, Any] | None:
    return None if text is None else dict(json.loads(text))
