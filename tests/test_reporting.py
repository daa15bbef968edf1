"""What a report says of a collection, beside slow and plain computations; its face in Python."""

import html
import io
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from scipy import stats
from strange import ODD, small
from strategies import qrels, runs

import lib
from lib import Collection, InputError, load, means, scores
from lib.cli import main
from lib.display import tables
from lib.measures import score_tables
from lib.published import cells
from lib.reporting import opening, report, told
from lib.reporting.intervals import OverTopics, with_bounds
from lib.reporting.sheet import archive, latex
from lib.statistics.comparison import mean_intervals
from lib.statistics.impact import needed
from lib.statistics.multiplicity import holm


@pytest.fixture(scope="module")
def some():
    c = load("trec8")
    return c.select(systems=c.systems.index[::10])


def test_pairs_are_told_apart_as_scipy_does(some):
    of = scores(some, "AP").fillna(0)
    names = list(of)
    both = [(of[a], of[b]) for i, a in enumerate(names) for b in names[i + 1 :]]
    p = np.array([stats.ttest_rel(x, y).pvalue for x, y in both])
    effect = np.array([abs((x - y).mean()) / (x - y).std() for x, y in both])
    topics = np.array([needed(size) for size in effect])
    found = told.apart({"AP": of}).loc["AP"]
    assert found["pairs"] == len(p)
    assert found["told"] == np.mean(p < 0.05) and found["Holm"] == np.mean(holm(p) < 0.05)
    assert found["least"] == pytest.approx(
        min(abs(x.mean() - y.mean()) for (x, y), one in zip(both, p) if one < 0.05)
    )
    assert found["most"] == pytest.approx(
        max(abs(x.mean() - y.mean()) for (x, y), one in zip(both, p) if one >= 0.05)
    )
    assert found["median"] == pytest.approx(np.median(topics[p >= 0.05]), rel=0.2)
    for times in (2, 4, 10):
        assert found[f"{times} times"] == pytest.approx(np.mean(topics <= 50 * times), abs=0.01)


def test_systems_that_are_alike_are_not_told_apart():
    c = small(3, 5, alike=True)
    found = told.apart(score_tables(c, ["AP"])).loc["AP"]
    assert found["told"] == 0 and np.isnan(found["least"]) and np.isinf(found["median"])
    assert found["10 times"] == 0
    text = repr(told.shown(told.apart(score_tables(c, ["AP"])), topics=5))
    assert "more than 100,000" in text


def test_what_is_said_is_what_was_computed(some):
    tables_of = score_tables(some, ["AP"])
    found, means = told.apart(tables_of), mean_intervals(tables_of["AP"])
    said = " ".join(told.sentences(some, found, means, "AP"))
    best = scores(some, "AP").mean().idxmax()
    assert said.startswith("TREC-8 has 13 runs and 50 topics.")
    assert f"The best mean AP is that of {best}, {scores(some, 'AP').mean().max():.3f}" in said
    assert f"{found.loc['AP', 'told']:.0%} of the 78 pairs of runs" in said
    assert "Down to rank 100, nearly all" in said


@pytest.mark.parametrize("name", ODD)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_odd_collections_have_an_opening(name):
    c = ODD[name]()
    several = len(c.topics) > 1
    tables_of = score_tables(c, ["AP"])
    found = told.apart(tables_of) if several and len(c.systems) > 1 else None
    means = mean_intervals(tables_of["AP"]) if several else None
    said = " ".join(told.sentences(c, found, means, "AP"))
    assert said and "nan" not in said and "inf" not in said
    assert "nan" not in repr(opening.systems(c, tables_of)).split()


@given(runs(), qrels())
def test_the_judged_share_is_that_of_the_lists(lists, judged):
    """With all judged documents known: counted rank by rank."""
    c = Collection.from_rankings(lists, judged, judged=True)
    for depth in (1, 3, 20):
        found = opening.judged_share(c, depth)
        for system, answers in lists.items():
            tops = [(t, d) for t, ranked in answers.items() if t in judged for d in ranked[:depth]]
            known = sum(judged[topic].get(document, -1) >= 0 for topic, document in tops)
            if tops:
                assert found[system] == pytest.approx(known / len(tops))
            else:
                assert np.isnan(found[system])


def test_without_all_judged_documents_the_share_is_of_what_the_hits_tell(some):
    for depth in (10, 100):
        hits, share = some.relevance(), opening.judged_share(some, depth)
        for system in range(len(some.systems)):
            seen = whole = 0
            for topic in range(len(some.topics)):
                mine = np.flatnonzero(
                    (hits.cell == topic * len(some.systems) + system) & (hits.rank <= depth)
                )
                if len(mine):
                    last = mine[np.argmax(hits.rank[mine])]
                    seen += hits.position[last] + hits.nonrelevant[last]
                    whole += hits.rank[last]
            assert share.iloc[system] == pytest.approx(seen / whole)


def test_what_was_asked_is_said(some):
    said = " ".join(opening.asked(some, command="python -m lib report", missing=2))
    assert "python -m lib report" in said and lib.__version__ in said
    assert opening.fingerprint(some) in said and len(opening.fingerprint(some)) == 64
    assert opening.fingerprint(some) != opening.fingerprint(some.select(topics=["401"]))
    assert "not defined on it: 2" in said
    assert "no hash" in " ".join(opening.asked(some.pooled(10), command="", missing=0))


