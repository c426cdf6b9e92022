"""A pipeline that is killed again and again ends with the data of one that was not."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from training.child import child_environment

KILLS = 20
pytestmark = pytest.mark.slow


def start(folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.training.killing", str(folder)],
        env=child_environment(),
        stderr=subprocess.PIPE,
    )


def count(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*"))


def rows(folder: Path) -> dict[str, Any]:
    return {path.stem: json.loads(path.read_text("utf-8"))["rows"] for path in sorted((folder / "stages").iterdir())}


def test_twenty_kills_anywhere_change_no_data(tmp_path: Path) -> None:
    whole = start(tmp_path / "whole")
    _, said = whole.communicate()
    assert whole.returncode == 0, said
    kept: dict[str, Any] = {}
    drawn = random.Random(0)
    kills = 0
    while kills < KILLS:
        process = start(tmp_path / "killed")
        # From one record of a stage to the next, and then a moment more: somewhere within the work.
        before = count(tmp_path / "killed")
        while process.poll() is None and count(tmp_path / "killed") == before:
            time.sleep(0.002)
        time.sleep(drawn.random() * 0.2)
        if process.poll() is not None:
            break
        process.kill()
        process.communicate()
        kills += 1
        # What was once done is never done again, and never changed.
        now = {}
        for path in (tmp_path / "killed" / "stages").glob("[!.]*.json"):
            record = json.loads(path.read_text("utf-8"))
            if record["state"] == "done":
                now[path.stem] = record["rows"]
        assert kept.items() <= now.items()
        kept = now
    last = start(tmp_path / "killed")
    _, said = last.communicate()
    assert last.returncode == 0, said
    assert kills > 0
    assert rows(tmp_path / "killed") == rows(tmp_path / "whole")
    starts = (tmp_path / "killed" / "starts.log").read_text("utf-8").splitlines()
    assert starts == sorted(starts, key=list(dict.fromkeys(starts)).index)
