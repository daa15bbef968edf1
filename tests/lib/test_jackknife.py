"""The jackknife over topics: laws that hold for all scores, and groups of topics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import t as student

from lib.statistics.jackknife import grouped, groups, jackknife

SCORES = arrays(float, st.integers(2, 30), elements=st.floats(0, 1).map(lambda x: round(x, 6)))


def without_each(scores, statistic):
    return [statistic(np.delete(scores, i, axis=0)) for i in range(len(scores))]


@given(SCORES)
def test_of_a_mean_it_is_the_usual_t_interval(scores):
    found = jackknife(scores.mean(), without_each(scores, np.mean))
    error = scores.std(ddof=1) / np.sqrt(len(scores))
    assert found.error == pytest.approx(error, abs=1e-9)
    low, high = scores.mean() + np.array([-1, 1]) * error * student.ppf(0.975, len(scores) - 1)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-6, abs=1e-6)
    assert found.low <= found.estimate <= found.high


# Groups of topics.


@given(st.integers(2, 60), st.integers(2, 8), st.integers(1, 4), st.integers(0, 9))
def test_groups_part_the_topics_as_evenly_as_can_be(topics, number, times, seed):
    rng = np.random.default_rng(seed)
    if number > topics:
        with pytest.raises(ValueError, match="cannot be parted"):
            groups(topics, number=number, times=times, rng=rng)
        return
    found = groups(topics, number=number, times=times, rng=rng)
    assert len(found) == times
    for parting in found:
        assert sorted(np.concatenate(parting)) == list(range(topics))
        sizes = [len(group) for group in parting]
        assert len(sizes) == number and max(sizes) - min(sizes) <= 1


@given(SCORES)
def test_groups_of_one_topic_are_the_jackknife(scores):
    without = without_each(scores, np.median)
    one = jackknife(np.median(scores), without)
    many = grouped(np.median(scores), [without, without[::-1]], topics=len(scores))
    assert (many.error, many.low) == pytest.approx((one.error, one.low), abs=1e-9)


def test_few_partings_have_few_degrees_of_freedom():
    """Their number is that of a chi-squared with the spread that the squared error has."""
    found = grouped(0.0, [[-0.1, 0.1, 0.2]], topics=50)
    assert found.high == pytest.approx(student.ppf(0.975, 2) * found.error)
    rng = np.random.default_rng(4)
    squares, ratio = [], None
    for _ in range(1500):
        scores = rng.standard_normal(30)
        without = [
            [(scores.sum() - scores[group].sum()) / (30 - len(group)) for group in parting]
            for parting in groups(30, times=6, rng=rng)
        ]
        found = grouped(scores.mean(), without, topics=30)
        squares.append(found.error**2)
        ratio = (found.high - found.estimate) / found.error
    freedom = 2 * np.mean(squares) ** 2 / np.var(squares)
    assert ratio == pytest.approx(student.ppf(0.975, freedom), rel=0.01)
