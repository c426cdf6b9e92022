"""Search gives what comparing with every text gives, through filters, edits and other processes' changes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from library.errors import EmbedderMismatch, LibraryError
from library.reading import Filter, StoredEmbedder
from library.search import TemplateSearch, search
from library.store import Library
from library.template import Template
from library.texts import indexed_texts
from tests.library.hashing_embedder import HashingEmbedder, numbered, template

WORDS = ("root", "sum", "angle", "prime", "graph", "ratio")
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


def brute_force(
    library: Library, query: str, *, field: str | None = None, tag: str | None = None, status: str | None = "active"
) -> list[tuple[str, float]]:
    """Return (slug, score) of all templates that fit, best first, by embedding everything anew."""
    embedder = HashingEmbedder()
    (vector,) = embedder.embed([query])
    scores = []
    for stored in library.list(field=field, tag=tag, status=status):  # type: ignore[arg-type]
        texts = [text.text for text in indexed_texts(stored.template)]
        scores.append((stored.slug, round(float((embedder.embed(texts) @ vector).max()), 6)))
    return sorted(scores, key=lambda item: (-item[1], item[0]))


def assert_same(found: list[tuple[str, float]], expected: list[tuple[str, float]]) -> None:
    """Scores agree to the rounding, and only templates of equal score may change places."""
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=3e-6)
    known = dict(expected)
    for slug, score in found:
        assert score == pytest.approx(known.get(slug, score), abs=3e-6)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(phrases, phrases, st.sampled_from(["algebra", "geometry"])), max_size=12),
    phrases,
    st.integers(1, 6),
    st.sampled_from([None, "algebra", "geometry"]),
    st.sampled_from([None, "root", "sum"]),
    st.sampled_from(["active", "draft", None]),
)
def test_search_is_brute_force(
    tmp_path: Path,
    content: list[tuple[str, str, str]],
    query: str,
    k: int,
    field: str | None,
    tag: str | None,
    status: str | None,
) -> None:
    path = tmp_path / "search.db"
    for old in tmp_path.glob("search.db*"):
        old.unlink()
    embedder = HashingEmbedder()
    with Library.open(path, create=True) as library:
        new = numbered(content)
        library.add_many(new, embedder=embedder, who="me")
        hits = search(
            library,
            embedder,
            query,
            k=k,
            field=field,
            tags=[tag] if tag else None,
            status=status,  # type: ignore[arg-type]
        )
        expected = brute_force(library, query, field=field, tag=tag, status=status)
        assert len(hits) == min(k, len(expected))
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
        assert_same([(hit.slug, hit.score) for hit in hits], expected[:k])


class Edits(RuleBasedStateMachine):
    """After any edits, a search that was open all along equals one over a library built from scratch."""

    slugs: Bundle[str] = Bundle("slugs")

    @initialize(folder=st.just(None))
    def start(self, folder: None) -> None:
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.embedder = HashingEmbedder()
        self.library = Library.open(Path(self.folder.name) / "edited.db", create=True)
        self.finder = TemplateSearch(self.library, self.embedder)
        self.number = 0

    def make(self, name: str, about: str) -> Template:
        self.number += 1
        return template(f"{name} {self.number}", description=about, tags=tuple(dict.fromkeys(name.split())))

    @rule(target=slugs, name=phrases, about=phrases)
    def add(self, name: str, about: str) -> str:
        return self.library.add(self.make(name, about), embedder=self.embedder, who="me").slug

    @rule(slug=slugs, name=phrases, about=phrases, status=st.sampled_from(["active", "retired"]))
    def edit(self, slug: str, name: str, about: str, status: str) -> None:
        new = self.make(name, about).model_copy(update={"status": status})
        self.library.update(slug, new, embedder=self.embedder, who="me")

    @rule(slug=consumes(slugs))
    def purge(self, slug: str) -> None:
        self.library.purge(slug, who="me")

    @rule(query=phrases)
    def find(self, query: str) -> None:
        found = [(hit.slug, hit.score) for hit in self.finder.search(query, 50)]
        assert_same(found, brute_force(self.library, query))

    @invariant()
    def every_text_has_its_vector_and_no_other_is_kept(self) -> None:
        texts = {text.text for stored in self.library.list(status=None) for text in indexed_texts(stored.template)}
        with self.library.reading() as reader:
            keys, matrix = reader.vectors(StoredEmbedder(self.embedder.fingerprint, 16))
        expected = sum(len(indexed_texts(stored.template)) for stored in self.library.list(status=None))
        assert len(keys) == expected
        distinct = {row.tobytes() for row in np.ascontiguousarray(matrix)}
        assert len(distinct) <= len(texts)

    def teardown(self) -> None:
        if hasattr(self, "library"):
            self.library.close()
            self.folder.cleanup()


Edits.TestCase.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
TestEdits = Edits.TestCase


def test_new_words_are_found_at_once_also_from_another_process(
    library_file: Path, library: Library, embedder: HashingEmbedder
) -> None:
    finder = TemplateSearch(library, embedder)
    stored = library.add(template("Series", steps=("Sum.",)), embedder=embedder, who="me")
    assert finder.search("zebra quagga", 1)[0].score < 0.9
    with Library.open(library_file) as other:
        changed = stored.template.model_copy(update={"description": "zebra", "scope": "quagga"})
        other.update(stored.slug, changed, embedder=embedder, who="you")
    hit = finder.search("zebra quagga", 1)[0]
    assert (hit.slug, hit.matched, hit.score) == ("series", "description", pytest.approx(1.0, abs=1e-5))


def test_probe_examples_are_never_indexed(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    finder = TemplateSearch(library, embedder)
    assert finder.search("Shown problem of One", 1)[0].matched == "example"
    assert finder.search("Shown problem of One", 1)[0].score == pytest.approx(1.0, abs=1e-5)
    assert finder.search("Kept back problem of One", 1)[0].score < 0.999


def test_reference_finds_the_exact_name_first(library: Library, embedder: HashingEmbedder) -> None:
    for name in ("Löwe theorem", "Löwe theorem extended", "Other"):
        library.add(template(name), embedder=embedder, who="me")
    library.add(template("Hidden", status="draft"), embedder=embedder, who="me")
    finder = TemplateSearch(library, embedder)
    hits = finder.by_reference(" LÖWE  Theorem", ["nothing", "alike"])
    assert (hits[0].slug, hits[0].score, hits[0].rank) == ("löwe-theorem", 1.0, 1)
    assert len({hit.slug for hit in hits}) == len(hits) == 3
    assert finder.by_reference("löwe-theorem-extended", (), 1)[0].name == "Löwe theorem extended"
    assert "hidden" not in {hit.slug for hit in finder.by_reference("Hidden", (), 10)}
    assert finder.by_reference("half a pair \udcff", ())
    assert finder.get("other").name == "Other"


def test_empty_queries_and_counts_are_refused(library: Library, embedder: HashingEmbedder) -> None:
    finder = TemplateSearch(library, embedder)
    for ask in (lambda: finder.search("  \n"), lambda: finder.by_reference(" "), lambda: finder.search("x", 0)):
        with pytest.raises(LibraryError, match=r"empty|at least 1"):
            ask()
    assert finder.search("anything") == []


def test_another_embedder_is_refused_before_anything_is_embedded(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    other = HashingEmbedder(24, "wide")
    with pytest.raises(EmbedderMismatch, match="library reindex"):
        TemplateSearch(library, other).search("One")
    assert other.embedded == 0


def test_filter_of_several_tags_wants_all(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Both", tags=("a", "b")), embedder=embedder, who="me")
    library.add(template("One", tags=("a",)), embedder=embedder, who="me")
    with library.reading() as reader:
        assert reader.count(Filter(tags=("a", "B"))) == 1
    assert [hit.slug for hit in search(library, embedder, "x", tags=["a", "B"])] == ["both"]


def test_threads_search_while_others_add(library: Library, embedder: HashingEmbedder) -> None:
    from concurrent.futures import ThreadPoolExecutor

    finder = TemplateSearch(library, embedder)

    def work(number: int) -> bool:
        library.add(template(f"T {number}"), embedder=embedder, who="me")
        return finder.by_reference(f"T {number}", ("algebra", "roots"), 1)[0].slug == f"t-{number}"

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(40)))
    assert library.count() == 40
