"""Changes to a library inside one write transaction: rows, vectors, history and change counter together."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from library import fulltext
from library.migrations import now
from library.reading import (
    Reader,
    StoredEmbedder,
    StoredTemplate,
    changes,
    examples,
    history,
    steps,
    tags,
    template_tags,
    template_vectors,
    templates,
    vectors,
)
from library.schema import UsageRow, table
from library.template import Template, name_key
from library.texts import indexed_texts, to_bytes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from sqlalchemy import Connection, Table

    from library.purged import Purged

    Vectors = Mapping[str, npt.NDArray[np.float32]]

_T = TypeVar("_T")
usage = table(UsageRow)


class VectorsMissing(Exception):
    """A text's vector is neither stored nor at hand, because another process changed a tag's spelling meanwhile."""


class Writer:
    """Changes one library through a connection that holds the write lock."""

    def __init__(self, connection: "Connection", *, who: str, action: str, batch: str | None = None) -> None:
        self.reader = Reader(connection)
        self._connection = connection
        self._who = who
        self._action = action
        self._batch = batch
        self._change: int | None = None
        self._forgotten: set[str] = set()

    def record_change(self) -> int:
        """Move the change counter, once a transaction, and return its new value."""
        from sqlalchemy import insert

        if self._change is None:
            row = {"token": secrets.token_hex(8), "at": now(), "who": self._who, "action": self._action}
            row |= {"batch": self._batch} if self._batch is not None else {}
            key = self._connection.execute(insert(changes).values(**row)).inserted_primary_key
            self._change = int(key[0]) if key else 0
        return self._change

    def use_embedder(self, embedder: StoredEmbedder) -> None:
        """Make the library's vectors those of `embedder` from now on."""
        for key, value in (("embedder", embedder.fingerprint), ("dimension", str(embedder.dimension))):
            self._connection.exec_driver_sql(
                "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                (key, value),
            )

    def store_vectors(self, embedder: StoredEmbedder, new: "Vectors") -> None:
        """Keep vectors by text hash; one that is stored already stays as it is."""
        rows = [(key, embedder.fingerprint, embedder.dimension, to_bytes(vector)) for key, vector in new.items()]
        if rows:
            self._connection.exec_driver_sql(
                "INSERT INTO vectors (text_hash, embedder, dim, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows
            )

    def insert(self, new: Sequence[Template], embedder: StoredEmbedder, known: "Vectors") -> list[str]:
        """Insert templates whose names are free; return their slugs.

        Raises:
            VectorsMissing: a text has no vector, neither stored nor in `known`.
        """
        from sqlalchemy import func, select

        if not new:
            return []
        moment = now()
        first = int(self._connection.execute(select(func.coalesce(func.max(history.c.template_id), 0))).scalar_one())
        slugs = self._free_slugs([template.slug for template in new])
        ids = range(first + 1, first + 1 + len(new))
        rows = [
            _head(template) | {"id": key, "slug": slug, "created": moment, "updated": moment}
            for key, slug, template in zip(ids, slugs, new, strict=True)
        ]
        self._bulk(templates, rows)
        self._insert_parts(list(zip(ids, new, strict=True)), embedder, known)
        self._remember((key, slug, "add", None, template) for key, slug, template in zip(ids, slugs, new, strict=True))
        return slugs

    def replace(
        self, stored: StoredTemplate, new: Template, action: str, embedder: StoredEmbedder, known: "Vectors"
    ) -> None:
        """Replace what a template says; its slug and date of creation stay.

        Raises:
            VectorsMissing: a text has no vector, neither stored nor in `known`.
        """
        self.replace_many([(stored, new)], action, embedder, known)

    def replace_many(
        self,
        pairs: Sequence[tuple[StoredTemplate, Template]],
        action: str,
        embedder: StoredEmbedder,
        known: "Vectors",
    ) -> None:
        """Replace what several templates say; see `replace`.

        Raises:
            VectorsMissing: a text has no vector, neither stored nor in `known`.
        """
        from sqlalchemy import update

        if not pairs:
            return
        old_texts = self._forget_parts([stored.id for stored, _ in pairs])
        moment = now()
        for stored, new in pairs:
            row = _head(new) | {"updated": moment}
            self._connection.execute(update(templates).where(templates.c.id == stored.id).values(**row))
        self._insert_parts([(stored.id, new) for stored, new in pairs], embedder, known)
        self._forgotten.update(old_texts)
        self._drop_unused_tags()
        self._remember((stored.id, stored.slug, action, stored.template, new) for stored, new in pairs)

    def purge(self, *gone: StoredTemplate, action: str = "purge") -> None:
        """Delete templates; their history stays and keeps what `restore` needs."""
        from sqlalchemy import delete

        from library.purged import kept_of

        if not gone:
            return
        ids = [stored.id for stored in gone]
        kept = kept_of(self.reader, gone)
        old_texts = self._forget_parts(ids)
        for chunk in _chunks(ids):
            self._connection.execute(delete(templates).where(templates.c.id.in_(chunk)))
        self._forgotten.update(old_texts)
        self._drop_unused_tags()
        self._remember(((stored.id, stored.slug, action, stored.template, None) for stored in gone), kept)

    def restore(
        self, back: Sequence[tuple["Purged", Template]], action: str, embedder: StoredEmbedder, known: "Vectors"
    ) -> None:
        """Bring purged templates back under their old ids and slugs, with their usage statistics.

        Raises:
            VectorsMissing: a text has no vector, neither stored nor in `known`.
        """
        from sqlalchemy import insert

        if not back:
            return
        moment = now()
        rows = [
            _head(template) | {"id": old.id, "slug": old.slug, "created": old.created or moment, "updated": moment}
            for old, template in back
        ]
        self._connection.execute(insert(templates), rows)
        self._insert_parts([(old.id, template) for old, template in back], embedder, known)
        for old, _ in back:
            if old.used:
                self.count_usage(old.id, old.planned, old.retrieved, old.solved)
        self._remember((old.id, old.slug, action, None, template) for old, template in back)

    def respell(self, spellings: Mapping[str, str]) -> None:
        """Give tags, by key, another spelling; the caller replaces every template that carries one."""
        from sqlalchemy import update

        for key, name in spellings.items():
            self._connection.execute(update(tags).where(tags.c.name_key == key).values(name=name))

    def count_usage(self, template_id: int, planned: int, retrieved: int, solved: int) -> None:
        """Add to a template's usage statistics; no change of the library's content."""
        self._connection.exec_driver_sql(
            "INSERT INTO usage_statistics (template_id, planned, retrieved, solved) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (template_id) DO UPDATE SET planned = planned + excluded.planned,"
            " retrieved = retrieved + excluded.retrieved, solved = solved + excluded.solved",
            (template_id, planned, retrieved, solved),
        )

    def drop_unused_vectors(self) -> None:
        """Delete the vectors of texts that this transaction took from templates and gave to no other.

        At its end, since what one step takes away another may give back.
        """
        from sqlalchemy import delete, exists

        used = exists().where(template_vectors.c.text_hash == vectors.c.text_hash)
        for chunk in _chunks(sorted(self._forgotten)):
            self._connection.execute(delete(vectors).where(vectors.c.text_hash.in_(chunk), ~used))
        self._forgotten.clear()

    def drop_vectors_of_others(self, embedder: StoredEmbedder) -> None:
        """Delete the vectors of every other embedder."""
        from sqlalchemy import delete

        self._connection.execute(delete(vectors).where(vectors.c.embedder != embedder.fingerprint))

    def texts_without_vector(self, embedder: StoredEmbedder) -> int:
        """Return how many indexed texts have no vector of this embedder."""
        return int(
            self._connection.exec_driver_sql(
                "SELECT count(*) FROM template_vectors WHERE text_hash NOT IN"
                " (SELECT text_hash FROM vectors WHERE embedder = ?)",
                (embedder.fingerprint,),
            ).scalar_one()
        )

    def _insert_parts(self, parts: Sequence[tuple[int, Template]], embedder: StoredEmbedder, known: "Vectors") -> None:
        tag_ids = self._tag_ids({name_key(tag): tag for _, template in parts for tag in template.tags})
        self._bulk(
            template_tags,
            (
                {"template_id": key, "tag_id": tag_ids[name_key(tag)], "position": position}
                for key, template in parts
                for position, tag in enumerate(template.tags)
            ),
        )
        self._bulk(
            steps,
            (
                {"template_id": key, "position": position, "text": text}
                for key, template in parts
                for position, text in enumerate(template.steps)
            ),
        )
        self._bulk(
            examples,
            (
                {"template_id": key, "position": position, **dict(example)}
                for key, template in parts
                for position, example in enumerate(template.examples)
            ),
        )
        fulltext.store(self._connection, parts)
        texts = [(key, text, text.hash) for key, template in parts for text in indexed_texts(template)]
        self._bulk(
            template_vectors,
            (
                {"template_id": key, "kind": text.kind, "position": text.position, "text_hash": text_hash}
                for key, text, text_hash in texts
            ),
        )
        wanted = {text_hash for _, _, text_hash in texts}
        self.store_vectors(embedder, {key: known[key] for key in wanted & known.keys()})
        if missing_vectors(self._connection, embedder, wanted - known.keys()):
            raise VectorsMissing

    def _tag_ids(self, wanted: Mapping[str, str]) -> dict[str, int]:
        from sqlalchemy import select
        from sqlalchemy.dialects.sqlite import insert

        if wanted:
            rows = [{"name": name, "name_key": key} for key, name in wanted.items()]
            self._connection.execute(insert(tags).on_conflict_do_nothing(), rows)
        found: dict[str, int] = {}
        for keys in _chunks(list(wanted)):
            query = select(tags.c.name_key, tags.c.id).where(tags.c.name_key.in_(keys))
            found |= {str(row[0]): int(row[1]) for row in self._connection.execute(query)}
        return found

    def _free_slugs(self, wanted: Sequence[str]) -> list[str]:
        from sqlalchemy import select

        taken: set[str] = set()
        for chunk in _chunks(list(wanted)):
            query = select(templates.c.slug).where(templates.c.slug.in_(chunk))
            taken |= {str(row[0]) for row in self._connection.execute(query)}
        given: list[str] = []
        for base in wanted:
            slug, number = base, 1
            while slug in taken or (number > 1 and self._is_taken(slug)):
                number += 1
                slug = f"{base}-{number}"
            taken.add(slug)
            given.append(slug)
        return given

    def _is_taken(self, slug: str) -> bool:
        from sqlalchemy import select

        return self._connection.execute(select(templates.c.id).where(templates.c.slug == slug)).first() is not None

    def _forget_parts(self, template_ids: Sequence[int]) -> list[str]:
        from sqlalchemy import delete, select

        texts: list[str] = []
        for ids in _chunks(template_ids):
            query = select(template_vectors.c.text_hash).where(template_vectors.c.template_id.in_(ids))
            texts += [str(row[0]) for row in self._connection.execute(query)]
            for part in (template_tags, steps, examples, template_vectors):
                self._connection.execute(delete(part).where(part.c.template_id.in_(ids)))
        fulltext.forget(self._connection, template_ids)
        return texts

    def _drop_unused_tags(self) -> None:
        from sqlalchemy import delete, exists

        tagged = exists().where(template_tags.c.tag_id == tags.c.id)
        self._connection.execute(delete(tags).where(~tagged))

    def _remember(
        self,
        entries: Iterable[tuple[int, str, str, Template | None, Template | None]],
        kept: Mapping[int, str] | None = None,
    ) -> None:
        change = self.record_change()
        self._bulk(
            history,
            (
                {
                    "change_id": change,
                    "template_id": key,
                    "slug": slug,
                    "action": action,
                    "before": _json(before),
                    "after": _json(after),
                    "kept": (kept or {}).get(key),
                }
                for key, slug, action, before, after in entries
            ),
        )

    def _bulk(self, target: "Table", rows: Iterable[dict[str, Any]]) -> None:
        listed = list(rows)
        if listed:
            # All rows name the same columns; a statement of SQLAlchemy's would bind each row by name again.
            columns = ", ".join(f'"{column}"' for column in listed[0])
            marks = ", ".join("?" * len(listed[0]))
            values = [tuple(row.values()) for row in listed]
            self._connection.exec_driver_sql(f'INSERT INTO "{target.name}" ({columns}) VALUES ({marks})', values)


