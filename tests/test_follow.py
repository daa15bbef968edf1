"""What is stored answers for what it was made of, and for nothing else: other data are computed."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from lib import load
from lib.estimates import REPLICATES, replicated
from lib.papers.webber2008.quantities import halvings
from lib.studies.multiverse.engine import everywhere
from lib.studies.spending.pilot import is_kept

NAME = "trec-covid"


def other(what, tmp_path):
    """Return a change of the collection that has replicates, under its own name."""
    c = load(NAME)
    if what == "a folder":
        few = c.select(topics=c.topics.index[:40])
        few.save(tmp_path / NAME)
        return load(tmp_path / NAME)
    return {
        "a threshold": lambda: replace(c, relevant_from=2),
        "a scale": lambda: replace(c, highest_grade=9),
        "40 topics": lambda: c.select(topics=c.topics.index[:40]),
        "fewer systems": lambda: c.select(systems=c.systems.index[1:]),
        "a pool": lambda: c.pooled(10),
        "judgements": lambda: c.rejudged(np.arange(len(c.relevant)) % 2 == 0, None),
    }[what]()


def stored_names():
    """Return the names under which the collection's replicates are stored."""
    return sorted(set(pd.read_parquet(REPLICATES / f"{NAME}.parquet")["what"]))


@pytest.mark.parametrize("what", stored_names())
def test_what_the_book_stored_is_read_for_its_own_collection(what):
    found = replicated(load(NAME), what, lambda _: pytest.fail("was computed"))
    assert len(found) == len(load(NAME).topics)


@pytest.mark.parametrize(
    "change",
    ["a threshold", "a scale", "40 topics", "fewer systems", "a pool", "judgements", "a folder"],
)
def test_replicates_of_other_data_are_computed(change, tmp_path):
    c = other(change, tmp_path)
    assert c.name == NAME or change == "a pool"
    for what in stored_names():
        found = replicated(c, what, lambda of: [7.0] * len(of.topics))
        assert (found == 7).all() and len(found) == len(c.topics), what


def test_halves_of_other_topics_are_computed(monkeypatch):
    monkeypatch.setattr("lib.papers.webber2008.quantities.compute_halvings", lambda _: "computed")
    c = load("trec8")
    assert isinstance(halvings(c), pd.DataFrame)
    assert halvings(c.select(topics=c.topics.index[:40])) == "computed"
    assert halvings(replace(c, relevant_from=2)) == "computed"


def test_a_folder_of_ones_own_is_before_the_books_for_a_plan(tmp_path, monkeypatch):
    asked = {"aim": "AP", "top": None, "way": "depth"}
    assert is_kept("dl19", **asked)
    c = load("dl19")
    c.select(topics=c.topics.index[:20]).save(tmp_path / "dl19")
    monkeypatch.chdir(tmp_path)
    assert not is_kept("dl19", **asked) and len(load("dl19").topics) == 20


def test_changed_data_have_a_row_of_their_own_among_all_collections():
    c = load(NAME)
    known = len(everywhere(c))
    found = everywhere(replace(c, relevant_from=2))
    mine = found[found["source"] == "yours"]
    assert known + len(mine) == len(found) and len(mine)
