"""The three tables of the paper, and Figure 1, the weights of ranks.

Every choice that the paper leaves open is a keyword argument; the defaults are the one set with
which all tables come out as printed (:func:`lib.papers.webber2010.choices.choices` says what breaks
without each).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import Scores, complete_scores, dcg_discount, persistence, score_tables
from lib.published import cells, lookup
from lib.statistics.correlation import tau_matrix
from lib.statistics.significance import TESTS, discriminative_power, same_scores

__all__ = [
    "ALPHA",
    "COLUMNS",
    "POOL",
    "PRINTED_P",
    "RESIDUAL",
    "above",
    "figure1",
    "group_means",
    "groups_of",
    "means_of_table2",
    "measures_of_table1",
    "p_values",
    "powers_of_table1",
    "scores_of_table2",
    "table1",
    "table2",
    "table3",
    "weight_shares",
]

ALPHA = 0.05
POOL = 10  # depth of the pool behind the measures of depth 10 in Table 2
RESIDUAL = 0.1
# The persistence at which RBP leaves that residual, as the paper prints it.
PRINTED_P = {10: 0.8, 100: 0.977, 1000: 0.9977}

# Data package: the column of Table 1 that was computed from its runs.  Those of the paper's three
# other collections are not public.
COLUMNS = {"trec8": "TREC-8 ad hoc", "trec5": "TREC-5 ad hoc"}


def table1(
    collection: Collection,
    *,
    alpha: float = ALPHA,
    test: str = "t",
    identical: str = "left out",
    discount: str = "2002",
    **options: Any,
) -> pd.DataFrame:
    """Discriminative power of five measures: Table 1.

    Parameters
    ----------
    collection : Collection
    alpha : float
    test, **options
        As for :func:`lib.statistics.significance.significant`; the paper's is the t test.
    identical : {"left out", "kept"}
        What becomes of pairs of systems with the same score on every topic; the paper does not
        say, and three numbers of its text tell that it leaves them out.
    discount : {"2002", "trec_eval"}
        DCG's discount; the paper writes down that of 2002, with a misprint.

    Returns
    -------
    DataFrame
        Cells (row, column, value, error).  The column is the paper's when the collection is what it
        was computed from, else the collection's name.
    """
    ours = (column for package, column in COLUMNS.items() if collection.is_package(package))
    column = next(ours, collection.name)
    scores = score_tables(collection, measures_of_table1(discount))
    powers = powers_of_table1(scores, alpha=alpha, test=test, identical=identical, **options)
    return cells((row, column, value) for row, value in powers.items())


def powers_of_table1(
    scores: Mapping[str, Scores], *, alpha: float = ALPHA, identical: str = "left out", **how: Any
) -> pd.Series:
    """Return discriminative powers and their mean.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems)
        By :func:`measures_of_table1`.
    alpha, identical, **how
        As for :func:`table1`.

    Returns
    -------
    Series
        Index measure, and "mean".
    """
    decided: dict[str, Any] = {"alpha": alpha, "identical": identical} | how
    powers = {row: discriminative_power(table, **decided) for row, table in scores.items()}
    return pd.Series(powers | {"mean": float(np.mean(list(powers.values())))})


def measures_of_table1(discount: str = "2002") -> dict[str, str]:
    """Return the measures of Table 1: the paper's name to that of the library."""
    return {
        "P@10": "P@10",
        "RBP(p=0.8)": "RBP(p=0.8,rel=1)",
        "RBP(p=0.95)": "RBP(p=0.95,rel=1)",
        "AP@1000": "AP@1000",
        "nDCG@1000": f"nDCG(discount={discount},rel=1)@1000",
    }


def means_of_table2(
    collection: Collection, *, decimals: int | None = 10, **options: Any
) -> pd.DataFrame:
    """Return each system's mean by the ten measures of Table 2.

    Parameters
    ----------
    collection : Collection
    decimals : int or None
        Digits of the means.
    **options
        Those of :func:`scores_of_table2`.

    Returns
    -------
    DataFrame (systems x measures)
    """
    tables = scores_of_table2(collection, **options)
    table = pd.DataFrame({label: scores.mean() for label, scores in tables.items()})
    return table if decimals is None else table.round(decimals)


