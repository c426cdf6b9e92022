"""Extraction, canonical spelling and types of answers."""

import re
import time
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reasonflux.answers import extract, extract_value, normalise, type_of


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("the answer is \\boxed{2}. wait, actually \\boxed{3}", "3"),
        ("\\boxed{2}\n\nWait, that is wrong.\n\n\\boxed{3}", "3"),
        ("therefore\\boxed{840}., but let me explain.\n\n**Final Answer**\n\\boxed{840}", "840"),
        ("\\boxed{004}. The sum is 2,552,004 … **Final Answer** \\boxed{004}", "4"),
        ("\\boxed{2} and \\boxed{3}", "2, 3"),
        ("$\\boxed{2}$, $\\boxed{3}$, and $\\boxed{4}$", "2, 3, 4"),
        ("\\boxed{5}, \\boxed{5}", "5"),
        ("\\boxed{2}\n\n\\boxed{3}", "3"),
        (r"\boxed{\frac{1}{\sqrt{1+\frac{1}{x}}}}", r"\frac{1}{\sqrt{1+\frac{1}{x}}}"),
        (r"\boxed{\boxed{5}}", "5"),
        (r"\fbox{9}", "9"),
        (r"\\boxed{5}", "5"),
        (r"$\boxed{\{1,2\}}$", r"\{1,2\}"),
        (r"put it in \boxed {} form. So \boxed{7}", "7"),
        (r"So \boxed{7}. (Give it as \boxed{}.)", "7"),
        (r"I use `\boxed ` here. \boxed{5}", "5"),
        (r"It is \boxed 5.", "5"),
        ("$x=\\boxed{2}$ and $y=\\boxed{3}$", "2, 3"),
        ("\\boxed{2}\\text{ and }\\boxed{3}", "2, 3"),
        ("\\boxed{2} because \\boxed{3}", "3"),
        ("lost in JSON: \boxed{6}", "6"),
        ("no backslash: boxed{6}", "6"),
        ("It is \\boxed{12}", "12"),
    ],
)
def test_the_last_box_counts(text: str, answer: str) -> None:
    found = extract(text)

    assert (found.answer, found.source) == (answer, "box")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("✅ Final Answer: **73**", "73"),
        ("The answer is 73.", "73"),
        ("The answer is 3.14", "3.14"),
        ("Work.\n#### 73", "73"),
        ("Answer: 42", "42"),
        ("**Answer**: 42", "42"),
        ("### Final Answer\n\n73", "73"),
        ("The final answer is $\\frac{1}{2}$.", "\\frac{1}{2}"),
        ("Therefore, $x = 5$.", "x = 5"),
        ("Answer: x = 3 or x = -2", "x = 3 or x = -2"),
        ("The answer to the question is 12 apples because 3*4=12.", "12 apples"),
        ("The answer is (C).", "(C)"),
        ("I first thought: answer: 5\nBut no.\nAnswer: 6", "6"),
        ("steps\n73", "73"),
        ("Final Answer: The final answer is $5$. I hope it is correct.", "5"),
        ("**The answer is 42**", "42"),
        ("ANSWER: `42`", "42"),
    ],
)
def test_without_a_box_the_stated_answer_counts(text: str, answer: str) -> None:
    found = extract(text)

    assert (found.answer, found.source) == (answer, "final_line")


@pytest.mark.parametrize(
    "text",
    ["", "\n \n", r"\boxed{}", "The answer is \\boxed{}.", "no idea", "The answer is not clear.", "So let x be it"],
)
def test_no_answer_is_none(text: str) -> None:
    found = extract(text)

    assert (found.answer, found.source) == (None, "none")


def test_a_cut_box_is_no_answer_and_says_so() -> None:
    found = extract(r"We get \boxed{\frac{1}{2}", truncated=True)

    assert found.answer is None
    assert {"truncated", "unfinished_box"} <= set(found.flags)


def test_a_cut_box_does_not_revive_a_retracted_one() -> None:
    assert extract(r"\boxed{2} wait, actually \boxed{3", truncated=True).answer is None


