"""Every piece of evidence comes from the data."""

from dataclasses import replace
from functools import cached_property

import joblib
import numpy as np
import pytest

from lib.collection import load
from lib.papers import paper


def shuffled(collection):
    """Return a collection in which every relevant document stands at a random rank of its list."""
    hits = collection.hits
    length = collection.retrieved[hits["topic"], hits["system"]]
    rank = 1 + (np.random.default_rng(1).random(len(hits)) * length).astype(int)
    hits = hits.assign(rank=rank).drop_duplicates(["topic", "system", "rank"])
    return replace(
        collection, hits=hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    )


# They rest on other data than the collection.
OF_OTHERS = {"halving_of_topics", "robust", "trec5", "loo_replicates"}


@pytest.mark.parametrize("name", ["webber2008", "webber2010"])
def test_every_piece_of_evidence_comes_from_the_data(name):
    """With its ranks shuffled, or of other systems and topics, none is what it was."""
    some, others = (few(load("trec8"), start) for start in (0, 3))
    make = paper(name).claims.evidence
    own, *changed = (make(collection) for collection in (some, shuffled(some), others))
    pieces = {
        name for name, value in vars(make).items() if isinstance(value, cached_property | property)
    }
    assert len(pieces) > 15
    for piece in sorted(pieces - OF_OTHERS):
        here = joblib.hash(getattr(own, piece))
        assert any(joblib.hash(getattr(other, piece)) != here for other in changed), piece


def few(collection, start):
    systems, topics = collection.systems.index[start::6], collection.topics.index[start::8]
    return collection.select(systems=list(systems), topics=list(topics))
