"""Whether the replication stands when its choices are made otherwise.

The grid of feedback parameters was computed in advance from the texts.
"""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from lib.collection import load
from lib.display.prose import intervals
from lib.measures import GS10_BASE
from lib.papers.tomlinson2006.tables import (
    COLLECTIONS,
    COUNTER_EXAMPLES,
    FOUR,
    MEASURES,
    PAIRS,
    SYSTEMS,
    changes,
    counted_signs,
    effects,
    five,
    interval,
    ours,
    replication,
    sign_of_interval,
)
from lib.paths import DATA
from lib.retrieval.experiment import FACTORS
from lib.statistics.impact import (
    counts,
    differences,
    impact,
    joint_null,
    paired_scores,
    topics_needed,
)

# TREC-8 runs that seem to differ in expansion only: inferred from run tags and abstracts.
TREC8_PAIRS = (
    ("Ricoh, ric8tpn and ric8tpx", "ric8tpn", "ric8tpx"),
    ("Ricoh, ric8dpn and ric8dpx", "ric8dpn", "ric8dpx"),
    ("NTT, nttd8al and nttd8ale", "nttd8al", "nttd8ale"),
    ("NTT, nttd8am and nttd8ame", "nttd8am", "nttd8ame"),
)


def by_test(*, resamples: int = 10_000, seed: int = 2006) -> pd.DataFrame:
    """Compare the five counts of the four measures that three tests give: a column a test."""
    options: dict[str, dict[str, Any]] = {
        "t": {},
        "Wilcoxon": {},
        "permutation": {"resamples": resamples, "rng": np.random.default_rng(seed)},
    }
    found = {test: impact(ours(), PAIRS, FOUR, test=test, **more) for test, more in options.items()}
    columns = {test: five(counts(table)) for test, table in found.items()}
    return pd.DataFrame(columns).rename_axis("measure")


def power(name: str = "cf") -> pd.DataFrame:
    """Return how many topics would show each system's change, were it what we measured.

    With 80% power at the 5% level: the smallest, median and largest number of topics over the
    systems, and for how many of these 50 and 150 topics are enough.
    """
    change = {label: differences(ours(name), PAIRS, measure) for label, measure in FOUR.items()}
    needed = pd.DataFrame({label: topics_needed(of) for label, of in change.items()})
    rows = {
        "least": needed.min(),
        "median": needed.median(),
        "most": needed.max(),
        "systems with 50": (needed <= 50).sum(),
        "systems with 150": (needed <= 150).sum(),
    }
    return pd.DataFrame(rows).rename_axis("measure")


def pooling() -> pd.DataFrame:
    """Ask what it does to the signs which topics are taken together, and how: a row a way."""
    chosen = {
        f"without {title}": [name for name in COLLECTIONS if name != without]
        for without, title in COLLECTIONS.items()
    }
    chosen["all six collections"] = [*COLLECTIONS, *COUNTER_EXAMPLES]
    pools = {way: [c for name in names for c in ours(name)] for way, names in chosen.items()}
    ways = {
        "every topic counts the same": (ours(), changes()),
        "every collection counts the same": (ours(), _averaged(map(changes, COLLECTIONS))),
    } | {way: (pool, effects(pool, PAIRS, MEASURES)) for way, pool in pools.items()}
    rows = {}
    for way, (pool, found) in ways.items():
        means = found.loc[["MAP", "GS10", "S10", "S1000"], "difference"]
        topics = sum(len(collection.topics) for collection in pool)
        rows[way] = {"topics": topics} | counted_signs(found) | means.to_dict()
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("taken together")


def _averaged(parts):
    """Average effects on several collections, each with the same weight; their errors add up."""
    parts = list(parts)
    difference = sum(part["difference"] for part in parts) / len(parts)
    error = np.sqrt(sum(part["error"] ** 2 for part in parts)) / len(parts)
    reach = stats.norm.ppf(0.975) * error
    frame = pd.DataFrame({"difference": difference, "low": difference - reach})
    frame["high"] = difference + reach
    return frame.assign(told=sign_of_interval(frame["low"], frame["high"]))


def quarters() -> pd.DataFrame:
    """Ask what feedback does to the topics that are poorest without it.

    A row a quarter of the topics, by the mean over the systems of AP without feedback: topics, base
    AP, the change in AP with its 95% interval over these topics, and the share of pairs of a system
    and a topic where AP rises and where it falls.
    """
    before, after = paired_scores(ours(), PAIRS, "AP")
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
            "change [95% over topics]": intervals(found, "difference").iloc[0],
            "rises": (change[chosen] > 0).to_numpy().mean(),
            "falls": (change[chosen] < 0).to_numpy().mean(),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("quarter of the topics")


