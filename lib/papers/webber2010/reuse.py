"""What a pool says of a system that did not feed it: leave each group out of the pool in turn."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection, askable
from lib.measures import means
from lib.statistics.incomplete import leave_group_out

__all__ = ["places_lost"]


def places_lost(
    collection: Collection, *, measure: str = "AP", pools: Sequence[int] | None = None
) -> pd.DataFrame:
    """Return how many places a run loses when its group does not feed the pool.

    Each group in turn is left out of the pool; its runs are ranked among all by what is judged
    then, and by what is judged when all runs feed the pool.

    Parameters
    ----------
    collection : Collection
        A run whose group is not known is a group of its own.
    measure : str
    pools : sequence of int, optional
        Pool depths; by default those that the collection can answer for.

    Returns
    -------
    DataFrame
        Index pool depth; columns mean, nine in ten (places lost by no more than a tenth of the runs
        or more), most, and the run that loses most.
    """
    pools, _ = askable(collection, pools=pools, depths=())
    rows = {}
    for pool in pools:
        fed = _ranks(collection.pooled(pool), measure)
        lost: dict[str, float] = {}
        for runs, judged in leave_group_out(collection, pool):
            lost |= (_ranks(judged, measure) - fed)[runs].to_dict()
        found = pd.Series(lost)
        rows[pool] = {
            "mean": found.mean(),
            "nine in ten": np.quantile(found, 0.9),
            "most": found.max(),
            "run": found.idxmax(),
        }
    return pd.DataFrame(rows).T.rename_axis("pool depth")


def _ranks(collection, measure):
    return means(collection, [measure]).iloc[:, 0].rank(ascending=False, method="min")
