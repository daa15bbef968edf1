"""What Webber, Moffat and Zobel 2010 say in the text, each number and sentence as a quantity.

First of measures, tests and data (section 3), of earlier studies, of Table 1, and of rankings
(Table 2, Figure 2 and section 4.1); then of depth and discriminative power (Figures 3 and 4,
section 4.2 with Table 3, abstract and conclusion).  ``data/published/webber2010.csv`` says which
sentence asks which quantity, and where that must lie.
"""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger.claims import answer
from chapters.ledger.published import (
    REPRODUCED,
    beside_printed,
    half_digit,
    in_words,
    read_published,
)
from chapters.webber2010 import quantities as q
from chapters.webber2010 import tables
from chapters.webber2010.depth import FIGURE_3, FORMS
from chapters.webber2010.quantities import TOP, Data, over
from lib.collection import DEPTHS, POOLS, Collection
from lib.estimates import Estimate, joined, of_estimates
from lib.measures import persistence

Told = tuple[Estimate, str]  # with what is named where the claim does not hold
_AP, _TREC5 = "AP@1000", tables.COLUMN_OF["trec5"]


# Section 3: measures, tests and data


def persistence_at(_: Data, depth: int) -> float:
    """Return the persistence at which RBP leaves the paper's residual beyond a depth."""
    return persistence(residual=tables.RESIDUAL, k=depth)


def weight_beyond_100(_: Data, measure: str) -> float:
    """Return the percentage of a measure's weight, to rank 1,000, that lies beyond rank 100."""
    return 100 * tables.weight_shares()["of base"][measure]


def half_a_percent(d: Data, measure: str) -> tuple[float, str]:
    """Return that percentage, where the paper puts it in words."""
    percent = weight_beyond_100(d, measure)
    return percent, f"{percent:.2f}%, which the paper puts in words as half a percent"


def deeper_pool_raises_r(c: Collection) -> bool:
    """Whether deeper pools find more relevant documents on some topics, and fewer on none."""
    known = q.relevant_by_pool(c)
    more = [known[b] - known[a] for a, b in zip(POOLS, POOLS[1:])]
    return all((of >= 0).all() and (of > 0).any() for of in more)


def smallest_topic_set(d: Data) -> int:
    """Return the smaller number of topics, of TREC 2004's as section 3.3 prints it and TREC-8's."""
    text = read_published("webber2010").set_index("row")["printed"]
    return min(int(text["trec2004-topics"]), len(d.trec8.topics))


def agreement_with_t(c: Collection, test: str) -> float:
    """Return the share of pairs that a test decides as t does."""
    return q.agreement_of_tests(c)[test]


def goes_with_predictivity(c: Collection) -> Estimate:
    """Return the correlation of discriminative power and self-predictivity, over the measures."""
    return q.power_in_sakai2006(c).map(pd.Series.corr, q.self_predictivity(c))


def number_of_runs(c: Collection) -> int:
    """Return the number of runs."""
    return len(c.systems)


def number_of_topics(c: Collection) -> int:
    """Return the number of topics."""
    return len(c.topics)


def robust_size(d: Data, what: str) -> int:
    """Return the number of runs, or of topics, of Robust 2004 whose scores are public."""
    return d.robust[_AP].shape[what == "runs"]


def groups_of_nist(c: Collection) -> tuple[int, str]:
    """Return the number of groups in NIST's table of runs."""
    number = c.systems["group"].nunique()
    return number, f"NIST's run table names {number} groups"


def judged_by_group(c: Collection) -> pd.Series:
    """Return how many runs of each group were judged."""
    systems = c.systems
    return (systems["pooled"] == "yes").groupby(systems["group"]).sum()


def most_of_a_group(c: Collection) -> int:
    """Return the most runs that were judged from one group."""
    return judged_by_group(c).max()


def pooled_runs(c: Collection) -> int:
    """Return the number of runs that were judged."""
    return judged_by_group(c).sum()


def deepest_pool(c: Collection) -> int:
    """Return the depth from which the last document entered the pool."""
    return c.entry.max()


def longest_list(c: Collection) -> int:
    """Return the length of the longest list."""
    return c.lists["retrieved"].max()


def manual_runs(c: Collection) -> int:
    """Return the number of manual runs."""
    return (c.systems["type"] == "manual").sum()


