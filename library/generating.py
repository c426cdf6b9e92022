"""Fresh problems of a template's kind, drawn from a seed, each with an exact answer and checked by another way.

A generator is a pair of functions: one draws a problem and knows its answer by construction, the other derives the
answer from the drawn values by another way. The second is run in the sandbox from its source text, all draws of a
generator in one process, so it must stand alone: its imports are inside it and it calls no function of its module.
"""

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import walk_packages
from random import Random
from typing import Any, Literal

from library.errors import LibraryError
from library.protocols import AnswerComparer, ProgramRunner
from library.template import Example, slug_of

DIFFICULTIES = (1, 2, 3)
_ATTEMPTS = 200


@dataclass(frozen=True, slots=True)
class Draw:
    """One drawn problem.

    Attributes:
        problem: its text.
        answer: its exact answer, as text.
        values: what was drawn, as JSON values; the keyword arguments of the generator's check.
        grader: how an answer is compared with `answer`.
    """

    problem: str
    answer: str
    values: Mapping[str, Any] = field(default_factory=dict)
    grader: Literal["math", "text"] = "math"


Drawer = Callable[[Random, int], Draw | None]
"""Draws a problem of difficulty 1, 2 or 3, or returns None where the values drawn make no good problem."""
Check = Callable[..., object]
"""Derives the answer from the values of a draw, by another way than the drawer knows it."""


@dataclass(frozen=True, slots=True)
class Generator:
    """Draws problems of one template's kind: the template's name, the drawer and the check of its draws."""

    template: str
    drawer: Drawer
    check: Check

    @property
    def field(self) -> str:
        """The template's field, which is the folder of the generator's module."""
        return self.drawer.__module__.split(".")[-2].replace("_", "-")

    @property
    def slug(self) -> str:
        """The template's slug in the seed library."""
        return slug_of(self.template)

    def draws(self, number: int, *, seed: int, difficulty: int) -> Iterator[Draw]:
        """Yield `number` distinct problems, a function of the seed and the difficulty alone.

        Raises:
            LibraryError: so many draws in a row were ill-posed or known that no new one can be expected.
        """
        rng = Random(f"{self.slug}/{difficulty}/{seed}")
        known: set[str] = set()
        misses = 0
        while len(known) < number:
            draw = self.drawer(rng, difficulty)
            if draw is None or draw.problem in known:
                misses += 1
                if misses == _ATTEMPTS:
                    raise LibraryError(
                        f'No more than {len(known)} distinct problems of difficulty {difficulty} were found for "'
                        f'{self.template}"; ask for fewer, or for another difficulty.'
                    )
                continue
            misses = 0
            known.add(draw.problem)
            yield draw


def generator(template: str, *, check: Check) -> Callable[[Drawer], Generator]:
    """Make a drawer the generator of the named template's problems."""
    return lambda drawer: Generator(template, drawer, check)


def seed_generators() -> dict[str, Generator]:
    """Return the generators that come with the package, by the slug of their template, in order."""
    from library.seed import generators

    found: dict[str, Generator] = {}
    for module in walk_packages(generators.__path__, generators.__name__ + "."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, Generator):
                found[value.slug] = value
    return dict(sorted(found.items()))


def check_program(check: Check, draws: Sequence[Draw]) -> str:
    """Return a program that prints, a line a draw, the answer that the check derives."""
    values = json.dumps([dict(draw.values) for draw in draws])
    return (
        f"{inspect.getsource(check)}\n\nimport json\n\nfor values in json.loads({values!r}):\n"
        f"    print(json.dumps(str({check.__name__}(**values))))\n"
    )


def disagreements(
    check: Check, draws: Sequence[Draw], runner: ProgramRunner, comparer: AnswerComparer
) -> Iterator[tuple[int, str]]:
    """Check draws in one process; yield the place of each that is not confirmed, and why.

    Raises:
        Exception: what `runner` raises where it can run no program at all.
    """
    output = runner.run(check_program(check, draws))
    lines = output.printed.splitlines()
    for place, draw in enumerate(draws):
        if place >= len(lines) or not output.ok:
            yield place, output.reason or "the check printed nothing"
            continue
        try:
            derived = json.loads(lines[place])
        except ValueError:
            yield place, f"the check printed {lines[place][:80]!r}"
            continue
        example = Example(problem=draw.problem, answer=draw.answer, grader=draw.grader)
        if derived != draw.answer and comparer.compare(f"answer = {derived}", example).right is not True:
            yield place, f'the answer is "{draw.answer}", the check derives "{derived}"'
