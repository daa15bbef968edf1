"""The law of leads: its numbers by hand, what must hold of it, and systems that are normal."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from lib.errors import InputError
from lib.intervals import Interval
from lib.statistics.law import Forecast, fit, foretell, interval, law, lead, number_of_splits, phis
from lib.statistics.predictivity import splits

REFERENCE = np.array([[0.70, 0.60], [0.60, 0.55]])  # AP and P@10, from sets of 25 topics


def test_reference_numbers():
    """Computed apart from the library, when the law was registered."""
    found = fit(REFERENCE, 25)
    assert found.noise == pytest.approx([3.0582, 7.8772], abs=5e-5)
    assert found.validity[0, 1] == pytest.approx(0.9829, abs=5e-5)
    leads = [found.lead(n)[0, 1] for n in (10, 25, 50, 100, 1e12)]
    assert leads == pytest.approx([0.0669, 0.0500, 0.0302, 0.0089, -0.1180], abs=6e-5)
    assert found.end()[0, 1] == pytest.approx(133.97, abs=5e-3)
    assert found.lead(133)[0, 1] > 0 > found.lead(134)[0, 1]


phi = st.floats(0.05, 0.95)


@given(own=phi, target=phi, both=phi, size=st.integers(1, 200))
def test_what_holds_of_every_law(own, target, both, size):
    given_phi = np.array([[own, both], [both, target]])
    found = fit(given_phi, size)
    if found.validity[0, 1] * np.sqrt(np.prod(found.reliability(size))) < 1:
        assert found.lead(size) == pytest.approx(lead(given_phi), abs=1e-9)
    ends, validity = found.end(), found.validity[0, 1]
    assert np.diagonal(found.lead(3 * size)) == pytest.approx([0, 0], abs=1e-12)
    assert np.diagonal(ends).tolist() == [0, 0]
    if validity < 0.999 and ends[0, 1] > 0:
        assert found.lead(ends[0, 1])[0, 1] == pytest.approx(0, abs=1e-6)
        assert found.lead(ends[0, 1] / 2)[0, 1] > 0
    if ends[0, 1] == 0 and validity < 0.999:
        assert found.lead(size)[0, 1] <= 1e-12
    # It leads at a size if and only if its validity exceeds the root of the ratio of reliabilities.
    ratio = np.sqrt(found.reliability(size)[1] / found.reliability(size)[0])
    if abs(validity - ratio) > 1e-6 and validity < 1:
        assert (found.lead(size)[0, 1] > 0) == (validity > ratio)


def test_a_lead_never_ends_where_validity_is_whole_and_the_noise_less():
    found = fit(np.array([[0.7, 0.69], [0.69, 0.5]]), 25)
    assert found.validity[0, 1] > 1
    assert found.end()[0, 1] == np.inf and found.end()[1, 0] == 0
    assert np.isfinite(found.lead(1e9)).all()


def normal_systems(systems, topics, rng):
    """Scores whose noise is 2 and 6 times the variance between systems, with validity .92."""
    truth = rng.standard_normal((2, systems))
    truth[1] = 0.92 * truth[0] + np.sqrt(1 - 0.92**2) * truth[1]
    noise = rng.standard_normal((2, topics, systems)) * np.sqrt([2, 6])[:, None, None]
    return {k: pd.DataFrame(truth[i] + noise[i]) for i, k in enumerate(("m", "t"))}


def few():
    rng = np.random.default_rng(3)
    table = rng.random((7, 6))
    return {"m": pd.DataFrame(table), "t": pd.DataFrame(table.round(1) + rng.random((7, 6)) / 2)}


def test_phis_and_their_error_are_scipys_of_the_same_splits():
    scores, number = few(), 400
    found = phis(scores, 2, number=number, rng=np.random.default_rng(5))
    tables = [table.to_numpy() for table in scores.values()]
    taus, out = [], []
    for one, two in splits(7, size=2, number=number, rng=np.random.default_rng(5)):
        both = [
            [kendalltau(a[x].mean(0).round(10), b[y].mean(0).round(10)).statistic for b in tables]
            for a in tables
            for x, y in ((one, two), (two, one))
        ]
        taus.append(np.reshape(both, (2, 2, 2)).mean(axis=1))
        out.append([topic not in {*one, *two} for topic in range(7)])
    taus, out = np.array(taus), np.array(out)
    assert found.value == pytest.approx(taus.mean(axis=0))
    halves = [
        [taus[half::2][out[half::2, topic]].mean(axis=0) for topic in range(7)] for half in (0, 1)
    ]
    assert found.without == pytest.approx(np.array(halves))
    own = interval(lambda by: by[2][..., 0, 1], {2: found})
    moved = [np.array(half)[:, 0, 1] - np.mean([h[0, 1] for h in half]) for half in halves]
    assert own.error**2 == pytest.approx(6 / 7 * (moved[0] * moved[1]).sum())
    assert own.freedom == 6


def test_the_draw_of_splits_is_no_part_of_the_error():
    """With few splits the square is right in the mean; of one half alone it is much too large."""
    scores = normal_systems(12, 20, np.random.default_rng(2))

    def squares(number, seed):
        found = phis(scores, 5, number=number, rng=np.random.default_rng(seed))
        one, other = found.without[..., 0, 1] - found.without[..., 0, 1].mean(1, keepdims=True)
        return 19 / 20 * (one * other).sum(), 19 / 20 * (one**2).sum()

    right, _ = squares(40_000, 1)
    product, alone = np.mean([squares(100, seed) for seed in range(300)], axis=0)
    assert product == pytest.approx(right, rel=0.15)
    assert alone > 2 * right
    found = phis(scores, 5, number=40_000, rng=np.random.default_rng(1))
    assert interval(lambda by: by[5][..., 0, 1], {5: found}).error ** 2 == pytest.approx(right)


def test_what_gives_no_law_is_refused():
    names = ["AP", "RR"]
    with pytest.raises(InputError, match="RR: .* r = 0.016, not above 0.02"):
        law(pd.DataFrame([[0.5, 0.1], [0.1, 0.01]], names, names), 10)
    with pytest.raises(InputError, match="1 topic or more, not 0"):
        law(pd.DataFrame(REFERENCE, names, names), 0)
    with pytest.raises(InputError, match="sets of 25 topics that leave one out"):
        number_of_splits(50, 25)
    one, other = (phis(few(), 2, number=200, rng=np.random.default_rng(1)) for _ in range(2))
    shorter = {k: table[:5] for k, table in few().items()}
    less = phis(shorter, 2, number=200, rng=np.random.default_rng(1))
    with pytest.raises(InputError, match="2 sets of topics"):
        interval(lambda by: by[1], {1: one, 2: less})
    few_splits = {2: phis(shorter, 2, number=2, rng=np.random.default_rng(1))}
    with pytest.raises(InputError, match="some of 5 topics are in each split into sets of 2"):
        interval(lambda by: by[2], few_splits)


def test_a_forecast_of_normal_systems_holds_what_they_were_made_with():
    """Noise 6 and 2 of target and measure, validity .92, whichever order the scores stand in."""
    scores = normal_systems(300, 60, np.random.default_rng(4))
    told = foretell(scores, "t", [25, 100])
    assert told.size == 24 and told.lead.freedom == 59
    expected = [0.585 - 0.597, 0.692 - 0.785]  # 2 / pi arcsin(.92 root(r_m r_t)), less of r_t alone
    assert told.lead.estimate[0] == pytest.approx(expected, abs=0.04)
    assert told.noise.estimate == pytest.approx([6, 2], rel=0.25)
    assert told.validity.estimate == pytest.approx([0.92], abs=0.04)
    for found, true in ((told.noise, [6, 2]), (told.validity, [0.92]), (told.lead, [expected])):
        assert (found.low < true).all() and (true < found.high).all()
    turned = foretell(dict(reversed(scores.items())), "t", [25, 100])
    assert turned.lead.estimate == pytest.approx(told.lead.estimate)
    # From half as many topics the forecast is wider by about the root of two.
    half = foretell({k: table[:30] for k, table in scores.items()}, "t", [25, 100])
    assert 1 < half.lead.error[0, 1] / told.lead.error[0, 1] < 2


def forecast(estimate, error, topics=(10, 20, 30, 40)):
    whole = Interval.of([0.0], [0.1], 49)
    return Forecast(20, topics, whole, whole, Interval.of(estimate, error, 49))


def test_a_forecast_is_weighed_by_precision_where_others_are_known():
    own = forecast([[0.04], [0.04]], [[0.03], [0.03]], (10,))
    both = own.weighed(np.array([[-0.02], [np.nan]]), np.array([[0.06], [np.nan]])).lead
    # 1/.03**2 and 1/.06**2 are as 4 to 1.
    assert both.estimate.ravel() == pytest.approx([(4 * 0.04 - 0.02) / 5, 0.04])
    assert both.error.ravel() == pytest.approx([0.03 * np.sqrt(0.8), 0.03])
    assert both.freedom == 49


@pytest.mark.parametrize(
    ("leads", "ends"),
    [
        ([0.05, 0.02, -0.02, -0.05], [20, 30]),
        ([0.05, 0.05, 0.05, 0.05], [np.inf, np.inf]),
        ([0.05, 0.05, 0.05, 0.01], [40, np.inf]),
        ([0.01, 0.01, -0.05, -0.05], [0, 20]),
        ([-0.05, -0.05, -0.05, -0.05], [0, 0]),
        ([0.01, 0.01, -0.01, -0.01], [0, np.inf]),
        ([0.05, 0.05, -0.05, -0.05], [30, 20]),
    ],
)
def test_a_lead_ends_where_its_interval_holds_0(leads, ends):
    assert forecast([leads], [[0.02] * 4]).ends().tolist() == [ends]


def test_what_gives_no_forecast_is_refused():
    scores = normal_systems(20, 20, np.random.default_rng(1))
    for k in ("m", "t"):
        for table in (scores[k][:19], scores[k].iloc[:, :19]):
            few = {name: of.loc[table.index, table.columns] for name, of in scores.items()}
            with pytest.raises(InputError, match="20 topics and 20 systems or more, not (19|20)"):
                foretell(few, "t", [10])
    with pytest.raises(InputError, match="scores by the target AP"):
        foretell(scores, "AP", [10])
    with pytest.raises(InputError, match="by another measure"):
        foretell({"t": scores["t"]}, "t", [10])
    for wrong in ([], [10, 0]):
        with pytest.raises(InputError, match="1 topic or more"):
            foretell(scores, "t", wrong)
    level = scores | {"t": scores["t"] * 0}
    with pytest.raises(InputError, match="t: its rankings .* r = 0.000, not above 0.02"):
        foretell(level, "t", [10])
    luck = pd.DataFrame(np.random.default_rng(0).random((20, 20)))
    with pytest.raises(InputError, match="luck: its rankings .* gives no law"):
        foretell(scores | {"luck": luck}, "t", [10])
    with pytest.raises(InputError, match="two disjoint sets of 11 topics cannot be drawn from 20"):
        phis(scores, 11, number=10, rng=np.random.default_rng(1))  # no lead is seen there
