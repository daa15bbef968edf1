"""What the paper says of depth and discriminative power: Figures 3 and 4, section 4.2 with Table 3,
abstract and conclusion."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Claim, above, at_least
from lib.collection import DEPTHS, POOLS, Collection, load
from lib.estimates import Estimate, joined
from lib.measures import scores
from lib.papers.webber2010 import quantities as q
from lib.papers.webber2010.depth import FIGURE_3 as MEASURES_OF_FIGURE_3
from lib.papers.webber2010.depth import FORMS
from lib.papers.webber2010.quantities import Data, over
from lib.papers.webber2010.yardsticks import LEVEL, NEARLY, PLAIN
from lib.published import Answer


def all_of(differences: Estimate) -> Answer:
    """State that each of several differences is above 0; where that fails, tell of their mean."""
    return above(differences, f"the mean of all settings is {differences.mean().interval()}")


def slight(gain: Any, why: str = "") -> Answer:
    """State that a gain in discriminative power is one, and less than PLAIN."""
    return above(joined(gain, PLAIN - gain), why)


# Figure 3: expanded and abbreviated normalization


def of_normalization(slug: str, expanded: str, abbreviated: str) -> dict[str, Claim]:
    """Return the claims on one measure."""

    def in_letters(d: Data) -> str:
        """Say how the sentence fares without a yardstick."""
        lead = q.gain(d.trec8, expanded, abbreviated).value
        return f"in {(lead > 0).sum()} of {len(lead)} settings expanded {expanded} is ahead"

    return {
        f"expanded-{slug}-deeper-pool-hurts": lambda d: all_of(-q.deeper_pool(d.trec8)[expanded]),
        f"expanded-{slug}-shallower-pool-boosts": lambda d: above(
            q.shallower_pool(d.trec8)[expanded].mean() - PLAIN
        ),
        f"abbreviated-{slug}-deeper-pool-harmless": lambda d: at_least(
            q.deeper_pool(d.trec8)[abbreviated], LEVEL
        ),
        f"abbreviated-{slug}-shallower-pool-slight-gain": lambda d: slight(
            q.shallower_pool(d.trec8)[abbreviated].mean()
        ),
        f"abbreviated-{slug}-at-least-expanded": lambda d: at_least(
            q.gain(d.trec8, abbreviated, expanded), LEVEL, in_letters(d)
        ),
    }


FIGURE_3: dict[str, Claim] = {
    **of_normalization("ap", "AP", "aAP"),
    **of_normalization("ndcg", "enDCG", "nDCG"),
    "supports-evaluation-beyond-pool": lambda d: at_least(
        joined(*(q.beyond_pool(d.trec8)[m] for m in MEASURES_OF_FIGURE_3)), LEVEL
    ),
}


# Figure 4: all measures at all depths

BUT_RECALL = [m for m in FORMS if m != "R"]


def depth_over_measure(collection: Collection, *aside: str) -> Estimate:
    """Return by how much depths differ, mean of the measures, less how much measures do.

    Some measures may be left aside.
    """
    full = q.full_power(collection).map(lambda full: full.drop(index=[*aside]))
    by_depth = full.map(lambda full: full.max(axis=1) - full.min(axis=1))
    return by_depth.mean() - full.map(lambda full: full.max() - full.min()).mean()


def rise(d: Data, start: int = 5) -> Estimate:
    """Return what each measure gains under full assessment to depth 100."""
    return q.full_power(d.trec8)[100] - q.full_power(d.trec8)[start]


def exceeds_spread(d: Data, start: int) -> Answer:
    """State that every measure's rise to depth 100 exceeds the spread at every depth."""
    rises, spread = rise(d, start), q.spread(d.trec8)
    found, limits = rises.value, spread.value
    least, limit = found.idxmin(), limits.max()
    why = (
        f"measures differ by {limit:.3f} at depth {limits.idxmax()}; "
        f"{(found <= limit).sum()} of {len(found)} rise by less from {start} to 100, {least} "
        f"by {found[least]:.3f}"
    )
    return above(rises.map(np.array).map(np.subtract.outer, spread.map(np.array)), why)


def recall_alone_falls(d: Data) -> Estimate:
    """Return by how much recall's fall is plain, and by how much others' are not."""
    falls = q.power(d.trec8).map(lambda power: (power.loc[5] - power.loc[100]).max())
    return joined(falls["R"] - PLAIN, PLAIN - falls[BUT_RECALL])


def curves(d: Data, measure: str) -> Estimate:
    """Return a measure's power: pool depths x evaluation depths."""
    return q.power(d.trec8)[measure].map(lambda power: power.unstack("depth").to_numpy())


def hardly_ever_falls(d: Data, measure: str) -> Answer:
    """State that nine in ten steps to the next evaluation depth are no fall."""
    steps = curves(d, measure).map(np.diff)
    falls = (steps.value < -LEVEL).sum()
    why = f"{falls} of {steps.value.size} steps fall by more than {LEVEL}"
    return at_least(steps.map(np.quantile, 0.1), LEVEL, why)


def still_rises(d: Data, measure: str) -> Answer:
    """State that on a pool of depth 5 no deeper evaluation lies below a shallower one."""
    later = curves(d, measure)[0].map(
        lambda powers: np.array([after - before for before, after in combinations(powers, 2)])
    )
    return at_least(later, LEVEL, f"the deepest fall is {-later.value.min():.4f}")


def falls_far_beyond(d: Data, measure: str) -> Answer:
    """State that at depth 1000 power is below its highest, on a pool of any depth."""
    return above(curves(d, measure).map(lambda power: power.max(axis=1) - power[:, -1]) - LEVEL)


def helps_dcg(d: Data, measure: str) -> Answer:
    """State that an adjusted DCG separates slightly more pairs than DCG, mean of all settings."""
    lead = q.gain(d.trec8, measure, "DCG")
    ahead = (lead.value > 0).sum()
    why = f"{measure} is ahead of DCG in {ahead} of {len(lead.value)} settings"
    return slight(lead.mean(), why)


def tends_to_rise(d: Data, family: str) -> Answer:
    """State that evaluation beyond the pool adds power on the whole, in every form."""
    forms = [m for m, (of, _) in FORMS.items() if of == family]
    return above(q.beyond_pool(d.trec8)[forms].mean())


PRECISION_ROW = [m for m, (of, _) in FORMS.items() if of == "precision/recall"]


def of_precision(d: Data) -> str:
    added = q.beyond_pool(d.trec8).value[PRECISION_ROW]
    found = ", ".join(
        f"{m} {of.mean():+.3f} (more in {(of > 0).mean():.0%} of the settings)"
        for m, of in added.items()
    )
    return f"what evaluation beyond the pool adds to it, on average: {found}"


def gain_is_common(d: Data) -> Estimate:
    """Return the mean best gain at each depth, and by how much each measure's is not plain.

    Recall, which gains much, is left out.
    """
    gains = q.shallower_pool(d.trec8)[BUT_RECALL]
    return joined(gains.map(lambda gains: gains.mean(axis=1)), PLAIN - gains.mean())


def gain_of_adjusted(d: Data) -> Estimate:
    """Return the best gain of adjusted measures less that of raw ones, recall aside."""
    best = q.shallower_pool(d.trec8)[BUT_RECALL].mean()
    raw = [m for m in BUT_RECALL if FORMS[m][1] == "raw"]
    return best.map(lambda best: best.drop(raw)).mean() - best[raw].mean()


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
FIGURE_4: dict[str, Claim] = {
    "depth-matters-more-than-metric": lambda d: above(depth_over_measure(d.trec8)),
    "all-metrics-rise-with-depth": lambda d: all_of(rise(d) - PLAIN),
    "depth-100-against-5-exceeds-metric-spread": partial(exceeds_spread, start=5),
    "depth-100-against-10-exceeds-metric-spread": partial(exceeds_spread, start=10),
    "strongest-at-100-is-standardized-ap": lambda d: above(
        over(q.full_power(d.trec8)[100], ["sAP"])
    ),
    "weakest-at-100-is-recall": lambda d: above(-over(q.full_power(d.trec8)[100], ["R"])),
    "only-recall-falls-with-deeper-pool": lambda d: above(recall_alone_falls(d)),
    **{
        f"{slug}-hardly-ever-falls": partial(hardly_ever_falls, measure=m)
        for slug, m in NORMALIZED.items()
    },
    **{
        f"{slug}-pool-5-still-rises": partial(still_rises, measure=m)
        for slug, m in NORMALIZED.items()
    },
    **{
        f"{slug}-falls-far-beyond-pool": partial(falls_far_beyond, measure=m)
        for slug, m in FALLING.items()
    },
    "normalization-helps-dcg-slightly": partial(helps_dcg, measure="nDCG"),
    "standardization-helps-dcg-slightly": partial(helps_dcg, measure="sDCG"),
    "dcg-rises-with-pool-fixed": partial(tends_to_rise, family="DCG"),
    "ap-rises-with-pool-fixed": partial(tends_to_rise, family="AP"),
    "rbp-rises-with-pool-fixed": partial(tends_to_rise, family="RBP"),
    "precision-recall-row-excepted": lambda d: above(
        -q.beyond_pool(d.trec8)[PRECISION_ROW].mean(), of_precision(d)
    ),
    "shallower-pool-slight-gain-is-common": lambda d: above(gain_is_common(d)),
    "shallower-pool-gain-mostly-adjusted-metrics": lambda d: above(gain_of_adjusted(d)),
}


