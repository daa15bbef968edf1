"""What the paper says of rankings of systems: Table 2, Figure 2 and section 4.1."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from lib.claims import above, level, not_public
from lib.papers.webber2010.depth import ranks_of
from lib.papers.webber2010.evidence import Evidence
from lib.papers.webber2010.tables import POOL, table2
from lib.papers.webber2010.yardsticks import CLOSE, MUCH, NEARLY, TIED, TOP
from lib.published import REPRODUCED, compare, in_words

__all__ = ["FIGURE_2", "SECTION_4_1", "TABLE_2", "extended_over_shallow"]


# Table 2


def of_rbp(e: Evidence, **how: Any) -> int:
    """Count the taus of Table 2 with RBP(p=0.8) that come out."""
    found = compare("webber2010", "Table 2", table2(e.collection, **how))
    rbp = (found[["row", "column"]] == "RBP(p=0.8)").any(axis=1)
    return int((found["verdict"][rbp] == REPRODUCED).sum())


def rbp_is_pooled_to_10(e: Evidence) -> bool | str:
    pooled, every = of_rbp(e, rbp_pool=POOL, rbp_cut=True), of_rbp(e)
    return pooled >= every or (
        f"{in_words(pooled)} of its nine taus come out on a pool of depth 10 and lists cut at rank "
        f"10, {in_words(every)} on all judgements and whole lists"
    )


TABLE_2 = {
    "pool-depth-for-evaluation-depth-10": lambda e: POOL,
    "pool-depth-for-evaluation-depth-1000": lambda e: 100,
    "rbp-0.8-pooled-to-depth-10": rbp_is_pooled_to_10,
}


# Section 4.1: shallow and deep measures


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
    ap = gaps.pop("AP@1000")
    return pd.concat([gaps - CLOSE, pd.Series([CLOSE - ap, CLOSE + ap])])


# Section 4.1: beyond the pool


def closest(e: Evidence) -> pd.Series:
    pair = ("extended", "deep")
    return e.tau[pair] - e.tau.drop([pair])


def farthest(e: Evidence) -> pd.Series:
    pair = ("shallow", "deep")
    return e.tau.drop([pair]) - e.tau[pair]


def extended_over_shallow(e: Evidence) -> float:
    """Return by how much extended nDCG foretells deep nDCG better than shallow nDCG does."""
    return e.tau[("extended", "deep")] - e.tau[("shallow", "deep")]


def tied_with_three_or_four(e: Evidence) -> bool | str:
    gap = (e.points["extended"] - e.points["extended"][e.second]).abs().drop(e.second)
    tied = int((gap < TIED).sum())
    return tied in (3, 4) or f"{tied} others lie within {TIED}"


def second_in_the_middle(e: Evidence) -> bool | str:
    ranks = ranks_of(e.second, e.collection).set_index(["pool", "depth"])["rank"]
    rank, systems = ranks[(100, 1000)], len(e.places)
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


FIGURE_2 = {"extended-deep-closest": above(closest), "shallow-deep-farthest": above(farthest)}
SECTION_4_1 = {
    "group-mean-depth-10": lambda e: e.groups["short"].mean(),
    "group-mean-depth-1000": lambda e: e.groups["deep"].mean(),
    "group-mean-depth-10-against-1000": lambda e: e.groups["across"].mean(),
    "group-mean-same-metric": lambda e: e.groups["itself"].mean(),
    "depth-10-group-tightest": above(lambda e: e.groups["short"].mean() - e.groups["deep"].mean()),
    "between-depths-lowest": above(
        lambda e: (
            np.array([e.groups[side].mean() for side in ("short", "deep")])
            - e.groups["across"].mean()
            - MUCH
        )
    ),
    "depth-10-nearer-its-depth-than-itself": above(partial(nearer, side="short")),
    # AP is the exception that the paper itself names.
    "depth-1000-nearer-its-depth-than-itself": above(partial(nearer, side="deep", aside="AP@1000")),
    "same-metric-hardly-above-any-metric": level(
        lambda e: e.groups["itself"].mean() - e.groups["across"].mean(), CLOSE
    ),
    "ap-partial-exception": above(ap_excepted),
    "metrics-depend-on-evaluation-depth": above(lambda e: NEARLY - e.groups["itself"]),
    "ndcg10-nearly-rbp-0.8": above(lambda e: e.groups["short"][("nDCG@10", "RBP(p=0.8)")] - NEARLY),
    "ndcg1000-nearly-rbp-0.9977": above(
        lambda e: e.groups["deep"][("nDCG@1000", "RBP(p=0.9977)")] - NEARLY
    ),
    "ndcg10-unlike-ndcg1000": above(
        lambda e: NEARLY - e.groups["itself"][("nDCG@10", "nDCG@1000")]
    ),
    "tau-extended-deep": lambda e: e.tau[("extended", "deep")],
    "tau-shallow-extended": lambda e: e.tau[("shallow", "extended")],
    "tau-shallow-deep": lambda e: e.tau[("shallow", "deep")],
    "extended-reliable": above(lambda e: e.tau[("extended", "deep")] - NEARLY),
    "extended-better-than-shallow": above(extended_over_shallow),
    "second-run-second-deep": lambda e: e.places.loc[e.second, "deep"],
    "second-run-second-shallow": lambda e: e.places.loc[e.second, "shallow"],
    "second-run-falls-extended": lambda e: e.places.loc[e.second, "extended"] > 2,
    "second-run-extended-tied": tied_with_three_or_four,
    "second-run-middle-at-100-1000": second_in_the_middle,
    "second-run-middle-by-reinforcement": second_falls_by_reinforcement,
    "top-runs-held-back-by-extended": above(lambda e: e.lead_lost),
    "top-runs-are-manual": leaders_are_manual,
    "top-runs-many-unique-relevant": leaders_find_more,
    "narrow-pool-less-reliable": above(lambda e: e.tau[("extended", "deep")] - e.narrow.mean()),
    "larger-collection-weaker-bias": lambda e: not_public(
        "the runs of the Terabyte track are in NIST's password area"
    ),
}
