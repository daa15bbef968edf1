"""What the paper says in section 4.2 and of Table 3, in its abstract and in conclusion."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from lib.claims import above, at_least, not_public
from lib.collection import DEPTHS, POOLS, Collection
from lib.measures import scores
from lib.papers.webber2010.claims_on_depth import FIGURE_4, all_of, depth_over_measure, rise
from lib.papers.webber2010.claims_on_rankings import extended_over_shallow
from lib.papers.webber2010.depth import FORMS
from lib.papers.webber2010.evidence import FULL, Evidence
from lib.papers.webber2010.yardsticks import LEVEL, NEARLY, PLAIN
from lib.published import lookup
from lib.statistics.jackknife import jackknife

__all__ = ["ABSTRACT", "CONCLUSION", "SECTION_4_2"]


# Section 4.2 and Table 3


def more_topics_exceed(e: Evidence) -> bool:
    """Does a deeper pool leave more topics with more relevant documents than the depth?"""
    over = [[int((e.relevant[d] > k).sum()) for d in POOLS] for k in DEPTHS]
    return all(counts == sorted(counts) for counts in over) and over[0] != over[-1]


def abbreviated_recall_is_precision(e: Evidence) -> bool:
    """Divide the hits among the first k by k or by R, whichever is less, where R is at least k."""
    names = [f"d{i}" for i in range(10)]
    runs = {"some": {"t": names[::2]}, "none": {"t": ["x", "y"]}, "all": {"t": names}}
    toy = Collection.from_rankings(runs, {"t": dict.fromkeys(names, 1)})
    recall = scores(toy, "R@5") * len(names) / min(5, len(names))
    return bool(np.allclose(recall, scores(toy, "P@5")))


def no_more_than_chance(e: Evidence) -> bool | str:
    """Does the interval over topics of nDCG@20's gain from a shallower pool hold 0?"""

    def gain(part: Evidence) -> float:
        return part.power.at[(5, 20), "nDCG"] - part.power.at[(20, 20), "nDCG"]

    found = jackknife(gain(e), [gain(part) for part in e.loo_replicates])
    interval = f"{found.estimate:+.4f} [{found.low:+.4f}, {found.high:+.4f}]"
    return bool(found.low <= 0 <= found.high) or f"its interval over topics is {interval}"


def weighting_helps(e: Evidence) -> pd.Series:
    """Return DCG and AP less the RBP and the precision or recall that are adjusted alike."""
    against = {"nDCG": ("nRBP", "R"), "aAP": ("nRBP", "R")}
    against |= {"sDCG": ("sRBP", "sP"), "sAP": ("sRBP", "sP")}
    return pd.Series(
        {
            (m, other, d): e.power.at[(d, 1000), m] - e.power.at[(d, 1000), other]
            for m, others in against.items()
            for other in others
            for d in FULL
        }
    )


def extended_nearer_deep(measure: str) -> Callable:
    """State that p values at 10/100 agree with those at 100/100 more than with those at 10/10."""

    def difference(e: Evidence) -> float:
        tau = lookup(e.cells("Table 3"))
        shallow, extended, deep = (f"{d} {measure}" for d in ("10/10", "10/100", "100/100"))
        return tau[(extended, deep)] - tau[(shallow, extended)]

    return above(difference)


def kinds(e: Evidence, one: str, other: str) -> float:
    """Return Table 3's mean tau where settings differ in the one, less that in the other."""
    return e.kinds[one].mean() - e.kinds[other].mean()


def depth_nearer_in_significance(e: Evidence) -> float:
    return kinds(e, "metric", "itself")


