"""What `evaluate` measures is what counting places by hand gives."""

import json
from pathlib import Path
from typing import Any

import pytest

from library.errors import ImportRefused, LibraryError
from library.evaluation import MODES, Quality, Query, evaluate, probes, read_queries
from library.search import TemplateSearch
from library.store import Library
from library.template import Example
from tests.library.hashing_embedder import HashingEmbedder, template


@pytest.fixture
def filled(library: Library, embedder: HashingEmbedder) -> Library:
    for number in range(12):
        kept = Example(problem=f"Kept back {number} word{number % 3}", answer="1", role="probe")
        new = template(
            f"T {number}", description=f"About word{number % 3}", examples=(kept,), field=f"field {number % 2}"
        )
        library.add(new, embedder=embedder, who="me")
    library.add(template("Hidden", status="draft"), embedder=embedder, who="me")
    return library


def test_measures_are_the_definitions() -> None:
    quality = Quality((1, 2, 4, None, 10, 11))
    assert quality.mrr == pytest.approx((1 + 1 / 2 + 1 / 4 + 0 + 1 / 10 + 1 / 11) / 6)
    assert [quality.recall(k) for k in (1, 5, 10)] == [pytest.approx(part / 6) for part in (1, 3, 4)]
    assert quality.document() == {"mrr": 0.3235, "recall@1": 0.1667, "recall@5": 0.5, "recall@10": 0.6667}


def test_each_probe_looks_for_its_own_template(filled: Library, embedder: HashingEmbedder) -> None:
    queries = probes(filled)
    assert [(query.wanted, query.field) for query in queries] == sorted(
        (f"t-{number}", f"field {number % 2}") for number in range(12)
    )
    seen: list[tuple[int, int]] = []
    result = evaluate(filled, embedder, queries, progress=lambda done, total: seen.append((done, total)))
    assert (result.n, seen[-1]) == (12, (12, 12))
    finder = TemplateSearch(filled, embedder)
    for mode in MODES:
        for query, place in zip(queries, result.modes[mode].places, strict=True):
            slugs = [hit.slug for hit in finder.find(query.texts[0], 100, mode=mode).nearest]
            assert place == (slugs.index(query.wanted) + 1 if query.wanted in slugs else None)
    assert result.of_field("field 0").n + result.of_field("field 1").n == 12
    document = result.document()
    assert document.keys() == {"n", "dense", "bm25", "hybrid"}
    assert document["hybrid"].keys() == {"mrr", "recall@1", "recall@5", "recall@10"}


def test_the_best_step_of_a_plan_counts(filled: Library, embedder: HashingEmbedder) -> None:
    worse, better = "nothing of it", "T 3; algebra, roots"
    asked = [Query((worse, better), "t-3", "f"), Query((worse,), "t-3", "f"), Query((better,), "t-3", "f")]
    places = evaluate(filled, embedder, [*asked, Query((), "t-1", "f")]).modes["dense"].places
    assert places[0] == places[2] != places[1]
    assert places[3] is None


def test_nothing_to_measure_is_said(library: Library, embedder: HashingEmbedder) -> None:
    with pytest.raises(LibraryError, match="role probe"):
        evaluate(library, embedder, probes(library))


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records), encoding="utf-8")
    return path


def test_a_planners_queries_are_read(filled: Library, tmp_path: Path) -> None:
    file = lines(
        tmp_path / "q.jsonl",
        {"wanted": "t-3", "queries": [{"name": "T 3", "tags": ["a", "b"]}, {"name": ""}, {"name": "U"}], "more": 1},
        "",
        {"wanted": None, "queries": []},
        {"wanted": "hidden", "queries": []},
        {"wanted": "t-4", "queries": []},
    )
    queries, left_out = read_queries(file, filled)
    assert queries == [Query(("T 3; a, b", "U"), "t-3", "field 1"), Query((), "t-4", "field 0")]
    assert left_out == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", '"queries"'),
        ({"wanted": 3, "queries": []}, '"wanted"'),
        ({"wanted": "t-1"}, '"queries"'),
        ({"wanted": "t-1", "queries": ["T 1"]}, '"name"'),
        ({"wanted": "t-1", "queries": [{"name": "T", "tags": [1]}]}, '"tags"'),
        ({"wanted": "t-1", "queries": [{"name": "T"}] * 101}, "at most 100"),
        ("x" * 1_100_000, "longer than"),
    ],
)
def test_a_bad_line_is_named(filled: Library, tmp_path: Path, line: Any, reason: str) -> None:
    file = lines(tmp_path / "q.jsonl", {"wanted": None, "queries": []}, line)
    with pytest.raises(ImportRefused, match=reason) as caught:
        read_queries(file, filled)
    assert str(caught.value).startswith(f"{file}:2: ")
    with pytest.raises(ImportRefused, match="can't be read"):
        read_queries(tmp_path / "none.jsonl", filled)
