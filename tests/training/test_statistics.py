"""The interval of a mean over clustered values."""

import numpy as np
import pytest

from training.statistics import clustered_mean


def test_mean_and_counts() -> None:
    found = clustered_mean([1.0, 0.0, 1.0, 1.0], ["a", "a", "b", "c"])
    assert (found.mean, found.values, found.clusters) == (0.75, 4, 3)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0.75 <= found.high


def test_it_is_a_function_of_its_arguments() -> None:
    values, clusters = [0.0, 1.0, 0.5, 1.0], [1, 2, 3, 3]
    assert clustered_mean(values, clusters, seed=1) == clustered_mean(values, clusters, seed=1)
    renamed = clustered_mean(values, ["x", "y", "z", "z"], seed=1)
    assert renamed == clustered_mean(values, clusters, seed=1)


def test_values_of_one_cluster_count_as_one() -> None:
    """Ten equal copies of each value say nothing new; without clusters the interval would shrink by √10."""
    values = list(np.random.default_rng(0).normal(size=40))
    single = clustered_mean(values, range(40))
    copied = clustered_mean(np.repeat(values, 10).tolist(), np.repeat(range(40), 10).tolist())
    assert copied.mean == pytest.approx(single.mean)
    assert (copied.low, copied.high) == pytest.approx((single.low, single.high))
    apart = clustered_mean(np.repeat(values, 10).tolist(), range(400))
    assert apart.high - apart.low < 0.5 * (copied.high - copied.low)


def test_it_covers_as_often_as_it_says() -> None:
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(200):
        centres = generator.normal(size=40)
        values = (centres[:, None] + 0.3 * generator.normal(size=(40, 2))).ravel()
        found = clustered_mean(values.tolist(), np.repeat(range(40), 2).tolist(), draws=1000)
        covered += found.low <= 0.0 <= found.high
    assert 180 <= covered <= 199


def test_one_cluster_has_no_interval() -> None:
    found = clustered_mean([1.0, 0.0], ["a", "a"])
    assert (found.mean, found.low, found.high) == (0.5, None, None)


@pytest.mark.parametrize(("values", "clusters"), [([], []), ([1.0], []), ([float("nan")], ["a"])])
def test_what_is_no_sample_is_refused(values: list[float], clusters: list[str]) -> None:
    with pytest.raises(ValueError, match="clustered_mean"):
        clustered_mean(values, clusters)
