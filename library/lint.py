"""Checking templates against rules with codes: one template, or many with what only shows side by side."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field

from library.errors import LibraryError
from library.lint_collection import COLLECTION_RULES
from library.lint_programs import PROGRAM_RULES
from library.lint_rule import CollectionRule, Limits, Options, Rule, Severity
from library.lint_rules import SHAPE_RULES
from library.lint_text import TEXT_RULES
from library.template import Template

__all__ = ["DEFAULT", "RULES", "Finding", "Limits", "Rules", "chosen", "lint_template", "lint_templates"]

_UNSORTED: tuple[Rule | CollectionRule, ...] = (*SHAPE_RULES, *TEXT_RULES, *PROGRAM_RULES, *COLLECTION_RULES)
RULES = tuple(sorted(_UNSORTED, key=lambda rule: rule.code))
"""Every rule, in order of code."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a template fails, where in the template (`steps[2]`, empty for all of it), and how."""

    code: str
    severity: Severity
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that are on, and what they go by."""

    codes: frozenset[str] = field(default_factory=lambda: frozenset(rule.code for rule in RULES))
    options: Options = field(default_factory=Options)


DEFAULT = Rules()


def chosen(
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    *,
    limits: Limits | None = None,
    vocabulary: frozenset[str] | None = None,
) -> Rules:
    """Return the rules that codes or beginnings of codes (`STP`) leave on.

    Args:
        select: the rules wanted; empty for all.
        ignore: the rules not wanted.
        limits: what rules measure against; the usual limits by default.
        vocabulary: the tags that may be used; None where any may.

    Raises:
        LibraryError: a code is the beginning of no rule's.
    """
    wanted = _codes(select) if select else DEFAULT.codes
    return Rules(wanted - _codes(ignore), Options(limits or Limits(), vocabulary))


def lint_template(template: Template, rules: Rules = DEFAULT) -> list[Finding]:
    """Return what is wrong with one template, in order of code."""
    return [
        Finding(rule.code, rule.severity, where, message)
        for rule in RULES
        if isinstance(rule, Rule) and rule.code in rules.codes
        for where, message in rule.find(template, rules.options)
    ]


def lint_templates(templates: Sequence[Template], rules: Rules = DEFAULT) -> list[list[Finding]]:
    """Return what is wrong with each template, alone and beside the others; of two alike the later one is named."""
    found = [lint_template(template, rules) for template in templates]
    for rule in RULES:
        if isinstance(rule, CollectionRule) and rule.code in rules.codes:
            for position, where, message in rule.find(templates, rules.options):
                found[position].append(Finding(rule.code, rule.severity, where, message))
    return [sorted(findings, key=lambda finding: finding.code) for findings in found]


def _codes(given: Sequence[str]) -> frozenset[str]:
    codes: set[str] = set()
    for name in given:
        wanted = name.strip().upper()
        matching = {code for code in DEFAULT.codes if wanted and code.startswith(wanted)}
        if not matching:
            near = difflib.get_close_matches(wanted, sorted(DEFAULT.codes), n=1)
            hint = f"did you mean {near[0]}?" if near else "`reasonflux library lint --list-rules` shows them all."
            raise LibraryError(f'No lint rule has the code "{name}"; {hint}')
        codes |= matching
    return frozenset(codes)
