"""Discriminative power."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binomtest

from lib.statistics import student
from lib.statistics.significance import (
    TESTS,
    discriminative_power,
    powers_without_each_topic,
    same_scores,
    sign_test,
    significant,
)

tables = st.tuples(st.integers(3, 12), st.integers(2, 6)).flatmap(
    lambda shape: arrays(float, shape, elements=st.integers(0, 4).map(float))
)


@given(tables, st.sampled_from([0.0, 0.5, 2.0, 12.7]))
def test_beyond_a_critical_value_is_what_the_statistic_says(table, critical):
    statistic = np.abs(student.t_statistic(table))
    clear = np.abs(statistic - critical) > 1e-9 * (1 + critical)
    assert np.array_equal(student.t_exceeds(table, critical)[clear], (statistic > critical)[clear])


@given(tables, st.sampled_from(["kept", "left out"]), st.sampled_from([0.05, 0.3]))
def test_power_without_each_topic_is_that_of_the_others(table, identical, alpha):
    how = {"alpha": alpha, "identical": identical}
    expected = [discriminative_power(np.delete(table, i, 0), **how) for i in range(len(table))]
    assert np.array_equal(powers_without_each_topic(table, **how), expected, equal_nan=True)


@pytest.mark.parametrize("test", ["Wilcoxon", "permutation", "bootstrap"])
def test_a_p_value_of_exactly_alpha_is_not_below_it(test):
    table = np.array([[3, 1], [2, 1], [4, 1], [2, 2], [5, 3]])

    def options():
        return {} if test == "Wilcoxon" else {"resamples": 99, "rng": np.random.default_rng(1)}

    p = TESTS[test](table, **options())
    assert 0 < p[0] < 0.5
    assert not significant(table, alpha=p[0], test=test, **options())[0]
    assert significant(table, alpha=np.nextafter(p[0], 1), test=test, **options())[0]


def test_nothing_is_left_when_all_systems_are_the_same():
    same = np.ones((4, 3))
    assert discriminative_power(same, alpha=0.05) == 0.0
    assert np.isnan(discriminative_power(same, alpha=0.05, identical="left out"))


@given(tables)
def test_the_sign_test_is_that_of_scipy(table):
    expected = []
    for first, second in zip(*np.triu_indices(table.shape[1], 1)):
        signs = np.sign(table[:, first] - table[:, second])
        decided = int(np.abs(signs).sum())
        expected.append(binomtest(int((signs > 0).sum()), decided).pvalue if decided else 1.0)
    np.testing.assert_allclose(sign_test(table), expected, rtol=1e-12)
    assert (sign_test(table)[same_scores(table)] == 1).all()


@given(tables)
def test_a_side_less_is_twice_the_level(table):
    for test in ("t", "Wilcoxon", "sign"):
        p = TESTS[test](table)
        one = significant(table, alpha=0.1, test=test, sides=1)
        assert one.tolist() == (p < 0.2).tolist()
