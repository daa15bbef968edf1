"""Sums over the first k ranks of every list, for many depths k in one pass over the hits."""

import numpy as np

__all__ = ["cumulated"]


def cumulated(hits, values, depths):
    """Add up a value of each hit over the first k ranks of its list, for several k at once.

    Parameters
    ----------
    hits : lib.collection.Relevance
    values : array, shape (hits,), or None
        What each hit counts; None: 1.
    depths : sequence of int
        Ascending.

    Returns
    -------
    ndarray, shape (depths, topics, systems)

    Raises
    ------
    ValueError
        Depths that do not ascend from 1 or more.

    Examples
    --------
    >>> from lib.measures import example
    >>> cumulated(example().relevance(), None, [1, 2, 3])[:, 0, 0]
    array([1, 1, 2])
    """
    depths = np.asarray(depths)
    if depths[0] < 1 or (np.diff(depths) <= 0).any():
        raise ValueError(f"depths must ascend from 1 or more: {depths.tolist()}")
    size = hits.retrieved.size
    # Sorted into the band between two depths in which it stands, each hit is added up once.
    band = np.searchsorted(depths, np.arange(hits.rank.max(initial=0) + 1))
    sums = np.bincount(
        band[hits.rank] * size + hits.cell, values, minlength=(len(depths) + 1) * size
    )
    bands = sums[: len(depths) * size].reshape(len(depths), *hits.retrieved.shape)
    return bands.cumsum(axis=0)
