"""The numbers that the text of the chapter shows, a function a section."""

from typing import Any

import pandas as pd

from lib.display.prose import between
from lib.display.tables import minus_signs
from lib.studies.spending.claims import CLAIMS, claims
from lib.studies.spending.drawings import draw_kinds
from lib.studies.spending.pilot import Pilot
from lib.studies.spending.planner import WIDER
from lib.studies.spending.read import read
from lib.studies.spending.shown import best_buys, by_run, by_unjudged, movers, with_error
from lib.studies.spending.standing import advised, fewer_topics
from lib.studies.spending.topics import ALPHA

# Name in the text to collection, kind, depth, measure of a loss.
LOST = {
    "auto": ("trec8", "automatic", 10, "AP"),
    "auto-deep": ("trec8", "automatic", 100, "AP"),
    "auto-p10": ("trec8", "automatic", 10, "P@10"),
    "manual": ("trec8", "manual", 10, "AP"),
    "manual-deep": ("trec8", "manual", 100, "AP"),
    "manual-p10": ("trec8", "manual", 10, "P@10"),
    "covid": ("trec-covid", "all", 10, "AP"),
    "covid-deep": ("trec-covid", "all", 100, "AP"),
    "covid-p10": ("trec-covid", "all", 10, "P@10"),
    "covid-ndcg": ("trec-covid", "all", 10, "nDCG"),
    "bpref": ("trec8", "all", 100, "Bpref"),
    "condensed": ("trec8", "all", 100, "condensed AP"),
    "bpref-covid": ("trec-covid", "all", 100, "Bpref"),
    "condensed-covid": ("trec-covid", "all", 100, "condensed AP"),
}
RBP = ("trec8", "manual", 10, "RBP")
READINGS = ("first", "same", "as-much", "whatever", "planned")  # rows of fewer_topics
MIDDLE = "25% to 50%"  # of unjudged documents, where kinds of runs are set side by side


def finding() -> dict[str, Any]:
    """Return the figure of the landing page: what is lost outside the pool."""
    return {"finding-spending": draw_kinds()}


def by_hand(table: pd.DataFrame) -> dict[str, str]:
    """Quote the run of the toy that loses, from :func:`lib.studies.spending.toy.by_hand`."""
    run = table.loc["C"]
    return {
        "sp-toy-inside": f"{run['AP', 'inside']:.3f}",
        "sp-toy-outside": f"{run['AP', 'outside']:.3f}",
        "sp-toy-lost": f"{1 - run['AP', 'outside'] / run['AP', 'inside']:.0%}",
    }


def lost() -> dict[str, str]:
    """Quote what runs lose outside the pool, and the runs that lose most places."""
    table = read("losses").set_index(["collection", "kind", "depth", "measure"])
    numbers = {
        f"sp-{name}": with_error(table.loc[key, "share"], table.loc[key, "error_groups"], "%")
        for name, key in LOST.items()
    }
    manual = table.loc[LOST["manual-deep"]]
    top = movers("trec8").sort_values("place inside").iloc[0]
    times = table.loc[LOST["covid"], "share"] / table.loc[LOST["auto"], "share"]
    return numbers | {
        "sp-rbp-inside": f"{table.loc[RBP, 'inside']:.2f}",
        "sp-rbp-outside": f"{table.loc[RBP, 'outside']:.2f}",
        "sp-residual": f"{table.loc[(*RBP[:3], 'RBP residual'), 'outside']:.2f}",
        "sp-times-lost": f"{times:.0f}",
        "sp-best": str(top.name),
        "sp-best-from": str(top["place inside"]),
        "sp-manual-worst": f"{manual['worst']:.1%}",
        "sp-places": f"{table.loc[LOST['manual'], 'most']:.0f}",
        "sp-best-to": str(top["place outside"]),
        "sp-best-lost": f"{top['lost']:.0%}",
        "sp-runs": f"{table.loc[('trec8', 'all', 10, 'AP'), 'runs']:.0f}",
        "sp-groups": f"{table.loc[('trec8', 'all', 10, 'AP'), 'groups']:.0f}",
        "sp-runs-covid": f"{table.loc[('trec-covid', 'all', 10, 'AP'), 'runs']:.0f}",
        "sp-groups-covid": f"{table.loc[('trec-covid', 'all', 10, 'AP'), 'groups']:.0f}",
        "sp-groups-manual": f"{manual['groups']:.0f}",
        "sp-groups-manual-covid": f"{table.loc[('trec-covid', 'manual', 10, 'AP'), 'groups']:.0f}",
    }


