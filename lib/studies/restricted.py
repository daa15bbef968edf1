"""An experiment: AP's lead for P@10 when pools, or what AP reads of lists, are made shallower.

What is to be predicted stays: the ranking by P@10 on other topics, with all judgements there are.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from lib.collection import POOLS, Collection, askable, load
from lib.display import figures
from lib.intervals import Interval, between
from lib.measures import score_tables
from lib.statistics.random_effects import plain_mean
from lib.studies.committed import read
from lib.studies.multiverse.quantities import Estimate, phi_of
from lib.studies.sources import Source, facts, sources

DEPTHS = (2, *POOLS)
WAYS = ("pools", "lists", "both")
NEW = "dl20"  # with runs, but no source of the older claims
ENDS = ["lead", "low", "high", "change", "change_low", "change_high", "change_error", "freedom"]


def collections() -> list[Collection]:
    """Return all collections with runs, by year."""
    found = [one.collection for one in sources() if one.collection is not None]
    return [*found[:-1], load(NEW), found[-1]]


def asked(collection: Collection) -> list[tuple[str, int]]:
    """Return how a collection is restricted: pools as deep as its own at most, lists at all depths.

    >>> asked(load("dl19"))[:4]
    [('pools', 2), ('pools', 5), ('pools', 10), ('lists', 2)]
    """
    own = max(askable(collection)[0])
    return [(way, d) for way in WAYS for d in DEPTHS if way == "lists" or d <= own]


def leads(collection: Collection) -> pd.DataFrame:
    """Return AP's lead for P@10 as it is and on each restriction, and the change that this makes.

    Returns
    -------
    DataFrame
        Columns collection, restricted (pools, lists, both; empty: as it is), depth, and the ends of
        the lead and of its change, with the error and degrees of freedom of the change.
    """
    ways = asked(collection)
    scores = score_tables(collection, ["P@10", "AP"])
    for way, depth in ways:
        judged = collection if way == "lists" else collection.pooled(depth)
        name = "AP" if way == "pools" else f"AP@{depth}"
        scores[f"{way} {depth}"] = score_tables(judged, [name])[name]
    labels = tuple(scores)
    source = Source(collection.name, collection.title, None, scores)
    _, phi, without = phi_of(source, labels)
    by = Estimate(phi, tuple(without))[0]  # how each predicts P@10
    rows = []
    for place, (way, depth) in enumerate([("", 0), *ways], start=1):
        lead, change = (by[place] - by[rival] for rival in (0, 1))
        one, moved = lead.interval(), change.interval()
        ends = one.estimate, one.low, one.high, moved.estimate, moved.low, moved.high
        rows.append([collection.name, way, depth, *map(float, (*ends, moved.error, moved.freedom))])
    return pd.DataFrame(rows, columns=["collection", "restricted", "depth", *ENDS])


def committed() -> pd.DataFrame:
    """Return what :func:`leads` was, with each collection's title and how deep its pools are.

    >>> committed().query("restricted == ''")["collection"].tolist()
    ['trec5', 'trec8', 'dl19', 'trec-covid', 'dl20', 'dl21']
    """
    table = read("depth", "restricted").fillna({"restricted": ""})
    titles = {one.name: one.title for one in collections()}
    return table.assign(title=table["collection"].map(titles))


def change(way: str, depth: int, names: Iterable[str]) -> Interval:
    """Return the mean change of AP's lead by a restriction, each collection counted alike."""
    rows = committed().set_index(["restricted", "depth", "collection"])
    own = rows.loc[[(way, depth, name) for name in names]]
    return plain_mean(own["change"], own["change_error"], own["freedom"])


def deep() -> list[str]:
    """Return the collections with runs whose own pools reach rank 100."""
    table = read("depth", "restricted")
    return [*table.query("restricted == 'pools' and depth == 100")["collection"]]


def quoted() -> dict[str, str]:
    """Return the numbers that the text of chapter 5 shows."""
    return {
        "restricted-pools": str(change("pools", 10, deep())),
        "restricted-lists": str(change("lists", 20, committed()["collection"].unique())),
    }


def picture() -> figures.Figure:
    """Draw AP's lead by how deep pools are, and by how many ranks AP reads: a line a collection."""
    table = committed()
    ways = {"pools": "judged to rank", "lists": "read to rank"}
    with figures.panels([*ways.values()], sharex=True, ylabel="lead of AP (tau)") as (drawing, axes):
        for ax, (way, title) in zip(axes, ways.items()):
            ax.axhline(0, **figures.REFERENCE)
            for place, (name, own) in enumerate(table.groupby("title", sort=False)):
                rows = own[own["restricted"] == way]
                said = [between(*ends) for ends in rows[["lead", "low", "high"]].to_numpy()]
                look = {"color": figures.PALETTE[place], "marker": "o", "tell": "", "words": said}
                figures.draw_line(ax, rows["depth"], rows["lead"], name, **look)
            figures.log_axis(ax, DEPTHS)
            figures.label_lines(ax)
    ...
