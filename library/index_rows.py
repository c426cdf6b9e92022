"""The stored vectors as an index needs them: streamed in batches, sampled, and by what changed since a state."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from library.errors import StoreUnavailable
from library.reading import Reader, State, StoredEmbedder
from library.texts import Kind, key_of, owner

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BATCH = 4096
_CHUNK = 500


class VectorBatch(NamedTuple):
    """Some vectors of an index.

    `keys` (n,) says whose they are, see `texts.key_of`; `matrix` (n, dimension) holds unit vectors.
    """

    keys: "npt.NDArray[np.int64]"
    matrix: "npt.NDArray[np.float32]"


def count_templates(reader: Reader) -> int:
    """Return how many templates have vectors, of any status."""
    return int(reader.connection.exec_driver_sql("SELECT count(*) FROM templates").scalar_one())


def count_vectors(reader: Reader) -> int:
    """Return how many vectors an index of everything has."""
    return int(reader.connection.exec_driver_sql("SELECT count(*) FROM template_vectors").scalar_one())


def stream(reader: Reader, embedder: StoredEmbedder) -> Iterator[VectorBatch]:
    """Yield every indexed vector once, in batches of up to `BATCH`, in the order in which they were stored.

    Raises:
        StoreUnavailable: a stored vector has the wrong length.
    """
    # Vectors lie on disk in the order of their rows, so that one pass over them reads the file from front to back.
    query = (
        "SELECT t.template_id, t.kind, v.data FROM vectors AS v CROSS JOIN template_vectors AS t"
        " ON t.text_hash = v.text_hash WHERE v.embedder = ? ORDER BY v.rowid"
    )
    options = {"yield_per": BATCH}
    rows = reader.connection.exec_driver_sql(query, (embedder.fingerprint,), execution_options=options)
    for part in rows.partitions():
        yield _batch(part, embedder)


def of_templates(reader: Reader, embedder: StoredEmbedder, ids: Iterable[int]) -> Iterator[VectorBatch]:
    """Yield the vectors of some templates.

    Raises:
        StoreUnavailable: a stored vector has the wrong length, or a text of theirs has none.
    """
    wanted = sorted(ids)
    for start in range(0, len(wanted), _CHUNK):
        chunk = wanted[start : start + _CHUNK]
        query = (
            "SELECT t.template_id, t.kind, v.data FROM template_vectors AS t LEFT JOIN vectors AS v"
            " ON v.text_hash = t.text_hash AND v.embedder = ?"
            f" WHERE t.template_id IN ({', '.join('?' * len(chunk))})"
        )
        rows = reader.connection.exec_driver_sql(query, (embedder.fingerprint, *chunk)).all()
        missing = sum(row[2] is None for row in rows)
        if missing:
            raise without_vectors(missing)
        yield _batch(rows, embedder)


def by_kind(
    reader: Reader, embedder: StoredEmbedder, ids: Sequence[int]
) -> "dict[int, dict[Kind, npt.NDArray[np.float32]]]":
    """Return the first vector (dimension,) of each kind of some templates, by template id; {} for one without any."""
    found: dict[int, dict[Kind, npt.NDArray[np.float32]]] = {template_id: {} for template_id in ids}
    for start in range(0, len(ids), _CHUNK):
        keys, matrix = reader.vectors(embedder, ids[start : start + _CHUNK])
        for key, vector in zip(keys.tolist(), matrix, strict=True):
            template_id, kind = owner(key)
            found[template_id].setdefault(kind, vector)
    return found


def sample(reader: Reader, embedder: StoredEmbedder, count: int) -> "npt.NDArray[np.float32]":
    """Return up to `count` stored vectors, (n, dimension), chosen by the hash of their texts: as good as by chance.

    Raises:
        StoreUnavailable: a stored vector has the wrong length.
    """
    import numpy as np

    query = "SELECT data FROM vectors WHERE embedder = ? ORDER BY text_hash LIMIT ?"
    options = {"yield_per": BATCH}
    rows = reader.connection.exec_driver_sql(query, (embedder.fingerprint, count), execution_options=options)
    matrix = np.empty((count, embedder.dimension), dtype=np.float32)
    filled = 0
    for part in rows.partitions():
        matrix[filled : filled + len(part)] = _matrix([row[0] for row in part], embedder)
        filled += len(part)
    return matrix[:filled]


def changed_since(reader: Reader, since: State, limit: int) -> frozenset[int] | None:
    """Return the ids of the templates that changed after `since`.

    Returns:
        None where that can't be told (another history, or a change whose scope the history does not give) or where
        more than `limit` templates changed.
    """
    run = reader.connection.exec_driver_sql
    if not is_past(reader, since):
        return None
    unexplained = run(
        "SELECT 1 FROM changes WHERE id > ? AND NOT EXISTS"
        " (SELECT 1 FROM history WHERE history.change_id = changes.id) LIMIT 1",
        (since.counter,),
    )
    if unexplained.first() is not None:
        return None
    rows = run("SELECT DISTINCT template_id FROM history WHERE change_id > ? LIMIT ?", (since.counter, limit + 1)).all()
    return frozenset(int(row[0]) for row in rows) if len(rows) <= limit else None


def is_past(reader: Reader, state: State) -> bool:
    """Return whether `state` is one that this library was in, or is in now."""
    if state.counter == 0:
        return True
    query = "SELECT token FROM changes WHERE id = ?"
    return bool(reader.connection.exec_driver_sql(query, (state.counter,)).scalar() == state.token)


def without_vectors(count: int) -> StoreUnavailable:
    """Return the error of texts that have no vector, which only an unfinished repair or a foreign hand leaves."""
    return StoreUnavailable(
        f"{count} texts of the library have no vector; embed them with `reasonflux library reindex`."
    )


def _batch(rows: "Iterable[Any]", embedder: StoredEmbedder) -> VectorBatch:
    import numpy as np

    listed = list(rows)
    keys = np.array([key_of(template_id, kind) for template_id, kind, _ in listed], dtype=np.int64)
    return VectorBatch(keys, _matrix([data for _, _, data in listed], embedder))


def _matrix(blobs: list[bytes], embedder: StoredEmbedder) -> "npt.NDArray[np.float32]":
    import numpy as np

    wrong = sum(len(blob) != 4 * embedder.dimension for blob in blobs)
    if wrong:
        raise StoreUnavailable(
            f"{wrong} stored vectors do not have the {embedder.dimension} dimensions of {embedder.fingerprint}: "
            "the library was changed by other software; restore a backup."
        )
    return np.frombuffer(b"".join(blobs), dtype="<f4").reshape(-1, embedder.dimension).astype(np.float32, copy=False)
