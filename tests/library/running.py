"""Running trusted programs of this repository quickly, in one interpreter of their own and outside the sandbox."""

import subprocess
import sys

from library.protocols import ProgramOutput


def run_here(source: str) -> ProgramOutput:
    """Run a program in a new isolated interpreter and return what it printed."""
    command = [sys.executable, "-I", "-X", "utf8", "-c", source]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    reason = done.stderr.strip().splitlines()[-1] if done.returncode else ""
    return ProgramOutput(done.returncode == 0, done.stdout, reason)
