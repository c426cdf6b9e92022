"""What every command shares: options, output on the right stream, and exit codes.

Results go to stdout, everything else to stderr. Text that comes from a model, a problem or a library is written
character for character: nothing here interprets markup.
"""

import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO

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


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        write(f"reasonflux {version('reasonflux')}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version and end.")
]
LibraryOption = Annotated[
    str | None,
    typer.Option("--library", envvar="REASONFLUX_LIBRARY", help="Library name or path.", show_default="default"),
]


def is_terminal() -> bool:
    """Return whether a person sits in front: both stdin and stdout are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def examples(*lines: str) -> str:
    """Return the epilog of a command's help: command lines to copy, each on its own line."""
    # The backspace is the help formatter's sign for a paragraph that is not to be wrapped.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def write(text: str = "") -> None:
    """Write a line to stdout, replacing what the stream's encoding can't hold."""
    _write_line(sys.stdout, text)


def note(text: str = "") -> None:
    """Write a line to stderr, replacing what the stream's encoding can't hold.

    Where stderr takes no more (a full disk, a reader that went), the command goes on: there is nowhere to say so.
    """
    try:
        _write_line(sys.stderr, text)
    except OSError:
        sys.stderr = _nowhere()


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
    note(f"Error: {clean(message)}")
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
    except OSError as error:
        if debug:
            raise
        fail(_refusal(error))
    except Exception as error:
        if debug or type(error).__module__.startswith(("click", "typer")):
            raise
        detail = str(error) or "no message"
        fail(f"Internal error, {type(error).__name__}: {detail}. Run again with --debug and report the traceback.")


def _refusal(error: OSError) -> str:
    what = f"{error.filename} can't be used" if error.filename else "The output can't be written"
    return f"{what}: {error.strerror or error}."


def start(app: Callable[[], None]) -> None:
    """Run a command line with streams that hold, signals that end it in order, and no traceback of the system's."""
    safe_streams()
    end_on_signals()
    try:
        app()
    except OSError as error:
        note(f"Error: {_refusal(error)}")
        sys.exit(EXIT_FAILED)


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
    """Let both streams replace what their encoding can't hold, so that no output can end a command.

    A stream that was closed before the start swallows what is written to it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, _nowhere())
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def end_on_signals() -> None:
    """Let a request to end (SIGTERM, SIGHUP) do what Ctrl-C does, so that what runs is taken apart in order."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # A signal that is ignored (nohup) stays so.
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: Any) -> NoReturn:
    raise KeyboardInterrupt


def _write_line(stream: Any, text: str) -> None:
    encoding = getattr(stream, "encoding", None) or "utf-8"
    safe = text.encode(encoding, "replace").decode(encoding, "replace")
    stream.write(safe + "\n")
    stream.flush()
