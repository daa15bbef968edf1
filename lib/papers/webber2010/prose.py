"""The numbers that the text of the paper's chapter shows, a function a section.

Each returns a dict for :func:`lib.display.prose.glue_all`: name in the text to string or figure.
"""

from typing import Any

import pandas as pd

from lib.collection import Collection, load
from lib.display.tables import minus_signs
from lib.measures import complete_scores, means
from lib.papers.webber2010.choices import reproduced
from lib.papers.webber2010.depth import FORMS, figure2, figure2_taus, powers_in_text
from lib.papers.webber2010.drawings import draw_finding
from lib.papers.webber2010.evidence import FULL, Evidence
from lib.papers.webber2010.list_length import cut_to
from lib.papers.webber2010.others import ROBUST, most_by_mean
from lib.papers.webber2010.tables import COLUMNS, measures_of_table1, weight_shares
from lib.papers.webber2010.yardsticks import LEVEL, TIED
from lib.published import (
    DIFFERS,
    INCONCLUSIVE,
    NOT_PUBLIC,
    REPRODUCED,
    compare,
    in_words,
    lookup,
    read,
)
from lib.statistics.significance import same_scores

__all__ = [
    "budget",
    "choices",
    "covid",
    "figure4",
    "finding",
    "hypotheses",
    "others",
    "readware",
    "said",
    "squashed",
    "tests",
    "verdict",
    "weights",
]


def finding() -> dict[str, Any]:
    """Return the figure of the landing page."""
    return {"finding-webber2010": draw_finding()}


def verdict(rows: pd.DataFrame, collection: Collection) -> dict[str, str]:
    """Count the rows of the ledger by verdict, and the cells of each table that come out."""
    count = rows["verdict"].value_counts()
    at = rows.set_index(["place", "row"])

    def told(place, row):
        return said(at.loc[(place, row)])

    printed = read("webber2010").set_index("row")["printed"]
    return {
        "all": str(len(rows)),
        "reproduced": str(count[REPRODUCED]),
        "differs": str(count[DIFFERS]),
        "untold": str(count[INCONCLUSIVE]),
        "hidden": str(count[NOT_PUBLIC]),
        "t-power": told("Conclusion", "depth-over-metric"),
        "t-ranking": told("Conclusion", "depth-over-metric-in-rankings"),
        "t-pairs": told("Conclusion", "depth-over-metric-in-significance"),
        "t-edge": told("Abstract", "ndcg-slight-edge"),
        "t-bold": told("Table 1", "trec8-most-discriminative-ap"),
        "t-rbp": told("Section 4", "trec8-ndcg-beats-rbp-0.95"),
        "t5-rbp": told("Section 4", "trec5-ndcg-beats-rbp-0.95"),
        "t5-least": told("Section 4", "trec5-p10-rbp-0.8-least"),
        "t-extended": told("Section 4.1", "extended-better-than-shallow"),
        "t-rise": told("Figure 4", "all-metrics-rise-with-depth"),
        "t-closed": told("Conclusion", "equal-depth-closes-most-of-gap"),
        "groups-printed": printed["trec8-groups"],
        "groups": str(collection.systems["group"].nunique()),
        "half": f"{weight_shares().loc['RBP(p=0.95)', 'of base']:.2%}",
    } | {f"n-{place}": str(cells) for place, cells in reproduced(load("trec8")).items()}


def others(columns: pd.DataFrame) -> dict[str, str]:
    """Return what the other collections' public data say of Table 1.

    Parameters
    ----------
    columns : DataFrame
        From :func:`lib.papers.webber2010.other_columns`.
    """
    trec5 = columns[columns["column"] == COLUMNS["trec5"]].set_index("row")
    ap, mean = trec5.loc["AP@1000"], trec5.loc["mean"]
    ours = trec5["reproduced"].drop("mean").astype(float)
    agree = columns[columns["verdict"] == REPRODUCED]["column"].value_counts()
    return {
        "o-trec5": in_words(int(agree[COLUMNS["trec5"]])),
        "o-trec5-all": in_words(len(trec5)),
        "o-robust": in_words(int(agree[ROBUST])),
        "o-ap": f"{ap['reproduced']:.4f}",
        "o-ap-printed": ap["published"],
        "o-mean": mean["published"],
        "o-most": f"{most_by_mean(ours, mean['published'], 'AP@1000'):.4f}",
        "o-rbp": f"{ours['RBP(p=0.8)']:.4f}",
    }


