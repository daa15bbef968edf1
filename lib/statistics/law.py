"""The law of leads: how well rankings on few or many topics are told by a few numbers.

A measure *leads* for a target where it predicts the target's ranking of the systems on other topics
better than the target itself does.  Two numbers say where: how reliable both measures are, and how
alike they are without the luck of topics.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from lib.conventions import DECIMALS
from lib.errors import InputError
from lib.intervals import Interval
from lib.measures import Scores, score_tables
from lib.measures.names import as_ours
from lib.statistics.correlation import disattenuated
from lib.statistics.predictivity import splits, stack, taus_of_splits

LEAST = 0.02  # r: a measure that agrees with itself no better than this has no law
LEFT_OUT, LEAST_SPLITS = 20_000, 120_000  # the error of one collection is then right to some 3%
FEWEST = 20  # topics and systems: a forecast from fewer is worse than none
_FORECAST = 4000  # splits that leave a topic out: the error is then right to some 7%
_BLOCK = 2000  # splits handled at once: an even number


@dataclass(frozen=True, eq=False)
class Law:
    r"""What a collection's phis say at every number of topics n a set.

    With :math:`r(n) = n / (n + a)`, the lead of measure m for target t is
    :math:`\frac2\pi \arcsin(\rho \sqrt{r_t(n) r_m(n)}) - \frac2\pi \arcsin r_t(n)`.

    Attributes
    ----------
    noise : ndarray, shape (..., measures)
        a, the topics at which half of the variance between systems is theirs.
    validity : ndarray, shape (..., measures, measures)
        :math:`\rho`, how alike two measures are without the luck of topics; above 1 it stays, and
        its arcsine stops at 1.
    """

    noise: np.ndarray
    validity: np.ndarray

    def reliability(self, topics: float) -> np.ndarray:
        """Return r(n) of each measure: :math:`n / (n + a)`, as Spearman and Brown say.

        Parameters
        ----------
        topics : float
            n, topics a set, above 0.

        Returns
        -------
        ndarray, shape (..., measures)
            In (0, 1).

        Examples
        --------
        >>> fit(np.array([[0.70, 0.60], [0.60, 0.55]]), 25).reliability(100).round(3).tolist()
        [0.97, 0.927]
        """
        return topics / (topics + self.noise)

    def lead(self, topics: float) -> np.ndarray:
        """Return the leads with a number of topics, seen or not.

        Parameters
        ----------
        topics : float
            n, topics a set, above 0.

        Returns
        -------
        ndarray, shape (..., measures, measures)
            Of [measure, target], in tau.

        Examples
        --------
        >>> fit(np.array([[0.70, 0.60], [0.60, 0.55]]), 25).lead(100).round(3).tolist()
        [[0.0, 0.009], [-0.08, 0.0]]
        """
        r = self.reliability(topics)
        both = self.validity * np.sqrt(r[..., :, np.newaxis] * r[..., np.newaxis, :])
        return _tau(both) - _tau(r)[..., np.newaxis, :]

    def end(self) -> np.ndarray:
        r"""Return where leads end: :math:`n^* = (\rho^2 a_t - a_m) / (1 - \rho^2)`.

        Returns
        -------
        ndarray, shape (..., measures, measures)
            Topics a set, of [measure, target]: 0 where there is no lead at any number, infinite
            where it never ends, with a validity of 1 or more and less noise.

        Notes
        -----
        One collection tells this far less well than leads: quote the range of
        :meth:`Forecast.ends`.

        Examples
        --------
        >>> fit(np.array([[0.70, 0.60], [0.60, 0.55]]), 25).end().round().tolist()
        [[0.0, 134.0], [0.0, 0.0]]
        """
        one, target = self.noise[..., :, np.newaxis], self.noise[..., np.newaxis, :]
        share = self.validity**2
        with np.errstate(divide="ignore", invalid="ignore"):
            crossed = np.maximum(0.0, (share * target - one) / (1 - share))
        return np.where(share >= 1, np.where(target > one, np.inf, 0.0), crossed)


def reliability(phi: np.ndarray) -> np.ndarray:
    r"""Return how reliably sets of topics rank systems, by each measure: :math:`\sin(\pi\phi/2)`.

    It is the correlation of the systems' means on one set with those on another.

    Parameters
    ----------
    phi : ndarray or DataFrame, shape (..., measures, measures)
        Mean tau between rankings on two disjoint sets of n topics, such as
        :attr:`lib.statistics.predictivity.Predictivity.phi`.

    Returns
    -------
    ndarray, shape (..., measures)
        r at that n, in [-1, 1]; of other numbers of topics :meth:`Law.reliability` tells it.

    References
    ----------
    Greiner 1909: of two normal variables with the correlation r, tau is
    :math:`\frac2\pi \arcsin r`.

    Examples
    --------
    >>> reliability(np.array([[1 / 3, 0.2], [0.2, 1.0]])).round(3).tolist()
    [0.5, 1.0]
    """
    return np.sin(np.pi / 2 * np.diagonal(phi, axis1=-2, axis2=-1))


def validity(phi: np.ndarray) -> np.ndarray:
    r"""Return how alike measures are without the luck of topics.

    :math:`\rho = \sin(\pi\phi_{mt}/2) / \sqrt{r_t r_m}`, with :func:`reliability` r.

    Parameters
    ----------
    phi : ndarray or DataFrame, shape (..., measures, measures)
        As for :func:`reliability`.

    Returns
    -------
    ndarray, shape (..., measures, measures)
        1 on the diagonal; above 1 where luck makes it so; NaN where a measure has no reliability.

    References
    ----------
    Spearman, The proof and measurement of association between two things, American Journal of
    Psychology 15, 1904 (the correction of a correlation for what both sides lack in reliability).

    Examples
    --------
    >>> validity(np.array([[0.25, 0.3], [0.3, 0.64]])).round(3).tolist()
    [[1.0, 0.799], [0.799, 1.0]]
    """
    return disattenuated(phi)


def lead(phi: np.ndarray) -> np.ndarray:
    r"""Return the leads that are seen: :math:`\phi_{mt} - \phi_{tt}`.

    Parameters
    ----------
    phi : ndarray or DataFrame, shape (..., measures, measures)
        As for :func:`reliability`.

    Returns
    -------
    ndarray or DataFrame, shape (..., measures, measures)
        Of [measure, target], in tau: above 0 where rankings by the measure tell the target's
        ranking on other topics better than the target's own do.  It holds for sets of as many
        topics; :meth:`Law.lead` tells it of others.

    Examples
    --------
    >>> lead(np.array([[0.25, 0.3], [0.3, 0.64]])).round(2).tolist()
    [[0.0, -0.34], [0.05, 0.0]]
    """
    return phi - np.diagonal(phi, axis1=-2, axis2=-1)[..., np.newaxis, :]


def fit(phi: np.ndarray, size: int) -> Law:
    """Return the :func:`law` of phis of many kinds at once, refusing none.

    Parameters
    ----------
    phi : ndarray, shape (..., measures, measures)
        As for :func:`reliability`, such as those without each topic.
    size : int
        Topics in each of the two sets.

    Returns
    -------
    Law
        NaN where a measure has no reliability above 0.

    Examples
    --------
    >>> fit(np.array([[0.70, 0.60], [0.60, 0.55]]), 25).noise.round(4).tolist()
    [3.0582, 7.8772]
    """
    r = reliability(phi)
    r = np.where(r > 0, r, np.nan)
    return Law(size * (1 - r) / r, validity(phi))


def law(phi: pd.DataFrame, size: int) -> Law:
    r"""Return what phis from sets of one size say of leads at every size.

    Of normally spread systems with like noise, tau is :math:`\frac2\pi \arcsin r`, and r rises with
    the topics as Spearman and Brown say.  So three phis give three numbers: of either measure
    :math:`a = n_0 (1 - r) / r`, with :math:`r = \sin(\pi\phi/2)`, and of both
    :math:`\rho = \sin(\pi\phi_{mt}/2) / \sqrt{r_t r_m}`.

    Parameters
    ----------
    phi : DataFrame (measures x measures)
        Predictive power of the measures for each other (:func:`~lib.statistics.predictivity`).
    size : int
        Topics in each of the two sets that it is from, :math:`n_0`, 1 or more.

    Returns
    -------
    Law
        Noise in topics, validity without a unit; in the order of the table.

    Raises
    ------
    InputError
        A size below 1; a measure whose r is not above .02, as where all systems are level.

    Notes
    -----
    At the size it is fitted at the law is arithmetic.  It is about random sets of the same topics:
    of another year's it says nothing, nor of systems that are spread unlike normal ones.  From a
    pilot of 20 topics it is worse than no law.  :func:`foretell` has its interval over topics.

    References
    ----------
    The registration of seven claims on this law, on the book's page *What we will test of the law
    of leads*.
    Spearman, Correlation calculated from faulty data, and Brown, Some experimental results in the
    correlation of mental abilities, British Journal of Psychology 3, 1910.  Greiner, Über das
    Fehlersystem der Kollektivmasslehre, Zeitschrift für Mathematik und Physik 57, 1909 (the sine).

    Examples
    --------
    >>> names = ["AP", "P@10"]
    >>> found = law(pd.DataFrame([[0.70, 0.60], [0.60, 0.55]], names, names), 25)
    >>> found.lead(100)[0, 1].round(4), found.end()[0, 1].round(2)
    (np.float64(0.0089), np.float64(133.97))
    """
    if size < 1:
        raise InputError(f"a law is fitted to sets of 1 topic or more, not {size}")
    r = reliability(phi.to_numpy(float))
    for name, own in zip(phi, r):
        if not own > LEAST:
            raise InputError(
                f"{name}: its rankings on two sets of {size} topics agree with r = {own:.3f}, not "
                f"above {LEAST}, which gives no law; take more topics, or a measure by which "
                "systems differ more"
            )
    return fit(phi.to_numpy(float), size)


def _tau(r: np.ndarray) -> np.ndarray:
    return 2 / np.pi * np.arcsin(np.clip(r, -1, 1))


# From scores, with an error


@dataclass(frozen=True, eq=False)
class Phis:
    """Predictive power of measures for each other on sets of one size.

    Attributes
    ----------
    value : ndarray, shape (measures, measures)
        Mean tau-b over all splits.
    without : ndarray
        The same over those splits that leave a topic out, in either half of the splits; of shape
        (2, topics, measures, measures).
    """

    value: np.ndarray
    without: np.ndarray


def number_of_splits(
    topics: int, size: int, *, left_out: int = LEFT_OUT, least: int = LEAST_SPLITS
) -> int:
    """Return how many splits leave each topic out so often, in the mean.

    >>> number_of_splits(50, 24), number_of_splits(50, 10)
    (500000, 120000)
    """
    if not 1 <= size < topics / 2:
        raise InputError(
            f"two sets of {size} topics that leave one out cannot be drawn from {topics}"
        )
    return max(least, math.ceil(round(left_out * topics / (topics - 2 * size), 6)))


def phis(scores: Mapping[str, Scores], size: int, *, number: int, rng: np.random.Generator) -> Phis:
    """Return the predictive power of measures for each other, and again without each topic.

    Without a topic counts what those splits say that leave it out: both sets stay as large.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems)
        As for :func:`~lib.statistics.predictivity.predictivity`.
    size : int
        Topics in each of the two sets, 1 to half of all; of half no topic is left out.
    number : int
        Random splits, 2 or more.
    rng : numpy.random.Generator
        What draws them.

    Returns
    -------
    Phis
        Measures in the order of the scores.

    Examples
    --------
    >>> table = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.1, .2, .1, .2]})
    >>> phis({"P@10": table}, 1, number=20, rng=np.random.default_rng(1)).without.ravel()
    array([1., 1., 1., 1., 1., 1., 1., 1.])
    """
    values = stack(scores)
    topics, measures = values.shape[1], len(values)
    sets = splits(topics, size=size, number=number, rng=rng)
    total, times = np.zeros((2, topics, measures**2)), np.zeros((2, topics, 1))
    whole = np.zeros(measures**2)
    for start in range(0, number, _BLOCK):
        block = sets[start : start + _BLOCK]
        # All systems level: see Predictivity.tied.
        taus = np.nan_to_num(taus_of_splits(values, block, "b", DECIMALS))
        taus = taus.reshape(len(block), -1)
        out = np.ones((len(block), topics))
        np.put_along_axis(out, block.reshape(len(block), -1), 0, axis=1)
        whole += taus.sum(axis=0)
        for half in (0, 1):
            total[half] += out[half::2].T @ taus[half::2]
            times[half, :, 0] += out[half::2].sum(axis=0)
    with np.errstate(invalid="ignore"):
        without = total / times  # NaN of a topic that no split leaves out
    square = (measures, measures)
    return Phis((whole / number).reshape(square), without.reshape(2, topics, *square))


def interval(
    compute: Callable[[Mapping[int, np.ndarray]], np.ndarray], by_size: Mapping[int, Phis]
) -> Interval:
    r"""Return what is computed of phis at some sizes, with its interval over topics.

    The jackknife goes through all that is computed.  Where its error is
    :math:`\sqrt{\frac{n-1}{n} \sum_i d_i^2}`, with :math:`d_i` the deviation without topic i, here
    two halves of the splits give a deviation each, which are multiplied: what the draw of the
    splits adds to either is not in the other.

    Parameters
    ----------
    compute : callable
        From phis by size, arrays (..., measures, measures), to numbers: (...) or (..., several).
    by_size : dict of int to Phis
        On the same topics.

    Returns
    -------
    Interval
        With Student's t and n - 1 degrees of freedom.

    Raises
    ------
    InputError
        Phis of different topics, or a topic that no split leaves out.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> true, luck = rng.random(25), rng.random((2, 30, 25))
    >>> scores = {name: pd.DataFrame(true + n * of) for name, n, of in zip("mt", (1, 2), luck)}
    >>> known = phis(scores, 10, number=2000, rng=rng)
    >>> found = interval(lambda by: fit(by[10], 10).lead(25)[..., 0, 1], {10: known})
    >>> found.estimate.round(2).item(), found.error.round(2).item()
    (0.09, 0.06)
    """
    numbers = {phi.without.shape[1] for phi in by_size.values()}
    if len(numbers) != 1:
        raise InputError(f"phis of {len(numbers)} sets of topics have no common interval")
    (topics,) = numbers
    for size, phi in by_size.items():
        if np.isnan(phi.without).any():
            raise InputError(
                f"some of {topics} topics are in each split into sets of {size}: no jackknife; "
                "take more splits, or smaller sets"
            )
    value = compute({size: phi.value for size, phi in by_size.items()})
    without = compute({size: phi.without for size, phi in by_size.items()})
    one, other = without - without.mean(axis=1, keepdims=True)
    square = (topics - 1) / topics * (one * other).sum(axis=0)
    return Interval.of(value, np.sqrt(np.maximum(square, 0.0)), topics - 1)


# A forecast


@dataclass(frozen=True, eq=False)
class Forecast:
    """What the law foretells of measures and a target, with intervals over topics.

    Attributes
    ----------
    size : int
        Topics a set that the law is fitted to: two fifths of all.
    topics : tuple of int
        Numbers of topics a set at which leads are foretold.
    noise : Interval
        a of the target and of each measure, in topics: so many tell half of what there is to tell.
    validity : Interval
        Of each measure for the target.
    lead : Interval
        Of [measure, number of topics], in tau.
    """

    size: int
    topics: tuple[int, ...]
    noise: Interval
    validity: Interval
    lead: Interval

    def weighed(self, mean: np.ndarray, deviation: np.ndarray) -> "Forecast":
        """Weigh the leads with those of other collections, each side by its precision.

        Parameters
        ----------
        mean, deviation : ndarray, shape (measures, numbers of topics)
            Of the other collections' leads; NaN where there are none, which leaves ours.

        Returns
        -------
        Forecast
            With the leads weighed by one over their squared errors.

        Examples
        --------
        >>> whole = Interval.of([0.0], [0.1], 49)
        >>> own = Forecast(20, (25,), whole, whole, Interval.of([[0.05]], [[0.04]], 49))
        >>> own.weighed(np.array([[-0.05]]), np.array([[0.04]])).lead.error.round(4).tolist()
        [[0.0283]]
        """
        lead = self.lead
        share = np.where(np.isnan(mean), 1, deviation**2 / (lead.error**2 + deviation**2))
        estimate = share * lead.estimate + np.nan_to_num((1 - share) * mean)
        return replace(self, lead=Interval.of(estimate, np.sqrt(share) * lead.error, lead.freedom))

    def ends(self) -> np.ndarray:
        """Return the range of n*, the topics a set at which each measure stops helping.

        A lead lasts while its interval is above 0, and is over once that stays below.

        Returns
        -------
        ndarray, shape (measures, 2)
            From and to, among :attr:`topics`: from 0 if there may be no lead at any number, and to
            0 if there is none; infinite where no end is seen.

        Examples
        --------
        >>> whole = Interval.of([0.0], [0.1], 49)
        >>> leads = Interval.of([[0.05, 0.02, -0.02, -0.05]], 0.02, 49)
        >>> Forecast(20, (10, 20, 30, 40), whole, whole, leads).ends().tolist()
        [[20.0, 30.0]]
        """
        rows = []
        for low, high in zip(self.lead.low, self.lead.high):
            over, lasts = low <= 0, high >= 0
            first = self.topics[over.argmax()] if over.any() else np.inf
            last = self.topics[np.flatnonzero(lasts)[-1]] if lasts.any() else 0
            rows.append([0 if over[0] else first, np.inf if lasts[-1] else last])
        return np.array(rows, float)


def foretell(scores: Any, target: Any, topics: Sequence[int], *, seed: int = 2008) -> Forecast:
    """Foretell from some topics how measures lead a target with other numbers of topics.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems), or scores of another tool
        By the target and by one measure or more, without gaps; 20 topics and 20 systems or more.
        As :func:`lib.complete_scores` returns them, or :func:`lib.measures.score_tables` takes.
    target : str or Measure
        The measure whose ranking on other topics is to be told.
    topics : sequence of int
        Numbers of topics a set, rising, from 1 on; they may exceed those at hand.
    seed : int
        Of the random splits: the same seed draws the same ones.

    Returns
    -------
    Forecast
        Of the measures but the target, in the order of the scores.

    Raises
    ------
    InputError
        Fewer topics or systems, no other measure than the target, a number of topics below 1; a
        measure without a law, or without one once some topic is left out.

    Notes
    -----
    The jackknife over topics goes through fit and forecast.  It is about these systems, and about
    topics like these.  The registered test asked pilots of 50 topics for leads with 100 others.

    References
    ----------
    As for :func:`law`.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> true, luck = rng.random(25), rng.random((2, 30, 25))
    >>> scores = {name: pd.DataFrame(true + n * of) for name, n, of in zip("mt", (1, 2), luck)}
    >>> foretell(scores, "t", [10, 25]).lead.estimate.round(2).tolist()
    [[0.12, 0.1]]
    """
    scores = score_tables(scores)
    asked = str(getattr(target, "measure_name", target))
    target = next((one for one in (asked, as_ours(target)) if one in scores), asked)
    if target not in scores or len(scores) < 2:
        raise InputError(f"a lead needs scores by the target {target} and by another measure")
    if min(topics, default=0) < 1:
        raise InputError("a set has 1 topic or more")
    values = {target: scores[target], **scores}
    number, systems = values[target].shape
    if min(number, systems) < FEWEST:
        raise InputError(
            f"a forecast needs {FEWEST} topics and {FEWEST} systems or more, not {number} and "
            f"{systems}"
        )
    size = 2 * number // 5
    times = number_of_splits(number, size, left_out=_FORECAST, least=_FORECAST)
    known = phis(values, size, number=times, rng=np.random.default_rng(seed + size))
    names = [*values]
    for square in (known.value, *known.without.reshape(-1, *known.value.shape)):
        law(pd.DataFrame(square, names, names), size)

    def told(of: Callable[[Law], np.ndarray]) -> Interval:
        return interval(lambda by: of(fit(by[size], size)), {size: known})

    return Forecast(
        size,
        tuple(topics),
        told(lambda law: law.noise),
        told(lambda law: law.validity[..., 1:, 0]),
        told(lambda law: np.stack([law.lead(n)[..., 1:, 0] for n in topics], axis=-1)),
    )
