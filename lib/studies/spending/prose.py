"""The numbers that the text of the chapter shows beside those of its tables."""

import pandas as pd

from lib.conventions import ALPHA
from lib.display.prose import named
from lib.intervals import between
from lib.studies.committed import read
from lib.studies.spending import tables
from lib.studies.spending.pilot import DRAWS, SIZES, cached_pilot
from lib.studies.spending.planner import Budget, choose
from lib.studies.spending.tables import by_run, table

MIDDLE = "25% to 50%"  # of unjudged documents, where kinds of runs are set side by side


def lost() -> dict[str, str]:
    """Quote what runs lose outside the pool, and the runs that lose most places."""
    losses = table("losses")
    trec8, covid = (losses.loc[(name, "all", 10, "AP")] for name in ("trec8", "trec-covid"))
    quoted = losses.query("collection in ('trec8', 'trec-covid') and depth in (10, 100)")
    quoted = quoted.query("kind == 'all' or measure == 'AP'").dropna(subset="share")
    shares = quoted.apply(lambda row: tables.in_percent(tables.loss(row)), axis=1)
    automatic, manual = (losses.loc[("trec8", kind, 10, "AP")] for kind in ("automatic", "manual"))
    deep = losses.loc[("trec8", "manual", 100, "AP")]
    runs = by_run().query("collection == 'trec8'").set_index("run").sort_index()
    fall = (runs["place outside"] - runs["place inside"]).sort_values(kind="stable")
    top = runs.loc[runs.loc[fall.index[-5:], "place inside"].idxmin()]
    return {
        **named("sp-lost", shares),
        **named("sp-rbp", losses.loc[("trec8", "manual", 10, "RBP"), ["inside", "outside"]], ".2f"),
        **named("sp-trec8", trec8[["runs", "groups"]], ".0f"),
        **named("sp-covid", covid[["runs", "groups"]], ".0f"),
        **named("sp-best", top[["place inside", "place outside"]]),
        "sp-best": str(top.name),
        "sp-residual": f"{losses.loc[('trec8', 'manual', 10, 'RBP residual'), 'outside']:.2f}",
        "sp-times-lost": f"{covid['share'] / automatic['share']:.0f}",
        "sp-manual-worst": f"{deep['worst']:.1%}",
        "sp-manual-groups": f"{deep['groups']:.0f}",
        "sp-places": f"{manual['most']:.0f}",
    }


def unjudged() -> dict[str, str]:
    """Quote what runs lose that have few and many unjudged documents on top."""
    runs = by_run().query("collection == 'trec8'")
    middle = runs[runs["bin"] == MIDDLE].groupby("type")["lost"].median()
    numbers = named("sp-unjudged", tables.by_unjudged()[["AP, median", "AP, worst"]], ".1%")
    return numbers | {"sp-middle": MIDDLE} | named("sp-middle", middle, ".1%")


def ways() -> dict[str, str]:
    """Quote what ways to choose gain, what pools of a depth buy, and how they flatter."""
    rows, buys = table("ways"), tables.best_buys()
    shallow, deep = (("trec8", "depth", depth, "AP") for depth in (1, 20))
    by_ap = sum(words.startswith("AP,") for words in [*buys["in the pool"], *buys["later"]])
    return {
        **named("sp", tables.ways()[["gain", "later"]]),
        **named("sp-placed", rows.loc[[shallow, deep], ["inside", "outside"]], ".2f"),
        **{
            f"sp-500-{side}": buys.loc[("TREC-8", 500), column].replace(" × ", " topics, depth ")
            for side, column in (("inside", "in the pool"), ("later", "later"))
        },
        "sp-buys": str(2 * len(buys)),
        "sp-buys-ap": str(by_ap),
    }


