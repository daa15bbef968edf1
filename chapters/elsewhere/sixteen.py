"""The law of leads on the sixteen collections that suggested it: what it rests on, and its power.

They are the book's thirteen, and the three of the first registration, as they stood when the second
one was written.
"""

import hashlib
from collections.abc import Mapping
from functools import cache

import numpy as np
import pandas as pd
from scipy.stats import t as students_t

from chapters.data_tables import read
from chapters.elsewhere import confirmation, leads
from chapters.elsewhere.leads import CHANGES, OF_LAW, phis_at
from chapters.elsewhere.sources import WEB, ad_hoc, copies, sources
from lib.conventions import ALPHA
from lib.measures import Scores
from lib.statistics.law import fit, lead

NEW = ("T", "B", "D")
RUNS = ("all", "without copies", "ad hoc alone")
LIMITS = (0.02, 0.025)  # of tau: the typical misses that the registration chooses from
# Topics a set at which the referee fitted the law and asked it.
ELSEWHERE = {"T": (10, 40, 50), "B": (10, 50, 75), "robust04": (5, 50, 100, 124)}


@cache
def older_scores(name: str) -> Mapping[str, Scores]:
    """Return the scores of all columns of one of the sixteen by AP, P@10 and, if known, RR."""
    if name in NEW:
        every = confirmation.source(name, "P1").scores
    else:
        (every,) = (source.scores for source in sources() if source.name == name)
    return {label: every[label] for label in OF_LAW if label in every}


def names() -> list[str]:
    """Return the sixteen, by year, the three of the first registration last.

    >>> len(names())
    16
    """
    # Robust 2004 once, with all topics.
    return [*(one.name for one in sources() if one.name != "robust04-new"), *NEW]


def older_scores_of(name: str, runs: str) -> dict[str, Scores]:
    """Return the scores of all columns, of those without copies, or of ad hoc runs among these."""
    scores = older_scores(name)
    out = copies(scores) if runs != "all" else []
    kept = {label: table.drop(columns=out) for label, table in scores.items()}
    if runs != "ad hoc alone" or name not in WEB:
        return kept
    of = ad_hoc(kept, name)
    return {label: table[of] for label, table in kept.items()}


def lists() -> pd.DataFrame:
    """Return how many columns each of the sixteen has, with copies and without, and their hashes.

    A hash is the SHA-256 of the columns' names in the order of the package, a line each, without a
    line's end after the last.
    """
    rows = []
    for name in names():
        sizes, hashes = [], []
        for runs in RUNS[:2]:
            columns = older_scores_of(name, runs)["AP"].columns
            sizes.append(len(columns))
            hashes.append(hashlib.sha256("\n".join(columns).encode()).hexdigest())
        rows.append([name, len(older_scores(name)["AP"]), *sizes, *hashes])
    columns = ["collection", "topics", "systems", "without_copies"]
    return pd.DataFrame(rows, columns=[*columns, "sha256", "sha256_without_copies"])


def _ways(name: str) -> tuple[str, ...]:
    """Return with which of its columns one of the sixteen is asked: no way stands for another."""
    if name in WEB:
        return RUNS
    return RUNS[:2] if copies(older_scores(name)) else RUNS[1:2]


def older(name: str) -> pd.DataFrame:
    """Return what the claims come to on one of the sixteen.

    Columns collection, runs, systems, topics, size, claim, estimate, error, freedom.
    """
    rows = []
    for runs in _ways(name):
        scores = older_scores_of(name, runs)
        topics, systems = scores["AP"].shape
        found = leads.asked(scores)
        size = leads.size_of(topics)
        for claim, estimate, error in zip(CHANGES, found.estimate, found.error):
            rows.append([name, runs, systems, topics, size, claim, estimate, error, topics - 1])
    columns = ["collection", "runs", "systems", "topics", "size", "claim", "estimate", "error"]
    return pd.DataFrame(rows, columns=[*columns, "freedom"])


def errors_by_seed(name: str, seeds: tuple[int, ...] = (1, 2)) -> pd.DataFrame:
    """Return the errors of one of the sixteen, without copies, by other draws of the splits."""
    scores, rows = older_scores_of(name, RUNS[1]), []
    for seed in seeds:
        errors = leads.asked(scores, seed=seed).error
        rows += [[name, seed, claim, error] for claim, error in zip(CHANGES, errors)]
    return pd.DataFrame(rows, columns=["collection", "seed", "claim", "error"])


