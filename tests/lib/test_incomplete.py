"""Judgements removed at random (Buckley and Voorhees 2004), and what they cost."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from lib import Collection, complete_scores, means, scores
from lib.measures import parse
from lib.statistics.incomplete import budget, degradation, leave_group_out, without_judgements
from lib.statistics.left_out import left_out
from lib.statistics.predictivity import splits

shares = st.floats(0.01, 1.0)


def toy(relevant=6, nonrelevant=14, systems=4, topics="12", grades=None, seed=5):
    """A collection of some topics; documents r0... are relevant, n0... are not, u0... unjudged."""
    grades = grades or {
        t: {f"r{i:02}": 1 for i in range(relevant)} | {f"n{i:02}": 0 for i in range(nonrelevant)}
        for t in topics
    }
    rng = np.random.default_rng(seed)
    kinds = {"r": relevant, "n": nonrelevant, "u": 5}
    names = [f"{kind}{i:02}" for kind, count in kinds.items() for i in range(count)]
    runs = {f"S{s}": {t: list(rng.permutation(names)[:18]) for t in topics} for s in range(systems)}
    return Collection.from_rankings(runs, grades, judged=True)


@given(shares, st.integers(0, 10), st.integers(0, 10), st.integers(0, 99))
def test_each_topic_keeps_the_share_of_both_kinds_and_the_least(share, least, floor, seed):
    bounds = {"least_relevant": least, "least_nonrelevant": floor}
    kept = without_judgements(toy(systems=8), share, rng=np.random.default_rng(seed), **bounds)
    expected = max(np.rint(share * 6), min(least, 6))
    assert (kept.topics["relevant"] == expected).all()
    rest = max(np.rint(share * 14), min(floor, 14))
    assert (kept.topics["judged"] == expected + rest).all()
    assert (kept.judged.groupby("topic")["document"].nunique() == rest).all()  # lists hold them all


def test_a_topic_keeps_one_relevant_and_ten_nonrelevant_documents():
    kept = without_judgements(toy(systems=8), 0.01, rng=np.random.default_rng(1))
    assert kept.topics[["relevant", "judged"]].to_numpy().tolist() == [[1, 11]] * 2


@given(shares, shares, st.integers(0, 99))
def test_sets_from_the_same_state_are_nested(one, other, seed):
    low, high = (
        without_judgements(toy(), share, rng=np.random.default_rng(seed))
        for share in sorted((one, other))
    )
    for table in ("relevant", "judged"):
        documents = [
            set(map(tuple, getattr(c, table)[["topic", "document"]].to_numpy()))
            for c in (low, high)
        ]
        assert documents[0] <= documents[1]


@given(shares, st.integers(0, 30))
def test_scores_are_those_of_the_reduced_judgements(share, seed):
    """What lost its judgement, written down with a negative grade and derived anew."""
    rng = np.random.default_rng(seed)
    kept = without_judgements(toy(), share, rng=rng, least_nonrelevant=1)
    grades = {}
    for topic, name in enumerate(("1", "2")):
        relevant, judged = (
            set(table.loc[table["topic"] == topic, "document"])
            for table in (kept.relevant, kept.judged)
        )
        grades[name] = {f"r{i:02}": 1 if i in relevant else -1 for i in range(6)}
        grades[name] |= {f"n{i:02}": 0 if i in judged else -1 for i in range(14)}
    again = toy(grades=grades)
    for measure in ("AP", "Bpref", "Rprec", "RR", "infAP"):
        pd.testing.assert_frame_equal(scores(kept, measure), scores(again, measure))
    columns = ["topic", "system", "rank"]
    pd.testing.assert_frame_equal(
        kept.unsampled[columns], again.unsampled[columns], check_dtype=False
    )


def test_the_table_is_that_of_a_plain_loop():
    """Every repeat removes other judgements, and each column is the tau that its name says."""
    whole, measures = toy(systems=8), ("Bpref", "AP")
    full = means(whole, measures)
    repeats = [
        means(without_judgements(whole, 0.4, rng=np.random.default_rng([7, repeat])), measures)
        for repeat in range(4)
    ]
    assert not repeats[0].equals(repeats[1])

    def tau(one, other):
        return scipy.stats.kendalltau(one, other).statistic

    table = degradation(whole, measures=measures, shares=[0.4], repeats=4, seed=7)
    assert table["share"].tolist() == [0.4, 0.4] and table["measure"].tolist() == [*measures]
    for name, row in table.set_index("measure").iterrows():
        own = [tau(part[name], full[name]) for part in repeats]
        assert row["score"] == pytest.approx(np.mean([part[name] for part in repeats]))
        assert row["own"] == pytest.approx(np.mean(own))
        assert row["deviation"] == pytest.approx(np.std(own, ddof=1))
        assert row["all"] == pytest.approx(np.mean([tau(p[name], full["AP"]) for p in repeats]))
        assert row["same"] == pytest.approx(np.mean([tau(p[name], p["AP"]) for p in repeats]))
    assert table["deviation"].gt(0).all()
    assert (table["all"] - table["same"]).abs().gt(0.01).all()


# What judgements cost, against how well they predict.


def test_the_table_of_a_budget_is_that_of_a_plain_loop(trec8):
    few = trec8.select(systems=trec8.systems.index[::16], topics=trec8.topics.index[:12])
    measures, rows = {"early": "P@10", "AP": "AP"}, []
    sought = complete_scores(few, "nDCG")
    for pool, size, (label, measure) in product((10, 100), (2, 5), measures.items()):
        known = complete_scores(few.pooled(pool), measure)
        taus = [
            scipy.stats.kendalltau(
                known.iloc[one[:size]].mean().round(10), sought.iloc[two].mean().round(10)
            ).statistic
            for one, two in splits(12, number=30, rng=np.random.default_rng(3))
        ]
        cost = size * few.pools.loc[few.pools["depth"] == pool, "all"].mean()
        error = np.std(taus, ddof=1) / np.sqrt(30)
        rows.append([size, pool, round(cost), label, np.mean(taus), error])
    found = budget(
        few, sizes=(2, 5), pools=(10, 100), measures=measures, target="nDCG", number=30, seed=3
    )
    columns = ["topics", "pool", "judgements", "measure", "phi", "error"]
    pd.testing.assert_frame_equal(found, pd.DataFrame(rows, columns=columns))


def test_a_group_is_judged_by_what_the_others_found(trec8):
    """Of all 129 runs each leaves once; what its group alone brought to the pool is gone."""
    left = list(leave_group_out(trec8, 10))
    assert sorted(run for runs, _ in left for run in runs) == sorted(trec8.systems.index)
    whole = trec8.pooled(10).topics["relevant"].sum()
    assert all(judged.topics["relevant"].sum() <= whole for _, judged in left)
    (own,) = [judged for runs, judged in left if "READWARE2" in runs]
    others = trec8.systems.index[trec8.systems["group"] != trec8.systems["group"]["READWARE2"]]
    assert (own.topics["relevant"] == trec8.pooled(10, by=others).topics["relevant"]).all()


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "Bpref", "condensedAP", "GMAP"])
@pytest.mark.parametrize("grouped", [True, False])
def test_what_a_group_would_lose_is_what_a_whole_pool_without_it_says(measure, grouped):
    """Only topics that change are scored again; here each group's pool is scored whole."""
    c = toy(systems=6, topics="1234567")
    c.systems["group"] = [*"abcabc"] if grouped else ""
    table, inside = left_out(c, measure, depth=2), complete_scores(c.pooled(2), measure)
    mean, rows = parse(measure).definition.mean, {}
    for runs, judged in leave_group_out(c, 2):
        both = inside, complete_scores(judged, measure)
        for run in runs:
            gap = both[1][run] - inside[run]
            reach = scipy.stats.t.ppf(0.975, 6) * gap.std() / np.sqrt(7)
            ends = gap.mean() + np.array([0, -reach, reach])
            rows[run] = [*(float(mean(scored)[run]) for scored in both)]
            rows[run] += [
                1 + (scored.mean().round(6) > round(scored[run].mean(), 6)).sum() for scored in both
            ]
            rows[run] += [*(np.exp(ends) if measure == "GMAP" else ends)]  # a ratio of means
    columns = ["mean", "without", "place", "place without", "difference", "low", "high"]
    expected = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("run")
    if measure == "GMAP":
        expected["compared by"] = "ratio"
    in_order = expected.loc[c.systems.index].sort_values(["place", "place without"], kind="stable")
    pd.testing.assert_frame_equal(table, in_order[[*table]], check_dtype=False)
    assert {*table} == {*expected} and (table["mean"] != table["without"]).any()
