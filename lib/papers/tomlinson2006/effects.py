"""What feedback does to systems on average, with the error that other topics would make."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection, Pairs
from lib.display.prose import between
from lib.measures import parse
from lib.published import INCONCLUSIVE
from lib.statistics.impact import paired_scores
from lib.statistics.jackknife import jackknife

__all__ = ["FALLS", "RISES", "SAME", "effects", "in_words", "interval", "told"]

RISES, FALLS, SAME = "rises", "falls", "no change"


def effects(
    collections: Collection | Sequence[Collection], pairs: Pairs, measures: Mapping[str, str]
) -> pd.DataFrame:
    """Return the mean change over systems by each measure, with its 95% interval over topics.

    The interval is the jackknife's: one topic at a time is left out, for all systems together, so
    that what they share on a topic counts once.

    Parameters
    ----------
    collections, pairs, measures
        As for :func:`lib.statistics.impact.impact`.

    Returns
    -------
    DataFrame
        One row a measure: difference, error, low, high, told ("rises", "falls", "no change" where
        no topic would change it, or "inconclusive": the interval holds both signs).

    Examples
    --------
    >>> runs = {"A": {t: ["x", "r"] for t in "123"}, "A+": {t: ["r", "x"] for t in "123"}}
    >>> toy = Collection.from_rankings(runs, {t: {"r": 1} for t in "123"})
    >>> effects(toy, [("A", "A", "A+")], {"MRR": "RR", "P2": "P@2"})["told"].to_dict()
    {'MRR': 'rises', 'P2': 'no change'}
    """
    rows = {}
    for label, measure in measures.items():
        before, after = paired_scores(collections, pairs, measure)
        geometric = parse(measure).definition.mean is not pd.DataFrame.mean
        estimate, left_out = zip(*(_means(scores, geometric) for scores in (before, after)))
        found = jackknife(
            (estimate[1] - estimate[0]).mean(), (left_out[1] - left_out[0]).mean(axis=1)
        )
        rows[label] = [
            float(np.round(part, 10)) + 0.0
            for part in (found.estimate, found.error, found.low, found.high)
        ]
    frame = pd.DataFrame.from_dict(rows, "index", columns=["difference", "error", "low", "high"])
    return frame.rename_axis("measure").assign(told=told(frame["low"], frame["high"]))


def _means(scores, geometric):
    """Average the scores of each system over all topics, and over all but one."""
    values = scores.to_numpy()
    whole, parts = values.mean(axis=0), (values.sum(axis=0) - values) / (len(values) - 1)
    return (np.exp(whole), np.exp(parts)) if geometric else (whole, parts)


def interval(change: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each column of changes (topics x anything), with its 95% interval.

    >>> interval(pd.DataFrame({"A": [0.1, 0.2, 0.3], "B": [0.1, 0.2, -0.3]}))["told"].to_dict()
    {'A': 'inconclusive', 'B': 'inconclusive'}
    """
    values = change.to_numpy()
    found = jackknife(values.mean(axis=0), (values.sum(axis=0) - values) / (len(values) - 1))
    columns = {"difference": found.estimate, "low": found.low, "high": found.high}
    frame = pd.DataFrame(columns, index=change.columns).round(10) + 0.0
    return frame.assign(told=told(frame["low"], frame["high"]))


def told(low: pd.Series, high: pd.Series) -> np.ndarray:
    """Say which sign an interval leaves; zero at both ends is no change.

    >>> told(pd.Series([0.1, -0.1, 0.0]), pd.Series([0.2, 0.1, 0.0])).tolist()
    ['rises', 'inconclusive', 'no change']
    """
    choices = [(low == 0) & (high == 0), low > 0, high < 0]
    return np.select(choices, [SAME, RISES, FALLS], INCONCLUSIVE)


def in_words(found: pd.DataFrame) -> pd.Series:
    """Write each row's difference with its interval.

    >>> in_words(pd.DataFrame({"difference": [0.01], "low": [-0.02], "high": [0.04]})).iloc[0]
    '+0.010 [−0.020, +0.040]'
    """
    rows = [between(row.difference, row.low, row.high) for row in found.itertuples()]
    return pd.Series(rows, found.index, dtype=object)
