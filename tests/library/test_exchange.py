"""Files of templates: every scalar is text, every bad record has its line, and nothing can blow up the reader."""

import codecs
import contextlib
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library.errors import ImportRefused
from library.exchange import ImportedRecord, ImportProblem, make_template, read_file, to_text
from library.template import Template, name_key
from tests.library.hashing_embedder import template

TIMES = ["1:30", "12:30:45", "2024-01-02"]
ANSWERS = ["no", "012", "3.10", "0x1F", "1_000", "NA", "null", "~", "1e3", "=1+1", ".inf", *TIMES]


def read(path: Path, text: str | bytes) -> list[ImportedRecord | ImportProblem]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return list(read_file(path))


def templates(records: list[ImportedRecord | ImportProblem]) -> list[Template]:
    assert [record for record in records if isinstance(record, ImportProblem)] == []
    return [record.template for record in records if isinstance(record, ImportedRecord)]


def problems(records: list[ImportedRecord | ImportProblem]) -> list[str]:
    """Return `line: reason` of each problem."""
    found = [record for record in records if isinstance(record, ImportProblem)]
    return [f"{problem.location.rpartition(':')[2]}: {problem.reason}" for problem in found]


@pytest.mark.parametrize("answer", ANSWERS)
def test_yaml_scalars_stay_text(tmp_path: Path, answer: str) -> None:
    text = f"name: N\ndescription: D\nsteps: [S, {answer}]\nexamples:\n- problem: P\n  answer: {answer}\n"
    (only,) = templates(read(tmp_path / "t.yaml", text))
    assert (only.examples[0].answer, only.steps[1]) == (answer, answer)
    (again,) = templates(read(tmp_path / "again.yaml", to_text(only, "yaml")))
    assert again == only
    assert yaml.safe_load(to_text(only, "yaml"))[0]["examples"][0]["answer"] == answer


@pytest.mark.parametrize("number", ["3.10", "007e1", "12345678901234567890", "-0", "1E400"])
def test_json_numbers_stay_text(tmp_path: Path, number: str) -> None:
    record = json.dumps(template("N").model_dump(mode="json")).replace('"007"', number.lstrip("0"))
    (only,) = templates(read(tmp_path / "t.json", record))
    assert only.examples[1].answer == number.lstrip("0")


text_strategy = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(text_strategy, text_strategy, text_strategy),
        min_size=1,
        max_size=4,
        unique_by=lambda parts: name_key(parts[0].strip() or "n"),
    )
)
def test_what_is_written_is_read_back(tmp_path: Path, parts: list[tuple[str, str, str]]) -> None:
    made = [
        template(name.strip() or "n", description=text.strip() or "d", steps=(step.strip() or "s",))
        for name, text, step in parts
    ]
    assert templates(read(tmp_path / "t.jsonl", "\n".join(to_text(item) for item in made))) == made
    assert templates(read(tmp_path / "t.json", f"[{','.join(to_text(item) for item in made)}]")) == made
    assert templates(read(tmp_path / "t.yaml", "".join(to_text(item, "yaml") for item in made))) == made
    assert templates(read(tmp_path / "t.txt", "".join(to_text(item, "yaml") for item in made))) == made


@pytest.mark.parametrize("mark", ["\r", "\x85", "\u2028", "\u2029", "\t", "\ufeff", "\n \n", "\x1b"])
def test_yaml_keeps_unusual_line_breaks_and_controls(tmp_path: Path, mark: str) -> None:
    made = [template("N", steps=(f"one{mark}two", f"it's{mark}", f"a: {mark}b"), description=f"0{mark}0")]
    assert templates(read(tmp_path / "t.yaml", to_text(made[0], "yaml"))) == templates(
        read(tmp_path / "t.json", to_text(made[0]))
    )


def test_yaml_documents_and_lists_mix(tmp_path: Path) -> None:
    one = "name: {0}\ndescription: D\nsteps: [S]\n"
    text = "---\n" + one.format("A") + "---\n- " + one.format("B").replace("\n", "\n  ").rstrip() + "\n---\n"
    assert [item.name for item in templates(read(tmp_path / "t.yaml", "\ufeff" + text))] == ["A", "B"]


