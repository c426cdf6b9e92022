import pytest

from reasonflux.retrieval import MIN_SCORE, match_step, shortlist
from tests.reasonflux.reasoning import Templates, planned, template


def test_an_exact_name_matches_in_any_case_and_brings_its_template() -> None:
    match, found = match_step(Templates(), 2, planned("  METHOD b "))
    assert (match.step, match.template, match.name, match.score, match.rank) == (2, "method-b", "Method B", 1.0, 1)
    assert found is not None
    assert found.name == "Method B"


@pytest.mark.parametrize("name", ["A method nobody wrote", "", "   ", "\U0001f981" * 100])
def test_none_good_enough_is_a_value(name: str) -> None:
    match, found = match_step(Templates(near=MIN_SCORE - 0.01), 0, planned(name))
    assert (match.template, match.name, match.rank, found) == (None, None, None, None)


def test_a_near_template_matches_and_tells_its_score() -> None:
    match, found = match_step(Templates(near=0.6), 0, planned("Method Q"))
    assert (match.template, match.score) == ("method-a", 0.6)
    assert found is not None


def test_an_empty_library_matches_nothing() -> None:
    match, found = match_step(Templates(held=[]), 0, planned("Method A"))
    assert (match.template, match.score, found) == (None, None, None)
    assert shortlist(Templates(held=[]), "What is 1+1?", 5) == []


def test_the_shortlist_is_searched_with_the_raw_problem() -> None:
    source = Templates(held=[template("Löwe"), template("数列の和"), template("C")])
    found = shortlist(source, "What is $1+1$?", 2)
    assert [slug for slug, _ in found] == ["löwe", "数列の和"]
    assert [held.name for _, held in found] == ["Löwe", "数列の和"]
    assert source.queries == ["What is $1+1$?"]


def test_what_is_no_good_match_is_not_offered() -> None:
    source = Templates(held=[template("A"), template("B"), template("C")], weak=["b"])
    assert [slug for slug, _ in shortlist(source, "What is 1+1?", 3)] == ["a", "c"]
    source = Templates(held=[template("A")], weak=["a"])
    assert shortlist(source, "What is 1+1?", 3) == []
