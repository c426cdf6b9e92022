"""What a purged template had beside its content, kept in the history so that undoing brings all of it back."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from library.reading import Reader, StoredTemplate
from library.schema import UsageRow, table

if TYPE_CHECKING:
    from library.template import Template

_CHUNK = 500
_COUNTS = ("planned", "retrieved", "solved")

usage = table(UsageRow)


@dataclass(frozen=True, slots=True)
class Purged:
    """A template that is gone: its identity, content, date of creation (UTC, ISO 8601) and usage statistics."""

    id: int
    slug: str
    template: "Template"
    created: str = ""
    planned: int = 0
    retrieved: int = 0
    solved: int = 0

    @property
    def used(self) -> bool:
        """Whether any of the usage statistics is above zero."""
        return any((self.planned, self.retrieved, self.solved))


def kept_of(reader: Reader, gone: Sequence[StoredTemplate]) -> dict[int, str]:
    """Return, by id, what is to be kept of templates that are about to be purged, as JSON."""
    from sqlalchemy import select

    counts: dict[int, dict[str, int]] = {}
    for start in range(0, len(gone), _CHUNK):
        ids = [stored.id for stored in gone[start : start + _CHUNK]]
        for row in reader.connection.execute(select(usage).where(usage.c.template_id.in_(ids))):
            counts[row.template_id] = {name: int(getattr(row, name)) for name in _COUNTS}
    return {stored.id: json.dumps({"created": stored.created, **counts.get(stored.id, {})}) for stored in gone}


def read_kept(template_id: int, slug: str, template: "Template", kept: str | None) -> Purged:
    """Return the purged template that a history row tells of; one purged without `kept` has no date and no usage."""
    known: dict[str, Any] = json.loads(kept) if kept else {}
    counts = {name: int(known.get(name, 0)) for name in _COUNTS}
    return Purged(template_id, slug, template, str(known.get("created", "")), **counts)
