"""What is said of documents that nobody judged: how many there are, what they could add."""

import numpy as np
import pandas as pd

from lib.collection import Collection, judged_of
from lib.measures import nonrelevant_above


def judged_ranks(collection: Collection) -> tuple[np.ndarray, np.ndarray]:
    """Return where judged documents of any grade stand.

    Examples
    --------
    >>> toy = Collection.from_rankings(
    ...     {"A": {"t": ["r", "u", "n"]}}, {"t": {"r": 1, "n": 0}}, judged=True)
    >>> judged_ranks(toy)[1].tolist()
    [1, 3]
    """
    columns = ["topic", "system", "rank"]
    judged = judged_of(collection, "telling what is unjudged")
    both = pd.concat([collection.hits[columns], judged[columns]])
    cell = both["topic"].to_numpy(int) * len(collection.systems) + both["system"].to_numpy()
    return cell, both["rank"].to_numpy(int)


def condensed_average_precision(collection: Collection, *, rel: int = 1) -> pd.DataFrame:
    r"""Average precision of the lists without their unjudged documents; in [0, 1].

    :math:`\frac{1}{R} \sum_r \frac{i_r}{i_r + n_r}`: the i-th relevant document moves up to rank
    :math:`i_r + n_r`, with :math:`n_r` judged non-relevant documents above it.

    References
    ----------
    Sakai, Alternatives to bpref, SIGIR 2007.

    Examples
    --------
    >>> toy = Collection.from_rankings(
    ...     {"A": {"t": ["u", "r", "n"]}}, {"t": {"r": 1, "n": 0}}, judged=True)
    >>> condensed_average_precision(toy).loc["t", "A"]
    np.float64(1.0)
    """
    hits = collection.relevance(rel)
    above = nonrelevant_above(collection, hits, "condensed AP")
    total = hits.total(hits.position / (hits.position + above))
    return collection.frame(total / np.maximum(hits.relevant, 1))


def rbp_uncertainty(collection: Collection, *, p: float) -> pd.DataFrame:
    r"""The most that all unjudged documents and the list's end could add to RBP; in [0, 1].

    :math:`1 - (1 - p) \sum_i p^{i - 1}` over the ranks i of judged documents: the residual of
    Moffat and Zobel (2008) with unjudged documents within the list, which
    :func:`lib.measures.rbp_residual` leaves out.

    Examples
    --------
    >>> toy = Collection.from_rankings(
    ...     {"A": {"t": ["u", "r"]}}, {"t": {"r": 1, "n": 0}}, judged=True)
    >>> rbp_uncertainty(toy, p=0.5).loc["t", "A"]
    np.float64(0.75)
    """
    if not 0 <= p < 1:
        raise ValueError(f"p must lie in [0, 1), not {p}")
    cell, rank = judged_ranks(collection)
    shape = collection.retrieved.shape
    known = np.bincount(cell, (1 - p) * p ** (rank - 1.0), minlength=shape[0] * shape[1])
    return collection.frame(1 - known.reshape(shape))


def unjudged_share(collection: Collection, *, k: int) -> pd.DataFrame:
    """The share of unjudged documents among the first k of each list; in [0, 1].

    Examples
    --------
    >>> toy = Collection.from_rankings(
    ...     {"A": {"t": ["u", "r"]}}, {"t": {"r": 1, "n": 0}}, judged=True)
    >>> unjudged_share(toy, k=10).loc["t", "A"]
    np.float64(0.5)
    """
    if k < 1:
        raise ValueError(f"k must be 1 or more, not {k}")
    cell, rank = judged_ranks(collection)
    shape = collection.retrieved.shape
    known = np.bincount(cell[rank <= k], minlength=shape[0] * shape[1]).reshape(shape)
    length = np.clip(collection.retrieved, 0, k)
    return collection.frame((length - known) / np.maximum(length, 1))