def test_programs_may_be_null_and_store_fields_are_let_through(tmp_path: Path) -> None:
    text = "name: N\nslug: n\ncreated: x\ndescription: D\nsteps: [S]\n"
    text += "examples:\n- {problem: P, answer: null, program: ~, check: }\n"
    (only,) = templates(read(tmp_path / "t.yaml", text))
    assert (only.examples[0].program, only.examples[0].check, only.examples[0].answer) == (None, None, "null")


GOOD = "- name: Good\n  description: D\n  steps: [S]\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GOOD + "- name: Bad\n  description: D\n", "4: steps is missing"),
        (
            GOOD + "- name: Bad\n  desription: D\n  steps: [S]\n",
            "4: description is missing; desription is no known field",
        ),
        (GOOD + "- name: Bad\n  description: D\n  steps: S\n", '6: steps must be a list, not the text "S"'),
        (GOOD + "- name: Bad\n  description: D\n  steps: []\n", "6: steps has 0 entries, fewer than 1"),
        (
            GOOD + "- name: Bad\n  description: D\n  steps:\n  - a\n  - {b: c}\n",
            "8: steps[2] must be text",
        ),
        (GOOD + "- name: Bad\n  description: ''\n  steps: [S]\n", "5: description is empty"),
        (GOOD + "- name: Bad\n  description: D\n  steps: [S]\n  status: on\n", "7: status must be 'draft'"),
        (
            GOOD + "- name: Bad\n  description: D\n  steps: [S]\n  examples:\n  - problem: ''\n    answer: A\n",
            "8: examples[1].problem is empty",
        ),
        (
            GOOD + "- name: Bad\n  name: Worse\n  description: D\n  steps: [S]\n",
            '5: the field "name" stands',
        ),
        (GOOD + "- name: Bad\n  description: D\n  steps: [S]\n  tags: [a, A]\n", 'tags[2] "A" is the same tag as "a"'),
        (GOOD + "- just text\n", '4: a template must be a mapping of fields, not the text "just text"'),
        (GOOD + "- name: [unclosed\n", "the YAML can't be read"),
        (GOOD + "-\tname: tab\n  description: D\n", "the YAML can't be read"),
        (GOOD + "- name: a\x07b\n", "the YAML can't be read"),
    ],
)
def test_a_bad_yaml_record_has_its_line_and_the_rest_goes_on(tmp_path: Path, text: str, expected: str) -> None:
    records = read(tmp_path / "t.yaml", text)
    (problem,) = problems(records)
    assert expected in problem
    if "can't be read" not in expected:
        assert [record.template.name for record in records if isinstance(record, ImportedRecord)] == ["Good"]


def test_bad_records_do_not_hide_the_good_ones_behind_them(tmp_path: Path) -> None:
    bad = ['{"name": "B"', "", "[1]", '{"name": NaN}', '{"a": 1, "a": 2}']
    lines = [to_text(template("A")), *bad, to_text(template("C"))]
    records = read(tmp_path / "t.jsonl", "\n".join(lines))
    assert [record.template.name for record in records if isinstance(record, ImportedRecord)] == ["A", "C"]
    assert [problem.partition(":")[0] for problem in problems(records)] == ["2", "4", "5", "6"]
    records = read(tmp_path / "t.json", f"[{lines[0]},\n\n{{}},\n{lines[-1]}]")
    assert [problem.partition(":")[0] for problem in problems(records)] == ["3"]
    assert len(records) == 3


def test_json_that_breaks_off_says_where(tmp_path: Path) -> None:
    whole = "[" + to_text(template("A")) + ",\n" + to_text(template("B")) + "]"
    for cut in range(1, len(whole) - 1, 7):
        records = read(tmp_path / "t.json", whole[:cut])
        assert isinstance(records[-1], ImportProblem)
        assert "can't be read" in records[-1].reason


