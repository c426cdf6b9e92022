"""More worked examples for a template that has a generator: a problem is found by its wording, and one tells only one.

The draws that read least alike are taken, so that as many of the generator's wordings and situations as possible lead
to the template. They are a function of the generator alone.
"""

import inspect
import itertools
from collections.abc import Sequence

from library.generating import DIFFICULTIES, Check, Draw, Generator
from library.template import Example, Template
from library.wording import same_order, words

DRAWN = 4
_CANDIDATES = 6
_SEED = 0
_PROBE_LIKENESS = 0.5
"""Likeness with a probe from which a draw is left out: what measures finding must not be what is found."""


def with_drawn_examples(template: Template, generator: Generator, number: int = DRAWN) -> Template:
    """Return a template with `number` drawn problems as further `index` examples, each with its check."""
    probes = [words(example.problem) for example in template.examples if example.role == "probe"]
    known = [words(example.problem) for example in template.examples if example.role == "index"]
    left = [
        (draw, words(draw.problem))
        for difficulty in DIFFICULTIES
        for draw in itertools.islice(generator.draws(_CANDIDATES, seed=_SEED, difficulty=difficulty), _CANDIDATES)
        if draw.answer not in map(str, _flat(draw.values.values()))
    ]
    left = [(draw, said) for draw, said in left if all(same_order(said, probe) <= _PROBE_LIKENESS for probe in probes)]
    chosen: list[Example] = []
    while left and len(chosen) < number:
        draw, said = min(left, key=lambda item: max((same_order(item[1], other) for other in known), default=0.0))
        left.remove((draw, said))
        known.append(said)
        check = check_of(generator.check, draw)
        chosen.append(Example(problem=draw.problem, answer=draw.answer, grader=draw.grader, check=check))
    return template.model_copy(update={"examples": (*template.examples, *chosen)})


def check_of(check: Check, draw: Draw) -> str:
    """Return a program that derives the answer of one draw and prints it."""
    return f"{inspect.getsource(check)}\n\nprint({check.__name__}(**{dict(draw.values)!r}))\n"


def _flat(values: object) -> Sequence[object]:
    if isinstance(values, list | tuple) or (hasattr(values, "__iter__") and not isinstance(values, str)):
        return [inner for value in values for inner in _flat(value)]
    return [values]
