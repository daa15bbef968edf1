"""What the paper says of depth and discriminative power: Figures 3 and 4, section 4.2 with Table 3,
abstract and conclusion; each a claim on TREC-8, a function of the collection."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger.claims import Claim, answer, for_each
from chapters.ledger.published import Answer
from chapters.webber2010 import quantities as q
from chapters.webber2010.depth import FIGURE_3, FORMS
from chapters.webber2010.quantities import over
from chapters.webber2010.yardsticks import LEVEL, NEARLY, PLAIN
from lib.collection import DEPTHS, POOLS, Collection, load_once
from lib.decisions import at_least
from lib.estimates import Estimate, joined, of_estimates
from lib.measures import scores


def all_of(differences: Estimate) -> Answer:
    """State that each of several differences is above 0; where that fails, tell of their mean."""
    return answer(differences, cause=f"the mean of all settings is {differences.mean().interval()}")


def slight(gain: Any, why: str = "") -> Answer:
    """State that a gain in discriminative power is one, and less than PLAIN."""
    return answer(joined(gain, PLAIN - gain), cause=why)


# Figure 3: expanded and abbreviated normalization


def of_normalization(slug: str, expanded: str, abbreviated: str) -> dict[str, Claim]:
    """Return the claims on one measure."""

    def in_letters(c: Collection) -> str:
        """Say how the sentence fares without a yardstick."""
        lead = q.lead_in_power(c, expanded, abbreviated).value
        ahead = (lead > 0).sum() or "none"
        return f"in {ahead} of {len(lead)} settings the expanded form is ahead"

    return {
        f"expanded-{slug}-deeper-pool-hurts": lambda c: all_of(-q.deeper_pool(c)[expanded]),
        f"expanded-{slug}-shallower-pool-boosts": lambda c: (
            q.shallower_pool(c)[expanded].mean() - PLAIN
        ),
        f"abbreviated-{slug}-deeper-pool-harmless": lambda c: answer(
            q.deeper_pool(c)[abbreviated], at_least(LEVEL)
        ),
        f"abbreviated-{slug}-shallower-pool-slight-gain": lambda c: slight(
            q.shallower_pool(c)[abbreviated].mean()
        ),
        f"abbreviated-{slug}-at-least-expanded": lambda c: answer(
            q.lead_in_power(c, abbreviated, expanded), at_least(LEVEL), in_letters(c)
        ),
    }


_FIGURE_3: dict[str, Claim] = {
    **of_normalization("ap", "AP", "aAP"),
    **of_normalization("ndcg", "enDCG", "nDCG"),
    "supports-evaluation-beyond-pool": lambda c: answer(
        joined(*(q.beyond_pool(c)[m] for m in FIGURE_3)), at_least(LEVEL)
    ),
}


# Figure 4: all measures at all depths

_BUT_RECALL = [m for m in FORMS if m != "R"]


def depth_over_measure(collection: Collection, *aside: str) -> Estimate:
    """Return by how much depths differ, mean of the measures, less how much measures do.

    Some measures may be left aside.
    """
    full = q.full_power(collection).map(lambda full: full.drop(index=[*aside]))
    return span(full, axis=1).mean() - span(full).mean()


@of_estimates
def span(full: pd.DataFrame, axis: int = 0) -> pd.Series:
    """Return by how much measures differ at each depth, or with axis 1 depths by each measure."""
    return full.max(axis=axis) - full.min(axis=axis)


def rise(c: Collection, start: int = 5) -> Estimate:
    """Return what each measure gains under full assessment to depth 100."""
    return q.full_power(c)[100] - q.full_power(c)[start]


def exceeds_spread(c: Collection, start: int) -> Answer:
    """State that every measure's rise to depth 100 exceeds the spread at every depth."""
    rises, spans = rise(c, start), span(q.full_power(c))
    rise_of, limits = rises.value, spans.value
    least, limit = rise_of.idxmin(), limits.max()
    why = (
        f"measures differ by {limit:.3f} at depth {limits.idxmax()}; "
        f"{(rise_of <= limit).sum()} of {len(rise_of)} rise by less from {start} to 100, {least} "
        f"by {rise_of[least]:.3f}"
    )
    return answer(rises.map(np.array).map(np.subtract.outer, spans.map(np.array)), cause=why)


