"""What Webber, Moffat and Zobel 2010 say in the text, each number and sentence checked on the data.

Here: of measures, tests and data (section 3, Figure 1), of earlier studies, of Table 1, and of
rankings (Table 2, Figure 2 and section 4.1).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger.claims import Claim, Claims, answer, for_each, of_trec8
from chapters.ledger.published import (
    REPRODUCED,
    Answer,
    beside_printed,
    half_digit,
    in_words,
    read_published,
)
from chapters.webber2010 import claims_on_depth as on_depth
from chapters.webber2010 import quantities as q
from chapters.webber2010 import tables
from chapters.webber2010.depth import HYPOTHESES, PRINTED
from chapters.webber2010.quantities import Data, over
from chapters.webber2010.yardsticks import CLOSE, MUCH, NEARLY, NEARLY_ALL, PLAIN, TIED, TOP
from lib.collection import DEPTHS, POOLS, Collection
from lib.conventions import ALPHA, SHARE
from lib.decisions import level
from lib.estimates import Estimate, of_estimates
from lib.measures import persistence, scores

# Start of a slug: the column of Table 1 that it speaks of, and the measure in bold there.
_COLUMN = {
    "trec5": ("TREC-5 ad hoc", "nDCG"),
    "trec8": ("TREC-8 ad hoc", "AP"),
    "trec2001": ("TREC 2001 Web", "nDCG"),
    "trec2004": (tables.ROBUST, "AP"),
    "trec2005": ("TREC 2005 Terabyte", "nDCG"),
    "mean": ("mean", "nDCG"),
}
_RUN_SETS = {slug: name for slug, (name, _) in _COLUMN.items() if slug != "mean"}
_AP, _TREC5 = "AP@1000", tables.COLUMN_OF["trec5"]
_POPULATIONS = {"trec5": "TREC-5", "trec8": ""}  # that the public runs are of, by the slug


# Figure 1 and section 3.1: measures


def ideal(measure: str, relevant: int) -> float:
    """Return a measure's score of the best list of 10 where so many documents are relevant."""
    names = [f"d{i}" for i in range(10)]
    judged = dict.fromkeys(names[:relevant], 1)
    best = Collection.from_rankings({"ideal": {"t": names}}, {"t": judged})
    return scores(best, measure).iloc[0, 0]


def bounded_by_partial_evaluation(_: Collection) -> bool:
    names = [f"d{i}" for i in range(20)]
    runs = {"all": {"t": names}, "late": {"t": [f"x{i}" for i in range(10)] + names}}
    toy = Collection.from_rankings(runs, {"t": dict.fromkeys(names, 1)})
    base, whole = (scores(toy, f"RBP(p=0.8){cut}") for cut in ("@10", ""))
    return bool((whole - base).stack().between(-1e-12, 0.8**10 + 1e-12).all())


_WEIGHTS = tables.figure1()
_DCG = _WEIGHTS["DCG"]
_UPPER = _WEIGHTS[100:550].sum() / _WEIGHTS[100:].sum()  # of ranks 101 to 1,000
_BEYOND_100 = 100 * tables.weight_shares()["of base"]  # percentage of the weight, to rank 1,000
_HALF_A_PERCENT = Answer(
    _BEYOND_100["RBP(p=0.95)"],
    cause=f"{_BEYOND_100['RBP(p=0.95)']:.2f}%, which the paper puts in words as half a percent",
)
_DCG_AT_10 = "DCG(discount=2002,gain=binary)@10"


def deeper_pool_raises_r(c: Collection) -> bool:
    known = q.relevant_by_pool(c)
    more = [known[b] - known[a] for a, b in zip(POOLS, POOLS[1:])]
    return all((of >= 0).all() and (of > 0).any() for of in more)


# Sections 3.2 and 3.3: tests, and data


def goes_with_predictivity(c: Collection) -> Estimate:
    """Return the correlation of discriminative power and self-predictivity, over the measures."""
    return q.power_in_sakai2006(c).map(pd.Series.corr, q.self_predictivity(c))


def groups_of_nist(c: Collection) -> Answer:
    number = c.systems["group"].nunique()
    return Answer(number, cause=f"NIST's run table names {number} groups")


def judged_by_group(c: Collection) -> pd.Series:
    systems = c.systems
    return (systems["pooled"] == "yes").groupby(systems["group"]).sum()


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


