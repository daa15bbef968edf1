"""Predictive power against a plain loop over SciPy's tau, and its laws."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from strange import small

from lib import load
from lib.measures import complete_scores
from lib.statistics.predictivity import (
    against_new_topics,
    more_topics,
    phis_without_each_topic,
    predictivity,
    set_sizes,
    splits,
    stack,
    without_topics,
)


def tables(seed, topics=8, systems=6, measures=3):
    rng = np.random.default_rng(seed)
    # Scores on a coarse grid, so that means tie.
    return {
        f"M{i}": pd.DataFrame(rng.integers(0, 4, (topics, systems)) / 4) for i in range(measures)
    }


@given(st.integers(0, 10**6))
def test_phi_equals_a_plain_loop_over_scipy(seed):
    given_scores = tables(seed, systems=9)
    sets = splits(8, number=7, rng=np.random.default_rng(seed))
    result = predictivity(given_scores, sets)
    for a in given_scores:
        for b in given_scores:
            taus = []
            for one, two in sets:
                both = []
                for first, second in ((a, b), (b, a)):
                    x = given_scores[first].iloc[one].mean().round(10)
                    y = given_scores[second].iloc[two].mean().round(10)
                    both.append(scipy.stats.kendalltau(x, y).statistic)
                taus.append(np.mean(both))
            assert result.phi.loc[a, b] == pytest.approx(np.mean(taus), abs=1e-12, nan_ok=True)
            error = np.std(taus, ddof=1) / np.sqrt(len(taus))
            assert result.error.loc[a, b] == pytest.approx(error, abs=1e-12, nan_ok=True)


@given(st.integers(2, 30), st.data())
def test_sets_are_disjoint_and_of_the_size_asked_for(topics, data):
    size = data.draw(st.integers(1, topics // 2))
    drawn = splits(topics, size=size, number=5, rng=np.random.default_rng(0))
    assert drawn.shape == (5, 2, size)
    for one, two in drawn:
        assert len({*one, *two}) == 2 * size
        assert max(*one, *two) < topics


def test_means_that_are_not_rounded_are_added_up_in_the_order_of_the_topics():
    """Their last bit ranks systems that are equal: no product of matrices may give it."""
    rng = np.random.default_rng(4)
    values = rng.permuted(np.tile(np.repeat([0.1, 0.2, 0.3, 0.7], 6)[:, None], (1, 9)), axis=0)
    sets = splits(24, number=5, rng=rng)
    ours = predictivity({"M": pd.DataFrame(values)}, sets, decimals=None).phi.loc["M", "M"]
    means = [[sum(values[topic] for topic in sorted(side)) / 12 for side in two] for two in sets]
    taus = [scipy.stats.kendalltau(*pair).statistic for pair in means]
    assert ours == pytest.approx(np.mean(taus), abs=1e-12)
    rounded = predictivity({"M": pd.DataFrame(values)}, sets).phi.loc["M", "M"]
    assert ours != rounded  # equal sums were ranked by their last bit


# A population of topics, and halves against new topics from it.


def test_new_topics_have_the_means_and_covariances_of_the_old():
    values = stack(tables(5, topics=12, systems=4))
    drawn = more_topics(values, 200_000, np.random.default_rng(1))
    old, new = (v.transpose(1, 0, 2).reshape(v.shape[1], -1) for v in (values, drawn))
    np.testing.assert_allclose(new.mean(axis=0), old.mean(axis=0), atol=0.01)
    np.testing.assert_allclose(np.cov(new.T), np.cov(old.T), atol=0.01)


def test_halves_of_a_random_set_of_topics_have_no_bias():
    c = load("trec8")
    given_scores = {name: complete_scores(c, name).iloc[:, ::4] for name in ("P@10", "AP")}
    halved, new = against_new_topics(
        given_scores, samples=400, number=10, pairs=2000, rng=np.random.default_rng(8)
    )
    assert (halved.shape, new.shape) == ((400, 2, 2), (2000, 2, 2))
    error = np.sqrt(halved.var(axis=0) / len(halved) + new.var(axis=0) / len(new))
    assert (np.abs(halved.mean(axis=0) - new.mean(axis=0)) < 4 * error).all()
    assert (error < 0.01).all()


def test_predictive_power_without_topics_is_that_of_sets_without_them():
    """A topic goes from the set that it is in; the rest of the split stays."""
    given_scores = tables(5, measures=2)
    sets = splits(8, number=7, rng=np.random.default_rng(5))
    parts = [np.array(part, int) for part in ([2, 5], [], *([topic] for topic in range(8)))]
    found = without_topics(given_scores, sets, parts)
    for part, phi in zip(parts, found):
        left = [[np.setdiff1d(side, part) for side in pair] for pair in sets]
        for (i, a), (j, b) in product(enumerate(given_scores.values()), repeat=2):
            taus = [
                scipy.stats.kendalltau(a.loc[one].mean().round(10), b.loc[two].mean().round(10))[0]
                for first, second in left
                for one, two in ((first, second), (second, first))
            ]
            assert phi[i, j] == pytest.approx(np.mean(taus))
    np.testing.assert_array_equal(phis_without_each_topic(given_scores, sets), found[2:])


def test_five_sizes_fit_an_odd_number_of_topics():
    assert set_sizes(load("dl19")) == [4, 8, 13, 17, 21]  # of 43
    assert set_sizes(load("trec8")) == [5, 10, 15, 20, 25] and set_sizes(small(6, 7)) == [1, 2, 3]
