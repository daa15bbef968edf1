"""Before and after: tests against SciPy's, five counts by hand, topics needed at the ends."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters.tomlinson2006.tables import RUN_PAIRS
from lib import Collection, load
from lib.statistics.impact import differences, impact, paired_scores, topics_needed

CF = load("feedback/cf")


def lists(*ranks):
    """A run that has topic i's one relevant document at the i-th rank given (0: not at all)."""
    return {
        str(topic): [f"x{i}" for i in range(1, rank or 4)] + ["r"] * (rank > 0)
        for topic, rank in enumerate(ranks)
    }


def toy(name="toy", **runs):
    topics = next(iter(runs.values()))
    return Collection.from_rankings(runs, {t: {"r": 1} for t in topics}, name=name)


# --- the five counts


def test_gmap_is_geometric_and_its_test_is_of_logarithms():
    before, after = paired_scores(CF, RUN_PAIRS, "AP")
    found = impact(CF, RUN_PAIRS, {"GMAP": "GMAP"}).set_index("system")
    logs = [np.log(table.clip(lower=1e-5)) for table in (before, after)]
    assert found["before"].to_numpy() == pytest.approx(np.exp(logs[0].mean()), rel=1e-12)
    assert found["p"].to_numpy() == pytest.approx(stats.ttest_rel(*logs).pvalue, rel=1e-9)


OUTCOMES_OF_RANKS = [
    ([1, 2, 3], [1, 2, 3], "z", 0.0, 1.0),
    ([1, 2, 3, 3], [2, 1, 3, 3], "z", 0.0, 1.0),  # RR 1 -> 1/2 and 1/2 -> 1 cancel
    ([3, 6, 9, 7], [3, 9, 7, 6], "z", 0.0, 1.0),  # of means whose last bit differs
    ([2] * 5, [1] * 5, "ps", 0.5, 0.0),  # the deviation is 0 and t infinite
    ([1] * 5, [2] * 5, "ns", -0.5, 0.0),
    ([0, 0, 0], [0, 0, 0], "z", 0.0, 1.0),
    ([0] * 4, [1, 0, 0, 0], "po", 0.25, stats.ttest_1samp([1, 0, 0, 0], 0).pvalue),
]


@pytest.mark.parametrize(("before", "after", "kind", "difference", "p"), OUTCOMES_OF_RANKS)
def test_outcomes_by_hand(before, after, kind, difference, p):
    (row,) = impact(
        toy(A=lists(*before), B=lists(*after)), [("s", *"AB")], {"m": "RR"}
    ).itertuples()
    assert (row.outcome, str(row.difference)) == (kind, str(difference))  # no -0.0
    assert row.p == pytest.approx(p, abs=1e-9)


# --- pooling


def test_pooled_topics_stand_one_after_the_other():
    one, two = toy("one", A=lists(1, 2), B=lists(2, 2)), toy("two", A=lists(3), B=lists(1))
    table = differences([one, two], [("s", "A", "B")], "RR")["s"]
    assert table.index.tolist() == [("one", "0"), ("one", "1"), ("two", "0")]
    assert table.tolist() == [-0.5, 0, pytest.approx(2 / 3)]


# --- power and what topics share


def test_topics_needed_at_the_ends():
    sample = {"none": [-1.0, 1.0], "same": [0.5, 0.5], "loss": [-3.0, 1.0], "gain": [3.0, -1.0]}
    found = topics_needed(pd.DataFrame(sample))
    assert (found["none"], found["same"], found["loss"]) == (np.inf, 2, found["gain"])
