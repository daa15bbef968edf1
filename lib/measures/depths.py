"""Sums over the first k ranks of every list, for many depths k in one pass over the hits."""

import numpy as np

from lib.measures.graded import dcg_discount, persistence
from lib.measures.standardization import standardized

__all__ = ["cumulated"]


def cumulated(hits, values, depths):
    """Add up a value of each hit over the first k ranks of its list, for several k at once.

    Parameters
    ----------
    hits : lib.collection.relevance.Relevance
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


def scores_at(collection, depths, residual, discount):
    """Score a collection by every measure of Figures 3 and 4: name to (depths, topics, systems).

    Equal to the measures of :mod:`lib.measures.binary`, one pass over the hits for all depths.
    """
    hits = collection.relevance()
    k = np.asarray(depths)
    rank = np.arange(1, max(k[-1], hits.rank.max(initial=1), hits.relevant.max()) + 1)
    found = cumulated(hits, None, k)
    precisions = cumulated(hits, hits.position / hits.rank, k)
    weight = 1 / dcg_discount(rank, discount)
    gains = cumulated(hits, weight[hits.rank - 1], k)
    geometric, best = [], []
    for depth in depths:
        p = persistence(residual=residual, k=depth)
        powers = (1 - p) * p ** (rank - 1.0)
        geometric.append(hits.total(powers[hits.rank - 1], hits.rank <= depth))
        best.append(1 - p ** np.minimum(depth, hits.relevant))
    k = k[:, np.newaxis, np.newaxis]
    everything = np.maximum(hits.relevant, 1)  # nothing relevant: 0 divided by 1
    abbreviated = np.minimum(k, everything)
    ideal = weight.cumsum()
    geometric, best = np.array(geometric), np.array(best)
    return {
        "P": found / k,
        "R": found / everything,
        "sP": standardized(found, ddof=0),
        "DCG": gains,
        "nDCG": gains / ideal[abbreviated - 1],
        "enDCG": gains / ideal[everything - 1],
        "sDCG": standardized(gains, ddof=0),
        "SP": precisions,
        "AP": precisions / everything,
        "aAP": precisions / abbreviated,
        "sAP": standardized(precisions, ddof=0),
        "RBP": geometric,
        "nRBP": geometric / np.where(best > 0, best, 1),
        "sRBP": standardized(geometric, ddof=0),
    }
