"""Problems to train on and problems to evaluate on: the same kinds of problem, but no problem in both."""

import random
from collections.abc import Collection, Sequence

from library.generating import seed_generators
from reasonflux.errors import UsageError
from training.problems import TrainingProblem, draw_problems, same_text

_APART = 1_000_003
"""What the seed of held-out draws is ahead of that of the others."""
_TRIES = 4


def drawn_apart(
    slugs: Collection[str],
    train: int,
    held_out: int,
    *,
    difficulty: int,
    seed: int,
    templates: int | None = None,
    among: Sequence[str] = (),
) -> tuple[list[TrainingProblem], list[TrainingProblem]]:
    """Return fresh problems to train on and held-out ones of the same templates; a function of the arguments alone.

    Args:
        slugs: of the templates that the library holds.
        train: problems to train on.
        held_out: problems to evaluate on.
        difficulty: 1, 2 or 3.
        seed: of the choice of templates and of the draws.
        templates: how many templates to draw of; None for all.
        among: the templates to draw of.

    Raises:
        UsageError: there are no such templates, not so many, or not so many problems.
    """
    generators = seed_generators()
    able = sorted(slug for slug in generators if slug in slugs)
    unknown = [slug for slug in among if slug not in able]
    if unknown:
        raise UsageError(
            f"No problem can be drawn for the template {unknown[0]}: the library has no such active template, or there "
            "is no generator for it; `reasonflux library generate --list` shows those there are."
        )
    chosen = list(among) or able
    if templates is not None:
        if templates > len(able):
            raise UsageError(f"Problems can be drawn of {len(able)} templates of this library, not of {templates}.")
        chosen = sorted(random.Random(f"templates/{seed}").sample(able, templates))
    learned = draw_problems(generators, train, difficulty=difficulty, seed=seed, among=chosen)
    known = {same_text(problem.text) for problem in learned}
    more = draw_problems(generators, held_out, difficulty=difficulty, seed=seed + _APART, among=chosen)
    for _ in range(_TRIES):
        fresh = [problem for problem in more if same_text(problem.text) not in known]
        if len(fresh) >= held_out:
            return learned, fresh[:held_out]
        # Some are known: draw as many more.
        wanted = len(more) + (held_out - len(fresh))
        more = draw_problems(generators, wanted, difficulty=difficulty, seed=seed + _APART, among=chosen)
    raise UsageError(
        f"There are not {held_out} problems of these templates besides those to train on; draw of more templates, or "
        "another difficulty."
    )


def taken_apart(
    train: Sequence[TrainingProblem], held_out: Sequence[TrainingProblem]
) -> tuple[list[TrainingProblem], list[TrainingProblem], int]:
    """Return problems to train on, the held-out ones that are not among them, and how many were left out for it.

    Raises:
        UsageError: every held-out problem is one to train on.
    """
    known = {same_text(problem.text) for problem in train}
    kept = [problem for problem in held_out if same_text(problem.text) not in known]
    if not kept:
        raise UsageError("Every held-out problem is among those to train on; give others.")
    return list(train), kept, len(held_out) - len(kept)
