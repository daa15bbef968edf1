"""The tables of the chapter on runs outside the pool."""

import numpy as np
import pandas as pd

from chapters.data_tables import read
from lib.intervals import Interval, between
from lib.paths import short_title

DEPTH = 10  # of the pools that single numbers are of
SHARES = [0, 0.1, 0.25, 0.5, 1]  # of unjudged documents, between which runs are summed up
_SHOWN = ("AP", "nDCG@20", "P@10")


def losses_by_kind() -> pd.DataFrame:
    """Return what runs lose outside a pool, by collection, kind of run, depth and measure.

    Examples
    --------
    >>> losses_by_kind().loc[("trec8", "automatic", 100, "AP"), "share"].round(4)
    np.float64(0.0014)
    """
    keys = ["collection", "kind", "depth", "measure"]
    return read("spending", "losses").set_index(keys).sort_index()


def loss(rows: pd.Series | pd.DataFrame) -> Interval:
    """Return the share of their score that runs lose, with the jackknife's error over groups."""
    return Interval.of(rows["share"], rows["error_groups"], rows["groups"] - 1)


def in_percent(rows: pd.DataFrame) -> pd.Series:
    """Write what the runs of each row lose: only the share has a percent sign, not its interval.

    >>> in_percent(pd.DataFrame({"share": [0.0108], "error_groups": 0.0014, "groups": 500})).item()
    '1.1% [0.8, 1.4]'
    """
    lost = loss(rows)
    ends = 100 * np.transpose([lost.estimate, lost.low, lost.high])
    texts = [between(middle, low, high, ".1f") for middle, low, high in ends]
    return pd.Series(texts, rows.index).str.replace(" [", "% [")


def lost(collection: str) -> pd.DataFrame:
    """Return what runs of each kind lose by each measure outside the pool of a depth."""
    rows = read("spending", "losses").query("collection == @collection and depth == @DEPTH")
    rows = rows.dropna(subset="share")
    who = rows["kind"] + rows["runs"].map(" ({:.0f} runs)".format)
    wide = in_percent(rows).set_axis([rows["measure"], who]).unstack()
    every = rows[rows["kind"] == "all"].set_index("measure")
    kinds = who[rows["kind"] != "all"].unique()
    return wide.loc[every.index, kinds].join(every[["places", "most"]])


def by_run(measure: str = "AP") -> pd.DataFrame:
    """Return what each run loses, and how many of its first ten documents are unjudged."""
    rows = read("spending", "runs").query("depth == @DEPTH").set_index(["collection", "run"])
    scored, unjudged = (rows[rows["measure"] == name] for name in (measure, "unjudged@10"))
    bins = [f"{low:.0%} to {high:.0%}" for low, high in zip(SHARES, SHARES[1:])]
    table = scored[["type", "inside", "outside"]].assign(
        manual=scored["type"] == "manual",
        unjudged=unjudged["outside"],
        bin=pd.cut(unjudged["outside"], SHARES, labels=bins, include_lowest=True),
        lost=1 - scored["outside"] / scored["inside"],
        **{f"place {side}": scored[f"rank_{side}"].astype(int) for side in ("inside", "outside")},
    )
    table = table.dropna(subset="lost").reset_index()
    return table.assign(title=table["collection"].map(short_title))


def by_unjudged() -> pd.DataFrame:
    """Sum up what runs lose by how many of their first ten documents are unjudged."""
    columns = {}
    for measure in ("AP", "P@10"):
        parts = by_run(measure).groupby(["title", "bin"], observed=True)
        columns["runs"] = parts.size()
        columns[f"{measure}, median"] = parts["lost"].median()
        columns[f"{measure}, worst"] = parts["lost"].max()
    table = pd.DataFrame(columns).rename_axis(["collection", "unjudged to rank 10"])
    return table.loc[["TREC-8", "TREC-COVID"]]


def losses_on_five() -> pd.DataFrame:
    """Return what runs of five collections lose outside a pool of depth 10."""
    rows = read("spending", "losses").query("kind == 'all' and depth == @DEPTH")
    rows = rows[rows["measure"].isin(_SHOWN)].assign(lost=in_percent)
    wide = rows.pivot(index="collection", columns="measure", values="lost")[[*_SHOWN]]
    facts = rows[rows["measure"] == "AP"].set_index("collection")
    pool = facts["simulated"].map({True: "simulated", False: "real"})
    return pd.DataFrame({"pool": pool, "groups": facts["groups"]}).join(wide).rename(short_title)
