"""The library against the bare libraries below it, on the same work, in one run.

Usage: python benchmarks/library.py [PART ...] [--quick] [--weights DIR] [--work DIR] [--runs N]

Parts: search, import, store, open, large; all by default. `search`, `import` and `large` need the embedder's weights.
`--quick` takes a small part of the work and says nothing about the targets that are about size. `--work` keeps what
was made (the large library takes minutes to make) for the next run. The result is a table in Markdown; the exit code
is 1 where a target is missed.
"""

import argparse
import json
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# This file is called like the package that it measures.
sys.path[0] = str(ROOT)

import faiss  # noqa: E402
import numpy as np  # noqa: E402
from sentence_transformers import SentenceTransformer  # noqa: E402

from benchmarks.library_data import Clustered, make_large, real_vectors, templates, texts_of  # noqa: E402
from benchmarks.measuring import HEAD, Row, compared, in_turn, seconds  # noqa: E402
from library.embedding import SentenceTransformerEmbedder  # noqa: E402
from library.index import TemplateIndex  # noqa: E402
from library.reading import StoredEmbedder  # noqa: E402
from library.search import TemplateSearch  # noqa: E402
from library.store import Library  # noqa: E402

EMBEDDER = "all-minilm-l6-v2"
IMPORT_BATCH = 64
STORE_BATCH = 1000
PROBLEMS = (
    "Find the remainder when 7^100 is divided by 13.",
    "How many ways are there to seat six people around a round table?",
    "Solve x^2 - 5x + 6 = 0 over the integers and check both roots.",
    "A triangle has sides 13, 14 and 15; find the radius of its inscribed circle.",
    "Evaluate the sum of 1/(n(n+1)) for n from 1 to 99.",
)


