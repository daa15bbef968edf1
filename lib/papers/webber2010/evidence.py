"""What the claims of the paper are judged by."""

from itertools import combinations, product

import numpy as np
import pandas as pd

from lib.collection import Collection, load
from lib.measures import complete_scores, means, scores
from lib.papers import webber2010 as paper
from lib.published import read
from lib.statistics.discrimination import discriminative_power, significant

__all__ = ["LEVEL", "NEARLY", "PLAIN", "evidence"]

LEVEL = 0.006
PLAIN = 0.01
NEARLY = 0.9

FULL = list(paper.POOLS)  # full assessment: evaluation and pool depth are the same
NDCG = "nDCG(discount=2002,rel=1)"


def evidence(collection=None):
    """Return the numbers that speak for or against the paper's three hypotheses.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.

    Returns
    -------
    DataFrame
        Columns hypothesis, evidence, value: discriminative powers, their differences, taus, ranks.
    """
    collection = collection or load("trec8")
    power = paper.grid(collection).set_index(["measure", "pool", "depth"])["power"]
    full = _full(power)
    own = paper.table1(collection).set_index("row")["value"].astype(float)
    tau = paper.figure2_taus(collection).set_index(["row", "column"])["value"].astype(float)
    ranks = paper.ranks_of("READWARE", collection).set_index(["pool", "depth"])["rank"]
    rows = []
    for adjusted, raw in (("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP"), ("sDCG", "DCG")):
        gain = power[adjusted] - power[raw]
        rows.append(
            (
                "normalization",
                f"{adjusted} less {raw}, mean of the 40 settings",
                f"{gain.mean():+.3f}",
            )
        )
        rows.append(
            (
                "normalization",
                f"{adjusted} less {raw}, lowest and highest",
                f"{gain.min():+.3f} to {gain.max():+.3f}",
            )
        )
    gains = full[100] - full[5]
    rows += [
        (
            "depth",
            "gain from depth 5 to 100, lowest and highest of 12 measures",
            f"{gains.min():+.3f} to {gains.max():+.3f}",
        ),
        (
            "depth",
            "difference between them at depth 100",
            f"{full[100].max() - full[100].min():.3f}",
        ),
        (
            "depth",
            "nDCG@1000 less RBP .8 in Table 1",
            f"{own['nDCG@1000'] - own['RBP(p=0.8)']:+.3f}",
        ),
        (
            "depth",
            "nDCG less RBP at equal depth 100",
            f"{full.loc['nDCG', 100] - full.loc['RBP', 100]:+.3f}",
        ),
        ("reinforcement", "tau of extended and deep", f"{tau[('extended', 'deep')]:.3f}"),
        ("reinforcement", "tau of shallow and deep", f"{tau[('shallow', 'deep')]:.3f}"),
        *(
            (
                "reinforcement",
                f"{m}, pool 5: depth 1000 less depth 100",
                f"{power[(m, 5, 1000)] - power[(m, 5, 100)]:+.3f}",
            )
            for m in ("nDCG", "aAP", "P", "RBP")
        ),
        (
            "reinforcement",
            "rank of READWARE: deep, extended, 100/1000",
            f"{ranks[(100, 100)]}, {ranks[(10, 100)]}, {ranks[(100, 1000)]}",
        ),
    ]
    return pd.DataFrame(rows, columns=["hypothesis", "evidence", "value"])


def _perfect(relevant, length):
    """Return one topic whose only list holds all relevant documents first."""
    names = [f"d{i}" for i in range(length)]
    return Collection.from_rankings(
        {"ideal": {"t": names}}, {"t": dict.fromkeys(names[:relevant], 1)}
    )


def _order(collection, name, pool=None):
    judged = collection if pool is None else collection.pooled(pool)
    return means(judged, [name]).iloc[:, 0].sort_values(ascending=False, kind="stable")


def _strong_against_weak(collection, order, quarter):
    """Return the share of significant pairs of one of the best and one of the worst runs."""
    chosen = [*order[:quarter], *order[-quarter:]]
    table = complete_scores(collection, "AP")[chosen]
    first, second = np.triu_indices(len(chosen), 1)
    return significant(table, alpha=paper.ALPHA)[(first < quarter) & (second >= quarter)].mean()


def _columns(own):
    """Return Table 1 as it is checked: ours for TREC-8, as printed for the others."""
    printed = read("webber2010", "Table 1").query("column != 'claim'")
    table = (
        printed.assign(value=printed["printed"].astype(float))
        .pivot(index="row", columns="column", values="value")
        .drop(index="mean")
    )
    table["TREC-8 ad hoc"] = own.drop("mean")
    return table.loc[own.drop("mean").index]