def one_drops(c: Collection) -> bool:
    """Does one of the best manual runs lose more than three places?"""
    best = q.order(c, "P@10").index[: manual_leaders(c, "P@10")]
    orders = (q.order(c, measure) for measure in ("AP@10", "AP@1000"))
    short, deep = (means.rank(ascending=False, method="min")[best] for means in orders)
    return (deep - short).max() > 3


_MEASURES_AND_TESTS: dict[str, Claim] = {
    # Figure 1 and section 3.1
    "dcg-weights-steep-then-flat": (
        _DCG[1] - _DCG[10] > _DCG[10] - _DCG[1000] and _DCG[100] - _DCG[1000] < 0.1 * _DCG[1]
    ),
    "rbp-weights-constant-ratio": np.allclose(
        _WEIGHTS.drop(columns="DCG").pct_change()[1:].std(), 0
    ),
    "common-pool-depth": POOLS[-1],
    "trec-evaluation-depth": DEPTHS[-1],
    "precision-below-one-when-k-exceeds-r": lambda c: ideal("P@5", 3) < 1 == ideal("P@3", 3),
    "recall-below-one-when-r-exceeds-k": lambda c: ideal("R@3", 5) < 1 == ideal("R@5", 5),
    "ap-below-one-when-r-exceeds-k": lambda c: ideal("AP@3", 5) < 1 == ideal("AP@5", 5),
    "deeper-pool-raises-r": deeper_pool_raises_r,
    "dcg-discount-min-of-2-and-rank": np.log2(min(2, 1)) == 0,  # it divides
    "dcg-can-exceed-one": lambda c: 1 < ideal(_DCG_AT_10, 2) < ideal(_DCG_AT_10, 3),
    "rbp-bounds-from-partial-evaluation": bounded_by_partial_evaluation,
    "rbp-residual": tables.RESIDUAL,
    **{f"rbp-p-depth-{k}": persistence(residual=tables.RESIDUAL, k=k) for k in tables.PRINTED_P},
    "dcg-weight-101-1000": _BEYOND_100["DCG"],
    "rbp-0.95-weight-101-1000": _HALF_A_PERCENT,
    "rbp-0.9977-weight-101-1000": _BEYOND_100["RBP(p=0.9977)"],
    "rbp-0.9977-more-top-weighted-than-dcg": _UPPER["RBP(p=0.9977)"] > _UPPER["DCG"],
    "dcg-top-weighted-when-shallow": _DCG[:3].sum() > 0.4 * _DCG[:10].sum(),
    "dcg-fat-tailed-when-deep": _BEYOND_100["DCG"] > 50,
    "unpooled-runs-lose": q.loss_without_pool,
    # Sections 3.2 and 3.3
    "alpha": ALPHA,
    # Of TREC 2004's topics the number as printed in section 3.3.
    "smallest-topic-set": lambda c: min(
        int(read_published("webber2010").set_index("row").at["trec2004-topics", "printed"]),
        len(c.topics),
    ),
    "t-test-like-bootstrap": lambda c: q.agreement_of_tests(c)["bootstrap"] >= NEARLY_ALL,
    "t-test-like-permutation": lambda c: q.agreement_of_tests(c)["permutation"] >= NEARLY_ALL,
    "discriminative-power-goes-with-predictivity": goes_with_predictivity,
    "trec8-runs": lambda c: len(c.systems),
    "trec8-topics": lambda c: len(c.topics),
    "trec8-groups": groups_of_nist,
    "trec8-pooled-per-group": lambda c: judged_by_group(c).max(),
    "trec8-pooled-runs": lambda c: judged_by_group(c).sum(),
    "trec8-pool-depth": lambda c: c.entry.max(),
    "trec8-evaluation-depth": lambda c: c.lists["retrieved"].max(),
    "trec8-manual-runs": lambda c: (c.systems["type"] == "manual").sum(),
    "trec8-best-manual-runs": lambda c: manual_leaders(c, "P@10"),
    **for_each("best-manual-runs-lead-by-{}", manual_lead, {"p10": "P@10", "ap10": "AP@10"}),
    "one-best-manual-run-drops-by-ap1000": one_drops,
    "share-of-systems-others-drop": 100 * (1 - SHARE),
    "weak-runs-inflate-discriminative-power": lambda c: (
        q.power_in_table1(c) - q.power_without_weak_runs(c)
    ),
    "strong-against-weak-almost-always-significant": lambda c: q.strong_over_weak(c) - NEARLY_ALL,
}


# Sections 1, 2 and 4 and Table 1: which measure is the most discriminative

