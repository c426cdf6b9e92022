"""What a run's folder says of its stages: which were done, from what, and whether what they left is still there.

`stages/NAME.json` is written when a stage begins and again, with the digests of its rows, when it has ended; a stage
counts as done only with the second, an equal key, and rows that still have those digests.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library.template import content_hash
from training.stages import Stage
from training.writing import write_document

RUNNING, DONE = "running", "done"


@dataclass(frozen=True)
class Records:
    """The records of a run's stages; `common` counts for every stage (the base planner, the library)."""

    folder: Path
    common: Mapping[str, Any]

    def read(self, name: str) -> dict[str, Any]:
        """Return a stage's record, empty where there is none that can be read."""
        try:
            found = json.loads(self._path(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def key(self, stage: Stage) -> str:
        """Return the hash of all that a stage is made of, as things are now."""
        return content_hash(
            {
                "stage": stage.name,
                "common": dict(self.common),
                "settings": stage.settings,
                "files": {name: file_digest(self.folder / name) for name in stage.reads},
                "models": {name: self.read(name).get("key") for name in stage.models},
            }
        )

    def is_done(self, stage: Stage) -> bool:
        """Return whether a stage was done from the same, and its rows are as it left them."""
        held = self.read(stage.name)
        if held.get("state") != DONE or held.get("key") != self.key(stage):
            return False
        return held.get("rows") == self.rows(stage) and all(name in held["rows"] for name in stage.rows)

    def has_weights(self, stage: Stage) -> bool:
        """Return whether the models that a stage leaves are there."""
        return all((self.folder / stage.name / name).is_dir() for name in stage.weights)

    def begin(self, stage: Stage) -> None:
        """Make a stage's folder ready: what an unfinished run of the same left stays, anything else goes.

        Raises:
            OSError: the folder can't be written.
        """
        held, key = self.read(stage.name), self.key(stage)
        home = self.folder / stage.name
        if (held.get("state"), held.get("key")) != (RUNNING, key):
            # First the record, so that a kill in between leaves nothing that claims to be done.
            self._path(stage.name).unlink(missing_ok=True)
            if home.exists():
                shutil.rmtree(home)
        home.mkdir(parents=True, exist_ok=True)
        self._write(stage.name, {"stage": stage.name, "key": key, "state": RUNNING})

    def end(self, stage: Stage, *, seconds: float, told: Any) -> dict[str, Any]:
        """Record that a stage ended and return the record; errors as for `begin`."""
        record = {
            "stage": stage.name,
            "key": self.key(stage),
            "state": DONE,
            "rows": self.rows(stage),
            "seconds": round(seconds, 1),
            "told": told,
        }
        self._write(stage.name, record)
        return record

    def rows(self, stage: Stage) -> dict[str, str]:
        """Return the digests of the files that a stage left."""
        found = {name: file_digest(self.folder / stage.name / name) for name in (*stage.rows, *stage.maybe)}
        return {name: digest for name, digest in found.items() if digest is not None}

    def copy(self, stage: Stage, target: "Records") -> bool:
        """Copy the rows of a stage that is done into another folder, its record last; return whether it was done.

        Raises:
            OSError: a file can't be copied.
        """
        held = self.read(stage.name)
        if held.get("state") != DONE or held.get("rows") != self.rows(stage):
            return False
        for name in held["rows"]:
            into = target.folder / stage.name / name
            into.parent.mkdir(parents=True, exist_ok=True)
            building = into.with_name(f".{into.name}.{os.getpid()}")
            shutil.copyfile(self.folder / stage.name / name, building)
            building.replace(into)
        target._write(stage.name, held)
        return True

    def _path(self, name: str) -> Path:
        return self.folder / "stages" / f"{name}.json"

    def _write(self, name: str, record: Mapping[str, Any]) -> None:
        write_document(self._path(name), record)


def file_digest(path: Path) -> str | None:
    """Return the hash of a file's bytes, tagged with its algorithm; None where there is no file."""
    try:
        with path.open("rb") as file:
            return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None
