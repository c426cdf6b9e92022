"""A query is searched for without its drawings, by meaning and by words alike."""

import pytest

from library.evaluation import Query, evaluate
from library.query_text import QUERY_CHARACTERS, searched_text
from library.search import TemplateSearch
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template

CODE = 'draw((0,0)--(4,0));\nlabel("$A$",(0,0));'


@pytest.mark.parametrize(
    "drawing",
    [
        f"[asy]{CODE}[/asy]",
        f"[asy]\n{CODE}",
        f"[ASY]{CODE}[/Asy]",
        f"\\begin{{asy}}{CODE}\\end{{asy}}",
        f"\\begin{{tikzpicture}}[scale=2]{CODE}\\end{{tikzpicture}}",
        f"\\begin{{tikzpicture}}{CODE}",
        f"[asy]{CODE}[/asy] \n [asy]{CODE}[/asy]",
    ],
)
def test_drawings_are_cut_out(drawing: str) -> None:
    assert searched_text(f" Find the area. {drawing}") == "Find the area."
    assert searched_text(drawing) == drawing.strip()


def test_text_between_and_after_drawings_stays() -> None:
    kept = searched_text(f"First [asy]{CODE}[/asy]second \\begin{{asy}}[asy]\\end{{asy}} third [/asy]")
    assert kept.split() == ["First", "second", "third", "[/asy]"]
    environment = "\\begin{tikzpicture} \\end{asy} \\end{tikzpicture}"
    assert searched_text(f"a {environment} b").split() == ["a", "b"]
    assert searched_text("the asy tag, \\begin{array}{c} 1 \\end{array}") == (
        "the asy tag, \\begin{array}{c} 1 \\end{array}"
    )


def test_a_long_drawing_takes_no_room_from_what_follows() -> None:
    assert searched_text(f"[asy]{'x' * QUERY_CHARACTERS}[/asy] after") == "after"
    assert len(searched_text("y" * 2 * QUERY_CHARACTERS)) == QUERY_CHARACTERS
    assert searched_text("[asy][asy" * 200_000)[:5] == "[asy]"


def test_a_search_is_that_of_the_text_without_drawings(library: Library, embedder: HashingEmbedder) -> None:
    new = [template("Draw", description="draw label scale"), template("Area", description="area of a square")]
    library.add_many(new, embedder=embedder, who="me")
    finder = TemplateSearch(library, embedder)
    drawn = "Find the area. [asy] draw label scale draw label scale [/asy]"
    assert finder.find(drawn) == finder.find("Find the area.")
    assert finder.search(drawn) == finder.search("Find the area.")
    assert finder.find(drawn, mode="bm25").nearest[0].terms == finder.find("area", mode="bm25").nearest[0].terms
    measured = [evaluate(library, embedder, [Query((text,), "area", "f")]) for text in (drawn, "Find the area.")]
    assert measured[0].modes == measured[1].modes