def manual_leaders(c: Collection, measure: str, pool: int | None = None) -> int:
    """Count the manual runs before the first that is not."""
    other = c.systems["type"] != "manual"
    return int(other[q.order(c, measure, pool).index].to_numpy().argmax())


def manual_lead(c: Collection, measure: str) -> bool | str:
    """Are the 11 best manual runs the 11 best runs?  All judgements, as section 3.3 has it."""
    number, pooled = (manual_leaders(c, measure, pool) for pool in (None, 10))
    return number >= TOP or (
        f"on all judgements {number} manual runs lead; on a pool of depth 10, that of Table 2, "
        f"{pooled}"
    )


def most_places_lost(c: Collection) -> float:
    """Return the most places that one of the best manual runs loses from AP@10 to AP@1000."""
    best = q.order(c, "P@10").index[: manual_leaders(c, "P@10")]
    orders = (q.order(c, measure) for measure in ("AP@10", "AP@1000"))
    short, deep = (means.rank(ascending=False, method="min")[best] for means in orders)
    return (deep - short).max()


def power_by_weak_runs(c: Collection) -> Estimate:
    """Return what the weakest quarter of the runs adds to discriminative power, by measure."""
    return q.power_in_table1(c) - q.power_without_weak_runs(c)


# Sections 1, 2 and 4 and Table 1: which measure is the most discriminative


def power_over(c: Collection, best: list[str], rest: list[str] | None = None) -> Estimate:
    """Return how much more power in Table 1 each of the best has than others, by default all."""
    return over(q.power_in_table1(c), best, rest)


def printed_power_over(
    d: Data, column: str, best: list[str], rest: list[str] | None = None
) -> np.ndarray:
    """Return the same of a column of Table 1 whose runs are not public."""
    return over(q.table1_columns(d)[column], best, rest)


def predictivity_over(c: Collection, best: list[str], rest: list[str]) -> Estimate:
    """Return how much better each of the best predicts itself on other topics than others do."""
    return over(q.self_predictivity(c), best, rest)


def earlier_power_over(c: Collection, best: list[str], rest: list[str] | None = None) -> Estimate:
    """Return how much more power each of the best has by the measures of Sakai 2006."""
    return over(q.power_in_sakai2006(c), best, rest)


def columns_of_runs(d: Data) -> pd.DataFrame:
    """Return the columns of Table 1, without their mean."""
    return q.table1_columns(d).drop(columns="mean")


def columns_led_by(d: Data, measure: str) -> float:
    """Return the share of the columns of Table 1 in which a measure is the most discriminative."""
    return (columns_of_runs(d).idxmax() == measure).mean()


def best_are(d: Data, *measures: str) -> bool:
    """Whether some measures are the best of columns of Table 1, each of some, and no other is."""
    return set(columns_of_runs(d).idxmax()) == set(measures)


def columns_with_lead(d: Data, measure: str, other: str, least: float) -> float:
    """Return the share of the columns of Table 1 in which a measure leads another by so much."""
    columns = columns_of_runs(d)
    return (columns.loc[measure] - columns.loc[other] >= least).mean()


def means_of_print(d: Data) -> pd.DataFrame:
    """Return the means of printed cells that are means of others which cannot be computed."""
    table = d.table1.astype(float)
    cells = table.drop(index="mean", columns="mean")
    whole = cells.assign(mean=cells.mean(axis=1))
    whole.loc["mean"] = whole.mean()
    computed = tables.COLUMN_OF.values()
    asked = [("mean", column) for column in cells if column not in computed]
    rows = []
    for row, column in (*asked, *((row, "mean") for row in (*tables.measures_of_table1(), "mean"))):
        off = abs(whole.loc[row, column] - table.loc[row, column])
        cause = "the printed cells are rounded, which may move their mean by .0005"
        if (row, column) == (_AP, "mean"):
            ours = cells.loc[_AP].where(
                cells.columns != _TREC5, q.power_in_table1(d.trec5).value[_AP]
            )
            cause += f"; with TREC-5's cell as its runs have it, the mean is {ours.mean():.3f}"
        near = half_digit("0.001") < off <= 2 * half_digit("0.001")
        rows.append((row, column, whole.loc[row, column], 0.0, cause if near else ""))
    return pd.DataFrame(rows, columns=["row", "column", "value", "error", "cause"])


