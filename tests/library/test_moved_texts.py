"""A text that one change takes from a template and gives to another keeps its vector; and other faults of the store."""

import os
from pathlib import Path

import pytest

from library import exchange
from library.backup import back_up
from library.errors import LibraryError, StoreUnavailable
from library.store import Library
from library.template import Example
from library.undo import undo
from tests.library.hashing_embedder import HashingEmbedder, template

HALF = Example(problem="Half of 36?", answer="18")
TWICE = Example(problem="Twice 21?", answer="42")


def problems(library: Library, slug: str) -> list[str]:
    return [example.problem for example in library.get(slug).template.examples]


def test_examples_change_places_in_one_import(library: Library, embedder: HashingEmbedder) -> None:
    before = [template("Halve", examples=(HALF, TWICE)), template("Double", examples=())]
    library.add_many(before, embedder=embedder, who="me")
    after = [template("Halve", examples=(HALF,)), template("Double", examples=(TWICE,))]
    outcomes = library.add_many(after, embedder=embedder, who="me", update=True)
    assert [outcome.action for outcome in outcomes] == ["updated", "updated"]
    assert problems(library, "double") == ["Twice 21?"]


def test_an_import_that_moved_an_example_into_a_new_template_is_undone(
    library: Library, embedder: HashingEmbedder
) -> None:
    library.add(template("Halve", examples=(HALF, TWICE)), embedder=embedder, who="me")
    after = [template("Halve", examples=(HALF,)), template("Double", examples=(TWICE,))]
    library.add_many(after, embedder=embedder, who="me", update=True)
    undo(library, who="me", embedder=lambda: embedder)
    assert problems(library, "halve") == ["Half of 36?", "Twice 21?"]
    with library.reading() as reader:
        assert reader.find("double") is None


def test_vectors_that_nothing_uses_any_more_are_dropped(library: Library, embedder: HashingEmbedder) -> None:
    stored = library.add(template("Halve", examples=(HALF,)), embedder=embedder, who="me")
    changed = stored.template.model_copy(update={"examples": (TWICE,)})
    library.update("halve", changed, embedder=embedder, who="me")
    with library.reading() as reader:
        found = reader.connection.exec_driver_sql(
            "SELECT (SELECT count(*) FROM vectors), (SELECT count(DISTINCT text_hash) FROM template_vectors)"
        ).one()
    assert found[0] == found[1]


def test_a_refused_template_has_its_say_in_the_spelling_of_tags(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Halve", tags=("beta",)), embedder=embedder, who="me")
    new = [template("Halve", tags=("Alpha",)), template("Third", tags=("alpha",))]
    outcomes = library.add_many(new, embedder=embedder, who="me")
    assert [outcome.action for outcome in outcomes] == ["conflict", "added"]
    assert outcomes == library.preview(new)[:1] + list(outcomes[1:])
    assert library.get("third").template.tags == ("Alpha",)


def test_names_on_one_line_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    record = '{"name": "Same", "description": "Does it.", "steps": ["Do."]}'
    file.write_text(f"[{record}, {record}, 5]", encoding="utf-8")
    first, second, third = exchange.read_file(file, shown="one.json")
    assert isinstance(first, exchange.ImportedRecord)
    assert isinstance(second, exchange.ImportProblem)
    assert isinstance(third, exchange.ImportProblem)
    assert second.location == "one.json:1, record 2 of this line"
    assert "template at one.json:1 too" in second.reason
    assert third.location == "one.json:1, record 3 of this line"


def test_a_backup_replaces_files_alone_and_follows_links(
    library: Library, embedder: HashingEmbedder, tmp_path: Path
) -> None:
    library.add(template("Halve"), embedder=embedder, who="me")
    pipe, real, link = tmp_path / "pipe", tmp_path / "real.db", tmp_path / "link.db"
    os.mkfifo(pipe)
    with pytest.raises(LibraryError, match="no regular file"):
        back_up(library, pipe, force=True)
    assert pipe.is_fifo()
    real.write_text("old")
    link.symlink_to(real)
    back_up(library, link, force=True)
    assert link.is_symlink()
    with Library.open(real) as copy:
        assert copy.count(status=None) == 1


def test_what_another_file_raises_is_not_blamed_on_the_library(library: Library) -> None:
    with pytest.raises(BrokenPipeError), library.reading():
        raise BrokenPipeError
    with pytest.raises(StoreUnavailable, match="damaged"), library.reading():
        b"\xff".decode()
