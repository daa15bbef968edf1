"""What the paper says of discriminative power at all depths, of Table 3, and in conclusion."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from lib.collection import DEPTHS, POOLS
from lib.measures import complete_scores, scores
from lib.papers.webber2010.claims_on_rankings import SECTION_4_1, leaders_held_back, second_falls
from lib.papers.webber2010.depth import FORMS
from lib.papers.webber2010.evidence import FULL, LEVEL, PLAIN, SEED, Evidence
from lib.papers.webber2010.tables import ALPHA
from lib.published import lookup
from lib.statistics.discrimination import discriminative_power

__all__ = ["ROWS"]


# Figure 3: expanded and abbreviated normalization


def at_least_expanded(e: Evidence, abbreviated: str, expanded: str) -> bool | str:
    lead = e.gain(expanded, abbreviated)
    behind = lead[lead > 0]
    if behind.empty or max(lead[(k, k)] for k in FULL) > 0:
        return behind.empty
    return (
        f"in {len(behind)} of {len(lead)} settings expanded {expanded} is ahead, by at most "
        f"{behind.max():.4f}; none of them is full assessment"
    )


def of_normalization(slug: str, expanded: str, abbreviated: str) -> dict[str, Callable]:
    """Return the claims on one measure."""
    return {
        f"expanded-{slug}-deeper-pool-hurts": lambda e: e.deeper(expanded).max() < 0,
        f"expanded-{slug}-shallower-pool-boosts": lambda e: e.best_gains(expanded).mean() >= PLAIN,
        f"abbreviated-{slug}-deeper-pool-harmless": lambda e: e.deeper(abbreviated).min() > -0.001,
        f"abbreviated-{slug}-shallower-pool-slight-gain": lambda e: (
            0 < e.best_gains(abbreviated).mean() < PLAIN
        ),
        f"abbreviated-{slug}-at-least-expanded": lambda e: at_least_expanded(
            e, abbreviated, expanded
        ),
    }


# Figure 4: all measures at all depths


def rise(e: Evidence, start: int = 5) -> pd.Series:
    """Return what each measure gains under full assessment to depth 100."""
    return e.full[100] - e.full[start]


def rise_from_10(e: Evidence) -> bool | str:
    found, limit = rise(e, 10), e.spread[[10, 100]].max()
    return found.min() > limit or (
        f"measures differ by {e.spread[10]:.3f} at depth 10 and {e.spread[100]:.3f} at 100; "
        f"{(found <= limit).sum()} of {len(found)} rise by less from 10 to 100, "
        f"P by {found['P']:.3f}"
    )


def recall_alone_falls(e: Evidence) -> bool:
    falls = {m: (e.curves(m).loc[5] - e.curves(m).loc[100]).max() for m in FORMS}
    recall, others = falls.pop("R"), max(falls.values())
    return recall >= 5 * others and others < PLAIN


def hardly_ever_falls(e: Evidence, measure: str) -> bool | str:
    steps = e.curves(measure).diff(axis=1).iloc[:, 1:]
    fallen = (steps < -LEVEL).sum(axis=None)
    return fallen < steps.size / 10 or f"{fallen} of {steps.size} steps fall by more than {LEVEL}"


def still_rises(e: Evidence, measure: str) -> bool | str:
    curve = e.curves(measure).loc[5]
    drop = (curve.cummax() - curve).max()
    return drop <= LEVEL or f"it ends {drop:.4f} below its highest point"


def falls_far_beyond(e: Evidence, measure: str) -> bool:
    curves = e.curves(measure)
    return (curves.max(axis=1) - curves[1000] > LEVEL).all()


def helps_dcg(e: Evidence, measure: str) -> bool | str:
    gain = e.gain(measure, "DCG")
    return 0 < gain.mean() < PLAIN or (
        f"over all settings {measure} is {gain.mean():+.4f} from DCG, ahead in "
        f"{(gain > 0).sum()} of {len(gain)}"
    )


def tends_to_rise(e: Evidence, family: str) -> bool:
    """Do most evaluations beyond the pool beat the one that stops at it, in every form?"""
    return min(e.rising[m] for m, (of, _) in FORMS.items() if of == family) > 0.5


def precision_and_recall_do_not(e: Evidence) -> bool | str:
    row = {m: e.rising[m] for m, (of, _) in FORMS.items() if of == "precision/recall"}
    shares = ", ".join(f"{x:.0%} of the settings for {m}" for m, x in row.items())
    return max(row.values()) <= 0.5 or (
        f"evaluations beyond the pool beat the one that stops at it in {shares}"
    )


def gain_is_common(e: Evidence) -> bool:
    """Do most measures, recall aside, gain from some shallower pool at each depth, none plainly?"""
    gains = pd.DataFrame({m: e.best_gains(m) for m in FORMS if m != "R"})
    return ((gains > 0).mean(axis=1) > 0.5).all() and gains.mean().max() < PLAIN


def gain_is_of_adjusted(e: Evidence) -> bool | str:
    best = pd.Series({m: e.best_gains(m).mean() for m in FORMS if m != "R"})
    of_raw = [FORMS[m][1] == "raw" for m in best.index]
    raw, adjusted = best[of_raw].mean(), best[np.logical_not(of_raw)].mean()
    return adjusted > raw or (
        f"the best gain is {adjusted:.4f} on average when adjusted, {raw:.4f} when raw"
    )


FIGURE_4 = {
    "depth-matters-more-than-metric": lambda e: (
        (e.full.max(axis=1) - e.full.min(axis=1)).mean() > e.spread.mean()
    ),
    "all-metrics-rise-with-depth": lambda e: rise(e).min() >= PLAIN,
    "depth-100-against-5-exceeds-metric-spread": lambda e: rise(e).min() > e.spread[[5, 100]].max(),
    "depth-100-against-10-exceeds-metric-spread": rise_from_10,
    "strongest-at-100-is-standardized-ap": lambda e: e.full[100].idxmax() == "sAP",
    "weakest-at-100-is-recall": lambda e: e.full[100].idxmin() == "R",
    "only-recall-falls-with-deeper-pool": recall_alone_falls,
    "normalized-dcg-hardly-ever-falls": lambda e: hardly_ever_falls(e, "nDCG"),
    "standardized-dcg-hardly-ever-falls": lambda e: hardly_ever_falls(e, "sDCG"),
    "normalized-ap-hardly-ever-falls": lambda e: hardly_ever_falls(e, "aAP"),
    "standardized-ap-hardly-ever-falls": lambda e: hardly_ever_falls(e, "sAP"),
    "normalized-dcg-pool-5-still-rises": lambda e: still_rises(e, "nDCG"),
    "standardized-dcg-pool-5-still-rises": lambda e: still_rises(e, "sDCG"),
    "normalized-ap-pool-5-still-rises": lambda e: still_rises(e, "aAP"),
    "standardized-ap-pool-5-still-rises": lambda e: still_rises(e, "sAP"),
    "precision-falls-far-beyond-pool": lambda e: falls_far_beyond(e, "P"),
    "rbp-falls-far-beyond-pool": lambda e: falls_far_beyond(e, "RBP"),
    "normalized-rbp-falls-far-beyond-pool": lambda e: falls_far_beyond(e, "nRBP"),
    "standardized-rbp-falls-far-beyond-pool": lambda e: falls_far_beyond(e, "sRBP"),
    "standardized-precision-falls-far-beyond-pool": lambda e: falls_far_beyond(e, "sP"),
    "normalization-helps-dcg-slightly": lambda e: helps_dcg(e, "nDCG"),
    "standardization-helps-dcg-slightly": lambda e: helps_dcg(e, "sDCG"),
    "dcg-rises-with-pool-fixed": lambda e: tends_to_rise(e, "DCG"),
    "ap-rises-with-pool-fixed": lambda e: tends_to_rise(e, "AP"),
    "rbp-rises-with-pool-fixed": lambda e: tends_to_rise(e, "RBP"),
    "precision-recall-row-excepted": precision_and_recall_do_not,
    "shallower-pool-slight-gain-is-common": gain_is_common,
    "shallower-pool-gain-mostly-adjusted-metrics": gain_is_of_adjusted,
}


# Section 4.2 and Table 3


def more_topics_exceed(e: Evidence) -> bool:
    """Does a deeper pool leave more topics with more relevant documents than the depth?"""
    over = [[int((e.relevant[d] > k).sum()) for d in POOLS] for k in DEPTHS]
    return all(counts == sorted(counts) for counts in over) and over[0] != over[-1]


def abbreviated_recall_is_precision(e: Evidence) -> bool:
    relevant = e.relevant[100]
    enough = relevant >= 20
    found = scores(e.collection, "R@20").mul(np.maximum(relevant, 1), axis=0)
    recall = found.div(np.minimum(20, relevant), axis=0)
    return np.allclose(recall[enough], scores(e.collection, "P@20")[enough])


def no_more_than_chance(e: Evidence) -> bool:
    """Draw the topics again: does the interval of nDCG@20's gain from a shallower pool hold 0?"""
    name = "nDCG(discount=2002,rel=1)@20"
    tables = [complete_scores(e.collection.pooled(d), name).to_numpy() for d in (5, 20)]
    rng = np.random.default_rng(SEED)
    topics = len(tables[0])
    gains = []
    for drawn in rng.integers(0, topics, size=(500, topics)):
        shallow, full = (discriminative_power(t[drawn], alpha=ALPHA) for t in tables)
        gains.append(shallow - full)
    low, high = np.quantile(gains, [0.025, 0.975])
    return low <= 0 <= high


