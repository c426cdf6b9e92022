"""X_sim: what it is made of, and that it depends on x, k and the seed alone."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from library.errors import LibraryError
from library.generating import Draw, Generator
from reasonflux.errors import UsageError
from reasonflux.types import GradedProblem
from tests.library.hashing_embedder import HashingEmbedder
from tests.reasonflux.reasoning import Templates, template
from tests.training.rolling import problem
from training.problems import TrainingProblem, draw_problems, read_problems, require_golds
from training.rollout_settings import RewardSettings
from training.similar import SimilarProblems

X = "red apples in a basket"


def drawn(name: str, most: int = 1000) -> Generator:
    def drawer(rng: random.Random, difficulty: int) -> Draw:
        value = rng.randrange(most)
        return Draw(f"{name}: what is {value} + {difficulty}?", str(value + difficulty), {"value": value})

    return Generator(name, drawer, lambda value: value)


def pool() -> list[TrainingProblem]:
    texts = ["red apples in a box", "red apples in a  BASKET", "blue cars", "green apples in a basket", "red pears"]
    return [problem(number, text=text) for number, text in enumerate(texts)]


def similar(pool: Sequence[TrainingProblem] = (), *, gradable: Any = None, most: int = 1000, **settings: Any) -> Any:
    held = [template(f"Method {letter}") for letter in "ABC"]
    return SimilarProblems(
        RewardSettings(**settings),
        gradable=gradable or (lambda graded: graded.gold is not None),
        pool=pool,
        embedder=HashingEmbedder(64),
        source=Templates(held),
        generators={f"method-{letter.lower()}": drawn(f"Method {letter}", most) for letter in "BC"},
    )


def texts(found: Any) -> list[str]:
    return [item.problem.text for item in found]


def test_the_nearest_problems_come_first_and_x_is_not_among_them() -> None:
    found = similar(pool(), similar="problems", k=3).of(X)
    assert texts(found)[:2] == ["red apples in a box", "green apples in a basket"]
    assert len(found) == 3
    assert [item.closeness for item in found] == sorted((item.closeness for item in found), reverse=True)


def test_x_itself_is_excluded_when_it_is_of_the_pool() -> None:
    for item in pool():
        assert item.text not in texts(similar(pool(), similar="problems", k=4).of(item.text))


def test_the_order_of_the_pool_and_what_was_asked_before_do_not_count() -> None:
    turned = similar(list(reversed(pool())), similar="problems", k=4)
    turned.of("blue cars")
    assert texts(turned.of(X)) == texts(similar(pool(), similar="problems", k=4).of(X))


def test_problems_are_drawn_for_the_templates_retrieved_in_turns() -> None:
    found = similar(k=4).of(X)
    assert [item.problem.template for item in found] == ["method-b", "method-c", "method-b", "method-c"]
    assert [item.source for item in found] == ["generators"] * 4
    assert {item.problem.template for item in similar(k=4, templates=1).of(X)} == {"method-b"}


def test_what_is_drawn_depends_on_x_k_and_the_seed_alone() -> None:
    assert texts(similar(k=4).of(X)) == texts(similar(k=4).of(X))
    assert set(texts(similar(k=2).of(X))) < set(texts(similar(k=4).of(X)))
    assert not set(texts(similar(k=4).of(X))) & set(texts(similar(k=4, seed=1).of(X)))
    assert not set(texts(similar(k=4).of(X))) & set(texts(similar(k=4).of("another problem")))


def test_both_takes_half_of_each() -> None:
    found = similar(pool(), similar="both", k=4).of(X)
    assert [item.source for item in found] == ["problems", "problems", "generators", "generators"]


def test_where_one_source_is_short_the_other_makes_the_number_up() -> None:
    few_drawn = similar(pool(), similar="both", k=4, most=1, templates=1).of(X)
    assert [item.source for item in few_drawn] == ["problems", "problems", "generators", "problems"]
    few_near = similar(pool()[:1], similar="both", k=4).of(X)
    assert [item.source for item in few_near] == ["problems", "generators", "generators", "generators"]


def test_there_may_be_fewer_than_k_and_never_one_twice() -> None:
    found = similar(k=8, most=2, templates=1).of(X)
    assert len(set(texts(found))) == len(found) == 2


def test_what_can_not_be_graded_is_passed_over() -> None:
    def odd(graded: GradedProblem) -> bool:
        return int(graded.gold or 0) % 2 == 1

    assert all(int(item.problem.graded.gold) % 2 for item in similar(k=4, gradable=odd).of(X))
    unsure = [problem(number, text=item.text, gold=None) for number, item in enumerate(pool())]
    assert similar(unsure, similar="problems", k=3).of(X) == ()


def test_what_is_not_given_is_named() -> None:
    with pytest.raises(UsageError, match="--problems"):
        similar(similar="problems")
    with pytest.raises(UsageError, match="no generators"):
        SimilarProblems(RewardSettings(), gradable=lambda graded: True)


def test_drawn_problems_are_spread_over_templates_and_distinct() -> None:
    generators = {"b": drawn("B"), "c": drawn("C"), "a": drawn("A", 2)}
    made = draw_problems(generators, 9, difficulty=1, seed=0)
    counts = [sum(item.template == slug for item in made) for slug in "abc"]
    assert counts[0] == 2
    assert sum(counts) == 9
    assert abs(counts[1] - counts[2]) <= 1
    assert len({item.content_hash for item in made}) == 9
    assert made == draw_problems(generators, 9, difficulty=1, seed=0)
    assert [item.line for item in made] == list(range(1, 10))
    assert {item.template for item in draw_problems(generators, 4, difficulty=1, seed=0, among=["b"])} == {"b"}


def test_too_many_and_unknown_draws_are_refused() -> None:
    with pytest.raises(UsageError, match="No more than 2 "):
        draw_problems({"a": drawn("A", 2)}, 3, difficulty=1, seed=0)
    with pytest.raises(UsageError, match="No problem can be drawn"):
        draw_problems({"a": drawn("A")}, 3, difficulty=1, seed=0, among=["b"])


def test_a_generator_that_ends_early_gives_what_it_has() -> None:
    class Failing:
        def draws(self, number: int, *, seed: int, difficulty: int) -> Iterator[Draw]:
            yield Draw("only one", "1")
            raise LibraryError("no more")

    found = SimilarProblems(
        RewardSettings(k=3),
        gradable=lambda graded: True,
        source=Templates([template("Method A")]),
        generators={"method-a": Failing()},
    ).of(X)
    assert texts(found) == ["only one"]


def test_problem_files_are_read_with_the_template_they_were_drawn_for(tmp_path: Any) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        '{"id": "a", "problem": "What?", "answer": "1", "template": "method-a"}\n'
        '{"problem": "what? ", "answer": "1"}\n{"problem": "Why?", "template": ["x"]}\n',
        "utf-8",
    )
    read = read_problems(path)
    assert [(item.id, item.template, item.line) for item in read] == [("a", "method-a", 1), ("3", None, 3)]
    with pytest.raises(Exception, match=r"problem 3 \(line 3\)"):
        require_golds(read, "--verified")
    path.write_text('{"problem": "What?"}\n{"answer": "1"}\n', "utf-8")
    with pytest.raises(Exception, match=r"p\.jsonl:2: "):
        read_problems(path)
