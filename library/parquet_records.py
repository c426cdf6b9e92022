"""Templates as the rows of a Parquet table: text columns, lists of text, and a list of structs for the examples.

A small file can unfold into any amount of text, so values stay dictionary-coded and are measured before they become
Python objects.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from library.csv_records import column_fault
from library.formats import COLUMNS, KEPT_BY_THE_STORE, LIST_COLUMNS
from library.raw_records import RawProblem, RawRecord
from library.template import Example

MAX_UNFOLDED_BYTES = 256 * 2**20
MAX_ROWS = 5_000_000
_BATCH_ROWS = 200
_KNOWN = frozenset({*COLUMNS, *KEPT_BY_THE_STORE})
_EXAMPLE_PARTS = tuple(Example.model_fields)


def parquet_schema() -> Any:
    """Return the Arrow schema of a table of templates."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    examples = pa.list_(pa.struct([(part, text) for part in _EXAMPLE_PARTS]))
    kinds = {"tags": texts, "steps": texts, "examples": examples}
    return pa.schema([(column, kinds.get(column, text)) for column in COLUMNS])


def parse_parquet(path: Path) -> Iterator[RawRecord | RawProblem]:
    """Yield the records of a Parquet file; the line of a record is the number of its row, from 1.

    A file with columns that no template has, or of other types, is one problem at line 0, and nothing is read.

    Raises:
        OSError: the file can't be read.
    """
    import pyarrow as pa
    from pyarrow import parquet

    row = 0
    try:
        with parquet.ParquetFile(path) as file:
            leaves = [file.schema.column(number).path for number in range(len(file.schema.names))]
            fault = _fault(file.schema_arrow, file.metadata)
        if fault is not None:
            yield RawProblem(0, fault)
            return
        with parquet.ParquetFile(path, read_dictionary=leaves) as file:
            columns = [name for name in file.schema_arrow.names if name in COLUMNS]
            for batch in file.iter_batches(_BATCH_ROWS, columns=columns, use_threads=False):
                if sum(_text_bytes(column) for column in batch.columns) > MAX_UNFOLDED_BYTES:
                    yield RawProblem(row + 1, f"these rows unfold to more than {MAX_UNFOLDED_BYTES} bytes of text")
                    return
                for data in batch.to_pylist():
                    row += 1
                    yield RawRecord(_without_nulls(data), row)
    except (pa.ArrowException, OSError, ValueError, MemoryError) as error:
        # The library raises OSError for damaged content too, but only the system's own has a number.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        reason = (str(error) or type(error).__name__).splitlines()[0][:200]
        yield RawProblem(row, f"the Parquet file can't be read: {reason}; what follows was not read")


def write_parquet(target: Any, records: Iterator[Sequence[dict[str, Any]]]) -> None:
    """Write batches of templates' plain data to a path or a binary file."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = parquet_schema()
    with parquet.ParquetWriter(target, schema) as writer:
        for batch in records:
            writer.write_table(pa.Table.from_pylist(list(batch), schema=schema))


def _fault(schema: Any, metadata: Any) -> str | None:
    fault = column_fault(schema.names, _KNOWN)
    if fault is not None:
        return fault
    for name, kind in zip(schema.names, schema.types, strict=True):
        wanted = _misfit(name, kind)
        if name in COLUMNS and wanted is not None:
            return f'the column "{name}" holds {str(kind)[:60]}, not {wanted}'
    if metadata.num_rows > MAX_ROWS:
        return f"the table has {metadata.num_rows} rows, more than {MAX_ROWS}"
    for group in (metadata.row_group(number) for number in range(metadata.num_row_groups)):
        for column in (group.column(number) for number in range(group.num_columns)):
            if max(column.total_uncompressed_size, column.num_values) > MAX_UNFOLDED_BYTES:
                return (
                    f'the column "{column.path_in_schema[:60]}" unfolds to {column.total_uncompressed_size} bytes, '
                    f"more than the {MAX_UNFOLDED_BYTES} that are read at once; write smaller row groups"
                )
    return None


def _misfit(name: str, kind: Any) -> str | None:
    """Return what a column should hold where its type is another."""
    import pyarrow as pa

    if name not in LIST_COLUMNS:
        return None if _is_text(kind) else "text"
    inner = kind.value_type if pa.types.is_list(kind) or pa.types.is_large_list(kind) else None
    if name != "examples":
        return None if inner is not None and (_is_text(inner) or pa.types.is_null(inner)) else "lists of text"
    if inner is None or not (pa.types.is_struct(inner) or pa.types.is_null(inner)):
        return "lists of examples"
    if pa.types.is_struct(inner):
        for field in inner:
            if field.name not in _EXAMPLE_PARTS or not _is_text(field.type):
                return f"examples of {', '.join(_EXAMPLE_PARTS)}"
    return None


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind))


def _text_bytes(array: Any) -> int:
    """Return how many bytes the texts of an array have, each counted as often as it occurs."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = array.type
    if pa.types.is_dictionary(kind):
        lengths = pc.binary_length(array.dictionary)
        return int(pc.sum(pc.take(lengths, array.indices).cast(pa.int64())).as_py() or 0)
    if pa.types.is_struct(kind):
        return sum(_text_bytes(child) for child in array.flatten())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return 8 * len(array.flatten()) + _text_bytes(array.flatten())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return int(pc.sum(pc.binary_length(array).cast(pa.int64())).as_py() or 0)
    return 0


def _without_nulls(data: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in data.items() if value is not None}
    if "examples" in kept:
        kept["examples"] = [
            {key: value for key, value in example.items() if value is not None} if example is not None else None
            for example in kept["examples"]
        ]
    return kept
