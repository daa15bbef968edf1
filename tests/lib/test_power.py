"""How many topics: power against statsmodels and simulation; Tukey's test and its laws."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower

from lib.statistics.multiplicity import tukey, tukey_critical
from lib.statistics.power import detectable, deviations, half_width, needed, power
from lib.statistics.student import t_statistic


@pytest.mark.parametrize(("difference", "topics", "alpha"), [(0.01, 5, 0.05), (0.05, 50, 0.001)])
def test_power_equals_statsmodels(difference, topics, alpha):
    theirs = TTestPower().power(difference / 0.15, topics, alpha)
    assert power(difference, 0.15, topics, alpha=alpha) == pytest.approx(theirs, abs=1e-9)


@given(st.floats(0.01, 1), st.floats(0.05, 0.5))
def test_so_many_topics_suffice_and_one_less_does_not(difference, deviation):
    topics = int(needed(difference / deviation))
    assert power(difference, deviation, topics) >= 0.8
    assert topics == 2 or power(difference, deviation, topics - 1) < 0.8


def test_what_is_detectable_is_found_with_any_number_of_topics():
    for topics in [*range(2, 200), 10_000]:
        assert power(detectable(0.2, topics), 0.2, topics) == pytest.approx(0.8)


def test_half_the_width_equals_scipys_interval():
    rng = np.random.default_rng(2)
    scores = rng.random((12, 2))
    interval = stats.ttest_rel(*scores.T).confidence_interval(0.95)
    ours = half_width(deviations(scores), 12)
    assert ours == pytest.approx([(interval.high - interval.low) / 2])


def test_two_systems_by_tukey_are_students_test():
    scores = np.random.default_rng(4).random((15, 2))
    assert tukey(scores) == pytest.approx(t_statistic(scores))
    assert tukey_critical(2, 15, alpha=0.02) == pytest.approx(stats.t.isf(0.01, 14), abs=1e-6)


def test_tukeys_error_is_that_of_a_two_way_analysis_of_variance():
    scores = np.random.default_rng(5).random((8, 4))
    long = pd.DataFrame(scores).melt(var_name="system", value_name="x", ignore_index=False)
    long = long.rename_axis("topic").reset_index()
    square = smf.ols("x ~ C(topic) + C(system)", long).fit().mse_resid
    plain = (scores[:, 0].mean() - scores[:, 1].mean()) / np.sqrt(2 * square / 8)
    assert tukey(scores)[0] == pytest.approx(plain)


def test_the_critical_value_is_that_of_printed_tables():
    """q(.05; 3 systems, 10 degrees) = 3.88, q(.05; 5, 20) = 4.23 in any table of the range."""
    assert tukey_critical(3, 6) * np.sqrt(2) == pytest.approx(3.88, abs=0.005)
    assert tukey_critical(5, 6) * np.sqrt(2) == pytest.approx(4.23, abs=0.005)
