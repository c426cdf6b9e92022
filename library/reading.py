"""Questions to a library, all answered from one committed state."""

import difflib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from library.errors import TemplateNotFound
from library.schema import (
    ChangeRow,
    ExampleRow,
    HistoryRow,
    MetaRow,
    StepRow,
    TagRow,
    TemplateRow,
    TemplateTagRow,
    TemplateVectorRow,
    VectorRow,
    table,
)
from library.template import Example, Status, Template, content_hash, name_key
from library.texts import key_of, to_matrix

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from sqlalchemy import ColumnElement, Connection

_CHUNK = 500
_NEAR_MATCH_LIMIT = 20_000

templates, tags, template_tags = table(TemplateRow), table(TagRow), table(TemplateTagRow)
steps, examples, history = table(StepRow), table(ExampleRow), table(HistoryRow)
changes, meta, vectors, template_vectors = (
    table(ChangeRow),
    table(MetaRow),
    table(VectorRow),
    table(TemplateVectorRow),
)


@dataclass(frozen=True, slots=True)
class StoredTemplate:
    """A template as a library holds it. Dates are UTC in ISO 8601."""

    template: Template
    id: int
    slug: str
    created: str
    updated: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One template's part of a change, as dict forms of the template; None where it did not exist."""

    change: int
    at: str
    who: str
    action: str
    slug: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class State(NamedTuple):
    """Where a library's history stands: the change counter and the token of its last change."""

    counter: int
    token: str


class StoredEmbedder(NamedTuple):
    """The embedder a library's vectors come from."""

    fingerprint: str
    dimension: int


