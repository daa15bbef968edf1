"""Predictivity: how well a ranking of systems on some topics tells their ranking on others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from joblib import Parallel

from lib.collection import Collection
from lib.conventions import DECIMALS
from lib.errors import InputError
from lib.measures import Scores
from lib.statistics.correlation import taus_of_rows
from lib.tasks import task

_TASK = 200  # splits handled at once, and in one parallel task


@dataclass(frozen=True, repr=False)
class Predictivity:
    """Predictive power of measures for each other.

    Attributes
    ----------
    phi : DataFrame (measures x measures)
        Mean tau over the splits.
    error : DataFrame (measures x measures)
        Monte-Carlo standard error of ``phi``: that of its mean over random splits.
    deviation : DataFrame (measures x measures)
        Standard deviation of tau between single splits.
    tied : DataFrame (measures x measures) of int
        Splits in which a ranking has all systems level.  It tells no two systems apart, and so
        nothing of their order on other topics: there tau, which is 0 divided by 0, counts as 0.
    """

    phi: pd.DataFrame
    error: pd.DataFrame
    deviation: pd.DataFrame
    tied: pd.DataFrame

    def to_frame(self) -> pd.DataFrame:
        """Return all four as columns, a row a pair of measures: predictor, of.

        Returns
        -------
        DataFrame
            Index predictor, of; columns phi, error, deviation, tied.

        Examples
        --------
        >>> table = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3]})
        >>> sets = splits(4, number=10, rng=np.random.default_rng(1))
        >>> predictivity({"AP": table}, sets).to_frame()
                        phi  error  deviation  tied
        predictor of
        AP        AP    1.0    0.0        0.0     0
        """
        table = pd.DataFrame({name: square.stack() for name, square in vars(self).items()})
        return table.rename_axis(["predictor", "of"])

    def _repr_html_(self) -> str:
        return str(self.phi._repr_html_())  # type: ignore[operator]

    def __repr__(self) -> str:
        own = ", ".join(f"{name} {self.phi.loc[name, name]:.3f}" for name in self.phi)
        return f"Predictivity of {len(self.phi)} measures, of each for itself: {own}"


def set_sizes(collection: Collection) -> list[int]:
    """Return five sizes of topic sets in equal steps, the last of them half of all topics.

    Examples
    --------
    >>> runs = {"A": {str(topic): ["r"] for topic in range(10)}}
    >>> qrels = {str(topic): {"r": 1} for topic in range(10)}
    >>> set_sizes(Collection.from_rankings(runs, qrels))
    [1, 2, 3, 4, 5]
    """
    half = len(collection.topics) // 2
    return sorted({max(1, round(half * step / 5)) for step in range(1, 6)})


def splits(
    topics: int, *, size: int | None = None, number: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw pairs of disjoint random sets of topics.

    Parameters
    ----------
    topics : int
        Number of topics to draw from.
    size : int, optional
        Topics in each set, by default half of them (one topic is left out of an odd number).
    number : int
        Pairs of sets, 2 or more.
    rng : numpy.random.Generator
        What draws; in the same state it draws the same.

    Returns
    -------
    ndarray of int, shape (number, 2, size)
        Positions of topics, from 0.

    Raises
    ------
    InputError
        When two sets of this size do not fit, or for fewer than two splits.

    Examples
    --------
    >>> splits(4, number=2, rng=np.random.default_rng(1)).shape
    (2, 2, 2)
    """
    size = topics // 2 if size is None else size
    if not 1 <= size <= topics // 2:
        raise InputError(f"two disjoint sets of {size} topics cannot be drawn from {topics}")
    if number < 2:
        raise InputError(f"the number of splits must be 2 or more, not {number}")
    order = rng.permuted(np.tile(np.arange(topics), (number, 1)), axis=1)
    return order[:, : 2 * size].reshape(number, 2, size)


def predictivity(
    scores: Mapping[str, Scores],
    sets: np.ndarray,
    *,
    variant: str = "b",
    decimals: int | None = DECIMALS,
) -> Predictivity:
    r"""Estimate the predictive power :math:`\phi_{A,B}` of every measure for every other.

    For each pair of disjoint topic sets the systems are ranked by measure A on one set and by B on
    the other; :math:`\phi_{A,B}` is the mean of Kendall's tau between the two rankings.  Both ways
    to use a pair of sets are averaged, so the result is symmetric.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems)
        Per-topic scores by each measure, without gaps, of the same topics and systems.
    sets : ndarray of int, shape (splits, 2, size)
        From :func:`splits`: positions of topics.
    variant : {"a", "b"}
        Variant of tau.
    decimals : int or None
        Means are rounded so before systems are ranked: equal means stay ties.

    Returns
    -------
    Predictivity
        Its tables are measures x measures.

    Raises
    ------
    InputError
        Scores with gaps, or of different topics or systems; another variant.

    Notes
    -----
    Splits run through joblib: one after the other by default, in parallel or on a cluster within
    ``joblib.parallel_config``.  The result does not depend on it.

    References
    ----------
    Webber, Moffat, Zobel and Sakai, Precision-at-ten considered redundant, SIGIR 2008, section 2.

    Examples
    --------
    >>> table = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.1, .2, .1, .2]})
    >>> sets = splits(4, number=10, rng=np.random.default_rng(1))
    >>> predictivity({"P@10": table}, sets).phi
          P@10
    P@10   1.0
    """
    taus = taus_of_splits(stack(scores), sets, variant, decimals)
    tied = np.isnan(taus).sum(axis=0)
    taus = np.nan_to_num(taus)
    phi, deviation = taus.mean(axis=0), taus.std(axis=0, ddof=1)
    squares = (phi, deviation / np.sqrt(len(taus)), deviation, tied)
    return Predictivity(*(pd.DataFrame(of, list(scores), list(scores)) for of in squares))


