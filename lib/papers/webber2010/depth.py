"""Pool and evaluation depth apart: Figures 2 to 4, and the numbers of section 4.2."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, askable
from lib.measures import means, scores_at
from lib.papers.webber2010.tables import ALPHA, RESIDUAL, above, table1, table2, table3
from lib.published import cells
from lib.statistics.correlation import tau_matrix
from lib.statistics.significance import discriminative_power

__all__ = [
    "EXPANDED",
    "FORMS",
    "PRINTED",
    "figure2",
    "figure2_taus",
    "figure3",
    "figure4",
    "grid",
    "powers_at",
    "powers_in_text",
    "powers_of",
    "ranks_of",
]

# Figure 4's rows and columns: (family, form) of each measure.  Standardization removes whatever
# multiplies all scores of a topic, so that standardized recall is standardized precision, and
# standardized AP the same whichever way AP is normalized.
FORMS = {
    "P": ("precision/recall", "raw"),
    "R": ("precision/recall", "normalized"),
    "sP": ("precision/recall", "standardized"),
    "DCG": ("DCG", "raw"),
    "nDCG": ("DCG", "normalized"),
    "sDCG": ("DCG", "standardized"),
    "SP": ("AP", "raw"),
    "aAP": ("AP", "normalized"),
    "sAP": ("AP", "standardized"),
    "RBP": ("RBP", "raw"),
    "nRBP": ("RBP", "normalized"),
    "sRBP": ("RBP", "standardized"),
}
EXPANDED = {"AP": ("AP", "expanded"), "enDCG": ("DCG", "expanded")}


def figure2(
    collection: Collection,
    *,
    shallow: int = 10,
    deep: int = 100,
    by: str | Sequence[str] = "all",
    discount: str = "2002",
    decimals: int | None = 10,
) -> pd.DataFrame:
    """Mean nDCG of each system, shallow, extended and deep: Figure 2.

    Parameters
    ----------
    collection : Collection
    shallow, deep : int
        Pool and evaluation depth of "shallow" and of "deep"; "extended" has the pool of the one
        and the evaluation depth of the other.
    by, discount, decimals
        As for :func:`lib.papers.webber2010.tables.means_of_table2`.

    Returns
    -------
    DataFrame (systems x shallow, extended, deep), and the system's type
    """
    settings = {"shallow": (shallow, shallow), "extended": (shallow, deep), "deep": (deep, deep)}
    table = pd.DataFrame(
        {
            name: means(
                collection.pooled(pool, by=by),
                [f"nDCG(discount={discount},rel=1)@{depth}"],
                decimals=decimals,
            ).iloc[:, 0]
            for name, (pool, depth) in settings.items()
        }
    )
    return table.assign(type=collection.systems["type"])


def figure2_taus(collection: Collection, *, variant: str = "b", **options: Any) -> pd.DataFrame:
    """Return the three taus that Figure 2 prints.

    Parameters
    ----------
    collection : Collection
    variant : {"b", "a"}
    **options
        Those of :func:`figure2`.

    Returns
    -------
    DataFrame
        Cells.
    """
    return above(tau_matrix(figure2(collection, **options).drop(columns="type"), variant=variant))


def ranks_of(
    run: str,
    collection: Collection,
    *,
    by: str | Sequence[str] = "all",
    discount: str = "2002",
    decimals: int | None = 10,
) -> pd.DataFrame:
    """Return where a system stands by nDCG in five settings of pool and evaluation depth.

    Parameters
    ----------
    run : str
    collection : Collection
    by, discount, decimals
        As for :func:`lib.papers.webber2010.tables.means_of_table2`.

    Returns
    -------
    DataFrame
        Columns pool, depth, mean nDCG, rank (1 is best; systems that tie share the best rank), and
        ``within .005``: the other systems whose mean differs by less than .005.
    """
    if run not in collection.systems.index:
        raise ValueError(f"{collection.name} has no run {run!r}")
    rows = []
    for pool, depth in ((10, 10), (10, 100), (100, 100), (10, 1000), (100, 1000)):
        mean = means(
            collection.pooled(pool, by=by),
            [f"nDCG(discount={discount},rel=1)@{depth}"],
            decimals=decimals,
        ).iloc[:, 0]
        near = (mean - mean[run]).abs() < 0.005
        rank = int((mean > mean[run]).sum()) + 1
        rows.append((pool, depth, mean[run], rank, int(near.sum()) - 1))
    return pd.DataFrame(rows, columns=["pool", "depth", "mean nDCG", "rank", "within .005"])


def grid(
    collection: Collection,
    *,
    measures: Sequence[str] = (*FORMS, *EXPANDED),
    pools: Sequence[int] | None = None,
    depths: Sequence[int] | None = None,
    by: str | Sequence[str] = "all",
    alpha: float = ALPHA,
    test: str = "t",
    residual: float = RESIDUAL,
    identical: str = "left out",
    discount: str = "2002",
    **options: Any,
) -> pd.DataFrame:
    """Discriminative power of every measure at every pool and evaluation depth: Figures 3 and 4.

    Parameters
    ----------
    collection : Collection
    measures : sequence of str
        Among those of :data:`FORMS` and :data:`EXPANDED`.
    pools, depths : sequence of int, optional
        Pool and evaluation depths, ascending; by default those of the paper that the collection
        can answer for (see :func:`lib.collection.limits`), on TREC-8 all of them.
    by : {"all", "pooled"} or sequence of str
        Systems that the pools are made from.
    alpha, test, **options
        As for :func:`lib.statistics.significance.significant`.
    residual : float
        RBP's weight beyond the evaluation depth.
    identical : {"left out", "kept"}
        As for :func:`lib.papers.webber2010.tables.table1`.
    discount : {"2002", "trec_eval"}

    Returns
    -------
    DataFrame
        Columns measure, family, form, pool, depth, power.

    Raises
    ------
    ValueError
        Depths for which the collection was not judged deep enough, or its lists are too short.
    """
    pools, depths = askable(collection, pools=pools, depths=depths)
    return powers_at(
        collection,
        measures,
        pools,
        depths,
        by=by,
        residual=residual,
        discount=discount,
        alpha=alpha,
        test=test,
        identical=identical,
        **options,
    )


def powers_at(
    collection: Collection,
    measures: Sequence[str],
    pools: Sequence[int],
    depths: Sequence[int],
    *,
    by: str | Sequence[str] = "all",
    residual: float = RESIDUAL,
    discount: str = "2002",
    **decided: Any,
) -> pd.DataFrame:
    """Compute a :func:`grid`, whether or not the collection can answer for its depths.

    Parameters
    ----------
    collection : Collection
    measures, pools, depths, by, residual, discount
        As there.
    **decided
        Those of :func:`lib.statistics.significance.discriminative_power`; those of Table 1 by
        default.

    Returns
    -------
    DataFrame
        Columns as of :func:`grid`.
    """
    asked: dict[str, Any] = {"alpha": ALPHA, "identical": "left out"} | decided
    forms = FORMS | EXPANDED
    rows = []
    for pool in pools:
        judged = collection.pooled(pool, by=by)
        scored = scores_at(judged, depths, residual=residual, discount=discount)
        rows += [
            (name, *forms[name], pool, depth, discriminative_power(at_depth, **asked))
            for name in measures
            for depth, at_depth in zip(depths, scored[name])
        ]
    return pd.DataFrame(rows, columns=["measure", "family", "form", "pool", "depth", "power"])


def figure3(collection: Collection, **options: Any) -> pd.DataFrame:
    """Expanded against abbreviated normalization of AP and nDCG: Figure 3.

    Parameters
    ----------
    collection : Collection
    **options
        Those of :func:`grid`.

    Returns
    -------
    DataFrame
        Columns as of :func:`grid`.
    """
    return grid(collection, measures=("AP", "aAP", "enDCG", "nDCG"), **options)


def figure4(collection: Collection, **options: Any) -> pd.DataFrame:
    """Four families of measures, raw, normalized and standardized: Figure 4.

    Parameters
    ----------
    collection : Collection
    **options
        Those of :func:`grid`.

    Returns
    -------
    DataFrame
        Columns as of :func:`grid`.
    """
    return grid(collection, measures=tuple(FORMS), **options)


def powers_in_text(collection: Collection, **options: Any) -> pd.DataFrame:
    """Return the discriminative powers that the text of section 4.2 prints, and their differences.

    Parameters
    ----------
    collection : Collection
    **options
        Those of :func:`grid`.

    Returns
    -------
    DataFrame
        Cells.
    """
    return powers_of(grid(collection, measures=("R", "sAP", "nDCG"), **options))


def powers_of(table: pd.DataFrame) -> pd.DataFrame:
    """Take these numbers from a grid.

    Parameters
    ----------
    table : DataFrame
        From :func:`grid`, with R, sAP and nDCG.

    Returns
    -------
    DataFrame
        Cells, without those for which the grid lacks a depth.
    """
    at = table.set_index(["measure", "pool", "depth"])["power"]

    def power(*setting):
        return at.get(setting, np.nan)

    recall, standard = ([power(m, d, d) for d in (10, 100)] for m in ("R", "sAP"))
    values = {
        "standardized-ap-100": standard[1],
        "recall-100": recall[1],
        "spread-at-100": standard[1] - recall[1],
        "recall-10": recall[0],
        "recall-fall-100-to-10": recall[1] - recall[0],
        "standardized-ap-10": standard[0],
        "standardized-ap-fall-100-to-10": standard[1] - standard[0],
        "ndcg-20-pool-20": power("nDCG", 20, 20),
        "ndcg-20-pool-5": power("nDCG", 5, 20),
    }
    return cells((row, "value", value) for row, value in values.items() if not np.isnan(value))


# Where the paper prints numbers that follow from one rule: what computes them, as cells.
PRINTED: dict[str, Callable[..., pd.DataFrame]] = {
    "Table 1": table1,
    "Table 2": table2,
    "Table 3": table3,
    "Figure 2": figure2_taus,
    "Section 4.2": powers_in_text,
}
