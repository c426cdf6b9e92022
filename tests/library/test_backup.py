"""Backups: whole, of one committed state, and never in the way of what is there."""

import json
import sqlite3
import subprocess
from pathlib import Path

import pytest

from library.backup import back_up
from library.errors import LibraryError, StoreUnavailable
from library.reading import Reader
from library.store import Library
from library.template import Template
from tests.library.hashing_embedder import HashingEmbedder, template
from tests.library.test_processes import start

_WRITE = """
import sys
from pathlib import Path
from library.curation import remove
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template
embedder = HashingEmbedder()
with Library.open(Path(sys.argv[1])) as library:
    print("open", flush=True)
    for number in range(10_000):
        slug = library.add(template(f"{sys.argv[2]} {number}"), embedder=embedder, who="me").slug
        if number % 3 == 0:
            remove(library, [slug], how="purge", who="me")
"""


def replayed(reader: Reader) -> dict[int, Template]:
    """Return what the templates must be by the history alone."""
    state: dict[int, Template] = {}
    for key, after in reader.connection.exec_driver_sql("SELECT template_id, after FROM history ORDER BY id"):
        if after is None:
            del state[key]
        else:
            state[key] = Template.model_validate(json.loads(after))
    return state


def assert_equals_its_log(path: Path) -> None:
    with Library.open(path) as library, library.reading() as reader:
        assert {stored.id: stored.template for stored in library.list(status=None)} == replayed(reader)


def test_a_backup_during_writes_is_a_committed_state(tmp_path: Path) -> None:
    path = tmp_path / "busy.db"
    Library.create(path)
    writers: list[subprocess.Popen[str]] = [start(_WRITE, str(path), str(number)) for number in range(2)]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "open\n"
        counters = []
        with Library.open(path) as library:
            while library.change_counter() < 5:
                pass
            for number in range(5):
                target = tmp_path / f"copy {number}.db"
                least = library.change_counter()
                assert back_up(library, target) == target.stat().st_size
                assert_equals_its_log(target)
                with Library.open(target) as copy:
                    counters.append(copy.change_counter())
                assert least <= counters[-1] <= library.change_counter()
                while library.change_counter() <= counters[-1]:
                    pass
        assert counters == sorted(set(counters))
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()


def test_a_backup_is_a_library_and_leaves_nothing_else(
    library: Library, embedder: HashingEmbedder, tmp_path: Path
) -> None:
    library.add(template("One"), embedder=embedder, who="me")
    target = tmp_path / "new folder" / "copy.db"
    back_up(library, target)
    assert [file.name for file in target.parent.iterdir()] == ["copy.db"]
    with Library.open(target) as copy:
        assert copy.list() == library.list()
        copy.add(template("Two"), embedder=embedder, who="me")
    assert library.count() == 1


def test_what_is_there_is_not_overwritten(library: Library, embedder: HashingEmbedder, tmp_path: Path) -> None:
    target = tmp_path / "letter.txt"
    target.write_text("dear", encoding="utf-8")
    with pytest.raises(LibraryError, match="--force"):
        back_up(library, target)
    assert target.read_text(encoding="utf-8") == "dear"
    back_up(library, target, force=True)
    library.add(template("One"), embedder=embedder, who="me")
    back_up(library, target, force=True)
    with Library.open(target) as copy:
        assert copy.count() == 1
    for wrong, why in ((library.path, "the library itself"), (tmp_path, "is a folder")):
        with pytest.raises(LibraryError, match=why):
            back_up(library, wrong, force=True)
    assert sorted(file.name for file in tmp_path.glob("*.new*")) == []


def test_a_database_in_use_is_not_replaced(library: Library, embedder: HashingEmbedder, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with Library.open(other, create=True) as used:
        used.add(template("Mine"), embedder=embedder, who="me")
        with pytest.raises(LibraryError, match=r"other\.db-wal lies beside it"):
            back_up(library, other, force=True)
        assert used.count() == 1


def test_a_damaged_library_is_not_backed_up(library: Library, embedder: HashingEmbedder, tmp_path: Path) -> None:
    library.add_many([template(f"T{number}") for number in range(40)], embedder=embedder, who="me")
    library.close()
    raw = sqlite3.connect(library.path)
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    with library.path.open("r+b") as file:
        file.seek(library.path.stat().st_size // 2)
        file.write(b"\xa5" * 20_000)
    with pytest.raises(StoreUnavailable, match="damaged"):
        back_up(library, tmp_path / "copy.db")
    assert list(tmp_path.glob("copy*")) == []
