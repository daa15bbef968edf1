"""Thom and Scholer 2007, against the printed numbers and what other collections give."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from lib import Collection, load, means
from lib.claims import findings
from lib.measures import top_systems
from lib.papers import thom2007
from lib.papers.thom2007 import drawings
from lib.papers.thom2007.claims import CLAIMS, closed
from lib.papers.thom2007.evidence import Evidence
from lib.papers.thom2007.official import official_scores
from lib.published import NOT_PUBLIC, compare, read
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
    found = thom2007.PAPER.findings
    assert len(found) == len(read("thom2007"))
    closed = found["status"] == "data not public"
    assert found.loc[closed, "value"].isna().all() and found.loc[~closed, "value"].notna().all()
    needs = (
        found["row"].str.contains(r"\bp1\b|rprec")
        | found["column"].isin(["Rprec"])
        | (found["row"] == "P@1")
    )
    assert closed[needs].all()


def test_only_what_needs_p_at_1_or_r_precision_is_closed():
    """A row that is forgotten is open, and not passed off as data that cannot be had."""
    assert closed(SimpleNamespace(row="runs", column="value")) == ""
    assert closed(SimpleNamespace(row="bpref-mirrors-ap-against-p10", column="claim")) == ""
    assert closed(SimpleNamespace(row="P@1", column="AP"))
    assert closed(SimpleNamespace(row="tau-ap-rprec", column="value"))


@pytest.fixture(scope="module")
def data():
    """What the claims are checked with."""
    return {"scores": official_scores(), "trec8": load("trec8"), "covid": load("trec-covid")}


RANDOM = np.random.default_rng(1).random(141)


def without_place(scores, measure):
    """Put one of the runs where no line can be drawn to."""
    there = scores.index.get_level_values("run") != "zetaman"
    return scores.assign(**{measure: scores[measure].where(there, np.inf)})


# What is done to the data, and the claims that hold no longer.
ALTERED = {
    "RR ranks as AP does": (
        lambda d: {"scores": d["scores"].assign(RR=d["scores"]["AP"])},
        {"measure-family-changes-ranking", "tau-ap-rr-below-bound", "bpref-mirrors-ap-against-rr"},
    ),
    "RR is random": (
        lambda d: {"scores": d["scores"].assign(RR=RANDOM)},
        {"tau-ap-rr-significant"},
    ),
    "P@10 is random": (
        lambda d: {"scores": d["scores"].assign(**{"P@10": RANDOM})},
        {"tau-ap-p10-significant"},
    ),
    "P@10 ranks as bpref does": (
        lambda d: {"scores": d["scores"].assign(**{"P@10": d["scores"]["Bpref"]})},
        {"bpref-mirrors-ap-against-p10"},
    ),
    "a run has no RR": (lambda d: {"scores": without_place(d["scores"], "RR")}, {"ap-against-rr"}),
    "a run has no P@10": (
        lambda d: {"scores": without_place(d["scores"], "P@10")},
        {"ap-against-p10"},
    ),
    "no grades": (lambda d: {"covid": d["trec8"]}, {"relevance-binary"}),
    "no list without a hit": (
        lambda d: {"trec8": d["trec8"].select(systems=top_systems(d["trec8"], share=0.1))},
        {"rr-zero-when-nothing-relevant"},
    ),
    "shallow judgements": (lambda d: {"trec8": d["covid"]}, {"bpref-close-to-ap"}),
}


def that_hold(found):
    return {row.row for row in found.itertuples() if row.column == "claim" and row.value is True}


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("alteration", ALTERED)
def test_other_data_turn_a_claim(data, alteration):
    alter, claims = ALTERED[alteration]
    altered = findings("thom2007", CLAIMS, Evidence(**data | alter(data)))
    assert that_hold(thom2007.PAPER.findings) - that_hold(altered) == claims


def test_every_claim_that_holds_can_be_turned():
    turned = set().union(*(claims for _, claims in ALTERED.values()))
    assert turned == that_hold(thom2007.PAPER.findings)


def test_numbers_are_counted(data):
    fewer = data | {"scores": data["scores"].drop(index="zetaman", level="run")}
    altered = findings("thom2007", CLAIMS, Evidence(**fewer)).set_index("row")["value"]
    assert altered["runs"] == altered["runs-compared"] == 79


def tau_of(within, between, of_p10):
    """A tau matrix of the five measures."""
    families = {"P@1": 1, "RR": 1, "AP": 2, "Rprec": 2}
    tau = {
        (a, b): 1.0
        if a == b
        else of_p10
        if "P@10" in (a, b)
        else (within if families[a] == families[b] else between)
        for a in thom2007.MEASURES
        for b in thom2007.MEASURES
    }
    return pd.Series(tau).unstack()


@pytest.mark.parametrize(
    ("tau", "verdict"),
    [
        (tau_of(within=0.9, between=0.3, of_p10=0.6), "holds"),
        (tau_of(within=0.5, between=0.5, of_p10=0.5), "does not hold"),
    ],
)
def test_what_other_collections_say_of_the_families(tau, verdict):
    """Eleven sentences hold where the families are plain, and none where all taus are equal."""
    evidence = SimpleNamespace(elsewhere={"Utopia": tau})
    found = thom2007.PAPER.findings
    said = found[(found["status"] == NOT_PUBLIC) & found["cause"].str.contains("on TREC-8 it")]
    assert len(said) == 11
    for row in said.itertuples():
        assert CLAIMS.rows[row.place][row.row](evidence).endswith(f"; on Utopia it {verdict}")


def test_p_at_10_is_not_between_families_that_it_agrees_with_more_than_they_with_themselves():
    evidence = SimpleNamespace(elsewhere={"Utopia": tau_of(within=0.9, between=0.3, of_p10=0.95)})
    said = CLAIMS.rows["Section 4"]["p10-between-families"](evidence)
    assert said.endswith("on Utopia it does not hold")


def test_a_reciprocal_rank_above_zero_without_a_hit_would_be_seen():
    holds = CLAIMS.rows["Section 3"]["rr-zero-when-nothing-relevant"]
    assert holds(SimpleNamespace(rr_without_hits=np.zeros(3)))
    assert not holds(SimpleNamespace(rr_without_hits=np.array([0, 0.5, 0])))


def test_a_figure_without_a_point_for_every_run_is_not_the_papers(data):
    evidence = Evidence(**data)
    assert evidence.is_drawn("5")
    evidence.runs += 1
    assert not evidence.is_drawn("5")


def test_the_line_of_best_fit_runs_from_the_leftmost_to_the_rightmost_system(monkeypatch):
    drawn = []
    monkeypatch.setattr(drawings, "Figure", lambda drawing, **options: drawn.append(drawing))
    points = thom2007.figures(thom2007.official(), ["5", "6"])
    lines = thom2007.fits(points)
    drawings.scatters(points, lines, caption="Two figures", columns=2)
    for axes, (number, dots) in zip(drawn[0].axes, points.groupby("figure")):
        (cloud, line), fit = axes.lines, lines.loc[number]
        np.testing.assert_array_equal(cloud.get_xydata(), dots[["x", "y"]])
        ends = [dots["x"].min(), dots["x"].max()]
        assert list(line.get_xdata()) == ends
        assert list(line.get_ydata()) == [fit["intercept"] + fit["slope"] * x for x in ends]


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
