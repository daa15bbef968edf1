"""What the paper says of its measures, tests and data: Figure 1 and section 3."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from lib.claims import above
from lib.collection import DEPTHS, POOLS, Collection
from lib.measures import persistence, scores
from lib.papers.webber2010.evidence import KEPT, SHARE, TOP, Evidence
from lib.papers.webber2010.tables import ALPHA, RESIDUAL, figure1, weight_shares
from lib.published import Answer, read

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
    names = [f"d{i}" for i in range(20)]
    runs = {"all": {"t": names}, "late": {"t": [f"x{i}" for i in range(10)] + names}}
    toy = Collection.from_rankings(runs, {"t": dict.fromkeys(names, 1)})
    base, whole = (scores(toy, f"RBP(p=0.8,rel=1){cut}") for cut in ("@10", ""))
    return bool((whole - base).stack().between(-1e-12, 0.8**10 + 1e-12).all())


def beyond_100(measure: str) -> float:
    """Return the percentage of a measure's weight at ranks 101 to 1,000."""
    return 100 * weight_shares().loc[measure, "of base"]


def half_a_percent(e: Evidence) -> Answer:
    percent = beyond_100("RBP(p=0.95)")
    return Answer(percent, cause=f"{percent:.2f}%, which the paper puts in words as half a percent")


def more_top_weighted(e: Evidence) -> bool:
    tail = figure1().loc[101:1000]
    upper = tail.loc[:550].sum() / tail.sum()
    return upper["RBP(p=0.9977)"] > upper["DCG"]


def top_weighted_when_shallow(e: Evidence) -> bool:
    dcg = figure1()["DCG"]
    return dcg.loc[:3].sum() > 0.4 * dcg.loc[:10].sum()


FIGURE_1 = {
    "dcg-weights-steep-then-flat": steep_then_flat,
    "rbp-weights-constant-ratio": constant_ratio,
}
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
    "unpooled-runs-lose": above(lambda e: e.unpooled["no"] - e.unpooled["yes"]),
}


# Sections 3.2 and 3.3: tests, and data


def goes_with_predictivity(e: Evidence) -> float:
    """Return the correlation of discriminative power and self-predictivity, over the measures."""
    both = pd.DataFrame({"power": e.powers, "phi": e.phi}).dropna()
    return both["power"].corr(both["phi"])


def groups(e: Evidence) -> Answer:
    number = e.collection.systems["group"].nunique()
    return Answer(number, cause=f"NIST's run table names {number} groups")


def judged_by_group(e: Evidence) -> pd.Series:
    systems = e.collection.systems
    return (systems["pooled"] == "yes").groupby(systems["group"]).sum()


def leading(e: Evidence, order: pd.Series) -> int:
    """Count the manual runs before the first that is not."""
    other = e.collection.systems["type"] != "manual"
    order = order.sort_values(ascending=False, kind="stable")
    return int(other[order.index].to_numpy().argmax())


def lead_by(measure: str) -> Callable[[Evidence], bool | str]:
    """Are the 11 best manual runs the 11 best runs?  All judgements, as section 3.3 has it."""

    def claim(e: Evidence) -> bool | str:
        number, pooled = (leading(e, e.order(measure, pool=pool)) for pool in (None, 10))
        return number >= TOP or (
            f"on all judgements {number} manual runs lead; on a pool of depth 10, that of Table 2, "
            f"{pooled}"
        )

    return claim


def one_drops(e: Evidence) -> bool:
    """Does one of the best manual runs lose more than three places?"""
    by_p = e.order("P@10")
    best = by_p.index[: leading(e, by_p)]
    orders = e.order("AP@10"), e.order("AP@1000")
    short, deep = (order.rank(ascending=False, method="min")[best] for order in orders)
    return (deep - short).max() > 3


def smallest_topic_set(e: Evidence) -> int:
    """Return the topics of TREC 2004 as section 3.3 prints them, or those of TREC-8 if fewer."""
    said = read("webber2010", "Section 3.3").set_index("row")["printed"]
    return min(int(said["trec2004-topics"]), len(e.collection.topics))


SECTION_3_2 = {
    "alpha": lambda e: ALPHA,
    "smallest-topic-set": smallest_topic_set,
    "t-test-like-bootstrap": lambda e: e.agreement["bootstrap"] >= SHARE,
    "t-test-like-permutation": lambda e: e.agreement["permutation"] >= SHARE,
    "discriminative-power-goes-with-predictivity": above(goes_with_predictivity),
}
SECTION_3_3 = {
    "trec5-systems": lambda e: len(e.trec5.collection.systems),
    "trec2004-systems": lambda e: e.robust["systems"],
    "trec2004-topics": lambda e: e.robust["topics"],
    "trec8-runs": lambda e: len(e.collection.systems),
    "trec8-topics": lambda e: len(e.collection.topics),
    "trec8-groups": groups,
    "trec8-pooled-per-group": lambda e: judged_by_group(e).max(),
    "trec8-pooled-runs": lambda e: judged_by_group(e).sum(),
    "trec8-pool-depth": lambda e: e.collection.entry.max(),
    "trec8-evaluation-depth": lambda e: e.collection.lists["retrieved"].max(),
    "trec8-manual-runs": lambda e: (e.collection.systems["type"] == "manual").sum(),
    "trec8-best-manual-runs": lambda e: leading(e, e.order("P@10")),
    "best-manual-runs-lead-by-p10": lead_by("P@10"),
    "best-manual-runs-lead-by-ap10": lead_by("AP@10"),
    "one-best-manual-run-drops-by-ap1000": one_drops,
    "share-of-systems-others-drop": lambda e: 100 * (1 - KEPT),
    "weak-runs-inflate-discriminative-power": above(lambda e: e.inflated),
    "strong-against-weak-almost-always-significant": above(lambda e: e.strong_over_weak - SHARE),
}
