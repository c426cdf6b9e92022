"""A closed vocabulary of tags, as a file gives it: a mapping of tags to their meanings, or a list of tags."""

from pathlib import Path

from library.errors import ImportRefused
from library.raw_records import RawProblem, parse_yaml

_MAX_BYTES = 4 * 2**20


def read_vocabulary(path: Path) -> frozenset[str]:
    """Return the tags of a YAML or JSON file.

    Raises:
        ImportRefused: the file can't be read or holds no tags; the message names the line.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ImportRefused(f"The tags in {path} can't be read: {error.strerror or error}.") from error
    if len(data) > _MAX_BYTES:
        raise ImportRefused(f"The tags in {path} can't be read: the file has more than {_MAX_BYTES} bytes.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRefused(f"The tags in {path} can't be read: byte {error.start} is not UTF-8.") from error
    tags: set[str] = set()
    for record in parse_yaml(text):
        if isinstance(record, RawProblem):
            raise ImportRefused(f"{path}:{record.line}: {record.reason}.")
        if isinstance(record.data, dict):
            tags.update(record.data)
        elif isinstance(record.data, str) and record.data:
            tags.add(str(record.data))
        else:
            raise ImportRefused(f"{path}:{record.line}: a tag must be text; write one tag a line, or `tag: meaning`.")
    if not tags:
        raise ImportRefused(f"{path} holds no tags; write one tag a line, or `tag: meaning`.")
    return frozenset(tags)