class Card(NamedTuple):
    """What a list of hits shows of a template."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class Filter:
    """Which templates a question is about; None means any. A template must carry every tag given."""

    field: str | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()
    status: Status | None = "active"


class Reader:
    """Answers from the state a connection sees."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection

    @property
    def connection(self) -> "Connection":
        """The connection, for questions that modules of their own ask of the same state."""
        return self._connection

    def state(self) -> State:
        """Return the change counter and token; one look-up by primary key."""
        query = "SELECT id, token FROM changes ORDER BY id DESC LIMIT 1"
        row = self._connection.exec_driver_sql(query).first()
        return State(int(row[0]), str(row[1])) if row else State(0, "")

    def embedder(self) -> StoredEmbedder | None:
        """Return the embedder of the stored vectors, None where there are none yet."""
        from sqlalchemy import select

        query = select(meta.c.key, meta.c.value).where(meta.c.key.in_(["embedder", "dimension"]))
        facts = {str(key): str(value) for key, value in self._connection.execute(query)}
        return StoredEmbedder(facts["embedder"], int(facts["dimension"])) if "embedder" in facts else None

    def ids(self, wanted: Filter) -> list[int]:
        """Return the ids of the templates a filter lets through, in order of name."""
        from sqlalchemy import select

        query = select(templates.c.id).where(*conditions_of(wanted)).order_by(templates.c.name_key)
        return [int(row[0]) for row in self._connection.execute(query)]

    def count(self, wanted: Filter) -> int:
        """Return how many templates a filter lets through."""
        from sqlalchemy import func, select

        query = select(func.count()).select_from(templates).where(*conditions_of(wanted))
        return int(self._connection.execute(query).scalar_one())

    def topic_counts(self, wanted: Filter) -> list[tuple[str, str, int]]:
        """Return (field, topic, number of templates) of what a filter lets through, in order of field and topic."""
        from sqlalchemy import func, select

        place = (templates.c.field, templates.c.topic)
        query = select(*place, func.count()).where(*conditions_of(wanted)).group_by(*place).order_by(*place)
        return [(str(field), str(topic), int(number)) for field, topic, number in self._connection.execute(query)]

    def tag_counts(self, status: Status | None = "active") -> dict[str, int]:
        """Return each tag in use with the number of templates that carry it, most used first."""
        from sqlalchemy import func, select

        number = func.count().label("number")
        query = select(tags.c.name, number).join(template_tags, template_tags.c.tag_id == tags.c.id)
        query = query.join(templates, templates.c.id == template_tags.c.template_id)
        if status is not None:
            query = query.where(templates.c.status == status)
        query = query.group_by(tags.c.id).order_by(number.desc(), tags.c.name_key)
        return {str(name): int(count) for name, count in self._connection.execute(query)}

    def known_values(self, column: str) -> list[str]:
        """Return the distinct values of `field` or `topic`."""
        from sqlalchemy import select

        query = select(templates.c[column]).distinct().order_by(templates.c[column])
        return [str(row[0]) for row in self._connection.execute(query)]

    def digest(self) -> str:
        """Return a hash over the content of all active templates."""
        from sqlalchemy import select

        query = select(templates.c.content_hash).where(templates.c.status == "active")
        return content_hash(sorted(str(row[0]) for row in self._connection.execute(query)))

    def find(self, slug_or_name: str) -> int | None:
        """Return the id of the template with this slug or, failing that, this name under the rule of identity."""
        from sqlalchemy import select

        wanted = slug_or_name.encode("utf-8", "replace").decode("utf-8")
        row = self._connection.execute(select(templates.c.id).where(templates.c.slug == wanted)).first()
        return int(row[0]) if row is not None else self.find_name(name_key(wanted))

    def find_name(self, key: str) -> int | None:
        """Return the id of the template whose name has this key."""
        from sqlalchemy import select

        row = self._connection.execute(select(templates.c.id).where(templates.c.name_key == key)).first()
        return int(row[0]) if row is not None else None

    def find_names(self, keys: Iterable[str]) -> dict[str, int]:
        """Return the ids of the templates whose names have these keys, by key."""
        from sqlalchemy import select

        wanted = list(keys)
        found: dict[str, int] = {}
        for start in range(0, len(wanted), _CHUNK):
            chunk = wanted[start : start + _CHUNK]
            query = select(templates.c.name_key, templates.c.id).where(templates.c.name_key.in_(chunk))
            found |= {str(row[0]): int(row[1]) for row in self._connection.execute(query)}
        return found

    def require(self, slug_or_name: str) -> int:
        """Return the id of the template with this slug or name.

        Raises:
            TemplateNotFound: there is none; the message lists near matches.
        """
        found = self.find(slug_or_name)
        if found is not None:
            return found
        near = self._near(slug_or_name)
        hint = f"did you mean {', '.join(near)}?" if near else "`reasonflux library list` shows what there is."
        raise TemplateNotFound(f'No template has the slug or name "{slug_or_name}"; {hint}')

    def _near(self, wanted: str) -> list[str]:
        from sqlalchemy import select

        query = select(templates.c.slug).order_by(templates.c.id).limit(_NEAR_MATCH_LIMIT)
        slugs = [str(row[0]) for row in self._connection.execute(query)]
        return difflib.get_close_matches("-".join(name_key(wanted).split()), slugs, n=3, cutoff=0.5)

    def cards(self, ids: Sequence[int]) -> dict[int, Card]:
        """Return slug and name of each of these templates."""
        found: dict[int, Card] = {}
        for start in range(0, len(ids), _CHUNK):
            chunk = ids[start : start + _CHUNK]
            query = f"SELECT id, slug, name FROM templates WHERE id IN ({', '.join('?' * len(chunk))})"
            rows = self._connection.exec_driver_sql(query, tuple(chunk)).all()
            found |= {key: Card(slug, name) for key, slug, name in rows}
        return found

    def load(self, ids: Sequence[int]) -> list[StoredTemplate]:
        """Return the templates with these ids, in their order."""
        loaded: list[StoredTemplate] = []
        for start in range(0, len(ids), _CHUNK):
            loaded += self._load_chunk(ids[start : start + _CHUNK])
        return loaded

    def _load_chunk(self, ids: Sequence[int]) -> list[StoredTemplate]:
        from sqlalchemy import select

        run = self._connection.execute
        of_tags: dict[int, list[str]] = defaultdict(list)
        tagged = select(template_tags.c.template_id, tags.c.name).join(tags, tags.c.id == template_tags.c.tag_id)
        tagged = tagged.where(template_tags.c.template_id.in_(ids)).order_by(template_tags.c.position)
        for template_id, name in run(tagged):
            of_tags[template_id].append(name)
        of_steps: dict[int, list[str]] = defaultdict(list)
        for row in run(select(steps).where(steps.c.template_id.in_(ids)).order_by(steps.c.position)):
            of_steps[row.template_id].append(row.text)
        of_examples: dict[int, list[Example]] = defaultdict(list)
        for row in run(select(examples).where(examples.c.template_id.in_(ids)).order_by(examples.c.position)):
            of_examples[row.template_id].append(
                Example(
                    problem=row.problem,
                    answer=row.answer,
                    solution=row.solution,
                    grader=row.grader,
                    role=row.role,
                    program=row.program,
                    check=row.check,
                )
            )
        loaded: dict[int, StoredTemplate] = {}
        for row in run(select(templates).where(templates.c.id.in_(ids))):
            template = Template(
                name=row.name,
                tags=tuple(of_tags[row.id]),
                description=row.description,
                scope=row.scope,
                steps=tuple(of_steps[row.id]),
                examples=tuple(of_examples[row.id]),
                field=row.field,
                topic=row.topic,
                status=row.status,
                source=row.source,
                author=row.author,
            )
            loaded[row.id] = StoredTemplate(template, row.id, row.slug, row.created, row.updated, row.content_hash)
        return [loaded[template_id] for template_id in ids if template_id in loaded]

    def vectors(
        self, embedder: StoredEmbedder, ids: Sequence[int] | None = None
    ) -> tuple["npt.NDArray[np.int64]", "npt.NDArray[np.float32]"]:
        """Return every indexed vector (or those of some templates) and, for each, its key.

        Returns:
            The keys (see `texts.key_of`) and a matrix (len(keys), dimension).
        """
        import numpy as np
        from sqlalchemy import select

        query = (
            select(template_vectors.c.template_id, template_vectors.c.kind, vectors.c.data)
            .join(vectors, vectors.c.text_hash == template_vectors.c.text_hash)
            .where(vectors.c.embedder == embedder.fingerprint)
            .order_by(template_vectors.c.template_id, template_vectors.c.kind, template_vectors.c.position)
        )
        if ids is not None:
            query = query.where(template_vectors.c.template_id.in_(ids))
        keys: list[int] = []
        blobs: list[bytes] = []
        for template_id, kind, data in self._connection.execute(query):
            keys.append(key_of(template_id, kind))
            blobs.append(data)
        return np.array(keys, dtype=np.int64), to_matrix(blobs, embedder.dimension)

    def history(self, slug: str | None = None, limit: int | None = None) -> list[HistoryEntry]:
        """Return what happened to one template or to all, newest first."""
        import json

        from sqlalchemy import select

        query = select(history, changes.c.at, changes.c.who).join(changes, changes.c.id == history.c.change_id)
        if slug is not None:
            query = query.where(history.c.slug == slug)
        query = query.order_by(history.c.id.desc()).limit(limit)

        def form(text: str | None) -> dict[str, Any] | None:
            return None if text is None else dict(json.loads(text))

        return [
            HistoryEntry(row.change_id, row.at, row.who, row.action, row.slug, form(row.before), form(row.after))
            for row in self._connection.execute(query)
        ]


def conditions_of(wanted: Filter) -> list["ColumnElement[bool]"]:
    """Return a filter as conditions on the `templates` table."""
    from sqlalchemy import select

    conditions: list[ColumnElement[bool]] = []
    if wanted.status is not None:
        conditions.append(templates.c.status == wanted.status)
    if wanted.field is not None:
        conditions.append(templates.c.field == wanted.field)
    if wanted.topic is not None:
        conditions.append(templates.c.topic == wanted.topic)
    for tag in wanted.tags:
        carries = select(template_tags.c.template_id).join(tags, tags.c.id == template_tags.c.tag_id)
        conditions.append(templates.c.id.in_(carries.where(tags.c.name_key == name_key(tag))))
    return conditions
