"""What the papers printed, and how a number of ours compares with it.

A function of :mod:`lib.papers` returns *cells*: a DataFrame with the columns ``row``, ``column``,
``value`` (a number, or True/False for a claim), and where there is sampling ``error``, the
Monte-Carlo standard error.  :func:`compare` sets them beside the printed strings.
"""

import math
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

__all__ = ["SYMBOLS", "VERDICTS", "cells", "compare", "half_digit", "read"]

FOLDER = Path(__file__).resolve().parent.parent / "data" / "published"

REPRODUCED = "reproduced"
SAMPLING = "within Monte-Carlo error"
DIFFERS = "differs"
NOT_PUBLIC = "data not public"
NOT_YET = "not yet"
OTHER = "another collection"  # than the paper's: it cannot reproduce the paper, nor fail to
VERDICTS = (REPRODUCED, SAMPLING, DIFFERS, NOT_PUBLIC, NOT_YET)  # best first
SYMBOLS = dict(zip(VERDICTS, "\u2713\u2248\u2260\u2298\u2026"))


def read(paper=None, place=None):
    """Return the published numbers and claims as they were printed.

    Parameters
    ----------
    paper : str, optional
        ``webber2008``, ``thom2007``, ``tomlinson2006`` or ``webber2010``; all by default.
    place : str, optional
        For example ``Table 1``.

    Returns
    -------
    DataFrame, columns paper, kind, place, row, column, printed, statement
        All strings; ``printed`` keeps the printed digits, and is "yes" for a claim.

    Examples
    --------
    >>> read("thom2007", "Table 1")[["row", "column", "printed"]].head(2)
       row column printed
    0  P@1     AP   0.386
    1  P@1     RR   0.865
    """
    papers = [paper] if paper else sorted(path.stem for path in FOLDER.glob("*.csv"))
    table = pd.concat([_read(name) for name in papers], ignore_index=True)
    if place is not None:
        table = table[table["place"] == place].reset_index(drop=True)
    return table


@cache
def _read(paper):
    return pd.read_csv(FOLDER / f"{paper}.csv", dtype=str, keep_default_na=False)


def half_digit(printed):
    """Return half a unit of the last printed digit: what rounding alone explains.

    Examples
    --------
    >>> half_digit("0.50"), half_digit("129")
    (0.005, 0.5)
    """
    _, _, decimals = printed.partition(".")
    return 0.5 * 10.0 ** -len(decimals)


def cells(rows, **columns):
    """Make cells from rows (row, column, value[, error]); keywords add constant columns.

    Examples
    --------
    >>> cells([("AP", "RR", 0.37)], place="Table 1")
      row column value  error    place
    0  AP     RR  0.37    0.0  Table 1
    """
    frame = pd.DataFrame(
        [(*row, 0.0)[:4] for row in rows], columns=["row", "column", "value", "error"]
    )
    frame["value"] = frame["value"].astype(object)
    return frame.assign(**columns)


def compare(paper, place, ours, *, own=None):
    """Set our cells beside the printed ones.

    The tolerance of a number is half its last printed digit.  Where ours is sampled, the printed
    one was too: a difference beyond that but within three standard errors of the difference of two
    such samples (3 * sqrt(2) * error more) is told apart as within Monte-Carlo error.

    Parameters
    ----------
    paper, place : str
        As for :func:`read`.  Of a table its cells, without what the text claims of it.
    ours : DataFrame
        Cells.
    own : bool, optional
        Whether ours come from the paper's own data.  By default they do, and all printed cells are
        shown; if True, those that ours has; if False, all of ours, printed or not, without verdict.

    Returns
    -------
    DataFrame, columns row, column, published, reproduced, difference, tolerance, verdict
        In the paper's order, or in that of ours where they are not its own; ``reproduced`` is None
        for a cell that is not among ours.

    Examples
    --------
    >>> compare("webber2008", "Table 1", cells([("AP", "RR", 0.3649)])).query("row == 'RR'").empty
    False
    """
    printed = read(paper, place)
    if place.startswith("Table"):
        printed = printed[printed["kind"] == "table"]
    merged = printed.merge(ours, on=["row", "column"], how="left", validate="one_to_one")
    judged = [
        judge(row.printed, row.value, 0.0 if pd.isna(row.error) else row.error)
        for row in merged.itertuples()
    ]
    columns = ["difference", "tolerance", "verdict"]
    merged = merged.rename(columns={"printed": "published", "value": "reproduced"})
    merged["reproduced"] = merged["reproduced"].astype(object).where(
        merged["reproduced"].notna(), None)
    merged[columns] = pd.DataFrame(judged, columns=columns, index=merged.index)
    merged = merged[["row", "column", "published", "reproduced", *columns]]
    if own is None:
        return merged
    key = ["row", "column"]
    if own:
        return merged.merge(ours[key], on=key)
    shown = ours[key].merge(merged, on=key, how="left")
    return shown.assign(published=shown["published"].fillna(""), reproduced=list(ours["value"]),
                        verdict=OTHER)


def judge(printed, value, error=0.0):
    """Judge one value against a printed string: (difference, tolerance, verdict).

    Examples
    --------
    >>> judge("0.50", 0.4961)[2], judge("0.50", 0.4921, error=0.001)[2], judge("0.50", 0.48)[2]
    ('reproduced', 'within Monte-Carlo error', 'differs')
    >>> judge("yes", True)[2], judge("yes", False)[2], judge("yes", None)[2]
    ('reproduced', 'differs', 'not yet')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return np.nan, np.nan, NOT_YET
    if printed == "yes":
        return np.nan, np.nan, REPRODUCED if value else DIFFERS
    difference = float(value) - float(printed)
    # Binary fractions: 0.645 - 0.6445 may come out a hair above 0.0005.
    half = half_digit(printed) + 1e-9
    tolerance = half + 3 * math.sqrt(2) * error
    verdict = REPRODUCED if abs(difference) <= half else SAMPLING
    if abs(difference) > tolerance:
        verdict = DIFFERS
    return difference, tolerance, verdict
