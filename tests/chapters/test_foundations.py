"""The foundations: by hand, against scipy and the measures, and what the text says of TREC-8."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from scipy import stats

from chapters.foundations import drawings, examples
from lib import means
from lib.collection import Collection
from lib.measures import complete_scores
from lib.statistics.significance import t_test

# One list


@pytest.mark.parametrize("gain", ["graded", "binary"])
def test_the_control_shows_the_scores_of_the_list_that_it_names(gain):
    figure = drawings.list_panel(1, gain)
    moved = examples.one_list("c a b d e f g h i j".split())
    name = "nDCG" if gain == "graded" else "nDCG(gain=binary)"
    for measure, shown in (("AP", "AP"), (name, "nDCG")):
        now = figure.data.shown.loc[shown, "now"]
        assert now == f"{means(moved, [measure]).iloc[0, 0]:.3f}"
    assert "C a B d e F" in figure.caption


def test_a_document_that_is_not_found_costs_every_measure_but_rr():
    shown = drawings.list_panel(0, "graded").data.shown.astype(float)
    assert shown.index[shown["now"] >= shown["at first"]].tolist() == ["RR"]
    assert (drawings.list_panel(10, "graded").data.shown.loc["P@10"] == "0.300").all()


# Pools


@pytest.mark.parametrize(("grade", "bound"), [(0, "least"), (1, "most")])
def test_precision_reaches_its_bounds_when_all_unjudged_documents_are_alike(grade, bound):
    every = {document for ranked in examples.LISTS.values() for document in ranked}
    judged = {d: int(d.startswith("r")) if d in examples.POOLED_TWO else grade for d in every}
    lists = {name: {"t": ranked} for name, ranked in examples.LISTS.items()}
    found = means(Collection.from_rankings(lists, {"t": judged}), ["P@4"])["P@4"]
    assert found.to_dict() == examples.bounds(examples.POOLED_TWO)[bound].to_dict()


# Two systems


def test_the_field_agrees_with_the_tests_of_all_pairs(trec8):
    field = examples.field(trec8)
    scores = complete_scores(trec8, "AP")
    best = means(trec8, ["AP"])["AP"].idxmax()
    for row in field.itertuples():
        pair = scores[[best, row.system]]
        assert row.p == pytest.approx(t_test(pair)[0])
    assert field["mean"].is_monotonic_increasing
    assert field.loc[2, "system"] == "orcl99man"


def test_the_control_takes_the_first_topics_and_a_rival_that_is_there(trec8):
    figure = drawings.draw_differences(trec8, place=20, topics=10)
    scores = complete_scores(trec8, "AP").iloc[:10]
    mean = (scores["READWARE2"] - scores["apl8c221"]).mean()
    assert f"mean {mean:+.3f}" in figure.caption and "on 10 topics" in figure.caption
    own = scores["READWARE2"] - scores["apl8c221"]
    told = {
        f"topic {topic}: difference in AP {d:.3f}".replace("-", "−") for topic, d in own.items()
    }
    assert told == {title.text for title in BeautifulSoup(figure.svg, "html.parser")("title")}


# Rankings


def test_the_topics_that_are_kept_order_the_runs_and_more_of_them_add_to_fewer():
    """On each set of topics these runs have another order, so that a drawing tells its set."""
    scores = pd.DataFrame(np.random.default_rng(2).random((4, 12)), columns=list("abcdefghijkl"))
    of_set = {
        tuple(stats.rankdata(-scores.loc[list(some)].mean())): set(some)
        for size in (1, 2, 3, 4)
        for some in combinations(scores.index, size)
    }
    assert len(of_set) == 15
    first = set()
    for draw in (1, 2, 3):
        kept = [set()]
        for size in (1, 2, 3, 4):
            figure = drawings.draw_kept(scores, size, draw)
            places = figure.data.shown["the topics kept"].astype(float)
            kept.append(of_set[tuple(places.sort_index())])
            assert len(kept[-1]) == size and kept[-2] < kept[-1]
            tau = stats.kendalltau(scores.mean(), scores.loc[list(kept[-1])].mean()).statistic
            assert f"Tau-b is {tau:.3f}.".replace(" -", " −") in figure.caption
        first |= kept[1]
    assert "12 of 12 runs keep their place" in figure.caption and len(first) > 1


def test_topics_are_dropped_from_a_collection_of_a_few_runs_without_groups():
    ranked = {"A": ["a", "b"], "B": ["x", "a"]}
    lists = {run: dict.fromkeys(["1", "2"], found) for run, found in ranked.items()}
    few = Collection.from_rankings(lists, dict.fromkeys(["1", "2"], {"a": 1, "b": 1}))
    assert "With 1 of 2 topics, 2 of 2 runs keep their place." in drawings.drop_topics(few).panel()
    tied = drawings.draw_kept(complete_scores(few, "P@10")[["A"]].assign(C=0.2), 1, 1)
    assert "Tau-b is –." in tied.caption
