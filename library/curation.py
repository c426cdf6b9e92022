"""Changing what is there: editing one template, retiring or purging several."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn

from library.changing import ChangeSet, EmbedderSource, carry_out, require_free
from library.checking import check
from library.reading import Reader, StoredTemplate
from library.template import Template

if TYPE_CHECKING:
    from library.store import Library


@dataclass(frozen=True, slots=True)
class Removal:
    """What removing templates came to: the change's number (None without one), and the slugs on either side."""

    change: int | None
    removed: Sequence[str]
    unchanged: Sequence[str]


def edit(
    library: "Library",
    slug: str,
    change: Callable[[Template], Template],
    *,
    embedder: EmbedderSource,
    who: str,
    action: str = "edit",
) -> StoredTemplate:
    """Replace a template by what `change` makes of it as it is then; its slug stays.

    Raises:
        TemplateNotFound: no template has this slug or name.
        TemplateInvalid: what `change` returned breaks a rule.
        NameConflict: another template has its name.
        EmbedderMismatch: the library's vectors come from another embedder.
        StoreUnavailable: the database can't be written.
        LibraryError: whatever `change` raises; nothing was changed.
    """

    def plan(reader: Reader) -> ChangeSet:
        stored = reader.load([reader.require(slug)])[0]
        new = change(stored.template)
        check(new)
        require_free(reader, new.name, besides=stored.id)
        return ChangeSet(replace=[(stored, new)])

    done = carry_out(library, plan, who=who, action=action, embedder=embedder)
    return done.replaced[0] if done.replaced else library.get(slug)


def remove(
    library: "Library",
    slugs: Sequence[str],
    *,
    how: Literal["retire", "purge"] = "retire",
    who: str,
    dry_run: bool = False,
) -> Removal:
    """Retire templates, so that nothing finds them by default, or purge them; both in one change.

    Raises:
        TemplateNotFound: no template has one of the slugs or names; nothing was changed.
        StoreUnavailable: the database can't be written.
    """
    found: list[StoredTemplate] = []

    def plan(reader: Reader) -> ChangeSet:
        found[:] = reader.load(list(dict.fromkeys(reader.require(slug) for slug in slugs)))
        if how == "purge":
            return ChangeSet(purge=list(found))
        return ChangeSet(
            replace=[
                (stored, stored.template.model_copy(update={"status": "retired"}))
                for stored in found
                if stored.template.status != "retired"
            ]
        )

    if dry_run:
        with library.reading() as reader:
            change, done = None, plan(reader)
    else:
        outcome = carry_out(library, plan, who=who, action=how, embedder=_no_new_text)
        change, done = outcome.change, outcome.done
    removed = [stored.slug for stored in (*done.purge, *(stored for stored, _ in done.replace))]
    return Removal(change, removed, [stored.slug for stored in found if stored.slug not in set(removed)])


def _no_new_text() -> NoReturn:
    raise AssertionError("a status is no indexed text")
