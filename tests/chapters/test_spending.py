"""What a budget buys and how many topics: against plain second ways, and laws."""

from runpy import run_path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters.spending.agreement import Draws, phi
from lib.collection import Collection
from lib.paths import DATA
from lib.statistics.predictivity import of_target, splits

MAKE = run_path(str(DATA / "spending" / "make.py"))


def drawn(topics=8, size=3, number=6, seed=1):
    return Draws.make(topics, size=size, number=number, rng=np.random.default_rng(seed))


def noisy(seed=2, tables=3, topics=8, systems=6):
    rng = np.random.default_rng(seed)
    return rng.random((tables, topics, systems)).round(1)


def test_phi_is_that_of_the_paper():
    """As lib.statistics.predictivity has it, on the same splits."""
    values, target = noisy(topics=9), noisy(3, topics=9)[0]
    tables = {str(i): pd.DataFrame(table) for i, table in enumerate(values)}
    sets = splits(9, number=5, rng=np.random.default_rng(7))
    ours = phi(values, target, drawn(9, 2, 5, 7))
    theirs = of_target(tables, pd.DataFrame(target), sets, size=2)["phi"]
    assert ours == pytest.approx(theirs.to_numpy())


def test_places_are_tau_a_when_every_system_is_asked_for():
    values, target, draws = noisy(), noisy(3)[0], drawn()
    every = np.arange(6)
    each = [
        MAKE["placed"](values, target, draws, systems=[i], others=np.delete(every, i))
        for i in every
    ]
    plain = np.zeros(3)
    for one, other in zip(draws.known, draws.sought):
        for k, table in enumerate(values):
            a, b = table[one].mean(axis=0).round(10), target[other].mean(axis=0).round(10)
            signs = [np.sign(a[i] - a[j]) * np.sign(b[i] - b[j]) for i in every for j in range(i)]
            plain[k] += np.mean(signs) / len(draws.known)
    assert np.mean(each, axis=0) == pytest.approx(plain)


def test_what_leaves_the_draws_is_gone_from_both_sides():
    left = drawn(size=1, number=200).without(np.array([0, 1]))
    assert not left.known[:, :2].any() and not left.sought[:, :2].any()
    assert left.known.any(axis=1).all() and len(left.known) < 200


def tracks():
    """Six systems of three groups on eight topics; the fourth group fed no pool."""
    rng = np.random.default_rng(6)
    runs, qrels = {}, {}
    for topic in range(8):
        qrels[str(topic)] = {f"d{d}": int(rng.random() < 0.3) for d in range(40)} | {"d0": 1}
        for i in range(8):
            order = np.argsort([-qrels[str(topic)][f"d{d}"] + rng.normal() * i for d in range(40)])
            runs.setdefault(f"r{i}", {})[str(topic)] = [f"d{d}" for d in order[:30]]
    made = Collection.from_rankings(runs, qrels, judged=True)
    made.systems["group"] = list("xxyyzzww")
    made.systems["pooled"] = ["yes"] * 6 + ["no"] * 2
    return made


def test_a_deep_budget_leaves_nothing_between_the_ways():
    """Whatever is judged first, in the end it is the same pool, for inferred AP too."""
    table = MAKE["predicted"](tracks(), costs=[30], sizes=[4], number=20)
    ways = table[table["measure"].isin(["AP", "infAP", "xinfAP"])]
    assert len(ways) == 7
    assert ways["phi"].to_numpy() == pytest.approx(ways["phi"].iloc[0], abs=1e-3)
    assert ways["gain"].to_numpy() == pytest.approx(0, abs=1e-3)


def test_who_is_outside_is_placed_worse_by_a_shallow_pool():
    table = MAKE["predicted"](tracks(), ways=["depth"], costs=[1, 30], sizes=[4], number=40)
    table = table[table["measure"] == "AP"].set_index("depth")
    assert table.loc[1, "outside"] < table.loc[1, "inside"]
    gap = (table["inside"] - table["outside"]).abs()
    assert gap[30] < gap[1]
    assert table.loc[30, "judgements"] > table.loc[1, "judgements"]


def test_pairs_that_turn_round_counted_plainly():
    scores = pd.DataFrame(np.random.default_rng(8).normal(size=(12, 5)) + [0, 0.2, 0.4, 0.8, 1.6])
    table = MAKE["sign_reversals"](scores, sizes=[6], number=20, seed=1).set_index("method")
    significant = opposite = again = 0
    rng = np.random.default_rng([1, 6])
    for _ in range(20):
        part = rng.permutation(12)[:6]
        one, other = scores.iloc[part], scores.drop(index=part)
        for i in range(5):
            for j in range(i + 1, 5):
                here, there = stats.ttest_rel(one[i], one[j]), stats.ttest_rel(other[i], other[j])
                if here.pvalue < 0.05:
                    significant += 1
                    opposite += here.statistic * there.statistic < 0
                    again += there.pvalue < 0.05 and here.statistic * there.statistic > 0
    assert table.loc["t", "significant"] == pytest.approx(significant / 20 / 10)
    assert table.loc["t", "turned"] == pytest.approx(opposite / significant)
    assert table.loc["t", "again"] == pytest.approx(again / significant)
    assert table.loc["Holm", "significant"] <= table.loc["t", "significant"]


def test_the_spread_of_systems_leaves_the_noise_of_topics_out():
    rng = np.random.default_rng(10)
    effect = rng.normal(0, 0.1, 400)
    values = pd.DataFrame(effect + rng.normal(size=(30, 1)) + rng.normal(size=(30, 400)))
    apart, noise = MAKE["spread"](values)
    assert noise == pytest.approx(1, abs=0.05) and apart == pytest.approx(effect.std(), abs=0.02)
    assert values.mean().std() > 1.5 * apart  # the observed means lie further apart
