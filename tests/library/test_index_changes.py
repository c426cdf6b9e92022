"""An index that changes were laid over answers like one built from scratch, and never from a stale state."""

import sqlite3
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from library import index as index_module
from library import index_build
from library.errors import StoreUnavailable
from library.index import Snapshot, TemplateIndex
from library.reading import Filter, StoredEmbedder
from library.store import Library
from library.template import Template
from library.texts import indexed_texts
from tests.library.hashing_embedder import HashingEmbedder, template

WORDS = ("prime", "root", "circle", "sum", "graph")


def identity(embedder: HashingEmbedder) -> StoredEmbedder:
    return StoredEmbedder(embedder.fingerprint, embedder.dimension)


def snapshot(index: TemplateIndex, library: Library, embedder: HashingEmbedder) -> Snapshot:
    with library.reading() as reader:
        return index.current(reader, identity(embedder))


def everything(
    found: Snapshot, query: npt.NDArray[np.float32], among: list[int] | None = None
) -> list[tuple[object, ...]]:
    """Return all that an index holds, in an order that does not hang on how it was built."""
    wanted = None if among is None else np.array(among, dtype=np.int64)
    return sorted((round(score, 4), owner, kind) for score, owner, kind in found.nearest(query, 10_000, wanted))


def from_numpy(
    library: Library, embedder: HashingEmbedder, query: npt.NDArray[np.float32], among: list[int] | None = None
) -> list[tuple[object, ...]]:
    """Return the same without any index."""
    return sorted(
        (round(float(embedder.embed([text.text])[0] @ query), 4), stored.id, text.kind)
        for stored in library.list(status=None)
        if among is None or stored.id in among
        for text in indexed_texts(stored.template)
    )


def close(found: list[tuple[object, ...]], expected: list[tuple[object, ...]]) -> bool:
    """Whether two lists agree, up to the last digit of a score and the order of what ties."""

    def key(item: tuple[object, ...]) -> tuple[object, ...]:
        return item[1:]

    found, expected = sorted(found, key=key), sorted(expected, key=key)
    same = [item[1:] for item in found] == [item[1:] for item in expected]
    by_owner: dict[object, tuple[list[object], list[object]]] = {}
    for item, other in zip(found, expected, strict=False):
        pair = by_owner.setdefault(item[1:], ([], []))
        pair[0].append(item[0])
        pair[1].append(other[0])
    return same and all(sorted(a) == pytest.approx(sorted(b), abs=2e-4) for a, b in by_owner.values())


class Edits(RuleBasedStateMachine):
    """Three indexes must agree after any edits: one kept in memory, one loaded from its file, one built anew."""

    slugs: Bundle[str] = Bundle("slugs")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.embedder = HashingEmbedder()
        self.library = Library.open(Path(self.folder.name, "edited.db"), create=True)
        self.kept = TemplateIndex(self.library)
        self.number = 0

    def make(self, words: list[str]) -> Template:
        self.number += 1
        return template(f"{' '.join(words)} {self.number}", description=" ".join(reversed(words)) or "none")

    @rule(target=slugs, words=st.lists(st.sampled_from(WORDS), max_size=3))
    def add(self, words: list[str]) -> str:
        return self.library.add(self.make(words), embedder=self.embedder, who="me").slug

    @rule(count=st.integers(2, 9))
    def add_several(self, count: int) -> None:
        self.library.add_many([self.make(["many"]) for _ in range(count)], embedder=self.embedder, who="me")

    @rule(slug=slugs, words=st.lists(st.sampled_from(WORDS), max_size=3))
    def edit(self, slug: str, words: list[str]) -> None:
        self.library.update(slug, self.make(words), embedder=self.embedder, who="me")

    @rule(slug=consumes(slugs))
    def purge(self, slug: str) -> None:
        self.library.purge(slug, who="me")

    @rule(slug=slugs)
    def use(self, slug: str) -> None:
        self.library.count_usage(slug, planned=1)

    @rule()
    def reindex(self) -> None:
        self.library.reindex(embedder=self.embedder, who="me")

    @rule()
    def forget(self) -> None:
        self.kept = TemplateIndex(self.library)

    @rule(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), data=st.data())
    def compare(self, words: list[str], data: st.DataObject) -> None:
        query = self.embedder.embed([" ".join(words)])[0]
        with self.library.reading() as reader:
            ids = reader.ids(Filter(status=None))
        among = data.draw(st.none() | st.lists(st.sampled_from(ids), unique=True)) if ids else None
        expected = from_numpy(self.library, self.embedder, query, among)
        with self.library.reading() as reader:
            fresh = index_build.build(reader, identity(self.embedder))
            scratch = Snapshot(reader.state(), identity(self.embedder), fresh, index_module.Overlay())
        for found in (
            snapshot(self.kept, self.library, self.embedder),
            snapshot(TemplateIndex(self.library), self.library, self.embedder),
            scratch,
        ):
            assert close(everything(found, query, among), expected)

    @invariant()
    def the_index_is_of_the_newest_state(self) -> None:
        with self.library.reading() as reader:
            assert self.kept.current(reader, identity(self.embedder)).state == reader.state()

    def teardown(self) -> None:
        self.library.close()
        self.folder.cleanup()


