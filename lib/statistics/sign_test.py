"""The sign test between all pairs of systems at once: who is better on more topics?"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from lib.statistics.student import checked, pairs

__all__ = ["sign_test"]


def sign_test(scores: ArrayLike) -> np.ndarray:
    """Return the p values of the sign test, two-sided and exact.

    Topics without a difference are left out; on each of the others either system is as likely to
    be better under the null hypothesis.

    Parameters
    ----------
    scores : array or DataFrame, shape (topics, systems)

    Returns
    -------
    ndarray, shape (pairs,)
        In the order of ``numpy.triu_indices(systems, 1)``; 1 for systems with the same scores.

    Raises
    ------
    ValueError
        Scores with gaps, or too few of them.

    References
    ----------
    Arbuthnott, An argument for divine providence, Philosophical Transactions 27, 1710.

    Examples
    --------
    >>> sign_test([[3, 1, 3], [2, 1, 2], [4, 1, 4]])
    array([0.25, 1.  , 0.25])
    """
    values = checked(scores)
    first, second, _ = pairs(values.shape[1])
    one, other = values[:, first], values[:, second]
    better, worse = (one > other).sum(axis=0), (one < other).sum(axis=0)
    return np.minimum(1.0, 2 * special.bdtr(np.minimum(better, worse), better + worse, 0.5))
