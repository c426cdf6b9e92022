"""Search by words: the full-text table beside the templates, and BM25 over it.

SQLite's FTS5 holds the words of a template's name, tags, description, scope and shown examples as `library.folding`
makes them; `bm25` weighs a word by how rare it is and by the column it stands in. Query text is never read as FTS5
syntax: it is cut into words by the same rule, and only words are looked up. A word that occurs nowhere is tried as
the beginning of others. In a large library only the rarest few words are looked up, since the common ones cost most
and say least. The notation in a query's formulas is looked up by the words it stands for, see `library.symbols`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from library.folding import search_text, words
from library.query_text import QUERY_CHARACTERS
from library.symbols import meanings
from library.template import Template

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from library.reading import Filter

LARGE = 20_000
"""Number of templates above which only the rarest words of a query are looked up."""
MANY = 100
"""Number of templates from which the words that more than half of them have are left out where a query has others:
FTS5 weighs them by nothing, after the longest look-up."""
LARGE_WORDS = 8
"""How many words are looked up in a large library."""

_MOST_WORDS = 256
_LONGEST_WORD = 200
_SMALL_WORDS = 64
_COMMON = 10_000
_SHORTEST_PREFIX = 3
_FEW = 5
_COLUMNS = ("name", "tags", "description", "scope", "examples")
_WEIGHTS = (3.0, 2.0, 2.0, 2.0, 1.0)
_SCORE = f"bm25(template_text, {', '.join(map(str, _WEIGHTS))})"
_RANKED = (
    f"SELECT rowid, {_SCORE} AS score FROM template_text WHERE template_text MATCH ? ORDER BY score, rowid LIMIT ?"
)
# fts5vocab's own count reads every posting of a common word, which costs as much as a search.
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM template_text WHERE template_text MATCH ? LIMIT ?)"
_COUNTS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a query.

    Attributes:
        text: the word, folded.
        templates: how many templates have it; where that is more than 10,000, this number.
        weight: how much it says: the more, the fewer templates have it; one that none has says most.
        prefix: whether it occurs only as the beginning of other words.
    """

    text: str
    templates: int
    weight: float
    prefix: bool = False

    @property
    def expression(self) -> str:
        """The word in FTS5's syntax."""
        return f'"{self.text}"*' if self.prefix else f'"{self.text}"'

    def occurs_in(self, found: set[str]) -> bool:
        """Whether it is one of these words, or begins one of them where it is looked up so."""
        return self.text in found or (self.prefix and any(word.startswith(self.text) for word in found))