_MOST_POWERFUL = [_AP, "nDCG@1000"]
_BOTH_RBP = ["RBP(p=0.8)", "RBP(p=0.95)"]
_SHALLOW, _DEEP = ["P@10", "RBP(p=0.8)"], ["RBP(p=0.95)", *_MOST_POWERFUL]
# Of earlier studies: Webber 2008, Sakai 2006, and Buckley and Voorhees 2000.
_PREDICTIVE, _UNSTABLE = ["AP", "nDCG"], ["P@10", "RR"]
_LESS_POWERFUL = ["P@1000", "RBP(p=0.95)", "P@10"]
_STABLE = ["P@1000", "R@1000"]


def in_column(slug: str, best: list[str], rest: list[str] | None = None) -> Callable:
    """State that some measures are above others, by default all, in a column of Table 1.

    Where its runs are public with their own error over topics, else as printed.
    """
    if slug not in _POPULATIONS:
        return lambda d: bool((over(q.table1_columns(d)[_COLUMN[slug][0]], best, rest) > 0).all())
    return lambda d: answer(
        over(q.power_in_table1(getattr(d, slug)), best, rest), on=_POPULATIONS[slug]
    )


def of_run_sets(d: Data) -> pd.DataFrame:
    return q.table1_columns(d)[[*_RUN_SETS.values()]]


def often_much_more(d: Data) -> bool:
    """Is nDCG plainly ahead of RBP(p=0.95) in most columns?"""
    numbers = of_run_sets(d)
    lead = numbers.loc["nDCG@1000"] - numbers.loc["RBP(p=0.95)"]
    return (lead >= PLAIN).mean() > 0.5


def more(quantity: Callable, best: list, rest: list | None = None) -> Callable:
    """State that a quantity is higher for each of the best than for others, by default all."""
    return lambda c: over(quantity(c), best, rest)


# What asks the other collections too.
_OF_ALL_DATA: dict[str, Claim] = {
    # Abstract
    "ndcg-often-most-discriminative": lambda d: (
        (q.table1_columns(d).drop(columns="mean").idxmax() == "nDCG@1000").mean() > 0.5
    ),
    # Section 1
    "ap-more-stable-than-rbp": in_column("trec8", [_AP], _BOTH_RBP),
    "ndcg-more-stable-than-rbp": in_column("trec8", ["nDCG@1000"], _BOTH_RBP),
    "ap-more-stable-than-p10": in_column("trec8", [_AP], ["P@10"]),
    "ndcg-more-stable-than-p10": in_column("trec8", ["nDCG@1000"], ["P@10"]),
    "rbp-more-stable-than-p10": in_column("trec8", _BOTH_RBP, ["P@10"]),
    "hypotheses": len(HYPOTHESES),
    # Section 3.3
    "trec5-systems": lambda d: len(d.trec5.systems),
    "trec2004-systems": lambda d: d.robust[_AP].shape[1],
    "trec2004-topics": lambda d: d.robust[_AP].shape[0],
    # Section 4
    "metrics-in-table-1": len(tables.measures_of_table1()),
    "collections-in-table-1": len(_RUN_SETS),
    # AP is the best of some columns, nDCG of the others, and nothing else of any.
    "best-metric-is-ndcg-or-ap": lambda d: set(of_run_sets(d).idxmax()) == set(_MOST_POWERFUL),
    "ndcg-often-much-more-than-rbp-0.95": often_much_more,
    **{
        f"{slug}-ndcg-beats-rbp-0.95": in_column(slug, ["nDCG@1000"], ["RBP(p=0.95)"])
        for slug in _RUN_SETS
    },
    **{f"{slug}-p10-rbp-0.8-least": in_column(slug, _DEEP, _SHALLOW) for slug in _RUN_SETS},
    # Table 1
    **{
        f"{slug}-most-discriminative-{most.lower()}": in_column(slug, [f"{most}@1000"])
        for slug, (_, most) in _COLUMN.items()
    },
}
_EARLIER_STUDIES: dict[str, Claim] = {
    "ap-ndcg-most-predictive": more(q.self_predictivity, _PREDICTIVE, ["RBP(p=0.95)", *_UNSTABLE]),
    "rbp-less-predictive": more(q.self_predictivity, _PREDICTIVE, ["RBP(p=0.95)"]),
    "p10-rr-least-predictive": more(q.self_predictivity, ["RBP(p=0.95)", *_PREDICTIVE], _UNSTABLE),
    "ap-ndcg-among-most-discriminative": more(q.power_in_sakai2006, _PREDICTIVE, _LESS_POWERFUL),
    "q-measure-among-most-discriminative": more(q.power_in_sakai2006, ["Q"], _LESS_POWERFUL),
    "p1000-least-discriminative": lambda c: -over(q.power_in_sakai2006(c), ["P@1000"]),
    "swap-rate-p1000-r1000-lowest": more(q.self_predictivity, _STABLE, ["Rprec", "AP", "P@10"]),
    "swap-rate-rprec-ap-follow": more(q.self_predictivity, ["Rprec", "AP"], ["P@10"]),
    "swap-rate-p10-highest": more(q.self_predictivity, [*_STABLE, "Rprec", "AP"], ["P@10"]),
}

