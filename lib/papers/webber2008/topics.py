"""The error over topics: everything that the claims rest on, again without each topic.

The splits stay, less the topic, so that what is left between two of these is the topic.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection, memoize
from lib.measures import Scores, complete_scores
from lib.papers.webber2008 import experiments
from lib.papers.webber2008.tables import MARGIN, MEASURES, SEED, SHARE, figure1, kept_scores, phi
from lib.published import INCONCLUSIVE
from lib.statistics.correlation import taus_of_rows
from lib.statistics.incomplete import BUDGET_MEASURES
from lib.statistics.jackknife import jackknife
from lib.statistics.predictivity import splits, without_each_topic

__all__ = [
    "SPLITS",
    "as_good",
    "bought_without",
    "disagreements_without",
    "leads",
    "phi_without",
    "points_with_intervals",
    "points_without",
    "turned_without",
]

SPLITS = 400  # into halves; for smaller sets more, so that each topic is in as many


def phi_without(
    collection: Collection,
    measures: Mapping[str, str] | None = None,
    *,
    size: int | None = None,
    number: int = SPLITS,
    seed: int = SEED,
    share: float = SHARE,
) -> list[pd.DataFrame]:
    """Compute :func:`lib.papers.webber2008.phi` again without each topic.

    Parameters
    ----------
    collection, measures, size, number, seed, share
        As there.

    Returns
    -------
    list of DataFrame (measures x measures)
        One a topic.
    """
    measures = measures or MEASURES

    def compute(collection):
        tables = kept_scores(collection, measures, share=share)
        rng = np.random.default_rng(seed)
        sets = splits(len(collection.topics), size=size, number=number, rng=rng)
        names = list(tables)
        return [pd.DataFrame(part, names, names) for part in without_each_topic(tables, sets)]

    # Asked of one measure after another, and the slowest thing that the chapter computes.
    key = ("phi_without", *measures.items(), size, number, seed, share)
    return memoize(collection, key, compute)


def leads(
    collection: Collection,
    target: str = "P@10",
    measures: Mapping[str, str] | None = None,
    *,
    share: float = SHARE,
) -> pd.DataFrame:
    """Say how much better than a measure itself others predict it, with the error over topics.

    Parameters
    ----------
    collection : Collection
    target : str
        Label among the measures: the one to be predicted.
    measures, share
        As for :func:`lib.papers.webber2008.phi`.

    Returns
    -------
    DataFrame, index predictor
        ``phi`` of the target; ``lead`` of that over the target's own; ``low`` and ``high``, the
        ends of the 95% interval of the lead over topics.

    Raises
    ------
    ValueError
        Fewer than four topics: halves of one have none to leave out.
    """
    found = phi(collection, measures, share=share).phi[target]
    without = [part[target] for part in phi_without(collection, measures, share=share)]
    interval = jackknife(found - found[target], [part - part[target] for part in without])
    columns = {"phi": found, "lead": interval.estimate, "low": interval.low, "high": interval.high}
    return pd.DataFrame(columns).drop(index=target).rename_axis("predictor")


def as_good(
    found: pd.DataFrame, margins: Sequence[float] = (0.01, MARGIN, 0.05, 0.1)
) -> pd.DataFrame:
    """Say whether others are as good as a measure itself, at one margin and another.

    Parameters
    ----------
    found : DataFrame
        Of :func:`leads`.
    margins : sequence of float
        How far behind is no difference worth speaking of.

    Returns
    -------
    DataFrame (predictor x margin)
        "yes", "no", or the words for an interval that holds both answers.

    Examples
    --------
    >>> as_good(pd.DataFrame({"low": [-0.07], "high": [0.09]}, ["AP"]), [0.02, 0.1])
                  0.02 0.10
    AP  inconclusive  yes
    """
    columns = {}
    for margin in margins:
        sure = np.where(found["high"] <= -margin, "no", INCONCLUSIVE)
        columns[f"{margin:.2f}"] = np.where(found["low"] > -margin, "yes", sure)
    return pd.DataFrame(columns, index=found.index)


def points_without(
    collection: Collection,
    measures: Mapping[str, str],
    pairs: pd.MultiIndex,
    sizes: Sequence[int],
    *,
    number: int = SPLITS // 2,
) -> list[pd.DataFrame]:
    """Compute the points of Figure 1 again without each topic.

    Parameters
    ----------
    collection, measures
        As for :func:`phi_without`.
    pairs : MultiIndex (predictor, of)
    sizes : sequence of int
        Topics in each set, ascending.
    number : int
        Splits into sets of the largest size.

    Returns
    -------
    list of DataFrame (pairs x sizes)
        One a topic.
    """
    columns = {}
    for size in sizes:
        drawn = round(number * max(sizes) / size)
        parts = phi_without(collection, measures, size=size, number=drawn)
        columns[size] = [[part.loc[pair] for pair in pairs] for part in parts]
    return [
        pd.DataFrame({size: parts[topic] for size, parts in columns.items()}, index=pairs)
        for topic in range(len(collection.topics))
    ]


def points_with_intervals(collection: Collection) -> pd.DataFrame:
    """Return the points of Figure 1 with the ends of their 95% intervals over topics.

    Parameters
    ----------
    collection : Collection

    Returns
    -------
    DataFrame
        As of :func:`lib.papers.webber2008.figure1`, with columns low and high.
    """
    points = figure1(collection)
    pairs = pd.MultiIndex.from_frame(points[["predictor", "of"]].drop_duplicates())
    sizes = [size for size in points["topics"].unique() if size > 1]  # of one none can be left out
    measures = {name: MEASURES[name] for name in pairs.levels[0].union(pairs.levels[1])}
    without = points_without(collection, measures, pairs, sizes)
    whole = points.set_index(["topics", "predictor", "of"])["phi"].unstack("topics")
    found = jackknife(whole.loc[pairs, sizes], without)
    ends = {
        name: pd.DataFrame(values, index=pairs, columns=pd.Index(sizes, name="topics")).stack()
        for name, values in (("low", found.low), ("high", found.high))
    }
    return points.join(pd.DataFrame(ends), on=["predictor", "of", "topics"])


def disagreements_without(tables: Mapping[str, Scores], sets: np.ndarray) -> list[pd.DataFrame]:
    """Compute :func:`lib.papers.webber2008.experiments.disagreements` again without each topic."""
    whole = experiments.counted(tables, sets)
    found = []
    for topic in range(len(next(iter(tables.values())))):
        touched = (sets == topic).any(axis=(1, 2))
        counts = whole.copy()
        counts[touched] = experiments.counted(tables, _less(sets[touched], topic))
        found.append(experiments.shares(tables, counts.sum(axis=0)))
    return found


def turned_without(scores: Scores, sets: np.ndarray) -> list[float]:
    """Compute :func:`lib.papers.webber2008.experiments.turned` again without each topic."""
    return [experiments.turned(scores, _less(sets, topic)) for topic in range(len(scores))]


def _less(sets, topic):
    """Return pairs of sets without a topic; the one that had it is a topic smaller."""
    return [tuple(side[side != topic] for side in pair) for pair in sets]


def bought_without(
    collection: Collection, settings: pd.DataFrame, *, target: str, number: int = 200, seed: int
) -> list[pd.DataFrame]:
    """Compute some settings of :func:`lib.statistics.incomplete.budget` again without each topic.

    Parameters
    ----------
    collection : Collection
    settings : DataFrame
        Rows of a budget.
    target, number, seed
        As there.

    Returns
    -------
    list of DataFrame
        One a topic: the rows, with phi without it.
    """
    topics = len(collection.topics)
    sets = splits(topics, number=number, rng=np.random.default_rng(seed))
    sought = complete_scores(collection, target).to_numpy()
    columns = []
    for row in settings.itertuples():
        known = complete_scores(collection.pooled(row.pool), BUDGET_MEASURES[row.measure])
        columns.append(_bought(known.to_numpy(), sought, sets, row.topics))
    return [settings.assign(phi=values) for values in np.array(columns).T]


def _bought(known, sought, sets, size):
    """Return phi of a target by some topics of the first sets, without each topic."""
    inside = np.zeros((2, len(sets), len(known)))
    np.put_along_axis(inside[0], sets[:, 0, :size], 1, axis=1)
    np.put_along_axis(inside[1], sets[:, 1], 1, axis=1)
    whole = _taus(known, sought, inside)
    found = []
    for topic in range(len(known)):
        touched = inside[:, :, topic].any(axis=0)
        kept = inside[:, touched]
        kept[:, :, topic] = 0
        taus = whole.copy()
        taus[touched] = _taus(known, sought, kept)
        found.append(taus.mean())
    return found


def _taus(known, sought, inside):
    """Return tau of a ranking on some topics and another on others: shape (sets,)."""
    one, other = (
        ((side / side.sum(axis=1, keepdims=True)) @ scores).round(10)[:, None]
        for side, scores in zip(inside, (known, sought))
    )
    return np.nan_to_num(taus_of_rows(one, other, variant="b"))[:, 0, 0]
