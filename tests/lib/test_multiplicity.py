"""Several tests at once: Holm as statsmodels has it, and Tukey with and without a distribution."""

from itertools import permutations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from lib.statistics.multiplicity import holm, randomized_tukey, tukey
from lib.statistics.significance import permutation_test

values = st.lists(st.floats(0, 1), min_size=1, max_size=7)


@given(values)
def test_holms_p_values_are_those_of_statsmodels(p):
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1], rtol=1e-12)


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
