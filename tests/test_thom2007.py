"""Thom and Scholer 2007, against the printed numbers and what other collections give."""

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from lib import Collection, load, means
from lib.papers import thom2007
from lib.papers.thom2007.official import official_scores
from lib.published import compare, read
from lib.statistics.correlation import kendall

# Order of Table 1: P@1 with AP, RR, P@10, Rprec; AP with RR, P@10, Rprec.
SEVEN = {
    "trec8": [0.689, 0.930, 0.761, 0.706, 0.684, 0.827, 0.922],
    "trec-covid": [0.676, 0.951, 0.784, 0.673, 0.672, 0.778, 0.951],
}


def test_table_1_the_two_public_pairs_agree_to_the_printed_digit():
    ours = compare("thom2007", "Table 1", thom2007.table1())
    ours = ours[ours["row"].isin(["P@1", "AP"])].set_index(["row", "column"])
    for pair, printed in {("AP", "RR"): "0.350", ("AP", "P@10"): "0.583"}.items():
        assert ours.loc[pair, "published"] == printed
        assert f"{ours.loc[pair, 'reproduced']:.3f}" == printed
        assert ours.loc[pair, "verdict"] == "reproduced"
    seven = ours.loc[list(thom2007.PAIRS)]
    assert seven["reproduced"].notna().sum() == 2  # nothing is imputed for the other five


@pytest.mark.parametrize("collection", SEVEN)
def test_the_seven_pairs_on_a_collection_at_hand(collection):
    ours = thom2007.table1(load(collection)).set_index(["row", "column"])["value"]
    assert [round(float(ours[pair]), 3) for pair in thom2007.PAIRS] == SEVEN[collection]


def test_table_1_equals_scipy():
    table = thom2007.official()
    for pair, value in thom2007.table1().set_index(["row", "column"])["value"].items():
        expected = scipy.stats.kendalltau(table[pair[0]], table[pair[1]]).statistic
        assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("treatment", "expected"),
    [
        ("mixture", (0.350, 0.583)),
        ("fifty", (0.298, 0.527)),
        ("complete", (0.536, 0.717)),
        ("zeros", (0.664, 0.794)),
    ],
)
def test_treatments_of_the_nineteen_runs(treatment, expected):
    ours = thom2007.table1(treatment=treatment)["value"]
    assert tuple(round(float(value), 3) for value in ours) == expected


def test_the_nineteen_runs_are_the_manual_ones_and_pull_tau_down():
    table = thom2007.treatments()
    assert table["runs"].tolist() == [80, 80, 61, 80, 61, 19]
    assert (table["as printed (0.350)"] == "yes").sum() == 1
    taus = table["tau(AP, RR)"]
    assert taus["50 topics, manual runs only"] < taus["the 50 topics that every run answered"]
    assert taus["the 50 topics that every run answered"] < taus["50 topics, automatic runs only"]
    assert taus["149 topics, only the runs that answered them"] > thom2007.WEAK


def test_zeros_divide_by_the_topics_that_were_asked():
    manual = thom2007.official(treatment="fifty", only="manual")
    zeros = thom2007.official(treatment="zeros", only="manual")
    pd.testing.assert_frame_equal(zeros, manual * 50 / 149)
    assert thom2007.official(treatment="complete", only="manual").empty
    pd.testing.assert_frame_equal(
        thom2007.official(only="automatic"),
        thom2007.official(treatment="complete"),
        check_like=True,
    )


def test_unrounded_means_break_ties_of_precision():
    """Float noise: .7611 and .8267 become .7590 and .8244 on TREC-8."""
    taus = thom2007.rounding(load("trec8")).round(3)
    assert taus.loc[("P@1", "P@10"), ["not rounded", "10 digits"]].tolist() == [0.759, 0.761]
    assert taus.loc[("AP", "P@10"), ["not rounded", "10 digits"]].tolist() == [0.824, 0.827]
    ties = thom2007.noisy_ties(load("trec8"))
    assert ties.loc["P@10", "broken"] > 0
    assert ties.loc["P@1", "broken"] == 0  # sums of ones are exact


def test_bpref_on_the_papers_own_runs():
    """tau(bpref, AP) .709, with RR .354 against .350, with P@10 .539 against .583."""
    table = thom2007.mirror(thom2007.official()).round(3)
    assert table.loc["AP", "Bpref"] == 0.709
    assert table.loc["RR", ["AP", "Bpref"]].tolist() == [0.350, 0.354]
    assert table.loc["P@10", ["AP", "Bpref"]].tolist() == [0.583, 0.539]


def test_figures_have_every_system_and_the_least_squares_line():
    points = thom2007.figures(thom2007.official())
    assert points["figure"].unique().tolist() == ["5", "6"]
    assert points.groupby("figure").size().tolist() == [80, 80]
    fits = thom2007.fits(points)
    slope, intercept = np.polyfit(*points[points["figure"] == "5"][["x", "y"]].to_numpy().T, 1)
    assert fits.loc["5", ["slope", "intercept"]].tolist() == pytest.approx([slope, intercept])
    all_seven = thom2007.figures(means(load("trec8"), thom2007.MEASURES))
    assert all_seven["figure"].nunique() == 7


