"""How a report opens: what was asked, what the collection is, and its systems with their means."""

import hashlib
from collections.abc import Mapping

import numpy as np
import pandas as pd

import lib
from lib.collection import Collection, limits
from lib.collection.package import digest
from lib.display import tables
from lib.measures import Scores
from lib.reporting.intervals import LEAST
from lib.statistics.comparison import mean_intervals

__all__ = ["asked", "depths", "facts", "judged", "judged_share", "known", "systems"]

JUDGED = (5, 10, 20, 100, 1000)  # ranks down to which the share of judged documents is told


def asked(collection: Collection, *, command: str, missing: int) -> list[str]:
    """Say what a report is of, so that it can be made again.

    Parameters
    ----------
    collection : Collection
    command : str
        What was typed; empty when the report was asked for in Python.
    missing : int
        Tables and figures of the papers that the report lacks.
    """
    said = [
        f"Made with {command}." if command else "Made in Python, with lib.report(collection).",
        f"Measuring the Measures, version {lib.__version__}.  Random draws begin from fixed seeds: "
        "the same command on the same collection gives the same page.",
        f"The collection's tables have the SHA-256 {fingerprint(collection)}."
        if "nonrelevant" in collection.hits
        else "The collection was pooled again in memory, so its tables have no hash.",
    ]
    if collection.skipped_runs:
        runs = [f"{run} ({why})" for run, why in collection.skipped_runs.items()]
        said.append(f"Runs left out when the collection was derived: {', '.join(runs)}.")
    if len(collection.topics) < LEAST:
        said.append(
            f"With fewer than {LEAST} topics, tables and figures of the papers have no intervals."
        )
    if missing:
        said.append(
            f"Tables and figures of the papers that are not defined on it: {missing}; each says "
            "why."
        )
    return said


def fingerprint(collection: Collection) -> str:
    """Return the SHA-256 of the hashes of a collection's tables, in the order of their names."""
    hashes = sorted(f"{file} {digest(table)}" for file, table in collection.tables().items())
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()


def facts(collection: Collection) -> list[str]:
    """Describe a collection: its size, its gaps, and what is not known of it."""
    topics = collection.topics
    said = [
        f"Systems: {len(collection.systems):,}. Topics: {len(topics):,}. Relevant documents: "
        f"{len(collection.relevant):,}, retrieved {len(collection.hits):,} times.",
        f"Topics without a relevant document: {(topics['relevant'] == 0).sum():,}. Every measure "
        "scores them 0.",
        f"Lists missing, of systems that did not answer a topic: "
        f"{(collection.retrieved < 0).sum():,}. They score 0.",
    ]
    if collection.relevant_from > 1:
        said.append(f"Binary measures count grades from {collection.relevant_from} as relevant.")
    unknown = _unknown(collection)
    if unknown:
        said.append(f"Not known of the systems: {', '.join(unknown)}.")
    return said


def _unknown(collection):
    return [c for c in ("group", "type", "pooled") if (collection.systems[c] == "").all()]


def systems(collection: Collection, scores: Mapping[str, Scores]) -> tables.Table:
    """Show the systems and their means with intervals over topics, best first.

    Parameters
    ----------
    collection : Collection
    scores : dict of str to DataFrame (topics x systems)
        By measure; the first one orders the systems.
    """
    frame = pd.DataFrame(
        {"topics": (collection.retrieved >= 0).sum(axis=0)}, collection.systems.index
    )
    if (frame["topics"] == len(collection.topics)).all():
        frame = frame.drop(columns="topics")
    first = next(iter(scores))
    order = scores[first].mean().round(10)
    interval = ""
    for name, table in scores.items():
        if len(table) > 1:
            found = mean_intervals(table)
            reach = (found["high"] - found["low"]) / 2
            frame[name] = [f"{m:.3f} \u00b1 {r:.3f}" for m, r in zip(found["mean"], reach)]
            interval = ", \u00b1 half the 95% interval over topics"
        else:
            frame[name] = table.mean().map("{:.3f}".format)
    frame = frame.loc[order.sort_values(ascending=False, kind="stable").index].rename_axis("run")
    return tables.table(
        frame, caption=f"The systems, best first by mean {first}. Means over all topics{interval}."
    )


