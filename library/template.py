"""The thought template: a value that knows nothing of storage.

T = (T_nam, T_tag, T_des, T_sco, T_a, T_exa) of Yang et al. 2025, section 3.1: name, tags, description,
scope, application steps and worked examples.
"""

import hashlib
import json
import re
import unicodedata
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Status = Literal["draft", "active", "retired"]
Role = Literal["index", "probe"]

FIELDS = (
    "prealgebra",
    "algebra",
    "intermediate-algebra",
    "number-theory",
    "counting-probability",
    "geometry",
    "precalculus",
    "calculus-linear-algebra",
    "logic",
)


class Example(BaseModel):
    """One worked example of a template.

    Attributes:
        problem: the problem's text.
        answer: its exact answer, as text; empty where none is known, and then nothing is ever graded against it.
        solution: the template's steps carried out on the problem, in words; may be empty.
        grader: how an answer is compared with `answer`: `math` or `text`.
        role: `index` examples are embedded and shown in prompts; `probe` examples are kept out of both
            and measure retrieval.
        program: a Python program that carries out the template's own steps and prints the answer last.
        check: a Python program that derives the answer by another way and prints it last.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    problem: str = Field(min_length=1, max_length=20_000)
    answer: str = Field(max_length=20_000)
    solution: str = Field(default="", max_length=50_000)
    grader: Literal["math", "text"] = "math"
    role: Role = "index"
    program: str | None = Field(default=None, max_length=20_000)
    check: str | None = Field(default=None, max_length=20_000)

    @field_validator("program", "check")
    @classmethod
    def _empty_is_none(cls, value: str | None) -> str | None:
        return value or None


class Template(BaseModel):
    """One thought template, independent of where it is stored."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    name: str = Field(min_length=1, max_length=200)
    tags: tuple[str, ...] = Field(default=(), max_length=50)
    description: str = Field(min_length=1, max_length=5_000)
    scope: str = Field(default="", max_length=5_000)
    steps: tuple[str, ...] = Field(min_length=1, max_length=50)
    examples: tuple[Example, ...] = Field(default=(), max_length=100)
    field: str = Field(default="general", max_length=100)
    topic: str = Field(default="general", max_length=100)
    status: Status = "active"
    source: str = Field(default="", max_length=1_000)
    author: str = Field(default="", max_length=200)

    @field_validator("field", "topic")
    @classmethod
    def _empty_is_general(cls, value: str) -> str:
        return value or "general"

    @property
    def slug(self) -> str:
        """The name as an ASCII-safe identifier; see `slug_of`."""
        return slug_of(self.name)

    @property
    def content_hash(self) -> str:
        """Hash of what the template says (not of its status, source or author), tagged with its algorithm."""
        content = self.model_dump(mode="json", exclude={"status", "source", "author"})
        return content_hash(content)


def content_hash(value: Any) -> str:
    """Return `sha256:<hex>` of the canonical JSON form of `value` (sorted keys, UTF-8, no spaces)."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=8192)
def name_key(name: str) -> str:
    """Return the key under which names and tags are unique: NFC(casefold(NFC(trim))), inner spaces folded."""
    folded = unicodedata.normalize("NFC", " ".join(name.split())).casefold()
    return unicodedata.normalize("NFC", folded)


def slug_of(name: str) -> str:
    """Return a slug of `name`: words of letters and digits of any script, joined by dashes, at most 80 characters.

    A name without any letter or digit gets a slug of its hash, so that every name has one.
    """
    words = re.findall(r"[^\W_]+", name_key(name))
    slug = "-".join(words)[:80].rstrip("-")
    return slug or "t-" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
