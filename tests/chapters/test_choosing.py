"""What is judged first, against plain second ways."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapters.spending import choosing
from chapters.spending.choosing import WAYS, Feed, bandit, feeds, judge_in_order, stratified_ap
from lib.collection import Collection
from lib.measures import scores

documents = st.lists(st.sampled_from("abcdefghijkl"), unique=True, max_size=12)
grades = st.dictionaries(st.sampled_from("abcdefghijkl"), st.integers(0, 2), min_size=1)


@st.composite
def toys(draw):
    runs = {f"r{i}": {t: found for t in "12" if (found := draw(documents))} for i in range(4)}
    return runs, {t: draw(grades) for t in "12"}


@given(toys(), st.integers(1, 8), st.integers(0, 100))
def test_every_way_judges_all_of_the_pool_once(toy, depth, seed):
    runs, qrels = toy
    collection = Collection.from_rankings(runs, qrels, judged=True)
    fed = ["r0", "r2", "r3"]
    for topic, feed in zip("12", feeds(collection, fed, depth=depth)):
        pool = {d for run in fed for d in runs[run].get(topic, [])[:depth]} & set(qrels[topic])
        assert feed.size(depth) == len(pool)
        for way in WAYS.values():
            order = way(feed, np.random.default_rng(seed))
            assert len(order) == len(set(order)) == len(pool)
            good = sum(qrels[topic][d] > 0 for d in pool)
            assert feed.relevant[order].sum() == good


@given(toys(), st.integers(1, 8))
def test_the_order_of_depth_makes_the_pool_of_a_depth(toy, depth):
    collection = Collection.from_rankings(*toy, judged=True)
    fed = ["r0", "r2"]
    found = feeds(collection, fed, depth=12)
    orders = [WAYS["depth"](feed, np.random.default_rng(1)) for feed in found]
    ours = judge_in_order(collection, orders, [feed.size(depth) for feed in found])
    pooled = collection.pooled(depth, by=fed)
    for table in ("hits", "relevant", "judged", "topics"):
        one, other = (getattr(c, table).reset_index(drop=True) for c in (ours, pooled))
        assert one.astype(float).equals(other.astype(float)), table


LISTS, RELEVANT = [[0, 1, 2, 3], [4, 5, 6, 7]], [1, 1, 0, 0, 0, 1, 0, 0]
FEED = Feed(np.array(LISTS), np.array(RELEVANT, bool))


def test_move_to_front_by_hand():
    """A brings two relevant documents before its first other; B's turn comes only then."""
    draws = map(np.random.default_rng, range(40))
    orders = {tuple(choosing.move_to_front(FEED, rng)) for rng in draws}
    # Whoever begins is followed to the first miss (0 1 2, or 4); then the other is, to its own.
    # Both have lost one degree: either goes on.
    begin = {order[:4] for order in orders}
    assert begin == {(0, 1, 2, 4), (4, 0, 1, 2)}
    assert {order[4:6] for order in orders} == {(3, 5), (5, 6)}


def test_a_bandit_plays_the_best_mean():
    for seed in range(20):
        order = bandit(FEED, np.random.default_rng(seed))
        # A's means are 1/2, 2/3, 3/4, 3/5, 1/2; B's 1/2, 1/3: A is played to its end.
        assert [n for n in order if n < 4] == [0, 1, 2, 3]
        assert order in ([0, 1, 2, 3, 4, 5, 6, 7], [4, 0, 1, 2, 3, 5, 6, 7])


@given(toys(), st.integers(0, 12), st.integers(0, 12), st.integers(0, 9))
def test_ap_from_strata_counted_plainly(toy, head, size, seed):
    """As NIST's script adds it up, list by list; of one stratum it is inferred AP."""
    pool = Collection.from_rankings(*toy, judged=True)
    given_, tables, same = feeds(pool, pool.systems.index, depth=12), [], []
    orders = [choosing.sampled(feed, np.random.default_rng(seed), head=head) for feed in given_]
    for feed, order in zip(given_, orders):
        first = min(head, len(order))
        ours = stratified_ap(feed, order, head=first, size=size)
        strata = [set(order[:first]), set(order[first:])]
        drawn = set(order[:size])
        rates = [len(one) / max(len(one & drawn), 1) for one in strata]
        total = sum(
            rate * sum(feed.relevant[n] for n in one & drawn) for one, rate in zip(strata, rates)
        )
        for row, found in zip(feed.lists.tolist(), ours):
            plain = 0.0
            for i, number in enumerate(row):
                if number in drawn and feed.relevant[number]:
                    above = [set(row[:i]) & one for one in strata]
                    good = [sum(feed.relevant[n] for n in one & drawn) + 1e-5 for one in above]
                    seen = [len(one & drawn) + 3e-5 for one in above]
                    sums = sum(len(one) * g / s for one, g, s in zip(above, good, seen))
                    plain += rates[number in strata[1]] * (1 + sums) / (i + 1)
            assert found == pytest.approx(plain / total if total else 0)
        tables.append(stratified_ap(feed, order, head=0, size=size))
        # Of ranks above that nobody judged one takes a third for relevant, the other a half.
        good = {n for n in drawn if feed.relevant[n]}
        same.append(
            [
                all(set(row[:i]) & drawn for i, n in enumerate(row) if i and n in good)
                for row in feed.lists.tolist()
            ]
        )
    inferred = scores(judge_in_order(pool, orders, [size] * len(orders)), "infAP").fillna(0)
    assert np.array(tables)[same] == pytest.approx(inferred.to_numpy()[same], abs=1e-3)
