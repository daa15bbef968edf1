"""Many tests at once: p values raised so that one false alarm in all of them is rare."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from lib.conventions import ALPHA
from lib.errors import InputError
from lib.statistics.significance import TIE
from lib.statistics.student import as_paired, pair_indices


def holm(p: ArrayLike) -> np.ndarray:
    r"""Return p values adjusted for their number by Holm's method.

    With the values in ascending order, :math:`\tilde p_i = \max_{j \le i} (m - j + 1) \, p_j`, at
    most 1.  Reject where the adjusted value is below alpha: then the chance that any of the m
    rejections is false is alpha at most, however the tests depend on each other.

    Parameters
    ----------
    p : array, shape (m,)
        In [0, 1].

    Returns
    -------
    ndarray, shape (m,)
        In the order given.

    Raises
    ------
    InputError
        A value that is no p value.

    References
    ----------
    Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
    Statistics 6, 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    values = np.asarray(list(p.values()) if isinstance(p, Mapping) else p, dtype=float)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise InputError("p values must be a list of numbers in [0, 1]")
    order = np.argsort(values, kind="stable")
    raised = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1)
    return adjusted


CORRECTIONS: dict[str, Callable[[ArrayLike], np.ndarray]] = {"none": np.asarray, "holm": holm}


def corrected(p: ArrayLike, correction: str) -> np.ndarray:
    """Return p values as a correction, named in :data:`CORRECTIONS`, leaves them.

    >>> corrected([0.01, 0.04], "holm"), corrected([0.01, 0.04], "none")
    (array([0.02, 0.04]), array([0.01, 0.04]))
    """
    if correction not in CORRECTIONS:
        raise InputError(f"correction must be {', '.join(CORRECTIONS)}, not {correction!r}")
    return CORRECTIONS[correction](p)


def tukey_critical(systems: int, topics: int, *, alpha: float = ALPHA) -> float:
    r"""Return what the t of a pair must exceed by Tukey's honestly significant difference.

    :math:`q / \sqrt 2`, with q of the studentized range of all systems and
    :math:`(systems - 1)(topics - 1)` degrees of freedom; t has the error of the whole table in
    place of the pair's own, see :func:`tukey`.

    Parameters
    ----------
    systems, topics : int
        How many there are, 2 or more of each.
    alpha : float
        The chance that any of all pairs is called different where none is, in (0, 1).

    Returns
    -------
    float
        Above 0, in standard errors, as t is.

    Raises
    ------
    InputError
        A number out of its range.

    References
    ----------
    As of :func:`tukey`.

    Examples
    --------
    For two systems it is Student's t:

    >>> round(tukey_critical(2, 11), 3)
    2.228
    """
    if min(systems, topics) < 2:
        raise InputError(f"two systems and two topics are needed, not {systems} and {topics}")
    if not 0 < alpha < 1:
        raise InputError(f"alpha must lie in (0, 1), not {alpha}")
    freedom = (systems - 1) * (topics - 1)
    from scipy.stats import studentized_range  # here: see lib.statistics.significance

    return float(studentized_range.isf(alpha, systems, freedom) / np.sqrt(2))


def tukey(scores: ArrayLike) -> np.ndarray:
    r"""Return the t of each pair with the error of all systems: what Tukey's test compares.

    :math:`(\bar x - \bar y) / \sqrt{2 s^2 / n}`, with :math:`s^2` the mean square of what is left
    of the scores when their topic's and their system's mean is taken off.

    Parameters
    ----------
    scores : array or DataFrame, shape (topics, systems)
        Without gaps; two topics and two systems or more.

    Returns
    -------
    ndarray, shape (pairs,)
        In the order of ``numpy.triu_indices(systems, 1)``; a pair is significant where its size
        exceeds :func:`tukey_critical`.

    Raises
    ------
    InputError
        Scores with gaps, or of fewer than two topics or systems.

    References
    ----------
    Carterette, Multiple testing in statistical analysis of systems-based information retrieval
    experiments, ACM Transactions on Information Systems 30, 2012.

    Examples
    --------
    >>> tukey([[3, 1], [2, 1], [4, 1]]).round(3).tolist()
    [3.464]
    """
    values = as_paired(scores)
    topics, systems = values.shape
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    square = (rest**2).sum() / ((systems - 1) * (topics - 1))
    first, second, _ = pair_indices(systems)
    difference = values.mean(axis=0)[first] - values.mean(axis=0)[second]
    if square == 0:
        return np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    return difference / np.sqrt(2 * square / topics)


def randomized_tukey(
    scores: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> np.ndarray:
    """Return the p value of each pair by Tukey's test, randomized: corrected for all pairs.

    Were all systems alike, any could have had any score of a topic: the scores of each topic are
    dealt out anew, and the largest difference of any two means is compared with each observed one.
    No distribution is assumed.

    Parameters
    ----------
    scores : array, shape (topics, systems)
        Without gaps.
    resamples : int
        Random draws, B; the standard error where p is 0.05 is 0.0022 for 10,000.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (pairs,)
        (b + 1) / (B + 1), where in b draws the largest difference is at least the pair's.

    References
    ----------
    Carterette, Multiple testing in statistical analysis of systems-based information retrieval
    experiments, ACM Transactions on Information Systems 30, 2012, algorithm 1.

    Examples
    --------
    >>> scores = [[3, 1], [2, 1], [4, 1]]
    >>> randomized_tukey(scores, rng=np.random.default_rng(1)).round(2).tolist()
    [0.25]
    """
    values = as_paired(scores)
    first, second, _ = pair_indices(values.shape[1])
    means = values.mean(axis=0)
    observed = np.abs(means[first] - means[second]) - TIE
    largest = [np.ptp(rng.permuted(values, axis=1).mean(axis=0)) for _ in range(resamples)]
    below = np.searchsorted(np.sort(largest), observed)
    return (resamples - below + 1) / (resamples + 1)
