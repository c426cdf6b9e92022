"""What a generator returns, for callers who do not pass on what it yields."""

from collections.abc import Callable, Generator
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def returned(run: Generator[Item, None, Result], see: Callable[[Item], object] = lambda item: None) -> Result:
    """Run a generator to its end and return what it returns; each item it yields is shown to `see`."""
    while True:
        try:
            item = next(run)
        except StopIteration as stop:
            result: Result = stop.value
            return result
        see(item)