def phis_without_each_topic(
    scores: Mapping[str, Scores],
    sets: np.ndarray,
    *,
    variant: str = "b",
    decimals: int | None = DECIMALS,
) -> np.ndarray:
    """Estimate predictive power again without each topic, for its error over topics.

    The topic leaves the set that it is in; the other set of a split, and all splits, stay, so that
    what is left between two such estimates is the topic.

    Parameters
    ----------
    scores, sets, variant, decimals
        As for :func:`predictivity`; each set has two topics or more.

    Returns
    -------
    ndarray, shape (topics, measures, measures)
        Mean taus, in [-1, 1].

    Raises
    ------
    InputError
        As for :func:`predictivity`; or sets of one topic, which have none left without it.

    Examples
    --------
    >>> table = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.1, .2, .1, .2]})
    >>> sets = splits(4, number=10, rng=np.random.default_rng(1))
    >>> phis_without_each_topic({"P@10": table}, sets).ravel()
    array([1., 1., 1., 1.])
    """
    topics = len(next(iter(scores.values())))
    every = np.arange(topics)[:, np.newaxis]
    return without_topics(scores, sets, every, variant=variant, decimals=decimals)


def without_topics(
    scores: Mapping[str, Scores],
    sets: np.ndarray,
    groups: Sequence[np.ndarray] | np.ndarray,
    *,
    variant: str = "b",
    decimals: int | None = DECIMALS,
) -> np.ndarray:
    """Estimate predictive power again without each of some groups: (groups, measures, measures).

    >>> table = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.1, .2, .1, .2]})
    >>> sets = splits(4, number=10, rng=np.random.default_rng(1))
    >>> without_topics({"P@10": table}, sets, [np.array([0]), np.array([3])]).ravel()
    array([1., 1.])
    """
    values = stack(scores)
    powers = np.empty((len(groups), len(values), len(values)))
    inside = np.zeros((2, len(sets), values.shape[1]))
    for side in (0, 1):
        np.put_along_axis(inside[side], sets[:, side], 1, axis=1)
    whole = _taus_of_weights(values, inside / sets.shape[2], variant, decimals)
    for i, group in enumerate(groups):
        touched = inside[:, :, group].any(axis=(0, 2))  # the other splits stay as they are
        kept = inside[:, touched]
        kept[:, :, group] = 0
        left = kept.sum(axis=2, keepdims=True)
        if not left.all():
            raise InputError(f"sets of {sets.shape[2]} topics have none left without {len(group)}")
        taus = whole.copy()
        taus[touched] = _taus_of_weights(values, kept / left, variant, decimals)
        powers[i] = np.nan_to_num(taus).mean(axis=0)
    return powers


def of_target(
    scores: Mapping[str, Scores], target: Scores, sets: np.ndarray, *, size: int
) -> pd.DataFrame:
    """Estimate how well measures on few topics predict a target's ranking on many other topics.

    As :func:`predictivity`, but the topics that predict may be fewer than those to be predicted,
    so that what fewer topics cost is not mixed with a noisier target.

    >>> table = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.1, .2, .1, .2]})
    >>> sets = splits(4, number=10, rng=np.random.default_rng(1))
    >>> of_target({"P@10": table}, table, sets, size=1)
          phi  error
    P@10  1.0    0.0
    """
    if not 1 <= size <= sets.shape[2]:
        raise InputError(f"size must be 1 to {sets.shape[2]}, the topics of a set, not {size}")
    stacked = stack({**scores, "target": target})
    values, last = stacked[:-1], stacked[-1:]
    blocks = []
    for start in range(0, len(sets), _TASK):
        block = sets[start : start + _TASK]
        known = _mean_by_set(values, block[:, 0, :size])
        sought = _mean_by_set(last, block[:, 1])
        blocks.append(taus_of_rows(known, sought, variant="b")[..., 0])
    taus = np.nan_to_num(np.concatenate(blocks))  # all systems level: see Predictivity.tied
    error = taus.std(axis=0, ddof=1) / np.sqrt(len(taus))
    return pd.DataFrame({"phi": taus.mean(axis=0), "error": error}, index=list(scores))


