"""AP correlation (Yilmaz, Aslam and Robertson 2008) against its definition, and its laws."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.statistics.correlation import kendall, tau_ap

orders = st.integers(2, 12).flatmap(
    lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))
)
tied = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=5)


def by_definition(estimate, truth):
    """Section 3 of the paper, word for word: down the list, the share above that belongs above."""
    ranking = sorted(range(len(truth)), key=lambda i: -estimate[i])
    total = 0.0
    for rank in range(2, len(ranking) + 1):
        here = ranking[rank - 1]
        right = sum(truth[above] > truth[here] for above in ranking[: rank - 1])
        total += right / (rank - 1)
    return 2 * total / (len(ranking) - 1) - 1


def orders_of(scores):
    """All ways to break the ties of a list, as scores without ties."""
    n = len(scores)
    for order in permutations(range(n)):
        if all(scores[a] >= scores[b] for a, b in zip(order, order[1:])):
            yield [n - order.index(i) for i in range(n)]


@given(orders)
def test_without_ties_it_is_the_definition(lists):
    estimate, truth = lists
    expected = by_definition(estimate, truth)
    assert tau_ap(estimate, truth, symmetric=False) == pytest.approx(expected, abs=1e-12)


@given(tied)
def test_with_ties_it_is_the_mean_over_all_orders_of_the_tied(pairs):
    estimate, truth = zip(*pairs)
    every = [by_definition(e, t) for e in orders_of(estimate) for t in orders_of(truth)]
    assert tau_ap(estimate, truth, symmetric=False) == pytest.approx(np.mean(every), abs=1e-12)


@given(orders)
def test_laws(lists):
    one, other = map(np.array, lists)
    tau = tau_ap(one, other, symmetric=False)
    assert -1 - 1e-12 <= tau <= 1 + 1e-12
    assert tau_ap(one, one, symmetric=False) == pytest.approx(1)
    assert tau_ap(one, -one, symmetric=False) == pytest.approx(-1)
    assert tau_ap(one, -other, symmetric=False) == pytest.approx(-tau)
    assert tau_ap(np.exp(one / 3), 7 * other, symmetric=False) == pytest.approx(tau)
    back = tau_ap(other, one, symmetric=False)
    assert tau_ap(one, other, symmetric=True) == pytest.approx((tau + back) / 2)


def test_worked_by_hand():
    """Five systems, truth a b c d e, ranked c a b e d.

    Rank 2, a: c above, wrong, 0.  Rank 3, b: c wrong, a right, 1/2.  Rank 4, e: all right, 1.
    Rank 5, d: c a b right, e wrong, 3/4.  Twice the mean of 0, 1/2, 1, 3/4, less 1: 1/8.
    """
    truth = {"a": 5, "b": 4, "c": 3, "d": 2, "e": 1}
    ranked = dict(zip("cabed", (5, 4, 3, 2, 1)))
    estimate = [ranked[name] for name in "abcde"]
    assert tau_ap(estimate, list(truth.values()), symmetric=False) == pytest.approx(1 / 8)
    # Three of the ten pairs are wrong, and tau does not ask where.
    assert kendall(estimate, list(truth.values()), variant="a") == pytest.approx(4 / 10)


def test_an_error_at_the_top_costs_more_than_one_at_the_bottom():
    truth = np.arange(10)[::-1]
    top, bottom = truth.copy(), truth.copy()
    top[[0, 1]], bottom[[8, 9]] = top[[1, 0]], bottom[[9, 8]]
    assert tau_ap(top, truth, symmetric=False) == pytest.approx(1 - 2 / 9)
    assert tau_ap(bottom, truth, symmetric=False) == pytest.approx(1 - 2 / 9 / 9)
    assert kendall(top, truth, variant="b") == kendall(bottom, truth, variant="b")


@pytest.mark.parametrize(
    ("estimate", "truth", "message"),
    [([1], [1], "two systems"), ([1, 2], [1, 2, 3], "shapes"), ([1, np.nan], [1, 2], "missing")],
)
def test_what_has_no_correlation_is_refused(estimate, truth, message):
    with pytest.raises(ValueError, match=message):
        tau_ap(estimate, truth, symmetric=False)


def test_symmetry_must_be_named():
    with pytest.raises(TypeError):
        tau_ap([1, 2], [1, 2])
