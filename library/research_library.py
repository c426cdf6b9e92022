"""The template library that the research code comes with: nested JSON, chapter -> section -> list of entries.

Nothing of an entry is dropped in silence. The chapter becomes the field, the section (or else `template_type`) the
topic, and the source spells out all three; what finds no place of its own is told in a note.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from library.template import name_key

_KNOWN = frozenset(
    {
        "template_name",
        "template_type",
        "knowledge_tag",
        "description",
        "application_scenario",
        "reason_flow",
        "example_application",
    }
)
_PROBLEM_KEYS = ("problem", "question", "example", "problem_statement", "statement", "title")
_ANSWER_KEYS = ("answer", "final_answer", "result")
_LONGEST_ANSWER = 200
_SEPARATORS = re.compile(r"[,;、，；]")
_LABEL = re.compile(r"\s*(?:example|problem|question)(?:\s+\d+)?\s*[:：]\s*", re.IGNORECASE)
_SOLUTION = re.compile(r"(?:^|(?<=\s))(?:solution|answer|proof)\s*[:：]\s*", re.IGNORECASE)
_STATED = re.compile(r"(?:####|\banswer(?:\s+is)?\s*[:：]?)\s*(\S[^\n]*)", re.IGNORECASE)


class NotUsable(ValueError):
    """A part of an entry has a form that can't be read; the message says which and what it must be."""


@dataclass(slots=True)
class Converted:
    """An entry as a template's plain data, and what a person should know about the way there."""

    data: dict[str, Any]
    notes: list[str] = field(default_factory=list)


def is_entry(data: Any) -> bool:
    """Return whether data is an entry of the research library."""
    return isinstance(data, dict) and "template_name" in data


def is_nested(data: Any, depth: int = 6) -> bool:
    """Return whether data is an object of objects (and so on) of lists that hold entries."""
    if not isinstance(data, dict) or depth == 0 or "name" in data:
        return False
    return any(
        is_entry(value) or is_nested(value, depth - 1) or (isinstance(value, list) and any(map(is_entry, value)))
        for value in data.values()
    )


