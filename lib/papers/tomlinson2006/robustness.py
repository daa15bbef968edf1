"""Whether the replication stands when its choices are made otherwise."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from lib.collection import load
from lib.papers.tomlinson2006.effects import effects, in_words, interval, told
from lib.papers.tomlinson2006.printed import FOUR, MEASURES, SYSTEMS, five
from lib.papers.tomlinson2006.replication import (
    COLLECTIONS,
    COUNTER_EXAMPLES,
    PAIRS,
    POOLED,
    changes,
    counted_signs,
    ours,
    replication,
)
from lib.statistics.impact import (
    counts,
    differences,
    impact,
    joint_null,
    paired_scores,
    topics_needed,
)

__all__ = ["TREC8_PAIRS", "by_test", "natural", "pooling", "power", "quarters", "shared"]

# TREC-8 runs that seem to differ in expansion only: inferred from run tags and abstracts.
TREC8_PAIRS = (
    ("Ricoh, ric8tpn and ric8tpx", "ric8tpn", "ric8tpx"),
    ("Ricoh, ric8dpn and ric8dpx", "ric8dpn", "ric8dpx"),
    ("NTT, nttd8al and nttd8ale", "nttd8al", "nttd8ale"),
    ("NTT, nttd8am and nttd8ame", "nttd8am", "nttd8ame"),
)


def by_test(
    name: str = POOLED,
    *,
    measures: Sequence[str] = tuple(FOUR),
    resamples: int = 10_000,
    seed: int = 2006,
) -> pd.DataFrame:
    """Compare the five counts that three tests give.

    Parameters
    ----------
    name : str
        As for :func:`replication`.
    measures : sequence of str
        Labels.
    resamples, seed : int
        Of the permutation test.

    Returns
    -------
    DataFrame
        One row a measure, one column a test: the counts ns no z po ps.
    """
    chosen = {label: MEASURES[label] for label in measures}
    options: dict[str, dict[str, Any]] = {
        "t": {},
        "Wilcoxon": {},
        "permutation": {"resamples": resamples, "rng": np.random.default_rng(seed)},
    }
    columns = {
        test: five(counts(impact(ours(name), PAIRS, chosen, test=test, **extra)))
        for test, extra in options.items()
    }
    return pd.DataFrame(columns).rename_axis("measure")


def power(
    name: str = "cf", *, measures: Sequence[str] = tuple(FOUR), goal: float = 0.8
) -> pd.DataFrame:
    """Return how many topics would show each system's change, were it what we measured.

    Parameters
    ----------
    name : str
        As for :func:`replication`.
    measures : sequence of str
        Labels.
    goal : float
        Power of the t test at the 5% level.

    Returns
    -------
    DataFrame
        One row a measure: the smallest, median and largest number of topics over the systems, and
        for how many of the systems 50 and 150 topics are enough.
    """
    rows = {}
    for label in measures:
        needed = topics_needed(differences(ours(name), PAIRS, MEASURES[label]), power=goal)
        rows[label] = {
            "least": needed.min(),
            "median": needed.median(),
            "most": needed.max(),
            "systems with 50": int((needed <= 50).sum()),
            "systems with 150": int((needed <= 150).sum()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def pooling() -> pd.DataFrame:
    """Ask what it does to the signs which topics are taken together, and how.

    Returns
    -------
    DataFrame
        One row a way of taking them together: topics, what
        :func:`lib.papers.tomlinson2006.replication.counted_signs` counts, and the mean differences
        of MAP, GS10, S10 and S1000.
    """
    ways = {
        "every topic counts the same": changes(),
        "every collection counts the same": _averaged([changes(name) for name in COLLECTIONS]),
    }
    topics = {way: sum(len(c.topics) for c in ours()) for way in ways}
    chosen = {
        f"without {title}": [name for name in COLLECTIONS if name != left_out]
        for left_out, title in COLLECTIONS.items()
    }
    chosen["all six collections"] = [*COLLECTIONS, *COUNTER_EXAMPLES]
    for way, names in chosen.items():
        pool = [collection for name in names for collection in ours(name)]
        ways[way] = effects(pool, PAIRS, MEASURES)
        topics[way] = sum(len(c.topics) for c in pool)
    rows = {}
    for way, found in ways.items():
        means = found.loc[["MAP", "GS10", "S10", "S1000"], "difference"]
        rows[way] = {"topics": topics[way]} | counted_signs(found) | means.to_dict()
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("taken together")


def _averaged(parts):
    """Average effects on several collections, each with the same weight; their errors add up."""
    difference = sum(part["difference"] for part in parts) / len(parts)
    error = np.sqrt(sum(part["error"] ** 2 for part in parts)) / len(parts)
    reach = stats.norm.ppf(0.975) * error
    frame = pd.DataFrame({"difference": difference, "low": difference - reach})
    frame["high"] = difference + reach
    return frame.assign(told=told(frame["low"], frame["high"]))


def quarters(name: str = POOLED) -> pd.DataFrame:
    """Ask what feedback does to the topics that are poorest without it.

    Parameters
    ----------
    name : str
        As for :func:`replication`.

    Returns
    -------
    DataFrame
        One row a quarter of the topics, by the mean over the systems of AP without feedback:
        topics, base AP, the change in AP with its 95% interval over these topics, and the share
        of pairs of a system and a topic where AP rises and where it falls.
    """
    before, after = paired_scores(ours(name), PAIRS, "AP")
    change, base = after - before, before.mean(axis=1)
    rank = base.rank(method="first") - 1
    quarter = (4 * rank // len(base)).astype(int)
    rows = {}
    for number, label in enumerate(("poorest", "second", "third", "best")):
        chosen = quarter == number
        found = interval(change[chosen].mean(axis=1).to_frame("AP"))
        rows[label] = {
            "topics": int(chosen.sum()),
            "base AP": base[chosen].mean(),
            "change [95% over topics]": in_words(found).iloc[0],
            "rises": (change[chosen] > 0).to_numpy().mean(),
            "falls": (change[chosen] < 0).to_numpy().mean(),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("quarter of the topics")


def shared(
    name: str = POOLED,
    *,
    measures: Sequence[str] = ("MRR", "GS10"),
    resamples: int = 2000,
    seed: int = 2006,
) -> pd.DataFrame:
    """Ask what it does to the counts that all systems answer the same topics.

    Parameters
    ----------
    name : str
        As for :func:`replication`.
    measures : sequence of str
        Labels.
    resamples, seed : int
        Of :func:`lib.statistics.impact.joint_null`.

    Returns
    -------
    DataFrame
        One row a measure: the mean correlation of two systems' differences; the systems that lose
        significantly (ns); how probable so many or more are when nothing has changed, with the
        topics shared as they are, and if the systems were independent.
    """
    rows = {}
    for label in measures:
        change = differences(ours(name), PAIRS, MEASURES[label])
        found = counts(replication(name)).loc[label]
        null = joint_null(change, rng=np.random.default_rng(seed), resamples=resamples)
        upper = np.triu_indices(len(SYSTEMS), 1)
        ns = int(found["ns"])
        rows[label] = {
            "mean correlation": change.corr().to_numpy()[upper].mean(),
            "ns": ns,
            "shared topics": null[ns],
            "independent systems": stats.binom.sf(ns - 1, len(SYSTEMS), 0.025),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def natural(*, measures: Sequence[str] = ("MAP", "P10", "MRR", "GS10", "S10")) -> pd.DataFrame:
    """Look at TREC-8 runs that were submitted without and with expansion.

    Which runs form a pair is inferred from their tags and from the groups' abstracts.

    Returns
    -------
    DataFrame
        One row a pair and measure: base, feedback, difference, low and high (its 95% interval over
        topics), p (paired t test), topics needed for 80% power.
    """
    chosen = {label: MEASURES[label] for label in measures}
    trec8 = load("trec8")
    found = impact(trec8, TREC8_PAIRS, chosen)
    found = found.rename(columns={"before": "base", "after": "feedback", "system": "pair"})
    change = {label: differences(trec8, TREC8_PAIRS, measure) for label, measure in chosen.items()}
    needed = {label: topics_needed(table) for label, table in change.items()}
    ends = {label: interval(table) for label, table in change.items()}
    for end in ("low", "high"):
        found[end] = [ends[row.measure].loc[row.pair, end] for row in found.itertuples()]
    found["topics needed"] = [needed[row.measure][row.pair] for row in found.itertuples()]
    found = found.sort_values("pair", kind="stable").set_index(["pair", "measure"])
    return found[["base", "feedback", "difference", "low", "high", "p", "topics needed"]]
