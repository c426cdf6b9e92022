"""Which checkpoints of a killed job are whole.

The trainer writes a checkpoint file by file. When all of it is there, a manifest with every file's size is written
into it; what has none, or does not fit its own, is the rest of a kill and is deleted before the job goes on.
"""

import json
import shutil
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"


def seal(checkpoint: Path) -> None:
    """Write the manifest of a checkpoint that is complete."""
    sizes = {file.name: file.stat().st_size for file in sorted(checkpoint.iterdir()) if file.is_file()}
    building = checkpoint / f".{MANIFEST}"
    building.write_text(json.dumps(sizes), encoding="utf-8")
    building.replace(checkpoint / MANIFEST)


def latest(folder: Path) -> Path | None:
    """Return the newest whole checkpoint in a folder, None where there is none; those that are not whole are deleted.

    Raises:
        OSError: the folder can't be read or written.
    """
    found = sorted(folder.glob("checkpoint-*"), key=_step, reverse=True) if folder.exists() else []
    whole = [checkpoint for checkpoint in found if _is_whole(checkpoint)]
    for checkpoint in found:
        if checkpoint not in whole:
            shutil.rmtree(checkpoint)
    return whole[0] if whole else None


def state_of(checkpoint: Path) -> dict[str, Any]:
    """Return the trainer's state as the checkpoint holds it."""
    state: dict[str, Any] = json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    return state


def _step(checkpoint: Path) -> int:
    number = checkpoint.name.rpartition("-")[2]
    return int(number) if number.isdecimal() else -1


def _is_whole(checkpoint: Path) -> bool:
    try:
        sizes = json.loads((checkpoint / MANIFEST).read_text(encoding="utf-8"))
        return bool(sizes) and all((checkpoint / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError):
        return False
