"""Changing checks: every constant and operator once, what survives is told, and no change ends the rest."""

from library.mutants import mutants, mutate
from library.protocols import ProgramOutput
from tests.library.running import run_here


class Here:
    """Runs a program in an interpreter of its own, outside the sandbox."""

    def run(self, source: str) -> ProgramOutput:
        return run_here(source)


def test_each_constant_and_operator_is_changed_once() -> None:
    found = list(mutants('total = 2 + 3\nprint("n", total < 9 and not total)\n'))
    assert sorted(mutant.change for mutant in found) == [
        "'n' to 'nx'",
        "2 to 3",
        "3 to 4",
        "9 to 10",
        "Add to Sub",
        "And to Or",
        "Lt to GtE",
    ]
    assert {mutant.line for mutant in found} == {1, 2}
    assert found[0].text in ("total = 2 + 3", 'print("n", total < 9 and not total)')


def test_what_decides_nothing_survives() -> None:
    outcome = mutate("print(len([n for n in range(1, 13) if 12 % n == 0 and n < 9]))", Here())
    assert outcome.total == 9
    assert {mutant.change for mutant in outcome.survivors} == {"13 to 14", "9 to 10"}


def test_some_of_the_changes_are_drawn_by_the_seed() -> None:
    source = "print(0 * 2 * 3)"
    drawn = [mutate(source, Here(), most=2, seed=seed) for seed in (0, *range(8))]
    assert {outcome.total for outcome in drawn} == {2}
    assert drawn[0] == drawn[1]
    survived = {frozenset(mutant.change for mutant in outcome.survivors) for outcome in drawn}
    assert len(survived) > 1
    assert frozenset.union(*survived) == {"2 to 3", "3 to 4"}
    assert mutate(source, Here(), most=99).total == 5


def test_a_change_that_fails_loops_or_ends_the_process_does_not_survive() -> None:
    for source in (
        "print(12 // 4)",
        "n = 9\nwhile n > 0:\n    n -= 3\nprint(n)",
        "import os\nvalue = 1\nif value > 1:\n    os._exit(0)\nprint(value)",
    ):
        survivors = mutate(source, Here()).survivors
        assert all("9 to 10" not in mutant.change for mutant in survivors)


def test_a_check_that_fails_as_it_stands_is_no_reference() -> None:
    outcome = mutate("print(1 // 0)", Here())
    assert (outcome.total, outcome.survivors, outcome.runs) == (3, [], False)
    assert mutate("print(2)", Here()).runs


def test_what_a_check_writes_past_its_output_is_no_result() -> None:
    outcome = mutate("import os\nos.write(1, b'{')\nprint(2 + 3)", Here())
    assert outcome.total == 4
