"""What every command shares: options, output on the right stream, and exit codes.

Results go to stdout, everything else to stderr. Text that comes from a model, a problem or a library is written
character for character: nothing here interprets markup.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from library.errors import LibraryError
from reasonflux.errors import ReasonFluxError

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NO_ANSWER = 3
EXIT_INTERRUPTED = 130

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else on stdout.")]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show a traceback when something breaks.")]
HomeOption = Annotated[
    Path | None,
    typer.Option("--home", envvar="REASONFLUX_HOME", help="Folder of runs and settings.", show_default=False),
]
WeightsOption = Annotated[
    Path | None,
    typer.Option("--weights", envvar="REASONFLUX_WEIGHTS", help="Folder of model weights.", show_default=False),
]
LibraryOption = Annotated[
    str | None,
    typer.Option("--library", envvar="REASONFLUX_LIBRARY", help="Library name or path.", show_default="default"),
]


def write(text: str = "") -> None:
    """Write a line to stdout, replacing what the stream's encoding can't hold."""
    _write_line(sys.stdout, text)


def note(text: str = "") -> None:
    """Write a line to stderr, replacing what the stream's encoding can't hold."""
    _write_line(sys.stderr, text)


def write_json(document: Any) -> None:
    """Write one JSON document to stdout as UTF-8, whatever the locale; lone surrogates are escaped."""
    try:
        data = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        data = json.dumps(document, ensure_ascii=True, indent=2, allow_nan=False).encode("ascii")
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode("utf-8") + "\n")
    else:
        sys.stdout.flush()
        buffer.write(data + b"\n")
    sys.stdout.flush()


def fail(message: str, code: int = EXIT_FAILED) -> NoReturn:
    """End the command with one sentence on stderr.

    Raises:
        typer.Exit: always, with `code`.
    """
    note(f"Error: {message}")
    raise typer.Exit(code)


@contextmanager
def reporting(*, debug: bool = False) -> Iterator[None]:
    """Turn an error into one sentence and an exit code; a traceback only with `debug`."""
    try:
        yield
    except (ReasonFluxError, LibraryError) as error:
        if debug:
            raise
        fail(str(error), getattr(error, "exit_code", EXIT_FAILED))
    except KeyboardInterrupt:
        fail("Interrupted.", EXIT_INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        raise typer.Exit(EXIT_FAILED) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if debug or type(error).__module__.startswith(("click", "typer")):
            raise
        detail = str(error) or "no message"
        fail(f"Internal error, {type(error).__name__}: {detail}. Run again with --debug and report the traceback.")


# Terminal sequences (CSI, OSC and the other string kinds, single escapes), then lone control characters, then the
# direction marks that can make shown text differ from what it says.
_SEQUENCES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\n\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])?")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """Return `text` without terminal sequences and control characters; line ends and tabs stay.

    For text of a model, a problem or a library that is shown to a person; machine output keeps every character.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", _SEQUENCES.sub("", text))


def safe_streams() -> None:
    """Let both streams replace what their encoding can't hold, so that no output can end a command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _write_line(stream: Any, text: str) -> None:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    safe = text.encode(encoding, "replace").decode(encoding, "replace")
    stream.write(safe + "\n")
    stream.flush()


ProgressCallback = Callable[[int, int], None]
