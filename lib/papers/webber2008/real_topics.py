"""More topics than the paper had: Robust 2004's 249, for halves of sets and for larger sets.

Only AP and P@10 of its runs are public.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.collection import load_scores
from lib.measures import Scores, best
from lib.papers.webber2008.tables import SEED, SHARE
from lib.statistics.jackknife import jackknife
from lib.statistics.predictivity import predictivity, splits, stack, taus_of_splits, without_topics

__all__ = ["LONG", "MATRIX", "figure1_continued", "halving_of_topics", "kept_of", "turning_point"]

MATRIX = "robust04"  # the scores with the most topics
LONG = (5, 10, 15, 20, 25, 35, 50, 75, 100, 124)  # topics in a set
FOR_ERROR = 60  # splits into halves that are computed again without each topic; of small sets more


def kept_of(scores: Mapping[str, Scores], share: float = SHARE) -> dict[str, Scores]:
    """Return the scores of the best systems by AP.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems)
        AP among them.
    share : float
        As for :func:`lib.papers.webber2008.phi`.
    """
    kept = best(scores["AP"].mean().round(10), share)
    return {label: table[kept] for label, table in scores.items()}


def halving_of_topics(
    scores: Mapping[str, Scores] | None = None,
    *,
    topics: int = 50,
    samples: int = 400,
    number: int = 20,
    share: float = SHARE,
    seed: int = SEED,
) -> pd.DataFrame:
    """Ask of real topics whether halves of a set stand in for new topics.

    A set of topics is drawn from many and taken as a track's; the systems are kept by their AP on
    it, as the paper does.  Phi by its halves is set beside phi, of the same systems, by pairs of
    sets of the other topics.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems), optional
        AP among them; by default those of Robust 2004.
    topics : int
        In a set: at most half of all.
    samples : int
        Sets.
    number : int
        Pairs of halves of each, and pairs of sets of other topics.
    share, seed

    Returns
    -------
    DataFrame, index (of, predictor)
        As of :func:`lib.papers.webber2008.halving`; error is that of the mean over sets.
    """
    scores = load_scores(MATRIX) if scores is None else scores
    every, rng = len(scores["AP"]), np.random.default_rng(seed)
    if not 2 <= topics <= every // 2:
        raise ValueError(f"sets of {topics} topics and as many others cannot be drawn from {every}")
    names, (one, other) = list(scores), np.triu_indices(len(scores))
    found = np.empty((samples, 2, len(one)))
    for row in found:
        order = rng.permutation(every)
        ours, others = order[:topics], order[topics:]
        kept = best(scores["AP"].iloc[ours].mean().round(10), share)
        values = stack({label: table[kept] for label, table in scores.items()})
        halves = ours[splits(topics, number=number, rng=rng)]
        new = others[splits(len(others), size=topics // 2, number=number, rng=rng)]
        for cell, sets in zip(row, (halves, new)):
            taus = np.nan_to_num(taus_of_splits(values, sets, "b", 10)).mean(axis=0)
            cell[:] = taus[one, other]
    halved, new = found[:, 0], found[:, 1]
    pairs = [(names[i], names[j]) for i, j in zip(one, other)]
    return pd.DataFrame(
        {
            "new": new.mean(axis=0),
            "halved": halved.mean(axis=0),
            "difference": (halved - new).mean(axis=0),
            "error": (halved - new).std(axis=0, ddof=1) / np.sqrt(samples),
            "deviation": halved.std(axis=0, ddof=1),
        },
        index=pd.MultiIndex.from_tuples(pairs, names=["of", "predictor"]),
    )


def figure1_continued(
    scores: Mapping[str, Scores] | None = None,
    *,
    sizes: Sequence[int] = LONG,
    measure: str = "AP",
    target: str = "P@10",
    number: int = 500,
    share: float = SHARE,
    seed: int = SEED,
) -> pd.DataFrame:
    """Continue Figure 1 to as many topics as there are: how well two measures predict one.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems), optional
        AP among them; by default those of Robust 2004.
    sizes : sequence of int
        Topics in each of the two disjoint sets.
    measure, target : str
        Labels of the scores.
    number : int
        Random pairs of sets at each size.
    share, seed
        As for :func:`lib.papers.webber2008.phi`.

    Returns
    -------
    DataFrame, index topics
        ``phi`` of the measure for the target and ``itself``, that of the target for itself;
        ``lead``, the first less the second, with ``low`` and ``high``, its 95% interval over
        topics (jackknife), and ``error``, its Monte-Carlo standard error at most.
    """
    kept = kept_of(load_scores(MATRIX) if scores is None else scores, share)
    two = {label: kept[label] for label in (measure, target)}
    every = len(kept["AP"])
    each = np.arange(every)[:, np.newaxis]
    rows = {}
    for size in sizes:
        rng = np.random.default_rng(seed)
        found = predictivity(two, splits(every, size=size, number=number, rng=rng))
        few = splits(every, size=size, number=round(FOR_ERROR * every / (2 * size)), rng=rng)
        without = without_topics(two, few, each)
        phi, itself = found.phi.loc[measure, target], found.phi.loc[target, target]
        interval = jackknife(phi - itself, without[:, 0, 1] - without[:, 1, 1])
        rows[size] = {
            "phi": phi,
            "itself": itself,
            "lead": phi - itself,
            "low": float(interval.low),
            "high": float(interval.high),
            "error": np.hypot(found.error.loc[measure, target], found.error.loc[target, target]),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("topics")


def turning_point(points: pd.DataFrame) -> float:
    """Return the number of topics at which a lead is gone for good, NaN where it never is.

    Parameters
    ----------
    points : DataFrame
        Of :func:`figure1_continued`; between its sizes on a straight line.

    Examples
    --------
    >>> turning_point(pd.DataFrame({"lead": [0.02, 0.01, -0.01]}, index=[10, 50, 70]))
    60.0
    """
    sizes, lead = points.index.to_numpy(float), points["lead"].to_numpy()
    ahead = np.flatnonzero(lead > 0)
    if not len(ahead) or ahead[-1] == len(lead) - 1:
        return float("nan")
    i = ahead[-1]
    return float(sizes[i] + (sizes[i + 1] - sizes[i]) * lead[i] / (lead[i] - lead[i + 1]))