def said(row: pd.Series) -> str:
    """Return a row's comparison with its interval over topics, in words."""
    estimate, low, high = (f"{float(row[name]):+.3f}" for name in ("estimate", "low", "high"))
    return minus_signs(f"{estimate} (95% interval over topics: {low} to {high})")


def weights() -> dict[str, str]:
    """Return the shares of weight at ranks 101 to 1,000."""
    share = weight_shares()
    return {
        "w-dcg": f"{share.loc['DCG', 'of base']:.0%}",
        "w-95": f"{share.loc['RBP(p=0.95)', 'of base']:.2%}",
        "w-deep": f"{share.loc['RBP(p=0.9977)', 'of base']:.0%}",
        "w-deep-all": f"{share.loc['RBP(p=0.9977)', 'of all']:.0%}",
    }


def tests(collection: Collection) -> dict[str, str]:
    """Count the pairs of systems, and those with the same scores."""
    found = [
        same_scores(complete_scores(collection, name)) for name in measures_of_table1().values()
    ]
    same = [int(pairs.sum()) for pairs in found]
    return {"pairs": f"{len(found[0]):,}", "same-low": str(min(same)), "same-high": str(max(same))}


def choices(chosen: pd.DataFrame) -> dict[str, str]:
    """Return what the rows that teach most come to.

    Parameters
    ----------
    chosen : DataFrame
        From :func:`lib.papers.webber2010.choices.choices`.
    """
    trec8 = load("trec8")
    in_text = compare("webber2010", "Section 4.2", powers_in_text(trec8, identical="kept"))
    table2 = chosen.set_index(["choice", "otherwise"])["Table 2"]
    taus = {by: lookup(figure2_taus(trec8, by=by)) for by in ("all", "pooled")}
    return {
        "low": str((in_text["verdict"] == DIFFERS).sum()),
        "rbp-10": str(table2[("RBP .8, both", "pool 10, rank 10")]),
    } | {f"tau-{by}": f"{tau[('extended', 'deep')]:.3f}" for by, tau in taus.items()}


def readware(collection: Collection, ranks: pd.DataFrame, lost: pd.DataFrame) -> dict[str, str]:
    """Return where READWARE stands, how long its lists are, and what the pool does to it.

    Parameters
    ----------
    collection : Collection
    ranks : DataFrame
        From :func:`lib.papers.webber2010.list_length.rank_by_depth`.
    lost : DataFrame
        From :func:`lib.papers.webber2010.reuse.places_lost`.
    """
    lengths = collection.retrieved[:, collection.systems.index.get_loc("READWARE")]
    points = figure2(collection)["extended"]
    gap = (points - points["READWARE"]).abs().drop("READWARE")
    cut = means(cut_to("READWARE", collection), ["nDCG(discount=2002,rel=1)@1000"]).iloc[:, 0]
    group = collection.systems["group"]
    others = cut[group[cut.index] != group["READWARE"]]
    return {
        "rw-extended": str(ranks.loc[100, "pool 10"]),
        "rw-deep": str(ranks.loc[100, "pool 100"]),
        "rw-1000": str(ranks.loc[1000, "pool 100"]),
        "rw-1000-shallow": str(ranks.loc[1000, "pool 10"]),
        "rw-cut": str(ranks.loc[1000, "lists as short"]),
        "rw-near": str((gap < TIED).sum()),
        "rw-level": str((gap < LEVEL).sum()),
        "rw-wide": str((gap < 2 * TIED).sum()),
        "rw-length": f"{lengths.mean():.0f}",
        "rw-short": f"{(lengths < 100).mean():.0%}",
        "rw-score": f"{cut['READWARE']:.3f}",
        "rw-other": f"{others.max():.3f}",
        "rw-lost": f"{lost.loc[5, 'most']:.0f}",
        "rw-lost-100": f"{lost.loc[100, 'most']:.0f}",
        "lost-mean": f"{lost.loc[5, 'mean']:.1f}",
        "lost-nine": f"{lost.loc[5, 'nine in ten']:.0f}",
    }


def squashed(collection: Collection) -> dict[str, str]:
    """Return what a deeper pool does to expanded AP@10."""
    found = Evidence(collection).squashed
    return {
        f"sq-{name}-{pool}": f"{found.loc[pool, name]:.3f}"
        for name in found
        for pool in found.index
    }


