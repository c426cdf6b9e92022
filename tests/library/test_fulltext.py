"""Words are looked up as words, whatever the text holds; what is found is what has them."""

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library import fulltext
from library.folding import search_text, words
from library.fulltext import FullText
from library.reading import Filter
from library.store import Library
from library.template import Example, Template, name_key
from tests.library.hashing_embedder import HashingEmbedder, template

EVERYTHING = Filter(status=None)
VOCABULARY = (
    "root",
    "roots",
    "sum",
    "Löwe",
    "löwe",
    "STRASSE",
    "Straße",
    "数列",
    "e\u0301",
    "é",
    "x^2",
    "series",
    "12",
)
phrases = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=4).map(" ".join)


def columns(new: Template) -> list[list[str]]:
    """Return the words of each column, by the rule alone."""
    shown = " ".join(example.problem for example in new.examples if example.role == "index")
    texts = (new.name, " ".join(new.tags), new.description, new.scope, shown)
    return [words(search_text(text)) for text in texts]


def bm25(documents: dict[int, list[list[str]]], asked: list[str]) -> dict[int, float]:
    """Return the BM25 scores of the documents that have a word asked for, from the published formula."""
    lengths = {key: sum(map(len, document)) for key, document in documents.items()}
    average = sum(lengths.values()) / len(lengths)
    scores: dict[int, float] = {}
    for word in asked:
        have = [key for key, document in documents.items() if any(word in column for column in document)]
        idf = max(math.log((len(documents) - len(have) + 0.5) / (len(have) + 0.5)), 1e-6)
        for key in have:
            counts = [Counter(column)[word] for column in documents[key]]
            frequency = sum(weight * count for weight, count in zip((3, 2, 2, 2, 1), counts, strict=True))
            part = idf * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * lengths[key] / average))
            scores[key] = scores.get(key, 0.0) + part
    return scores


@contextmanager
def asking(library: Library) -> Iterator[FullText]:
    with library.reading() as reader:
        yield FullText(reader.connection)


def found(library: Library, query: str, wanted: Filter = EVERYTHING) -> list[str]:
    with library.reading() as reader:
        table = FullText(reader.connection)
        hits = table.rank(table.query(query), 100, wanted)
        cards = reader.cards([hit.template_id for hit in hits])
        return [cards[hit.template_id].slug for hit in hits]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(phrases, phrases, phrases, st.sampled_from(["algebra", "geometry"])), min_size=1, max_size=8),
    phrases,
    st.sampled_from([None, "algebra"]),
    st.sampled_from([None, "root", "löwe"]),
    st.sampled_from(["active", None]),
)
def test_ranking_by_words_is_brute_force(
    tmp_path: Path,
    content: list[tuple[str, str, str, str]],
    query: str,
    field: str | None,
    tag: str | None,
    status: str | None,
) -> None:
    for old in tmp_path.glob("words.db*"):
        old.unlink()
    with Library.open(tmp_path / "words.db", create=True) as library:
        new = [
            template(
                f"{name} {number}",
                tags=tuple({name_key(word): word for word in about.split()}.values()),
                description=about,
                scope=problem,
                examples=(
                    Example(problem=problem, answer="1"),
                    Example(problem="kept back root sum", answer="1", role="probe"),
                ),
                field=place,
                status="retired" if number % 3 == 2 else "active",
            )
            for number, (name, about, problem, place) in enumerate(content)
        ]
        library.add_many(new, embedder=HashingEmbedder(), who="me")
        stored = {item.id: item for item in library.list(status=None)}
        documents = {key: columns(item.template) for key, item in stored.items()}
        asked = list(dict.fromkeys(words(search_text(query))))
        occurring = {word for document in documents.values() for column in document for word in column}
        whole = [word for word in asked if word in occurring]
        expected = bm25(documents, whole)
        passing = {
            key
            for key, item in stored.items()
            if (field is None or item.template.field == field)
            and (tag is None or name_key(tag) in map(name_key, item.template.tags))
            and (status is None or item.template.status == status)
        }
        with library.reading() as reader:
            table = FullText(reader.connection)
            looked_up = table.query(query)
            hits = table.rank(looked_up, 100, Filter(field, None, (tag,) if tag else (), status))  # type: ignore[arg-type]
        by_prefix = {word.text for word in looked_up.chosen if word.prefix}
        unknown = {word for word in asked if len(word) > 2 and word not in occurring}
        assert by_prefix == {word for word in unknown if any(other.startswith(word) for other in occurring)}
        if not by_prefix:
            assert {hit.template_id for hit in hits} == expected.keys() & passing
            for hit in hits:
                assert hit.score == pytest.approx(expected[hit.template_id], rel=1e-6, abs=1e-9)
            assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@given(st.text(max_size=40))
def test_equal_names_have_equal_words(name: str) -> None:
    assert words(search_text(name_key(name))) == words(search_text(name))
    for word in words(search_text(name)):
        assert re.fullmatch("[0-9a-z\x80-\U0010ffff]+", word)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Löwe", "LÖWE"),
        ("Löwe", "lowe"),
        ("é", "e\u0301"),
        ("Straße", "STRASSE"),
        (" Vieta", "Vieta "),
        ("Série", "série"),
        ("averages", "average"),
        ("inequalities", "inequality"),
        ("１２", "12"),
    ],
)
def test_one_word_in_several_spellings(library: Library, first: str, second: str) -> None:
    library.add(template("Other one"), embedder=HashingEmbedder(), who="me")
    library.add(template(f"About {first}"), embedder=HashingEmbedder(), who="me")
    assert found(library, second) == found(library, first)
    assert len(found(library, second)) == 1


