"""The tables of a library, as SQLModel classes.

The full-text table, which no class can describe, is in `library.fulltext`.

The classes describe what the newest migration leaves behind; `library.migrations` creates it, in frozen SQL, and a
test holds the two together. No column holds a value that is changed in place: a template's lists are rows.
"""

from typing import ClassVar

from sqlalchemy import Column, LargeBinary, MetaData, Table
from sqlmodel import Field, SQLModel


class LibraryTable(SQLModel):
    """Base of the tables, with metadata of its own so that no other database of the program gets them."""

    metadata: ClassVar[MetaData] = MetaData()


class MetaRow(LibraryTable, table=True):
    """One fact about the whole library: its id, and the embedder its vectors come from."""

    __tablename__ = "meta"

    key: str = Field(primary_key=True)
    value: str


class ChangeRow(LibraryTable, table=True):
    """One committed change: its id is the change counter, its token tells histories with equal counters apart.

    The changes of one import share a `batch`, and are undone together.
    """

    __tablename__ = "changes"

    id: int | None = Field(default=None, primary_key=True)
    token: str
    at: str
    who: str
    action: str
    batch: str | None = None


class TemplateRow(LibraryTable, table=True):
    """A template without its lists. Dates are UTC in ISO 8601."""

    __tablename__ = "templates"

    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(unique=True)
    name: str
    name_key: str = Field(unique=True)
    description: str
    scope: str
    field: str = Field(index=True)
    topic: str
    status: str = Field(index=True)
    source: str
    author: str
    created: str
    updated: str
    content_hash: str


class TagRow(LibraryTable, table=True):
    """A tag in the one spelling the library uses for it."""

    __tablename__ = "tags"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    name_key: str = Field(unique=True)


class TemplateTagRow(LibraryTable, table=True):
    """A template carries a tag; `position` keeps the order the author gave."""

    __tablename__ = "template_tags"

    template_id: int = Field(primary_key=True, foreign_key="templates.id", ondelete="CASCADE")
    tag_id: int = Field(primary_key=True, foreign_key="tags.id", index=True)
    position: int


class StepRow(LibraryTable, table=True):
    """One application step."""

    __tablename__ = "steps"

    template_id: int = Field(primary_key=True, foreign_key="templates.id", ondelete="CASCADE")
    position: int = Field(primary_key=True)
    text: str


class ExampleRow(LibraryTable, table=True):
    """One worked example."""

    __tablename__ = "examples"

    template_id: int = Field(primary_key=True, foreign_key="templates.id", ondelete="CASCADE")
    position: int = Field(primary_key=True)
    problem: str
    answer: str
    solution: str
    grader: str
    role: str
    program: str | None = None
    check: str | None = None


class UsageRow(LibraryTable, table=True):
    """How often a template was planned, retrieved and part of a run that was solved."""

    __tablename__ = "usage_statistics"

    template_id: int = Field(primary_key=True, foreign_key="templates.id", ondelete="CASCADE")
    planned: int = 0
    retrieved: int = 0
    solved: int = 0


class HistoryRow(LibraryTable, table=True):
    """One template's part of a change; `before` and `after` are JSON, null where the template did not exist.

    Of a template that was purged, `kept` holds what it had beside its content, as JSON.
    """

    __tablename__ = "history"

    id: int | None = Field(default=None, primary_key=True)
    change_id: int = Field(foreign_key="changes.id", index=True)
    template_id: int = Field(index=True)
    slug: str = Field(index=True)
    action: str
    before: str | None = None
    after: str | None = None
    kept: str | None = None


class VectorRow(LibraryTable, table=True):
    """The vector of a text under an embedder: little-endian float32."""

    __tablename__ = "vectors"

    text_hash: str = Field(primary_key=True)
    embedder: str = Field(primary_key=True)
    dim: int
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class TemplateVectorRow(LibraryTable, table=True):
    """A template is found by a text: its `kind` (name, description or example) and which one of that kind."""

    __tablename__ = "template_vectors"

    template_id: int = Field(primary_key=True, foreign_key="templates.id", ondelete="CASCADE")
    kind: str = Field(primary_key=True)
    position: int = Field(primary_key=True)
    text_hash: str = Field(index=True)


def table(row: type[LibraryTable]) -> Table:
    """Return the SQLAlchemy table of a row class."""
    return LibraryTable.metadata.tables[str(row.__tablename__)]
