"""What the paper says of rankings of systems: Table 2, Figure 2 and section 4.1."""

import numpy as np

from lib.papers.webber2010.depth import figure2_taus, ranks_of
from lib.papers.webber2010.evidence import LEVEL, NEARLY, Evidence
from lib.published import lookup

__all__ = ["FIGURE_2", "SECTION_4_1", "leaders_held_back", "second_falls"]


def nearer(e: Evidence, side: str) -> dict[str, bool]:
    """Return which measures are nearer to every other of their depth than to themselves."""
    group, at = e.groups[side], 0 if side == "short" else 1
    return {
        pair[at]: min(tau for others, tau in group.items() if pair[at] in others) > itself
        for pair, itself in e.groups["itself"].items()
    }


def ap_excepted(e: Evidence) -> bool:
    """Is AP@1000 alone not much nearer to the others of its depth than to AP@10?"""
    gaps = {}
    for (_, name), itself in e.groups["itself"].items():
        others = np.mean([tau for pair, tau in e.groups["deep"].items() if name in pair])
        gaps[name] = others - itself
    return abs(gaps.pop("AP@1000")) < 0.02 < min(gaps.values())


def second_falls(e: Evidence) -> bool:
    return e.places.loc[e.second, "extended"] > 2


def second_ties(e: Evidence, margin: float) -> int:
    extended = e.points["extended"]
    return int(((extended - extended[e.second]).abs().drop(e.second) < margin).sum())


def second_in_the_middle(e: Evidence) -> bool | str:
    ranks = ranks_of(e.second, e.collection).set_index(["pool", "depth"])["rank"]
    rank, systems = ranks[(100, 1000)], len(e.places)
    return abs(rank - systems / 2) < systems / 6 or f"rank {rank} of {systems}"


def leaders_held_back(e: Evidence) -> bool:
    """Is their lead over the rest, in standard deviations of all systems, smaller extended?"""
    top = e.leaders(11)
    lead = (e.points.loc[top] - e.points.drop(top).mean()).mean() / e.points.std()
    return lead["extended"] < lead["deep"]


def leaders_find_more(e: Evidence) -> bool:
    """Count the relevant documents that each system alone has among its first 100."""
    hits = e.collection.hits[e.collection.hits["rank"] <= 100]
    alone = hits[~hits.duplicated(["topic", "document"], keep=False)]
    systems, top = e.collection.systems.index, e.leaders(11)
    unique = alone["system"].value_counts().reindex(range(len(systems)), fill_value=0)
    unique = unique.set_axis(systems)
    most = set(unique.nlargest(3).index)
    return unique[top].mean() > 2 * unique.drop(top).mean() and most <= set(top)


def narrow_pool_worse(e: Evidence) -> bool:
    """Pool every tenth run only."""
    few = list(e.collection.systems.index[::10])
    narrow = lookup(figure2_taus(e.collection, by=few))
    return narrow[("extended", "deep")] < e.tau[("extended", "deep")]


FIGURE_2 = {
    "extended-deep-closest": lambda e: e.tau.idxmax() == ("extended", "deep"),
    "shallow-deep-farthest": lambda e: e.tau.idxmin() == ("shallow", "deep"),
}
SECTION_4_1 = {
    "group-mean-depth-10": lambda e: e.groups["short"].mean(),
    "group-mean-depth-1000": lambda e: e.groups["deep"].mean(),
    "group-mean-depth-10-against-1000": lambda e: e.groups["across"].mean(),
    "group-mean-same-metric": lambda e: e.groups["itself"].mean(),
    "depth-10-group-tightest": lambda e: e.groups["short"].mean() > e.groups["deep"].mean(),
    "between-depths-lowest": lambda e: e.groups["across"].mean() < e.groups["deep"].mean() - 0.05,
    "depth-10-nearer-its-depth-than-itself": lambda e: all(nearer(e, "short").values()),
    # AP is the exception that the paper itself names.
    "depth-1000-nearer-its-depth-than-itself": lambda e: all(
        near for name, near in nearer(e, "deep").items() if name != "AP@1000"
    ),
    "same-metric-hardly-above-any-metric": lambda e: (
        0 < e.groups["itself"].mean() - e.groups["across"].mean() < 0.01
    ),
    "ap-partial-exception": ap_excepted,
    "metrics-depend-on-evaluation-depth": lambda e: (
        e.groups["itself"].mean() < e.groups["short"].mean()
    ),
    "ndcg10-nearly-rbp-0.8": lambda e: e.groups["short"][("nDCG@10", "RBP(p=0.8)")] >= NEARLY,
    "ndcg1000-nearly-rbp-0.9977": lambda e: (
        e.groups["deep"][("nDCG@1000", "RBP(p=0.9977)")] >= NEARLY
    ),
    "tau-extended-deep": lambda e: e.tau[("extended", "deep")],
    "tau-shallow-extended": lambda e: e.tau[("shallow", "extended")],
    "tau-shallow-deep": lambda e: e.tau[("shallow", "deep")],
    "extended-reliable": lambda e: e.tau[("extended", "deep")] >= NEARLY,
    "extended-better-than-shallow": lambda e: (
        e.tau[("extended", "deep")] > e.tau[("shallow", "deep")]
    ),
    "second-run-second-deep": lambda e: e.places.loc[e.second, "deep"],
    "second-run-second-shallow": lambda e: e.places.loc[e.second, "shallow"],
    "second-run-falls-extended": second_falls,
    # "Tied" is what a scatter plot shows: means less than .005, or LEVEL, apart.
    "second-run-extended-ties-min": lambda e: second_ties(e, 0.005),
    "second-run-extended-ties-max": lambda e: second_ties(e, LEVEL),
    "second-run-middle-at-100-1000": second_in_the_middle,
    "top-runs-held-back-by-extended": leaders_held_back,
    "top-runs-are-manual": lambda e: (
        e.collection.systems["type"][e.leaders(10)] == "manual"
    ).all(),
    "top-runs-many-unique-relevant": leaders_find_more,
    "narrow-pool-less-reliable": narrow_pool_worse,
}
