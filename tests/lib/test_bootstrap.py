"""Bootstrap intervals of tau against SciPy and plain resampling; their measured coverage."""

from runpy import run_path

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from lib import load
from lib.measures import complete_scores
from lib.paths import DATA
from lib.statistics.bootstrap import METHODS, TauBootstrap, bootstrap_tau

COVERAGE = DATA / "coverage" / "trec8.csv"
MAKE = run_path(str(COVERAGE.with_name("make.py")))


@pytest.fixture(scope="module")
def tables():
    few = load("trec8").select(systems=list(load("trec8").systems.index[::8]))
    return complete_scores(few, ["AP", "RR", "P@10"])


def tau(tables, one, other, topics):
    """Tau-b of two measures on some topics, by SciPy."""
    means = [tables[name].iloc[topics].mean().round(10) for name in (one, other)]
    return scipy.stats.kendalltau(*means).statistic


@pytest.mark.parametrize("method", ["percentile", "basic", "BCa"])
def test_intervals_equal_scipys_on_the_same_resamples(tables, method):
    topics = np.arange(len(tables["AP"]))
    how = {"n_resamples": 150, "method": method, "rng": np.random.default_rng(3)}
    theirs = scipy.stats.bootstrap(
        (topics,), lambda drawn: tau(tables, "AP", "RR", drawn), vectorized=False, **how
    )
    left_out = [tau(tables, "AP", "RR", np.delete(topics, i)) for i in topics]
    index = pd.MultiIndex.from_tuples([("AP", "RR")], names=["one", "other"])
    observed = pd.Series([tau(tables, "AP", "RR", topics)], index=index)
    drawn = theirs.bootstrap_distribution[:, None]
    found = TauBootstrap(observed, drawn, np.array(left_out)[:, None])
    ours = found.intervals(method=method).iloc[0]
    assert ours["low"] == pytest.approx(theirs.confidence_interval.low, abs=1e-9)
    assert ours["high"] == pytest.approx(min(1, theirs.confidence_interval.high), abs=1e-9)


def test_replicates_and_left_out_taus_equal_a_plain_loop(tables):
    result = bootstrap_tau(tables, number=40, rng=np.random.default_rng(1))
    counts = np.random.default_rng(1).multinomial(50, np.full(50, 1 / 50), size=40)
    for column, (one, other) in enumerate(result.tau.index):
        assert result.tau[(one, other)] == pytest.approx(tau(tables, one, other, range(50)))
        for row in (0, 17, 39):
            drawn = np.repeat(np.arange(50), counts[row])
            expected = tau(tables, one, other, drawn)
            assert result.replicates[row, column] == pytest.approx(expected, abs=1e-12)
        without = np.delete(np.arange(50), 7)
        assert result.loo_replicates[7, column] == pytest.approx(tau(tables, one, other, without))


def test_a_measure_agrees_with_itself_on_all_topics(tables):
    same = {"AP": tables["AP"], "again": tables["AP"]}
    result = bootstrap_tau(same, number=50, rng=np.random.default_rng(1))
    for method in METHODS:
        row = result.intervals(method=method).iloc[0]
        assert row[["tau", "low", "high"]].tolist() == pytest.approx([1, 1, 1])


# Long: 80 simulations; test_intervals_equal_scipys_on_the_same_resamples notices most of it.
@pytest.mark.frozen("coverage")
@pytest.mark.long
def test_committed_coverage_is_what_a_small_simulation_finds():
    """The command of the data package with fewer samples: within four standard errors."""
    tables = complete_scores(load("trec8"), ["P@1", "AP", "RR"])
    committed = pd.read_csv(COVERAGE).set_index(["population", "one", "other", "method"])
    for population in committed.index.unique("population"):
        small = MAKE["coverage"](tables, population, simulations=40, number=200, seed=11)
        theirs = committed.loc[population].loc[[*small.index]]
        own, share = small["coverage"], theirs["coverage"].to_numpy()
        error = np.sqrt(np.maximum(share * (1 - share), 0.01) / 40)
        assert ((own - share).abs() <= 4 * error).all(), population
        np.testing.assert_allclose(small["truth"], theirs["truth"], atol=1e-6)
        np.testing.assert_allclose(small["sample"], theirs["sample"], atol=0.02)
        np.testing.assert_allclose(small["error"], np.sqrt(own * (1 - own) / 40), atol=1e-6)