def unjudged() -> dict[str, str]:
    """Quote what runs lose that have few and many unjudged documents on top."""
    table = by_unjudged()
    numbers: dict[str, str] = {}
    for name, title in (("trec8", "TREC-8"), ("covid", "TREC-COVID")):
        for size, row in (("few", table.loc[title].iloc[0]), ("many", table.loc[title].iloc[-1])):
            numbers[f"sp-{name}-{size}"] = f"{row['AP, median']:.1%}"
            numbers[f"sp-{name}-{size}-worst"] = f"{row['AP, worst']:.1%}"
    runs = by_run()
    runs = runs[runs["bin"] == MIDDLE]
    for name, chosen in {
        "auto": (runs["collection"] == "trec8") & ~runs["manual"],
        "manual": (runs["collection"] == "trec8") & runs["manual"],
        "covid": runs["collection"] == "trec-covid",
    }.items():
        numbers[f"sp-middle-{name}"] = f"{runs.loc[chosen, 'lost'].median():.1%}"
    return numbers | {"sp-middle": MIDDLE}


def ways() -> dict[str, str]:
    """Quote what ways to choose gain, what pools of a depth buy, and how they flatter."""
    table = read("ways")
    table = table[table["topics"] == table.groupby("collection")["topics"].transform("max")]
    rows = table.set_index(["collection", "way", "depth", "measure"])

    def told(*key, column="gain"):
        return with_error(*rows.loc[key, [column, f"{column}_error"]])

    shallow, deep = (rows.loc[("trec8", "depth", depth, "AP")] for depth in (1, 20))
    buys = best_buys()
    by_ap = sum(words.startswith("AP,") for words in [*buys["in the pool"], *buys["later"]])
    return {
        "sp-front": told("trec8", "move to front", 5, "AP"),
        "sp-front-cost": f"{rows.loc[('trec8', 'depth', 5, 'AP'), 'judgements']:,.0f}",
        "sp-front-later": told("trec8", "move to front", 5, "AP", column="outside_gain"),
        "sp-front-trec5": told("trec5", "move to front", 5, "AP"),
        "sp-front-covid": told("trec-covid", "move to front", 5, "AP"),
        "sp-bandit": told("trec8", "bandit", 5, "AP"),
        "sp-bandit-dl21": told("dl21", "bandit", 5, "AP"),
        "sp-sample-covid": told("trec-covid", "sample", 1, "infAP"),
        "sp-sample-covid-later": told("trec-covid", "sample", 1, "infAP", column="outside_gain"),
        "sp-sample-cost": f"{rows.loc[('trec-covid', 'depth', 1, 'AP'), 'judgements']:,.0f}",
        "sp-sample": told("trec8", "sample", 20, "infAP"),
        "sp-sample-trec8-cost": f"{rows.loc[('trec8', 'depth', 20, 'AP'), 'judgements']:,.0f}",
        "sp-shallow-inside": f"{shallow['inside']:.2f}",
        "sp-shallow-later": f"{shallow['outside']:.2f}",
        "sp-deep-inside": f"{deep['inside']:.2f}",
        "sp-deep-later": f"{deep['outside']:.2f}",
        "sp-buys": str(2 * len(buys)),
        "sp-buys-ap": str(by_ap),
        "sp-500-inside": _in_words(buys.loc[("TREC-8", 500), "in the pool"]),
        "sp-500-later": _in_words(buys.loc[("TREC-8", 500), "later"]),
        "sp-5000-inside": _in_words(buys.loc[("TREC-COVID", 5000), "in the pool"]),
        "sp-5000-later": _in_words(buys.loc[("TREC-COVID", 5000), "later"]),
    }