def figure4(grid: pd.DataFrame) -> dict[str, str]:
    """Return by how much measures rise with depth, and differ at one.

    Parameters
    ----------
    grid : DataFrame
        From :func:`lib.papers.webber2010.depth.figure4`.
    """
    power = grid.set_index(["measure", "pool", "depth"])["power"]
    full = pd.DataFrame({k: [power[(m, k, k)] for m in FORMS] for k in FULL}, index=list(FORMS))
    rise, spread = full[100] - full[5], full.max() - full.min()
    printed = read("webber2010", "Section 4.2").set_index("row")["printed"]
    return {
        "spread": f"{spread[100]:.3f}",
        "rise-low": f"{rise.min():.3f}",
        "rise-high": f"{rise.max():.3f}",
        "spread-10": f"{spread[10]:.3f}",
        "step-low": printed["ndcg-20-pool-20"],
        "step-high": printed["ndcg-20-pool-5"],
        "spread-20": f"{spread[20]:.3f}",
        "rise-10-p": f"{full.loc['P', 100] - full.loc['P', 10]:.3f}",
    }


def hypotheses(known: pd.DataFrame, grid: pd.DataFrame) -> dict[str, str]:
    """Return what decides between the hypotheses.

    Parameters
    ----------
    known : DataFrame
        From :func:`lib.papers.webber2010.hypotheses.evidence_on_hypotheses`.
    grid : DataFrame
        From :func:`lib.papers.webber2010.depth.figure4`.
    """
    at = known.set_index("evidence")["value"]
    usual = grid[grid["measure"].isin(["P", "R", "nDCG", "aAP", "RBP"])]
    best = usual.loc[usual.groupby(["pool", "depth"])["power"].idxmax(), "measure"].value_counts()
    return {
        "h-gap": at["nDCG@1000 less RBP .8 in Table 1"],
        "h-equal": at["nDCG less RBP at equal depth 100"],
        "h-n": at["nDCG less DCG, mean of the 40 settings"],
        "h-aap": at["aAP less SP, mean of the 40 settings"],
        "h-edge": f"{best['aAP']} of {best.sum()}",
    }


def budget(bought: pd.DataFrame, fewer: pd.DataFrame) -> dict[str, str]:
    """Return what some settings cost, and how well they predict.

    Parameters
    ----------
    bought : DataFrame
        From :func:`lib.statistics.incomplete.budget`.
    fewer : DataFrame
        From :func:`lib.statistics.incomplete.against_fewer`, of what predicts P@10.
    """
    at = bought.set_index(["topics", "pool", "measure"])
    found = {}
    settings = {"wide": (25, 5), "narrow": (5, 20), "deep": (25, 100), "ten": (25, 10)}
    for name, setting in settings.items():
        found[f"phi-{name}"] = f"{at['phi'][(*setting, 'AP')]:.3f}"
        found[f"cost-{name}"] = f"{at['judgements'][(*setting, 'AP')]:,}"
    found["phi-p10"] = f"{at['phi'][(25, 10, 'P@10')]:.3f}"
    found |= {
        "many-cost": f"{fewer.loc[25, 'judgements']:,}",
        "many-phi": f"{fewer.loc[25, 'phi']:.3f}",
        "ten-phi": f"{fewer.loc[10, 'phi']:.3f}",
        "twenty-phi": f"{fewer.loc[20, 'phi']:.3f}",
        "twenty-cost": f"{fewer.loc[20, 'judgements']:,}",
        "twenty-as-much": f"{fewer.loc[20, 'phi for as much']:.3f}",
    }
    found["budget-error"] = f"{bought['error'].max():.3f}"
    return found


def covid(grid: pd.DataFrame) -> dict[str, str]:
    """Return by how much measures rise with depth on TREC-COVID, and differ at one.

    Parameters
    ----------
    grid : DataFrame
        From :func:`lib.papers.webber2010.depth.grid`.
    """
    power = grid.set_index(["measure", "pool", "depth"])["power"]
    at = {
        (pool, depth): pd.Series({m: power[(m, pool, depth)] for m in FORMS if m != "R"})
        for pool, depth in ((5, 5), (10, 10), (10, 200))
    }
    spread = {setting: values.max() - values.min() for setting, values in at.items()}
    return {
        "c-rise": f"{(at[(10, 10)] - at[(5, 5)]).min():.3f}",
        "c-spread": f"{spread[(10, 10)]:.3f}",
        "c-spread-5": f"{spread[(5, 5)]:.3f}",
        "c-extended": f"{(at[(10, 200)] - at[(10, 10)]).min():.3f}",
        "c-spread-200": f"{spread[(10, 200)]:.3f}",
        "c-r": f"{power[('R', 10, 10)]:.3f}",
    }