# Section 4.2 and Table 3


def more_topics_exceed(d: Data) -> bool:
    """Does a deeper pool leave more topics with more relevant documents than the depth?"""
    known = q.relevant_by_pool(d.trec8)
    counts = [[int((known[pool] > k).sum()) for pool in POOLS] for k in DEPTHS]
    return all(of == sorted(of) for of in counts) and counts[0] != counts[-1]


def abbreviated_recall_is_precision(_: Data) -> bool:
    """Divide the hits among the first k by k or by R, whichever is less, where R is at least k."""
    names = [f"d{i}" for i in range(10)]
    runs = {"some": {"t": names[::2]}, "none": {"t": ["x", "y"]}, "all": {"t": names}}
    toy = Collection.from_rankings(runs, {"t": dict.fromkeys(names, 1)})
    recall = scores(toy, "R@5") * len(names) / min(5, len(names))
    return bool(np.allclose(recall, scores(toy, "P@5")))


def no_more_than_chance(d: Data) -> bool | str:
    """Does the interval over topics of nDCG@20's gain from a shallower pool leave it open?"""
    power = q.power(d.trec8)["nDCG"]
    found = above(power[5, 20] - power[20, 20])
    return found.value is None or f"its interval over topics is {found.over_topics}"


def weighting_helps(d: Data) -> Estimate:
    """Return DCG and AP less the RBP and the precision or recall that are adjusted alike."""
    deep = q.power(d.trec8).map(lambda power: power.xs(1000, level="depth"))
    alike = (("nDCG", "aAP"), ("nRBP", "R")), (("sDCG", "sAP"), ("sRBP", "sP"))
    return joined(*(deep[m] - deep[other] for best, rest in alike for m in best for other in rest))


def extended_nearer_deep(d: Data, measure: str) -> Answer:
    """State that p values at 10/100 agree with those at 100/100 more than with those at 10/10."""
    shallow, extended, deep = ((*at, measure) for at in ((10, 10), (10, 100), (100, 100)))
    tau = q.taus_in_table3(d.trec8)
    return above(tau[extended, deep] - tau[shallow, extended])


def tau_gap(d: Data, one: str, other: str) -> Estimate:
    """Return Table 3's mean tau where settings differ in the one, less that in the other."""
    tau = q.taus_by_difference(d.trec8)
    return tau[one].mean() - tau[other].mean()


def taus_of_measures(d: Data) -> pd.Series:
    """Return Table 3's taus where settings differ in the measure."""
    return q.taus_by_difference(d.trec8).value["metric"]


def abbreviated_over_expanded(d: Data) -> Estimate:
    """Return by how much abbreviated AP and nDCG are ahead under full assessment."""
    gains = (q.gain(d.trec8, *pair) for pair in (("aAP", "AP"), ("nDCG", "enDCG")))
    return joined(*(gain[list(zip(POOLS, POOLS))] for gain in gains))


def squashing(d: Data, what: str) -> Estimate:
    """Return by how much a number of :func:`.depth.squashed` is higher with the deeper pool."""
    return q.squashed_over_topics(d.trec8)[what][100] - q.squashed_over_topics(d.trec8)[what][10]


