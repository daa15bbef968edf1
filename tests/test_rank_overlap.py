"""Rank-biased overlap (Webber, Moffat and Zobel 2010) against ir-measures, and its laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures.providers.compat_provider import rbo as truncated

from lib.statistics.correlation import agreement, rbo

orders = st.integers(2, 15).flatmap(
    lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)), st.integers(1, n))
)
tied = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=9)
persistence = st.floats(0.01, 0.99)


@given(orders, persistence)
def test_it_equals_ir_measures_and_the_extrapolation(lists, p):
    """ir-measures stops at the depth and divides by the weight so far, 1 - p^k."""
    one, other, depth = lists
    ranked = [sorted(range(len(s)), key=lambda i: -s[i])[:depth] for s in (one, other)]
    last = len(set(ranked[0]) & set(ranked[1])) / depth
    expected = (1 - p**depth) * truncated(*ranked, p, depth) + last * p**depth
    assert rbo(one, other, p=p, depth=depth) == pytest.approx(expected, abs=1e-12)


@given(tied)
def test_agreement_with_ties_counts_all_who_reach_the_depth(pairs):
    x, y = zip(*pairs)
    for depth, found in enumerate(agreement(x, y), start=1):
        # Tied systems share the best of their ranks: fewer than d systems are strictly above.
        tops = [{i for i, a in enumerate(s) if sum(b > a for b in s) < depth} for s in (x, y)]
        expected = 2 * len(tops[0] & tops[1]) / (len(tops[0]) + len(tops[1]))
        assert found == pytest.approx(expected)


@given(tied, persistence)
def test_laws(pairs, p):
    x, y = map(np.array, zip(*pairs))
    value = rbo(x, y, p=p)
    assert -1e-12 <= value <= 1 + 1e-12
    assert rbo(x, x, p=p) == pytest.approx(1)
    assert rbo(y, x, p=p) == pytest.approx(value)
    assert rbo(np.exp(x), 3 * y - 1, p=p) == pytest.approx(value)


def test_average_overlap_of_the_papers_two_lists():
    """Section 3: lists a b c d e f g and z c a v w x y; agreement and its running mean."""
    ranked = ["abcdefg", "zcavwxy"]
    names = sorted(set("".join(ranked)))
    scores = [[-s.index(name) if name in s else -99 for name in names] for s in ranked]
    found = agreement(*scores, depth=7)
    assert found == pytest.approx([0, 0, 2 / 3, 2 / 4, 2 / 5, 2 / 6, 2 / 7])
    running = np.cumsum(found) / np.arange(1, 8)
    assert running.round(3).tolist() == [0, 0, 0.222, 0.292, 0.313, 0.317, 0.312]


def test_with_p_point_nine_the_first_ten_ranks_have_86_percent_of_the_weight():
    """Section 4: rankings that share their first ten and nothing else up to the depth."""
    n = 2000
    one = np.arange(n)[::-1]
    other = one.copy()
    other[10:] = other[10:][::-1]
    assert rbo(one, other, p=0.9, depth=500) == pytest.approx(0.8556, abs=5e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p": 0}, "p must"),
        ({"p": 1}, "p must"),
        ({"p": 0.9, "depth": 0}, "depth must"),
        ({"p": 0.9, "depth": 4}, "depth must"),
    ],
)
def test_what_is_out_of_range_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        rbo([1, 2, 3], [1, 3, 2], **options)
