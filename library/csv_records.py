"""Templates as the rows of a CSV table: text in plain cells, lists as JSON in theirs.

Cells are never taken for numbers, dates or missing values: `007`, `NA` and `=1+1` are the text they are.
"""

import csv
import difflib
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from library.formats import COLUMNS, KEPT_BY_THE_STORE, LIST_COLUMNS, REQUIRED_COLUMNS
from library.raw_records import RawProblem, RawRecord, json_decoder

EXAMPLE_COLUMNS = ("problem", "answer", "solution")
"""Columns that may stand in a table made by hand, for one example a row."""
_DELIMITERS = ",;\t"
_KNOWN = frozenset({*COLUMNS, *EXAMPLE_COLUMNS, *KEPT_BY_THE_STORE})


def parse_csv(text: str) -> Iterator[RawRecord | RawProblem]:
    """Yield the records of a CSV table, each with the line its row begins on.

    Cells are separated by the comma, semicolon or tab that makes sense of the header; spreadsheets write all three.
    A header with unknown, doubled or missing columns is one problem, and nothing is read.
    """
    # The csv module's own limit would end the whole file at one large cell; the size of a file is bounded before.
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    skipped, delimiter, header = _header(text)
    if not any(header):
        return
    fault = column_fault(header, _KNOWN)
    if fault is not None:
        yield RawProblem(skipped + 1, fault)
        return
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for number, row in enumerate(rows):
            begin, line = line, rows.line_num + 1
            if number > skipped and any(row):
                yield _record(header, row, begin)
    except csv.Error as error:
        yield RawProblem(line, f"the CSV can't be read: {error}; what follows was not read")


def csv_row(data: dict[str, Any], *, header: bool = False) -> str:
    """Return a template's plain data as one line of CSV, or as two with the header before it."""
    rows: list[Sequence[str]] = [COLUMNS] if header else []
    if data:
        rows.append([_cell(column, data.get(column, "")) for column in COLUMNS])
    return "".join(_line(row) for row in rows)


def _line(row: Sequence[str]) -> str:
    out = io.StringIO(newline="")
    # A carriage return is quoted only where the line terminator holds one.
    csv.writer(out, lineterminator="\r\n").writerow(row)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _cell(column: str, value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if column in LIST_COLUMNS else str(value)


def _header(text: str) -> tuple[int, str, list[str]]:
    """Return the number of the header's row, the delimiter and the columns' names."""
    first, _, rest = text.partition("\n")
    told = first.strip('\r\n "')
    if told.lower().startswith("sep=") and len(told) == 5:
        return 1, told[4], _names(rest, told[4])
    found = [(delimiter, _names(text, delimiter)) for delimiter in _DELIMITERS]
    delimiter, names = max(found, key=lambda pair: len(_KNOWN.intersection(pair[1])))
    return 0, delimiter, names


def _names(text: str, delimiter: str) -> list[str]:
    row = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
    names = [name.strip().lower() for name in row]
    while names and not names[-1]:
        names.pop()
    return names


def column_fault(names: Sequence[str], known: frozenset[str]) -> str | None:
    """Return why a table with these columns is none of templates: the unknown, missing or doubled columns."""
    unknown = [name for name in names if name not in known]
    missing = [name for name in REQUIRED_COLUMNS if name not in names]
    if unknown:
        near = difflib.get_close_matches(unknown[0], missing or COLUMNS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"a table of templates has {', '.join(COLUMNS)}"
        return f"the table has columns that no template has: {_quoted(unknown)}; {hint}"
    if missing:
        return f"the table lacks the columns {_quoted(missing)}"
    doubled = sorted({name for name in names if names.count(name) > 1})
    return f"the column {_quoted(doubled)} stands there twice" if doubled else None


def _quoted(names: Sequence[str], most: int = 5) -> str:
    """Return a few names in quotes, shortened, with how many more there are."""
    shown = [f'"{name[:40]}"' for name in names[:most]]
    return ", ".join(shown) + (f" and {len(names) - most} more" if len(names) > most else "")


def _record(header: Sequence[str], row: Sequence[str], line: int) -> RawRecord | RawProblem:
    if any(row[len(header) :]):
        return RawProblem(line, f"the row has {len(row)} cells, the header {len(header)}")
    data: dict[str, Any] = {}
    for column, cell in zip(header, row, strict=False):
        if column not in LIST_COLUMNS:
            if cell or column not in ("status", "field", "topic"):
                data[column] = cell
            continue
        if cell.strip():
            try:
                data[column] = json_decoder().decode(cell.strip())
            except (ValueError, RecursionError):
                return RawProblem(
                    line, f'{column} must be a list in JSON, such as ["one", "two"], not the text "{cell[:40]}"'
                )
    example = {part: data.pop(part) for part in EXAMPLE_COLUMNS if part in data}
    if any(example.values()):
        data.setdefault("examples", []).append(example)
    return RawRecord(data, line)
