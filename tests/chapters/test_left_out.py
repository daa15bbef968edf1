"""Was your run in the pool?  The losses against a slow and plain second way: dicts and sets."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from way_of_a_claim import now_and_then

from chapters.left_out.drawings import control, draw_fall, places
from chapters.left_out.pooled import SCORED, losses, score_left_out, toy
from chapters.left_out.tables import DEPTH
from lib.collection import Collection
from lib.measures import complete_scores, scores

PLAIN = {m: m for m in ("P@10", "nDCG@20", "nDCG", "AP", "Bpref")} | {"RBP": "RBP(p=0.95)"}


def slowly(runs, qrels, groups, pooled, depth):
    """Scores of runs inside and outside of the pool: {(where, topic, run): {measure: score}}.

    Each list has judgements of its own, those of the documents that the runs which feed its pool
    have among their first ranks; by measures that others test it is scored as any list.
    """
    lists, known = {}, {}
    for run, topic in product(pooled, qrels):
        others = [other for other in pooled if groups[other] != groups[run]]
        for where, feeding in (("inside", pooled), ("outside", others)):
            pool = {d for feeder in feeding for d in runs[feeder].get(topic, [])[:depth]}
            key = f"{where} {topic} {run}"
            known[key] = {d: g for d, g in qrels[topic].items() if d in pool}
            if topic in runs[run]:
                lists[key] = runs[run][topic]
    judged = {key: grades or {"none": 0} for key, grades in known.items()}
    condensed = {key: [d for d in found if d in known[key]] for key, found in lists.items()}
    alone = Collection.from_rankings({"A": lists, "condensed": condensed}, judged)
    found = {m: complete_scores(alone, name)["A"] for m, name in PLAIN.items()}
    found["condensed AP"] = complete_scores(alone, "AP")["condensed"]
    table = pd.DataFrame(found)
    for key, ranking in lists.items():
        seen = [d in known[key] for d in ranking]
        table.loc[key, "RBP residual"] = 1 - sum(0.05 * 0.95**i for i, s in enumerate(seen) if s)
        for k in (10, 100):
            table.loc[key, f"unjudged@{k}"] = 1 - np.mean(seen[:k])
    return {tuple(key.split()): row for key, row in table.fillna(0).to_dict("index").items()}


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


@pytest.mark.frozen("claims")
def test_answers_on_who_is_left_out_are_those_that_the_registry_keeps():
    pd.testing.assert_frame_equal(*now_and_then("left_out"), rtol=0, atol=2e-6)


@given(worlds(), st.integers(1, 6))
def test_any_small_world_agrees_with_the_slow_way(world, depth):
    found = {one.measure: one for one in score_left_out(collection(*world), depths=[depth])}
    assert found.keys() == SCORED.keys()
    for (where, topic, run), slow in slowly(*world, depth).items():
        for measure, value in slow.items():
            ours = getattr(found[measure], where).loc[topic, run]
            assert ours == pytest.approx(value, abs=1e-12), (where, measure)


def test_by_hand():
    """Only A finds r: without A's group it is unjudged, and A falls from the first place.

    What C and D find, of one group, B finds too, and so nothing changes for these three.
    """
    lists = {"A": ("rn", "sn"), "B": ("sn", "sn"), "C": ("ns", "ns"), "D": ("sn", "sn")}
    runs = {run: {"t": [*one], "u": [*other]} for run, (one, other) in lists.items()}
    groups = {"A": "x", "B": "y", "C": "z", "D": "z"}
    made = collection(runs, {"t": {"r": 1, "s": 1, "n": 0}, "u": {"s": 1, "n": 0}}, groups, "ABCD")
    found = {one.measure: one for one in score_left_out(made, depths=[2])}
    inside = np.array([[0.5, 0.5, 0.25, 0.5], [1, 1, 0.5, 1]])
    np.testing.assert_array_equal(found["AP"].inside, inside)
    np.testing.assert_array_equal(found["AP"].outside, inside - [[0.5, 0, 0, 0], [0] * 4])
    assert found["AP"].rank_inside.tolist() == [1, 1, 4, 1]
    assert found["AP"].rank_outside.tolist() == [3, 1, 4, 1]
    table = losses(list(found.values()), made.systems).set_index(["measure", "kind"])
    counts = {"depth": 2, "runs": 4, "groups": 3, "places": 2 / 4, "most": 2}
    shares = {"inside": 5.25 / 8, "outside": 4.75 / 8, "share": 0.5 / 5.25, "worst": 0.5 / 1.5}
    # The share without topic t is 0, without u 2/7; without group x 0, without y 2/15, z 1/6.
    errors = {"error_topics": 1 / 7, "error_groups": np.sqrt(2 * np.var([0, 2 / 15, 1 / 6]))}
    assert table.loc[("AP", "all")].to_dict() == pytest.approx(counts | shares | errors)
    assert table.loc[("AP", "manual"), ["share", "places"]].tolist() == [pytest.approx(1 / 3), 2]
    assert table.loc[("AP", "automatic"), "share"] == 0
    assert table.loc[("unjudged@10", "manual"), "outside"] == 0.5 / 2


def test_the_control_opens_at_the_run_and_depth_of_the_opening():
    """At another depth another run is the best of the five that fall furthest."""
    places = {5: [9] * 5 + [1, 1], DEPTH: [1, 1] + [9] * 5, 100: [9, 1, 1] + [9] * 4}
    known = {"type": "manual", "group": list("uvwxyzz"), "place inside": range(1, 8)}
    tables = {
        ("AP", depth): pd.DataFrame({**known, "place outside": outside}, index=list("ABCDEFG"))
        for depth, outside in places.items()
    }
    opened = control(pd.concat(tables, names=["measure", "depth", "run"]), collection=None)
    assert opened.defaults == {"run": "C", "measure": "AP", "depth": DEPTH}


@pytest.mark.parametrize("pooled", ["yes", ""])
def test_places_with_and_without_a_group_are_those_by_hand(pooled):
    """Where nobody is known to have fed the pool all runs do; d3 leaves it with C's group."""
    made = toy()
    made.systems["pooled"] = pooled
    table = places(made)
    ap, inside, outside = table.loc[("AP", 5)], (1 + 1 + 3 / 4) / 3, (1 / 2 + 2 / 4) / 2
    assert ap["place inside"].tolist() == [3, 2, 1] and ap["place outside"].tolist() == [3, 2, 3]
    assert ap.loc["C", ["inside", "outside"]].tolist() == pytest.approx([inside, outside])
    shown = draw_fall("C", "AP", 5, table=table, data=made)
    lost = f"It loses {1 - outside / inside:.1%} of its AP."
    assert "C falls from place 1 to 3, and 100%" in shown.caption and lost in shown.caption


def test_what_needs_the_nonrelevant_documents_says_so():
    toy = Collection.from_rankings({"A": {"t": ["r"]}}, {"t": {"r": 1}})
    assert scores(toy, "condensedAP").loc["t", "A"] == 1
    pooled = toy.pooled(1)  # what stands above a hit is known until then
    for of, name in ((toy, "Unjudged@10"), (pooled, "condensedAP"), (pooled, "infAP")):
        with pytest.raises(ValueError, match="toy: .* needs the judged non-relevant documents"):
            scores(of, name)
