"""Ordered, named migrations, each applied in one transaction with the row that records it.

A migration's SQL never changes once released: what it creates must not depend on today's classes.
"""

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from library.errors import SchemaTooNew, StoreUnavailable

if TYPE_CHECKING:
    from sqlalchemy import Connection

_0001 = (
    "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL, at TEXT NOT NULL,"
    " who TEXT NOT NULL, action TEXT NOT NULL)",
    "CREATE TABLE templates (id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL,"
    " name_key TEXT NOT NULL UNIQUE, description TEXT NOT NULL, scope TEXT NOT NULL, field TEXT NOT NULL,"
    " topic TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'retired')),"
    " source TEXT NOT NULL, author TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL,"
    " content_hash TEXT NOT NULL)",
    "CREATE INDEX templates_field ON templates (field, topic)",
    "CREATE INDEX templates_status ON templates (status)",
    "CREATE TABLE tags (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE)",
    "CREATE TABLE template_tags (template_id INTEGER NOT NULL REFERENCES templates (id) ON DELETE CASCADE,"
    " tag_id INTEGER NOT NULL REFERENCES tags (id), position INTEGER NOT NULL,"
    " PRIMARY KEY (template_id, tag_id)) WITHOUT ROWID",
    "CREATE INDEX template_tags_tag ON template_tags (tag_id)",
    "CREATE TABLE steps (template_id INTEGER NOT NULL REFERENCES templates (id) ON DELETE CASCADE,"
    " position INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (template_id, position)) WITHOUT ROWID",
    "CREATE TABLE examples (template_id INTEGER NOT NULL REFERENCES templates (id) ON DELETE CASCADE,"
    " position INTEGER NOT NULL, problem TEXT NOT NULL, answer TEXT NOT NULL, solution TEXT NOT NULL,"
    " grader TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('index', 'probe')), program TEXT, \"check\" TEXT,"
    " PRIMARY KEY (template_id, position)) WITHOUT ROWID",
    "CREATE TABLE usage_statistics (template_id INTEGER PRIMARY KEY REFERENCES templates (id) ON DELETE CASCADE,"
    " planned INTEGER NOT NULL, retrieved INTEGER NOT NULL, solved INTEGER NOT NULL)",
    "CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " change_id INTEGER NOT NULL REFERENCES changes (id), template_id INTEGER NOT NULL, slug TEXT NOT NULL,"
    " action TEXT NOT NULL, before TEXT, after TEXT)",
    "CREATE INDEX history_change ON history (change_id)",
    "CREATE INDEX history_template ON history (template_id)",
    "CREATE INDEX history_slug ON history (slug)",
    "CREATE TABLE vectors (text_hash TEXT NOT NULL, embedder TEXT NOT NULL, dim INTEGER NOT NULL,"
    " data BLOB NOT NULL, PRIMARY KEY (text_hash, embedder))",
    "CREATE TABLE template_vectors (template_id INTEGER NOT NULL REFERENCES templates (id) ON DELETE CASCADE,"
    " kind TEXT NOT NULL CHECK (kind IN ('name', 'description', 'example')), position INTEGER NOT NULL,"
    " text_hash TEXT NOT NULL, PRIMARY KEY (template_id, kind, position)) WITHOUT ROWID",
    "CREATE INDEX template_vectors_text ON template_vectors (text_hash)",
)

# `search_text` is a function of every connection (`library.folding`). A change of its rule needs a migration that fills
# the table anew. The table keeps a copy of the words: deleting from it needs no knowledge of what was indexed.
_0002 = (
    "CREATE VIRTUAL TABLE template_text USING fts5(name, tags, description, scope, examples, tokenize = 'ascii')",
    "CREATE VIRTUAL TABLE template_words USING fts5vocab(template_text, 'instance')",
    "INSERT INTO template_text (rowid, name, tags, description, scope, examples)"
    " SELECT id, search_text(name),"
    " search_text((SELECT coalesce(group_concat(tags.name, ' '), '') FROM template_tags"
    " JOIN tags ON tags.id = tag_id WHERE template_id = templates.id)),"
    " search_text(description), search_text(scope),"
    " search_text((SELECT coalesce(group_concat(problem, ' '), '') FROM examples"
    " WHERE template_id = templates.id AND role = 'index')) FROM templates",
)

_0003 = (
    "ALTER TABLE changes ADD COLUMN batch TEXT",
    "CREATE INDEX changes_batch ON changes (batch) WHERE batch IS NOT NULL",
    "ALTER TABLE history ADD COLUMN kept TEXT",
)

MIGRATIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("0001_templates", _0001),
    ("0002_words", _0002),
    ("0003_undo", _0003),
)

Transaction = Callable[[], "AbstractContextManager[Connection]"]


def now() -> str:
    """Return the present moment in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def applied(connection: "Connection") -> list[str]:
    """Return the names of the migrations a database has had, empty for one without the bookkeeping table."""
    known = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'").first()
    if known is None:
        return []
    return [str(row[0]) for row in connection.exec_driver_sql("SELECT name FROM schema_migrations ORDER BY name")]


def check_known(names: list[str], where: str) -> None:
    """Refuse a database that is not ours or that a newer version wrote.

    Raises:
        SchemaTooNew: it holds a migration that this version does not have.
        StoreUnavailable: it was not made by this software.
    """
    if not names:
        raise StoreUnavailable(f"{where} is not a template library; give another path with --library.")
    unknown = sorted(set(names) - {name for name, _ in MIGRATIONS})
    if unknown:
        raise SchemaTooNew(
            f"The library {where} was written by a newer version (migration {unknown[-1]}); "
            "update reasonflux, or use another library."
        )


def apply_pending(write: Transaction) -> list[str]:
    """Apply the missing migrations, each in one transaction with its bookkeeping row; return their names."""
    done = []
    for name, statements in MIGRATIONS:
        with write() as connection:
            if name in applied(connection):
                continue
            if name == MIGRATIONS[0][0]:
                connection.exec_driver_sql(
                    "CREATE TABLE schema_migrations (name TEXT NOT NULL PRIMARY KEY, at TEXT NOT NULL)"
                )
            for statement in statements:
                connection.exec_driver_sql(statement)
            if name == MIGRATIONS[0][0]:
                connection.exec_driver_sql(
                    "INSERT INTO meta (key, value) VALUES ('library_id', ?)", (secrets.token_hex(16),)
                )
            connection.exec_driver_sql("INSERT INTO schema_migrations (name, at) VALUES (?, ?)", (name, now()))
            done.append(name)
    return done
