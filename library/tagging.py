"""Tags across a library: one renamed, or several merged, in one change that `undo` takes back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from library.changing import ChangeSet, EmbedderSource, Plan, carry_out
from library.errors import LibraryError, NameConflict
from library.reading import Filter, Reader
from library.template import name_key
from library.writing import tag_spellings

if TYPE_CHECKING:
    from library.store import Library

_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Retagged:
    """What renaming or merging tags came to: the change's number (None without one), and the templates' slugs."""

    change: int | None
    slugs: Sequence[str]


def rename_tag(
    library: "Library", old: str, new: str, *, embedder: EmbedderSource, who: str, dry_run: bool = False
) -> Retagged:
    """Give a tag another name, or another spelling, on every template of any status.

    Raises:
        LibraryError: no template carries the tag, or the new name can't be one.
        NameConflict: another tag has the new name already.
        EmbedderMismatch: the library's vectors come from another embedder.
        StoreUnavailable: the database can't be written.
    """

    def plan(reader: Reader) -> ChangeSet:
        if name_key(new) != name_key(old):
            taken = tag_spellings(reader.connection, [new])
            if taken:
                (name,) = taken.values()
                raise NameConflict(
                    f'There already is a tag "{name}"; to put both together use '
                    f'`reasonflux library tags --merge "{old}" "{name}" --into "{name}"`.'
                )
        return _retag(reader, [old], new)

    return _carry_out(library, plan, f"rename tag {old} to {new}", embedder=embedder, who=who, dry_run=dry_run)


def merge_tags(
    library: "Library", old: Sequence[str], into: str, *, embedder: EmbedderSource, who: str, dry_run: bool = False
) -> Retagged:
    """Put one tag, new or there already, in the place of several, on every template of any status.

    Raises:
        LibraryError: no template carries one of the tags, or the name of the merged one can't be one.
        EmbedderMismatch: the library's vectors come from another embedder.
        StoreUnavailable: the database can't be written.
    """
    action = f"merge tags {', '.join(old)} into {into}"
    return _carry_out(
        library, lambda reader: _retag(reader, old, into), action, embedder=embedder, who=who, dry_run=dry_run
    )


def _carry_out(
    library: "Library", plan: Plan, action: str, *, embedder: EmbedderSource, who: str, dry_run: bool
) -> Retagged:
    if dry_run:
        with library.reading() as reader:
            return Retagged(None, [stored.slug for stored, _ in plan(reader).replace])
    done = carry_out(library, plan, who=who, action=action, row_action="tag", embedder=embedder)
    return Retagged(done.change, [stored.slug for stored, _ in done.done.replace])


def _retag(reader: Reader, old: Sequence[str], new: str) -> ChangeSet:
    new = " ".join(new.split())
    if not new or len(new) > _LONGEST or "\0" in new:
        raise LibraryError(f"A tag's name has 1 to {_LONGEST} characters, none of them NUL; give another name.")
    _require_known(reader, old)
    keys = {name_key(tag) for tag in old} | {name_key(new)}
    spelling = {} if _is_spelled(reader, new) else {name_key(new): new}
    touched = sorted({found for tag in (*old, new) for found in reader.ids(Filter(tags=(tag,), status=None))})
    pairs = []
    for stored in reader.load(touched):
        tags: dict[str, str] = {}
        for tag in stored.template.tags:
            key = name_key(tag)
            tags.setdefault(*((name_key(new), new) if key in keys else (key, tag)))
        pairs.append((stored, stored.template.model_copy(update={"tags": tuple(tags.values())})))
    return ChangeSet(replace=[(stored, made) for stored, made in pairs if made != stored.template], spellings=spelling)


def _is_spelled(reader: Reader, tag: str) -> bool:
    return tag_spellings(reader.connection, [tag]).get(name_key(tag), "") == tag


def _require_known(reader: Reader, tags: Sequence[str]) -> None:
    import difflib

    known = tag_spellings(reader.connection, tags)
    for tag in tags:
        if name_key(tag) not in known:
            near = difflib.get_close_matches(tag, list(reader.tag_counts(None)), n=3, cutoff=0.5)
            hint = f"did you mean {', '.join(near)}?" if near else "`reasonflux library tags` shows what there is."
            raise LibraryError(f'No template has the tag "{tag}"; {hint}')
