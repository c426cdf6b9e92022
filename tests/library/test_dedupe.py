"""Near-duplicates: the groups are those of comparing every pair, and a merge is one change that loses nothing."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from library import dedupe
from library.dedupe import near_duplicates
from library.errors import LibraryError, TemplateNotFound
from library.lint_collection import method_words
from library.merging import merge
from library.store import Library
from library.template import Example, Template
from library.texts import indexed_texts
from library.wording import shared_words
from tests.library.hashing_embedder import HashingEmbedder, template

WORDS = ("sum", "root", "angle", "prime", "area", "limit", "digit", "vector")


def made(name: str, words: tuple[str, ...]) -> Template:
    text = " ".join(words)
    return template(name, tags=(words[0],), description=text, scope="", steps=(text, "End."), examples=())


@dataclass(frozen=True)
class Crowd:
    """A library of many templates made of few words, and each pair's likeness computed from scratch."""

    library: Library
    names: list[str]
    pairs: dict[tuple[int, int], tuple[float, float]]

    def groups(self, vectors: float, words: float) -> set[frozenset[str]]:
        """Return the groups that comparing every pair gives, as sets of names."""
        groups = [{name} for name in self.names]
        for (one, other), (cosine, alike) in self.pairs.items():
            if cosine >= vectors and alike >= words:
                first = next(group for group in groups if self.names[one] in group)
                second = next(group for group in groups if self.names[other] in group)
                if first is not second:
                    groups.remove(second)
                    first |= second
        return {frozenset(group) for group in groups if len(group) > 1}


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    random = Random(7)
    bags = [tuple(random.choices(WORDS, k=random.randint(2, 6))) for _ in range(40)]
    templates = [made(f"{bag[-1]} {position}", bag) for position, bag in enumerate(bags)]
    embedder = HashingEmbedder()
    embedded = [embedder.embed([text.text for text in indexed_texts(one)[:2]]) for one in templates]
    words = [method_words(one) for one in templates]
    pairs = {
        (one, other): (float(np.mean(np.sum(embedded[one] * embedded[other], axis=1))), shared_words(first, second))
        for (one, first), (other, second) in itertools.combinations(enumerate(words), 2)
    }
    with Library.open(tmp_path_factory.mktemp("crowd") / "l.db", create=True) as library:
        library.add_many(templates, embedder=embedder, who="me")
        yield Crowd(library, [one.name for one in templates], pairs)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(vectors=st.floats(0.1, 1), words=st.floats(0, 1), first=st.integers(1, 30), chunk=st.integers(7, 50))
