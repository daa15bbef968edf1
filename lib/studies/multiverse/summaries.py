"""What collections say together: on every analysis path, and for two populations."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.conventions import ALPHA
from lib.decisions import INCONCLUSIVE
from lib.paper import paths
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import Mean, Summary, mean_of, random_effects
from lib.studies.multiverse.claims import CLAIMS, SECTIONS, Claim
from lib.studies.sources import facts

THESE, OTHERS = "these collections", "other kinds of collections"
NOT_ESTABLISHED = "not established from four families"
NUMBERS = ["collections", "mean", "low", "high"]


@cache
def _family() -> pd.Series:
    """Return the family of each source that shares no topics with another."""
    return facts()[facts()["note"].isna()].set_index("source")["family"]


def answered(found: pd.DataFrame, claim: str, path: int = 0) -> pd.DataFrame:
    """Return the rows of a claim that have a number, without those of single pairs of runs."""
    whole = (found["claim"] == claim) & (found["path"] == path) & (found["part"] == "")
    return found[whole].dropna(subset="estimate")


def pooled(found: pd.DataFrame, claim: str, path: int = 0) -> pd.DataFrame:
    """Return the rows of a claim that may be summarized: sources that share no topics."""
    rows = answered(found, claim, path)
    return rows[rows["source"].isin(_family().index)]


def summary(
    found: pd.DataFrame, claim: str, *, path: int = 0, only: Iterable[str] | None = None
) -> Summary | None:
    """Summarize a claim over sources; None where fewer than two may be.

    Examples
    --------
    >>> from lib.studies.multiverse.engine import committed
    >>> summary(committed(), "p10-AP").number
    13
    """
    rows = pooled(found, claim, path)
    if only is not None:
        rows = rows[rows["source"].isin(list(only))]
    return random_effects(rows["estimate"], rows["error"]) if len(rows) > 1 else None


def predicted(one: Summary) -> tuple[float, float]:
    """Return a prediction interval; where tau² is 0, that at the upper end of its Q-profile.

    >>> one = random_effects([0.1, 0.16, 0.13, 0.2], [0.05] * 4)
    >>> one.tau2, predicted(one) == (one.widest_low, one.widest_high)
    (0.0, True)
    """
    if one.tau2 == 0:
        return one.widest_low, one.widest_high
    return one.prediction_low, one.prediction_high


def families(found: pd.DataFrame, claim: str, *, path: int = 0) -> pd.Series:
    """Return the mean of a claim in each family of collections: Series, family to number.

    Examples
    --------
    >>> from lib.studies.multiverse.engine import committed
    >>> list(families(committed(), "p10-AP").index)
    ['news', 'Web', 'MS MARCO', 'COVID']
    """
    rows = pooled(found, claim, path)
    means = {
        family: random_effects(own["estimate"], own["error"]).mean
        if len(own) > 1
        else own["estimate"].item()
        for family, own in rows.groupby(rows["source"].map(_family()), sort=False)
    }
    return pd.Series(means, dtype=float)


def over_families(found: pd.DataFrame, claim: str, *, path: int = 0) -> Mean | None:
    """Return the mean of the four families; None where one of them has no number."""
    means = families(found, claim, path=path)
    return mean_of(means) if len(means) == _family().nunique() else None


def without_each(found: pd.DataFrame, claim: str) -> dict[str, Summary | None]:
    """Summarize a claim without each family of collections in turn."""
    of = _family()
    return {one: summary(found, claim, only=of.index[of != one]) for one in of.unique()}


def verdicts(found: pd.DataFrame) -> pd.DataFrame:
    """Judge the claims for both populations, with p values adjusted by Holm in each.

    Every claim has a two-sided test against 0.  One with a margin has a second: two one-sided tests
    of its lying within the margin.  Holm's method adjusts all of them together.  The claims on
    pairs of runs have no verdict: three tracks have such pairs.

    Returns
    -------
    DataFrame
        By claim and population: mean, low, high (95%, unadjusted), p and holm of the test against
        0, p_margin and holm_margin, and the verdict.
    """
    found, rows = found[found["path"] == 0], []
    for claim in (one for one in CLAIMS.values() if not SECTIONS[one.section].pairs):
        means = {THESE: summary(found, claim.name), OTHERS: over_families(found, claim.name)}
        for population, mean in means.items():
            if mean is not None:
                margin = mean.within(claim.margin) if claim.margin else np.nan
                ends = mean.mean, mean.low, mean.high, mean.differs(), margin
                rows.append((claim.name, population, *ends))
    keys, tests = ["claim", "population"], ["p", "p_margin"]
    table = pd.DataFrame(rows, columns=[*keys, *NUMBERS[1:], *tests]).set_index(keys)
    adjusted = table[tests].stack().dropna().groupby("population").transform(holm).unstack()
    table = table.join(adjusted.set_axis(["holm", "holm_margin"], axis=1))
    table["verdict"] = [_verdict(row) for row in table.reset_index().itertuples()]
    return table


def _verdict(row):
    """Say what survives Holm's adjustment."""
    said = []
    if row.holm < ALPHA:
        said.append("above 0" if row.mean > 0 else "below 0")
    if row.holm_margin < ALPHA:
        said.append(f"within {CLAIMS[row.claim].margin:.2f}")
    return ", ".join(said) or (INCONCLUSIVE if row.population == THESE else NOT_ESTABLISHED)


