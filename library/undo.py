"""Taking a change back, as a change of its own that can be taken back as well.

A change can be undone while each template it touched still is what it left behind; what a later change made of one
is never overwritten.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from library.changelog import Change, find_change, last_change, last_touch, parts_of
from library.changing import ChangeSet, EmbedderSource, carry_out
from library.errors import ChangeConflict, LibraryError
from library.purged import Purged, read_kept
from library.reading import Filter, Reader, StoredTemplate
from library.template import Template, name_key

if TYPE_CHECKING:
    from library.store import Library


@dataclass(frozen=True, slots=True)
class Undone:
    """What undoing came to: the change undone, and the slugs by what became of them.

    `change` is the number of the change that did it, None in a dry run or where nothing was left to do.
    """

    undone: Change
    change: int | None
    restored: Sequence[str]
    replaced: Sequence[str]
    removed: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Net:
    """What a change did to one template from its first part to its last."""

    id: int
    slug: str
    before: Template | None
    after: Template | None
    kept: str | None


def undo(
    library: "Library", number: int | None = None, *, embedder: EmbedderSource, who: str, dry_run: bool = False
) -> Undone:
    """Undo the last change, or the one of a number; a change of a batch stands for the whole batch.

    Raises:
        LibraryError: there is no such change, or it touched no template.
        ChangeConflict: a later change stands in the way; the message names it.
        EmbedderMismatch: a vector is needed, and the library's come from another embedder.
        StoreUnavailable: the database can't be written.
    """
    with library.reading() as reader:
        target = _target(reader, number)
        planned = _plan(reader, target)
    change = None
    if not dry_run:
        done = carry_out(
            library,
            lambda reader: _plan(reader, _target(reader, target.id)),
            who=who,
            action=f"undo {numbers(target)}",
            row_action="undo",
            embedder=embedder,
        )
        change, planned = done.change, done.done
    return Undone(
        target,
        change,
        restored=[old.slug for old in planned.restore],
        replaced=[stored.slug for stored, _ in planned.replace],
        removed=[stored.slug for stored in planned.purge],
    )


def numbers(change: Change) -> str:
    """Return the number of a change, or the first and last of a batch: `3-9`."""
    return str(change.id) if change.first == change.id else f"{change.first}-{change.id}"


def _target(reader: Reader, number: int | None) -> Change:
    if number is None:
        found = last_change(reader)
        if found is None:
            raise LibraryError("There is nothing to undo: no template of this library was ever changed.")
        return found
    found = find_change(reader, number) if number < 2**63 else None
    if found is None:
        raise LibraryError(f"There is no change {number}; `reasonflux library history` lists them.")
    if not found.templates:
        raise LibraryError(f"Change {number} ({found.action}) touched no template; there is nothing to undo.")
    return found


def _plan(reader: Reader, target: Change) -> ChangeSet:
    net = _net(reader, target)
    current = {stored.id: stored for stored in reader.load([one.id for one in net])}
    for one in net:
        _require_untouched(reader, target, one, current.get(one.id))
    change_set = ChangeSet(
        purge=[current[one.id] for one in net if one.before is None],
        replace=[(current[one.id], one.before) for one in net if one.before is not None and one.after is not None],
        restore=[
            read_kept(one.id, one.slug, one.before, one.kept)
            for one in net
            if one.before is not None and one.after is None
        ],
    )
    _require_names_free(reader, target, change_set)
    return ChangeSet(
        purge=change_set.purge,
        replace=change_set.replace,
        restore=change_set.restore,
        spellings=_own_spellings(reader, net),
    )


def _net(reader: Reader, target: Change) -> list[_Net]:
    from pydantic import ValidationError

    first: dict[int, Any] = {}
    last: dict[int, Any] = {}
    for part in parts_of(reader, target):
        first.setdefault(part.template_id, part)
        last[part.template_id] = part
    net = []
    for key, part in first.items():
        try:
            before, after = (
                None if form is None else Template.model_validate(form) for form in (part.before, last[key].after)
            )
        except ValidationError as error:
            raise LibraryError(
                f"Change {numbers(target)} can't be undone: what the history holds of {part.slug} is no template "
                f"by today's rules ({error.error_count()} of them broken)."
            ) from error
        if before != after:
            net.append(_Net(key, part.slug, before, after, last[key].kept))
    return net


def _require_untouched(reader: Reader, target: Change, one: _Net, current: StoredTemplate | None) -> None:
    if (current.template if current is not None else None) == one.after:
        return
    later = last_touch(reader, one.id, after=target.id)
    raise _in_the_way(target, f"{one.slug} was changed later", later)


def _require_names_free(reader: Reader, target: Change, change_set: ChangeSet) -> None:
    """Refuse to bring back a name or slug that another template, untouched by this change, has by now."""
    own = {stored.id for stored in change_set.purge} | {stored.id for stored, _ in change_set.replace}
    names = [template.name for template in change_set.templates]
    holders = [(f'the name "{name}"', reader.find_name(name_key(name))) for name in names]
    holders += [(f'the slug "{old.slug}"', _slug_holder(reader, old)) for old in change_set.restore]
    for what, holder in holders:
        if holder is not None and holder not in own:
            later = last_touch(reader, holder, after=0)
            raise _in_the_way(target, f"{what} belongs to another template by now", later)


def _slug_holder(reader: Reader, old: Purged) -> int | None:
    found = reader.find(old.slug)
    return found if found is not None and reader.cards([found])[found].slug == old.slug else None


def _own_spellings(reader: Reader, net: Sequence[_Net]) -> dict[str, str]:
    """Return, by key, the former spelling of each tag that no other template of the library carries."""
    ids = {one.id for one in net}
    former = {name_key(tag): tag for one in net if one.before is not None for tag in one.before.tags}
    spelled_now = {tag for one in net if one.after is not None for tag in one.after.tags}
    return {
        key: tag
        for key, tag in former.items()
        if tag not in spelled_now and ids.issuperset(reader.ids(Filter(tags=(tag,), status=None)))
    }


def _in_the_way(target: Change, why: str, later: Change | None) -> ChangeConflict:
    if later is None:
        return ChangeConflict(f"Change {numbers(target)} can't be undone: {why}.")
    return ChangeConflict(
        f"Change {numbers(target)} can't be undone: {why}, by change {numbers(later)} ({later.action} by {later.who}); "
        f"undo that one first with `reasonflux library undo {later.id}`."
    )
