"""Training rows and their files: one JSON object a line, in the form that `datasets` and TRL load as it stands.

An SFT row is a conversational prompt and completion, a preference row a prompt with a chosen and a rejected one.
Prompts and completions that another program wrote as plain text are read too, as one user or assistant message;
keys that are not named here are ignored. A row's id is the hash of what it says.
"""

import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, NoReturn, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from library.template import content_hash
from reasonflux.errors import RecordError
from training.writing import write_text

SHOWN_PROBLEMS = 5


class Turn(BaseModel):
    """One message of a conversation."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    role: Literal["system", "user", "assistant"]
    content: str

    @field_validator("content")
    @classmethod
    def _says_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("it is blank")
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise ValueError("it holds half of a surrogate pair")
        return value


Reply = tuple[Turn]


def _as_prompt(value: Any) -> Any:
    return [{"role": "user", "content": value}] if isinstance(value, str) else value


def _as_reply(value: Any) -> Any:
    return [{"role": "assistant", "content": value}] if isinstance(value, str) else value


def _checked_reply(reply: Reply) -> Reply:
    if reply[0].role != "assistant":
        raise ValueError(f"its message is by {reply[0].role}, not by the assistant")
    return reply


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    prompt: tuple[Turn, ...] = Field(min_length=1)
    id: str = Field(default="", strict=True)

    @field_validator("id", mode="before")
    @classmethod
    def _read_id(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @field_validator("prompt", mode="before")
    @classmethod
    def _read_prompt(cls, value: Any) -> Any:
        return _as_prompt(value)

    @field_validator("prompt")
    @classmethod
    def _asks(cls, value: tuple[Turn, ...]) -> tuple[Turn, ...]:
        if value[-1].role == "assistant":
            raise ValueError("it ends with the assistant's turn; the last word must be the user's")
        return value

    @abstractmethod
    def _said(self) -> list[Any]:
        """Return what the row's id is the hash of."""

    @model_validator(mode="after")
    def _identify(self) -> Self:
        if not self.id:
            # The value is frozen for everybody else; here it is still being made.
            object.__setattr__(self, "id", content_hash(self._said()))
        return self


class SftRow(_Row):
    """A prompt and the completion to learn.

    Attributes:
        kind: what is learned: a template's structure, or a trajectory.
        source: slug of the template or id of the problem that the row was made of.
        hinted: whether the trajectory was found with the answer as a hint.
    """

    completion: Reply
    kind: Literal["structure", "trajectory"] = "trajectory"
    source: str = Field(default="", strict=True)
    hinted: bool = Field(default=False, strict=True)

    _read = field_validator("completion", mode="before")(_as_reply)
    _check = field_validator("completion")(_checked_reply)

    def _said(self) -> list[Any]:
        return [_plain(self.prompt), _plain(self.completion)]


class PreferenceRow(_Row):
    """A prompt with a completion that is preferred to another.

    Attributes:
        problem_id: the problem x; rows of one problem are resampled together when an interval is computed.
        family: what similar problems share; no family is in both train and held-out.
        reward_chosen: R(T⁺) in [0, 1], None where it is not known.
        reward_rejected: R(T⁻) in [0, 1], None where it is not known.
        decided: problems of X_sim on which the two differ.
    """

    chosen: Reply
    rejected: Reply
    problem_id: str = Field(default="", strict=True)
    family: str = Field(default="", strict=True)
    reward_chosen: float | None = Field(default=None, allow_inf_nan=False)
    reward_rejected: float | None = Field(default=None, allow_inf_nan=False)
    decided: int = Field(default=0, ge=0)

    _read = field_validator("chosen", "rejected", mode="before")(_as_reply)
    _check = field_validator("chosen", "rejected")(_checked_reply)

    @model_validator(mode="after")
    def _prefers(self) -> Self:
        if self.chosen[0].content.strip() == self.rejected[0].content.strip():
            raise ValueError("chosen and rejected are the same text, so it prefers nothing")
        high, low = self.reward_chosen, self.reward_rejected
        if high is not None and low is not None and high < low:
            raise ValueError(f"the reward of chosen ({high:g}) is below that of rejected ({low:g})")
        problem = self.problem_id or content_hash(_plain(self.prompt))
        object.__setattr__(self, "problem_id", problem)
        object.__setattr__(self, "family", self.family or problem)
        return self

    def _said(self) -> list[Any]:
        return [_plain(self.prompt), _plain(self.chosen), _plain(self.rejected)]


Row = TypeVar("Row", SftRow, PreferenceRow)


@dataclass(frozen=True)
class Placed(Generic[Row]):
    """A row with where it came from, as messages name it: `file:line`, or the template it was made of."""

    where: str
    row: Row


def read_rows(path: Path, kind: type[Row]) -> list[Placed[Row]]:
    """Return the rows of a JSONL file, each with its place.

    Raises:
        RecordError: the file can't be read, holds no row, or some lines are no rows of this kind; the message names
            file and line of the first few and counts the rest.
    """
    rows: list[Placed[Row]] = []
    problems: list[str] = []
    first: dict[str, int] = {}
    for number, raw in _lines(path):
        try:
            row = _row(raw, kind)
        except ValueError as error:
            problems.append(f"{path}:{number}: {error}")
            continue
        if row.id in first:
            problems.append(f"{path}:{number}: its id {row.id!r} is that of line {first[row.id]} too")
            continue
        first[row.id] = number
        rows.append(Placed(f"{path}:{number}", row))
    if problems:
        raise RecordError(f"{listed(problems)}; correct or remove {'it' if len(problems) == 1 else 'them'}.")
    if not rows:
        raise RecordError(f"{path} holds no row; give a file with one JSON object a line.")
    return rows


def write_rows(path: Path, rows: Iterable[SftRow | PreferenceRow]) -> int:
    """Write rows as JSON lines, the file appearing as a whole; return how many.

    Raises:
        RecordError: two rows have the same id.
        OSError: the file can't be written.
    """
    lines: dict[str, str] = {}
    for row in rows:
        if row.id in lines:
            raise RecordError(f"Two rows for {path} have the id {row.id!r}; write each row once.")
        lines[row.id] = to_line(row) + "\n"
    write_text(path, "".join(lines.values()))
    return len(lines)


def to_line(row: SftRow | PreferenceRow) -> str:
    """Return a row as one line of JSON, without the line's end."""
    return json.dumps(row.model_dump(mode="json"), ensure_ascii=False, allow_nan=False)


def rows_digest(rows: Iterable[SftRow | PreferenceRow]) -> str:
    """Return the hash of some rows in their order, tagged with its algorithm; it names the data a model learned."""
    return content_hash([row.model_dump(mode="json") for row in rows])


def listed(problems: Sequence[str]) -> str:
    """Return the first problems as one text, with how many more there are."""
    rest = len(problems) - SHOWN_PROBLEMS
    return "; ".join(problems[:SHOWN_PROBLEMS]) + (f"; and {rest} more" if rest > 0 else "")


def _plain(turns: Sequence[Turn]) -> list[list[str]]:
    return [[turn.role, turn.content] for turn in turns]


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
                if line.strip():
                    yield number, line
    except OSError as error:
        raise RecordError(f"The rows of {path} can't be read: {error.strerror or error}.") from error


def _row(raw: bytes, kind: type[Row]) -> Row:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start} of the line is not UTF-8; save the file as UTF-8") from error
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON (column {error.colno}: {error.msg})") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(data, dict):
        raise ValueError("it is not an object")
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        raise ValueError(_fault(error)) from error


def _fault(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "missing":
        return f"it has no {place!r}"
    return f"its {place!r} can't be used: {message}" if place else message


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
