"""Pools, and what a document means that nobody judged."""

from collections.abc import Mapping, Sequence

import pandas as pd

from lib.collection import Collection
from lib.measures import means
from lib.statistics.incomplete import leave_group_out

__all__ = ["LISTS", "left_out", "losses", "pool", "precision_bounds"]

# Three systems that feed a pool, and one that comes later.
LISTS = {
    "one": "r1 x1 r2 x2".split(),
    "two": "r1 r3 x1 x3".split(),
    "three": "x1 r1 x4 r2".split(),
    "later": "r4 r1 r5 x1".split(),
}


def pool(lists: Mapping[str, Sequence[str]], depth: int) -> list[str]:
    """Return the documents that assessors see: the first `depth` of each list, each once.

    Parameters
    ----------
    lists : dict of str to sequence of str
        System to documents, best first.
    depth : int

    Examples
    --------
    >>> pool({"A": ["d1", "d2"], "B": ["d3", "d1"]}, 1)
    ['d1', 'd3']
    """
    return sorted({document for ranked in lists.values() for document in ranked[:depth]})


def precision_bounds(
    ranked: Sequence[str], judged: Mapping[str, int], k: int
) -> tuple[float, float]:
    """Return P@k if no unjudged document is relevant, and if all are.

    Parameters
    ----------
    ranked : sequence of str
        Documents, best first.
    judged : dict of str to int
        Document to grade; those that are missing were not judged.
    k : int

    Examples
    --------
    >>> precision_bounds(["a", "b", "c"], {"a": 1, "b": 0}, 3)
    (0.3333333333333333, 0.6666666666666666)
    """
    relevant = sum(judged.get(document, 0) > 0 for document in ranked[:k])
    unjudged = sum(document not in judged for document in ranked[:k])
    return relevant / k, (relevant + unjudged) / k


def left_out(collection: Collection, *, depth: int, measure: str = "AP") -> pd.DataFrame:
    """Return what runs lose when their group does not feed the pool.

    The pool is made from the runs that were judged from (all, where that is not known); each group
    in turn is left out of it.

    Parameters
    ----------
    collection : Collection
        A run whose group is not known is a group of its own.
    depth : int
        Of the pool.
    measure : str

    Returns
    -------
    DataFrame
        One row a run that fed the pool: type, with, without (the mean score with the pool of all,
        and of all but its group), and loss, the share of the score that is lost.

    Examples
    --------
    >>> runs = {"A": {"t": ["r", "x"]}, "B": {"t": ["y", "r"]}}
    >>> toy = Collection.from_rankings(runs, {"t": {"r": 1, "x": 0, "y": 0}})
    >>> left_out(toy, depth=1)["loss"].tolist()
    [1.0, 0.0]
    """
    systems = collection.systems
    fed = systems.index[systems["pooled"] == "yes"]
    fed = list(fed if len(fed) else systems.index)
    full = means(collection.pooled(depth, by=fed), [measure]).iloc[:, 0]
    rows: dict[str, float] = {}
    for runs, judged in leave_group_out(collection, depth, runs=fed):
        rows |= means(judged, [measure]).loc[runs].iloc[:, 0].to_dict()
    table = pd.DataFrame({"type": systems["type"], "with": full, "without": pd.Series(rows)})
    table = table.loc[list(rows)]
    lost = (table["with"] - table["without"]) / table["with"].where(table["with"] > 0)
    return table.assign(loss=lost.fillna(0.0))


def losses(tables: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """Return what runs lose by :func:`left_out`, a row a pool depth and type of run.

    Parameters
    ----------
    tables : dict of int to DataFrame
        Pool depth to what :func:`left_out` returned.

    Returns
    -------
    DataFrame
        Index pool depth, type ("unknown" where the collection does not say); columns runs, mean
        loss and greatest loss.

    Examples
    --------
    >>> table = pd.DataFrame({"type": ["", ""], "loss": [0.1, 0.3]})
    >>> losses({10: table}).loc[(10, "unknown"), "mean loss"].round(3)
    np.float64(0.2)
    """
    rows = {
        depth: table.assign(type=table["type"].replace("", "unknown"))
        .groupby("type")["loss"]
        .agg(["size", "mean", "max"])
        for depth, table in tables.items()
    }
    names = {"size": "runs", "mean": "mean loss", "max": "greatest loss"}
    return pd.concat(rows, names=["pool depth"]).rename(columns=names)