def needs() -> dict[str, str]:
    """Quote how many topics comparisons need over the collections."""
    every = read("spending", "needs")
    ends = every.groupby("measure")["needed"].agg(["min", "max"])
    by = every.pivot(index="source", columns="measure", values="needed")
    fewer = (by["AP"] < by["P@10"]).sum()
    return named("sp-needed", ends, ",") | {
        "sp-systems": str(every.loc[every["source"] == "trec8", "systems"].iloc[0]),
        "sp-collections": str(every["source"].nunique()),
        "sp-fewer-ap": str(fewer),
        "sp-times-all": f"{(every['needed_all'] / every['needed']).median():.1f}",
    }


def sign_reversals() -> dict[str, str]:
    """Quote how many pairs differ significantly and how many turn round."""
    rows, pairs = table("turns"), tables.significant_pairs()
    trec8 = rows.loc[("trec8", "AP", 25, "t")]
    significant = trec8["significant"] * trec8["pairs"]
    numbers = named("sp", pairs[["significant"]], ".0%") | named("sp", pairs[["turned"]], ".1%")
    for measure in ("AP", "P@10"):
        row = rows.loc[("robust04", measure, 50, "t")]
        numbers |= named("sp-ends", pd.Series({measure: f"{row['low']:.1%} to {row['high']:.1%}"}))
    return numbers | {
        "sp-pairs": f"{trec8['pairs']:,.0f}",
        "sp-robust-topics": f"{50 + row['others']:.0f}",
        "sp-by-chance": f"{ALPHA * trec8['pairs']:,.0f}",
        "sp-significant-number": f"{significant:,.0f}",
        "sp-turned-number": f"{trec8['turned'] * significant:,.0f}",
        "sp-against-number": f"{trec8['against'] * significant:,.0f}",
    }


def back_test() -> dict[str, str]:
    """Quote how often the interval of a plan held, and what plans gain."""
    rows, few = table("backtest"), table("ahead")
    over = (rows["promised"] - rows["seen"]).groupby(level=["held", "collection"]).mean()
    held = rows["coverage"].groupby(level="held").agg(["min", "mean", "max"])
    top = table("top")["coverage"].groupby(level="held").agg(["min", "mean", "max"])
    ap = few.loc["robust04"].xs("AP", level="measure")
    off = (ap["seen"] - ap["promised"]).groupby(level="kind").mean()
    half = rows.xs(("topics and groups", 0.5, 0), level=["held", "share", "topic_cost"])
    gains = pd.DataFrame(index=half.index)
    for of in tables.BASELINES:
        ends = half[[of, f"{of}, low", f"{of}, high"]].to_numpy()
        gains[of] = [between(*row) for row in ends]
    return {
        **named("sp-gain", gains),
        **named("sp-held", held, ".0%"),
        **named("sp-top", top, ".0%"),
        **named("sp-over", over, "+.2f"),
        **named(
            "sp-ahead", few["coverage"].groupby(level="kind").agg(["min", "mean", "max"]), ".0%"
        ),
        **named("sp-ahead-low", off, ".2f"),
        "sp-tries": str(rows["tries"].min()),
        "sp-wins-p10": str((rows.xs("topics and groups", level="held")["P@10, low"] > 0).sum()),
        "sp-budgets": str(len(rows) // 2),
    }


def plans() -> dict[str, str]:
    """Quote plans at some prices of a topic, and what judgements from fewer systems lose."""
    forecast = cached_pilot("trec8")
    budgets = {
        "no-price": Budget(5000),
        "dear": Budget(5000, topic=200),
        "limit": Budget(5000, most=20),
    }
    found = {name: choose(forecast, budget) for name, budget in budgets.items()}
    setting = forecast.pilot.setting(5, "AP")
    lost = [forecast.promise(25)[setting] - forecast.promise(25, systems=m)[setting] for m in SIZES]
    return {
        **{f"sp-plan-{k}": f"{v['topics']} topics of depth {v['depth']}" for k, v in found.items()},
        **named("sp-fewer", pd.Series(lost, SIZES), ".3f"),
        "sp-fewer-draws": str(DRAWS),
    }