# Cells of Table 1 that are means of others which cannot be computed.
_CELLS_OF_MEANS = [
    *(("mean", name) for slug, name in _RUN_SETS.items() if slug not in _POPULATIONS),
    *((row, "mean") for row in (*tables.measures_of_table1(), "mean")),
]


def means_of_print(d: Data) -> pd.DataFrame:
    """Return the means of printed cells."""
    table = d.table1.astype(float)
    cells = table.drop(index="mean", columns="mean")
    whole = cells.assign(mean=cells.mean(axis=1))
    whole.loc["mean"] = whole.mean()
    rows = []
    for row, column in _CELLS_OF_MEANS:
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
        f"a misprint, it seems: beside our other four numbers, which are as printed, the printed "
        f"mean of the column, {mean}, leaves AP {most:.4f} at most"
    )


def table1_and_means(d: Data) -> pd.DataFrame:
    own = {name: tables.table1(getattr(d, slug)) for slug, name in tables.COLUMN_OF.items()}
    parts = [part.assign(column=name) for name, part in own.items()]
    ours = pd.concat([*parts, tables.robust(d.robust)], ignore_index=True).assign(cause="")
    ours.loc[(ours["row"] == _AP) & (ours["column"] == _TREC5), "cause"] = misprint(d)
    return pd.concat([ours, means_of_print(d)], ignore_index=True)


# Table 2 and section 4.1: shallow and deep measures


def rbp_is_pooled_to_10(c: Collection) -> bool | str:
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


@of_estimates
def nearer_than_itself(groups: dict[str, pd.Series], side: str) -> pd.Series:
    """Return by how much each measure is nearer to each other of its depth than to itself."""
    itself = groups["itself"].droplevel(1 if side == "short" else 0)
    either_way = pd.concat([groups[side], groups[side].swaplevel()])
    return either_way.sub(itself, level=0)


@of_estimates
def ap_excepted(groups: dict[str, pd.Series]) -> pd.Series:
    """Is AP@1000 alone not clearly nearer to the others of its depth than to AP@10?"""
    gaps = nearer_than_itself(groups, "deep").groupby(level=0).mean()
    ap = gaps.pop(_AP)
    return pd.concat([gaps - CLOSE, pd.Series([CLOSE - ap, CLOSE + ap])])


# Figure 2 and section 4.1: beyond the pool


def tied_with_three_or_four(c: Collection) -> bool | str:
    dots = q.means_in_figure2(c).value
    gap = (dots["extended"] - dots["extended"][q.second_of(dots)]).abs().drop(q.second_of(dots))
    tied = int((gap < TIED).sum())
    return tied in (3, 4) or f"{tied} others lie within {TIED}"


def second_in_the_middle(c: Collection) -> bool | str:
    rank, systems = q.rank_of_second(c).loc[1000, "pool 100"], len(c.systems)
    return abs(rank - systems / 2) < systems / 6 or f"rank {rank} of {systems}"


def second_falls_by_reinforcement(c: Collection) -> Answer:
    """Does the second run stay behind the best of other groups among lists as short as its own?"""
    shallow, deep, short = q.rank_of_second(c).iloc[-1]
    systems = c.systems.index
    lengths = c.retrieved[:, systems.get_loc(q.second_run(c))]
    return answer(
        -q.lead_among_short(c),
        cause=f"its lists are short, {lengths.mean():.0f} documents a topic: with all lists cut to "
        f"the length of its own it is number {short} of {len(systems)}, and a pool of depth 100 in "
        f"place of 10 takes it from rank {shallow} to {deep}, not up",
    )


def leaders_are_manual(c: Collection) -> bool | str:
    kinds = c.systems["type"][q.leaders(q.means_in_figure2(c).value)]
    others = kinds[kinds != "manual"]
    return others.empty or (
        f"{len(kinds) - len(others)} of the first {TOP} by deep evaluation are; "
        f"{', '.join(others.index)} is {', '.join(others)}"
    )