SECTION_4_2: dict[str, Claim] = {
    "pool-depth-min": POOLS[0],
    "pool-depth-max": POOLS[-1],
    "evaluation-depth-min": DEPTHS[0],
    "evaluation-depth-max": DEPTHS[-1],
    "deeper-pool-leaves-raw-metrics": lambda d: (
        not q.deeper_pool(d.trec8).value[["P", "DCG", "SP", "RBP"]].any(axis=None)
    ),
    "deeper-pool-changes-normalized-metrics": lambda d: (
        q.deeper_pool(d.trec8).value[["R", "nDCG", "aAP", "nRBP"]].any().all()
    ),
    "deeper-pool-r-exceeds-k-more-often": more_topics_exceed,
    "deeper-pool-squashes-range": lambda d: above(-squashing(d, "range")),
    "squashed-range-raises-variability": lambda d: above(squashing(d, "relative")),
    "abbreviated-preferred": lambda d: all_of(abbreviated_over_expanded(d)),
    "topics-over-100-relevant": lambda d: (q.relevant_by_pool(d.trec8)[100] > 100).sum(),
    "abbreviated-recall-is-precision": abbreviated_recall_is_precision,
    "ndcg-20-pool-difference-not-significant": no_more_than_chance,
    "dcg-and-ap-weighting-helps": lambda d: all_of(weighting_helps(d)),
    "p-value-tau-same-depth-min": lambda d: taus_of_measures(d).min(),
    "p-value-tau-same-depth-max": lambda d: taus_of_measures(d).max(),
    # tau is the share of pairs in the same order less that in the opposite one.
    "p-value-same-order-min": lambda d: 50 * (1 + taus_of_measures(d).min()),
    "p-value-same-order-max": lambda d: 50 * (1 + taus_of_measures(d).max()),
    "p-value-same-depth-nearer-than-same-metric": lambda d: above(tau_gap(d, "metric", "itself")),
    **{
        f"p-value-{measure.lower()}-extended-nearer-deep": partial(
            extended_nearer_deep, measure=measure
        )
        for measure in ("aAP", "nDCG", "RBP")
    },
    "evaluation-depth-over-pool-depth": lambda d: above(tau_gap(d, "pool", "depth")),
    "evaluation-depth-over-metric": lambda d: above(tau_gap(d, "metric", "depth")),
    "pool-depth-over-metric": lambda d: above(tau_gap(d, "metric", "pool")),
}


# Abstract and conclusion


def depth_nearer(d: Data, than: str = "itself") -> Estimate:
    """Return how much nearer rankings by measures of one depth are than those of another group.

    By default than one measure's at two depths; for groups see :func:`.quantities.mean_tau`.
    """
    within = joined(q.mean_tau(d.trec8, "short"), q.mean_tau(d.trec8, "deep"))
    return within - q.mean_tau(d.trec8, than)


def edge_of_ndcg(d: Data) -> Estimate:
    """Return by how much nDCG is ahead of each other usual measure, mean of all settings."""
    return joined(*(q.gain(d.trec8, "nDCG", m).mean() for m in ("P", "R", "aAP", "RBP")))


def who_has_the_edge(d: Data) -> str:
    usual = q.power(d.trec8).value[["P", "R", "RBP", "aAP", "nDCG"]]
    edge = usual.idxmax(axis=1).value_counts(normalize=True)
    shares = ", ".join(f"{m} in {x:.0%}" for m, x in edge.items())
    return f"among P, R, aAP, nDCG and RBP the most discriminative is {shares} of the settings"


def extended_over_shallow(d: Data) -> Estimate:
    """Return by how much extended nDCG foretells deep nDCG better than shallow nDCG does."""
    return q.tau_with_deep(d.trec8, "extended") - q.tau_with_deep(d.trec8, "shallow")


def gap_at_equal_depth(d: Data) -> Estimate:
    """Return by how much nDCG and AP lead precision and RBP when all are 100 deep."""
    power = q.full_power(d.trec8)[100]
    return power[["nDCG", "aAP"]].mean() - power[["P", "RBP"]].mean()


def gap_closed(d: Data) -> Estimate:
    """Return half of the lead in Table 1, less what is left of it at equal depth."""
    power = q.power_in_table1(d.trec8)
    usual = power[["nDCG@1000", "AP@1000"]].mean() - power[["P@10", "RBP(p=0.8)"]].mean()
    return usual.map(lambda lead: lead / 2) - gap_at_equal_depth(d)


