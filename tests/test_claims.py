"""Claims ask the evidence, and every piece of evidence comes from the data."""

import inspect
from dataclasses import replace
from functools import cached_property, partial

import joblib
import numpy as np
import pytest

from lib.collection import load
from lib.papers import paper, papers
from lib.papers.webber2010 import quantities
from lib.published import CONSTANT, read


class Asked(Exception):
    """Raised by evidence of which something is asked."""


class Evidence:
    def __getattr__(self, name):
        raise Asked


def asks(claim):
    try:
        claim(Evidence())
    except Asked:
        return True
    return False


@pytest.mark.parametrize("name", papers())
def test_claims_ask_the_evidence(name):
    rows = read(name)
    constant = set(rows["row"][rows["evidence"] == CONSTANT])
    idle = {slug for slug, claim in paper(name).claims.rows.items() if not asks(claim)}
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


def evidence(trec8):
    """Return the pieces of evidence of Webber 2008, each a function without arguments."""
    of = paper("webber2008").claims.evidence
    pieces = [name for name, of in vars(of).items() if isinstance(of, cached_property | property)]
    asked = of(trec8)
    return {name: partial(getattr, asked, name) for name in pieces if name != "loo_replicates"}


def quantities_of(trec8):
    """Return the quantities of Webber 2010 that a collection has, or the paper's data."""
    given = {("collection",): trec8, ("data",): paper("webber2010").claims.evidence(trec8)}
    functions = inspect.getmembers(quantities, inspect.isfunction)
    arguments = {name: tuple(inspect.signature(of).parameters) for name, of in functions}
    return {
        name: partial(of, given[arguments[name]])
        for name, of in functions
        if arguments[name] in given
    }


def hash_of(found):
    """Return what tells two answers apart: of estimates, their values on all topics."""
    return joblib.hash(getattr(found, "value", found))


# Long: two collections are asked everything; the committed ledger (test_ledger) notices most of it.
@pytest.mark.long
@pytest.mark.parametrize("pieces", [evidence, quantities_of])
def test_every_piece_of_evidence_comes_from_the_data(pieces):
    """With its ranks shuffled, or on fewer systems and topics, none is what it was."""
    trec8 = load("trec8")
    fewer = trec8.select(
        systems=list(trec8.systems.index[::6]), topics=list(trec8.topics.index[::8])
    )
    own, *others = (pieces(collection) for collection in (trec8, shuffled(trec8), fewer))
    assert len(own) > 15
    for name, of in own.items():
        here = hash_of(of())
        assert any(hash_of(other[name]()) != here for other in others), name
