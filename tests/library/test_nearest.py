"""The templates most like one that is stored, or is not yet, measured as `dedupe` measures likeness."""

import pytest

from library.dedupe import near_duplicates
from library.errors import EmbedderMismatch
from library.nearest import Neighbours
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template

SQUARE = template(
    "Complete the square",
    description="Writes a quadratic as a square and a constant, so that its roots can be read off.",
    steps=("Halve the middle coefficient.", "Add and take away its square.", "Read the roots off."),
)
TRIANGLE = template(
    "Compare two similar triangles",
    tags=("geometry", "ratios"),
    description="Sides of figures with equal angles are in one ratio, which gives a missing length.",
    scope="For figures with two equal angles.",
    steps=("Find two equal angles.", "Pair the sides that face them.", "Set up one ratio and solve it."),
)


def test_an_empty_library_holds_nothing_alike(library: Library, embedder: HashingEmbedder) -> None:
    assert Neighbours(library).of_new(SQUARE, embedder) == []


def test_likeness_is_that_of_dedupe_and_a_stored_template_is_not_its_own_neighbour(
    library: Library, embedder: HashingEmbedder
) -> None:
    reworded = SQUARE.model_copy(update={"name": "Complete one square"})
    for new in (SQUARE, TRIANGLE, reworded):
        library.add(new, embedder=embedder, who="me")
    (group,) = near_duplicates(library)
    (pair,) = group.pairs
    neighbours = Neighbours(library)
    found = neighbours.of_stored(library.get("complete-the-square"))
    assert [(near.slug, near.is_duplicate) for near in found] == [
        ("complete-one-square", True),
        ("compare-two-similar-triangles", False),
    ]
    assert (found[0].vectors, found[0].words) == (pair.vectors, pair.words)
    embedded = embedder.embedded
    assert neighbours.of_stored(library.get("complete-one-square"), 1)[0].slug == "complete-the-square"
    assert embedder.embedded == embedded


def test_a_new_template_is_compared_before_it_is_stored(library: Library, embedder: HashingEmbedder) -> None:
    for new in (SQUARE, TRIANGLE):
        library.add(new, embedder=embedder, who="me")
    neighbours = Neighbours(library)
    near = neighbours.of_new(SQUARE.model_copy(update={"name": "Complete a square", "status": "draft"}), embedder)[0]
    assert (near.slug, near.is_duplicate, near.same_name) == ("complete-the-square", True, False)
    other = neighbours.of_new(template("Count in two ways", description="Counts one set twice."), embedder)
    assert not any(near.is_duplicate for near in other)
    with pytest.raises(EmbedderMismatch):
        neighbours.of_new(SQUARE, HashingEmbedder(8, "other"))


def test_a_retired_template_counts_only_where_it_holds_the_name(library: Library, embedder: HashingEmbedder) -> None:
    library.add(SQUARE.model_copy(update={"status": "retired"}), embedder=embedder, who="me")
    neighbours = Neighbours(library)
    assert neighbours.of_new(SQUARE.model_copy(update={"name": "Complete a square"}), embedder) == []
    (near,) = neighbours.of_new(TRIANGLE.model_copy(update={"name": " complete THE square"}), embedder)
    assert (near.same_name, near.status, near.is_duplicate) == (True, "retired", True)
