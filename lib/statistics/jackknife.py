"""The error that other topics would make: leave out one topic at a time.

A collection's topics are a sample.  What is computed from all of them is computed again without
each; how much that moves it tells how far it would be off on other topics of the same kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

__all__ = ["Interval", "jackknife"]


@dataclass(frozen=True)
class Interval:
    """An estimate and what can be said of it.

    Attributes
    ----------
    estimate, error, low, high : ndarray
        The value on all topics, its standard error over topics, and the ends of the interval.
    """

    estimate: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray


def jackknife(
    estimate: float | np.ndarray, left_out: Sequence | np.ndarray, *, level: float = 0.95
) -> Interval:
    r"""Return the interval over topics of something computed from all of them.

    The error is :math:`\sqrt{\frac{n-1}{n} \sum_i (\theta_{(i)} - \bar\theta)^2}`, with
    :math:`\theta_{(i)}` the value without topic i; the interval is the estimate plus and minus
    that many errors as Student's t with n - 1 degrees of freedom says.

    Parameters
    ----------
    estimate : float or ndarray
        On all n topics.
    left_out : sequence of the same, of length n
        Without each topic.
    level : float
        Nominal coverage, in (0, 1).

    Returns
    -------
    Interval

    Raises
    ------
    ValueError
        Fewer than two topics.

    References
    ----------
    Efron and Stein, The jackknife estimate of variance, Annals of Statistics 9, 1981: on average
    it is too large rather than too small.

    Examples
    --------
    The error of a mean is the usual one:

    >>> scores = np.array([0.2, 0.4, 0.9])
    >>> found = jackknife(scores.mean(), [np.delete(scores, i).mean() for i in range(3)])
    >>> bool(np.isclose(found.error, scores.std(ddof=1) / np.sqrt(3)))
    True
    """
    values = np.asarray(left_out, float)
    n = len(values)
    if n < 2:
        raise ValueError(f"the jackknife needs two topics or more, not {n}")
    if not 0 < level < 1:
        raise ValueError(f"level must lie in (0, 1), not {level}")
    error = np.sqrt((n - 1) / n * ((values - values.mean(axis=0)) ** 2).sum(axis=0))
    reach = student.ppf((1 + level) / 2, n - 1) * error
    middle = np.asarray(estimate, float)
    return Interval(middle, error, middle - reach, middle + reach)
