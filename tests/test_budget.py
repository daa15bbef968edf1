"""What judgements cost, against how well they predict."""

import numpy as np
import pandas as pd
import pytest

from lib import load, scores
from lib.statistics.incomplete import against_fewer, best_buys, budget
from lib.statistics.predictivity import predictivity, splits


@pytest.fixture(scope="module")
def trec8():
    return load("trec8")


def test_budget_at_full_cost_is_predictivity(trec8):
    """All judgements, 25 topics and the measure itself as target: Webber 2008's phi."""
    table = budget(trec8, sizes=(25,), pools=(100,), measures={"AP": "AP"}, number=200)
    sets = splits(50, number=200, rng=np.random.default_rng(2010))
    ap = scores(trec8, "AP")
    phi = predictivity({"AP": ap}, sets).phi.loc["AP", "AP"]
    assert table["phi"].iloc[0] == pytest.approx(phi, abs=1e-12)
    assert table["judgements"].iloc[0] == round(25 * 108_819 / 50)


def test_more_topics_predict_better_at_the_same_depth(trec8):
    table = budget(trec8, sizes=(5, 25), pools=(5, 100), number=100)
    by_size = table.pivot(index=["pool", "measure"], columns="topics", values="phi")
    assert (by_size[25] > by_size[5]).all()
    best = best_buys(table)
    assert best["phi"].is_monotonic_increasing and best["judgements"].is_monotonic_increasing


def test_best_buys_by_hand():
    table = pd.DataFrame({"judgements": [10, 10, 20, 30], "phi": [0.5, 0.6, 0.55, 0.7]})
    assert best_buys(table)["phi"].tolist() == [0.6, 0.7]


def test_p10_on_many_topics_against_deeper_measures_on_fewer(trec8):
    """Webber 2008's last remark: it holds against 10 topics, and no longer against 20."""
    table = against_fewer(budget(trec8, target="P@10"))
    assert table.index.tolist() == [25, 20, 15, 10, 5]
    assert table.loc[25, ["measure", "pool", "judgements"]].tolist() == ["P@10", 5, 3579]
    assert round(table.loc[25, "phi"], 3) == 0.704
    assert table.loc[10, "phi"] < 0.68 < table.loc[25, "phi"]
    assert table.loc[20, "phi"] > table.loc[25, "phi"]
    assert abs(table.loc[20, "phi for as much"] - table.loc[25, "phi"]) < 0.005
