"""The tables of the chapter on what is lost outside the pool and what a budget buys."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from lib.collection import about
from lib.display.prose import between
from lib.display.tables import DASH, minus_signs
from lib.studies.spending.budgets import PREDICTORS
from lib.studies.spending.read import read

SURE = 1.96  # errors on each side of a 95% interval
SHARES = [0, 0.1, 0.25, 0.5, 1]  # of unjudged documents, between which runs are summed up
DEPTH = 10  # of the pools that single numbers are told of


def with_error(value: float, error: float, form: str = "") -> str:
    """Write a number with its 95% interval.

    Examples
    --------
    >>> with_error(0.0108, 0.0014, "%"), with_error(0.035, 0.014)
    ('1.1% [0.8, 1.4]', '+0.035 [+0.008, +0.062]')
    """
    low, high = value - SURE * error, value + SURE * error
    if form != "%":
        return between(value, low, high)
    return minus_signs(f"{value:.1%} [{100 * low:.1f}, {100 * high:.1f}]").replace("[-", "[−")


def lost(collection: str, *, depth: int = DEPTH) -> pd.DataFrame:
    """Return what runs of each kind lose by each measure outside the pool of a depth."""
    table = read("losses").query("collection == @collection and depth == @depth")
    table = table[table["share"].notna()].set_index(["kind", "measure"])
    kinds = [kind for kind in dict.fromkeys(table.index.get_level_values("kind")) if kind != "all"]
    rows = {}
    for measure in dict.fromkeys(table.index.get_level_values("measure")):
        of = table.xs(measure, level="measure")
        rows[measure] = {
            f"{kind} ({of.loc[kind, 'runs']:.0f} runs)": with_error(
                of.loc[kind, "share"], of.loc[kind, "error_groups"], "%"
            )
            for kind in kinds
        } | {"places": of.loc["all", "places"], "most": of.loc["all", "most"]}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("measure")


def by_run(*, measure: str = "AP", depth: int = DEPTH) -> pd.DataFrame:
    """Return what each run loses, and how many of its first ten documents are unjudged."""
    table = read("runs").query("depth == @depth").set_index(["collection", "run"])
    of = dict(list(table.groupby("measure")))
    scored, unjudged = of[measure], of["unjudged@10"]["outside"]
    found = pd.DataFrame(
        {
            "type": scored["type"],
            "manual": scored["type"] == "manual",
            "unjudged": unjudged,
            "bin": pd.cut(unjudged, SHARES, labels=_bins(), include_lowest=True),
            "lost": 1 - scored["outside"] / scored["inside"],
            "places": scored["rank_outside"] - scored["rank_inside"],
        }
    ).reset_index()
    found.insert(1, "title", found["collection"].map(short_title))
    return found[found["lost"].notna()].sort_values(
        "collection", key=lambda names: names.map({"trec8": 0}).fillna(1), kind="stable"
    )


def _bins() -> list[str]:
    return [f"{low:.0%} to {high:.0%}" for low, high in zip(SHARES, SHARES[1:])]


def short_title(name: str) -> str:
    """Return what a collection of the book is called.

    >>> short_title("trec-covid")
    'TREC-COVID'
    """
    return str(about(name)["short_title"])


def by_unjudged(*, depth: int = DEPTH) -> pd.DataFrame:
    """Sum up what runs lose by how many of their first ten documents are unjudged."""
    columns = {}
    for measure in ("AP", "P@10"):
        groups = by_run(measure=measure, depth=depth).groupby(
            ["title", "bin"], observed=True, sort=False
        )["lost"]
        columns["runs"] = groups.size()
        columns |= {f"{measure}, median": groups.median(), f"{measure}, worst": groups.max()}
    table = pd.DataFrame(columns).reset_index()
    order = table["bin"].cat.codes + 10 * (table["title"] != table["title"].iloc[0])
    return (
        table.iloc[order.argsort(kind="stable")]
        .set_index(["title", "bin"])
        .rename_axis(["collection", "unjudged to rank 10"])
    )


def unknown(*, depth: int = DEPTH) -> pd.DataFrame:
    """Return how much is unjudged of runs of each kind, and what RBP says of that itself."""
    table = read("losses").query("depth == @depth and kind != 'all'")
    measures = {
        "unjudged@10": "to rank 10",
        "unjudged@100": "to rank 100",
        "RBP": "RBP",
        "RBP residual": "residual",
    }
    sides = ["inside", "outside"]
    found = table.pivot(index=["collection", "kind"], columns="measure", values=sides)
    found = found.reorder_levels([1, 0], axis=1)[[(m, side) for m in measures for side in sides]]
    found = found.rename(columns=measures).rename(index=short_title, level="collection")
    return found.sort_index(level="collection", key=lambda names: names == "TREC-COVID")


def movers(collection: str = "trec8", *, depth: int = DEPTH, number: int = 5) -> pd.DataFrame:
    """Return the runs that lose most places by AP outside the pool of a depth."""
    table = read("runs").query("collection == @collection and depth == @depth and measure == 'AP'")
    table = table.assign(lost=1 - table["outside"] / table["inside"])
    table = table.assign(places=table["rank_outside"] - table["rank_inside"])
    best = table.sort_values(["places", "run"], ascending=[False, True]).head(number)
    best = best.astype({"rank_inside": int, "rank_outside": int})
    best = best.rename(columns={"rank_inside": "place inside", "rank_outside": "place outside"})
    columns = ["type", "inside", "outside", "lost", "place inside", "place outside"]
    return best.set_index("run")[columns]


def cheapest(collection: str, side: str) -> pd.DataFrame:
    """Return the settings of pools of a depth that nothing cheaper is as good as."""
    table = read("ways").query("collection == @collection and way == 'depth'")
    parts = []
    for measure in PREDICTORS:
        part = table[table["measure"] == measure].rename(columns={side: "value"})
        part = part.sort_values(["judgements", "value"], ascending=[True, False])
        best = part["value"].cummax().shift(fill_value=-np.inf)
        parts.append(part[part["value"] > best])
    found = pd.concat(parts, ignore_index=True)
    words = [f"{row.topics} topics, depth {row.depth}" for row in found.itertuples()]
    columns = ["measure", "topics", "depth", "judgements", "value"]
    return found[columns].assign(words=words)


def best_buys(budgets: Sequence[int] = (500, 1000, 2500, 5000, 10_000)) -> pd.DataFrame:
    """Return the best that budgets buy from pools of a depth, inside and outside."""
    rows = {}
    for collection in ("trec8", "trec-covid"):
        for budget in budgets:
            row = {}
            for side, who in (("inside", "in the pool"), ("outside", "later")):
                table = cheapest(collection, side)
                best = table[table["judgements"] <= budget].nlargest(1, "value").iloc[0]
                row[who] = f"{best['measure']}, {best['topics']} × {best['depth']}"
                row[f"placed {who}"] = best["value"]
            rows[short_title(collection), budget] = row
    index = ["collection", "judgements"]
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index)


def ways(*, depth: int = 5) -> pd.DataFrame:
    """Return what each way of choosing gains on each collection, by AP or inferred AP."""
    table = read("ways").query("depth == @depth and way != 'depth'")
    table = table[table["topics"] == table.groupby("collection")["topics"].transform("max")]
    table = table[table["measure"] == np.where(table["way"] == "sample", "infAP", "AP")]
    gains = {"gain": "gain", "later": "outside_gain"}
    columns = {
        name: [
            DASH if pd.isna(value) else with_error(value, error)
            for value, error in zip(table[column], table[f"{column}_error"])
        ]
        for name, column in gains.items()
    }
    found = table[["judgements", "phi"]].rename(columns={"phi": "predicts"}).assign(**columns)
    index = [[short_title(name) for name in table["collection"]], table["way"]]
    return found.set_index(index).rename_axis(["collection", "way"])
