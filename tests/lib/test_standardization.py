"""Standardized scores, equation (8)."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from lib.measures import standardized

tables = st.tuples(st.integers(2, 8), st.integers(2, 6)).flatmap(
    lambda shape: arrays(float, shape, elements=st.integers(0, 9).map(float))
)


@given(tables)
def test_equals_scipys_zscore_and_is_0_where_all_systems_score_alike(table):
    spread = np.ptp(table, axis=1) > 0
    expected = np.zeros(table.shape)
    expected[spread] = stats.zscore(table[spread], axis=1)
    np.testing.assert_allclose(standardized(table), expected, atol=1e-9)
