"""Webber, Moffat, Zobel and Sakai 2008, against the printed numbers (SIGIR 2008, pages 695-696)."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from committed import moved_rows
from scipy.stats import rankdata
from strange import small
from way_of_a_claim import now_and_then

from chapters.ledger.claims import ALL, BY_AP, answer, answered
from chapters.webber2008 import PAPER, quantities, tables
from chapters.webber2008.claims import ranked_low
from lib import Collection, load
from lib.decisions import at_least, level
from lib.errors import InputWarning
from lib.estimates import Estimate
from lib.measures import complete_scores, top_systems
from lib.statistics.correlation import kendall
from lib.statistics.predictivity import splits


def test_three_quarters_of_the_systems_are_rounded_as_they_are_asked():
    trec8 = load("trec8")
    assert len(top_systems(trec8)) == 96 and len(top_systems(trec8, rounding="up")) == 97


def drawn(topics):
    return splits(topics, number=40, rng=np.random.default_rng(tables.SEED))


def test_conflicts_equal_a_count_by_hand():
    """One system pair, two topics: P@10 and AP disagree on topic 1, and topic 2 decides.

    There P@10 ties and AP was right; the other way round topic 2 is no conflict, since P@10 ties.
    """
    measures = {
        "P@10": pd.DataFrame({"A": [0.1, 0.1], "B": [0.2, 0.1]}),
        "AP": pd.DataFrame({"A": [0.47, 1.0], "B": [0.18, 0.5]}),
    }
    with np.errstate(invalid="ignore"):
        followed = quantities.follow(measures, drawn(2))
    followed = followed.loc["P@10", "AP"]
    assert np.isnan(followed["right, by the simple"])
    assert followed["right, by the complex"] == 1.0
    assert followed["recur"] == 0.0
    assert 0 < followed["conflicts"] < 1


def test_reversals_equal_a_count_by_hand_and_a_tie_is_none():
    """Three system pairs, four topics in two kinds: by RR, A 1 and C .5, or the other way round.

    B has always .5.  Only a half of two topics of one kind tells any pair apart, A and C in
    either kind, and the other half turns these around; it ties the other pair that it tells apart.
    """
    kinds = [[1, 0.5, 0.5]] * 2 + [[0.5, 0.5, 1]] * 2
    scores = pd.DataFrame(kinds, columns=list("ABC"))
    assert quantities.significant_reversals(scores, drawn(4)) == 0.5


def test_halves_of_real_topics_where_the_truth_is_known():
    """Every topic says the same: all halves and all new topics agree fully."""
    topics = pd.DataFrame(np.tile([0.1, 0.2, 0.4, 0.7, 0.8], (20, 1)))
    found = quantities.halving_of_topics({"AP": topics}, topics=10, samples=5, number=4)
    assert found[["new", "halved"]].to_numpy().tolist() == [[1.0, 1.0]]
    assert found[["difference", "error", "deviation"]].to_numpy().tolist() == [[0.0, 0.0, 0.0]]
    rng = np.random.default_rng(1)
    two = {name: topics + rng.random(topics.shape) for name in ("AP", "P@10")}
    found = quantities.halving_of_topics(two, topics=10, samples=5, number=4)
    assert found["difference"].tolist() == pytest.approx((found["halved"] - found["new"]).tolist())
    with pytest.raises(ValueError, match="sets of 11 topics and as many others"):
        quantities.halving_of_topics({"AP": topics}, topics=11)


def test_a_claim_has_another_number_on_sets_of_another_size_and_of_other_systems(few):
    for row in {row.call()[0]: row for row in PAPER.checks.values() if row.topics}.values():
        asked = [replace(row, topics=10), replace(row, topics=4)]
        if row.systems:
            asked += [replace(asked[0], systems=BY_AP if row.systems == ALL else ALL)]
        found = {answered(one, one.ask(PAPER.quantities, few)).estimate for one in asked}
        assert len(found) == len(asked), row.id


def test_weak_systems_rank_low_on_every_topic_or_words_say_how_many_do_not(few):
    scores = complete_scores(few, "AP").to_numpy()
    weak = scores.mean(axis=0).argsort(kind="stable")[: 22 // 4]
    high = np.array([rankdata(topic)[weak] / 22 > 0.5 for topic in scores])
    said = ranked_low(few, 0.5)
    assert said.startswith(f"of the 5 worst systems {high.any(axis=0).sum()} reach")
    assert said.endswith(f"on {high.mean():.0%} of the topics in the mean")
    assert ranked_low(few, 1.0) is True


# The error over topics.


def test_a_lead_that_other_topics_could_turn_is_inconclusive():
    """A lead of .01, as good as none to a margin of .02: as sure as its replicates are alike.

    To a margin of .005 it is no worse, and not the same.
    """

    def said(step, bound):
        lead = Estimate(0.01, tuple(0.01 + i * step for i in range(-2, 3)))
        return answer(lead, bound).value

    assert (said(0.0001, at_least(0.02)), said(0.01, at_least(0.02))) == (True, None)
    assert (said(0.0001, at_least(0.005)), said(0.0001, level(0.005))) == (True, False)


def test_the_budget_without_a_topic_equals_a_computation_without_it():
    collection, topic = small(7, 8, relevant=8), 3
    sets = splits(8, number=30, rng=np.random.default_rng(5))
    scores = complete_scores(collection, tables.MEASURES)
    row = {"topics": 2, "pool": 3, "judgements": 1, "measure": "AP", "phi": 0.5, "error": 0.0}
    asked = {"target": "P@10", "number": 30, "seed": 5}
    found = quantities.bought_without(collection, pd.DataFrame([row]), **asked)
    known, sought = (complete_scores(collection.pooled(3), "AP"), scores["P@10"])
    taus = []
    for one, other in sets:
        few, many = one[:2][one[:2] != topic], other[other != topic]
        means = [s.iloc[t].mean().round(10) for s, t in ((known, few), (sought, many))]
        taus.append(kendall(*means, variant="b"))
    assert found[topic, 0] == pytest.approx(np.nan_to_num(taus).mean())


def test_a_few_systems_are_inconsistent_when_a_pair_of_them_is():
    """Three systems of which A and B conflict: every comparison of all three, a third of pairs."""
    tables = {
        "P@10": pd.DataFrame({"A": [0.9], "B": [0.8], "C": [0.1]}),
        "AP": pd.DataFrame({"A": [0.5], "B": [0.6], "C": [0.2]}),
    }
    assert quantities.inconsistent(tables, few=3) == 1.0
    assert quantities.inconsistent(tables, few=2) == pytest.approx(1 / 3, abs=0.05)


def test_splits_that_tell_no_two_systems_apart_are_counted_and_said():
    # Systems differ on one topic alone, which one set of each split does not have.
    runs = {
        system: {topic: ["r"] if (system, topic) == ("A", "1") else ["n"] for topic in "1234"}
        for system in "ABC"
    }
    c = Collection.from_rankings(runs, {topic: {"r": 1, "n": 0} for topic in "1234"})
    with pytest.warns(InputWarning, match="toy: in 20 of the random splits a measure puts all sys"):
        table = tables.table1(c, number=20)
    assert (table["value"] == 0).all()


def test_halvings_that_ap_wins_are_those_that_are_followed():
    """One by one, what :func:`follow` says of many halvings together."""
    trec8 = load("trec8")
    won, kept = quantities.won(trec8), tables.kept_scores(trec8, tables.MEASURES)
    pair = {name: kept[name] for name in ("P@10", "AP")}
    in_order = [np.array_split(np.arange(50), 2)]
    for sets, rows in ((in_order, won[:1]), (tables.drawn_sets(trec8), won[1:])):
        said, total = quantities.follow(pair, sets).iloc[0], rows.sum()
        pairs = len(rows) * 96 * 95 / 2
        assert said["conflicts"] == pytest.approx(total["conflicts"] / pairs)
        right = total["right"] / (total["right"] + total["wrong"])
        assert said["right, by the simple"] == pytest.approx(right)


def test_a_halving_comes_nearest_to_one_guess():
    outcomes = pd.DataFrame(
        {"conflicts": [9, 9, 9, 9], "right": [2, 4, 3, 7], "wrong": [6, 4, 4, 1]}
    )
    shares = quantities.share_won(outcomes)
    assert list(shares) == [0.25, 0.5, 3 / 7, 0.875]
    found = quantities.nearest(shares, {"third": 1 / 3, "half": 1 / 2, "all": 1, "none": -1})
    assert found.to_dict() == {"third": 0.25, "half": 0.5, "all": 0.25, "none": 0}


def test_lists_that_are_long_enough_are_kept():
    covid = load("trec-covid")
    kept = tables.long_lists(covid, 900)
    lengths = pd.Series(covid.retrieved.mean(axis=0), covid.systems.index)
    best = top_systems(covid)
    assert set(kept.systems.index) == {name for name in best if lengths[name] >= 900} != set(best)


@pytest.mark.frozen("claims")
def test_the_committed_rows_of_webber2008_are_the_computed_ones():
    assert moved_rows("webber2008") == []
    pd.testing.assert_frame_equal(*now_and_then("webber2008"), rtol=0, atol=2e-6)
