"""The index file is a cache: current, rebuilt from stored vectors when it is not, and never trusted when damaged."""

import errno
import json
import logging
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import faiss
import numpy as np
import pytest

from library import index
from library import index_file as index_file_module
from library.errors import StoreUnavailable
from library.index_build import build
from library.index_packed import Packed
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


def test_a_stale_index_is_built_by_one_of_several_at_once(
    filled: Library, embedder: HashingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = []

    def slow(*arguments: Any, **options: Any) -> Packed:
        built.append(threading.get_ident())
        time.sleep(0.2)
        return build(*arguments, **options)

    monkeypatch.setattr(index, "build", slow)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: find(filled, embedder), range(4)))
    assert len(built) == 1
    assert [slugs[0] for slugs in found] == ["数列の和"] * 4


def test_what_a_killed_process_left_half_written_is_no_obstacle(filled: Library, embedder: HashingEmbedder) -> None:
    expected = find(filled, embedder)
    older = index_file(filled).read_bytes()
    filled.add_many([template(f"New {number}") for number in range(70)], embedder=embedder, who="me")
    for suffix in (".new", ".json.new"):
        index_file(filled).with_name(index_file(filled).name + suffix).write_bytes(b"half")
    assert find(filled, embedder)[0] == expected[0]
    newer = index_file(filled).read_bytes()
    assert list(filled.path.parent.glob("*.new")) == []
    index_file(filled).write_bytes(older)
    assert find(filled, embedder)[0] == expected[0]
    assert index_file(filled).read_bytes() == newer


def test_a_full_disk_is_said_once_and_searches_go_on(
    filled: Library, embedder: HashingEmbedder, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(index_file_module, "_write", full)
    finder = TemplateSearch(filled, embedder)
    for number in range(3):
        assert finder.search("数列の和; algebra, roots", 5)[0].slug == "数列の和"
        batch = [template(f"Batch {number} {place}") for place in range(70)]
        filled.add_many(batch, embedder=embedder, who="me")
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "No space left on device" in caplog.text
    assert not index_file(filled).exists()
    assert list(filled.path.parent.glob("*.new")) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_disk_that_fills_up_while_faiss_writes_is_an_error_of_the_file() -> None:
    flat = faiss.IndexFlatIP(4)
    flat.add(np.eye(4, dtype=np.float32))
    with open("/dev/full", "wb", buffering=0) as device, pytest.raises(OSError, match="No space left"):
        index_file_module._write(flat, device)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dimension", 8),
        ("vectors", 59),
        ("templates", "many"),
        ("bytes", None),
        ("counter", 1e400),
        ("approximation", {"lists": 4, "probes": 2, "recall": 1.0, "sample": 9}),
        ("approximation", {"lists": 4, "probes": 9, "recall": 1.0, "sample": 9}),
        ("approximation", [1]),
    ],
)
def test_a_header_that_was_changed_by_hand_is_not_believed(
    filled: Library, embedder: HashingEmbedder, key: str, value: object
) -> None:
    expected = find(filled, embedder)
    header = index_file(filled).with_name(index_file(filled).name + ".json")
    whole = header.read_text(encoding="utf-8")
    header.write_text(json.dumps(json.loads(whole) | {key: value}), encoding="utf-8")
    assert find(filled, embedder) == expected
    assert header.read_text(encoding="utf-8") == whole


def test_a_header_nested_without_end_is_damaged(
    filled: Library, embedder: HashingEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    expected = find(filled, embedder)
    index_file(filled).with_name(index_file(filled).name + ".json").write_text("[" * 200_000, encoding="utf-8")
    assert find(filled, embedder) == expected
    assert "damaged" in caplog.text