def _in_words(setting: str) -> str:
    """Write a setting of a table out.

    >>> _in_words("AP, 15 × 2")
    'AP, 15 topics, depth 2'
    """
    return setting.replace(" × ", " topics, depth ")


def needs() -> dict[str, str]:
    """Quote how many topics comparisons need, on TREC-8 and over the collections."""
    table = read("needs")
    known = table[table["source"] == "trec8"].set_index("measure")
    numbers = {"sp-systems": f"{known['systems'].iloc[0]}"}
    for name, measure in (("ap", "AP"), ("p10", "P@10"), ("ndcg20", "nDCG@20")):
        row, every = known.loc[measure], table[table["measure"] == measure]
        numbers |= {
            f"sp-needed-{name}": f"{row['needed']:,}",
            f"sp-needed-all-{name}": f"{row['needed_all']:,}",
            f"sp-half-{name}": f"{row['half_width']:.3f}",
            f"sp-power-{name}": f"{row['power']:.0%}",
            f"sp-deviation-{name}": f"{row['deviation']:.3f}",
            f"sp-needed-{name}-low": f"{every['needed'].min():,}",
            f"sp-needed-{name}-high": f"{every['needed'].max():,}",
        }
    times = (table["needed_all"] / table["needed"]).median()
    return numbers | {
        "sp-collections": str(table["source"].nunique()),
        "sp-times-all": f"{times:.1f}",
    }


def turns() -> dict[str, str]:
    """Quote how many pairs are told apart and how many turn round."""
    rows = read("turns").set_index(["source", "measure", "topics", "method"])
    numbers: dict[str, str] = {}
    for name, key in {
        "robust": ("robust04", "AP", 50, "t"),
        "robust-p10": ("robust04", "P@10", 50, "t"),
        "robust-tukey": ("robust04", "AP", 50, "Tukey"),
        "robust-holm": ("robust04", "AP", 50, "Holm"),
        "trec8": ("trec8", "AP", 25, "t"),
        "trec8-tukey": ("trec8", "AP", 25, "Tukey"),
        "trec8-holm": ("trec8", "AP", 25, "Holm"),
    }.items():
        row = rows.loc[key]
        numbers |= {
            f"sp-told-{name}": f"{row['significant']:.0%}",
            f"sp-turned-{name}": f"{row['turned']:.1%}",
            f"sp-turned-{name}-ends": f"{row['low']:.1%} to {row['high']:.1%}",
            f"sp-again-{name}": f"{row['again']:.0%}",
        }
    row = rows.loc[("trec8", "AP", 25, "t")]
    return numbers | {
        "sp-pairs": f"{row['pairs']:,.0f}",
        "sp-robust-topics": f"{50 + rows.loc[('robust04', 'AP', 50, 't'), 'others']:.0f}",
        "sp-by-chance": f"{ALPHA * row['pairs']:,.0f}",
        "sp-told-number": f"{row['significant'] * row['pairs']:,.0f}",
        "sp-turned-number": f"{row['turned'] * row['significant'] * row['pairs']:,.0f}",
        "sp-against-number": f"{row['against'] * row['significant'] * row['pairs']:,.0f}",
    }