def test_the_zero_test_is_scipys_and_its_least_tau_is_on_the_border():
    table = thom2007.zero_test(thom2007.official(), alpha=0.01)
    assert table["significant"].all()
    # 80 systems in a random order: a tau just below the border is not significant, one above is.
    rng = np.random.default_rng(1)
    for _ in range(200):
        x, y = rng.random(80), rng.random(80)
        y += 0.4 * x
        test = scipy.stats.kendalltau(x, y)
        if abs(abs(test.statistic) - table["least"].iloc[0]) > 0.005:
            assert (test.pvalue < 0.01) == (abs(test.statistic) > table["least"].iloc[0])


def test_the_families_survive_other_topics_on_both_collections():
    both = {name: load(name) for name in ("trec8", "trec-covid")}
    result = thom2007.family_test(both, number=100)
    assert (result.loc["within"] > result.loc["between"]).all()
    assert (result.loc["between"] > thom2007.WEAK).all()
    assert (result.loc["survives"] == 1).all()
    # They come apart at once on TREC-8, later on TREC-COVID, and late with single linkage.
    assert result.loc["average"].tolist() == [2, 4]
    assert (result.loc["single"] > result.loc["average"]).all()


def test_measured_coverage_is_that_of_the_committed_simulation():
    table = thom2007.measured_coverage()
    assert list(table.index) == list(thom2007.PAIRS)
    assert table.shape == (7, 8)
    assert (table["topics", "basic"].between(0.8, 0.95)).all()


def test_there_are_more_than_twenty_measures_and_none_is_another_in_disguise():
    assert len(thom2007.MANY) >= 20
    table = means(load("trec8"), thom2007.MANY.values())
    tau = np.array([[kendall(table[a], table[b], variant="b") for a in table] for b in table])
    assert (tau[~np.eye(len(tau), dtype=bool)] < 1).all()


def test_noise_is_the_predictivity_of_halves():
    """Reciprocal rank agrees with itself on other topics no better than AP agrees with it."""
    table = thom2007.noise(load("trec8"), number=200)
    row = table.loc[("AP", "RR")]
    assert row["tau"] > row["across"]
    assert row["other_self"] - row["across"] < 0.03
    assert row["corrected"] == pytest.approx(
        row["across"] / np.sqrt(row["one_self"] * row["other_self"])
    )


def test_findings_leave_no_row_open_and_invent_nothing():
    found = thom2007.findings()
    assert len(found) == len(read("thom2007"))
    closed = found["status"] == "data not public"
    assert found.loc[closed, "value"].isna().all() and found.loc[~closed, "value"].notna().all()
    needs = (
        found["row"].str.contains(r"\bp1\b|rprec")
        | found["column"].isin(["Rprec"])
        | (found["row"] == "P@1")
    )
    assert closed[needs].all()


def test_the_control_shows_the_numbers_of_the_functions():
    shown = thom2007.panel("terabyte06", "AP", "RR")[1].shown["value"]
    assert shown["tau-b"] == "0.350"
    assert shown["systems"] == "80"
    trec8 = thom2007.panel("trec8", "AP", "RR", resamples=20)[1].shown["value"]
    assert trec8["tau-b"] == "0.684"
    assert (
        thom2007.panel("trec8", "AP", "RR", share=0.75, resamples=20)[1].shown.loc[
            "systems", "value"
        ]
        == "96"
    )
    assert "not public" in thom2007.panel("terabyte06", "AP", "P@1")
    with pytest.raises(ValueError, match="share"):
        thom2007.panel("trec8", "AP", "RR", share=0)


def test_a_small_collection_by_hand():
    """Two systems, one topic: P@1 ties nothing, AP prefers the other way."""
    toy = Collection.from_rankings(
        {"A": {"t": ["r", "x", "y", "z"]}, "B": {"t": ["x", "r", "s", "q"]}},
        {"t": {"r": 1, "s": 1, "q": 1}},
    )
    table = means(toy, thom2007.MEASURES)
    # A: P@1 1, RR 1, AP 1/3, Rprec 1/3.  B: P@1 0, RR 1/2, AP (1/2 + 2/3 + 3/4)/3, Rprec 2/3.
    assert table.loc["B", "AP"] == pytest.approx((1 / 2 + 2 / 3 + 3 / 4) / 3)
    taus = thom2007.table1(toy).set_index(["row", "column"])["value"]
    assert taus[("P@1", "AP")] == -1
    assert taus[("P@1", "RR")] == taus[("AP", "Rprec")] == 1


def test_wrong_choices_are_named():
    with pytest.raises(ValueError, match="treatment must be one of"):
        thom2007.official(treatment="all")
    with pytest.raises(ValueError, match="automatic"):
        thom2007.official(only="semi")
    assert len(official_scores()) == 141
