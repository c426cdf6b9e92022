"""The benchmark of a large library, in a process of its own so that its memory can be told. Prints JSON.

Usage: python benchmarks/library_large.py DATABASE VECTORS.npy FINGERPRINT RUNS
"""

import itertools
import json
import statistics
import sys
from pathlib import Path


def peak() -> int:
    """Return the most memory this process ever held, in bytes; pages of a mapped file count."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("the system does not tell the peak of a process's memory")


EMPTY = peak()
sys.path[0] = str(Path(__file__).resolve().parent.parent)

import faiss  # noqa: E402
import numpy as np  # noqa: E402

from benchmarks.library_data import Clustered, zipf_texts  # noqa: E402
from benchmarks.measuring import in_turn, seconds  # noqa: E402
from library import index_rows  # noqa: E402
from library.fulltext import FullText, WordQuery  # noqa: E402
from library.index import Snapshot, TemplateIndex  # noqa: E402
from library.index_build import EXACT_LIMIT  # noqa: E402
from library.reading import Filter, Reader, StoredEmbedder  # noqa: E402
from library.store import Library  # noqa: E402
from library.texts import owner  # noqa: E402

QUERIES = 200
CALLS = 20
NEIGHBOURS = 10


def against_flat(found: Snapshot, reader: Reader, queries: "np.ndarray", runs: int) -> dict[str, object]:
    """Return the recall@10 against exact search, and the seconds of single searches of both kinds."""
    flat = faiss.IndexIDMap(faiss.IndexFlatIP(queries.shape[1]))
    for batch in index_rows.stream(reader, found.embedder):
        flat.add_with_ids(batch.matrix, batch.keys)
    recalls = []
    for query, keys in zip(queries, flat.search(queries, NEIGHBOURS)[1].tolist(), strict=True):
        exact = {owner(key)[0] for key in keys}
        recalls.append(len(exact & {owner for _, owner, _ in found.nearest(query, NEIGHBOURS)}) / len(exact))
    turn = itertools.cycle(queries)
    pairs = in_turn(
        lambda: found.nearest(next(turn), NEIGHBOURS),
        lambda: flat.search(next(turn).reshape(1, -1), NEIGHBOURS),
        runs,
        calls=CALLS,
    )
    return {"recall": statistics.mean(recalls), "search": pairs}


def against_all_words(reader: Reader, runs: int) -> list[tuple[float, float]]:
    """Return the seconds of finding and looking up a text's rarest words, and of looking up all its words."""
    words, every = FullText(reader.connection), Filter(status=None)
    texts = list(zipf_texts(np.random.default_rng(5), runs + 1, 30))
    asked = [words.query(text) for text in texts]
    rarest, all_words = iter(texts), iter([WordQuery(query.words, query.words, query.templates) for query in asked])
    return in_turn(
        lambda: words.rank(words.query(next(rarest)), NEIGHBOURS, every),
        lambda: words.rank(next(all_words), NEIGHBOURS, every),
        runs,
    )


def main() -> None:
    """Build, then compare with exact search, the full OR query, and the bare opening of the files."""
    path, vectors, fingerprint, runs = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    clustered = Clustered(np.load(vectors), fingerprint)
    embedder = StoredEmbedder(clustered.fingerprint, clustered.dimension)
    queries = clustered.near(np.random.default_rng(99), QUERIES)
    report: dict[str, object] = {}
    with Library.open(path) as library, library.reading() as reader:
        # The quick run has fewer vectors than an approximate index begins with.
        index = TemplateIndex(library, exact_limit=min(EXACT_LIMIT, index_rows.count_vectors(reader) // 2))
        report["build_seconds"] = seconds(lambda: index.current(reader, embedder))
        found = index.current(reader, embedder)
        report["approximation"] = found.packed.approximation and found.packed.approximation._asdict()
        for query in queries:
            found.nearest(query, NEIGHBOURS)
        report |= {"vectors": found.size, "bytes": found.size * embedder.dimension * 4, "memory": peak() - EMPTY}

        report |= against_flat(found, reader, queries, runs)
        report["words"] = against_all_words(reader, runs)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
