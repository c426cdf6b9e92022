"""Packing all vectors of a state into a FAISS index, without ever holding them twice.

Up to `EXACT_LIMIT` vectors a search compares the query with each of them. Above, vectors are put into lists around
centres, and a search looks into the lists whose centres are nearest (IVF-Flat). How many it must look into is found
out when the index is built: recall@10 against exact search is measured on a sample and raised to `RECALL_WANTED`.
"""

import math
from typing import TYPE_CHECKING, Any

from library import index_rows
from library.index_packed import Approximation, Packed
from library.reading import Reader, StoredEmbedder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float32]

EXACT_LIMIT = 50_000
# A sample of 512 queries measures recall to about half a per cent; 0.98 is what must hold.
RECALL_WANTED = 0.99
_NEIGHBOURS = 10
_QUERIES = 512
_NOISE = 0.75
_TRAINED_ON = 50
_ROUNDS = 10
_ROUNDING = 1e-5
_SEED = 1234


def build(reader: Reader, embedder: StoredEmbedder, *, exact_limit: int = EXACT_LIMIT) -> Packed:
    """Return an index of all vectors that `reader` sees, exact up to `exact_limit` vectors.

    Raises:
        StoreUnavailable: a text has no vector, or one of the wrong length.
    """
    total, templates = index_rows.count_vectors(reader), index_rows.count_templates(reader)
    if total <= exact_limit:
        return Packed(_exact(reader, embedder, total), templates)
    index, approximation = _approximate(reader, embedder, total)
    return Packed(index, templates, approximation)


def _exact(reader: Reader, embedder: StoredEmbedder, total: int) -> Any:
    import faiss

    index = faiss.IndexIDMap(faiss.IndexFlatIP(embedder.dimension))
    for batch in index_rows.stream(reader, embedder):
        index.add_with_ids(batch.matrix, batch.keys)
    if index.ntotal != total:
        raise index_rows.without_vectors(total - index.ntotal)
    return index


def _approximate(reader: Reader, embedder: StoredEmbedder, total: int) -> tuple[Any, Approximation]:
    lists = 2 * math.isqrt(total)
    index, queries = _trained(index_rows.sample(reader, embedder, min(total, _TRAINED_ON * lists)), lists)
    assigned = _assign(index, reader, embedder, total)
    exact = _fill(index, reader, embedder, assigned, queries)
    probes, recall = _probes(index, queries, exact)
    index.nprobe = probes
    return index, Approximation(index.nlist, probes, round(recall, 4), len(queries))


def _trained(vectors: "Matrix", lists: int) -> tuple[Any, "Matrix"]:
    """Return an empty index with its centres, and queries to measure it by: stored vectors with noise."""
    import faiss
    import numpy as np

    dimension = vectors.shape[1]
    lists = min(lists, len(vectors))
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dimension), dimension, lists, faiss.METRIC_INNER_PRODUCT)
    index.cp.spherical = True
    index.cp.niter = _ROUNDS
    index.cp.seed = _SEED
    index.cp.min_points_per_centroid = 1
    index.train(vectors)
    chosen = vectors[:_QUERIES]
    noise = np.random.default_rng(_SEED).standard_normal(chosen.shape).astype(np.float32)
    queries = chosen + _NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
    return index, np.ascontiguousarray(queries / np.linalg.norm(queries, axis=1, keepdims=True))


def _assign(index: Any, reader: Reader, embedder: StoredEmbedder, total: int) -> "npt.NDArray[np.int32]":
    """Return the list that each vector belongs to, in the order of the stream."""
    import numpy as np

    assigned = np.empty(total, dtype=np.int32)
    seen = 0
    for batch in index_rows.stream(reader, embedder):
        _, lists = index.quantizer.search(batch.matrix, 1)
        assigned[seen : seen + len(lists)] = lists[:, 0]
        seen += len(lists)
    if seen != total:
        raise index_rows.without_vectors(total - seen)
    return assigned


def _fill(
    index: Any, reader: Reader, embedder: StoredEmbedder, assigned: "npt.NDArray[np.int32]", queries: "Matrix"
) -> "Matrix":
    """Put the vectors into their lists; return the scores of each query's nearest (len(queries), neighbours)."""
    import faiss
    import numpy as np

    # Every list gets exactly the room it needs: one that grows takes up to twice that.
    for number, count in enumerate(np.bincount(assigned, minlength=index.nlist).tolist()):
        index.invlists.resize(number, count)
    index.ntotal = len(assigned)
    filled = np.zeros(index.nlist, dtype=np.int64)
    best = np.full((len(queries), _NEIGHBOURS), -np.inf, dtype=np.float32)
    seen = 0
    for batch in index_rows.stream(reader, embedder):
        scores, _ = faiss.knn(queries, batch.matrix, min(_NEIGHBOURS, len(batch.keys)), faiss.METRIC_INNER_PRODUCT)
        best = -np.sort(-np.concatenate([best, scores], axis=1), axis=1)[:, :_NEIGHBOURS]
        lists = assigned[seen : seen + len(batch.keys)]
        seen += len(lists)
        order = np.argsort(lists, kind="stable")
        keys, matrix = batch.keys[order], batch.matrix[order]
        numbers, starts, counts = np.unique(lists[order], return_index=True, return_counts=True)
        for number, start, count in zip(numbers.tolist(), starts.tolist(), counts.tolist(), strict=True):
            rows = slice(start, start + count)
            index.invlists.update_entries(
                number,
                int(filled[number]),
                count,
                faiss.swig_ptr(keys[rows]),
                faiss.swig_ptr(matrix[rows].view(np.uint8)),
            )
            filled[number] += count
    return best


def _probes(index: Any, queries: "Matrix", exact: "Matrix") -> tuple[int, float]:
    """Return how many lists to look into, and the recall@10 that reaches.

    A vector found counts when it is as near as the tenth nearest, so that equals do not count as missed.
    """
    import faiss

    probes = 4
    while True:
        probes = min(probes, index.nlist)
        scores, _ = index.search(queries, _NEIGHBOURS, params=faiss.SearchParametersIVF(nprobe=probes))
        recall = float((scores >= exact[:, -1:] - _ROUNDING).mean())
        if recall >= RECALL_WANTED or probes == index.nlist:
            return probes, recall
        probes *= 2
