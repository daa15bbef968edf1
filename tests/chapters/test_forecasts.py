"""Forecasts of leads, tried where other topics are at hand: registered pilots, Robust 2004's."""

import pytest

from chapters.data_tables import read
from chapters.elsewhere import leads
from lib.statistics.law import foretell


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
