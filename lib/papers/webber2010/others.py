"""Table 1's columns of the paper's other collections, as far as their data are public.

The runs of TREC-5 are: they make a collection.  Of the runs of Robust 2004 scores by AP and P@10
are, and of the two collections that are left nothing.
"""

from typing import Any

import pandas as pd

from lib.collection import load_scores
from lib.papers.webber2010.tables import ALPHA
from lib.published import cells, half_digit
from lib.statistics.significance import discriminative_power

__all__ = ["ROBUST", "most_by_mean", "robust", "robust_scores"]

ROBUST = "TREC 2004 Robust"
NEW = 651, 700  # the topics that were new in 2004, which section 3.3 says the paper takes


def robust_scores() -> dict[str, pd.DataFrame]:
    """Return what the runs of Robust 2004 score on the topics of the paper, by row of Table 1.

    Lists end at rank 1,000, so that AP is AP@1000.

    Examples
    --------
    >>> {row: table.shape for row, table in robust_scores().items()}
    {'P@10': (49, 110), 'AP@1000': (49, 110)}
    """
    matrix = load_scores("robust04")
    first, last = NEW
    new = [topic for topic in matrix["AP"].index if first <= int(topic) <= last]
    return {"P@10": matrix["P@10"].loc[new], "AP@1000": matrix["AP"].loc[new]}


def robust(*, alpha: float = ALPHA, identical: str = "left out", **options: Any) -> pd.DataFrame:
    """Return the cells of Table 1 that the scores of Robust 2004's runs give.

    Parameters
    ----------
    alpha, identical, **options
        As for :func:`lib.papers.webber2010.tables.table1`.

    Examples
    --------
    >>> [(cell.row, f"{cell.value:.4f}") for cell in robust().itertuples()]
    [('P@10', '0.5164'), ('AP@1000', '0.6803')]
    """
    return cells(
        (row, ROBUST, discriminative_power(table, alpha=alpha, identical=identical, **options))
        for row, table in robust_scores().items()
    )


def most_by_mean(column: pd.Series, printed_mean: str, row: str) -> float:
    """Return what a measure of a column may be at most, by the printed mean of the column.

    Parameters
    ----------
    column : Series
        Our numbers, by row, without their mean.
    printed_mean : str
    row : str
        The one that is asked for; the others stay as they are.

    Examples
    --------
    >>> round(most_by_mean(pd.Series({"a": 0.2, "b": 0.5}), "0.30", "b"), 3)
    0.41
    """
    highest = float(printed_mean) + half_digit(printed_mean)
    return float(len(column) * highest - column.drop(row).sum())
