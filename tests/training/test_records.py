"""Training rows: what a file may hold, how a bad line is named, and that other programs read our files."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonflux.errors import RecordError
from training.records import PreferenceRow, SftRow, Turn, read_rows, to_line, write_rows

LATEX = r"Find \(a_n\) of $\frac{1}{2}$, \boxed{x}" + "\n\ttab, naïve 数列 \u2028 end"


def preference(**values: Any) -> dict[str, Any]:
    row = {"prompt": "What is 2+2?", "chosen": "4", "rejected": "5"}
    return row | values


def write(path: Path, *rows: Any) -> Path:
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8"
    )
    return path


def sft_row(number: int = 0, **values: Any) -> SftRow:
    return SftRow(
        prompt=(Turn(role="system", content="s"), Turn(role="user", content=f"{LATEX} {number}")),
        completion=(Turn(role="assistant", content=LATEX),),
        **values,
    )


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    rows = [sft_row(1, source="a", kind="structure"), sft_row(2, hinted=True)]
    assert write_rows(tmp_path / "new" / "rows.jsonl", rows) == 2
    read = read_rows(tmp_path / "new" / "rows.jsonl", SftRow)
    assert [placed.row for placed in read] == rows
    assert read[1].where.endswith("rows.jsonl:2")
    assert read[0].row.prompt[1].content == f"{LATEX} 1"
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["rows.jsonl"]


def test_plain_text_is_read_as_a_conversation(tmp_path: Path) -> None:
    placed = read_rows(write(tmp_path / "p.jsonl", "", preference(extra=[1], id=7)), PreferenceRow)[0]
    assert placed.row.prompt == (Turn(role="user", content="What is 2+2?"),)
    assert placed.row.chosen == (Turn(role="assistant", content="4"),)
    assert placed.row.id == "7"
    assert placed.row.family == placed.row.problem_id != ""
    assert placed.where.endswith("p.jsonl:2")


def test_an_id_is_a_hash_of_what_the_row_says() -> None:
    assert sft_row(1).id == sft_row(1, source="elsewhere").id != sft_row(2).id
    assert sft_row(1).id.startswith("sha256:")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", "not JSON (column 1"),
        ("[1]", "not an object"),
        ('{"prompt": "x", "chosen": NaN, "rejected": "y"}', "NaN is no JSON value"),
        ({"prompt": "x", "chosen": "y"}, "no 'rejected'"),
        (preference(prompt=" "), "it is blank"),
        (preference(prompt=[]), "its 'prompt' can't be used"),
        (preference(chosen=""), "it is blank"),
        (preference(rejected=[]), "no 'rejected.0'"),
        (preference(rejected="4 "), "chosen and rejected are the same text"),
        (preference(chosen=[{"role": "user", "content": "4"}]), "by user, not by the assistant"),
        (preference(prompt=[{"role": "assistant", "content": "4"}]), "must be the user's"),
        (preference(prompt=[{"role": "tool", "content": "4"}]), "prompt.0.role"),
        (preference(reward_chosen=0.1, reward_rejected=0.5), "is below that of rejected"),
        (preference(decided=-1), "decided"),
    ],
)
def test_a_bad_line_is_named_by_file_and_number(tmp_path: Path, line: Any, said: str) -> None:
    path = write(tmp_path / "p.jsonl", preference(prompt="first"), line, preference(prompt="third"))
    with pytest.raises(RecordError) as caught:
        read_rows(path, PreferenceRow)
    assert f"{path}:2: " in str(caught.value)
    assert said in str(caught.value)


def test_bad_lines_are_all_counted_and_the_first_named(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jsonl", *["x"] * 8)
    with pytest.raises(RecordError, match=r":1: .*:5: .*and 3 more"):
        read_rows(path, PreferenceRow)


def test_bytes_that_are_no_utf8_are_named(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"prompt": "a", "chosen": "b", "rejected": "c"}\n{"prompt": "\xe9"}\n')
    with pytest.raises(RecordError, match=r"p\.jsonl:2: byte 12 "):
        read_rows(path, PreferenceRow)


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="that of line 1 too"):
        read_rows(write(tmp_path / "p.jsonl", preference(), preference()), PreferenceRow)
    with pytest.raises(RecordError, match="write each row once"):
        write_rows(tmp_path / "q.jsonl", [sft_row(), sft_row()])
    assert not (tmp_path / "q.jsonl").exists()


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="holds no row"):
        read_rows(write(tmp_path / "p.jsonl", "", " "), SftRow)
    with pytest.raises(RecordError, match="can't be read"):
        read_rows(tmp_path / "missing.jsonl", SftRow)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_any_text_survives_the_file(text: str) -> None:
    row = SftRow(prompt=(Turn(role="user", content=text),), completion=(Turn(role="assistant", content=text),))
    line = to_line(row)
    assert "\n" not in line
    assert SftRow.model_validate_json(line) == row


def test_datasets_and_trl_take_the_files_as_they_stand(tmp_path: Path) -> None:
    import datasets
    from trl.data_utils import is_conversational

    write_rows(tmp_path / "sft.jsonl", [sft_row(1), sft_row(2)])
    pair = PreferenceRow.model_validate(preference(prompt=LATEX, reward_chosen=1.0, reward_rejected=0.25, decided=3))
    write_rows(tmp_path / "pairs.jsonl", [pair])
    sft = datasets.load_dataset("json", data_files=str(tmp_path / "sft.jsonl"), cache_dir=str(tmp_path))["train"]
    pairs = datasets.load_dataset("json", data_files=str(tmp_path / "pairs.jsonl"), cache_dir=str(tmp_path))["train"]
    assert all(is_conversational(example) for example in [*sft, *pairs])
    assert sft[0]["prompt"][1]["content"] == f"{LATEX} 1"
    assert pairs[0]["prompt"][0]["content"] == LATEX
    assert pairs[0]["reward_rejected"] == 0.25