def test_a_beginning_finds_the_word(library: Library, embedder: HashingEmbedder) -> None:
    for name in ("Червоний", "数列の和", "Telescoping"):
        library.add(template(name), embedder=embedder, who="me")
    assert found(library, "черв") == ["червоний"]
    assert found(library, "ЧЕРВОНИЙ") == ["червоний"]
    assert found(library, "数列") == ["数列の和"]
    assert found(library, "和") == ["数列の和"]
    assert found(library, "telescop") == ["telescoping"]
    assert found(library, "te") == []


HOSTILE = (
    '"',
    '"unbalanced',
    "a AND",
    "NOT a OR (b",
    "name:x",
    "{name tags}: x",
    "NEAR(a b, 3)",
    "a* ^b -c +d",
    "'; DROP TABLE templates; --",
    r"\frac{1}{2} \begin{cases} x & \text{if } \end{cases}",
    "nul\x00 here",
    "half a pair \udcff \ud800",
    "\u202e right to left שלום",
    "🍕 ∑ √ ≤",
    "-",
    "*",
    "٣ ４ ²",
)


@pytest.mark.parametrize("query", HOSTILE)
def test_no_character_of_a_query_is_syntax(library: Library, embedder: HashingEmbedder, query: str) -> None:
    library.add(template("Plain"), embedder=embedder, who="me")
    assert found(library, query) in ([], ["plain"])
    assert found(library, f"{query} plain") == ["plain"]


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_can_be_asked(tmp_path: Path, query: str) -> None:
    with Library.open(tmp_path / "any.db", create=True) as library:
        if not library.count():
            library.add(template("Plain"), embedder=HashingEmbedder(), who="me")
        assert found(library, query) in ([], ["plain"])


def test_a_megabyte_of_text_is_bounded(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Plain"), embedder=embedder, who="me")
    with asking(library) as table:
        many = table.query("plain " + " ".join(f"word{number}" for number in range(200_000)))
        assert len(many.words) <= 256
        assert [word.text for word in many.chosen][:1] == ["plain"]
        assert len(many.chosen) <= 64
        assert table.query("x" * 1_000_000).words == ()


def test_a_large_library_looks_up_the_rarest_words_alone(
    library: Library, embedder: HashingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = [
        template(f"T {number}", description=" ".join(f"w{level}" for level in range(12) if number % (level + 1) == 0))
        for number in range(24)
    ]
    library.add_many(new, embedder=embedder, who="me")
    query = " ".join(f"w{level}" for level in range(12))
    with asking(library) as table:
        assert len(table.query(query).chosen) == 12
    monkeypatch.setattr(fulltext, "LARGE", 10)
    monkeypatch.setattr(fulltext, "_COMMON", 6)
    with asking(library) as table:
        looked_up = table.query(query)
        assert {word.text for word in looked_up.chosen} == {f"w{level}" for level in range(4, 12)}
        assert max(word.templates for word in looked_up.words) == 6
        assert [word.text for word in table.query("w0 w1 w2").chosen] == ["w2"]
        assert table.query("unheard").chosen == ()


def test_words_of_most_templates_are_looked_up_only_where_there_are_no_others(
    library: Library, embedder: HashingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("all most half few", "all most half", "all most", "all")
    new = [template(f"T {number}", description=text) for number, text in enumerate(words)]
    library.add_many(new, embedder=embedder, who="me")
    with asking(library) as table:
        assert [word.text for word in table.query("all most half few").chosen] == ["few", "half", "most", "all"]
    monkeypatch.setattr(fulltext, "MANY", 4)
    with asking(library) as table:
        assert [word.text for word in table.query("all most half few").chosen] == ["few", "half"]
        assert [word.text for word in table.query("all most").chosen] == ["most", "all"]


def test_edits_and_deletions_are_followed(library: Library, embedder: HashingEmbedder) -> None:
    stored = library.add(template("First", description="zebra"), embedder=embedder, who="me")
    library.add(template("Second"), embedder=embedder, who="me")
    assert found(library, "zebra") == ["first"]
    changed = stored.template.model_copy(update={"description": "quagga", "tags": ("equids",)})
    library.update("first", changed, embedder=embedder, who="me")
    assert found(library, "zebra") == []
    assert found(library, "quagga") == found(library, "equid") == ["first"]
    library.purge("first", who="me")
    assert found(library, "quagga equid") == []
    assert found(library, "kept back") == []
    raw = sqlite3.connect(library.path)
    raw.execute("INSERT INTO template_text (template_text) VALUES ('integrity-check')")
    assert raw.execute("SELECT count(*) FROM template_text").fetchone() == (1,)
    raw.close()


def test_coverage_weighs_rare_words_and_ignores_common_ones(library: Library, embedder: HashingEmbedder) -> None:
    for number in range(20):
        library.add(template(f"The case {number}"), embedder=embedder, who="me")
    library.add(template("The zebra"), embedder=embedder, who="me")
    with asking(library) as table:
        assert table.query("the").coverage({"the"}) == 0
        both = table.query("the zebra")
        assert both.coverage({"zebra"}) > 0.9 > 0.1 > both.coverage({"the"}) > 0
        assert table.query("the unheard").coverage({"the"}) < 0.1
        assert table.query("?!").coverage({"the"}) == 0
