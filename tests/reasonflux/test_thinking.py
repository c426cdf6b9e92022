import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.models.thinking import ThinkingFilter, strip_thinking

TABLE = [
    (r"<think>reason</think>It is \boxed{12}</think>", r"It is \boxed{12}"),
    (r"<think>a<think>b</think>c</think>Answer: \boxed{4}", r"Answer: \boxed{4}"),
    (r"some reasoning with \boxed{3}</think>\boxed{9}", r"\boxed{9}"),
    (r"<think>maybe \boxed{7}", ""),
    (r"<think>so it is \boxed{5}</think>", ""),
    (r"weighing it</think>Answer. \boxed{8}", r"Answer. \boxed{8}"),
    ("<THINK>a</Think>b", "b"),
    ("<thinking>a</thinking>\n\nb", "b"),
    ("<think>a</thinking >b", "b"),
    ("<think>one</think>first <think>two</think>second", "first second"),
    ("first <think>never closed", "first "),
    ("a<think>b</think>c</think>Answer", "Answer"),
    ("reason</think>It is 12</think>", "It is 12"),
    ("intro <think>x</think>It is 12</think>", "intro It is 12"),
    ('he said "hm\nno</think>Answer "4"', 'Answer "4"'),
    ("It is 4.</thi", ""),
    ("It is 4.<thin", "It is 4."),
    ("so x <", "so x <"),
    ("x <t and 2 < 3", "x <t and 2 < 3"),
    ("a <b> c </b>", "a <b> c </b>"),
    ("", ""),
]
QUOTED = [
    '{"step": "explain what the <think> tag does", "next": "verify"}',
    '[{"goal": "say \\"hi\\" and </think>", "n": 1}]',
    '{\n  "a": "x",\n  "b": "<think>old</think>"\n}',
    "The `<think>` tag and the `</think>` tag.",
    'Print "</think>" at the end.',
]
PIECES = [
    "<think>",
    "</think>",
    "<THINKING>",
    "</thinking >",
    "<",
    "</",
    "th",
    "ink>",
    '"',
    "`",
    "\n",
    " ",
    "a",
    r"\boxed{1}",
]


def shown_in_chunks(chunks: list[str]) -> str:
    thinking = ThinkingFilter()
    shown = ""
    for piece in [*(one for chunk in chunks for one in thinking.feed(chunk)), *thinking.finish()]:
        shown = "" if piece[0] == "reset" else shown + piece[1]
    assert shown == thinking.visible
    return shown


@pytest.mark.parametrize(("raw", "visible"), TABLE)
def test_what_is_visible(raw: str, visible: str):
    assert strip_thinking(raw)[0] == visible


@pytest.mark.parametrize("raw", QUOTED)
def test_quoted_tags_are_text(raw: str):
    assert strip_thinking(raw) == (raw, None)


@pytest.mark.parametrize("raw", [raw for raw, _ in TABLE] + QUOTED)
def test_every_cut_in_two_gives_the_same(raw: str):
    for cut in range(len(raw) + 1):
        assert shown_in_chunks([raw[:cut], raw[cut:]]) == strip_thinking(raw)[0]
    assert shown_in_chunks(list(raw)) == strip_thinking(raw)[0]


def test_reasoning_is_kept_apart():
    assert strip_thinking("<think> a </think>b") == ("b", "a")
    assert strip_thinking("plain") == ("plain", None)


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.lists(st.integers(1, 12), max_size=30))
def test_any_chunking_gives_the_same(pieces: list[str], sizes: list[int]):
    raw = "".join(pieces)
    chunks = []
    start = 0
    for size in sizes:
        chunks.append(raw[start : start + size])
        start += size
    chunks.append(raw[start:])
    assert shown_in_chunks(chunks) == strip_thinking(raw)[0]


@given(st.lists(st.sampled_from(["<think>", "</think>", "<THINKING>", "</thinking >", "a", " ", "<b>"]), max_size=14))
def test_no_part_of_a_tag_is_ever_visible(pieces: list[str]):
    thinking = ThinkingFilter()
    for character in "".join(pieces):
        thinking.feed(character)
        assert not re.search(r"</?t", thinking.visible, re.IGNORECASE)
    thinking.finish()
    assert not re.search(r"</?t", thinking.visible, re.IGNORECASE)


def test_a_split_tag_never_reaches_a_delta():
    thinking = ThinkingFilter()
    deltas = [piece for chunk in ("weighing it</thi", "nk>Answer.") for piece in thinking.feed(chunk)]
    assert deltas == [("text", "weighing it"), ("reset", ""), ("text", "Answer.")]


def test_text_without_tags_streams_untouched():
    thinking = ThinkingFilter()
    assert thinking.feed(" a ") == [("text", " a ")]
    assert thinking.feed("") == []
    assert thinking.feed("b\n") == [("text", "b\n")]
    assert thinking.finish() == []
