"""Filling a new library with the content that comes with the package."""

from collections.abc import Iterator
from importlib.resources import as_file, files

from library.embedding import Embedder
from library.errors import ImportRefused
from library.exchange import ImportProblem, read_file
from library.store import Library, Progress
from library.template import Template

SEEDS = ("maths",)
_BATCH = 64


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
    for start in range(0, len(templates), _BATCH):
        batch = templates[start : start + _BATCH]
        for outcome in library.add_many(batch, embedder=embedder, who=who, action="seed"):
            if outcome.action == "conflict":
                raise ImportRefused(f'Two seed templates have the name "{outcome.name}"; rename one of them.')
        if progress is not None:
            progress(start + len(batch), len(templates))
    return len(templates)


def _placed(template: Template, *, field: str, topic: str) -> Template:
    given = template.model_fields_set
    return template.model_copy(
        update={
            "field": template.field if "field" in given else field,
            "topic": template.topic if "topic" in given else topic,
            "source": template.source or "seed:maths",
        }
    )
