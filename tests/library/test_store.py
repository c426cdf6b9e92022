"""Storing templates: identity of names, exact round trips, history, and a file that can't be used."""

import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library.errors import (
    EmbedderMismatch,
    LibraryError,
    NameConflict,
    SchemaTooNew,
    StoreUnavailable,
    TemplateInvalid,
    TemplateNotFound,
)
from library.store import Library
from library.template import Example, Template, name_key
from tests.library.hashing_embedder import HashingEmbedder, template


def test_template_comes_back_as_it_was(library: Library, embedder: HashingEmbedder) -> None:
    given_template = template("Complete the square", status="draft", source="a book", tags=("z", "a"))
    stored = library.add(given_template, embedder=embedder, who="me")
    assert stored.template == given_template
    assert library.get("complete-the-square") == library.get("  COMPLETE the  Square ") == stored
    assert stored.content_hash == given_template.content_hash
    assert stored.created == stored.updated


text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30).filter(
    lambda value: value.strip()
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.builds(
        Template,
        name=text,
        tags=st.lists(text, max_size=4, unique_by=lambda tag: tag.strip().casefold()).map(tuple),
        description=text,
        scope=st.just("") | text,
        steps=st.lists(text, min_size=1, max_size=4).map(tuple),
        examples=st.lists(
            st.builds(
                Example,
                problem=text,
                answer=text,
                grader=st.sampled_from(["math", "text"]),
                role=st.sampled_from(["index", "probe"]),
                program=st.none() | text,
                check=st.none() | text,
            ),
            max_size=3,
        ).map(tuple),
        field=text,
        topic=text,
        status=st.sampled_from(["draft", "active", "retired"]),
    )
)
def test_any_template_comes_back_as_it_was(tmp_path: Path, any_template: Template) -> None:
    path = tmp_path / "any.db"
    path.unlink(missing_ok=True)
    with Library.open(path, create=True) as library:
        if len({name_key(tag) for tag in any_template.tags}) < len(any_template.tags):
            with pytest.raises(TemplateInvalid, match="is the same tag as"):
                library.add(any_template, embedder=HashingEmbedder(), who="me")
            return
        stored = library.add(any_template, embedder=HashingEmbedder(), who="me")
        assert stored.template == any_template
        assert library.list(status=None) == [stored]
        assert library.get(stored.slug) == stored


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Löwe", "LÖWE"),
        ("Löwe", "löwe"),
        ("\u00e9", "e\u0301"),
        ("Straße", "STRASSE"),
        ("Vieta", " Vieta "),
        ("Two  words", "two words"),
        ("Червоний", "ЧЕРВОНИЙ"),
    ],
)
def test_equal_names_conflict_and_name_the_first(
    library: Library, embedder: HashingEmbedder, first: str, second: str
) -> None:
    library.add(template(first), embedder=embedder, who="me")
    with pytest.raises(NameConflict, match=first):
        library.add(template(second), embedder=embedder, who="me")
    other = library.add(template("Another"), embedder=embedder, who="me")
    with pytest.raises(NameConflict, match=first):
        library.update(other.slug, template(second), embedder=embedder, who="me")
    assert library.count() == 2
    assert library.get(second).template.name == first


def test_names_with_one_slug_are_numbered(library: Library, embedder: HashingEmbedder) -> None:
    slugs = [library.add(template(name), embedder=embedder, who="me").slug for name in ("C", "C++", "C#", "√2", "2!")]
    assert slugs == ["c", "c-2", "c-3", "2", "2-2"]
    assert library.get("C#").slug == "c-3"


def test_a_tag_has_one_spelling_in_a_library(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("First", tags=("Série",)), embedder=embedder, who="me")
    second = library.add(template("Second", tags=("série", "new")), embedder=embedder, who="me")
    assert second.template.tags == ("Série", "new")
    assert library.tags() == {"Série": 2, "new": 1}
    assert [stored.slug for stored in library.list(tag="SÉRIE")] == ["first", "second"]
    with pytest.raises(TemplateInvalid, match='"série" is the same tag as "Série"'):
        library.add(template("Third", tags=("Série", "série")), embedder=embedder, who="me")


