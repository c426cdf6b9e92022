"""Fixtures of the library's tests: an empty library and an embedder without a model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from library.store import Library
from tests.library.hashing_embedder import HashingEmbedder


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture
def library_file(tmp_path: Path) -> Path:
    return tmp_path / "ベクターストア" / "библиотека é.db"


@pytest.fixture
def library(library_file: Path) -> Iterator[Library]:
    with Library.open(library_file, create=True) as opened:
        yield opened
