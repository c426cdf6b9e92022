"""Merging near-duplicates: one template takes over tags and examples of the others, which are retired."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from library.changing import ChangeSet, EmbedderSource, carry_out
from library.errors import LibraryError
from library.reading import Reader, StoredTemplate
from library.template import Example, Template, name_key

if TYPE_CHECKING:
    from library.store import Library

_MAX_TAGS = 50
_MAX_EXAMPLES = 100


@dataclass(frozen=True, slots=True)
class Merger:
    """What a merge came to.

    Attributes:
        change: the change's number in the history; None for a dry run, and where nothing was to be done.
        kept: slug of the template that stays.
        retired: slugs of those that were retired by this.
        tags: the tags taken over.
        examples: the problems of the examples taken over.
    """

    change: int | None
    kept: str
    retired: Sequence[str]
    tags: Sequence[str]
    examples: Sequence[str]


def merge(
    library: "Library",
    keep: str,
    others: Sequence[str],
    *,
    embedder: EmbedderSource,
    who: str,
    dry_run: bool = False,
) -> Merger:
    """Give tags and examples of `others` to `keep` and retire them, in one change that can be undone.

    An example whose problem `keep` has already is not taken over again.

    Args:
        library: the library to change.
        keep: slug or name of the template that stays.
        others: slugs or names of those that go.
        embedder: gives the embedder, asked for where the kept template's tags change.
        who: whose change this is.
        dry_run: whether to say what would happen and change nothing.

    Raises:
        TemplateNotFound: there is no such template; nothing was changed.
        LibraryError: `keep` is retired or among `others`, there are no others, two examples disagree about one
            problem, or the template would have too many tags or examples; nothing was changed.
        EmbedderMismatch: a vector is needed, and the library's come from another embedder.
        StoreUnavailable: the database can't be written.
    """
    plans: list[tuple[StoredTemplate, Template, list[StoredTemplate]]] = []

    def plan(reader: Reader) -> ChangeSet:
        kept, going = _found(reader, keep, others)
        merged = merged_template(kept.template, [stored.template for stored in going])
        retiring = [stored for stored in going if stored.template.status != "retired"]
        plans.append((kept, merged, retiring))
        changes = [(stored, stored.template.model_copy(update={"status": "retired"})) for stored in retiring]
        return ChangeSet(replace=[*([(kept, merged)] if merged != kept.template else []), *changes])

    if dry_run:
        change = None
        with library.reading() as reader:
            plan(reader)
    else:
        change = carry_out(library, plan, who=who, action="merge", embedder=embedder).change
    kept, merged, retiring = plans[-1]
    return Merger(
        change,
        kept.slug,
        [stored.slug for stored in retiring],
        list(merged.tags[len(kept.template.tags) :]),
        [example.problem for example in merged.examples[len(kept.template.examples) :]],
    )


def merged_template(keep: Template, others: Sequence[Template]) -> Template:
    """Return `keep` with the tags and examples of `others` that it lacks, behind its own.

    Raises:
        LibraryError: two examples give one problem different answers, or there are too many tags or examples.
    """
    tags = {name_key(tag): tag for tag in keep.tags}
    examples: dict[str, Example] = {}
    kept = list(keep.examples)
    for example in keep.examples:
        examples.setdefault(name_key(example.problem), example)
    for other in others:
        for tag in other.tags:
            tags.setdefault(name_key(tag), tag)
        for example in other.examples:
            known = examples.setdefault(name_key(example.problem), example)
            if known is example:
                kept.append(example)
            elif name_key(known.answer) != name_key(example.answer):
                raise LibraryError(
                    f'The templates disagree about the problem "{_short(example.problem)}": "{keep.name}" would answer '
                    f'"{_short(known.answer)}", "{other.name}" answers "{_short(example.answer)}"; correct one of them '
                    "before the merge."
                )
    if len(tags) > _MAX_TAGS or len(kept) > _MAX_EXAMPLES:
        raise LibraryError(
            f'"{keep.name}" would have {len(tags)} tags and {len(kept)} examples, more than {_MAX_TAGS} and '
            f"{_MAX_EXAMPLES}; merge fewer templates, or remove some of theirs first."
        )
    return keep.model_copy(update={"tags": tuple(tags.values()), "examples": tuple(kept)})


def _found(reader: Reader, keep: str, others: Sequence[str]) -> tuple[StoredTemplate, list[StoredTemplate]]:
    (kept,) = reader.load([reader.require(keep)])
    going = reader.load(list(dict.fromkeys(reader.require(other) for other in others)))
    if kept.template.status == "retired":
        raise LibraryError(f'"{kept.slug}" is retired; name a template to keep that is in use.')
    if any(stored.id == kept.id for stored in going):
        raise LibraryError(f'"{kept.slug}" is both the template to keep and one to merge into it; name it once.')
    if not going:
        raise LibraryError("A merge needs the template to keep and at least one other.")
    return kept, going


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:79] + "…"
