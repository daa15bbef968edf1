r"""The difference estimator of survey sampling: a machine's scores of all, set right by people's.

A machine judged all N topics, people judge n of them, drawn at random without replacement.  The
target is the mean that people would give over these N topics, and no others.  The estimator is
the machine's mean over all N plus the mean of people minus machine over the n: whatever the machine
gets wrong, its expected value is the people's mean.

References
----------
Cochran, Sampling Techniques, 3rd edition, 1977 (not read; the formulas are derived in the tests):
finite-population variance, the difference estimator.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.intervals import Interval


def difference_estimate(people: ArrayLike, machine: ArrayLike, chosen: ArrayLike) -> Interval:
    r"""Estimate the people's mean over all topics from the machine's scores and some of theirs.

    :math:`\bar M_N + \bar d_n`, d = people minus machine, with the error
    :math:`\sqrt{(1 - n/N) \, s_d^2 / n}` and Student's t with n - 1 degrees of freedom.

    Parameters
    ----------
    people : array, shape (n, ...)
        Scores of the chosen topics by people.
    machine : array, shape (N, ...)
        Scores of all topics by the machine; zeros make it the plain mean of the sample.
    chosen : array of int, shape (n,)
        Positions of the chosen topics.

    Examples
    --------
    >>> estimates = difference_estimate([0.5, 0.3], [0.6, 0.5, 0.1, 0.4], [0, 1])
    >>> estimates.estimate.round(3).item(), estimates.error.round(4).item()
    (0.25, 0.0354)
    """
    people, machine = np.asarray(people, float), np.asarray(machine, float)
    chosen = np.asarray(chosen)
    n, topics = len(chosen), len(machine)
    if not 2 <= n <= topics or len(people) != n:
        raise ValueError(f"people must judge 2 to {topics} topics, each of those chosen: {n}")
    gap = people - machine[chosen]
    error = np.sqrt((1 - n / topics) / n * gap.var(axis=0, ddof=1))
    return Interval.of(machine.mean(axis=0) + gap.mean(axis=0), error, n - 1)
