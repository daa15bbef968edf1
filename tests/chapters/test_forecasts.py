"""Forecasts of leads, tried where other topics are at hand: registered pilots, Robust 2004's."""

import numpy as np
import pytest

from chapters.data_tables import read
from chapters.elsewhere import leads, sixteen
from lib.statistics.law import foretell

# Of the referee, from 120 pilots of 50 topics: mean leads of AP for P@10, and what is true.
REFEREE = np.array([[0.057, 0.036, 0.012, -0.016], [0.054, 0.036, 0.013, -0.013]])
SIZES = [10, 25, 50, 100]


@pytest.mark.parametrize("name", ["G23", pytest.param("G22", marks=pytest.mark.long)])
def test_registered_pilots_foretell_what_was_kept_of_them(name):
    """With four times the splits, and others: the estimates to .01, as many intervals hold."""
    scores = leads.hold_out_scores(name, leads.OF_LAW)
    kept = read("law", "pilots").query("collection == @name")
    held = 0
    for row in kept.itertuples():
        pilot = leads.pilots(scores["AP"].index)[row.pilot]
        some = {label: scores[label].iloc[pilot] for label in ("AP", row.target)}
        told = foretell(some, row.target, [leads.FORETOLD]).lead
        assert told.estimate[0, 0] == pytest.approx(row.estimate, abs=0.01)
        assert told.error[0, 0] == pytest.approx(row.error, rel=0.2)
        held += bool(told.low[0, 0] <= row.seen <= told.high[0, 0])
    assert held == pytest.approx(kept["held"].sum(), abs=1)


def on_robust(number):
    """What pilots of 50 topics of Robust 2004 foretell of AP for P@10, a row a pilot."""
    scores = sixteen.older_scores_of("robust04", "all")
    rng, rows = np.random.default_rng(2004), []
    for _ in range(number):
        pilot = rng.permutation(len(scores["AP"]))[:50]
        some = {label: scores[label].iloc[pilot] for label in ("AP", "P@10")}
        rows.append(foretell(some, "P@10", SIZES).lead.estimate[0])
    return np.array(rows)


@pytest.mark.long  # quick: tests/chapters/test_leads.py has the referee's table of Robust 2004
def test_pilots_of_robust_2004_foretell_what_the_referees_did():
    """In the mean of 120, whose deviation is .03 at most: an error of the mean of .003."""
    told = on_robust(120)
    seen = read("law", "foretold").query("collection == 'robust04' and runs == 'all'")
    seen = seen.query("fitted == 25").set_index("topics").loc[SIZES, "seen"].to_numpy()
    assert seen == pytest.approx(REFEREE[1], abs=0.005)
    assert told.mean(axis=0) == pytest.approx(REFEREE[0], abs=0.005)
    errors = told.mean(axis=0) - seen
    assert errors == pytest.approx(REFEREE[0] - REFEREE[1], abs=0.005)
    assert (0.015 < told.std(axis=0, ddof=1)).all() and (told.std(axis=0, ddof=1) < 0.035).all()