def scores_of_table2(
    collection: Collection,
    *,
    discount: str = "2002",
    by: str | Sequence[str] = "all",
    pool: int | None = POOL,
    average: str = "AP",
    rbp: str = "printed",
    rbp_pool: int | None = None,
    rbp_cut: bool = False,
) -> dict[str, Scores]:
    """Score every system by the ten measures of Table 2.

    Parameters
    ----------
    collection : Collection
    discount : {"2002", "trec_eval"}
    by : {"all", "pooled"} or sequence of str
        Systems that the pool is made from.
    pool : int or None
        Depth of the pool behind the depth-10 measures; None: all judgements.
    average : {"AP", "aAP"}
        Average precision by expanded or by abbreviated normalization.
    rbp : {"printed", "exact"}
        p as printed, .8 and .9977, or as equation (7) gives it, .7943 and .99770006.
    rbp_pool : int or None
        Depth of the pool behind RBP with p = .8.  The caption says 10; only all judgements (None)
        give the printed numbers.
    rbp_cut : bool
        Whether RBP with p = .8 stops at rank 10.

    Returns
    -------
    dict of str to DataFrame (topics x systems)
    """
    persistent = (
        PRINTED_P
        if rbp == "printed"
        else {k: persistence(residual=RESIDUAL, k=k) for k in PRINTED_P}
    )

    def pooled(depth):
        return collection if depth is None else collection.pooled(depth, by=by)

    def names(k):
        return {
            f"P@{k}": f"P@{k}",
            f"R@{k}": f"R@{k}",
            f"AP@{k}": f"{average}@{k}",
            f"nDCG@{k}": f"nDCG(discount={discount},rel=1)@{k}",
        }

    geometric = f"RBP(p={persistent[10]!r},rel=1)" + ("@10" if rbp_cut else "")
    deepest = f"RBP(p={persistent[1000]!r},rel=1)@1000"
    return {
        **score_tables(pooled(pool), names(10)),
        **score_tables(pooled(rbp_pool), {"RBP(p=0.8)": geometric}),
        **score_tables(collection, names(1000) | {"RBP(p=0.9977)": deepest}),
    }


def table2(collection: Collection, *, variant: str = "b", **options: Any) -> pd.DataFrame:
    """Kendall's tau between ten measures' rankings of systems: Table 2.

    Parameters
    ----------
    collection : Collection
    variant : {"b", "a"}
        Variant of tau.
    **options
        Those of :func:`means_of_table2` and :func:`scores_of_table2`.

    Returns
    -------
    DataFrame
        Cells above the diagonal.
    """
    return above(tau_matrix(means_of_table2(collection, **options), variant=variant))


def groups_of(table: pd.DataFrame) -> dict[str, pd.Series]:
    """Sort the taus of Table 2 into groups.

    Parameters
    ----------
    table : DataFrame
        From :func:`table2`.

    Returns
    -------
    dict of str to Series
        Taus within depth 10 ("short"), within 1000 ("deep"), "across" the two, and of a measure
        with "itself"; index the two measures.
    """
    tau, names = lookup(table), list(dict.fromkeys([*table["row"], *table["column"]]))
    short, deep = names[:5], names[5:]
    pairs = {
        "short": combinations(short, 2),
        "deep": combinations(deep, 2),
        "across": product(short, deep),
        "itself": zip(short, deep),
    }
    return {group: tau[list(of)] for group, of in pairs.items()}


def group_means(table: pd.DataFrame) -> pd.DataFrame:
    """Return the four means of groups of Table 2 that section 4.1 prints, as cells.

    Parameters
    ----------
    table : DataFrame
        From :func:`table2`.
    """
    rows = {
        "group-mean-depth-10": "short",
        "group-mean-depth-1000": "deep",
        "group-mean-depth-10-against-1000": "across",
        "group-mean-same-metric": "itself",
    }
    found = groups_of(table)
    return cells((row, "value", found[group].mean()) for row, group in rows.items())


def above(table: pd.DataFrame) -> pd.DataFrame:
    """Return what stands above the diagonal of a square table, as cells."""
    names = list(table)
    return cells((a, b, table.loc[a, b]) for i, a in enumerate(names) for b in names[i + 1 :])