@dataclass(frozen=True, slots=True)
class WordQuery:
    """What is looked up for a query: its words, those of them that are looked up, and the library's size."""

    words: tuple[Word, ...]
    chosen: tuple[Word, ...]
    templates: int

    def coverage(self, found: set[str]) -> float:
        """Return which part of the query's words, by weight, is among `found`.

        It is 0 for a query without words, or of words alone that most templates have.
        """
        most = max(min(self.templates // 2, _COMMON - 1), _FEW)
        if not any(word.templates <= most for word in self.words):
            return 0.0
        total = sum(word.weight for word in self.words)
        return sum(word.weight for word in self.words if word.occurs_in(found)) / total


class WordHit(NamedTuple):
    """A template that has a word of the query, with its BM25 score (more is better)."""

    template_id: int
    score: float


class FullText:
    """Answers from the state a connection sees."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection

    def query(self, text: str, templates: int | None = None) -> WordQuery:
        """Return what is to be looked up for any text; quotes, operators and control characters are no words.

        Args:
            text: the query.
            templates: the library's `size`, where it is at hand.
        """
        clipped = text[:QUERY_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
        distinct = dict.fromkeys(word for word in words(search_text(clipped)) if len(word) <= _LONGEST_WORD)
        said = list(distinct)[:_MOST_WORDS]
        implied = [word for word in meanings(clipped) if word not in distinct]
        templates = self.size() if templates is None else templates
        looked_up = self._words([*said, *implied], templates)
        return WordQuery(looked_up[: len(said)], self._choose(looked_up, templates), templates)

    def rank(self, query: WordQuery, k: int, wanted: "Filter") -> list[WordHit]:
        """Return the `k` best templates that have a chosen word and pass a filter, best first; ties go by id.

        Args:
            query: what is looked up.
            k: how many.
            wanted: which templates are looked among.
        """
        from sqlalchemy import ColumnElement, column, exists, literal_column, select, table, text

        from library.reading import conditions_of, templates

        if not query.chosen:
            return []
        looked_up = " OR ".join(word.expression for word in query.chosen)
        conditions = conditions_of(wanted)
        if not conditions:
            rows = self._connection.exec_driver_sql(_RANKED, (looked_up, k)).all()
            return [WordHit(int(row[0]), -float(row[1])) for row in rows]
        rowid: ColumnElement[int] = literal_column("template_text.rowid")
        score: ColumnElement[float] = literal_column(_SCORE)
        match = text("template_text MATCH :words").bindparams(words=looked_up)
        found = select(rowid, score.label("score")).select_from(table("template_text", column("name"))).where(match)
        # A correlated look-up for each row that has a word: a join might be turned round, and then ask the full-text
        # table anew for each template.
        found = found.where(exists().where(templates.c.id == rowid, *conditions))
        found = found.order_by(text("score"), rowid).limit(k)
        return [WordHit(int(row[0]), -float(row[1])) for row in self._connection.execute(found)]

    def words_of(self, ids: Sequence[int]) -> dict[int, set[str]]:
        """Return the words of each of a few templates."""
        found: dict[int, set[str]] = {}
        for start in range(0, len(ids), 500):
            chunk = ids[start : start + 500]
            rows = self._connection.exec_driver_sql(
                f"SELECT rowid, {' || char(10) || '.join(_COLUMNS)} FROM template_text"
                f" WHERE rowid IN ({','.join('?' * len(chunk))})",
                tuple(chunk),
            )
            found |= {int(row[0]): set(words(str(row[1]))) for row in rows}
        return found

    def size(self) -> int:
        """Return the number of templates; of a large library the highest id, which costs no count."""
        highest = int(self._one("SELECT coalesce(max(id), 0) FROM templates"))
        return highest if highest > LARGE else int(self._one("SELECT count(*) FROM templates"))

    def _words(self, texts: Sequence[str], templates: int) -> tuple[Word, ...]:
        limit = _COMMON if templates > LARGE else LARGE
        counts: list[int] = []
        for start in range(0, len(texts), _COUNTS_AT_ONCE):
            chunk = texts[start : start + _COUNTS_AT_ONCE]
            parameters = tuple(value for text in chunk for value in (f'"{text}"', limit))
            rows = self._connection.exec_driver_sql(" UNION ALL ".join([_COUNT] * len(chunk)), parameters).all()
            counts += [int(row[0]) for row in rows]
        return tuple(
            self._beginning(text, limit, templates)
            if not count and len(text) >= _SHORTEST_PREFIX
            else Word(text, count, _weight(count, templates))
            for text, count in zip(texts, counts, strict=True)
        )

    def _beginning(self, text: str, limit: int, templates: int) -> Word:
        # Instances are read in order and only so far: a beginning of very many words is none to search by.
        instances = self._one(
            "SELECT count(*) FROM (SELECT 1 FROM template_words WHERE term >= ? AND term < ? LIMIT ?)",
            text,
            text + chr(0x10FFFF),
            limit + 1,
        )
        if not 0 < instances <= limit:
            return Word(text, 0, _weight(0, templates))
        count = self._count(f'"{text}"*', limit)
        return Word(text, count, _weight(count, templates), prefix=True)

    def _choose(self, looked_up: Sequence[Word], templates: int) -> tuple[Word, ...]:
        known = sorted((word for word in looked_up if word.templates), key=lambda word: word.templates)
        if templates <= LARGE:
            telling = [word for word in known if 2 * word.templates <= templates]
            return tuple((telling if telling and templates >= MANY else known)[:_SMALL_WORDS])
        rare = tuple(word for word in known[:LARGE_WORDS] if word.templates < _COMMON)
        if rare or not known:
            return rare
        return (min(known, key=lambda word: self._count(word.expression, -1)),)

    def _count(self, expression: str, limit: int) -> int:
        return self._one(_COUNT, expression, limit)

    def _one(self, statement: str, *parameters: str | int) -> int:
        return int(self._connection.exec_driver_sql(statement, parameters).scalar_one())


def _weight(having: int, templates: int) -> float:
    return math.log(1 + (max(templates - having, 0) + 0.5) / (having + 0.5))


def store(connection: "Connection", parts: Sequence[tuple[int, Template]]) -> None:
    """Enter the words of templates, by id, that are not in the table."""
    rows = [
        (
            key,
            search_text(template.name),
            search_text(" ".join(template.tags)),
            search_text(template.description),
            search_text(template.scope),
            search_text(" ".join(example.problem for example in template.examples if example.role == "index")),
        )
        for key, template in parts
    ]
    if rows:
        connection.exec_driver_sql(
            f"INSERT INTO template_text (rowid, {', '.join(_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?)", rows
        )


def forget(connection: "Connection", template_ids: Sequence[int]) -> None:
    """Remove the words of templates."""
    if template_ids:
        rows = [(template_id,) for template_id in template_ids]
        connection.exec_driver_sql("DELETE FROM template_text WHERE rowid = ?", rows)