def missing_vectors(connection: "Connection", embedder: StoredEmbedder, text_hashes: Iterable[str]) -> set[str]:
    """Return those of `text_hashes` that have no stored vector under `embedder`."""
    from sqlalchemy import select

    missing = set(text_hashes)
    for chunk in _chunks(sorted(missing)):
        query = select(vectors.c.text_hash).where(
            vectors.c.embedder == embedder.fingerprint, vectors.c.text_hash.in_(chunk)
        )
        missing -= {str(row[0]) for row in connection.execute(query)}
    return missing


def tag_spellings(connection: "Connection", names: Iterable[str]) -> dict[str, str]:
    """Return, by key, the library's spelling of those tags it already has."""
    from sqlalchemy import select

    spellings: dict[str, str] = {}
    for chunk in _chunks(sorted({name_key(name) for name in names})):
        query = select(tags.c.name_key, tags.c.name).where(tags.c.name_key.in_(chunk))
        spellings |= {str(row[0]): str(row[1]) for row in connection.execute(query)}
    return spellings


def _head(template: Template) -> dict[str, Any]:
    return {
        "name": template.name,
        "name_key": name_key(template.name),
        "description": template.description,
        "scope": template.scope,
        "field": template.field,
        "topic": template.topic,
        "status": template.status,
        "source": template.source,
        "author": template.author,
        "content_hash": template.content_hash,
    }


def _json(template: Template | None) -> str | None:
    return None if template is None else json.dumps(template.model_dump(mode="json"), ensure_ascii=False)


def _chunks(items: Sequence[_T], size: int = 500) -> Iterable[Sequence[_T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
