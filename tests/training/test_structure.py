"""Structure rows: what is asked, what is to be told, and a split that depends on slugs and a seed alone."""

import random

import pytest

from library.template import Template
from reasonflux.errors import UsageError
from training.structure import split, structure_row, structure_rows


def template(number: int, **values: object) -> Template:
    made = {
        "name": f"Method {number}",
        "tags": ("algebra", r"\(a_n\)"),
        "description": r"Sums \(a_n\) to $n$.",
        "scope": "When terms repeat.",
        "steps": ("SECRET STEP",),
    }
    return Template.model_validate(made | values)


def test_description_and_scope_follow_from_name_and_tags() -> None:
    row = structure_row(template(1))
    assert [turn.role for turn in row.prompt] == ["system", "user"]
    assert row.prompt[1].content == "Name: Method 1\nTags: algebra, \\(a_n\\)"
    assert row.completion[0].content == "Description: Sums \\(a_n\\) to $n$.\nScope: When terms repeat."
    assert (row.kind, row.source) == ("structure", "method-1")
    assert "SECRET" not in str(row)


def test_parts_that_a_template_lacks_are_not_made_up() -> None:
    row = structure_row(template(1, tags=(), scope=""))
    assert row.prompt[1].content == "Name: Method 1\nTags: none"
    assert row.completion[0].content == "Description: Sums \\(a_n\\) to $n$."


def test_the_split_is_a_function_of_slugs_and_seed_alone() -> None:
    templates = [template(number) for number in range(40)]
    train, held_out = structure_rows(templates, held_out=0.25, seed=3)
    assert (len(train), len(held_out)) == (30, 10)
    changed = [one.model_copy(update={"description": "Another.", "tags": ("x",)}) for one in templates]
    random.Random(0).shuffle(changed)
    again = structure_rows(changed, held_out=0.25, seed=3)
    assert [[placed.row.source for placed in side] for side in again] == [
        [placed.row.source for placed in side] for side in (train, held_out)
    ]
    other = structure_rows(templates, held_out=0.25, seed=4)[1]
    assert {placed.row.source for placed in other} != {placed.row.source for placed in held_out}


def test_one_template_more_moves_at_most_one_other() -> None:
    names = [str(number) for number in range(50)]
    before = set(split(names, str, held_out=0.2, seed=0)[1])
    for added in ("x", "y", "z"):
        after = set(split([*names, added], str, held_out=0.2, seed=0)[1])
        assert len(before - after) <= 1
        assert len(after - before) <= 1


@pytest.mark.parametrize(
    ("number", "share", "expected"), [(1, 0.5, 0), (2, 0.01, 1), (2, 0.99, 1), (10, 0, 0), (3, 0.5, 2)]
)
def test_neither_side_is_empty_where_that_is_possible(number: int, share: float, expected: int) -> None:
    train, held_out = split([str(name) for name in range(number)], str, held_out=share, seed=1)
    assert len(held_out) == expected
    assert len(train) == number - expected > 0


def test_a_group_is_never_on_both_sides() -> None:
    items = [(str(number % 7), number) for number in range(50)]
    train, held_out = split(items, lambda item: item[0], held_out=0.3, seed=1)
    assert {group for group, _ in train} & {group for group, _ in held_out} == set()
    assert sorted(train + held_out, key=lambda item: item[1]) == items


def test_an_empty_library_is_refused() -> None:
    with pytest.raises(UsageError, match="no template"):
        structure_rows([], held_out=0.1, seed=0)