def message(found: pd.DataFrame, judged: pd.DataFrame, claims: Sequence[Claim]) -> str:
    """Say in a sentence what claims came to, as :func:`verdicts` judged them."""
    if SECTIONS[claims[0].section].pairs:
        parts = found[(found["part"] != "") & (found["path"] == 0)]
        rises = {c.title: parts.loc[parts["claim"] == c.name, "estimate"] > 0 for c in claims}
        counts = [f"{title} rises in {up.sum()} of {len(up)}" for title, up in rises.items()]
        return f"Pairs of submitted runs: {', '.join(counts)}."
    words = [f"{c.title} {judged.loc[(c.name, THESE), 'verdict']}" for c in claims]
    return f"For these collections, after Holm: {'; '.join(words)}."


def rows_of(summaries: Mapping[Any, Mean | None]) -> pd.DataFrame:
    """Return summaries as rows, without those that there are not: :data:`NUMBERS`."""
    rows = {key: (one.number, one.mean, one.low, one.high) for key, one in summaries.items() if one}
    return pd.DataFrame.from_dict(rows, orient="index", columns=NUMBERS)


def curve(found: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Summarize a claim on every analysis path: a row a path, its choices, and :data:`NUMBERS`.

    Examples
    --------
    >>> from lib.studies.multiverse.engine import committed
    >>> curve(committed(), "p10-AP").loc[0, "systems"]
    'all'
    """
    chosen, own = paths(CLAIMS[claim].choices), found[found["claim"] == claim]
    each = {path: summary(part, claim, path=path) for path, part in own.groupby("path")}
    return chosen.join(rows_of(each), how="inner")


def spread(table: pd.DataFrame, mean: str = "mean") -> dict[str, Any]:
    """Say how far a number runs over analysis paths, and on how many its interval excludes 0.

    >>> found = pd.DataFrame({"mean": [0.1, 0.3], "low": [-0.1, 0.2], "high": [0.3, 0.4]})
    >>> spread(found)["above 0"], spread(found)["conclusive"]
    (1, 0.5)
    """
    below, above = int((table["high"] < 0).sum()), int((table["low"] > 0).sum())
    return {
        "paths": len(table),
        "leading": table[mean].iloc[0],
        "least": table[mean].min(),
        "most": table[mean].max(),
        "below 0": below,
        "above 0": above,
        "conclusive": (below + above) / len(table),
    }


def moderated(found: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Summarize a claim over deep and over shallow pools, and set the two beside each other.

    Examples
    --------
    >>> from lib.studies.multiverse.engine import committed
    >>> moderated(committed(), "p10-AP")["collections"].tolist()
    [5, 8, 13]
    """
    parts: dict[str, Any] = {}
    for pool, part in facts().groupby("pool")["source"]:
        parts[f"pools of {pool}"] = summary(found, claim, only=part)
    (first, one), (last, other) = parts.items()
    return rows_of(parts | {f"{last} minus {first}": _difference(other, one)})


def _difference(one: Summary, other: Summary) -> Mean:
    """Return the difference of two summaries with Welch's interval."""
    squares = np.array([one.error, other.error]) ** 2
    freedom = squares.sum() ** 2 / (squares**2 / (np.array([one.number, other.number]) - 1)).sum()
    error, gap = np.sqrt(squares.sum()), one.mean - other.mean
    reach = student.ppf(0.975, freedom) * error
    return Mean(one.number + other.number, gap, error, gap - reach, gap + reach)
