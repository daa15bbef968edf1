"""Webber, Moffat, Zobel and Sakai 2008, against the printed numbers (SIGIR 2008, pages 695-696)."""

import numpy as np
import pandas as pd
import pytest

from lib import load
from lib.papers import webber2008
from lib.published import compare


def test_table_1_page_696_every_cell_agrees_within_sampling():
    """All 15 cells: half a printed digit and three standard errors of the difference."""
    result = compare("webber2008", "Table 1", webber2008.table1())
    assert len(result) == 15
    assert set(result["verdict"]) <= {"reproduced", "within Monte-Carlo error"}
    assert (result["difference"].abs() <= result["tolerance"]).all()
    # The tolerance is no free pass: sampling adds less than half a printed digit to it.
    assert result["tolerance"].max() < 0.0105


def test_table_1_does_not_hang_on_its_seed():
    result = compare("webber2008", "Table 1", webber2008.table1(seed=1))
    assert (result["difference"].abs() <= result["tolerance"]).all()


def test_ninety_six_systems_match_where_ninety_seven_do_not():
    agree = webber2008.choices(number=1000)["agree"]
    assert agree["as reproduced here"] == 15
    assert agree["97 systems (75% rounded up)"] < 15
    assert agree["nDCG with discount log2(i + 1)"] < 15


def test_table_2_needs_runs_that_are_not_public():
    assert webber2008.table2().empty
    assert len(webber2008.table2(load("trec-covid"), number=2)) == 15


def test_top_systems_are_the_best_by_average_precision():
    trec8 = load("trec8")
    kept = webber2008.top_systems(trec8)
    assert len(kept) == 96
    assert len(webber2008.top_systems(trec8, rounding="up")) == 97
    assert len(webber2008.top_systems(trec8, share=1.0)) == 129
    from lib import means

    ap = means(trec8, ["AP"])["AP"]
    assert ap[kept].min() >= ap.drop(kept).max()
    with pytest.raises(ValueError, match="share"):
        webber2008.top_systems(trec8, share=0)


def test_the_claim_on_reciprocal_rank_contradicts_the_papers_own_table_1():
    held = webber2008.predicts(webber2008.table1()).set_index(["target", "predictor"])["holds"]
    assert held["P@10"].all()
    assert held["RR"].to_dict() == {"RBP(p=0.95)": True, "AP": False, "nDCG": False}


def test_conflicts_equal_a_count_by_hand():
    """One system pair, two topics: P@10 and AP disagree on topic 1, and topic 2 decides."""
    from lib import Collection

    first = {"A": "r1 x x x x x x x x x x r2 r3", "B": "x x r1 x x x x x x r2"}
    runs = {
        s: {"1": f.split(), "2": ("r1 x y" if s == "A" else "x r1 y").split()}
        for s, f in first.items()
    }
    runs = {
        s: {
            t: [f"{d}{i}" if d in "xy" else d for i, d in enumerate(docs)]
            for t, docs in lists.items()
        }
        for s, lists in runs.items()
    }
    toy = Collection.from_rankings(runs, {"1": dict(r1=1, r2=1, r3=1), "2": dict(r1=1)})
    # Topic 1: P@10 A .1 < B .2; AP A (1 + 2/12 + 3/13)/3 = .47 > B (1/3 + 2/10)/3 = .18:
    # a conflict.
    # Topic 2: P@10 .1 = .1, a tie; AP A 1 > B .5: AP was right.
    # The other way round topic 2 is no conflict, since P@10 ties.
    with np.errstate(invalid="ignore"):
        right = webber2008.conflicts(toy, share=1.0, number=40)
    assert np.isnan(right["P@10"])
    assert right["AP"] == 1.0


def test_figure_1_has_its_largest_sets_at_table_1():
    points = webber2008.figure1(sizes=(25,), number=500, seed=5)
    phi = webber2008.phi(load("trec8"), number=500, seed=5).phi
    for point in points.itertuples():
        assert point.phi == pytest.approx(phi.loc[point.predictor, point.of])


def test_the_control_shows_the_numbers_of_phi():
    shown = webber2008.panel("RR", 10, number=50).data.shown
    phi = webber2008.phi(load("trec8"), size=10, number=50).phi["RR"]
    assert shown["phi"].to_dict() == {name: f"{value:.3f}" for name, value in phi.items()}
    assert isinstance(shown, pd.DataFrame)


def test_halves_stand_in_for_new_topics():
    given = load("trec8"), {"P@10": "P@10", "AP": "AP"}
    found = webber2008.halving(*given, samples=100, pairs=500, seed=1)
    assert list(found.index) == [("P@10", "P@10"), ("P@10", "AP"), ("AP", "AP")]
    assert (found["difference"].abs() <= 3 * found["error"]).all()
    assert found["deviation"].between(0.02, 0.1).all()  # far more than the error of 2,000 splits
    again = webber2008.halving(*given, samples=100, pairs=500, seed=1)
    pd.testing.assert_frame_equal(found, again)
