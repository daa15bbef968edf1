"""Student's t statistic of all pairs of systems at once, and scores as such tests take them."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import InputError

_CLOSE = 1e-6  # a variance below this share of the scores' sum of squares has lost its digits


def as_paired(scores: ArrayLike) -> np.ndarray:
    """Return scores as an array of floats, at least two topics by two systems, without gaps."""
    try:
        values = np.asarray(scores, dtype=float)
    except (TypeError, ValueError):
        what = type(scores).__name__
        raise InputError(f"{what} is no table of numbers (topics x systems)") from None
    if values.ndim != 2 or min(values.shape) < 2:
        raise InputError(
            f"a paired test needs two topics and two systems or more, not shape {values.shape}"
        )
    if np.isnan(values).any():
        gaps = np.isnan(values).any(axis=0)
        names = np.asarray(getattr(scores, "columns", np.arange(len(gaps))))[gaps]
        raise InputError(
            "a paired test compares systems on the same topics; scores are missing for "
            + ", ".join(map(str, names[:3]))
            + (", ..." if len(names) > 3 else "")
        )
    return values


@lru_cache(maxsize=8)
def pair_indices(systems: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return first and second system of every pair, and its place in a matrix; not to change.

    >>> [part.tolist() for part in pair_indices(3)]
    [[0, 0, 1], [1, 2, 2], [1, 2, 5]]
    """
    first, second = np.triu_indices(systems, 1)
    return first, second, first * systems + second


def t_statistic(scores: ArrayLike) -> np.ndarray:
    r"""Return the paired t statistic of every pair of systems.

    :math:`t = \bar d / \sqrt{s_d^2 / n}`, n topics.  The variances of all differences come from
    one Gram matrix, since :math:`\sum (x - y)^2 = \sum x^2 + \sum y^2 - 2 \sum x y`.

    It is positive where the first system of the pair is better, and 0 for systems with equal
    scores on every topic.

    References
    ----------
    Student, The probable error of a mean, Biometrika 6, 1908.

    Examples
    --------
    >>> t_statistic([[3, 1, 3], [2, 1, 2], [4, 1, 4]]).round(3)
    array([ 3.464,  0.   , -3.464])
    """
    values = as_paired(scores)
    topics = len(values)
    total, squares, size = _sums(values)
    mean = total / topics
    squares -= total * mean
    # Where two systems hardly differ most digits cancel; those few pairs are computed plainly.
    close = np.flatnonzero(squares <= _CLOSE * size)
    if len(close):
        difference = pair_differences(values, close)
        mean[close] = difference.mean(axis=0)
        squares[close] = topics * difference.var(axis=0)
        # No difference at all is 0 divided by 0, and the statistic 0.
        squares[close[(difference == 0).all(axis=0)]] = np.inf
    with np.errstate(divide="ignore"):
        return mean / np.sqrt(squares / (topics - 1) / topics)


def t_exceeds(scores: ArrayLike, critical: float) -> np.ndarray:
    r"""Return which pairs of systems have a paired t statistic beyond a critical value.

    :math:`t^2 > c^2` multiplied out, :math:`(\sum d)^2 (n - 1 + c^2) > c^2 n \sum d^2`, takes no
    root and no quotient of any pair.

    >>> t_exceeds([[3, 1, 3], [2, 1, 2], [4, 1, 4]], 2.9)
    array([ True, False,  True])
    """
    values = as_paired(scores)
    topics = len(values)
    total, squares, size = _sums(values)
    close = np.flatnonzero(squares <= _CLOSE * size)
    if len(close):
        difference = pair_differences(values, close)
        total[close], squares[close] = difference.sum(axis=0), (difference**2).sum(axis=0)
    return total * total * (topics - 1 + critical**2) > squares * (topics * critical**2)


def _sums(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three sums for every pair: of differences, of their squares, of the scores' squares.

    The second is the third less twice a sum of products, all of which are one Gram matrix.
    """
    topics, systems = values.shape
    first, second, both = pair_indices(systems)
    # What all systems gain on a topic drops out of every difference; without it sums keep digits.
    centred = values - (values @ np.full((systems, 1), 1 / systems))
    gram = centred.T @ centred
    own, sums = gram.diagonal(), np.ones(topics) @ centred
    size = own.take(first) + own.take(second)
    return sums.take(first) - sums.take(second), size - 2 * gram.take(both), size


def pair_differences(values: np.ndarray, some: Any = ...) -> np.ndarray:
    """Return the differences of all pairs of systems, or of some, on each topic.

    >>> pair_differences(np.array([[3, 1, 3]])).tolist()
    [[2, 0, -2]]
    """
    first, second, _ = pair_indices(values.shape[1])
    return values[:, first[some]] - values[:, second[some]]
