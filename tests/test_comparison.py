"""Means with intervals, and systems against one of them: scipy's numbers, and by hand."""

import io

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from strange import small

from lib import load, scores
from lib.cli import main
from lib.errors import InputError
from lib.statistics.comparison import against, summary
from lib.statistics.multiplicity import holm

MEASURES = ["AP", "P@10"]


@pytest.fixture(scope="module")
def some():
    c = load("trec8")
    return c.select(systems=c.systems.index[::8])


def test_an_interval_of_a_mean_is_scipys(some):
    table = summary(some, MEASURES).set_index(["measure", "system"])
    for name in MEASURES:
        for system, of in scores(some, name).fillna(0).items():
            theirs = scipy.stats.ttest_1samp(of, 0).confidence_interval(0.95)
            np.testing.assert_allclose(
                table.loc[(name, system)], [of.mean(), theirs.low, theirs.high], atol=1e-12
            )


@pytest.mark.parametrize("correction", ["none", "holm"])
def test_a_comparison_is_scipys_paired_test(some, correction):
    one = some.systems.index[3]
    table = against(some, one, MEASURES, correction=correction).set_index(["measure", "system"])
    assert len(table) == len(MEASURES) * (len(some.systems) - 1)
    for name in MEASURES:
        of = scores(some, name).fillna(0)
        theirs = {s: scipy.stats.ttest_rel(of[s], of[one]) for s in of if s != one}
        p = np.array([found.pvalue for found in theirs.values()])
        found = table.loc[name]
        np.testing.assert_allclose(found["p"], holm(p) if correction == "holm" else p, atol=1e-9)
        bounds = [
            [f.confidence_interval().low, f.confidence_interval().high] for f in theirs.values()
        ]
        np.testing.assert_allclose(found[["low", "high"]], bounds, atol=1e-12)
        # t is the effect size times the root of the number of topics.
        t = [f.statistic for f in theirs.values()]
        np.testing.assert_allclose(found["effect"] * np.sqrt(len(of)), t, rtol=1e-9)


def test_alike_systems_have_no_effect_size():
    table = against(small(3, 4, alike=True), "s0", ["AP"])
    assert (table["difference"] == 0).all() and table["effect"].isna().all()
    assert (table["p"] == 1).all()


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda: summary(small(2, 1), ["AP"]), "needs two topics or more, not 1"),
        (lambda: against(small(2, 1), "s0", ["AP"]), "needs two topics and two runs"),
        (lambda: against(small(2, 3), "none", ["AP"]), "there is no run 'none'"),
        (lambda: against(small(2, 3), "s0", ["AP"], correction="x"), "correction must be"),
    ],
)
def test_what_cannot_be_compared_is_refused(ask, message):
    with pytest.raises(InputError, match=message):
        ask()


def test_the_command_prints_means_and_differences(capsys):
    words = ["evaluate", "trec8", "--measures", "AP RR", "--summary"]
    assert main(words) == 0
    plain = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert plain.columns.tolist() == ["measure", "system", "mean", "low", "high"]
    assert len(plain) == 2 * 129
    assert main([*words, "--against", "READWARE2", "--correction", "holm"]) == 0
    found = pd.read_csv(io.StringIO(capsys.readouterr().out))
    pd.testing.assert_frame_equal(found[plain.columns], plain)
    assert ",".join(found.columns[5:]) == "difference,low of difference,high of difference,effect,p"
    assert found.loc[found["difference"].isna(), "system"].tolist() == ["READWARE2"] * 2
    best = found.loc[found["measure"] == "AP", "difference"].dropna()
    assert (best < 0).all()  # it is the best by AP
