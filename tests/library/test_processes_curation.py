"""Several processes that add, edit, remove, retag and undo in one library, and processes killed in between."""

import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from library.curation import edit, remove
from library.errors import StoreUnavailable
from library.reading import Filter
from library.search import TemplateSearch
from library.store import Library
from library.undo import undo
from tests.library.hashing_embedder import HashingEmbedder, template
from tests.library.test_backup import assert_equals_its_log
from tests.library.test_processes import start

_MIX = """
import random, sys
from pathlib import Path
from library.amending import Amendment, amended
from library.curation import edit, remove
from library.errors import ChangeConflict, LibraryError, NameConflict, StoreUnavailable, TemplateNotFound
from library.search import TemplateSearch
from library.store import Library
from library.tagging import rename_tag
from library.undo import undo
from tests.library.hashing_embedder import HashingEmbedder, template
path, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
embedder, chance = HashingEmbedder(), random.Random(who)
source = lambda: embedder
with Library.open(path) as library:
    finder = TemplateSearch(library, embedder)
    for number in range(count):
        any_name = f"T {chance.randrange(30)}"
        act = chance.choice("add add append append retire purge tag undo use search list".split())
        try:
            if act == "add":
                library.add(template(any_name, tags=(f"tag {chance.randrange(5)}",)), embedder=embedder, who=who)
            elif act == "append":
                new = Amendment("append", "steps", f"{who} {number}")
                edit(library, any_name, lambda current: amended(current, [new]), embedder=source, who=who)
            elif act in ("retire", "purge"):
                remove(library, [any_name], how=act, who=who)
            elif act == "tag":
                old, new = (f"tag {chance.randrange(5)}" for _ in range(2))
                rename_tag(library, old, new, embedder=source, who=who)
            elif act == "undo":
                undo(library, chance.choice([None, max(1, library.change_counter() - 3)]), embedder=source, who=who)
            elif act == "use":
                library.count_usage(any_name, planned=1)
            elif act == "search":
                finder.search("Set up", 5, status=None)
            else:
                library.list(status=None)
        except StoreUnavailable:
            raise
        except LibraryError as refused:
            print(act, "refused", refused)
        else:
            print(act, "done", any_name)
"""

_REPEAT = """
import itertools, sys
from pathlib import Path
from library.amending import Amendment, amended
from library.curation import edit
from library.store import Library
from library.undo import undo
from tests.library.hashing_embedder import HashingEmbedder, template
embedder = HashingEmbedder()
source = lambda: embedder
with Library.open(Path(sys.argv[1])) as library:
    print("open", flush=True)
    for number in itertools.count():
        stored = library.add(template(f"{sys.argv[2]} {number}"), embedder=embedder, who="me")
        change = lambda current: amended(current, [Amendment("set", "scope", f"Set {number}.")])
        edit(library, stored.slug, change, embedder=source, who="me")
        undo(library, embedder=source, who="me")
"""


def assert_sound(path: Path) -> None:
    """The state is that of the log, every text has its vector and none is left over, and SQLite finds no fault."""
    assert_equals_its_log(path)
    raw = sqlite3.connect(path)
    try:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        texts = "SELECT DISTINCT text_hash FROM template_vectors"
        assert raw.execute(f"{texts} EXCEPT SELECT text_hash FROM vectors").fetchall() == []
        assert raw.execute(f"SELECT text_hash FROM vectors EXCEPT {texts}").fetchall() == []
        unused = "SELECT id FROM tags EXCEPT SELECT tag_id FROM template_tags"
        assert raw.execute(unused).fetchall() == []
        (without,) = raw.execute(
            "SELECT count(*) FROM changes WHERE id NOT IN (SELECT change_id FROM history)"
        ).fetchone()
        assert without == 0
    finally:
        raw.close()