def misprint(d: Data) -> str:
    """Return what the printed mean of TREC-5's column says of the one cell that is not as printed.

    Nothing else was found: single precision, scores of four decimals, the scores that others
    published, and pairs of systems with the same scores leave the cell as it is.
    """
    mean = d.table1.loc["mean", _TREC5]
    most = tables.most_by_mean(q.power_in_table1(d.trec5).value, mean, _AP)
    if float(d.table1.loc[_AP, _TREC5]) - half_digit("0.001") < most:
        return ""
    return (
        f"a misprint, it seems: with our other four numbers, which are as printed, the printed "
        f"mean of the column, {mean}, allows AP {most:.4f} at most"
    )


def table1_and_means(d: Data) -> pd.DataFrame:
    """Return Table 1 as cells, with the means of printed ones."""
    own = {name: tables.table1(getattr(d, slug)) for slug, name in tables.COLUMN_OF.items()}
    parts = [part.assign(column=name) for name, part in own.items()]
    ours = pd.concat([*parts, tables.robust(d.robust)], ignore_index=True).assign(cause="")
    ours.loc[(ours["row"] == _AP) & (ours["column"] == _TREC5), "cause"] = misprint(d)
    return pd.concat([ours, means_of_print(d)], ignore_index=True)


# Table 2 and section 4.1: shallow and deep measures


def rbp_is_pooled_to_10(c: Collection) -> bool | str:
    """Whether more taus of RBP come out on a pool of depth 10 than on all judgements."""

    def matched(**how: Any) -> int:
        """Count the taus of Table 2 with RBP(p=0.8) that come out."""
        compared = beside_printed("webber2010", "Table 2", tables.table2(c, **how))
        rbp = (compared[["row", "column"]] == "RBP(p=0.8)").any(axis=1)
        return int((compared["verdict"][rbp] == REPRODUCED).sum())

    pooled, every = matched(rbp_pool=tables.LEADING_POOL, rbp_cut=True), matched()
    return pooled >= every or (
        f"{in_words(pooled)} of its nine taus come out on a pool of depth 10 and lists cut at rank "
        f"10, {in_words(every)} on all judgements and whole lists"
    )


def tau_gap_of_groups(c: Collection, one: str, other: str) -> Estimate:
    """Return how much higher the mean tau of one group of Table 2 is than that of another."""
    return q.mean_tau(c, one) - q.mean_tau(c, other)


def depth_nearer(c: Collection, than: str) -> Estimate:
    """Return how much nearer rankings by measures of one depth are than those of another group."""
    within = joined(q.mean_tau(c, "short"), q.mean_tau(c, "deep"))
    return within - q.mean_tau(c, than)


def nearer_than_itself(c: Collection, side: str, *aside: str) -> Estimate:
    """Return by how much each measure is nearer to each other of its depth than to itself."""
    return nearer(q.taus_in_table2(c), side).map(lambda gaps: gaps.drop([*aside], level=0))


@of_estimates
def nearer(groups: dict[str, pd.Series], side: str) -> pd.Series:
    """Return the same of groups of taus, for all measures."""
    itself = groups["itself"].droplevel(1 if side == "short" else 0)
    either_way = pd.concat([groups[side], groups[side].swaplevel()])
    return either_way.sub(itself, level=0)


def ap_excepted(c: Collection, close: float) -> Estimate:
    """Is AP@1000 alone not clearly nearer to the others of its depth than to AP@10?"""

    def excepted(gaps: pd.Series) -> pd.Series:
        means = gaps.groupby(level=0).mean()
        ap = means.pop(_AP)
        return pd.concat([means - close, pd.Series([close - ap, close + ap])])

    return nearer(q.taus_in_table2(c), "deep").map(excepted)


def depth_taus(c: Collection) -> Estimate:
    """Return the tau of each measure of Table 2 with itself at the other depth."""
    return q.taus_in_table2(c)["itself"]


def tau_in_table2(c: Collection, group: str, one: str, other: str) -> Estimate:
    """Return a tau of a group of Table 2."""
    return q.taus_in_table2(c)[group][one, other]


# Figure 2 and section 4.1: beyond the pool


def tau_in_figure2(c: Collection, one: str, other: str) -> Estimate:
    """Return the tau of nDCG in two settings of Figure 2."""
    return q.taus_in_figure2(c)[one, other]