@pytest.mark.parametrize("suffix", ["yaml", "json", "jsonl", "txt"])
@pytest.mark.parametrize("content", ["", " \n\n", "[]"])
def test_an_empty_file_is_said(tmp_path: Path, suffix: str, content: str) -> None:
    records = read(tmp_path / f"t.{suffix}", content)
    assert len(records) == 1
    assert isinstance(records[0], ImportProblem)


def test_bombs_are_refused_at_once(tmp_path: Path) -> None:
    laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
    laughs += "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    assert "aliases followed" in problems(read(tmp_path / "laughs.yaml", laughs))[0]
    assert "alias" in problems(read(tmp_path / "loop.yaml", "name: &a [*a]\n"))[0]
    for opening in ("[", "{a: ", "- "):
        assert "nest" in problems(read(tmp_path / "deep.yaml", opening * 50_000))[0]
    for suffix in ("json", "jsonl"):
        assert "nests too deeply" in problems(read(tmp_path / f"deep.{suffix}", '{"a":' * 200_000))[0]


def test_ten_megabytes_in_a_field_are_refused_in_one_line(tmp_path: Path) -> None:
    huge = "x" * 10_000_000
    for part in ("name", "description", "field"):
        record = {"name": "N", "description": "D", "steps": ["S"], part: huge}
        (problem,) = problems(read(tmp_path / "t.json", json.dumps(record)))
        assert f"{part} has 10000000 characters, more than" in problem
        assert len(problem) < 200
    (problem,) = problems(read(tmp_path / "t.json", json.dumps({"name": "N", "description": "D", "steps": [huge]})))
    assert "steps[1] has 10000000 characters" in problem


@pytest.mark.parametrize("bad", ["a\\u0000b", "\\ud800"])
def test_characters_that_are_none_are_refused(tmp_path: Path, bad: str) -> None:
    for part in ("name", "steps"):
        record = {"name": "N", "description": "D", "steps": ["S"], part: "HERE" if part == "name" else ["HERE"]}
        (problem,) = problems(read(tmp_path / "t.json", json.dumps(record).replace("HERE", bad)))
        assert part in problem
        assert "NUL" in problem or "surrogate" in problem


def test_right_to_left_text_is_kept(tmp_path: Path) -> None:
    (only,) = templates(read(tmp_path / "t.yaml", "name: מספר ראשוני\ndescription: עברית\nsteps: [S]\n"))
    assert only.slug == "מספר-ראשוני"


@pytest.mark.parametrize(
    ("data", "where"), [("a: naïve\nb: ".encode("cp1252"), "t.yaml:1"), (b"x: \xff\xfe\n", "position 3")]
)
def test_another_encoding_names_file_and_byte(tmp_path: Path, data: bytes, where: str) -> None:
    with pytest.raises(ImportRefused, match="is not UTF-8") as caught:
        read(tmp_path / "t.yaml", data)
    assert where in str(caught.value)


def test_files_that_can_not_be_read_are_said(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(ImportRefused, match=path.name):
            list(read_file(path))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.text("-:[]{}&*!|>'\"#%@`,? \n\tabn01", max_size=60).map(str.encode))
def test_no_content_breaks_the_reader(tmp_path: Path, data: bytes) -> None:
    for suffix in ("yaml", "json", "jsonl", "txt"):
        path = tmp_path / f"any.{suffix}"
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            with contextlib.suppress(ImportRefused):
                read(path, data)
            continue
        if not is_utf8(data):
            with pytest.raises(ImportRefused, match=path.name):
                read(path, data)
            continue
        records = read(path, data)
        assert records
        assert all(record.location.startswith(f"{path}:") for record in records)


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def test_make_template_says_what_is_wrong() -> None:
    from library.errors import TemplateInvalid

    assert make_template({"name": "N", "description": "D", "steps": ["S"]}).name == "N"
    with pytest.raises(TemplateInvalid, match="name is empty"):
        make_template({"name": " ", "description": "D", "steps": [""]})
