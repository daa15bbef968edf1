"""Thom and Scholer 2007, against the printed numbers and what other collections give."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from committed import moved_rows
from scipy.stats import kendalltau
from way_of_a_claim import now_and_then

from chapters.ledger.claims import answer as decided
from chapters.ledger.published import CONSTANT, PRINT, lookup, read_published
from chapters.ledger.registry import registered
from chapters.thom2007 import PAPER, claims, drawings, tables
from chapters.thom2007.claims import Data, sharpest_bound
from chapters.thom2007.noise import family_test
from lib import load, means
from lib.estimates import Estimate
from lib.statistics.correlation import tau_matrix


def test_tables_equal_scipy():
    """All seven taus of TREC-8 and of the 61 automatic runs, and two of the paper's 80."""
    for cells, table in [
        (PAPER.tables["1"](), tables.official_means()),
        (tables.table1(load("trec8")), means(load("trec8"), tables.MEASURES)),
        (tables.taus(tables.automatic()), tables.automatic()),
    ]:
        theirs = [kendalltau(table[a], table[b]).statistic for a, b in tables.covered(table)]
        np.testing.assert_allclose(lookup(cells), theirs, rtol=0, atol=1e-12)


def test_zeros_divide_by_the_topics_that_were_asked():
    manual = tables.official_means(treatment="fifty", only="manual")
    zeros = tables.official_means(treatment="zeros", only="manual")
    pd.testing.assert_frame_equal(zeros, manual * 50 / 149)
    assert tables.official_means(treatment="complete", only="manual").empty
    automatic = tables.official_means(only="automatic")
    complete = tables.official_means(treatment="complete")
    pd.testing.assert_frame_equal(automatic, complete, check_like=True)
    shown = tables.treatments()["runs"][[*tables.TREATMENTS.values()]]
    assert [*shown] == [len(tables.official_means(treatment=name)) for name in tables.TREATMENTS]
    with pytest.raises(ValueError, match="treatment must be one of"):
        tables.official_means(treatment="all")
    with pytest.raises(ValueError, match="automatic"):
        tables.official_means(only="semi")


# What the paper says


@pytest.fixture(scope="module")
def data():
    """What the claims are checked with."""
    return Data()


RANDOM = np.random.default_rng(1).random(141)
# What is done to the official scores, and the claims that hold no longer.
ALTERED = {
    "RR ranks as AP does": (
        lambda scores: {"RR": scores["AP"]},
        {
            "measure-family-changes-ranking",
            "tau-ap-rr-below-bound",
            "bpref-mirrors-ap-against-rr",
            "good-by-rr-need-not-be-by-ap",
        },
    ),
    "RR is random": (lambda scores: {"RR": RANDOM}, {"tau-ap-rr-significant"}),
    "P@10 is random": (lambda scores: {"P@10": RANDOM}, {"tau-ap-p10-significant"}),
    "P@10 ranks as bpref does": (
        lambda scores: {"P@10": scores["Bpref"]},
        {"bpref-mirrors-ap-against-p10"},
    ),
}
FAMILIES = {
    "high-precision-and-summary-apart",
    "p1-rr-strong",
    "ap-rprec-very-close",
    "p10-p1-less-strong",
    "p10-ap-less-strong",
    "between-families-lower-than-other-pairs",
    "at-least-two-families",
    "p1-and-rr-early-family",
    "ap-and-rprec-broad-family",
}
# What is done to the printed taus, and the claims on them that hold no longer.
REPRINTED = {
    "all taus are level": (
        dict.fromkeys(tables.MEASURE_PAIRS, 0.5),
        FAMILIES | {"tau-p1-ap-below-bound", "tau-p1-rprec-below-bound"},
    ),
    "all taus are near zero": (
        dict.fromkeys(tables.MEASURE_PAIRS, 0.1),
        FAMILIES
        | {
            f"tau-{pair}-significant"
            for pair in ("p1-ap", "p1-rr", "p1-p10", "p1-rprec", "ap-rprec")
        },
    ),
    "P@10 is with AP": (
        {("P@1", "P@10"): 0.583, ("AP", "P@10"): 0.659},
        {"high-precision-and-summary-apart"},
    ),
    "lower, and not far lower": (
        {("P@1", "AP"): 0.39, ("AP", "P@10"): 0.48},
        {"between-families-lower-than-other-pairs"},
    ),
}


