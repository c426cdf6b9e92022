import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.parsing import MAX_CHARACTERS, MAX_DEPTH, find_object

PLAN = {"steps": [{"template": "Method A", "goal": "a remainder"}]}
TEXT = json.dumps(PLAN)


@pytest.mark.parametrize(
    "reply",
    [
        TEXT,
        f"  \n{TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}",
        f"Sure, here is my plan:\n\n{TEXT}\n\nI hope that this helps.",
        f"I choose {{Method A}} for it. {TEXT}",
        f"The set {{1, 2}} and {{x | x > 0}}: {TEXT}",
        r"With \frac{1}{2}, \sqrt{3} and \binom{n}{k} " * 12 + TEXT,
        "{" * 300 + TEXT,
        "\ufeff" + TEXT,
        json.dumps(PLAN, indent=4),
    ],
)
def test_an_object_is_found_among_fences_prose_and_braces(reply: str) -> None:
    assert find_object(reply) == PLAN


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "no plan today",
        "[]",
        "[1, 2]",
        "null",
        '"{"',
        "{",
        "}",
        "{]",
        '{"steps": [',
        "{'steps': []}",
        "{" * 1_000_000,
    ],
)
def test_without_an_object_there_is_none(reply: str) -> None:
    assert find_object(reply) is None


def test_tags_of_thinking_inside_json_stay() -> None:
    value = {"step": "explain what the <think> tag does", "next": "verify"}
    assert find_object(json.dumps(value)) == value


@pytest.mark.parametrize("bomb", ['{"a":' * 100_000, '{"a":' * 400 + "1" + "}" * 400, '{"a":' + "[" * 20_000])
def test_depth_bombs_are_no_objects(bomb: str) -> None:
    found = find_object(bomb)
    assert found is None or len(json.dumps(found)) < 8 * MAX_DEPTH


def test_nesting_up_to_the_limit_is_read_and_brackets_in_strings_do_not_nest() -> None:
    nested: dict[str, object] = {"a": 1}
    for _ in range(MAX_DEPTH - 1):
        nested = {"a": nested}
    assert find_object(json.dumps(nested)) == nested
    brackets = {"goal": "the sum " + "{[(" * 50, "quote": 'she said \\ "{{{{"'}
    assert find_object(json.dumps(brackets)) == brackets


def test_text_beyond_the_limit_is_not_read() -> None:
    assert find_object("x" * MAX_CHARACTERS + TEXT) is None
    assert find_object(TEXT + "x" * 1_000_000) == PLAN


def test_an_integer_too_long_to_read_is_no_error() -> None:
    assert find_object('{"a": ' + "1" * 5_000 + "}") is None
    assert find_object('{"a": ' + "1" * 5_000 + "} then " + TEXT) == PLAN


def test_what_is_found_can_always_be_stored() -> None:
    found = find_object('{"goal": "half a pair: \\ud835 here", "k\\ud800": ["\\udc00"]}')
    assert found is not None
    assert "half a pair" in json.dumps(found, ensure_ascii=False).encode("utf-8").decode()


@given(st.text(alphabet=st.sampled_from('{}[]":,\\ntrue1e9-. u d8\x00abc`'), max_size=300))
def test_no_text_of_json_characters_raises(text: str) -> None:
    found = find_object(text)
    assert found is None or isinstance(found, dict)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)


@given(
    st.text(max_size=40).filter(lambda text: "{" not in text), st.dictionaries(st.text(max_size=8), JSON, max_size=5)
)
def test_any_object_behind_prose_is_read_back(prose: str, value: dict[str, object]) -> None:
    assert find_object(prose + json.dumps(value)) == value


def test_the_work_grows_with_the_text_alone() -> None:
    for flood in ('{"' + '\\"' * 30_000, '{"a": "' * 10_000, "{" + " " * 50_000, '{"\\' * 20_000, '{"a":[' * 9_000):
        started = time.process_time()
        assert find_object(flood) is None
        assert time.process_time() - started < 2
