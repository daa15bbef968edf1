"""What Webber, Moffat and Zobel 2010 say in the text, each number and sentence checked on the data.

Here: of measures, tests and data (section 3, Figure 1), of earlier studies, of Table 1, and of
rankings (Table 2, Figure 2 and section 4.1).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import Claims, above, level
from lib.collection import DEPTHS, POOLS, Collection
from lib.conventions import ALPHA
from lib.measures import persistence, scores
from lib.papers.webber2010 import claims_on_depth as on_depth
from lib.papers.webber2010 import tables
from lib.papers.webber2010.depth import HYPOTHESES, PRINTED
from lib.papers.webber2010.evidence import (
    CLOSE,
    KEPT,
    MUCH,
    NEARLY,
    PLAIN,
    SHARE,
    TIED,
    TOP,
    Evidence,
)
from lib.published import REPRODUCED, Answer, cells, compare, half_digit, in_words, read

# Start of a slug: the column of Table 1 that it speaks of, and the measure in bold there.
COLUMN = {
    "trec5": ("TREC-5 ad hoc", "nDCG"),
    "trec8": ("TREC-8 ad hoc", "AP"),
    "trec2001": ("TREC 2001 Web", "nDCG"),
    "trec2004": (tables.ROBUST, "AP"),
    "trec2005": ("TREC 2005 Terabyte", "nDCG"),
    "mean": ("mean", "nDCG"),
}
RUN_SETS = {slug: name for slug, (name, _) in COLUMN.items() if slug != "mean"}
# Whose runs are public, and what has the numbers that come of them.
OWN: dict[str, Callable[[Evidence], Evidence]] = {"trec5": lambda e: e.trec5, "trec8": lambda e: e}


# Figure 1 and section 3.1: measures


def best(measure: str, relevant: int) -> float:
    """Return a measure's score of the best list of 10 where so many documents are relevant."""
    names = [f"d{i}" for i in range(10)]
    judged = dict.fromkeys(names[:relevant], 1)
    ideal = Collection.from_rankings({"ideal": {"t": names}}, {"t": judged})
    return scores(ideal, measure).iloc[0, 0]


def bounded_by_partial_evaluation(e: Evidence) -> bool:
    names = [f"d{i}" for i in range(20)]
    runs = {"all": {"t": names}, "late": {"t": [f"x{i}" for i in range(10)] + names}}
    toy = Collection.from_rankings(runs, {"t": dict.fromkeys(names, 1)})
    base, whole = (scores(toy, f"RBP(p=0.8){cut}") for cut in ("@10", ""))
    return bool((whole - base).stack().between(-1e-12, 0.8**10 + 1e-12).all())


def beyond_100(measure: str) -> float:
    """Return the percentage of a measure's weight at ranks 101 to 1,000."""
    return 100 * tables.weight_shares().loc[measure, "of base"]


WEIGHTS = tables.figure1()
DCG = WEIGHTS["DCG"]
UPPER = WEIGHTS[100:550].sum() / WEIGHTS[100:].sum()  # of ranks 101 to 1,000
DCG_AT_10 = "DCG(discount=2002,gain=binary)@10"


def half_a_percent(e: Evidence) -> Answer:
    percent = beyond_100("RBP(p=0.95)")
    return Answer(percent, cause=f"{percent:.2f}%, which the paper puts in words as half a percent")