def test_groups_are_those_of_comparing_every_pair(
    crowd: Crowd, vectors: float, words: float, first: int, chunk: int
) -> None:
    assume(all(abs(cosine - vectors) > 1e-4 for cosine, _ in crowd.pairs.values()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dedupe, "_FIRST_NEIGHBOURS", first)
        patch.setattr(dedupe, "_CHUNK", chunk)
        found = near_duplicates(crowd.library, min_vectors=vectors, min_words=words)
    groups = {frozenset(stored.template.name for stored in group.members) for group in found}
    assert groups == crowd.groups(vectors, words)


def test_the_crowd_has_groups_at_the_usual_thresholds(crowd: Crowd) -> None:
    assert crowd.groups(dedupe.MIN_VECTORS, dedupe.MIN_WORDS)


@pytest.fixture
def twins(library: Library, embedder: HashingEmbedder) -> Library:
    library.add_many(
        [
            made("Halve a number", ("sum", "root", "prime")),
            made("Halve one number", ("sum", "root", "prime")),
            made("Turn a vector", ("vector", "angle", "limit")),
        ],
        embedder=embedder,
        who="me",
    )
    return library


def test_the_one_with_the_most_examples_is_kept(twins: Library, embedder: HashingEmbedder) -> None:
    (group,) = near_duplicates(twins)
    assert [stored.slug for stored in group.members] == ["halve-a-number", "halve-one-number"]
    assert group.pairs[0].words == 1
    twins.update(
        "halve-one-number",
        made("Halve one number", ("sum", "root", "prime")).model_copy(
            update={"examples": (Example(problem="What is half of 6?", answer="3"),)}
        ),
        embedder=embedder,
        who="me",
    )
    (group,) = near_duplicates(twins)
    assert group.members[0].slug == "halve-one-number"


def test_retired_templates_are_no_duplicates_and_drafts_are(twins: Library, embedder: HashingEmbedder) -> None:
    stored = twins.get("halve-one-number").template
    for status, groups in (("draft", 1), ("retired", 0)):
        changed = stored.model_copy(update={"status": status})
        twins.update("halve-one-number", changed, embedder=embedder, who="me")
        assert len(near_duplicates(twins)) == groups


def test_an_empty_library_has_no_duplicates(library: Library) -> None:
    assert near_duplicates(library) == []


def test_a_heap_of_copies_is_one_group(
    library: Library, embedder: HashingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dedupe, "_FIRST_NEIGHBOURS", 2)
    monkeypatch.setattr(dedupe, "_CHUNK", 7)
    copies = [made(f"sum {number}", ("sum", "root", "prime")) for number in range(40)]
    library.add_many(copies, embedder=embedder, who="me")
    seen: list[tuple[int, int]] = []
    (group,) = near_duplicates(library, min_vectors=0.4, progress=lambda done, total: seen.append((done, total)))
    assert len(group.members) == 40
    assert seen[-1] == (40, 40)


def with_examples(name: str, tags: tuple[str, ...], *examples: tuple[str, str]) -> Template:
    made_of = tuple(Example(problem=problem, answer=answer) for problem, answer in examples)
    return template(name, tags=tags, examples=made_of)


@pytest.fixture
def mergeable(library: Library, embedder: HashingEmbedder) -> Library:
    library.add_many(
        [
            with_examples("Keep", ("a", "b"), ("What is 1 + 1?", "2")),
            with_examples("Other", ("B", "c"), ("What  is 1 + 1?", "2"), ("What is 2 + 2?", "4")),
            with_examples("Third", ("d",), ("What is 2 + 2?", "4"), ("What is 3 + 3?", "6")),
        ],
        embedder=embedder,
        who="me",
    )
    return library


def test_a_merge_takes_over_and_retires_in_one_change(mergeable: Library, embedder: HashingEmbedder) -> None:
    merger = merge(mergeable, "Keep", ["other", "third", "other"], embedder=lambda: embedder, who="you")
    assert merger.kept == "keep"
    assert merger.retired == ["other", "third"]
    assert merger.tags == ["c", "d"]
    assert merger.examples == ["What is 2 + 2?", "What is 3 + 3?"]
    kept = mergeable.get("keep").template
    assert kept.tags == ("a", "b", "c", "d")
    assert [example.answer for example in kept.examples] == ["2", "4", "6"]
    assert [mergeable.get(slug).template.status for slug in ("keep", "other", "third")] == [
        "active", "retired", "retired",
    ]  # fmt: skip
    newest = mergeable.history(limit=3)
    assert len({entry.change for entry in newest}) == 1
    assert {(entry.slug, entry.who) for entry in newest} == {("keep", "you"), ("other", "you"), ("third", "you")}
    assert mergeable.history()[3].change != newest[0].change


def test_a_merge_done_again_changes_nothing(mergeable: Library, embedder: HashingEmbedder) -> None:
    merge(mergeable, "keep", ["other"], embedder=lambda: embedder, who="you")
    counter = mergeable.change_counter()
    again = merge(mergeable, "keep", ["other"], embedder=lambda: embedder, who="you")
    assert (again.change, again.retired, again.tags, again.examples) == (None, [], [], [])
    assert mergeable.change_counter() == counter


def test_a_dry_run_says_the_same_and_changes_nothing(mergeable: Library, embedder: HashingEmbedder) -> None:
    counter = mergeable.change_counter()
    dry = merge(mergeable, "keep", ["other"], embedder=lambda: embedder, who="you", dry_run=True)
    assert mergeable.change_counter() == counter
    real = merge(mergeable, "keep", ["other"], embedder=lambda: embedder, who="you")
    assert (dry.kept, dry.retired, dry.tags, dry.examples) == (real.kept, real.retired, real.tags, real.examples)


def test_a_merge_that_changes_no_text_asks_for_no_embedder(library: Library, embedder: HashingEmbedder) -> None:
    library.add_many([with_examples("Keep", ("a",)), with_examples("Other", ("a",))], embedder=embedder, who="me")

    def refuse() -> HashingEmbedder:
        raise AssertionError("no text is new")

    assert merge(library, "keep", ["other"], embedder=refuse, who="you").retired == ["other"]


def test_what_can_not_be_merged(mergeable: Library, embedder: HashingEmbedder) -> None:
    mergeable.add(with_examples("Wrong", ("a",), ("what is 1 + 1?", "3")), embedder=embedder, who="me")
    mergeable.add(with_examples("Gone", ("a",)).model_copy(update={"status": "retired"}), embedder=embedder, who="me")
    many = [with_examples(f"Many {n}", tuple(f"t{n}{k}" for k in range(30))) for n in (1, 2)]
    mergeable.add_many(many, embedder=embedder, who="me")
    counter = mergeable.change_counter()
    for keep, others, message in (
        ("keep", ["wrong"], r'disagree about the problem "what is 1 \+ 1\?"'),
        ("gone", ["keep"], "is retired"),
        ("keep", ["other", "Keep"], "name it once"),
        ("keep", [], "at least one other"),
        ("many-1", ["many-2"], "60 tags"),
    ):
        with pytest.raises(LibraryError, match=message):
            merge(mergeable, keep, others, embedder=lambda: embedder, who="you")
    with pytest.raises(TemplateNotFound):
        merge(mergeable, "keep", ["othr"], embedder=lambda: embedder, who="you")
    assert mergeable.change_counter() == counter