SECTION_4_2 = {
    "pool-depth-min": lambda e: POOLS[0],
    "pool-depth-max": lambda e: POOLS[-1],
    "evaluation-depth-min": lambda e: DEPTHS[0],
    "evaluation-depth-max": lambda e: DEPTHS[-1],
    "deeper-pool-leaves-raw-metrics": lambda e: (
        not any(e.deeper[m].any() for m in ("P", "DCG", "SP", "RBP"))
    ),
    "deeper-pool-changes-normalized-metrics": lambda e: all(
        e.deeper[m].any() for m in ("R", "nDCG", "aAP", "nRBP")
    ),
    "deeper-pool-r-exceeds-k-more-often": more_topics_exceed,
    "deeper-pool-squashes-range": above(
        lambda e: e.squashed.loc[10, "range"] - e.squashed.loc[100, "range"]
    ),
    "squashed-range-raises-variability": above(
        lambda e: e.squashed.loc[100, "relative"] - e.squashed.loc[10, "relative"]
    ),
    "abbreviated-preferred": all_of(
        lambda e: np.array(
            [e.gain(*pair)[(k, k)] for pair in (("aAP", "AP"), ("nDCG", "enDCG")) for k in FULL]
        )
    ),
    "topics-over-100-relevant": lambda e: (e.relevant[100] > 100).sum(),
    "abbreviated-recall-is-precision": abbreviated_recall_is_precision,
    "ndcg-20-pool-difference-not-significant": no_more_than_chance,
    "dcg-and-ap-weighting-helps": all_of(weighting_helps),
    "p-value-tau-same-depth-min": lambda e: e.kinds["metric"].min(),
    "p-value-tau-same-depth-max": lambda e: e.kinds["metric"].max(),
    # tau is the share of pairs in the same order less that in the opposite one.
    "p-value-same-order-min": lambda e: 50 * (1 + e.kinds["metric"].min()),
    "p-value-same-order-max": lambda e: 50 * (1 + e.kinds["metric"].max()),
    "p-value-same-depth-nearer-than-same-metric": above(depth_nearer_in_significance),
    "p-value-aap-extended-nearer-deep": extended_nearer_deep("aAP"),
    "p-value-ndcg-extended-nearer-deep": extended_nearer_deep("nDCG"),
    "p-value-rbp-extended-nearer-deep": extended_nearer_deep("RBP"),
    "evaluation-depth-over-pool-depth": above(lambda e: kinds(e, "pool", "depth")),
    "evaluation-depth-over-metric": above(lambda e: kinds(e, "metric", "depth")),
    "pool-depth-over-metric": above(lambda e: kinds(e, "metric", "pool")),
}


# Abstract and conclusion


def depth_nearer_in_rankings(e: Evidence) -> np.ndarray:
    """Return how much nearer measures of one depth are than one measure at two depths."""
    return np.array([e.groups[s].mean() for s in ("short", "deep")]) - e.groups["itself"].mean()


def edge_of_ndcg(e: Evidence) -> pd.Series:
    """Return by how much nDCG is ahead of each other usual measure, mean of all settings."""
    return pd.Series({m: e.gain("nDCG", m).mean() for m in ("P", "R", "aAP", "RBP")})


def who_has_the_edge(e: Evidence) -> str:
    usual = e.power[["P", "R", "RBP", "aAP", "nDCG"]]
    edge = usual.idxmax(axis=1).value_counts(normalize=True)
    shares = ", ".join(f"{m} in {x:.0%}" for m, x in edge.items())
    return f"among P, R, aAP, nDCG and RBP the most discriminative is {shares} of the settings"


def gap_at_equal_depth(e: Evidence) -> float:
    """Return by how much nDCG and AP lead precision and RBP when all are 100 deep."""
    return e.full.loc[["nDCG", "aAP"], 100].mean() - e.full.loc[["P", "RBP"], 100].mean()


def gap_closed(e: Evidence) -> float:
    """Return half of the lead in Table 1, less what is left of it at equal depth."""
    usual = e.own[["nDCG@1000", "AP@1000"]].mean() - e.own[["P@10", "RBP(p=0.8)"]].mean()
    return usual / 2 - gap_at_equal_depth(e)


