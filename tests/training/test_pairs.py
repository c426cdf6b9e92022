"""Pairs: which are kept, which are dropped and why, and that no family is divided."""

from collections import Counter
from typing import Any

import pytest

from reasonflux.planner import open_plan_messages, plan_text
from tests.library.hashing_embedder import HashingEmbedder
from tests.training.rolling import sampled, trajectory
from training import pairs
from training.families import Member, families
from training.pairs import balanced, compare, make_pairs
from training.records import PreferenceRow, Turn
from training.reward import Mark, ProblemRewards, Scored
from training.rollout_settings import PairSettings

MARKS = {"1": True, "0": False, "?": None}


def scored(outcomes: str, *names: str) -> Scored:
    marks = tuple(Mark(f"k{n}", MARKS[mark], "time-out" if mark == "?" else None) for n, mark in enumerate(outcomes))
    return Scored(sampled(*(names or (f"Plan {outcomes}",))), marks)


def line(*trajectories: Scored, number: int = 0, text: str = "", template: str | None = None) -> ProblemRewards:
    return ProblemRewards(
        problem_id=f"p{number}",
        content_hash=f"h{number}",
        problem=text or f"Wording {'abcdefghijklmnopqrstuvwxyz'[number]} of a problem",
        template=template,
        similar=tuple({"id": n} for n in range(len(trajectories[0].marks))),
        scored=trajectories,
    )


def made(*lines: ProblemRewards, embedder: Any = None, **settings: Any) -> pairs.Pairs:
    return make_pairs(lines, PairSettings(**({"held_out": 0.0} | settings)), embedder)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("1111", "1000", None),
        ("1000", "1111", None),
        ("1111", "0011", "too few problems decide"),
        ("11110000", "10000000", "rewards too close"),
        ("1110", "0001", "a problem favours the worse one"),
        ("1100", "0011", "equal rewards"),
        ("1111", "1111", "equal rewards"),
        ("111?", "000?", None),
        ("11??", "0000", "too few outcomes known of both"),
        ("11?1", "0?00", "too few outcomes known of both"),
    ],
)
def test_a_pair_is_kept_for_a_clear_difference_alone(one: str, other: str, said: str | None) -> None:
    found = compare(scored(one), scored(other), PairSettings(gap=0.5 if "a problem" not in str(said) else 0.25))
    if said is not None:
        assert found == said
        return
    assert isinstance(found, pairs.Judged)
    assert found.better.sampled.text == plan_text(trajectory(f"Plan {max(one, other)}"))
    assert found.decided == 3


def test_what_is_not_known_counts_for_neither() -> None:
    found = compare(scored("1?111"), scored("0100?"), PairSettings())
    assert isinstance(found, pairs.Judged)
    assert (found.high, found.low, found.decided) == (1.0, 0.0, 3)


def test_equal_texts_prefer_nothing() -> None:
    assert compare(scored("111", "A plan"), scored("000", "A plan"), PairSettings()) == "both have the same text"


def test_rows_are_in_the_form_that_training_reads() -> None:
    (row,) = made(line(scored("1110"), scored("0000"))).train
    assert [turn.content for turn in row.prompt] == [
        said.content for said in open_plan_messages("Wording a of a problem")
    ]
    assert row.chosen[0].content == plan_text(trajectory("Plan 1110"))
    assert row.rejected[0].content == plan_text(trajectory("Plan 0000"))
    assert (row.reward_chosen, row.reward_rejected, row.decided) == (0.75, 0.0, 3)
    assert (row.problem_id, row.family) == ("p0", "p0")


def test_a_problem_gives_no_more_than_its_cap_and_the_clearest_first() -> None:
    report = made(line(scored("1111"), scored("0000"), scored("0001"), scored("1110")), per_problem=2)
    assert [(row.reward_chosen, row.reward_rejected) for row in report.train] == [(1.0, 0.0), (0.75, 0.0)]
    assert report.dropped["more than are kept of a problem"] == 1
    assert report.compared == 6
    assert sum(report.dropped.values()) + len(report.train) == 6


def test_equal_pairs_are_kept_once() -> None:
    twice = [line(scored("111"), scored("000"), number=number, text="The same wording") for number in (0, 1)]
    report = made(*twice)
    assert len(report.train) == 1
    assert report.dropped["it stands in the file already"] == 1


def test_a_problem_with_one_trajectory_is_told() -> None:
    report = made(line(scored("111")), line(scored("111"), scored("000"), number=1))
    assert report.document()["dropped"] == {"problems with fewer than two trajectories": 1}


def rows(*lengths: tuple[int, int]) -> list[PreferenceRow]:
    return [
        PreferenceRow(
            prompt=(Turn(role="user", content=f"x{n}"),),
            chosen=(Turn(role="assistant", content="c" * chosen),),
            rejected=(Turn(role="assistant", content="r" * rejected),),
        )
        for n, (chosen, rejected) in enumerate(lengths)
    ]


def test_length_does_not_tell_which_is_chosen() -> None:
    given = rows(*[(10 + n, 5) for n in range(9)], (5, 10), (5, 11), (5, 9), (7, 7))
    kept = balanced(given, PairSettings(balance=0.2, balance_cost=1.0))
    longer = [row for row in kept if len(row.chosen[0].content) > len(row.rejected[0].content)]
    assert len(longer) == 7
    assert max(len(row.chosen[0].content) for row in longer) == 16
    assert len(kept) == 11
    assert balanced(given, PairSettings(balance=0.5)) == given


def test_balance_costs_no_more_than_a_share() -> None:
    given = rows(*[(10 + n, 5) for n in range(12)])
    assert len(balanced(given, PairSettings(balance=0.0, balance_cost=0.25))) == 9
    assert balanced(given, PairSettings(balance=0.0, balance_cost=0.0)) == given


def test_no_family_is_in_both_parts() -> None:
    lines = [
        line(scored("111"), scored("000"), number=n, template=f"method-{n % 5}", text=f"Text number {n} of {n * 7}")
        for n in range(20)
    ]
    report = made(*lines, held_out=0.4)
    train, held_out = ({row.family for row in part} for part in (report.train, report.held_out))
    assert report.train
    assert not train & held_out
    report = made(*[line(*item.scored, number=n, template=f"m{n}") for n, item in enumerate(lines)], held_out=0.4)
    assert len(report.train) == 12
    assert len(report.held_out) == 8
    assert report.document()["held_out"]["families"] == 8


def test_what_is_alike_is_of_one_family() -> None:
    members = [
        Member("a", "Find the remainder of 7^100 by 13"),
        Member("b", "Find the remainder of 12^345 by 67"),
        Member("c", "A train leaves at noon", "method-x"),
        Member("d", "Another wording altogether", "method-x"),
        Member("e", "Nothing like the others"),
        Member("f", "nothing  like the Others"),
    ]
    assert families(members, None, alike=0.9) == ["a", "a", "method-x", "method-x", "e", "e"]
    turned = families(list(reversed(members)), None, alike=0.9)
    assert list(reversed(turned)) == families(members, None, alike=0.9)


def test_closeness_joins_families_and_chains_connect() -> None:
    members = [
        Member("a", "one two three four five six"),
        Member("b", "one two three four five seven"),
        Member("c", "one two three four eight seven"),
        Member("d", "wholly apart from these"),
    ]
    found = families(members, HashingEmbedder(128), alike=0.7)
    assert found == ["a", "a", "a", "d"]
    assert Counter(families(members, HashingEmbedder(128), alike=1.0)).most_common(1)[0][1] == 1
