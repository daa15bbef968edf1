"""Webber, Moffat, Zobel and Sakai, Precision-At-Ten Considered Redundant, SIGIR 2008.

How well does each measure predict the ranking of systems by each other measure, on topics that
were not used?
"""

import numpy as np
import pandas as pd

from lib.collection import load
from lib.measures import complete_scores, top_systems
from lib.published import REPRODUCED, SAMPLING, cells, compare
from lib.statistics.correlation import pair_signs
from lib.statistics.discrimination import significant
from lib.statistics.predictivity import against_new_topics, predictivity, set_sizes, splits

__all__ = [
    "CHOICES",
    "MEASURES",
    "choices",
    "conflicts",
    "figure1",
    "halving",
    "phi",
    "predicts",
    "reversals",
    "table1",
    "table2",
]

# The paper's names, and what they mean in lib: binary relevance, and the DCG discount of 2002.
MEASURES = {
    "P@10": "P@10",
    "RR": "RR",
    "RBP(p=0.95)": "RBP(p=0.95,rel=1)",
    "AP": "AP",
    "nDCG": "nDCG(discount=2002,rel=1)",
}
SIMPLE, COMPLEX = ("P@10", "RR"), ("RBP(p=0.95)", "AP", "nDCG")


def phi(
    collection,
    measures=None,
    *,
    size=None,
    number=2000,
    seed=2008,
    share=0.75,
    rounding="down",
    variant="b",
    decimals=10,
):
    """Estimate how well measures predict each other on a collection (section 2 of the paper).

    Parameters
    ----------
    collection : Collection
    measures : dict of str to str, optional
        Label to measure, by default the paper's five.
    size : int, optional
        Topics in each of the two disjoint sets, by default half of all.
    number : int
        Random splits.
    seed : int
        Seed of the splits.
    share, rounding
        Which systems are kept, the best by AP; see :func:`top_systems`.
    variant : {"a", "b"}
        Variant of Kendall's tau; the paper does not say which, and tau-b matches.
    decimals : int or None
        Digits of the means by which systems are ranked, so that equal means tie; the paper does
        not say.

    Returns
    -------
    lib.statistics.predictivity.Predictivity

    Raises
    ------
    ValueError
        Fewer than two systems are kept, or two sets of topics of this size do not fit.
    """
    tables = _tables(
        collection, MEASURES if measures is None else measures, share=share, rounding=rounding
    )
    sets = splits(len(collection.topics), size=size, number=number, rng=np.random.default_rng(seed))
    return predictivity(tables, sets, variant=variant, decimals=decimals)


def _tables(collection, measures, **options):
    """Return the scores of the systems that are kept: label to DataFrame (topics x systems)."""
    kept = top_systems(collection, **options)
    if len(kept) < 2:
        raise ValueError(f"{len(kept)} of {len(collection.systems)} systems is too few to rank")
    return {
        label: complete_scores(collection, measure)[kept] for label, measure in measures.items()
    }


def halving(collection=None, measures=None, *, samples=200, pairs=1000, seed=2008, share=0.75):
    """Ask whether halves of a topic set stand in for new topics: an experiment not shown.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    measures, share
        As for :func:`phi`.
    samples, pairs
        As for :func:`lib.statistics.predictivity.against_new_topics`.
    seed : int

    Returns
    -------
    DataFrame, index (of, predictor)
        new : phi by pairs of sets of new topics; halved : phi by halves, mean over topic sets;
        difference and error : of these two, with its Monte-Carlo standard error; deviation :
        standard deviation of phi by halves between topic sets.
    """
    tables = _tables(
        collection or load("trec8"), MEASURES if measures is None else measures, share=share
    )
    halved, new = against_new_topics(
        tables, samples=samples, pairs=pairs, rng=np.random.default_rng(seed)
    )
    return pd.DataFrame(
        {
            "new": new.mean(),
            "halved": halved.mean(),
            "difference": halved.mean() - new.mean(),
            "error": np.sqrt(halved.var() / samples + new.var() / pairs),
            "deviation": halved.std(),
        }
    )


def table1(collection=None, **options):
    """Predictive power of five measures for each other: Table 1.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    **options
        Those of :func:`phi`.

    Returns
    -------
    DataFrame
        Cells (row, column, value, error), the upper triangle with its diagonal.
    """
    result = phi(collection or load("trec8"), **options)
    names = list(result.phi)
    return cells(
        (row, column, result.phi.loc[row, column], result.error.loc[row, column])
        for i, row in enumerate(names)
        for column in names[i:]
    )


def table2(collection=None, **options):
    """The same on the TREC 2004 Terabyte runs: Table 2.

    Those runs are not public; without a collection there is nothing to compute.

    Returns
    -------
    DataFrame
        Cells as in :func:`table1`; empty when no collection is given.
    """
    return cells([]) if collection is None else table1(collection, **options)


