"""How well search finds: each probe problem looks for its own template, which was never indexed under it.

A query's place is that of the template it wants among the first 100; MRR is the mean of 1 / place, 0 where it is not
among them, and recall@k the part of the queries whose place is at most k.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from library.embedding import Embedder, embed_all
from library.errors import ImportRefused, LibraryError
from library.query_text import searched_text
from library.ranking import DEPTH, Mode
from library.reading import examples, templates
from library.search import TemplateSearch
from library.store import Library
from library.texts import reference_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MODES: tuple[Mode, ...] = ("dense", "bm25", "hybrid")
RECALL_AT = (1, 5, 10)

_BATCH = 64
_LONGEST_LINE = 1 << 20
_MOST_TEXTS = 100


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: a template by slug, through texts of which the best counts."""

    texts: tuple[str, ...]
    wanted: str
    field: str


@dataclass(frozen=True, slots=True)
class Quality:
    """How well one mode finds. `places` holds each query's place, None where it is not among the first 100."""

    places: tuple[int | None, ...]

    @property
    def mrr(self) -> float:
        """Mean of 1 / place."""
        return sum(1 / place for place in self.places if place is not None) / len(self.places)

    def recall(self, k: int) -> float:
        """Return the part of the queries whose place is at most `k`."""
        return sum(place is not None and place <= k for place in self.places) / len(self.places)

    def document(self) -> dict[str, float]:
        """Return the measures, to 4 decimals."""
        return {"mrr": round(self.mrr, 4)} | {f"recall@{k}": round(self.recall(k), 4) for k in RECALL_AT}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The quality of each mode, over all queries and over those of each field."""

    queries: tuple[Query, ...]
    modes: dict[Mode, Quality]

    @property
    def n(self) -> int:
        """Number of queries."""
        return len(self.queries)

    def of_field(self, field: str) -> "Evaluation":
        """Return the part of one field."""
        kept = [number for number, query in enumerate(self.queries) if query.field == field]
        return Evaluation(
            tuple(self.queries[number] for number in kept),
            {mode: Quality(tuple(quality.places[number] for number in kept)) for mode, quality in self.modes.items()},
        )

    def document(self) -> dict[str, Any]:
        """Return `n` and the measures of each mode."""
        return {"n": self.n} | {mode: quality.document() for mode, quality in self.modes.items()}


def probes(library: Library) -> list[Query]:
    """Return a query for each probe problem of the active templates."""
    from sqlalchemy import select

    query = (
        select(examples.c.problem, templates.c.slug, templates.c.field)
        .join(templates, templates.c.id == examples.c.template_id)
        .where(examples.c.role == "probe", templates.c.status == "active")
        .order_by(templates.c.slug, examples.c.position)
    )
    with library.reading() as reader:
        return [Query((row.problem,), row.slug, row.field) for row in reader.connection.execute(query)]


def read_queries(path: Path, library: Library) -> tuple[list[Query], int]:
    """Return the queries of a planner, and how many plans of the file name no active template as wanted.

    Each line is a JSON object with `wanted`, a slug or null, and `queries`, objects with `name` and `tags`. A plan
    whose steps want no template at all stays in: it does not find what it should. A line whose `status` is `failed`
    holds no plan.

    Raises:
        ImportRefused: the file can't be read, or a line is not of this form.
    """
    from sqlalchemy import select

    active = select(templates.c.slug, templates.c.field).where(templates.c.status == "active")
    with library.reading() as reader:
        fields = {row.slug: row.field for row in reader.connection.execute(active)}
    queries: list[Query] = []
    left_out = 0
    for wanted, texts in _lines(path):
        if wanted is not None and wanted in fields:
            queries.append(Query(texts, wanted, fields[wanted]))
        else:
            left_out += 1
    return queries, left_out


def evaluate(
    library: Library,
    embedder: Embedder,
    queries: Sequence[Query],
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Evaluation:
    """Measure how well each mode finds what the queries want.

    Raises:
        LibraryError: there is no query.
        EmbedderMismatch: the library's vectors come from another embedder.
    """
    if not queries:
        raise LibraryError("There is nothing to measure with: no active template has an example of the role probe.")
    library.require_embedder(embedder)
    finder = TemplateSearch(library, embedder)
    places: dict[Mode, list[int | None]] = {mode: [] for mode in MODES}
    for start in range(0, len(queries), _BATCH):
        batch = queries[start : start + _BATCH]
        vectors = iter(embed_all(embedder, [searched_text(text) for query in batch for text in query.texts]))
        for query in batch:
            asked = [(text, next(vectors)) for text in query.texts]
            for mode in MODES:
                places[mode].append(_place(finder, asked, query.wanted, mode))
        progress(start + len(batch), len(queries))
    return Evaluation(tuple(queries), {mode: Quality(tuple(found)) for mode, found in places.items()})


def _place(
    finder: TemplateSearch, asked: "Sequence[tuple[str, npt.NDArray[np.float32]]]", wanted: str, mode: Mode
) -> int | None:
    best: int | None = None
    for text, vector in asked:
        for hit in finder.find(text, DEPTH, mode=mode, vector=vector).nearest:
            if hit.slug == wanted and (best is None or hit.rank < best):
                best = hit.rank
    return best


def _lines(path: Path) -> Iterator[tuple[str | None, tuple[str, ...]]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), start=1):
                if line.strip():
                    yield _line(line, f"{path}:{number}")
    except OSError as error:
        raise ImportRefused(f"The queries {path} can't be read: {error.strerror or error}.") from error


def _line(line: bytes, where: str) -> tuple[str | None, tuple[str, ...]]:
    if len(line) > _LONGEST_LINE:
        raise ImportRefused(f"{where}: the line is longer than {_LONGEST_LINE} bytes.")
    try:
        record = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ImportRefused(
            f"{where}: this is no JSON ({error}); give a file of `reasonflux plan --queries`."
        ) from error
    if isinstance(record, dict) and record.get("status") == "failed":
        return None, ()
    wanted = record.get("wanted") if isinstance(record, dict) else None
    steps = record.get("queries") if isinstance(record, dict) else None
    if not isinstance(steps, list) or len(steps) > _MOST_TEXTS or not isinstance(wanted, str | None):
        raise ImportRefused(
            f'{where}: a line needs "wanted", a slug or null, and "queries", a list of at most {_MOST_TEXTS}; '
            "`reasonflux plan --queries` writes such a file."
        )
    return wanted, tuple(text for step in steps if (text := _text(step, where)))


def _text(step: Any, where: str) -> str:
    name = step.get("name") if isinstance(step, dict) else None
    tags = step.get("tags", []) if isinstance(step, dict) else None
    if not isinstance(name, str) or not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise ImportRefused(f'{where}: each of "queries" needs a "name" and may have "tags", a list of texts.')
    return reference_text(name, tags) if name.strip() else ""
