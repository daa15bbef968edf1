"""Intervals over topics where the truth is known: the committed table, and a small part of it."""

from runpy import run_path

import numpy as np
import pytest

from chapters.data_tables import read, trusted
from lib.paths import DATA

MAKE = run_path(str(DATA / "coverage" / "make.py"))

KEY = ["quantity", "measure", "other"]


@pytest.fixture(scope="module")
def committed():
    return read("coverage", "topic-error").set_index(["population", *KEY, "method"])


def test_estimates_have_no_bias(committed):
    """Halves of 50 topics stand for 25 new ones; power and tau are those of 50 by definition."""
    error = np.hypot(committed["truth_error"], committed["deviation"] / np.sqrt(500))
    assert ((committed["sample"] - committed["truth"]).abs() < 4 * error + 1e-4).all()


# Long for TREC-5, with simulated topics; Robust 2004 notices most of it.
@pytest.mark.frozen("coverage")
@pytest.mark.parametrize(
    ("name", "simulations"), [("robust04", 4), pytest.param("trec5", 8, marks=pytest.mark.long)]
)
def test_a_small_simulation_finds_what_is_committed(name, simulations, committed):
    """Other seeds and fewer sets: within four standard errors."""
    small = MAKE["topic_error"](
        MAKE["population"](name), simulations=simulations, number=20, sets=60, seed=1
    )
    theirs = committed.loc[name].reindex(small.index)
    spread = theirs["deviation"] / np.sqrt(simulations)
    assert ((small["sample"] - theirs["sample"]).abs() < 4.5 * spread).all()
    assert ((small["truth"] - theirs["truth"]).abs() < 4.5 * small["truth_error"]).all()
    assert small["jackknife"].div(theirs["jackknife"]).between(0.6, 1.6).all()
    chance = np.sqrt(np.maximum(theirs["coverage"] * (1 - theirs["coverage"]), 0.02))
    missed = (small["coverage"] - theirs["coverage"]).abs()
    assert (missed < 4.5 * chance / np.sqrt(simulations)).all()


def test_intervals_are_as_wide_as_the_book_says(committed):
    """Where the papers' claims are judged, they promise no more than they hold, nor much less."""
    share = committed.xs("one", level="method")["coverage"]
    assert share["robust04"].between(0.9, 0.99).all() and share["trec8"].between(0.9, 0.995).all()
    assert share["trec5"].min() > 0.9  # some of all 500 hold: too wide
    shown = trusted()
    assert shown["lowest"].min() == share.min() and shown["highest"].max() == share.max()
    ratio = committed["jackknife"] / committed["deviation"]
    assert shown["error"]["trec5"].max() == ratio.xs("one", level="method")["trec5"].max()
