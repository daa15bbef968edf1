"""Many tests at once: what comes out of all pairs of systems, and what p values do not say."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.collection import Collection
from lib.display.figures import PALETTE, Figure, style, subplots
from lib.display.svg import add_tooltips
from lib.measures import Scores, complete_scores
from lib.statistics.multiplicity import holm
from lib.statistics.significance import t_test
from lib.teaching.foundations.topics import ALPHA

__all__ = [
    "BY_NAME",
    "alphabetical",
    "draw_p_values",
    "false_alarms",
    "many_tests",
    "significant_pairs",
]

BY_NAME = "place in the alphabet"
MEASURES = ("AP", "nDCG", "P@10", "RR")
BINS = 20
COMPARISONS, POWER = 1000, 0.5


def alphabetical(collection: Collection) -> Scores:
    """Score each system, on every topic alike, by the place of its name in the alphabet.

    The last is 0 and the first 1.  It is no measure of anything; its order never changes.

    Examples
    --------
    >>> from lib.measures import example
    >>> alphabetical(example()).to_numpy().tolist()
    [[1.0]]
    """
    names = collection.systems.index
    place = names.argsort().argsort()
    score = 1 - place / max(len(names) - 1, 1)
    rows = np.tile(score, (len(collection.topics), 1))
    return pd.DataFrame(rows, index=collection.topics.index, columns=names)


def significant_pairs(scores: Scores) -> tuple[int, int]:
    """Return how many pairs of systems differ at .05: by their own p, and after Holm's method.

    Parameters
    ----------
    scores : DataFrame (topics x systems)

    Examples
    --------
    >>> significant_pairs(pd.DataFrame([[5, 4, 4], [6, 5, 4], [7, 6, 6.5], [5, 4.1, 4]]))
    (2, 1)
    """
    p = t_test(scores)
    return int((p < ALPHA).sum()), int((holm(p) < ALPHA).sum())


def many_tests(collection: Collection, measures: Sequence[str] = MEASURES) -> pd.DataFrame:
    """Test all pairs of systems by several measures, and by the place in the alphabet.

    Returns
    -------
    DataFrame
        Index measure; columns pairs, by chance (significant pairs to expect if none differed),
        p < .05 and after Holm.

    Examples
    --------
    >>> from lib import load
    >>> many_tests(load("trec8"), ["AP"]).loc["AP"].tolist()
    [8256.0, 412.8, 5982.0, 3085.0]
    """
    tables = {name: complete_scores(collection, name) for name in measures}
    tables[BY_NAME] = alphabetical(collection)
    rows = {}
    for name, scores in tables.items():
        pairs = scores.shape[1] * (scores.shape[1] - 1) // 2
        plain, adjusted = significant_pairs(scores)
        rows[name] = (pairs, ALPHA * pairs, plain, adjusted)
    columns = ["pairs", "by chance", "p < .05", "after Holm"]
    table = pd.DataFrame(rows, index=columns).T.rename_axis("measure")
    return table.astype({name: int for name in columns if name != "by chance"})


def draw_p_values(collection: Collection, measure: str = "AP") -> Figure:
    """Draw how many pairs have which p value, beside what would be if no pair differed."""
    p = t_test(complete_scores(collection, measure))
    counts, edges = np.histogram(p, bins=BINS, range=(0, 1))
    even = len(p) / BINS
    ranges = [f"{edge:.2f} to {edge + 1 / BINS:.2f}" for edge in edges[:-1]]
    with style():
        drawing, axes = subplots(height=2.7)
        bars = axes.bar(edges[:-1], counts, width=1 / BINS, align="edge", color=PALETTE[0])
        add_tooltips(bars, [f"p {each}" for each in ranges], words=[f"{c:,} pairs" for c in counts])
        axes.axhline(even, color="black", linewidth=1.2, linestyle="--")
        axes.annotate(
            "if no pair differed", (1, even), (0, 4), textcoords="offset points", ha="right"
        )
        axes.set(xlabel="p", ylabel="pairs of systems", xlim=(0, 1))
    table = pd.DataFrame({"pairs": counts}, index=ranges)
    return Figure(
        drawing,
        caption=f"p values of all {len(p):,} pairs of systems by {measure} (paired t test).",
        alt=f"A tall bar of {counts[0]:,} pairs below .05, then low bars, most below the dashed "
        f"line at {even:.0f} pairs.",
        data=table.rename_axis("p"),
    )


def false_alarms(shares: Sequence[float] = (0.9, 0.5, 0.1)) -> pd.DataFrame:
    """Count among 1,000 comparisons those significant at .05, with and without a real difference.

    Parameters
    ----------
    shares : sequence of float
        Shares of the comparisons that have a real difference; a test finds half of these.

    Returns
    -------
    DataFrame
        Index the share; columns real and significant, not real, yet significant, and the share of
        the latter among both.

    Examples
    --------
    >>> false_alarms([0.1]).iloc[0].round(3).tolist()
    [50.0, 45.0, 0.474]
    """
    real = np.array(shares)
    found, false = COMPARISONS * real * POWER, COMPARISONS * (1 - real) * ALPHA
    return pd.DataFrame(
        {
            "real and significant": found.round().astype(int),
            "not real, yet significant": false.round().astype(int),
            "false among these": false / (found + false),
        },
        index=pd.Index([f"{share:.0%}" for share in real], name="real differences"),
    )
