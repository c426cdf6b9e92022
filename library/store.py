"""The library: opens the database, changes templates with their vectors, and answers what it holds.

`Library.open` migrates and never seeds. Text is embedded before a write transaction begins, so that no other
process waits for a model; what was decided then is checked again inside the transaction.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from library import checking
from library.database import BUSY_SECONDS, Database, create_file, missing_library
from library.embedding import EMBED_BATCH, Embedder, embed_by_key
from library.errors import EmbedderMismatch, NameConflict, StoreUnavailable
from library.template import Status, Template, name_key

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from library.adding import Outcome
    from library.reading import HistoryEntry, Reader, StoredEmbedder, StoredTemplate
    from library.writing import Writer

    Vectors = dict[str, npt.NDArray[np.float32]]

_ATTEMPTS = 5

Progress = Callable[[int, int], None]


class Library:
    """A template library in one SQLite file. Thread-safe, and safe among several processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, path: Path, *, create: bool = False, busy_seconds: float = BUSY_SECONDS) -> Self:
        """Open a library, bringing its schema up to date; with `create`, make an empty one where there is none.

        Args:
            path: the database file.
            create: whether a missing file is made.
            busy_seconds: how long to wait for another writer before a retry.

        Raises:
            LibraryError: the file is missing and `create` is false.
            SchemaTooNew: a newer version wrote it.
            StoreUnavailable: it can't be opened, read or written, or is no library.
        """
        if create and not _exists(path):
            cls.create(path)
        if not _exists(path):
            raise missing_library(path)
        return cls._open_existing(path, busy_seconds)

    @classmethod
    def create(cls, path: Path, fill: Callable[["Library"], None] | None = None) -> bool:
        """Make a library that appears only when `fill` has finished; return False where there already was one.

        Raises:
            StoreUnavailable: the folder can't be written.
        """
        from library.migrations import apply_pending

        def build(building: Path) -> None:
            database = Database(building)
            try:
                apply_pending(database.write)
                if fill is not None:
                    fill(cls(database))
            finally:
                database.close()

        return create_file(path, build)

    @classmethod
    def _open_existing(cls, path: Path, busy_seconds: float) -> Self:
        from library.migrations import MIGRATIONS, applied, apply_pending, check_known

        if path.is_dir():
            raise StoreUnavailable(f"{path} is a folder, not a library file; give the file's path.")
        database = Database(path, busy_seconds=busy_seconds)
        try:
            with database.read() as connection:
                names = applied(connection)
            check_known(names, str(path))
            if len(names) < len(MIGRATIONS):
                apply_pending(database.write)
        except BaseException:
            database.close()
            raise
        return cls(database)

    @property
    def path(self) -> Path:
        """The database file."""
        return self._database.path

    def close(self) -> None:
        """Close the database; safe to call twice."""
        self._database.close()

    def __enter__(self) -> Self:
        """Return the library, to be closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the library."""
        self.close()

    @contextmanager
    def reading(self) -> Iterator["Reader"]:
        """Yield a reader whose answers all come from one committed state.

        Raises:
            StoreUnavailable: the database can't be read.
        """
        from library.reading import Reader

        with self._database.read() as connection:
            yield Reader(connection)

    @contextmanager
    def writing(self, *, who: str, action: str, batch: str | None = None) -> Iterator["Writer"]:
        """Yield a writer whose changes are committed together at the end of the block, or not at all.

        Raises:
            StoreUnavailable: the database can't be written.
        """
        from library.writing import Writer

        with self._database.write() as connection:
            writer = Writer(connection, who=who, action=action, batch=batch)
            yield writer
            writer.drop_unused_vectors()

    def get(self, slug_or_name: str) -> "StoredTemplate":
        """Return a template by slug or, failing that, by name under the one rule of name identity.

        Raises:
            TemplateNotFound: there is none; the message lists near matches.
        """
        with self.reading() as reader:
            return reader.load([reader.require(slug_or_name)])[0]

    def list(
        self,
        *,
        field: str | None = None,
        topic: str | None = None,
        tag: str | None = None,
        status: Status | None = "active",
    ) -> list["StoredTemplate"]:
        """Return the templates that fit, in order of name; `status` None means any."""
        from library.reading import Filter

        with self.reading() as reader:
            return reader.load(reader.ids(Filter(field, topic, (tag,) if tag is not None else (), status)))

    def count(self, *, status: Status | None = "active") -> int:
        """Return the number of templates with this status; None means any."""
        from library.reading import Filter

        with self.reading() as reader:
            return reader.count(Filter(status=status))

    def tags(self, *, status: Status | None = "active") -> dict[str, int]:
        """Return each tag in use with the number of templates that carry it, most used first."""
        with self.reading() as reader:
            return reader.tag_counts(status)

    def digest(self) -> str:
        """Return a hash over the content of all active templates, which runs record."""
        with self.reading() as reader:
            return reader.digest()

    def change_counter(self) -> int:
        """Return a number that grows with every change of templates or vectors."""
        with self.reading() as reader:
            return reader.state().counter

    def history(self, slug: str | None = None, *, limit: int | None = None) -> "Sequence[HistoryEntry]":
        """Return what happened to one template or to all, newest first."""
        with self.reading() as reader:
            return reader.history(slug, limit)

    def add(self, template: Template, *, embedder: Embedder, who: str) -> "StoredTemplate":
        """Add a template and return it as stored (a tag takes the spelling the library has for it).

        Raises:
            TemplateInvalid: the template breaks a rule.
            NameConflict: its name is taken.
            EmbedderMismatch: the library's vectors come from another embedder.
            StoreUnavailable: the database can't be written.
        """
        (outcome,) = self.add_many([template], embedder=embedder, who=who, action="add")
        if outcome.action != "added":
            raise NameConflict.with_template(outcome.name, outcome.slug)
        return self.get(outcome.slug)

    def add_many(
        self,
        new: Sequence[Template],
        *,
        embedder: Embedder,
        who: str,
        update: bool = False,
        action: str = "import",
        batch: str | None = None,
    ) -> "Sequence[Outcome]":
        """Add templates in one transaction; a taken name is no error but an outcome.

        Changes that share a `batch`, any text of the caller's, are undone together.

        A template whose name and content are there already is left unchanged. With `update`, one whose name is
        there with other content replaces it and keeps its slug, status and date of creation.

        Raises:
            TemplateInvalid: one of them breaks a rule; nothing was added.
            EmbedderMismatch: the library's vectors come from another embedder.
            StoreUnavailable: the database can't be written.
        """
        from library.adding import put, with_known_tags
        from library.writing import VectorsMissing

        for template in new:
            checking.check(template)
        identity = _identity(embedder)
        for _ in range(_ATTEMPTS):
            known = self._embed_new(new, embedder, update=update)
            try:
                with self.writing(who=who, action=action, batch=batch) as writer:
                    self._require_embedder(writer.reader, identity)
                    spelled = with_known_tags(writer.reader.connection, new)
                    return put(writer, spelled, identity, known, update=update)
            except VectorsMissing:
                continue
        raise StoreUnavailable.overtaken(self.path)

    def preview(self, new: Sequence[Template], *, update: bool = False) -> "Sequence[Outcome]":
        """Return what `add_many` would come to, without changing or embedding anything.

        Raises:
            StoreUnavailable: the database can't be read.
        """
        from library.adding import decide, with_known_tags
        from library.reading import Reader

        with self._database.read() as connection:
            spelled = with_known_tags(connection, new)
            return [decision.outcome for decision in decide(Reader(connection), spelled, update=update)]

    def update(
        self, slug: str, template: Template, *, embedder: Embedder, who: str, action: str = "edit"
    ) -> "StoredTemplate":
        """Replace what a template says, its name and status included; its slug stays.

        Raises:
            TemplateNotFound: no template has this slug.
            TemplateInvalid: the new template breaks a rule.
            NameConflict: another template has its name.
            EmbedderMismatch: the library's vectors come from another embedder.
            StoreUnavailable: the database can't be written.
        """
        from library.curation import edit

        return edit(self, slug, lambda current: template, embedder=lambda: embedder, who=who, action=action)

    def purge(self, slug: str, *, who: str) -> None:
        """Delete a template; its history stays.

        Raises:
            TemplateNotFound: no template has this slug or name.
            StoreUnavailable: the database can't be written.
        """
        with self.writing(who=who, action="purge") as writer:
            writer.purge(writer.reader.load([writer.reader.require(slug)])[0])

    def count_usage(self, slug: str, *, planned: int = 0, retrieved: int = 0, solved: int = 0) -> None:
        """Add to a template's usage statistics; this is no change of the library's content.

        Raises:
            TemplateNotFound: no template has this slug or name.
            StoreUnavailable: the database can't be written.
        """
        with self.writing(who="", action="usage") as writer:
            writer.count_usage(writer.reader.require(slug), planned, retrieved, solved)

    def reindex(self, *, embedder: Embedder, who: str, progress: Progress = lambda done, total: None) -> int:
        """Make all vectors those of `embedder`; return how many texts were embedded.

        Texts are embedded and stored batch by batch, so that a run that was ended goes on where it stood; the
        library changes over only when every text has its vector.

        Raises:
            StoreUnavailable: the database can't be written.
        """
        from library.reading import Filter
        from library.writing import Writer

        identity = _identity(embedder)
        embedded = 0
        for _ in range(_ATTEMPTS):
            with self.reading() as reader:
                stored = reader.load(reader.ids(Filter(status=None)))
            missing = self._missing_texts([item.template for item in stored], identity)
            texts = list(missing.items())
            for start in range(0, len(texts), EMBED_BATCH):
                fresh = embed_by_key(embedder, dict(texts[start : start + EMBED_BATCH]))
                with self._database.write() as connection:
                    Writer(connection, who=who, action="reindex").store_vectors(identity, fresh)
                embedded += len(fresh)
                progress(min(start + EMBED_BATCH, len(texts)), len(texts))
            with self._database.write() as connection:
                writer = Writer(connection, who=who, action="reindex")
                if writer.texts_without_vector(identity) == 0:
                    writer.use_embedder(identity)
                    writer.drop_vectors_of_others(identity)
                    writer.record_change()
                    return embedded
        raise StoreUnavailable(
            f"The library {self.path} was changed again and again while it was indexed; "
            "run `reasonflux library reindex` when no other process writes to it."
        )

    def require_embedder(self, embedder: Embedder) -> None:
        """Refuse an embedder that is not the one the stored vectors come from.

        Raises:
            EmbedderMismatch: naming both, and the command that changes over.
        """
        with self.reading() as reader:
            self._require_embedder(reader, _identity(embedder))

    def _require_embedder(self, reader: "Reader", wanted: "StoredEmbedder") -> None:
        self.require_same(reader.embedder(), wanted)

    def require_same(self, stored: "StoredEmbedder | None", wanted: "StoredEmbedder") -> None:
        """Refuse an embedder that is not the stored vectors'; None stands for no vectors.

        Raises:
            EmbedderMismatch: naming both, and the command that changes over.
        """
        if stored is not None and stored != wanted:
            raise EmbedderMismatch(
                f"The library {self.path} is indexed with {stored.fingerprint} ({stored.dimension} dimensions), but "
                f"the embedder in use is {wanted.fingerprint} ({wanted.dimension} dimensions); change the library "
                "over with `reasonflux library reindex`, or use the first embedder."
            )

    def _embed_new(self, new: Sequence[Template], embedder: Embedder, *, update: bool) -> "Vectors":
        """Embed what the templates need and the library lacks, outside any write transaction."""
        identity = _identity(embedder)
        with self.reading() as reader:
            self._require_embedder(reader, identity)
            taken = {} if update else reader.find_names(name_key(template.name) for template in new)
        return embed_by_key(embedder, self._missing_texts(new, identity, refused=taken))

    def _missing_texts(
        self, new: Sequence[Template], identity: "StoredEmbedder", refused: Collection[str] = ()
    ) -> dict[str, str]:
        from library.adding import with_known_tags
        from library.texts import indexed_texts
        from library.writing import missing_vectors

        with self._database.read() as connection:
            # Those that will be refused have their say in how a tag is spelled, as they have when all are written.
            spelled = [t for t in with_known_tags(connection, new) if name_key(t.name) not in refused]
            texts = {text.hash: text.text for template in spelled for text in indexed_texts(template)}
            missing = missing_vectors(connection, identity, texts)
        return {key: text for key, text in texts.items() if key in missing}


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreUnavailable(f"The library path {path} can't be looked up: {reason}; give another path.") from error


def _identity(embedder: Embedder) -> "StoredEmbedder":
    from library.reading import StoredEmbedder

    return StoredEmbedder(embedder.fingerprint, embedder.dimension)
