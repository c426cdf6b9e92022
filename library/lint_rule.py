"""What a lint rule is: a code that never changes its meaning, a severity, and a function that finds where it fails."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from library.template import Template

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers rules measure against. Lengths of steps and names are in characters, similarities from 0 to 1.

    Attributes:
        min_steps: fewest steps.
        max_steps: most steps.
        max_step_characters: longest step.
        min_tags: fewest tags.
        max_tags: most tags.
        max_name_characters: longest name.
        min_scope_words: shortest scope.
        min_description_words: shortest description.
        max_program_lines: longest program.
        probe_similarity: how alike a `probe` problem and an `index` problem may be.
        template_similarity: how alike the words of two templates may be.
    """

    min_steps: int = 3
    max_steps: int = 8
    max_step_characters: int = 400
    min_tags: int = 2
    max_tags: int = 7
    max_name_characters: int = 100
    min_scope_words: int = 6
    min_description_words: int = 8
    max_program_lines: int = 25
    probe_similarity: float = 0.6
    template_similarity: float = 0.6


@dataclass(frozen=True, slots=True)
class Options:
    """What rules go by: the limits and, where there is a closed vocabulary, the tags that may be used."""

    limits: Limits = Limits()
    vocabulary: frozenset[str] | None = None


Hit = tuple[str, str]
"""Where in a template, as `steps[2]`, and what is wrong there."""

NumberedHit = tuple[int, str, str]
"""The same of one template among several: its position, where in it, and what is wrong there."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about one template."""

    code: str
    severity: Severity
    summary: str
    find: Callable[[Template, Options], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class CollectionRule:
    """A rule about templates side by side."""

    code: str
    severity: Severity
    summary: str
    find: Callable[[Sequence[Template], Options], Iterable[NumberedHit]]
