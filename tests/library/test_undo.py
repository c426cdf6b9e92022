"""Undoing: everything comes back, nothing that came later is overwritten, and a random history equals a model."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from library.curation import edit, remove
from library.errors import ChangeConflict, LibraryError, NameConflict, TemplateNotFound
from library.search import TemplateSearch
from library.store import Library
from library.tagging import merge_tags, rename_tag
from library.template import Template
from library.undo import undo
from tests.library.hashing_embedder import HashingEmbedder, template
from tests.library.test_curation import never

NAMES = ("Alpha", "Beta", "Gamma")
TAGS = ("one", "two", "three")


def usage_of(library: Library) -> list[tuple[int, int, int]]:
    with sqlite3.connect(library.path) as raw:
        found = raw.execute("SELECT planned, retrieved, solved FROM usage_statistics").fetchall()
    raw.close()
    return found


def test_undoing_a_purge_brings_everything_back(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("C"), embedder=embedder, who="me")
    stored = library.add(template("C++", tags=("only-here",), status="draft"), embedder=embedder, who="me")
    library.count_usage("c-2", planned=3, retrieved=2, solved=1)
    remove(library, ["c-2"], how="purge", who="me")
    assert usage_of(library) == []
    undone = undo(library, embedder=lambda: embedder, who="you")
    assert (undone.undone.id, undone.change, undone.restored) == (3, 4, ["c-2"])
    back = library.get("c-2")
    assert (back.id, back.template, back.created) == (stored.id, stored.template, stored.created)
    assert back.updated > stored.updated
    assert usage_of(library) == [(3, 2, 1)]
    assert library.tags(status=None)["only-here"] == 1
    hit = TemplateSearch(library, embedder).by_reference("nothing", ("only-here",), 1, status=None)[0]
    assert hit.slug == "c-2"
    assert [entry.action for entry in library.history("c-2")] == ["undo", "purge", "add"]


def test_undoing_is_undone(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    library.update("one", template("Uno"), embedder=embedder, who="me")
    for expected in ("One", "Uno", "One"):
        undo(library, embedder=lambda: embedder, who="me")
        assert library.get("one").template.name == expected
    assert library.change_counter() == 5


def test_changes_are_undone_backwards_one_by_one(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    for scope in ("A", "B", "C"):
        library.update("one", template("One", scope=scope), embedder=embedder, who="me")
    for number, expected in ((4, "B"), (3, "A"), (2, "When it fits.")):
        undo(library, number, embedder=lambda: embedder, who="me")
        assert library.get("one").template.scope == expected
    undo(library, 1, embedder=never, who="me")
    assert library.count(status=None) == 0


def test_a_later_change_stands_in_the_way_and_is_named(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    library.add(template("Two"), embedder=embedder, who="me")
    library.update("one", template("One", scope="other"), embedder=embedder, who="you")
    with pytest.raises(ChangeConflict, match=r"one was changed later, by change 3 \(edit by you\); .* undo 3"):
        undo(library, 1, embedder=lambda: embedder, who="me")
    undo(library, 2, embedder=lambda: embedder, who="me")
    assert [stored.slug for stored in library.list()] == ["one"]


def test_a_slug_given_to_another_template_stands_in_the_way(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("C"), embedder=embedder, who="me")
    remove(library, ["c"], how="purge", who="me")
    library.add(template("C#"), embedder=embedder, who="me")
    with pytest.raises(ChangeConflict, match='the slug "c" belongs to another template'):
        undo(library, 2, embedder=lambda: embedder, who="me")


def test_what_can_not_be_undone_is_said(library: Library, embedder: HashingEmbedder) -> None:
    with pytest.raises(LibraryError, match="nothing to undo"):
        undo(library, embedder=never, who="me")
    library.add(template("One"), embedder=embedder, who="me")
    library.reindex(embedder=HashingEmbedder(8, "small"), who="me")
    with pytest.raises(LibraryError, match="touched no template"):
        undo(library, 2, embedder=never, who="me")
    for number in (3, 2**70):
        with pytest.raises(LibraryError, match="There is no change"):
            undo(library, number, embedder=never, who="me")
    assert undo(library, embedder=never, who="me", dry_run=True).removed == ["one"]
    assert library.count() == 1
    assert undo(library, embedder=never, who="me").undone.id == 1


def test_a_purge_before_a_change_of_embedder_is_undone_with_the_new_one(
    library: Library, embedder: HashingEmbedder
) -> None:
    library.add_many([template("One"), template("Two")], embedder=embedder, who="me")
    remove(library, ["one"], how="purge", who="me")
    other = HashingEmbedder(8, "small")
    library.reindex(embedder=other, who="me")
    undo(library, 2, embedder=lambda: other, who="me")
    assert TemplateSearch(library, other).search("Describes One.", 1)[0].slug == "one"


def test_a_batch_is_undone_as_one_and_again(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("Before", tags=("kept",)), embedder=embedder, who="me")
    library.add(template("T 3", scope="old"), embedder=embedder, who="me")
    for start in (0, 4, 8):
        batch = [template(f"T {number}") for number in range(start, start + 4)]
        library.add_many(batch, embedder=embedder, who="me", batch="b", update=True)
    everything = library.list(status=None)
    assert len(everything) == 13
    for number in (4, None, None):
        undone = undo(library, number, embedder=lambda: embedder, who="me")
        assert (undone.undone.first, undone.undone.id, len(undone.removed)) in ((3, 5, 11), (6, 6, 0), (7, 7, 11))
    assert {stored.slug for stored in library.list()} == {"before", "t-3"}
    assert library.get("t-3").template.scope == "old"
    undo(library, embedder=lambda: embedder, who="me")
    assert [s.template for s in library.list(status=None)] == [s.template for s in everything]
    assert [s.slug for s in library.list(status=None)] == [s.slug for s in everything]


class Curation(RuleBasedStateMachine):
    """The library beside a dict of slug → template and, for each change, the two states around it."""

    @initialize()
    def open(self) -> None:
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.embedder = HashingEmbedder(8)
        self.library = Library.open(Path(self.folder.name, "x.db"), create=True)
        self.state: dict[int, tuple[str, Template]] = {}
        self.log: list[tuple[dict[int, tuple[str, Template]], dict[int, tuple[str, Template]]]] = []

    def teardown(self) -> None:
        self.library.close()
        self.folder.cleanup()

    def source(self) -> HashingEmbedder:
        return self.embedder

    def attempt(self, act: Callable[[], object]) -> bool:
        """Do something and note what changed; a refusal must change nothing."""
        before, counter = dict(self.state), self.library.change_counter()
        try:
            act()
        except (NameConflict, TemplateNotFound, ChangeConflict, LibraryError):
            assert self.library.change_counter() == counter
            return False
        after = {stored.id: (stored.slug, stored.template) for stored in self.library.list(status=None)}
        moved = self.library.change_counter() - counter
        assert moved == (0 if after == before else 1)
        if moved:
            self.log.append((before, after))
        return True

    def slug_of(self, name: str) -> str | None:
        return next((slug for slug, held in self.state.values() if held.name.casefold() == name.casefold()), None)

    @rule(name=st.sampled_from(NAMES), tags=st.sets(st.sampled_from(TAGS)), loud=st.booleans())
    def add(self, name: str, tags: set[str], loud: bool) -> None:
        new = template(name.upper() if loud else name, tags=tuple(sorted(tags)), examples=())
        free = self.slug_of(name) is None
        assert self.attempt(lambda: self.library.add(new, embedder=self.embedder, who="me")) == free
        if free:
            (key,) = set(self.log[-1][1]) - set(self.state)
            assert self.log[-1][1][key][1] == self.respelled(new)
            self.state[key] = self.log[-1][1][key]

    @rule(old=st.sampled_from(NAMES), new=st.sampled_from(NAMES), scope=st.sampled_from(["", "here", "there"]))
    def edit(self, old: str, new: str, scope: str) -> None:
        holder, slug = self.slug_of(new), self.slug_of(old)
        changed = {"name": new, "scope": scope}
        worked = self.attempt(
            lambda: edit(
                self.library,
                old,
                lambda current: current.model_copy(update=changed),
                embedder=self.source,
                who="me",
            )
        )
        # A purged name may still be another one's slug, under which it is found as well.
        found = slug or next((held for held, _ in self.state.values() if held == old), None)
        assert worked == (found is not None and holder in (None, found))
        if worked:
            key = next(key for key, (held, _) in self.state.items() if held == found)
            self.state[key] = (found or "", self.state[key][1].model_copy(update=changed))

    @rule(name=st.sampled_from(NAMES), purge=st.booleans())
    def remove(self, name: str, purge: bool) -> None:
        slug = self.slug_of(name)
        if slug is None:
            return
        assert self.attempt(lambda: remove(self.library, [slug], how="purge" if purge else "retire", who="me"))
        key = next(key for key, (held, _) in self.state.items() if held == slug)
        if purge:
            del self.state[key]
        else:
            self.state[key] = (slug, self.state[key][1].model_copy(update={"status": "retired"}))

    @rule(old=st.sampled_from(TAGS), new=st.sampled_from((*TAGS, "ONE")), merging=st.booleans())
    def retag(self, old: str, new: str, merging: bool) -> None:
        known = {tag.casefold(): tag for _, held in self.state.values() for tag in held.tags}
        if merging:
            act = lambda: merge_tags(self.library, [old], new, embedder=self.source, who="me")  # noqa: E731
        else:
            act = lambda: rename_tag(self.library, old, new, embedder=self.source, who="me")  # noqa: E731
        allowed = old in known and (merging or new.casefold() not in known or old == new.casefold())
        assert self.attempt(act) == allowed
        if allowed:
            for key, (slug, held) in self.state.items():
                tags = dict.fromkeys(new if tag.casefold() in (old, new.casefold()) else tag for tag in held.tags)
                self.state[key] = (slug, held.model_copy(update={"tags": tuple(tags)}))

    @rule(back=st.integers(min_value=0, max_value=4))
    def undo(self, back: int) -> None:
        number = len(self.log) - back
        if number < 1:
            return
        before, after = self.log[number - 1]
        touched = {key for key in {*before, *after} if before.get(key) != after.get(key)}
        untouched = all(self.state.get(key) == after.get(key) for key in touched)
        result = {key: held for key, held in self.state.items() if key not in touched}
        result |= {key: before[key] for key in touched if key in before}
        names = [held.name.casefold() for _, held in result.values()]
        slugs = [slug for slug, _ in result.values()]
        free = len(set(names)) == len(names) and len(set(slugs)) == len(slugs)
        worked = self.attempt(lambda: undo(self.library, number, embedder=self.source, who="me"))
        assert worked == (untouched and free)
        if worked:
            self.state = {key: (slug, self.respelled(held)) for key, (slug, held) in result.items()}

    def respelled(self, held: Template) -> Template:
        """Return a template with the one spelling of each tag that the library has."""
        stored = {tag.casefold(): tag for tag in self.library.tags(status=None)}
        assert {tag.casefold() for tag in held.tags} <= stored.keys()
        return held.model_copy(update={"tags": tuple(stored[tag.casefold()] for tag in held.tags)})

    @invariant()
    def equals_the_model(self) -> None:
        if not hasattr(self, "library"):
            return
        stored = {item.id: (item.slug, item.template) for item in self.library.list(status=None)}
        assert stored == self.state
        tags: dict[str, int] = {}
        for _, held in self.state.values():
            for tag in held.tags:
                tags[tag] = tags.get(tag, 0) + 1
        assert self.library.tags(status=None) == tags
        with sqlite3.connect(self.library.path) as raw:
            (wanted,) = raw.execute("SELECT count(DISTINCT text_hash) FROM template_vectors").fetchone()
            assert raw.execute("SELECT count(*) FROM vectors").fetchone() == (wanted,)
        raw.close()


TestCuration = pytest.mark.filterwarnings("ignore::ResourceWarning")(Curation.TestCase)
Curation.TestCase.settings = settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
