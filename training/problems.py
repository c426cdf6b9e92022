"""The problems that trajectories are sampled for: those of a file, or fresh ones of the templates' generators."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from library.errors import LibraryError
from library.generating import Draw, Generator
from library.template import content_hash, name_key
from reasonflux.errors import RecordError, UsageError
from reasonflux.records import Record, RecordProblem, read_records
from reasonflux.types import GradedProblem, Problem
from training.records import listed


@dataclass(frozen=True)
class TrainingProblem:
    """A problem with its gold answer.

    Attributes:
        line: its line in its file, or its number among those drawn.
        id: its own id.
        content_hash: hash of problem, gold and grader.
        template: slug of the template it was drawn for, None where it is of another origin.
    """

    line: int
    id: str
    graded: GradedProblem
    content_hash: str
    template: str | None = None

    @property
    def text(self) -> str:
        """The problem's text."""
        return self.graded.problem.text


def read_problems(path: Path) -> list[TrainingProblem]:
    """Return the problems of a JSONL file; of several with one text the first stands.

    Raises:
        RecordError: it can't be read, holds no problem, or some of its items are no records.
    """
    found: dict[str, TrainingProblem] = {}
    wrong = []
    for item in read_records(path):
        if isinstance(item, RecordProblem):
            wrong.append(f"{path}:{item.line}: {item.reason}")
        else:
            found.setdefault(same_text(item.graded.problem.text), _of_record(item))
    if wrong:
        raise RecordError(f"{listed(wrong)}; correct or remove {'it' if len(wrong) == 1 else 'them'}.")
    if not found:
        raise RecordError(f"{path} holds no problem; give a file with one JSON object a line.")
    return list(found.values())


def draw_problems(
    generators: Mapping[str, Generator],
    number: int,
    *,
    difficulty: int,
    seed: int,
    among: Collection[str] | None = None,
) -> list[TrainingProblem]:
    """Return fresh problems, spread evenly over generators; a function of number, difficulty, seed and those alone.

    Args:
        generators: by the slug of their template.
        number: how many problems.
        difficulty: 1, 2 or 3.
        seed: of the draws and of the order in which generators come.
        among: slugs of the templates to draw for; None for all.

    Raises:
        UsageError: no generator is left, or together they have not so many problems.
    """
    slugs = sorted(slug for slug in generators if among is None or slug in among)
    if not slugs:
        raise UsageError("No problem can be drawn for these templates; `reasonflux library generate --list` shows all.")
    random.Random(f"draw/{seed}").shuffle(slugs)
    drawn: dict[str, list[Draw]] = {}
    rounds = 0
    while sum(map(len, drawn.values())) < number:
        rounds += 1
        missing = number - sum(map(len, drawn.values()))
        before = missing
        for slug in slugs:
            if missing == 0:
                break
            # Draws of more are those of fewer and one more, so that each round adds to the last.
            draws = _draws(generators[slug], rounds, seed=seed, difficulty=difficulty)
            missing -= len(draws) - len(drawn.get(slug, ()))
            drawn[slug] = draws
        if missing == before:
            raise UsageError(
                f"No more than {number - missing} distinct problems of difficulty {difficulty} can be drawn; ask for "
                "fewer, or for another difficulty."
            )
    ordered = [
        (slug, place, draws[place - 1])
        for place in range(1, rounds + 1)
        for slug, draws in drawn.items()
        if place <= len(draws)
    ]
    return [
        of_draw(draw, slug, f"{slug}/{difficulty}/{seed}/{place}", line=line)
        for line, (slug, place, draw) in enumerate(ordered, start=1)
    ]


def of_draw(draw: Draw, slug: str, identity: str, *, line: int = 0) -> TrainingProblem:
    """Return a drawn problem as a training problem."""
    graded = GradedProblem(problem=Problem(text=draw.problem), gold=draw.answer, grader=draw.grader, record_id=identity)
    said = {"problem": draw.problem, "answer": draw.answer, "grader": draw.grader}
    return TrainingProblem(line, identity, graded, content_hash(said), slug)


def require_golds(problems: Sequence[TrainingProblem], what: str) -> None:
    """Refuse problems without a gold answer.

    Args:
        problems: the problems.
        what: what needs the answers, as the message says it.

    Raises:
        RecordError: some have none; the message names the first of them.
    """
    without = [f"problem {problem.id} (line {problem.line})" for problem in problems if problem.graded.gold is None]
    if without:
        raise RecordError(f"{what} needs gold answers, which these lack: {listed(without)}; add an 'answer' to each.")


def same_text(text: str) -> str:
    """Return the key under which two texts are one problem: letter case and spaces do not count."""
    return name_key(text)


def _of_record(record: Record) -> TrainingProblem:
    return TrainingProblem(record.line, record.id, record.graded, record.content_hash, record.template)


def _draws(generator: Generator, number: int, *, seed: int, difficulty: int) -> list[Draw]:
    """Return up to so many draws: those there are, where a generator has fewer."""
    draws: list[Draw] = []
    try:
        draws.extend(generator.draws(number, seed=seed, difficulty=difficulty))
    except LibraryError:
        return draws
    return draws
