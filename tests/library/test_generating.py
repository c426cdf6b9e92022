"""Drawing problems: a function of the seed, distinct, bounded, and confirmed by another way or said not to be."""

from random import Random

import pytest

from library.errors import LibraryError
from library.generating import Draw, Generator, check_program, disagreements, generator, seed_generators
from library.protocols import Comparison, ProgramOutput
from library.template import Example
from tests.library.running import run_here


def added(first: int, second: int) -> int:
    """Count up."""
    for _ in range(second):
        first += 1
    return first


@generator("Add two numbers", check=added)
def sums(rng: Random, difficulty: int) -> Draw | None:
    first, second = rng.randint(0, 9), rng.randint(0, 9)
    if second == 0:
        return None
    return Draw(f"{first} + {second}?", str(first + second), {"first": first, "second": second})


class Here:
    """Runs a program in an interpreter of its own, outside the sandbox."""

    def run(self, source: str) -> ProgramOutput:
        return run_here(source)


class Equal:
    """Takes answers as equal that are the same text behind `answer =`."""

    def compare(self, printed: str, example: Example) -> Comparison:
        value = printed.removeprefix("answer = ")
        return Comparison(value == example.answer, value)


def test_draws_depend_on_seed_and_difficulty_alone() -> None:
    first = [draw.problem for draw in sums.draws(20, seed=3, difficulty=1)]
    assert first == [draw.problem for draw in sums.draws(20, seed=3, difficulty=1)]
    assert first[:5] == [draw.problem for draw in sums.draws(5, seed=3, difficulty=1)]
    assert first != [draw.problem for draw in sums.draws(20, seed=4, difficulty=1)]
    assert first != [draw.problem for draw in sums.draws(20, seed=3, difficulty=2)]


def test_draws_are_distinct_and_end_where_there_are_no_more() -> None:
    assert len({draw.problem for draw in sums.draws(90, seed=0, difficulty=1)}) == 90
    with pytest.raises(LibraryError, match="No more than 90 distinct problems of difficulty 1"):
        list(sums.draws(91, seed=0, difficulty=1))


def test_a_drawer_without_any_good_problem_ends() -> None:
    with pytest.raises(LibraryError, match="No more than 0"):
        list(Generator("Nothing", lambda rng, difficulty: None, added).draws(1, seed=0, difficulty=1))


def test_a_wrong_answer_is_found_by_its_place() -> None:
    draws = list(sums.draws(5, seed=0, difficulty=1))
    assert list(disagreements(added, draws, Here(), Equal())) == []
    draws[3] = Draw(draws[3].problem, "99", draws[3].values)
    ((place, reason),) = disagreements(added, draws, Here(), Equal())
    assert place == 3
    assert 'the answer is "99", the check derives' in reason


def test_a_check_that_breaks_confirms_nothing() -> None:
    draws = [Draw("1 + x?", "2", {"first": 1, "second": "x"}), Draw("1 + 1?", "2", {"first": 1, "second": 1})]
    assert [place for place, _ in disagreements(added, draws, Here(), Equal())] == [0, 1]


def counted(texts: list[str]) -> str:
    """Tell how many characters each text has."""
    return " ".join(str(len(text)) for text in texts)


def test_values_reach_the_check_as_they_are() -> None:
    texts = ["a'b\"c\\n", "Ω {x} \u2028", "\x7f", "{0}"]
    assert run_here(check_program(counted, [Draw("?", "", {"texts": texts})])).printed == '"7 7 1 3"\n'


def test_every_generator_of_the_seed_draws_for_a_template_of_its_field() -> None:
    from library.seeding import seed_templates

    fields = {template.slug: template.field for template in seed_templates()}
    found = seed_generators()
    assert {slug: item.field for slug, item in found.items()} == {slug: fields.get(slug) for slug in found}
