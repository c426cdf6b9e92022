"""Merging a newer seed: what is new comes, what nobody edited follows, everything else stays."""

import secrets

import pytest

from library.curation import edit, remove
from library.seeding import Merged, merge
from library.store import Library
from library.template import Template
from library.undo import undo
from tests.library.hashing_embedder import HashingEmbedder, template
from tests.library.test_curation import never

OLD = [template(name, source="seed:maths") for name in ("Same", "Newer", "Edited", "Purged", "Dropped", "Retired")]
NEW = [
    template("Same", source="seed:maths"),
    template("Newer", scope="said better", source="seed:maths"),
    template("Edited", scope="said better", source="seed:maths"),
    template("Purged", scope="said better", source="seed:maths"),
    template("Retired", scope="said better", source="seed:maths"),
    template("Own", scope="not yours", source="seed:maths"),
    template("Fresh", source="seed:maths"),
]


@pytest.fixture
def seeded(library: Library, embedder: HashingEmbedder) -> Library:
    library.add_many(OLD, embedder=embedder, who="reasonflux", action="seed", batch=secrets.token_hex(4))
    edit(
        library,
        "edited",
        lambda current: current.model_copy(update={"scope": "mine"}),
        embedder=lambda: embedder,
        who="me",
    )
    remove(library, ["purged"], how="purge", who="me")
    remove(library, ["retired"], who="me")
    library.add(template("Own"), embedder=embedder, who="me")
    return library


def merged(library: Library, embedder: HashingEmbedder, seed: list[Template]) -> Merged:
    return merge(library, embedder=lambda: embedder, who="reasonflux", templates=seed)


def test_a_newer_seed_is_merged(seeded: Library, embedder: HashingEmbedder) -> None:
    before = seeded.list(status=None)
    preview = merge(seeded, embedder=never, who="me", templates=NEW, dry_run=True)
    assert (preview.change, seeded.list(status=None)) == (None, before)
    outcome = merged(seeded, embedder, NEW)
    assert outcome.added == preview.added == ["Fresh"]
    assert outcome.updated == ["Newer", "Retired"]
    assert outcome.unchanged == ["Same"]
    assert outcome.kept == ["Edited", "Own"]
    assert outcome.removed == ["Purged"]
    scopes = {stored.slug: stored.template.scope for stored in seeded.list(status=None)}
    assert scopes == {
        "same": "When it fits.", "newer": "said better", "edited": "mine", "dropped": "When it fits.",
        "retired": "said better", "own": "When it fits.", "fresh": "When it fits.",
    }  # fmt: skip
    assert seeded.get("retired").template.status == "retired"
    again = merge(seeded, embedder=never, who="me", templates=NEW)
    assert (again.change, again.added, again.updated) == (None, [], [])
    undo(seeded, embedder=lambda: embedder, who="me")
    assert [stored.template for stored in seeded.list(status=None)] == [stored.template for stored in before]
    assert merged(seeded, embedder, NEW).updated == ["Newer", "Retired"]


def test_a_third_seed_follows_the_second(seeded: Library, embedder: HashingEmbedder) -> None:
    merged(seeded, embedder, NEW)
    third = [template("Newer", scope="said best", source="seed:maths")]
    assert merged(seeded, embedder, third).updated == ["Newer"]
    assert seeded.get("newer").template.scope == "said best"


def test_a_renamed_seed_template_is_an_edited_one(seeded: Library, embedder: HashingEmbedder) -> None:
    edit(
        seeded, "same", lambda current: current.model_copy(update={"name": "Mine"}), embedder=lambda: embedder, who="me"
    )
    assert "Same" in merged(seeded, embedder, NEW).kept
    assert seeded.get("same").template.name == "Mine"


def test_an_empty_library_gets_all_of_it(library: Library, embedder: HashingEmbedder) -> None:
    assert len(merged(library, embedder, NEW).added) == len(NEW)
    assert library.change_counter() == 1
