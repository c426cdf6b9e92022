"""Handing jobs to lanes in rotation, taking no more than they have room for, and again to others when one is lost."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from reasonflux.errors import ModelUnavailable
from training.engines.base import Job, Lane, Result, WorkerLost

RETRIES = 2
"""Times the job of a lost worker is done again."""
LOSSES = 7
"""Losses in a row after which a lane is given up; more than two jobs that no worker survives can cause."""


@dataclass
class _Place:
    """A lane with what is known of it."""

    lane: Lane
    busy: int = 0
    losses: int = 0

    @property
    def is_free(self) -> bool:
        return self.busy < self.lane.slots and self.losses < LOSSES


@dataclass(frozen=True)
class _Sent:
    """A job that was handed over, to which place, and how often it was before."""

    place: _Place
    job: Job
    tries: int


def dispatch(jobs: Iterable[Job], lanes: Sequence[Lane], *, retries: int = RETRIES) -> Iterator[Result]:
    """Yield a result for each job, in order of completion.

    A job whose worker is lost is done again at most `retries` times, by another lane where there is one, and then has
    the result `lost`. A lane that loses too many jobs in a row is given up.

    Args:
        jobs: taken one by one, as there is room.
        lanes: the ways to the workers.
        retries: times a job is done again.

    Raises:
        ModelUnavailable: every lane was given up; the results yielded so far stand.
    """
    places = deque(_Place(lane) for lane in lanes)
    source = iter(jobs)
    again: deque[tuple[Job, int]] = deque()
    pending: dict[Future[Result], _Sent] = {}
    reason = ""
    while True:
        while (place := _next_free(places)) is not None:
            item = again.popleft() if again else _first(source)
            if item is None:
                break
            pending[place.lane.submit(item[0])] = _Sent(place, *item)
            place.busy += 1
        if not pending:
            if again or _first(source) is not None:
                raise ModelUnavailable(
                    f"No worker is left ({reason or 'none was given'}); what is done stands, so start again when one "
                    "can be reached."
                )
            return
        done, _ = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            sent = pending.pop(future)
            sent.place.busy -= 1
            error = future.exception()
            if error is None:
                sent.place.losses = 0
                yield future.result()
                continue
            if not sent.place.lane.is_loss(error):
                raise error
            reason = f"{sent.place.lane.name}: {error}"
            _after_loss(sent.place)
            if sent.tries < retries:
                again.append((sent.job, sent.tries + 1))
            else:
                yield Result(key=sent.job.key, unknown="lost", note=reason[:300])


def _next_free(places: deque[_Place]) -> _Place | None:
    for _ in range(len(places)):
        places.rotate(-1)
        if places[-1].is_free:
            return places[-1]
    return None


def _first(source: Iterator[Job]) -> tuple[Job, int] | None:
    job = next(source, None)
    return None if job is None else (job, 0)


def _after_loss(place: _Place) -> None:
    place.losses += 1
    try:
        place.lane.renew()
    except WorkerLost:
        place.losses = LOSSES
