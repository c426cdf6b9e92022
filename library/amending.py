"""Changing parts of a template by their paths, as they stand in messages: `steps[2]`, `examples[1].answer`."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from library.errors import TemplateInvalid
from library.raw_records import RawProblem, parse_yaml
from library.template import Example, Template, name_key
from library.validation import make_template

_PATH = re.compile(r"(?P<part>[a-z]+)(?:\[(?P<number>\d{1,6})\])?(?:\.(?P<inner>[a-z]+))?")
_LISTS = ("tags", "steps", "examples")


@dataclass(frozen=True, slots=True)
class Amendment:
    """One change of a template: set what is at a path, append to a list, or remove what is at a path.

    A list part (`tags`, `steps`, `examples`), an example, and what is appended to `examples` are given as YAML or
    JSON, anything else as plain text. A tag is removed by `tags[2]`, or by `tags` with its name as the value.
    """

    kind: Literal["set", "append", "remove"]
    path: str
    value: str = ""


def amended(template: Template, amendments: "list[Amendment]") -> Template:
    """Return the template with the amendments made one after the other.

    Raises:
        TemplateInvalid: a path leads nowhere, a value can't be read, or the result breaks a rule.
    """
    data = template.model_dump(mode="json")
    for amendment in amendments:
        _amend(data, amendment)
    return make_template(data)


def _amend(data: dict[str, Any], amendment: Amendment) -> None:
    match = _PATH.fullmatch(amendment.path)
    if match is None or match["part"] not in Template.model_fields:
        raise _refused(amendment, f"there is no such part; the parts are {', '.join(Template.model_fields)}")
    part, inner = match["part"], match["inner"]
    number = int(match["number"]) - 1 if match["number"] is not None else None
    if part not in _LISTS and (number is not None or inner is not None):
        raise _refused(amendment, f"{part} is a single text, without parts of its own")
    if inner is not None and (part != "examples" or number is None or inner not in Example.model_fields):
        raise _refused(
            amendment, f"only an example has parts, such as examples[1].answer: {', '.join(Example.model_fields)}"
        )
    if number is not None and not 0 <= number < len(data[part]):
        raise _refused(amendment, f"there are {len(data[part])} {part}")
    {"set": _set, "append": _append, "remove": _remove}[amendment.kind](data, amendment, part, number, inner)


def _set(data: dict[str, Any], amendment: Amendment, part: str, number: int | None, inner: str | None) -> None:
    if number is not None and inner is not None:
        data[part][number][inner] = amendment.value
    elif number is not None:
        data[part][number] = _mapping(amendment) if part == "examples" else amendment.value
    else:
        data[part] = _listed(amendment) if part in _LISTS else amendment.value


def _append(data: dict[str, Any], amendment: Amendment, part: str, number: int | None, inner: str | None) -> None:
    if part not in _LISTS or number is not None:
        raise _refused(amendment, f"only {', '.join(_LISTS)} are lists to append to")
    data[part].append(_mapping(amendment) if part == "examples" else amendment.value)


def _remove(data: dict[str, Any], amendment: Amendment, part: str, number: int | None, inner: str | None) -> None:
    if number is not None and inner is not None:
        del data[part][number][inner]
    elif number is not None:
        del data[part][number]
    elif part == "tags" and amendment.value:
        kept = [tag for tag in data["tags"] if name_key(tag) != name_key(amendment.value)]
        if len(kept) == len(data["tags"]):
            raise _refused(amendment, f'it does not have the tag "{amendment.value}"')
        data["tags"] = kept
    elif amendment.value:
        raise _refused(amendment, f"write {part}[1] for the first of them")
    else:
        del data[part]


def _listed(amendment: Amendment) -> list[Any]:
    return [] if not amendment.value.strip() else _read(amendment)


def _mapping(amendment: Amendment) -> dict[str, Any]:
    read = _read(amendment)
    if len(read) != 1 or not isinstance(read[0], dict):
        raise _refused(amendment, 'an example is given as a mapping, such as {problem: "2 + 2", answer: "4"}')
    return read[0]


def _read(amendment: Amendment) -> list[Any]:
    read: list[Any] = []
    for record in parse_yaml(amendment.value):
        if isinstance(record, RawProblem):
            raise _refused(amendment, record.reason)
        read.append(record.data)
    return read


def _refused(amendment: Amendment, reason: str) -> TemplateInvalid:
    return TemplateInvalid(f"{amendment.path} can't be {_DONE[amendment.kind]}: {reason}.")


_DONE = {"set": "set", "append": "appended to", "remove": "removed"}
