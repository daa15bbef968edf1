"""The numbers that the text of the chapter shows beside those of its tables."""

from lib.display.prose import between
from lib.studies.committed import read
from lib.studies.spending.claims import claims, table
from lib.studies.spending.planner import WIDER
from lib.studies.spending.tables import best_buys, by_run, by_unjudged, movers, with_error
from lib.studies.spending.topics import ALPHA

# Name in the text to collection, kind, depth, measure of a loss.
LOST = {
    "auto": ("trec8", "automatic", 10, "AP"),
    "auto-deep": ("trec8", "automatic", 100, "AP"),
    "manual": ("trec8", "manual", 10, "AP"),
    "manual-deep": ("trec8", "manual", 100, "AP"),
    "covid": ("trec-covid", "all", 10, "AP"),
    "covid-deep": ("trec-covid", "all", 100, "AP"),
    "covid-p10": ("trec-covid", "all", 10, "P@10"),
    "covid-ndcg": ("trec-covid", "all", 10, "nDCG"),
    "bpref": ("trec8", "all", 100, "Bpref"),
    "condensed": ("trec8", "all", 100, "condensed AP"),
    "bpref-covid": ("trec-covid", "all", 100, "Bpref"),
    "condensed-covid": ("trec-covid", "all", 100, "condensed AP"),
}
# Name in the text to collection, share of the budget, baseline of the back-test.
GAINS = {
    "gain-p10": ("trec8", 0.5, "P@10"),
    "gain-p10-covid": ("trec-covid", 0.5, "P@10"),
    "gain-p10-dl21": ("dl21", 0.5, "P@10"),
    "gain-p10-dl19": ("dl19", 0.5, "P@10"),
    "gain-p10-trec5": ("trec5", 0.5, "P@10"),
    "gain-ap": ("trec8", 0.5, "AP of depth 10"),
    "gain-ap-trec5": ("trec5", 1.0, "AP of depth 10"),
    "gain-all": ("trec8", 0.25, "AP of all topics"),
    "gain-all-covid": ("trec-covid", 0.25, "AP of all topics"),
}
MIDDLE = "25% to 50%"  # of unjudged documents, where kinds of runs are set side by side


def lost() -> dict[str, str]:
    """Quote what runs lose outside the pool, and the runs that lose most places."""
    losses = table("losses")
    rbp = losses.loc[("trec8", "manual", 10, "RBP")]
    trec8, covid = (losses.loc[(name, "all", 10, "AP")] for name in ("trec8", "trec-covid"))
    manual = losses.loc[LOST["manual-deep"]]
    top = movers("trec8").sort_values("place inside").iloc[0]
    times = covid["share"] / losses.loc[LOST["auto"], "share"]
    return {
        f"sp-{name}": with_error(losses.loc[key, "share"], losses.loc[key, "error_groups"], "%")
        for name, key in LOST.items()
    } | {
        "sp-rbp-inside": f"{rbp['inside']:.2f}",
        "sp-rbp-outside": f"{rbp['outside']:.2f}",
        "sp-residual": f"{losses.loc[('trec8', 'manual', 10, 'RBP residual'), 'outside']:.2f}",
        "sp-times-lost": f"{times:.0f}",
        "sp-best": str(top.name),
        "sp-best-from": str(top["place inside"]),
        "sp-best-to": str(top["place outside"]),
        "sp-manual-worst": f"{manual['worst']:.1%}",
        "sp-places": f"{losses.loc[LOST['manual'], 'most']:.0f}",
        "sp-runs": f"{trec8['runs']:.0f}",
        "sp-groups": f"{trec8['groups']:.0f}",
        "sp-runs-covid": f"{covid['runs']:.0f}",
        "sp-groups-covid": f"{covid['groups']:.0f}",
        "sp-groups-manual": f"{manual['groups']:.0f}",
    }


def unjudged() -> dict[str, str]:
    """Quote what runs lose that have few and many unjudged documents on top."""
    bins = by_unjudged()
    numbers = {"sp-middle": MIDDLE}
    for name, title in (("trec8", "TREC-8"), ("covid", "TREC-COVID")):
        few, many = (bins.loc[title].iloc[end] for end in (0, -1))
        numbers |= {
            f"sp-{name}-few": f"{few['AP, median']:.1%}",
            f"sp-{name}-few-worst": f"{few['AP, worst']:.1%}",
            f"sp-{name}-many": f"{many['AP, median']:.1%}",
        }
    runs = by_run()
    runs = runs[runs["bin"] == MIDDLE]
    trec8 = runs["collection"] == "trec8"
    for name, chosen in {
        "auto": trec8 & ~runs["manual"],
        "manual": trec8 & runs["manual"],
        "covid": ~trec8,
    }.items():
        numbers[f"sp-middle-{name}"] = f"{runs.loc[chosen, 'lost'].median():.1%}"
    return numbers


