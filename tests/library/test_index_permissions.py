"""A library that the user may not read or not write; tried as another user, since root is refused nothing."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from library.search import TemplateSearch
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template

pytestmark = pytest.mark.skipif(
    not hasattr(os, "getuid") or os.getuid() != 0, reason="needs root to become another user"
)

NOBODY = 65534
NAMES = ("Löwe", "数列の和", "√2 irrational")

# The interpreter's own files may be closed to another user, so everything is imported, by use, before the change.
_AS_NOBODY = f"""
import logging, os, sys, tempfile
from pathlib import Path
from library.errors import LibraryError
from library.search import TemplateSearch
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template
logging.basicConfig(format="%(levelname)s %(message)s")
embedder = HashingEmbedder()
with tempfile.TemporaryDirectory() as scratch, Library.open(Path(scratch, "x.db"), create=True) as library:
    library.add(template("x"), embedder=embedder, who="me")
    TemplateSearch(library, embedder).search("x", status=None)
    TemplateSearch(library, embedder).search("x", status="draft")
os.setgid({NOBODY})
os.setuid({NOBODY})
try:
    with Library.open(Path(sys.argv[1])) as library:
        for _ in range(2):
            finder = TemplateSearch(library, embedder)
            print(finder.search("数列の和; algebra, roots", 1)[0].slug, len(library.list(status=None)))
            print(finder.search("Löwe; algebra, roots", 1)[0].slug, library.count())
        if len(sys.argv) > 2:
            library.add(template("new"), embedder=embedder, who="me")
except LibraryError as error:
    print(error)
"""


@pytest.fixture
def path(embedder: HashingEmbedder) -> Iterator[Path]:
    """A library with an index file in a folder that everybody may enter."""
    folder = Path(tempfile.mkdtemp(dir="/tmp")) / "ベクターストア"
    folder.mkdir()
    folder.parent.chmod(0o755)
    try:
        path = folder / "библиотека é.db"
        with Library.open(path, create=True) as library:
            library.add_many([template(name) for name in NAMES], embedder=embedder, who="me")
            TemplateSearch(library, embedder).search("x")
        yield path
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder.parent)


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def as_nobody(path: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", _AS_NOBODY, str(path), *arguments],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def names(path: Path) -> list[str]:
    return sorted(file.name for file in path.parent.iterdir())


FOUND = ["数列の和 3", "löwe 3", "数列の和 3", "löwe 3"]


@pytest.mark.parametrize("unreadable", ["index", "header", "database", "folder"])
def test_an_unreadable_file_is_an_error_that_names_it(path: Path, unreadable: str) -> None:
    victims = {"index": beside(path, ".faiss"), "header": beside(path, ".faiss.json"), "database": path}
    victim = victims.get(unreadable, path.parent)
    for file in (path.parent, *path.parent.iterdir()):
        os.chown(file, NOBODY, NOBODY)
    before, content = names(path), beside(path, ".faiss").read_bytes()
    victim.chmod(0)
    for _ in range(2):
        done = as_nobody(path)
        assert done.stderr == ""
        assert str(path if unreadable == "folder" else victim) in done.stdout
        assert len(done.stdout.splitlines()) == 1
    assert set(names(path)) - set(before) <= {beside(path, suffix).name for suffix in ("-shm", "-wal")}
    assert beside(path, ".faiss").read_bytes() == content


@pytest.mark.parametrize("closed", ["folder", "file", "both"])
def test_a_library_that_can_not_be_written_is_searched_and_listed(path: Path, closed: str) -> None:
    path.parent.chmod(0o777 if closed == "file" else 0o555)
    path.chmod(0o666 if closed == "folder" else 0o444)
    before = names(path)
    done = as_nobody(path)
    assert (done.stdout.splitlines(), done.stderr) == (FOUND, "")
    assert closed == "file" or names(path) == before
    refused = as_nobody(path, "write")
    assert refused.stdout.splitlines()[:4] == FOUND
    assert str(path) in refused.stdout.splitlines()[-1]
    assert "read-only" in refused.stdout.splitlines()[-1]


@pytest.mark.parametrize("state", ["missing", "cut", "older"])
def test_without_a_usable_index_file_a_closed_library_is_searched_all_the_same(
    path: Path, embedder: HashingEmbedder, state: str
) -> None:
    index = beside(path, ".faiss")
    if state == "missing":
        index.unlink()
    elif state == "cut":
        index.write_bytes(index.read_bytes()[:40])
    else:
        with Library.open(path) as library:
            library.purge("löwe", who="me")
            for number in range(70):
                library.add(template(f"T {number}", status="retired"), embedder=embedder, who="me")
            library.add(template("Löwe"), embedder=embedder, who="me")
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)
    before = names(path)
    done = as_nobody(path)
    found = ["数列の和 73", "löwe 3"] * 2 if state == "older" else FOUND
    assert done.stdout.splitlines() == found
    warnings = done.stderr.splitlines()
    assert all(line.startswith("WARNING The index file ") and str(index) in line for line in warnings)
    assert sum("searches go on without it" in line for line in warnings) == 2
    assert sum("is damaged" in line for line in warnings) == (2 if state == "cut" else 0)
    assert names(path) == before
    path.parent.chmod(0o755)


def test_a_library_of_another_user_with_an_open_log_is_read(path: Path, embedder: HashingEmbedder) -> None:
    path.parent.chmod(0o755)
    with Library.open(path) as library:
        library.add(template("Newest"), embedder=embedder, who="me")
        done = as_nobody(path)
        assert done.stdout.splitlines()[0] == "数列の和 4"


def test_a_cut_file_is_built_again_once_over_three_starts(path: Path) -> None:
    for file in (path.parent, *path.parent.iterdir()):
        os.chown(file, NOBODY, NOBODY)
    index = beside(path, ".faiss")
    whole = index.read_bytes()
    index.write_bytes(whole[:40])
    said = []
    for _ in range(3):
        done = as_nobody(path)
        assert done.stdout.splitlines() == FOUND
        said += done.stderr.splitlines()
    assert len(said) == 1
    assert str(index) in said[0]
    assert index.read_bytes() == whole
