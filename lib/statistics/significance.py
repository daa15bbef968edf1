r"""Paired significance tests between all pairs of systems at once.

Each test takes scores (topics x systems) and returns the two-sided p value of every pair of
systems, in the order of ``numpy.triu_indices(systems, 1)``; :func:`square` lays them out as a
table.  The sample is the difference of the two systems on each topic; the null hypothesis is that
their mean difference over all topics there could be is 0.  Scores with gaps, and fewer than two
topics or systems, are refused by an InputError.

Two systems with the same score on every topic give no evidence at all: their p value is 1 in every
test here (their t statistic would be 0/0).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from lib.errors import InputError
from lib.statistics.student import as_paired, pair_differences, pair_indices, t_exceeds, t_statistic
from lib.tasks import task

TIE = 1e-10  # mean differences closer than this are equal: what is between them is rounding noise
_MIX = np.uint64(0x9E3779B97F4A7C15)  # its powers, being odd, weigh all bits of a word
_SEED = 2008  # of draws that nobody gives
_BLOCK = 512  # pairs of systems whose differences on all topics stay in the cache
_TASK = 1024  # resamples in one parallel task; what is made of them stays in the cache
_FLIPS = 256, 128  # draws, and bytes of signs, at a time: as numbers they stay in the cache
_NEVER = 1e-7  # no draw is expected to reach what has so small a chance


def same_scores(scores: ArrayLike) -> np.ndarray:
    """Return which pairs of systems have the same score on every topic.

    >>> same_scores([[3, 1, 3], [2, 1, 2], [4, 1, 4]])
    array([False,  True, False])
    """
    values = as_paired(scores)
    # Systems with the same bytes are the same; adding 0 makes 0 of -0.
    words = (values + 0.0).view(np.uint64)
    sums = np.full(len(words), _MIX).cumprod() @ words
    first, second, _ = pair_indices(len(sums))
    same = sums[first] == sums[second]  # as equal bytes have; they are compared where it is so
    some = np.flatnonzero(same)
    same[some] = (words[:, first[some]] == words[:, second[some]]).all(axis=0)
    return same


def t_test(scores: ArrayLike, other: ArrayLike | None = None) -> np.ndarray:
    """Return the p values of the paired, two-tailed t test.

    Parameters
    ----------
    scores : array or DataFrame, shape (topics, systems)
        Scores by one measure, without gaps; two topics and two systems or more.
    other : array or Series, shape (topics,), optional
        Those of one system, beside which ``scores`` are of another: ``t_test(a, b)``.

    Returns
    -------
    ndarray, shape (pairs,)
        In [0, 1], in the order of ``numpy.triu_indices(systems, 1)``; 1 for systems with the same
        scores.

    Raises
    ------
    InputError
        Scores with gaps, or of fewer than two topics or systems.

    Notes
    -----
    A pair's t is the mean of its differences over their standard error, with one degree of freedom
    less than there are topics.  :func:`square` lays the values out with the systems' names.

    Examples
    --------
    >>> t_test([[3, 1, 3], [2, 1, 2], [4, 1, 4]]).round(3)
    array([0.074, 1.   , 0.074])
    """
    both = _both(scores, other)
    freedom = len(as_paired(both)) - 1
    return 2 * special.stdtr(freedom, -np.abs(t_statistic(both)))


def _both(scores: ArrayLike, other: ArrayLike | None) -> ArrayLike:
    return scores if other is None else pd.DataFrame({"one": scores, "other": other})


def wilcoxon_test(scores: ArrayLike) -> np.ndarray:
    """Return the p values of Wilcoxon's signed-rank test, two-sided, by the normal approximation.

    Topics without a difference are left out.

    Parameters
    ----------
    scores : array or DataFrame, shape (topics, systems)
        Scores by one measure, without gaps; two topics and two systems or more.

    Returns
    -------
    ndarray, shape (pairs,)
        In [0, 1], in the order of ``numpy.triu_indices(systems, 1)``; 1 for systems with the same
        scores.

    Raises
    ------
    InputError
        As for :func:`t_test`.

    References
    ----------
    Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1, 1945.

    Examples
    --------
    >>> wilcoxon_test([[3, 1, 3], [2, 1, 2], [4, 1, 4]]).round(3)
    array([0.109, 1.   , 0.109])
    """
    from scipy import stats  # here: comparing runs does not wait for it

    values = as_paired(scores)
    difference = pair_differences(values)
    p = np.ones(difference.shape[1])
    differs = ~same_scores(values)
    if differs.any():
        p[differs] = stats.wilcoxon(difference[:, differs], axis=0, method="asymptotic").pvalue
    return p


def permutation_test(
    scores: ArrayLike,
    other: ArrayLike | None = None,
    *,
    resamples: int = 10_000,
    rng: np.random.Generator | None = None,
) -> np.ndarray:
    """Return the p values of the paired permutation test (Fisher's randomization test).

    Were the two systems alike, either could have had either score of a topic: the signs of the
    differences are flipped at random, and the mean of the flipped differences is compared with the
    one observed.  All pairs share each draw of signs.

    Parameters
    ----------
    scores, other
        As for :func:`t_test`.
    resamples : int
        Random draws of signs, B; 1 or more.
    rng : numpy.random.Generator, optional
        What draws; in the same state it draws the same.  By default it is of one seed.

    Returns
    -------
    ndarray, shape (pairs,)
        In the order of ``numpy.triu_indices(systems, 1)``: (b + 1) / (B + 1), where b of the B
        means are at least as far from 0 as the observed one; never 0.

    Raises
    ------
    InputError
        As for :func:`t_test`; or no draws.

    References
    ----------
    Smucker, Allan and Carterette, A comparison of statistical significance tests for information
    retrieval evaluation, CIKM 2007, section 3.1.

    Examples
    --------
    >>> p = permutation_test([[3, 1, 3], [2, 1, 2], [4, 1, 4]], rng=np.random.default_rng(1))
    >>> p.round(2)
    array([0.25, 1.  , 0.25])
    """
    values = as_paired(_both(scores, other))
    draws = rng or np.random.default_rng(_SEED)

    def signs(rows: int) -> np.ndarray:
        return draws.integers(0, 2, size=(rows, len(values)), dtype=np.int8) * 2 - 1

    return _extreme(values, signs, resamples, 0.0)


def flipped_signs(
    differences: np.ndarray, *, resamples: int, enough: int, rng: np.random.Generator
) -> np.ndarray:
    r"""Return the p value of each column of differences as :func:`permutation_test` does, sooner.

    A sign is a bit, and so that of 100,000 topics fit in the cache.  The draws end when of every
    column ``enough`` are as far off as it is: the standard error is then
    :math:`1 / \sqrt{\text{enough}}` of p at most.  A column needs none where by Hoeffding's
    inequality, :math:`p \le 2 e^{-(\sum d)^2 / 2 \sum d^2}`, no draw could be expected to be.

    Examples
    --------
    >>> how = {"resamples": 10_000, "enough": 1000, "rng": np.random.default_rng(1)}
    >>> flipped_signs(np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]), **how).round(2)
    array([0.24, 1.  ])
    """
    rows, step = _FLIPS
    values = np.pad(differences, [(0, -len(differences) % 8), (0, 0)])
    total, squares = values.sum(axis=0), (values**2).sum(axis=0)
    never = 2 * np.exp(-(total**2) / np.maximum(2 * squares, TIE)) < _NEVER
    far, drawn = np.zeros(len(total), dtype=int), 0
    while drawn < resamples and (far < enough)[~never].any():
        signs = np.frombuffer(rng.bytes(rows * len(values) // 8), np.uint8).reshape(rows, -1)
        sums = -total  # a bit is a topic whose sign is kept: 1 more than -1 by 2
        for start in range(0, signs.shape[1], step):
            kept = np.unpackbits(signs[:, start : start + step], axis=1).astype(float)
            sums = sums + 2 * (kept @ values[8 * start : 8 * (start + step)])
        far += (np.abs(sums) >= np.abs(total) - TIE * len(differences)).sum(axis=0)
        drawn += rows
    return np.where(never, 1 / (resamples + 1), (far + 1) / (drawn + 1))


def bootstrap_test(
    scores: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> np.ndarray:
    """Return the p values of the paired bootstrap test, shifted to the null hypothesis.

    The topics are drawn again with replacement; the means of the differences drawn, less the one
    observed, show how far a mean strays from a true mean of 0.  All pairs share each draw.

    Parameters
    ----------
    scores : array or DataFrame, shape (topics, systems)
        Scores by one measure, without gaps; two topics and two systems or more.
    resamples, rng
        As for :func:`permutation_test`; topics are drawn.

    Returns
    -------
    ndarray, shape (pairs,)
        In the order of ``numpy.triu_indices(systems, 1)``: (b + 1) / (B + 1), where b of the B
        shifted means are at least as far from 0 as the observed one; never 0.

    Raises
    ------
    InputError
        As for :func:`permutation_test`.

    References
    ----------
    Smucker, Allan and Carterette, A comparison of statistical significance tests for information
    retrieval evaluation, CIKM 2007, section 3.2.  (Sakai, SIGIR 2006, divides each mean by its
    standard error first.)

    Examples
    --------
    >>> p = bootstrap_test([[3, 1, 3], [1, 2, 1], [4, 1, 4]], rng=np.random.default_rng(1))
    >>> p.round(2)
    array([0.3, 1. , 0.3])
    """
    values = as_paired(scores)
    topics = len(values)
    return _extreme(
        values, lambda rows: rng.integers(0, topics, size=(rows, topics)), resamples, 1.0
    )


def sign_test(scores: ArrayLike) -> np.ndarray:
    """Return the p values of the sign test, two-sided and exact.

    Topics without a difference are left out; on each of the others either system is as likely to
    be better under the null hypothesis.

    Parameters
    ----------
    scores : array or DataFrame, shape (topics, systems)
        Scores by one measure, without gaps; two topics and two systems or more.

    Returns
    -------
    ndarray, shape (pairs,)
        In [0, 1], in the order of ``numpy.triu_indices(systems, 1)``; 1 for systems with the same
        scores.

    Raises
    ------
    InputError
        As for :func:`t_test`.

    References
    ----------
    Arbuthnott, An argument for divine providence, Philosophical Transactions 27, 1710.

    Examples
    --------
    >>> sign_test([[3, 1, 3], [2, 1, 2], [4, 1, 4]])
    array([0.25, 1.  , 0.25])
    """
    values = as_paired(scores)
    first, second, _ = pair_indices(values.shape[1])
    one, other = values[:, first], values[:, second]
    better, worse = (one > other).sum(axis=0), (one < other).sum(axis=0)
    return np.minimum(1.0, 2 * special.bdtr(np.minimum(better, worse), better + worse, 0.5))


TESTS: dict[str, Callable[..., np.ndarray]] = {
    "t": t_test,
    "Wilcoxon": wilcoxon_test,
    "permutation": permutation_test,
    "bootstrap": bootstrap_test,
    "sign": sign_test,
}


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
    InputError
        An alpha or a test that is none; what the test refuses.

    Examples
    --------
    >>> significant([[3, 1, 3], [2, 1, 2], [4, 1, 4]], alpha=0.1)
    array([ True, False,  True])
    """
    if not 0 < alpha < 1:
        raise InputError(f"alpha must lie in (0, 1), not {alpha}")
    if sides not in (1, 2):
        raise InputError(f"sides must be 1 or 2, not {sides}")
    if test not in TESTS:
        raise InputError(f"test must be {', '.join(TESTS)}, not {test!r}")
    level = min(alpha * 2 / sides, 1.0)
    if test == "t" and not options:  # one critical value is cheaper than many p values
        freedom = len(as_paired(scores)) - 1
        return t_exceeds(scores, special.stdtrit(freedom, 1 - level / 2))
    return TESTS[test](scores, **options) < level