def test_an_unclosed_box_in_a_complete_text_is_read_to_the_end_of_its_line() -> None:
    found = extract("So \\boxed{\\frac{1}{2}\n")

    assert found.answer == r"\frac{1}{2}"
    assert found.flags == ("unfinished_box",)


def test_a_cut_last_line_is_not_trusted() -> None:
    assert extract("The answer is 7", truncated=True).answer is None
    assert extract("The answer is 73.\nLet me", truncated=True).answer == "73"
    assert extract("", truncated=True).flags == ("truncated",)


def test_a_closed_box_in_a_cut_text_counts_and_is_flagged() -> None:
    found = extract(r"\boxed{3} and so", truncated=True)

    assert (found.answer, found.flags) == ("3", ("truncated",))


_balanced = st.recursive(
    st.text("abcxyz0123456789+-=/^_ ,.|<>", min_size=1, max_size=8),
    lambda inner: st.lists(inner.map(lambda text: "{" + text + "}") | inner, min_size=1, max_size=4).map("".join),
    max_leaves=12,
)
_fragment = st.sampled_from(
    [r"\boxed{", "}", "{", r"\boxed{2}", "\\", "$", r"\fbox{", r"\{", "answer is ", "\n", "####"]
)


@settings(max_examples=300, deadline=None)
@given(before=st.lists(st.text(max_size=12) | _fragment, max_size=12).map("".join), content=_balanced)
@example(before=r"\boxed{", content="{1}")
def test_a_box_at_the_end_of_any_text_is_extracted(before: str, content: str) -> None:
    content = "v" + content + "w"

    assert extract(f"{before}\n\nSo \\boxed{{{content}}}").answer == content


@pytest.mark.parametrize("power", ["x**2 + x + 1", "2**10", "(a + b)**n", "3 ** 2", "x**(1/2)", "x**-1"])
def test_a_power_is_no_emphasis(power: str) -> None:
    assert extract_value(f"answer = {power}") == power
    assert extract_value(power) == power
    assert extract(f"The answer is **{power}**").answer == power


@settings(max_examples=300, deadline=None)
@given(text=st.lists(st.text(max_size=12) | _fragment, max_size=12).map("".join), truncated=st.booleans())
@example(text="ANSWER:0`<", truncated=False)
def test_extraction_never_raises_nor_invents(text: str, truncated: bool) -> None:
    found = extract(text, truncated=truncated)

    assert (found.answer is None) == (found.source == "none")
    if found.answer is not None and "several_boxes" not in found.flags and "unfinished_box" not in found.flags:
        # Marks of Markdown are no part of an answer, wherever they stand in it.
        plain, said = (re.sub(r"\*{2,3}|__|`", "", part) for part in (text, found.answer))
        assert found.answer.lstrip("-+") in text or said.lstrip("-+") in plain
    extract_value(text)


_SIZE = 1 << 20


