"""Running many records: some at a time, each finished one handed to one writer, stoppable between events."""

import queue
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from reasonflux.errors import ReasonFluxError

Item = TypeVar("Item")
GRACE_SECONDS = 10.0


@dataclass
class Tally:
    """Counts over the documents of a batch."""

    n: int = 0
    answered: int = 0
    no_answer: int = 0
    failed: int = 0
    correct: int = 0
    graded: int = 0
    ungradable: int = 0
    _sums: dict[str, float] = field(default_factory=dict)

    def add(self, document: dict[str, Any]) -> None:
        """Count one document."""
        self.n += 1
        status = document["status"]
        self.answered += status == "answered"
        self.no_answer += status == "no_answer"
        self.failed += status == "failed"
        self.graded += document.get("grading") == "graded"
        self.ungradable += document.get("grading") == "ungradable"
        self.correct += document.get("correct") is True
        if status != "failed":
            usage = document.get("usage") or {}
            for key in ("completion_tokens", "prompt_tokens", "cached_tokens"):
                self._sums[key] = self._sums.get(key, 0) + usage.get(key, 0)
            self._sums["seconds"] = self._sums.get("seconds", 0.0) + document.get("seconds", 0.0)

    @property
    def accuracy(self) -> float | None:
        """Share of graded records that are correct, or None when none was graded."""
        return self.correct / self.graded if self.graded else None

    def mean(self, key: str) -> float | None:
        """Return a sum per record that ran, or None when none did.

        Args:
            key: `completion_tokens`, `prompt_tokens`, `cached_tokens` or `seconds`.
        """
        ran = self.n - self.failed
        return self._sums.get(key, 0.0) / ran if ran else None

    def document(self) -> dict[str, Any]:
        """Return the summary as JSON values; means are per record that ran, seconds are seconds."""
        return {
            "n": self.n,
            "answered": self.answered,
            "no_answer": self.no_answer,
            "failed": self.failed,
            "graded": self.graded,
            "correct": self.correct,
            "accuracy": self.accuracy,
            "ungradable": self.ungradable,
            "mean_completion_tokens": self.mean("completion_tokens"),
            "mean_prompt_tokens": self.mean("prompt_tokens"),
            "mean_cached_tokens": self.mean("cached_tokens"),
            "mean_seconds": self.mean("seconds"),
            "total_seconds_of_runs": self._sums.get("seconds", 0.0),
        }


class Crew(Generic[Item]):
    """Threads that work items off and hand each result to the thread that called `run`."""

    def __init__(self, work: Callable[[Item, Callable[[], bool]], dict[str, Any] | None], size: int) -> None:
        """Prepare a crew.

        Args:
            work: makes an item's document. It is called with the item and a function that says whether to stop;
                it returns None when it stopped before it was done. It is called from several threads at once.
            size: number of threads.
        """
        self._work = work
        self._size = size
        self._stop = threading.Event()

    def run(self, items: Sequence[Item], take: Callable[[dict[str, Any]], None]) -> bool:
        """Work all items off, in completion order.

        Args:
            items: what to work on.
            take: receives each document, always on the calling thread.

        Returns:
            Whether all items were done; False after an interrupt, once what was finished has been taken.

        Raises:
            ReasonFluxError: `work` or `take` failed; the others are stopped first.
        """
        waiting = deque(items)
        results: queue.Queue[dict[str, Any] | BaseException | None] = queue.Queue()
        threads = [
            threading.Thread(target=self._labour, args=(waiting, results), daemon=True)
            for _ in range(min(self._size, len(items)))
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in threads:
                self._take_until_one_ends(results, take)
        except KeyboardInterrupt:
            self._wind_down(threads, results, take)
            return False
        except BaseException:
            self._wind_down(threads, results, None)
            raise
        return True

    def _labour(self, waiting: deque[Item], results: "queue.Queue[dict[str, Any] | BaseException | None]") -> None:
        try:
            while not self._stop.is_set():
                try:
                    item = waiting.popleft()
                except IndexError:
                    break
                document = self._work(item, self._stop.is_set)
                if document is not None:
                    results.put(document)
        except BaseException as error:
            results.put(error)
        finally:
            results.put(None)

    def _take_until_one_ends(
        self,
        results: "queue.Queue[dict[str, Any] | BaseException | None]",
        take: Callable[[dict[str, Any]], None],
    ) -> None:
        while (result := results.get()) is not None:
            if isinstance(result, ReasonFluxError):
                raise result
            if isinstance(result, BaseException):
                raise ReasonFluxError(f"A worker of the batch broke: {type(result).__name__}: {result}.") from result
            with _uninterrupted():
                take(result)

    def _wind_down(
        self,
        threads: list[threading.Thread],
        results: "queue.Queue[dict[str, Any] | BaseException | None]",
        take: Callable[[dict[str, Any]], None] | None,
    ) -> None:
        """Stop the threads, wait a little for them, and take what is done. A second interrupt cuts the wait."""
        self._stop.set()
        try:
            for thread in threads:
                thread.join(GRACE_SECONDS / len(threads))
        except KeyboardInterrupt:
            self._stop.set()
        while take is not None:
            try:
                result = results.get_nowait()
            except queue.Empty:
                break
            if isinstance(result, dict):
                with _uninterrupted():
                    take(result)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Put an interrupt off to the end of the block, so that a document is both written and counted, or neither."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number, handler in before.items():
        if callable(handler):
            signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt
