"""The tables of the chapter, as they are shown."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from lib.collection import about
from lib.display.prose import between
from lib.display.tables import DASH, minus_signs
from lib.papers import papers as all_papers
from lib.studies.spending.budgets import PREDICTORS
from lib.studies.spending.claims import claims
from lib.studies.spending.pilot import Told
from lib.studies.spending.planner import Budget, choose
from lib.studies.spending.read import read
from lib.studies.spending.standing import advised

__all__ = [
    "best_buys",
    "by_run",
    "by_unjudged",
    "cheapest",
    "coverage",
    "listed",
    "lost",
    "movers",
    "needed",
    "papers",
    "plans",
    "told_apart",
    "ways",
    "with_error",
]

SURE = 1.96  # errors on each side of a 95% interval
SHARES = [0, 0.1, 0.25, 0.5, 1]  # of unjudged documents, between which runs are summed up
DEPTH = 10  # of the pools that single numbers are told of


def with_error(value: float, error: float, form: str = "") -> str:
    """Write a number with its 95% interval.

    Parameters
    ----------
    value, error : float
    form : {"", "%"}
        ``"%"``: a share, in percent.

    Examples
    --------
    >>> with_error(0.0108, 0.0014, "%"), with_error(0.035, 0.014)
    ('1.1% [0.8, 1.3]', '+0.035 [+0.008, +0.062]')
    """
    low, high = value - SURE * error, value + SURE * error
    if form != "%":
        return between(value, low, high)
    return minus_signs(f"{value:.1%} [{100 * low:.1f}, {100 * high:.1f}]").replace("[-", "[−")


def lost(collection: str, *, depth: int = DEPTH) -> pd.DataFrame:
    """Return what runs of each kind lose by each measure outside the pool of a depth.

    Parameters
    ----------
    collection : {"trec8", "trec-covid"}
    depth : int

    Returns
    -------
    DataFrame, index measure
        A column a kind, the share of the score with its interval over groups; places, the mean
        number of places that a run loses, and most, the largest.
    """
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
    """Return what each run loses, and how many of its first ten documents are unjudged.

    Parameters
    ----------
    measure : str
    depth : {10, 100}
        Of the pool that the run's group did not feed.

    Returns
    -------
    DataFrame
        Columns collection, title, run, type, manual, unjudged (share to rank 10), bin, lost (share
        of the score), places.
    """
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
    found.insert(1, "title", found["collection"].map(_title))
    return found[found["lost"].notna()].sort_values(
        "collection", key=lambda names: names.map({"trec8": 0}).fillna(1), kind="stable"
    )


def _bins() -> list[str]:
    return [f"{low:.0%} to {high:.0%}" for low, high in zip(SHARES, SHARES[1:])]


def _title(name: str) -> str:
    return str(about(name)["short_title"])


def by_unjudged(*, depth: int = DEPTH) -> pd.DataFrame:
    """Sum up what runs lose by how many of their first ten documents are unjudged.

    Parameters
    ----------
    depth : {10, 100}
        Of the pool.

    Returns
    -------
    DataFrame, index (collection, unjudged)
        Columns runs; of AP and of P@10 the median loss and the largest.
    """
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


def movers(collection: str = "trec8", *, depth: int = DEPTH, number: int = 5) -> pd.DataFrame:
    """Return the runs that lose most places by AP outside the pool of a depth.

    Parameters
    ----------
    collection : {"trec8", "trec-covid"}
    depth : {10, 100}
    number : int
        How many are told.
    """
    table = read("runs").query("collection == @collection and depth == @depth and measure == 'AP'")
    table = table.assign(lost=1 - table["outside"] / table["inside"])
    table = table.assign(places=table["rank_outside"] - table["rank_inside"])
    best = table.sort_values(["places", "run"], ascending=[False, True]).head(number)
    best = best.astype({"rank_inside": int, "rank_outside": int})
    best = best.rename(columns={"rank_inside": "place inside", "rank_outside": "place outside"})
    columns = ["type", "inside", "outside", "lost", "place inside", "place outside"]
    return best.set_index("run")[columns]


def cheapest(collection: str, side: str) -> pd.DataFrame:
    """Return the settings of pools of a depth that nothing cheaper is as good as.

    Parameters
    ----------
    collection : {"trec8", "trec-covid"}
    side : {"inside", "outside"}
        Which of the two columns of ``ways`` is asked for.

    Returns
    -------
    DataFrame
        Columns measure, topics, depth, judgements, value, words; of each measure of
        :data:`lib.studies.spending.budgets.PREDICTORS` from the cheapest to the best.
    """
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
    """Return the best that budgets buy from pools of a depth, inside and outside.

    Parameters
    ----------
    budgets : sequence of int
        Judgements.

    Returns
    -------
    DataFrame, index (collection, judgements)
        What is best for systems that feed the pool, as measure, topics × depth, and how well these
        are placed, then the same for systems that come later.
    """
    rows = {}
    for collection in ("trec8", "trec-covid"):
        for budget in budgets:
            row = {}
            for side, who in (("inside", "in the pool"), ("outside", "later")):
                table = cheapest(collection, side)
                best = table[table["judgements"] <= budget].nlargest(1, "value").iloc[0]
                row[who] = f"{best['measure']}, {best['topics']} × {best['depth']}"
                row[f"placed {who}"] = best["value"]
            rows[_title(collection), budget] = row
    index = ["collection", "judgements"]
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index)


def ways(*, depth: int = 5) -> pd.DataFrame:
    """Return what each way of choosing gains on each collection, by AP or inferred AP.

    Parameters
    ----------
    depth : int
        Of the pool whose cost is paid.

    Returns
    -------
    DataFrame, index (collection, way)
        Judgements, predictive power, the gain over the pool of the depth with its interval over
        topics, and that for systems that come later, over groups, where these are known.
    """
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
    index = [[_title(name) for name in table["collection"]], table["way"]]
    return found.set_index(index).rename_axis(["collection", "way"])


def needed(source: str = "trec8") -> pd.DataFrame:
    """Return what comparisons of two systems of a source can tell, measure by measure.

    Parameters
    ----------
    source : str
        As in ``data/elsewhere``.
    """
    table = read("needs").query("source == @source").set_index("measure")
    names = {
        "deviation": "deviation",
        "half_width": "half-width",
        "power": "power",
        "needed": "topics",
        "power_all": "power, all pairs",
        "needed_all": "topics, all pairs",
    }
    return table[list(names)].rename(columns=names).sort_values("topics")


def told_apart() -> pd.DataFrame:
    """Return how many pairs each method tells apart, and what other topics say of these.

    Returns
    -------
    DataFrame, index (collection, measure, method)
        Half of TREC-8's topics against the other half, and 50 of Robust 2004's against the rest.
    """
    table = read("turns").query("topics == 50 or source == 'trec8'")
    table = table.assign(collection=[_title(name) for name in table["source"]])
    columns = ["topics", "others", "significant", "again", "turned", "against"]
    return table.set_index(["collection", "measure", "method"])[columns].sort_index(
        level="collection", ascending=False, sort_remaining=False, kind="stable"
    )


def plans(told: Told, budgets: Mapping[str, Budget]) -> pd.DataFrame:
    """Return the plan for each of some budgets.

    Parameters
    ----------
    told : Told
    budgets : dict of str to Budget
        In words, and as the planner takes them.

    Returns
    -------
    DataFrame, index cost
        Columns topics, depth, measure, judgements, predictive power.
    """
    rows = {name: choose(told, budget) for name, budget in budgets.items()}
    table = pd.DataFrame(rows).T[["topics", "depth", "measure", "judgements", "phi"]]
    table = table.astype({"topics": int, "depth": int, "judgements": int, "phi": float})
    return table.rename(columns={"phi": "predictive power"}).rename_axis("what is paid")


def coverage() -> pd.DataFrame:
    """Return the back-test's promises, what was seen, and how often the interval held it.

    Returns
    -------
    DataFrame, index (collection, price of a topic, budget)
    """
    table = read("backtest").assign(title=lambda t: t["collection"].map(_title))
    names = {
        "promised": "promised",
        "seen": "seen",
        "coverage": "held",
        "widened": "held, widened",
        "reach": "reach",
        "plan": "plan",
    }
    index = ["title", "topic_cost", "share"]
    table = table.astype({"topic_cost": int}).set_index(index)[list(names)]
    table["plan"] = [_words(plan) for plan in table["plan"]]
    return table.rename(columns=names).rename_axis(["collection", "topic's price", "budget"])


def _words(plan: str) -> str:
    depth, measure, topics = plan.split()
    return f"{measure}, {topics} × {depth}"


def papers() -> pd.DataFrame:
    """Return how many topics the papers' comparisons have had, and how many they need."""
    titles = {name: paper.title for name, paper in all_papers().items()}
    table = advised().replace({"paper": titles})
    names = {"needed_all": "all pairs", "half_width": "half-width"}
    return table.set_index(["paper", "measure"]).rename(columns=names)


def listed() -> pd.DataFrame:
    """Return the sentences of the chapter with the number behind each.

    Returns
    -------
    DataFrame, index sentence
        Columns number, 95% interval, over (what the interval is over), holds.
    """
    found = claims()
    ends = [
        DASH if pd.isna(low) else " to ".join(minus_signs(f"{end:.3f}") for end in (low, high))
        for low, high in zip(found["low"], found["high"])
    ]
    return pd.DataFrame(
        {
            "number": found["number"].to_numpy(),
            "95% interval": ends,
            "over": found["over"].to_numpy(),
            "holds": found["holds"].to_numpy(),
        },
        index=pd.Index(found["says"], name="what is said"),
    )
