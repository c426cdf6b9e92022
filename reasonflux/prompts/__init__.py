"""Prompts are data: `*.jinja` files beside this module, rendered strictly, under one version digest.

A file holds the messages of one call, each opened by a line `### system` or `### user`. What many calls share
stands first, what changes last, so that a local model's prompt cache can serve it. Values are substituted once
and never scanned again: a problem that looks like a prompt or a template stays a problem.
"""

import functools
import hashlib
from importlib import resources
from typing import TYPE_CHECKING, Any, cast

from reasonflux.models.base import Message, Role

if TYPE_CHECKING:
    import jinja2


@functools.cache
def _sources() -> dict[str, str]:
    folder = resources.files(__name__)
    files = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".jinja"))
    return {name.removesuffix(".jinja"): (folder / name).read_text(encoding="utf-8") for name in files}


@functools.cache
def prompt_version(*names: str) -> str:
    """Return a digest over the prompts named, over all without a name; the latter is recorded with every run.

    Raises:
        KeyError: there is no such prompt.
    """
    sources = _sources()
    joined = "\0".join(f"{name}\0{sources[name]}" for name in names or sources)
    return "sha256:" + hashlib.sha256(joined.encode()).hexdigest()[:16]


@functools.cache
def _parts(name: str) -> tuple[tuple[Role, "jinja2.Template"], ...]:
    import jinja2

    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    parts: list[tuple[Role, jinja2.Template]] = []
    for block in _sources()[name].split("### ")[1:]:
        role, _, body = block.partition("\n")
        parts.append((cast(Role, role.strip()), environment.from_string(body.strip("\n"))))
    return tuple(parts)


def render(name: str, **values: Any) -> list[Message]:
    """Return the messages of prompt `name`.

    Raises:
        KeyError: there is no such prompt.
        jinja2.UndefinedError: the prompt needs a value that was not given.
    """
    messages = [Message(role=role, content=template.render(**values).strip()) for role, template in _parts(name)]
    return [message for message in messages if message.content]


def clip(text: str, limit: int) -> str:
    """Return `text` with its end cut, visibly, beyond `limit` characters; its head always stays."""
    return text if len(text) <= limit else text[:limit].rstrip() + " […cut]"