def shared(*, resamples: int = 2000, seed: int = 2006) -> pd.DataFrame:
    """Ask what it does to the counts that all systems answer the same topics.

    By MRR and GS10: the mean correlation of two systems' differences; the systems that lose
    significantly (ns); how probable so many or more are when nothing has changed, with the topics
    shared as they are, and if the systems were independent.
    """
    rows = {}
    for label in ("MRR", "GS10"):
        change = differences(ours(), PAIRS, MEASURES[label])
        null = joint_null(change, rng=np.random.default_rng(seed), resamples=resamples)
        upper = np.triu_indices(len(SYSTEMS), 1)
        ns = int(counts(replication()).loc[label, "ns"])
        rows[label] = {
            "mean correlation": change.corr().to_numpy()[upper].mean(),
            "ns": ns,
            "shared topics": null[ns],
            "independent systems": stats.binom.sf(ns - 1, len(SYSTEMS), 0.025),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def natural() -> pd.DataFrame:
    """Look at TREC-8 runs that were submitted without and with expansion, by five measures.

    Which runs form a pair is inferred from their tags and from the groups' abstracts.  A row a pair
    and measure: base, feedback, difference, low and high (its 95% interval over topics), p (paired
    t test), topics needed for 80% power.
    """
    chosen = {label: MEASURES[label] for label in ("MAP", "P10", "MRR", "GS10", "S10")}
    trec8 = load("trec8")
    parts = {}
    for label, measure in chosen.items():
        change = differences(trec8, TREC8_PAIRS, measure)
        needed = topics_needed(change).rename("topics needed")
        parts[label] = interval(change)[["low", "high"]].join(needed)
    more = pd.concat(parts, names=["measure", "pair"])
    found = impact(trec8, TREC8_PAIRS, chosen)
    found = found.rename(columns={"before": "base", "after": "feedback", "system": "pair"})
    found = found.sort_values("pair", kind="stable").set_index(["pair", "measure"]).join(more)
    return found[["base", "feedback", "difference", "low", "high", "p", "topics needed"]]


# The grid: a row a setting and topic; documents, terms and weight as factors of each system's own.


@cache
def stored_grid(name: str) -> pd.DataFrame:
    """Return a collection's grid, with the factors of its parameters."""
    table = pd.read_parquet(DATA / "feedback" / f"{name}-grid" / "grid.parquet")
    return table.assign(
        **{
            parameter: table.groupby("system")[parameter]
            .rank(method="dense")
            .astype(int)
            .map(dict(enumerate(factors, 1)))  # their order tells them
            for parameter, factors in FACTORS.items()
        }
    )


def four_scores(table: pd.DataFrame) -> pd.DataFrame:
    """Return MAP, P10, MRR and GS10 of each row of a grid, from the ranks that it stores."""
    first = table["first"].to_numpy()
    found = first > 0
    return pd.DataFrame(
        {
            "MAP": table["ap"].to_numpy() / 10_000,
            "P10": table["top10"].to_numpy() / 10,
            "MRR": np.where(found, 1 / np.maximum(first, 1), 0.0),
            "GS10": np.where(found, GS10_BASE ** (1.0 - first), 0.0),
        },
        index=table.index,
    )


@cache
def _grid_changes():
    """Return the difference to the base run, one row a collection, setting and topic."""
    parts = []
    for name in COLLECTIONS:
        table = stored_grid(name).assign(collection=name)
        base = pd.concat(
            [
                paired_scores(ours(name), PAIRS, measure)[0].stack().rename(label)
                for label, measure in FOUR.items()
            ],
            axis=1,
        )
        place = table["system"].map({system: i for i, system in enumerate(SYSTEMS)})
        at = table["topic"].to_numpy() * len(SYSTEMS) + place.to_numpy()
        parts.append(table.assign(**four_scores(table) - base.to_numpy()[at].round(4)))
    return pd.concat(parts, ignore_index=True)


def grid_by_weight() -> pd.DataFrame:
    """Return what each weight of the feedback terms does, with its 95% interval over topics.

    The mean difference over systems, documents and terms; weights are factors of the fixed one.
    """
    rows = {}
    for weight, part in _grid_changes().groupby("weight"):
        by_topic = part.groupby(["collection", "topic"])[list(FOUR)].mean()
        rows[f"x {weight:g}"] = intervals(interval(by_topic), "difference")
    return pd.DataFrame(rows).T.rename_axis("weight")


def grid_summary() -> pd.DataFrame:
    """Say at how many settings of the grid feedback does what the paper says.

    A row a value of one parameter (as a factor of the fixed one), and one of all settings: settings
    (times systems), mean differences, and the share of settings where MAP rises, where GS10 falls,
    and where both happen.
    """
    by_setting = _grid_changes().groupby(["system", *FACTORS], sort=False)[list(FOUR)].mean()
    rises, falls = by_setting["MAP"] > 0, by_setting["GS10"] < 0
    shares = pd.DataFrame({"MAP rises": rises, "GS10 falls": falls, "both": rises & falls})
    table = pd.concat([by_setting, shares.astype(float)], axis=1).assign(settings=1)
    how = {"settings": "sum"} | dict.fromkeys([*by_setting, *shares], "mean")
    parts = {("all settings", ""): table.agg(how)}
    for parameter in FACTORS:
        for factor, row in table.groupby(level=parameter).agg(how).iterrows():
            parts[parameter, f"x {factor:g}"] = row
    result = pd.DataFrame(parts).T.rename_axis(["parameter", "factor"])
    return result.astype({"settings": int})


def topic_gains(
    system: str,
    measure: str,
    documents: float = 1,
    terms: float = 1,
    weight: float = 1,
    name: str = "cf",
) -> pd.DataFrame:
    """Return each topic's score without and with feedback at a setting of the grid.

    Documents, terms and weight are factors, among FACTORS; the measure is one of the four.
    """
    table = stored_grid(name)
    chosen = table["system"] == system
    for parameter, factor in (("documents", documents), ("terms", terms), ("weight", weight)):
        chosen &= np.isclose(table[parameter], factor)
    if not chosen.any() or measure not in FOUR:
        raise ValueError(
            f"not in the grid: {system}, {measure}, documents x {documents:g}, "
            f"terms x {terms:g}, weight x {weight:g}"
        )
    (collection,) = ours(name)
    base = paired_scores(collection, PAIRS, FOUR[measure])[0][system].to_numpy()
    rows = table[chosen].sort_values("topic")
    frame = pd.DataFrame(
        {"base": base.round(4), "feedback": four_scores(rows)[measure].round(4).to_numpy()},
        index=collection.topics.index,
    )
    return frame.assign(difference=(frame["feedback"] - frame["base"]).round(4))
