"""A collection without a topic: what is asked of it is what is asked of one that was selected."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import judgements, rankings
from test_collection import assert_same_scores, assert_same_tables, derivation

from chapters.webber2008.tables import phi
from chapters.webber2010 import quantities
from lib.collection import Collection, load, without
from lib.measures import depths

TOPICS = ["2", "10", "11"]


@st.composite
def parts(draw):
    """A small collection of three topics without one of them, and the same as it is selected."""
    of_topics = st.fixed_dictionaries(dict.fromkeys(TOPICS, judgements()))
    answers = st.dictionaries(st.sampled_from(TOPICS), rankings())
    runs = st.fixed_dictionaries({"A": answers, "B": answers})
    whole = derivation(draw(runs), draw(of_topics), judged=True)
    topic = draw(st.sampled_from(TOPICS))
    left = [other for other in whole.topics.index if other != topic]
    return without(whole, topic), whole.select(topics=left)


def assert_same(ours, theirs):
    """Compare what the measures see of two collections, and what they make of it."""
    assert ours.topics.equals(theirs.topics) and ours.systems.equals(theirs.systems)
    np.testing.assert_array_equal(ours.retrieved, theirs.retrieved)
    assert_same_scores(ours, theirs)
    one, other = (
        depths.scores_at(c, [1, 3, 20], residual=0.1, discount="2002") for c in (ours, theirs)
    )
    for name in other:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
        assert np.isfinite(one[name]).all(), name  # where nothing is relevant, too
    for rel in (1, 2):
        one, other = (vars(c.relevance(rel)) for c in (ours, theirs))
        for field in theirs.relevance(rel).__dataclass_fields__:
            np.testing.assert_array_equal(one[field], other[field], err_msg=field)


@given(parts(), st.integers(1, 15))
def test_a_part_has_the_scores_and_the_tables_of_the_selected_topics(both, depth):
    ours, theirs = both
    assert_same(ours, theirs)
    for by in ("all", ["B"]):
        assert_same(ours.pooled(depth, by=by), theirs.pooled(depth, by=by))
    topic = theirs.topics.index[0]  # a part of a part
    assert_same(without(ours, topic), theirs.select(topics=theirs.topics.index[1:]))
    assert_same_tables(ours, theirs)
    assert_same_tables(ours.select(systems=["B"]), theirs.select(systems=["B"]))
    # What is made of its tables is no part: it does not take the scores of the whole.
    assert_same_scores(replace(ours, hits=ours.hits[:0]), replace(theirs, hits=theirs.hits[:0]))


@pytest.fixture
def counted(monkeypatch):
    """What is computed anew of a collection: how often it is scored at depths, and pooled."""
    calls = {"scored": 0, "pooled": 0}
    score, pool = depths._scores_at, Collection.rejudged

    def scored(*given):
        calls["scored"] += 1
        return score(*given)

    def pooled(*given):
        calls["pooled"] += 1
        return pool(*given)

    monkeypatch.setattr(depths, "_scores_at", scored)
    monkeypatch.setattr(Collection, "rejudged", pooled)
    return calls


def test_the_whole_is_scored_and_pooled_once_for_all_of_its_parts(counted):
    """What the ledger's errors over topics cost: not as many times the work as there are topics."""
    trec8 = replace(load("trec8"))  # a copy of which nothing was asked
    power, points = quantities.power_by_setting(trec8), quantities.means_in_figure2(trec8)
    narrow = quantities.taus_of_narrow_pools(trec8)
    for part in range(50):
        assert len(power.topics[part]) == 40 and len(points.topics[part]) == 129
        assert len(narrow.topics[part]) == 4
    assert counted == {"scored": 5, "pooled": 5 + 3 + 4 * 3}  # 5 depths, 3 of points, 12 of some


def test_what_a_collection_was_asked_is_not_computed_again():
    collection = load("dl19")
    asked = {"measures": {"P@10": "P@10"}, "number": 5}
    first = phi(collection, **asked)
    assert phi(collection, **asked) is first
    assert not phi(collection, **asked | {"number": 6}).phi.equals(first.phi)
    assert phi(load("dl19"), **asked) is not first
