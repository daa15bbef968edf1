"""Sentences made of numbers, for the text of the paper's chapter."""

import pandas as pd

from lib.display.tables import minus_signs


def comparisons(rows: pd.DataFrame) -> pd.Series:
    """Return what rows of the ledger compare, with its interval over topics, in words."""
    low, high = (rows[end].astype(float).map("{:+.3f}".format) for end in ("low", "high"))
    estimate = rows["estimate"].astype(float).map("{:+.3f}".format)
    return (estimate + " (95% interval over topics: " + low + " to " + high + ")").map(minus_signs)
