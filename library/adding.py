"""What adding templates comes to: each name is free, taken by the same content, or taken by other content."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from library.reading import Reader, StoredEmbedder, StoredTemplate
from library.template import Template, name_key
from library.writing import Writer, tag_spellings

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from library.writing import Vectors


@dataclass(frozen=True, slots=True)
class Outcome:
    """What adding one template came to; `slug` and `name` are those of the template in the library."""

    action: Literal["added", "updated", "unchanged", "conflict"]
    slug: str
    name: str


class Decision(NamedTuple):
    """What adding a template calls for: `stored` is the template that has its name, None where it is free."""

    outcome: Outcome
    template: Template
    stored: StoredTemplate | None = None


def decide(reader: Reader, new: Sequence[Template], *, update: bool) -> Sequence[Decision]:
    """Decide for each template what its name calls for; the first of several with one name counts."""
    keys = [name_key(template.name) for template in new]
    holders = reader.find_names(keys)
    stored = {item.id: item for item in reader.load(list(holders.values()))}
    decisions: list[Decision] = []
    seen: dict[str, Decision] = {}
    for key, template in zip(keys, new, strict=True):
        first = seen.get(key)
        if first is not None:
            same = first.template.content_hash == template.content_hash
            outcome = replace(first.outcome, action="unchanged" if same else "conflict")
            decisions.append(Decision(outcome, template))
            continue
        decision = _decide_one(template, stored[holders[key]] if key in holders else None, update=update)
        decisions.append(decision)
        if decision.outcome.action in ("added", "updated"):
            seen[key] = decision
    return decisions


def _decide_one(template: Template, stored: StoredTemplate | None, *, update: bool) -> Decision:
    if stored is None:
        return Decision(Outcome("added", template.slug, template.name), template)
    if stored.content_hash == template.content_hash:
        return Decision(Outcome("unchanged", stored.slug, stored.template.name), template, stored)
    if update:
        kept = template.model_copy(update={"status": stored.template.status})
        return Decision(Outcome("updated", stored.slug, template.name), kept, stored)
    return Decision(Outcome("conflict", stored.slug, stored.template.name), template, stored)


def put(
    writer: Writer, new: Sequence[Template], embedder: StoredEmbedder, known: "Vectors", *, update: bool
) -> Sequence[Outcome]:
    """Do what is decided for each template, and return what it came to.

    Raises:
        VectorsMissing: a text has no vector, neither stored nor in `known`.
    """
    decisions = decide(writer.reader, new, update=update)
    fresh = [decision.template for decision in decisions if decision.outcome.action == "added"]
    if fresh or any(decision.outcome.action == "updated" for decision in decisions):
        writer.use_embedder(embedder)
    slugs = iter(writer.insert(fresh, embedder, known))
    outcomes = []
    for outcome, template, stored in decisions:
        if outcome.action == "updated" and stored is not None:
            writer.replace(stored, template, "update", embedder, known)
        outcomes.append(replace(outcome, slug=next(slugs)) if outcome.action == "added" else outcome)
    return outcomes


def with_known_tags(
    connection: "Connection", new: Sequence[Template], fixed: Mapping[str, str] | None = None
) -> Sequence[Template]:
    """Return the templates with each tag in the spelling `fixed` has by key, else the library's or their first."""
    spellings = tag_spellings(connection, (tag for template in new for tag in template.tags)) | dict(fixed or {})
    spelled = []
    for template in new:
        tags = tuple(spellings.setdefault(name_key(tag), tag) for tag in template.tags)
        spelled.append(template if tags == template.tags else template.model_copy(update={"tags": tags}))
    return spelled
