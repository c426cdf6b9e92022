"""The research library's nested JSON: every entry arrives with its tags, steps and examples, or is told by place."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library.exchange import ImportedRecord, ImportProblem, read_file
from library.research_library import answer_in


def entry(name: str, **changes: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "template_name": name,
        "template_type": "Solution method",
        "knowledge_tag": ["Substitution", "Radicals"],
        "description": "Turns a radical into a trigonometric function.",
        "application_scenario": ["Ranges of functions", "Integrals with a radical"],
        "reason_flow": ["1. Name the radical's bound.", "2. Substitute.", "3. Simplify."],
        "example_application": "Example: Find the range of f.\nSolution: Put x = sin t.\nThe answer is [-1, 1].",
    }
    return fields | changes


NESTED = {
    "Chapter 1: Functions": {"Section 1: Range": [entry("A"), entry("B")], "Section 2: Empty": []},
    "Chapter 2: Series": {"Sums": [entry("C", application_scenario="One scenario")], "Loose": entry("D")},
    "Chapter 3": [entry("E")],
}


def read(path: Path, document: Any) -> list[ImportedRecord | ImportProblem]:
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")
    return list(read_file(path))


def good(records: list[ImportedRecord | ImportProblem]) -> list[ImportedRecord]:
    return [record for record in records if isinstance(record, ImportedRecord)]


def test_every_entry_arrives_intact(tmp_path: Path) -> None:
    path = tmp_path / "library.json"
    records = good(read(path, NESTED))
    templates = [record.template for record in records]
    assert [template.name for template in templates] == ["A", "B", "C", "D", "E"]
    first = templates[0]
    assert first.tags == ("Substitution", "Radicals")
    assert first.steps == ("1. Name the radical's bound.", "2. Substitute.", "3. Simplify.")
    assert first.scope == "Ranges of functions\nIntegrals with a radical"
    assert (first.field, first.topic) == ("Chapter 1: Functions", "Section 1: Range")
    assert first.source == (
        "research library; chapter: Chapter 1: Functions; section: Section 1: Range; type: Solution method"
    )
    (shown,) = first.examples
    assert shown.problem == "Find the range of f."
    assert shown.solution == "Put x = sin t.\nThe answer is [-1, 1]."
    assert shown.answer == "[-1, 1]"
    assert templates[2].scope == "One scenario"
    assert (templates[4].field, templates[4].topic) == ("Chapter 3", "Solution method")
    lines = path.read_text(encoding="utf-8").splitlines()
    for record in records:
        line = int(record.location.rpartition(":")[2])
        assert any(f'"{record.template.name}"' in text for text in lines[line - 1 : line + 1])


def test_a_flat_list_and_json_lines_hold_entries_too(tmp_path: Path) -> None:
    assert [record.template.topic for record in good(read(tmp_path / "flat.json", [entry("A"), entry("B")]))] == [
        "general",
        "general",
    ]
    (tmp_path / "t.jsonl").write_text(json.dumps(entry("A")) + "\n", encoding="utf-8")
    (record,) = read_file(tmp_path / "t.jsonl")
    assert isinstance(record, ImportedRecord)
    assert record.template.field == "Solution method"


def test_a_name_that_stands_there_twice_is_kept_and_told(tmp_path: Path) -> None:
    document = {"C": {"S": [entry("A"), entry("a", description="Other"), entry("A")], "T": [entry("A")]}}
    path = tmp_path / "t.json"
    records = good(read(path, document))
    assert [record.template.name for record in records] == ["A", "a (S)", "A (S, 2)", "A (T)"]
    first = records[0].location
    for record in records[1:]:
        assert f"is the name of the entry at {first} too" in record.notes[0]
    assert [record.template for record in good(list(read_file(path)))] == [record.template for record in records]


EXAMPLES = [
    ("", []),
    ([], []),
    ("Problem 3: Add 1 and 2.\nAnswer: 3", [("Add 1 and 2.", "3", "3")]),
    ("Compute 1 + 2 to get 3.", [("Compute 1 + 2 to get 3.", "", "")]),
    ("Solution: all in one. #### 7", [("Solution: all in one. #### 7", "", "7")]),
    (r"Q Solution: so \boxed{\frac{1}{2}} holds.", [("Q", r"so \boxed{\frac{1}{2}} holds.", r"\frac{1}{2}")]),
    (
        {"problem": "P", "solution_steps": ["One.", "Two."], "final_answer": "5"},
        [("P", "One.\nTwo.", "5")],
    ),
    (
        {"Question": "P", "analysis": "Look.", "solution": "Then the answer is 5."},
        [("P", "analysis: Look.\nsolution: Then the answer is 5.", "5")],
    ),
    ({"input": "x", "output": "y"}, [("input: x\noutput: y", "", "")]),
    (["One. Solution: the answer is 1.", {"problem": "Two"}], [("One.", "the answer is 1.", "1"), ("Two", "", "")]),
]


@pytest.mark.parametrize(("given_example", "expected"), EXAMPLES)
def test_an_example_of_any_form_is_kept_whole(
    tmp_path: Path, given_example: Any, expected: list[tuple[str, str, str]]
) -> None:
    (record,) = good(read(tmp_path / "t.json", {"C": {"S": [entry("A", example_application=given_example)]}}))
    shown = [(example.problem, example.solution, example.answer) for example in record.template.examples]
    assert shown == expected
    missing = [note for note in record.notes if "has no answer" in note]
    assert len(missing) == sum(1 for _, _, answer in expected if not answer)


def test_tags_of_any_form_are_kept(tmp_path: Path) -> None:
    document = {"C": {"S": [entry("A", knowledge_tag="one, two、three"), entry("B", knowledge_tag=["x", "X", " y "])]}}
    first, second = good(read(tmp_path / "t.json", document))
    assert first.template.tags == ("one", "two", "three")
    assert second.template.tags == ("x", "y")
    assert 'the tag "X" is the same as "x"' in second.notes[0]


def test_what_can_not_be_an_entry_is_told_by_line(tmp_path: Path) -> None:
    bad = [
        entry("A", reason_flow=[]),
        entry("B", reason_flow=[[{"step": "nested"}]]),
        entry("C", application_scenario=None),
        {"description": "nameless"},
        "text",
        entry("D", level="hard"),
    ]
    document = {"C": {"S": bad, "T": "not a list"}, "U": None}
    path = tmp_path / "t.json"
    records = read(path, document)
    reasons = [f"{record.reason}" for record in records if isinstance(record, ImportProblem)]
    assert reasons[0] == "steps has 0 entries, fewer than 1"
    assert reasons[1] == "application_scenario must be a text or a list of texts"
    assert "name is missing" in reasons[2]
    assert reasons[3] == 'a template must be a mapping of fields, not the text "text"'
    assert reasons[4] == '"not a list" is neither a template nor a list of them'
    assert reasons[5] == "null is neither a template nor a list of them"
    kept = good(records)
    assert [record.template.name for record in kept] == ["B", "D"]
    assert kept[0].template.steps == ("step: nested",)
    assert "left out, no template has it: level" in kept[1].notes[0]
    places = [int(record.location.rpartition(":")[2]) for record in records]
    assert places == sorted(places)


def test_nesting_has_an_end(tmp_path: Path) -> None:
    document: Any = {"S": [entry("A")]}
    for _ in range(4):
        document = {"level": document}
    assert len(good(read(tmp_path / "t.json", document))) == 1
    document["bottom"] = json.loads('{"x":' * 30 + "1" + "}" * 30)
    records = read(tmp_path / "t.json", document)
    assert "nests deeper than 20 levels" in next(r.reason for r in records if isinstance(r, ImportProblem))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*entry("x"), "a"]), inner, max_size=4),
    max_leaves=15,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from([*entry("x")]), values, max_size=7))
def test_no_entry_breaks_the_reader(tmp_path: Path, changes: dict[str, Any]) -> None:
    records = read(tmp_path / "t.json", {"C": {"S": [entry("Good"), entry("X") | changes, "end"]}})
    assert good(records)[0].template.name == "Good"
    assert len(records) == 3


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (r"so \boxed{x^{2}} then \boxed{y}", "y"),
        (r"\boxed{never closed", ""),
        ("The answer is 42.", "42"),
        ("Hence $x$. Answer: $\\frac12$.", "\\frac12"),
        ("#### 1,000", "1,000"),
        ("nothing said", ""),
        ("the answer is " + "x" * 500, ""),
    ],
)
def test_an_answer_is_found_where_it_is_stated(text: str, answer: str) -> None:
    assert answer_in(text) == answer
