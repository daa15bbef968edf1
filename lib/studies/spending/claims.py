"""What the chapter says, each sentence with the number behind it, from the committed tables."""

import numpy as np
import pandas as pd

from lib.studies.committed import read

SURE = 1.96  # errors on each side of a 95% interval
KEYS = {
    "losses": ["collection", "kind", "depth", "measure"],
    "ways": ["collection", "way", "depth", "measure"],
    "turns": ["source", "measure", "topics", "method"],
    "backtest": ["collection", "held", "share", "topic_cost"],
    "needs": ["source", "measure"],
    "ahead": ["source", "few", "topics", "measure", "kind"],
}
ERRORS = {  # column to the one with its error, and what that is over
    "share": ("error_groups", "groups"),
    "gain": ("gain_error", "topics"),
    "outside_gain": ("outside_gain_error", "groups"),
}


def table(name: str) -> pd.DataFrame:
    """Return a committed table by its keys: of ways with all topics that predict.

    Examples
    --------
    >>> table("losses").loc[("trec8", "automatic", 100, "AP"), "share"].round(4)
    np.float64(0.0014)
    """
    found = read("spending", name)
    if name == "ways":
        most = found.groupby("collection")["topics"].transform("max")
        found = found[found["topics"] == most]
        found = found.assign(flattery=found["inside"] - found["outside"])
    if name == "needs":
        by = found.pivot(index="source", columns="measure", values="needed")
        found = found.merge((by["P@10"] / by["AP"]).rename("P@10 to AP").reset_index())
    return found.set_index(KEYS[name]).sort_index()


def interval(row: pd.Series, column: str) -> tuple[float, float, str]:
    """Return the ends of the 95% interval of a number, and what it is over; NaN where none is."""
    if column in ERRORS:
        error, over = ERRORS[column]
        reach = SURE * row[error]
        return row[column] - reach, row[column] + reach, over
    if column == "turned":
        return row["low"], row["high"], "sets"
    return np.nan, np.nan, ""


def claims() -> pd.DataFrame:
    """Return all claims of ``data/spending/claims.csv`` with the numbers behind them.

    Examples
    --------
    >>> bool(claims().loc["manual-shallow", "holds"])
    True
    """
    rows = {}
    for claim in read("spending", "claims").itertuples():
        numbers = table(claim.table)
        numbers.index = ["; ".join(map(str, key)) for key in numbers.index]
        row = numbers.iloc[0] if pd.isna(claim.row) else numbers.loc[claim.row]
        low, high, over = interval(row, claim.column)
        least = -np.inf if pd.isna(claim.least) else claim.least
        most = np.inf if pd.isna(claim.most) else claim.most
        known = {"number": float(row[claim.column]), "low": low, "high": high}
        if claim.asked == "interval":
            holds = low <= least and most <= high
        else:
            holds = least <= known[claim.asked] <= most
        rows[claim.claim] = {"says": claim.says, **known, "over": over, "holds": bool(holds)}
    return pd.DataFrame.from_dict(rows, orient="index")
