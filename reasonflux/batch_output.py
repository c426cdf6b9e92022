"""A batch's output file: one JSON document a line, safe to kill at any point and to resume.

Beside `OUT.jsonl` stand `OUT.jsonl.config.json`, which a resumed batch must agree with, and `OUT.jsonl.lock`, which
keeps a second process away. Lines are appended whole and synced; a torn last line is what a kill can leave.
"""

import json
import os
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from reasonflux.errors import ReasonFluxError, UsageError
from reasonflux.runs import json_line, write_whole


class BatchOutput:
    """An output file held by this process. A context manager.

    Attributes:
        kept: the documents of a resumed file that stand, under the line number and content hash of their record (a
            file of one line may hold several records, and even equal ones); those whose status is `failed` are taken
            out, so that their records run again.
    """

    def __init__(self, path: Path, config: dict[str, Any], *, resume: bool) -> None:
        """Take hold of the file.

        Args:
            path: the output file.
            config: everything that shapes an answer, as JSON values.
            resume: whether an existing file is to be continued.

        Raises:
            UsageError: the file exists and is not to be resumed, was written with another configuration, or is a
                folder or a device.
            ReasonFluxError: another process writes the file, or it can't be read or written.
        """
        self.path = path
        if path.exists() and not path.is_file():
            raise UsageError(f"{path} is no regular file; give the name of a file to write.")
        self._config = path.with_name(path.name + ".config.json")
        self._file: FileIO | None = None
        self.kept: dict[tuple[int, str], list[dict[str, Any]]] = {}
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=0)
        except Timeout:
            raise ReasonFluxError(f"{path} is being written by another process; wait for it to end.") from None
        except OSError as error:
            raise ReasonFluxError(f"{path} can't be written: {error}.") from error
        try:
            self._take(config, resume=resume)
        except OSError as error:
            self.close()
            raise ReasonFluxError(f"{path} can't be written: {error}.") from error
        except BaseException:
            self.close()
            raise

    def append(self, document: dict[str, Any]) -> None:
        """Append one document, whole and synced.

        Raises:
            ReasonFluxError: it can't be written.
        """
        if self._file is None:
            raise ReasonFluxError(f"{self.path} is closed.")
        try:
            write_whole(self._file, json_line(document))
            os.fsync(self._file.fileno())
        except OSError as error:
            raise ReasonFluxError(f"{self.path} can't be written: {error}; free some space and --resume.") from error

    def close(self) -> None:
        """Let go of the file; safe to call twice."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self, config: dict[str, Any], *, resume: bool) -> None:
        begun = self.path.exists() and self.path.stat().st_size > 0
        if begun and not resume:
            raise UsageError(f"{self.path} exists; add --resume to go on with it, or write to another file.")
        if begun:
            self._compare(config)
            self._read_kept()
        else:
            text = json.dumps(config, ensure_ascii=True, indent=2, sort_keys=True) + "\n"
            replace_file(self._config, text.encode("ascii"))
        self._file = self.path.open("ab", buffering=0)

    def _compare(self, config: dict[str, Any]) -> None:
        try:
            before = json.loads(self._config.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise UsageError(
                f"{self.path} can't be resumed: {self._config.name}, which says how it was made, is missing; "
                "write to another file."
            ) from None
        except (UnicodeDecodeError, ValueError) as error:
            raise UsageError(f"{self._config} is no JSON ({error}); write to another file.") from error
        old, new = flattened(before), flattened(config)
        for key in [*new, *(old.keys() - new.keys())]:
            was, now = old.get(key), new.get(key)
            if was != now:
                raise UsageError(
                    f"{self.path} can't be resumed: {key} was {json.dumps(was)} and is now {json.dumps(now)}; "
                    "use the same settings, or write to another file."
                )

    def _read_kept(self) -> None:
        data = self.path.read_bytes()
        whole, _, torn = data.rpartition(b"\n")
        lines = [line for line in whole.split(b"\n") if line.strip()]
        stand: list[bytes] = []
        for number, line in enumerate(lines, start=1):
            document = self._document(line, number)
            if document["status"] == "failed":
                continue
            self.kept.setdefault((document["line"], document["content_hash"]), []).append(document)
            stand.append(line)
        if torn or len(stand) < len(lines):
            replace_file(self.path, b"".join(line + b"\n" for line in stand))

    def _document(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            document = json.loads(line.decode("utf-8"))
        except (UnicodeDecodeError, ValueError) as error:
            raise ReasonFluxError(f"{self.path}:{number} is no JSON ({error}); mend or remove this line.") from error
        wanted = (
            {"line": int, "status": str} if _failed(document) else {"line": int, "status": str, "content_hash": str}
        )
        if not isinstance(document, dict) or not all(
            isinstance(document.get(key), kind) for key, kind in wanted.items()
        ):
            raise ReasonFluxError(f"{self.path}:{number} is no line of a batch; mend or remove it.")
        return dict(document)


def flattened(config: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return a nested configuration with dotted keys."""
    flat: dict[str, Any] = {}
    for key, value in config.items():
        if isinstance(value, dict):
            flat |= flattened(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _failed(document: Any) -> bool:
    return isinstance(document, dict) and document.get("status") == "failed"


def replace_file(path: Path, data: bytes) -> None:
    """Write a whole file so that a kill leaves the old or the new one."""
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)
