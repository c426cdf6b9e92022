"""What the library's benchmarks work on: templates with real texts, and clustered vectors made of real embeddings."""

import hashlib
import itertools
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from library.embedding import Embedder
from library.seeding import seed_templates
from library.store import Library
from library.template import Template
from library.texts import indexed_texts, to_bytes

NOISE = 0.6
VOCABULARY = 50_000
BATCH = 10_000


class Clustered:
    """Answers for stored texts with a real embedding plus noise, chosen by the text's hash, without a model."""

    def __init__(self, real: npt.NDArray[np.float32], fingerprint: str) -> None:
        self._real = real
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> str:
        """Identity of the embedding space."""
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._real.shape[1])

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return unit vectors of shape (len(texts), dimension)."""
        seeds = [int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") for text in texts]
        return self.near(np.random.default_rng(seeds), len(texts))

    def near(self, random: np.random.Generator, count: int) -> npt.NDArray[np.float32]:
        """Return `count` real embeddings with noise: the cosine between the two is about 0.86."""
        noise = random.standard_normal((count, self.dimension), dtype=np.float32)
        noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
        vectors = self._real[random.integers(len(self._real), size=count)] + noise
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def templates(count: int) -> list[Template]:
    """Return that many templates with the texts of the seed, each with a name of its own in every text."""
    made = []
    for number, template in enumerate(itertools.islice(itertools.cycle(list(seed_templates())), count)):
        examples = tuple(
            example.model_copy(update={"problem": f"{example.problem} ({number})"}) for example in template.examples
        )
        changed = {
            "name": f"{template.name} {number}",
            "description": f"{template.description} ({number})",
            "examples": examples,
        }
        made.append(template.model_copy(update=changed))
    return made


def texts_of(made: Sequence[Template]) -> list[str]:
    """Return every text that is embedded for some templates."""
    return [text.text for template in made for text in indexed_texts(template)]


def real_vectors(embedder: Embedder) -> npt.NDArray[np.float32]:
    """Return the embeddings of the seed's texts."""
    return np.asarray(embedder.embed(texts_of(list(seed_templates()))))


def make_large(path: Path, count: int, clustered: Clustered) -> None:
    """Make a library of `count` templates with one vector each, by SQL alone, their words spread by Zipf's law."""
    if path.exists():
        return
    building = path.with_suffix(".building")
    for suffix in ("", "-wal", "-shm"):
        building.with_name(building.name + suffix).unlink(missing_ok=True)
    Library.create(building)
    random = np.random.default_rng(7)
    with sqlite3.connect(building) as raw:
        raw.execute("PRAGMA synchronous = OFF")
        raw.executemany(
            "INSERT INTO meta (key, value) VALUES (?, ?)",
            [("embedder", clustered.fingerprint), ("dimension", str(clustered.dimension))],
        )
        raw.execute("INSERT INTO changes (token, at, who, action) VALUES ('made', '2025', 'benchmark', 'import')")
        for first in range(1, count + 1, BATCH):
            _insert(raw, range(first, min(first + BATCH, count + 1)), clustered, random)
    raw.close()
    building.rename(path)


def zipf_texts(random: np.random.Generator, count: int, words: int) -> Iterator[str]:
    """Yield texts of so many words each; of 50,000 words the n-th is met 1/n as often as the first."""
    ranks = np.exp(random.random((count, words)) * np.log(VOCABULARY)).astype(np.int64)
    for row in ranks.tolist():
        yield " ".join(f"w{rank}" for rank in row)


def _insert(raw: sqlite3.Connection, ids: range, clustered: Clustered, random: np.random.Generator) -> None:
    about = list(zipf_texts(random, len(ids), 25))
    raw.executemany(
        "INSERT INTO templates (id, slug, name, name_key, description, scope, field, topic, status, source, author,"
        " created, updated, content_hash)"
        " VALUES (?, ?, ?, ?, ?, '', 'algebra', '', 'active', '', '', '2025', '2025', ?)",
        ((key, f"t-{key}", f"T {key}", f"t {key}", text, str(key)) for key, text in zip(ids, about, strict=True)),
    )
    raw.executemany(
        "INSERT INTO history (change_id, template_id, slug, action) VALUES (1, ?, ?, 'import')",
        ((key, f"t-{key}") for key in ids),
    )
    raw.executemany(
        "INSERT INTO template_text (rowid, name, tags, description, scope, examples) VALUES (?, ?, '', ?, '', '')",
        ((key, f"t {key}", text) for key, text in zip(ids, about, strict=True)),
    )
    hashes = [hashlib.sha256(str(key).encode()).hexdigest() for key in ids]
    raw.executemany(
        "INSERT INTO vectors (text_hash, embedder, dim, data) VALUES (?, ?, ?, ?)",
        (
            (text_hash, clustered.fingerprint, clustered.dimension, to_bytes(vector))
            for text_hash, vector in zip(hashes, clustered.near(random, len(ids)), strict=True)
        ),
    )
    raw.executemany(
        "INSERT INTO template_vectors (template_id, kind, position, text_hash) VALUES (?, 'name', 0, ?)",
        zip(ids, hashes, strict=True),
    )