def recall_alone_falls(c: Collection) -> Estimate:
    """Return by how much recall's fall is plain, and by how much others' are not."""
    falls = q.power_by_setting(c).map(lambda power: (power.loc[5] - power.loc[100]).max())
    return joined(falls["R"] - PLAIN, PLAIN - falls[_BUT_RECALL])


def curves(c: Collection, measure: str) -> Estimate:
    """Return a measure's power: pool depths x evaluation depths."""
    return q.power_by_setting(c)[measure].map(lambda power: power.unstack("depth").to_numpy())


def hardly_ever_falls(c: Collection, measure: str) -> Answer:
    """State that nine in ten steps to the next evaluation depth are no fall."""
    steps = curves(c, measure).map(np.diff)
    falls = (steps.value < -LEVEL).sum()
    why = f"steps that fall by more than {LEVEL}: {falls} of {steps.value.size}"
    return answer(steps.map(np.quantile, 0.1), at_least(LEVEL), why)


def still_rises(c: Collection, measure: str) -> Answer:
    """State that on a pool of depth 5 no deeper evaluation lies below a shallower one."""
    later = curves(c, measure)[0].map(
        lambda powers: np.array([after - before for before, after in combinations(powers, 2)])
    )
    deepest = -later.value.min()
    why = f"the deepest fall is {deepest:.4f}" if deepest > 0 else "no deeper evaluation lies lower"
    return answer(later, at_least(LEVEL), why)


def falls_far_beyond(c: Collection, measure: str) -> Answer:
    """State that at depth 1000 power is below its highest, on a pool of any depth."""
    return answer(curves(c, measure).map(lambda power: power.max(axis=1) - power[:, -1]) - LEVEL)


def helps_dcg(c: Collection, measure: str) -> Answer:
    """State that an adjusted DCG separates slightly more pairs than DCG, mean of all settings."""
    lead = q.lead_in_power(c, measure, "DCG")
    ahead = (lead.value > 0).sum()
    why = f"{measure} is ahead of DCG in {ahead} of {len(lead.value)} settings"
    return slight(lead.mean(), why)


def tends_to_rise(c: Collection, family: str) -> Answer:
    """State that evaluation beyond the pool adds power on the whole, in every form."""
    forms = [m for m, (of, _) in FORMS.items() if of == family]
    return answer(q.beyond_pool(c)[forms].mean())


_PRECISION_ROW = [m for m, (of, _) in FORMS.items() if of == "precision/recall"]


def of_precision(c: Collection) -> str:
    added = q.beyond_pool(c).value[_PRECISION_ROW]
    gains = ", ".join(
        f"{m} {of.mean():+.3f} (more in {(of > 0).mean():.0%} of the settings)"
        for m, of in added.items()
    )
    return f"what evaluation beyond the pool adds to it, on average: {gains}"


def gain_is_common(c: Collection) -> Estimate:
    """Return the mean best gain at each depth, and by how much each measure's is not plain.

    Recall, which gains much, is left out.
    """
    gains = q.shallower_pool(c)[_BUT_RECALL]
    return joined(gains.map(lambda gains: gains.mean(axis=1)), PLAIN - gains.mean())


def gain_of_adjusted(c: Collection) -> Estimate:
    """Return the best gain of adjusted measures less that of raw ones, recall aside."""
    best = q.shallower_pool(c)[_BUT_RECALL].mean()
    raw = [m for m in _BUT_RECALL if FORMS[m][1] == "raw"]
    return best.map(lambda best: best.drop(raw)).mean() - best[raw].mean()


