"""Every lint rule finds what it is about and leaves sound templates alone; no template makes one fail."""

import ast
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import library as library_package
from library.errors import LibraryError
from library.lint import RULES, Limits, chosen, lint_template, lint_templates
from library.lint_programs import parsed
from library.lint_rule import CollectionRule
from library.lint_text import unbalanced
from library.seeding import seed_templates
from library.template import Example, Template
from library.vocabulary import read_vocabulary

SHOWN = Example(
    problem="A shop takes 20 percent off a coat of 80 euros and then 10 percent off the new price. What is paid?",
    answer="57.6",
    solution="The multipliers are 0.8 and 0.9, so 80 * 0.72 = 57.6 is paid.",
    program="factor = 0.8 * 0.9\nprint('factor =', factor)\nprint('answer =', 80 * factor)",
    check="price = 80 - 80 / 5\nprint(price - price / 10)",
)
PROBE = Example(
    problem="The population of a town grows by a tenth and then by a fifth. By what share is it larger now?",
    answer="0.32",
    role="probe",
    check="print(round(1.1 * 1.2 - 1, 2))",
)
SOUND = Template(
    name="Chain percent changes as multipliers",
    tags=("percent", "multipliers"),
    description="A change by p percent multiplies an amount by 1 + p/100, so that changes in a row multiply.",
    scope="For discounts, taxes and growth that follow one another, not for shares of one amount.",
    steps=(
        "Write each change as a multiplier of the amount it acts on.",
        "Multiply the multipliers to get one factor.",
        "Multiply the first amount by the factor.",
    ),
    examples=(SHOWN, PROBE),
)


def changed(**changes: Any) -> Template:
    return SOUND.model_copy(update=changes)


def example(**changes: Any) -> Template:
    return changed(examples=(SHOWN.model_copy(update=changes), PROBE))


def codes(template: Template) -> set[str]:
    return {finding.code for finding in lint_template(template)}


def places(template: Template, code: str) -> list[str]:
    return [finding.where for finding in lint_template(template) if finding.code == code]


def steps(*texts: str) -> Template:
    return changed(steps=(*texts, *SOUND.steps))


FAILING = {
    "NAM01": [changed(name="Percent problems"), changed(name="Introduction to percentages"), changed(name="Vectors")],
    "NAM02": [changed(name="Chain percent changes " * 6)],
    "DES01": [
        changed(description="Chain percent changes as multipliers."),
        changed(description="This method describes how to chain percent changes as multipliers."),
    ],
    "DES02": [changed(description="Multiplies all the changes.")],
    "SCO01": [changed(scope=""), changed(scope="…")],
    "SCO02": [changed(scope="For discounts.")],
    "STP01": [changed(steps=SOUND.steps[:2])],
    "STP02": [changed(steps=tuple(f"Do part number {n} of the whole." for n in range(9)))],
    "STP03": [
        steps(text)
        for text in (
            "Solve the problem.", "Read the problem carefully.", "Then, check your answer!", "Think step by step.",
            "Use the appropriate formula to find the unknown.", "Simplify", "Find the final answer.", "Plug it in.",
        )
    ],
    "STP04": [steps("Factor it.")],
    "STP05": [steps("Multiply " + "again and " * 60 + "again.")],
    "STP06": [steps(SOUND.steps[2].upper())],
    "STP07": [steps("1. Write each change down in order."), steps("Step 2: write each change down.")],
    "TAG01": [changed(tags=()), changed(tags=tuple("abcdefgh"))],
    "TAG02": [changed(tags=("Percent", "multipliers"))],
    "TAG03": [changed(tags=("what to do when percentages follow", "percent")), changed(tags=("p" * 41, "percent"))],
    "EXA01": [example(answer="?"), example(answer="TBD"), example(answer="n/a")],
    "EXA02": [example(check=None), example(check="")],
    "EXA03": [example(program=None)],
    "EXA04": [example(solution="")],
    "EXA05": [changed(examples=(PROBE,)), changed(examples=())],
    "EXA06": [changed(examples=(SHOWN,))],
    "EXA07": [changed(examples=(SHOWN, PROBE.model_copy(update={"problem": SHOWN.problem.replace("coat", "hat")})))],
    "TXT01": [
        changed(description=SOUND.description + text)
        for text in (" $x", " {a", " a}", r" \left( x", r" \begin{cases} x", r" \begin{a}\end{b}", r" \( x", r" \]")
    ],
    "TXT02": [changed(scope=SOUND.scope + mark + "x") for mark in "\x07\u200b\u202e\ufeff\ufffd\x00"],
    "TXT03": [changed(scope=SOUND.scope + " cafe\u0301")],
    "TXT04": [changed(scope=SOUND.scope + " TODO"), changed(scope=SOUND.scope + " <insert the rest here>")],
    "PRG01": [example(check="print(57.6)"), example(check="x = '57.6'\nprint(x)"), example(check="print(str(57.6))")],
    "PRG02": [
        example(check="if 80 * 72 > 1:\n    print(57.6)"),
        example(check="print(80 * 2 and -(-57.6))", answer="57.6"),
        example(check="from fractions import Fraction\nprint(Fraction(288, 5) + 0 * 1)"),
        example(answer="-1/2", check="x = -1 / 2\nassert x < 0\nprint(x)"),
        example(answer="3", check="x = 3\nassert x + 0 == x\nprint(x)"),
        example(answer="Ada", grader="text", check="assert 1 + 1\nprint('ADA')"),
    ],
    "PRG03": [example(check="print(1"), example(program="for x in"), example(check="(" * 500), example(check="\0")],
    "PRG04": [example(program="x = 1\n" * 25 + "print(x)")],
    "PRG05": [example(program="x = 80 * 0.72")],
    "PRG06": [example(check="# again\n" + str(SHOWN.program))],
}  # fmt: skip


