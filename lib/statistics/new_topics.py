"""New topics of the same kind: a population made from the topics at hand, to try methods on."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from lib.measures import Scores
from lib.statistics.predictivity import splits, stack, taus_of_splits

__all__ = ["against_new_topics", "more_topics"]


def against_new_topics(
    scores: Mapping[str, Scores],
    *,
    samples: int = 200,
    number: int = 50,
    pairs: int = 1000,
    rng: np.random.Generator,
    variant: str = "b",
    decimals: int | None = 10,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Set halves of one topic set beside new topics of the same kind, where these can be drawn.

    Both come from the population of :func:`more_topics`.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems)
        As for :func:`predictivity`.
    samples : int
        Sets of as many topics as there are, each halved ``number`` times at random.
    number : int
    pairs : int
        Pairs of sets of new topics, of half that size each.
    rng : numpy.random.Generator
    variant, decimals
        As for :func:`predictivity`.

    Returns
    -------
    halved : DataFrame (samples x pairs of measures)
        Columns (of, predictor), each pair of measures once, in the order of ``scores``: the
        estimate of phi from each set of topics.
    new : DataFrame (pairs x pairs of measures)
        Tau of the rankings by each pair of sets of new topics; phi is its mean.

    Examples
    --------
    >>> table = pd.DataFrame({"A": [.9, .8, .7, .9], "B": [.5, .6, .4, .3], "C": [.4, .2, .4, .2]})
    >>> halved, new = against_new_topics({"P": table}, rng=np.random.default_rng(1))
    >>> halved.mean().round(2).item(), new.mean().round(2).item()
    (0.86, 0.88)
    """
    values = stack(scores)
    topics = values.shape[1]
    apart = np.arange(2 * (topics // 2)).reshape(1, 2, -1)
    halved = [
        taus_of_splits(
            more_topics(values, topics, rng),
            splits(topics, number=number, rng=rng),
            variant,
            decimals,
        ).mean(axis=0)
        for _ in range(samples)
    ]
    new = [
        taus_of_splits(more_topics(values, topics, rng), apart, variant, decimals)[0]
        for _ in range(pairs)
    ]
    names, (one, other) = list(scores), np.triu_indices(len(values))
    columns = pd.MultiIndex.from_tuples(
        [(names[i], names[j]) for i, j in zip(one, other)], names=["of", "predictor"]
    )
    return tuple(
        pd.DataFrame(np.nan_to_num(np.array(taus))[:, one, other], columns=columns)
        for taus in (halved, new)
    )


def more_topics(values: np.ndarray, number: int, rng: np.random.Generator) -> np.ndarray:
    """Draw topics from a population made of some: normal, with their means and covariances.

    Parameters
    ----------
    values : ndarray, shape (measures, topics, systems)
        Scores; all measures and systems vary together.
    number : int
        Topics to draw.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray, shape (measures, number, systems)
        Scores of new topics.
    """
    topics = values.shape[1]
    middle = values.mean(axis=1, keepdims=True)
    mixture = rng.standard_normal((number, topics)) / np.sqrt(topics - 1)
    return middle + np.einsum("st,mtn->msn", mixture, values - middle, optimize=True)