def leaders_find_more(c: Collection) -> bool:
    """Have the leaders twice as many unique relevant documents as others, and the three highest?"""
    alone, top = q.unique(c), q.leaders(q.means_in_figure2(c).value)
    most = set(alone.nlargest(3).index)
    return alone[top].mean() > 2 * alone.drop(top).mean() and most <= set(top)


def nearly(group: str, one: str, other: str) -> Callable:
    """State that two measures rank systems nearly alike."""
    return lambda c: q.taus_in_table2(c)[group][one, other] - NEARLY


_RANKINGS: dict[str, Claim] = {
    # Table 2
    "pool-depth-for-evaluation-depth-10": tables.LEADING_POOL,
    "pool-depth-for-evaluation-depth-1000": 100,
    "rbp-0.8-pooled-to-depth-10": rbp_is_pooled_to_10,
    # Figure 2
    "extended-deep-closest": more(q.taus_in_figure2, [("extended", "deep")]),
    "shallow-deep-farthest": lambda c: -over(q.taus_in_figure2(c), [("shallow", "deep")]),
    # Section 4.1
    "group-mean-depth-10": lambda c: q.mean_tau(c, "short").value,
    "group-mean-depth-1000": lambda c: q.mean_tau(c, "deep").value,
    "group-mean-depth-10-against-1000": lambda c: q.mean_tau(c, "across").value,
    "group-mean-same-metric": lambda c: q.mean_tau(c, "itself").value,
    "depth-10-group-tightest": lambda c: q.mean_tau(c, "short") - q.mean_tau(c, "deep"),
    "between-depths-lowest": lambda c: on_depth.depth_nearer(c, than="across") - MUCH,
    "depth-10-nearer-its-depth-than-itself": lambda c: nearer_than_itself(
        q.taus_in_table2(c), "short"
    ),
    # AP is the exception that the paper itself names.
    "depth-1000-nearer-its-depth-than-itself": lambda c: nearer_than_itself(
        q.taus_in_table2(c), "deep"
    ).map(lambda gaps: gaps.drop(_AP, level=0)),
    "same-metric-hardly-above-any-metric": lambda c: answer(
        q.mean_tau(c, "itself") - q.mean_tau(c, "across"), level(CLOSE)
    ),
    "ap-partial-exception": lambda c: ap_excepted(q.taus_in_table2(c)),
    "metrics-depend-on-evaluation-depth": lambda c: NEARLY - q.taus_in_table2(c)["itself"],
    "ndcg10-nearly-rbp-0.8": nearly("short", "nDCG@10", "RBP(p=0.8)"),
    "ndcg1000-nearly-rbp-0.9977": nearly("deep", "nDCG@1000", "RBP(p=0.9977)"),
    "ndcg10-unlike-ndcg1000": lambda c: (
        NEARLY - q.taus_in_table2(c)["itself"]["nDCG@10", "nDCG@1000"]
    ),
    "tau-extended-deep": lambda c: q.tau_with_deep(c, "extended").value,
    "tau-shallow-extended": lambda c: q.taus_in_figure2(c).value["shallow", "extended"],
    "tau-shallow-deep": lambda c: q.tau_with_deep(c, "shallow").value,
    "extended-reliable": lambda c: q.tau_with_deep(c, "extended") - NEARLY,
    "extended-better-than-shallow": on_depth.extended_over_shallow,
    "second-run-second-deep": lambda c: q.places_of_second(c)["deep"],
    "second-run-second-shallow": lambda c: q.places_of_second(c)["shallow"],
    "second-run-falls-extended": q.lead_of_second_lost,
    "second-run-extended-tied": tied_with_three_or_four,
    "second-run-middle-at-100-1000": second_in_the_middle,
    "second-run-middle-by-reinforcement": second_falls_by_reinforcement,
    "top-runs-held-back-by-extended": q.lead_lost,
    "top-runs-are-manual": leaders_are_manual,
    "top-runs-many-unique-relevant": leaders_find_more,
    "narrow-pool-less-reliable": lambda c: (
        q.tau_with_deep(c, "extended") - q.taus_of_narrow_pools(c).mean()
    ),
}

CLAIMS = Claims(
    data=Data,
    population="TREC-8",
    cells={place: lambda d, compute=compute: compute(d.trec8) for place, compute in PRINTED.items()}
    | {"Table 1": table1_and_means},
    rows=of_trec8(on_depth.ROWS | _EARLIER_STUDIES | _MEASURES_AND_TESTS | _RANKINGS)
    | _OF_ALL_DATA,
)
