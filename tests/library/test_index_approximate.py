"""An approximate index: its recall is measured and reached, filters lose nothing, and its file is mapped."""

import json
import logging
from collections.abc import Iterator, Sequence

import faiss
import numpy as np
import numpy.typing as npt
import pytest

from library import index_file
from library.index import Snapshot, TemplateIndex
from library.index_packed import Packed
from library.reading import StoredEmbedder
from library.store import Library
from tests.library.hashing_embedder import template

TEMPLATES = 300


class ClusteredEmbedder:
    """Puts each text near one of twelve centres, by a hash of its words."""

    fingerprint = "clustered"
    dimension = 24

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        centres = np.random.default_rng(0).standard_normal((12, self.dimension))
        rows = []
        for text in texts:
            own = np.random.default_rng(list(text.encode()))
            rows.append(centres[own.integers(12)] + 0.6 * own.standard_normal(self.dimension))
        matrix = np.array(rows, dtype=np.float32)
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Many threads for little work mostly wait for one another."""
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    yield
    faiss.omp_set_num_threads(before)


@pytest.fixture
def clustered() -> ClusteredEmbedder:
    return ClusteredEmbedder()


@pytest.fixture
def filled(library: Library, clustered: ClusteredEmbedder, monkeypatch: pytest.MonkeyPatch) -> Library:
    monkeypatch.setattr(index_file, "MAPPED_BYTES", 2048)
    monkeypatch.setattr(index_file, "_BLOCK_BYTES", 256)
    library.add_many([template(f"T {number}") for number in range(TEMPLATES)], embedder=clustered, who="me")
    return library


def current(library: Library, embedder: ClusteredEmbedder) -> Snapshot:
    """Return the index as a new process would: nothing is in memory."""
    with library.reading() as reader:
        identity = StoredEmbedder(embedder.fingerprint, embedder.dimension)
        return TemplateIndex(library, exact_limit=100).current(reader, identity)


def stored(library: Library, embedder: ClusteredEmbedder) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Return the template ids and the matrix of all vectors."""
    with library.reading() as reader:
        keys, matrix = reader.vectors(StoredEmbedder(embedder.fingerprint, embedder.dimension))
    return keys // 3, matrix


def queries(embedder: ClusteredEmbedder, count: int = 60) -> npt.NDArray[np.float32]:
    return embedder.embed([f"question {number}" for number in range(count)])


def header(library: Library) -> dict[str, object]:
    return dict(json.loads(library.path.with_name(library.path.name + ".faiss.json").read_text(encoding="utf-8")))


def test_the_recall_that_the_header_states_is_reached_on_other_queries(
    filled: Library, clustered: ClusteredEmbedder
) -> None:
    found = current(filled, clustered)
    how = header(filled)["approximation"]
    assert isinstance(how, dict)
    assert how["recall"] >= 0.99
    assert how["sample"] == 512
    assert 1 <= how["probes"] < how["lists"]
    _, matrix = stored(filled, clustered)
    hits = 0
    for query in queries(clustered):
        tenth = np.sort(matrix @ query)[-10]
        hits += sum(score >= tenth - 1e-5 for score, _, _ in found.nearest(query, 10))
    assert hits / (10 * 60) >= 0.97


def test_every_vector_is_in_it_once(filled: Library, clustered: ClusteredEmbedder) -> None:
    found = current(filled, clustered)
    ids, matrix = stored(filled, clustered)
    assert found.size == len(ids) == 3 * TEMPLATES
    query = queries(clustered, 1)[0]
    every = found.nearest(query, found.size)
    assert sorted(owner for _, owner, _ in every) == sorted(ids.tolist())
    assert [score for score, _, _ in every] == pytest.approx(sorted((matrix @ query).tolist(), reverse=True), abs=1e-5)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_a_filter_finds_as_many_as_there_are(filled: Library, clustered: ClusteredEmbedder, share: float) -> None:
    found = current(filled, clustered)
    ids, matrix = stored(filled, clustered)
    allowed = np.array([owner for owner in range(1, TEMPLATES + 1) if (owner * 37) % TEMPLATES < share * TEMPLATES])
    among = np.isin(ids, allowed)
    hits = wanted = 0
    for query in queries(clustered, 30):
        expected = np.sort((matrix @ query)[among])[::-1][:10]
        got = found.nearest(query, 10, allowed)
        assert len(got) == len(expected)
        assert all(owner in allowed for _, owner, _ in got)
        hits += sum(score >= expected[-1] - 1e-5 for score, _, _ in got)
        wanted += len(expected)
    assert hits / wanted >= (1.0 if share < 0.5 else 0.97)


def test_only_templates_far_from_the_query_are_let_through(filled: Library, clustered: ClusteredEmbedder) -> None:
    found = current(filled, clustered)
    query = queries(clustered, 1)[0]
    order = [owner for _, owner, _ in found.nearest(query, found.size)]
    last = np.array(sorted({order[-1], order[-2]}))
    assert {owner for _, owner, _ in found.nearest(query, 6, last)} == set(last.tolist())


def test_changes_are_laid_over_it(filled: Library, clustered: ClusteredEmbedder) -> None:
    current(filled, clustered)
    query = clustered.embed(["Describes fresh.\nWhen it fits."])[0]
    fresh = filled.add(template("fresh"), embedder=clustered, who="me")
    found = current(filled, clustered)
    assert (found.nearest(query, 1)[0][1], found.overlay.size) == (fresh.id, 3)
    filled.purge("fresh", who="me")
    assert current(filled, clustered).nearest(query, 1)[0][1] != fresh.id


def test_a_mapped_file_is_not_read_into_memory(filled: Library, clustered: ClusteredEmbedder) -> None:
    for found in (current(filled, clustered), current(filled, clustered)):
        assert isinstance(found.packed, Packed)
        assert isinstance(found.packed.buffer, np.memmap)


@pytest.mark.parametrize("place", [0.0, 0.01, 0.5, 0.999])
def test_a_mapped_file_that_was_overwritten_or_cut_is_built_again(
    filled: Library, clustered: ClusteredEmbedder, caplog: pytest.LogCaptureFixture, place: float
) -> None:
    current(filled, clustered)
    file = filled.path.with_name(filled.path.name + ".faiss")
    whole = file.read_bytes()
    at = int(len(whole) * place)
    for damaged in (whole[:at], whole[:at] + bytes(4096) + whole[at + 4096 :]):
        # A new file, as the old one may still be mapped.
        file.unlink()
        file.write_bytes(damaged)
        caplog.clear()
        for _ in range(2):
            assert current(filled, clustered).size == 3 * TEMPLATES
        assert [record.levelno for record in caplog.records] == [logging.WARNING]
        assert file.read_bytes() == whole


def test_a_library_of_equals_is_still_found(library: Library) -> None:
    class Blind(ClusteredEmbedder):
        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            return np.tile(np.eye(1, self.dimension, dtype=np.float32), (len(texts), 1))

    blind = Blind()
    library.add_many([template(f"T {number}") for number in range(60)], embedder=blind, who="me")
    found = current(library, blind).nearest(blind.embed(["x"])[0], 180)
    assert sorted(owner for _, owner, _ in found) == sorted([*range(1, 61)] * 3)


def test_an_index_in_the_file_has_no_second_copy_beside_it(filled: Library, clustered: ClusteredEmbedder) -> None:
    current(filled, clustered)
    names = sorted(file.name.removeprefix(filled.path.name) for file in filled.path.parent.iterdir())
    assert set(names) <= {"", "-wal", "-shm", ".lock", ".faiss", ".faiss.json", ".faiss.lock"}
