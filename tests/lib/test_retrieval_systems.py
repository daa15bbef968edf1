"""Whole systems: laws, the fixed parameters, and Tomlinson's pattern on Cystic Fibrosis."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chapters.tomlinson2006.tables import TITLES
from lib import load
from lib.retrieval import SYSTEMS, Index, expansion, experiment, feedback, read_corpus, rows, run
from lib.retrieval.systems import READINGS

ALL = [*SYSTEMS.values(), *READINGS.values()]
WORDS = "apple berry cherry grape lemon mango".split()
texts = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)
collections = st.dictionaries(
    st.sampled_from("1 2 3 9 10 11 a b".split()), texts, min_size=2
).filter(lambda documents: any(documents.values()))
QUERIES = {"1": "apple berry", "2": "cherry cherry grape", "3": "nothing"}


@settings(max_examples=max(5, settings().max_examples // 4))  # for each of the systems
@given(collections, st.integers(1, 3), st.integers(1, 4), st.randoms(use_true_random=False))
@pytest.mark.parametrize("system", ALL)
def test_laws_of_a_search(system, documents, top, terms, random):
    index = Index.build(documents)
    base = run(index, QUERIES, system, feedback=False)
    assert run(index, QUERIES, system, weight=0) == base
    full = run(index, QUERIES, system)
    assert run(index, QUERIES, system, depth=2) == {topic: row[:2] for topic, row in full.items()}
    # The order of documents and queries does not matter.
    shuffled, queries = list(documents.items()), list(QUERIES.items())
    random.shuffle(shuffled)
    random.shuffle(queries)
    assert run(Index.build(dict(shuffled)), dict(queries), system) == full
    # Lists hold what shares a term with the expanded query.
    options = {"documents": top, "terms": terms}
    table, lists = (do(index, QUERIES, system, **options) for do in (expansion, run))
    assert lists["3"] == []  # a query without a known word finds nothing, and learns nothing
    assert set(table["topic"]) <= {"1", "2"}
    for topic, found in lists.items():
        words = set(table["term"][(table["topic"] == topic) & (table["expanded"] > 0)])
        sharing = {docno for docno in documents if words & set(index.tokenize(documents[docno]))}
        assert len(found) == len(set(found)) and set(found) == sharing
    assert (table[table["base"] == 0].groupby("topic").size() <= terms).all()
    # What is excluded is neither found nor learned from.
    if base["1"]:
        exclude = {"1": [base["1"][0], "no such document"]}
        again = run(index, QUERIES, system, feedback=False, exclude=exclude)
        assert again == {**base, "1": base["1"][1:]}
        if len(base["1"]) == 1:
            assert run(index, QUERIES, system, exclude=exclude)["1"] == []


def test_feedback_learns_from_the_first_documents_only():
    # "apple" finds 3, then 2; only 2 leads on to 1.
    fillers = {f"0{n}": "mango" for n in range(10)}
    texts = {"3": "apple apple cherry", "2": "apple berry grape", "1": "berry lemon"}
    index = Index.build({**texts, **fillers})
    for system in ALL:
        assert run(index, {"q": "apple"}, system, documents=1)["q"] == ["3", "2"]
        assert run(index, {"q": "apple"}, system, documents=2)["q"] == ["3", "2", "1"]


def test_ties_go_by_document_name_descending_as_text():
    # trec_eval's order: names are compared as text, so 9 stands before 10, and 10 before 1.
    index = Index.build({"1": "apple", "10": "apple", "9": "apple", "0": "berry"})
    for system in ALL:
        assert run(index, {"q": "apple"}, system)["q"] == ["9", "10", "1"]


@pytest.mark.parametrize("system", ["cmu", "umass"])
def test_an_expanded_language_model_is_still_a_distribution(system):
    index = Index.build({"1": "apple berry", "2": "apple", "3": "mango"})
    for weight in (0, 0.3, 1):
        table = expansion(index, QUERIES, system, weight=weight)
        sums = table.groupby("topic")["expanded"].sum()
        assert sums.to_dict() == pytest.approx({"1": 1}, abs=1e-12)


# Another processor's logarithms and sums differ by 4e-16 of a number; this is 25 times as much.
NOISE = 1e-14


def straddling(values):
    """The numbers that noise could part from one that is another but for noise, or join to it."""
    values, step = np.unique(values[np.isfinite(values)]), 10.0**-rows.DECIMALS
    from_edge = np.abs(values / step - np.floor(values / step) - 0.5) * step
    gaps = np.diff(values, prepend=-np.inf, append=np.inf)
    near = np.minimum(gaps[1:], gaps[:-1]) < 1.5 * step
    return values[near & (from_edge < NOISE * np.maximum(1, np.abs(values)))]


# Long: whole collections are searched; the first notices most of it.
@pytest.mark.frozen("feedback/{name}")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name != "cacm")) for name in TITLES]
)
def test_rebuilding_from_the_texts_gives_the_committed_runs(name, originals, monkeypatch):
    """On every machine: no near tie straddles a step."""
    quantised, strongest, found = rows.quantised, rows.strongest, []

    def watched(values):
        if np.ndim(values) < 2:
            return quantised(values)  # of terms, of which only the last one kept matters
        found.extend(map(straddling, values))
        return quantised(values)

    def watched_terms(weights, terms):
        share = rows.divided(weights, rows.row_maxima(weights))
        for first, last in pairwise(share.indptr):
            values = np.sort(share.data[first:last])[::-1]
            if len(values) > terms:
                at_the_cut = np.abs(values - values[terms - 1]) < 2 * 10.0**-rows.DECIMALS
                found.append(straddling(values[at_the_cut]))
        return strongest(weights, terms)

    def watched_passages(held):
        if np.ndim(held):
            found.append(straddling(held[held > held.max() - 2 * 10.0**-rows.DECIMALS]))
        return quantised(held)

    monkeypatch.setattr(rows, "quantised", watched)
    monkeypatch.setattr(feedback, "strongest", watched_terms)
    monkeypatch.setattr(feedback, "quantised", watched_passages)
    rebuilt = experiment(read_corpus(originals / "collections" / name), name).tables()
    committed = load(f"feedback/{name}").tables()
    assert rebuilt.keys() == committed.keys()
    for file, table in rebuilt.items():
        pd.testing.assert_frame_equal(table.reset_index(drop=True), committed[file], obj=file)
    parted = np.concatenate(found)
    assert len(parted) == 0, f"data/feedback/{name}: {parted} (lib.retrieval.rows.DECIMALS)"
