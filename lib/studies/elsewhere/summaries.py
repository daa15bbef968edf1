"""What the collections say together, of sources that share no topics."""

from collections.abc import Iterable

import pandas as pd

from lib.published import INCONCLUSIVE
from lib.statistics.random_effects import Summary, random_effects
from lib.studies.elsewhere.claims import CLAIMS, SECTIONS
from lib.studies.elsewhere.feedback import OWN
from lib.studies.sources import facts

SUBMITTED, OURS = "submitted runs", "our own systems"


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


def told(low: float, high: float) -> str:
    """Say which sign an interval leaves.

    >>> told(0.1, 0.2), told(-0.1, 0.2)
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
                "expected_low": one.expected_low,
                "expected_high": one.expected_high,
                "heterogeneity": one.i2,
                "p": one.p,
                "above": int((each["low"] > 0).sum()),
                "below": int((each["high"] < 0).sum()),
                "told": told(one.low, one.high),
            }
            if own and others is not None:
                rows[key] |= {
                    "without_own": others.mean,
                    "without_low": others.low,
                    "without_high": others.high,
                }
    return pd.DataFrame.from_dict(rows, orient="index")
