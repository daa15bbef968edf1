"""Which runs a collection tells apart, what more topics would do, and that in plain words."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from lib.collection import Collection, limits
from lib.display import tables
from lib.measures import Scores
from lib.statistics.impact import needed
from lib.statistics.multiplicity import holm
from lib.statistics.significance import t_test
from lib.statistics.student import pairs

__all__ = ["ALPHA", "POWER", "apart", "sentences", "shown"]

ALPHA = 0.05
POWER = 0.8
TIMES = (2, 4, 10)  # as many topics as there are


def apart(scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Count the pairs of runs that a paired t test tells apart, by each measure.

    Parameters
    ----------
    scores : dict of str to DataFrame (topics x systems)
        Without gaps; two topics and two systems or more.

    Returns
    -------
    DataFrame, index measure
        ``pairs``; ``told``, the share with p below 0.05; ``Holm``, the share after Holm's
        correction for all pairs; ``least``, the smallest mean difference among those told apart;
        ``most``, the largest among the others;
        ``median``, the topics that the middle one of the others needs for a power of 0.8, were its
        effect what it seems; ``2 times``, ``4 times``, ``10 times``: the share of all pairs that
        would have that power with so many times the topics.

    Examples
    --------
    >>> from lib import load, scores
    >>> apart({"AP": scores(load("trec8"), "AP")})[["pairs", "told", "Holm"]].round(2)
             pairs  told  Holm
    measure
    AP        8256  0.72  0.37
    """
    rows = {name: _row(table) for name, table in scores.items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def _row(scores):
    values = scores.to_numpy()
    first, second, _ = pairs(values.shape[1])
    p = t_test(values)
    told = p < ALPHA
    differences = values[:, first] - values[:, second]
    mean, deviation = np.abs(differences.mean(axis=0)), differences.std(axis=0, ddof=1)
    effect = np.divide(mean, deviation, out=np.zeros(len(mean)), where=deviation > 0)
    enough = {f"{times} times": _smallest(times * len(values)) for times in TIMES}
    return {
        "pairs": len(p),
        "told": told.mean(),
        "Holm": (holm(p) < ALPHA).mean(),
        "least": mean[told].min() if told.any() else np.nan,
        "most": np.nan if told.all() else mean[~told].max(),
        "median": np.nan if told.all() else needed(np.median(effect[~told]), power=POWER),
        **{name: (effect >= least).mean() for name, least in enough.items()},
    }


def _smallest(topics):
    """Return the smallest effect for which so many topics are enough, to a part in a thousand."""
    low, high = 0.0, 10.0
    while high - low > 0.0005:
        middle = (low + high) / 2
        low, high = (low, middle) if needed(middle, power=POWER) <= topics else (middle, high)
    return high


def shown(found: pd.DataFrame, *, topics: int) -> tables.Table:
    """Return :func:`apart` as a table.

    Parameters
    ----------
    found : DataFrame
    topics : int
        How many there are.
    """
    named = {
        "pairs": "pairs of runs",
        "told": "told apart, each pair by itself",
        "Holm": "after Holm, all pairs together",
        "least": "least difference told apart",
        "most": "largest not told apart",
        "median": "topics that half of the rest need",
        **{f"{times} times": f"with {times * topics:,} topics" for times in TIMES},
    }
    shares = ["told", "Holm", *(f"{times} times" for times in TIMES)]
    formats: dict[str, str | Callable[[float], str]] = {named[name]: ".0%" for name in shares}
    formats |= {named["least"]: ".3f", named["most"]: ".3f", named["median"]: _topics}
    return tables.table(
        found.rename(columns=named),
        formats=formats,
        caption=f"Which pairs of runs {topics:,} topics tell apart (paired t test, 0.05), and what "
        "more topics would do (power 0.8, were each effect what it seems).",
    )


def _topics(number):
    if np.isnan(number):
        return tables.DASH
    return "more than 100,000" if np.isinf(number) else f"{number:,.0f}"


def sentences(
    collection: Collection, found: pd.DataFrame | None, means: pd.DataFrame | None, measure: str
) -> list[str]:
    """Say in plain words what a collection can tell, each sentence from what was computed.

    Parameters
    ----------
    collection : Collection
    found : DataFrame or None
        Of :func:`apart`; None where there are not two topics and two runs.
    means : DataFrame or None
        Of :func:`lib.statistics.comparison.mean_intervals`, by the first measure.
    measure : str
        Its name.
    """
    topics, systems = len(collection.topics), len(collection.systems)
    said = [f"{collection.title} has {_many(systems, 'run')} and {_many(topics, 'topic')}."]
    if means is not None:
        reach = ((means["high"] - means["low"]) / 2).median()
        best = means["mean"].idxmax()
        said.append(
            f"The best mean {measure} is that of {best}, {means['mean'].max():.3f}; other topics "
            f"of the same kind would move the mean of a run by up to {reach:.3f} or so either way, "
            "19 times in 20."
        )
    if found is not None:
        said += _of_pairs(found.loc[measure], measure, topics)
    if collection.relevance().nonrelevant is not None:
        able = limits(collection)
        pools = able.index[able["pool"]]
        said.append(
            f"Down to rank {pools.max():,}, nearly all that the runs retrieved was judged; what "
            "looks deeper rests partly on documents that nobody has seen."
            if len(pools)
            else "Even at rank 5 some of what the runs retrieved was never judged: scores are what "
            "is known, not what is."
        )
    without = int((collection.topics["relevant"] == 0).sum())
    if without:
        said.append(
            f"{_many(without, 'topic')} without a relevant document "
            f"{'tells' if without == 1 else 'tell'} nothing."
        )
    return said


def _of_pairs(row, measure, topics):
    said = [
        f"By {measure}, {row['told']:.0%} of the {row['pairs']:,.0f} pairs of runs can be told "
        f"apart, each by itself, and {row['Holm']:.0%} if all are asked at once."
    ]
    if row["least"] == row["least"] and row["most"] == row["most"]:
        said.append(
            f"Any two runs whose means differ by more than {row['most']:.3f} were told apart, and "
            f"none that differ by less than {row['least']:.3f}; in between it depends on the runs."
        )
    if row["median"] == row["median"]:
        said.append(
            f"Half of the other pairs would need {_topics(row['median'])} topics or more, were "
            f"their difference what it seems; with {2 * topics:,} topics {row['2 times']:.0%} of "
            "all pairs would be told apart four times in five."
        )
    return said


def _many(number, what):
    return f"{number:,} {what}{'' if number == 1 else 's'}"
