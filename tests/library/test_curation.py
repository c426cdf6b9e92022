"""Editing, removing and retagging: on the state as it is, in one change, and never two templates of one name."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library.amending import Amendment, amended
from library.changelog import differences, find_ids, list_changes, parts_of
from library.curation import edit, remove
from library.embedding import Embedder
from library.errors import ChangeConflict, LibraryError, NameConflict, TemplateInvalid, TemplateNotFound
from library.search import TemplateSearch
from library.store import Library
from library.tagging import merge_tags, rename_tag
from library.undo import undo
from tests.library.hashing_embedder import HashingEmbedder, template

EQUAL_NAMES = [
    ("Löwe", "LÖWE"),
    ("Löwe", "löwe"),
    ("\u00e9", "e\u0301"),
    ("Straße", "STRASSE"),
    (" Vieta", "Vieta "),
    ("Червоний", "ЧЕРВОНИЙ"),
]


def never() -> Embedder:
    raise AssertionError("no text is new, so that nothing is to be embedded")


def test_each_kind_of_change_is_read_back_by_a_fresh_library_and_found(
    library: Library, embedder: HashingEmbedder
) -> None:
    stored = library.add(template("Series", tags=("algebra",)), embedder=embedder, who="me")
    changes = [
        Amendment("append", "tags", "series"),
        Amendment("append", "steps", "Say what converges."),
        Amendment("set", "steps[2]", "Solve by telescoping."),
    ]
    moments = [stored.updated]
    for change in changes:
        edited = edit(
            library,
            "series",
            lambda current, change=change: amended(current, [change]),  # type: ignore[misc]
            embedder=lambda: embedder,
            who="you",
        )
        moments.append(edited.updated)
        with Library.open(library.path) as again:
            assert again.get("series") == edited
            hits = TemplateSearch(again, embedder).by_reference("no such name", edited.template.tags, 1)
            assert hits[0].slug == "series"
    final = library.get("series").template
    assert final.tags == ("algebra", "series")
    assert final.steps == ("Set up.", "Solve by telescoping.", "Check.", "Say what converges.")
    assert moments == sorted(set(moments))


@pytest.mark.parametrize(("first", "second"), EQUAL_NAMES)
def test_no_path_gives_two_templates_one_name(
    library: Library, embedder: HashingEmbedder, first: str, second: str
) -> None:
    library.add(template(first), embedder=embedder, who="me")
    other = library.add(template("Another"), embedder=embedder, who="me")
    with pytest.raises(NameConflict, match=first.strip()):
        edit(
            library,
            other.slug,
            lambda current: current.model_copy(update={"name": second}),
            embedder=lambda: embedder,
            who="me",
        )
    slug = library.get(first).slug
    remove(library, [slug], how="purge", who="me")
    library.add(template(second), embedder=embedder, who="you")
    with pytest.raises(ChangeConflict, match=r"belongs to another template by now, by change 4 \(add by you\)"):
        undo(library, 3, embedder=lambda: embedder, who="me")
    assert {stored.template.name for stored in library.list(status=None)} == {second.strip(), "Another"}


@pytest.mark.parametrize(
    ("old", "new"), [("Série", "série"), ("Série", "SÉRIE"), ("Stra\u00dfe", "STRASSE"), ("\u00e9", "e\u0301")]
)
def test_a_tag_gets_another_spelling_everywhere(
    library: Library, embedder: HashingEmbedder, old: str, new: str
) -> None:
    for name in ("One", "Two"):
        library.add(template(name, tags=("x", old)), embedder=embedder, who="me")
    done = rename_tag(library, new, new, embedder=lambda: embedder, who="me")
    assert list(done.slugs) == ["one", "two"]
    assert library.tags() == {new: 2, "x": 2}
    undo(library, embedder=lambda: embedder, who="me")
    assert library.tags() == {old: 2, "x": 2}
    assert library.get("one").template.tags == ("x", old)


def test_renaming_and_merging_tags_is_one_change_each(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One", tags=("a", "b", "z")), embedder=embedder, who="me")
    library.add(template("Two", tags=("b",), status="retired"), embedder=embedder, who="me")
    library.add(template("Three", tags=("z",)), embedder=embedder, who="me")
    before = library.list(status=None)

    def source() -> HashingEmbedder:
        return embedder

    assert rename_tag(library, "b", "c", embedder=never, who="me", dry_run=True).slugs == ["one", "two"]
    assert library.change_counter() == 3
    with pytest.raises(NameConflict, match="--merge"):
        rename_tag(library, "a", "B", embedder=source, who="me")
    with pytest.raises(LibraryError, match="did you mean"):
        rename_tag(library, "zz", "c", embedder=source, who="me")
    with pytest.raises(LibraryError, match="1 to 100 characters"):
        rename_tag(library, "a", "c" * 101, embedder=source, who="me")
    with pytest.raises(LibraryError, match="1 to 100 characters"):
        merge_tags(library, ["a"], " ", embedder=source, who="me")
    assert rename_tag(library, "b", "c", embedder=source, who="me").change == 4
    assert [stored.template.tags for stored in library.list(status=None)] == [("a", "c", "z"), ("z",), ("c",)]
    assert merge_tags(library, ["a", "c"], "z", embedder=source, who="me").change == 5
    assert [stored.template.tags for stored in library.list(status=None)] == [("z",), ("z",), ("z",)]
    assert merge_tags(library, ["z"], "z", embedder=never, who="me").change is None
    for number in (5, 4):
        undo(library, number, embedder=source, who="me")
    assert [stored.template for stored in library.list(status=None)] == [stored.template for stored in before]


def test_retiring_and_purging_several_is_one_change(library: Library, embedder: HashingEmbedder) -> None:
    for name in ("One", "Two", "Three"):
        library.add(template(name), embedder=embedder, who="me")
    with pytest.raises(TemplateNotFound, match="did you mean three"):
        remove(library, ["one", "thre"], who="me")
    assert remove(library, ["one"], who="me", dry_run=True).removed == ["one"]
    assert library.count() == 3
    removal = remove(library, ["one", "ONE", "Two"], who="me")
    assert (removal.change, removal.removed, removal.unchanged) == (4, ["one", "two"], [])
    again = remove(library, ["one", "three"], who="me")
    assert (again.removed, again.unchanged) == (["three"], ["one"])
    assert library.count(status="retired") == 3
    assert remove(library, ["one"], who="me").change is None
    assert remove(library, ["one", "two"], how="purge", who="me").removed == ["one", "two"]
    assert [stored.slug for stored in library.list(status=None)] == ["three"]


def test_two_edits_of_different_parts_both_stay(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")

    def outer(current):  # type: ignore[no-untyped-def]
        if "late" not in current.tags and library.change_counter() == 1:
            edit(
                library,
                "one",
                lambda inner: amended(inner, [Amendment("append", "tags", "late")]),
                embedder=lambda: embedder,
                who="you",
            )
        return amended(current, [Amendment("append", "steps", "More.")])

    edit(library, "one", outer, embedder=lambda: embedder, who="me")
    assert "late" in library.get("one").template.tags
    assert library.get("one").template.steps[-1] == "More."


AMENDED = [
    (("set", "name", "New name"), "name", "New name"),
    (("set", "tags", "[a, 'b c']"), "tags", ("a", "b c")),
    (("set", "steps[3]", "Last."), "steps", ("Set up.", "Solve.", "Last.")),
    (("remove", "steps[1]", ""), "steps", ("Solve.", "Check.")),
    (("remove", "tags", "ROOTS"), "tags", ("algebra",)),
    (("remove", "scope", ""), "scope", ""),
]


@pytest.mark.parametrize(("change", "part", "value"), AMENDED)
def test_parts_are_changed_by_their_paths(change: tuple[str, str, str], part: str, value: object) -> None:
    kind, path, given_value = change
    after = amended(template("T"), [Amendment(kind, path, given_value)])  # type: ignore[arg-type]
    assert getattr(after, part) == value


def test_examples_are_changed_by_their_paths() -> None:
    after = amended(
        template("T"),
        [
            Amendment("set", "examples[1].answer", "007"),
            Amendment("remove", "examples[1].program"),
            Amendment("append", "examples", '{problem: "1 + 1?", answer: no}'),
        ],
    )
    assert [example.answer for example in after.examples] == ["007", "007", "no"]
    assert after.examples[0].program is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("set", "nam", "x"), "there is no such part"),
        (("set", "steps[9]", "x"), "there are 3 steps"),
        (("set", "steps[0]", "x"), "there are 3 steps"),
        (("set", "steps[1].answer", "x"), "only an example has parts"),
        (("set", "name[1]", "x"), "a single text"),
        (("append", "name", "x"), "lists to append to"),
        (("append", "examples", "text"), "as a mapping"),
        (("append", "examples", "{problem: p}"), r"examples\[3\]\.answer is missing"),
        (("set", "tags", "[a"), "tags can't be set"),
        (("remove", "tags", "zzz"), "does not have the tag"),
        (("remove", "name", ""), "name is missing"),
        (("set", "status", "gone"), "status must be"),
        (("append", "tags", "roots"), "is the same tag"),
    ],
)
def test_what_can_not_be_changed_is_said(change: tuple[str, str, str], why: str) -> None:
    with pytest.raises(TemplateInvalid, match=why):
        amended(template("T"), [Amendment(*change)])  # type: ignore[arg-type]


def test_history_tells_each_change_with_its_differences(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    library.update("one", template("First", steps=("Set up.", "Check.")), embedder=embedder, who="you")
    library.add(template("Two"), embedder=embedder, who="me")
    with library.reading() as reader:
        assert [change.id for change in list_changes(reader)] == [3, 2, 1]
        ids = find_ids(reader, "First")
        newest = list_changes(reader, template_ids=ids, limit=1)[0]
        assert (newest.id, newest.who, newest.action, newest.templates) == (2, "you", "edit", 1)
        (part,) = parts_of(reader, newest)
        assert differences(part.before, part.after)[:2] == [("name", "One", "First"), ("description", *_described())]
        assert ("steps[2]", "Solve.", None) in differences(part.before, part.after)
        with pytest.raises(TemplateNotFound):
            find_ids(reader, "zzz")
    remove(library, ["one"], how="purge", who="me")
    with library.reading() as reader:
        assert len(list_changes(reader, template_ids=find_ids(reader, "one"))) == 3


def _described() -> tuple[str, str]:
    return "Describes One.", "Describes First."


items = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=5)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items, items)
def test_differences_tell_old_from_new(old: list[str], new: list[str]) -> None:
    found = differences({"steps": old}, {"steps": new})
    assert (found == []) == (old == new)
    gone = sorted(was for _, was, _ in found if was is not None)
    come = sorted(now for _, _, now in found if now is not None)
    kept = len(old) - len(gone)
    assert kept == len(new) - len(come)
    assert sorted(old) == sorted([*gone, *_kept(old, gone)])
    assert _kept(old, gone) == _kept(new, come)


def _kept(whole: list[str], without: list[str]) -> list[str]:
    rest = list(whole)
    for item in without:
        rest.remove(item)
    return sorted(rest)