_NORMALIZED = {
    "normalized-dcg": "nDCG",
    "standardized-dcg": "sDCG",
    "normalized-ap": "aAP",
    "standardized-ap": "sAP",
}
_FALLING = {
    "precision": "P",
    "rbp": "RBP",
    "normalized-rbp": "nRBP",
    "standardized-rbp": "sRBP",
    "standardized-precision": "sP",
}
_ADJUSTED = {"normalization": "nDCG", "standardization": "sDCG"}
_FAMILY_SLUGS = {"dcg": "DCG", "ap": "AP", "rbp": "RBP"}
_FIGURE_4: dict[str, Claim] = {
    "depth-matters-more-than-metric": depth_over_measure,
    "all-metrics-rise-with-depth": lambda c: all_of(rise(c) - PLAIN),
    **for_each("depth-100-against-{}-exceeds-metric-spread", exceeds_spread, {"5": 5, "10": 10}),
    "strongest-at-100-is-standardized-ap": lambda c: over(q.full_power(c)[100], ["sAP"]),
    "weakest-at-100-is-recall": lambda c: -over(q.full_power(c)[100], ["R"]),
    "only-recall-falls-with-deeper-pool": recall_alone_falls,
    **for_each("{}-hardly-ever-falls", hardly_ever_falls, _NORMALIZED),
    **for_each("{}-pool-5-still-rises", still_rises, _NORMALIZED),
    **for_each("{}-falls-far-beyond-pool", falls_far_beyond, _FALLING),
    **for_each("{}-helps-dcg-slightly", helps_dcg, _ADJUSTED),
    **for_each("{}-rises-with-pool-fixed", tends_to_rise, _FAMILY_SLUGS),
    "precision-recall-row-excepted": lambda c: answer(
        -q.beyond_pool(c)[_PRECISION_ROW].mean(), cause=of_precision(c)
    ),
    "shallower-pool-slight-gain-is-common": gain_is_common,
    "shallower-pool-gain-mostly-adjusted-metrics": gain_of_adjusted,
}


# Section 4.2 and Table 3


def more_topics_exceed(c: Collection) -> bool:
    """Does a deeper pool leave more topics with more relevant documents than the depth?"""
    known = q.relevant_by_pool(c)
    counts = [[int((known[pool] > k).sum()) for pool in POOLS] for k in DEPTHS]
    return all(of == sorted(of) for of in counts) and counts[0] != counts[-1]


def abbreviated_recall_is_precision(_: Collection) -> bool:
    """Divide the hits among the first k by k or by R, whichever is less, where R is at least k."""
    names = [f"d{i}" for i in range(10)]
    runs = {"some": {"t": names[::2]}, "none": {"t": ["x", "y"]}, "all": {"t": names}}
    toy = Collection.from_rankings(runs, {"t": dict.fromkeys(names, 1)})
    recall = scores(toy, "R@5") * len(names) / min(5, len(names))
    return bool(np.allclose(recall, scores(toy, "P@5")))


def no_more_than_chance(c: Collection) -> bool | str:
    """Does the interval over topics of nDCG@20's gain from a shallower pool leave it open?"""
    power = q.power_by_setting(c)["nDCG"]
    gain = answer(power[5, 20] - power[20, 20])
    return gain.value is None or f"its interval over topics is {gain.over_topics}"


def weighting_helps(c: Collection) -> Estimate:
    """Return DCG and AP less the RBP and the precision or recall that are adjusted alike."""
    deep = q.power_by_setting(c).map(lambda power: power.xs(1000, level="depth"))
    alike = (("nDCG", "aAP"), ("nRBP", "R")), (("sDCG", "sAP"), ("sRBP", "sP"))
    return joined(*(deep[m] - deep[other] for best, rest in alike for m in best for other in rest))


def extended_nearer_deep(c: Collection, measure: str) -> Answer:
    """State that p values at 10/100 agree with those at 100/100 more than with those at 10/10."""
    shallow, extended, deep = ((*at, measure) for at in ((10, 10), (10, 100), (100, 100)))
    tau = q.taus_in_table3(c)
    return answer(tau[extended, deep] - tau[shallow, extended])


def tau_gap(c: Collection, one: str, other: str) -> Estimate:
    """Return Table 3's mean tau where settings differ in the one, less that in the other."""
    tau = q.taus_by_difference(c)
    return tau[one].mean() - tau[other].mean()


def taus_of_measures(c: Collection) -> pd.Series:
    """Return Table 3's taus where settings differ in the measure."""
    return q.taus_by_difference(c).value["metric"]


def abbreviated_over_expanded(c: Collection) -> Estimate:
    """Return by how much abbreviated AP and nDCG are ahead under full assessment."""
    gains = (q.lead_in_power(c, *pair) for pair in (("aAP", "AP"), ("nDCG", "enDCG")))
    return joined(*(gain[list(zip(POOLS, POOLS))] for gain in gains))


def squashing(c: Collection, what: str) -> Estimate:
    """Return by how much a number of :func:`.depth.squashed` is higher with the deeper pool."""
    return q.squashed_over_topics(c)[what][100] - q.squashed_over_topics(c)[what][10]


