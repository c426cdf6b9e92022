"""Fused search: places add up as published, filters hold, every part is shown, and nothing good is an answer."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library.errors import EmbedderMismatch, LibraryError
from library.ranking import CLOSE, DENSE_WEIGHT, DEPTH, MOST_WORDS, RRF_K, SHARES, fuse, is_good
from library.search import TemplateSearch
from library.store import Library
from library.texts import KINDS
from tests.library.hashing_embedder import HashingEmbedder, numbered, template

WORDS = ("root", "sum", "angle", "prime", "graph", "ratio", "zebra")
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


class Deaf(HashingEmbedder):
    """Hears nothing but the first word, so that words and vectors disagree."""

    def embed(self, texts):  # type: ignore[no-untyped-def]
        return super().embed([text.split()[0] for text in texts])


@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 9), unique=True, max_size=8), st.sampled_from([0.5, 1.0, 1.25])), max_size=3
    )
)
def test_fusion_is_the_weighted_published_sum(lists: list[tuple[list[int], float]]) -> None:
    fused = fuse([({key: place for place, key in enumerate(ranking, start=1)}, weight) for ranking, weight in lists])
    assert fused.keys() == {key for ranking, _ in lists for key in ranking}
    for key, score in fused.items():
        parts = [weight / (RRF_K + ranking.index(key) + 1) for ranking, weight in lists if key in ranking]
        assert score == pytest.approx(sum(parts))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(phrases, phrases, st.sampled_from(["algebra", "geometry"])), max_size=10),
    phrases,
    st.integers(1, 5),
    st.sampled_from([None, "algebra"]),
    st.sampled_from([None, "root"]),
    st.sampled_from(["active", "draft", None]),
)
def test_a_fused_search_follows_from_its_parts(
    tmp_path: Path,
    content: list[tuple[str, str, str]],
    query: str,
    k: int,
    field: str | None,
    tag: str | None,
    status: str | None,
) -> None:
    for old in tmp_path.glob("hybrid.db*"):
        old.unlink()
    with Library.open(tmp_path / "hybrid.db", create=True) as library:
        new = numbered(content)
        library.add_many(new, embedder=Deaf(), who="me")
        finder = TemplateSearch(library, Deaf())
        filters = {"field": field, "tags": [tag] if tag else None, "status": status}
        dense, bm25, both = (
            finder.find(query, 100, mode=mode, **filters).nearest  # type: ignore[arg-type]
            for mode in ("dense", "bm25", "hybrid")
        )
        passing = {stored.slug for stored in library.list(field=field, tag=tag, status=status)}  # type: ignore[arg-type]
        assert {hit.slug for hit in dense} == {hit.slug for hit in both} == passing
        assert {hit.slug for hit in bm25} <= passing
        plain = finder.search(query, 100, **filters)  # type: ignore[arg-type]
        assert {hit.slug: (hit.score, hit.matched) for hit in dense} == {h.slug: (h.score, h.matched) for h in plain}
        by_meaning = {hit.slug: hit for hit in dense}
        by_words = {hit.slug: hit for hit in bm25}
        for hit in both:
            meaning, word = by_meaning[hit.slug], by_words.get(hit.slug)
            assert (hit.score, hit.matched, hit.dense_rank) == (meaning.score, meaning.matched, meaning.rank)
            assert (hit.bm25, hit.bm25_rank) == ((word.bm25, word.rank) if word else (None, None))
            parts = DENSE_WEIGHT / (RRF_K + meaning.rank) + (1 / (RRF_K + word.rank) if word else 0)
            assert hit.fused == pytest.approx(parts)
            assert hit.terms == meaning.terms
            assert hit.good == is_good(hit.score, hit.coverage)
        assert [hit.rank for hit in both] == list(range(1, len(both) + 1))
        assert [hit.fused for hit in both] == sorted((hit.fused for hit in both), reverse=True)
        assert finder.find(query, k, **filters).nearest == both[:k]  # type: ignore[arg-type]


def test_words_add_what_vectors_miss_with_its_cosine(library: Library, embedder: HashingEmbedder) -> None:
    finder = TemplateSearch(library, embedder)
    new = [template(f"near {number}", description="near near near") for number in range(DEPTH + 20)]
    library.add_many(new, embedder=embedder, who="me")
    library.add(template("Far", description="zebra " + "other words entirely " * 9), embedder=embedder, who="me")
    best = finder.find("near near near near zebra", 5).nearest[0]
    far = next(hit for hit in finder.find("near near near near zebra", DEPTH + 9).nearest if hit.slug == "far")
    assert far.bm25_rank == 1
    assert far.terms == ("zebra",)
    assert best.slug != "far"
    exact = {hit.slug: hit.score for hit in finder.search("near near near near zebra", 200)}
    assert far.score == pytest.approx(exact["far"], abs=2e-6)


def test_words_alone_need_no_embedder(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Червоний"), embedder=embedder, who="me")
    finder = TemplateSearch(library, None)
    found = finder.find("черв", mode="bm25")
    (hit,) = found.nearest
    assert (hit.slug, hit.score, hit.matched, hit.dense_rank, hit.terms) == ("червоний", None, None, None, ("черв*",))
    assert found.good
    assert not finder.find("zebra", mode="bm25").good
    for ask in (lambda: finder.find("черв"), lambda: finder.search("черв")):
        with pytest.raises(LibraryError, match="embedder"):
            ask()


def test_another_embedder_is_no_reason_to_go_by_words(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    other = TemplateSearch(library, HashingEmbedder(24, "wide"))
    for mode in ("hybrid", "dense"):
        with pytest.raises(EmbedderMismatch, match="library reindex"):
            other.find("One", mode=mode)  # type: ignore[arg-type]


def test_what_is_good_is_close_or_has_the_words() -> None:
    assert is_good(CLOSE, 0.0)
    assert is_good(0.0, MOST_WORDS)
    assert is_good(None, MOST_WORDS)
    assert not is_good(CLOSE - 0.001, MOST_WORDS - 0.001)
    assert not is_good(None, MOST_WORDS - 0.001)


def test_an_empty_library_has_no_good_match(library: Library, embedder: HashingEmbedder) -> None:
    found = TemplateSearch(library, embedder).find("anything")
    assert (found.nearest, found.good) == ([], False)


def test_hostile_and_huge_queries_are_answered(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Plain"), embedder=embedder, who="me")
    finder = TemplateSearch(library, embedder)
    for query in ('"', "a AND (b", "nul\x00", "\udcff", "x" * 1_000_000, "plain " * 200_000, "🍕"):
        assert [hit.slug for hit in finder.find(query).nearest] == ["plain"]
        assert [hit.slug for hit in finder.search(query)] == ["plain"]


def test_filters_follow_changes(library: Library, embedder: HashingEmbedder) -> None:
    finder = TemplateSearch(library, embedder)
    stored = library.add(template("Plain"), embedder=embedder, who="me")
    library.add(template("Draft", status="draft"), embedder=embedder, who="me")
    assert [hit.slug for hit in finder.find("plain").nearest] == ["plain"]
    library.update("plain", stored.template.model_copy(update={"status": "retired"}), embedder=embedder, who="me")
    assert finder.find("plain").nearest == []
    assert [hit.slug for hit in finder.find("plain", status="retired").nearest] == ["plain"]
    assert {hit.slug for hit in finder.find("plain", status=None).nearest} == {"plain", "draft"}


def test_nothing_is_answered_from_what_was_true_before(library: Library, embedder: HashingEmbedder) -> None:
    finder = TemplateSearch(library, embedder)
    stored = library.add(template("Plain", description="zebra"), embedder=embedder, who="me")
    first = finder.find("zebra quagga").nearest[0]
    assert (first.name, first.terms, finder.search("zebra")[0].name) == ("Plain", ("zebra",), "Plain")
    changed = stored.template.model_copy(update={"name": "Striped", "description": "quagga"})
    library.update("plain", changed, embedder=embedder, who="me")
    first = finder.find("zebra quagga").nearest[0]
    assert (first.name, first.terms, finder.search("zebra")[0].name) == ("Striped", ("quagga",), "Striped")
    library.reindex(embedder=HashingEmbedder(8), who="me")
    with pytest.raises(EmbedderMismatch):
        finder.find("zebra quagga")


def test_a_vector_at_hand_is_used(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Plain"), embedder=embedder, who="me")
    finder = TemplateSearch(library, embedder)
    (vector,) = embedder.embed(["plain words"])
    before = embedder.embedded
    by_hand = finder.find("plain words", vector=np.ascontiguousarray(vector))
    assert embedder.embedded == before
    assert by_hand == finder.find("plain words")


def test_shares_are_of_one_whole() -> None:
    assert SHARES.keys() == set(KINDS)
    assert sum(SHARES.values()) == pytest.approx(1)
