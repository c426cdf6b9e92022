"""Filling a new library with the content that comes with the package, and merging what is new in it into an old one.

What an earlier seed put into a library is known from its history: a template whose content still is what one of them
put there is nobody's edit, and follows the package.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files

from library.adding import with_known_tags
from library.changing import ChangeSet, EmbedderSource, carry_out
from library.embedding import Embedder
from library.errors import ImportRefused
from library.exchange import ImportProblem, read_file
from library.reading import Reader, StoredTemplate, changes, history
from library.store import Library, Progress
from library.template import Template, content_hash, name_key

SEEDS = ("maths",)
_BATCH = 64
_ACTION = "seed"


@dataclass(frozen=True, slots=True)
class Merged:
    """What merging a seed came to, by name: `kept` are templates a person edited or wrote, `removed` purged ones.

    `change` is the number of the change, None where nothing was changed.
    """

    change: int | None
    added: Sequence[str]
    updated: Sequence[str]
    unchanged: Sequence[str]
    kept: Sequence[str]
    removed: Sequence[str]


def seed_templates() -> Iterator[Template]:
    """Yield the templates that come with the package, in order of field and topic.

    A template that names no field or topic takes them from its file's place, `seed/<field>/<topic>.yaml`.

    Raises:
        ImportRefused: a file of the package can't be read.
    """
    with as_file(files("library") / "seed") as folder:
        for path in sorted(folder.glob("*/*.yaml")):
            for record in read_file(path):
                if isinstance(record, ImportProblem):
                    raise ImportRefused(f"{record.location}: {record.reason}")
                yield _placed(record.template, field=path.parent.name, topic=path.stem)


def fill(library: Library, embedder: Embedder, *, who: str, progress: Progress | None = None) -> int:
    """Add the seed templates to a library and return how many there are.

    Args:
        library: an empty library, or one that holds some of them.
        embedder: what their vectors come from.
        who: whose change this is, for the history.
        progress: called with how many are done and how many there are.

    Raises:
        ImportRefused: a file of the package can't be read, or two templates have one name.
        StoreUnavailable: the database can't be written.
    """
    templates = list(seed_templates())
    batch_token = secrets.token_hex(8)
    for start in range(0, len(templates), _BATCH):
        batch = templates[start : start + _BATCH]
        for outcome in library.add_many(batch, embedder=embedder, who=who, action=_ACTION, batch=batch_token):
            if outcome.action == "conflict":
                raise ImportRefused(f'Two seed templates have the name "{outcome.name}"; rename one of them.')
        if progress is not None:
            progress(start + len(batch), len(templates))
    return len(templates)


def merge(
    library: Library,
    *,
    embedder: EmbedderSource,
    who: str,
    dry_run: bool = False,
    templates: Sequence[Template] | None = None,
) -> Merged:
    """Bring a library up to the seed of this package, in one change.

    New templates are added, and those that still are what a seed put there are replaced; they keep their status.
    Edited templates, purged ones, and those that the seed no longer has stay as they are.

    Args:
        library: the library.
        embedder: gives the embedder where a text is new.
        who: whose change this is, for the history.
        dry_run: whether to change nothing.
        templates: the seed, by default that of the package.

    Raises:
        ImportRefused: a file of the package can't be read.
        EmbedderMismatch: the library's vectors come from another embedder.
        StoreUnavailable: the database can't be written.
    """
    seed = list(seed_templates()) if templates is None else templates
    outcome: dict[str, list[str]] = {}

    def plan(reader: Reader) -> ChangeSet:
        outcome.clear()
        planned, names = _merge_plan(reader, seed)
        outcome.update(names)
        return planned

    change = None
    if dry_run:
        with library.reading() as reader:
            plan(reader)
    else:
        change = carry_out(library, plan, who=who, action=_ACTION, embedder=embedder).change
    return Merged(change, **{part: outcome[part] for part in _OUTCOMES})


_OUTCOMES = ("added", "updated", "unchanged", "kept", "removed")


def _merge_plan(reader: Reader, seed: Sequence[Template]) -> tuple[ChangeSet, dict[str, list[str]]]:
    earlier = _put_by_seeds(reader)
    names: dict[str, list[str]] = {part: [] for part in _OUTCOMES}
    fresh: list[Template] = []
    updates: list[tuple[StoredTemplate, Template]] = []
    for new in with_known_tags(reader.connection, seed):
        template_id, contents = earlier.get(name_key(new.name), (None, set()))
        found = reader.find_name(name_key(new.name)) if template_id is None else template_id
        stored = reader.load([found])[0] if found is not None and reader.cards([found]) else None
        if stored is None:
            part = "added" if template_id is None else "removed"
        elif stored.content_hash == new.content_hash:
            part = "unchanged"
        else:
            part = "updated" if stored.content_hash in contents and stored.template.name == new.name else "kept"
        names[part].append(new.name)
        if part == "added":
            fresh.append(new)
        elif part == "updated" and stored is not None:
            updates.append((stored, new.model_copy(update={"status": stored.template.status})))
    return ChangeSet(replace=updates, insert=fresh), names


def _put_by_seeds(reader: Reader) -> dict[str, tuple[int, set[str]]]:
    """Return, by key of the name, which template a seed put there and the hashes of all that seeds made of it."""
    import json

    from sqlalchemy import select

    query = select(history.c.template_id, history.c.after).join(changes, changes.c.id == history.c.change_id)
    query = query.where(changes.c.action == _ACTION, history.c.after.is_not(None)).order_by(history.c.id)
    hashes: dict[int, set[str]] = {}
    found: dict[str, tuple[int, set[str]]] = {}
    for template_id, after in reader.connection.execute(query):
        content = json.loads(after)
        of_template = hashes.setdefault(int(template_id), set())
        of_template.add(content_hash({key: content[key] for key in content if key not in _NO_CONTENT}))
        found[name_key(str(content["name"]))] = (int(template_id), of_template)
    return found


_NO_CONTENT = ("status", "source", "author")


def _placed(template: Template, *, field: str, topic: str) -> Template:
    given = template.model_fields_set
    return template.model_copy(
        update={
            "field": template.field if "field" in given else field,
            "topic": template.topic if "topic" in given else topic,
            "source": template.source or "seed:maths",
        }
    )
