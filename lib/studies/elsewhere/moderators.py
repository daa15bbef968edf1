"""What goes with a claim's number: pools, years, depth, judged documents."""

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.statistics.random_effects import Summary
from lib.studies.elsewhere.summaries import summary, told
from lib.studies.sources import facts, judged, sources

ERAS = ("1996 to 2004", "2010 to 2014", "2019 to 2021")  # news; the Web; passages and papers
MODERATORS = ("pools", "years")


def _kinds(moderator: str) -> pd.Series:
    """Return which kind each source is of: Series, source to kind."""
    known = facts().set_index("source")
    if moderator == "pools":
        return "pools of " + known["pool"]
    ends = [int(era.split()[0]) for era in ERAS] + [10_000]
    return pd.cut(known["year"], ends, right=False, labels=list(ERAS)).astype(str)


def moderated(found: pd.DataFrame, claim: str, moderator: str) -> pd.DataFrame:
    """Summarize a claim over each kind of source, and set the kinds beside each other.

    Examples
    --------
    >>> from lib.studies.elsewhere.estimates import estimates
    >>> moderated(estimates(), "p10-AP", "pools")["sources"].tolist()
    [5, 8, 13]
    """
    kinds = _kinds(moderator)
    parts = {}
    for kind in sorted(set(kinds)):
        one = summary(found, claim, only=kinds.index[kinds == kind])
        if one is not None:
            parts[kind] = one
    rows = {
        kind: (one.number, one.mean, one.low, one.high, told(one.low, one.high))
        for kind, one in parts.items()
    }
    if len(parts) > 1:
        first, *_, last = parts
        rows[f"{last} less {first}"] = _difference(parts[last], parts[first])
    columns = ["sources", "mean", "low", "high", "told"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis(moderator)


def _difference(one: Summary, other: Summary) -> tuple:
    """Return the difference of two summaries with Welch's interval."""
    squares = np.array([one.error, other.error]) ** 2
    freedom = squares.sum() ** 2 / (squares**2 / (np.array([one.number, other.number]) - 1)).sum()
    reach = student.ppf(0.975, freedom) * np.sqrt(squares.sum())
    gap = one.mean - other.mean
    low, high = gap - reach, gap + reach
    return one.number + other.number, gap, low, high, told(low, high)


def by_judged(found: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Set a claim's number beside the share of documents that were judged."""
    rows = {}
    numbers = found[(found["claim"] == claim) & (found["part"] == "")].set_index("source")
    for source in sources():
        shares = judged(source)
        if not shares or pd.isna(numbers.loc[source.name, "estimate"]):
            continue
        one = numbers.loc[source.name]
        rows[source.title] = {
            "pool": source.pool,
            **{f"judged to {depth:,}": share for depth, share in shares.items()},
            **{end: one[end] for end in ("estimate", "low", "high")},
        }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")
    return table.sort_values(table.columns[2], ascending=False)
