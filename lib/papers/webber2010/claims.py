"""What Webber, Moffat and Zobel 2010 say in the text, each number and sentence checked on the data.

Here: of measures, tests, data and Table 1.  ``claims_on_rankings`` has Table 2 and Figure 2,
``claims_on_depth`` the rest.
"""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Claims
from lib.collection import DEPTHS, POOLS, Collection
from lib.measures import complete_scores, persistence, scores
from lib.papers import webber2008
from lib.papers.webber2010 import claims_on_depth, claims_on_rankings
from lib.papers.webber2010.depth import PRINTED
from lib.papers.webber2010.evidence import Evidence
from lib.papers.webber2010.hypotheses import HYPOTHESES
from lib.papers.webber2010.tables import ALPHA, POOL, RESIDUAL, figure1, table1, weight_shares
from lib.statistics.discrimination import significant

__all__ = ["CLAIMS"]

# Start of a slug: the column of Table 1 that it speaks of, and the measure in bold there.
COLUMN = {
    "trec5": ("TREC-5 ad hoc", "nDCG"),
    "trec8": ("TREC-8 ad hoc", "AP"),
    "trec2001": ("TREC 2001 Web", "nDCG"),
    "trec2004": ("TREC 2004 Robust", "AP"),
    "trec2005": ("TREC 2005 Terabyte", "nDCG"),
    "mean": ("mean", "nDCG"),
}
RUN_SETS = {slug: name for slug, (name, _) in COLUMN.items() if slug != "mean"}
# What needs the runs of the other four collections, besides their columns of Table 1.
OTHERS = ("trec5-systems", "trec2001-systems", "trec2004-", "trec2005-", "smallest-topic-set")


def closed(row: Any) -> str:
    """Return why a row cannot be computed; the empty string where it could."""
    if row.place == "Table 1" or row.row.startswith(OTHERS):
        return "the runs of the other four collections are in NIST's password area"
    return ""


# Figure 1 and section 3.1: measures


def steep_then_flat(e: Evidence) -> bool:
    dcg = figure1()["DCG"]
    return dcg[1] - dcg[10] > dcg[10] - dcg[1000] and dcg[100] - dcg[1000] < 0.1 * dcg[1]


def constant_ratio(e: Evidence) -> bool:
    rbp = figure1().drop(columns="DCG").to_numpy()
    return np.allclose(rbp[1:] / rbp[:-1], rbp[1] / rbp[0])


def best(measure: str, relevant: int) -> float:
    """Return a measure's score of the best list of 10 where so many documents are relevant."""
    names = [f"d{i}" for i in range(10)]
    judged = dict.fromkeys(names[:relevant], 1)
    ideal = Collection.from_rankings({"ideal": {"t": names}}, {"t": judged})
    return scores(ideal, measure).iloc[0, 0]


def dcg_as_printed_divides_by_zero(e: Evidence) -> bool:
    with np.errstate(divide="ignore"):
        return np.isinf(1 / np.log2(np.minimum(2.0, 1.0)))


def dcg_exceeds_one(e: Evidence) -> bool:
    two, three = (best("DCG(discount=2002,rel=1)@10", relevant) for relevant in (2, 3))
    return 1 < two < three


def bounded_by_partial_evaluation(e: Evidence) -> bool:
    base, whole = (scores(e.collection, f"RBP(p=0.8,rel=1){cut}") for cut in ("@10", ""))
    return (whole - base).stack().between(-1e-12, 0.8**10 + 1e-12).all()


def beyond_100(measure: str) -> float:
    """Return the percentage of a measure's weight at ranks 101 to 1,000."""
    return 100 * weight_shares().loc[measure, "of base"]


def half_a_percent(e: Evidence) -> tuple[float, str]:
    percent = beyond_100("RBP(p=0.95)")
    return percent, f"{percent:.2f}%, which the paper puts in words as half a percent"


def more_top_weighted(e: Evidence) -> bool:
    tail = figure1().loc[101:1000]
    upper = tail.loc[:550].sum() / tail.sum()
    return upper["RBP(p=0.9977)"] > upper["DCG"]


def top_weighted_when_shallow(e: Evidence) -> bool:
    dcg = figure1()["DCG"]
    return dcg.loc[:3].sum() > 0.4 * dcg.loc[:10].sum()


