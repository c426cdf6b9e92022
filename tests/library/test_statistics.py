"""What a library holds, and how runs count in its usage statistics."""

import sqlite3
from pathlib import Path

import pytest

from library.curation import remove
from library.errors import LibraryError, StoreUnavailable
from library.statistics import statistics
from library.store import Library
from library.template import Example
from library.usage import RunUsage, record_run
from tests.library.hashing_embedder import HashingEmbedder, template


def test_numbers_are_those_of_the_templates(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    library.add(template("Two", topic="sequences", scope="", tags=(), steps=("Do.",)), embedder=embedder, who="me")
    probe = Example(problem="p", answer="a", solution="s", role="probe")
    library.add(template("Three", field="geometry", examples=(probe,)), embedder=embedder, who="me")
    library.add(template("Draft", status="draft"), embedder=embedder, who="me")
    remove(library, ["three"], who="me")
    with library.reading() as reader:
        active, everything = statistics(reader), statistics(reader, None)
    assert (active.active, active.draft, active.retired, active.templates, everything.templates) == (2, 1, 1, 2, 4)
    assert active.fields == {"algebra": 2}
    assert everything.topics == {"algebra": {"polynomials": 2, "sequences": 1}, "geometry": {"polynomials": 1}}
    assert active.tags == {"algebra": 1, "roots": 1}
    assert active.steps == {"mean": 2.0, "least": 1, "most": 3, "templates": {"1": 1, "3": 1}}
    assert active.examples == {
        "total": 4, "index": 2, "probe": 2, "with_program": 2, "with_check": 2, "with_solution": 0
    }  # fmt: skip
    assert active.coverage == {
        "scope": 1, "tags": 1, "index_example": 2, "probe_example": 2, "program": 2, "check": 2
    }  # fmt: skip
    assert everything.examples["with_solution"] == 1
    assert everything.coverage["index_example"] == 3


def test_an_empty_library_has_numbers(library: Library) -> None:
    with library.reading() as reader:
        found = statistics(reader)
    assert (found.templates, found.fields, found.tags) == (0, {}, {})
    assert found.steps == {"mean": None, "least": None, "most": None, "templates": {}}
    assert found.usage == {"planned": 0, "retrieved": 0, "solved": 0, "never_retrieved": 0, "success": None}


def test_runs_add_up_and_are_no_change(library: Library, embedder: HashingEmbedder) -> None:
    for name in ("One", "Two", "Three"):
        library.add(template(name), embedder=embedder, who="me")
    counter, digest = library.change_counter(), library.digest()
    record_run(library.path, RunUsage(planned={"one"}, retrieved={"one", "two"}, solved={"two"}))
    record_run(library.path, RunUsage(planned={"one"}, retrieved={"one", "gone"}, solved=()))
    record_run(library.path, RunUsage())
    assert (library.change_counter(), library.digest()) == (counter, digest)
    with library.reading() as reader:
        found = statistics(reader).usage
    assert found == {"planned": 2, "retrieved": 3, "solved": 1, "never_retrieved": 1, "success": 0.3333}


def test_a_run_that_can_not_be_counted_is_said(library: Library, embedder: HashingEmbedder, tmp_path: Path) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    blocker = sqlite3.connect(library.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked by another process"):
        record_run(library.path, RunUsage(retrieved={"one"}))
    blocker.close()
    with pytest.raises(LibraryError, match="no library"):
        record_run(tmp_path / "none.db", RunUsage(retrieved={"one"}))
    with library.reading() as reader:
        assert statistics(reader).usage["retrieved"] == 0
