"""What the collections say together, of sources that share no topics, and what goes with it."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.published import INCONCLUSIVE
from lib.statistics.random_effects import Summary, random_effects
from lib.studies.elsewhere.claims import CLAIMS, SECTIONS
from lib.studies.elsewhere.numbers import OWN
from lib.studies.sources import facts, judged, sources

SUBMITTED, OURS = "submitted runs", "our own systems"
ERAS = ("1996 to 2004", "2010 to 2014", "2019 to 2021")  # news; the Web; passages and papers


def groups(section: str) -> tuple[str, ...]:
    """Return whose numbers are summed up in a section, each apart.

    >>> groups("p10")
    ('submitted runs',)
    """
    return (SUBMITTED, OURS) if SECTIONS[section].pairs else (SUBMITTED,)


def answered(found: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Return the rows of a claim that have a number, without those of single pairs of runs."""
    return found[(found["claim"] == claim) & (found["part"] == "") & found["estimate"].notna()]


def pooled(found: pd.DataFrame, claim: str, group: str = SUBMITTED) -> pd.DataFrame:
    """Return the rows of a claim that may be summarized: sources that share no topics."""
    rows = answered(found, claim)
    known = facts()
    apart = known.loc[known["note"].isna(), "source"]
    return rows[rows["source"].isin(list(OWN) if group == OURS else list(apart))]


def summary(
    found: pd.DataFrame, claim: str, group: str = SUBMITTED, *, only: Iterable[str] | None = None
) -> Summary | None:
    """Summarize a claim over sources; None where fewer than two may be.

    Examples
    --------
    >>> from lib.studies.elsewhere.estimates import estimates
    >>> summary(estimates(), "p10-AP").number
    13
    """
    rows = pooled(found, claim, group)
    if only is not None:
        rows = rows[rows["source"].isin(list(only))]
    if len(rows) < 2:
        return None
    return random_effects(rows["estimate"], rows["error"])


def sign_of_interval(low: float, high: float) -> str:
    """Say which sign an interval leaves.

    >>> sign_of_interval(0.1, 0.2), sign_of_interval(-0.1, 0.2)
    ('above 0', 'inconclusive')
    """
    return "above 0" if low > 0 else "below 0" if high < 0 else INCONCLUSIVE


def summaries(found: pd.DataFrame, section: str) -> pd.DataFrame:
    """Summarize the claims of a section."""
    own = SECTIONS[section].own
    rows = {}
    for claim in (one for one in CLAIMS.values() if one.section == section):
        for group in groups(section):
            one = summary(found, claim.name, group)
            if one is None:
                continue
            each = pooled(found, claim.name, group)
            others = summary(found, claim.name, group, only=set(each["source"]) - {own})
            key = (claim.title, group) if len(groups(section)) > 1 else claim.title
            rows[key] = {
                "sources": one.number,
                "mean": one.mean,
                "low": one.low,
                "high": one.high,
                "prediction_low": one.prediction_low,
                "prediction_high": one.prediction_high,
                "heterogeneity": one.i2,
                "p": one.p,
                "above": int((each["low"] > 0).sum()),
                "below": int((each["high"] < 0).sum()),
                "told": sign_of_interval(one.low, one.high),
            }
            if own and others is not None:
                rows[key] |= {
                    "without_own": others.mean,
                    "without_low": others.low,
                    "without_high": others.high,
                }
    return pd.DataFrame.from_dict(rows, orient="index")


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
        kind: (one.number, one.mean, one.low, one.high, sign_of_interval(one.low, one.high))
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
    return one.number + other.number, gap, low, high, sign_of_interval(low, high)


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