def test_a_sound_template_has_no_finding() -> None:
    assert lint_template(SOUND) == []


@pytest.mark.parametrize(
    ("code", "template"), [(code, template) for code, templates in FAILING.items() for template in templates]
)
def test_a_rule_finds_what_it_is_about(code: str, template: Template) -> None:
    assert code in codes(template)


def test_every_rule_about_one_template_has_a_case() -> None:
    alone = {rule.code for rule in RULES if not isinstance(rule, CollectionRule)}
    assert alone == {*FAILING, "TAG04"}
    assert len({rule.code for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    "template",
    [
        changed(name="Solve quadratic equations"),
        changed(name="Integrating by parts"),
        changed(name="数列の和を求める"),
        changed(description=SOUND.description + " It costs $5."),
        changed(description=SOUND.description + r" \$ and US$ 5 and $7."),
        changed(description=SOUND.description + r" For x in [0, 1) take $\{1, 2\}$ and \left[0, 1\right)."),
        changed(description=SOUND.description + r" $\begin{pmatrix} 1 \\ 2 \end{pmatrix}$ and $$x$$."),
        steps("Check that the roots satisfy the first equation."),
        steps("Simplify the fraction by the greatest common divisor."),
        steps("Use the quadratic formula to find both roots."),
        example(answer="none", grader="text"),
        example(answer="2", check="print(round((80 ** 2) ** 0.5) % 3)"),
        example(answer="yes", grader="text", check="print('yes' if 80 > 57 else 'no')"),
        example(answer="Ada", grader="text", check="print(min(['Bea', 'Ada']))"),
        example(answer="0", check="total = 0\nfor x in (1, -1):\n    total += x\nprint(total)"),
    ],
)
def test_a_rule_leaves_alone_what_only_looks_like_it(template: Template) -> None:
    assert codes(template) == set()


def test_findings_say_where() -> None:
    assert places(steps("Solve it."), "STP03") == ["steps[1]"]
    assert places(changed(examples=(SHOWN, PROBE.model_copy(update={"check": None}))), "EXA02") == ["examples[2]"]
    assert places(example(check="print(1"), "PRG03") == ["examples[1].check"]


def test_a_vocabulary_closes_the_tags() -> None:
    rules = chosen(["TAG04"], vocabulary=frozenset({"percents", "Multipliers"}))
    (finding,) = lint_template(SOUND, rules)
    assert (finding.where, finding.severity) == ("tags[1]", "error")
    assert 'did you mean "percents"?' in finding.message
    assert lint_template(SOUND, chosen(["TAG04"])) == []


def test_codes_and_their_beginnings_choose_rules() -> None:
    bare = Template(name="Vectors", description="Vectors.", steps=("Solve.",))
    assert {finding.code for finding in lint_template(bare, chosen(["STP"]))} == {"STP01", "STP03"}
    assert {finding.code for finding in lint_template(bare, chosen(["stp"], ["STP01"]))} == {"STP03"}
    assert "SCO01" not in {finding.code for finding in lint_template(bare, chosen(ignore=["SCO"]))}
    assert lint_template(bare, chosen(["STP01"], limits=Limits(min_steps=1))) == []
    for wrong in ("STP99", "", "ZZZ"):
        with pytest.raises(LibraryError, match="No lint rule has the code"):
            chosen([wrong])


def test_rules_side_by_side() -> None:
    other = changed(name="CHAIN percent changes as multipliers", tags=("percents", "multiplier"))
    twin, sound = lint_templates([other, SOUND])[1], lint_templates([SOUND])[0]
    assert sound == []
    assert {finding.code for finding in twin} == {"LIB01", "LIB02", "LIB03", "TAG05"}
    far = changed(
        name="Halve a number",
        description="Half of a number is what two equal parts of it have each, and doubling takes it back.",
        steps=("Take the number to be halved.", "Split it into two equal parts.", "Name one of the parts."),
        examples=(
            SHOWN.model_copy(update={"problem": "What is half of fourteen?", "answer": "7"}),
            PROBE.model_copy(update={"problem": SHOWN.problem.replace("coat", "hat")}),
        ),
    )
    assert [finding.code for finding in lint_templates([SOUND, far])[1]] == ["LIB04"]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("word-problems", "word problems", True), ("recursion", "recusion", True), ("cycles", "cylces", True),
        ("sequence", "sequences", True), ("word-problems", "work-problems", False), ("grade-3", "grade-4", False),
        ("inequalities", "equalities", False), ("sine", "cosine", False), ("class", "clas", False),
    ],
)  # fmt: skip
def test_tags_that_differ_by_spelling(one: str, other: str, alike: bool) -> None:
    templates = [changed(tags=(one,)), changed(name="Another", tags=(other,))]
    found = lint_templates(templates, chosen(["TAG05"]))
    assert any(found) is alike


