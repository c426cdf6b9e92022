"""Grouping, examples, the trial and the provenance of distilled templates, each alone."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from library.lint import DEFAULT, lint_template
from library.template import Template
from reasonflux.config import SolveSettings
from reasonflux.context import Context
from reasonflux.distill_groups import MIN_GROUP, Group, Worked, grouped
from reasonflux.distill_provenance import Provenance, trial_of
from reasonflux.distill_trial import Bench, Trial
from reasonflux.distill_write import choose_examples
from reasonflux.errors import BudgetExhausted
from reasonflux.grading import Grader, Verdict
from reasonflux.models.caller import Budget
from tests.library.hashing_embedder import HashingEmbedder
from tests.reasonflux.reasoning import Talker, Tool, block, prompts_of
from tests.reasonflux.worked import reply, worked

TEMPLATE = Template.model_validate(reply("apples"))


@given(
    kinds=st.lists(st.sampled_from(["apples", "trains"]), max_size=30),
    size=st.integers(MIN_GROUP, 9),
    seed=st.integers(0, 99),
)
@settings(max_examples=30, deadline=None)
def test_groups_share_no_problem_and_keep_their_sizes(kinds: list[str], size: int, seed: int) -> None:
    problems = [worked(kind, 100 + number) for number, kind in enumerate(kinds)]
    vectors = HashingEmbedder(64).embed([each.problem for each in problems])
    groups, left = grouped(problems, vectors, size=size, seed=seed)
    placed = [each for group in groups for each in (*group.making, *group.trying)]
    assert sorted(each.line for each in [*placed, *left]) == [100 + number for number in range(len(kinds))]
    for number, group in enumerate(groups, start=1):
        assert group.number == number
        assert MIN_GROUP <= len(group.making) + len(group.trying) <= size
        assert 2 <= len(group.making) <= len(group.trying)
    assert grouped(problems, vectors, size=size, seed=seed) == (groups, left)


def test_problems_of_one_kind_come_together_and_strangers_stay_out() -> None:
    problems = [worked(kind, n) for n in range(10, 15) for kind in ("apples", "trains")]
    stranger = Worked("s", 1, "Zeta?", "Zeta.", "1", "math")
    vectors = HashingEmbedder(256).embed([each.problem for each in [*problems, stranger]])
    groups, left = grouped([*problems, stranger], vectors, size=5, seed=0)
    assert [{each.id.partition("/")[0] for each in (*g.making, *g.trying)} for g in groups] in (
        [{"apples"}, {"trains"}],
        [{"trains"}, {"apples"}],
    )
    assert left == [stranger]
    assert grouped([], np.zeros((0, 4), dtype=np.float32), size=5, seed=0) == ([], [])


def test_the_seed_moves_problems_between_the_halves_alone() -> None:
    problems = [worked("apples", n) for n in range(10, 18)]
    vectors = HashingEmbedder(64).embed([each.problem for each in problems])
    keys = {grouped(problems, vectors, size=8, seed=seed)[0][0].key for seed in range(6)}
    assert len(keys) > 1


def test_examples_are_problems_that_lint_well_and_do_not_read_alike() -> None:
    broken = Worked("b", 1, "What is $x when half of it is four?", "Twice four.", "8", "math")
    plain, alike = worked("apples", 3), worked("apples", 4)
    far = worked("trains", 5)
    index, probe = choose_examples([broken, plain, alike, far], DEFAULT)
    assert (index.problem, index.role) == (plain.problem, "index")
    assert (probe.problem, probe.role) == (far.problem, "probe")
    assert [example.problem for example in choose_examples([plain, alike], DEFAULT)] == [plain.problem]


def bench(reply_to: Any, *, tool: Any = None, budget: int = 10_000, grader: Any = None) -> tuple[Bench, Talker]:
    model = Talker(reply_to)
    made = Context(run_id="r", model=model, settings=SolveSettings(seed=5), tools=tool)
    return Bench(made, grader or Grader(), Budget(budget)), model


def test_both_sides_of_a_trial_get_the_same_seed_and_limits_and_differ_by_the_template_alone() -> None:
    problems = [worked("apples", n) for n in (3, 4)]

    def answer(stage: str | None, messages: list[Any]) -> str:
        right = TEMPLATE.name in messages[-1].content and problems[0].problem in messages[-1].content
        return rf"\boxed{{{problems[0].answer if right else 0}}}"

    made, model = bench(answer)
    assert made.compare(TEMPLATE, problems) == Trial(tried=2, with_template=1, without=0)
    assert [TEMPLATE.name in prompt for prompt in prompts_of(model)] == [False, False, True, True]
    assert {(p.seed, p.temperature, p.max_tokens) for _, _, p in model.calls} == {(5, 0.0, 480)}
    assert not any(problem.answer in prompt for prompt, problem in zip(prompts_of(model), problems * 2, strict=True))
    assert made.usage.calls == 4


def test_what_can_not_be_graded_is_left_out_of_both_sides() -> None:
    class Undecided:
        def grade(self, gold: str, answer: str, **options: Any) -> Verdict:
            return Verdict(None if gold == "12" else gold == answer, "", 0.0)

    problems = [worked("apples", n) for n in (3, 4)]
    made, _ = bench(lambda stage, messages: r"\boxed{20}", grader=Undecided())
    trial = made.compare(TEMPLATE, problems, always=True)
    assert trial == Trial(tried=1, with_template=1, without=1, undecided=1)
    assert trial.told == "solved 1 of 1 with it, 1 without, 1 left out"


def test_a_trial_never_takes_more_than_the_budget() -> None:
    made, model = bench(lambda stage, messages: "word " * 2_000, budget=2_000)
    with pytest.raises(BudgetExhausted, match="larger --budget"):
        made.compare(TEMPLATE, [worked("apples", n) for n in range(2, 9)])
    assert made.usage.completion_tokens <= 2_000
    assert made.usage.completion_tokens == sum(min(2_000, params.max_tokens) for _, _, params in model.calls)


@pytest.mark.parametrize(
    ("outputs", "kept"),
    [
        (("answer = 12", "answer = 12"), True),
        (("answer = 12", ("error", "NameError")), False),
        (("answer = 12", "answer = 13"), False),
        (("answer = 13",), False),
    ],
)
def test_an_example_gets_a_program_only_where_it_prints_the_right_answer(outputs: Any, kept: bool) -> None:
    made, _ = bench(lambda stage, messages: block("answer = 3 * 4"), tool=Tool(outputs))
    (example, *_) = choose_examples([worked("apples", 3), worked("trains", 4)], DEFAULT)
    program = made.program_for(TEMPLATE, example)
    assert program == ("answer = 3 * 4\nprint('answer =', answer)" if kept else None)


@given(
    file=st.text(max_size=400),
    ids=st.lists(st.text(max_size=200) | st.just("{$\\x;\u200b\0"), min_size=2, max_size=40),
    model=st.text(),
)
@settings(max_examples=40, deadline=None)
def test_provenance_fits_its_field_and_its_numbers_are_read_back(file: str, ids: list[str], model: str) -> None:
    each = tuple(Worked(name, 1, "p", "s", "1", "math") for name in ids)
    group = Group(1, each, each)
    made = Provenance.of(group, file=file, model=model, prompt_version="sha256:0", seed=-3)
    told = made.told(Trial(tried=4, with_template=3, without=1))
    assert len(told) <= 1_000
    template = TEMPLATE.model_copy(update={"source": told})
    assert [found for found in lint_template(template) if found.where == "source"] == []
    assert trial_of(told) == {"tried": 4, "with_template": 3, "without": 1}
    assert trial_of(made.told(Trial(4, None, 4))) == {"tried": 4, "with_template": None, "without": 4}
    assert trial_of(made.told()) is None
    assert trial_of("; trial: solved 9 of 9 with it, 0 without") is None
