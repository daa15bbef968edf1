"""What can be asked of each collection: the sources, and those of a reader's own."""

import numpy as np
import pytest

from lib import Collection, load
from lib.collection import about
from lib.measures import complete_scores
from lib.papers.webber2008.tables import MEASURES, kept_scores
from lib.studies.sources import LABELS, facts, in_the_book, judged, sources, yours


@pytest.fixture(scope="module")
def given():
    return {source.name: source for source in sources()}


def test_every_source_says_of_every_measure_whether_it_has_it_or_why_not(given):
    assert len(given) == 14
    for source in given.values():
        assert {*source.scores} | {*source.missing} == {*LABELS}
        assert not {*source.scores} & {*source.missing}
        assert all(source.missing.values())
        assert source.lacks(source.scores) == ""
        for table in source.scores.values():
            assert table.shape == (source.topics, source.systems)
            assert not table.isna().any(axis=None)


def test_they_stand_by_year_with_the_titles_of_their_packages(given):
    years = [source.year for source in given.values()]
    assert years == sorted(years)
    for name in ("trec5", "web2012", "dl21"):
        assert given[name].title == about(name)["short_title"]
    assert given["robust04-new"].title == "Robust 2004, new topics"


def test_only_robust_shares_topics_and_says_so(given):
    assert [name for name, source in given.items() if source.note] == ["robust04"]
    numbers = given["robust04"].scores["AP"].index.astype(int)
    old = [*range(301, 451)]
    assert set(old) <= set(numbers) and given["robust04-new"].topics == 49
    assert not set(given["robust04-new"].scores["AP"].index.astype(int)) & set(old)


def test_the_kept_systems_are_those_of_chapter_1(given):
    ours = given["trec8"].kept()
    for name, label in zip(MEASURES, ("P@10", "RR", "RBP", "AP", "nDCG")):
        theirs = kept_scores(load("trec8"), MEASURES)[name]
        assert theirs.equals(ours[label])


def test_the_grade_is_that_of_the_track(given):
    for name, measure in (("dl19", "AP(rel=2)"), ("trec-covid", "AP"), ("trec8", "AP")):
        assert given[name].scores["AP"].equals(complete_scores(load(name), measure))


@pytest.mark.parametrize("name", ["trec5", "trec8", "trec-covid", "dl19", "dl21"])
def test_p1_can_be_read_off_rr(given, name):
    tables = given[name].scores
    assert ((tables["RR"] == 1) == (tables["P@1"] == 1)).all(axis=None)


def test_matrices_have_p1_where_they_have_rr(given):
    assert set(given["trec6"].scores) == {"P@1", "P@10", "RR", "AP"}
    assert set(given["web2010"].scores) == {"P@1", "P@10", "RR", "nDCG@20", "AP"}
    assert set(given["robust04"].scores) == {"P@10", "AP"}
    assert given["robust04"].lacks(["AP", "RR"]) == "no scores by RR are public"
    for name in ("trec6", "web2014"):
        rr, first = (given[name].scores[label] for label in ("RR", "P@1"))
        assert set(np.unique(first)) == {0, 1} and (rr[first == 0].max().max()) <= 0.5


def test_the_judged_share_is_known_where_there_are_runs(given):
    assert judged(given["web2010"]) == {}
    shares = judged(given["trec5"])
    assert shares[10] == pytest.approx(1, abs=5e-4) and shares[1000] < shares[10]


def test_a_part_of_a_collection_of_the_book_is_ones_own():
    trec8 = load("trec8")
    assert in_the_book(trec8)
    fewer = trec8.select(topics=trec8.topics.index[:20])
    assert not in_the_book(fewer)
    mine = yours(fewer)
    assert (mine.name, mine.title, mine.year) == ("yours", "TREC-8 (yours)", None)


def test_few_topics_cannot_be_asked():
    runs = {"A": {t: ["r"] for t in "123"}, "B": {t: ["x", "r"] for t in "123"}}
    toy = yours(Collection.from_rankings(runs, {t: {"r": 1} for t in "123"}))
    assert toy.lacks(["AP"]) == "only 3 topics"


def test_the_facts_name_folders_of_the_book():
    for folder in facts()["folder"]:
        assert about(folder)["short_title"]
