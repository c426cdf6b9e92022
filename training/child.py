"""The process that one stage of a pipeline runs in: the command line, ended as soon as its parent is gone.

A model's memory is given back when the process ends. The parent holds the other end of this process's stdin; when it
closes, however the parent died, this process and all it started are killed, so that a pipeline that starts again never
finds an older one's stage still writing.
"""

import json
import os
import runpy
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from training.errors import TrainingError

LAUNCH = "--launch"
GRACE_SECONDS = 30.0
"""Seconds that a child has to end in order."""


def child_command(arguments: Sequence[str], launch: Path | None = None) -> list[str]:
    """Return the command of a child that runs `reasonflux` with these arguments.

    Args:
        arguments: the arguments.
        launch: an `accelerate` configuration to run under, on as many processes as it says.
    """
    under = [LAUNCH, str(launch)] if launch is not None else []
    return [sys.executable, "-m", "training.child", *under, *arguments]


def child_environment() -> dict[str, str]:
    """Return this process's environment, with which a child finds the same packages.

    Threads that wait sleep, unless the environment says otherwise: spinning ones collapse to a fraction of their speed
    as soon as another process wants the same cores.
    """
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
    kept = {name: value for name, value in os.environ.items() if name != "REASONFLUX_SEED"}
    return {"OMP_WAIT_POLICY": "passive", **kept, "PYTHONPATH": path}


def run_child(
    arguments: Sequence[str],
    launch: Path | None = None,
    meanwhile: Callable[[], None] = lambda: None,
    *,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Run `reasonflux` in a process of its own, what it tells on this one's stderr, and return its JSON document.

    Args:
        arguments: the arguments, without `--json`.
        launch: an `accelerate` configuration to run under.
        meanwhile: called about once a second while it runs.
        environment: variables that it gets besides this process's own.

    Raises:
        TrainingError: it failed; why stands on stderr.
    """
    process = subprocess.Popen(
        child_command([*arguments, "--json"], launch),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=child_environment() | dict(environment or {}),
        start_new_session=True,
    )
    told: list[bytes] = []
    reader = threading.Thread(target=lambda: told.append(process.stdout.read() if process.stdout else b""), daemon=True)
    reader.start()
    try:
        while reader.is_alive():
            reader.join(1.0)
            meanwhile()
        code = process.wait()
    except BaseException:
        _end(process)
        raise
    finally:
        if process.stdin is not None:
            process.stdin.close()
    if code != 0:
        raise TrainingError(f"`reasonflux {' '.join(arguments[:2])}` ended with exit code {code}.")
    return _last_object(b"".join(told))


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a child in order, and if it does not, by closing its stdin, which kills it with all it started."""
    process.terminate()
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        if process.stdin is not None:
            process.stdin.close()
        process.wait()


def _last_object(output: bytes) -> dict[str, Any]:
    """Return the JSON object that ends an output; packages may have printed before it."""
    text = output.decode("utf-8", "replace")
    for place in [0, *[place + 1 for place, letter in enumerate(text) if letter == "\n"]]:
        if text[place : place + 1] == "{":
            try:
                found = json.loads(text[place:])
            except ValueError:
                continue
            if isinstance(found, dict):
                return found
    return {}


def end_with_parent() -> None:
    """Watch stdin in a thread and kill this process with all it started when it closes."""
    watched = os.dup(0)
    # Whatever runs here is to find an empty stdin, not the pipe.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    threading.Thread(target=_wait_and_kill, args=(watched,), daemon=True).start()


def _wait_and_kill(watched: int) -> None:
    import psutil

    while os.read(watched, 1):
        pass
    me = psutil.Process()
    for process in [*me.children(recursive=True), me]:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue


def main(arguments: Sequence[str]) -> None:
    """Run the command line with these arguments, under `accelerate launch` if they begin with `--launch FILE`."""
    end_with_parent()
    if arguments and arguments[0] == LAUNCH:
        sys.argv = ["accelerate-launch", "--config_file", arguments[1], "-m", "cli", *arguments[2:]]
        runpy.run_module("accelerate.commands.launch", run_name="__main__", alter_sys=True)
    else:
        sys.argv = ["reasonflux", *arguments]
        runpy.run_module("cli", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