def figure1(collection=None, *, sizes=None, measures=("nDCG", "P@10"), target="P@10", **options):
    """Predictive power against the number of topics in each set: Figure 1.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    sizes : sequence of int, optional
        Topics in each of the two sets; by default those of
        :func:`lib.statistics.predictivity.set_sizes`.
    measures : sequence of str
        Labels among :data:`MEASURES`; each is shown of itself and of ``target``.
    target : str
        The measure to be predicted.
    **options
        Those of :func:`phi`.

    Returns
    -------
    DataFrame
        Columns topics, predictor, of, phi, error, deviation; one row a point of the figure.
    """
    collection = collection or load("trec8")
    sizes = set_sizes(collection) if sizes is None else sizes
    chosen = {name: MEASURES[name] for name in dict.fromkeys((*measures, target))}
    pairs = list(dict.fromkeys(p for name in measures for p in ((name, name), (name, target))))
    rows = []
    for size in sizes:
        result = phi(collection, chosen, size=size, **options)
        rows += [
            (
                size,
                a,
                b,
                *(table.loc[a, b] for table in (result.phi, result.error, result.deviation)),
            )
            for a, b in pairs
        ]
    return pd.DataFrame(rows, columns=["topics", "predictor", "of", "phi", "error", "deviation"])


# What the paper leaves open, each with the road not taken: options of :func:`phi`.
CHOICES = {
    "as reproduced here": {},
    "97 systems (75% rounded up)": {"rounding": "up"},
    "tau-a instead of tau-b": {"variant": "a"},
    "means not rounded before ranking": {"decimals": None},
    "nDCG with discount log2(i + 1)": {"measures": MEASURES | {"nDCG": "nDCG(rel=1)"}},
    "all 129 systems": {"share": 1.0},
}


def choices(collection=None, **options):
    """Compute Table 1 along each road that the paper leaves open.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    **options
        Those of :func:`phi`.

    Returns
    -------
    DataFrame
        One row a choice: ``agree``, the cells that agree with the printed ones (to two digits, or
        within Monte-Carlo error), ``mean difference`` and ``largest difference`` of the fifteen.
    """
    rows = {}
    for choice, changed in CHOICES.items():
        result = compare("webber2008", "Table 1", table1(collection, **(options | changed)))
        difference = result["difference"].astype(float)
        rows[choice] = {
            "cells": len(result),
            "agree": int(result["verdict"].isin([REPRODUCED, SAMPLING]).sum()),
            "mean difference": difference.mean(),
            "largest difference": difference[difference.abs().idxmax()],
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("choice")


def predicts(cells_of_table):
    """Compare how well complex measures predict each simple one, and it does itself.

    Parameters
    ----------
    cells_of_table : DataFrame
        Cells from :func:`table1`, or the printed ones with their numbers as ``value``.

    Returns
    -------
    DataFrame
        Columns target, predictor, phi, itself, holds: whether the predictor's phi is at least the
        target's own, both rounded to two digits as the paper prints them.
    """
    at = _lookup(cells_of_table)
    rows = [
        (
            target,
            a,
            _of(at, a, target),
            at[(target, target)],
            _at_least(_of(at, a, target), at[(target, target)]),
        )
        for target in SIMPLE
        for a in COMPLEX
    ]
    return pd.DataFrame(rows, columns=["target", "predictor", "phi", "itself", "holds"])


def conflicts(
    collection=None, *, simple="P@10", complex="AP", number=2000, seed=2008, share=0.75, decimals=10
):
    """Ask which measure to believe when two disagree about a pair of systems.

    On one random half of the topics, take the pairs of systems that the two measures order in
    opposite ways; on the other half, see which of them was right.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    simple, complex : str
        Labels among :data:`MEASURES`.
    number, seed, share, decimals
        As for :func:`phi`.

    Returns
    -------
    Series
        Index: the measure that decides on the other half; value: the share of the conflicts, of
        those that it does not tie, in which the complex measure was right.
    """
    collection = collection or load("trec8")
    kept = top_systems(collection, share=share)
    labels = (simple, complex)
    tables = [complete_scores(collection, MEASURES[label])[kept] for label in labels]
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    right, decided = np.zeros(2), np.zeros(2)
    for pair in sets:
        one, other = (
            [pair_signs(table.to_numpy()[side].mean(axis=0).round(decimals)) for table in tables]
            for side in pair
        )
        opposed = one[0] * one[1] < 0
        for i, judge_signs in enumerate(other):
            verdict = (judge_signs * one[1])[opposed]
            right[i] += (verdict > 0).sum()
            decided[i] += (verdict != 0).sum()
    return pd.Series(right / decided, index=list(labels), name=f"{complex} right")


def reversals(collection=None, *, measure="AP", alpha=0.05, number=200, seed=2008, share=0.75):
    """Return how often a significant difference turns around on other topics.

    Parameters
    ----------
    collection : Collection, optional
        By default TREC-8.
    measure : str
        Label among :data:`MEASURES`.
    alpha : float
        Level of the paired, two-tailed t test on one half of the topics.
    number, seed, share
        As for :func:`phi`.

    Returns
    -------
    float
        Of the pairs of systems that differ significantly on a random half of the topics, the share
        that the other half orders the other way round; in [0, 1].
    """
    collection = collection or load("trec8")
    kept = top_systems(collection, share=share)
    table = complete_scores(collection, MEASURES[measure])[kept].to_numpy()
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    found = turned = 0
    for one, other in sets:
        sure = significant(table[one], alpha=alpha)
        signs = [pair_signs(table[side].mean(axis=0)) for side in (one, other)]
        found += sure.sum()
        turned += (sure & (signs[0] * signs[1] < 0)).sum()
    return float(turned / found)


def _lookup(cells_of_table):
    return cells_of_table.set_index(["row", "column"])["value"].astype(float)


def _at_least(a, b):
    """Compare at the printed precision: "as good as" is meant to two digits."""
    return round(a, 2) >= round(b, 2)


def _of(at, a, b):
    return at[(a, b)] if (a, b) in at.index else at[(b, a)]