def tau_over_others(c: Collection, one: str, other: str) -> Estimate:
    """Return how far this tau lies above the other two."""
    return over(q.taus_in_figure2(c), [(one, other)])


def extended_over_shallow(c: Collection) -> Estimate:
    """Return by how much extended nDCG foretells deep nDCG better than shallow nDCG does."""
    return tau_in_figure2(c, "extended", "deep") - tau_in_figure2(c, "shallow", "deep")


def place_of_second(c: Collection, setting: str) -> int:
    """Return the rank, in a setting of Figure 2, of the run that is second by deep evaluation."""
    return q.places_of_second(c)[setting]


def tied_with(c: Collection, least: int, most: int, tied: float) -> bool | str:
    """Whether so many other runs lie as near to the second one by extended evaluation."""
    dots = q.means_in_figure2(c).value
    gap = (dots["extended"] - dots["extended"][q.second_of(dots)]).abs().drop(q.second_of(dots))
    number = int((gap < tied).sum())
    return least <= number <= most or f"{number} others lie within {tied}"


def second_in_the_middle(c: Collection, parts: int) -> bool | str:
    """Whether the second run is in the middle of parts, on a pool of depth 100, to rank 1,000."""
    rank, systems = q.rank_of_second(c).loc[1000, "pool 100"], len(c.systems)
    return abs(rank - systems / 2) < systems / (2 * parts) or f"rank {rank} of {systems}"


def lead_of_second_among_short(c: Collection) -> Told:
    """Return the second run's lead over other groups among lists as short as its own."""
    shallow, deep, short = q.rank_of_second(c).iloc[-1]
    systems = c.systems.index
    lengths = c.retrieved[:, systems.get_loc(q.second_run(c))]
    return q.lead_among_short(c), (
        f"its lists are short, {lengths.mean():.0f} documents a topic: with all lists cut to "
        f"the length of its own it is number {short} of {len(systems)}, and a pool of depth 100 in "
        f"place of 10 takes it from rank {shallow} to {deep}, not up"
    )


def leaders_are_manual(c: Collection) -> bool | str:
    """Whether all leading runs are manual."""
    kinds = c.systems["type"][q.leaders(q.means_in_figure2(c).value)]
    others = kinds[kinds != "manual"]
    return others.empty or (
        f"{len(kinds) - len(others)} of the first {TOP} by deep evaluation are; "
        f"{', '.join(others.index)} is {', '.join(others)}"
    )


def leaders_find_more(c: Collection, times: float, first: int) -> bool:
    """Have the leaders so many times the unique relevant documents of others, and the first?"""
    alone, top = q.unique(c), q.leaders(q.means_in_figure2(c).value)
    most = set(alone.nlargest(first).index)
    return alone[top].mean() > times * alone.drop(top).mean() and most <= set(top)


def lost_by_narrow_pools(c: Collection) -> Estimate:
    """Return how much less extended nDCG foretells deep nDCG where fewer runs are pooled."""
    return tau_in_figure2(c, "extended", "deep") - q.taus_of_narrow_pools(c).mean()


def foretold(c: Collection) -> Estimate:
    """Return tau and the linear correlation of extended and deep scores."""
    linear = q.means_in_figure2(c).map(lambda points: points["extended"].corr(points["deep"]))
    return joined(tau_in_figure2(c, "extended", "deep"), linear)


def no_reinforcement(c: Collection, nearly: float) -> Estimate:
    """Return what extended nDCG foretells beyond shallow nDCG, and its tau beyond a high one."""
    return joined(extended_over_shallow(c), tau_in_figure2(c, "extended", "deep") - nearly)


def slight_reinforcement(c: Collection) -> Estimate:
    """Return what extended nDCG foretells beyond shallow nDCG, and what leaders lose by it."""
    return joined(extended_over_shallow(c), q.lead_lost(c))


# Figure 3: expanded and abbreviated normalization


def slight(gain: Any, most: float) -> Any:
    """Return a gain in discriminative power, and by how much it stays below what is plain."""
    return joined(gain, most - gain)


def with_mean(differences: Estimate, bound: float = 0.0) -> Told:
    """Return several differences, and the mean of what they are beyond a bound."""
    return differences, f"the mean of all settings is {(differences - bound).mean().interval()}"