_OF_TABLE_3 = {"aap": "aAP", "ndcg": "nDCG", "rbp": "RBP"}
_SECTION_4_2: dict[str, Claim] = {
    "pool-depth-min": POOLS[0],
    "pool-depth-max": POOLS[-1],
    "evaluation-depth-min": DEPTHS[0],
    "evaluation-depth-max": DEPTHS[-1],
    "deeper-pool-leaves-raw-metrics": lambda c: (
        not q.deeper_pool(c).value[["P", "DCG", "SP", "RBP"]].any(axis=None)
    ),
    "deeper-pool-changes-normalized-metrics": lambda c: (
        q.deeper_pool(c).value[["R", "nDCG", "aAP", "nRBP"]].any().all()
    ),
    "deeper-pool-r-exceeds-k-more-often": more_topics_exceed,
    "deeper-pool-squashes-range": lambda c: -squashing(c, "range"),
    "squashed-range-raises-variability": lambda c: squashing(c, "relative"),
    "abbreviated-preferred": lambda c: all_of(abbreviated_over_expanded(c)),
    "topics-over-100-relevant": lambda c: (q.relevant_by_pool(c)[100] > 100).sum(),
    "abbreviated-recall-is-precision": abbreviated_recall_is_precision,
    "ndcg-20-pool-difference-not-significant": no_more_than_chance,
    "dcg-and-ap-weighting-helps": lambda c: all_of(weighting_helps(c)),
    "p-value-tau-same-depth-min": lambda c: taus_of_measures(c).min(),
    "p-value-tau-same-depth-max": lambda c: taus_of_measures(c).max(),
    # tau is the share of pairs in the same order less that in the opposite one.
    "p-value-same-order-min": lambda c: 50 * (1 + taus_of_measures(c).min()),
    "p-value-same-order-max": lambda c: 50 * (1 + taus_of_measures(c).max()),
    "p-value-same-depth-nearer-than-same-metric": lambda c: tau_gap(c, "metric", "itself"),
    **for_each("p-value-{}-extended-nearer-deep", extended_nearer_deep, _OF_TABLE_3),
    "evaluation-depth-over-pool-depth": lambda c: tau_gap(c, "pool", "depth"),
    "evaluation-depth-over-metric": lambda c: tau_gap(c, "metric", "depth"),
    "pool-depth-over-metric": lambda c: tau_gap(c, "metric", "pool"),
}


# Abstract and conclusion


def depth_nearer(c: Collection, than: str = "itself") -> Estimate:
    """Return how much nearer rankings by measures of one depth are than those of another group.

    By default than one measure's at two depths; for groups see :func:`.quantities.mean_tau`.
    """
    within = joined(q.mean_tau(c, "short"), q.mean_tau(c, "deep"))
    return within - q.mean_tau(c, than)


def edge_of_ndcg(c: Collection) -> Estimate:
    """Return by how much nDCG is ahead of each other usual measure, mean of all settings."""
    return joined(*(q.lead_in_power(c, "nDCG", m).mean() for m in ("P", "R", "aAP", "RBP")))


def who_has_the_edge(c: Collection) -> str:
    usual = q.power_by_setting(c).value[["P", "R", "RBP", "aAP", "nDCG"]]
    edge = usual.idxmax(axis=1).value_counts(normalize=True)
    shares = ", ".join(f"{m} in {x:.0%}" for m, x in edge.items())
    return f"among P, R, aAP, nDCG and RBP the most discriminative is {shares} of the settings"


def extended_over_shallow(c: Collection) -> Estimate:
    """Return by how much extended nDCG foretells deep nDCG better than shallow nDCG does."""
    return q.tau_with_deep(c, "extended") - q.tau_with_deep(c, "shallow")


def gap_at_equal_depth(c: Collection) -> Estimate:
    """Return by how much nDCG and AP lead precision and RBP when all are 100 deep."""
    power = q.full_power(c)[100]
    return power[["nDCG", "aAP"]].mean() - power[["P", "RBP"]].mean()


def gap_closed(c: Collection) -> Estimate:
    """Return half of the lead in Table 1, less what is left of it at equal depth."""
    power = q.power_in_table1(c)
    usual = power[["nDCG@1000", "AP@1000"]].mean() - power[["P@10", "RBP(p=0.8)"]].mean()
    return usual.map(lambda lead: lead / 2) - gap_at_equal_depth(c)


