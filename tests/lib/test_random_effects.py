"""The random-effects summary against statsmodels, a textbook's numbers, and what must hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from scipy.stats import t as student
from statsmodels.stats.meta_analysis import combine_effects

from lib.statistics.random_effects import plain_mean, q_profile, random_effects

# BCG against tuberculosis: ill and well, treated and not, with the Q-profile's interval of tau2 on
# log odds ratios, as metafor-project.org/doku.php/analyses:vanhouwelingen2002 prints both.
BCG = [
    *((4, 119, 11, 128), (6, 300, 29, 274), (3, 228, 11, 209), (62, 13536, 248, 12619)),
    *((33, 5036, 47, 5761), (180, 1361, 372, 1079), (8, 2537, 10, 619), (505, 87886, 499, 87892)),
    *((29, 7470, 45, 7232), (17, 1699, 65, 1600), (186, 50448, 141, 27197), (5, 2493, 3, 2338)),
    (27, 16886, 29, 17825),
]
# Borenstein, Hedges, Higgins and Rothstein, Introduction to Meta-Analysis (2009), chapter 14: of
# six studies, all invented by its authors, Hedges' g and its standard error.
G = [0.09452, 0.27736, 0.36655, 0.66439, 0.46181, 0.18516]
ERRORS = [0.18151, 0.17523, 0.22334, 0.10254, 0.20655, 0.15304]
VALUES = st.lists(
    st.tuples(st.floats(-1, 1).map(lambda x: round(x, 3)), st.integers(1, 400)),
    min_size=2,
    max_size=14,
).map(lambda rows: (np.array([y for y, _ in rows]), np.array([e for _, e in rows]) / 1000))


def test_the_worked_example_of_a_textbook():
    """Its prediction interval, and p; statsmodels has the rest: see below."""
    found = random_effects(G, ERRORS)
    assert f"{found.p:.4f}" == "0.0347"
    ends = found.prediction_low, found.prediction_high
    assert ends == pytest.approx((-0.2525, 0.9690), abs=5e-5)


def test_two_sources_do_not_say_where_another_is_expected():
    found = random_effects([1, 3], [1, 1])
    assert found.high - found.estimate == pytest.approx(student.ppf(0.975, 1) * found.error)
    assert np.isnan(found.prediction_low) and np.isnan(found.prediction_high)


def test_the_q_profile_of_a_published_example():
    a, b, c, d = np.array(BCG, dtype=float).T
    low, high = q_profile(np.log(a * d / (b * c)), np.sqrt(1 / a + 1 / b + 1 / c + 1 / d))
    # metafor stops within 1.2e-4 of the root, R's default.
    assert (low, high) == pytest.approx((0.1302, 1.1812), abs=1.2e-4)


def test_where_estimates_agree_the_prediction_interval_is_also_given_at_the_upper_end():
    values = np.array([0.1, 0.16, 0.13, 0.2])
    found = random_effects(values, [0.05] * 4)
    # With equal errors Q is the sum of squares over their variance and tau2.
    expected = values.var() * 4 / chi2.ppf(0.025, 3) - 0.05**2
    assert found.tau2 == found.tau2_low == 0 < found.tau2_high == pytest.approx(expected)
    reach = student.ppf(0.975, 2) * np.sqrt(expected + (0.05**2 + expected) / 4)
    ends = values.mean() - reach, values.mean() + reach
    assert (found.widest_low, found.widest_high) == pytest.approx(ends)


@given(VALUES, st.integers(2, 60))
def test_a_plain_mean_has_between_the_least_and_all_degrees_of_freedom(sample, freedom):
    """And two sources alike have those of both, as in a t test of one variance."""
    found = plain_mean(*sample, [freedom] * len(sample[0]))
    assert freedom * (1 - 1e-9) <= found.freedom <= freedom * len(sample[0]) * (1 + 1e-9)
    assert plain_mean([0, 1], [0.1, 0.1], [freedom, freedom]).freedom == pytest.approx(2 * freedom)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # theirs, where tau2 is below 0
@given(VALUES)
def test_it_is_what_statsmodels_finds(sample):
    estimates, errors = sample
    found = random_effects(estimates, errors)
    theirs = combine_effects(estimates, errors**2, method_re="dl", use_t=True)
    assert found.q == pytest.approx(theirs.q, rel=1e-9, abs=1e-9)
    assert found.tau2 == pytest.approx(max(theirs.tau2, 0), rel=1e-9, abs=1e-12)
    if theirs.q > 1e-9:  # else their I2 divides by what the last bit leaves
        assert found.i2 == pytest.approx(max(theirs.i2, 0), rel=1e-9, abs=1e-9)
    # Below 0 statsmodels goes on with the negative tau2; there the fixed effect is what is meant.
    kind, place = ("re", 3) if theirs.tau2 > 0 else ("fe", 2)
    assert found.estimate == pytest.approx(getattr(theirs, f"mean_effect_{kind}"), abs=1e-12)
    scattered, plain = (getattr(theirs, f"sd_eff_w_{kind}{how}") for how in ("_hksj", ""))
    assert found.error == pytest.approx(max(scattered, plain), rel=1e-9, abs=1e-12)
    if scattered > plain:
        low, high = theirs.conf_int()[place]
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
