"""What collections say together: on every analysis path, and for two populations."""

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import pandas as pd
from scipy.stats import t as student

from lib.paper import paths
from lib.published import INCONCLUSIVE
from lib.statistics.multiplicity import holm
from lib.statistics.random_effects import Mean, Summary, mean_of, random_effects
from lib.studies.multiverse.claims import CLAIMS, SECTIONS, Claim
from lib.studies.multiverse.quantities import OWN
from lib.studies.sources import facts

SUBMITTED, OURS = "submitted runs", "our own systems"
THESE, OTHERS = "these collections", "other kinds of collections"
NOT_ESTABLISHED = "not established from four families"
ALPHA = 0.05


def groups(section: str) -> tuple[str, ...]:
    """Return whose numbers are summed up in a section, each apart.

    >>> groups("p10")
    ('submitted runs',)
    """
    return (SUBMITTED, OURS) if SECTIONS[section].pairs else (SUBMITTED,)


@cache
def _family() -> dict[str, str]:
    """Return the family of each source that shares no topics with another."""
    known = facts()
    apart = known[known["note"].isna()]
    return dict(zip(apart["source"], apart["family"]))


def answered(found: pd.DataFrame, claim: str, path: int = 0) -> pd.DataFrame:
    """Return the rows of a claim that have a number, without those of single pairs of runs."""
    rows = found[(found["claim"] == claim) & (found["path"] == path)]
    return rows[(rows["part"] == "") & rows["estimate"].notna()]


def pooled(
    found: pd.DataFrame, claim: str, group: str = SUBMITTED, *, path: int = 0
) -> pd.DataFrame:
    """Return the rows of a claim that may be summarized: sources that share no topics."""
    rows = answered(found, claim, path)
    return rows[rows["source"].isin(OWN if group == OURS else _family())]


def summary(
    found: pd.DataFrame,
    claim: str,
    group: str = SUBMITTED,
    *,
    path: int = 0,
    only: Iterable[str] | None = None,
) -> Summary | None:
    """Summarize a claim over sources; None where fewer than two may be.

    Examples
    --------
    >>> from lib.studies.multiverse.engine import committed
    >>> summary(committed(), "p10-AP").number
    13
    """
    rows = pooled(found, claim, group, path=path)
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
    rows = pooled(found, claim, path=path)
    means = {}
    for family in dict.fromkeys(facts()["family"]):
        own = rows[rows["source"].map(_family()) == family]
        if len(own) > 1:
            means[family] = random_effects(own["estimate"], own["error"]).mean
        elif len(own) == 1:
            means[family] = own["estimate"].item()
    return pd.Series(means, dtype=float)


def over_families(found: pd.DataFrame, claim: str, *, path: int = 0) -> Mean | None:
    """Return the mean of the four families; None where one of them has no number."""
    means = families(found, claim, path=path)
    return mean_of(means) if len(means) == facts()["family"].nunique() else None


def without_each(found: pd.DataFrame, claim: str) -> dict[str, Summary | None]:
    """Summarize a claim without each family of collections in turn."""
    return {
        family: summary(found, claim, only={s for s, f in _family().items() if f != family})
        for family in dict.fromkeys(_family().values())
    }


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
    found = found[found["path"] == 0]
    rows, tests = {}, []
    for claim in (one for one in CLAIMS.values() if not SECTIONS[one.section].pairs):
        means = {THESE: summary(found, claim.name), OTHERS: over_families(found, claim.name)}
        for population, mean in means.items():
            if mean is None:
                continue
            key = claim.name, population
            rows[key] = {end: getattr(mean, end) for end in ("mean", "low", "high")}
            tests.append((*key, "", mean.differs()))
            if claim.margin:
                tests.append((*key, "_margin", mean.within(claim.margin)))
    names = ["claim", "population"]
    adjusted = pd.DataFrame(tests, columns=[*names, "test", "p"])
    adjusted["holm"] = adjusted.groupby("population")["p"].transform(holm)
    wide = adjusted.pivot(index=names, columns="test", values=["p", "holm"])
    wide.columns = ["".join(column) for column in wide.columns]
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis(names).join(wide)
    rows_of = zip(table.index, table.itertuples())
    table["verdict"] = [_verdict(name, whom, row) for (name, whom), row in rows_of]
    return table


def _verdict(claim, population, row):
    """Say what survives Holm's adjustment."""
    said = []
    if row.holm < ALPHA:
        said.append("above 0" if row.mean > 0 else "below 0")
    if row.holm_margin < ALPHA:
        said.append(f"within {CLAIMS[claim].margin:.2f}")
    return ", ".join(said) or (INCONCLUSIVE if population == THESE else NOT_ESTABLISHED)


def message(found: pd.DataFrame, judged: pd.DataFrame, claims: Sequence[Claim]) -> str:
    """Say in a sentence what claims came to, as :func:`verdicts` judged them."""
    if claims[0].of is None:
        parts = found[(found["part"] != "") & (found["path"] == 0)]
        rises = {c.title: parts.loc[parts["claim"] == c.name, "estimate"] > 0 for c in claims}
        counts = [f"{title} rises in {up.sum()} of {len(up)}" for title, up in rises.items()]
        return f"Pairs of submitted runs: {', '.join(counts)}."
    words = [f"{c.title} {judged.loc[(c.name, THESE), 'verdict']}" for c in claims]
    return f"For these collections, after Holm: {'; '.join(words)}."


def curve(found: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Summarize a claim on every analysis path: a row a path, its choices, mean, low and high.

    Examples
    --------
    >>> from lib.studies.multiverse.engine import committed
    >>> curve(committed(), "p10-AP").loc[0, "systems"]
    'all'
    """
    own, chosen = found[found["claim"] == claim], paths(CLAIMS[claim].choices)
    rows = {}
    for path, part in own.groupby("path"):
        one = summary(part, claim, path=int(path))
        if one is not None:
            rows[path] = one.number, one.mean, one.low, one.high
    columns = ["collections", "mean", "low", "high"]
    return chosen.join(pd.DataFrame.from_dict(rows, orient="index", columns=columns), how="inner")


def moderated(found: pd.DataFrame, claim: str) -> pd.DataFrame:
    """Summarize a claim over deep and over shallow pools, and set the two beside each other.

    Examples
    --------
    >>> from lib.studies.multiverse.engine import committed
    >>> moderated(committed(), "p10-AP")["collections"].tolist()
    [5, 8, 13]
    """
    rows, parts = {}, []
    for pool, part in facts().groupby("pool"):
        one = summary(found, claim, only=part["source"])
        if one is not None:
            rows[f"pools of {pool}"] = one.number, one.mean, one.low, one.high
            parts.append(one)
    if len(parts) == 2:
        first, last = rows
        rows[f"{last} minus {first}"] = _difference(parts[1], parts[0])
    columns = ["collections", "mean", "low", "high"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def _difference(one: Summary, other: Summary) -> tuple[int, float, float, float]:
    """Return the difference of two summaries with Welch's interval."""
    squares = np.array([one.error, other.error]) ** 2
    freedom = squares.sum() ** 2 / (squares**2 / (np.array([one.number, other.number]) - 1)).sum()
    reach = student.ppf(0.975, freedom) * np.sqrt(squares.sum())
    gap = one.mean - other.mean
    return one.number + other.number, gap, gap - reach, gap + reach
