"""An experiment: AP's lead for P@10 when pools, or what AP reads of lists, are made shallower.

What is to be predicted stays: the ranking by P@10 on other topics, with all judgements there are.
"""

import pandas as pd

from chapters.data_tables import read
from chapters.elsewhere.quantities import phi_of
from chapters.elsewhere.sources import Source, short_lists, sources
from lib.collection import POOLS, Collection, askable, load
from lib.display import figures
from lib.intervals import Interval, between
from lib.measures import complete_scores
from lib.paths import short_title
from lib.statistics.random_effects import plain_mean

_DEPTHS = (2, *POOLS)
_ALL = 1000  # ranks that AP reads where nothing is restricted
_NEW = "dl20"  # with runs, but no source of the older claims
_COLUMNS = ["lead", "low", "high", "change", "change_low", "change_high", "change_error", "freedom"]


def collections() -> list[Collection]:
    """Return all collections with runs, by year."""
    known = [one.collection for one in sources() if one.collection is not None]
    return [*known[:-1], load(_NEW), known[-1]]


def restrictions(collection: Collection) -> list[tuple[str, int]]:
    """Return how a collection is restricted: pools as deep as its own at most, lists at all depths.

    >>> restrictions(load("dl19"))[:4]
    [('pools', 2), ('pools', 5), ('pools', 10), ('lists', 2)]
    """
    own = max(askable(collection)[0])
    return [*(("pools", d) for d in _DEPTHS if d <= own), *(("lists", d) for d in _DEPTHS)]


def restricted_leads(collection: Collection) -> pd.DataFrame:
    """Return AP's lead for P@10 as it is and on each restriction, and the change that this makes.

    Runs whose lists are short have contributed to the pools, and are not compared.  Columns
    collection, restricted (pools, lists; empty: as it is), depth, and the ends of the lead and of
    its change, with the error and degrees of freedom of the change.
    """
    ways = restrictions(collection)
    scores = complete_scores(collection, ["P@10", "AP"])
    for way, depth in ways:
        seen = (collection.pooled(depth), "AP") if way == "pools" else (collection, f"AP@{depth}")
        scores[f"{way} {depth}"] = complete_scores(*seen)
    short = short_lists(collection)
    scores = {label: table.drop(columns=short) for label, table in scores.items()}
    source = Source(collection.name, collection.title, None, scores)
    by = phi_of(source, tuple(scores))["P@10"]  # how each predicts P@10
    rows, (_, *labels) = [], scores
    for label, (way, depth) in zip(labels, [("", 0), *ways]):
        one, moved = ((by[label] - by[rival]).interval() for rival in ("P@10", "AP"))
        ends = one.estimate, one.low, one.high, moved.estimate, moved.low, moved.high
        rows.append([collection.name, way, depth, *map(float, (*ends, moved.error, moved.freedom))])
    return pd.DataFrame(rows, columns=["collection", "restricted", "depth", *_COLUMNS])


def committed_leads() -> pd.DataFrame:
    """Return what :func:`restricted_leads` was of each collection, as ``data/depth`` has it.

    >>> committed_leads().query("restricted == ''")["collection"].tolist()
    ['trec5', 'trec8', 'dl19', 'trec-covid', 'dl20', 'dl21']
    """
    return read("depth", "restricted").fillna({"restricted": ""})


def change_of_lead(way: str, depth: int, pools: str) -> Interval:
    """Return the mean change of AP's lead by a restriction, each collection counted alike.

    ``pools`` says on which: those whose own pools are "deep", 100 ranks, or "shallow".
    """
    table = committed_leads()
    rows = table[(table["restricted"] == way) & (table["depth"] == depth)]
    own = rows[rows["collection"].isin(_deep(table)) == (pools == "deep")]
    return plain_mean(own["change"], own["change_error"], own["freedom"])


def _deep(table: pd.DataFrame) -> set[str]:
    """Return the collections whose own pools are deep."""
    return {*table.query("restricted == 'pools' and depth == 100")["collection"]}


def quoted() -> dict[str, str]:
    """Return the numbers that the text of chapter 5's audit shows."""
    two = committed_leads().query("restricted == 'pools' and depth == 2").set_index("collection")
    return {
        "restricted-trec5-two": between(*two.loc["trec5", _COLUMNS[3:6]]),
        "restricted-pools-deep": str(change_of_lead("pools", 10, "deep")),
        "restricted-lists-deep": str(change_of_lead("lists", 20, "deep")),
        "restricted-lists-shallow": str(change_of_lead("lists", 20, "shallow")),
    }


def draw_restricted() -> figures.Figure:
    """Draw AP's lead by how deep pools are, and by how many ranks AP reads: a line a collection."""
    table = committed_leads()
    whole = table[table["restricted"] == ""].assign(depth=_ALL)
    titles = {name: short_title(name) for name in table["collection"].unique()}
    deep = _deep(table)
    ways = {"pools": "Judged to this rank", "lists": "Read to this rank"}
    with figures.panels([*ways.values()], ylabel="lead of AP (tau)") as (drawing, axes):
        for ax, way in zip(axes, ways):
            ax.axhline(0, **figures.REFERENCE)
            for marker, (name, title) in zip("os^vDp", titles.items()):
                own = table[(table["collection"] == name) & (table["restricted"] == way)]
                if way == "lists":
                    own = pd.concat([own, whole[whole["collection"] == name]])
                words = [between(*ends) for ends in own[["lead", "low", "high"]].to_numpy()]
                color = figures.INK if name in deep else figures.PALE
                line = own["depth"], own["lead"], title
                figures.draw_line(ax, *line, tell="", words=words, color=color, marker=marker)
            figures.log_axis(ax, (*_DEPTHS, _ALL) if way == "lists" else _DEPTHS)
        drawing.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    judged, read_on = change_of_lead("pools", 10, "deep"), change_of_lead("lists", 20, "shallow")
    summed = (
        f"where pools are deep, to judge ten ranks changes AP's lead by {judged}; where they are "
        f"shallow, to read twenty changes it by {read_on}"
    )
    data = pd.concat([table[table["restricted"] != ""], whole.assign(restricted="nothing")])
    data = data.replace({"collection": titles})
    return figures.Figure(
        drawing,
        data=data.set_index(["collection", "restricted", "depth"])[_COLUMNS[:6]],
        formats="+.3f",
        alt=f"Lines of AP's lead by depth. On average, {summed}.",
        caption="Judging ten ranks hardly changes AP's lead on TREC-5 and TREC-8, judging two "
        "lowers it on TREC-5. AP's lead for P@10 at 25 topics a set, by how deep pools are and AP "
        "reads; gray: own pools below 100 ranks.",
    )
