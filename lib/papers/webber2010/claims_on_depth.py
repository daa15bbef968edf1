"""What the paper says of depth and discriminative power: Figures 3 and 4, section 4.2 with Table 3,
abstract and conclusion."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Why, above, at_least
from lib.collection import DEPTHS, POOLS, Collection
from lib.measures import scores
from lib.papers.webber2010.depth import FIGURE_3 as MEASURES_OF_FIGURE_3
from lib.papers.webber2010.depth import FORMS
from lib.papers.webber2010.evidence import LEVEL, NEARLY, PLAIN, Evidence
from lib.statistics.jackknife import jackknife


def all_of(differences: Callable[[Evidence], Any]) -> Callable:
    """State that each of several differences is above 0; where that fails, tell of their mean."""

    def mean(e: Evidence) -> str:
        found = above(lambda part: float(np.mean(differences(part))))(e)
        return f"the mean of all settings is {found.over_topics}"

    return above(differences, mean)


def slight(gain: Callable[[Evidence], float], why: Why = "") -> Callable:
    """State that a gain in discriminative power is one, and less than PLAIN."""
    return above(lambda e: pd.Series([gain(e), PLAIN - gain(e)]), why)


# Figure 3: expanded and abbreviated normalization


def of_normalization(slug: str, expanded: str, abbreviated: str) -> dict[str, Callable]:
    """Return the claims on one measure."""

    def in_letters(e: Evidence) -> str:
        """Say how the sentence fares without a yardstick."""
        lead = e.gain(expanded, abbreviated)
        return f"in {(lead > 0).sum()} of {len(lead)} settings expanded {expanded} is ahead"

    return {
        f"expanded-{slug}-deeper-pool-hurts": all_of(lambda e: -e.deeper[expanded]),
        f"expanded-{slug}-shallower-pool-boosts": above(
            lambda e: e.best_gains[expanded].mean() - PLAIN
        ),
        f"abbreviated-{slug}-deeper-pool-harmless": at_least(
            lambda e: e.deeper[abbreviated], LEVEL
        ),
        f"abbreviated-{slug}-shallower-pool-slight-gain": slight(
            lambda e: e.best_gains[abbreviated].mean()
        ),
        f"abbreviated-{slug}-at-least-expanded": at_least(
            lambda e: e.gain(abbreviated, expanded), LEVEL, in_letters
        ),
    }


FIGURE_3 = {
    **of_normalization("ap", "AP", "aAP"),
    **of_normalization("ndcg", "enDCG", "nDCG"),
    "supports-evaluation-beyond-pool": at_least(
        lambda e: pd.concat([e.beyond[m] for m in MEASURES_OF_FIGURE_3]), LEVEL
    ),
}


# Figure 4: all measures at all depths


def depth_over_measure(e: Evidence) -> float:
    """Return by how much depths differ, mean of the measures, less how much measures do."""
    return (e.full.max(axis=1) - e.full.min(axis=1)).mean() - e.spread.mean()


def rise(e: Evidence, start: int = 5) -> pd.Series:
    """Return what each measure gains under full assessment to depth 100."""
    return e.full[100] - e.full[start]


def of_spread(start: int) -> Callable:
    """State that every measure's rise to depth 100 exceeds the spread at every depth."""

    def over_spread(e: Evidence) -> np.ndarray:
        return np.subtract.outer(rise(e, start).to_numpy(), e.spread.to_numpy()).ravel()

    def rises_less(e: Evidence) -> str:
        found, limit = rise(e, start), e.spread.max()
        least = found.idxmin()
        return (
            f"measures differ by {limit:.3f} at depth {e.spread.idxmax()}; "
            f"{(found <= limit).sum()} of {len(found)} rise by less from {start} to 100, {least} "
            f"by {found[least]:.3f}"
        )

    return above(over_spread, rises_less)


def recall_alone_falls(e: Evidence) -> pd.Series:
    """Return by how much recall's fall is plain, and by how much others' are not."""
    falls = (e.power.loc[5] - e.power.loc[100]).max()[list(FORMS)]
    return (falls - PLAIN).where(falls.index == "R", PLAIN - falls)


