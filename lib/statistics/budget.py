"""What judgements cost, against how well they predict."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection, askable
from lib.measures import complete_scores, score_tables
from lib.statistics.predictivity import of_target, set_sizes, splits

__all__ = ["BUDGET_MEASURES", "against_fewer", "best_buys", "budget"]

BUDGET_MEASURES = {
    "P@10": "P@10",
    "RBP(p=0.95)": "RBP(p=0.95,rel=1)",
    "AP": "AP",
    "nDCG": "nDCG(discount=2002,rel=1)",
}


def budget(
    collection: Collection,
    *,
    sizes: Sequence[int] | None = None,
    pools: Sequence[int] | None = None,
    measures: Mapping[str, str] | None = None,
    target: str = "AP",
    number: int = 500,
    seed: int = 2010,
    by: str = "all",
    variant: str = "b",
    decimals: int | None = 10,
) -> pd.DataFrame:
    """Set what judgements cost against how well they predict: topics x pool depth x measure.

    Half of the topics predict, judged from a shallow pool, and perhaps only some of them; the
    other half, with all judgements, are predicted.

    Parameters
    ----------
    collection : Collection
    sizes : sequence of int, optional
        Topics that predict, at most half of all; by default those of
        :func:`lib.statistics.predictivity.set_sizes`.
    pools : sequence of int, optional
        Depths of the pool; by default those that the collection can answer for, see
        :func:`lib.collection.limits.askable`.
    measures : dict of str to str, optional
        Label to measure; by default :data:`BUDGET_MEASURES`.
    target : str
        The measure whose ranking of the systems, on the other topics, is to be predicted.
    number, seed : int
        Random splits and their seed.
    by : {"all", "pooled"}
        Systems that pools are made from.
    variant, decimals
        As for :func:`lib.statistics.predictivity.predictivity`.

    Returns
    -------
    DataFrame
        Columns topics, pool, judgements (mean size of the pools of so many topics), measure, phi,
        error.
    """
    measures = BUDGET_MEASURES if measures is None else measures
    sizes = sizes or set_sizes(collection)
    pools, _ = askable(collection, pools=pools, depths=())
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    sought = complete_scores(collection, target)
    cost = collection.pools.groupby("depth")[by].mean()
    tables = []
    for pool in pools:
        judged = collection.pooled(pool, by=by)
        known = score_tables(judged, measures)
        for size in sizes:
            found = of_target(known, sought, sets, size=size, variant=variant, decimals=decimals)
            tables.append(
                found.rename_axis("measure")
                .reset_index()
                .assign(topics=size, pool=pool, judgements=round(size * cost[pool]))
            )
    table = pd.concat(tables, ignore_index=True)
    return table[["topics", "pool", "judgements", "measure", "phi", "error"]]


def best_buys(table: pd.DataFrame) -> pd.DataFrame:
    """Keep the settings of a :func:`budget` that no cheaper or equally dear one beats.

    Parameters
    ----------
    table : DataFrame
        Of :func:`budget`.

    Returns
    -------
    DataFrame
        The same columns, from the cheapest to the dearest, phi rising.
    """
    ordered = table.sort_values(["judgements", "phi"], ascending=[True, False], kind="stable")
    best_before = ordered["phi"].cummax().shift(fill_value=-np.inf)
    return ordered[ordered["phi"] > best_before].reset_index(drop=True)


def against_fewer(table: pd.DataFrame, *, measure: str = "P@10") -> pd.DataFrame:
    """Set a cheap measure on the most topics against deeper ones on fewer.

    Which side wins depends on how many "fewer" are, and on whether the deeper side may cost more.

    Parameters
    ----------
    table : DataFrame
        Of :func:`budget`.
    measure : str
        The cheap one: on the most topics, judged from the shallowest pool.

    Returns
    -------
    DataFrame
        Index topics, the cheap setting first; columns measure, pool, judgements, phi of the best
        setting with so many topics at whatever cost, and ``phi for as much`` of the best that costs
        no more judgements than the cheap one.

    Examples
    --------
    >>> rows = [(10, 2, 40, "AP", 0.7), (10, 1, 20, "AP", 0.6), (20, 1, 30, "P@10", 0.65)]
    >>> names = ["topics", "pool", "judgements", "measure", "phi"]
    >>> found = against_fewer(pd.DataFrame(rows, columns=names))
    >>> found[["phi", "phi for as much"]].to_numpy().tolist()
    [[0.65, 0.65], [0.7, 0.6]]
    """
    own, others = table[table["measure"] == measure], table[table["measure"] != measure]
    many = own[own["topics"] == own["topics"].max()].nsmallest(1, "judgements")
    others = others[others["topics"] < many["topics"].item()]
    best = others.loc[others.groupby("topics")["phi"].idxmax()].sort_values(
        "topics", ascending=False
    )
    shown = pd.concat([many, best]).set_index("topics")
    affordable = others[others["judgements"] <= many["judgements"].item()]
    as_much = affordable.groupby("topics")["phi"].max()
    as_much[many["topics"].item()] = many["phi"].item()
    columns = ["measure", "pool", "judgements", "phi"]
    return shown[columns].assign(**{"phi for as much": as_much.reindex(shown.index)})
