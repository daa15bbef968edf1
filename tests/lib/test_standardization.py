"""Standardized scores, equation (8)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from lib import load, scores
from lib.measures import standardized

tables = st.tuples(st.integers(2, 8), st.integers(2, 6)).flatmap(
    lambda shape: arrays(float, shape, elements=st.integers(0, 9).map(float))
)


def test_equals_scipys_zscore_on_trec8():
    table = scores(load("trec8"), "AP")
    np.testing.assert_allclose(standardized(table), stats.zscore(table, axis=1), atol=1e-9)


@given(tables)
def test_laws(table):
    scaled = standardized(table)
    np.testing.assert_allclose(scaled.mean(axis=1), 0, atol=1e-9)
    spread = np.ptp(table, axis=1) > 0
    np.testing.assert_allclose(scaled[spread].std(axis=1), 1, atol=1e-9)
    assert (scaled[~spread] == 0).all()
    # The difficulty of a topic and its unit drop out.
    factors = 1 + np.arange(len(table))[:, np.newaxis]
    np.testing.assert_allclose(standardized(table * factors + 7), scaled, atol=1e-9)
