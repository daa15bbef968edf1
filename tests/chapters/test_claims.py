"""Claims ask the evidence, and every piece of evidence comes from the data."""

from dataclasses import replace

import joblib
import numpy as np
import pytest

from chapters.ledger.claims import answer
from chapters.ledger.papers import paper, papers
from chapters.ledger.published import CONSTANT, read_published
from lib.collection import Collection, load
from lib.intervals import Interval


@pytest.mark.parametrize(
    ("estimates", "errors", "shown"),
    [
        ([0.5, 0.3, -0.1], [0.001, 1, 0.001], -0.1),  # what speaks against the claim
        ([0.5, 0.3], [0.001, 1], 0.3),  # what is not clear
        ([0.5, 0.4], [0.2, 0.001], 0.5),  # all speak for it: the least clear
    ],
)
def test_of_several_differences_the_one_that_decides_is_shown(estimates, errors, shown):
    assert answer(Interval.of(estimates, errors, 49)).estimate == shown


class Asked(Exception):
    """Raised by evidence of which something is asked."""


class Asking(Collection):
    """A collection that nothing can be asked of."""

    def __init__(self):
        pass

    def __getattribute__(self, name):
        raise Asked


class Evidence:
    def __getattr__(self, name):
        if name == "trec8":  # is handed on, and asked only then
            return Asking()
        raise Asked


def asks(row, quantities):
    try:
        row.ask(quantities, Asking() if row.population in ("trec8", "trec5") else Evidence())
    except Asked:
        return True
    return False


@pytest.mark.parametrize("name", papers())
def test_claims_ask_the_evidence(name):
    rows, of = read_published(name), paper(name)
    constant = set(rows["row"][rows["evidence"] == CONSTANT])
    idle = {row.id for row in of.checks.values() if not asks(row, of.quantities)}
    assert idle <= constant, f"{name}: claims that hold whatever the data are"


def shuffled(collection):
    """Return a collection in which every relevant document stands at a random rank of its list."""
    hits = collection.hits
    length = collection.retrieved[hits["topic"], hits["system"]]
    rank = 1 + (np.random.default_rng(1).random(len(hits)) * length).astype(int)
    hits = hits.assign(rank=rank).drop_duplicates(["topic", "system", "rank"])
    return replace(
        collection, hits=hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    )


def quantities(name, collection):
    """Return what a collection keeps when the claims of a paper have asked it, by its name."""
    data = paper(name).data(collection)
    if hasattr(data, "trec5"):
        data = replace(data, trec5=collection)
    paper(name).check(data)
    kept = {key[2:]: of for key, of in collection._shared.items() if key[0] == "quantity"}
    return {key: joblib.hash(of) for key, of in kept.items()}


# Long: two collections are asked everything; the committed ledger (test_ledger) notices most of it.
@pytest.mark.long
@pytest.mark.parametrize("name", ["webber2008", "webber2010"])
def test_every_quantity_comes_from_the_data(name):
    """With the ranks of some of its systems shuffled none is what it was."""
    few = load("trec8").select(systems=load("trec8").systems.index[::6])
    own, other = quantities(name, few), quantities(name, shuffled(few))
    assert len(own) > 8 and own.keys() == other.keys()
    assert not [key for key, found in own.items() if found == other[key]]