FIGURE_1 = {
    "dcg-weights-steep-then-flat": lambda e: (
        DCG[1] - DCG[10] > DCG[10] - DCG[1000] and DCG[100] - DCG[1000] < 0.1 * DCG[1]
    ),
    "rbp-weights-constant-ratio": lambda e: np.allclose(
        WEIGHTS.drop(columns="DCG").pct_change()[1:].std(), 0
    ),
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
    "dcg-discount-min-of-2-and-rank": lambda e: np.log2(min(2, 1)) == 0,  # it divides
    "dcg-can-exceed-one": lambda e: 1 < best(DCG_AT_10, 2) < best(DCG_AT_10, 3),
    "rbp-bounds-from-partial-evaluation": bounded_by_partial_evaluation,
    "rbp-residual": lambda e: tables.RESIDUAL,
    "rbp-p-depth-10": lambda e: persistence(residual=tables.RESIDUAL, k=10),
    "rbp-p-depth-100": lambda e: persistence(residual=tables.RESIDUAL, k=100),
    "rbp-p-depth-1000": lambda e: persistence(residual=tables.RESIDUAL, k=1000),
    "dcg-weight-101-1000": lambda e: beyond_100("DCG"),
    "rbp-0.95-weight-101-1000": half_a_percent,
    "rbp-0.9977-weight-101-1000": lambda e: beyond_100("RBP(p=0.9977)"),
    "rbp-0.9977-more-top-weighted-than-dcg": lambda e: UPPER["RBP(p=0.9977)"] > UPPER["DCG"],
    "dcg-top-weighted-when-shallow": lambda e: DCG[:3].sum() > 0.4 * DCG[:10].sum(),
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


SECTION_3_2 = {
    "alpha": lambda e: ALPHA,
    # Of TREC 2004's topics the number as printed in section 3.3.
    "smallest-topic-set": lambda e: min(
        int(read("webber2010").set_index("row").at["trec2004-topics", "printed"]),
        len(e.collection.topics),
    ),
    "t-test-like-bootstrap": lambda e: e.agreement["bootstrap"] >= SHARE,
    "t-test-like-permutation": lambda e: e.agreement["permutation"] >= SHARE,
    "discriminative-power-goes-with-predictivity": above(goes_with_predictivity),
}
SECTION_3_3 = {
    "trec5-systems": lambda e: len(e.trec5.collection.systems),
    "trec2004-systems": lambda e: e.robust.shape[1],
    "trec2004-topics": lambda e: e.robust.shape[0],
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


# Sections 1, 2 and 4 and Table 1: which measure is the most discriminative

AP, TREC5 = "AP@1000", tables.COLUMNS["trec5"]
BEST = [AP, "nDCG@1000"]
RBP = ["RBP(p=0.8)", "RBP(p=0.95)"]
SHALLOW = ["P@10", "RBP(p=0.8)"]
# Of earlier studies: Webber 2008, Sakai 2006, and Buckley and Voorhees 2000.
PREDICTIVE, WEAK = ["AP", "nDCG"], ["P@10", "RR"]
LESS_POWERFUL = ["P@1000", "RBP(p=0.95)", "P@10"]
STABLE = ["P@1000", "R@1000"]


def over(numbers: pd.Series, best: list[str], rest: list[str]) -> np.ndarray:
    """Return all differences of one of the best and one of the rest."""
    return np.array([numbers[one] - numbers[other] for one in best for other in rest])


def in_column(slug: str, difference: Callable[[pd.Series], Any]) -> Callable:
    """State that differences in a column of Table 1 are above zero.

    Where its runs are public with their own error over topics, else as printed.
    """
    if slug not in OWN:
        return lambda e: bool(np.all(difference(e.columns[COLUMN[slug][0]]) > 0))
    claim = above(lambda e: difference(e.own.drop("mean")))
    return lambda e: claim(OWN[slug](e))


def bold(column: pd.Series, measure: str) -> pd.Series:
    """Return by how much a measure is ahead of each other one."""
    return column[f"{measure}@1000"] - column.drop(f"{measure}@1000")


def ndcg_over_rbp(column: pd.Series) -> float:
    return column["nDCG@1000"] - column["RBP(p=0.95)"]


def shallow_behind(column: pd.Series) -> np.ndarray:
    return over(column, list(column.index.drop(SHALLOW)), SHALLOW)


def of_run_sets(e: Evidence) -> pd.DataFrame:
    return e.columns[[*RUN_SETS.values()]]


def often_much_more(e: Evidence) -> bool:
    """Is nDCG plainly ahead of RBP(p=0.95) in most columns?"""
    numbers = of_run_sets(e)
    lead = numbers.loc["nDCG@1000"] - numbers.loc["RBP(p=0.95)"]
    return (lead >= PLAIN).mean() > 0.5


SECTION_1 = {
    "ap-more-stable-than-rbp": above(lambda e: over(e.own, [AP], RBP)),
    "ndcg-more-stable-than-rbp": above(lambda e: over(e.own, ["nDCG@1000"], RBP)),
    "ap-more-stable-than-p10": above(lambda e: e.own[AP] - e.own["P@10"]),
    "ndcg-more-stable-than-p10": above(lambda e: e.own["nDCG@1000"] - e.own["P@10"]),
    "rbp-more-stable-than-p10": above(lambda e: over(e.own, RBP, ["P@10"])),
    "hypotheses": lambda e: len(HYPOTHESES),
}
SECTION_2 = {
    "ap-ndcg-most-predictive": above(lambda e: over(e.phi, PREDICTIVE, ["RBP(p=0.95)", *WEAK])),
    "rbp-less-predictive": above(lambda e: over(e.phi, PREDICTIVE, ["RBP(p=0.95)"])),
    "p10-rr-least-predictive": above(lambda e: over(e.phi, ["RBP(p=0.95)", *PREDICTIVE], WEAK)),
    "ap-ndcg-among-most-discriminative": above(lambda e: over(e.powers, PREDICTIVE, LESS_POWERFUL)),
    "q-measure-among-most-discriminative": above(lambda e: over(e.powers, ["Q"], LESS_POWERFUL)),
    "p1000-least-discriminative": above(lambda e: e.powers.drop(["P@1000"]) - e.powers["P@1000"]),
    "swap-rate-p1000-r1000-lowest": above(lambda e: over(e.phi, STABLE, ["Rprec", "AP", "P@10"])),
    "swap-rate-rprec-ap-follow": above(lambda e: over(e.phi, ["Rprec", "AP"], ["P@10"])),
    "swap-rate-p10-highest": above(lambda e: over(e.phi, [*STABLE, "Rprec", "AP"], ["P@10"])),
}
SECTION_4 = {
    "metrics-in-table-1": lambda e: len(tables.measures_of_table1()),
    "collections-in-table-1": lambda e: len(RUN_SETS),
    # AP is the best of some columns, nDCG of the others, and nothing else of any.
    "best-metric-is-ndcg-or-ap": lambda e: set(of_run_sets(e).idxmax()) == set(BEST),
    "ndcg-often-much-more-than-rbp-0.95": often_much_more,
    **{f"{slug}-ndcg-beats-rbp-0.95": in_column(slug, ndcg_over_rbp) for slug in RUN_SETS},
    **{f"{slug}-p10-rbp-0.8-least": in_column(slug, shallow_behind) for slug in RUN_SETS},
}
TABLE_1 = {
    f"{slug}-most-discriminative-{most.lower()}": in_column(slug, partial(bold, measure=most))
    for slug, (_, most) in COLUMN.items()
}

# Cells of Table 1 that are means of others which cannot be computed.
CELLS_OF_MEANS = [
    *(("mean", name) for slug, name in RUN_SETS.items() if slug not in OWN),
    *((row, "mean") for row in (*tables.measures_of_table1(), "mean")),
]


def means_of_print(e: Evidence) -> pd.DataFrame:
    """Return the means of printed cells."""
    table = e.others.astype(float)
    cells = table.drop(index="mean", columns="mean")
    whole = cells.assign(mean=cells.mean(axis=1))
    whole.loc["mean"] = whole.mean()
    rows = []
    for row, column in CELLS_OF_MEANS:
        off = abs(whole.loc[row, column] - table.loc[row, column])
        cause = "the printed cells are rounded, which may move their mean by .0005"
        if (row, column) == (AP, "mean"):
            ours = cells.loc[AP].where(cells.columns != TREC5, e.trec5.own[AP])
            cause += f"; with TREC-5's cell as its runs have it, the mean is {ours.mean():.3f}"
        near = half_digit("0.001") < off <= 2 * half_digit("0.001")
        rows.append((row, column, whole.loc[row, column], 0.0, cause if near else ""))
    return pd.DataFrame(rows, columns=["row", "column", "value", "error", "cause"])


def misprint(e: Evidence) -> str:
    """Return what the printed mean of TREC-5's column says of the one cell that is not as printed.

    Nothing else was found: single precision, scores of four decimals, the scores that others
    published, and pairs of systems with the same scores leave the cell as it is.
    """
    mean = e.others.loc["mean", TREC5]
    most = tables.most_by_mean(e.trec5.own.drop("mean"), mean, AP)
    if float(e.others.loc[AP, TREC5]) - half_digit("0.001") < most:
        return ""
    return (
        f"a misprint, it seems: beside our other four numbers, which are as printed, the printed "
        f"mean of the column, {mean}, leaves AP {most:.4f} at most"
    )


def table1_and_means(e: Evidence) -> pd.DataFrame:
    own = {tables.COLUMNS["trec8"]: e.own, TREC5: e.trec5.own}
    parts = [cells((row, name, x) for row, x in of.items()) for name, of in own.items()]
    ours = pd.concat([*parts, tables.robust()], ignore_index=True).assign(cause="")
    ours.loc[(ours["row"] == AP) & (ours["column"] == TREC5), "cause"] = misprint(e)
    return pd.concat([ours, means_of_print(e)], ignore_index=True)


# Table 2 and section 4.1: shallow and deep measures


def rbp_is_pooled_to_10(e: Evidence) -> bool | str:
    def matched(**how: Any) -> int:
        """Count the taus of Table 2 with RBP(p=0.8) that come out."""
        found = compare("webber2010", "Table 2", tables.table2(e.collection, **how))
        rbp = (found[["row", "column"]] == "RBP(p=0.8)").any(axis=1)
        return int((found["verdict"][rbp] == REPRODUCED).sum())

    pooled, every = matched(rbp_pool=tables.POOL, rbp_cut=True), matched()
    return pooled >= every or (
        f"{in_words(pooled)} of its nine taus come out on a pool of depth 10 and lists cut at rank "
        f"10, {in_words(every)} on all judgements and whole lists"
    )


TABLE_2 = {
    "pool-depth-for-evaluation-depth-10": lambda e: tables.POOL,
    "pool-depth-for-evaluation-depth-1000": lambda e: 100,
    "rbp-0.8-pooled-to-depth-10": rbp_is_pooled_to_10,
}


def nearer(e: Evidence, side: str, *, aside: str = "") -> pd.Series:
    """Return by how much each measure is nearer to each other of its depth than to itself."""
    at = 0 if side == "short" else 1
    return pd.Series(
        {
            (pair[at], others): tau - itself
            for pair, itself in e.groups["itself"].items()
            for others, tau in e.groups[side].items()
            if pair[at] in others and pair[at] != aside
        }
    )


def ap_excepted(e: Evidence) -> pd.Series:
    """Is AP@1000 alone not clearly nearer to the others of its depth than to AP@10?"""
    gaps = nearer(e, "deep").groupby(level=0).mean()
    ap = gaps.pop(AP)
    return pd.concat([gaps - CLOSE, pd.Series([CLOSE - ap, CLOSE + ap])])


def between_depths(e: Evidence) -> np.ndarray:
    within = np.array([e.groups[side].mean() for side in ("short", "deep")])
    return within - e.groups["across"].mean() - MUCH


# Figure 2 and section 4.1: beyond the pool


def tied_with_three_or_four(e: Evidence) -> bool | str:
    gap = (e.points["extended"] - e.points["extended"][e.second]).abs().drop(e.second)
    tied = int((gap < TIED).sum())
    return tied in (3, 4) or f"{tied} others lie within {TIED}"


def second_in_the_middle(e: Evidence) -> bool | str:
    rank, systems = e.of_second.loc[1000, "pool 100"], len(e.places)
    return abs(rank - systems / 2) < systems / 6 or f"rank {rank} of {systems}"


def second_falls_by_reinforcement(e: Evidence) -> bool | str:
    """Would its rank be better in a deeper pool, and no better among lists as short as its own?"""
    shallow, deep, short = e.of_second.iloc[-1]
    if deep < shallow and short >= deep:
        return True
    lengths = e.collection.retrieved[:, e.collection.systems.index.get_loc(e.second)]
    return (
        f"its lists are short, {lengths.mean():.0f} documents a topic: with all lists cut to the "
        f"length of its own it is number {short} of {len(e.places)}, and a pool of depth 100 in "
        f"place of 10 takes it from rank {shallow} to {deep}, not up"
    )


def leaders_are_manual(e: Evidence) -> bool | str:
    kinds = e.collection.systems["type"][e.places.index[e.places["deep"] <= TOP]]
    others = kinds[kinds != "manual"]
    return others.empty or (
        f"{len(kinds) - len(others)} of the first {TOP} by deep evaluation are; "
        f"{', '.join(others.index)} is {', '.join(others)}"
    )


def leaders_find_more(e: Evidence) -> bool:
    """Have they twice as many unique relevant documents as the rest, and the three highest?"""
    unique, top = e.unique, e.leaders
    most = set(unique.nlargest(3).index)
    return unique[top].mean() > 2 * unique.drop(top).mean() and most <= set(top)


FIGURE_2 = {
    "extended-deep-closest": above(
        lambda e: e.tau["extended", "deep"] - e.tau.drop([("extended", "deep")])
    ),
    "shallow-deep-farthest": above(
        lambda e: e.tau.drop([("shallow", "deep")]) - e.tau["shallow", "deep"]
    ),
}
SECTION_4_1 = {
    "group-mean-depth-10": lambda e: e.groups["short"].mean(),
    "group-mean-depth-1000": lambda e: e.groups["deep"].mean(),
    "group-mean-depth-10-against-1000": lambda e: e.groups["across"].mean(),
    "group-mean-same-metric": lambda e: e.groups["itself"].mean(),
    "depth-10-group-tightest": above(lambda e: e.groups["short"].mean() - e.groups["deep"].mean()),
    "between-depths-lowest": above(between_depths),
    "depth-10-nearer-its-depth-than-itself": above(partial(nearer, side="short")),
    # AP is the exception that the paper itself names.
    "depth-1000-nearer-its-depth-than-itself": above(partial(nearer, side="deep", aside=AP)),
    "same-metric-hardly-above-any-metric": level(
        lambda e: e.groups["itself"].mean() - e.groups["across"].mean(), CLOSE
    ),
    "ap-partial-exception": above(ap_excepted),
    "metrics-depend-on-evaluation-depth": above(lambda e: NEARLY - e.groups["itself"]),
    "ndcg10-nearly-rbp-0.8": above(lambda e: e.groups["short"]["nDCG@10", "RBP(p=0.8)"] - NEARLY),
    "ndcg1000-nearly-rbp-0.9977": above(
        lambda e: e.groups["deep"]["nDCG@1000", "RBP(p=0.9977)"] - NEARLY
    ),
    "ndcg10-unlike-ndcg1000": above(lambda e: NEARLY - e.groups["itself"]["nDCG@10", "nDCG@1000"]),
    "tau-extended-deep": lambda e: e.tau["extended", "deep"],
    "tau-shallow-extended": lambda e: e.tau["shallow", "extended"],
    "tau-shallow-deep": lambda e: e.tau["shallow", "deep"],
    "extended-reliable": above(lambda e: e.tau["extended", "deep"] - NEARLY),
    "extended-better-than-shallow": above(on_depth.extended_over_shallow),
    "second-run-second-deep": lambda e: e.places.loc[e.second, "deep"],
    "second-run-second-shallow": lambda e: e.places.loc[e.second, "shallow"],
    "second-run-falls-extended": lambda e: e.places.loc[e.second, "extended"] > 2,
    "second-run-extended-tied": tied_with_three_or_four,
    "second-run-middle-at-100-1000": second_in_the_middle,
    "second-run-middle-by-reinforcement": second_falls_by_reinforcement,
    "top-runs-held-back-by-extended": above(lambda e: e.lead_lost),
    "top-runs-are-manual": leaders_are_manual,
    "top-runs-many-unique-relevant": leaders_find_more,
    "narrow-pool-less-reliable": above(lambda e: e.tau["extended", "deep"] - e.narrow.mean()),
}

CLAIMS = Claims(
    evidence=Evidence,
    cells={
        place: lambda e, compute=compute: compute(e.collection)
        for place, compute in PRINTED.items()
    }
    | {"Table 1": table1_and_means},
    rows=on_depth.ROWS
    | (SECTION_1 | SECTION_2 | SECTION_3_1 | SECTION_3_2 | SECTION_3_3 | SECTION_4 | SECTION_4_1)
    | (TABLE_1 | TABLE_2 | FIGURE_1 | FIGURE_2),
)