@pytest.mark.parametrize(
    "changes",
    [
        {"description": "a\0b"},
        {"steps": ("Do.", "")},
        {"tags": ("",)},
        {"steps": ("x" * 5001,)},
        {"tags": ("t" * 101,)},
    ],
)
def test_what_breaks_a_rule_is_refused(library: Library, embedder: HashingEmbedder, changes: dict[str, object]) -> None:
    with pytest.raises(TemplateInvalid, match='"Broken" can\'t be stored'):
        library.add(template("Broken", **changes), embedder=embedder, who="me")
    assert library.count(status=None) == 0
    assert library.change_counter() == 0


def test_a_changed_list_is_read_back(library_file: Path, library: Library, embedder: HashingEmbedder) -> None:
    stored = library.add(template("Series", tags=("algebra",)), embedder=embedder, who="me")
    changed = stored.template.model_copy(
        update={"tags": ("algebra", "series"), "steps": ("Set up.", "Sum it.", "Check.", "Say so.")}
    )
    library.update(stored.slug, changed, embedder=embedder, who="you")
    with Library.open(library_file) as again:
        read = again.get(stored.slug)
        assert read.template == changed
        assert read.updated > read.created == stored.created
        newest, oldest = again.history(stored.slug)
        assert (newest.action, newest.who, oldest.action) == ("edit", "you", "add")
        assert newest.before == oldest.after == stored.template.model_dump(mode="json")
        assert newest.after == changed.model_dump(mode="json")


def test_purge_keeps_history_and_drops_the_rest(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Gone", tags=("only-here",)), embedder=embedder, who="me")
    library.count_usage("gone", planned=1)
    library.purge("gone", who="me")
    assert library.count(status=None) == 0
    assert library.tags(status=None) == {}
    assert [entry.action for entry in library.history("gone")] == ["purge", "add"]
    with sqlite3.connect(library.path) as raw:
        for name in ("steps", "examples", "vectors", "template_vectors", "usage_statistics", "tags"):
            assert raw.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,), name
    raw.close()


def test_an_id_is_never_used_again(library: Library, embedder: HashingEmbedder) -> None:
    first = library.add(template("First"), embedder=embedder, who="me")
    library.purge("first", who="me")
    assert library.add(template("Second"), embedder=embedder, who="me").id > first.id