def hardly_ever_falls(measure: str) -> Callable:
    """State that nine in ten steps to the next evaluation depth are no fall."""

    def steps(e: Evidence) -> np.ndarray:
        return np.diff(e.curves(measure))

    def falls(e: Evidence) -> str:
        found = steps(e)
        return f"{(found < -LEVEL).sum()} of {found.size} steps fall by more than {LEVEL}"

    return at_least(lambda e: float(np.quantile(steps(e), 0.1)), LEVEL, falls)


def still_rises(measure: str) -> Callable:
    """State that on a pool of depth 5 no deeper evaluation lies below a shallower one."""

    def later(e: Evidence) -> np.ndarray:
        return np.array([after - before for before, after in combinations(e.curves(measure)[0], 2)])

    return at_least(later, LEVEL, lambda e: f"the deepest fall is {-later(e).min():.4f}")


def falls_far_beyond(measure: str) -> Callable:
    """State that at depth 1000 power is below its highest, on a pool of any depth."""
    return above(lambda e: e.curves(measure).max(axis=1) - e.curves(measure)[:, -1] - LEVEL)


def helps_dcg(measure: str) -> Callable:
    """State that an adjusted DCG separates slightly more pairs than DCG, mean of all settings."""

    def ahead(e: Evidence) -> str:
        gain = e.gain(measure, "DCG")
        return f"{measure} is ahead of DCG in {(gain > 0).sum()} of {len(gain)} settings"

    return slight(lambda e: e.gain(measure, "DCG").mean(), ahead)


def tends_to_rise(family: str) -> Callable:
    """State that evaluation beyond the pool adds power on the whole, in every form."""
    forms = [m for m, (of, _) in FORMS.items() if of == family]
    return above(lambda e: e.beyond[forms].mean())


PRECISION_ROW = [m for m, (of, _) in FORMS.items() if of == "precision/recall"]


def of_precision(e: Evidence) -> str:
    found = ", ".join(
        f"{m} {e.beyond[m].mean():+.3f} (more in {(e.beyond[m] > 0).mean():.0%} of the settings)"
        for m in PRECISION_ROW
    )
    return f"what evaluation beyond the pool adds to it, on average: {found}"


def gain_is_common(e: Evidence) -> pd.Series:
    """Return the mean best gain at each depth, and by how much each measure's is not plain.

    Recall, which gains much, is left out.
    """
    gains = e.best_gains[[m for m in FORMS if m != "R"]]
    return pd.concat([gains.mean(axis=1), PLAIN - gains.mean()])


def gain_of_adjusted(e: Evidence) -> float:
    """Return the best gain of adjusted measures less that of raw ones, recall aside."""
    best = e.best_gains[[m for m in FORMS if m != "R"]].mean()
    of_raw = np.array([FORMS[m][1] == "raw" for m in best.index])
    return best[~of_raw].mean() - best[of_raw].mean()


NORMALIZED = {
    "normalized-dcg": "nDCG",
    "standardized-dcg": "sDCG",
    "normalized-ap": "aAP",
    "standardized-ap": "sAP",
}
FALLING = {
    "precision": "P",
    "rbp": "RBP",
    "normalized-rbp": "nRBP",
    "standardized-rbp": "sRBP",
    "standardized-precision": "sP",
}
FIGURE_4 = {
    "depth-matters-more-than-metric": above(depth_over_measure),
    "all-metrics-rise-with-depth": all_of(lambda e: rise(e) - PLAIN),
    "depth-100-against-5-exceeds-metric-spread": of_spread(5),
    "depth-100-against-10-exceeds-metric-spread": of_spread(10),
    "strongest-at-100-is-standardized-ap": above(
        lambda e: e.full.loc["sAP", 100] - e.full[100].drop("sAP")
    ),
    "weakest-at-100-is-recall": above(lambda e: e.full[100].drop("R") - e.full.loc["R", 100]),
    "only-recall-falls-with-deeper-pool": above(recall_alone_falls),
    **{f"{slug}-hardly-ever-falls": hardly_ever_falls(m) for slug, m in NORMALIZED.items()},
    **{f"{slug}-pool-5-still-rises": still_rises(m) for slug, m in NORMALIZED.items()},
    **{f"{slug}-falls-far-beyond-pool": falls_far_beyond(m) for slug, m in FALLING.items()},
    "normalization-helps-dcg-slightly": helps_dcg("nDCG"),
    "standardization-helps-dcg-slightly": helps_dcg("sDCG"),
    "dcg-rises-with-pool-fixed": tends_to_rise("DCG"),
    "ap-rises-with-pool-fixed": tends_to_rise("AP"),
    "rbp-rises-with-pool-fixed": tends_to_rise("RBP"),
    "precision-recall-row-excepted": above(lambda e: -e.beyond[PRECISION_ROW].mean(), of_precision),
    "shallower-pool-slight-gain-is-common": above(gain_is_common),
    "shallower-pool-gain-mostly-adjusted-metrics": above(gain_of_adjusted),
}


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


