"""Holm's method by its definition as a closed test, and what it refuses."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lib.statistics.multiplicity import holm, tukey

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