def discriminative_power(
    scores: ArrayLike, *, alpha: float, test: str = "t", identical: str = "kept", **options: Any
) -> float:
    """Return the share of system pairs whose difference is significant.

    Parameters
    ----------
    scores, alpha, test
        As for :func:`significant`.
    identical : {"kept", "left out"}
        What becomes of pairs with the same score on every topic.  Their p value is 1 here; a
        program that takes it for undefined may pass over them, which makes the share larger.
    **options
        As for :func:`significant`.

    Returns
    -------
    float
        In [0, 1]; NaN when no pair is left.

    Raises
    ------
    InputError
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
        raise InputError(f"identical must be 'kept' or 'left out', not {identical!r}")
    decided = significant(scores, alpha=alpha, test=test, **options)
    pairs = len(decided)
    if identical == "left out":
        pairs -= same_scores(scores).sum()
    return float(decided.sum() / pairs) if pairs else float("nan")


def powers_without_each_topic(
    scores: ArrayLike, *, alpha: float, identical: str = "kept"
) -> np.ndarray:
    """Return :func:`discriminative_power` by the t test without each topic, for its error.

    Of three topics at least.

    Examples
    --------
    >>> scores = np.array([[3, 1, 3], [2, 1, 2], [4, 1, 4], [3, 2, 3], [0, 2, 0]])
    >>> powers_without_each_topic(scores, alpha=0.1, identical="left out")
    array([0., 0., 0., 0., 1.])
    >>> [discriminative_power(scores[:4], alpha=0.1, identical="left out")]
    [1.0]
    """
    values = as_paired(scores)
    left, systems = len(values) - 1, np.ascontiguousarray(values.T)
    squared = special.stdtrit(left - 1, 1 - alpha / 2) ** 2
    first, second, _ = pair_indices(len(systems))
    counts, same = np.zeros(len(values)), np.zeros(len(values))
    for some in np.array_split(np.arange(len(first)), len(first) // _BLOCK + 1):
        # What all topics sum up to, less each topic; multiplied out as by `t_exceeds`.
        difference = systems[first[some]] - systems[second[some]]
        total = difference.sum(axis=1, keepdims=True) - difference
        squares = difference**2
        squares = squares.sum(axis=1, keepdims=True) - squares
        counts += (total**2 * (left - 1 + squared) > squares * (left * squared)).sum(axis=0)
        differs = difference != 0
        same += (differs.sum(axis=1, keepdims=True) == differs).sum(axis=0)
    with np.errstate(invalid="ignore"):
        return counts / (len(first) - same * (identical == "left out"))


def square(p: Sequence[float] | np.ndarray, systems: Sequence) -> pd.DataFrame:
    """Return the p values of all pairs as a symmetric table, with 1 on the diagonal.

    Parameters
    ----------
    p : sequence or ndarray, shape (pairs,)
        In the order of ``numpy.triu_indices(systems, 1)``, as the tests return them.
    systems : sequence
        Names of the systems, as the columns of their scores.

    Returns
    -------
    DataFrame (systems x systems)
        In [0, 1].

    Raises
    ------
    InputError
        Not as many values as there are pairs.

    Examples
    --------
    >>> square([0.1, 0.2, 0.3], ["A", "B", "C"])
         A    B    C
    A  1.0  0.1  0.2
    B  0.1  1.0  0.3
    C  0.2  0.3  1.0
    """
    first, second, _ = pair_indices(len(systems))
    if len(p) != len(first):
        raise InputError(f"{len(systems)} systems have {len(first)} pairs, not {len(p)}")
    table = np.ones((len(systems), len(systems)))
    table[first, second] = table[second, first] = p
    return pd.DataFrame(table, index=systems, columns=systems)


def _extreme(
    values: np.ndarray, draw: Callable[[int], np.ndarray], resamples: int, shift: float
) -> np.ndarray:
    """Return (b + 1) / (B + 1) of every pair: how often a resampled mean is as far off as ours.

    Drawn, so many at a time, is a sign for each topic (``shift`` 0), or a position of a topic
    (``shift`` 1: the observed mean is then taken off).  The mean difference of two systems is the
    difference of their means, so a draw costs one product of matrices for all pairs.
    """
    if resamples < 1:
        raise InputError(f"resamples must be 1 or more, not {resamples}")
    from joblib import Parallel  # here: what draws nothing does not wait for it

    # Drawn where a task is handed out, so that memory never holds them all.
    sizes = (min(_TASK, resamples - start) for start in range(0, resamples, _TASK))
    counts = Parallel()(task(_count, values, draw(rows), shift) for rows in sizes)
    return (np.sum(counts, axis=0) + 1) / (resamples + 1)


def _count(values: np.ndarray, draws: np.ndarray, shift: float) -> np.ndarray:
    topics, systems = values.shape
    if shift:  # how often each topic was drawn
        cells = draws + topics * np.arange(len(draws))[:, None]
        draws = np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape)
    means = values.mean(axis=0)
    drawn = np.ascontiguousarray((draws @ values / topics - shift * means).T)
    counts = []
    for system in range(systems - 1):
        # Of one system and all after it: rows that stay in the cache.
        difference = drawn[system + 1 :] - drawn[system]
        np.abs(difference, out=difference)
        observed = np.abs(means[system + 1 :] - means[system]) - TIE
        far = np.packbits(difference >= observed[:, None], axis=1)
        counts.append(np.bitwise_count(far).sum(axis=1, dtype=int))
    return np.concatenate(counts)