def lost_by_deeper_pools(c: Collection, measure: str) -> Told:
    """Return the power that a measure loses with each pool deeper than the evaluation."""
    return with_mean(-q.deeper_pool(c)[measure])


def lost_by_judging(c: Collection, measure: str) -> Estimate:
    """Return the power that a measure loses with pools deeper than the evaluation, on average."""
    return -q.deeper_pool(c)[measure].mean()


def gained_by_deeper_pools(c: Collection, measure: str) -> Estimate:
    """Return the power that a measure gains with each pool deeper than the evaluation."""
    return q.deeper_pool(c)[measure]


def gained_by_shallower_pools(c: Collection, *measures: str) -> Estimate:
    """Return the power that measures gain most with a shallower pool, mean of the depths."""
    return q.shallower_pool(c)[[*measures]].mean()


def slight_gain_by_shallower_pools(c: Collection, measure: str, plain: float) -> Estimate:
    """Return the same of one measure as a slight gain: above 0, and below a plain one."""
    return slight(q.shallower_pool(c)[measure].mean(), plain)


def abbreviated_lead(c: Collection, abbreviated: str, expanded: str) -> Told:
    """Return the lead in power of the abbreviated form over the expanded one in each setting."""
    lead = q.lead_in_power(c, abbreviated, expanded)
    ahead = (lead.value < 0).sum() or "none"
    return lead, f"in {ahead} of {len(lead.value)} settings the expanded form is ahead"


def gained_beyond_pools(c: Collection) -> Estimate:
    """Return what each evaluation beyond the pool adds to each measure of Figure 3."""
    return joined(*(q.beyond_pool(c)[m] for m in FIGURE_3))


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


def rises(c: Collection, bound: float) -> Told:
    """Return what each measure gains from depth 5 to depth 100."""
    return with_mean(rise(c), bound)


def rise_over_spread(c: Collection, start: int) -> Told:
    """Return by how much every measure's rise to depth 100 exceeds the spread at every depth."""
    rises, spans = rise(c, start), span(q.full_power(c))
    rise_of, limits = rises.value, spans.value
    least, limit = rise_of.idxmin(), limits.max()
    return rises.map(np.array).map(np.subtract.outer, spans.map(np.array)), (
        f"measures differ by {limit:.3f} at depth {limits.idxmax()}; "
        f"{(rise_of <= limit).sum()} of {len(rise_of)} rise by less from {start} to 100, {least} "
        f"by {rise_of[least]:.3f}"
    )


def full_power_over_others(c: Collection, measure: str, depth: int) -> Estimate:
    """Return by how much a measure has more power than each other, pool and evaluation so deep."""
    return over(q.full_power(c)[depth], [measure])


def recall_alone_falls(c: Collection, plain: float) -> Estimate:
    """Return by how much recall's fall is plain, and by how much others' are not."""
    falls = q.power_by_setting(c).map(lambda power: (power.loc[5] - power.loc[100]).max())
    return joined(falls["R"] - plain, plain - falls[_BUT_RECALL])


def curves(c: Collection, measure: str) -> Estimate:
    """Return a measure's power: pool depths x evaluation depths."""
    return q.power_by_setting(c)[measure].map(lambda power: power.unstack("depth").to_numpy())


def lowest_tenth_of_steps(c: Collection, measure: str, bound: float) -> Told:
    """Return what nine in ten steps to the next evaluation depth are above."""
    steps = curves(c, measure).map(np.diff)
    falls = (steps.value < -bound).sum()
    why = f"steps that fall by more than {bound}: {falls} of {steps.value.size}"
    return steps.map(np.quantile, 0.1), why


def gained_on_pool_5(c: Collection, measure: str) -> Told:
    """Return what each deeper evaluation has more than each shallower one, on a pool of depth 5."""
    later = curves(c, measure)[0].map(
        lambda powers: np.array([after - before for before, after in combinations(powers, 2)])
    )
    deepest = -later.value.min()
    why = f"the deepest fall is {deepest:.4f}" if deepest > 0 else "no deeper evaluation lies lower"
    return later, why


def fall_at_1000(c: Collection, measure: str) -> Estimate:
    """Return how far below its highest the power at depth 1,000 is, on each pool."""
    return curves(c, measure).map(lambda power: power.max(axis=1) - power[:, -1])