def weighting_helps(e: Evidence) -> bool:
    """Are DCG and AP ahead of the RBP and the precision or recall that are adjusted alike?"""
    ahead = {"nDCG": ("nRBP", "R"), "aAP": ("nRBP", "R"), "sDCG": ("sRBP", "sP")}
    ahead["sAP"] = ahead["sDCG"]
    return all(
        e.power[(m, d, 1000)] > max(e.power[(other, d, 1000)] for other in others)
        for m, others in ahead.items()
        for d in FULL
    )


def extended_nearer_deep(e: Evidence, measure: str) -> bool:
    tau = lookup(e.cells("Table 3"))
    shallow, extended, deep = (f"{depths} {measure}" for depths in ("10/10", "10/100", "100/100"))
    return tau[(extended, deep)] > tau[(shallow, extended)]


def pool_over_metric(e: Evidence) -> bool | str:
    pool, metric = e.kinds["pool"].mean(), e.kinds["metric"].mean()
    return pool < metric or (
        f"the same metric at two pool depths: tau {pool:.3f} on average, two metrics at one: "
        f"{metric:.3f}"
    )


SECTION_4_2 = {
    "pool-depth-min": lambda e: POOLS[0],
    "pool-depth-max": lambda e: POOLS[-1],
    "evaluation-depth-min": lambda e: DEPTHS[0],
    "evaluation-depth-max": lambda e: DEPTHS[-1],
    "deeper-pool-leaves-raw-metrics": lambda e: (
        not any(e.deeper(m).any() for m in ("P", "DCG", "SP", "RBP"))
    ),
    "deeper-pool-changes-normalized-metrics": lambda e: all(
        e.deeper(m).any() for m in ("R", "nDCG", "aAP", "nRBP")
    ),
    "deeper-pool-r-exceeds-k-more-often": more_topics_exceed,
    "abbreviated-preferred": lambda e: all(
        min(e.gain("aAP", "AP")[(k, k)], e.gain("nDCG", "enDCG")[(k, k)]) >= 0 for k in FULL
    ),
    "topics-over-100-relevant": lambda e: (e.relevant[100] > 100).sum(),
    "abbreviated-recall-is-precision": abbreviated_recall_is_precision,
    "ndcg-20-pool-difference-not-significant": no_more_than_chance,
    "dcg-and-ap-weighting-helps": weighting_helps,
    "p-value-tau-same-depth-min": lambda e: e.kinds["metric"].min(),
    "p-value-tau-same-depth-max": lambda e: e.kinds["metric"].max(),
    # tau is the share of pairs in the same order less that in the opposite one.
    "p-value-same-order-min": lambda e: 50 * (1 + e.kinds["metric"].min()),
    "p-value-same-order-max": lambda e: 50 * (1 + e.kinds["metric"].max()),
    "p-value-same-depth-nearer-than-same-metric": lambda e: (
        e.kinds["metric"].mean() > e.kinds["itself"].mean()
    ),
    "p-value-aap-extended-nearer-deep": lambda e: extended_nearer_deep(e, "aAP"),
    "p-value-ndcg-extended-nearer-deep": lambda e: extended_nearer_deep(e, "nDCG"),
    "p-value-rbp-extended-nearer-deep": lambda e: extended_nearer_deep(e, "RBP"),
    "evaluation-depth-over-pool-depth": lambda e: e.kinds["depth"].mean() < e.kinds["pool"].mean(),
    "evaluation-depth-over-metric": lambda e: e.kinds["depth"].mean() < e.kinds["metric"].mean(),
    "pool-depth-over-metric": pool_over_metric,
}


