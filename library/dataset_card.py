"""A dataset folder's card: `README.md`, whose front matter says where the data lies."""

from typing import Any

from library.errors import ImportRefused
from library.formats import Format

CARD = "README.md"
MAX_CARD_BYTES = 2**20
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def data_path(kind: Format) -> str:
    """Return where the data of a written folder lies, relative to the folder."""
    return f"data/templates.{kind.value}"


def card_text(title: str, count: int, kind: Format) -> str:
    """Return the card of a folder with `count` templates."""
    import yaml

    front = {
        "pretty_name": title,
        "tags": ["thought-templates", "reasoning"],
        "size_categories": [next((name for most, name in _SIZES if count < most), "n>1M")],
        "configs": [{"config_name": "default", "data_files": [{"split": "train", "path": data_path(kind)}]}],
    }
    return (
        f"---\n{yaml.safe_dump(front, allow_unicode=True, sort_keys=False)}---\n\n"
        f"# {' '.join(title.split())}\n\n"
        f"A library of {count} thought templates: how a kind of problem is solved, step by step, without the numbers "
        "of any one problem.\n\n"
        "| column | content |\n|---|---|\n"
        "| `name` | name, unique in the library |\n"
        "| `tags` | list of tags |\n"
        "| `description`, `scope` | what it does, when it applies |\n"
        "| `steps` | list of steps, in order |\n"
        "| `examples` | worked examples: `problem`, `answer`, `solution`, `grader`, `role`, `program`, `check` |\n"
        "| `field`, `topic` | where it belongs |\n"
        "| `status`, `source`, `author` | draft, active or retired; where it comes from; who wrote it |\n\n"
        "Add them to a library with `reasonflux library import` and this folder's path or address.\n"
    )


def data_patterns(card: str) -> list[str] | None:
    """Return the data files, as paths or patterns, that a card's front matter names; None where it names none.

    Of several configurations the one marked `default`, or named so, or the first counts.

    Raises:
        ImportRefused: the front matter can't be read; the message names the line.
    """
    lines = card.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].strip() != "---":
        return None
    end = next((number for number, line in enumerate(lines[1:], start=1) if line.strip() == "---"), None)
    if end is None:
        raise ImportRefused(f"{CARD}:1: the front matter has no end; close it with a line of ---.")
    configs = _front_matter("\n".join(lines[1:end])).get("configs")
    if configs is None:
        return None
    chosen = _chosen(configs if isinstance(configs, list) else [configs])
    folder = chosen.get("data_dir")
    if "data_files" in chosen:
        found = list(_paths(chosen["data_files"]))
        return [f"{folder.strip('/')}/{path}" for path in found] if isinstance(folder, str) else found
    return [f"{folder.strip('/')}/*"] if isinstance(folder, str) else None


def _front_matter(text: str) -> dict[str, Any]:
    from library.raw_records import RawProblem, parse_yaml

    for record in parse_yaml(text):
        if isinstance(record, RawProblem):
            raise ImportRefused(f"{CARD}:{record.line + 1}: the front matter can't be used: {record.reason}.")
        if isinstance(record.data, dict):
            return record.data
    return {}


def _chosen(configs: list[Any]) -> dict[str, Any]:
    usable = [config for config in configs if isinstance(config, dict)]
    if len(usable) < len(configs) or not usable:
        raise ImportRefused(f"{CARD}: the front matter's configs must be a list of mappings; correct it or remove it.")
    marked = [config for config in usable if str(config.get("default", "")).lower() == "true"]
    named = [config for config in usable if config.get("config_name") == "default"]
    chosen: dict[str, Any] = [*marked, *named, *usable][0]
    return chosen


def _paths(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [path for item in value for path in _paths(item)]
    if isinstance(value, dict):
        return _paths(value["path"]) if "path" in value else [path for item in value.values() for path in _paths(item)]
    raise ImportRefused(f"{CARD}: the front matter's data_files must be paths; correct it or remove it.")