def undecided(*pairs: tuple[str, str]) -> Callable:
    """State that adjusting gains in some settings, loses in others, and little on the whole."""

    def little(e: Evidence) -> np.ndarray:
        gain = np.concatenate([e.gain(adjusted, raw) for adjusted, raw in pairs])
        return np.array(
            [gain.max(), -gain.min(), PLAIN - gain.mean(), PLAIN + gain.mean()], dtype=float
        )

    return above(little)


def falling(e: Evidence) -> str:
    steps = e.full.diff(axis=1).iloc[:, 1:]
    return "; ".join(
        f"{m} falls from {e.full.loc[m, 50]:.3f} at depth 50 to {e.full.loc[m, 100]:.3f} at 100"
        for m in steps.index[(steps <= 0).any(axis=1)]
    )


depth_raises_every_metric = above(
    lambda part: part.full.diff(axis=1).iloc[:, 1:].to_numpy().ravel(), falling
)


def pool_of_5_as_effective(e: Evidence) -> np.ndarray:
    """Return what stays behind, mean of the measures, when the pool is not deepened to 10 or 20."""
    return np.array(
        [np.mean([e.power.at[(5, k), m] - e.power.at[(k, k), m] for m in FORMS]) for k in (10, 20)]
    )


def foretold(e: Evidence) -> np.ndarray:
    """Return tau and the linear correlation of extended and deep scores, less NEARLY."""
    linear = e.points["extended"].corr(e.points["deep"])
    return np.array([e.tau[("extended", "deep")], linear]) - NEARLY


ABSTRACT = {
    "depth-matters-more-than-metric-type": above(
        lambda e: np.array(
            [depth_over_measure(e), *depth_nearer_in_rankings(e), depth_nearer_in_significance(e)]
        )
    ),
    "no-misleading-reinforcement": above(
        lambda e: np.array([extended_over_shallow(e), e.tau[("extended", "deep")] - NEARLY])
    ),
    "ndcg-slight-edge": above(edge_of_ndcg, who_has_the_edge),
    "ndcg-often-most-discriminative": lambda e: (
        (e.columns.drop(columns="mean").idxmax() == "nDCG@1000").mean() > 0.5
    ),
}
CONCLUSION = {
    "hypothesis-depth-strongly-supported": above(
        lambda e: np.array([*(rise(e) - PLAIN), gap_closed(e)])
    ),
    "hypothesis-normalization-inconclusive": undecided(
        ("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP")
    ),
    "hypothesis-reinforcement-slight-support": above(
        lambda e: np.array([extended_over_shallow(e), e.lead_lost])
    ),
    "depth-raises-every-metric": depth_raises_every_metric,
    "depth-raises-on-fixed-pool": above(lambda e: e.beyond[list(FORMS)].mean().mean()),
    "depth-over-metric": FIGURE_4["depth-matters-more-than-metric"],
    "equal-depth-closes-most-of-gap": above(gap_closed),
    "equal-depth-leaves-some-gap": above(gap_at_equal_depth),
    "depth-over-metric-in-rankings": above(depth_nearer_in_rankings),
    "depth-over-metric-in-significance": above(depth_nearer_in_significance),
    "expanded-rewards-shallow-pools": above(lambda e: e.best_gains[["R", "AP"]].mean() - PLAIN),
    "standardization-slight-gain": undecided(
        ("sDCG", "DCG"), ("sAP", "SP"), ("sRBP", "RBP"), ("sP", "P")
    ),
    "depth-10-pool-foretells-depth-100": above(foretold),
    "distinctive-systems-penalized": above(lambda e: e.lead_lost),
    "shallow-evaluation-depth-alone-as-effective": at_least(pool_of_5_as_effective, LEVEL),
    "one-of-the-most-fully-pooled": lambda e: not_public(
        "the runs of most other TREC collections are in NIST's password area"
    ),
}