class Conversion:
    """Turns the entries of one file into templates' plain data, keeping their names apart."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def convert(self, entry: dict[str, Any], path: tuple[str, ...], location: str) -> Converted:
        """Return an entry as a template's plain data.

        An entry whose name another one has already gets its section's name behind its own, so that both are kept.

        Args:
            entry: the entry.
            path: the keys it stands under: chapter, section.
            location: where it stands, for what is said about a name that stands there twice.

        Raises:
            NotUsable: a part has a form that can't be read.
        """
        kind = _text(entry.get("template_type", ""), "template_type")
        names = [*path[:2], *([] if len(path) > 1 else [kind])]
        chapter, section = (*names, "", "")[:2]
        converted = Converted({})
        places = {"chapter": chapter, "section": section if len(path) > 1 else "", "type": kind}
        converted.data = {
            "name": _text(entry["template_name"], "template_name"),
            "tags": _tags(entry.get("knowledge_tag", []), converted.notes),
            "description": "\n".join(_texts(entry.get("description", ""), "description")),
            "scope": "\n".join(_texts(entry.get("application_scenario", ""), "application_scenario")),
            "steps": _steps(entry.get("reason_flow", [])),
            "examples": _examples(entry.get("example_application", [])),
            "field": _short(chapter),
            "topic": _short(section),
            "source": "; ".join(["research library", *(f"{key}: {value}" for key, value in places.items() if value)]),
        }
        unknown = [key for key in entry if key not in _KNOWN]
        if unknown:
            converted.notes.append(f"left out, no template has it: {', '.join(unknown)[:200]}")
        self._rename(converted, section, location)
        return converted

    def _rename(self, converted: Converted, section: str, location: str) -> None:
        name = converted.data["name"]
        first = self._first.get(name_key(name))
        if first is not None:
            number, fresh = 1, f"{name} ({section})" if section else name
            while name_key(fresh) in self._first:
                number += 1
                fresh = f"{name} ({section}, {number})" if section else f"{name} ({number})"
            converted.data["name"] = fresh
            converted.notes.append(f'"{name}" is the name of the entry at {first} too; this one is kept as "{fresh}"')
        self._first[name_key(converted.data["name"])] = location


def answer_in(text: str) -> str:
    """Return the answer that a worked solution states (a box, `the answer is …`, `#### …`), empty where it has none."""
    start = max(text.rfind("\\boxed{"), text.rfind("\\fbox{"))
    if start >= 0:
        begin = text.index("{", start) + 1
        depth = 1
        for at in range(begin, len(text)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if depth == 0:
                return text[begin:at].strip()
    stated = list(_STATED.finditer(text))
    answer = stated[-1].group(1).strip().rstrip(".").strip().strip("$").strip() if stated else ""
    return answer if len(answer) <= _LONGEST_ANSWER else ""


def _tags(value: Any, notes: list[str]) -> list[str]:
    given = _SEPARATORS.split(value) if isinstance(value, str) else _texts(value, "knowledge_tag")
    kept: dict[str, str] = {}
    for tag in (tag.strip() for tag in given):
        if not tag:
            continue
        first = kept.setdefault(name_key(tag), tag)
        if first is not tag:
            notes.append(f'the tag "{tag[:60]}" is the same as "{first[:60]}" and stands once')
    return list(kept.values())


def _steps(value: Any) -> list[str]:
    if isinstance(value, str):
        return [line for line in value.splitlines() if line.strip()]
    return _texts(value, "reason_flow")


def _examples(value: Any) -> list[dict[str, str]]:
    if value in ("", [], {}, None):
        return []
    return [_example(item) for item in (value if isinstance(value, list) else [value])]


def _example(value: Any) -> dict[str, str]:
    if isinstance(value, str):
        return _example_from_text(value)
    if not isinstance(value, dict):
        raise NotUsable("example_application must hold texts or mappings")
    parts = {str(key): "\n".join(_texts(part, "example_application")) for key, part in value.items()}
    by_key = {key.strip().lower().replace(" ", "_"): key for key in parts}
    problem_key = next((by_key[key] for key in _PROBLEM_KEYS if key in by_key), None)
    if problem_key is None:
        return _example_from_text("\n".join(f"{key}: {part}" for key, part in parts.items()))
    answer_key = next((by_key[key] for key in _ANSWER_KEYS if key in by_key), None)
    rest = [(key, part) for key, part in parts.items() if key not in (problem_key, answer_key) and part]
    # One part more is the solution, whatever it is called; several keep their names.
    solution = rest[0][1] if len(rest) == 1 else "\n".join(f"{key}: {part}" for key, part in rest)
    answer = parts[answer_key] if answer_key is not None else answer_in(solution)
    return {"problem": parts[problem_key], "solution": solution, "answer": answer}


def _example_from_text(text: str) -> dict[str, str]:
    split = _SOLUTION.search(text)
    problem, solution = (text[: split.start()], text[split.end() :]) if split else (text, "")
    bare = _LABEL.sub("", problem, count=1) if _LABEL.match(problem) else problem
    if not bare.strip():
        return {"problem": text, "solution": "", "answer": answer_in(text)}
    answer = answer_in(solution or text)
    if split and not answer and split.group().strip().lower().startswith("answer") and _is_short(solution.strip()):
        answer = solution.strip()
    return {"problem": bare, "solution": solution, "answer": answer}


def _is_short(text: str) -> bool:
    return "\n" not in text and len(text) <= _LONGEST_ANSWER


def _texts(value: Any, part: str) -> list[str]:
    """Return a text, or a list of texts or of mappings of texts, as a list of texts."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return ["; ".join(f"{key}: {_text(inner, part)}" for key, inner in value.items())]
    if isinstance(value, list):
        return [text for item in value for text in ([item] if isinstance(item, str) else _texts(item, part))]
    raise NotUsable(f"{part} must be a text or a list of texts")


def _text(value: Any, part: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    raise NotUsable(f"{part} must be a text")


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:99] + "…"