@pytest.mark.parametrize(
    "unit",
    ["\\boxed{", "{", "}", "\\", "\\boxed ", " ", "\n", "answer ", "the answer is ", "$", "$a", "1", "1,234", "1 234 ",
     "\\boxed{1}, ", "\\boxed{}", "\\frac", "\\sqrt[", "#### ", "*", "x = ", "answer to ", "{}\\", ". ", "\\text{"],
)  # fmt: skip
def test_a_megabyte_of_anything_is_read_in_bounded_time(unit: str) -> None:
    text = unit * (_SIZE // len(unit))
    started = time.process_time()

    extract(text)
    extract(text, truncated=True)
    extract_value(text)

    # Linear reading takes a few seconds at worst; anything quadratic would take hours.
    assert time.process_time() - started < 60


@pytest.mark.parametrize(
    ("output", "value"),
    [
        ("x = 3", "3"),
        ("1\n2\n\n", "2"),
        ("Answer: 42", "42"),
        ("The number of ways is: 12", "12"),
        ("The result is 7.", "7"),
        ("[3]", "3"),
        ("{x: 3}", "3"),
        ("Fraction(1, 2)", "1/2"),
        ("Decimal('2.50')", "2.50"),
        ("np.int64(5)", "5"),
        ("(1, 2)", "(1, 2)"),
        ("2*x + 1", "2*x + 1"),
        ("\\boxed{9}", "9"),
        ("", None),
        ("None", None),
        ("NameError: name 'x' is not defined", None),
    ],
)
def test_the_value_a_program_printed(output: str, value: str | None) -> None:
    assert extract_value(output) == value


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1,234", "1234"),
        ("1{,}234", "1234"),
        (r"1\,234", "1234"),
        ("1 234", "1234"),
        (r"1\,000\,000", "1000000"),
        (r"21,\! 400,\! 005", "21400005"),
        ("12,345.67", "12345.67"),
        ("1 234\u2009567", "1234567"),
        ("1_000_000", "1000000"),
        ("- 5", "-5"),
        ("3,14", "3,14"),
        (r"1\,23", "1 23"),
        ("0,123", "0,123"),
        ("(1,234)", "(1,234)"),
        ("−5", "-5"),
        ("–5", "-5"),
        ("１２", "12"),
        ("٣", "3"),
        ("x² + ½", r"x^{2}+\frac{1}{2}"),
        (r"\left( \dfrac43 , 2 \right]", r"(\frac{4}{3},2]"),
        ("sqrt(21)/5", r"\sqrt{21}/5"),
        ("x**2 - 2*pi", r"x^{2}-2\cdot\pi"),
        (r"10\text{ cm}", "10 cm"),
        (r"\text{Mei}", "Mei"),
        ("90°", r"90^{\circ}"),
        ("$7$", "7"),
        ("$18.90", r"\$18.90"),
        ("314_5", "314_{5}"),
        ("$1$$2$", "1 2"),
    ],
)
def test_canonical_spelling(text: str, canonical: str) -> None:
    assert normalise(text) == canonical


_pieces = st.text(max_size=10) | st.sampled_from(
    ["\\frac", "\\sqrt", "^", "_", "{", "}", "(", ")", "1,234", "1\\,2", " ", "\\!", "$", "\\text{", "½", "²", "12",
     "\\", "%", "**", "sqrt(", "Rational(1, 2)",
     "\\left", ".", "pi", "I", "=", "\\[", "-", "√", "'", "\\{", "\\$", ","]
)  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(text=st.lists(_pieces, max_size=10).map("".join))
def test_spelling_is_stable_and_invents_no_digit(text: str) -> None:
    canonical = normalise(text)

    assert normalise(canonical) == canonical
    digits = list(re.sub(r"[^0-9]", "", canonical))
    source = iter([str(_digit(character)) for character in _expanded(text) if _digit(character) is not None])
    assert all(digit in source for digit in digits)


def _digit(character: str) -> int | None:
    value = unicodedata.digit(character, None)
    return value if isinstance(value, int) else None


def _expanded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", c) if not c.isascii() else c for c in text)


@settings(max_examples=300, deadline=None)
@given(text=st.lists(_pieces, max_size=10).map("".join))
def test_a_type_is_found_for_anything(text: str) -> None:
    assert isinstance(type_of(text), str)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("-12", "integer"),
        ("1,234", "integer"),
        (r"\frac43", "rational"),
        ("0.25", "real"),
        (r"2\sqrt{3}", "real"),
        ("6-5i", "complex"),
        ("[1,2)", "interval"),
        (r"(5,\infty)", "interval"),
        (r"(-\infty,2)\cup(3,\infty)", "interval"),
        ("(1,2)", "tuple"),
        (r"\{1,2\}", "set"),
        ("2, 3", "set"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", "matrix"),
        ("y = 2x+3", "equation"),
        ("x < 3", "inequality"),
        ("2k", "expression"),
        (r"\text{ellipse}", "text"),
        (r"\text{(C)}", "text"),
    ],
)
def test_types(answer: str, kind: str) -> None:
    assert type_of(answer) == kind
