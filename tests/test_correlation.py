"""Kendall's tau against SciPy, and its laws."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from lib import load, means
from lib.statistics.correlation import kendall, pair_signs, tau_matrix

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


@given(tied, st.sampled_from("ab"), st.randoms())
def test_tau_is_symmetric_bounded_and_blind_to_the_order_of_systems(pairs, variant, random):
    x, y = np.array(pairs).T
    tau = kendall(x, y, variant=variant)
    assert np.isnan(tau) or -1 - 1e-12 <= tau <= 1 + 1e-12
    assert kendall(y, x, variant=variant) == pytest.approx(tau, nan_ok=True)
    assert kendall(-x, y, variant=variant) == pytest.approx(-tau, nan_ok=True)
    shuffled = list(pairs)
    random.shuffle(shuffled)
    assert kendall(*np.array(shuffled).T, variant=variant) == pytest.approx(tau, nan_ok=True)


def test_both_variants_agree_without_ties():
    x, y = [3, 1, 2, 5], [1, 2, 4, 3]
    assert kendall(x, y, variant="a") == kendall(x, y, variant="b")


def test_the_whole_matrix_equals_scipy_on_trec8():
    table = means(load("trec8"), ["P@10", "RR", "AP", "nDCG", "Success@1"])
    ours = tau_matrix(table, variant="b")
    for a in table:
        for b in table:
            expected = scipy.stats.kendalltau(table[a], table[b]).statistic
            assert ours.loc[a, b] == pytest.approx(expected, abs=1e-12), (a, b)


def test_float_noise_breaks_true_ties_and_rounding_mends_them():
    """The same ten scores in another order have means that differ in the last bit."""
    scores = pd.DataFrame({"A": [0.1, 0.2, 0.3], "B": [0.3, 0.2, 0.1]})
    assert pair_signs(scores.sum().to_numpy())[0] != 0
    assert pair_signs(scores.sum().round(10).to_numpy())[0] == 0


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame({"P": [1.0]}), "two systems"),
        (pd.DataFrame({"P": [1.0, np.nan]}), "missing scores"),
    ],
)
def test_what_has_no_tau_is_refused(table, message):
    with pytest.raises(ValueError, match=message):
        tau_matrix(table, variant="b")


def test_the_variant_must_be_named():
    with pytest.raises(TypeError):
        kendall([1, 2], [1, 2])
    with pytest.raises(ValueError, match="'a' or 'b'"):
        kendall([1, 2], [1, 2], variant="c")
