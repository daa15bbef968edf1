"""Do halves stand in for new topics?  Asked of more topics than the paper had: Robust 2004's 249.

Only AP and P@10 of its runs are public.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from lib.collection import load_scores
from lib.measures import Scores, best
from lib.papers.webber2008.tables import SEED, SHARE
from lib.statistics.predictivity import splits, stack, taus_of_splits

__all__ = ["MATRIX", "halving_of_topics"]

MATRIX = "robust04"  # the scores with the most topics


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