SECTION_3_1 = {
    "common-pool-depth": lambda e: POOLS[-1],
    "trec-evaluation-depth": lambda e: DEPTHS[-1],
    "precision-below-one-when-k-exceeds-r": lambda e: best("P@5", 3) < 1 == best("P@3", 3),
    "recall-below-one-when-r-exceeds-k": lambda e: best("R@3", 5) < 1 == best("R@5", 5),
    "ap-below-one-when-r-exceeds-k": lambda e: best("AP@3", 5) < 1 == best("AP@5", 5),
    "deeper-pool-raises-r": lambda e: all(
        (e.relevant[b] >= e.relevant[a]).all() and (e.relevant[b] > e.relevant[a]).any()
        for a, b in zip(POOLS, POOLS[1:])
    ),
    "dcg-discount-min-of-2-and-rank": dcg_as_printed_divides_by_zero,
    "dcg-can-exceed-one": dcg_exceeds_one,
    "rbp-bounds-from-partial-evaluation": bounded_by_partial_evaluation,
    "rbp-residual": lambda e: RESIDUAL,
    "rbp-p-depth-10": lambda e: persistence(residual=RESIDUAL, k=10),
    "rbp-p-depth-100": lambda e: persistence(residual=RESIDUAL, k=100),
    "rbp-p-depth-1000": lambda e: persistence(residual=RESIDUAL, k=1000),
    "dcg-weight-101-1000": lambda e: beyond_100("DCG"),
    "rbp-0.95-weight-101-1000": half_a_percent,
    "rbp-0.9977-weight-101-1000": lambda e: beyond_100("RBP(p=0.9977)"),
    "rbp-0.9977-more-top-weighted-than-dcg": more_top_weighted,
    "dcg-top-weighted-when-shallow": top_weighted_when_shallow,
    "dcg-fat-tailed-when-deep": lambda e: beyond_100("DCG") > 50,
}


# Sections 3.2 and 3.3: tests, "very similar" when 95 of 100 pairs are decided alike; and data


def groups(e: Evidence) -> tuple[int, str]:
    number = e.collection.systems["group"].nunique()
    return number, f"NIST's run table names {number} groups"


def judged_by_group(e: Evidence) -> pd.Series:
    systems = e.collection.systems
    return (systems["pooled"] == "yes").groupby(systems["group"]).sum()


def leading(e: Evidence, order: pd.Series) -> int:
    """Count the manual runs before the first that is not."""
    other = e.collection.systems["type"] != "manual"
    return int(other[order.index].to_numpy().argmax())


def same_lead_by_ap10(e: Evidence) -> bool:
    by_p, by_ap = e.order("P@10"), e.order("AP@10", pool=10)  # on the pool of Table 2
    return leading(e, by_ap) >= 11 and set(by_ap.index[:11]) == set(by_p.index[:11])


def one_drops(e: Evidence) -> bool:
    """Does one of the best manual runs lose more than three places?"""
    by_p = e.order("P@10")
    best = by_p.index[: leading(e, by_p)]
    orders = e.order("AP@10", pool=10), e.order("AP@1000")
    short, deep = (order.rank(ascending=False, method="min")[best] for order in orders)
    return (deep - short).max() > 3


