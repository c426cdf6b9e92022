"""Intervals for means whose values come in clusters, by resampling whole clusters (bootstrap, percentile)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

_CHUNK = 5_000_000


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval; `low` and `high` are None where there are fewer than two clusters."""

    mean: float
    low: float | None
    high: float | None
    values: int
    clusters: int


def clustered_mean(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> Estimate:
    """Return the mean of values and its percentile interval when clusters, not values, are drawn anew.

    Values of one cluster (pairs of one problem, say) depend on one another; drawing them apart would make the interval
    too narrow. For a paired comparison give the differences.

    Args:
        values: the values, of shape (n,).
        clusters: the cluster of each value, of shape (n,).
        level: probability that the interval is to cover, in (0, 1).
        draws: number of resamples.
        seed: seed of the resampling.

    Raises:
        ValueError: there is no value, one is not finite, or the lengths differ.
    """
    import numpy as np

    given = np.asarray(values, dtype=np.float64)
    if given.size == 0 or given.size != len(clusters) or not np.isfinite(given).all():
        raise ValueError("clustered_mean needs values that are finite, at least one, and a cluster for each.")
    numbers: dict[Hashable, int] = {}
    member = np.array([numbers.setdefault(cluster, len(numbers)) for cluster in clusters])
    count = len(numbers)
    mean = float(given.mean())
    if count < 2:
        return Estimate(mean, None, None, given.size, count)
    sums = np.bincount(member, weights=given, minlength=count)
    sizes = np.bincount(member, minlength=count)
    generator = np.random.default_rng(seed)
    step = max(1, _CHUNK // count)
    means = []
    for begin in range(0, draws, step):
        drawn = generator.integers(count, size=(min(step, draws - begin), count))
        means.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    low, high = np.quantile(np.concatenate(means), [(1 - level) / 2, (1 + level) / 2])
    return Estimate(mean, float(low), float(high), given.size, count)