# Abstract and conclusion


def ndcg_has_the_edge(e: Evidence) -> bool | str:
    """Is nDCG the most discriminative of the usual measures in half of the settings?"""
    usual = e.power[["P", "R", "nDCG", "aAP", "RBP"]].unstack("measure")
    edge = usual.idxmax(axis=1).value_counts(normalize=True)
    shares = ", ".join(f"{m} in {x:.0%}" for m, x in edge.items())
    return edge.get("nDCG", 0) >= 0.5 or (
        f"among P, R, aAP, nDCG and RBP the most discriminative is {shares} of the settings"
    )


def gap_at_equal_depth(e: Evidence) -> float:
    """Return by how much nDCG and AP lead precision and RBP when all are 100 deep."""
    return e.full.loc[["nDCG", "aAP"], 100].mean() - e.full.loc[["P", "RBP"], 100].mean()


def gap_mostly_closed(e: Evidence) -> bool:
    usual = e.own[["nDCG@1000", "AP@1000"]].mean() - e.own[["P@10", "RBP(p=0.8)"]].mean()
    return gap_at_equal_depth(e) < usual / 2


def gains(e: Evidence, *pairs: tuple[str, str]) -> np.ndarray:
    return np.concatenate([e.gain(adjusted, raw) for adjusted, raw in pairs])