def test_usage_counts_add_up_and_are_no_change(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Used"), embedder=embedder, who="me")
    before = library.change_counter()
    library.count_usage("used", planned=2, retrieved=1)
    library.count_usage("used", planned=1, solved=1)
    assert library.change_counter() == before
    with sqlite3.connect(library.path) as raw:
        assert raw.execute("SELECT planned, retrieved, solved FROM usage_statistics").fetchall() == [(3, 1, 1)]
    raw.close()


def test_digest_is_of_the_active_content(library: Library, embedder: HashingEmbedder) -> None:
    empty = library.digest()
    library.add(template("Draft", status="draft"), embedder=embedder, who="me")
    assert library.digest() == empty
    one = library.add(template("One"), embedder=embedder, who="me")
    with_one = library.digest()
    library.update(one.slug, template("One", author="someone else"), embedder=embedder, who="me")
    assert library.digest() == with_one != empty
    library.update(one.slug, template("One", scope="other"), embedder=embedder, who="me")
    assert library.digest() not in (with_one, empty)


def test_adding_many_says_what_came_of_each(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Same"), embedder=embedder, who="me")
    library.add(template("Other", status="retired"), embedder=embedder, who="me")
    batch = [template("Same"), template("OTHER", scope="new"), template("New"), template("new", scope="again")]
    assert [outcome.action for outcome in library.preview(batch)] == ["unchanged", "conflict", "added", "conflict"]
    outcomes = library.add_many(batch, embedder=embedder, who="me")
    assert [(outcome.action, outcome.slug) for outcome in outcomes] == [
        ("unchanged", "same"),
        ("conflict", "other"),
        ("added", "new"),
        ("conflict", "new"),
    ]
    embedder.embedded = 0
    outcomes = library.add_many(batch, embedder=embedder, who="me", update=True)
    assert [outcome.action for outcome in outcomes] == ["unchanged", "updated", "unchanged", "updated"]
    assert library.get("other").template == template("OTHER", scope="new", status="retired")
    counter = library.change_counter()
    library.add_many([template("Same")], embedder=embedder, who="me")
    assert library.change_counter() == counter


def test_not_found_lists_near_matches(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Complete the square"), embedder=embedder, who="me")
    with pytest.raises(TemplateNotFound, match="did you mean complete-the-square"):
        library.get("complete the squares")
    with pytest.raises(TemplateNotFound, match="library list"):
        library.get("\udcff")


def test_another_embedder_is_refused_until_reindexed(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    wider, same_size = HashingEmbedder(24, "wide"), HashingEmbedder(16, "other")
    for other in (wider, same_size):
        with pytest.raises(EmbedderMismatch, match="library reindex") as caught:
            library.add(template("Two"), embedder=other, who="me")
        for part in (embedder.fingerprint, other.fingerprint, f"({other.dimension} dimensions)", "(16 dimensions)"):
            assert part in str(caught.value)
    assert library.reindex(embedder=wider, who="me") == 3
    library.add(template("Two"), embedder=wider, who="me")
    with pytest.raises(EmbedderMismatch):
        library.add(template("Three"), embedder=embedder, who="me")
    assert library.count() == 2


def test_a_missing_library_is_said(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="library init"):
        Library.open(tmp_path / "none.db")
    assert list(tmp_path.glob("none*")) == []


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    empty, foreign, text_file = tmp_path / "empty.db", tmp_path / "foreign.db", tmp_path / "text.db"
    empty.touch()
    raw = sqlite3.connect(foreign)
    raw.execute("CREATE TABLE things (a)")
    raw.commit()
    raw.close()
    text_file.write_text("This is a letter, not a database, and it is long enough to be seen as one. " * 20)
    for path in (empty, foreign, text_file, tmp_path):
        with pytest.raises(StoreUnavailable, match=path.name):
            Library.open(path)
    assert empty.read_bytes() == b""


def test_a_newer_schema_is_refused(library: Library) -> None:
    library.close()
    raw = sqlite3.connect(library.path)
    raw.execute("INSERT INTO schema_migrations VALUES ('0999_future', '')")
    raw.commit()
    raw.close()
    with pytest.raises(SchemaTooNew, match="0999_future"):
        Library.open(library.path)


def test_a_damaged_database_is_one_clear_error(library: Library, embedder: HashingEmbedder) -> None:
    library.add_many([template(f"T{number}") for number in range(40)], embedder=embedder, who="me")
    library.close()
    size = library.path.stat().st_size
    with library.path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    with pytest.raises(StoreUnavailable, match="damaged"):
        Library.open(library.path).list(status=None)


def test_a_lasting_lock_is_one_clear_error(library_file: Path, library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    blocker = sqlite3.connect(library_file, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with Library.open(library_file, busy_seconds=0.05) as impatient:
        with pytest.raises(StoreUnavailable, match="locked by another process"):
            impatient.add(template("Two"), embedder=embedder, who="me")
        assert impatient.count() == 1
        blocker.execute("ROLLBACK")
        impatient.add(template("Two"), embedder=embedder, who="me")
    blocker.close()
    assert library.count() == 2


def test_creating_fails_whole(tmp_path: Path, embedder: HashingEmbedder) -> None:
    path = tmp_path / "new.db"

    def half(library: Library) -> None:
        library.add(template("One"), embedder=embedder, who="me")
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        Library.create(path, half)
    assert not path.exists()
    assert Library.create(path)
    assert not Library.create(path, half)
    with Library.open(path) as library:
        assert library.count(status=None) == 0
    assert sorted(file.name for file in tmp_path.glob("new.db*")) in (["new.db"], ["new.db", "new.db.lock"])
