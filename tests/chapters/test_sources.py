"""What can be asked of each collection: the sources, and those of a reader's own."""

from dataclasses import replace

import numpy as np
import pytest

from chapters.data_tables import read
from chapters.elsewhere import sources
from chapters.elsewhere.quantities import scored
from chapters.webber2008.tables import MEASURES, kept_scores
from lib import load
from lib.collection import limits, load_scores
from lib.conventions import SHARE
from lib.measures import complete_scores
from lib.paths import about


@pytest.fixture(scope="module")
def given():
    return {source.name: source for source in sources.sources()}


def test_every_source_says_of_every_measure_whether_it_has_it_or_why_not(given):
    for source in given.values():
        assert {*source.scores} | {*source.missing} == {*sources.LABELS}
        assert not {*source.scores} & {*source.missing}
        assert all(source.missing.values())
        assert source.lacks(source.scores) == ""
        for table in source.scores.values():
            assert table.shape == (source.topics, source.systems)
            assert not table.isna().any(axis=None)


def test_the_kept_systems_are_those_of_chapter_1(given):
    ours = scored(given["trec8"], kept=(SHARE, "AP"))
    for name, label in zip(MEASURES, ("P@10", "RR", "RBP", "AP", "nDCG")):
        theirs = kept_scores(load("trec8"), MEASURES)[name]
        assert theirs.equals(ours[label])


def test_the_grade_is_that_of_the_track(given):
    for name, measure in (("dl19", "AP(rel=2)"), ("trec-covid", "AP"), ("trec8", "AP")):
        assert given[name].scores["AP"].equals(complete_scores(load(name), measure))


def test_p1_can_be_read_off_rr(given):
    for name, source in given.items():
        if {"P@1", "RR"} <= {*source.scores}:
            first, rr = source.scores["P@1"], source.scores["RR"]
            assert ((rr == 1) == (first == 1)).all(axis=None), name
            assert set(np.unique(first)) == {0, 1} and rr[first == 0].max().max() <= 0.5, name
    assert set(given["trec6"].scores) == {"P@1", "P@10", "RR", "AP"}
    assert set(given["robust04"].scores) == {"P@10", "AP"}
    assert given["robust04"].lacks(["AP", "RR"]) == "no scores by RR are public"


def copies_of_columns(name):
    """Return how many columns equal one before them by all that is public, a pair at a time."""
    tables = load_scores(name)
    columns = np.array([table.to_numpy() for table in tables.values()])
    number = columns.shape[2]
    return sum(
        any((columns[..., i] == columns[..., j]).all() for i in range(j)) for j in range(number)
    )


@pytest.mark.parametrize("name", sources.WEB)
def test_each_run_of_the_ad_hoc_task_is_asked_once_and_the_package_says_what_the_others_are(
    name, given
):
    printed, source = read("trec", "means"), given[name]
    printed = printed[printed["track"] == sources.WEB[name]]
    runs, copied = printed["task"].value_counts(), copies_of_columns(name)
    asked = source.scores["AP"][source.asked()].mean()
    ours = sorted(printed.loc[printed["task"] == "adhoc", "AP"])
    assert sorted(asked) == pytest.approx(ours, abs=2e-4)
    assert len(source.asked(sources.EVERY)) == source.systems == runs.sum()
    assert len(scored(source)["AP"].columns) == runs["adhoc"]
    assert (
        f"{runs['adhoc']} of the runs are of the ad hoc task and {runs['diversity']} of the "
        f"diversity task; {copied} columns are exact copies" in about(name)["description"]
    )


def test_other_packages_say_how_many_runs_are_copies(given):
    says = {"web2014": "2 columns are", "robust04": "1 column is", "trec8": "2 runs score"}
    for name, words in (says | {"trec-covid": "1 run scores"}).items():
        source = given[name]
        assert len(source.asked()) == len(source.asked(sources.EVERY)) == source.systems
        copied = source.systems - len(source.asked(sources.NO_COPIES))
        assert f"{copied} {words[2:]} " in f"{about(name)['description']} " and words[0] == str(
            copied
        )
    assert copies_of_columns("web2014") == 2 and copies_of_columns("robust04") == 1


def test_the_judged_share_is_known_where_there_are_runs(given):
    assert sources.share_judged(given["web2010"]) is None
    at_10 = limits(given["trec5"].collection, depths=[10]).loc[10, "unjudged"]
    assert at_10 == pytest.approx(0, abs=5e-4)
    assert 0 < sources.share_judged(given["trec5"]) < 1 - at_10


def test_a_part_of_a_collection_of_the_book_is_ones_own():
    trec8 = load("trec8")
    fewer = trec8.select(topics=trec8.topics.index[:3])
    assert sources.in_the_book(trec8) and not sources.in_the_book(fewer)
    assert not sources.in_the_book(replace(load("dl19"), relevant_from=1))
    mine = sources.yours(fewer)
    assert (mine.name, mine.title, mine.year) == ("yours", "TREC-8 (yours)", None)
    assert mine.lacks(["AP"]) == "only 3 topics"