def slight_lead_over_dcg(c: Collection, measure: str, plain: float) -> Told:
    """Return what an adjusted DCG has more than DCG, as a slight gain, mean of all settings."""
    lead = q.lead_in_power(c, measure, "DCG")
    ahead = (lead.value > 0).sum()
    why = f"{measure} is ahead of DCG in {ahead} of {len(lead.value)} settings"
    return slight(lead.mean(), plain), why


def gained_beyond_pools_by(c: Collection, *families: str) -> Estimate:
    """Return what evaluation beyond the pool adds to each form of families, on the whole."""
    forms = [m for m, (of, _) in FORMS.items() if of in families]
    return q.beyond_pool(c)[forms].mean()


def gained_beyond_pools_by_precision(c: Collection) -> Told:
    """Return the same of precision and recall, and by which in how many settings."""
    family = "precision/recall"
    added = q.beyond_pool(c).value[[m for m, (of, _) in FORMS.items() if of == family]]
    gains = ", ".join(
        f"{m} {of.mean():+.3f} (more in {(of > 0).mean():.0%} of the settings)"
        for m, of in added.items()
    )
    why = f"what evaluation beyond the pool adds to it, on average: {gains}"
    return gained_beyond_pools_by(c, family), why


def common_gain(c: Collection, plain: float) -> Estimate:
    """Return the mean best gain at each depth, and by how much each measure's is not plain.

    Recall, which gains much, is left out.
    """
    gains = q.shallower_pool(c)[_BUT_RECALL]
    return joined(gains.map(lambda gains: gains.mean(axis=1)), plain - gains.mean())


def gain_of_adjusted(c: Collection) -> Estimate:
    """Return the best gain of adjusted measures less that of raw ones, recall aside."""
    best = q.shallower_pool(c)[_BUT_RECALL].mean()
    raw = [m for m in _BUT_RECALL if FORMS[m][1] == "raw"]
    return best.map(lambda best: best.drop(raw)).mean() - best[raw].mean()


# Section 4.2 and Table 3


def deeper_pools_change(c: Collection, *measures: str) -> bool:
    """Whether pools deeper than the evaluation change each of some measures."""
    return bool(q.deeper_pool(c).value[[*measures]].any().all())


def more_topics_exceed(c: Collection) -> bool:
    """Does a deeper pool leave more topics with more relevant documents than the depth?"""
    known = q.relevant_by_pool(c)
    counts = [[int((known[pool] > k).sum()) for pool in POOLS] for k in DEPTHS]
    return all(of == sorted(of) for of in counts) and counts[0] != counts[-1]


def topics_with_more(c: Collection, relevant: int) -> int:
    """Return the number of topics with more relevant documents than so many."""
    return (q.relevant_by_pool(c)[100] > relevant).sum()


def no_more_than_chance(c: Collection) -> bool | str:
    """Does the interval over topics of nDCG@20's gain from a shallower pool leave it open?"""
    power = q.power_by_setting(c)["nDCG"]
    gain = answer(power[5, 20] - power[20, 20])
    return gain.value is None or f"its interval over topics is {gain.over_topics}"


def gained_by_weighting(c: Collection) -> Told:
    """Return DCG and AP less the RBP and the precision or recall that are adjusted alike."""
    deep = q.power_by_setting(c).map(lambda power: power.xs(1000, level="depth"))
    alike = (("nDCG", "aAP"), ("nRBP", "R")), (("sDCG", "sAP"), ("sRBP", "sP"))
    gains = (deep[m] - deep[other] for best, rest in alike for m in best for other in rest)
    return with_mean(joined(*gains))


def abbreviated_over_expanded(c: Collection) -> Told:
    """Return by how much abbreviated AP and nDCG are ahead under full assessment."""
    gains = (q.lead_in_power(c, *pair) for pair in (("aAP", "AP"), ("nDCG", "enDCG")))
    return with_mean(joined(*(gain[list(zip(POOLS, POOLS))] for gain in gains)))


def squashing(c: Collection, what: str) -> Estimate:
    """Return by how much a number of :func:`.depth.squashed` is higher with the deeper pool."""
    return q.squashed_over_topics(c)[what][100] - q.squashed_over_topics(c)[what][10]


