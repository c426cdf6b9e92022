"""Writing one run to a file of its own: all its events as JSONL, or a page to read as HTML."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reasonflux.runs import RunHeader
    from reasonflux.types import Event


def check_trace(trace: Path | None) -> None:
    """Refuse a trace file of an unknown kind before anything is run.

    Raises:
        UsageError: the suffix is neither .jsonl nor .html, the folder is missing, or the file is a folder.
    """
    from reasonflux.errors import UsageError

    if trace is None:
        return
    if trace.suffix.lower() not in (".jsonl", ".html"):
        raise UsageError(f"--trace {trace}: give a file that ends in .jsonl or .html.")
    if trace.is_dir():
        raise UsageError(f"--trace {trace} is a folder; give the name of a file to write.")
    if not trace.absolute().parent.is_dir():
        raise UsageError(f"--trace {trace}: there is no folder {trace.absolute().parent}.")


def write_trace(trace: Path, header: "RunHeader", events: "list[Event]") -> None:
    """Write a run to a JSONL or HTML file.

    Raises:
        ReasonFluxError: the file can't be written.
    """
    from reasonflux.errors import ReasonFluxError
    from reasonflux.runs import json_line
    from reasonflux.trace_html import trace_page

    if trace.suffix.lower() == ".html":
        data = trace_page(header, events).encode("utf-8", "replace")
    else:
        lines = [header.model_dump(mode="json"), *(event.model_dump(mode="json") for event in events)]
        data = b"".join(json_line(line) for line in lines)
    try:
        trace.write_bytes(data)
    except OSError as error:
        raise ReasonFluxError(f"--trace {trace} can't be written: {error}.") from error
