"""What an interval decides: one rule, three words, and p values that agree with it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from lib.decisions import BOUNDS, above, at_least, below, decide
from lib.intervals import Interval

NUMBERS = st.floats(-1, 1)
INTERVALS = st.builds(Interval.of, NUMBERS, st.floats(0.001, 0.5), st.integers(2, 200))
KINDS, MARGINS = st.sampled_from([*BOUNDS]), st.floats(0, 0.5)
ANY_BOUND = st.builds(lambda kind, by: BOUNDS[kind](by), KINDS, MARGINS)


@given(INTERVALS, ANY_BOUND)
def test_an_interval_decides_where_its_p_value_is_below_05(found, bound):
    p = bound.p_value(found)
    if abs(p - 0.05) > 1e-9:
        assert (decide(found, bound).holds is not None) == (p < 0.05)


@given(INTERVALS, ANY_BOUND, st.floats(0, 1))
def test_the_word_is_that_of_the_corrected_p_value_and_the_side_that_of_the_interval(
    found, bound, adjusted
):
    alone, corrected = decide(found, bound), decide(found, bound, adjusted)
    assert alone.word in ("hint", "inconclusive") and corrected.holds is alone.holds
    decided = {True: "finding", False: "hint"}[adjusted < 0.05]
    assert corrected.word == ("inconclusive" if alone.holds is None else decided)


@given(INTERVALS, NUMBERS)
def test_what_supports_above_contradicts_below(found, bound):
    """A mistaken sign would turn a side round."""
    up, down = decide(found, above(bound)), decide(found, below(bound))
    sides = {"supports": "contradicts", "contradicts": "supports", "inconclusive": "inconclusive"}
    assert down.side == sides[up.side] and decide(-found, below(-bound)).side == up.side


@pytest.mark.parametrize(
    ("low", "high", "side"),
    [
        (-0.019, 0.3, "supports"),  # not worse by the margin
        (-0.021, 0.3, "inconclusive"),
        (-0.3, -0.001, "contradicts"),  # worse, by however little
        (-0.3, 0.001, "inconclusive"),
        (-0.015, -0.005, "supports"),  # both: as well as
    ],
)
def test_as_well_as_is_non_inferiority_with_a_margin(low, high, side):
    assert decide(Interval((low + high) / 2, np.nan, low, high), at_least(0.02)).side == side


def test_of_several_all_must_support_and_one_may_contradict():
    found = Interval.of([0.1, 0.2], 0.01, 49)
    assert decide(found, above()).holds is True
    assert decide(Interval.of([0.1, 0.001], 0.01, 49), above()).holds is None
    assert decide(Interval.of([0.1, -0.2], 0.01, 49), above()).holds is False
    # By hand: the larger of two to support; twice the smaller to contradict.
    t = stats.t(49)
    assert above().p_value(Interval.of([0.03, 0.02], 0.01, 49)) == pytest.approx(2 * t.sf(2))
    assert above().p_value(Interval.of([-0.03, 0.02], 0.01, 49)) == pytest.approx(4 * t.sf(3))
    # What no topic moves decides nothing, but with others it may; what is not known is not known.
    assert above().p_value(Interval.of([0.2, 0.1], 0, 49)) == 1
    assert above().p_value(Interval.of([0.2, 0.1], [0.1, 0], 49)) == pytest.approx(2 * t.sf(2))
    assert np.isnan(above().p_value(Interval.of([0.2, 0.1], [0.1, np.nan], 49)))
