"""The index file is a cache: current, rebuilt from stored vectors when it is not, and never trusted when damaged."""

import json
import logging
from pathlib import Path

import pytest

from library.errors import StoreUnavailable
from library.search import TemplateSearch
from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder, template


@pytest.fixture
def filled(library: Library, embedder: HashingEmbedder) -> Library:
    new = [template(name) for name in ("Löwe", "数列の和", "√2 irrational", *(f"T {number}" for number in range(17)))]
    library.add_many(new, embedder=embedder, who="me")
    return library


def index_file(library: Library) -> Path:
    return library.path.with_name(library.path.name + ".faiss")


def find(library: Library, embedder: HashingEmbedder) -> list[str]:
    """Search as a new process would: nothing is in memory."""
    return [hit.slug for hit in TemplateSearch(library, embedder).search("数列の和; algebra, roots", 5)]


def test_a_current_file_is_loaded_and_nothing_embedded(filled: Library, embedder: HashingEmbedder) -> None:
    expected = find(filled, embedder)
    assert expected[0] == "数列の和"
    written = index_file(filled).stat().st_mtime_ns
    embedder.embedded = 0
    assert find(filled, embedder) == expected
    assert embedder.embedded == 1
    assert index_file(filled).stat().st_mtime_ns == written


def test_a_file_cut_anywhere_is_rebuilt_with_one_warning(
    filled: Library, embedder: HashingEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    expected = find(filled, embedder)
    whole = index_file(filled).read_bytes()
    for cut in [40, *(len(whole) * part // 100 for part in range(100))]:
        index_file(filled).write_bytes(whole[:cut])
        caplog.clear()
        embedder.embedded = 0
        for _ in range(3):
            assert find(filled, embedder) == expected
        assert embedder.embedded == 3
        assert [record.levelno for record in caplog.records] == [logging.WARNING]
        assert index_file(filled).name in caplog.text
        assert index_file(filled).read_bytes() == whole
    beside = sorted(file.name.removeprefix(filled.path.name) for file in filled.path.parent.iterdir())
    assert set(beside) <= {"", "-wal", "-shm", ".lock", ".faiss", ".faiss.json", ".faiss.lock"}


@pytest.mark.parametrize("header", [b"", b"[]", b"{", b"\xff", b'{"format": 1}'])
def test_a_broken_header_costs_nothing(filled: Library, embedder: HashingEmbedder, header: bytes) -> None:
    expected = find(filled, embedder)
    index_file(filled).with_name(index_file(filled).name + ".json").write_bytes(header)
    assert find(filled, embedder) == expected


def test_a_flipped_byte_is_noticed(
    filled: Library, embedder: HashingEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    expected = find(filled, embedder)
    data = bytearray(index_file(filled).read_bytes())
    data[len(data) // 2] ^= 1
    index_file(filled).write_bytes(data)
    assert find(filled, embedder) == expected
    assert "checksum" in caplog.text


def test_the_index_of_another_library_is_not_used(filled: Library, embedder: HashingEmbedder, tmp_path: Path) -> None:
    find(filled, embedder)
    with Library.open(tmp_path / "twin.db", create=True) as twin:
        twin.add_many([template(f"Other {number}") for number in range(20)], embedder=embedder, who="me")
        assert twin.change_counter() == filled.change_counter()
        for suffix in ("", ".json"):
            source = index_file(filled).with_name(index_file(filled).name + suffix)
            target = index_file(twin).with_name(index_file(twin).name + suffix)
            target.write_bytes(source.read_bytes())
        assert find(twin, embedder)[0].startswith("other-")


def test_the_header_says_what_the_index_holds(filled: Library, embedder: HashingEmbedder) -> None:
    find(filled, embedder)
    header = json.loads(index_file(filled).with_name(index_file(filled).name + ".json").read_text(encoding="utf-8"))
    assert header["counter"] == filled.change_counter()
    assert header["vectors"] == 60
    assert header["embedder"] == embedder.fingerprint
    assert header["bytes"] == index_file(filled).stat().st_size


def test_a_folder_in_the_index_files_place_is_an_error_that_names_it(
    filled: Library, embedder: HashingEmbedder
) -> None:
    find(filled, embedder)
    index_file(filled).unlink()
    index_file(filled).mkdir()
    with pytest.raises(StoreUnavailable, match=index_file(filled).name):
        find(filled, embedder)
