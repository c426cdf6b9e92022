"""Tables of templates: what spreadsheets do to CSV, and Parquet files that are none of ours or mean harm."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library import parquet_records
from library.errors import ImportRefused
from library.exchange import ImportedRecord, ImportProblem, read_file
from library.template import Template

HEAD = "name,description,steps,examples"


def read(path: Path, content: str | bytes, **options: Any) -> list[ImportedRecord | ImportProblem]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return list(read_file(path, **options))


def names(records: list[ImportedRecord | ImportProblem]) -> list[str]:
    return [record.template.name for record in records if isinstance(record, ImportedRecord)]


def problems(records: list[ImportedRecord | ImportProblem]) -> list[str]:
    found = [record for record in records if isinstance(record, ImportProblem)]
    return [f"{problem.location.rpartition(':')[2]}: {problem.reason}" for problem in found]


def row(name: str, answer: str = "A") -> str:
    out = io.StringIO()
    examples = json.dumps([{"problem": "P", "answer": answer}], ensure_ascii=False)
    csv.writer(out, lineterminator="\n").writerow([name, "D", '["S"]', examples])
    return out.getvalue()


@pytest.mark.parametrize(
    "answer", ["NA", "None", "007", "nan", "null", "1e3", "12345678901234567890", "=1+1", "a, b\nc"]
)
def test_no_cell_is_taken_for_a_number_or_nothing(tmp_path: Path, answer: str) -> None:
    (record,) = read(tmp_path / "t.csv", f"{HEAD}\n{row(answer, answer)}")
    assert isinstance(record, ImportedRecord)
    assert (record.template.name, record.template.examples[0].answer) == (answer.strip(), answer)


def test_a_table_made_by_hand_needs_little(tmp_path: Path) -> None:
    text = ' Name ;Description;steps;problem;answer;status\n007;NA;"[""S""]";What?;0010;\n;;;;;\nB;D;"[1, 2]";;;draft\n'
    first, second = read(tmp_path / "t.csv", text)
    assert isinstance(first, ImportedRecord)
    assert isinstance(second, ImportedRecord)
    assert (first.template.name, first.template.status, first.template.field) == ("007", "active", "general")
    assert [(shown.problem, shown.answer) for shown in first.template.examples] == [("What?", "0010")]
    assert (second.template.steps, second.template.examples, second.template.status) == (("1", "2"), (), "draft")


@pytest.mark.parametrize("begin", ["sep=|\n", '"sep=|"\r\n'])
def test_a_table_may_tell_its_separator(tmp_path: Path, begin: str) -> None:
    assert names(read(tmp_path / "t.csv", f'{begin}name|description|steps\na,b|D|["S"]\n')) == ["a,b"]


NAIVE = f"{HEAD}\n{row('naïve')}"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_of_spreadsheets_are_seen(tmp_path: Path, codec: str) -> None:
    assert names(read(tmp_path / "t.csv", NAIVE.encode(codec))) == ["naïve"]
    assert names(read(tmp_path / "t.tsv", NAIVE.encode(codec))) == ["naïve"]


def test_another_encoding_names_the_byte_and_the_way_out(tmp_path: Path) -> None:
    data = NAIVE.encode("cp1252")
    with pytest.raises(ImportRefused) as caught:
        read(tmp_path / "t.csv", data)
    for part in (f"{tmp_path / 't.csv'}:2", "byte 0xEF", f"position {data.index(0xEF)}", "--encoding"):
        assert part in str(caught.value)
    assert names(read(tmp_path / "t.csv", data, encoding="cp1252")) == ["naïve"]
    for codec in ("no-such", "hex", "rot13"):
        with pytest.raises(ImportRefused, match="no text encoding"):
            read(tmp_path / "t.csv", data, encoding=codec)
    with pytest.raises(ImportRefused, match=r"not utf-16 \(byte"):
        read(tmp_path / "t.csv", b"\xff\xfea\x00\x00\xd8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nme,description,steps\n", '1: the table has columns that no template has: "nme"; did you mean name?'),
        ("name,description,steps,colour\n", 'no template has: "colour"; a table of templates has name, tags'),
        ("name,steps\n", '1: the table lacks the columns "description"'),
        ("name,name,description,steps\n", '1: the column "name" stands there twice'),
        (f"{HEAD}\na,D,S,\n{row('b')}", '2: steps must be a list in JSON, such as ["one", "two"], not the text "S"'),
        (f'{HEAD}\na,D,"[""S"", NaN]",\n{row("b")}', "2: steps must be a list in JSON"),
        (f'{HEAD}\n"a\nb",D,"[]",\n{row("b")}', "2: steps has 0 entries, fewer than 1"),
        (f'{HEAD}\na,D,"[\n]",\nc\n{row("b")}', "4: description is missing; steps is missing"),
        (f"{HEAD}\na,D,[],,too,many\n{row('b')}", "2: the row has 6 cells, the header 4"),
        (f"{HEAD}\n{row('b')}{row('B')}", '3: "B" is the name of the template at'),
        (f'{HEAD}\n{row("b")}a,"D"x,[]\n', "3: the CSV can't be read"),
        (f'{HEAD}\n{row("b")}a,"D\n', "3: the CSV can't be read"),
        (f'{HEAD}\n{row("b")}a\0,D,"[""S""]",\n', "3: name holds a NUL character"),
        (f'{HEAD}\n{row("b")}a,D,"[{{}}]",\n', "3: steps[1] must be text, not a mapping"),
        (f'{HEAD}\n{row("b")}a,D,"{"[" * 5000}",\n', "3: steps must be a list in JSON"),
        (f'{HEAD}\n{row("b")}a,{"x" * 10_000_000},"[""S""]",\n', "3: description has 10000000 characters, more than"),
    ],
)
def test_a_bad_row_has_its_line_and_the_rest_goes_on(tmp_path: Path, text: str, expected: str) -> None:
    records = read(tmp_path / "t.csv", text)
    problem = problems(records)[-1]
    assert expected in problem
    assert len(problem) < 300
    if text.startswith(HEAD):
        assert names(records) == ["b"]


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text('",;\t\n\r[]{}ab\0=', max_size=80))
def test_no_content_breaks_the_table_reader(tmp_path: Path, body: str) -> None:
    for begin in ("", f"{HEAD}\n"):
        records = read(tmp_path / "t.csv", begin + body)
        assert records
        assert all(record.location.startswith(str(tmp_path)) for record in records)


GOOD: dict[str, Any] = {"name": "N", "description": "D", "steps": ["S"]}


def parquet(path: Path, rows: list[dict[str, Any]], **options: Any) -> list[ImportedRecord | ImportProblem]:
    import pyarrow as pa
    from pyarrow import parquet as files

    files.write_table(pa.Table.from_pylist(rows), path, **options)
    return list(read_file(path))


def test_a_plain_parquet_table_is_read(tmp_path: Path) -> None:
    rows = [GOOD, {**GOOD, "name": "M", "examples": [{"problem": "P", "answer": "007", "check": None}], "slug": "m"}]
    assert names(parquet(tmp_path / "t.parquet", rows)) == ["N", "M"]
    first, second = parquet(tmp_path / "t.parquet", rows[::-1])
    assert isinstance(first, ImportedRecord)
    assert isinstance(second, ImportedRecord)
    assert second.template == Template(**GOOD)
    assert (first.template.examples[0].answer, first.template.examples[0].check) == ("007", None)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"colour": "red"}, 'columns that no template has: "colour"'),
        ({"name": 7}, 'the column "name" holds int64, not text'),
        ({"steps": "S"}, 'the column "steps" holds string, not lists of text'),
        ({"steps": [1.5]}, "not lists of text"),
        ({"examples": ["x"]}, "not lists of examples"),
        ({"examples": [{"problem": "P", "answer": 7}]}, "not examples of problem, answer"),
        ({"examples": [{"problm": "P"}]}, "not examples of problem, answer"),
        ({"description": b"D"}, 'the column "description" holds binary, not text'),
    ],
)
def test_a_parquet_with_other_columns_is_refused_by_name(
    tmp_path: Path, changes: dict[str, Any], expected: str
) -> None:
    (problem,) = parquet(tmp_path / "t.parquet", [GOOD | changes])
    assert isinstance(problem, ImportProblem)
    assert problem.location == str(tmp_path / "t.parquet")
    assert expected in problem.reason


def test_a_bad_parquet_row_has_its_number(tmp_path: Path) -> None:
    rows = [GOOD, {**GOOD, "name": None}, {**GOOD, "name": "x\0y"}, {**GOOD, "steps": []}, {**GOOD, "name": "Last"}]
    records = parquet(tmp_path / "t.parquet", rows)
    assert problems(records) == [
        "row 2: name is missing",
        "row 3: name holds a NUL character",
        "row 4: steps has 0 entries, fewer than 1",
    ]
    assert names(records) == ["N", "Last"]


def test_broken_parquet_files_are_said(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    parquet(path, [{**GOOD, "name": f"N{number}"} for number in range(50)])
    whole = path.read_bytes()
    for cut in range(0, len(whole), max(len(whole) // 20, 1)):
        records = read(path, whole[:cut])
        assert "can't be read" in problems(records)[-1]
    for place in range(4, len(whole), max(len(whole) // 60, 1)):
        records = read(path, whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        assert records


def test_a_small_parquet_that_unfolds_is_refused_before_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_records, "MAX_UNFOLDED_BYTES", 2**20)
    path = tmp_path / "t.parquet"
    same = "x" * 100_000
    (problem,) = parquet(path, [{**GOOD, "scope": same}] * 200, compression="zstd")
    assert path.stat().st_size < 10_000
    assert isinstance(problem, ImportProblem)
    assert "unfold to more than" in problem.reason
    (problem,) = parquet(path, [{**GOOD, "steps": [same] * 200}], compression="zstd")
    assert isinstance(problem, ImportProblem)
    assert "unfold to more than" in problem.reason
    (problem,) = parquet(path, [{**GOOD, "scope": "x" * 2_000_000}], compression="zstd")
    assert isinstance(problem, ImportProblem)
    assert 'the column "scope" unfolds to' in problem.reason