def extended_nearer_deep(c: Collection, measure: str) -> Estimate:
    """Return how much nearer p values at 10/100 are to those at 100/100 than to those at 10/10."""
    shallow, extended, deep = ((*at, measure) for at in ((10, 10), (10, 100), (100, 100)))
    tau = q.taus_in_table3(c)
    return tau[extended, deep] - tau[shallow, extended]


def tau_gap(c: Collection, one: str, other: str) -> Estimate:
    """Return Table 3's mean tau where settings differ in the one, less that in the other."""
    tau = q.taus_by_difference(c)
    return tau[one].mean() - tau[other].mean()


def tau_of_measures(c: Collection, which: str) -> float:
    """Return the lowest or the highest of Table 3's taus where settings differ in the measure."""
    taus = q.taus_by_difference(c).value["metric"]
    return {"lowest": taus.min(), "highest": taus.max()}[which]


def percent_in_one_order(c: Collection, which: str) -> float:
    """Return the percentage of pairs that are in the same order, by that tau.

    A tau is the share of pairs in the same order less that in the opposite one.
    """
    return 50 * (1 + tau_of_measures(c, which))


# Abstract and conclusion


def depth_over_all(c: Collection) -> Estimate:
    """Return by how much depth matters more than measures: in power, in rankings, in p values."""
    return joined(depth_over_measure(c), depth_nearer(c, "itself"), tau_gap(c, "metric", "itself"))


def edge_of_ndcg(c: Collection) -> Told:
    """Return by how much nDCG is ahead of each other usual measure, mean of all settings."""
    usual = q.power_by_setting(c).value[["P", "R", "RBP", "aAP", "nDCG"]]
    best = usual.idxmax(axis=1).value_counts(normalize=True)
    shares = ", ".join(f"{m} in {x:.0%}" for m, x in best.items())
    edge = joined(*(q.lead_in_power(c, "nDCG", m).mean() for m in ("P", "R", "aAP", "RBP")))
    return edge, (
        f"among P, R, aAP, nDCG and RBP the most discriminative is {shares} of the settings"
    )


def gap_at_equal_depth(c: Collection) -> Estimate:
    """Return by how much nDCG and AP lead precision and RBP when all are 100 deep."""
    power = q.full_power(c)[100]
    return power[["nDCG", "aAP"]].mean() - power[["P", "RBP"]].mean()


def gap_closed(c: Collection) -> Estimate:
    """Return half of the lead in Table 1, less what is left of it at equal depth."""
    power = q.power_in_table1(c)
    usual = power[["nDCG@1000", "AP@1000"]].mean() - power[["P@10", "RBP(p=0.8)"]].mean()
    return usual.map(lambda lead: lead / 2) - gap_at_equal_depth(c)


def depth_makes_power(c: Collection, plain: float) -> Estimate:
    """Return by how much each measure's rise is plain, and how much of the gap depth closes."""
    return joined(rise(c) - plain, gap_closed(c))


def undecided(c: Collection, plain: float, *pairs: list[str]) -> Estimate:
    """Return how far adjusting gains in some settings, loses in others, and little on the whole."""
    gains = joined(*(q.lead_in_power(c, *pair) for pair in pairs))
    mean = gains.mean()
    return joined(gains.map(np.max), -gains.map(np.min), plain - mean, mean + plain)


def steps_in_depth(c: Collection) -> Told:
    """Return what each step to the next depth of pool and evaluation adds to each measure."""
    full = q.full_power(c)
    power, steps = full.value, full.value.diff(axis=1).iloc[:, 1:]
    why = "; ".join(
        f"{m} falls from {power.loc[m, 50]:.3f} at depth 50 to {power.loc[m, 100]:.3f} at 100"
        for m in steps.index[(steps <= 0).any(axis=1)]
    )
    return full.map(lambda full: np.diff(full)), why


def mean_gain_beyond_pools(c: Collection) -> Estimate:
    """Return what evaluation beyond the pool adds, mean of the measures and settings."""
    return q.beyond_pool(c)[list(FORMS)].mean().mean()


def lost_by_pool_of_5(c: Collection) -> Estimate:
    """Return what stays behind, mean of the measures, when the pool is not deepened to 10 or 20."""
    power = q.power_by_setting(c).map(lambda power: power[list(FORMS)].mean(axis=1))
    return joined(*(power[5, k] - power[k, k] for k in (10, 20)))