def undecided(c: Collection, *pairs: tuple[str, str]) -> Answer:
    """State that adjusting gains in some settings, loses in others, and little on the whole."""
    gains = joined(*(q.lead_in_power(c, *pair) for pair in pairs))
    mean = gains.mean()
    return answer(joined(gains.map(np.max), -gains.map(np.min), PLAIN - mean, mean + PLAIN))


def falling(c: Collection) -> str:
    full = q.full_power(c).value
    steps = full.diff(axis=1).iloc[:, 1:]
    return "; ".join(
        f"{m} falls from {full.loc[m, 50]:.3f} at depth 50 to {full.loc[m, 100]:.3f} at 100"
        for m in steps.index[(steps <= 0).any(axis=1)]
    )


def pool_of_5_as_effective(c: Collection) -> Estimate:
    """Return what stays behind, mean of the measures, when the pool is not deepened to 10 or 20."""
    power = q.power_by_setting(c).map(lambda power: power[list(FORMS)].mean(axis=1))
    return joined(*(power[5, k] - power[k, k] for k in (10, 20)))


def foretold(c: Collection) -> Estimate:
    """Return tau and the linear correlation of extended and deep scores, less NEARLY."""
    linear = q.means_in_figure2(c).map(lambda points: points["extended"].corr(points["deep"]))
    return joined(q.tau_with_deep(c, "extended"), linear) - NEARLY


_ABSTRACT: dict[str, Claim] = {
    "depth-matters-more-than-metric-type": lambda c: joined(
        depth_over_measure(c), depth_nearer(c), tau_gap(c, "metric", "itself")
    ),
    "no-misleading-reinforcement": lambda c: joined(
        extended_over_shallow(c), q.tau_with_deep(c, "extended") - NEARLY
    ),
    "ndcg-slight-edge": lambda c: answer(edge_of_ndcg(c), cause=who_has_the_edge(c)),
}
_CONCLUSION: dict[str, Claim] = {
    "hypothesis-depth-strongly-supported": lambda c: joined(rise(c) - PLAIN, gap_closed(c)),
    "hypothesis-normalization-inconclusive": lambda c: undecided(
        c, ("nDCG", "DCG"), ("aAP", "SP"), ("nRBP", "RBP")
    ),
    "hypothesis-reinforcement-slight-support": lambda c: joined(
        extended_over_shallow(c), q.lead_lost(c)
    ),
    "depth-raises-every-metric": lambda c: answer(
        q.full_power(c).map(lambda full: np.diff(full)), cause=falling(c)
    ),
    "depth-raises-on-fixed-pool": lambda c: q.beyond_pool(c)[list(FORMS)].mean().mean(),
    "depth-over-metric": _FIGURE_4["depth-matters-more-than-metric"],
    "equal-depth-closes-most-of-gap": gap_closed,
    "equal-depth-leaves-some-gap": gap_at_equal_depth,
    "depth-over-metric-in-rankings": depth_nearer,
    "depth-over-metric-in-significance": lambda c: tau_gap(c, "metric", "itself"),
    "expanded-rewards-shallow-pools": lambda c: q.shallower_pool(c)[["R", "AP"]].mean() - PLAIN,
    "standardization-slight-gain": lambda c: undecided(
        c, ("sDCG", "DCG"), ("sAP", "SP"), ("sRBP", "RBP"), ("sP", "P")
    ),
    "depth-10-pool-foretells-depth-100": foretold,
    "distinctive-systems-penalized": q.lead_lost,
    "shallow-evaluation-depth-alone-as-effective": lambda c: answer(
        pool_of_5_as_effective(c), at_least(LEVEL)
    ),
}
# What the registry asks besides: of a population, and of what stands in the brackets.
QUANTITIES: dict[str, Callable[..., Estimate]] = {
    "depth over measure": lambda of, *aside: depth_over_measure(load_once(of), *aside),
    "lost by judging": lambda of, measure: -q.deeper_pool(load_once(of))[measure].mean(),
    "gained by judging": lambda of: q.gain_of_second_by_pool(load_once(of)),
}
ROWS = _ABSTRACT | _CONCLUSION | _FIGURE_3 | _FIGURE_4 | _SECTION_4_2
