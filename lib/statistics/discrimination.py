"""Discriminative power: the share of system pairs that a significance test tells apart."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from lib.statistics.sign_test import sign_test
from lib.statistics.significance import TESTS as PAIRED
from lib.statistics.significance import identical as same_scores
from lib.statistics.student import t_exceeds

__all__ = ["TESTS", "discriminative_power", "significant"]

TESTS = PAIRED | {"sign": sign_test}


def significant(
    scores: ArrayLike, *, alpha: float, test: str = "t", sides: int = 2, **options: Any
) -> np.ndarray:
    """Return which pairs of systems differ significantly.

    Parameters
    ----------
    scores : array or DataFrame, shape (topics, systems)
        Scores by one measure, without gaps.
    alpha : float
        Significance level, in (0, 1): a pair counts when its p value is below.
    test : {"t", "Wilcoxon", "permutation", "bootstrap", "sign"}
        Paired test; see :mod:`lib.statistics.significance`.
    sides : {2, 1}
        1: the pair counts when the test that is one-sided in the direction of the difference
        observed is below alpha, that is, when the two-sided one is below twice alpha.
    **options
        Those of the test, such as ``resamples`` and ``rng``.

    Returns
    -------
    ndarray of bool, shape (pairs,)
        In the order of ``numpy.triu_indices(systems, 1)``.

    Raises
    ------
    ValueError
        An alpha or a test that is none; what the test refuses.

    Examples
    --------
    >>> significant([[3, 1, 3], [2, 1, 2], [4, 1, 4]], alpha=0.1)
    array([ True, False,  True])
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie in (0, 1), not {alpha}")
    if sides not in (1, 2):
        raise ValueError(f"sides must be 1 or 2, not {sides}")
    if test not in TESTS:
        raise ValueError(f"test must be {', '.join(TESTS)}, not {test!r}")
    level = min(alpha * 2 / sides, 1.0)
    if test == "t" and not options:  # one critical value is cheaper than many p values
        freedom = len(np.asarray(scores)) - 1
        return t_exceeds(scores, special.stdtrit(freedom, 1 - level / 2))
    return TESTS[test](scores, **options) < level


def discriminative_power(
    scores: ArrayLike, *, alpha: float, test: str = "t", identical: str = "kept", **options: Any
) -> float:
    """Return the share of system pairs whose difference is significant.

    Parameters
    ----------
    scores, alpha, test, **options
        As for :func:`significant`.
    identical : {"kept", "left out"}
        What becomes of pairs with the same score on every topic.  Their p value is 1 here; a
        program that takes it for undefined may pass over them, which makes the share larger.

    Returns
    -------
    float
        In [0, 1]; NaN when no pair is left.

    Raises
    ------
    ValueError
        As for :func:`significant`.

    References
    ----------
    Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006; Webber, Moffat and
    Zobel, The effect of pooling and evaluation depth on metric stability, EVIA 2010, section 3.2.

    Examples
    --------
    >>> scores = [[3, 1, 3, 3], [2, 1, 2, 2], [4, 1, 4, 4]]
    >>> discriminative_power(scores, alpha=0.1)
    0.5
    >>> discriminative_power(scores, alpha=0.1, identical="left out")
    1.0
    """
    if identical not in ("kept", "left out"):
        raise ValueError(f"identical must be 'kept' or 'left out', not {identical!r}")
    decided = significant(scores, alpha=alpha, test=test, **options)
    pairs = len(decided)
    if identical == "left out":
        pairs -= same_scores(scores).sum()
    return float(decided.sum() / pairs) if pairs else float("nan")
