"""Holm's method by its definition as a closed test, and what it refuses."""

from itertools import combinations, permutations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.statistics.multiplicity import holm, randomized_tukey, tukey
from lib.statistics.significance import permutation_test

values = st.lists(st.floats(0, 1), min_size=1, max_size=7)


@given(values)
def test_it_is_the_closed_test_with_bonferronis_for_each_set(p):
    """A hypothesis goes when every set of hypotheses that holds it goes by Bonferroni's test."""
    sets = [s for size in range(1, len(p) + 1) for s in combinations(range(len(p)), size)]
    closed = [
        max(min(1, len(s) * min(p[j] for j in s)) for s in sets if i in s) for i in range(len(p))
    ]
    np.testing.assert_allclose(holm(p), closed, rtol=1e-12)


def test_tukeys_t_of_differences_without_error_is_without_bound():
    levels = np.array([[4, 2, 2, 0], [5, 3, 3, 1]])
    assert tukey(levels).tolist() == [np.inf, np.inf, np.inf, 0, np.inf, np.inf]


def test_tukey_randomized_is_exact_over_all_deals_of_a_small_table():
    """Three systems, four topics: all 6^4 deals, beside random ones."""
    values = np.array([[0.9, 0.2, 0.4], [0.8, 0.1, 0.5], [0.7, 0.3, 0.2], [0.6, 0.4, 0.3]])
    deals = [[row[list(order)] for order in permutations(range(3))] for row in values]
    largest = np.array([np.ptp(np.mean(deal, axis=0)) for deal in product(*deals)])
    observed = [abs(values[:, a].mean() - values[:, b].mean()) for a, b in ((0, 1), (0, 2), (1, 2))]
    exact = [(largest >= difference - 1e-10).mean() for difference in observed]
    p = randomized_tukey(values, resamples=20_000, rng=np.random.default_rng(1))
    np.testing.assert_allclose(p, exact, atol=0.012)


def test_tukey_randomized_is_a_permutation_test_of_two_and_near_tukeys_own_of_normal_scores():
    rng = np.random.default_rng(2)
    values = rng.normal(0, 1, (60, 5)) + [0, 0.2, 0.3, 0.5, 0.6]
    p = randomized_tukey(values, rng=rng)
    t = tukey(values)
    own = stats.studentized_range.sf(np.abs(t) * np.sqrt(2), 5, 4 * 59)
    np.testing.assert_allclose(p, own, atol=0.03)
    two = randomized_tukey(values[:, :2], rng=np.random.default_rng(3))
    theirs = permutation_test(values[:, :2], rng=np.random.default_rng(3))
    np.testing.assert_allclose(two, theirs, atol=0.02)
