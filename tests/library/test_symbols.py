"""Formulas in words: what the notation says is found, text beside it is not read, and no text breaks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from library.search import TemplateSearch
from library.store import Library
from library.symbols import meanings
from tests.library.hashing_embedder import HashingEmbedder, template


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"Solve $\sqrt{x+7} = x - 5$.", ["root", "radical", "equation"]),
        (r"Find $\log_2 8$.", ["logarithm"]),
        (r"What is $\binom{9}{3}$?", ["binomial", "coefficient"]),
        (r"Let $a_{n+1} = 2a_n$.", ["recurrence", "sequence", "term", "equation"]),
        (r"$|x - 3| < 2$", ["inequality", "absolute", "value"]),
        ("the remainder of 7^100", ["large", "power", "exponent"]),
        ("costs $5 and $9", []),
        ("log 8 = 3 without dollars", []),
        ("", []),
    ],
)
def test_notation_is_told_in_words(text: str, said: list[str]) -> None:
    assert meanings(text) == said


@given(st.text(alphabet="$\\{}[]()|^_0123456789abfginx+-*/=<>! ,%'sqrtlog", max_size=4_000))
def test_any_formula_is_read(text: str) -> None:
    found = meanings(text)
    assert len(found) == len(set(found))
    assert all(word.islower() and word.isascii() for word in found)


def test_a_formula_finds_a_template_that_shares_no_word_with_it(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Isolate the radical and square both sides"), embedder=embedder, who="me")
    library.add(template("Halve the middle term"), embedder=embedder, who="me")
    hits = TemplateSearch(library, embedder).find(r"$\sqrt{7} - q$", mode="bm25").nearest
    assert hits[0].slug == "isolate-the-radical-and-square-both-sides"
    assert (hits[0].coverage, hits[0].terms) == (0.0, ())