def weighting_helps(e: Evidence) -> np.ndarray:
    """Return DCG and AP less the RBP and the precision or recall that are adjusted alike."""
    deep = e.power.xs(1000, level="depth")
    normalized = [deep[m] - deep[other] for m in ("nDCG", "aAP") for other in ("nRBP", "R")]
    standardized = [deep[m] - deep[other] for m in ("sDCG", "sAP") for other in ("sRBP", "sP")]
    return np.concatenate([*normalized, *standardized])


def extended_nearer_deep(measure: str) -> Callable:
    """State that p values at 10/100 agree with those at 100/100 more than with those at 10/10."""
    shallow, extended, deep = ((*at, measure) for at in ((10, 10), (10, 100), (100, 100)))
    return above(lambda e: e.p_taus[extended, deep] - e.p_taus[shallow, extended])


def kinds(e: Evidence, one: str, other: str) -> float:
    """Return Table 3's mean tau where settings differ in the one, less that in the other."""
    return e.kinds[one].mean() - e.kinds[other].mean()


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
        lambda e: np.ravel(
            [e.gain(*of)[list(zip(POOLS, POOLS))] for of in (("aAP", "AP"), ("nDCG", "enDCG"))]
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
    "p-value-same-depth-nearer-than-same-metric": above(lambda e: kinds(e, "metric", "itself")),
    **{
        f"p-value-{measure.lower()}-extended-nearer-deep": extended_nearer_deep(measure)
        for measure in ("aAP", "nDCG", "RBP")
    },
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


def extended_over_shallow(e: Evidence) -> float:
    """Return by how much extended nDCG foretells deep nDCG better than shallow nDCG does."""
    return e.tau[("extended", "deep")] - e.tau[("shallow", "deep")]


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
            [depth_over_measure(e), *depth_nearer_in_rankings(e), kinds(e, "metric", "itself")]
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
    "depth-raises-every-metric": above(
        lambda e: e.full.diff(axis=1).iloc[:, 1:].to_numpy().ravel(), falling
    ),
    "depth-raises-on-fixed-pool": above(lambda e: e.beyond[list(FORMS)].mean().mean()),
    "depth-over-metric": FIGURE_4["depth-matters-more-than-metric"],
    "equal-depth-closes-most-of-gap": above(gap_closed),
    "equal-depth-leaves-some-gap": above(gap_at_equal_depth),
    "depth-over-metric-in-rankings": above(depth_nearer_in_rankings),
    "depth-over-metric-in-significance": above(lambda e: kinds(e, "metric", "itself")),
    "expanded-rewards-shallow-pools": above(lambda e: e.best_gains[["R", "AP"]].mean() - PLAIN),
    "standardization-slight-gain": undecided(
        ("sDCG", "DCG"), ("sAP", "SP"), ("sRBP", "RBP"), ("sP", "P")
    ),
    "depth-10-pool-foretells-depth-100": above(foretold),
    "distinctive-systems-penalized": above(lambda e: e.lead_lost),
    "shallow-evaluation-depth-alone-as-effective": at_least(pool_of_5_as_effective, LEVEL),
}
ROWS = ABSTRACT | CONCLUSION | FIGURE_3 | FIGURE_4 | SECTION_4_2