def test_the_seed_is_clean_under_every_rule() -> None:
    tags = read_vocabulary(Path(library_package.__file__).parent / "seed" / "tags.yaml")
    templates = list(seed_templates())
    found = lint_templates(templates, chosen(vocabulary=tags))
    assert [(t.name, own) for t, own in zip(templates, found, strict=True) if own] == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no tags"), (b"a: [1", "tags.yaml:2"), (b"- [a, b]\n", "a tag must be text"),
        (b"\xff\xfe", "UTF-8"),
    ],
)  # fmt: skip
def test_a_vocabulary_that_can_not_be_read(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "tags.yaml"
    path.write_bytes(content)
    with pytest.raises(LibraryError, match=message):
        read_vocabulary(path)
    with pytest.raises(LibraryError, match="No such file"):
        read_vocabulary(tmp_path / "none.yaml")


def test_a_vocabulary_is_a_mapping_or_a_list(tmp_path: Path) -> None:
    path = tmp_path / "tags.yaml"
    for text in ("a: x\nno: y\n", "- a\n- no\n", '["a", "no"]'):
        path.write_text(text, encoding="utf-8")
        assert read_vocabulary(path) == {"a", "no"}


@pytest.mark.parametrize("text", ["$" * 20_001, "{" * 20_000, "\\" * 19_999, "\\left" * 5_000, "\\begin{" * 2_000])
def test_hostile_mathematics_is_judged_at_once(text: str) -> None:
    assert unbalanced(text) is not None or "\\\\" in text


@pytest.mark.parametrize("source", ["-" * 19_000 + "1", "[" * 19_000, "0x" + "f" * 19_000, "1e999999999", "'\\8'"])
def test_hostile_programs_are_parsed_or_refused(source: str) -> None:
    assert isinstance(parsed(source), ast.Module | SyntaxError)
    findings = lint_template(example(check=f"print({source})", answer="9" * 19_000))
    assert {finding.code for finding in findings} <= {rule.code for rule in RULES}


TEXT = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="$\\{}()[]leftrightbegin \n", max_size=40),
    st.sampled_from(
        ["Solve it.", "print(1 + 1)", "x = 1", "1/0", "-1/2", "\u200b", "e\u0301", "数列", "TODO", "1" * 150]
    ),
)


def filled(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return strategy.filter(lambda text: bool(text.strip()))


EXAMPLES = st.builds(
    Example,
    problem=filled(TEXT),
    answer=filled(TEXT),
    solution=TEXT,
    grader=st.sampled_from(["math", "text"]),
    role=st.sampled_from(["index", "probe"]),
    program=st.none() | TEXT,
    check=st.none() | TEXT,
)
TEMPLATES = st.builds(
    Template,
    name=filled(TEXT),
    tags=st.lists(TEXT, max_size=4).map(tuple),
    description=filled(TEXT),
    scope=TEXT,
    steps=st.lists(TEXT, min_size=1, max_size=4).map(tuple),
    examples=st.lists(EXAMPLES, max_size=3).map(tuple),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TEMPLATES, max_size=3))
def test_lint_never_raises(templates: list[Template]) -> None:
    rules = chosen(vocabulary=frozenset({"a"}))
    known = {rule.code: rule.severity for rule in RULES}
    found = lint_templates(templates, rules)
    assert len(found) == len(templates)
    for own, template in zip(found, templates, strict=True):
        assert all(known[finding.code] == finding.severity for finding in own)
        assert [f for f in own if not f.code.startswith(("LIB", "TAG05"))] == lint_template(template, rules)