def normalization_undecided(e: Evidence) -> bool:
    gain = gains(e, ("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP"))
    return gain.min() < 0 < gain.max() and abs(gain.mean()) < PLAIN


def standardization_undecided(e: Evidence) -> bool:
    gain = gains(e, ("sDCG", "DCG"), ("sAP", "SP"), ("sRBP", "RBP"), ("sP", "P"))
    return gain.min() < 0 < gain.mean() < PLAIN


def every_metric_rises(e: Evidence) -> bool | str:
    falling = e.full[(e.full.diff(axis=1).iloc[:, 1:] <= 0).any(axis=1)]
    return falling.empty or "; ".join(
        f"{m} falls from {power[50]:.3f} at depth 50 to {power[100]:.3f} at 100"
        for m, power in falling.iterrows()
    )


def pool_of_5_as_effective(e: Evidence) -> bool:
    fixed = [e.power[(m, 5, k)] - e.power[(m, k, k)] for m in FORMS for k in (10, 20)]
    return np.mean(fixed) >= 0


CONCLUSION = {
    "hypothesis-depth-strongly-supported": lambda e: (
        rise(e).min() >= PLAIN and gap_mostly_closed(e)
    ),
    "hypothesis-normalization-inconclusive": normalization_undecided,
    "hypothesis-reinforcement-slight-support": lambda e: (
        SECTION_4_1["extended-better-than-shallow"](e) and second_falls(e)
    ),
    "depth-raises-every-metric": every_metric_rises,
    "depth-over-metric": FIGURE_4["depth-matters-more-than-metric"],
    "equal-depth-closes-most-of-gap": gap_mostly_closed,
    "equal-depth-leaves-some-gap": lambda e: gap_at_equal_depth(e) > 0,
    "depth-over-metric-in-rankings": lambda e: (
        min(e.groups[side].mean() for side in ("short", "deep")) > e.groups["itself"].mean()
    ),
    "depth-over-metric-in-significance": SECTION_4_2["p-value-same-depth-nearer-than-same-metric"],
    "expanded-rewards-shallow-pools": lambda e: (
        min(e.best_gains(m).mean() for m in ("R", "AP")) >= PLAIN
    ),
    "standardization-slight-gain": standardization_undecided,
    "depth-10-pool-foretells-depth-100": SECTION_4_1["extended-reliable"],
    "distinctive-systems-penalized": lambda e: second_falls(e) and leaders_held_back(e),
    "shallow-evaluation-depth-alone-as-effective": pool_of_5_as_effective,
}

ROWS = {
    "Figure 3": {
        **of_normalization("ap", "AP", "aAP"),
        **of_normalization("ndcg", "enDCG", "nDCG"),
        "supports-evaluation-beyond-pool": lambda e: all(
            e.power[(m, d, 1000)] > e.power[(m, d, d)] for m in ("aAP", "nDCG") for d in FULL
        ),
    },
    "Figure 4": FIGURE_4,
    "Abstract": {
        "depth-matters-more-than-metric-type": FIGURE_4["depth-matters-more-than-metric"],
        "no-misleading-reinforcement": SECTION_4_1["extended-better-than-shallow"],
        "ndcg-slight-edge": ndcg_has_the_edge,
    },
    "Section 4.2": SECTION_4_2,
    "Conclusion": CONCLUSION,
}
