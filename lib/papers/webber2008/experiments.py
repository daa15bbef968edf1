"""Experiments on sentences that the paper does not put in numbers.

Do halves of a topic set stand in for new topics?  Which of two measures is right when they disagree
about a pair of systems?  How often does a significant difference turn around?
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.papers.webber2008.tables import MEASURES, NUMBER, SEED, SHARE, kept_scores
from lib.statistics.correlation import pair_signs
from lib.statistics.discrimination import significant
from lib.statistics.new_topics import against_new_topics
from lib.statistics.predictivity import splits

__all__ = ["conflicts", "halving", "reversals"]


def halving(
    collection: Collection,
    measures: Mapping[str, str] | None = None,
    *,
    samples: int = 200,
    pairs: int = 1000,
    seed: int = SEED,
    share: float = SHARE,
) -> pd.DataFrame:
    """Ask whether halves of a topic set stand in for new topics (section 2: "not shown").

    Parameters
    ----------
    collection : Collection
    measures, share
        As for :func:`lib.papers.webber2008.phi`.
    samples, pairs
        As for :func:`lib.statistics.new_topics.against_new_topics`.
    seed : int

    Returns
    -------
    DataFrame, index (of, predictor)
        new : phi by pairs of sets of new topics; halved : phi by halves, mean over topic sets;
        difference and error : of these two, with its Monte-Carlo standard error; deviation :
        standard deviation of phi by halves between topic sets.
    """
    tables = kept_scores(collection, measures or MEASURES, share=share)
    halved, new = against_new_topics(
        tables, samples=samples, pairs=pairs, rng=np.random.default_rng(seed)
    )
    return pd.DataFrame(
        {
            "new": new.mean(),
            "halved": halved.mean(),
            "difference": halved.mean() - new.mean(),
            "error": np.sqrt(halved.var() / samples + new.var() / pairs),
            "deviation": halved.std(),
        }
    )


def conflicts(
    collection: Collection,
    *,
    simple: str = "P@10",
    complex: str = "AP",
    number: int = NUMBER,
    seed: int = SEED,
    share: float = SHARE,
    decimals: int = 10,
) -> pd.Series:
    """Ask which measure to believe when two disagree about a pair of systems.

    On one random half of the topics, take the pairs of systems that the two measures order in
    opposite ways; on the other half, see which of them was right.

    Parameters
    ----------
    collection : Collection
    simple, complex : str
        Labels among :data:`MEASURES`.
    number, seed, share, decimals
        As for :func:`lib.papers.webber2008.phi`.

    Returns
    -------
    Series
        Index: the measure that decides on the other half; value: the share of the conflicts, of
        those that it does not tie, in which the complex measure was right.
    """
    labels = (simple, complex)
    tables = kept_scores(collection, {label: MEASURES[label] for label in labels}, share=share)
    arrays = [tables[label].to_numpy() for label in labels]
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    right, decided = np.zeros(2), np.zeros(2)
    for pair in sets:
        one, other = (
            [pair_signs(array[side].mean(axis=0).round(decimals)) for array in arrays]
            for side in pair
        )
        opposed = one[0] * one[1] < 0
        for i, judge_signs in enumerate(other):
            verdict = (judge_signs * one[1])[opposed]
            right[i] += (verdict > 0).sum()
            decided[i] += (verdict != 0).sum()
    return pd.Series(right / decided, index=list(labels), name=f"{complex} right")


def reversals(
    collection: Collection,
    *,
    measure: str = "AP",
    alpha: float = 0.05,
    number: int = 200,
    seed: int = SEED,
    share: float = SHARE,
) -> float:
    """Return how often a significant difference turns around on other topics.

    Parameters
    ----------
    collection : Collection
    measure : str
        Label among :data:`MEASURES`.
    alpha : float
        Level of the paired, two-tailed t test on one half of the topics.
    number, seed, share
        As for :func:`lib.papers.webber2008.phi`.

    Returns
    -------
    float
        Of the pairs of systems that differ significantly on a random half of the topics, the share
        that the other half orders the other way round (a tie there is none); in [0, 1].
    """
    scores = kept_scores(collection, {measure: MEASURES[measure]}, share=share)[measure].to_numpy()
    sets = splits(len(collection.topics), number=number, rng=np.random.default_rng(seed))
    found = turned = 0
    for one, other in sets:
        sure = significant(scores[one], alpha=alpha)
        signs = [pair_signs(scores[side].mean(axis=0)) for side in (one, other)]
        found += sure.sum()
        turned += (sure & (signs[0] * signs[1] < 0)).sum()
    return float(turned / found)
