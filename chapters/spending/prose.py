"""The numbers that the text on budgets shows beside its tables and claims."""

from functools import cache

import pandas as pd
from scipy.stats import norm

from chapters.data_tables import read
from chapters.spending import tables
from chapters.spending.again import rank_of_first, table_of_spent
from chapters.spending.pilot import SUBPOOL_SIZES, cached_forecast
from chapters.spending.planner import Budget, choose
from chapters.spending.tables import keyed
from lib.collection import load
from lib.conventions import ALPHA
from lib.display.prose import enumeration, named
from lib.intervals import minus_signs
from lib.paths import short_title
from lib.statistics.multiplicity import holm
from lib.statistics.power import detectable

_JUDGEMENTS = 5000


def quoted() -> dict[str, str]:
    """Return what the text on budgets quotes, by name."""
    return _ways() | _again() | _needs() | _reversed() | _back_test() | _plans()


@cache
def of_the_case() -> dict[str, str]:
    """Return the numbers of the running case: 5,000 judgements, two systems, ten documents."""
    topics = _JUDGEMENTS // 20
    growth = read("multiverse", "growth").query("source == 'robust04'")
    few, many = (minus_signs(f"{growth['lead'].iloc[at]:+.3f}") for at in (0, -1))
    deviation = tables.findable_differences("trec8").loc["P@10", "deviation"]
    read_of_list = rank_of_first(load("trec8"))
    return {
        "topics": str(topics),
        "few": few,
        "many": many,
        "most": str(growth["topics"].iloc[-1]),
        "least": f"{detectable(deviation, topics):.3f}",
        "least_of_fifty": f"{detectable(deviation, 50):.2f}",
        "answers": f"{round(_JUDGEMENTS / (2 * read_of_list), -1):.0f}",
    }


def _again() -> dict[str, str]:
    """Quote what other topics cost beyond a deeper pool, and how well pools place systems."""
    dearer = table_of_spent()["dearer"].agg(["min", "max"])
    some = keyed("ways").xs(("depth", "AP"), level=["way", "measure"])
    placed = some.loc["trec8"][["inside", "outside"]]
    return named("sp-dearer", dearer, ".0%") | named("sp-placed", placed, ".2f")


def _ways() -> dict[str, str]:
    """Quote what pools of a depth buy, and how they flatter."""
    buys = tables.best_buys()[["in the pool", "later"]]
    most = buys.loc[("TREC-8", 5000)]
    by_ap = buys.stack().str.startswith("AP,")
    gains = tables.gains()
    surviving = gains[holm(2 * norm.sf((gains["gain"] / gains["gain_error"]).abs())) < ALPHA]
    left = [f"{way} on {short_title(name)}" for name, way in surviving.index]
    return {
        "sp-5000-in-the-pool": _spelled(most["in the pool"]),
        "sp-5000-later": "the same" if most.nunique() == 1 else _spelled(most["later"]),
        "sp-5000-covid-later": _spelled(buys.loc[("TREC-COVID", 5000), "later"]),
        "sp-ways": str(len(gains)),
        "sp-ways-left": enumeration(left),
        "sp-buys-ap": f"all {len(by_ap)}" if by_ap.all() else f"{by_ap.sum()} of {len(by_ap)}",
    }


def _spelled(bought: str) -> str:
    """Return a plan in words.

    >>> _spelled("AP, 20 × 10")
    '20 topics, 10 deep'
    """
    return bought.partition(", ")[2].replace(" × ", " topics, ") + " deep"


def _needs() -> dict[str, str]:
    """Quote how many topics comparisons need over the collections."""
    every = read("spending", "needs")
    by = every.pivot(index="source", columns="measure", values="needed")
    of_all = every.pivot(index="source", columns="measure", values="needed_every")
    medians = {
        **named("sp-median", by.median(), ".0f"),
        **named("sp-median-all", of_all.median(), ".0f"),
    }
    return (
        medians
        | named("sp-needed", by.agg(["min", "max"]).T, ",.0f")
        | {"sp-times-all": f"{(every['needed_all'] / every['needed']).median():.1f}"}
    )


def _reversed() -> dict[str, str]:
    """Quote how many pairs differ significantly and how many turn round."""
    shares, rows = tables.significant_pairs(), keyed("turns")
    ends = rows.xs(("robust04", 50, "t"), level=["source", "topics", "method"])
    trec8 = rows.loc[("trec8", "AP", 25, "t")]
    significant = trec8["significant"] * trec8["pairs"]
    counts = significant * trec8[["turned"]].rename("{}-number".format)
    counts["pairs"], counts["significant-number"] = trec8["pairs"], significant
    counts["by-chance"] = ALPHA * trec8["pairs"]
    return {
        **named("sp", shares[["significant"]], ".0%"),
        **named("sp", shares[["turned"]], ".1%"),
        **named("sp-ends", ends.apply("{low:.1%} to {high:.1%}".format_map, axis=1)),
        **named("sp", counts, ",.0f"),
    }


def _back_test() -> dict[str, str]:
    """Quote how often the interval of a plan held, and what plans gain."""
    rows, few = keyed("backtest"), keyed("ahead")
    over = (rows["promised"] - rows["seen"]).xs("topics and groups", level="held")
    ap = few.xs(("robust04", "AP"), level=["source", "measure"])
    held = {"held": (rows, "held"), "top": (keyed("top"), "held"), "ahead": (few, "kind")}
    promises = tables.coverage().xs("all", level="order of")
    off = (promises["promised"] - promises["seen"]).abs()
    rest = off.drop([("TREC-5", "topics and groups"), ("DL 2019", "topics")])  # told one by one
    numbers = {
        **named("sp-promise", promises[["promised", "seen"]], ".2f"),
        **named("sp-reach", promises["reach"].agg(["min", "max"]), ".2f"),
        "sp-off-rest": f"{rest.max():.2f}",
        "sp-over-trec5": f"{over['trec5'].mean():+.2f}",
        "sp-ahead-low": f"{(ap['seen'] - ap['promised']).xs('others', level='kind').mean():.2f}",
        "sp-tries": str(rows["tries"].min()),
    }
    for name, (tried, level) in held.items():
        shares = tried["coverage"].groupby(level=level).agg(["min", "mean", "max"])
        numbers |= named(f"sp-{name}", shares, ".0%")
    return numbers


def _plans() -> dict[str, str]:
    """Quote plans at some prices of a topic, and what judgements from fewer systems lose."""
    forecast = cached_forecast("trec8")
    setting = forecast.pilot.setting(5, "AP")
    full, *fewer = (forecast.promise(25, systems=m)[setting] for m in (None, *SUBPOOL_SIZES))
    budgets = {"no-price": Budget(5000), "dear": Budget(5000, topic=200)}
    plans = pd.DataFrame({name: choose(forecast, budget) for name, budget in budgets.items()}).T
    return {
        **named("sp-plan", plans.apply("{topics} topics of depth {depth}".format_map, axis=1)),
        **named("sp-fewer", pd.Series(full - fewer, SUBPOOL_SIZES), ".3f"),
    }