def mix(path: Path, processes: int, count: int) -> None:
    Library.create(path)
    running = [start(_MIX, str(path), f"process {number}", str(count)) for number in range(processes)]
    used = 0
    for process in running:
        said, errors = process.communicate(timeout=1200)
        assert errors == ""
        assert process.returncode == 0
        lines = said.splitlines()
        assert len(lines) == count
        used += sum(line.startswith("use done") for line in lines)
    assert_sound(path)
    with Library.open(path) as library:
        assert library.change_counter() > processes
        with library.reading() as reader:
            names = {stored.template.name for stored in reader.load(reader.ids(Filter(status=None)))}
        assert len(names) == library.count(status=None)
        finder = TemplateSearch(library, HashingEmbedder())
        found = {hit.slug for hit in finder.search("Set up. Describes T", 1000, status=None)}
        assert found == {stored.slug for stored in library.list(status=None)}
        counted = sum(library_usage(path))
        assert counted <= used
    assert used > 0


def library_usage(path: Path) -> list[int]:
    raw = sqlite3.connect(path)
    planned = [int(row[0]) for row in raw.execute("SELECT planned FROM usage_statistics")]
    raw.close()
    return planned


def test_three_processes_of_mixed_operations_end_as_their_log_says(tmp_path: Path) -> None:
    mix(tmp_path / "mixed.db", 3, 25)


@pytest.mark.slow
def test_eight_processes_of_two_hundred_mixed_operations_end_as_their_log_says(tmp_path: Path) -> None:
    mix(tmp_path / "mixed.db", 8, 200)


def kill_again_and_again(path: Path, times: int, wait: float) -> None:
    Library.create(path)
    before = 0
    for number in range(times):
        process: subprocess.Popen[str] = start(_REPEAT, str(path), f"run {number}")
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        time.sleep(wait * (number % 7) / 7)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert_sound(path)
        with Library.open(path) as library:
            assert library.change_counter() >= before
            for stored in library.list(status=None):
                assert stored.template.scope in ("When it fits.", f"Set {stored.template.name.split()[-1]}.")
            library.add(template(f"after {number}"), embedder=HashingEmbedder(), who="me")
            before = library.change_counter()
    with Library.open(path) as library:
        assert {f"after {number}" for number in range(times)} <= {stored.template.name for stored in library.list()}


@pytest.mark.skipif(os.name != "posix", reason="kills a process with a signal")
def test_a_killed_change_is_whole_or_not_there(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "killed.db", 3, 0.5)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process with a signal")
def test_fifty_killed_changes_are_whole_or_not_there(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "killed.db", 50, 1.0)


def test_a_lasting_lock_is_one_clear_error_for_each_change(library: Library, embedder: HashingEmbedder) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    before = library.list(status=None)
    blocker = sqlite3.connect(library.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with Library.open(library.path, busy_seconds=0.02) as impatient:
        for act in (
            lambda: impatient.add_many([template("Two"), template("Three")], embedder=embedder, who="me"),
            lambda: edit(
                impatient,
                "one",
                lambda current: current.model_copy(update={"scope": "x"}),
                embedder=lambda: embedder,
                who="me",
            ),
            lambda: remove(impatient, ["one"], who="me"),
            lambda: remove(impatient, ["one"], how="purge", who="me"),
            lambda: undo(impatient, embedder=lambda: embedder, who="me"),
        ):
            with pytest.raises(StoreUnavailable, match="locked by another process"):
                act()
        assert impatient.list(status=None) == before
    blocker.close()
    assert library.change_counter() == 1


def test_a_reader_that_begins_to_write_later_is_not_refused(library: Library, embedder: HashingEmbedder) -> None:
    """A transaction that has read does not become a writing one: it would fail at once when another wrote between."""
    library.add(template("One"), embedder=embedder, who="me")
    with library.reading() as reader, Library.open(library.path) as other:
        assert reader.state().counter == 1
        other.add(template("Two"), embedder=embedder, who="you")
        library.add(template("Three"), embedder=embedder, who="me")
        assert reader.state().counter == 1
    assert library.count() == 3
