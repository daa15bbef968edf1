"""What earlier studies found of measures, as the paper cites them, asked of a collection at hand.

Buckley and Voorhees 2000 counted how often two systems change places on other topics (the swap
rate), Webber 2008 how well a ranking is repeated on other topics, Sakai 2006 how many pairs of
systems a test tells apart.  All three had other data.
"""

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.measures import complete_scores, score_tables, top_systems
from lib.papers.webber2010.tables import ALPHA
from lib.statistics.predictivity import predictivity, splits, without_each_topic
from lib.statistics.significance import discriminative_power

__all__ = ["predicts_itself", "q_measure", "separates"]

PREDICTED = {
    "P@10": "P@10",
    "RR": "RR",
    "RBP(p=0.95)": "RBP(p=0.95,rel=1)",
    "AP": "AP",
    "nDCG": "nDCG(discount=2002,rel=1)",
    "Rprec": "Rprec",
    "P@1000": "P@1000",
    "R@1000": "R@1000",
}
SPLITS, SEED = 250, 2010
SEPARATED = ("P@10", "RBP(p=0.95)", "AP", "nDCG", "P@1000")


def predicts_itself(collection: Collection) -> tuple[pd.Series, pd.DataFrame]:
    """Return how well each measure predicts itself on other topics, and that without each topic.

    Of two systems, this is the share of splits in which they stand in the same order on both
    halves less that in which they change places: a swap rate in other words, the other way round.
    The weakest quarter of the systems is left out, as Webber 2008 does.

    Parameters
    ----------
    collection : Collection

    Returns
    -------
    Series
        Index measure.
    DataFrame (topics x measures)
        The same without each topic, for the error over topics.
    """
    kept = collection.select(systems=top_systems(collection))
    tables = score_tables(kept, PREDICTED)
    sets = splits(len(kept.topics), number=SPLITS, rng=np.random.default_rng(SEED))
    found = predictivity(tables, sets).phi
    without = np.diagonal(without_each_topic(tables, sets), axis1=1, axis2=2)
    return (
        pd.Series(np.diag(found), index=list(PREDICTED)),
        pd.DataFrame(without, index=collection.topics.index, columns=list(PREDICTED)),
    )


def separates(collection: Collection) -> pd.Series:
    """Return the discriminative power of those measures and of the Q-measure.

    Parameters
    ----------
    collection : Collection

    Returns
    -------
    Series
        Index measure.
    """
    tables = {name: complete_scores(collection, PREDICTED[name]) for name in SEPARATED}
    tables["Q"] = q_measure(collection)
    return pd.Series(
        {
            name: discriminative_power(scores, alpha=ALPHA, identical="left out")
            for name, scores in tables.items()
        }
    )


def q_measure(collection: Collection) -> pd.DataFrame:
    """Return Sakai's Q-measure: AP with blended ratios in place of precisions.

    Parameters
    ----------
    collection : Collection

    Returns
    -------
    DataFrame (topics x systems)
        At a relevant document, the j-th of the list and at rank i, the blended ratio is
        2j / (i + min(i, R)): precision where i is at most R, and kinder than it beyond.

    References
    ----------
    Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006; all gains are 1 here.

    Examples
    --------
    >>> runs = {"A": {"t": ["x", "r"]}}
    >>> float(q_measure(Collection.from_rankings(runs, {"t": {"r": 1}})).loc["t", "A"])
    0.6666666666666666
    """
    hits = collection.relevance()
    relevant = np.broadcast_to(hits.relevant, hits.retrieved.shape).ravel()[hits.cell]
    ratio = 2 * hits.position / (hits.rank + np.minimum(hits.rank, relevant))
    summed = hits.total(ratio) / np.maximum(hits.relevant, 1)
    return collection.frame(summed).fillna(0.0)