_SLUGS = {
    "trec5": "TREC-5 ad hoc",
    "trec8": "TREC-8 ad hoc",
    "trec2001": "TREC 2001 Web",
    "trec2004": "TREC 2004 Robust",
    "trec2005": "TREC 2005 Terabyte",
    "mean": "mean",
}


def _groups(tau2):
    """Return the groups of Table 2: within depth 10, within 1000, across, each with itself."""
    names = list(dict.fromkeys([*tau2.index.get_level_values(0), *tau2.index.get_level_values(1)]))
    short, deep = names[:5], names[5:]
    return {
        "short": {pair: tau2[pair] for pair in combinations(short, 2)},
        "deep": {pair: tau2[pair] for pair in combinations(deep, 2)},
        "across": {pair: tau2[pair] for pair in product(short, deep)},
        "itself": {pair: tau2[pair] for pair in zip(short, deep)},
    }


def _mean(values):
    return float(np.mean(list(values.values())))


def _nearer(groups, side):
    """Return which measures are nearer to every other of their depth than to themselves."""
    at = 0 if side == "short" else 1
    return {
        pair[at]: min(tau for p, tau in groups[side].items() if pair[at] in p) > itself
        for pair, itself in groups["itself"].items()
    }


def _unique_relevant(collection, depth=100):
    """Count the relevant documents that each system alone has among its first ranks."""
    hits = collection.hits[collection.hits["rank"] <= depth]
    alone = hits[~hits.duplicated(["topic", "document"], keep=False)]
    counts = alone["system"].value_counts().reindex(range(len(collection.systems)), fill_value=0)
    return counts.set_axis(collection.systems.index)


# Figures 3 and 4 and Section 4.2: discriminative power


def _over_full(power, measure):
    """Return how far each shallower, and each deeper, pool lies above full assessment."""
    at = power[measure]
    above = {(d, k): at[(d, k)] - at[(k, k)] for d in FULL for k in FULL if d != k}
    return (
        {pair: x for pair, x in above.items() if pair[0] < pair[1]},
        {pair: x for pair, x in above.items() if pair[0] > pair[1]},
    )


def _best_gain(shallower):
    """Return the highest gain from a shallower pool, averaged over evaluation depths."""
    return np.mean([max(x for (_, depth), x in shallower.items() if depth == k) for k in FULL[1:]])


def _full(power):
    """Return the power under full assessment: measures x depths, those of Figure 4."""
    return pd.DataFrame(
        {k: [power[(m, k, k)] for m in paper.FORMS] for k in FULL}, index=list(paper.FORMS)
    )


def _rising(power, measure):
    """Return the share of evaluations deeper than the pool that beat one as deep as the pool."""
    at = power[measure]
    return np.mean([at[(d, k)] > at[(d, d)] for d in FULL for k in paper.DEPTHS if k > d])


def _no_more_than_chance(collection, *, resamples=500, seed=2010):
    """Draw the topics again: does the interval of nDCG@20's gain from a shallower pool hold 0?"""
    tables = [scores(collection.pooled(d), f"{NDCG}@20").to_numpy() for d in (5, 20)]
    rng = np.random.default_rng(seed)
    topics = len(tables[0])
    gains = []
    for drawn in rng.integers(0, topics, size=(resamples, topics)):
        shallow, full = (discriminative_power(t[drawn], alpha=paper.ALPHA) for t in tables)
        gains.append(shallow - full)
    low, high = np.quantile(gains, [0.025, 0.975])
    return low <= 0 <= high


# Table 3


def _kinds(tau3):
    """Return the cells of Table 3 by what the two settings differ in."""
    kinds = {"metric": {}, "pool": {}, "depth": {}, "both": {}}
    for (a, b), tau in tau3.items():
        (pool_a, depth_a), (pool_b, depth_b) = (x.split()[0].split("/") for x in (a, b))
        if a.split()[1] != b.split()[1]:
            if (pool_a, depth_a) == (pool_b, depth_b):
                kinds["metric"][(a, b)] = tau
        elif depth_a == depth_b:
            kinds["pool"][(a, b)] = tau
        else:
            kinds["depth" if pool_a == pool_b else "both"][(a, b)] = tau
    return kinds


# Abstract and conclusion


def _edge(power):
    """Return in which share of the settings each usual measure is the most discriminative."""
    usual = power[["P", "R", "nDCG", "aAP", "RBP"]].unstack("measure")
    return usual.idxmax(axis=1).value_counts(normalize=True)
