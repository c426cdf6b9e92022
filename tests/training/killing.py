"""A pipeline whose stages only write lines, slowly and resumably, as a process that can be killed at any point.

`python -m tests.training.killing RUN` runs it; `... work OUT ARGUMENTS` is one of its stages.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from library.template import content_hash
from training.child import child_environment, end_with_parent
from training.pipeline import Pipeline
from training.recipe import recipe_of

LINES = 6
SECONDS = 0.02
FILES = {
    "problems": ("train.jsonl", "held_out.jsonl"),
    "structure": ("result.json",),
    "cold_start": ("trajectories.jsonl", "rows.jsonl"),
    "sft": ("result.json",),
    "trajectories": ("trajectories.jsonl",),
    "reward": ("rewards.jsonl",),
    "pairs": ("train.jsonl", "held_out.jsonl", "report.json"),
    "dpo": ("result.json",),
    "eval": ("rows.jsonl", "solved.jsonl", "result.json"),
}


def run(arguments: Sequence[str], launch: Path | None, meanwhile: Callable[[], None]) -> dict[str, Any]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.training.killing", "work", *arguments],
        stdin=subprocess.PIPE,
        env=child_environment(),
        start_new_session=True,
    )
    assert process.wait() == 0
    return {}


def work(arguments: Sequence[str]) -> None:
    """Write a stage's files line by line; what an earlier process wrote of them stays."""
    end_with_parent()
    out = Path(dict(pairwise(arguments))["--out"])
    home = out if out.suffix == "" else out.parent
    given = [Path(part) for part in arguments if Path(part).is_file() and home not in Path(part).parents]
    read = [path.read_text("utf-8") for path in given]
    with (home.parent / "starts.log").open("a", encoding="utf-8") as log:
        log.write(f"{home.name}\n")
    for name in FILES[home.name]:
        if (home / name).exists():
            continue
        part = home / f"{name}.part"
        done = part.read_text("utf-8").count("\n") if part.exists() else 0
        with part.open("a", encoding="utf-8") as file:
            for number in range(done, LINES if name.endswith("l") else 1):
                time.sleep(SECONDS)
                line = {"of": content_hash([name, read]), "number": number, "mode": "", "planner": "", "history": []}
                file.write(json.dumps(line | {"entries": [], "problems": number}) + "\n")
                file.flush()
                os.fsync(file.fileno())
        part.replace(home / name)
    for name in ("adapter", "model"):
        if home.name in ("structure", "sft", "dpo"):
            (home / name).mkdir(exist_ok=True)


def main() -> None:
    if sys.argv[1] == "work":
        work(sys.argv[2:])
        return
    folder = Path(sys.argv[1])
    recipe = recipe_of({"name": "kill", "planner": "none"}, "test")
    Pipeline(recipe=recipe, folder=folder, beside=folder.parent, library="sha256:1", runner=run).run()


if __name__ == "__main__":
    main()