def p_values(
    collection: Collection,
    *,
    discount: str = "2002",
    by: str | Sequence[str] = "all",
    average: str = "aAP",
    rbp: str = "exact",
    rbp_cut: bool = True,
    identical: str = "kept",
    p_decimals: int | None = None,
    test: str = "t",
    **options: Any,
) -> pd.DataFrame:
    """Return the p value of every pair of systems in the nine settings of Table 3.

    Parameters
    ----------
    collection : Collection
    discount, by, average
        As for :func:`scores_of_table2`; the paper names aAP here.
    rbp : {"exact", "printed"}
        p by equation (7), or as printed, .8 and .977: Table 3 does not tell them apart.
    rbp_cut : bool
        Whether RBP stops at the evaluation depth.
    identical : {"kept", "left out"}
        Whether pairs of systems with the same score on every topic have the p value 1, or none
        (NaN); Table 3 does not tell them apart.
    p_decimals : int or None
        Digits to which p values are rounded before they are ranked.
    test, **options
        One of :data:`lib.statistics.significance.TESTS` and its options; the paper's is the t
        test.

    Returns
    -------
    DataFrame (pairs x settings)
        Named as in "10/100 aAP": pool depth 10, evaluation depth 100.
    """
    columns = {}
    for pool, depth in ((10, 10), (10, 100), (100, 100)):
        judged = collection.pooled(pool, by=by)
        stay = PRINTED_P[depth] if rbp == "printed" else persistence(residual=RESIDUAL, k=depth)
        names = {
            "aAP": f"{average}@{depth}",
            "nDCG": f"nDCG(discount={discount},rel=1)@{depth}",
            "RBP": f"RBP(p={stay!r},rel=1)" + (f"@{depth}" if rbp_cut else ""),
        }
        for label, name in names.items():
            table = complete_scores(judged, name)
            p = TESTS[test](table, **options)
            if identical == "left out":
                p[same_scores(table)] = np.nan
            columns[f"{pool}/{depth} {label}"] = p
    table = pd.DataFrame(columns)
    return table if p_decimals is None else table.round(p_decimals)


def table3(collection: Collection, **options: Any) -> pd.DataFrame:
    """Kendall's tau-b between orderings of system pairs by p value: Table 3.

    Parameters
    ----------
    collection : Collection
    **options
        Those of :func:`p_values`.

    Returns
    -------
    DataFrame
        Cells above the diagonal.
    """
    # Eight thousand values have 34 million pairs: counted by sorting, not one by one.
    return above(p_values(collection, **options).corr(method="kendall"))


def figure1(
    *, ranks: int = 1000, ps: Sequence[float] = (0.8, 0.95, 0.977, 0.9977), discount: str = "2002"
) -> pd.DataFrame:
    """Weights of ranks by DCG and by RBP: Figure 1.

    Parameters
    ----------
    ranks : int
        Deepest rank.
    ps : sequence of float
        Persistence of RBP.
    discount : {"2002", "trec_eval"}

    Returns
    -------
    DataFrame
        One row a rank, from 1; a column for each measure.
    """
    rank = np.arange(1, ranks + 1)
    weights: dict[str, np.ndarray] = {"DCG": 1 / dcg_discount(rank, discount)}
    weights |= {f"RBP(p={p})": (1 - p) * p ** (rank - 1.0) for p in ps}
    return pd.DataFrame(weights, index=pd.Index(rank, name="rank"))


def weight_shares(*, beyond: int = 100, depth: int = 1000, **options: Any) -> pd.DataFrame:
    """Return the share of each measure's weight that lies between two ranks.

    Parameters
    ----------
    beyond, depth : int
        Ranks beyond + 1 to depth are meant.
    **options
        Those of :func:`figure1`.

    Returns
    -------
    DataFrame
        Index measure; of base, the share of the weight down to the depth; of all, that of the
        weight of all ranks (DCG's sum has no end: NaN).
    """
    weights = figure1(ranks=depth, **options)
    tail, base = weights.iloc[beyond:].sum(), weights.sum()
    # RBP's weights add up to 1, DCG's grow without end.
    return pd.DataFrame({"of base": tail / base, "of all": tail.drop("DCG")}).loc[list(weights)]