def that_hold(found):
    return set(found["row"][(found["column"] == "claim") & found["reproduced"].eq(True)])


def turned(data):
    """The claims that hold no longer."""
    return that_hold(PAPER.checked) - that_hold(PAPER.check(data))


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("alteration", ALTERED)
def test_other_data_turn_a_claim(data, alteration):
    alter, expected = ALTERED[alteration]
    scores = data.scores.assign(**alter(data.scores))
    assert turned(replace(data, scores=scores)) == expected


@pytest.mark.parametrize("alteration", REPRINTED)
def test_another_print_turns_a_claim(data, alteration):
    """Section 3, section 4 and Table 1: what the seven printed taus decide."""
    taus, expected = REPRINTED[alteration]
    table = claims.printed_taus()
    for (one, other), tau in taus.items():
        table.loc[one, other] = table.loc[other, one] = tau
    assert turned(replace(data, printed=table)) == expected


def test_every_claim_that_holds_can_be_turned_but_definitions(data):
    """Shallow judgements turn the one that is left."""
    assert turned(replace(data, trec8=data.covid)) == {"bpref-close-to-ap"}
    altered = set().union(*(expected for _, expected in (ALTERED | REPRINTED).values()))
    constant = set(read_published("thom2007").set_index("evidence")["row"][CONSTANT])
    assert altered | {"bpref-close-to-ap"} == that_hold(PAPER.checked) - constant


def test_a_row_on_print_asks_no_run_and_runs_are_counted(data):
    """Rows that rest on print stay when every score is another and a run is missing."""
    scores = data.scores.drop(index="zetaman", level="run")
    scores[["AP", "RR", "P@10", "Bpref"]] = np.random.default_rng(4).random((len(scores), 4))
    altered = PAPER.check(replace(data, scores=scores))
    altered, found = (t.set_index("row")["reproduced"] for t in (altered, PAPER.checked))
    for key in read_published("thom2007").set_index("evidence")["row"][PRINT]:
        assert altered[key] == found[key], key
    assert altered["ap-over-returned-documents"]  # no longer the usual AP
    assert altered["runs"] == altered["runs-compared"] == 79


def test_what_an_unprinted_tau_cannot_exceed(data):
    """The bound for RR with R-precision, from their taus with AP, and on data where it is known."""
    angle = np.arccos(0.350) - np.arccos(0.899)
    printed = claims.printed_taus()
    assert sharpest_bound(printed, "RR", "Rprec") == pytest.approx(np.cos(angle))
    for collection in (data.trec8, data.covid):
        tau = claims.rankings(collection).value
        for one, other in combinations(tau, 2):
            assert tau.loc[one, other] <= sharpest_bound(tau, one, other) + 1e-12


def test_rankings_without_a_topic_are_those_of_the_others(data):
    of, trec8 = claims.rankings(data.trec8), data.trec8
    assert len(of.topics) == 50
    kept = means(trec8.select(topics=trec8.topics.index[1:]), of.value.columns)
    pd.testing.assert_frame_equal(of.topics[0], tau_matrix(kept, variant="b"))