@pytest.fixture(scope="module")
def shown():
    c = small(6, 9)
    rng = np.random.default_rng(5)
    other = c.rejudged(rng.random(len(c.relevant)) < 0.7, None)
    return c, other, lib.report(c, second=other)


def test_the_same_collection_gives_the_same_bytes(shown):
    c, other, found = shown
    again = report(c, second=other)
    assert again.page == found.page and archive(again.files) == archive(found.files)


def test_a_notebook_shows_the_report_in_a_window_of_its_own(shown):
    found = shown[2]._repr_html_()
    frame = BeautifulSoup(found, "html.parser").find("iframe")
    assert frame["srcdoc"] == shown[2].page and frame["title"] == "Measuring the Measures: toy"
    assert "sandbox" in frame.attrs
    assert re.fullmatch(r"Measuring the Measures: toy: \d+ tables .*", repr(shown[2]))


def test_two_judges_stand_in_the_report(shown):
    section = BeautifulSoup(shown[2].page, "html.parser").find(id="judges")
    assert [cell.get_text() for cell in section.find_all("th", scope="row")][0] == "AP"
    assert "15" in section.find("table").get_text()  # pairs of six runs
    assert b"tau-b" in shown[2].files["tables/judges.csv"]


def test_a_second_judge_of_other_runs_is_refused(tmp_path, capsys):
    words = ["report", "--collection", "trec5", "--second", "trec8", "--out", str(tmp_path / "r")]
    assert main(words) == 2
    assert capsys.readouterr().err.endswith("trec5 and trec8 are not of the same runs\n")
    assert not (tmp_path / "r").exists()


def test_the_library_imports_without_what_draws():
    code = "import sys, lib; assert 'matplotlib' not in sys.modules; assert callable(lib.report)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=lib.__path__[0] + "/..")
    with pytest.raises(AttributeError, match="no attribute 'reports'"):
        lib.reports  # noqa: B018


def test_latex_escapes_what_it_would_obey():
    frame = pd.DataFrame({("a", "b_1"): ["50%", "\u22120.5"]}, index=["R&D", "x\\y"])
    text = latex(frame, caption="{#1}")
    assert r"R\&D & 50\% \\" in text and r"x\textbackslash{}y & $-$0.5 \\" in text
    assert r"\caption{\{\#1\}}" in text and r" & a b\_1 \\" in text
    assert tables.table(frame.set_axis(["p"], axis=1), caption="")


def test_intervals_of_a_table_are_those_of_the_grouped_jackknife():
    """A mean of scores over topics, written as a table: Student's error, nearly."""
    c = load("trec8")
    c = c.select(systems=c.systems.index[:4])

    def table(part):
        return cells([("AP", run, mean) for run, mean in means(part, ["AP"])["AP"].items()])

    over = OverTopics(c)
    found = over.bounds(table, table(c)).set_index("column")
    assert [len(parting) for parting in over.parts] == [5, 5]
    assert {len(part.topics) for parting in over.parts for part in parting} == {40}
    error = scores(c, "AP").std() / np.sqrt(50)
    ratio = (found["high"] - found["low"]) / (2 * 2.01 * error)
    assert ratio.between(0.5, 2).all()
    assert ((found["low"] + found["high"]) / 2).to_numpy() == pytest.approx(
        found["value"].astype(float).to_numpy()
    )
    assert "\u00b1" in repr(with_bounds(found.reset_index()))


def test_a_cell_that_is_not_defined_without_some_topics_has_no_interval():
    over = OverTopics(small(3, 12))

    def fails(part):
        raise InputError("too few")

    found = over.bounds(fails, cells([("a", "b", 0.5)]))
    assert found["low"].isna().all() and with_bounds(found) is None
    with pytest.raises(InputError, match="10 topics or more, not 9"):
        OverTopics(small(3, 9))


def test_the_report_has_intervals_where_there_are_topics_enough():
    assert "The same with" not in report(small(2, 9)).page
    found = report(small(6, 12))
    assert "The same with 95% intervals over topics" in found.page
    numbers = pd.read_csv(io.BytesIO(found.files["numbers.csv"]))
    some = numbers.dropna(subset=["low"])
    assert len(some) and (some["low"] <= some["value"].astype(float)).all()


# A collection in a notebook.


def test_a_collection_shows_its_size_and_a_picture():
    soup = BeautifulSoup(load("trec8")._repr_html_(), "html.parser")
    text = " ".join(soup.get_text().split())
    assert text.startswith(
        "TREC-8: 129 systems, 50 topics, 4,728 relevant documents; lists of up to 1,000; "
    )
    relevant = load("trec8").topics["relevant"]
    assert f"from {relevant.max():,} to {relevant.min():,}" in soup.find("svg")["aria-label"]
    bars = re.findall(r"M[\d.]+ 60V([\d.]+)H", soup.find("path")["d"])
    heights = [60 - float(top) for top in bars]
    assert len(heights) == 50 and heights == sorted(heights, reverse=True)
    assert heights[0] == 60 and heights[-1] == pytest.approx(
        60 * relevant.min() / relevant.max(), abs=0.06
    )
    assert soup.find("path")["fill"] == "currentColor"
    assert len(str(soup)) < 4000
    assert load("trec8")._repr_html_() == load("trec8")._repr_html_()


@pytest.mark.parametrize("name", ODD)
def test_any_collection_shows_itself(name):
    c = ODD[name]()
    assert html.escape(c.title) in c._repr_html_()
    assert "not known" in c.pooled(1)._repr_html_() or c.judged is not None