def stack(scores: Mapping[str, Scores]) -> np.ndarray:
    """Return all scores as one array (measures, topics, systems)."""
    tables = list(scores.values())
    first = tables[0]
    for name, table in scores.items():
        if not (table.index.equals(first.index) and table.columns.equals(first.columns)):
            raise InputError(f"{name}: scores of other topics or systems than the first measure's")
        if table.isna().to_numpy().any():
            systems = ", ".join(map(str, table.columns[table.isna().any()][:3]))
            raise InputError(f"{name}: topics without a score, for example of {systems}")
    return np.stack([table.to_numpy(dtype=float) for table in tables])


def _mean_by_set(values: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return the mean scores on each set, rounded: shape (sets, measures, systems)."""
    return _mean_by_weight(values, _weights(values, sets), DECIMALS)


def _weights(values: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Return the weight of each topic in the means of sets: shape (sets, topics)."""
    chosen = np.zeros((len(sets), values.shape[1]))
    np.put_along_axis(chosen, sets, 1 / sets.shape[1], axis=1)
    return chosen


def _mean_by_weight(values: np.ndarray, weights: np.ndarray, decimals: int | None) -> np.ndarray:
    """Return the mean scores on sets of topics, given by weights that are alike or 0."""
    if decimals is not None:
        means = np.einsum("st,mtn->smn", weights, values, optimize=True)
        # Rounded so first, so that no tie hangs on the last bit of a sum.
        means = means.round(DECIMALS)
        return means.round(decimals) if decimals < DECIMALS else means
    # Not rounded, the last bit ranks what is equal: added up as everywhere, topic by topic.
    inside = (weights > 0).astype(float)
    total = np.zeros((len(inside), len(values), values.shape[2]))
    for topic, chosen in enumerate(inside.T):
        total += chosen[:, None, None] * values[:, topic]
    return total / inside.sum(axis=1)[:, None, None]


def taus_of_splits(
    values: np.ndarray, sets: np.ndarray, variant: str, decimals: int | None
) -> np.ndarray:
    """Return tau between the two sets of each pair: shape (pairs, measures, measures)."""
    weights = np.stack([_weights(values, sets[:, side]) for side in (0, 1)])
    return _taus_of_weights(values, weights, variant, decimals)


def _taus_of_weights(
    values: np.ndarray, weights: np.ndarray, variant: str, decimals: int | None
) -> np.ndarray:
    """Do so for sets given by the weight of each topic: shape (2, pairs, topics)."""
    if weights.shape[1] <= _TASK:  # dealing it out would take longer
        return _taus_of_task(values, weights, variant, decimals)
    some = [weights[:, start : start + _TASK] for start in range(0, weights.shape[1], _TASK)]
    parts = Parallel()(task(_taus_of_task, values, these, variant, decimals) for these in some)
    return np.concatenate(parts)


def _taus_of_task(
    values: np.ndarray, weights: np.ndarray, variant: str, decimals: int | None
) -> np.ndarray:
    return _both_ways([_mean_by_weight(values, side, decimals) for side in weights], variant)


def _both_ways(means: Iterable[np.ndarray], variant: str) -> np.ndarray:
    tau = taus_of_rows(*means, variant=variant)
    return (tau + np.swapaxes(tau, 1, 2)) / 2  # both ways to use a pair of sets


def against_new_topics(
    scores: Mapping[str, Scores],
    *,
    samples: int = 200,
    number: int = 50,
    pairs: int = 1000,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Set halves of one topic set beside new topics of the same kind, where these can be drawn.

    Both are taus, draws x measures x measures.

    >>> table = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.4, .2, .4, .2]})
    >>> halved, new = against_new_topics({"P": table}, rng=np.random.default_rng(1))
    >>> halved.mean().round(2).item(), new.mean().round(2).item()
    (0.86, 0.88)
    """
    values = stack(scores)
    topics = values.shape[1]
    apart = np.arange(2 * (topics // 2)).reshape(2, -1)
    halved = [
        taus_of_splits(
            more_topics(values, topics, rng), splits(topics, number=number, rng=rng), "b", 10
        ).mean(axis=0)
        for _ in range(samples)
    ]
    drawn = (more_topics(values, topics, rng) for _ in range(pairs))
    sides = [[_mean_by_set(some, side[np.newaxis])[0] for side in apart] for some in drawn]
    starts = range(0, pairs, _TASK)
    new = np.concatenate(
        [_both_ways(np.swapaxes(sides[at : at + _TASK], 0, 1), "b") for at in starts]
    )
    return np.nan_to_num(np.array(halved)), np.nan_to_num(new)


def more_topics(values: np.ndarray, number: int, rng: np.random.Generator) -> np.ndarray:
    """Draw topics from a population made of some: normal, with their means and covariances."""
    topics = values.shape[1]
    middle = values.mean(axis=1, keepdims=True)
    mixture = rng.standard_normal((number, topics)) / np.sqrt(topics - 1)
    return middle + np.matmul(mixture, values - middle)
