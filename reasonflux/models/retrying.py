"""Bounded retries with backoff, as servers ask for them."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

LONGEST_WAIT = 60.0
_FIRST_WAIT = 0.5
_LONGEST_BACKOFF = 16.0

T = TypeVar("T")


class Retryable(Exception):
    """A failure worth another try. `retry_after` is the server's Retry-After header, where it sent one.

    `error` is what to raise once no try is left.
    """

    def __init__(self, error: Exception, retry_after: str | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after = retry_after


@dataclass(frozen=True)
class Retries:
    """A policy: at most `limit` tries after the first, waiting in between.

    `sleep` (seconds) and `jitter` (a number from 0 to 1) are replaceable so that tests take no time.
    """

    limit: int = 4
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random

    def run(self, attempt: Callable[[], T]) -> T:
        """Return what `attempt` returns, trying again while it raises `Retryable`.

        A server that asks for a wait longer than `LONGEST_WAIT` is not waited for: the user decides when to go on.

        Raises:
            Exception: the error of the last `Retryable` when no try is left.
        """
        for number in range(self.limit):
            try:
                return attempt()
            except Retryable as failure:
                asked = seconds_of(failure.retry_after)
                if asked is not None and asked > LONGEST_WAIT:
                    raise failure.error from failure
                self.sleep(self._backoff(number) if asked is None else asked)
        try:
            return attempt()
        except Retryable as failure:
            raise failure.error from failure

    def _backoff(self, number: int) -> float:
        longest: float = min(_LONGEST_BACKOFF, _FIRST_WAIT * 2.0**number)
        return longest * (0.5 + 0.5 * self.jitter())


def seconds_of(retry_after: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds a Retry-After header asks to wait, at least 0, or None when it is absent or unreadable.

    Args:
        retry_after: seconds, or an HTTP date.
        now: the present; the clock's when None.
    """
    if retry_after is None:
        return None
    try:
        asked = float(retry_after)
    except ValueError:
        try:
            date = parsedate_to_datetime(retry_after)
        except ValueError:
            return None
        date = date if date.tzinfo is not None else date.replace(tzinfo=UTC)
        asked = (date - (now or datetime.now(UTC))).total_seconds()
    # A NaN is smaller than nothing and larger than nothing; it asks for no wait that could be meant.
    return max(asked, 0.0) if asked == asked else None
