"""One change of a library: what it deletes, replaces, brings back and adds, in one transaction.

A change is given as a plan, a function of the state it finds. It is asked once to find out which texts need a vector,
which are embedded while no one waits, and again inside the transaction, so that nothing is decided on an old state.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from library.adding import with_known_tags
from library.checking import check
from library.embedding import Embedder, embed_by_key
from library.errors import NameConflict, StoreUnavailable
from library.purged import Purged
from library.reading import Reader, StoredEmbedder, StoredTemplate
from library.template import Template, name_key
from library.texts import indexed_texts
from library.writing import VectorsMissing, Writer, missing_vectors

if TYPE_CHECKING:
    from library.store import Library
    from library.writing import Vectors

_ATTEMPTS = 5

EmbedderSource = Callable[[], Embedder]
"""Gives the embedder when a text has no vector yet; a change without a new text never asks for it."""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What one change does, in the order in which it is done.

    Attributes:
        purge: templates to delete.
        replace: templates and what they are to say.
        restore: purged templates to bring back.
        insert: templates to add.
        spellings: by key, the new spelling of tags whose templates are all in this change.
    """

    purge: Sequence[StoredTemplate] = ()
    replace: Sequence[tuple[StoredTemplate, Template]] = ()
    restore: Sequence[Purged] = ()
    insert: Sequence[Template] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)

    @property
    def templates(self) -> list[Template]:
        """The templates as they are to be, in order: replaced, restored, added."""
        return [*(new for _, new in self.replace), *(old.template for old in self.restore), *self.insert]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be done."""
        return not (self.purge or self.replace or self.restore or self.insert)


Plan = Callable[[Reader], ChangeSet]


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a change: its number (None where nothing was to be done), and the templates it replaced."""

    change: int | None
    done: ChangeSet
    replaced: Sequence[StoredTemplate] = ()


def carry_out(
    library: "Library",
    plan: Plan,
    *,
    who: str,
    action: str,
    embedder: EmbedderSource,
    row_action: str | None = None,
    batch: str | None = None,
) -> Done:
    """Do what `plan` says, in one transaction.

    Args:
        library: the library to change.
        plan: returns what to do from a state; asked anew inside the transaction.
        who: whose change this is.
        action: what the history calls the change.
        embedder: gives the embedder where a text has no vector yet.
        row_action: what the history calls each template's part, `action` by default.
        batch: a token that several changes share which are undone together.

    Raises:
        TemplateInvalid: a template breaks a rule; nothing was changed.
        EmbedderMismatch: a vector is needed, and the library's come from another embedder.
        StoreUnavailable: the database can't be written.
        LibraryError: whatever `plan` raises; nothing was changed.
    """
    for _ in range(_ATTEMPTS):
        with library.reading() as reader:
            wanted = _spelled(reader, plan(reader))
            identity = reader.embedder()
            texts = _texts_without_vector(reader, wanted.templates, identity)
        for template in wanted.templates:
            check(template)
        if wanted.is_empty:
            return Done(None, wanted)
        known: Vectors = {}
        if texts or (wanted.templates and identity is None):
            source = embedder()
            library.require_embedder(source)
            identity = StoredEmbedder(source.fingerprint, source.dimension)
            known = embed_by_key(source, texts)
        try:
            with library.writing(who=who, action=action, batch=batch) as writer:
                if writer.reader.embedder() not in (identity, None):
                    continue
                return _do(writer, plan, row_action or action, identity, known)
        except VectorsMissing:
            continue
    raise StoreUnavailable.overtaken(library.path)


def require_free(reader: Reader, name: str, *, besides: int | None = None) -> None:
    """Refuse a name that another template has under the rule of name identity.

    Raises:
        NameConflict: naming that template.
    """
    holder = reader.find_name(name_key(name))
    if holder is not None and holder != besides:
        (other,) = reader.load([holder])
        raise NameConflict.with_template(other.template.name, other.slug)


def _do(writer: Writer, plan: Plan, action: str, identity: StoredEmbedder | None, known: "Vectors") -> Done:
    wanted = _spelled(writer.reader, plan(writer.reader))
    if wanted.is_empty:
        return Done(None, wanted)
    for template in wanted.templates:
        check(template)
    writer.purge(*wanted.purge, action=action)
    if wanted.templates:
        if identity is None:
            raise VectorsMissing
        if writer.reader.embedder() is None:
            writer.use_embedder(identity)
        writer.respell(wanted.spellings)
        writer.replace_many(wanted.replace, action, identity, known)
        writer.restore([(old, old.template) for old in wanted.restore], action, identity, known)
        writer.insert(wanted.insert, identity, known)
    replaced = writer.reader.load([stored.id for stored, _ in wanted.replace])
    return Done(writer.record_change(), wanted, replaced)


def _spelled(reader: Reader, wanted: ChangeSet) -> ChangeSet:
    """Return the change with every tag in the spelling it will have, and without what changes nothing."""
    from dataclasses import replace

    spelled = iter(with_known_tags(reader.connection, wanted.templates, wanted.spellings))
    pairs = [(stored, next(spelled)) for stored, _ in wanted.replace]
    restored = [replace(old, template=next(spelled)) for old in wanted.restore]
    return ChangeSet(
        purge=wanted.purge,
        replace=[(stored, new) for stored, new in pairs if new != stored.template],
        restore=restored,
        insert=list(spelled),
        spellings=wanted.spellings,
    )


def _texts_without_vector(
    reader: Reader, templates: Sequence[Template], identity: StoredEmbedder | None
) -> dict[str, str]:
    texts = {text.hash: text.text for template in templates for text in indexed_texts(template)}
    if identity is None:
        return texts
    missing = missing_vectors(reader.connection, identity, texts)
    return {key: text for key, text in texts.items() if key in missing}
