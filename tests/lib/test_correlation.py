"""Kendall's tau against SciPy, tau_ap and RBO against their definitions, and the laws of each."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from ir_measures.providers.compat_provider import rbo as truncated

from lib.errors import InputError
from lib.statistics.correlation import agreement_by_depth, kendall, rbo, tau_ap, tree

# Few distinct values: ties are the rule, not the exception.
tied = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=25)


@given(tied)
def test_tau_b_equals_scipy_ties_included(pairs):
    x, y = np.array(pairs).T
    expected = scipy.stats.kendalltau(x, y, variant="b").statistic
    assert kendall(x, y, variant="b") == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(tied)
def test_tau_a_is_concordant_less_discordant_over_all_pairs(pairs):
    balance = sum(
        np.sign((a[0] - b[0]) * (a[1] - b[1])) for i, a in enumerate(pairs) for b in pairs[:i]
    )
    count = len(pairs) * (len(pairs) - 1) / 2
    x, y = np.array(pairs).T
    assert kendall(x, y, variant="a") == pytest.approx(balance / count, abs=1e-12)


# AP correlation (Yilmaz, Aslam and Robertson 2008).

orders = st.integers(2, 12).flatmap(
    lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))
)
few_tied = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=5)


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
    both = (expected + by_definition(truth, estimate)) / 2
    assert tau_ap(estimate, truth, symmetric=True) == pytest.approx(both, abs=1e-12)


@given(few_tied)
def test_with_ties_it_is_the_mean_over_all_orders_of_the_tied(pairs):
    estimate, truth = zip(*pairs)
    every = [by_definition(e, t) for e in orders_of(estimate) for t in orders_of(truth)]
    assert tau_ap(estimate, truth, symmetric=False) == pytest.approx(np.mean(every), abs=1e-12)


# Rank-biased overlap (Webber, Moffat and Zobel 2010).

four_tied = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=9)
persistence = st.floats(0.01, 0.99)


@given(orders, persistence)
def test_rbo_equals_ir_measures_and_the_extrapolation(lists, p):
    """ir-measures stops at the last system and divides by the weight so far, 1 - p^n."""
    one, other = lists
    ranked = [sorted(range(len(s)), key=lambda i: -s[i]) for s in (one, other)]
    expected = (1 - p ** len(one)) * truncated(*ranked, p, len(one)) + p ** len(one)
    assert rbo(one, other, p=p) == pytest.approx(expected, abs=1e-12)


@given(four_tied)
def test_agreement_with_ties_counts_all_who_reach_the_depth(pairs):
    x, y = zip(*pairs)
    for depth, found in enumerate(agreement_by_depth(x, y), start=1):
        # Tied systems share the best of their ranks: fewer than d systems are strictly above.
        tops = [{i for i, a in enumerate(s) if sum(b > a for b in s) < depth} for s in (x, y)]
        expected = 2 * len(tops[0] & tops[1]) / (len(tops[0]) + len(tops[1]))
        assert found == pytest.approx(expected)


def test_systems_are_matched_by_their_names_whatever_their_order():
    one, other = pd.Series({"A": 3, "B": 2, "C": 1}), pd.Series({"C": 1, "A": 3, "B": 2})
    assert kendall(one, other, variant="b") == tau_ap(one, other, symmetric=False) == 1
    assert rbo(one, other, p=0.9) == pytest.approx(1, abs=1e-12)
    with pytest.raises(InputError, match="one has 'C' alone"):
        kendall(one, other.drop("C"), variant="b")


@pytest.mark.parametrize("taus", [[[1.0]], [[1.0, 0.9], [0.2, 1.0]]])
def test_one_measure_or_taus_that_differ_by_direction_make_no_tree(taus):
    with pytest.raises(InputError, match="needs a symmetric tau matrix of two measures or more"):
        tree(pd.DataFrame(taus))