def ways() -> dict[str, str]:
    """Quote what ways to choose gain, what pools of a depth buy, and how they flatter."""
    rows = table("ways")

    def told(*key, column="gain"):
        return with_error(*rows.loc[key, [column, f"{column}_error"]])

    shallow, deep = (rows.loc[("trec8", "depth", depth, "AP")] for depth in (1, 20))
    costs = {
        name: rows.loc[(collection, "depth", depth, "AP"), "judgements"]
        for name, collection, depth in (
            ("front", "trec8", 5),
            ("sample", "trec-covid", 1),
            ("sample-trec8", "trec8", 20),
        )
    }
    buys = best_buys()
    settings = {
        f"sp-{budget}-{side}": buys.loc[(title, budget), column].replace(" × ", " topics, depth ")
        for title, budget in (("TREC-8", 500), ("TREC-COVID", 5000))
        for side, column in (("inside", "in the pool"), ("later", "later"))
    }
    by_ap = sum(words.startswith("AP,") for words in [*buys["in the pool"], *buys["later"]])
    return {
        "sp-front": told("trec8", "move to front", 5, "AP"),
        "sp-front-later": told("trec8", "move to front", 5, "AP", column="outside_gain"),
        "sp-front-trec5": told("trec5", "move to front", 5, "AP"),
        "sp-bandit": told("trec8", "bandit", 5, "AP"),
        "sp-bandit-dl21": told("dl21", "bandit", 5, "AP"),
        "sp-sample-covid": told("trec-covid", "sample", 1, "infAP"),
        "sp-sample-covid-later": told("trec-covid", "sample", 1, "infAP", column="outside_gain"),
        "sp-sample": told("trec8", "sample", 20, "infAP"),
        **{f"sp-{name}-cost": f"{cost:,.0f}" for name, cost in costs.items()},
        "sp-shallow-inside": f"{shallow['inside']:.2f}",
        "sp-shallow-later": f"{shallow['outside']:.2f}",
        "sp-deep-inside": f"{deep['inside']:.2f}",
        "sp-deep-later": f"{deep['outside']:.2f}",
        "sp-buys": str(2 * len(buys)),
        "sp-buys-ap": str(by_ap),
        **settings,
    }


def needs() -> dict[str, str]:
    """Quote how many topics comparisons need over the collections."""
    every = read("spending", "needs")
    numbers = {
        "sp-systems": str(every.loc[every["source"] == "trec8", "systems"].iloc[0]),
        "sp-collections": str(every["source"].nunique()),
        "sp-times-all": f"{(every['needed_all'] / every['needed']).median():.1f}",
    }
    for name, measure in (("ap", "AP"), ("p10", "P@10")):
        topics = every.loc[every["measure"] == measure, "needed"]
        numbers |= {
            f"sp-needed-{name}-low": f"{topics.min():,}",
            f"sp-needed-{name}-high": f"{topics.max():,}",
        }
    return numbers


def sign_reversals() -> dict[str, str]:
    """Quote how many pairs differ significantly and how many turn round."""
    rows = table("turns")
    robust, precision, trec8 = (
        rows.loc[key]
        for key in (
            ("robust04", "AP", 50, "t"),
            ("robust04", "P@10", 50, "t"),
            ("trec8", "AP", 25, "t"),
        )
    )
    significant = trec8["significant"] * trec8["pairs"]
    holm, tukey = (
        rows.loc[("robust04", "AP", 50, method), "significant"] for method in ("Holm", "Tukey")
    )
    return {
        "sp-told-robust": f"{robust['significant']:.0%}",
        "sp-told-robust-holm": f"{holm:.0%}",
        "sp-told-robust-tukey": f"{tukey:.0%}",
        "sp-turned-robust": f"{robust['turned']:.1%}",
        "sp-turned-robust-ends": f"{robust['low']:.1%} to {robust['high']:.1%}",
        "sp-turned-robust-p10": f"{precision['turned']:.1%}",
        "sp-turned-robust-p10-ends": f"{precision['low']:.1%} to {precision['high']:.1%}",
        "sp-turned-trec8": f"{trec8['turned']:.1%}",
        "sp-pairs": f"{trec8['pairs']:,.0f}",
        "sp-robust-topics": f"{50 + robust['others']:.0f}",
        "sp-by-chance": f"{ALPHA * trec8['pairs']:,.0f}",
        "sp-told-number": f"{significant:,.0f}",
        "sp-turned-number": f"{trec8['turned'] * significant:,.0f}",
        "sp-against-number": f"{trec8['against'] * significant:,.0f}",
    }


def back_test() -> dict[str, str]:
    """Quote how often the interval of a plan held, and what plans gain."""
    rows = table("backtest")
    over = (rows["promised"] - rows["seen"]).groupby(level="collection").mean()
    gains = {}
    for name, (collection, share, baseline) in GAINS.items():
        row = rows.loc[(collection, share, 0)]
        gains[f"sp-{name}"] = between(
            row[baseline], row[f"{baseline}, low"], row[f"{baseline}, high"]
        )
    return gains | {
        "sp-coverage-low": f"{rows['coverage'].min():.1%}",
        "sp-coverage-high": f"{rows['coverage'].max():.1%}",
        "sp-widened-low": f"{rows['widened'].min():.1%}",
        "sp-widened-high": f"{rows['widened'].max():.1%}",
        "sp-wider": f"{WIDER - 1:.0%}",
        "sp-tries": str(rows["tries"].min()),
        "sp-reach-dl19": f"{rows.loc['dl19', 'reach'].mean():.2f}",
        "sp-over-trec5": f"{over['trec5']:.2f}",
        "sp-over-dl19": f"{over['dl19']:.2f}",
        "sp-often-covid": f"{rows.loc[('trec-covid', 1.0, 0), 'often']:.0%}",
        "sp-wins-p10": str((rows["P@10, low"] > 0).sum()),
        "sp-budgets": str(len(rows)),
    }


def listed() -> dict[str, str]:
    """Count the sentences of the chapter, and those that hold."""
    holds = claims()["holds"]
    return {"sp-claims": str(len(holds)), "sp-claims-hold": str(holds.sum())}