Edits.TestCase.settings = settings(max_examples=12, stateful_step_count=20, deadline=None)
TestEdits = Edits.TestCase


@pytest.fixture
def filled(library: Library, embedder: HashingEmbedder) -> Library:
    library.add_many([template(f"T {number}") for number in range(10)], embedder=embedder, who="me")
    return library


def test_few_changes_are_laid_over_the_file_and_many_lead_to_a_new_one(
    filled: Library, embedder: HashingEmbedder
) -> None:
    snapshot(TemplateIndex(filled), filled, embedder)
    file = filled.path.with_name(filled.path.name + ".faiss")
    first = file.read_bytes()
    filled.add(template("Eleventh"), embedder=embedder, who="me")
    filled.purge("t-3", who="me")
    found = snapshot(TemplateIndex(filled), filled, embedder)
    assert (file.read_bytes(), found.packed.templates, len(found.overlay.templates)) == (first, 10, 2)
    filled.add_many([template(f"More {number}") for number in range(64)], embedder=embedder, who="me")
    found = snapshot(TemplateIndex(filled), filled, embedder)
    assert file.read_bytes() != first
    assert (found.packed.templates, len(found.overlay.templates)) == (74, 0)


def test_changes_that_add_up_lead_to_a_new_file_also_in_one_process(filled: Library, embedder: HashingEmbedder) -> None:
    kept = TemplateIndex(filled)
    sizes = set()
    for number in range(70):
        filled.add(template(f"More {number}"), embedder=embedder, who="me")
        sizes.add(snapshot(kept, filled, embedder).packed.templates)
    assert sizes == {11, 76}


def test_a_change_that_the_history_does_not_explain_leads_to_a_new_index(
    filled: Library, embedder: HashingEmbedder
) -> None:
    kept = TemplateIndex(filled)
    first = snapshot(kept, filled, embedder)
    filled.reindex(embedder=embedder, who="me")
    assert snapshot(kept, filled, embedder).packed is not first.packed


def test_a_library_that_was_put_back_to_an_older_state_is_not_answered_from_the_newer_index(
    filled: Library, embedder: HashingEmbedder
) -> None:
    backup = filled.path.with_name("backup.db")
    with sqlite3.connect(filled.path) as source, sqlite3.connect(backup) as target:
        source.backup(target)
    source.close()
    target.close()
    filled.add(template("Only in the first history"), embedder=embedder, who="me")
    snapshot(TemplateIndex(filled), filled, embedder)
    filled.close()
    for suffix in ("-wal", "-shm"):
        filled.path.with_name(filled.path.name + suffix).unlink(missing_ok=True)
    backup.replace(filled.path)
    query = embedder.embed(["Only in the first history"])[0]
    with Library.open(filled.path) as restored:
        found = snapshot(TemplateIndex(restored), restored, embedder)
        assert close(everything(found, query), from_numpy(restored, embedder, query))
        restored.add(template("Only in the second history"), embedder=embedder, who="me")
        found = snapshot(TemplateIndex(restored), restored, embedder)
        assert close(everything(found, query), from_numpy(restored, embedder, query))


def test_an_older_reader_does_not_replace_the_file_of_a_newer_state(filled: Library, embedder: HashingEmbedder) -> None:
    file = filled.path.with_name(filled.path.name + ".faiss")
    with filled.reading() as old:
        state = old.state()
        filled.add(template("Newer"), embedder=embedder, who="me")
        snapshot(TemplateIndex(filled), filled, embedder)
        newest = file.read_bytes()
        found = TemplateIndex(filled).current(old, identity(embedder))
        assert (found.state, found.size) == (state, 30)
    assert file.read_bytes() == newest


def test_texts_without_a_vector_are_an_error_and_no_hole(filled: Library, embedder: HashingEmbedder) -> None:
    kept = TemplateIndex(filled)
    snapshot(kept, filled, embedder)
    with sqlite3.connect(filled.path) as raw:
        raw.execute("DELETE FROM vectors WHERE rowid = 5")
    raw.close()
    filled.path.with_name(filled.path.name + ".faiss").unlink()
    with pytest.raises(StoreUnavailable, match=r"^1 texts of the library have no vector; .* library reindex"):
        snapshot(TemplateIndex(filled), filled, embedder)
    assert filled.reindex(embedder=embedder, who="me") == 1
    assert snapshot(TemplateIndex(filled), filled, embedder).size == 30


def test_a_vector_of_the_wrong_length_is_an_error(filled: Library, embedder: HashingEmbedder) -> None:
    with sqlite3.connect(filled.path) as raw:
        raw.execute("UPDATE vectors SET data = x'00000000' WHERE rowid = 5")
    raw.close()
    with pytest.raises(StoreUnavailable, match="1 stored vectors do not have the 16 dimensions of hashing"):
        snapshot(TemplateIndex(filled), filled, embedder)