def foretold(name: str) -> pd.DataFrame:
    """Return leads as the law has them and as they are seen, at sizes that it is not fitted to.

    Columns collection, runs, fitted (topics a set), topics (a set), target, noise, noise_ap,
    validity, end, law, seen.
    """
    rows = []
    for runs in _ways(name):
        scores = older_scores_of(name, runs)
        topics = len(scores["AP"])
        most = leads.size_of(topics)
        sizes = [*ELSEWHERE.get(name, ()), 10, most]
        splits = {size: leads.fewer_splits(topics, size) for size in sizes}
        by = {size: phis_at(scores, size, number).value for size, number in splits.items()}
        for fitted in (10, most):
            law = fit(by[fitted], fitted)
            for place, target in enumerate([*scores][1:], start=1):
                own = [law.noise[place], law.noise[0], law.validity[0, place], law.end()[0, place]]
                for size in sorted(by):
                    both = law.lead(size)[0, place], lead(by[size])[0, place]
                    rows.append([name, runs, fitted, size, target, *own, *both])
    columns = ["collection", "runs", "fitted", "topics", "target", "noise", "noise_ap"]
    return pd.DataFrame(rows, columns=[*columns, "validity", "end", "law", "seen"])


# The power of L1


def powers() -> pd.DataFrame:
    """Return the power of L1 with two typical misses, from the committed table of the sixteen."""
    table = read("law", "older")
    own = table[table["runs"] == RUNS[1]]
    return pd.DataFrame([power(own, limit) for limit in LIMITS])


def power(
    estimates: pd.DataFrame, limit: float, *, draws: int = 20_000, seed: int = leads.SEED
) -> dict[str, float]:
    """Return in which share of nine new collections L1 supports, were the sixteen's misses true.

    Each new collection takes one of the sixteen at random, with both of its misses for the truth
    and its errors: those of the two collections with very many topics in the ratio that the
    registration expects, .006 to .016.  The estimates are normal about the truth, with the
    jackknife's error divided by 1.25.  Holm's step is the last where the others are clear, and the
    first where they are not: both are given, and the share in which the typical miss is small.
    """
    wide = estimates.pivot(index="collection", columns="claim", values=["estimate", "error"])
    rng = np.random.default_rng(seed)
    miss, errors = (wide[part][[*CHANGES[:2]]].to_numpy() for part in ("estimate", "error"))
    of_mean, freedom = wide["error"]["L1"].to_numpy(), estimates.groupby("collection")["freedom"]
    chosen = rng.integers(len(wide), size=(draws, 9))
    shrunk = np.array([1.0] * 7 + [0.006 / 0.016] * 2)
    error, mean_error = errors[chosen] * shrunk[:, np.newaxis], of_mean[chosen] * shrunk
    known = ~np.isnan(error)
    # The two misses of a collection move together, as the error of their mean says.
    product = np.nanprod(error, axis=2)
    together = (4 * mean_error**2 - np.nansum(error**2, axis=2)) / (2 * product)
    together = np.where(known.all(axis=2), np.clip(together, -1, 1), 0.0)
    one, other = rng.standard_normal((2, draws, 9))
    noise = np.stack([one, together * one + np.sqrt(1 - together**2) * other], axis=2)
    seen = miss[chosen] + noise * error / 1.25
    mean = np.nanmean(seen, axis=2).mean(axis=1)
    typical = np.sqrt(np.maximum(0, np.nanmean(seen**2 - error**2, axis=(1, 2))))
    squares = mean_error**2
    of_all = np.sqrt(squares.sum(axis=1)) / 9
    f = freedom.first().loc[wide.index].to_numpy()[chosen]
    own = squares.sum(axis=1) ** 2 / (squares**2 / f).sum(axis=1)
    p = 2 * students_t.cdf((np.abs(mean) - 0.02) / of_all, own)
    small = typical <= limit
    return {
        "limit": limit,
        "mean inside": (p < ALPHA).mean(),
        "typical miss small": small.mean(),
        "power": ((p < ALPHA) & small).mean(),
        "statistical power at the first step": ((p < ALPHA / 4) & small).mean(),
    }
