"""The tables of the chapter on spending judgements."""

import numpy as np
import pandas as pd

from chapters.data_tables import read
from chapters.spending.choosing import ESTIMATED
from chapters.spending.pilot import TOP_SYSTEMS
from lib.conventions import DASH
from lib.display.prose import intervals
from lib.intervals import Interval
from lib.paths import short_title

_KEYS = {
    "ways": ["collection", "way", "depth", "measure"],
    "turns": ["source", "measure", "topics", "method"],
    "backtest": ["collection", "held", "share", "topic_cost"],
    "top": ["collection", "held", "share", "topic_cost"],
    "ahead": ["source", "few", "topics", "measure", "kind"],
}
PREDICTORS = ("AP", "nDCG@20", "P@10")  # measures that predict the order by AP
# What plans are set beside: AP on the pool of depth 10, of as many topics as the budget pays; P@10
# on that pool; AP on all topics, from the deepest pool that the budget pays.
BASELINES = ("AP of depth 10", "P@10", "AP of all topics")
_BUDGETS = (500, 1000, 2500, 5000, 10_000)  # judgements


def keyed(name: str) -> pd.DataFrame:
    """Return a committed table by its keys: of ways with all topics that predict.

    Examples
    --------
    >>> keyed("turns").loc[("trec8", "AP", 25, "t"), "pairs"]
    np.int64(8256)
    """
    rows = read("spending", name)
    if name == "ways":
        rows = rows[rows["topics"] == rows.groupby("collection")["topics"].transform("max")]
        rows = rows.assign(flattery=rows["inside"] - rows["outside"])
    return rows.set_index(_KEYS[name]).sort_index()


def gains(depth: int = 5) -> pd.DataFrame:
    """Return what each way of choosing gains over the pool of a depth, by AP or inferred AP.

    Index collection and way; ``gain`` of systems in the pool, with its error over topics;
    ``later`` of systems that came later, with its error over ``groups``.
    """
    table = read("spending", "ways").query("depth == @depth and way != 'depth'")
    table = table[table["topics"] == table.groupby("collection")["topics"].transform("max")]
    table = table[table["measure"] == table["way"].map(ESTIMATED).fillna("AP")]
    pools = read("spending", "losses").query("kind == 'all'").groupby("collection")["groups"].max()
    names = {"outside_gain": "later", "outside_gain_error": "later_error"}
    table = table.rename(columns=names).assign(groups=table["collection"].map(pools))
    return table.set_index(["collection", "way"])


def gain_interval(rows: pd.Series | pd.DataFrame, who: str = "gain") -> Interval:
    """Return what is gained by rows of :func:`gains`, by systems in the pool or by later ones."""
    freedom = rows["groups"] - 1 if who == "later" else np.inf
    return Interval.of(rows[who], rows[f"{who}_error"], freedom)


def best_buys() -> pd.DataFrame:
    """Return the best that budgets buy from pools of a depth, inside and outside."""
    rows, every = {}, read("spending", "ways").query("way == 'depth'")
    for collection in ("trec8", "trec-covid"):
        for budget in _BUDGETS:
            row, paid = {}, every.query("collection == @collection and judgements <= @budget")
            for side, who in (("inside", "in the pool"), ("outside", "later")):
                best = paid.nlargest(1, side).iloc[0]
                row[who] = f"{best['measure']}, {best['topics']} × {best['depth']}"
                row[f"placed {who}"] = best[side]
            rows[short_title(collection), budget] = row
    index = ["collection", "judgements"]
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index)


def ways(*, depth: int = 5) -> pd.DataFrame:
    """Return what each way of choosing gains on each collection, by AP or inferred AP."""
    table = gains(depth)
    by_way = table[["judgements", "phi"]].rename(columns={"phi": "predicts"})
    for who in ("gain", "later"):
        texts = intervals(gain_interval(table, who).to_frame(), "estimate")
        by_way[who] = np.where(table[who].isna(), DASH, texts)
    return by_way.rename(short_title, level="collection")


def findable_differences(source: str = "trec8") -> pd.DataFrame:
    """Return what comparisons of two systems of a source can find, measure by measure."""
    names = {
        "deviation": "deviation",
        "half_width": "half-width",
        "spread": "one SD",
        "needed": "topics for one SD",
        "design": "Sakai's design",
        "of_ap": "topics for AP's .05",
        "needed_05": "topics for .05",
        "needed_all": "one SD, all pairs",
    }
    table = read("spending", "needs").query("source == @source").set_index("measure")
    return table[list(names)].rename(columns=names).sort_values("topics for one SD")


def significant_pairs() -> pd.DataFrame:
    """Return how many pairs each method calls different, and what other topics say of these."""
    table = read("spending", "turns").query("topics == 50 or source == 'trec8'")
    table = table.assign(collection=[short_title(name) for name in table["source"]])
    columns = ["topics", "others", "significant", "again", "turned", "against"]
    return table.set_index(["collection", "measure", "method"])[columns].sort_index(
        level="collection", ascending=False, sort_remaining=False, kind="stable"
    )


def coverage() -> pd.DataFrame:
    """Return the back-test's promises, what was seen, and how often the interval covered it."""
    every = {"all": read("spending", "backtest"), f"top {TOP_SYSTEMS}": read("spending", "top")}
    table = pd.concat(every, names=["order of"]).reset_index(level="order of")
    table = table.rename(columns={"coverage": "covered", "held": "held out"})
    table["collection"] = table["collection"].map(short_title)
    columns = ["promised", "seen", "covered", "reach"]
    means = table.groupby(["collection", "order of", "held out"], sort=False)[columns].mean()
    return means.sort_index(level=["collection", "order of"], sort_remaining=False)
