"""Runs of others, and other parameters of feedback: does the replication stand?

The grid of feedback parameters was computed in advance from the texts.
"""

from functools import cache

import numpy as np
import pandas as pd

from chapters.tomlinson2006 import tables
from chapters.tomlinson2006.tables import COLLECTIONS, FOUR, RUN_PAIRS, SYSTEM_NAMES
from lib.collection import load
from lib.display.prose import intervals
from lib.intervals import Interval
from lib.measures import GS10_BASE
from lib.paths import DATA
from lib.retrieval import FACTORS
from lib.statistics.impact import paired_scores, topics_needed

# TREC-8 runs that seem to differ in expansion only: inferred from run tags and abstracts.
TREC8_PAIRS = (
    ("Ricoh, ric8tpn and ric8tpx", "ric8tpn", "ric8tpx"),
    ("Ricoh, ric8dpn and ric8dpx", "ric8dpn", "ric8dpx"),
    ("NTT, nttd8al and nttd8ale", "nttd8al", "nttd8ale"),
    ("NTT, nttd8am and nttd8ame", "nttd8am", "nttd8ame"),
)


def natural() -> pd.DataFrame:
    """Look at TREC-8 runs that were submitted without and with expansion, by five measures.

    Pairs of runs are inferred from their tags and from the groups' abstracts.  A row a pair
    and measure: means of both, their difference with its 95% interval over topics (low and high),
    and the topics needed to show it with 80% power.
    """
    trec8 = load("trec8")
    parts = {}
    for measure in (*FOUR.values(), "Success@10"):
        base, feedback = paired_scores(trec8, TREC8_PAIRS, measure)
        change = feedback - base
        parts[measure] = tables.interval(change)[["difference", "low", "high"]].assign(
            base=base.mean(), feedback=feedback.mean(), topics=topics_needed(change)
        )
    by_pair = pd.concat(parts, names=["measure", "pair"]).swaplevel()
    return by_pair.sort_index(level="pair", sort_remaining=False)


# The grid: a row a setting and topic; documents, terms and weight as factors of each system's own.


@cache
def stored_grid(name: str) -> pd.DataFrame:
    """Return a collection's grid, with the factors of its parameters."""
    table = pd.read_parquet(DATA / "feedback" / f"{name}-grid" / "grid.parquet")
    for parameter, factors in FACTORS.items():
        place = table.groupby("system")[parameter].rank(method="dense").astype(int)
        table[parameter] = place.map(dict(enumerate(factors, 1)))  # their order tells them
    return table


def four_scores(table: pd.DataFrame) -> pd.DataFrame:
    """Return MAP, P10, MRR and GS10 of each row of a grid, from the ranks that it stores."""
    first = table["first"].astype(float).replace(0, np.inf)  # where nothing relevant was found
    columns = {"MAP": table["ap"] / 10_000, "P10": table["top10"] / 10}
    return pd.DataFrame(columns | {"MRR": 1 / first, "GS10": GS10_BASE ** (1 - first)})


@cache
def _grid_changes() -> pd.DataFrame:
    """Return the difference to the base run, one row a collection, setting and topic."""
    parts = []
    for name in COLLECTIONS:
        table = stored_grid(name).assign(collection=name)
        own = tables.ours(name)
        base = pd.DataFrame(
            {label: paired_scores(own, RUN_PAIRS, FOUR[label])[0].stack() for label in FOUR}
        )
        place = table["system"].map({system: i for i, system in enumerate(SYSTEM_NAMES)})
        at = table["topic"].to_numpy() * len(SYSTEM_NAMES) + place.to_numpy()
        parts.append(table.assign(**four_scores(table) - base.to_numpy()[at].round(4)))
    return pd.concat(parts, ignore_index=True)


def grid_effects() -> pd.DataFrame:
    """Return the mean change at each value of each parameter, with its 95% interval over topics.

    The mean is over systems and the other parameters; values are factors of the fixed one.
    """
    rows = {}
    for parameter, factors in FACTORS.items():
        for factor in factors:
            changed = tables.interval(_at_factor(parameter, factor))
            rows[parameter, f"x {factor:g}"] = intervals(changed, "difference")
    return pd.DataFrame(rows).T.rename_axis(["parameter", "factor"])


def _at_factor(parameter: str, factor: float) -> pd.DataFrame:
    """Return each topic's mean change over systems and other parameters, at one value of one."""
    table = _grid_changes()
    chosen = table[np.isclose(table[parameter], factor)]
    return chosen.groupby(["collection", "topic"])[list(FOUR)].mean()


def change_at_weight(_: str, label: str, factor: float) -> Interval:
    """Return the mean change over our systems and four collections at a weight of the feedback."""
    by_topic = _at_factor("weight", factor)
    change = tables.interval(by_topic).loc[label]
    return Interval.of(change["difference"], change["error"], len(by_topic) - 1)


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
    (collection,) = tables.ours(name)
    base = paired_scores(collection, RUN_PAIRS, FOUR[measure])[0][system].to_numpy()
    rows = table[chosen].sort_values("topic")
    fed = four_scores(rows)[measure].round(4).to_numpy()
    frame = pd.DataFrame({"base": base.round(4), "feedback": fed}, collection.topics.index)
    return frame.assign(difference=(frame["feedback"] - frame["base"]).round(4))
