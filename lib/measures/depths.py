"""Sums over the first k ranks of every list, for many depths k in one pass over the hits."""

from collections.abc import Sequence

import numpy as np

from lib.collection import Collection, Relevance
from lib.measures.graded import dcg_discount, persistence
from lib.measures.scores import standardized


def cumulated(
    hits: Relevance, values: np.ndarray | None, depths: Sequence[int] | np.ndarray
) -> np.ndarray:
    """Add up a value of each hit over the first k ranks of its list, for several k at once.

    >>> from lib.measures import example
    >>> cumulated(example().relevance(), None, [1, 2, 3])[:, 0, 0]
    array([1, 1, 2])
    """
    depths = np.asarray(depths)
    if depths[0] < 1 or (np.diff(depths) <= 0).any():
        raise ValueError(f"depths must ascend from 1 or more: {depths.tolist()}")
    # Hits come by rank, so that those between two depths stand together: each is added up once.
    ends = [hits.top(depth).stop for depth in depths]
    bands = [hits.total(values, slice(start, end)) for start, end in zip([0, *ends], ends)]
    return np.cumsum(bands, axis=0)


def scores_at(
    collection: Collection, depths: Sequence[int], *, residual: float, discount: str
) -> dict[str, np.ndarray]:
    """Score a collection at many depths, in one pass over its hits for all of them.

    >>> from lib.collection import Collection
    >>> runs = {"A": {"t": ["r", "x"]}, "B": {"t": ["x", "r"]}}
    >>> collection = Collection.from_rankings(runs, {"t": {"r": 1}})
    >>> scored = scores_at(collection, [1, 2], residual=0.1, discount="2002")
    >>> scored["AP"][:, 0, :]
    array([[1. , 0. ],
           [1. , 0.5]])
    """
    key = ("scores_at", *depths, residual, discount)
    scored, topics = collection.topicwise(key, lambda c: _scores_at(c, depths, residual, discount))
    return {name: values[:, topics] for name, values in scored.items()}


def _scores_at(
    collection: Collection, depths: Sequence[int], residual: float, discount: str
) -> dict[str, np.ndarray]:
    hits = collection.relevance()
    k = np.asarray(depths)
    rank = np.arange(1, max(k[-1], hits.rank.max(initial=1), hits.relevant.max()) + 1)
    counts = cumulated(hits, None, k)
    precisions = cumulated(hits, hits.precision, k)
    weight = 1 / dcg_discount(rank, discount)
    place = hits.rank - 1
    gains = cumulated(hits, weight[place], k)
    rank_biased, best_lists = [], []
    for depth in depths:
        p = persistence(residual=residual, k=depth)
        powers = (1 - p) * p ** (rank - 1.0)
        inside = hits.top(depth)
        rank_biased.append(hits.total(powers[place[inside]], inside))
        best_lists.append(1 - p ** np.minimum(depth, hits.relevant))
    k = k[:, np.newaxis, np.newaxis]
    everything = np.maximum(hits.relevant, 1)  # nothing relevant: 0 divided by 1
    abbreviated = np.minimum(k, everything)
    ideal = weight.cumsum()
    geometric, best = np.array(rank_biased), np.array(best_lists)
    return {
        "P": counts / k,
        "R": counts / everything,
        "sP": standardized(counts),
        "DCG": gains,
        "nDCG": gains / ideal[abbreviated - 1],
        "enDCG": gains / ideal[everything - 1],
        "sDCG": standardized(gains),
        "SP": precisions,
        "AP": precisions / everything,
        "aAP": precisions / abbreviated,
        "sAP": standardized(precisions),
        "RBP": geometric,
        "nRBP": geometric / np.where(best > 0, best, 1),
        "sRBP": standardized(geometric),
    }