@pytest.mark.parametrize(
    ("within", "between", "of_p10", "answer"),
    [(0.9, 0.3, 0.6, "holds"), (0.5, 0.5, 0.5, "does not hold")],
)
def test_what_other_collections_say_of_the_families(
    data, monkeypatch, within, between, of_p10, answer
):
    """All sentences hold where the families are plain, and none where all taus are equal."""
    early = np.array([True, True, False, False])
    tau = np.where(np.equal.outer(early, early), within, between)
    four = pd.Index(["P@1", "RR", "AP", "Rprec"])
    tau = pd.DataFrame(tau, four, four).reindex(tables.MEASURES, fill_value=of_p10)
    tau = tau.reindex(columns=tables.MEASURES, fill_value=of_p10)
    monkeypatch.setattr(claims, "rankings", lambda collection: Estimate(tau))
    rows = [row for row in registered() if row.source == "thom2007" and row.population == "trec8"]
    answers = [decided(row.ask(PAPER.quantities, data.trec8), row.bound).value for row in rows]
    assert len(rows) == 13 and {claims.HOLDS[value] for value in answers} == {answer}
    for slug in ("p10-between-families", "between-families-weak"):
        (row,) = (one for one in PAPER.checks.values() if one.id == slug)
        value, cause = row.ask(PAPER.quantities, data)
        assert value is None and f"; on TREC-8 it {answer} (" in cause


def test_the_control_keeps_the_best_systems_and_says_what_it_cannot_show():
    known = {"trec8": load("trec8")}
    figure, again = (
        drawings.panel("trec8", "AP", "RR", 0.75, 0.5, resamples=20, known=known) for _ in "12"
    )
    assert figure.data.shown["value"]["systems"] == "96"
    assert figure.svg == again.svg and figure.data.shown.equals(again.data.shown)
    dots, line = figure.drawing.axes[0].lines
    assert [*line.get_xdata()] == [*line.get_ydata()] == [min(dots.get_xdata()), 1]
    assert "not public" in drawings.panel("terabyte06", "AP", "P@1", known=known)
    with pytest.raises(ValueError, match="share"):
        drawings.panel("trec8", "AP", "RR", share=0, known=known)


def test_families_survive_a_share_of_the_same_draws_of_topics(data):
    few = data.trec8.select(systems=data.trec8.systems.index[::6])
    families = early, late = ("P@1", "RR"), ("P@10", "AP")
    found, again = (family_test({"few": few}, families=families, number=40) for _ in "12")
    within, between, survives = found["few"]
    tau = tau_matrix(means(few, tables.MEASURES), variant="b")
    assert within == min(tau.loc[early], tau.loc[late])
    assert between == tau.loc[[*early], [*late]].to_numpy().max()
    assert found.equals(again) and 0.5 < survives < 1
    mixed = family_test({"few": few}, families=(("P@1", "P@10"), ("RR", "AP")), number=40)
    assert mixed.loc["survives", "few"] < 0.5


# The automatic runs, whose P@1 and R-precision are public


def test_the_automatic_runs_are_those_of_the_official_scores():
    """TREC 2006 Terabyte: 61 runs, 149 topics; three of five means are official, to the digit."""
    table = tables.automatic()
    official = tables.official_scores().xs(149, level="topics")
    shared = ["AP", "RR", "P@10"]
    pd.testing.assert_frame_equal(table[shared], official[shared], check_exact=True)
    # A topic whose first document is relevant has RR 1, any other 1/2 at most.
    assert table["P@1"].between(2 * table["RR"] - 1 - 2e-4, table["RR"] + 1e-4).all()
    hits = table["P@1"] * 149
    assert (np.abs(hits - hits.round()) < 149 * 0.00005 + 1e-9).all()


@pytest.mark.parametrize("turned", ["RR", "AP"])
def test_a_title_on_depth_holds_for_both_measures_or_says_so(turned, monkeypatch):
    shown = {"TREC-8": load("trec8")}
    assert drawings.draw_depths(shown).caption.startswith("The further down")

    def other(*given, **options):
        taus = tau_matrix(*given, **options)
        return taus.assign(**{turned: -taus[turned]})

    monkeypatch.setattr(drawings, "tau_matrix", other)
    assert drawings.draw_depths(shown).caption.startswith("Not everywhere: the further down")


@pytest.mark.frozen("claims")
def test_the_committed_rows_of_thom2007_are_the_computed_ones():
    assert moved_rows("thom2007") == []
    pd.testing.assert_frame_equal(*now_and_then("thom2007"), rtol=0, atol=2e-6)
