"""An embedder that is not the library's, or that does not keep its word, is refused and never searched with."""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from sentence_transformers import SentenceTransformer

from library.embedding import SentenceTransformerEmbedder
from library.errors import EmbedderMismatch, EmbedderUnavailable, LibraryError
from library.search import TemplateSearch
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template

MODELS = {"all-MiniLM-L6-v2": 384, "all-mpnet-base-v2": 768, "multi-qa-MiniLM-L6-cos-v1": 384}


class Faulty(HashingEmbedder):
    """Returns what it is told to, made of what it should return."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        vectors = super().embed(texts)
        faults = {
            "": vectors,
            "dimension": vectors[:, :8],
            "number": vectors[:-1],
            "flat": vectors[0],
            "nan": np.full_like(vectors, np.nan),
            "infinite": np.full_like(vectors, np.inf),
            "zero": np.zeros_like(vectors),
            "long": 2 * vectors,
        }
        return faults[self.fault]


FAULTS = ["dimension", "number", "flat", "nan", "infinite", "zero", "long"]


@pytest.mark.parametrize("name", ["all-mpnet-base-v2", "multi-qa-MiniLM-L6-cos-v1"])
def test_another_model_is_refused_naming_both(library: Library, name: str, caplog: pytest.LogCaptureFixture) -> None:
    first = HashingEmbedder(384, "all-MiniLM-L6-v2")
    library.add(template("One"), embedder=first, who="me")
    TemplateSearch(library, first).search("One")
    file = library.path.with_name(library.path.name + ".faiss")
    content = file.read_bytes()
    other = HashingEmbedder(MODELS[name], name)
    finder = TemplateSearch(library, other)
    for ask in (lambda: finder.search("One"), lambda: finder.by_reference("One", ("algebra",))):
        with pytest.raises(EmbedderMismatch) as caught:
            ask()
        said = str(caught.value)
        for part in ("all-MiniLM-L6-v2", "(384 dimensions)", name, f"({MODELS[name]} dimensions)", "library reindex"):
            assert part in said
    assert (file.read_bytes(), caplog.records) == (content, [])
    assert TemplateSearch(library, first).search("One")[0].slug == "one"
    library.reindex(embedder=other, who="me")
    assert TemplateSearch(library, other).search("One")[0].slug == "one"
    with pytest.raises(EmbedderMismatch):
        TemplateSearch(library, first).search("One")


@pytest.mark.parametrize("fault", FAULTS)
def test_vectors_that_are_no_unit_vectors_are_never_stored(library: Library, fault: str) -> None:
    with pytest.raises(EmbedderUnavailable, match="hashing;dim=16 returned"):
        library.add(template("One"), embedder=Faulty(fault), who="me")
    assert library.count(status=None) == 0
    with pytest.raises(EmbedderUnavailable, match="hashing;dim=16 returned"):
        library.add(template("One", examples=()), embedder=Faulty(fault), who="me")


@pytest.mark.parametrize("fault", FAULTS)
def test_vectors_that_are_no_unit_vectors_are_never_searched_with(library: Library, fault: str) -> None:
    library.add(template("One"), embedder=Faulty(""), who="me")
    with pytest.raises(EmbedderUnavailable, match="hashing;dim=16 returned"):
        TemplateSearch(library, Faulty(fault)).search("One")


@pytest.mark.parametrize("query", ["", " ", "\n\t", "\u3000", "\u00a0"])
def test_an_empty_search_is_refused(library: Library, embedder: HashingEmbedder, query: str) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    finder = TemplateSearch(library, embedder)
    with pytest.raises(LibraryError, match="search text is empty"):
        finder.search(query)
    with pytest.raises(LibraryError, match="name is empty"):
        finder.by_reference(query)
    assert embedder.embedded == 3


@pytest.mark.parametrize("k", [0, -1])
def test_a_search_for_nothing_is_refused(library: Library, embedder: HashingEmbedder, k: int) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    with pytest.raises(LibraryError, match="at least 1"):
        TemplateSearch(library, embedder).search("One", k)


def test_a_search_for_more_than_there_are_finds_all(
    library: Library, embedder: HashingEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    finder = TemplateSearch(library, embedder)
    assert finder.search("One", 10**12) == []
    library.add_many([template(f"T {number}") for number in range(7)], embedder=embedder, who="me")
    assert len(finder.search("\ud800 T 3 \x00", 10**12)) == 7
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_one_text_gets_the_vector_that_the_bare_model_gives_it(embedder_path: Path) -> None:
    model = SentenceTransformer(str(embedder_path), device="cpu", local_files_only=True)
    embedder = SentenceTransformerEmbedder(embedder_path)
    for text in ("Find the remainder when 7^100 is divided by 13.", "", "Größe 🙂 " * 400):
        bare = model.encode([text], normalize_embeddings=True, show_progress_bar=False)
        assert np.array_equal(embedder.embed([text]), bare)
        assert np.allclose(embedder.embed([text, "Count lattice paths."])[:1], bare, atol=1e-5)