def undecided(d: Data, *pairs: tuple[str, str]) -> Answer:
    """State that adjusting gains in some settings, loses in others, and little on the whole."""
    gains = joined(*(q.gain(d.trec8, *pair) for pair in pairs))
    mean = gains.mean()
    return above(joined(gains.map(np.max), -gains.map(np.min), PLAIN - mean, mean + PLAIN))


def falling(d: Data) -> str:
    full = q.full_power(d.trec8).value
    steps = full.diff(axis=1).iloc[:, 1:]
    return "; ".join(
        f"{m} falls from {full.loc[m, 50]:.3f} at depth 50 to {full.loc[m, 100]:.3f} at 100"
        for m in steps.index[(steps <= 0).any(axis=1)]
    )


def pool_of_5_as_effective(d: Data) -> Estimate:
    """Return what stays behind, mean of the measures, when the pool is not deepened to 10 or 20."""
    power = q.power(d.trec8).map(lambda power: power[list(FORMS)].mean(axis=1))
    return joined(*(power[5, k] - power[k, k] for k in (10, 20)))


def foretold(d: Data) -> Estimate:
    """Return tau and the linear correlation of extended and deep scores, less NEARLY."""
    linear = q.points(d.trec8).map(lambda points: points["extended"].corr(points["deep"]))
    return joined(q.tau_with_deep(d.trec8, "extended"), linear) - NEARLY


ABSTRACT: dict[str, Claim] = {
    "depth-matters-more-than-metric-type": lambda d: above(
        joined(depth_over_measure(d.trec8), depth_nearer(d), tau_gap(d, "metric", "itself"))
    ),
    "no-misleading-reinforcement": lambda d: above(
        joined(extended_over_shallow(d), q.tau_with_deep(d.trec8, "extended") - NEARLY)
    ),
    "ndcg-slight-edge": lambda d: above(edge_of_ndcg(d), who_has_the_edge(d)),
    "ndcg-often-most-discriminative": lambda d: (
        (q.table1_columns(d).drop(columns="mean").idxmax() == "nDCG@1000").mean() > 0.5
    ),
}
CONCLUSION: dict[str, Claim] = {
    "hypothesis-depth-strongly-supported": lambda d: above(joined(rise(d) - PLAIN, gap_closed(d))),
    "hypothesis-normalization-inconclusive": lambda d: undecided(
        d, ("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP")
    ),
    "hypothesis-reinforcement-slight-support": lambda d: above(
        joined(extended_over_shallow(d), q.lead_lost(d.trec8))
    ),
    "depth-raises-every-metric": lambda d: above(
        q.full_power(d.trec8).map(lambda full: np.diff(full)), falling(d)
    ),
    "depth-raises-on-fixed-pool": lambda d: above(
        q.beyond_pool(d.trec8)[list(FORMS)].mean().mean()
    ),
    "depth-over-metric": FIGURE_4["depth-matters-more-than-metric"],
    "equal-depth-closes-most-of-gap": lambda d: above(gap_closed(d)),
    "equal-depth-leaves-some-gap": lambda d: above(gap_at_equal_depth(d)),
    "depth-over-metric-in-rankings": lambda d: above(depth_nearer(d)),
    "depth-over-metric-in-significance": lambda d: above(tau_gap(d, "metric", "itself")),
    "expanded-rewards-shallow-pools": lambda d: above(
        q.shallower_pool(d.trec8)[["R", "AP"]].mean() - PLAIN
    ),
    "standardization-slight-gain": lambda d: undecided(
        d, ("sDCG", "DCG"), ("sAP", "SP"), ("sRBP", "RBP"), ("sP", "P")
    ),
    "depth-10-pool-foretells-depth-100": lambda d: above(foretold(d)),
    "distinctive-systems-penalized": lambda d: above(q.lead_lost(d.trec8)),
    "shallow-evaluation-depth-alone-as-effective": lambda d: at_least(
        pool_of_5_as_effective(d), LEVEL
    ),
}
# What the registry asks besides: of a population, and of what stands in the brackets.
QUANTITIES: dict[str, Callable[..., Estimate]] = {
    "depth over measure": lambda of, *aside: depth_over_measure(load(of), *aside),
    "lost by judging": lambda of, measure: -q.deeper_pool(load(of))[measure].mean(),
    "gained by judging": lambda of: q.gain_of_second_by_pool(load(of)),
}
ROWS = ABSTRACT | CONCLUSION | FIGURE_3 | FIGURE_4 | SECTION_4_2
