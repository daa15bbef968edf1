"""Holm's method: by hand, by its definition as a closed test, and what it promises."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.statistics.multiplicity import holm

CASES = [  # by hand: the k-th smallest of m times m - k + 1, never below the one before
    ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
    ([0.01, 0.015, 0.04], [0.03, 0.03, 0.04]),
    ([0.5, 0.9], [1.0, 1.0]),
    ([0.2], [0.2]),
    ([], []),
]

values = st.lists(st.floats(0, 1), min_size=1, max_size=7)


@pytest.mark.parametrize(("p", "adjusted"), CASES)
def test_by_hand(p, adjusted):
    np.testing.assert_allclose(holm(p), adjusted, atol=1e-15)


@given(values)
def test_it_is_the_closed_test_with_bonferronis_for_each_set(p):
    """A hypothesis goes when every set of hypotheses that holds it goes by Bonferroni's test."""
    sets = [s for size in range(1, len(p) + 1) for s in combinations(range(len(p)), size)]
    closed = [
        max(min(1, len(s) * min(p[j] for j in s)) for s in sets if i in s) for i in range(len(p))
    ]
    np.testing.assert_allclose(holm(p), closed, rtol=1e-12)


@given(values, st.randoms())
def test_order_does_not_matter_and_values_lie_between_plain_and_bonferroni(p, random):
    adjusted = holm(p)
    order = random.sample(range(len(p)), len(p))
    np.testing.assert_array_equal(holm([p[i] for i in order]), adjusted[order])
    assert (adjusted >= np.array(p)).all()
    assert (adjusted <= np.minimum(1, len(p) * np.array(p)) + 1e-15).all()


def test_one_false_rejection_in_twenty_experiments_at_most():
    """Ten true null hypotheses at a time; plain values reject one in 40% of the experiments."""
    p = np.random.default_rng(1).uniform(size=(20_000, 10))
    plain = (p.min(axis=1) < 0.05).mean()
    adjusted = np.mean([(holm(row) < 0.05).any() for row in p])
    error = np.sqrt(0.05 * 0.95 / len(p))
    assert plain == pytest.approx(1 - 0.95**10, abs=0.02)
    assert adjusted < 0.05 + 3 * error


@pytest.mark.parametrize("p", [[0.5, 1.1], [-0.1], [float("nan")], 0.5, [[0.1]]])
def test_what_is_no_list_of_p_values_is_refused(p):
    with pytest.raises(ValueError, match="p values must be"):
        holm(p)
