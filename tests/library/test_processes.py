"""Several processes at one library, and processes that are killed."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from library.search import TemplateSearch
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template

ROOT = Path(__file__).parents[2]

_ADD = """
import sys
from pathlib import Path
from library.search import TemplateSearch
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template
path, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
embedder = HashingEmbedder()
with Library.open(path, create=True) as library:
    finder = TemplateSearch(library, embedder)
    for number in range(count):
        new = template(f"{who} {number}", tags=("shared", f"tag {number}"))
        stored = library.add(new, embedder=embedder, who=who)
        assert finder.by_reference(new.name, new.tags, 1)[0].slug == stored.slug
        library.count_usage(stored.slug, planned=1)
"""

_IMPORT = """
import sys
from pathlib import Path
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template
class Slow(HashingEmbedder):
    def embed(self, texts):
        print("embedding", flush=True)
        return super().embed(texts)
with Library.open(Path(sys.argv[1])) as library:
    for start in range(0, 400, 8):
        batch = [template(f"T {number}") for number in range(start, start + 8)]
        library.add_many(batch, embedder=Slow(), who="me")
        print("batch", flush=True)
"""

_CREATE = """
import sys
from pathlib import Path
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template
def fill(library):
    for number in range(10):
        library.add(template(f"T {number}"), embedder=HashingEmbedder(), who="me")
        print("added", flush=True)
    sys.stdin.read() if sys.argv[2] == "wait" else None
print(Library.create(Path(sys.argv[1]), fill))
"""


def start(script: str, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def assert_whole(path: Path) -> None:
    """Every template has its parts, its vectors and its history, and SQLite finds no fault."""
    with Library.open(path) as library:
        for stored in library.list(status=None):
            assert stored.template == template(stored.template.name, tags=stored.template.tags)
    raw = sqlite3.connect(path)
    assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
    (missing,) = raw.execute(
        "SELECT count(*) FROM template_vectors WHERE text_hash NOT IN (SELECT text_hash FROM vectors)"
    ).fetchone()
    assert missing == 0
    (without_history,) = raw.execute(
        "SELECT count(*) FROM templates WHERE id NOT IN (SELECT template_id FROM history)"
    ).fetchone()
    assert without_history == 0
    raw.close()


def test_four_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    processes = [start(_ADD, str(path), f"process {number}", "25") for number in range(4)]
    for process in processes:
        _, errors = process.communicate(timeout=300)
        assert errors == ""
        assert process.returncode == 0
    with Library.open(path) as library:
        names = {stored.template.name for stored in library.list()}
        assert names == {f"process {who} {number}" for who in range(4) for number in range(25)}
        assert library.tags()["shared"] == 100
        assert library.change_counter() == len(library.history()) == 100
        hits = TemplateSearch(library, HashingEmbedder()).search("process 3 7", 100)
        assert len({hit.slug for hit in hits}) == 100
    assert_whole(path)


@pytest.mark.skipif(os.name != "posix", reason="kills a process with a signal")
@pytest.mark.parametrize("lines", [1, 2, 5, 12, 23])
def test_a_killed_import_leaves_whole_templates_and_goes_on(
    library: Library, embedder: HashingEmbedder, lines: int
) -> None:
    process = start(_IMPORT, str(library.path))
    assert process.stdout is not None
    for _ in range(lines):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = library.count()
    assert done % 8 == 0
    assert done < 400
    assert_whole(library.path)
    batch = [template(f"T {number}") for number in range(400)]
    outcomes = library.add_many(batch, embedder=embedder, who="me")
    assert [outcome.action for outcome in outcomes] == ["unchanged"] * done + ["added"] * (400 - done)
    assert_whole(library.path)


@pytest.mark.skipif(os.name != "posix", reason="kills a process with a signal")
def test_a_killed_creation_is_done_anew(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    process = start(_CREATE, str(path), "wait")
    assert process.stdout is not None
    for _ in range(10):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not path.exists()
    second = start(_CREATE, str(path), "go")
    third = start(_CREATE, str(path), "go")
    ends = sorted(process.communicate(timeout=120)[0].splitlines()[-1] for process in (second, third))
    assert ends == ["False", "True"]
    with Library.open(path) as library:
        assert library.count() == 10
    assert_whole(path)
    assert [file.name for file in tmp_path.glob("*.new*")] == []
