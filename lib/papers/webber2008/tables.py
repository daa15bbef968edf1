"""Table 1, Table 2 and Figure 1: how well each measure predicts each other on other topics."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.errors import InputWarning
from lib.measures import Scores, score_tables, top_systems
from lib.published import REPRODUCED, SAMPLING, cells, compare
from lib.statistics.predictivity import Predictivity, predictivity, set_sizes, splits

__all__ = [
    "CHOICES",
    "COMPLEX",
    "DEEPER",
    "LOW",
    "MARGIN",
    "MEASURES",
    "NUMBER",
    "RARE",
    "SEED",
    "SHARE",
    "SIMPLE",
    "SIZES",
    "choices",
    "figure1",
    "kept_scores",
    "mirrored",
    "phi",
    "table1",
    "table2",
    "triangle",
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

NUMBER = 2000  # random splits of the topics
SHARE = 0.75  # of the systems is kept, the best by AP
SEED = 2008
SIZES = (5, 10, 15, 20, 25)  # topics in each set, Figure 1
DEEPER = "RBP(p=0.98,rel=1)"  # in an experiment that the paper only mentions

# The yardsticks for the words of the paper.
MARGIN = 0.02  # "as good as", "similar": of tau; one pair of systems in a hundred changes its order
RARE = MARGIN / 2  # what "can" happen happens more often: to one pair in a hundred
LOW = 0.5  # of tau; midway between chance and perfect: three pairs in four are ordered alike


def phi(
    collection: Collection,
    measures: Mapping[str, str] | None = None,
    *,
    size: int | None = None,
    number: int = NUMBER,
    seed: int = SEED,
    share: float = SHARE,
    rounding: str = "down",
    variant: str = "b",
    decimals: int | None = 10,
) -> Predictivity:
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
        Which systems are kept, the best by AP; see :func:`lib.measures.top_systems`.
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
    tables = kept_scores(collection, measures or MEASURES, share=share, rounding=rounding)
    sets = splits(len(collection.topics), size=size, number=number, rng=np.random.default_rng(seed))
    return predictivity(tables, sets, variant=variant, decimals=decimals)


def kept_scores(
    collection: Collection,
    measures: Mapping[str, str],
    *,
    share: float = SHARE,
    rounding: str = "down",
) -> dict[str, Scores]:
    """Score the systems that are kept: label to DataFrame (topics x systems), without gaps.

    Parameters
    ----------
    collection, measures, share, rounding
        As for :func:`phi`.

    Raises
    ------
    ValueError
        Fewer than two systems are kept.
    """
    kept = top_systems(collection, share=share, rounding=rounding)
    if len(kept) < 2:
        raise ValueError(f"{len(kept)} of {len(collection.systems)} systems is too few to rank")
    return {label: table[kept] for label, table in score_tables(collection, measures).items()}


def table1(collection: Collection, **options: Any) -> pd.DataFrame:
    """Predictive power of five measures for each other: Table 1.

    Parameters
    ----------
    collection : Collection
    **options
        Those of :func:`phi`.

    Returns
    -------
    DataFrame
        Cells (row, column, value, error), the upper triangle with its diagonal.

    Warns
    -----
    InputWarning
        Splits in which a measure puts all systems level; see
        :class:`lib.statistics.predictivity.Predictivity`.
    """
    found = phi(collection, **options)
    if level := found.tied.to_numpy().max():
        warnings.warn(
            f"{collection.title}: in {level} of the random splits a measure puts all systems "
            "level; tau counts as 0 there",
            InputWarning,
            stacklevel=2,
        )
    return triangle(found)


def triangle(result: Predictivity) -> pd.DataFrame:
    """Return a result of :func:`phi` as the paper prints it: cells, each pair of measures once."""
    names = list(result.phi)
    return cells(
        (row, column, result.phi.loc[row, column], result.error.loc[row, column])
        for i, row in enumerate(names)
        for column in names[i:]
    )


def mirrored(table: pd.DataFrame) -> pd.DataFrame:
    """Return a printed triangle as the whole square: phi is symmetric.

    Parameters
    ----------
    table : DataFrame (measures x measures)
        Numbers or printed strings, NaN below the diagonal.

    Examples
    --------
    >>> from lib.published import printed
    >>> mirrored(printed("webber2008", "Table 1")).loc["AP", "P@10"].item()
    0.51
    """
    table = table.astype(float)
    return table.where(table.notna(), table.T)


def table2(collection: Collection | None = None, **options: Any) -> pd.DataFrame:
    """The same on the TREC 2004 Terabyte runs: Table 2.

    Those runs are not public; without a collection there is nothing to compute.

    Returns
    -------
    DataFrame
        Cells as in :func:`table1`; empty when no collection is given.
    """
    return cells([]) if collection is None else table1(collection, **options)


def figure1(
    collection: Collection,
    *,
    sizes: Sequence[int] | None = None,
    measures: Sequence[str] = ("nDCG", "P@10"),
    target: str = "P@10",
    **options: Any,
) -> pd.DataFrame:
    """Predictive power against the number of topics in each set: Figure 1.

    Parameters
    ----------
    collection : Collection
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
    sizes = set_sizes(collection) if sizes is None else sizes
    chosen = {name: MEASURES[name] for name in dict.fromkeys((*measures, target))}
    pairs = list(dict.fromkeys(p for name in measures for p in ((name, name), (name, target))))
    rows = []
    for size in sizes:
        result = phi(collection, chosen, size=size, **options)
        shown = (result.phi, result.error, result.deviation)
        rows += [(size, a, b, *(table.loc[a, b] for table in shown)) for a, b in pairs]
    return pd.DataFrame(rows, columns=["topics", "predictor", "of", "phi", "error", "deviation"])


# What the paper leaves open, each with the road not taken: options of :func:`phi`.
CHOICES: dict[str, dict[str, Any]] = {
    "as reproduced here": {},
    "97 systems (75% rounded up)": {"rounding": "up"},
    "tau-a instead of tau-b": {"variant": "a"},
    "means not rounded before ranking": {"decimals": None},
    "nDCG with discount log2(i + 1)": {"measures": MEASURES | {"nDCG": "nDCG(rel=1)"}},
    "all 129 systems": {"share": 1.0},
}


def choices(collection: Collection, **options: Any) -> pd.DataFrame:
    """Compute Table 1 along each road that the paper leaves open.

    Parameters
    ----------
    collection : Collection
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
