"""Measuring one thing against another in turn, so that whatever else the machine does falls on both."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table: a ratio with the range it was measured in, and the target it is held against."""

    name: str
    ours: str
    bare: str
    ratio: float
    low: float
    high: float
    target: float | None
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the ratio is on the right side of the target, where there is one."""
        if self.target is None:
            return True
        return self.ratio >= self.target if self.at_least else self.ratio <= self.target

    def __str__(self) -> str:
        """Return the row in Markdown."""
        wanted, met = "", ""
        if self.target is not None:
            wanted, met = f"{'≥' if self.at_least else '≤'} {self.target:g}", "yes" if self.is_met else "NO"
        measured = f"**{self.ratio:.3g}** ({self.low:.3g} to {self.high:.3g})"
        return f"| {self.name} | {self.ours} | {self.bare} | {measured} | {wanted} | {met} |"


HEAD = (
    "| work | ours | bare | ratio: median (range) | target | met |\n"
    "| ---- | ---- | ---- | --------------------- | ------ | --- |"
)


def seconds(work: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def in_turn(
    ours: Callable[[], object], bare: Callable[[], object], runs: int, *, calls: int = 1
) -> list[tuple[float, float]]:
    """Return the seconds that a call of ours and one of the bare library take, in turn, after one unmeasured pair.

    Args:
        ours: our work.
        bare: the same work with the bare library.
        runs: how many pairs.
        calls: how many calls make one measurement.
    """

    def repeated(work: Callable[[], object]) -> float:
        return seconds(lambda: [work() for _ in range(calls)]) / calls

    ours()
    bare()
    return [(repeated(ours), repeated(bare)) for _ in range(runs)]


def compared(
    name: str, pairs: Sequence[tuple[float, float]], target: float | None, *, inverse: bool = False, unit: str = "ms"
) -> Row:
    """Return the row of some pairs of seconds: ours by bare, or with `inverse` bare by ours, a ratio of speeds."""
    factor = {"ms": 1e3, "s": 1.0}[unit]
    ratios = [theirs / mine if inverse else mine / theirs for mine, theirs in pairs]
    mine, theirs = (statistics.median(column) * factor for column in zip(*pairs, strict=True))
    return Row(
        name,
        f"{mine:.3g} {unit}",
        f"{theirs:.3g} {unit}",
        statistics.median(ratios),
        min(ratios),
        max(ratios),
        target,
        at_least=inverse,
    )
