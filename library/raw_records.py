"""Records of YAML and JSON text as plain dicts and lists of text, each with its line.

Nothing here knows what a template is. Numbers stay the text they were written as; doubled keys, deep nesting and
records that grow when their aliases are followed are refused.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from library.checking import Location

MAX_DEPTH = 20
MAX_NODES = 20_000
_NULLS = ("", "~", "null", "Null", "NULL")
_SPACE = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record: its data, the line it begins on, and the lines of its parts where they are known."""

    data: Any
    line: int
    lines: Mapping[Location, int] = field(default_factory=dict)

    def line_of(self, location: Location) -> int:
        """Return the line of a part, or of the nearest part around it that has one."""
        for end in range(len(location), 0, -1):
            if location[:end] in self.lines:
                return self.lines[location[:end]]
        return self.line


@dataclass(frozen=True, slots=True)
class RawProblem:
    """A place where no record could be read."""

    line: int
    reason: str


def parse_yaml(text: str) -> Iterator[RawRecord | RawProblem]:
    """Yield the records of YAML text: each document is one, or a list of them. Every scalar is text."""
    import yaml

    deep = _first_deep_line(text)
    if deep is not None:
        yield RawProblem(deep, f"the file nests deeper than {MAX_DEPTH} levels")
        return
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)(text)
    try:
        while loader.check_node():
            document = loader.get_node()
            if document is not None:
                yield from _yaml_document(document)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        position = getattr(error, "position", None) or 0
        line = mark.line + 1 if mark is not None else text.count("\n", 0, position) + 1
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).splitlines()[0]
        yield RawProblem(line, f"the YAML can't be read: {problem}; what follows was not read")
    finally:
        loader.dispose()


def _first_deep_line(text: str) -> int | None:
    """Return the line where nesting becomes too deep; composing such a document would exhaust the stack."""
    import yaml

    depth = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    return event.start_mark.line + 1 if event.start_mark is not None else 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    except yaml.YAMLError:
        return None
    return None


def _yaml_document(node: Any) -> Iterator[RawRecord | RawProblem]:
    import yaml

    if isinstance(node, yaml.ScalarNode) and not node.value:
        return
    for item in node.value if isinstance(node, yaml.SequenceNode) else [node]:
        line = item.start_mark.line + 1
        lines: dict[Location, int] = {}
        try:
            yield RawRecord(_YamlReader().read(item, (), lines), line, lines)
        except _Refused as error:
            yield RawProblem(error.line, str(error))


class YamlNull(str):
    """An unquoted scalar that other YAML readers take for null; as text it is what stands in the file."""

    __slots__ = ()


class _Refused(ValueError):
    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class _YamlReader:
    """Turns the nodes of one record into data, counting what its aliases unfold to."""

    def __init__(self) -> None:
        self._nodes = 0
        self._open: set[int] = set()

    def read(self, node: Any, location: Location, lines: dict[Location, int]) -> Any:
        """Return a node's data, noting the line of each part in `lines`."""
        import yaml

        line = node.start_mark.line + 1
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _Refused(line, f"the record has more than {MAX_NODES} parts, aliases followed")
        if id(node) in self._open:
            raise _Refused(line, "an alias refers to the part it stands in")
        lines[location] = line
        if isinstance(node, yaml.ScalarNode):
            unquoted = node.style in (None, "")
            return YamlNull(node.value) if unquoted and node.value in _NULLS else node.value
        self._open.add(id(node))
        try:
            if isinstance(node, yaml.SequenceNode):
                return [self.read(item, (*location, place), lines) for place, item in enumerate(node.value)]
            return self._mapping(node, location, lines)
        finally:
            self._open.discard(id(node))

    def _mapping(self, node: Any, location: Location, lines: dict[Location, int]) -> dict[str, Any]:
        import yaml

        data: dict[str, Any] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise _Refused(line, "a field's name must be text")
            if key.value in data:
                raise _Refused(line, f'the field "{key.value}" stands here twice')
            data[key.value] = self.read(value, (*location, key.value), lines)
        return data


def parse_json(text: str) -> Iterator[RawRecord | RawProblem]:
    """Yield the records of JSON text: one object, or a list of them. Every number is text."""
    if not text.strip():
        return
    start = skip_space(text, 0)
    if text[start] != "[":
        yield from _json_values(text, start, single=True)
    else:
        yield from _json_values(text, start + 1, single=False)


def parse_json_lines(text: str) -> Iterator[RawRecord | RawProblem]:
    """Yield the records of JSON lines; a line that is no JSON is a problem of its own. Every number is text."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield RawRecord(json_decoder().decode(line.strip()), number)
            except json.JSONDecodeError as error:
                yield RawProblem(number, f"the line is no JSON: {error.msg} at column {error.colno}")
            except (ValueError, RecursionError) as error:
                yield RawProblem(number, _reason(error))


def _json_values(text: str, at: int, *, single: bool) -> Iterator[RawRecord | RawProblem]:
    """Yield the values from `at` on: one up to the end of text, or those of a list up to its bracket."""
    decoder = json_decoder()
    line, counted = 1, 0
    try:
        at = skip_space(text, at)
        if not single and text[at : at + 1] == "]":
            _expect_end(text, at + 1)
            return
        while True:
            line, counted = line + text.count("\n", counted, at), at
            value, at = decoder.raw_decode(text, at)
            yield RawRecord(value, line)
            at = skip_space(text, at)
            if single:
                _expect_end(text, at)
                return
            if text[at : at + 1] == "]":
                _expect_end(text, at + 1)
                return
            if text[at : at + 1] != ",":
                raise json.JSONDecodeError("Expecting ',' or ']'", text, at)
            at = skip_space(text, at + 1)
    except json.JSONDecodeError as error:
        yield RawProblem(error.lineno, f"the JSON can't be read: {error.msg}; what follows was not read")
    except (ValueError, RecursionError) as error:
        yield RawProblem(line, f"{_reason(error)}; what follows was not read")


def json_decoder() -> json.JSONDecoder:
    """Return a decoder that keeps numbers as text and refuses doubled keys, NaN and the infinities (`ValueError`)."""
    return json.JSONDecoder(
        object_pairs_hook=_without_doubles, parse_float=str, parse_int=str, parse_constant=_no_constant
    )


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise ValueError(f'the field "{key}" stands here twice')
        data[key] = value
    return data


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _reason(error: Exception) -> str:
    return "the record nests too deeply" if isinstance(error, RecursionError) else str(error)


def skip_space(text: str, at: int) -> int:
    """Return the first place from `at` on that is no JSON white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _expect_end(text: str, at: int) -> None:
    at = skip_space(text, at)
    if at < len(text):
        raise json.JSONDecodeError("More text after the end", text, at)
