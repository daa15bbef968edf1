"""The law of leads: how well rankings on few or many topics are told by a few numbers.

A measure *leads* for a target where it predicts the target's ranking of the systems on other topics
better than the target itself does.  Two numbers say where: how reliable both measures are, and how
alike they are without the luck of topics.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.conventions import DECIMALS
from lib.errors import InputError
from lib.intervals import Interval
from lib.measures import Scores
from lib.statistics.correlation import disattenuated
from lib.statistics.predictivity import splits, stack, taus_of_splits

LEAST = 0.02  # r: a measure that agrees with itself no better than this has no law
LEFT_OUT, LEAST_SPLITS = 20_000, 120_000  # the error of one collection is then right to some 3%
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
        """Return r(n) of each measure on so many topics a set, in (0, 1)."""
        return topics / (topics + self.noise)

    def lead(self, topics: float) -> np.ndarray:
        """Return the leads on so many topics a set, in tau: [..., measure, target]."""
        r = self.reliability(topics)
        both = self.validity * np.sqrt(r[..., :, np.newaxis] * r[..., np.newaxis, :])
        return _tau(both) - _tau(r)[..., np.newaxis, :]

    def end(self) -> np.ndarray:
        r"""Return from how many topics a set on no measure leads: [..., measure, target].

        :math:`n^* = (\rho^2 a_t - a_m) / (1 - \rho^2)`, 0 where there is no lead at any number,
        infinite where it never ends: with a validity of 1 or more and less noise.
        """
        one, target = self.noise[..., :, np.newaxis], self.noise[..., np.newaxis, :]
        share = self.validity**2
        with np.errstate(divide="ignore", invalid="ignore"):
            crossed = np.maximum(0.0, (share * target - one) / (1 - share))
        return np.where(share >= 1, np.where(target > one, np.inf, 0.0), crossed)


def reliability(phi: np.ndarray) -> np.ndarray:
    r"""Return r of each measure from its phi with itself, on the diagonal: :math:`\sin(\pi\phi/2)`.

    >>> reliability(np.array([[1 / 3, 0.2], [0.2, 1.0]])).round(3).tolist()
    [0.5, 1.0]
    """
    return np.sin(np.pi / 2 * np.diagonal(phi, axis1=-2, axis2=-1))


def validity(phi: np.ndarray) -> np.ndarray:
    """Return how alike measures are without the luck of topics; NaN where one has no reliability.

    >>> validity(np.array([[0.25, 0.3], [0.3, 0.64]])).round(3).tolist()
    [[1.0, 0.799], [0.799, 1.0]]
    """
    return disattenuated(phi)


def lead(phi: np.ndarray) -> np.ndarray:
    """Return the leads that are seen, in tau: phi of measure and target less the target's own.

    >>> lead(np.array([[0.25, 0.3], [0.3, 0.64]])).round(2).tolist()
    [[0.0, -0.34], [0.05, 0.0]]
    """
    return phi - np.diagonal(phi, axis1=-2, axis2=-1)[..., np.newaxis, :]


def fit(phi: np.ndarray, size: int) -> Law:
    """Return the law of phis (..., measures, measures) from sets of so many topics.

    NaN where a measure has no reliability above 0.

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
        A size below 1; a measure whose r is not above :data:`LEAST`: it says nothing of leads.

    Notes
    -----
    At the size it is fitted at the law is arithmetic.  It is about random sets of the same topics:
    of another year's it says nothing, nor of systems that are spread unlike normal ones.  From a
    pilot of 20 topics it is worse than no law.

    References
    ----------
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
                f"above {LEAST}, which gives no law; take more topics, or another measure"
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
    without : ndarray, shape (2, topics, measures, measures)
        The same over those splits that leave a topic out, in either half of the splits.
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