def weak_runs_inflate(e: Evidence) -> bool:
    order = e.order("AP").index
    kept = e.collection.select(systems=list(order[: -(len(order) // 4)]))
    return (e.own > table1(kept).set_index("row")["value"].astype(float)).all()


def strong_against_weak(e: Evidence) -> bool:
    """Are 95% of the pairs of one of the best and one of the worst quarter significant?"""
    order = e.order("AP").index
    quarter = len(order) // 4
    table = complete_scores(e.collection, "AP")[[*order[:quarter], *order[-quarter:]]]
    first, second = np.triu_indices(2 * quarter, 1)
    apart = significant(table, alpha=ALPHA)
    return apart[(first < quarter) & (second >= quarter)].mean() >= 0.95


SECTION_3_3 = {
    "trec8-runs": lambda e: len(e.collection.systems),
    "trec8-topics": lambda e: len(e.collection.topics),
    "trec8-groups": groups,
    "trec8-pooled-per-group": lambda e: judged_by_group(e).max(),
    "trec8-pooled-runs": lambda e: judged_by_group(e).sum(),
    "trec8-pool-depth": lambda e: e.collection.entry.max(),
    "trec8-evaluation-depth": lambda e: e.collection.lists["retrieved"].max(),
    "trec8-manual-runs": lambda e: (e.collection.systems["type"] == "manual").sum(),
    "trec8-best-manual-runs": lambda e: leading(e, e.order("P@10")),
    "best-manual-runs-lead-by-p10": lambda e: leading(e, e.order("P@10")) >= 11,
    "best-manual-runs-lead-by-ap10": same_lead_by_ap10,
    "one-best-manual-run-drops-by-ap1000": one_drops,
    "share-of-systems-others-drop": lambda e: 100 * (1 - webber2008.SHARE),
    "weak-runs-inflate-discriminative-power": weak_runs_inflate,
    "strong-against-weak-almost-always-significant": strong_against_weak,
}


# Sections 1, 2 and 4 and Table 1: which measure tells most apart

BEST = ["AP@1000", "nDCG@1000"]
RBP = ["RBP(p=0.8)", "RBP(p=0.95)"]
SHALLOW = ["P@10", "RBP(p=0.8)"]


def shallow_least(column: pd.Series) -> bool | str:
    shallow, rest = column[SHALLOW], column.drop(SHALLOW)
    if shallow.max() == rest.min():
        tied = f"{shallow.idxmax()} and {rest.idxmin()} tie at {rest.min():.3f}"
        return f"in the paper's own column {tied}"
    return shallow.max() < rest.min()


TABLE_1 = {
    f"{slug}-most-discriminative-{most.lower()}": lambda e, name=name, most=most: (
        e.columns[name].idxmax() == f"{most}@1000"
    )
    for slug, (name, most) in COLUMN.items()
}
NDCG_BEATS_RBP = {
    f"{slug}-ndcg-beats-rbp-0.95": lambda e, name=name: (
        e.columns[name]["nDCG@1000"] > e.columns[name]["RBP(p=0.95)"]
    )
    for slug, name in RUN_SETS.items()
}
SHALLOW_LEAST = {
    f"{slug}-p10-rbp-0.8-least": lambda e, name=name: shallow_least(e.columns[name])
    for slug, name in RUN_SETS.items()
}

CLAIMS = Claims(
    evidence=Evidence,
    cells={place: partial(Evidence.cells, place=place) for place in PRINTED},
    rows={
        "Section 1": {
            "ap-more-stable-than-rbp": lambda e: e.own["AP@1000"] > e.own[RBP].max(),
            "ndcg-more-stable-than-rbp": lambda e: e.own["nDCG@1000"] > e.own[RBP].max(),
            "ap-more-stable-than-p10": lambda e: e.own["AP@1000"] > e.own["P@10"],
            "ndcg-more-stable-than-p10": lambda e: e.own["nDCG@1000"] > e.own["P@10"],
            "rbp-more-stable-than-p10": lambda e: e.own[RBP].min() > e.own["P@10"],
            "hypotheses": lambda e: len(HYPOTHESES),
        },
        "Section 2": {  # cited from Webber 2008 and, on other data, Sakai 2006
            "ap-ndcg-most-predictive": lambda e: {*e.phi.nlargest(2).index} == {"AP", "nDCG"},
            "rbp-less-predictive": lambda e: e.phi["RBP(p=0.95)"] < e.phi[["AP", "nDCG"]].min(),
            "p10-rr-least-predictive": lambda e: {*e.phi.nsmallest(2).index} == {"P@10", "RR"},
            "ap-ndcg-among-most-discriminative": lambda e: {*e.powers.nlargest(2).index} == {*BEST},
            "p1000-least-discriminative": lambda e: e.powers["P@1000"] < e.powers[BEST].min(),
        },
        "Section 3.1": SECTION_3_1,
        "Section 3.2": {
            "alpha": lambda e: ALPHA,
            "t-test-like-bootstrap": lambda e: e.agreement["bootstrap"] >= 0.95,
            "t-test-like-permutation": lambda e: e.agreement["permutation"] >= 0.95,
        },
        "Section 3.3": SECTION_3_3,
        "Section 4": {
            "metrics-in-table-1": lambda e: len(e.columns),
            "collections-in-table-1": lambda e: len(e.columns.columns.drop("mean")),
            "best-metric-is-ndcg-or-ap": lambda e: (
                e.columns[[*RUN_SETS.values()]].idxmax().isin(BEST).all()
            ),
            **NDCG_BEATS_RBP,
            **SHALLOW_LEAST,
        },
        "Table 1": TABLE_1,
        "Table 2": {
            "pool-depth-for-evaluation-depth-10": lambda e: POOL,
            "pool-depth-for-evaluation-depth-1000": lambda e: POOLS[-1],
        },
        "Figure 1": {
            "dcg-weights-steep-then-flat": steep_then_flat,
            "rbp-weights-constant-ratio": constant_ratio,
        },
        "Figure 2": claims_on_rankings.FIGURE_2,
        "Section 4.1": claims_on_rankings.SECTION_4_1,
        **claims_on_depth.ROWS,
    },
    closed=closed,
)
