"""Whose lists end early: what becomes of a run's rank when all lists are as short as its own.

A list that ends after 60 documents can hold no relevant one at rank 61 or deeper, while those of
other runs go on finding some.  So a deep evaluation ranks such a run low for its length, and a pool
has nothing to do with it.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from lib.collection import DEPTHS, Collection
from lib.measures import means

__all__ = ["cut_to", "rank_by_depth"]

POOLED = (10, 100)


def cut_to(run: str, collection: Collection) -> Collection:
    """Return a collection in which no list is longer than that of one run on the same topic.

    Parameters
    ----------
    run : str
    collection : Collection

    Returns
    -------
    Collection

    Examples
    --------
    >>> runs = {"A": {"t": ["x", "r"]}, "B": {"t": ["x", "y", "r"]}}
    >>> cut_to("A", Collection.from_rankings(runs, {"t": {"r": 1}})).hits["system"].tolist()
    [0]
    """
    if run not in collection.systems.index:
        raise ValueError(f"{collection.name} has no run {run!r}")
    longest = np.maximum(collection.retrieved[:, collection.systems.index.get_loc(run)], 0)
    hits, lists = collection.hits, collection.lists
    kept = hits["rank"].to_numpy() <= longest[hits["topic"]]
    return replace(
        collection,
        name=f"{collection.name}, lists as short as those of {run}",
        hits=hits[kept].reset_index(drop=True),
        lists=lists.assign(retrieved=np.minimum(lists["retrieved"], longest[lists["topic"]])),
    )


def rank_by_depth(
    run: str, collection: Collection, *, depths: Sequence[int] = DEPTHS
) -> pd.DataFrame:
    """Return a run's rank by mean nDCG at each evaluation depth, among lists as they are and cut.

    Parameters
    ----------
    run : str
    collection : Collection
    depths : sequence of int

    Returns
    -------
    DataFrame
        Index evaluation depth, columns "pool 10" and "pool 100", and "lists as short": pool 100
        with no list longer than that of the run (:func:`cut_to`).  1 is best; systems that tie
        share the best rank.
    """
    settings = {f"pool {pool}": collection.pooled(pool) for pool in POOLED}
    settings["lists as short"] = cut_to(run, settings[f"pool {POOLED[-1]}"])
    names = [f"nDCG(discount=2002,rel=1)@{depth}" for depth in depths]
    ranks = {}
    for setting, judged in settings.items():
        mean = means(judged, names, decimals=10)
        ranks[setting] = [int((mean[name] > mean.loc[run, name]).sum()) + 1 for name in names]
    return pd.DataFrame(ranks, index=pd.Index(list(depths), name="evaluation depth"))