def judged_share(collection: Collection, depth: int) -> pd.Series:
    """Return the share of the documents down to a depth that were judged, for each system.

    Where the collection knows the ranks of all judged documents, it is of the first ``depth`` ranks
    of all lists; else of the documents down to the last relevant one among them, since below it the
    hits do not tell.  NaN for a system with no such document.

    Parameters
    ----------
    collection : Collection
    depth : int

    Examples
    --------
    >>> runs, grades = {"A": {"t": ["r", "x", "u", "s"]}}, {"t": {"r": 1, "s": 1, "x": 0}}
    >>> toy = Collection.from_rankings(runs, grades)
    >>> judged_share(toy, 4)["A"], judged_share(toy, 2)["A"]
    (np.float64(0.75), np.float64(1.0))
    """
    hits, count = collection.relevance(), len(collection.systems)
    if collection.judged is not None:
        inside = collection.judged["rank"] <= depth
        nonrelevant = np.bincount(collection.judged["system"][inside], minlength=count)
        seen = hits.count(hits.top(depth)).sum(axis=0) + nonrelevant
        whole = np.minimum(hits.retrieved, depth).sum(axis=0)
    else:
        unjudged, whole = hits.unjudged(depth)
        seen = whole - unjudged
    share = np.divide(seen, whole, out=np.full(count, np.nan), where=whole > 0)
    return pd.Series(share, index=collection.systems.index)


def judged(collection: Collection) -> tuple[tables.Table, tables.Table]:
    """Show which share of the systems' documents was judged, down to some depths.

    Returns
    -------
    least : Table
        The least, the middle and the greatest share among the systems, and the share of the
        documents that were not judged.
    every : Table
        Of each system.
    """
    longest = int(collection.retrieved.max(initial=0))
    depths = [depth for depth in JUDGED if depth <= longest] or [max(longest, 1)]
    frame = pd.DataFrame({f"top {depth:,}": judged_share(collection, depth) for depth in depths})
    of = (
        "of all documents down to there"
        if collection.judged is not None
        else "of the documents down to the last relevant one within the depth; derive with "
        "--judged to know the rest"
    )
    spread = frame.quantile([0, 0.5, 1]).set_axis(
        ["judged, least of a system", "the middle one", "most"]
    )
    spread.loc["unjudged, the middle one"] = 1 - spread.loc["the middle one"]
    caption = f"The share of each system's documents that was judged: {of}."
    frame["unjudged, " + frame.columns[-1]] = 1 - frame.iloc[:, -1]
    order = frame.iloc[:, 0].sort_values(kind="stable").index
    return (
        tables.table(spread, formats=".0%", caption=caption),
        tables.table(
            frame.loc[order].rename_axis("run"), formats=".0%", caption=f"{caption} Least first."
        ),
    )


def known(collection: Collection) -> tables.Table | None:
    """Show what is known of the systems: group, type, whether they were judged from."""
    frame = collection.systems[["group", "type", "pooled"]].drop(columns=_unknown(collection))
    return tables.table(frame, caption="") if frame.shape[1] else None


def depths(collection: Collection) -> tables.Table:
    """Show at which depths a collection can be pooled and evaluated."""
    able = limits(collection)
    frame = pd.DataFrame(
        {
            "documents unjudged": able["unjudged"],
            "lists as long": able["lists"],
            "pool": able["pool"].map({True: "yes", False: "no"}),
            "evaluation": able["evaluation"].map({True: "yes", False: "no"}),
        }
    )
    return tables.table(
        frame,
        formats=".1%",
        caption="How deep the judgements and the lists go: whether a pool of each depth can be "
        "simulated (at most 3% of the documents unjudged) and lists be evaluated to it (at "
        "least 95% of them as long).",
    )
