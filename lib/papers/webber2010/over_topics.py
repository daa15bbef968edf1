"""Figures 2 to 4 with their intervals over topics."""

import pandas as pd

from lib.collection import Collection
from lib.paper import Bounds
from lib.papers.webber2010.depth import figure2_taus, powers_at
from lib.published import cells

__all__ = ["grid_with_intervals", "taus_with_intervals"]


def taus_with_intervals(collection: Collection, bounds: Bounds) -> pd.DataFrame:
    """Return the taus of Figure 2 with the ends of their intervals.

    Parameters
    ----------
    collection : Collection
    bounds : callable
        See :data:`lib.paper.Bounds`.

    Returns
    -------
    DataFrame
        Cells, with columns low and high.
    """
    return bounds(figure2_taus, figure2_taus(collection))


def grid_with_intervals(
    table: pd.DataFrame, collection: Collection, bounds: Bounds
) -> pd.DataFrame:
    """Return discriminative powers with the ends of their intervals.

    Parameters
    ----------
    table : DataFrame
        From :func:`lib.papers.webber2010.depth.grid`, with its own options.
    collection : Collection
        What it is of.
    bounds : callable
        See :data:`lib.paper.Bounds`.

    Returns
    -------
    DataFrame
        The table, with columns low and high.
    """
    settings = [table[name].unique().tolist() for name in ("measure", "pool", "depth")]

    def powers(part):
        found = powers_at(part, *settings)
        return cells((r.measure, f"{r.pool}/{r.depth}", r.power) for r in found.itertuples())

    ends = bounds(powers, powers(collection))
    return table.assign(low=ends["low"].to_numpy(), high=ends["high"].to_numpy())
