"""Problem records: nothing skipped, nothing raised, every fault with its line."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonflux.errors import RecordError
from reasonflux.grading import Grader
from reasonflux.records import MAX_CHARACTERS, Record, RecordProblem, check_golds, read_records


def _read(tmp_path: Path, content: str | bytes) -> list[Record | RecordProblem]:
    path = tmp_path / "in.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return list(read_records(path))


def _one(tmp_path: Path, value: object) -> Record | RecordProblem:
    (item,) = _read(tmp_path, json.dumps(value) + "\n")
    return item


def _reason(item: Record | RecordProblem) -> str:
    assert isinstance(item, RecordProblem)
    return item.reason


def _gold(item: Record | RecordProblem) -> str | None:
    assert isinstance(item, Record)
    return item.graded.gold


def test_the_own_shape(tmp_path: Path) -> None:
    item = _one(
        tmp_path, {"id": "a1", "problem": "1+1?", "answer": "2", "subject": "algebra", "level": 3, "grader": "text"}
    )

    assert isinstance(item, Record)
    assert (item.line, item.id, item.subject, item.level) == (1, "a1", "algebra", "3")
    assert (item.graded.problem.text, item.graded.gold, item.graded.grader) == ("1+1?", "2", "text")
    assert item.content_hash.startswith("sha256:")


def test_questions_with_hash_marks(tmp_path: Path) -> None:
    assert _gold(_one(tmp_path, {"question": "How many?", "answer": "Add #### them.\n#### 1,250"})) == "1250"
    assert "####" in _reason(_one(tmp_path, {"question": "How many?", "answer": "so\n####  "}))


def test_solutions_with_boxes(tmp_path: Path) -> None:
    value = {
        "problem": "p",
        "solution": r"Not \boxed{1} but \boxed{\frac{1}{2}}.",
        "level": "Level 5",
        "type": "Algebra",
    }
    item = _one(tmp_path, value)

    assert _gold(item) == r"\frac{1}{2}"
    assert isinstance(item, Record)
    assert (item.level, item.subject) == ("5", "Algebra")
    assert "boxed" in _reason(_one(tmp_path, {"problem": "p", "solution": "It is 3."}))
    assert _gold(_one(tmp_path, {"problem": "p", "solution": r"\boxed{1}", "answer": "2"})) == "2"


@pytest.mark.parametrize("text", ["3.10", "1e3", "12345678901234567890", "007", "NA", "1" * 8000])
def test_answers_keep_their_text(tmp_path: Path, text: str) -> None:
    written = text if text[0] != "0" and text != "NA" else json.dumps(text)
    (item,) = _read(tmp_path, f'{{"problem": "p", "answer": {written}}}')

    assert _gold(item) == text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"problem": "p"', "column"),
        ("[", "not JSON"),
        ('"text"', "not an object"),
        ("{}", "no 'problem'"),
        ('{"problem": "  "}', "blank"),
        ('{"problem": "p", "answer": ""}', "blank"),
        ('{"problem": "p", "answer": true}', "true or false"),
        ('{"problem": "p", "answer": ["2"]}', "a list"),
        ('{"problem": "p", "answer": NaN}', "NaN"),
        ('{"problem": "p", "problem": "q"}', "twice"),
        ('{"problem": "p", "grader": "llm"}', "grader"),
        ('{"problem": "a\\u0000b"}', "NUL"),
        ('{"problem": "a\\ud800b"}', "surrogate"),
        ('{"problem": "' + "x" * (MAX_CHARACTERS + 1) + '"}', "characters"),
        ('{"problem": ' + "[" * 100_000, "deep"),
    ],
)
def test_a_bad_record_is_reported_and_the_rest_goes_on(tmp_path: Path, line: str, said: str) -> None:
    items = _read(tmp_path, f'{{"problem": "first"}}\n\n{line}\n{{"problem": "last"}}\n')

    assert [item.line for item in items] == [1, 3, 4]
    assert said in _reason(items[1])
    assert isinstance(items[0], Record)
    assert isinstance(items[2], Record)


def test_bytes_that_are_not_utf8_name_file_and_place(tmp_path: Path) -> None:
    items = _read(tmp_path, b'{"problem": "a"}\n{"problem": "na\xefve"}\n{"problem": "c"}\n')

    assert [item.line for item in items] == [1, 2, 3]
    assert "byte 32 of" in _reason(items[1])
    assert "in.jsonl" in _reason(items[1])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_refused_with_a_sentence(tmp_path: Path, encoding: str) -> None:
    (item,) = _read(tmp_path, '{"problem": "a"}\n'.encode(encoding))

    assert "UTF-16" in _reason(item)
    assert "in.jsonl" in _reason(item)


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    items = _read(tmp_path, b'\xef\xbb\xbf{"problem": "a"}\r\n{"problem": "b"}')

    assert [isinstance(item, Record) for item in items] == [True, True]


def test_an_array(tmp_path: Path) -> None:
    items = _read(tmp_path, '[\n {"problem": "a"},\n\n {"problem": ""},\n {"problem": "c"}\n]\n')

    assert [(item.line, isinstance(item, Record)) for item in items] == [(2, True), (4, False), (5, True)]
    assert _read(tmp_path, "[]") == []


@pytest.mark.parametrize(
    "tail", ["", " {]", ' {"problem": "b"', ' {"problem": "b"} {"problem": "c"}]', "]", ' {"problem": "b"}] x']
)
def test_a_broken_array_says_where(tmp_path: Path, tail: str) -> None:
    items = _read(tmp_path, '[{"problem": "a"},\n' + tail)

    assert isinstance(items[0], Record)
    assert isinstance(items[-1], RecordProblem)


def test_equal_records_are_kept_apart_by_line(tmp_path: Path) -> None:
    first, second = _read(tmp_path, '{"problem": "a"}\n{"problem": "a"}\n')

    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert first.content_hash == second.content_hash
    assert (first.id, second.id) == ("1", "2")


def test_an_overlong_line_is_one_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reasonflux.records._MAX_LINE_BYTES", 64)
    items = _read(tmp_path, '{"problem": "' + "x" * 500 + '"}\n{"problem": "b"}\n')

    assert [(item.line, isinstance(item, Record)) for item in items] == [(1, False), (2, True)]


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="can't be read"):
        list(read_records(tmp_path / name))


def test_golds_that_do_not_equal_themselves_are_found(tmp_path: Path) -> None:
    golds = ["3*x-1*y+13=0", r"\dfrac{9}{7}", r"0.\overline{3}", "3", "foo"]
    items = _read(tmp_path, "".join(json.dumps({"problem": "p", "answer": gold}) + "\n" for gold in golds))
    records = [item for item in items if isinstance(item, Record)]

    with Grader() as grader:
        failing = check_golds(records, grader)

    assert [line for line, _ in failing] == [5]
    assert "foo" in failing[0][1]


@settings(max_examples=100, deadline=None)
@given(lines=st.lists(st.binary(max_size=30).map(lambda raw: raw.replace(b"\n", b"")), max_size=6))
def test_any_bytes_give_one_item_a_line(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    # A first line that opens a JSON object keeps the file JSONL whatever follows.
    items = _read(tmp_path_factory.mktemp("any"), b"\n".join([b'{"problem": "first"}', *lines]))

    filled = [number for number, line in enumerate(lines, 2) if line.strip()]
    assert [item.line for item in items] == [1, *filled]
