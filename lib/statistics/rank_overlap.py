"""Rank-biased overlap: how much the tops of two rankings share."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from lib.statistics.correlation import same_systems

__all__ = ["agreement", "rbo"]


def agreement(x: ArrayLike, y: ArrayLike, *, depth: int | None = None) -> np.ndarray:
    r"""Return the agreement of two rankings at each depth.

    Parameters
    ----------
    x, y : array, shape (n,)
        Scores of the same n systems, higher is better.
    depth : int, optional
        The last depth, 1 to n; by default n.

    Returns
    -------
    ndarray, shape (depth,)
        :math:`A_d = 2 |S_d \cap T_d| / (|S_d| + |T_d|)`, in [0, 1], where :math:`S_d` holds the
        systems that x ranks d or better.  Without ties, the share of the top d that is common.
        Ties: the tied share the best of their ranks, so that :math:`S_d` may hold more than d.

    References
    ----------
    Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010:
    sections 3 and 4, with the rule that they give for ties.

    Examples
    --------
    >>> agreement([4, 3, 2, 1], [3, 4, 1, 2])
    array([0.        , 1.        , 0.66666667, 1.        ])
    """
    x, y = same_systems(x, y)
    depth = len(x) if depth is None else depth
    if not 1 <= depth <= len(x):
        raise ValueError(f"depth must lie between 1 and the {len(x)} systems, not be {depth}")
    of_x, of_y = (rankdata(-scores, method="min").astype(int) for scores in (x, y))
    common, in_x, in_y = (
        np.bincount(rank, minlength=len(x) + 1)[1:].cumsum()[:depth]
        for rank in (np.maximum(of_x, of_y), of_x, of_y)
    )
    return 2 * common / (in_x + in_y)


def rbo(x: ArrayLike, y: ArrayLike, *, p: float, depth: int | None = None) -> float:
    r"""Rank-biased overlap of two rankings of the same systems, extrapolated (RBO_ext).

    A reader compares the two rankings from the top down and goes on from each depth to the next
    with probability p; RBO is the agreement that such a reader may expect to see.  Beyond the last
    depth the agreement is taken to stay as it is there:
    :math:`RBO_{ext} = \frac{1-p}{p} \sum_{d=1}^{k} A_d\, p^d + A_k\, p^k`.

    Parameters
    ----------
    x, y : array, shape (n,)
        Scores of the same n systems, higher is better; ties as in :func:`agreement`.
    p : float
        Persistence, 0 < p < 1.  The first ten ranks carry 86% of the weight with p = 0.9.
    depth : int, optional
        The last depth k that is looked at, by default n.

    Returns
    -------
    float
        In [0, 1]; 1 for equal rankings.  Unlike a correlation it is not negative for opposite
        ones: over all n systems the agreement ends at 1 whatever the order.

    Raises
    ------
    ValueError
        A p or depth out of range, or lists that cannot be compared.

    References
    ----------
    Webber, Moffat and Zobel, A similarity measure for indefinite rankings, ACM TOIS 28(4), 2010,
    section 4: RBO, its extrapolation and ties.

    Examples
    --------
    >>> round(rbo([4, 3, 2, 1], [3, 4, 1, 2], p=0.9), 4)
    0.873
    """
    if not 0 < p < 1:
        raise ValueError(f"p must lie between 0 and 1, not be {p}")
    agreed = agreement(x, y, depth=depth)
    weight = p ** np.arange(1, len(agreed) + 1)
    return float((1 - p) / p * np.sum(agreed * weight) + agreed[-1] * weight[-1])
