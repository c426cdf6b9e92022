"""Running the programs of examples and comparing what they print with the answers.

Nothing is remembered from one run to the next: a result says what a program did now, on this system.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

from library.protocols import AnswerComparer, ProgramRunner
from library.template import Example, Template

Part = Literal["program", "check"]
Outcome = Literal["right", "wrong", "undecided", "failed"]

_SHOWN_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one program of one example came to.

    Attributes:
        template: the template's slug.
        example: which example, counted from 1.
        part: its `program`, which carries out the steps, or its independent `check`.
        outcome: `right`; `wrong` (another answer, or none); `undecided` (the answers can't be compared); `failed` (an
            error, or a limit).
        expected: the example's answer.
        printed: the answer printed, or the end of the output where none was found in it.
        reason: why it is not right; empty where it is.
        seconds: how long the program ran.
    """

    template: str
    example: int
    part: Part
    outcome: Outcome
    expected: str
    printed: str
    reason: str = ""
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether the program printed the answer."""
        return self.outcome == "right"


class Job(NamedTuple):
    """One program to run: which template's, which example's (counted from 1), and which of its two."""

    template: str
    number: int
    example: Example
    part: Part
    source: str


def jobs_of(template: Template, slug: str | None = None) -> list[Job]:
    """Return the programs of a template's examples, in order; `slug` is the one it has in its library."""
    return [
        Job(slug or template.slug, number, example, part, source)
        for number, example in enumerate(template.examples, start=1)
        for part, source in _sources(example)
        if source
    ]


def _sources(example: Example) -> tuple[tuple[Part, str | None], ...]:
    return ("program", example.program), ("check", example.check)


def verify_template(template: Template, runner: ProgramRunner, comparer: AnswerComparer) -> list[CheckResult]:
    """Run every program of a template's examples; return what each came to, in order.

    Raises:
        Exception: what `runner` raises where it can run no program at all.
    """
    return [verify_one(job, runner, comparer) for job in jobs_of(template)]


def verify_one(job: Job, runner: ProgramRunner, comparer: AnswerComparer) -> CheckResult:
    """Run one program and compare what it printed with the example's answer."""
    output = runner.run(job.source)
    answer = job.example.answer
    shown = _end(output.printed)
    if not output.ok:
        outcome: Outcome = "failed"
        reason = output.reason or "the program failed"
    elif not output.printed.strip():
        outcome, reason = "wrong", "it printed nothing"
    else:
        found = comparer.compare(output.printed, job.example)
        outcome = "undecided" if found.right is None else "right" if found.right else "wrong"
        shown = _end(found.value) if found.value else shown
        reason = "" if found.right else found.note
    return CheckResult(job.template, job.number, job.part, outcome, answer, shown, reason, round(output.seconds, 3))


def verify_all(
    jobs: Iterable[Job], runner: ProgramRunner, comparer: AnswerComparer, *, parallel: int = 1
) -> Iterator[CheckResult]:
    """Yield what each program came to, in order, while up to `parallel` run at a time.

    Jobs are taken as they are needed. Where the caller stops early, those not yet begun never run.

    Raises:
        Exception: what `runner` raises where it can run no program at all; the rest does not run.
    """
    waiting = iter(jobs)
    pool = ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="verify")
    try:
        running: deque[Future[CheckResult]] = deque()

        def begin(number: int) -> None:
            running.extend(pool.submit(verify_one, job, runner, comparer) for job in islice(waiting, number))

        begin(2 * parallel)
        while running:
            yield running.popleft().result()
            begin(1)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _SHOWN_CHARACTERS else "…" + text[-_SHOWN_CHARACTERS:]
