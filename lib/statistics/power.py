"""How many topics: what a paired comparison of two systems can tell, before it is made.

All of it is for Student's paired t test, two-sided, of scores whose differences over topics have
the standard deviation ``deviation``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from lib.conventions import ALPHA, DASH, POWER
from lib.errors import InputError
from lib.statistics.student import pair_differences

MOST = 100_000  # topics: a search for their number goes no further


def deviations(scores: ArrayLike) -> np.ndarray:
    """Return the standard deviation of each pair's differences over topics: shape (pairs,).

    >>> deviations([[1, 0, 0], [3, 0, 0]]).round(3).tolist()
    [1.414, 1.414, 0.0]
    """
    return pair_differences(np.asarray(scores, dtype=float)).std(axis=0, ddof=1)


def half_width(deviation: ArrayLike, topics: int) -> np.ndarray:
    r"""Return half the width of the 95% interval for a difference of means.

    :math:`t_{n-1} \, s / \sqrt n`.

    Parameters
    ----------
    deviation : array or float
        Standard deviation of the differences over topics, in the unit of the measure.
    topics : int
        n, 2 or more.

    Returns
    -------
    ndarray
        In the unit of the deviation.

    Raises
    ------
    InputError
        Fewer than two topics.

    Examples
    --------
    >>> half_width(0.15, 50).round(3)
    np.float64(0.043)
    """
    if topics < 2:
        raise InputError(f"the number of topics must be 2 or more, not {topics}")
    critical = special.stdtrit(topics - 1, 1 - ALPHA / 2)
    return critical * np.asarray(deviation, dtype=float) / np.sqrt(topics)


def power(
    difference: ArrayLike,
    deviation: ArrayLike,
    topics: int,
    *,
    alpha: float = ALPHA,
    critical: float | None = None,
    freedom: int | None = None,
) -> np.ndarray:
    r"""Return the chance that a paired t test finds a true difference.

    By the noncentral t distribution with the parameter :math:`\delta \sqrt n / \sigma`.

    Parameters
    ----------
    difference : array or float
        The true difference of the means, in the unit of the measure.
    deviation : array or float
        Standard deviation of the differences over topics, in the unit of the measure; above 0.
    topics : int
        2 or more.
    alpha : float
        Level of the two-sided test, in (0, 1).
    critical : float, optional
        What the size of t must exceed, in place of ``alpha``: that of a test for many systems at
        once, such as :func:`lib.statistics.multiplicity.tukey_critical`.
    freedom : int, optional
        Degrees of freedom of the error; by default one less than topics.

    Returns
    -------
    ndarray
        In [0, 1]; it counts a difference that is found with the wrong sign too.

    Raises
    ------
    InputError
        A number out of its range.

    References
    ----------
    Cohen, Statistical power analysis for the behavioral sciences, 1988; Webber, Moffat and Zobel,
    Statistical power in retrieval experimentation, CIKM 2008; Sakai, Topic set size design,
    Information Retrieval Journal 19, 2016.

    Examples
    --------
    >>> power(0.05, 0.15, 50).round(3)
    np.float64(0.637)
    """
    if topics < 2:
        raise InputError(f"the number of topics must be 2 or more, not {topics}")
    if not 0 < alpha < 1:
        raise InputError(f"alpha must lie in (0, 1), not {alpha}")
    if not (np.asarray(deviation) > 0).all():
        raise InputError("a standard deviation must be more than 0")
    freedom = topics - 1 if freedom is None else freedom
    edge = special.stdtrit(freedom, 1 - alpha / 2) if critical is None else critical
    shift = np.abs(np.asarray(difference, dtype=float)) * np.sqrt(topics) / deviation
    # Its series gives up where what is missed, or the wrong sign, has no chance worth a number.
    missed, wrong = (np.nan_to_num(special.nctdtr(freedom, shift, end)) for end in (edge, -edge))
    return 1 - missed + wrong


def needed(
    effect: float,
    *,
    alpha: float = ALPHA,
    wanted: float = POWER,
    critical: float | None = None,
    freedom: int | None = None,
) -> float:
    """Return the fewest topics with which a paired t test finds a true effect often enough.

    Parameters
    ----------
    effect : float
        The true difference of the means over the standard deviation of the differences.
    alpha : float
        Level of the two-sided test, in (0, 1).
    wanted : float
        Power, between alpha and 1.
    critical, freedom
        As for :func:`power`.

    Returns
    -------
    float
        A whole number, 2 or more; infinity beyond :data:`MOST` topics.

    Raises
    ------
    InputError
        A power out of its range.

    References
    ----------
    As of :func:`power`.

    Examples
    --------
    >>> needed(0.05 / 0.15), needed(0.0), needed(np.inf)
    (73.0, inf, 2.0)
    """
    if not alpha < wanted < 1:
        raise InputError(
            f"the statistical power wanted must lie between alpha and 1, not be {wanted}"
        )
    if np.isinf(effect):  # the same difference on every topic
        return 2.0
    test: Any = {"alpha": alpha, "critical": critical, "freedom": freedom}
    topics = fewest(lambda n: bool(power(effect, 1.0, n, **test) >= wanted), MOST)
    return np.inf if topics is None else float(topics)


def detectable(deviation: float, topics: int, *, wanted: float = POWER) -> float:
    """Return the smallest difference that a paired t test at 0.05 finds often enough.

    >>> round(detectable(0.15, 73), 3)
    0.05
    """
    in_deviations = optimize.brentq(lambda d: power(d, 1.0, topics) - wanted, 0, 20)
    return float(in_deviations * deviation)


def fewest(enough: Callable[[int], bool], most: int) -> int | None:
    """Return the smallest number of topics, of 2 to some, that is enough; None if none is.

    >>> fewest(lambda n: n > 33, 1000), fewest(lambda n: n > 33, 33)
    (34, None)
    """
    low, high = 1, 2
    while not enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def in_topics(number: float) -> str:
    """Write a number of topics that are needed.

    >>> in_topics(np.nan), in_topics(np.inf), in_topics(1234.0)
    ('–', 'more than 100,000', '1,234')
    """
    if np.isnan(number):
        return DASH
    return f"more than {MOST:,}" if np.isinf(number) else f"{number:,.0f}"
