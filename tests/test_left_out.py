"""Was your run in the pool?  The losses against a slow and plain second way: dicts and sets."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.collection import Collection
from lib.measures import scores
from lib.studies.spending.pooled import (
    SCORED,
    condensed_average_precision,
    losses,
    score_left_out,
    system_ranks,
    unjudged_share,
)

TOLERANCE = 1e-12


def pool_of(runs, feeding, topic, depth):
    """The documents that some runs have among their first ranks."""
    return {d for run in feeding for d in runs[run].get(topic, [])[:depth]}


def scored(ranking, known):
    """One list by every measure, from the judgements that are known; rank by rank."""
    relevant = {d: g for d, g in known.items() if g >= 1}
    nonrelevant = {d for d, g in known.items() if g == 0}
    total = len(relevant)
    hits = [(i, d) for i, d in enumerate(ranking, 1) if d in relevant]
    gains = sorted(relevant.values(), reverse=True)

    def dcg(grades):
        return sum(g / np.log2(i + 1) for i, g in grades)

    def ndcg(k):
        ideal = dcg(enumerate(gains[:k], 1))
        return dcg((i, relevant[d]) for i, d in hits if i <= k) / ideal if ideal else 0

    def average(places):
        return sum(n / i for n, i in enumerate(places, 1)) / total if total else 0

    condensed = [d for d in ranking if d in known]
    preferred = 0
    for i, _ in hits:
        above = min(sum(d in nonrelevant for d in ranking[: i - 1]), total)
        preferred += 1 - (above / min(total, len(nonrelevant)) if above else 0)
    rest = 1 - sum(0.05 * 0.95 ** (i - 1) for i, d in enumerate(ranking, 1) if d in known)
    return {
        "P@10": sum(i <= 10 for i, _ in hits) / 10,
        "nDCG@20": ndcg(20),
        "RBP": sum(0.05 * 0.95 ** (i - 1) for i, _ in hits),
        "nDCG": ndcg(10**6),
        "AP": average(i for i, _ in hits),
        "Bpref": preferred / total if total else 0,
        "condensed AP": average(i for i, d in enumerate(condensed, 1) if d in relevant),
        "RBP residual": rest,
        "unjudged@10": np.mean([d not in known for d in ranking[:10]]) if ranking else 0,
        "unjudged@100": np.mean([d not in known for d in ranking[:100]]) if ranking else 0,
    }


def slowly(runs, qrels, groups, pooled, depth, topics, wanted):
    """Scores of runs, inside and outside of the pool: {(where, measure, topic, run): score}."""
    found = {}
    for run in wanted:
        sides = {"inside": pooled, "outside": [r for r in pooled if groups[r] != groups[run]]}
        for where, feeding in sides.items():
            for topic in topics:
                pool = pool_of(runs, feeding, topic, depth)
                known = {d: g for d, g in qrels[topic].items() if d in pool and g >= 0}
                if topic in runs[run]:
                    values = scored(runs[run][topic], known)
                else:
                    values = dict.fromkeys(SCORED, 0)
                for measure, value in values.items():
                    found[where, measure, topic, run] = value
    return found


def agree(found, slow, depth):
    for one in found:
        if one.depth == depth:
            for where in ("inside", "outside"):
                table = getattr(one, where)
                for (side, measure, topic, run), value in slow.items():
                    if side == where and measure == one.measure:
                        assert table.loc[topic, run] == pytest.approx(value, abs=TOLERANCE)


lists = st.lists(st.sampled_from("abcdefghijklmno"), unique=True, max_size=15)


@st.composite
def worlds(draw):
    names = [f"r{i}" for i in range(draw(st.integers(2, 5)))]
    groups = {name: draw(st.sampled_from("xyz")) for name in names[2:]} | {"r0": "x", "r1": "y"}
    runs = {n: {t: found for t in "12" if (found := draw(lists))} for n in names}
    pooled = ["r0", "r1", *(n for n in names[2:] if draw(st.booleans()))]
    grades = st.dictionaries(st.sampled_from("abcdefghijklmno"), st.integers(0, 2), min_size=1)
    return runs, {t: draw(grades) for t in "12"}, groups, pooled


def collection(runs, qrels, groups, pooled):
    made = Collection.from_rankings(runs, qrels, judged=True)
    names = made.systems.index
    facts = pd.DataFrame(
        {
            "group": [groups[n] for n in names],
            "type": ["manual" if groups[n] == "x" else "automatic" for n in names],
            "pooled": ["yes" if n in pooled else "no" for n in names],
        },
        index=names,
    )
    return replace(made, systems=facts)


@given(worlds(), st.integers(1, 6))
def test_any_small_world_agrees_with_the_slow_way(world, depth):
    runs, qrels, groups, pooled = world
    found = score_left_out(collection(*world), depths=[depth])
    agree(found, slowly(runs, qrels, groups, pooled, depth, qrels, pooled), depth)


def test_by_hand():
    """Only A finds r: without A's group it is unjudged, and A is a place behind B."""
    runs = {"A": {"t": ["r", "n"]}, "B": {"t": ["s", "n"]}, "C": {"t": ["n", "s"]}}
    world = (runs, {"t": {"r": 1, "s": 1, "n": 0}}, {"A": "x", "B": "y", "C": "z"}, list("ABC"))
    toy = collection(*world)
    found = {one.measure: one for one in score_left_out(toy, depths=[2])}
    assert found["AP"].inside.loc["t"].to_dict() == {"A": 0.5, "B": 0.5, "C": 0.25}
    # B's only relevant document is C's too, and so nothing changes for B and C.
    assert found["AP"].outside.loc["t"].to_dict() == {"A": 0, "B": 0.5, "C": 0.25}
    assert found["AP"].rank_outside.to_dict() == {"A": 3, "B": 1, "C": 3}
    table = losses(list(found.values()), toy.systems).set_index(["measure", "kind"])
    assert table.loc[("AP", "manual"), "share"] == 1
    assert table.loc[("AP", "automatic"), "share"] == 0
    assert table.loc[("AP", "all"), "share"] == pytest.approx(0.4)
    assert table.loc[("AP", "manual"), "places"] == 2
    assert table.loc[("unjudged@10", "manual"), "outside"] == 0.5
    # Over groups x, y, z: the share without x is 0, without y 2/3, without z 1/2.
    error = np.sqrt(2 / 3 * np.var([0, 2 / 3, 1 / 2]) * 3)
    assert table.loc[("AP", "all"), "error_groups"] == pytest.approx(error)


def test_equal_means_share_a_place():
    table = pd.DataFrame({"A": [0.1 + 0.2], "B": [0.3], "C": [0.5]})
    assert system_ranks(table).tolist() == [2, 2, 1]


def test_who_fed_the_pool_must_be_known():
    toy = Collection.from_rankings({"A": {"t": ["r"]}}, {"t": {"r": 1}}, judged=True)
    with pytest.raises(ValueError, match="the groups that fed the pool are not known"):
        score_left_out(toy)


def test_what_needs_the_nonrelevant_documents_says_so():
    toy = Collection.from_rankings({"A": {"t": ["r"]}}, {"t": {"r": 1}})
    with pytest.raises(ValueError, match="toy: telling what is unjudged needs the judged non-rel"):
        unjudged_share(toy, k=10)
    pooled = toy.pooled(1)  # what stands above a hit is known until then
    assert condensed_average_precision(toy).loc["t", "A"] == 1
    with pytest.raises(ValueError, match="toy: condensed AP needs the judged non-relevant"):
        condensed_average_precision(pooled)
    with pytest.raises(ValueError, match="toy: infAP needs the judged non-relevant"):
        scores(pooled, "infAP")