def back_test() -> dict[str, str]:
    """Quote how often the interval of a plan held, and what plans gain."""
    table = read("backtest")
    rows = table.set_index(["collection", "share", "topic_cost"])
    reach = table.groupby("collection")["reach"].mean()
    over = (table["promised"] - table["seen"]).groupby(table["collection"]).mean()

    def gain(name, share, baseline):
        row = rows.loc[(name, share, 0)]
        low, high = row[f"{baseline}, low"], row[f"{baseline}, high"]
        return between(row[baseline], low, high)

    precision = table["P@10, low"] > 0
    return {
        "sp-coverage-low": f"{table['coverage'].min():.1%}",
        "sp-coverage-high": f"{table['coverage'].max():.1%}",
        "sp-widened-low": f"{table['widened'].min():.1%}",
        "sp-widened-high": f"{table['widened'].max():.1%}",
        "sp-wider": f"{WIDER - 1:.0%}",
        "sp-tries": str(table["tries"].min()),
        "sp-reach-dl19": f"{reach['dl19']:.2f}",
        "sp-reach-trec8": f"{reach['trec8']:.2f}",
        "sp-reach-covid": f"{reach['trec-covid']:.2f}",
        "sp-over-trec5": f"{over['trec5']:.2f}",
        "sp-over-dl19": f"{over['dl19']:.2f}",
        "sp-over-trec8": minus_signs(f"{over['trec8']:+.3f}"),
        "sp-gain-p10": gain("trec8", 0.5, "P@10"),
        "sp-gain-p10-covid": gain("trec-covid", 0.5, "P@10"),
        "sp-gain-p10-dl21": gain("dl21", 0.5, "P@10"),
        "sp-gain-p10-dl19": gain("dl19", 0.5, "P@10"),
        "sp-gain-p10-trec5": gain("trec5", 0.5, "P@10"),
        "sp-gain-ap": gain("trec8", 0.5, "AP of depth 10"),
        "sp-gain-all": gain("trec8", 0.25, "AP of all topics"),
        "sp-gain-all-covid": gain("trec-covid", 0.25, "AP of all topics"),
        "sp-gain-full": gain("trec-covid", 1.0, "AP of depth 10"),
        "sp-gain-ap-trec5": gain("trec5", 1.0, "AP of depth 10"),
        "sp-often-covid": f"{rows.loc[('trec-covid', 1.0, 0), 'often']:.0%}",
        "sp-wins-p10": str(int(precision.sum())),
        "sp-budgets": str(len(table)),
    }


def papers() -> dict[str, str]:
    """Quote how many topics the papers' comparisons have had and need."""
    table = advised().set_index(["paper", "measure"])
    return {
        f"sp-{paper}-{measure.lower().replace('@', '')}": f"{row['needed']:,.0f}"
        for (paper, measure), row in table.iterrows()
    }


def fewer(given: Pilot) -> dict[str, str]:
    """Quote both readings of the closing remark of Webber 2008."""
    table = fewer_topics(given)
    numbers: dict[str, str] = {}
    for name, row in zip(READINGS, table.itertuples()):
        numbers |= {
            f"sp-{name}-phi": f"{row.phi:.2f}",
            f"sp-{name}-topics": str(row.topics),
            f"sp-{name}-depth": str(row.depth),
            f"sp-{name}-cost": f"{row.judgements:,}",
        }
        if pd.notna(row.gain):
            numbers[f"sp-{name}-gain"] = between(row.gain, row.low, row.high)
    return numbers


def listed() -> dict[str, str]:
    """Count the sentences of the chapter, and those that hold."""
    return {"sp-claims": str(len(CLAIMS)), "sp-claims-hold": str(int(claims()["holds"].sum()))}


def citable() -> dict[str, str]:
    """Return the sentence that a reader may cite."""
    said = lost() | ways()
    return {
        "sp-citable": (
            "Judged by a pool of depth 10 that their group did not feed, runs lost "
            f"{said['sp-auto']} of their AP on TREC-8 when they were automatic, "
            f"{said['sp-manual']} when a person took part, and {said['sp-covid']} on TREC-COVID "
            "(95% intervals over groups); the choice of what is judged can be bettered at equal "
            f"cost on TREC-8 (move-to-front against depth 5, tau {said['sp-front']}, interval over "
            f"topics), which on TREC-5 cannot be told ({said['sp-front-trec5']})."
        )
    }
