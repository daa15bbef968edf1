"""Intervals of Kendall's tau by resampling topics, and how often such intervals hold the truth.

The tau of two measures is computed from means over a few topics; other topics of the same kind
would have given another tau.  An interval is asked to hold the tau of the two rankings over all
topics of that kind.  Noise in the means takes tau down, and resampling adds noise once more: the
tau of a sample lies below the truth, those of its resamples lie lower still.  The tables in
``data/coverage`` show the effect on each kind of interval.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pandas as pd
from joblib import Parallel
from scipy.special import ndtr, ndtri

from lib.conventions import ALPHA, DECIMALS
from lib.errors import InputError
from lib.statistics.correlation import taus_of_rows
from lib.statistics.predictivity import stack
from lib.tasks import task

METHODS = {
    "percentile": "quantiles of the resampled taus",
    "basic": "the same mirrored at the tau of the sample, which takes the bias off twice",
    "BC": "percentiles moved by the share of resamples below the tau of the sample",
    "BCa": "BC with an acceleration from leaving out each topic in turn",
}
RESAMPLED = {
    "topics": "topics drawn from those of the collection, each as likely as any other",
    "normal": "scores drawn from a normal distribution with the means and covariances found",
}
_BLOCK = 20  # resamples handled at once, so that their pair signs stay in the cache


@dataclass(frozen=True)
class TauBootstrap:
    """Taus of all pairs of some measures, on a sample of topics and on its resamples.

    Attributes
    ----------
    tau : Series, index (one, other)
        Of the sample, for each pair of measures.
    replicates : ndarray (resamples x pairs)
        Of each resample of topics.
    loo_replicates : ndarray (topics x pairs)
        Of the sample without one topic.
    """

    tau: pd.Series
    replicates: np.ndarray = field(repr=False)
    loo_replicates: np.ndarray = field(repr=False)

    def intervals(self, *, method: str = "basic") -> pd.DataFrame:
        """Return a 95% interval for each tau.

        Parameters
        ----------
        method : {"percentile", "basic", "BC", "BCa"}
            One of :data:`METHODS`.

        Returns
        -------
        DataFrame, index (one, other)
            Columns tau; bias, the mean of the resamples less tau; low and high, in [-1, 1].

        Raises
        ------
        InputError
            Another method.

        References
        ----------
        Efron and Tibshirani, An Introduction to the Bootstrap, 1993: chapters 13 and 14;
        Davison and Hinkley, Bootstrap Methods and their Application, 1997: section 5.2 (basic).

        Examples
        --------
        >>> pairs = pd.MultiIndex.from_tuples([("AP", "RR")], names=["one", "other"])
        >>> resampled = np.linspace(0.3, 0.5, 41)[:, np.newaxis]
        >>> found = TauBootstrap(pd.Series([0.5], pairs), resampled, np.array([[0.5], [0.5]]))
        >>> found.intervals(method="percentile").round(3)
                   tau  bias    low   high
        one other
        AP  RR     0.5  -0.1  0.305  0.495
        """
        if method not in METHODS:
            raise InputError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
        tails = np.array([ALPHA / 2, 1 - ALPHA / 2])
        pairs = zip(self.tau, self.replicates.T, self.loo_replicates.T)
        ends = np.array([np.quantile(pair[1], _levels(method, tails, *pair)) for pair in pairs])
        if method == "basic":
            ends = 2 * self.tau.to_numpy()[:, None] - ends[:, ::-1]
        low, high = np.clip(ends, -1, 1).T
        bias = self.replicates.mean(axis=0) - self.tau
        return pd.DataFrame({"tau": self.tau, "bias": bias, "low": low, "high": high})


def _levels(
    method: str, tails: np.ndarray, tau: float, replicates: np.ndarray, loo_replicates: np.ndarray
) -> np.ndarray:
    """Return the two quantiles of the resamples that are the ends of an interval."""
    if method in ("percentile", "basic"):
        return tails
    below = (np.sum(replicates < tau) + np.sum(replicates == tau) / 2) / len(replicates)
    # All resamples on one side: half a resample is put on the other, or there were no interval.
    half = 0.5 / len(replicates)
    shift = ndtri(np.clip(below, half, 1 - half))
    bent = shift + ndtri(tails)
    if method == "BCa":
        bent = bent / (1 - _acceleration(loo_replicates) * bent)
    return ndtr(shift + bent)


def _acceleration(loo_replicates: np.ndarray) -> float:
    deviation = loo_replicates.mean() - loo_replicates
    spread = np.sum(deviation**2)
    return np.sum(deviation**3) / (6 * spread**1.5) if spread > 0 else 0.0


def bootstrap_tau(
    tables: Mapping[str, pd.DataFrame], *, number: int = 1000, rng: np.random.Generator
) -> TauBootstrap:
    """Compute tau-b of every pair of measures on a collection and on resamples of its topics.

    Parameters
    ----------
    tables : dict of str to DataFrame (topics x systems)
        Scores by two measures or more, without gaps, of the same topics and systems.
    number : int
        Resamples, 2 or more.
    rng : numpy.random.Generator
        What draws; in the same state it draws the same.

    Returns
    -------
    TauBootstrap
        Its method ``intervals`` makes an interval of each tau.

    Raises
    ------
    InputError
        Fewer than two measures, topics or resamples; scores with gaps, or of different topics or
        systems.

    Notes
    -----
    Blocks of resamples run through joblib: one after the other by default, in parallel or on a
    cluster within ``joblib.parallel_config``.  The result does not depend on it.

    Examples
    --------
    >>> one = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.1, .2, .1, .2]})
    >>> other = one.assign(C=[.8, .2, .1, .2])
    >>> result = bootstrap_tau({"P": one, "Q": other}, number=200, rng=np.random.default_rng(1))
    >>> result.intervals(method="percentile").round(3)
               tau   bias    low  high
    one other
    P   Q      1.0 -0.117  0.333   1.0
    """
    values = stack(tables)
    measures, topics, _ = values.shape
    if measures < 2:
        raise InputError("a correlation needs scores by two measures or more")
    if topics < 2:
        raise InputError("topics cannot be resampled from fewer than two")
    if number < 2:
        raise InputError(f"the number of resamples must be 2 or more, not {number}")
    # How often each topic stands in each resample.
    counts = rng.multinomial(topics, np.full(topics, 1 / topics), size=number)
    blocks = [counts[start : start + _BLOCK] for start in range(0, number, _BLOCK)]
    parts = Parallel()(task(_taus, values, block) for block in blocks)
    pairs = pd.MultiIndex.from_tuples(combinations(tables, 2), names=["one", "other"])
    tau = pd.Series(_taus(values, np.ones((1, topics)))[0], index=pairs)
    return TauBootstrap(tau, np.concatenate(parts), _taus(values, 1 - np.eye(topics)))


def _taus(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return the tau of each pair of measures for each row of topic counts."""
    weights = counts / counts.sum(axis=1, keepdims=True)
    # Rounded, so that equal means stay ties.
    means = np.einsum("bt,mtn->bmn", weights, values, optimize=True).round(DECIMALS)
    one, other = np.triu_indices(len(values), k=1)
    return taus_of_rows(means, means, variant="b")[:, one, other]
