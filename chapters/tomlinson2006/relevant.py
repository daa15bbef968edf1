"""When feedback helps: what it changes, by the number of relevant documents that topics have.

Beside the six text collections stands the documentation of NumPy, SciPy and pandas, whose topics
have few.  All of this was looked at after the results of the six were known.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd

from chapters.tomlinson2006 import tables
from chapters.tomlinson2006.tables import FOUR, RUN_PAIRS, TITLES
from lib.intervals import Interval
from lib.paths import short_title
from lib.statistics.impact import paired_scores
from lib.statistics.jackknife import jackknife

DOCS = "docs"  # the documentation, a folder of data/feedback
SIX = "all six"
GROUPS = ((1, 3), (4, 7), (8, 15), (16, 40), (41, 1_000_000))  # relevant documents, least and most
FEWEST = 30  # topics of a group that is shown


@cache
def topic_changes(name: str) -> pd.DataFrame:
    """Return each topic's number of relevant documents, and its mean change over our systems.

    Of one of our collections, or of several (:data:`chapters.tomlinson2006.tables.TOGETHER`).
    Columns collection, relevant, and the labels of the four measures.
    """
    parts = {}
    for one in tables.ours(name):
        changed = {}
        for label, measure in FOUR.items():
            before, after = paired_scores([one], RUN_PAIRS, measure)
            changed[label] = (after.to_numpy() - before.to_numpy()).mean(axis=1)
        parts[one.name] = pd.DataFrame(changed).assign(relevant=one.topics["relevant"].to_numpy())
    return pd.concat(parts, names=["collection"]).reset_index("collection").reset_index(drop=True)


def _between(name: str, least: int, most: int) -> pd.DataFrame:
    topics = topic_changes(name)
    return topics[topics["relevant"].between(least, most)]


def group_name(least: int, most: int) -> str:
    """Return what a group of topics is called.

    >>> [group_name(*group) for group in GROUPS][::4]
    ['1 to 3', '41 or more']
    """
    return f"{least} or more" if most == GROUPS[-1][1] else f"{least} to {most}"


def by_relevant(names: Sequence[str] = (SIX, DOCS)) -> pd.DataFrame:
    """Return the mean change by the number of relevant documents, with its 95% interval.

    Columns collections, relevant (the group), topics, measure, difference, low, high and direction;
    groups of fewer than :data:`FEWEST` topics are left out.
    """
    rows = []
    for name in names:
        for group in GROUPS:
            topics = _between(name, *group)
            if len(topics) < FEWEST:
                continue
            changed = tables.interval(topics[list(FOUR)]).drop(columns="error")
            changed = changed.rename(index=FOUR).rename_axis("measure").reset_index()
            head = {"collections": called(name), "relevant": group_name(*group)}
            rows.append(changed.assign(**head, topics=len(topics)))
    first = ["collections", "relevant", "topics", "measure"]
    table = pd.concat(rows, ignore_index=True)
    return table[[*first, *table.columns.drop(first)]]


def called(name: str) -> str:
    """Return what a reader calls one of our collections, or several."""
    return {SIX: "six collections", **TITLES}.get(name) or short_title(f"feedback/{name}")


# Quantities of the registry: the population is a folder, or the six.


def _named(population: str) -> str:
    return SIX if population == "feedback-six" else population.rpartition("/")[2]


def change_where(population: str, label: str, least: int, most: int) -> Interval:
    """Return the mean change in topics with that many relevant documents, least to most."""
    changed = _between(_named(population), least, most)[label].to_numpy()
    total, n = changed.sum(), len(changed)
    return jackknife(changed.mean(), (total - changed) / (n - 1))


def gain_per_doubling(population: str, label: str) -> Interval:
    """Return how much more a measure changes with twice as many relevant documents.

    The slope on the binary logarithm of their number within collections, each of which has a mean
    of its own; the error is that of leaving out a topic at a time.
    """
    topics = topic_changes(_named(population))
    columns = np.log2(topics["relevant"]), topics[label], pd.factorize(topics["collection"])[0]
    x, y, of = map(np.asarray, columns)
    parts = [_slope(*(np.delete(column, i) for column in (x, y, of))) for i in range(len(x))]
    return jackknife(_slope(x, y, of), parts)


def _slope(x: np.ndarray, y: np.ndarray, of: np.ndarray) -> float:
    """Return the slope of y on x within groups, which are numbered from 0."""
    sizes = np.bincount(of)
    x, y = (column - (np.bincount(of, column) / sizes)[of] for column in (x, y))
    return float(x @ y / (x @ x))
