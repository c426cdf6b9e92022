"""Whatever a template says, writing it to a file of any kind and reading it back gives an equal one."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from library.exchange import ImportedRecord, ImportProblem, read_file
from library.file_writing import write_templates
from library.formats import Format
from library.template import Example, Template, name_key

ANSWERS = [
    "NA", "None", "007", "nan", "null", "", "1e3", "12345678901234567890", "=1+1", '"a, b\nc"', "no", "1:30", "012",
    "3.10", "2024-01-02", "0x1F", "1_000", "12:30:45", "~", "-0", "Infinity", "+1", "@cmd", "a\r\nb", "a\rb", "[1, 2]",
    "{}", "'", "a;b\tc", "\u2028", "\x85", "\ufeff", "\u202eabc", "\x1b[31m", "𝔸", "a\u0301", "�", "\uffff", "#", "- x",
]  # fmt: skip
TRICKY = st.sampled_from([answer for answer in ANSWERS if answer.strip()])
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=15) | TRICKY
# A text of which nothing is left when the model has stripped it is no name and no step.
filled = text.filter(lambda value: bool(Example(problem="p", answer=value).answer))
examples = st.builds(
    Example,
    problem=filled,
    answer=text,
    solution=text,
    grader=st.sampled_from(["math", "text"]),
    role=st.sampled_from(["index", "probe"]),
    program=st.none() | text,
    check=st.none() | text,
)
templates = st.builds(
    Template,
    name=filled,
    tags=st.lists(filled, max_size=3, unique_by=name_key).map(tuple),
    description=filled,
    scope=text,
    steps=st.lists(filled, min_size=1, max_size=3).map(tuple),
    examples=st.lists(examples, max_size=2).map(tuple),
    field=text,
    topic=text,
    status=st.sampled_from(["draft", "active", "retired"]),
    source=text,
    author=text,
).filter(lambda made: len({name_key(tag) for tag in made.tags}) == len(made.tags))
libraries = st.lists(templates, min_size=1, max_size=3, unique_by=lambda made: name_key(made.name))
E_ANSWERS = [
    Template(name=f"T{number}", description="D", steps=("S",), examples=(Example(problem="P", answer=answer),))
    for number, answer in enumerate(ANSWERS)
]
SLOW_FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def written(path: Path, made: list[Template]) -> Path:
    with path.open("wb") as file:
        assert write_templates(made, file, Format(path.suffix[1:])) == len(made)
    return path


def read(path: Path) -> list[Template]:
    records = list(read_file(path))
    assert [record for record in records if isinstance(record, ImportProblem)] == []
    return [record.template for record in records if isinstance(record, ImportedRecord)]


@pytest.mark.parametrize("kind", list(Format))
@settings(max_examples=60, deadline=None, suppress_health_check=SLOW_FIXTURES)
@given(made=libraries)
@example(made=E_ANSWERS)
def test_every_format_gives_back_what_was_written(tmp_path: Path, kind: Format, made: list[Template]) -> None:
    path = written(tmp_path / f"t.{kind.value}", made)
    assert read(path) == made
    if kind is not Format.parquet:
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        assert read(path) == made


@settings(max_examples=30, deadline=None, suppress_health_check=SLOW_FIXTURES)
@given(made=libraries)
@example(made=E_ANSWERS)
def test_a_table_survives_being_saved_as_utf_16_with_tabs(tmp_path: Path, made: list[Template]) -> None:
    source = written(tmp_path / "t.csv", made).read_bytes().decode("utf-8")
    out = io.StringIO(newline="")
    csv.writer(out, delimiter="\t").writerows(csv.reader(io.StringIO(source, newline="")))
    for codec, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
        (tmp_path / "t.csv").write_bytes(mark + out.getvalue().encode(codec))
        assert read(tmp_path / "t.csv") == made


def test_written_json_holds_no_constants_and_is_one_line_a_template(tmp_path: Path) -> None:
    lines = written(tmp_path / "t.jsonl", E_ANSWERS).read_bytes().split(b"\n")
    assert [json.loads(line, parse_constant=pytest.fail)["name"] for line in lines[:-1]] == [
        made.name for made in E_ANSWERS
    ]
    document = json.loads(written(tmp_path / "t.json", E_ANSWERS).read_bytes(), parse_constant=pytest.fail)
    assert [record["examples"][0]["answer"] for record in document] == [made.examples[0].answer for made in E_ANSWERS]


@pytest.mark.parametrize("kind", list(Format))
def test_no_template_at_all_is_a_valid_file(tmp_path: Path, kind: Format) -> None:
    (only,) = read_file(written(tmp_path / f"t.{kind.value}", []))
    assert isinstance(only, ImportProblem)
    assert only.reason == "the file holds no template"