class Bench:
    """One run: its options, the folder it works in, and the embedder."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.quick: bool = options.quick
        self.runs: int = options.runs
        self.folder = folder
        self.embedder = SentenceTransformerEmbedder(options.weights / EMBEDDER, name=EMBEDDER)

    def size(self, full: int, quick: int) -> int:
        """Return how much work there is."""
        return quick if self.quick else full

    def clustered(self) -> Clustered:
        """Return the embedder that needs no model, made of real embeddings, which are computed once."""
        file = self.folder / "real.npy"
        if not file.exists():
            np.save(file, real_vectors(self.embedder))
        return Clustered(np.load(file), self.embedder.fingerprint)

    def library(self, name: str, count: int) -> Path:
        """Return a library of so many templates with clustered vectors and an index file."""
        path = self.folder / f"{name}-{count}.db"
        clustered = self.clustered()
        if not path.exists():
            Library.create(path, lambda library: fill(library, count, clustered))
        with Library.open(path) as library, library.reading() as reader:
            TemplateIndex(library).current(reader, StoredEmbedder(clustered.fingerprint, clustered.dimension))
        return path


def fill(library: Library, count: int, clustered: Clustered) -> None:
    """Add templates in batches."""
    made = templates(count)
    for start in range(0, count, STORE_BATCH):
        library.add_many(made[start : start + STORE_BATCH], embedder=clustered, who="benchmark")


def search(bench: Bench) -> Iterator[Row]:
    """Search over 500 templates, against embedding the query and a flat FAISS search of the same vectors."""
    count = bench.size(500, 100)
    path = bench.library("search", count)
    embedder = bench.embedder
    with Library.open(path) as library:
        finder = TemplateSearch(library, embedder)
        with library.reading() as reader:
            keys, matrix = reader.vectors(StoredEmbedder(embedder.fingerprint, embedder.dimension))
        flat = faiss.IndexIDMap(faiss.IndexFlatIP(embedder.dimension))
        flat.add_with_ids(matrix, keys)
        model = SentenceTransformer(str(bench.options.weights / EMBEDDER), device="cpu", local_files_only=True)
        asked: dict[str, int] = {"ours": 0, "bare": 0}

        def problem(who: str) -> str:
            asked[who] += 1
            return PROBLEMS[asked[who] % len(PROBLEMS)]

        pairs = in_turn(
            lambda: finder.find(problem("ours"), 10),
            lambda: flat.search(
                model.encode([problem("bare")], normalize_embeddings=True, show_progress_bar=False), 10
            ),
            bench.runs,
            calls=20,
        )
    yield compared(f"search over {count} templates / embed + flat FAISS", pairs, 1.2)


def importing(bench: Bench) -> Iterator[Row]:
    """Import templates, against embedding their texts in one call."""
    count = bench.size(2000, 200)
    made = templates(count)
    texts = texts_of(made)
    bench.embedder.embed(texts[:64])
    pairs = []
    for run in range(bench.runs):
        with Library.open(bench.folder / f"import-{run}.db", create=True) as library:

            def add(library: Library = library) -> None:
                for start in range(0, count, IMPORT_BATCH):
                    library.add_many(made[start : start + IMPORT_BATCH], embedder=bench.embedder, who="benchmark")

            pairs.append((seconds(add), seconds(lambda: bench.embedder.embed(texts))))
        library.path.unlink()
    yield compared(f"speed of importing {count:,} templates / of embedding alone", pairs, 0.7, inverse=True, unit="s")


def store(bench: Bench) -> Iterator[Row]:
    """Store templates whose vectors are known, against inserting the same rows into the same tables."""
    count = bench.size(100_000, 2_000)
    clustered = bench.clustered()
    made = templates(count)
    vectors = dict(zip(texts_of(made), clustered.embed(texts_of(made)), strict=True))

    class Known(Clustered):
        def embed(self, texts: list[str]) -> np.ndarray:  # type: ignore[override]
            return np.array([vectors[text] for text in texts])

    known = Known(np.zeros((1, clustered.dimension), dtype=np.float32), clustered.fingerprint)
    pairs = []
    for run in range(bench.runs):
        path = bench.folder / f"store-{run}.db"
        with Library.open(path, create=True) as library:

            def add(library: Library = library) -> None:
                for start in range(0, count, STORE_BATCH):
                    library.add_many(made[start : start + STORE_BATCH], embedder=known, who="benchmark")

            ours = seconds(add)
        pairs.append((ours, insert_rows(path)))
        path.unlink()
    yield compared(f"speed of storing {count:,} templates / of bare inserts", pairs, 0.2, inverse=True, unit="s")


def insert_rows(source: Path) -> float:
    """Return how long sqlite3 takes to insert the rows of a library into a database of the same schema."""
    target = source.with_name("bare.db")
    with Library.open(target, create=True):
        pass
    read, write = sqlite3.connect(source), sqlite3.connect(target, isolation_level=None)
    tables = [
        str(row[0])
        for row in read.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            " AND name NOT LIKE 'template_text_%' AND name NOT IN ('schema_migrations', 'template_words')"
        )
    ]
    tables.sort(key=lambda name: (name not in ("changes", "templates", "tags"), name))
    taken = 0.0
    for table in tables:
        columns = "rowid, *" if table == "template_text" else "*"
        cursor = read.execute(f"SELECT {columns} FROM {table}")
        names = ", ".join(f'"{column[0]}"' for column in cursor.description)
        marks = ", ".join("?" * len(cursor.description))
        rows = cursor.fetchall()

        def insert(
            statement: str = f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", rows: list[tuple] = rows
        ) -> None:
            for start in range(0, len(rows), STORE_BATCH):
                write.execute("BEGIN IMMEDIATE")
                write.executemany(statement, rows[start : start + STORE_BATCH])
                write.execute("COMMIT")

        taken += seconds(insert)
    read.close()
    write.close()
    for suffix in ("", "-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)
    return taken


def open_row(name: str, path: Path, embedder: StoredEmbedder, runs: int, target: float | None) -> Row:
    """Open a library and its index, against opening the same two files."""

    def ours() -> None:
        with Library.open(path) as library, library.reading() as reader:
            assert TemplateIndex(library).from_file(reader, embedder) is not None

    def bare() -> None:
        sqlite3.connect(path).close()
        faiss.read_index(f"{path}.faiss")

    return compared(name, in_turn(ours, bare, runs, calls=3), target)


def opening(bench: Bench) -> Iterator[Row]:
    """Open a library of 500 templates, where the bare files take next to no time: no target, for the seconds alone."""
    count = bench.size(500, 100)
    path = bench.library("search", count)
    clustered = bench.clustered()
    embedder = StoredEmbedder(clustered.fingerprint, clustered.dimension)
    yield open_row(f"open {count} templates / connect + read_index", path, embedder, bench.runs, None)


def large(bench: Bench) -> Iterator[Row]:
    """Measure a library of a million templates in a process of its own."""
    count = bench.size(1_000_000, 5_000)
    clustered = bench.clustered()
    path = bench.folder / f"large-{count}.db"
    make_large(path, count, clustered)
    for suffix in (".faiss", ".faiss.json"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    script = [str(ROOT / "benchmarks" / "library_large.py"), str(path), str(bench.folder / "real.npy")]
    done = subprocess.run(
        [sys.executable, *script, clustered.fingerprint, str(bench.runs)], stdout=subprocess.PIPE, check=True
    )
    report = json.loads(done.stdout)
    print(f"Index of {count:,}: built in {report['build_seconds']:.0f} s, {report['approximation']}", file=sys.stderr)
    recall, memory = report["recall"], report["memory"] / report["bytes"]
    yield Row(f"recall@10 among {count:,} / exact", "", "", recall, recall, recall, 0.98, at_least=True)
    yield compared(f"speed among {count:,} / flat", report["search"], 5.0, inverse=True)
    sizes = (f"{report['memory'] / 1e9:.2f} GB", f"{report['bytes'] / 1e9:.2f} GB")
    yield Row(f"peak memory of build and search of {count:,} / vectors", *sizes, memory, memory, memory, 1.3)
    yield compared(f"words: the rarest 8 among {count:,} / all", report["words"], 0.1)
    embedder = StoredEmbedder(clustered.fingerprint, clustered.dimension)
    yield open_row(f"open {count:,} templates / connect + read_index", path, embedder, bench.runs, 3.0)


PARTS: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "search": search,
    "import": importing,
    "store": store,
    "open": opening,
    "large": large,
}


def options_of(arguments: list[str]) -> argparse.Namespace:
    """Return the options of a command line."""
    from platformdirs import user_cache_path

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--weights", type=Path, default=user_cache_path("reasonflux", appauthor=False) / "weights")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    return parser.parse_args(arguments)


def main() -> None:
    """Measure, print the table row by row, and exit with 1 when a target is missed."""
    options = options_of(sys.argv[1:])
    folder = options.work or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    try:
        bench = Bench(options, folder)
        print(HEAD, flush=True)
        for name in options.parts or PARTS:
            for row in PARTS[name](bench):
                rows.append(row)
                print(row, flush=True)
    finally:
        if options.work is None:
            shutil.rmtree(folder)
    spread = statistics.median((row.high - row.low) / row.ratio for row in rows)
    print(f"\nNoise: the ratios of one row differ by {spread:.0%} of their median, in the middle of all rows.")
    raise SystemExit(not all(row.is_met for row in rows))


if __name__ == "__main__":
    main()
