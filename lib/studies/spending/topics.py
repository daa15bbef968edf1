"""How many topics: what real pairs of systems need, and how many "significant" ones turn round."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.measures import Scores
from lib.statistics.multiplicity import holm, tukey, tukey_critical
from lib.statistics.power import deviations, half_width, power, topics_needed
from lib.statistics.significance import t_test
from lib.statistics.student import t_statistic
from lib.studies.sources import Source

DIFFERENCE = 0.05  # of two means, which a comparison is to find
ALPHA = 0.05
METHODS = ("t", "Holm", "Tukey")
DECIMALS = 10  # of differences: equal means have none


def needs(source: Source, *, topics: int = 50) -> pd.DataFrame:
    """Say what comparisons of the systems of a track can tell, measure by measure."""
    rows = []
    for measure, table in source.kept().items():
        spread = deviations(table)
        low, middle, high = np.quantile(spread, [0.25, 0.5, 0.75])
        systems = table.shape[1]
        row = {"measure": measure, "systems": systems, "deviation": middle}
        row |= {"low": low, "high": high, "half_width": half_width(middle, topics)}
        row["power"] = power(DIFFERENCE, middle, topics, alpha=ALPHA)
        row["needed"] = topics_needed(DIFFERENCE, middle, alpha=ALPHA)
        critical, freedom = (
            tukey_critical(systems, topics, alpha=ALPHA),
            (systems - 1) * (topics - 1),
        )
        row["power_all"] = float(
            power(DIFFERENCE, middle, topics, critical=critical, freedom=freedom)
        )
        many = tukey_critical(systems, 1000, alpha=ALPHA)  # it hardly moves beyond 20 topics
        row["needed_all"] = topics_needed(DIFFERENCE, middle, critical=many, freedom=10_000)
        rows.append(row)
    return pd.DataFrame(rows)


def _decided(values: np.ndarray, critical: float) -> dict[str, np.ndarray]:
    """Return which pairs each method calls different."""
    p = t_test(values)
    return {"t": p < ALPHA, "Holm": holm(p) < ALPHA, "Tukey": np.abs(tukey(values)) > critical}


def sign_reversals(
    scores: Scores, *, sizes: Sequence[int], number: int = 500, seed: int = 2004
) -> pd.DataFrame:
    """Count pairs that differ significantly on some topics and turn round on all the others."""
    values = scores.to_numpy(dtype=float)
    every = np.arange(len(values))
    rows = []
    for size in sizes:
        rng = np.random.default_rng([seed, size])
        systems = values.shape[1]
        here = tukey_critical(systems, size, alpha=ALPHA)
        there = tukey_critical(systems, len(values) - size, alpha=ALPHA)
        found: dict[str, list[tuple]] = {method: [] for method in METHODS}
        for _ in range(number):
            part = np.zeros(len(values), dtype=bool)
            part[rng.permutation(every)[:size]] = True
            for method, counts in _of_parts(values[part], values[~part], here, there).items():
                found[method].append(counts)
        rows += [
            {"topics": size, "others": len(values) - size, "method": method} | _summed(counts)
            for method, counts in found.items()
        ]
    return pd.DataFrame(rows)


def _of_parts(one, other, critical, other_critical):
    """Count, by each method: pairs, significant ones, turned, against, again."""
    sign, other_sign = (_signs(values) for values in (one, other))
    decided, others = _decided(one, critical), _decided(other, other_critical)
    opposite = sign * other_sign < 0
    return {
        method: (
            len(sign),
            decided[method].sum(),
            (decided[method] & opposite).sum(),
            (decided[method] & others[method] & opposite).sum(),
            (decided[method] & others[method] & ~opposite).sum(),
        )
        for method in METHODS
    }


def _signs(values: np.ndarray) -> np.ndarray:
    mean = values.mean(axis=0)
    first, second = np.triu_indices(len(mean), 1)
    return np.sign((mean[first] - mean[second]).round(DECIMALS))


def _summed(counts: Sequence[tuple]) -> dict[str, float]:
    pairs, significant, *rest = np.array(counts, dtype=float).T
    shares = [part.sum() / significant.sum() if significant.any() else np.nan for part in rest]
    each = rest[0][significant > 0] / significant[significant > 0]
    low, high = np.quantile(each, [0.025, 0.975]) if len(each) else (np.nan, np.nan)
    return {
        "pairs": int(pairs[0]),
        "significant": (significant / pairs).mean(),
        "turned": shares[0],
        "low": low,
        "high": high,
        "against": shares[1],
        "again": shares[2],
    }


def power_check(
    scores: Scores, *, sizes: Sequence[int], number: int = 200, seed: int = 2004
) -> pd.DataFrame:
    """Set the power that the formula promises beside the share of pairs that topics find."""
    values = scores.to_numpy(dtype=float)
    topics = len(values)
    spread = deviations(values)
    size_of = np.abs(t_statistic(values)) * spread / np.sqrt(topics)
    kept = spread > 0
    rows = []
    for size in sizes:
        rng = np.random.default_rng([seed, size])
        less = np.sqrt(1 - size / topics)
        critical = half_width(1.0, size) * np.sqrt(size)
        promised = power(size_of[kept] / less, spread[kept], size, critical=critical / less)
        hits = np.zeros(kept.sum())
        for _ in range(number):
            part = rng.permutation(topics)[:size]
            hits += (t_test(values[part]) < ALPHA)[kept]
        found = hits / number
        tenth = np.array_split(np.argsort(promised), 10)
        gaps = [abs(promised[part].mean() - found[part].mean()) for part in tenth]
        rows.append(
            {"topics": size, "promised": promised.mean(), "found": found.mean(), "worst": max(gaps)}
        )
    return pd.DataFrame(rows)
